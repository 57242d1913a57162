// Goals of every kind solved: the answers against what the goals mean, and odd input.

#include "goal_cases.h"

#include <stdio.h>

typedef struct Body {
    scene_Scene *scene;
    const sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    double q[BODY_MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS];
} Body;

static void set_body(Body *body, const char *name)
{
    memset(body, 0, sizeof *body);
    body->scene = body_scene(name);
    body->skeleton = body->scene->skeleton;
    body->solver = body_solver(body->skeleton, 8);
    sinew_pose_rest(body->skeleton, body->q);
}

static void release(Body *body)
{
    sinew_solver_destroy(body->solver);
    scene_destroy(body->scene);
}

static int joint_of(const Body *body, const char *name)
{
    int joint = sinew_skeleton_find_joint(body->skeleton, name);
    TEST_TRUE(joint >= 0);
    return joint;
}

static sinew_Report solve(
    Body *body, const sinew_SolveOptions *options, const sinew_Goal *goals, int count)
{
    sinew_Report report = body_solve(body->solver, options, goals, count, body->q);
    sinew_pose_forward(body->skeleton, body->q, body->world);
    TEST_OK(sinew_pose_check(body->skeleton, body->q, NULL), NULL);
    return report;
}

static sinew_SolveOptions tight(sinew_Method method)
{
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.position_tolerance = 1e-6;
    options.orientation_tolerance = 1e-6;
    if (method == SINEW_METHOD_TRANSPOSE) { options.max_iterations = 20000; }
    return options;
}

static double angle_between(sinew_Vec3 a, sinew_Vec3 b)
{
    sinew_Vec3 c = sinew_vec3_cross(a, b);
    return atan2(sinew_vec3_length(c), sinew_vec3_dot(a, b));
}

// the angle about the line from start to end, from the middle to a place
static double swivel(const Body *body, int start, int middle, int end, sinew_Vec3 place)
{
    sinew_Vec3 origin = body->world[start].position;
    sinew_Vec3 n = sinew_vec3_sub(body->world[end].position, origin);
    sinew_Vec3 m = sinew_vec3_sub(body->world[middle].position, origin);
    sinew_Vec3 h = sinew_vec3_sub(place, origin);
    double nn = sinew_vec3_dot(n, n);
    m = sinew_vec3_add_scaled(m, n, -sinew_vec3_dot(m, n) / nn);
    h = sinew_vec3_add_scaled(h, n, -sinew_vec3_dot(h, n) / nn);
    return angle_between(m, h);
}

static const sinew_Method methods[] = { SINEW_METHOD_AUTO, SINEW_METHOD_DAMPED,
    SINEW_METHOD_PSEUDO_INVERSE, SINEW_METHOD_SELECTIVELY_DAMPED, SINEW_METHOD_TRANSPOSE };
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

/// A head aims, a hand is level at a place, a knee swivels, two hands hold one thing, axes that do not
/// count stay free: with every method, as forward kinematics sees it.
static void test_meaning(void **state)
{
    (void)state;
    static Body body;
    set_body(&body, "MAN18");
    int head = joint_of(&body, "Head"), left = joint_of(&body, "LeftHand");
    int right = joint_of(&body, "RightHand"), thigh = joint_of(&body, "LeftUpLeg");
    int shank = joint_of(&body, "LeftLeg"), foot = joint_of(&body, "LeftFoot");
    sinew_Vec3 ahead = { 1.0, 1.4, 2.0 }, place = { 0.3, 1.1, 0.35 }, up = { 0.0, 1.0, 0.0 };
    sinew_Vec3 forward = { 0.0, 0.0, 1.0 }, beside = { 0.0, 0.05, 0.25 };
    sinew_Vec3 outside = { 0.6, 0.5, 0.6 };
    for (int k = 0; k < METHOD_COUNT; ++k) {
        sinew_SolveOptions options = tight(methods[k]);
        const char *name = sinew_method_name(methods[k]);
        sinew_pose_rest(body.skeleton, body.q);
        sinew_pose_forward(body.skeleton, body.q, body.world);
        sinew_Vec3 foot_place = body.world[foot].position;
        foot_place.y += 0.3;
        foot_place.z += 0.1;

        sinew_Goal aim = sinew_goal_aim(head, forward, ahead);
        sinew_Report report = solve(&body, &options, &aim, 1);
        sinew_Vec3 way = sinew_vec3_sub(ahead, body.world[head].position);
        double off = angle_between(sinew_quat_rotate(body.world[head].rotation, forward), way);
        print_message("    %-9s aim %.1e", name, off);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_TRUE(off <= 2e-6);

        sinew_Goal pair[3] = { sinew_goal_position(left, place), sinew_goal_direction(left, up, up),
            sinew_goal_position(right, beside) };
        pair[2].reference = left;
        pair[1].orientation_weight = 3.0;
        report = solve(&body, &options, pair, 3);
        sinew_Transform left_from_right = sinew_transform_mul(
            sinew_transform_inverse(body.world[left]), body.world[right]);
        off = angle_between(sinew_quat_rotate(body.world[left].rotation, up), up);
        double apart = sinew_vec3_distance(left_from_right.position, beside);
        print_message(", level %.1e, held %.1e", off, apart);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_TRUE(off <= 2e-6 && apart <= 2e-6);
        TEST_NEAR(sinew_vec3_distance(body.world[left].position, place), 0.0, 2e-6);

        sinew_pose_rest(body.skeleton, body.q);
        sinew_Goal leg[2] = { sinew_goal_position(foot, foot_place),
            sinew_goal_pole(thigh, shank, foot, outside) };
        report = solve(&body, &options, leg, 2);
        off = swivel(&body, thigh, shank, foot, outside);
        print_message(", knee %.1e", off);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_TRUE(off <= 5e-6);

        sinew_pose_rest(body.skeleton, body.q);
        sinew_Goal high = sinew_goal_position(left, sinew_vec3(9.0, 1.3, -9.0));
        high.position_mask = SINEW_MASK_Y;
        report = solve(&body, &options, &high, 1);
        off = fabs(body.world[left].position.y - 1.3);
        print_message(", height %.1e\n", off);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_TRUE(off <= 2e-6);
    }
    release(&body);
}

/// Two chains of one body that hold one thing follow each other, whichever is given a place.
static void test_relative_pose(void **state)
{
    (void)state;
    static Body body;
    set_body(&body, "MAN18");
    sinew_SolveOptions options = tight(SINEW_METHOD_DAMPED);
    int left = joint_of(&body, "LeftHandEnd"), right = joint_of(&body, "RightHandEnd");
    int met = 0, cases = 60;
    for (int i = 0; i < cases; ++i) {
        test_Random random = test_case(4500, i);
        sinew_Vec3 center = { test_range(&random, -0.1, 0.1), 1.2, 0.35 };
        sinew_pose_rest(body.skeleton, body.q);
        sinew_Goal goals[2] = { sinew_goal_position(i % 2 ? left : right, center),
            sinew_goal_position(i % 2 ? right : left, sinew_vec3(0.0, 0.0, 0.2)) };
        goals[1].reference = goals[0].joint;
        sinew_Report report = solve(&body, &options, goals, 2);
        met += report.outcome == SINEW_OUTCOME_CONVERGED;
        sinew_Vec3 there = sinew_transform_point(body.world[goals[0].joint], goals[1].position);
        double apart = sinew_vec3_distance(there, body.world[goals[1].joint].position);
        TEST_NEAR(apart, sinew_solver_goal_results(body.solver)[1].position_error, 1e-12);
    }
    TEST_TRUE(met > cases * 9 / 10);
    release(&body);
}

/// A rest goal draws back what the levels above leave free, and nothing else.
static void test_rest_level(void **state)
{
    (void)state;
    static Body body;
    set_body(&body, "SPINEARM");
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    int count = sinew_skeleton_dof_count(body.skeleton), drawn = 0, cases = 100;
    scene_Random poses = scene_random(4510);
    double rest[BODY_MAX_NUMBERS], step[BODY_MAX_NUMBERS];
    sinew_pose_rest(body.skeleton, rest);
    for (int i = 0; i < cases; ++i) {
        scene_random_pose(body.scene, &poses, body.q);
        sinew_pose_forward(body.skeleton, body.q, body.world);
        int joint = body.scene->effectors[0].joint;
        sinew_Goal goals[2] = { sinew_goal_position(joint, body.world[joint].position),
            sinew_goal_rest(1.0) };
        goals[1].priority = 1;
        double before = 0.0, after = 0.0;
        sinew_pose_difference(body.skeleton, body.q, rest, step);
        for (int d = 0; d < count; ++d) { before += step[d] * step[d]; }
        sinew_Vec3 place = body.world[joint].position;
        sinew_Report report = solve(&body, &options, goals, 2);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_NEAR(sinew_vec3_distance(body.world[joint].position, place), 0.0, 1e-7);
        sinew_pose_difference(body.skeleton, body.q, rest, step);
        for (int d = 0; d < count; ++d) { after += step[d] * step[d]; }
        TEST_TRUE(after <= before * (1.0 + 1e-12));
        drawn += after < 0.5 * before;
    }
    print_message("    %d of %d poses at less than half their distance\n", drawn, cases);
    TEST_TRUE(drawn > cases / 2);
    release(&body);
}

/// MULTI-5: a centre of mass or a relative place 100 body lengths away moves no joint more in one step
/// than one just out of reach.
static void test_far_goals_multi5(void **state)
{
    (void)state;
    static Body body;
    set_body(&body, "BODY11");
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.max_iterations = 1;
    options.max_joint_step = 10.0;
    options.damping = 0.3;
    double largest[2];
    for (int kind = 0; kind < 2; ++kind) {
        for (int far = 0; far < 2; ++far) {
            double before[BODY_MAX_NUMBERS], distance = far ? 100.0 : 2.0;
            sinew_pose_rest(body.skeleton, body.q);
            memcpy(before, body.q, sizeof before);
            sinew_Vec3 place = { distance, 1.0, 0.3 * distance };
            sinew_Goal goal = kind == 0
                ? sinew_goal_center_of_mass(place)
                : sinew_goal_position(body.scene->effectors[0].joint, place);
            if (kind == 1) { goal.reference = 0; }
            (void)solve(&body, &options, &goal, 1);
            largest[far] = body_largest_step(body.skeleton, before, body.q);
        }
        TEST_TRUE(largest[0] > 1e-3 && largest[1] <= 1.05 * largest[0]);
    }
    release(&body);
}

// ---------------------------------------------------------------------------------------------
// Odd input

static void expect_refusal(Body *body, const sinew_SolveOptions *options, const sinew_Goal *goals,
    int count, const char *word)
{
    sinew_Message message = { "" };
    double before[BODY_MAX_NUMBERS];
    memcpy(before, body->q, sizeof before);
    sinew_Status status = sinew_solver_solve(
        body->solver, options, goals, count, body->q, NULL, &message);
    if (status != SINEW_STATUS_INVALID_ARGUMENT || strstr(message.text, word) == NULL) {
        print_error("message '%s', wanted '%s'\n", message.text, word);
        fail();
    }
    TEST_TRUE(body_same_bits(before, body->q, BODY_MAX_NUMBERS));
}

/// Every broken field is refused with its name, and the pose stays as it was.
static void test_broken_goals(void **state)
{
    (void)state;
    static Body body;
    set_body(&body, "MAN18");
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    int head = joint_of(&body, "Head"), joints = sinew_skeleton_joint_count(body.skeleton);
    sinew_Vec3 z = { 0.0, 0.0, 1.0 }, points[3] = { { 0 }, { 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    sinew_Goal aim = sinew_goal_aim(head, z, z), bad;
#define REFUSE(good, field, value, word) \
    bad = (good), bad.field = (value), expect_refusal(&body, &options, &bad, 1, word)
    REFUSE(aim, axis.x, NAN, "goals[0].axis is (nan, 0, 1), want finite numbers");
    REFUSE(aim, axis.z, 0.0, "goals[0].axis has length 0");
    REFUSE(aim, position.y, INFINITY, "goals[0].position");
    REFUSE(aim, reference, joints, "goals[0].reference");
    REFUSE(aim, reference, -2, "goals[0].reference");
    REFUSE(aim, priority, -1, "goals[0].priority");
    REFUSE(aim, priority, SINEW_MAX_PRIORITY + 1, "goals[0].priority");
    REFUSE(aim, position_mask, 0u, "position_mask");
    REFUSE(aim, orientation_mask, 8u, "orientation_mask");
    REFUSE(aim, joint, -1, "goals[0].joint");
    REFUSE(aim, orientation_weight, NAN, "weights");
    sinew_Goal level = sinew_goal_direction(head, z, z);
    REFUSE(level, direction.z, 2.0, "goals[0].direction has length 2");
    REFUSE(level, direction.y, NAN, "goals[0].direction is (0, nan, 1), want finite numbers");
    sinew_Goal turned = sinew_goal_orientation(head, sinew_quat_identity());
    REFUSE(turned, orientation.x, NAN, "goals[0].orientation is (nan, 0, 0, 1), want finite");
    sinew_Goal pole = sinew_goal_pole(
        joint_of(&body, "LeftUpLeg"), joint_of(&body, "LeftLeg"), joint_of(&body, "LeftFoot"), z);
    REFUSE(pole, middle_joint, head, "follow each other");
    REFUSE(pole, start_joint, -1, "follow each other");
    REFUSE(pole, start_joint, pole.joint, "follow each other");
    sinew_Goal center = sinew_goal_center_of_mass(z);
    REFUSE(center, joint, joints, "goals[0].joint");
    REFUSE(center, position.x, NAN, "goals[0].position");
    sinew_Goal support = sinew_goal_support(points, 3);
    REFUSE(support, support_count, 0, "support points");
    REFUSE(support, support_count, SINEW_MAX_SUPPORT_POINTS + 1, "support points");
    REFUSE(support, support_points, NULL, "support points");
    REFUSE(support, support_margin, -1.0, "support_margin");
    REFUSE(support, support_margin, NAN, "support_margin");
    REFUSE(support, reference, head, "reference");
    REFUSE(support, constraint, true, "cannot be a constraint");
    points[1].z = NAN;
    expect_refusal(&body, &options, &support, 1, "support_points[1]");
    points[1].z = 0.0;

    sinew_Goal two[2] = { aim, center };
    two[1].priority = 1;
    two[1].constraint = true;
    expect_refusal(&body, &options, two, 2, "highest level");
    two[1].constraint = false;
    sinew_SolveOptions other = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    expect_refusal(&body, &other, two, 2, "one level");
    sinew_Goal held = center;
    held.constraint = true;
    expect_refusal(
        &body, &other, &held, 1, "pinv does not take center_of_mass goals held as constraints;");
    other = sinew_solve_options_default(SINEW_METHOD_CCD);
    expect_refusal(
        &body, &other, &aim, 1, "goals[0]: ccd does not take aim goals; auto and dls do");
#undef REFUSE
    release(&body);
}

// whether a solve is taken, and that a refusal names the method and another one
static bool takes(Body *body, sinew_Method method, const sinew_Goal *goals, int count)
{
    sinew_Message message = { "" };
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.max_iterations = 20;
    sinew_pose_rest(body->skeleton, body->q);
    sinew_Status status = sinew_solver_solve(
        body->solver, &options, goals, count, body->q, NULL, &message);
    if (status == SINEW_STATUS_OK) { return true; }
    TEST_INT(status, SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, sinew_method_name(method)) != NULL);
    TEST_TRUE(strstr(message.text, "auto and dls ") != NULL);
    return false;
}

// the goals that a row of the table is about; none: a row that the test does not know
static int goals_of_row(const Body *body, const char *row, sinew_Goal out_goals[8])
{
    const sinew_Vec3 place = { 0.3, 1.0, 0.3 }, z = { 0.0, 0.0, 1.0 };
    static const sinew_Vec3 points[3] = { { -0.2, 0.0, 0.0 }, { 0.2, 0.0, 0.0 },
        { 0.0, 0.0, 0.2 } };
    int hand = joint_of(body, "LeftHand"), elbow = joint_of(body, "LeftForeArm");
    int shoulder = joint_of(body, "LeftArm"), count = 0;
    sinew_Goal plain = sinew_goal_position(hand, place);
    if (strncmp(row, "position, ", 10) == 0) {
        out_goals[count++] = plain;
        out_goals[count++] = sinew_goal_orientation(hand, sinew_quat_identity());
        out_goals[count++] = sinew_goal_pose(hand, place, sinew_quat_identity());
    } else if (strncmp(row, "the same ", 9) == 0) {
        out_goals[count] = plain;
        out_goals[count++].position_mask = SINEW_MASK_X;
        out_goals[count] = plain;
        out_goals[count++].reference = joint_of(body, "RightHand");
    } else if (strncmp(row, "aim, ", 5) == 0) {
        out_goals[count++] = sinew_goal_aim(hand, z, place);
        out_goals[count++] = sinew_goal_direction(hand, z, z);
        out_goals[count++] = sinew_goal_pole(shoulder, elbow, hand, place);
    } else if (strncmp(row, "centre of mass, ", 16) == 0) {
        out_goals[count++] = sinew_goal_center_of_mass(place);
        out_goals[count++] = sinew_goal_support(points, 3);
    } else if (strncmp(row, "rest ", 5) == 0) {
        out_goals[count++] = sinew_goal_rest(0.1);
    } else if (strncmp(row, "held ", 5) == 0) {
        out_goals[count] = plain;
        out_goals[count++].constraint = true;
    }
    return count;
}

/// The table of docs/solvers.md says which method takes which goals; what is not taken names what does.
static void test_methods_take_what_docs_say(void **state)
{
    (void)state;
    static char text[65536];
    static Body body;
    set_body(&body, "MAN18");
    FILE *file = fopen(SINEW_SOURCE_DIR "/docs/solvers.md", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *row = strstr(
        text, "| goal | `auto` | `dls` | `pinv` | `transpose` | `sdls` | `ccd` |");
    const sinew_Method columns[SINEW_METHOD_COUNT] = { SINEW_METHOD_AUTO, SINEW_METHOD_DAMPED,
        SINEW_METHOD_PSEUDO_INVERSE, SINEW_METHOD_TRANSPOSE, SINEW_METHOD_SELECTIVELY_DAMPED,
        SINEW_METHOD_CCD };
    assert_non_null(row);
    int rows = 0;
    for (row = strchr(strchr(row, '\n') + 1, '\n') + 1; *row == '|'; row = strchr(row, '\n') + 1) {
        const char *cell = strchr(row + 1, '|');
        sinew_Goal goals[8];
        int count = goals_of_row(&body, row + 2, goals);
        const sinew_Vec3 ahead = { 0.0, 1.2, 0.4 };
        sinew_Goal ranked[2] = { sinew_goal_position(joint_of(&body, "LeftHand"), ahead),
            sinew_goal_position(joint_of(&body, "RightHand"), ahead) };
        ranked[1].priority = 1;
        TEST_TRUE(count > 0 || strncmp(row + 2, "several priorities ", 19) == 0);
        for (int m = 0; m < SINEW_METHOD_COUNT; ++m, cell = strchr(cell + 1, '|')) {
            bool said = strncmp(cell, "| yes |", 7) == 0;
            for (int g = 0; g < count; ++g) {
                TEST_INT(takes(&body, columns[m], &goals[g], 1), said);
            }
            if (count == 0) { TEST_INT(takes(&body, columns[m], ranked, 2), said); }
        }
        ++rows;
    }
    TEST_INT(rows, 7);
    release(&body);
}

/// Where a goal has no direction, side or inside nothing breaks: aims at the effector's own place, poles
/// of straight chains and on the line, axes exactly opposite, polygons that are points, segments, repeated
/// or smaller than their margin.
static void test_degenerate_goals(void **state)
{
    (void)state;
    static Body body;
    set_body(&body, "MAN18");
    int head = joint_of(&body, "Head"), thigh = joint_of(&body, "LeftUpLeg");
    int shank = joint_of(&body, "LeftLeg"), foot = joint_of(&body, "LeftFoot");
    sinew_Vec3 z = { 0.0, 0.0, 1.0 }, back = { 0.0, 0.0, -1.0 };
    const sinew_Method solvers[2] = { SINEW_METHOD_AUTO, SINEW_METHOD_DAMPED };
    for (int k = 0; k < 2; ++k) {
        sinew_SolveOptions options = sinew_solve_options_default(solvers[k]);
        options.max_iterations = 200;
        sinew_pose_rest(body.skeleton, body.q);
        sinew_pose_forward(body.skeleton, body.q, body.world);
        sinew_Goal aim = sinew_goal_aim(head, z, body.world[head].position);
        TEST_INT(solve(&body, &options, &aim, 1).outcome, SINEW_OUTCOME_CONVERGED);

        // a whole body can turn right round, and does
        sinew_pose_rest(body.skeleton, body.q);
        sinew_Goal level = sinew_goal_direction(head, z, back);
        TEST_INT(solve(&body, &options, &level, 1).outcome, SINEW_OUTCOME_CONVERGED);

        // straight legs, a place on the line, and a place beside a straight leg
        sinew_pose_rest(body.skeleton, body.q);
        const sinew_Joint *joints = sinew_skeleton_joints(body.skeleton);
        for (int c = joints[thigh].coordinate_start;
             c < joints[foot].coordinate_start + joints[foot].coordinate_count; ++c) {
            body.q[c] = 0.0;
        }
        sinew_pose_forward(body.skeleton, body.q, body.world);
        sinew_Goal pole = sinew_goal_pole(thigh, shank, foot, body.world[shank].position);
        TEST_INT(solve(&body, &options, &pole, 1).outcome, SINEW_OUTCOME_CONVERGED);
        sinew_Goal leg[2] = { sinew_goal_position(foot, body.world[foot].position),
            sinew_goal_pole(thigh, shank, foot, sinew_vec3(1.0, 0.5, 0.5)) };
        leg[0].position.y += 0.2;
        TEST_INT(solve(&body, &options, leg, 2).outcome, SINEW_OUTCOME_CONVERGED);

        sinew_Vec3 spot[4] = { { 0.05, 0.0, 0.05 }, { 0.05, 3.0, 0.05 }, { 0.05, 0.0, 0.05 },
            { 0.05, 0.0, 0.05 } };
        const sinew_Vec3 shapes[4][4] = {
            { spot[0], spot[0], spot[0], spot[0] },
            { spot[0], { 0.15, 0.0, 0.05 }, { 0.1, 0.0, 0.05 }, spot[0] },
            { spot[0], { 0.055, 0.0, 0.05 }, { 0.05, 0.0, 0.055 }, spot[0] },
            { { -0.1, 0.0, 0.0 }, { 0.2, 0.0, 0.2 }, { 0.2, 0.0, 0.0 }, { -0.1, 0.0, 0.2 } },
        };
        for (int s = 0; s < 4; ++s) {
            sinew_pose_rest(body.skeleton, body.q);
            sinew_Goal support = sinew_goal_support(shapes[s], 4);
            TEST_INT(solve(&body, &options, &support, 1).outcome, SINEW_OUTCOME_CONVERGED);
            sinew_Vec3 c = sinew_pose_center_of_mass(body.skeleton, body.world);
            TEST_TRUE(c.x >= (s == 3 ? -0.09 : 0.05) - 1e-3 && c.x <= (s == 1 ? 0.15 : 0.2));
            TEST_TRUE(c.z >= (s == 3 ? 0.01 : 0.05) - 1e-3 && c.z <= 0.19 + 1e-3);
        }
    }
    release(&body);
}

/// Random goals of all kinds, weights, masks and levels, with every method that takes them: finite, inside
/// the limits, never worse than the start; the same bits again.
static void test_random_goals(void **state)
{
    (void)state;
    for (int i = 0; i < 1500; ++i) {
        test_Random random = test_case(4520, i);
        sinew_Skeleton *skeleton = body_random(&random, 1 + test_int(&random, 14), BODY_EVERYTHING);
        // a body without size reaches nothing, and goals a metre away are mistakes
        if (sinew_skeleton_size(skeleton) < 0.01) {
            sinew_skeleton_destroy(skeleton);
            continue;
        }
        sinew_Solver *solver = body_solver(skeleton, 6);
        sinew_Goal goals[6];
        sinew_Vec3 points[6][5];
        int count = 1 + test_int(&random, 6), levels = 0, supports = 0;
        sinew_Method method = methods[i % METHOD_COUNT];
        bool damped = i % METHOD_COUNT < 2;
        for (int g = 0; g < count; ++g) {
            int kind = test_int(&random, SINEW_GOAL_KIND_COUNT);
            if (kind == SINEW_GOAL_SUPPORT && ++supports > SINEW_MAX_SUPPORT_GOALS) { kind = 0; }
            if (kind == SINEW_GOAL_REST && !damped) { kind = SINEW_GOAL_POSE; }
            goals[g] = goal_random(&random, skeleton, (sinew_GoalKind)kind, points[g]);
            if (damped && i % 3) { goals[g].priority = test_int(&random, 3); }
            levels += goals[g].priority != goals[0].priority;
            bool holds = damped && goals[g].kind < SINEW_GOAL_SUPPORT && i % 3 == 0;
            goals[g].constraint = holds && test_int(&random, 3) == 0;
        }
        sinew_SolveOptions options = sinew_solve_options_default(method);
        options.max_iterations = 1 + test_int(&random, 60);
        options.form = (sinew_LinearForm)test_int(&random, 5);
        double q[BODY_MAX_NUMBERS], again[BODY_MAX_NUMBERS];
        body_random_pose(&random, skeleton, 1.0, q);
        sinew_pose_apply_limits(skeleton, q);
        memcpy(again, q, sizeof q);
        sinew_Report report = body_solve(solver, &options, goals, count, q);
        TEST_OK(sinew_pose_check(skeleton, q, NULL), NULL);
        TEST_TRUE(report.limit_violation <= 0.0 && isfinite(report.objective));
        // a pose that meets all goals is the answer, whatever it takes of the rest posture
        if (levels == 0 && report.outcome != SINEW_OUTCOME_CONVERGED) {
            TEST_TRUE(report.objective <= report.start_objective * (1.0 + 1e-9) + 1e-15);
        }
        (void)body_solve(solver, &options, goals, count, again);
        TEST_TRUE(body_same_bits(q, again, sinew_skeleton_coordinate_count(skeleton)));
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

TEST_MAIN(cmocka_unit_test(test_meaning), cmocka_unit_test(test_relative_pose),
    cmocka_unit_test(test_rest_level), cmocka_unit_test(test_far_goals_multi5),
    cmocka_unit_test(test_broken_goals), cmocka_unit_test(test_methods_take_what_docs_say),
    cmocka_unit_test(test_degenerate_goals), cmocka_unit_test(test_random_goals))
