// Follow a moving target frame by frame: the tip of a tentacle draws a figure of eight.

#include <sinew/sinew.h>

#include <stdio.h>

#define JOINT_COUNT 9
#define FRAME_COUNT 240

int main(void)
{
    // eight balls in a row and a tip, 10 cm apart
    sinew_Axis ball = sinew_axis_ball();
    sinew_JointDef joints[JOINT_COUNT];
    for (int j = 0; j < JOINT_COUNT; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = j < JOINT_COUNT - 1 ? "link" : "tip";
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.0, j > 0 ? 0.1 : 0.0, 0.0);
        joints[j].axes = &ball;
        joints[j].axis_count = j < JOINT_COUNT - 1 ? 1 : 0;
    }
    sinew_Message message = { "" };
    sinew_Skeleton *skeleton = NULL;
    sinew_Tracker *tracker = NULL;
    sinew_Status status = sinew_skeleton_create(joints, JOINT_COUNT, NULL, &skeleton, &message);
    if (status == SINEW_STATUS_OK) {
        sinew_TrackerDef def = sinew_tracker_def_default();
        def.skeleton = skeleton;
        def.frame_time = 1.0 / 60.0;
        status = sinew_tracker_create(&def, &tracker, &message);
    }

    // each frame starts from the last one; nothing is allocated from here on
    double q[4 * (JOINT_COUNT - 1)];
    double largest_error = 0.0;
    for (int frame = 0; frame < FRAME_COUNT && status == SINEW_STATUS_OK; ++frame) {
        double sin1, cos1, sin2, cos2;
        double phase = 2.0 * SINEW_PI * frame / 120.0;
        sinew_sincos(phase, &sin1, &cos1);
        sinew_sincos(2.0 * phase, &sin2, &cos2);
        sinew_Vec3 target = sinew_vec3(0.3 * sin1, 0.5 + 0.1 * sin2, 0.2);
        sinew_Goal goal = sinew_goal_position(sinew_skeleton_find_joint(skeleton, "tip"), target);
        sinew_Report report = { 0 };
        status = sinew_tracker_update(tracker, &goal, 1, q, &report, &message);
        if (report.position_error > largest_error) { largest_error = report.position_error; }
    }
    if (status == SINEW_STATUS_OK) {
        printf("%d frames, never farther than %.3f mm from the target\n", FRAME_COUNT,
            1000.0 * largest_error);
    } else {
        fprintf(stderr, "%s\n", message.text);
    }
    sinew_tracker_destroy(tracker);
    sinew_skeleton_destroy(skeleton);
    return status == SINEW_STATUS_OK && largest_error <= 1e-3 ? 0 : 1;
}
