// Asking early: while feet go on, a few places a tick in a band before the hips.

#include "walk/paper_cycle.h"

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
