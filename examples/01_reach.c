// Pose an arm of three joints so that its hand touches a point.
// Build against an installed sinew: cc 01_reach.c $(pkg-config --cflags --libs sinew)

#include <sinew/sinew.h>

#include <stdio.h>

int main(void)
{
    // a shoulder that turns any way, an elbow that bends one way, a hand
    sinew_Axis ball = sinew_axis_ball();
    sinew_Axis bend = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), 0.0, 2.5);
    bend.rest = 0.3;
    sinew_JointDef joints[3];
    for (int j = 0; j < 3; ++j) { joints[j] = sinew_joint_def_default(); }
    joints[0].name = "shoulder";
    joints[0].offset = sinew_vec3(0.0, 1.4, 0.0);
    joints[0].axes = &ball;
    joints[0].axis_count = 1;
    joints[1].name = "elbow";
    joints[1].parent = 0;
    joints[1].offset = sinew_vec3(0.0, -0.30, 0.0);
    joints[1].axes = &bend;
    joints[1].axis_count = 1;
    joints[2].name = "hand";
    joints[2].parent = 1;
    joints[2].offset = sinew_vec3(0.0, -0.25, 0.0);

    // whatever fails below says why in one line, and what is NULL is ignored by destroy
    sinew_Message message = { "" };
    sinew_Skeleton *skeleton = NULL;
    sinew_Solver *solver = NULL;
    sinew_Report report = { 0 };
    sinew_Status status = sinew_skeleton_create(joints, 3, NULL, &skeleton, &message);
    if (status == SINEW_STATUS_OK) {
        sinew_SolverDef def = sinew_solver_def_default();
        def.skeleton = skeleton;
        status = sinew_solver_create(&def, &solver, &message);
    }

    // a pose is an array of numbers: four of the shoulder's quaternion, one of the elbow
    double q[5];
    if (status == SINEW_STATUS_OK) {
        sinew_pose_rest(skeleton, q);
        sinew_Goal goal = sinew_goal_position(2, sinew_vec3(0.2, 1.3, 0.35));
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
        status = sinew_solver_solve(solver, &options, &goal, 1, q, &report, &message);
    }
    if (status == SINEW_STATUS_OK) {
        printf("%s, iterations: %d; %.2f mm from the goal, elbow bent by %.1f degrees\n",
            sinew_outcome_name(report.outcome), report.iterations, 1000.0 * report.position_error,
            q[4] * 180.0 / SINEW_PI);
    } else {
        fprintf(stderr, "%s\n", message.text);
    }
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
    return status == SINEW_STATUS_OK && report.outcome == SINEW_OUTCOME_CONVERGED ? 0 : 1;
}
