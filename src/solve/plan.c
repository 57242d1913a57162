#include "solve/plan.h"

#include "base/assert.h"
#include "math/holds.h"
#include "math/quat.h"
#include "sinew/jacobian.h"
#include "solve/tops.h"

// a slide of more metres than this is as good as endless: what hangs on it is lost beside them
#define MOST_TRAVEL 1e4
// goals farther away than this many reaches stretch the reach of slides without end, up to so many metres
#define FAR_GOAL 4.0
#define MOST_REACH 1e9
// margin of near_lower and near_upper: a few roundings of value + (bound - value)
#define BOUND_MARGIN 1e-15

snw_Sizes snw_sizes_of(const sinew_Skeleton *skeleton, int max_goals)
{
    return (snw_Sizes){ .links = sinew_skeleton_axis_count(skeleton),
        .values = sinew_skeleton_coordinate_count(skeleton),
        .dofs = sinew_skeleton_dof_count(skeleton),
        .goals = max_goals };
}

void snw_plan_take(snw_Plan *plan, snw_Sizes sizes, snw_Arena *arena)
{
    size_t axes = (size_t)sizes.links, dofs = (size_t)sizes.dofs, goals = (size_t)sizes.goals;
    plan->links = snw_arena_take(arena, axes, sizeof *plan->links);
    plan->hinges = snw_arena_take(arena, axes, sizeof *plan->hinges);
    plan->effectors = snw_arena_take(arena, goals, sizeof *plan->effectors);
    plan->tasks = snw_arena_take(arena, goals, sizeof *plan->tasks);
    plan->effector_order = snw_arena_take(arena, goals, sizeof *plan->effector_order);
    plan->link_effectors = snw_arena_take(arena, axes + 1, sizeof *plan->link_effectors);
    plan->dof_link = snw_arena_take(arena, dofs, sizeof *plan->dof_link);
    plan->dof_parent = snw_arena_take(arena, dofs, sizeof *plan->dof_parent);
    plan->dof_depth = snw_arena_take(arena, dofs, sizeof *plan->dof_depth);
    plan->lower = snw_arena_take(arena, dofs, sizeof *plan->lower);
    plan->upper = snw_arena_take(arena, dofs, sizeof *plan->upper);
    plan->range_lower = snw_arena_take(arena, dofs, sizeof *plan->range_lower);
    plan->range_upper = snw_arena_take(arena, dofs, sizeof *plan->range_upper);
    plan->near_lower = snw_arena_take(arena, dofs, sizeof *plan->near_lower);
    plan->near_upper = snw_arena_take(arena, dofs, sizeof *plan->near_upper);
    plan->rest_pull = snw_arena_take(arena, dofs, sizeof *plan->rest_pull);
    plan->mobility = snw_arena_take(arena, dofs, sizeof *plan->mobility);
    plan->softness = snw_arena_take(arena, dofs, sizeof *plan->softness);
    plan->link_mass = snw_arena_take(arena, axes, sizeof *plan->link_mass);
    plan->below_mass = snw_arena_take(arena, axes, sizeof *plan->below_mass);
    plan->link_moment = snw_arena_take(arena, axes, sizeof *plan->link_moment);
}

void snw_plan_scratch_take(
    snw_PlanScratch *scratch, const sinew_Skeleton *skeleton, snw_Arena *arena)
{
    size_t joints = (size_t)sinew_skeleton_joint_count(skeleton);
    size_t axes = (size_t)sinew_skeleton_axis_count(skeleton);
    scratch->tops = snw_arena_take(arena, joints, sizeof *scratch->tops);
    scratch->joint_link = snw_arena_take(arena, joints, sizeof *scratch->joint_link);
    scratch->link_from_joint = snw_arena_take(arena, joints, sizeof *scratch->link_from_joint);
    scratch->links = snw_arena_take(arena, axes, sizeof *scratch->links);
    scratch->place = snw_arena_take(arena, axes, sizeof *scratch->place);
    scratch->length = snw_arena_take(arena, axes, sizeof *scratch->length);
    scratch->travel = snw_arena_take(arena, axes, sizeof *scratch->travel);
    scratch->last_dof = snw_arena_take(arena, axes, sizeof *scratch->last_dof);
    scratch->masses = snw_arena_take(arena, joints, sizeof *scratch->masses);
}

static bool has_center(const sinew_Goal *goal)
{
    return goal->kind == SINEW_GOAL_CENTER_OF_MASS || goal->kind == SINEW_GOAL_SUPPORT;
}

// a rotation that takes z to a unit direction
static sinew_Quat turn_z_to(sinew_Vec3 direction)
{
    return sinew_quat_between(sinew_vec3(0.0, 0.0, 1.0), direction);
}

// 0, 1, 2 for the frame's own directions, -1 for others
static int own_direction(sinew_Vec3 d)
{
    if (d.x == 1.0 && d.y == 0.0 && d.z == 0.0) { return 0; }
    if (d.x == 0.0 && d.y == 1.0 && d.z == 0.0) { return 1; }
    if (d.x == 0.0 && d.y == 0.0 && d.z == 1.0) { return 2; }
    return -1;
}

// take one joint apart into links; returns the new number of links
static int add_joint_links(const snw_PlanScratch *scratch, const sinew_Skeleton *skeleton,
    const double *mobility, int joint, int link_count)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    SNW_ASSERT(link_count >= 0);
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[j->axis_start];
    const sinew_AxisPlace *places = &sinew_skeleton_axis_places(skeleton)[j->axis_start];
    int link = j->parent >= 0 ? scratch->joint_link[j->parent] : -1;
    sinew_Transform frame = { j->offset, j->rest_rotation };
    if (j->parent >= 0) { frame = sinew_transform_mul(scratch->link_from_joint[j->parent], frame); }

    for (int a = 0; a < j->axis_count; ++a) {
        int own = axes[a].kind == SINEW_AXIS_BALL ? 0 : own_direction(axes[a].direction);
        sinew_Quat after = sinew_quat_identity();
        if (own < 0) {
            sinew_Quat to_z = turn_z_to(axes[a].direction);
            frame.rotation = sinew_quat_mul(frame.rotation, to_z);
            after = sinew_quat_conjugate(to_z);
            own = 2;
        }
        int first = axes[a].kind == SINEW_AXIS_BALL ? SNW_BALL
            : axes[a].kind == SINEW_AXIS_HINGE      ? SNW_HINGE_X
                                                    : SNW_SLIDE_X;
        bool free = snw_top_moves(scratch->tops, joint) && mobility[j->axis_start + a] > 0.0
            && axes[a].lower < axes[a].upper;
        scratch->links[link_count] = (snw_Link){ .parent = link,
            .motion = (snw_Motion)(first + own),
            .has_turn = !snw_quat_is_identity(frame.rotation),
            .has_offset = sinew_vec3_dot(frame.position, frame.position) > 0.0,
            .coordinate = places[a].coordinate,
            .dof = free ? 0 : -1,
            .axis = j->axis_start + a,
            .limit = axes[a].limit,
            .offset = frame.position,
            .turn = sinew_mat3_from_quat(frame.rotation) };
        link = link_count++;
        frame = (sinew_Transform){ { 0.0, 0.0, 0.0 }, after };
    }
    scratch->joint_link[joint] = link;
    scratch->link_from_joint[joint] = frame;
    return link_count;
}

// how far a link goes out by its slide, INFINITY where there is no end to that, or as good as none
static double travel_of(const snw_Link *link, const sinew_Axis *axis)
{
    if (link->dof < 0 || axis->kind != SINEW_AXIS_SLIDE) { return 0.0; }
    bool ends = axis->upper - axis->lower <= MOST_TRAVEL;
    return ends ? fmax(fabs(axis->lower), fabs(axis->upper)) : INFINITY;
}

// sort the links that nothing moves to the front, keeping the order otherwise
static void place_links(
    snw_Plan *plan, const snw_PlanScratch *scratch, const sinew_Skeleton *skeleton, int link_count)
{
    SNW_ASSERT(link_count >= 0);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    // a static link has length -1; a moving one adds its bone to the chain above
    int static_count = 0;
    for (int l = 0; l < link_count; ++l) {
        const snw_Link *link = &scratch->links[l];
        double above = link->parent >= 0 ? scratch->length[link->parent] : -1.0;
        if (above >= 0.0) {
            scratch->length[l] = above + sinew_vec3_length(link->offset);
        } else {
            scratch->length[l] = link->dof >= 0 ? 0.0 : -1.0;
        }
        if (scratch->length[l] < 0.0) { ++static_count; }
        scratch->travel[l] = travel_of(link, &axes[link->axis]);
        if (link->parent >= 0) { scratch->travel[l] += scratch->travel[link->parent]; }
    }
    int next_static = 0, next_moving = static_count;
    for (int l = 0; l < link_count; ++l) {
        scratch->place[l] = scratch->length[l] < 0.0 ? next_static++ : next_moving++;
    }
    plan->link_count = link_count;
    plan->static_link_count = static_count;
    for (int l = 0; l < link_count; ++l) {
        snw_Link *link = &plan->links[scratch->place[l]];
        *link = scratch->links[l];
        if (link->parent >= 0) { link->parent = scratch->place[link->parent]; }
    }
}

static void number_links(snw_Plan *plan, const snw_PlanScratch *scratch,
    const sinew_Skeleton *skeleton, const double *mobility)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    plan->value_count = 0;
    plan->dof_count = 0;
    plan->hinge_count = 0;
    plan->has_mobility = false;
    for (int l = 0; l < plan->link_count; ++l) {
        snw_Link *link = &plan->links[l];
        bool ball = link->motion == SNW_BALL;
        link->value = plan->value_count;
        plan->value_count += ball ? 4 : 1;
        if (snw_motion_is_hinge(link->motion) && l >= plan->static_link_count) {
            plan->hinges[plan->hinge_count++] = l;
        }
        int above_dof = link->parent >= 0 ? scratch->last_dof[link->parent] : -1;
        scratch->last_dof[l] = above_dof;
        if (link->dof < 0) { continue; }

        link->dof = plan->dof_count;
        scratch->last_dof[l] = link->dof + (ball ? 2 : 0);
        for (int k = 0; k < (ball ? 3 : 1); ++k) {
            int d = plan->dof_count++;
            plan->dof_link[d] = l;
            int above = k == 0 ? above_dof : d - 1;
            plan->dof_parent[d] = above;
            plan->dof_depth[d] = above >= 0 ? plan->dof_depth[above] + 1 : 0;
            plan->range_lower[d] = axes[link->axis].lower;
            plan->range_upper[d] = axes[link->axis].upper;
            bool endless = !ball && !snw_motion_is_hinge(link->motion)
                && !isfinite(axes[link->axis].upper - axes[link->axis].lower);
            plan->rest_pull[d] = endless ? 0.0 : 1.0;
            plan->mobility[d] = mobility[link->axis];
            if (plan->mobility[d] != 1.0) { plan->has_mobility = true; }
        }
    }
}

// Damping is meant for turns. A slide by L is damped as a turn by a radian, else a large body's slides
// would hardly move beside its hinges, which have longer arms; below a metre, as one by a metre, which
// damps them less.
static void soften(snw_Plan *plan)
{
    double unit2 = plan->reach > 1.0 ? plan->reach * plan->reach : 1.0;
    plan->has_softness = false;
    for (int d = 0; d < plan->dof_count; ++d) {
        snw_Motion motion = plan->links[plan->dof_link[d]].motion;
        bool slide = motion != SNW_BALL && !snw_motion_is_hinge(motion);
        plan->softness[d] = plan->mobility[d] * (slide ? unit2 : 1.0);
        if (plan->softness[d] != 1.0) { plan->has_softness = true; }
    }
}

// counting sort of the effectors by link; those fixed in the world move nothing and are left out
static void sort_effectors(snw_Plan *plan, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    for (int l = 0; l <= plan->link_count; ++l) { plan->link_effectors[l] = 0; }
    for (int e = 0; e < goal_count; ++e) {
        if (plan->effectors[e].link >= 0) { ++plan->link_effectors[plan->effectors[e].link + 1]; }
    }
    for (int l = 0; l < plan->link_count; ++l) {
        plan->link_effectors[l + 1] += plan->link_effectors[l];
    }
    for (int e = goal_count - 1; e >= 0; --e) {
        int link = plan->effectors[e].link;
        if (link >= 0) { plan->effector_order[--plan->link_effectors[link + 1]] = e; }
    }
    // each start was moved to its own beginning, one entry too far right
    for (int l = 0; l < plan->link_count; ++l) {
        plan->link_effectors[l] = plan->link_effectors[l + 1];
    }
    int placed = 0;
    for (int e = 0; e < goal_count; ++e) { placed += plan->effectors[e].link >= 0 ? 1 : 0; }
    plan->link_effectors[plan->link_count] = placed;
}

// a frame of a joint, as its link carries it
static snw_Place place_on(
    const snw_PlanScratch *scratch, int joint, const sinew_Transform *joint_from_frame)
{
    if (joint < 0) {
        return (snw_Place){ -1, joint_from_frame->position,
            sinew_mat3_from_quat(joint_from_frame->rotation) };
    }
    sinew_Transform frame = sinew_transform_mul(scratch->link_from_joint[joint], *joint_from_frame);
    int link = scratch->joint_link[joint];
    return (snw_Place){ link < 0 ? -1 : scratch->place[link], frame.position,
        sinew_mat3_from_quat(frame.rotation) };
}

static int mask_count(unsigned mask)
{
    return (int)(mask & 1u) + (int)(mask >> 1 & 1u) + (int)(mask >> 2 & 1u);
}

// the rows of a goal that is not plain
static void count_rows(snw_Task *task, const sinew_Goal *goal, bool rows_half)
{
    int turn_count = 0;
    switch (goal->kind) {
    case SINEW_GOAL_POSITION:
    case SINEW_GOAL_CENTER_OF_MASS:
        task->position_row_count = mask_count(goal->position_mask);
        break;
    case SINEW_GOAL_POSE:
        task->position_row_count = mask_count(goal->position_mask);
        turn_count = rows_half ? 0 : mask_count(goal->orientation_mask);
        break;
    case SINEW_GOAL_ORIENTATION: turn_count = mask_count(goal->orientation_mask); break;
    case SINEW_GOAL_AIM:
    case SINEW_GOAL_DIRECTION: turn_count = 2; break;
    case SINEW_GOAL_POLE: turn_count = 1; break;
    case SINEW_GOAL_SUPPORT: task->position_row_count = 2; break;
    case SINEW_GOAL_REST: break;
    }
    task->has_orientation = turn_count > 0;
    task->row_count = task->position_row_count + turn_count;
}

static void add_task(snw_Plan *plan, const snw_PlanScratch *scratch, const sinew_Skeleton *skeleton,
    const sinew_Goal *goal, int g, bool rows_half)
{
    const sinew_Transform none = sinew_transform_identity();
    snw_Task *task = &plan->tasks[plan->task_count];
    *task = (snw_Task){ .goal = g,
        .kind = goal->kind,
        .row = plan->row_count,
        .position_mask = goal->position_mask,
        .orientation_mask = goal->orientation_mask,
        .constraint = goal->constraint,
        .effector = place_on(scratch, goal->joint, &goal->joint_from_effector),
        .reference = place_on(scratch, goal->reference, &none) };
    count_rows(task, goal, rows_half);
    if (goal->kind == SINEW_GOAL_POLE) {
        task->start = place_on(scratch, goal->start_joint, &none);
        task->middle = place_on(scratch, goal->middle_joint, &none);
        task->length = sinew_skeleton_chain_length(skeleton, goal->start_joint, goal->joint)
            + sinew_vec3_length(goal->joint_from_effector.position);
    }
    if (goal->kind == SINEW_GOAL_SUPPORT) { task->support = plan->support_count++; }
    plan->effectors[g].task = plan->task_count++;
    plan->row_count += task->row_count;
    plan->has_orientation = plan->has_orientation || task->has_orientation;
    plan->has_constraint = plan->has_constraint || task->constraint;
    plan->has_center = plan->has_center || has_center(goal);
}

static void extend_reach(
    snw_Plan *plan, const snw_PlanScratch *scratch, int link, sinew_Vec3 offset)
{
    if (link < 0 || scratch->length[link] < 0.0) { return; }
    double length = scratch->length[link] + sinew_vec3_length(offset);
    double travel = scratch->travel[link];
    plan->is_endless = plan->is_endless || isinf(travel);
    // slides that carry an arm count for themselves, or they would change what the arm is measured by
    if (travel > length && !isinf(travel)) { length = travel; }
    if (length > plan->reach) { plan->reach = length; }
}

// goals without an effector alone: the longest chain there is
static void reach_all(
    snw_Plan *plan, const snw_PlanScratch *scratch, const sinew_Skeleton *skeleton)
{
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        if (scratch->tops[j] == SNW_TOP_NONE) { continue; }
        extend_reach(plan, scratch, scratch->joint_link[j], scratch->link_from_joint[j].position);
    }
}

static void place_effectors(snw_Plan *plan, const snw_PlanScratch *scratch,
    const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count, bool rows_half)
{
    SNW_ASSERT(goal_count >= 0);
    plan->effector_count = goal_count;
    plan->row_count = 0;
    plan->reach = 0.0;
    plan->is_endless = false;
    plan->has_orientation = false;
    plan->task_count = 0;
    plan->support_count = 0;
    plan->has_center = false;
    plan->has_constraint = false;
    for (int g = 0; g < goal_count; ++g) {
        snw_Effector *effector = &plan->effectors[g];
        *effector = (snw_Effector){ .link = -1,
            .row = plan->row_count,
            .link_from_effector = sinew_mat3_identity(),
            .task = -1 };
        int link = -1;
        if (goals[g].joint >= 0) {
            link = scratch->joint_link[goals[g].joint];
            sinew_Transform frame = sinew_transform_mul(
                scratch->link_from_joint[goals[g].joint], goals[g].joint_from_effector);
            effector->link = link < 0 ? -1 : scratch->place[link];
            effector->has_frame = !snw_quat_is_identity(frame.rotation);
            effector->offset = frame.position;
            effector->link_from_effector = sinew_mat3_from_quat(frame.rotation);
            extend_reach(plan, scratch, link, frame.position);
        }
        if (!sinew_goal_is_plain(&goals[g])) {
            add_task(plan, scratch, skeleton, &goals[g], g, rows_half);
            continue;
        }
        effector->position = goals[g].kind != SINEW_GOAL_ORIENTATION;
        effector->orientation = goals[g].kind != SINEW_GOAL_POSITION && !rows_half;
        plan->has_orientation = plan->has_orientation || effector->orientation;
        plan->row_count += (effector->position ? 3 : 0) + (effector->orientation ? 3 : 0);
    }
    if (!(plan->reach > 0.0) && plan->task_count > 0) { reach_all(plan, scratch, skeleton); }
    if (!(plan->reach > 1e-9)) { plan->reach = sinew_skeleton_size(skeleton); }
    plan->own_reach = plan->reach;
    sort_effectors(plan, goal_count);
}

bool snw_plan_fit_reach(snw_Plan *plan, double distance)
{
    double reach = plan->own_reach;
    bool far = plan->is_endless && distance > FAR_GOAL * reach;
    // by doubling, so that a goal that comes nearer does not change all numbers in each frame
    while (far && reach < distance && reach < MOST_REACH) { reach *= 2.0; }
    if (reach == plan->reach) { return false; }
    plan->reach = reach;
    ++plan->range_count; // those of slides are kept in shares of it
    soften(plan);
    return true;
}

static void set_range(snw_Plan *plan, int dof, double lower, double upper)
{
    plan->lower[dof] = lower;
    plan->upper[dof] = upper;
    plan->near_lower[dof] = lower + BOUND_MARGIN * (1.0 + fabs(lower));
    plan->near_upper[dof] = upper - BOUND_MARGIN * (1.0 + fabs(upper));
}

void snw_plan_set_limits(snw_Plan *plan, const snw_AxisLimit *limits)
{
    for (int l = 0; l < plan->link_count; ++l) {
        snw_Link *link = &plan->links[l];
        link->limit = limits[link->axis].limit;
        if (link->dof < 0 || link->motion == SNW_BALL) { continue; }
        plan->range_lower[link->dof] = limits[link->axis].lower;
        plan->range_upper[link->dof] = limits[link->axis].upper;
    }
    plan->most_change = 0.0;
    snw_plan_bound_change(plan, NULL, INFINITY);
}

void snw_plan_set_bound_change(snw_Plan *plan, const double *values, double most_change)
{
    plan->most_change = most_change;
    plan->change_start = values;
    ++plan->range_count;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        int d = link->dof;
        for (int k = 0; d >= 0 && k < (link->motion == SNW_BALL ? 3 : 1); ++k) {
            double lower = plan->range_lower[d + k], upper = plan->range_upper[d + k];
            if (link->follow > 0 && !plan->follows[link->follow - 1].is_free) {
                lower = plan->follows[link->follow - 1].lower;
                upper = plan->follows[link->follow - 1].upper;
            }
            if (link->motion != SNW_BALL && values != NULL && isfinite(most_change)) {
                bool hinge = snw_motion_is_hinge(link->motion);
                double most = hinge ? most_change : most_change * plan->own_reach;
                double value = values[link->value];
                if (value - most > lower) { lower = value - most; }
                if (value + most < upper) { upper = value + most; }
            }
            set_range(plan, d + k, lower, upper);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Hinges that follow a direction

static int moving_link_of(const snw_Plan *plan, int axis)
{
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        if (plan->links[l].axis == axis) { return l; }
    }
    return -1;
}

// a direction in the frame of the joint of a link, in the frame of the link
static sinew_Vec3 in_link(const sinew_Axis *axis, sinew_Vec3 direction)
{
    if (own_direction(axis->direction) >= 0) { return direction; }
    return sinew_quat_rotate(sinew_quat_conjugate(turn_z_to(axis->direction)), direction);
}

static bool is_above(const snw_Plan *plan, int link, int below)
{
    while (below > link) { below = plan->links[below].parent; }
    return below == link;
}

void snw_plan_follow(snw_Plan *plan, const sinew_Skeleton *skeleton, snw_Follow *follows, int count)
{
    SNW_ASSERT(count >= 0 && count <= SNW_MOST_FOLLOWS);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        if (plan->links[l].follow > 0) { plan->rest_pull[plan->links[l].dof] = 1.0; }
        plan->links[l].follow = 0;
    }
    plan->follows = follows;
    plan->follow_count = count;
    for (int i = 0; i < count; ++i) {
        snw_Follow *follow = &follows[i];
        follow->link = moving_link_of(plan, follow->axis);
        follow->last = moving_link_of(plan, follow->last_axis);
        if (follow->link >= 0
            && (plan->links[follow->link].dof < 0
                || !snw_motion_is_hinge(plan->links[follow->link].motion)
                || !is_above(plan, follow->link, follow->last))) {
            follow->link = -1;
        }
        if (follow->link < 0) { continue; }
        follow->own_lower = follow->own_upper = NAN;
        follow->inner = in_link(&axes[follow->last_axis], follow->direction);
        plan->links[follow->link].follow = i + 1;
        // a rest is an angle
        if (!follow->is_free) { plan->rest_pull[plan->links[follow->link].dof] = 0.0; }
    }
}

void snw_plan_know_range(snw_Plan *plan, int follow)
{
    SNW_ASSERT(follow >= 0 && follow < plan->follow_count);
    snw_Follow *f = &plan->follows[follow];
    int d = plan->links[f->link].dof;
    double lower = plan->range_lower[d], upper = plan->range_upper[d];
    double margin = 0.01 + fmax(-f->lower, f->upper);
    f->known_lower = f->lower;
    f->known_upper = f->upper;
    sinew_sincos(f->lower, &f->lower_sine, &f->lower_cosine);
    sinew_sincos(f->upper, &f->upper_sine, &f->upper_cosine);
    f->own_lower = lower;
    f->own_upper = upper;
    double half = 0.5 * (upper - lower) - margin, unused;
    f->inside = -2.0;
    f->middle_sine = f->middle_cosine = 0.0;
    if (half >= SINEW_PI) { return; }
    sinew_sincos(fmax(half, 0.0), &unused, &f->inside);
    sinew_sincos(0.5 * (lower + upper), &f->middle_sine, &f->middle_cosine);
}

void snw_plan_lay_range(snw_Plan *plan, int follow, double aim)
{
    SNW_ASSERT(follow >= 0 && follow < plan->follow_count);
    const snw_Follow *f = &plan->follows[follow];
    int d = plan->links[f->link].dof;
    // as near as its own range lets it come
    double least = plan->range_lower[d] - aim, most = plan->range_upper[d] - aim;
    double lower = fmin(fmax(f->lower, least), most);
    set_range(plan, d, lower, fmax(fmin(f->upper, most), lower));
}

// what goes with each link, and with those below it
static void place_masses(
    snw_Plan *plan, const snw_PlanScratch *scratch, const sinew_Skeleton *skeleton)
{
    snw_body_masses(skeleton, scratch->masses);
    plan->world_moment = sinew_vec3(0.0, 0.0, 0.0);
    for (int l = 0; l < plan->link_count; ++l) {
        plan->link_mass[l] = 0.0;
        plan->link_moment[l] = sinew_vec3(0.0, 0.0, 0.0);
    }
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        sinew_Transform at = { scratch->masses[j].center, sinew_quat_identity() };
        snw_Place place = place_on(scratch, j, &at);
        double mass = scratch->masses[j].mass;
        if (place.link < 0) {
            plan->world_moment = sinew_vec3_add_scaled(plan->world_moment, place.offset, mass);
            continue;
        }
        plan->link_mass[place.link] += mass;
        plan->link_moment[place.link] = sinew_vec3_add_scaled(
            plan->link_moment[place.link], place.offset, mass);
    }
    for (int l = 0; l < plan->link_count; ++l) { plan->below_mass[l] = plan->link_mass[l]; }
    for (int l = plan->link_count - 1; l >= 0; --l) {
        int parent = plan->links[l].parent;
        if (parent >= 0) { plan->below_mass[parent] += plan->below_mass[l]; }
    }
}

void snw_plan_build(snw_Plan *plan, const snw_PlanScratch *scratch, const sinew_Skeleton *skeleton,
    const double *mobility, const sinew_Goal *goals, int goal_count, bool rows_half)
{
    SNW_ASSERT(goal_count >= 0);
    ++plan->build_count;
    plan->follow_count = 0;
    snw_tops_find_posed(skeleton, goals, goal_count, scratch->tops);
    int link_count = 0;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        if (scratch->tops[j] != SNW_TOP_NONE) {
            link_count = add_joint_links(scratch, skeleton, mobility, j, link_count);
        }
    }
    SNW_ASSERT(link_count <= sinew_skeleton_axis_count(skeleton));
    place_links(plan, scratch, skeleton, link_count);
    number_links(plan, scratch, skeleton, mobility);
    plan->most_change = 0.0;
    snw_plan_bound_change(plan, NULL, INFINITY);
    place_effectors(plan, scratch, skeleton, goals, goal_count, rows_half);
    soften(plan);
    if (plan->has_center) { place_masses(plan, scratch, skeleton); }
}
