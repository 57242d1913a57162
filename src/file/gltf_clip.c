// An animation of nodes to a clip of joints, at the rate of its keys.

#include "base/memory.h"

#include "base/message.h"
#include "file/gltf.h"
#include "file/gltf_pose.h"
#include "math/holds.h"
#include "sinew/pose.h"

#include <string.h>

// Rates that keys are looked for at, per second. Keys are on a rate when each is this near to a frame,
// seconds: single precision at a minute, and rounded thousandths.
static const double rates[] = { 10.0, 12.0, 15.0, 20.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0,
    100.0, 120.0, 240.0 };
#define RATE_COUNT ((int)(sizeof rates / sizeof rates[0]))
#define ON_FRAME 2.5e-4
#define MOST_SLACK 0.25
// Rate of keys that are on none, and the least one for keys with curves between them.
#define FREE_RATE 60.0

// Times in single precision are this exact, as a part of themselves.
#define TIME_ROUNDING 2.5e-7

// Most frames and numbers that keys are spread to; longer motions get a lower rate.
#define MAX_FRAMES 200000.0
#define MAX_NUMBERS 67108864.0

// Joints this far from where the file has them are told, as a part of the figure's size.
#define TOLD_DISTANCE 1e-3

// A scale that moves by more than this is told.
#define TOLD_SCALE 1e-3

// the coordinates of a joint for a place and rotation of its node
static void set_joint(
    const sinew_MotionFile *file, int joint, const snw_GltfLocal *local, double *q)
{
    SNW_ASSERT(joint >= 0);
    const sinew_Joint *source = &sinew_skeleton_joints(file->skeleton)[joint];
    const snw_GltfJoint *j = &snw_gltf_joints(file)[joint];
    double *out = q + source->coordinate_start;
    sinew_Quat back = sinew_quat_conjugate(source->rest_rotation);
    if (source->axis_count >= 3) {
        sinew_Vec3 offset = sinew_vec3_scale(
            sinew_vec3_add(j->parent_from_translation.position,
                sinew_mat3_mul_vec3(j->parent_from_translation.linear, local->translation)),
            file->unit);
        sinew_Vec3 way = sinew_quat_rotate(back, sinew_vec3_sub(offset, source->offset));
        *out++ = way.x;
        *out++ = way.y;
        *out++ = way.z;
    }
    if (source->axis_count % 3 == 0) { return; }
    sinew_Quat turn = sinew_quat_normalize(
        sinew_quat_mul(back, sinew_quat_mul(j->left, sinew_quat_mul(local->rotation, j->right))));
    // both signs are the same rotation: the one that is nearer to none
    if (turn.w < 0.0) {
        turn.x = -turn.x;
        turn.y = -turn.y;
        turn.z = -turn.z;
        turn.w = -turn.w;
    }
    memcpy(out, &turn, sizeof turn);
}

// ---------------------------------------------------------------------------------------------
// Frames

static bool is_on_rate(const snw_GltfAnimation *animation, double rate)
{
    for (int c = 0; c < animation->channel_count; ++c) {
        const snw_GltfChannel *channel = &animation->channels[c];
        for (int k = 0; k < channel->key_count; ++k) {
            double frame = channel->times[k] * rate;
            if (fabs(frame - floor(frame + 0.5)) > ON_FRAME * rate) { return false; }
        }
    }
    return true;
}

static const snw_GltfChannel *densest_channel(const snw_GltfAnimation *animation)
{
    const snw_GltfChannel *most = NULL;
    for (int c = 0; c < animation->channel_count; ++c) {
        const snw_GltfChannel *channel = &animation->channels[c];
        if (most == NULL || channel->key_count > most->key_count) { most = channel; }
    }
    return most;
}

// the rate of keys at equal distances from 0 on, as recorded motions have them; 0: they are not
static double even_rate(const snw_GltfAnimation *animation)
{
    const snw_GltfChannel *keys = densest_channel(animation);
    if (keys == NULL || keys->key_count < 2) { return 0.0; }
    double last = keys->times[keys->key_count - 1], step = last / (keys->key_count - 1);
    for (int k = 0; k < keys->key_count; ++k) {
        if (fabs(keys->times[k] - k * step) > TIME_ROUNDING * last) { return 0.0; }
    }
    for (int i = 0; i < RATE_COUNT; ++i) {
        if (fabs(step * rates[i] - 1.0) < TIME_ROUNDING) { return rates[i]; }
    }
    return 1.0 / step;
}

// when a frame is: at its key where there is one, as keys are rounded
static double time_of_frame(const sinew_MotionFile *file, int frame)
{
    SNW_ASSERT(frame >= 0);
    double time = frame * sinew_clip_frame_time(file->clip);
    if (file->animation < 0) { return time; }
    const snw_GltfChannel *keys = densest_channel(&file->gltf->animations[file->animation]);
    bool has_key = keys != NULL && frame < keys->key_count
        && fabs(keys->times[frame] - time) <= TIME_ROUNDING * keys->times[keys->key_count - 1];
    return has_key ? keys->times[frame] : time;
}

static double frame_rate(const snw_GltfAnimation *animation)
{
    // a note holds while the keys are as they were
    double noted = animation->frame_time > 0.0 ? 1.0 / animation->frame_time : 0.0;
    if (noted > 0.0 && is_on_rate(animation, noted)) { return noted; }
    bool straight = true;
    double even = even_rate(animation);
    bool is_of_files = even * SNW_LEAST_FRAME_TIME <= 1.0 + TIME_ROUNDING;
    for (int c = 0; c < animation->channel_count; ++c) {
        straight = straight && animation->channels[c].interpolation == SNW_GLTF_LINEAR;
    }
    if (even > 0.0 && is_of_files && (straight || even >= FREE_RATE)
        && is_on_rate(animation, even)) {
        return even;
    }
    for (int i = 0; i < RATE_COUNT; ++i) {
        if ((straight || rates[i] >= FREE_RATE) && is_on_rate(animation, rates[i])) {
            return rates[i];
        }
    }
    return FREE_RATE;
}

// how far the rigid joints are from the nodes in one frame
static double measure_frame(
    const sinew_MotionFile *file, const sinew_GltfPose *pose, int frame, sinew_Transform *scratch)
{
    SNW_ASSERT(frame >= 0);
    double worst = 0.0;
    sinew_pose_forward(file->skeleton, sinew_clip_frame_const(file->clip, frame), scratch);
    for (int j = 0; j < sinew_skeleton_joint_count(file->skeleton); ++j) {
        sinew_Vec3 there = pose->worlds[snw_gltf_joints(file)[j].node].position;
        double away = sinew_vec3_distance(scratch[j].position, sinew_vec3_scale(there, file->unit));
        if (away > worst) { worst = away; }
    }
    return worst;
}

static void fill_frames(sinew_MotionFile *file, sinew_GltfPose *pose, sinew_Transform *scratch)
{
    double worst = 0.0;
    int worst_frame = 0;
    for (int f = 0; f < sinew_clip_frame_count(file->clip); ++f) {
        double *q = sinew_clip_frame(file->clip, f);
        sinew_gltf_pose_animate(pose, file->animation, time_of_frame(file, f));
        for (int j = 0; j < sinew_skeleton_joint_count(file->skeleton); ++j) {
            set_joint(file, j, &pose->locals[snw_gltf_joints(file)[j].node], q);
        }
        double away = measure_frame(file, pose, f, scratch);
        if (away > worst) {
            worst = away;
            worst_frame = f;
        }
    }
    if (worst > TOLD_DISTANCE * sinew_skeleton_size(file->skeleton)) {
        snw_motion_warn(file,
            "scales that move or differ by direction: joints are up to %.3g m from where the file "
            "shows them, first at frame %d",
            worst, worst_frame);
    }
}

// what an animation does beside turning and shifting nodes
static void tell_rest_of_animation(sinew_MotionFile *file, const snw_GltfAnimation *animation)
{
    int scales = 0, weights = 0;
    for (int c = 0; c < animation->channel_count; ++c) {
        const snw_GltfChannel *channel = &animation->channels[c];
        bool moves = false;
        int step = channel->width * (channel->interpolation == SNW_GLTF_CUBIC ? 3 : 1);
        int start = channel->interpolation == SNW_GLTF_CUBIC ? channel->width : 0;
        for (int k = 1; k < channel->key_count && !moves; ++k) {
            for (int i = 0; i < channel->width; ++i) {
                double first = channel->values[start + i],
                       now = channel->values[k * step + start + i];
                moves = moves || fabs(now - first) > TOLD_SCALE;
            }
        }
        scales += moves && channel->path == SNW_GLTF_SCALE ? 1 : 0;
        weights += moves && channel->path == SNW_GLTF_WEIGHTS ? 1 : 0;
    }
    if (scales + weights == 0) { return; }
    snw_motion_warn(file,
        "the animation also moves the scales of %d node%s and the morph targets of %d: these stay "
        "in the file and are no part of the clip",
        scales, snw_plural(scales), weights);
}

sinew_Status snw_gltf_make_clip(sinew_Gltf *gltf)
{
    sinew_MotionFile *file = gltf->file;
    double rate = 30.0, frames = 1.0, noted = 0.0;
    if (file->animation >= 0) {
        const snw_GltfAnimation *animation = &gltf->animations[file->animation];
        rate = frame_rate(animation);
        noted = animation->frame_time;
        tell_rest_of_animation(file, animation);
        double most = fmin(
            MAX_FRAMES, MAX_NUMBERS / (sinew_skeleton_coordinate_count(file->skeleton) + 1));
        if (animation->duration * rate + 1.0 > most) {
            rate = (most - 1.0) / animation->duration;
            snw_motion_warn(file, "a motion of %.6g s: read at %.6g frame%s per second",
                animation->duration, rate, snw_plural(rate));
        }
        // rounding of keys; of many frames a second it is several of them, but never one more
        double slack = fmin(ON_FRAME * rate, MOST_SLACK);
        frames = floor(animation->duration * rate + slack) + 1.0;
        // the last key where it is between frames
        if (animation->duration * rate - (frames - 1.0) > slack) { frames += 1.0; }
    }
    // a quotient of quotients would be off by a bit
    bool as_noted = noted > 0.0 && 1.0 / noted == rate;
    sinew_Status status = sinew_clip_create(
        file->skeleton, (int)frames, as_noted ? noted : 1.0 / rate, &gltf->allocator, &file->clip);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_GltfPose *pose = NULL;
    size_t count = (size_t)sinew_skeleton_joint_count(file->skeleton);
    sinew_Transform *scratch = snw_alloc_array(&gltf->allocator, count, sizeof *scratch);
    status = scratch != NULL ? sinew_gltf_pose_create(gltf, &gltf->allocator, &pose)
                             : SINEW_STATUS_OUT_OF_MEMORY;
    if (status == SINEW_STATUS_OK) { fill_frames(file, pose, scratch); }
    sinew_gltf_pose_destroy(pose);
    snw_free(&gltf->allocator, scratch, count * sizeof *scratch);
    return status;
}
