// The way of the striding foot: the lift curve of its heel, the turn of the foot, and how both are
// chosen so that the sole clears the ground and no joint has to hurry.
// Source: Meredith and Maddock (2004), Move forwards; steps are ours.

#include "math/holds.h"
#include "walk/gait.h"
#include "walk/leg_form.h"
#include "walk/paper_cycle.h"

#define CLEAR_BY 0.015     // of the striding sole, metres
#define CLEAR_BESIDE 0.012 // and beside edges
#define LIFTING_SHARE 0.15 // of the stride in which the sole comes up to that
#define LANDING_SHARE 0.2
#define JOINT_SPEED 14.0 // of both legs, mean of a part of the stride, rad/s
#define PLAIN_RAISE 0.06 // the plain curve is kept when this is enough (L)
#define NOT_CLEAR 30.0   // seconds that a metre of height counts which a way lacks
#define LACK_ENOUGH 0.0015
#define MOST_RAISE 0.2 // (L)
#define RAISE_PASSES 5
#define RAISE_ENOUGH 0.004 // of the margin may be missed, metres
#define STRAIGHT_SHARE 0.6 // of the stride after which toes are straight
#define PLANNED_SHARE 0.8  // of the stride in which the foot turns as it was planned to land
#define PARTS 40

snw_PaperMoment snw_paper_moment(const snw_PaperCycle *cycle, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    snw_PaperMoment moment = { .share = share, .hips = *hips };
    // as it lands in the end; only then hips that came down have a say
    snw_PaperHold hold = snw_paper_hold(leg, &cycle->next.at, hips, cycle->land_pitch);
    double late = snw_smoothstep((share - PLANNED_SHARE) / (1.0 - PLANNED_SHARE));
    hold.pitch = snw_mix(cycle->landing_pitch, hold.pitch, late);
    const snw_FootPose landing = snw_paper_pose(leg, &hold);
    moment.landing = landing.foot.rotation;
    moment.landing_heel = landing.heel;
    moment.landing_bend = landing.toe_bend;
    return moment;
}

sinew_Transform snw_paper_stride_foot(const snw_PaperCycle *cycle, const snw_WalkLegBody *leg,
    const snw_PaperMoment *moment, double *out_bend)
{
    sinew_Vec3 heel = { 0.0, -leg->ankle_height, leg->heel };
    // the foot levels early: late toes would come down into the step that the heel is over already
    double share = moment->share, left = 1.0 - snw_stride_way(&cycle->heel, share);
    double turn = 1.0 - left * left;
    sinew_Transform foot;
    foot.rotation = sinew_quat_slerp(cycle->lifted.rotation, moment->landing, turn);
    sinew_Vec3 at = snw_stride_point(&cycle->heel, share);
    // an ankle that cannot bend so far lands on its toes, heel above the end of the curve
    sinew_Vec3 above = sinew_vec3_sub(moment->landing_heel, cycle->heel.end);
    at = sinew_vec3_add_scaled(at, above, share);
    foot.position = sinew_vec3_sub(at, sinew_quat_rotate(foot.rotation, heel));
    if (share > 0.0 && share < 1.0) {
        // at its ends it is turned as it stands
        const sinew_Vec3 hip = sinew_transform_point(moment->hips, leg->hip);
        const double freely = snw_smoothstep(share / LIFTING_SHARE)
            * snw_smoothstep((1.0 - share) / LIFTING_SHARE);
        foot.rotation = sinew_quat_slerp(foot.rotation, snw_core_flex(leg, hip, &foot), freely);
    }
    // toes straighten before the foot is level
    double straight = cycle->lifted_bend * snw_max(0.0, 1.0 - share / STRAIGHT_SHARE);
    *out_bend = straight + moment->landing_bend * share;
    return foot;
}

// ---------------------------------------------------------------------------------------------
// Planning

/// The stride that is planned. Hips and landing are the same for all ways of the foot.
typedef struct Way {
    snw_PaperCycle *cycle;
    const snw_WalkLegBody *leg, *standing;
    snw_View *view;
    snw_PaperMoment moments[PARTS + 1];
    double swing; ///< share of the whole cycle
} Way;

static void look_ahead(Way *way, const snw_WalkBody *body, const sinew_WalkOrnaments *ornaments)
{
    const snw_StrideTimes *times = &way->cycle->times;
    double whole = times->swing_time + times->roll_time;
    double swing = whole > 0.0 ? times->swing_time / whole : 1.0;
    way->swing = swing;
    sinew_Transform end = snw_paper_hips(way->cycle, body, ornaments, swing);
    way->cycle->landing_pitch =
        snw_paper_hold(way->leg, &way->cycle->next.at, &end, way->cycle->land_pitch).pitch;
    for (int i = 0; i <= PARTS; ++i) {
        double share = (double)i / PARTS;
        sinew_Transform hips = snw_paper_hips(way->cycle, body, ornaments, swing * share);
        way->moments[i] = snw_paper_moment(way->cycle, way->leg, &hips, share);
    }
}

// how much higher the lift curve has to be for the sole to clear the ground; more than 1 m: it cannot
static double raise_needed(const Way *way, double *out_lack)
{
    double raise = 0.0;
    *out_lack = 0.0;
    for (int i = 1; i < PARTS; ++i) {
        double t = way->moments[i].share, bend;
        sinew_Transform foot = snw_paper_stride_foot(way->cycle, way->leg, &way->moments[i], &bend);
        // the curve comes down without a slope
        double end = (1.0 - t) / LANDING_SHARE;
        double part = snw_min(1.0, snw_min(t / LIFTING_SHARE, end * end));
        double margin = CLEAR_BY * part;
        snw_FootPose pose;
        snw_foot_points(way->leg, &foot, bend, &pose);
        const snw_CoreRoom room = { (double)INFINITY, margin, CLEAR_BESIDE * part };
        double edge, need = snw_core_need(way->leg, way->view, &pose, &room, t, &edge);
        double lift = 0.5 * snw_lift_curve(3.0 * SINEW_PI * t);
        raise = snw_max(raise, need / snw_max(lift, 0.02));
        *out_lack = snw_max(*out_lack, need);
    }
    return raise;
}

// raise the curve; a higher foot bends its ankle more, so the toes come down again in part. Returns
// how much height it lacks even then, metres
static double raise_until_clear(Way *way, double most)
{
    double lack = 0.0, *clearance = &way->cycle->heel.clearance;
    for (int pass = 0; pass < RAISE_PASSES; ++pass) {
        double raise = raise_needed(way, &lack);
        if (raise < RAISE_ENOUGH || lack < LACK_ENOUGH) { return 0.0; }
        if (*clearance >= most) { break; }
        *clearance = snw_min(most, *clearance + (1.0 + pass) * raise);
    }
    return lack;
}

/// Turns of the leg's joints: thigh in the world, knee, ankle.
typedef struct Joints {
    sinew_Quat turns[3];
} Joints;

static Joints joints_of(
    const snw_WalkLegBody *leg, const sinew_Transform *hips, const sinew_Transform *foot)
{
    sinew_Vec3 hip = sinew_transform_point(*hips, leg->hip);
    sinew_Vec3 ahead = snw_ahead_of(foot->rotation);
    sinew_Quat thigh, shank;
    snw_leg_close(leg, hip, foot->position, ahead, &thigh, &shank);
    Joints joints = { { thigh, sinew_quat_mul(sinew_quat_conjugate(thigh), shank),
        sinew_quat_mul(sinew_quat_conjugate(shank), foot->rotation) } };
    return joints;
}

static Joints striding_joints(const Way *way, int i)
{
    double bend;
    sinew_Transform foot = snw_paper_stride_foot(way->cycle, way->leg, &way->moments[i], &bend);
    return joints_of(way->leg, &way->moments[i].hips, &foot);
}

static Joints standing_joints(const Way *way, int i)
{
    const snw_Foothold *at = &way->cycle->places[1 - way->cycle->moving].at;
    const sinew_Transform *hips = &way->moments[i].hips;
    double lift = snw_paper_lift(way->cycle, way->swing * way->moments[i].share);
    const snw_PaperHold hold = snw_paper_hold(way->standing, at, hips, -lift);
    sinew_Transform foot = snw_paper_pose(way->standing, &hold).foot;
    return joints_of(way->standing, hips, &foot);
}

// seconds that the stride needs so that no joint of a leg turns faster than it should
static double time_needed(const Way *way, Joints (*joints_at)(const Way *way, int i))
{
    double cosine = 1.0; // of half the widest turn between two moments
    Joints before = joints_at(way, 0);
    for (int i = 1; i <= PARTS; ++i) {
        Joints now = joints_at(way, i);
        for (int k = 0; k < 3; ++k) {
            cosine = snw_min(cosine, fabs(sinew_quat_dot(now.turns[k], before.turns[k])));
        }
        before = now;
    }
    return 2.0 * sinew_acos(cosine) * PARTS / JOINT_SPEED;
}

// the plain curve where it clears the view, else the one of some others that has to be raised least
void snw_paper_plan_stride(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, double share, snw_View *view)
{
    // share of the time in which a step is made up, and by which the way waits for that
    static const double ways[][2] = { { 0.8, 0.0 }, { 0.7, 0.15 }, { 0.6, 0.25 }, { 0.5, 0.35 } };
    Way way = { .cycle = cycle, .leg = &body->legs[cycle->moving], .view = view };
    way.standing = &body->legs[1 - cycle->moving];
    look_ahead(&way, body, ornaments);
    snw_FootPose lifted;
    snw_foot_points(way.leg, &cycle->lifted, 0.0, &lifted);
    snw_Stride plain = {
        .start = lifted.heel,
        .end = snw_foot_roll(way.leg, &cycle->next.at, 0.0, 0.0).heel,
        .clearance = cycle->settings.clearance * body->length * share,
        .shape = cycle->settings.rotate ? SNW_STRIDE_ROTATE : SNW_STRIDE_SKEW,
        .low = 0.0,
        .high = 1.0,
    };
    cycle->heel = plain;
    double most = plain.clearance + MOST_RAISE * body->length;
    double lack = raise_until_clear(&way, most);
    snw_Stride best = cycle->heel;
    // hips hurry over a standing leg, too, when it straightens late
    double standing = time_needed(&way, standing_joints);
    cycle->stride_time = snw_max(standing, time_needed(&way, striding_joints));
    double rise = plain.end.y - plain.start.y;
    if (lack == 0.0 && best.clearance < plain.clearance + PLAIN_RAISE * body->length) { return; }

    double least = cycle->stride_time + NOT_CLEAR * lack;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        cycle->heel = plain;
        cycle->heel.shape = SNW_STRIDE_RAMP;
        cycle->heel.low = rise > 0.0 ? 0.0 : 1.0 - ways[i][0];
        cycle->heel.high = rise > 0.0 ? ways[i][0] : 1.0;
        cycle->heel.hold = rise > 0.0 ? ways[i][1] : -ways[i][1];
        lack = raise_until_clear(&way, most);
        double time = snw_max(standing, time_needed(&way, striding_joints));
        if (time + NOT_CLEAR * lack < least) {
            least = time + NOT_CLEAR * lack;
            best = cycle->heel;
            cycle->stride_time = time;
        }
    }
    cycle->heel = best;
}
