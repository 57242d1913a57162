#ifndef SNW_ROLES_H
#define SNW_ROLES_H

// What the files that guess joint roles share: the skeleton as a tree to look at, what its names
// say, the limbs that were found, and the result under construction.

#include "sinew/role.h"

#include "base/memory.h"
#include "body/role_words.h"

/// Most joints of one role, and of one chain.
#define SNW_MAX_ROLE_JOINTS_OF_LIMB 8
#define SNW_MAX_ROLE_CHAIN 64
#define SNW_MAX_ROLE_WARNINGS 32
/// Most joints that goals are usually set for: five fingertips of a left, a right and a hand of no side.
#define SNW_MAX_EFFECTORS 16

/// Thigh and shin together in statures (Drillis and Contini).
#define SNW_LEGS_OF_STATURE 0.491

/// Words that a rule asks for by name.
typedef enum snw_NameFlag {
    SNW_NAME_FACE = 1 << 0,
    SNW_NAME_HELPER = 1 << 1, ///< never part of a limb
    SNW_NAME_TWIST = 1 << 2,
    SNW_NAME_END = 1 << 3, ///< says end, tip, nub, top
    SNW_NAME_TAIL = 1 << 4,
    SNW_NAME_EAR = 1 << 5,
    SNW_NAME_GENERIC = 1 << 6, ///< knows no better word than arm or leg
    SNW_NAME_WRIST = 1 << 7,
    SNW_NAME_ELBOW = 1 << 8,
    SNW_NAME_SHOULDER = 1 << 9,
    SNW_NAME_HAND = 1 << 10,
    SNW_NAME_LOWER = 1 << 11,
    SNW_NAME_FRONT = 1 << 12,
    SNW_NAME_HIND = 1 << 13,
    SNW_NAME_HAS_TWO_DIGITS = 1 << 16, ///< a finger number such as 01
} snw_NameFlag;

/// What the name of one joint says.
typedef struct snw_NameInfo {
    double score[SNW_PART_COUNT]; ///< for each part of the body, 0 nothing .. 3
    sinew_Side side;
    int flags;
    int finger;    ///< -1 none, 0 thumb .. 4 pinky, 5 some finger
    int segment;   ///< -1 unsaid, 0 in the palm, 1..3
    int number[2]; ///< the first two numbers behind a word with meaning, -1 where there are none
    uint32_t hash; ///< of all but the side
} snw_NameInfo;

typedef enum snw_LimbKind {
    SNW_LIMB_ARM,
    SNW_LIMB_LEG,
    SNW_LIMB_FRONT,
    SNW_LIMB_COUNT
} snw_LimbKind;

/// clavicle upperarm forearm hand, or thigh shin foot toe.
#define SNW_LIMB_PARTS 4

/// One limb: the joints of each of its parts, from the body outwards.
typedef struct snw_Limb {
    int joints[SNW_LIMB_PARTS][SNW_MAX_ROLE_JOINTS_OF_LIMB];
    int count[SNW_LIMB_PARTS];
    int named; ///< parts that a name speaks for
} snw_Limb;

typedef struct snw_Roles {
    const sinew_Skeleton *skeleton;
    const sinew_Joint *joints;
    sinew_RoleOptions options;
    int count;

    // the tree                                                            (count each)
    bool *is_end;           ///< end sites: never measured
    bool *is_fixed;         ///< a robot's joints without axes
    double *length;         ///< distance to the parent
    double *reach;          ///< longest path downwards from the joint
    int *depth;             ///< joints above
    int *child_count;       ///< end sites not counted
    int *main_child;        ///< the child on the longest path, -1
    int *moving;            ///< joints with axes on the chain below that has most, itself counted
    sinew_Transform *rest;  ///< world transforms of the rest pose
    sinew_Transform *moved; ///< of the frame of the motion that is looked at
    sinew_Transform *look;  ///< rest or moved
    bool *used;             ///< taken by some limb or the centre line
    snw_NameInfo *names;
    struct snw_ChainScratch *chains; ///< of snw_roles_find_chains

    double reach_max; ///< longest path from a root
    bool has_leg_codes;

    // what was found
    snw_Limb limbs[SNW_LIMB_COUNT][2]; ///< left, right
    bool limb_by_shape[SNW_LIMB_COUNT];
    int hips, chest;
    int head;
    bool faces; ///< forward was seen, not assumed
    sinew_Vec3 left, up, forward;

    // the result
    sinew_RoleGuess *guess;
    sinew_JointRole *roles;
    sinew_Message *warnings; // (SNW_MAX_ROLE_WARNINGS)
    int warning_count;
    double doubt; ///< confidence lost so far
} snw_Roles;

// ---------------------------------------------------------------------------------------------
// Small questions about the tree (roles_tree.c)

/// Fill everything under "the tree".
void snw_roles_measure(snw_Roles *roles);
int snw_roles_common_ancestor(const snw_Roles *roles, int a, int b);
/// The joints from ancestor (not counted) down to joint (counted), at most capacity of them from
/// the lower end; 0 when ancestor is none. ancestor -1 starts at the root.
int snw_roles_path(const snw_Roles *roles, int ancestor, int joint, int *out_path, int capacity);
/// Sum of the lengths from ancestor down to joint.
double snw_roles_distance(const snw_Roles *roles, int ancestor, int joint);
/// No joint below, end sites not counted.
bool snw_roles_is_leaf(const snw_Roles *roles, int joint);
/// First or last joint of a part of a limb, -1.
int snw_limb_first(const snw_Limb *limb, int part);
int snw_limb_last(const snw_Limb *limb, int part);
/// The first joint of the limb whatever its part, -1.
int snw_limb_top(const snw_Limb *limb);
/// The last joint of the limb, -1.
int snw_limb_tip(const snw_Limb *limb);
bool snw_limb_exists(const snw_Limb *limb);
/// Logarithm; the library has none of its own with fixed bits.
double snw_roles_log(double x);

/// The next line of doubts, for snw_message_set, which costs some confidence; NULL when all lines
/// are taken.
sinew_Message *snw_roles_doubt(snw_Roles *roles, double cost);

// ---------------------------------------------------------------------------------------------
// The steps, in order

/// What the names say, joint by joint. false: no memory.
bool snw_roles_read_names(snw_Roles *roles, const sinew_Allocator *allocator);
/// Limbs by name; the first takes what they need, or measures it.
void snw_roles_take_chains(snw_Roles *roles, snw_Arena *arena);
void snw_roles_find_chains(snw_Roles *roles);
/// Limbs by shape where there are none by name. false: no memory.
bool snw_roles_find_by_shape(snw_Roles *roles, const sinew_Allocator *allocator);
/// A hand and nothing else: unbranched chains on one joint. true when found, roles are set then.
bool snw_roles_find_bare_hand(snw_Roles *roles);
/// Hips, spine, neck, head, root.
void snw_roles_find_center(snw_Roles *roles);
/// Fingers of the hands.
void snw_roles_find_fingers(snw_Roles *roles);
/// Which pose to look at, up, left, forward. false: no memory.
bool snw_roles_find_directions(snw_Roles *roles, const sinew_Allocator *allocator);
/// Joints that goals are usually set for (SNW_MAX_EFFECTORS), after all roles.
void snw_roles_find_effectors(const snw_Roles *roles, int *out_joints, int *out_count);
/// Doubts.
void snw_roles_check(snw_Roles *roles);

/// Give a joint its role, unless it has one. Returns whether it got it.
bool snw_roles_set(snw_Roles *roles, int joint, sinew_Role role, sinew_Side side, int number);

#endif
