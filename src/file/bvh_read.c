// From the numbers of a BVH file to a skeleton and a clip in metres and radians.

#include "base/memory.h"
#include "base/message.h"
#include "file/bvh.h"
#include "math/euler.h"

#include <stdio.h>
#include <string.h>

#define RADIANS (SINEW_PI / 180.0)

typedef struct Reader {
    snw_Text *text;
    const sinew_ReadOptions *options;
    sinew_MotionFile *file;
    snw_Buffer lead; // the first numbers   (lead_count x channel_count)
    int lead_count;
    snw_BvhUnit unit;
} Reader;

static sinew_Status read_lead(Reader *reader)
{
    const snw_Bvh *bvh = &reader->file->bvh;
    size_t width = (size_t)bvh->channel_count;
    reader->lead_count = bvh->frame_count < SNW_BVH_LEAD_FRAMES ? bvh->frame_count
                                                                : SNW_BVH_LEAD_FRAMES;
    double *lead = snw_buffer_extend(
        &reader->lead, (size_t)reader->lead_count * width * sizeof(double));
    double *first = snw_buffer_extend(&reader->file->first_frame, width * sizeof(double));
    if (lead == NULL || first == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }

    reader->text->at = bvh->motion_start;
    for (int f = 0; f < reader->lead_count; ++f) {
        sinew_Status status = snw_bvh_parse_frame(reader->text, bvh, f, lead + (size_t)f * width);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    if (reader->lead_count > 0 && width > 0) { memcpy(first, lead, width * sizeof(double)); }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// What position channels mean

int snw_bvh_judge_positions(
    const snw_Bvh *bvh, const double *lead, int lead_count, double offset_scale, bool *out_adds)
{
    // how far the bone lengths of the first frames are from those of OFFSET
    double off_added = 0.0, off_replaced = 0.0;
    int count = 0;
    for (int j = 0; j < bvh->joint_count; ++j) {
        const snw_BvhJoint *joint = &snw_bvh_joints(bvh)[j];
        if (joint->parent < 0 || !snw_bvh_has_positions(joint)) { continue; }
        ++count;
        double rest = offset_scale * snw_bvh_length(joint->offset);
        for (int f = 0; f < lead_count; ++f) {
            const double *row = lead + (size_t)f * (size_t)bvh->channel_count;
            double added[3], replaced[3];
            for (int i = 0; i < 3; ++i) {
                int place = joint->position_place[i];
                double value = place >= 0 ? row[joint->channel_start + place] : 0.0;
                double offset = offset_scale * joint->offset[i];
                added[i] = offset + value;
                replaced[i] = place >= 0 ? value : offset;
            }
            off_added += fabs(snw_bvh_length(added) - rest);
            off_replaced += fabs(snw_bvh_length(replaced) - rest);
        }
    }
    *out_adds = off_added < off_replaced;
    return count;
}

static void decide_positions(Reader *reader)
{
    const snw_Bvh *bvh = &reader->file->bvh;
    bool looks_added;
    int count = snw_bvh_judge_positions(bvh, (const double *)(const void *)reader->lead.data,
        reader->lead_count, 1.0, &looks_added);
    bool is_auto = reader->options->positions == SINEW_BVH_POSITIONS_AUTO;
    bool children_add = is_auto ? looks_added
                                : reader->options->positions == SINEW_BVH_POSITIONS_ADD;
    bool roots_add = reader->options->positions == SINEW_BVH_POSITIONS_ADD;
    for (int j = 0; j < bvh->joint_count; ++j) {
        snw_BvhJoint *joint = &snw_bvh_joints(bvh)[j];
        joint->adds_positions = joint->parent < 0 ? roots_add : children_add;
    }
    if (count > 0) {
        snw_motion_warn(reader->file, "position channels on %d joint%s below the root: %s OFFSET%s",
            count, snw_plural(count), children_add ? "added to" : "they replace",
            is_auto ? ", which keeps the bone lengths" : ", as asked");
    }
}

static void warn_root_offset(Reader *reader)
{
    const snw_Bvh *bvh = &reader->file->bvh;
    const double *lead = (const double *)(const void *)reader->lead.data;
    for (int j = 0; j < bvh->joint_count; ++j) {
        const snw_BvhJoint *joint = &snw_bvh_joints(bvh)[j];
        if (joint->parent >= 0 || joint->adds_positions || !snw_bvh_has_positions(joint)) {
            continue;
        }
        double rest = snw_bvh_length(joint->offset);
        if (!(rest > 0.0)) { continue; }
        double start[3] = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < 3 && reader->lead_count > 0; ++i) {
            int place = joint->position_place[i];
            start[i] = place >= 0 ? lead[joint->channel_start + place] : joint->offset[i];
        }
        bool looks_added = reader->lead_count > 0 && snw_bvh_length(start) < 0.05 * rest;
        snw_motion_warn(reader->file,
            "root %s has OFFSET %.6g %.6g %.6g, replaced by its position channels%s",
            snw_bvh_name(bvh, j), joint->offset[0], joint->offset[1], joint->offset[2],
            looks_added ? "; they start near 0, so they may be differences to it" : "");
    }
}

// ---------------------------------------------------------------------------------------------
// Skeleton

// names as written, End Sites "<parent>_end", "<parent>_end2" and so on
static bool name_joints(const snw_Bvh *bvh, snw_Buffer *names, size_t *starts, int *end_site_counts)
{
    for (int j = 0; j < bvh->joint_count; ++j) {
        const snw_BvhJoint *joint = &snw_bvh_joints(bvh)[j];
        starts[j] = names->size;
        snw_buffer_add_text(names, snw_bvh_name(bvh, joint->is_end_site ? joint->parent : j));
        if (joint->is_end_site) {
            char ending[24] = "_end";
            int ordinal = ++end_site_counts[joint->parent];
            if (ordinal > 1) { snprintf(ending, sizeof ending, "_end%d", ordinal); }
            snw_buffer_add_text(names, ending);
        }
        snw_buffer_add(names, "", 1);
    }
    return !names->failed;
}

static sinew_Vec3 axis_direction(int axis)
{
    return sinew_vec3(axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0);
}

// positions first whatever their place among the channels, then the rotations in their order
static int make_axes(const snw_BvhJoint *joint, bool euler_joints, sinew_Axis *out_axes)
{
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        if (joint->position_place[i] >= 0) {
            out_axes[count++] = sinew_axis_slide(axis_direction(i));
        }
    }
    if (snw_bvh_is_ball(joint) && !euler_joints) {
        out_axes[count++] = sinew_axis_ball();
        return count;
    }
    for (int i = 0; i < joint->rotation_count; ++i) {
        out_axes[count++] = sinew_axis_hinge(
            axis_direction(joint->rotation_axis[i]), -INFINITY, INFINITY);
    }
    return count;
}

static sinew_Status fill_skeleton(Reader *reader, sinew_JointDef *defs, sinew_Axis *axes,
    size_t *starts, int *end_site_counts, snw_Buffer *names)
{
    const snw_Bvh *bvh = &reader->file->bvh;
    double unit = reader->file->unit;
    if (!name_joints(bvh, names, starts, end_site_counts)) { return SINEW_STATUS_OUT_OF_MEMORY; }
    for (int j = 0; j < bvh->joint_count; ++j) {
        const snw_BvhJoint *joint = &snw_bvh_joints(bvh)[j];
        sinew_Axis *own_axes = axes + (size_t)j * SINEW_MAX_AXES_PER_JOINT;
        defs[j] = sinew_joint_def_default();
        defs[j].name = names->data + starts[j];
        defs[j].parent = joint->parent;
        defs[j].offset = sinew_vec3(
            joint->offset[0] * unit, joint->offset[1] * unit, joint->offset[2] * unit);
        defs[j].axes = own_axes;
        defs[j].axis_count = make_axes(joint, reader->options->euler_joints, own_axes);
    }
    sinew_Message message;
    sinew_Status status = sinew_skeleton_create(
        defs, bvh->joint_count, &reader->file->allocator, &reader->file->skeleton, &message);
    if (status == SINEW_STATUS_INVALID_ARGUMENT) {
        return snw_fail(reader->text->message, SINEW_STATUS_BAD_FILE, "%s: with a unit of %g m, %s",
            reader->text->name, unit, message.text);
    }
    return status;
}

static sinew_Status make_skeleton(Reader *reader)
{
    const sinew_Allocator *allocator = &reader->file->allocator;
    size_t count = (size_t)reader->file->bvh.joint_count;
    snw_Arena arena = { NULL, 0 };
    size_t size = 0;
    snw_Buffer names = snw_buffer_create(allocator);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    for (int pass = 0; pass < 2; ++pass) {
        sinew_JointDef *defs = snw_arena_take(&arena, count, sizeof *defs);
        sinew_Axis *axes = snw_arena_take(&arena, count * SINEW_MAX_AXES_PER_JOINT, sizeof *axes);
        size_t *starts = snw_arena_take(&arena, count, sizeof *starts);
        int *end_site_counts = snw_arena_take(&arena, count, sizeof *end_site_counts);
        if (pass == 0) {
            if (!snw_arena_open(&arena, allocator, &size)) { break; }
        } else {
            status = fill_skeleton(reader, defs, axes, starts, end_site_counts, &names);
        }
    }
    snw_buffer_destroy(&names);
    snw_free(allocator, arena.base, size);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Clip

// one joint's numbers to its coordinates; previous are those of the frame before, or NULL
static void convert_joint(const snw_BvhJoint *joint, const double *numbers, double unit,
    bool euler_joints, const double *previous, double *q)
{
    int next = 0;
    for (int i = 0; i < 3; ++i) {
        int place = joint->position_place[i];
        if (place < 0) { continue; }
        double base = joint->adds_positions ? 0.0 : joint->offset[i];
        q[next++] = (numbers[place] - base) * unit;
    }
    if (!snw_bvh_is_ball(joint) || euler_joints) {
        for (int i = 0; i < joint->rotation_count; ++i) {
            q[next++] = numbers[joint->rotation_place[i]] * RADIANS;
        }
        return;
    }
    double angles[3];
    for (int i = 0; i < 3; ++i) { angles[i] = numbers[joint->rotation_place[i]] * RADIANS; }
    sinew_Quat turn = snw_euler_to_quat(joint->rotation_axis, angles);
    // of the two quaternions of a rotation, the one next to the frame before
    double sign = 1.0;
    if (previous != NULL) {
        const double *p = previous + next;
        double dot = turn.x * p[0] + turn.y * p[1] + turn.z * p[2] + turn.w * p[3];
        sign = dot < 0.0 ? -1.0 : 1.0;
    }
    q[next] = sign * turn.x;
    q[next + 1] = sign * turn.y;
    q[next + 2] = sign * turn.z;
    q[next + 3] = sign * turn.w;
}

static sinew_Status read_frames(Reader *reader, double *numbers)
{
    sinew_MotionFile *file = reader->file;
    const snw_Bvh *bvh = &file->bvh;
    const snw_BvhJoint *joints = snw_bvh_joints(bvh);
    const sinew_Joint *places = sinew_skeleton_joints(file->skeleton);
    reader->text->at = bvh->motion_start;
    const double *previous = NULL;
    for (int f = 0; f < bvh->frame_count; ++f) {
        sinew_Status status = snw_bvh_parse_frame(reader->text, bvh, f, numbers);
        if (status != SINEW_STATUS_OK) { return status; }
        double *q = sinew_clip_frame(file->clip, f);
        for (int j = 0; j < bvh->joint_count; ++j) {
            int start = places[j].coordinate_start;
            convert_joint(&joints[j], numbers + joints[j].channel_start, file->unit,
                reader->options->euler_joints, previous != NULL ? previous + start : NULL,
                q + start);
        }
        previous = q;
    }
    return SINEW_STATUS_OK;
}

static sinew_Status make_clip(Reader *reader)
{
    sinew_MotionFile *file = reader->file;
    const snw_Bvh *bvh = &file->bvh;
    sinew_Status status = sinew_clip_create(
        file->skeleton, bvh->frame_count, bvh->frame_time, &file->allocator, &file->clip);
    if (status == SINEW_STATUS_CAPACITY) {
        char found[64];
        snprintf(
            found, sizeof found, "%d frames of %d numbers", bvh->frame_count, bvh->channel_count);
        snw_text_fail_at(
            reader->text, bvh->motion_start, found, "at most %zu numbers", SINEW_MAX_CLIP_NUMBERS);
        return SINEW_STATUS_BAD_FILE;
    }
    if (status != SINEW_STATUS_OK) { return status; }
    size_t size = (size_t)bvh->channel_count * sizeof(double);
    double *numbers = snw_alloc(&file->allocator, size);
    if (numbers == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    status = read_frames(reader, numbers);
    snw_free(&file->allocator, numbers, size);
    return status;
}

static sinew_Status decide_unit(Reader *reader)
{
    if (!snw_bvh_guess_unit(&reader->file->bvh, &reader->file->allocator, &reader->unit)) {
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    bool given = reader->options->unit > 0.0;
    double said = given ? reader->options->unit : reader->file->bvh.noted_unit;
    bool guessed = !(said > 0.0);
    reader->file->unit = guessed ? reader->unit.unit : said;
    reader->file->unit_source = guessed ? reader->unit.source : SINEW_UNIT_NOTED;
    if (given) { reader->file->unit_source = SINEW_UNIT_GIVEN; }
    reader->file->stature = reader->unit.stature / reader->unit.unit * reader->file->unit;
    if (guessed && reader->unit.reason[0] != '\0') {
        snw_motion_warn(reader->file, "%s", reader->unit.reason);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status read_with(Reader *reader)
{
    sinew_Status status = snw_bvh_parse(reader->text, &reader->file->bvh);
    if (status == SINEW_STATUS_OK) { status = read_lead(reader); }
    if (status == SINEW_STATUS_OK) { status = decide_unit(reader); }
    if (status != SINEW_STATUS_OK) { return status; }
    decide_positions(reader);
    warn_root_offset(reader);
    status = make_skeleton(reader);
    if (status == SINEW_STATUS_OK) { status = make_clip(reader); }
    if (status == SINEW_STATUS_OK) { snw_bvh_inspect(reader->file, reader->text, &reader->unit); }
    return status;
}

sinew_Status snw_bvh_read(snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file)
{
    Reader reader;
    memset(&reader, 0, sizeof reader);
    reader.text = text;
    reader.options = options;
    reader.file = file;
    reader.lead = snw_buffer_create(&file->allocator);
    sinew_Status status = read_with(&reader);
    snw_buffer_destroy(&reader.lead);
    return status;
}
