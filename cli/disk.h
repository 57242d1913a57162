#ifndef CLI_DISK_H
#define CLI_DISK_H

// Files that the library and the pictures read and write, by name. Commands go by here and nowhere else
// (tests/check_disk.sh), so that none forgets what cli_output_admit asks: what is read is kept from
// outputs, what is written takes the place of nothing that was read or written before. Parameters and
// answers are those of the functions behind.

#include "pictures/pictures.h"
#include "sinew/file.h"
#include "sinew/individual.h"
#include "sinew/keys_file.h"
#include "sinew/rig.h"
#include "sinew/steering_file.h"
#include "sinew/terrain_file.h"

sinew_Status cli_load_motion(const char *path, const sinew_ReadOptions *options,
    sinew_MotionFile **out_file, sinew_Message *out_message);
sinew_Status cli_load_rig(const char *path, const sinew_Skeleton *skeleton, sinew_Rig **out_rig,
    sinew_Message *out_message);
sinew_Status cli_load_individual(
    const char *path, sinew_Individual *out_individual, sinew_Message *out_message);
sinew_Status cli_load_terrain(
    const char *name, sinew_Terrain **out_terrain, sinew_Message *out_message);
sinew_Status cli_load_sticks(
    const char *path, sinew_StickRecording **out_recording, sinew_Message *out_message);
/// Bytes of a text of malloc, *out_capacity of them.
sinew_Status cli_load_text(const char *path, char **out_data, size_t *out_size,
    size_t *out_capacity, sinew_Message *out_message);

sinew_Status cli_save_motion(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, sinew_Message *out_message);
/// Bytes of a motion file that are made already, and such bytes read as the file at path that they will be.
sinew_Status cli_save_bytes(const char *path, char *data, size_t size, sinew_Message *out_message);
sinew_Status cli_parse_motion(const char *path, const char *data, size_t size,
    const sinew_ReadOptions *options, sinew_MotionFile **out_file, sinew_Message *out_message);
sinew_Status cli_save_rig(const char *path, const sinew_Rig *rig, sinew_Message *out_message);
sinew_Status cli_save_keys(const char *path, const sinew_Keys *keys, sinew_Message *out_message);
sinew_Status cli_save_sheet(
    const picture_Sheet *sheet, const char *path, sinew_Message *out_message);
sinew_Status cli_save_still(
    const picture_Still *still, const char *path, sinew_Message *out_message);
sinew_Status cli_save_limits(
    const picture_Limits *limits, const char *path, sinew_Message *out_message);
sinew_Status cli_save_walk(const picture_Walk *walk, const char *path, sinew_Message *out_message);
sinew_Status cli_save_film(const picture_Film *film, const char *path, sinew_Message *out_message);
sinew_Status cli_save_plot(const picture_Plot *plot, const char *path, sinew_Message *out_message);

#endif
