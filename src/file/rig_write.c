// Rigs as text: JSON with one line for what belongs together.

#include "base/message.h"
#include "file/buffer.h"
#include "file/json.h"
#include "file/text.h"
#include "math/holds.h"
#include "sinew/rig.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------
// JSON

typedef struct Writer {
    snw_Buffer *out;
    int depth;
    bool has_items; // of the object that is open: a comma goes before the next
} Writer;

static void put(Writer *writer, const char *text)
{
    snw_buffer_add_text(writer->out, text);
}

static void put_text(Writer *writer, const char *text)
{
    snw_json_put_text(writer->out, text);
}

// JSON has no infinity: null stands for no bound
static void put_number(Writer *writer, double value)
{
    if (!isfinite(value)) {
        put(writer, "null");
        return;
    }
    snw_buffer_add_number(writer->out, value);
}

static void put_numbers(Writer *writer, const double *values, int count)
{
    SNW_ASSERT(count >= 0);
    put(writer, "[");
    for (int i = 0; i < count; ++i) {
        if (i > 0) { put(writer, ", "); }
        put_number(writer, values[i]);
    }
    put(writer, "]");
}

static void put_vec3(Writer *writer, sinew_Vec3 v)
{
    const double values[3] = { v.x, v.y, v.z };
    put_numbers(writer, values, 3);
}

static void put_quat(Writer *writer, sinew_Quat q)
{
    const double values[4] = { q.x, q.y, q.z, q.w };
    put_numbers(writer, values, 4);
}

static void new_line(Writer *writer)
{
    put(writer, "\n");
    for (int i = 0; i < writer->depth; ++i) { put(writer, "  "); }
}

static void begin_item(Writer *writer)
{
    if (writer->has_items) { put(writer, ","); }
    writer->has_items = true;
    new_line(writer);
}

// begins an item of an object: what is put next is its value
static Writer *under(Writer *writer, const char *key)
{
    begin_item(writer);
    put_text(writer, key);
    put(writer, ": ");
    return writer;
}

static void open(Writer *writer, const char *bracket)
{
    put(writer, bracket);
    ++writer->depth;
    writer->has_items = false;
}

static void close(Writer *writer, const char *bracket)
{
    --writer->depth;
    if (writer->has_items) { new_line(writer); }
    put(writer, bracket);
    writer->has_items = true;
}

// ---------------------------------------------------------------------------------------------
// Joints

static void put_point(Writer *writer, const sinew_RigWindow *window, sinew_Vec3 point)
{
    const double values[3] = { point.x, point.y, point.z };
    put_numbers(writer, values, window->polar ? 2 : 3);
}

static void put_window(Writer *writer, const sinew_RigWindow *window)
{
    begin_item(writer);
    put(writer, "{");
    if (window->point_count == 1) {
        put(writer, "\"cone\": ");
        put_number(writer, window->cone_half_angle);
        put(writer, ", ");
    }
    put(writer, window->polar ? "\"polar\": [" : "\"rays\": [");
    for (int p = 0; p < window->point_count; ++p) {
        if (p > 0) { put(writer, ", "); }
        put_point(writer, window, window->points[p]);
    }
    put(writer, "]}");
}

static void put_windows(Writer *writer, const sinew_RigJoint *joint)
{
    open(under(writer, "windows"), "[");
    for (int w = 0; w < joint->window_count; ++w) { put_window(writer, &joint->windows[w]); }
    close(writer, "]");
    if (joint->star && joint->window_count == 1) {
        put_point(under(writer, "star_center"), &joint->windows[0], joint->star_center);
    }
}

static void put_range(Writer *writer, sinew_RigRange range)
{
    const double values[2] = { range.lower, range.upper };
    put_numbers(writer, values, 2);
}

static void put_ranges(Writer *writer, const sinew_RigJoint *joint)
{
    put(under(writer, "ranges"), "[");
    for (int r = 0; r < joint->range_count; ++r) {
        if (r > 0) { put(writer, ", "); }
        put_range(writer, joint->ranges[r]);
    }
    put(writer, "]");
}

static void put_joint(Writer *writer, const sinew_RigJoint *joint)
{
    static const char *const responses[] = { "arc", "closest", "intersection" };
    unsigned has = joint->has;
    open(under(writer, joint->key), "{");
    if (has & SINEW_RIG_HAS_ROLE) {
        char name[64];
        sinew_role_name(joint->role.role, joint->role.side, joint->role.number, name, sizeof name);
        put_text(under(writer, "role"), name);
    }
    if (has & SINEW_RIG_HAS_KIND) {
        put_text(under(writer, "kind"), sinew_rig_kind_name(joint->kind));
    }
    if (has & SINEW_RIG_HAS_NEUTRAL) { put_quat(under(writer, "neutral"), joint->neutral); }
    if (has & SINEW_RIG_HAS_BONE) { put_quat(under(writer, "bone"), joint->bone); }
    if (has & SINEW_RIG_HAS_MIRRORED) {
        put(under(writer, "mirrored"), joint->mirrored ? "true" : "false");
    }
    if (has & SINEW_RIG_HAS_WINDOWS) { put_windows(writer, joint); }
    if (has & SINEW_RIG_HAS_TWIST) { put_range(under(writer, "twist"), joint->twist); }
    if (has & SINEW_RIG_HAS_RESPONSE) {
        put_text(under(writer, "response"), responses[joint->response]);
    }
    if (has & SINEW_RIG_HAS_RANGES) { put_ranges(writer, joint); }
    if (has & SINEW_RIG_HAS_MOBILITY) { put_number(under(writer, "mobility"), joint->mobility); }
    if (has & SINEW_RIG_HAS_MASS) { put_number(under(writer, "mass"), joint->mass); }
    if (has & SINEW_RIG_HAS_MASS_CENTER) {
        put_vec3(under(writer, "mass_center"), joint->mass_center);
    }
    if ((has & SINEW_RIG_HAS_OBJECT) && joint->object != NULL) {
        put_text(under(writer, "object"), joint->object);
    }
    close(writer, "}");
}

// ---------------------------------------------------------------------------------------------
// The other things

static void put_effector(Writer *writer, const sinew_RigEffector *effector)
{
    put(under(writer, effector->name), "{\"joint\": ");
    put_text(writer, effector->key);
    sinew_Vec3 o = effector->offset;
    if (o.x != 0.0 || o.y != 0.0 || o.z != 0.0) {
        put(writer, ", \"offset\": ");
        put_vec3(writer, o);
    }
    put(writer, "}");
}

static void put_pose_values(Writer *writer, const sinew_RigPose *pose)
{
    open(writer, "{");
    for (int j = 0; j < pose->joint_count; ++j) {
        put_numbers(under(writer, pose->joints[j].key), pose->joints[j].values,
            pose->joints[j].value_count);
    }
    close(writer, "}");
}

static void put_goal(Writer *writer, const sinew_RigGoal *goal)
{
    begin_item(writer);
    put(writer, "{\"kind\": ");
    put_text(writer, goal->kind);
    put(writer, ", \"joint\": ");
    put_text(writer, goal->key);
    if (goal->chain_root != NULL) {
        put(writer, ", \"chain_root\": ");
        put_text(writer, goal->chain_root);
    }
    put(writer, ", \"offset\": ");
    put_vec3(writer, goal->offset);
    put(writer, ", \"rotation\": ");
    put_quat(writer, goal->rotation);
    put(writer, "}");
}

static void put_starts(Writer *writer, const sinew_RigStarts *starts)
{
    open(under(writer, starts->name), "{");
    put_number(under(writer, "reach"), starts->reach);
    open(under(writer, "goals"), "[");
    for (int g = 0; g < starts->goal_count; ++g) { put_goal(writer, &starts->goals[g]); }
    close(writer, "]");
    open(under(writer, "poses"), "[");
    for (int p = 0; p < starts->pose_count; ++p) {
        begin_item(writer);
        put_pose_values(writer, &starts->poses[p]);
    }
    close(writer, "]");
    open(under(writer, "centroids"), "[");
    for (int c = 0; c < starts->centroid_count; ++c) {
        begin_item(writer);
        put(writer, "{\"pose\": ");
        put_number(writer, starts->centroid_poses[c]);
        put(writer, ", \"at\": ");
        int width = 7 * starts->goal_count;
        put_numbers(writer, starts->centroids + (size_t)c * (size_t)width, width);
        put(writer, "}");
    }
    close(writer, "]");
    close(writer, "}");
}

static void put_rig(Writer *writer, const sinew_Rig *rig)
{
    open(writer, "{");
    put(under(writer, "sinew_rig"), "1");
    if (sinew_rig_unit(rig) > 0.0) { put_number(under(writer, "unit"), sinew_rig_unit(rig)); }
    open(under(writer, "joints"), "{");
    for (int i = 0; i < sinew_rig_joint_count(rig); ++i) {
        put_joint(writer, sinew_rig_joint(rig, i));
    }
    close(writer, "}");
    if (sinew_rig_effector_count(rig) > 0) {
        open(under(writer, "effectors"), "{");
        for (int i = 0; i < sinew_rig_effector_count(rig); ++i) {
            put_effector(writer, sinew_rig_effector(rig, i));
        }
        close(writer, "}");
    }
    if (sinew_rig_pose_count(rig) > 0) {
        open(under(writer, "poses"), "{");
        for (int i = 0; i < sinew_rig_pose_count(rig); ++i) {
            put_pose_values(under(writer, sinew_rig_pose(rig, i)->name), sinew_rig_pose(rig, i));
        }
        close(writer, "}");
    }
    if (sinew_rig_starts_count(rig) > 0) {
        open(under(writer, "starts"), "{");
        for (int i = 0; i < sinew_rig_starts_count(rig); ++i) {
            put_starts(writer, sinew_rig_starts(rig, i));
        }
        close(writer, "}");
    }
    close(writer, "}");
    put(writer, "\n");
}

sinew_Status sinew_rig_write(const char *path, const sinew_Rig *rig, sinew_Message *out_message)
{
    if (path == NULL || rig == NULL) { return SNW_CHECK_NULL(out_message, "path rig", path, rig); }
    snw_Buffer text = snw_buffer_create(NULL);
    Writer writer = { &text, 0, false };
    put_rig(&writer, rig);
    sinew_Status status = snw_file_save(path, &text, out_message);
    snw_buffer_destroy(&text);
    return status;
}
