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

// parts of a foot
enum { BALL, HEEL };

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

void snw_retarget_limits_reset(snw_RetargetLimits *limits, const sinew_Skeleton *skeleton)
{
    size_t count = (size_t)sinew_skeleton_dof_count(skeleton);
    memset(limits->correction, 0, count * sizeof *limits->correction);
}

snw_Held snw_hold_foot(const snw_RetargetCarry *carry, int side, sinew_Transform foot, bool stands)
{
    SNW_ASSERT(snw_holds_rigid(foot));
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    sinew_Quat back = sinew_quat_conjugate(carry->target.own_from_world);
    snw_Held held = { .joint = leg->foot,
        .chain_root = leg->thigh,
        .point = { leg->ball, leg->heel },
        .up = carry->target.stance->up,
        .stands = stands };
    for (int i = 0; i < 2; ++i) {
        held.place[i] = sinew_quat_rotate(back, sinew_transform_point(foot, held.point[i]));
    }
    held.rotation = sinew_quat_mul(back, foot.rotation);
    return held;
}

// from where the ball or the heel is to where it should be
static sinew_Vec3 miss_of(const snw_RetargetLimits *limits, const snw_Held *held, int part)
{
    sinew_Vec3 at = sinew_transform_point(limits->world[held->joint], held->point[part]);
    return sinew_vec3_sub(held->place[part], at);
}

static void hold(const snw_Held *held, int part, sinew_Goal *out_goal)
{
    *out_goal = sinew_goal_pose(held->joint, held->place[part], held->rotation);
    out_goal->joint_from_effector.position = held->point[part];
    out_goal->position_weight = PLACE_WEIGHT;
    out_goal->chain_root = held->chain_root;
    if (part == BALL) { return; }
    // of heels the height alone
    out_goal->kind = SINEW_GOAL_POSITION;
    out_goal->position_mask = fabs(held->up.y) > 0.7 ? SINEW_MASK_Y
        : fabs(held->up.z) > 0.7                     ? SINEW_MASK_Z
                                                     : SINEW_MASK_X;
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
    for (int i = 0; i < held_count; ++i) { hold(&held[i], BALL, &goals[i]); }
    memcpy(limits->cropped, q, (size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *q);
    sinew_Status status = sinew_solver_set_rest(limits->solver, limits->cropped);
    for (bool again = true; status == SINEW_STATUS_OK && again;) {
        // go on from what the last frame was corrected by: what is then pulled to where it starts does not lag
        sinew_pose_integrate(skeleton, limits->cropped, limits->correction, q);
        status = sinew_solver_solve(
            limits->solver, &limits->options, goals, goal_count, q, NULL, out_message);
        sinew_pose_forward(skeleton, q, limits->world);
        // A sole that cannot lie as it should may rise at the heel, and not sink there. One at its height is where it
        // is held as well, so nothing jumps as it begins to be.
        again = goal_count == held_count;
        for (int i = 0; i < held_count && again; ++i) {
            double depth = sinew_vec3_dot(miss_of(limits, &held[i], HEEL), held[i].up);
            if (depth > HELD_SHARE * limits->leg) { hold(&held[i], HEEL, &goals[goal_count++]); }
        }
        again = again && goal_count > held_count;
    }
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_pose_difference(skeleton, limits->cropped, q, limits->correction);
    for (int i = 0; i < held_count; ++i) {
        double miss = held[i].stands ? sinew_vec3_length(miss_of(limits, &held[i], BALL)) : 0.0;
        out_result->held_error = fmax(out_result->held_error, miss);
    }
    return status;
}
