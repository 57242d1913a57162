#include "walk_loop.h"

#include "arguments.h"

#include "math/quat.h"
#include "sinew/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Loops that begin so many strides apart are tried.
enum { TRIED_LOOPS = 8 };

// ---------------------------------------------------------------------------------------------
// Recordings

static bool grow(cli_Recording *r)
{
    if (r->frame_count < r->capacity) { return true; }
    size_t width = (size_t)sinew_skeleton_coordinate_count(r->skeleton);
    size_t capacity = r->capacity < 1024 ? 1024 : 2 * (size_t)r->capacity;
    double *frames = realloc(r->frames, capacity * width * sizeof *frames);
    if (frames == NULL) { return cli_out_of_memory(); }
    r->frames = frames;
    cli_Place *places = realloc(r->places, capacity * sizeof *places);
    if (places == NULL) { return cli_out_of_memory(); }
    r->places = places;
    r->capacity = (int)capacity;
    return true;
}

double *cli_recording_frame(cli_Recording *r)
{
    if (!grow(r)) { return NULL; }
    return r->frames
        + (size_t)r->frame_count * (size_t)sinew_skeleton_coordinate_count(r->skeleton);
}

void cli_recording_keep(cli_Recording *r, double x, double z, double heading)
{
    if (r->frame_count > 0) {
        const double before = r->places[r->frame_count - 1].heading, turn = heading - before;
        heading = before + turn - 2.0 * SINEW_PI * floor(turn / (2.0 * SINEW_PI) + 0.5);
    }
    r->places[r->frame_count++] = (cli_Place){ x, z, heading };
}

bool cli_recording_land(cli_Recording *r, double time)
{
    if (r->contact_count == r->contact_capacity) {
        int capacity = r->contact_capacity < 64 ? 64 : 2 * r->contact_capacity;
        double *contacts = realloc(r->contacts, (size_t)capacity * sizeof *contacts);
        if (contacts == NULL) { return cli_out_of_memory(); }
        r->contacts = contacts;
        r->contact_capacity = capacity;
    }
    r->contacts[r->contact_count++] = time;
    return true;
}

void cli_recording_close(cli_Recording *r)
{
    free(r->frames);
    free(r->places);
    free(r->contacts);
}

/// The pose and the place at a moment.
static cli_Place sample(const cli_Recording *r, double time, double *out_q)
{
    size_t width = (size_t)sinew_skeleton_coordinate_count(r->skeleton);
    double at = fmin(fmax(time / r->frame_time - 1.0, 0.0), r->frame_count - 1.0);
    int i = at < r->frame_count - 1 ? (int)at : r->frame_count - 2;
    const double t = at - i, *q = r->frames + (size_t)i * width;
    sinew_pose_interpolate(r->skeleton, q, q + width, t, out_q);
    const cli_Place *a = &r->places[i], *b = a + 1;
    return (cli_Place){ a->x + t * (b->x - a->x), a->z + t * (b->z - a->z),
        a->heading + t * (b->heading - a->heading) };
}

double cli_largest_turn(
    const sinew_Skeleton *skeleton, const double *a, const double *b, const double *mask)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    double most = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        if (mask != NULL && mask[j] <= 0.0) { continue; }
        for (int i = joints[j].axis_start; i < joints[j].axis_start + joints[j].axis_count; ++i) {
            const int c = places[i].coordinate;
            double turn = 0.0;
            if (axes[i].kind == SINEW_AXIS_BALL) {
                turn = sinew_quat_angle(snw_quat_load(&a[c]), snw_quat_load(&b[c]));
            } else if (axes[i].kind == SINEW_AXIS_HINGE) {
                turn = fabs(a[c] - b[c]);
            }
            most = fmax(most, turn);
        }
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Places

static sinew_Transform transform_of(const cli_Place *place)
{
    return (sinew_Transform){ { place->x, 0.0, place->z },
        sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), place->heading) };
}

/// Where a root is after a share of an even way, seen from where it starts.
static cli_Place even_way(const cli_Loop *loop, double share)
{
    const double time = share * loop->duration, turn = time * loop->turn;
    // along an arc: integrals of cosine and sine of the heading
    double along = time, across = 0.5 * time * turn;
    if (fabs(turn) > 1e-6) {
        along = time * sin(turn) / turn;
        across = time * (1.0 - cos(turn)) / turn;
    }
    return (cli_Place){ loop->forward * across + loop->left * along,
        loop->forward * along - loop->left * across, turn };
}

/// The even way that leads from one place to another.
static void find_way(const cli_Place *from, const cli_Place *to, cli_Loop *loop)
{
    const double x = to->x - from->x, z = to->z - from->z;
    const double s = sin(from->heading), c = cos(from->heading);
    const double left = x * c - z * s, ahead = x * s + z * c;
    loop->turn = (to->heading - from->heading) / loop->duration;
    loop->forward = 0.0;
    loop->left = 1.0;
    const cli_Place unit = even_way(loop, 1.0);
    const double square = unit.x * unit.x + unit.z * unit.z, along = unit.x, across = -unit.z;
    loop->forward = (across * left + along * ahead) / square;
    loop->left = (along * left - across * ahead) / square;
}

/// Scratch of poses that are moved.
typedef struct Mover {
    const sinew_Skeleton *skeleton;
    sinew_Transform *world;
    double *poses[3], *near;
} Mover;

static void close_mover(Mover *mover)
{
    free(mover->world);
    free(mover->near);
    memset(mover, 0, sizeof *mover);
}

/// false after a message: there is nothing to close then, but it may be closed.
static bool open_mover(const sinew_Skeleton *skeleton, Mover *mover)
{
    const size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton) + 1;
    memset(mover, 0, sizeof *mover);
    mover->skeleton = skeleton;
    mover->world = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *mover->world);
    mover->near = calloc(4 * width, sizeof *mover->near);
    if (mover->world == NULL || mover->near == NULL) {
        close_mover(mover);
        cli_out_of_memory();
        return false;
    }
    for (size_t i = 0; i < 3; ++i) { mover->poses[i] = mover->near + (i + 1) * width; }
    return true;
}

/// Move a whole body; its root's angles go on from those of last, where there are any.
static bool move_pose(Mover *mover, sinew_Transform by, const double *last, double *q)
{
    const sinew_Joint *root = sinew_skeleton_joints(mover->skeleton);
    size_t width = (size_t)sinew_skeleton_coordinate_count(mover->skeleton);
    sinew_pose_forward(mover->skeleton, q, mover->world);
    for (int j = 0; j < sinew_skeleton_joint_count(mover->skeleton); ++j) {
        mover->world[j] = sinew_transform_mul(by, mover->world[j]);
    }
    memcpy(mover->near, q, width * sizeof *q);
    if (last != NULL) { memcpy(mover->near, last, (size_t)root->coordinate_count * sizeof *q); }
    return sinew_pose_from_world(
               mover->skeleton, mover->world, mover->near, q, mover->world, NULL, NULL)
        == SINEW_STATUS_OK;
}

/// The pose at a moment, seen from an even way that is at place `from` when the loop starts.
static bool sample_along(const cli_Recording *r, const cli_Loop *loop, const cli_Place *from,
    double share, Mover *mover, const double *last, double *q)
{
    const cli_Place along = even_way(loop, share);
    sample(r, loop->start + share * loop->duration, q);
    const sinew_Transform way = sinew_transform_mul(transform_of(from), transform_of(&along));
    return move_pose(mover, sinew_transform_inverse(way), last, q);
}

// ---------------------------------------------------------------------------------------------
// Loops

int cli_loop_landings(int stride_count)
{
    return stride_count + TRIED_LOOPS;
}

bool cli_loop_find(const cli_Recording *r, int stride_count, double fps, cli_Loop *out_loop)
{
    const int last = r->contact_count - 1, first = last - cli_loop_landings(stride_count) + 1;
    Mover mover;
    cli_Loop loop;
    memset(&loop, 0, sizeof loop);
    memset(out_loop, 0, sizeof *out_loop);
    if (first < 0 || !open_mover(r->skeleton, &mover)) { return false; }
    loop.stride_count = stride_count;
    // landings are told by ticks; over many strides that does not count
    loop.duration = stride_count * (r->contacts[last] - r->contacts[first]) / (last - first);
    loop.frame_count = (int)fmax(2.0, floor(loop.duration * fps + 0.5)) + 1;
    loop.quicker = loop.duration * fps / (loop.frame_count - 1);
    bool done = true;
    for (int i = first; done && i + stride_count <= last; ++i) {
        loop.start = r->contacts[i];
        const cli_Place from = sample(r, loop.start, mover.poses[2]);
        const cli_Place to = sample(r, loop.start + loop.duration, mover.poses[2]);
        find_way(&from, &to, &loop);
        done = sample_along(r, &loop, &from, 0.0, &mover, NULL, mover.poses[0])
            && sample_along(r, &loop, &from, 1.0, &mover, mover.poses[0], mover.poses[1]);
        loop.seam = cli_largest_turn(r->skeleton, mover.poses[0], mover.poses[1], NULL);
        if (out_loop->stride_count == 0 || loop.seam < out_loop->seam) { *out_loop = loop; }
    }
    close_mover(&mover);
    return done;
}

static bool fill_loop(
    const cli_Recording *r, const cli_Loop *loop, bool in_place, Mover *mover, sinew_Clip *clip)
{
    const int last = sinew_clip_frame_count(clip) - 1;
    double *now = mover->poses[0], *before = mover->poses[1];
    const cli_Place from = sample(r, loop->start, now);
    for (int i = 0; i <= last; ++i) {
        const double share = (double)i / last;
        double *q = sinew_clip_frame(clip, i),
               *above = i > 0 ? sinew_clip_frame(clip, i - 1) : NULL;
        if (!sample_along(r, loop, &from, share, mover, above, now)
            || !sample_along(r, loop, &from, share - 1.0, mover, now, before)) {
            return false;
        }
        sinew_pose_interpolate(r->skeleton, now, before, share, q);
        const cli_Place along = even_way(loop, share);
        if (!in_place && !move_pose(mover, transform_of(&along), above, q)) { return false; }
    }
    return true;
}

bool cli_loop_make(
    const cli_Recording *r, const cli_Loop *loop, double fps, bool in_place, sinew_Clip **out_clip)
{
    Mover mover;
    if (sinew_clip_create(r->skeleton, loop->frame_count, 1.0 / fps, NULL, out_clip)
        != SINEW_STATUS_OK) {
        return cli_out_of_memory();
    }
    bool done = open_mover(r->skeleton, &mover) && fill_loop(r, loop, in_place, &mover, *out_clip);
    close_mover(&mover);
    return done;
}

bool cli_stay_in_place(const cli_Recording *r, sinew_Clip *clip)
{
    Mover mover;
    bool done = open_mover(r->skeleton, &mover);
    for (int i = 0; done && i < sinew_clip_frame_count(clip); ++i) {
        const sinew_Transform root = transform_of(&r->places[i]);
        done = move_pose(&mover, sinew_transform_inverse(root),
            i > 0 ? sinew_clip_frame(clip, i - 1) : NULL, sinew_clip_frame(clip, i));
    }
    close_mover(&mover);
    return done;
}
