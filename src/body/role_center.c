#include "body/roles.h"

#include "math/holds.h"

// The centre line: hips, spine, chest, neck, head, and the roots above. Known limbs decide where it
// runs; names only help where they are no contradiction.

// an ancestor called hips counts when it is this near, in sizes of the body
#define NEAR_HIPS 0.2
// the last joint of the head's branch is a marker on its top when it is so far from its parent, in
// statures
#define HEAD_TOP 0.095
#define MIN_HIPS_NAME 2.5
// leaves this near to their parent, in statures, only stand for it
#define TWIN_DISTANCE 0.01

static const double *score_of(const snw_Roles *roles, int joint)
{
    return roles->names[joint].score;
}

// the joint that carries a pair of limbs, -1
static int carrier(const snw_Roles *roles, snw_LimbKind kind)
{
    int left = snw_limb_top(&roles->limbs[kind][0]), right = snw_limb_top(&roles->limbs[kind][1]);
    if (left < 0 && right < 0) { return -1; }
    if (left < 0 || right < 0) { return roles->joints[left < 0 ? right : left].parent; }
    int common = snw_roles_common_ancestor(roles, left, right);
    return common == left || common == right ? roles->joints[common].parent : common;
}

static bool is_called_spine(const snw_Roles *roles, int joint)
{
    const double *score = score_of(roles, joint);
    return score[SNW_WORD_TRUNK] > score[SNW_WORD_HIPS];
}

// rigs whose legs hang on the first spine joint: the joint above that is called hips is hips
static int hips_above(const snw_Roles *roles, int joint)
{
    SNW_ASSERT(joint >= 0);
    if (!is_called_spine(roles, joint)) { return joint; }
    double limit = NEAR_HIPS * sinew_skeleton_size(roles->skeleton);
    for (int j = roles->joints[joint].parent; j >= 0; j = roles->joints[j].parent) {
        if (snw_roles_distance(roles, j, joint) > limit) { break; }
        if (score_of(roles, j)[SNW_WORD_HIPS] >= MIN_HIPS_NAME) { return j; }
    }
    return joint;
}

// the root is the chest, and the spine runs down to the joint that carries the legs
static bool is_inverted(const snw_Roles *roles, int common, int legs)
{
    if (!is_called_spine(roles, common) || legs == common) { return false; }
    for (int j = legs; j >= 0 && j != common; j = roles->joints[j].parent) {
        if (score_of(roles, j)[SNW_WORD_TRUNK] > 0.0) { return true; }
    }
    return false;
}

static bool counts_in_center(const snw_Roles *roles, int joint)
{
    return !roles->is_fixed[joint] && (roles->names[joint].flags & SNW_NAME_HELPER) == 0;
}

static void set_spine_upwards(snw_Roles *roles, int arms)
{
    int path[SNW_MAX_ROLE_CHAIN], trunk[SNW_MAX_ROLE_CHAIN], trunk_count = 0;
    int count = snw_roles_path(roles, roles->hips, arms, path, SNW_MAX_ROLE_CHAIN);
    int necks = 0;
    for (int i = 0; i < count; ++i) {
        const double *score = score_of(roles, path[i]);
        if (!counts_in_center(roles, path[i])) { continue; }
        if (score[SNW_WORD_NECK] > score[SNW_WORD_TRUNK]) {
            snw_roles_set(roles, path[i], SINEW_ROLE_NECK, SINEW_SIDE_NONE, necks++);
        } else {
            trunk[trunk_count++] = path[i];
        }
    }
    for (int i = 0; i < trunk_count; ++i) {
        bool is_chest = i + 1 == trunk_count && !roles->options.is_robot;
        snw_roles_set(roles, trunk[i], is_chest ? SINEW_ROLE_CHEST : SINEW_ROLE_SPINE,
            SINEW_SIDE_NONE, is_chest ? 0 : i + 1);
    }
    if (trunk_count > 0) { roles->chest = trunk[trunk_count - 1]; }
}

static void set_spine_downwards(snw_Roles *roles, int top)
{
    int number = 0;
    for (int j = roles->joints[roles->hips].parent; j >= 0 && j != top;
         j = roles->joints[j].parent) {
        if (counts_in_center(roles, j)) {
            snw_roles_set(roles, j, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, ++number);
        }
    }
    snw_roles_set(roles, top, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, 0);
    roles->chest = top;
}

static void set_pelvis(snw_Roles *roles, int legs)
{
    if (!sinew_skeleton_is_ancestor(roles->skeleton, roles->hips, legs)) { return; }
    for (int j = legs; j >= 0 && j != roles->hips; j = roles->joints[j].parent) {
        if (counts_in_center(roles, j)) {
            snw_roles_set(roles, j, SINEW_ROLE_PELVIS, SINEW_SIDE_NONE, 0);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Head and neck

// whether a joint carries a limb, or is carried by one
static bool is_in_line(const snw_Roles *roles, int joint, bool carries)
{
    SNW_ASSERT(joint >= 0);
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        for (int s = 0; s < 2; ++s) {
            int top = snw_limb_top(&roles->limbs[k][s]);
            int above = carries ? joint : top, below = carries ? top : joint;
            if (top >= 0 && sinew_skeleton_is_ancestor(roles->skeleton, above, below)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_called_head(const snw_Roles *roles, int joint)
{
    SNW_ASSERT(joint >= 0);
    const snw_NameInfo *info = &roles->names[joint];
    const int out = SNW_NAME_HELPER | SNW_NAME_FACE;
    if (info->side != SINEW_SIDE_NONE || (info->flags & out) != 0 || roles->is_fixed[joint]) {
        return false;
    }
    if ((info->flags & SNW_NAME_END) != 0 && snw_roles_is_leaf(roles, joint)) { return false; }
    if (info->score[SNW_WORD_HEAD] <= 0.0 || info->finger >= 0) { return false; }
    bool is_neck = info->score[SNW_WORD_NECK] > 0.0 && (info->flags & SNW_NAME_LOWER) != 0;
    return !is_neck && !is_in_line(roles, joint, true);
}

// the highest joint below start that is called head, -1
static int head_by_name(const snw_Roles *roles, int start)
{
    int best = -1;
    int end = start + roles->joints[start].subtree_count;
    for (int j = start; j < end; ++j) {
        if (!is_called_head(roles, j) || is_in_line(roles, j, false)) { continue; }
        if (best < 0 || roles->depth[j] < roles->depth[best]) { best = j; }
    }
    return best;
}

// without a head the upper one of two necks
static int head_by_neck(const snw_Roles *roles, int start)
{
    int best = -1, count = 0;
    int end = start + roles->joints[start].subtree_count;
    for (int j = start + 1; j < end; ++j) {
        const snw_NameInfo *info = &roles->names[j];
        if (info->score[SNW_WORD_NECK] <= 0.0 || info->side != SINEW_SIDE_NONE) { continue; }
        if ((info->flags & SNW_NAME_HELPER) != 0 || roles->is_fixed[j]) { continue; }
        ++count;
        if (best < 0 || roles->depth[j] > roles->depth[best]) { best = j; }
    }
    return count >= 2 ? best : -1;
}

static bool may_lead_to_head(const snw_Roles *roles, int joint)
{
    return !roles->is_end[joint] && roles->names[joint].side == SINEW_SIDE_NONE
        && (roles->names[joint].flags & SNW_NAME_HELPER) == 0 && !is_in_line(roles, joint, true)
        && roles->roles[joint].role == SINEW_ROLE_NONE;
}

static double stature_or_size(const snw_Roles *roles)
{
    double stature = roles->guess->stature;
    return stature > 0.0 ? stature : sinew_skeleton_size(roles->skeleton);
}

// the only child that leads on; -1 at forks and ends. Leaves on the joint itself are its doubles
static int only_child(const snw_Roles *roles, int joint)
{
    SNW_ASSERT(joint >= 0);
    int only = -1;
    int end = joint + roles->joints[joint].subtree_count;
    for (int j = joint + 1; j < end; ++j) {
        if (roles->joints[j].parent != joint || roles->is_end[j]) { continue; }
        bool is_double = snw_roles_is_leaf(roles, j)
            && roles->length[j] < TWIN_DISTANCE * stature_or_size(roles);
        if (is_double) { continue; }
        if (only >= 0) { return -1; }
        only = j;
    }
    return only;
}

// the longest free branch in the middle, up to its first fork
static int head_by_shape(const snw_Roles *roles, int start)
{
    int branch = -1;
    double longest = -1.0;
    int end = start + roles->joints[start].subtree_count;
    for (int j = start + 1; j < end; ++j) {
        if (roles->joints[j].parent != start || !may_lead_to_head(roles, j)) { continue; }
        double length = roles->length[j] + roles->reach[j];
        if (length > longest) {
            longest = length;
            branch = j;
        }
    }
    if (branch < 0) { return -1; }
    int head = branch;
    for (int next = only_child(roles, head); next >= 0 && may_lead_to_head(roles, next);
         next = only_child(roles, head)) {
        head = next;
    }
    bool is_marker = (roles->names[head].flags & SNW_NAME_END) != 0
        || roles->length[head] > HEAD_TOP * stature_or_size(roles);
    if (head != branch && snw_roles_is_leaf(roles, head) && is_marker) {
        head = roles->joints[head].parent;
    }
    return head;
}

static void set_head(snw_Roles *roles, int start)
{
    int head = head_by_name(roles, start);
    if (head < 0 && roles->hips >= 0) { head = head_by_name(roles, roles->hips); }
    if (head < 0) { head = head_by_neck(roles, start); }
    if (head < 0 && !roles->options.is_robot) { head = head_by_shape(roles, start); }
    if (head < 0) { return; }
    roles->head = head;
    int number = 0;
    snw_roles_set(roles, head, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, number++);
    // pan and tilt of a robot's head
    int end = head + roles->joints[head].subtree_count;
    for (int j = head + 1; j < end && roles->options.is_robot; ++j) {
        if (is_called_head(roles, j)) {
            snw_roles_set(roles, j, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, number++);
        }
    }
    int path[SNW_MAX_ROLE_CHAIN];
    int common = snw_roles_common_ancestor(roles, start, head);
    int count = snw_roles_path(roles, common, head, path, SNW_MAX_ROLE_CHAIN);
    int necks = 0;
    for (int j = 0; j < roles->count; ++j) { necks += roles->roles[j].role == SINEW_ROLE_NECK; }
    for (int i = 0; i + 1 < count; ++i) {
        if (counts_in_center(roles, path[i])) {
            necks += snw_roles_set(roles, path[i], SINEW_ROLE_NECK, SINEW_SIDE_NONE, necks);
        }
    }
}

// ---------------------------------------------------------------------------------------------

static int root_of(const snw_Roles *roles, int joint)
{
    while (roles->joints[joint].parent >= 0) { joint = roles->joints[joint].parent; }
    return joint;
}

// bodies without arms: the last joint in the middle that is called a part of the trunk
static int top_of_spine(const snw_Roles *roles, int hips)
{
    int top = hips;
    int end = hips + roles->joints[hips].subtree_count;
    for (int j = hips + 1; j < end; ++j) {
        bool is_trunk = score_of(roles, j)[SNW_WORD_TRUNK] > 0.0
            && roles->names[j].side == SINEW_SIDE_NONE && counts_in_center(roles, j);
        if (is_trunk && roles->joints[j].parent == top) { top = j; }
    }
    return top;
}

static void set_root(snw_Roles *roles)
{
    int number = roles->depth[roles->hips];
    for (int j = roles->joints[roles->hips].parent; j >= 0; j = roles->joints[j].parent) {
        snw_roles_set(roles, j, SINEW_ROLE_ROOT, SINEW_SIDE_NONE, --number);
    }
}

void snw_roles_find_center(snw_Roles *roles)
{
    int legs = carrier(roles, SNW_LIMB_LEG);
    int arms = carrier(roles, SNW_LIMB_ARM);
    if (arms < 0) { arms = carrier(roles, SNW_LIMB_FRONT); }
    if (legs < 0 && arms < 0) { return; }

    bool is_inverse = false;
    if (legs < 0) {
        roles->hips = root_of(roles, arms);
    } else {
        int common = arms < 0 ? legs : snw_roles_common_ancestor(roles, legs, arms);
        if (common < 0) { common = legs; }
        is_inverse = arms >= 0 && is_inverted(roles, common, legs);
        roles->hips = is_inverse ? legs : hips_above(roles, common);
    }
    snw_roles_set(roles, roles->hips, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, 0);
    int start = arms >= 0 ? arms : top_of_spine(roles, roles->hips);
    roles->chest = start;
    if (is_inverse) {
        set_spine_downwards(roles, snw_roles_common_ancestor(roles, legs, arms));
    } else {
        set_spine_upwards(roles, start);
        if (legs >= 0) { set_pelvis(roles, legs); }
    }
    set_head(roles, start);
    set_root(roles);
}
