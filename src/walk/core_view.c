#include "walk/core_view.h"

#include <string.h>

void snw_view_open(snw_View *view, const sinew_Ground *ground)
{
    memset(&view->ground, 0, sizeof view->ground);
    if (ground != NULL) { view->ground = *ground; }
    view->is_bad = false;
    for (int s = 0; s < SNW_VIEW_SLOTS; ++s) { view->slots[s].i = INT32_MIN; }
}

bool snw_view_is_of(const snw_View *view, const sinew_Ground *ground)
{
    if (ground == NULL) { return view->ground.sample == NULL; }
    return view->ground.sample == ground->sample && view->ground.user == ground->user;
}

double snw_view_ask(snw_View *view, double x, double z)
{
    if (view->ground.sample == NULL) { return 0.0; }
    double height = view->ground.sample(view->ground.user, x, z).height;
    if (isfinite(height)) { return height; }
    view->is_bad = true;
    return 0.0;
}

static uint32_t slot_of(int32_t i, int32_t k)
{
    return (uint32_t)k % SNW_VIEW_SIDE * SNW_VIEW_SIDE + (uint32_t)i % SNW_VIEW_SIDE;
}

static bool is_known(const snw_View *view, int32_t i, int32_t k)
{
    uint32_t slot = slot_of(i, k);
    return view->slots[slot].i == i && view->slots[slot].k == k;
}

double snw_view_node(snw_View *view, int32_t i, int32_t k)
{
    uint32_t slot = slot_of(i, k);
    if (!is_known(view, i, k)) {
        double height = snw_view_ask(view, i * SNW_VIEW_CELL, k * SNW_VIEW_CELL);
        view->slots[slot].height = (float)height;
        view->slots[slot].i = i;
        view->slots[slot].k = k;
    }
    return (double)view->slots[slot].height;
}

/// Number of the node at or below a coordinate, within what 32 bits hold.
static int32_t node_below(double place, double *out_part)
{
    const double farthest = 2e9;
    double cell = floor(place / SNW_VIEW_CELL);
    if (!(cell > -farthest)) { cell = -farthest; }
    if (cell > farthest) { cell = farthest; }
    *out_part = place / SNW_VIEW_CELL - cell;
    return (int32_t)cell;
}

bool snw_view_remember(snw_View *view, double x, double z)
{
    double u, v;
    int32_t i = node_below(x + 0.5 * SNW_VIEW_CELL, &u),
            k = node_below(z + 0.5 * SNW_VIEW_CELL, &v);
    if (view->ground.sample == NULL || is_known(view, i, k)) { return false; }
    (void)snw_view_node(view, i, k);
    return true;
}

double snw_view_height(snw_View *view, double x, double z, bool *out_is_edge)
{
    if (out_is_edge != NULL) { *out_is_edge = false; }
    if (view->ground.sample == NULL) { return 0.0; }
    double u, v;
    int32_t i = node_below(x, &u), k = node_below(z, &v);
    double a = snw_view_node(view, i, k), b = snw_view_node(view, i + 1, k);
    double c = snw_view_node(view, i, k + 1), d = snw_view_node(view, i + 1, k + 1);
    double high = fmax(fmax(a, b), fmax(c, d)), low = fmin(fmin(a, b), fmin(c, d));
    if (high - low > SNW_VIEW_EDGE) {
        if (out_is_edge != NULL) { *out_is_edge = true; }
        return high;
    }
    double near = a + u * (b - a), far = c + u * (d - c);
    return near + v * (far - near);
}
