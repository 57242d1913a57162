#ifndef JS_FILES_H
#define JS_FILES_H

/// \file
/// Files that refer to other files, all of them in memory.

#include "sinew/gltf.h"

/// A file by its name.
typedef struct js_File {
    const char *name;
    const void *data;
    size_t size;
} js_File;

/// sinew_motion_read_memory, with the files that it may refer to: by their whole name as it is written there,
/// or else by what stands behind its last slash.
SINEW_API sinew_Status js_motion_read(const char *data, size_t size, const char *name,
    const sinew_ReadOptions *options, const js_File *files, int file_count,
    sinew_MotionFile **out_file, sinew_Message *out_message);

/// All vertices of a glTF file in a pose of its skeleton, metres, part after part; room: for those of all parts.
SINEW_API void js_gltf_positions(sinew_GltfPose *pose, const sinew_MotionFile *file,
    const sinew_Skeleton *skeleton, const double *q, sinew_Vec3 *room, float *out_positions);

#endif
