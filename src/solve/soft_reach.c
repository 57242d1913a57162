#include "solve/soft_reach.h"

#include "solve/reach.h"

// Near full stretch the bend of a knee goes with the square root of what is left of the reach, so a
// goal that leaves at an even speed turns it infinitely fast. Here the bend follows another curve from
// the point on where the easing sets in: with s the width of the easing, R the reach and d the goal's
// distance,
//
//     R - d' = s (1 - x / 4)^4,  x = (d - (R - s)) / s
//
// The slope at x = 0 is that of d itself. The bend, its square root, becomes a parabola that ends flat:
// no speed is larger than at x = 0, and the acceleration is constant, half of what it is just before.
// Of the family (1 - x / p)^p this is the nearest to the goal whose acceleration is bounded: at full
// stretch it is off by 0.316 s, where the exponential (p infinite) is by 0.368 s and x / (1 + x) by
// 0.5 s; p = 2 and 3 are nearer but end with a jolt.

double snw_soft_reach_distance(double distance, double longest, double share)
{
    double width = share * longest;
    double x = (distance - (longest - width)) / width;
    if (!(width > 0.0)) { return distance < longest ? distance : longest; }
    if (!(x > 0.0)) { return distance; }
    if (x >= 4.0) { return longest; }
    double left = 1.0 - 0.25 * x;
    left *= left;
    return longest - width * left * left;
}

double snw_soft_reach_apply(const snw_Plan *plan, const snw_State *state, double share, bool limits,
    snw_Targets *targets, snw_Ease *out_ease)
{
    double beyond = -1.0;
    for (int e = 0; e < plan->effector_count; ++e) {
        out_ease[e] = (snw_Ease){ { 0.0, 0.0, 0.0 }, 0.0 };
        if (!plan->effectors[e].position || plan->effectors[e].link < 0) { continue; }
        snw_Reach reach = snw_reach(plan, state, e, limits);
        if (!reach.known || reach.inner_count == 0) { continue; }
        sinew_Vec3 out = sinew_vec3_sub(targets->position[e], reach.pivot);
        double distance = sinew_vec3_length(out);
        double eased = snw_soft_reach_distance(distance, reach.longest, share);
        if (!(eased < distance)) { continue; }
        out_ease[e].way = sinew_vec3_scale(out, 1.0 - eased / distance);
        out_ease[e].cost = fmin(distance, reach.longest) - eased;
        targets->position[e] = sinew_vec3_sub(targets->position[e], out_ease[e].way);
        beyond = fmax(beyond, fmax(0.0, distance - reach.longest));
    }
    return beyond;
}
