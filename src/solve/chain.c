#include "solve/chain.h"

#include "math/chord.h"
#include "math/holds.h"
#include "math/symmetric3.h"
#include "math/trig.h"
#include "solve/linear.h"

#include <string.h>

void snw_chain_take(snw_Chain *chain, snw_Sizes sizes, snw_Arena *arena)
{
    int axes = sizes.links;
    size_t groups = (size_t)snw_lane_groups(axes), padded = groups * SNW_LANE_COUNT;
    chain->joints = snw_arena_take(arena, (size_t)axes, sizeof *chain->joints);
    double **const numbers[] = { &chain->angle, &chain->lower, &chain->upper, &chain->sine,
        &chain->cosine, &chain->axis_x, &chain->axis_y, &chain->axis_z, &chain->origin_x,
        &chain->origin_y, &chain->origin_z, &chain->change, &chain->free };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        *numbers[i] = snw_arena_take(arena, padded, sizeof(double));
    }
    snw_ChainColumns *c = &chain->columns;
    snw_Lanes **const lanes[] = { &c->x, &c->y, &c->z, &c->turn_x, &c->turn_y, &c->turn_z };
    for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; ++i) {
        *lanes[i] = snw_arena_take(arena, groups, sizeof(snw_Lanes));
    }
}

// ---------------------------------------------------------------------------------------------
// Layout

static bool is_chain(const snw_Plan *plan)
{
    int first = plan->static_link_count;
    if (plan->effector_count != 1 || plan->task_count > 0 || plan->has_mobility
        || plan->dof_count == 0) {
        return false;
    }
    if (plan->effectors[0].link != plan->link_count - 1) { return false; }
    for (int l = first; l < plan->link_count; ++l) {
        if (plan->links[l].motion == SNW_BALL) { return false; }
        if (l > first && plan->links[l].parent != l - 1) { return false; }
    }
    return true;
}

sinew_Mat3 snw_turned_about_z(const sinew_Mat3 *frame, double sine, double cosine)
{
    sinew_Mat3 r = { sinew_vec3_add_scaled(sinew_vec3_scale(frame->x, cosine), frame->y, sine),
        sinew_vec3_add_scaled(sinew_vec3_scale(frame->y, cosine), frame->x, -sine), frame->z };
    return r;
}

double snw_fit_turn(
    const sinew_Mat3 *frame, sinew_Vec3 next_axis, double *out_sine, double *out_cosine)
{
    SNW_ASSERT(snw_holds_direction(next_axis));
    sinew_Vec3 across = sinew_vec3_cross(frame->z, next_axis);
    double along = sinew_vec3_dot(frame->z, next_axis), size = sinew_vec3_length(across);
    double whole = sqrt(along * along + size * size);
    *out_sine = size / whole;
    *out_cosine = along / whole;
    if (size < 1e-14) { return 0.0; }
    return sinew_atan2(sinew_vec3_dot(across, frame->y), sinew_vec3_dot(across, frame->x));
}

static bool no_offset(const snw_ChainJoint *joint)
{
    double size = fabs(joint->offset_x) + fabs(joint->offset_y) + fabs(joint->offset_z);
    return !joint->slide && size < 1e-12;
}

void snw_chain_build(snw_Chain *chain, const snw_Plan *plan)
{
    chain->count = 0;
    if (!is_chain(plan)) { return; }
    int first = plan->static_link_count;
    const snw_Effector *effector = &plan->effectors[0];
    chain->count = plan->link_count - first;
    chain->reach = plan->reach;
    chain->position = effector->position;
    chain->orientation = effector->orientation;

    // the chain at zero: each link's frame and origin, and the joint frame that follows the axis
    sinew_Mat3 link_frame = sinew_mat3_identity(), frame = sinew_mat3_identity();
    sinew_Vec3 origin = { 0.0, 0.0, 0.0 };
    double scale = 1.0 / plan->reach;
    for (int i = 0; i <= chain->count; ++i) {
        bool tip = i == chain->count;
        const snw_Link *link = &plan->links[first + (tip ? i - 1 : i)];
        sinew_Vec3 offset = tip ? effector->offset : link->offset;
        sinew_Vec3 next = sinew_vec3_add(origin, sinew_mat3_mul_vec3(link_frame, offset));
        if (!tip) { link_frame = sinew_mat3_mul(link_frame, link->turn); }
        sinew_Vec3 axis = tip ? frame.z : snw_link_axis(link, &link_frame);
        if (i == 0) {
            frame = sinew_mat3_from_quat(sinew_quat_between(sinew_vec3(0.0, 0.0, 1.0), axis));
            chain->first = frame;
            chain->first_origin = sinew_vec3_scale(next, scale);
        } else {
            snw_ChainJoint *joint = &chain->joints[i - 1];
            double angle = snw_fit_turn(&frame, axis, &joint->sine, &joint->cosine), s, c;
            chain->angle[i - 1] = angle;
            sinew_sincos(angle, &s, &c);
            frame = snw_turned_about_z(&frame, s, c);
            sinew_Vec3 way = sinew_mat3_transpose_mul_vec3(frame, sinew_vec3_sub(next, origin));
            joint->offset_x = way.x * scale;
            joint->offset_y = way.y * scale;
            joint->offset_z = way.z * scale;
            if (!tip) {
                sinew_Mat3 before = frame;
                frame.y = sinew_vec3_add_scaled(
                    sinew_vec3_scale(before.y, joint->cosine), before.z, joint->sine);
                frame.z = sinew_vec3_add_scaled(
                    sinew_vec3_scale(before.z, joint->cosine), before.y, -joint->sine);
            }
        }
        if (!tip) { chain->joints[i].slide = !snw_motion_is_hinge(link->motion); }
        origin = next;
    }
    sinew_Mat3 effector_frame = sinew_mat3_mul(link_frame, effector->link_from_effector);
    chain->effector_from_tip = sinew_mat3_mul(sinew_mat3_transpose(effector_frame), frame);
    // joints at the tip do not move it
    while (!chain->orientation && chain->count > 1 && no_offset(&chain->joints[chain->count - 1])) {
        --chain->count;
    }
    chain->groups = snw_lane_groups(chain->count);
    chain->has_slides = false;
    chain->has_locked = false;
    chain->first_value = plan->links[first].value;
    chain->locked = 0;
    for (int i = 0; i < chain->count; ++i) {
        chain->has_slides = chain->has_slides || chain->joints[i].slide;
        bool locked = plan->links[first + i].dof < 0;
        chain->has_locked = chain->has_locked || locked;
        if (locked && i < 32) { chain->locked |= 1u << i; }
    }
    // the padding moves nothing and is never out of range
    for (int i = chain->count; i < chain->groups * SNW_LANE_COUNT; ++i) {
        double *const padded[] = { chain->angle, chain->lower, chain->upper, chain->axis_x,
            chain->axis_y, chain->axis_z, chain->origin_x, chain->origin_y, chain->origin_z };
        for (size_t k = 0; k < sizeof padded / sizeof padded[0]; ++k) { padded[k][i] = 0.0; }
    }
}

static void take_ranges(snw_Chain *chain, const snw_Plan *plan, bool open)
{
    if (chain->range_count == plan->range_count && chain->ranges_open == open) { return; }
    chain->range_count = plan->range_count;
    chain->ranges_open = open;
    ++chain->own_range_count;
    for (int i = 0; i < chain->count; ++i) {
        const snw_Link *link = &plan->links[plan->static_link_count + i];
        double unit = chain->joints[i].slide ? 1.0 / chain->reach : 1.0;
        if (link->dof < 0) { continue; } // its one value is loaded
        chain->lower[i] = open ? -INFINITY : plan->lower[link->dof] * unit;
        chain->upper[i] = open ? INFINITY : plan->upper[link->dof] * unit;
    }
}

void snw_chain_begin(snw_Chain *chain, const snw_Plan *plan, const snw_Targets *targets,
    sinew_LimitMode limits, const sinew_Mat3 *base_rotation, sinew_Vec3 base_position)
{
    double scale = 1.0 / chain->reach;
    sinew_Vec3 way = sinew_vec3_sub(targets->position[0], base_position);
    chain->target = sinew_vec3_scale(sinew_mat3_transpose_mul_vec3(*base_rotation, way), scale);
    chain->weight = 1.0;
    if (chain->orientation) {
        sinew_Mat3 goal = sinew_mat3_mul(
            sinew_mat3_transpose(*base_rotation), targets->orientation[0]);
        chain->target_frame = sinew_mat3_mul(goal, chain->effector_from_tip);
        if (chain->position) {
            chain->weight = targets->orientation_scale[0]
                / (targets->position_scale[0] * chain->reach);
        }
    }
    take_ranges(chain, plan, limits == SINEW_LIMITS_NONE);
}

// 0.0 and -0.0 are two
static inline bool has_same_bits(double a, double b)
{
    uint64_t left, right;
    memcpy(&left, &a, sizeof left);
    memcpy(&right, &b, sizeof right);
    return left == right;
}

bool snw_chain_load(
    const snw_Chain *chain, const snw_Plan *plan, const double *values, double *joints)
{
    const int count = chain->count;
    const bool slides = chain->has_slides;
    const double *given = &values[chain->first_value];
    bool same = true;
    for (int i = 0; i < count; ++i) {
        double value = given[i];
        if (slides) { value *= chain->joints[i].slide ? 1.0 / chain->reach : 1.0; }
        same = same && has_same_bits(joints[i], value);
        joints[i] = value;
    }
    for (int i = 0; chain->has_locked && i < count; ++i) {
        if (plan->links[plan->static_link_count + i].dof >= 0) { continue; }
        chain->lower[i] = joints[i];
        chain->upper[i] = joints[i];
    }
    return same;
}

void snw_chain_store(
    const snw_Chain *chain, const snw_Plan *plan, const double *joints, double *values)
{
    if (!chain->has_slides && !chain->has_locked) {
        double *to = &values[chain->first_value];
        for (int i = 0, count = chain->count; i < count; ++i) { to[i] = joints[i]; }
        return;
    }
    for (int i = 0; i < chain->count; ++i) {
        const snw_Link *link = &plan->links[plan->static_link_count + i];
        if (link->dof < 0) { continue; }
        double value = joints[i];
        if (chain->joints[i].slide) {
            // the chain's own ranges are open where limits are ignored
            double lower = chain->lower[i] > -INFINITY ? plan->lower[link->dof] : -INFINITY;
            double upper = chain->upper[i] < INFINITY ? plan->upper[link->dof] : INFINITY;
            // one that did not move keeps its bits
            if (values[link->value] * (1.0 / chain->reach) == value) { continue; }
            double metres = value * chain->reach;
            bool low = value == chain->lower[i] || metres < lower;
            bool high = value == chain->upper[i] || metres > upper;
            value = low ? lower : (high ? upper : metres);
        }
        values[link->value] = value;
    }
}

void snw_chain_put(const snw_Chain *chain, const snw_Plan *plan, const double *joints, double *q)
{
    SNW_ASSERT(!chain->has_slides);
    const snw_Link *links = &plan->links[plan->static_link_count];
    for (int i = 0; i < chain->count; ++i) {
        if (links[i].dof >= 0) { q[links[i].coordinate] = joints[i]; }
    }
}

// ---------------------------------------------------------------------------------------------
// Forward kinematics and errors

// sines of all joints: they do not wait for each other, the chain of frames does
static void find_sines(snw_Chain *chain, const double *joints)
{
    const snw_LooseLanes *values = (const snw_LooseLanes *)(const void *)joints;
    const snw_Lanes *angle = (const snw_Lanes *)(const void *)chain->angle;
    snw_Lanes *sine = (snw_Lanes *)(void *)chain->sine,
              *cosine = (snw_Lanes *)(void *)chain->cosine;
    for (int k = 0; k < chain->groups; ++k) {
        snw_lanes_sincos(snw_lanes_add(values[k], angle[k]), &sine[k], &cosine[k]);
    }
    for (int i = 0; chain->has_slides && i < chain->count; ++i) {
        if (!chain->joints[i].slide) { continue; }
        snw_sincos(chain->angle[i], &chain->sine[i], &chain->cosine[i]);
    }
}

// A vector whose x and y are computed at once.
typedef struct Flat {
    snw_Lanes xy;
    double z;
} Flat;

static inline Flat flat(sinew_Vec3 v)
{
    return (Flat){ snw_lanes_pair(v.x, v.y), v.z };
}

static inline sinew_Vec3 unflat(Flat v)
{
    return sinew_vec3(snw_lanes_get(v.xy, 0), snw_lanes_get(v.xy, 1), v.z);
}

// a s + b t
static inline Flat mix(Flat a, double s, Flat b, double t)
{
    return (
        Flat){ snw_lanes_add(snw_lanes_mul(a.xy, snw_lanes(s)), snw_lanes_mul(b.xy, snw_lanes(t))),
        a.z * s + b.z * t };
}

// a s - b t
static inline Flat unmix(Flat a, double s, Flat b, double t)
{
    return (
        Flat){ snw_lanes_sub(snw_lanes_mul(a.xy, snw_lanes(s)), snw_lanes_mul(b.xy, snw_lanes(t))),
        a.z * s - b.z * t };
}

// the frames of all joints, and the tip
static void find_frames(snw_Chain *chain, const double *joints)
{
    int count = chain->count;
    find_sines(chain, joints);
    Flat x = flat(chain->first.x), y = flat(chain->first.y), z = flat(chain->first.z);
    Flat p = flat(chain->first_origin);
    for (int i = 0; i < count; ++i) {
        const snw_ChainJoint *joint = &chain->joints[i];
        double s = chain->sine[i], c = chain->cosine[i];
        chain->axis_x[i] = snw_lanes_get(z.xy, 0);
        chain->axis_y[i] = snw_lanes_get(z.xy, 1);
        chain->axis_z[i] = z.z;
        chain->origin_x[i] = snw_lanes_get(p.xy, 0);
        chain->origin_y[i] = snw_lanes_get(p.xy, 1);
        chain->origin_z[i] = p.z;
        Flat u = mix(x, c, y, s), v = unmix(y, c, x, s);
        double oz = joint->slide ? joint->offset_z + joints[i] : joint->offset_z;
        Flat way = mix(u, joint->offset_x, v, joint->offset_y);
        way.xy = snw_lanes_add(way.xy, snw_lanes_mul(z.xy, snw_lanes(oz)));
        way.z += z.z * oz;
        p.xy = snw_lanes_add(p.xy, way.xy);
        p.z += way.z;
        x = u;
        y = mix(v, joint->cosine, z, joint->sine);
        z = unmix(z, joint->cosine, v, joint->sine);
    }
    chain->tip = unflat(p);
    chain->frame = (sinew_Mat3){ unflat(x), unflat(y), unflat(z) };
    chain->has_frames = true;
}

double snw_chain_judge(snw_Chain *chain)
{
    double error2 = 0.0;
    if (chain->position) {
        chain->position_error = sinew_vec3_sub(chain->target, chain->tip);
        chain->position_error2 = sinew_vec3_dot(chain->position_error, chain->position_error);
        error2 = chain->position_error2;
    }
    if (chain->orientation) {
        sinew_Vec3 chord = snw_rotation_chord(&chain->frame, &chain->target_frame);
        chain->chord2 = sinew_vec3_dot(chord, chord);
        chain->orientation_error = sinew_vec3_scale(chord, chain->weight);
        error2 += chain->weight * chain->weight * chain->chord2;
    }
    return error2;
}

double snw_chain_measure(snw_Chain *chain, const double *joints)
{
    find_frames(chain, joints);
    return snw_chain_judge(chain);
}

double snw_chain_measure_tip(snw_Chain *chain, const double *joints)
{
    find_sines(chain, joints);
    sinew_Vec3 way = { 0.0, 0.0, 0.0 }; // from a joint to the tip, in the frame it moves in
    for (int i = chain->count - 1; i >= 0; --i) {
        const snw_ChainJoint *joint = &chain->joints[i];
        double s = chain->sine[i], c = chain->cosine[i];
        double x = way.x + joint->offset_x;
        double y = joint->cosine * way.y - joint->sine * way.z + joint->offset_y;
        double z = joint->sine * way.y + joint->cosine * way.z + joint->offset_z;
        way = sinew_vec3(c * x - s * y, s * x + c * y, joint->slide ? z + joints[i] : z);
    }
    chain->tip = sinew_vec3_add(chain->first_origin, sinew_mat3_mul_vec3(chain->first, way));
    chain->has_frames = false;
    return snw_chain_judge(chain);
}

// ---------------------------------------------------------------------------------------------
// The linear model

static inline const snw_Lanes *lanes_of(const double *numbers)
{
    return (const snw_Lanes *)(const void *)numbers;
}

// a x b, componentwise by lanes
static inline snw_Lanes cross_part(snw_Lanes ay, snw_Lanes az, snw_Lanes by, snw_Lanes bz)
{
    return snw_lanes_sub(snw_lanes_mul(ay, bz), snw_lanes_mul(az, by));
}

// columns of slides: along the axis, no turn
static void put_slides(snw_Chain *chain)
{
    snw_ChainColumns *c = &chain->columns;
    double *const rows[] = { (double *)c->x, (double *)c->y, (double *)c->z, (double *)c->turn_x,
        (double *)c->turn_y, (double *)c->turn_z };
    const double *const axes[] = { chain->axis_x, chain->axis_y, chain->axis_z };
    for (int i = 0; i < chain->count; ++i) {
        if (!chain->joints[i].slide) { continue; }
        for (int k = 0; k < 3; ++k) {
            rows[k][i] = chain->position ? axes[k][i] : 0.0;
            rows[k + 3][i] = 0.0;
        }
    }
}

void snw_chain_linearize(snw_Chain *chain)
{
    snw_ChainColumns *c = &chain->columns;
    const snw_Lanes *zx = lanes_of(chain->axis_x), *zy = lanes_of(chain->axis_y);
    const snw_Lanes *zz = lanes_of(chain->axis_z), *px = lanes_of(chain->origin_x);
    const snw_Lanes *py = lanes_of(chain->origin_y), *pz = lanes_of(chain->origin_z);
    snw_Lanes weight = snw_lanes(chain->weight);
    snw_Lanes tx = snw_lanes(chain->tip.x), ty = snw_lanes(chain->tip.y);
    snw_Lanes tz = snw_lanes(chain->tip.z);
    chain->error.linear = chain->position ? chain->position_error : chain->orientation_error;
    chain->error.angular = chain->orientation_error;
    for (int k = 0; k < chain->groups; ++k) {
        if (!chain->position) {
            c->x[k] = snw_lanes_mul(zx[k], weight);
            c->y[k] = snw_lanes_mul(zy[k], weight);
            c->z[k] = snw_lanes_mul(zz[k], weight);
            continue;
        }
        snw_Lanes wx = snw_lanes_sub(tx, px[k]), wy = snw_lanes_sub(ty, py[k]);
        snw_Lanes wz = snw_lanes_sub(tz, pz[k]);
        c->x[k] = cross_part(zy[k], zz[k], wy, wz);
        c->y[k] = cross_part(zz[k], zx[k], wz, wx);
        c->z[k] = cross_part(zx[k], zy[k], wx, wy);
        if (chain->orientation) {
            c->turn_x[k] = snw_lanes_mul(zx[k], weight);
            c->turn_y[k] = snw_lanes_mul(zy[k], weight);
            c->turn_z[k] = snw_lanes_mul(zz[k], weight);
        }
    }
    if (chain->has_slides) { put_slides(chain); }
}

// J J^T: sums of products of columns, by its three blocks; the outer two are symmetric
typedef struct Matrix {
    snw_Symmetric3 pp, rr;
    double pr[9]; // row by row: position against orientation
} Matrix;

// Gauss elimination by LDL^T for matrices that are all but singular
static void solve_rows(double *m, double *x, int n)
{
    SNW_ASSERT(n >= 0);
    for (int k = 0; k < n; ++k) {
        double pivot = m[k * n + k];
        double inverse = pivot > 0.0 ? 1.0 / pivot : 0.0;
        for (int i = k + 1; i < n; ++i) {
            double ratio = m[k * n + i] * inverse;
            for (int j = i; j < n; ++j) { m[i * n + j] -= ratio * m[k * n + j]; }
            x[i] -= ratio * x[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        double sum = x[k];
        for (int j = k + 1; j < n; ++j) { sum -= m[k * n + j] * x[j]; }
        x[k] = m[k * n + k] > 0.0 ? sum / m[k * n + k] : 0.0;
    }
}

static snw_ChainRows solve_by_rows(const Matrix *m, const snw_ChainRows *e, bool three)
{
    const snw_Symmetric3 *p = &m->pp, *r = &m->rr;
    const double *c = m->pr;
    double x[6] = { e->linear.x, e->linear.y, e->linear.z, e->angular.x, e->angular.y,
        e->angular.z };
    if (three) {
        double a[9] = { p->xx, p->xy, p->xz, 0, p->yy, p->yz, 0, 0, p->zz };
        solve_rows(a, x, 3);
    } else {
        double a[36] = { p->xx, p->xy, p->xz, c[0], c[1], c[2], 0, p->yy, p->yz, c[3], c[4], c[5],
            0, 0, p->zz, c[6], c[7], c[8], 0, 0, 0, r->xx, r->xy, r->xz, 0, 0, 0, 0, r->yy, r->yz,
            0, 0, 0, 0, 0, r->zz };
        solve_rows(a, x, 6);
    }
    snw_ChainRows f = { { x[0], x[1], x[2] }, { x[3], x[4], x[5] } };
    return f;
}

// (J J^T + damping) f = e, six rows by two 3x3 blocks
static inline snw_ChainRows solve_pose(const Matrix *whole, const snw_ChainRows *e, double damping)
{
    Matrix m = *whole;
    snw_symmetric3_damp(&m.pp, damping);
    snw_symmetric3_damp(&m.rr, damping);
    snw_Symmetric3 p, s;
    bool fine = snw_symmetric3_invert(&m.pp, snw_symmetric3_trace(&m.pp), &p);
    // K = pp^-1 pr, column by column; the Schur complement is rr - pr^T K
    const double *c = m.pr;
    sinew_Vec3 c0 = { c[0], c[3], c[6] }, c1 = { c[1], c[4], c[7] }, c2 = { c[2], c[5], c[8] };
    sinew_Vec3 k0 = snw_symmetric3_mul(&p, c0), k1 = snw_symmetric3_mul(&p, c1),
               k2 = snw_symmetric3_mul(&p, c2);
    snw_Symmetric3 schur = { m.rr.xx - sinew_vec3_dot(c0, k0), m.rr.xy - sinew_vec3_dot(c0, k1),
        m.rr.xz - sinew_vec3_dot(c0, k2), m.rr.yy - sinew_vec3_dot(c1, k1),
        m.rr.yz - sinew_vec3_dot(c1, k2), m.rr.zz - sinew_vec3_dot(c2, k2) };
    fine = snw_symmetric3_invert(&schur, snw_symmetric3_trace(&m.rr), &s) && fine;
    if (!fine) { return solve_by_rows(&m, e, false); }
    sinew_Vec3 rest = { e->angular.x - sinew_vec3_dot(k0, e->linear),
        e->angular.y - sinew_vec3_dot(k1, e->linear),
        e->angular.z - sinew_vec3_dot(k2, e->linear) };
    snw_ChainRows f;
    f.angular = snw_symmetric3_mul(&s, rest);
    f.linear = snw_symmetric3_mul(&p, e->linear);
    f.linear.x -= k0.x * f.angular.x + k1.x * f.angular.y + k2.x * f.angular.z;
    f.linear.y -= k0.y * f.angular.x + k1.y * f.angular.y + k2.y * f.angular.z;
    f.linear.z -= k0.z * f.angular.x + k1.z * f.angular.y + k2.z * f.angular.z;
    return f;
}

static inline snw_ChainRows solve_three(const snw_Symmetric3 *whole, sinew_Vec3 e, double damping)
{
    SNW_ASSERT(damping >= 0.0);
    Matrix m = { .pp = *whole };
    snw_symmetric3_damp(&m.pp, damping);
    snw_Symmetric3 inverse;
    snw_ChainRows f = { e, { 0.0, 0.0, 0.0 } };
    if (!snw_symmetric3_invert(&m.pp, snw_symmetric3_trace(&m.pp), &inverse)) {
        return solve_by_rows(&m, &f, true);
    }
    f.linear = snw_symmetric3_mul(&inverse, e);
    return f;
}

// ---------------------------------------------------------------------------------------------
// The step

// J f of one group of joints
static inline snw_Lanes along(const snw_ChainColumns *c, int k, const snw_ChainRows *f, bool three)
{
    snw_Lanes r = snw_lanes_mul(c->x[k], snw_lanes(f->linear.x));
    r = snw_lanes_madd(r, c->y[k], snw_lanes(f->linear.y));
    r = snw_lanes_madd(r, c->z[k], snw_lanes(f->linear.z));
    if (three) { return r; }
    snw_Lanes turn = snw_lanes_mul(c->turn_x[k], snw_lanes(f->angular.x));
    turn = snw_lanes_madd(turn, c->turn_y[k], snw_lanes(f->angular.y));
    turn = snw_lanes_madd(turn, c->turn_z[k], snw_lanes(f->angular.z));
    return snw_lanes_add(r, turn);
}

static inline snw_ChainRows column_of(const snw_ChainColumns *c, int i, bool three)
{
    snw_ChainRows r = { { ((const double *)c->x)[i], ((const double *)c->y)[i],
                            ((const double *)c->z)[i] },
        { 0.0, 0.0, 0.0 } };
    if (!three) {
        r.angular = sinew_vec3(((const double *)c->turn_x)[i], ((const double *)c->turn_y)[i],
            ((const double *)c->turn_z)[i]);
    }
    return r;
}

// sums over the joints that no bound holds
static inline snw_Symmetric3 squares(
    const snw_Chain *chain, const snw_Lanes *x, const snw_Lanes *y, const snw_Lanes *z)
{
    const snw_Lanes *free = lanes_of(chain->free);
    snw_Lanes none = snw_lanes(0.0), xx = none, xy = none, xz = none, yy = none, yz = none,
              zz = none;
    for (int k = 0; k < chain->groups; ++k) {
        snw_Lanes fx = snw_lanes_mul(x[k], free[k]), fy = snw_lanes_mul(y[k], free[k]);
        snw_Lanes fz = snw_lanes_mul(z[k], free[k]);
        xx = snw_lanes_madd(xx, fx, x[k]);
        xy = snw_lanes_madd(xy, fx, y[k]);
        xz = snw_lanes_madd(xz, fx, z[k]);
        yy = snw_lanes_madd(yy, fy, y[k]);
        yz = snw_lanes_madd(yz, fy, z[k]);
        zz = snw_lanes_madd(zz, fz, z[k]);
    }
    snw_Symmetric3 r = { snw_lanes_sum(xx), snw_lanes_sum(xy), snw_lanes_sum(xz), snw_lanes_sum(yy),
        snw_lanes_sum(yz), snw_lanes_sum(zz) };
    return r;
}

static inline void products(const snw_Chain *chain, double *out)
{
    const snw_ChainColumns *c = &chain->columns;
    const snw_Lanes *free = lanes_of(chain->free);
    snw_Lanes sums[9];
    for (int k = 0; k < 9; ++k) { sums[k] = snw_lanes(0.0); }
    for (int k = 0; k < chain->groups; ++k) {
        snw_Lanes x = snw_lanes_mul(c->x[k], free[k]), y = snw_lanes_mul(c->y[k], free[k]);
        snw_Lanes z = snw_lanes_mul(c->z[k], free[k]);
        sums[0] = snw_lanes_madd(sums[0], x, c->turn_x[k]);
        sums[1] = snw_lanes_madd(sums[1], x, c->turn_y[k]);
        sums[2] = snw_lanes_madd(sums[2], x, c->turn_z[k]);
        sums[3] = snw_lanes_madd(sums[3], y, c->turn_x[k]);
        sums[4] = snw_lanes_madd(sums[4], y, c->turn_y[k]);
        sums[5] = snw_lanes_madd(sums[5], y, c->turn_z[k]);
        sums[6] = snw_lanes_madd(sums[6], z, c->turn_x[k]);
        sums[7] = snw_lanes_madd(sums[7], z, c->turn_y[k]);
        sums[8] = snw_lanes_madd(sums[8], z, c->turn_z[k]);
    }
    for (int k = 0; k < 9; ++k) { out[k] = snw_lanes_sum(sums[k]); }
}

static inline Matrix matrix_of(const snw_Chain *chain, bool three)
{
    const snw_ChainColumns *c = &chain->columns;
    Matrix m;
    m.pp = squares(chain, c->x, c->y, c->z);
    if (!three) {
        m.rr = squares(chain, c->turn_x, c->turn_y, c->turn_z);
        products(chain, m.pr);
    }
    return m;
}

static inline snw_ChainRows solve(
    const Matrix *m, const snw_ChainRows *e, double damping, bool three)
{
    return three ? solve_three(&m->pp, e->linear, damping) : solve_pose(m, e, damping);
}

static inline void add_scaled(
    snw_ChainRows *to, const snw_ChainRows *column, double scale, bool three)
{
    to->linear = sinew_vec3_add_scaled(to->linear, column->linear, scale);
    if (!three) { to->angular = sinew_vec3_add_scaled(to->angular, column->angular, scale); }
}

// J^T f into chain->change
static inline void find_changes(snw_Chain *chain, const snw_ChainRows *f, bool three)
{
    snw_Lanes *change = (snw_Lanes *)(void *)chain->change;
    for (int k = 0; k < chain->groups; ++k) { change[k] = along(&chain->columns, k, f, three); }
}

// hold the joints on a bound that are pushed outward
static inline void hold(snw_Chain *chain, const double *joints, bool three)
{
    find_changes(chain, &chain->error, three);
    for (int i = 0; i < chain->groups * SNW_LANE_COUNT; ++i) {
        double force = chain->change[i];
        bool low = joints[i] <= chain->lower[i] && force < 0.0;
        bool high = joints[i] >= chain->upper[i] && force > 0.0;
        chain->free[i] = low || high ? 0.0 : 1.0;
    }
}

// one body for both numbers of rows, which the compiler takes apart
static inline double step(snw_Chain *chain, const double *joints, double damping, double *moved,
    double *out_largest, bool three)
{
    int count = chain->count;
    const double *lower = chain->lower, *upper = chain->upper;
    const double *change = chain->change;
    hold(chain, joints, three);
    Matrix m = matrix_of(chain, three);
    snw_ChainRows error = chain->error, f = solve(&m, &error, damping, three);
    find_changes(chain, &f, three);

    // those that would pass a bound end on it, and the others make up for it
    bool stopped = false;
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        double next = joints[i] + chain->free[i] * change[i];
        moved[i] = next < lower[i] ? lower[i] : (next > upper[i] ? upper[i] : next);
        double size = fabs(moved[i] - joints[i]);
        largest = size > largest ? size : largest;
        if (moved[i] != next) {
            snw_ChainRows column = column_of(&chain->columns, i, three);
            add_scaled(&error, &column, joints[i] - moved[i], three);
            chain->free[i] = 0.0;
            stopped = true;
        }
    }
    snw_ChainRows rest = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    if (stopped) {
        m = matrix_of(chain, three);
        f = solve(&m, &error, damping, three);
        find_changes(chain, &f, three);
        largest = 0.0;
        for (int i = 0; i < count; ++i) {
            double next = chain->free[i] != 0.0 ? joints[i] + change[i] : moved[i];
            moved[i] = next < lower[i] ? lower[i] : (next > upper[i] ? upper[i] : next);
            double size = fabs(moved[i] - joints[i]);
            largest = size > largest ? size : largest;
            if (moved[i] != next) {
                snw_ChainRows column = column_of(&chain->columns, i, three);
                add_scaled(&rest, &column, next - moved[i], three);
            }
        }
    }
    // what the linear model leaves is damping f, and what was cropped after all
    add_scaled(&rest, &f, damping, three);
    *out_largest = largest;
    double promise = sinew_vec3_dot(rest.linear, rest.linear);
    return three ? promise : promise + sinew_vec3_dot(rest.angular, rest.angular);
}

double snw_chain_step(
    snw_Chain *chain, const double *joints, double damping, double *moved, double *out_largest)
{
    return chain->position && chain->orientation
        ? step(chain, joints, damping, moved, out_largest, false)
        : step(chain, joints, damping, moved, out_largest, true);
}
