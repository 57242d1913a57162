#include "solve/linear.h"

#include "math/dense.h"

// a pivot this small against the largest diagonal means that rank is missing, not that digits are
#define PIVOT_FLOOR 1e-13

void snw_linear_take(snw_Linear *linear, snw_Sizes sizes, snw_Arena *arena)
{
    size_t dofs = (size_t)sizes.dofs, links = (size_t)sizes.links;
    size_t rows = 6 * (size_t)sizes.goals;
    size_t square = dofs < SNW_MOST_SQUARE_DOFS ? dofs : SNW_MOST_SQUARE_DOFS;
    square = rows > square ? rows : square;
    linear->jacobian = snw_arena_take(arena, dofs * rows, sizeof(double));
    linear->error = snw_arena_take(arena, rows, sizeof(double));
    linear->pull = snw_arena_take(arena, dofs, sizeof(double));
    linear->softness = snw_arena_take(arena, dofs, sizeof(double));
    linear->last_step = snw_arena_take(arena, dofs, sizeof(double));
    linear->force = snw_arena_take(arena, dofs, sizeof(double));
    linear->fixed = snw_arena_take(arena, dofs, sizeof(unsigned char));
    linear->fixed_step = snw_arena_take(arena, dofs, sizeof(double));
    linear->turned = snw_arena_take(arena, links, sizeof(unsigned char));
    linear->triad = snw_arena_take(arena, links, sizeof(sinew_Mat3));
    linear->step = snw_arena_take(arena, dofs, sizeof(double));
    linear->matrix = snw_arena_take(arena, square * square, sizeof(double));
    linear->vector = snw_arena_take(arena, rows > dofs ? rows : dofs, sizeof(double));
    linear->link_work = snw_arena_take(arena, links * SNW_LINK_WORK, sizeof(double));
    linear->dof_work = snw_arena_take(arena, dofs * 6, sizeof(double));
}

void snw_linear_prepare(snw_Linear *linear, const snw_Plan *plan)
{
    snw_linear_release(linear, plan);
    size_t count = (size_t)plan->dof_count * (size_t)plan->row_count;
    for (size_t i = 0; i < count; ++i) { linear->jacobian[i] = 0.0; }
}

double snw_linear_flops(const snw_Plan *plan, sinew_LinearForm form)
{
    double m = plan->row_count, n = plan->dof_count, effectors = plan->effector_count;
    double links = plan->link_count - plan->static_link_count;
    switch (form) {
    case SINEW_FORM_AUTO: break;
    case SINEW_FORM_ROWS: return n * m * (m + 2.0) + m * m * m / 3.0 + 4.0 * n * m + 2.0 * m * m;
    case SINEW_FORM_DOFS: return m * n * (n + 2.0) + n * n * n / 3.0 + 4.0 * n * m + 2.0 * n * n;
    case SINEW_FORM_TREE: {
        // entries (dof, ancestor): 12 to build, and each pair of ancestors once to factor
        double flops = 60.0 * effectors + 36.0 * links + 66.0 * n;
        for (int d = 0; d < plan->dof_count; ++d) {
            double depth = plan->dof_depth[d];
            flops += 12.0 * depth + depth * (depth + 1.0) + 5.0 * depth;
        }
        return flops;
    }
    case SINEW_FORM_RECURSION: {
        // out and back: a ball 170 + 72, an axis 94 + 33; each link to its parent and back 150 + 12
        double flops = 51.0 * effectors + 162.0 * links;
        for (int l = plan->static_link_count; l < plan->link_count; ++l) {
            bool ball = plan->links[l].motion == SNW_BALL;
            if (plan->links[l].dof >= 0) { flops += ball ? 242.0 : 127.0; }
        }
        return flops;
    }
    }
    return 0.0;
}

sinew_LinearForm snw_linear_choose(const snw_Plan *plan, bool recursion_allowed)
{
    sinew_LinearForm best = SINEW_FORM_ROWS;
    double cost = snw_linear_flops(plan, best);
    static const sinew_LinearForm others[] = { SINEW_FORM_DOFS, SINEW_FORM_TREE,
        SINEW_FORM_RECURSION };
    for (int i = 0; i < (recursion_allowed ? 3 : 2); ++i) {
        if (!snw_form_fits(plan, others[i])) { continue; }
        double other = snw_linear_flops(plan, others[i]);
        if (other < cost) {
            cost = other;
            best = others[i];
        }
    }
    return best;
}

void snw_linear_release(snw_Linear *linear, const snw_Plan *plan)
{
    linear->any_fixed = false;
    for (int d = 0; d < plan->dof_count; ++d) { linear->fixed[d] = 0; }
    linear->any_turned = false;
    for (int l = 0; l < plan->link_count; ++l) { linear->turned[l] = 0; }
}

// the three numbers of a ball about other axes: v is about the columns of the world's or an old
// triad, change = old^T new
static void turn_numbers(double *v, const sinew_Mat3 *change)
{
    sinew_Vec3 r = sinew_mat3_transpose_mul_vec3(*change, sinew_vec3(v[0], v[1], v[2]));
    v[0] = r.x;
    v[1] = r.y;
    v[2] = r.z;
}

void snw_linear_turn_ball(
    snw_Linear *linear, const snw_Plan *plan, int link, const sinew_Mat3 *triad, bool has_jacobian)
{
    sinew_Mat3 change = *triad;
    if (linear->turned[link]) {
        change = sinew_mat3_mul(sinew_mat3_transpose(linear->triad[link]), *triad);
    }
    linear->any_turned = true;
    linear->turned[link] = 1;
    linear->triad[link] = *triad;
    int d = plan->links[link].dof, m = plan->row_count;
    turn_numbers(&linear->force[d], &change);
    if (linear->has_pull) { turn_numbers(&linear->pull[d], &change); }
    for (int r = 0; has_jacobian && r < m; ++r) {
        double *entry = &linear->jacobian[d * m + r];
        double row[3] = { entry[0], entry[m], entry[2 * m] };
        turn_numbers(row, &change);
        entry[0] = row[0];
        entry[m] = row[1];
        entry[2 * m] = row[2];
    }
}

void snw_linear_turn_row(snw_Linear *linear, const snw_Plan *plan, int row)
{
    int m = plan->row_count;
    for (int l = plan->static_link_count; linear->any_turned && l < plan->link_count; ++l) {
        if (!linear->turned[l]) { continue; }
        double *entry = &linear->jacobian[plan->links[l].dof * m + row];
        double numbers[3] = { entry[0], entry[m], entry[2 * m] };
        turn_numbers(numbers, &linear->triad[l]);
        entry[0] = numbers[0];
        entry[m] = numbers[1];
        entry[2 * m] = numbers[2];
    }
}

void snw_linear_turn_step_back(snw_Linear *linear, const snw_Plan *plan)
{
    for (int l = plan->static_link_count; linear->any_turned && l < plan->link_count; ++l) {
        if (!linear->turned[l]) { continue; }
        double *step = &linear->step[plan->links[l].dof];
        sinew_Vec3 world = sinew_mat3_mul_vec3(
            linear->triad[l], sinew_vec3(step[0], step[1], step[2]));
        step[0] = world.x;
        step[1] = world.y;
        step[2] = world.z;
    }
}

void snw_linear_set_force(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, bool has_jacobian)
{
    if (!has_jacobian) {
        snw_linear_force_recursion(linear, plan, targets, state);
        return;
    }
    int m = plan->row_count;
    for (int i = 0; i < plan->dof_count; ++i) {
        const double *column = &linear->jacobian[i * m];
        double sum = linear->has_pull ? linear->pull[i] : 0.0;
        for (int r = 0; r < m; ++r) { sum += column[r] * linear->error[r]; }
        linear->force[i] = sum;
    }
}

// S_i = s / D_i by dof, 0 where a dof is fixed; NULL when all are 1. Returns s.
static double set_softness(snw_Linear *linear, const snw_Plan *plan, const double **out_softness)
{
    double scale = linear->lambda2 + linear->stiffness;
    bool stiff = linear->stiffness > 0.0;
    if (!stiff && !linear->any_fixed) {
        *out_softness = plan->has_softness ? plan->softness : NULL;
        return scale;
    }
    for (int i = 0; i < plan->dof_count; ++i) {
        double w = plan->softness[i];
        double soft = stiff ? w * scale / (linear->lambda2 + linear->stiffness * w) : w;
        linear->softness[i] = linear->any_fixed && linear->fixed[i] ? 0.0 : soft;
    }
    *out_softness = linear->softness;
    return scale;
}

// (J S J^T + s) f = e - J S pull / s;  step = S (pull / s + J^T f),  S_i = s / D_i
static bool solve_rows(snw_Linear *linear, const snw_Plan *plan)
{
    int m = plan->row_count, n = plan->dof_count;
    const double *softness;
    double scale = set_softness(linear, plan, &softness);

    double *f = linear->vector;
    for (int r = 0; r < m; ++r) { f[r] = linear->error[r]; }
    for (int i = 0; linear->any_fixed && i < n; ++i) {
        if (!linear->fixed[i] || linear->fixed_step[i] == 0.0) { continue; }
        const double *column = &linear->jacobian[i * m];
        for (int r = 0; r < m; ++r) { f[r] -= column[r] * linear->fixed_step[i]; }
    }
    if (linear->has_pull) {
        for (int i = 0; i < n; ++i) {
            const double *column = &linear->jacobian[i * m];
            linear->step[i] = (softness != NULL ? softness[i] : 1.0) * linear->pull[i] / scale;
            for (int r = 0; r < m; ++r) { f[r] -= column[r] * linear->step[i]; }
        }
    }

    if (m == 3) {
        double a[6] = { scale, 0.0, scale, 0.0, 0.0, scale };
        for (int i = 0; i < n; ++i) {
            const double *b = &linear->jacobian[i * 3];
            double w = softness != NULL ? softness[i] : 1.0;
            double x = w * b[0], y = w * b[1], z = w * b[2];
            a[0] += x * b[0];
            a[1] += y * b[0];
            a[2] += y * b[1];
            a[3] += z * b[0];
            a[4] += z * b[1];
            a[5] += z * b[2];
        }
        if (!snw_solve3(a, PIVOT_FLOOR, f, f)) { return false; }
    } else if (m == 6) {
        double a[21] = { 0.0 };
        for (int i = 0; i < n; ++i) {
            const double *b = &linear->jacobian[i * 6];
            double w = softness != NULL ? softness[i] : 1.0;
            for (int r = 0; r < 6; ++r) {
                double wb = w * b[r];
                for (int c = 0; c <= r; ++c) { a[SNW_PACKED(r, c)] += wb * b[c]; }
            }
        }
        for (int r = 0; r < 6; ++r) { a[SNW_PACKED(r, r)] += scale; }
        if (!snw_solve6(a, PIVOT_FLOOR, f, f)) { return false; }
    } else {
        double *a = linear->matrix;
        snw_product_rows(linear->jacobian, m, n, m, softness, a, m);
        for (int r = 0; r < m; ++r) { a[r * m + r] += scale; }
        if (!snw_cholesky_factor(a, m, m, PIVOT_FLOOR)) { return false; }
        snw_cholesky_solve(a, m, m, f);
    }

    for (int i = 0; i < n; ++i) {
        const double *column = &linear->jacobian[i * m];
        double sum = 0.0;
        for (int r = 0; r < m; ++r) { sum += column[r] * f[r]; }
        double soft = softness != NULL ? softness[i] * sum : sum;
        linear->step[i] = linear->has_pull ? linear->step[i] + soft : soft;
        if (linear->any_fixed && linear->fixed[i]) { linear->step[i] = linear->fixed_step[i]; }
    }
    return true;
}

// take the fixed dofs out of the system: their steps go to the right side
static void fix_dofs(snw_Linear *linear, double *a, int n)
{
    for (int k = 0; k < n; ++k) {
        if (!linear->fixed[k]) { continue; }
        for (int i = 0; i < n; ++i) {
            double *entry = i < k ? &a[k * n + i] : &a[i * n + k];
            linear->step[i] -= *entry * linear->fixed_step[k];
            *entry = i == k ? 1.0 : 0.0;
        }
    }
    for (int k = 0; k < n; ++k) {
        if (linear->fixed[k]) { linear->step[k] = linear->fixed_step[k]; }
    }
}

// (J^T J + D) step = J^T e + pull
static bool solve_dofs(snw_Linear *linear, const snw_Plan *plan)
{
    int m = plan->row_count, n = plan->dof_count;
    double *a = linear->matrix;
    snw_product_dofs(linear->jacobian, m, n, m, NULL, a, n);
    for (int i = 0; i < n; ++i) {
        const double *column = &linear->jacobian[i * m];
        double sum = linear->has_pull ? linear->pull[i] : 0.0;
        for (int r = 0; r < m; ++r) { sum += column[r] * linear->error[r]; }
        linear->step[i] = sum;
        a[i * n + i] += snw_linear_damping(linear, plan, i);
    }
    if (linear->any_fixed) { fix_dofs(linear, a, n); }
    if (!snw_cholesky_factor(a, n, n, PIVOT_FLOOR)) { return false; }
    snw_cholesky_solve(a, n, n, linear->step);
    return true;
}

bool snw_linear_solve(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, sinew_LinearForm form)
{
    switch (form) {
    case SINEW_FORM_DOFS: return solve_dofs(linear, plan);
    case SINEW_FORM_TREE: return snw_linear_solve_tree(linear, plan, targets, state);
    case SINEW_FORM_RECURSION: return snw_linear_solve_recursion(linear, plan, targets, state);
    default: return solve_rows(linear, plan);
    }
}
