// `sinew walk` as a game would drive it: jumps, crouches and loads of a recorded stick, a look, a motion laid over
// the walk, numbers that are tried. Watched by own kinematics of the motions that it writes.

#include "command.h"

#include "measure/gait_compare.h"
#include "sinew/file.h"
#include "sinew/manner.h"
#include "sinew/pose.h"
#include "walk/gait_curves.h"

#define RATE 60

typedef struct Motion {
    sinew_MotionFile *file;
    const sinew_Skeleton *skeleton;
    const sinew_Clip *clip;
    sinew_Transform *world; // of the frame that was posed last
} Motion;

static Motion open_motion(const char *path)
{
    Motion motion;
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_read(path, NULL, &motion.file, &message), &message);
    motion.skeleton = sinew_motion_skeleton(motion.file);
    motion.clip = sinew_motion_clip(motion.file);
    motion.world = calloc(
        (size_t)sinew_skeleton_joint_count(motion.skeleton), sizeof *motion.world);
    assert_non_null(motion.world);
    return motion;
}

static void close_motion(Motion *motion)
{
    sinew_motion_destroy(motion->file);
    free(motion->world);
}

static sinew_Transform joint_at(const Motion *motion, const char *name, double time)
{
    int joint = sinew_skeleton_find_joint(motion->skeleton, name);
    TEST_TRUE(joint >= 0);
    const double *q = sinew_clip_frame_const(motion->clip, (int)(time * RATE + 0.5) - 1);
    sinew_pose_forward(motion->skeleton, q, motion->world);
    return motion->world[joint];
}

static const char *walk_to(const char *name, const char *options)
{
    const char *path = test_temp_path(name);
    const test_Run *run = run_sinew("walk %s -o '%s'", options, path);
    if (run->code != 0) { print_message("%s\n", run->err); }
    TEST_INT(run->code, 0);
    return path;
}

static double highest_hips(const Motion *motion, double from, double to)
{
    double most = 0.0;
    for (double t = from; t < to; t += 1.0 / RATE) {
        most = fmax(most, joint_at(motion, "Hips", t).position.y);
    }
    return most;
}

static double before_hips(const Motion *motion, const char *joint, double t)
{
    return joint_at(motion, joint, t).position.z - joint_at(motion, "Hips", t).position.z;
}

static void a_recording_jumps_crouches_and_carries(void **state)
{
    (void)state;
    const char *sticks = test_temp_path("sticks.csv");
    write_text(sticks,
        "seconds,x,y,strafe,jump,crouch,carry\n0,0,0\n1,0,0,0,0.4\n3,0,0,0,0,1\n5,0,0,0,0,0,1\n");
    char options[600];
    snprintf(options, sizeof options, "--input '%s' -s 7", sticks);
    Motion motion = open_motion(walk_to("sticks.bvh", options));
    double stands = joint_at(&motion, "Hips", 0.9).position.y;
    TEST_TRUE(highest_hips(&motion, 1.0, 2.9) > stands + 0.36);
    TEST_TRUE(joint_at(&motion, "Hips", 4.9).position.y < stands - 0.22);
    TEST_NEAR(joint_at(&motion, "Hips", 6.9).position.y, stands, 0.02);
    // hands before the body, which crouches over the balls of its feet
    double empty = before_hips(&motion, "LeftHand", 4.9);
    TEST_TRUE(before_hips(&motion, "LeftHand", 6.9) > empty + 0.2);
    close_motion(&motion);
}

static void a_look_turns_the_head(void **state)
{
    (void)state;
    Motion plain = open_motion(walk_to("plain.bvh", "--manner plain --speed 0 -s 2"));
    Motion left = open_motion(walk_to("left.bvh", "--manner plain --speed 0 -s 2 --look 5,1.6,5"));
    const sinew_Vec3 ahead = { 0.0, 0.0, 1.0 };
    sinew_Vec3 was = sinew_quat_rotate(joint_at(&plain, "Head", 1.9).rotation, ahead);
    sinew_Vec3 is = sinew_quat_rotate(joint_at(&left, "Head", 1.9).rotation, ahead);
    TEST_NEAR(atan2(was.x, was.z), 0.0, 0.05);
    TEST_NEAR(atan2(is.x, is.z), 0.25 * SINEW_PI, 0.05);
    close_motion(&plain);
    close_motion(&left);
}

// of the joints in the mask the other motion's rotations are shown, of all others the walk's
static void a_layer_lies_over_masked_joints_alone(void **state)
{
    (void)state;
    const char *walk = test_temp_path("below.bvh"), *over = test_temp_path("over.bvh");
    char options[800];
    walk_to("below.bvh", "--speed 1.2 -s 3");
    walk_to("over.bvh", "--speed 0 --carry 1 -s 4");
    snprintf(options, sizeof options, "--speed 1.2 -s 3 --layer '%s' --mask LeftArm", over);
    Motion both = open_motion(walk_to("both.bvh", options)), below = open_motion(walk);
    Motion above = open_motion(over);
    const char *const joints[] = { "LeftArm", "LeftForeArm", "RightArm", "LeftUpLeg", "Spine" };
    int chain[5][2];
    for (int i = 0; i < 5; ++i) {
        chain[i][0] = sinew_skeleton_find_joint(both.skeleton, joints[i]);
        chain[i][1] = sinew_skeleton_joints(both.skeleton)[chain[i][0]].parent;
    }
    // the layer's frame f is shown f/60 s after its first, a walk's first frame is 1/60 s after its start
    for (int f = 30; f < 3 * RATE; f += 25) {
        const Motion *shown[3] = { &both, &below, &above };
        for (int i = 0; i < 5; ++i) {
            sinew_Quat turn[3];
            for (int k = 0; k < 3; ++k) {
                const double *q = sinew_clip_frame_const(shown[k]->clip, f);
                sinew_pose_forward(shown[k]->skeleton, q, shown[k]->world);
                turn[k] = sinew_quat_mul(
                    sinew_quat_conjugate(shown[k]->world[chain[i][1]].rotation),
                    shown[k]->world[chain[i][0]].rotation);
            }
            bool is_masked = i < 2;
            TEST_NEAR(sinew_quat_angle(turn[0], turn[is_masked ? 2 : 1]), 0.0, 1e-4);
        }
    }
    close_motion(&both);
    close_motion(&below);
    close_motion(&above);
}

static void numbers_are_tried(void **state)
{
    (void)state;
    Motion quick = open_motion(
        walk_to("quick.bvh", "-s 2 --set response.acceleration=6 --set response.follow_time=0.08"));
    Motion calm = open_motion(walk_to("calm.bvh", "-s 2"));
    TEST_TRUE(
        joint_at(&quick, "Hips", 1.9).position.z > joint_at(&calm, "Hips", 1.9).position.z + 0.3);
    close_motion(&quick);
    close_motion(&calm);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    const char *sticks = test_temp_path("jump.csv");
    write_text(sticks, "0,0,1,0,0.3\n");
    const struct {
        const char *options, *told;
        int code;
    } cases[] = {
        { "--set braking=9", "no number 'braking'", 2 },
        { "--set response.brakin=9", "did you mean 'response.braking'", 2 },
        { "--set response.braking=900", "--set: response.braking is 900, want 0.1..50", 2 },
        { "--set manner.lively=9", "manner.lively is 9, want 0..3", 2 },
        { "--set response.braking=nan", "found 'nan'", 2 },
        { "--set braking", "NAME=VALUE", 2 },
        { "--style paper --set response.braking=9", "style natural", 2 },
        { "--set paper.gap=0.1", "--style paper", 2 },
        { "--style paper --set paper.gap=9", "paper.gap is 9, want 0..0.2", 2 },
        { "--style paper --carry 1", "style natural", 2 },
        { "--look 1,2", "X,Y,Z", 2 },
        { "--look 1,2,3,4", "at most 3", 2 },
        { "--mask Spine", "--layer", 2 },
        { "--manner stiff_knee_left=1", "stiff_knee_left is the body's; sinew rig", 2 },
        { "--manner old=5", "found 'old=5', expected a strength of 0..1 behind old=", 2 },
        { "--manner oldd", "expected plain, limp_left,", 2 },
        { "--manner old,", "found ''", 2 },
        { "--manner lively=9", "manner.lively is 9, want 0..3", 2 },
        { "--manner lively=x", "--manner: found 'x', expected a number", 2 },
        { "-r scene:SPIDER --manner old", "scene:SPIDER: --manner goes with two legs", 1 },
        { "-r scene:SPIDER --lively 2", "--lively goes with two legs", 1 },
        { "-r scene:SPIDER --carry 1", "--carry goes with two legs", 1 },
        { "-r scene:QUADRUPED --set manner.swing=2", "--set manner. goes with two legs", 1 },
        { "--jump 20", "expected a time within the walk's 1 s", 2 },
        { "--height 0.4", "--height goes with --jump", 2 },
        { "--terrain mud", "terrain 'mud' is unknown", 2 },
        { "--terrain ./mud.png", "cannot be opened", 1 },
        { "--terrain slope:95", "'slope:95': found 95 degrees, want -68 to 68", 2 },
        { "--terrain slope:9,9999", "found 9999 degrees", 2 },
        { "--set foo=1", "there are response.follow_time", 2 },
        { "--animation 3", "scene:MAN18 is no glTF file", 1 },
        { "--layer scene:ARM", "has other joints than scene:MAN18", 1 },
        { "--layer scene:MAN18 --mask Spine=2", "--mask", 1 },
        { "--layer scene:MAN18 --mask Spines", "did you mean 'Spine'", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const test_Run *run = run_sinew("walk -s 1 %s", cases[i].options);
        if (run->code != cases[i].code || strstr(run->err, cases[i].told) == NULL) {
            print_message("%s: %d, %s\n", cases[i].options, run->code, run->err);
        }
        TEST_INT(run->code, cases[i].code);
        TEST_TRUE(strstr(run->err, cases[i].told) != NULL);
    }
    const test_Run *run = run_sinew("walk -s 1 --style paper --input '%s'", sticks);
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->err, "style natural") != NULL);
}

/// What is learned from a file, and the curves of its legs.
static void learn(const char *path, sinew_Manner *out_manner, snw_Gait *out_gait)
{
    Motion motion = open_motion(path);
    sinew_RoleGuess *roles = NULL;
    sinew_Stance *stance = NULL;
    snw_GaitBody body;
    sinew_Message message = { "" };
    const sinew_PoseList poses = { sinew_clip_frame_const(motion.clip, 0),
        sinew_clip_frame_count(motion.clip) };
    *out_manner = sinew_manner_default();
    TEST_OK(sinew_roles_guess(motion.skeleton, NULL, NULL, &roles, &message), &message);
    TEST_OK(sinew_stance_guess(motion.skeleton, roles, &poses, NULL, &stance, &message), &message);
    TEST_OK(sinew_manner_learn(motion.clip, roles, stance, NULL, out_manner, &message), &message);
    TEST_TRUE(snw_gait_body(motion.skeleton, roles, stance->up, &body));
    TEST_OK(snw_gait_read(motion.clip, &body, 0.0, 1e9, NULL, out_gait), NULL);
    sinew_stance_destroy(stance);
    sinew_roles_destroy(roles);
    close_motion(&motion);
}

// a walk that is like a recorded one goes at its pace, and has its back, wrists, shoulders and legs
static void a_likeness_goes_as_its_model(void **state)
{
    (void)state;
    const char *path = data_path("bvh/bandai_2_walk_elderly_001.bvh");
    if (path == NULL) { skip(); }
    char model[1000], options[2400];
    sinew_Manner is, like;
    snw_Gait legs, like_legs;
    snprintf(model, sizeof model, "%s", path);
    snprintf(options, sizeof options, "--rig '%s' --like '%s' -s 10", model, model);
    learn(model, &is, &legs);
    learn(walk_to("likeness.bvh", options), &like, &like_legs);
    double r[3];
    static const snw_GaitCurve curves[] = { SNW_GAIT_HIP, SNW_GAIT_KNEE, SNW_GAIT_ANKLE };
    for (int i = 0; i < 3; ++i) {
        r[i] = measure_gait_correlation(legs.curves[curves[i]], like_legs.curves[curves[i]]);
    }
    print_message("%.2f m/s of %.2f; wrist %.2f of %.2f, shrug %.2f of %.2f; hip %.2f, knee %.2f, "
                  "ankle %.2f\n",
        like_legs.speed, legs.speed, like.wrist, is.wrist, like.shrug, is.shrug, r[0], r[1], r[2]);
    TEST_NEAR(like_legs.speed, legs.speed, 0.06);
    TEST_NEAR(like.wrist, is.wrist, 0.05);
    TEST_NEAR(like.shrug, is.shrug, 0.05);
    TEST_NEAR(like.clavicles, is.clavicles, 0.25);
    TEST_NEAR(like.lean, is.lean, 0.05);
    TEST_TRUE(r[0] > 0.88 && r[1] > 0.75 && r[2] > 0.7);
}

// who has a mood has its pace; a speed that is asked for is kept
static void manners_have_their_pace(void **state)
{
    (void)state;
    TEST_NEAR(json_number(run_sinew("walk --json -s 6")->out, "speed_asked"), 1.3, 1e-9);
    TEST_TRUE(json_number(run_sinew("walk --json -s 6 --manner angry")->out, "speed_asked") > 1.5);
    TEST_TRUE(json_number(run_sinew("walk --json -s 6 --manner old")->out, "speed_asked") < 1.05);
    TEST_NEAR(
        json_number(run_sinew("walk --json -s 6 --manner old --speed 1.2")->out, "speed_asked"),
        1.2, 1e-9);
}

static void one_step_is_one(void **state)
{
    (void)state;
    TEST_TRUE(strstr(run_sinew("walk --steps 1")->out, ": 1 step, ") != NULL);
    TEST_TRUE(strstr(run_sinew("walk --steps 2")->out, ": 2 steps, ") != NULL);
}

// manners come from walks alone, and what was learned is told
static void manners_come_from_walks(void **state)
{
    (void)state;
    static const struct {
        const char *file, *told;
        int code;
    } cases[] = {
        { "boxing_toes_offbyone", "found 15 strides at 0.25 m/s, want 0.3", 1 },
        { "bvh11_sample_6ch_all", "no walk to learn from", 1 },
        { "pybvh_example_mixed_orders", "no walk to learn from", 1 },
        { "cmu_131_02_max", "no walk to learn from", 1 },
        { "cmu_131_03_max", "50 % of the strides last about as long as each other", 1 },
        { "mass_kick", "found 1 strides at 0.4 m/s, want 2 and more", 1 },
        { "mass_dance", "no foot stands in 27 % of the frames", 1 },
        { "bandai_2_run_normal_004",
            "bandai_2_run_normal_004.bvh: no walk to learn from: no foot "
            "stands in 41 % of the frames",
            1 },
        { "bandai_2_run_active_002", "as in runs and jumps", 1 },
        { "bandai_1_dash_normal_001", "as in runs and jumps", 1 },
        { "bandai_1_walk-back_normal_001", "2 strides of 1.22 m", 0 },
        { "bandai_2_walk_elderly_001", "24 strides of 0.79 m, 113 steps a minute, 0.74 m/s", 0 },
        { "cmu_12_01_walk_mb", "5 strides of 1.15 m", 0 },
        { "cmu_131_01_max", "8 strides of 0.78 m", 0 },
        { "mass_walk", "2 strides of 1.42 m", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char name[100];
        snprintf(name, sizeof name, "bvh/%s.bvh", cases[i].file);
        const char *path = data_path(name);
        if (path == NULL) { skip(); }
        const test_Run *run = run_sinew("walk --like '%s' -s 0.1", path);
        const char *said = cases[i].code == 0 ? run->out : run->err;
        if (run->code != cases[i].code || strstr(said, cases[i].told) == NULL) {
            fail_msg("%s: code %d, %s%s", cases[i].file, run->code, run->out, run->err);
        }
        if (cases[i].code != 0) { continue; }
        run = run_sinew("walk --like '%s' -s 0.1 --json", path);
        TEST_TRUE(is_json_object(run->out));
        const char *learned = json_field(run->out, "learned");
        TEST_TRUE(learned != NULL && json_number(learned, "stride_m") > 0.5);
        TEST_TRUE(json_number(learned, "steps_per_minute") > 80.0);
    }
}

/// Who walks in a file stands along the up that the file is said to have, above its feet.
static void check_walk_stands(const char *rig, sinew_Vec3 up)
{
    char options[1200];
    snprintf(options, sizeof options, "--rig '%s' -s 2", rig);
    const char *path = walk_to("own_up.bvh", options);
    Motion motion = open_motion(path);
    double told[3];
    const test_Run *run = run_sinew("info '%s' --json", path);
    TEST_INT(run->code, 0);
    const char *text = strstr(run->out, "\"up\"");
    assert_non_null(text);
    TEST_INT(sscanf(strchr(text, '[') + 1, "%lf , %lf , %lf", &told[0], &told[1], &told[2]), 3);
    TEST_VEC3_NEAR(sinew_vec3(told[0], told[1], told[2]), up, 1e-9);
    double first = 0.0;
    for (int f = 0; f < sinew_clip_frame_count(motion.clip); ++f) {
        const double *q = sinew_clip_frame_const(motion.clip, f);
        sinew_pose_forward(motion.skeleton, q, motion.world);
        double low = INFINITY, high = -INFINITY;
        for (int j = 0; j < sinew_skeleton_joint_count(motion.skeleton); ++j) {
            double height = sinew_vec3_dot(motion.world[j].position, up);
            low = fmin(low, height);
            high = fmax(high, height);
        }
        // feet are at the floor, and the head where it was when it stood
        TEST_TRUE(fabs(low) < 0.25);
        if (f == 0) { first = high; }
        TEST_NEAR(high, first, 0.15);
    }
    TEST_TRUE(first > 1.1);
    close_motion(&motion);
}

// A rig whose up is +Z walks along +Z: it is read as it was written.
static void a_walk_keeps_the_up_of_its_rig(void **state)
{
    (void)state;
    static const struct {
        const char *rig;
        sinew_Vec3 up;
    } rigs[] = {
        { "bvh/fair_dab.bvh", { 0.0, 0.0, 1.0 } },
        { "bvh/fair_jumping.bvh", { 0.0, 0.0, 1.0 } },
        { "bvh/fair_zombie.bvh", { 0.0, 0.0, 1.0 } },
        { "bvh/makehuman_dance1_pose.bvh", { 0.0, 0.0, 1.0 } },
        { "bvh/makehuman_face_poseunits.bvh", { 0.0, 0.0, 1.0 } },
        { "bvh/makehuman_walk1.bvh", { 0.0, 0.0, 1.0 } },
        { "bvh/pybvh_example_mixed_orders.bvh", { 0.0, 0.0, 1.0 } },
        { "bvh/pybvh_standard_skeleton.bvh", { 0.0, 0.0, 1.0 } },
        { "urdf/romeo.urdf", { 0.0, 0.0, 1.0 } },
        { "urdf/talos_full_v2.urdf", { 0.0, 0.0, 1.0 } },
        { "bvh/bandai_2_walk_normal_003.bvh", { 0.0, 1.0, 0.0 } },
        { "bvh/dfki_custom_skeleton_walk.bvh", { 0.0, 1.0, 0.0 } },
        { "bvh/rokokovision_walking.bvh", { 0.0, 1.0, 0.0 } },
        { "gltf/cesium_man.gltf", { 0.0, 1.0, 0.0 } },
    };
    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; ++i) {
        const char *rig = data_path(rigs[i].rig);
        if (rig == NULL) { return; }
        print_message("%s\n", rigs[i].rig);
        check_walk_stands(rig, rigs[i].up);
    }
}

// Who is asked for more than goes is told so, and who goes as asked is not.
static void speeds_that_are_cut_are_told(void **state)
{
    (void)state;
    const test_Run *run = run_sinew("walk --speed=-3 -s 8");
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "m/s at most, 3.00 asked") != NULL);
    TEST_TRUE(strstr(run_sinew("walk --side 0.8 --speed 0 -s 8")->out, "0.80 asked") != NULL);
    TEST_TRUE(strstr(run_sinew("walk --speed 1.3 -s 8")->out, "asked") == NULL);
    TEST_TRUE(strstr(run_sinew("walk --speed 0 --turn 0.5 -s 8")->out, "asked") == NULL);
    run = run_sinew("walk --speed=-3 -s 8 --json");
    TEST_NEAR(json_number(run->out, "speed_asked"), 3.0, 0.0);
    TEST_TRUE(json_number(run->out, "speed_max") > 0.8 && json_number(run->out, "speed_max") < 1.5);
}

static void legs_that_are_no_chains_are_told(void **state)
{
    (void)state;
    const char *path = data_path("gltf/robot_expressive.glb");
    if (path == NULL) { skip(); }
    const test_Run *run = run_sinew("walk --rig '%s' -s 1", path);
    TEST_INT(run->code, 1);
    TEST_TRUE(
        strstr(run->err, "Foot.L does not hang on it (a rig whose feet are handles)") != NULL);
}

TEST_MAIN(cmocka_unit_test(manners_come_from_walks),
    cmocka_unit_test(a_walk_keeps_the_up_of_its_rig),
    cmocka_unit_test(speeds_that_are_cut_are_told),
    cmocka_unit_test(legs_that_are_no_chains_are_told),
    cmocka_unit_test(a_recording_jumps_crouches_and_carries),
    cmocka_unit_test(a_look_turns_the_head),
    cmocka_unit_test(a_layer_lies_over_masked_joints_alone), cmocka_unit_test(numbers_are_tried),
    cmocka_unit_test(a_likeness_goes_as_its_model), cmocka_unit_test(manners_have_their_pace),
    cmocka_unit_test(what_is_wrong_is_told), cmocka_unit_test(one_step_is_one))
