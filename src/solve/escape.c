// The way out of a straight limb. A limb that is straight, and whose goal is nearer along it, can do
// nothing in first order: every joint moves the effector across, none towards the goal, and a descent
// stalls at what is no minimum but a saddle. The second order knows the way: the direction in which F
// curves down.

#include "math/dense.h"
#include "math/holds.h"
#include "math/quat.h"
#include "solve/method.h"

// curvature below this share of (sum of w |e|) L is none: a minimum has a margin
#define CURVATURE_MARGIN 0.01
// a dof on its bound that is pushed outward by more than this share of L^2 stays there
#define PUSHED 1e-6
// a rest pose this far from the pose, radians, is one to bend to
#define BENT 0.05
// all dofs have a little of the preferred bend, so that no direction is out of its sight
#define SIGHT 1e-3
// joints closer than this share of the reach are at one place
#define SAME_PLACE 1e-9
// halvings that find the smallest curvature among the directions
#define HALVINGS 40
// the other side must fall so many times as deep to be taken
#define MUCH_DEEPER 2.0

// how far joints turn along the way down, radians
static const double ways[] = { 0.3, 0.1, 0.03 };

void snw_escape_take(snw_Escape *escape, snw_Sizes sizes, snw_Arena *arena)
{
    size_t all = (size_t)sizes.dofs, links = (size_t)sizes.links;
    size_t n = all < SNW_ESCAPE_DOFS ? all : SNW_ESCAPE_DOFS;
    escape->dof = snw_arena_take(arena, n, sizeof(int));
    escape->unit = snw_arena_take(arena, n, sizeof(double));
    escape->matrix = snw_arena_take(arena, n * n, sizeof(double));
    escape->basis = snw_arena_take(arena, (SNW_ESCAPE_STEPS + 1) * n, sizeof(double));
    escape->product = snw_arena_take(arena, n, sizeof(double));
    escape->way = snw_arena_take(arena, n, sizeof(double));
    escape->knee = snw_arena_take(arena, links, sizeof(double));
}

// ---------------------------------------------------------------------------------------------
// Curvature

static sinew_Vec3 vec3_of(const double *v)
{
    return sinew_vec3(v[0], v[1], v[2]);
}

// axis of a dof of a link, world; zero for slides
static sinew_Vec3 turn_axis(const snw_Link *link, const sinew_Mat3 *rotation, int k)
{
    if (link->motion == SNW_BALL) { return sinew_vec3(k == 0, k == 1, k == 2); }
    if (!snw_motion_is_hinge(link->motion)) { return sinew_vec3(0.0, 0.0, 0.0); }
    return snw_link_axis(link, rotation);
}

// What the turning of columns adds for one effector: -w e . d2p/dq_i dq_j = -w (e x a_i) . u_j for i
// above j, u_j the column of j; of two axes of one ball the mean of both orders.
static void add_turning(const snw_Solve *solve, int e, double *matrix)
{
    const snw_Plan *plan = &solve->plan;
    const snw_State *state = solve->current;
    const snw_Effector *effector = &plan->effectors[e];
    int n = plan->dof_count, m = plan->row_count;
    double scale = solve->targets.position_scale[e];
    sinew_Vec3 error = sinew_vec3_scale(vec3_of(&state->error[effector->row]), scale);
    for (int l = effector->link; l >= plan->static_link_count; l = plan->links[l].parent) {
        const snw_Link *link = &plan->links[l];
        int count = link->dof < 0 ? 0 : link->motion == SNW_BALL ? 3 : 1;
        for (int k = 0; k < count; ++k) {
            int j = link->dof + k;
            sinew_Vec3 column = vec3_of(&solve->linear.jacobian[j * m + effector->row]);
            for (int u = l; u >= plan->static_link_count; u = plan->links[u].parent) {
                const snw_Link *upper = &plan->links[u];
                int uppers = upper->dof < 0 ? 0 : upper->motion == SNW_BALL ? 3 : 1;
                for (int h = 0; h < uppers; ++h) {
                    int i = upper->dof + h;
                    sinew_Vec3 axis = turn_axis(upper, &state->rotation[u], h);
                    double bend = sinew_vec3_dot(sinew_vec3_cross(error, axis), column);
                    if (u == l) { bend *= 0.5; }
                    matrix[j * n + i] -= bend;
                    matrix[i * n + j] -= bend;
                }
            }
        }
    }
}

// (J^T J + stiffness - turning) of all dofs; returns the sum of w |e|
static double set_curvature(const snw_Solve *solve, double *matrix)
{
    const snw_Plan *plan = &solve->plan;
    const snw_Targets *targets = &solve->targets;
    int n = plan->dof_count, m = plan->row_count;
    for (int j = 0; j < n; ++j) {
        const double *a = &solve->linear.jacobian[j * m];
        for (int i = 0; i <= j; ++i) {
            const double *b = &solve->linear.jacobian[i * m];
            double sum = 0.0;
            for (int r = 0; r < m; ++r) { sum += a[r] * b[r]; }
            matrix[j * n + i] = matrix[i * n + j] = sum;
        }
        matrix[j * n + j] += targets->rest_weight * plan->rest_pull[j] + targets->velocity_weight;
    }
    double pulled = 0.0;
    for (int e = 0; e < plan->effector_count; ++e) {
        if (!plan->effectors[e].position) { continue; }
        double weight = targets->position_scale[e] * targets->position_scale[e];
        pulled += weight
            * sinew_vec3_length(vec3_of(&solve->current->error[plan->effectors[e].row]));
        add_turning(solve, e, matrix);
    }
    return pulled;
}

// whether a limit holds a dof against F's force; a ball that still feels one has its limit alone for it,
// and is left where it is
static bool is_held(const snw_Solve *solve, const snw_Link *link, const double *force)
{
    const snw_Plan *plan = &solve->plan;
    double least = PUSHED * plan->reach * plan->reach;
    const double *value = &solve->current->values[link->value];
    int d = link->dof;
    if (solve->options.limits == SINEW_LIMITS_NONE) { return false; }
    if (link->motion == SNW_BALL) {
        double force2 = sinew_vec3_dot(vec3_of(&force[d]), vec3_of(&force[d]));
        return link->limit != NULL && force2 > least * least;
    }
    return (value[0] <= plan->near_lower[d] && force[d] < -least)
        || (value[0] >= plan->near_upper[d] && force[d] > least);
}

static void find_free(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    snw_Escape *escape = &solve->escape;
    escape->count = 0;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0 || is_held(solve, link, solve->linear.force)) { continue; }
        bool slides = link->motion != SNW_BALL && !snw_motion_is_hinge(link->motion);
        for (int k = 0; k < (link->motion == SNW_BALL ? 3 : 1); ++k) {
            escape->unit[escape->count] = slides ? plan->reach : 1.0;
            escape->dof[escape->count++] = link->dof + k;
        }
    }
}

// the curvature over the free dofs; false when it is positive everywhere
static bool curves_down(snw_Solve *solve)
{
    snw_Escape *escape = &solve->escape;
    snw_Linear *linear = &solve->linear;
    const snw_Plan *plan = &solve->plan;
    if (linear->any_turned || linear->any_fixed) { snw_linear_release(linear, plan); }
    solve->fresh_jacobian = false;
    snw_linear_set_error(linear, plan, &solve->targets, solve->current, INFINITY);
    snw_solve_need_jacobian(solve);
    linear->has_pull = solve->targets.rest_weight + solve->targets.velocity_weight > 0.0;
    if (linear->has_pull) { snw_state_pull(plan, &solve->targets, solve->current, linear->pull); }
    snw_linear_set_force(linear, plan, &solve->targets, solve->current, true);
    find_free(solve);

    double *whole = linear->matrix, *free = escape->matrix;
    double pulled = set_curvature(solve, whole);
    int n = plan->dof_count, m = escape->count;
    if (!(pulled > 0.0) || m == 0) { return false; }
    for (int i = 0; i < m; ++i) {
        for (int k = 0; k < m; ++k) {
            free[i * m + k] = whole[escape->dof[i] * n + escape->dof[k]] * escape->unit[i]
                * escape->unit[k];
        }
    }
    double margin = CURVATURE_MARGIN * pulled * plan->reach;
    for (int i = 0; i < m * m; ++i) { whole[i] = free[i]; }
    for (int i = 0; i < m; ++i) { whole[i * m + i] += margin; }
    return !snw_cholesky_factor(whole, m, m, 0.0);
}

// ---------------------------------------------------------------------------------------------
// The preferred bend

// how much each turning link of an effector's chain is the middle of a limb: the shorter of the bones
// on its two sides
static void measure_knees(const snw_Solve *solve, int e, double *knee)
{
    const snw_Plan *plan = &solve->plan;
    double same = SAME_PLACE * plan->reach, below = 0.0;
    sinew_Vec3 last = solve->current->effector_position[e];
    int pending = -1; // the lowest link at the last place, whose bone above is not known
    for (int l = plan->effectors[e].link; l >= plan->static_link_count; l = plan->links[l].parent) {
        const snw_Link *link = &plan->links[l];
        bool turns = link->motion == SNW_BALL || snw_motion_is_hinge(link->motion);
        if (link->dof < 0 || !turns) { continue; }
        double bone = sinew_vec3_distance(last, solve->current->position[l]);
        if (bone > same) {
            double least = below < bone ? below : bone;
            for (int k = pending; k > l; k = plan->links[k].parent) {
                if (knee[k] < least) { knee[k] = least; }
            }
            pending = l;
            below = bone;
            last = solve->current->position[l];
        }
    }
}

// across the bone that a link carries, about its own x axis if that is not along it
static sinew_Vec3 own_bend(const snw_Solve *solve, int l)
{
    const snw_Plan *plan = &solve->plan;
    const sinew_Mat3 *frame = &solve->current->rotation[l];
    sinew_Vec3 bone = sinew_vec3(0.0, 0.0, 0.0);
    for (int e = 0; e < plan->effector_count; ++e) {
        int child = plan->effectors[e].link;
        sinew_Vec3 end = solve->current->effector_position[e];
        for (; child > l; child = plan->links[child].parent) {
            double away = sinew_vec3_distance(
                solve->current->position[child], solve->current->position[l]);
            if (away > SAME_PLACE * plan->reach) { end = solve->current->position[child]; }
        }
        if (child == l) { bone = sinew_vec3_sub(end, solve->current->position[l]); }
    }
    double length = sinew_vec3_length(bone);
    double along = sinew_vec3_dot(frame->x, bone);
    if (along * along < 0.5 * length * length || !(length > 0.0)) { return frame->x; }
    return sinew_vec3_scale(sinew_vec3_cross(bone, frame->z), 1.0 / length);
}

static void prefer_ball(const snw_Solve *solve, int l, double *way)
{
    const snw_Link *link = &solve->plan.links[l];
    const double *v = &solve->current->values[link->value];
    const double *r = &solve->targets.rest_values[link->value];
    sinew_Quat now = snw_quat_load(v), rest = snw_quat_load(r);
    sinew_Vec3 turn;
    if (sinew_quat_angle(now, rest) > BENT) {
        // in the frame that the ball has turned
        sinew_Quat d = sinew_quat_mul(sinew_quat_conjugate(now), rest);
        sinew_Vec3 axis = sinew_vec3_scale(sinew_vec3(d.x, d.y, d.z), d.w < 0.0 ? -1.0 : 1.0);
        turn = sinew_vec3_scale(
            sinew_mat3_mul_vec3(solve->current->rotation[l], axis), 1.0 / sinew_vec3_length(axis));
    } else {
        turn = own_bend(solve, l);
    }
    way[0] = turn.x;
    way[1] = turn.y;
    way[2] = turn.z;
}

static double prefer_hinge(const snw_Solve *solve, const snw_Link *link)
{
    double value = solve->current->values[link->value];
    double to_rest = solve->targets.rest_values[link->value] - value;
    if (fabs(to_rest) > BENT) { return to_rest > 0.0 ? 1.0 : -1.0; }
    double below = value - solve->plan.range_lower[link->dof];
    double above = solve->plan.range_upper[link->dof] - value;
    if (below == above) { return 0.0; }
    return below < above ? 1.0 : -1.0;
}

// the preferred bend by dof of the plan
static void prefer(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    snw_Escape *escape = &solve->escape;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) { escape->knee[l] = 0.0; }
    for (int e = 0; e < plan->effector_count; ++e) {
        if (plan->effectors[e].position) { measure_knees(solve, e, escape->knee); }
    }
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        double *way = &escape->way[link->dof], share = escape->knee[l] / plan->reach;
        int count = link->motion == SNW_BALL ? 3 : 1;
        for (int k = 0; k < count; ++k) { way[k] = 0.0; }
        if (share > 0.0 && count == 3) { prefer_ball(solve, l, way); }
        if (share > 0.0 && count == 1) { way[0] = prefer_hinge(solve, link); }
        for (int k = 0; k < count; ++k) { way[k] = way[k] * share + SIGHT * (1.0 + 0.3 * k); }
    }
}

// ---------------------------------------------------------------------------------------------
// The way down

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) { sum += a[i] * b[i]; }
    return sum;
}

// Directions in which the curvature is tridiagonal, from the first one on; Lanczos (1950), made
// orthogonal to all before. Returns how many there are.
static int spread(snw_Escape *escape, double *diagonal, double *beside)
{
    int m = escape->count, most = m < SNW_ESCAPE_STEPS ? m : SNW_ESCAPE_STEPS;
    double *w = escape->product, size = 0.0;
    for (int i = 0; i < m; ++i) { size = fmax(size, fabs(escape->matrix[i * m + i])); }
    for (int k = 0; k < most; ++k) {
        const double *q = &escape->basis[k * m];
        for (int i = 0; i < m; ++i) { w[i] = dot(&escape->matrix[i * m], q, m); }
        diagonal[k] = dot(q, w, m);
        for (int pass = 0; pass < 2; ++pass) {
            for (int b = k; b >= 0; --b) {
                const double *before = &escape->basis[b * m];
                double along = dot(before, w, m);
                for (int i = 0; i < m; ++i) { w[i] -= along * before[i]; }
            }
        }
        beside[k] = sqrt(dot(w, w, m));
        if (k + 1 == most || !(beside[k] > 1e-12 * size)) { return k + 1; }
        for (int i = 0; i < m; ++i) { escape->basis[(k + 1) * m + i] = w[i] / beside[k]; }
    }
    return most;
}

// pivots of a tridiagonal matrix less a shift; whether all are positive
static bool pivots_of(
    const double *diagonal, const double *beside, int count, double shift, double *pivots)
{
    SNW_ASSERT(count >= 0);
    double last = 0.0;
    for (int k = 0; k < count; ++k) {
        double next = diagonal[k] - shift;
        if (k > 0) { next -= beside[k - 1] * beside[k - 1] / last; }
        if (!(next > 0.0)) { return false; }
        pivots[k] = last = next;
    }
    return true;
}

// the shares of the directions in the one of least curvature; returns that
static double least_curved(const double *diagonal, const double *beside, int count, double *shares)
{
    SNW_ASSERT(count >= 0);
    double pivots[SNW_ESCAPE_STEPS], low = INFINITY, high = INFINITY;
    for (int k = 0; k < count; ++k) {
        double around = (k > 0 ? beside[k - 1] : 0.0) + (k + 1 < count ? beside[k] : 0.0);
        low = fmin(low, diagonal[k] - around);
        high = fmin(high, diagonal[k]);
    }
    low -= 1e-9 * fabs(low) + 1e-300;
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high);
        if (pivots_of(diagonal, beside, count, middle, pivots)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (!pivots_of(diagonal, beside, count, low, pivots)) { return INFINITY; }
    // two inverse iterations from the preferred bend
    for (int k = 0; k < count; ++k) { shares[k] = k == 0 ? 1.0 : 0.0; }
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 1; k < count; ++k) {
            shares[k] -= beside[k - 1] / pivots[k - 1] * shares[k - 1];
        }
        for (int k = count - 1; k >= 0; --k) {
            double below = k + 1 < count ? beside[k] * shares[k + 1] : 0.0;
            shares[k] = (shares[k] - below) / pivots[k];
        }
        double length = sqrt(dot(shares, shares, count));
        for (int k = 0; k < count; ++k) { shares[k] /= length; }
    }
    return low;
}

// the way down by dof of the plan, its largest turn of a dof 1 radian; false: there is none
static bool find_way(snw_Solve *solve)
{
    snw_Escape *escape = &solve->escape;
    int m = escape->count;
    double diagonal[SNW_ESCAPE_STEPS], beside[SNW_ESCAPE_STEPS], shares[SNW_ESCAPE_STEPS];
    prefer(solve);
    double *first = escape->basis;
    for (int i = 0; i < m; ++i) { first[i] = escape->way[escape->dof[i]] / escape->unit[i]; }
    double length = sqrt(dot(first, first, m));
    for (int i = 0; i < m; ++i) { first[i] /= length; }
    int count = spread(escape, diagonal, beside);
    if (!(least_curved(diagonal, beside, count, shares) < 0.0)) { return false; }

    for (int d = 0; d < solve->plan.dof_count; ++d) { escape->way[d] = 0.0; }
    double side = shares[0] < 0.0 ? -1.0 : 1.0, largest = 0.0;
    for (int i = 0; i < m; ++i) {
        double sum = 0.0;
        for (int k = 0; k < count; ++k) { sum += shares[k] * escape->basis[k * m + i]; }
        largest = fmax(largest, fabs(sum));
        escape->way[escape->dof[i]] = side * sum * escape->unit[i];
    }
    if (!(largest > 0.0)) { return false; }
    for (int d = 0; d < solve->plan.dof_count; ++d) { escape->way[d] /= largest; }
    return true;
}

static double try_way(snw_Solve *solve, double share)
{
    const snw_Plan *plan = &solve->plan;
    for (int d = 0; d < plan->dof_count; ++d) {
        solve->linear.step[d] = share * solve->escape.way[d];
    }
    snw_state_integrate(
        plan, solve->current, solve->linear.step, solve->options.limits, NULL, solve->trial);
    snw_state_forward(plan, solve->trial, plan->static_link_count);
    snw_state_measure(plan, &solve->targets, solve->trial);
    ++solve->report.forward_count;
    return solve->trial->objective;
}

bool snw_escape_saddle(snw_Solve *solve, double *out_values)
{
    const snw_Plan *plan = &solve->plan;
    if (plan->dof_count > SNW_ESCAPE_DOFS || plan->has_constraint) { return false; }
    if (!curves_down(solve) || !find_way(solve)) { return false; }
    double before = solve->current->objective, best[2] = { before, before }, way[2] = { 0.0, 0.0 };
    for (int side = 0; side < 2; ++side) {
        for (size_t k = 0; k < sizeof ways / sizeof ways[0]; ++k) {
            double share = side == 0 ? ways[k] : -ways[k];
            double objective = try_way(solve, share);
            if (objective < best[side]) {
                best[side] = objective;
                way[side] = share;
            }
        }
    }
    int side = before - best[1] > MUCH_DEEPER * (before - best[0]) ? 1 : 0;
    if (!(best[side] < before)) { return false; }
    (void)try_way(solve, way[side]);
    snw_copy(out_values, solve->trial->values, plan->value_count);
    return true;
}
