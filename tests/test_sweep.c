// A goal that is carried far out of reach and back, frame by frame: no method shakes, jumps farther
// than it is told to, or leaves a limit.

#include "bodies.h"

#include <stdio.h>

enum { PATHS = 6, OUT = 800, HELD = 400, FRAMES = 2000, SETTLED = 200 };

#define MOST_CHANGE 0.1

typedef struct Sweep {
    double fastest, held, violation;
} Sweep;

static double largest_step(const sinew_Skeleton *skeleton, const double *from, const double *to)
{
    double step[BODY_MAX_NUMBERS], largest = 0.0;
    sinew_pose_difference(skeleton, from, to, step);
    for (int d = 0; d < sinew_skeleton_dof_count(skeleton); ++d) {
        largest = fmax(largest, fabs(step[d]));
    }
    return largest;
}

static void run_path(test_Random *random, const scene_Scene *scene, sinew_Solver *solver,
    const sinew_SolveOptions *options, Sweep *sweep)
{
    const sinew_Skeleton *skeleton = scene->skeleton;
    double q[BODY_MAX_NUMBERS], last[BODY_MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS];
    scene_Random poses = scene_random(test_bits(random));
    scene_random_pose(scene, &poses, q);
    sinew_pose_forward(skeleton, q, world);
    int joint = scene->effectors[0].joint;
    double reach = sinew_skeleton_chain_length(skeleton, 0, joint);
    sinew_Vec3 start = world[joint].position;
    sinew_Vec3 away = test_unit_vector(random), aside = test_unit_vector(random);
    sinew_Goal goal = sinew_goal_position(joint, start);
    goal.chain_root = scene->effectors[0].chain_root;
    for (int frame = 0; frame < FRAMES; ++frame) {
        double t = frame < OUT   ? (double)frame / OUT
            : frame < OUT + HELD ? 1.0
                                 : (double)(FRAMES - frame) / (FRAMES - OUT - HELD);
        goal.position = sinew_vec3_add_scaled(start, away, 1.2 * reach * t);
        goal.position = sinew_vec3_add_scaled(goal.position, aside, 0.1 * reach * sin(6.0 * t));
        memcpy(last, q, sizeof q);
        sinew_Report report;
        TEST_OK(sinew_solver_solve(solver, options, &goal, 1, q, &report, NULL), NULL);
        double step = largest_step(skeleton, last, q);
        sweep->fastest = fmax(sweep->fastest, step);
        if (frame >= OUT + SETTLED && frame < OUT + HELD) { sweep->held = fmax(sweep->held, step); }
        sweep->violation = fmax(sweep->violation, report.limit_violation);
    }
}

// DLS-3, MULTI-2, FUT-2: speed bounded, still when the goal is, inside the limits
static void test_goal_out_of_reach_and_back(void **state)
{
    (void)state;
    static const char *const scenes[] = { "LEG", "ARM", "SPINEARM" };
    static const sinew_Method methods[] = { SINEW_METHOD_DAMPED, SINEW_METHOD_SELECTIVELY_DAMPED,
        SINEW_METHOD_CCD };
    for (int s = 0; s < 3; ++s) {
        scene_Scene *scene = body_scene(scenes[s]);
        sinew_SolverDef def = sinew_solver_def_default();
        def.skeleton = scene->skeleton;
        sinew_Solver *solver = NULL;
        TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
        for (int m = 0; m < 3; ++m) {
            sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
            options.max_iterations = 30;
            options.max_joint_change = MOST_CHANGE;
            Sweep sweep = { 0.0, 0.0, 0.0 };
            for (int p = 0; p < PATHS; ++p) {
                test_Random random = test_case(146, p);
                run_path(&random, scene, solver, &options, &sweep);
            }
            printf("%s %s: largest change %.4f rad, %.1e when held, beyond limits %g\n", scenes[s],
                sinew_method_name(methods[m]), sweep.fastest, sweep.held, sweep.violation);
            TEST_TRUE(sweep.fastest <= MOST_CHANGE + 1e-12);
            TEST_TRUE(sweep.held < 1e-4);
            TEST_TRUE(sweep.violation <= 0.0);
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

TEST_MAIN(cmocka_unit_test(test_goal_out_of_reach_and_back))
