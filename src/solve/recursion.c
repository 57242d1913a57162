#include "solve/linear.h"

// Articulated-body recursion; Featherstone (1983, 2008). All quantities are in world axes about
// one origin, the first moving link, which keeps the numbers small. Six-vectors have the angular
// part first: a motion is (angular velocity, velocity of the point at the origin), a force
// (moment about the origin, force).

typedef struct Body {
    double inertia[6][6]; // symmetric
    double force[6];
} Body;

// what one dof leaves for the way back to the leaves
typedef struct DofWork {
    double u[6];      // U = I sigma
    double inverse_d; // 1 / (sigma . U + D)
    double rest;      // pull + sigma . f
} DofWork;

// the point masses and forces of the targets on one link; Tracking notes: m = sum w, s = sum w p,
// S = sum w (|p|^2 1 - p p^T) + l^2 w 1
static void load_targets(Body *body, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const double *error, int link, sinew_Vec3 origin)
{
    for (int i = 0; i < 6; ++i) {
        body->force[i] = 0.0;
        for (int j = 0; j < 6; ++j) { body->inertia[i][j] = 0.0; }
    }
    double mass = 0.0, sx = 0.0, sy = 0.0, sz = 0.0;
    double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;
    for (int i = plan->link_effectors[link]; i < plan->link_effectors[link + 1]; ++i) {
        int e = plan->effector_order[i];
        const snw_Effector *effector = &plan->effectors[e];
        const double *scaled = &error[effector->row];
        if (effector->position) {
            sinew_Vec3 p = sinew_vec3_sub(state->effector_position[e], origin);
            double scale = targets->position_scale[e];
            double w = scale * scale;
            mass += w;
            double wx = w * p.x, wy = w * p.y, wz = w * p.z;
            sx += wx;
            sy += wy;
            sz += wz;
            xx += wy * p.y + wz * p.z;
            yy += wx * p.x + wz * p.z;
            zz += wx * p.x + wy * p.y;
            xy -= wx * p.y;
            xz -= wx * p.z;
            yz -= wy * p.z;
            double fx = scale * scaled[0], fy = scale * scaled[1], fz = scale * scaled[2];
            body->force[0] += p.y * fz - p.z * fy;
            body->force[1] += p.z * fx - p.x * fz;
            body->force[2] += p.x * fy - p.y * fx;
            body->force[3] += fx;
            body->force[4] += fy;
            body->force[5] += fz;
            scaled += 3;
        }
        if (effector->orientation) {
            double scale = targets->orientation_scale[e];
            xx += scale * scale;
            yy += scale * scale;
            zz += scale * scale;
            body->force[0] += scale * scaled[0];
            body->force[1] += scale * scaled[1];
            body->force[2] += scale * scaled[2];
        }
    }
    double(*m)[6] = body->inertia;
    m[0][0] = xx;
    m[1][1] = yy;
    m[2][2] = zz;
    m[0][1] = m[1][0] = xy;
    m[0][2] = m[2][0] = xz;
    m[1][2] = m[2][1] = yz;
    // s x, angular rows against linear columns
    m[0][4] = m[4][0] = -sz;
    m[0][5] = m[5][0] = sy;
    m[1][3] = m[3][1] = sz;
    m[1][5] = m[5][1] = -sx;
    m[2][3] = m[3][2] = -sy;
    m[2][4] = m[4][2] = sx;
    m[3][3] = m[4][4] = m[5][5] = mass;
}

// motion of one dof: (a, P x a) for a rotation, (0, a) for a slide
static void dof_motion(const snw_Link *link, const snw_State *state, int l, int k, sinew_Vec3 origin,
    double sigma[6])
{
    sinew_Vec3 axis;
    if (link->motion == SNW_BALL) {
        axis = sinew_vec3(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
    } else {
        axis = snw_link_axis(link, &state->rotation[l]);
    }
    if (link->motion == SNW_BALL || snw_motion_is_hinge(link->motion)) {
        sinew_Vec3 p = sinew_vec3_sub(state->position[l], origin);
        sinew_Vec3 v = sinew_vec3_cross(p, axis);
        sigma[0] = axis.x;
        sigma[1] = axis.y;
        sigma[2] = axis.z;
        sigma[3] = v.x;
        sigma[4] = v.y;
        sigma[5] = v.z;
    } else {
        sigma[0] = sigma[1] = sigma[2] = 0.0;
        sigma[3] = axis.x;
        sigma[4] = axis.y;
        sigma[5] = axis.z;
    }
}

// take one dof out of a body: what is left is what the parent feels
static bool eliminate(Body *body, const double sigma[6], double damping, double pull, DofWork *work)
{
    double d = damping, rest = pull;
    for (int i = 0; i < 6; ++i) {
        double u = 0.0;
        for (int j = 0; j < 6; ++j) { u += body->inertia[i][j] * sigma[j]; }
        work->u[i] = u;
        d += sigma[i] * u;
        rest += sigma[i] * body->force[i];
    }
    if (!(d > 0.0)) { return false; }
    double inverse = 1.0 / d;
    for (int i = 0; i < 6; ++i) {
        double scaled = work->u[i] * inverse;
        for (int j = 0; j < 6; ++j) { body->inertia[i][j] -= scaled * work->u[j]; }
        body->force[i] -= scaled * rest;
    }
    work->inverse_d = inverse;
    work->rest = rest;
    return true;
}

bool snw_linear_solve_recursion(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state)
{
    Body *bodies = (Body *)(void *)linear->inertia;
    DofWork *works = (DofWork *)(void *)linear->dof_work;
    int first = plan->static_link_count;
    if (first == plan->link_count) { return true; }
    sinew_Vec3 origin = state->position[first];
    for (int l = first; l < plan->link_count; ++l) {
        load_targets(&bodies[l], plan, targets, state, linear->error, l, origin);
    }

    // leaves to root
    double sigma[6];
    for (int l = plan->link_count - 1; l >= first; --l) {
        const snw_Link *link = &plan->links[l];
        Body *body = &bodies[l];
        for (int k = 0; link->dof >= 0 && k < (link->motion == SNW_BALL ? 3 : 1); ++k) {
            int d = link->dof + k;
            dof_motion(link, state, l, k, origin, sigma);
            double pull = linear->has_pull ? linear->pull[d] : 0.0;
            if (!eliminate(body, sigma, snw_linear_damping(linear, plan, d), pull, &works[d])) {
                return false;
            }
        }
        if (link->parent < first) { continue; }
        Body *parent = &bodies[link->parent];
        for (int i = 0; i < 6; ++i) {
            parent->force[i] += body->force[i];
            for (int j = 0; j < 6; ++j) { parent->inertia[i][j] += body->inertia[i][j]; }
        }
    }

    // root to leaves; the force of a body is not needed any more and carries its motion
    for (int l = first; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        double *motion = bodies[l].force;
        for (int i = 0; i < 6; ++i) {
            motion[i] = link->parent >= first ? bodies[link->parent].force[i] : 0.0;
        }
        // a link's dofs were taken out in order, so the last one meets the parent's motion first
        for (int k = link->motion == SNW_BALL ? 2 : 0; link->dof >= 0 && k >= 0; --k) {
            int d = link->dof + k;
            dof_motion(link, state, l, k, origin, sigma);
            double along = 0.0;
            for (int i = 0; i < 6; ++i) { along += works[d].u[i] * motion[i]; }
            double step = (works[d].rest - along) * works[d].inverse_d;
            linear->step[d] = step;
            for (int i = 0; i < 6; ++i) { motion[i] += sigma[i] * step; }
        }
    }
    return true;
}
