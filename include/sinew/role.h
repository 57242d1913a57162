#ifndef SINEW_ROLE_H
#define SINEW_ROLE_H

/// \file
/// Which joint is which: hips, spine, head, arms, legs, fingers, told from names, topology and
/// proportions of a skeleton that nobody prepared.
///
/// A role names the joint at the near end of that part of the body: forearm is the elbow, hand the
/// wrist, foot the ankle, thigh the hip joint. hips is the lowest joint that carries both legs and
/// the spine, chest the last joint of the spine, the one both arms hang on. Roles of characters
/// belong to one joint each, apart from neck, face and helper; on robots several joints may share
/// a role (hip pitch, roll and yaw are one thigh), and so roles stand for lists.
///
/// Nothing here touches the skeleton; a guess is read only and may be shared by threads.

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Skeletons with more joints than this get no roles, and a warning that says so.
#define SINEW_MAX_ROLE_JOINTS 4096

/// Numbered along the chain: spine from 1 at the hips up; fingers from 1 at the knuckle, 0 being
/// the bone inside the palm. The thumb has no 0.
typedef enum sinew_Role {
    SINEW_ROLE_NONE,
    SINEW_ROLE_ROOT, ///< above the hips
    SINEW_ROLE_HIPS,
    SINEW_ROLE_PELVIS, ///< below the hips, carries only the legs
    SINEW_ROLE_SPINE,
    SINEW_ROLE_CHEST,
    SINEW_ROLE_NECK,
    SINEW_ROLE_HEAD,
    SINEW_ROLE_FACE,
    SINEW_ROLE_CLAVICLE,
    SINEW_ROLE_UPPERARM,
    SINEW_ROLE_FOREARM,
    SINEW_ROLE_HAND,
    SINEW_ROLE_THIGH,
    SINEW_ROLE_SHIN,
    SINEW_ROLE_FOOT,
    SINEW_ROLE_TOE,
    SINEW_ROLE_THUMB,
    SINEW_ROLE_INDEX,
    SINEW_ROLE_MIDDLE,
    SINEW_ROLE_RING,
    SINEW_ROLE_PINKY,
    SINEW_ROLE_SCAPULA, ///< of the front leg of an animal; its hind leg has thigh, shin, foot, toe
    SINEW_ROLE_FRONT_THIGH,
    SINEW_ROLE_FRONT_SHIN,
    SINEW_ROLE_FRONT_FOOT,
    SINEW_ROLE_FRONT_TOE,
    SINEW_ROLE_TAIL,
    SINEW_ROLE_EAR,
    SINEW_ROLE_TWIST,  ///< spreads the twist of a limb over its skin
    SINEW_ROLE_HELPER, ///< anything else that moves
    SINEW_ROLE_END,    ///< marks where a bone ends
} sinew_Role;

#define SINEW_ROLE_COUNT (SINEW_ROLE_END + 1)

typedef enum sinew_Side {
    SINEW_SIDE_NONE,
    SINEW_SIDE_LEFT,
    SINEW_SIDE_RIGHT,
} sinew_Side;

/// What one joint is.
typedef struct sinew_JointRole {
    sinew_Role role;
    sinew_Side side;
    /// Spine and fingers: the number of the name. Other roles: how many joints of the same role and
    /// side come before this one (0 for the first).
    int number;
} sinew_JointRole;

typedef enum sinew_BodyKind {
    SINEW_BODY_OTHER, ///< no body known here
    SINEW_BODY_HUMANOID,
    SINEW_BODY_UPPER_BODY, ///< arms without legs; the root stands for the hips
    SINEW_BODY_HAND,       ///< one hand, perhaps with its forearm
    SINEW_BODY_QUADRUPED,
    SINEW_BODY_ROBOT_ARM, ///< one chain of moving joints, no roles
} sinew_BodyKind;

typedef enum sinew_RoleSource {
    SINEW_ROLES_BY_NOTHING,
    SINEW_ROLES_BY_NAMES,
    SINEW_ROLES_BY_TOPOLOGY, ///< shape alone: symmetry, lengths, which way things hang
    SINEW_ROLES_BY_BOTH,     ///< names for some limbs, shape for others
} sinew_RoleSource;

/// What the caller knows. Start from sinew_role_options_default().
typedef struct sinew_RoleOptions {
    /// Judge by shape alone. Default false.
    bool ignore_names;
    /// A machine: joints without axes are fixed and get no role, several joints may share one, and
    /// single letters r, p, y at the end of names are axes. Default false.
    bool is_robot;
    /// One flag per joint, or NULL: true for joints that only mark the end of a bone (End Sites of
    /// BVH files). Their offsets may be garbage and are never measured for lengths.
    const bool *is_end_site;
    /// Motion of the skeleton, or NULL. Where the rest pose is no figure the best of its frames is looked at;
    /// which way feet, knees and elbows point and bend in all of it tells left from right. Its
    /// coordinates must be finite.
    const sinew_PoseList *motion;
} sinew_RoleOptions;

/// The defaults told above.
SINEW_API sinew_RoleOptions sinew_role_options_default(void);

/// Everything that was guessed. Read only.
typedef struct sinew_RoleGuess {
    int joint_count;
    const sinew_JointRole *joints; ///< joint_count of them
    /// The joint on the other side, itself for joints of the middle, -1 when unknown. joint_count.
    const int *mirror;
    sinew_BodyKind kind;
    sinew_RoleSource source;
    /// 0 nothing known .. 1 no doubt. Below 0.5 a person should look.
    double confidence;
    /// Directions of the body in the rest pose, or in the frame of the motion that was looked at;
    /// unit, at right angles, snapped to a world axis that is near. Of a body that shows no facing
    /// forward is +Z (up Y), -Y (up Z) or, on robots, +X, and a warning says so.
    sinew_Vec3 left, up, forward;
    /// The frame of the motion that was looked at, -1: the rest pose.
    int reference_frame;
    /// Height by the length of the legs, metres; 0 without legs.
    double stature;
    /// Doubts and oddities, each one line.
    int warning_count;
    const char *const *warnings;
} sinew_RoleGuess;

/// Guess the roles of a skeleton's joints. O(joints^2) at worst, deterministic.
///
/// options may be NULL for the defaults; allocator may be NULL. A skeleton that is no body is no
/// error: kind is OTHER then. INVALID_ARGUMENT for NULL pointers or a reference that is not finite,
/// OUT_OF_MEMORY; then *out_guess is NULL.
SINEW_API sinew_Status sinew_roles_guess(const sinew_Skeleton *skeleton,
    const sinew_RoleOptions *options, const sinew_Allocator *allocator, sinew_RoleGuess **out_guess,
    sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_roles_destroy(sinew_RoleGuess *guess);

/// The joint of a role, -1 when there is none. number -1 takes the first whatever its number.
SINEW_API int sinew_roles_find(
    const sinew_RoleGuess *guess, sinew_Role role, sinew_Side side, int number);

/// Joints that goals are usually set for, in the order hips, head, left hand, right hand, left
/// foot, right foot, left toe, right toe; of quadrupeds the front feet in place of the hands; of a
/// hand the tips of its fingers, thumb first; of a robot's arm the end that carries its fingers or tool.
/// Of several joints of one role the last (of hips, and of heads that are no machine's, the first); no hips
/// where a machine cannot move them. Writes up to capacity joints and returns how many there are.
SINEW_API int sinew_roles_effectors(const sinew_RoleGuess *guess, int *out_joints, int capacity);

/// Name of a role: "hips", "spine1", "upperarm_l", "index2_r", "front_thigh_l". number counts only
/// for spine and fingers. Terminated; cut to size (24 is enough).
SINEW_API void sinew_role_name(
    sinew_Role role, sinew_Side side, int number, char *out_name, size_t size);

/// The other way round. false when the text is no name of a role; then nothing is written.
/// Roles without numbers give number 0.
SINEW_API bool sinew_role_parse(const char *name, sinew_JointRole *out_role);

/// English text: "humanoid", "upper body", ...; "names", "topology", ... Never NULL. Static memory.
SINEW_API const char *sinew_body_kind_name(sinew_BodyKind kind);
SINEW_API const char *sinew_role_source_name(sinew_RoleSource source);

#ifdef __cplusplus
}
#endif

#endif
