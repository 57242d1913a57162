#include "solve/ball_limb.h"
#include "math/holds.h"
#include "math/quat.h"

#include "solve/ball_turn.h"

// joints this far out of range are on the bound by rounding
#define ROUNDING 1e-12
// lengths below this share of the reach are none
#define NOTHING 1e-12
// a limit's axes that are this far from the bones, as a distance of unit vectors, are not along them
#define ASKEW 1e-6
// swivels of a limb of balls alone that are tried: each leaves its rolls exactly
#define SWIVELS 24
// those before the ends of what the root leaves
#define FIRST_SWIVELS 8
// rolls of an arc that swivels are found for
#define ROLLS_OF_ARC 3

static bool none(sinew_Vec3 v, double reach)
{
    return sinew_vec3_length(v) <= NOTHING * reach;
}

// ---------------------------------------------------------------------------------------------
// Which plans

static int next_moving(const snw_Plan *plan, int link)
{
    while (link < plan->link_count && plan->links[link].dof < 0) { ++link; }
    return link < plan->link_count ? link : -1;
}

static bool is_chain(const snw_Plan *plan)
{
    for (int l = plan->static_link_count + 1; l < plan->link_count; ++l) {
        if (plan->links[l].parent != l - 1) { return false; }
    }
    return plan->effectors[0].link >= plan->static_link_count;
}

// from the end on nothing moves the tip
static bool rests(const snw_Plan *plan, int end)
{
    for (int l = end + 1; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        bool turns = link->motion == SNW_BALL || snw_motion_is_hinge(link->motion);
        if (!turns || !none(link->offset, plan->reach)) { return false; }
    }
    return plan->effectors[0].link < end || none(plan->effectors[0].offset, plan->reach);
}

snw_BallLimb snw_ball_limb_find(const snw_Plan *plan)
{
    snw_BallLimb r = { .fits = false, .end = -1 };
    const snw_Effector *effector = &plan->effectors[0];
    if (plan->effector_count != 1 || plan->task_count > 0 || plan->has_mobility
        || !effector->position || !is_chain(plan)) {
        return r;
    }
    r.root = plan->static_link_count;
    r.middle = next_moving(plan, r.root + 1);
    if (r.middle < 0 || plan->links[r.root].motion != SNW_BALL) { return r; }
    snw_Motion motion = plan->links[r.middle].motion;
    if (motion != SNW_BALL && !snw_motion_is_hinge(motion)) { return r; }
    r.end = next_moving(plan, r.middle + 1);
    r.pose = effector->orientation;
    if (r.pose) {
        r.fits = r.end >= 0 && effector->link >= r.end && plan->links[r.end].motion == SNW_BALL
            && next_moving(plan, r.end + 1) < 0;
    } else {
        snw_Motion last = r.end < 0 ? SNW_BALL : plan->links[r.end].motion;
        r.fits = r.end < 0
            || ((last == SNW_BALL || snw_motion_is_hinge(last)) && rests(plan, r.end));
    }
    return r;
}

// ---------------------------------------------------------------------------------------------
// A limb as its root's socket sees it

typedef struct Limb {
    const snw_Link *root, *middle, *end;
    const sinew_BallLimit *root_limit, *middle_limit, *end_limit;
    sinew_Quat root_now, middle_now; // balls, in the pose given
    double bend_now;                 // of a hinge
    double bend_lower, bend_upper;
    sinew_Vec3 upper, lower;     // bones, in the frames of root and middle
    sinew_Vec3 axis;             // of a hinge, in its frame
    sinew_Quat root_from_middle; // the middle's socket; a hinge at zero
    sinew_Quat middle_from_end;  // the end's socket
    sinew_Quat socket_from_world;
    sinew_Quat target; // the turn of the end
    sinew_Vec3 line;   // to where the end is to be, unit
    double distance, reach;
} Limb;

static void store_ball(const sinew_BallLimit *limit, sinew_Quat q, double *out)
{
    q = sinew_quat_normalize(q);
    // at the end of an arc rounding may have left the limit
    if (limit != NULL && !snw_ball_allows(limit, q, NULL)) { q = sinew_ball_limit_clamp(limit, q); }
    snw_quat_store(q, out);
}

static sinew_Quat product3(sinew_Quat a, sinew_Quat b, sinew_Quat c)
{
    return sinew_quat_mul(sinew_quat_mul(a, b), c);
}

static sinew_Vec3 unit_axis(snw_Motion motion)
{
    return sinew_vec3(motion == SNW_HINGE_X ? 1.0 : 0.0, motion == SNW_HINGE_Y ? 1.0 : 0.0,
        motion == SNW_HINGE_Z ? 1.0 : 0.0);
}

// how the middle's socket stands in the root's frame, and the end's in the middle's
static void see_sockets(
    const snw_BallLimb *shape, const snw_State *state, sinew_Quat world_from_root, Limb *out)
{
    SNW_ASSERT(snw_holds_unit(world_from_root));
    sinew_Quat world_from_middle = sinew_quat_from_mat3(state->rotation[shape->middle]);
    const double *bend = &state->values[out->middle->value];
    bool ball = out->middle->motion == SNW_BALL;
    out->axis = unit_axis(out->middle->motion);
    sinew_Quat turn = ball ? snw_quat_load(bend) : sinew_quat_from_axis_angle(out->axis, bend[0]);
    sinew_Quat back = sinew_quat_conjugate(world_from_root);
    out->root_from_middle = product3(back, world_from_middle, sinew_quat_conjugate(turn));
    if (out->end == NULL) { return; }
    sinew_Quat end = snw_quat_load(&state->values[out->end->value]);
    out->middle_from_end = product3(sinew_quat_conjugate(world_from_middle),
        sinew_quat_from_mat3(state->rotation[shape->end]), sinew_quat_conjugate(end));
}

// what no pose changes
static void see_bones(
    const snw_BallLimb *shape, const snw_Plan *plan, const snw_State *state, bool limits, Limb *out)
{
    int r = shape->root, m = shape->middle, e = shape->end;
    *out = (Limb){ .root = &plan->links[r],
        .middle = &plan->links[m],
        .end = shape->pose ? &plan->links[e] : NULL,
        .bend_lower = limits ? plan->lower[plan->links[m].dof] : -INFINITY,
        .bend_upper = limits ? plan->upper[plan->links[m].dof] : INFINITY,
        .reach = plan->reach };
    if (limits) {
        out->root_limit = out->root->limit;
        out->middle_limit = out->middle->motion == SNW_BALL ? out->middle->limit : NULL;
        out->end_limit = out->end != NULL ? out->end->limit : NULL;
    }
    sinew_Quat world_from_root = sinew_quat_from_mat3(state->rotation[r]);
    sinew_Quat root = snw_quat_load(&state->values[out->root->value]);
    see_sockets(shape, state, world_from_root, out);
    // what the ball turns in: its world frame before the turn
    out->socket_from_world = sinew_quat_mul(root, sinew_quat_conjugate(world_from_root));
    sinew_Vec3 tip = e >= 0 ? state->position[e] : state->effector_position[0];
    out->upper = sinew_mat3_transpose_mul_vec3(
        state->rotation[r], sinew_vec3_sub(state->position[m], state->position[r]));
    out->lower = sinew_mat3_transpose_mul_vec3(
        state->rotation[m], sinew_vec3_sub(tip, state->position[m]));
}

// false: the limb has no size, or its joints at the tip move that
static bool see(const snw_BallLimb *shape, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, bool limits, const double *values, Limb *out)
{
    see_bones(shape, plan, state, limits, out);
    out->root_now = snw_quat_load(&values[out->root->value]);
    out->bend_now = values[out->middle->value];
    if (out->middle->motion == SNW_BALL) {
        out->middle_now = snw_quat_load(&values[out->middle->value]);
    }
    int r = shape->root, e = shape->end;
    sinew_Vec3 beyond = { 0.0, 0.0, 0.0 };
    if (e >= 0) { beyond = sinew_vec3_sub(state->effector_position[0], state->position[e]); }
    if (!shape->pose && !none(beyond, plan->reach)) { return false; }
    sinew_Vec3 place = targets->position[0];
    if (shape->pose) {
        // of the effector's turn and place what the end's are
        sinew_Mat3 end_from_effector = sinew_mat3_mul(
            sinew_mat3_transpose(state->rotation[e]), state->effector_rotation[0]);
        sinew_Mat3 turn = sinew_mat3_mul(
            targets->orientation[0], sinew_mat3_transpose(end_from_effector));
        sinew_Vec3 way = sinew_mat3_transpose_mul_vec3(state->rotation[e], beyond);
        place = sinew_vec3_sub(place, sinew_mat3_mul_vec3(turn, way));
        out->target = sinew_quat_mul(out->socket_from_world, sinew_quat_from_mat3(turn));
    }
    sinew_Vec3 way = sinew_quat_rotate(
        out->socket_from_world, sinew_vec3_sub(place, state->position[r]));
    out->distance = sinew_vec3_length(way);
    if (!(out->distance > 0.0) || none(out->upper, plan->reach) || none(out->lower, plan->reach)) {
        return false;
    }
    out->line = sinew_vec3_scale(way, 1.0 / out->distance);
    return true;
}

// the shortest turn on top of a turn that brings a bone along a direction
static sinew_Quat led_to(sinew_Quat turn, sinew_Vec3 bone, sinew_Vec3 direction)
{
    sinew_Vec3 now = sinew_quat_rotate(turn, sinew_vec3_normalize_or(bone, direction));
    return sinew_quat_mul(sinew_quat_between(now, direction), turn);
}

// the ball at the end as the limb swivels, and as the lower bone rolls; lower: that bone's turn
static snw_BallTurn end_swivel(const Limb *limb, sinew_Quat lower)
{
    sinew_Quat back = sinew_quat_conjugate(sinew_quat_mul(lower, limb->middle_from_end));
    sinew_Vec3 axis = sinew_vec3_scale(sinew_quat_rotate(back, limb->line), -1.0);
    return snw_ball_turn(axis, sinew_quat_mul(back, limb->target));
}

static snw_BallTurn end_roll(const Limb *limb, sinew_Quat lower, sinew_Vec3 lower_axis)
{
    sinew_Quat back = sinew_quat_conjugate(sinew_quat_mul(lower, limb->middle_from_end));
    sinew_Vec3 axis = sinew_quat_rotate(sinew_quat_conjugate(limb->middle_from_end), lower_axis);
    return snw_ball_turn(sinew_vec3_scale(axis, -1.0), sinew_quat_mul(back, limb->target));
}

static bool allows(const sinew_BallLimit *limit, sinew_Quat q)
{
    return limit == NULL || snw_ball_allows(limit, sinew_quat_normalize(q), NULL);
}

// ---------------------------------------------------------------------------------------------
// A hinge in the middle: the square of the limb's length is even + wave cos(bend - straight)

typedef struct Middle {
    double even, wave, straight;
} Middle;

static double whole_turns_to(double angle, double near)
{
    return angle + floor((near - angle) * (0.5 / SINEW_PI) + 0.5) * (2.0 * SINEW_PI);
}

// whether a bend, or a whole turn away from it, is in the middle joint's range
static bool place_bend(const Limb *limb, double bend, double *out)
{
    double low = limb->bend_lower, high = limb->bend_upper;
    bend = whole_turns_to(bend, limb->bend_now);
    if (bend < low - ROUNDING) { bend += 2.0 * SINEW_PI; }
    if (bend > high + ROUNDING) { bend -= 2.0 * SINEW_PI; }
    if (bend < low - ROUNDING || bend > high + ROUNDING) { return false; }
    *out = bend < low ? low : (bend > high ? high : bend);
    return true;
}

static Middle middle_of(const Limb *limb)
{
    sinew_Vec3 seen = sinew_quat_rotate(sinew_quat_conjugate(limb->root_from_middle), limb->upper);
    sinew_Vec3 lower = limb->lower;
    double along = sinew_vec3_dot(limb->axis, seen) * sinew_vec3_dot(limb->axis, lower);
    double a = sinew_vec3_dot(seen, lower) - along;
    double b = sinew_vec3_dot(seen, sinew_vec3_cross(limb->axis, lower));
    Middle r = { sinew_vec3_dot(seen, seen) + sinew_vec3_dot(lower, lower) + 2.0 * along,
        2.0 * sqrt(a * a + b * b), sinew_atan2(b, a) };
    return r;
}

// the bends that bring the tip as far from the root as the target is, the nearer one first
static int find_bends(const Limb *limb, const Middle *middle, double out[2])
{
    double c = limb->distance * limb->distance - middle->even;
    double left2 = middle->wave * middle->wave - c * c;
    if (!(left2 >= 0.0)) { return 0; }
    double half = sinew_atan2(sqrt(left2), c);
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        if (place_bend(limb, middle->straight - side * half, &out[count])) { ++count; }
    }
    if (count == 2 && fabs(out[1] - limb->bend_now) < fabs(out[0] - limb->bend_now)) {
        double swap = out[0];
        out[0] = out[1];
        out[1] = swap;
    }
    return count;
}

// where they are none: the bend that comes nearest, straight, folded, or on a bound
static bool bend_nearest(const Limb *limb, const Middle *middle, double *out)
{
    double bends[4] = { middle->straight, middle->straight + SINEW_PI, limb->bend_lower,
        limb->bend_upper };
    double least = INFINITY;
    for (int i = 0; i < 4; ++i) {
        double bend, s, c;
        if (!isfinite(bends[i]) || !place_bend(limb, bends[i], &bend)) { continue; }
        sinew_sincos(bend - middle->straight, &s, &c);
        double square = middle->even + middle->wave * c;
        double miss = fabs((square > 0.0 ? sqrt(square) : 0.0) - limb->distance);
        if (!(miss < least)) { continue; }
        least = miss;
        *out = bend;
    }
    return isfinite(least);
}

static void keep_limit(const sinew_BallLimit *limit, const snw_BallTurn *turn, snw_Arcs *arcs)
{
    snw_ball_turn_twist(limit, turn, arcs);
    snw_ball_turn_windows(limit, turn, arcs);
}

// the least swivel that all limits allow; false: none does
static bool find_swivel(
    const Limb *limb, const snw_BallTurn *root, const snw_BallTurn *end, double *out)
{
    *out = 0.0;
    if (allows(limb->root_limit, root->at) && allows(limb->end_limit, end->at)) { return true; }
    snw_Arcs arcs;
    snw_arcs_set_whole(&arcs);
    keep_limit(limb->root_limit, root, &arcs);
    keep_limit(limb->end_limit, end, &arcs);
    return snw_arcs_nearest(&arcs, out);
}

static bool bend_to(const Limb *limb, double bend, double *values)
{
    sinew_Quat turn = sinew_quat_mul(
        limb->root_from_middle, sinew_quat_from_axis_angle(limb->axis, bend));
    sinew_Vec3 reach = sinew_vec3_add(limb->upper, sinew_quat_rotate(turn, limb->lower));
    if (none(reach, limb->reach)) { return false; }
    sinew_Quat straight = led_to(limb->root_now, reach, limb->line);
    snw_BallTurn root = snw_ball_turn(limb->line, straight), end = root;
    double swivel;
    if (limb->end != NULL) { end = end_swivel(limb, sinew_quat_mul(straight, turn)); }
    if (!find_swivel(limb, &root, &end, &swivel)) { return false; }
    store_ball(limb->root_limit, snw_ball_turned(&root, swivel), &values[limb->root->value]);
    values[limb->middle->value] = bend;
    if (limb->end != NULL) {
        store_ball(limb->end_limit, snw_ball_turned(&end, swivel), &values[limb->end->value]);
    }
    return true;
}

static snw_LimbAnswer solve_hinge(const Limb *limb, double *values)
{
    double bends[2];
    Middle middle = middle_of(limb);
    snw_LimbAnswer answer = SNW_LIMB_MEETS;
    int count = find_bends(limb, &middle, bends);
    if (count == 0 && limb->end == NULL) {
        answer = SNW_LIMB_NEAREST;
        count = bend_nearest(limb, &middle, bends) ? 1 : 0;
    }
    for (int w = 0; w < count; ++w) {
        if (bend_to(limb, bends[w], values)) { return answer; }
    }
    return SNW_LIMB_NONE;
}

// ---------------------------------------------------------------------------------------------
// A ball in the middle. Turned about the line from root to tip the limb keeps its shape, so the middle's
// limit does not know of the swivel: its windows know the upper bone's roll, its twist the difference of
// the two rolls. The root's windows know the swivel alone, its twist the upper roll on top; the end's
// limit knows swivel and lower roll. For one swivel the rolls that all allow are found exactly.

typedef struct Bones {
    sinew_Quat upper, lower; // their turns before swivel and rolls
    sinew_Vec3 upper_axis, lower_axis;
    snw_Arcs rolls; // of the upper bone, that the middle's windows leave
} Bones;

// whether the limits of root and middle count from the bones
static bool is_along(const Limb *limb)
{
    sinew_Vec3 x = { 1.0, 0.0, 0.0 };
    sinew_Vec3 upper_axis = sinew_vec3_normalize_or(limb->upper, x);
    sinew_Vec3 lower_axis = sinew_vec3_normalize_or(limb->lower, x);
    bool along = true;
    if (limb->root_limit != NULL) {
        sinew_Vec3 bone = snw_bone_of(limb->root_limit->joint_from_bone);
        along = sinew_vec3_distance(bone, upper_axis) < ASKEW;
    }
    if (limb->middle_limit != NULL) {
        sinew_Vec3 bone = snw_bone_of(limb->middle_limit->joint_from_bone);
        sinew_Vec3 neutral = sinew_quat_rotate(
            limb->root_from_middle, snw_bone_of(limb->middle_limit->socket_from_neutral));
        along = along && sinew_vec3_distance(bone, lower_axis) < ASKEW
            && sinew_vec3_distance(neutral, upper_axis) < ASKEW;
    }
    return along;
}

// bones that reach the target, turned from where they are as little as need be
static bool lay_bones(const Limb *limb, Bones *out)
{
    double a = sinew_vec3_length(limb->upper), b = sinew_vec3_length(limb->lower);
    double d = limb->distance;
    out->upper_axis = sinew_vec3_scale(limb->upper, 1.0 / a);
    out->lower_axis = sinew_vec3_scale(limb->lower, 1.0 / b);
    double cosine = (a * a + d * d - b * b) / (2.0 * a * d), square = 1.0 - cosine * cosine;
    if (!(square >= -ROUNDING)) { return false; }
    sinew_Vec3 now = sinew_quat_rotate(limb->root_now, out->upper_axis);
    sinew_Vec3 side = sinew_vec3_add_scaled(now, limb->line, -sinew_vec3_dot(now, limb->line));
    sinew_Vec3 any = sinew_quat_rotate(sinew_quat_from_x(limb->line), sinew_vec3(0.0, 1.0, 0.0));
    side = none(side, 1.0) ? any : sinew_vec3_normalize_or(side, any);
    sinew_Vec3 upper = sinew_vec3_add_scaled(
        sinew_vec3_scale(limb->line, cosine), side, square > 0.0 ? sqrt(square) : 0.0);
    sinew_Vec3 lower = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(sinew_vec3_scale(limb->line, d), upper, -a), limb->line);
    out->upper = led_to(limb->root_now, limb->upper, upper);
    sinew_Quat lower_now = product3(limb->root_now, limb->root_from_middle, limb->middle_now);
    out->lower = led_to(lower_now, limb->lower, lower);

    snw_arcs_set_whole(&out->rolls);
    if (limb->middle_limit != NULL) {
        sinew_Quat back = sinew_quat_conjugate(limb->root_from_middle);
        sinew_Quat turn = product3(back, sinew_quat_conjugate(out->upper), out->lower);
        sinew_Vec3 axis = sinew_vec3_scale(sinew_quat_rotate(back, out->upper_axis), -1.0);
        snw_BallTurn roll = snw_ball_turn(axis, turn);
        snw_ball_turn_windows(limb->middle_limit, &roll, &out->rolls);
    }
    return out->rolls.count > 0;
}

// The middle's twist as the lower bone rolls, the upper one standing so; and as the upper one does.
static bool roll_lower(const Limb *limb, const Bones *bones, sinew_Quat upper, sinew_Quat lower,
    const snw_Arcs *lowers, double *out)
{
    SNW_ASSERT(snw_holds_unit(upper));
    SNW_ASSERT(snw_holds_unit(lower));
    snw_Arcs left;
    snw_arcs_copy(lowers, &left);
    sinew_Quat socket = sinew_quat_mul(upper, limb->root_from_middle);
    snw_BallTurn roll = snw_ball_roll(
        sinew_quat_mul(sinew_quat_conjugate(socket), lower), bones->lower_axis);
    snw_ball_turn_twist(limb->middle_limit, &roll, &left);
    return snw_arcs_nearest(&left, out);
}

static bool roll_upper(const Limb *limb, const Bones *bones, sinew_Quat upper, sinew_Quat lower,
    const snw_Arcs *uppers, double *out)
{
    SNW_ASSERT(snw_holds_unit(upper));
    SNW_ASSERT(snw_holds_unit(lower));
    snw_Arcs left;
    snw_arcs_copy(uppers, &left);
    sinew_Quat back = sinew_quat_conjugate(limb->root_from_middle);
    sinew_Vec3 axis = sinew_vec3_scale(sinew_quat_rotate(back, bones->upper_axis), -1.0);
    snw_BallTurn roll = snw_ball_turn(axis, product3(back, sinew_quat_conjugate(upper), lower));
    snw_ball_turn_twist(limb->middle_limit, &roll, &left);
    return snw_arcs_nearest(&left, out);
}

// The rolls that all limits allow, put on top of the bones' turns; false: there are none. What the
// middle's twist allows of two rolls is a band along their diagonal, so it crosses the edge of what the
// others allow if it crosses that at all.
static bool roll_bones(const Limb *limb, const Bones *bones, sinew_Quat *upper, sinew_Quat *lower)
{
    snw_Arcs uppers, lowers;
    snw_arcs_copy(&bones->rolls, &uppers);
    snw_arcs_set_whole(&lowers);
    snw_BallTurn upper_roll = snw_ball_roll(*upper, bones->upper_axis);
    snw_ball_turn_twist(limb->root_limit, &upper_roll, &uppers);
    if (uppers.count == 0) { return false; }
    if (limb->end != NULL) {
        snw_BallTurn roll = end_roll(limb, *lower, bones->lower_axis);
        keep_limit(limb->end_limit, &roll, &lowers);
    }
    if (lowers.count == 0) { return false; }
    snw_BallTurn lower_roll = snw_ball_roll(*lower, bones->lower_axis);
    double upper_place = 0.0, lower_place = 0.0;
    (void)snw_arcs_nearest(&uppers, &upper_place);
    (void)snw_arcs_nearest(&lowers, &lower_place);
    sinew_Quat rolled_upper = snw_ball_turned(&upper_roll, upper_place);
    sinew_Quat rolled_lower = snw_ball_turned(&lower_roll, lower_place);
    bool found = roll_lower(limb, bones, rolled_upper, *lower, &lowers, &lower_place)
        || roll_upper(limb, bones, *upper, rolled_lower, &uppers, &upper_place);
    for (int i = 0; !found && i < 2 * uppers.count; ++i) {
        upper_place = i % 2 == 0 ? uppers.lower[i / 2] : uppers.upper[i / 2];
        rolled_upper = snw_ball_turned(&upper_roll, upper_place);
        found = roll_lower(limb, bones, rolled_upper, *lower, &lowers, &lower_place);
    }
    for (int i = 0; !found && i < 2 * lowers.count; ++i) {
        lower_place = i % 2 == 0 ? lowers.lower[i / 2] : lowers.upper[i / 2];
        rolled_lower = snw_ball_turned(&lower_roll, lower_place);
        found = roll_upper(limb, bones, *upper, rolled_lower, &uppers, &upper_place);
    }
    *upper = snw_ball_turned(&upper_roll, upper_place);
    *lower = snw_ball_turned(&lower_roll, lower_place);
    return found;
}

static bool points_inside(const sinew_BallLimit *limit, sinew_Quat q)
{
    if (limit == NULL || limit->window_count == 0) { return true; }
    return snw_windows_hold(limit, snw_bone_of(snw_ball_rotation(limit, q)), SNW_LIMIT_SLACK, NULL);
}

// Swivels that the root allows with one of the rolls that the middle does. Its twist allows a stretch of
// rolls, which has an end of each of theirs in it, or is shorter and then has their middles to meet.
static void find_swivels(const Limb *limb, const Bones *bones, snw_Arcs *out)
{
    const snw_Arcs *rolls = &bones->rolls;
    const sinew_BallLimit *limit = limb->root_limit;
    snw_Arcs part;
    snw_BallTurn swivel = snw_ball_turn(limb->line, bones->upper);
    snw_BallTurn roll = snw_ball_roll(bones->upper, bones->upper_axis);
    bool any = limit == NULL || limit->twist_free
        || (rolls->lower[0] == -2.0 && rolls->upper[0] == 2.0);
    snw_arcs_set_whole(out);
    out->count = any ? 1 : 0;
    for (int i = 0; !any && i < ROLLS_OF_ARC * rolls->count; ++i) {
        int a = i / ROLLS_OF_ARC;
        double share = (i % ROLLS_OF_ARC) / (ROLLS_OF_ARC - 1.0);
        double place = rolls->lower[a] + share * (rolls->upper[a] - rolls->lower[a]);
        snw_BallTurn rolled = snw_ball_turn(limb->line, snw_ball_turned(&roll, place));
        snw_arcs_set_whole(&part);
        snw_ball_turn_twist(limit, &rolled, &part);
        snw_arcs_join(out, &part);
    }
    snw_ball_turn_windows(limit, &swivel, out);
}

// the swivel nearest to none, some spread over all, the ends of the arcs, at which joints stand that are at
// their limits, and more between
static double swivel_number(const snw_Arcs *swivels, int k)
{
    double nearest = 0.0;
    int end = k - FIRST_SWIVELS, ends = 2 * swivels->count;
    if (k == 0) {
        (void)snw_arcs_nearest(swivels, &nearest);
        return nearest;
    }
    if (end < 0) { return snw_arcs_at(swivels, snw_spread(k - 1)); }
    if (end >= ends) { return snw_arcs_at(swivels, snw_spread(k - 1 - ends)); }
    return end % 2 == 0 ? swivels->lower[end / 2] : swivels->upper[end / 2];
}

static snw_LimbAnswer solve_balls(const Limb *limb, double *values)
{
    Bones bones;
    if (!lay_bones(limb, &bones)) { return SNW_LIMB_NONE; }
    snw_BallTurn upper_swivel = snw_ball_turn(limb->line, bones.upper);
    snw_BallTurn lower_swivel = snw_ball_turn(limb->line, bones.lower);
    snw_Arcs swivels;
    // none, if the root's windows allow it, then those of the arcs that the root leaves
    for (int k = points_inside(limb->root_limit, bones.upper) ? -1 : 0; k < SWIVELS; ++k) {
        double swivel = 0.0;
        if (k == 0) { find_swivels(limb, &bones, &swivels); }
        if (k >= 0 && swivels.count == 0) { return SNW_LIMB_NONE; }
        if (k >= 0) { swivel = swivel_number(&swivels, k); }
        sinew_Quat upper = snw_ball_turned(&upper_swivel, swivel);
        sinew_Quat lower = snw_ball_turned(&lower_swivel, swivel);
        if (!roll_bones(limb, &bones, &upper, &lower)) { continue; }
        sinew_Quat socket = sinew_quat_mul(upper, limb->root_from_middle);
        store_ball(limb->root_limit, upper, &values[limb->root->value]);
        store_ball(limb->middle_limit, sinew_quat_mul(sinew_quat_conjugate(socket), lower),
            &values[limb->middle->value]);
        if (limb->end != NULL) {
            sinew_Quat end = sinew_quat_conjugate(sinew_quat_mul(lower, limb->middle_from_end));
            store_ball(
                limb->end_limit, sinew_quat_mul(end, limb->target), &values[limb->end->value]);
        }
        return SNW_LIMB_MEETS;
    }
    return SNW_LIMB_NONE;
}

snw_LimbAnswer snw_ball_limb_solve(snw_BallLimb *shape, const snw_Plan *plan,
    const snw_Targets *targets, const snw_State *state, bool limits, double *values)
{
    Limb limb;
    if (!see(shape, plan, targets, state, limits, values, &limb)) { return SNW_LIMB_NONE; }
    if (limb.middle->motion != SNW_BALL) { return solve_hinge(&limb, values); }
    if (limits && shape->range_count != plan->range_count) {
        shape->along = is_along(&limb);
        shape->range_count = plan->range_count;
    }
    return shape->along || !limits ? solve_balls(&limb, values) : SNW_LIMB_NONE;
}

bool snw_ball_limb_is_along(const snw_BallLimb *shape, const snw_Plan *plan, const snw_State *state)
{
    Limb limb;
    see_bones(shape, plan, state, true, &limb);
    return limb.middle->motion != SNW_BALL || is_along(&limb);
}
