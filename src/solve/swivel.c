#include "sinew/swivel.h"
#include "math/holds.h"
#include "math/quat.h"

#include "base/message.h"
#include "body/pose.h"
#include "solve/method.h"

// axes this near to a right angle, as cosine, stand across each other
#define ACROSS 1e-9
// sine of a middle angle below which the first angle of three hinges is open
#define OPEN_ANGLE 1e-12
// a turn that leaves the wrist's range by no more than this, radians, is rounding
#define ROUNDING 1e-10
// hinges are not wound up farther than this, radians
#define MAX_PREVIOUS 1e4

// ---------------------------------------------------------------------------------------------
// Joints that turn freely

// the rotating axes of a joint: either all before a ball, or three hinges
typedef struct Turner {
    bool ball;
    int hinge_count;
    int hinges[SINEW_MAX_AXES_PER_JOINT]; // axes of the skeleton
    int ball_axis;
    bool slides;
} Turner;

// false: it cannot take any rotation
static bool find_turner(const sinew_Skeleton *skeleton, int joint, Turner *out)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    *out = (Turner){ .ball = false };
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        switch (axes[a].kind) {
        case SINEW_AXIS_SLIDE: out->slides = true; break;
        case SINEW_AXIS_HINGE: out->hinges[out->hinge_count++] = a; break;
        case SINEW_AXIS_BALL:
            out->ball = true;
            out->ball_axis = a;
            break;
        }
    }
    if (out->ball) { return true; }
    if (out->hinge_count != 3) { return false; }
    sinew_Vec3 first = axes[out->hinges[0]].direction, middle = axes[out->hinges[1]].direction;
    sinew_Vec3 last = axes[out->hinges[2]].direction;
    return fabs(sinew_vec3_dot(first, middle)) < ACROSS
        && fabs(sinew_vec3_dot(middle, last)) < ACROSS;
}

bool sinew_joint_turns_freely(const sinew_Skeleton *skeleton, int joint)
{
    if (joint < 0 || joint >= sinew_skeleton_joint_count(skeleton)) { return false; }
    Turner turner;
    return find_turner(skeleton, joint, &turner);
}

// the value a full turn or more away that is inside the range, else nearest to it; of several the
// one nearest to previous
static double unwrap(double angle, const sinew_Axis *axis, double previous, double *out_violation)
{
    double turn = 2.0 * SINEW_PI;
    if (!(fabs(previous) < MAX_PREVIOUS)) { previous = 0.0; }
    double near = angle + turn * floor((previous - angle) / turn + 0.5);
    double best = near, least = INFINITY;
    const double others[3] = { near, near - turn, near + turn };
    for (int i = 0; i < 3; ++i) {
        double below = axis->lower - others[i], above = others[i] - axis->upper;
        double out = below > above ? below : above;
        out = out > 0.0 ? out : 0.0;
        if (out < least - 1e-12) {
            least = out;
            best = others[i];
        }
    }
    *out_violation = least;
    return best;
}

// angles of three hinges a, b, c with b across a and c, so that their turns make rotation. Any angle
// between a and c will do (Davenport angles). flip takes the second of the two ways.
static void hinge_angles(const sinew_Axis *axes[3], sinew_Quat rotation, bool flip, double previous,
    double out_angles[3])
{
    SNW_ASSERT(snw_holds_unit(rotation));
    sinew_Vec3 a = axes[0]->direction, b = axes[1]->direction, c = axes[2]->direction;
    sinew_Vec3 across = sinew_vec3_cross(b, a);
    // c stands turned by lean from a about b; the middle angle alone tells how far c goes from a
    double lean = sinew_atan2(sinew_vec3_dot(c, across), sinew_vec3_dot(c, a));
    sinew_Vec3 goal = sinew_quat_rotate(rotation, c);
    double along = sinew_vec3_dot(a, goal);
    double aside = sinew_vec3_length(sinew_vec3_cross(a, goal));
    double tilt = sinew_atan2(flip ? -aside : aside, along);

    // a turns what the middle angle has tilted towards across (or away from it) to the goal
    double sign = flip ? -1.0 : 1.0;
    double x = sign * sinew_vec3_dot(across, goal);
    double y = sign * sinew_vec3_dot(sinew_vec3_cross(a, across), goal);
    // with c along a the first angle is open: it stays
    out_angles[0] = aside < OPEN_ANGLE ? previous : sinew_atan2(y, x);
    out_angles[1] = tilt - lean;
    // the last hinge takes what is left, so the three together are exact
    sinew_Quat two = sinew_quat_mul(
        sinew_quat_from_axis_angle(a, out_angles[0]), sinew_quat_from_axis_angle(b, out_angles[1]));
    sinew_Quat rest = sinew_quat_mul(sinew_quat_conjugate(two), rotation);
    double sine = sinew_vec3_dot(sinew_vec3(rest.x, rest.y, rest.z), c);
    out_angles[2] = 2.0 * sinew_atan2(sine, rest.w);
}

// set three hinges to a rotation; returns how far they leave their ranges
static double set_hinges(
    const sinew_Skeleton *skeleton, const Turner *turner, sinew_Quat rotation, double *q)
{
    SNW_ASSERT(snw_holds_unit(rotation));
    const sinew_Axis *axes[3];
    double *values[3], best[3] = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; ++i) {
        axes[i] = &sinew_skeleton_axes(skeleton)[turner->hinges[i]];
        values[i] = &q[sinew_skeleton_axis_places(skeleton)[turner->hinges[i]].coordinate];
    }
    double least = INFINITY, nearest = INFINITY;
    for (int flip = 0; flip < 2; ++flip) {
        double angles[3], out = 0.0, way = 0.0;
        hinge_angles(axes, rotation, flip == 1, *values[0], angles);
        for (int i = 0; i < 3; ++i) {
            double violation;
            angles[i] = unwrap(angles[i], axes[i], *values[i], &violation);
            out = violation > out ? violation : out;
            way += (angles[i] - *values[i]) * (angles[i] - *values[i]);
        }
        if (out < least || (out == least && way < nearest)) {
            least = out;
            nearest = way;
            for (int i = 0; i < 3; ++i) { best[i] = angles[i]; }
        }
    }
    for (int i = 0; i < 3; ++i) { *values[i] = best[i]; }
    return least;
}

static double set_ball(
    const sinew_Skeleton *skeleton, const Turner *turner, sinew_Quat rotation, double *q)
{
    SNW_ASSERT(snw_holds_unit(rotation));
    // hinges before the ball keep their angles
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int i = 0; i < turner->hinge_count; ++i) {
        int a = turner->hinges[i];
        sinew_Quat turn = sinew_quat_from_axis_angle(axes[a].direction, q[places[a].coordinate]);
        rotation = sinew_quat_mul(sinew_quat_conjugate(turn), rotation);
    }
    rotation = sinew_quat_normalize(rotation);
    snw_quat_store(rotation, &q[places[turner->ball_axis].coordinate]);
    const sinew_BallLimit *limit = axes[turner->ball_axis].limit;
    return limit != NULL ? sinew_ball_limit_violation(limit, rotation) : 0.0;
}

static sinew_Status check_joint(
    const sinew_Skeleton *skeleton, int joint, const char *what, sinew_Message *message)
{
    if (skeleton == NULL) { return snw_refuse(message, "skeleton is NULL"); }
    int joint_count = sinew_skeleton_joint_count(skeleton);
    if (joint >= 0 && joint < joint_count) { return SINEW_STATUS_OK; }
    return snw_refuse(message, "%s is %d, want 0..%d", what, joint, joint_count - 1);
}

sinew_Status sinew_joint_set_rotation(const sinew_Skeleton *skeleton, int joint,
    sinew_Quat world_from_joint, double *q, double *out_violation, sinew_Message *out_message)
{
    sinew_Status status = check_joint(skeleton, joint, "joint", out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (q == NULL) { return snw_refuse(out_message, "q is NULL"); }
    if (!(fabs(sinew_quat_dot(world_from_joint, world_from_joint) - 1.0) <= 1e-3)) {
        return snw_refuse(out_message, "the rotation is not a unit quaternion");
    }
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    Turner turner;
    if (!find_turner(skeleton, joint, &turner)) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "joint %s cannot take any rotation: want a ball or three hinges across each other",
            j->name);
    }
    // what the axes have to make: socket_from_world world_from_joint
    sinew_Quat socket = j->rest_rotation;
    if (j->parent >= 0) {
        socket = sinew_quat_mul(
            snw_pose_frame(skeleton, q, j->parent, sinew_transform_identity()).rotation, socket);
    }
    sinew_Quat rotation = sinew_quat_normalize(
        sinew_quat_mul(sinew_quat_conjugate(socket), world_from_joint));
    double violation = turner.ball ? set_ball(skeleton, &turner, rotation, q)
                                   : set_hinges(skeleton, &turner, rotation, q);
    if (out_violation != NULL) { *out_violation = violation; }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// The ring

sinew_Status sinew_ring_find(const sinew_Skeleton *skeleton, const double *q, int root, int middle,
    int tip, sinew_Vec3 tip_point, sinew_Ring *out_ring, sinew_Message *out_message)
{
    const char *names[3] = { "root", "middle", "tip" };
    const int joints[3] = { root, middle, tip };
    for (int i = 0; i < 3; ++i) {
        sinew_Status status = check_joint(skeleton, joints[i], names[i], out_message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    if (root == middle || !sinew_skeleton_is_ancestor(skeleton, root, middle)
        || !sinew_skeleton_is_ancestor(skeleton, middle, tip)) {
        return snw_refuse(out_message, "joints %d, %d, %d do not follow each other down a limb",
            root, middle, tip);
    }
    Turner turner;
    if (!find_turner(skeleton, root, &turner) || turner.slides) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "joint %s cannot take any rotation in its place: want a ball or three hinges",
            sinew_skeleton_joints(skeleton)[root].name);
    }
    sinew_Transform world_from_root = snw_pose_frame(skeleton, q, root, sinew_transform_identity());
    sinew_Vec3 knee = snw_pose_frame(skeleton, q, middle, sinew_transform_identity()).position;
    sinew_Vec3 heel = sinew_transform_point(
        snw_pose_frame(skeleton, q, tip, sinew_transform_identity()), tip_point);
    sinew_Vec3 way = sinew_vec3_sub(heel, world_from_root.position);
    double length = sinew_vec3_length(way);
    if (!(length > 1e-9 * sinew_skeleton_size(skeleton))) {
        return snw_refuse(out_message, "root and tip are in one place: the ring has no axis");
    }
    sinew_Ring ring = { .root = root, .middle = middle, .tip = tip, .tip_from_joint = tip_point };
    ring.axis = sinew_vec3_scale(way, 1.0 / length);
    sinew_Vec3 out = sinew_vec3_sub(knee, world_from_root.position);
    double along = sinew_vec3_dot(out, ring.axis);
    ring.center = sinew_vec3_add_scaled(world_from_root.position, ring.axis, along);
    sinew_Vec3 spoke = sinew_vec3_sub(knee, ring.center);
    ring.radius = sinew_vec3_length(spoke);
    // any direction across a stretched limb
    sinew_Vec3 side = fabs(ring.axis.x) < 0.6 ? sinew_vec3(1.0, 0.0, 0.0)
                                              : sinew_vec3(0.0, 1.0, 0.0);
    side = sinew_vec3_normalize_or(sinew_vec3_cross(ring.axis, side), side);
    ring.zero = ring.radius > 1e-12 * length ? sinew_vec3_scale(spoke, 1.0 / ring.radius) : side;
    ring.root_rotation = world_from_root.rotation;
    *out_ring = ring;
    return SINEW_STATUS_OK;
}

sinew_Vec3 sinew_ring_point(const sinew_Ring *ring, double swivel)
{
    if (ring == NULL) { return sinew_vec3(0.0, 0.0, 0.0); }
    double s, c;
    sinew_sincos(swivel, &s, &c);
    sinew_Vec3 other = sinew_vec3_cross(ring->axis, ring->zero);
    sinew_Vec3 spoke = sinew_vec3_add(sinew_vec3_scale(ring->zero, c), sinew_vec3_scale(other, s));
    return sinew_vec3_add_scaled(ring->center, spoke, ring->radius);
}

sinew_Status sinew_ring_pose(const sinew_Skeleton *skeleton, const sinew_Ring *ring, double swivel,
    double *q, double *out_violation, sinew_Message *out_message)
{
    if (ring == NULL) { return snw_refuse(out_message, "ring is NULL"); }
    if (!isfinite(swivel)) {
        return snw_refuse(out_message, "swivel is %g, want a finite angle", swivel);
    }
    if (!snw_holds_direction(ring->axis) || !snw_holds_unit(ring->root_rotation)) {
        return snw_refuse(out_message,
            "ring.axis or root_rotation is not of length 1, want a ring of sinew_ring_find");
    }
    sinew_Quat turned = sinew_quat_mul(
        sinew_quat_from_axis_angle(ring->axis, swivel), ring->root_rotation);
    return sinew_joint_set_rotation(
        skeleton, ring->root, sinew_quat_normalize(turned), q, out_violation, out_message);
}

// ---------------------------------------------------------------------------------------------
// The penultimate joint

// the joint with axes that is nearest above the effector; wrist_from_effector is rigid
static int find_wrist(const sinew_Skeleton *skeleton, const sinew_Goal *goal,
    sinew_Transform *out_wrist_from_effector)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_Transform from = goal->joint_from_effector;
    int j = goal->joint;
    for (; j >= 0 && joints[j].axis_count == 0; j = joints[j].parent) {
        from = sinew_transform_mul(
            (sinew_Transform){ joints[j].offset, joints[j].rest_rotation }, from);
    }
    from.rotation = sinew_quat_normalize(from.rotation);
    *out_wrist_from_effector = from;
    return j;
}

// crop one joint to its limits
static void limit_joint(const sinew_Skeleton *skeleton, int joint, double *q)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(skeleton)[a];
        double *value = &q[places[a].coordinate];
        if (axis->kind == SINEW_AXIS_BALL) {
            if (axis->limit != NULL) {
                snw_quat_store(sinew_ball_limit_clamp(axis->limit, snw_quat_load(value)), value);
            }
        } else {
            value[0] = value[0] > axis->lower ? value[0] : axis->lower;
            value[0] = value[0] < axis->upper ? value[0] : axis->upper;
        }
    }
}

static void add_counts(sinew_Report *to, const sinew_Report *from)
{
    to->iterations += from->iterations;
    to->restarts += from->restarts;
    to->halvings += from->halvings;
    to->rejections += from->rejections;
    to->singular_steps += from->singular_steps;
    to->forward_count += from->forward_count;
    to->jacobian_count += from->jacobian_count;
    to->time += from->time;
}

// what the penultimate joint has to do, checked
typedef struct Wrist {
    int joint;
    sinew_Goal goal; // for the wrist's place
    sinew_Quat world_from_joint;
} Wrist;

static sinew_Status plan_wrist(
    const sinew_Solver *solver, const sinew_Goal *goal, Wrist *out, sinew_Message *message)
{
    const sinew_Status cannot = SINEW_STATUS_UNSUPPORTED;
    const sinew_Skeleton *skeleton = snw_solver_skeleton(solver);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_Quat goal_turn = goal->orientation, effector_turn = goal->joint_from_effector.rotation;
    if (goal->kind != SINEW_GOAL_POSE || !(fabs(sinew_quat_dot(goal_turn, goal_turn) - 1.0) <= 1e-3)
        || !(fabs(sinew_quat_dot(effector_turn, effector_turn) - 1.0) <= 1e-3)) {
        return snw_refuse(
            message, "the goal is not a position and an orientation with unit quaternions");
    }
    sinew_Status status = check_joint(skeleton, goal->joint, "goal.joint", message);
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_Transform wrist_from_effector;
    int wrist = find_wrist(skeleton, goal, &wrist_from_effector);
    int parent = wrist >= 0 ? joints[wrist].parent : -1;
    if (parent < 0 || goal->chain_root >= sinew_skeleton_joint_count(skeleton)
        || (goal->chain_root >= 0
            && !sinew_skeleton_is_ancestor(skeleton, goal->chain_root, parent))) {
        return snw_fail(message, cannot, "no joint of the goal's chain is above its last one");
    }
    Turner turner;
    if (!find_turner(skeleton, wrist, &turner) || turner.slides) {
        return snw_fail(message, cannot,
            "joint %s cannot take any rotation in its place: want a ball or three hinges",
            joints[wrist].name);
    }
    const double *mobility = snw_solver_mobility(solver);
    for (int a = joints[wrist].axis_start; a < joints[wrist].axis_start + joints[wrist].axis_count;
         ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(skeleton)[a];
        bool held = axis->kind != SINEW_AXIS_BALL && !(axis->lower < axis->upper);
        if (held || !(mobility[a] > 0.0)) {
            return snw_fail(message, cannot, "an axis of joint %s is locked", joints[wrist].name);
        }
    }

    // P_pen = P_goal - R_goal offset_last
    sinew_Transform world_from_goal = { goal->position, sinew_quat_normalize(goal_turn) };
    sinew_Transform world_from_wrist = sinew_transform_mul(
        world_from_goal, sinew_transform_inverse(wrist_from_effector));
    out->joint = wrist;
    out->world_from_joint = sinew_quat_normalize(world_from_wrist.rotation);
    out->goal = sinew_goal_position(parent, world_from_wrist.position);
    out->goal.joint_from_effector.position = joints[wrist].offset;
    out->goal.chain_root = goal->chain_root;
    out->goal.position_weight = goal->position_weight;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_solver_solve_penultimate(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goal, double *q, sinew_Report *out_report, bool *out_exact,
    sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(
        out_message, "solver options goal q", solver, options, goal, q);
    if (status != SINEW_STATUS_OK) { return status; }
    const sinew_Skeleton *skeleton = snw_solver_skeleton(solver);
    Wrist wrist;
    status = plan_wrist(solver, goal, &wrist, out_message);
    if (status == SINEW_STATUS_OK) { status = sinew_pose_check(skeleton, q, out_message); }
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_SolveOptions next = *options;
    next.start = SINEW_START_GIVEN;
    sinew_Report first, report;
    status = sinew_solver_solve(solver, options, &wrist.goal, 1, q, &first, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    // from here on nothing can fail: goal, options and pose have been looked at
    double violation = 0.0;
    (void)sinew_joint_set_rotation(
        skeleton, wrist.joint, wrist.world_from_joint, q, &violation, NULL);
    bool limits = options->limits != SINEW_LIMITS_NONE;
    bool exact = !limits || violation <= ROUNDING;
    if (limits) { limit_joint(skeleton, wrist.joint, q); }
    if (exact) {
        // measured alone
        next.max_iterations = 0;
        next.min_iterations = 0;
        next.restarts = 0;
    }
    status = sinew_solver_solve(solver, &next, goal, 1, q, &report, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (exact && report.outcome != SINEW_OUTCOME_CONVERGED) { report.outcome = first.outcome; }
    add_counts(&report, &first);
    report.start_objective = first.start_objective;
    if (out_report != NULL) { *out_report = report; }
    if (out_exact != NULL) { *out_exact = exact; }
    return SINEW_STATUS_OK;
}
