#include "solve/start_table.h"

#include "base/message.h"
#include "body/pose.h"
#include "math/holds.h"
#include "solve/asked.h"

#include <string.h>

// radians count a third of what the same share of the reach counts, as in the objective
#define ORIENTATION_SHARE (1.0 / 3.0)

#define MAX_CENTROIDS (SINEW_MAX_STARTS * SINEW_MAX_START_CLUSTERS)
// Distances of so many stand on the stack: a key is found anew for each lot, which costs little beside them.
#define CENTROIDS_AT_ONCE 256

struct sinew_StartTable {
    sinew_Allocator allocator;
    size_t memory_size;
    sinew_StartTableData data;
    double *poses, *centroids;
    int *centroid_starts;
    sinew_Goal *goals;
};

// ---------------------------------------------------------------------------------------------
// Arm space

// where the first joint of a goal's chain stands, before its own axes move
static sinew_Transform chain_frame(
    const sinew_Skeleton *skeleton, const sinew_Goal *goal, const double *q)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int root = goal->chain_root >= 0 ? goal->chain_root : goal->joint;
    while (goal->chain_root < 0 && joints[root].parent >= 0) { root = joints[root].parent; }
    sinew_Transform frame = { joints[root].offset, joints[root].rest_rotation };
    for (int j = joints[root].parent; j >= 0; j = joints[j].parent) {
        frame = sinew_transform_mul(sinew_pose_local(skeleton, q, j), frame);
    }
    return frame;
}

void snw_start_key(const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count,
    const double *q, double *out_key)
{
    SNW_ASSERT(goal_count >= 0);
    for (int g = 0; g < goal_count; ++g) {
        const sinew_Goal *goal = &goals[g];
        sinew_Transform in_world = { snw_goal_place(goal), snw_goal_turn(goal) };
        if (goal->kind == SINEW_GOAL_POSITION) { in_world.rotation = sinew_quat_identity(); }
        sinew_Transform arm = sinew_transform_mul(
            sinew_transform_inverse(chain_frame(skeleton, goal, q)), in_world);
        bool position = goal->kind != SINEW_GOAL_ORIENTATION;
        bool orientation = goal->kind != SINEW_GOAL_POSITION;
        sinew_Quat r = orientation ? sinew_quat_normalize(arm.rotation) : sinew_quat_identity();
        double *key = &out_key[g * SNW_KEY_SIZE];
        key[0] = position ? arm.position.x : 0.0;
        key[1] = position ? arm.position.y : 0.0;
        key[2] = position ? arm.position.z : 0.0;
        key[3] = r.x;
        key[4] = r.y;
        key[5] = r.z;
        key[6] = r.w;
    }
}

void snw_start_goal_at(const sinew_Skeleton *skeleton, const double *q, sinew_Goal *goal)
{
    sinew_Transform world = snw_pose_frame(skeleton, q, goal->joint, goal->joint_from_effector);
    goal->position = world.position;
    goal->orientation = sinew_quat_normalize(world.rotation);
}

double snw_start_distance2(const double *a, const double *b, int goal_count, double reach)
{
    SNW_ASSERT(goal_count >= 0);
    SNW_ASSERT(reach >= 0.0);
    double sum = 0.0;
    for (int g = 0; g < goal_count; ++g, a += SNW_KEY_SIZE, b += SNW_KEY_SIZE) {
        double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
        double dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
        double chord2 = 4.0 * (1.0 - dot * dot);
        sum += (x * x + y * y + z * z) / (reach * reach)
            + ORIENTATION_SHARE * ORIENTATION_SHARE * (chord2 > 0.0 ? chord2 : 0.0);
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Tables

static bool same_structure(const sinew_Goal *a, const sinew_Goal *b)
{
    sinew_Transform s = a->joint_from_effector, t = b->joint_from_effector;
    return a->kind == b->kind && a->joint == b->joint && a->chain_root == b->chain_root
        && s.position.x == t.position.x && s.position.y == t.position.y
        && s.position.z == t.position.z && s.rotation.x == t.rotation.x
        && s.rotation.y == t.rotation.y && s.rotation.z == t.rotation.z
        && s.rotation.w == t.rotation.w;
}

/// What the table was made for: same kinds, joints, chain roots and effectors.
static bool table_fits(const sinew_StartTable *table, const sinew_Goal *goals, int goal_count)
{
    if (table->data.goal_count != goal_count) { return false; }
    for (int g = 0; g < goal_count; ++g) {
        if (!same_structure(&goals[g], &table->goals[g])) { return false; }
    }
    return true;
}

bool snw_start_table_is_for(const sinew_StartTable *table, const sinew_Skeleton *skeleton)
{
    const sinew_StartTableData *data = &table->data;
    return data->coordinate_count == sinew_skeleton_coordinate_count(skeleton)
        && snw_start_check_goals(skeleton, data->goals, data->goal_count, NULL) == SINEW_STATUS_OK;
}

int snw_start_table_order(const sinew_StartTable *table, const sinew_Skeleton *skeleton,
    const sinew_Goal *goals, int goal_count, const int *only, int only_count, const double *q,
    int *out_starts)
{
    SNW_ASSERT(goal_count >= 0);
    SNW_ASSERT(only_count >= 0);
    const sinew_StartTableData *data = &table->data;
    if (!table_fits(table, goals, goal_count)) { return 0; }

    // a start is as near as its nearest centroid
    double best[SINEW_MAX_STARTS];
    for (int s = 0; s < data->start_count; ++s) { best[s] = INFINITY; }
    for (int from = 0; from < data->centroid_count; from += CENTROIDS_AT_ONCE) {
        // goal after goal, so that keys of all goals need no room
        double sums[CENTROIDS_AT_ONCE] = { 0.0 };
        int count = data->centroid_count - from;
        count = count < CENTROIDS_AT_ONCE ? count : CENTROIDS_AT_ONCE;
        for (int i = 0; i < (only != NULL ? only_count : goal_count); ++i) {
            int g = only != NULL ? only[i] : i;
            double key[SNW_KEY_SIZE];
            snw_start_key(skeleton, &goals[g], 1, q, key);
            for (int c = 0; c < count; ++c) {
                size_t place = (size_t)(from + c) * (size_t)goal_count + (size_t)g;
                sums[c] += snw_start_distance2(
                    key, &table->centroids[place * SNW_KEY_SIZE], 1, data->reach);
            }
        }
        for (int c = 0; c < count; ++c) {
            int s = table->centroid_starts[from + c];
            best[s] = sums[c] < best[s] ? sums[c] : best[s];
        }
    }
    for (int s = 0; s < data->start_count; ++s) {
        int place = s;
        for (; place > 0 && best[out_starts[place - 1]] > best[s]; --place) {
            out_starts[place] = out_starts[place - 1];
        }
        out_starts[place] = s;
    }
    return data->start_count;
}

sinew_Status snw_start_check_goals(
    const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count, sinew_Message *message)
{
    if (goals == NULL || goal_count < 1 || goal_count > SINEW_MAX_JOINTS) {
        return snw_refuse(message, "goal_count is %d, want 1..%d", goal_count, SINEW_MAX_JOINTS);
    }
    int joint_count = sinew_skeleton_joint_count(skeleton);
    for (int g = 0; g < goal_count; ++g) {
        const sinew_Goal *goal = &goals[g];
        sinew_Quat r = goal->joint_from_effector.rotation;
        bool good = goal->kind >= SINEW_GOAL_POSITION && goal->kind <= SINEW_GOAL_POSE
            && goal->joint >= 0 && goal->joint < joint_count && goal->chain_root >= -1
            && goal->chain_root < joint_count
            && (goal->chain_root < 0
                || sinew_skeleton_is_ancestor(skeleton, goal->chain_root, goal->joint))
            && sinew_vec3_is_finite(goal->joint_from_effector.position)
            && fabs(sinew_quat_dot(r, r) - 1.0) <= 1e-3;
        if (!good) { return snw_refuse(message, "goals[%d] is not a goal of this skeleton", g); }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_data(
    const sinew_Skeleton *skeleton, const sinew_StartTableData *data, sinew_Message *message)
{
    if (data->start_count < 1 || data->start_count > SINEW_MAX_STARTS) {
        return snw_refuse(
            message, "start_count is %d, want 1..%d", data->start_count, SINEW_MAX_STARTS);
    }
    if (data->centroid_count < 1 || data->centroid_count > MAX_CENTROIDS) {
        return snw_refuse(
            message, "centroid_count is %d, want 1..%d", data->centroid_count, MAX_CENTROIDS);
    }
    if (data->coordinate_count != sinew_skeleton_coordinate_count(skeleton)) {
        return snw_refuse(message, "coordinate_count is %d, and the skeleton has %d",
            data->coordinate_count, sinew_skeleton_coordinate_count(skeleton));
    }
    if (!(data->reach > 1e-12 && data->reach < 1e12)) {
        return snw_refuse(message, "reach is %g, want a number above 0", data->reach);
    }
    sinew_Status status = SNW_CHECK_NULL(message, "poses centroids centroid_starts", data->poses,
        data->centroids, data->centroid_starts);
    if (status != SINEW_STATUS_OK) { return status; }
    status = snw_start_check_goals(skeleton, data->goals, data->goal_count, message);
    for (int s = 0; s < data->start_count && status == SINEW_STATUS_OK; ++s) {
        status = sinew_pose_check(
            skeleton, &data->poses[(size_t)s * (size_t)data->coordinate_count], message);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    for (int c = 0; c < data->centroid_count; ++c) {
        int start = data->centroid_starts[c];
        if (start < 0 || start >= data->start_count) {
            return snw_refuse(
                message, "centroid_starts[%d] is %d, want 0..%d", c, start, data->start_count - 1);
        }
        for (int g = 0; g < data->goal_count; ++g) {
            const double *key =
                &data->centroids[((size_t)c * (size_t)data->goal_count + (size_t)g) * SNW_KEY_SIZE];
            sinew_Quat r = { key[3], key[4], key[5], key[6] };
            bool finite = isfinite(key[0]) && isfinite(key[1]) && isfinite(key[2]);
            if (!finite || !(fabs(sinew_quat_dot(r, r) - 1.0) <= 1e-3)) {
                return snw_refuse(message,
                    "centroid %d of goal %d is not a finite position and a unit quaternion", c, g);
            }
        }
    }
    return SINEW_STATUS_OK;
}

static void take_arrays(sinew_StartTable *table, snw_Arena *arena)
{
    const sinew_StartTableData *data = &table->data;
    size_t goals = (size_t)data->goal_count, centroids = (size_t)data->centroid_count;
    (void)snw_arena_take(arena, 1, sizeof *table);
    table->poses = snw_arena_take(
        arena, (size_t)data->start_count * (size_t)data->coordinate_count, sizeof(double));
    table->centroids = snw_arena_take(arena, centroids * goals * SNW_KEY_SIZE, sizeof(double));
    table->centroid_starts = snw_arena_take(arena, centroids, sizeof(int));
    table->goals = snw_arena_take(arena, goals, sizeof(sinew_Goal));
}

// a table with room for the counts of its data
static sinew_Status take_table(const sinew_StartTableData *counts, const sinew_Allocator *allocator,
    sinew_StartTable **out_table, sinew_Message *message)
{
    sinew_StartTable draft;
    *out_table = NULL;
    memset(&draft, 0, sizeof draft);
    draft.allocator = snw_allocator_or_default(allocator);
    draft.data = *counts;
    snw_Arena arena = { NULL, 0 };
    take_arrays(&draft, &arena);
    if (!snw_arena_open(&arena, &draft.allocator, &draft.memory_size)) {
        return snw_no_memory(message, "a start table of %z bytes", draft.memory_size);
    }
    take_arrays(&draft, &arena);
    draft.data.poses = draft.poses;
    draft.data.centroids = draft.centroids;
    draft.data.centroid_starts = draft.centroid_starts;
    draft.data.goals = draft.goals;
    sinew_StartTable *table = (sinew_StartTable *)(void *)arena.base;
    *table = draft;
    *out_table = table;
    return SINEW_STATUS_OK;
}

// copy what data holds to the front of a table with room for as much or more
static void fill_table(sinew_StartTable *table, const sinew_StartTableData *data)
{
    size_t goals = (size_t)data->goal_count, centroids = (size_t)data->centroid_count;
    memcpy(table->poses, data->poses,
        (size_t)data->start_count * (size_t)data->coordinate_count * sizeof(double));
    memcpy(table->centroids, data->centroids, centroids * goals * SNW_KEY_SIZE * sizeof(double));
    memcpy(table->centroid_starts, data->centroid_starts, centroids * sizeof(int));
    memcpy(table->goals, data->goals, goals * sizeof(sinew_Goal));
}

sinew_Status sinew_start_table_create(const sinew_Skeleton *skeleton,
    const sinew_StartTableData *data, const sinew_Allocator *allocator,
    sinew_StartTable **out_table, sinew_Message *out_message)
{
    if (out_table == NULL) { return snw_refuse(out_message, "out_table is NULL"); }
    *out_table = NULL;
    sinew_Status status = SNW_CHECK_NULL(out_message, "skeleton data", skeleton, data);
    if (status != SINEW_STATUS_OK) { return status; }
    status = check_data(skeleton, data, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    status = take_table(data, allocator, out_table, out_message);
    if (*out_table != NULL) { fill_table(*out_table, data); }
    return status;
}

void sinew_start_table_destroy(sinew_StartTable *table)
{
    if (table == NULL) { return; }
    snw_free(&table->allocator, table, table->memory_size);
}

const sinew_StartTableData *sinew_start_table_data(const sinew_StartTable *table)
{
    return table != NULL ? &table->data : NULL;
}

// ---------------------------------------------------------------------------------------------
// A start found by hand

// the length that distances are counted in: the longest chain of the goals
static double longest_chain(const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    double longest = 0.0;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int g = 0; g < goal_count; ++g) {
        int root = goals[g].chain_root >= 0 ? goals[g].chain_root : goals[g].joint;
        while (goals[g].chain_root < 0 && joints[root].parent >= 0) { root = joints[root].parent; }
        double length = sinew_skeleton_chain_length(skeleton, root, goals[g].joint)
            + sinew_vec3_length(goals[g].joint_from_effector.position);
        longest = length > longest ? length : longest;
    }
    return longest > 1e-9 ? longest : sinew_skeleton_size(skeleton);
}

sinew_Status sinew_start_table_add(const sinew_Skeleton *skeleton, const sinew_StartTable *table,
    const sinew_Goal *goals, int goal_count, const double *q, const sinew_Allocator *allocator,
    sinew_StartTable **out_table, sinew_Message *out_message)
{
    if (out_table == NULL) { return snw_refuse(out_message, "out_table is NULL"); }
    *out_table = NULL;
    sinew_Status status = SNW_CHECK_NULL(out_message, "skeleton goals q", skeleton, goals, q);
    if (status != SINEW_STATUS_OK) { return status; }
    status = snw_start_check_goals(skeleton, goals, goal_count, out_message);
    if (status == SINEW_STATUS_OK) { status = sinew_pose_check(skeleton, q, out_message); }
    if (status != SINEW_STATUS_OK) { return status; }
    int coordinates = sinew_skeleton_coordinate_count(skeleton);
    sinew_StartTableData counts = { 0 };
    if (table != NULL) {
        counts = table->data;
        if (counts.coordinate_count != coordinates || !table_fits(table, goals, goal_count)) {
            return snw_refuse(out_message, "the table is for another skeleton or other goals");
        }
        if (counts.start_count >= SINEW_MAX_STARTS || counts.centroid_count >= MAX_CENTROIDS) {
            return snw_fail(out_message, SINEW_STATUS_CAPACITY,
                "the table has %d start%s and %d centroid%s already", counts.start_count,
                snw_plural(counts.start_count), counts.centroid_count,
                snw_plural(counts.centroid_count));
        }
    }
    counts.reach = table != NULL ? counts.reach : longest_chain(skeleton, goals, goal_count);
    counts.goal_count = goal_count;
    counts.coordinate_count = coordinates;
    ++counts.start_count;
    ++counts.centroid_count;
    sinew_StartTable *made;
    status = take_table(&counts, allocator, &made, out_message);
    if (made == NULL) { return status; }

    if (table != NULL) { fill_table(made, &table->data); }
    int start = counts.start_count - 1, centroid = counts.centroid_count - 1;
    memcpy(
        &made->poses[(size_t)start * (size_t)coordinates], q, (size_t)coordinates * sizeof(double));
    made->centroid_starts[centroid] = start;
    size_t key_start = (size_t)centroid * (size_t)goal_count * SNW_KEY_SIZE;
    for (int g = 0; g < goal_count; ++g) {
        sinew_Goal goal = goals[g];
        snw_start_goal_at(skeleton, q, &goal);
        made->goals[g] = goals[g];
        snw_start_key(
            skeleton, &goal, 1, q, &made->centroids[key_start + (size_t)g * SNW_KEY_SIZE]);
    }
    *out_table = made;
    return SINEW_STATUS_OK;
}
