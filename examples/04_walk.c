// A character walks as a game would let it: each frame stick, time and ground go in, a pose comes out.
// The body is built here from a few joints; any humanoid skeleton does.

#include <sinew/sinew.h>

#include <stdio.h>

#define FRAME_COUNT 600

// a bump in the way: an engine would cast a ray here
static sinew_GroundSample sample_ground(void *user, double x, double z)
{
    (void)user;
    (void)x;
    double s, c;
    sinew_sincos(0.8 * z, &s, &c);
    sinew_GroundSample sample;
    sample.height = 0.15 * (1.0 - c);
    sinew_Vec3 normal = { 0.0, 1.0, -0.15 * 0.8 * s };
    sample.normal = sinew_vec3_normalize_or(normal, normal);
    return sample;
}

int main(void)
{
    // hips, spine, head and two legs; y is up, z ahead, x to the left
    static const struct {
        const char *name;
        int parent;
        sinew_Vec3 offset;
    } bones[] = { { "Hips", -1, { 0.0, 0.92, 0.0 } }, { "Spine", 0, { 0.0, 0.12, 0.0 } },
        { "Head", 1, { 0.0, 0.5, 0.0 } }, { "LeftUpLeg", 0, { 0.09, 0.0, 0.0 } },
        { "LeftLeg", 3, { 0.0, -0.43, 0.0 } }, { "LeftFoot", 4, { 0.0, -0.42, 0.0 } },
        { "LeftToeBase", 5, { 0.0, -0.05, 0.14 } }, { "RightUpLeg", 0, { -0.09, 0.0, 0.0 } },
        { "RightLeg", 7, { 0.0, -0.43, 0.0 } }, { "RightFoot", 8, { 0.0, -0.42, 0.0 } },
        { "RightToeBase", 9, { 0.0, -0.05, 0.14 } } };
    enum { JOINT_COUNT = (int)(sizeof bones / sizeof bones[0]) };
    sinew_Axis ball = sinew_axis_ball();
    sinew_Axis free_axes[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        ball };
    sinew_JointDef joints[JOINT_COUNT];
    for (int j = 0; j < JOINT_COUNT; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = bones[j].name;
        joints[j].parent = bones[j].parent;
        joints[j].offset = bones[j].offset;
        joints[j].axes = j == 0 ? free_axes : &ball;
        joints[j].axis_count = j == 0 ? 4 : 1;
    }
    sinew_Message message = { "" };
    sinew_Skeleton *skeleton = NULL;
    sinew_Walker *walker = NULL;
    sinew_Status status = sinew_skeleton_create(joints, JOINT_COUNT, NULL, &skeleton, &message);
    if (status == SINEW_STATUS_OK) {
        sinew_WalkerDef def = sinew_walker_def_default();
        def.skeleton = skeleton;
        status = sinew_walker_create(&def, &walker, &message);
    }

    sinew_Ground ground = { sample_ground, NULL };
    double q[7 + 4 * (JOINT_COUNT - 1)];
    for (int frame = 0; frame < FRAME_COUNT && status == SINEW_STATUS_OK; ++frame) {
        // ahead, after five seconds to the right
        sinew_Stick stick = { frame < 300 ? 0.0 : 0.4, 0.9, false };
        sinew_Steering steering = sinew_steering_from_stick(NULL, &stick);
        status = sinew_walker_update(walker, &steering, 1.0 / 60.0, &ground, q, &message);
    }
    int unmet = -1;
    if (status == SINEW_STATUS_OK) {
        sinew_WalkerReport report = sinew_walker_report(walker);
        unmet = report.unmet_frames;
        printf("steps: %d, %.2f m in %.0f s; now at x %.2f, z %.2f; unmet frames: %d\n",
            report.step_count, report.distance, report.time, report.root.x, report.root.z, unmet);
    } else {
        fprintf(stderr, "%s\n", message.text);
    }
    sinew_walker_destroy(walker);
    sinew_skeleton_destroy(skeleton);
    return unmet == 0 ? 0 : 1;
}
