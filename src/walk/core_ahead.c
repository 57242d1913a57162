// Asking early: while a foot stands, a few places a tick on its way to the next landing, the landing first, so
// that its plan does not ask for all of them at once. Nothing is decided here; answers are only remembered.

#include "walk/core.h"

#define CELL SNW_VIEW_CELL
// Rows a tick; cells to either side and beyond the ankle of a step's foot, and of all of a search.
enum { MOST_ROWS = 2, ASIDE = 3, BEYOND = 5, SEARCH_ASIDE = 8, SEARCH_BEYOND = 10 };

/// The leg whose step is asked for: one on its way that was planned on guesses, else the standing one that moves next;
/// NULL: none.
static const snw_CoreLeg *find_leg(const snw_Core *state)
{
    const snw_CoreLeg *a = &state->legs[0], *b = &state->legs[1];
    if (a->is_swinging && a->swing.is_guess) { return a; }
    if (b->is_swinging && b->swing.is_guess) { return b; }
    if (a->is_swinging || b->is_swinging) {
        return a->is_swinging ? (b->is_swinging ? NULL : b) : a;
    }
    return &state->legs[snw_core_older_leg(state)];
}

/// Where it lands, as far as is known.
static sinew_Vec3 find_landing(
    const snw_WalkBody *body, const snw_Core *state, const snw_CoreLeg *leg)
{
    if (leg->is_swinging) { return sinew_vec3(leg->swing.wish_x, 0.0, leg->swing.wish_z); }
    double waits = snw_max(0.0, state->stance - leg->phase) * state->period;
    double lands = waits + (1.0 - state->stance + SNW_CORE_MID_STANCE) * state->period;
    snw_WalkRoot there = snw_core_later(state, lands);
    return snw_root_beside(&there, body->legs[leg - state->legs].hip.x);
}

/// How many cells of a row are not known and are asked for.
static int ask_row(const snw_Core *state, snw_View *view, snw_ViewBatch *batch, double x, double z,
    double s, double c, int aside)
{
    int asked = 0;
    for (int k = -aside; k <= aside; ++k) {
        double at_x = x + k * c * CELL, at_z = z - k * s * CELL;
        double dx = at_x - state->root.x, dz = at_z - state->root.z;
        if (dx * dx + dz * dz > SNW_VIEW_FAR * SNW_VIEW_FAR) { continue; }
        asked += snw_view_remember(view, batch, at_x, at_z) ? 1 : 0;
    }
    return asked;
}

void snw_core_ask_ahead(const snw_WalkBody *body, snw_View *view, snw_Core *state)
{
    const snw_CoreLeg *leg = find_leg(state);
    // the first update asks for where the feet stand
    if (leg == NULL || state->tick < 2) { return; }
    snw_CoreAhead *ahead = &state->ahead;
    int index = (int)(leg - state->legs);
    if (ahead->leg != index) { *ahead = (snw_CoreAhead){ index, 0, false, false }; }
    // landing, and on the way there
    const sinew_Vec3 to = find_landing(body, state, leg);
    double dx = to.x - leg->at.ground.x, dz = to.z - leg->at.ground.z;
    double s = state->root.sine, c = state->root.cosine;
    double far = sqrt(dx * dx + dz * dz);
    if (far > CELL) {
        s = dx / far;
        c = dz / far;
    }
    // who stands may go any way
    const bool is_wide = ahead->is_rough || !state->is_walking;
    int beyond = is_wide ? SEARCH_BEYOND : BEYOND, aside = is_wide ? SEARCH_ASIDE : ASIDE;
    int last = is_wide ? -SEARCH_BEYOND : -(int)(far / CELL);
    snw_ViewBatch batch;
    batch.count = 0;
    for (int row = 0; row < MOST_ROWS && view->allowance > 0; ++row) {
        int n = beyond - ahead->row;
        (void)ask_row(state, view, &batch, to.x + n * s * CELL, to.z + n * c * CELL, s, c, aside);
        ++ahead->row;
        if (n > last) { continue; }
        ahead->row = 0;
        if (ahead->is_judged) { continue; }
        ahead->is_judged = true;
        snw_view_take(view, &batch);
        ahead->is_rough = !snw_core_foresee(body, view, index, state);
        break;
    }
    snw_view_take(view, &batch);
}
