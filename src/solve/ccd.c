#include "math/eigen4.h"
#include "math/holds.h"
#include "math/quat.h"
#include "solve/method_table.h"

// Cyclic coordinate descent: one joint at a time takes the place that is best for F while all
// others hold still; Blow (2002) for the idea and for limits after every joint step.
//
// The goals' part of F is a sum of squared distances between points that a joint carries and fixed
// points: the effectors' points, and, as a squared chord is half the sum of the squared distances
// of the frames' three unit vectors, their frames. So position and orientation are one problem of
// fitting directions (that of Wahba): for a hinge F is a constant minus A cos + B sin of the turn, for
// a ball a constant minus q^T K q (Davenport's matrix), for a slide a parabola. The steps are exact
// and no joint step raises F.

// a match below this share of its size is rounding: the joint stays where it is
#define NO_MATCH 1e-14
// a preference for no turn, as a share of K, that decides where targets leave a ball's turn open
#define STILLNESS 1e-10
// how often a ball's step is halved when its limit made it worse
#define MAX_BALL_HALVINGS 4
// Newton steps on a hinge with rest and velocity terms
#define MAX_PULL_STEPS 6
// a sweep that takes less than this share off F looks whether going on the same way takes more
#define LITTLE_GAIN 0.5

void snw_sweep_take(snw_Sweep *sweep, snw_Sizes sizes, snw_Arena *arena)
{
    sweep->subtree_end = snw_arena_take(arena, (size_t)sizes.links, sizeof(int));
    sweep->values = snw_arena_take(arena, (size_t)sizes.values, sizeof(double));
}

// ---------------------------------------------------------------------------------------------
// The state of a sweep: effectors are carried along with each joint step

// effectors from first to end (places of plan->effector_order) hang on a link or below it
typedef struct Carried {
    int first, end;
} Carried;

static Carried carried_by(const snw_Solve *solve, int link)
{
    const snw_Plan *plan = &solve->plan;
    Carried r = { plan->link_effectors[link],
        plan->link_effectors[solve->sweep.subtree_end[link]] };
    return r;
}

static void turn_effectors(snw_Solve *solve, Carried carried, sinew_Vec3 origin, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    sinew_Mat3 m = sinew_mat3_from_quat(turn);
    snw_State *state = solve->trial;
    for (int i = carried.first; i < carried.end; ++i) {
        int e = solve->plan.effector_order[i];
        sinew_Vec3 arm = sinew_vec3_sub(state->effector_position[e], origin);
        state->effector_position[e] = sinew_vec3_add(origin, sinew_mat3_mul_vec3(m, arm));
        if (solve->plan.effectors[e].orientation) {
            state->effector_rotation[e] = sinew_mat3_mul(m, state->effector_rotation[e]);
        }
    }
}

static void slide_effectors(snw_Solve *solve, Carried carried, sinew_Vec3 way)
{
    for (int i = carried.first; i < carried.end; ++i) {
        int e = solve->plan.effector_order[i];
        solve->trial->effector_position[e] = sinew_vec3_add(
            solve->trial->effector_position[e], way);
    }
}

// a direction that turns with the joint, and where it should point
typedef struct Pair {
    double weight;
    sinew_Vec3 from, to;
} Pair;

static int effector_pairs(const snw_Solve *solve, int e, sinew_Vec3 origin, Pair out_pairs[4])
{
    const snw_Targets *targets = &solve->targets;
    const snw_Effector *effector = &solve->plan.effectors[e];
    int count = 0;
    double position = targets->position_scale[e];
    if (effector->position && position > 0.0) {
        out_pairs[count++] = (Pair){ position * position,
            sinew_vec3_sub(solve->trial->effector_position[e], origin),
            sinew_vec3_sub(targets->position[e], origin) };
    }
    double orientation = targets->orientation_scale[e];
    if (effector->orientation && orientation > 0.0) {
        const sinew_Mat3 *from = &solve->trial->effector_rotation[e];
        const sinew_Mat3 *to = &targets->orientation[e];
        double weight = 0.5 * orientation * orientation;
        out_pairs[count++] = (Pair){ weight, from->x, to->x };
        out_pairs[count++] = (Pair){ weight, from->y, to->y };
        out_pairs[count++] = (Pair){ weight, from->z, to->z };
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// How far a joint may go in one step

typedef struct Interval {
    double low, high; // of the change, low <= 0 <= high
    bool low_is_limit, high_is_limit;
} Interval;

static Interval allowed_change(const snw_Solve *solve, int dof, double value, double cap)
{
    SNW_ASSERT(dof >= 0);
    Interval r = { -cap, cap, false, false };
    if (solve->options.limits == SINEW_LIMITS_NONE) { return r; }
    double down = solve->plan.lower[dof] - value, up = solve->plan.upper[dof] - value;
    if (down >= r.low) {
        r.low = down < 0.0 ? down : 0.0;
        r.low_is_limit = true;
    }
    if (up <= r.high) {
        r.high = up > 0.0 ? up : 0.0;
        r.high_is_limit = true;
    }
    return r;
}

// the value after a change; on a limit it is the limit itself
static double changed_value(
    const snw_Solve *solve, int dof, double value, double change, const Interval *allowed)
{
    if (allowed->low_is_limit && change <= allowed->low) { return solve->plan.lower[dof]; }
    if (allowed->high_is_limit && change >= allowed->high) { return solve->plan.upper[dof]; }
    return value + change;
}

// the share of its best change that a joint takes
static double taken_share(const snw_Solve *solve, int dof)
{
    double mobility = solve->plan.mobility[dof];
    return solve->options.step_scale * (mobility < 1.0 ? mobility : 1.0);
}

// rest and velocity terms of one coordinate: 1/2 weight (center - value)^2, up to a constant
typedef struct Pull {
    double weight, center;
} Pull;

static Pull pull_of(const snw_Solve *solve, const snw_Link *link)
{
    const snw_Targets *targets = &solve->targets;
    double rest = targets->rest_weight * solve->plan.rest_pull[link->dof];
    double start = targets->velocity_weight;
    Pull r = { rest + start, 0.0 };
    if (r.weight > 0.0) {
        r.center = (rest * targets->rest_values[link->value]
                       + start * targets->start_values[link->value])
            / r.weight;
    }
    return r;
}

// ---------------------------------------------------------------------------------------------
// Hinges

// F of a turn by x is a constant minus along cos x + across sin x, plus the pull
typedef struct Match {
    double along, across;
    Pull pull; // its center counted from the current value
} Match;

static double hinge_cost(const Match *m, double turn)
{
    double s, c;
    sinew_sincos(turn, &s, &c);
    double off = m->pull.center - turn;
    return 0.5 * m->pull.weight * off * off - m->along * c - m->across * s;
}

// the best turn without pull: the top of the cosine, else the better end
static double best_turn(const Match *m, const Interval *allowed)
{
    double top = sinew_atan2(m->across, m->along);
    double other = top > 0.0 ? top - 2.0 * SINEW_PI : top + 2.0 * SINEW_PI;
    if (top >= allowed->low && top <= allowed->high) { return top; }
    if (other >= allowed->low && other <= allowed->high) { return other; }
    return hinge_cost(m, allowed->low) < hinge_cost(m, allowed->high) ? allowed->low
                                                                      : allowed->high;
}

static double crop(double x, const Interval *allowed)
{
    x = x > allowed->low ? x : allowed->low;
    return x < allowed->high ? x : allowed->high;
}

// Newton from the better of two guesses, each step taken only if it pays
static double best_pulled_turn(const Match *m, const Interval *allowed, double guess)
{
    double other = crop(m->pull.center, allowed);
    double turn = hinge_cost(m, other) < hinge_cost(m, guess) ? other : guess;
    double cost = hinge_cost(m, turn);
    for (int i = 0; i < MAX_PULL_STEPS; ++i) {
        double s, c;
        sinew_sincos(turn, &s, &c);
        double slope = m->along * s - m->across * c - m->pull.weight * (m->pull.center - turn);
        double curvature = m->along * c + m->across * s + m->pull.weight;
        double next = curvature > 0.0 ? crop(turn - slope / curvature, allowed) : turn;
        double next_cost = hinge_cost(m, next);
        if (!(next_cost < cost)) { break; }
        turn = next;
        cost = next_cost;
    }
    return turn;
}

static double step_hinge(snw_Solve *solve, int l)
{
    const snw_Link *link = &solve->plan.links[l];
    snw_State *state = solve->trial;
    double *value = &state->values[link->value];
    sinew_Vec3 axis = snw_link_axis(link, &state->rotation[l]);
    sinew_Vec3 origin = state->position[l];
    Carried carried = carried_by(solve, l);

    Match match = { 0.0, 0.0, pull_of(solve, link) };
    match.pull.center -= *value;
    double size = 0.0;
    for (int i = carried.first; i < carried.end; ++i) {
        Pair pairs[4];
        int count = effector_pairs(solve, solve->plan.effector_order[i], origin, pairs);
        for (int k = 0; k < count; ++k) {
            const Pair *p = &pairs[k];
            double height = sinew_vec3_dot(axis, p->from) * sinew_vec3_dot(axis, p->to);
            match.along += p->weight * (sinew_vec3_dot(p->from, p->to) - height);
            match.across += p->weight * sinew_vec3_dot(axis, sinew_vec3_cross(p->from, p->to));
            size += p->weight * sinew_vec3_length(p->from) * sinew_vec3_length(p->to);
        }
    }
    bool open = fabs(match.along) + fabs(match.across) <= NO_MATCH * size;
    if (open && match.pull.weight <= 0.0) { return 0.0; }

    Interval allowed = allowed_change(solve, link->dof, *value, solve->options.max_joint_step);
    double turn = open ? 0.0 : best_turn(&match, &allowed);
    if (match.pull.weight > 0.0) { turn = best_pulled_turn(&match, &allowed, turn); }
    turn *= taken_share(solve, link->dof);
    if (!(hinge_cost(&match, turn) < hinge_cost(&match, 0.0))) { return 0.0; }

    double next = changed_value(solve, link->dof, *value, turn, &allowed);
    turn = next - *value;
    *value = next;
    turn_effectors(solve, carried, origin, sinew_quat_from_axis_angle(axis, turn));
    return fabs(turn);
}

// ---------------------------------------------------------------------------------------------
// Slides

static double step_slide(snw_Solve *solve, int l)
{
    const snw_Link *link = &solve->plan.links[l];
    snw_State *state = solve->trial;
    double *value = &state->values[link->value];
    sinew_Vec3 axis = snw_link_axis(link, &state->rotation[l]);
    Carried carried = carried_by(solve, l);

    Pull pull = pull_of(solve, link);
    double force = pull.weight * (pull.center - *value), stiffness = pull.weight;
    for (int i = carried.first; i < carried.end; ++i) {
        int e = solve->plan.effector_order[i];
        if (!solve->plan.effectors[e].position) { continue; }
        double weight = solve->targets.position_scale[e] * solve->targets.position_scale[e];
        sinew_Vec3 gap = sinew_vec3_sub(solve->targets.position[e], state->effector_position[e]);
        force += weight * sinew_vec3_dot(axis, gap);
        stiffness += weight;
    }
    if (!(stiffness > 0.0)) { return 0.0; }

    double cap = solve->options.max_joint_step * solve->plan.reach;
    Interval allowed = allowed_change(solve, link->dof, *value, cap);
    double way = crop(force / stiffness, &allowed) * taken_share(solve, link->dof);
    double next = changed_value(solve, link->dof, *value, way, &allowed);
    way = next - *value;
    *value = next;
    slide_effectors(solve, carried, sinew_vec3_scale(axis, way));
    return fabs(way) / solve->plan.reach;
}

// ---------------------------------------------------------------------------------------------
// Balls. Turns are unit quaternions in world axes; F is a constant minus q^T K q.

static void add_pair(double k[4][4], const Pair *p)
{
    sinew_Vec3 a = p->from, b = p->to;
    double w = p->weight;
    double trace = w * sinew_vec3_dot(a, b);
    sinew_Vec3 z = sinew_vec3_scale(sinew_vec3_cross(a, b), w);
    k[0][0] += 2.0 * w * a.x * b.x - trace;
    k[1][1] += 2.0 * w * a.y * b.y - trace;
    k[2][2] += 2.0 * w * a.z * b.z - trace;
    k[3][3] += trace;
    k[0][1] += w * (a.x * b.y + a.y * b.x);
    k[0][2] += w * (a.x * b.z + a.z * b.x);
    k[1][2] += w * (a.y * b.z + a.z * b.y);
    k[0][3] += z.x;
    k[1][3] += z.y;
    k[2][3] += z.z;
}

// the turn, in world axes, that takes a ball's value to another one
static sinew_Quat world_turn(
    const sinew_Mat3 *world_from_link, const double *from, const double *to)
{
    sinew_Quat d = sinew_quat_mul(sinew_quat_conjugate(snw_quat_load(from)), snw_quat_load(to));
    sinew_Vec3 v = sinew_mat3_mul_vec3(*world_from_link, sinew_vec3(d.x, d.y, d.z));
    sinew_Quat r = { v.x, v.y, v.z, d.w };
    return r;
}

// a ball's value after a turn in world axes
static sinew_Quat turned_ball(const sinew_Mat3 *world_from_link, sinew_Quat ball, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(ball));
    SNW_ASSERT(snw_holds_unit(turn));
    // the frame the ball turns in is world_from_link ball^-1
    sinew_Vec3 in_link = sinew_mat3_transpose_mul_vec3(
        *world_from_link, sinew_vec3(turn.x, turn.y, turn.z));
    sinew_Vec3 v = sinew_quat_rotate(ball, in_link);
    sinew_Quat local = { v.x, v.y, v.z, turn.w };
    return sinew_quat_normalize(sinew_quat_mul(local, ball));
}

// weight 2 q q^T: the chord to another value of the ball, as the rest and velocity terms have it
static void add_pull(double k[4][4], double weight, sinew_Quat turn)
{
    const double q[4] = { turn.x, turn.y, turn.z, turn.w };
    for (int i = 0; i < 4; ++i) {
        for (int j = i; j < 4; ++j) { k[i][j] += 2.0 * weight * q[i] * q[j]; }
    }
}

static double ball_match(double k[4][4], sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    const double q[4] = { turn.x, turn.y, turn.z, turn.w };
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        sum += k[i][i] * q[i] * q[i];
        for (int j = i + 1; j < 4; ++j) { sum += 2.0 * k[i][j] * q[i] * q[j]; }
    }
    return sum;
}

static sinew_Quat best_ball_turn(double k[4][4], double size)
{
    SNW_ASSERT(size >= 0.0);
    double a[4][4], v[4];
    for (int i = 0; i < 4; ++i) {
        for (int j = i; j < 4; ++j) { a[i][j] = a[j][i] = k[i][j]; }
    }
    a[3][3] += STILLNESS * size;
    snw_largest_eigenvector4(a, v);
    return snw_quat_load(v);
}

// bring a ball back into its limit and into what it may change; true when it was outside
static bool limit_ball(const snw_Solve *solve, const snw_Link *link, double *value)
{
    bool limits = solve->options.limits != SINEW_LIMITS_NONE, bent = false;
    if (limits && link->limit != NULL
        && !sinew_ball_limit_allows(link->limit, snw_quat_load(value))) {
        snw_quat_store(sinew_ball_limit_clamp(link->limit, snw_quat_load(value)), value);
        bent = true;
    }
    return snw_state_bound_ball(&solve->plan, link, limits, value) || bent;
}

// the same turn through a part of its angle, and through cap at most; q and -q are one turn
static sinew_Quat shortened_turn(sinew_Quat turn, double share, double cap)
{
    SNW_ASSERT(snw_holds_unit(turn));
    SNW_ASSERT(snw_holds_share(share));
    if (turn.w < 0.0) { turn = (sinew_Quat){ -turn.x, -turn.y, -turn.z, -turn.w }; }
    sinew_Vec3 v = { turn.x, turn.y, turn.z };
    double sine = sinew_vec3_length(v);
    double angle = 2.0 * sinew_atan2(sine, turn.w);
    double wanted = angle * share < cap ? angle * share : cap;
    if (!(wanted < angle)) { return turn; }
    return sinew_quat_from_axis_angle(sinew_vec3_scale(v, 1.0 / sine), wanted);
}

// what a ball wants: F is a constant minus q^T k q
typedef struct BallWish {
    double k[4][4];
    sinew_Quat best; // the turn with the largest match
} BallWish;

// false: nothing hangs on the ball that cares
static bool wish_of_ball(const snw_Solve *solve, int l, BallWish *out)
{
    const snw_Link *link = &solve->plan.links[l];
    const snw_State *state = solve->trial;
    const double *value = &state->values[link->value];
    Carried carried = carried_by(solve, l);

    *out = (BallWish){ .best = { 0.0, 0.0, 0.0, 1.0 } };
    double size = 0.0;
    int pair_count = 0;
    Pair only = { 0.0, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    for (int i = carried.first; i < carried.end; ++i) {
        Pair pairs[4];
        int e = solve->plan.effector_order[i];
        int count = effector_pairs(solve, e, state->position[l], pairs);
        for (int p = 0; p < count; ++p) {
            add_pair(out->k, &pairs[p]);
            size += pairs[p].weight * sinew_vec3_length(pairs[p].from)
                * sinew_vec3_length(pairs[p].to);
            only = pairs[p];
        }
        pair_count += count;
    }
    const snw_Targets *targets = &solve->targets;
    double rest = targets->rest_weight, start = targets->velocity_weight;
    if (rest > 0.0) {
        const double *to = &targets->rest_values[link->value];
        add_pull(out->k, rest, world_turn(&state->rotation[l], value, to));
    }
    if (start > 0.0) {
        const double *to = &targets->start_values[link->value];
        add_pull(out->k, start, world_turn(&state->rotation[l], value, to));
    }
    size += rest + start;
    if (!(size > 0.0)) { return false; }

    // one direction to aim has a shortest turn; more take the eigenvector
    if (pair_count == 1 && rest + start <= 0.0) {
        sinew_Vec3 any = { 1.0, 0.0, 0.0 };
        out->best = sinew_quat_between(
            sinew_vec3_normalize_or(only.from, any), sinew_vec3_normalize_or(only.to, any));
    } else {
        out->best = best_ball_turn(out->k, size);
    }
    return true;
}

// One more turn, about the bone, after one that a limit has bent: the twist is free where the bone may
// not go on. F of it is a constant minus a cosine, as for a hinge.
static sinew_Quat turn_about_bone(
    const snw_Link *link, const sinew_Mat3 *world_from_link, BallWish *wish, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    sinew_Quat frame = sinew_ball_limit_def(link->limit)->bone;
    sinew_Vec3 bone = sinew_quat_rotate(frame, sinew_vec3(1.0, 0.0, 0.0));
    bone = sinew_quat_rotate(turn, sinew_mat3_mul_vec3(*world_from_link, bone));
    sinew_Quat half_turn = { bone.x, bone.y, bone.z, 0.0 };
    sinew_Quat other = sinew_quat_mul(half_turn, turn);
    const double p[4] = { turn.x, turn.y, turn.z, turn.w };
    const double q[4] = { other.x, other.y, other.z, other.w };
    double mixed = 0.0;
    for (int i = 0; i < 4; ++i) {
        mixed += wish->k[i][i] * p[i] * q[i];
        for (int j = i + 1; j < 4; ++j) { mixed += wish->k[i][j] * (p[i] * q[j] + p[j] * q[i]); }
    }
    double along = 0.5 * (ball_match(wish->k, turn) - ball_match(wish->k, other));
    double angle = sinew_atan2(mixed, along);
    return sinew_quat_mul(sinew_quat_from_axis_angle(bone, angle), turn);
}

// carry out a turn as far as share, cap and limit allow; out_value and out_turn are what became of
// it. Returns whether a limit bent it.
static bool try_ball(const snw_Solve *solve, int l, sinew_Quat turn, double share,
    double *out_value, sinew_Quat *out_turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    SNW_ASSERT(snw_holds_share(share));
    const snw_Link *link = &solve->plan.links[l];
    const sinew_Mat3 *rotation = &solve->trial->rotation[l];
    const double *value = &solve->trial->values[link->value];
    turn = shortened_turn(turn, share, solve->options.max_joint_step);
    snw_quat_store(turned_ball(rotation, snw_quat_load(value), turn), out_value);
    bool bent = limit_ball(solve, link, out_value);
    *out_turn = bent ? world_turn(rotation, value, out_value) : turn;
    return bent;
}

static double step_ball(snw_Solve *solve, int l)
{
    const snw_Link *link = &solve->plan.links[l];
    BallWish wish;
    if (!wish_of_ball(solve, l, &wish)) { return 0.0; }
    double best = ball_match(wish.k, sinew_quat_identity());
    double share = taken_share(solve, link->dof);
    double moved[4];
    sinew_Quat turn;
    bool bent = false, better = false;
    for (int tries = 0; tries <= MAX_BALL_HALVINGS && !better; ++tries, share *= 0.5) {
        bent = try_ball(solve, l, wish.best, share, moved, &turn) || bent;
        better = ball_match(wish.k, turn) > best;
    }
    if (!better) { turn = sinew_quat_identity(); }
    if (bent && link->limit != NULL) {
        double twisted[4];
        sinew_Quat further = turn_about_bone(link, &solve->trial->rotation[l], &wish, turn);
        (void)try_ball(solve, l, further, taken_share(solve, link->dof), twisted, &further);
        best = ball_match(wish.k, turn);
        if (ball_match(wish.k, further) > best) {
            better = true;
            turn = further;
            for (int i = 0; i < 4; ++i) { moved[i] = twisted[i]; }
        }
    }
    if (!better) { return 0.0; }
    double *value = &solve->trial->values[link->value];
    for (int i = 0; i < 4; ++i) { value[i] = moved[i]; }
    turn_effectors(solve, carried_by(solve, l), solve->trial->position[l], turn);
    sinew_Vec3 v = { turn.x, turn.y, turn.z };
    return 2.0 * sinew_atan2(sinew_vec3_length(v), fabs(turn.w));
}

// ---------------------------------------------------------------------------------------------
// The sweep

void snw_sweep_begin(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    const snw_State *from = solve->current;
    snw_State *to = solve->trial;
    int *end = solve->sweep.subtree_end;
    for (int l = plan->link_count - 1; l >= plan->static_link_count; --l) { end[l] = l + 1; }
    for (int l = plan->link_count - 1; l >= plan->static_link_count; --l) {
        int parent = plan->links[l].parent;
        if (parent >= plan->static_link_count && end[l] > end[parent]) { end[parent] = end[l]; }
    }
    for (int i = 0; i < plan->value_count; ++i) { to->values[i] = from->values[i]; }
    for (int e = 0; e < plan->effector_count; ++e) {
        to->effector_position[e] = from->effector_position[e];
        if (plan->effectors[e].orientation) {
            to->effector_rotation[e] = from->effector_rotation[e];
        }
    }
    // from the tip to the root, nothing above a link has moved when its turn comes
    if (solve->options.sweep == SINEW_SWEEP_TIP_TO_ROOT) {
        for (int l = plan->static_link_count; l < plan->link_count; ++l) {
            to->rotation[l] = from->rotation[l];
            to->position[l] = from->position[l];
        }
    }
}

// transforms of one link from those of its parent
static void pose_link(snw_Solve *solve, int l)
{
    const snw_Link *link = &solve->plan.links[l];
    snw_State *state = solve->trial;
    const double *value = &state->values[link->value];
    sinew_Mat3 m = link->parent >= 0 ? state->rotation[link->parent] : sinew_mat3_identity();
    sinew_Vec3 p = link->parent >= 0 ? state->position[link->parent] : sinew_vec3(0.0, 0.0, 0.0);
    if (link->has_offset) { p = sinew_vec3_add(p, sinew_mat3_mul_vec3(m, link->offset)); }
    if (link->has_turn) { m = sinew_mat3_mul(m, link->turn); }
    if (link->motion == SNW_BALL) {
        m = sinew_mat3_mul(m, sinew_mat3_from_quat(snw_quat_load(value)));
    } else if (snw_motion_is_hinge(link->motion)) {
        static const sinew_Vec3 own[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 },
            { 0.0, 0.0, 1.0 } };
        sinew_Quat turn = sinew_quat_from_axis_angle(own[link->motion - SNW_HINGE_X], value[0]);
        m = sinew_mat3_mul(m, sinew_mat3_from_quat(turn));
    } else {
        p = sinew_vec3_add_scaled(p, snw_link_axis(link, &m), value[0]);
    }
    state->rotation[l] = m;
    state->position[l] = p;
}

double snw_sweep_step(snw_Solve *solve, int link)
{
    SNW_ASSERT(link >= 0);
    // from the root to the tip, the links above have just moved
    bool outward = solve->options.sweep == SINEW_SWEEP_ROOT_TO_TIP;
    if (outward) { pose_link(solve, link); }
    double size = 0.0;
    if (solve->plan.links[link].dof >= 0) {
        switch (solve->plan.links[link].motion) {
        case SNW_HINGE_X:
        case SNW_HINGE_Y:
        case SNW_HINGE_Z: size = step_hinge(solve, link); break;
        case SNW_SLIDE_X:
        case SNW_SLIDE_Y:
        case SNW_SLIDE_Z: size = step_slide(solve, link); break;
        case SNW_BALL: size = step_ball(solve, link); break;
        }
    }
    if (outward && size > 0.0) { pose_link(solve, link); }
    return size;
}

// ---------------------------------------------------------------------------------------------
// Looking ahead: where a sweep gains little, joint after joint creeps along a narrow valley. Going
// on in the same direction as long as that pays crosses it; the pattern move of Hooke and Jeeves.

static double measure_trial(snw_Solve *solve)
{
    snw_state_forward(&solve->plan, solve->trial, solve->plan.static_link_count);
    snw_state_measure(&solve->plan, &solve->targets, solve->trial);
    ++solve->report.forward_count;
    return solve->trial->objective;
}

// trial = current + factor (swept - current), inside the limits
static void go_ahead(snw_Solve *solve, double factor)
{
    const snw_Plan *plan = &solve->plan;
    bool clamp = solve->options.limits != SINEW_LIMITS_NONE;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        int d = link->dof;
        if (d < 0) { continue; }
        const double *from = &solve->current->values[link->value];
        const double *swept = &solve->sweep.values[link->value];
        double *value = &solve->trial->values[link->value];
        if (link->motion == SNW_BALL) {
            sinew_Quat way = sinew_quat_mul(
                sinew_quat_conjugate(snw_quat_load(from)), snw_quat_load(swept));
            sinew_Quat turn = sinew_quat_exp(sinew_vec3_scale(sinew_quat_log(way), factor));
            snw_quat_store(sinew_quat_normalize(sinew_quat_mul(snw_quat_load(from), turn)), value);
            (void)limit_ball(solve, link, value);
            continue;
        }
        double next = from[0] + factor * (swept[0] - from[0]);
        if (clamp) {
            next = next < plan->lower[d] ? plan->lower[d] : next;
            next = next > plan->upper[d] ? plan->upper[d] : next;
        }
        value[0] = next;
    }
}

// largest: that of the sweep; returns that of the whole change
static double look_ahead(snw_Solve *solve, double largest)
{
    double before = solve->current->objective, best = measure_trial(solve);
    if (!(before - best < LITTLE_GAIN * before) || !(largest > 0.0)) { return largest; }
    for (int i = 0; i < solve->plan.value_count; ++i) {
        solve->sweep.values[i] = solve->trial->values[i];
    }
    double cap = solve->options.max_joint_step / largest, reached = 1.0, last = 1.0;
    for (double factor = 2.0; factor <= cap; factor *= 2.0) {
        go_ahead(solve, factor);
        last = factor;
        double objective = measure_trial(solve);
        if (!(objective < best)) { break; }
        best = objective;
        reached = factor;
    }
    if (last != reached) {
        if (reached > 1.0) {
            go_ahead(solve, reached);
        } else {
            for (int i = 0; i < solve->plan.value_count; ++i) {
                solve->trial->values[i] = solve->sweep.values[i];
            }
        }
        (void)measure_trial(solve);
    }
    return largest * reached;
}

static double sweep(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    double largest = 0.0;
    snw_sweep_begin(solve);
    int count = plan->link_count - plan->static_link_count;
    for (int i = 0; i < count; ++i) {
        bool outward = solve->options.sweep == SINEW_SWEEP_ROOT_TO_TIP;
        int link = outward ? plan->static_link_count + i : plan->link_count - 1 - i;
        double size = snw_sweep_step(solve, link);
        largest = size > largest ? size : largest;
    }
    return look_ahead(solve, largest);
}

static void set_defaults(sinew_SolveOptions *o)
{
    o->descent = true;
    o->stall_share = 1e-9;
}

const snw_MethodRow snw_method_ccd = {
    .abilities = SNW_CAN_REST,
    .sweep = sweep,
    .orientation_divisor = 3.0,
    .defaults = set_defaults,
};
