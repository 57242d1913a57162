// What the ground is: which nodes are known, asked or guessed, and the height between them.

#include "walk/walk_view.h"

#include "base/compiler.h"
#include "math/holds.h"
#include "walk/gait.h"

#include <string.h>

/// Allowed where nobody counts.
#define ANY_NUMBER (1 << 30)

void snw_view_forget(snw_View *view)
{
    memset(view->nodes, 0, sizeof view->nodes);
    memset(view->beside, 0, sizeof view->beside);
}

void snw_view_open(snw_View *view, const sinew_Ground *ground, const sinew_GroundQuery *query)
{
    memset(view, 0, sizeof *view);
    if (ground != NULL) { view->ground = *ground; }
    if (query != NULL) { view->query = *query; }
    view->ride.c = 1.0;
    view->allowance = ANY_NUMBER;
}

void snw_view_allow(snw_View *view, int places, const snw_ViewGuess *guess)
{
    view->allowance = places;
    view->guess = *guess;
    view->guess_count = view->asked = 0;
}

static double guess_at(const snw_View *view, double x, double z)
{
    const snw_ViewGuess *guess = &view->guess;
    return guess->at.y + guess->slope_x * (x - guess->at.x) + guess->slope_z * (z - guess->at.z);
}

/// Whether a place may be asked, which counts.
static bool may_ask(snw_View *view)
{
    if (view->allowance <= 0) {
        ++view->guess_count;
        return false;
    }
    --view->allowance;
    ++view->asked;
    return true;
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
/// So many storeys from where that was done last, what is not near is forgotten.
#define MOST_STOREYS 3.0
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

/// Storeys that are farther away than half of their numbers would be taken for near ones: what was found there is
/// forgotten before.
static void forget_far(const snw_View *view, snw_ViewSlot *slots, size_t count)
{
    for (size_t s = 0; s < count; ++s) {
        if (!is_current(view, &slots[s])) { slots[s].key = 0; }
    }
}

static void forget_passing(snw_ViewSlot *slots, size_t count)
{
    for (size_t s = 0; s < count; ++s) {
        if ((bits_of(slots[s].height) & MARK_PASSES) != 0u) { slots[s].key = 0; }
    }
}

void snw_view_ride(snw_View *view, const snw_Ride *ride, double start, double dt)
{
    view->ride = *ride;
    view->start = start;
    const double storey = floor(snw_clamp(start, -1e9, 1e9) / STOREY);
    view->storey = (unsigned)(int64_t)storey & MARK_STOREY;
    if (view->query.ask != NULL && fabs(storey - view->cleared_at) >= MOST_STOREYS) {
        forget_far(view, view->nodes, sizeof view->nodes / sizeof *view->nodes);
        forget_far(view, view->beside, sizeof view->beside / sizeof *view->beside);
        view->cleared_at = storey;
    }
    view->passed += view->passing * dt;
    if (view->passed <= STALE) { return; }
    forget_passing(view->nodes, sizeof view->nodes / sizeof *view->nodes);
    forget_passing(view->beside, sizeof view->beside / sizeof *view->beside);
    view->passing = view->passed = 0.0;
}

/// Whether what was found at a place of the world does not go along with the lattice.
static bool does_pass(snw_View *view, const sinew_GroundPlace *at, const sinew_GroundHit *hit)
{
    sinew_Vec3 own = snw_ride_speed_at(&view->ride, at->x, at->z);
    double speed = sinew_vec3_distance(own, hit->velocity);
    if (!(speed > LEAST_PASSING)) { return false; }
    view->passing = snw_max(view->passing, speed);
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

/// Ask for places of the lattice; heights are of the lattice too.
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
    view->allowance -= count;
    view->asked += count;
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
        Hits hits;
        look_down(view, &place, 1, &hits);
        return hits.at[0].height;
    }
    if (view->ground.sample == NULL) { return 0.0; }
    double height = view->ground.sample(view->ground.user, x, z).height;
    if (isfinite(height)) { return height; }
    view->is_bad = true;
    return 0.0;
}

// ---------------------------------------------------------------------------------------------
// Memory

/// Heights between nodes are no more than this above the highest of them, metres.
#define ROUNDING 1e-9

// Places of a lattice are numbered from the far corner of 65536 rounds of its memory, the middle of one of which is the
// origin of the world: within 100 km of it for nodes, 2.6 km for what is beside edges. Farther ones are asked each time. Cells
// between two rounds take longer, and many a way begins at the origin and goes along an axis.
static int32_t half_of(int32_t side)
{
    return (side << 15) + side / 2;
}

/// side: of one round, places. The first round is left out: its key is that of empty slots.
static bool is_kept(int32_t i, int32_t k, int32_t side)
{
    int32_t half = half_of(side);
    return i >= side - half && i < half - side && k >= side - half && k < half - side;
}

/// Number of a column or row of nodes, from the far corner.
static uint32_t number_of(int32_t i)
{
    return (uint32_t)(i + half_of(SNW_VIEW_SIDE));
}

/// The key of the node of a column and a row.
static uint32_t key_of(uint32_t column, uint32_t row)
{
    return column / SNW_VIEW_SIDE << 16 | row / SNW_VIEW_SIDE;
}

static uint32_t slot_of(uint32_t column, uint32_t row)
{
    return row % SNW_VIEW_SIDE * SNW_VIEW_SIDE + column % SNW_VIEW_SIDE;
}

/// Slot of a node and the key it has there; NULL: too far off the origin to be remembered.
static snw_ViewSlot *node_slot(snw_View *view, int32_t i, int32_t k, uint32_t *out_key)
{
    *out_key = 0;
    if (!is_kept(i, k, SNW_VIEW_SIDE)) { return NULL; }
    uint32_t column = number_of(i), row = number_of(k);
    *out_key = key_of(column, row);
    return &view->nodes[slot_of(column, row)];
}

static snw_ViewSlot *beside_slot(snw_View *view, int32_t i, int32_t k, uint32_t *out_key)
{
    enum { SIDE = SNW_VIEW_BESIDE };
    *out_key = 0;
    if (!is_kept(i, k, SIDE)) { return NULL; }
    uint32_t column = (uint32_t)(i + half_of(SIDE)), row = (uint32_t)(k + half_of(SIDE));
    *out_key = column / SIDE << 16 | row / SIDE;
    return &view->beside[row % SIDE * SIDE + column % SIDE];
}

static bool is_known(const snw_View *view, const snw_ViewSlot *slot, uint32_t key)
{
    return slot->key == key && is_current(view, slot);
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
static double recall(snw_View *view, snw_ViewSlot *slot, uint32_t key, double x, double z)
{
    if (slot != NULL && is_known(view, slot, key)) { return (double)slot->height; }
    if (!may_ask(view)) { return guess_at(view, x, z); }
    float height = ask_marked(view, x, z);
    if (slot != NULL) { *slot = (snw_ViewSlot){ key, height }; }
    return (double)height;
}

static SNW_NEVER_INLINE double recall_node(snw_View *view, int32_t i, int32_t k)
{
    uint32_t key;
    snw_ViewSlot *slot = node_slot(view, i, k, &key);
    return recall(view, slot, key, i * SNW_VIEW_CELL, k * SNW_VIEW_CELL);
}

/// The slot of a node that is known and was not found from another storey; NULL: it has to be looked for.
static const snw_ViewSlot *known_slot(const snw_View *view, int32_t i, int32_t k)
{
    enum { SIDE = SNW_VIEW_SIDE };
    const uint32_t most = ((uint32_t)SIDE << 16) - SIDE;
    uint32_t column = number_of(i), row = number_of(k);
    bool is_kept_here = column - SIDE < most && row - SIDE < most;
    if (view->query.ask != NULL || !is_kept_here) { return NULL; }
    const snw_ViewSlot *slot = &view->nodes[slot_of(column, row)];
    return slot->key == key_of(column, row) ? slot : NULL;
}

double snw_view_node(snw_View *view, int32_t i, int32_t k)
{
    const snw_ViewSlot *slot = known_slot(view, i, k);
    return slot != NULL ? (double)slot->height : recall_node(view, i, k);
}

bool snw_view_widen(const snw_View *view, int32_t i, int32_t k, int count, float *low, float *high)
{
    for (int n = 0; n < count; ++n) {
        const snw_ViewSlot *slot = known_slot(view, i + 2 * n, k);
        if (slot == NULL) { return false; }
        *low = slot->height < *low ? slot->height : *low;
        *high = slot->height > *high ? slot->height : *high;
    }
    return true;
}

void snw_view_want(snw_View *view, snw_ViewBatch *batch, int32_t i, int32_t k)
{
    uint32_t key;
    snw_ViewSlot *slot = node_slot(view, i, k, &key);
    if (view->query.ask == NULL || slot == NULL || is_known(view, slot, key)) { return; }
    if (!may_ask(view)) { return; }
    // from now on it counts as known; a node that falls on the same slot takes it away
    *slot = (snw_ViewSlot){ key, mark(0.0f, view->storey, false) };
    batch->slots[batch->count] = slot;
    batch->keys[batch->count] = key;
    batch->places[batch->count] = (sinew_GroundPlace){ i * SNW_VIEW_CELL, k * SNW_VIEW_CELL };
    if (++batch->count == SINEW_MAX_GROUND_PLACES) { snw_view_take(view, batch); }
}

void snw_view_take(snw_View *view, snw_ViewBatch *batch)
{
    if (batch->count == 0) { return; }
    Hits hits;
    look_down(view, batch->places, batch->count, &hits);
    for (int n = 0; n < batch->count; ++n) {
        if (batch->slots[n]->key != batch->keys[n]) { continue; }
        batch->slots[n]->height = mark((float)hits.at[n].height, view->storey, hits.passes[n]);
    }
    batch->count = 0;
}

/// Number of the node at or below a coordinate, in nodes, within what 32 bits hold.
static int32_t node_below(double at, double *out_part)
{
    const double farthest = 2e9;
    if (!(at > -farthest)) { at = -farthest; }
    if (at > farthest) { at = farthest; }
    int32_t node = (int32_t)at;
    if (node > at) { --node; }
    *out_part = at - node;
    return node;
}

/// Number of the node that is nearest to a coordinate, in nodes.
static int32_t node_near(double at)
{
    double unused;
    return node_below(at + 0.5, &unused);
}

void snw_view_gather(snw_View *view, const sinew_GroundPlace *places, int count)
{
    if (view->query.ask == NULL) { return; }
    snw_ViewBatch batch;
    batch.count = 0;
    for (int n = 0; n < count; ++n) {
        double u, v;
        int32_t i = node_below(places[n].x * (1.0 / SNW_VIEW_CELL), &u);
        int32_t k = node_below(places[n].z * (1.0 / SNW_VIEW_CELL), &v);
        for (int corner = 0; corner < 4; ++corner) {
            snw_view_want(view, &batch, i + corner % 2, k + corner / 2);
        }
    }
    snw_view_take(view, &batch);
}

/// Remember a node that seems not to be known.
static SNW_NEVER_INLINE bool remember_node(
    snw_View *view, snw_ViewBatch *batch, int32_t i, int32_t k)
{
    uint32_t key;
    snw_ViewSlot *slot = node_slot(view, i, k, &key);
    if (is_level(view) || slot == NULL || is_known(view, slot, key)) { return false; }
    if (view->allowance <= 0) { return false; }
    snw_view_want(view, batch, i, k);
    if (view->query.ask == NULL) { (void)snw_view_node(view, i, k); }
    return true;
}

bool snw_view_remember(snw_View *view, snw_ViewBatch *batch, double x, double z)
{
    int32_t i = node_near(x * (1.0 / SNW_VIEW_CELL)), k = node_near(z * (1.0 / SNW_VIEW_CELL));
    return known_slot(view, i, k) == NULL && remember_node(view, batch, i, k);
}

/// Whether all corners of the cell beyond a slot, of one round of the memory, are known.
static bool are_known(const snw_View *view, const snw_ViewSlot *slot, uint32_t key)
{
    const snw_ViewSlot *far = slot + SNW_VIEW_SIDE;
    const uint32_t other = (slot[0].key ^ key) | (slot[1].key ^ key) | (far[0].key ^ key)
        | (far[1].key ^ key);
    if (view->query.ask == NULL || other != 0) { return other == 0; }
    return is_current(view, &slot[0]) && is_current(view, &slot[1]) && is_current(view, &far[0])
        && is_current(view, &far[1]);
}

/// Height in a cell, u and v of the way along X and Z: heights of (i, k), (i + 1, k), (i, k + 1) and (i + 1, k + 1).
static double height_in(
    double a, double b, double c, double d, double u, double v, bool *out_is_edge)
{
    double ab_high = a > b ? a : b, ab_low = a > b ? b : a;
    double cd_high = c > d ? c : d, cd_low = c > d ? d : c;
    double high = ab_high > cd_high ? ab_high : cd_high;
    double low = ab_low < cd_low ? ab_low : cd_low;
    *out_is_edge = high - low > SNW_VIEW_EDGE;
    if (*out_is_edge) { return high; }
    double near = a + u * (b - a), far = c + u * (d - c);
    return near + v * (far - near);
}

/// Height at a place, in nodes, the nodes of whose cell are not known, or that is far off the origin.
static double ask_height(snw_View *view, double at_x, double at_z, bool *out_is_edge)
{
    double u, v, corners[4];
    int32_t i = node_below(at_x, &u), k = node_below(at_z, &v);
    for (int n = 0; n < 4; ++n) { corners[n] = snw_view_node(view, i + n % 2, k + n / 2); }
    return height_in(corners[0], corners[1], corners[2], corners[3], u, v, out_is_edge);
}

/// A cell of one round of the memory, and a place in it.
typedef struct Cell {
    uint32_t column, row;
    bool is_inside; ///< no corner of it is of another round
    double u, v;    ///< of the way along X and Z
} Cell;

/// The cell of a place, in nodes. Numbers of column and row are positive, so they are rounded down.
static Cell cell_of(double at_x, double at_z)
{
    enum { SIDE = SNW_VIEW_SIDE };
    const double half = (double)half_of(SIDE);
    const uint32_t column = (uint32_t)(int32_t)(at_x + half);
    const uint32_t row = (uint32_t)(int32_t)(at_z + half);
    return (Cell){ column, row, column % SIDE < SIDE - 1 && row % SIDE < SIDE - 1,
        at_x - ((int32_t)column - half_of(SIDE)), at_z - ((int32_t)row - half_of(SIDE)) };
}

static double height_of(const Cell *cell, const snw_ViewSlot *slot, bool *out_is_edge)
{
    const snw_ViewSlot *far = slot + SNW_VIEW_SIDE;
    return height_in((double)slot[0].height, (double)slot[1].height, (double)far[0].height,
        (double)far[1].height, cell->u, cell->v, out_is_edge);
}

double snw_view_height(snw_View *view, double x, double z, bool *out_is_edge)
{
    enum { SIDE = SNW_VIEW_SIDE };
    bool unused;
    bool *is_edge = out_is_edge != NULL ? out_is_edge : &unused;
    *is_edge = false;
    if (is_level(view)) { return 0.0; }
    const double kept = (double)half_of(SIDE) - 2.0 * SIDE;
    double at_x = x * (1.0 / SNW_VIEW_CELL), at_z = z * (1.0 / SNW_VIEW_CELL);
    if (!(fabs(at_x) < kept && fabs(at_z) < kept)) { return ask_height(view, at_x, at_z, is_edge); }
    const Cell cell = cell_of(at_x, at_z);
    const snw_ViewSlot *slot = &view->nodes[slot_of(cell.column, cell.row)];
    if (!cell.is_inside || !are_known(view, slot, key_of(cell.column, cell.row))) {
        return ask_height(view, at_x, at_z, is_edge);
    }
    return height_of(&cell, slot, is_edge);
}

double snw_view_height_in(
    snw_View *view, const snw_ViewRange *range, double x, double z, bool *out_is_edge)
{
    if (!range->are_known) { return snw_view_height(view, x, z, out_is_edge); }
    const Cell cell = cell_of(x * (1.0 / SNW_VIEW_CELL), z * (1.0 / SNW_VIEW_CELL));
    if (!cell.is_inside) { return snw_view_height(view, x, z, out_is_edge); }
    return height_of(&cell, &view->nodes[slot_of(cell.column, cell.row)], out_is_edge);
}

snw_ViewRange snw_view_range(const snw_View *view, const snw_SoleBox *box)
{
    enum { WIDEST = 12 };
    const snw_ViewRange unknown = { -(double)INFINITY, (double)INFINITY, false };
    if (is_level(view)) { return (snw_ViewRange){ 0.0, 0.0, false }; }
    double unused;
    int32_t i = node_below(box->low_x * (1.0 / SNW_VIEW_CELL), &unused);
    int32_t k = node_below(box->low_z * (1.0 / SNW_VIEW_CELL), &unused);
    int32_t to_i = node_below(box->high_x * (1.0 / SNW_VIEW_CELL), &unused) + 1;
    int32_t to_k = node_below(box->high_z * (1.0 / SNW_VIEW_CELL), &unused) + 1;
    bool is_small = to_i - i <= WIDEST && to_k - k <= WIDEST;
    if (!is_small || !is_kept(i, k, SNW_VIEW_SIDE) || !is_kept(to_i, to_k, SNW_VIEW_SIDE)) {
        return unknown;
    }
    float roof = -(float)INFINITY, floor = (float)INFINITY;
    for (uint32_t row = number_of(k); row <= number_of(to_k); ++row) {
        for (uint32_t column = number_of(i); column <= number_of(to_i); ++column) {
            const snw_ViewSlot *slot = &view->nodes[slot_of(column, row)];
            if (!is_known(view, slot, key_of(column, row))) { return unknown; }
            roof = slot->height > roof ? slot->height : roof;
            floor = slot->height < floor ? slot->height : floor;
        }
    }
    // between nodes heights are rounded
    return (snw_ViewRange){ (double)floor - ROUNDING, (double)roof + ROUNDING, true };
}

double snw_view_beside(snw_View *view, double x, double z)
{
    if (is_level(view)) { return 0.0; }
    int32_t i = node_near(x * (1.0 / SNW_VIEW_FINE)), k = node_near(z * (1.0 / SNW_VIEW_FINE));
    uint32_t key;
    snw_ViewSlot *slot = beside_slot(view, i, k, &key);
    bool is_new = slot == NULL || !is_known(view, slot, key);
    if (is_new && view->allowance <= 0) {
        ++view->guess_count;
        return snw_view_height(view, x, z, NULL);
    }
    return recall(view, slot, key, i * SNW_VIEW_FINE, k * SNW_VIEW_FINE);
}

bool snw_view_sees_beside(snw_View *view, double x, double z, double *out_height)
{
    const int guesses = view->guess_count;
    *out_height = snw_view_beside(view, x, z);
    return view->guess_count == guesses;
}

double snw_view_close(snw_View *view, double x, double z)
{
    bool is_edge;
    double height = snw_view_height(view, x, z, &is_edge);
    return is_edge ? snw_view_beside(view, x, z) : height;
}
