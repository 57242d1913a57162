#include "body/roles.h"

#include "math/holds.h"

// Small questions about the tree of joints and the limbs found in it.

void snw_roles_measure(snw_Roles *roles)
{
    const sinew_Joint *joints = roles->joints;
    for (int j = 0; j < roles->count; ++j) {
        int parent = joints[j].parent;
        roles->depth[j] = parent >= 0 ? roles->depth[parent] + 1 : 0;
        roles->is_fixed[j] = roles->options.is_robot && joints[j].axis_count == 0;
        roles->length[j] = parent < 0
            ? 0.0
            : sinew_vec3_distance(roles->rest[j].position, roles->rest[parent].position);
        roles->child_count[j] = 0;
        roles->main_child[j] = -1;
        roles->reach[j] = 0.0;
        roles->moving[j] = 0;
    }
    roles->reach_max = 0.0;
    for (int j = roles->count - 1; j >= 0; --j) {
        int parent = joints[j].parent;
        roles->moving[j] += joints[j].axis_count > 0;
        if (parent >= 0 && roles->moving[j] > roles->moving[parent]) {
            roles->moving[parent] = roles->moving[j];
        }
        if (parent < 0) {
            if (roles->reach[j] > roles->reach_max) { roles->reach_max = roles->reach[j]; }
            continue;
        }
        if (roles->is_end[j]) { continue; }
        ++roles->child_count[parent];
        double reach = roles->reach[j] + roles->length[j];
        if (reach >= roles->reach[parent]) {
            roles->reach[parent] = reach;
            roles->main_child[parent] = j;
        }
    }
}

int snw_roles_common_ancestor(const snw_Roles *roles, int a, int b)
{
    if (a < 0) { return b; }
    if (b < 0) { return a; }
    while (a != b) {
        if (roles->depth[a] >= roles->depth[b]) {
            a = roles->joints[a].parent;
        } else {
            b = roles->joints[b].parent;
        }
        if (a < 0 || b < 0) { return -1; }
    }
    return a;
}

int snw_roles_path(const snw_Roles *roles, int ancestor, int joint, int *out_path, int capacity)
{
    SNW_ASSERT(joint >= 0);
    int count = 0;
    for (int j = joint; j >= 0 && j != ancestor && count < capacity; j = roles->joints[j].parent) {
        out_path[count++] = j;
    }
    for (int i = 0; i < count / 2; ++i) {
        int swap = out_path[i];
        out_path[i] = out_path[count - 1 - i];
        out_path[count - 1 - i] = swap;
    }
    return count;
}

double snw_roles_distance(const snw_Roles *roles, int ancestor, int joint)
{
    double sum = 0.0;
    for (int j = joint; j >= 0 && j != ancestor; j = roles->joints[j].parent) {
        sum += roles->length[j];
    }
    return sum;
}

bool snw_roles_is_leaf(const snw_Roles *roles, int joint)
{
    return roles->child_count[joint] == 0;
}

int snw_limb_first(const snw_Limb *limb, int part)
{
    return limb->count[part] > 0 ? limb->joints[part][0] : -1;
}

int snw_limb_last(const snw_Limb *limb, int part)
{
    return limb->count[part] > 0 ? limb->joints[part][limb->count[part] - 1] : -1;
}

int snw_limb_top(const snw_Limb *limb)
{
    for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
        if (limb->count[p] > 0) { return limb->joints[p][0]; }
    }
    return -1;
}

int snw_limb_tip(const snw_Limb *limb)
{
    for (int p = SNW_LIMB_PARTS - 1; p >= 0; --p) {
        if (limb->count[p] > 0) { return snw_limb_last(limb, p); }
    }
    return -1;
}

bool snw_limb_exists(const snw_Limb *limb)
{
    return snw_limb_top(limb) >= 0;
}

double snw_roles_log(double x)
{
    if (!(x > 0.0)) { return -1e3; }
    int exponent;
    double m = frexp(x, &exponent); // 0.5 <= m < 1

    // ln m = 2 artanh((m - 1) / (m + 1)); |t| <= 1/3, so 12 terms are more than enough
    double t = (m - 1.0) / (m + 1.0);
    double square = t * t, power = t, sum = 0.0;
    for (int i = 1; i <= 23; i += 2) {
        sum += power / i;
        power *= square;
    }
    return 2.0 * sum + exponent * 0.69314718055994530942;
}

sinew_Message *snw_roles_doubt(snw_Roles *roles, double cost)
{
    roles->doubt += cost;
    if (roles->warning_count == SNW_MAX_ROLE_WARNINGS) { return NULL; }
    return &roles->warnings[roles->warning_count++];
}

bool snw_roles_set(snw_Roles *roles, int joint, sinew_Role role, sinew_Side side, int number)
{
    if (joint < 0 || roles->roles[joint].role != SINEW_ROLE_NONE) { return false; }
    roles->roles[joint].role = role;
    roles->roles[joint].side = side;
    roles->roles[joint].number = number;
    return true;
}
