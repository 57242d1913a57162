// What a moment of the cycle shows and tells: feet on their places or on their way, below hips that both legs hold.

#include "walk/paper_cycle.h"

#include "math/holds.h"
#include "walk/gait.h"
#include "walk/leg_form.h"

#define HIP_PASSES 3
#define HIP_ENOUGH 1e-5 // metres
#define BETWEEN 0.003   // metres that ground may stand up between the points that are looked at
#define GIVE_WAY 0.15   // before the end of its range, radians
#define LEAST_FREEDOM \
    1e-4 // a foot in the air keeps its place where the ankle cannot turn it as planned
#define KNEE_MARGIN 0.02
// half rows may have a trailing heel so far off the plan, less to the end of its stand, radians
#define HEEL_FREE 0.1
#define PUSH 0.5 // of a foot out of the ground: leg lengths for the whole stride

static sinew_Quat turned(double heading, double pitch)
{
    return sinew_quat_mul(sinew_quat_from_axis_angle(snw_up_axis, heading),
        sinew_quat_from_axis_angle(snw_left_axis, pitch));
}

static double cycle_time(const snw_PaperCycle *cycle)
{
    return cycle->time + (cycle->stage == SNW_PAPER_ROLL ? cycle->times.swing_time : 0.0);
}

snw_GroundPose snw_paper_root(const snw_PaperCycle *cycle)
{
    if (cycle->stage == SNW_PAPER_STAND) { return cycle->start; }
    return snw_ground_path(&cycle->start, &cycle->motion, cycle_time(cycle));
}

void snw_paper_report(const snw_PaperCycle *cycle, const snw_WalkTarget *target, snw_View *view,
    sinew_WalkerReport *report)
{
    bool stands = cycle->stage == SNW_PAPER_STAND;
    snw_GroundPose root = snw_paper_root(cycle);
    report->root = sinew_vec3(root.x, snw_view_ask(view, root.x, root.z), root.z);
    report->heading = root.heading;
    report->motion = stands ? (sinew_Steering){ 0.0, 0.0, 0.0 } : cycle->motion;
    report->hips = target->hips.position;
    report->is_walking = !stands;
    report->step_count = cycle->step_count;
    report->distance = cycle->distance;
    if (!stands) { report->distance += cycle_time(cycle) * snw_steering_speed(&cycle->motion); }
}

// what neither heel nor toes may do: go below the ground. Near the ends of the stride there is no time
// to be pushed far: what is deep in the ground there touches a wall beside it
static void keep_above(
    const snw_WalkLegBody *leg, snw_View *view, double share, sinew_Transform *foot, double bend)
{
    double most = PUSH * leg->length * snw_min(share, 1.0 - share);
    if (most > 0.0) {
        snw_FootPose pose;
        snw_foot_points(leg, foot, bend, &pose);
        // edges are looked at closely, as at an end of a swing
        const snw_CoreRoom room = { (double)INFINITY, snw_min(BETWEEN, 0.1 * most), 0.0 };
        double edge, need = snw_core_need(leg, view, &pose, &room, 0.0, &edge);
        foot->position.y += snw_min(most, need);
    }
}

// a foot on its place; which of its points that holds depends on the pitch
static void stand(const snw_WalkLegBody *leg, const snw_PaperHold *hold, bool is_released,
    double free, snw_WalkFootTarget *target)
{
    const snw_FootPose pose = snw_paper_pose(leg, hold);
    const bool on_heel = hold->pitch > 0.0;
    target->foot = pose.foot;
    target->toe_bend = pose.toe_bend;
    target->told.swing = 1.0;
    target->told.planted = pose.planted;
    // the heel is released in both stages
    unsigned *planted = &target->told.planted;
    if (is_released && !on_heel) { *planted &= ~(unsigned)SINEW_PLANTED_HEEL; }
    *planted |= pose.edge;
    // what stands on more than its toes, or on an edge of them since the ankle's roll ends there, has no turn to spare
    const unsigned on_toes = SINEW_PLANTED_BALL | SINEW_PLANTED_TOE;
    target->heel_free = (*planted & ~on_toes) == 0 ? free : 0.0;
    target->lift = snw_max(0.0, -hold->pitch);
}

// a foot that was raised too near to its hip goes away from there, so that the knee bends less
static void unfold(
    const snw_WalkLegBody *leg, const sinew_Transform *hips, double less, sinew_Transform *foot)
{
    if (!(less > 0.0)) { return; }
    sinew_Vec3 hip = sinew_transform_point(*hips, leg->hip);
    sinew_Vec3 way = sinew_vec3_sub(foot->position, hip);
    double length = sinew_vec3_length(way), s, c;
    double knee = snw_core_knee(leg, length);
    // at the other end it is straight, and hips come down
    if (knee < 0.5 * leg->knee_upper) { return; }
    sinew_sincos(snw_max(0.0, knee - less), &s, &c);
    double far = sqrt(snw_leg_square(leg, c));
    foot->position = sinew_vec3_add_scaled(hip, way, far / snw_max(length, 0.1 * leg->thigh));
}

static void stride(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_Transform *hips, snw_View *view, snw_WalkFootTarget *target)
{
    const snw_WalkLegBody *leg = &body->legs[cycle->moving];
    double share = cycle->time / cycle->times.swing_time;
    snw_PaperMoment moment = snw_paper_moment(cycle, leg, hips, share);
    target->foot = snw_paper_stride_foot(cycle, leg, &moment, &target->toe_bend);
    keep_above(leg, view, share, &target->foot, target->toe_bend);
    // between its ends the foot may turn as the knee does where the thigh cannot: else it keeps to the
    // plan, which looked out for edges
    double heading = snw_paper_root(cycle).heading;
    snw_LegExcess excess = snw_leg_excess(body, leg, hips, &target->foot, heading);
    unfold(leg, hips, excess.knee + KNEE_MARGIN, &target->foot);
    double part = LEAST_FREEDOM + snw_smoothstep((excess.hip + GIVE_WAY) / GIVE_WAY);
    target->freedom = snw_smoothstep(share / 0.3) * snw_smoothstep((1.0 - share) / 0.3)
        * snw_min(1.0, part);
    target->told.planted = 0;
    target->told.is_swinging = true;
    target->told.swing = share;
}

// where a foot is while the hips are there
static void place_foot(const snw_PaperCycle *cycle, const snw_WalkBody *body, int foot,
    double share, const sinew_Transform *hips, snw_View *view, snw_WalkFootTarget *target)
{
    SNW_ASSERT(snw_holds_share(share));
    const snw_WalkLegBody *leg = &body->legs[foot];
    bool stands = cycle->stage == SNW_PAPER_STAND, moves = !stands && foot == cycle->moving;
    target->is_leading = moves;
    if (moves && cycle->stage == SNW_PAPER_SWING) {
        stride(cycle, body, hips, view, target);
    } else if (moves) {
        double wanted = cycle->land_pitch * (1.0 - cycle->time / cycle->times.roll_time);
        const snw_PaperHold hold = snw_paper_hold(leg, &cycle->next.at, hips, wanted);
        stand(leg, &hold, true, 0.0, target);
    } else {
        double wanted = stands ? 0.0 : -snw_paper_lift(cycle, share);
        const snw_PaperHold hold = snw_paper_hold(leg, &cycle->places[foot].at, hips, wanted);
        stand(leg, &hold, !stands, stands ? 0.0 : HEEL_FREE * (1.0 - share), target);
    }
}

static void tell_foot(const snw_PaperCycle *cycle, const snw_WalkLegBody *leg, int foot,
    double heading, snw_WalkFootTarget *target)
{
    bool moves = cycle->stage != SNW_PAPER_STAND && foot == cycle->moving;
    const snw_Foothold *at = moves ? &cycle->next.at : &cycle->places[foot].at;
    sinew_WalkerLeg *told = &target->told;
    snw_FootPose points;
    snw_foot_points(leg, &target->foot, target->toe_bend, &points);
    told->heel = points.heel;
    told->ball = points.ball;
    told->toe = points.toe;
    told->foothold = at->ground;
    told->normal = snw_up_of(at->basis);
    told->foot_heading = at->heading;
    told->toe_bend = target->toe_bend;
    // a cycle of a leg: half of it in the air and rolling, half of it standing
    double whole = cycle->times.swing_time + cycle->times.roll_time;
    double share = whole > 0.0 ? snw_min(1.0, cycle_time(cycle) / whole) : 0.0;
    if (cycle->stage != SNW_PAPER_STAND) {
        told->phase = fmod(0.5 * share + (moves ? 0.5 : 0.0), 1.0);
    }
    sinew_Vec3 ahead = snw_ahead_of(target->foot.rotation);
    double yaw = snw_heading_of(ahead.x, ahead.z);
    target->knee_yaw = heading + 0.5 * snw_turn_wrap(yaw - heading);
}

// the trunk keeps to the path's heading and leans into slopes; arms swing against the legs
static void carry_trunk(const snw_PaperCycle *cycle, double share, snw_WalkTarget *target)
{
    SNW_ASSERT(snw_holds_share(share));
    double heading = target->heading;
    double lean = cycle->lean_from + (cycle->lean_to - cycle->lean_from) * share;
    target->chest = turned(heading, lean);
    target->head = turned(heading, 0.0);
    bool stands = cycle->stage == SNW_PAPER_STAND;
    double amplitude = stands ? 0.0 : cycle->arm_from + (cycle->arm_to - cycle->arm_from) * share;
    double s, c;
    sinew_sincos(SINEW_PI * share, &s, &c);
    int side = cycle->moving == 0 ? 1 : -1;
    const double swing[2] = { side * amplitude * c, -side * amplitude * c };
    const double elbow[2] = { 0.25 + 0.5 * snw_max(0.0, swing[0]),
        0.25 + 0.5 * snw_max(0.0, swing[1]) };
    snw_hang_arms(swing, elbow, target);
}

void snw_paper_target(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, snw_View *view, snw_WalkTarget *target)
{
    *target = (snw_WalkTarget){ 0 };
    double whole = cycle->times.swing_time + cycle->times.roll_time;
    bool stands = cycle->stage == SNW_PAPER_STAND;
    double share = stands || !(whole > 0.0) ? 0.0 : snw_min(1.0, cycle_time(cycle) / whole);
    target->heading = snw_paper_root(cycle).heading;
    target->hips = snw_paper_hips(cycle, body, ornaments, share);

    // the hips come down to where both legs reach; lower hips ask for less of the heels
    for (int pass = 0; pass < HIP_PASSES; ++pass) {
        double down = 0.0;
        for (int foot = 0; foot < 2; ++foot) {
            const snw_WalkLegBody *leg = &body->legs[foot];
            place_foot(cycle, body, foot, share, &target->hips, view, &target->feet[foot]);
            sinew_Vec3 ankle = target->feet[foot].foot.position;
            down = snw_min(down, snw_paper_over_reach(leg, &target->hips, ankle));
        }
        if (down > -HIP_ENOUGH) { break; }
        target->hips.position.y += down;
    }
    for (int foot = 0; foot < 2; ++foot) {
        tell_foot(cycle, &body->legs[foot], foot, target->heading, &target->feet[foot]);
    }
    carry_trunk(cycle, stands ? 1.0 : share, target);
}
