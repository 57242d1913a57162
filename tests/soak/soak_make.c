// Random bodies, poses, goals and options: everything that breaks no rule, and more of what is odd
// than chance would give.

#include "soak.h"

#include <math.h>
#include <string.h>

bool soak_chance(scene_Random *random, double chance)
{
    return scene_random_unit(random) < chance;
}

double soak_magnitude(scene_Random *random, double lower_exponent, double upper_exponent)
{
    // the same bits everywhere, which pow does not promise: a whole power of two, and straight between two,
    // which is up to 6.2 % above the curve
    double exponent = 3.3219280948873623
        * scene_random_range(random, lower_exponent, upper_exponent);
    double whole = floor(exponent);
    return 0.942 * ldexp(1.0 + (exponent - whole), (int)whole);
}

static sinew_Vec3 random_vector(scene_Random *random, double size)
{
    double x = scene_random_range(random, -size, size);
    double y = scene_random_range(random, -size, size);
    double z = scene_random_range(random, -size, size);
    return sinew_vec3(x, y, z);
}

// ---------------------------------------------------------------------------------------------
// Bodies

static sinew_Vec3 random_direction(scene_Random *random)
{
    static const sinew_Vec3 own[6] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 },
        { -1.0, 0.0, 0.0 }, { 0.0, -1.0, 0.0 }, { 0.0, 0.0, -1.0 } };
    if (soak_chance(random, 0.7)) { return own[scene_random_index(random, 6)]; }
    return scene_random_direction(random);
}

// a range around 0 or beside it; some have one end, some no width
static void random_range(scene_Random *random, double width, sinew_Axis *axis)
{
    double a = scene_random_range(random, -width, width);
    double b = scene_random_range(random, -width, width);
    axis->lower = a < b ? a : b;
    axis->upper = a < b ? b : a;
    switch (scene_random_index(random, 12)) {
    case 0: axis->lower = -INFINITY; break;
    case 1: axis->upper = INFINITY; break;
    case 2: axis->upper = axis->lower; break;
    case 3: axis->upper = axis->lower + width * soak_magnitude(random, -15.0, -6.0); break;
    default: break;
    }
    double low = axis->lower > -INFINITY ? axis->lower : axis->upper - width;
    double high = axis->upper < INFINITY ? axis->upper : axis->lower + width;
    axis->rest = scene_random_range(random, low, high);
    axis->rest = fmin(fmax(axis->rest, axis->lower), axis->upper);
    if (soak_chance(random, 0.2)) { axis->rest = fmin(fmax(0.0, axis->lower), axis->upper); }
}

static sinew_Axis random_scalar_axis(scene_Random *random, double scale)
{
    sinew_Vec3 direction = random_direction(random);
    bool slide = soak_chance(random, 0.2);
    sinew_Axis axis = slide ? sinew_axis_slide(direction)
                            : sinew_axis_hinge(direction, -INFINITY, INFINITY);
    if (soak_chance(random, 0.6)) { random_range(random, slide ? scale : 3.0, &axis); }
    return axis;
}

// NULL when chance made one that breaks a rule
static sinew_BallLimit *random_ball_limit(scene_Random *random, const sinew_Allocator *allocator)
{
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    sinew_Vec3 rays[16], cones[3];
    sinew_ReachWindow windows[3];
    def.windows = windows;
    if (soak_chance(random, 0.5)) {
        sinew_Vec3 bone = scene_random_direction(random), zero = scene_random_direction(random);
        sinew_ball_limit_def_set_neutral(&def, scene_random_rotation(random), bone, zero);
    }
    switch (scene_random_index(random, 4)) {
    case 0: break; // twist alone
    case 1: {
        int count = 1 + scene_random_index(random, 3);
        for (int w = 0; w < count; ++w) {
            sinew_Vec3 aside = sinew_vec3_scale(scene_random_direction(random), 0.5);
            cones[w] = sinew_vec3_normalize_or(
                sinew_vec3_add(sinew_vec3(1.0, 0.0, 0.0), aside), sinew_vec3(1.0, 0.0, 0.0));
            windows[w] = sinew_reach_cone(&cones[w], scene_random_range(random, 0.3, 2.5));
        }
        def.window_count = count;
        break;
    }
    case 2: {
        double y = scene_random_range(random, 0.05, 1.5);
        double z = scene_random_range(random, 0.05, 1.5);
        int count = 3 + scene_random_index(random, 14);
        sinew_reach_ellipse(y, z, count, rays);
        windows[0] = sinew_reach_polygon(rays, count);
        def.window_count = 1;
        break;
    }
    default: {
        double azimuths[16], swings[16];
        int count = 4 + scene_random_index(random, 9);
        for (int i = 0; i < count; ++i) {
            azimuths[i] = 2.0 * SINEW_PI * i / count;
            swings[i] = scene_random_range(random, 0.2, 2.6);
        }
        sinew_reach_polar(azimuths, swings, count, soak_chance(random, 0.5), rays);
        windows[0] = sinew_reach_polygon(rays, count);
        def.window_count = 1;
        def.star = true;
        break;
    }
    }
    if (soak_chance(random, 0.7)) {
        double a = scene_random_range(random, -3.0, 3.0), b = scene_random_range(random, -3.0, 3.0);
        def.twist_lower = fmin(a, b);
        def.twist_upper = soak_chance(random, 0.1) ? def.twist_lower : fmax(a, b);
    }
    def.response = (sinew_LimitResponse)scene_random_index(random, 3);
    sinew_BallLimit *limit = NULL;
    (void)sinew_ball_limit_create(&def, allocator, &limit, NULL);
    return limit;
}

// how a joint moves: how many axes
static int random_axes(scene_Random *random, double scale, const sinew_Allocator *allocator,
    bool root, sinew_Axis *axes, sinew_BallLimit **out_limit)
{
    *out_limit = NULL;
    if (soak_chance(random, root ? 0.4 : 0.15)) { return 0; }
    if (root && soak_chance(random, 0.3)) {
        // free, as characters are
        for (int k = 0; k < 3; ++k) { axes[k] = sinew_axis_slide(random_direction(random)); }
        axes[3] = sinew_axis_ball();
        return 4;
    }
    bool ball = soak_chance(random, 0.3);
    int count = ball ? scene_random_index(random, 3) * (int)soak_chance(random, 0.3)
                     : 1 + scene_random_index(random, 3);
    if (soak_chance(random, 0.03)) { count = SINEW_MAX_AXES_PER_JOINT - (ball ? 1 : 0); }
    for (int a = 0; a < count; ++a) { axes[a] = random_scalar_axis(random, scale); }
    if (ball) {
        axes[count] = sinew_axis_ball();
        if (soak_chance(random, 0.7)) { *out_limit = random_ball_limit(random, allocator); }
        axes[count++].limit = *out_limit;
    }
    for (int a = 0; a < count; ++a) {
        if (soak_chance(random, 0.05)) { axes[a].mobility = 0.0; }
        if (soak_chance(random, 0.05)) { axes[a].mobility = soak_magnitude(random, -6.0, 6.0); }
    }
    return count;
}

// the joint before, or one of its ancestors
static int random_parent(scene_Random *random, const sinew_JointDef *joints, int joint)
{
    static const double climbs[3] = { 0.0, 0.2, 0.6 };
    int parent = joint - 1;
    double climb = climbs[joint % 7 == 0 ? 2 : scene_random_index(random, 2)];
    while (parent >= 0 && soak_chance(random, climb)) {
        int above = joints[parent].parent;
        if (above < 0 && !soak_chance(random, 0.1)) { break; }
        parent = above;
    }
    return parent;
}

sinew_Skeleton *soak_make_body(
    scene_Random *random, const sinew_Allocator *allocator, double *out_scale)
{
    sinew_JointDef joints[SOAK_MAX_JOINTS];
    sinew_Axis axes[SOAK_MAX_JOINTS][SINEW_MAX_AXES_PER_JOINT];
    sinew_BallLimit *limits[SOAK_MAX_JOINTS];
    // small bodies are as likely as large ones
    int count = soak_chance(random, 0.5) ? 1 + scene_random_index(random, 10)
                                         : 1 + scene_random_index(random, SOAK_MAX_JOINTS);
    double scale = soak_chance(random, 0.5) ? 0.3 : soak_magnitude(random, -6.0, 6.0);
    double zero_bones = soak_chance(random, 0.1) ? 0.9 : 0.1;
    bool mixed = soak_chance(random, 0.1);
    for (int j = 0; j < count; ++j) {
        sinew_JointDef *joint = &joints[j];
        *joint = sinew_joint_def_default();
        joint->name = "joint";
        joint->parent = random_parent(random, joints, j);
        double bone = mixed ? scale * soak_magnitude(random, -6.0, 0.0) : scale;
        if (!soak_chance(random, zero_bones)) { joint->offset = random_vector(random, bone); }
        if (soak_chance(random, 0.4)) { joint->rest_rotation = scene_random_rotation(random); }
        joint->axes = axes[j];
        joint->axis_count = random_axes(
            random, scale, allocator, joint->parent < 0, axes[j], &limits[j]);
        if (soak_chance(random, 0.5)) {
            joint->mass = soak_magnitude(random, -3.0, 3.0);
            joint->mass_center = random_vector(random, bone);
        }
    }
    // one that is refused is NULL
    sinew_Skeleton *skeleton = NULL;
    (void)sinew_skeleton_create(joints, count, allocator, &skeleton, NULL);
    for (int j = 0; j < count; ++j) { sinew_ball_limit_destroy(limits[j]); }
    *out_scale = scale;
    return skeleton;
}

// ---------------------------------------------------------------------------------------------
// Poses

static double random_value(scene_Random *random, const sinew_Axis *axis, double scale, bool inside)
{
    double width = axis->kind == SINEW_AXIS_SLIDE ? scale : 3.2;
    double low = axis->lower > -INFINITY ? axis->lower
        : axis->upper < INFINITY         ? axis->upper - width
                                         : -width;
    double high = axis->upper < INFINITY ? axis->upper : low + 2.0 * width;
    if (!inside) {
        double beyond = width * soak_magnitude(random, -3.0, soak_chance(random, 0.1) ? 3.0 : 0.0);
        low -= beyond;
        high += beyond;
    }
    // many stand on a bound
    double place = scene_random_unit(random);
    place = soak_chance(random, 0.15) ? floor(2.0 * place) : place;
    double value = low + place * (high - low);
    if (!inside) { return value; }
    return fmin(fmax(value, axis->lower), axis->upper);
}

void soak_make_pose(
    scene_Random *random, const sinew_Skeleton *skeleton, double scale, bool inside, double *out_q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    if (soak_chance(random, 0.1)) {
        sinew_pose_rest(skeleton, out_q);
        return;
    }
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double *value = &out_q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Quat ball = scene_random_rotation(random);
            if (inside && axes[a].limit != NULL) {
                ball = sinew_ball_limit_clamp(axes[a].limit, ball);
            }
            memcpy(value, &ball, sizeof ball);
        } else {
            value[0] = random_value(random, &axes[a], scale, inside);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Goals

static sinew_Goal random_goal(scene_Random *random, const sinew_Skeleton *skeleton, double scale,
    const sinew_Transform *reachable, const sinew_Transform *current)
{
    int joint = scene_random_index(random, sinew_skeleton_joint_count(skeleton));
    sinew_Goal goal = sinew_goal_position(joint, sinew_vec3(0.0, 0.0, 0.0));
    goal.kind = (sinew_GoalKind)scene_random_index(random, 3); // position, orientation or pose
    if (soak_chance(random, 0.3)) {
        goal.joint_from_effector.position = random_vector(random, scale);
        goal.joint_from_effector.rotation = scene_random_rotation(random);
    }
    sinew_Transform place = sinew_transform_mul(reachable[joint], goal.joint_from_effector);
    switch (scene_random_index(random, 12)) {
    case 0: place = sinew_transform_mul(current[joint], goal.joint_from_effector); break;
    case 1: place.position = current[0].position; break;
    case 2:
        place.position = random_vector(random, scale * soak_magnitude(random, -6.0, 5.0));
        break;
    case 3: place.rotation = scene_random_rotation(random); break;
    case 4: {
        // half a turn away
        sinew_Quat half = sinew_quat_from_axis_angle(scene_random_direction(random), SINEW_PI);
        place.rotation = sinew_quat_mul(half, current[joint].rotation);
        break;
    }
    case 5: place.position = sinew_vec3_scale(place.position, 1.0 + 1e-9); break;
    default: break;
    }
    goal.position = place.position;
    goal.orientation = sinew_quat_normalize(place.rotation);
    if (soak_chance(random, 0.3)) {
        double reach = soak_chance(random, 0.2) ? 9.0 : 1.0;
        goal.position_weight = soak_magnitude(random, -reach, reach);
        goal.orientation_weight = soak_magnitude(random, -reach, reach);
    }
    if (soak_chance(random, 0.05)) { goal.position_weight = 0.0; }
    if (soak_chance(random, 0.05)) { goal.orientation_weight = 0.0; }
    if (soak_chance(random, 0.3)) {
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        goal.chain_root = joint;
        while (joints[goal.chain_root].parent >= 0 && soak_chance(random, 0.8)) {
            goal.chain_root = joints[goal.chain_root].parent;
        }
    }
    return goal;
}

// axes, references, masks and what else the kinds beyond position and orientation have; a place and a
// rotation are there
static void make_special(scene_Random *random, const sinew_Skeleton *skeleton, double scale,
    const sinew_Transform *current, soak_Support *support, sinew_Goal *goal)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    goal->axis = random_direction(random);
    goal->direction = random_direction(random);
    if (soak_chance(random, 0.15)) {
        goal->reference = scene_random_index(random, sinew_skeleton_joint_count(skeleton));
        sinew_Transform here = { goal->position, goal->orientation };
        here = sinew_transform_mul(sinew_transform_inverse(current[goal->reference]), here);
        goal->position = here.position;
        goal->orientation = sinew_quat_normalize(here.rotation);
    }
    if (soak_chance(random, 0.2)) {
        goal->position_mask = 1u + (unsigned)scene_random_index(random, 7);
        goal->orientation_mask = 1u + (unsigned)scene_random_index(random, 7);
    }
    if (!soak_chance(random, 0.5)) { return; }
    goal->kind = (sinew_GoalKind)(SINEW_GOAL_AIM
        + scene_random_index(random, SINEW_GOAL_KIND_COUNT - SINEW_GOAL_AIM));
    if (goal->kind == SINEW_GOAL_POLE) {
        goal->middle_joint = joints[goal->joint].parent;
        goal->start_joint = goal->middle_joint >= 0 ? joints[goal->middle_joint].parent : -1;
        while (goal->start_joint > 0 && soak_chance(random, 0.3)) {
            goal->start_joint = joints[goal->start_joint].parent;
        }
        if (goal->start_joint < 0) { goal->kind = SINEW_GOAL_DIRECTION; } // too near the root
    }
    if (goal->kind <= SINEW_GOAL_POLE) { return; }
    // those without an effector
    if (soak_chance(random, 0.7)) { goal->joint = goal->chain_root = -1; }
    goal->position_mask = soak_chance(random, 0.8) ? SINEW_MASK_HORIZONTAL : SINEW_MASK_ALL;
    if (goal->kind == SINEW_GOAL_CENTER_OF_MASS) { return; }
    goal->reference = -1;
    int count = 1 + scene_random_index(random, SOAK_SUPPORT_POINTS);
    for (int i = 0; i < count; ++i) {
        support->points[i] = soak_chance(random, 0.1) && i > 0
            ? support->points[i - 1]
            : sinew_vec3_add(goal->position, random_vector(random, scale));
    }
    // points beyond 1e9 m are refused
    for (int i = 0; i < count; ++i) {
        support->points[i].x = fmin(fmax(support->points[i].x, -1e9), 1e9);
        support->points[i].z = fmin(fmax(support->points[i].z, -1e9), 1e9);
    }
    goal->support_points = support->points;
    goal->support_count = count;
    goal->support_margin = soak_chance(random, 0.5) ? 0.0
                                                    : scale * soak_magnitude(random, -3.0, 1.0);
}

// some problems have levels, some constraints in the highest
static void make_levels(scene_Random *random, sinew_Goal *goals, int count)
{
    bool levels = soak_chance(random, 0.15), constraints = soak_chance(random, 0.1);
    int highest = SINEW_MAX_PRIORITY, rows = 0;
    for (int g = 0; levels && g < count; ++g) {
        goals[g].priority = scene_random_index(random, soak_chance(random, 0.1) ? 16 : 3);
    }
    for (int g = 0; g < count; ++g) {
        highest = goals[g].priority < highest ? goals[g].priority : highest;
    }
    for (int g = 0; constraints && g < count; ++g) {
        bool can = goals[g].kind != SINEW_GOAL_SUPPORT && goals[g].kind != SINEW_GOAL_REST
            && goals[g].priority == highest;
        if (!can || rows > SOAK_CONSTRAINT_ROWS - 6 || soak_chance(random, 0.5)) { continue; }
        goals[g].constraint = true;
        rows += 6;
    }
}

int soak_make_goals(scene_Random *random, const sinew_Skeleton *skeleton, double scale,
    const double *q, soak_Support *supports, sinew_Goal *out_goals)
{
    bool special = soak_chance(random, 0.4);
    int support_count = 0;
    sinew_Transform reachable[SOAK_MAX_JOINTS], current[SOAK_MAX_JOINTS];
    double other[SOAK_MAX_NUMBERS];
    soak_make_pose(random, skeleton, scale, true, other);
    sinew_pose_forward(skeleton, other, reachable);
    sinew_pose_forward(skeleton, q, current);
    int count = soak_chance(random, 0.5) ? 1 : 1 + scene_random_index(random, SOAK_MAX_GOALS);
    for (int g = 0; g < count; ++g) {
        out_goals[g] = random_goal(random, skeleton, scale, reachable, current);
        // one wants what another one has
        if (g > 0 && out_goals[g - 1].joint >= 0 && soak_chance(random, 0.1)) {
            out_goals[g].joint = out_goals[g - 1].joint;
            out_goals[g].chain_root = out_goals[g - 1].chain_root;
        }
        if (special && out_goals[g].joint >= 0) {
            sinew_Goal plain = out_goals[g];
            soak_Support *support = &supports[support_count];
            make_special(random, skeleton, scale, current, support, &out_goals[g]);
            if (out_goals[g].kind != SINEW_GOAL_SUPPORT) { continue; }
            if (++support_count == SINEW_MAX_SUPPORT_GOALS) {
                --support_count;
                out_goals[g] = plain;
            }
        }
    }
    if (special) { make_levels(random, out_goals, count); }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Options

static void random_numbers(scene_Random *random, double scale, sinew_SolveOptions *o)
{
    if (soak_chance(random, 0.3)) { o->damping = scale * soak_magnitude(random, -9.0, 3.0); }
    if (soak_chance(random, 0.05)) { o->damping = 0.0; }
    if (soak_chance(random, 0.1)) { o->damping_gain = soak_magnitude(random, -6.0, 2.0); }
    if (soak_chance(random, 0.05)) { o->damping_gain = 0.0; }
    if (soak_chance(random, 0.1)) { o->damping_floor = soak_magnitude(random, -20.0, 0.0); }
    if (soak_chance(random, 0.05)) { o->damping_floor = 0.0; }
    if (soak_chance(random, 0.1)) { o->descent = !o->descent; }
    if (soak_chance(random, 0.2)) { o->rest_weight = scale * soak_magnitude(random, -9.0, 3.0); }
    if (soak_chance(random, 0.2)) {
        o->velocity_weight = scale * soak_magnitude(random, -9.0, 3.0);
    }
    if (soak_chance(random, 0.1)) {
        o->orientation_length = scale * soak_magnitude(random, -4.0, 4.0);
    }
    if (soak_chance(random, 0.1)) { o->step_scale = scene_random_range(random, 0.01, 1.0); }
    if (soak_chance(random, 0.1)) { o->max_joint_step = soak_magnitude(random, -6.0, 6.0); }
    if (soak_chance(random, 0.2)) { o->max_joint_change = soak_magnitude(random, -6.0, 2.0); }
    if (soak_chance(random, 0.1)) { o->max_target_step = soak_magnitude(random, -6.0, 6.0); }
    if (soak_chance(random, 0.1)) { o->stall_share = soak_magnitude(random, -15.0, 0.0); }
    if (soak_chance(random, 0.1)) { o->difference_step = soak_magnitude(random, -9.0, -2.0); }
    if (soak_chance(random, 0.15)) { o->soft_reach = scene_random_range(random, 0.0, 0.2); }
    if (soak_chance(random, 0.1)) { o->constraint_damping = soak_magnitude(random, -9.0, 2.0); }
    if (soak_chance(random, 0.05)) { o->constraint_damping = 0.0; }
    if (soak_chance(random, 0.1)) { o->halving_threshold = soak_magnitude(random, -15.0, 1.0); }
}

sinew_SolveOptions soak_make_options(scene_Random *random, double scale, double size)
{
    sinew_Method method = (sinew_Method)scene_random_index(random, SINEW_METHOD_COUNT);
    sinew_SolveOptions o = sinew_solve_options_default(method);
    // the choices
    if (soak_chance(random, 0.1)) { o.rows = SINEW_ROWS_HALF; }
    if (soak_chance(random, 0.15)) {
        o.jacobian = (sinew_JacobianSource)scene_random_index(random, 3);
    }
    if (soak_chance(random, 0.5)) { o.form = (sinew_LinearForm)scene_random_index(random, 5); }
    o.limits = soak_chance(random, 0.7) ? SINEW_LIMITS_ACTIVE : SINEW_LIMITS_CLAMP;
    if (soak_chance(random, 0.05)) { o.limits = SINEW_LIMITS_NONE; }
    o.inverse = (sinew_Inverse)soak_chance(random, 0.2);
    o.sweep = (sinew_SweepOrder)soak_chance(random, 0.5);
    o.literal_halving = soak_chance(random, 0.3);
    o.start = soak_chance(random, 0.6) ? SINEW_START_GIVEN
                                       : (sinew_StartMode)scene_random_index(random, 3);
    o.seed = scene_random_bits(random);
    // tolerances are metres
    if (soak_chance(random, 0.8)) {
        o.position_tolerance = scale * soak_magnitude(random, -9.0, -1.0);
        o.orientation_tolerance = soak_magnitude(random, -9.0, 0.0);
    }
    random_numbers(random, scale, &o);
    // ceilings
    int most = (int)fmin(200.0, fmax(4.0, 2e5 / size));
    o.max_iterations = scene_random_index(random, most + 1);
    if (soak_chance(random, 0.1)) {
        o.min_iterations = scene_random_index(random, o.max_iterations + 1);
    }
    o.max_halvings = scene_random_index(random, 40);
    if (soak_chance(random, 0.3)) { o.restarts = scene_random_index(random, 6); }
    if (soak_chance(random, 0.1)) { o.soft_reach = scene_random_range(random, 0.0, 0.2); }
    return o;
}
