#include "motion/retarget_cycle.h"

#include "base/memory.h"
#include "math/holds.h"
#include "sinew/pose.h"

#include <math.h>
#include <string.h>

// A cycle's last frame is its first one, but for what files round, metres and radians.
#define CLOSES 1e-3

/// A body that is moved as a whole, and room for its joints.
typedef struct Mover {
    const sinew_Skeleton *skeleton;
    int joint;                    ///< the first that slides, -1: none; those above it are still
    sinew_Transform *one, *other; //                                      (joints)
    double *q;                    //                                      (coordinates)
    const sinew_Allocator *allocator;
    void *memory;
    size_t size;
} Mover;

static int find_slides(const sinew_Skeleton *skeleton)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        for (int a = joints[j].axis_start; a < joints[j].axis_start + joints[j].axis_count; ++a) {
            if (axes[a].kind == SINEW_AXIS_SLIDE) { return j; }
        }
        if (joints[j].axis_count > 0) { return -1; }
    }
    return -1;
}

static void take_room(snw_Arena *arena, Mover *mover)
{
    size_t joints = (size_t)sinew_skeleton_joint_count(mover->skeleton);
    mover->one = snw_arena_take(arena, joints, sizeof *mover->one);
    mover->other = snw_arena_take(arena, joints, sizeof *mover->other);
    mover->q = snw_arena_take(
        arena, (size_t)sinew_skeleton_coordinate_count(mover->skeleton), sizeof *mover->q);
}

static bool open_mover(
    const sinew_Skeleton *skeleton, const sinew_Allocator *allocator, Mover *mover)
{
    *mover = (Mover){ .skeleton = skeleton, .allocator = allocator };
    mover->joint = find_slides(skeleton);
    snw_Arena arena = { NULL, 0 };
    take_room(&arena, mover);
    if (!snw_arena_open(&arena, allocator, &mover->size)) { return false; }
    mover->memory = arena.base;
    take_room(&arena, mover);
    return true;
}

static void close_mover(Mover *mover)
{
    snw_free(mover->allocator, mover->memory, mover->size);
}

/// A pose moved as a whole, going on from a pose near to it; all joints but the first keep their bits.
static void move_pose(
    Mover *mover, const double *q, sinew_Transform move, const double *near_q, double *out_q)
{
    const sinew_Skeleton *skeleton = mover->skeleton;
    memmove(out_q, q, (size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *q);
    if (mover->joint < 0) { return; }
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[mover->joint];
    sinew_pose_forward(skeleton, q, mover->one);
    sinew_pose_to_local(skeleton, q, mover->other);
    sinew_Transform moved = sinew_transform_mul(move, mover->one[mover->joint]);
    mover->other[mover->joint] = joint->parent < 0
        ? moved
        : sinew_transform_mul(sinew_transform_inverse(mover->one[joint->parent]), moved);
    if (sinew_pose_from_local(skeleton, mover->other, near_q, mover->q, NULL, NULL)
        != SINEW_STATUS_OK) {
        return;
    }
    memcpy(&out_q[joint->coordinate_start], &mover->q[joint->coordinate_start],
        (size_t)joint->coordinate_count * sizeof *out_q);
}

static sinew_Transform place_of(Mover *mover, const double *q)
{
    if (mover->joint < 0) { return sinew_transform_identity(); }
    sinew_pose_forward(mover->skeleton, q, mover->one);
    return mover->one[mover->joint];
}

/// Whether all joints of one pose are those of another, moved.
static bool is_moved(Mover *mover, const double *from, const double *to, sinew_Transform move)
{
    sinew_pose_forward(mover->skeleton, from, mover->one);
    sinew_pose_forward(mover->skeleton, to, mover->other);
    for (int j = mover->joint; j < sinew_skeleton_joint_count(mover->skeleton); ++j) {
        const sinew_Transform moved = sinew_transform_mul(move, mover->one[j]);
        if (sinew_vec3_distance(moved.position, mover->other[j].position) > CLOSES
            || sinew_quat_angle(moved.rotation, mover->other[j].rotation) > CLOSES) {
            return false;
        }
    }
    return true;
}

/// The move along the ground that takes one place to another, which is turned by so much about up.
static sinew_Transform move_between(sinew_Vec3 from, sinew_Vec3 to, double turn, sinew_Vec3 up)
{
    SNW_ASSERT(snw_holds_direction(up));
    const sinew_Quat rotation = sinew_quat_from_axis_angle(up, turn);
    const sinew_Vec3 way = sinew_vec3_sub(to, sinew_quat_rotate(rotation, from));
    return (sinew_Transform){ sinew_vec3_add_scaled(way, up, -sinew_vec3_dot(way, up)), rotation };
}

sinew_Status snw_cycle_find(
    const sinew_Clip *clip, sinew_Vec3 up, const sinew_Allocator *allocator, snw_Cycle *out_cycle)
{
    SNW_ASSERT(snw_holds_direction(up));
    *out_cycle = (snw_Cycle){ .period = 0 };
    const int last = sinew_clip_frame_count(clip) - 1;
    if (last < 2) { return SINEW_STATUS_OK; }
    Mover mover;
    if (!open_mover(sinew_clip_skeleton(clip), allocator, &mover)) {
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    const double *first_q = sinew_clip_frame_const(clip, 0),
                 *last_q = sinew_clip_frame_const(clip, last);
    const sinew_Transform from = place_of(&mover, first_q), to = place_of(&mover, last_q);
    const sinew_Vec3 turn = sinew_quat_log(
        sinew_quat_mul(to.rotation, sinew_quat_conjugate(from.rotation)));
    const double about_up = sinew_vec3_dot(turn, up);
    const sinew_Transform move = move_between(from.position, to.position, about_up, up);
    if (mover.joint >= 0 && is_moved(&mover, first_q, last_q, move)) {
        *out_cycle = (snw_Cycle){ last, move, about_up };
    }
    close_mover(&mover);
    return SINEW_STATUS_OK;
}

sinew_Status snw_cycle_unroll(const sinew_Clip *clip, const snw_Cycle *cycle,
    const sinew_Allocator *allocator, sinew_Clip **out_clip)
{
    SNW_ASSERT(cycle->period > 0);
    *out_clip = NULL;
    Mover mover;
    if (!open_mover(sinew_clip_skeleton(clip), allocator, &mover)) {
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    const int count = SNW_CYCLE_ROUNDS * cycle->period + 1;
    sinew_Status status = sinew_clip_create(
        sinew_clip_skeleton(clip), count, sinew_clip_frame_time(clip), allocator, out_clip);
    sinew_Transform move = sinew_transform_identity();
    for (int t = 0; status == SINEW_STATUS_OK && t < count; ++t) {
        const int at = t % cycle->period;
        if (t > 0 && at == 0) { move = sinew_transform_mul(cycle->move, move); }
        const double *near_q = sinew_clip_frame_const(*out_clip, t > 0 ? t - 1 : 0);
        const double *q = sinew_clip_frame_const(clip, at);
        move_pose(&mover, q, move, t < cycle->period ? q : near_q, sinew_clip_frame(*out_clip, t));
    }
    close_mover(&mover);
    return status;
}

sinew_Status snw_cycle_cut(const sinew_Clip *rounds, const snw_Cycle *cycle, sinew_Vec3 up,
    const sinew_Allocator *allocator, sinew_Clip **out_clip)
{
    const int period = cycle->period, count = period + 1;
    SNW_ASSERT(sinew_clip_frame_count(rounds) == SNW_CYCLE_ROUNDS * period + 1);
    *out_clip = NULL;
    Mover mover;
    if (!open_mover(sinew_clip_skeleton(rounds), allocator, &mover)) {
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    sinew_Status status = sinew_clip_create(
        sinew_clip_skeleton(rounds), count, sinew_clip_frame_time(rounds), allocator, out_clip);
    if (status == SINEW_STATUS_OK) {
        const double *begin = sinew_clip_frame_const(rounds, period);
        const sinew_Vec3 first = place_of(&mover, sinew_clip_frame_const(rounds, 0)).position,
                         second = place_of(&mover, begin).position,
                         third =
                             place_of(&mover, sinew_clip_frame_const(rounds, 2 * period)).position;
        const sinew_Transform back = move_between(second, first, -cycle->turn, up);
        // the first round begins as clips do; what the next ones are apart is the way
        const sinew_Transform way = move_between(second, third, cycle->turn, up);
        const sinew_Transform on = sinew_transform_mul(
            sinew_transform_mul(back, way), sinew_transform_inverse(back));
        for (int t = 0; t < period; ++t) {
            const double *q = sinew_clip_frame_const(rounds, period + t);
            move_pose(&mover, q, back, t > 0 ? sinew_clip_frame_const(*out_clip, t - 1) : q,
                sinew_clip_frame(*out_clip, t));
        }
        move_pose(&mover, sinew_clip_frame_const(*out_clip, 0), on,
            sinew_clip_frame_const(*out_clip, period - 1), sinew_clip_frame(*out_clip, period));
    }
    close_mover(&mover);
    return status;
}
