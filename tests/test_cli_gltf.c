// The command on glTF files: its own small one, and a character of the test data where it is there.

#include "command.h"
#include "gltf_make.h"

#include <cairo.h>

static const char *write_leg(void)
{
    make_Gltf make;
    snw_Buffer bytes = snw_buffer_create(NULL);
    make_begin(&make);
    make_leg(&make);
    make_document(&make, "0,3", true, &bytes);
    const char *path = test_temp_path("leg.glb");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    snw_buffer_destroy(&bytes);
    make_end(&make);
    return path;
}

static double figure(const char *text, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(text, quoted);
    assert_non_null(found);
    return strtod(found + strlen(quoted), NULL);
}

static void info_tells_what_is_in_it(void **state)
{
    (void)state;
    const char *leg = write_leg();
    const test_Run *run = run_sinew("info %s --json", leg);
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "\"format\": \"glTF\"") != NULL);
    TEST_TRUE(strstr(run->out, "\"name\": \"Move\"") != NULL);
    TEST_NEAR(figure(run->out, "joints"), 3.0, 0.0);
    TEST_NEAR(figure(run->out, "nodes"), 4.0, 0.0);
    run = run_sinew("info %s --animation Run", leg);
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->err, "found no animation \"Run\"") != NULL);
}

static void convert_goes_both_ways(void **state)
{
    (void)state;
    const char *leg = write_leg(), *bvh = test_temp_path("leg.bvh"),
               *back = test_temp_path("b.glb");
    const char *text = test_temp_path("leg.gltf"), *fast = test_temp_path("fast.glb");
    const test_Run *run = run_sinew("convert %s %s --json", leg, bvh);
    TEST_INT(run->code, 0);
    TEST_TRUE(figure(run->out, "max_error_m") < 1e-6);
    run = run_sinew("convert %s %s --input-unit cm --json", bvh, back);
    TEST_INT(run->code, 0);
    TEST_TRUE(figure(run->out, "max_error_m") < 1e-6);
    run = run_sinew("convert %s %s --json", leg, text);
    TEST_INT(run->code, 0);
    TEST_NEAR(figure(run->out, "max_error_m"), 0.0, 0.0);
    run = run_sinew("convert %s %s --fps 50 --rename Knee=LeftKnee --json", leg, fast);
    TEST_INT(run->code, 0);
    TEST_TRUE(figure(run->out, "max_error_m") < 1e-6);
    run = run_sinew("info %s --json", fast);
    TEST_TRUE(strstr(run->out, "\"LeftKnee\"") != NULL);
    TEST_NEAR(figure(run->out, "frames"), 51.0, 0.0);
}

static void track_adds_an_animation(void **state)
{
    (void)state;
    const char *leg = write_leg(), *out = test_temp_path("tracked.glb");
    const test_Run *run = run_sinew("track %s -o %s --json", leg, out);
    TEST_INT(run->code, 0);
    run = run_sinew("info %s --json", out);
    TEST_TRUE(strstr(run->out, "\"name\": \"Move\"") != NULL);
    TEST_TRUE(strstr(run->out, "\"name\": \"Move 2\"") != NULL);
    TEST_NEAR(figure(run->out, "animation"), 1.0, 0.0);
}

// the animation of a file that was written is called so, and is the one that is read
static void expect_animation(const char *path, const char *name, double number)
{
    char quoted[100];
    snprintf(quoted, sizeof quoted, "\"name\": \"%s\"", name);
    const test_Run *run = run_sinew("info '%s' --json", path);
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, quoted) != NULL);
    TEST_NEAR(figure(run->out, "animation"), number, 0.0);
}

static void animations_are_called_as_their_motion(void **state)
{
    (void)state;
    const char *leg = write_leg(), *bvh = test_temp_path("a.walk of mine.bvh");
    const char *out = test_temp_path("named.glb"), *again = test_temp_path("again.glb");
    TEST_INT(run_sinew("convert scene:MAN18 '%s'", bvh)->code, 0);
    TEST_INT(run_sinew("convert '%s' '%s'", bvh, out)->code, 0);
    expect_animation(out, "a.walk of mine", 0.0);
    TEST_INT(run_sinew("clean '%s' -o '%s' --animation-name Clean", out, again)->code, 0);
    expect_animation(again, "Clean", 1.0);
    TEST_INT(run_sinew("clean '%s' -o '%s' --force", again, out)->code, 0);
    TEST_INT(run_sinew("convert scene:MAN18 '%s' --force", out)->code, 0);
    expect_animation(out, "MAN18", 0.0);
    TEST_INT(run_sinew("retarget '%s' --to '%s' -o '%s' --force", bvh, out, again)->code, 0);
    expect_animation(again, "a.walk of mine", 1.0);
    TEST_INT(run_sinew("walk -s 1 -o '%s' --force", out)->code, 0);
    expect_animation(out, "walk", 0.0);
    // standard input has no name
    TEST_INT(run_sinew("convert - '%s' --force <'%s'", out, bvh)->code, 0);
    expect_animation(out, "sinew", 0.0);
    TEST_INT(run_sinew("retarget - --to '%s' -o '%s' --force <'%s'", out, again, bvh)->code, 0);
    expect_animation(again, "sinew 2", 1.0);
    TEST_INT(run_sinew("convert '%s' '%s' --fps 20 --animation-name Move", leg, out)->code, 0);
    expect_animation(out, "Move 2", 1.0);
    const test_Run *run = run_sinew("info %s --animation Moves", leg);
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->err, "a name or a number below 1: Move") != NULL);
}

// an animation without a name is told so, and what is made of it is called by its file
static void animations_without_a_name_go_by_their_file(void **state)
{
    (void)state;
    static char json[1 << 20];
    const char *text = test_temp_path("plain.gltf"), *out = test_temp_path("plain-tracked.glb");
    TEST_INT(run_sinew("convert scene:ARM '%s' --animation-name lift", text)->code, 0);
    TEST_TRUE(read_text(text, json, sizeof json) > 0);
    char *name = strstr(json, "\"name\":\"lift\"");
    assert_non_null(name);
    memcpy(name, "\"name\":\"\"    ", 13);
    write_text(text, json);
    TEST_TRUE(strstr(run_sinew("info '%s'", text)->out, " 0 (no name), ") != NULL);
    const test_Run *run = run_sinew("info '%s' --animation lift", text);
    TEST_TRUE(run->code == 1 && strstr(run->err, "below 1: (no name)") != NULL);
    TEST_INT(run_sinew("track '%s' -o '%s'", text, out)->code, 0);
    expect_animation(out, "plain", 1.0);
}

// A skin is of use to some programs only where a node is drawn by it, and such a node has a mesh.
static void a_bare_motion_has_a_skin_in_use(void **state)
{
    (void)state;
    const char *text = test_temp_path("bare.gltf");
    static char json[1 << 20];
    TEST_INT(run_sinew("convert scene:MAN18 '%s'", text)->code, 0);
    TEST_TRUE(read_text(text, json, sizeof json) > 0);
    TEST_TRUE(strstr(json, "\"mesh\":0,\"skin\":0}") != NULL);
    TEST_TRUE(strstr(json, "\"JOINTS_0\":") != NULL && strstr(json, "\"WEIGHTS_0\":") != NULL);
    const test_Run *run = run_sinew("info '%s' --json", text);
    TEST_NEAR(figure(run->out, "joints"), 25.0, 0.0);
    TEST_NEAR(figure(run->out, "nodes"), 26.0, 0.0);
}

// share of the pixels that are as blue as the leg's material and nothing else is
static double blue_share(const char *path)
{
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    TEST_INT(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    int width = cairo_image_surface_get_width(surface);
    int height = cairo_image_surface_get_height(surface), blue = 0;
    for (int y = 0; y < height; ++y) {
        const uint32_t *row = (const uint32_t *)(const void *)(cairo_image_surface_get_data(surface)
            + y * cairo_image_surface_get_stride(surface));
        for (int x = 0; x < width; ++x) {
            int r = (int)((row[x] >> 16) & 255u), g = (int)((row[x] >> 8) & 255u);
            int b = (int)(row[x] & 255u);
            blue += b > r + 20 && r > g + 10 ? 1 : 0;
        }
    }
    cairo_surface_destroy(surface);
    return (double)blue / ((double)width * height);
}

static void render_draws_the_mesh(void **state)
{
    (void)state;
    const char *leg = write_leg(), *own = test_temp_path("own.png"),
               *bare = test_temp_path("bare.png");
    const char *shape = "--size 640x400 --frames 2 --camera front";
    TEST_INT(run_sinew("render %s -o %s %s", leg, own, shape)->code, 0);
    TEST_INT(run_sinew("render %s -o %s %s --joints", leg, bare, shape)->code, 0);
    double with = blue_share(own), without = blue_share(bare);
    print_message(
        "    %.4f of the pixels in the colour of the mesh, %.4f without it\n", with, without);
    TEST_TRUE(with > 0.02 && without < 0.001);
    TEST_INT(
        run_sinew("render %s -o %s --frame 1 --size 300x300 --camera front", leg, own)->code, 0);
    TEST_TRUE(blue_share(own) > 0.02);
}

static void characters_walk(void **state)
{
    (void)state;
    const char *man = data_path("gltf/cesium_man.gltf");
    if (man == NULL) { skip(); }
    const char *out = test_temp_path("walk.glb");
    const test_Run *run = run_sinew("walk --rig %s --seconds 3 -o %s --json", man, out);
    TEST_INT(run->code, 0);
    TEST_TRUE(figure(run->out, "steps") >= 4.0);
    TEST_TRUE(figure(run->out, "slide_mm_max") <= 0.5);
    run = run_sinew("info %s --json", out);
    TEST_INT(run->code, 0);
    TEST_NEAR(figure(run->out, "frames"), 180.0, 0.0);
    TEST_TRUE(strstr(run->out, "\"body\": \"humanoid\"") != NULL);
}

// +Y is up in what becomes a glTF file, and convert knows it
static void figures_stand_upright(void **state)
{
    (void)state;
    const char *path = data_path("bvh/fair_zombie.bvh"), *out = test_temp_path("upright.glb");
    if (path == NULL) { skip(); }
    static const char *const lines[] = { "convert '%s' '%s' --json",
        "walk --rig '%s' -s 1 -o '%s' --json" };
    for (int i = 0; i < 2; ++i) {
        const test_Run *run = run_sinew(lines[i], path, out);
        TEST_INT(run->code, 0);
        if (i == 0) { TEST_TRUE(figure(run->out, "max_error_m") < 1e-6); }
        run = run_sinew("info '%s'", out);
        TEST_TRUE(strstr(run->out, "+Y, +X, +Z") != NULL);
    }
}

TEST_MAIN(cmocka_unit_test(figures_stand_upright), cmocka_unit_test(info_tells_what_is_in_it),
    cmocka_unit_test(convert_goes_both_ways), cmocka_unit_test(track_adds_an_animation),
    cmocka_unit_test(animations_are_called_as_their_motion),
    cmocka_unit_test(animations_without_a_name_go_by_their_file),
    cmocka_unit_test(a_bare_motion_has_a_skin_in_use), cmocka_unit_test(render_draws_the_mesh),
    cmocka_unit_test(characters_walk))
