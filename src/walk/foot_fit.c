// Fitting a foot to the ground: the plane of its sole rests on heel and ball, and on what is between
// where that is higher; toes follow the ground by themselves.

#include "math/holds.h"
#include "walk/foothold.h"
#include "walk/gait.h"

#define ROLL_LIMIT 0.7   // radians across from which the foot stands level, on its higher side
#define ROLL_MARGIN 0.20 // radians of the ankle's roll that the leg itself leans
#define PITCH_LIMIT 0.75 // radians of slope that a foot follows
#define TOE_LIMIT 0.6    // radians that toes give way
#define TOE_MARGIN 0.03  // radians of the toes' range that are kept
#define TOE_DOWN 0.15    // radians that toes follow ground that falls away
#define EDGE_SHARE 0.7   // rise over the sole's length that is an edge
#define TOE_MORE 0.5     // radians that toes bend farther which stick out over an edge
#define EVEN 1.5e-3      // metres that even ground is off the sole
#define WALL 0.03F       // metres between two prints that are steeper than any slope
#define OFF_PLANE 2e-3   // metres
#define TOES_HANG 3e-3   // metres that the tip of toes may be above even ground
#define SPARE 4e-4       // metres over ground that is seen at some places alone
#define FIT_PASSES 4
#define FIT_ENOUGH 3e-4 // radians

// Prints of the sole: heel to ball, then toes; right to left.
#define ROWS 7
#define COLUMNS 5
#define HALF_COLUMNS (0.5 * (COLUMNS - 1))
#define BALL_ROW 4

typedef struct Prints {
    double height[ROWS][COLUMNS];
    sinew_Vec3 at[ROWS][COLUMNS];
} Prints;

/// A foot that is being fitted.
typedef struct Fit {
    const snw_WalkLegBody *leg;
    double x, z, heading, s, c;
    double pitch, roll;
    Prints prints;
} Fit;

static sinew_Quat tilted(double heading, double pitch, double roll)
{
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 }, left = { 1.0, 0.0, 0.0 }, ahead = { 0.0, 0.0, 1.0 };
    sinew_Quat turn = sinew_quat_from_axis_angle(up, heading);
    sinew_Quat tilt = sinew_quat_mul(
        sinew_quat_from_axis_angle(left, -pitch), sinew_quat_from_axis_angle(ahead, roll));
    return sinew_quat_mul(turn, tilt);
}

static void take_prints(Fit *fit, snw_WalkGround *ground)
{
    const snw_WalkLegBody *leg = fit->leg;
    double unused, cos_pitch, cos_roll;
    sinew_sincos(fit->pitch, &unused, &cos_pitch);
    sinew_sincos(fit->roll, &unused, &cos_roll);
    for (int r = 0; r < ROWS; ++r) {
        double along = r <= BALL_ROW
            ? leg->heel + (leg->ball - leg->heel) * r / BALL_ROW
            : leg->ball + (leg->tip - leg->ball) * (r - BALL_ROW) / (ROWS - 1 - BALL_ROW);
        double way = along * cos_pitch;
        for (int k = 0; k < COLUMNS; ++k) {
            double side = leg->ball_width * cos_roll * (k / HALF_COLUMNS - 1.0);
            double px = fit->x + way * fit->s + side * fit->c;
            double pz = fit->z + way * fit->c - side * fit->s;
            fit->prints.at[r][k] = sinew_vec3(px, 0.0, pz);
            fit->prints.height[r][k] = snw_walk_height(ground, px, pz);
        }
    }
}

static double row_top(const Prints *prints, int row)
{
    double top = prints->height[row][0];
    for (int k = 1; k < COLUMNS; ++k) { top = fmax(top, prints->height[row][k]); }
    return top;
}

// whether the foot stands on a step rather than on a slope
static bool stands_on_edge(const Fit *fit)
{
    const Prints *prints = &fit->prints;
    double heel = row_top(prints, 0), ball = row_top(prints, BALL_ROW), rise = ball - heel;
    double sole = fit->leg->ball - fit->leg->heel, hump = 0.0, dent = 0.0;
    for (int r = 1; r < BALL_ROW; ++r) {
        double top = row_top(prints, r);
        hump = fmax(hump, top - fmax(heel, ball));
        dent = fmax(dent, fabs(top - (heel + rise * r / BALL_ROW)));
    }
    return fabs(rise) > EDGE_SHARE * sole || hump > 0.35 * fabs(rise) + 0.02
        || (fabs(rise) > 0.06 && dent > 0.3 * fabs(rise));
}

// how far a row of prints is above the plane of the sole
static double row_sunk(const Fit *fit, const snw_Foothold *at, sinew_Vec3 up, int row)
{
    SNW_ASSERT(snw_holds_direction(up));
    double sunk = -1e9;
    for (int k = 0; k < COLUMNS; ++k) {
        sinew_Vec3 print = fit->prints.at[row][k];
        double dx = print.x - at->ground.x, dz = print.z - at->ground.z;
        double plane = at->ground.y - (up.x * dx + up.z * dz) / up.y;
        sunk = fmax(sunk, fit->prints.height[row][k] - plane);
    }
    return sunk;
}

static sinew_Vec3 up_of(const snw_Foothold *at)
{
    return sinew_quat_rotate(at->basis, sinew_vec3(0.0, 1.0, 0.0));
}

// the ankle's range, but not so narrow that a foot could not stand
static double allowed_roll(const Fit *fit, double across)
{
    if (fabs(across) > ROLL_LIMIT) { return 0.0; }
    return snw_clamp(
        across, fit->leg->roll_lower + ROLL_MARGIN, fit->leg->roll_upper - ROLL_MARGIN);
}

static double roll_across(const Fit *fit)
{
    const Prints *prints = &fit->prints;
    double left = prints->height[BALL_ROW][COLUMNS - 1] + prints->height[0][COLUMNS - 1];
    double right = prints->height[BALL_ROW][0] + prints->height[0][0];
    return sinew_atan2(left - right, 4.0 * fit->leg->ball_width);
}

// lift the foot until no print is above its sole; toes give way first
static void lift_out(const Fit *fit, snw_Foothold *at)
{
    const snw_WalkLegBody *leg = fit->leg;
    sinew_Vec3 up = up_of(at);
    int last = leg->def.toe >= 0 ? BALL_ROW : ROWS - 1;
    double lift = -1e9;
    for (int r = 0; r <= last; ++r) { lift = fmax(lift, row_sunk(fit, at, up, r)); }
    at->ground.y += lift;
    if (last == ROWS - 1) { return; }
    double length = fmax(0.02, leg->tip - leg->toe_joint.z), more = 0.0;
    double most = fmin(TOE_LIMIT, leg->toe_upper > 0.0 ? leg->toe_upper : TOE_LIMIT);
    // down as far as their joint goes, so that they hold on to what falls away
    double bend = fmin(0.0, fmax(-TOE_DOWN, leg->toe_lower + TOE_MARGIN)), s, c;
    sinew_sincos(most, &s, &c);
    for (int r = last + 1; r < ROWS; ++r) {
        // a row on a bent toe comes back a little and stands on the joint's height
        double sunk = row_sunk(fit, at, up, r);
        double arm = length * (r - BALL_ROW) / (ROWS - 1 - BALL_ROW);
        double needed = sinew_asin(snw_clamp(sunk * up.y / arm, -0.9, 0.9));
        // beyond an edge they stay straight
        bool is_out = needed < -2.0 * TOE_DOWN;
        at->toe_more = is_out ? TOE_MORE : 0.0;
        bend = fmax(bend, is_out ? 0.0 : needed);
        if (needed > most) { more = fmax(more, sunk - s * arm / up.y); }
    }
    at->toe_base = fmin(bend, most);
    double room = leg->toe_upper - TOE_MARGIN - leg->gait->toe_bend * SINEW_PI / 180.0;
    at->toe_more = snw_clamp(room, 0.0, at->toe_more);
    at->ground.y += more;
}

// A wall right before the toes or behind the heel is no ground that they rest on.
static void leave_out_walls(const snw_WalkLegBody *leg, snw_Foothold *at)
{
    double step = (leg->tip - leg->heel + 2.0 * SNW_SOLE_BEYOND) / (SNW_SOLE_PRINTS - 1);
    int beyond = (int)ceil(SNW_SOLE_BEYOND / step);
    for (int i = beyond; i > 0; --i) {
        float *prints = at->prints, *end = prints + SNW_SOLE_PRINTS - 1;
        if (prints[i - 1] - prints[i] > WALL) { prints[i - 1] = prints[i]; }
        if (end[1 - i] - end[-i] > WALL) { end[1 - i] = end[-i]; }
    }
}

// ground above a place of the sole's plane, along its normal
static double print_above(const snw_Foothold *at, snw_WalkGround *ground, sinew_Vec3 ahead,
    sinew_Vec3 left, double along, double side)
{
    SNW_ASSERT(snw_holds_direction(ahead));
    SNW_ASSERT(snw_holds_direction(left));
    sinew_Vec3 place = sinew_vec3_add_scaled(
        sinew_vec3_add_scaled(at->ground, ahead, along), left, side);
    double above = snw_walk_height(ground, place.x, place.z) - place.y;
    if (fabs(above) > OFF_PLANE) {
        // what is straight above a slanting sole is above another place of it
        place = sinew_vec3_add_scaled(place, ahead, -above * ahead.y);
        place = sinew_vec3_add_scaled(place, left, -above * left.y);
        above = snw_walk_height(ground, place.x, place.z) - place.y;
    }
    return above * up_of(at).y;
}

// whether toes that keep their bend hang over ground that falls away
static bool toes_hang(const snw_WalkLegBody *leg, const snw_Foothold *at)
{
    if (leg->def.toe < 0) { return false; }
    double s, c, length = leg->tip - leg->toe_joint.z;
    sinew_sincos(at->toe_base, &s, &c);
    double step = (leg->tip - leg->heel + 2.0 * SNW_SOLE_BEYOND) / (SNW_SOLE_PRINTS - 1);
    double tip = leg->toe_joint.z + c * length;
    int i = (int)((tip - leg->heel + SNW_SOLE_BEYOND) / step);
    return s * length - (double)at->prints[i] > TOES_HANG;
}

// the ground along the sole, finely; the foot stands on the highest of it and rolls over the rest
static void rest_on_prints(const Fit *fit, snw_WalkGround *ground, snw_Foothold *at)
{
    const snw_WalkLegBody *leg = fit->leg;
    double from = leg->heel - SNW_SOLE_BEYOND, to = leg->tip + SNW_SOLE_BEYOND;
    sinew_Vec3 up = up_of(at);
    sinew_Vec3 ahead = sinew_quat_rotate(at->basis, sinew_vec3(0.0, 0.0, 1.0));
    sinew_Vec3 left = sinew_quat_rotate(at->basis, sinew_vec3(1.0, 0.0, 0.0));
    double most = -1e9, least = 1e9;
    for (int i = 0; i < SNW_SOLE_PRINTS; ++i) {
        double along = from + (to - from) * i / (SNW_SOLE_PRINTS - 1), top = -1e9;
        for (int k = 0; k < COLUMNS; ++k) {
            double side = leg->ball_width * (k / HALF_COLUMNS - 1.0);
            top = fmax(top, print_above(at, ground, ahead, left, along, side));
        }
        at->prints[i] = (float)top;
    }
    leave_out_walls(leg, at);
    double step = (to - from) / (SNW_SOLE_PRINTS - 1);
    for (int i = 0; i < SNW_SOLE_PRINTS && from + i * step <= leg->ball; ++i) {
        most = fmax(most, (double)at->prints[i]);
        least = fmin(least, (double)at->prints[i]);
    }
    double gap = snw_foothold_gap(leg, at);
    at->uneven = gap < -EVEN || most - least > EVEN || toes_hang(leg, at) ? 1.0 : 0.0;
    if (at->uneven == 0.0) {
        // as good as even: it may roll as on a plane, which touches the highest of it
        at->ground.y -= fmin(0.0, gap) / up.y;
        return;
    }
    at->ground.y -= (gap - SPARE) / up.y;
    for (int i = 0; i < SNW_SOLE_PRINTS; ++i) { at->prints[i] += (float)gap; }
}

snw_Foothold snw_foothold_fit(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, double x, double z, double heading)
{
    Fit fit = { .leg = leg, .x = x, .z = z, .heading = heading };
    sinew_sincos(heading, &fit.s, &fit.c);
    double sole = leg->ball - leg->heel;
    snw_Foothold at = {
        .ground = { x, 0.0, z }, .basis = { 0.0, 0.0, 0.0, 1.0 }, .heading = heading
    };
    bool is_edge = false;
    for (int pass = 0; pass < FIT_PASSES; ++pass) {
        take_prints(&fit, ground);
        if (pass == 0) {
            is_edge = stands_on_edge(&fit);
            fit.roll = is_edge ? 0.0 : allowed_roll(&fit, roll_across(&fit));
        }
        at.basis = tilted(heading, fit.pitch, fit.roll);
        if (is_edge) { break; }
        // turn the sole until heel and ball are as far from the ground as each other
        at.ground.y = fit.prints.height[0][COLUMNS / 2];
        sinew_Vec3 up = up_of(&at);
        double more = row_sunk(&fit, &at, up, BALL_ROW) - row_sunk(&fit, &at, up, 0);
        double unused, cos_pitch;
        sinew_sincos(fit.pitch, &unused, &cos_pitch);
        double turn = sinew_atan2(more * cos_pitch * cos_pitch, sole);
        double pitch = snw_clamp(fit.pitch + turn, -PITCH_LIMIT, PITCH_LIMIT);
        if (fabs(pitch - fit.pitch) < FIT_ENOUGH) { break; }
        fit.pitch = pitch;
        at.basis = tilted(heading, fit.pitch, fit.roll);
    }
    at.ground.y = fit.prints.height[0][COLUMNS / 2];
    lift_out(&fit, &at);
    if (!is_edge) { rest_on_prints(&fit, ground, &at); }
    return at;
}
