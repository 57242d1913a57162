// Live: one sample in, one pose out, look_ahead later. What the samples ahead show is used to stop a foot before it
// lands and to lower the hips before a leg needs it; nothing else waits.

#include "base/message.h"
#include "math/holds.h"
#include "motion/retarget_state.h"

#include <string.h>

// feet stand in the first sample when they are this near the floor, legs
#define FIRST_HEIGHT 0.08
// a foot that will land is led to its print within this, seconds: the later, the better its place is known
#define LANDING_TIME 0.05
// a foot that came down unforeseen lies in its print after this, seconds
#define SETTLE_TIME 0.1
// the floor follows what feet stand on within this, seconds
#define FLOOR_TIME 2.0
// hips rise again within this, seconds
#define RELEASE_TIME 0.3

typedef struct Step {
    sinew_Retargeter *r;
    snw_RetargetLive *live;
    double dt;
    long now; ///< the sample whose pose is due
} Step;

static snw_LiveSample *sample_at(const snw_RetargetLive *live, long index)
{
    return &live->samples[index % live->capacity];
}

static double *pose_at(const sinew_Retargeter *r, long index)
{
    size_t width = (size_t)sinew_skeleton_coordinate_count(r->def.source.skeleton);
    return r->live.poses + (size_t)(index % r->live.capacity) * width;
}

// ---------------------------------------------------------------------------------------------
// Contacts

static sinew_Vec3 point_of(const snw_LiveSample *sample, int side, bool heel)
{
    return heel ? sample->feet[side].heel : sample->feet[side].ball;
}

// legs per second around a sample, over what has come
static double speed_around(const Step *step, long index, int side, bool heel)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLive *live = step->live;
    long a = index - live->back, b = index + live->reach;
    if (a < 0) { a = 0; }
    if (a < live->count - live->capacity) { a = live->count - live->capacity; }
    if (b > live->count - 1) { b = live->count - 1; }
    if (a >= b) { return 0.0; }
    double way = sinew_vec3_distance(
        point_of(sample_at(live, a), side, heel), point_of(sample_at(live, b), side, heel));
    return way / ((double)(b - a) * step->dt * step->r->carry.target.leg);
}

static bool *flag_of(snw_LiveSample *sample, int side, bool heel)
{
    return heel ? &sample->heel[side] : &sample->ball[side];
}

// Judge a sample whose neighbours are known, and those before it that were slow already but not yet shown.
static void judge(const Step *step, long index, int side, bool heel)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLive *live = step->live;
    sinew_ContactSettings settings = step->r->def.contacts;
    double leg = step->r->carry.target.leg;
    settings.end_speed *= SNW_LEAVING_SPEED;
    bool before = index > 0 && *flag_of(sample_at(live, index - 1), side, heel);
    double height = point_of(sample_at(live, index), side, heel).y / leg;
    bool touches = sinew_contact_touches(
        &settings, before, speed_around(step, index, side, heel), height);
    *flag_of(sample_at(live, index), side, heel) = touches;
    if (!touches || before) { return; }
    for (long b = index - 1; b > step->now; --b) {
        double low = point_of(sample_at(live, b), side, heel).y / leg;
        if (speed_around(step, b, side, heel) > settings.end_speed || low > settings.end_height) {
            break;
        }
        *flag_of(sample_at(live, b), side, heel) = true;
    }
}

static bool touches(const snw_RetargetLive *live, int side, long index)
{
    const snw_LiveSample *s = sample_at(live, index);
    return s->heel[side] || s->ball[side];
}

// ---------------------------------------------------------------------------------------------
// Standing

// a print where the foot is in a sample, which touches
static snw_Footprint print_at(const Step *step, int side, long index)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetCarry *carry = &step->r->carry;
    const snw_LiveSample *s = sample_at(step->live, index);
    const snw_CarriedFoot *n = &s->feet[side];
    sinew_Vec3 heading = sinew_vec3_sub(n->ball, n->heel), ball = n->ball;
    ball.y = 0.0;
    snw_Footprint print = snw_footprint(carry, side, ball, heading);
    if (s->ball[side]) { return print; }
    // on the heel alone: the ball will come down in front of it
    ball = sinew_vec3_add(print.ball, sinew_vec3_sub(n->heel, print.heel));
    ball.y = 0.0;
    return snw_footprint(carry, side, ball, heading);
}

// the same where the foot is shown: the ball's way is in the shift's first numbers
static snw_Footprint print_of(
    const Step *step, int side, const snw_LiveSample *s, const double shift[SNW_SHIFT_NUMBERS])
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetCarry *carry = &step->r->carry;
    snw_FootShift shown = snw_shift_from_numbers(shift);
    sinew_Quat toe;
    sinew_Transform foot = snw_foot_shifted(carry, side, &s->feet[side], &shown, &toe);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    sinew_Vec3 heel = sinew_transform_point(foot, leg->heel);
    sinew_Vec3 ball = sinew_transform_point(foot, leg->ball), heading = sinew_vec3_sub(ball, heel);
    ball.y = 0.0;
    snw_Footprint print = snw_footprint(carry, side, ball, heading);
    if (s->ball[side]) { return print; }
    ball = sinew_vec3_add(ball, sinew_vec3_sub(heel, print.heel));
    ball.y = 0.0;
    return snw_footprint(carry, side, ball, heading);
}

// pitch and yaw against the print
static double carried(const snw_LiveFoot *foot, const snw_CarriedFoot *naive, int which)
{
    return which == 0 ? naive->pitch : snw_least_turn_of(naive->yaw - foot->print.yaw);
}

static double carried_speed(
    const Step *step, const snw_LiveFoot *foot, int side, long index, int which)
{
    long other = index > 0 ? index - 1 : index;
    double now = carried(foot, &sample_at(step->live, index)->feet[side], which);
    double then = carried(foot, &sample_at(step->live, other)->feet[side], which);
    return other < index ? snw_least_turn_of(now - then) / step->dt : 0.0;
}

// samples until the foot lies flat, as far as is known; -1
static long ahead(const Step *step, int side, long last)
{
    for (long i = step->now; i <= last; ++i) {
        const snw_LiveSample *s = sample_at(step->live, i);
        if (s->ball[side] && s->heel[side]) { return i - step->now; }
    }
    return -1;
}

// how far toes should lie on the floor in a sample that touches
static double toes_at(const Step *step, int side, long index, long last)
{
    for (long i = index; i <= last && touches(step->live, side, i); ++i) {
        if (!sample_at(step->live, i)->ball[side]) { continue; }
        return 1.0 - snw_quintic((double)(i - index) * step->dt / SNW_ROLL_TIME);
    }
    return 0.0;
}

static snw_FootRoll roll_of(const Step *step, snw_LiveFoot *foot, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLive *live = step->live;
    const snw_LiveSample *s = sample_at(live, step->now);
    long last = live->count - 1 - live->reach;
    double seen = fmax((double)(last - step->now), 1.0) * step->dt;
    snw_FootRoll roll = { .on_heel = s->heel[side] && !s->ball[side] };
    foot->toes = snw_ease(foot->toes, toes_at(step, side, step->now, last), step->dt);
    roll.toes = foot->toes;
    if (s->heel[side] && s->ball[side]) {
        foot->flat = step->now;
        for (int k = 0; k < 2; ++k) {
            foot->roll_from[k] = carried(foot, &s->feet[side], k);
            foot->roll_speed[k] = carried_speed(step, foot, side, step->now, k);
        }
        return roll;
    }
    long flat = ahead(step, side, last);
    double angles[2];
    for (int k = 0; k < 2; ++k) {
        angles[k] = carried(foot, &s->feet[side], k);
        if (foot->flat >= 0) {
            snw_Bridge out = { foot->roll_from[k], foot->roll_speed[k], 0.0, 0.0 };
            angles[k] -= snw_bridge_at(
                out, SNW_ROLL_TIME, (double)(step->now - foot->flat) * step->dt);
        }
        if (flat >= 0) {
            long index = step->now + flat;
            snw_Bridge in = { carried(foot, &sample_at(live, index)->feet[side], k),
                -carried_speed(step, foot, side, index, k), 0.0, 0.0 };
            angles[k] -= snw_bridge_at(in, fmin(seen, SNW_ROLL_TIME), (double)flat * step->dt);
        }
    }
    roll.pitch = roll.on_heel ? fmin(angles[0], 0.0) : fmax(angles[0], 0.0);
    roll.yaw = angles[1] * snw_quintic(fabs(angles[1]) / SNW_MEANT_PIVOT);
    return roll;
}

// ---------------------------------------------------------------------------------------------
// On the way

static void plan_from_here(snw_LiveFoot *foot, long start, double duration)
{
    memcpy(foot->plan.from, foot->value, sizeof foot->value);
    memcpy(foot->plan.from_speed, foot->speed, sizeof foot->speed);
    memset(foot->plan.to, 0, sizeof foot->plan.to);
    memset(foot->plan.to_speed, 0, sizeof foot->plan.to_speed);
    foot->plan.start = start;
    foot->plan.duration = duration;
}

static void follow_plan(
    const snw_LiveFoot *foot, double stop_time, double time, double out[SNW_SHIFT_NUMBERS])
{
    const snw_ShiftPlan *p = &foot->plan;
    for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) {
        if (foot->lands) {
            snw_Bridge b = { p->from[i], p->from_speed[i], p->to[i], p->to_speed[i] };
            out[i] = snw_bridge_at(b, p->duration, time);
            continue;
        }
        snw_Bridge place = { p->from[i], 0.0, 0.0, 0.0 };
        snw_Bridge leaving = { 0.0, p->from_speed[i], 0.0, 0.0 };
        out[i] = snw_bridge_at(place, p->duration, time) + snw_bridge_at(leaving, stop_time, time);
    }
}

// lead the foot to where it will stand
static void plan_landing(const Step *step, snw_LiveFoot *foot, int side, long landing)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLive *live = step->live;
    const snw_RetargetCarry *carry = &step->r->carry;
    long last = live->count - 1 - live->reach, known = landing;
    while (known < last && touches(live, side, known + 1)) { ++known; }
    foot->print = print_at(step, side, known);
    foot->lands = true;
    foot->landing = landing;
    plan_from_here(foot, step->now - 1, (double)(landing - step->now + 1) * step->dt);
    double then[SNW_SHIFT_NUMBERS];
    long after = landing < last ? landing + 1 : landing;
    foot->toes = toes_at(step, side, landing, last);
    for (int k = 0; k < 2; ++k) {
        const snw_LiveSample *s = sample_at(live, k == 0 ? landing : after);
        snw_FootRoll roll = { .toes = foot->toes };
        if (k == 1) {
            roll.toes = snw_ease(foot->toes, toes_at(step, side, after, last), step->dt);
        }
        roll.on_heel = s->heel[side] && !s->ball[side];
        if (roll.on_heel) { roll.pitch = fmin(s->feet[side].pitch, 0.0); }
        if (s->ball[side] && !s->heel[side]) { roll.pitch = fmax(s->feet[side].pitch, 0.0); }
        snw_FootShift shift = snw_foot_stand(carry, side, &s->feet[side], &foot->print, &roll);
        snw_shift_to_numbers(&shift, k == 0 ? foot->plan.to : then);
    }
    for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) {
        foot->plan.to_speed[i] = after > landing ? (then[i] - foot->plan.to[i]) / step->dt : 0.0;
    }
}

static long next_landing(const Step *step, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLive *live = step->live;
    long last = live->count - 1 - live->reach;
    long most = step->now + (long)floor(LANDING_TIME / step->dt + 0.5);
    for (long i = step->now; i <= last && i <= most; ++i) {
        if (touches(live, side, i)) { return i; }
    }
    return -1;
}

// A foot that comes down unforeseen stands where it is shown; what it still turns and falls fades.
static void settle(const Step *step, snw_LiveFoot *foot, bool unforeseen, double value[])
{
    if (unforeseen) {
        for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) { foot->rest[i] = foot->value[i] - value[i]; }
        foot->down = step->now;
    }
    double left = 1.0 - snw_quintic((double)(step->now - foot->down) * step->dt / SETTLE_TIME);
    for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) { value[i] += left * foot->rest[i]; }
}

// By how much a foot that goes on as it is planned has to be higher, so that it goes round above the floor as in a
// clip, as far as samples ahead show it.
static double clearance(const Step *step, const snw_LiveFoot *foot, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLive *live = step->live;
    const snw_RetargetCarry *carry = &step->r->carry;
    double lift = 0.0, since = (double)(step->now - foot->plan.start) * step->dt;
    for (long i = step->now; i < live->count && !touches(live, side, i); ++i) {
        double v[SNW_SHIFT_NUMBERS], ahead = (double)(i - step->now) * step->dt;
        follow_plan(foot, carry->stop_time, since + ahead, v);
        snw_FootShift shift = snw_shift_from_numbers(v);
        double low = snw_foot_low(carry, side, &sample_at(live, i)->feet[side], &shift);
        double rise = i == step->now
            ? 1.0
            : snw_quintic(since / SNW_ROLL_TIME) * (1.0 - snw_quintic(ahead / SNW_CLEAR_TIME));
        lift = fmax(lift, -snw_clear_share(carry) * low * rise);
    }
    return lift;
}

static snw_FootShift move_foot(const Step *step, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    snw_RetargetLive *live = step->live;
    snw_LiveFoot *foot = &live->feet[side];
    const snw_LiveSample *s = sample_at(live, step->now);
    double value[SNW_SHIFT_NUMBERS];
    bool down = touches(live, side, step->now);
    bool unforeseen = down && !foot->stands && !foot->lands && step->now > 0;
    if (down && !foot->stands) {
        if (!foot->lands) {
            foot->print = print_of(step, side, s, foot->value);
            foot->toes = toes_at(step, side, step->now, live->count - 1 - live->reach);
        }
        foot->flat = -1;
    }
    if (down && !foot->stands && !unforeseen) { memset(foot->rest, 0, sizeof foot->rest); }
    if (!down && foot->stands) {
        foot->lands = false;
        plan_from_here(foot, step->now - 1, SNW_FADE_TIME);
    }
    foot->stands = down;
    if (down) {
        foot->lands = false;
        snw_FootRoll roll = roll_of(step, foot, side);
        snw_FootShift shift = snw_foot_stand(
            &step->r->carry, side, &s->feet[side], &foot->print, &roll);
        snw_shift_to_numbers(&shift, value);
        settle(step, foot, unforeseen, value);
    } else {
        long landing = next_landing(step, side);
        if (landing >= 0 && !foot->lands) { plan_landing(step, foot, side, landing); }
        if (foot->lands && landing < 0 && step->now > foot->landing) {
            foot->lands = false; // it did not come down
            plan_from_here(foot, step->now - 1, SNW_FADE_TIME);
        }
        follow_plan(foot, step->r->carry.stop_time,
            (double)(step->now - foot->plan.start) * step->dt, value);
        value[1] += clearance(step, foot, side);
    }
    for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) {
        foot->speed[i] = step->now > 0 ? (value[i] - foot->value[i]) / step->dt : 0.0;
        foot->value[i] = value[i];
    }
    snw_FootShift shift = snw_shift_from_numbers(value);
    const snw_RetargetCarry *carry = &step->r->carry;
    double bend = snw_toes_need(carry, side, &s->feet[side], &shift, 0.0);
    snw_toes_bend(carry, side, &s->feet[side], bend, &shift);
    return shift;
}

// ---------------------------------------------------------------------------------------------
// Hips

// the largest need of the samples ahead, feet being shifted as they are now
static double need_ahead(const Step *step, const snw_FootShift shifts[SNW_SIDES])
{
    const snw_RetargetCarry *carry = &step->r->carry;
    double need = 0.0;
    for (long i = step->now; i < step->live->count; ++i) {
        const snw_LiveSample *s = sample_at(step->live, i);
        for (int side = 0; side < SNW_SIDES; ++side) {
            const snw_RetargetLeg *leg = &carry->target.legs[side];
            sinew_Quat toe;
            sinew_Transform ankle = snw_foot_shifted(
                carry, side, &s->feet[side], &shifts[side], &toe);
            double most = step->r->def.reach * (leg->upper + leg->lower);
            need = fmax(need, snw_hips_need(s->hips[side], ankle.position, most));
        }
    }
    return need;
}

static double lower_hips(const Step *step, const snw_FootShift shifts[SNW_SIDES])
{
    snw_RetargetLive *live = step->live;
    double need = need_ahead(step, shifts);
    double kept = live->released * (1.0 - fmin(step->dt / RELEASE_TIME, 1.0));
    live->released = fmax(need, kept);
    int slots = live->slots;
    if (step->now == 0) {
        for (int i = 0; i < slots; ++i) { live->need[i] = live->released; }
    }
    live->need[step->now % slots] = live->released;
    double sum = 0.0;
    for (int i = 0; i < slots; ++i) { sum += live->need[i]; }
    return sum / slots;
}

// ---------------------------------------------------------------------------------------------
// Samples and poses

static void take_sample(const Step *step, const double *source_q)
{
    sinew_Retargeter *r = step->r;
    snw_RetargetLive *live = step->live;
    size_t width = (size_t)sinew_skeleton_coordinate_count(r->def.source.skeleton);
    memcpy(pose_at(r, live->count), source_q, width * sizeof *source_q);
    r->carry.source_shift = sinew_vec3(0.0, -live->floor, 0.0);
    snw_retarget_carry(&r->carry, source_q);
    snw_LiveSample *s = sample_at(live, live->count);
    for (int side = 0; side < SNW_SIDES; ++side) {
        s->feet[side] = snw_carried_foot(&r->carry, side);
        s->hips[side] = r->carry.world[r->carry.target.legs[side].thigh].position;
        s->heel[side] = s->ball[side] = false;
        if (live->count > 0) { continue; }
        double low = FIRST_HEIGHT * r->carry.target.leg;
        s->heel[side] = s->feet[side].heel.y < low;
        s->ball[side] = s->feet[side].ball.y < low;
    }
    live->count += 1;
}

// the floor is under the lower sole of the first sample
static void find_floor(const Step *step, const double *source_q)
{
    sinew_Retargeter *r = step->r;
    r->carry.source_shift = sinew_vec3(0.0, 0.0, 0.0);
    snw_retarget_carry(&r->carry, source_q);
    double lowest = INFINITY;
    for (int p = 0; p < r->point_count; ++p) {
        if (r->points[p].part == SINEW_CONTACT_HAND) { continue; }
        sinew_Vec3 at = sinew_transform_point(r->carry.source_world[r->points[p].joint],
            sinew_quat_rotate(sinew_quat_identity(), r->points[p].offset));
        lowest = fmin(lowest, at.y);
    }
    step->live->floor = isfinite(lowest) ? lowest : 0.0;
    step->live->has_floor = true;
}

static void follow_floor(const Step *step)
{
    snw_RetargetLive *live = step->live;
    const snw_LiveSample *s = sample_at(live, step->now);
    for (int side = 0; side < SNW_SIDES; ++side) {
        if (!s->heel[side] || !s->ball[side]) { continue; }
        double height = 0.5 * (s->feet[side].heel.y + s->feet[side].ball.y);
        live->floor += 0.5 * height / step->r->carry.scale * fmin(step->dt / FLOOR_TIME, 1.0);
    }
}

static sinew_Status pose_due(const Step *step, double *out_q, sinew_Message *out_message)
{
    sinew_Retargeter *r = step->r;
    snw_RetargetCarry *carry = &r->carry;
    snw_Held held[SNW_MOST_HELD];
    int held_count = 0;
    snw_retarget_carry(carry, pose_at(r, step->now));
    if (r->def.hold_feet) {
        snw_FootShift shifts[SNW_SIDES];
        const snw_LiveSample *s = sample_at(step->live, step->now);
        for (int side = 0; side < SNW_SIDES; ++side) { shifts[side] = move_foot(step, side); }
        // the sample knows the floor of its own time
        snw_retarget_move(
            carry, sinew_vec3_sub(s->hips[0], carry->world[carry->target.legs[0].thigh].position));
        snw_retarget_move(carry, sinew_vec3(0.0, -lower_hips(step, shifts), 0.0));
        for (int side = 0; side < SNW_SIDES; ++side) {
            sinew_Quat toe, naive[SNW_LEG_JOINTS];
            sinew_Transform foot = snw_foot_shifted(
                carry, side, &s->feet[side], &shifts[side], &toe);
            snw_leg_locals(carry, side, naive);
            snw_retarget_leg(carry, side, foot, toe, 1.0);
            snw_leg_steady(carry, side, naive, step->dt, &step->live->feet[side].turns);
            held[held_count++] = snw_hold_foot(
                carry, side, foot, touches(step->live, side, step->now));
        }
        follow_floor(step);
    }
    if (r->def.hold_hands && carry->effects == NULL) {
        double near[SNW_SIDES];
        snw_retarget_hands(carry, near);
    }
    const double *before = step->now > 0 ? step->live->last : NULL;
    sinew_Status status = snw_retarget_store(carry, before, out_q, NULL, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_LimitResult limited;
    status = snw_retarget_limits_keep(
        &r->limits, r->def.target.skeleton, held, held_count, out_q, &limited, out_message);
    size_t width = (size_t)sinew_skeleton_coordinate_count(r->def.target.skeleton);
    if (status == SINEW_STATUS_OK) { memcpy(step->live->last, out_q, width * sizeof *out_q); }
    return status;
}

sinew_Status sinew_retargeter_reset(
    sinew_Retargeter *retargeter, double floor, sinew_Message *out_message)
{
    if (retargeter == NULL || isinf(floor)) {
        return snw_refuse(
            out_message, retargeter == NULL ? "retargeter is NULL" : "floor is infinite");
    }
    snw_RetargetLive *live = &retargeter->live;
    live->count = 0;
    live->released = 0.0;
    live->has_floor = !isnan(floor);
    live->floor = isnan(floor) ? 0.0 : floor;
    memset(live->feet, 0, sizeof live->feet);
    snw_retarget_limits_reset(&retargeter->limits, retargeter->def.target.skeleton);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_retargeter_push(sinew_Retargeter *retargeter, const double *source_q,
    double *out_q, long *out_sample, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(
        out_message, "retargeter source_q out_q", retargeter, source_q, out_q);
    if (status != SINEW_STATUS_OK) { return status; }
    status = sinew_pose_check(retargeter->def.source.skeleton, source_q, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_RetargetLive *live = &retargeter->live;
    Step step = { retargeter, live, retargeter->def.frame_time, 0 };
    bool is_first = live->count == 0;
    if (!live->has_floor) { find_floor(&step, source_q); }
    step.now = live->count - live->delay;
    take_sample(&step, source_q);
    for (int side = 0; side < SNW_SIDES; ++side) {
        long judged = live->count - 1 - live->reach;
        for (int heel = 0; judged > 0 && heel < 2; ++heel) {
            judge(&step, judged, side, heel == 1);
        }
    }
    if (out_sample != NULL) { *out_sample = step.now > 0 ? step.now : 0; }
    if (step.now > 0 || is_first) {
        // the first pose is shown until the second is due
        if (step.now < 0) { step.now = 0; }
        return pose_due(&step, out_q, out_message);
    }
    size_t width = (size_t)sinew_skeleton_coordinate_count(retargeter->def.target.skeleton);
    memcpy(out_q, live->last, width * sizeof *out_q);
    return SINEW_STATUS_OK;
}
