#ifndef SINEW_DRIVE_H
#define SINEW_DRIVE_H

/// \file
/// How a game drives a walker: by its stick in the body's axes or in the world's, or by a root that it
/// moves itself; how quickly the body answers; and what the walker tells back while it walks.

#include "steering.h"
#include "vecmath.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_DriveKind {
    SINEW_DRIVE_BODY, ///< steering in the body's axes
    SINEW_DRIVE_WORLD, ///< a velocity and a facing in the world's axes, as from a stick seen by a camera
    SINEW_DRIVE_ROOT, ///< the root is where the caller says: a capsule, the network, a cut scene
} sinew_DriveKind;

/// What is wanted of a walker in one update. Start from one of the functions below.
typedef struct sinew_Drive {
    sinew_DriveKind kind;
    sinew_Steering steering; ///< SINEW_DRIVE_BODY
    /// SINEW_DRIVE_WORLD: along +X and +Z, metres per second. Cropped to what the body can do, its direction
    /// stays; -1000..1000 each, others are refused as mistakes.
    double velocity_x, velocity_z;
    /// SINEW_DRIVE_WORLD: where it looks, radians from +Z towards +X; read where has_facing. Without: where it
    /// goes, and as it is while it stands.
    double facing;
    bool has_facing;
    /// SINEW_DRIVE_ROOT: the root at the end of the update, metres and radians. Between two updates it goes
    /// straight, and legs answer no slower than with sinew_walk_response_game. To one that went or turned faster
    /// than anybody does, 9 m/s and 0.03 m or 25 rad/s and 0.1 rad, the body is taken at once, as it is.
    double x, z, heading;
    /// Of all kinds: look at a point of the world, metres, no farther than look_bound, radians, from where the
    /// body faces; it takes a head 0.3 s to turn there and back.
    bool has_look;
    sinew_Vec3 look_at;
    double look_bound; ///< 0..3.2. Default 1.2 (69 degrees)
    double carry;      ///< of all kinds: 0 .. 1 arms that hold something before the body
    /// Of all kinds: how low it goes, 0 upright .. 1 hips lower by a third of the leg, bodies on tips by up to
    /// a sixth; slower then.
    double crouch;
} sinew_Drive;

/// Steered in the body's own axes.
SINEW_API sinew_Drive sinew_drive_body(sinew_Steering steering);
/// Facing where it goes; set facing and has_facing to look elsewhere.
SINEW_API sinew_Drive sinew_drive_world(double velocity_x, double velocity_z);
/// Where the root is at the end of the update, metres and radians.
SINEW_API sinew_Drive sinew_drive_root(double x, double z, double heading);

/// How quickly a body's own root answers. Start from one of the functions below. Legs have the last word: a
/// foot that would be left out of reach holds the body back.
typedef struct sinew_WalkResponse {
    double follow_time;  ///< time constant of a change, seconds, 0.01..2
    double acceleration; ///< most, metres per second squared, 0.1..50
    double braking;      ///< most when it slows down, metres per second squared, 0.1..50
    double turning;      ///< most, radians per second squared, 0.1..200
    double settling;     ///< most with which hips come to rest over standing feet, m/s^2, 0.1..50
    /// Of two legs: how much quicker than a walker's a step may be that would come too late otherwise, and the last ones of
    /// a walk, 1..3.
    double hurry;
} sinew_WalkResponse;

/// As people who have time: 0.22 s, 1.6 m/s^2, 1.6 m/s^2, 6 rad/s^2, 2.5 m/s^2, 1. The default.
SINEW_API sinew_WalkResponse sinew_walk_response_calm(void);
/// As players want it: 90 % of a walk within 0.3 s; hips slower than 0.1 m/s, over both feet, 0.4 s after it ends (median),
/// 0.9 s where the last step has to be closed: 0.08 s, 6 m/s^2, 6 m/s^2, 25 rad/s^2, 6 m/s^2, 1.8.
SINEW_API sinew_WalkResponse sinew_walk_response_game(void);

/// A pose of the caller, laid over the walk above the legs: a clip of its own, an aim, a wave. Root and legs stay
/// as they walk. Read at each update, so it may change with every frame and must stay while it is set;
/// an update with a pose that is not finite is INVALID_ARGUMENT, and changes nothing.
typedef struct sinew_WalkLayer {
    const double *pose; ///< coordinate_count numbers; NULL: none
    const double *mask; ///< joint_count shares, 0..1; NULL: all 1
    double weight;      ///< of all, 0..1
} sinew_WalkLayer;

/// None.
SINEW_API sinew_WalkLayer sinew_walk_layer_default(void);

/// Ground that is not walked; lengths of a body with legs of 0.9 m, others in proportion. Steps and drops of
/// bodies on tips go by what their legs fold over: 0.35 is 1.15 times that, so that a spider climbs.
typedef struct sinew_WalkLimits {
    double step_height; ///< highest step up, metres, 0..2. Default 0.35
    double drop;        ///< highest step down, metres, 0..2. Default 0.45
    double
        slope; ///< steepest ground, whichever way it rises, radians, 0..1.5. Default 0.75 (43 degrees)
    double gap; ///< widest ditch that is stepped over, metres, 0..1. Default 0.2
} sinew_WalkLimits;

/// The defaults told above.
SINEW_API sinew_WalkLimits sinew_walk_limits_default(void);

/// What happened to a walker, in the order of time.
typedef enum sinew_WalkEventKind {
    SINEW_WALK_START, ///< it begins to walk
    SINEW_WALK_CONTACT, ///< a foot lands: heel strike where planted has the heel alone, else on ball or sole; none of
                        ///< feet that stood from the start
    SINEW_WALK_FLAT,     ///< heel and ball stand
    SINEW_WALK_HEEL_OFF, ///< the heel leaves the ground, the ball stands
    SINEW_WALK_TOE_OFF,  ///< the foot leaves the ground
    SINEW_WALK_STOP,     ///< it stands
    SINEW_WALK_BLOCKED,  ///< what it wants leads to ground that it does not walk
    SINEW_WALK_FREE,     ///< no longer
} sinew_WalkEventKind;

typedef struct sinew_WalkEvent {
    sinew_WalkEventKind kind;
    int leg;          ///< -1: the whole body
    double time;      ///< seconds since creation or reset
    unsigned planted; ///< SINEW_PLANTED_... bits of the leg then
    sinew_Vec3 place; ///< of the sole below the ankle, or of the root, world
    double speed;     ///< of the root then, metres per second
    uint32_t surface; ///< that it happens on, as the ground query named it; 0 without one
} sinew_WalkEvent;

/// Most events that one update tells; later ones of it are lost.
#define SINEW_MAX_WALK_EVENTS 32

#ifdef __cplusplus
}
#endif

#endif
