// How freely the effectors move in a pose: singular values of each goal's rows, and reach.

#include "math/svd.h"
#include "solve/diagnosis.h"
#include "solve/reach.h"

// singular values below this share of the largest are poor
#define POOR_SHARE 0.05
// cosine from which a direction is along the chain
#define ALONG_CHAIN 0.9

size_t snw_condition_scratch(const sinew_Skeleton *skeleton)
{
    size_t n = (size_t)sinew_skeleton_dof_count(skeleton), m = SNW_GOAL_ROWS;
    return m * m + m + m * n + snw_svd_scratch_count((int)m, (int)n);
}

// of the last vector, the one of the smallest singular value; directions a chain with too few joints
// cannot move in at all count as well
static void find_singular(
    const snw_Case *it, int g, const snw_Solve *solve, sinew_GoalDiagnosis *goal)
{
    const snw_Plan *plan = &solve->plan;
    bool place = plan->effectors[g].position;
    int m, n = plan->dof_count, first = snw_goal_rows(plan, g, &m);
    int k = m < n ? m : n;
    double scale = m > 0 ? snw_goal_row_scale(plan, &solve->targets, g, 0) : 0.0;
    // the largest plans have no Jacobian
    if (k == 0 || !(scale > 0.0) || !snw_linear_is_dense(plan)) { return; }
    double *u = it->diagnosis->svd, *sigma = u + m * m, *v = sigma + m, *scratch = v + m * n;
    if (!snw_svd(&solve->linear.jacobian[first], m, n, plan->row_count, u, sigma, v, scratch)) {
        return;
    }
    goal->largest_singular = sigma[0] / scale;
    goal->smallest_singular = n < m ? 0.0 : sigma[k - 1] / scale;
    if (!(sigma[0] > 0.0) || goal->smallest_singular > POOR_SHARE * goal->largest_singular) {
        return;
    }
    goal->conditioning = SINEW_CONDITIONING_SINGULAR;
    if (!place || n < m) { return; }
    const double *least = u + (k - 1) * m;
    goal->stiff_direction = sinew_vec3_normalize_or(
        sinew_vec3(least[0], least[1], least[2]), sinew_vec3(0.0, 0.0, 0.0));
}

void snw_case_condition(const snw_Case *it)
{
    const snw_Solve *solve = snw_solver_inside(it->solver);
    bool limits = it->options.limits != SINEW_LIMITS_NONE;
    for (int g = 0; g < it->goal_count; ++g) {
        sinew_GoalDiagnosis *goal = &it->diagnosis->goals[g];
        goal->reach_margin = INFINITY;
        find_singular(it, g, solve, goal);
        if (!solve->plan.effectors[g].position) { continue; }
        snw_Reach reach = snw_reach(&solve->plan, solve->current, g, limits);
        if (!reach.known) { continue; }
        sinew_Vec3 out = sinew_vec3_sub(solve->current->effector_position[g], reach.pivot);
        double distance = sinew_vec3_length(out);
        double wanted = sinew_vec3_distance(it->goals[g].position, reach.pivot);
        goal->reach_margin = reach.longest - (goal->met ? distance : fmax(distance, wanted));
        double along = fabs(sinew_vec3_dot(out, goal->stiff_direction));
        if (goal->conditioning == SINEW_CONDITIONING_SINGULAR && reach.inner_count > 0
            && along > ALONG_CHAIN * distance && distance > 0.5 * reach.longest) {
            goal->conditioning = SINEW_CONDITIONING_STRAIGHT;
        }
    }
}
