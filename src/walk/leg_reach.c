// Tries with the solver how far a tip gets, row by row and direction by direction, and reads between them; and how fast
// joints turn where it goes.

#include "walk/leg_reach.h"

#include "math/holds.h"
#include "math/soft.h"

#include <string.h>

// Rows: heights in lengths of the leg. One of them is 0.
#define ROW 0.08
#define ROWS_BELOW 4
// Steps outward to the border, lengths of the leg, and halvings of the last of them.
#define STEP 0.06
#define STEP_COUNT 13
#define HALVINGS 2
// Places outward that are tried for the middle, lengths of the leg; room that is enough for one, and to stand.
#define OUTWARD 0.10
#define OUTWARD_COUNT 4
#define ENOUGH 0.15
#define TOP_ROOM 0.06
// Nearer to the axis of a first joint that is a hinge it would spin: a spider's coxa above the tip, lengths of the leg.
#define AXIS_ROOM 0.15
// So much of the way to its mate a leg goes at most: both of a pair do so at different times.
#define KEPT_APART 0.6
// The border is not sharp: near it every place is a little used up already, lengths of the leg.
#define BORDER 0.05

static sinew_Status can_reach(const snw_LegProbe *probe, double x, double y, double z,
    bool *out_reached, sinew_Message *message)
{
    sinew_Vec3 off = sinew_quat_rotate(probe->world_from_body, sinew_vec3(x, y, z));
    sinew_Vec3 place = sinew_vec3_add(probe->foothold, off);
    sinew_Vec3 beside = sinew_vec3_cross(sinew_vec3_sub(place, probe->first), probe->axis);
    double room = AXIS_ROOM * probe->length * sinew_vec3_length(probe->axis);
    *out_reached = false;
    if (sinew_vec3_length(beside) < room) { return SINEW_STATUS_OK; }
    sinew_Goal goal = sinew_goal_position(probe->tip, place);
    goal.chain_root = probe->chain_root;
    size_t size = (size_t)sinew_skeleton_coordinate_count(probe->skeleton) * sizeof *probe->q;
    memcpy(probe->q, probe->rest, size);
    sinew_Report report;
    sinew_Status status = sinew_solver_solve(
        probe->solver, probe->options, &goal, 1, probe->q, &report, message);
    *out_reached = status == SINEW_STATUS_OK
        && report.position_error <= SNW_REACH_MET * probe->length;
    return status;
}

// Distance to the border from a middle that is reached. Step by step, since places beyond a gap may be
// reached again.
static sinew_Status find_border(const snw_LegProbe *probe, sinew_Vec3 middle, int direction,
    double *out_radius, sinew_Message *message)
{
    double s, c, inside = 0.0, step = STEP * probe->length;
    sinew_sincos(2.0 * SINEW_PI * direction / SNW_REACH_DIRECTIONS, &s, &c);
    for (int i = 0, halved = 0; i < STEP_COUNT && halved <= HALVINGS; ++i) {
        double way = inside + step;
        bool reached = false;
        sinew_Status status = can_reach(
            probe, middle.x + way * s, middle.y, middle.z + way * c, &reached, message);
        if (status != SINEW_STATUS_OK) { return status; }
        if (reached) { inside = way; }
        if (!reached || halved > 0) {
            step *= 0.5;
            ++halved;
        }
    }
    *out_radius = inside;
    return SINEW_STATUS_OK;
}

// the borders around one middle; *out_least is the nearest of them, -1 when it is not reached itself
static sinew_Status measure_row(const snw_LegProbe *probe, sinew_Vec3 middle,
    double radius[SNW_REACH_DIRECTIONS], double *out_least, sinew_Message *message)
{
    bool reached = false;
    sinew_Status status = can_reach(probe, middle.x, middle.y, middle.z, &reached, message);
    *out_least = reached ? (double)INFINITY : -1.0;
    for (int k = 0; k < SNW_REACH_DIRECTIONS && status == SINEW_STATUS_OK; ++k) {
        radius[k] = 0.0;
        if (!reached) { continue; }
        status = find_border(probe, middle, k, &radius[k], message);
        *out_least = snw_min(*out_least, radius[k]);
    }
    return status;
}

// where the least room, from the lowest row up, is enough to stand
static double find_low(const snw_LegReach *reach, const double least[SNW_REACH_ROWS])
{
    double wanted = ENOUGH * reach->length;
    for (int row = 0; row < SNW_REACH_ROWS; ++row) {
        if (least[row] < wanted) { continue; }
        double height = reach->bottom + row * reach->spacing;
        double below = row > 0 ? snw_max(0.0, least[row - 1]) : wanted;
        double share = (wanted - below) / snw_max(1e-9, least[row] - below);
        return row > 0 ? height - (1.0 - share) * reach->spacing : height;
    }
    return reach->bottom;
}

// A leg goes no farther than so much of the way to its mate, so that they do not cross.
static void keep_apart(sinew_Vec3 mate, snw_LegReach *reach)
{
    const double square = mate.x * mate.x + mate.z * mate.z;
    for (int i = 0; i < SNW_REACH_ROWS * SNW_REACH_DIRECTIONS && square > 0.0; ++i) {
        const int row = i / SNW_REACH_DIRECTIONS, k = i % SNW_REACH_DIRECTIONS;
        double s, c, *radius = &reach->radius[row][k];
        sinew_sincos(2.0 * SINEW_PI * k / SNW_REACH_DIRECTIONS, &s, &c);
        const double near = mate.x * reach->middle_x[row] + mate.z * reach->middle_z[row];
        const double room = KEPT_APART * square - near, way = mate.x * s + mate.z * c;
        if (way * *radius > room) { *radius = room / way; }
    }
}

sinew_Status snw_leg_reach_measure(
    const snw_LegProbe *probe, snw_LegReach *out_reach, sinew_Message *message)
{
    memset(out_reach, 0, sizeof *out_reach);
    out_reach->length = probe->length;
    out_reach->bottom = -ROWS_BELOW * ROW * probe->length;
    out_reach->spacing = ROW * probe->length;
    sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    sinew_Vec3 outward = sinew_vec3_normalize_or(probe->outward, none);
    double rooms[SNW_REACH_ROWS];
    for (int row = 0; row < SNW_REACH_ROWS; ++row) {
        double best = -1.0;
        for (int k = 0; k < OUTWARD_COUNT && best < ENOUGH * probe->length; ++k) {
            double radius[SNW_REACH_DIRECTIONS], least;
            sinew_Vec3 middle = sinew_vec3_scale(outward, OUTWARD * probe->length * k);
            middle.y = out_reach->bottom + row * out_reach->spacing;
            sinew_Status status = measure_row(probe, middle, radius, &least, message);
            if (status != SINEW_STATUS_OK) { return status; }
            if (least <= best) { continue; }
            best = least;
            out_reach->middle_x[row] = middle.x;
            out_reach->middle_z[row] = middle.z;
            memcpy(out_reach->radius[row], radius, sizeof radius);
        }
        rooms[row] = best;
        double height = out_reach->bottom + row * out_reach->spacing;
        if (best >= TOP_ROOM * probe->length) { out_reach->top = height; }
    }
    out_reach->low = find_low(out_reach, rooms);
    keep_apart(probe->mate, out_reach);
    return SINEW_STATUS_OK;
}

// rows between which a height lies; share of the upper one
static int find_row(const snw_LegReach *reach, double height, double *out_share)
{
    double at = (height - reach->bottom) / reach->spacing;
    at = snw_min(SNW_REACH_ROWS - 1.0, snw_max(0.0, at));
    int row = at >= SNW_REACH_ROWS - 2.0 ? SNW_REACH_ROWS - 2 : (int)at;
    *out_share = at - row;
    return row;
}

/// Sines of the directions of a quarter of a turn, a fifth of it apart, and of what is between two.
static const double rays[6] = { 0.0, 0.30901699437494742, 0.58778525229247313, 0.80901699437494742,
    0.95105651629515357, 1.0 };
_Static_assert(SNW_REACH_DIRECTIONS == 20, "rays are those of 20 directions");

/// A level way between two directions, and the sines of its angles to them.
typedef struct Sector {
    int near, far; ///< directions
    double from_near, to_far;
} Sector;

// without angles: turned into the first quarter, where the rays before it are counted
static Sector find_sector(double x, double z, double length)
{
    const double ux = length > 0.0 ? fabs(x) / length : 0.0;
    const double uz = length > 0.0 ? fabs(z) / length : 1.0;
    int i = 0;
    while (i < 4 && ux * rays[4 - i] > uz * rays[i + 1]) { ++i; }
    const bool is_back = z < 0.0, is_right = x < 0.0;
    // mirrored in two of the quarters
    const int start = is_back ? 10 : is_right ? 20 : 0, sign = is_back != is_right ? -1 : 1;
    Sector sector;
    sector.near = (start + sign * i) % SNW_REACH_DIRECTIONS;
    sector.far = (start + sign * (i + 1)) % SNW_REACH_DIRECTIONS;
    sector.from_near = snw_max(0.0, ux * rays[5 - i] - uz * rays[i]);
    sector.to_far = snw_max(0.0, uz * rays[i + 1] - ux * rays[4 - i]);
    return sector;
}

/// Where the straight border of a row between two directions is.
static double border_at(const double *radius, const Sector *sector)
{
    double near = radius[sector->near], far = radius[sector->far];
    double sum = near * sector->from_near + far * sector->to_far;
    return sum > 0.0 ? near * far * rays[1] / sum : 0.0;
}

static double radius_along(
    const snw_LegReach *reach, double x, double z, double length, double height)
{
    const Sector sector = find_sector(x, z, length);
    double up;
    int row = find_row(reach, height, &up);
    double low = border_at(reach->radius[row], &sector);
    double high = border_at(reach->radius[row + 1], &sector);
    return low * (1.0 - up) + high * up;
}

double snw_leg_reach_radius(const snw_LegReach *reach, sinew_Vec3 way)
{
    return radius_along(reach, way.x, way.z, sqrt(way.x * way.x + way.z * way.z), way.y);
}

sinew_Vec3 snw_leg_reach_middle(const snw_LegReach *reach, double height)
{
    double up;
    int row = find_row(reach, height, &up);
    double x = reach->middle_x[row] * (1.0 - up) + reach->middle_x[row + 1] * up;
    double z = reach->middle_z[row] * (1.0 - up) + reach->middle_z[row + 1] * up;
    return sinew_vec3(x, height, z);
}

double snw_leg_reach_share(const snw_LegReach *reach, sinew_Vec3 from_foothold)
{
    double y = from_foothold.y, border = BORDER * reach->length;
    sinew_Vec3 way = sinew_vec3_sub(from_foothold, snw_leg_reach_middle(reach, y));
    double distance = sqrt(way.x * way.x + way.z * way.z);
    // beyond the heights that were looked at nothing is reached
    double top = reach->bottom + (SNW_REACH_ROWS - 1) * reach->spacing;
    double beyond = snw_max(0.0, snw_max(reach->bottom - y, y - top));
    return (distance + border + beyond) / (radius_along(reach, way.x, way.z, distance, y) + border);
}

double snw_leg_reach_scale(const snw_LegReach *reach, sinew_Vec3 from_foothold, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    double border = BORDER * reach->length;
    sinew_Vec3 way = sinew_vec3_sub(from_foothold, snw_leg_reach_middle(reach, from_foothold.y));
    double distance = sinew_vec3_length(way);
    way.y = from_foothold.y;
    double wanted = share * (snw_leg_reach_radius(reach, way) + border) - border;
    return wanted >= distance ? 1.0 : wanted <= 0.0 ? 0.0 : wanted / distance;
}

// ---------------------------------------------------------------------------------------------
// Turns of joints

double snw_leg_bend_turn(const snw_LegBend *bend, sinew_Vec3 tip, sinew_Vec3 way)
{
    double distance = sinew_vec3_length(tip);
    sinew_Vec3 line = sinew_vec3_normalize_or(tip, bend->line);
    double at = (distance - bend->nearest) / bend->spacing;
    at = snw_min(SNW_BEND_ROWS - 1.0, snw_max(0.0, at));
    int row = at >= SNW_BEND_ROWS - 2.0 ? SNW_BEND_ROWS - 2 : (int)at;
    double share = at - row, away = sinew_vec3_dot(way, line);
    double bent = bend->bent[row] * (1.0 - share) + bend->bent[row + 1] * share;
    sinew_Vec3 turned = sinew_vec3_lerp(bend->turned[row], bend->turned[row + 1], share);

    // the leg as it was measured, turned to where it is now
    turned = sinew_quat_rotate(sinew_quat_between(bend->line, line), turned);
    double near = snw_max(distance, bend->nearest);
    sinew_Vec3 swung = sinew_vec3_scale(sinew_vec3_cross(line, way), 1.0 / near);
    double whole = sinew_vec3_length(sinew_vec3_add_scaled(swung, turned, away));
    return snw_max(whole, bent * fabs(away));
}
