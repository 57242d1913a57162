#include "solve/soft_reach.h"

#include "math/holds.h"
#include "solve/reach.h"

double snw_soft_reach_apply(const snw_Plan *plan, const snw_State *state, double share, bool limits,
    snw_Targets *targets, snw_Ease *out_ease)
{
    SNW_ASSERT(snw_holds_share(share));
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
