#include "solve/ball_limb.h"

#include "body/ball_limit.h"
#include "solve/linear.h"

// turns about the line from root to tip that are looked at on each side, and the steps that find the
// end of what the limit allows between two of them
#define SWIVELS 32
#define SWIVEL_STEPS 40
// joints this far out of range are on the bound by rounding
#define ROUNDING 1e-12

static bool none(sinew_Vec3 v, double reach)
{
    return sinew_vec3_length(v) <= 1e-12 * reach;
}

// the tip in the middle joint's frame
static sinew_Vec3 tip_of(const snw_Plan *plan)
{
    const snw_Effector *effector = &plan->effectors[0];
    int middle = plan->static_link_count + 1;
    return effector->link == middle ? effector->offset : plan->links[middle + 1].offset;
}

bool snw_ball_limb_fits(const snw_Plan *plan)
{
    int first = plan->static_link_count, count = plan->link_count - first;
    if (plan->effector_count != 1 || plan->task_count > 0 || plan->has_mobility || count < 2) {
        return false;
    }
    const snw_Link *root = &plan->links[first], *middle = &plan->links[first + 1];
    const snw_Effector *effector = &plan->effectors[0];
    bool fits = root->motion == SNW_BALL && root->dof >= 0 && middle->dof >= 0
        && snw_motion_is_hinge(middle->motion) && middle->parent == first && effector->position
        && !effector->orientation && effector->link == plan->link_count - 1
        && !none(middle->offset, plan->reach) && !none(tip_of(plan), plan->reach);
    for (int l = first + 2; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        bool turns = link->motion == SNW_BALL || snw_motion_is_hinge(link->motion);
        fits = fits && turns && link->parent == l - 1
            && (l == first + 2 || none(link->offset, plan->reach));
    }
    return fits && (effector->link == first + 1 || none(effector->offset, plan->reach));
}

static sinew_Vec3 unit_axis(snw_Motion motion)
{
    return sinew_vec3(motion == SNW_HINGE_X ? 1.0 : 0.0, motion == SNW_HINGE_Y ? 1.0 : 0.0,
        motion == SNW_HINGE_Z ? 1.0 : 0.0);
}

// v turned about a unit axis
static sinew_Vec3 turned(sinew_Vec3 v, sinew_Vec3 axis, double s, double c)
{
    sinew_Vec3 along = sinew_vec3_scale(axis, sinew_vec3_dot(axis, v));
    sinew_Vec3 across = sinew_vec3_sub(v, along);
    sinew_Vec3 r = sinew_vec3_add_scaled(along, across, c);
    return sinew_vec3_add_scaled(r, sinew_vec3_cross(axis, v), s);
}

static double whole_turns_to(double angle, double near)
{
    return angle + floor((near - angle) * (0.5 / SINEW_PI) + 0.5) * (2.0 * SINEW_PI);
}

// whether a bend, or a whole turn away from it, is in the middle joint's range
static bool place(double bend, double low, double high, double here, double *out)
{
    bend = whole_turns_to(bend, here);
    if (bend < low - ROUNDING) { bend += 2.0 * SINEW_PI; }
    if (bend > high + ROUNDING) { bend -= 2.0 * SINEW_PI; }
    if (bend < low - ROUNDING || bend > high + ROUNDING) { return false; }
    *out = bend < low ? low : (bend > high ? high : bend);
    return true;
}

// The middle joint: the square of the limb's length is even + wave cos(bend - straight).
typedef struct Middle {
    double even, wave, straight;
    double low, high; // its range
} Middle;

static Middle middle_of(const snw_Plan *plan, bool limits)
{
    const snw_Link *middle = &plan->links[plan->static_link_count + 1];
    sinew_Vec3 upper = middle->offset, lower = tip_of(plan), axis = unit_axis(middle->motion);
    sinew_Vec3 seen = sinew_mat3_transpose_mul_vec3(middle->turn, upper);
    double along = sinew_vec3_dot(axis, seen) * sinew_vec3_dot(axis, lower);
    double a = sinew_vec3_dot(seen, lower) - along;
    double b = sinew_vec3_dot(seen, sinew_vec3_cross(axis, lower));
    Middle r = { sinew_vec3_dot(upper, upper) + sinew_vec3_dot(lower, lower) + 2.0 * along,
        2.0 * sqrt(a * a + b * b), sinew_atan2(b, a), limits ? plan->lower[middle->dof] : -INFINITY,
        limits ? plan->upper[middle->dof] : INFINITY };
    return r;
}

// the bends that bring the tip as far from the root as the target is, the nearer one first
static int find_bends(const Middle *middle, double distance2, double here, double out[2])
{
    double c = distance2 - middle->even, left2 = middle->wave * middle->wave - c * c;
    if (!(left2 >= 0.0)) { return 0; }
    double half = sinew_atan2(sqrt(left2), c);
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        double bend = middle->straight - side * half;
        if (place(bend, middle->low, middle->high, here, &out[count])) { ++count; }
    }
    if (count == 2 && fabs(out[1] - here) < fabs(out[0] - here)) {
        double swap = out[0];
        out[0] = out[1];
        out[1] = swap;
    }
    return count;
}

// where they are none: the bend that comes nearest, straight, folded, or on a bound
static bool bend_nearest(const Middle *middle, double distance, double here, double *out)
{
    double bends[4] = { middle->straight, middle->straight + SINEW_PI, middle->low, middle->high };
    double least = INFINITY;
    for (int i = 0; i < 4; ++i) {
        double bend, s, c;
        if (!isfinite(bends[i]) || !place(bends[i], middle->low, middle->high, here, &bend)) {
            continue;
        }
        sinew_sincos(bend - middle->straight, &s, &c);
        double square = middle->even + middle->wave * c;
        double miss = fabs((square > 0.0 ? sqrt(square) : 0.0) - distance);
        if (!(miss < least)) { continue; }
        least = miss;
        *out = bend;
    }
    return isfinite(least);
}

static sinew_Quat swivelled(sinew_Quat ball, sinew_Vec3 line, double angle)
{
    return sinew_quat_normalize(sinew_quat_mul(sinew_quat_from_axis_angle(line, angle), ball));
}

// between an angle that the limit forbids and one that it allows: the last that it allows
static double edge_between(
    const sinew_BallLimit *limit, sinew_Vec3 line, sinew_Quat ball, double outside, double inside)
{
    for (int i = 0; i < SWIVEL_STEPS; ++i) {
        double middle = 0.5 * (outside + inside);
        if (snw_ball_allows(limit, swivelled(ball, line, middle), NULL)) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    return inside;
}

// the least turn about the line that the limit allows; false: none does
static bool find_swivel(
    const sinew_BallLimit *limit, sinew_Vec3 line, sinew_Quat ball, sinew_Quat *out)
{
    *out = ball;
    if (limit == NULL || snw_ball_allows(limit, ball, NULL)) { return true; }
    const double step = SINEW_PI / SWIVELS;
    double least = INFINITY;
    for (int k = 1; k <= SWIVELS && !isfinite(least); ++k) {
        for (int side = 0; side < 2; ++side) {
            double inside = side == 0 ? k * step : -k * step;
            if (!snw_ball_allows(limit, swivelled(ball, line, inside), NULL)) { continue; }
            double outside = side == 0 ? inside - step : inside + step;
            double edge = edge_between(limit, line, ball, outside, inside);
            if (fabs(edge) < fabs(least)) { least = edge; }
        }
    }
    if (isfinite(least)) { *out = swivelled(ball, line, least); }
    return isfinite(least);
}

snw_LimbAnswer snw_ball_limb_solve(const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, bool limits, double *values)
{
    int first = plan->static_link_count;
    const snw_Link *root = &plan->links[first], *middle = &plan->links[first + 1];
    double *ball_values = &values[root->value];
    sinew_Quat ball = { ball_values[0], ball_values[1], ball_values[2], ball_values[3] };
    // what the ball turns in: its world frame before the turn
    sinew_Mat3 socket = sinew_mat3_mul(
        state->rotation[first], sinew_mat3_transpose(sinew_mat3_from_quat(ball)));
    sinew_Vec3 way = sinew_mat3_transpose_mul_vec3(
        socket, sinew_vec3_sub(targets->position[0], state->position[first]));
    double distance2 = sinew_vec3_dot(way, way), bends[2];
    if (!(distance2 > 0.0)) { return SNW_LIMB_NONE; }
    sinew_Vec3 line = sinew_vec3_scale(way, 1.0 / sqrt(distance2));
    Middle ranges = middle_of(plan, limits);
    snw_LimbAnswer answer = SNW_LIMB_MEETS;
    int count = find_bends(&ranges, distance2, values[middle->value], bends);
    if (count == 0) {
        answer = SNW_LIMB_NEAREST;
        count = bend_nearest(&ranges, sqrt(distance2), values[middle->value], bends) ? 1 : 0;
    }
    for (int w = 0; w < count; ++w) {
        double s, c;
        sinew_sincos(bends[w], &s, &c);
        sinew_Vec3 lower = sinew_mat3_mul_vec3(
            middle->turn, turned(tip_of(plan), unit_axis(middle->motion), s, c));
        sinew_Vec3 limb = sinew_vec3_add(middle->offset, lower);
        double length = sinew_vec3_length(limb);
        if (!(length > 0.0)) { continue; }
        sinew_Vec3 now = sinew_quat_rotate(ball, sinew_vec3_scale(limb, 1.0 / length));
        sinew_Quat straight = sinew_quat_normalize(
            sinew_quat_mul(sinew_quat_between(now, line), ball));
        sinew_Quat turn;
        if (!find_swivel(limits ? root->limit : NULL, line, straight, &turn)) { continue; }
        ball_values[0] = turn.x;
        ball_values[1] = turn.y;
        ball_values[2] = turn.z;
        ball_values[3] = turn.w;
        values[middle->value] = bends[w];
        return answer;
    }
    return SNW_LIMB_NONE;
}
