// Tips in the air: laid over the ground, planned anew while the body goes on, held in the reach of their legs.

#include "walk/walker_legs.h"

#include "math/holds.h"

// Shortest swing: in units of sqrt(L / g), and seconds.
#define SHORTEST_SWING 1.0
#define SHORTEST_SWING_TIME 0.16
// Joints of a leg in the air turn at most so fast, rad/s, as far as its bend tells, faster where they fly; looked at so far
// ahead.
#define FASTEST_JOINT 12.0
#define TURN_STEP 0.04
#define TURN_SAMPLES 12
#define CLEARANCE 0.06 // lengths of the leg, over the way of a swing
#define LEAST_CLEARANCE 0.015
#define LOWEST_CLEARANCE 0.008 // of tips that their leg cannot lift higher
#define REPLAN_TICKS 6
#define LAST_REPLAN 0.70
#define LAST_RETREAT 0.93 // for footholds that would be out of reach
// Rates of a swing whose tip is near the end of its reach, and beyond a share of it.
#define SLOW_SWING 0.3
#define SLOWEST_SWING 0.05
#define LOST_SHARE 1.05
#define LOOK_AGAIN 0.05  // of the swing, later
#define LOOK_HIGHER 0.03 // lengths of the leg
#define FREE_SHIFT 0.025 // lengths of the leg that a plan may be off
// A leg that would move less than this stays, lengths of the leg.
#define STAY 0.06
// Swings that rise less than the first are no reason to wait, from the second on all; lengths of the leg.
#define LOW_RISE 0.20
#define HIGH_RISE 0.25
// Tips in the air give way from the first share of their reach on, and never need more than the second.
#define FREE_SHARE 0.72
#define MOST_SHARE 0.82
// What a changed path is off fades within this part of what is left, fastest in its middle.
#define FADE 0.8
#define FADE_PEAK (1.5 / FADE)
#define FIRST_FADE 0.3 // of a swing; it is not put back further for it
// Progress on a changed path is looked for around what it was, hardly onward: the end has to be flown.
#define LOOKS_BACK 8
#define LOOKS_ON 2
#define NEAR_LOOK 0.025
#define LAST_NEAR 0.9
#define LEAST_ONWARD 0.02 // of a swing, from plan to plan
// A tip gives way as far as the ground, which is looked for so often.
#define WALL_HALVINGS 5
// What leaves a foothold behind lets go of it when it needs more of the reach than this, whatever the other legs do.
#define LEFT_SHARE 0.85

static double clearance_of(const snw_WalkBody *body)
{
    return snw_max(LEAST_CLEARANCE, CLEARANCE * body->length);
}

double snw_legs_shortest_swing(const snw_WalkBody *body)
{
    return snw_max(SHORTEST_SWING_TIME, SHORTEST_SWING * sqrt(body->length / SNW_GRAVITY));
}

sinew_Vec3 snw_legs_on_path(const snw_LegsLeg *leg, double progress)
{
    sinew_Vec3 place = snw_leg_path_at(&leg->path, progress);
    double rest = 1.0 - leg->off_progress;
    double fade = 1.0 - snw_smoothstep((progress - leg->off_progress) / (FADE * rest));
    return sinew_vec3_add_scaled(place, leg->off, fade);
}

double snw_legs_highness(const snw_WalkBody *body, double rise)
{
    return snw_smoothstep((rise / body->length - LOW_RISE) / (HIGH_RISE - LOW_RISE));
}

double snw_legs_rise(const snw_LegsLeg *leg)
{
    double rise = 0.0;
    for (int k = 0; k < SNW_PATH_NODES && leg->is_swinging; ++k) {
        rise = snw_max(rise, leg->path.heights[k] - leg->path.from.y);
    }
    return rise;
}

static double path_margin(const snw_WalkBody *body)
{
    return snw_clamp(0.05 * body->length, 0.012, 0.03);
}

// Seconds in which joints should take a tip from one place to another, as the body is now and goes on meanwhile.
static double time_for_joints(const snw_WalkBody *body, const snw_Legs *state, int index,
    sinew_Vec3 from, sinew_Vec3 to, double meanwhile)
{
    // who flies waits for none; who is led goes on meanwhile, and waits for legs that climb alone
    const snw_LegsLeg *leg = &state->legs[index];
    double waits = state->gait.duty < 0.5 ? 0.0 : 1.0;
    if (state->root.is_led) { waits *= snw_legs_highness(body, snw_legs_rise(leg)); }
    if (waits <= 0.0) { return 0.0; }
    const snw_WalkLegBody *sizes = &body->legs[index];
    sinew_Transform body_from_world = sinew_transform_inverse(state->hips);
    sinew_Vec3 tip = sinew_vec3_sub(sinew_transform_point(body_from_world, from), sizes->hip);
    const double pace = meanwhile * state->pace;
    const sinew_Vec3 carried = snw_root_to_world(
        &state->root, pace * state->root.forward, pace * state->root.left);
    sinew_Vec3 way = sinew_quat_rotate(
        body_from_world.rotation, sinew_vec3_sub(sinew_vec3_sub(to, from), carried));
    return waits * snw_leg_bend_turn(&sizes->bend, tip, way) / FASTEST_JOINT;
}

static snw_LegPath path_to(
    const snw_WalkBody *body, snw_View *view, const snw_LegsLeg *leg, sinew_Vec3 to)
{
    return snw_leg_path_over(view, leg->at, to, clearance_of(body), path_margin(body));
}

static void lay_path(
    const snw_WalkBody *body, snw_View *view, sinew_Vec3 to, int index, snw_Legs *state)
{
    snw_LegsLeg *leg = &state->legs[index];
    leg->path = path_to(body, view, leg, to);
    double time = snw_max(snw_legs_shortest_swing(body), (1.0 - state->gait.duty) * state->period);
    double fastest = SNW_LEGS_FASTEST_TIP * body->length;
    // the body goes along meanwhile
    const double along = state->pace * snw_root_speed(&state->root);
    leg->quickest = snw_max(time, leg->path.length / (fastest + along));
    leg->duration = 0.0;
    for (int k = 0; k < TURN_SAMPLES; ++k) {
        sinew_Vec3 now = snw_leg_path_at(&leg->path, (double)k / TURN_SAMPLES);
        sinew_Vec3 next = snw_leg_path_at(&leg->path, (k + 1.0) / TURN_SAMPLES);
        const double least = leg->quickest / TURN_SAMPLES;
        leg->duration += snw_max(least, time_for_joints(body, state, index, now, next, least));
    }
}

// as much of a level way as stays in the air
static sinew_Vec3 keep_out_of_walls(snw_View *view, sinew_Vec3 from, sinew_Vec3 to)
{
    if (snw_view_close(view, to.x, to.z) <= to.y) { return to; }
    double clear = 0.0, blocked = 1.0;
    for (int i = 0; i < WALL_HALVINGS; ++i) {
        double share = 0.5 * (clear + blocked);
        sinew_Vec3 at = sinew_vec3_lerp(from, to, share);
        if (snw_view_close(view, at.x, at.z) > at.y) {
            blocked = share;
        } else {
            clear = share;
        }
    }
    return sinew_vec3_lerp(from, to, clear);
}

// A tip in the air gives way to the reach of its leg, level; at both ends of the swing it may not.
static sinew_Vec3 keep_in_reach(const snw_WalkBody *body, snw_View *view, const snw_Legs *state,
    int index, sinew_Vec3 place, double t)
{
    SNW_ASSERT(snw_holds_share(t));
    const snw_WalkLegBody *sizes = &body->legs[index];
    sinew_Vec3 off = snw_legs_off(body, &state->hips, index, place);
    // not higher than the leg folds, as long as that is clear of the ground
    double high = off.y - snw_near_min(off.y, sizes->reach.top, 0.02 * body->length);
    if (high > 0.0) {
        double clear = snw_view_close(view, place.x, place.z) + LOWEST_CLEARANCE;
        double lower = snw_min(high, snw_max(0.0, place.y - clear));
        place.y -= lower;
        off.y -= lower;
    }
    double share = snw_leg_reach_share(&sizes->reach, off);
    if (share <= FREE_SHARE) { return place; }
    // rounded off towards the end, which is never passed
    double over = (share - FREE_SHARE) / (MOST_SHARE - FREE_SHARE);
    double kept = FREE_SHARE + (MOST_SHARE - FREE_SHARE) * over / (1.0 + over);
    double scale = snw_leg_reach_scale(&sizes->reach, off, kept);
    double weight = snw_smoothstep(t / 0.12) * snw_smoothstep((1.0 - t) / 0.15);
    sinew_Vec3 middle = snw_leg_reach_middle(&sizes->reach, off.y);
    off = sinew_vec3_lerp(off, sinew_vec3_lerp(middle, off, scale), weight);
    sinew_Vec3 moved = sinew_transform_point(state->hips, sinew_vec3_add(sizes->tip_rest, off));
    // level against a tilted body goes down in the world: not below the ground there
    moved.y = snw_max(moved.y, snw_min(place.y, snw_view_close(view, moved.x, moved.z)));
    return keep_out_of_walls(view, place, moved);
}

// where a swing has its tip at a progress, as the body is now
static sinew_Vec3 tip_at(
    const snw_WalkBody *body, snw_View *view, const snw_Legs *state, int index, double progress)
{
    sinew_Vec3 place = snw_legs_on_path(&state->legs[index], progress);
    return keep_in_reach(body, view, state, index, place, progress);
}

// a leg at rest may start; returns whether it left
bool snw_legs_lift(const snw_WalkBody *body, snw_View *view, bool must, int index, snw_Legs *state)
{
    snw_LegsLeg *leg = &state->legs[index];
    double swing = snw_max(snw_legs_shortest_swing(body), (1.0 - state->gait.duty) * state->period);
    const int guesses = view->guess_count;
    sinew_Vec3 to = snw_leg_plan(body, view, state, index, swing, NULL);
    lay_path(body, view, to, index, state);
    double dx = leg->path.to.x - leg->at.x, dz = leg->path.to.z - leg->at.z;
    if (!must && sqrt(dx * dx + dz * dz) < STAY * body->length) { return false; }
    leg->is_swinging = true;
    leg->is_guess = view->guess_count > guesses;
    leg->lift_phase = snw_min(leg->phase, 0.95);
    leg->progress = 0.0;
    leg->off = sinew_vec3(0.0, 0.0, 0.0);
    leg->off_progress = 0.0;
    state->still_time = 0.0;
    return true;
}

// How far along a changed path a tip is. With its old progress it would be off the path along the way,
// and meet what the path goes over.
static double nearest_progress(const snw_LegPath *path, sinew_Vec3 place, double progress)
{
    SNW_ASSERT(snw_holds_share(progress));
    double best = progress, least = (double)INFINITY;
    for (int k = -LOOKS_BACK; k <= LOOKS_ON; ++k) {
        double t = snw_clamp(progress + NEAR_LOOK * k, 0.0, snw_max(progress, LAST_NEAR));
        double away = sinew_vec3_distance(snw_leg_path_at(path, t), place);
        if (away < least) {
            least = away;
            best = t;
        }
    }
    return best;
}

// whether what its path was laid over turns out to be otherwise
static bool is_misjudged(const snw_WalkBody *body, snw_View *view, snw_LegsLeg *leg)
{
    if (!leg->is_guess) { return false; }
    const int guesses = view->guess_count;
    const snw_LegPath path = path_to(body, view, leg, leg->path.to);
    leg->is_guess = view->guess_count > guesses;
    return fabs(path.length - leg->path.length) > 1e-6;
}

static void replan(
    const snw_WalkBody *body, snw_View *view, int index, bool is_wrong, snw_Legs *state)
{
    snw_LegsLeg *leg = &state->legs[index];
    // the body goes slower while a swing is held up, and so not farther
    double left = (1.0 - leg->progress) * leg->quickest;
    const int guesses = view->guess_count;
    sinew_Vec3 to = snw_leg_plan(body, view, state, index, left, &leg->path.to);
    bool is_near = sinew_vec3_distance(to, leg->path.to) < FREE_SHIFT * body->length;
    if (is_near && !is_wrong) { return; }
    sinew_Vec3 was = snw_legs_on_path(leg, leg->progress);
    const double duration = leg->duration;
    lay_path(body, view, to, index, state);
    leg->is_guess = view->guess_count > guesses;
    leg->duration = snw_max(duration, leg->duration);
    // not back to where it was planned last: it has to land
    const double least = snw_min(leg->progress, leg->off_progress + LEAST_ONWARD);
    leg->progress = nearest_progress(&leg->path, was, leg->progress);
    sinew_Vec3 on_path = snw_leg_path_at(&leg->path, leg->progress);
    double rest = FADE_PEAK * time_for_joints(body, state, index, was, on_path, 0.0)
        / leg->quickest;
    leg->progress = snw_max(least, snw_min(leg->progress, snw_max(FIRST_FADE, 1.0 - rest)));
    leg->off = sinew_vec3_sub(was, snw_leg_path_at(&leg->path, leg->progress));
    leg->off_progress = leg->progress;
}

bool snw_legs_is_astray(const snw_LegsLeg *leg)
{
    return fabs(leg->surface.over) > LEAST_CLEARANCE;
}

/// Whether a foothold is left behind by what does not wait for legs: a root from outside, or a surface that goes by.
static bool is_taken(const snw_Legs *state, const snw_LegsLeg *leg)
{
    const sinew_Vec3 *drift = &leg->surface.drift;
    return state->root.is_led || drift->x != 0.0 || drift->y != 0.0 || drift->z != 0.0;
}

// whether the body will not be where the foothold needs it
static bool is_too_far(const snw_WalkBody *body, const snw_Legs *state, int index)
{
    const snw_LegsLeg *leg = &state->legs[index];
    if (leg->progress > LAST_RETREAT) { return false; }
    if (leg->progress < LAST_REPLAN && !is_taken(state, leg)) { return false; }
    double left = state->pace * (1.0 - leg->progress) * leg->duration;
    sinew_Transform hips = snw_legs_hips_after(state, left);
    return snw_legs_share(body, &hips, index, leg->path.to) > LEFT_SHARE;
}

// whether a tip comes into reach when the body goes on, or when it rises
static bool is_ahead(const snw_WalkBody *body, const snw_Legs *state, int index, sinew_Vec3 place)
{
    sinew_Transform now = snw_legs_hips_at(state, &state->root), higher = now;
    sinew_Transform then = snw_legs_hips_after(state, SNW_LEGS_LOOK_AHEAD);
    higher.position.y += LOOK_HIGHER * body->length;
    double share = snw_legs_share(body, &now, index, place);
    return snw_legs_share(body, &then, index, place) < share
        || snw_legs_share(body, &higher, index, place) < share;
}

// A tip that is ahead of its leg's reach waits for the body: share of the swing's own rate.
static double swing_rate(const snw_WalkBody *body, const snw_Legs *state, int index)
{
    const snw_LegsLeg *leg = &state->legs[index];
    if (state->root.is_led) { return 1.0; }
    double t = leg->progress;
    sinew_Vec3 now = snw_leg_path_at(&leg->path, t);
    sinew_Vec3 next = snw_leg_path_at(&leg->path, t + LOOK_AGAIN);
    double share = snw_legs_share(body, &state->hips, index, now);
    double later = snw_legs_share(body, &state->hips, index, next);
    const double room = (MOST_SHARE - later) / (MOST_SHARE - FREE_SHARE);
    if (later <= share || room >= 1.0 || !is_ahead(body, state, index, next)) { return 1.0; }
    sinew_Vec3 level = sinew_vec3(next.x, now.y, next.z);
    bool is_behind = snw_legs_share(body, &state->hips, index, level) < share - 1e-9;
    double climbs = snw_legs_highness(body, snw_legs_rise(leg));
    double beyond = climbs * snw_smoothstep((later - MOST_SHARE) / (LOST_SHARE - MOST_SHARE));
    double rate = snw_clamp(room, snw_mix(SLOW_SWING, SLOWEST_SWING, beyond), 1.0);
    // left behind, it goes on at once, except below a step
    return is_behind ? snw_mix(1.0, rate, climbs) : rate;
}

/// Whether such a foothold is out of reach, or about to be.
bool snw_legs_is_lost(const snw_WalkBody *body, const snw_Legs *state, int index, sinew_Vec3 place)
{
    const bool waits = !is_taken(state, &state->legs[index]) && !snw_legs_are_quick(state);
    return snw_legs_share(body, &state->hips, index, place) > (waits ? 1.0 : LEFT_SHARE);
}

void snw_legs_swing_on(
    const snw_WalkBody *body, snw_View *view, int index, double h, bool is_whole, snw_Legs *state)
{
    snw_LegsLeg *leg = &state->legs[index];
    bool is_due = leg->progress < LAST_REPLAN && (state->tick + 3 * index) % REPLAN_TICKS == 0;
    bool is_wrong = is_whole
        && (snw_legs_is_astray(leg)
            || (leg->progress < LAST_REPLAN && is_misjudged(body, view, leg)));
    if (is_whole && (is_due || is_wrong || is_too_far(body, state, index))) {
        replan(body, view, index, is_wrong, state);
    }
    double t = snw_min(leg->progress, 1.0 - TURN_STEP);
    sinew_Vec3 now = tip_at(body, view, state, index, t);
    sinew_Vec3 next = tip_at(body, view, state, index, t + TURN_STEP);
    double whole = time_for_joints(body, state, index, now, next, TURN_STEP * leg->quickest)
        / TURN_STEP;
    leg->progress += swing_rate(body, state, index) * h / snw_max(leg->quickest, whole);
    leg->phase = snw_mix(leg->lift_phase, 1.0, snw_min(1.0, leg->progress));
    if (leg->progress < 1.0) { return; }
    if (is_taken(state, leg) && snw_legs_is_lost(body, state, index, leg->path.to)) {
        // on through the air
        leg->at = now;
        (void)snw_legs_lift(body, view, true, index, state);
        return;
    }
    leg->is_swinging = false;
    leg->progress = 1.0;
    leg->at = leg->path.to;
    leg->phase = 0.0;
    ++state->step_count;
}

// what a tip off its path has sunk in by a little
static sinew_Vec3 keep_on_ground(snw_View *view, sinew_Vec3 place)
{
    double below = snw_view_close(view, place.x, place.z) - place.y;
    if (below > 0.0 && below < LEAST_CLEARANCE) { place.y += below; }
    return place;
}

sinew_Vec3 snw_legs_tip(const snw_WalkBody *body, snw_View *view, const snw_Legs *state, int index)
{
    const snw_LegsLeg *leg = &state->legs[index];
    if (!leg->is_swinging) { return leg->at; }
    return keep_on_ground(view, tip_at(body, view, state, index, leg->progress));
}
