// Broken and hostile glTF files: one clear line each, quickly.

#include "gltf_make.h"

#include <time.h>

typedef struct Change {
    const char *from, *to;
} Change;

// the first place of each text is replaced
static const Change changes[] = {
    { "\"version\":\"2.0\"", "\"version\":\"1.0\"" },
    { "\"version\":\"2.0\"", "\"version\":2" },
    { "\"version\":\"2.0\"", "\"v\":\"2.0\"" },
    { "\"version\":\"2.0\"", "\"version\":\"2.0\",\"minVersion\":\"2.1\"" },
    { "\"asset\":", "\"asset\":3,\"b\":" },
    { "\"scenes\":[{\"nodes\":[0,3]}]", "\"scenes\":[{\"nodes\":[0,4]}]" },
    { "\"scenes\":[{\"nodes\":[0,3]}]", "\"scenes\":[{\"nodes\":[0,0]}]" },
    { "\"scenes\":[{\"nodes\":[0,3]}]", "\"scenes\":[{\"nodes\":[1]}]" },
    { "\"scenes\":[{\"nodes\":[0,3]}]", "\"scenes\":[{\"nodes\":[-1]}]" },
    { "\"scenes\":[{\"nodes\":[0,3]}]", "\"scenes\":[{\"nodes\":[0.5]}]" },
    { "\"scenes\":[{\"nodes\":[0,3]}]", "\"scenes\":[{\"nodes\":[\"0\"]}]" },
    { "\"scenes\":[{\"nodes\":[0,3]}]", "\"scenes\":[{\"nodes\":[0,3]}],\"scene\":7" },
    // trees that are none
    { "\"children\":[1]", "\"children\":[0]" },
    { "\"children\":[1]", "\"children\":[1,1]" },
    { "\"children\":[1]", "\"children\":[1,2]" },
    { "\"children\":[1]", "\"children\":[99999999]" },
    { "\"children\":[1]", "\"children\":[1e300]" },
    { "\"children\":[1]", "\"children\":{}" },
    { "\"children\":[2]", "\"children\":[2,0]" },
    { "\"children\":[2]", "\"children\":[2,1]" },
    // numbers of nodes
    { "\"translation\":[0,1,0]", "\"translation\":[0,1]" },
    { "\"translation\":[0,1,0]", "\"translation\":[0,1e39,0]" },
    { "\"translation\":[0,1,0]", "\"translation\":[0,1e999,0]" },
    { "\"translation\":[0,1,0]", "\"translation\":[0,NaN,0]" },
    { "\"translation\":[0,1,0]", "\"translation\":[0,null,0]" },
    { "\"translation\":[0,1,0]", "\"translation\":\"up\"" },
    { "\"translation\":[0,1,0]", "\"rotation\":[0,0,0,0]" },
    { "\"translation\":[0,1,0]", "\"rotation\":[0,0,1]" },
    { "\"translation\":[0,1,0]", "\"scale\":[0,0,0]" },
    { "\"translation\":[0,1,0]", "\"scale\":[1,1e-20,1]" },
    { "\"translation\":[0,1,0]", "\"matrix\":[1,0,0,0,1,0,0,0,1]" },
    { "\"translation\":[0,1,0]", "\"matrix\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]" },
    { "\"translation\":[0,1,0]", "\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]" },
    { "\"translation\":[0,1,0]", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]" },
    // references
    { "\"mesh\":0", "\"mesh\":1" },
    { "\"mesh\":0", "\"mesh\":-1" },
    { "\"skin\":0", "\"skin\":1" },
    { "\"skin\":0", "\"skin\":true" },
    { "\"joints\":[0,1,2]", "\"joints\":[0,1,22]" },
    { "\"joints\":[0,1,2]", "\"joints\":[]" },
    { "\"joints\":[0,1,2]", "\"joints\":[0,1]" },
    { "\"joints\":[0,1,2]", "\"joints\":[0,1,2],\"inverseBindMatrices\":0" },
    { "\"joints\":[0,1,2]", "\"joints\":[0,1,2],\"inverseBindMatrices\":77" },
    { "\"POSITION\":0", "\"POSITION\":88" },
    { "\"POSITION\":0", "\"POSITION\":3" },
    { "\"JOINTS_0\":2", "\"JOINTS_0\":1" },
    { "\"JOINTS_0\":2", "\"JOINTS_0\":3" },
    { "\"JOINTS_0\":2", "\"JOINTS_0\":0" },
    { "\"WEIGHTS_0\":3", "\"WEIGHTS_0\":0" },
    { "\"WEIGHTS_0\":3", "\"WEIGHTS_0\":1e9" },
    { "\"indices\":4", "\"indices\":0" },
    { "\"indices\":4", "\"indices\":5" },
    { "\"indices\":4", "\"indices\":2" },
    { "\"indices\":4", "\"indices\":4000000000" },
    { "\"targets\":[{\"POSITION\":1}]", "\"targets\":[{\"POSITION\":2}]" },
    { "\"targets\":[{\"POSITION\":1}]", "\"targets\":[{\"POSITION\":-3}]" },
    { "\"material\":0", "\"material\":1" },
    { "\"baseColorFactor\":[0.5,0.25,1,1]", "\"baseColorFactor\":[0.5,0.25]" },
    { "\"primitives\":[", "\"primitive\":[" },
    { "\"indices\":4", "\"indices\":4,\"mode\":-1" },
    // animations
    { "\"input\":5", "\"input\":0" },
    { "\"input\":5", "\"input\":50" },
    { "\"input\":5", "\"inputs\":5" },
    { "\"input\":5", "\"input\":7" },
    { "\"output\":6", "\"output\":7" },
    { "\"output\":6", "\"output\":5" },
    { "\"output\":6", "\"out\":5" },
    { "\"interpolation\":\"LINEAR\"", "\"interpolation\":\"CUBICSPLINE\"" },
    { "\"interpolation\":\"LINEAR\"", "\"interpolation\":\"BEZIER\"" },
    { "\"interpolation\":\"LINEAR\"", "\"interpolation\":3" },
    { "\"sampler\":0", "\"sampler\":2" },
    { "\"sampler\":0", "\"samples\":0" },
    { "\"target\":{\"node\":1,", "\"target\":{\"node\":4," },
    { "\"target\":{\"node\":1,", "\"targets\":{\"node\":1," },
    // views and accessors
    { "\"buffer\":0", "\"buffer\":1" },
    { "\"buffer\":0", "\"buffers\":0" },
    { "\"byteOffset\":0,", "\"byteOffset\":100000," },
    { "\"byteOffset\":0,", "\"byteOffset\":18446744073709551615," },
    { "\"byteOffset\":0,", "\"byteOffset\":-1," },
    { "\"byteLength\":48", "\"byteLength\":47" },
    { "\"byteLength\":48", "\"byteLength\":4294967295" },
    { "\"byteLength\":48", "\"byteLength\":1000000000" },
    { "\"byteLength\":48", "\"byteLength\":48,\"byteStride\":8" },
    { "\"byteLength\":48", "\"byteLength\":48,\"byteStride\":16" },
    { "\"byteLength\":48", "\"byteLength\":48,\"byteStride\":100000" },
    { "\"byteLength\":48", "\"byteLength\":48,\"byteStride\":-12" },
    { "\"componentType\":5126", "\"componentType\":5124" },
    { "\"componentType\":5126", "\"componentType\":\"float\"" },
    { "\"componentType\":5126", "\"component\":5126" },
    { "\"count\":4", "\"count\":5" },
    { "\"count\":4", "\"count\":0" },
    { "\"count\":4", "\"count\":-4" },
    { "\"count\":4", "\"count\":4.5" },
    { "\"count\":4", "\"count\":1000000000" },
    { "\"count\":4", "\"count\":1073741824" },
    { "\"count\":4", "\"count\":18446744073709551615" },
    { "\"count\":4", "\"number\":4" },
    { "\"type\":\"VEC3\"", "\"type\":\"VEC5\"" },
    { "\"type\":\"VEC3\"", "\"type\":\"MAT4\"" },
    { "\"type\":\"VEC3\"", "\"type\":3" },
    { "{\"bufferView\":0,", "{\"bufferView\":8," },
    { "{\"bufferView\":0,", "{\"bufferView\":0,\"byteOffset\":4," },
    { "{\"bufferView\":0,\"componentType\":5126,\"count\":4",
        "{\"componentType\":5126,\"count\":400000000" },
    { "\"type\":\"VEC3\"", "\"type\":\"VEC3\",\"sparse\":{\"count\":1}" },
    { "\"type\":\"VEC3\"",
        "\"type\":\"VEC3\",\"sparse\":{\"count\":9,\"indices\":{\"bufferView\":2,"
        "\"componentType\":5121},\"values\":{\"bufferView\":0}}" },
    { "\"type\":\"VEC3\"",
        "\"type\":\"VEC3\",\"sparse\":{\"count\":4,\"indices\":{\"bufferView\":2,"
        "\"componentType\":5121},\"values\":{\"bufferView\":0}}" },
    { "\"type\":\"VEC3\"",
        "\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":2,"
        "\"componentType\":5126},\"values\":{\"bufferView\":0}}" },
    { "\"type\":\"VEC3\"",
        "\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":3,"
        "\"componentType\":5121},\"values\":{\"bufferView\":0}}" },
    { "\"type\":\"VEC3\"",
        "\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":2,"
        "\"componentType\":5121},\"values\":{\"bufferView\":55}}" },
    // buffers
    { "\"uri\":\"data:", "\"uri\":\"http://example.org/" },
    { "\"uri\":\"data:", "\"uri\":\"/etc/passwd/" },
    { "\"uri\":\"data:application/octet-stream;base64,", "\"uri\":\"missing.bin\",\"b\":\"" },
    { "\"uri\":\"data:", "\"name\":\"data:" },
    { "octet-stream;base64,", "octet-stream;base64,*" },
    { "octet-stream;base64,", "octet-stream," },
    { "\"uri\":", "\"uri\":7,\"b\":" },
    { "\"buffers\":[{\"byteLength\":", "\"buffers\":[{\"byteLength\":9" },
    { "\"buffers\":[{\"byteLength\":", "\"buffers\":[{\"byteLengths\":" },
    { "\"buffers\":[{\"byteLength\":", "\"buffers\":[{\"byteLength\":-1,\"b\":" },
    { "\"buffers\":", "\"buffer\":" },
    // text
    { "\"nodes\":[{", "\"nodes\":[{]" },
    { "\"extras\":",
        "\"extras\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[" },
    { "\"name\":\"Hip\"", "\"name\":\"Hip" },
    { "\"name\":\"Hip\"", "name:\"Hip\"" },
    { "\"name\":\"Hip\"", "\"name\":\"\\q\"" },
    { "}", "}}" },
    { "\"nodes\":[", "" },
    { ",\n\"nodes\":[", ",\n\"nodes\":[],\"x\":[" },
    { ",\n\"nodes\":[", ",\n\"nodes\":[3,4],\"x\":[" },
    { "\"extensionsUsed\"",
        "\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"extensionsUsed\"" },
};
#define CHANGE_COUNT ((int)(sizeof changes / sizeof changes[0]))

static void check_line(const char *text, const char *name, double seconds)
{
    if (strncmp(text, name, strlen(name)) != 0 || strchr(text, '\n') != NULL
        || strstr(text, "found ") == NULL || strstr(text, "expected ") == NULL
        || strstr(text, "byte ") == NULL) {
        print_message("    %s\n", text);
    }
    TEST_TRUE(strncmp(text, name, strlen(name)) == 0);
    TEST_TRUE(strchr(text, '\n') == NULL);
    TEST_TRUE(strstr(text, "byte ") != NULL);
    TEST_TRUE(strstr(text, "found ") != NULL && strstr(text, "expected ") != NULL);
    // a bomb takes minutes; a loaded machine or a sanitizer takes less
    TEST_TRUE(seconds < 10.0);
}

// refused with one line; the bytes are a copy of their exact size, so that sanitizers see every step
// beyond them
static void check_refused(const char *data, size_t size, const char *what)
{
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, data, size);
    clock_t start = clock();
    sinew_Status status = sinew_motion_read_memory(copy, size, "bad.glb", NULL, &file, &message);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (status == SINEW_STATUS_OK) { print_message("    taken: %s\n", what); }
    TEST_TRUE(status != SINEW_STATUS_OK && file == NULL);
    if (getenv("SINEW_TEST_TELL") != NULL) { print_message("    %s\n", message.text); }
    check_line(message.text, "bad.glb: ", seconds);
    free(copy);
}

static void replaced(const snw_Buffer *text, const Change *change, snw_Buffer *out)
{
    snw_Buffer whole = snw_buffer_create(NULL);
    snw_buffer_add(&whole, text->data, text->size);
    snw_buffer_add(&whole, "", 1);
    const char *at = strstr(whole.data, change->from);
    if (at == NULL) { print_message("    not there: %s\n", change->from); }
    TEST_TRUE(at != NULL);
    snw_buffer_add(out, whole.data, (size_t)(at - whole.data));
    snw_buffer_add_text(out, change->to);
    snw_buffer_add_text(out, at + strlen(change->from));
    snw_buffer_destroy(&whole);
}

// ENG-3
static void test_changed_texts_eng3(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer text = snw_buffer_create(NULL);
    make_document(&make, "0,3", false, &text);
    for (int i = 0; i < CHANGE_COUNT; ++i) {
        snw_Buffer broken = snw_buffer_create(NULL);
        replaced(&text, &changes[i], &broken);
        check_refused(broken.data, broken.size, changes[i].to);
        snw_buffer_destroy(&broken);
    }
    snw_buffer_destroy(&text);
    make_end(&make);
}

// what the specification forbids and any reader can make sense of is read, and told
static void what_is_made_good_is_told(void **state)
{
    (void)state;
    static const struct {
        Change change;
        const char *told;
    } cases[] = {
        { { "\"translation\":[0,1,0]", "\"rotation\":[0,0,0,5]" },
            "1 rotation of nodes or keys without length 1: made 1" },
        { { "\"channels\":[",
              "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}," },
            "animation 0 has 1 channel for what an earlier one of it moves: the last counts" },
    };
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer text = snw_buffer_create(NULL);
    make_document(&make, "0,3", false, &text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        snw_Buffer changed = snw_buffer_create(NULL);
        sinew_MotionFile *file = NULL;
        sinew_Message message = { "" };
        replaced(&text, &cases[i].change, &changed);
        TEST_OK(make_read(&changed, &file, &message), &message);
        bool told = false;
        for (int w = 0; w < sinew_motion_warning_count(file); ++w) {
            told = told || strcmp(sinew_motion_warning(file, w), cases[i].told) == 0;
        }
        TEST_TRUE(told);
        sinew_motion_destroy(file);
        snw_buffer_destroy(&changed);
    }
    snw_buffer_destroy(&text);
    make_end(&make);
}

static void cut_containers_say_where(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer whole = snw_buffer_create(NULL);
    make_document(&make, "0,3", true, &whole);
    for (int i = 0; i < 40; ++i) {
        size_t size = 4 + (whole.size - 4) * (size_t)i / 40;
        check_refused(whole.data, size, "a cut");
    }
    // cut, with the length of what is left
    for (int i = 1; i < 40; ++i) {
        size_t size = 12 + (whole.size - 12) * (size_t)i / 40;
        uint32_t length = (uint32_t)size;
        char kept[4];
        memcpy(kept, whole.data + 8, 4);
        memcpy(whole.data + 8, &length, 4);
        check_refused(whole.data, size, "a cut with its length");
        memcpy(whole.data + 8, kept, 4);
    }
    snw_buffer_destroy(&whole);
    make_end(&make);
}

static void set_float(make_Gltf *make, size_t at, float value)
{
    memcpy(make->bytes.data + at, &value, sizeof value);
}

// numbers among the bytes: not finite ones, times that do not rise, indices of nothing
static void bad_bytes_say_where(void **state)
{
    (void)state;
    static const float values[] = { NAN, INFINITY, -INFINITY, 3e38f };
    for (int i = 0; i < 16; ++i) {
        make_Gltf make;
        snw_Buffer whole = snw_buffer_create(NULL);
        make_begin(&make);
        make_leg(&make);
        // positions, targets; times, turns, shifts behind joints, weights and indices
        static const size_t places[] = { 4, 52, 144, 164 };
        set_float(&make, places[i / 4], values[i % 4]);
        make_document(&make, "0,3", i % 2 == 0, &whole);
        check_refused(whole.data, whole.size, "a number that is not finite");
        snw_buffer_destroy(&whole);
        make_end(&make);
    }
    for (int i = 0; i < 4; ++i) {
        make_Gltf make;
        snw_Buffer whole = snw_buffer_create(NULL);
        make_begin(&make);
        make_leg(&make);
        static const float times[] = { 0.0f, -1.0f, 2.0f, 1e9f };
        set_float(&make, 140 + (i == 3 ? 8 : 4), times[i]);
        make_document(&make, "0,3", true, &whole);
        check_refused(whole.data, whole.size, "times that do not rise");
        snw_buffer_destroy(&whole);
        make_end(&make);
    }
}

// many small items that name the same bytes again and again
static void bombs_are_refused(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    float *zeros = calloc(300000, sizeof *zeros);
    assert_non_null(zeros);
    for (int k = 0; k < 100000; ++k) { zeros[k] = (float)k * 1e-3f; }
    make_node(&make, "{}");
    int t = make_floats(&make, zeros, 60000, 1, "SCALAR");
    int v = make_floats(&make, zeros, 60000, 3, "VEC3");
    for (int i = 0; i < 5000; ++i) { make_channel(&make, 0, "translation", t, v, "LINEAR"); }
    snw_Buffer whole = snw_buffer_create(NULL);
    make_document(&make, "0", true, &whole);
    check_refused(whole.data, whole.size, "a bomb of channels");
    whole.size = 0;
    make.sampler_count = 0;
    for (int i = 0; i < 20000; ++i) {
        make_text(&make.accessors,
            ",{\"bufferView\":0,\"componentType\":5121,\"count\":240000,"
            "\"type\":\"SCALAR\"},{\"bufferView\":1,\"componentType\":5126,"
            "\"count\":60000,\"type\":\"VEC3\"}");
    }
    make_document(&make, "0", true, &whole);
    check_refused(whole.data, whole.size, "a bomb of accessors");
    snw_buffer_destroy(&whole);
    free(zeros);
    make_end(&make);
}

// whatever a byte becomes, the file is read or refused with one line
static void flipped_bytes_do_no_harm(void **state)
{
    (void)state;
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer whole = snw_buffer_create(NULL);
    make_document(&make, "0,3", true, &whole);
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(0xf11b, i);
        char *copy = malloc(whole.size);
        assert_non_null(copy);
        memcpy(copy, whole.data, whole.size);
        for (int k = 1 + test_int(&random, 3); k > 0; --k) {
            int at = test_int(&random, (int)whole.size);
            copy[at] = (char)test_int(&random, 256);
        }
        sinew_MotionFile *file = NULL;
        sinew_Message message = { "" };
        sinew_Status status = sinew_motion_read_memory(
            copy, whole.size, "bad.glb", NULL, &file, &message);
        if (status == SINEW_STATUS_OK && sinew_motion_gltf(file) != NULL) {
            const sinew_Gltf *gltf = sinew_motion_gltf(file);
            sinew_GltfPose *pose = NULL;
            TEST_OK(sinew_gltf_pose_create(gltf, NULL, &pose), NULL);
            sinew_gltf_pose_animate(pose, 0, 0.3);
            for (int p = 0; p < sinew_gltf_part_count(gltf); ++p) {
                sinew_Vec3 places[64];
                if (sinew_gltf_part(gltf, p)->vertex_count > 64) { continue; }
                sinew_gltf_part_vertices(pose, p, places);
            }
            sinew_gltf_pose_destroy(pose);
        }
        TEST_TRUE((status == SINEW_STATUS_OK) == (file != NULL));
        TEST_TRUE(strchr(message.text, '\n') == NULL);
        sinew_motion_destroy(file);
        free(copy);
    }
    snw_buffer_destroy(&whole);
    make_end(&make);
}

// SKEL-1
static void test_rings_of_nodes_skel1(void **state)
{
    (void)state;
    static const char text[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{\"children\":[2]},"
                               "{\"children\":[3]},{\"children\":[1]}]}";
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_motion_read_memory(text, sizeof text - 1, "ring.gltf", NULL, &file, &message),
        SINEW_STATUS_BAD_FILE);
    assert_string_equal(message.text,
        "ring.gltf: byte 39: found a node that is its own ancestor, expected a tree of nodes");
}

TEST_MAIN(cmocka_unit_test(test_changed_texts_eng3), cmocka_unit_test(what_is_made_good_is_told),
    cmocka_unit_test(cut_containers_say_where), cmocka_unit_test(bad_bytes_say_where),
    cmocka_unit_test(bombs_are_refused), cmocka_unit_test(flipped_bytes_do_no_harm),
    cmocka_unit_test(test_rings_of_nodes_skel1))
