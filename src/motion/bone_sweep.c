#include "motion/bone_sweep.h"
#include "math/holds.h"
#include "math/quat.h"

#include "math/dense.h"
#include "solve/asked.h"

// bones shorter than this share of the body have no direction worth following
#define SHORT_BONE 1e-6
// Newton steps of the best rotation onto several bones; it converges in 4 to 6
#define NEWTON_STEPS 12
// twists that are tried about a bone, 30 degrees apart, and by how much one must be the better, radians
#define TWISTS 12
#define CLEARLY 1e-3

// whether a goal says where in the world a point of a joint belongs
static bool is_place(const sinew_Goal *goal)
{
    return (goal->kind == SINEW_GOAL_POSITION || goal->kind == SINEW_GOAL_POSE)
        && goal->reference < 0 && snw_goal_asks_place(goal);
}

static void gather_targets(const snw_BoneSweep *sweep, const sinew_Skeleton *skeleton,
    const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) { sweep->known[j] = 0; }
    for (int g = 0; g < goal_count; ++g) {
        sinew_Vec3 offset = goals[g].joint_from_effector.position;
        if (!is_place(&goals[g]) || sinew_vec3_dot(offset, offset) > 0.0) { continue; }
        sweep->target[goals[g].joint] = goals[g].position;
        sweep->known[goals[g].joint] = 1;
    }
}

// children of a joint are the heads of the subtrees that follow it
static int next_child(const sinew_Joint *joints, int joint, int child)
{
    int next = child < 0 ? joint + 1 : child + joints[child].subtree_count;
    return next < joint + joints[joint].subtree_count ? next : -1;
}

static bool has_bone(
    const snw_BoneSweep *sweep, const sinew_Joint *joints, int child, double shortest)
{
    return sweep->known[child] && sinew_vec3_length(joints[child].offset) > shortest;
}

static void store_ball(sinew_Quat ball, double *value)
{
    sinew_Quat r = sinew_quat_normalize(ball);
    snw_quat_store(r, value);
}

// Newton's equations of Wahba's problem, (sum |a|^2 1 - a a^T) d = sum a x y: add one vector a, as
// turned so far, that belongs at y
static void add_bone(sinew_Vec3 a, sinew_Vec3 y, double m[6], double b[3], double *match)
{
    sinew_Vec3 moment = sinew_vec3_cross(a, y);
    double square = sinew_vec3_dot(a, a);
    m[0] += square - a.x * a.x;
    m[1] -= a.x * a.y;
    m[2] += square - a.y * a.y;
    m[3] -= a.x * a.z;
    m[4] -= a.y * a.z;
    m[5] += square - a.z * a.z;
    b[0] += moment.x;
    b[1] += moment.y;
    b[2] += moment.z;
    *match += sinew_vec3_dot(a, y);
}

// vectors in one line leave the twist about them open: a little damping keeps it where it is
static bool solve_turn(double m[6], const double b[3], double out_turn[3])
{
    double damping = 1e-9 * (m[0] + m[2] + m[5]);
    m[0] += damping;
    m[2] += damping;
    m[5] += damping;
    return snw_solve3(m, 1e-14, b, out_turn);
}

// the rotation nearest to start that turns the joint's bones onto their targets best
static sinew_Quat aim_ball(const snw_BoneSweep *sweep, const sinew_Joint *joints, int joint,
    sinew_Vec3 origin, sinew_Quat start, double shortest)
{
    SNW_ASSERT(snw_holds_unit(start));
    SNW_ASSERT(joint >= 0);
    sinew_Quat world = start;
    int bones = 0;
    double longest = 0.0;
    for (int c = next_child(joints, joint, -1); c >= 0; c = next_child(joints, joint, c)) {
        if (!has_bone(sweep, joints, c, shortest)) { continue; }
        ++bones;

        // first guess: the shortest arc of the longest bone
        double length = sinew_vec3_length(joints[c].offset);
        sinew_Vec3 aim = sinew_vec3_sub(sweep->target[c], origin);
        if (length <= longest || !(sinew_vec3_length(aim) > shortest)) { continue; }
        longest = length;
        sinew_Vec3 fallback = { 0.0, 0.0, 1.0 };
        sinew_Vec3 from = sinew_vec3_normalize_or(
            sinew_quat_rotate(start, joints[c].offset), fallback);
        sinew_Vec3 to = sinew_vec3_normalize_or(aim, fallback);
        world = sinew_quat_mul(sinew_quat_between(from, to), start);
    }
    for (int step = 0; bones > 1 && step < NEWTON_STEPS; ++step) {
        double m[6] = { 0.0 }, b[3] = { 0.0 }, d[3], match = 0.0;
        for (int c = next_child(joints, joint, -1); c >= 0; c = next_child(joints, joint, c)) {
            if (!has_bone(sweep, joints, c, shortest)) { continue; }
            add_bone(sinew_quat_rotate(world, joints[c].offset),
                sinew_vec3_sub(sweep->target[c], origin), m, b, &match);
        }
        if (!solve_turn(m, b, d)) { break; }
        sinew_Vec3 turn = { d[0], d[1], d[2] };
        double angle = sinew_vec3_length(turn);
        if (angle > 1.0) { turn = sinew_vec3_scale(turn, 1.0 / angle); }
        world = sinew_quat_normalize(sinew_quat_mul(sinew_quat_exp(turn), world));
        if (angle < 1e-10) { break; }
    }
    return world;
}

// the only child whose bone turns a joint, -1: none or several
static int only_bone(
    const snw_BoneSweep *sweep, const sinew_Joint *joints, int joint, double shortest)
{
    SNW_ASSERT(joint >= 0);
    int found = -1;
    for (int c = next_child(joints, joint, -1); c >= 0; c = next_child(joints, joint, c)) {
        if (!has_bone(sweep, joints, c, shortest)) { continue; }
        if (found >= 0) { return -1; }
        found = c;
    }
    return found;
}

// how far a joint is from bringing its bone (a unit direction in its frame) to a unit direction in the
// frame that it is turned in, by its limits, radians; its twist is left open
static double misfit(const sinew_Axis *axis, sinew_Vec3 bone, sinew_Vec3 direction)
{
    SNW_ASSERT(snw_holds_direction(direction));
    sinew_Quat turn = sinew_quat_between(bone, direction);
    if (axis->kind == SINEW_AXIS_BALL) {
        if (axis->limit == NULL) { return 0.0; }
        sinew_Vec3 swing;
        double twist;
        sinew_ball_limit_measure(axis->limit, turn, &swing, &twist);
        const sinew_BallLimitDef *def = sinew_ball_limit_def(axis->limit);
        twist = fmin(fmax(0.0, def->twist_lower), def->twist_upper);
        return sinew_ball_limit_violation(
            axis->limit, sinew_ball_limit_pose(axis->limit, swing, twist));
    }
    sinew_Vec3 across = axis->direction;
    double along = sinew_vec3_dot(bone, direction)
        - sinew_vec3_dot(bone, across) * sinew_vec3_dot(direction, across);
    double angle = sinew_atan2(sinew_vec3_dot(across, sinew_vec3_cross(bone, direction)), along);
    double beside = fabs(sinew_vec3_dot(across, sinew_vec3_sub(direction, bone)));
    return fmax(0.0, fmax(axis->lower - angle, angle - axis->upper)) + beside;
}

// One bone leaves the twist about it open: it is chosen so that limits let the joint itself and the next
// one, an elbow, do what is asked of them; where they do anyway it stays.
static sinew_Quat choose_twist(const snw_BoneSweep *sweep, const sinew_Skeleton *skeleton,
    int joint, sinew_Quat frame, sinew_Quat aimed, double shortest)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    SNW_ASSERT(snw_holds_unit(frame));
    SNW_ASSERT(snw_holds_unit(aimed));
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    int child = only_bone(sweep, joints, joint, shortest);
    int next = child >= 0 ? only_bone(sweep, joints, child, shortest) : -1;
    if (next < 0 || joints[child].axis_count != 1
        || axes[joints[child].axis_start].kind == SINEW_AXIS_SLIDE) {
        return aimed;
    }
    const sinew_Axis *own = &axes[joints[joint].axis_start + joints[joint].axis_count - 1];
    const sinew_Axis *elbow = &axes[joints[child].axis_start];
    sinew_Vec3 none = { 0.0, 0.0, 1.0 };
    sinew_Vec3 about = sinew_vec3_normalize_or(
        sinew_quat_rotate(aimed, joints[child].offset), none);
    sinew_Vec3 bone = sinew_vec3_normalize_or(joints[next].offset, none);
    sinew_Vec3 way = sinew_vec3_normalize_or(
        sinew_vec3_sub(sweep->target[next], sweep->target[child]), none);
    sinew_Quat best = aimed;
    double least = INFINITY;
    for (int k = 0; k < TWISTS; ++k) {
        // from none outward, to both sides in turn
        int side = k % 2 == 0 ? -1 : 1, away = (k + 1) / 2;
        double twist = 2.0 * SINEW_PI / TWISTS * side * away;
        sinew_Quat turned = sinew_quat_mul(sinew_quat_from_axis_angle(about, twist), aimed);
        sinew_Quat from_world = sinew_quat_conjugate(
            sinew_quat_mul(turned, joints[child].rest_rotation));
        double cost = misfit(elbow, bone, sinew_quat_rotate(from_world, way));
        if (own->limit != NULL) {
            cost += sinew_ball_limit_violation(own->limit,
                sinew_quat_normalize(sinew_quat_mul(sinew_quat_conjugate(frame), turned)));
        }
        if (k == 0 && cost <= CLEARLY) { return aimed; }
        if (cost < least - CLEARLY) {
            least = cost;
            best = turned;
        }
    }
    return best;
}

// the angle of one hinge that brings the bones closest: the sum of a . y turned about the axis is
// c cos + s sin
static double aim_hinge(const snw_BoneSweep *sweep, const sinew_Joint *joints, int joint,
    sinew_Vec3 origin, sinew_Vec3 axis, sinew_Quat world_from_joint, double shortest)
{
    SNW_ASSERT(snw_holds_unit(world_from_joint));
    SNW_ASSERT(snw_holds_direction(axis));
    SNW_ASSERT(joint >= 0);
    double along = 0.0, across = 0.0;
    for (int c = next_child(joints, joint, -1); c >= 0; c = next_child(joints, joint, c)) {
        if (!has_bone(sweep, joints, c, shortest)) { continue; }
        sinew_Vec3 a = sinew_quat_rotate(world_from_joint, joints[c].offset);
        sinew_Vec3 y = sinew_vec3_sub(sweep->target[c], origin);
        along += sinew_vec3_dot(a, y) - sinew_vec3_dot(a, axis) * sinew_vec3_dot(y, axis);
        across += sinew_vec3_dot(axis, sinew_vec3_cross(a, y));
    }
    return along != 0.0 || across != 0.0 ? sinew_atan2(across, along) : 0.0;
}

// frame of the world in which axis number `axis` of a joint moves
static sinew_Transform axis_frame(
    const sinew_Skeleton *skeleton, const double *q, int joint, int axis, sinew_Transform parent)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    SNW_ASSERT(snw_holds_rigid(parent));
    SNW_ASSERT(axis >= 0);
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[j->axis_start];
    sinew_Transform local = { j->offset, j->rest_rotation };
    for (int a = 0; a < axis; ++a) {
        double value = q[j->coordinate_start + a];
        if (axes[a].kind == SINEW_AXIS_SLIDE) {
            sinew_Vec3 along = sinew_quat_rotate(local.rotation, axes[a].direction);
            local.position = sinew_vec3_add_scaled(local.position, along, value);
        } else {
            local.rotation = sinew_quat_mul(
                local.rotation, sinew_quat_from_axis_angle(axes[a].direction, value));
        }
    }
    return sinew_transform_mul(parent, local);
}

static double crop(double value, const sinew_Axis *axis)
{
    double above = value < axis->lower ? axis->lower : value;
    return above > axis->upper ? axis->upper : above;
}

// slides take the joint to its own target, a ball or the hinges turn its bones
static void pose_joint(const snw_BoneSweep *sweep, const sinew_Skeleton *skeleton, int joint,
    sinew_Transform parent, double shortest, double *q)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    SNW_ASSERT(snw_holds_rigid(parent));
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Joint *j = &joints[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[j->axis_start];
    for (int pass = 0; pass < 2; ++pass) {
        for (int a = 0; a < j->axis_count; ++a) {
            if (!(axes[a].mobility > 0.0)) { continue; }
            double *value = &q[j->coordinate_start + a];
            sinew_Transform frame = axis_frame(skeleton, q, joint, a, parent);
            sinew_Transform world = sinew_transform_mul(
                parent, sinew_pose_local(skeleton, q, joint));
            sinew_Vec3 axis = sinew_quat_rotate(frame.rotation, axes[a].direction);
            switch (axes[a].kind) {
            case SINEW_AXIS_SLIDE:
                if (sweep->known[joint]) {
                    sinew_Vec3 left = sinew_vec3_sub(sweep->target[joint], world.position);
                    *value = crop(*value + sinew_vec3_dot(left, axis), &axes[a]);
                }
                break;
            case SINEW_AXIS_HINGE: {
                double turn = aim_hinge(
                    sweep, joints, joint, world.position, axis, world.rotation, shortest);
                *value = crop(*value + turn, &axes[a]);
                break;
            }
            case SINEW_AXIS_BALL: {
                sinew_Quat aimed = aim_ball(
                    sweep, joints, joint, world.position, world.rotation, shortest);
                aimed = choose_twist(sweep, skeleton, joint, frame.rotation, aimed, shortest);
                store_ball(sinew_quat_mul(sinew_quat_conjugate(frame.rotation), aimed), value);
                break;
            }
            }
        }
    }
}

double snw_bone_sweep(const snw_BoneSweep *sweep, const sinew_Skeleton *skeleton,
    const sinew_Goal *goals, int goal_count, double *q)
{
    SNW_ASSERT(goal_count >= 0);
    gather_targets(sweep, skeleton, goals, goal_count);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    double shortest = SHORT_BONE * sinew_skeleton_size(skeleton);
    int aimed = 0, bones = 0;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        int parent = joints[j].parent;
        sinew_Transform above = parent >= 0 ? sweep->world[parent] : sinew_transform_identity();
        if (sweep->movable[j]) { pose_joint(sweep, skeleton, j, above, shortest, q); }
        sweep->world[j] = sinew_transform_mul(above, sinew_pose_local(skeleton, q, j));
        if (parent >= 0 && sweep->movable[parent]
            && sinew_vec3_length(joints[j].offset) > shortest) {
            ++bones;
            aimed += sweep->known[j];
        }
    }
    return bones > 0 ? (double)aimed / bones : 0.0;
}

static sinew_Vec3 effector_position(const snw_BoneSweep *sweep, const sinew_Goal *goal)
{
    return sinew_transform_point(sweep->world[goal->joint], goal->joint_from_effector.position);
}

// middle of the effectors and middle of their targets; returns how many there are
static int find_middles(const snw_BoneSweep *sweep, const sinew_Goal *goals, int goal_count,
    sinew_Vec3 *out_effectors, sinew_Vec3 *out_targets)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_Vec3 effectors = { 0.0, 0.0, 0.0 }, targets = { 0.0, 0.0, 0.0 };
    int count = 0;
    for (int g = 0; g < goal_count; ++g) {
        if (!is_place(&goals[g])) { continue; }
        effectors = sinew_vec3_add(effectors, effector_position(sweep, &goals[g]));
        targets = sinew_vec3_add(targets, goals[g].position);
        ++count;
    }
    double share = count > 0 ? 1.0 / count : 0.0;
    *out_effectors = sinew_vec3_scale(effectors, share);
    *out_targets = sinew_vec3_scale(targets, share);
    return count;
}

// one Newton step of the rotation that brings the effectors, turned by `turn` about their middle,
// closest to the targets; returns how well the turned ones match: the sum of a . y
static double improve_turn(const snw_BoneSweep *sweep, const sinew_Goal *goals, int goal_count,
    sinew_Vec3 effectors, sinew_Vec3 targets, sinew_Quat *turn)
{
    SNW_ASSERT(goal_count >= 0);
    double m[6] = { 0.0 }, b[3] = { 0.0 }, d[3], match = 0.0;
    for (int g = 0; g < goal_count; ++g) {
        if (!is_place(&goals[g])) { continue; }
        sinew_Vec3 from = sinew_vec3_sub(effector_position(sweep, &goals[g]), effectors);
        add_bone(sinew_quat_rotate(*turn, from), sinew_vec3_sub(goals[g].position, targets), m, b,
            &match);
    }
    if (!solve_turn(m, b, d)) { return match; }
    sinew_Vec3 v = { d[0], d[1], d[2] };
    double angle = sinew_vec3_length(v);
    if (angle > 1.0) { v = sinew_vec3_scale(v, 1.0 / angle); }
    *turn = sinew_quat_normalize(sinew_quat_mul(sinew_quat_exp(v), *turn));
    return match;
}

// the turn of the whole body that fits best, from four headings
static sinew_Quat fit_turn(const snw_BoneSweep *sweep, const sinew_Goal *goals, int goal_count,
    sinew_Vec3 effectors, sinew_Vec3 targets)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_Quat best = sinew_quat_identity();
    double best_match = -INFINITY;
    for (int heading = 0; heading < 4; ++heading) {
        sinew_Quat turn = sinew_quat_from_axis_angle(
            sinew_vec3(0.0, 1.0, 0.0), 0.5 * SINEW_PI * heading);
        double match = 0.0;
        for (int step = 0; step <= NEWTON_STEPS; ++step) {
            match = improve_turn(sweep, goals, goal_count, effectors, targets, &turn);
        }
        // a clear win only, so that equal headings keep the first
        if (match > best_match + 1e-9 * fabs(best_match)) {
            best_match = match;
            best = turn;
        }
    }
    return best;
}

// move the slides of the root by a gap in the world
static void slide_root(const sinew_Skeleton *skeleton, sinew_Vec3 gap, double *q)
{
    const sinew_Joint *root = &sinew_skeleton_joints(skeleton)[0];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[root->axis_start];
    for (int a = 0; a < root->axis_count && axes[a].kind != SINEW_AXIS_BALL; ++a) {
        if (axes[a].kind != SINEW_AXIS_SLIDE || !(axes[a].mobility > 0.0)) { continue; }
        sinew_Transform frame = axis_frame(skeleton, q, 0, a, sinew_transform_identity());
        sinew_Vec3 axis = sinew_quat_rotate(frame.rotation, axes[a].direction);
        double *value = &q[root->coordinate_start + a];
        *value = crop(*value + sinew_vec3_dot(gap, axis), &axes[a]);
    }
}

void snw_place_root(const snw_BoneSweep *sweep, const sinew_Skeleton *skeleton,
    const sinew_Goal *goals, int goal_count, double *q)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_Vec3 effectors, targets;
    if (!sweep->movable[0]) { return; }
    sinew_pose_forward(skeleton, q, sweep->world);
    int count = find_middles(sweep, goals, goal_count, &effectors, &targets);
    if (count == 0) { return; }

    // a ball at the root takes the heading; it is the last of the root's axes
    const sinew_Joint *root = &sinew_skeleton_joints(skeleton)[0];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[root->axis_start];
    int last = root->axis_count - 1;
    if (count >= 3 && last >= 0 && axes[last].kind == SINEW_AXIS_BALL
        && axes[last].mobility > 0.0) {
        sinew_Quat turn = fit_turn(sweep, goals, goal_count, effectors, targets);
        sinew_Transform frame = axis_frame(skeleton, q, 0, last, sinew_transform_identity());
        sinew_Quat turned = sinew_quat_mul(turn, sweep->world[0].rotation);
        store_ball(sinew_quat_mul(sinew_quat_conjugate(frame.rotation), turned),
            &q[root->coordinate_start + last]);
        sinew_pose_forward(skeleton, q, sweep->world);
        (void)find_middles(sweep, goals, goal_count, &effectors, &targets);
    }
    slide_root(skeleton, sinew_vec3_sub(targets, effectors), q);
}
