// Cycles for game engines: `sinew walk --loop` and `--in-place`, and motions laid over a walk again and again. Looked at by
// own kinematics of the files that are written.

#include "command.h"

#include "sinew/file.h"
#include "sinew/pose.h"

typedef struct Motion {
    sinew_MotionFile *file;
    const sinew_Skeleton *skeleton;
    const sinew_Clip *clip;
    sinew_Transform *world[2]; // of two frames
    int joint_count, last;
    double root_speed, root_turn; // as they are told
} Motion;

static Motion open_motion(const char *path)
{
    Motion motion;
    sinew_Message message = { "" };
    memset(&motion, 0, sizeof motion);
    TEST_OK(sinew_motion_read(path, NULL, &motion.file, &message), &message);
    motion.skeleton = sinew_motion_skeleton(motion.file);
    motion.clip = sinew_motion_clip(motion.file);
    motion.joint_count = sinew_skeleton_joint_count(motion.skeleton);
    motion.last = sinew_clip_frame_count(motion.clip) - 1;
    for (int i = 0; i < 2; ++i) {
        motion.world[i] = calloc((size_t)motion.joint_count, sizeof *motion.world[i]);
        assert_non_null(motion.world[i]);
    }
    return motion;
}

static void close_motion(Motion *motion)
{
    sinew_motion_destroy(motion->file);
    free(motion->world[0]);
    free(motion->world[1]);
}

/// Walk with --json, and read what was written.
static Motion walk_to(const char *name, const char *options)
{
    const char *path = test_temp_path(name);
    const test_Run *run = run_sinew("walk --json --force %s -o '%s'", options, path);
    if (run->code != 0) { print_message("walk %s: %s\n", options, run->err); }
    TEST_INT(run->code, 0);
    const char *speed = json_field(run->out, "root_speed");
    double told[2] = { 0.0, 0.0 };
    if (speed != NULL) {
        told[0] = json_number(run->out, "root_speed");
        told[1] = json_number(run->out, "root_turn");
    }
    Motion motion = open_motion(path);
    motion.root_speed = told[0];
    motion.root_turn = told[1];
    return motion;
}

static void pose(Motion *motion, int which, int frame)
{
    sinew_pose_forward(
        motion->skeleton, sinew_clip_frame_const(motion->clip, frame), motion->world[which]);
}

static sinew_Quat local_of(const Motion *motion, int which, int joint)
{
    const int parent = sinew_skeleton_joints(motion->skeleton)[joint].parent;
    const sinew_Transform *world = motion->world[which];
    return sinew_quat_mul(sinew_quat_conjugate(world[parent].rotation), world[joint].rotation);
}

/// The largest turn of a joint below the root between two frames, radians.
static double turn_between(Motion *motion, int a, int b)
{
    double most = 0.0;
    pose(motion, 0, a);
    pose(motion, 1, b);
    for (int j = 1; j < motion->joint_count; ++j) {
        most = fmax(most, sinew_quat_angle(local_of(motion, 0, j), local_of(motion, 1, j)));
    }
    return most;
}

/// How much a joint's turn from a frame to the next differs from that before, the largest of all joints, radians.
static double jerk_at(Motion *motion, int before, int frame, int after)
{
    double most = 0.0;
    for (int j = 1; j < motion->joint_count; ++j) {
        pose(motion, 0, before);
        pose(motion, 1, frame);
        const sinew_Quat from = local_of(motion, 0, j), at = local_of(motion, 1, j);
        pose(motion, 0, after);
        const sinew_Quat to = local_of(motion, 0, j);
        const sinew_Quat a = sinew_quat_mul(sinew_quat_conjugate(from), at);
        const sinew_Quat b = sinew_quat_mul(sinew_quat_conjugate(at), to);
        most = fmax(most, sinew_quat_angle(a, b));
    }
    return most;
}

/// A joint of a frame, level: x, z.
static sinew_Vec3 level_place(Motion *motion, int joint, int frame)
{
    pose(motion, 0, frame);
    sinew_Vec3 place = motion->world[0][joint].position;
    place.y = 0.0;
    return place;
}

static int find(const Motion *motion, const char *name)
{
    int joint = sinew_skeleton_find_joint(motion->skeleton, name);
    TEST_TRUE(joint >= 0);
    return joint;
}

/// The slowest ankle or toe of a frame goes so fast over ground that itself goes back by a speed, m/s.
static double slide_at(Motion *motion, int frame, double belt)
{
    const char *const names[] = { "LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase" };
    double least = INFINITY;
    for (int i = 0; i < 4; ++i) {
        int joint = find(motion, names[i]);
        sinew_Vec3 way = sinew_vec3_sub(
            level_place(motion, joint, frame), level_place(motion, joint, frame - 1));
        way.z += belt * sinew_clip_frame_time(motion->clip);
        least = fmin(least, sinew_vec3_length(way) / sinew_clip_frame_time(motion->clip));
    }
    return least;
}

// the last frame is the first, and goes over into the second as any other does into the next
static void loops_meet_themselves(void **state)
{
    (void)state;
    static const char *const ways[] = { "", "--speed 0.8 --fps 30", "--turn 0.5", "--speed -0.8",
        "--speed 0 --side 0.5", "--speed 3.2", "--steps 6 --speed 1.1", "--rig scene:QUADRUPED",
        "--manner old=0.6,limp_left=0.8", "--turn 0.9 --steps 14", "--facing 30 --fps 24" };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        char options[200];
        snprintf(options, sizeof options, "--loop %s", ways[i]);
        Motion m = walk_to("loop.bvh", options);
        const double apart = turn_between(&m, 0, m.last);
        double most = 0.0;
        for (int f = 1; f < m.last; ++f) { most = fmax(most, jerk_at(&m, f - 1, f, f + 1)); }
        const double seam = jerk_at(&m, m.last - 1, 0, 1), seconds = sinew_clip_duration(m.clip);
        print_message("%-32s %3d frames, %.5f rad apart, seam %.3f, elsewhere %.3f\n", options,
            m.last + 1, apart, seam, most);
        TEST_TRUE(apart < 0.01);
        TEST_TRUE(seam <= most + 0.01);
        // the root goes as it is told: from the start to the end of an arc
        sinew_Vec3 way = sinew_vec3_sub(level_place(&m, 0, m.last), level_place(&m, 0, 0));
        double half = 0.5 * m.root_turn * seconds;
        double chord = m.root_speed * seconds * (fabs(half) > 1e-6 ? sin(half) / half : 1.0);
        TEST_NEAR(sinew_vec3_length(way), fabs(chord), 0.03);
        close_motion(&m);
    }
}

// soles that stand still while the root goes on go back as fast as it where it does not
static void roots_stay_in_place(void **state)
{
    (void)state;
    static const char *const names[] = { "place.bvh", "place.glb" };
    Motion travels = walk_to("travels.bvh", "--loop");
    // ankles move a little as soles roll over heel and toes, in the walk itself as well
    Motion walk = walk_to("walk.bvh", "--manner wander=0,variation=0,breath=0 -s 6");
    double slide = 0.0, usual = 0.0;
    for (int f = 180; f <= walk.last; ++f) { usual = fmax(usual, slide_at(&walk, f, 0.0)); }
    close_motion(&walk);
    for (int f = 1; f <= travels.last; ++f) { slide = fmax(slide, slide_at(&travels, f, 0.0)); }
    for (int i = 0; i < 2; ++i) {
        Motion stays = walk_to(names[i], "--loop --in-place");
        TEST_INT(stays.last, travels.last);
        TEST_NEAR(stays.root_speed, travels.root_speed, 1e-9);
        TEST_NEAR(stays.root_speed, 1.3, 0.03);
        pose(&stays, 0, 0);
        pose(&stays, 1, stays.last);
        for (int j = 0; j < stays.joint_count; ++j) {
            TEST_VEC3_NEAR(stays.world[1][j].position, stays.world[0][j].position, 1e-3);
        }
        double belt = 0.0, away = 0.0;
        for (int f = 1; f <= stays.last; ++f) {
            belt = fmax(belt, slide_at(&stays, f, stays.root_speed));
            away = fmax(away, sinew_vec3_length(level_place(&stays, 0, f)));
        }
        print_message(
            "feet slide by %.3f m/s at most, in place %.3f, walking %.3f; root %.3f m off\n", slide,
            belt, usual, away);
        TEST_TRUE(slide < usual + 0.05 && belt < usual + 0.05);
        TEST_TRUE(away < 0.08);
        close_motion(&stays);
    }
    close_motion(&travels);
    // no loop: whatever it does, it stays
    Motion stays = walk_to("stays.bvh", "--in-place --turn 0.4 -s 8");
    const int hips = find(&stays, "Hips");
    for (int f = 0; f <= stays.last; f += 20) {
        TEST_TRUE(sinew_vec3_length(level_place(&stays, hips, f)) < 0.12);
    }
    TEST_NEAR(stays.root_turn, 0.4, 0.06);
    close_motion(&stays);
}

// hands that end before the body and begin beside it: each time they go back where they began, and in a loop as well
static void layers_go_over_into_themselves(void **state)
{
    (void)state;
    char options[900];
    Motion over = walk_to("raise.bvh", "--speed 0 --carry 1 -s 1.2");
    const double gap = turn_between(&over, 0, over.last);
    close_motion(&over);
    TEST_TRUE(gap > 0.8);
    snprintf(options, sizeof options, "--layer '%s' -s 6", test_temp_path("raise.bvh"));
    Motion walk = walk_to("raised.bvh", options);
    double most = 0.0;
    for (int f = 61; f <= walk.last; ++f) { most = fmax(most, turn_between(&walk, f - 1, f)); }
    print_message("%.2f rad from end to start, %.3f rad a frame at most\n", gap, most);
    TEST_TRUE(most < 0.2);
    close_motion(&walk);
    snprintf(options, sizeof options, "--layer '%s' --loop --steps 4", test_temp_path("raise.bvh"));
    walk = walk_to("raised.bvh", options);
    TEST_TRUE(turn_between(&walk, 0, walk.last) < 0.01);
    most = turn_between(&walk, walk.last - 1, walk.last);
    for (int f = 1; f <= walk.last; ++f) { most = fmax(most, turn_between(&walk, f - 1, f)); }
    TEST_TRUE(most < 0.25);
    // what does not fit is told
    const test_Run *run = run_sinew(
        "walk --layer '%s' --loop --steps 40 --json", test_temp_path("raise.bvh"));
    TEST_INT(run->code, 0);
    run = run_sinew("walk --layer '%s' --loop --json", test_temp_path("raised.bvh"));
    TEST_TRUE(strstr(run->err, "--steps 4 fits it better") != NULL);
    close_motion(&walk);
}

static void what_is_no_loop_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *options, *told;
        int code;
    } cases[] = {
        { "--loop --seconds 2", "--loop goes with one steady walk", 2 },
        { "--loop --terrain stairs", "--loop goes with one steady walk", 2 },
        { "--loop --jump 1", "--loop goes with one steady walk", 2 },
        { "--loop --style paper", "--loop goes with one steady walk", 2 },
        { "--loop --steps 3", "expected whole strides of 2 steps", 2 },
        { "--loop --steps 6 --rig scene:QUADRUPED", "expected whole strides of 4 steps", 2 },
        { "--loop --speed 0", "no loop: it took 0 steps", 1 },
        { "--in-place --report", "--in-place goes with one walk", 2 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const test_Run *run = run_sinew("walk %s", cases[i].options);
        if (strstr(run->err, cases[i].told) == NULL) { print_message("%s\n", run->err); }
        TEST_INT(run->code, cases[i].code);
        TEST_TRUE(strstr(run->err, cases[i].told) != NULL);
    }
}

TEST_MAIN(cmocka_unit_test(loops_meet_themselves), cmocka_unit_test(roots_stay_in_place),
    cmocka_unit_test(layers_go_over_into_themselves), cmocka_unit_test(what_is_no_loop_is_told))
