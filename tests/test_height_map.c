// Height maps and names of terrains: pictures and texts that are right, and those that are not.

#include "testing.h"

#include "sinew/terrain_file.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A picture in memory, written with libpng: samples of 8 or 16 bits, high byte first.
typedef struct Picture {
    char *data;
    size_t size;
} Picture;

static void grow(png_structp png, png_bytep bytes, png_size_t count)
{
    Picture *picture = png_get_io_ptr(png);
    picture->data = realloc(picture->data, picture->size + count);
    memcpy(picture->data + picture->size, bytes, count);
    picture->size += count;
}

static Picture write_png(int columns, int rows, int depth, int color, bool interlaced,
    const unsigned char *samples, size_t row_size)
{
    Picture picture = { NULL, 0 };
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &picture, grow, NULL);
    png_set_IHDR(png, info, (png_uint_32)columns, (png_uint_32)rows, depth, color,
        interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    if (color == PNG_COLOR_TYPE_PALETTE) {
        const png_color palette[4] = { { 0, 0, 0 }, { 255, 0, 0 }, { 0, 255, 0 },
            { 255, 255, 255 } };
        png_set_PLTE(png, info, palette, 4);
    }
    png_write_info(png, info);
    png_bytep starts[64];
    for (int r = 0; r < rows; ++r) {
        starts[r] = (png_bytep)(uintptr_t)(samples + (size_t)r * row_size);
    }
    png_write_image(png, starts);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return picture;
}

static sinew_Terrain *read_memory(
    const char *data, size_t size, const sinew_HeightMapOptions *options)
{
    sinew_Terrain *terrain;
    sinew_Message message;
    TEST_OK(sinew_height_map_read_memory(data, size, "map", options, &terrain, &message), &message);
    return terrain;
}

static sinew_Terrain *read_text(const char *text, const sinew_HeightMapOptions *options)
{
    return read_memory(text, strlen(text), options);
}

static double height_at(const sinew_Terrain *terrain, double x, double z)
{
    return sinew_terrain_sample(terrain, x, z).height;
}

// Top left of the map is far ahead and to the left: +X, +Z.
static void maps_lie_as_seen_from_above(void **state)
{
    (void)state;
    sinew_HeightMapOptions options = sinew_height_map_options_default();
    options.cell = 1.0;
    sinew_Terrain *terrain = read_text("1 2 3\n4 5 6\n", &options);
    TEST_NEAR(height_at(terrain, 1.0, 0.5), 1.0, 0.0);
    TEST_NEAR(height_at(terrain, 0.0, 0.5), 2.0, 0.0);
    TEST_NEAR(height_at(terrain, -1.0, 0.5), 3.0, 0.0);
    TEST_NEAR(height_at(terrain, 1.0, -0.5), 4.0, 0.0);
    TEST_NEAR(height_at(terrain, -1.0, -0.5), 6.0, 0.0);
    sinew_terrain_destroy(terrain);

    const unsigned char samples[6] = { 0, 51, 102, 153, 204, 255 };
    Picture picture = write_png(3, 2, 8, PNG_COLOR_TYPE_GRAY, false, samples, 3);
    options.height = 5.0;
    options.base = -1.0;
    terrain = read_memory(picture.data, picture.size, &options);
    TEST_NEAR(height_at(terrain, 1.0, 0.5), -1.0, 1e-12);
    TEST_NEAR(height_at(terrain, 0.0, 0.5), 0.0, 1e-12);
    TEST_NEAR(height_at(terrain, -1.0, 0.5), 1.0, 1e-12);
    TEST_NEAR(height_at(terrain, -1.0, -0.5), 4.0, 1e-12);
    sinew_terrain_destroy(terrain);
    free(picture.data);
}

static void every_kind_of_png_is_read(void **state)
{
    (void)state;
    sinew_HeightMapOptions options = sinew_height_map_options_default();
    options.cell = 1.0;
    options.height = 1.0;
    // the value of the far left corner, 2 x 2 pixels each
    const unsigned char wide[8] = { 0x80, 0x01, 0, 0, 0, 0, 0, 0 };
    const unsigned char color[12] = { 255, 0, 51, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    const unsigned char wide_alpha[32] = { 0, 1, 0xff, 0xff, 0, 0, 0, 7 };
    const unsigned char alpha[8] = { 51, 3, 0, 0, 0, 0, 0, 0 };
    const unsigned char bits[2] = { 0x80, 0 };
    const unsigned char indices[2] = { 0x80, 0 };
    const struct {
        int depth, color;
        const unsigned char *samples;
        size_t row_size;
        double expected;
    } cases[] = {
        { 16, PNG_COLOR_TYPE_GRAY, wide, 4, 32769.0 / 65535.0 },
        { 8, PNG_COLOR_TYPE_RGB, color, 6, 0.2126 + 0.0722 * 0.2 },
        { 16, PNG_COLOR_TYPE_RGB_ALPHA, wide_alpha, 16, 0.2126 / 65535.0 + 0.7152 },
        { 8, PNG_COLOR_TYPE_GRAY_ALPHA, alpha, 4, 0.2 },
        { 1, PNG_COLOR_TYPE_GRAY, bits, 1, 1.0 },
        { 2, PNG_COLOR_TYPE_PALETTE, indices, 1, 0.7152 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int interlaced = 0; interlaced < 2; ++interlaced) {
            Picture picture = write_png(2, 2, cases[i].depth, cases[i].color, interlaced != 0,
                cases[i].samples, cases[i].row_size);
            sinew_Terrain *terrain = read_memory(picture.data, picture.size, &options);
            TEST_NEAR(height_at(terrain, 0.5, 0.5), cases[i].expected, 1e-12);
            TEST_NEAR(height_at(terrain, -0.5, -0.5), 0.0, 0.0);
            sinew_terrain_destroy(terrain);
            free(picture.data);
        }
    }
}

static void broken_pngs_say_where(void **state)
{
    (void)state;
    unsigned char samples[64 * 64];
    for (int i = 0; i < 64 * 64; ++i) { samples[i] = (unsigned char)(i * 37 / 5); }
    Picture picture = write_png(64, 64, 8, PNG_COLOR_TYPE_GRAY, false, samples, 64);
    sinew_Message message;
    sinew_Terrain *terrain;
    // cut anywhere behind the signature
    for (size_t size = 8; size < picture.size; size += 13) {
        message.text[0] = '\0';
        assert_int_equal(
            sinew_height_map_read_memory(picture.data, size, "cut.png", NULL, &terrain, &message),
            SINEW_STATUS_BAD_FILE);
        assert_null(terrain);
        assert_non_null(strstr(message.text, "cut.png: byte "));
    }
    // one bit turned over anywhere: refused, or a terrain of finite heights, never a crash
    for (size_t at = 8; at < picture.size; ++at) {
        picture.data[at] = (char)(picture.data[at] ^ (1 << (at % 8)));
        sinew_Status status = sinew_height_map_read_memory(
            picture.data, picture.size, "bit.png", NULL, &terrain, &message);
        assert_int_equal(status == SINEW_STATUS_OK, terrain != NULL);
        if (terrain) { TEST_TRUE(isfinite(height_at(terrain, 1.0, 2.0))); }
        sinew_terrain_destroy(terrain);
        picture.data[at] = (char)(picture.data[at] ^ (1 << (at % 8)));
    }
    free(picture.data);

    picture = write_png(1, 4, 8, PNG_COLOR_TYPE_GRAY, false, samples, 1);
    assert_int_equal(sinew_height_map_read_memory(
                         picture.data, picture.size, "thin.png", NULL, &terrain, &message),
        SINEW_STATUS_BAD_FILE);
    assert_non_null(strstr(message.text, "expected at least 2"));
    free(picture.data);
}

static void texts_are_read_with_any_separators(void **state)
{
    (void)state;
    const char *texts[] = { "1 2\n3 4\n", "1,2\n3,4",
        "\xef\xbb\xbf# a grid\r\n\r\n1;\t2\r\n3;\t4\r\n", "1.0,\t2.0,\n0.3e1,\t4,\n\n",
        "  1   2\r\r  3   4  \r" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        sinew_Terrain *terrain = read_text(texts[i], NULL);
        TEST_INT(sinew_terrain_patch(terrain).vertex_count, 4);
        TEST_NEAR(height_at(terrain, 0.125, 0.125), 1.0, 1e-15);
        TEST_NEAR(height_at(terrain, -0.125, 0.125), 2.0, 1e-15);
        TEST_NEAR(height_at(terrain, 0.125, -0.125), 3.0, 1e-15);
        sinew_terrain_destroy(terrain);
    }
}

static void broken_texts_say_where(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        { "", "map:1:1: found 0 rows of numbers, expected at least 2" },
        { "1 2\n", "found 1 row of numbers, expected at least 2" },
        { "1\n2\n", "map:1:1: found 1 number in this row, expected at least 2" },
        { "1 2\n3 4 5\n", "map:2:1: found 3 numbers in this row, expected 2 as in the first row" },
        { "1 2\n3 x4\n", "map:2:3: found 'x4', expected a number" },
        { "1 2\n3 nan\n", "map:2:3: found 'nan', expected a finite number" },
        { "1 2\n3,,4\n", "map:2:3: found an empty cell, expected a number" },
        { "1 2\n3 1e999\n", "map:2:3: found '1e999', expected a finite number" },
        { "1 2\n3 1e300\n",
            "map: row 2, number 2: found a height of 1e+300 m, expected one within +-1e+6" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sinew_Message message;
        sinew_Terrain *terrain;
        sinew_Status status = sinew_height_map_read_memory(
            cases[i].text, strlen(cases[i].text), "map", NULL, &terrain, &message);
        TEST_TRUE(status != SINEW_STATUS_OK);
        assert_null(terrain);
        if (!strstr(message.text, cases[i].message)) {
            print_message("'%s', want '%s'\n", message.text, cases[i].message);
        }
        assert_non_null(strstr(message.text, cases[i].message));
    }
}

static void broken_options_are_refused(void **state)
{
    (void)state;
    sinew_Message message;
    sinew_Terrain *terrain;
    sinew_HeightMapOptions options = sinew_height_map_options_default();
    options.height = NAN;
    assert_int_equal(sinew_height_map_read_memory("1 2\n3 4", 7, "m", &options, &terrain, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    options = sinew_height_map_options_default();
    options.cell = 0.0;
    assert_int_equal(sinew_height_map_read_memory("1 2\n3 4", 7, "m", &options, &terrain, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "m: cell is 0"));
    assert_int_equal(
        sinew_height_map_read("/no/such.png", NULL, &terrain, &message), SINEW_STATUS_CANNOT_READ);
}

static void memory_is_given_back(void **state)
{
    (void)state;
    bool created = false;
    for (long fail_at = 1; !created; ++fail_at) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        sinew_HeightMapOptions options = sinew_height_map_options_default();
        options.allocator = memory.allocator;
        sinew_Terrain *terrain;
        sinew_Status status = sinew_height_map_read_memory(
            "1 2\n3 4", 7, "m", &options, &terrain, NULL);
        created = status == SINEW_STATUS_OK;
        if (!created) { assert_int_equal(status, SINEW_STATUS_OUT_OF_MEMORY); }
        sinew_terrain_destroy(terrain);
        assert_true(memory.live_bytes == 0 && !memory.wrong_size);
    }
}

static void real_maps(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int vertices;
    } maps[] = { { "terrain/raylib_heightmap.png", 128 * 128 },
        { "terrain/bullet_wm_height_out.png", 512 * 512 },
        { "terrain/bullet_ground0.txt", 401 * 401 } };
    int found = 0;
    for (int i = 0; i < 3; ++i) {
        const char *path = data_path(maps[i].name);
        if (!path) { continue; }
        ++found;
        sinew_Terrain *terrain;
        sinew_Message message;
        TEST_OK(sinew_height_map_read(path, NULL, &terrain, &message), &message);
        sinew_TerrainPatch patch = sinew_terrain_patch(terrain);
        TEST_INT(patch.vertex_count, maps[i].vertices);
        // not all one height
        double low = 1e9, high = -1e9;
        for (int n = 0; n < 2000; ++n) {
            test_Random random = test_case(821, n);
            double x = test_range(&random, patch.low_x, patch.high_x);
            double z = test_range(&random, patch.low_z, patch.high_z);
            low = fmin(low, height_at(terrain, x, z));
            high = fmax(high, height_at(terrain, x, z));
        }
        TEST_TRUE(high - low > 0.5 && high - low < 10.0);
        sinew_terrain_destroy(terrain);
    }
    if (found == 0) { skip(); }
}

// the first two numbers of the first row of the file are its far left corner
static void real_text_has_its_numbers(void **state)
{
    (void)state;
    const char *path = data_path("terrain/bullet_ground0.txt");
    if (!path) { skip(); }
    char name[4200];
    snprintf(name, sizeof name, "%s:0.1,2", path);
    sinew_Terrain *terrain;
    sinew_Message message;
    TEST_OK(sinew_terrain_open(name, NULL, &terrain, &message), &message);
    TEST_NEAR(height_at(terrain, 20.0, 20.0), 2.0 * -0.60575, 1e-9);
    TEST_NEAR(height_at(terrain, 19.9, 20.0), 2.0 * -0.60948, 1e-9);
    sinew_terrain_destroy(terrain);
}

static void names_make_terrains(void **state)
{
    (void)state;
    sinew_TerrainDef def;
    sinew_Message message;
    TEST_OK(sinew_terrain_parse("flat", &def, &message), &message);
    TEST_INT(def.kind, SINEW_TERRAIN_FLAT);
    TEST_OK(sinew_terrain_parse("hills:7", &def, &message), &message);
    TEST_TRUE(def.kind == SINEW_TERRAIN_HILLS && def.seed == 7);
    TEST_OK(sinew_terrain_parse("rough", &def, &message), &message);
    TEST_TRUE(def.kind == SINEW_TERRAIN_ROUGH && def.seed == 1);
    TEST_OK(sinew_terrain_parse("stairs:0.2,0.25", &def, &message), &message);
    TEST_TRUE(def.kind == SINEW_TERRAIN_STAIRS && def.rise == 0.2 && def.tread == 0.25);
    TEST_OK(sinew_terrain_parse("stairs", &def, &message), &message);
    TEST_TRUE(def.rise == 0.17 && def.tread == 0.29);
    TEST_OK(sinew_terrain_parse("ramp:-30", &def, &message), &message);
    TEST_NEAR(def.angle, -SINEW_PI / 6.0, 1e-15);
    TEST_OK(sinew_terrain_parse("slope:20,90", &def, &message), &message);
    TEST_NEAR(def.angle, SINEW_PI / 9.0, 1e-15);
    TEST_NEAR(def.toward, SINEW_PI / 2.0, 1e-15);

    // of a word that is known its own form is asked for, else any
    const char any[] = "want flat, hills[:SEED], rough[:SEED], stairs[:RISE,TREAD]";
    const char hills[] = "want hills[:SEED], a whole SEED of 0 to 2^53";
    const char stairs[] = "want stairs[:RISE,TREAD] in metres";
    const char ramp[] = "want ramp:DEGREES", slope[] = "want slope:DEGREES[,TOWARD]";
    const char *wrong[][2] = { { "", any }, { "hill", any }, { "Flat", any },
        { "flat:", "want flat" }, { "flat:1", "want flat" }, { "hills:", hills },
        { "hills:-1", hills }, { "hills:1.5", hills }, { "hills:1,2", hills },
        { "hills:1 ", hills }, { "hills:99999999999999999", hills }, { "stairs:0.2,", stairs },
        { "stairs:,0.3", stairs }, { "stairs:0.2,0.3,1", stairs }, { "stairs: 0.2", stairs },
        { "ramp", ramp }, { "ramp:steep", ramp }, { "ramp:10,20", ramp }, { "slope", slope },
        { "slope:nan", slope } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        message.text[0] = '\0';
        assert_int_equal(
            sinew_terrain_parse(wrong[i][0], &def, &message), SINEW_STATUS_INVALID_ARGUMENT);
        assert_non_null(strstr(message.text, wrong[i][0]));
        assert_non_null(strstr(message.text, wrong[i][1]));
    }

    sinew_Terrain *terrain;
    assert_int_equal(sinew_terrain_open("stairs:0,0.3", NULL, &terrain, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text,
        "terrain 'stairs:0,0.3': rise is 0, want 0.001 to 2, or -2 to -0.001 (down first)"));
    assert_int_equal(
        sinew_terrain_open("stair", NULL, &terrain, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(
        sinew_terrain_open("no/such.png:1", NULL, &terrain, &message), SINEW_STATUS_CANNOT_READ);
    TEST_OK(sinew_terrain_open("hills:3", NULL, &terrain, &message), &message);
    TEST_INT(sinew_terrain_patch(terrain).triangle_count, SINEW_TERRAIN_TRIANGLES);
    sinew_terrain_destroy(terrain);
}

TEST_MAIN(cmocka_unit_test(maps_lie_as_seen_from_above),
    cmocka_unit_test(every_kind_of_png_is_read), cmocka_unit_test(broken_pngs_say_where),
    cmocka_unit_test(texts_are_read_with_any_separators), cmocka_unit_test(broken_texts_say_where),
    cmocka_unit_test(broken_options_are_refused), cmocka_unit_test(memory_is_given_back),
    cmocka_unit_test(real_maps), cmocka_unit_test(real_text_has_its_numbers),
    cmocka_unit_test(names_make_terrains))
