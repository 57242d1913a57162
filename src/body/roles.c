#include "body/roles.h"

#include "base/message.h"
#include "body/stance_look.h"
#include "math/holds.h"

#include <string.h>

// The steps of a guess, and what follows from it.
// Sources: names, weights and steps were found on recorded files of many programs; lengths of
// limbs in statures by Drillis and Contini (1966) as printed by Winter (1990).

#define CONFIDENCE_OF_NAMES 1.0
#define CONFIDENCE_OF_SHAPE 0.6
#define CONFIDENCE_OF_BOTH 0.8
#define MIN_ROBOT_ARM 3
// A limb stands when its top is this much of its length over the plane of all tips.
#define STANDING_SHARE 0.7
#define MOST_TRUNK_SINE 0.4
// Limbs are alike that are as long within this share.
#define ALIKE 0.1

typedef struct Memory {
    sinew_RoleGuess guess; ///< first, so that the guess leads back here
    int effectors[SNW_MAX_EFFECTORS], effector_count;
    sinew_Allocator allocator;
    size_t size;
} Memory;

sinew_RoleOptions sinew_role_options_default(void)
{
    sinew_RoleOptions options;
    memset(&options, 0, sizeof options);
    return options;
}

// ---------------------------------------------------------------------------------------------
// Which limbs are there

static bool has_limb(const snw_Roles *roles, snw_LimbKind kind, int side, int named)
{
    const snw_Limb *limb = &roles->limbs[kind][side];
    return snw_limb_exists(limb) && (limb->named >= named || roles->limb_by_shape[kind]);
}

static bool has_pair(const snw_Roles *roles, snw_LimbKind kind)
{
    return has_limb(roles, kind, 0, 2) && has_limb(roles, kind, 1, 2);
}

// names speak when they tell one pair of limbs, or one arm with its hand
static bool names_speak(const snw_Roles *roles)
{
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        if (has_pair(roles, (snw_LimbKind)k)) { return true; }
    }
    for (int s = 0; s < 2; ++s) {
        const snw_Limb *arm = &roles->limbs[SNW_LIMB_ARM][s];
        if (has_limb(roles, SNW_LIMB_ARM, s, 2) && arm->count[3] > 0) { return true; }
    }
    return false;
}

// limbs with a single name are accidents of words
static void drop_weak_limbs(snw_Roles *roles)
{
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        for (int s = 0; s < 2; ++s) {
            snw_Limb *limb = &roles->limbs[k][s];
            if (limb->named < 2) { memset(limb, 0, sizeof *limb); }
        }
    }
}

// Arms that stand are front legs, whatever their names say: hips and shoulders are well over the plane of
// all four tips, on one side. A person in a rest pose has both in that plane.
static void turn_arms_to_front_legs(snw_Roles *roles)
{
    sinew_Vec3 tips[4], tops[4];
    double lengths[4];
    for (int i = 0; i < 4; ++i) {
        const snw_Limb *limb = &roles->limbs[i < 2 ? SNW_LIMB_ARM : SNW_LIMB_LEG][i % 2];
        int tip = snw_limb_tip(limb), top = snw_limb_top(limb);
        if (tip < 0 || top < 0) { return; }
        while (roles->main_child[tip] >= 0) { tip = roles->main_child[tip]; }
        tips[i] = roles->rest[tip].position;
        tops[i] = roles->rest[top].position;
        lengths[i] = snw_roles_distance(roles, top, tip);
    }
    sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    sinew_Vec3 across = sinew_vec3_sub(
        sinew_vec3_add(tips[0], tips[2]), sinew_vec3_add(tips[1], tips[3]));
    sinew_Vec3 along = sinew_vec3_sub(
        sinew_vec3_add(tips[0], tips[1]), sinew_vec3_add(tips[2], tips[3]));
    sinew_Vec3 up = sinew_vec3_normalize_or(sinew_vec3_cross(along, across), none);
    // the trunk lies along that plane
    sinew_Vec3 trunk = sinew_vec3_sub(
        sinew_vec3_add(tops[0], tops[1]), sinew_vec3_add(tops[2], tops[3]));
    double level = fabs(sinew_vec3_dot(sinew_vec3_normalize_or(trunk, up), up));
    if (level > MOST_TRUNK_SINE) { return; }
    double side = 0.0;
    for (int i = 0; i < 4; ++i) {
        double height = sinew_vec3_dot(sinew_vec3_sub(tops[i], tips[i]), up);
        if (i == 0) { side = height < 0.0 ? -1.0 : 1.0; }
        if (!(side * height > STANDING_SHARE * lengths[i])) { return; }
    }
    for (int s = 0; s < 2; ++s) {
        // the upper arm is the thigh, a clavicle is found again as what carries it
        snw_Limb *arm = &roles->limbs[SNW_LIMB_ARM][s], *front = &roles->limbs[SNW_LIMB_FRONT][s];
        memset(front, 0, sizeof *front);
        front->named = arm->named;
        for (int part = 1; part < SNW_LIMB_PARTS; ++part) {
            memcpy(front->joints[part - 1], arm->joints[part], sizeof arm->joints[part]);
            front->count[part - 1] = arm->count[part];
        }
        memset(arm, 0, sizeof *arm);
    }
    roles->limb_by_shape[SNW_LIMB_FRONT] = roles->limb_by_shape[SNW_LIMB_ARM];
}

/// Where the branch of the body begins that a joint is on.
static int branch_of(const snw_Roles *roles, int joint)
{
    int parent;
    while ((parent = roles->joints[joint].parent) >= 0 && roles->child_count[parent] == 1) {
        joint = parent;
    }
    return joint;
}

static bool is_alike(const snw_Roles *roles, int branch, int leg)
{
    double differs = fabs(roles->reach[branch] - roles->reach[leg]);
    return roles->moving[branch] == roles->moving[leg] && differs <= ALIKE * roles->reach[leg];
}

// Whose limbs are some of more that are all alike is no person and no dog, whatever they are called. (Skirts hang in
// chains like legs too, on bodies whose arms are others.)
static bool has_many_legs(const snw_Roles *roles)
{
    int first = snw_limb_top(&roles->limbs[SNW_LIMB_LEG][0]), limbs = 0, alike = 0;
    if (first < 0) { return false; }
    const int leg = branch_of(roles, first);
    for (int i = 0; i < 2 * SNW_LIMB_COUNT; ++i) {
        int top = snw_limb_top(&roles->limbs[i / 2][i % 2]);
        if (top < 0) { continue; }
        if (!is_alike(roles, branch_of(roles, top), leg)) { return false; }
        ++limbs;
    }
    for (int j = 1; j < roles->count; ++j) {
        alike += branch_of(roles, j) == j && is_alike(roles, j, leg) ? 1 : 0;
    }
    return alike >= limbs + 2;
}

static sinew_BodyKind kind_of(const snw_Roles *roles)
{
    bool has_arm = snw_limb_exists(&roles->limbs[SNW_LIMB_ARM][0]);
    bool has_other = snw_limb_exists(&roles->limbs[SNW_LIMB_ARM][1]);
    bool has_legs = snw_limb_exists(&roles->limbs[SNW_LIMB_LEG][0])
        || snw_limb_exists(&roles->limbs[SNW_LIMB_LEG][1]);
    if (snw_limb_exists(&roles->limbs[SNW_LIMB_FRONT][0]) && has_legs) {
        return SINEW_BODY_QUADRUPED;
    }
    if (has_legs) { return SINEW_BODY_HUMANOID; }
    if (has_arm && has_other) { return SINEW_BODY_UPPER_BODY; }
    return has_arm || has_other ? SINEW_BODY_HAND : SINEW_BODY_OTHER;
}

static bool is_robot_arm(const snw_Roles *roles)
{
    int longest = 0;
    for (int j = 0; j < roles->count && roles->options.is_robot; ++j) {
        int chain = 0;
        if (!snw_roles_is_leaf(roles, j)) { continue; }
        for (int i = j; i >= 0; i = roles->joints[i].parent) { chain += !roles->is_fixed[i]; }
        longest = chain > longest ? chain : longest;
    }
    return longest >= MIN_ROBOT_ARM;
}

// ---------------------------------------------------------------------------------------------
// Roles

static sinew_Role limb_role(const snw_Roles *roles, snw_LimbKind kind, int part)
{
    static const sinew_Role table[SNW_LIMB_COUNT][SNW_LIMB_PARTS] = {
        { SINEW_ROLE_CLAVICLE, SINEW_ROLE_UPPERARM, SINEW_ROLE_FOREARM, SINEW_ROLE_HAND },
        { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT, SINEW_ROLE_TOE },
        { SINEW_ROLE_FRONT_THIGH, SINEW_ROLE_FRONT_SHIN, SINEW_ROLE_FRONT_FOOT,
            SINEW_ROLE_FRONT_TOE },
    };
    static const sinew_Role arm_of_animal[SNW_LIMB_PARTS] = { SINEW_ROLE_SCAPULA,
        SINEW_ROLE_FRONT_THIGH, SINEW_ROLE_FRONT_SHIN, SINEW_ROLE_FRONT_FOOT };
    bool is_animal = roles->guess->kind == SINEW_BODY_QUADRUPED;
    return kind == SNW_LIMB_ARM && is_animal ? arm_of_animal[part] : table[kind][part];
}

static void set_limbs(snw_Roles *roles)
{
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        for (int s = 0; s < 2; ++s) {
            const snw_Limb *limb = &roles->limbs[k][s];
            for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
                for (int i = 0; i < limb->count[p]; ++i) {
                    snw_roles_set(roles, limb->joints[p][i], limb_role(roles, (snw_LimbKind)k, p),
                        s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT, i);
                }
            }
        }
    }
}

// Legs of machines may end in feet that do not turn: what is fixed farthest out is the foot.
static void find_fixed_feet(snw_Roles *roles)
{
    for (int k = SNW_LIMB_LEG; k <= SNW_LIMB_FRONT; ++k) {
        for (int s = 0; s < 2; ++s) {
            const snw_Limb *limb = &roles->limbs[k][s];
            int shin = snw_limb_last(limb, 1), foot = -1;
            if (shin < 0 || limb->count[2] > 0 || !roles->options.is_robot) { continue; }
            for (int j = shin; j >= 0 && (j == shin || roles->is_fixed[j]);
                 j = roles->main_child[j]) {
                if (roles->length[j] > 0.0) { foot = j; }
            }
            if (foot == shin) { continue; }
            snw_roles_set(roles, foot, limb_role(roles, (snw_LimbKind)k, 2),
                s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT, 0);
        }
    }
}

static sinew_Role rest_role(const snw_Roles *roles, int joint)
{
    SNW_ASSERT(joint >= 0);
    const snw_NameInfo *info = &roles->names[joint];
    int parent = roles->joints[joint].parent;
    if (roles->is_end[joint]) { return SINEW_ROLE_END; }
    if ((info->flags & SNW_NAME_EAR) != 0 && roles->guess->kind == SINEW_BODY_QUADRUPED) {
        return SINEW_ROLE_EAR;
    }
    bool is_in_face = parent >= 0 && roles->roles[parent].role == SINEW_ROLE_FACE;
    if ((info->flags & SNW_NAME_FACE) != 0 || is_in_face) { return SINEW_ROLE_FACE; }
    if (roles->is_fixed[joint]) { return SINEW_ROLE_NONE; }
    if ((info->flags & SNW_NAME_TAIL) != 0) { return SINEW_ROLE_TAIL; }
    if ((info->flags & SNW_NAME_END) != 0 && snw_roles_is_leaf(roles, joint)) {
        return SINEW_ROLE_END;
    }
    return (info->flags & SNW_NAME_TWIST) != 0 ? SINEW_ROLE_TWIST : SINEW_ROLE_HELPER;
}

static void set_rest(snw_Roles *roles)
{
    int counts[SINEW_ROLE_COUNT][3] = { { 0 } };
    for (int j = 0; j < roles->count; ++j) {
        if (roles->roles[j].role != SINEW_ROLE_NONE) { continue; }
        sinew_Role role = rest_role(roles, j);
        sinew_Side side = roles->names[j].side;
        if (role != SINEW_ROLE_NONE) { snw_roles_set(roles, j, role, side, counts[role][side]++); }
    }
}

static double stature_of(const snw_Roles *roles)
{
    double longest = 0.0;
    for (int s = 0; s < 2; ++s) {
        const snw_Limb *leg = &roles->limbs[SNW_LIMB_LEG][s];
        int thigh = snw_limb_first(leg, 0), foot = snw_limb_first(leg, 2);
        if (thigh < 0 || foot < 0 || !sinew_skeleton_is_ancestor(roles->skeleton, thigh, foot)) {
            continue;
        }
        double length = snw_roles_distance(roles, thigh, foot);
        longest = length > longest ? length : longest;
    }
    return longest / SNW_LEGS_OF_STATURE;
}

// ---------------------------------------------------------------------------------------------
// Partners on the other side

static int child_place(const snw_Roles *roles, int joint)
{
    int place = 0;
    for (int j = roles->joints[joint].parent + 1; j < joint; ++j) {
        place += roles->joints[j].parent == roles->joints[joint].parent;
    }
    return place;
}

static bool are_partners(const snw_Roles *roles, const int *mirror, int a, int b)
{
    const sinew_JointRole *x = &roles->roles[a], *y = &roles->roles[b];
    if (x->role != y->role || x->role == SINEW_ROLE_NONE) { return false; }
    bool is_left_right = x->side != SINEW_SIDE_NONE && y->side != SINEW_SIDE_NONE
        && x->side != y->side;
    bool is_numbered = x->role < SINEW_ROLE_TAIL && x->role != SINEW_ROLE_FACE;
    if (is_numbered) { return is_left_right && x->number == y->number; }
    if (is_left_right) { return roles->names[a].hash == roles->names[b].hash; }
    // ends of mirrored bones
    int parent = roles->joints[a].parent;
    return roles->is_end[a] && parent >= 0 && mirror[parent] == roles->joints[b].parent
        && mirror[parent] >= 0 && mirror[parent] != parent
        && child_place(roles, a) == child_place(roles, b);
}

static void find_mirrors(const snw_Roles *roles, int *mirror)
{
    for (int j = 0; j < roles->count; ++j) { mirror[j] = -1; }
    for (int j = 0; j < roles->count; ++j) {
        const sinew_JointRole *role = &roles->roles[j];
        if (mirror[j] >= 0) { continue; }
        bool is_middle = role->side == SINEW_SIDE_NONE && role->role >= SINEW_ROLE_ROOT
            && role->role <= SINEW_ROLE_HEAD;
        if (is_middle) {
            mirror[j] = j;
            continue;
        }
        for (int k = j + 1; k < roles->count; ++k) {
            if (mirror[k] < 0 && are_partners(roles, mirror, j, k)) {
                mirror[j] = k;
                mirror[k] = j;
                break;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The guess

static void reset_limbs(snw_Roles *roles)
{
    memset(roles->limbs, 0, sizeof roles->limbs);
    memset(roles->limb_by_shape, 0, sizeof roles->limb_by_shape);
}

static sinew_RoleSource source_of(const snw_Roles *roles)
{
    bool by_shape = roles->limb_by_shape[SNW_LIMB_LEG] || roles->limb_by_shape[SNW_LIMB_ARM];
    bool by_name = false;
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        by_name |= !roles->limb_by_shape[k] && kind_of(roles) != SINEW_BODY_OTHER
            && (snw_limb_exists(&roles->limbs[k][0]) || snw_limb_exists(&roles->limbs[k][1]));
    }
    if (by_shape && by_name) { return SINEW_ROLES_BY_BOTH; }
    if (by_shape) { return SINEW_ROLES_BY_TOPOLOGY; }
    return by_name ? SINEW_ROLES_BY_NAMES : SINEW_ROLES_BY_NOTHING;
}

static void set_confidence(snw_Roles *roles)
{
    static const double start[] = { 0.0, CONFIDENCE_OF_NAMES, CONFIDENCE_OF_SHAPE,
        CONFIDENCE_OF_BOTH };
    double confidence = start[roles->guess->source] - roles->doubt;
    bool has_roles = roles->guess->kind != SINEW_BODY_OTHER
        && roles->guess->kind != SINEW_BODY_ROBOT_ARM;
    if (!has_roles) { confidence = 0.0; }
    roles->guess->confidence = confidence < 0.0 ? 0.0 : confidence;
}

static void set_no_body(snw_Roles *roles)
{
    roles->guess->kind = is_robot_arm(roles) ? SINEW_BODY_ROBOT_ARM : SINEW_BODY_OTHER;
    snw_message_set(snw_roles_doubt(roles, 0.0), "no body found: no pair of limbs, no hand");
}

static bool has_fingers(const snw_Roles *roles)
{
    for (int j = 0; j < roles->count; ++j) {
        sinew_Role role = roles->roles[j].role;
        if (role >= SINEW_ROLE_THUMB && role <= SINEW_ROLE_PINKY) { return true; }
    }
    return false;
}

static bool guess_roles(snw_Roles *roles, const sinew_Allocator *allocator, int *mirror)
{
    snw_roles_measure(roles);
    if (!snw_roles_read_names(roles, allocator)) { return false; }
    snw_roles_find_chains(roles);
    if (names_speak(roles)) {
        drop_weak_limbs(roles);
    } else {
        reset_limbs(roles);
        roles->warning_count = 0;
        roles->doubt = 0.0;
        if (!snw_roles_find_by_shape(roles, allocator)) { return false; }
    }
    turn_arms_to_front_legs(roles);
    if (has_many_legs(roles)) { reset_limbs(roles); }
    sinew_RoleGuess *guess = roles->guess;
    guess->kind = kind_of(roles);
    guess->source = source_of(roles);
    guess->stature = stature_of(roles);
    if (!snw_roles_find_directions(roles, allocator)) { return false; }
    if (guess->kind == SINEW_BODY_OTHER && snw_roles_find_bare_hand(roles)) {
        guess->kind = SINEW_BODY_HAND;
        guess->source = SINEW_ROLES_BY_TOPOLOGY;
    } else if (guess->kind == SINEW_BODY_OTHER) {
        set_no_body(roles);
    } else {
        set_limbs(roles);
        find_fixed_feet(roles);
        if (guess->kind != SINEW_BODY_HAND) { snw_roles_find_center(roles); }
        snw_roles_find_fingers(roles);
    }
    if (guess->kind == SINEW_BODY_HAND && roles->options.is_robot && !has_fingers(roles)) {
        memset(roles->roles, 0, (size_t)roles->count * sizeof *roles->roles);
        reset_limbs(roles);
        set_no_body(roles);
    }
    bool has_roles = guess->kind != SINEW_BODY_OTHER && guess->kind != SINEW_BODY_ROBOT_ARM;
    if (has_roles) { set_rest(roles); }
    snw_roles_check(roles);
    set_confidence(roles);
    find_mirrors(roles, mirror);
    Memory *memory = (Memory *)(void *)guess;
    snw_roles_find_effectors(roles, memory->effectors, &memory->effector_count);
    guess->left = roles->left;
    guess->up = roles->up;
    guess->forward = roles->forward;
    guess->warning_count = roles->warning_count;
    return true;
}

static void take_scratch(snw_Arena *arena, snw_Roles *roles)
{
    size_t count = (size_t)roles->count;
    roles->is_end = snw_arena_take(arena, count, sizeof *roles->is_end);
    roles->is_fixed = snw_arena_take(arena, count, sizeof *roles->is_fixed);
    roles->length = snw_arena_take(arena, count, sizeof *roles->length);
    roles->reach = snw_arena_take(arena, count, sizeof *roles->reach);
    roles->depth = snw_arena_take(arena, count, sizeof *roles->depth);
    roles->child_count = snw_arena_take(arena, count, sizeof *roles->child_count);
    roles->main_child = snw_arena_take(arena, count, sizeof *roles->main_child);
    roles->moving = snw_arena_take(arena, count, sizeof *roles->moving);
    roles->names = snw_arena_take(arena, count, sizeof *roles->names);
    roles->rest = snw_arena_take(arena, count, sizeof *roles->rest);
    roles->moved = snw_arena_take(arena, count, sizeof *roles->moved);
    snw_roles_take_chains(roles, arena);
    roles->look = roles->rest;
}

static bool fill_poses(snw_Roles *roles, const sinew_Allocator *allocator)
{
    size_t size = (size_t)sinew_skeleton_coordinate_count(roles->skeleton) * sizeof(double);
    double *q = snw_alloc(allocator, size);
    if (q == NULL) { return false; }
    sinew_pose_rest(roles->skeleton, q);
    sinew_pose_forward(roles->skeleton, q, roles->rest);
    snw_free(allocator, q, size);
    for (int j = 0; j < roles->count; ++j) {
        roles->is_end[j] = roles->options.is_end_site != NULL && roles->options.is_end_site[j];
    }
    return true;
}

static bool run(snw_Roles *roles, const sinew_Allocator *allocator, int *mirror)
{
    snw_Arena arena = { NULL, 0 };
    take_scratch(&arena, roles);
    size_t size;
    if (!snw_arena_open(&arena, allocator, &size)) { return false; }
    take_scratch(&arena, roles);
    bool is_done = fill_poses(roles, allocator) && guess_roles(roles, allocator, mirror);
    snw_free(allocator, arena.base, size);
    return is_done;
}

static void set_too_many(snw_Roles *roles, int *mirror)
{
    for (int j = 0; j < roles->count; ++j) { mirror[j] = -1; }
    snw_message_set(snw_roles_doubt(roles, 0.0), "too many joints to guess roles: %d, at most %d",
        roles->count, SINEW_MAX_ROLE_JOINTS);
    roles->guess->warning_count = roles->warning_count;
}

static void take_result(
    snw_Arena *arena, snw_Roles *roles, Memory **memory, int **mirror, const char ***lines)
{
    *memory = snw_arena_take(arena, 1, sizeof **memory);
    roles->roles = snw_arena_take(arena, (size_t)roles->count, sizeof *roles->roles);
    *mirror = snw_arena_take(arena, (size_t)roles->count, sizeof **mirror);
    roles->warnings = snw_arena_take(arena, SNW_MAX_ROLE_WARNINGS, sizeof *roles->warnings);
    *lines = snw_arena_take(arena, SNW_MAX_ROLE_WARNINGS, sizeof **lines);
}

static void prepare_guess(
    snw_Roles *roles, sinew_RoleGuess *guess, const int *mirror, const char **lines)
{
    roles->guess = guess;
    roles->left = guess->left = sinew_vec3(1.0, 0.0, 0.0);
    roles->up = guess->up = sinew_vec3(0.0, 1.0, 0.0);
    roles->forward = guess->forward = sinew_vec3(0.0, 0.0, 1.0);
    guess->reference_frame = -1;
    guess->joint_count = roles->count;
    guess->joints = roles->roles;
    guess->mirror = mirror;
    for (int i = 0; i < SNW_MAX_ROLE_WARNINGS; ++i) { lines[i] = roles->warnings[i].text; }
    guess->warnings = lines;
}

sinew_Status sinew_roles_guess(const sinew_Skeleton *skeleton, const sinew_RoleOptions *options,
    const sinew_Allocator *allocator, sinew_RoleGuess **out_guess, sinew_Message *out_message)
{
    if (out_guess == NULL) { return snw_refuse(out_message, "out_guess is NULL"); }
    *out_guess = NULL;
    if (skeleton == NULL) { return snw_refuse(out_message, "skeleton is NULL"); }
    snw_Roles roles;
    memset(&roles, 0, sizeof roles);
    roles.skeleton = skeleton;
    roles.joints = sinew_skeleton_joints(skeleton);
    roles.count = sinew_skeleton_joint_count(skeleton);
    roles.options = options != NULL ? *options : sinew_role_options_default();
    roles.hips = roles.chest = roles.head = -1;
    sinew_Status status = snw_stance_check_motion(skeleton, roles.options.motion, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_Allocator memory_source = snw_allocator_or_default(allocator);
    Memory *memory;
    int *mirror;
    const char **lines;
    snw_Arena measure = { NULL, 0 };
    take_result(&measure, &roles, &memory, &mirror, &lines);
    snw_Arena arena = { snw_alloc(&memory_source, measure.used), 0 };
    if (arena.base == NULL) { return snw_no_memory(out_message, "roles"); }
    take_result(&arena, &roles, &memory, &mirror, &lines);
    memory->allocator = memory_source;
    memory->size = measure.used;
    prepare_guess(&roles, &memory->guess, mirror, lines);

    if (roles.count > SINEW_MAX_ROLE_JOINTS) {
        set_too_many(&roles, mirror);
    } else if (!run(&roles, &memory_source, mirror)) {
        sinew_roles_destroy(roles.guess);
        return snw_no_memory(out_message, "roles");
    }
    *out_guess = roles.guess;
    return SINEW_STATUS_OK;
}

int sinew_roles_effectors(const sinew_RoleGuess *guess, int *out_joints, int capacity)
{
    const Memory *memory = (const Memory *)(const void *)guess;
    if (guess == NULL) { return 0; }
    for (int i = 0; i < memory->effector_count && out_joints != NULL && i < capacity; ++i) {
        out_joints[i] = memory->effectors[i];
    }
    return memory->effector_count;
}

void sinew_roles_destroy(sinew_RoleGuess *guess)
{
    if (guess == NULL) { return; }
    Memory *memory = (Memory *)(void *)guess;
    snw_free(&memory->allocator, memory, memory->size);
}
