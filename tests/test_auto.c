// The default method through the public interface: what its report says is true, its answers keep to
// limits, branch and bits, and goals out of reach leave still poses.

#include "auto_bodies.h"

#include <stdio.h>

enum { MAX_GOALS = 6 };

typedef struct Body {
    auto_Draft draft;
    sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    sinew_Goal goals[MAX_GOALS];
    int goal_count, coordinates;
} Body;

static double fake_time(void *user)
{
    double *now = user;
    return *now += 1.0;
}

static sinew_Solver *make_solver(const sinew_Skeleton *skeleton, double *now)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = MAX_GOALS;
    def.clock = now != NULL ? fake_time : NULL;
    def.clock_user = now;
    sinew_Solver *solver = NULL;
    TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
    return solver;
}

// chains for every second body, else trees
static void begin(Body *body, test_Random *random, bool tree, bool balls)
{
    memset(body, 0, sizeof *body);
    auto_Draft *draft = &body->draft;
    auto_begin(draft, random, test_int(random, 2) == 0, test_int(random, 4) > 0);
    draft->scale = 0.4;
    int before = test_int(random, 3), last = -1, chain_root = -1;
    for (int j = 0; j < before; ++j) { last = auto_still_joint(draft, random, last); }
    int count = 3 + test_int(random, 8);
    for (int j = 0; j < count; ++j) {
        int parent = last;
        if (tree && j > 1 && test_int(random, 3) == 0) {
            parent = draft->joints[parent].parent >= before ? draft->joints[parent].parent : parent;
        }
        last = auto_joint(draft, random, parent, 1 + test_int(random, 2));
        if (j == 0 && before > 0) { chain_root = last; }
        // the first one moves, so that there is something to solve
        if (j == 0) {
            draft->axes[last][0] = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -2.0, 2.0);
        }
        if (balls && test_int(random, 4) == 0) {
            draft->axes[last][draft->joints[last].axis_count++] = sinew_axis_ball();
        }
    }
    body->skeleton = auto_skeleton(draft);
    body->coordinates = sinew_skeleton_coordinate_count(body->skeleton);
    body->solver = make_solver(body->skeleton, NULL);

    double q[BODY_MAX_NUMBERS];
    sinew_Transform world[AUTO_MAX_JOINTS];
    auto_pose(random, body->skeleton, draft->scale, q);
    sinew_pose_forward(body->skeleton, q, world);
    body->goal_count = tree ? 1 + test_int(random, MAX_GOALS - 1) : 1;
    for (int g = 0; g < body->goal_count; ++g) {
        int joint = g == 0 ? last : before + test_int(random, draft->joint_count - before);
        sinew_Goal goal = sinew_goal_position(joint, world[joint].position);
        goal.kind = (sinew_GoalKind)test_int(random, 3);
        goal.chain_root = chain_root;
        if (test_int(random, 2)) { goal.joint_from_effector = test_transform(random, 0.2); }
        sinew_Transform at = sinew_transform_mul(world[joint], goal.joint_from_effector);
        goal.position = at.position;
        goal.orientation = sinew_quat_normalize(at.rotation);
        // some out of reach
        if (test_int(random, 4) == 0) { goal.position = test_vector(random, 3.0); }
        goal.position_weight = pow(10.0, test_range(random, -1.0, 1.0));
        body->goals[g] = goal;
    }
}

static void end(Body *body)
{
    sinew_solver_destroy(body->solver);
    sinew_skeleton_destroy(body->skeleton);
}

static sinew_SolveOptions random_options(test_Random *random)
{
    sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_AUTO);
    o.limits = test_int(random, 4) ? SINEW_LIMITS_ACTIVE
                                   : (sinew_LimitMode)(1 + test_int(random, 2));
    o.restarts = test_int(random, 3) ? test_int(random, 30) : 0;
    o.max_iterations = test_int(random, 4) ? 600 : test_int(random, 20);
    if (test_int(random, 6) == 0) { o.rest_weight = 1e-3; }
    if (test_int(random, 6) == 0) { o.velocity_weight = 1e-3; }
    if (test_int(random, 6) == 0) { o.start = SINEW_START_REST; }
    if (test_int(random, 4) == 0) { o.min_iterations = test_int(random, 3); }
    if (test_int(random, 5) == 0) { o.max_joint_change = pow(10.0, test_range(random, -3.0, 0.5)); }
    if (o.min_iterations > o.max_iterations) { o.min_iterations = o.max_iterations; }
    o.seed = test_bits(random);
    return o;
}

// errors and objective of a pose by forward kinematics alone
typedef struct Truth {
    double position, orientation, objective;
    bool met;
} Truth;

static Truth truth_of(const Body *body, const sinew_SolveOptions *o, const double *q, double length)
{
    Truth t = { 0.0, 0.0, 0.0, true };
    sinew_Transform world[AUTO_MAX_JOINTS];
    sinew_pose_forward(body->skeleton, q, world);
    for (int g = 0; g < body->goal_count; ++g) {
        const sinew_Goal *goal = &body->goals[g];
        sinew_Transform at = sinew_transform_mul(world[goal->joint], goal->joint_from_effector);
        if (goal->kind != SINEW_GOAL_ORIENTATION) {
            double distance = sinew_vec3_distance(at.position, goal->position);
            t.objective += 0.5 * goal->position_weight * distance * distance;
            if (goal->position_weight > 0.0) { t.position = fmax(t.position, distance); }
        }
        if (goal->kind != SINEW_GOAL_POSITION) {
            double angle = sinew_quat_angle(at.rotation, goal->orientation);
            double chord = 2.0 * sin(0.5 * angle);
            t.objective += 0.5 * goal->orientation_weight * length * length * chord * chord;
            if (goal->orientation_weight > 0.0) { t.orientation = fmax(t.orientation, angle); }
        }
    }
    t.met = t.position <= o->position_tolerance && t.orientation <= o->orientation_tolerance;
    return t;
}

// no hinge and no ball changed more than it may, from the pose given brought into its ranges
static void check_change(const Body *body, const double *from, const double *to, double most)
{
    double start[BODY_MAX_NUMBERS], step[BODY_MAX_NUMBERS];
    memcpy(start, from, sizeof start);
    sinew_pose_apply_limits(body->skeleton, start);
    sinew_pose_difference(body->skeleton, start, to, step);
    const sinew_Axis *axes = sinew_skeleton_axes(body->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(body->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(body->skeleton); ++a) {
        const double *s = &step[places[a].dof];
        double size = axes[a].kind == SINEW_AXIS_BALL
            ? sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2])
            : fabs(s[0]);
        if (axes[a].kind != SINEW_AXIS_SLIDE) { TEST_TRUE(size <= most * (1.0 + 1e-9) + 1e-14); }
    }
}

// ---------------------------------------------------------------------------------------------

// Every exit: the report's errors are those of the pose returned; limits hold; ceilings hold; the answer
// is no worse than the start; the same again gives the same bits, also from a solver that solved other
// things in between.
static void test_report_is_true(void **state)
{
    (void)state;
    int outcomes[4] = { 0 };
    for (int i = 0; i < 1500; ++i) {
        test_Random random = test_case(71, i);
        static Body body;
        begin(&body, &random, i % 2 == 1, i % 7 == 0);
        for (int k = 0; k < 4; ++k) {
            sinew_SolveOptions o = random_options(&random);
            o.orientation_length = 0.5;
            double q[BODY_MAX_NUMBERS], start[BODY_MAX_NUMBERS], again[BODY_MAX_NUMBERS];
            auto_pose(&random, body.skeleton, 0.4, start);
            memcpy(q, start, sizeof q);
            sinew_Report r = body_solve(body.solver, &o, body.goals, body.goal_count, q);
            ++outcomes[r.outcome];
            Truth truth = truth_of(&body, &o, q, o.orientation_length);
            TEST_NEAR(r.position_error, truth.position, 1e-12);
            TEST_NEAR(r.orientation_error, truth.orientation, 1e-6);
            if (o.rest_weight == 0.0 && o.velocity_weight == 0.0) {
                TEST_NEAR(r.objective, truth.objective, 1e-11 * (1.0 + truth.objective));
            }
            if (r.outcome == SINEW_OUTCOME_CONVERGED) {
                TEST_TRUE(r.position_error <= o.position_tolerance);
                TEST_TRUE(r.orientation_error <= o.orientation_tolerance * (1.0 + 1e-9));
            } else {
                // each of several goals adds its rounding
                TEST_TRUE(r.objective <= r.start_objective * (1.0 + 1e-14));
                TEST_TRUE(r.position_error > o.position_tolerance
                    || r.orientation_error > o.orientation_tolerance * (1.0 - 1e-9));
            }
            if (o.limits != SINEW_LIMITS_NONE) {
                TEST_TRUE(r.limit_violation <= 0.0);
                TEST_TRUE(sinew_pose_limit_violation(body.skeleton, q) <= 1e-12);
            }
            // slides may change by as much of the reach, which only the solver knows
            if (o.limits != SINEW_LIMITS_NONE && o.start == SINEW_START_GIVEN) {
                check_change(&body, start, q, o.max_joint_change);
            }
            TEST_TRUE(r.iterations <= o.max_iterations && r.restarts <= o.restarts);
            TEST_TRUE(!r.branch_change || o.start == SINEW_START_GIVEN);

            memcpy(again, start, sizeof q);
            sinew_Report second = body_solve(body.solver, &o, body.goals, body.goal_count, again);
            TEST_TRUE(body_same_bits(q, again, body.coordinates));
            TEST_TRUE(second.iterations == r.iterations && second.objective == r.objective);
            sinew_Solver *fresh = make_solver(body.skeleton, NULL);
            memcpy(again, start, sizeof q);
            second = body_solve(fresh, &o, body.goals, body.goal_count, again);
            TEST_TRUE(body_same_bits(q, again, body.coordinates));
            TEST_TRUE(second.iterations == r.iterations && second.objective == r.objective);
            sinew_solver_destroy(fresh);
        }
        end(&body);
    }
    print_message("    %d converged, %d stalled, %d out of iterations\n",
        outcomes[SINEW_OUTCOME_CONVERGED], outcomes[SINEW_OUTCOME_STALLED],
        outcomes[SINEW_OUTCOME_OUT_OF_ITERATIONS]);
    TEST_TRUE(outcomes[0] > 100 && outcomes[1] > 100 && outcomes[2] > 100);
}

// ---------------------------------------------------------------------------------------------
// Motion: each frame starts where the last one ended

static void pose_goals(const scene_Scene *scene, const double *q, bool poses, sinew_Goal *goals)
{
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_pose_forward(scene->skeleton, q, world);
    (void)body_scene_goals(scene, q, goals);
    for (int g = 0; poses && g < scene->effector_count; ++g) {
        goals[g].kind = SINEW_GOAL_POSE;
        goals[g].orientation = world[goals[g].joint].rotation;
    }
}

// MULTI-2: goals out of reach, near and far, held still: the pose comes to rest to the last bit
static void test_held_goals_give_still_poses(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "ARM", "BODY11", "HAND5", "CHAIN10" };
    int still = 0, cases = 0;
    double worst = 0.0;
    for (int n = 0; n < 5; ++n) {
        scene_Scene *scene = body_scene(names[n]);
        sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        scene_Random random = scene_random(99);
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
        for (int i = 0; i < 24; ++i) {
            double q[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &random, q);
            pose_goals(scene, q, i % 2 == 1, goals);
            // away by a twentieth to four times the distance there is
            double factor = 1.05 + i % 6 * i % 6 * 0.16;
            for (int g = 0; g < scene->effector_count; ++g) {
                goals[g].position = sinew_vec3_scale(goals[g].position, factor);
                goals[g].position.y += i % 4 == 3 ? 2.0 : 0.0;
            }
            options.restarts = i % 3 == 0 ? 0 : 60;
            scene_random_pose(scene, &random, q);

            double motion = 0.0;
            bool same = false;
            for (int frame = 0; frame < 40; ++frame) {
                memcpy(before, q, sizeof q);
                (void)body_solve(solver, &options, goals, scene->effector_count, q);
                motion = body_largest_step(scene->skeleton, before, q);
                same = body_same_bits(before, q, sinew_skeleton_coordinate_count(scene->skeleton));
                if (frame >= 30) { worst = fmax(worst, motion); }
            }
            ++cases;
            still += same ? 1 : 0;
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
    print_message("    %d of %d still, largest motion %g\n", still, cases, worst);
    TEST_TRUE(worst < 1e-6);
    TEST_INT(still, cases);
}

// MULTI-2, E4: a goal that wanders out of reach and back in small steps moves the joints in small steps,
// or the report says that another branch was taken
static void test_small_motion_beyond_reach(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "ARM", "CHAIN10" };
    for (int n = 0; n < 3; ++n) {
        scene_Scene *scene = body_scene(names[n]);
        sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        scene_Random random = scene_random(77);
        int jumps = 0, told = 0, frames = 0, all = 0;
        for (int path = 0; path < 12; ++path) {
            double q[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
            options.restarts = path % 2 == 0 ? 0 : 40;
            scene_random_pose(scene, &random, q);
            pose_goals(scene, q, path % 4 >= 2, goals);
            sinew_Vec3 from = goals[0].position;
            double length = sinew_skeleton_chain_length(scene->skeleton, 0, goals[0].joint);
            options.position_tolerance = 1e-3 * length;
            sinew_Vec3 way = sinew_vec3_scale(from, 0.9 * length / sinew_vec3_length(from));
            for (int frame = 0; frame < 800; ++frame) {
                double s, c;
                sinew_sincos(frame * 2.0 * SINEW_PI / 400.0, &s, &c);
                // out by most of the chain's length and back, a little sideways: at most 0.0075 of it a
                // frame, so that 0.3 rad are 40 times as far
                goals[0].position = sinew_vec3_add_scaled(from, way, 0.5 - 0.5 * c);
                goals[0].position.x += 0.1 * length * s;
                memcpy(before, q, sizeof q);
                sinew_Report r = body_solve(solver, &options, goals, scene->effector_count, q);
                double motion = body_largest_step(scene->skeleton, before, q);
                ++frames;
                all += motion > 0.3 ? 1 : 0;
                told += r.branch_change ? 1 : 0;
                jumps += motion > 0.3 && !r.branch_change && frame > 0 ? 1 : 0;
            }
        }
        print_message("    %s: %d frames, %d with more than 0.3 rad, of which %d not told; %d "
                      "branch changes\n",
            names[n], frames, all, jumps, told);
        // valleys that end are few, and each is told
        TEST_INT(jumps, 0);
        TEST_TRUE(all < frames / 100 && told < frames / 100);
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

TEST_MAIN(cmocka_unit_test(test_report_is_true), cmocka_unit_test(test_held_goals_give_still_poses),
    cmocka_unit_test(test_small_motion_beyond_reach))
