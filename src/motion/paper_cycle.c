// The two-stage cycle as time goes by. Source: Meredith and Maddock (2004), Table 1.3, Fig. 1.5.
//
// The table starts the swing with the front foot's heel and toes on the floor and keeps the toes alone;
// in the roll it leaves out the planted heel of the landed foot, which the text asks for. Planted here:
// toes of the back foot in both stages, the heel of the front foot in the roll.

#include "motion/paper_cycle.h"

// a stage ends when less than this is left of it, seconds: sums of frame times have rounding errors
#define STAGE_END 1e-12
#define MOST_STOPS 3

snw_PaperSettings snw_paper_settings_default(void)
{
    snw_PaperSettings settings = { 1.4, 0.975, 0.965, 0.015, 0.06, 0.09, 0.035, SNW_STRIDE_SKEW };
    return settings;
}

snw_PaperCycle snw_paper_begin(
    const snw_PaperSettings *settings, double x, double z, double heading)
{
    snw_PaperCycle cycle = { .settings = *settings, .stage = SNW_PAPER_STAND, .moving = 1 };
    cycle.start = (snw_GroundPose){ x, z, heading };
    return cycle;
}

double snw_paper_reach(const snw_WalkLegBody *leg)
{
    return SNW_REACH_SHARE * (leg->thigh + leg->shank);
}

double snw_paper_most_lift(const snw_WalkLegBody *leg)
{
    return leg->def.toe < 0 ? 0.9 : fmin(0.9, fmax(0.0, leg->toe_upper));
}

// ---------------------------------------------------------------------------------------------
// Time

static double cycle_time(const snw_PaperCycle *cycle)
{
    return cycle->time + (cycle->stage == SNW_PAPER_ROLL ? cycle->times.swing_time : 0.0);
}

snw_GroundPose snw_paper_root(const snw_PaperCycle *cycle)
{
    if (cycle->stage == SNW_PAPER_STAND) { return cycle->start; }
    return snw_ground_path(&cycle->start, &cycle->motion, cycle_time(cycle));
}

static void stand_up(snw_PaperCycle *cycle, const snw_WalkBody *body, snw_WalkGround *ground)
{
    double height = 0.0;
    for (int foot = 0; foot < 2; ++foot) {
        double x, z;
        snw_ground_point(&cycle->start, body->legs[foot].hip.x, 0.0, &x, &z);
        cycle->places[foot] = snw_foot_lay(&body->legs[foot], ground, x, z, cycle->start.heading);
        height += 0.5 * cycle->places[foot].height;
    }
    cycle->hip_to = height + cycle->settings.stand_height * body->length;
    cycle->on_ground = true;
}

// where the striding foot leaves the ground
static void lift_off(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, snw_WalkGround *ground, int foot)
{
    snw_WalkTarget target;
    snw_paper_target(cycle, body, ornaments, ground, &target);
    cycle->lifted = target.feet[foot].foot;
    cycle->lifted_bend = target.feet[foot].toe_bend;
}

// the foot that landed stands, the other one is next
static void swap_feet(snw_PaperCycle *cycle)
{
    cycle->start = snw_paper_root(cycle);
    double time = cycle->times.swing_time + cycle->times.roll_time;
    cycle->distance += time
        * sqrt(cycle->motion.forward * cycle->motion.forward
            + cycle->motion.left * cycle->motion.left);
    cycle->places[cycle->moving] = cycle->next;
    cycle->moving = 1 - cycle->moving;
}

static bool has_stopped(const snw_PaperCycle *cycle, const snw_WalkBody *body)
{
    if (cycle->stop_count == 0) { return false; }
    if (cycle->stop_count >= MOST_STOPS) { return true; }
    static const sinew_Steering ahead = { 1.0, 0.0, 0.0 }, aside = { 0.0, 1.0, 0.0 };
    for (int foot = 0; foot < 2; ++foot) {
        const snw_FootPlace *place = &cycle->places[foot];
        double off = fabs(snw_paper_trailing(body, foot, place, &cycle->start, &ahead))
            + fabs(snw_paper_trailing(body, foot, place, &cycle->start, &aside));
        if (off > 0.04 || fabs(snw_turn_wrap(place->heading - cycle->start.heading)) > 0.05) {
            return false;
        }
    }
    return true;
}

static bool is_wanted(const sinew_Steering *steering)
{
    return fabs(steering->forward) > 0.04 || fabs(steering->left) > 0.04
        || fabs(steering->turn) > 0.08;
}

// the end of the roll, or of the swing where there is no gap to roll over
static void end_cycle(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, const sinew_Steering *steering, snw_WalkGround *ground)
{
    lift_off(cycle, body, ornaments, ground, 1 - cycle->moving);
    swap_feet(cycle);
    if (!is_wanted(steering) && has_stopped(cycle, body)) {
        cycle->stage = SNW_PAPER_STAND;
        cycle->time = 0.0;
        cycle->stop_count = 0;
        return;
    }
    snw_paper_plan(cycle, body, ornaments, steering, ground);
}

void snw_paper_advance(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, const sinew_Steering *steering, snw_WalkGround *ground,
    double dt)
{
    if (!cycle->on_ground) { stand_up(cycle, body, ground); }
    double left = dt;
    while (left > 0.0) {
        if (cycle->stage == SNW_PAPER_STAND) {
            if (!is_wanted(steering)) { return; }
            cycle->moving = snw_paper_first_foot(cycle, steering);
            lift_off(cycle, body, ornaments, ground, cycle->moving);
            snw_paper_plan(cycle, body, ornaments, steering, ground);
        }
        bool swings = cycle->stage == SNW_PAPER_SWING;
        double end = swings ? cycle->times.swing_time : cycle->times.roll_time;
        if (cycle->time + left < end - STAGE_END) {
            cycle->time += left;
            return;
        }
        left -= end - cycle->time;
        cycle->time = end;
        if (swings) {
            cycle->step_count += 1;
            if (cycle->times.roll_time > 0.0) {
                cycle->stage = SNW_PAPER_ROLL;
                cycle->time = 0.0;
                continue;
            }
        }
        end_cycle(cycle, body, ornaments, steering, ground);
    }
}

// ---------------------------------------------------------------------------------------------
// Targets

double snw_paper_heel_lift(const snw_WalkLegBody *leg, const sinew_Transform *flat, sinew_Vec3 hip,
    double reach, double most)
{
    if (sinew_vec3_distance(hip, flat->position) <= reach) { return 0.0; }
    // in the foot's plane: the ankle goes round the pivot, the hip stays
    sinew_Vec3 pivot = snw_foot_pivot(leg);
    sinew_Vec3 to_hip = sinew_quat_rotate(sinew_quat_conjugate(flat->rotation),
        sinew_vec3_sub(hip, sinew_transform_point(*flat, pivot)));
    double ankle = sqrt(pivot.y * pivot.y + pivot.z * pivot.z);
    double far = sqrt(to_hip.y * to_hip.y + to_hip.z * to_hip.z);
    double aside = to_hip.x + pivot.x;
    if (!(ankle > 0.0 && far > 0.0)) { return 0.0; }
    double between = sinew_atan2(-pivot.y, -pivot.z) - sinew_atan2(to_hip.y, to_hip.z);
    double cosine = (far * far + ankle * ankle + aside * aside - reach * reach)
        / (2.0 * far * ankle);
    return fmin(most, fmax(0.0, between - sinew_acos(cosine)));
}

sinew_Transform snw_paper_stride_foot(
    const snw_PaperCycle *cycle, const snw_WalkLegBody *leg, double share, double *out_bend)
{
    sinew_Vec3 heel = snw_foot_heel(leg);
    sinew_Transform landing = snw_foot_pitched(&cycle->next.foot, heel, cycle->land_pitch);
    sinew_Transform foot;
    foot.rotation = sinew_quat_slerp(cycle->lifted.rotation, landing.rotation, share);
    sinew_Vec3 at = snw_stride_point(&cycle->heel, share);
    foot.position = sinew_vec3_sub(at, sinew_quat_rotate(foot.rotation, heel));
    // toes straighten before the foot is level
    double straight = cycle->lifted_bend * fmax(0.0, 1.0 - share / 0.6);
    *out_bend = straight + cycle->next.toe_bend * share;
    return foot;
}

// what neither heel nor toes may do: go below the ground
static void keep_above(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, sinew_Transform *foot, double bend)
{
    sinew_Vec3 heel = snw_foot_heel(leg);
    double pitch = snw_foot_pitch_out(ground, foot, heel, snw_foot_ball(leg));
    if (pitch > 0.0) { *foot = snw_foot_pitched(foot, heel, fmin(pitch, 0.6)); }
    double clearance = snw_foot_clearance(leg, ground, foot, bend);
    if (clearance < 0.0) { foot->position.y -= clearance; }
}

static void stand_on_toes(
    const snw_WalkLegBody *leg, const snw_FootPlace *place, double lift, snw_WalkFootTarget *target)
{
    target->foot = snw_foot_pitched(&place->foot, snw_foot_pivot(leg), -lift);
    target->toe_bend = place->toe_bend + (leg->def.toe >= 0 ? lift : 0.0);
    target->told.planted = leg->def.toe >= 0 ? SINEW_PLANTED_BALL | SINEW_PLANTED_TOE
                                             : SINEW_PLANTED_TOE;
    target->held = leg->def.toe >= 0 ? SINEW_PLANTED_BALL : SINEW_PLANTED_TOE;
}

static void moving_foot(const snw_PaperCycle *cycle, const snw_WalkLegBody *leg,
    snw_WalkGround *ground, snw_WalkFootTarget *target)
{
    sinew_Vec3 heel = snw_foot_heel(leg);
    target->is_leading = true;
    target->held = SINEW_PLANTED_HEEL;
    if (cycle->stage == SNW_PAPER_SWING) {
        double share = cycle->time / cycle->times.swing_time;
        target->foot = snw_paper_stride_foot(cycle, leg, share, &target->toe_bend);
        if (share > 0.0 && share < 1.0) {
            keep_above(leg, ground, &target->foot, target->toe_bend);
        }
        target->told.is_swinging = true;
        target->told.swing = share;
        return;
    }
    double share = cycle->time / cycle->times.roll_time;
    target->foot = snw_foot_pitched(&cycle->next.foot, heel, cycle->land_pitch * (1.0 - share));
    target->toe_bend = cycle->next.toe_bend;
    target->told.planted = SINEW_PLANTED_HEEL;
    target->told.swing = 1.0;
}

static void tell_foot(const snw_PaperCycle *cycle, const snw_WalkLegBody *leg, int foot,
    double heading, snw_WalkFootTarget *target)
{
    bool moves = cycle->stage != SNW_PAPER_STAND && foot == cycle->moving;
    const snw_FootPlace *place = moves ? &cycle->next : &cycle->places[foot];
    sinew_WalkerLeg *told = &target->told;
    told->heel = sinew_transform_point(target->foot, snw_foot_heel(leg));
    told->ball = sinew_transform_point(target->foot, snw_foot_ball(leg));
    told->toe = sinew_transform_point(target->foot, snw_foot_tip(leg, target->toe_bend));
    told->foothold = sinew_transform_point(place->foot, sinew_vec3(0.0, -leg->ankle_height, 0.0));
    told->normal = sinew_quat_rotate(place->foot.rotation, sinew_vec3(0.0, 1.0, 0.0));
    told->foot_heading = place->heading;
    told->toe_bend = target->toe_bend;
    // a cycle of a leg: half of it in the air and rolling, half of it standing
    double whole = cycle->times.swing_time + cycle->times.roll_time;
    double share = whole > 0.0 ? fmin(1.0, cycle_time(cycle) / whole) : 0.0;
    if (cycle->stage != SNW_PAPER_STAND) {
        told->phase = fmod(0.5 * share + (moves ? 0.5 : 0.0), 1.0);
    }
    sinew_Vec3 ahead = sinew_quat_rotate(target->foot.rotation, sinew_vec3(0.0, 0.0, 1.0));
    double yaw = snw_heading_of(ahead.x, ahead.z);
    target->knee_yaw = heading + 0.5 * snw_turn_wrap(yaw - heading);
}

static sinew_Quat turned(double heading, double pitch)
{
    return sinew_quat_mul(sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), heading),
        sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), pitch));
}

// the trunk keeps to the path's heading and leans into slopes; arms swing against the legs
static void carry_trunk(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, double share, double heading, snw_WalkTarget *target)
{
    double way = cycle->stride;
    double rise = cycle->stage == SNW_PAPER_STAND || way < 0.05
        ? 0.0
        : (cycle->next.height - cycle->places[1 - cycle->moving].height) / fmax(way, 0.2);
    (void)body;
    double lean = ornaments->lean * (0.04 + 0.15 * fmin(0.6, fmax(-0.6, rise)));
    target->chest = turned(heading, lean);
    target->head = turned(heading, 0.0);
    double amplitude = cycle->arm_from + (cycle->arm_to - cycle->arm_from) * share;
    double s, c;
    sinew_sincos(SINEW_PI * share, &s, &c);
    int side = cycle->moving == 0 ? 1 : -1;
    target->arm[0] = side * amplitude * c;
    target->arm[1] = -side * amplitude * c;
    target->elbow[0] = 0.25 + 0.5 * fmax(0.0, target->arm[0]);
    target->elbow[1] = 0.25 + 0.5 * fmax(0.0, target->arm[1]);
}

// hip joints as the hips are turned, at a height of the hips
static sinew_Vec3 hip_joint(const snw_WalkTarget *target, const snw_WalkLegBody *leg)
{
    return sinew_transform_point(target->hips, leg->hip);
}

void snw_paper_target(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, snw_WalkGround *ground, snw_WalkTarget *target)
{
    *target = (snw_WalkTarget){ 0 };
    bool stands = cycle->stage == SNW_PAPER_STAND;
    double whole = cycle->times.swing_time + cycle->times.roll_time;
    double share = stands || !(whole > 0.0) ? 0.0 : fmin(1.0, cycle_time(cycle) / whole);
    snw_GroundPose root = snw_paper_root(cycle);
    double height = cycle->hip_to, yaw = root.heading;
    if (!stands) {
        double bob = cycle->settings.bob * body->length * ornaments->bob;
        height = snw_hip_height(cycle->hip_from, cycle->hip_to, bob, share);
        if (cycle->swing_from != 0.0 || cycle->swing_to != 0.0) {
            int side = cycle->moving == 0 ? 1 : -1;
            yaw += snw_hip_swing(cycle->swing_from, cycle->swing_to, side, share);
        }
    }
    target->heading = root.heading;
    target->hips.rotation = turned(yaw, 0.0);
    target->hips.position = sinew_vec3(root.x, height, root.z);
    for (int foot = 0; foot < 2; ++foot) {
        snw_WalkFootTarget *at = &target->feet[foot];
        if (stands) {
            stand_on_toes(&body->legs[foot], &cycle->places[foot], 0.0, at);
            at->told.planted |= SINEW_PLANTED_HEEL;
            at->told.swing = 1.0;
        } else if (foot == cycle->moving) {
            moving_foot(cycle, &body->legs[foot], ground, at);
        } else {
            // as high on its toes as it may be: what the hips have to come down to
            const snw_WalkLegBody *leg = &body->legs[foot];
            double lift = snw_paper_heel_lift(leg, &cycle->places[foot].foot,
                hip_joint(target, leg), snw_paper_reach(leg), snw_paper_most_lift(leg));
            stand_on_toes(leg, &cycle->places[foot], lift, at);
        }
        // the hips come down to where the leg reaches
        const snw_WalkLegBody *leg = &body->legs[foot];
        sinew_Vec3 hip = hip_joint(target, leg);
        double dx = hip.x - at->foot.position.x, dz = hip.z - at->foot.position.z;
        double most = snw_reach_height(
            snw_paper_reach(leg), sqrt(dx * dx + dz * dz), at->foot.position.y);
        if (hip.y > most && isfinite(most)) { target->hips.position.y += most - hip.y; }
    }
    // lower hips ask for less of the heel
    if (!stands) {
        int foot = 1 - cycle->moving;
        const snw_WalkLegBody *leg = &body->legs[foot];
        double lift = snw_paper_heel_lift(leg, &cycle->places[foot].foot, hip_joint(target, leg),
            snw_paper_reach(leg), snw_paper_most_lift(leg));
        stand_on_toes(leg, &cycle->places[foot], lift, &target->feet[foot]);
    }
    for (int foot = 0; foot < 2; ++foot) {
        tell_foot(cycle, &body->legs[foot], foot, root.heading, &target->feet[foot]);
    }
    carry_trunk(cycle, body, ornaments, share, root.heading, target);
}
