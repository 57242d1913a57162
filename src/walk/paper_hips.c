// Where the hips are at a moment of a cycle, and how far the heel of the standing foot is up then.

#include "math/holds.h"
#include "walk/gait.h"
#include "walk/paper_cycle.h"

sinew_Transform snw_paper_hips(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    double whole = cycle->times.swing_time + cycle->times.roll_time;
    bool stands = cycle->stage == SNW_PAPER_STAND;
    snw_GroundPose root = cycle->start;
    double height = cycle->hip_to;
    if (!stands) {
        root = snw_ground_path(&cycle->start, &cycle->motion, whole * share);
        double bob = cycle->bob * cycle->settings.bob * body->length * ornaments->bob;
        height = snw_hip_height(cycle->hip_from, cycle->hip_to, bob, share);
    }
    double yaw = root.heading;
    if (!stands && (cycle->swing_from != 0.0 || cycle->swing_to != 0.0)) {
        int side = cycle->moving == 0 ? 1 : -1;
        yaw += snw_hip_swing(cycle->swing_from, cycle->swing_to, side, share);
    }
    sinew_Transform hips = { sinew_vec3(root.x, height, root.z),
        sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), yaw) };
    return hips;
}

double snw_paper_lift(const snw_PaperCycle *cycle, double share)
{
    double place = fmin(1.0, fmax(0.0, share)) * (SNW_PAPER_LIFTS - 1);
    int i = (int)fmin(place, SNW_PAPER_LIFTS - 2);
    return cycle->lifts[i] + (cycle->lifts[i + 1] - cycle->lifts[i]) * (place - i);
}
