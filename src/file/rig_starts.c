// Start tables in the numbers of a rig, and back.

#include "sinew/rig_starts.h"

#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_OF_GOAL 7
#define KEY_SIZE 512

static const char *const kinds[] = { "position", "orientation", "pose" };

static double unit_of(const sinew_Rig *rig)
{
    return sinew_rig_unit(rig) > 0.0 ? sinew_rig_unit(rig) : 1.0;
}

// positions of centroids by a factor; orientations stay
static void scale_centroids(double *centroids, size_t goals, double factor)
{
    for (size_t g = 0; g < goals; ++g) {
        for (int i = 0; i < 3; ++i) { centroids[NUMBERS_OF_GOAL * g + (size_t)i] *= factor; }
    }
}

// ---------------------------------------------------------------------------------------------
// Into a rig

/// Texts and lists of a table on their way into a rig.
typedef struct Draft {
    sinew_Rig *scratch; // its poses are those of the table
    sinew_RigGoal *goals;
    char (*keys)[KEY_SIZE]; // of goals: joint, chain root
    sinew_RigPose *poses;
    double *centroids;
} Draft;

static void name_goals(
    const sinew_Skeleton *skeleton, const sinew_StartTableData *data, double unit, Draft *draft)
{
    for (int g = 0; g < data->goal_count; ++g) {
        const sinew_Goal *from = &data->goals[g];
        sinew_RigGoal *to = &draft->goals[g];
        sinew_rig_key(skeleton, from->joint, draft->keys[2 * g], KEY_SIZE);
        to->kind = kinds[from->kind];
        to->key = draft->keys[2 * g];
        if (from->chain_root >= 0) {
            sinew_rig_key(skeleton, from->chain_root, draft->keys[2 * g + 1], KEY_SIZE);
            to->chain_root = draft->keys[2 * g + 1];
        }
        to->offset = sinew_vec3_scale(from->joint_from_effector.position, 1.0 / unit);
        to->rotation = from->joint_from_effector.rotation;
    }
}

static sinew_Status fill(sinew_Rig *rig, const char *name, const sinew_Skeleton *skeleton,
    const sinew_StartTableData *data, Draft *draft)
{
    double unit = unit_of(rig);
    size_t goals = (size_t)data->centroid_count * (size_t)data->goal_count;
    name_goals(skeleton, data, unit, draft);
    sinew_rig_set_unit(draft->scratch, unit);
    for (int p = 0; p < data->start_count; ++p) {
        char number[16];
        snprintf(number, sizeof number, "%d", p);
        sinew_Status status = sinew_rig_capture_pose(draft->scratch, number, skeleton,
            data->poses + (size_t)p * (size_t)data->coordinate_count);
        if (status != SINEW_STATUS_OK) { return status; }
        draft->poses[p] = *sinew_rig_pose(draft->scratch, p);
    }
    memcpy(draft->centroids, data->centroids, goals * NUMBERS_OF_GOAL * sizeof(double));
    scale_centroids(draft->centroids, goals, 1.0 / unit);
    sinew_RigStarts starts;
    memset(&starts, 0, sizeof starts);
    starts.name = name;
    starts.reach = data->reach / unit;
    starts.goals = draft->goals;
    starts.goal_count = data->goal_count;
    starts.poses = draft->poses;
    starts.pose_count = data->start_count;
    starts.centroids = draft->centroids;
    starts.centroid_poses = data->centroid_starts;
    starts.centroid_count = data->centroid_count;
    return sinew_rig_set_starts(rig, &starts);
}

sinew_Status sinew_rig_keep_starts(
    sinew_Rig *rig, const char *name, const sinew_Skeleton *skeleton, const sinew_StartTable *table)
{
    if (rig == NULL || name == NULL || skeleton == NULL || table == NULL) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    const sinew_StartTableData *data = sinew_start_table_data(table);
    if (data->coordinate_count != sinew_skeleton_coordinate_count(skeleton)) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    size_t goals = (size_t)data->goal_count;
    Draft draft;
    memset(&draft, 0, sizeof draft);
    draft.goals = calloc(goals, sizeof *draft.goals);
    draft.keys = calloc(2 * goals, sizeof *draft.keys);
    draft.poses = calloc((size_t)data->start_count, sizeof *draft.poses);
    draft.centroids = calloc(
        (size_t)data->centroid_count * goals * NUMBERS_OF_GOAL, sizeof(double));
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (draft.goals != NULL && draft.keys != NULL && draft.poses != NULL
        && draft.centroids != NULL) {
        status = sinew_rig_create(NULL, &draft.scratch);
    }
    if (status == SINEW_STATUS_OK) { status = fill(rig, name, skeleton, data, &draft); }
    sinew_rig_destroy(draft.scratch);
    free(draft.goals);
    free(draft.keys);
    free(draft.poses);
    free(draft.centroids);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Out of a rig

static sinew_Status find_goals(const sinew_RigStarts *starts, const sinew_Skeleton *skeleton,
    double unit, sinew_Goal *goals, sinew_Message *out_message)
{
    for (int g = 0; g < starts->goal_count; ++g) {
        const sinew_RigGoal *from = &starts->goals[g];
        const char *root = from->chain_root;
        int joint = sinew_rig_key_joint(skeleton, from->key);
        int chain_root = root != NULL ? sinew_rig_key_joint(skeleton, root) : -1;
        if (joint < 0 || (root != NULL && chain_root < 0)) {
            return snw_refuse(out_message,
                "starts '%s' have a joint '%s', want one of the skeleton", starts->name,
                joint < 0 ? from->key : root);
        }
        int kind = 0;
        while (kind < 3 && strcmp(kinds[kind], from->kind) != 0) { ++kind; }
        if (kind == 3) {
            return snw_refuse(
                out_message, "starts '%s' have a goal of kind '%s'", starts->name, from->kind);
        }
        goals[g] = sinew_goal_position(joint, sinew_vec3(0.0, 0.0, 0.0));
        goals[g].kind = (sinew_GoalKind)kind;
        goals[g].chain_root = chain_root;
        goals[g].joint_from_effector.position = sinew_vec3_scale(from->offset, unit);
        goals[g].joint_from_effector.rotation = sinew_quat_normalize(from->rotation);
    }
    return SINEW_STATUS_OK;
}

// what a rig keeps was checked when it was given
static bool is_of(const sinew_Rig *rig, const sinew_RigStarts *starts)
{
    for (int i = 0; i < sinew_rig_starts_count(rig); ++i) {
        if (sinew_rig_starts(rig, i) == starts) { return true; }
    }
    return false;
}

sinew_Status sinew_rig_start_table(const sinew_Rig *rig, const sinew_RigStarts *starts,
    const sinew_Skeleton *skeleton, const sinew_Allocator *allocator, sinew_StartTable **out_table,
    sinew_Message *out_message)
{
    if (out_table != NULL) { *out_table = NULL; }
    if (rig == NULL || starts == NULL || skeleton == NULL || out_table == NULL) {
        return SNW_CHECK_NULL(
            out_message, "rig starts skeleton out_table", rig, starts, skeleton, out_table);
    }
    if (!is_of(rig, starts)) { return snw_refuse(out_message, "starts is none of the rig's own"); }
    double unit = unit_of(rig);
    size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton);
    size_t goal_count = (size_t)starts->centroid_count * (size_t)starts->goal_count;
    sinew_Goal *goals = calloc((size_t)starts->goal_count, sizeof *goals);
    double *poses = calloc((size_t)starts->pose_count * width, sizeof *poses);
    double *centroids = calloc(goal_count * NUMBERS_OF_GOAL, sizeof *centroids);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (goals != NULL && poses != NULL && centroids != NULL) {
        status = find_goals(starts, skeleton, unit, goals, out_message);
        for (int p = 0; p < starts->pose_count && status == SINEW_STATUS_OK; ++p) {
            status = sinew_rig_pose_values(
                rig, &starts->poses[p], skeleton, poses + (size_t)p * width, out_message);
        }
    } else {
        snw_message_set(out_message, "no memory for starts '%s'", starts->name);
    }
    if (status == SINEW_STATUS_OK) {
        memcpy(centroids, starts->centroids, goal_count * NUMBERS_OF_GOAL * sizeof *centroids);
        scale_centroids(centroids, goal_count, unit);
        sinew_StartTableData data = { starts->pose_count, starts->centroid_count, (int)width,
            starts->goal_count, starts->reach * unit, poses, centroids, starts->centroid_poses,
            goals };
        status = sinew_start_table_create(skeleton, &data, allocator, out_table, out_message);
    }
    free(goals);
    free(poses);
    free(centroids);
    return status;
}
