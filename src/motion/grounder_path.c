// The way of a foot: still in its print, then on to the next one, over what lies between.

#include "motion/grounder.h"

#include "math/holds.h"

#include <string.h>

// feet on ball or heel turn about it fully from this angle on; less is drift, radians
#define MEANT_PIVOT 0.1
// a foot stops and leaves within this, seconds: it goes with the animation's soon, but not at once
#define STOP_TIME 0.06
// a foot whose next stand is not seen yet tends to the ground below it within this, seconds
#define BLIND_TIME 0.25
// a foot is lifted over something from this long before it until this long after, seconds
#define LIFT_TIME 0.2

// The place of the ball's height among the numbers: on ground it has its own timing.
enum { HEIGHT = 1 };

// ---------------------------------------------------------------------------------------------
// Standing

static bool touches(const snw_GroundFoot *foot)
{
    return foot->touching[0] || foot->touching[1];
}

// seconds to the nearest frame of the same stand that has these points down; infinity: none
static double time_to(const sinew_Grounder *g, int side, int frame, bool heel, bool ball)
{
    SNW_ASSERT(side >= 0 && side < 2);
    SNW_ASSERT(frame >= 0);
    int most = snw_grounder_frames(g, SNW_ROLL_TIME) + 1, nearest = most + 1;
    for (int way = -1; way <= 1; way += 2) {
        for (int i = 0; i <= most && i < nearest; ++i) {
            int t = frame + way * i;
            if (t < 0 || t > snw_grounder_seen(g) || frame - t > g->capacity / 4) { break; }
            const snw_GroundFoot *foot = &snw_grounder_frame(g, t)->feet[side];
            if (!touches(foot)) { break; }
            if ((foot->touching[0] || !heel) && (foot->touching[1] || !ball)) { nearest = i; }
        }
    }
    return nearest > most ? INFINITY : nearest * g->def.frame_time;
}

// What it takes to stand in a print as the animation's foot does; before: how it stood a frame ago, NULL: it did not.
// What comes into sight late is gone over to from there.
static snw_FootShift stand(const sinew_Grounder *g, int side, int frame,
    const snw_GroundPrint *print, const snw_GroundStance *before, snw_GroundStance *out_stance)
{
    SNW_ASSERT(side >= 0 && side < 2);
    SNW_ASSERT(frame >= 0);
    const snw_GroundFoot *foot = &snw_grounder_frame(g, frame)->feet[side];
    snw_GroundStance now = { snw_quintic(time_to(g, side, frame, true, true) / SNW_ROLL_TIME),
        1.0 - snw_quintic(time_to(g, side, frame, false, true) / SNW_ROLL_TIME) };
    if (before != NULL) {
        now.rolls = snw_ease(before->rolls, now.rolls, g->def.frame_time);
        now.toes = snw_ease(before->toes, now.toes, g->def.frame_time);
    }
    bool heel = foot->touching[0], ball = foot->touching[1];
    snw_FootRoll roll = { .toes = now.toes, .pitch = now.rolls * foot->naive.pitch };
    // a foot that lies flat has what is left of the way that it came
    if (heel != ball) { roll.pitch = heel ? fmin(roll.pitch, 0.0) : fmax(roll.pitch, 0.0); }
    roll.on_heel = roll.pitch < 0.0;
    double pivot = now.rolls * snw_least_turn_of(foot->naive.yaw - print->print.yaw);
    *out_stance = now;
    roll.yaw = pivot * snw_quintic(fabs(pivot) / MEANT_PIVOT);
    return snw_foot_stand(&g->carry, side, &foot->naive, &print->print, &roll);
}

// ---------------------------------------------------------------------------------------------
// Swinging

// One number's smoothest way on: from value, speed and bend to rest at a value in a time. Asked again on that way
// it answers the same.
typedef struct Way {
    double *value, *speed, *bend;
    double to;
} Way;

static void step_way(const Way *w, double left, double dt)
{
    SNW_ASSERT(dt >= 0.0);
    if (left <= dt * 1.5) {
        double before = *w->value;
        *w->value = left > dt * 0.5 ? before + (w->to - before) * dt / left : w->to;
        *w->speed = (*w->value - before) / dt;
        *w->bend = 0.0;
        return;
    }
    // quintic with the ends' values and first two derivatives
    double T = left, p = *w->value, v = *w->speed, a = *w->bend;
    double h = w->to - p - v * T - 0.5 * a * T * T;
    double hv = -(v + a * T) * T, ha = -a * T * T;
    double c3 = 10.0 * h - 4.0 * hv + 0.5 * ha;
    double c4 = -15.0 * h + 7.0 * hv - ha;
    double c5 = 6.0 * h - 3.0 * hv + 0.5 * ha;
    double u = dt / T;
    *w->value = p + v * dt + 0.5 * a * dt * dt + u * u * u * (c3 + u * (c4 + u * c5));
    *w->speed = v + a * dt + u * u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5)) / T;
    *w->bend = a + u * (6.0 * c3 + u * (12.0 * c4 + u * 20.0 * c5)) / (T * T);
}

// the first frame after this one in which the foot touches; -1: none in sight
static int find_landing(const sinew_Grounder *g, int side)
{
    for (int t = g->path + 1; t <= snw_grounder_seen(g); ++t) {
        if (touches(&snw_grounder_frame(g, t)->feet[side])) { return t; }
    }
    return -1;
}

// The way to the first frame of the next stand, and the speed that the shift has there: the foot is at rest then,
// the animation's is not.
static void see_landing(sinew_Grounder *g, int side, int landing, double to[SNW_SHIFT_NUMBERS])
{
    SNW_ASSERT(side >= 0 && side < 2);
    snw_GroundState *state = &g->feet[side];
    snw_grounder_print(g, side, landing, &state->next);
    snw_GroundStance after_landing;
    snw_FootShift shift = stand(g, side, landing, &state->next, NULL, &state->stance);
    state->has_stance = true;
    snw_shift_to_numbers(&shift, to);
    double left = (landing - g->path) * g->def.frame_time;
    if (state->stopping > 0.0 || left > STOP_TIME) { return; }
    state->stopping = fmax(left, g->def.frame_time);
    memset(state->stop_speed, 0, sizeof state->stop_speed);
    if (landing + 1 <= snw_grounder_seen(g)
        && touches(&snw_grounder_frame(g, landing + 1)->feet[side])) {
        double after[SNW_SHIFT_NUMBERS];
        shift = stand(g, side, landing + 1, &state->next, &state->stance, &after_landing);
        snw_shift_to_numbers(&shift, after);
        for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) {
            state->stop_speed[i] = (after[i] - to[i]) / g->def.frame_time;
        }
    }
}

static void swing(sinew_Grounder *g, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    snw_GroundState *state = &g->feet[side];
    snw_GroundFoot *foot = &snw_grounder_frame(g, g->path)->feet[side];
    double dt = g->def.frame_time, to[SNW_SHIFT_NUMBERS] = { 0.0 };
    double left = BLIND_TIME, until = 0.0;
    int landing = find_landing(g, side);
    if (landing >= 0) {
        see_landing(g, side, landing, to);
        until = (landing - g->path) * dt;
        left = until + dt;
    } else {
        state->next.known = false;
        state->has_stance = false;
        state->stopping = 0.0;
        sinew_Vec3 ball = foot->naive.ball;
        ball.x += state->value[0];
        ball.z += state->value[2];
        to[HEIGHT] = snw_grounder_height(g, side, ball, NULL);
    }
    double since = (g->path - state->left) * dt, shown[SNW_SHIFT_NUMBERS];
    for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) {
        Way way = { &state->value[i], &state->speed[i], &state->bend[i], to[i] };
        step_way(&way, left, dt);
        snw_Bridge leave = { 0.0, state->leave_speed[i], 0.0, 0.0 };
        snw_Bridge stop = { 0.0, -state->stop_speed[i], 0.0, 0.0 };
        shown[i] = state->value[i] + snw_bridge_at(leave, STOP_TIME, since);
        if (state->stopping > 0.0) { shown[i] += snw_bridge_at(stop, state->stopping, until); }
    }
    foot->shift = snw_shift_from_numbers(shown);
    // what the hips follow goes down with the foot; where that comes from below it does not hold them back
    foot->ground = state->value[HEIGHT];
    foot->carries = fmax(state->value[HEIGHT], to[HEIGHT]);
}

// ---------------------------------------------------------------------------------------------
// The stage

static void find_room(sinew_Grounder *g, int side, snw_GroundFoot *foot)
{
    SNW_ASSERT(side >= 0 && side < 2);
    sinew_Quat toe;
    sinew_Transform at = snw_foot_shifted(&g->carry, side, &foot->naive, &foot->shift, &toe);
    const snw_RetargetLeg *leg = &g->carry.target.legs[side];
    sinew_Vec3 heel = sinew_transform_point(at, leg->heel);
    sinew_Vec3 ball = sinew_transform_point(at, leg->ball);
    sinew_Vec3 points[3] = { heel, ball,
        sinew_vec3_add_scaled(ball, sinew_vec3_sub(ball, heel), SNW_TOE_LENGTH) };
    double deepest = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        double height = snw_grounder_height(g, side, points[i], NULL);
        deepest = fmax(deepest, height - points[i].y);
    }
    foot->room = -deepest;
}

// the first frame ever has no way behind it
static void begin(sinew_Grounder *g, int side)
{
    snw_GroundState *state = &g->feet[side];
    const snw_GroundFoot *foot = &snw_grounder_frame(g, 0)->feet[side];
    state->left = -1;
    memset(state->value, 0, sizeof state->value);
    state->value[HEIGHT] = snw_grounder_height(g, side, foot->naive.ball, NULL);
}

void snw_grounder_path(sinew_Grounder *g, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    snw_GroundState *state = &g->feet[side];
    snw_GroundFoot *foot = &snw_grounder_frame(g, g->path)->feet[side];
    bool stands = touches(foot);
    if (g->path == 0) { begin(g, side); }
    if (stands && !state->stands) {
        snw_grounder_print(g, side, g->path, &state->next);
        state->print = state->next;
        state->next.known = false;
    }
    if (stands) {
        double before[SNW_SHIFT_NUMBERS];
        memcpy(before, state->value, sizeof before);
        foot->shift = stand(g, side, g->path, &state->print,
            state->has_stance ? &state->stance : NULL, &state->stance);
        state->has_stance = true;
        snw_shift_to_numbers(&foot->shift, state->value);
        for (int i = 0; i < SNW_SHIFT_NUMBERS; ++i) {
            double change = state->value[i] - before[i];
            state->leave_speed[i] = state->stands ? change / g->def.frame_time : 0.0;
            state->speed[i] = state->bend[i] = 0.0;
        }
        state->stopping = 0.0;
        state->left = g->path;
        foot->ground = foot->carries = state->print.height;
        foot->room = 0.0;
    } else {
        swing(g, side);
        find_room(g, side, foot);
    }
    foot->stands = state->stands = stands;
}

// ---------------------------------------------------------------------------------------------
// Over what is in the way

// The largest of smooth humps over the frames that need it; each is as wide as the swing leaves room for.
void snw_grounder_lift(sinew_Grounder *g, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    int width = snw_grounder_frames(g, LIFT_TIME), f = g->lifted;
    snw_GroundFoot *foot = &snw_grounder_frame(g, f)->feet[side];
    foot->lift = 0.0;
    if (width < 1) { width = 1; }
    if (foot->stands) { return; }
    int first = f, last = f;
    while (first > 0 && f - first < 2 * width
        && !snw_grounder_frame(g, first - 1)->feet[side].stands) {
        --first;
    }
    int seen = snw_grounder_seen(g);
    while (last < seen && last - f < 2 * width
        && !touches(&snw_grounder_frame(g, last + 1)->feet[side])) {
        ++last;
    }
    for (int t = first; t <= last && t < g->path; ++t) {
        double need = -snw_grounder_frame(g, t)->feet[side].room;
        int room = width;
        if (f < t && first > 0 && t - first + 1 < room) { room = t - first + 1; }
        if (f > t && last < seen && last - t + 1 < room) { room = last - t + 1; }
        double u = (double)(t - f) / room;
        if (need > 0.0 && u * u < 1.0) {
            foot->lift = fmax(foot->lift, need * (1.0 - u * u) * (1.0 - u * u));
        }
    }
}
