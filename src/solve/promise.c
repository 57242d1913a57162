#include "solve/linear.h"

// What a step leads to by the linear model: velocities down the tree, then |e - J step|^2.

typedef struct Twist {
    sinew_Vec3 angular, linear; // of the body's point at the world's origin
} Twist;

static Twist link_motion(
    const snw_Link *link, const double *step, const sinew_Mat3 *rotation, sinew_Vec3 position)
{
    Twist r = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    if (link->dof < 0) { return r; }
    if (link->motion == SNW_BALL) {
        r.angular = sinew_vec3(step[link->dof], step[link->dof + 1], step[link->dof + 2]);
    } else {
        sinew_Vec3 along = sinew_vec3_scale(snw_link_axis(link, rotation), step[link->dof]);
        if (!snw_motion_is_hinge(link->motion)) {
            r.linear = along;
            return r;
        }
        r.angular = along;
    }
    r.linear = sinew_vec3_cross(position, r.angular);
    return r;
}

static double squared_rest(const double *error, sinew_Vec3 change, double scale)
{
    sinew_Vec3 rest = { error[0] - scale * change.x, error[1] - scale * change.y,
        error[2] - scale * change.z };
    return sinew_vec3_dot(rest, rest);
}

double snw_linear_promise(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    Twist *twists = (Twist *)(void *)linear->link_work;
    double rest = 0.0;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        twists[l] = link_motion(link, linear->step, &state->rotation[l], state->position[l]);
        if (link->parent >= plan->static_link_count) {
            const Twist *above = &twists[link->parent];
            twists[l].angular = sinew_vec3_add(twists[l].angular, above->angular);
            twists[l].linear = sinew_vec3_add(twists[l].linear, above->linear);
        }
    }
    for (int e = 0; e < plan->effector_count; ++e) {
        const snw_Effector *effector = &plan->effectors[e];
        Twist still = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
        const Twist *twist = effector->link >= plan->static_link_count ? &twists[effector->link]
                                                                       : &still;
        const double *error = &linear->error[effector->row];
        if (effector->position) {
            sinew_Vec3 change = sinew_vec3_add(
                twist->linear, sinew_vec3_cross(twist->angular, state->effector_position[e]));
            rest += squared_rest(error, change, targets->position_scale[e]);
            error += 3;
        }
        if (effector->orientation) {
            rest += squared_rest(error, twist->angular, targets->orientation_scale[e]);
        }
    }
    return rest;
}
