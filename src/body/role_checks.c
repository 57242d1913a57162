#include "body/roles.h"

#include "base/message.h"

// Doubts: what does not look like a body. Each costs some confidence and leaves a line of text.

#define MIN_STATURE 1.2
#define MAX_STATURE 2.2
#define MIN_THIGH_OF_SHIN 0.6
#define MAX_THIGH_OF_SHIN 1.7
#define MAX_ARM_OF_LEG 1.3

static const char *const limb_names[SNW_LIMB_COUNT] = { "arms", "legs", "front legs" };

static int joint_count(const snw_Limb *limb)
{
    int count = 0;
    for (int p = 0; p < SNW_LIMB_PARTS; ++p) { count += limb->count[p]; }
    return count;
}

static double length_between(const snw_Roles *roles, int from, int to)
{
    bool is_chain = from >= 0 && to >= 0 && sinew_skeleton_is_ancestor(roles->skeleton, from, to);
    return is_chain ? snw_roles_distance(roles, from, to) : 0.0;
}

static void check_sides(snw_Roles *roles)
{
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        int left = joint_count(&roles->limbs[k][0]), right = joint_count(&roles->limbs[k][1]);
        if (left == right) { continue; }
        double cost = left == 0 || right == 0 ? 0.15 : 0.1;
        if (roles->guess->kind == SINEW_BODY_HAND) { cost = 0.0; }
        snw_message_set(snw_roles_doubt(roles, cost), "%s: %d joint%s on the left, %d on the right",
            limb_names[k], left, snw_plural(left), right);
    }
}

static void check_limbs(snw_Roles *roles)
{
    const snw_Limb *leg = &roles->limbs[SNW_LIMB_LEG][0], *arm = &roles->limbs[SNW_LIMB_ARM][0];
    double thigh = length_between(roles, snw_limb_first(leg, 0), snw_limb_first(leg, 1));
    double shin = length_between(roles, snw_limb_first(leg, 1), snw_limb_first(leg, 2));
    double arms = length_between(roles, snw_limb_first(arm, 1), snw_limb_first(arm, 3));
    if (!(thigh > 0.0) || !(shin > 0.0)) { return; }
    double ratio = thigh / shin;
    bool is_odd = ratio < MIN_THIGH_OF_SHIN || ratio > MAX_THIGH_OF_SHIN;
    if (is_odd && roles->guess->kind == SINEW_BODY_HUMANOID) {
        snw_message_set(snw_roles_doubt(roles, 0.1),
            "the thigh is %g times as long as the shin, want %g..%g", ratio, MIN_THIGH_OF_SHIN,
            MAX_THIGH_OF_SHIN);
    }
    if (arms > MAX_ARM_OF_LEG * (thigh + shin)) {
        snw_message_set(snw_roles_doubt(roles, 0.1), "arms of %g m are long beside legs of %g m",
            arms, thigh + shin);
    }
}

static void check_stature(snw_Roles *roles)
{
    double stature = roles->guess->stature;
    if (roles->guess->kind != SINEW_BODY_HUMANOID || roles->options.is_robot) { return; }
    if (!(stature > 0.0) || (stature >= MIN_STATURE && stature <= MAX_STATURE)) { return; }
    snw_message_set(snw_roles_doubt(roles, 0.05),
        "a stature of %g m by the legs is not that of an adult, %g..%g m", stature, MIN_STATURE,
        MAX_STATURE);
}

static void check_center(snw_Roles *roles)
{
    if (roles->guess->kind != SINEW_BODY_HUMANOID) { return; }
    if (roles->head < 0) {
        double cost = roles->options.is_robot ? 0.02 : 0.1;
        snw_message_set(snw_roles_doubt(roles, cost), "no head found");
    }
    if (roles->hips < 0 || roles->chest < 0 || roles->hips == roles->chest) { return; }
    sinew_Vec3 trunk = sinew_vec3_sub(
        roles->look[roles->chest].position, roles->look[roles->hips].position);
    if (roles->faces && sinew_vec3_dot(trunk, roles->up) < 0.0) {
        snw_message_set(snw_roles_doubt(roles, 0.15), "the hips are above the chest");
    }
}

// a character has one joint for each role but neck, face and what is left over
static void check_doubles(snw_Roles *roles)
{
    if (roles->options.is_robot) { return; }
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        for (int s = 0; s < 2; ++s) {
            for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
                const snw_Limb *limb = &roles->limbs[k][s];
                if (limb->count[p] < 2) { continue; }
                snw_message_set(snw_roles_doubt(roles, 0.1), "%d joints share the role of '%s'",
                    limb->count[p], roles->joints[limb->joints[p][0]].name);
            }
        }
    }
}

void snw_roles_check(snw_Roles *roles)
{
    sinew_BodyKind kind = roles->guess->kind;
    if (kind == SINEW_BODY_OTHER || kind == SINEW_BODY_ROBOT_ARM) { return; }
    check_sides(roles);
    check_limbs(roles);
    check_stature(roles);
    check_center(roles);
    check_doubles(roles);
    if (kind == SINEW_BODY_UPPER_BODY) {
        snw_message_set(
            snw_roles_doubt(roles, 0.05), "no legs found, so the root stands for the hips");
    }
    bool has_arms = snw_limb_exists(&roles->limbs[SNW_LIMB_ARM][0])
        || snw_limb_exists(&roles->limbs[SNW_LIMB_ARM][1]);
    if (kind == SINEW_BODY_HUMANOID && !has_arms) {
        snw_message_set(snw_roles_doubt(roles, 0.2), "no arms found");
    }
}
