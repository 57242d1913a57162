#include "solve/state.h"
#include "math/quat.h"

#include "math/trig.h"

void snw_state_take(snw_State *state, snw_Sizes sizes, snw_Arena *arena)
{
    size_t links = (size_t)sizes.links, values = (size_t)sizes.values;
    size_t goals = (size_t)sizes.goals;
    state->values = snw_arena_take(arena, values, sizeof(double));
    state->sine = snw_arena_take(arena, links, sizeof(double));
    state->cosine = snw_arena_take(arena, links, sizeof(double));
    state->rotation = snw_arena_take(arena, links, sizeof(sinew_Mat3));
    state->position = snw_arena_take(arena, links, sizeof(sinew_Vec3));
    state->effector_position = snw_arena_take(arena, goals, sizeof(sinew_Vec3));
    state->effector_rotation = snw_arena_take(arena, goals, sizeof(sinew_Mat3));
    state->error = snw_arena_take(arena, 6 * goals, sizeof(double));
    state->below_moment = snw_arena_take(arena, links, sizeof(sinew_Vec3));
}

void snw_targets_take(snw_Targets *targets, snw_Sizes sizes, snw_Arena *arena)
{
    size_t values = (size_t)sizes.values, goals = (size_t)sizes.goals;
    targets->rest_values = snw_arena_take(arena, values, sizeof(double));
    targets->position = snw_arena_take(arena, goals, sizeof(sinew_Vec3));
    targets->orientation = snw_arena_take(arena, goals, sizeof(sinew_Mat3));
    targets->position_scale = snw_arena_take(arena, goals, sizeof(double));
    targets->orientation_scale = snw_arena_take(arena, goals, sizeof(double));
    targets->axis = snw_arena_take(arena, goals, sizeof(sinew_Vec3));
    targets->direction = snw_arena_take(arena, goals, sizeof(sinew_Vec3));
}

// a c + b s
static inline sinew_Vec3 blend(sinew_Vec3 a, double c, sinew_Vec3 b, double s)
{
    sinew_Vec3 r = { a.x * c + b.x * s, a.y * c + b.y * s, a.z * c + b.z * s };
    return r;
}

// transforms of links first..end-1; follows: some of them follow directions
static inline void pose_links(
    const snw_Plan *plan, snw_State *state, int first, int end, bool follows)
{
    // all sines first: they do not wait for each other, the chain of transforms does
    if (first == plan->static_link_count) {
        for (int h = 0; h < plan->hinge_count; ++h) {
            int l = plan->hinges[h];
            snw_sincos(state->values[plan->links[l].value], &state->sine[l], &state->cosine[l]);
        }
    } else {
        for (int l = first; l < end; ++l) {
            if (!snw_motion_is_hinge(plan->links[l].motion)) { continue; }
            sinew_sincos(state->values[plan->links[l].value], &state->sine[l], &state->cosine[l]);
        }
    }

    // m and p stay in registers from a link to the next of its chain
    sinew_Mat3 m = sinew_mat3_identity();
    sinew_Vec3 p = { 0.0, 0.0, 0.0 };
    int last = -1;
    for (int l = first; l < end; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->parent != last) {
            if (link->parent >= 0) {
                m = state->rotation[link->parent];
                p = state->position[link->parent];
            } else {
                m = sinew_mat3_identity();
                p = sinew_vec3(0.0, 0.0, 0.0);
            }
        }
        last = l;
        const double *value = &state->values[link->value];
        double s = state->sine[l], c = state->cosine[l];
        if (link->has_offset) { p = sinew_vec3_add(p, sinew_mat3_mul_vec3(m, link->offset)); }
        if (link->has_turn) { m = sinew_mat3_mul(m, link->turn); }
        if (follows && link->follow > 0) {
            snw_follow_turn(plan, link->follow - 1, m, state);
            s = state->sine[l];
            c = state->cosine[l];
        }
        switch (link->motion) {
        case SNW_HINGE_X: {
            sinew_Vec3 y = blend(m.y, c, m.z, s);
            m.z = blend(m.z, c, m.y, -s);
            m.y = y;
            break;
        }
        case SNW_HINGE_Y: {
            sinew_Vec3 z = blend(m.z, c, m.x, s);
            m.x = blend(m.x, c, m.z, -s);
            m.z = z;
            break;
        }
        case SNW_HINGE_Z: {
            sinew_Vec3 x = blend(m.x, c, m.y, s);
            m.y = blend(m.y, c, m.x, -s);
            m.x = x;
            break;
        }
        case SNW_SLIDE_X: p = sinew_vec3_add_scaled(p, m.x, *value); break;
        case SNW_SLIDE_Y: p = sinew_vec3_add_scaled(p, m.y, *value); break;
        case SNW_SLIDE_Z: p = sinew_vec3_add_scaled(p, m.z, *value); break;
        case SNW_BALL: m = sinew_mat3_mul(m, sinew_mat3_from_quat(snw_quat_load(value))); break;
        }
        state->rotation[l] = m;
        state->position[l] = p;
    }
}

void snw_state_forward(const snw_Plan *plan, snw_State *state, int first)
{
    // two loops: the second one is seldom asked for
    if (plan->follow_count == 0) {
        pose_links(plan, state, first, plan->link_count, false);
    } else {
        pose_links(plan, state, first, plan->link_count, true);
    }
}

void snw_state_forward_carrier(const snw_Plan *plan, snw_State *state)
{
    pose_links(plan, state, 0, plan->static_link_count, false);
}

// ball <- exp(turn) ball; the turn comes in world axes
static void integrate_ball(
    const double *from, const sinew_Mat3 *world_from_link, const double *turn, double *to)
{
    // the frame the ball turns in is world_from_link ball^-1
    sinew_Quat ball = snw_quat_load(from);
    sinew_Vec3 world = { turn[0], turn[1], turn[2] };
    sinew_Vec3 local = sinew_quat_rotate(
        ball, sinew_mat3_transpose_mul_vec3(*world_from_link, world));
    double angle2 = sinew_vec3_dot(local, local);
    double s, c;
    if (angle2 < 2.0) {
        // half the angle is below pi/4: no reduction; sin(h)/angle by dividing the series
        double half = 0.5 * sqrt(angle2);
        snw_sincos_reduced(half, &s, &c);
        s = half > 1e-5 ? 0.5 * s / half : 0.5;
    } else {
        double angle = sqrt(angle2);
        sinew_sincos(0.5 * angle, &s, &c);
        s /= angle;
    }
    sinew_Quat step = { local.x * s, local.y * s, local.z * s, c };
    sinew_Quat turned = sinew_quat_mul(step, ball);
    double scale = 1.0 / sqrt(sinew_quat_dot(turned, turned));
    to[0] = turned.x * scale;
    to[1] = turned.y * scale;
    to[2] = turned.z * scale;
    to[3] = turned.w * scale;
}

// a ball that was moved: back inside its limit by the smallest way, ending on what it was held at; or
// by the limit's own response
static void limit_ball(const sinew_BallLimit *limit, const double *from, sinew_LimitMode limits,
    const snw_BallHold *hold, double *value)
{
    sinew_Quat moved = snw_quat_load(value);
    bool held = hold != NULL && hold->count > 0;
    if (limits == SINEW_LIMITS_NONE) { return; }
    if (!held && snw_ball_allows(limit, moved, NULL)) { return; }
    sinew_Quat inside;
    if (limits == SINEW_LIMITS_ACTIVE) {
        inside = snw_ball_pose(limit,
            snw_ball_retract(limit, snw_ball_rotation(limit, snw_quat_load(from)),
                snw_ball_rotation(limit, moved), held ? hold : NULL, NULL));
    } else {
        inside = sinew_ball_limit_clamp(limit, moved);
    }
    inside = sinew_quat_normalize(inside);
    snw_quat_store(inside, value);
}

bool snw_state_bound_ball(const snw_Plan *plan, const snw_Link *link, bool limits, double *value)
{
    if (isinf(plan->most_change)) { return false; }
    sinew_Quat from = snw_quat_load(&plan->change_start[link->value]), to = snw_quat_load(value);
    double angle = sinew_quat_angle(from, to);
    if (angle <= plan->most_change) { return false; }
    // back along the way; where a limit is in that, to where it started
    sinew_Quat r = sinew_quat_slerp(from, to, plan->most_change / angle);
    if (limits && link->limit != NULL && !sinew_ball_limit_allows(link->limit, r)) {
        r = sinew_ball_limit_clamp(link->limit, r);
        if (sinew_quat_angle(from, r) > plan->most_change) { r = from; }
    }
    snw_quat_store(r, value);
    return true;
}

void snw_state_integrate(const snw_Plan *plan, const snw_State *from, const double *step,
    sinew_LimitMode limits, const snw_BallHold *holds, snw_State *to)
{
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        const double *value = &from->values[link->value];
        double *moved = &to->values[link->value];
        int d = link->dof;
        if (link->motion == SNW_BALL) {
            if (d >= 0) {
                integrate_ball(value, &from->rotation[l], &step[d], moved);
                if (link->limit != NULL) {
                    limit_ball(link->limit, value, limits, holds != NULL ? &holds[l] : NULL, moved);
                }
                (void)snw_state_bound_ball(plan, link, limits != SINEW_LIMITS_NONE, moved);
            } else {
                for (int k = 0; k < 4; ++k) { moved[k] = value[k]; }
            }
            continue;
        }
        double next = d >= 0 ? value[0] + step[d] : value[0];
        if (limits != SINEW_LIMITS_NONE && d >= 0) {
            // a value on its bound is the bound itself, so that it is known there again
            next = next <= plan->near_lower[d] ? plan->lower[d] : next;
            next = next >= plan->near_upper[d] ? plan->upper[d] : next;
        }
        moved[0] = next;
    }
}

// chord from a ball to another, as seen in the frame that the first one turned, times weight
static sinew_Vec3 ball_pull(const double *from, const double *to, double weight)
{
    sinew_Quat d = sinew_quat_mul(sinew_quat_conjugate(snw_quat_load(from)), snw_quat_load(to));
    double scale = d.w < 0.0 ? -2.0 * weight : 2.0 * weight;
    return sinew_vec3(d.x * scale, d.y * scale, d.z * scale);
}

void snw_state_pull(
    const snw_Plan *plan, const snw_Targets *targets, const snw_State *state, double *out_pull)
{
    double rho = targets->rest_weight, nu = targets->velocity_weight;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        int d = link->dof;
        if (d < 0) { continue; }
        const double *value = &state->values[link->value];
        const double *at_rest = &targets->rest_values[link->value];
        const double *at_start = &targets->start_values[link->value];
        if (link->motion != SNW_BALL) {
            out_pull[d] = rho * plan->rest_pull[d] * (at_rest[0] - value[0])
                + nu * (at_start[0] - value[0]);
            continue;
        }
        sinew_Vec3 local = sinew_vec3_add(
            ball_pull(value, at_rest, rho), ball_pull(value, at_start, nu));
        sinew_Vec3 world = sinew_mat3_mul_vec3(state->rotation[l], local);
        out_pull[d] = world.x;
        out_pull[d + 1] = world.y;
        out_pull[d + 2] = world.z;
    }
}
