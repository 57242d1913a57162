// Where the hips are at a moment of a planned cycle, how far heels come up for them, and whether both legs can carry
// them: feet that stand are exact, so hips that turn or go aside too far for them would pull them along.

#include "math/holds.h"
#include "walk/leg_form.h"
#include "walk/paper_cycle.h"

#define LIFT_SLOPE 1.2 // of a heel, radians for a whole cycle
#define OFF_END 0.01   // of joints from the end of their ranges, shanks: 0.02 radians

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
        height = snw_hip_height(cycle->hip_from, cycle->hip_to, bob, share)
            - snw_core_rope_at(cycle->dips, share);
        // it goes on as fast as it came here, and who stops comes to rest
        const double left = 1.0 - share, rise = cycle->hip_to - cycle->hip_from;
        height += share * left * left * (cycle->hip_rise * whole - rise);
        if (cycle->stop_count > 0) { height += share * share * left * rise; }
    }
    double yaw = root.heading;
    if (!stands && (cycle->swing_from != 0.0 || cycle->swing_to != 0.0)) {
        int side = cycle->moving == 0 ? 1 : -1;
        yaw += snw_hip_swing(cycle->swing_from, cycle->swing_to, side, share);
    }
    sinew_Transform hips = { sinew_vec3(root.x, height, root.z),
        sinew_quat_from_axis_angle(snw_up_axis, yaw) };
    return hips;
}

double snw_paper_reach(const snw_WalkLegBody *leg)
{
    return SNW_REACH_SHARE * (leg->thigh + leg->shank);
}

double snw_paper_over_reach(
    const snw_WalkLegBody *leg, const sinew_Transform *hips, sinew_Vec3 ankle)
{
    const sinew_Vec3 hip = sinew_transform_point(*hips, leg->hip);
    const double reach = snw_paper_reach(leg);
    const double over = snw_core_hip_over(hip, ankle, reach * reach);
    return over > 0.0 ? snw_min(0.0, ankle.y + over - hip.y) : 0.0;
}

snw_PaperHold snw_paper_hold(
    const snw_WalkLegBody *leg, const snw_Foothold *at, const sinew_Transform *hips, double wanted)
{
    const snw_CorePelvis pelvis = snw_core_pelvis(hips);
    const sinew_Vec3 hip = sinew_transform_point(*hips, leg->hip);
    const snw_CoreGive give = { SNW_REACH_SHARE, OFF_END * leg->shank,
        wanted > 0.0 ? SNW_BEHIND_STAYS : SNW_BEHIND_HEEL_RISES };
    double pitch = snw_core_project(leg, at, wanted, hip, &pelvis, &give);
    pitch = snw_min(pitch, snw_max(0.0, wanted));
    const double bank = snw_core_bank(leg, at, pitch, hip);
    return (snw_PaperHold){ snw_foothold_rolled(leg, at, pitch, bank), pitch };
}

snw_FootPose snw_paper_pose(const snw_WalkLegBody *leg, const snw_PaperHold *hold)
{
    return snw_foot_roll(leg, &hold->at, hold->pitch, snw_core_toe_cap(leg));
}

double snw_paper_lift(const snw_PaperCycle *cycle, double share)
{
    double place = snw_min(1.0, snw_max(0.0, share)) * (SNW_PAPER_LIFTS - 1);
    int i = (int)snw_min(place, SNW_PAPER_LIFTS - 2);
    return cycle->lifts[i] + (cycle->lifts[i + 1] - cycle->lifts[i]) * (place - i);
}

/// Feet that stand at a moment.
typedef struct Standing {
    int count;
    int feet[2];
    const snw_Foothold *places[2];
    double wanted[2], pitch[2];
    sinew_Transform posed[2];
} Standing;

// The trailing heel rises as the hips go on over its toes: published Table 1.3 a releases it, figure 1.5 draws
// it up. Less for short steps, not at all backwards, aside or for the last step
static double heel_rise(const snw_PaperCycle *cycle, const snw_WalkBody *body, double share)
{
    const sinew_Steering *motion = &cycle->motion;
    double speed = snw_steering_speed(motion);
    if (cycle->stop_count > 0 || !(motion->forward > 0.0)) { return 0.0; }
    double ahead = motion->forward / speed * snw_min(1.0, cycle->stride / (0.6 * body->length));
    return cycle->settings.heel_rise * ahead * share * share;
}

static Standing standing_at(const snw_PaperCycle *cycle, const snw_WalkBody *body, double time)
{
    int other = 1 - cycle->moving;
    Standing standing = { .count = 1, .feet = { other }, .places = { &cycle->places[other].at } };
    double rolls = time - cycle->times.swing_time, end = cycle->times.roll_time;
    double whole = cycle->times.swing_time + end;
    standing.wanted[0] = -heel_rise(cycle, body, whole > 0.0 ? time / whole : 0.0);
    if (rolls >= 0.0) {
        standing.feet[1] = cycle->moving;
        standing.places[1] = &cycle->next.at;
        standing.wanted[1] = end > 0.0 ? cycle->land_pitch * snw_max(0.0, 1.0 - rolls / end) : 0.0;
        standing.count = 2;
    }
    return standing;
}

// feet are pitched as the hips ask
static void settle(const snw_WalkBody *body, Standing *standing, const sinew_Transform *hips)
{
    for (int i = 0; i < standing->count; ++i) {
        const snw_WalkLegBody *leg = &body->legs[standing->feet[i]];
        const snw_Foothold *at = standing->places[i];
        const snw_PaperHold hold = snw_paper_hold(leg, at, hips, standing->wanted[i]);
        standing->pitch[i] = hold.pitch;
        // flat on its sole: a step is not planned to go onto an edge of it
        standing->posed[i] = snw_foot_roll_foot(leg, at, hold.pitch, snw_core_toe_cap(leg));
    }
}

// A heel that is up sooner or later comes up slowly, and is down slowly: no leap where a leg straightens
// and bends again. It begins, and in a stop ends, as it is asked to
static void soften(snw_PaperCycle *cycle)
{
    const int last = SNW_PAPER_LIFTS - 1;
    double *lifts = cycle->lifts, asked[SNW_PAPER_LIFTS];
    for (int i = 0; i <= last; ++i) { asked[i] = lifts[i]; }
    for (int i = 0; i <= last; ++i) {
        for (int k = 0; k <= last; ++k) {
            lifts[i] = snw_max(lifts[i], asked[k] - LIFT_SLOPE * fabs((double)(i - k)) / last);
        }
        double most = asked[0] + LIFT_SLOPE * i / last;
        if (cycle->stop_count > 0) {
            most = snw_min(most, asked[last] + LIFT_SLOPE * (last - i) / last);
        }
        lifts[i] = snw_max(asked[i], snw_min(lifts[i], most));
    }
}

double snw_paper_carry(
    snw_PaperCycle *cycle, const snw_WalkBody *body, const sinew_WalkOrnaments *ornaments)
{
    double whole = cycle->times.swing_time + cycle->times.roll_time, most = -SINEW_PI;
    for (int i = 0; i < SNW_PAPER_LIFTS; ++i) {
        double share = (double)i / (SNW_PAPER_LIFTS - 1);
        sinew_Transform hips = snw_paper_hips(cycle, body, ornaments, share);
        Standing standing = standing_at(cycle, body, whole * share);
        settle(body, &standing, &hips);
        cycle->lifts[i] = snw_max(0.0, -standing.pitch[0]);
        for (int k = 0; i > 0 && k < standing.count; ++k) {
            const snw_WalkLegBody *leg = &body->legs[standing.feet[k]];
            double heading = cycle->start.heading + cycle->motion.turn * whole * share;
            snw_LegExcess excess = snw_leg_excess(body, leg, &hips, &standing.posed[k], heading);
            most = snw_max(most, snw_max(excess.hip, snw_max(excess.knee, excess.ankle)));
        }
    }
    soften(cycle);
    return most;
}
