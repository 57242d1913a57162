// A glTF file into a motion file: the document, its skeleton and its clip.

#include "base/memory.h"
#include "base/message.h"
#include "file/gltf.h"

#include <stdlib.h>
#include <string.h>

// A figure that is taller than this in metres was not made in metres, as it should have been.
#define TALLEST 20.0
// Of a message that tells which animations there are.
#define ROOM_FOR_NAMES 160

// Whether sinew wrote it, and noted its frame time; older ones are known by their name alone.
static bool is_own(const snw_GltfAnimation *animation)
{
    return animation->frame_time > 0.0 || strncmp(animation->name, "sinew", 5) == 0;
}

// the names of all animations as far as there is room, in place
static void list_names(const sinew_Gltf *gltf, char *out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    for (int i = 0; i < gltf->animation_count; ++i) {
        const char *own = gltf->animations[i].name, *name = own[0] != '\0' ? own : "(no name)";
        size_t length = strlen(name), kept = sizeof ", ...";
        bool is_last = i == gltf->animation_count - 1;
        if (at + 2 + length + (is_last ? 1 : kept) > size) {
            memcpy(out + at, ", ...", kept);
            return;
        }
        if (i > 0) {
            memcpy(out + at, ", ", 2);
            at += 2;
        }
        memcpy(out + at, name, length + 1);
        at += length;
    }
}

// the animation that options name, by name or number; else the last one that sinew wrote, else the
// first
static sinew_Status choose_animation(const sinew_Gltf *gltf, const char *wanted, int *out_index)
{
    char *end = NULL;
    *out_index = gltf->animation_count > 0 ? 0 : -1;
    for (int i = 0; i < gltf->animation_count; ++i) {
        const char *name = gltf->animations[i].name;
        if (wanted == NULL && is_own(&gltf->animations[i])) { *out_index = i; }
        if (wanted != NULL && strcmp(name, wanted) == 0) {
            *out_index = i;
            return SINEW_STATUS_OK;
        }
    }
    if (wanted == NULL) { return SINEW_STATUS_OK; }
    long number = strtol(wanted, &end, 10);
    if (end != wanted && *end == '\0' && number >= 0 && number < gltf->animation_count) {
        *out_index = (int)number;
        return SINEW_STATUS_OK;
    }
    char names[ROOM_FOR_NAMES];
    list_names(gltf, names, sizeof names);
    return snw_refuse(gltf->message,
        "%s: found no animation \"%s\", expected a name or a number below %d%s%s", gltf->name,
        wanted, gltf->animation_count, gltf->animation_count > 0 ? ": " : "", names);
}

// the figure's height, and its unit where it cannot be metres
static sinew_Status judge_size(sinew_MotionFile *file, bool unit_is_said)
{
    snw_Bvh layout = snw_bvh_create(&file->allocator);
    const sinew_Joint *joints = sinew_skeleton_joints(file->skeleton);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    bool good = true;
    layout.joint_count = sinew_skeleton_joint_count(file->skeleton);
    for (int j = 0; j < layout.joint_count && good; ++j) {
        snw_BvhJoint *joint = snw_buffer_extend(&layout.joints, sizeof *joint);
        good = joint != NULL;
        if (!good) { break; }
        joint->parent = joints[j].parent;
        joint->offset[0] = joints[j].offset.x;
        joint->offset[1] = joints[j].offset.y;
        joint->offset[2] = joints[j].offset.z;
        joint->is_end_site = snw_gltf_joints(file)[j].is_end;
        joint->name = layout.names.size;
        for (int i = 0; i < 3; ++i) { joint->position_place[i] = -1; }
        good = snw_buffer_add(&layout.names, joints[j].name, strlen(joints[j].name) + 1);
        if (joints[j].parent < 0) { continue; }
        snw_BvhJoint *parent = &snw_bvh_joints(&layout)[joints[j].parent];
        ++parent->child_count;
        parent->end_site_count += joint->is_end_site ? 1 : 0;
    }
    snw_BvhUnit guess;
    if (good && snw_bvh_guess_unit(&layout, &file->allocator, &guess)) {
        status = SINEW_STATUS_OK;
        file->stature = guess.stature > 0.0 ? guess.stature / guess.unit : 0.0;
        if (!unit_is_said && file->stature > TALLEST && guess.source == SINEW_UNIT_GUESSED) {
            file->unit = guess.unit;
            file->unit_source = SINEW_UNIT_GUESSED;
            file->stature = guess.stature;
            snw_motion_warn(file,
                "unit: glTF is in metres, which would make the figure %.4g m tall",
                file->stature / guess.unit);
        }
    }
    snw_bvh_destroy(&layout);
    return status;
}

static sinew_Status read_document(sinew_Gltf *gltf, snw_Text *text, const sinew_FileSource *source)
{
    sinew_Status (*const steps[])(sinew_Gltf *) = { snw_gltf_read_views, snw_gltf_read_accessors,
        snw_gltf_read_nodes, snw_gltf_read_skins };
    sinew_Status status = snw_gltf_open(gltf, text);
    if (status == SINEW_STATUS_OK) { status = snw_gltf_load_buffers(gltf, source); }
    for (size_t i = 0; status == SINEW_STATUS_OK && i < sizeof steps / sizeof steps[0]; ++i) {
        status = steps[i](gltf);
    }
    if (status == SINEW_STATUS_OK) { status = snw_gltf_load_images(gltf, source); }
    if (status == SINEW_STATUS_OK) { status = snw_gltf_read_meshes(gltf); }
    return status == SINEW_STATUS_OK ? snw_gltf_read_animations(gltf) : status;
}

static sinew_Status make_motion(sinew_Gltf *gltf, const sinew_ReadOptions *options)
{
    sinew_MotionFile *file = gltf->file;
    double said = options->unit > 0.0
        ? options->unit
        : snw_gltf_noted(snw_json_get(gltf->tree.top, "asset"), "unit", 1e-9, 1e9);
    file->unit = said > 0.0 ? said : 1.0;
    bool is_noted = !(options->unit > 0.0) && file->unit != 1.0;
    file->unit_source = is_noted ? SINEW_UNIT_NOTED : SINEW_UNIT_GIVEN;
    sinew_Status status = choose_animation(gltf, options->animation, &file->animation);
    if (status == SINEW_STATUS_OK) { status = snw_gltf_make_skeleton(gltf, options); }
    if (status == SINEW_STATUS_OK) { status = judge_size(file, said > 0.0); }
    if (status == SINEW_STATUS_OK && file->unit_source == SINEW_UNIT_GUESSED) {
        sinew_skeleton_destroy(file->skeleton);
        file->skeleton = NULL;
        file->gltf_joints.size = 0;
        status = snw_gltf_make_skeleton(gltf, options);
    }
    return status == SINEW_STATUS_OK ? snw_gltf_make_clip(gltf) : status;
}

// a copy of the file that stays, as text and buffers point into it
static bool keep_bytes(sinew_Gltf *gltf, const snw_Text *text)
{
    size_t length = strlen(text->name) + 1;
    gltf->capacity = text->size + 1 + length;
    gltf->data = snw_alloc(&gltf->allocator, gltf->capacity);
    if (gltf->data == NULL) { return false; }
    memcpy(gltf->data, text->data, text->size);
    memcpy(gltf->data + text->size + 1, text->name, length);
    gltf->name = gltf->data + text->size + 1;
    gltf->size = text->size;
    return true;
}

sinew_Status snw_gltf_read(snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file)
{
    sinew_Gltf *gltf = snw_alloc(&file->allocator, sizeof *gltf);
    if (gltf == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    file->gltf = gltf;
    gltf->allocator = file->allocator;
    gltf->message = text->message;
    gltf->file = file;
    if (!keep_bytes(gltf, text)) { return SINEW_STATUS_OUT_OF_MEMORY; }
    sinew_Status status = read_document(gltf, text, &options->source);
    if (status == SINEW_STATUS_OK) { status = make_motion(gltf, options); }
    gltf->message = NULL;
    return status;
}
