#include "measure/alive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES (180.0 / SINEW_PI)
/// A leg of this length is what lengths are told for, metres.
static const double told_leg = 0.9;
/// Cycles outside these are none, seconds.
static const double shortest_cycle = 0.45, longest_cycle = 2.2;
/// Headings are means over so long where no cycle is known, seconds.
static const double heading_window = 1.0;
/// A foot moves when its ankle goes faster, m/s; hips have begun when they are that far, m.
static const double foot_speed = 0.15, begun = 0.004;
static const double settled_speed = 0.08;

enum { LEFT, RIGHT };

typedef struct Frame {
    sinew_Vec3 hips, head, ankle[2];
    sinew_Quat pelvis, chest, skull, hand[2]; // against the stance
    sinew_Vec3 upper[2], fore[2];             // unit, along the bones
    double knee;                              // mean flexion
    double yaw;                               // of the pelvis, unwrapped
} Frame;

struct measure_Alive {
    const sinew_Skeleton *skeleton;
    const sinew_Stance *stance;
    int hips, chest, head, thigh[2], shin[2], foot[2], upper[2], fore[2], hand[2];
    double scale; // from the file's lengths to those of a leg of told_leg
    double frame_time;
    int capacity, count;
    sinew_Transform *world; // joint_count
    Frame *frames;
};

const char *measure_alive_name(int curve)
{
    static const char *const names[MEASURE_ALIVE_CURVES] = { "pelvis yaw", "pelvis pitch",
        "pelvis roll", "chest yaw", "chest pitch", "chest roll", "head yaw", "head pitch",
        "head roll", "twist", "swing, left", "swing, right", "arm out, left", "arm out, right",
        "elbow, left", "elbow, right", "forearm in, left", "forearm in, right", "hand in, left",
        "hand in, right", "wrist, left", "wrist, right", "hips sway", "hips surge", "hips rise",
        "head sway", "head surge" };
    return curve >= 0 && curve < MEASURE_ALIVE_CURVES ? names[curve] : "";
}

// ---------------------------------------------------------------------------------------------
// Frames

static double leg_of(const measure_Alive *alive, int side)
{
    const sinew_Transform *at = alive->stance->world_from_joint;
    sinew_Vec3 hip = at[alive->thigh[side]].position, knee = at[alive->shin[side]].position;
    sinew_Vec3 ankle = at[alive->foot[side]].position;
    // the sole is some 8 % of the bones below the ankle
    return 1.08 * (sinew_vec3_distance(hip, knee) + sinew_vec3_distance(knee, ankle));
}

static bool find_joints(measure_Alive *alive, const sinew_RoleGuess *roles)
{
    alive->hips = sinew_roles_find(roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    alive->head = sinew_roles_find(roles, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, -1);
    alive->chest = sinew_roles_find(roles, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, -1);
    // a short spine has no chest of its own
    for (int number = 8; number >= 0 && alive->chest < 0; --number) {
        alive->chest = sinew_roles_find(roles, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, number);
    }
    if (alive->head < 0) {
        alive->head = sinew_roles_find(roles, SINEW_ROLE_NECK, SINEW_SIDE_NONE, -1);
    }
    bool whole = alive->hips >= 0 && alive->chest >= 0 && alive->head >= 0;
    for (int i = 0; i < 2; ++i) {
        sinew_Side side = i == LEFT ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        alive->thigh[i] = sinew_roles_find(roles, SINEW_ROLE_THIGH, side, -1);
        alive->shin[i] = sinew_roles_find(roles, SINEW_ROLE_SHIN, side, -1);
        alive->foot[i] = sinew_roles_find(roles, SINEW_ROLE_FOOT, side, -1);
        alive->upper[i] = sinew_roles_find(roles, SINEW_ROLE_UPPERARM, side, -1);
        alive->fore[i] = sinew_roles_find(roles, SINEW_ROLE_FOREARM, side, -1);
        alive->hand[i] = sinew_roles_find(roles, SINEW_ROLE_HAND, side, -1);
        whole = whole && alive->thigh[i] >= 0 && alive->shin[i] >= 0 && alive->foot[i] >= 0
            && alive->upper[i] >= 0 && alive->fore[i] >= 0 && alive->hand[i] >= 0;
    }
    return whole;
}

void measure_alive_destroy(measure_Alive *alive)
{
    if (alive == NULL) { return; }
    free(alive->world);
    free(alive->frames);
    free(alive);
}

measure_Alive *measure_alive_create(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_Stance *stance, int frame_capacity, double frame_time)
{
    measure_Alive *alive = calloc(1, sizeof *alive);
    if (alive == NULL) { return NULL; }
    alive->skeleton = skeleton;
    alive->stance = stance;
    alive->frame_time = frame_time;
    alive->capacity = frame_capacity;
    alive->world = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *alive->world);
    alive->frames = calloc((size_t)frame_capacity, sizeof *alive->frames);
    bool made = alive->world != NULL && alive->frames != NULL && find_joints(alive, roles);
    double leg = made ? 0.5 * (leg_of(alive, LEFT) + leg_of(alive, RIGHT)) : 0.0;
    if (!(leg > 0.0)) {
        measure_alive_destroy(alive);
        return NULL;
    }
    alive->scale = told_leg / leg;
    return alive;
}

static sinew_Quat against_stance(const measure_Alive *alive, int joint)
{
    sinew_Quat stance = alive->stance->world_from_joint[joint].rotation;
    return sinew_quat_mul(alive->world[joint].rotation, sinew_quat_conjugate(stance));
}

static sinew_Vec3 bone(const measure_Alive *alive, int from, int to)
{
    sinew_Vec3 way = sinew_vec3_sub(alive->world[to].position, alive->world[from].position);
    return sinew_vec3_normalize_or(way, sinew_vec3_scale(alive->stance->up, -1.0));
}

/// The angle nearest to another that differs from it by whole turns.
static double near_to(double angle, double other)
{
    return angle + 2.0 * SINEW_PI * floor((other - angle) / (2.0 * SINEW_PI) + 0.5);
}

static double yaw_of(const measure_Alive *alive, sinew_Quat turn)
{
    sinew_Vec3 ahead = sinew_quat_rotate(turn, alive->stance->ahead);
    return atan2(
        sinew_vec3_dot(ahead, alive->stance->left), sinew_vec3_dot(ahead, alive->stance->ahead));
}

bool measure_alive_frame(measure_Alive *alive, const double *q)
{
    if (alive->count == alive->capacity) { return false; }
    Frame *frame = &alive->frames[alive->count];
    sinew_pose_forward(alive->skeleton, q, alive->world);
    const sinew_Transform *world = alive->world;
    frame->hips = sinew_vec3_lerp(
        world[alive->thigh[LEFT]].position, world[alive->thigh[RIGHT]].position, 0.5);
    frame->head = world[alive->head].position;
    frame->pelvis = against_stance(alive, alive->hips);
    frame->chest = against_stance(alive, alive->chest);
    frame->skull = against_stance(alive, alive->head);
    frame->knee = 0.0;
    for (int i = 0; i < 2; ++i) {
        frame->ankle[i] = world[alive->foot[i]].position;
        frame->hand[i] = against_stance(alive, alive->hand[i]);
        frame->upper[i] = bone(alive, alive->upper[i], alive->fore[i]);
        frame->fore[i] = bone(alive, alive->fore[i], alive->hand[i]);
        sinew_Vec3 thigh = bone(alive, alive->thigh[i], alive->shin[i]);
        sinew_Vec3 shin = bone(alive, alive->shin[i], alive->foot[i]);
        frame->knee += 0.5 * DEGREES * acos(fmin(1.0, sinew_vec3_dot(thigh, shin)));
    }
    double yaw = yaw_of(alive, frame->pelvis);
    frame->yaw = alive->count > 0 ? near_to(yaw, frame[-1].yaw) : yaw;
    ++alive->count;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Signals

/// Frames of a stretch of time.
typedef struct Span {
    int first, count;
} Span;

static Span span_of(const measure_Alive *alive, double from, double to)
{
    int first = (int)floor(fmax(0.0, from) / alive->frame_time + 0.5);
    int end = to / alive->frame_time < alive->count ? (int)floor(to / alive->frame_time + 0.5)
                                                    : alive->count;
    Span span = { first, end > first ? end - first : 0 };
    return span;
}

/// Mean of what lies within half a window of each value, as far as there is something on both sides.
static void smooth(const double *values, int count, int half, double *out_means)
{
    for (int i = 0; i < count; ++i) {
        int reach = half;
        if (reach > i) { reach = i; }
        if (reach > count - 1 - i) { reach = count - 1 - i; }
        double sum = 0.0;
        for (int k = i - reach; k <= i + reach; ++k) { sum += values[k]; }
        out_means[i] = sum / (2 * reach + 1);
    }
}

/// How a direction lies on the way: ahead, left, up.
typedef struct Way {
    sinew_Vec3 ahead, left, up;
} Way;

static Way way_at(const measure_Alive *alive, double heading)
{
    const sinew_Stance *s = alive->stance;
    double c = cos(heading), n = sin(heading);
    Way way = { sinew_vec3_add_scaled(sinew_vec3_scale(s->ahead, c), s->left, n),
        sinew_vec3_add_scaled(sinew_vec3_scale(s->left, c), s->ahead, -n), s->up };
    return way;
}

/// Yaw, pitch and roll of a turn against the way, degrees.
static void split(const measure_Alive *alive, sinew_Quat turn, const Way *way, double out_angles[3])
{
    sinew_Vec3 ahead = sinew_quat_rotate(turn, alive->stance->ahead);
    sinew_Vec3 left = sinew_quat_rotate(turn, alive->stance->left);
    double pitch = -asin(fmax(-1.0, fmin(1.0, sinew_vec3_dot(ahead, way->up))));
    out_angles[0] = DEGREES
        * atan2(sinew_vec3_dot(ahead, way->left), sinew_vec3_dot(ahead, way->ahead));
    out_angles[1] = DEGREES * pitch;
    double side = sinew_vec3_dot(left, way->up) / fmax(1e-3, cos(pitch));
    out_angles[2] = DEGREES * asin(fmax(-1.0, fmin(1.0, side)));
}

static sinew_Quat shortest(sinew_Vec3 from, sinew_Vec3 to)
{
    sinew_Vec3 axis = sinew_vec3_cross(from, to);
    double sine = sinew_vec3_length(axis), cosine = sinew_vec3_dot(from, to);
    if (sine < 1e-9) { return sinew_quat_identity(); }
    return sinew_quat_from_axis_angle(sinew_vec3_scale(axis, 1.0 / sine), atan2(sine, cosine));
}

static void look_at_arm(
    const measure_Alive *alive, const Frame *frame, const Way *way, int side, double *values)
{
    double out = side == LEFT ? 1.0 : -1.0;
    sinew_Vec3 upper = frame->upper[side], fore = frame->fore[side];
    sinew_Vec3 down = sinew_vec3_scale(way->up, -1.0);
    values[MEASURE_SWING + side] = DEGREES
        * atan2(sinew_vec3_dot(upper, way->ahead), sinew_vec3_dot(upper, down));
    values[MEASURE_OUT + side] = DEGREES * asin(out * sinew_vec3_dot(upper, way->left));
    values[MEASURE_ELBOW + side] = DEGREES
        * acos(fmax(-1.0, fmin(1.0, sinew_vec3_dot(upper, fore))));
    values[MEASURE_FOREARM_IN + side] = -DEGREES * asin(out * sinew_vec3_dot(fore, way->left));
    // the hand as if its forearm hung: turned about the vertical, then bent
    sinew_Vec3 stance_down = sinew_vec3_scale(alive->stance->up, -1.0);
    sinew_Quat level = sinew_quat_mul(shortest(fore, down), frame->hand[side]);
    sinew_Vec3 ahead = sinew_quat_rotate(level, alive->stance->ahead);
    // the thumb side turns in
    values[MEASURE_HAND_IN + side] = -out * DEGREES
        * atan2(sinew_vec3_dot(ahead, way->left), sinew_vec3_dot(ahead, way->ahead));
    sinew_Vec3 fingers = sinew_quat_rotate(level, stance_down);
    sinew_Vec3 back = sinew_quat_rotate(level, sinew_vec3_scale(alive->stance->left, out));
    sinew_Vec3 flat = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(back, way->up, -sinew_vec3_dot(back, way->up)), way->left);
    values[MEASURE_WRIST + side] = DEGREES
        * asin(fmax(-1.0, fmin(1.0, sinew_vec3_dot(fingers, flat))));
}

/// All curves over a span, values[curve * count + frame]; headings are means over window seconds.
static double *take_signals(const measure_Alive *alive, Span span, double window)
{
    size_t count = (size_t)span.count;
    double *values = calloc(count * (MEASURE_ALIVE_CURVES + 3) + 1, sizeof *values);
    if (values == NULL) { return NULL; }
    double *yaw = values + count * MEASURE_ALIVE_CURVES, *heading = yaw + count,
           *mean = heading + count;
    int half = (int)(0.5 * window / alive->frame_time + 0.5);
    for (int i = 0; i < span.count; ++i) { yaw[i] = alive->frames[span.first + i].yaw; }
    smooth(yaw, span.count, half, heading);
    for (int i = 0; i < span.count; ++i) {
        const Frame *frame = &alive->frames[span.first + i];
        Way way = way_at(alive, heading[i]);
        double pelvis[3], chest[3], head[3], arm[MEASURE_ALIVE_CURVES];
        split(alive, frame->pelvis, &way, pelvis);
        split(alive, frame->chest, &way, chest);
        split(alive, frame->skull, &way, head);
        look_at_arm(alive, frame, &way, LEFT, arm);
        look_at_arm(alive, frame, &way, RIGHT, arm);
        for (int k = 0; k < 3; ++k) {
            values[count * (size_t)(MEASURE_PELVIS_YAW + k) + (size_t)i] = pelvis[k];
            values[count * (size_t)(MEASURE_CHEST_YAW + k) + (size_t)i] = chest[k];
            values[count * (size_t)(MEASURE_HEAD_YAW + k) + (size_t)i] = head[k];
        }
        values[count * MEASURE_TWIST + (size_t)i] = chest[0] - pelvis[0];
        for (int k = MEASURE_SWING; k < MEASURE_HIPS_SWAY; ++k) {
            values[count * (size_t)k + (size_t)i] = arm[k];
        }
    }
    // places against their own mean over the window, along and across the way
    static const struct {
        int curve, axis;
        bool is_head;
    } places[] = { { MEASURE_HIPS_SWAY, 1, false }, { MEASURE_HIPS_SURGE, 0, false },
        { MEASURE_HIPS_RISE, 2, false }, { MEASURE_HEAD_SWAY, 1, true },
        { MEASURE_HEAD_SURGE, 0, true } };
    for (size_t p = 0; p < sizeof places / sizeof *places; ++p) {
        double *out = values + count * (size_t)places[p].curve;
        // a place against its own mean, axis by axis of the world, then turned onto the way
        memset(out, 0, count * sizeof *out);
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < span.count; ++i) {
                const Frame *frame = &alive->frames[span.first + i];
                sinew_Vec3 at = places[p].is_head ? frame->head : frame->hips;
                yaw[i] = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
            }
            smooth(yaw, span.count, half, mean);
            for (int i = 0; i < span.count; ++i) {
                Way way = way_at(alive, heading[i]);
                sinew_Vec3 on = places[p].axis == 0 ? way.ahead
                    : places[p].axis == 1           ? way.left
                                                    : way.up;
                double part = axis == 0 ? on.x : axis == 1 ? on.y : on.z;
                out[i] += 1e3 * alive->scale * part * (yaw[i] - mean[i]);
            }
        }
    }
    return values;
}

// ---------------------------------------------------------------------------------------------
// Cycles

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MOST_CYCLES = 256 };

/// Moments, in frames of the span, at which the left ankle is farthest ahead of the hips.
static int find_events(const measure_Alive *alive, Span span, double out_events[MOST_CYCLES])
{
    double *ahead = calloc(2 * (size_t)span.count + 1, sizeof *ahead);
    if (ahead == NULL) { return 0; }
    double *even = ahead + span.count, low = INFINITY, high = -INFINITY;
    int half = (int)(0.5 * heading_window / alive->frame_time + 0.5), count = 0;
    for (int i = 0; i < span.count; ++i) { ahead[i] = alive->frames[span.first + i].yaw; }
    smooth(ahead, span.count, half, even);
    for (int i = 0; i < span.count; ++i) {
        const Frame *frame = &alive->frames[span.first + i];
        Way way = way_at(alive, even[i]);
        ahead[i] = sinew_vec3_dot(sinew_vec3_sub(frame->ankle[LEFT], frame->hips), way.ahead);
    }
    smooth(ahead, span.count, (int)(0.02 / alive->frame_time + 0.5), even);
    for (int i = 0; i < span.count; ++i) {
        low = fmin(low, even[i]);
        high = fmax(high, even[i]);
    }
    int reach = (int)(0.5 * shortest_cycle / alive->frame_time + 0.5);
    bool walks = (high - low) * alive->scale > 0.1;
    for (int i = 2; walks && i < span.count - 2 && count < MOST_CYCLES; ++i) {
        bool is_top = even[i] > 0.5 * (low + high);
        for (int k = i - reach; k <= i + reach && is_top; ++k) {
            if (k >= 0 && k < span.count && (even[k] > even[i] || (even[k] == even[i] && k < i))) {
                is_top = false;
            }
        }
        if (!is_top) { continue; }
        // the top of the parabola through three frames
        double a = even[i - 1], b = even[i], c = even[i + 1], bend = a - 2.0 * b + c;
        out_events[count++] = i + (bend < 0.0 ? 0.5 * (a - c) / bend : 0.0);
    }
    free(ahead);
    return count;
}

static double value_at(const double *values, int count, double place)
{
    int i = (int)place;
    if (i < 0) { return values[0]; }
    if (i + 1 >= count) { return values[count - 1]; }
    return values[i] + (place - i) * (values[i + 1] - values[i]);
}

/// Standard deviation by mean.
static double variation(const double *values, int count)
{
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < count; ++i) { mean += values[i] / count; }
    for (int i = 0; i < count; ++i) { square += (values[i] - mean) * (values[i] - mean) / count; }
    return count > 1 && mean > 0.0 ? sqrt(square) / mean : 0.0;
}

static double range_of(const double *values, int count, int half, double *room)
{
    smooth(values, count, half, room);
    for (int i = 0; i < count; ++i) { room[i] = values[i] - room[i]; }
    // at the ends the mean is of less than a cycle
    int from = count > 4 * half ? half : 0, left = count - 2 * from;
    qsort(room + from, (size_t)left, sizeof *room, compare);
    return room[from + (int)(0.98 * (left - 1))] - room[from + (int)(0.02 * (left - 1))];
}

static double mean_acceleration(const measure_Alive *alive, Span span, bool of_head)
{
    double sum = 0.0, dt = alive->frame_time;
    for (int i = span.first + 1; i + 1 < span.first + span.count; ++i) {
        const Frame *f = &alive->frames[i];
        sinew_Vec3 a = of_head ? f[-1].head : f[-1].hips, b = of_head ? f->head : f->hips;
        sinew_Vec3 c = of_head ? f[1].head : f[1].hips;
        sinew_Vec3 bend = sinew_vec3_add_scaled(sinew_vec3_add(a, c), b, -2.0);
        double size = alive->scale * sinew_vec3_length(bend) / (dt * dt);
        sum += size * size / fmax(1.0, span.count - 2);
    }
    return sqrt(sum);
}

static double walked_speed(const measure_Alive *alive, Span span, double from, double to)
{
    const Frame *a = &alive->frames[span.first + (int)from],
                *b = &alive->frames[span.first + (int)to];
    sinew_Vec3 way = sinew_vec3_sub(b->hips, a->hips);
    way = sinew_vec3_add_scaled(way, alive->stance->up, -sinew_vec3_dot(way, alive->stance->up));
    return alive->scale * sinew_vec3_length(way) / ((to - from) * alive->frame_time);
}

measure_AliveCycle measure_alive_cycle(const measure_Alive *alive, double from, double to)
{
    measure_AliveCycle cycle;
    memset(&cycle, 0, sizeof cycle);
    Span span = span_of(alive, from, to);
    double events[MOST_CYCLES], lengths[MOST_CYCLES], swings[MOST_CYCLES];
    int found = span.count > 8 ? find_events(alive, span, events) : 0, count = 0;
    for (int i = 0; i + 1 < found; ++i) {
        double time = (events[i + 1] - events[i]) * alive->frame_time;
        if (time < shortest_cycle || time > longest_cycle) { continue; }
        lengths[count++] = time;
        cycle.period += time;
    }
    if (count == 0) { return cycle; }
    cycle.period /= count;
    double *values = take_signals(alive, span, cycle.period);
    double *room = calloc((size_t)span.count + 1, sizeof *room);
    if (values == NULL || room == NULL) {
        free(values);
        free(room);
        return cycle;
    }
    cycle.cycle_count = count;
    cycle.period_variation = variation(lengths, count);
    cycle.speed = walked_speed(alive, span, events[0], events[found - 1]);
    cycle.hips_acceleration = mean_acceleration(alive, span, false);
    cycle.head_acceleration = mean_acceleration(alive, span, true);
    int half = (int)(0.5 * cycle.period / alive->frame_time + 0.5), kept = 0;
    for (int i = 0; i + 1 < found; ++i) {
        double time = (events[i + 1] - events[i]) * alive->frame_time, low[2], high[2];
        if (time < shortest_cycle || time > longest_cycle) { continue; }
        low[LEFT] = low[RIGHT] = INFINITY;
        high[LEFT] = high[RIGHT] = -INFINITY;
        for (int k = 0; k < MEASURE_ALIVE_CURVES; ++k) {
            const double *curve = values + (size_t)k * (size_t)span.count;
            for (int p = 0; p < MEASURE_ALIVE_POINTS; ++p) {
                double place = events[i] + (events[i + 1] - events[i]) * p / MEASURE_ALIVE_POINTS;
                double value = value_at(curve, span.count, place);
                cycle.curves[k][p] += value / count;
                cycle.mean[k] += value / count / MEASURE_ALIVE_POINTS;
                if (k != MEASURE_SWING && k != MEASURE_SWING + 1) { continue; }
                low[k - MEASURE_SWING] = fmin(low[k - MEASURE_SWING], value);
                high[k - MEASURE_SWING] = fmax(high[k - MEASURE_SWING], value);
            }
        }
        swings[kept++] = high[LEFT] - low[LEFT] + high[RIGHT] - low[RIGHT];
    }
    cycle.swing_variation = variation(swings, kept);
    for (int k = 0; k < MEASURE_ALIVE_CURVES; ++k) {
        const double *curve = values + (size_t)k * (size_t)span.count;
        cycle.range[k] = range_of(curve, span.count, half, room);
    }
    free(values);
    free(room);
    return cycle;
}

static double correlate(const double *a, const double *b, int shift)
{
    enum { N = MEASURE_ALIVE_POINTS };
    double ma = 0.0, mb = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
    for (int i = 0; i < N; ++i) {
        ma += a[i] / N;
        mb += b[i] / N;
    }
    for (int i = 0; i < N; ++i) {
        double x = a[i] - ma, y = b[(i + shift + N) % N] - mb;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    // a curve that moves by less than a tenth lies still
    if (aa < N * 0.0025 || bb < N * 0.0025) { return 0.0; }
    return ab / sqrt(aa * bb);
}

/// What both sides' steps have in common; of what goes aside, with the other sign.
static void take_both_sides(const measure_AliveCycle *cycle, int curve, double *out_curve)
{
    enum { N = MEASURE_ALIVE_POINTS };
    static const bool goes_aside[MEASURE_ALIVE_CURVES] = { [MEASURE_PELVIS_YAW] = true,
        [MEASURE_PELVIS_ROLL] = true,
        [MEASURE_CHEST_YAW] = true,
        [MEASURE_CHEST_ROLL] = true,
        [MEASURE_HEAD_YAW] = true,
        [MEASURE_HEAD_ROLL] = true,
        [MEASURE_TWIST] = true,
        [MEASURE_HIPS_SWAY] = true,
        [MEASURE_HEAD_SWAY] = true };
    const double *values = cycle->curves[curve], sign = goes_aside[curve] ? -1.0 : 1.0;
    for (int i = 0; i < N; ++i) {
        out_curve[i] = 0.5 * (values[i] + sign * values[(i + N / 2) % N]);
    }
}

double measure_alive_match(const measure_AliveCycle *a, const measure_AliveCycle *b, int curve)
{
    const bool is_arm = curve >= MEASURE_SWING && curve < MEASURE_HIPS_SWAY;
    const double *first = a->curves[curve], *second = b->curves[curve];
    double trunk[2][MEASURE_ALIVE_POINTS], best = -1.0;
    if (!is_arm) {
        take_both_sides(a, curve, trunk[0]);
        take_both_sides(b, curve, trunk[1]);
        first = trunk[0];
        second = trunk[1];
    }
    for (int shift = -1; shift <= 1; ++shift) {
        best = fmax(best, correlate(first, second, shift));
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Turns, starts, stops, standing

/// When something that goes from one yaw to another is half way, seconds.
static double half_way(const measure_Alive *alive, const double *yaw, int count, double end_time)
{
    int ends = (int)(end_time / alive->frame_time), middle = -1;
    double a = 0.0, b = 0.0;
    for (int i = 0; i < ends; ++i) {
        a += yaw[i] / ends;
        b += yaw[count - 1 - i] / ends;
    }
    double half = 0.5 * (a + b), sign = b > a ? 1.0 : -1.0;
    for (int i = 0; i < count && middle < 0; ++i) {
        if (sign * (yaw[i] - half) >= 0.0) { middle = i; }
    }
    if (middle <= 0) { return 0.0; }
    double share = (half - yaw[middle - 1]) / (yaw[middle] - yaw[middle - 1]);
    return (middle - 1 + share) * alive->frame_time;
}

measure_AliveTurn measure_alive_turn(
    const measure_Alive *alive, double from, double to, double ends)
{
    measure_AliveTurn turn;
    memset(&turn, 0, sizeof turn);
    Span span = span_of(alive, from, to);
    size_t count = (size_t)span.count;
    double *yaw = calloc(3 * count + 1, sizeof *yaw), *chest = yaw + count, *head = chest + count;
    if (yaw == NULL || span.count < (int)(2.0 * ends / alive->frame_time)) {
        free(yaw);
        return turn;
    }
    for (int i = 0; i < span.count; ++i) {
        const Frame *frame = &alive->frames[span.first + i];
        yaw[i] = frame->yaw;
        chest[i] = near_to(yaw_of(alive, frame->chest), frame->yaw);
        head[i] = near_to(yaw_of(alive, frame->skull), frame->yaw);
        turn.head_most = fmax(turn.head_most, DEGREES * fabs(head[i] - yaw[i]));
    }
    turn.angle = DEGREES * (yaw[span.count - 1] - yaw[0]);
    double pelvis = half_way(alive, yaw, span.count, ends);
    turn.chest_lead = pelvis - half_way(alive, chest, span.count, ends);
    turn.head_lead = pelvis - half_way(alive, head, span.count, ends);
    free(yaw);
    return turn;
}

static sinew_Vec3 level(const measure_Alive *alive, sinew_Vec3 v)
{
    return sinew_vec3_add_scaled(v, alive->stance->up, -sinew_vec3_dot(v, alive->stance->up));
}

static double speed_at(const measure_Alive *alive, int frame)
{
    if (frame < 1 || frame >= alive->count) { return 0.0; }
    sinew_Vec3 way = sinew_vec3_sub(alive->frames[frame].hips, alive->frames[frame - 1].hips);
    return alive->scale * sinew_vec3_length(level(alive, way)) / alive->frame_time;
}

/// The foot that moves, -1: none.
static int moving_foot(const measure_Alive *alive, int frame)
{
    for (int i = 0; i < 2 && frame > 0; ++i) {
        double way = sinew_vec3_distance(
            alive->frames[frame].ankle[i], alive->frames[frame - 1].ankle[i]);
        if (alive->scale * way > foot_speed * alive->frame_time) { return i; }
    }
    return -1;
}

measure_AliveStart measure_alive_start(const measure_Alive *alive, double from)
{
    measure_AliveStart start;
    memset(&start, 0, sizeof start);
    int first = (int)floor(from / alive->frame_time + 0.5), lift = first, left_at = first;
    // the ankle of a rising heel moves before the foot leaves: both moved by half of a foot's height
    int foot = -1;
    for (; lift < alive->count && foot < 0; ++lift) {
        for (int i = 0; i < 2 && foot < 0; ++i) {
            sinew_Vec3 way = sinew_vec3_sub(
                alive->frames[lift].ankle[i], alive->frames[first].ankle[i]);
            if (alive->scale * sinew_vec3_length(level(alive, way)) > 0.05) { foot = i; }
        }
    }
    if (foot < 0) { return start; }
    const Frame *still = &alive->frames[first];
    Way way = way_at(alive, still->yaw);
    sinew_Vec3 aside = sinew_vec3_sub(still->ankle[1 - foot], still->hips);
    double whole = sinew_vec3_dot(aside, way.left), sign = whole > 0.0 ? 1.0 : -1.0;
    double at_lift = 0.0;
    for (int i = first; i < lift; ++i) {
        sinew_Vec3 gone = sinew_vec3_sub(alive->frames[i].hips, still->hips);
        at_lift = sign * sinew_vec3_dot(gone, way.left);
        if (alive->scale * at_lift < begun) { left_at = i; }
    }
    start.lift_off = (lift - 1 - first) * alive->frame_time;
    start.begin = (lift - 1 - left_at) * alive->frame_time;
    start.share = at_lift / fmax(1e-6, fabs(whole));
    // speed after two seconds, over a second
    int later = first + (int)(2.0 / alive->frame_time),
        whole_second = (int)(1.0 / alive->frame_time);
    double full = 0.0;
    for (int i = later; i < later + whole_second; ++i) {
        full += speed_at(alive, i) / whole_second;
    }
    for (int i = first; i < alive->count; ++i) {
        if (speed_at(alive, i) < 0.9 * full) { continue; }
        start.full_pace = (i - first) * alive->frame_time;
        break;
    }
    return start;
}

measure_AliveStop measure_alive_stop(const measure_Alive *alive, double from)
{
    measure_AliveStop stop;
    memset(&stop, 0, sizeof stop);
    int first = (int)floor(from / alive->frame_time + 0.5), last = first, calm = first;
    for (int i = first + 1; i < alive->count; ++i) {
        if (moving_foot(alive, i) >= 0) { last = i; }
        if (speed_at(alive, i) > settled_speed) { calm = i; }
    }
    if (last >= alive->count) { return stop; }
    stop.last_foot = (last - first) * alive->frame_time;
    stop.settled = calm > last ? (calm - last) * alive->frame_time : 0.0;
    Way way = way_at(alive, alive->frames[last].yaw);
    double end = 0.0;
    for (int i = last; i < alive->count; ++i) {
        sinew_Vec3 gone = sinew_vec3_sub(alive->frames[i].hips, alive->frames[last].hips);
        end = 1e3 * alive->scale * sinew_vec3_dot(gone, way.ahead);
        stop.on = fmax(stop.on, end);
    }
    stop.back = stop.on - end;
    return stop;
}

measure_AliveStand measure_alive_stand(const measure_Alive *alive, double from, double to)
{
    measure_AliveStand stand;
    memset(&stand, 0, sizeof stand);
    Span span = span_of(alive, from, to);
    if (span.count < 2) { return stand; }
    const Frame *first = &alive->frames[span.first];
    Way way = way_at(alive, first->yaw);
    double scale = 1e3 * alive->scale, mean[2] = { 0.0, 0.0 }, square[2] = { 0.0, 0.0 };
    for (int i = 0; i < span.count; ++i) {
        const Frame *frame = &first[i];
        sinew_Vec3 gone = sinew_vec3_sub(frame->hips, first->hips);
        double along[2] = { scale * sinew_vec3_dot(gone, way.left),
            scale * sinew_vec3_dot(gone, way.ahead) };
        for (int k = 0; k < 2; ++k) {
            mean[k] += along[k] / span.count;
            square[k] += along[k] * along[k] / span.count;
            double moved = sinew_vec3_distance(frame->ankle[k], first->ankle[k]);
            stand.feet = fmax(stand.feet, scale * moved);
        }
        stand.knee += frame->knee / span.count;
        if (i == 0) { continue; }
        double step = sinew_vec3_distance(frame->head, frame[-1].head);
        stand.head_speed += scale * step / alive->frame_time / (span.count - 1);
    }
    stand.sway_aside = sqrt(fmax(0.0, square[0] - mean[0] * mean[0]));
    stand.sway_ahead = sqrt(fmax(0.0, square[1] - mean[1] * mean[1]));
    return stand;
}
