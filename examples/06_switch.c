// An arm goes from FK to IK and back on one chain of joints, as in figure 9 of Bhatti et al. (2013): nothing pops.

#include <sinew/sinew.h>

#include <stdio.h>

enum { UPPER_ARM, FOREARM, HAND, JOINT_COUNT };
#define FRAME (1.0 / 60.0)

static sinew_Skeleton *create_arm(void)
{
    const sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
    const sinew_Axis shoulder[] = { sinew_axis_hinge(x, -2.8, 1.0), sinew_axis_hinge(z, -0.8, 2.1),
        sinew_axis_hinge(y, -1.2, 1.6) };
    const sinew_Axis elbow[] = { sinew_axis_hinge(x, -2.5, 0.0), sinew_axis_hinge(y, -1.4, 1.4) };
    const sinew_Axis wrist[] = { sinew_axis_hinge(z, -1.3, 1.3), sinew_axis_hinge(x, -0.5, 0.6) };
    sinew_JointDef joints[JOINT_COUNT];
    for (int j = 0; j < JOINT_COUNT; ++j) { joints[j] = sinew_joint_def_default(); }
    joints[UPPER_ARM] = (sinew_JointDef){ "upper arm", -1, { 0.0, 1.4, 0.0 }, sinew_quat_identity(),
        shoulder, 3, 0.0, { 0.0, 0.0, 0.0 }, NULL };
    joints[FOREARM] = (sinew_JointDef){ "forearm", UPPER_ARM, { 0.0, -0.33, 0.0 },
        sinew_quat_identity(), elbow, 2, 0.0, { 0.0, 0.0, 0.0 }, NULL };
    joints[HAND] = (sinew_JointDef){ "hand", FOREARM, { 0.0, -0.26, 0.0 }, sinew_quat_identity(),
        wrist, 2, 0.0, { 0.0, 0.0, 0.0 }, NULL };
    sinew_Skeleton *skeleton = NULL;
    (void)sinew_skeleton_create(joints, JOINT_COUNT, NULL, &skeleton, NULL);
    return skeleton;
}

static void tell(const char *what, const sinew_Skeleton *skeleton, const sinew_Switch *arm)
{
    sinew_Transform world[JOINT_COUNT];
    sinew_pose_forward(skeleton, sinew_switch_pose(arm), world);
    printf("%-44s hand at %6.3f %6.3f %6.3f\n", what, world[HAND].position.x,
        world[HAND].position.y, world[HAND].position.z);
}

int main(void)
{
    sinew_Skeleton *skeleton = create_arm();
    sinew_SwitchLimb limb = sinew_switch_limb(skeleton, UPPER_ARM, FOREARM, HAND);
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = skeleton;
    def.limbs = &limb;
    def.limb_count = 1;
    sinew_Switch *arm = NULL;
    sinew_Message message = { "" };
    if (sinew_switch_create(&def, &arm, &message) != SINEW_STATUS_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    const double bent[] = { -1.3, 0.2 };
    (void)sinew_switch_set_joint(arm, FOREARM, bent, NULL);
    tell("FK: the elbow is bent", skeleton, arm);
    (void)sinew_switch_enable_ik(arm, 0, true, NULL);
    tell("IK is enabled: nothing moves", skeleton, arm);

    sinew_Handle handle;
    (void)sinew_switch_handle(arm, 0, &handle, NULL);
    for (int frame = 0; frame < 30; ++frame) {
        handle.place.position.y += 0.003;
        (void)sinew_switch_set_handle(arm, 0, &handle, NULL);
        (void)sinew_switch_update(arm, FRAME, NULL, NULL);
    }
    tell("IK: the handle is lifted by 9 cm", skeleton, arm);
    (void)sinew_switch_enable_ik(arm, 0, false, NULL);
    tell("FK again: nothing moves", skeleton, arm);
    bool met = sinew_switch_report(arm, 0)->position_error < 1e-6;
    sinew_switch_destroy(arm);
    sinew_skeleton_destroy(skeleton);
    return met ? 0 : 1;
}
