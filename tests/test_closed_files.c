// Closed forms of the limbs of real files: each has one or a reason is told, goals are met inside the
// limits, at bounds and singular poses as well, and copies that say the same in other words keep their
// class.

#include "closed_bodies.h"
#include "limit_shapes.h"

#include "sinew/file.h"
#include "sinew/rig.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 256, MAX_LIMB = 64 };

typedef struct Names {
    int count;
    char names[MAX_FILES][128];
} Names;

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    return length >= end && strcmp(name + length - end, ending) == 0;
}

static void list_files(const char *folder, const char *ending, Names *out)
{
    const char *path = data_path(folder);
    DIR *dir = path != NULL ? opendir(path) : NULL;
    out->count = 0;
    if (dir == NULL) { skip(); }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL && out->count < MAX_FILES;) {
        if (!ends_with(entry->d_name, ending)) { continue; }
        snprintf(
            out->names[out->count++], sizeof out->names[0], "%s/%.100s", folder, entry->d_name);
    }
    closedir(dir);
    qsort(out->names, (size_t)out->count, sizeof out->names[0], compare_names);
}

static sinew_MotionFile *read_file(const char *name)
{
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_read(data_path(name), &options, &file, &message), &message);
    return file;
}

// axes that move from below the last joint with several limbs to a tip
typedef struct Limb {
    int root, tip, count;
    int axes[MAX_LIMB];
} Limb;

static int moving_limbs(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    int count = 0;
    for (int c = joint + 1; c < joint + joints[joint].subtree_count; ++c) {
        if (joints[c].parent != joint) { continue; }
        bool moves = false;
        for (int j = c; j < c + joints[c].subtree_count; ++j) {
            for (int a = 0; a < joints[j].axis_count; ++a) {
                moves = moves || axes[joints[j].axis_start + a].mobility > 0.0;
            }
        }
        count += moves ? 1 : 0;
    }
    return count;
}

static Limb limb_to(const sinew_Skeleton *skeleton, int tip)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    Limb limb = { tip, tip, 0, { 0 } };
    for (int j = tip; j >= 0 && (j == tip || moving_limbs(skeleton, j) < 2); j = joints[j].parent) {
        for (int a = joints[j].axis_start + joints[j].axis_count - 1; a >= joints[j].axis_start;
             --a) {
            if (axes[a].mobility > 0.0 && limb.count < MAX_LIMB) { limb.axes[limb.count++] = a; }
        }
        limb.root = j;
    }
    return limb;
}

// uniform in the ranges, or with some joints on a bound, at zero, or next to it
static void draw_limb(
    test_Random *random, const sinew_Skeleton *skeleton, const Limb *limb, int hard, double *q)
{
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int i = 0; i < limb->count; ++i) {
        const sinew_Axis *axis = &sinew_skeleton_axes(skeleton)[limb->axes[i]];
        double lower = isfinite(axis->lower) ? axis->lower : -SINEW_PI;
        double upper = isfinite(axis->upper) ? axis->upper : SINEW_PI;
        double value = test_range(random, lower, upper), chance = test_uniform(random);
        bool zero = lower < 0.0 && upper > 0.0 && chance < 0.4;
        if (hard == 1 && chance < 0.3) { value = chance < 0.15 ? lower : upper; }
        if (hard == 2 && zero) { value = 0.0; }
        if (hard == 3 && zero) { value = 1e-5 * value; }
        q[places[limb->axes[i]].coordinate] = value;
    }
}

// goals of a limb, from the middle of all ranges; all are met. Returns how many by a closed form
static int solve_limb(test_Random *random, const sinew_Skeleton *skeleton, sinew_Solver *solver,
    const Limb *limb, sinew_GoalKind kind, int hard, int goals)
{
    size_t count = (size_t)sinew_skeleton_coordinate_count(skeleton);
    double *q = malloc(count * sizeof *q), *middle = malloc(count * sizeof *middle);
    TEST_TRUE(q != NULL && middle != NULL);
    sinew_pose_middle(skeleton, middle);
    sinew_SolveOptions options = tight(SINEW_BRANCH_NEAREST);
    int closed = 0;
    for (int i = 0; i < goals; ++i) {
        memcpy(q, middle, count * sizeof *q);
        draw_limb(random, skeleton, limb, hard, q);
        sinew_Transform place = scene_reckon(skeleton, q, limb->tip, sinew_transform_identity());
        sinew_Goal goal = sinew_goal_pose(limb->tip, place.position, place.rotation);
        goal.kind = kind;
        goal.chain_root = limb->root;
        memcpy(q, middle, count * sizeof *q);
        sinew_Report report;
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        check_met(skeleton, &goal, q);
        closed += report.found_by == SINEW_FOUND_CLOSED;
    }
    free(q);
    free(middle);
    return closed;
}

static sinew_Goal goal_of(const Limb *limb)
{
    sinew_Goal goal = sinew_goal_pose(limb->tip, sinew_vec3(0.0, 0.0, 0.0), sinew_quat_identity());
    goal.chain_root = limb->root;
    if (limb->count < 6) { goal.kind = SINEW_GOAL_POSITION; }
    return goal;
}

static void check_file(const char *name, int *limbs, int *closed_limbs)
{
    sinew_MotionFile *file = read_file(name);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_Solver *solver = make_solver(skeleton);
    double *q = malloc((size_t)(sinew_skeleton_coordinate_count(skeleton) + 1) * sizeof *q);
    TEST_TRUE(q != NULL);
    sinew_pose_rest(skeleton, q);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        if (joints[j].subtree_count > 1) { continue; }
        Limb limb = limb_to(skeleton, j);
        if (limb.count < 3) { continue; }
        sinew_Goal goal = goal_of(&limb);
        sinew_Message text = { "" };
        bool closed = sinew_solver_closed_form(solver, &goal, q, &text);
        TEST_TRUE(strstr(text.text, closed ? ": closed form" : "no closed form") != NULL);
        ++*limbs;
        if (!closed) { continue; }
        ++*closed_limbs;
        test_Random random = test_case(11020, j);
        for (int hard = 0; hard < 4; ++hard) {
            (void)solve_limb(&random, skeleton, solver, &limb, goal.kind, hard, 12);
        }
    }
    free(q);
    sinew_solver_destroy(solver);
    sinew_motion_destroy(file);
}

static void test_every_limb_of_the_files(void **state)
{
    (void)state;
    static const char *const folders[4][2] = { { "urdf", ".urdf" }, { "bvh", ".bvh" },
        { "gltf", ".gltf" }, { "gltf", ".glb" } };
    static Names names;
    int limbs[4] = { 0 }, closed[4] = { 0 };
    for (int f = 0; f < 4; ++f) {
        list_files(folders[f][0], folders[f][1], &names);
        for (int i = 0; i < names.count; ++i) { check_file(names.names[i], &limbs[f], &closed[f]); }
        print_message(
            "    %s: %d limbs, %d with a closed form\n", folders[f][0], limbs[f], closed[f]);
    }
    TEST_TRUE(closed[0] > 20 && limbs[1] > 20 && limbs[2] + limbs[3] > 4);
}

// ---------------------------------------------------------------------------------------------
// Arms and legs of recorded bodies with guessed limits, to a pose of hand or foot

// the file's skeleton with human limits; the caller gives both back. NULL: it is no body
static sinew_Skeleton *make_rigged(const sinew_Skeleton *skeleton, sinew_RoleGuess **out_roles)
{
    sinew_Rig *rig = NULL;
    sinew_Skeleton *rigged = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_roles_guess(skeleton, NULL, NULL, out_roles, &message), &message);
    TEST_OK(sinew_rig_guess(skeleton, *out_roles, NULL, NULL, &rig, &message), &message);
    TEST_OK(sinew_rig_apply(skeleton, rig, NULL, &rigged, &message), &message);
    sinew_rig_destroy(rig);
    return rigged;
}

static void draw_joint(
    test_Random *random, const sinew_Skeleton *skeleton, int joint, bool hard, double *q)
{
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(skeleton)[a];
        if (axis->kind != SINEW_AXIS_BALL) { continue; }
        bool bound = hard && axis->limit != NULL && test_uniform(random) < 0.3;
        sinew_Quat ball = axis->limit == NULL || bound ? test_unit_quat(random)
                                                       : shape_pose_inside(axis->limit, random);
        if (bound) { ball = sinew_ball_limit_clamp(axis->limit, ball); }
        double *value = &q[places[a].coordinate];
        value[0] = ball.x;
        value[1] = ball.y;
        value[2] = ball.z;
        value[3] = ball.w;
    }
}

// goals of one limb from the rest pose: all are met within the limits; returns how many in closed form
static int solve_human_limb(test_Random *random, const sinew_Skeleton *skeleton,
    sinew_Solver *solver, int root, int end, bool hard, int goals)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    size_t count = (size_t)sinew_skeleton_coordinate_count(skeleton);
    double *q = malloc(count * sizeof *q);
    TEST_TRUE(q != NULL);
    sinew_SolveOptions options = tight(SINEW_BRANCH_NEAREST);
    int closed = 0, last = joints[end].axis_start + joints[end].axis_count - 1;
    for (int i = 0; i < goals; ++i) {
        sinew_pose_rest(skeleton, q);
        for (int j = end; j >= 0; j = j == root ? -1 : joints[j].parent) {
            draw_joint(random, skeleton, j, hard, q);
        }
        sinew_Transform place = scene_reckon(skeleton, q, end, sinew_transform_identity());
        sinew_Goal goal = sinew_goal_pose(end, place.position, place.rotation);
        goal.chain_root = root;
        sinew_pose_rest(skeleton, q);
        sinew_Report report;
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
        sinew_Transform tip = scene_reckon(skeleton, q, end, sinew_transform_identity());
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_NEAR(sinew_vec3_distance(tip.position, place.position), 0.0, 1.0001e-5);
        TEST_NEAR(scene_reckon_angle(tip.rotation, place.rotation), 0.0, 1.0001e-5);
        TEST_TRUE(scene_reckon_violation(skeleton, q, joints[root].axis_start, last) <= 1e-9);
        closed += report.found_by == SINEW_FOUND_CLOSED ? 1 : 0;
    }
    free(q);
    return closed;
}

typedef struct HumanTally {
    int limbs, closed_limbs, goals[2], closed[2];
} HumanTally;

static void check_human(const char *name, int goals, HumanTally *tally)
{
    static const sinew_Role roots[2] = { SINEW_ROLE_UPPERARM, SINEW_ROLE_THIGH };
    static const sinew_Role ends[2] = { SINEW_ROLE_HAND, SINEW_ROLE_FOOT };
    sinew_MotionFile *file = read_file(name);
    sinew_RoleGuess *roles = NULL;
    sinew_Skeleton *skeleton = make_rigged(sinew_motion_skeleton(file), &roles);
    sinew_Solver *solver = make_solver(skeleton);
    double *rest = malloc((size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *rest);
    TEST_TRUE(rest != NULL);
    sinew_pose_rest(skeleton, rest);
    for (int i = 0; i < 4; ++i) {
        sinew_Side side = i % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        int root = sinew_roles_find(roles, roots[i / 2], side, -1);
        int end = sinew_roles_find(roles, ends[i / 2], side, -1);
        // feet of rigs for animation hang on the world
        if (root < 0 || end < 0 || !sinew_skeleton_is_ancestor(skeleton, root, end)) { continue; }
        sinew_Goal goal = sinew_goal_pose(end, sinew_vec3(0.0, 0.0, 0.0), sinew_quat_identity());
        goal.chain_root = root;
        sinew_Message text = { "" };
        bool closed = sinew_solver_closed_form(solver, &goal, rest, &text);
        TEST_TRUE(strstr(text.text, closed ? ": closed form" : "no closed form, ") != NULL);
        ++tally->limbs;
        if (!closed) { continue; }
        ++tally->closed_limbs;
        test_Random random = test_case(11030, i);
        for (int hard = 0; hard < 2; ++hard) {
            tally->goals[hard] += goals;
            tally->closed[hard] += solve_human_limb(
                &random, skeleton, solver, root, end, hard != 0, goals);
        }
    }
    free(rest);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
    sinew_roles_destroy(roles);
    sinew_motion_destroy(file);
}

static void test_arms_and_legs_of_people(void **state)
{
    (void)state;
    static Names names;
    HumanTally tally = { 0 };
    const char *text = getenv("SINEW_TEST_LIMB_GOALS");
    int goals = text != NULL ? atoi(text) : 20;
    list_files("bvh", ".bvh", &names);
    for (int i = 0; i < names.count; ++i) { check_human(names.names[i], goals, &tally); }
    if (data_path("gltf/cesium_man.gltf") != NULL) {
        check_human("gltf/cesium_man.gltf", goals, &tally);
    }
    if (data_path("gltf/robot_expressive.glb") != NULL) {
        check_human("gltf/robot_expressive.glb", goals, &tally);
    }
    print_message("    %d arms and legs, %d with a closed form, which found %d of %d, at limits "
                  "%d of %d\n",
        tally.limbs, tally.closed_limbs, tally.closed[0], tally.goals[0], tally.closed[1],
        tally.goals[1]);
    TEST_TRUE(tally.closed_limbs >= tally.limbs * 9 / 10);
    TEST_TRUE(tally.closed[0] >= tally.goals[0] * 99 / 100);
    TEST_TRUE(tally.closed[1] >= tally.goals[1] * 9 / 10);
}

// ---------------------------------------------------------------------------------------------
// Copies

typedef struct Arm {
    const char *file, *base, *tip;
} Arm;

static const Arm arms[] = {
    { "urdf/panda.urdf", "panda_link0", "panda_link8" },
    { "urdf/kuka_iiwa.urdf", "lbr_iiwa_link_0", "lbr_iiwa_link_7" },
    { "urdf/ur5_limited.urdf", "base_link", "tool0" },
    { "urdf/kinova_jaco.urdf", "base", "j2s6s200_end_effector" },
    { "urdf/pr2.urdf", "torso_lift_link", "r_gripper_tool_frame" },
    { "urdf/tiago.urdf", "torso_lift_link", "arm_tool_link" },
    { "urdf/romeo.urdf", "torso", "l_gripper" },
    { "urdf/talos_full_v2.urdf", "torso_2_link", "gripper_left_base_link" },
    { "urdf/simple_humanoid.urdf", "torso", "l_wrist" },
};
enum { ARMS = (int)(sizeof arms / sizeof arms[0]) };

// the axes of an arm at zero, in the frame that carries it
static Layout layout_of(const sinew_Skeleton *skeleton, int base, int tip)
{
    Layout layout = { 0 };
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton) + 1, sizeof *q);
    sinew_Transform none = sinew_transform_identity();
    TEST_TRUE(q != NULL);
    int path[MAX_LIMB], count = 0;
    for (int j = tip; j >= 0 && j != base; j = joints[j].parent) { path[count++] = j; }
    while (count-- > 0) {
        const sinew_Joint *joint = &joints[path[count]];
        if (joint->axis_count == 0 || axes[joint->axis_start].mobility == 0.0) { continue; }
        const sinew_Axis *axis = &axes[joint->axis_start];
        sinew_Transform frame = scene_reckon(skeleton, q, path[count], none);
        int i = layout.count++;
        layout.hinges[i] = (Hinge){ sinew_quat_rotate(frame.rotation, axis->direction),
            frame.position };
        layout.lower[i] = isfinite(axis->lower) ? axis->lower : -SINEW_PI;
        layout.upper[i] = isfinite(axis->upper) ? axis->upper : SINEW_PI;
    }
    layout.tip = scene_reckon(skeleton, q, tip, none).position;
    free(q);
    return layout;
}

static Layout mirrored(Layout layout)
{
    for (int i = 0; i < layout.count; ++i) {
        Hinge *hinge = &layout.hinges[i];
        hinge->point.x = -hinge->point.x;
        hinge->direction.x = -hinge->direction.x;
    }
    layout.tip.x = -layout.tip.x;
    return layout;
}

// carried by something else, somewhere else
static Layout hung_elsewhere(test_Random *random, Layout layout)
{
    sinew_Quat turn = test_unit_quat(random);
    sinew_Vec3 by = test_vector(random, 1.0);
    for (int i = 0; i < layout.count; ++i) {
        Hinge *hinge = &layout.hinges[i];
        hinge->point = sinew_vec3_add(by, sinew_quat_rotate(turn, hinge->point));
        hinge->direction = sinew_quat_rotate(turn, hinge->direction);
    }
    layout.tip = sinew_vec3_add(by, sinew_quat_rotate(turn, layout.tip));
    return layout;
}

// carried by what it carried: the tip is where its first hinge was
static Layout turned_over(const Layout *layout)
{
    Layout r = *layout;
    for (int i = 0; i < layout->count; ++i) {
        int k = layout->count - 1 - i;
        r.hinges[i] = (Hinge){ sinew_vec3_scale(layout->hinges[k].direction, -1.0),
            layout->hinges[k].point };
        r.lower[i] = layout->lower[k];
        r.upper[i] = layout->upper[k];
    }
    r.tip = layout->hinges[0].point;
    return r;
}

// every joint counts from elsewhere
static Layout zeroed_elsewhere(test_Random *random, Layout layout)
{
    for (int i = layout.count - 1; i >= 0; --i) {
        double by = test_range(random, -0.5, 0.5);
        sinew_Quat turn = sinew_quat_from_axis_angle(layout.hinges[i].direction, by);
        sinew_Vec3 at = layout.hinges[i].point;
        for (int k = i + 1; k <= layout.count; ++k) {
            sinew_Vec3 *point = k == layout.count ? &layout.tip : &layout.hinges[k].point;
            *point = sinew_vec3_add(at, sinew_quat_rotate(turn, sinew_vec3_sub(*point, at)));
            if (k == layout.count) { continue; }
            layout.hinges[k].direction = sinew_quat_rotate(turn, layout.hinges[k].direction);
        }
        layout.lower[i] -= by;
        layout.upper[i] -= by;
    }
    return layout;
}

// the share of goals of a copy that a closed form found; its class in words
static double copy_share(
    test_Random *random, const Layout *layout, double digits, sinew_Message *text)
{
    sinew_Skeleton *skeleton = make_body(random, layout, digits);
    sinew_Solver *solver = make_solver(skeleton);
    Limb limb = limb_to(skeleton, layout->count);
    sinew_Goal goal = goal_of(&limb);
    double q[MAX_HINGES] = { 0.0 };
    TEST_TRUE(sinew_solver_closed_form(solver, &goal, q, text));
    int closed = solve_limb(random, skeleton, solver, &limb, SINEW_GOAL_POSE, 0, 80);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
    return closed / 80.0;
}

static void test_copies_keep_their_class(void **state)
{
    (void)state;
    for (int a = 0; a < ARMS; ++a) {
        if (data_path(arms[a].file) == NULL) { skip(); }
        sinew_MotionFile *file = read_file(arms[a].file);
        Layout layout = layout_of(sinew_motion_skeleton(file),
            sinew_motion_find_joint(file, arms[a].base),
            sinew_motion_find_joint(file, arms[a].tip));
        test_Random random = test_case(11021, a);
        Layout copies[6] = { layout, mirrored(layout), layout, zeroed_elsewhere(&random, layout),
            hung_elsewhere(&random, layout), turned_over(&layout) };
        sinew_Message first = { "" }, text = { "" };
        for (int c = 0; c < 6; ++c) {
            double share = copy_share(&random, &copies[c], c == 2 ? 1e-4 : 0.0, &text);
            if (c == 0) { first = text; }
            // turned over, shoulder and wrist have changed places in the words
            TEST_TRUE(c == 5 || strcmp(first.text, text.text) == 0);
            TEST_TRUE(share > 0.9);
        }
        sinew_motion_destroy(file);
    }
}

TEST_MAIN(cmocka_unit_test(test_every_limb_of_the_files),
    cmocka_unit_test(test_arms_and_legs_of_people), cmocka_unit_test(test_copies_keep_their_class))
