// Contacts of a foot become prints, prints become shifts, shifts fade between them.

#include "math/holds.h"
#include "math/select.h"
#include "motion/contact.h"
#include "motion/retarget_clip.h"

// heel and ball that follow each other within this are one stand, seconds
#define SAME_STAND 0.05
// a stand whose sole is farther from the floor stands on something else, legs
#define OTHER_GROUND 0.05

static int frames_in(const snw_RetargetClip *clip, double seconds)
{
    double frames = seconds / clip->frame_time;
    return frames < clip->frames ? (int)floor(frames + 0.5) : clip->frames;
}

// ---------------------------------------------------------------------------------------------
// Stands

// A foot of other proportions is slow at other times than the source's: it touches when either does, and goes on while
// it is slow, so that it leaves the floor on the move and not by creeping.
static void add_own_contacts(snw_RetargetClip *clip, snw_FootTrack *foot, bool heel)
{
    bool *touching = heel ? foot->heel : foot->ball;
    double leg = clip->carry->target.leg;
    for (int t = 0; t < clip->frames; ++t) {
        clip->places[t] = heel ? foot->naive[t].heel : foot->naive[t].ball;
        clip->need[t] = clip->places[t].y / leg;
    }
    snw_ContactTrack track = { clip->places, clip->first, clip->frames, clip->frame_time, leg };
    snw_contact_speeds(&track, clip->settings->half_window, clip->scratch);
    snw_contact_frames(&track, clip->settings, clip->scratch, clip->need, 0.0, clip->own);
    // on the same body nothing is asked beyond the contacts that it has
    double leaving = clip->carry->same_body ? 1.0 : SNW_LEAVING_SPEED;
    double slow = leaving * clip->settings->end_speed, low = clip->settings->end_height;
    for (int t = 0; t < clip->frames; ++t) { touching[t] = touching[t] || clip->own[t]; }
    for (int way = 1; way >= -1; way -= 2) {
        bool on = false;
        for (int i = clip->first; i < clip->frames; ++i) {
            int t = way > 0 ? i : clip->frames - 1 - (i - clip->first);
            on = touching[t] || (on && clip->need[t] < low && clip->scratch[t] < slow);
            touching[t] = on;
        }
    }
}

static void find_plants(snw_RetargetClip *clip, snw_FootTrack *foot)
{
    int gap = frames_in(clip, SAME_STAND);
    foot->plant_count = 0;
    for (int t = 0; t < clip->frames; ++t) {
        if (!foot->heel[t] && !foot->ball[t]) { continue; }
        snw_Plant *last = foot->plant_count > 0 ? &foot->plants[foot->plant_count - 1] : NULL;
        if (last != NULL && t - last->last <= 1 + gap) {
            // between heel and ball the foot lies flat
            for (int k = last->last + 1; k < t; ++k) { foot->heel[k] = foot->ball[k] = true; }
            last->last = t;
        } else {
            foot->plants[foot->plant_count++] = (snw_Plant){ .first = t, .last = t };
        }
    }
}

static double component(sinew_Vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

// the middle of a coordinate over the frames of a stand that count
static double median(const snw_RetargetClip *clip, const snw_FootTrack *foot,
    const snw_Plant *plant, bool flat_alone, int what)
{
    int count = 0;
    for (int t = plant->first; t <= plant->last; ++t) {
        if (flat_alone && !(foot->heel[t] && foot->ball[t])) { continue; }
        const snw_CarriedFoot *n = &foot->naive[t];
        sinew_Vec3 sole = sinew_vec3_sub(n->ball, n->heel);
        sole.y = 0.0;
        sole = sinew_vec3_normalize_or(sole, sinew_vec3(0.0, 0.0, 1.0));
        double value = what < 3 ? component(n->ball, what) : component(sole, what - 3);
        // of raised feet the lower point stands
        if (what == 1) { value = fmin(n->ball.y, n->heel.y); }
        clip->scratch[count++] = value;
    }
    return snw_select(clip->scratch, (size_t)count, (size_t)(count - 1) / 2);
}

static void make_print(snw_RetargetClip *clip, int side, snw_Plant *plant)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_FootTrack *foot = &clip->feet[side];
    bool flat = false;
    for (int t = plant->first; t <= plant->last; ++t) { flat |= foot->heel[t] && foot->ball[t]; }
    double v[6];
    for (int i = 0; i < 6; ++i) { v[i] = median(clip, foot, plant, flat, i); }
    if (fabs(v[1]) < OTHER_GROUND * clip->carry->target.leg) { v[1] = 0.0; }
    plant->print = snw_footprint(
        clip->carry, side, sinew_vec3(v[0], v[1], v[2]), sinew_vec3(v[3], v[4], v[5]));
}

// ---------------------------------------------------------------------------------------------
// Shifts in a stand

// frames from each frame of a stand to the nearest one whose ball touches, by a sweep each way; -1: none
static void measure_away(const snw_FootTrack *foot, const snw_Plant *plant, int *out_away)
{
    int since = -1;
    for (int t = plant->first; t <= plant->last; ++t) {
        since = foot->ball[t] ? 0 : since >= 0 ? since + 1 : -1;
        out_away[t] = since;
    }
    since = -1;
    for (int t = plant->last; t >= plant->first; --t) {
        since = out_away[t] == 0 ? 0 : since >= 0 ? since + 1 : -1;
        if (since >= 0 && (out_away[t] < 0 || since < out_away[t])) { out_away[t] = since; }
    }
}

static bool lies_flat(const snw_FootTrack *foot, int t)
{
    return foot->heel[t] && foot->ball[t];
}

// One of the angles that a foot rolls by, frame by frame, and the stand that it is of.
typedef struct Rolling {
    const snw_FootTrack *foot;
    const snw_Plant *plant;
    bool is_yaw; ///< else pitch
} Rolling;

static double carried(const Rolling *r, int t)
{
    const snw_CarriedFoot *n = &r->foot->naive[t];
    return r->is_yaw ? snw_least_turn_of(n->yaw - r->plant->print.yaw) : n->pitch;
}

static double rolling_speed(const snw_RetargetClip *clip, const Rolling *r, int t)
{
    int reach = frames_in(clip, SNW_SPEED_TIME);
    if (reach < 1) { reach = 1; }
    int a = t - reach < r->plant->first ? r->plant->first : t - reach;
    int b = t + reach > r->plant->last ? r->plant->last : t + reach;
    return a < b ? (carried(r, b) - carried(r, a)) / ((b - a) * clip->frame_time) : 0.0;
}

// The carried angle, but for what it has where the foot lies flat: that fades, so that the foot begins to roll
// from rest and soon rolls as the source's does. before, after: flat frames, or -1.
static double rolling_angle(
    const snw_RetargetClip *clip, const Rolling *r, int before, int after, int t)
{
    double angle = carried(r, t), dt = clip->frame_time;
    snw_Bridge out = { 0.0, 0.0, 0.0, 0.0 }, in = out;
    if (before >= 0) {
        out = (snw_Bridge){ carried(r, before), rolling_speed(clip, r, before), 0.0, 0.0 };
    }
    if (after >= 0) {
        in = (snw_Bridge){ carried(r, after), -rolling_speed(clip, r, after), 0.0, 0.0 };
    }
    if (before >= 0 && after >= 0 && (after - before) * dt < 2.0 * SNW_ROLL_TIME) {
        snw_Bridge whole = { out.from, out.from_speed, in.from, -in.from_speed };
        return angle - snw_bridge_at(whole, (after - before) * dt, (t - before) * dt);
    }
    if (before >= 0) { angle -= snw_bridge_at(out, SNW_ROLL_TIME, (t - before) * dt); }
    if (after >= 0) { angle -= snw_bridge_at(in, SNW_ROLL_TIME, (after - t) * dt); }
    return angle;
}

static void roll(
    snw_RetargetClip *clip, int side, const snw_Plant *plant, int before, int after, int t)
{
    SNW_ASSERT(side >= 0 && side < 2);
    snw_FootTrack *foot = &clip->feet[side];
    int away = clip->away[t];
    snw_FootRoll roll = { .on_heel = foot->heel[t] && !foot->ball[t] };
    roll.toes = away < 0 ? 0.0 : 1.0 - snw_quintic(away * clip->frame_time / SNW_ROLL_TIME);
    if (!lies_flat(foot, t)) {
        Rolling pitch = { foot, plant, false }, yaw = { foot, plant, true };
        roll.pitch = rolling_angle(clip, &pitch, before, after, t);
        roll.pitch = roll.on_heel ? fmin(roll.pitch, 0.0) : fmax(roll.pitch, 0.0);
        double pivot = rolling_angle(clip, &yaw, before, after, t);
        roll.yaw = pivot * snw_quintic(fabs(pivot) / SNW_MEANT_PIVOT);
    }
    foot->shift[t] = snw_foot_stand(clip->carry, side, &foot->naive[t], &plant->print, &roll);
}

// flat frames and those between them
static void stand(snw_RetargetClip *clip, int side, const snw_Plant *plant)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_FootTrack *foot = &clip->feet[side];
    measure_away(foot, plant, clip->away);
    int before = -1;
    for (int t = plant->first; t <= plant->last;) {
        int end = t;
        bool flat = lies_flat(foot, t);
        while (end <= plant->last && lies_flat(foot, end) == flat) { ++end; }
        int after = end <= plant->last ? end : -1;
        for (int k = t; k < end; ++k) { roll(clip, side, plant, before, after, k); }
        before = end - 1;
        t = end;
    }
}

// ---------------------------------------------------------------------------------------------
// Between stands

// shift and its speed at an end of a stand; edge 0 first, 1 last
static void end_of(const snw_RetargetClip *clip, const snw_FootTrack *foot, const snw_Plant *plant,
    int edge, double out_value[SNW_SHIFT_NUMBERS], double out_speed[SNW_SHIFT_NUMBERS])
{
    int t = edge == 0 ? plant->first : plant->last;
    int back = frames_in(clip, SNW_SPEED_TIME);
    if (back < 1) { back = 1; }
    if (back > plant->last - plant->first) { back = plant->last - plant->first; }
    double other[SNW_SHIFT_NUMBERS];
    snw_shift_to_numbers(&foot->shift[t], out_value);
    snw_shift_to_numbers(&foot->shift[edge == 0 ? t + back : t - back], other);
    for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) {
        double change = edge == 0 ? other[i] - out_value[i] : out_value[i] - other[i];
        out_speed[i] = back > 0 ? change / (back * clip->frame_time) : 0.0;
    }
}

// Fill the frames between two stands; before NULL: from the clip's beginning; after NULL: to its end.
static void fade(const snw_RetargetClip *clip, snw_FootTrack *foot, const snw_Plant *before,
    const snw_Plant *after)
{
    double from[SNW_SHIFT_NUMBERS] = { 0.0 }, to[SNW_SHIFT_NUMBERS] = { 0.0 };
    double from_speed[SNW_SHIFT_NUMBERS] = { 0.0 }, to_speed[SNW_SHIFT_NUMBERS] = { 0.0 };
    if (before != NULL) { end_of(clip, foot, before, 1, from, from_speed); }
    if (after != NULL) { end_of(clip, foot, after, 0, to, to_speed); }
    int start = before != NULL ? before->last : -1;
    int end = after != NULL ? after->first : clip->frames;
    double gap = (end - start) * clip->frame_time;
    double stop = fmin(clip->carry->stop_time, gap);
    bool whole = before != NULL && after != NULL && gap < 2.0 * SNW_FADE_TIME;
    for (int t = start + 1; t < end; ++t) {
        double since = (t - start) * clip->frame_time, left = (end - t) * clip->frame_time;
        double v[SNW_SHIFT_NUMBERS];
        for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) {
            snw_Bridge out = { from[i], 0.0, whole ? to[i] : 0.0, 0.0 };
            snw_Bridge in = { to[i], 0.0, 0.0, 0.0 };
            snw_Bridge leaving = { 0.0, from_speed[i], 0.0, 0.0 };
            snw_Bridge landing = { 0.0, -to_speed[i], 0.0, 0.0 };
            v[i] = snw_bridge_at(leaving, stop, since) + snw_bridge_at(landing, stop, left);
            v[i] += before != NULL ? snw_bridge_at(out, whole ? gap : SNW_FADE_TIME, since) : 0.0;
            v[i] += after != NULL && !whole ? snw_bridge_at(in, SNW_FADE_TIME, left) : 0.0;
        }
        foot->shift[t] = snw_shift_from_numbers(v);
    }
}

// Smooth humps over what frames need, into scratch; each as wide as a time, and as the way between the stands leaves room for.
static void make_humps(snw_RetargetClip *clip, int start, int end, double time)
{
    int width = frames_in(clip, time);
    for (int t = start; t < end; ++t) { clip->scratch[t] = 0.0; }
    for (int t = start; t < end; ++t) {
        int before = t - start + 1 < width && start > 0 ? t - start + 1 : width;
        int after = end - t < width && end < clip->frames ? end - t : width;
        for (int k = t - before; clip->need[t] > 0.0 && k <= t + after; ++k) {
            if (k < start || k >= end) { continue; }
            double u = (double)(k - t) / fmax(k < t ? before : after, 1);
            double hump = clip->need[t] * (1.0 - u * u) * (1.0 - u * u);
            clip->scratch[k] = fmax(clip->scratch[k], hump);
        }
    }
}

// Between stands a foot may go on no lower than the lower of the two: carried over or shifted it may dip into the
// floor, and goes round above it. Toes that still reach into it bend up.
static void clear_floor(snw_RetargetClip *clip, int side, int start, int end, double floor)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetCarry *carry = clip->carry;
    snw_FootTrack *foot = &clip->feet[side];
    double share = snw_clear_share(carry);
    for (int t = start; t < end; ++t) {
        double low = snw_foot_low(carry, side, &foot->naive[t], &foot->shift[t]);
        clip->need[t] = share * fmax(floor - low, 0.0);
    }
    make_humps(clip, start, end, SNW_CLEAR_TIME);
    for (int t = start; t < end; ++t) { foot->shift[t].ball.y += clip->scratch[t]; }
    for (int t = start; t < end; ++t) {
        clip->need[t] = snw_toes_need(carry, side, &foot->naive[t], &foot->shift[t], floor);
    }
    make_humps(clip, start, end, SNW_ROLL_TIME);
    for (int t = start; t < end; ++t) {
        snw_toes_bend(carry, side, &foot->naive[t], clip->scratch[t], &foot->shift[t]);
    }
}

static void clear_floors(snw_RetargetClip *clip, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_FootTrack *foot = &clip->feet[side];
    int last = foot->plant_count - 1;
    for (int i = 0; i <= last + 1; ++i) {
        const snw_Plant *before = i > 0 ? &foot->plants[i - 1] : NULL;
        const snw_Plant *after = i <= last ? &foot->plants[i] : NULL;
        // before the first stand and after the last the floor counts: that one may be on a step
        double low = before != NULL ? before->print.ball.y : 0.0;
        double next = after != NULL ? after->print.ball.y : 0.0;
        clear_floor(clip, side, before != NULL ? before->last + 1 : 0,
            after != NULL ? after->first : clip->frames, fmin(low, next));
    }
}

void snw_clip_plant(snw_RetargetClip *clip, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    snw_FootTrack *foot = &clip->feet[side];
    add_own_contacts(clip, foot, true);
    add_own_contacts(clip, foot, false);
    find_plants(clip, foot);
    for (int i = 0; i < foot->plant_count; ++i) {
        make_print(clip, side, &foot->plants[i]);
        stand(clip, side, &foot->plants[i]);
    }
    for (int i = 0; i <= foot->plant_count; ++i) {
        fade(clip, foot, i > 0 ? &foot->plants[i - 1] : NULL,
            i < foot->plant_count ? &foot->plants[i] : NULL);
    }
    clear_floors(clip, side);
}

// ---------------------------------------------------------------------------------------------
// Hips

// hips begin to sink this long before a leg needs it and rise this long after, seconds
#define LOWER_TIME 0.2

// frames around the ends of a clip: as the first or last
static int frame_around(const snw_RetargetClip *clip, int t)
{
    return t < 0 ? 0 : t >= clip->frames ? clip->frames - 1 : t;
}

void snw_clip_most(
    const snw_RetargetClip *clip, double time, const double *values, double *out_values)
{
    int w = frames_in(clip, time);
    for (int t = 0; t < clip->frames; ++t) {
        double most = values[t];
        for (int k = t - w; k <= t + w; ++k) { most = fmax(most, values[frame_around(clip, k)]); }
        out_values[t] = most;
    }
}

void snw_clip_mean(
    const snw_RetargetClip *clip, double time, const double *values, double *out_values)
{
    int w = frames_in(clip, time);
    for (int t = 0; t < clip->frames; ++t) {
        double sum = 0.0, weights = 0.0;
        for (int k = -w; k <= w; ++k) {
            double u = (double)k / (w + 1), weight = (1.0 - u * u) * (1.0 - u * u);
            sum += weight * values[frame_around(clip, t + k)];
            weights += weight;
        }
        out_values[t] = sum / weights;
    }
}

void snw_clip_lower(snw_RetargetClip *clip, double reach)
{
    SNW_ASSERT(reach >= 0.0);
    const snw_RetargetCarry *carry = clip->carry;
    for (int t = 0; t < clip->frames; ++t) {
        clip->need[t] = 0.0;
        for (int s = 0; s < SNW_SIDES; ++s) {
            const snw_FootTrack *foot = &clip->feet[s];
            const snw_RetargetLeg *leg = &carry->target.legs[s];
            sinew_Quat toe;
            sinew_Transform ankle = snw_foot_shifted(
                carry, s, &foot->naive[t], &foot->shift[t], &toe);
            double most = reach * (leg->upper + leg->lower);
            clip->need[t] = fmax(
                clip->need[t], snw_hips_need(clip->hips[s][t], ankle.position, most));
        }
    }
    // the largest need around, then a mean over the same time: never less than needed
    snw_clip_most(clip, LOWER_TIME, clip->need, clip->scratch);
    snw_clip_mean(clip, LOWER_TIME, clip->scratch, clip->lowered);
}
