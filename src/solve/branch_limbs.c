// The damped step of a tree by limbs. With J_s and J_f the columns of trunk and limb at a tip, e its error
// and A = J_f J_f^T + damping, the best the limb can do is J_f^T A^-1 (e - J_s x), whatever the trunk's
// step x is. Put back, that leaves (1 + sum J_s^T A^-1 J_s) x = sum J_s^T A^-1 e for the trunk.

#include "solve/branches.h"

#include "math/holds.h"

enum { LEAST_LIMB = 3 }; // joints; fewer cannot move a tip every way

void snw_branch_limbs_lay_out(snw_Branches *branches)
{
    for (int i = 0; i < branches->count; ++i) { branches->joints[i].trunk = 0; }
    for (int e = 0; e < branches->tip_count; ++e) {
        const snw_BranchJoint *last = &branches->joints[branches->tips[e].joint];
        for (int k = 0; k <= last->depth; ++k) {
            ++branches->joints[branches->path[last->row + k]].trunk; // the tips it moves, so far
        }
    }
    branches->trunk_count = 0;
    for (int i = 0; i < branches->count; ++i) {
        int *trunk = &branches->joints[i].trunk;
        *trunk = *trunk > 1 ? branches->trunk_count++ : -1;
    }
    branches->has_limbs = branches->trunk_count <= SNW_MAX_TRUNK;
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        const snw_BranchJoint *last = &branches->joints[tip->joint];
        tip->shared = 0;
        while (tip->shared <= last->depth
            && branches->joints[branches->path[last->row + tip->shared]].trunk >= 0) {
            ++tip->shared;
        }
        bool enough = last->depth + 1 - tip->shared >= LEAST_LIMB;
        branches->has_limbs = branches->has_limbs && enough && tip->position && !tip->orientation;
    }
}

// ---------------------------------------------------------------------------------------------
// Starts

static double tip_error2(const snw_BranchTip *tip)
{
    double position = tip->position ? tip->position_weight : 0.0;
    double orientation = tip->orientation ? tip->orientation_weight : 0.0;
    double error2 = 0.0;
    if (position > 0.0) { error2 += position * position * tip->position_error2; }
    if (orientation > 0.0) { error2 += orientation * orientation * tip->chord2; }
    return error2;
}

void snw_branches_keep_limbs(snw_Branches *branches, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    double sum = 0.0;
    for (int e = 0; e < branches->tip_count; ++e) { sum += tip_error2(&branches->tips[e]); }
    bool any = false;
    for (int i = 0; i < branches->count; ++i) { branches->joints[i].kept = true; }
    for (int e = 0; e < branches->tip_count; ++e) {
        const snw_BranchTip *tip = &branches->tips[e];
        const snw_BranchJoint *last = &branches->joints[tip->joint];
        bool kept = tip_error2(tip) < share * sum;
        any = any || kept;
        for (int k = tip->shared; !kept && k <= last->depth; ++k) {
            branches->joints[branches->path[last->row + k]].kept = false;
        }
    }
    for (int i = 0; !any && i < branches->count; ++i) { branches->joints[i].kept = false; }
}

void snw_branches_take_draw(snw_Branches *branches, bool first, double *drawn, double *joints)
{
    for (int i = 0; i < branches->count; ++i) {
        const snw_BranchJoint *joint = &branches->joints[i];
        bool stays = joint->kept || (!first && joint->trunk >= 0);
        if (stays) { drawn[i] = joints[i]; }
        if (first) { joints[i] = drawn[i]; }
    }
    (void)snw_branches_measure(branches, drawn);
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        const snw_BranchJoint *last = &branches->joints[tip->joint];
        double error2 = tip_error2(tip);
        if (!first && !(error2 < tip->drawn_error2)) { continue; }
        tip->drawn_error2 = error2;
        for (int k = tip->shared; k <= last->depth; ++k) {
            int i = branches->path[last->row + k];
            joints[i] = drawn[i];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Steps

typedef struct Trunk {
    int count;
    double matrix[SNW_MAX_TRUNK][SNW_MAX_TRUNK]; // lower triangle
    double change[SNW_MAX_TRUNK];
} Trunk;

static inline sinew_Vec3 column_of(const snw_Branches *branches, int c)
{
    return sinew_vec3(branches->x[c], branches->y[c], branches->z[c]);
}

// the inverse of A; false when it has lost its digits
static bool find_inverse(const snw_Branches *branches, snw_BranchTip *tip, double damping)
{
    SNW_ASSERT(damping >= 0.0);
    const snw_BranchJoint *last = &branches->joints[tip->joint];
    const int *path = &branches->path[last->row];
    snw_Symmetric3 a = { damping, 0.0, 0.0, damping, 0.0, damping };
    for (int k = tip->shared; k <= last->depth; ++k) {
        int c = tip->column + k;
        double x = branches->x[c], y = branches->y[c], z = branches->z[c];
        double free = branches->free[path[k]], fx = x * free, fy = y * free, fz = z * free;
        a.xx += fx * x;
        a.xy += fx * y;
        a.xz += fx * z;
        a.yy += fy * y;
        a.yz += fy * z;
        a.zz += fz * z;
    }
    return snw_symmetric3_invert(&a, snw_symmetric3_trace(&a), &tip->inverse);
}

// what a tip asks of the trunk
static void add_to_trunk(const snw_Branches *branches, const snw_BranchTip *tip, Trunk *trunk)
{
    const int *path = &branches->path[branches->joints[tip->joint].row];
    for (int k = 0; k < tip->shared; ++k) {
        if (branches->free[path[k]] == 0.0) { continue; }
        sinew_Vec3 by = snw_symmetric3_mul(&tip->inverse, column_of(branches, tip->column + k));
        int row = branches->joints[path[k]].trunk;
        trunk->change[row] += sinew_vec3_dot(by, tip->linear);
        // joints come after those that carry them
        for (int h = 0; h <= k; ++h) {
            double free = branches->free[path[h]];
            double product = sinew_vec3_dot(by, column_of(branches, tip->column + h));
            trunk->matrix[row][branches->joints[path[h]].trunk] += free * product;
        }
    }
}

// by L D L^T; nothing to fear: the matrix is 1 and more
static void solve_trunk(Trunk *trunk)
{
    int n = trunk->count;
    double *x = trunk->change;
    for (int k = 0; k < n; ++k) {
        double inverse = 1.0 / trunk->matrix[k][k];
        for (int i = k + 1; i < n; ++i) {
            double ratio = trunk->matrix[i][k] * inverse;
            for (int j = k + 1; j <= i; ++j) { trunk->matrix[i][j] -= ratio * trunk->matrix[j][k]; }
            x[i] -= ratio * x[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int i = k + 1; i < n; ++i) { x[k] -= trunk->matrix[i][k] * x[i]; }
        x[k] /= trunk->matrix[k][k];
    }
}

// what the limb does about the error that the trunk leaves
static void move_limb(snw_Branches *branches, const snw_BranchTip *tip)
{
    const snw_BranchJoint *last = &branches->joints[tip->joint];
    const int *path = &branches->path[last->row];
    sinew_Vec3 left = tip->linear;
    for (int k = 0; k < tip->shared; ++k) {
        left = sinew_vec3_add_scaled(
            left, column_of(branches, tip->column + k), -branches->change[path[k]]);
    }
    sinew_Vec3 by = snw_symmetric3_mul(&tip->inverse, left);
    for (int k = tip->shared; k <= last->depth; ++k) {
        double change = sinew_vec3_dot(by, column_of(branches, tip->column + k));
        branches->change[path[k]] = branches->free[path[k]] * change;
    }
}

bool snw_branch_limbs_solve(snw_Branches *branches, double damping)
{
    SNW_ASSERT(damping >= 0.0);
    Trunk trunk = { .count = branches->trunk_count };
    for (int e = 0; e < branches->tip_count; ++e) {
        if (!find_inverse(branches, &branches->tips[e], damping)) { return false; }
    }
    for (int k = 0; k < trunk.count; ++k) { trunk.matrix[k][k] = 1.0; }
    for (int e = 0; e < branches->tip_count; ++e) {
        add_to_trunk(branches, &branches->tips[e], &trunk);
    }
    solve_trunk(&trunk);
    for (int i = 0; i < branches->count; ++i) {
        int place = branches->joints[i].trunk;
        branches->change[i] = place >= 0 ? branches->free[i] * trunk.change[place] : 0.0;
    }
    for (int e = 0; e < branches->tip_count; ++e) { move_limb(branches, &branches->tips[e]); }
    return true;
}
