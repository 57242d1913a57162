// Nothing is lost and nothing small asks for much: files keep their mode, a film that cannot be written leaves
// the old one, a short PNG takes little memory, and motion in one line is read when its count is right.

#include "testing.h"

#include "file/buffer.h"
#include "sinew/sinew.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_text(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");
    TEST_TRUE(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    TEST_INT(chmod(path, mode), 0);
}

static void test_mode_is_kept(void **state)
{
    (void)state;
    static const mode_t modes[] = { 0600, 0640, 0664, 0755 };
    static const sinew_StickKey key = { 0.0, { 0.5, 0.5, false }, 0.0, 0.0, 0.0 };
    for (int i = 0; i < 4; ++i) {
        const char *path = test_temp_path("kept.csv");
        write_text(path, "old", modes[i]);
        TEST_OK(sinew_stick_write(path, &key, 1, NULL), NULL);
        struct stat about;
        TEST_INT(stat(path, &about), 0);
        TEST_INT(about.st_mode & 07777, modes[i]);
        TEST_TRUE(about.st_size > 10);
    }
}

#define HEAD                                                                      \
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation "      \
    "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 3\nFrame Time: " \
    "0.1\n"

static void test_motion_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *numbers;
        bool good;
    } cases[] = {
        { "1 2 3\n4 5 6\n7 8 9\n", true },
        { "1 2 3 4 5 6 7 8 9\n", true },
        { "1 2 3 4 5 6 7 8 9", true },
        { "1 2 3 4 5 6 7 8\n", false },            // one too few
        { "1 2 3 4 5 6 7 8 9 10 11 12\n", false }, // a frame too many
        { "1 2 3 4\n5 6\n7 8 9\n", false },        // broken lines
        { "1 2 3 4 5 6\n7 8 9\n", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[600];
        snprintf(text, sizeof text, HEAD "%s", cases[i].numbers);
        sinew_MotionFile *file = NULL;
        sinew_Message message = { "" };
        sinew_Status status = sinew_motion_read_memory(
            text, strlen(text), "one.bvh", NULL, &file, &message);
        print_message("    %s: %s\n", cases[i].good ? "good" : "bad", message.text);
        TEST_INT(status, cases[i].good ? SINEW_STATUS_OK : SINEW_STATUS_BAD_FILE);
        if (file != NULL) {
            const sinew_Clip *clip = sinew_motion_clip(file);
            TEST_INT(sinew_clip_frame_count(clip), 3);
            sinew_motion_destroy(file);
        }
    }
}

static void test_byte_0_in_a_name(void **state)
{
    (void)state;
    char text[] = HEAD "1 2 3\n4 5 6\n7 8 9\n";
    size_t size = sizeof text - 1;
    strstr(text, "Hips")[2] = '\0';
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_motion_read_memory(text, size, "nul.bvh", NULL, &file, &message),
        SINEW_STATUS_BAD_FILE);
    TEST_TRUE(strncmp(message.text, "nul.bvh:2:8: ", 13) == 0);
}

static void add_bytes(png_structp png, png_bytep data, size_t size)
{
    snw_buffer_add(png_get_io_ptr(png), data, size);
}

static void no_flush(png_structp png)
{
    (void)png;
}

// a header that asks for 100 MB, and 2000 bytes
static void test_small_picture_takes_little(void **state)
{
    (void)state;
    snw_Buffer bytes = snw_buffer_create(NULL);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &bytes, add_bytes, no_flush);
    png_set_IHDR(png, info, 4096, 4096, 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_bytep row = calloc(4096, 6);
    for (int r = 0; r < 4096; ++r) { png_write_row(png, row); }
    free(row);
    png_destroy_write_struct(&png, &info);
    TEST_TRUE(bytes.size > 3000);
    bytes.size = 2000;

    test_Memory memory;
    test_memory_init(&memory);
    sinew_HeightMapOptions options = sinew_height_map_options_default();
    options.allocator = memory.allocator;
    sinew_Terrain *terrain = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_height_map_read_memory(
                 bytes.data, bytes.size, "big.png", &options, &terrain, &message),
        SINEW_STATUS_BAD_FILE);
    print_message("    %s\n", message.text);
    TEST_TRUE(strstr(message.text, "more pixels than") != NULL);
    snw_buffer_destroy(&bytes);
}

// an ffmpeg on a full disk: it reads all, writes a part, complains, and ends with status 0
static void test_film_on_a_full_disk(void **state)
{
    (void)state;
#ifndef SINEW_COMMAND
    skip();
#else
    const char *program = test_temp_path("ffmpeg");
    char folder[500], call[3000];
    snprintf(folder, sizeof folder, "%s", program);
    *strrchr(folder, '/') = '\0';
    write_text(program,
        "#!/bin/sh\nfor last; do :; done\nhead -c 1000 >/dev/null\nprintf part >\"${last#file:}\"\n"
        "cat >/dev/null\n[ -z \"$FULL\" ] || echo 'No space left on device' >&2\nexit 0\n",
        0755);
    char film[600];
    snprintf(film, sizeof film, "%s/film.mp4", folder);
    for (int full = 0; full < 2; ++full) {
        write_text(film, "the old film", 0644);
        snprintf(call, sizeof call,
            "PATH='%s':\"$PATH\" FULL=%s '%s' walk --seconds 0.2 -o '%s' >/dev/null "
            "2>'%s/said'",
            folder, full ? "1" : "", SINEW_COMMAND, film, folder);
        int result = system(call);
        char found[40] = "", said[300] = "", name[600];
        FILE *file = fopen(film, "r");
        TEST_TRUE(file != NULL && fgets(found, sizeof found, file) != NULL);
        fclose(file);
        snprintf(name, sizeof name, "%s/said", folder);
        file = fopen(name, "r");
        if (file != NULL && fgets(said, sizeof said, file) != NULL) {
            print_message("    %s", said);
        }
        if (file != NULL) { fclose(file); }
        unlink(name);
        TEST_INT(WIFEXITED(result) ? WEXITSTATUS(result) : -1, full);
        TEST_TRUE(strcmp(found, full ? "the old film" : "part") == 0);
        if (full) { TEST_TRUE(strstr(said, "No space left") != NULL); }
    }
    unlink(film);
    unlink(program);
#endif
}

TEST_MAIN(cmocka_unit_test(test_mode_is_kept), cmocka_unit_test(test_motion_in_one_line),
    cmocka_unit_test(test_byte_0_in_a_name), cmocka_unit_test(test_small_picture_takes_little),
    cmocka_unit_test(test_film_on_a_full_disk))
