// Legs beside an animation: no joint of them turns faster than it by more than a viewer takes for a movement.

#include "math/holds.h"
#include "motion/retarget.h"

static void list_joints(const snw_RetargetLeg *leg, int out_joints[SNW_LEG_JOINTS])
{
    out_joints[0] = leg->thigh;
    out_joints[1] = leg->shin;
    out_joints[2] = leg->ankle;
    out_joints[3] = leg->toe;
}

static sinew_Quat local_of(const snw_RetargetCarry *carry, int joint, sinew_Quat world)
{
    int parent = carry->target.joints[joint].parent;
    if (parent < 0) { return world; }
    return sinew_quat_mul(sinew_quat_conjugate(carry->world[parent].rotation), world);
}

static sinew_Quat world_of(const snw_RetargetCarry *carry, int joint, sinew_Quat local)
{
    int parent = carry->target.joints[joint].parent;
    if (parent < 0) { return local; }
    return sinew_quat_normalize(sinew_quat_mul(carry->world[parent].rotation, local));
}

void snw_leg_locals(const snw_RetargetCarry *carry, int side, sinew_Quat out_locals[SNW_LEG_JOINTS])
{
    SNW_ASSERT(side >= 0 && side < 2);
    int joints[SNW_LEG_JOINTS];
    list_joints(&carry->target.legs[side], joints);
    for (int i = 0; i < SNW_LEG_JOINTS; ++i) {
        out_locals[i] = joints[i] < 0
            ? sinew_quat_identity()
            : local_of(carry, joints[i], carry->world[joints[i]].rotation);
    }
}

void snw_leg_steady(snw_RetargetCarry *carry, int side, const sinew_Quat naive[SNW_LEG_JOINTS],
    double dt, snw_LegTurns *last)
{
    SNW_ASSERT(side >= 0 && side < 2);
    SNW_ASSERT(dt > 0.0);
    int joints[SNW_LEG_JOINTS];
    list_joints(&carry->target.legs[side], joints);
    sinew_Quat want[SNW_LEG_JOINTS];
    for (int i = 0; i < SNW_LEG_JOINTS && joints[i] >= 0; ++i) {
        want[i] = carry->world[joints[i]].rotation;
    }
    bool moved = false;
    for (int i = 0; i < SNW_LEG_JOINTS && joints[i] >= 0; ++i) {
        // the knee keeps its bend, the sole and the toes lie as they should, also where what is above them lags
        sinew_Quat world = i == 1 ? carry->world[joints[i]].rotation : want[i];
        sinew_Quat local = local_of(carry, joints[i], world);
        if (last->known) {
            double most = sinew_quat_angle(last->naive[i], naive[i]) + SNW_LEG_SPEED * dt;
            double angle = sinew_quat_angle(last->shown[i], local);
            bool lags = angle > most;
            if (lags) { local = sinew_quat_slerp(last->shown[i], local, most / angle); }
            moved |= lags;
        }
        if (moved) { snw_retarget_set(carry, joints[i], world_of(carry, joints[i], local)); }
        last->naive[i] = naive[i];
        last->shown[i] = local;
    }
    last->known = true;
    if (moved) { snw_retarget_place(carry, joints[0]); }
}
