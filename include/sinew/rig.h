#ifndef SINEW_RIG_H
#define SINEW_RIG_H

/// \file
/// What a skeleton file cannot say: roles, kinds of joints, limits, weights, masses, effectors,
/// poses and start tables. Guessed for bodies that nobody prepared, refined by a *.rig.json file.
///
/// A rig is a document beside a skeleton. It names joints by *keys* and holds the numbers of its
/// file as they are: degrees, and lengths in the file's unit. So an edited rig comes back from a
/// file bit for bit. Everything in it is optional; sinew_rig_apply makes a new skeleton of what it
/// says, in metres and radians.
///
/// The key of a joint is its name; of several joints of one name the second has the key NAME#2.
///
/// Rigs are not locked: reading may be shared by threads, writing not.

#include "role.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a joint moves.
typedef enum sinew_RigKind {
    SINEW_RIG_AS_IS,     ///< by the axes of the skeleton
    SINEW_RIG_FREE,      ///< the same, without any limit
    SINEW_RIG_BALL,      ///< swing windows and twist
    SINEW_RIG_UNIVERSAL, ///< two hinges: about z, then about y of the neutral frame
    SINEW_RIG_HINGE,     ///< one hinge: about z of the neutral frame
    SINEW_RIG_FIXED,     ///< not at all
} sinew_RigKind;

#define SINEW_RIG_KIND_COUNT (SINEW_RIG_FIXED + 1)

/// "as-is", "free", "ball", "universal", "hinge", "fixed". Static memory.
SINEW_API const char *sinew_rig_kind_name(sinew_RigKind kind);

/// One opening of a ball's limit, degrees. See sinew_ReachWindow.
typedef struct sinew_RigWindow {
    /// Points are x = azimuth, y = greatest swing, z = 0 (see sinew_reach_polar); else they are
    /// directions of any length in the neutral frame.
    bool polar;
    /// 3 or more; 1 for a cone.
    const sinew_Vec3 *points;
    int point_count;
    double cone_half_angle; ///< degrees, used with one point
} sinew_RigWindow;

typedef struct sinew_RigRange {
    double lower, upper; ///< degrees, or lengths of slides; -INFINITY and INFINITY: no bound
} sinew_RigRange;

/// Which fields of a joint are said; the others stay as they were guessed or as the skeleton has
/// them.
enum {
    SINEW_RIG_HAS_ROLE = 1 << 0,
    SINEW_RIG_HAS_KIND = 1 << 1,
    SINEW_RIG_HAS_NEUTRAL = 1 << 2,
    SINEW_RIG_HAS_BONE = 1 << 3,
    SINEW_RIG_HAS_MIRRORED = 1 << 4,
    SINEW_RIG_HAS_WINDOWS = 1 << 5, ///< windows, window_count, star, star_center
    SINEW_RIG_HAS_TWIST = 1 << 6,
    SINEW_RIG_HAS_RESPONSE = 1 << 7,
    SINEW_RIG_HAS_RANGES = 1 << 8,
    SINEW_RIG_HAS_MOBILITY = 1 << 9,
    SINEW_RIG_HAS_MASS = 1 << 10,
    SINEW_RIG_HAS_MASS_CENTER = 1 << 11,
    SINEW_RIG_HAS_OBJECT = 1 << 12,
};

/// What a rig says about one joint. Start from sinew_rig_joint_default(key).
typedef struct sinew_RigJoint {
    const char *key;
    unsigned has; ///< SINEW_RIG_HAS_... of the fields below
    sinew_JointRole role;
    sinew_RigKind kind;
    /// socket_from_neutral and joint_from_bone as in sinew_BallLimitDef. Of hinges and universals they
    /// say where zero is (socket_from_joint = neutral bone^-1) and what they turn about.
    sinew_Quat neutral, bone;
    /// Azimuths count the other way round: the other side of a body.
    bool mirrored;
    const sinew_RigWindow *windows; ///< none: swings freely
    int window_count;
    /// The only window is a loop seen whole from star_center, a point as those of the window.
    bool star;
    sinew_Vec3 star_center;
    sinew_RigRange twist;
    sinew_LimitResponse response;
    /// Ranges of slides and hinges in the order of the joint's axes; balls are not counted.
    sinew_RigRange ranges[SINEW_MAX_AXES_PER_JOINT];
    int range_count;
    double mobility;        ///< of all its axes
    double mass;            ///< kilograms
    sinew_Vec3 mass_center; ///< in the joint's frame, lengths of the file
    const char *object;     ///< what is shown at the joint, as in sinew_JointDef
} sinew_RigJoint;

/// A joint of that key, not copied, of which nothing is said.
SINEW_API sinew_RigJoint sinew_rig_joint_default(const char *key);

/// A point that goals are set for.
typedef struct sinew_RigEffector {
    const char *name;
    const char *key;   ///< of the joint that carries it
    sinew_Vec3 offset; ///< in the joint's frame, lengths of the file
} sinew_RigEffector;

/// Coordinates of one joint in a pose: slides in lengths of the file, hinges in degrees, balls as
/// quaternions x, y, z, w.
typedef struct sinew_RigValues {
    const char *key;
    const double *values;
    int value_count;
} sinew_RigValues;

typedef struct sinew_RigPose {
    const char *name;
    const sinew_RigValues *joints;
    int joint_count;
} sinew_RigPose;

/// A goal of a start table, as in sinew_StartTableData.
typedef struct sinew_RigGoal {
    /// "position", "orientation" or "pose".
    const char *kind;
    const char *key;
    const char *chain_root; ///< key, or NULL for all joints
    sinew_Vec3 offset;      ///< lengths of the file
    sinew_Quat rotation;
} sinew_RigGoal;

/// A start table; see sinew/start.h, which makes and uses it.
typedef struct sinew_RigStarts {
    const char *name;
    double reach; ///< lengths of the file
    const sinew_RigGoal *goals;
    int goal_count;
    const sinew_RigPose *poses; ///< their names are not used
    int pose_count;
    /// Position (lengths of the file) and orientation of each goal. (centroid_count x goal_count x 7)
    const double *centroids;
    const int *centroid_poses; ///< (centroid_count)
    int centroid_count;
} sinew_RigStarts;

typedef struct sinew_Rig sinew_Rig;

/// An empty rig. allocator may be NULL. INVALID_ARGUMENT, OUT_OF_MEMORY; then *out_rig is NULL.
SINEW_API sinew_Status sinew_rig_create(const sinew_Allocator *allocator, sinew_Rig **out_rig);

/// Give it back; NULL is ignored.
SINEW_API void sinew_rig_destroy(sinew_Rig *rig);

/// Metres in one unit of the file, 1e-9..1e9; 0 when the rig does not say. To set another number changes nothing.
SINEW_API double sinew_rig_unit(const sinew_Rig *rig);
SINEW_API void sinew_rig_set_unit(sinew_Rig *rig, double unit);

/// What it says; pointers live until the same thing is set again or the rig is given back.
SINEW_API int sinew_rig_joint_count(const sinew_Rig *rig);
SINEW_API const sinew_RigJoint *sinew_rig_joint(const sinew_Rig *rig, int index);
/// NULL when the rig does not mention the joint.
SINEW_API const sinew_RigJoint *sinew_rig_find_joint(const sinew_Rig *rig, const char *key);
SINEW_API int sinew_rig_effector_count(const sinew_Rig *rig);
SINEW_API const sinew_RigEffector *sinew_rig_effector(const sinew_Rig *rig, int index);
SINEW_API int sinew_rig_pose_count(const sinew_Rig *rig);
SINEW_API const sinew_RigPose *sinew_rig_pose(const sinew_Rig *rig, int index);
SINEW_API int sinew_rig_starts_count(const sinew_Rig *rig);
SINEW_API const sinew_RigStarts *sinew_rig_starts(const sinew_Rig *rig, int index);

/// Set what is said about one joint, one effector, one pose or one start table: the one of that key
/// or name is replaced, a new one is added at the end. All of it is copied. INVALID_ARGUMENT for what a
/// file could not say: NULL where a count promises something, counts beyond their range, flags and
/// enums nobody knows, numbers that are not finite or outside their range there, rotations not of length 1;
/// fields of a joint that `has` does not say are not looked at. The rig is then as it was, also without memory.
SINEW_API sinew_Status sinew_rig_set_joint(sinew_Rig *rig, const sinew_RigJoint *joint);
SINEW_API sinew_Status sinew_rig_set_effector(sinew_Rig *rig, const sinew_RigEffector *effector);
SINEW_API sinew_Status sinew_rig_set_pose(sinew_Rig *rig, const sinew_RigPose *pose);
SINEW_API sinew_Status sinew_rig_set_starts(sinew_Rig *rig, const sinew_RigStarts *starts);

/// Put what over says on top of rig, field by field. Any effectors of over replace all of rig's. INVALID_ARGUMENT for NULL,
/// OUT_OF_MEMORY.
SINEW_API sinew_Status sinew_rig_refine(sinew_Rig *rig, const sinew_Rig *over);

/// Key of a joint. Terminated, cut to size.
SINEW_API void sinew_rig_key(const sinew_Skeleton *skeleton, int joint, char *out_key, size_t size);
/// The joint of a key, -1 when there is none.
SINEW_API int sinew_rig_key_joint(const sinew_Skeleton *skeleton, const char *key);

/// Keep a pose of the skeleton under a name. The rig's unit must be set, else metres.
SINEW_API sinew_Status sinew_rig_capture_pose(
    sinew_Rig *rig, const char *name, const sinew_Skeleton *skeleton, const double *q);
/// A kept pose as coordinates; joints that it does not mention rest. INVALID_ARGUMENT for joints or
/// counts of values that are not the skeleton's, or no unit quaternion.
SINEW_API sinew_Status sinew_rig_pose_values(const sinew_Rig *rig, const sinew_RigPose *pose,
    const sinew_Skeleton *skeleton, double *out_q, sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// Guess

/// What the caller knows. Start from sinew_rig_options_default().
typedef struct sinew_RigOptions {
    /// What a person said; its roles replace guessed ones, all of it refines the result. NULL: none.
    const sinew_Rig *said;
    /// Motion of the skeleton, the one that the roles were guessed with: shows the stance of a body whose
    /// rest pose is no figure, and about which axis elbows and knees bend. NULL: none.
    const sinew_PoseList *motion;
    /// Metres in one unit of the file. Default 1.
    double unit;
    /// Added to every range, degrees: people differ, and so do the places of joints in files. Default
    /// 7; knees of recordings go 5 to 7 degrees beyond straight.
    double margin;
    /// Kilograms; 0 (default): 23 times the square of the stature in metres, 70 without one.
    double body_mass;
    /// Make elbows and knees hinges, wrists, ankles and fingers universals or hinges instead of balls
    /// with narrow windows. Motions then need sinew_rig_convert_pose. Default false.
    bool hinges;
    /// Keep the joints' own limits alone, as on a machine. Default false.
    bool is_robot;
} sinew_RigOptions;

/// The defaults told above.
SINEW_API sinew_RigOptions sinew_rig_options_default(void);

/// A rig from the roles of the joints: human limits relative to the anatomical neutral pose (standing,
/// arms hanging, palms in) whatever the rest pose is, masses and effectors. Ranges that the skeleton
/// has already are kept. Slides below the hips and the joint that moves first, as of files with six
/// channels a joint, keep to what the motion shows, or to rest without one: bones keep their lengths.
/// Animals, bare hands and
/// machines get roles and effectors.
///
/// options and allocator may be NULL. INVALID_ARGUMENT, OUT_OF_MEMORY.
SINEW_API sinew_Status sinew_rig_guess(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_RigOptions *options, const sinew_Allocator *allocator, sinew_Rig **out_rig,
    sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// Use

/// Compile the limit of a joint that says anything about windows or twist; *out_limit is NULL when it
/// does not. Errors as sinew_ball_limit_create, with the joint's key in front.
SINEW_API sinew_Status sinew_rig_joint_limit(const sinew_RigJoint *joint,
    const sinew_Allocator *allocator, sinew_BallLimit **out_limit, sinew_Message *out_message);

/// A new skeleton: the same joints with what the rig says. Where no kind changes it has the same
/// coordinates, and poses fit both. INVALID_ARGUMENT names the joint: keys that the skeleton does not
/// have, broken limits, ranges of axes that are not there.
SINEW_API sinew_Status sinew_rig_apply(const sinew_Skeleton *skeleton, const sinew_Rig *rig,
    const sinew_Allocator *allocator, sinew_Skeleton **out_skeleton, sinew_Message *out_message);

/// Take a pose over to a skeleton of the same joints with other kinds of axes: each joint gets the
/// nearest rotation it can make (limits are not looked at). out_residual, which may be NULL, receives
/// the largest angle that was lost, radians. INVALID_ARGUMENT when the numbers of joints differ.
SINEW_API sinew_Status sinew_rig_convert_pose(const sinew_Skeleton *from, const double *from_q,
    const sinew_Skeleton *to, double *out_q, double *out_residual);

/// Tighten windows, twists and ranges to what motions did, with a margin in degrees (5 covers
/// repetitions of the same movements, not new ones). Joints that do not move become nearly fixed.
/// Poses are those of skeleton. list_count >= 1. Windows get at most 6 corners each; at most two are
/// made for a joint; one whose bone goes all round may then point anywhere. INVALID_ARGUMENT, OUT_OF_MEMORY.
/// The way it is done is told in docs/rig.md.
SINEW_API sinew_Status sinew_rig_fit(sinew_Rig *rig, const sinew_Skeleton *skeleton,
    const sinew_PoseList *lists, int list_count, double margin, sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// Files; part of libsinew-io

/// Read a *.rig.json. skeleton may be NULL; else keys must be those of its joints. The message is one
/// line: FILE:LINE:COLUMN: found ..., expected .... CANNOT_READ, BAD_FILE, OUT_OF_MEMORY.
SINEW_API sinew_Status sinew_rig_read(const char *path, const sinew_Skeleton *skeleton,
    const sinew_Allocator *allocator, sinew_Rig **out_rig, sinew_Message *out_message);

/// The same from memory; name stands for the file in messages.
SINEW_API sinew_Status sinew_rig_read_memory(const char *data, size_t size, const char *name,
    const sinew_Skeleton *skeleton, const sinew_Allocator *allocator, sinew_Rig **out_rig,
    sinew_Message *out_message);

/// Write a *.rig.json; all or nothing. Reading it gives the same rig, bit for bit.
SINEW_API sinew_Status sinew_rig_write(
    const char *path, const sinew_Rig *rig, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
