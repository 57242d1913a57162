// Where a body cannot go: the nearest wall, drop or steep slope in each direction bounds its speed that way, so
// that it stops before what is ahead and slides along what is beside. No direction is special.

#include "walk/walk_bounds.h"

#include "walk/gait.h"
#include "walk/walk_drive.h"

#include <string.h>

// Nodes that are looked at, metres: every second one of the view.
#define CELL (2.0 * SNW_VIEW_CELL)
#define MOST_CELL 5e8 // twice of it is a number of a node
// Beyond what is near it is looked as far as braking takes or a step that begins goes, seconds; never farther than the
// view remembers.
#define STEP_TIME 0.5
// All around it is looked so far, and as far to either side of its way beyond, metres.
#define BESIDE 0.5
// Slower than this, m/s, it does not go; ways whose angle has a greater cosine are one.
#define SLOWEST 0.05
#define SAME_WAY 0.995
// Rows of cells whose corridor is not found: its way has no more than this across them.
#define LEAST_COSINE 0.1
// Of a way along a wall, the cosine to what is wanted below which it is not gone, and twice that gone in full.
#define LEAST_ALONG 0.2
// A foothold keeps its edges so far from there, metres.
#define KEEP_FOOT 0.05
// Share of the braking of a response that is counted on, and the most that a speed beyond is braked with, m/s^2.
#define BRAKE_SHARE 0.8
#define MOST_BRAKE 5.0
// The last of a free way takes this long at least, seconds.
#define LAST_WAY 0.15
// A slope is too steep where so many cells one after the other are, each to both of its sides: stairs have treads.
enum { STEEP_CELLS = 2 };
// Less than this share of what is wanted is left: the body is blocked.
#define BLOCKED_SHARE 0.25
#define LEAST_WANTED 0.1 // m/s

/// So many are looked at together where they are even.
enum { BLOCK = 6 };

/// A way along which the body goes or wants to go.
typedef struct Way {
    double x, z;    ///< unit vector
    bool is_across; ///< rows, and not along them
    double slope,
        half; ///< how far along X it goes for each Z, and half of what its corridor has of a row
} Way;

typedef struct Ways {
    Way list[2];
    int count;
} Ways;

typedef struct Look {
    snw_View *view;
    const snw_WalkRoot *root;
    Ways ways;
    double reach; ///< metres
    int32_t i, k; ///< cell of the root
    double step, drop, steep;
    double least; ///< of the three
    int gap;      ///< cells
} Look;

static double height_at(const Look *look, int32_t i, int32_t k)
{
    return snw_view_node(look->view, 2 * (look->i + i), 2 * (look->k + k));
}

/// Whether within the width of a ditch there is ground along (di, dk) that is a step from a height.
static bool is_stepped_over(
    const Look *look, int32_t i, int32_t k, int32_t di, int32_t dk, double from, double sign)
{
    for (int n = 1; n <= look->gap; ++n) {
        double rise = sign * (height_at(look, i + n * di, k + n * dk) - from);
        if (rise < look->step && rise > -look->drop) { return true; }
    }
    return false;
}

/// Whether the ground cannot be walked from a cell's neighbour, (di, dk) nearer to the root, onto it.
static bool is_blocked(const Look *look, int32_t i, int32_t k, int32_t di, int32_t dk, double here)
{
    double before = height_at(look, i - di, k - dk), rise = here - before;
    if (fabs(rise) <= look->least) { return false; }
    // a ditch has two sides: seen from its edge outwards, and from beyond it back
    if (rise > look->step) { return !is_stepped_over(look, i - di, k - dk, -di, -dk, here, -1.0); }
    return rise < -look->drop && !is_stepped_over(look, i, k, di, dk, before, 1.0);
}

/// How far ground goes on rising or falling from one difference in height to the next: not at a step.
static double goes_on(double before, double after)
{
    if (before * after <= 0.0) { return 0.0; }
    return fabs(before) < fabs(after) ? before : after;
}

/// Whether the ground is too steep at a cell, whichever way it rises, and on the same way at the next ones, (di, dk) farther from
/// the root.
static bool is_steep(const Look *look, int32_t i, int32_t k, int32_t di, int32_t dk)
{
    const double square = look->steep * look->steep;
    // what is nearer to the root is known
    const int32_t near_i = di > 0 ? -1 : 1, near_k = dk > 0 ? -1 : 1;
    double first_x = 0.0, first_z = 0.0;
    for (int n = 0; n < STEEP_CELLS; ++n) {
        const int32_t ni = i + n * di, nk = k + n * dk;
        const double here = height_at(look, ni, nk);
        double x = here - height_at(look, ni + near_i, nk);
        double z = here - height_at(look, ni, nk + near_k);
        if (x * x + z * z <= square) { return false; }
        x = goes_on(x, height_at(look, ni - near_i, nk) - here) * -near_i;
        z = goes_on(z, height_at(look, ni, nk - near_k) - here) * -near_k;
        if (n == 0) {
            first_x = x;
            first_z = z;
        }
        if (x * x + z * z <= square || x * first_x + z * first_z <= 0.0) { return false; }
    }
    return true;
}

/// Whether nothing that cells of row k from one to another are judged by differs in height by what could not be
/// walked: they, and what is nearer to the root, in this row and in the one dk nearer.
static bool is_even(const Look *look, int32_t k, int32_t from, int32_t to, int32_t dk)
{
    float low = (float)INFINITY, high = -(float)INFINITY;
    int32_t first = from > 0 ? from - 1 : from, last = to < 0 ? to + 1 : to;
    int32_t i = 2 * (look->i + first), row = 2 * (look->k + k);
    return snw_view_widen(look->view, i, row, last - first + 1, &low, &high)
        && (dk == 0 || snw_view_widen(look->view, i, row - 2 * dk, last - first + 1, &low, &high))
        && (double)high - (double)low <= look->least;
}

void snw_bounds_note(double x, double z, double dx, double dz, snw_NearBounds *bounds)
{
    double turn = sinew_atan2(dx, dz) / (2.0 * SINEW_PI) + 0.5, far = sqrt(dx * dx + dz * dz);
    int sector = (int)(turn * SNW_BOUND_SECTORS);
    sector = sector < 0 ? 0 : (sector >= SNW_BOUND_SECTORS ? SNW_BOUND_SECTORS - 1 : sector);
    if (bounds->is_known[sector] && bounds->far[sector] <= far) { return; }
    bounds->is_known[sector] = true;
    bounds->far[sector] = far;
    bounds->x[sector] = x;
    bounds->z[sector] = z;
}

/// Whether a place matters to who goes along these.
static bool is_ahead(double dx, double dz, double square, const Ways *all)
{
    if (square < BESIDE * BESIDE) { return true; }
    for (int w = 0; w < all->count; ++w) {
        const double x = all->list[w].x, z = all->list[w].z;
        if (dx * x + dz * z > 0.0 && fabs(dx * z - dz * x) < BESIDE) { return true; }
    }
    return false;
}

/// What of a row so far off the root, square to its way, may be ahead: from and to places of the row.
static bool find_row(const Ways *all, double dz, double reach, double *out_from, double *out_to)
{
    double half = sqrt(snw_max(0.0, reach * reach - dz * dz)), from = half, to = -half;
    if (fabs(dz) < BESIDE) {
        to = snw_min(half, BESIDE);
        from = -to;
    }
    for (int w = 0; w < all->count; ++w) {
        const Way *way = &all->list[w];
        double a = -half, b = half;
        if (way->is_across) {
            a = snw_max(a, dz * way->slope - way->half);
            b = snw_min(b, dz * way->slope + way->half);
        }
        if (a > b || snw_max(a * way->x, b * way->x) + dz * way->z <= 0.0) { continue; }
        from = snw_min(from, a);
        to = snw_max(to, b);
    }
    *out_from = from;
    *out_to = to;
    return from <= to;
}

/// One that is as good as known already is not looked along twice.
static void add_way(sinew_Vec3 speed, Ways *ways)
{
    double length = sqrt(speed.x * speed.x + speed.z * speed.z);
    if (length <= SLOWEST) { return; }
    const double x = speed.x / length, z = speed.z / length;
    const Way *first = &ways->list[0];
    if (ways->count > 0 && x * first->x + z * first->z > SAME_WAY) { return; }
    const bool is_across = fabs(z) > LEAST_COSINE;
    ways->list[ways->count++] = (Way){ x, z, is_across, is_across ? x / z : 0.0,
        is_across ? BESIDE / fabs(z) : 0.0 };
}

/// The cell of a coordinate in cells; who is beyond all of them is far from the last.
static int32_t cell_at(double cells)
{
    return (int32_t)floor(snw_clamp(cells, -MOST_CELL, MOST_CELL));
}

/// Cells of a row, from the root's, that may be ahead.
typedef struct Row {
    int32_t k, first, last;
    int32_t nearer; ///< to the row that is nearer to the root: -1 or 1; 0: none is
    double z, dz;   ///< of the row, metres, and from the root
} Row;

/// Find them. False: there are none.
static bool find_cells(const Look *look, int32_t k, Row *row)
{
    const snw_WalkRoot *root = look->root;
    double from, to;
    row->k = k;
    row->nearer = k > 0 ? -1 : (k < 0 ? 1 : 0);
    row->z = (look->k + k) * CELL;
    row->dz = row->z - root->z;
    if (fabs(row->dz) > look->reach) { return false; }
    if (!find_row(&look->ways, row->dz, look->reach, &from, &to)) { return false; }
    // the exact bound is asked of each cell
    row->first = cell_at((root->x + from) * (1.0 / CELL)) - look->i;
    row->last = cell_at((root->x + to) * (1.0 / CELL)) + 1 - look->i;
    return true;
}

/// Whether a cell of a row is near enough, and ahead.
static bool is_looked_at(const Look *look, const Row *row, int32_t i)
{
    const double dx = (look->i + i) * CELL - look->root->x;
    const double square = dx * dx + row->dz * row->dz;
    return square <= look->reach * look->reach && is_ahead(dx, row->dz, square, &look->ways);
}

/// Ask for the cells of a row, and for those nearer to the root that they are judged against.
static void want_row(const Look *look, const Row *row, snw_ViewBatch *batch)
{
    for (int32_t i = row->first; i <= row->last; ++i) {
        if (!is_looked_at(look, row, i)) { continue; }
        snw_view_want(look->view, batch, 2 * (look->i + i), 2 * (look->k + row->k));
        snw_view_want(look->view, batch, 2 * (look->i + i), 2 * (look->k + row->k + row->nearer));
    }
}

/// Whether a cell cannot be walked onto from those nearer to the root; what is not known yet stops nobody.
static bool is_shut(const Look *look, const Row *row, int32_t i)
{
    const int guesses = look->view->guess_count;
    const int32_t di = i > 0 ? 1 : (i < 0 ? -1 : 0), dk = -row->nearer;
    const double here = height_at(look, i, row->k);
    const bool is_blocked_here = (di != 0 && is_blocked(look, i, row->k, di, 0, here))
        || (dk != 0 && is_blocked(look, i, row->k, 0, dk, here))
        || is_steep(look, i, row->k, di, dk);
    return is_blocked_here && look->view->guess_count == guesses;
}

/// Note the cells of a row that are shut; so many as are even with what they are judged against are passed at once.
static void judge_row(const Look *look, const Row *row, snw_NearBounds *bounds)
{
    int32_t judged = row->first;
    for (int32_t i = row->first; i <= row->last; ++i) {
        if (!is_looked_at(look, row, i)) { continue; }
        const int32_t to = i + BLOCK <= row->last ? i + BLOCK - 1 : row->last - 1;
        if (i <= to && i >= judged) {
            judged = to + 1;
            if (is_even(look, row->k, i, to, -row->nearer)) {
                i = to;
                continue;
            }
        }
        if (!is_shut(look, row, i)) { continue; }
        const double x = (look->i + i) * CELL;
        snw_bounds_note(x, row->z, x - look->root->x, row->dz, bounds);
    }
}

void snw_bounds_forget(snw_Bounds *bounds)
{
    memset(&bounds->known, 0, sizeof bounds->known);
    memset(&bounds->next, 0, sizeof bounds->next);
    // what is left of the look under way is around another place
    bounds->reach = 0.0;
    bounds->is_blocked = false;
}

void snw_bounds_look(const snw_Girth *girth, const sinew_WalkLimits *limits,
    const snw_WalkRoot *root, const sinew_Steering *steering, int part, snw_View *view,
    snw_Bounds *bounds)
{
    double scale = girth->length / SNW_USUAL_LEG, tangent_s, tangent_c;
    sinew_sincos(limits->slope, &tangent_s, &tangent_c);
    if (part == 0) {
        const double speed = snw_root_speed(root), brake = BRAKE_SHARE * root->response.braking;
        bounds->known = bounds->next;
        memset(&bounds->next, 0, sizeof bounds->next);
        const double ahead = snw_max(speed * speed / (2.0 * brake), speed * STEP_TIME);
        bounds->reach = snw_min(SNW_VIEW_FAR, girth->near * scale + ahead);
        bounds->i = cell_at(root->x / CELL + 0.5);
        bounds->k = cell_at(root->z / CELL + 0.5);
    }
    Look look = { .view = view,
        .root = root,
        .reach = bounds->reach,
        .i = bounds->i,
        .k = bounds->k,
        .step = limits->step_height * girth->climb,
        .drop = limits->drop * girth->climb,
        .steep = tangent_s / tangent_c * CELL,
        .gap = (int)(limits->gap * scale / CELL) + 1 };
    // along each of two axes so much less of a slope is seen
    look.least = snw_min(sqrt(0.5) * look.steep, snw_min(look.step, look.drop));
    add_way(snw_root_to_world(root, root->forward, root->left), &look.ways);
    add_way(snw_root_to_world(root, steering->forward, steering->left), &look.ways);

    const int32_t rows = (int32_t)(look.reach / CELL);
    Row row;
    // a ground that answers many places at once is asked for what is not known first
    if (view->query.ask != NULL) {
        snw_ViewBatch batch;
        batch.count = 0;
        for (int32_t k = -rows + part; k <= rows; k += SNW_BOUND_PARTS) {
            if (find_cells(&look, k, &row)) { want_row(&look, &row, &batch); }
        }
        snw_view_take(view, &batch);
    }
    for (int32_t k = -rows + part; k <= rows; k += SNW_BOUND_PARTS) {
        if (find_cells(&look, k, &row)) { judge_row(&look, &row, &bounds->next); }
    }
}

/// Of a bound: the unit vector to it in the body's axes, and how far the root may go that way.
static bool find_bound(const snw_Girth *girth, const snw_NearBounds *known,
    const snw_WalkRoot *root, int sector, double *out_ahead, double *out_aside, double *out_free)
{
    if (!known->is_known[sector]) { return false; }
    double dx = known->x[sector] - root->x, dz = known->z[sector] - root->z;
    double far = sqrt(dx * dx + dz * dz) + 1e-9;
    const snw_LevelWay way = snw_root_to_body(root, dx, dz);
    *out_ahead = way.ahead / far;
    *out_aside = way.aside / far;
    // a cell that is shut begins half a cell nearer
    double along = *out_ahead > 0.0 ? girth->ahead : girth->behind;
    double keep = snw_mix(girth->aside, along, fabs(*out_ahead)) * girth->length / SNW_USUAL_LEG;
    *out_free = far - keep - 0.5 * CELL;
    return true;
}

/// Take from a speed what it is too fast for the nearest bound on its way; false: it is free.
static bool trim(const snw_Girth *girth, const snw_NearBounds *known, const snw_WalkRoot *root,
    double most, double *forward, double *left, double *out_free)
{
    double brake = BRAKE_SHARE * root->response.braking, least = (double)INFINITY;
    double ahead, aside, free, best_ahead = 0.0, best_aside = 0.0, best_over = 0.0;
    double speed = sqrt(*forward * *forward + *left * *left);
    for (int n = 0; n < SNW_BOUND_SECTORS; ++n) {
        if (!find_bound(girth, known, root, n, &ahead, &aside, &free)) { continue; }
        double towards = *forward * ahead + *left * aside;
        // what the way leads past is not on it
        double miss = fabs(*forward * aside - *left * ahead) / snw_max(1e-6, speed) * known->far[n];
        // nobody sets out for a few millimetres that are left
        double way = snw_max(0.0, free),
               over = towards - snw_min(sqrt(2.0 * brake * way), way / LAST_WAY);
        if (towards <= 0.0 || miss > girth->pass_by * girth->length / SNW_USUAL_LEG) { continue; }
        *out_free = snw_min(*out_free, snw_max(0.0, free));
        // the nearest is square to a wall, so that what is left leads along it
        if (over <= 1e-9 || known->far[n] >= least) { continue; }
        least = known->far[n];
        best_ahead = ahead;
        best_aside = aside;
        best_over = snw_min(over, most);
    }
    *forward -= best_over * best_ahead;
    *left -= best_over * best_aside;
    return best_over > 0.0;
}

void snw_bounds_hold(const snw_Girth *girth, const snw_WalkRoot *root, const sinew_Steering *asked,
    sinew_Steering *w, snw_Bounds *bounds)
{
    enum { ROUNDS = 6 };
    const snw_NearBounds *known = &bounds->known;
    double speed = snw_steering_speed(w), unused = 0.0;
    double before_forward = w->forward, before_left = w->left;
    bounds->free_way = (double)INFINITY;
    bounds->is_blocked = false;
    if (root->is_led) { return; }
    bool is_trimmed = trim(girth, known, root, 1e9, &w->forward, &w->left, &bounds->free_way);
    for (int round = 1; round < ROUNDS && is_trimmed; ++round) {
        is_trimmed = trim(girth, known, root, 1e9, &w->forward, &w->left, &unused);
    }
    double left = snw_steering_speed(w);
    // who is led straight at a wall does not wander along it
    double along = (w->forward * before_forward + w->left * before_left)
        / snw_max(1e-9, left * speed);
    double part = snw_smoothstep((along - LEAST_ALONG) / LEAST_ALONG);
    if (left < speed) {
        w->forward *= part;
        w->left *= part;
        left *= part;
    }
    *w = snw_drive_drop_small(*w);
    double wants = snw_steering_speed(asked);
    bounds->is_blocked = wants > LEAST_WANTED && left < BLOCKED_SHARE * snw_min(wants, speed);
}

void snw_bounds_brake(
    const snw_Girth *girth, const snw_Bounds *bounds, double h, snw_WalkRoot *root)
{
    double unused = 0.0;
    (void)trim(girth, &bounds->known, root, MOST_BRAKE * h, &root->forward, &root->left, &unused);
}

double snw_bounds_way(const snw_Bounds *bounds, const snw_WalkRoot *root, double x, double z)
{
    const snw_NearBounds *known = &bounds->known;
    double least = (double)INFINITY;
    for (int n = 0; n < SNW_BOUND_SECTORS; ++n) {
        if (!known->is_known[n]) { continue; }
        double dx = known->x[n] - root->x, dz = known->z[n] - root->z;
        double ahead = dx * x + dz * z, miss = fabs(dx * z - dz * x);
        if (ahead > 0.0 && miss < 1.5 * CELL) {
            least = snw_min(least, snw_max(0.0, ahead - CELL));
        }
    }
    return least;
}

/// How far a foot reaches from below its ankle, along a unit vector.
static double extent(const snw_WalkLegBody *leg, double heading, double ux, double uz)
{
    double s, c;
    sinew_sincos(heading, &s, &c);
    double ahead = ux * s + uz * c, aside = fabs(ux * c - uz * s);
    return ahead * (ahead > 0.0 ? leg->tip : leg->heel) + aside * leg->ball_width;
}

void snw_bounds_keep_foot(const snw_WalkLegBody *leg, const snw_Girth *girth,
    const snw_Bounds *bounds, const snw_WalkRoot *root, double heading, double *x, double *z)
{
    const snw_NearBounds *known = &bounds->known;
    for (int n = 0; n < SNW_BOUND_SECTORS; ++n) {
        if (!known->is_known[n]) { continue; }
        double dx = known->x[n] - root->x, dz = known->z[n] - root->z;
        double far = sqrt(dx * dx + dz * dz) + 1e-9;
        double keep = KEEP_FOOT + extent(leg, heading, dx / far, dz / far);
        double most = snw_max(-girth->aside, far - 0.5 * CELL - keep);
        double over = ((*x - root->x) * dx + (*z - root->z) * dz) / far - most;
        if (over <= 0.0) { continue; }
        *x -= over * dx / far;
        *z -= over * dz / far;
    }
}
