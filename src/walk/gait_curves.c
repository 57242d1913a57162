// Reads a motion: where heels strike, what each joint does between, and the mean of all strides.

#include "walk/gait_curves.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "math/frames.h"
#include "math/holds.h"
#include "math/select.h"

#include <string.h>

enum { LEFT, RIGHT };

static const double degrees = 180.0 / SINEW_PI;
static const double gravity = 9.81;
/// Ankle above the sole and heel behind the ankle, as shares of the leg (Winter 2009, rounded);
/// motion files have no heel.
static const double ankle_rise = 0.074, heel_reach = 0.061;
/// The heel has landed when it is slower than this share of the body's speed.
static const double landing_speed = 0.22;
/// How far to both sides the way of the pelvis is looked at, seconds.
static const double way_window = 0.5;
/// A foot stands while its ankle or toe, over this time to both sides, is slower than this share of the body's
/// speed, or than this speed, m/s, which that of recordings that shake stays below.
static const double standing_window = 0.02, standing_share = 0.5, standing_speed = 0.15;
/// Who walks in place goes over ground that slides back by more than this, m/s, while the pelvis makes less than this share of it.
static const double slowest_belt = 0.15, in_place_share = 0.25;
/// Strides outside these are none, seconds.
static const double shortest_stride = 0.4, longest_stride = 2.5;

/// The joint of the foot's subtree that is farthest from the ankle in the rest pose.
static int find_tip(const sinew_Skeleton *skeleton, int foot)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int best = -1;
    double farthest = 0.0;
    for (int j = foot + 1; j < foot + joints[foot].subtree_count; ++j) {
        double length = sinew_skeleton_chain_length(skeleton, foot, j);
        if (length > farthest) {
            farthest = length;
            best = j;
        }
    }
    return best;
}

/// How far the foot's joints reach below the ankle in the rest pose.
static double find_drop(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, int foot)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    double lowest = 0.0;
    for (int j = foot + 1; j < foot + joints[foot].subtree_count; ++j) {
        // rest rotations are none in most motion files; those of rigs, and of files turned Z-up, are followed
        sinew_Vec3 place = joints[j].offset;
        for (int k = joints[j].parent; k >= 0; k = joints[k].parent) {
            place = sinew_quat_rotate(joints[k].rest_rotation, place);
            if (k > foot) { place = sinew_vec3_add(place, joints[k].offset); }
        }
        double down = -sinew_vec3_dot(place, roles->up);
        if (down > lowest) { lowest = down; }
    }
    return lowest;
}

bool snw_gait_body(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, sinew_Vec3 up,
    snw_GaitBody *out_body)
{
    static const sinew_Side sides[2] = { SINEW_SIDE_LEFT, SINEW_SIDE_RIGHT };
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    snw_GaitBody body = { .upright = sinew_quat_between(up, sinew_vec3(0.0, 1.0, 0.0)) };
    for (int side = 0; side < 2; ++side) {
        body.thigh[side] = sinew_roles_find(roles, SINEW_ROLE_THIGH, sides[side], -1);
        body.shin[side] = sinew_roles_find(roles, SINEW_ROLE_SHIN, sides[side], -1);
        body.foot[side] = sinew_roles_find(roles, SINEW_ROLE_FOOT, sides[side], -1);
        if (body.thigh[side] < 0 || body.shin[side] < 0 || body.foot[side] < 0) { return false; }
        body.toe[side] = sinew_roles_find(roles, SINEW_ROLE_TOE, sides[side], -1);
        if (body.toe[side] < 0) { body.toe[side] = find_tip(skeleton, body.foot[side]); }
        if (body.toe[side] < 0) { return false; }
        double length = sinew_vec3_length(joints[body.shin[side]].offset)
            + sinew_vec3_length(joints[body.foot[side]].offset);
        body.leg_length += 0.5 * (length + find_drop(skeleton, roles, body.foot[side]));
    }
    if (!(body.leg_length > 1e-6)) { return false; }
    *out_body = body;
    return true;
}

// ---------------------------------------------------------------------------------------------
// What is read from each frame

/// Places of one frame.
typedef struct Frame {
    sinew_Vec3 hip[2], knee[2], ankle[2], toe[2];
} Frame;

/// A motion's frames and what was made of them.
typedef struct Reading {
    sinew_Allocator memory;
    const snw_GaitBody *body;
    int frame_count;
    double frame_time;
    Frame *frames;                             // frame_count
    double (*curves[2])[SNW_GAIT_CURVE_COUNT]; // frame_count each
    double *ahead[2];                          // ankle before the pelvis, frame_count each
    double *scratch;                           // frame_count
    double *strikes[2];                        // frames with a fraction
    int strike_counts[2];
    sinew_Transform *transforms; // joint_count
    int joint_count, strike_capacity;
} Reading;

static sinew_Vec3 pelvis_of(const Frame *frame)
{
    return sinew_vec3_lerp(frame->hip[LEFT], frame->hip[RIGHT], 0.5);
}

static void destroy_reading(Reading *reading)
{
    size_t frames = (size_t)reading->frame_count;
    for (int side = 0; side < 2; ++side) {
        snw_free(&reading->memory, reading->curves[side], frames * sizeof *reading->curves[side]);
        snw_free(&reading->memory, reading->ahead[side], frames * sizeof(double));
        snw_free(&reading->memory, reading->strikes[side],
            (size_t)reading->strike_capacity * sizeof(double));
    }
    snw_free(&reading->memory, reading->frames, frames * sizeof *reading->frames);
    snw_free(&reading->memory, reading->scratch, frames * sizeof(double));
    snw_free(&reading->memory, reading->transforms,
        (size_t)reading->joint_count * sizeof *reading->transforms);
}

static bool create_reading(Reading *reading)
{
    const sinew_Allocator *memory = &reading->memory;
    size_t frames = (size_t)reading->frame_count;
    bool enough = true;
    for (int side = 0; side < 2; ++side) {
        reading->curves[side] = snw_alloc_array(memory, frames, sizeof *reading->curves[side]);
        reading->ahead[side] = snw_alloc_array(memory, frames, sizeof(double));
        reading->strikes[side] = snw_alloc_array(
            memory, (size_t)reading->strike_capacity, sizeof(double));
        enough = enough && reading->curves[side] != NULL && reading->ahead[side] != NULL
            && reading->strikes[side] != NULL;
    }
    reading->frames = snw_alloc_array(memory, frames, sizeof *reading->frames);
    reading->scratch = snw_alloc_array(memory, frames, sizeof(double));
    reading->transforms = snw_alloc_array(
        memory, (size_t)reading->joint_count, sizeof *reading->transforms);
    return enough && reading->frames != NULL && reading->scratch != NULL
        && reading->transforms != NULL;
}

static void place_frames(Reading *reading, const sinew_Clip *clip, int first)
{
    const snw_GaitBody *body = reading->body;
    const int *joints[4] = { body->thigh, body->shin, body->foot, body->toe };
    for (int f = 0; f < reading->frame_count; ++f) {
        Frame *frame = &reading->frames[f];
        sinew_Vec3 *places[4] = { frame->hip, frame->knee, frame->ankle, frame->toe };
        sinew_pose_forward(sinew_clip_skeleton(clip), sinew_clip_frame_const(clip, first + f),
            reading->transforms);
        for (int i = 0; i < 4; ++i) {
            for (int side = 0; side < 2; ++side) {
                places[i][side] = sinew_quat_rotate(
                    body->upright, reading->transforms[joints[i][side]].position);
            }
        }
    }
}

/// Where the pelvis faces, level.
static sinew_Vec3 facing_of(const Frame *frame)
{
    sinew_Vec3 left = sinew_vec3_sub(frame->hip[LEFT], frame->hip[RIGHT]);
    return sinew_vec3_cross(left, sinew_vec3(0.0, 1.0, 0.0));
}

/// Where the pelvis goes at a frame, level and unit; where it stays in place, where it faces.
static sinew_Vec3 find_way(const Reading *reading, int frame)
{
    int reach = snw_frames_in(way_window, reading->frame_time, reading->frame_count);
    int before = frame > reach ? frame - reach : 0;
    int after = frame + reach < reading->frame_count ? frame + reach : reading->frame_count - 1;
    sinew_Vec3 way = sinew_vec3_sub(
        pelvis_of(&reading->frames[after]), pelvis_of(&reading->frames[before]));
    way.y = 0.0;
    const sinew_Vec3 facing = facing_of(&reading->frames[frame]);
    double seconds = (after - before) * reading->frame_time;
    if (sinew_vec3_length(way) < 0.1 * seconds) { way = facing; }
    way.y = 0.0;
    return sinew_vec3_normalize_or(way, sinew_vec3(0.0, 0.0, 1.0));
}

/// Angle of a vector above the way, degrees.
static double pitch_of(sinew_Vec3 v, sinew_Vec3 way)
{
    return degrees * sinew_atan2(v.y, sinew_vec3_dot(v, way));
}

static void read_frame(Reading *reading, int index, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const Frame *frame = &reading->frames[index];
    double *curves = reading->curves[side][index];
    sinew_Vec3 way = find_way(reading, index);
    sinew_Vec3 left_way = sinew_vec3_cross(sinew_vec3(0.0, 1.0, 0.0), way);
    sinew_Vec3 thigh = sinew_vec3_sub(frame->knee[side], frame->hip[side]);
    sinew_Vec3 shin = sinew_vec3_sub(frame->ankle[side], frame->knee[side]);
    sinew_Vec3 foot = sinew_vec3_sub(frame->toe[side], frame->ankle[side]);
    sinew_Vec3 across = sinew_vec3_sub(frame->hip[side], frame->hip[1 - side]);
    sinew_Vec3 pelvis = pelvis_of(frame);

    curves[SNW_GAIT_HIP] = degrees * sinew_atan2(sinew_vec3_dot(thigh, way), -thigh.y);
    double cosine = sinew_vec3_dot(sinew_vec3_normalize_or(thigh, way), //
        sinew_vec3_normalize_or(shin, way));
    curves[SNW_GAIT_KNEE] = degrees * sinew_acos(cosine);
    double shin_forward = degrees * sinew_atan2(-sinew_vec3_dot(shin, way), -shin.y);
    curves[SNW_GAIT_FOOT_PITCH] = pitch_of(foot, way);
    curves[SNW_GAIT_ANKLE] = shin_forward + curves[SNW_GAIT_FOOT_PITCH];
    double side_sign = side == LEFT ? 1.0 : -1.0;
    curves[SNW_GAIT_PELVIS_YAW] = degrees
        * sinew_atan2(-sinew_vec3_dot(across, way), side_sign * sinew_vec3_dot(across, left_way));
    curves[SNW_GAIT_PELVIS_LIST] = degrees
        * sinew_asin(sinew_vec3_normalize_or(across, left_way).y);
    curves[SNW_GAIT_PELVIS_HEIGHT] = pelvis.y / reading->body->leg_length;
    curves[SNW_GAIT_ANKLE_HEIGHT] = frame->ankle[side].y / reading->body->leg_length;
    reading->ahead[side][index] = sinew_vec3_dot(sinew_vec3_sub(frame->ankle[side], pelvis), way);
}

// ---------------------------------------------------------------------------------------------
// Strides

/// Frames in which the ankle is farthest ahead within a third of a second to both sides, and truly
/// ahead; with a fraction from the parabola through three frames.
static void find_strikes(Reading *reading, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const double *ahead = reading->ahead[side];
    int reach = snw_frames_in(0.33, reading->frame_time, reading->frame_count);
    // the parabola stays between the neighbours of what is the highest of the three
    if (reach < 1) { reach = 1; }
    for (int f = 1; f + 1 < reading->frame_count; ++f) {
        bool highest = ahead[f] > 0.05 * reading->body->leg_length;
        for (int k = f - reach; highest && k <= f + reach; ++k) {
            if (k < 0 || k >= reading->frame_count || k == f) { continue; }
            if (ahead[k] > ahead[f] || (ahead[k] == ahead[f] && k < f)) { highest = false; }
        }
        if (!highest || reading->strike_counts[side] >= reading->strike_capacity) { continue; }
        double curvature = ahead[f - 1] - 2.0 * ahead[f] + ahead[f + 1];
        double shift = curvature < 0.0 ? 0.5 * (ahead[f - 1] - ahead[f + 1]) / curvature : 0.0;
        reading->strikes[side][reading->strike_counts[side]++] = f + shift;
    }
}

/// Pitch of the foot while it stands, degrees: median over the frames in which the ankle is slow.
static double find_flat_pitch(Reading *reading, int side, double speed)
{
    SNW_ASSERT(side >= 0 && side < 2);
    size_t count = 0;
    double *pitches = reading->scratch;
    for (int f = 1; f < reading->frame_count; ++f) {
        sinew_Vec3 step = sinew_vec3_sub(
            reading->frames[f].ankle[side], reading->frames[f - 1].ankle[side]);
        if (sinew_vec3_length(step) > 0.2 * speed * reading->frame_time) { continue; }
        pitches[count++] = reading->curves[side][f][SNW_GAIT_FOOT_PITCH];
    }
    return count > 0 ? snw_select(pitches, count, count / 2) : 0.0;
}

/// How far the heel is along a way. The heel is a point drawn behind the ankle and below it.
static double heel_place(const Reading *reading, int side, int frame, double flat, sinew_Vec3 way)
{
    double sine, cosine;
    double pitch = reading->curves[side][frame][SNW_GAIT_FOOT_PITCH] - flat;
    sinew_sincos(pitch / degrees, &sine, &cosine);
    return sinew_vec3_dot(reading->frames[frame].ankle[side], way)
        + reading->body->leg_length * (ankle_rise * sine - heel_reach * cosine);
}

/// How fast the heel goes along the way around a frame, m/s; over a twentieth of a second, because
/// recordings shake.
static double heel_speed(const Reading *reading, int side, int frame, double flat)
{
    SNW_ASSERT(side >= 0 && side < 2);
    int reach = snw_frames_in(0.025, reading->frame_time, reading->frame_count);
    if (reach < 1) { reach = 1; }
    int before = frame > reach ? frame - reach : 0;
    int after = frame + reach < reading->frame_count ? frame + reach : reading->frame_count - 1;
    sinew_Vec3 way = find_way(reading, frame);
    double path = heel_place(reading, side, after, flat, way)
        - heel_place(reading, side, before, flat, way);
    return path / ((after - before) * reading->frame_time);
}

/// Move a strike from the reversal of the ankle to where the heel stops.
static double find_landing(
    const Reading *reading, int side, double reversal, double flat, double body_speed)
{
    SNW_ASSERT(side >= 0 && side < 2);
    double limit = landing_speed * body_speed;
    int start = (int)(reversal + 0.5), last = reading->frame_count - 2;
    int span = snw_frames_in(0.3, reading->frame_time, reading->frame_count);
    if (start > last) { return reversal; }
    double before = heel_speed(reading, side, start, flat) - limit;
    for (int f = start + 1; before > 0.0 && f <= last && f <= start + span; ++f) {
        double after = heel_speed(reading, side, f, flat) - limit;
        if (after <= 0.0) {
            double landing = f - 1 + before / (before - after);
            return landing > reversal ? landing : reversal;
        }
        before = after;
    }
    return reversal;
}

/// Median frames between strikes of one leg, or twice that between legs; 0 when it cannot be told.
static double find_period(const Reading *reading)
{
    double gaps[256];
    size_t count = 0;
    double lowest = shortest_stride / reading->frame_time;
    double highest = longest_stride / reading->frame_time;
    for (int side = 0; side < 2; ++side) {
        for (int i = 1; i < reading->strike_counts[side] && count < 256; ++i) {
            double gap = reading->strikes[side][i] - reading->strikes[side][i - 1];
            if (gap >= lowest && gap <= highest) { gaps[count++] = gap; }
        }
    }
    if (count == 0 && reading->strike_counts[LEFT] > 0 && reading->strike_counts[RIGHT] > 0) {
        double gap = 2.0 * fabs(reading->strikes[LEFT][0] - reading->strikes[RIGHT][0]);
        if (gap >= lowest && gap <= highest) { gaps[count++] = gap; }
    }
    return count > 0 ? snw_select(gaps, count, count / 2) : 0.0;
}

/// One curve at a place between frames; false outside the motion.
static bool sample_curves(const Reading *reading, int side, double place, double *out_values)
{
    SNW_ASSERT(side >= 0 && side < 2);
    if (place < 0.0 || place > reading->frame_count - 1) { return false; }
    int f = (int)place;
    if (f > reading->frame_count - 2) { f = reading->frame_count - 2; }
    double t = place - f;
    for (int c = 0; c < SNW_GAIT_CURVE_COUNT; ++c) {
        double a = reading->curves[side][f][c], b = reading->curves[side][f + 1][c];
        out_values[c] = a + (b - a) * t;
    }
    return true;
}

/// Sums over strides, and how many parts each point has.
typedef struct Sum {
    double curves[SNW_GAIT_CURVE_COUNT][SNW_GAIT_POINTS];
    double counts[SNW_GAIT_POINTS];
} Sum;

static void add_stride(Sum *sum, const Reading *reading, int side, double start, double length)
{
    SNW_ASSERT(side >= 0 && side < 2);
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
        double values[SNW_GAIT_CURVE_COUNT];
        double place = start + length * p / SNW_GAIT_POINTS;
        if (!sample_curves(reading, side, place, values)) { continue; }
        for (int c = 0; c < SNW_GAIT_CURVE_COUNT; ++c) { sum->curves[c][p] += values[c]; }
        sum->counts[p] += 1.0;
    }
}

/// Whole strides of about the period, and how many these are; *out_all: strides of any length.
static int add_whole_strides(Sum *sum, const Reading *reading, double period, int *out_all)
{
    int count = 0;
    *out_all = 0;
    for (int side = 0; side < 2; ++side) {
        for (int i = 1; i < reading->strike_counts[side]; ++i) {
            ++*out_all;
            double start = reading->strikes[side][i - 1];
            double length = reading->strikes[side][i] - start;
            if (fabs(length - period) > 0.25 * period) { continue; }
            add_stride(sum, reading, side, start, length);
            ++count;
        }
    }
    return count;
}

/// What there is before and after the only strikes, by the period; for motions of about one stride.
static int add_parts(Sum *sum, const Reading *reading, double period)
{
    int count = 0;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < reading->strike_counts[side]; ++i) {
            add_stride(sum, reading, side, reading->strikes[side][i], period);
            add_stride(sum, reading, side, reading->strikes[side][i] - period, period);
            ++count;
        }
    }
    return count;
}

/// Sums become means; points that no stride has lie between their neighbours. False when nothing
/// is there at all.
static bool finish_sum(Sum *sum)
{
    int known = -1;
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
        if (sum->counts[p] <= 0.0) { continue; }
        known = p;
        for (int c = 0; c < SNW_GAIT_CURVE_COUNT; ++c) { sum->curves[c][p] /= sum->counts[p]; }
    }
    if (known < 0) { return false; }
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
        if (sum->counts[p] > 0.0) { continue; }
        int before = p, after = p, down = 0, up = 0;
        while (sum->counts[before] <= 0.0) {
            before = (before + SNW_GAIT_POINTS - 1) % SNW_GAIT_POINTS;
            ++down;
        }
        while (sum->counts[after] <= 0.0) {
            after = (after + 1) % SNW_GAIT_POINTS;
            ++up;
        }
        for (int c = 0; c < SNW_GAIT_CURVE_COUNT; ++c) {
            double a = sum->curves[c][before], b = sum->curves[c][after];
            sum->curves[c][p] = a + (b - a) * down / (down + up);
        }
    }
    return true;
}

/// Zero of foot pitch and ankle where the foot stands flat, zero of heights at the sole.
static void set_zeros(snw_Gait *gait)
{
    double pitch[SNW_GAIT_POINTS], height[SNW_GAIT_POINTS];
    size_t count = 0;
    for (int p = 15 * SNW_GAIT_POINTS / 100; p <= 35 * SNW_GAIT_POINTS / 100; ++p) {
        pitch[count] = gait->curves[SNW_GAIT_FOOT_PITCH][p];
        height[count++] = gait->curves[SNW_GAIT_ANKLE_HEIGHT][p];
    }
    double flat = snw_select(pitch, count, count / 2);
    double ground = snw_select(height, count, count / 2) - ankle_rise;
    double low = gait->curves[SNW_GAIT_PELVIS_HEIGHT][0], high = low;
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
        gait->curves[SNW_GAIT_FOOT_PITCH][p] -= flat;
        gait->curves[SNW_GAIT_ANKLE][p] -= flat;
        gait->curves[SNW_GAIT_ANKLE_HEIGHT][p] -= ground;
        double pelvis = gait->curves[SNW_GAIT_PELVIS_HEIGHT][p];
        if (pelvis < low) { low = pelvis; }
        if (pelvis > high) { high = pelvis; }
        gait->curves[SNW_GAIT_PELVIS_HEIGHT][p] = pelvis - ground;
    }
    gait->bounce = high - low;
}

/// Speed along the way from one frame to another, so that sway does not count.
static double find_speed(const Reading *reading, int from, int to)
{
    double length = 0.0;
    for (int f = from + 1; f <= to; ++f) {
        sinew_Vec3 step = sinew_vec3_sub(
            pelvis_of(&reading->frames[f]), pelvis_of(&reading->frames[f - 1]));
        length += sinew_vec3_dot(step, find_way(reading, f));
    }
    return to > from ? length / ((to - from) * reading->frame_time) : 0.0;
}

/// The ground below who walks in place goes back as the toe that is lower does, in the median, and everything goes ahead by
/// as much: then it is a walk like any other. Nothing is changed where the pelvis itself makes its way, or no foot slides.
static void leave_treadmill(Reading *reading)
{
    const int last = reading->frame_count - 1;
    for (int f = 1; f <= last; ++f) {
        const Frame *before = &reading->frames[f - 1], *frame = &reading->frames[f];
        const int side = frame->toe[LEFT].y <= frame->toe[RIGHT].y ? LEFT : RIGHT;
        sinew_Vec3 way = sinew_vec3_normalize_or(facing_of(frame), sinew_vec3(0.0, 0.0, 1.0));
        sinew_Vec3 slide = sinew_vec3_sub(before->toe[side], frame->toe[side]);
        reading->scratch[f - 1] = sinew_vec3_dot(slide, way) / reading->frame_time;
    }
    const double belt = snw_select(reading->scratch, (size_t)last, (size_t)last / 2);
    if (belt < slowest_belt || fabs(find_speed(reading, 0, last)) > in_place_share * belt) {
        return;
    }
    sinew_Vec3 gone = { 0.0, 0.0, 0.0 };
    for (int f = 0; f <= last; ++f) {
        Frame *frame = &reading->frames[f];
        sinew_Vec3 way = sinew_vec3_normalize_or(facing_of(frame), sinew_vec3(0.0, 0.0, 1.0));
        sinew_Vec3 *places[4] = { frame->hip, frame->knee, frame->ankle, frame->toe };
        for (int i = 0; i < 8; ++i) {
            sinew_Vec3 *place = &places[i / 2][i % 2];
            *place = sinew_vec3_add(*place, gone);
        }
        gone = sinew_vec3_add_scaled(gone, way, belt * reading->frame_time);
    }
}

/// From the first frame of the whole strides of both legs to their last one; all frames where there is none.
static void find_whole(const Reading *reading, int *out_first, int *out_last)
{
    double first = reading->frame_count - 1, last = 0.0;
    bool is_whole = false;
    for (int side = 0; side < 2; ++side) {
        int count = reading->strike_counts[side];
        if (count < 2) { continue; }
        is_whole = true;
        if (reading->strikes[side][0] < first) { first = reading->strikes[side][0]; }
        if (reading->strikes[side][count - 1] > last) { last = reading->strikes[side][count - 1]; }
    }
    *out_first = is_whole ? (int)(first + 0.5) : 0;
    *out_last = is_whole ? (int)(last + 0.5) : reading->frame_count - 1;
}

/// Share of the frames in which ankles and toes of both feet are faster than half the body.
static double find_airborne(const Reading *reading, int first, int last, double speed)
{
    int reach = snw_frames_in(standing_window, reading->frame_time, reading->frame_count);
    if (reach < 1) { reach = 1; }
    if (first < reach) { first = reach; }
    if (last > reading->frame_count - 1 - reach) { last = reading->frame_count - 1 - reach; }
    double most = fmax(standing_share * speed, standing_speed) * 2.0 * reach * reading->frame_time;
    int count = 0;
    for (int f = first; f <= last; ++f) {
        const Frame *before = &reading->frames[f - reach], *after = &reading->frames[f + reach];
        bool stands = false;
        for (int side = 0; side < 2; ++side) {
            stands = stands || sinew_vec3_distance(before->ankle[side], after->ankle[side]) <= most
                || sinew_vec3_distance(before->toe[side], after->toe[side]) <= most;
        }
        count += stands ? 0 : 1;
    }
    return last >= first ? (double)count / (last - first + 1) : 0.0;
}

static SNW_NEVER_INLINE void average(Reading *reading, snw_Gait *out_gait)
{
    leave_treadmill(reading);
    for (int side = 0; side < 2; ++side) {
        for (int f = 0; f < reading->frame_count; ++f) { read_frame(reading, f, side); }
        find_strikes(reading, side);
    }
    snw_Gait gait;
    memset(&gait, 0, sizeof gait);
    gait.speed = find_speed(reading, 0, reading->frame_count - 1);
    for (int side = 0; side < 2; ++side) {
        double flat = find_flat_pitch(reading, side, gait.speed);
        for (int i = 0; i < reading->strike_counts[side]; ++i) {
            double *strike = &reading->strikes[side][i];
            *strike = find_landing(reading, side, *strike, flat, gait.speed);
        }
    }
    gait.strike_count = reading->strike_counts[LEFT] + reading->strike_counts[RIGHT];
    double period = find_period(reading);
    if (!(period > 0.0)) { return; }
    Sum sum;
    memset(&sum, 0, sizeof sum);
    int all = 0, first, last;
    gait.stride_count = add_whole_strides(&sum, reading, period, &all);
    gait.steady = all > 0 ? (double)gait.stride_count / all : 1.0;
    if (gait.stride_count == 0) { gait.stride_count = add_parts(&sum, reading, period); }
    if (!finish_sum(&sum)) { return; }
    memcpy(gait.curves, sum.curves, sizeof gait.curves);
    gait.period = period * reading->frame_time;
    find_whole(reading, &first, &last);
    gait.speed = find_speed(reading, first, last);
    gait.airborne = find_airborne(reading, first, last, gait.speed);
    gait.stride = gait.speed * gait.period / reading->body->leg_length;
    gait.froude = gait.speed / sqrt(gravity * reading->body->leg_length);
    set_zeros(&gait);
    *out_gait = gait;
}

sinew_Status snw_gait_read(const sinew_Clip *clip, const snw_GaitBody *body, double from, double to,
    const sinew_Allocator *allocator, snw_Gait *out_gait)
{
    memset(out_gait, 0, sizeof *out_gait);
    double frame_time = sinew_clip_frame_time(clip);
    int count = sinew_clip_frame_count(clip);
    double last = (count - 1) * frame_time;
    from = from > 0.0 ? from : 0.0;
    to = to < last ? to : last;
    if (count < 3 || !(to - from > 3.0 * frame_time)) { return SINEW_STATUS_OK; }

    Reading reading;
    memset(&reading, 0, sizeof reading);
    int first = snw_frames_in(from, frame_time, count - 1);
    reading.memory = snw_allocator_or_default(allocator);
    reading.body = body;
    reading.frame_time = frame_time;
    reading.frame_count = snw_frames_in(to, frame_time, count - 1) - first + 1;
    if (reading.frame_count > count - first) { reading.frame_count = count - first; }
    reading.joint_count = sinew_skeleton_joint_count(sinew_clip_skeleton(clip));
    // strikes of one leg are more than a third of a second apart, and each is a frame
    reading.strike_capacity = snw_frames_in(to - from, 0.33, reading.frame_count) + 2;
    bool enough = create_reading(&reading);
    if (enough) {
        place_frames(&reading, clip, first);
        average(&reading, out_gait);
    }
    destroy_reading(&reading);
    return enough ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}
