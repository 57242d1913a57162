// Asking early: while a foot stands, a few places a tick on its way to the next landing, the landing first, so
// that its plan does not ask for all of them at once. Nothing is decided here; answers are only remembered.

#include "walk/core.h"

#define CELL SNW_VIEW_CELL
enum {
    MOST_ROWS = 4,
    MOST_ASKED = 7,
    ASIDE = 3
}; // a tick: rows, places but for a row; cells to either side
// In these ticks before it leaves its next foothold is looked for farther and farther around, in other updates than
// that in which it leaves.
enum { SEEK_FIRST = 14, SEEK_LAST = 4 };
// A step's foot reaches so far beyond its ankle, cells.
enum { BEYOND = 5 };
// No place is asked for so far from the root, metres: with the foot behind it, it is all that is remembered.
#define FARTHEST 1.5
#define LOOK_AHEAD 0.29 // periods from a landing to the middle of its stance

/// The standing leg that moves next; NULL: none.
static const snw_CoreLeg *next_leg(const snw_Core *state)
{
    const snw_CoreLeg *a = &state->legs[0], *b = &state->legs[1];
    if (a->is_swinging || b->is_swinging) {
        return a->is_swinging ? (b->is_swinging ? NULL : b) : a;
    }
    return a->phase > b->phase ? a : b;
}

void snw_core_ask_ahead(const snw_WalkBody *body, snw_View *view, snw_Core *state)
{
    const snw_CoreLeg *leg = next_leg(state);
    // the first update asks for where the feet stand
    if (!state->is_walking || leg == NULL || state->tick < 2) { return; }
    int ticks = (int)(snw_core_leaves_in(state, leg) / SNW_WALK_TICK);
    if (ticks < SEEK_FIRST && ticks >= SEEK_LAST && ticks % 2 == 0) {
        double share = (double)(SEEK_FIRST - ticks) / (SEEK_FIRST - SEEK_LAST);
        snw_core_seek(body, view, (int)(leg - state->legs), share, state);
        return;
    }
    double waits = fmax(0.0, state->stance - leg->phase) * state->period;
    double lands = waits + (1.0 - state->stance + LOOK_AHEAD) * state->period, s, c;
    snw_WalkRoot there = snw_root_predict(&state->root, &state->wanted, lands);
    sinew_sincos(there.heading, &s, &c);
    double hip = body->legs[leg - state->legs].hip.x;
    double to_x = there.x + hip * c, to_z = there.z - hip * s;
    double dx = to_x - leg->at.ground.x, dz = to_z - leg->at.ground.z;
    double far = sqrt(dx * dx + dz * dz);
    if (far > CELL) {
        s = dx / far;
        c = dz / far;
    }
    int length = (int)(far / CELL), asked = 0;
    snw_ViewBatch batch;
    batch.count = 0;
    for (int row = 0; row < MOST_ROWS && asked < MOST_ASKED; ++row) {
        int n = BEYOND - state->ask_row;
        state->ask_row = n <= -length ? 0 : state->ask_row + 1;
        for (int k = -ASIDE; k <= ASIDE; ++k) {
            double x = to_x + (n * s + k * c) * CELL, z = to_z + (n * c - k * s) * CELL;
            double ax = x - state->root.x, az = z - state->root.z;
            if (ax * ax + az * az > FARTHEST * FARTHEST) { continue; }
            asked += snw_view_remember(view, &batch, x, z) ? 1 : 0;
        }
    }
    snw_view_take(view, &batch);
}
