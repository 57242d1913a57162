// From the links and joints of a URDF file to a skeleton. One joint of the skeleton stands for the
// root link, one for each joint of the file; the frame of a joint is that of its child link.

#include "base/memory.h"
#include "base/message.h"
#include "file/format.h"
#include "file/urdf.h"
#include "math/euler.h"
#include "math/holds.h"

#include <stdio.h>
#include <string.h>

// An axis whose length is farther from 1 is worth a warning; more digits are lost in printing.
#define UNIT_LENGTH_ERROR 1e-6

// Robots have no frames; a clip needs a frame time all the same.
#define FRAME_TIME (1.0 / 30.0)

// Radians that no robot of ours turns or is turned by, as 180 meant as degrees would be: two turns. The widest
// range of a known robot is 10 (Solo).
#define UNLIKELY_ANGLE (4.0 * SINEW_PI)

#define MAX_AXES 4

typedef struct Reader {
    snw_Text *text;
    sinew_MotionFile *file;
    snw_Urdf urdf;
    int root; // link
    bool floats;
} Reader;

// ---------------------------------------------------------------------------------------------
// Axes

static bool needs_axis(const snw_UrdfJoint *joint)
{
    return joint->type != SNW_URDF_FIXED && joint->type != SNW_URDF_FLOATING;
}

static bool has_range(const snw_UrdfJoint *joint)
{
    return joint->type == SNW_URDF_REVOLUTE || joint->type == SNW_URDF_PRISMATIC;
}

static double axis_length(const snw_UrdfJoint *joint)
{
    const double *a = joint->axis;
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static sinew_Status check_joint(const Reader *reader, const snw_UrdfJoint *joint)
{
    const char *name = snw_urdf_name(&reader->urdf, joint->name);
    char found[160];
    if (needs_axis(joint) && !(axis_length(joint) > 0.0)) {
        snprintf(found, sizeof found, "axis 0 0 0 of joint \"%.60s\"", name);
        return snw_text_fail_at(reader->text, joint->axis_at, found, "a direction");
    }
    if (has_range(joint) && (joint->has & SNW_URDF_HAS_LIMIT) == 0) {
        snprintf(found, sizeof found, "joint \"%.60s\" without limit", name);
        return snw_text_fail_at(reader->text, joint->at, found, "a <limit .../> in it%s",
            joint->type == SNW_URDF_REVOLUTE ? ", or type=\"continuous\"" : "");
    }
    bool is_empty = !(joint->lower <= joint->upper) || joint->lower == INFINITY
        || joint->upper == -INFINITY;
    if (has_range(joint) && is_empty) {
        snprintf(found, sizeof found, "range %.6g..%.6g of joint \"%.60s\"", joint->lower,
            joint->upper, name);
        return snw_text_fail_at(reader->text, joint->limit_at, found, "lower <= upper");
    }
    return SINEW_STATUS_OK;
}

// two directions that make a right-handed frame with the axis: y, z for x; z, x for y; x, y for z
static void plane_directions(sinew_Vec3 axis, sinew_Vec3 *out_first, sinew_Vec3 *out_second)
{
    SNW_ASSERT(snw_holds_direction(axis));
    double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
    sinew_Vec3 side = sinew_vec3(1.0, 0.0, 0.0);
    if (x >= y && x >= z) { side = sinew_vec3(0.0, 1.0, 0.0); }
    if (y > x && y >= z) { side = sinew_vec3(0.0, 0.0, 1.0); }
    sinew_Vec3 along = sinew_vec3_scale(axis, sinew_vec3_dot(side, axis));
    *out_first = sinew_vec3_normalize_or(sinew_vec3_sub(side, along), side);
    *out_second = sinew_vec3_cross(axis, *out_first);
}

static double clamp(double value, double lower, double upper)
{
    double r = value > lower ? value : lower;
    return r < upper ? r : upper;
}

static void set_range(sinew_Axis *axis, double lower, double upper, double scale)
{
    axis->lower = lower * scale;
    axis->upper = upper * scale;
    axis->rest = clamp(0.0, axis->lower, axis->upper);
}

static int make_floating(sinew_Axis out_axes[MAX_AXES])
{
    out_axes[0] = sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0));
    out_axes[1] = sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0));
    out_axes[2] = sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0));
    out_axes[3] = sinew_axis_ball();
    return 4;
}

static int make_axes(const snw_UrdfJoint *joint, double unit, sinew_Axis out_axes[MAX_AXES])
{
    if (joint->type == SNW_URDF_FIXED) { return 0; }
    if (joint->type == SNW_URDF_FLOATING) { return make_floating(out_axes); }
    double length = axis_length(joint);
    sinew_Vec3 axis = sinew_vec3(
        joint->axis[0] / length, joint->axis[1] / length, joint->axis[2] / length);
    if (joint->type == SNW_URDF_PLANAR) {
        sinew_Vec3 first, second;
        plane_directions(axis, &first, &second);
        out_axes[0] = sinew_axis_slide(first);
        out_axes[1] = sinew_axis_slide(second);
        out_axes[2] = sinew_axis_hinge(axis, -INFINITY, INFINITY);
        return 3;
    }
    if (joint->type == SNW_URDF_PRISMATIC) {
        out_axes[0] = sinew_axis_slide(axis);
        set_range(&out_axes[0], joint->lower, joint->upper, unit);
        return 1;
    }
    out_axes[0] = sinew_axis_hinge(axis, -INFINITY, INFINITY);
    if (joint->type == SNW_URDF_REVOLUTE) {
        set_range(&out_axes[0], joint->lower, joint->upper, 1.0);
    }
    return 1;
}

// A joint that follows another does not move by itself: it is locked where its leader's rest puts
// it. Leaders are followed to the one that is free; snw_urdf_link has counted them.
static double mimic_rest(
    const Reader *reader, const snw_UrdfJoint *joint, const sinew_Axis *own, int axis_count)
{
    SNW_ASSERT(axis_count >= 0);
    const snw_UrdfJoint *joints = snw_urdf_joints(&reader->urdf);
    double slope = 1.0, shift = 0.0;
    bool is_slide = own->kind == SINEW_AXIS_SLIDE;
    double unit = reader->file->unit;
    while (joint->mimic_joint >= 0) {
        shift += slope * joint->offset;
        slope *= joint->multiplier;
        joint = &joints[joint->mimic_joint];
    }
    sinew_Axis axes[MAX_AXES];
    int leader_count = make_axes(joint, unit, axes);
    // both in the unit of the file
    double leader = leader_count == 1 ? axes[0].rest : 0.0;
    if (leader_count == 1 && axes[0].kind == SINEW_AXIS_SLIDE) { leader /= unit; }
    double rest = (shift + slope * leader) * (is_slide ? unit : 1.0);
    if (axis_count != 1 || !isfinite(rest)) { return own->rest; }
    return clamp(rest, own->lower, own->upper);
}

// ---------------------------------------------------------------------------------------------
// Skeleton

static void fill_joint(
    const Reader *reader, const snw_UrdfLink *link, sinew_JointDef *def, sinew_Axis axes[MAX_AXES])
{
    const snw_Urdf *urdf = &reader->urdf;
    double unit = reader->file->unit;
    *def = sinew_joint_def_default();
    def->mass = link->mass;
    def->mass_center = sinew_vec3(
        link->center[0] * unit, link->center[1] * unit, link->center[2] * unit);
    def->name = snw_urdf_name(urdf, link->name);
    if (link->parent_joint < 0) {
        def->axes = axes;
        def->axis_count = reader->floats ? make_floating(axes) : 0;
        return;
    }

    const snw_UrdfJoint *joint = &snw_urdf_joints(urdf)[link->parent_joint];
    // fixed axes roll, pitch, yaw: the last one acts on the left
    static const int order[3] = { 2, 1, 0 };
    const double angles[3] = { joint->rpy[2], joint->rpy[1], joint->rpy[0] };
    def->name = snw_urdf_name(urdf, joint->name);
    def->parent = snw_urdf_links(urdf)[joint->parent_link].node;
    def->offset = sinew_vec3(joint->xyz[0] * unit, joint->xyz[1] * unit, joint->xyz[2] * unit);
    def->rest_rotation = snw_euler_to_quat(order, angles);
    def->axes = axes;
    def->axis_count = make_axes(joint, unit, axes);
    if (joint->mimic_joint < 0 || def->axis_count == 0) { return; }
    axes[0].rest = mimic_rest(reader, joint, &axes[0], def->axis_count);
    for (int a = 0; a < def->axis_count; ++a) { axes[a].mobility = 0.0; }
}

static sinew_Status fill_skeleton(
    const Reader *reader, sinew_JointDef *defs, sinew_Axis (*axes)[MAX_AXES])
{
    const snw_Urdf *urdf = &reader->urdf;
    for (int j = 0; j < urdf->joint_count; ++j) {
        sinew_Status status = check_joint(reader, &snw_urdf_joints(urdf)[j]);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    for (int i = 0; i < urdf->link_count; ++i) {
        const snw_UrdfLink *link = &snw_urdf_links(urdf)[i];
        fill_joint(reader, link, &defs[link->node], axes[link->node]);
    }
    sinew_Message message;
    sinew_Status status = sinew_skeleton_create(
        defs, urdf->link_count, &reader->file->allocator, &reader->file->skeleton, &message);
    if (status == SINEW_STATUS_INVALID_ARGUMENT) {
        return snw_fail(reader->text->message, SINEW_STATUS_BAD_FILE, "%s: with a unit of %g m, %s",
            reader->text->name, reader->file->unit, message.text);
    }
    return status;
}

static sinew_Status make_skeleton(const Reader *reader)
{
    const sinew_Allocator *allocator = &reader->file->allocator;
    size_t count = (size_t)reader->urdf.link_count;
    sinew_JointDef *defs = snw_alloc_array(allocator, count, sizeof *defs);
    sinew_Axis(*axes)[MAX_AXES] = snw_alloc_array(allocator, count, sizeof *axes);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (defs != NULL && axes != NULL) { status = fill_skeleton(reader, defs, axes); }
    snw_free(allocator, defs, count * sizeof *defs);
    snw_free(allocator, axes, count * sizeof *axes);
    return status;
}

// names of the links in the order of the skeleton's joints
static bool keep_link_names(const Reader *reader)
{
    snw_Buffer *names = &reader->file->link_names, *starts = &reader->file->link_starts;
    const snw_Urdf *urdf = &reader->urdf;
    for (int link = reader->root; link >= 0; link = snw_urdf_next(urdf, link)) {
        const char *name = snw_urdf_name(urdf, snw_urdf_links(urdf)[link].name);
        size_t start = names->size;
        snw_buffer_add(starts, &start, sizeof start);
        snw_buffer_add(names, name, strlen(name) + 1);
    }
    return !names->failed && !starts->failed;
}

// ---------------------------------------------------------------------------------------------
// What stands out

// how many joints have an oddity, and the first of them
typedef struct Tally {
    int count;
    const char *first;
} Tally;

static void add_to(Tally *tally, bool odd, const char *name)
{
    if (!odd) { return; }
    if (tally->count == 0) { tally->first = name; }
    ++tally->count;
}

static void tell(sinew_MotionFile *file, Tally tally, const char *what)
{
    if (tally.count == 0) { return; }
    snw_motion_warn(file, "%d joint%s %s, first %.100s", tally.count, snw_plural(tally.count), what,
        tally.first);
}

static void warn_mimics(sinew_MotionFile *file, const char *list)
{
    snw_motion_warn(file, "mimic joints, locked as they do not move by themselves: %s", list);
}

// all names, over as many lines as they take
static void tell_mimics(sinew_MotionFile *file, const snw_Urdf *urdf)
{
    const snw_UrdfJoint *joints = snw_urdf_joints(urdf);
    char list[320];
    size_t used = 0;
    for (int j = 0; j < urdf->joint_count; ++j) {
        if (joints[j].mimic_joint < 0 || joints[j].type == SNW_URDF_FIXED) { continue; }
        const char *name = snw_urdf_name(urdf, joints[j].name);
        if (used > 0 && used + 2 + strlen(name) >= sizeof list) {
            warn_mimics(file, list);
            used = 0;
        }
        used += (size_t)snprintf(
            list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", name);
    }
    if (used > 0) { warn_mimics(file, list); }
}

static bool is_unlikely(double angle)
{
    return isfinite(angle) && fabs(angle) > UNLIKELY_ANGLE;
}

static bool turns_unlikely_far(const snw_UrdfJoint *joint)
{
    return joint->type == SNW_URDF_REVOLUTE
        && (is_unlikely(joint->lower) || is_unlikely(joint->upper));
}

static bool stands_unlikely(const snw_UrdfJoint *joint)
{
    return is_unlikely(joint->rpy[0]) || is_unlikely(joint->rpy[1]) || is_unlikely(joint->rpy[2]);
}

/// What stands out in the robot, as warnings.
static void inspect(sinew_MotionFile *file, const snw_Text *text, const snw_Urdf *urdf)
{
    Tally long_axes = { 0, "" }, ranges = { 0, "" }, stuck = { 0, "" }, away = { 0, "" };
    Tally far = { 0, "" }, turned = { 0, "" };
    for (int j = 0; j < urdf->joint_count; ++j) {
        const snw_UrdfJoint *joint = &snw_urdf_joints(urdf)[j];
        const char *name = snw_urdf_name(urdf, joint->name);
        bool ranged = has_range(joint);
        add_to(&long_axes, needs_axis(joint) && fabs(axis_length(joint) - 1.0) > UNIT_LENGTH_ERROR,
            name);
        add_to(
            &ranges, !ranged && needs_axis(joint) && (joint->has & SNW_URDF_HAS_RANGE) != 0, name);
        add_to(&stuck, ranged && joint->lower == joint->upper, name);
        add_to(&away, ranged && (joint->lower > 0.0 || joint->upper < 0.0), name);
        add_to(&far, turns_unlikely_far(joint), name);
        add_to(&turned, stands_unlikely(joint), name);
    }
    snw_motion_warn(file, "robots stand along +Z, not along +Y: kept as it is");
    if (snw_text_survey(text).byte_order_mark) {
        snw_motion_warn(file, "text: byte order mark at the start");
    }
    tell_mimics(file, urdf);
    tell(file, long_axes, "with an axis whose length is not 1: made 1");
    tell(file, ranges, "without limits by type, but with lower or upper: ignored");
    tell(file, stuck, "with a range of zero: it cannot move");
    tell(file, away, "with 0 outside the range: rest at the nearest end");
    tell(file, far, "with a range beyond two turns, as degrees taken for radians would have");
    tell(file, turned, "with an rpy beyond two turns, as degrees taken for radians would have");
    if (urdf->repeated > 0) {
        snw_motion_warn(file, "%d element%s for a second time in a joint or link: the first counts",
            urdf->repeated, snw_plural(urdf->repeated));
    }
}

// ---------------------------------------------------------------------------------------------
// The whole

static sinew_Status read_with(Reader *reader)
{
    sinew_MotionFile *file = reader->file;
    sinew_Status status = snw_urdf_parse(reader->text, &reader->urdf);
    if (status == SINEW_STATUS_OK) {
        status = snw_urdf_link(reader->text, &file->allocator, &reader->urdf, &reader->root);
    }
    if (status == SINEW_STATUS_OK) { status = make_skeleton(reader); }
    if (status == SINEW_STATUS_OK) {
        status = sinew_clip_create(file->skeleton, 0, FRAME_TIME, &file->allocator, &file->clip);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    if (!keep_link_names(reader)) { return SINEW_STATUS_OUT_OF_MEMORY; }
    inspect(file, reader->text, &reader->urdf);
    return SINEW_STATUS_OK;
}

static sinew_Status read_robot(
    snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file)
{
    Reader reader = { text, file, snw_urdf_create(&file->allocator), -1, options->float_base };
    file->unit = options->unit > 0.0 ? options->unit : 1.0;
    file->unit_source = SINEW_UNIT_GIVEN;
    sinew_Status status = read_with(&reader);
    snw_urdf_destroy(&reader.urdf);
    return status;
}

const snw_FormatRow snw_format_urdf = {
    .format = SINEW_FORMAT_URDF,
    .name = "URDF",
    .begins = snw_urdf_begins,
    .read = read_robot,
    .looks = "an XML file",
    .names = { ".urdf" },
};
