#include "solve/method.h"
#include "solve/task.h"

// whether a dof stands between an effector and the root
static bool moves_effector(const snw_Plan *plan, const snw_Effector *effector, int dof)
{
    for (int l = effector->link; l >= plan->static_link_count; l = plan->links[l].parent) {
        int first = plan->links[l].dof, count = plan->links[l].motion == SNW_BALL ? 3 : 1;
        if (first >= 0 && dof >= first && dof < first + count) { return true; }
    }
    return false;
}

// columns by moving one dof at a time; the trial state is free for that
static void set_numeric_jacobian(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    double h = solve->options.difference_step;
    bool central = solve->options.jacobian == SINEW_JACOBIAN_CENTRAL_DIFFERENCE;
    for (int d = 0; d < plan->dof_count; ++d) { linear->step[d] = 0.0; }
    for (int d = 0; d < plan->dof_count; ++d) {
        double *column = &linear->jacobian[d * plan->row_count];
        for (int r = 0; r < plan->row_count; ++r) { column[r] = 0.0; }
        for (int side = 0; side < (central ? 2 : 1); ++side) {
            double sign = side == 0 ? 1.0 : -1.0;
            double width = sign * h * (central ? 2.0 : 1.0);
            linear->step[d] = sign * h;
            snw_state_integrate(
                plan, solve->current, linear->step, SINEW_LIMITS_NONE, NULL, solve->trial);
            snw_state_forward(plan, solve->trial, plan->static_link_count);
            snw_state_measure(plan, &solve->targets, solve->trial);
            ++solve->report.forward_count;
            for (int e = 0; e < plan->effector_count; ++e) {
                const snw_Effector *effector = &plan->effectors[e];
                // else rounding would stand where the analytic Jacobian trusts to find zeros
                if (!moves_effector(plan, effector, d)) { continue; }
                double *out = &column[effector->row];
                if (effector->position) {
                    sinew_Vec3 moved = sinew_vec3_sub(
                        solve->trial->effector_position[e], solve->current->effector_position[e]);
                    double scale = solve->targets.position_scale[e] / width;
                    out[0] += moved.x * scale;
                    out[1] += moved.y * scale;
                    out[2] += moved.z * scale;
                    out += 3;
                }
                if (effector->orientation) {
                    sinew_Mat3 turn = sinew_mat3_mul(solve->trial->effector_rotation[e],
                        sinew_mat3_transpose(solve->current->effector_rotation[e]));
                    sinew_Vec3 v = sinew_quat_log(sinew_quat_from_mat3(turn));
                    double scale = solve->targets.orientation_scale[e] / width;
                    out[0] += v.x * scale;
                    out[1] += v.y * scale;
                    out[2] += v.z * scale;
                }
            }
            for (int t = 0; t < plan->task_count; ++t) {
                const snw_Task *task = &plan->tasks[t];
                double moved[6];
                snw_goal_moved(
                    plan, &solve->targets, solve->current, solve->trial, task->goal, moved);
                for (int r = 0; r < task->row_count; ++r) {
                    double scale = snw_goal_row_scale(plan, &solve->targets, task->goal, r);
                    column[task->row + r] += moved[r] * scale / width;
                }
            }
        }
        linear->step[d] = 0.0;
    }
}

void snw_solve_need_jacobian(snw_Solve *solve)
{
    if (solve->fresh_jacobian) { return; }
    if (solve->options.jacobian == SINEW_JACOBIAN_ANALYTIC) {
        snw_linear_set_jacobian(&solve->linear, &solve->plan, &solve->targets, solve->current);
    } else {
        set_numeric_jacobian(solve);
    }
    solve->fresh_jacobian = true;
    ++solve->report.jacobian_count;
}
