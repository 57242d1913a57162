#include "info_limbs.h"

#include "arguments.h"

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

/// What limbs are found by, of each joint.
typedef struct Branch {
    int below;    ///< axes that move at the joint and below it
    int branches; ///< children below which something moves; a hand's fingers end the arm before them
    int axes; ///< axes that move at the joint and above it, up to where the body branches or slides
    int root; ///< the first joint that moves of those, -1: none
    unsigned told; ///< limbs that begin here: bit n for one of n axes
} Branch;

static bool slides(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    return j->axis_count > 0
        && sinew_skeleton_axes(skeleton)[j->axis_start].kind == SINEW_AXIS_SLIDE;
}

/// Add the axes of a joint to those above it, and keep which joint of them moves first.
static void add_axes(const sinew_Skeleton *skeleton, const Branch *tree, int joint, Branch *out)
{
    const int parent = sinew_skeleton_joints(skeleton)[joint].parent;
    const int own = moving_axes(skeleton, joint);
    out->axes = own + (parent >= 0 ? tree[parent].axes : 0);
    out->root = parent >= 0 ? tree[parent].root : -1;
    if (out->root < 0 && own > 0) { out->root = joint; }
}

/// The limb that ends at a tip: up to where the body branches, or its root. false: it is none.
static bool find_limb(const sinew_Skeleton *skeleton, const Branch *tree, int tip, Limb *out)
{
    Branch end = { 0 };
    if (slides(skeleton, tip)) { return false; }
    add_axes(skeleton, tree, tip, &end);
    *out = (Limb){ .root = end.root, .tip = tip, .axes = end.axes };
    out->goal = end.axes < 6 ? "place" : "pose";
    return end.axes >= LEAST_AXES && end.axes <= MOST_AXES;
}

/// The limb without the rest of its body, as what a solver plans is as long as its skeleton; NULL without memory.
static sinew_Skeleton *take_limb(const sinew_Skeleton *skeleton, const Limb *limb)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = 1;
    for (int j = limb->tip; j != limb->root; j = joints[j].parent) { ++count; }
    sinew_Skeleton *own = NULL;
    sinew_JointDef *defs = calloc((size_t)count, sizeof *defs);
    if (defs == NULL) { return NULL; }
    for (int i = count - 1, j = limb->tip; i >= 0; --i, j = joints[j].parent) {
        defs[i] = cli_joint_def(skeleton, j);
        defs[i].parent = i - 1;
    }
    // at the origin, where its goal is: the goal's place is within its reach, however short it is
    defs[0].offset = sinew_vec3(0.0, 0.0, 0.0);
    (void)sinew_skeleton_create(defs, count, NULL, &own, NULL);
    free(defs);
    return own;
}

static bool describe(const sinew_Skeleton *skeleton, Limb *limb)
{
    sinew_SolverDef def = sinew_solver_def_default();
    sinew_Skeleton *own = take_limb(skeleton, limb);
    sinew_Solver *solver = NULL;
    def.skeleton = own;
    def.max_goals = 1;
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(own) + 1, sizeof *q);
    bool good = own != NULL && q != NULL
        && sinew_solver_create(&def, &solver, NULL) == SINEW_STATUS_OK;
    if (good) {
        sinew_pose_rest(own, q);
        sinew_Goal goal = sinew_goal_position(
            sinew_skeleton_joint_count(own) - 1, sinew_vec3(0.0, 0.0, 0.0));
        if (strcmp(limb->goal, "pose") == 0) { goal.kind = SINEW_GOAL_POSE; }
        limb->closed = sinew_solver_closed_form(solver, &goal, q, &limb->text);
    }
    sinew_solver_destroy(solver);
    free(q);
    sinew_skeleton_destroy(own);
    return good;
}

static void count_branches(const sinew_Skeleton *skeleton, Branch *tree)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int j = sinew_skeleton_joint_count(skeleton) - 1; j >= 0; --j) {
        tree[j].below += moving_axes(skeleton, j);
        if (joints[j].parent < 0) { continue; }
        tree[joints[j].parent].below += tree[j].below;
        tree[joints[j].parent].branches += tree[j].below > 0 ? 1 : 0;
    }
}

/// From the root down, as thousands of fixed joints may end below one.
static void add_up_axes(const sinew_Skeleton *skeleton, Branch *tree)
{
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        tree[j].root = -1;
        bool ends = slides(skeleton, j) || tree[j].branches > 1;
        if (!ends) { add_axes(skeleton, tree, j, &tree[j]); }
    }
}

/// The limbs of a body, at most one for each joint; how many.
static int find_limbs(const cli_Input *input, Limb **out_limbs)
{
    const sinew_Skeleton *skeleton = input->skeleton;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = sinew_skeleton_joint_count(skeleton), found = 0;
    Limb *limbs = calloc((size_t)count, sizeof *limbs);
    Branch *tree = calloc((size_t)count, sizeof *tree);
    if (limbs != NULL && tree != NULL) {
        count_branches(skeleton, tree);
        add_up_axes(skeleton, tree);
        for (int j = 0; j < count; ++j) {
            // the last fixed joint of a limb, or the joint before its fingers
            Limb *limb = &limbs[found];
            bool end = tree[j].below == 0 && joints[j].subtree_count == 1;
            if (!end || !find_limb(skeleton, tree, j, limb)) { continue; }
            // one with the same root and as many axes was told: it ends in several tips
            unsigned *told = &tree[limb->root].told;
            if ((*told >> limb->axes & 1U) != 0) { continue; }
            *told |= 1U << limb->axes;
            if (describe(skeleton, limb)) { ++found; }
        }
    }
    free(tree);
    *out_limbs = limbs;
    return found;
}

void cli_limbs_print(const cli_Input *input)
{
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    Limb *limbs = NULL;
    int count = find_limbs(input, &limbs);
    for (int i = 0; i < count; ++i) {
        cli_print("  %-18s  %s to %s, %s: %s\n", i == 0 ? "limbs" : "", joints[limbs[i].root].name,
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
