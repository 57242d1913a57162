// What stands at the end of a range or list: the largest count, the first index beyond, the last key, rows beyond
// the last one. Each is a place where a mistake by one was made on purpose and nothing else noticed.

#include "gltf_make.h"
#include "role_bodies.h"

#include "motion/track.h"
#include "sinew/individual.h"
#include "sinew/limit.h"
#include "sinew/rig_starts.h"
#include "sinew/solver.h"
#include "sinew/steering_file.h"
#include "sinew/walker.h"
#include "walk/leg_reach.h"

#include "scenes/scenes.h"

#include <math.h>

static sinew_Skeleton *make_chain(void)
{
    sinew_Axis root[2] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)), sinew_axis_ball() };
    sinew_Axis ball = sinew_axis_ball();
    static const char *const names[3] = { "root", "upper", "tip" };
    sinew_JointDef defs[3];
    for (int j = 0; j < 3; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j - 1;
        defs[j].offset = sinew_vec3(0.0, j == 0 ? 1.0 : 0.3, 0.0);
        defs[j].axes = j == 0 ? root : &ball;
        defs[j].axis_count = j == 0 ? 2 : 1;
    }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(defs, 3, NULL, &skeleton, NULL), NULL);
    return skeleton;
}

// ---------------------------------------------------------------------------------------------
// Rigs

static void put_rig(snw_Buffer *text, int centroids, int pose)
{
    make_text(text,
        "{\"sinew_rig\":1,\"starts\":{\"s\":{\"reach\":1,\"goals\":[{\"kind\":\"pose\","
        "\"joint\":\"tip\"}],\"poses\":[{\"tip\":[0,0,0,1]},{\"tip\":[0,0,0,1]}],"
        "\"centroids\":[");
    for (int c = 0; c < centroids; ++c) {
        make_text(text, "%s{\"pose\":%d,\"at\":[%d,0,0,0,0,0,1]}", c > 0 ? "," : "",
            c == 0 ? pose : 0, c);
    }
    make_text(text, "]}}}");
}

// RIG files: as many centroids as are allowed, and the last of the poses; one more of each is refused
static void start_tables_of_the_largest_size_are_read(void **state)
{
    (void)state;
    static const struct {
        int centroids, pose;
        const char *message; // NULL: it is read
    } cases[] = {
        { 4096, 1, NULL },
        { 4097, 1, "expected a list of 1 to 4096 centroids" },
        { 2, 2, "found 2, expected a number, 0 to 1" },
        { 1, 1, NULL },
    };
    sinew_Skeleton *chain = make_chain();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        snw_Buffer text = snw_buffer_create(NULL);
        put_rig(&text, cases[i].centroids, cases[i].pose);
        sinew_Rig *rig = NULL;
        sinew_Message message = { "" };
        sinew_Status status = sinew_rig_read_memory(
            text.data, text.size, "x.json", chain, NULL, &rig, &message);
        if (cases[i].message != NULL) {
            TEST_INT(status, SINEW_STATUS_BAD_FILE);
            if (strstr(message.text, cases[i].message) == NULL) { fail_msg("%s", message.text); }
        } else {
            TEST_OK(status, &message);
            TEST_INT(sinew_rig_starts(rig, 0)->centroid_count, cases[i].centroids);
            TEST_INT(sinew_rig_starts(rig, 0)->centroid_poses[0], cases[i].pose);
        }
        sinew_rig_destroy(rig);
        snw_buffer_destroy(&text);
    }
    sinew_skeleton_destroy(chain);
}

static sinew_Status apply_windows(int window_count, int point_count)
{
    static sinew_Vec3 points[SINEW_MAX_WINDOW_RAYS + 1];
    static sinew_RigWindow windows[SINEW_MAX_REACH_WINDOWS + 1];
    for (int p = 0; p < point_count; ++p) {
        points[p] = sinew_vec3(360.0 * p / point_count, 40.0, 0.0);
    }
    for (int w = 0; w < window_count; ++w) {
        windows[w] = (sinew_RigWindow){ true, points, point_count, 0.0 };
    }
    sinew_Skeleton *chain = make_chain(), *rigged = NULL;
    sinew_Rig *rig = NULL;
    TEST_OK(sinew_rig_create(NULL, &rig), NULL);
    sinew_RigJoint joint = sinew_rig_joint_default("upper");
    joint.has = SINEW_RIG_HAS_KIND | SINEW_RIG_HAS_WINDOWS;
    joint.kind = SINEW_RIG_BALL;
    joint.windows = windows;
    joint.window_count = window_count;
    sinew_Status status = sinew_rig_set_joint(rig, &joint);
    sinew_Message message = { "" };
    if (status == SINEW_STATUS_OK) {
        status = sinew_rig_apply(chain, rig, NULL, &rigged, &message);
    }
    sinew_skeleton_destroy(rigged);
    sinew_skeleton_destroy(chain);
    sinew_rig_destroy(rig);
    return status;
}

static void windows_are_counted(void **state)
{
    (void)state;
    TEST_OK(apply_windows(0, 0), NULL);
    TEST_OK(apply_windows(1, SINEW_MAX_WINDOW_RAYS), NULL);
    TEST_INT(apply_windows(1, SINEW_MAX_WINDOW_RAYS + 1), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(apply_windows(SINEW_MAX_REACH_WINDOWS + 1, 4), SINEW_STATUS_INVALID_ARGUMENT);
}

// somebody stiff: a window of as many corners as there may be, each swing by the same factor
static void windows_of_all_corners_shrink(void **state)
{
    (void)state;
    sinew_Vec3 points[SINEW_MAX_WINDOW_RAYS];
    for (int p = 0; p < SINEW_MAX_WINDOW_RAYS; ++p) {
        points[p] = sinew_vec3(360.0 * p / SINEW_MAX_WINDOW_RAYS, 30.0 + p % 7, 0.0);
    }
    sinew_RigWindow window = { true, points, SINEW_MAX_WINDOW_RAYS, 0.0 };
    sinew_Rig *rig = NULL;
    TEST_OK(sinew_rig_create(NULL, &rig), NULL);
    sinew_RigJoint joint = sinew_rig_joint_default("back");
    joint.has = SINEW_RIG_HAS_ROLE | SINEW_RIG_HAS_WINDOWS;
    joint.role = (sinew_JointRole){ SINEW_ROLE_SPINE, SINEW_SIDE_NONE, 1 };
    joint.windows = &window;
    joint.window_count = 1;
    TEST_OK(sinew_rig_set_joint(rig, &joint), NULL);
    sinew_Individual person;
    TEST_OK(sinew_individual_parse("bad_back", &person, NULL), NULL);
    double factor = sinew_individual_effects(&person).range[SINEW_ROLE_SPINE][SINEW_SIDE_NONE];
    TEST_TRUE(factor < 0.95);
    TEST_OK(sinew_individual_rig(&person, rig, NULL), NULL);
    const sinew_RigJoint *now = sinew_rig_find_joint(rig, "back");
    TEST_INT(now->window_count, 1);
    TEST_INT(now->windows[0].point_count, SINEW_MAX_WINDOW_RAYS);
    for (int p = 0; p < SINEW_MAX_WINDOW_RAYS; ++p) {
        TEST_NEAR(now->windows[0].points[p].x, points[p].x, 1e-9);
        TEST_NEAR(now->windows[0].points[p].y, factor * points[p].y, 1e-9);
    }
    sinew_rig_destroy(rig);
}

// ---------------------------------------------------------------------------------------------
// Limits

static sinew_Vec3 ray_at(double azimuth, double swing)
{
    return sinew_vec3(cos(swing), sin(swing) * cos(azimuth), sin(swing) * sin(azimuth));
}

static bool is_in_polygon(const sinew_ReachWindow *window, sinew_Vec3 p, double room)
{
    for (int i = 0; i < window->ray_count; ++i) {
        sinew_Vec3 next = window->rays[(i + 1) % window->ray_count];
        sinew_Vec3 n = sinew_vec3_normalize_or(sinew_vec3_cross(window->rays[i], next), next);
        if (sinew_vec3_dot(n, p) < -room) { return false; }
    }
    return true;
}

// the outline of windows that overlap: its pieces end on the border of one and are inside no other
static void outlines_of_several_windows_run_on_their_borders(void **state)
{
    (void)state;
    enum { WINDOWS = 3, CORNERS = 5, PARTS = 8 };
    sinew_Vec3 rays[WINDOWS][CORNERS];
    sinew_ReachWindow windows[WINDOWS];
    for (int w = 0; w < WINDOWS; ++w) {
        sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 0.0, 1.0), 0.5 * (w - 1));
        for (int i = 0; i < CORNERS; ++i) {
            rays[w][i] = sinew_quat_rotate(
                turn, ray_at(2.0 * SINEW_PI * i / CORNERS + 0.2 * w, 0.5 + 0.03 * i));
        }
        memset(&windows[w], 0, sizeof windows[w]);
        windows[w].rays = rays[w];
        windows[w].ray_count = CORNERS;
    }
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = windows;
    def.window_count = WINDOWS;
    sinew_BallLimit *limit = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_ball_limit_create(&def, NULL, &limit, &message), &message);
    int count = sinew_ball_limit_side_count(limit);
    TEST_TRUE(count >= 8);
    for (int s = 0; s < count; ++s) {
        sinew_ReachSide side = sinew_ball_limit_side(limit, s);
        for (int k = 0; k <= PARTS; ++k) {
            // sides of polygons are great circles
            sinew_Vec3 p = sinew_vec3_normalize_or(
                sinew_vec3_lerp(side.start, side.end, (double)k / PARTS), side.start);
            int border = 0;
            for (int w = 0; w < WINDOWS; ++w) {
                border += is_in_polygon(&windows[w], p, 1e-7);
                TEST_TRUE(!is_in_polygon(&windows[w], p, -1e-7));
            }
            TEST_TRUE(border >= 1);
        }
        // the pieces close a ring
        double nearest = INFINITY;
        for (int k = 0; k < count; ++k) {
            nearest = fmin(
                nearest, sinew_vec3_distance(side.end, sinew_ball_limit_side(limit, k).start));
        }
        TEST_TRUE(nearest < 1e-7);
    }
    sinew_ball_limit_destroy(limit);
}

// ---------------------------------------------------------------------------------------------
// Roles

// legs without arms: the trunk goes up to the last joint that is called one
static void spines_without_arms_end_at_the_chest(void **state)
{
    (void)state;
    static Body body;
    memset(&body, 0, sizeof body);
    add_bone(&body, "Hips", "hips", -1, sinew_vec3(0.0, 1.0, 0.0));
    hang(&body, "Spine", "spine1", "Hips", 0.0, 0.15, 0.0);
    hang(&body, "Spine1", "spine2", "Spine", 0.0, 0.15, 0.0);
    hang(&body, "Chest", "chest", "Spine1", 0.0, 0.15, 0.0);
    for (int i = 0; i < 2; ++i) {
        const char *side = i == 0 ? "Left" : "Right", *letter = i == 0 ? "l" : "r";
        static const char *const parts[3] = { "UpLeg", "Leg", "Foot" };
        static const char *const roles[3] = { "thigh", "shin", "foot" };
        char parent[16] = "Hips", name[16], role[16];
        for (int k = 0; k < 3; ++k) {
            snprintf(name, sizeof name, "%s%s", side, parts[k]);
            snprintf(role, sizeof role, "%s_%s", roles[k], letter);
            hang(&body, name, role, parent, k == 0 ? 0.1 - 0.2 * i : 0.0, k == 0 ? -0.05 : -0.42,
                0.0);
            memcpy(parent, name, sizeof parent);
        }
    }
    sinew_RoleGuess *roles = NULL;
    TEST_INT(check_body(&body, "legs and trunk", &roles), 0);
    // numbers of a spine begin at 1, and -1 alone takes the first
    TEST_INT(sinew_roles_find(roles, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, 0), -1);
    TEST_INT(sinew_roles_find(roles, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, -1),
        sinew_roles_find(roles, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, 1));
    sinew_roles_destroy(roles);
}

// ---------------------------------------------------------------------------------------------
// glTF

static sinew_MotionFile *read_document(const make_Gltf *make, const char *roots)
{
    snw_Buffer bytes = snw_buffer_create(NULL);
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    make_document(make, roots, false, &bytes);
    TEST_OK(make_read(&bytes, &file, &message), &message);
    snw_buffer_destroy(&bytes);
    return file;
}

// a node that turns by the keys' times; the last frame shows the last key
static void check_last_key(const float *times, int count, int most_frames)
{
    make_Gltf make;
    make_begin(&make);
    float shifts[3 * 8] = { 0 };
    for (int k = 0; k < count; ++k) { shifts[3 * k] = (float)(k * k); }
    int node = make_node(&make, "{\"name\":\"a\"}");
    int input = make_floats(&make, times, count, 1, "SCALAR");
    make_channel(
        &make, node, "translation", input, make_floats(&make, shifts, count, 3, "VEC3"), "LINEAR");
    sinew_MotionFile *file = read_document(&make, "0");
    make_end(&make);
    const sinew_Clip *clip = sinew_motion_clip(file);
    int frames = sinew_clip_frame_count(clip);
    TEST_TRUE(frames <= most_frames);
    TEST_TRUE((frames - 1) * sinew_clip_frame_time(clip) > times[count - 1] * (1.0 - 1e-6) - 1e-6);
    sinew_Transform world[4];
    sinew_pose_forward(
        sinew_motion_skeleton(file), sinew_clip_frame_const(clip, frames - 1), world);
    TEST_NEAR(world[0].position.x, (count - 1) * (count - 1), 1e-5);
    sinew_motion_destroy(file);
}

static void motions_end_with_their_last_key(void **state)
{
    (void)state;
    const float even[4] = { 0.0f, 0.1f, 0.2f, 0.3f }, odd[4] = { 0.0f, 0.1013f, 0.2f, 0.2717f };
    const float days[3] = { 0.0f, 43200.0f, 86400.0f };
    check_last_key(even, 4, 40);
    check_last_key(odd, 4, 100);
    // as many frames as there may be, and not one more
    check_last_key(days, 3, 200000);
}

static void nodes_outside_the_scene_are_no_joints(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_node(&make, "{\"name\":\"a\",\"children\":[1]}");
    make_node(&make, "{\"name\":\"b\",\"translation\":[0,1,0]}");
    make_node(&make, "{\"name\":\"c\",\"children\":[3]}");
    make_node(&make, "{\"name\":\"d\",\"translation\":[0,2,0]}");
    static const struct {
        const char *roots;
        int joints;
    } cases[] = { { "0", 2 }, { "2", 2 }, { "0,2", 4 }, { "2,0", 4 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sinew_MotionFile *file = read_document(&make, cases[i].roots);
        TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(file)), cases[i].joints);
        sinew_motion_destroy(file);
    }
    make_end(&make);
    // without scenes all is shown
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\",\"children\":[1]},"
        "{\"name\":\"b\"},{\"name\":\"c\"}]}";
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    TEST_OK(
        sinew_motion_read_memory(text, sizeof text - 1, "x.gltf", NULL, &file, &message), &message);
    TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(file)), 3);
    sinew_motion_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// Solving and following

// what soft reach gives up on purpose is no miss
static void eased_ways_are_no_misses(void **state)
{
    (void)state;
    sinew_Report report;
    memset(&report, 0, sizeof report);
    report.position_error = 0.05;
    report.eased_distance = 0.03;
    TEST_NEAR(snw_track_missed_by(&report), 0.02, 1e-15);
}

// ---------------------------------------------------------------------------------------------
// Walking

// above and below the heights that were measured, the last row counts
static void reach_beyond_the_rows_is_that_of_the_last(void **state)
{
    (void)state;
    static snw_LegReach reach;
    reach.bottom = -0.2;
    reach.spacing = 0.1;
    reach.length = 1.0;
    for (int row = 0; row < SNW_REACH_ROWS; ++row) {
        reach.middle_x[row] = 0.01 * row * row;
        reach.middle_z[row] = -0.02 * row;
        for (int k = 0; k < SNW_REACH_DIRECTIONS; ++k) { reach.radius[row][k] = 0.5 - 0.04 * row; }
    }
    double top = reach.bottom + reach.spacing * (SNW_REACH_ROWS - 1), steps[3] = { 0.05, 0.1, 0.5 };
    for (int i = 0; i < 3; ++i) {
        TEST_NEAR(snw_leg_reach_radius(&reach, sinew_vec3(0.0, top + steps[i], 0.3)), 0.1, 1e-12);
        TEST_NEAR(snw_leg_reach_radius(&reach, sinew_vec3(0.0, reach.bottom - steps[i], 0.3)), 0.5,
            1e-12);
        sinew_Vec3 middle = snw_leg_reach_middle(&reach, top + steps[i]);
        TEST_VEC3_NEAR(middle, sinew_vec3(1.0, top + steps[i], -0.2), 1e-12);
    }
    // and between rows, both
    TEST_NEAR(snw_leg_reach_radius(&reach, sinew_vec3(0.0, top - 0.025, 0.3)), 0.11, 1e-12);
}

// each of the directions has its own border, and between two of them it is their straight line
static void reach_goes_by_direction(void **state)
{
    (void)state;
    static snw_LegReach reach;
    reach.spacing = 0.1;
    reach.length = 1.0;
    for (int row = 0; row < SNW_REACH_ROWS; ++row) {
        for (int k = 0; k < SNW_REACH_DIRECTIONS; ++k) { reach.radius[row][k] = 0.3 + 0.01 * k; }
    }
    sinew_Vec3 corners[SNW_REACH_DIRECTIONS + 1];
    for (int k = 0; k <= SNW_REACH_DIRECTIONS; ++k) {
        double s, c, radius = reach.radius[0][k % SNW_REACH_DIRECTIONS];
        sinew_sincos(2.0 * SINEW_PI * k / SNW_REACH_DIRECTIONS, &s, &c);
        corners[k] = sinew_vec3(radius * s, 0.0, radius * c);
        TEST_NEAR(snw_leg_reach_radius(&reach, corners[k]), radius, 1e-12);
    }
    for (int k = 0; k < SNW_REACH_DIRECTIONS; ++k) {
        for (int part = 1; part < 10; ++part) {
            sinew_Vec3 at = sinew_vec3_lerp(corners[k], corners[k + 1], 0.1 * part);
            TEST_NEAR(snw_leg_reach_radius(&reach, at), sinew_vec3_length(at), 1e-12);
        }
    }
}

// a manner that only wanders, or only varies, is seen
static void walk_with(double wander, double variation, double *out_q)
{
    scene_Scene *scene = NULL;
    sinew_Walker *walker = NULL;
    sinew_Message message = { "" };
    TEST_OK(scene_create("MAN18", NULL, &scene, &message), &message);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = scene->skeleton;
    def.manner.wander = wander;
    def.manner.variation = variation;
    TEST_OK(sinew_walker_create(&def, &walker, &message), &message);
    sinew_Steering steering = { 0 };
    steering.forward = 1.2;
    for (int f = 0; f < 300; ++f) {
        TEST_OK(
            sinew_walker_update(walker, &steering, 1.0 / 60.0, NULL, out_q, &message), &message);
    }
    sinew_walker_destroy(walker);
    scene_destroy(scene);
}

static double apart(const double *a, const double *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) { most = fmax(most, fabs(a[i] - b[i])); }
    return most;
}

static void wandering_and_varying_are_seen_alone(void **state)
{
    (void)state;
    enum { MOST = 256 };
    static double plain[MOST], wanders[MOST], varies[MOST];
    walk_with(0.0, 0.0, plain);
    walk_with(2.0, 0.0, wanders);
    walk_with(0.0, 2.0, varies);
    TEST_TRUE(apart(plain, wanders, MOST) > 1e-3);
    TEST_TRUE(apart(plain, varies, MOST) > 1e-3);
}

// ---------------------------------------------------------------------------------------------
// Files

// columns for what no key says are left out, whatever stands behind the keys
static void sticks_are_written_without_what_is_behind(void **state)
{
    (void)state;
    sinew_StickKey keys[3];
    memset(keys, 0, sizeof keys);
    keys[1].time = 1.0;
    keys[2].time = 2.0;
    keys[2].jump = 0.3;
    const char *path = test_temp_path("sticks.csv");
    for (int count = 2; count <= 3; ++count) {
        char line[80];
        TEST_OK(sinew_stick_write(path, keys, count, NULL), NULL);
        FILE *file = fopen(path, "r");
        TEST_TRUE(file != NULL && fgets(line, sizeof line, file) != NULL);
        fclose(file);
        TEST_INT(strstr(line, "jump") != NULL, count == 3);
    }
}

// what stands between words: blanks, tabs and ends of lines, no other byte
static void other_bytes_are_no_space(void **state)
{
    (void)state;
    for (int byte = 1; byte <= 33; ++byte) {
        char text[200];
        int size = snprintf(text, sizeof text,
            "HIERARCHY\nROOT a\n{\nOFFSET 0%c0 0\nCHANNELS 1 Yrotation\nEnd Site\n{\nOFFSET 0 1 "
            "0\n}\n}\n"
            "MOTION\nFrames: 1\nFrame Time: 0.1\n5\n",
            byte);
        sinew_MotionFile *file = NULL;
        sinew_Status status = sinew_motion_read_memory(
            text, (size_t)size, "x.bvh", NULL, &file, NULL);
        bool is_space = byte == ' ' || (byte >= '\t' && byte <= '\r');
        if ((status == SINEW_STATUS_OK) != is_space) { fail_msg("byte %d", byte); }
        sinew_motion_destroy(file);
    }
}

TEST_MAIN(cmocka_unit_test(start_tables_of_the_largest_size_are_read),
    cmocka_unit_test(windows_are_counted), cmocka_unit_test(windows_of_all_corners_shrink),
    cmocka_unit_test(outlines_of_several_windows_run_on_their_borders),
    cmocka_unit_test(spines_without_arms_end_at_the_chest),
    cmocka_unit_test(motions_end_with_their_last_key),
    cmocka_unit_test(nodes_outside_the_scene_are_no_joints),
    cmocka_unit_test(eased_ways_are_no_misses),
    cmocka_unit_test(reach_beyond_the_rows_is_that_of_the_last),
    cmocka_unit_test(reach_goes_by_direction),
    cmocka_unit_test(wandering_and_varying_are_seen_alone),
    cmocka_unit_test(sticks_are_written_without_what_is_behind),
    cmocka_unit_test(other_bytes_are_no_space))
