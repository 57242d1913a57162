// A tick of two legs: how feet are posed, when they leave and land, and in which order the parts of core.h take their
// turn.

#include "walk/core.h"

#include "walk/leg_form.h"

#include <string.h>

#define AIM_TICKS 6
#define LAST_AIM 0.8
// The pitch of a landing is looked at again after so many ticks: an even number, so that ticks of twice the length meet it.
enum { EASE_TICKS = 2 };
// A body stands still when it is slower than this, m/s and rad/s, with feet as level, near and straight as that.
#define STILL 0.45
#define STILL_TURN 0.1
#define LEVEL_FEET 0.05
// Along the heading feet of who is calm end nearer, L.
#define ABREAST_FEET 0.1
#define STRAIGHT_FEET 0.2
enum { MOST_STOP_STEPS = 3 };
// Who is put down looks so often for where feet carry the body, and for how high legs want the hips then; until that is
// so near to below the root, metres.
enum { PUTS = 4, RISES = 8 };
#define STANDS_OVER 0.005
// So much of the ground around the feet is seen then, metres.
#define SEEN_AROUND SNW_VIEW_CELL
// The clock runs twice as fast while both feet stand and the hind one will soon be out of reach.
#define HURRY 2.0
#define HURRY_FOLLOW 0.03 // seconds
// How much quicker the clock runs while a leg that hurts stands alone, and slower over the other one.
#define QUICK_OVER 0.5
#define SLOW_OVER 0.15
// A planted foot that a leg misses by more than this leaves the ground at once: of a led root, and else, metres;
// and one that a led root is turned against by more, radians.
#define LED_MISS 0.001
#define RECOVER_MISS 0.03
#define RECOVER_TWIST 0.75
// So near to the end of its range, radians, a thigh will be beyond it before its foot has left.
#define TWISTED 0.005
// Heels rise no faster by themselves, rad/s.
#define HEEL_SPEED 14.0
// No knee is near the end of its range over a leg that is longer than this share of itself; so near to it, radians, it cannot
// give way any more to hips that sink.
#define FOLDED 0.55
#define LEAST_FOLD 0.25
// Moving soles are this far above the ground in any case, metres; less in these shares of the swing at its ends.
#define CLEAR 0.020
#define CLEAR_ENDS 0.12
// A leg that lifts its foot bends, and the foot comes down with its toes: so often it is lifted again, each time by as much
// more as the last one fell short of, no more than this, until that is less than so many metres.
enum { LIFTS = 6 };
#define MOST_GAIN 3.0
#define LEAST_LIFT 1e-6
// A foot comes back from where a stiff knee led it in this share of its swing.
#define STIFF_END 0.2
// A foot that would come no nearer than this to where it lands, or whose leg could hold it there no better, metres, waits with
// this share of its swing to go.
#define LANDS_WITHIN 0.003
#define LAST_SHARE 1e-3
// No longer than this, seconds: what it waits for may never be seen. Less, and feet land beside their places.
#define LONGEST_WAIT 0.5
// A led root has left a foot behind whose place is farther than this out of reach, L; its swing begins anew, not before
// this share of it: a new plan has to get somewhere first.
#define LEFT 0.05
#define LEFT_SHARE 0.2
#define LANDING_SHARE 0.10
#define SLOWEST_FLIGHT 0.05 // of the clock against its own: it comes to an end
#define MOST_LATE 0.04      // of a runner's landing, share of the cycle
// Feet of who was taken elsewhere stand no farther above or below where they stood, thigh and shank.
#define WALL_BESIDE 0.5
#define CROUCH_OMEGA 9.0 // how fast a body crouches, 1/s
// Looks at which edge a foot stands on that a tick takes.
enum { BANKINGS = 5 };
// Hips follow what they want late: who bounces wants to be low by so much of the cycle before both feet stand.
#define BOUNCE_EARLY 0.05
#define LANDING_SHARE_TOES 0.22

void snw_core_reset(const snw_WalkBody *body, double x, double z, double heading, snw_Core *state)
{
    memset(state, 0, sizeof *state);
    state->root = snw_root_at(x, z, heading);
    state->period = snw_stride_period(0.0, body->length);
    state->walk_stance = snw_stance_share(body->legs[0].gait, 0.0);
    state->stance = state->walk_stance;
    state->bounds.free_way = (double)INFINITY;
    state->hurry = 1.0;
    state->late = 1.0;
    state->hips.rotation = sinew_quat_identity();
    state->ride.c = 1.0;
    for (int i = 0; i < SNW_CORE_MOMENTS; ++i) { state->ceilings[i].height = (double)INFINITY; }
    for (int i = 0; i < 2; ++i) { state->legs[i].landing_phase = LANDING_SHARE; }
}

// ---------------------------------------------------------------------------------------------
// Feet

static sinew_Vec3 hip_of(const snw_WalkBody *body, const snw_Core *state, int index)
{
    return sinew_transform_point(state->hips, body->legs[index].hip);
}

/// Take a foothold nearer to the root where it is up or down a wall now.
static void keep_off_walls(
    const snw_WalkLegBody *sizes, snw_View *view, const snw_WalkRoot *root, snw_Foothold *at)
{
    const sinew_Vec3 was = at->ground;
    for (double part = 0.0; part <= 1.0; part += 0.5) {
        at->ground.x = snw_mix(was.x, root->x, part);
        at->ground.z = snw_mix(was.z, root->z, part);
        const double rise = snw_view_height(view, at->ground.x, at->ground.z, NULL) - was.y;
        if (fabs(rise) < WALL_BESIDE * (sizes->thigh + sizes->shank)) { return; }
    }
}

/// Pitch standing feet at once as their legs hold them below the hips.
static void roll_feet(const snw_WalkBody *body, snw_Core *state)
{
    const snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
    for (int i = 0; i < 2; ++i) {
        const snw_WalkLegBody *sizes = &body->legs[i];
        snw_CoreLeg *leg = &state->legs[i];
        if (leg->is_swinging) { continue; }
        const sinew_Vec3 hip = hip_of(body, state, i);
        const double natural = state->has_started ? snw_core_pitch(sizes, state, leg, leg->phase)
                                                  : 0.0;
        leg->pitch = snw_core_project(sizes, &leg->at, natural, hip, &pelvis, NULL);
        leg->correction = leg->pitch - natural;
        leg->pose = snw_foot_roll(sizes, &leg->at, leg->pitch, snw_core_toe_cap(sizes));
        // one that is lifted in the same tick goes on from here
        leg->knee = snw_core_knee(sizes, sinew_vec3_distance(hip, leg->pose.foot.position));
        // as it always stood: no landing is told of it
        leg->was_stage = snw_core_stage(leg);
    }
}

/// Until it is looked for, the ground goes on as it is below a foot that was just put there.
static void guess_on(snw_View *view, snw_Core *state)
{
    const int leg = state->legs[0].is_swinging && !state->legs[1].is_swinging ? 1 : 0;
    const sinew_Vec3 up = snw_up_of(snw_core_foothold(&state->legs[leg])->basis);
    state->lean_now = -snw_root_to_body(&state->root, up.x, up.z).ahead / snw_max(0.1, up.y);
    view->guess = snw_core_guess_ground(state);
}

/// Stand on footholds, as high as legs that stand want the hips.
static void stand_up(const snw_WalkBody *body, snw_Core *state)
{
    double low = snw_min(state->legs[0].at.ground.y, state->legs[1].at.ground.y);
    // the lower foot is reached as well; heels are up from the start where ankles ask for it
    double high = 0.98 * body->length;
    for (int i = 0; i < 2; ++i) {
        const snw_WalkLegBody *sizes = &body->legs[i];
        high = snw_max(high, sizes->ankle_height + 1.002 * sizes->folded);
    }
    state->height.value = low + high;
    state->hips.position = sinew_vec3(state->root.x, state->height.value, state->root.z);
    state->hips.rotation = sinew_quat_from_axis_angle(snw_up_axis, state->root.heading);
    roll_feet(body, state);
    for (int round = 0; round < RISES; ++round) {
        snw_core_even_out(body, state);
        // heels come up as hips go down, and ask for less: half of the way after the first
        const double wanted = snw_core_find_standing_height(body, state);
        const double part = round == 0 ? 1.0 : 0.5;
        state->height.value = snw_mix(state->height.value, wanted, part);
        state->hips.position.y = state->height.value;
        roll_feet(body, state);
    }
}

/// Stand beside each other on what is below, with what carries of the feet below the hips: who stands on the toes has those
/// there.
static void stand(const snw_WalkBody *body, snw_View *view, snw_Core *state)
{
    double x = 0.0, z = 0.0;
    for (int round = 0; round < PUTS; ++round) {
        for (int i = 0; i < 2; ++i) {
            snw_Foothold *at = &state->legs[i].at;
            at->ground = snw_root_beside(&state->root, body->legs[i].hip.x);
            at->ground.x += x;
            at->ground.z += z;
            at->heading = state->root.heading;
        }
        const bool goes_on = snw_core_put(body, view, state);
        stand_up(body, state);
        const sinew_Vec3 rest = snw_core_find_rest_place(body, state);
        const double more_x = state->root.x - rest.x, more_z = state->root.z - rest.z;
        if (!goes_on || sqrt(more_x * more_x + more_z * more_z) < STANDS_OVER) { break; }
        x += more_x;
        z += more_z;
    }
    guess_on(view, state);
    state->has_started = true;
}

static void pose_standing(const snw_WalkBody *body, double h, int index, snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_CoreLeg *leg = &state->legs[index];
    sinew_Vec3 hip = hip_of(body, state, index), before = leg->pose.foot.position;
    // a clock that hurries makes no ankle leap
    const double was = leg->pitch, was_natural = was - leg->correction, most = HEEL_SPEED * h;
    const double natural = snw_clamp(
        snw_core_pitch(sizes, state, leg, leg->phase), was_natural - most, was_natural + most);
    // onto the edge that it will stand on, pitched as it goes on to be, or, as a foot on its edge is pitched otherwise, as it
    // then is
    double pitch = leg->pitch, bank = leg->bank, step = h * leg->pitch_speed, off = 0.0;
    double ahead = leg->pitch + step;
    snw_Foothold at = leg->at;
    for (int round = 0; round < BANKINGS; ++round) {
        const double on = snw_core_bank_on(
            leg->bank, snw_core_bank(sizes, &leg->at, ahead, hip), h);
        if (round == 0 || on != bank) {
            bank = on;
            at = snw_foothold_rolled(sizes, &leg->at, ahead, bank);
            pitch = snw_core_stand_on(sizes, state, leg, &at, natural, hip, h);
        }
        // false position, of a foot on its edge from half of the way on
        const double off_before = off;
        off = pitch - ahead;
        // as it was thought to be
        if (off == 0.0) { break; }
        if (round == 0) {
            step = bank == 0.0 ? off : 0.5 * off;
        } else if (off != off_before) {
            step = snw_clamp(step * off / (off_before - off), -fabs(off), fabs(off));
        }
        ahead = step == off ? pitch : ahead + step;
    }
    leg->bank = bank;
    leg->pose = snw_foot_roll(sizes, &at, pitch, snw_core_toe_cap(sizes));
    double knee = snw_core_knee(sizes, sinew_vec3_distance(hip, leg->pose.foot.position));
    if (fabs(knee - leg->knee) > SNW_CORE_KNEE_SPEED * h) {
        pitch = snw_core_slow_knee(sizes, state, leg, &at, pitch, hip, h);
        leg->pose = snw_foot_roll(sizes, &at, pitch, snw_core_toe_cap(sizes));
        knee = snw_core_knee(sizes, sinew_vec3_distance(hip, leg->pose.foot.position));
    }
    leg->knee = knee;
    leg->pitch = pitch;
    leg->correction = leg->pitch - natural;
    if (h <= 0.0) { return; }
    leg->ankle_speed = sinew_vec3_scale(sinew_vec3_sub(leg->pose.foot.position, before), 1.0 / h);
    leg->pitch_speed = (leg->pitch - was) / h;
}

/// Lift a moving foot out of the ground at once, and clear of it as fast as a knee that bends turns; stiff: how far a stiff
/// knee leads it aside.
static void lift_out(const snw_WalkBody *body, snw_View *view, double h, int index, double stiff,
    const snw_FootPose *before, snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_CoreLeg *leg = &state->legs[index];
    const sinew_Vec3 hip = hip_of(body, state, index);
    const double clear = CLEAR * snw_smoothstep(leg->t / CLEAR_ENDS)
        * snw_smoothstep((1.0 - leg->t) / CLEAR_ENDS);
    // now, and in the next tick: a foot comes over the edge of a step while it rises
    const double on = SNW_WALK_TICK / snw_max(h, SNW_WALK_TICK);
    double was = (double)INFINITY, up = 0.0;
    for (int round = 0; round < LIFTS; ++round) {
        const double depth = snw_core_depth(sizes, view, &leg->pose, before, on, -clear) + clear;
        if (depth < LEAST_LIFT) { break; }
        const double gain = snw_clamp(up / snw_max(LEAST_LIFT, was - depth), 1.0, MOST_GAIN);
        sinew_Transform foot = leg->pose.foot;
        const double low = foot.position.y + gain * snw_max(0.0, depth - clear);
        foot.position.y += gain * depth;
        if (sizes->folded <= 0.0) {
            const sinew_Vec3 kept = snw_core_bend(sizes, hip, foot.position, leg->knee, h);
            foot.position.y = snw_clamp(kept.y, low, foot.position.y);
        }
        was = depth;
        up = foot.position.y - leg->pose.foot.position.y;
        if (up < LEAST_LIFT) { break; }
        sinew_Vec3 aside = snw_core_aside(sizes, hip, foot.position, state->root.heading);
        foot.position = sinew_vec3_lerp(foot.position, aside, stiff);
        foot.rotation = snw_core_flex(sizes, hip, &foot);
        sinew_Quat kept;
        (void)snw_core_knee_yaw(body, index, state, &foot, &kept);
        foot.rotation = kept;
        snw_foot_points(sizes, &foot, leg->pose.toe_bend, &leg->pose);
    }
}

static void pose_moving(
    const snw_WalkBody *body, snw_View *view, double h, bool is_whole, int index, snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_CoreLeg *leg = &state->legs[index];
    if (is_whole && state->tick % EASE_TICKS == 0) {
        snw_core_ease(body, EASE_TICKS * SNW_WALK_TICK, index, state);
    }
    const snw_FootPose before = leg->pose;
    leg->pose = snw_core_swing_pose(body, index, state, leg->t);
    sinew_Transform foot = leg->pose.foot;
    sinew_Vec3 hip = hip_of(body, state, index);
    foot.position.y += snw_core_air(state);
    foot.position = snw_core_reach(sizes, state, hip, foot.position, leg->t);
    foot.position = snw_core_bend(sizes, hip, foot.position, leg->knee, h);
    foot.position = snw_core_behind(sizes, state, hip, foot.position);
    // it lands where it was planned, whatever the knee says
    double stiff = snw_smoothstep((1.0 - leg->t) / STIFF_END);
    if (sizes->folded > 0.0) {
        foot.position = sinew_vec3_lerp(
            foot.position, snw_core_lower(sizes, hip, foot.position), stiff);
    }
    foot.rotation = snw_core_give_way(
        body, sizes, &leg->swing, hip, state->root.heading, leg->t, &foot, &leg->heading);
    snw_foot_points(sizes, &foot, leg->pose.toe_bend, &leg->pose);
    lift_out(body, view, h, index, stiff, &before, state);
    leg->pose.planted = 0;
    leg->knee = snw_core_knee(sizes, sinew_vec3_distance(hip, leg->pose.foot.position));
}

/// Whether a hind foot has its thigh at the end of its range, whatever the pelvis turns for it, and the other one carries.
static bool is_twisted(const snw_WalkBody *body, const snw_Core *state, int index)
{
    const snw_CoreLeg *leg = &state->legs[index];
    const bool is_hind = leg->phase > 0.5 && !state->legs[1 - index].is_swinging;
    if (!is_hind) { return false; }
    return snw_leg_hip_excess(body, &body->legs[index], &state->hips, &leg->pose.foot,
               state->root.heading + state->life.hips_yaw, TWISTED)
        > -TWISTED;
}

/// Whether hips that a hind foot holds down would fold the knee over the other one to its end before they can be stopped.
static bool is_sunk(const snw_WalkBody *body, const snw_Core *state, int index)
{
    const snw_CoreLeg *leg = &state->legs[index], *other = &state->legs[1 - index];
    const bool is_hind = leg->phase > 0.5 && !other->is_swinging;
    if (!is_hind) { return false; }
    const snw_WalkLegBody *sizes = &body->legs[1 - index];
    const double falls = snw_min(0.0, state->height.speed);
    sinew_Transform hips = state->hips;
    hips.position.y -= falls * falls / (2.0 * SNW_CORE_MOST_RISE);
    const sinew_Vec3 hip = sinew_transform_point(hips, sizes->hip);
    const double reach = sinew_vec3_distance(hip, other->pose.foot.position);
    if (reach > FOLDED * (sizes->thigh + sizes->shank)) { return false; }
    const double facing = state->root.heading + state->life.hips_yaw;
    return snw_leg_excess(body, sizes, &hips, &other->pose.foot, facing).knee > -LEAST_FOLD;
}

/// Whether a standing leg of who walks cannot be where its foot is: it steps at once, whatever the other one does.
static bool is_out(const snw_WalkBody *body, const snw_Core *state, int index)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_CoreLeg *leg = &state->legs[index];
    // a runner's foot leaves when it must; one that has just landed waits for hips that fall
    bool is_late = state->run.value > 0.0 && leg->phase > 0.4 * state->stance;
    bool is_led = state->root.is_led || is_late;
    sinew_Vec3 hip = hip_of(body, state, index);
    double miss = sinew_vec3_distance(hip, leg->pose.foot.position) - sizes->thigh - sizes->shank;
    if (is_late) {
        snw_Foothold at = snw_core_rolled(sizes, leg);
        const snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
        miss = snw_max(miss, snw_core_strain(sizes, &at, leg->pitch, hip, &pelvis));
    }
    double twist = fabs(snw_least_turn(leg->at.heading, state->root.heading));
    return miss > (is_led ? LED_MISS : RECOVER_MISS) || (is_led && twist > RECOVER_TWIST)
        || is_twisted(body, state, index) || is_sunk(body, state, index);
}

/// Move a standing leg to another phase of its cycle; the foot feels nothing of it.
static void set_phase(const snw_WalkLegBody *sizes, double phase, snw_Core *state, snw_CoreLeg *leg)
{
    double before = snw_core_pitch(sizes, state, leg, leg->phase);
    leg->phase = phase;
    leg->correction += before - snw_core_pitch(sizes, state, leg, phase);
}

/// Both legs share one clock, half a cycle apart: a foot that leaves before its time takes it along.
static void leave_early(const snw_WalkBody *body, int index, snw_Core *state)
{
    snw_CoreLeg *leg = &state->legs[index], *other = &state->legs[1 - index];
    if (leg->phase >= state->stance || snw_core_has_flight(state)) { return; }
    leg->phase = state->stance;
    if (other->is_swinging) { return; }
    set_phase(&body->legs[1 - index], snw_max(0.0, state->stance - 0.5), state, other);
}

static void land(const snw_WalkBody *body, int index, snw_Core *state)
{
    snw_CoreLeg *leg = &state->legs[index], *other = &state->legs[1 - index];
    leg->is_swinging = false;
    leg->at = leg->swing.to;
    leg->landing_pitch = leg->swing.landing_pitch;
    leg->bank = leg->swing.landing_bank;
    leg->landing_phase = leg->landing_pitch < 0.0 ? LANDING_SHARE_TOES : LANDING_SHARE;
    leg->pitch = leg->landing_pitch;
    leg->pitch_speed = 0.0;
    leg->phase = 0.0;
    leg->correction = leg->pitch - snw_core_pitch(&body->legs[index], state, leg, 0.0);
    ++state->step_count;
    snw_core_vary(&state->life);
    if (other->is_swinging) {
        // runners' legs stay half a cycle apart: who is late stands for less
        if (snw_core_has_flight(state)) {
            leg->phase = snw_clamp(other->phase - 0.5, -MOST_LATE, MOST_LATE);
        }
        return;
    }
    set_phase(&body->legs[1 - index], 0.5, state, other);
}

// ---------------------------------------------------------------------------------------------
// Steps

static bool is_settled(const snw_WalkBody *body, const snw_Core *state)
{
    const snw_Foothold *a = &state->legs[0].at, *b = &state->legs[1].at;
    const snw_WalkRoot *root = &state->root;
    // a leap goes on until it has landed, and then the other foot is still in the air
    if (state->jump.is_leap && state->jump.stage > SNW_JUMP_WAITS) { return false; }
    if (state->legs[0].is_swinging || state->legs[1].is_swinging) { return false; }
    double speed = snw_root_speed(root);
    if (speed > STILL || fabs(root->turn) > STILL_TURN) { return false; }
    double dx = a->ground.x - b->ground.x, dz = a->ground.z - b->ground.z;
    bool level = fabs(a->ground.y - b->ground.y) < LEVEL_FEET;
    bool near = sqrt(dx * dx + dz * dz) < SNW_CORE_NEAR_FEET * body->length;
    // who takes the time closes the last step
    double most = snw_mix(SNW_CORE_NEAR_FEET, ABREAST_FEET, state->life.calm) * body->length;
    bool abreast = fabs(snw_root_to_body(root, dx, dz).ahead) < most;
    bool straight = fabs(0.5 * (a->heading + b->heading) - root->heading) < STRAIGHT_FEET;
    if (state->root.is_led) { return near && snw_core_is_over_feet(body, state); }
    return (level && near && abreast && straight) || state->stop_steps >= MOST_STOP_STEPS;
}

/// Share of the cycle that a foot moves; of a run that of its lift-off, so that its landing is where its phase is.
static double swing_share(const snw_Core *state, const snw_CoreLeg *leg)
{
    return state->run.value > 0.0 ? leg->swing.share : 1.0 - state->stance;
}

/// Whether both feet stand and the hind one will soon be out of what its leg can hold.
static bool is_hind_far(const snw_WalkBody *body, const snw_Core *state)
{
    const int hind = snw_core_older_leg(state);
    const snw_WalkLegBody *sizes = &body->legs[hind];
    const snw_CoreLeg *leg = &state->legs[hind];
    snw_WalkRoot later = state->root;
    snw_root_advance(&later, SNW_CORE_LAG);
    sinew_Vec3 hip = hip_of(body, state, hind);
    hip.x += later.x - state->root.x;
    hip.z += later.z - state->root.z;
    const snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
    const snw_Foothold at = snw_core_rolled(sizes, leg);
    const double pitch = snw_core_project(sizes, &at, leg->pitch, hip, &pelvis, NULL);
    return snw_core_strain(sizes, &at, pitch, hip, &pelvis) > 0.0;
}

/// Cycles per second: as long as its swing takes while a foot moves, of two the longer; faster where a hind foot is
/// left behind.
static double clock_rate(
    const snw_WalkBody *body, const sinew_Manner *manner, const snw_Core *state)
{
    if (state->jump.stage == SNW_JUMP_FLIES) {
        // the clock waits for the flight
        const snw_CoreLeg *lead = &state->legs[snw_core_older_leg(state)];
        double left = snw_max(SNW_WALK_TICK, snw_core_landing_time(state, lead));
        return snw_max((1.0 - lead->phase) / left, SLOWEST_FLIGHT / state->period);
    }
    double rate = (double)INFINITY;
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        if (!leg->is_swinging) { continue; }
        // a leg that hurts carries the body for a short time only
        double limp = 1.0 + QUICK_OVER * manner->hurt[1 - i] - SLOW_OVER * manner->hurt[i];
        double own = swing_share(state, leg) / leg->swing.duration * state->hurry;
        rate = snw_min(rate, own * limp);
    }
    // nothing carries the body: the sooner one lands the better
    const bool falls = state->legs[0].is_swinging && state->legs[1].is_swinging
        && !snw_core_has_flight(state);
    if (rate < (double)INFINITY) { return falls ? HURRY * rate : rate; }
    return (is_hind_far(body, state) ? HURRY : 1.0) / state->period;
}

/// Whether a foot that should land gets there in a tick, as fast as its knee turns, and its leg can hold it there: hips that
/// are late come nearer and turn for its thigh while it waits, and its pitch is eased on.
static bool is_there(const snw_WalkBody *body, const snw_Core *state, int index)
{
    if (snw_core_has_flight(state)) { return true; }
    const snw_WalkLegBody *sizes = &body->legs[index];
    const sinew_Transform foot = snw_core_swing_pose(body, index, state, 1.0).foot;
    const sinew_Vec3 to = foot.position, hip = hip_of(body, state, index);
    const sinew_Vec3 bent = snw_core_bend(sizes, hip, to, state->legs[index].knee, SNW_WALK_TICK);
    if (sinew_vec3_distance(bent, to) > LANDS_WITHIN) { return false; }
    // hips that come nearer fold a stiff knee no less
    if (sinew_vec3_distance(hip, to) < sizes->folded) { return true; }
    const double facing = state->root.heading + state->life.hips_yaw;
    if (snw_leg_hip_excess(body, sizes, &state->hips, &foot, facing, TWISTED) > TWISTED) {
        return false;
    }
    const snw_CoreSwing *swing = &state->legs[index].swing;
    const snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
    const snw_Foothold at = snw_core_rolled_to(sizes, swing);
    return snw_core_strain(sizes, &at, swing->landing_pitch, hip, &pelvis) < LANDS_WITHIN;
}

/// Whether a root from outside has left the place of a moving foot out of reach, and goes away from it.
static bool is_left_behind(const snw_WalkBody *body, const snw_Core *state, int index)
{
    const snw_CoreLeg *leg = &state->legs[index];
    if (!state->root.is_led || leg->t < LEFT_SHARE) { return false; }
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_WalkRoot *root = &state->root;
    const sinew_Vec3 to = snw_core_swing_pose(body, index, state, 1.0).foot.position;
    const sinew_Vec3 way = sinew_vec3_sub(hip_of(body, state, index), to);
    const snw_LevelWay off = snw_root_to_body(root, way.x, way.z);
    return off.ahead * root->forward + off.aside * root->left > 0.0
        && sinew_vec3_length(way) > sizes->thigh + sizes->shank + LEFT * body->length;
}

/// Begin its swing anew from where its leg has it.
static void swing_again(const snw_WalkBody *body, snw_View *view, int index, snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_CoreLeg *leg = &state->legs[index];
    const sinew_Vec3 hip = hip_of(body, state, index);
    sinew_Vec3 *foot = &leg->pose.foot.position;
    const double far = sinew_vec3_distance(hip, *foot), reach = sizes->thigh + sizes->shank;
    if (far > reach) { *foot = sinew_vec3_lerp(hip, *foot, reach / far); }
    leave_early(body, index, state);
    leg->phase = state->stance;
    snw_core_lift_again(body, view, index, state);
}

static void move_legs(const snw_WalkBody *body, const snw_WalkSetup *setup, snw_View *view,
    double h, bool is_whole, bool is_wanted, snw_Core *state)
{
    state->hurry += snw_follow(h, HURRY_FOLLOW) * (snw_core_hurry(body, state) - state->hurry);
    state->rate = clock_rate(body, &setup->manner, state);
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        leg->phase += state->rate * h;
        if (!leg->is_swinging) {
            // who waits for a foot that is late is at the end of its cycle
            leg->phase = snw_min(leg->phase, 1.0 - LAST_SHARE);
            continue;
        }
        leg->t += state->rate / swing_share(state, leg) * h;
        if (is_whole && is_left_behind(body, state, i)) {
            swing_again(body, view, i, state);
            continue;
        }
        if (leg->t >= 1.0 && leg->swing.waited < LONGEST_WAIT && !is_there(body, state, i)) {
            leg->swing.waited += h;
            leg->t = 1.0 - LAST_SHARE;
            leg->phase -= state->rate * h;
        } else if (leg->t >= 1.0) {
            land(body, i, state);
            if (is_wanted) { state->stop_steps = 0; }
            if (!is_wanted && ++state->stop_steps > 0 && is_settled(body, state)) {
                state->is_walking = false;
                return;
            }
        } else if (is_whole && state->tick % AIM_TICKS == 0 && leg->t < LAST_AIM) {
            snw_core_aim(body, view, i, state);
        }
    }
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        bool leaves = !leg->is_swinging && leg->phase >= state->stance;
        if (!leaves || (state->legs[1 - i].is_swinging && !snw_core_has_flight(state))) {
            continue;
        }
        snw_core_lift(body, view, i, state);
        leg->t = h / leg->swing.duration;
    }
}

/// Begin to walk where that is wanted, or feet that stand are not where they hold the body.
static void start_if_asked(const snw_WalkBody *body, bool is_wanted, snw_Core *state)
{
    if (state->is_walking) { return; }
    // who is pushed as he dips for a jump steps instead, and as he lands; between these he flies
    const snw_JumpStage stage = state->jump.stage;
    const bool leaves = stage == SNW_JUMP_PUSHES || stage == SNW_JUMP_FLIES;
    const bool is_falling = !leaves && !snw_core_is_caught(body, state);
    if (is_falling && stage == SNW_JUMP_DIPS) { state->jump.stage = SNW_JUMP_NONE; }
    if (snw_core_is_jumping(state) && !is_falling) { return; }
    const bool is_left = state->root.is_led && !snw_core_is_over_feet(body, state);
    if (is_wanted || is_left || is_falling) { snw_core_start(state); }
}

/// The feet of a jump on the spot come down with the hips, whatever the clock says.
static void land_jump(const snw_WalkBody *body, snw_Core *state)
{
    for (int i = 0; i < 2; ++i) {
        const bool has_jumped = !state->is_walking && state->legs[i].is_swinging;
        if (!has_jumped || state->legs[i].t < 1.0) { continue; }
        land(body, i, state);
        state->legs[i].correction = state->legs[i].pitch;
    }
}

/// Knees of who rested are as bent as the hips had them go: moving feet go on from there.
static void wake(const snw_WalkBody *body, snw_Core *state)
{
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        const double reach = sinew_vec3_distance(hip_of(body, state, i), leg->pose.foot.position);
        leg->knee = snw_core_knee(&body->legs[i], reach);
        leg->rests = false;
    }
    state->rests = false;
}

/// Whether a foot that rests goes on to: its leg holds it.
static bool rests_on(const snw_WalkBody *body, const snw_Core *state, int index)
{
    const snw_CoreLeg *leg = &state->legs[index];
    const sinew_Vec3 ankle = leg->pose.foot.position;
    return leg->rests && snw_core_reaches(&body->legs[index], hip_of(body, state, index), ankle);
}

/// Pose both feet below the hips; one that the leg cannot hold where it stands begins to step.
static void pose_feet(
    const snw_WalkBody *body, snw_View *view, double h, bool is_whole, snw_Core *state)
{
    for (int i = 0; i < 2; ++i) {
        if (state->legs[i].is_swinging) {
            pose_moving(body, view, h, is_whole, i, state);
            continue;
        }
        if (!is_whole || !state->is_walking) {
            state->legs[i].rests = rests_on(body, state, i);
            if (!state->legs[i].rests) { pose_standing(body, h, i, state); }
            continue;
        }
        const snw_CoreLeg held = state->legs[i];
        pose_standing(body, h, i, state);
        if (!is_out(body, state, i)) { continue; }
        // from where it was held last, and as fast: what it was forced to since is no way that it goes
        state->legs[i] = held;
        leave_early(body, i, state);
        snw_core_lift(body, view, i, state);
        state->legs[i].t = h / state->legs[i].swing.duration;
        pose_moving(body, view, h, false, i, state);
    }
}

// ---------------------------------------------------------------------------------------------
// Put down

/// Remember the ground around feet that were put there: the first of them to leave steps over nothing that is guessed.
static void look_around_feet(const snw_WalkBody *body, snw_View *view, const snw_Core *state)
{
    snw_ViewBatch batch;
    batch.count = 0;
    for (int i = 0; i < 2; ++i) {
        const snw_FootPose *pose = &state->legs[i].pose;
        const snw_SoleBox box = snw_core_sole_box(&body->legs[i], pose, SEEN_AROUND);
        for (double x = box.low_x; x <= box.high_x; x += SNW_VIEW_CELL) {
            for (double z = box.low_z; z <= box.high_z; z += SNW_VIEW_CELL) {
                (void)snw_view_remember(view, &batch, x, z);
            }
        }
    }
    snw_view_take(view, &batch);
}

void snw_core_stand_anew(const snw_WalkBody *body, snw_View *view, snw_Core *state)
{
    const bool nobody_stands = state->legs[0].is_swinging && state->legs[1].is_swinging;
    double rise = (double)INFINITY, was[2];
    snw_core_open_view(state, true, view);
    view->allowance = SNW_CORE_PUT - SNW_CORE_SAMPLES;
    if (state->rests) { wake(body, state); }
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        snw_Foothold *at = leg->is_swinging ? &leg->swing.to : &leg->at;
        was[i] = at->ground.y;
        keep_off_walls(&body->legs[i], view, &state->root, at);
    }
    snw_core_put(body, view, state);
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        if (leg->is_swinging && !nobody_stands) { continue; }
        rise = snw_min(rise, snw_core_foothold(leg)->ground.y - was[i]);
    }
    // what is no edge the carry follows
    if (fabs(rise) > SNW_VIEW_EDGE) { snw_core_raise(rise, state); }
    roll_feet(body, state);
    guess_on(view, state);
    look_around_feet(body, view, state);
}

/// Begin to stand, for which more of the ground is asked than in a tick of a walk.
static void begin(
    const snw_WalkBody *body, const snw_WalkSetup *setup, snw_View *view, snw_Core *state)
{
    view->allowance = SNW_CORE_PUT;
    stand(body, view, state);
    snw_core_begin_life(setup, state);
    look_around_feet(body, view, state);
}

// ---------------------------------------------------------------------------------------------
// A tick

/// Steering, ground, root, clock and steps of a body that does not rest.
static void go_on(const snw_WalkBody *body, const snw_WalkSetup *setup, snw_View *view,
    const sinew_Drive *drive, double h, bool is_whole, snw_Core *state)
{
    const int ticks = snw_core_ticks(state);
    snw_core_open_view(state, is_whole, view);

    // steering
    snw_drive_answer(&setup->response, drive, h, &state->root);
    double wave, unused;
    sinew_sincos(2.0 * SINEW_PI * (state->life.phase + BOUNCE_EARLY), &unused, &wave);
    state->crouch = body->length
        * (setup->manner.crouch + setup->manner.bounce * state->amplitude * wave * wave);
    if (!state->has_started) { begin(body, setup, view, state); }
    snw_core_drift(h, state);
    const sinew_Steering steering = snw_drive_steering(drive, &state->root);
    if (is_whole) { snw_core_look_for_bounds(body, &setup->limits, &steering, ticks, view, state); }
    snw_core_look_around(body, view, h, is_whole, &steering, state);
    state->wanted = snw_core_crop(body, state, &steering);
    snw_core_ease_start(body, state);
    snw_bounds_hold(&body->girth, &state->root, &steering, &state->wanted, &state->bounds);
    const bool is_wanted = !snw_steering_is_none(&state->wanted);
    state->is_pushed = state->is_pushed && !is_wanted;

    // clock, footholds and swings
    start_if_asked(body, is_wanted, state);
    snw_follower_step(&state->stoop, drive->crouch, CROUCH_OMEGA, h);
    snw_core_plan_carry(body, state);
    snw_core_root(body, drive, h, state);
    snw_core_pace(body, &setup->manner, h, state);
    if (state->is_walking) { move_legs(body, setup, view, h, is_whole, is_wanted, state); }
    snw_core_jump(body, view, h, is_whole, state);
    land_jump(body, state);
    snw_core_live(body, setup, h, state);
}

void snw_core_tick(const snw_WalkBody *body, const snw_WalkSetup *setup, snw_View *view,
    const sinew_Drive *drive, double h, bool is_whole, snw_Core *state)
{
    const int asked = view->asked, ticks = snw_core_ticks(state);
    const bool rests = state->rests && snw_core_rests_on(state, drive);
    const bool may_rest = is_whole && !rests && snw_core_may_rest(state);
    snw_CoreStill before;
    if (may_rest) { snw_core_list_still(state, &before); }
    if (state->rests && !rests) { wake(body, state); }
    state->span = ticks * SNW_WALK_TICK;
    if (rests) {
        snw_core_plan_carry(body, state);
    } else {
        go_on(body, setup, view, drive, h, is_whole, state);
    }

    // carry, feet, and what is above
    snw_core_breathe(setup, h, is_whole, &state->life);
    snw_core_shift(body, setup, h, state);
    snw_core_carry(body, h, state);
    pose_feet(body, view, h, is_whole, state);
    snw_core_move_upper(body, setup, h, state);
    if (!is_whole) {
        view->asked = asked;
        return;
    }
    if (rests) {
        state->tick += ticks;
        return;
    }
    snw_core_look_ahead(body, ticks, view, state);
    if (may_rest) { snw_core_find_rest(&before, state); }
    state->tick += ticks;
    state->pace = snw_core_find_pace(body, state);
    state->turn_pace = snw_core_find_turn_pace(body, state);
    snw_core_watch(state);
}

// ---------------------------------------------------------------------------------------------
// Target

static void tell_leg(
    const snw_WalkBody *body, const snw_Core *state, int index, snw_WalkFootTarget *target)
{
    const snw_CoreLeg *leg = &state->legs[index];
    const snw_Foothold *at = snw_core_foothold(leg);
    sinew_WalkerLeg *told = &target->told;
    memset(told, 0, sizeof *told);
    // as it is shown: plans change, and a knee follows its foot
    const double heading = leg->is_swinging ? leg->heading : leg->at.heading;
    target->foot = leg->pose.foot;
    target->toe_bend = leg->pose.toe_bend;
    sinew_Quat kept;
    target->knee_yaw = snw_core_knee_yaw(body, index, state, &target->foot, &kept);
    target->freedom = leg->is_swinging ? snw_core_knee_freedom(leg->t) : 0.0;
    target->is_leading = leg->is_swinging || leg->phase < state->legs[1 - index].phase;
    target->lift = 0.0;
    target->heel_free = 0.0;
    told->phase = snw_max(0.0, leg->phase);
    told->is_swinging = leg->is_swinging;
    told->swing = leg->is_swinging ? leg->t : 1.0;
    told->planted = leg->is_swinging ? 0u : leg->pose.planted | leg->pose.edge;
    told->heel = leg->pose.heel;
    told->ball = leg->pose.ball;
    told->toe = leg->pose.toe;
    told->foothold = at->ground;
    told->normal = snw_up_of(at->basis);
    told->foot_heading = heading;
    told->toe_bend = leg->pose.toe_bend;
    told->surface = leg->surface.id;
}

void snw_core_target(const snw_WalkBody *body, const snw_WalkSetup *setup, const snw_Core *state,
    snw_WalkTarget *target)
{
    target->hips = state->hips;
    target->heading = state->root.heading;
    snw_core_pose_upper(body, setup, state, target);
    for (int i = 0; i < 2; ++i) { tell_leg(body, state, i, &target->feet[i]); }
    snw_aboard_target(&state->ride, 2, target);
}
