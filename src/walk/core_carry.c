// How high the hips are: below the highest that all legs can hold at moments to come, with bounded acceleration.

#include "walk/core.h"

#include "math/trig.h"
#include "walk/leg_form.h"

// Share of the leg that the hips keep to: the rest is for what no look ahead can know.
#define CEILING 0.993
#define STANDING_CEILING 0.9994 // lower, and standing knees are bent by more than 5 degrees
// How fast hips go to where they want to be, 1/s.
#define RISE_OMEGA 14.0
// Braking that is planned with, m/s^2: less crouches, more brakes too late.
#define PLANNED_BRAKE 2.0
#define WISH_LEAD 0.10 // seconds: less, and heels that rise at the end of a stance are met too late
// Between the moments ahead at which the ceiling is looked at, seconds. One of them is looked at in turn, and one
// of those just before a foot leaves and just after one lands, where ceilings jump.
#define MOMENT 0.09
#define EVENT 0.004
#define FARTHEST_EVENT 0.6
#define STANDING_KNEE (4.0 * SNW_DEGREE)
// A stiff knee that stands is bent by no more than this share of its range.
#define STIFF_SHARE 0.4
// Hips are this much higher than a stiff knee that carries lets them be, a ratio.
#define STIFF_HIGH 1.006
// A body that moves less than this stands.
#define STANDS 0.01
// Hips of a crouched body are so much lower, L.
#define CROUCH 0.32

static bool stands_still(const snw_Core *state)
{
    return !state->is_walking && state->moving.value < STANDS;
}

// ---------------------------------------------------------------------------------------------
// Ceilings

/// Highest hips that hold a leg with its ankle here.
static double ceiling_of(const snw_WalkLegBody *sizes, const snw_Core *state, sinew_Vec3 ankle,
    sinew_Vec3 hip, double offset_y)
{
    double share = snw_mix(STANDING_CEILING, CEILING, snw_clamp(state->moving.value, 0.0, 1.0));
    double r = share * (sizes->thigh + sizes->shank);
    return ankle.y + snw_core_hip_over(hip, ankle, r * r) - offset_y;
}

/// Where the hips will be so many seconds later, seen from above.
typedef struct Moment {
    double later, x, z;
    double s, c;        ///< of the turn until then
    double list_change; ///< how much farther up the left side will be, radians
} Moment;

static Moment moment_at(const snw_Core *state, double later, double list_change)
{
    snw_WalkRoot root = state->root;
    Moment then = { .later = later, .c = 1.0, .list_change = list_change };
    snw_root_advance(&root, later);
    if (root.turn != 0.0) { sinew_sincos(later * root.turn, &then.s, &then.c); }
    const double surge = state->life.surge.value;
    const sinew_Vec3 swayed = snw_root_beside(&root, state->sway.value);
    then.x = swayed.x + surge * root.sine;
    then.z = swayed.z + surge * root.cosine;
    return then;
}

/// A hip joint at a moment; its height is that of now.
static sinew_Vec3 hip_at(const snw_WalkBody *body, const snw_Core *state, int index,
    const Moment *then, double *out_offset_y)
{
    sinew_Vec3 offset = sinew_quat_rotate(state->hips.rotation, body->legs[index].hip);
    offset.y += then->list_change * body->legs[index].hip.x;
    *out_offset_y = offset.y;
    sinew_Vec3 hip = { then->x + offset.x * then->c + offset.z * then->s,
        state->height.value + offset.y, then->z - offset.x * then->s + offset.z * then->c };
    return hip;
}

/// Ankle of a leg that stands, or will, so many seconds from now, as its natural pitch and the correction that
/// it can have by then put it.
static sinew_Vec3 ankle_at(const snw_WalkLegBody *sizes, const snw_Core *state,
    const snw_CoreLeg *leg, const Moment *then, double since_landing, sinew_Vec3 hip)
{
    double cap = snw_core_toe_cap(sizes), rate = state->is_walking ? state->rate : 0.0;
    const snw_CoreSwing *swing = &leg->swing;
    bool lands = leg->is_swinging;
    double correction = lands ? 0.0 : leg->correction, time = lands ? since_landing : then->later;
    double start = lands ? 0.0 : leg->phase, phase = snw_min(1.0, start + time * rate);
    snw_CoreRoll roll = { lands ? swing->landing_pitch : leg->landing_pitch, leg->landing_phase };
    snw_Foothold at = lands ? snw_core_rolled_to(sizes, swing) : snw_core_rolled(sizes, leg);
    double natural_now = snw_core_roll_pitch(sizes, state, &roll, start);
    double natural = phase == start ? natural_now : snw_core_roll_pitch(sizes, state, &roll, phase);
    snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
    pelvis = snw_core_pelvis_turned(&pelvis, then->s, then->c);
    double projected = snw_core_hold(sizes, state, &at, phase, natural, hip, &pelvis);
    double pitch = natural + snw_core_correct(correction, natural_now, natural, projected, time);
    return snw_foot_roll_ankle(sizes, &at, pitch, cap, NULL);
}

/// When a leg leaves the ground and when it comes back, seconds from now; infinity: not soon.
static void find_events(
    const snw_Core *state, const snw_CoreLeg *leg, double *leaves, double *lands)
{
    *leaves = *lands = (double)INFINITY;
    if (!state->is_walking) { return; }
    if (leg->is_swinging) {
        *lands = snw_core_landing_time(state, leg);
    } else {
        *leaves = snw_core_leaves_in(state, leg);
    }
}

/// The ceiling of all legs that stand so many seconds later.
static double ceiling_at(const snw_WalkBody *body, const snw_Core *state, double later)
{
    double least = (double)INFINITY;
    const Moment then = moment_at(state, later, snw_core_list_change(state, later));
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        double leaves, lands, offset_y;
        find_events(state, leg, &leaves, &lands);
        bool stands = leg->is_swinging ? later >= lands : later <= leaves;
        const snw_WalkLegBody *sizes = &body->legs[i];
        // a moving foot keeps to its way as well where the body comes to rest on it
        if (!stands && !(leg->is_swinging && snw_core_is_stopping(state))) { continue; }
        sinew_Vec3 hip = hip_at(body, state, i, &then, &offset_y);
        if (!stands) {
            double t = leg->t + later / leg->swing.duration;
            snw_FootPose pose = snw_core_swing_pose(body, i, state, snw_min(1.0, t));
            const sinew_Vec3 moving = pose.foot.position;
            double r = SNW_CORE_MOVING_REACH * (sizes->thigh + sizes->shank);
            least = snw_min(least, moving.y + snw_core_hip_over(hip, moving, r * r) - offset_y);
            continue;
        }
        sinew_Vec3 ankle = ankle_at(sizes, state, leg, &then, later - lands, hip);
        least = snw_min(least, ceiling_of(sizes, state, ankle, hip, offset_y));
    }
    return least;
}

// ---------------------------------------------------------------------------------------------
// Wish

/// The knee that a leg wants at a phase.
static double wanted_knee(const snw_WalkLegBody *sizes, const snw_Core *state, double phase)
{
    const double moving = snw_clamp(state->moving.value, 0.0, 1.0);
    if (moving == 0.0) { return STANDING_KNEE; }
    double walk = snw_stance_knee(sizes->gait, snw_max(0.0, phase))
        * (0.35 + 0.65 * state->amplitude);
    walk += 1.4 * SNW_DEGREE;
    if (sizes->folded > 0.0) { walk = snw_min(walk, STIFF_SHARE * sizes->knee_upper); }
    return snw_mix(STANDING_KNEE, walk, moving);
}

/// The ankle of a foot that stands; of who has come to rest with toes and heel no farther up than its joints ask for below
/// this hip: hips that ask for more by their height are too high.
static sinew_Vec3 ankle_now(
    const snw_WalkLegBody *sizes, const snw_Core *state, const snw_CoreLeg *leg, sinew_Vec3 hip)
{
    if (state->is_walking || leg->pitch == 0.0) { return leg->pose.foot.position; }
    const snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
    const snw_CoreGive give = { .reach = (double)INFINITY };
    const snw_Foothold at = snw_core_rolled(sizes, leg);
    const double asked = snw_core_project(sizes, &at, -state->jump.heel, hip, &pelvis, &give);
    // a heel that is on its way up is where it is
    const double pitch = snw_max(asked, snw_min(leg->pitch, 0.0));
    return snw_foot_roll_ankle(sizes, &at, pitch, snw_core_toe_cap(sizes), NULL);
}

/// The height of the hips at which the legs have the knees they want, by their load.
static double find_wish(const snw_WalkBody *body, const snw_Core *state)
{
    double sum = 0.0, weight = 0.0, floor = -(double)INFINITY;
    double rate = state->is_walking ? state->rate : 0.0;
    const double lead = WISH_LEAD + state->span;
    const Moment then = moment_at(state, lead, snw_core_list_change(state, lead));
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        const snw_WalkLegBody *sizes = &body->legs[i];
        double phase = leg->phase + lead * rate, since = 0.0, offset_y;
        bool lands = leg->is_swinging && phase >= 1.0;
        if (lands) {
            phase -= 1.0;
            since = phase * state->period;
        }
        double w = state->is_walking ? snw_core_load(state, phase) : 0.5;
        if ((leg->is_swinging && !lands) || w <= 0.0) { continue; }
        sinew_Vec3 hip = hip_at(body, state, i, &then, &offset_y);
        const snw_Foothold *at = snw_core_foothold(leg);
        // who stands holds then what he holds now, but wants no heels up that only hips this high ask for
        const double most_high = at->ground.y + sizes->length;
        const bool is_held = stands_still(state) && hip.y <= most_high;
        if (!state->is_walking) { hip.y = snw_min(hip.y, most_high); }
        double s, c;
        sinew_sincos(wanted_knee(sizes, state, phase), &s, &c);
        sinew_Vec3 ankle = is_held ? ankle_now(sizes, state, leg, hip)
                                   : ankle_at(sizes, state, leg, &then, since, hip);
        double up = snw_core_hip_over(hip, ankle, snw_leg_square(sizes, c));
        // who stands has straight legs; who stands on the toes is as much higher as the heel is
        double most = snw_mix(1.0, sizes->gait->most_height, state->moving.value) * sizes->length;
        if (sizes->folded > 0.0) { most = sizes->length; }
        double wish = snw_min(
            ankle.y + up, snw_max(at->ground.y, ankle.y - sizes->ankle_height) + most);
        wish -= offset_y + CROUCH * body->length * state->stoop.value;
        sum += w * wish;
        weight += w;
        // a stiff knee that carries holds the hips up, whatever the other leg wants
        double r = STIFF_HIGH * sizes->folded, least = snw_core_hip_over(hip, ankle, r * r);
        if (least > 0.0) { floor = snw_max(floor, ankle.y + least - offset_y); }
    }
    return weight > 1e-6 ? snw_max(sum / weight - state->crouch, floor) : state->height.value;
}

/// Speed at which hips are no higher than a ceiling some time later, with the braking that is planned.
static double most_speed(double height, double ceiling, double time)
{
    return (ceiling - height) / time + 0.5 * PLANNED_BRAKE * time;
}

/// The ceiling of the feet as they stand, just ahead: later their heels are higher.
static double ceiling_now(const snw_WalkBody *body, const snw_Core *state)
{
    double least = (double)INFINITY;
    const Moment now = moment_at(state, SNW_WALK_TICK, 0.0);
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        if (leg->is_swinging) { continue; }
        double offset_y;
        sinew_Vec3 hip = hip_at(body, state, i, &now, &offset_y);
        sinew_Vec3 ankle = ankle_now(&body->legs[i], state, leg, hip);
        least = snw_min(least, ceiling_of(&body->legs[i], state, ankle, hip, offset_y));
    }
    return least;
}

double snw_core_find_standing_height(const snw_WalkBody *body, const snw_Core *state)
{
    return snw_min(find_wish(body, state), ceiling_now(body, state));
}

/// Seconds until a leg leaves the ground, or just after it lands; infinity: not soon.
static double event_of(const snw_Core *state, const snw_CoreLeg *leg)
{
    double leaves, lands;
    find_events(state, leg, &leaves, &lands);
    double time = leg->is_swinging ? lands + EVENT : snw_positive(leaves - EVENT);
    return time < FARTHEST_EVENT ? time : (double)INFINITY;
}

/// Look at two of the moments ahead anew; the others come nearer. Feet that stand, and will, hold then what they
/// hold now.
static void look_ahead(const snw_WalkBody *body, snw_Core *state)
{
    if (stands_still(state)) {
        for (int i = 0; i < SNW_CORE_MOMENTS; ++i) { state->ceilings[i].height = (double)INFINITY; }
        return;
    }
    for (int i = 0; i < SNW_CORE_MOMENTS; ++i) {
        snw_CoreCeiling *ahead = &state->ceilings[i];
        ahead->later -= state->span;
        if (ahead->later < 0.0) { ahead->height = (double)INFINITY; }
    }
    // in every second tick, as those are that last twice as long
    if (state->tick % 2 != 0) { return; }
    const int round = state->tick / 2, leg = round % SNW_CORE_EVENTS;
    double later = event_of(state, &state->legs[leg]);
    bool is_soon = later < (double)INFINITY;
    state->ceilings[leg] = (snw_CoreCeiling){ later,
        is_soon ? ceiling_at(body, state, later) : (double)INFINITY };
    // between events less changes
    if (round % 2 != 0) { return; }
    int next = round / 2 % (SNW_CORE_MOMENTS - SNW_CORE_EVENTS);
    later = MOMENT * (next + 1);
    state->ceilings[SNW_CORE_EVENTS + next] = (snw_CoreCeiling){ later,
        ceiling_at(body, state, later) };
}

void snw_core_plan_carry(const snw_WalkBody *body, snw_Core *state)
{
    const snw_Follower *height = &state->height;
    const double span = state->span, most = SNW_CORE_MOST_RISE * span;
    double pull = RISE_OMEGA * RISE_OMEGA * (find_wish(body, state) - height->value)
        - 2.0 * RISE_OMEGA * height->speed;
    double speed = height->speed + snw_clamp(pull, -SNW_CORE_MOST_RISE, SNW_CORE_MOST_RISE) * span;
    look_ahead(body, state);
    const double ceiling = ceiling_now(body, state);
    // who stands comes to rest below it: hips that go up to it and are stopped swing about it
    const double below = stands_still(state) ? snw_positive(ceiling - height->value) : 0.0;
    const double time = snw_max(span, sqrt(2.0 * below / PLANNED_BRAKE));
    speed = snw_min(speed, most_speed(height->value, ceiling, time));
    for (int i = 0; i < SNW_CORE_MOMENTS; ++i) {
        const snw_CoreCeiling *ahead = &state->ceilings[i];
        if (ahead->height == (double)INFINITY) { continue; }
        // from the end of this tick on
        double left = snw_max(ahead->later - span, span);
        speed = snw_min(speed, most_speed(height->value, ahead->height, left));
    }
    speed = snw_clamp(speed, height->speed - most, height->speed + most);
    state->rises = (speed - height->speed) / span;
}

void snw_core_carry(const snw_WalkBody *body, double h, snw_Core *state)
{
    if (snw_core_bounce(body, h, state)) { return; }
    snw_Follower *height = &state->height;
    height->value += (height->speed + 0.5 * state->rises * h) * h;
    height->speed += state->rises * h;
    // nothing carries the body, a run that has ended lets it down, or feet that are left behind pull
    snw_core_stop_fall(body, state);
    state->hips.position.y = height->value;
}
