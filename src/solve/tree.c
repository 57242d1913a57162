#include "solve/form.h"

#include "math/holds.h"

// The matrix J^T J + D itself, sparse in the way of the tree: an entry exists only between a dof
// and its ancestors, and factoring from the leaves up creates no other; Featherstone (2005). The
// entries come from composite bodies (Featherstone 2008): everything below a dof, as one body.

typedef struct Composite {
    double mass, sx, sy, sz;       // sum w, sum w p
    double xx, yy, zz, xy, xz, yz; // inertia about the origin
    double force[6];               // moment, force
} Composite;

static void add_targets(Composite *body, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const double *error, int link, sinew_Vec3 origin)
{
    SNW_ASSERT(link >= 0);
    *body = (Composite){ 0 };
    for (int i = plan->link_effectors[link]; i < plan->link_effectors[link + 1]; ++i) {
        int e = plan->effector_order[i];
        const snw_Effector *effector = &plan->effectors[e];
        const double *scaled = &error[effector->row];
        if (effector->position) {
            sinew_Vec3 p = sinew_vec3_sub(state->effector_position[e], origin);
            double scale = targets->position_scale[e], w = scale * scale;
            body->mass += w;
            body->sx += w * p.x;
            body->sy += w * p.y;
            body->sz += w * p.z;
            body->xx += w * (p.y * p.y + p.z * p.z);
            body->yy += w * (p.x * p.x + p.z * p.z);
            body->zz += w * (p.x * p.x + p.y * p.y);
            body->xy -= w * p.x * p.y;
            body->xz -= w * p.x * p.z;
            body->yz -= w * p.y * p.z;
            sinew_Vec3 f = { scale * scaled[0], scale * scaled[1], scale * scaled[2] };
            sinew_Vec3 moment = sinew_vec3_cross(p, f);
            body->force[0] += moment.x;
            body->force[1] += moment.y;
            body->force[2] += moment.z;
            body->force[3] += f.x;
            body->force[4] += f.y;
            body->force[5] += f.z;
            scaled += 3;
        }
        if (effector->orientation) {
            double scale = targets->orientation_scale[e];
            body->xx += scale * scale;
            body->yy += scale * scale;
            body->zz += scale * scale;
            for (int k = 0; k < 3; ++k) { body->force[k] += scale * scaled[k]; }
        }
    }
}

static void add_child(Composite *body, const Composite *child)
{
    body->mass += child->mass;
    body->sx += child->sx;
    body->sy += child->sy;
    body->sz += child->sz;
    body->xx += child->xx;
    body->yy += child->yy;
    body->zz += child->zz;
    body->xy += child->xy;
    body->xz += child->xz;
    body->yz += child->yz;
    for (int i = 0; i < 6; ++i) { body->force[i] += child->force[i]; }
}

// angular and linear part of a dof's motion about the origin
typedef struct DofMotion {
    sinew_Vec3 angular, linear;
} DofMotion;

static DofMotion motion_of(const snw_Linear *linear, const snw_Plan *plan, const snw_State *state,
    int dof, sinew_Vec3 origin)
{
    SNW_ASSERT(dof >= 0);
    int l = plan->dof_link[dof];
    const snw_Link *link = &plan->links[l];
    DofMotion r = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    if (link->motion == SNW_BALL) {
        int k = dof - link->dof;
        r.angular = sinew_vec3(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
        if (linear->any_turned && linear->turned[l]) {
            r.angular = sinew_mat3_mul_vec3(linear->triad[l], r.angular);
        }
    } else if (snw_motion_is_hinge(link->motion)) {
        r.angular = snw_link_axis(link, &state->rotation[l]);
    } else {
        r.linear = snw_link_axis(link, &state->rotation[l]);
        return r;
    }
    r.linear = sinew_vec3_cross(sinew_vec3_sub(state->position[l], origin), r.angular);
    return r;
}

// momentum of a composite body in a motion: moment about the origin, then force
static DofMotion momentum_of(const Composite *b, DofMotion v)
{
    sinew_Vec3 s = { b->sx, b->sy, b->sz };
    sinew_Vec3 turning = { b->xx * v.angular.x + b->xy * v.angular.y + b->xz * v.angular.z,
        b->xy * v.angular.x + b->yy * v.angular.y + b->yz * v.angular.z,
        b->xz * v.angular.x + b->yz * v.angular.y + b->zz * v.angular.z };
    DofMotion r = { sinew_vec3_add(turning, sinew_vec3_cross(s, v.linear)),
        sinew_vec3_sub(sinew_vec3_scale(v.linear, b->mass), sinew_vec3_cross(s, v.angular)) };
    return r;
}

static double power(DofMotion motion, DofMotion momentum)
{
    return sinew_vec3_dot(motion.angular, momentum.angular)
        + sinew_vec3_dot(motion.linear, momentum.linear);
}

static void build_matrix(snw_Linear *linear, const snw_Plan *plan, const snw_State *state,
    const Composite *bodies, sinew_Vec3 origin)
{
    int n = plan->dof_count;
    DofMotion *motions = (DofMotion *)(void *)linear->dof_work;
    for (int d = 0; d < n; ++d) { motions[d] = motion_of(linear, plan, state, d, origin); }
    for (int d = 0; d < n; ++d) {
        const Composite *body = &bodies[plan->dof_link[d]];
        DofMotion momentum = momentum_of(body, motions[d]);
        double *row = &linear->matrix[(size_t)d * (size_t)n];
        row[d] = power(motions[d], momentum) + snw_linear_damping(linear, plan, d);
        for (int a = plan->dof_parent[d]; a >= 0; a = plan->dof_parent[a]) {
            row[a] = power(motions[a], momentum);
        }
        const double *f = body->force;
        DofMotion force = { { f[0], f[1], f[2] }, { f[3], f[4], f[5] } };
        linear->step[d] = power(motions[d], force) + (linear->has_pull ? linear->pull[d] : 0.0);
    }
}

// take the fixed dofs out of the system: their steps go to the right side
static void fix_dofs(snw_Linear *linear, const snw_Plan *plan)
{
    size_t n = (size_t)plan->dof_count;
    for (int k = 0; k < plan->dof_count; ++k) {
        double *row = &linear->matrix[(size_t)k * n];
        for (int a = plan->dof_parent[k]; a >= 0; a = plan->dof_parent[a]) {
            if (linear->fixed[k]) { linear->step[a] -= row[a] * linear->fixed_step[k]; }
            if (linear->fixed[a]) { linear->step[k] -= row[a] * linear->fixed_step[a]; }
            if (linear->fixed[k] || linear->fixed[a]) { row[a] = 0.0; }
        }
    }
    for (int k = 0; k < plan->dof_count; ++k) {
        if (!linear->fixed[k]) { continue; }
        linear->matrix[(size_t)k * n + (size_t)k] = 1.0;
        linear->step[k] = linear->fixed_step[k];
    }
}

// A = L^T D L from the leaves up, in place: row k then holds L (unit diagonal left out), A[k][k] D
static bool factor(double *matrix, const snw_Plan *plan)
{
    size_t n = (size_t)plan->dof_count;
    for (int k = plan->dof_count - 1; k >= 0; --k) {
        double *row = &matrix[(size_t)k * n];
        double pivot = row[k];
        if (!(pivot > 0.0)) { return false; }
        double inverse = 1.0 / pivot;
        for (int i = plan->dof_parent[k]; i >= 0; i = plan->dof_parent[i]) {
            double ratio = row[i] * inverse;
            double *above = &matrix[(size_t)i * n];
            for (int j = i; j >= 0; j = plan->dof_parent[j]) { above[j] -= ratio * row[j]; }
            row[i] = ratio;
        }
    }
    return true;
}

static bool solve(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    int first = plan->static_link_count;
    size_t n = (size_t)plan->dof_count;
    if (n == 0) { return true; }
    sinew_Vec3 origin = state->position[first];
    Composite *bodies = (Composite *)(void *)linear->link_work;
    for (int l = first; l < plan->link_count; ++l) {
        add_targets(&bodies[l], plan, targets, state, linear->error, l, origin);
    }
    for (int l = plan->link_count - 1; l > first; --l) {
        if (plan->links[l].parent >= first) {
            add_child(&bodies[plan->links[l].parent], &bodies[l]);
        }
    }
    build_matrix(linear, plan, state, bodies, origin);
    if (linear->any_fixed) { fix_dofs(linear, plan); }
    if (!factor(linear->matrix, plan)) { return false; }

    // L^T y = b from the leaves up, then D, then L x = y from the root down
    double *x = linear->step;
    for (int k = plan->dof_count - 1; k >= 0; --k) {
        const double *row = &linear->matrix[(size_t)k * n];
        for (int i = plan->dof_parent[k]; i >= 0; i = plan->dof_parent[i]) {
            x[i] -= row[i] * x[k];
        }
    }
    for (int k = 0; k < plan->dof_count; ++k) {
        const double *row = &linear->matrix[(size_t)k * n];
        x[k] /= row[k];
        for (int i = plan->dof_parent[k]; i >= 0; i = plan->dof_parent[i]) {
            x[k] -= row[i] * x[i];
        }
    }
    return true;
}

static double count_flops(const snw_Plan *plan)
{
    double effectors = plan->effector_count, n = plan->dof_count;
    double links = plan->link_count - plan->static_link_count;
    // entries (dof, ancestor): 12 to build, and each pair of ancestors once to factor
    double flops = 60.0 * effectors + 36.0 * links + 66.0 * n;
    for (int d = 0; d < plan->dof_count; ++d) {
        double depth = plan->dof_depth[d];
        flops += 12.0 * depth + depth * (depth + 1.0) + 5.0 * depth;
    }
    return flops;
}

const snw_FormRow snw_form_tree = {
    .solve = solve,
    .flops = count_flops,
    .squares_dofs = true,
};
