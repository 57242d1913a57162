#include "motion/retarget_limits.h"

#include "math/holds.h"

#include <string.h>

// what the weights below are for, metres of thigh and shank
#define USUAL_LEG 0.85
// held points are met within this share of a leg, a turn within so many radians: too little to be seen
#define HELD_SHARE 2e-4
#define HELD_TURN 2e-3
// a radian of the foot's turn counts as this much of a leg
#define ORIENTATION_SHARE 0.1
// and the place of its ball so much more than that: what limits take away is turn, not height over the floor (Romeo
// on six recorded walks and runs: up to 17 mm deep with 1, 6 with this, as with 30)
#define PLACE_WEIGHT 10.0
// how strongly joints keep to the cropped pose, against metres of the held points, m^2/rad^2
#define REST_WEIGHT 1e-6
// and to what the frame before was corrected by: limits that hold and let go shake less, turns of soles lag by it
// (with 3e-3 soles of a G1 slide by 2 mm in the median, with this by 0.1; with 3e-4 joints shake 8 % more)
#define VELOCITY_WEIGHT 1e-3
#define MOST_ITERATIONS 15

static bool has_limits(const sinew_Skeleton *skeleton)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        bool ball = axes[a].kind == SINEW_AXIS_BALL;
        if (ball ? axes[a].limit != NULL : isfinite(axes[a].lower) || isfinite(axes[a].upper)) {
            return true;
        }
    }
    return false;
}

sinew_Status snw_retarget_limits_open(snw_RetargetLimits *limits, const sinew_Skeleton *skeleton,
    double leg, const sinew_Allocator *allocator, sinew_Message *out_message)
{
    limits->count = sinew_skeleton_joint_count(skeleton);
    limits->leg = leg;
    if (!has_limits(skeleton)) { return SINEW_STATUS_OK; }
    double size2 = (leg / USUAL_LEG) * (leg / USUAL_LEG);
    sinew_SolveOptions *options = &limits->options;
    *options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options->position_tolerance = HELD_SHARE * leg;
    options->orientation_tolerance = HELD_TURN;
    options->orientation_length = ORIENTATION_SHARE * leg;
    options->min_iterations = 2;
    options->max_iterations = MOST_ITERATIONS;
    options->stall_share = 0.02;
    options->rest_weight = size2 * REST_WEIGHT;
    options->velocity_weight = size2 * VELOCITY_WEIGHT;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = 2 * SNW_MOST_HELD;
    def.allocator = *allocator;
    return sinew_solver_create(&def, &limits->solver, out_message);
}

void snw_retarget_limits_close(snw_RetargetLimits *limits)
{
    sinew_solver_destroy(limits->solver);
    limits->solver = NULL;
}

void snw_retarget_limits_reset(snw_RetargetLimits *limits)
{
    limits->follows = false;
}

snw_Held snw_hold_foot(const snw_RetargetCarry *carry, int side, sinew_Transform foot, bool stands)
{
    SNW_ASSERT(snw_holds_rigid(foot));
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    sinew_Quat back = sinew_quat_conjugate(carry->target.own_from_world);
    snw_Held held = { .joint = leg->foot,
        .chain_root = leg->thigh,
        .ball = leg->ball,
        .heel = leg->heel,
        .up = carry->target.stance->up,
        .stands = stands };
    held.ball_place = sinew_quat_rotate(back, sinew_transform_point(foot, leg->ball));
    held.heel_place = sinew_quat_rotate(back, sinew_transform_point(foot, leg->heel));
    held.rotation = sinew_quat_mul(back, foot.rotation);
    return held;
}

// the worst miss of what stands
static double standing_miss(const snw_RetargetLimits *limits, const snw_Held *held, int count)
{
    SNW_ASSERT(count >= 0);
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        if (!held[i].stands) { continue; }
        sinew_Vec3 at = sinew_transform_point(limits->world[held[i].joint], held[i].ball);
        worst = fmax(worst, sinew_vec3_distance(at, held[i].ball_place));
    }
    return worst;
}

static sinew_Goal ball_goal(const snw_Held *held)
{
    sinew_Goal goal = sinew_goal_pose(held->joint, held->ball_place, held->rotation);
    goal.joint_from_effector.position = held->ball;
    goal.position_weight = PLACE_WEIGHT;
    goal.chain_root = held->chain_root;
    return goal;
}

// its height alone
static sinew_Goal heel_goal(const snw_Held *held)
{
    const double x = fabs(held->up.x), y = fabs(held->up.y), z = fabs(held->up.z);
    sinew_Goal goal = sinew_goal_position(held->joint, held->heel_place);
    goal.joint_from_effector.position = held->heel;
    goal.position_mask = y >= fmax(x, z) ? SINEW_MASK_Y : z >= x ? SINEW_MASK_Z : SINEW_MASK_X;
    goal.position_weight = PLACE_WEIGHT;
    goal.chain_root = held->chain_root;
    return goal;
}

static bool heel_sinks(const snw_RetargetLimits *limits, const snw_Held *held)
{
    sinew_Vec3 at = sinew_transform_point(limits->world[held->joint], held->heel);
    sinew_Vec3 way = sinew_vec3_sub(held->heel_place, at);
    return sinew_vec3_dot(way, held->up) > HELD_SHARE * limits->leg;
}

// from the correction of the frame before: what is pulled to where it starts does not lag then
static sinew_Status solve(snw_RetargetLimits *limits, const sinew_Skeleton *skeleton,
    const sinew_Goal *goals, int goal_count, double *q, sinew_Message *out_message)
{
    if (limits->follows) { sinew_pose_integrate(skeleton, limits->cropped, limits->correction, q); }
    sinew_Status status = sinew_solver_solve(
        limits->solver, &limits->options, goals, goal_count, q, NULL, out_message);
    sinew_pose_forward(skeleton, q, limits->world);
    return status;
}

sinew_Status snw_retarget_limits_keep(snw_RetargetLimits *limits, const sinew_Skeleton *skeleton,
    const snw_Held *held, int held_count, double *q, snw_LimitResult *out_result,
    sinew_Message *out_message)
{
    SNW_ASSERT(held_count >= 0);
    *out_result = (snw_LimitResult){ false, 0.0 };
    if (limits->solver == NULL) { return SINEW_STATUS_OK; }
    out_result->solved = sinew_pose_limit_violation(skeleton, q) > 0.0;
    sinew_pose_apply_limits(skeleton, q);
    if (held_count == 0) { return SINEW_STATUS_OK; }

    sinew_Goal goals[2 * SNW_MOST_HELD];
    int goal_count = held_count;
    for (int i = 0; i < held_count; ++i) { goals[i] = ball_goal(&held[i]); }
    size_t size = (size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *q;
    memcpy(limits->cropped, q, size);
    sinew_Status status = sinew_solver_set_rest(limits->solver, limits->cropped);
    if (status == SINEW_STATUS_OK) {
        status = solve(limits, skeleton, goals, goal_count, q, out_message);
    }
    // A sole that cannot lie as it should may rise at the heel, and not sink there. A heel that would is held at its
    // height; one at that height is where it is held as well, so nothing jumps as it begins.
    for (int i = 0; i < held_count; ++i) {
        if (heel_sinks(limits, &held[i])) { goals[goal_count++] = heel_goal(&held[i]); }
    }
    if (status == SINEW_STATUS_OK && goal_count > held_count) {
        memcpy(q, limits->cropped, size);
        status = solve(limits, skeleton, goals, goal_count, q, out_message);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_pose_difference(skeleton, limits->cropped, q, limits->correction);
    limits->follows = true;
    out_result->held_error = standing_miss(limits, held, held_count);
    return status;
}
