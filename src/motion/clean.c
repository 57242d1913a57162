#include "sinew/clean.h"

#include "base/memory.h"
#include "base/message.h"
#include "motion/contact.h"

#include <string.h>

// a frame sticks out when a joint turns by more between it and the middle of its neighbours, radians,
// and by so many times what it turns between them
#define SPIKE_ANGLE 0.12
#define SPIKE_SHARE 2.0
// joints that turn faster are not trembling, radians a frame
#define FAST_TURN 0.5

sinew_CleanDef sinew_clean_def_default(void)
{
    sinew_CleanDef def = {
        .remove_spikes = true,
        .remove_jitter = true,
        .hold_feet = true,
        .reach = 0.98,
        .stop_time = 0.06,
        .cookie = SNW_COOKIE,
    };
    return def;
}

// ---------------------------------------------------------------------------------------------
// Frames against their neighbours

typedef struct Cleaner {
    const sinew_Skeleton *skeleton;
    int joints, frames;
    sinew_Transform *local; // of all frames   (frames x joints)
    sinew_Transform *fixed; // the same, repaired
} Cleaner;

static sinew_Transform *at(sinew_Transform *list, const Cleaner *c, int frame, int joint)
{
    return &list[(size_t)frame * (size_t)c->joints + (size_t)joint];
}

static void remove_spikes(Cleaner *c, sinew_CleanReport *report)
{
    for (int t = 1; t + 1 < c->frames; ++t) {
        for (int j = 0; j < c->joints; ++j) {
            sinew_Quat before = at(c->local, c, t - 1, j)->rotation;
            sinew_Quat after = at(c->local, c, t + 1, j)->rotation;
            sinew_Quat middle = sinew_quat_slerp(before, after, 0.5);
            sinew_Transform *now = at(c->local, c, t, j);
            double out = sinew_quat_angle(middle, now->rotation);
            if (out < SPIKE_ANGLE || out < SPIKE_SHARE * sinew_quat_angle(before, after)) {
                continue;
            }
            now->rotation = middle;
            ++report->spikes;
        }
    }
}

// Take out the fourth difference over 16: nothing of a cubic, all of what goes to and fro each frame.
static void remove_jitter(Cleaner *c, sinew_CleanReport *report)
{
    static const double weight[5] = { -1.0 / 16.0, 4.0 / 16.0, 0.0, 4.0 / 16.0, -1.0 / 16.0 };
    for (int t = 2; t + 2 < c->frames; ++t) {
        for (int j = 0; j < c->joints; ++j) {
            sinew_Transform now = *at(c->local, c, t, j);
            sinew_Quat back = sinew_quat_conjugate(now.rotation);
            sinew_Vec3 turn = { 0.0, 0.0, 0.0 }, way = turn;
            double fastest = 0.0;
            for (int k = 0; k < 5; ++k) {
                const sinew_Transform *other = at(c->local, c, t + k - 2, j);
                sinew_Vec3 step = sinew_quat_log(sinew_quat_mul(back, other->rotation));
                fastest = fmax(fastest, sinew_vec3_length(step));
                turn = sinew_vec3_add_scaled(turn, step, weight[k]);
                way = sinew_vec3_add_scaled(
                    way, sinew_vec3_sub(other->position, now.position), weight[k]);
            }
            if (fastest > 2.0 * FAST_TURN) { continue; }
            sinew_Transform *fixed = at(c->fixed, c, t, j);
            fixed->rotation = sinew_quat_normalize(
                sinew_quat_mul(now.rotation, sinew_quat_exp(turn)));
            fixed->position = sinew_vec3_add(now.position, way);
            report->smoothed_max = fmax(report->smoothed_max, sinew_vec3_length(turn));
        }
    }
}

static sinew_Status mend_frames(const sinew_CleanDef *def, const sinew_Clip *clip,
    sinew_Clip *result, sinew_CleanReport *report, sinew_Message *out_message)
{
    Cleaner c = { .skeleton = def->body.skeleton };
    c.joints = sinew_skeleton_joint_count(c.skeleton);
    c.frames = sinew_clip_frame_count(clip);
    size_t count = (size_t)c.joints * (size_t)c.frames;
    sinew_Transform *memory = snw_alloc_array(&def->allocator, 2 * count, sizeof *memory);
    if (memory == NULL) { return snw_no_memory(out_message, "a motion"); }
    c.local = memory;
    c.fixed = memory + count;
    for (int t = 0; t < c.frames; ++t) {
        sinew_pose_to_local(c.skeleton, sinew_clip_frame_const(clip, t), at(c.local, &c, t, 0));
    }
    if (def->remove_spikes) { remove_spikes(&c, report); }
    memcpy(c.fixed, c.local, count * sizeof *c.fixed);
    if (def->remove_jitter) { remove_jitter(&c, report); }
    sinew_Status status = SINEW_STATUS_OK;
    for (int t = 0; status == SINEW_STATUS_OK && t < c.frames; ++t) {
        status = sinew_pose_from_local(c.skeleton, at(c.fixed, &c, t, 0),
            sinew_clip_frame_const(clip, t), sinew_clip_frame(result, t), NULL, out_message);
    }
    snw_free(&def->allocator, memory, 2 * count * sizeof *memory);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Feet and limits

static void keep_limits(sinew_Clip *clip)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    for (int t = 0; t < sinew_clip_frame_count(clip); ++t) {
        sinew_pose_apply_limits(skeleton, sinew_clip_frame(clip, t));
    }
}

static sinew_Status hold_feet(const sinew_CleanDef *def, sinew_Clip **clip,
    sinew_CleanReport *report, sinew_Message *out_message)
{
    sinew_RetargeterDef own = sinew_retargeter_def_default();
    sinew_Retargeter *retargeter = NULL;
    sinew_Clip *held = NULL;
    own.source = own.target = def->body;
    own.hold_hands = false;
    own.reach = def->reach;
    own.stop_time = def->stop_time;
    own.allocator = def->allocator;
    sinew_Status status = sinew_retargeter_create(&own, &retargeter, out_message);
    if (status == SINEW_STATUS_OK) {
        status = sinew_retargeter_clip(retargeter, *clip, &held, &report->feet, out_message);
    }
    sinew_retargeter_destroy(retargeter);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_clip_destroy(*clip);
    *clip = held;
    return status;
}

// ---------------------------------------------------------------------------------------------
// The whole

static sinew_Status check(const sinew_CleanDef *def, const sinew_Clip *clip, sinew_Clip **out_clip,
    sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "def clip out_clip", def, clip, out_clip);
    if (status != SINEW_STATUS_OK) { return status; }
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(out_message, "clean"); }
    if (sinew_clip_skeleton(clip) != def->body.skeleton) {
        return snw_refuse(out_message, "the clip is not of body.skeleton");
    }
    sinew_PoseList poses = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    return snw_motion_check(def->body.skeleton, &poses, out_message);
}

sinew_Status sinew_clean_clip(const sinew_CleanDef *def, const sinew_Clip *clip,
    sinew_Clip **out_clip, sinew_CleanReport *out_report, sinew_Message *out_message)
{
    if (out_clip != NULL) { *out_clip = NULL; }
    sinew_Status status = check(def, clip, out_clip, out_message);
    if (status != SINEW_STATUS_OK || out_clip == NULL) { return status; }
    sinew_CleanDef own = *def;
    sinew_CleanReport report;
    sinew_Clip *result = NULL;
    memset(&report, 0, sizeof report);
    own.allocator = snw_allocator_or_default(&def->allocator);
    int frames = sinew_clip_frame_count(clip);
    status = sinew_clip_create(
        own.body.skeleton, frames, sinew_clip_frame_time(clip), &own.allocator, &result);
    if (status != SINEW_STATUS_OK) {
        return snw_fail(
            out_message, status, "no memory for a clip of %d frame%s", frames, snw_plural(frames));
    }
    status = mend_frames(&own, clip, result, &report, out_message);
    if (status == SINEW_STATUS_OK && own.hold_feet) {
        status = hold_feet(&own, &result, &report, out_message);
    } else if (status == SINEW_STATUS_OK) {
        keep_limits(result);
    }
    if (status != SINEW_STATUS_OK) {
        sinew_clip_destroy(result);
        return status;
    }
    *out_clip = result;
    if (out_report != NULL) { *out_report = report; }
    return SINEW_STATUS_OK;
}
