#include "solve/form.h"

#include "math/dense.h"
#include "math/holds.h"

// Articulated-body recursion; Featherstone (1983, 2008), for the mechanism of linear.h. Each body's
// inertia is kept about its own joint's origin P, in world axes, as three 3x3 blocks:
//
//     [ moment ]   [ a   b ] [ angular velocity ]
//     [ force  ] = [ b^T c ] [ velocity of P    ]
//
// About P a rotation is (axis, 0), so that taking a joint out costs little, and a ball goes out as
// one block: with D = a + d 1 what is left is a' = d (1 - d D^-1), b' = d D^-1 b,
// c' = c - b^T D^-1 b, in which only c' subtracts.

typedef struct Symmetric {
    double xx, xy, yy, xz, yz, zz; // packed lower triangle
} Symmetric;

typedef struct Body {
    Symmetric a, c;
    sinew_Mat3 b; // columns
    sinew_Vec3 moment, force;
} Body;

// what a ball that went out as one block leaves for the way back from the root
typedef struct BallWork {
    Symmetric inverse; // D^-1
    sinew_Mat3 b;      // before it went out
    sinew_Vec3 rest;   // pull + moment
    double damping;    // d
} BallWork;

// what one axis leaves: a hinge, a slide, or one direction of a ball with fixed ones
typedef struct AxisWork {
    sinew_Vec3 angular, linear; // momentum of its unit motion
    double rest, scale;         // pull + force along it; 1 / (axis . momentum + d)
} AxisWork;

typedef union LinkWork {
    BallWork ball;
    AxisWork axis[3];
} LinkWork;

_Static_assert(
    sizeof(Body) + sizeof(LinkWork) <= SNW_LINK_WORK * sizeof(double), "link work is too small");

static inline sinew_Vec3 mul(const Symmetric *m, sinew_Vec3 v)
{
    return sinew_vec3(m->xx * v.x + m->xy * v.y + m->xz * v.z,
        m->xy * v.x + m->yy * v.y + m->yz * v.z, m->xz * v.x + m->yz * v.y + m->zz * v.z);
}

static inline void subtract_square(Symmetric *m, sinew_Vec3 u, double scale)
{
    SNW_ASSERT(scale >= 0.0);
    double x = scale * u.x, y = scale * u.y, z = scale * u.z;
    m->xx -= x * u.x;
    m->xy -= x * u.y;
    m->yy -= y * u.y;
    m->xz -= x * u.z;
    m->yz -= y * u.z;
    m->zz -= z * u.z;
}

static inline void add_symmetric(Symmetric *m, const Symmetric *other)
{
    m->xx += other->xx;
    m->xy += other->xy;
    m->yy += other->yy;
    m->xz += other->xz;
    m->yz += other->yz;
    m->zz += other->zz;
}

// the point masses and forces of the targets on one link: c = sum w, b = sum w p x,
// a = sum w (|p|^2 1 - p p^T) + l^2 w 1, p from the link's origin
static void load_targets(Body *body, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const double *error, int link)
{
    SNW_ASSERT(link >= 0);
    Symmetric a = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };
    sinew_Vec3 moment = { 0.0, 0.0, 0.0 }, force = { 0.0, 0.0, 0.0 }, s = { 0.0, 0.0, 0.0 };
    double mass = 0.0;
    for (int i = plan->link_effectors[link]; i < plan->link_effectors[link + 1]; ++i) {
        int e = plan->effector_order[i];
        const snw_Effector *effector = &plan->effectors[e];
        const double *scaled = &error[effector->row];
        if (effector->position) {
            sinew_Vec3 p = sinew_vec3_sub(state->effector_position[e], state->position[link]);
            double scale = targets->position_scale[e], w = scale * scale;
            sinew_Vec3 wp = sinew_vec3_scale(p, w);
            mass += w;
            s = sinew_vec3_add(s, wp);
            a.xx += wp.y * p.y + wp.z * p.z;
            a.yy += wp.x * p.x + wp.z * p.z;
            a.zz += wp.x * p.x + wp.y * p.y;
            a.xy -= wp.x * p.y;
            a.xz -= wp.x * p.z;
            a.yz -= wp.y * p.z;
            sinew_Vec3 f = { scale * scaled[0], scale * scaled[1], scale * scaled[2] };
            force = sinew_vec3_add(force, f);
            moment = sinew_vec3_add(moment, sinew_vec3_cross(p, f));
            scaled += 3;
        }
        if (effector->orientation) {
            double scale = targets->orientation_scale[e];
            a.xx += scale * scale;
            a.yy += scale * scale;
            a.zz += scale * scale;
            moment = sinew_vec3_add_scaled(
                moment, sinew_vec3(scaled[0], scaled[1], scaled[2]), scale);
        }
    }
    body->a = a;
    body->c = (Symmetric){ mass, 0.0, mass, 0.0, 0.0, mass };
    body->b = (sinew_Mat3){ { 0.0, s.z, -s.y }, { -s.z, 0.0, s.x }, { s.y, -s.x, 0.0 } };
    body->moment = moment;
    body->force = force;
}

// take a ball out of a body
static bool eliminate_ball(Body *body, double d, sinew_Vec3 pull, BallWork *work)
{
    double packed[6] = { body->a.xx + d, body->a.xy, body->a.yy + d, body->a.xz, body->a.yz,
        body->a.zz + d };
    double v[6];
    if (!snw_invert_symmetric3(packed, 0.0, v)) {
        // a poor determinant: by columns with a pivoting-free factoring that notices lost rank
        for (int k = 0; k < 3; ++k) {
            double copy[6], unit[3] = { 0.0, 0.0, 0.0 }, column[3];
            for (int i = 0; i < 6; ++i) { copy[i] = packed[i]; }
            unit[k] = 1.0;
            if (!snw_solve_packed(copy, 3, 0.0, unit, column)) { return false; }
            for (int i = k; i < 3; ++i) { v[SNW_PACKED(i, k)] = column[i]; }
        }
    }
    Symmetric inverse = { v[0], v[1], v[2], v[3], v[4], v[5] };
    sinew_Vec3 rest = sinew_vec3_add(body->moment, pull);
    work->inverse = inverse;
    work->b = body->b;
    work->rest = rest;
    work->damping = d;

    sinew_Mat3 x = { mul(&inverse, body->b.x), mul(&inverse, body->b.y), mul(&inverse, body->b.z) };
    body->c.xx -= sinew_vec3_dot(body->b.x, x.x);
    body->c.xy -= sinew_vec3_dot(body->b.x, x.y);
    body->c.yy -= sinew_vec3_dot(body->b.y, x.y);
    body->c.xz -= sinew_vec3_dot(body->b.x, x.z);
    body->c.yz -= sinew_vec3_dot(body->b.y, x.z);
    body->c.zz -= sinew_vec3_dot(body->b.z, x.z);
    sinew_Vec3 turned = mul(&inverse, rest);
    body->force = sinew_vec3_sub(body->force, sinew_mat3_transpose_mul_vec3(body->b, turned));
    // moment - a D^-1 rest, with a = D - d
    body->moment = sinew_vec3_add_scaled(sinew_vec3_scale(pull, -1.0), turned, d);
    body->b = (sinew_Mat3){ sinew_vec3_scale(x.x, d), sinew_vec3_scale(x.y, d),
        sinew_vec3_scale(x.z, d) };
    double d2 = d * d;
    body->a = (Symmetric){ d - d2 * inverse.xx, -d2 * inverse.xy, d - d2 * inverse.yy,
        -d2 * inverse.xz, -d2 * inverse.yz, d - d2 * inverse.zz };
    return true;
}

// take one axis out of a body: a hinge (axis, 0) or a slide (0, axis)
static bool eliminate_axis(
    Body *body, sinew_Vec3 axis, bool hinge, double d, double pull, AxisWork *work)
{
    SNW_ASSERT(snw_holds_direction(axis));
    sinew_Vec3 angular = hinge ? mul(&body->a, axis) : sinew_mat3_mul_vec3(body->b, axis);
    sinew_Vec3 linear = hinge ? sinew_mat3_transpose_mul_vec3(body->b, axis) : mul(&body->c, axis);
    double pivot = d + sinew_vec3_dot(axis, hinge ? angular : linear);
    if (!(pivot > 0.0)) { return false; }
    double scale = 1.0 / pivot;
    double rest = pull + sinew_vec3_dot(axis, hinge ? body->moment : body->force);
    *work = (AxisWork){ angular, linear, rest, scale };

    subtract_square(&body->a, angular, scale);
    subtract_square(&body->c, linear, scale);
    body->b.x = sinew_vec3_add_scaled(body->b.x, angular, -scale * linear.x);
    body->b.y = sinew_vec3_add_scaled(body->b.y, angular, -scale * linear.y);
    body->b.z = sinew_vec3_add_scaled(body->b.z, angular, -scale * linear.z);
    body->moment = sinew_vec3_add_scaled(body->moment, angular, -scale * rest);
    body->force = sinew_vec3_add_scaled(body->force, linear, -scale * rest);
    return true;
}

// an axis whose step is given: the body stays as it is, but feels the motion already
static void fix_axis(Body *body, sinew_Vec3 axis, bool hinge, double step)
{
    sinew_Vec3 angular = hinge ? mul(&body->a, axis) : sinew_mat3_mul_vec3(body->b, axis);
    sinew_Vec3 linear = hinge ? sinew_mat3_transpose_mul_vec3(body->b, axis) : mul(&body->c, axis);
    body->moment = sinew_vec3_add_scaled(body->moment, angular, -step);
    body->force = sinew_vec3_add_scaled(body->force, linear, -step);
}

// hand what is left of a body to its parent, whose origin is r before the body's:
// b_o = b + R c, a_o = a + R b^T - b_o R, R = r x
static void add_to_parent(Body *parent, const Body *body, sinew_Vec3 r)
{
    const Symmetric *c = &body->c;
    sinew_Mat3 b = {
        sinew_vec3_add(body->b.x, sinew_vec3_cross(r, sinew_vec3(c->xx, c->xy, c->xz))),
        sinew_vec3_add(body->b.y, sinew_vec3_cross(r, sinew_vec3(c->xy, c->yy, c->yz))),
        sinew_vec3_add(body->b.z, sinew_vec3_cross(r, sinew_vec3(c->xz, c->yz, c->zz))),
    };
    // rows of b^T are columns of b: column j of R b^T is r x (row j of b)
    const sinew_Mat3 *old = &body->b;
    sinew_Vec3 row0 = { old->x.x, old->y.x, old->z.x }, row1 = { old->x.y, old->y.y, old->z.y },
               row2 = { old->x.z, old->y.z, old->z.z };
    sinew_Vec3 rb0 = sinew_vec3_cross(r, row0), rb1 = sinew_vec3_cross(r, row1),
               rb2 = sinew_vec3_cross(r, row2);
    // entry (i, j) of b_o R is (row i of b_o) x r, taken at j
    sinew_Vec3 new0 = { b.x.x, b.y.x, b.z.x }, new1 = { b.x.y, b.y.y, b.z.y },
               new2 = { b.x.z, b.y.z, b.z.z };
    sinew_Vec3 br0 = sinew_vec3_cross(new0, r), br1 = sinew_vec3_cross(new1, r),
               br2 = sinew_vec3_cross(new2, r);
    parent->a.xx += body->a.xx + rb0.x - br0.x;
    parent->a.xy += body->a.xy + rb0.y - br1.x;
    parent->a.yy += body->a.yy + rb1.y - br1.y;
    parent->a.xz += body->a.xz + rb0.z - br2.x;
    parent->a.yz += body->a.yz + rb1.z - br2.y;
    parent->a.zz += body->a.zz + rb2.z - br2.z;
    parent->b.x = sinew_vec3_add(parent->b.x, b.x);
    parent->b.y = sinew_vec3_add(parent->b.y, b.y);
    parent->b.z = sinew_vec3_add(parent->b.z, b.z);
    add_symmetric(&parent->c, c);
    parent->force = sinew_vec3_add(parent->force, body->force);
    parent->moment = sinew_vec3_add(
        sinew_vec3_add(parent->moment, body->moment), sinew_vec3_cross(r, body->force));
}

// one direction of a ball's triad
static sinew_Vec3 triad_axis(const sinew_Mat3 *triad, int k)
{
    return k == 0 ? triad->x : (k == 1 ? triad->y : triad->z);
}

// take one dof out, or let the body feel its motion when that is given
static bool eliminate_dof(const snw_Linear *linear, const snw_Plan *plan, int dof, sinew_Vec3 axis,
    bool hinge, Body *body, AxisWork *work)
{
    SNW_ASSERT(snw_holds_direction(axis));
    SNW_ASSERT(dof >= 0);
    if (linear->any_fixed && linear->fixed[dof]) {
        fix_axis(body, axis, hinge, linear->fixed_step[dof]);
        return true;
    }
    double pull = linear->has_pull ? linear->pull[dof] : 0.0;
    return eliminate_axis(body, axis, hinge, snw_linear_damping(linear, plan, dof), pull, work);
}

static bool eliminate_link(const snw_Linear *linear, const snw_Plan *plan, const snw_State *state,
    int l, Body *body, LinkWork *work)
{
    const snw_Link *link = &plan->links[l];
    int d = link->dof;
    if (d < 0) { return true; }
    if (link->motion != SNW_BALL) {
        return eliminate_dof(linear, plan, d, snw_link_axis(link, &state->rotation[l]),
            snw_motion_is_hinge(link->motion), body, &work->axis[0]);
    }
    if (linear->any_turned && linear->turned[l]) {
        for (int k = 0; k < 3; ++k) {
            sinew_Vec3 axis = triad_axis(&linear->triad[l], k);
            if (!eliminate_dof(linear, plan, d + k, axis, true, body, &work->axis[k])) {
                return false;
            }
        }
        return true;
    }
    sinew_Vec3 pull = { 0.0, 0.0, 0.0 };
    if (linear->has_pull) {
        pull = sinew_vec3(linear->pull[d], linear->pull[d + 1], linear->pull[d + 2]);
    }
    return eliminate_ball(body, snw_linear_damping(linear, plan, d), pull, &work->ball);
}

// step of one dof under the motion of what it hangs on, which then has it too
static void move_dof(const snw_Linear *linear, int dof, sinew_Vec3 axis, bool hinge,
    const AxisWork *work, sinew_Vec3 *angular, sinew_Vec3 *velocity)
{
    SNW_ASSERT(snw_holds_direction(axis));
    SNW_ASSERT(dof >= 0);
    double step;
    if (linear->any_fixed && linear->fixed[dof]) {
        step = linear->fixed_step[dof];
    } else {
        double along = sinew_vec3_dot(work->angular, *angular)
            + sinew_vec3_dot(work->linear, *velocity);
        step = (work->rest - along) * work->scale;
    }
    linear->step[dof] = step;
    sinew_Vec3 *part = hinge ? angular : velocity;
    *part = sinew_vec3_add_scaled(*part, axis, step);
}

// the motion of a link, its own dofs included, from that of its parent brought to its origin
static void move_link(const snw_Linear *linear, const snw_Plan *plan, const snw_State *state, int l,
    const LinkWork *work, sinew_Vec3 *angular, sinew_Vec3 *velocity)
{
    const snw_Link *link = &plan->links[l];
    int d = link->dof;
    if (d < 0) { return; }
    if (link->motion != SNW_BALL) {
        move_dof(linear, d, snw_link_axis(link, &state->rotation[l]),
            snw_motion_is_hinge(link->motion), &work->axis[0], angular, velocity);
        return;
    }
    if (linear->any_turned && linear->turned[l]) {
        // the direction that went out last meets the parent's motion first
        for (int k = 2; k >= 0; --k) {
            move_dof(linear, d + k, triad_axis(&linear->triad[l], k), true, &work->axis[k], angular,
                velocity);
        }
        return;
    }
    // angular + step = D^-1 (rest + d angular - b velocity)
    const BallWork *ball = &work->ball;
    sinew_Vec3 right = sinew_vec3_sub(sinew_vec3_add_scaled(ball->rest, *angular, ball->damping),
        sinew_mat3_mul_vec3(ball->b, *velocity));
    sinew_Vec3 after = mul(&ball->inverse, right);
    sinew_Vec3 turn = sinew_vec3_sub(after, *angular);
    *angular = after;
    linear->step[d] = turn.x;
    linear->step[d + 1] = turn.y;
    linear->step[d + 2] = turn.z;
}

static bool solve(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    int first = plan->static_link_count;
    Body *bodies = (Body *)(void *)linear->link_work;
    LinkWork *works = (LinkWork *)(void *)(bodies + plan->link_count);
    for (int l = first; l < plan->link_count; ++l) {
        load_targets(&bodies[l], plan, targets, state, linear->error, l);
    }

    // leaves to root
    for (int l = plan->link_count - 1; l >= first; --l) {
        if (!eliminate_link(linear, plan, state, l, &bodies[l], &works[l])) { return false; }
        int parent = plan->links[l].parent;
        if (parent < first) { continue; }
        sinew_Vec3 r = sinew_vec3_sub(state->position[l], state->position[parent]);
        add_to_parent(&bodies[parent], &bodies[l], r);
    }

    // root to leaves; moment and force of a body are done with and carry its motion
    const sinew_Vec3 still = { 0.0, 0.0, 0.0 };
    for (int l = first; l < plan->link_count; ++l) {
        int parent = plan->links[l].parent;
        sinew_Vec3 angular = still, velocity = still;
        if (parent >= first) {
            angular = bodies[parent].moment;
            sinew_Vec3 r = sinew_vec3_sub(state->position[l], state->position[parent]);
            velocity = sinew_vec3_add(bodies[parent].force, sinew_vec3_cross(angular, r));
        }
        move_link(linear, plan, state, l, &works[l], &angular, &velocity);
        bodies[l].moment = angular;
        bodies[l].force = velocity;
    }
    return true;
}

void snw_linear_force_recursion(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    // moments and forces alone, handed from the leaves to the root
    Body *bodies = (Body *)(void *)linear->link_work;
    int first = plan->static_link_count;
    for (int l = first; l < plan->link_count; ++l) {
        load_targets(&bodies[l], plan, targets, state, linear->error, l);
    }
    for (int l = plan->link_count - 1; l >= first; --l) {
        const snw_Link *link = &plan->links[l];
        const Body *body = &bodies[l];
        double *force = &linear->force[link->dof];
        const double *pull = &linear->pull[link->dof];
        if (link->dof >= 0 && link->motion == SNW_BALL) {
            force[0] = body->moment.x + (linear->has_pull ? pull[0] : 0.0);
            force[1] = body->moment.y + (linear->has_pull ? pull[1] : 0.0);
            force[2] = body->moment.z + (linear->has_pull ? pull[2] : 0.0);
        } else if (link->dof >= 0) {
            bool hinge = snw_motion_is_hinge(link->motion);
            sinew_Vec3 axis = snw_link_axis(link, &state->rotation[l]);
            force[0] = sinew_vec3_dot(axis, hinge ? body->moment : body->force)
                + (linear->has_pull ? pull[0] : 0.0);
        }
        if (link->parent < first) { continue; }
        Body *parent = &bodies[link->parent];
        sinew_Vec3 r = sinew_vec3_sub(state->position[l], state->position[link->parent]);
        parent->force = sinew_vec3_add(parent->force, body->force);
        parent->moment = sinew_vec3_add(
            sinew_vec3_add(parent->moment, body->moment), sinew_vec3_cross(r, body->force));
    }
}

static double count_flops(const snw_Plan *plan)
{
    double effectors = plan->effector_count;
    double links = plan->link_count - plan->static_link_count;
    // out and back: a ball 170 + 72, an axis 94 + 33; each link to its parent and back 150 + 12
    double flops = 51.0 * effectors + 162.0 * links;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        bool ball = plan->links[l].motion == SNW_BALL;
        if (plan->links[l].dof >= 0) { flops += ball ? 242.0 : 127.0; }
    }
    return flops;
}

const snw_FormRow snw_form_recursion = {
    .solve = solve,
    .flops = count_flops,
    .needs_damping = true,
};
