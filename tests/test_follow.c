// Hinges whose range is about a direction: where a solve leaves them, that the Jacobian knows how they go along, and
// that every method keeps to them.

#include "bodies.h"

#include "solve/method.h"

#include <stdlib.h>
#include <string.h>

#define CASES 200
#define WIDTH 0.1

static const sinew_Vec3 left = { 1.0, 0.0, 0.0 }, ahead = { 0.0, 0.0, 1.0 };

typedef struct Leg {
    scene_Scene *scene;
    sinew_Solver *solver;
    sinew_Transform *world;
    double *rest, *q;
    int thigh, foot, twist, pitch, roll;
    snw_Follow follows[SNW_MOST_FOLLOWS];
} Leg;

static double *numbers(const Leg *leg)
{
    size_t count = (size_t)sinew_skeleton_coordinate_count(leg->scene->skeleton);
    return malloc(count * sizeof(double));
}

static Leg make_leg(void)
{
    Leg leg = { .scene = body_scene("MAN18") };
    const sinew_Skeleton *skeleton = leg.scene->skeleton;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    TEST_OK(sinew_solver_create(&def, &leg.solver, NULL), NULL);
    leg.thigh = sinew_skeleton_find_joint(skeleton, "LeftUpLeg");
    leg.foot = sinew_skeleton_find_joint(skeleton, "LeftFoot");
    leg.twist = sinew_skeleton_joints(skeleton)[leg.thigh].axis_start + 2;
    leg.pitch = sinew_skeleton_joints(skeleton)[leg.foot].axis_start;
    leg.roll = leg.pitch + 1;
    leg.world = malloc((size_t)sinew_skeleton_joint_count(skeleton) * sizeof(sinew_Transform));
    leg.rest = numbers(&leg);
    leg.q = numbers(&leg);
    sinew_pose_rest(skeleton, leg.rest);
    return leg;
}

static void free_leg(Leg *leg)
{
    free(leg->q);
    free(leg->rest);
    free(leg->world);
    sinew_solver_destroy(leg->solver);
    scene_destroy(leg->scene);
}

static void pose(Leg *leg, const double *q)
{
    sinew_pose_forward(leg->scene->skeleton, q, leg->world);
}

static void follow(
    snw_Follow *out, int axis, int last_axis, sinew_Vec3 direction, sinew_Vec3 wanted)
{
    out->axis = axis;
    out->last_axis = last_axis;
    out->direction = direction;
    out->wanted = wanted;
    out->lower = -WIDTH;
    out->upper = WIDTH;
}

// the twist is kept, and of a foot on its toes the roll, too; its heel is free between two lifts
static void aim(Leg *leg, double yaw, double tilt)
{
    double s, c;
    sinew_sincos(yaw, &s, &c);
    follow(&leg->follows[0], leg->twist, leg->twist, left, sinew_vec3(c, 0.0, -s));
    sinew_Vec3 aside = { c, sin(tilt), -s };
    follow(&leg->follows[1], leg->roll, leg->roll, left, sinew_vec3_normalize_or(aside, left));
    follow(&leg->follows[2], leg->pitch, leg->roll, ahead, sinew_vec3(s, 0.0, c));
    leg->follows[2].is_free = true;
    leg->follows[2].lower = 0.0;
    leg->follows[2].upper = 0.5;
}

static sinew_Goal toes_goal(const Leg *leg, sinew_Vec3 position)
{
    sinew_Goal goal = sinew_goal_position(leg->foot, position);
    goal.chain_root = leg->thigh;
    goal.joint_from_effector.position = sinew_vec3(0.0, -0.048, 0.145);
    return goal;
}

// where toes are in some pose near rest, and headings near that
static sinew_Goal draw(Leg *leg, test_Random *random)
{
    memcpy(leg->q, leg->rest,
        (size_t)sinew_skeleton_coordinate_count(leg->scene->skeleton) * sizeof(double));
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(leg->scene->skeleton);
    int hip = leg->twist - 2;
    leg->q[places[hip].coordinate] += test_range(random, -0.4, 0.2);
    leg->q[places[hip + 1].coordinate] += test_range(random, -0.1, 0.1);
    leg->q[places[leg->twist + 1].coordinate] += test_range(random, 0.2, 0.6);
    pose(leg, leg->q);
    sinew_Vec3 toes = sinew_transform_point(leg->world[leg->foot], sinew_vec3(0.0, -0.048, 0.145));
    aim(leg, test_range(random, -0.2, 0.2), test_range(random, -0.1, 0.1));
    memcpy(leg->q, leg->rest,
        (size_t)sinew_skeleton_coordinate_count(leg->scene->skeleton) * sizeof(double));
    leg->q[places[leg->twist + 1].coordinate] += 0.3;
    return toes_goal(leg, toes);
}

// how far a follow's direction is from where its hinge brings it nearest to what is wanted
static double off_of(Leg *leg, int joint, const snw_Follow *f)
{
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(leg->scene->skeleton);
    double *value = &leg->q[places[f->axis].coordinate], now = *value;
    // the turn that is left about the hinge's axis in the world, from two poses: of now, and a little on
    pose(leg, leg->q);
    sinew_Vec3 u = sinew_quat_rotate(leg->world[joint].rotation, f->direction);
    *value = now + 1e-3;
    pose(leg, leg->q);
    sinew_Quat turn = leg->world[joint].rotation;
    *value = now;
    pose(leg, leg->q);
    turn = sinew_quat_mul(turn, sinew_quat_conjugate(leg->world[joint].rotation));
    sinew_Vec3 axis = sinew_vec3_normalize_or(sinew_quat_log(turn), left);
    sinew_Vec3 across = sinew_vec3_add_scaled(u, axis, -sinew_vec3_dot(u, axis));
    double x = sinew_vec3_dot(across, f->wanted);
    double y = sinew_vec3_dot(sinew_vec3_cross(axis, across), f->wanted);
    return -sinew_atan2(y, x);
}

/// MODE-6: every method leaves such hinges inside the range that the pose it ends on has, and tells where.
static void test_every_method_keeps_ranges_about_directions(void **state)
{
    (void)state;
    static const sinew_Method methods[] = { SINEW_METHOD_PSEUDO_INVERSE, SINEW_METHOD_DAMPED,
        SINEW_METHOD_SELECTIVELY_DAMPED, SINEW_METHOD_AUTO, SINEW_METHOD_CCD };
    Leg leg = make_leg();
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        test_Random random = test_random(31);
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        int met = 0, lifted = 0;
        for (int i = 0; i < CASES; ++i) {
            sinew_Goal goal = draw(&leg, &random);
            snw_solver_follow(leg.solver, leg.follows, 3);
            sinew_Report report;
            TEST_OK(sinew_solver_solve(leg.solver, &options, &goal, 1, leg.q, &report, NULL), NULL);
            met += report.outcome == SINEW_OUTCOME_CONVERGED;
            TEST_NEAR(report.limit_violation, 0.0, 1e-12);
            const int joints[3] = { leg.thigh, leg.foot, leg.foot };
            for (int k = 0; k < 3; ++k) {
                const snw_Follow *f = &leg.follows[k];
                double off = off_of(&leg, joints[k], f);
                TEST_NEAR(off, f->end, 1e-6);
                // on the end of its own range a joint goes no farther
                const sinew_AxisPlace *p = sinew_skeleton_axis_places(leg.scene->skeleton);
                const sinew_Axis *a = &sinew_skeleton_axes(leg.scene->skeleton)[f->axis];
                double q = leg.q[p[f->axis].coordinate];
                bool is_on_end = q <= a->lower + 1e-9 || q >= a->upper - 1e-9;
                TEST_TRUE(is_on_end || (off >= f->lower - 1e-6 && off <= f->upper + 1e-6));
            }
            lifted += leg.follows[2].end > 0.01;
        }
        print_message(
            "%s: %d of %d met, %d heels up\n", sinew_method_name(methods[m]), met, CASES, lifted);
        TEST_TRUE(met >= CASES * 9 / 10 && lifted > CASES / 10);
    }
    free_leg(&leg);
}

/// The Jacobian says how hinges that are kept go along: it is that of differences, so that steps are the same.
static void test_jacobian_knows_hinges_that_go_along(void **state)
{
    (void)state;
    Leg leg = make_leg();
    double *other = numbers(&leg);
    int count = sinew_skeleton_coordinate_count(leg.scene->skeleton);
    for (int kept = 1; kept <= 2; ++kept) {
        test_Random random = test_random(32);
        for (int i = 0; i < CASES; ++i) {
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
            options.max_iterations = 1;
            sinew_Goal goal = draw(&leg, &random);
            memcpy(other, leg.q, (size_t)count * sizeof(double));
            snw_solver_follow(leg.solver, leg.follows, kept);
            sinew_Report report;
            TEST_OK(sinew_solver_solve(leg.solver, &options, &goal, 1, leg.q, &report, NULL), NULL);
            options.jacobian = SINEW_JACOBIAN_CENTRAL_DIFFERENCE;
            TEST_OK(sinew_solver_solve(leg.solver, &options, &goal, 1, other, &report, NULL), NULL);
            for (int k = 0; k < count; ++k) { TEST_NEAR(leg.q[k], other[k], 1e-6); }
        }
    }
    free(other);
    free_leg(&leg);
}

TEST_MAIN(cmocka_unit_test(test_every_method_keeps_ranges_about_directions),
    cmocka_unit_test(test_jacobian_knows_hinges_that_go_along))
