// What a user's first program does, against the installed headers and libraries alone.

#include <sinew/sinew.h>

#include <stdio.h>

int main(void)
{
    sinew_Axis bend = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -3.0, 3.0);
    sinew_JointDef joints[3];
    for (int j = 0; j < 3; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.0, j > 0 ? 0.5 : 0.0, 0.0);
        joints[j].axes = &bend;
        joints[j].axis_count = j < 2 ? 1 : 0;
    }
    joints[0].name = "shoulder";
    joints[1].name = "elbow";
    joints[2].name = "hand";

    sinew_Message message;
    sinew_Skeleton *skeleton = NULL;
    sinew_Solver *solver = NULL;
    sinew_SolverDef def = sinew_solver_def_default();
    if (sinew_skeleton_create(joints, 3, NULL, &skeleton, &message) != SINEW_STATUS_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    def.skeleton = skeleton;
    if (sinew_solver_create(&def, &solver, &message) != SINEW_STATUS_OK) {
        fprintf(stderr, "%s\n", message.text);
        sinew_skeleton_destroy(skeleton);
        return 1;
    }

    double q[2] = { 0.1, 0.2 };
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    sinew_Goal goal = sinew_goal_position(2, sinew_vec3(0.4, 0.6, 0.0));
    sinew_Report report;
    sinew_Status status = sinew_solver_solve(solver, &options, &goal, 1, q, &report, &message);
    if (status != SINEW_STATUS_OK) { fprintf(stderr, "%s\n", message.text); }
    bool met = status == SINEW_STATUS_OK && report.outcome == SINEW_OUTCOME_CONVERGED;
    printf("sinew %s: %s\n", sinew_version(), met ? "goal met" : "goal not met");

#ifdef CONSUMER_USES_FILES
    sinew_MotionFile *file = NULL;
    sinew_ReadOptions read = sinew_read_options_default();
    // not a motion: the message has to say so
    met = met
        && sinew_motion_read_memory("?", 1, "memory", &read, &file, &message) != SINEW_STATUS_OK;
    printf("%s\n", message.text);
#endif

    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
    return met ? 0 : 1;
}
