#include "glue/files.h"

#include "base/message.h"

#include <string.h>

typedef struct Shelf {
    const js_File *files;
    int count;
} Shelf;

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

static sinew_Status read_shelf(void *user, const char *name, const char **out_data,
    size_t *out_size, sinew_Message *out_message)
{
    const Shelf *shelf = user;
    for (int exact = 1; exact >= 0; --exact) {
        for (int i = 0; i < shelf->count; ++i) {
            const js_File *file = &shelf->files[i];
            if (strcmp(exact ? file->name : last_part(file->name), exact ? name : last_part(name))
                == 0) {
                *out_data = file->data;
                *out_size = file->size;
                return SINEW_STATUS_OK;
            }
        }
    }
    return snw_fail(out_message, SINEW_STATUS_CANNOT_READ, "%s was not given", name);
}

sinew_Status js_motion_read(const char *data, size_t size, const char *name,
    const sinew_ReadOptions *options, const js_File *files, int file_count,
    sinew_MotionFile **out_file, sinew_Message *out_message)
{
    const Shelf shelf = { files, file_count };
    sinew_ReadOptions used = *options;
    if (file_count > 0) {
        used.source.read = read_shelf;
        used.source.release = NULL;
        used.source.user = (void *)(uintptr_t)&shelf;
    }
    return sinew_motion_read_memory(data, size, name, &used, out_file, out_message);
}

void js_gltf_positions(sinew_GltfPose *pose, const sinew_MotionFile *file,
    const sinew_Skeleton *skeleton, const double *q, sinew_Vec3 *room, float *out_positions)
{
    const sinew_Gltf *gltf = sinew_motion_gltf(file);
    const double unit = sinew_motion_unit(file);
    sinew_gltf_pose_joints(pose, file, skeleton, q);
    for (int part = 0; part < sinew_gltf_part_count(gltf); ++part) {
        const int count = sinew_gltf_part(gltf, part)->vertex_count;
        sinew_gltf_part_vertices(pose, part, room);
        for (int v = 0; v < count; ++v, out_positions += 3) {
            out_positions[0] = (float)(room[v].x * unit);
            out_positions[1] = (float)(room[v].y * unit);
            out_positions[2] = (float)(room[v].z * unit);
        }
    }
}
