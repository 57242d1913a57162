// Motions on other bodies: the same body, shorter and longer limbs, live, somebody in particular.

#include "testing.h"

#include "scenes/scenes.h"
#include "sinew/file.h"
#include "sinew/retarget.h"
#include "sinew/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A body with its motion.
typedef struct Body {
    sinew_MotionFile *file;
    const sinew_Skeleton *skeleton;
    sinew_Skeleton *own;
    const sinew_Clip *clip;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
} Body;

static void see(Body *body, const sinew_Clip *motion)
{
    sinew_Message message = { "" };
    sinew_PoseList poses = { NULL, 0 };
    sinew_RoleOptions options = sinew_role_options_default();
    if (motion != NULL) {
        poses = (sinew_PoseList){ sinew_clip_frame_const(motion, 0),
            sinew_clip_frame_count(motion) };
        options.motion = &poses;
    }
    TEST_OK(sinew_roles_guess(body->skeleton, &options, NULL, &body->roles, &message), &message);
    TEST_OK(sinew_stance_guess(
                body->skeleton, body->roles, options.motion, NULL, &body->stance, &message),
        &message);
}

static bool open_body(Body *body, const char *name)
{
    const char *path = data_path(name);
    sinew_Message message = { "" };
    memset(body, 0, sizeof *body);
    if (path == NULL) { return false; }
    TEST_OK(sinew_motion_read(path, NULL, &body->file, &message), &message);
    body->skeleton = sinew_motion_skeleton(body->file);
    body->clip = sinew_motion_clip(body->file);
    see(body, body->clip);
    return true;
}

static void close_body(Body *body)
{
    sinew_stance_destroy(body->stance);
    sinew_roles_destroy(body->roles);
    sinew_skeleton_destroy(body->own);
    sinew_motion_destroy(body->file);
}

/// The body of a scene with all bones times a factor.
static Body scaled_scene(const char *name, double factor)
{
    scene_Scene *scene = NULL;
    Body body = { .file = NULL };
    TEST_INT(scene_create(name, NULL, &scene, NULL), SINEW_STATUS_OK);
    int count = sinew_skeleton_joint_count(scene->skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    sinew_JointDef *defs = calloc((size_t)count, sizeof *defs);
    assert_non_null(defs);
    for (int j = 0; j < count; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = joints[j].name;
        defs[j].parent = joints[j].parent;
        // limbs alone: the trunk keeps its size
        bool limb = strstr(joints[j].name, "Leg") != NULL || strstr(joints[j].name, "Foot") != NULL
            || strstr(joints[j].name, "Arm") != NULL || strstr(joints[j].name, "Hand") != NULL;
        defs[j].offset = sinew_vec3_scale(joints[j].offset, limb ? factor : 1.0);
        defs[j].rest_rotation = joints[j].rest_rotation;
        defs[j].axes = axes + joints[j].axis_start;
        defs[j].axis_count = joints[j].axis_count;
    }
    TEST_INT(sinew_skeleton_create(defs, count, NULL, &body.own, NULL), SINEW_STATUS_OK);
    body.skeleton = body.own;
    free(defs);
    scene_destroy(scene);
    see(&body, NULL);
    return body;
}

static sinew_RetargeterDef def_of(const Body *source, const Body *target)
{
    sinew_RetargeterDef def = sinew_retargeter_def_default();
    def.source = (sinew_RetargetBody){ source->skeleton, source->roles, source->stance };
    def.target = (sinew_RetargetBody){ target->skeleton, target->roles, target->stance };
    return def;
}

static sinew_Clip *retarget(
    const sinew_RetargeterDef *def, const sinew_Clip *clip, sinew_RetargetReport *report)
{
    sinew_Retargeter *retargeter = NULL;
    sinew_Clip *result = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_retargeter_create(def, &retargeter, &message), &message);
    TEST_OK(sinew_retargeter_clip(retargeter, clip, &result, report, &message), &message);
    sinew_retargeter_destroy(retargeter);
    return result;
}

/// Slides of contacts of feet found anew, metres at a leg of 0.9 m: sorted.
static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static int find_slides(const Body *body, const sinew_Clip *clip, double *out, int most)
{
    sinew_ContactPoint points[6];
    sinew_ContactDef def = sinew_contact_def_default();
    sinew_Contacts *contacts = NULL;
    int thigh = sinew_roles_find(body->roles, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT, -1);
    int foot = sinew_roles_find(body->roles, SINEW_ROLE_FOOT, SINEW_SIDE_LEFT, -1);
    def.skeleton = body->skeleton;
    def.motion = (sinew_PoseList){ sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    def.frame_time = sinew_clip_frame_time(clip);
    def.up = body->stance->up;
    def.leg = sinew_vec3_distance(body->stance->world_from_joint[thigh].position,
        body->stance->world_from_joint[foot].position);
    def.points = points;
    def.point_count = 4;
    TEST_TRUE(sinew_contact_points(body->skeleton, body->roles, body->stance, points, 6) >= 4);
    TEST_INT(sinew_contacts_find(&def, &contacts, NULL), SINEW_STATUS_OK);
    int count = 0;
    for (int i = 0; i < contacts->contact_count && count < most; ++i) {
        out[count++] = contacts->contacts[i].slide * 0.9 / def.leg;
    }
    sinew_contacts_destroy(contacts);
    qsort(out, (size_t)count, sizeof *out, by_size);
    return count;
}

// ---------------------------------------------------------------------------------------------

// without contacts held, a motion on its own body is what it was
static void test_own_body_comes_back(void **state)
{
    (void)state;
    static const char *const names[] = { "bvh/cmu_12_01_walk_mb.bvh", "bvh/mass_kick.bvh",
        "bvh/rokokovision_walking.bvh", "bvh/bandai_2_run_normal_004.bvh", "bvh/fair_dab.bvh",
        "bvh/makehuman_walk1.bvh", "gltf/cesium_man.gltf" };
    for (int i = 0; i < 7; ++i) {
        Body body;
        if (!open_body(&body, names[i])) { skip(); }
        sinew_RetargeterDef def = def_of(&body, &body);
        def.hold_feet = false;
        sinew_Clip *result = retarget(&def, body.clip, NULL);
        double worst = 0.0;
        for (int t = 0; t < sinew_clip_frame_count(result); ++t) {
            for (int j = 0; j < body.roles->joint_count; ++j) {
                sinew_Quat a = sinew_pose_local(
                    body.skeleton, sinew_clip_frame_const(body.clip, t), j)
                                   .rotation;
                sinew_Quat b =
                    sinew_pose_local(body.skeleton, sinew_clip_frame_const(result, t), j).rotation;
                worst = fmax(worst, sinew_quat_angle(a, b));
            }
        }
        if (worst > 1e-6) { print_message("%s: %g rad\n", names[i], worst); }
        TEST_TRUE(worst <= 1e-6);
        sinew_clip_destroy(result);
        close_body(&body);
    }
}

// RET-1: a motion of MAN18 plays on one with limbs 0.8 and 1.2 times as long, feet held within 5 mm
static void test_shorter_and_longer_limbs_ret1(void **state)
{
    (void)state;
    Body source;
    if (!open_body(&source, "bvh/bandai_2_walk_normal_003.bvh")) { skip(); }
    Body man = scaled_scene("MAN18", 1.0);
    sinew_RetargeterDef first = def_of(&source, &man);
    sinew_Clip *recorded = retarget(&first, source.clip, NULL);
    for (int i = 0; i < 2; ++i) {
        Body other = scaled_scene("MAN18", i == 0 ? 0.8 : 1.2);
        sinew_RetargeterDef def = def_of(&man, &other);
        sinew_RetargetReport report;
        sinew_Clip *result = retarget(&def, recorded, &report);
        double slides[256];
        int count = find_slides(&other, result, slides, 256);
        TEST_TRUE(report.prints[0] >= 6 && report.prints[1] >= 6 && count >= 20);
        TEST_INT(report.short_frames, 0);
        TEST_TRUE(slides[count - 1] < 0.005);
        TEST_NEAR(report.limit_violation, 0.0, 0.0);
        sinew_clip_destroy(result);
        close_body(&other);
    }
    sinew_clip_destroy(recorded);
    close_body(&man);
    close_body(&source);
}

static const char *const pairs[][2] = {
    { "bvh/cmu_12_01_walk_mb.bvh", "gltf/cesium_man.gltf" },
    { "bvh/bandai_2_walk-turn-left_normal_005.bvh", "bvh/makehuman_tpose_6ch.bvh" },
    { "bvh/bandai_2_run_normal_004.bvh", "bvh/rokokovision_walking.bvh" },
    { "bvh/mass_kick.bvh", "bvh/cmu_01_01_mb.bvh" },
};
enum { PAIRS = (int)(sizeof pairs / sizeof pairs[0]) };

// bodies that never met: feet stand, hips turn as they did
static int joint_of(const Body *body, sinew_Role role, sinew_Side side)
{
    for (int j = 0; j < body->roles->joint_count; ++j) {
        if (body->roles->joints[j].role == role && body->roles->joints[j].side == side) {
            return j;
        }
    }
    return -1;
}

// sine of a knee's bend, about the line from the right hip to the left one: one sign for knees that bend as
// knees do
static double knee_bend(const Body *body, const double *q, sinew_Side side)
{
    sinew_Transform world[256];
    sinew_pose_forward(body->skeleton, q, world);
    sinew_Vec3 left = sinew_vec3_sub(
        world[joint_of(body, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT)].position,
        world[joint_of(body, SINEW_ROLE_THIGH, SINEW_SIDE_RIGHT)].position);
    sinew_Vec3 hip = world[joint_of(body, SINEW_ROLE_THIGH, side)].position;
    sinew_Vec3 knee = world[joint_of(body, SINEW_ROLE_SHIN, side)].position;
    sinew_Vec3 ankle = world[joint_of(body, SINEW_ROLE_FOOT, side)].position;
    sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    return sinew_vec3_dot(sinew_vec3_normalize_or(left, none),
        sinew_vec3_cross(sinew_vec3_normalize_or(sinew_vec3_sub(knee, hip), none),
            sinew_vec3_normalize_or(sinew_vec3_sub(ankle, knee), none)));
}

// knees bend the way they do in the source: how many frames of both legs go the other way
static int count_knees_turned(const Body *source, const Body *target, const sinew_Clip *result)
{
    int turned = 0;
    for (int t = 0; t < sinew_clip_frame_count(result); ++t) {
        for (int side = SINEW_SIDE_LEFT; side <= SINEW_SIDE_RIGHT; ++side) {
            double from = knee_bend(
                source, sinew_clip_frame_const(source->clip, t), (sinew_Side)side);
            double to = knee_bend(target, sinew_clip_frame_const(result, t), (sinew_Side)side);
            turned += fabs(from) > 0.1 && fabs(to) > 0.1 && from * to < 0.0 ? 1 : 0;
        }
    }
    return turned;
}

static void test_recorded_pairs(void **state)
{
    (void)state;
    double slides[1024];
    int count = 0;
    for (int i = 0; i < PAIRS; ++i) {
        Body source, target;
        if (!open_body(&source, pairs[i][0]) || !open_body(&target, pairs[i][1])) { skip(); }
        sinew_RetargeterDef def = def_of(&source, &target);
        sinew_RetargetReport report;
        sinew_Clip *result = retarget(&def, source.clip, &report);
        TEST_INT(report.short_frames, 0);
        TEST_TRUE(report.fit.rotation < 1e-6 && report.hips_lowered_max < 0.12);
        count += find_slides(&target, result, slides + count, 1024 - count);
        TEST_INT(count_knees_turned(&source, &target, result), 0);
        sinew_clip_destroy(result);
        close_body(&source);
        close_body(&target);
    }
    qsort(slides, (size_t)count, sizeof *slides, by_size);
    TEST_TRUE(count > 40);
    TEST_TRUE(slides[count / 2] <= 0.0005);
    TEST_TRUE(slides[count * 95 / 100] <= 0.005);
}

/// How far the lowest heel or ball of a frame is below height 0, metres.
static double depth_of(const Body *body, const double *q)
{
    sinew_Transform world[256];
    double depth = 0.0;
    sinew_pose_forward(body->skeleton, q, world);
    for (int s = 0; s < 2; ++s) {
        const sinew_StanceFoot *foot = &body->stance->feet[s];
        const sinew_Vec3 points[2] = { foot->heel, foot->ball };
        for (int i = 0; i < 2; ++i) {
            sinew_Vec3 at = sinew_transform_point(world[foot->joint], points[i]);
            depth = fmax(depth, -sinew_vec3_dot(at, body->stance->up));
        }
    }
    return depth;
}

/// Largest turn of a joint of the legs between two frames, radians.
static double largest_step(const Body *body, const sinew_Clip *clip)
{
    static const sinew_Role roles[3] = { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT };
    double most = 0.0;
    for (int t = 1; t < sinew_clip_frame_count(clip); ++t) {
        for (int i = 0; i < 6; ++i) {
            int joint = joint_of(
                body, roles[i / 2], i % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT);
            sinew_Quat was = sinew_pose_local(
                body->skeleton, sinew_clip_frame_const(clip, t - 1), joint)
                                 .rotation;
            sinew_Quat is =
                sinew_pose_local(body->skeleton, sinew_clip_frame_const(clip, t), joint).rotation;
            most = fmax(most, sinew_quat_angle(was, is));
        }
    }
    return most;
}

/// The same of all poses of a stream at 100 Hz with the usual look-ahead.
static double depth_live(const sinew_RetargeterDef *def, const Body *target, const sinew_Clip *clip)
{
    sinew_Clip *stream = NULL;
    sinew_Retargeter *retargeter = NULL;
    double q[1024], depth = 0.0;
    TEST_TRUE(sinew_skeleton_coordinate_count(target->skeleton) <= 1024);
    TEST_INT(sinew_clip_resample(clip, def->frame_time, NULL, &stream), SINEW_STATUS_OK);
    TEST_INT(sinew_retargeter_create(def, &retargeter, NULL), SINEW_STATUS_OK);
    for (int t = 0; t < sinew_clip_frame_count(stream); ++t) {
        const double *pose = sinew_clip_frame_const(stream, t);
        TEST_INT(sinew_retargeter_push(retargeter, pose, q, NULL, NULL), SINEW_STATUS_OK);
        depth = fmax(depth, depth_of(target, q));
    }
    sinew_retargeter_destroy(retargeter);
    sinew_clip_destroy(stream);
    return depth;
}

// longer feet than the source's swing over the floor as well, and no joint leaps for it
static void test_swinging_feet_clear_the_floor(void **state)
{
    (void)state;
    static const char *const clips[] = { "bvh/bandai_2_walk-turn-left_normal_005.bvh",
        "bvh/cmu_12_01_walk_mb.bvh", "bvh/fair_dab.bvh" };
    for (int i = 0; i < 3; ++i) {
        Body source, target;
        if (!open_body(&source, clips[i]) || !open_body(&target, "bvh/xsens_jl_tpose.bvh")) {
            skip();
        }
        sinew_RetargeterDef def = def_of(&source, &target);
        sinew_Clip *result = retarget(&def, source.clip, NULL);
        double depth = 0.0;
        for (int t = 0; t < sinew_clip_frame_count(result); ++t) {
            depth = fmax(depth, depth_of(&target, sinew_clip_frame_const(result, t)));
        }
        double step = largest_step(&target, result), was = largest_step(&source, source.clip);
        print_message("%s: %.3f mm below the floor, steps of %.3f rad (%.3f)\n", clips[i],
            1e3 * depth, step, was);
        TEST_TRUE(depth <= 1e-4);
        depth = depth_live(&def, &target, source.clip);
        print_message("live: %.3f mm below the floor\n", 1e3 * depth);
        TEST_TRUE(depth <= 1e-3);
        TEST_TRUE(step <= fmax(1.1 * was, 0.3));
        sinew_clip_destroy(result);
        close_body(&source);
        close_body(&target);
    }
}

// RET-2: samples at 100 Hz, one pose each, nothing allocated on the way
// the lowest of what hangs on the feet, ends of toes among it, metres
static double lowest_of_feet(const Body *body, const sinew_Transform *world)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    double lowest = INFINITY;
    for (int s = 0; s < 2; ++s) {
        int foot = body->stance->feet[s].joint;
        for (int j = foot; j < foot + joints[foot].subtree_count; ++j) {
            lowest = fmin(lowest, sinew_vec3_dot(world[j].position, body->stance->up));
        }
    }
    return lowest;
}

// Toes that would reach into the floor as the heel lifts bend up: their ends are as high as where the body stands.
static void test_toes_stay_above_the_floor(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "bvh/bandai_2_walk_normal_003.bvh", "bvh/xsens_jl_tpose.bvh" },
        { "bvh/bandai_2_walk-turn-left_normal_005.bvh", "bvh/cmu_01_01_mb.bvh" },
        { "bvh/mass_walk.bvh", "bvh/fair_dab.bvh" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Body source, target;
        if (!open_body(&source, cases[i][0]) || !open_body(&target, cases[i][1])) { skip(); }
        sinew_RetargeterDef def = def_of(&source, &target);
        def.frame_time = sinew_clip_frame_time(source.clip);
        sinew_Retargeter *retargeter;
        sinew_Clip *result;
        sinew_Transform world[256];
        double q[512], sole = INFINITY, lowest = INFINITY, live = INFINITY;
        TEST_INT(sinew_retargeter_create(&def, &retargeter, NULL), SINEW_STATUS_OK);
        TEST_INT(sinew_retargeter_clip(retargeter, source.clip, &result, NULL, NULL), 0);
        for (int s = 0; s < 2; ++s) {
            const sinew_StanceFoot *foot = &target.stance->feet[s];
            sinew_Transform at = target.stance->world_from_joint[foot->joint];
            sole = fmin(
                sole, sinew_vec3_dot(sinew_transform_point(at, foot->ball), target.stance->up));
        }
        double stands = lowest_of_feet(&target, target.stance->world_from_joint) - sole;
        for (int t = 0; t < sinew_clip_frame_count(result); ++t) {
            sinew_pose_forward(target.skeleton, sinew_clip_frame_const(result, t), world);
            lowest = fmin(lowest, lowest_of_feet(&target, world));
            const double *pose = sinew_clip_frame_const(source.clip, t);
            TEST_INT(sinew_retargeter_push(retargeter, pose, q, NULL, NULL), SINEW_STATUS_OK);
            sinew_pose_forward(target.skeleton, q, world);
            live = fmin(live, lowest_of_feet(&target, world));
        }
        print_message("%s: lowest end of a toe %.1f mm, live %.1f, where it stands %.1f\n",
            cases[i][1], 1e3 * lowest, 1e3 * live, 1e3 * stands);
        TEST_TRUE(lowest >= fmin(stands, 0.0) - 0.003);
        TEST_TRUE(live >= fmin(stands, 0.0) - 0.003);
        sinew_clip_destroy(result);
        sinew_retargeter_destroy(retargeter);
        close_body(&source);
        close_body(&target);
    }
}

static void test_live_stream_ret2(void **state)
{
    (void)state;
    Body source, target;
    if (!open_body(&source, "bvh/bandai_2_walk_normal_003.bvh")
        || !open_body(&target, "bvh/cmu_01_01_mb.bvh")) {
        skip();
    }
    sinew_Clip *stream = NULL, *result = NULL;
    test_Memory memory;
    test_memory_init(&memory);
    TEST_INT(sinew_clip_resample(source.clip, 0.01, NULL, &stream), SINEW_STATUS_OK);
    sinew_RetargeterDef def = def_of(&source, &target);
    def.allocator = memory.allocator;
    sinew_Retargeter *retargeter = NULL;
    TEST_INT(sinew_retargeter_create(&def, &retargeter, NULL), SINEW_STATUS_OK);
    int frames = sinew_clip_frame_count(stream);
    TEST_INT(sinew_clip_create(target.skeleton, frames, 0.01, NULL, &result), SINEW_STATUS_OK);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(target.skeleton), sizeof *q);
    assert_non_null(q);
    long taken = memory.alloc_count;
    for (int t = 0; t < frames + 10; ++t) {
        long sample = -1;
        const double *pose = sinew_clip_frame_const(stream, t < frames ? t : frames - 1);
        TEST_INT(sinew_retargeter_push(retargeter, pose, q, &sample, NULL), SINEW_STATUS_OK);
        TEST_INT(sample, t > 10 ? t - 10 : 0);
        TEST_INT(sinew_pose_check(target.skeleton, q, NULL), SINEW_STATUS_OK);
        memcpy(sinew_clip_frame(result, (int)sample), q,
            (size_t)sinew_skeleton_coordinate_count(target.skeleton) * sizeof *q);
    }
    TEST_INT(memory.alloc_count, taken);
    double slides[256];
    int count = find_slides(&target, result, slides, 256);
    TEST_TRUE(count > 20);
    TEST_TRUE(slides[count / 2] <= 0.001 && slides[count * 95 / 100] <= 0.004);
    // a broken sample changes nothing
    TEST_INT(sinew_retargeter_push(retargeter, NULL, q, NULL, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_retargeter_destroy(retargeter);
    TEST_TRUE(memory.live_bytes == 0 && !memory.wrong_size);
    free(q);
    sinew_clip_destroy(stream);
    sinew_clip_destroy(result);
    close_body(&source);
    close_body(&target);
}

static double joint_step(const Body *body, const double *a, const double *b, int joint)
{
    return sinew_quat_angle(sinew_pose_local(body->skeleton, a, joint).rotation,
        sinew_pose_local(body->skeleton, b, joint).rotation);
}

// What holds the feet never turns a joint by more than 18 rad/s beyond the motion carried over, whatever is seen how
// late.
static void test_live_joints_do_not_pop(void **state)
{
    (void)state;
    Body source, target;
    if (!open_body(&source, "bvh/cmu_12_01_walk_mb.bvh")) { skip(); }
    if (!open_body(&target, "bvh/bandai_2_walk_normal_003.bvh")) { skip(); }
    int count = sinew_skeleton_coordinate_count(target.skeleton);
    double *held = calloc((size_t)count * 4, sizeof *held), *plain = held + count;
    double *held_before = plain + count, *plain_before = held_before + count;
    for (int k = 0; k < 2; ++k) {
        sinew_Retargeter *r[2];
        sinew_RetargeterDef def = def_of(&source, &target);
        def.frame_time = sinew_clip_frame_time(source.clip);
        def.look_ahead = k * 0.1;
        def.hold_hands = false;
        for (int i = 0; i < 2; ++i) {
            def.hold_feet = i == 0;
            TEST_INT(sinew_retargeter_create(&def, &r[i], NULL), SINEW_STATUS_OK);
        }
        double most = 0.0;
        for (int t = 1; t < sinew_clip_frame_count(source.clip); ++t) {
            const double *pose = sinew_clip_frame_const(source.clip, t);
            TEST_INT(sinew_retargeter_push(r[0], pose, held, NULL, NULL), SINEW_STATUS_OK);
            TEST_INT(sinew_retargeter_push(r[1], pose, plain, NULL, NULL), SINEW_STATUS_OK);
            for (int j = 1; j < sinew_skeleton_joint_count(target.skeleton) && t > 1; ++j) {
                double more = joint_step(&target, held_before, held, j)
                    - joint_step(&target, plain_before, plain, j);
                most = fmax(most, more / def.frame_time);
            }
            memcpy(held_before, held, 2 * (size_t)count * sizeof *held);
        }
        print_message("%g s ahead: %.2f rad/s more\n", def.look_ahead, most);
        TEST_TRUE(most <= 18.0 + 1e-3);
        sinew_retargeter_destroy(r[0]);
        sinew_retargeter_destroy(r[1]);
    }
    free(held);
    close_body(&source);
    close_body(&target);
}

static sinew_Vec3 palm(const Body *body, const double *q, int side)
{
    sinew_ContactPoint points[6];
    sinew_Transform world[256];
    TEST_INT(sinew_contact_points(body->skeleton, body->roles, body->stance, points, 6), 6);
    sinew_pose_forward(body->skeleton, q, world);
    return sinew_transform_point(world[points[4 + side].joint], points[4 + side].offset);
}

// hands folded before the chest are folded on shorter and longer arms as well
static void test_hands_that_meet(void **state)
{
    (void)state;
    static const char *const others[] = { "bvh/bandai_2_walk_feminine_002.bvh",
        "gltf/cesium_man.gltf", "bvh/rokokovision_walking.bvh" };
    Body source;
    if (!open_body(&source, "bvh/mass_walk.bvh")) { skip(); }
    sinew_ContactPoint points[6];
    sinew_contact_points(source.skeleton, source.roles, source.stance, points, 6);
    int chest = sinew_roles_find(source.roles, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, -1);
    sinew_Vec3 place = source.stance->world_from_joint[chest].position;
    place = sinew_vec3_add_scaled(place, source.stance->ahead, 0.35);
    sinew_SolverDef solver_def = sinew_solver_def_default();
    solver_def.skeleton = source.skeleton;
    sinew_Solver *solver = NULL;
    TEST_INT(sinew_solver_create(&solver_def, &solver, NULL), SINEW_STATUS_OK);
    sinew_Clip *folded = NULL;
    TEST_INT(sinew_clip_create(source.skeleton, 1, 0.01, NULL, &folded), SINEW_STATUS_OK);
    double *q = sinew_clip_frame(folded, 0);
    memcpy(q, source.stance->q, (size_t)source.stance->coordinate_count * sizeof *q);
    sinew_Goal goals[2];
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    for (int s = 0; s < 2; ++s) {
        sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        goals[s] = sinew_goal_position(points[4 + s].joint,
            sinew_vec3_add_scaled(place, source.stance->left, s == 0 ? 0.01 : -0.01));
        goals[s].joint_from_effector.position = points[4 + s].offset;
        goals[s].chain_root = sinew_roles_find(source.roles, SINEW_ROLE_UPPERARM, side, -1);
    }
    TEST_INT(sinew_solver_solve(solver, &options, goals, 2, q, NULL, NULL), SINEW_STATUS_OK);
    TEST_TRUE(sinew_vec3_distance(palm(&source, q, 0), palm(&source, q, 1)) < 0.025);
    for (int i = 0; i < 3; ++i) {
        Body target;
        if (!open_body(&target, others[i])) { skip(); }
        double apart[2];
        for (int held = 0; held < 2; ++held) {
            sinew_RetargeterDef def = def_of(&source, &target);
            def.hold_hands = held == 1;
            sinew_Clip *result = retarget(&def, folded, NULL);
            const double *r = sinew_clip_frame_const(result, 0);
            apart[held] = sinew_vec3_distance(palm(&target, r, 0), palm(&target, r, 1));
            sinew_clip_destroy(result);
        }
        print_message(
            "%s: hands %.0f mm apart, held %.0f\n", others[i], 1e3 * apart[0], 1e3 * apart[1]);
        TEST_TRUE(apart[1] < 0.03 && apart[1] < apart[0]);
        close_body(&target);
    }
    sinew_clip_destroy(folded);
    sinew_solver_destroy(solver);
    close_body(&source);
}

// the range that a knee goes through, radians
static double knee_range(const Body *body, const sinew_Clip *clip, sinew_Side side)
{
    static const sinew_Role roles[3] = { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT };
    sinew_Transform *world = calloc((size_t)body->roles->joint_count, sizeof *world);
    assert_non_null(world);
    int j[3];
    for (int i = 0; i < 3; ++i) { j[i] = sinew_roles_find(body->roles, roles[i], side, -1); }
    double low = INFINITY, high = 0.0;
    for (int t = 0; t < sinew_clip_frame_count(clip); ++t) {
        sinew_pose_forward(body->skeleton, sinew_clip_frame_const(clip, t), world);
        sinew_Vec3 a = sinew_vec3_sub(world[j[1]].position, world[j[0]].position);
        sinew_Vec3 b = sinew_vec3_sub(world[j[2]].position, world[j[1]].position);
        double bend = acos(sinew_vec3_dot(a, b) / (sinew_vec3_length(a) * sinew_vec3_length(b)));
        low = fmin(low, bend);
        high = fmax(high, bend);
    }
    free(world);
    return high - low;
}

// RET-3, WGT-4: a stiff knee goes through less than half of its range, and the feet are where they should be
static void test_stiff_knee_ret3(void **state)
{
    (void)state;
    Body source, target;
    if (!open_body(&source, "bvh/bandai_2_walk_normal_003.bvh")
        || !open_body(&target, "bvh/mass_walk.bvh")) {
        skip();
    }
    sinew_RetargeterDef def = def_of(&source, &target);
    sinew_Individual stiff;
    TEST_INT(sinew_individual_parse("stiff_knee_left", &stiff, NULL), SINEW_STATUS_OK);
    sinew_Clip *healthy = retarget(&def, source.clip, NULL);
    def.individual = &stiff;
    sinew_Clip *result = retarget(&def, source.clip, NULL);
    double before = knee_range(&target, healthy, SINEW_SIDE_LEFT);
    TEST_TRUE(knee_range(&target, result, SINEW_SIDE_LEFT) <= 0.5 * before);
    TEST_TRUE(knee_range(&target, result, SINEW_SIDE_RIGHT) >= 0.8 * before);
    double slides[256];
    int count = find_slides(&target, result, slides, 256);
    TEST_TRUE(count > 20 && slides[count / 2] < 0.001 && slides[count - 1] < 0.005);
    sinew_clip_destroy(healthy);
    sinew_clip_destroy(result);
    close_body(&source);
    close_body(&target);
}

// what cannot be carried over is refused with its reason; what breaks a rule, too
static void test_what_is_refused(void **state)
{
    (void)state;
    Body source, robot;
    if (!open_body(&source, "bvh/mass_walk.bvh")
        || !open_body(&robot, "gltf/robot_expressive.glb")) {
        skip();
    }
    sinew_Retargeter *retargeter = NULL;
    sinew_Message message = { "" };
    sinew_RetargeterDef def = def_of(&source, &robot);
    TEST_INT(sinew_retargeter_create(&def, &retargeter, &message), SINEW_STATUS_UNSUPPORTED);
    TEST_TRUE(retargeter == NULL && strstr(message.text, "Foot.L") != NULL);
    sinew_RetargeterDef good = def_of(&source, &source);
    sinew_RetargetPair pair = { .source = 0, .target = 10000 };
    sinew_RetargetPair between[2] = { { 0, 1, 10000, 0.5 }, { 0, 1, 1, 1.5 } };
    sinew_RetargeterDef bad[8] = { good, good, good, good, good, good, good, good };
    bad[0].cookie = 0;
    bad[1].target.stance = NULL;
    bad[2].reach = 1.5;
    bad[3].look_ahead = NAN;
    bad[4].pairs = &pair;
    bad[4].pair_count = 1;
    bad[5].frame_time = 0.0;
    for (int i = 0; i < 2; ++i) {
        bad[6 + i].pairs = &between[i];
        bad[6 + i].pair_count = 1;
    }
    for (int i = 0; i < 8; ++i) {
        message.text[0] = '\0';
        TEST_INT(
            sinew_retargeter_create(&bad[i], &retargeter, &message), SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(retargeter == NULL && message.text[0] != '\0');
    }
    TEST_INT(sinew_retargeter_create(&good, &retargeter, NULL), SINEW_STATUS_OK);
    sinew_Clip *result = NULL;
    TEST_INT(sinew_retargeter_clip(retargeter, robot.clip, &result, NULL, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(result == NULL);
    sinew_retargeter_destroy(retargeter);
    sinew_retargeter_destroy(NULL);
    close_body(&source);
    close_body(&robot);
}

// every allocation fails once, and nothing leaks
static void test_retarget_without_memory(void **state)
{
    (void)state;
    Body body;
    if (!open_body(&body, "bvh/makehuman_walk1.bvh")) { skip(); }
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    for (long fail_at = 1; status == SINEW_STATUS_OUT_OF_MEMORY; ++fail_at) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        sinew_RetargeterDef def = def_of(&body, &body);
        def.allocator = memory.allocator;
        sinew_Retargeter *retargeter = NULL;
        sinew_Clip *result = NULL;
        status = sinew_retargeter_create(&def, &retargeter, NULL);
        if (status == SINEW_STATUS_OK) {
            status = sinew_retargeter_clip(retargeter, body.clip, &result, NULL, NULL);
        }
        sinew_clip_destroy(result);
        sinew_retargeter_destroy(retargeter);
        TEST_TRUE(memory.live_bytes == 0);
        assert_true(fail_at < 100);
    }
    TEST_INT(status, SINEW_STATUS_OK);
    close_body(&body);
}

// words and files say the same; combinations add up
static void test_individuals_in_words(void **state)
{
    (void)state;
    sinew_Individual a, b;
    sinew_Message message = { "" };
    TEST_INT(sinew_individual_parse("old:0.5,limp_left,bad_back:.25", &a, NULL), SINEW_STATUS_OK);
    TEST_NEAR(a.strength[SINEW_TRAIT_OLD], 0.5, 1e-12);
    TEST_NEAR(a.strength[SINEW_TRAIT_BAD_BACK], 0.25, 1e-12);
    const char *path = test_temp_path("somebody.json");
    TEST_OK(sinew_individual_write(path, &a, &message), &message);
    TEST_OK(sinew_individual_read(path, &b, &message), &message);
    TEST_TRUE(memcmp(&a, &b, sizeof a) == 0);
    static const char *const wrong[] = { "", "lame", "old:2", "old:", "old:-1", "old,,tired",
        "old:0.5x" };
    for (int i = 0; i < 7; ++i) {
        TEST_INT(sinew_individual_parse(wrong[i], &b, &message), SINEW_STATUS_INVALID_ARGUMENT);
    }
    sinew_IndividualEffects nobody = sinew_individual_effects(NULL);
    TEST_TRUE(nobody.tempo == 1.0 && nobody.lean == 0.0 && nobody.knee_bend[0] >= SINEW_PI);
    sinew_IndividualEffects e = sinew_individual_effects(&a);
    TEST_TRUE(e.hurt[0] == 1.0 && e.hurt[1] == 0.0 && e.tempo < 0.9 && e.lean > 0.1);
}

// ---------------------------------------------------------------------------------------------
// Roots above the hips

/// The body of a scene below a root of its own on the ground; its hips slide, or hang on the root.
static Body rooted_scene(const char *name, bool slides)
{
    scene_Scene *scene = NULL;
    Body body = { .file = NULL };
    TEST_INT(scene_create(name, NULL, &scene, NULL), SINEW_STATUS_OK);
    int count = sinew_skeleton_joint_count(scene->skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    sinew_Axis free_axes[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        sinew_axis_ball() };
    sinew_JointDef *defs = calloc((size_t)count + 1, sizeof *defs);
    assert_non_null(defs);
    defs[0] = sinew_joint_def_default();
    defs[0].name = "Root";
    defs[0].parent = -1;
    defs[0].axes = free_axes;
    defs[0].axis_count = 4;
    for (int j = 0; j < count; ++j) {
        sinew_JointDef *def = &defs[j + 1];
        *def = sinew_joint_def_default();
        def->name = joints[j].name;
        def->parent = joints[j].parent + 1;
        def->offset = joints[j].offset;
        def->rest_rotation = joints[j].rest_rotation;
        def->axes = axes + joints[j].axis_start;
        def->axis_count = joints[j].axis_count;
    }
    defs[1].axes = slides ? free_axes : free_axes + 3;
    defs[1].axis_count = slides ? 4 : 1;
    TEST_INT(sinew_skeleton_create(defs, count + 1, NULL, &body.own, NULL), SINEW_STATUS_OK);
    body.skeleton = body.own;
    free(defs);
    scene_destroy(scene);
    see(&body, NULL);
    TEST_INT(body.roles->joints[0].role, SINEW_ROLE_ROOT);
    return body;
}

/// How far joints of one clip are from those of another, metres; skipped: of the second, before its first one.
static double worst_place(const sinew_Clip *a, const sinew_Clip *b, int skipped)
{
    sinew_Transform at[256], other[256];
    double worst = 0.0;
    TEST_INT(sinew_clip_frame_count(a), sinew_clip_frame_count(b));
    for (int t = 0; t < sinew_clip_frame_count(a); ++t) {
        sinew_pose_forward(sinew_clip_skeleton(a), sinew_clip_frame_const(a, t), at);
        sinew_pose_forward(sinew_clip_skeleton(b), sinew_clip_frame_const(b, t), other);
        for (int j = 0; j < sinew_skeleton_joint_count(sinew_clip_skeleton(a)); ++j) {
            worst = fmax(worst, sinew_vec3_distance(at[j].position, other[j + skipped].position));
        }
    }
    return worst;
}

/// How far and by how much the first joint of a clip is off that of another, or off the origin: metres, radians.
static double off_root(const sinew_Clip *clip, const sinew_Clip *other)
{
    double worst = 0.0;
    for (int t = 0; t < sinew_clip_frame_count(clip); ++t) {
        sinew_Transform place = sinew_transform_identity();
        sinew_Transform root = sinew_pose_local(
            sinew_clip_skeleton(clip), sinew_clip_frame_const(clip, t), 0);
        if (other != NULL) {
            place = sinew_pose_local(
                sinew_clip_skeleton(other), sinew_clip_frame_const(other, t), 0);
        }
        worst = fmax(worst, sinew_vec3_distance(root.position, place.position));
        worst = fmax(worst, sinew_quat_angle(root.rotation, place.rotation));
    }
    return worst;
}

static const char *const rooted_clips[] = { "bvh/bandai_2_walk_elderly_001.bvh",
    "bvh/bandai_2_walk-turn-left_normal_005.bvh", "bvh/bandai_2_run_normal_004.bvh",
    "bvh/bandai_1_dash_normal_001.bvh" };
enum { ROOTED_CLIPS = (int)(sizeof rooted_clips / sizeof rooted_clips[0]) };

// roots of a body of games: at the origin, but for the dash, whose root goes straight ahead
static void test_roots_come_back(void **state)
{
    (void)state;
    for (int i = 0; i < ROOTED_CLIPS; ++i) {
        Body body;
        if (!open_body(&body, rooted_clips[i])) { skip(); }
        sinew_RetargeterDef def = def_of(&body, &body);
        // with feet held, too: the floor comes to height 0, where the root is
        sinew_Clip *held = retarget(&def, body.clip, NULL);
        def.hold_feet = def.hold_hands = false;
        sinew_Clip *result = retarget(&def, body.clip, NULL);
        TEST_TRUE(worst_place(body.clip, result, 0) <= 1e-6);
        TEST_TRUE(off_root(held, body.clip) <= 1e-9);
        sinew_clip_destroy(held);
        sinew_clip_destroy(result);
        close_body(&body);
    }
}

// a source without a root: that of the target is at rest, whatever its hips do
static void test_roots_without_source_rest(void **state)
{
    (void)state;
    Body source;
    if (!open_body(&source, "bvh/cmu_12_01_walk_mb.bvh")) { skip(); }
    Body man = scaled_scene("MAN18", 1.0), rooted = rooted_scene("MAN18", true);
    Body hung = rooted_scene("MAN18", false);
    sinew_RetargeterDef on_man = def_of(&source, &man), on_rooted = def_of(&source, &rooted);
    sinew_RetargeterDef on_hung = def_of(&source, &hung);
    sinew_Clip *plain = retarget(&on_man, source.clip, NULL);
    sinew_Clip *result = retarget(&on_rooted, source.clip, NULL);
    sinew_Clip *carried = retarget(&on_hung, source.clip, NULL);
    TEST_TRUE(worst_place(plain, result, 1) <= 1e-9);
    TEST_TRUE(off_root(result, NULL) <= 1e-12);
    // hips without slides of their own are carried by what is above them, and what carries them is no root to
    // others
    TEST_TRUE(worst_place(plain, carried, 1) <= 1e-9);
    TEST_TRUE(off_root(carried, NULL) > 1.0);
    sinew_RetargeterDef back = def_of(&hung, &rooted);
    sinew_Clip *again = retarget(&back, carried, NULL);
    TEST_TRUE(off_root(again, NULL) <= 1e-12);
    sinew_clip_destroy(again);
    sinew_clip_destroy(plain);
    sinew_clip_destroy(result);
    sinew_clip_destroy(carried);
    close_body(&hung);
    close_body(&rooted);
    close_body(&man);
    close_body(&source);
}

/// The clip of a body whose root goes below the hips: the root motion of engines.
static sinew_Clip *with_root_motion(const Body *body, double height)
{
    sinew_Transform world[256], scratch[256];
    sinew_Clip *clip = NULL;
    int frames = sinew_clip_frame_count(body->clip);
    TEST_INT(
        sinew_clip_create(body->skeleton, frames, sinew_clip_frame_time(body->clip), NULL, &clip),
        SINEW_STATUS_OK);
    for (int t = 0; t < frames; ++t) {
        sinew_pose_forward(body->skeleton, sinew_clip_frame_const(body->clip, t), world);
        world[0].position = world[1].position;
        world[0].position.y = height;
        world[0].rotation = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), 0.01 * t);
        TEST_INT(sinew_pose_from_world(
                     body->skeleton, world, NULL, sinew_clip_frame(clip, t), scratch, NULL, NULL),
            SINEW_STATUS_OK);
    }
    return clip;
}

// the root of a source carries over, scaled, on whole clips and live
static void test_root_motion_carries_over(void **state)
{
    (void)state;
    Body source;
    if (!open_body(&source, "bvh/bandai_2_walk_normal_003.bvh")) { skip(); }
    Body man = rooted_scene("MAN18", true);
    sinew_Clip *moving = with_root_motion(&source, 0.05), *stays = NULL, *result = NULL;
    sinew_RetargeterDef self = def_of(&source, &source), other = def_of(&source, &man);
    self.hold_feet = self.hold_hands = false;
    stays = retarget(&self, moving, NULL);
    TEST_TRUE(worst_place(moving, stays, 0) <= 1e-6);
    result = retarget(&other, moving, NULL);
    sinew_Retargeter *live = NULL;
    other.look_ahead = 0.0;
    other.frame_time = sinew_clip_frame_time(moving);
    TEST_INT(sinew_retargeter_create(&other, &live, NULL), SINEW_STATUS_OK);
    double scale = sinew_retargeter_scale(live), q[512];
    TEST_TRUE(scale > 0.9 && scale < 1.3);
    TEST_INT(sinew_retargeter_match(live, 0).from, 0);
    for (int t = 0; t < sinew_clip_frame_count(moving); ++t) {
        const double *pose = sinew_clip_frame_const(moving, t);
        sinew_Transform want = sinew_pose_local(source.skeleton, pose, 0);
        sinew_Transform got = sinew_pose_local(man.skeleton, sinew_clip_frame_const(result, t), 0);
        TEST_NEAR(
            sinew_vec3_distance(sinew_vec3_scale(want.position, scale), got.position), 0.0, 1e-9);
        TEST_NEAR(sinew_quat_angle(want.rotation, got.rotation), 0.0, 1e-6);
        TEST_INT(sinew_retargeter_push(live, pose, q, NULL, NULL), SINEW_STATUS_OK);
        got = sinew_pose_local(man.skeleton, q, 0);
        TEST_NEAR(
            sinew_vec3_distance(sinew_vec3_scale(want.position, scale), got.position), 0.0, 1e-9);
    }
    sinew_retargeter_destroy(live);
    sinew_clip_destroy(result);
    sinew_clip_destroy(stays);
    sinew_clip_destroy(moving);
    close_body(&man);
    close_body(&source);
}

TEST_MAIN(cmocka_unit_test(test_own_body_comes_back),
    cmocka_unit_test(test_shorter_and_longer_limbs_ret1), cmocka_unit_test(test_recorded_pairs),
    cmocka_unit_test(test_swinging_feet_clear_the_floor),
    cmocka_unit_test(test_toes_stay_above_the_floor), cmocka_unit_test(test_live_stream_ret2),
    cmocka_unit_test(test_live_joints_do_not_pop), cmocka_unit_test(test_hands_that_meet),
    cmocka_unit_test(test_stiff_knee_ret3), cmocka_unit_test(test_what_is_refused),
    cmocka_unit_test(test_retarget_without_memory), cmocka_unit_test(test_individuals_in_words),
    cmocka_unit_test(test_roots_come_back), cmocka_unit_test(test_roots_without_source_rest),
    cmocka_unit_test(test_root_motion_carries_over))
