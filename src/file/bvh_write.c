// From a clip to the text of a BVH file.
//
// The layout is a snw_Bvh: that of the file to write like, or one made from the skeleton. Each
// joint's local transform is then said in the channels of the layout, so a clip of balls can be
// written into hinges' channels and the other way round.

#include "base/message.h"
#include "file/bvh.h"
#include "file/format.h"
#include "math/euler.h"
#include "math/holds.h"
#include "math/quat.h"

#include <stdio.h>
#include <string.h>

#define DEGREES (180.0 / SINEW_PI)
#define RADIANS (SINEW_PI / 180.0)
#define CENTIMETRE 0.01
#define SAME_UNIT 1e-9 // part by which a guess may be off

// A turn or a shift that the channels of a joint cannot say may be lost up to this, radians and
// parts of the figure's size.
#define LOST_TURN 1e-6
#define LOST_SHIFT 1e-6

// Writing and reading again moves no joint by more than 1e-6 of the figure's size: angles rounded
// to half of 1e-6 degrees turn a joint by at most 1.6e-8 rad, and so many joints may add theirs up;
// deeper chains get more digits. Positions may take the other half.
#define ANGLE_DECIMALS 6
#define ANGLE_DEPTH 30
#define POSITION_SHARE 2e-7
#define MIN_POSITION_DECIMALS 6
#define MAX_DECIMALS 12

// Digits of OFFSETs that are converted from another unit, and the deepest indentation.
#define OFFSET_DIGITS 12
#define MAX_INDENT 64

typedef struct Writer {
    const sinew_Clip *clip;
    const sinew_Skeleton *skeleton;
    const snw_Bvh *bvh;
    const sinew_MotionFile *like; // or NULL
    // Turns of the joints in the rest pose, which becomes the zero of all channels; NULL: channels
    // hold the turns of the rest pose as well   (joint_count)
    const sinew_Quat *world_from_rest;
    double unit;        // metres per unit of the written file
    double offset_unit; // metres per unit of the layout's OFFSETs
    int angle_decimals, position_decimals;
    // OFFSETs of what position channels below the root say are written as 0, where added and replaced are the same
    bool drops_offsets;
    double *row;    // numbers of one frame in file units and degrees   (channel_count)
    double *angles; // radians of the frame before, by channel          (channel_count)
    snw_Buffer *text;
    sinew_Message *message;
} Writer;

// ---------------------------------------------------------------------------------------------
// Layout for a skeleton without a file

static const unsigned char all_positions[3] = { SNW_BVH_X_POSITION, SNW_BVH_Y_POSITION,
    SNW_BVH_Z_POSITION };
static const unsigned char rotations_zxy[3] = { SNW_BVH_Z_ROTATION, SNW_BVH_X_ROTATION,
    SNW_BVH_Y_ROTATION };

static void add_channel(snw_BvhJoint *joint, unsigned char channel)
{
    int place = joint->channel_count++;
    joint->channels[place] = channel;
    if (channel < SNW_BVH_X_ROTATION) {
        joint->position_place[channel] = place;
        return;
    }
    joint->rotation_place[joint->rotation_count] = (unsigned char)place;
    joint->rotation_axis[joint->rotation_count++] = channel - SNW_BVH_X_ROTATION;
}

// a leaf that cannot move and is called "<parent>_end" (and a number) came from an End Site
static bool is_end_site(const sinew_Skeleton *skeleton, int j)
{
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[j];
    if (joint->axis_count > 0 || joint->subtree_count > 1 || joint->parent < 0) { return false; }
    const char *parent_name = sinew_skeleton_joints(skeleton)[joint->parent].name;
    size_t length = strlen(parent_name);
    if (strncmp(joint->name, parent_name, length) != 0) { return false; }
    if (strncmp(joint->name + length, "_end", 4) != 0) { return false; }
    return strspn(joint->name + length + 4, "0123456789") == strlen(joint->name + length + 4);
}

static bool has_rest_turn(const Writer *writer, int j)
{
    return writer->world_from_rest == NULL
        && !snw_quat_is_identity(sinew_skeleton_joints(writer->skeleton)[j].rest_rotation);
}

static void choose_channels(const Writer *writer, int j, snw_BvhJoint *out_joint)
{
    const sinew_Skeleton *skeleton = writer->skeleton;
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[j];
    bool slides = joint->parent < 0, turns = joint->parent < 0 || has_rest_turn(writer, j);
    for (int i = 0; i < joint->axis_count; ++i) {
        bool is_slide = sinew_skeleton_axes(skeleton)[joint->axis_start + i].kind
            == SINEW_AXIS_SLIDE;
        slides = slides || is_slide;
        turns = turns || !is_slide;
    }
    for (int i = 0; i < 3 && slides; ++i) { add_channel(out_joint, all_positions[i]); }
    for (int i = 0; i < 3 && turns; ++i) { add_channel(out_joint, rotations_zxy[i]); }
}

// what would end a name in the file becomes "_", a blank name gets a number
static void add_safe_name(snw_Buffer *out, const char *name, int j)
{
    char replacement[32];
    if (name[strspn(name, " \t\r\n\v\f")] == '\0') {
        snprintf(replacement, sizeof replacement, "joint%d", j);
        name = replacement;
    }
    for (const char *p = name; *p != '\0'; ++p) {
        bool breaks = snw_is_line_end(*p) || *p == '{';
        snw_buffer_add(out, breaks ? "_" : p, 1);
    }
}

// the frame that offsets and channels of a joint are in, in the frame of its parent
static sinew_Quat written_from_parent(const Writer *writer, int parent)
{
    bool turned = writer->world_from_rest != NULL && parent >= 0;
    return turned ? writer->world_from_rest[parent] : sinew_quat_identity();
}

static bool make_layout(const Writer *writer, snw_Bvh *bvh)
{
    const sinew_Skeleton *skeleton = writer->skeleton;
    bvh->joint_count = sinew_skeleton_joint_count(skeleton);
    for (int j = 0; j < bvh->joint_count; ++j) {
        const sinew_Joint *source = &sinew_skeleton_joints(skeleton)[j];
        snw_BvhJoint *joint = snw_buffer_extend(&bvh->joints, sizeof *joint);
        if (joint == NULL) { return false; }
        joint->parent = source->parent;
        joint->name = bvh->names.size;
        sinew_Vec3 offset = sinew_quat_rotate(
            written_from_parent(writer, source->parent), source->offset);
        joint->offset[0] = offset.x;
        joint->offset[1] = offset.y;
        joint->offset[2] = offset.z;
        for (int i = 0; i < 3; ++i) { joint->position_place[i] = -1; }
        joint->is_end_site = is_end_site(skeleton, j) && !has_rest_turn(writer, j);
        joint->channel_start = bvh->channel_count;
        if (!joint->is_end_site) { choose_channels(writer, j, joint); }
        bvh->channel_count += joint->channel_count;
        if (!joint->is_end_site) { add_safe_name(&bvh->names, source->name, j); }
        snw_buffer_add(&bvh->names, "", 1);
    }
    return !bvh->names.failed;
}

static sinew_Status check_like(
    const sinew_Skeleton *skeleton, const sinew_MotionFile *like, sinew_Message *out_message)
{
    int count = sinew_skeleton_joint_count(skeleton);
    int like_count = sinew_skeleton_joint_count(like->skeleton);
    if (count != like_count) {
        return snw_refuse(out_message, "the clip has %d joint%s, the file to write like has %d",
            count, snw_plural(count), like_count);
    }
    const sinew_Joint *a = sinew_skeleton_joints(skeleton);
    const sinew_Joint *b = sinew_skeleton_joints(like->skeleton);
    for (int j = 0; j < count; ++j) {
        if (a[j].parent != b[j].parent) {
            return snw_refuse(out_message,
                "joint %d (\"%s\") has another parent in the file to write like", j, a[j].name);
        }
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// What the reader refuses is not written

static sinew_Status check_number(const Writer *writer, int j, double number)
{
    if (fabs(number) <= SNW_BVH_MAX_NUMBER) { return SINEW_STATUS_OK; }
    return snw_refuse(writer->message,
        "joint %d (\"%s\") is %g in a BVH file in units of %g m, want at most %g in size", j,
        sinew_skeleton_joints(writer->skeleton)[j].name, number, writer->unit, SNW_BVH_MAX_NUMBER);
}

static sinew_Status check_name(const Writer *writer, int j, const char *name)
{
    size_t length = strlen(name);
    if (length <= SNW_BVH_MAX_NAME) { return SINEW_STATUS_OK; }
    return snw_refuse(writer->message,
        "joint %d has a name of %z bytes, want at most %d in a BVH file", j, length,
        SNW_BVH_MAX_NAME);
}

static sinew_Status check_frame_time(const Writer *writer)
{
    double time = sinew_clip_frame_time(writer->clip);
    if (time >= SNW_LEAST_FRAME_TIME && time <= SNW_MOST_FRAME_TIME) { return SINEW_STATUS_OK; }
    return snw_refuse(writer->message, "a frame lasts %g s, want %g to %g in a BVH file", time,
        SNW_LEAST_FRAME_TIME, SNW_MOST_FRAME_TIME);
}

// as the layout has it, as End Sites may have none; a joint that was renamed by its new name
static const char *written_name(const Writer *writer, int j)
{
    const char *name = snw_bvh_name(writer->bvh, j);
    if (writer->like == NULL) { return name; }
    const char *now = sinew_skeleton_joints(writer->skeleton)[j].name;
    const char *then = sinew_skeleton_joints(writer->like->skeleton)[j].name;
    return strcmp(now, then) == 0 ? name : now;
}

// an End Site is read as its parent's end, whatever it is called, and other readers want no name there
static sinew_Status check_end_site(const Writer *writer, int j)
{
    const char *name = written_name(writer, j), *known = snw_bvh_name(writer->bvh, j);
    if (!snw_bvh_joints(writer->bvh)[j].is_end_site || strcmp(name, known) == 0) {
        return SINEW_STATUS_OK;
    }
    return snw_refuse(writer->message,
        "joint %d (\"%s\") is an End Site, for which a BVH file has no new name", j, name);
}

static sinew_Status check_hierarchy(const Writer *writer)
{
    const snw_BvhJoint *joints = snw_bvh_joints(writer->bvh);
    double scale = writer->offset_unit / writer->unit;
    sinew_Status status = SINEW_STATUS_OK;
    for (int j = 0; status == SINEW_STATUS_OK && j < writer->bvh->joint_count; ++j) {
        status = check_name(writer, j, written_name(writer, j));
        if (status == SINEW_STATUS_OK) { status = check_end_site(writer, j); }
        for (int i = 0; status == SINEW_STATUS_OK && i < 3; ++i) {
            status = check_number(writer, j, joints[j].offset[i] * scale);
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Hierarchy

static void put(Writer *writer, const char *text)
{
    snw_buffer_add_text(writer->text, text);
}

static void put_indent(Writer *writer, int depth)
{
    for (int i = 0; i < depth && i < MAX_INDENT; ++i) { put(writer, "\t"); }
}

static double written_offset(const Writer *writer, const snw_BvhJoint *joint, int axis)
{
    bool is_said = joint->parent >= 0 && joint->position_place[axis] >= 0;
    return writer->drops_offsets && is_said ? 0.0 : joint->offset[axis];
}

static void put_offset(Writer *writer, const snw_BvhJoint *joint, int depth)
{
    double scale = writer->offset_unit / writer->unit;
    put_indent(writer, depth);
    put(writer, "OFFSET");
    for (int i = 0; i < 3; ++i) {
        char number[SNW_NUMBER_SIZE];
        if (scale == 1.0) {
            snw_format_exact(written_offset(writer, joint, i), number);
        } else {
            snw_format_significant(written_offset(writer, joint, i) * scale, OFFSET_DIGITS, number);
        }
        put(writer, " ");
        put(writer, number);
    }
    put(writer, "\n");
}

static void put_channels(Writer *writer, const snw_BvhJoint *joint, int depth)
{
    static const char *const names[] = { " Xposition", " Yposition", " Zposition", " Xrotation",
        " Yrotation", " Zrotation" };
    char head[32];
    snprintf(head, sizeof head, "CHANNELS %d", joint->channel_count);
    put_indent(writer, depth);
    put(writer, head);
    for (int i = 0; i < joint->channel_count; ++i) { put(writer, names[joint->channels[i]]); }
    put(writer, "\n");
}

static void put_braces_closed(Writer *writer, int *depth, int wanted)
{
    while (*depth > wanted) {
        --*depth;
        put_indent(writer, *depth);
        put(writer, "}\n");
    }
}

static void put_joint(Writer *writer, int j, int depth)
{
    const snw_BvhJoint *joint = &snw_bvh_joints(writer->bvh)[j];
    const char *name = written_name(writer, j);
    put_indent(writer, depth);
    put(writer, joint->is_end_site ? "End Site" : joint->parent < 0 ? "ROOT" : "JOINT");
    if (!joint->is_end_site || name[0] != '\0') {
        put(writer, " ");
        add_safe_name(writer->text, name, j);
    }
    put(writer, "\n");
    put_indent(writer, depth);
    put(writer, "{\n");
    put_offset(writer, joint, depth + 1);
    if (!joint->is_end_site) { put_channels(writer, joint, depth + 1); }
}

// many readers want an End Site below every last joint
static void put_no_end(Writer *writer, int j, int depth)
{
    const snw_BvhJoint *joints = snw_bvh_joints(writer->bvh);
    bool has_child = j + 1 < writer->bvh->joint_count && joints[j + 1].parent == j;
    if (joints[j].is_end_site || has_child) { return; }
    static const char *const lines[] = { "End Site\n", "{\n", "\tOFFSET" SNW_BVH_NO_END "\n",
        "}\n" };
    for (int i = 0; i < 4; ++i) {
        put_indent(writer, depth);
        put(writer, lines[i]);
    }
}

// fills depths, one per joint; returns the largest
static int put_hierarchy(Writer *writer, int *depths)
{
    const snw_BvhJoint *joints = snw_bvh_joints(writer->bvh);
    int open = 0, deepest = 0;
    put(writer, "HIERARCHY\n");
    for (int j = 0; j < writer->bvh->joint_count; ++j) {
        depths[j] = joints[j].parent >= 0 ? depths[joints[j].parent] + 1 : 0;
        deepest = depths[j] > deepest ? depths[j] : deepest;
        put_braces_closed(writer, &open, depths[j]);
        put_joint(writer, j, depths[j]);
        put_no_end(writer, j, depths[j] + 1);
        open = depths[j] + 1;
    }
    put_braces_closed(writer, &open, 0);
    return deepest;
}

// ---------------------------------------------------------------------------------------------
// Motion

static double component(sinew_Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static sinew_Status fail_lost(const Writer *writer, int j, const char *what)
{
    return snw_refuse(writer->message,
        "joint %d (\"%s\") %s in the clip, which its channels in %s cannot say", j,
        sinew_skeleton_joints(writer->skeleton)[j].name, what,
        writer->like != NULL ? "the file to write like" : "a BVH file");
}

static sinew_Status put_position(Writer *writer, int j, sinew_Vec3 position)
{
    const snw_BvhJoint *joint = &snw_bvh_joints(writer->bvh)[j];
    double scale = writer->offset_unit / writer->unit;
    double *row = writer->row + joint->channel_start;
    double most_lost = LOST_SHIFT * sinew_skeleton_size(writer->skeleton) / writer->unit;
    for (int i = 0; i < 3; ++i) {
        double value = component(position, i) / writer->unit;
        double offset = joint->offset[i] * scale;
        int place = joint->position_place[i];
        if (place >= 0) {
            row[place] = joint->adds_positions && !writer->drops_offsets ? value - offset : value;
        } else if (fabs(value - offset) > most_lost) {
            return fail_lost(writer, j, "is off its OFFSET");
        }
    }
    return SINEW_STATUS_OK;
}

// hinges about the very axes of the channels keep their angles, full turns and all
static bool copy_hinges(Writer *writer, int j, const double *q)
{
    const snw_BvhJoint *joint = &snw_bvh_joints(writer->bvh)[j];
    const sinew_Joint *source = &sinew_skeleton_joints(writer->skeleton)[j];
    const sinew_Axis *axes = sinew_skeleton_axes(writer->skeleton) + source->axis_start;
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(writer->skeleton)
        + source->axis_start;
    int hinge = 0;
    if (!snw_quat_is_identity(source->rest_rotation)) { return false; }
    for (int i = 0; i < source->axis_count; ++i) {
        if (axes[i].kind == SINEW_AXIS_SLIDE && hinge == 0) { continue; }
        bool same = axes[i].kind == SINEW_AXIS_HINGE && hinge < joint->rotation_count
            && component(axes[i].direction, joint->rotation_axis[hinge]) == 1.0;
        if (!same) { return false; }
        writer->row[joint->channel_start + joint->rotation_place[hinge]] = q[places[i].coordinate]
            * DEGREES;
        ++hinge;
    }
    return hinge == joint->rotation_count;
}

// three different axes that begin with those of the channels; false when an axis comes twice
static bool complete_order(const snw_BvhJoint *joint, int out_order[3])
{
    bool used[3] = { false, false, false };
    if (joint->rotation_count > 3) { return false; }
    int count = 0;
    for (; count < joint->rotation_count; ++count) {
        int axis = joint->rotation_axis[count];
        if (used[axis]) { return false; }
        used[axis] = true;
        out_order[count] = axis;
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (!used[axis]) { out_order[count++] = axis; }
    }
    return true;
}

static sinew_Status put_rotation(Writer *writer, int j, sinew_Quat rotation)
{
    SNW_ASSERT(snw_holds_unit(rotation));
    const snw_BvhJoint *joint = &snw_bvh_joints(writer->bvh)[j];
    int order[3];
    if (!complete_order(joint, order)) { return fail_lost(writer, j, "turns freely"); }
    double *row = writer->row + joint->channel_start;
    double *last = writer->angles + joint->channel_start;
    double angles[3] = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < joint->rotation_count; ++i) { angles[i] = last[joint->rotation_place[i]]; }
    snw_euler_from_quat(order, rotation, angles, angles);
    for (int i = 0; i < 3; ++i) {
        if (i < joint->rotation_count) {
            last[joint->rotation_place[i]] = angles[i];
            row[joint->rotation_place[i]] = angles[i] * DEGREES;
        } else if (fabs(angles[i]) > LOST_TURN) {
            return fail_lost(writer, j, "turns about other axes");
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status put_row(Writer *writer)
{
    const snw_BvhJoint *joints = snw_bvh_joints(writer->bvh);
    bool first = true;
    for (int j = 0; j < writer->bvh->joint_count; ++j) {
        const double *row = writer->row + joints[j].channel_start;
        for (int i = 0; i < joints[j].channel_count; ++i) {
            sinew_Status status = check_number(writer, j, row[i]);
            if (status != SINEW_STATUS_OK) { return status; }
            bool turns = joints[j].channels[i] >= SNW_BVH_X_ROTATION;
            char number[SNW_NUMBER_SIZE + 1] = " ";
            int length = snw_format_decimals(
                row[i], turns ? writer->angle_decimals : writer->position_decimals, number + 1);
            snw_buffer_add(writer->text, first ? number + 1 : number, (size_t)length + !first);
            first = false;
        }
    }
    put(writer, "\n");
    return SINEW_STATUS_OK;
}

static sinew_Status fill_row(Writer *writer, const double *q)
{
    for (int j = 0; j < writer->bvh->joint_count; ++j) {
        if (snw_bvh_joints(writer->bvh)[j].is_end_site) { continue; }
        sinew_Transform local = sinew_pose_local(writer->skeleton, q, j);
        if (!sinew_vec3_is_finite(local.position) || !sinew_quat_is_finite(local.rotation)) {
            return fail_lost(writer, j, "is not a finite number");
        }
        if (writer->world_from_rest != NULL) {
            int parent = sinew_skeleton_joints(writer->skeleton)[j].parent;
            sinew_Quat turn = written_from_parent(writer, parent);
            local.position = sinew_quat_rotate(turn, local.position);
            local.rotation = sinew_quat_mul(sinew_quat_mul(turn, local.rotation),
                sinew_quat_conjugate(writer->world_from_rest[j]));
        }
        sinew_Status status = put_position(writer, j, local.position);
        bool copied = writer->world_from_rest == NULL && copy_hinges(writer, j, q);
        if (status == SINEW_STATUS_OK && !copied) {
            status = put_rotation(writer, j, local.rotation);
        }
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return SINEW_STATUS_OK;
}

// A reader finds out by the first frames whether position channels below the root are added to OFFSET or replace it.
// Where it would find the other one than was meant, hips that walk metres off, they do without.
static sinew_Status choose_offsets(Writer *writer)
{
    const snw_Bvh *bvh = writer->bvh;
    int frames = sinew_clip_frame_count(writer->clip);
    int lead_count = frames < SNW_BVH_LEAD_FRAMES ? frames : SNW_BVH_LEAD_FRAMES;
    size_t width = (size_t)bvh->channel_count;
    bool adds = false, looks_added = false;
    for (int j = 0; j < bvh->joint_count; ++j) {
        const snw_BvhJoint *joint = &snw_bvh_joints(bvh)[j];
        if (joint->parent >= 0 && snw_bvh_has_positions(joint)) { adds = joint->adds_positions; }
    }
    snw_Buffer rows = snw_buffer_create(NULL);
    double *lead = snw_buffer_extend(&rows, (size_t)lead_count * width * sizeof *lead);
    sinew_Status status = lead != NULL ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
    for (int f = 0; status == SINEW_STATUS_OK && f < lead_count; ++f) {
        status = fill_row(writer, sinew_clip_frame_const(writer->clip, f));
        for (size_t i = 0; i < width; ++i) { lead[(size_t)f * width + i] = writer->row[i]; }
    }
    if (status == SINEW_STATUS_OK && lead_count > 0) {
        int count = snw_bvh_judge_positions(
            bvh, lead, lead_count, writer->offset_unit / writer->unit, &looks_added);
        writer->drops_offsets = count > 0 && looks_added != adds;
    }
    snw_buffer_destroy(&rows);
    return status;
}

// whether the reader's own guess for the hierarchy, which is all that is written yet, is the unit that it is in
static bool is_guessed_right(Writer *writer)
{
    snw_Buffer *text = writer->text;
    size_t hierarchy = text->size;
    put(writer, "MOTION\nFrames: 0\nFrame Time: 1\n");
    sinew_Message message;
    snw_Text all = { text->data, text->size, 0, "", &message, false };
    snw_Bvh bvh = snw_bvh_create(NULL);
    snw_BvhUnit guess;
    bool right = snw_bvh_parse(&all, &bvh) == SINEW_STATUS_OK
        && snw_bvh_guess_unit(&bvh, &bvh.joints.allocator, &guess)
        && fabs(guess.unit - writer->unit) <= SAME_UNIT * writer->unit;
    snw_bvh_destroy(&bvh);
    text->size = hierarchy;
    return right;
}

static void put_frame_time(Writer *writer, bool notes_unit)
{
    static const char zeros[SNW_BVH_NOTE_DECIMALS + 1] = "000000000000000000000000000000";
    char number[SNW_NUMBER_SIZE], noted[SNW_NUMBER_SIZE + SNW_BVH_NOTE_DECIMALS + 32];
    snw_format_exact(sinew_clip_frame_time(writer->clip), number);
    size_t digits = strcspn(number, "e"), point = strcspn(number, ".");
    size_t decimals = point < digits ? digits - point - 1 : 0;
    snprintf(noted, sizeof noted, "%.*s%s%s%.0f%s", (int)digits, number, point < digits ? "" : ".",
        &zeros[decimals], writer->unit * SNW_BVH_NOTE_SCALE, number + digits);
    put(writer, notes_unit ? noted : number);
    put(writer, "\n");
}

static sinew_Status put_motion(Writer *writer)
{
    int frame_count = sinew_clip_frame_count(writer->clip);
    bool notes_unit = !is_guessed_right(writer);
    char head[64];
    snprintf(head, sizeof head, "MOTION\nFrames: %d\nFrame Time: ", frame_count);
    put(writer, head);
    put_frame_time(writer, notes_unit);
    for (int f = 0; f < frame_count; ++f) {
        sinew_Status status = fill_row(writer, sinew_clip_frame_const(writer->clip, f));
        if (status == SINEW_STATUS_OK) { status = put_row(writer); }
        if (status != SINEW_STATUS_OK) { return status; }
        if (writer->text->failed) { return SINEW_STATUS_OUT_OF_MEMORY; }
    }
    return SINEW_STATUS_OK;
}

static int limit_decimals(double decimals, int least)
{
    if (!(decimals > least)) { return least; }
    return decimals < MAX_DECIMALS ? (int)decimals : MAX_DECIMALS;
}

static void choose_decimals(Writer *writer, int deepest)
{
    const snw_BvhJoint *joints = snw_bvh_joints(writer->bvh);
    double sliding = 1.0; // joints that may add up their roundings
    for (int j = 0; j < writer->bvh->joint_count; ++j) {
        if (snw_bvh_has_positions(&joints[j]) && joints[j].parent >= 0) { sliding = deepest + 1.0; }
    }
    writer->angle_decimals = limit_decimals(
        ceil(ANGLE_DECIMALS + log10((deepest + 1.0) / ANGLE_DEPTH)), ANGLE_DECIMALS);
    double size = sinew_skeleton_size(writer->skeleton) / writer->unit;
    writer->position_decimals = limit_decimals(
        ceil(log10(sliding / (POSITION_SHARE * size))), MIN_POSITION_DECIMALS);
}

static sinew_Status write_layout(Writer *writer, const sinew_MotionFile *like)
{
    size_t channels = (size_t)writer->bvh->channel_count;
    snw_Buffer room = snw_buffer_create(NULL);
    double *numbers = snw_buffer_extend(
        &room, 2 * channels * sizeof(double) + (size_t)writer->bvh->joint_count * sizeof(int));
    if (numbers == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    writer->row = numbers;
    writer->angles = numbers + channels;
    sinew_Status status = check_hierarchy(writer);
    if (status == SINEW_STATUS_OK) { status = check_frame_time(writer); }
    if (status == SINEW_STATUS_OK) { status = choose_offsets(writer); }
    const double *first = like != NULL ? (const double *)(const void *)like->first_frame.data
                                       : NULL;
    for (size_t i = 0; i < channels; ++i) {
        writer->angles[i] = first != NULL ? first[i] * RADIANS : 0.0;
    }
    if (status == SINEW_STATUS_OK) {
        choose_decimals(writer, put_hierarchy(writer, (int *)(void *)(numbers + 2 * channels)));
        status = put_motion(writer);
    }
    if (writer->text->failed) { status = SINEW_STATUS_OUT_OF_MEMORY; }
    snw_buffer_destroy(&room);
    return status;
}

// Joints of a glTF are turned at rest in every way; a BVH that rests as the glTF does is what people
// expect. Other bodies have few such turns, which stay where they are.
static bool turn_rest(Writer *writer, const sinew_Skeleton *like, snw_Buffer *room)
{
    const sinew_Joint *joints = sinew_skeleton_joints(like);
    int count = sinew_skeleton_joint_count(like);
    sinew_Quat *turns = snw_buffer_extend(room, (size_t)count * sizeof *turns);
    if (turns == NULL) { return false; }
    for (int j = 0; j < count; ++j) {
        sinew_Quat own = joints[j].rest_rotation;
        turns[j] = joints[j].parent >= 0 ? sinew_quat_mul(turns[joints[j].parent], own) : own;
    }
    writer->world_from_rest = turns;
    return true;
}

static sinew_Status write_bytes(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, snw_Buffer *out_text, sinew_Message *out_message)
{
    (void)path;
    // other formats have no layout to keep
    bool keeps = options->like != NULL && options->like->format == SINEW_FORMAT_BVH;
    const sinew_MotionFile *like = keeps ? options->like : NULL;
    Writer writer;
    memset(&writer, 0, sizeof writer);
    writer.clip = clip;
    writer.skeleton = sinew_clip_skeleton(clip);
    writer.text = out_text;
    writer.message = out_message;
    double own_unit = like != NULL ? like->unit : CENTIMETRE;
    writer.unit = options->unit > 0.0 ? options->unit : own_unit;
    writer.offset_unit = like != NULL ? like->unit : 1.0;

    writer.like = like;
    snw_Bvh layout = snw_bvh_create(NULL);
    snw_Buffer turns = snw_buffer_create(NULL);
    writer.bvh = like != NULL ? &like->bvh : &layout;
    bool turned = options->like != NULL && options->like->format == SINEW_FORMAT_GLTF;
    sinew_Status status = turned || keeps ? check_like(writer.skeleton, options->like, out_message)
                                          : SINEW_STATUS_OK;
    if (status == SINEW_STATUS_OK && !keeps) {
        bool made = (!turned || turn_rest(&writer, options->like->skeleton, &turns))
            && make_layout(&writer, &layout);
        status = made ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
    }
    if (status == SINEW_STATUS_OK) { status = write_layout(&writer, like); }
    if (status == SINEW_STATUS_OUT_OF_MEMORY) {
        snw_message_set(out_message, "no memory for the text");
    }
    snw_bvh_destroy(&layout);
    snw_buffer_destroy(&turns);
    return status;
}

static bool begins(snw_Text *text)
{
    return snw_span_is(snw_text_peek(text), "HIERARCHY");
}

const snw_FormatRow snw_format_bvh = {
    .format = SINEW_FORMAT_BVH,
    .name = "BVH",
    .begins = begins,
    .read = snw_bvh_read,
    .endings = { ".bvh" },
    .write = write_bytes,
};
