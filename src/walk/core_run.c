// Running: the same clock with feet that stand for less than half of it. Jumps are steps whose flight is longer.
// Between two feet hips are thrown: nothing but gravity moves them; each foot takes them up and throws them again.

#include "walk/core.h"

#include "math/exp.h"
#include "walk/leg_form.h"

// u = v / sqrt(g L). A body that wants more than the fastest walk runs as soon as it is that fast: legs that walk would
// hold it back; it walks again when it is held up below that, or slower than the second and wants no more.
#define RUN_FROM 0.12
#define WALK_BELOW 0.58
// Most that a run speeds up with, m/s^2, and its time constant, seconds.
#define START 2.5
#define START_TIME 0.2
#define BRAKE 3.5         // least with which who runs can stop, m/s^2
#define FASTEST 1.72      // u: 5.1 m/s at L = 0.9 m
#define CHANGE_OMEGA 14.0 // how fast a walk becomes a run, 1/s
// Period of the cycle at u = 0 and less of it by u, seconds at L = 0.9 m: runners go faster by longer steps.
#define PERIOD 0.836
#define PERIOD_LESS 0.099
// Share that a foot stands at u = 1, its power of u, and the most.
#define STANCE 0.335
#define STANCE_POWER 0.6
#define MOST_STANCE 0.44
// How much higher than they land runners' hips leave, L: the leg behind is longer by its heel, which is up.
#define PUSH_HEIGHT 0.035
#define PUSH_KNEE_COSINE 0.9 // of a knee that leaves, 26 degrees: straighter, and it snaps
// Share of the leg that lands: the rest is for what gives way.
#define LANDING_REACH 0.98
// A step's hips are thrown and taken up with no more than this, m/s^2, and not steered later than this, seconds.
#define MOST_PUSH 40.0
#define LATEST 0.012
// How much lower than they are carried hips land for a foothold ahead, L: more, and one that is still to be drawn
// in takes them down to the ground; less, and legs on slopes do not reach.
#define MOST_LOW 0.08
// No hips come lower, L: who lands badly goes on from there.
#define LEAST_HEIGHT 0.5

double snw_core_fastest_run(const snw_WalkBody *body)
{
    return FASTEST * sqrt(SNW_GRAVITY * body->length);
}

void snw_core_ease_start(const snw_WalkBody *body, snw_Core *state)
{
    sinew_WalkResponse *response = &state->root.response;
    // footholds of a runner are where it will be: it must be known how it can brake
    double brake = snw_max(response->braking, BRAKE);
    response->braking = snw_mix(response->braking, brake, state->run.value);
    if (state->wanted.forward <= SNW_FASTEST_WALK * sqrt(SNW_GRAVITY * body->length)) { return; }
    response->acceleration = snw_min(response->acceleration, START);
    response->follow_time = snw_max(response->follow_time, START_TIME);
}

void snw_core_run(const snw_WalkBody *body, double u, double h, snw_Core *state)
{
    double unit = sqrt(SNW_GRAVITY * body->length);
    bool is_wanted = state->wanted.forward > SNW_FASTEST_WALK * unit;
    if (is_wanted && state->root.forward > RUN_FROM * unit) { state->is_running = true; }
    if (u < (is_wanted ? RUN_FROM : WALK_BELOW)) { state->is_running = false; }
    bool is_leap = state->jump.is_leap && state->jump.stage != SNW_JUMP_NONE;
    bool runs = state->is_walking && (state->is_running || is_leap);
    snw_follower_step(&state->run, runs ? 1.0 : 0.0, CHANGE_OMEGA, h);
    if (!runs && state->run.value < 1e-3) { state->run = (snw_Follower){ .value = 0.0 }; }
    double run = state->run.value;
    if (run <= 0.0) { return; }
    double scale = sqrt(body->length / SNW_USUAL_LEG);
    double period = (PERIOD - PERIOD_LESS * u) * scale;
    double stance = snw_min(STANCE / snw_pow(snw_max(0.1, u), STANCE_POWER), MOST_STANCE);
    state->period = snw_mix(state->period, period, run);
    state->stance = snw_mix(state->stance, stance, run);
    state->run_lift = run * snw_min(1.0, u);
}

// ---------------------------------------------------------------------------------------------
// Hips

/// Height of the line from foothold to foothold below the root so many seconds later.
static double line_below(const snw_Core *state, double later)
{
    const sinew_Vec3 *a = &snw_core_foothold(&state->legs[0])->ground;
    const sinew_Vec3 *b = &snw_core_foothold(&state->legs[1])->ground;
    snw_WalkRoot root = state->root;
    snw_root_advance(&root, later);
    double dx = b->x - a->x, dz = b->z - a->z, far = dx * dx + dz * dz;
    double share = ((root.x - a->x) * dx + (root.z - a->z) * dz) / snw_max(0.04, far);
    return snw_mix(a->y, b->y, snw_clamp(share, 0.0, 1.0));
}

/// The acceleration that begins a way of so many seconds to a height and a speed there: a cubic.
static double throw_to(const snw_Follower *height, double to, double speed, double time)
{
    // steered to a place farther on in the last moment
    to += snw_max(0.0, LATEST - time) * speed;
    time = snw_max(time, LATEST);
    return (6.0 * (to - height->value) / time - 4.0 * height->speed - 2.0 * speed) / time;
}

static double mean_ground(const snw_Core *state)
{
    return 0.5
        * (snw_core_foothold(&state->legs[0])->ground.y
            + snw_core_foothold(&state->legs[1])->ground.y);
}

void snw_core_stop_fall(const snw_WalkBody *body, snw_Core *state)
{
    snw_Follower *height = &state->height;
    const double a = snw_core_foothold(&state->legs[0])->ground.y,
                 b = snw_core_foothold(&state->legs[1])->ground.y;
    const double least = snw_min(a, b) + LEAST_HEIGHT * body->length;
    if (height->value >= least) { return; }
    *height = (snw_Follower){ .value = least, .speed = snw_max(0.0, height->speed) };
}

static void fall(const snw_WalkBody *body, snw_Core *state, double acceleration, double h)
{
    snw_Follower *height = &state->height;
    double most = snw_clamp(acceleration, -SNW_GRAVITY, MOST_PUSH);
    height->value += h * (height->speed + 0.5 * h * most);
    height->speed += h * most;
    snw_core_stop_fall(body, state);
    state->hips.position.y = height->value;
}

/// The leg that stands; of two the one that landed last; -1: none.
static int find_support(const snw_Core *state)
{
    const bool left_swings = state->legs[0].is_swinging, right_swings = state->legs[1].is_swinging;
    if (left_swings) { return right_swings ? -1 : 1; }
    return right_swings ? 0 : 1 - snw_core_older_leg(state);
}

/// The highest hips that reach an ankle so many seconds later, by the square of the leg between. From the root: feet of a
/// run land nearly in one line below it.
static double hips_over(const snw_Core *state, sinew_Vec3 ankle, double square, double later)
{
    snw_WalkRoot root = state->root;
    snw_root_advance(&root, later);
    const sinew_Vec3 hips = { root.x, 0.0, root.z };
    return ankle.y + snw_core_hip_over(hips, ankle, square);
}

/// Those that reach a foothold then.
static double reach_over(
    const snw_WalkLegBody *sizes, const snw_CoreLeg *leg, const snw_Core *state, double later)
{
    sinew_Vec3 ankle = snw_core_foothold(leg)->ground;
    const double reach = LANDING_REACH * (sizes->thigh + sizes->shank);
    ankle.y += sizes->ankle_height;
    return hips_over(state, ankle, reach * reach, later);
}

/// Those from which a foot on its toes is left then, with a knee that is not straight yet.
static double push_over(
    const snw_WalkLegBody *sizes, const snw_CoreLeg *leg, const snw_Core *state, double later)
{
    const double pitch = snw_core_pitch(sizes, state, leg, state->stance);
    const sinew_Vec3 ankle = snw_foot_roll_ankle(
        sizes, &leg->at, pitch, snw_core_toe_cap(sizes), NULL);
    return hips_over(state, ankle, snw_leg_square(sizes, PUSH_KNEE_COSINE), later);
}

static void run_on(const snw_WalkBody *body, int support, double h, snw_Core *state)
{
    const snw_CoreLeg *leg = &state->legs[support], *other = &state->legs[1 - support];
    double leaves = snw_core_leaves_in(state, leg), high = SNW_CORE_RUN_HEIGHT * body->length;
    double flight = (0.5 - state->stance) * state->period;
    if (other->is_swinging) { flight = snw_core_landing_time(state, other) - leaves; }
    flight = snw_max(h, flight);
    double from = line_below(state, leaves) + high;
    const double pushed = push_over(&body->legs[support], leg, state, leaves) - from;
    from += snw_clamp(pushed, 0.0, PUSH_HEIGHT * body->length);
    double to = line_below(state, leaves + flight) + high;
    // a foothold that is far yet will be drawn in
    double reached = reach_over(&body->legs[1 - support], other, state, leaves + flight);
    to = snw_min(to, snw_max(reached, to - MOST_LOW * body->length));
    double speed = (to - from) / flight + 0.5 * SNW_GRAVITY * flight;
    // no faster down than the ground goes: a landing that is low is left for from lower
    double falls = (line_below(state, leaves + flight) - line_below(state, leaves)) / flight;
    speed = snw_max(speed, falls);
    from = to - (speed - 0.5 * SNW_GRAVITY * flight) * flight;
    if (state->jump.stage == SNW_JUMP_PUSHES) { speed = snw_max(speed, state->jump.speed); }
    // no higher than from where no more than gravity brakes them: hips that landed low leave low
    const snw_Follower *now = &state->height;
    const double high_then = now->value + leaves * (2.0 * now->speed + SNW_GRAVITY * leaves) / 6.0;
    if (from > high_then + 2.0 / 3.0 * leaves * speed) {
        // and as fast as makes up for it, but not so that they still rise at the landing
        double back = (to - high_then) / (flight + 2.0 / 3.0 * leaves)
            + 0.5 * SNW_GRAVITY * flight * flight / (flight + 2.0 / 3.0 * leaves);
        speed = snw_max(speed, snw_min(back, SNW_GRAVITY * flight));
        from = high_then + 2.0 / 3.0 * leaves * speed;
    }
    fall(body, state, throw_to(&state->height, from, speed, leaves), h);
}

// ---------------------------------------------------------------------------------------------
// Jumps

// Hips go down by this, L, and more for higher jumps, seconds of their speed, and no faster than this, m/s^2.
#define DIP_FALL 8.5
#define DIP 0.16
#define DIP_MORE 0.045
// They leave so high over the ground, L, on toes whose heels are up by that, radians.
#define LEAVE_HEIGHT 1.035
#define LEAVE_HEEL 0.9
// They land so high, L, and come to rest as if braked by this, m/s^2.
#define LAND_HEIGHT 0.94
#define LAND_BRAKE 23.0
#define LEAP_BRAKE 32.0 // on a knee that is bent already
// Hips take so many seconds to come up again.
#define RISE_TIME 0.8
// How far feet are drawn up in the air beyond what hips rise, share of that.
#define TUCK 0.35

bool snw_core_is_jumping(const snw_Core *state)
{
    const snw_JumpStage stage = state->jump.stage;
    return stage > SNW_JUMP_WAITS && stage != SNW_JUMP_RISES && !state->jump.is_leap;
}

double snw_core_air(const snw_Core *state)
{
    const snw_CoreJump *jump = &state->jump;
    if (jump->stage != SNW_JUMP_FLIES) { return 0.0; }
    double share = snw_clamp(jump->time / snw_max(1e-3, jump->air), 0.0, 1.0);
    double rise = state->height.value - snw_mix(jump->from, jump->to, share);
    const double tuck = jump->is_leap ? 0.0 : TUCK * 4.0 * share * (1.0 - share);
    return snw_max(0.0, rise) * (1.0 + tuck);
}

/// Seconds until hips that were thrown are at a height again.
static double find_air(const snw_Follower *height, double to)
{
    double v = height->speed;
    return (v + sqrt(snw_max(0.0, v * v + 2.0 * SNW_GRAVITY * (height->value - to)))) / SNW_GRAVITY;
}

/// The foot that will land begins its way anew: it has as long as the flight takes.
static void plan_leap(const snw_WalkBody *body, snw_View *view, snw_Core *state)
{
    const snw_WalkRoot *root = &state->root;
    int index = snw_core_older_leg(state);
    snw_CoreLeg *leg = &state->legs[index];
    double s = root->sine, c = root->cosine;
    leg->pitch_speed = 0.0;
    leg->ankle_speed = sinew_vec3(root->forward * s, 0.0, root->forward * c);
    // half a cycle apart, which legs are not in the step that a run begins with
    leg->phase = snw_min(leg->phase, state->legs[1 - index].phase + 0.5);
    snw_core_lift_again(body, view, index, state);
    leg->swing.duration = state->jump.air;
    leg->swing.share = 1.0 - leg->phase;
}

static void take_off(const snw_WalkBody *body, snw_View *view, snw_Core *state)
{
    snw_CoreJump *jump = &state->jump;
    jump->stage = SNW_JUMP_FLIES;
    jump->time = 0.0;
    jump->from = state->height.value;
    jump->heel = 0.0;
    if (jump->is_leap) {
        jump->to = line_below(state, 0.3) + SNW_CORE_RUN_HEIGHT * body->length;
        jump->air = find_air(&state->height, jump->to);
        plan_leap(body, view, state);
        return;
    }
    jump->to = mean_ground(state) + LAND_HEIGHT * body->length;
    jump->air = find_air(&state->height, jump->to);
    for (int i = 0; i < 2; ++i) {
        snw_core_lift(body, view, i, state);
        state->legs[i].swing.duration = jump->air;
    }
}

static void come_down(const snw_WalkBody *body, snw_Core *state)
{
    snw_CoreJump *jump = &state->jump;
    double speed = snw_max(0.0, -state->height.speed);
    jump->stage = SNW_JUMP_LANDS;
    // braked evenly
    jump->left = speed / (jump->is_leap ? LEAP_BRAKE : LAND_BRAKE);
    jump->low = snw_max(state->height.value - 0.5 * speed * jump->left,
        mean_ground(state) + LEAST_HEIGHT * body->length);
    jump->left = 2.0 * (state->height.value - jump->low) / snw_max(0.1, speed);
}

static void stand_and_jump(
    const snw_WalkBody *body, snw_View *view, double h, bool is_whole, snw_Core *state)
{
    snw_CoreJump *jump = &state->jump;
    double leave = mean_ground(state) + LEAVE_HEIGHT * body->length;
    jump->left -= h;
    switch (jump->stage) {
    case SNW_JUMP_WAITS:
        jump->stage = SNW_JUMP_DIPS;
        jump->low = state->height.value - (DIP + DIP_MORE * jump->speed) * body->length;
        jump->left = sqrt(6.0 * (state->height.value - jump->low) / DIP_FALL);
        break;
    case SNW_JUMP_DIPS:
        if (jump->left > 0.0) { break; }
        jump->stage = SNW_JUMP_PUSHES;
        jump->left = jump->air = 2.0 * (leave - state->height.value) / jump->speed;
        break;
    case SNW_JUMP_PUSHES: {
        double part = 1.0 - jump->left / snw_max(1e-3, jump->air);
        jump->heel = LEAVE_HEEL * snw_smoothstep(part);
        if (is_whole && jump->left <= 0.5 * h) { take_off(body, view, state); }
        break;
    }
    case SNW_JUMP_FLIES:
        jump->time += h;
        for (int i = 0; i < 2; ++i) {
            snw_CoreLeg *leg = &state->legs[i];
            leg->t = jump->time / jump->air;
            // who is pushed in the air lands on what is there
            const snw_Foothold *to = &leg->swing.to;
            if (!is_whole || !snw_root_is_moving(&state->root)) { continue; }
            leg->swing.to = snw_core_fit(
                &body->legs[i], view, to->ground.x, to->ground.z, to->heading, NULL);
        }
        if (jump->time >= jump->air) { come_down(body, state); }
        break;
    case SNW_JUMP_LANDS:
        // who comes up again may stand on the balls of the feet meanwhile, and is not at rest
        if (jump->left > 0.0) { break; }
        jump->stage = SNW_JUMP_RISES;
        jump->left = RISE_TIME;
        break;
    default:
        if (jump->left <= 0.0) { jump->stage = SNW_JUMP_NONE; }
        break;
    }
}

void snw_core_jump(
    const snw_WalkBody *body, snw_View *view, double h, bool is_whole, snw_Core *state)
{
    snw_CoreJump *jump = &state->jump;
    if (jump->stage == SNW_JUMP_NONE) { return; }
    if (jump->stage == SNW_JUMP_WAITS) { jump->is_leap = state->is_walking; }
    if (!jump->is_leap) {
        stand_and_jump(body, view, h, is_whole, state);
        return;
    }
    int support = find_support(state);
    switch (jump->stage) {
    case SNW_JUMP_WAITS: {
        // a step that has most of its stance before it
        bool is_fresh = support >= 0 && state->legs[1 - support].is_swinging
            && state->legs[support].phase < 0.4 * state->stance;
        if (snw_core_has_flight(state) && is_fresh) { jump->stage = SNW_JUMP_PUSHES; }
        break;
    }
    case SNW_JUMP_PUSHES:
        if (support < 0 && is_whole) { take_off(body, view, state); }
        break;
    case SNW_JUMP_FLIES:
        jump->time += h;
        if (support < 0) { break; }
        // who goes on is thrown up by the next step, who does not gives way
        jump->stage = SNW_JUMP_NONE;
        if (!snw_core_has_flight(state) || snw_core_is_stopping(state)) { come_down(body, state); }
        break;
    default:
        jump->left -= h;
        if (jump->left <= 0.0) { jump->stage = SNW_JUMP_NONE; }
        break;
    }
}

bool snw_core_bounce(const snw_WalkBody *body, double h, snw_Core *state)
{
    const snw_CoreJump *jump = &state->jump;
    int support = find_support(state);
    if (jump->stage == SNW_JUMP_LANDS || snw_core_is_jumping(state)) {
        double leave = mean_ground(state) + LEAVE_HEIGHT * body->length, left = jump->left;
        switch (jump->stage) {
        case SNW_JUMP_PUSHES:
            fall(body, state, throw_to(&state->height, leave, jump->speed, left), h);
            break;
        case SNW_JUMP_FLIES: fall(body, state, -SNW_GRAVITY, h); break;
        default: fall(body, state, throw_to(&state->height, jump->low, 0.0, left), h); break;
        }
        return true;
    }
    if (jump->stage == SNW_JUMP_FLIES || (snw_core_has_flight(state) && support < 0)) {
        fall(body, state, -SNW_GRAVITY, h);
        return true;
    }
    if (!snw_core_has_flight(state) || !state->is_walking) { return false; }
    run_on(body, support, h, state);
    return true;
}
