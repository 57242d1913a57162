// Straight limbs: the pose from which no gradient leads to a bent knee.

#include "bench/following.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BONE 0.43
#define PELVIS_HEIGHT 0.86
#define HIP_WIDTH 0.09
// a foot farther off than this is stuck, metres: twice the tolerance of a default solve
#define STUCK_DISTANCE 2e-3

enum { PAIRS = 3000, FRAMES = 10, FEET = 2, JOINTS = 7 };

// ---------------------------------------------------------------------------------------------
// The body

static void add_leg(sinew_JointDef *joints, sinew_Axis *axes, int first, int side, bool balls)
{
    static const char *const names[2][3] = { { "LeftUpLeg", "LeftLeg", "LeftFoot" },
        { "RightUpLeg", "RightLeg", "RightFoot" } };
    const sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
    for (int i = 0; i < 3; ++i) {
        sinew_JointDef *joint = &joints[first + i];
        *joint = sinew_joint_def_default();
        joint->name = names[side][i];
        joint->parent = i == 0 ? 0 : first + i - 1;
        joint->offset = i == 0 ? sinew_vec3(side == 0 ? HIP_WIDTH : -HIP_WIDTH, 0.0, 0.0)
                               : sinew_vec3(0.0, -BONE, 0.0);
        joint->axes = &axes[4 * i];
    }
    if (balls) {
        axes[0] = axes[4] = sinew_axis_ball();
        joints[first].axis_count = joints[first + 1].axis_count = 1;
        return;
    }
    axes[0] = sinew_axis_hinge(z, -0.8, 0.8);
    axes[1] = sinew_axis_hinge(x, -2.1, 0.5);
    axes[2] = sinew_axis_hinge(y, -0.8, 0.8);
    axes[4] = sinew_axis_hinge(x, 0.0, 2.5);
    joints[first].axis_count = 3;
    joints[first + 1].axis_count = 1;
}

sinew_Skeleton *bench_biped(bool balls)
{
    sinew_JointDef joints[JOINTS];
    sinew_Axis root[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        sinew_axis_ball() };
    sinew_Axis legs[FEET][12];
    sinew_Skeleton *skeleton = NULL;
    root[1].rest = PELVIS_HEIGHT;
    joints[0] = sinew_joint_def_default();
    joints[0].name = "Hips";
    joints[0].axes = root;
    joints[0].axis_count = 4;
    add_leg(joints, legs[0], 1, 0, balls);
    add_leg(joints, legs[1], 4, 1, balls);
    return sinew_skeleton_create(joints, JOINTS, NULL, &skeleton, NULL) == SINEW_STATUS_OK
        ? skeleton
        : NULL;
}

// ---------------------------------------------------------------------------------------------
// Pairs of places for the feet

typedef struct Legs {
    bench_Follower follower;
    bench_Figure figure;
    sinew_Goal goals[FEET], rest[FEET];
    sinew_Vec3 hips;
    double largest; // error of the last frame; at least what the hips moved, which no goal allows
} Legs;

static bool open_legs(Legs *legs, const sinew_Skeleton *skeleton, bench_Mode mode)
{
    if (!bench_follower_open(&legs->follower, skeleton, FEET, mode, NULL)) { return false; }
    if (!bench_figure_open(&legs->figure, skeleton)) {
        bench_follower_close(&legs->follower);
        return false;
    }
    bench_figure_pose(&legs->figure, legs->follower.q);
    legs->hips = legs->figure.place[0];
    for (int f = 0; f < FEET; ++f) {
        int foot = sinew_skeleton_find_joint(skeleton, f == 0 ? "LeftFoot" : "RightFoot");
        legs->rest[f] = sinew_goal_position(foot, legs->figure.place[foot]);
        legs->rest[f].chain_root = foot - 2;
        legs->goals[f] = legs->rest[f];
    }
    return true;
}

static void close_legs(Legs *legs)
{
    bench_follower_close(&legs->follower);
    bench_figure_close(&legs->figure);
}

/// Follow the goals until they are met; returns the frames it took, or frames + 1.
static int follow(Legs *legs, int frames)
{
    for (int frame = 1; frame <= frames; ++frame) {
        if (bench_follower_next(&legs->follower, legs->goals, FEET) < 0.0) { return frames + 1; }
        bench_figure_pose(&legs->figure, legs->follower.q);
        bench_figure_errors(&legs->figure, legs->goals, FEET, NULL, &legs->largest);
        legs->largest = fmax(legs->largest, sinew_vec3_distance(legs->figure.place[0], legs->hips));
        if (legs->largest <= STUCK_DISTANCE) { return frame; }
    }
    return frames + 1;
}

/// Where a foot is in a random pose of its leg, inside the ranges of the hinges.
static sinew_Vec3 random_foot(scene_Random *random, int side)
{
    double bend = scene_random_range(random, 0.05, 2.4);
    double forward = scene_random_range(random, -0.3, 1.2) + 0.35 * bend;
    double out = scene_random_range(random, -0.3, 0.6);
    // the leg in its plane, then the plane tilted sideways
    double depth = BONE * (cos(forward) + cos(forward - bend));
    double front = BONE * (sin(forward) + sin(forward - bend));
    double outward = side == 0 ? 1.0 : -1.0;
    return sinew_vec3(
        outward * (HIP_WIDTH + depth * sin(out)), PELVIS_HEIGHT - depth * cos(out), front);
}

static void run_pairs(
    bench_Following *following, const sinew_Skeleton *skeleton, bool balls, bench_Mode mode)
{
    Legs legs;
    int count = bench_following_count(following, PAIRS), stuck = 0, slowest = 0;
    char what[CLI_TABLE_CELL];
    if (!open_legs(&legs, skeleton, mode)) {
        following->out->failed = true;
        return;
    }
    for (int i = 0; i < count; ++i) {
        scene_Random random = scene_random(following->request->seed + (uint64_t)i);
        bench_follower_reset(&legs.follower);
        // a tracker begins where goals say, a solver in the pose it is given
        for (int f = 0; f < FEET; ++f) { legs.goals[f] = legs.rest[f]; }
        if (mode == BENCH_MODE_TRACKER) { (void)follow(&legs, 1); }
        for (int f = 0; f < FEET; ++f) { legs.goals[f].position = random_foot(&random, f); }
        int frames = follow(&legs, FRAMES);
        stuck += frames > FRAMES ? 1 : 0;
        if (frames <= FRAMES && frames > slowest) { slowest = frames; }
    }
    snprintf(what, sizeof what, "straight legs, pairs of foot places, %s, %s",
        balls ? "balls" : "hinges", bench_mode_name(mode));
    bench_following_row(following, what, "0 stuck within 10 frames", stuck, 0.0,
        "%d of %d stuck; the others within %d frames", stuck, count, slowest);
    close_legs(&legs);
}

static void run_lift(
    bench_Following *following, const sinew_Skeleton *skeleton, bool balls, bench_Mode mode)
{
    Legs legs;
    char what[CLI_TABLE_CELL];
    if (!open_legs(&legs, skeleton, mode)) {
        following->out->failed = true;
        return;
    }
    for (int f = 0; f < FEET; ++f) { legs.goals[f].position.y += 0.05; }
    (void)follow(&legs, 1);
    snprintf(what, sizeof what, "straight legs, both feet 5 cm up, %s, %s",
        balls ? "balls" : "hinges", bench_mode_name(mode));
    bench_following_row(following, what, "0.0 mm in the first frame", legs.largest, 5e-5, "%.2f mm",
        1e3 * legs.largest);
    close_legs(&legs);
}

void bench_following_limbs(bench_Following *following)
{
    static const bench_Mode modes[] = { BENCH_MODE_WARM, BENCH_MODE_TRACKER };
    for (int balls = 0; balls < 2; ++balls) {
        sinew_Skeleton *skeleton = bench_biped(balls != 0);
        if (skeleton == NULL) {
            following->out->failed = true;
            return;
        }
        for (int m = 0; m < 2; ++m) { run_lift(following, skeleton, balls != 0, modes[m]); }
        for (int m = 0; m < 2; ++m) { run_pairs(following, skeleton, balls != 0, modes[m]); }
        sinew_skeleton_destroy(skeleton);
    }
}
