#include "info_limbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_AXES = 3, MOST_AXES = 12 };

typedef struct Limb {
    int root, tip, axes;
    const char *goal; ///< "pose" or "place"
    bool closed;
    sinew_Message text;
} Limb;

static int moving_axes(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    int count = 0;
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        if (axes[a].mobility > 0.0) { count += axes[a].kind == SINEW_AXIS_BALL ? 3 : 1; }
    }
    return count;
}

/// Children below which something moves; those of a hand's fingers end the arm before them.
static int moving_children(const sinew_Skeleton *skeleton, const int *below, int joint)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = 0;
    for (int c = joint + 1; c < joint + joints[joint].subtree_count; ++c) {
        count += joints[c].parent == joint && below[c] > 0 ? 1 : 0;
    }
    return count;
}

/// The limb that ends at a tip: up to where the body branches, or its root. false: it is none.
static bool find_limb(const sinew_Skeleton *skeleton, const int *below, int tip, Limb *out)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int axes = 0, root = tip;
    for (int j = tip; j >= 0; j = joints[j].parent) {
        bool slides = joints[j].axis_count > 0
            && sinew_skeleton_axes(skeleton)[joints[j].axis_start].kind == SINEW_AXIS_SLIDE;
        if (slides || (j != tip && moving_children(skeleton, below, j) > 1)) { break; }
        axes += moving_axes(skeleton, j);
        if (moving_axes(skeleton, j) > 0) { root = j; }
    }
    *out = (Limb){ .root = root, .tip = tip, .axes = axes, .goal = axes < 6 ? "place" : "pose" };
    return axes >= LEAST_AXES && axes <= MOST_AXES;
}

static bool describe(const cli_Input *input, const double *q, Limb *limb)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = input->skeleton;
    def.max_goals = 1;
    sinew_Solver *solver = NULL;
    if (sinew_solver_create(&def, &solver, NULL) != SINEW_STATUS_OK) { return false; }
    sinew_Goal goal = sinew_goal_position(limb->tip, sinew_vec3(0.0, 0.0, 0.0));
    goal.chain_root = limb->root;
    if (strcmp(limb->goal, "pose") == 0) { goal.kind = SINEW_GOAL_POSE; }
    limb->closed = sinew_solver_closed_form(solver, &goal, q, &limb->text);
    sinew_solver_destroy(solver);
    return true;
}

/// Whether a limb with the same root and as many axes was told: it ends in several tips.
static bool is_known(const Limb *limbs, int last)
{
    for (int i = 0; i < last; ++i) {
        if (limbs[i].root == limbs[last].root && limbs[i].axes == limbs[last].axes) { return true; }
    }
    return false;
}

/// The limbs of a body, at most one for each joint; how many.
static int find_limbs(const cli_Input *input, Limb **out_limbs)
{
    const sinew_Skeleton *skeleton = input->skeleton;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = sinew_skeleton_joint_count(skeleton), found = 0;
    Limb *limbs = calloc((size_t)count, sizeof *limbs);
    // axes that move at a joint and below it
    int *below = calloc((size_t)count, sizeof *below);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton) + 1, sizeof *q);
    if (limbs != NULL && below != NULL && q != NULL) {
        sinew_pose_rest(skeleton, q);
        for (int j = count - 1; j >= 0; --j) {
            below[j] += moving_axes(skeleton, j);
            if (joints[j].parent >= 0) { below[joints[j].parent] += below[j]; }
        }
        for (int j = 0; j < count; ++j) {
            // the last fixed joint of a limb, or the joint before its fingers
            bool end = below[j] == 0 && joints[j].subtree_count == 1;
            if (end && find_limb(skeleton, below, j, &limbs[found]) && !is_known(limbs, found)
                && describe(input, q, &limbs[found])) {
                ++found;
            }
        }
    }
    free(below);
    free(q);
    *out_limbs = limbs;
    return found;
}

void cli_limbs_print(const cli_Input *input)
{
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    Limb *limbs = NULL;
    int count = find_limbs(input, &limbs);
    for (int i = 0; i < count; ++i) {
        printf("  %-18s  %s to %s, %s: %s\n", i == 0 ? "limbs" : "", joints[limbs[i].root].name,
            joints[limbs[i].tip].name, limbs[i].goal, limbs[i].text.text);
    }
    free(limbs);
}

void cli_limbs_json(cli_Json *out, const cli_Input *input)
{
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    Limb *limbs = NULL;
    int count = find_limbs(input, &limbs);
    cli_json_array(out, "limbs");
    for (int i = 0; i < count; ++i) {
        cli_json_object(out, NULL);
        cli_json_text(out, "root", joints[limbs[i].root].name);
        cli_json_text(out, "tip", joints[limbs[i].tip].name);
        cli_json_text(out, "goal", limbs[i].goal);
        cli_json_bool(out, "closed_form", limbs[i].closed);
        cli_json_text(out, "what", limbs[i].text.text);
        cli_json_object_end(out);
    }
    cli_json_array_end(out);
    free(limbs);
}
