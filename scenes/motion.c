#include "scenes/motion.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Plain motions

#define PLAIN_PERIOD 8.0

// Every axis swings about its rest value, each at its own pace and phase: whole numbers of swings
// in a round, phases by the golden ratio so that no two axes go together.
static void move_plainly(const scene_Scene *scene, double time, double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(scene->skeleton);
    int axis_count = sinew_skeleton_axis_count(scene->skeleton);
    double turns = time / PLAIN_PERIOD;
    for (int i = 0; i < axis_count; ++i) {
        double *value = &q[places[i].coordinate];
        double phase = 0.6180339887 * i;
        double pace = 1.0 + i % 3;
        double swing = scene_wave(pace * turns + phase);
        if (axes[i].kind == SINEW_AXIS_BALL) {
            double reach = 0.6 * scene->balls[i].swing;
            sinew_Vec3 v = { reach * scene_wave(turns + phase),
                0.4 * scene->balls[i].twist * scene_wave(turns + phase + 0.4),
                0.7 * reach * scene_wave(2.0 * turns + phase + 0.7) };
            scene_put_ball(value, sinew_quat_exp(v));
        } else if (axes[i].kind == SINEW_AXIS_SLIDE && !isfinite(axes[i].upper)) {
            *value = axes[i].rest + 0.3 * scene->slide_range * swing;
        } else {
            // stays inside although the rest value need not be the middle
            double middle = 0.5 * (axes[i].lower + axes[i].upper);
            double half = 0.5 * (axes[i].upper - axes[i].lower);
            *value = 0.5 * (axes[i].rest + middle) + 0.4 * half * swing;
        }
    }
}

// A wave runs down the snake: two waves on it, each bends it by about a right angle.
static void move_chain(const scene_Scene *scene, double time, double *q)
{
    int count = sinew_skeleton_axis_count(scene->skeleton);
    double size = 1130.0 / count;
    if (size > 45.0) { size = 45.0; }
    for (int i = 0; i < count; ++i) {
        double place = 2.0 * i / count;
        double across = i % 2 == 0 ? scene_wave(place - time / 4.0)
                                   : 0.6 * scene_wave(place + 0.25 - time / 4.0);
        q[i] = size * SCENE_DEGREE * across;
    }
}

// ---------------------------------------------------------------------------------------------
// LEG: a walking stride, seen from the pelvis

#define STRIDE_PERIOD 1.2

// five harmonics, degrees: a0, a1, b1, ... of cos and sin; means of six recorded walks, forward
// and flexion positive
static const double hip_curve[] = { 12.45, 22.07, -7.106, -5.894, -0.4171, 0.8657, 1.985, -0.3426,
    0.2672, -0.1715, 0.2746 };
static const double knee_curve[] = { 32.61, 0.1165, -19.18, -14.52, 8.599, 2.118, 4.321, -0.5739,
    0.9049, -0.01452, 0.3331 };
static const double ankle_curve[] = { 8.4, 0.5536, 9.052, 3.37, -7.163, -3.411, -0.6392, 1.493,
    1.103, 0.2543, -1.602 };

static double harmonics(const double *curve, double turns)
{
    double sum = curve[0];
    for (int k = 1; k <= 5; ++k) {
        sum += curve[2 * k - 1] * scene_wave(k * turns + 0.25)
            + curve[2 * k] * scene_wave(k * turns);
    }
    return sum * SCENE_DEGREE;
}

void scene_move_leg(const scene_Scene *scene, double time, double *q)
{
    double turns = time / STRIDE_PERIOD;
    double *hip = scene_at(scene, q, "", "Hip");
    hip[0] = -harmonics(hip_curve, turns);
    hip[1] = 4.0 * SCENE_DEGREE * scene_wave(turns + 0.1);
    hip[2] = 5.0 * SCENE_DEGREE * scene_wave(turns + 0.35);
    *scene_at(scene, q, "", "Knee") = harmonics(knee_curve, turns);
    double *ankle = scene_at(scene, q, "", "Ankle");
    ankle[0] = -harmonics(ankle_curve, turns);
    ankle[1] = -4.0 * SCENE_DEGREE * scene_wave(turns + 0.6);
}

// ---------------------------------------------------------------------------------------------

double scene_motion_period(const scene_Scene *scene)
{
    switch ((scene_Kind)scene->kind) {
    case SCENE_LEG: return STRIDE_PERIOD;
    case SCENE_CHAIN: return 4.0;
    case SCENE_HAND: return 10.0;
    case SCENE_HAND5: return 10.0;
    case SCENE_MAN18: return SCENE_MAN18_PERIOD;
    case SCENE_SPIDER: return SCENE_SPIDER_PERIOD;
    case SCENE_QUADRUPED: return SCENE_QUADRUPED_PERIOD;
    default: return PLAIN_PERIOD;
    }
}

void scene_pose_at(const scene_Scene *scene, double time, double *out_q)
{
    sinew_pose_rest(scene->skeleton, out_q);
    switch ((scene_Kind)scene->kind) {
    case SCENE_LEG: scene_move_leg(scene, time, out_q); break;
    case SCENE_CHAIN: move_chain(scene, time, out_q); break;
    case SCENE_HAND: scene_move_hand(scene, time, out_q); break;
    case SCENE_HAND5: scene_move_hand5(scene, time, out_q); break;
    case SCENE_MAN18: scene_move_man18(scene, time, out_q); break;
    case SCENE_SPIDER: scene_move_spider(scene, time, out_q); break;
    case SCENE_QUADRUPED: scene_move_quadruped(scene, time, out_q); break;
    default: move_plainly(scene, time, out_q); break;
    }
    sinew_pose_apply_limits(scene->skeleton, out_q);
}

sinew_Status scene_motion(
    const scene_Scene *scene, double frame_time, int frame_count, sinew_Clip **out_clip)
{
    sinew_Status status = sinew_clip_create(
        scene->skeleton, frame_count, frame_time, &scene->allocator, out_clip);
    if (status != SINEW_STATUS_OK) { return status; }
    for (int i = 0; i < frame_count; ++i) {
        scene_pose_at(scene, i * frame_time, sinew_clip_frame(*out_clip, i));
    }
    return SINEW_STATUS_OK;
}
