#include "solve/linear.h"

#include "math/holds.h"

void snw_linear_take(snw_Linear *linear, snw_Sizes sizes, snw_Arena *arena)
{
    size_t dofs = (size_t)sizes.dofs, links = (size_t)sizes.links;
    size_t rows = 6 * (size_t)sizes.goals;
    size_t square = dofs < SNW_MOST_SQUARE_DOFS ? dofs : SNW_MOST_SQUARE_DOFS;
    size_t by_rows = snw_linear_room(rows, rows);
    size_t matrix = square * square > by_rows ? square * square : by_rows;
    linear->jacobian = snw_arena_take(arena, snw_linear_room(dofs, rows), sizeof(double));
    linear->error = snw_arena_take(arena, rows, sizeof(double));
    linear->pull = snw_arena_take(arena, dofs, sizeof(double));
    linear->softness = snw_arena_take(arena, dofs, sizeof(double));
    linear->last_step = snw_arena_take(arena, dofs, sizeof(double));
    linear->force = snw_arena_take(arena, dofs, sizeof(double));
    linear->shares = snw_arena_take(arena, dofs, sizeof(double));
    linear->row_force = snw_arena_take(arena, rows, sizeof(double));
    linear->fixed = snw_arena_take(arena, dofs, sizeof(unsigned char));
    linear->fixed_step = snw_arena_take(arena, dofs, sizeof(double));
    linear->turned = snw_arena_take(arena, links, sizeof(unsigned char));
    linear->triad = snw_arena_take(arena, links, sizeof(sinew_Mat3));
    linear->step = snw_arena_take(arena, dofs, sizeof(double));
    linear->matrix = snw_arena_take(arena, matrix, sizeof(double));
    linear->vector = snw_arena_take(arena, rows > dofs ? rows : dofs, sizeof(double));
    linear->link_work = snw_arena_take(arena, links * SNW_LINK_WORK, sizeof(double));
    linear->dof_work = snw_arena_take(arena, dofs * 6, sizeof(double));
}

bool snw_linear_is_dense(const snw_Plan *plan)
{
    size_t rows = (size_t)plan->row_count, dofs = (size_t)plan->dof_count;
    return rows * dofs <= SNW_MOST_ENTRIES && rows * rows <= SNW_MOST_ENTRIES;
}

void snw_linear_prepare(snw_Linear *linear, const snw_Plan *plan)
{
    snw_linear_release(linear, plan);
    if (!snw_linear_is_dense(plan)) { return; }
    size_t count = (size_t)plan->dof_count * (size_t)plan->row_count;
    for (size_t i = 0; i < count; ++i) { linear->jacobian[i] = 0.0; }
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
    SNW_ASSERT(link >= 0);
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
