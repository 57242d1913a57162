// What a leg can hold: the pitch of a standing foot, and how far a moving one may be.

#include "math/holds.h"
#include "math/quat.h"
#include "math/trig.h"
#include "walk/core.h"
#include "walk/leg_form.h"

// Share of the leg that a standing foot is reached with. A knee straighter than that turns by 15 degrees
// for a centimetre.
#define REACH 0.9995
// Hips that are farther behind an ankle than this are reached with toes up, metres: less, and a body that sways over a foot
// beside it would turn it over from heel to toes.
#define BEHIND 0.02
// Ends of the search, radians, and its least steps.
#define LOWEST (-75.0 * SNW_DEGREE)
#define HIGHEST (40.0 * SNW_DEGREE)
#define STEP (3.0 * SNW_DEGREE)
// A roll relieves no strain faster than this, metres per radian: the way from heel or ball to the ankle, and the
// shank that turns with it.
#define MOST_RELIEF 0.3
// Within the last step the end is looked for so often, or until it is known to this, radians; a strain that is
// held by less than that, metres, says nothing of where the end is.
enum { ENDINGS = 6 };
#define ENDING 2e-4
#define LEAST_HELD 1e-5
// Angles near half a turn count as this near, the square of twice a cosine.
#define LEAST_TWICE 1e-3
// The heel eases the ankle so far before the end of its range, and over so much, radians, by more than that is
// over; a leg that is out of reach counts as this share of its length.
#define EASE_MARGIN (4.5 * SNW_DEGREE)
#define EASE_SOFT (4.0 * SNW_DEGREE)
#define EASE_GAIN 1.25
#define EASE_REACH 0.990
#define EASE_REACH_SOFT 0.01
// Ankles, and thighs behind the pelvis, keep so far off the ends of their ranges, radians.
#define MARGIN 0.01
// A standing foot goes onto its edge no farther than this, radians, and as fast as that, rad/s.
#define MOST_BANK 0.5
#define BANK_SPEED 6.0
// A roll whose sine is less than this share of its range's end is not near to it; no nearer to the line through
// the foot, metres squared.
#define SURELY 0.9
#define LEAST_ACROSS 0.01
// How fast a correction of the pitch comes and goes, rad/s: heels that rise at once are leaps of the ankle.
#define CORRECTION_SPEED 4.0
// And how much faster where the foot would slide else.
#define HASTE 8.0
// How far inside of its reach a moving foot is drawn in, metres.
#define SOFT 0.03
// Heels rise for hips as people carry them from this phase on, and fully so much later.
#define HOLD_FROM 0.08
#define HOLD_FADE 0.16
// Runners' heels begin to rise after this share of the stance.
#define RUN_PUSH 0.3
#define RUN_PUSH_PITCH 62.0 // degrees
// and go on for this share of the cycle after the foot has left
#define RUN_PUSH_ON 0.02

double snw_core_toe_cap(const snw_WalkLegBody *leg)
{
    double cap = leg->gait->toe_bend * SNW_DEGREE;
    return snw_min(cap, leg->toe_upper);
}

snw_Foothold snw_core_rolled(const snw_WalkLegBody *sizes, const snw_CoreLeg *leg)
{
    return snw_foothold_rolled(sizes, &leg->at, leg->pitch, leg->bank);
}

snw_Foothold snw_core_rolled_to(const snw_WalkLegBody *sizes, const snw_CoreSwing *swing)
{
    return snw_foothold_rolled(sizes, &swing->to, swing->landing_pitch, swing->landing_bank);
}

double snw_core_roll_pitch(
    const snw_WalkLegBody *sizes, const snw_Core *state, const snw_CoreRoll *roll, double phase)
{
    SNW_ASSERT(snw_core_holds_phase(phase));
    const snw_GaitNumbers *gait = sizes->gait;
    double x = snw_clamp(phase / roll->landing_phase, 0.0, 1.0);
    double start = gait->push_start, m = snw_clamp(state->moving.value, 0.0, 1.0);
    // who stands has rolled off, wherever the clock stopped
    double pitch = m * roll->landing_pitch * (1.0 - x) * (1.0 - x) * (1.0 + 1.2 * x);
    start = snw_mix(start, RUN_PUSH * state->stance, state->run.value);
    pitch -= state->jump.heel;
    double push = (phase - start)
        / snw_max(0.05, state->stance + RUN_PUSH_ON * state->run.value - start);
    push = snw_clamp(push, 0.0, 1.3);
    if (push <= 0.0) { return pitch; }
    // forward the heel rises over ball and toes, with the power 3.5: with 4.1 as fitted an ankle at 1.8 m/s turns
    // by .30 rad in a frame; backwards the toes rise over the heel
    double f = state->forwardness, cube = push * push * push;
    double heel = gait->push_pitch * SNW_DEGREE * snw_max(0.0, f) * cube * sqrt(push),
           run = state->run.value;
    if (run > 0.0) {
        heel = snw_mix(heel, RUN_PUSH_PITCH * SNW_DEGREE * snw_max(0.0, f) * push * push, run);
    }
    double toes = 0.8 * gait->heel_pitch * SNW_DEGREE * snw_max(0.0, -f) * push * push;
    return pitch + state->amplitude * m * (toes - heel);
}

/// A foothold and the hip above it, in the frame of the foothold.
typedef struct Place {
    const snw_WalkLegBody *sizes;
    const snw_Foothold *at;
    sinew_Vec3 hip;
    sinew_Quat foothold_from_world;
    sinew_Vec3 ahead, up; ///< of the pelvis
    double cap;
    snw_CoreGive give;
    bool stretches; ///< its heel rises for hips behind it, as far as its ankle lets it
    double now;     ///< pitch that it has; infinity: as it is by itself
} Place;

static void put_hip(sinew_Vec3 hip, Place *place)
{
    place->hip = sinew_quat_rotate(
        place->foothold_from_world, sinew_vec3_sub(hip, place->at->ground));
}

snw_CorePelvis snw_core_pelvis(const sinew_Transform *hips)
{
    return (snw_CorePelvis){ snw_ahead_of(hips->rotation), snw_up_of(hips->rotation) };
}

static sinew_Vec3 turned(sinew_Vec3 v, double s, double c)
{
    return sinew_vec3(v.x * c + v.z * s, v.y, v.z * c - v.x * s);
}

snw_CorePelvis snw_core_pelvis_turned(const snw_CorePelvis *pelvis, double s, double c)
{
    return (snw_CorePelvis){ turned(pelvis->ahead, s, c), turned(pelvis->up, s, c) };
}

static Place find_place(const snw_WalkLegBody *sizes, const snw_Foothold *at, sinew_Vec3 hip,
    const snw_CorePelvis *pelvis)
{
    sinew_Quat foothold_from_world = sinew_quat_conjugate(at->basis);
    Place place = { sizes, at,
        sinew_quat_rotate(foothold_from_world, sinew_vec3_sub(hip, at->ground)),
        foothold_from_world, sinew_quat_rotate(foothold_from_world, pelvis->ahead),
        sinew_quat_rotate(foothold_from_world, pelvis->up), snw_core_toe_cap(sizes),
        { REACH, 0.0, SNW_BEHIND_TOES_RISE }, false, (double)INFINITY };
    return place;
}

static double angle_of(double cosine)
{
    return cosine < 1.0 ? sinew_acos(snw_max(-1.0, cosine)) : 0.0;
}

/// The sine and cosine of an angle, or as many times as much.
typedef struct Turn {
    double s, c;
} Turn;

/// The direction (x, y) turned on by the angle of a cosine.
static Turn turn_beyond(double y, double x, double cosine)
{
    double c = snw_clamp(cosine, -1.0, 1.0), s = sqrt(1.0 - c * c);
    return (Turn){ y * c + x * s, x * c - y * s };
}

/// By how much an ankle is beyond the end of its range that is nearer: twice the tangent of half of that angle, as much
/// where it is small and of the same sign always, for a division instead of an arc tangent.
static double over_ankle(const snw_WalkLegBody *sizes, Turn flexion)
{
    const double *middle = sizes->ankle_middle, *half = sizes->ankle_half;
    double s = fabs(flexion.s * middle[1] - flexion.c * middle[0]);
    double c = flexion.c * middle[1] + flexion.s * middle[0];
    return 2.0 * (s * half[1] - c * half[0])
        / snw_max(LEAST_TWICE, 1.0 + c * half[1] + s * half[0]);
}

/// How far a pitch is from what the leg can do, metres: out of reach, or off the range of knee, ankle or hip.
/// out_lowers: the heel has to come down for that instead of up; may be NULL.
static double strain(const Place *place, double pitch, bool *out_lowers)
{
    const snw_WalkLegBody *sizes = place->sizes;
    double turn[2];
    sinew_Vec3 ankle = snw_foot_roll_flat(sizes, place->at, pitch, place->cap, turn);
    sinew_Vec3 way = sinew_vec3_sub(place->hip, ankle);
    double a = sizes->thigh, b = sizes->shank, square = snw_max(0.0025, sinew_vec3_dot(way, way));
    double length = sqrt(square), far = length - place->give.reach * (a + b);
    // the shank leans over the foot by the knee's angle beyond the line to the hip, the thigh back by that above
    double over = snw_clamp((turn[0] * way.y + turn[1] * way.z) / length, -1.0, 1.0);
    const Turn flexion = turn_beyond(
        over, sqrt(1.0 - over * over), (b * b + square - a * a) / (2.0 * b * length));
    double off = 0.5 * b * over_ankle(sizes, flexion);
    // only a line to the hip that points farther back than the thigh may asks where the thigh is
    double ahead = sinew_vec3_dot(way, place->ahead);
    double high = snw_max(0.05, sinew_vec3_dot(way, place->up));
    if (ahead * sizes->hip_back_c > high * sizes->hip_back_s) {
        // the knee is in the plane of the foot, which a slope or the sole's edge leans aside
        double along = (a * a + square - b * b) / (2.0 * length);
        double bow = sqrt(snw_max(0.0, a * a - along * along));
        sinew_Vec3 foot = { 0.0, turn[0], turn[1] };
        sinew_Vec3 front = sinew_vec3_normalize_or(
            sinew_vec3_add_scaled(foot, way, -over / length), place->ahead);
        sinew_Vec3 thigh = sinew_vec3_add_scaled(
            sinew_vec3_scale(way, along / length), front, -bow);
        ahead = sinew_vec3_dot(thigh, place->ahead);
        high = snw_max(0.05, sinew_vec3_dot(thigh, place->up));
        double past = ahead * sizes->hip_back_c - high * sizes->hip_back_s;
        off = snw_max(
            off, 0.5 * a * sinew_atan2(past, ahead * sizes->hip_back_s + high * sizes->hip_back_c));
    }
    off += place->give.slack;
    double close = sizes->folded - length;
    if (out_lowers != NULL) {
        // as a foot does whose ankle is stretched to its end for hips behind it
        const bool is_stretched = flexion.s * sizes->ankle_middle[1]
            < flexion.c * sizes->ankle_middle[0];
        *out_lowers = ((far >= off || is_stretched) && place->hip.z < -BEHIND)
            || (close > 0.0 && close >= off);
    }
    if (place->stretches) { return snw_min(far, -off); }
    return snw_max(snw_max(far, off), sizes->folded > 0.0 ? close : far);
}

/// The heel rises before the ankle is at the end of its range, seen from the flat foot, so that it is smooth:
/// a heel that rises bends the knee, which at first leans the shank more than the foot gains.
static double ease(const Place *place, double pitch)
{
    const snw_WalkLegBody *sizes = place->sizes;
    double z = place->hip.z, up = place->hip.y - sizes->ankle_height;
    const double whole = sizes->thigh + sizes->shank;
    double length = snw_near_min(
        sqrt(z * z + up * up), EASE_REACH * whole, EASE_REACH_SOFT * whole);
    length = snw_max(0.05, length);
    const Turn shank = turn_beyond(z, snw_max(0.05, up), snw_leg_ankle_cosine(sizes, length));
    // an angle is no larger than its tangent
    const double free = sizes->ankle_upper - EASE_MARGIN - EASE_SOFT - pitch;
    if (free > 0.0 && shank.c > 0.0 && shank.s <= free * shank.c) { return pitch; }
    double over = sinew_atan2(shank.s, shank.c) + pitch - (sizes->ankle_upper - EASE_MARGIN);
    return pitch - EASE_GAIN * snw_soft_positive(over, EASE_SOFT);
}

bool snw_core_reaches(const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle)
{
    const sinew_Vec3 way = sinew_vec3_sub(hip, ankle);
    const double square = sinew_vec3_dot(way, way), most = REACH * (sizes->thigh + sizes->shank);
    return square <= most * most && square >= sizes->folded * sizes->folded;
}

double snw_core_strain(const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch,
    sinew_Vec3 hip, const snw_CorePelvis *pelvis)
{
    Place place = find_place(sizes, at, hip, pelvis);
    return strain(&place, pitch, NULL);
}

/// Between a pitch that the leg holds and one that it does not, as near to the latter as it does: false
/// position, where an end that stays twice counts half.
static double find_end(
    const Place *place, double held, double held_strain, double over, double over_strain)
{
    int side = 0;
    for (int i = 0; i < ENDINGS && fabs(over - held) > ENDING; ++i) {
        double low = snw_min(held_strain, -LEAST_HELD);
        double middle = held + (over - held) * low / (low - over_strain);
        double found = strain(place, middle, NULL);
        if (found <= 0.0) {
            held = middle;
            held_strain = found;
            over_strain *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            over = middle;
            over_strain = found;
            held_strain *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
    }
    return held;
}

/// What a search for a pitch has found.
typedef struct Found {
    double pitch, strain;
    bool is_over; ///< it is on the other side of what strains more
} Found;

/// Look for a pitch that the leg holds, up (sign 1) or down from one that it does not: the nearest, or the one of the least
/// strain. is_plan: it keeps off the ends of the search.
static Found look_for_pitch(const Place *place, Found from, double sign, bool is_plan)
{
    Found least = from, before = from;
    bool is_over = false;
    for (bool is_last = false; !is_last;) {
        double next = before.pitch + sign * snw_max(STEP, before.strain / MOST_RELIEF);
        is_last = next <= LOWEST || next >= HIGHEST;
        // of a plan the ends are no answer: a heel that is wished up would be up all the way
        if (is_last && is_plan) { break; }
        next = snw_clamp(next, LOWEST, HIGHEST);
        const Found now = { next, strain(place, next, NULL), is_over };
        if (now.strain <= 0.0) {
            const double end = find_end(place, next, now.strain, before.pitch, before.strain);
            return (Found){ end, 0.0, is_over };
        }
        is_over = is_over || now.strain > before.strain;
        before = now;
        if (now.strain < least.strain) { least = now; }
    }
    return least;
}

/// out_off: how far that is from what the leg can do; NULL for a plan.
static double project(Place *place, double natural, double *out_off)
{
    natural = ease(place, natural);
    bool lowers;
    Found from = { natural, strain(place, natural, &lowers), false };
    if (out_off != NULL) { *out_off = from.strain; }
    if (from.strain <= 0.0) { return natural; }
    if (lowers && place->give.behind == SNW_BEHIND_STAYS) { return natural; }
    if (lowers && place->give.behind == SNW_BEHIND_HEEL_RISES) {
        place->stretches = true;
        lowers = false;
        from.strain = strain(place, natural, NULL);
        if (from.strain <= 0.0) { return natural; }
    }
    // a leg that is too short for hips behind the ankle lets the toes rise, and one whose knee is stiff the heel come down;
    // a foot that is not on its heel, or would strain more on the way, does so only where that is no longer a way than for the
    // heel to rise
    const bool is_plan = out_off == NULL;
    if (!lowers) { return look_for_pitch(place, from, -1.0, is_plan).pitch; }
    const Found up = look_for_pitch(place, from, 1.0, is_plan);
    const double now = place->now < (double)INFINITY ? place->now : natural;
    if (now > SNW_FLAT_PITCH && !up.is_over) { return up.pitch; }
    const Found down = look_for_pitch(place, from, -1.0, is_plan);
    if (up.strain > 0.0 || down.strain > 0.0) {
        return up.strain <= down.strain ? up.pitch : down.pitch;
    }
    return up.pitch - now <= now - down.pitch ? up.pitch : down.pitch;
}

double snw_core_project(const snw_WalkLegBody *sizes, const snw_Foothold *at, double natural,
    sinew_Vec3 hip, const snw_CorePelvis *pelvis, const snw_CoreGive *give)
{
    Place place = find_place(sizes, at, hip, pelvis);
    if (give != NULL) { place.give = *give; }
    return project(&place, natural, NULL);
}

/// Project the pitch of a standing leg, its heel up as well for hips as high as people carry them; place: of its hip;
/// out_off: how far the pitch is from what the leg can do, metres, may be NULL.
static double hold(Place *place, const snw_Core *state, double phase, double natural,
    sinew_Vec3 hip, double *out_off)
{
    SNW_ASSERT(snw_core_holds_phase(phase));
    const snw_WalkLegBody *sizes = place->sizes;
    const snw_GaitNumbers *gait = sizes->gait;
    double m = snw_clamp(state->moving.value, 0.0, 1.0);
    double nominal = (gait->late_height - gait->late_drop * state->amplitude) * sizes->length;
    double share = m * snw_smoothstep((phase - HOLD_FROM) / HOLD_FADE);
    sinew_Vec3 high = hip;
    high.y = snw_max(hip.y, place->at->ground.y + nominal);
    if (share > 0.0 && place->hip.z > 0.0 && high.y > hip.y) {
        Place raised = *place;
        put_hip(high, &raised);
        natural = snw_mix(natural, snw_min(natural, project(&raised, natural, NULL)), share);
    }
    return project(place, natural, out_off);
}

double snw_core_hold(const snw_WalkLegBody *sizes, const snw_Core *state, const snw_Foothold *at,
    double phase, double natural, sinew_Vec3 hip, const snw_CorePelvis *pelvis)
{
    Place place = find_place(sizes, at, hip, pelvis);
    return hold(&place, state, phase, natural, hip, NULL);
}

/// The sine of a roll that is clearly in the range: of less than half a radian it is more than nine tenths.
static double sure_roll(const snw_WalkLegBody *sizes)
{
    const double least = snw_min(-sizes->roll_lower, sizes->roll_upper) - MARGIN;
    return SURELY * snw_clamp(least, 0.0, 0.5);
}

/// By how much a roll is beyond its range, by its sine.
static double over_roll(const snw_WalkLegBody *sizes, double sine)
{
    if (fabs(sine) < sure_roll(sizes)) { return 0.0; }
    double roll = sinew_asin(sine);
    double lower = sizes->roll_lower + MARGIN, upper = sizes->roll_upper - MARGIN;
    return roll > upper ? roll - upper : (roll < lower ? roll - lower : 0.0);
}

/// Whether the roll of a foot by whose side the knee is, is clearly in its range: the sine of the roll is that of the
/// way to the hip aside, and no angle is needed to see that it is small.
static bool is_roll_held(
    const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch, sinew_Vec3 hip)
{
    double turn[2];
    const sinew_Vec3 ankle = snw_foot_roll_flat(sizes, at, pitch, snw_core_toe_cap(sizes), turn);
    const sinew_Vec3 over = sinew_quat_rotate(
        sinew_quat_conjugate(at->basis), sinew_vec3_sub(hip, at->ground));
    const sinew_Vec3 way = sinew_vec3_sub(over, ankle);
    const double up = way.y * turn[1] - way.z * turn[0];
    const double sine = sure_roll(sizes), across = way.x * way.x + up * up;
    return across > LEAST_ACROSS && way.x * way.x < sine * sine * across;
}

double snw_core_bank(
    const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch, sinew_Vec3 hip)
{
    enum { ROUNDS = 2 };
    if (is_roll_held(sizes, at, pitch, hip)) { return 0.0; }
    double bank = 0.0;
    snw_Foothold banked = *at;
    for (int i = 0; i < ROUNDS; ++i) {
        sinew_Transform foot = snw_foot_roll_foot(sizes, &banked, pitch, snw_core_toe_cap(sizes));
        double over = over_roll(sizes, snw_leg_roll_sine(sizes, hip, &foot, NULL));
        if (over == 0.0) { break; }
        bank = snw_clamp(bank - over, -MOST_BANK, MOST_BANK);
        banked = snw_foothold_rolled(sizes, at, pitch, bank);
        if (is_roll_held(sizes, &banked, pitch, hip)) { break; }
    }
    return bank;
}

double snw_core_bank_on(double now, double wanted, double h)
{
    return now + snw_clamp(wanted - now, -BANK_SPEED * h, BANK_SPEED * h);
}

double snw_core_correct(
    double now, double natural_now, double natural, double projected, double time)
{
    double most = CORRECTION_SPEED * time, on = natural - natural_now;
    return snw_clamp(
        projected - natural, now - most - snw_max(0.0, on), now + most + snw_max(0.0, -on));
}

/// A pitch that the leg cannot hold, moved on towards what it was projected to: no farther than it must, and
/// than it may in h seconds.
static double hasten(const Place *place, double pitch, double projected, double h)
{
    double off = strain(place, pitch, NULL), most = HASTE * h;
    if (off <= 0.0) { return pitch; }
    double end = pitch + snw_clamp(projected - pitch, -most, most);
    double end_off = strain(place, end, NULL);
    return end_off > 0.0 ? end : find_end(place, end, end_off, pitch, off);
}

double snw_core_knee(const snw_WalkLegBody *sizes, double d)
{
    return angle_of(snw_leg_knee_cosine(sizes, d));
}

/// Flexion of the knee over a foot of this pitch.
static double knee_at(const Place *place, double pitch)
{
    double turn[2];
    sinew_Vec3 ankle = snw_foot_roll_flat(place->sizes, place->at, pitch, place->cap, turn);
    return snw_core_knee(place->sizes, sinew_vec3_distance(place->hip, ankle));
}

double snw_core_stand_on(const snw_WalkLegBody *sizes, const snw_Core *state,
    const snw_CoreLeg *leg, const snw_Foothold *at, double natural, sinew_Vec3 hip, double h)
{
    const snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
    Place place = find_place(sizes, at, hip, &pelvis);
    place.now = leg->pitch;
    double off, projected = hold(&place, state, leg->phase, natural, hip, &off);
    double natural_now = leg->pitch - leg->correction;
    double pitch = natural + snw_core_correct(leg->correction, natural_now, natural, projected, h);
    // as the leg was found to hold it
    const bool is_held = pitch == projected && off <= 0.0;
    return is_held ? pitch : hasten(&place, pitch, projected, h);
}

double snw_core_slow_knee(const snw_WalkLegBody *sizes, const snw_Core *state,
    const snw_CoreLeg *leg, const snw_Foothold *at, double pitch, sinew_Vec3 hip, double h)
{
    enum { HALVINGS = 5 };
    const snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
    const Place place = find_place(sizes, at, hip, &pelvis);
    const double knee = leg->knee, most = SNW_CORE_KNEE_SPEED * h;
    double slow = leg->pitch, fast = pitch;
    // hips that go away too fast for a heel that stays are followed by one that rises
    if (fabs(knee_at(&place, slow) - knee) > most) {
        slow -= HASTE * h;
        if (fabs(knee_at(&place, slow) - knee) > most) { return pitch; }
    }
    for (int i = 0; i < HALVINGS; ++i) {
        const double middle = 0.5 * (slow + fast);
        if (fabs(knee_at(&place, middle) - knee) > most) {
            fast = middle;
        } else {
            slow = middle;
        }
    }
    return strain(&place, slow, NULL) <= 0.0 ? slow : pitch;
}

sinew_Vec3 snw_core_bend(
    const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle, double knee, double h)
{
    const double d = sinew_vec3_distance(hip, ankle);
    double wanted = snw_core_knee(sizes, d), most = SNW_CORE_KNEE_SPEED * h;
    double kept = snw_clamp(wanted, knee - most, knee + most), s, c;
    if (kept == wanted || !(d > 0.05)) { return ankle; }
    sinew_sincos(kept, &s, &c);
    const double square = snw_positive(snw_leg_square(sizes, c));
    // one that straightens too slowly leaves its foot over its place: nearer to the hip it may be over the edge of a step
    const double up = snw_core_hip_over(hip, ankle, square);
    if (kept > wanted && up > 0.0) {
        ankle.y = snw_max(ankle.y, hip.y - up);
        return ankle;
    }
    return sinew_vec3_lerp(hip, ankle, sqrt(square) / d);
}

sinew_Quat snw_core_flex(const snw_WalkLegBody *sizes, sinew_Vec3 hip, const sinew_Transform *foot)
{
    sinew_Vec3 way = sinew_quat_rotate(
        sinew_quat_conjugate(foot->rotation), sinew_vec3_sub(hip, foot->position));
    double length = snw_max(0.05, sinew_vec3_length(way));
    const double level = snw_max(0.05, sqrt(way.y * way.y + way.z * way.z));
    const Turn turn = turn_beyond(
        way.z / level, way.y / level, snw_leg_ankle_cosine(sizes, length));
    sinew_Transform flexed = *foot;
    if (over_ankle(sizes, turn) > -2.0 * MARGIN) {
        double flexion = sinew_atan2(turn.s, turn.c);
        double kept = snw_clamp(flexion, sizes->ankle_lower + MARGIN, sizes->ankle_upper - MARGIN);
        flexed.rotation = snw_quat_on_x(foot->rotation, flexion - kept);
    }
    // the knee by the foot's side, as it is shown: one that hangs down along the leg points nowhere ahead
    sinew_Vec3 aside = snw_left_of(flexed.rotation);
    const snw_KneeWay knee = { sinew_vec3(-aside.z, 0.0, aside.x), 1.0 };
    double over = over_roll(sizes, snw_leg_roll_sine(sizes, hip, &flexed, &knee));
    if (over == 0.0) { return flexed.rotation; }
    return snw_quat_on_z(flexed.rotation, -over);
}

sinew_Vec3 snw_core_reach(
    const snw_WalkLegBody *sizes, const snw_Core *state, sinew_Vec3 hip, sinew_Vec3 ankle, double t)
{
    SNW_ASSERT(snw_holds_share(t));
    // at both ends the foot is where it stands, whatever the leg has to say
    double soft = SOFT * snw_smoothstep(t / 0.25) * snw_smoothstep((1.0 - t) / 0.35);
    double share = snw_mix(REACH, SNW_CORE_MOVING_REACH,
        snw_smoothstep(t / 0.3) * snw_clamp(state->moving.value, 0.0, 1.0));
    double most = share * (sizes->thigh + sizes->shank), knee = most - soft;
    double length = sinew_vec3_distance(ankle, hip);
    if (length <= knee) { return ankle; }
    double over = (length - knee) / snw_max(soft, 1e-6);
    double drawn = knee + soft * over / sqrt(1.0 + over * over);
    return sinew_vec3_lerp(hip, ankle, drawn / length);
}

sinew_Vec3 snw_core_lower(const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle)
{
    const double under = snw_core_hip_over(hip, ankle, sizes->folded * sizes->folded);
    if (under > 0.0) { ankle.y = snw_min(ankle.y, hip.y - under); }
    return ankle;
}

sinew_Vec3 snw_core_aside(
    const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle, double heading)
{
    const double r = sizes->folded, out = sizes->hip.x < 0.0 ? -1.0 : 1.0;
    const double x = ankle.x - hip.x, y = ankle.y - hip.y, z = ankle.z - hip.z;
    const double lack = r * r - x * x - y * y - z * z;
    if (r <= 0.0 || lack <= 0.0) { return ankle; }
    double s, c;
    sinew_sincos(heading, &s, &c);
    // so far along the level to the side that it is as far away as it must
    const double along = out * (x * c - z * s), more = out * (sqrt(along * along + lack) - along);
    return (sinew_Vec3){ ankle.x + more * c, ankle.y, ankle.z - more * s };
}

/// How far a thigh points back from upright, radians; s, c: of the heading.
static double thigh_back(
    const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle, double s, double c)
{
    sinew_Vec3 way = sinew_vec3_sub(hip, ankle);
    double length = snw_clamp(sinew_vec3_length(way), 0.05, sizes->thigh + sizes->shank);
    return sinew_atan2(way.x * s + way.z * c, way.y) - angle_of(snw_leg_hip_cosine(sizes, length));
}

/// By how much a thigh is behind the end of its range, radians; s, c: of the heading of a pelvis tilted by so much.
static double over_behind(
    const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle, double s, double c, double tilt)
{
    return thigh_back(sizes, hip, ankle, s, c) - tilt - (sizes->hip_back - MARGIN);
}

sinew_Vec3 snw_core_behind(
    const snw_WalkLegBody *sizes, const snw_Core *state, sinew_Vec3 hip, sinew_Vec3 ankle)
{
    // ahead of its pelvis, which turns for feet that are far behind
    const sinew_Vec3 aside = snw_left_of(state->hips.rotation);
    const double level = snw_max(0.1, sqrt(aside.x * aside.x + aside.z * aside.z));
    const double s = -aside.z / level, c = aside.x / level;
    const double over = over_behind(sizes, hip, ankle, s, c, state->tilt);
    if (over <= 0.0) { return ankle; }
    // the way to the hip, turned ahead by that about the level
    double sine, cosine;
    sinew_sincos(over, &sine, &cosine);
    const double back = (hip.x - ankle.x) * s + (hip.z - ankle.z) * c, up = hip.y - ankle.y;
    const double more = back - (back * cosine - up * sine);
    sinew_Vec3 ahead = { ankle.x + more * s, hip.y - (up * cosine + back * sine),
        ankle.z + more * c };
    // a walker's foot as high as it is: turned about the hip it comes down onto what it has yet to clear; runners'
    // feet are high behind them
    ahead.y = snw_mix(ankle.y, ahead.y, snw_clamp(state->run.value, 0.0, 1.0));
    // a knee that bends for that takes the thigh along
    const double held = snw_min(0.0, over_behind(sizes, hip, ahead, s, c, state->tilt));
    return sinew_vec3_lerp(ankle, ahead, over / (over - held));
}
