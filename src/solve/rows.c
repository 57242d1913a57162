#include "solve/rows.h"

#include "solve/task.h"

void snw_linear_set_error(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, double longest)
{
    for (int e = 0; e < plan->effector_count; ++e) {
        const snw_Effector *effector = &plan->effectors[e];
        const double *error = &state->error[effector->row];
        double *out = &linear->error[effector->row];
        if (effector->position) {
            double square = error[0] * error[0] + error[1] * error[1] + error[2] * error[2];
            double scale = targets->position_scale[e];
            if (square > longest * longest) { scale *= longest / sqrt(square); }
            for (int k = 0; k < 3; ++k) { *out++ = *error++ * scale; }
        }
        if (effector->orientation) {
            double scale = targets->orientation_scale[e];
            for (int k = 0; k < 3; ++k) { *out++ = *error++ * scale; }
        }
    }
    if (plan->task_count > 0) { snw_tasks_set_error(linear, plan, targets, state, longest); }
}

static inline double *put_scaled(double *column, sinew_Vec3 v, double scale)
{
    column[0] = v.x * scale;
    column[1] = v.y * scale;
    column[2] = v.z * scale;
    return column + 3;
}

// the entries of one effector in the columns of one link
static inline void put_link(double *column, int stride, const snw_Link *link,
    const sinew_Mat3 *rotation, sinew_Vec3 arm, const snw_Effector *effector, double position_scale,
    double orientation_scale)
{
    if (link->motion == SNW_BALL) {
        const sinew_Vec3 linear[3] = { { 0.0, -arm.z, arm.y }, { arm.z, 0.0, -arm.x },
            { -arm.y, arm.x, 0.0 } };
        const sinew_Vec3 angular[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
        for (int k = 0; k < 3; ++k) {
            double *entry = column + k * stride;
            if (effector->position) { entry = put_scaled(entry, linear[k], position_scale); }
            if (effector->orientation) { (void)put_scaled(entry, angular[k], orientation_scale); }
        }
        return;
    }
    sinew_Vec3 axis = snw_link_axis(link, rotation);
    bool hinge = snw_motion_is_hinge(link->motion);
    if (effector->position) {
        column = put_scaled(column, hinge ? sinew_vec3_cross(axis, arm) : axis, position_scale);
    }
    if (effector->orientation) { (void)put_scaled(column, axis, hinge ? orientation_scale : 0.0); }
}

void snw_linear_set_jacobian(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    int stride = plan->row_count;
    for (int e = 0; e < plan->effector_count; ++e) {
        const snw_Effector *effector = &plan->effectors[e];
        if (effector->task >= 0) { continue; }
        sinew_Vec3 point = state->effector_position[e];
        for (int l = effector->link; l >= plan->static_link_count; l = plan->links[l].parent) {
            const snw_Link *link = &plan->links[l];
            if (link->dof < 0) { continue; }
            put_link(&linear->jacobian[link->dof * stride + effector->row], stride, link,
                &state->rotation[l], sinew_vec3_sub(point, state->position[l]), effector,
                targets->position_scale[e], targets->orientation_scale[e]);
        }
        if (plan->follow_count > 0) { snw_follow_columns(linear, plan, state, effector); }
    }
    if (plan->task_count > 0) { snw_tasks_set_jacobian(linear, plan, targets, state); }
}
