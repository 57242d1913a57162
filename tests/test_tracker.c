// Following motions: the scenes' own, and every real clip of the test data.

#include "bodies.h"

#include "measure/motion_meter.h"
#include "sinew/file.h"

#include <ctype.h>
#include <dirent.h>

#define MAX_NUMBERS 256

typedef struct Followed {
    int frames, targets;
    double mean, max;  // errors of the targets, metres
    double first;      // largest error of frame 0
    double iterations; // mean
    int max_frame;     // where max was
    measure_Motion source, result;
} Followed;

/// Follow the joints of a clip, use[joint] telling which; out is posed frame by frame.
static Followed follow(const sinew_Clip *clip, const bool *use, bool always_cold)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    int joints = sinew_skeleton_joint_count(skeleton);
    Followed f = { .frames = sinew_clip_frame_count(clip) };
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = skeleton;
    def.max_goals = joints;
    def.frame_time = sinew_clip_frame_time(clip);
    def.always_cold = always_cold;
    sinew_Tracker *tracker = NULL;
    sinew_Clip *result = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_tracker_create(&def, &tracker, &message), &message);
    TEST_OK(sinew_clip_create(skeleton, f.frames, def.frame_time, NULL, &result), NULL);
    sinew_Transform *world = calloc((size_t)joints, sizeof *world);
    sinew_Goal *goals = calloc((size_t)joints, sizeof *goals);
    double sum = 0.0;
    for (int i = 0; i < f.frames; ++i) {
        sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, i), world);
        f.targets = 0;
        for (int j = 0; j < joints; ++j) {
            if (use[j]) { goals[f.targets++] = sinew_goal_position(j, world[j].position); }
        }
        sinew_Report report;
        double *q = sinew_clip_frame(result, i);
        TEST_OK(sinew_tracker_update(tracker, goals, f.targets, q, &report, &message), &message);
        TEST_OK(sinew_pose_check(skeleton, q, &message), &message);
        f.iterations += (double)report.iterations / f.frames;

        // measured from scratch, not as the tracker says
        sinew_pose_forward(skeleton, q, world);
        for (int g = 0; g < f.targets; ++g) {
            double far = sinew_vec3_distance(goals[g].position, world[goals[g].joint].position);
            sum += far;
            if (far > f.max) { f.max = far, f.max_frame = i; }
        }
        if (i == 0) { f.first = f.max; }
    }
    f.mean = sum / ((double)f.frames * f.targets);
    TEST_OK(measure_motion(clip, NULL, &f.source), NULL);
    TEST_OK(measure_motion(result, NULL, &f.result), NULL);
    free(goals);
    free(world);
    sinew_clip_destroy(result);
    sinew_tracker_destroy(tracker);
    return f;
}

// shaking against the source's; a source that does not shake at all is taken to shake by 1e-4 rad
static double jitter_ratio(const Followed *f)
{
    return f->result.jitter / fmax(f->source.jitter, 1e-4);
}

static void print_followed(const char *name, const Followed *f)
{
    print_message("%-36s %4d frames %3d targets: mean %.4f max %.3f mm at %d, first %.3f, "
                  "jitter %.2f, speed %.2f, iterations %.2f\n",
        name, f->frames, f->targets, 1e3 * f->mean, 1e3 * f->max, f->max_frame, 1e3 * f->first,
        jitter_ratio(f), f->result.max_joint_speed / fmax(f->source.max_joint_speed, 1e-9),
        f->iterations);
}

// ---------------------------------------------------------------------------------------------
// The scenes

/// MULTI-3: HAND follows its 20 targets over 600 frames, mean error <= 0.5 mm, as smooth as the
/// source; MAN18 follows all of its joints, cold at first, lost never.
static void test_scene_motions_multi3(void **state)
{
    (void)state;
    static const char *const names[] = { "HAND", "MAN18" };
    for (int s = 0; s < 2; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Clip *clip = NULL;
        TEST_OK(scene_motion(scene, 1.0 / 60.0, 900, &clip), NULL);
        bool use[BODY_MAX_JOINTS] = { false };
        for (int e = 0; s == 0 && e < scene->effector_count; ++e) {
            use[scene->effectors[e].joint] = true;
        }
        for (int j = 0; s == 1 && j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
            use[j] = true;
        }
        Followed f = follow(clip, use, false);
        print_followed(names[s], &f);
        if (s == 0) { TEST_INT(f.targets, 20); }
        TEST_TRUE(f.mean <= 5e-4);
        TEST_TRUE(f.max <= 5e-3);
        TEST_TRUE(f.first <= 5e-3);
        TEST_TRUE(jitter_ratio(&f) <= 1.1);
        sinew_clip_destroy(clip);
        scene_destroy(scene);
    }
}

static sinew_Tracker *make_tracker(const scene_Scene *scene, bool always_cold)
{
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = scene->skeleton;
    def.max_goals = SCENE_MAX_EFFECTORS;
    def.always_cold = always_cold;
    sinew_Tracker *tracker = NULL;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    return tracker;
}

/// Targets that jump away and turn around are found again within a few frames.
static void test_teleport(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("HAND");
    sinew_Tracker *tracker = make_tracker(scene, false);
    int recovered = 0;
    const int jumps = 100;
    for (int i = 0; i < jumps; ++i) {
        test_Random random = test_case(1501, i);
        sinew_Transform moved = test_transform(&random, 2.0);
        double last = 0.0;
        for (int frame = 0; frame < 10; ++frame) {
            double q[MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_pose_at(scene, 0.7 * i + frame / 60.0, q);
            int count = body_scene_goals(scene, q, goals);
            for (int g = 0; g < count; ++g) {
                goals[g].position = sinew_transform_point(moved, goals[g].position);
            }
            sinew_Report report;
            TEST_OK(sinew_tracker_update(tracker, goals, count, q, &report, NULL), NULL);
            last = report.position_error;
        }
        recovered += last <= 5e-3;
    }
    print_message("found again within 10 frames: %d of %d\n", recovered, jumps);
    TEST_TRUE(recovered >= 80);
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

/// RST-4: a tracker that is always cold is a function of its targets alone, whatever it saw before.
static void test_always_cold_rst4(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("HAND5");
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    sinew_Tracker *used = make_tracker(scene, true);
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(1510, i);
        double q[MAX_NUMBERS], other[MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_pose_at(scene, test_range(&random, 0.0, 20.0), q);
        int count = body_scene_goals(scene, q, goals);
        sinew_Tracker *fresh = make_tracker(scene, true);
        TEST_OK(sinew_tracker_update(used, goals, count, q, NULL, NULL), NULL);
        TEST_OK(sinew_tracker_update(fresh, goals, count, other, NULL, NULL), NULL);
        TEST_TRUE(body_same_bits(q, other, numbers));
        sinew_tracker_destroy(fresh);
    }
    sinew_tracker_destroy(used);
    scene_destroy(scene);
}

// a tracker of an arm of balls, whose goals may not jump
static sinew_Tracker *track_arm(sinew_Skeleton **out_skeleton, double frame_time)
{
    sinew_Axis ball = sinew_axis_ball();
    sinew_JointDef joints[4];
    for (int j = 0; j < 4; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.0, j > 0 ? 0.3 : 0.0, 0.0);
        joints[j].axes = &ball;
        joints[j].axis_count = j < 3 ? 1 : 0;
    }
    TEST_OK(sinew_skeleton_create(joints, 4, NULL, out_skeleton, NULL), NULL);
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = *out_skeleton;
    def.frame_time = frame_time;
    def.jump_share = INFINITY;
    sinew_Tracker *tracker = NULL;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    return tracker;
}

static sinew_Goal arm_goal(int frame)
{
    double s, c;
    sinew_sincos(0.05 * frame, &s, &c);
    // and leaps from side to side
    return sinew_goal_position(3, sinew_vec3(frame / 40 % 2 == 0 ? 0.5 : -0.5, 0.3 * s, 0.3 * c));
}

// Frames that are not equally long: no joint is faster than the bound of each. A tracker that is told of its frames later
// is one that was made with them.
static void test_frames_of_any_length(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton, *other;
    double q[12], before[12], step[9], most = 0.0;
    sinew_Tracker *tracker = track_arm(&skeleton, 1.0 / 60.0);
    for (int frame = 0; frame < 240; ++frame) {
        double frame_time = frame % 3 == 0 ? 1.0 / 30.0 : 1.0 / 144.0;
        sinew_Goal goal = arm_goal(frame);
        TEST_OK(sinew_tracker_set_frame_time(tracker, frame_time, NULL), NULL);
        TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
        if (frame > 0) { sinew_pose_difference(skeleton, before, q, step); }
        for (int j = 0; j < 3 && frame > 0; ++j) {
            sinew_Vec3 turn = { step[3 * j], step[3 * j + 1], step[3 * j + 2] };
            most = fmax(most, sinew_vec3_length(turn) / frame_time);
        }
        memcpy(before, q, sizeof q);
    }
    print_message("at most %.3f rad/s\n", most);
    TEST_TRUE(most > 17.0 && most <= 18.0 + 1e-6);
    sinew_tracker_destroy(tracker);
    sinew_skeleton_destroy(skeleton);

    tracker = track_arm(&other, 1.0 / 72.0);
    sinew_Tracker *told = track_arm(&skeleton, 1.0 / 60.0);
    TEST_OK(sinew_tracker_set_frame_time(told, 1.0 / 72.0, NULL), NULL);
    static const double wrong[] = { 0.0, -1.0, NAN, INFINITY, 1e-12 };
    sinew_Message message = { "" };
    for (int i = 0; i < 5; ++i) {
        TEST_INT(
            sinew_tracker_set_frame_time(told, wrong[i], &message), SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(strstr(message.text, "frame_time") != NULL);
    }
    for (int frame = 0; frame < 120; ++frame) {
        sinew_Goal goal = arm_goal(frame);
        TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
        TEST_OK(sinew_tracker_update(told, &goal, 1, before, NULL, NULL), NULL);
        TEST_TRUE(memcmp(q, before, sizeof q) == 0);
    }
    sinew_tracker_destroy(tracker);
    sinew_tracker_destroy(told);
    sinew_skeleton_destroy(skeleton);
    sinew_skeleton_destroy(other);
}

// what could not be followed in any frame is refused at once
static void test_what_is_scaled_is_checked(void **state)
{
    (void)state;
    sinew_Axis ball = sinew_axis_ball();
    for (int i = 0; i < 4; ++i) {
        double bone = i == 0 ? 9e4 : i == 1 ? 1.1e5 : 0.5;
        sinew_JointDef joints[2] = { sinew_joint_def_default(), sinew_joint_def_default() };
        joints[1].parent = 0;
        joints[1].offset = sinew_vec3(0.0, bone, 0.0);
        joints[0].axes = &ball;
        joints[0].axis_count = 1;
        sinew_Skeleton *skeleton = NULL;
        TEST_OK(sinew_skeleton_create(joints, 2, NULL, &skeleton, NULL), NULL);
        sinew_TrackerDef def = sinew_tracker_def_default();
        def.skeleton = skeleton;
        if (i == 2) { def.frame_time = 1e-12; }
        if (i == 3) { def.frame_time = 1e-6; }
        sinew_Tracker *tracker = NULL;
        sinew_Message message = { "" };
        sinew_Status status = sinew_tracker_create(&def, &tracker, &message);
        TEST_INT(status, i == 0 || i == 3 ? SINEW_STATUS_OK : SINEW_STATUS_INVALID_ARGUMENT);
        if (status != SINEW_STATUS_OK) {
            const char *expected = i == 1 ? "the skeleton is 110000 m large, want at most 100000 m"
                                          : "frame_time, options.velocity_weight is ";
            TEST_TRUE(tracker == NULL && strstr(message.text, expected) != NULL);
        }
        for (int frame = 0; frame < 100 && tracker != NULL; ++frame) {
            // half the time out of its way, so that other branches are sought
            double turn = 0.05 * frame, s, c, q[4];
            sinew_sincos(turn, &s, &c);
            sinew_Vec3 place = sinew_vec3_scale(
                sinew_vec3(s, c, 0.0), frame / 10 % 2 == 0 ? bone : 3.0 * bone);
            sinew_Goal goal = sinew_goal_position(1, place);
            TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, &message), &message);
        }
        sinew_tracker_destroy(tracker);
        sinew_skeleton_destroy(skeleton);
    }
}

/// After a reset a tracker is as new, to the bit.
static void test_reset(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("HAND5");
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    sinew_Tracker *used = make_tracker(scene, false), *fresh = make_tracker(scene, false);
    double q[MAX_NUMBERS], other[MAX_NUMBERS];
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    for (int frame = 0; frame < 100; ++frame) {
        scene_pose_at(scene, 5.0 + frame / 30.0, q);
        int count = body_scene_goals(scene, q, goals);
        TEST_OK(sinew_tracker_update(used, goals, count, q, NULL, NULL), NULL);
    }
    sinew_tracker_reset(used);
    for (int frame = 0; frame < 100; ++frame) {
        scene_pose_at(scene, frame / 60.0, q);
        int count = body_scene_goals(scene, q, goals);
        TEST_OK(sinew_tracker_update(used, goals, count, q, NULL, NULL), NULL);
        TEST_OK(sinew_tracker_update(fresh, goals, count, other, NULL, NULL), NULL);
        TEST_TRUE(body_same_bits(q, other, numbers));
    }
    sinew_tracker_destroy(used);
    sinew_tracker_destroy(fresh);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Real clips

#define MAX_CLIPS 256

typedef struct Clips {
    char name[MAX_CLIPS][96]; // "bvh/x.bvh"
    int count;
} Clips;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

// the BVH files of the folders there are, sorted; none without the data
static void list_clips(Clips *clips)
{
    static const char *const folders[] = { "bvh", "hand" };
    clips->count = 0;
    for (int f = 0; f < 2; ++f) {
        const char *path = data_path(folders[f]);
        DIR *folder = path != NULL ? opendir(path) : NULL;
        if (folder == NULL) { continue; }
        for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
            const char *dot = strrchr(entry->d_name, '.');
            if (dot == NULL || strcmp(dot, ".bvh") != 0) { continue; }
            if (clips->count == MAX_CLIPS || strlen(entry->d_name) > 80) { continue; }
            char *name = clips->name[clips->count++];
            strcpy(name, folders[f]);
            strcat(name, "/");
            strcat(name, entry->d_name);
        }
        closedir(folder);
    }
    qsort(clips->name, (size_t)clips->count, sizeof clips->name[0], by_name);
}

// NULL for a file that is refused (other tests say which may be)
static sinew_MotionFile *open_clip(const char *name)
{
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    if (sinew_motion_read(data_path(name), &options, &file, &message) != SINEW_STATUS_OK) {
        print_message("%s\n", message.text);
        return NULL;
    }
    return file;
}

/// MULTI-3: every clip, all joints as targets: mean <= 0.5 mm, max <= 5 mm; no more shaking than
/// 1.1 times the source's where the source has no flip of its own.
static void test_clips_all_joints_multi3(void **state)
{
    (void)state;
    static Clips clips;
    list_clips(&clips);
    if (clips.count == 0) { skip(); }
    int followed = 0, failures = 0;
    for (int c = 0; c < clips.count; ++c) {
        sinew_MotionFile *file = open_clip(clips.name[c]);
        if (file == NULL) { continue; }
        const sinew_Clip *clip = sinew_motion_clip(file);
        int joints = sinew_skeleton_joint_count(sinew_motion_skeleton(file));
        if (sinew_clip_frame_count(clip) >= 3) {
            bool *use = malloc((size_t)joints * sizeof *use);
            for (int j = 0; j < joints; ++j) { use[j] = true; }
            Followed f = follow(clip, use, false);
            free(use);
            ++followed;
            print_followed(clips.name[c], &f);
            bool smooth = f.frames < 10 || f.source.flip_count > 0 || jitter_ratio(&f) <= 1.1;
            if (!(f.mean <= 5e-4 && f.max <= 5e-3 && smooth)) {
                print_error("    this one misses (%d flips of its own)\n", f.source.flip_count);
                ++failures;
            }
        }
        sinew_motion_destroy(file);
    }
    TEST_TRUE(followed >= 30);
    TEST_INT(failures, 0);
}

// lower-case letters and digits of a joint's name, without what stands before a colon or the
// "Character1_" of some programs
static void plain_name(const char *name, char *out, size_t size)
{
    const char *colon = strrchr(name, ':');
    if (colon != NULL) { name = colon + 1; }
    if (strncmp(name, "Character1_", 11) == 0) { name += 11; }
    size_t used = 0;
    for (; *name != '\0' && used + 1 < size; ++name) {
        if (isalnum((unsigned char)*name)) { out[used++] = (char)tolower((unsigned char)*name); }
    }
    out[used] = '\0';
}

// the first joint that has one of these names, the names in order of preference; -1: none
static int find_any(const sinew_Skeleton *skeleton, const char *const *names)
{
    for (; *names != NULL; ++names) {
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            char plain[64];
            plain_name(sinew_skeleton_joints(skeleton)[j].name, plain, sizeof plain);
            if (strcmp(plain, *names) == 0) { return j; }
        }
    }
    return -1;
}

// hips, head, hands and feet; returns how many of the six were found
static int find_key_joints(const sinew_Skeleton *skeleton, bool *out_use)
{
    static const char *const names[6][10] = {
        { "hips", "hip", "pelvis", "root", "fkback1jnt" },
        { "head", "headjnt" },
        { "lefthand", "leftwrist", "lhand", "handl", "wristl", "lhandjnt" },
        { "righthand", "rightwrist", "rhand", "handr", "wristr", "rhandjnt" },
        { "leftfoot", "leftankle", "lfoot", "footl", "lfootjnt", "lanklejnt" },
        { "rightfoot", "rightankle", "rfoot", "footr", "rfootjnt", "ranklejnt" },
    };
    int found = 0;
    for (int k = 0; k < 6; ++k) {
        int joint = find_any(skeleton, names[k]);
        if (joint < 0) { continue; }
        out_use[joint] = true;
        ++found;
    }
    return found;
}

/// MULTI-3: every humanoid clip with hands, feet, head and hips alone as targets: mean <= 1 mm, and
/// no joint turns faster than three times the fastest joint of the source.
static void test_clips_key_joints_multi3(void **state)
{
    (void)state;
    static Clips clips;
    list_clips(&clips);
    if (clips.count == 0) { skip(); }
    int followed = 0, failures = 0;
    for (int c = 0; c < clips.count; ++c) {
        sinew_MotionFile *file = open_clip(clips.name[c]);
        if (file == NULL) { continue; }
        const sinew_Clip *clip = sinew_motion_clip(file);
        const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
        bool *use = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *use);
        int found = find_key_joints(skeleton, use);
        if (sinew_clip_frame_count(clip) >= 3 && found == 6) {
            Followed f = follow(clip, use, false);
            ++followed;
            print_followed(clips.name[c], &f);
            if (!(f.mean <= 1e-3 && f.result.max_joint_speed <= 3.0 * f.source.max_joint_speed)) {
                print_error("    this one misses: %.1f rad/s against %.1f (joint %s, frame %d)\n",
                    f.result.max_joint_speed, f.source.max_joint_speed,
                    f.result.fastest_joint >= 0
                        ? sinew_skeleton_joints(skeleton)[f.result.fastest_joint].name
                        : "none",
                    f.result.fastest_frame);
                ++failures;
            }
        } else if (sinew_clip_frame_count(clip) >= 3) {
            print_message(
                "%s: %d of hips, head, hands and feet found; left out\n", clips.name[c], found);
        }
        free(use);
        sinew_motion_destroy(file);
    }
    TEST_TRUE(followed >= 25);
    TEST_INT(failures, 0);
}

TEST_MAIN(cmocka_unit_test(test_scene_motions_multi3), cmocka_unit_test(test_teleport),
    cmocka_unit_test(test_always_cold_rst4), cmocka_unit_test(test_what_is_scaled_is_checked),
    cmocka_unit_test(test_frames_of_any_length), cmocka_unit_test(test_reset),
    cmocka_unit_test(test_clips_all_joints_multi3), cmocka_unit_test(test_clips_key_joints_multi3))
