#include "walk/leg_range.h"

#include "walk/leg_form.h"
#include "walk/turn_arc.h"

// of one joint whose bone is turned as turn says; parent: the world rotation that it hangs on, moved on
static double excess_of(const snw_WalkJoint *joint, sinew_Quat turn, sinew_Quat *parent)
{
    sinew_Quat world = sinew_quat_mul(turn, joint->neutral);
    sinew_Quat local = sinew_quat_mul(sinew_quat_conjugate(*parent), world);
    *parent = world;
    return snw_joint_excess(&joint->set, local);
}

static sinew_Quat pelvis_of(
    const snw_WalkBody *body, const snw_WalkLegBody *leg, const sinew_Transform *hips)
{
    const snw_WalkJoint *joints = body->joints;
    return sinew_quat_mul(hips->rotation, joints[joints[leg->hip_entry].parent].neutral);
}

snw_LegExcess snw_leg_excess(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, const sinew_Transform *foot, double heading)
{
    const snw_LegExcess none = { -SINEW_PI, -SINEW_PI, -SINEW_PI };
    const snw_WalkJoint *joints = body->joints;
    if (body->joint_count == 0) { return none; }
    const int entries[3] = { leg->hip_entry, leg->knee_entry, leg->ankle_entry };
    sinew_Vec3 hip = sinew_transform_point(*hips, leg->hip);
    sinew_Vec3 ahead = sinew_quat_rotate(foot->rotation, sinew_vec3(0.0, 0.0, 1.0));
    snw_WalkFootTarget target = { .foot = *foot };
    target.knee_yaw = heading + 0.5 * snw_turn_wrap(snw_heading_of(ahead.x, ahead.z) - heading);
    sinew_Quat turns[3];
    sinew_Vec3 pole = snw_knee_pole(body, leg, &target);
    snw_leg_close(leg, hip, foot->position, pole, &turns[0], &turns[1]);
    turns[2] = foot->rotation;
    sinew_Quat parent = pelvis_of(body, leg, hips);
    double excess[3];
    for (int i = 0; i < 3; ++i) { excess[i] = excess_of(&joints[entries[i]], turns[i], &parent); }
    return (snw_LegExcess){ excess[0], excess[1], excess[2] };
}
