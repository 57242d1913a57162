#include "solve/measure.h"
#include "math/quat.h"

#include "math/chord.h"
#include "solve/task.h"

// squared chord of the rotation between two balls
static double ball_chord2(const double *a, const double *b)
{
    sinew_Quat d = sinew_quat_mul(sinew_quat_conjugate(snw_quat_load(a)), snw_quat_load(b));
    return 4.0 * (d.x * d.x + d.y * d.y + d.z * d.z);
}

// rho/2 |rest (-) q|^2 + nu/2 |start (-) q|^2 over the free dofs; balls by their chords
static double pull_objective(
    const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    double rest = 0.0, velocity = 0.0;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        const double *value = &state->values[link->value];
        const double *at_rest = &targets->rest_values[link->value];
        const double *at_start = &targets->start_values[link->value];
        if (link->motion == SNW_BALL) {
            rest += ball_chord2(value, at_rest);
            velocity += ball_chord2(value, at_start);
        } else {
            double from_rest = at_rest[0] - value[0], from_start = at_start[0] - value[0];
            rest += plan->rest_pull[link->dof] * from_rest * from_rest;
            velocity += from_start * from_start;
        }
    }
    return 0.5 * (targets->rest_weight * rest + targets->velocity_weight * velocity);
}

static double measure_effector(
    const snw_Plan *plan, const snw_Targets *targets, snw_State *state, int e)
{
    const snw_Effector *effector = &plan->effectors[e];
    static const sinew_Mat3 identity = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    const sinew_Mat3 *rotation = effector->link < 0 ? &identity : &state->rotation[effector->link];
    double *error = &state->error[effector->row];
    double weighted = 0.0;

    sinew_Vec3 p = sinew_mat3_mul_vec3(*rotation, effector->offset);
    if (effector->link >= 0) { p = sinew_vec3_add(p, state->position[effector->link]); }
    state->effector_position[e] = p;
    if (effector->position) {
        sinew_Vec3 d = sinew_vec3_sub(targets->position[e], p);
        error[0] = d.x;
        error[1] = d.y;
        error[2] = d.z;
        error += 3;
        double square = sinew_vec3_dot(d, d);
        double scale = targets->position_scale[e];
        weighted += scale * scale * square;
        // a goal of weight 0 is no goal
        if (square > state->position_error2 && scale > 0.0) { state->position_error2 = square; }
    }
    if (effector->orientation) {
        sinew_Mat3 m = effector->has_frame ? sinew_mat3_mul(*rotation, effector->link_from_effector)
                                           : *rotation;
        state->effector_rotation[e] = m;
        sinew_Vec3 r = snw_rotation_chord(&m, &targets->orientation[e]);
        error[0] = r.x;
        error[1] = r.y;
        error[2] = r.z;
        double square = sinew_vec3_dot(r, r);
        double scale = targets->orientation_scale[e];
        weighted += scale * scale * square;
        if (square > state->orientation_chord2 && scale > 0.0) {
            state->orientation_chord2 = square;
        }
    }
    return weighted;
}

void snw_state_measure(const snw_Plan *plan, const snw_Targets *targets, snw_State *state)
{
    double weighted = 0.0;
    state->position_error2 = 0.0;
    state->orientation_chord2 = 0.0;
    for (int e = 0; e < plan->effector_count; ++e) {
        weighted += measure_effector(plan, targets, state, e);
    }
    state->pull_objective = 0.0;
    double constraint = 0.0;
    if (plan->task_count > 0) { weighted += snw_tasks_measure(plan, targets, state, &constraint); }
    state->goal_objective = 0.5 * weighted;
    state->objective = state->goal_objective + 0.5 * constraint;
    if (targets->rest_weight > 0.0 || targets->velocity_weight > 0.0) {
        state->pull_objective = pull_objective(plan, targets, state);
        state->objective += state->pull_objective;
    }
}
