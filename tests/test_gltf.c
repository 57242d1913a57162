// glTF files: what nodes, skins and animations become, and what is written back.

#include "gltf_make.h"

// ---------------------------------------------------------------------------------------------
// Random trees

static void put_numbers(snw_Buffer *out, const char *key, const double *n, int count)
{
    make_text(out, ",\"%s\":[", key);
    for (int i = 0; i < count; ++i) { make_text(out, "%s%.17g", i > 0 ? "," : "", n[i]); }
    make_text(out, "]");
}

// a node by its parts or by its matrix; even: the same scale in all directions, or mirrored
static void random_node(test_Random *random, make_Gltf *make, int index, int child, bool even)
{
    snw_Buffer text = snw_buffer_create(NULL);
    sinew_Vec3 t = test_vector(random, 1.0);
    sinew_Quat q = test_unit_quat(random);
    double s = test_range(random, 0.3, 3.0), sx = s, sy = s, sz = s;
    if (test_int(random, 4) == 0) { sx = sy = sz = -s; }
    if (!even) { sy = 2.0 * s; }
    make_text(&text, "{\"name\":\"n%d\"", index);
    if (child > 0) { make_text(&text, ",\"children\":[%d]", child); }
    // moving nodes have no matrix
    if (index % 3 == 1) {
        sinew_Mat3 m = sinew_mat3_from_quat(q);
        const double n[16] = { sx * m.x.x, sx * m.x.y, sx * m.x.z, 0, sy * m.y.x, sy * m.y.y,
            sy * m.y.z, 0, sz * m.z.x, sz * m.z.y, sz * m.z.z, 0, t.x, t.y, t.z, 1 };
        put_numbers(&text, "matrix", n, 16);
    } else {
        const double translation[3] = { t.x, t.y, t.z }, rotation[4] = { q.x, q.y, q.z, q.w };
        const double scale[3] = { sx, sy, sz };
        put_numbers(&text, "translation", translation, 3);
        put_numbers(&text, "rotation", rotation, 4);
        put_numbers(&text, "scale", scale, 3);
    }
    make_text(&text, "}");
    snw_buffer_add(&text, "", 1);
    make_node(make, text.data);
    snw_buffer_destroy(&text);
}

static void random_motion(test_Random *random, make_Gltf *make, int node)
{
    enum { KEYS = 5 };
    float times[KEYS], turns[4 * KEYS], shifts[3 * KEYS];
    for (int k = 0; k < KEYS; ++k) {
        sinew_Quat q = test_unit_quat(random);
        sinew_Vec3 v = test_vector(random, 1.0);
        times[k] = 0.1f * (float)k;
        const double n[4] = { q.x, q.y, q.z, q.w };
        for (int i = 0; i < 4; ++i) { turns[4 * k + i] = (float)n[i]; }
        shifts[3 * k] = (float)v.x;
        shifts[3 * k + 1] = (float)v.y;
        shifts[3 * k + 2] = (float)v.z;
    }
    int input = make_floats(make, times, KEYS, 1, "SCALAR");
    make_channel(
        make, node, "rotation", input, make_floats(make, turns, KEYS, 4, "VEC4"), "LINEAR");
    make_channel(
        make, node, "translation", input, make_floats(make, shifts, KEYS, 3, "VEC3"), "LINEAR");
}

// a chain of 9 nodes: 3 fixed ones above, a skin over 5, a bare end
static void random_chain(test_Random *random, make_Gltf *make, bool even)
{
    make_begin(make);
    for (int n = 0; n < 9; ++n) { random_node(random, make, n, n < 8 ? n + 1 : 0, even || n == 8); }
    random_motion(random, make, 3);
    random_motion(random, make, 5);
    random_motion(random, make, 6);
    make_text(&make->more, ",\"skins\":[{\"joints\":[3,5,6,7]}]");
}

static void compare_poses(const sinew_MotionFile *file, int frame, double tolerance)
{
    const sinew_Gltf *gltf = sinew_motion_gltf(file);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    sinew_Transform world[16];
    sinew_GltfPose *shown = NULL, *told = NULL;
    TEST_OK(sinew_gltf_pose_create(gltf, NULL, &shown), NULL);
    TEST_OK(sinew_gltf_pose_create(gltf, NULL, &told), NULL);
    const double *q = sinew_clip_frame_const(clip, frame);
    sinew_gltf_pose_animate(shown, 0, (double)(0.1f * (float)frame));
    sinew_gltf_pose_joints(told, file, skeleton, q);
    sinew_pose_forward(skeleton, q, world);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        sinew_Affine a = sinew_gltf_pose_world(shown, sinew_motion_node(file, j));
        sinew_Affine b = sinew_gltf_pose_world(told, sinew_motion_node(file, j));
        TEST_VEC3_NEAR(world[j].position, a.position, tolerance);
        TEST_VEC3_NEAR(b.position, a.position, tolerance);
        TEST_VEC3_NEAR(b.linear.x, a.linear.x, tolerance);
        TEST_VEC3_NEAR(b.linear.y, a.linear.y, tolerance);
        TEST_VEC3_NEAR(b.linear.z, a.linear.z, tolerance);
    }
    sinew_gltf_pose_destroy(shown);
    sinew_gltf_pose_destroy(told);
}

// rigid joints are where nodes with even scales, mirrors and matrices are, and tell them back
static void even_scales_pose_alike(void **state)
{
    (void)state;
    for (int i = 0; i < 50; ++i) {
        test_Random random = test_case(0x6c7f, i);
        make_Gltf make;
        snw_Buffer bytes = snw_buffer_create(NULL);
        sinew_MotionFile *file = NULL;
        sinew_Message message = { "" };
        random_chain(&random, &make, true);
        make_document(&make, "0", i % 2 == 1, &bytes);
        TEST_OK(make_read(&bytes, &file, &message), &message);
        TEST_INT(sinew_motion_format(file), SINEW_FORMAT_GLTF);
        // node 4 lies between joints, node 8 is a bare end
        TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(file)), 6);
        TEST_TRUE(sinew_motion_is_end_site(file, 5));
        TEST_INT(sinew_clip_frame_count(sinew_motion_clip(file)), 5);
        for (int f = 0; f < 5; ++f) { compare_poses(file, f, 1e-7); }
        TEST_INT(sinew_motion_warning_count(file), 0);
        sinew_motion_destroy(file);
        snw_buffer_destroy(&bytes);
        make_end(&make);
    }
}

// uneven scales: the rest pose is exact, and how far a motion comes apart is told
static void uneven_scales_are_told(void **state)
{
    (void)state;
    for (int i = 0; i < 10; ++i) {
        test_Random random = test_case(0x51a, i);
        make_Gltf make;
        snw_Buffer bytes = snw_buffer_create(NULL);
        sinew_MotionFile *file = NULL;
        sinew_Message message = { "" };
        sinew_GltfPose *pose = NULL;
        random_chain(&random, &make, false);
        make_document(&make, "0", false, &bytes);
        TEST_OK(make_read(&bytes, &file, &message), &message);
        TEST_INT(sinew_motion_warning_count(file), 1);
        TEST_TRUE(strstr(sinew_motion_warning(file, 0), "differ by direction") != NULL);
        const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
        sinew_Transform world[16];
        double q[64];
        TEST_OK(sinew_gltf_pose_create(sinew_motion_gltf(file), NULL, &pose), NULL);
        sinew_pose_rest(skeleton, q);
        sinew_pose_forward(skeleton, q, world);
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            sinew_Affine rest = sinew_gltf_pose_world(pose, sinew_motion_node(file, j));
            TEST_VEC3_NEAR(world[j].position, rest.position, 1e-9 * 1000.0);
        }
        sinew_gltf_pose_destroy(pose);
        sinew_motion_destroy(file);
        snw_buffer_destroy(&bytes);
        make_end(&make);
    }
}

// ---------------------------------------------------------------------------------------------
// Numbers

static sinew_MotionFile *read_made(const make_Gltf *make, const char *roots)
{
    snw_Buffer bytes = snw_buffer_create(NULL);
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    make_document(make, roots, false, &bytes);
    TEST_OK(make_read(&bytes, &file, &message), &message);
    snw_buffer_destroy(&bytes);
    return file;
}

static sinew_Vec3 place_at(const sinew_MotionFile *file, int node, double time)
{
    sinew_GltfPose *pose = NULL;
    TEST_OK(sinew_gltf_pose_create(sinew_motion_gltf(file), NULL, &pose), NULL);
    sinew_gltf_pose_animate(pose, 0, time);
    sinew_Vec3 place = sinew_gltf_pose_world(pose, node).position;
    sinew_gltf_pose_destroy(pose);
    return place;
}

static void keys_are_interpolated_as_told(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    static const float times[2] = { 1.0f, 3.0f };
    static const float values[6] = { 1, 0, 0, 5, 2, 0 };
    // tangent in, value, tangent out for each key
    static const float curve[18] = { 9, 9, 9, 1, 0, 0, 2, 0, 0, 0, 3, 0, 5, 2, 0, 9, 9, 9 };
    make_node(&make, "{}");
    make_node(&make, "{}");
    make_node(&make, "{}");
    int t = make_floats(&make, times, 2, 1, "SCALAR"), v = make_floats(&make, values, 2, 3, "VEC3");
    int c = make_floats(&make, curve, 6, 3, "VEC3");
    make_channel(&make, 0, "translation", t, v, "LINEAR");
    make_channel(&make, 1, "translation", t, v, "STEP");
    make_channel(&make, 2, "translation", t, c, "CUBICSPLINE");
    sinew_MotionFile *file = read_made(&make, "0,1,2");
    TEST_VEC3_NEAR(place_at(file, 0, 0.0), sinew_vec3(1.0, 0.0, 0.0), 0.0);
    TEST_VEC3_NEAR(place_at(file, 0, 1.5), sinew_vec3(2.0, 0.5, 0.0), 1e-15);
    TEST_VEC3_NEAR(place_at(file, 0, 9.0), sinew_vec3(5.0, 2.0, 0.0), 0.0);
    TEST_VEC3_NEAR(place_at(file, 1, 2.99), sinew_vec3(1.0, 0.0, 0.0), 0.0);
    TEST_VEC3_NEAR(place_at(file, 1, 3.0), sinew_vec3(5.0, 2.0, 0.0), 0.0);
    // halfway, 2 s long: (p0 + p1) / 2 + 2 s (m0 - m1) / 8
    TEST_VEC3_NEAR(place_at(file, 2, 2.0), sinew_vec3(3.0 + 0.5, 1.0 - 0.75, 0.0), 1e-14);
    // curves are followed at 60 frames per second
    TEST_NEAR(sinew_clip_frame_time(sinew_motion_clip(file)), 1.0 / 60.0, 1e-15);
    TEST_INT(sinew_clip_frame_count(sinew_motion_clip(file)), 181);
    sinew_motion_destroy(file);
    make_end(&make);
}

static void packed_numbers_are_unpacked(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    static const float times[2] = { 0.0f, 1.0f };
    static const int16_t turn[8] = { 0, 0, 0, 32767, 0, 32767, 0, -32768 };
    static const float values[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    static const uint8_t places[4] = { 1, 0, 0, 0 };
    static const float other[3] = { 40, 50, 60 };
    make_node(&make, "{}");
    make_node(&make, "{}");
    int t = make_floats(&make, times, 2, 1, "SCALAR");
    int r = make_accessor(&make, turn, sizeof turn, 5122, 2, "VEC4", ",\"normalized\":true");
    make_accessor(&make, places, sizeof places, 5121, 1, "SCALAR", "");
    make_accessor(&make, other, sizeof other, 5126, 1, "VEC3", "");
    int v = make_accessor(&make, values, sizeof values, 5126, 2, "VEC3",
        ",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":2,\"componentType\":5121},"
        "\"values\":{\"bufferView\":3}}");
    make_channel(&make, 0, "rotation", t, r, "LINEAR");
    make_channel(&make, 1, "translation", t, v, "LINEAR");
    sinew_MotionFile *file = read_made(&make, "0,1");
    TEST_VEC3_NEAR(place_at(file, 1, 0.0), sinew_vec3(1.0, 2.0, 3.0), 0.0);
    TEST_VEC3_NEAR(place_at(file, 1, 1.0), sinew_vec3(40.0, 50.0, 60.0), 0.0);
    sinew_GltfPose *pose = NULL;
    TEST_OK(sinew_gltf_pose_create(sinew_motion_gltf(file), NULL, &pose), NULL);
    sinew_gltf_pose_animate(pose, 0, 1.0);
    // (0 1 0 -1), made unit: a quarter turn back about y
    TEST_VEC3_NEAR(sinew_gltf_pose_world(pose, 0).linear.x, sinew_vec3(0.0, 0.0, 1.0), 1e-12);
    sinew_gltf_pose_destroy(pose);
    sinew_motion_destroy(file);
    make_end(&make);
}

static void skins_and_targets_move_vertices(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    sinew_MotionFile *file = read_made(&make, "0,3");
    const sinew_Gltf *gltf = sinew_motion_gltf(file);
    sinew_GltfPose *pose = NULL;
    sinew_Vec3 places[4];
    TEST_INT(sinew_gltf_part_count(gltf), 1);
    const sinew_GltfPart *part = sinew_gltf_part(gltf, 0);
    TEST_INT(part->vertex_count, 4);
    TEST_INT(part->triangle_count, 2);
    TEST_NEAR(part->color[1], 0.25, 0.0);
    TEST_OK(sinew_gltf_pose_create(gltf, NULL, &pose), NULL);
    sinew_gltf_pose_animate(pose, 0, 0.5);
    sinew_gltf_part_vertices(pose, 0, places);
    // vertex 0 by the hip alone, half bulged; vertex 1 by hip and knee, which has turned about x by
    // 2 asin 0.6: cosine 0.28, sine 0.96
    TEST_VEC3_NEAR(places[0], sinew_vec3(0.0, 1.5, 0.5), 1e-6);
    sinew_Vec3 hip = sinew_vec3(1.0, 1.5, 0.5);
    sinew_Vec3 knee = sinew_vec3(1.0, 1.0 - 0.96 * 0.5, 0.01 + 0.28 * 0.5);
    TEST_VEC3_NEAR(places[1], sinew_vec3_lerp(hip, knee, 0.8), 1e-6);
    sinew_gltf_pose_destroy(pose);
    sinew_motion_destroy(file);
    make_end(&make);
}

// ---------------------------------------------------------------------------------------------
// Files beside, memory

typedef struct Beside {
    const snw_Buffer *bytes;
    char name[40];
    int reads, releases;
} Beside;

static sinew_Status read_beside(void *user, const char *name, const char **out_data,
    size_t *out_size, sinew_Message *out_message)
{
    Beside *beside = user;
    (void)out_message;
    ++beside->reads;
    if (strcmp(name, "data/leg 1.bin") != 0) { return SINEW_STATUS_CANNOT_READ; }
    *out_data = beside->bytes->data;
    *out_size = beside->bytes->size;
    return SINEW_STATUS_OK;
}

static void release_beside(void *user, const char *data, size_t size)
{
    Beside *beside = user;
    (void)data;
    (void)size;
    ++beside->releases;
}

// the leg with its bytes in another file
static void make_parted(const make_Gltf *make, const char *uri, snw_Buffer *out)
{
    snw_Buffer whole = snw_buffer_create(NULL);
    make_document(make, "0,3", false, &whole);
    snw_buffer_add(&whole, "", 1);
    const char *start = strstr(whole.data, "data:"), *end = strchr(start, '"');
    snw_buffer_add(out, whole.data, (size_t)(start - whole.data));
    snw_buffer_add_text(out, uri);
    snw_buffer_add_text(out, end);
    snw_buffer_destroy(&whole);
}

static void other_files_come_from_a_source(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer text = snw_buffer_create(NULL);
    make_parted(&make, "data/leg%201.bin", &text);
    Beside beside = { &make.bytes, "", 0, 0 };
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_Message message = { "" };
    sinew_MotionFile *file = NULL;
    TEST_INT(sinew_motion_read_memory(text.data, text.size, "x.gltf", &options, &file, &message),
        SINEW_STATUS_CANNOT_READ);
    TEST_TRUE(strstr(message.text, "no way to read other files") != NULL);
    options.source.read = read_beside;
    options.source.release = release_beside;
    options.source.user = &beside;
    TEST_OK(sinew_motion_read_memory(text.data, text.size, "x.gltf", &options, &file, &message),
        &message);
    TEST_INT(beside.reads, 1);
    TEST_INT(beside.releases, 1);
    TEST_INT(sinew_gltf_part_count(sinew_motion_gltf(file)), 1);
    sinew_motion_destroy(file);
    snw_buffer_destroy(&text);
    make_end(&make);
}

static void memory_is_given_back(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer bytes = snw_buffer_create(NULL);
    make_document(&make, "0,3", true, &bytes);
    for (long n = 0; n < 400; ++n) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = n;
        sinew_ReadOptions options = sinew_read_options_default();
        options.allocator = memory.allocator;
        sinew_MotionFile *file = NULL;
        sinew_Status status = sinew_motion_read_memory(
            bytes.data, bytes.size, "x.glb", &options, &file, NULL);
        TEST_TRUE(status == SINEW_STATUS_OK || status == SINEW_STATUS_OUT_OF_MEMORY);
        TEST_TRUE((status == SINEW_STATUS_OK) == (file != NULL));
        sinew_motion_destroy(file);
        TEST_TRUE(memory.live_bytes == 0 && !memory.wrong_size);
        if (n > memory.alloc_count) { break; }
    }
    snw_buffer_destroy(&bytes);
    make_end(&make);
}

// ---------------------------------------------------------------------------------------------
// Writing

static sinew_Clip *slowed(const sinew_MotionFile *file)
{
    sinew_Clip *clip = NULL;
    TEST_OK(sinew_clip_resample(sinew_motion_clip(file), 0.04, NULL, &clip), NULL);
    return clip;
}

static void read_back(const char *path, snw_Buffer *out)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char block[4096];
    size_t count;
    while ((count = fread(block, 1, sizeof block, file)) > 0) { snw_buffer_add(out, block, count); }
    fclose(file);
}

// how many pieces were put into a text so that it became another one, -1: something was lost
static int count_insertions(const snw_Buffer *before, const snw_Buffer *after)
{
    enum { CERTAIN = 24 };
    size_t i = 0, j = 0;
    int pieces = 0;
    while (i < before->size) {
        if (j < after->size && before->data[i] == after->data[j]) {
            ++i;
            ++j;
            continue;
        }
        size_t sure = before->size - i < CERTAIN ? before->size - i : CERTAIN;
        while (j + sure <= after->size && memcmp(before->data + i, after->data + j, sure) != 0) {
            ++j;
        }
        if (j + sure > after->size) { return -1; }
        ++pieces;
    }
    return j < after->size ? pieces + 1 : pieces;
}

// ENG-3
static void test_content_stays_eng3(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer before = snw_buffer_create(NULL), after = snw_buffer_create(NULL);
    make_document(&make, "0,3", false, &before);
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    TEST_OK(make_read(&before, &file, &message), &message);
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    // its own motion: nothing is new
    const char *path = test_temp_path("same.gltf");
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &options, &message), &message);
    read_back(path, &after);
    TEST_TRUE(after.size == before.size && memcmp(after.data, before.data, after.size) == 0);
    // another motion: items of four lists
    sinew_Clip *clip = slowed(file);
    path = test_temp_path("more.gltf");
    TEST_OK(sinew_motion_write(path, clip, &options, &message), &message);
    after.size = 0;
    read_back(path, &after);
    TEST_INT(count_insertions(&before, &after), 4);
    sinew_clip_destroy(clip);
    sinew_motion_destroy(file);
    snw_buffer_destroy(&before);
    snw_buffer_destroy(&after);
    make_end(&make);
}

static double worst_joint(const sinew_Clip *a, const sinew_Clip *b)
{
    double worst = 0.0;
    const sinew_Skeleton *x = sinew_clip_skeleton(a), *y = sinew_clip_skeleton(b);
    TEST_INT(sinew_clip_frame_count(a), sinew_clip_frame_count(b));
    TEST_INT(sinew_skeleton_joint_count(x), sinew_skeleton_joint_count(y));
    for (int f = 0; f < sinew_clip_frame_count(a); ++f) {
        sinew_Transform p[64], q[64];
        sinew_pose_forward(x, sinew_clip_frame_const(a, f), p);
        sinew_pose_forward(y, sinew_clip_frame_const(b, f), q);
        for (int j = 0; j < sinew_skeleton_joint_count(x); ++j) {
            worst = fmax(worst, sinew_vec3_distance(p[j].position, q[j].position));
        }
    }
    return worst;
}

// ENG-3: through all containers: the motion is read back, and the old one is still there
static void test_written_motions_eng3(void **state)
{
    (void)state;
    static const char *const names[] = { "a.glb", "b.gltf", "c.glb" };
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    sinew_MotionFile *file = read_made(&make, "0,3");
    sinew_Clip *clip = slowed(file);
    for (int i = 0; i < 3; ++i) {
        sinew_Message message = { "" };
        sinew_WriteOptions options = sinew_write_options_default();
        const char *path = test_temp_path(names[i]);
        sinew_MotionFile *again = NULL;
        options.like = file;
        TEST_OK(sinew_motion_write(path, clip, &options, &message), &message);
        TEST_OK(sinew_motion_read(path, NULL, &again, &message), &message);
        const sinew_Gltf *gltf = sinew_motion_gltf(again);
        TEST_INT(sinew_gltf_animation_count(gltf), 2 + i);
        assert_string_equal(sinew_gltf_animation_name(gltf, 0), "Move");
        TEST_INT(sinew_motion_animation(again), 1 + i);
        TEST_TRUE(worst_joint(clip, sinew_motion_clip(again)) < 1e-6);
        sinew_motion_destroy(file);
        file = again;
        // half as fast: another motion for the next round
        sinew_clip_destroy(clip);
        TEST_OK(sinew_clip_resample(sinew_motion_clip(file), 0.01 * (i + 1), NULL, &clip), NULL);
    }
    sinew_clip_destroy(clip);
    sinew_motion_destroy(file);
    make_end(&make);
}

// joints by another name, and a matrix that has to become a place, a rotation and a scale
static void nodes_are_renamed_and_parted(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_node(&make, "{\"children\":[1]}");
    make_node(&make, "{\"name\":\"b\",\"matrix\":[0,2,0,0,-2,0,0,0,0,0,2,0,1,2,3,1],\"extras\":7}");
    sinew_MotionFile *file = read_made(&make, "0");
    sinew_JointDef defs[2];
    for (int j = 0; j < 2; ++j) {
        const sinew_Joint *joint = &sinew_skeleton_joints(sinew_motion_skeleton(file))[j];
        defs[j] = sinew_joint_def_default();
        defs[j].name = j == 0 ? "top \"x\"" : "b2";
        defs[j].parent = joint->parent;
        defs[j].offset = joint->offset;
        defs[j].rest_rotation = joint->rest_rotation;
        defs[j].axes = sinew_skeleton_axes(sinew_motion_skeleton(file)) + joint->axis_start;
        defs[j].axis_count = joint->axis_count;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Clip *clip = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(defs, 2, NULL, &skeleton, &message), &message);
    TEST_OK(sinew_clip_create(skeleton, 3, 0.1, NULL, &clip), NULL);
    for (int f = 0; f < 3; ++f) {
        double *q = sinew_clip_frame(clip, f);
        q[0] = 0.1 * f;
        sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.3 * f);
        memcpy(q + 7, &turn, sizeof turn);
    }
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    const char *path = test_temp_path("renamed.glb");
    TEST_OK(sinew_motion_write(path, clip, &options, &message), &message);
    sinew_MotionFile *again = NULL;
    TEST_OK(sinew_motion_read(path, NULL, &again, &message), &message);
    assert_string_equal(sinew_gltf_node_name(sinew_motion_gltf(again), 0), "top \"x\"");
    assert_string_equal(sinew_gltf_node_name(sinew_motion_gltf(again), 1), "b2");
    TEST_TRUE(worst_joint(clip, sinew_motion_clip(again)) < 1e-6);
    sinew_motion_destroy(again);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
    sinew_motion_destroy(file);
    make_end(&make);
}

static const char walker_bvh[] =
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation "
    "Yrotation\nJOINT Leg\n{\nOFFSET 10 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd "
    "Site\n{\n"
    "OFFSET 0 -80 5\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.04\n0 90 0 10 20 30 40 50 60\n"
    "1 91 2 15 20 30 45 50 60\n2 92 4 20 20 30 50 -50 60\n";

// BVH to glTF and back; FK-3
static void test_bvh_goes_there_and_back_fk3(void **state)
{
    (void)state;
    sinew_Message message = { "" };
    sinew_ReadOptions centimetres = sinew_read_options_default();
    centimetres.unit = 0.01;
    sinew_MotionFile *bvh = NULL, *glb = NULL, *back = NULL;
    TEST_OK(sinew_motion_read_memory(
                walker_bvh, sizeof walker_bvh - 1, "w.bvh", &centimetres, &bvh, &message),
        &message);
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = bvh;
    const char *path = test_temp_path("w.glb");
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(bvh), &options, &message), &message);
    TEST_OK(sinew_motion_read(path, NULL, &glb, &message), &message);
    TEST_TRUE(sinew_motion_is_end_site(glb, 2));
    TEST_NEAR(sinew_clip_frame_time(sinew_motion_clip(glb)), 0.04, 1e-12);
    TEST_TRUE(worst_joint(sinew_motion_clip(bvh), sinew_motion_clip(glb)) < 1e-6);
    options.like = glb;
    path = test_temp_path("w2.bvh");
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(glb), &options, &message), &message);
    TEST_OK(sinew_motion_read(path, &centimetres, &back, &message), &message);
    TEST_TRUE(sinew_motion_is_end_site(back, 2));
    TEST_TRUE(worst_joint(sinew_motion_clip(bvh), sinew_motion_clip(back)) < 1e-6);
    sinew_motion_destroy(bvh);
    sinew_motion_destroy(glb);
    sinew_motion_destroy(back);
}

// keys are floats; what a frame lasts comes back to the bit, unless keys were moved since
static void a_frame_lasts_as_long_as_it_did(void **state)
{
    (void)state;
    static const double times[] = { 0.0416667, 0.0333333, 0.008333, 1.0 / 60.0, 0.04, 0.0333 };
    sinew_Message message = { "" };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
        sinew_MotionFile *bvh = NULL, *glb = NULL;
        TEST_OK(sinew_motion_read_memory(
                    walker_bvh, sizeof walker_bvh - 1, "w.bvh", NULL, &bvh, &message),
            &message);
        sinew_Clip *clip = NULL;
        TEST_OK(sinew_clip_create(sinew_motion_skeleton(bvh), 1000, times[i], NULL, &clip), NULL);
        for (int f = 0; f < 1000; ++f) {
            memcpy(sinew_clip_frame(clip, f), sinew_clip_frame_const(sinew_motion_clip(bvh), f % 3),
                sizeof(double)
                    * (size_t)sinew_skeleton_coordinate_count(sinew_motion_skeleton(bvh)));
        }
        char *data = NULL;
        size_t size = 0;
        TEST_OK(sinew_motion_write_memory("w.gltf", clip, NULL, NULL, &data, &size, &message),
            &message);
        TEST_OK(sinew_motion_read_memory(data, size, "w.gltf", NULL, &glb, &message), &message);
        TEST_INT(sinew_clip_frame_count(sinew_motion_clip(glb)), 1000);
        TEST_TRUE(sinew_clip_frame_time(sinew_motion_clip(glb)) == times[i]);
        sinew_motion_destroy(glb);
        // keys of another rate than the note says
        char *note = strstr(data, "\"frame_time\":0.0");
        TEST_TRUE(note != NULL);
        if (note != NULL) { memcpy(note, "\"frame_time\":0.7", strlen("\"frame_time\":0.7")); }
        TEST_OK(sinew_motion_read_memory(data, size, "w.gltf", NULL, &glb, &message), &message);
        TEST_INT(sinew_clip_frame_count(sinew_motion_clip(glb)), 1000);
        TEST_NEAR(sinew_clip_frame_time(sinew_motion_clip(glb)), times[i], 1e-6 * times[i]);
        sinew_motion_destroy(glb);
        free(data);
        sinew_clip_destroy(clip);
        sinew_motion_destroy(bvh);
    }
}

// a BVH of a glTF whose joints are turned rests as the glTF does
static void bvh_rests_as_the_nodes_do(void **state)
{
    (void)state;
    test_Random random = test_random(77);
    make_Gltf make;
    random_chain(&random, &make, true);
    sinew_MotionFile *file = read_made(&make, "0"), *back = NULL;
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    sinew_Message message = { "" };
    sinew_ReadOptions centimetres = sinew_read_options_default();
    centimetres.unit = 0.01;
    const char *path = test_temp_path("rest.bvh");
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &options, &message), &message);
    TEST_OK(sinew_motion_read(path, &centimetres, &back, &message), &message);
    double size = sinew_skeleton_size(sinew_motion_skeleton(file));
    TEST_TRUE(worst_joint(sinew_motion_clip(file), sinew_motion_clip(back)) < 1e-5 * size);
    double q[64];
    sinew_Transform a[16], b[16];
    sinew_pose_rest(sinew_motion_skeleton(file), q);
    sinew_pose_forward(sinew_motion_skeleton(file), q, a);
    sinew_pose_rest(sinew_motion_skeleton(back), q);
    sinew_pose_forward(sinew_motion_skeleton(back), q, b);
    for (int j = 1; j < sinew_skeleton_joint_count(sinew_motion_skeleton(file)); ++j) {
        TEST_VEC3_NEAR(sinew_vec3_sub(b[j].position, b[0].position),
            sinew_vec3_sub(a[j].position, a[0].position), 1e-6 * size);
    }
    sinew_motion_destroy(file);
    sinew_motion_destroy(back);
    make_end(&make);
}

// the bytes that a file would have, without a disk
static void files_are_written_into_memory(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    sinew_MotionFile *file = read_made(&make, "0,3"), *again = NULL;
    sinew_Clip *clip = slowed(file);
    sinew_WriteOptions options = sinew_write_options_default();
    sinew_Message message = { "" };
    char *data = NULL;
    size_t size = 0;
    test_Memory memory;
    test_memory_init(&memory);
    options.like = file;
    TEST_OK(sinew_motion_write_memory(
                "x.glb", clip, &options, &memory.allocator, &data, &size, &message),
        &message);
    TEST_OK(sinew_motion_read_memory(data, size, "x.glb", NULL, &again, &message), &message);
    TEST_TRUE(worst_joint(clip, sinew_motion_clip(again)) < 1e-6);
    sinew_motion_destroy(again);
    memory.allocator.free(data, size, memory.allocator.user);
    TEST_TRUE(memory.live_bytes == 0 && !memory.wrong_size);
    TEST_INT(sinew_motion_write_memory("x.fbx", clip, &options, NULL, &data, &size, &message),
        SINEW_STATUS_UNSUPPORTED);
    sinew_clip_destroy(clip);
    sinew_motion_destroy(file);
    make_end(&make);
}

// each file of the test data: its motion as another rate, written and read again; the pose that is
// told to the nodes is the pose of the joints
static void real_files_go_round(void **state)
{
    (void)state;
    static const char *const names[] = { "box_animated.gltf", "cesium_man.gltf",
        "interpolation_test.gltf", "rigged_simple.gltf", "robot_expressive.glb",
        "simple_skin_assimp.gltf" };
    for (int i = 0; i < 6; ++i) {
        char name[80];
        snprintf(name, sizeof name, "gltf/%s", names[i]);
        const char *path = data_path(name);
        if (path == NULL) { skip(); }
        sinew_MotionFile *file = NULL, *again = NULL;
        sinew_Message message = { "" };
        TEST_OK(sinew_motion_read(path, NULL, &file, &message), &message);
        sinew_Clip *clip = slowed(file);
        sinew_WriteOptions options = sinew_write_options_default();
        options.like = file;
        const char *out = test_temp_path("real.glb");
        TEST_OK(sinew_motion_write(out, clip, &options, &message), &message);
        TEST_OK(sinew_motion_read(out, NULL, &again, &message), &message);
        double size = sinew_skeleton_size(sinew_motion_skeleton(file));
        TEST_TRUE(worst_joint(clip, sinew_motion_clip(again)) < 1e-6 * fmax(size, 1.0));
        TEST_INT(sinew_gltf_part_count(sinew_motion_gltf(again)),
            sinew_gltf_part_count(sinew_motion_gltf(file)));
        sinew_clip_destroy(clip);
        sinew_motion_destroy(file);
        sinew_motion_destroy(again);
    }
}

static void animations_are_chosen(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer bytes = snw_buffer_create(NULL);
    make_document(&make, "0,3", false, &bytes);
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    static const char *const good[] = { "Move", "0" };
    for (int i = 0; i < 2; ++i) {
        options.animation = good[i];
        TEST_OK(sinew_motion_read_memory(bytes.data, bytes.size, "x", &options, &file, &message),
            &message);
        TEST_INT(sinew_motion_animation(file), 0);
        sinew_motion_destroy(file);
    }
    options.animation = "Run";
    TEST_INT(sinew_motion_read_memory(bytes.data, bytes.size, "x", &options, &file, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    assert_string_equal(
        message.text, "x: found no animation \"Run\", expected a name or a number below 1: Move");
    snw_buffer_destroy(&bytes);
    make_end(&make);
}

// vectors of RFC 4648; what lies behind the bytes that are asked for has no part in the text
static void base64_of_all_lengths(void **state)
{
    (void)state;
    static const char bytes[] = "foobar";
    static const char *const texts[] = { "", "Zg==", "Zm8=", "Zm9v",
        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy" };
    for (size_t size = 0; size <= 6; ++size) {
        snw_Buffer text = snw_buffer_create(NULL);
        snw_base64_encode((const unsigned char *)bytes, size, &text);
        TEST_INT((long long)text.size, (long long)strlen(texts[size]));
        TEST_TRUE(text.size == 0 || memcmp(text.data, texts[size], text.size) == 0);
        unsigned char back[8];
        size_t count = 99;
        TEST_TRUE(snw_base64_decode(texts[size], strlen(texts[size]), back, &count));
        TEST_TRUE(count == size && memcmp(back, bytes, size) == 0);
        snw_buffer_destroy(&text);
    }
}

// no format is given frames that it would make another motion of
static void frames_that_are_no_poses_are_refused(void **state)
{
    (void)state;
    sinew_JointDef def = sinew_joint_def_default();
    sinew_Axis axes[2] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)), sinew_axis_ball() };
    def.axes = axes;
    def.axis_count = 2;
    sinew_Skeleton *skeleton = NULL;
    sinew_Clip *clip = NULL;
    TEST_OK(sinew_skeleton_create(&def, 1, NULL, &skeleton, NULL), NULL);
    TEST_OK(sinew_clip_create(skeleton, 3, 0.01, NULL, &clip), NULL);
    static const char *const endings[] = { ".glb", ".gltf", ".bvh" };
    for (int e = 0; e < 3; ++e) {
        for (int wrong = 0; wrong < 4; ++wrong) {
            char name[16];
            snprintf(name, sizeof name, "wrong%s", endings[e]);
            double *q = sinew_clip_frame(clip, 2);
            sinew_pose_rest(skeleton, q);
            if (wrong == 1) { q[0] = NAN; }
            if (wrong == 2) { q[2] = NAN; }
            if (wrong == 3) { q[4] = 0.0; }
            sinew_Message message = { "" };
            sinew_Status status = sinew_motion_write(test_temp_path(name), clip, NULL, &message);
            if (wrong == 0) {
                TEST_OK(status, &message);
            } else {
                TEST_INT(status, SINEW_STATUS_INVALID_ARGUMENT);
                TEST_TRUE(strncmp(message.text, "frame 2 of the clip: ", 21) == 0);
            }
        }
    }
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// a glTF has +Y up, whatever the clip has: each joint is where it was, turned
static void other_ups_are_turned(void **state)
{
    (void)state;
    static const char bvh[] =
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0.1 0.2 0.9\nCHANNELS 6 Xposition Yposition "
        "Zposition Zrotation Xrotation Yrotation\nJOINT Chest\n{\nOFFSET 0 0.1 0.5\n"
        "CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0 0.3\n}\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0.9 10 20 30 5 6 7\n"
        "0.3 -0.4 1 40 -20 3 15 -6 70\n";
    sinew_Message message = { "" };
    sinew_MotionFile *from = NULL, *back = NULL;
    sinew_ReadOptions read = sinew_read_options_default();
    read.unit = 1.0;
    TEST_OK(
        sinew_motion_read_memory(bvh, sizeof bvh - 1, "z.bvh", &read, &from, &message), &message);
    sinew_WriteOptions options = sinew_write_options_default();
    options.up = sinew_vec3(0.0, 0.0, 2.0);
    char *data = NULL;
    size_t size = 0;
    TEST_OK(sinew_motion_write_memory(
                "z.glb", sinew_motion_clip(from), &options, NULL, &data, &size, &message),
        &message);
    TEST_OK(sinew_motion_read_memory(data, size, "z.glb", NULL, &back, &message), &message);
    TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(back)), 3);
    sinew_Transform was[3], is[3];
    for (int f = 0; f < 2; ++f) {
        sinew_pose_forward(
            sinew_motion_skeleton(from), sinew_clip_frame_const(sinew_motion_clip(from), f), was);
        sinew_pose_forward(
            sinew_motion_skeleton(back), sinew_clip_frame_const(sinew_motion_clip(back), f), is);
        for (int j = 0; j < 3; ++j) {
            sinew_Vec3 p = was[j].position;
            TEST_VEC3_NEAR(is[j].position, sinew_vec3(p.x, p.z, -p.y), 1e-6);
        }
    }
    free(data);
    data = NULL;
    options.up.x = NAN;
    TEST_INT(sinew_motion_write_memory(
                 "z.glb", sinew_motion_clip(from), &options, NULL, &data, &size, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    sinew_motion_destroy(back);
    sinew_motion_destroy(from);
}

TEST_MAIN(cmocka_unit_test(frames_that_are_no_poses_are_refused),
    cmocka_unit_test(even_scales_pose_alike), cmocka_unit_test(base64_of_all_lengths),
    cmocka_unit_test(uneven_scales_are_told), cmocka_unit_test(keys_are_interpolated_as_told),
    cmocka_unit_test(packed_numbers_are_unpacked),
    cmocka_unit_test(skins_and_targets_move_vertices),
    cmocka_unit_test(other_files_come_from_a_source), cmocka_unit_test(memory_is_given_back),
    cmocka_unit_test(test_content_stays_eng3), cmocka_unit_test(test_written_motions_eng3),
    cmocka_unit_test(nodes_are_renamed_and_parted),
    cmocka_unit_test(test_bvh_goes_there_and_back_fk3),
    cmocka_unit_test(a_frame_lasts_as_long_as_it_did), cmocka_unit_test(bvh_rests_as_the_nodes_do),
    cmocka_unit_test(other_ups_are_turned), cmocka_unit_test(animations_are_chosen),
    cmocka_unit_test(files_are_written_into_memory), cmocka_unit_test(real_files_go_round))
