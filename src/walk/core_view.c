#include "walk/core_view.h"

#include "walk/gait.h"

#include <stddef.h>
#include <string.h>

static void forget(snw_ViewSlot *slots, size_t count)
{
    for (size_t s = 0; s < count; ++s) { slots[s].i = INT16_MIN; }
}

void snw_view_open(snw_View *view, const sinew_Ground *ground, const sinew_GroundQuery *query)
{
    memset(view, 0, offsetof(snw_View, near));
    if (ground != NULL) { view->ground = *ground; }
    if (query != NULL) { view->query = *query; }
    view->ride.c = 1.0;
    forget(view->near, sizeof view->near / sizeof *view->near);
    forget(view->far, sizeof view->far / sizeof *view->far);
    forget(view->beside, sizeof view->beside / sizeof *view->beside);
}

bool snw_view_is_of(
    const snw_View *view, const sinew_Ground *ground, const sinew_GroundQuery *query)
{
    if (query != NULL) { return view->query.ask == query->ask && view->query.user == query->user; }
    if (view->query.ask != NULL) { return false; }
    if (ground == NULL) { return view->ground.sample == NULL; }
    return view->ground.sample == ground->sample && view->ground.user == ground->user;
}

static bool is_level(const snw_View *view)
{
    return view->ground.sample == NULL && view->query.ask == NULL;
}

// ---------------------------------------------------------------------------------------------
// Storeys, and what goes past

/// Storeys are so high, metres: half of what is between two floors. An answer holds for the two beside its own;
/// eight of them, and they begin anew.
#define STOREY 0.7
/// What passes the body is asked again after this way, metres.
#define STALE 0.02
/// Slower than this it does not pass, m/s.
#define LEAST_PASSING 1e-3

/// Of a ground with storeys the last bits of a height say how it was found: storey, and whether it passes. They
/// are a millionth of the height.
enum { MARK_BITS = 4, MARK_STOREY = 7, MARK_PASSES = 8 };

static unsigned bits_of(float height)
{
    uint32_t bits;
    memcpy(&bits, &height, sizeof bits);
    return bits;
}

static float mark(float height, unsigned storey, bool passes)
{
    uint32_t bits = bits_of(height) >> MARK_BITS << MARK_BITS;
    bits |= storey | (passes ? (unsigned)MARK_PASSES : 0u);
    memcpy(&height, &bits, sizeof height);
    return height;
}

static bool is_current(const snw_View *view, const snw_ViewSlot *slot)
{
    if (view->query.ask == NULL) { return true; }
    unsigned away = (bits_of(slot->height) + 1u - view->storey) & MARK_STOREY;
    return away <= 2u;
}

static void forget_passing(snw_ViewSlot *slots, size_t count)
{
    for (size_t s = 0; s < count; ++s) {
        if ((bits_of(slots[s].height) & MARK_PASSES) != 0u) { slots[s].i = INT16_MIN; }
    }
}

void snw_view_ride(snw_View *view, const snw_Ride *ride, double start, double dt)
{
    view->ride = *ride;
    view->start = start;
    view->storey = (unsigned)(int64_t)floor(snw_clamp(start, -1e9, 1e9) / STOREY) & MARK_STOREY;
    view->passed += view->passing * dt;
    if (view->passed <= STALE) { return; }
    forget_passing(view->near, sizeof view->near / sizeof *view->near);
    forget_passing(view->far, sizeof view->far / sizeof *view->far);
    forget_passing(view->beside, sizeof view->beside / sizeof *view->beside);
    view->passing = view->passed = 0.0;
}

/// Whether what was found at a place of the world does not go along with the lattice.
static bool does_pass(snw_View *view, const sinew_GroundPlace *at, const sinew_GroundHit *hit)
{
    sinew_Vec3 own = snw_ride_speed_at(&view->ride, at->x, at->z);
    double speed = sinew_vec3_distance(own, hit->velocity);
    if (!(speed > LEAST_PASSING)) { return false; }
    view->passing = fmax(view->passing, speed);
    return true;
}

typedef struct Hits {
    sinew_GroundHit at[SINEW_MAX_GROUND_PLACES];
    bool passes[SINEW_MAX_GROUND_PLACES];
} Hits;

void snw_view_look(
    snw_View *view, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits)
{
    memset(out_hits, 0, (size_t)count * sizeof *out_hits);
    view->query.ask(view->query.user, view->start + view->ride.position.y, places, count, out_hits);
    for (int i = 0; i < count; ++i) {
        sinew_GroundHit *hit = &out_hits[i];
        if (isfinite(hit->height + hit->turn + sinew_vec3_length(hit->velocity))) { continue; }
        memset(hit, 0, sizeof *hit);
        view->is_bad = true;
    }
}

/// The same at places of the lattice, with heights of it.
static void look_down(snw_View *view, const sinew_GroundPlace *places, int count, Hits *out_hits)
{
    sinew_GroundPlace world[SINEW_MAX_GROUND_PLACES];
    memcpy(world, places, (size_t)count * sizeof *world);
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 at = { places[i].x, 0.0, places[i].z };
        at = snw_ride_to_world(&view->ride, at);
        world[i] = (sinew_GroundPlace){ at.x, at.z };
    }
    snw_view_look(view, world, count, out_hits->at);
    for (int i = 0; i < count; ++i) {
        out_hits->passes[i] = does_pass(view, &world[i], &out_hits->at[i]);
        out_hits->at[i].height -= view->ride.position.y;
    }
}

void snw_view_ask_all(
    snw_View *view, const sinew_GroundPlace *places, int count, double *out_heights)
{
    if (view->query.ask == NULL) {
        for (int i = 0; i < count; ++i) {
            out_heights[i] = snw_view_ask(view, places[i].x, places[i].z);
        }
        return;
    }
    Hits hits;
    look_down(view, places, count, &hits);
    for (int i = 0; i < count; ++i) { out_heights[i] = hits.at[i].height; }
}

double snw_view_ask(snw_View *view, double x, double z)
{
    if (view->query.ask != NULL) {
        const sinew_GroundPlace place = { x, z };
        double height;
        snw_view_ask_all(view, &place, 1, &height);
        return height;
    }
    if (view->ground.sample == NULL) { return 0.0; }
    double height = view->ground.sample(view->ground.user, x, z).height;
    if (isfinite(height)) { return height; }
    view->is_bad = true;
    return 0.0;
}

// ---------------------------------------------------------------------------------------------
// Memory

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

static bool is_known(const snw_View *view, const snw_ViewSlot *slot, const snw_ViewSlot *known)
{
    return is_same(slot, known) && is_current(view, slot);
}

/// Heights are rounded alike whether they are remembered or not, so that no answer depends on it.
static float ask_marked(snw_View *view, double x, double z)
{
    if (view->query.ask == NULL) { return (float)snw_view_ask(view, x, z); }
    const sinew_GroundPlace place = { x, z };
    Hits hits;
    look_down(view, &place, 1, &hits);
    return mark((float)hits.at[0].height, view->storey, hits.passes[0]);
}

/// What a slot keeps of (x, z), asked if that is not known.
static double recall(
    snw_View *view, snw_ViewSlot *slot, const snw_ViewSlot *known, double x, double z)
{
    if (slot != NULL && is_known(view, slot, known)) { return (double)slot->height; }
    float height = ask_marked(view, x, z);
    if (slot != NULL) { *slot = (snw_ViewSlot){ known->i, known->k, height }; }
    return (double)height;
}

double snw_view_node(snw_View *view, int32_t i, int32_t k)
{
    snw_ViewSlot known, *slot = find_node(view, i, k, &known);
    return recall(view, slot, &known, i * SNW_VIEW_CELL, k * SNW_VIEW_CELL);
}

void snw_view_want(snw_View *view, snw_ViewBatch *batch, int32_t i, int32_t k)
{
    snw_ViewSlot known, *slot = find_node(view, i, k, &known);
    if (view->query.ask == NULL || slot == NULL || is_known(view, slot, &known)) { return; }
    // from now on it counts as known; a node that falls on the same slot takes it away
    *slot = known;
    slot->height = mark(0.0f, view->storey, false);
    batch->slots[batch->count] = slot;
    batch->known[batch->count] = known;
    batch->places[batch->count] = (sinew_GroundPlace){ i * SNW_VIEW_CELL, k * SNW_VIEW_CELL };
    if (++batch->count == SINEW_MAX_GROUND_PLACES) { snw_view_take(view, batch); }
}

void snw_view_take(snw_View *view, snw_ViewBatch *batch)
{
    if (batch->count == 0) { return; }
    Hits hits;
    look_down(view, batch->places, batch->count, &hits);
    for (int n = 0; n < batch->count; ++n) {
        if (!is_same(batch->slots[n], &batch->known[n])) { continue; }
        batch->slots[n]->height = mark((float)hits.at[n].height, view->storey, hits.passes[n]);
    }
    batch->count = 0;
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

void snw_view_gather(snw_View *view, const sinew_GroundPlace *places, int count)
{
    if (view->query.ask == NULL) { return; }
    snw_ViewBatch batch;
    batch.count = 0;
    for (int n = 0; n < count; ++n) {
        double u, v;
        int32_t i = node_below(places[n].x, SNW_VIEW_CELL, &u);
        int32_t k = node_below(places[n].z, SNW_VIEW_CELL, &v);
        for (int corner = 0; corner < 4; ++corner) {
            snw_view_want(view, &batch, i + corner % 2, k + corner / 2);
        }
    }
    snw_view_take(view, &batch);
}

bool snw_view_remember(snw_View *view, snw_ViewBatch *batch, double x, double z)
{
    double u, v;
    int32_t i = node_below(x + 0.5 * SNW_VIEW_CELL, SNW_VIEW_CELL, &u),
            k = node_below(z + 0.5 * SNW_VIEW_CELL, SNW_VIEW_CELL, &v);
    snw_ViewSlot known, *slot = find_node(view, i, k, &known);
    if (is_level(view) || slot == NULL || is_known(view, slot, &known)) { return false; }
    snw_view_want(view, batch, i, k);
    if (view->query.ask == NULL) { (void)snw_view_node(view, i, k); }
    return true;
}

double snw_view_height(snw_View *view, double x, double z, bool *out_is_edge)
{
    if (out_is_edge != NULL) { *out_is_edge = false; }
    if (is_level(view)) { return 0.0; }
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
    if (is_level(view)) { return 0.0; }
    int32_t i = node_below(x + 0.5 * SNW_VIEW_FINE, SNW_VIEW_FINE, &u);
    int32_t k = node_below(z + 0.5 * SNW_VIEW_FINE, SNW_VIEW_FINE, &v);
    snw_ViewSlot known, *slot = find_slot(memory, i, k, &known);
    return recall(view, slot, &known, i * SNW_VIEW_FINE, k * SNW_VIEW_FINE);
}
