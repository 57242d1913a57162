#include "walk/core_view.h"

#include <string.h>

static void forget(snw_ViewSlot *slots, size_t count)
{
    for (size_t s = 0; s < count; ++s) { slots[s].i = INT16_MIN; }
}

void snw_view_open(snw_View *view, const sinew_Ground *ground)
{
    memset(&view->ground, 0, sizeof view->ground);
    if (ground != NULL) { view->ground = *ground; }
    view->is_bad = false;
    forget(view->near, sizeof view->near / sizeof *view->near);
    forget(view->far, sizeof view->far / sizeof *view->far);
    forget(view->beside, sizeof view->beside / sizeof *view->beside);
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

/// Where the answer for a place of a lattice is kept.
typedef struct Memory {
    snw_ViewSlot *slots;
    int side;
} Memory;

/// n = rounds * size + rest, 0 <= rest < size.
static int32_t split(int32_t n, int size, int *out_rest)
{
    int rest = n % size;
    if (rest < 0) { rest += size; }
    *out_rest = rest;
    return (n - rest) / size;
}

/// Slot of a place, and what it holds when it is known; NULL: too far off the origin to be remembered.
static snw_ViewSlot *find_slot(Memory memory, int32_t i, int32_t k, snw_ViewSlot *out_known)
{
    int column, row;
    int32_t x = split(i, memory.side, &column), z = split(k, memory.side, &row);
    if (x <= INT16_MIN || x > INT16_MAX || z < INT16_MIN || z > INT16_MAX) { return NULL; }
    *out_known = (snw_ViewSlot){ (int16_t)x, (int16_t)z, 0.0f };
    return &memory.slots[row * memory.side + column];
}

static snw_ViewSlot *find_node(snw_View *view, int32_t i, int32_t k, snw_ViewSlot *out_known)
{
    bool is_far = i % 2 == 0 && k % 2 == 0;
    if (is_far) { return find_slot((Memory){ view->far, SNW_VIEW_FAR }, i / 2, k / 2, out_known); }
    return find_slot((Memory){ view->near, SNW_VIEW_NEAR }, i, k, out_known);
}

static bool is_same(const snw_ViewSlot *a, const snw_ViewSlot *b)
{
    return a->i == b->i && a->k == b->k;
}

/// What a slot keeps of (x, z), asked if that is not known; rounded alike, so that no answer depends on what is
/// remembered.
static double recall(
    snw_View *view, snw_ViewSlot *slot, const snw_ViewSlot *known, double x, double z)
{
    if (slot != NULL && is_same(slot, known)) { return (double)slot->height; }
    float height = (float)snw_view_ask(view, x, z);
    if (slot != NULL) { *slot = (snw_ViewSlot){ known->i, known->k, height }; }
    return (double)height;
}

double snw_view_node(snw_View *view, int32_t i, int32_t k)
{
    snw_ViewSlot known, *slot = find_node(view, i, k, &known);
    return recall(view, slot, &known, i * SNW_VIEW_CELL, k * SNW_VIEW_CELL);
}

/// Number of the node at or below a coordinate, within what 32 bits hold.
static int32_t node_below(double place, double size, double *out_part)
{
    const double farthest = 2e9;
    double cell = floor(place / size);
    if (!(cell > -farthest)) { cell = -farthest; }
    if (cell > farthest) { cell = farthest; }
    *out_part = place / size - cell;
    return (int32_t)cell;
}

bool snw_view_remember(snw_View *view, double x, double z)
{
    double u, v;
    int32_t i = node_below(x + 0.5 * SNW_VIEW_CELL, SNW_VIEW_CELL, &u),
            k = node_below(z + 0.5 * SNW_VIEW_CELL, SNW_VIEW_CELL, &v);
    snw_ViewSlot known, *slot = find_node(view, i, k, &known);
    if (view->ground.sample == NULL || slot == NULL || is_same(slot, &known)) { return false; }
    (void)snw_view_node(view, i, k);
    return true;
}

double snw_view_height(snw_View *view, double x, double z, bool *out_is_edge)
{
    if (out_is_edge != NULL) { *out_is_edge = false; }
    if (view->ground.sample == NULL) { return 0.0; }
    double u, v;
    int32_t i = node_below(x, SNW_VIEW_CELL, &u), k = node_below(z, SNW_VIEW_CELL, &v);
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

double snw_view_beside(snw_View *view, double x, double z)
{
    const Memory memory = { view->beside, SNW_VIEW_BESIDE };
    double u, v;
    if (view->ground.sample == NULL) { return 0.0; }
    int32_t i = node_below(x + 0.5 * SNW_VIEW_FINE, SNW_VIEW_FINE, &u);
    int32_t k = node_below(z + 0.5 * SNW_VIEW_FINE, SNW_VIEW_FINE, &v);
    snw_ViewSlot known, *slot = find_slot(memory, i, k, &known);
    return recall(view, slot, &known, i * SNW_VIEW_FINE, k * SNW_VIEW_FINE);
}
