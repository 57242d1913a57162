#include "solve/turn_bound.h"
#include "math/holds.h"
#include "math/quat.h"

// halvings of the way back to the start
#define HALVINGS 30
// tries of all joints together, the last of which is the start
#define BACKS 6

// links of one joint
typedef struct Group {
    int first, end, turning;
} Group;

static Group next_group(const snw_Plan *plan, const sinew_AxisPlace *places, int first)
{
    Group group = { first, first, 0 };
    int joint = places[plan->links[first].axis].joint;
    while (group.end < plan->link_count && places[plan->links[group.end].axis].joint == joint) {
        const snw_Link *link = &plan->links[group.end++];
        bool turns = link->motion == SNW_BALL || snw_motion_is_hinge(link->motion);
        group.turning += turns && link->dof >= 0 ? 1 : 0;
    }
    return group;
}

// the rotation of a joint, by the values of its links
static sinew_Quat turn_of(const snw_Plan *plan, const Group *group, const double *values)
{
    sinew_Quat turn = sinew_quat_identity();
    for (int l = group->first; l < group->end; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->has_turn) { turn = sinew_quat_mul(turn, sinew_quat_from_mat3(link->turn)); }
        const double *value = &values[link->value];
        if (link->motion == SNW_BALL) {
            turn = sinew_quat_mul(turn, snw_quat_load(value));
        } else if (snw_motion_is_hinge(link->motion)) {
            double s, c;
            sinew_sincos(0.5 * value[0], &s, &c);
            sinew_Quat own = { link->motion == SNW_HINGE_X ? s : 0.0,
                link->motion == SNW_HINGE_Y ? s : 0.0, link->motion == SNW_HINGE_Z ? s : 0.0, c };
            turn = sinew_quat_mul(turn, own);
        }
    }
    return sinew_quat_normalize(turn);
}

// the links of a joint at a share of the way from start to end
static void put_share(const snw_Plan *plan, const Group *group, const double *start,
    const double *end, double share, double *out)
{
    SNW_ASSERT(snw_holds_share(share));
    for (int l = group->first; l < group->end; ++l) {
        const snw_Link *link = &plan->links[l];
        const double *a = &start[link->value], *b = &end[link->value];
        double *value = &out[link->value];
        if (link->motion == SNW_BALL) {
            sinew_Quat r = sinew_quat_slerp(snw_quat_load(a), snw_quat_load(b), share);
            // where a limit is in the way, as it started
            if (link->limit != NULL && !sinew_ball_limit_allows(link->limit, r)) {
                r = snw_quat_load(a);
            }
            snw_quat_store(r, value);
        } else {
            value[0] = a[0] + share * (b[0] - a[0]);
        }
    }
}

// bring one joint back; end has its values without the bound
static void bound_group(const snw_Plan *plan, const Group *group, const double *start,
    const double *end, double *values)
{
    sinew_Quat from = turn_of(plan, group, start);
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high);
        put_share(plan, group, start, end, middle, values);
        if (sinew_quat_angle(from, turn_of(plan, group, values)) <= plan->most_change) {
            low = middle;
        } else {
            high = middle;
        }
    }
    put_share(plan, group, start, end, low, values);
}

// whether all joints keep the bound; those that do not are brought back one by one if cut is set
static bool keeps_bound(snw_Solve *solve, bool cut)
{
    const snw_Plan *plan = &solve->plan;
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(solve->skeleton);
    double *values = solve->current->values, *end = solve->best_values;
    bool keeps = true;
    for (int l = plan->static_link_count; l < plan->link_count;) {
        Group group = next_group(plan, places, l);
        l = group.end;
        // the axes of one are bounded already
        if (group.turning < 2) { continue; }
        sinew_Quat from = turn_of(plan, &group, solve->start_values);
        if (sinew_quat_angle(from, turn_of(plan, &group, values)) <= plan->most_change) {
            continue;
        }
        keeps = false;
        if (!cut) { return false; }
        for (int i = 0; i < plan->value_count; ++i) { end[i] = values[i]; }
        bound_group(plan, &group, solve->start_values, end, values);
    }
    return keeps;
}

static void measure(snw_Solve *solve)
{
    solve->posed = false;
    snw_solve_pose(solve);
}

bool snw_bound_turns(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    if (isinf(plan->most_change) || keeps_bound(solve, true)) { return false; }
    measure(solve);
    // joints that were brought back may leave the goals farther off than they were: then all go back
    double *values = solve->current->values, *end = solve->best_values, share = 1.0;
    for (int i = 0; i < plan->value_count; ++i) { end[i] = values[i]; }
    for (int k = 0; k < BACKS && solve->current->objective > solve->report.start_objective; ++k) {
        share = k + 1 < BACKS ? 0.5 * share : 0.0;
        for (int l = plan->static_link_count; l < plan->link_count; ++l) {
            const Group one = { l, l + 1, 1 };
            put_share(plan, &one, solve->start_values, end, share, values);
        }
        if (share > 0.0 && !keeps_bound(solve, false)) { continue; }
        measure(solve);
    }
    return true;
}
