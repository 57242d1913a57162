// Which joint of one body is which of another, and how both look in the axes of their stance.

#include "base/message.h"
#include "body/hips.h"
#include "math/holds.h"
#include "motion/retarget.h"

// shorter parts of limbs are none, metres
#define SHORT_BONE 1e-4
// toes whose end is less far ahead have none, metres
#define SHORT_TOES 0.01
#define MOST_CHAIN 64

static sinew_Quat own_axes(const sinew_Stance *stance)
{
    sinew_Mat3 world_from_own = { stance->left, stance->up, stance->ahead };
    return sinew_quat_conjugate(sinew_quat_from_mat3(world_from_own));
}

static int find(const snw_RetargetSide *side, sinew_Role role, int s, int number)
{
    sinew_Side which = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
    return sinew_roles_find(side->roles, role, s < 0 ? SINEW_SIDE_NONE : which, number);
}

static sinew_Vec3 stance_place(const snw_RetargetSide *side, int joint)
{
    return sinew_quat_rotate(side->own_from_world, side->stance->world_from_joint[joint].position);
}

static double between(const snw_RetargetSide *side, int a, int b)
{
    return sinew_vec3_distance(stance_place(side, a), stance_place(side, b));
}

static bool is_below(const snw_RetargetSide *side, int above, int joint)
{
    return joint > above && joint < above + side->joints[above].subtree_count;
}

// ---------------------------------------------------------------------------------------------
// One body

static sinew_Status see_leg(
    snw_RetargetSide *side, int s, const char *which, sinew_Message *out_message)
{
    const sinew_Status unfit = SINEW_STATUS_UNSUPPORTED;
    snw_RetargetLeg *leg = &side->legs[s];
    const char *name = s == 0 ? "left" : "right";
    leg->thigh = find(side, SINEW_ROLE_THIGH, s, -1);
    leg->shin = find(side, SINEW_ROLE_SHIN, s, -1);
    leg->foot = leg->ankle = side->stance->feet[s].joint;
    leg->toe = side->stance->feet[s].toe;
    if (leg->thigh < 0 || leg->shin < 0 || leg->foot < 0) {
        return snw_fail(out_message, unfit, "the %s has no whole %s leg: want thigh, shin and foot",
            which, name);
    }
    if (!is_below(side, leg->thigh, leg->shin) || !is_below(side, leg->shin, leg->foot)) {
        int apart = is_below(side, leg->thigh, leg->shin) ? leg->foot : leg->shin;
        return snw_fail(out_message, unfit,
            "the %s's %s leg is no chain: %s does not hang on it (a rig whose feet are handles); "
            "bake its motion to a skeleton of thigh, shin and foot",
            which, name, side->joints[apart].name);
    }
    int above = side->joints[leg->ankle].parent;
    for (; side->roles->joints[above].role == SINEW_ROLE_FOOT; above = side->joints[above].parent) {
        leg->ankle = above;
    }
    leg->upper = between(side, leg->thigh, leg->shin);
    leg->lower = between(side, leg->shin, leg->foot);
    leg->heel = side->stance->feet[s].heel;
    leg->ball = side->stance->feet[s].ball;
    if (leg->upper < SHORT_BONE || leg->lower < SHORT_BONE) {
        return snw_fail(
            out_message, unfit, "the %s's %s leg has a bone without length", which, name);
    }
    return SINEW_STATUS_OK;
}

// the end of the toes: what is ahead of them most, seen on the sole's plane
static void see_tip(snw_RetargetSide *side, int s)
{
    snw_RetargetLeg *leg = &side->legs[s];
    leg->has_tip = false;
    if (leg->toe < 0) { return; }
    int end = leg->toe + side->joints[leg->toe].subtree_count;
    sinew_Vec3 toe = stance_place(side, leg->toe), tip = toe;
    for (int j = leg->toe + 1; j < end; ++j) {
        sinew_Vec3 place = stance_place(side, j);
        if (place.z > tip.z) { tip = place; }
    }
    leg->has_tip = tip.z - toe.z > SHORT_TOES;
    const sinew_Transform *world = side->stance->world_from_joint;
    sinew_Vec3 ball = sinew_transform_point(world[leg->foot], leg->ball);
    leg->toe_place = sinew_transform_point(
        sinew_transform_inverse(world[leg->foot]), world[leg->toe].position);
    tip.y = sinew_quat_rotate(side->own_from_world, ball).y;
    leg->tip = sinew_transform_point(sinew_transform_inverse(world[leg->toe]),
        sinew_quat_rotate(sinew_quat_conjugate(side->own_from_world), tip));
}

static void see_arm(snw_RetargetSide *side, int s)
{
    snw_RetargetArm *arm = &side->arms[s];
    arm->upper = find(side, SINEW_ROLE_UPPERARM, s, -1);
    arm->lower = find(side, SINEW_ROLE_FOREARM, s, -1);
    arm->hand = find(side, SINEW_ROLE_HAND, s, -1);
    bool whole = arm->upper >= 0 && arm->lower >= 0 && arm->hand >= 0
        && is_below(side, arm->upper, arm->lower) && is_below(side, arm->lower, arm->hand);
    if (whole) {
        arm->upper_length = between(side, arm->upper, arm->lower);
        arm->lower_length = between(side, arm->lower, arm->hand);
        whole = arm->upper_length > SHORT_BONE && arm->lower_length > SHORT_BONE;
    }
    if (!whole) { arm->upper = arm->lower = arm->hand = -1; }
}

static double sole_height(const snw_RetargetSide *side, int s)
{
    const snw_RetargetLeg *leg = &side->legs[s];
    sinew_Transform foot = side->stance->world_from_joint[leg->foot];
    sinew_Vec3 up = side->stance->up;
    return fmin(sinew_vec3_dot(sinew_transform_point(foot, leg->heel), up),
        sinew_vec3_dot(sinew_transform_point(foot, leg->ball), up));
}

static void see_palms(snw_RetargetSide *side)
{
    sinew_ContactPoint points[6];
    int count = sinew_contact_points(side->skeleton, side->roles, side->stance, points, 6);
    for (int i = 0; i < count; ++i) {
        if (points[i].part != SINEW_CONTACT_HAND) { continue; }
        side->arms[points[i].side == SINEW_SIDE_LEFT ? 0 : 1].palm = points[i].offset;
    }
}

void snw_retarget_take_side(
    snw_Arena *arena, snw_RetargetSide *side, const sinew_Skeleton *skeleton)
{
    size_t joints = (size_t)sinew_skeleton_joint_count(skeleton);
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(skeleton);
    side->stand = snw_arena_take(arena, joints, sizeof *side->stand);
    side->offset = snw_arena_take(arena, joints, sizeof *side->offset);
    side->rest = snw_arena_take(arena, coordinates, sizeof *side->rest);
}

void snw_retarget_take_carry(
    snw_Arena *arena, snw_RetargetCarry *carry, size_t source_joints, size_t target_joints)
{
    carry->follow = snw_arena_take(arena, target_joints, sizeof *carry->follow);
    carry->source_world = snw_arena_take(arena, source_joints, sizeof *carry->source_world);
    carry->source_delta = snw_arena_take(arena, source_joints, sizeof *carry->source_delta);
    carry->delta = snw_arena_take(arena, target_joints, sizeof *carry->delta);
    carry->world = snw_arena_take(arena, target_joints, sizeof *carry->world);
    carry->scratch = snw_arena_take(arena, target_joints, sizeof *carry->scratch);
}

sinew_Status snw_retarget_check_body(
    const sinew_RetargetBody *body, const char *which, sinew_Message *out_message)
{
    const char *missing = body->skeleton == NULL ? "skeleton"
        : body->roles == NULL                    ? "roles"
        : body->stance == NULL                   ? "stance"
                                                 : NULL;
    if (missing != NULL) { return snw_refuse(out_message, "%s.%s is NULL", which, missing); }
    int count = sinew_skeleton_joint_count(body->skeleton);
    if (body->roles->joint_count != count || body->stance->joint_count != count) {
        return snw_refuse(out_message,
            "%s: the skeleton has %d joint%s, roles are of %d and the stance of %d", which, count,
            snw_plural(count), body->roles->joint_count, body->stance->joint_count);
    }
    return SINEW_STATUS_OK;
}

bool snw_retarget_travels(const snw_RetargetSide *side)
{
    const sinew_Axis *axes = sinew_skeleton_axes(side->skeleton);
    int slides = 0;
    for (int j = side->hips; j >= 0; j = side->joints[j].parent) {
        for (int a = 0; a < side->joints[j].axis_count; ++a) {
            slides += axes[side->joints[j].axis_start + a].kind == SINEW_AXIS_SLIDE ? 1 : 0;
        }
    }
    return slides >= 3;
}

sinew_Status snw_retarget_see(snw_RetargetSide *side, const sinew_RetargetBody *body,
    const char *which, sinew_Message *out_message)
{
    const sinew_Stance *stance = body->stance;
    side->skeleton = body->skeleton;
    side->joints = sinew_skeleton_joints(body->skeleton);
    side->count = sinew_skeleton_joint_count(body->skeleton);
    side->roles = body->roles;
    side->stance = stance;
    if (stance->source == SINEW_STANCE_NONE) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED, "the %s: %s", which,
            stance->note_count > 0 ? stance->notes[0].text.text : "no stance");
    }
    side->own_from_world = own_axes(stance);
    for (int j = 0; j < side->count; ++j) {
        const sinew_Transform *at = &stance->world_from_joint[j];
        int p = side->joints[j].parent;
        side->stand[j] = sinew_quat_mul(side->own_from_world, at->rotation);
        side->offset[j] = at->position;
        if (p < 0) { continue; }
        sinew_Transform back = sinew_transform_inverse(stance->world_from_joint[p]);
        side->offset[j] = sinew_transform_point(back, at->position);
    }
    side->hips = sinew_roles_find(side->roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    if (side->hips < 0) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED, "the %s has no hips", which);
    }
    sinew_pose_rest(side->skeleton, side->rest);
    side->has_root = snw_hips_are_free(side->skeleton, side->roles->joints, side->hips);
    double height = 0.0, sole = INFINITY;
    for (int s = 0; s < SNW_SIDES; ++s) {
        sinew_Status status = see_leg(side, s, which, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        see_tip(side, s);
        see_arm(side, s);
        height += 0.5 * stance_place(side, side->legs[s].thigh).y;
        sole = fmin(sole, sole_height(side, s));
        side->leg += 0.5 * (side->legs[s].upper + side->legs[s].lower);
    }
    side->hip_height = height - sole;
    see_palms(side);
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Which is which

typedef struct Chain {
    int joints[MOST_CHAIN]; ///< the first carries the others
    int count;
} Chain;

// from a joint down to one above it; nothing where that is not above, or too far
static Chain chain_between(const snw_RetargetSide *side, int above, int below)
{
    Chain chain = { { 0 }, 0 };
    int depth = 0;
    if (above < 0 || below < 0 || !is_below(side, above, below)) { return chain; }
    for (int j = below; j != above; j = side->joints[j].parent) { ++depth; }
    if (depth >= MOST_CHAIN) { return chain; }
    chain.count = depth + 1;
    for (int j = below, i = depth; i >= 0; --i, j = side->joints[j].parent) { chain.joints[i] = j; }
    return chain;
}

// the k-th of n joints of the target takes the turn at k/n of the source's chain
static void follow_chain(snw_RetargetCarry *carry, const Chain *source, const Chain *target)
{
    if (source->count < 2 || target->count < 2) { return; }
    int parts = source->count - 1;
    for (int k = 1; k < target->count; ++k) {
        double place = (double)(k * parts) / (target->count - 1);
        int from = (int)floor(place + 1e-9);
        double share = fmax(place - from, 0.0);
        int to = from < parts ? from + 1 : from;
        if (share < 1e-9) { to = from; }
        carry->follow[target->joints[k]] = (snw_RetargetFollow){ source->joints[from],
            source->joints[to], share };
    }
}

static bool is_by_role(sinew_Role role)
{
    switch (role) {
    case SINEW_ROLE_ROOT:
    case SINEW_ROLE_HIPS:
    case SINEW_ROLE_PELVIS:
    case SINEW_ROLE_CHEST:
    case SINEW_ROLE_HEAD:
    case SINEW_ROLE_CLAVICLE:
    case SINEW_ROLE_UPPERARM:
    case SINEW_ROLE_FOREARM:
    case SINEW_ROLE_HAND:
    case SINEW_ROLE_THIGH:
    case SINEW_ROLE_SHIN:
    case SINEW_ROLE_FOOT:
    case SINEW_ROLE_TOE:
    case SINEW_ROLE_THUMB:
    case SINEW_ROLE_INDEX:
    case SINEW_ROLE_MIDDLE:
    case SINEW_ROLE_RING:
    case SINEW_ROLE_PINKY: return true;
    default: return false;
    }
}

// copies of one body are alike in joints that no role tells apart, too
static bool are_alike(const snw_RetargetSide *a, const snw_RetargetSide *b)
{
    if (a->count != b->count) { return false; }
    for (int j = 0; j < a->count; ++j) {
        const sinew_JointRole *x = &a->roles->joints[j], *y = &b->roles->joints[j];
        bool same = a->joints[j].parent == b->joints[j].parent && x->role == y->role
            && x->side == y->side && x->number == y->number;
        if (!same) { return false; }
        for (int i = 0; a->joints[j].name[i] != '\0' || b->joints[j].name[i] != '\0'; ++i) {
            if (a->joints[j].name[i] != b->joints[j].name[i]) { return false; }
        }
    }
    return true;
}

// the root of the source that is as far above its hips, -1; what carries the hips is no root
static int root_for(const snw_RetargetSide *source, const snw_RetargetSide *target, int root)
{
    int from = source->has_root ? source->hips : -1;
    for (int j = target->hips; j != root && from >= 0; j = target->joints[j].parent) {
        from = source->joints[from].parent;
    }
    return from;
}

void snw_retarget_match(snw_RetargetCarry *carry, const sinew_RetargetPair *pairs, int pair_count)
{
    SNW_ASSERT(pair_count >= 0);
    const snw_RetargetSide *source = &carry->source, *target = &carry->target;
    bool alike = are_alike(source, target);
    for (int j = 0; j < target->count; ++j) {
        const sinew_JointRole *r = &target->roles->joints[j];
        int from = alike ? j : -1;
        if (!alike && is_by_role(r->role)) {
            from = sinew_roles_find(source->roles, r->role, r->side, r->number);
        }
        if (snw_is_root(target, j)) { from = root_for(source, target, j); }
        carry->follow[j] = (snw_RetargetFollow){ from, from, 0.0 };
    }
    if (!alike) {
        int ends[2][3];
        for (int i = 0; i < 2; ++i) {
            const snw_RetargetSide *side = i == 0 ? source : target;
            ends[i][0] = side->hips;
            ends[i][1] = find(side, SINEW_ROLE_CHEST, -1, -1);
            ends[i][2] = find(side, SINEW_ROLE_HEAD, -1, -1);
        }
        for (int part = 0; part < 2; ++part) {
            Chain a = chain_between(source, ends[0][part], ends[0][part + 1]);
            Chain b = chain_between(target, ends[1][part], ends[1][part + 1]);
            follow_chain(carry, &a, &b);
        }
    }
    for (int i = 0; i < pair_count; ++i) {
        const sinew_RetargetPair *pair = &pairs[i];
        int to = pair->share > 0.0 ? pair->toward : pair->source;
        carry->follow[pair->target] = (snw_RetargetFollow){ pair->source, to, pair->share };
    }
}
