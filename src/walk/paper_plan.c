// The plan of one cycle: which foot strides, how far, where it lands and where the hips go.
// Source: Meredith and Maddock (2004), Move forwards and the section on turning. Their rule for
// straight lines is applied to where the hips will be, so that circles of both feet, turns on the
// spot and steps aside come from one formula.

#include "walk/paper_cycle.h"

#include "math/holds.h"

#include <string.h>

#define PIVOT_RADIUS 0.25  // turning counts as walking on this circle, metres
#define MOST_TURN 0.45     // per cycle, radians
#define SHORTEST_TIME 0.16 // of a cycle, seconds
#define SPEED_GAIN 0.6     // from cycle to cycle, m/s
#define LEAST_SHARE 0.3    // of the longest stride
#define LEAST_STRIDE 0.3   // that quick steps are counted by (L)
#define LEAN 0.03          // of the trunk, radians, and more on slopes
#define SLOPE_LEAN 0.3
#define STOP_SPEED 0.45 // of the hips in the last step, at least
#define HEEL_GAP 3e-3   // below a heel that may still land first, metres
#define WALL 0.06       // height of ground that a foot does not want beside it, metres
#define WALL_POINTS 3
#define SHIFT_STEP 0.02
#define SHIFT_COUNT 12
#define SHIFTS_LEFT 3
#define WORSE 0.1         // than it was remembered: a foothold to shift
#define ALONG 0.9         // share of the way that goes along the foot, for which one line is enough
#define MOST_STRAIN -0.01 // beyond the range of a joint, radians
#define PLANNED_LIFT 0.5  // of the trailing heel at the end of a cycle, radians

static int side_of(int foot)
{
    return foot == 0 ? 1 : -1;
}

// how fast feet have to work: hips' speed, or that of the feet in a turn on the spot
static double pace(const sinew_Steering *motion)
{
    double speed = snw_steering_speed(motion);
    return snw_max(speed, PIVOT_RADIUS * fabs(motion->turn));
}

static sinew_Steering scaled(const sinew_Steering *motion, double scale)
{
    sinew_Steering r = { motion->forward * scale, motion->left * scale, motion->turn * scale };
    return r;
}

static void neutral_place(
    const snw_WalkBody *body, int foot, const snw_GroundPose *hips, double *out_x, double *out_z)
{
    snw_ground_point(hips, side_of(foot) * fabs(body->legs[foot].hip.x), 0.0, out_x, out_z);
}

// motion along which one pose leads to another in a time: the inverse of snw_ground_path
static sinew_Steering motion_between(
    const snw_GroundPose *from, const snw_GroundPose *to, double time)
{
    double turn = snw_turn_wrap(to->heading - from->heading);
    sinew_Steering unit = { 1.0, 0.0, turn };
    snw_GroundPose origin = { 0.0, 0.0, 0.0 };
    snw_GroundPose chord = snw_ground_path(&origin, &unit, 1.0);
    double share = sqrt(chord.x * chord.x + chord.z * chord.z);
    double s, c, dx = to->x - from->x, dz = to->z - from->z;
    sinew_sincos(from->heading + 0.5 * turn, &s, &c);
    double scale = 1.0 / (share * time);
    sinew_Steering motion = { (s * dx + c * dz) * scale, (c * dx - s * dz) * scale, turn / time };
    return motion;
}

// where the hips are when the foot stands below them
static snw_GroundPose hips_over(const snw_WalkBody *body, int foot, const snw_Foothold *at)
{
    snw_GroundPose pose = { at->ground.x, at->ground.z, at->heading };
    double beside = side_of(foot) * fabs(body->legs[foot].hip.x);
    snw_ground_point(&pose, -beside, 0.0, &pose.x, &pose.z);
    return pose;
}

// a foot on the track of a steady motion trails by exactly as long as that motion took since it was
// below the hips
double snw_paper_trailing(const snw_WalkBody *body, int foot, const snw_Foothold *at,
    const snw_GroundPose *hips, const sinew_Steering *motion)
{
    snw_GroundPose over = hips_over(body, foot, at);
    sinew_Steering since = motion_between(&over, hips, 1.0);
    double pivot = PIVOT_RADIUS * PIVOT_RADIUS;
    double square = motion->forward * motion->forward + motion->left * motion->left
        + pivot * motion->turn * motion->turn;
    double along = motion->forward * since.forward + motion->left * since.left
        + pivot * motion->turn * since.turn;
    return square > 0.0 ? pace(motion) * along / square : 0.0;
}

// ---------------------------------------------------------------------------------------------
// Footholds

// feet do not cross: a foothold that comes too near to the line of the other foot is put aside
static void keep_apart(
    const snw_WalkBody *body, const snw_PaperCycle *cycle, double heading, double *x, double *z)
{
    int foot = cycle->moving, other = 1 - foot;
    double s, c;
    sinew_sincos(heading, &s, &c);
    sinew_Vec3 at = cycle->places[other].at.ground;
    double apart = side_of(foot) * (c * (*x - at.x) - s * (*z - at.z));
    double least = 1.3 * body->hip_width;
    if (apart < least) {
        *x += side_of(foot) * c * (least - apart);
        *z -= side_of(foot) * s * (least - apart);
    }
}

/// A foothold below hips of some time, and ahead of and to the left of there, metres.
typedef struct Shift {
    double time, ahead, left;
} Shift;

// it looks where hips do at the time that was wanted, so that a shift turns no foot away from the body
static snw_PaperPlace foothold(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_Steering *motion, Shift shift, double wanted, bool is_exact, snw_View *view)
{
    snw_GroundPose hips = snw_ground_path(&cycle->start, motion, shift.time);
    double x, z, heading = cycle->start.heading + motion->turn * wanted;
    neutral_place(body, cycle->moving, &hips, &x, &z);
    snw_GroundPose place = { x, z, heading };
    snw_ground_point(&place, shift.left, shift.ahead, &x, &z);
    keep_apart(body, cycle, heading, &x, &z);
    const snw_WalkLegBody *leg = &body->legs[cycle->moving];
    snw_PaperPlace found = { .at.heading = heading };
    if (is_exact) {
        found.at = snw_core_fit(leg, view, x, z, heading, &found.fit);
    } else {
        found.fit = snw_core_judge(leg, view, x, z, heading);
    }
    return found;
}

// whether the ground stands up beside the sole anywhere on a line between two places of the foot, to its left and ahead
static bool is_wall(const snw_CoreFit *fit, double heading, const double from[2],
    const double to[2], bool is_close, snw_View *view)
{
    for (int i = 0; i < WALL_POINTS; ++i) {
        const double part = (double)i / (WALL_POINTS - 1);
        const double left = snw_mix(from[0], to[0], part), ahead = snw_mix(from[1], to[1], part);
        const snw_GroundPose pose = { fit->ground.x, fit->ground.z, heading };
        const double most = fit->ground.y + ahead * fit->along + WALL;
        double x, z;
        bool is_edge;
        snw_ground_point(&pose, left, ahead, &x, &z);
        if (snw_view_height(view, x, z, &is_edge) <= most) { continue; }
        if (!is_edge || !is_close || snw_view_beside(view, x, z) > most) { return true; }
    }
    return false;
}

// toes against a riser have to be pulled back before the next stride, a heel under a nosing has to get
// there, and feet turn beside one
static int count_walls(
    const snw_WalkLegBody *leg, const snw_CoreFit *fit, double heading, snw_View *view)
{
    const double wide = leg->ball_width;
    int count = 0;
    for (int i = 1; i <= 2; ++i) {
        const double ends[2] = { leg->tip + 0.02 * i, leg->heel - 0.025 * i };
        for (int k = 0; k < 2; ++k) {
            const double from[2] = { -wide, ends[k] }, to[2] = { wide, ends[k] };
            count += is_wall(fit, heading, from, to, true, view);
        }
    }
    for (int side = -1; side <= 1; side += 2) {
        const double x = leg->toe_joint.x + side * (wide + 0.02);
        const double from[2] = { x, leg->heel }, to[2] = { x, leg->tip };
        count += is_wall(fit, heading, from, to, false, view);
    }
    return count;
}

// What speaks against a foothold: for each metre that it is shifted from the wanted one;
#define COST_SHIFT 1.5
// for each metre that its toes are deeper in the ground than they bend;
#define COST_DEPTH 80.0
// for all of a sole that hangs over an edge, in parts;
#define COST_HANGS 2.5
// for each metre that it is higher or lower than the other foot beyond what one step makes, L;
#define COST_RISE 40.0
#define MOST_RISE 0.33
// for the tangent of a slope beyond what ankles hold;
#define COST_STEEP 6.0
#define STEEP 0.62
// for each wall beside it.
#define COST_WALL 0.15

static double objections(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const snw_PaperPlace *place, double shift, snw_View *view)
{
    const snw_CoreFit *fit = &place->fit;
    const double rise = fabs(fit->ground.y - cycle->places[1 - cycle->moving].at.ground.y);
    const int walls = count_walls(&body->legs[cycle->moving], fit, place->at.heading, view);
    return COST_SHIFT * fabs(shift) + COST_DEPTH * fit->depth + COST_HANGS * fit->overhang
        + COST_RISE * snw_max(0.0, rise - MOST_RISE * body->length)
        + COST_STEEP * snw_max(0.0, fit->slope - STEEP) + COST_WALL * walls;
}

/// A line of footholds that are looked at.
typedef enum Line {
    LINE_WAY,  // as the hips go
    LINE_FOOT, // along the foot, which edges and risers are mostly across to
    LINE_LEFT, // away from risers beside it
} Line;

typedef struct Search {
    snw_PaperPlace best;
    double least; // what speaks against it
    Shift shift;
    double way; // how far it is from the wanted one, metres
} Search;

static void search_line(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_Steering *motion, double time, Line line, Search *search, snw_View *view)
{
    Search from = { .shift = { time, 0.0, 0.0 } };
    if (line == LINE_LEFT) { from = *search; }
    int count = line == LINE_LEFT ? SHIFTS_LEFT : SHIFT_COUNT;
    for (int i = 1; i <= count && search->least > COST_SHIFT * SHIFT_STEP * i; ++i) {
        for (int side = -1; side <= 1; side += 2) {
            double way = side * SHIFT_STEP * i;
            Shift shift = from.shift;
            if (line == LINE_WAY) { shift.time += way / pace(motion); }
            if (line == LINE_FOOT) { shift.ahead = way; }
            if (line == LINE_LEFT) { shift.left = way; }
            if (shift.time < 0.0) { continue; }
            snw_PaperPlace place = foothold(cycle, body, motion, shift, time, false, view);
            double all = from.way + fabs(way), cost = objections(cycle, body, &place, all, view);
            if (cost < search->least) { *search = (Search){ place, cost, shift, all }; }
        }
    }
}

// What a foothold is like as it is. Where that is worse than was remembered, beside an edge, places before and
// behind it may be better
static snw_PaperPlace ask_foothold(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_Steering *motion, double time, const Search *search, snw_View *view)
{
    static const double shifts[] = { 0.0, 1.0, -1.0, 2.0, -2.0 };
    snw_PaperPlace best = search->best;
    double least = (double)INFINITY;
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; ++i) {
        Shift shift = search->shift;
        shift.ahead += shifts[i] * SHIFT_STEP;
        snw_PaperPlace place = foothold(cycle, body, motion, shift, time, true, view);
        double way = search->way + fabs(shifts[i]) * SHIFT_STEP;
        double cost = objections(cycle, body, &place, way, view);
        if (cost < least) {
            least = cost;
            best = place;
        }
        if (least < search->least + WORSE) { break; }
    }
    return best;
}

// the foothold near the wanted one that has the least against it, by what is remembered of the ground; there
// it is asked what it is like
static snw_PaperPlace search_foothold(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_Steering *motion, double time, snw_View *view)
{
    Search search = { .shift = { time, 0.0, 0.0 } };
    search.best = foothold(cycle, body, motion, search.shift, time, false, view);
    search.least = objections(cycle, body, &search.best, 0.0, view);
    search_line(cycle, body, motion, time, LINE_WAY, &search, view);
    if (fabs(motion->forward) <= ALONG * pace(motion)) {
        search_line(cycle, body, motion, time, LINE_FOOT, &search, view);
    }
    search_line(cycle, body, motion, time, LINE_LEFT, &search, view);
    return ask_foothold(cycle, body, motion, time, &search, view);
}

// ---------------------------------------------------------------------------------------------
// Hips

// the hips at the end of the cycle: over the mean of both footholds, as far as both legs reach
static double hip_goal(const snw_PaperCycle *cycle, const snw_WalkBody *body, double stand)
{
    const snw_Foothold *ends[2] = { &cycle->places[0].at, &cycle->places[1].at };
    ends[cycle->moving] = &cycle->next.at;
    snw_GroundPose hips = snw_ground_path(
        &cycle->start, &cycle->motion, cycle->times.swing_time + cycle->times.roll_time);
    double height = 0.5 * (ends[0]->ground.y + ends[1]->ground.y) + stand * body->length;
    for (int foot = 0; foot < 2; ++foot) {
        const snw_WalkLegBody *leg = &body->legs[foot];
        double pitch = foot != cycle->moving ? -PLANNED_LIFT : 0.0;
        sinew_Transform at = snw_foot_roll_foot(leg, ends[foot], pitch, snw_core_toe_cap(leg));
        double x, z;
        neutral_place(body, foot, &hips, &x, &z);
        const double reach = snw_paper_reach(leg);
        const double over = snw_core_hip_over(sinew_vec3(x, 0.0, z), at.position, reach * reach);
        double most = over > 0.0 ? at.position.y + over : -(double)INFINITY;
        height = snw_min(height, snw_max(most, height - 0.5 * body->length) - leg->hip.y);
    }
    return height;
}

// ---------------------------------------------------------------------------------------------
// Cycles

int snw_paper_first_foot(const snw_PaperCycle *cycle, const sinew_Steering *motion)
{
    double ahead = fabs(motion->forward);
    if (fabs(motion->left) > ahead) { return motion->left > 0.0 ? 0 : 1; }
    if (PIVOT_RADIUS * fabs(motion->turn) > ahead) { return motion->turn > 0.0 ? 0 : 1; }
    return 1 - cycle->moving;
}

// the last step: hips over the standing foot, the other one beside it
static void plan_stop(snw_PaperCycle *cycle, const snw_WalkBody *body, snw_View *view)
{
    int other = 1 - cycle->moving;
    snw_GroundPose end = hips_over(body, other, &cycle->places[other].at);
    double dx = end.x - cycle->start.x, dz = end.z - cycle->start.z;
    double way = sqrt(dx * dx + dz * dz);
    double turn = fabs(snw_turn_wrap(end.heading - cycle->start.heading));
    double speed = snw_max(STOP_SPEED, 0.7 * cycle->speed);
    double time = snw_max(snw_max(way / speed, 0.3), turn / 2.0);
    cycle->motion = motion_between(&cycle->start, &end, time);
    cycle->times = (snw_StrideTimes){ way, 0.0, time, 0.0 };
    cycle->stride = 2.0 * way;
    cycle->trailing = 0.0;
    cycle->speed = 0.0;
    cycle->land_pitch = 0.0;
    if (pace(&cycle->motion) < 1e-6) { cycle->motion.forward = 1e-6; }
    cycle->next = search_foothold(cycle, body, &cycle->motion, time, view);
}

/// How much of a step is planned.
typedef struct Amount {
    double share; ///< of the longest stride
    double less;  ///< share of the way that is gone
} Amount;

static void plan_step(snw_PaperCycle *cycle, const snw_WalkBody *body, const sinew_Steering *wanted,
    Amount amount, snw_View *view)
{
    SNW_ASSERT(amount.share >= 0.0 && snw_holds_share(amount.less));
    // slower than wanted while it gathers speed
    int foot = cycle->moving;
    const snw_Foothold *from = &cycle->places[foot].at;
    double trailing = snw_paper_trailing(body, foot, from, &cycle->start, wanted);
    double longest = snw_stride_longest(amount.share * body->length, trailing);
    double lead = longest - trailing;
    double speed = snw_min(pace(wanted), cycle->speed + SPEED_GAIN);
    // and where steps would follow each other too quickly: hips go half a stride in each
    double quickest = 0.5 * cycle->settings.cadence * snw_max(longest, LEAST_STRIDE * body->length);
    speed = snw_min(speed, quickest);
    sinew_Steering motion = scaled(wanted, speed / pace(wanted));

    double most = 2.0 * speed * MOST_TURN / snw_max(fabs(motion.turn), 1e-9);
    lead = amount.less * snw_max(0.0, snw_min(lead, most - trailing));

    cycle->next = search_foothold(cycle, body, &motion, lead / speed, view);
    double stride = trailing
        - snw_paper_trailing(body, foot, &cycle->next.at, &cycle->start, &motion);
    stride = amount.less * snw_max(stride, 0.0);
    cycle->motion = motion;
    cycle->stride = stride;
    cycle->trailing = trailing;
    cycle->speed = speed;

    // only a foot that goes ahead lands on its heel; toes come down by no more than hips go
    double ahead = snw_max(0.0, motion.forward) / speed
        * snw_min(1.0, stride / (0.4 * body->length));
    double gap = cycle->settings.gap * body->length * ahead * (1.0 - cycle->next.fit.overhang);
    // a heel with nothing below it cannot carry: such a foot lands flat
    if (cycle->next.at.heel_over > 0.0 || snw_row_gap(cycle->next.at.heel_gaps[0]) > HEEL_GAP) {
        gap = 0.0;
    }
    const snw_WalkLegBody *leg = &body->legs[foot];
    cycle->times = snw_stride_times(stride, gap, speed);
    cycle->land_pitch = sinew_asin(cycle->times.roll_way / (leg->ball - leg->heel));
}

// joints that would turn too fast take their time, and so do the hips
static void take_time(snw_PaperCycle *cycle)
{
    double time = cycle->times.swing_time + cycle->times.roll_time;
    double least = snw_max(SHORTEST_TIME, cycle->stride_time + cycle->times.roll_time);
    if (time >= least) { return; }
    if (!(cycle->times.swing_time > 1e-6)) {
        cycle->times.swing_time = least;
        cycle->motion = scaled(&cycle->motion, 0.0);
        return;
    }
    double slower = snw_max(
        snw_max(SHORTEST_TIME / time, cycle->stride_time / cycle->times.swing_time), 1.0);
    cycle->times.swing_time *= slower;
    cycle->times.roll_time *= slower;
    cycle->motion = scaled(&cycle->motion, 1.0 / slower);
}

// feet, hips and ornaments of the cycle
static void plan_way(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, const sinew_Steering *steering, Amount amount,
    snw_View *view)
{
    double less = amount.less;
    if (cycle->stop_count > 0) {
        plan_stop(cycle, body, view);
        cycle->swing_to = cycle->arm_to = 0.0;
    } else {
        plan_step(cycle, body, steering, amount, view);
        double ahead = less * cycle->motion.forward / snw_max(pace(&cycle->motion), 1e-6);
        cycle->swing_to = cycle->settings.swing * ornaments->swing * amount.share * ahead;
        cycle->arm_to = 0.4 * ornaments->arms * amount.share * ahead;
    }
    double goal = hip_goal(cycle, body,
        cycle->stop_count > 0 ? cycle->settings.stand_height : cycle->settings.walk_height);
    // hips that stay do not rise: they would lift a heel
    cycle->hip_to = snw_min(goal, cycle->hip_from + less * snw_max(0.0, goal - cycle->hip_from));
    cycle->bob = less;
}

// of the longest stride; when standing strides settle at two thirds of a leg
static double stride_share(const snw_PaperCycle *cycle, const snw_WalkBody *body, double speed)
{
    const sinew_PaperWalk *paper = &cycle->settings;
    if (paper->stride > 0.0) { return paper->stride; }
    double full = 0.5 * paper->cadence * 2.0 / 3.0 * body->length;
    return snw_min(1.0, snw_max(LEAST_SHARE, sqrt(speed / full)));
}

// how far the hips of a planned cycle come down at a share of it for legs that do not reach else, metres
static double low_at(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, double share, snw_View *view)
{
    const snw_StrideTimes *times = &cycle->times;
    snw_PaperCycle then = *cycle;
    snw_WalkTarget target;
    const double time = share * (times->swing_time + times->roll_time);
    const double rolls = time - times->swing_time;
    then.stage = rolls > 0.0 && times->roll_time > 0.0 ? SNW_PAPER_ROLL : SNW_PAPER_SWING;
    then.time = rolls > 0.0 ? snw_min(rolls, times->roll_time) : time;
    if (then.stage == SNW_PAPER_SWING) { then.time = snw_min(time, times->swing_time); }
    snw_paper_target(&then, body, ornaments, view, &target);
    return snw_paper_hips(cycle, body, ornaments, share).position.y - target.hips.position.y;
}

// Let the hips be as low as both legs ask for all the way, so that they need not leap down
static bool dip(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, snw_View *view)
{
    enum { LAST = SNW_ROPE_NODES - 1 };
    double needs[LAST + 1] = { 0.0 };
    double most = 0.0;
    for (int i = 1; i <= LAST; ++i) {
        needs[i] = low_at(cycle, body, ornaments, (double)i / LAST, view);
        most = snw_max(most, needs[i]);
    }
    if (most == 0.0) { return false; }
    snw_core_lay_rope(needs, 0, cycle->dips);
    return true;
}

void snw_paper_plan(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, const sinew_Steering *steering, snw_View *view)
{
    // of the way: a standing leg turns and leans only so far
    static const double shares[] = { 0.75, 0.5, 0.25, 0.0 };
    double speed = pace(steering);
    bool still = speed < SNW_SLOWEST && fabs(steering->turn) < SNW_SLOWEST_TURN;
    double share = stride_share(cycle, body, speed);
    if (still) { share = LEAST_SHARE; }
    // who stopped, or stood, begins at rest
    const double whole = cycle->times.swing_time + cycle->times.roll_time;
    const bool rests = cycle->stage == SNW_PAPER_STAND || cycle->stop_count > 0;
    cycle->hip_rise = rests ? 0.0 : (cycle->hip_to - cycle->hip_from) / whole;
    cycle->stop_count = still ? cycle->stop_count + 1 : 0;
    cycle->hip_from = cycle->hip_to;
    cycle->swing_from = cycle->swing_to;
    cycle->arm_from = cycle->arm_to;
    cycle->stage = SNW_PAPER_SWING;
    cycle->time = 0.0;
    memset(cycle->dips, 0, sizeof cycle->dips);
    snw_PaperCycle before = *cycle;
    Amount amount = { share, 1.0 };
    plan_way(cycle, body, ornaments, steering, amount, view);
    double strain = snw_paper_carry(cycle, body, ornaments);
    for (size_t i = 0; !still && strain > MOST_STRAIN && i < sizeof shares / sizeof shares[0];
         ++i) {
        snw_PaperCycle other = before;
        amount.less = shares[i];
        plan_way(&other, body, ornaments, steering, amount, view);
        double strain_there = snw_paper_carry(&other, body, ornaments);
        if (strain_there >= strain) { continue; }
        strain = strain_there;
        *cycle = other;
    }
    double rise = cycle->next.at.ground.y - cycle->places[1 - cycle->moving].at.ground.y;
    double steep = snw_min(0.6, snw_max(-0.6, rise / snw_max(cycle->stride, 0.25)));
    cycle->lean_from = cycle->lean_to;
    cycle->lean_to = ornaments->lean * (LEAN + SLOPE_LEAN * (still ? 0.0 : steep));
    snw_paper_plan_stride(cycle, body, ornaments, share, view);
    take_time(cycle);
    if (dip(cycle, body, ornaments, view)) {
        snw_paper_plan_stride(cycle, body, ornaments, share, view);
        take_time(cycle);
    }
}
