#include "solve/branches.h"

#include "math/holds.h"
#include "solve/chain.h"
#include "solve/linear.h"

// columns that the tips may have together
#define MAX_COLUMNS SNW_BRANCH_ENTRIES

void snw_branches_take(snw_Branches *branches, snw_Sizes sizes, snw_Arena *arena)
{
    int axes = sizes.links, max_goals = sizes.goals;
    size_t count = (size_t)axes;
    size_t padded = (size_t)snw_lane_groups(axes) * SNW_LANE_COUNT;
    // no tree has more than that of a chain; rows are padded to whole lanes
    size_t entries = axes < 2 * SNW_BRANCH_ENTRIES ? count * (count + SNW_LANE_COUNT) : SIZE_MAX;
    size_t columns = padded * (size_t)max_goals; // the way to each tip is whole lanes, too
    entries = entries < SNW_BRANCH_ENTRIES ? entries : SNW_BRANCH_ENTRIES;
    columns = columns < MAX_COLUMNS ? columns : MAX_COLUMNS;
    branches->joints = snw_arena_take(arena, count, sizeof *branches->joints);
    branches->tips = snw_arena_take(arena, (size_t)max_goals, sizeof *branches->tips);
    branches->path = snw_arena_take(arena, entries, sizeof(int));
    branches->root_turn = snw_arena_take(arena, count, sizeof(sinew_Mat3));
    branches->root_offset = snw_arena_take(arena, count, sizeof(sinew_Vec3));
    branches->frame = snw_arena_take(arena, count, sizeof(sinew_Mat3));
    branches->root_frame = snw_arena_take(arena, count, sizeof(sinew_Mat3));
    branches->origin = snw_arena_take(arena, count, sizeof(sinew_Vec3));
    branches->root_origin = snw_arena_take(arena, count, sizeof(sinew_Vec3));
    double **const by_joint[] = { &branches->angle, &branches->lower, &branches->upper,
        &branches->sine, &branches->cosine, &branches->force, &branches->change, &branches->free };
    for (size_t i = 0; i < sizeof by_joint / sizeof by_joint[0]; ++i) {
        *by_joint[i] = snw_arena_take(arena, padded, sizeof(double));
    }
    double **const by_column[] = { &branches->x, &branches->y, &branches->z, &branches->turn_x,
        &branches->turn_y, &branches->turn_z };
    for (size_t i = 0; i < sizeof by_column / sizeof by_column[0]; ++i) {
        *by_column[i] = snw_arena_take(arena, columns, sizeof(double));
    }
    branches->matrix = snw_arena_take(arena, entries, sizeof(double));
}

// ---------------------------------------------------------------------------------------------
// Layout

// rows of the matrix and ways from the root; false: too many
static bool lay_out_rows(snw_Branches *branches, const snw_Plan *plan)
{
    int first = plan->static_link_count, entries = 0, columns = 0;
    for (int i = 0; i < branches->count; ++i) {
        snw_BranchJoint *joint = &branches->joints[i];
        const snw_Link *link = &plan->links[first + i];
        if (link->motion == SNW_BALL) { return false; }
        joint->parent = link->parent >= first ? link->parent - first : -1;
        joint->base = joint->parent < 0 ? link->parent : -1;
        joint->child_count = 0;
        if (joint->parent >= 0) { ++branches->joints[joint->parent].child_count; }
        joint->depth = joint->parent >= 0 ? branches->joints[joint->parent].depth + 1 : 0;
        joint->slide = !snw_motion_is_hinge(link->motion);
        joint->row = entries;
        int row = (joint->depth + SNW_LANE_COUNT) / SNW_LANE_COUNT * SNW_LANE_COUNT;
        if (row > SNW_BRANCH_ENTRIES - entries) { return false; }
        entries += row;
        int above = joint->parent >= 0 ? branches->joints[joint->parent].row : 0;
        for (int k = 0; k < joint->depth; ++k) {
            branches->path[joint->row + k] = branches->path[above + k];
        }
        branches->path[joint->row + joint->depth] = i;
    }
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        const snw_Effector *effector = &plan->effectors[e];
        if (effector->link < first) { return false; }
        tip->joint = effector->link - first;
        tip->column = columns;
        tip->position = effector->position;
        tip->orientation = effector->orientation;
        int way = branches->joints[tip->joint].depth + 1;
        way = (way + SNW_LANE_COUNT - 1) / SNW_LANE_COUNT * SNW_LANE_COUNT;
        if (way > MAX_COLUMNS - columns) { return false; }
        columns += way;
    }
    return true;
}

// the turns about z and x that take a frame to one whose z is the axis; turns the frame
static double fit_turns(sinew_Mat3 *frame, sinew_Vec3 axis, snw_BranchJoint *joint)
{
    double angle = snw_fit_turn(frame, axis, &joint->sine, &joint->cosine);
    sinew_sincos(angle, &joint->before_sine, &joint->before_cosine);
    *frame = snw_turned_about_z(frame, joint->before_sine, joint->before_cosine);
    return angle;
}

// The tree at zero, in the frame of what carries each root: link frames, origins, and the joint frames
// that follow the axes. The plan's arrays of a pose serve as memory.
static void lay_out_frames(snw_Branches *branches, const snw_Plan *plan)
{
    int first = plan->static_link_count;
    double scale = 1.0 / plan->reach;
    sinew_Mat3 *link_frame = branches->root_frame;
    for (int i = 0; i < branches->count; ++i) {
        snw_BranchJoint *joint = &branches->joints[i];
        const snw_Link *link = &plan->links[first + i];
        branches->angle[i] = 0.0;
        joint->has_before = false;
        if (joint->parent < 0) {
            link_frame[i] = link->turn;
            sinew_Vec3 axis = snw_link_axis(link, &link_frame[i]);
            branches->frame[i] = sinew_mat3_from_quat(
                sinew_quat_between(sinew_vec3(0.0, 0.0, 1.0), axis));
            branches->origin[i] = link->offset;
            branches->root_turn[i] = branches->frame[i];
            branches->root_offset[i] = sinew_vec3_scale(link->offset, scale);
            continue;
        }
        int parent = joint->parent;
        bool alone = branches->joints[parent].child_count == 1; // it may turn the parent's frame
        link_frame[i] = sinew_mat3_mul(link_frame[parent], link->turn);
        sinew_Mat3 frame = branches->frame[parent];
        double angle = fit_turns(&frame, snw_link_axis(link, &link_frame[i]), joint);
        if (alone) {
            branches->angle[parent] = angle;
            branches->frame[parent] = frame;
            joint->before_sine = 0.0;
            joint->before_cosine = 1.0;
        } else {
            joint->has_before = true;
        }
        sinew_Vec3 way = sinew_mat3_mul_vec3(link_frame[parent], link->offset);
        branches->origin[i] = sinew_vec3_add(branches->origin[parent], way);
        way = sinew_mat3_transpose_mul_vec3(branches->frame[parent], way);
        joint->offset_x = way.x * scale;
        joint->offset_y = way.y * scale;
        joint->offset_z = way.z * scale;
        branches->frame[i] = (sinew_Mat3){ frame.x,
            sinew_vec3_add_scaled(sinew_vec3_scale(frame.y, joint->cosine), frame.z, joint->sine),
            sinew_vec3_add_scaled(
                sinew_vec3_scale(frame.z, joint->cosine), frame.y, -joint->sine) };
    }
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        const snw_Effector *effector = &plan->effectors[e];
        sinew_Mat3 at = link_frame[tip->joint];
        sinew_Vec3 way = sinew_mat3_mul_vec3(at, effector->offset);
        tip->offset = sinew_vec3_scale(
            sinew_mat3_transpose_mul_vec3(branches->frame[tip->joint], way), scale);
        sinew_Mat3 effector_frame = sinew_mat3_mul(at, effector->link_from_effector);
        tip->effector_from_joint = sinew_mat3_mul(
            sinew_mat3_transpose(effector_frame), branches->frame[tip->joint]);
    }
}

void snw_branches_build(snw_Branches *branches, const snw_Plan *plan)
{
    branches->count = plan->link_count - plan->static_link_count;
    branches->tip_count = plan->effector_count;
    branches->groups = snw_lane_groups(branches->count);
    branches->reach = plan->reach;
    bool fits = plan->dof_count > 0 && plan->task_count == 0 && !plan->has_mobility
        && lay_out_rows(branches, plan);
    if (!fits) {
        branches->count = 0;
        return;
    }
    lay_out_frames(branches, plan);
    snw_branch_limbs_lay_out(branches);
    for (int i = branches->count; i < branches->groups * SNW_LANE_COUNT; ++i) {
        branches->angle[i] = branches->lower[i] = branches->upper[i] = 0.0;
    }
}

void snw_branches_begin(snw_Branches *branches, const snw_Plan *plan, const snw_Targets *targets,
    sinew_LimitMode limits, const snw_State *carrier)
{
    double scale = 1.0 / branches->reach;
    for (int i = 0; i < branches->count; ++i) {
        const snw_BranchJoint *joint = &branches->joints[i];
        const snw_Link *link = &plan->links[plan->static_link_count + i];
        if (joint->parent < 0) {
            branches->root_frame[i] = branches->root_turn[i];
            branches->root_origin[i] = branches->root_offset[i];
            if (joint->base >= 0) {
                const sinew_Mat3 *base = &carrier->rotation[joint->base];
                sinew_Vec3 way = sinew_mat3_mul_vec3(*base, branches->root_offset[i]);
                branches->root_frame[i] = sinew_mat3_mul(*base, branches->root_turn[i]);
                branches->root_origin[i] = sinew_vec3_add_scaled(
                    way, carrier->position[joint->base], scale);
            }
        }
        if (link->dof < 0) { continue; } // its one value is loaded
        double unit = joint->slide ? scale : 1.0;
        bool none = limits == SINEW_LIMITS_NONE;
        branches->lower[i] = none ? -INFINITY : plan->lower[link->dof] * unit;
        branches->upper[i] = none ? INFINITY : plan->upper[link->dof] * unit;
    }
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        tip->position_weight = tip->position ? targets->position_scale[e] : 0.0;
        tip->orientation_weight = tip->orientation ? targets->orientation_scale[e] * scale : 0.0;
        tip->target = sinew_vec3_scale(targets->position[e], scale);
        if (tip->orientation) {
            tip->target_frame = sinew_mat3_mul(targets->orientation[e], tip->effector_from_joint);
        }
    }
}

void snw_branches_load(
    snw_Branches *branches, const snw_Plan *plan, const double *values, double *joints)
{
    for (int i = 0; i < branches->count; ++i) {
        const snw_Link *link = &plan->links[plan->static_link_count + i];
        double unit = branches->joints[i].slide ? 1.0 / branches->reach : 1.0;
        joints[i] = values[link->value] * unit;
        if (link->dof < 0) { branches->lower[i] = branches->upper[i] = joints[i]; }
    }
}

void snw_branches_store(
    const snw_Branches *branches, const snw_Plan *plan, const double *joints, double *values)
{
    for (int i = 0; i < branches->count; ++i) {
        const snw_Link *link = &plan->links[plan->static_link_count + i];
        if (link->dof < 0) { continue; }
        double value = joints[i], lower = plan->lower[link->dof], upper = plan->upper[link->dof];
        if (branches->joints[i].slide) {
            // one that did not move keeps its bits
            if (values[link->value] * (1.0 / branches->reach) == value) { continue; }
            double metres = value * branches->reach;
            // without limits the bounds of the layout are infinite
            bool low = value == branches->lower[i]
                || (isfinite(branches->lower[i]) && metres < lower);
            bool high = value == branches->upper[i]
                || (isfinite(branches->upper[i]) && metres > upper);
            value = low ? lower : (high ? upper : metres);
        }
        values[link->value] = value;
    }
}

// ---------------------------------------------------------------------------------------------
// The step

void snw_branches_linearize(snw_Branches *branches)
{
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        const snw_BranchJoint *last = &branches->joints[tip->joint];
        const int *path = &branches->path[last->row];
        double weight = tip->position_weight, turn_weight = tip->orientation_weight;
        tip->start_error = tip->position_error;
        tip->start_chord = tip->chord;
        for (int k = 0; k <= last->depth; ++k) {
            int i = path[k], c = tip->column + k;
            sinew_Vec3 axis = branches->frame[i].z;
            bool slide = branches->joints[i].slide;
            sinew_Vec3 way = sinew_vec3_sub(tip->point, branches->origin[i]);
            sinew_Vec3 linear = slide ? axis : sinew_vec3_cross(axis, way);
            branches->x[c] = weight * linear.x;
            branches->y[c] = weight * linear.y;
            branches->z[c] = weight * linear.z;
            if (!tip->orientation) { continue; }
            double turn = slide ? 0.0 : turn_weight;
            branches->turn_x[c] = turn * axis.x;
            branches->turn_y[c] = turn * axis.y;
            branches->turn_z[c] = turn * axis.z;
        }
    }
}

// J^T e of the errors that are left, into force
static void find_force(snw_Branches *branches)
{
    for (int i = 0; i < branches->count; ++i) { branches->force[i] = 0.0; }
    for (int e = 0; e < branches->tip_count; ++e) {
        const snw_BranchTip *tip = &branches->tips[e];
        const snw_BranchJoint *last = &branches->joints[tip->joint];
        const int *path = &branches->path[last->row];
        for (int k = 0; k <= last->depth; ++k) {
            int c = tip->column + k;
            double sum = branches->x[c] * tip->linear.x + branches->y[c] * tip->linear.y
                + branches->z[c] * tip->linear.z;
            if (tip->orientation) {
                sum += branches->turn_x[c] * tip->angular.x + branches->turn_y[c] * tip->angular.y
                    + branches->turn_z[c] * tip->angular.z;
            }
            branches->force[path[k]] += sum;
        }
    }
}

// row[0..count] += a . column, three components at once
static inline void add_products(double *row, int count, const double *x, const double *y,
    const double *z, double ax, double ay, double az)
{
    SNW_ASSERT(count >= 0);
    snw_Lanes *out = (snw_Lanes *)(void *)row;
    const snw_Lanes *lx = (const snw_Lanes *)(const void *)x;
    const snw_Lanes *ly = (const snw_Lanes *)(const void *)y;
    const snw_Lanes *lz = (const snw_Lanes *)(const void *)z;
    snw_Lanes bx = snw_lanes(ax), by = snw_lanes(ay), bz = snw_lanes(az);
    for (int k = 0; k < snw_lane_groups(count); ++k) {
        snw_Lanes sum = snw_lanes_madd(snw_lanes_mul(lx[k], bx), ly[k], by);
        out[k] = snw_lanes_add(out[k], snw_lanes_madd(sum, lz[k], bz));
    }
}

// J^T J + damping without the joints that are held: theirs are rows of the identity
static void build_matrix(snw_Branches *branches, double damping)
{
    SNW_ASSERT(damping >= 0.0);
    for (int i = 0; i < branches->count; ++i) {
        const snw_BranchJoint *joint = &branches->joints[i];
        for (int k = 0; k < joint->depth; ++k) { branches->matrix[joint->row + k] = 0.0; }
        branches->matrix[joint->row + joint->depth] = damping;
    }
    for (int e = 0; e < branches->tip_count; ++e) {
        const snw_BranchTip *tip = &branches->tips[e];
        const snw_BranchJoint *last = &branches->joints[tip->joint];
        const int *path = &branches->path[last->row];
        const double *x = &branches->x[tip->column], *y = &branches->y[tip->column];
        const double *z = &branches->z[tip->column];
        const double *tx = &branches->turn_x[tip->column], *ty = &branches->turn_y[tip->column];
        const double *tz = &branches->turn_z[tip->column];
        for (int k = 0; k <= last->depth; ++k) {
            double *row = &branches->matrix[branches->joints[path[k]].row];
            if (tip->position) { add_products(row, k + 1, x, y, z, x[k], y[k], z[k]); }
            if (tip->orientation) { add_products(row, k + 1, tx, ty, tz, tx[k], ty[k], tz[k]); }
        }
    }
    for (int i = 0; i < branches->count; ++i) {
        const snw_BranchJoint *joint = &branches->joints[i];
        const int *path = &branches->path[joint->row];
        double *row = &branches->matrix[joint->row];
        if (branches->free[i] == 0.0) {
            for (int k = 0; k < joint->depth; ++k) { row[k] = 0.0; }
            row[joint->depth] = 1.0;
        } else {
            for (int k = 0; k < joint->depth; ++k) { row[k] *= branches->free[path[k]]; }
        }
    }
}

// solve for change from force: A = L^T D L from the tips up; the rows keep L and D
static bool solve(snw_Branches *branches)
{
    double *x = branches->change;
    for (int i = 0; i < branches->count; ++i) {
        x[i] = branches->free[i] != 0.0 ? branches->force[i] : 0.0;
    }
    for (int i = branches->count - 1; i >= 0; --i) {
        const snw_BranchJoint *joint = &branches->joints[i];
        const int *path = &branches->path[joint->row];
        double *row = &branches->matrix[joint->row], pivot = row[joint->depth];
        if (!(pivot > 0.0)) { return false; }
        double inverse = 1.0 / pivot;
        row[joint->depth] = inverse;
        for (int k = joint->depth - 1; k >= 0; --k) {
            if (row[k] == 0.0) { continue; }
            double ratio = row[k] * inverse;
            double *above = &branches->matrix[branches->joints[path[k]].row];
            const snw_Lanes *from = (const snw_Lanes *)(const void *)row;
            snw_Lanes *to = (snw_Lanes *)(void *)above, by = snw_lanes(ratio);
            // the padding of a row is never read
            for (int g = 0; g < snw_lane_groups(k + 1); ++g) {
                to[g] = snw_lanes_sub(to[g], snw_lanes_mul(from[g], by));
            }
            x[path[k]] -= ratio * x[i];
            row[k] = ratio;
        }
    }
    for (int i = 0; i < branches->count; ++i) {
        const snw_BranchJoint *joint = &branches->joints[i];
        const int *path = &branches->path[joint->row];
        const double *row = &branches->matrix[joint->row];
        double sum = x[i] * row[joint->depth];
        for (int k = 0; k < joint->depth; ++k) { sum -= row[k] * x[path[k]]; }
        x[i] = sum;
    }
    return true;
}

// take what the changes of some joints do from the errors that are left
static void take_off(snw_Branches *branches, const double *change)
{
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        const snw_BranchJoint *last = &branches->joints[tip->joint];
        const int *path = &branches->path[last->row];
        for (int k = 0; k <= last->depth; ++k) {
            int c = tip->column + k;
            double by = -change[path[k]];
            tip->linear.x += by * branches->x[c];
            tip->linear.y += by * branches->y[c];
            tip->linear.z += by * branches->z[c];
            if (!tip->orientation) { continue; }
            tip->angular.x += by * branches->turn_x[c];
            tip->angular.y += by * branches->turn_y[c];
            tip->angular.z += by * branches->turn_z[c];
        }
    }
}

// hold the joints on a bound that are pushed outward
static void hold(snw_Branches *branches, const double *joints)
{
    for (int i = 0; i < branches->count; ++i) {
        double force = branches->force[i];
        bool low = joints[i] <= branches->lower[i] && force < 0.0;
        bool high = joints[i] >= branches->upper[i] && force > 0.0;
        branches->free[i] = low || high ? 0.0 : 1.0;
    }
}

// move the free joints by their changes, at most to their bounds; returns how many end on one. largest:
// the largest change of any joint
static int move(snw_Branches *branches, const double *joints, double *moved, double *largest)
{
    int stopped = 0;
    *largest = 0.0;
    for (int i = 0; i < branches->count; ++i) {
        if (branches->free[i] != 0.0) {
            double lower = branches->lower[i], upper = branches->upper[i];
            double next = joints[i] + branches->change[i];
            moved[i] = next < lower ? lower : (next > upper ? upper : next);
            stopped += moved[i] != next ? 1 : 0;
        }
        double size = fabs(moved[i] - joints[i]);
        *largest = size > *largest ? size : *largest;
    }
    return stopped;
}

// of a step that passed some bounds: hold those joints, and take their ways from the errors
static void stop(snw_Branches *branches, const double *joints, const double *moved)
{
    double *change = branches->change;
    for (int i = 0; i < branches->count; ++i) {
        bool passed = branches->free[i] != 0.0 && moved[i] != joints[i] + change[i];
        change[i] = passed ? moved[i] - joints[i] : 0.0;
        if (passed) { branches->free[i] = 0.0; }
    }
    take_off(branches, change);
}

static double left2(const snw_Branches *branches)
{
    double sum = 0.0;
    for (int e = 0; e < branches->tip_count; ++e) {
        const snw_BranchTip *tip = &branches->tips[e];
        sum += sinew_vec3_dot(tip->linear, tip->linear);
        if (tip->orientation) { sum += sinew_vec3_dot(tip->angular, tip->angular); }
    }
    return sum;
}

// the changes of the free joints; false: no matrix to divide by
static bool find_changes(snw_Branches *branches, double damping)
{
    if (branches->has_limbs && snw_branch_limbs_solve(branches, damping)) { return true; }
    build_matrix(branches, damping);
    return solve(branches);
}

double snw_branches_step(snw_Branches *branches, const double *joints, double damping,
    double *moved, double *out_largest)
{
    SNW_ASSERT(damping >= 0.0);
    *out_largest = 0.0;
    for (int i = 0; i < branches->count; ++i) { moved[i] = joints[i]; }
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        // a goal without a position, or a turn, has measured none
        const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
        tip->linear = tip->position ? sinew_vec3_scale(tip->start_error, tip->position_weight)
                                    : none;
        tip->angular = tip->orientation
            ? sinew_vec3_scale(tip->start_chord, tip->orientation_weight)
            : none;
    }
    find_force(branches);
    hold(branches, joints);
    if (!find_changes(branches, damping)) { return INFINITY; }
    if (move(branches, joints, moved, out_largest) > 0) {
        stop(branches, joints, moved);
        find_force(branches);
        if (!find_changes(branches, damping)) { return INFINITY; }
        (void)move(branches, joints, moved, out_largest);
    }
    for (int i = 0; i < branches->count; ++i) {
        branches->change[i] = branches->free[i] != 0.0 ? moved[i] - joints[i] : 0.0;
    }
    take_off(branches, branches->change);
    return left2(branches);
}
