#include "math/holds.h"
#include "math/quat.h"
#include "motion/track.h"

// Three hinges about the axes of a frame write most rotations in two ways, and limits may leave one of
// them here and the other there: an arm raised to the end of its range stands next to one that came up
// on the other side, while their hinges are half a turn apart. Such a joint goes by its rotation, and
// over from one writing to the other where what the limits leave between them is small enough.

// two writings of a rotation differ by half a turn of two hinges at least, and by this if limits crop them
#define OTHER_WRITING 1.0
// how often a place from which the joint can go over is brought nearer to the one beyond
#define GATE_PASSES 3
// in so many parts the way of hinges is measured
#define WAY_PARTS 4
// what limits may leave between two writings half way between poses, radians: two frames of the bound
#define MOST_GAP 0.6

double snw_track_turn(const sinew_Tracker *tracker, const double *from, const double *to, int joint)
{
    return sinew_quat_angle(sinew_pose_local(tracker->skeleton, from, joint).rotation,
        sinew_pose_local(tracker->skeleton, to, joint).rotation);
}

void snw_track_step_joint(const sinew_Tracker *tracker, const double *from, const double *to,
    double share, int joint, double *out_pose)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(joint >= 0);
    const sinew_Joint *j = &sinew_skeleton_joints(tracker->skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(tracker->skeleton)[j->axis_start];
    for (int a = 0, c = j->coordinate_start; a < j->axis_count; ++a) {
        const double *x = &from[c], *y = &to[c];
        double *out = &out_pose[c];
        c += axes[a].kind == SINEW_AXIS_BALL ? 4 : 1;
        if (axes[a].kind != SINEW_AXIS_BALL) {
            out[0] = fmin(fmax(x[0] + share * (y[0] - x[0]), axes[a].lower), axes[a].upper);
            continue;
        }
        sinew_Quat before = snw_quat_load(x), after = snw_quat_load(y);
        sinew_Quat turned = sinew_quat_slerp(before, after, share);
        if (axes[a].limit != NULL) { turned = sinew_ball_limit_clamp(axes[a].limit, turned); }
        snw_quat_store(turned, out);
    }
}

// ---------------------------------------------------------------------------------------------
// Two writings of a rotation

// three hinges of a joint that stand in one writing, and are to stand in the other
typedef struct Writings {
    sinew_EulerOrder order;
    double sign[3];
    const sinew_Axis *axes;
    const double *from, *to;
} Writings;

static sinew_Quat rotation_of(const Writings *w, const double *hinges)
{
    double angles[3];
    for (int a = 0; a < 3; ++a) { angles[a] = w->sign[a] * hinges[a]; }
    return sinew_quat_from_euler(w->order, angles);
}

// the writing of a rotation that is nearest to other hinges
static void write_near(const Writings *w, sinew_Quat rotation, const double *near, double *out)
{
    double angles[3];
    for (int a = 0; a < 3; ++a) { angles[a] = w->sign[a] * near[a]; }
    sinew_quat_to_euler(w->order, rotation, angles, angles);
    for (int a = 0; a < 3; ++a) { out[a] = w->sign[a] * angles[a]; }
}

// the same inside the limits
static void write_within(const Writings *w, sinew_Quat rotation, const double *near, double *out)
{
    write_near(w, rotation, near, out);
    for (int a = 0; a < 3; ++a) { out[a] = fmin(fmax(out[a], w->axes[a].lower), w->axes[a].upper); }
}

static double turn_between(const Writings *w, const double *a, const double *b)
{
    return sinew_quat_angle(rotation_of(w, a), rotation_of(w, b));
}

static bool is_far(const double *a, const double *b)
{
    return fabs(a[0] - b[0]) > OTHER_WRITING || fabs(a[1] - b[1]) > OTHER_WRITING
        || fabs(a[2] - b[2]) > OTHER_WRITING;
}

// Whether a joint of two poses stands in two writings.
static bool find_writings(
    const sinew_Tracker *tracker, const double *from, const double *to, int joint, Writings *out)
{
    SNW_ASSERT(joint >= 0);
    const sinew_Skeleton *skeleton = tracker->skeleton;
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    out->axes = &sinew_skeleton_axes(skeleton)[j->axis_start];
    out->from = &from[j->coordinate_start];
    out->to = &to[j->coordinate_start];
    unsigned negated;
    if (j->axis_count != 3 || j->coordinate_count != 3 || !is_far(out->from, out->to)
        || !sinew_joint_euler_order(skeleton, joint, &out->order, &negated)) {
        return false;
    }
    for (int a = 0; a < 3; ++a) { out->sign[a] = (negated >> a & 1u) != 0 ? -1.0 : 1.0; }
    double near[3];
    write_near(out, rotation_of(out, out->from), out->to, near);
    return is_far(near, out->from);
}

// how far the joint turns while its hinges go straight
static double way_of_hinges(const Writings *w, const double *from, const double *to)
{
    double sum = 0.0;
    sinew_Quat before = rotation_of(w, from);
    for (int part = 1; part <= WAY_PARTS; ++part) {
        double at[3], share = (double)part / WAY_PARTS;
        for (int a = 0; a < 3; ++a) { at[a] = from[a] + share * (to[a] - from[a]); }
        sinew_Quat rotation = rotation_of(w, at);
        sum += sinew_quat_angle(before, rotation);
        before = rotation;
    }
    return sum;
}

// Where the joint can go over by no more than most, in its own writing. false: nowhere found, or the
// hinges are there sooner by their own way.
static bool find_gate(const Writings *w, double most, double *out_gate)
{
    double beyond[3];
    write_within(w, rotation_of(w, w->from), w->to, beyond);
    for (int pass = 0; pass < GATE_PASSES; ++pass) {
        write_within(w, rotation_of(w, beyond), w->from, out_gate);
        double gap = turn_between(w, out_gate, beyond);
        if (gap <= most) {
            return way_of_hinges(w, w->from, out_gate) + gap + way_of_hinges(w, beyond, w->to)
                < way_of_hinges(w, w->from, w->to);
        }
        write_within(w, rotation_of(w, out_gate), w->to, beyond);
    }
    return false;
}

// the other writing, if it can be had by a turn of no more than most on the way
static bool go_over(const Writings *w, double rate, double most, double *out)
{
    sinew_Quat start = rotation_of(w, w->from), end = rotation_of(w, w->to);
    double share = fmin(1.0, rate / sinew_quat_angle(start, end));
    write_within(w, sinew_quat_slerp(start, end, share), w->to, out);
    if (turn_between(w, w->from, out) <= most) { return true; }
    write_within(w, start, w->to, out);
    return turn_between(w, w->from, out) <= most;
}

bool snw_track_part_over(const sinew_Tracker *tracker, const double *from, const double *to,
    double share, int joint, double *out_pose)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(joint >= 0);
    Writings w;
    if (!find_writings(tracker, from, to, joint, &w)) { return false; }
    sinew_Quat part = sinew_quat_slerp(rotation_of(&w, w.from), rotation_of(&w, w.to), share);
    int place = sinew_skeleton_joints(tracker->skeleton)[joint].coordinate_start;
    write_within(&w, part, w.to, &out_pose[place]);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Ways

// one joint on its way, by no more than rate where it is not the step over; returns the turn of all
static double advance_joint(sinew_Tracker *tracker, const double *from, const double *to,
    double rate, int joint, double *out_pose)
{
    SNW_ASSERT(joint >= 0);
    int place = sinew_skeleton_joints(tracker->skeleton)[joint].coordinate_start;
    double turn = snw_track_turn(tracker, from, to, joint), gate[3];
    Writings w;
    tracker->over[joint] = 0;
    if (find_writings(tracker, from, to, joint, &w)) {
        if (go_over(&w, rate, tracker->most[joint], &out_pose[place])) {
            tracker->over[joint] = 1;
            return turn;
        }
        if (find_gate(&w, tracker->most[joint], gate)) {
            double way = turn_between(&w, w.from, gate), share = way > rate ? rate / way : 1.0;
            for (int a = 0; a < 3; ++a) {
                out_pose[place + a] = w.from[a] + share * (gate[a] - w.from[a]);
            }
            return turn;
        }
    }
    snw_track_step_joint(tracker, from, to, turn > rate ? rate / turn : 1.0, joint, out_pose);
    return turn;
}

void snw_track_advance(
    sinew_Tracker *tracker, const double *from, const double *to, double rate, double *out_pose)
{
    const sinew_Axis *axes = sinew_skeleton_axes(tracker->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(tracker->skeleton);
    double longest = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        double turn = advance_joint(tracker, from, to, rate, j, out_pose);
        longest = turn > longest ? turn : longest;
    }
    // places arrive with the joint that has the longest way
    for (int a = 0; longest > rate && a < sinew_skeleton_axis_count(tracker->skeleton); ++a) {
        if (axes[a].kind != SINEW_AXIS_SLIDE) { continue; }
        int c = places[a].coordinate;
        out_pose[c] = from[c] + rate / longest * (to[c] - from[c]);
    }
}

void snw_track_half_way(
    const sinew_Tracker *tracker, const double *from, const double *to, double *out_pose)
{
    sinew_pose_interpolate(tracker->skeleton, from, to, 0.5, out_pose);
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        Writings w;
        if (!find_writings(tracker, from, to, j, &w)) { continue; }
        sinew_Quat half = sinew_quat_slerp(rotation_of(&w, w.from), rotation_of(&w, w.to), 0.5);
        double *out = &out_pose[sinew_skeleton_joints(tracker->skeleton)[j].coordinate_start];
        double here[3], there[3];
        write_within(&w, half, w.from, here);
        write_within(&w, half, w.to, there);
        double gap_here = sinew_quat_angle(half, rotation_of(&w, here));
        double gap_there = sinew_quat_angle(half, rotation_of(&w, there));
        if (fmin(gap_here, gap_there) > MOST_GAP) { continue; }
        for (int a = 0; a < 3; ++a) { out[a] = gap_here < gap_there ? here[a] : there[a]; }
    }
}
