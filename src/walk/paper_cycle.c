// The two-stage cycle as time goes by. Source: Meredith and Maddock (2004), Table 1.3, Fig. 1.5.
//
// The table starts the swing with the front foot's heel and toes on the floor and keeps the toes alone;
// in the roll it leaves out the planted heel of the landed foot, which the text asks for. Planted here:
// toes of the back foot in both stages, the heel of the front foot in the roll.

#include "walk/paper_cycle.h"

#include "base/message.h"

// a stage ends when less than this is left of it, seconds: sums of frame times have rounding errors
#define STAGE_END 1e-12
#define MOST_STOPS 3

sinew_PaperWalk sinew_paper_walk_default(void)
{
    sinew_PaperWalk paper = { 0.0, 2.0, 0.975, 0.965, 0.012, 0.06, 0.09, 0.035, 0.4, false };
    return paper;
}

sinew_Status snw_paper_check(const sinew_PaperWalk *paper, sinew_Message *message)
{
    const snw_Range numbers[] = {
        { "stride", paper->stride, 0.0, 1.5 },
        { "cadence", paper->cadence, 0.1, 20.0 },
        { "stand_height", paper->stand_height, 0.5, 1.0 },
        { "walk_height", paper->walk_height, 0.5, 1.0 },
        { "bob", paper->bob, 0.0, 0.2 },
        { "swing", paper->swing, 0.0, 0.5 },
        { "clearance", paper->clearance, 0.0, 0.5 },
        { "gap", paper->gap, 0.0, 0.2 },
        { "heel_rise", paper->heel_rise, 0.0, 0.8 },
    };
    return snw_check_ranges(message, "paper", numbers, sizeof numbers / sizeof numbers[0]);
}

snw_PaperCycle snw_paper_begin(const sinew_PaperWalk *settings, double x, double z, double heading)
{
    snw_PaperCycle cycle = { .settings = *settings, .stage = SNW_PAPER_STAND, .moving = 1 };
    cycle.start = (snw_GroundPose){ x, z, heading };
    return cycle;
}

// ---------------------------------------------------------------------------------------------
// Time

static void stand_up(snw_PaperCycle *cycle, const snw_WalkBody *body, snw_View *view)
{
    double height = 0.0;
    for (int foot = 0; foot < 2; ++foot) {
        double x, z;
        snw_ground_point(&cycle->start, body->legs[foot].hip.x, 0.0, &x, &z);
        cycle->places[foot].at = snw_core_fit(
            &body->legs[foot], view, x, z, cycle->start.heading, &cycle->places[foot].fit);
        height += 0.5 * cycle->places[foot].at.ground.y;
    }
    cycle->hip_to = height + cycle->settings.stand_height * body->length;
    cycle->on_ground = true;
}

// where the striding foot leaves the ground
static void lift_off(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, snw_View *view, int foot)
{
    snw_WalkTarget target;
    snw_paper_target(cycle, body, ornaments, view, &target);
    cycle->lifted = target.feet[foot].foot;
    cycle->lifted_bend = target.feet[foot].toe_bend;
}

// the foot that landed stands, the other one is next
static void swap_feet(snw_PaperCycle *cycle)
{
    cycle->start = snw_paper_root(cycle);
    double time = cycle->times.swing_time + cycle->times.roll_time;
    cycle->distance += time * snw_steering_speed(&cycle->motion);
    cycle->places[cycle->moving] = cycle->next;
    cycle->moving = 1 - cycle->moving;
}

static bool has_stopped(const snw_PaperCycle *cycle, const snw_WalkBody *body)
{
    if (cycle->stop_count == 0) { return false; }
    if (cycle->stop_count >= MOST_STOPS) { return true; }
    static const sinew_Steering ahead = { 1.0, 0.0, 0.0 }, aside = { 0.0, 1.0, 0.0 };
    for (int foot = 0; foot < 2; ++foot) {
        const snw_Foothold *at = &cycle->places[foot].at;
        double off = fabs(snw_paper_trailing(body, foot, at, &cycle->start, &ahead))
            + fabs(snw_paper_trailing(body, foot, at, &cycle->start, &aside));
        if (off > 0.04 || fabs(snw_turn_wrap(at->heading - cycle->start.heading)) > 0.05) {
            return false;
        }
    }
    return true;
}

static bool is_wanted(const sinew_Steering *steering)
{
    return fabs(steering->forward) > SNW_SLOWEST || fabs(steering->left) > SNW_SLOWEST
        || fabs(steering->turn) > SNW_SLOWEST_TURN;
}

// the end of the roll, or of the swing where there is no gap to roll over
static void end_cycle(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, const sinew_Steering *steering, snw_View *view)
{
    lift_off(cycle, body, ornaments, view, 1 - cycle->moving);
    swap_feet(cycle);
    if (!is_wanted(steering) && has_stopped(cycle, body)) {
        cycle->stage = SNW_PAPER_STAND;
        cycle->time = 0.0;
        cycle->stop_count = 0;
        return;
    }
    snw_paper_plan(cycle, body, ornaments, steering, view);
}

void snw_paper_advance(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, const sinew_Steering *steering, snw_View *view, double dt)
{
    if (!cycle->on_ground) { stand_up(cycle, body, view); }
    double left = dt;
    while (left > 0.0) {
        if (cycle->stage == SNW_PAPER_STAND) {
            if (!is_wanted(steering)) { return; }
            cycle->moving = snw_paper_first_foot(cycle, steering);
            lift_off(cycle, body, ornaments, view, cycle->moving);
            snw_paper_plan(cycle, body, ornaments, steering, view);
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
        end_cycle(cycle, body, ornaments, steering, view);
    }
}

// ---------------------------------------------------------------------------------------------
// Asking early: while feet go on, a few places a tick in a band before the hips

#define FARTHEST 1.25                    // of the band, ahead of the hips, L
#define BESIDE 0.12                      // of the hip joints, L
enum { MOST_ROWS = 4, MOST_ASKED = 14 }; // a tick

void snw_paper_ask_ahead(snw_PaperCycle *cycle, const snw_WalkBody *body, snw_View *view)
{
    const sinew_Steering *motion = &cycle->motion;
    double speed = snw_steering_speed(motion);
    if (cycle->stage == SNW_PAPER_STAND || !(speed > 1e-3)) { return; }
    const double step = SNW_VIEW_CELL, half = body->hip_width + BESIDE * body->length;
    const int rows = (int)(FARTHEST * body->length / step), columns = (int)(half / step);
    snw_GroundPose hips = snw_paper_root(cycle);
    snw_ViewBatch batch;
    batch.count = 0;
    for (int row = 0, asked = 0; row < MOST_ROWS && asked < MOST_ASKED; ++row) {
        // the far end first, since the rest was seen on the way here
        double far = (rows - cycle->ask_row) * step, s, c;
        cycle->ask_row = (cycle->ask_row + 1) % rows;
        snw_GroundPose there = snw_ground_path(&hips, motion, far / speed);
        double heading = there.heading + snw_heading_of(motion->left, motion->forward);
        sinew_sincos(heading, &s, &c);
        for (int k = -columns; k <= columns; ++k) {
            asked += snw_view_remember(
                view, &batch, there.x + k * step * c, there.z - k * step * s);
        }
    }
    snw_view_take(view, &batch);
}
