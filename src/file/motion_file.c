// A motion file in memory: made, asked, warned of, given back.

#include "base/memory.h"
#include "file/bvh.h"
#include "file/gltf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sinew_ReadOptions sinew_read_options_default(void)
{
    sinew_ReadOptions options;
    memset(&options, 0, sizeof options);
    options.positions = SINEW_BVH_POSITIONS_AUTO;
    return options;
}

sinew_WriteOptions sinew_write_options_default(void)
{
    sinew_WriteOptions options;
    memset(&options, 0, sizeof options);
    return options;
}

sinew_MotionFile *snw_motion_create(const sinew_Allocator *allocator)
{
    sinew_MotionFile *file = snw_alloc(allocator, sizeof *file);
    if (file == NULL) { return NULL; }
    file->allocator = *allocator;
    file->bvh = snw_bvh_create(allocator);
    file->first_frame = snw_buffer_create(allocator);
    file->warnings = snw_buffer_create(allocator);
    file->warning_starts = snw_buffer_create(allocator);
    file->link_names = snw_buffer_create(allocator);
    file->link_starts = snw_buffer_create(allocator);
    file->gltf_joints = snw_buffer_create(allocator);
    file->animation = -1;
    return file;
}

void sinew_motion_destroy(sinew_MotionFile *file)
{
    if (file == NULL) { return; }
    sinew_clip_destroy(file->clip);
    sinew_skeleton_destroy(file->skeleton);
    snw_bvh_destroy(&file->bvh);
    snw_buffer_destroy(&file->first_frame);
    snw_buffer_destroy(&file->warnings);
    snw_buffer_destroy(&file->warning_starts);
    snw_buffer_destroy(&file->link_names);
    snw_buffer_destroy(&file->link_starts);
    snw_buffer_destroy(&file->gltf_joints);
    snw_gltf_destroy(file->gltf);
    snw_free(&file->allocator, file, sizeof *file);
}

void snw_motion_warn(sinew_MotionFile *file, const char *format, ...)
{
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c != '\0'; ++c) {
        if ((unsigned char)*c < 0x20) { *c = '?'; }
    }
    size_t start = file->warnings.size;
    snw_buffer_add(&file->warning_starts, &start, sizeof start);
    snw_buffer_add(&file->warnings, line, strlen(line) + 1);
}

// ---------------------------------------------------------------------------------------------
// Questions

sinew_FileFormat sinew_motion_format(const sinew_MotionFile *file)
{
    if (file == NULL) { return SINEW_FORMAT_UNKNOWN; }
    return file->format;
}

const sinew_Skeleton *sinew_motion_skeleton(const sinew_MotionFile *file)
{
    if (file == NULL) { return NULL; }
    return file->skeleton;
}

const sinew_Clip *sinew_motion_clip(const sinew_MotionFile *file)
{
    if (file == NULL) { return NULL; }
    return file->clip;
}

double sinew_motion_unit(const sinew_MotionFile *file)
{
    if (file == NULL) { return 0.0; }
    return file->unit;
}

sinew_UnitSource sinew_motion_unit_source(const sinew_MotionFile *file)
{
    if (file == NULL) { return SINEW_UNIT_ASSUMED; }
    return file->unit_source;
}

double sinew_motion_stature(const sinew_MotionFile *file)
{
    if (file == NULL) { return 0.0; }
    return file->stature;
}

bool sinew_motion_is_end_site(const sinew_MotionFile *file, int joint)
{
    if (file == NULL) { return false; }
    if (file->gltf != NULL) {
        return sinew_motion_node(file, joint) >= 0 && snw_gltf_joints(file)[joint].is_end;
    }
    if (joint < 0 || joint >= file->bvh.joint_count) { return false; }
    return snw_bvh_joints(&file->bvh)[joint].is_end_site;
}

int sinew_motion_find_joint(const sinew_MotionFile *file, const char *name)
{
    if (file == NULL || name == NULL) { return -1; }
    // the joint that stands for the root link of a robot has the name of a link
    int count = (int)(file->link_starts.size / sizeof(size_t));
    const sinew_Joint *joints = sinew_skeleton_joints(file->skeleton);
    for (int j = 1; j < count; ++j) {
        if (strcmp(joints[j].name, name) == 0) { return j; }
    }
    const size_t *starts = (const size_t *)(const void *)file->link_starts.data;
    for (int j = 0; j < count; ++j) {
        if (strcmp(file->link_names.data + starts[j], name) == 0) { return j; }
    }
    return count > 0 ? -1 : sinew_skeleton_find_joint(file->skeleton, name);
}

const char *sinew_motion_link(const sinew_MotionFile *file, int joint)
{
    if (file == NULL) { return NULL; }
    int count = (int)(file->link_starts.size / sizeof(size_t));
    if (joint < 0 || joint >= count) { return NULL; }
    const size_t *starts = (const size_t *)(const void *)file->link_starts.data;
    return file->link_names.data + starts[joint];
}

int sinew_motion_warning_count(const sinew_MotionFile *file)
{
    if (file == NULL) { return 0; }
    return (int)(file->warning_starts.size / sizeof(size_t));
}

const char *sinew_motion_warning(const sinew_MotionFile *file, int index)
{
    if (file == NULL) { return ""; }
    if (index < 0 || index >= sinew_motion_warning_count(file)) { return ""; }
    const size_t *starts = (const size_t *)(const void *)file->warning_starts.data;
    return file->warnings.data + starts[index];
}
