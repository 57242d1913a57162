#include "measure/motion_meter.h"
#include "math/select.h"

#include "base/memory.h"
#include "math/holds.h"

// ---------------------------------------------------------------------------------------------
// Joints

bool measure_joint_turns(const sinew_Skeleton *skeleton, int joint)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; a < j->axis_count; ++a) {
        if (axes[j->axis_start + a].kind != SINEW_AXIS_SLIDE) { return true; }
    }
    return false;
}

bool measure_joint_travels(const sinew_Skeleton *skeleton, int joint)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_Joint *own = &joints[joint];
    for (int a = 0; a < own->axis_count; ++a) {
        if (axes[own->axis_start + a].kind == SINEW_AXIS_SLIDE) { return true; }
    }
    for (int j = own->parent; j >= 0; j = joints[j].parent) {
        if (joints[j].axis_count > 0) { return true; }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Speed and shaking

/// What is kept of the frame before while a motion is measured.
typedef struct Steps {
    sinew_Quat *rotations; // of the frame before                     (joint_count)
    sinew_Vec3 *steps;     // from the frame before that one          (joint_count)
    double *changes;       // lengths of changes of steps             (change_count of capacity)
    size_t change_count;
} Steps;

static void measure_step(measure_Motion *measure, Steps *steps, int joint, int frame,
    sinew_Quat rotation, double frame_time)
{
    SNW_ASSERT(snw_holds_unit(rotation));
    SNW_ASSERT(frame_time >= 0.0);
    SNW_ASSERT(joint >= 0);
    sinew_Quat turn = sinew_quat_mul(sinew_quat_conjugate(steps->rotations[joint]), rotation);
    sinew_Vec3 step = sinew_quat_log(sinew_quat_normalize(turn));
    double angle = sinew_vec3_length(step);
    if (angle / frame_time > measure->max_joint_speed) {
        measure->max_joint_speed = angle / frame_time;
        measure->fastest_joint = joint;
        measure->fastest_frame = frame;
    }
    if (angle > MEASURE_FLIP_ANGLE) {
        if (measure->flip_count == 0) {
            measure->flip_joint = joint;
            measure->flip_frame = frame;
        }
        measure->flip_count += 1;
    }
    if (frame >= 2) {
        steps->changes[steps->change_count] = sinew_vec3_distance(step, steps->steps[joint]);
        steps->change_count += 1;
    }
    steps->steps[joint] = step;
}

sinew_Status measure_motion(
    const sinew_Clip *clip, const sinew_Allocator *allocator, measure_Motion *out_measure)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    sinew_Allocator memory = snw_allocator_or_default(allocator);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    int frame_count = sinew_clip_frame_count(clip);
    measure_Motion measure = { 0.0, -1, -1, 0.0, 0, -1, -1 };
    measure_Motion nothing = { 0.0, 0, 0, 0.0, 0, 0, 0 };

    size_t turning = 0;
    for (int j = 0; j < joint_count; ++j) { turning += measure_joint_turns(skeleton, j) ? 1 : 0; }
    size_t capacity = frame_count > 2 ? (size_t)(frame_count - 2) * turning : 0;
    size_t rotation_size = (size_t)joint_count * sizeof(sinew_Quat);
    size_t step_size = (size_t)joint_count * sizeof(sinew_Vec3);
    Steps steps = { snw_alloc(&memory, rotation_size), snw_alloc(&memory, step_size),
        snw_alloc_array(&memory, capacity, sizeof(double)), 0 };
    bool enough = steps.rotations != NULL && steps.steps != NULL && steps.changes != NULL;

    for (int frame = 0; enough && frame < frame_count; ++frame) {
        const double *q = sinew_clip_frame_const(clip, frame);
        for (int j = 0; j < joint_count; ++j) {
            if (!measure_joint_turns(skeleton, j)) { continue; }
            sinew_Quat rotation = sinew_pose_local(skeleton, q, j).rotation;
            if (frame > 0) {
                measure_step(&measure, &steps, j, frame, rotation, sinew_clip_frame_time(clip));
            }
            steps.rotations[j] = rotation;
        }
    }
    if (steps.change_count > 0) {
        size_t place = (steps.change_count - 1) * 99 / 100;
        measure.jitter = snw_select(steps.changes, steps.change_count, place);
    }
    snw_free(&memory, steps.rotations, rotation_size);
    snw_free(&memory, steps.steps, step_size);
    snw_free(&memory, steps.changes, capacity * sizeof(double));
    *out_measure = enough ? measure : nothing;
    return enough ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Differences

/// World transforms of one frame of two motions.
typedef struct Pair {
    sinew_Allocator memory;
    size_t size;
    sinew_Transform *a, *b; // joint_count each
} Pair;

static bool create_pair(Pair *pair, const sinew_Clip *clip, const sinew_Allocator *allocator)
{
    int joint_count = sinew_skeleton_joint_count(sinew_clip_skeleton(clip));
    pair->memory = snw_allocator_or_default(allocator);
    pair->size = (size_t)joint_count * sizeof(sinew_Transform);
    pair->a = snw_alloc(&pair->memory, pair->size);
    pair->b = snw_alloc(&pair->memory, pair->size);
    return pair->a != NULL && pair->b != NULL;
}

static void destroy_pair(Pair *pair)
{
    snw_free(&pair->memory, pair->a, pair->size);
    snw_free(&pair->memory, pair->b, pair->size);
}

static void pose_pair(Pair *pair, const sinew_Clip *a, const sinew_Clip *b, int frame)
{
    sinew_pose_forward(sinew_clip_skeleton(a), sinew_clip_frame_const(a, frame), pair->a);
    sinew_pose_forward(sinew_clip_skeleton(b), sinew_clip_frame_const(b, frame), pair->b);
}

sinew_Status measure_rotation_error(const sinew_Clip *a, const sinew_Clip *b,
    const sinew_Allocator *allocator, double *out_mean, double *out_max)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(a);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    Pair pair;
    bool enough = create_pair(&pair, a, allocator);
    double sum = 0.0, largest = 0.0, count = 0.0;
    for (int frame = 0; enough && frame < sinew_clip_frame_count(a); ++frame) {
        pose_pair(&pair, a, b, frame);
        for (int j = 0; j < joint_count; ++j) {
            if (!measure_joint_turns(skeleton, j)) { continue; }
            double angle = sinew_quat_angle(pair.a[j].rotation, pair.b[j].rotation);
            sum += angle;
            count += 1.0;
            if (angle > largest) { largest = angle; }
        }
    }
    destroy_pair(&pair);
    *out_mean = count > 0.0 ? sum / count : 0.0;
    *out_max = largest;
    return enough ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}

sinew_Status measure_position_error(
    const sinew_Clip *a, const sinew_Clip *b, const sinew_Allocator *allocator, double *out_max)
{
    int joint_count = sinew_skeleton_joint_count(sinew_clip_skeleton(a));
    Pair pair;
    bool enough = create_pair(&pair, a, allocator);
    double largest = 0.0;
    for (int frame = 0; enough && frame < sinew_clip_frame_count(a); ++frame) {
        pose_pair(&pair, a, b, frame);
        for (int j = 0; j < joint_count; ++j) {
            double distance = sinew_vec3_distance(pair.a[j].position, pair.b[j].position);
            if (distance > largest) { largest = distance; }
        }
    }
    destroy_pair(&pair);
    *out_max = largest;
    return enough ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Height

enum { HEIGHT_SAMPLES = 101 };

/// Extents of a pose along Y and Z.
static void measure_extents(
    const sinew_Transform *transforms, int joint_count, double *out_y, double *out_z)
{
    SNW_ASSERT(joint_count >= 0);
    sinew_Vec3 low = transforms[0].position, high = transforms[0].position;
    for (int j = 1; j < joint_count; ++j) {
        sinew_Vec3 p = transforms[j].position;
        if (p.y < low.y) { low.y = p.y; }
        if (p.y > high.y) { high.y = p.y; }
        if (p.z < low.z) { low.z = p.z; }
        if (p.z > high.z) { high.z = p.z; }
    }
    *out_y = high.y - low.y;
    *out_z = high.z - low.z;
}

sinew_Status measure_height(
    const sinew_Clip *clip, const sinew_Allocator *allocator, double *out_height)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    sinew_Allocator memory = snw_allocator_or_default(allocator);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    int frame_count = sinew_clip_frame_count(clip);
    size_t transform_size = (size_t)joint_count * sizeof(sinew_Transform);
    size_t q_size = (size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof(double);
    sinew_Transform *transforms = snw_alloc(&memory, transform_size);
    double *rest = snw_alloc(&memory, q_size);
    double y[HEIGHT_SAMPLES], z[HEIGHT_SAMPLES], sum_y = 0.0, sum_z = 0.0;
    bool enough = transforms != NULL && rest != NULL;

    // frames evenly over the motion, or the rest pose
    int samples = frame_count < 1 ? 1 : frame_count < HEIGHT_SAMPLES ? frame_count : HEIGHT_SAMPLES;
    if (enough) { sinew_pose_rest(skeleton, rest); }
    for (int i = 0; enough && i < samples; ++i) {
        int frame = samples > 1 ? (int)((int64_t)i * (frame_count - 1) / (samples - 1)) : 0;
        const double *q = frame_count > 0 ? sinew_clip_frame_const(clip, frame) : rest;
        sinew_pose_forward(skeleton, q, transforms);
        measure_extents(transforms, joint_count, &y[i], &z[i]);
        sum_y += y[i];
        sum_z += z[i];
    }
    snw_free(&memory, transforms, transform_size);
    snw_free(&memory, rest, q_size);
    if (!enough) { return SINEW_STATUS_OUT_OF_MEMORY; }
    *out_height = snw_select(sum_z > sum_y ? z : y, (size_t)samples, (size_t)samples / 2);
    return SINEW_STATUS_OK;
}
