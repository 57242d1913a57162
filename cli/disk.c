#include "disk.h"

#include "output.h"

#include "base/memory.h"
#include "file/buffer.h"
#include "file/text.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Reading

sinew_Status cli_load_text(const char *path, char **out_data, size_t *out_size,
    size_t *out_capacity, sinew_Message *out_message)
{
    sinew_Allocator allocator = snw_allocator_or_default(NULL);
    cli_output_protect(path);
    return snw_text_read_file(path, &allocator, out_data, out_size, out_capacity, out_message);
}

/// Buffers and images that a glTF file names: read as well, so kept as well.
static sinew_Status load_beside(void *user, const char *name, const char **out_data,
    size_t *out_size, sinew_Message *out_message)
{
    const char *of = user, *slash = strrchr(of, '/');
    size_t folder = slash != NULL ? (size_t)(slash - of) + 1 : 0;
    size_t length = folder + strlen(name) + 1, capacity;
    char *path = malloc(length), *data = NULL;
    if (path == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    memcpy(path, of, folder);
    memcpy(path + folder, name, length - folder);
    sinew_Status status = cli_load_text(path, &data, out_size, &capacity, out_message);
    free(path);
    *out_data = data;
    return status;
}

static void release_beside(void *user, const char *data, size_t size)
{
    (void)user;
    sinew_Allocator allocator = snw_allocator_or_default(NULL);
    // as large as snw_text_read_file makes it: one byte more than the file
    snw_free(&allocator, (void *)(uintptr_t)data, size + 1);
}

/// With what the file at path refers to.
static sinew_ReadOptions options_beside(const char *path, const sinew_ReadOptions *options)
{
    sinew_ReadOptions used = *options;
    used.source.read = load_beside;
    used.source.release = release_beside;
    used.source.user = (void *)(uintptr_t)path;
    return used;
}

sinew_Status cli_load_motion(const char *path, const sinew_ReadOptions *options,
    sinew_MotionFile **out_file, sinew_Message *out_message)
{
    sinew_ReadOptions used = options_beside(path, options);
    cli_output_protect(path);
    return sinew_motion_read(path, &used, out_file, out_message);
}

sinew_Status cli_parse_motion(const char *path, const char *data, size_t size,
    const sinew_ReadOptions *options, sinew_MotionFile **out_file, sinew_Message *out_message)
{
    sinew_ReadOptions used = options_beside(path, options);
    return sinew_motion_read_memory(data, size, path, &used, out_file, out_message);
}

sinew_Status cli_load_rig(const char *path, const sinew_Skeleton *skeleton, sinew_Rig **out_rig,
    sinew_Message *out_message)
{
    cli_output_protect(path);
    return sinew_rig_read(path, skeleton, NULL, out_rig, out_message);
}

sinew_Status cli_load_individual(
    const char *path, sinew_Individual *out_individual, sinew_Message *out_message)
{
    cli_output_protect(path);
    return sinew_individual_read(path, out_individual, out_message);
}

sinew_Status cli_load_terrain(
    const char *name, sinew_Terrain **out_terrain, sinew_Message *out_message)
{
    // a file of heights may have numbers behind a colon; names that are no files protect nothing
    char path[4096];
    const char *colon = strrchr(name, ':');
    cli_output_protect(name);
    if (colon != NULL && (size_t)(colon - name) < sizeof path) {
        memcpy(path, name, (size_t)(colon - name));
        path[colon - name] = '\0';
        cli_output_protect(path);
    }
    return sinew_terrain_open(name, NULL, out_terrain, out_message);
}

sinew_Status cli_load_sticks(
    const char *path, sinew_StickRecording **out_recording, sinew_Message *out_message)
{
    cli_output_protect(path);
    return sinew_stick_read(path, NULL, out_recording, out_message);
}

// ---------------------------------------------------------------------------------------------
// Writing

/// A motion on standard output is BVH.
static sinew_Status print_motion(
    const sinew_Clip *clip, const sinew_WriteOptions *options, sinew_Message *out_message)
{
    char *data = NULL;
    size_t size = 0;
    sinew_Status status = sinew_motion_write_memory(
        "-.bvh", clip, options, NULL, &data, &size, out_message);
    if (status == SINEW_STATUS_OK && !cli_output_print(data, size)) {
        status = SINEW_STATUS_CANNOT_WRITE;
    }
    free(data);
    return status;
}

sinew_Status cli_save_motion(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (strcmp(path, "-") == 0) { return print_motion(clip, options, out_message); }
    return cli_output_written(path, sinew_motion_write(path, clip, options, out_message));
}

sinew_Status cli_save_bytes(const char *path, char *data, size_t size, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (strcmp(path, "-") == 0) {
        return cli_output_print(data, size) ? SINEW_STATUS_OK : SINEW_STATUS_CANNOT_WRITE;
    }
    const snw_Buffer content = { .data = data, .size = size };
    return cli_output_written(path, snw_file_save(path, &content, out_message));
}

sinew_Status cli_save_rig(const char *path, const sinew_Rig *rig, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    return status != SINEW_STATUS_OK
        ? status
        : cli_output_written(path, sinew_rig_write(path, rig, out_message));
}

sinew_Status cli_save_keys(const char *path, const sinew_Keys *keys, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    return status != SINEW_STATUS_OK
        ? status
        : cli_output_written(path, sinew_keys_write(path, keys, out_message));
}

sinew_Status cli_save_sheet(
    const picture_Sheet *sheet, const char *path, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    return status != SINEW_STATUS_OK
        ? status
        : cli_output_written(path, picture_sheet_write(sheet, path, out_message));
}

sinew_Status cli_save_still(
    const picture_Still *still, const char *path, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    return status != SINEW_STATUS_OK
        ? status
        : cli_output_written(path, picture_still_write(still, path, out_message));
}

sinew_Status cli_save_limits(
    const picture_Limits *limits, const char *path, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    return status != SINEW_STATUS_OK
        ? status
        : cli_output_written(path, picture_limits_write(limits, path, out_message));
}

sinew_Status cli_save_walk(const picture_Walk *walk, const char *path, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    return status != SINEW_STATUS_OK
        ? status
        : cli_output_written(path, picture_walk_write(walk, path, out_message));
}

sinew_Status cli_save_film(const picture_Film *film, const char *path, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    return status != SINEW_STATUS_OK
        ? status
        : cli_output_written(path, picture_film_write(film, path, out_message));
}

sinew_Status cli_save_plot(const picture_Plot *plot, const char *path, sinew_Message *out_message)
{
    sinew_Status status = cli_output_admit(path, out_message);
    return status != SINEW_STATUS_OK
        ? status
        : cli_output_written(path, picture_plot_write(plot, path, out_message));
}
