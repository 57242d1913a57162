// From what a rig says to a skeleton that does it, and poses from one to the other.

#include "body/rig.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/euler.h"
#include "math/holds.h"
#include "math/quat.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Limits

// a point of a window as a unit direction in the neutral frame
static sinew_Vec3 window_ray(const sinew_RigWindow *window, sinew_Vec3 point, bool mirrored)
{
    if (!window->polar) { return sinew_vec3_normalize_or(point, sinew_vec3(1.0, 0.0, 0.0)); }
    double azimuth = snw_rig_radians(point.x), swing = snw_rig_radians(point.y);
    sinew_Vec3 ray;
    sinew_reach_polar(&azimuth, &swing, 1, mirrored, &ray);
    return ray;
}

static bool points_are_finite(const sinew_RigJoint *joint)
{
    for (int w = 0; w < joint->window_count; ++w) {
        for (int p = 0; p < joint->windows[w].point_count; ++p) {
            if (!sinew_vec3_is_finite(joint->windows[w].points[p])) { return false; }
        }
    }
    return sinew_vec3_is_finite(joint->star_center);
}

static sinew_Status check_counts(const sinew_RigJoint *joint, sinew_Message *out_message)
{
    int rays = 0;
    if (joint->window_count < 0 || joint->window_count > SINEW_MAX_REACH_WINDOWS) {
        return snw_refuse(out_message, "%s: found %d windows, expected 0 to %d", joint->key,
            joint->window_count, SINEW_MAX_REACH_WINDOWS);
    }
    for (int w = 0; w < joint->window_count; ++w) {
        int points = joint->windows[w].point_count;
        if (points < 1 || points > SINEW_MAX_WINDOW_RAYS) {
            return snw_refuse(out_message, "%s: found %d points in a window, expected 1 to %d",
                joint->key, points, SINEW_MAX_WINDOW_RAYS);
        }
        rays += points;
    }
    if (rays > SINEW_MAX_REACH_RAYS) {
        return snw_refuse(out_message, "%s: found %d points, expected at most %d", joint->key, rays,
            SINEW_MAX_REACH_RAYS);
    }
    if (!points_are_finite(joint) || !sinew_quat_is_finite(joint->neutral)
        || !sinew_quat_is_finite(joint->bone)) {
        return snw_refuse(out_message, "%s: found a number that is not finite", joint->key);
    }
    return SINEW_STATUS_OK;
}

// the parts of a limit's definition; too large for a stack
typedef struct LimitParts {
    sinew_Vec3 rays[SINEW_MAX_REACH_RAYS];
    sinew_ReachWindow windows[SINEW_MAX_REACH_WINDOWS];
} LimitParts;

sinew_Status sinew_rig_joint_limit(const sinew_RigJoint *joint, const sinew_Allocator *allocator,
    sinew_BallLimit **out_limit, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "joint out_limit", joint, out_limit);
    if (status != SINEW_STATUS_OK) { return status; }
    *out_limit = NULL;
    if (!(joint->has & (SINEW_RIG_HAS_WINDOWS | SINEW_RIG_HAS_TWIST))) { return SINEW_STATUS_OK; }
    status = check_counts(joint, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_Allocator memory = snw_allocator_or_default(allocator);
    LimitParts *parts = snw_alloc(&memory, sizeof *parts);
    if (parts == NULL) { return snw_no_memory(out_message, "a limit of '%s'", joint->key); }
    sinew_Vec3 *rays = parts->rays;
    sinew_ReachWindow *windows = parts->windows;
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    int used = 0;
    def.neutral = sinew_quat_normalize(joint->neutral);
    def.bone = sinew_quat_normalize(joint->bone);
    bool has_windows = (joint->has & SINEW_RIG_HAS_WINDOWS) != 0;
    for (int w = 0; has_windows && w < joint->window_count; ++w) {
        const sinew_RigWindow *window = &joint->windows[w];
        for (int p = 0; p < window->point_count; ++p) {
            rays[used + p] = window_ray(window, window->points[p], joint->mirrored);
        }
        windows[w] = window->point_count == 1
            ? sinew_reach_cone(&rays[used], snw_rig_radians(window->cone_half_angle))
            : sinew_reach_polygon(&rays[used], window->point_count);
        used += window->point_count;
    }
    def.windows = windows;
    def.window_count = has_windows ? joint->window_count : 0;
    if (has_windows && joint->star && joint->window_count == 1) {
        def.star = true;
        def.star_center = window_ray(&joint->windows[0], joint->star_center, joint->mirrored);
    }
    if ((joint->has & SINEW_RIG_HAS_TWIST)
        && !(joint->twist.lower <= -180.0 && joint->twist.upper >= 180.0)) {
        def.twist_lower = snw_rig_radians(joint->twist.lower);
        def.twist_upper = snw_rig_radians(joint->twist.upper);
    }
    if (joint->has & SINEW_RIG_HAS_RESPONSE) { def.response = joint->response; }
    sinew_Message message = { "" };
    status = sinew_ball_limit_create(&def, allocator, out_limit, &message);
    snw_free(&memory, parts, sizeof *parts);
    if (status != SINEW_STATUS_OK) {
        return snw_fail(out_message, status, "%s: %s", joint->key, message.text);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Skeletons

// a skeleton in the making
typedef struct Draft {
    const sinew_Skeleton *skeleton;
    const sinew_Rig *rig;
    double unit;
    sinew_JointDef *joints;                       // (joint_count)
    sinew_Axis (*axes)[SINEW_MAX_AXES_PER_JOINT]; // (joint_count)
    sinew_BallLimit **limits;                     // (joint_count)
    sinew_Message *message;
} Draft;

sinew_Vec3 snw_rig_bone_direction(const sinew_Skeleton *skeleton, int joint)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_Vec3 best = { 0.0, 0.0, 0.0 };
    int most = 0, end = joint + joints[joint].subtree_count;
    for (int c = joint + 1; c < end; c += joints[c].subtree_count) {
        if (joints[c].subtree_count > most && sinew_vec3_length(joints[c].offset) > 1e-9) {
            most = joints[c].subtree_count;
            best = joints[c].offset;
        }
    }
    return sinew_vec3_normalize_or(best, sinew_vec3(1.0, 0.0, 0.0));
}

static void start_from(Draft *draft, int j)
{
    const sinew_Joint *joint = &sinew_skeleton_joints(draft->skeleton)[j];
    const sinew_Axis *axes = sinew_skeleton_axes(draft->skeleton);
    sinew_JointDef *def = &draft->joints[j];
    *def = sinew_joint_def_default();
    def->name = joint->name;
    def->parent = joint->parent;
    def->offset = joint->offset;
    def->rest_rotation = joint->rest_rotation;
    def->axes = draft->axes[j];
    def->axis_count = joint->axis_count;
    def->mass = joint->mass;
    def->mass_center = joint->mass_center;
    def->object = joint->object;
    for (int a = 0; a < joint->axis_count; ++a) { draft->axes[j][a] = axes[joint->axis_start + a]; }
}

// what has another kind turns about the neutral frame's z, then y; slides stay
static void replace_rotations(Draft *draft, int j, const sinew_RigJoint *said)
{
    static const sinew_Vec3 about[2] = { { 0.0, 0.0, 1.0 }, { 0.0, 1.0, 0.0 } };
    sinew_JointDef *def = &draft->joints[j];
    sinew_Axis *axes = draft->axes[j];
    int count = 0;
    for (int a = 0; a < def->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_SLIDE) { axes[count++] = axes[a]; }
    }
    int slides = count;
    int turns = said->kind == SINEW_RIG_UNIVERSAL ? 2 : said->kind == SINEW_RIG_HINGE ? 1 : 0;
    sinew_Quat bone = sinew_quat_normalize(said->bone);
    if (said->kind == SINEW_RIG_BALL) { axes[count++] = sinew_axis_ball(); }
    for (int t = 0; t < turns && count < SINEW_MAX_AXES_PER_JOINT; ++t) {
        axes[count++] = sinew_axis_hinge(sinew_quat_rotate(bone, about[t]), -INFINITY, INFINITY);
    }
    def->axis_count = count;
    if (said->kind == SINEW_RIG_BALL) { return; }

    // zero of the new axes is the neutral pose; slides go first and are to stay where they were
    sinew_Quat zero = sinew_quat_mul(
        sinew_quat_normalize(said->neutral), sinew_quat_conjugate(bone));
    def->rest_rotation = sinew_quat_normalize(sinew_quat_mul(def->rest_rotation, zero));
    for (int a = 0; a < slides; ++a) {
        axes[a].direction = sinew_quat_rotate(sinew_quat_conjugate(zero), axes[a].direction);
    }
}

static sinew_Status set_ranges(Draft *draft, int j, const sinew_RigJoint *said)
{
    int axis = 0;
    for (int r = 0; r < said->range_count; ++r, ++axis) {
        sinew_JointDef *def = &draft->joints[j];
        while (axis < def->axis_count && draft->axes[j][axis].kind == SINEW_AXIS_BALL) { ++axis; }
        if (axis >= def->axis_count) {
            return snw_refuse(draft->message,
                "%s: found %d range%s, expected at most %d, one for each hinge and slide",
                said->key, said->range_count, snw_plural(said->range_count), r);
        }
        sinew_Axis *a = &draft->axes[j][axis];
        double scale = a->kind == SINEW_AXIS_SLIDE ? draft->unit : SNW_DEGREE;
        a->lower = said->ranges[r].lower * scale;
        a->upper = said->ranges[r].upper * scale;
        if (!(a->lower <= a->upper)) {
            return snw_refuse(draft->message,
                "%s: found the range %g to %g, expected the lower end first", said->key,
                said->ranges[r].lower, said->ranges[r].upper);
        }
        a->rest = fmin(fmax(a->rest, a->lower), a->upper);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status set_limit(Draft *draft, int j, const sinew_RigJoint *said)
{
    sinew_JointDef *def = &draft->joints[j];
    for (int a = 0; a < def->axis_count; ++a) {
        sinew_Axis *axis = &draft->axes[j][a];
        if (axis->kind != SINEW_AXIS_BALL) { continue; }
        sinew_Status status = sinew_rig_joint_limit(said, NULL, &draft->limits[j], draft->message);
        if (status != SINEW_STATUS_OK) { return status; }
        if (draft->limits[j] != NULL) { axis->limit = draft->limits[j]; }
    }
    return SINEW_STATUS_OK;
}

// whether the axes are of this kind already
static bool is_of_kind(const Draft *draft, int j, sinew_RigKind kind)
{
    int hinges = 0, balls = 0;
    for (int a = 0; a < draft->joints[j].axis_count; ++a) {
        hinges += draft->axes[j][a].kind == SINEW_AXIS_HINGE ? 1 : 0;
        balls += draft->axes[j][a].kind == SINEW_AXIS_BALL ? 1 : 0;
    }
    switch (kind) {
    case SINEW_RIG_BALL: return balls == 1 && hinges == 0;
    case SINEW_RIG_UNIVERSAL: return balls == 0 && hinges == 2;
    case SINEW_RIG_HINGE: return balls == 0 && hinges == 1;
    case SINEW_RIG_FIXED: return balls == 0 && hinges == 0;
    default: return true;
    }
}

static void set_free(Draft *draft, int j)
{
    for (int a = 0; a < draft->joints[j].axis_count; ++a) {
        draft->axes[j][a].lower = -INFINITY;
        draft->axes[j][a].upper = INFINITY;
        draft->axes[j][a].limit = NULL;
    }
}

static sinew_Status set_joint(Draft *draft, int j, const sinew_RigJoint *given)
{
    sinew_RigJoint joint = *given;
    const sinew_RigJoint *said = &joint;
    unsigned has = said->has;
    if (!(has & SINEW_RIG_HAS_BONE)) {
        joint.bone = sinew_quat_from_x(snw_rig_bone_direction(draft->skeleton, j));
    }
    // without a neutral the rest pose is it
    if (!(has & SINEW_RIG_HAS_NEUTRAL)) { joint.neutral = joint.bone; }
    sinew_Status status = SINEW_STATUS_OK;
    sinew_RigKind kind = (has & SINEW_RIG_HAS_KIND) ? said->kind : SINEW_RIG_AS_IS;
    if (kind == SINEW_RIG_FREE) {
        set_free(draft, j);
    } else {
        if (!is_of_kind(draft, j, kind)) { replace_rotations(draft, j, said); }
        status = set_limit(draft, j, said);
        if (status == SINEW_STATUS_OK && (has & SINEW_RIG_HAS_RANGES)) {
            status = set_ranges(draft, j, said);
        }
    }
    if (has & SINEW_RIG_HAS_MOBILITY) {
        for (int a = 0; a < draft->joints[j].axis_count; ++a) {
            draft->axes[j][a].mobility = said->mobility;
        }
    }
    if (has & SINEW_RIG_HAS_MASS) { draft->joints[j].mass = said->mass; }
    if (has & SINEW_RIG_HAS_MASS_CENTER) {
        draft->joints[j].mass_center = sinew_vec3_scale(said->mass_center, draft->unit);
    }
    if (has & SINEW_RIG_HAS_OBJECT) { draft->joints[j].object = said->object; }
    return status;
}

static sinew_Status set_joints(Draft *draft)
{
    for (int i = 0; i < sinew_rig_joint_count(draft->rig); ++i) {
        const sinew_RigJoint *said = sinew_rig_joint(draft->rig, i);
        int j = sinew_rig_key_joint(draft->skeleton, said->key);
        if (j < 0) {
            return snw_refuse(draft->message,
                "the rig has a joint '%s', expected one of the skeleton", said->key);
        }
        sinew_Status status = set_joint(draft, j, said);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_rig_apply(const sinew_Skeleton *skeleton, const sinew_Rig *rig,
    const sinew_Allocator *allocator, sinew_Skeleton **out_skeleton, sinew_Message *out_message)
{
    if (out_skeleton != NULL) { *out_skeleton = NULL; }
    if (skeleton == NULL || rig == NULL || out_skeleton == NULL) {
        return SNW_CHECK_NULL(
            out_message, "skeleton rig out_skeleton", skeleton, rig, out_skeleton);
    }
    sinew_Allocator from = snw_allocator_or_default(allocator);
    size_t count = (size_t)sinew_skeleton_joint_count(skeleton), size = 0;
    double unit = sinew_rig_unit(rig) > 0.0 ? sinew_rig_unit(rig) : 1.0;
    Draft draft = { skeleton, rig, unit, NULL, NULL, NULL, out_message };
    snw_Arena arena = { NULL, 0 };
    for (int pass = 0; pass < 2; ++pass) {
        draft.joints = snw_arena_take(&arena, count, sizeof *draft.joints);
        draft.axes = snw_arena_take(&arena, count, sizeof *draft.axes);
        draft.limits = snw_arena_take(&arena, count, sizeof(sinew_BallLimit *));
        if (pass == 1) { break; }
        if (!snw_arena_open(&arena, &from, &size)) {
            return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to apply a rig");
        }
    }
    for (int j = 0; j < (int)count; ++j) { start_from(&draft, j); }
    sinew_Status status = set_joints(&draft);
    if (status == SINEW_STATUS_OK) {
        status = sinew_skeleton_create(
            draft.joints, (int)count, allocator, out_skeleton, out_message);
    }
    for (int j = 0; j < (int)count; ++j) { sinew_ball_limit_destroy(draft.limits[j]); }
    snw_free(&from, arena.base, size);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Poses on other kinds of joints

// angles of up to three hinges that turn nearest to a rotation
static void turn_hinges(const sinew_Axis *const *hinges, int count, sinew_Quat turn, double *angles)
{
    SNW_ASSERT(snw_holds_unit(turn));
    SNW_ASSERT(count >= 0);
    sinew_Vec3 a = hinges[0]->direction;
    if (count == 1) {
        double along = a.x * turn.x + a.y * turn.y + a.z * turn.z;
        // the half turn nearest to zero, whatever the sign of the quaternion
        angles[0] = turn.w < 0.0 ? 2.0 * sinew_atan2(-along, -turn.w)
                                 : 2.0 * sinew_atan2(along, turn.w);
        return;
    }
    // as Euler angles in the frame of the axes; the third is dropped where there are two
    sinew_Vec3 b = sinew_vec3_add_scaled(
        hinges[1]->direction, a, -sinew_vec3_dot(a, hinges[1]->direction));
    b = sinew_vec3_normalize_or(b,
        sinew_vec3_normalize_or(
            sinew_vec3_cross(a, sinew_vec3(0.3, 0.5, 0.8)), sinew_vec3(1.0, 0.0, 0.0)));
    sinew_Mat3 frame = { a, b, sinew_vec3_cross(a, b) };
    sinew_Quat basis = sinew_quat_from_mat3(frame);
    sinew_Quat seen = sinew_quat_mul(sinew_quat_mul(sinew_quat_conjugate(basis), turn), basis);
    static const int order[3] = { 0, 1, 2 };
    double previous[3] = { 0.0, 0.0, 0.0 }, all[3];
    snw_euler_from_quat(order, seen, previous, all);
    bool mirrored = count > 2 && sinew_vec3_dot(hinges[2]->direction, frame.z) < 0.0;
    if (mirrored) { all[2] = -all[2]; }
    for (int i = 0; i < count; ++i) { angles[i] = all[i]; }
}

void snw_rig_set_local(const sinew_Skeleton *to, int j, sinew_Transform local, double *out_q)
{
    SNW_ASSERT(snw_holds_rigid(local));
    const sinew_Joint *joint = &sinew_skeleton_joints(to)[j];
    const sinew_Axis *axes = sinew_skeleton_axes(to);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(to);
    const sinew_Axis *hinges[3];
    int coordinates[3], count = 0;
    sinew_Quat rest = joint->rest_rotation;
    sinew_Quat turn = sinew_quat_mul(sinew_quat_conjugate(rest), local.rotation);
    sinew_Vec3 moved = sinew_quat_rotate(
        sinew_quat_conjugate(rest), sinew_vec3_sub(local.position, joint->offset));
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        double *value = &out_q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_SLIDE) {
            value[0] = sinew_vec3_dot(moved, axes[a].direction);
        } else if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Quat ball = sinew_quat_normalize(turn);
            snw_quat_store(ball, value);
        } else if (count < 3) {
            coordinates[count] = places[a].coordinate;
            hinges[count++] = &axes[a];
        }
    }
    double angles[3] = { 0.0, 0.0, 0.0 };
    if (count == 0) { return; }
    turn_hinges(hinges, count, turn, angles);
    for (int i = 0; i < count; ++i) { out_q[coordinates[i]] = angles[i]; }
}

// whether the same coordinates mean the same in both
static bool is_same_joint(const sinew_Skeleton *from, const sinew_Skeleton *to, int j)
{
    const sinew_Joint *a = &sinew_skeleton_joints(from)[j], *b = &sinew_skeleton_joints(to)[j];
    if (a->axis_count != b->axis_count) { return false; }
    for (int i = 0; i < a->axis_count; ++i) {
        const sinew_Axis *x = &sinew_skeleton_axes(from)[a->axis_start + i];
        const sinew_Axis *y = &sinew_skeleton_axes(to)[b->axis_start + i];
        if (x->kind != y->kind) { return false; }
        if (x->kind != SINEW_AXIS_BALL && sinew_vec3_distance(x->direction, y->direction) > 0.0) {
            return false;
        }
    }
    return sinew_quat_dot(a->rest_rotation, b->rest_rotation) >= 1.0 - 1e-15;
}

sinew_Status sinew_rig_convert_pose(const sinew_Skeleton *from, const double *from_q,
    const sinew_Skeleton *to, double *out_q, double *out_residual)
{
    if (from == NULL || from_q == NULL || to == NULL || out_q == NULL
        || sinew_skeleton_joint_count(from) != sinew_skeleton_joint_count(to)) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    double worst = 0.0;
    sinew_pose_rest(to, out_q);
    for (int j = 0; j < sinew_skeleton_joint_count(from); ++j) {
        const sinew_Joint *a = &sinew_skeleton_joints(from)[j];
        const sinew_Joint *b = &sinew_skeleton_joints(to)[j];
        if (is_same_joint(from, to, j)) {
            memcpy(&out_q[b->coordinate_start], &from_q[a->coordinate_start],
                (size_t)a->coordinate_count * sizeof(double));
            continue;
        }
        sinew_Transform local = sinew_pose_local(from, from_q, j);
        snw_rig_set_local(to, j, local, out_q);
        sinew_Transform reached = sinew_pose_local(to, out_q, j);
        worst = fmax(worst, sinew_quat_angle(local.rotation, reached.rotation));
    }
    if (out_residual != NULL) { *out_residual = worst; }
    return SINEW_STATUS_OK;
}
