#include "scenes/scenes.h"
#include "sinew/sinew.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One chain, two ways to pose it. What a viewer would see is measured with plain forward kinematics: how far any
// joint turned and any end point moved between two poses that were shown.

#define FRAME (1.0 / 60.0)
// A switch shows no step above this, radians and metres: SW-4
#define POP 1e-6
// frames of one case of a drag
#define DRAG_FRAMES 20

typedef struct Body {
    const sinew_Skeleton *skeleton;
    scene_Scene *scene; // owns the skeleton, or the file does
    sinew_MotionFile *file;
    sinew_SwitchLimb limbs[SINEW_MAX_SWITCH_LIMBS];
    int limb_count;
    sinew_Switch *sw;
    sinew_Transform *before, *after;
    double *q;
} Body;

static void find_limbs(Body *body)
{
    sinew_RoleGuess *roles;
    TEST_OK(sinew_roles_guess(body->skeleton, NULL, NULL, &roles, NULL), NULL);
    body->limb_count = sinew_switch_find_limbs(
        body->skeleton, roles, body->limbs, SINEW_MAX_SWITCH_LIMBS);
    sinew_roles_destroy(roles);
}

static void create_switch(Body *body)
{
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = body->skeleton;
    def.limbs = body->limbs;
    def.limb_count = body->limb_count;
    sinew_Message message;
    TEST_OK(sinew_switch_create(&def, &body->sw, &message), &message);
    size_t joints = (size_t)sinew_skeleton_joint_count(body->skeleton);
    body->before = malloc(joints * sizeof(sinew_Transform));
    body->after = malloc(joints * sizeof(sinew_Transform));
    body->q = malloc((size_t)sinew_skeleton_coordinate_count(body->skeleton) * sizeof(double));
}

static Body open_scene(const char *name)
{
    Body body;
    memset(&body, 0, sizeof body);
    TEST_OK(scene_create(name, NULL, &body.scene, NULL), NULL);
    body.skeleton = body.scene->skeleton;
    find_limbs(&body);
    if (body.limb_count == 0) {
        // a body without roles, such as a spider: its own limbs
        for (int e = 0; e < body.scene->effector_count; ++e) {
            const scene_Effector *effector = &body.scene->effectors[e];
            if (effector->limb_root < 0 || effector->limb_root == effector->joint) { continue; }
            body.limbs[body.limb_count++] = sinew_switch_limb(
                body.skeleton, effector->limb_root, -1, effector->joint);
        }
    }
    create_switch(&body);
    return body;
}

static void close_body(Body *body)
{
    sinew_switch_destroy(body->sw);
    free(body->before);
    free(body->after);
    free(body->q);
    if (body->scene != NULL) { scene_destroy(body->scene); }
    sinew_motion_destroy(body->file);
}

static void keep(Body *body)
{
    sinew_pose_forward(body->skeleton, sinew_switch_pose(body->sw), body->before);
}

// the largest turn of a joint against its parent since keep, radians, and the farthest way of any joint
static double turned(Body *body, double *out_moved)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    sinew_pose_forward(body->skeleton, sinew_switch_pose(body->sw), body->after);
    double most = 0.0;
    *out_moved = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(body->skeleton); ++j) {
        sinew_Quat before = body->before[j].rotation, after = body->after[j].rotation;
        if (joints[j].parent >= 0) {
            sinew_Quat up = body->before[joints[j].parent].rotation;
            before = sinew_quat_mul(sinew_quat_conjugate(up), before);
            up = body->after[joints[j].parent].rotation;
            after = sinew_quat_mul(sinew_quat_conjugate(up), after);
        }
        most = fmax(most, sinew_quat_angle(before, after));
        *out_moved = fmax(
            *out_moved, sinew_vec3_distance(body->before[j].position, body->after[j].position));
    }
    return most;
}

static void check_no_pop(Body *body)
{
    double moved;
    TEST_NEAR(turned(body, &moved), 0.0, POP);
    TEST_NEAR(moved, 0.0, POP);
    TEST_NEAR(sinew_pose_limit_violation(body->skeleton, sinew_switch_pose(body->sw)), 0.0, 1e-9);
}

// a smooth drag of the handle by at most some decimetres, there and not back; the largest turn of a frame
static double drag(Body *body, int limb, test_Random *random)
{
    sinew_Handle handle;
    TEST_OK(sinew_switch_handle(body->sw, limb, &handle, NULL), NULL);
    sinew_Vec3 way = sinew_vec3_scale(test_unit_vector(random), test_range(random, 0.0, 0.2));
    sinew_Vec3 from = handle.place.position;
    double most = 0.0;
    for (int f = 1; f <= DRAG_FRAMES; ++f) {
        double share = (double)f / DRAG_FRAMES;
        handle.place.position = sinew_vec3_add_scaled(
            from, way, share * share * (3.0 - 2.0 * share));
        TEST_OK(sinew_switch_set_handle(body->sw, limb, &handle, NULL), NULL);
        keep(body);
        TEST_OK(sinew_switch_update(body->sw, FRAME, NULL, NULL), NULL);
        double moved, turn = turned(body, &moved);
        most = fmax(most, turn);
    }
    return most;
}

// rest; IK on and move; off, no change; rotate joints in FK; on, no change; go on
static void run_cycles(Body *body, uint64_t seed, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        test_Random random = test_case(seed, i);
        int limb = test_int(&random, body->limb_count);
        const sinew_SwitchLimb *own = sinew_switch_get_limb(body->sw, limb);
        keep(body);
        TEST_OK(sinew_switch_enable_ik(body->sw, limb, true, NULL), NULL);
        check_no_pop(body);
        TEST_OK(sinew_switch_update(body->sw, FRAME, NULL, NULL), NULL);
        check_no_pop(body);
        most = fmax(most, drag(body, limb, &random));
        keep(body);
        TEST_OK(sinew_switch_enable_ik(body->sw, limb, false, NULL), NULL);
        check_no_pop(body);
        TEST_OK(sinew_switch_update(body->sw, FRAME, NULL, NULL), NULL);
        check_no_pop(body);

        // FK turns the root of the limb a little
        const sinew_Joint *joint = &sinew_skeleton_joints(body->skeleton)[own->root];
        memcpy(body->q, &sinew_switch_pose(body->sw)[joint->coordinate_start],
            (size_t)joint->coordinate_count * sizeof(double));
        if (sinew_skeleton_axes(body->skeleton)[joint->axis_start].kind == SINEW_AXIS_HINGE) {
            body->q[0] += test_range(&random, -0.3, 0.3);
        }
        TEST_OK(sinew_switch_set_joint(body->sw, own->root, body->q, NULL), NULL);
    }
    print_message("largest turn of a joint in a frame of a drag: %.3f rad\n", most);
    TEST_TRUE(most <= 0.3 + 1e-9);
}

// SW-1, SW-2, SW-4, SW-7
static void man_switches_without_a_pop(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    TEST_TRUE(body.limb_count >= 4);
    run_cycles(&body, 1300, 200);
    close_body(&body);
}

static void quadruped_switches_without_a_pop(void **state)
{
    (void)state;
    Body body = open_scene("QUADRUPED");
    TEST_TRUE(body.limb_count >= 4);
    run_cycles(&body, 1301, 200);
    close_body(&body);
}

static void spider_switches_without_a_pop(void **state)
{
    (void)state;
    Body body = open_scene("SPIDER");
    TEST_INT(body.limb_count, 8);
    run_cycles(&body, 1302, 200);
    close_body(&body);
}

// SINEW_TEST_CYCLES asks for more: 1000 for each limb are a minute
static int cycles_of_file(void)
{
    const char *asked = getenv("SINEW_TEST_CYCLES");
    int count = asked != NULL ? atoi(asked) : 0;
    return count > 0 ? count : 30;
}

// SW-7: on bodies that nobody prepared, from poses of their own motion
static void recorded_bodies_switch_without_a_pop(void **state)
{
    (void)state;
    const char *files[] = { "bvh/cmu_12_01_walk_mb.bvh", "bvh/mass_walk.bvh", "bvh/fair_dab.bvh",
        "bvh/bandai_2_walk_normal_003.bvh", "bvh/rokokovision_walking.bvh" };
    for (int i = 0; i < 5; ++i) {
        const char *path = data_path(files[i]);
        if (path == NULL) { skip(); }
        Body body;
        memset(&body, 0, sizeof body);
        TEST_OK(sinew_motion_read(path, NULL, &body.file, NULL), NULL);
        body.skeleton = sinew_motion_skeleton(body.file);
        find_limbs(&body);
        TEST_TRUE(body.limb_count >= 4);
        create_switch(&body);
        const sinew_Clip *clip = sinew_motion_clip(body.file);
        int middle = sinew_clip_frame_count(clip) / 2;
        TEST_OK(sinew_switch_reset(body.sw, sinew_clip_frame_const(clip, middle), NULL), NULL);
        run_cycles(&body, 1303 + (uint64_t)i, cycles_of_file());
        close_body(&body);
    }
}

// SW-1: the way that is not active is refused, and nothing changes
static void the_other_way_is_refused(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    int arm = 0, coordinates = sinew_skeleton_coordinate_count(body.skeleton);
    const sinew_SwitchLimb *own = sinew_switch_get_limb(body.sw, arm);
    size_t bytes = (size_t)coordinates * sizeof(double);
    memcpy(body.q, sinew_switch_pose(body.sw), bytes);
    sinew_Message message;
    sinew_Handle handle;
    TEST_OK(sinew_switch_handle(body.sw, arm, &handle, NULL), NULL);
    handle.place.position.x += 0.1;
    TEST_INT(sinew_switch_set_handle(body.sw, arm, &handle, &message), SINEW_STATUS_UNSUPPORTED);
    TEST_TRUE(strstr(message.text, "is in FK") != NULL);

    TEST_OK(sinew_switch_enable_ik(body.sw, arm, true, NULL), NULL);
    double values[SINEW_MAX_AXES_PER_JOINT * 4] = { 0.1 };
    TEST_INT(
        sinew_switch_set_joint(body.sw, own->root, values, &message), SINEW_STATUS_UNSUPPORTED);
    TEST_TRUE(strstr(message.text, "disable its IK") != NULL);
    TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
    TEST_TRUE(memcmp(body.q, sinew_switch_pose(body.sw), bytes) == 0);

    // broken numbers are refused as well
    handle.place.position.x = NAN;
    TEST_INT(sinew_switch_set_handle(body.sw, arm, &handle, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_switch_enable_ik(body.sw, 99, true, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_switch_set_blend(body.sw, arm, 1.5, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_switch_update(body.sw, -0.1, NULL, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_switch_update(body.sw, NAN, NULL, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    close_body(&body);
}

// SW-2: switching twice gives the same bits, idle frames change none, toggling does not drift
static void idle_limbs_keep_their_bits(void **state)
{
    (void)state;
    const char *names[] = { "MAN18", "QUADRUPED", "SPIDER" };
    for (int n = 0; n < 3; ++n) {
        Body body = open_scene(names[n]);
        size_t bytes = (size_t)sinew_skeleton_coordinate_count(body.skeleton) * sizeof(double);
        double *pose = malloc(bytes);
        scene_pose_at(body.scene, 0.37, pose);
        TEST_OK(sinew_switch_set_pose(body.sw, pose, NULL), NULL);
        memcpy(pose, sinew_switch_pose(body.sw), bytes);
        TEST_OK(sinew_switch_enable_ik(body.sw, -1, true, NULL), NULL);
        for (int f = 0; f < 100; ++f) {
            TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
            TEST_TRUE(memcmp(pose, sinew_switch_pose(body.sw), bytes) == 0);
        }
        for (int f = 0; f < 10000; ++f) {
            TEST_OK(sinew_switch_enable_ik(body.sw, -1, f % 2 == 1, NULL), NULL);
            TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
        }
        TEST_TRUE(memcmp(pose, sinew_switch_pose(body.sw), bytes) == 0);
        free(pose);
        close_body(&body);
    }
}

// a drag of a tenth of a millimetre a frame is no dead zone
static void slow_drags_move_every_frame(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    double *pose = malloc((size_t)sinew_skeleton_coordinate_count(body.skeleton) * sizeof(double));
    scene_pose_at(body.scene, 0.2, pose);
    TEST_OK(sinew_switch_set_pose(body.sw, pose, NULL), NULL);
    for (int limb = 0; limb < body.limb_count; ++limb) {
        TEST_OK(sinew_switch_enable_ik(body.sw, limb, true, NULL), NULL);
        sinew_Handle handle;
        TEST_OK(sinew_switch_handle(body.sw, limb, &handle, NULL), NULL);
        for (int f = 0; f < 100; ++f) {
            handle.place.position.y += 1e-4;
            TEST_OK(sinew_switch_set_handle(body.sw, limb, &handle, NULL), NULL);
            keep(&body);
            sinew_Report report;
            TEST_OK(sinew_switch_update(body.sw, FRAME, &report, NULL), NULL);
            TEST_NEAR(report.position_error, 0.0, 1.1e-7);
            double moved;
            (void)turned(&body, &moved);
            TEST_TRUE(moved > 0.99e-4);
        }
    }
    free(pose);
    close_body(&body);
}

// an arm in IK keeps its place in the world while FK bends the spine that it hangs on; pinned to the hips, it goes
// with them
static void limbs_make_up_for_what_carries_them(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    int arm = 0, tip = body.limbs[0].tip;
    int chest = sinew_skeleton_joints(body.skeleton)[body.limbs[0].root].parent;
    // a bent elbow has room
    const double bent[2] = { -1.2, 0.0 };
    TEST_OK(sinew_switch_set_joint(body.sw, body.limbs[0].middle, bent, NULL), NULL);
    TEST_OK(sinew_switch_enable_ik(body.sw, arm, true, NULL), NULL);
    sinew_Handle handle;
    TEST_OK(sinew_switch_handle(body.sw, arm, &handle, NULL), NULL);
    const sinew_Joint *spine = &sinew_skeleton_joints(body.skeleton)[chest];
    for (int f = 0; f < 30; ++f) {
        memcpy(body.q, &sinew_switch_pose(body.sw)[spine->coordinate_start],
            (size_t)spine->coordinate_count * sizeof(double));
        body.q[0] += 0.005;
        TEST_OK(sinew_switch_set_joint(body.sw, chest, body.q, NULL), NULL);
        TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
        keep(&body);
        TEST_VEC3_NEAR(body.before[tip].position, handle.place.position, 1e-6);
    }
    close_body(&body);

    body = open_scene("MAN18");
    sinew_switch_destroy(body.sw);
    free(body.before);
    free(body.after);
    free(body.q);
    body.limbs[arm].reference = 0;
    create_switch(&body);
    TEST_OK(sinew_switch_enable_ik(body.sw, arm, true, NULL), NULL);
    keep(&body);
    sinew_Vec3 in_hips = sinew_transform_point(
        sinew_transform_inverse(body.before[0]), body.before[tip].position);
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(body.skeleton) * sizeof(double);
    memcpy(body.q, sinew_switch_pose(body.sw), bytes);
    double *pose = malloc(bytes);
    scene_pose_at(body.scene, 0.5, pose);
    const sinew_Joint *hips = sinew_skeleton_joints(body.skeleton);
    memcpy(body.q, pose, (size_t)hips->coordinate_count * sizeof(double));
    free(pose);
    TEST_OK(sinew_switch_set_pose(body.sw, body.q, NULL), NULL);
    TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
    keep(&body);
    TEST_VEC3_NEAR(
        sinew_transform_point(sinew_transform_inverse(body.before[0]), body.before[tip].position),
        in_hips, 1e-6);
    close_body(&body);
}

// the heel of a foot that rolls about its ball comes up, the ball stays, the toes stay flat
static void feet_roll_about_ball_and_heel(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    int leg = body.limb_count - 2;
    const sinew_FootRoll *roll = &body.limbs[leg].foot_roll;
    int foot = body.limbs[leg].tip;
    TEST_TRUE(body.limbs[leg].has_foot_roll);
    TEST_TRUE(roll->toe > foot);
    double *pose = malloc((size_t)sinew_skeleton_coordinate_count(body.skeleton) * sizeof(double));
    scene_pose_at(body.scene, 0.1, pose);
    TEST_OK(sinew_switch_set_pose(body.sw, pose, NULL), NULL);
    free(pose);
    TEST_OK(sinew_switch_enable_ik(body.sw, leg, true, NULL), NULL);
    sinew_Handle handle;
    TEST_OK(sinew_switch_handle(body.sw, leg, &handle, NULL), NULL);
    double first = handle.foot_roll;
    keep(&body);
    // room for the knee, then the roll
    for (int f = 1; f <= 60; ++f) {
        handle.place.position.y += 0.1 / 60.0;
        handle.foot_roll = first + (0.35 - first) * f / 60.0;
        TEST_OK(sinew_switch_set_handle(body.sw, leg, &handle, NULL), NULL);
        TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
    }
    keep(&body);
    sinew_Vec3 ball = sinew_transform_point(body.before[foot], roll->ball);
    sinew_Vec3 heel = sinew_transform_point(body.before[foot], roll->heel);
    sinew_Quat toe = body.before[roll->toe].rotation;
    TEST_NEAR(asin((heel.y - ball.y) / sinew_vec3_distance(heel, ball)), 0.35, 1e-3);
    for (int f = 1; f <= 10; ++f) {
        handle.foot_roll = 0.35 + 0.01 * f;
        TEST_OK(sinew_switch_set_handle(body.sw, leg, &handle, NULL), NULL);
        TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
        keep(&body);
        TEST_VEC3_NEAR(sinew_transform_point(body.before[foot], roll->ball), ball, 1e-6);
        TEST_NEAR(sinew_quat_angle(body.before[roll->toe].rotation, toe), 0.0, 1e-5);
    }
    // read back from the pose as it was set
    TEST_OK(sinew_switch_enable_ik(body.sw, leg, false, NULL), NULL);
    sinew_Handle derived;
    TEST_OK(sinew_switch_handle(body.sw, leg, &derived, NULL), NULL);
    TEST_NEAR(derived.foot_roll, handle.foot_roll, 1e-6);
    TEST_VEC3_NEAR(derived.place.position, handle.place.position, 1e-6);
    close_body(&body);
}

// ---------------------------------------------------------------------------------------------
// Over a motion

// a leg of balls, which place and orientation of the foot, and the side of the knee, leave free to twist: it runs on the spot,
// and thigh and shin roll about themselves
#define LEG_FRAMES 150
static sinew_Clip *make_running_leg(sinew_Skeleton **out_skeleton)
{
    static const char *const names[5] = { "thigh", "shin", "foot", "toes", "tip" };
    sinew_Axis ball = sinew_axis_ball();
    sinew_JointDef joints[5];
    for (int j = 0; j < 5; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = j - 1;
        joints[j].axes = &ball;
        joints[j].axis_count = j < 4 ? 1 : 0;
        joints[j].offset = j == 0 ? sinew_vec3(0.0, 0.9, 0.0)
            : j < 3               ? sinew_vec3(0.0, -0.42, 0.0)
                                  : sinew_vec3(0.0, -0.04, 0.1);
    }
    TEST_OK(sinew_skeleton_create(joints, 5, NULL, out_skeleton, NULL), NULL);
    sinew_Clip *clip;
    TEST_OK(sinew_clip_create(*out_skeleton, LEG_FRAMES, FRAME, NULL, &clip), NULL);
    for (int f = 0; f < LEG_FRAMES; ++f) {
        double beat = 2.0 * SINEW_PI * 1.4 * f * FRAME;
        const sinew_Vec3 turns[4] = { { -0.5 * sin(beat), 0.2 * sin(0.7 * beat), 0.1 * cos(beat) },
            { 0.7 + 0.6 * sin(beat + 1.2), 0.2 * cos(0.6 * beat), 0.0 },
            { 0.3 * cos(beat), 0.1, 0.1 * sin(beat) }, { 0.2 * sin(beat), 0.0, 0.0 } };
        double *q = sinew_clip_frame(clip, f);
        for (int j = 0; j < 4; ++j) {
            sinew_Quat turn = sinew_quat_exp(turns[j]);
            memcpy(&q[4 * j], &turn, sizeof turn);
        }
    }
    return clip;
}

// how far a joint of a limb, or below it, is from where the motion has it
static double limb_off(Body *body, int limb, const double *q)
{
    int root = body->limbs[limb].root;
    int end = root + sinew_skeleton_joints(body->skeleton)[root].subtree_count;
    sinew_pose_forward(body->skeleton, q, body->before);
    sinew_pose_forward(body->skeleton, sinew_switch_pose(body->sw), body->after);
    double most = 0.0;
    for (int j = root; j < end; ++j) {
        most = fmax(most, sinew_vec3_distance(body->before[j].position, body->after[j].position));
    }
    return most;
}

// IK between two frames, its handle where the motion has it or above; most that the limb, and its tip, are off meanwhile
static void follow_motion(
    Body *body, int limb, const sinew_Clip *clip, int from, int to, double above, double *out_most)
{
    double last = 0.0, frame_time = sinew_clip_frame_time(clip);
    int tip = body->limbs[limb].tip;
    *out_most = 0.0;
    TEST_OK(sinew_switch_reset(body->sw, sinew_clip_frame_const(clip, 0), NULL), NULL);
    sinew_Switch *reader;
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = body->skeleton;
    def.limbs = body->limbs;
    def.limb_count = body->limb_count;
    TEST_OK(sinew_switch_create(&def, &reader, NULL), NULL);
    for (int f = 0; f < sinew_clip_frame_count(clip); ++f) {
        const double *q = sinew_clip_frame_const(clip, f);
        if (f == from || f == to) {
            TEST_OK(sinew_switch_enable_ik(body->sw, limb, f == from, NULL), NULL);
        }
        TEST_OK(sinew_switch_set_pose(body->sw, q, NULL), NULL);
        if (f >= from && f < to) {
            sinew_Handle handle;
            TEST_OK(sinew_switch_reset(reader, q, NULL), NULL);
            TEST_OK(sinew_switch_handle(reader, limb, &handle, NULL), NULL);
            handle.place.position.y += above * fmin(1.0, (f - from) / 20.0);
            TEST_OK(sinew_switch_set_handle(body->sw, limb, &handle, NULL), NULL);
        }
        TEST_OK(sinew_switch_update(body->sw, frame_time, NULL, NULL), NULL);
        *out_most = fmax(*out_most, limb_off(body, limb, q));
        double off = sinew_vec3_distance(body->before[tip].position, body->after[tip].position);
        // the first frame after IK goes with the motion, and then the way only gets shorter
        if (f == to) { TEST_NEAR(off, above, 1e-6); }
        if (f > to) { TEST_TRUE(off <= last + 1e-6); }
        last = off;
    }
    sinew_switch_destroy(reader);
    TEST_NEAR(last, 0.0, 1e-12);
}

// A limb goes over to the motion also where no pose came while it was in IK, and a frame that takes long shows its own part of
// the way: a frame of no time moves nothing, none leaves a rest that leaps when the next pose is set.
static void limbs_go_over_whatever_the_frames(void **state)
{
    (void)state;
    for (int way = 0; way < 4; ++way) {
        Body body = open_scene("MAN18");
        int limb = 1;
        size_t bytes = (size_t)sinew_skeleton_coordinate_count(body.skeleton) * sizeof(double);
        double *motion = malloc(bytes), *before = malloc(bytes);
        bool poses_come = (way & 1) != 0;
        int hitch = (way & 2) != 0 ? 4 : -1;
        sinew_pose_rest(body.skeleton, motion);
        TEST_OK(sinew_switch_reset(body.sw, motion, NULL), NULL);
        TEST_OK(sinew_switch_enable_ik(body.sw, limb, true, NULL), NULL);
        sinew_Handle handle;
        TEST_OK(sinew_switch_handle(body.sw, limb, &handle, NULL), NULL);
        handle.place.position.y += 0.05;
        handle.place.position.z += 0.15;
        TEST_OK(sinew_switch_set_handle(body.sw, limb, &handle, NULL), NULL);
        for (int f = 0; f < 60; ++f) {
            if (poses_come) { TEST_OK(sinew_switch_set_pose(body.sw, motion, NULL), NULL); }
            TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
        }
        TEST_OK(sinew_switch_enable_ik(body.sw, limb, false, NULL), NULL);
        double whole = limb_off(&body, limb, motion), last = whole;
        TEST_TRUE(whole > 0.05);
        for (int f = 0; f < 20; ++f) {
            memcpy(before, sinew_switch_pose(body.sw), bytes);
            // what is set is where the limb goes, not where it is
            TEST_OK(sinew_switch_set_pose(body.sw, motion, NULL), NULL);
            TEST_TRUE(memcmp(before, sinew_switch_pose(body.sw), bytes) == 0);
            TEST_OK(sinew_switch_update(body.sw, 0.0, NULL, NULL), NULL);
            TEST_TRUE(memcmp(before, sinew_switch_pose(body.sw), bytes) == 0);
            TEST_OK(sinew_switch_update(body.sw, f == hitch ? 0.2 : FRAME, NULL, NULL), NULL);
            double off = limb_off(&body, limb, motion);
            // a quintic in 0.25 s goes by 1.875 / 15 of its way in a frame at most
            if (f != hitch) { TEST_TRUE(last - off <= 0.15 * whole); }
            last = off;
        }
        TEST_TRUE(memcmp(motion, sinew_switch_pose(body.sw), bytes) == 0);
        free(motion);
        free(before);
        close_body(&body);
    }
}

// a switch of that leg alone; the clip and the skeleton are the caller's
static sinew_Clip *open_running_leg(Body *body, sinew_Skeleton **out_skeleton)
{
    sinew_Clip *clip = make_running_leg(out_skeleton);
    memset(body, 0, sizeof *body);
    body->skeleton = *out_skeleton;
    body->limb_count = 1;
    body->limbs[0] = sinew_switch_limb(*out_skeleton, 0, 1, 2);
    create_switch(body);
    return clip;
}

// the end of a limb that leaves IK goes to where the motion has it and nowhere else, however its knee bends meanwhile
static void limbs_go_over_with_their_end_ahead(void **state)
{
    (void)state;
    Body body;
    sinew_Skeleton *skeleton;
    sinew_Clip *clip = open_running_leg(&body, &skeleton);
    double most;
    for (int to = 60; to < 100; to += 5) {
        follow_motion(&body, 0, clip, 20, to, 0.0, &most);
        TEST_NEAR(most, 0.0, 1e-5);
        follow_motion(&body, 0, clip, 20, to, 0.04, &most);
    }
    close_body(&body);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);

    static const struct {
        const char *file;
        double from, to;
    } cases[] = { { "bvh/bandai_2_run_normal_004.bvh", 0.5, 1.5 },
        { "bvh/bandai_2_walk_normal_003.bvh", 2.0, 4.0 }, { "bvh/bvhtoolbox_walk01.bvh", 1.0, 3.0 },
        { "bvh/mass_walk.bvh", 0.1, 0.6 } };
    for (int i = 0; i < 4; ++i) {
        const char *path = data_path(cases[i].file);
        if (path == NULL) { skip(); }
        memset(&body, 0, sizeof body);
        TEST_OK(sinew_motion_read(path, NULL, &body.file, NULL), NULL);
        body.skeleton = sinew_motion_skeleton(body.file);
        find_limbs(&body);
        create_switch(&body);
        const sinew_Clip *recorded = sinew_motion_clip(body.file);
        double rate = 1.0 / sinew_clip_frame_time(recorded), worst = 0.0;
        for (int limb = 0; limb < body.limb_count; ++limb) {
            if (body.limbs[limb].middle < 0) { continue; }
            follow_motion(&body, limb, recorded, (int)(cases[i].from * rate),
                (int)(cases[i].to * rate), 0.0, &most);
            worst = fmax(worst, most);
        }
        print_message("%s: limbs %.5f mm off the motion\n", cases[i].file, 1e3 * worst);
        TEST_TRUE(worst <= 1e-5);
        close_body(&body);
    }
}

// the most that a joint turns between two poses, less what the motion turns it by meanwhile, radians
static double turn_beyond(const sinew_Skeleton *skeleton, const double *shown_before,
    const double *shown, const double *motion_before, const double *motion)
{
    double most = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        double turn = sinew_quat_angle(sinew_pose_local(skeleton, shown_before, j).rotation,
            sinew_pose_local(skeleton, shown, j).rotation);
        double own = sinew_quat_angle(sinew_pose_local(skeleton, motion_before, j).rotation,
            sinew_pose_local(skeleton, motion, j).rotation);
        most = fmax(most, turn - own);
    }
    return most;
}

// A foot that comes back from beyond reach straightens and bends the knee: it turned by 0.66 rad in a frame more than the
// motion does. No joint is faster than the motion and the largest speed together, and the limb arrives.
static void limbs_go_over_without_a_snap(void **state)
{
    (void)state;
    Body body;
    sinew_Skeleton *skeleton;
    sinew_Clip *clip = open_running_leg(&body, &skeleton);
    double before[16], most = 0.0;
    for (int to = 40; to < 100; ++to) {
        TEST_OK(sinew_switch_reset(body.sw, sinew_clip_frame_const(clip, 0), NULL), NULL);
        for (int f = 1; f < LEG_FRAMES; ++f) {
            const double *q = sinew_clip_frame_const(clip, f);
            if (f == 20 || f == to) {
                TEST_OK(sinew_switch_enable_ik(body.sw, 0, f == 20, NULL), NULL);
            }
            memcpy(before, sinew_switch_pose(body.sw), sizeof before);
            TEST_OK(sinew_switch_set_pose(body.sw, q, NULL), NULL);
            if (f >= 20 && f < to) {
                sinew_Handle handle;
                TEST_OK(sinew_switch_handle(body.sw, 0, &handle, NULL), NULL);
                handle.place.position = sinew_vec3(0.0, 0.3, 0.02 * (f - 20));
                TEST_OK(sinew_switch_set_handle(body.sw, 0, &handle, NULL), NULL);
            }
            TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
            most = fmax(most,
                turn_beyond(skeleton, before, sinew_switch_pose(body.sw),
                    sinew_clip_frame_const(clip, f - 1), q));
        }
        TEST_ARRAY_NEAR(
            sinew_switch_pose(body.sw), sinew_clip_frame_const(clip, LEG_FRAMES - 1), 16, 1e-12);
    }
    print_message("at most %.3f rad in a frame beyond the motion\n", most);
    // turns of balls are measured by their rotation vectors there
    TEST_TRUE(most <= 18.0 * FRAME + 0.01);
    close_body(&body);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// FUT-6: a limb falls in FK and comes back to its handle by a blend, without a pop, inside its limits
static void blends_show_no_pop(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    int arm = 0;
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(body.skeleton) * sizeof(double);
    double *pose = malloc(bytes);
    sinew_Handle held;
    scene_pose_at(body.scene, 0.0, pose);
    TEST_OK(sinew_switch_set_pose(body.sw, pose, NULL), NULL);
    TEST_OK(sinew_switch_handle(body.sw, arm, &held, NULL), NULL);
    for (int f = 1; f <= 120; ++f) {
        scene_pose_at(body.scene, f * FRAME, pose);
        keep(&body);
        double moved, source = 0.0;
        if (f > 60) {
            TEST_OK(sinew_switch_set_blend(body.sw, arm, fmin(1.0, (f - 60) / 30.0), NULL), NULL);
            held.place.position.z += 0.001;
            TEST_OK(sinew_switch_set_handle(body.sw, arm, &held, NULL), NULL);
        }
        TEST_OK(sinew_switch_set_pose(body.sw, pose, NULL), NULL);
        TEST_OK(sinew_switch_update(body.sw, FRAME, NULL, NULL), NULL);
        double turn = turned(&body, &moved);
        (void)source;
        TEST_TRUE(turn <= 0.35);
        TEST_NEAR(
            sinew_pose_limit_violation(body.skeleton, sinew_switch_pose(body.sw)), 0.0, 1e-12);
    }
    // the end is IK alone
    TEST_NEAR(sinew_switch_blend(body.sw, arm), 1.0, 0.0);
    free(pose);
    close_body(&body);
}

// SW-8, E16: values that are known are used as they are; else the least error is found and told
static void limbs_match_on_other_chains(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    const sinew_SwitchLimb *arm = &body.limbs[0];
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(body.skeleton) * sizeof(double);
    double *from = malloc(bytes), *to = malloc(bytes);
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = body.skeleton;
    sinew_Solver *solver;
    TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
    sinew_MatchReport report;

    // the same body: the values themselves, to the bit
    scene_pose_at(body.scene, 0.3, from);
    memcpy(to, from, bytes);
    for (int c = 0; c < sinew_skeleton_joints(body.skeleton)[arm->root].coordinate_count; ++c) {
        to[sinew_skeleton_joints(body.skeleton)[arm->root].coordinate_start + c] = 0.0;
    }
    TEST_OK(sinew_limb_match(body.skeleton, arm, from, solver, arm, to, &report, NULL), NULL);
    TEST_TRUE(report.copied);
    TEST_TRUE(memcmp(from, to, bytes) == 0);

    // the other arm, turned over: another chain; the hand's place is in its reach or is missed by what is told
    for (int i = 0; i < 100; ++i) {
        test_Random random = test_case(1310, i);
        scene_pose_at(body.scene, test_range(&random, 0.0, 2.0), from);
        memcpy(to, from, bytes);
        TEST_OK(
            sinew_limb_match(body.skeleton, arm, from, solver, &body.limbs[1], to, &report, NULL),
            NULL);
        TEST_TRUE(!report.copied);
        sinew_pose_forward(body.skeleton, from, body.before);
        sinew_pose_forward(body.skeleton, to, body.after);
        TEST_NEAR(sinew_vec3_distance(
                      body.before[arm->tip].position, body.after[body.limbs[1].tip].position),
            report.position_error, 1e-12);
        TEST_NEAR(sinew_pose_limit_violation(body.skeleton, to), 0.0, 1e-9);
    }
    sinew_solver_destroy(solver);
    free(from);
    free(to);
    close_body(&body);
}

// SW-9, SW-10: rings in FK, handle, pole and foot in IK; a ring's normal is what its joint turns about
static void controls_follow_the_switch(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    sinew_Control controls[200];
    const sinew_Joint *joints = sinew_skeleton_joints(body.skeleton);
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(body.skeleton) * sizeof(double);
    scene_pose_at(body.scene, 0.4, body.q);
    TEST_OK(sinew_switch_set_pose(body.sw, body.q, NULL), NULL);
    int count = sinew_switch_controls(body.sw, controls, 200), hinges = 0;
    for (int i = 0; i < body.limb_count; ++i) {
        for (int j = body.limbs[i].tip; j >= body.limbs[i].root; j = joints[j].parent) {
            hinges += joints[j].axis_count;
        }
    }
    TEST_INT(count, hinges);
    for (int c = 0; c < count; ++c) {
        TEST_INT(controls[c].kind, SINEW_CONTROL_RING);
        int joint = controls[c].joint;
        double *turned = malloc(bytes);
        memcpy(turned, sinew_switch_pose(body.sw), bytes);
        turned[sinew_skeleton_axis_places(body.skeleton)[controls[c].axis].coordinate] += 0.01;
        sinew_pose_forward(body.skeleton, sinew_switch_pose(body.sw), body.before);
        sinew_pose_forward(body.skeleton, turned, body.after);
        sinew_Vec3 turn = sinew_quat_log(sinew_quat_mul(
            body.after[joint].rotation, sinew_quat_conjugate(body.before[joint].rotation)));
        TEST_VEC3_NEAR(turn, sinew_vec3_scale(controls[c].normal, 0.01), 1e-9);
        TEST_VEC3_NEAR(controls[c].center, body.before[joint].position, 1e-12);
        free(turned);
    }
    TEST_OK(sinew_switch_enable_ik(body.sw, -1, true, NULL), NULL);
    count = sinew_switch_controls(body.sw, controls, 200);
    int kinds[8] = { 0 };
    for (int c = 0; c < count; ++c) { ++kinds[controls[c].kind]; }
    TEST_INT(kinds[SINEW_CONTROL_RING], 0);
    TEST_INT(kinds[SINEW_CONTROL_HANDLE], body.limb_count);
    TEST_TRUE(kinds[SINEW_CONTROL_POLE] >= 2);
    TEST_INT(kinds[SINEW_CONTROL_ROLL], 2);
    TEST_INT(sinew_switch_controls(body.sw, NULL, 0), count);
    close_body(&body);
}

static void broken_limbs_are_refused(void **state)
{
    (void)state;
    Body body = open_scene("MAN18");
    sinew_SwitchDef def = sinew_switch_def_default();
    sinew_Switch *sw;
    sinew_Message message;
    TEST_INT(sinew_switch_create(&def, &sw, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_switch_create(NULL, &sw, &message), SINEW_STATUS_INVALID_ARGUMENT);
    def.skeleton = body.skeleton;
    sinew_SwitchLimb limbs[2] = { body.limbs[0], body.limbs[0] };
    def.limbs = limbs;
    def.limb_count = 2;
    TEST_INT(sinew_switch_create(&def, &sw, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "share a joint") != NULL);
    TEST_TRUE(sw == NULL);
    def.limb_count = 1;
    limbs[0].root = limbs[0].tip + 1;
    TEST_INT(sinew_switch_create(&def, &sw, &message), SINEW_STATUS_INVALID_ARGUMENT);
    limbs[0] = body.limbs[0];
    limbs[0].reference = limbs[0].tip;
    TEST_INT(sinew_switch_create(&def, &sw, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "reference") != NULL);
    limbs[0] = body.limbs[0];
    def.max_joint_speed = -1.0;
    TEST_INT(sinew_switch_create(&def, &sw, &message), SINEW_STATUS_INVALID_ARGUMENT);

    // each allocation of creation fails once, and nothing is lost
    def = sinew_switch_def_default();
    def.skeleton = body.skeleton;
    def.limbs = body.limbs;
    def.limb_count = body.limb_count;
    test_Memory memory;
    test_memory_init(&memory);
    def.allocator = memory.allocator;
    for (memory.fail_at = 1; memory.fail_at < 50; ++memory.fail_at) {
        memory.alloc_count = 0;
        if (sinew_switch_create(&def, &sw, NULL) == SINEW_STATUS_OK) { break; }
        TEST_INT((long long)memory.live_bytes, 0);
    }
    TEST_TRUE(memory.fail_at > body.limb_count);
    memory.fail_at = 0;
    long taken = memory.alloc_count;
    TEST_OK(sinew_switch_enable_ik(sw, -1, true, NULL), NULL);
    for (int f = 0; f < 100; ++f) {
        sinew_Handle handle;
        TEST_OK(sinew_switch_handle(sw, 0, &handle, NULL), NULL);
        handle.place.position.x += 0.001;
        TEST_OK(sinew_switch_set_handle(sw, 0, &handle, NULL), NULL);
        TEST_OK(sinew_switch_update(sw, FRAME, NULL, NULL), NULL);
    }
    TEST_INT(memory.alloc_count, taken);
    sinew_switch_destroy(sw);
    TEST_INT((long long)memory.live_bytes, 0);
    close_body(&body);
}

TEST_MAIN(cmocka_unit_test(man_switches_without_a_pop),
    cmocka_unit_test(quadruped_switches_without_a_pop),
    cmocka_unit_test(spider_switches_without_a_pop),
    cmocka_unit_test(recorded_bodies_switch_without_a_pop),
    cmocka_unit_test(the_other_way_is_refused), cmocka_unit_test(idle_limbs_keep_their_bits),
    cmocka_unit_test(slow_drags_move_every_frame),
    cmocka_unit_test(limbs_make_up_for_what_carries_them),
    cmocka_unit_test(feet_roll_about_ball_and_heel), cmocka_unit_test(blends_show_no_pop),
    cmocka_unit_test(limbs_go_over_with_their_end_ahead),
    cmocka_unit_test(limbs_go_over_whatever_the_frames),
    cmocka_unit_test(limbs_go_over_without_a_snap), cmocka_unit_test(limbs_match_on_other_chains),
    cmocka_unit_test(controls_follow_the_switch), cmocka_unit_test(broken_limbs_are_refused))
