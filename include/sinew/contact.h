#ifndef SINEW_CONTACT_H
#define SINEW_CONTACT_H

/// \file
/// When heels, balls of feet, hands or any other points of a body stand still on something.
///
/// A point touches while it is slow and near the height at which it usually stands still. Heel and ball
/// are looked at apart, since a foot rolls from one to the other. Speeds are over a short window, sizes in
/// lengths of the leg, so that neither frame rate nor proportions matter.
///
/// Contacts are read only and may be shared by threads.

#include "role.h"
#include "stance.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a contact is. Start from sinew_contact_settings_default(). Speeds are in legs (thigh and shank) per
/// second, heights in legs.
typedef struct sinew_ContactSettings {
    /// A contact begins below this speed and height above the point's floor. Default 0.15 and 0.05.
    double begin_speed, begin_height;
    /// It is counted from where the point became slower than this. Default 0.22.
    double slowing_speed;
    /// It ends above this speed or height. Default 0.27 and 0.08.
    double end_speed, end_height;
    /// Hands and marked points stand on what is this much higher than the feet's floor, or lower.
    /// Default 0.12: a wrist above its palm.
    double hand_height;
    /// The floor of one point of the feet is at most this much above the lowest one's. Default 0.04.
    double floor_spread;
    /// Gaps up to this are closed, contacts below that are dropped, seconds. Default 0.04 and 0.08.
    double longest_gap, shortest;
    /// Speeds are over this time before and after, at least one frame, seconds. Default 0.025.
    double half_window;
} sinew_ContactSettings;

/// The defaults told above.
SINEW_EXPERIMENTAL sinew_ContactSettings sinew_contact_settings_default(void);

/// Whether a point touches, given whether it did a moment ago: on below the speed and height of beginning,
/// off above those of ending. speed in legs per second, height in legs above the point's floor. For
/// motion that arrives frame by frame.
SINEW_EXPERIMENTAL bool sinew_contact_touches(
    const sinew_ContactSettings *settings, bool touched, double speed, double height);

typedef enum sinew_ContactPart {
    SINEW_CONTACT_HEEL,
    SINEW_CONTACT_BALL,
    SINEW_CONTACT_HAND,
    SINEW_CONTACT_MARKED, ///< whatever the caller wants watched
} sinew_ContactPart;

/// A point of a body.
typedef struct sinew_ContactPoint {
    sinew_ContactPart part;
    sinew_Side side;
    int joint;
    sinew_Vec3 offset; ///< in the joint's frame, metres
} sinew_ContactPoint;

/// The points of a person: heel and ball of the left foot, of the right foot, left and right hand (at the
/// knuckles where the skeleton has them); those that are not there are left out. Writes up to capacity
/// of them and returns how many there are.
SINEW_EXPERIMENTAL int sinew_contact_points(const sinew_Skeleton *skeleton,
    const sinew_RoleGuess *roles, const sinew_Stance *stance, sinew_ContactPoint *out_points,
    int capacity);

/// A contact that somebody knows of: frames first..last of a point, both counted.
typedef struct sinew_ContactMark {
    int point, first, last;
} sinew_ContactMark;

#define SINEW_MAX_CONTACT_POINTS 64

/// Where to look. Start from sinew_contact_def_default().
typedef struct sinew_ContactDef {
    const sinew_Skeleton *skeleton;
    sinew_PoseList motion; ///< of the skeleton
    double frame_time;     ///< seconds, > 0
    sinew_Vec3 up;         ///< unit. Default +Y
    double leg;            ///< thigh and shank, metres, > 0
    const sinew_ContactPoint *points;
    int point_count; ///< 1..SINEW_MAX_CONTACT_POINTS
    /// Said rather than found; they replace what was found of these frames. NULL: none.
    const sinew_ContactMark *marks;
    int mark_count;
    sinew_ContactSettings settings;
    sinew_Allocator allocator;
    /// Set by the default function, checked by sinew_contacts_find. Do not set.
    uint32_t cookie;
} sinew_ContactDef;

/// The defaults told above; skeleton, motion, frame_time, leg and points are the caller's to say.
SINEW_EXPERIMENTAL sinew_ContactDef sinew_contact_def_default(void);

/// One point that stands.
typedef struct sinew_Contact {
    int point;
    int first, last; ///< frames, both counted
    /// Median place of the point, coordinate by coordinate.
    sinew_Vec3 place;
    /// Median height along up, metres.
    double height;
    /// Largest distance along the ground from place, metres.
    double slide;
    bool marked; ///< said, not found
} sinew_Contact;

/// What was found. Read only.
typedef struct sinew_Contacts {
    int frame_count, point_count;
    /// The first frame that belongs to the motion: 1 where frame 0 is a pose of its own, from which a joint
    /// leaps by more than 0.7 rad; it has no contacts.
    int first_frame;
    const sinew_Vec3 *positions; ///< in the world             (point_count x frame_count)
    const bool *touching;        ///< frame by frame           (point_count x frame_count)
    /// Height along up at which each point stands, metres.   (point_count)
    const double *floors;
    /// The lowest of the feet's, or of all points where there are no feet, metres.
    double floor;
    /// Sorted by point, then by time.
    const sinew_Contact *contacts;
    int contact_count;
    const int *starts; ///< contacts of point p: starts[p] .. starts[p + 1] - 1   (point_count + 1)
} sinew_Contacts;

/// Find the contacts of a motion. INVALID_ARGUMENT for what breaks a rule above, poses that are not finite;
/// OUT_OF_MEMORY; then *out_contacts is NULL. O(frames x joints), deterministic.
SINEW_EXPERIMENTAL sinew_Status sinew_contacts_find(
    const sinew_ContactDef *def, sinew_Contacts **out_contacts, sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_EXPERIMENTAL void sinew_contacts_destroy(sinew_Contacts *contacts);

/// "heel", "ball", "hand", "marked". Static memory.
SINEW_EXPERIMENTAL const char *sinew_contact_part_name(sinew_ContactPart part);

#ifdef __cplusplus
}
#endif

#endif
