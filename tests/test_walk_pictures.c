// Walks drawn over ground: the raster, the solid character, light, marks, sheets and films.

#include "command.h"

#include "pictures/footfalls.h"
#include "pictures/pictures.h"
#include "pictures/world.h"
#include "scenes/scenes.h"
#include "sinew/file.h"
#include "sinew/terrain.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BYTES = 8 << 20 };

static scene_Scene *open_scene(const char *name)
{
    scene_Scene *scene = NULL;
    TEST_OK(scene_create(name, NULL, &scene, NULL), NULL);
    return scene;
}

static sinew_Terrain *open_terrain(sinew_TerrainKind kind)
{
    sinew_TerrainDef def = sinew_terrain_def_default(kind);
    sinew_Terrain *terrain = NULL;
    TEST_OK(sinew_terrain_create(&def, &terrain, NULL), NULL);
    return terrain;
}

static sinew_Clip *motion_of(const scene_Scene *scene, int frames)
{
    sinew_Clip *clip = NULL;
    TEST_OK(scene_motion(scene, 1.0 / 30.0, frames, &clip), NULL);
    return clip;
}

static snw_Camera page_camera(double size)
{
    snw_Camera camera = snw_camera_look(sinew_vec3(0.0, 0.0, 0.0), sinew_vec3(0.0, 0.0, 1.0), 2.0);
    camera.focal = size;
    camera.center_x = camera.center_y = 0.5 * size;
    return camera;
}

// ---------------------------------------------------------------------------------------------
// Raster

// Fans over random points of a disc: every sample inside is taken by exactly one triangle.
static void triangles_leave_no_gaps_and_share_nothing(void **state)
{
    (void)state;
    enum { SIZE = 97, RIM = 9 };
    snw_Raster raster;
    TEST_TRUE(snw_raster_create(SIZE, SIZE, true, &raster));
    for (int n = 0; n < 60; ++n) {
        test_Random random = test_case(841, n);
        sinew_Vec3 vertices[RIM + 1];
        uint32_t indices[3 * RIM];
        vertices[RIM] = sinew_vec3(test_range(&random, -0.1, 0.1), 0.05, 0.0);
        for (int i = 0; i < RIM; ++i) {
            double angle = 2.0 * SINEW_PI * (i + test_range(&random, -0.3, 0.3)) / RIM;
            double radius = test_range(&random, 0.5, 0.9);
            vertices[i] = sinew_vec3(
                radius * cos(angle), radius * sin(angle), test_range(&random, -0.2, 0.2));
            indices[3 * i] = RIM;
            indices[3 * i + 1] = (uint32_t)i;
            indices[3 * i + 2] = (uint32_t)((i + 1) % RIM);
        }
        int taken[SIZE * SIZE] = { 0 };
        snw_Camera camera = page_camera(SIZE);
        for (int i = 0; i < RIM; ++i) {
            snw_Mesh mesh = { RIM + 1, 1, vertices, NULL, indices + 3 * i, NULL, 1, NULL };
            snw_raster_clear(&raster, true);
            TEST_TRUE(snw_raster_draw(&raster, &camera, false, &mesh));
            for (int s = 0; s < SIZE * SIZE; ++s) { taken[s] += raster.materials[s] == 1; }
        }
        snw_Mesh whole = { RIM + 1, RIM, vertices, NULL, indices, NULL, 1, NULL };
        snw_raster_clear(&raster, true);
        TEST_TRUE(snw_raster_draw(&raster, &camera, false, &whole));
        int inside = 0;
        for (int y = 0; y < SIZE; ++y) {
            int first = -1, last = -1;
            for (int x = 0; x < SIZE; ++x) {
                int s = y * SIZE + x;
                TEST_TRUE(taken[s] <= 1);
                TEST_INT(raster.materials[s] == 1, taken[s]);
                if (taken[s]) {
                    first = first < 0 ? x : first;
                    last = x;
                    ++inside;
                }
            }
            // star-shaped about a middle that lies inside: rows through it have no holes
            if (y == SIZE / 2 && first >= 0) {
                for (int x = first; x <= last; ++x) { TEST_INT(taken[y * SIZE + x], 1); }
            }
        }
        TEST_TRUE(inside > 200);
    }
    snw_raster_destroy(&raster);
}

static void the_nearest_surface_is_seen(void **state)
{
    (void)state;
    enum { SIZE = 64 };
    snw_Raster raster;
    TEST_TRUE(snw_raster_create(SIZE, SIZE, true, &raster));
    // one triangle leans through the other; and one is seen from behind
    const sinew_Vec3 vertices[9] = { { -1.0, -1.0, 0.0 }, { 1.0, -1.0, 0.0 }, { 0.0, 1.0, 0.0 },
        { -1.0, -1.0, 0.5 }, { 1.0, -1.0, -0.5 }, { 0.0, 1.0, 0.0 }, { -1.0, -1.0, 0.9 },
        { 0.0, 1.0, 0.9 }, { 1.0, -1.0, 0.9 } };
    const uint32_t indices[9] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
    const uint8_t materials[3] = { 1, 2, 3 };
    snw_Mesh mesh = { 9, 3, vertices, NULL, indices, materials, 0, NULL };
    snw_Camera camera = page_camera(SIZE);
    snw_raster_clear(&raster, true);
    TEST_TRUE(snw_raster_draw(&raster, &camera, false, &mesh));
    int row = 44 * SIZE;
    TEST_INT(raster.materials[row + 24], 2);
    TEST_INT(raster.materials[row + 40], 1);
    TEST_NEAR(1.0 / (double)raster.nearness[row + 40], 2.0, 1e-5);
    sinew_Vec3 normal = snw_raster_normal(raster.normals[row + 40]);
    TEST_VEC3_NEAR(normal, sinew_vec3(0.0, 0.0, 1.0), 0.003);
    for (int s = 0; s < SIZE * SIZE; ++s) { TEST_TRUE(raster.materials[s] != 3); }
    snw_raster_destroy(&raster);
}

// A plane that goes on behind the camera is cut there: below the horizon all of it is seen.
static void what_lies_behind_the_camera_is_cut(void **state)
{
    (void)state;
    enum { SIZE = 80 };
    snw_Raster raster;
    TEST_TRUE(snw_raster_create(SIZE, SIZE, true, &raster));
    const sinew_Vec3 vertices[4] = { { -1e3, -1.0, -1e3 }, { 1e3, -1.0, -1e3 }, { -1e3, -1.0, 1e3 },
        { 1e3, -1.0, 1e3 } };
    const uint32_t indices[6] = { 0, 3, 1, 0, 2, 3 };
    snw_Mesh mesh = { 4, 2, vertices, NULL, indices, NULL, 0, NULL };
    snw_Camera camera = page_camera(SIZE);
    snw_raster_clear(&raster, true);
    TEST_TRUE(snw_raster_draw(&raster, &camera, false, &mesh));
    for (int y = 0; y < SIZE; ++y) {
        for (int x = 0; x < SIZE; ++x) {
            int seen = raster.materials[y * SIZE + x];
            TEST_INT(seen, y < SIZE / 2 ? SNW_MATERIAL_NONE : 0);
            if (y < SIZE / 2) { continue; }
            // one metre below the eye; corners are rounded to a sixteenth of a sample
            double expected = (y + 0.5 - SIZE / 2) / SIZE;
            TEST_NEAR((double)raster.nearness[y * SIZE + x], expected, 1.0 / 16.0 / SIZE);
        }
    }
    snw_raster_destroy(&raster);
}

// ground that reaches beyond all numbers of a page is there up to the horizon, at its distance
static void far_triangles_are_cut(void **state)
{
    (void)state;
    enum { SIZE = 200 };
    static const double halves[3] = { 1e2, 1e5, 1e9 };
    const uint32_t indices[6] = { 0, 1, 2, 0, 2, 3 };
    snw_Raster raster;
    TEST_TRUE(snw_raster_create(SIZE, SIZE, true, &raster));
    snw_Camera camera = page_camera(SIZE);
    camera.focal = 8.0 * SIZE;
    for (int i = 0; i < 3; ++i) {
        const double h = halves[i], y = camera.eye.y - 1.0;
        const sinew_Vec3 vertices[4] = { { -h, y, -h }, { -h, y, h }, { h, y, h }, { h, y, -h } };
        const snw_Mesh mesh = { 4, 2, vertices, NULL, indices, NULL, 1, NULL };
        snw_raster_clear(&raster, true);
        TEST_TRUE(snw_raster_draw(&raster, &camera, false, &mesh));
        for (int row = 0; row < SIZE; ++row) {
            const double below = row + 0.5 - camera.center_y, depth = camera.focal / below;
            // close to the horizon its place is rounded
            if (fabs(below) < 3.0 || depth > 0.9 * h) { continue; }
            for (int x = 0; x < SIZE; ++x) {
                const size_t at = (size_t)row * SIZE + (size_t)x;
                TEST_INT(raster.materials[at], below > 0.0 ? 1 : SNW_MATERIAL_NONE);
                if (below > 0.0) {
                    TEST_NEAR(1.0 / (double)raster.nearness[at], depth, 0.04 * depth);
                }
            }
        }
    }
    snw_raster_destroy(&raster);
}

// ---------------------------------------------------------------------------------------------
// Characters

static void check_character(const sinew_Skeleton *skeleton, const double *q)
{
    snw_Body body;
    snw_Character solid, stick;
    const sinew_PoseList motion = { q, 1 };
    TEST_TRUE(snw_body_create(skeleton, sinew_vec3(0.0, 1.0, 0.0), &motion, &body));
    TEST_TRUE(snw_character_create(&body, &motion, SNW_FORM_SOLID, NULL, &solid));
    TEST_INT(solid.skin.triangle_count, 11101);
    TEST_INT(PICTURE_CHARACTER_TRIANGLES, 11101);
    snw_character_pose(&solid, q);
    for (int v = 0; v < solid.skin.vertex_count; ++v) {
        TEST_TRUE(sinew_vec3_is_finite(solid.vertices[v]));
        TEST_TRUE(sinew_vec3_is_finite(solid.normals[v]));
    }
    for (int i = 0; i < 3 * solid.skin.triangle_count; ++i) {
        TEST_TRUE(solid.skin.indices[i] < (uint32_t)solid.skin.vertex_count);
    }
    TEST_TRUE(snw_character_create(&body, &motion, SNW_FORM_STICK, NULL, &stick));
    TEST_TRUE(stick.skin.triangle_count > 0 && stick.skin.triangle_count != 11101);
    for (int t = 0; t < solid.skin.triangle_count; ++t) {
        TEST_TRUE(solid.skin.materials[t] < SNW_MATERIAL_STRIPE);
    }
    snw_character_destroy(&solid);
    snw_character_destroy(&stick);
    snw_body_destroy(&body);
}

// VIEW-1: the count is exact whatever the body
static void solid_character_has_11101_triangles_view1(void **state)
{
    (void)state;
    const char *names[] = { "MAN18", "FIGURE1", "BODY11", "QUADRUPED", "SPIDER", "HAND", "LEG",
        "CHAIN1", "CHAIN10", "CHAIN900" };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        scene_Scene *scene = open_scene(names[i]);
        double *q = malloc((size_t)sinew_skeleton_coordinate_count(scene->skeleton) * sizeof *q);
        scene_pose_at(scene, 1.3, q);
        check_character(scene->skeleton, q);
        free(q);
        scene_destroy(scene);
    }
    const char *files[] = { "bvh/cmu_12_01_walk_mb.bvh", "bvh/mass_walk.bvh",
        "bvh/makehuman_walk1.bvh", "bvh/rokokovision_walking.bvh", "bvh/xsens_jl_tpose.bvh" };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        const char *path = data_path(files[i]);
        if (!path) { continue; }
        sinew_ReadOptions options = sinew_read_options_default();
        sinew_MotionFile *file;
        TEST_OK(sinew_motion_read(path, &options, &file, NULL), NULL);
        check_character(
            sinew_motion_skeleton(file), sinew_clip_frame_const(sinew_motion_clip(file), 0));
        sinew_motion_destroy(file);
    }
}

// Of a person: it reaches from the soles to the top of the head, and the soles are flat on the floor.
static void solid_person_fills_the_skeleton(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    double q[128];
    sinew_pose_rest(scene->skeleton, q);
    snw_Body body;
    snw_Character character;
    TEST_TRUE(snw_body_create(scene->skeleton, sinew_vec3(0.0, 1.0, 0.0), NULL, &body));
    TEST_TRUE(snw_character_create(&body, NULL, SNW_FORM_SOLID, NULL, &character));
    snw_character_pose(&character, q);
    double low = 1e9, high = -1e9;
    int on_floor = 0;
    for (int v = 0; v < character.skin.vertex_count; ++v) {
        low = fmin(low, character.vertices[v].y);
        high = fmax(high, character.vertices[v].y);
        on_floor += character.vertices[v].y < 0.004;
    }
    TEST_NEAR(low, 0.0, 0.004);
    TEST_NEAR(high, 1.75, 0.06);
    TEST_TRUE(on_floor > 60);

    // skin moves with the joints: no triangle is drawn out when a knee bends
    double longest = 0.0;
    for (int bend = 0; bend < 2; ++bend) {
        scene_pose_at(scene, bend == 0 ? 0.0 : 2.2, q);
        snw_character_pose(&character, q);
        for (int t = 0; t < character.skin.triangle_count; ++t) {
            const uint32_t *i = character.skin.indices + 3 * (size_t)t;
            for (int k = 0; k < 3; ++k) {
                longest = fmax(longest,
                    sinew_vec3_distance(
                        character.vertices[i[k]], character.vertices[i[(k + 1) % 3]]));
            }
        }
    }
    TEST_TRUE(longest < 0.09);
    snw_character_destroy(&character);
    snw_body_destroy(&body);
    scene_destroy(scene);
}

// how far the skin is from the middle of the bone between two joints of a posed character
static double skin_to_bone(const snw_Character *character, int from, int to)
{
    const sinew_Vec3 middle = sinew_vec3_lerp(
        character->world_from_joint[from].position, character->world_from_joint[to].position, 0.5);
    double nearest = INFINITY;
    for (int v = 0; v < character->skin.vertex_count; ++v) {
        nearest = fmin(nearest, sinew_vec3_distance(character->vertices[v], middle));
    }
    return nearest;
}

typedef struct MachinePart {
    const char *names[2];
    sinew_Vec3 axis, offset;
    double bent;
} MachinePart;

// a limb of hinges, each on the one before; the right one is mirrored
static void add_machine_limb(const MachinePart *parts, int part_count, int side, int parent,
    sinew_JointDef *joints, sinew_Axis *axes, double *q, int *joint_count)
{
    for (int p = 0; p < part_count; ++p) {
        const int j = (*joint_count)++;
        axes[j] = sinew_axis_hinge(parts[p].axis, -2.0, 2.0);
        joints[j] = sinew_joint_def_default();
        joints[j].name = parts[p].names[side];
        joints[j].parent = p == 0 ? parent : j - 1;
        joints[j].offset = parts[p].offset;
        if (side == 1) { joints[j].offset.x = -joints[j].offset.x; }
        joints[j].axes = &axes[j];
        joints[j].axis_count = 1;
        q[j] = parts[p].bent;
    }
}

// Hips and shoulders of machines are several hinges in a row: the skin turns with all of them.
static void limbs_of_machines_bend_with_every_hinge(void **state)
{
    (void)state;
    enum { LEG = 6, ARM = 5, COUNT = 3 + 2 * LEG + 2 * ARM };
    static const MachinePart leg[LEG] = {
        { { "left_hip_yaw", "right_hip_yaw" }, { 0, 1, 0 }, { 0.09, -0.05, 0.0 }, 0.2 },
        { { "left_hip_roll", "right_hip_roll" }, { 0, 0, 1 }, { 0.0, 0.0, 0.0 }, 0.1 },
        { { "left_hip_pitch", "right_hip_pitch" }, { 1, 0, 0 }, { 0.0, 0.0, 0.0 }, -1.4 },
        { { "left_knee", "right_knee" }, { 1, 0, 0 }, { 0.0, -0.42, 0.0 }, 1.6 },
        { { "left_ankle_pitch", "right_ankle_pitch" }, { 1, 0, 0 }, { 0.0, -0.4, 0.0 }, 0.0 },
        { { "left_ankle_roll", "right_ankle_roll" }, { 0, 0, 1 }, { 0.0, 0.0, 0.0 }, 0.0 },
    };
    static const MachinePart arm[ARM] = {
        { { "left_shoulder_roll", "right_shoulder_roll" }, { 0, 0, 1 }, { 0.19, 0.2, 0.0 }, 0.1 },
        { { "left_shoulder_pitch", "right_shoulder_pitch" }, { 1, 0, 0 }, { 0, 0, 0 }, -1.2 },
        { { "left_shoulder_yaw", "right_shoulder_yaw" }, { 0, 1, 0 }, { 0, 0, 0 }, 0.8 },
        { { "left_elbow", "right_elbow" }, { 1, 0, 0 }, { 0.0, -0.3, 0.0 }, -1.2 },
        { { "left_wrist", "right_wrist" }, { 1, 0, 0 }, { 0.0, -0.26, 0.0 }, 0.0 },
    };
    static const MachinePart trunk[2] = {
        { { "torso", NULL }, { 0, 1, 0 }, { 0.0, 0.25, 0.0 }, 0.0 },
        { { "head", NULL }, { 0, 1, 0 }, { 0.0, 0.32, 0.0 }, 0.0 },
    };
    sinew_JointDef joints[COUNT] = { sinew_joint_def_default() };
    sinew_Axis axes[COUNT];
    double q[COUNT];
    int count = 1;
    joints[0].name = "pelvis";
    joints[0].offset = sinew_vec3(0.0, 0.95, 0.0);
    for (int s = 0; s < 2; ++s) { add_machine_limb(leg, LEG, s, 0, joints, axes, q, &count); }
    const int torso = count;
    add_machine_limb(trunk, 2, 0, 0, joints, axes, q, &count);
    for (int s = 0; s < 2; ++s) { add_machine_limb(arm, ARM, s, torso, joints, axes, q, &count); }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, COUNT, NULL, &skeleton, NULL), NULL);
    snw_Body body;
    snw_Character character;
    TEST_TRUE(snw_body_create(skeleton, sinew_vec3(0.0, 1.0, 0.0), NULL, &body));
    TEST_TRUE(snw_character_create(&body, NULL, SNW_FORM_SOLID, NULL, &character));
    // the pelvis has no value
    snw_character_pose(&character, q + 1);
    const sinew_Role bones[4][2] = { { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN },
        { SINEW_ROLE_SHIN, SINEW_ROLE_FOOT }, { SINEW_ROLE_UPPERARM, SINEW_ROLE_FOREARM },
        { SINEW_ROLE_FOREARM, SINEW_ROLE_HAND } };
    for (int b = 0; b < 4; ++b) {
        for (int s = 0; s < 2; ++s) {
            const sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
            const int from = sinew_roles_find(body.roles, bones[b][0], side, -1);
            const int to = sinew_roles_find(body.roles, bones[b][1], side, -1);
            TEST_TRUE(from >= 0 && to >= 0);
            TEST_TRUE(skin_to_bone(&character, from, to) < 0.085);
        }
    }
    snw_character_destroy(&character);
    snw_body_destroy(&body);
    sinew_skeleton_destroy(skeleton);
}

// stripes run along limbs from end to end, one of them told apart, and turn with them
static void stripes_show_twist(void **state)
{
    (void)state;
    const sinew_Vec3 y = { 0.0, 1.0, 0.0 };
    const sinew_Axis axis = sinew_axis_hinge(y, -4.0, 4.0);
    sinew_JointDef joints[2] = { sinew_joint_def_default(), sinew_joint_def_default() };
    sinew_Skeleton *skeleton = NULL;
    joints[0].axes = &axis;
    joints[0].axis_count = 1;
    joints[1].parent = 0;
    joints[1].offset = y;
    TEST_OK(sinew_skeleton_create(joints, 2, NULL, &skeleton, NULL), NULL);
    snw_Body body;
    snw_Character character;
    TEST_TRUE(snw_body_create(skeleton, y, NULL, &body));
    TEST_TRUE(snw_character_create(&body, NULL, SNW_FORM_STRIPED, NULL, &character));
    for (int turn = 0; turn < 4; ++turn) {
        const double q = 0.8 * turn;
        double low = INFINITY, high = -INFINITY;
        sinew_Vec3 side = { 0.0, 0.0, 0.0 };
        static sinew_Vec3 first_side;
        int others = 0;
        snw_character_pose(&character, &q);
        for (int t = 0; t < character.skin.triangle_count; ++t) {
            others += character.skin.materials[t] == SNW_MATERIAL_STRIPE;
            if (character.skin.materials[t] != SNW_MATERIAL_FIRST_STRIPE) { continue; }
            const sinew_Vec3 p = character.vertices[character.skin.indices[3 * t]];
            low = fmin(low, p.y);
            high = fmax(high, p.y);
            side = sinew_vec3_add(side, sinew_vec3(p.x, 0.0, p.z));
        }
        TEST_TRUE(low < 0.05 && high > 0.95 && others > 100);
        side = sinew_vec3_normalize_or(side, y);
        if (turn == 0) { first_side = side; }
        TEST_VEC3_NEAR(side, sinew_quat_rotate(sinew_quat_from_axis_angle(y, q), first_side), 1e-9);
    }
    snw_character_destroy(&character);
    snw_body_destroy(&body);
    sinew_skeleton_destroy(skeleton);
}

// a bone to a joint that slides grows with it
static void bones_grow_where_joints_slide(void **state)
{
    (void)state;
    const sinew_Vec3 y = { 0.0, 1.0, 0.0 };
    const sinew_Axis axis = sinew_axis_slide(y);
    sinew_JointDef joints[2] = { sinew_joint_def_default(), sinew_joint_def_default() };
    sinew_Skeleton *skeleton = NULL;
    joints[1].parent = 0;
    joints[1].offset = y;
    joints[1].axes = &axis;
    joints[1].axis_count = 1;
    TEST_OK(sinew_skeleton_create(joints, 2, NULL, &skeleton, NULL), NULL);
    const snw_Form forms[2] = { SNW_FORM_SOLID, SNW_FORM_STICK };
    snw_Body body;
    TEST_TRUE(snw_body_create(skeleton, y, NULL, &body));
    for (int form = 0; form < 2; ++form) {
        snw_Character character;
        double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
        TEST_TRUE(snw_character_create(&body, NULL, forms[form], NULL, &character));
        for (int i = 0; i < 2; ++i) {
            const double q = 0.7 * i;
            snw_character_pose(&character, &q);
            for (int v = 0; v < character.skin.vertex_count; ++v) {
                low[i] = fmin(low[i], character.vertices[v].y);
                high[i] = fmax(high[i], character.vertices[v].y);
            }
        }
        TEST_NEAR(high[1] - high[0], 0.7, 1e-12);
        TEST_NEAR(low[1], low[0], 1e-12);
        snw_character_destroy(&character);
    }
    snw_body_destroy(&body);
    sinew_skeleton_destroy(skeleton);
}

// fingers that a recording has are drawn, each with its own joints
static void fingers_are_drawn_where_they_are(void **state)
{
    (void)state;
    const char *path = data_path("bvh/makehuman_walk1.bvh");
    if (!path) { skip(); }
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file;
    TEST_OK(sinew_motion_read(path, &options, &file, NULL), NULL);
    const sinew_Clip *clip = sinew_motion_clip(file);
    const sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    snw_Body body;
    snw_Character character;
    TEST_TRUE(
        snw_body_create(sinew_motion_skeleton(file), sinew_vec3(0.0, 1.0, 0.0), &motion, &body));
    TEST_TRUE(snw_character_create(&body, &motion, SNW_FORM_SOLID, NULL, &character));
    for (int role = SINEW_ROLE_THUMB; role <= SINEW_ROLE_PINKY; ++role) {
        const int joint = sinew_roles_find(body.roles, (sinew_Role)role, SINEW_SIDE_LEFT, 2);
        int corners = 0;
        for (int v = 0; v < character.skin.vertex_count; ++v) {
            corners += character.skin.vertices[v].joints[0] == joint;
        }
        TEST_TRUE(joint >= 0 && corners > 20);
    }
    snw_character_destroy(&character);
    snw_body_destroy(&body);
    sinew_motion_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// Worlds

typedef struct Shown {
    snw_World world;
    snw_Body body;
    snw_Character character;
    uint32_t *pixels;
    int counts[SNW_MATERIAL_COUNT];
} Shown;

enum { WIDE = 240, HIGH = 200 };

// the page moved to the right and down by so many pixels
static void show_moved(Shown *shown, const scene_Scene *scene, const sinew_Terrain *terrain,
    bool solid, bool figure, bool marks, int right, int down)
{
    memset(shown, 0, sizeof *shown);
    snw_WorldDef def = { 0 };
    def.terrain = terrain;
    def.width = WIDE;
    def.height = HIGH;
    def.samples = 1;
    def.shadow_count = 1;
    TEST_TRUE(snw_world_create(&def, &shown->world));
    TEST_TRUE(snw_body_create(scene->skeleton, sinew_vec3(0.0, 1.0, 0.0), NULL, &shown->body));
    TEST_TRUE(snw_character_create(
        &shown->body, NULL, solid ? SNW_FORM_SOLID : SNW_FORM_STICK, NULL, &shown->character));
    double q[128];
    sinew_pose_rest(scene->skeleton, q);
    snw_Camera camera = snw_camera_look(
        sinew_vec3(0.0, 0.8, 0.0), sinew_vec3(-0.8, 0.35, 0.6), 5.0);
    camera.focal = 420.0;
    camera.center_x = 0.5 * WIDE + right;
    camera.center_y = 0.5 * HIGH + down;
    snw_world_begin(&shown->world, &camera);
    snw_world_draw_land(&shown->world, sinew_vec3(0.0, 0.0, 0.0), 30.0, false);
    snw_character_pose(&shown->character, q);
    if (figure) { snw_world_draw_figure(&shown->world, &shown->character); }
    if (marks) {
        const sinew_Vec3 up = { 0.0, 1.0, 0.0 }, ahead = { 0.0, 0.0, 1.0 };
        snw_world_draw_pyramid(
            &shown->world, sinew_vec3(0.0, 0.0, 0.6), 0.1, SNW_MATERIAL_GOAL_LEADING);
        snw_world_draw_pyramid(
            &shown->world, sinew_vec3(0.0, 0.0, -0.6), 0.1, SNW_MATERIAL_GOAL_TRAILING);
        snw_world_draw_triangle(
            &shown->world, sinew_vec3(-0.3, 0.0, 0.0), up, ahead, 0.2, SNW_MATERIAL_PLANT);
    }
    for (int s = 0; s < WIDE * HIGH; ++s) {
        if (shown->world.raster.materials[s] != SNW_MATERIAL_NONE) {
            ++shown->counts[shown->world.raster.materials[s]];
        }
    }
    shown->pixels = malloc(WIDE * HIGH * sizeof *shown->pixels);
    TEST_TRUE(snw_world_finish(&shown->world, (unsigned char *)shown->pixels, 4 * WIDE));
}

static void show(Shown *shown, const scene_Scene *scene, const sinew_Terrain *terrain, bool solid,
    bool figure, bool marks)
{
    show_moved(shown, scene, terrain, solid, figure, marks, 0, 0);
}

static void hide(Shown *shown)
{
    snw_world_destroy(&shown->world);
    snw_character_destroy(&shown->character);
    snw_body_destroy(&shown->body);
    free(shown->pixels);
}

// VIEW-1, VIEW-2: each part and each mark appears in an image made without a display, and only when
// it was asked for
static void parts_and_marks_appear_view1_view2(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    Shown solid, stick, empty, marked;
    show(&empty, scene, NULL, true, false, false);
    show(&solid, scene, NULL, true, true, false);
    show(&stick, scene, NULL, false, true, false);
    show(&marked, scene, NULL, true, true, true);
    for (int m = SNW_MATERIAL_MIDDLE; m < SNW_MATERIAL_BRANCH; ++m) {
        TEST_INT(empty.counts[m], 0);
        bool mark = m >= SNW_MATERIAL_GOAL_LEADING;
        TEST_TRUE(mark ? solid.counts[m] == 0 : solid.counts[m] > 100);
        TEST_TRUE(marked.counts[m] > 0);
    }
    int sticks = stick.counts[SNW_MATERIAL_MIDDLE] + stick.counts[SNW_MATERIAL_LEFT]
        + stick.counts[SNW_MATERIAL_RIGHT];
    int body = solid.counts[SNW_MATERIAL_MIDDLE] + solid.counts[SNW_MATERIAL_LEFT]
        + solid.counts[SNW_MATERIAL_RIGHT];
    TEST_TRUE(sticks > 50 && 2 * sticks < body);
    hide(&empty);
    hide(&solid);
    hide(&stick);
    hide(&marked);
    scene_destroy(scene);
}

static int red(uint32_t pixel)
{
    return (int)(pixel >> 16) & 255;
}

static int green(uint32_t pixel)
{
    return (int)(pixel >> 8) & 255;
}

static int blue(uint32_t pixel)
{
    return (int)pixel & 255;
}

// A figure darkens ground that it does not cover, near by and nowhere else.
static void figures_throw_shadows(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    Shown empty, solid;
    show(&empty, scene, NULL, true, false, false);
    show(&solid, scene, NULL, true, true, false);
    int darker = 0, lighter = 0, far_away = 0;
    for (int s = 0; s < WIDE * HIGH; ++s) {
        if (solid.world.raster.materials[s] != SNW_MATERIAL_GROUND) { continue; }
        int change = green(solid.pixels[s]) - green(empty.pixels[s]);
        if (change < -12) { ++darker; }
        if (change > 1) { ++lighter; }
        // the lower corner at the camera's feet
        if (change != 0 && s / WIDE > HIGH - 4 && s % WIDE < 4) { ++far_away; }
    }
    TEST_TRUE(darker > 300);
    TEST_INT(lighter, 0);
    TEST_INT(far_away, 0);
    hide(&empty);
    hide(&solid);
    scene_destroy(scene);
}

// The sky over even ground is looked at tile by tile: where the tiles lie is not seen. On a page moved by
// less than a tile every pixel keeps its colour, but for what is between the corners of a tile.
static void tiles_are_not_seen(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    sinew_Terrain *grounds[2] = { NULL, open_terrain(SINEW_TERRAIN_HILLS) };
    for (int g = 0; g < 2; ++g) {
        Shown still;
        show(&still, scene, grounds[g], true, true, false);
        for (int n = 1; n < 4; ++n) {
            Shown moved;
            show_moved(&moved, scene, grounds[g], true, true, false, n, 4 - n);
            int unlike = 0, compared = 0;
            for (int y = 0; y + 4 < HIGH; ++y) {
                for (int x = 0; x + 4 < WIDE; ++x) {
                    const uint32_t a = still.pixels[y * WIDE + x];
                    const uint32_t b = moved.pixels[(y + 4 - n) * WIDE + x + n];
                    // what rounding may make of 255
                    unlike += abs(green(a) - green(b)) > 1;
                    ++compared;
                }
            }
            // corners that are rounded to whole substeps differ in a few samples of outlines
            if (unlike > compared / 2000) { fail_msg("%d of %d differ", unlike, compared); }
            hide(&moved);
        }
        hide(&still);
        sinew_terrain_destroy(grounds[g]);
    }
    scene_destroy(scene);
}

// Every material has its own colour in the light, in both ways of lighting.
static void colors_are_those_of_the_materials(void **state)
{
    (void)state;
    snw_Raster raster;
    TEST_TRUE(snw_raster_create(1, 1, true, &raster));
    snw_Camera camera = snw_camera_look(sinew_vec3(0.0, 0.0, 0.0), sinew_vec3(0.0, 1.0, 1.0), 4.0);
    camera.focal = 100.0;
    snw_Look look = snw_look_default();
    look.samples = 1;
    look.line_x = look.line_z = 0.0;
    for (int m = 0; m < SNW_MATERIAL_COUNT; ++m) {
        raster.nearness[0] = 0.25f;
        raster.normals[0] = 511u | (1022u << 10) | (511u << 20);
        raster.materials[0] = (uint8_t)m;
        uint32_t lit, plain;
        TEST_TRUE(snw_shade(&raster, &camera, &look, (unsigned char *)&lit, 4));
        snw_shade_plain(&raster, &look, (unsigned char *)&plain, 4);
        const snw_Color color = look.colors[m];
        const uint32_t both[2] = { lit, plain };
        for (int i = 0; i < 2; ++i) {
            // the order of the channels is the colour's, and nothing runs over
            if (color.r > color.g + 0.1) { TEST_TRUE(red(both[i]) > green(both[i])); }
            if (color.g > color.r + 0.1) { TEST_TRUE(green(both[i]) > red(both[i])); }
            if (color.b > color.g + 0.1) { TEST_TRUE(blue(both[i]) > green(both[i])); }
            if (color.r > 0.6) { TEST_TRUE(red(both[i]) > 150); }
            TEST_TRUE(both[i] <= 0xffffffu);
        }
    }
    snw_raster_destroy(&raster);
}

// The ground that is drawn is the ground that is answered, wherever the camera stands and whatever
// level was found below a body.
static void drawn_ground_is_the_terrain(void **state)
{
    (void)state;
    enum { SIZE = 60 };
    const double heights[12] = { 0.0, 0.4, 0.1, 0.3, 0.5, 0.2, 0.0, 0.6, 0.1, 0.3, 0.2, 0.4 };
    sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_GRID);
    def.heights = heights;
    def.columns = 4;
    def.rows = 3;
    def.cell = 1.5;
    sinew_Terrain *grid = NULL;
    TEST_OK(sinew_terrain_create(&def, &grid, NULL), NULL);
    sinew_Terrain *terrains[5] = { grid, open_terrain(SINEW_TERRAIN_HILLS),
        open_terrain(SINEW_TERRAIN_ROUGH), open_terrain(SINEW_TERRAIN_STAIRS),
        open_terrain(SINEW_TERRAIN_SLOPE) };
    snw_Raster raster;
    TEST_TRUE(snw_raster_create(SIZE, SIZE, true, &raster));
    for (int t = 0; t < 5; ++t) {
        snw_Land land;
        TEST_TRUE(snw_land_create(terrains[t], t - 2.0, &land));
        for (int n = 0; n < 6; ++n) {
            test_Random random = test_case(842, n);
            sinew_Vec3 place = { test_range(&random, -60.0, 60.0), 0.0,
                test_range(&random, -60.0, 60.0) };
            place.y = sinew_terrain_sample(terrains[t], place.x, place.z).height;
            // nearly from above
            snw_Camera camera = snw_camera_look(place, sinew_vec3(0.03, 1.0, 0.02), 6.0);
            camera.focal = 3.0 * SIZE;
            camera.center_x = camera.center_y = 0.5 * SIZE;
            snw_raster_clear(&raster, true);
            TEST_TRUE(snw_land_draw(&land, &raster, &camera, place, 8.0, false));
            for (int s = 0; s < SIZE * SIZE; ++s) {
                TEST_INT(raster.materials[s], SNW_MATERIAL_GROUND);
                double depth = 1.0 / (double)raster.nearness[s];
                double right = (s % SIZE + 0.5 - camera.center_x) / camera.focal;
                double up = (camera.center_y - (s / SIZE + 0.5)) / camera.focal;
                sinew_Vec3 point = sinew_vec3_add_scaled(camera.eye, camera.toward, -depth);
                point = sinew_vec3_add_scaled(point, camera.right, right * depth);
                point = sinew_vec3_add_scaled(point, camera.up, up * depth);
                double height = sinew_terrain_sample(terrains[t], point.x, point.z).height;
                // at the edge of a step a sample is rounded to either side
                double miss = fabs(point.y - height);
                if (t == 3 && miss > 0.01) {
                    sinew_Ground ground = sinew_terrain_ground(terrains[t]);
                    double above = sinew_ground_highest(
                        &ground, point.x, point.z - 0.01, point.x, point.z + 0.01, 0.0, 0.002)
                                       .height;
                    miss = fmax(point.y - above, 0.0);
                    TEST_TRUE(point.y > above - 0.18);
                }
                TEST_TRUE(miss < 0.01);
            }
        }
        snw_land_destroy(&land);
        sinew_terrain_destroy(terrains[t]);
    }
    snw_raster_destroy(&raster);
}

// Stairs as a thing on level ground: seen from above, its treads within its width, level beside it.
static void strips_of_stairs_stand_on_level_ground(void **state)
{
    (void)state;
    const struct {
        sinew_TerrainKind kind;
        double angle;
        bool can;
    } cases[] = { { SINEW_TERRAIN_STAIRS, 0.2, true }, { SINEW_TERRAIN_RAMP, 0.2, true },
        { SINEW_TERRAIN_RAMP, -0.2, false }, { SINEW_TERRAIN_HILLS, 0.2, false },
        { SINEW_TERRAIN_FLAT, 0.2, false }, { SINEW_TERRAIN_SLOPE, 0.2, false } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sinew_TerrainDef def = sinew_terrain_def_default(cases[i].kind);
        def.angle = cases[i].angle;
        sinew_Terrain *terrain = NULL;
        TEST_OK(sinew_terrain_create(&def, &terrain, NULL), NULL);
        bool can;
        TEST_TRUE(snw_land_can_strip(terrain, &can));
        TEST_INT(can, cases[i].can);
        sinew_terrain_destroy(terrain);
    }

    enum { SIZE = 60 };
    snw_Raster raster;
    TEST_TRUE(snw_raster_create(SIZE, SIZE, true, &raster));
    sinew_Terrain *stairs = open_terrain(SINEW_TERRAIN_STAIRS);
    snw_Land land;
    TEST_TRUE(snw_land_create_strip(stairs, 5.0, 1.0, &land));
    int on = 0, beside = 0;
    for (int n = 0; n < 20; ++n) {
        test_Random random = test_case(843, n);
        sinew_Vec3 place = { 5.0, 0.0, test_range(&random, -90.0, 90.0) };
        // parallel, straight from above
        snw_Camera camera = snw_camera_look(place, sinew_vec3(0.0, 1.0, 0.0), 1000.0);
        camera.focal = 1000.0 * SIZE / 4.0;
        camera.center_x = camera.center_y = 0.5 * SIZE;
        snw_raster_clear(&raster, true);
        TEST_TRUE(snw_land_draw(&land, &raster, &camera, place, 8.0, false));
        for (int s = 0; s < SIZE * SIZE; ++s) {
            double depth = 1.0 / (double)raster.nearness[s];
            double right = (s % SIZE + 0.5 - camera.center_x) / camera.focal * depth;
            double up = (camera.center_y - (s / SIZE + 0.5)) / camera.focal * depth;
            sinew_Vec3 point = sinew_vec3_add_scaled(camera.eye, camera.toward, -depth);
            point = sinew_vec3_add_scaled(point, camera.right, right);
            point = sinew_vec3_add_scaled(point, camera.up, up);
            if (fabs(point.x - 5.0) > 1.05) {
                TEST_NEAR(point.y, 0.0, 0.005);
                ++beside;
            } else if (fabs(point.x - 5.0) < 0.95) {
                // not at the edge of a step, which a sample may take for either side
                double before = sinew_terrain_sample(stairs, point.x, point.z - 0.02).height;
                double after = sinew_terrain_sample(stairs, point.x, point.z + 0.02).height;
                if (before == after) { TEST_NEAR(point.y, before, 0.005); }
                ++on;
            }
        }
    }
    TEST_TRUE(on > 10000 && beside > 10000);
    snw_land_destroy(&land);
    sinew_terrain_destroy(stairs);
    snw_raster_destroy(&raster);
}

// ---------------------------------------------------------------------------------------------
// Footfalls

static void feet_of_a_recorded_walk_are_planted_in_turn(void **state)
{
    (void)state;
    const char *path = data_path("bvh/cmu_12_01_walk_mb.bvh");
    if (!path) { skip(); }
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file;
    TEST_OK(sinew_motion_read(path, &options, &file, NULL), NULL);
    snw_Footfalls falls;
    TEST_TRUE(
        snw_footfalls_find(sinew_motion_clip(file), sinew_quat_identity(), NULL, 0.0, &falls));
    int landings[2] = { 0, 0 }, nothing = 0;
    for (int f = 2; f < falls.frame_count; ++f) {
        bool any = false;
        for (int s = 0; s < 2; ++s) {
            const snw_FootPoint *now = &falls.points[4 * f + 2 * s];
            const snw_FootPoint *before = &falls.points[4 * (f - 1) + 2 * s];
            landings[s] += now->planted && !before->planted;
            any = any || now->planted || now[1].planted;
            // a point that stands still stays where it is
            if (now->planted && before->planted) {
                TEST_TRUE(sinew_vec3_distance(now->place, before->place) < 0.02);
            }
        }
        nothing += !any;
    }
    TEST_TRUE(landings[0] >= 2 && landings[0] <= 5 && landings[1] >= 2 && landings[1] <= 5);
    // one foot or the other stands, apart from the first frames, which are a rest pose
    TEST_TRUE(nothing < falls.frame_count / 8);
    snw_footfalls_destroy(&falls);
    // a terrain tells its heights itself, whatever level was found below the body
    sinew_Terrain *stairs = open_terrain(SINEW_TERRAIN_STAIRS);
    TEST_TRUE(
        snw_footfalls_find(sinew_motion_clip(file), sinew_quat_identity(), stairs, 2.0, &falls));
    for (int i = 0; i < 4 * falls.frame_count; ++i) {
        const sinew_Vec3 at = falls.points[i].place;
        TEST_NEAR(at.y, sinew_terrain_sample(stairs, at.x, at.z).height, 1e-12);
    }
    snw_footfalls_destroy(&falls);
    sinew_terrain_destroy(stairs);
    sinew_motion_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// Files

static char *read_bytes(const char *path, size_t *out_size)
{
    char *data = malloc(MOST_BYTES);
    assert_non_null(data);
    long size = read_text(path, data, MOST_BYTES);
    TEST_TRUE(size > 0 && size < MOST_BYTES - 1);
    *out_size = (size_t)size;
    return data;
}

// VIEW-2
static void walks_are_drawn_the_same_twice_view2(void **state)
{
    (void)state;
    const char *scenes[] = { "MAN18", "QUADRUPED", "SPIDER" };
    const picture_Layout layouts[] = { PICTURE_LAYOUT_PATH, PICTURE_LAYOUT_CELLS,
        PICTURE_LAYOUT_AUTO };
    for (int i = 0; i < 3; ++i) {
        scene_Scene *scene = open_scene(scenes[i]);
        sinew_Clip *clip = motion_of(scene, 40);
        sinew_Terrain *terrain = open_terrain(SINEW_TERRAIN_SLOPE);
        picture_Walk walk = picture_walk_default();
        walk.clip = clip;
        walk.terrain = i == 1 ? terrain : NULL;
        walk.stick = i == 2;
        walk.goals = walk.plants = true;
        walk.layout = layouts[i];
        walk.figure_count = 3;
        walk.width = 300;
        walk.height = 160;
        walk.title = "walk";
        walk.subtitle = "twice";
        size_t sizes[2];
        char *bytes[2];
        for (int k = 0; k < 2; ++k) {
            const char *path = test_temp_path(k == 0 ? "first.png" : "second.png");
            sinew_Message message;
            TEST_OK(picture_walk_write(&walk, path, &message), &message);
            bytes[k] = read_bytes(path, &sizes[k]);
        }
        TEST_TRUE(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
        TEST_TRUE(memcmp(bytes[0], "\x89PNG\r\n\x1a\n", 8) == 0);
        free(bytes[0]);
        free(bytes[1]);
        sinew_terrain_destroy(terrain);
        sinew_clip_destroy(clip);
        scene_destroy(scene);
    }
}

static void count_frames(int done, int count, void *user)
{
    (void)count;
    *(int *)user = done;
}

static void walks_are_filmed(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    sinew_Clip *clip = motion_of(scene, 7);
    picture_Walk walk = picture_walk_default();
    walk.clip = clip;
    walk.width = 97;
    walk.height = 64;
    int done = 0;
    walk.progress = count_frames;
    walk.progress_user = &done;
    const char *endings[2] = { "walk.mp4", "walk.gif" };
    for (int i = 0; i < 2; ++i) {
        sinew_Message message;
        const char *path = test_temp_path(endings[i]);
        sinew_Status status = picture_walk_write(&walk, path, &message);
        if (!picture_film_available()) {
            assert_int_equal(status, SINEW_STATUS_UNSUPPORTED);
            continue;
        }
        TEST_OK(status, &message);
        TEST_INT(done, i == 0 ? 7 : 6);
        size_t size;
        char *data = read_bytes(path, &size);
        TEST_TRUE(size > 500);
        free(data);
    }
    sinew_clip_destroy(clip);
    scene_destroy(scene);
}

static void broken_walks_are_refused(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    sinew_Clip *clip = motion_of(scene, 3), *empty;
    TEST_OK(sinew_clip_create(scene->skeleton, 0, 0.1, NULL, &empty), NULL);
    sinew_Message message;
    const char *png = test_temp_path("never.png");
    picture_Walk walk = picture_walk_default();
    assert_int_equal(picture_walk_write(&walk, png, &message), SINEW_STATUS_INVALID_ARGUMENT);
    walk.clip = empty;
    assert_int_equal(picture_walk_write(&walk, png, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "no frames"));
    walk.clip = clip;
    assert_int_equal(picture_walk_write(&walk, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(
        picture_walk_write(&walk, test_temp_path("never.jpg"), &message), SINEW_STATUS_UNSUPPORTED);
    walk.figure_count = 25;
    assert_int_equal(picture_walk_write(&walk, png, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "figure_count is 25"));
    walk.figure_count = 0;
    walk.frames_per_second = NAN;
    assert_int_equal(picture_walk_write(&walk, png, &message), SINEW_STATUS_INVALID_ARGUMENT);
    walk.frames_per_second = 0.0;
    walk.width = 9;
    assert_int_equal(picture_walk_write(&walk, png, &message), SINEW_STATUS_INVALID_ARGUMENT);
    walk.width = 200;
    walk.height = 100;
    assert_int_equal(
        picture_walk_write(&walk, "/no/such/folder/x.png", &message), SINEW_STATUS_CANNOT_WRITE);
    assert_null(fopen(png, "rb"));
    sinew_clip_destroy(clip);
    sinew_clip_destroy(empty);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Screens

static void screens_draw_what_is_counted(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    sinew_Terrain *hills = open_terrain(SINEW_TERRAIN_HILLS);
    for (int k = 0; k < 4; ++k) {
        picture_ScreenDef def = picture_screen_def_default();
        def.skeleton = scene->skeleton;
        def.terrain = k & 1 ? hills : NULL;
        def.stick = (k & 2) != 0;
        def.width = 160;
        def.height = 120;
        picture_Screen *screen;
        TEST_OK(picture_screen_create(&def, &screen, NULL), NULL);
        int ground = k & 1 ? 64082 : 2;
        int count = picture_screen_triangle_count(screen);
        TEST_TRUE(def.stick ? count > ground && count < ground + 2000 : count == ground + 11101);
        double q[128];
        scene_pose_at(scene, 0.5, q);
        q[1] += k & 1 ? sinew_terrain_sample(hills, q[0], q[2]).height : 0.0;
        TEST_OK(picture_screen_draw(screen, q), NULL);
        // ground at the bottom, the figure in the middle in its colours
        const uint32_t *pixels = picture_screen_pixels(screen);
        int blues = 0, oranges = 0;
        for (int s = 0; s < 160 * 120; ++s) {
            blues += blue(pixels[s]) > red(pixels[s]) + 40;
            oranges += red(pixels[s]) > blue(pixels[s]) + 40;
        }
        TEST_TRUE(blues > 20 && oranges > 20);
        TEST_TRUE(pixels[119 * 160 + 80] != pixels[0]);
        picture_screen_destroy(screen);
    }
    picture_ScreenDef def = picture_screen_def_default();
    picture_Screen *screen;
    assert_int_equal(picture_screen_create(&def, &screen, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    assert_null(screen);
    sinew_terrain_destroy(hills);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// The command

static void command_draws_walks(void **state)
{
    (void)state;
    const char *path = test_temp_path("command.png");
    const test_Run *run = run_sinew(
        "render scene:MAN18 --terrain hills:3 --marks -n 2 -s 300x160 -o %s", path);
    TEST_INT(run->code, 0);
    size_t size;
    free(read_bytes(path, &size));
    TEST_TRUE(size > 1000);
    const struct {
        const char *arguments, *message;
        int code;
    } wrong[] = {
        { "--terrain hill", "terrain 'hill' is unknown", 2 },
        { "--terrain no/such.png", "cannot be opened", 1 },
        { "--stick", "--stick goes with --terrain", 2 },
        { "--marks", "--marks goes with --terrain or --body", 2 },
        { "--body --frame 3", "--body and --frame exclude each other", 2 },
        { "--body --stick", "--stick and --body exclude each other", 2 },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        run = run_sinew(
            "render scene:MAN18 %s -o %s", wrong[i].arguments, test_temp_path("never.png"));
        TEST_INT(run->code, wrong[i].code);
        if (!strstr(run->err, wrong[i].message)) { print_message("%s\n", run->err); }
        assert_non_null(strstr(run->err, wrong[i].message));
    }
}

TEST_MAIN(cmocka_unit_test(triangles_leave_no_gaps_and_share_nothing),
    cmocka_unit_test(the_nearest_surface_is_seen),
    cmocka_unit_test(what_lies_behind_the_camera_is_cut),
    cmocka_unit_test(solid_character_has_11101_triangles_view1),
    cmocka_unit_test(solid_person_fills_the_skeleton),
    cmocka_unit_test(parts_and_marks_appear_view1_view2), cmocka_unit_test(figures_throw_shadows),
    cmocka_unit_test(far_triangles_are_cut),
    cmocka_unit_test(limbs_of_machines_bend_with_every_hinge), cmocka_unit_test(stripes_show_twist),
    cmocka_unit_test(bones_grow_where_joints_slide),
    cmocka_unit_test(fingers_are_drawn_where_they_are), cmocka_unit_test(tiles_are_not_seen),
    cmocka_unit_test(colors_are_those_of_the_materials),
    cmocka_unit_test(drawn_ground_is_the_terrain),
    cmocka_unit_test(strips_of_stairs_stand_on_level_ground),
    cmocka_unit_test(feet_of_a_recorded_walk_are_planted_in_turn),
    cmocka_unit_test(walks_are_drawn_the_same_twice_view2), cmocka_unit_test(walks_are_filmed),
    cmocka_unit_test(broken_walks_are_refused), cmocka_unit_test(screens_draw_what_is_counted),
    cmocka_unit_test(command_draws_walks))
