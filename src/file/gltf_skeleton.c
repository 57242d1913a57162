// From nodes to a skeleton and a clip.
//
// Joints are the nodes of skins, the nodes between them, moving nodes above them and bare nodes below
// them; without skins all nodes of the scene. Fixed nodes above the joints go into the roots.
//
// A skeleton is rigid, nodes have scales. The world map of a node at rest is a rotation times a
// stretch; the rotation is the joint's. Where the stretch is the same in all directions it changes
// places with every rotation, so joint and node turn alike in every pose:
//     parent_from_joint = place: map (translation), turn: left rotation right
// with a constant map and constant rotations left and right, exact at rest and, with even scales,
// everywhere. Where a scale above a joint differs by direction, a pose of the rigid joints is still
// told to the nodes by their own rotations, and what the file then shows differs by a shear; how far
// joints come apart in the file's own motion is told as a warning.

#include "base/memory.h"
#include "base/message.h"
#include "file/gltf.h"
#include "file/gltf_pose.h"
#include "sinew/pose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A joint whose place changes by less than this part of the longest bone keeps its place.
#define STILL 1e-5

// Rates that keys are looked for at, per second. Keys are on a rate when each is this near to a frame,
// seconds: single precision at a minute, and rounded thousandths.
static const double rates[] = { 10.0, 12.0, 15.0, 20.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0,
    100.0, 120.0, 240.0 };
#define RATE_COUNT ((int)(sizeof rates / sizeof rates[0]))
#define ON_FRAME 2.5e-4
// Rate of keys that are on none, and the least one for keys with curves between them.
#define FREE_RATE 60.0

// Times in single precision are this exact, as a part of themselves.
#define TIME_ROUNDING 2.5e-7

// Most frames and numbers that keys are spread to; longer motions get a lower rate.
#define MAX_FRAMES 200000.0
#define MAX_NUMBERS 67108864.0

// Joints this far from where the file has them are told, as a part of the figure's size.
#define TOLD_DISTANCE 1e-3

// A scale that moves by more than this is told.
#define TOLD_SCALE 1e-3

typedef struct Builder {
    sinew_Gltf *gltf;
    sinew_MotionFile *file;
    const sinew_ReadOptions *options;
    bool *is_skin_joint, *is_joint, *has_mesh_below, *has_joint_below, *slides;
    sinew_Vec3 *places; // of nodes in their parents, in the first key of the chosen animation
    int *joint_of_node;
    sinew_Affine *worlds;  // of nodes at rest
    sinew_Quat *rotations; // of joints in the world at rest, by node
    sinew_JointDef *defs;
    sinew_Axis (*axes)[4];
    int joint_count;
} Builder;

// ---------------------------------------------------------------------------------------------
// Which nodes are joints

static void mark_skins(Builder *builder, bool all)
{
    const sinew_Gltf *gltf = builder->gltf;
    for (int n = 0; n < gltf->node_count; ++n) {
        int s = gltf->nodes[n].skin;
        if (all || s < 0 || !gltf->nodes[n].in_scene) { continue; }
        for (int j = 0; j < gltf->skins[s].joint_count; ++j) {
            builder->is_skin_joint[gltf->skins[s].joints[j]] = true;
        }
    }
    for (int s = 0; s < gltf->skin_count && all; ++s) {
        for (int j = 0; j < gltf->skins[s].joint_count; ++j) {
            builder->is_skin_joint[gltf->skins[s].joints[j]] = true;
        }
    }
}

static bool any_skin_joint(const Builder *builder)
{
    for (int n = 0; n < builder->gltf->node_count; ++n) {
        if (builder->is_skin_joint[n] && builder->gltf->nodes[n].in_scene) { return true; }
    }
    return false;
}

static void choose_by_skins(Builder *builder)
{
    const sinew_Gltf *gltf = builder->gltf;
    for (int i = gltf->order_count - 1; i >= 0; --i) {
        int n = gltf->order[i], parent = gltf->nodes[n].parent;
        const snw_GltfNode *node = &gltf->nodes[n];
        if (node->mesh >= 0 || node->has_camera) { builder->has_mesh_below[n] = true; }
        if (parent < 0) { continue; }
        bool joint = builder->is_skin_joint[n] || builder->has_joint_below[n];
        builder->has_joint_below[parent] = builder->has_joint_below[parent] || joint;
        builder->has_mesh_below[parent] = builder->has_mesh_below[parent]
            || builder->has_mesh_below[n];
    }
    for (int i = 0; i < gltf->order_count; ++i) {
        int n = gltf->order[i], parent = gltf->nodes[n].parent;
        bool below = parent >= 0 && builder->is_joint[parent];
        builder->is_joint[n] = builder->is_skin_joint[n]
            || (builder->has_joint_below[n] && (below || gltf->nodes[n].moves))
            || (below && !builder->has_mesh_below[n]);
    }
}

// a camera or a lamp at the end of a branch is no joint, unless there is nothing else
static void choose_by_scene(Builder *builder)
{
    const sinew_Gltf *gltf = builder->gltf;
    int count = 0;
    for (int n = 0; n < gltf->node_count; ++n) {
        const snw_GltfNode *node = &gltf->nodes[n];
        builder->is_joint[n] = node->in_scene && !(node->has_camera && node->first_child < 0);
        count += builder->is_joint[n] ? 1 : 0;
    }
    for (int n = 0; n < gltf->node_count && count == 0; ++n) {
        builder->is_joint[n] = gltf->nodes[n].in_scene;
    }
}

static sinew_Status choose_joints(Builder *builder)
{
    sinew_Gltf *gltf = builder->gltf;
    mark_skins(builder, false);
    if (!any_skin_joint(builder)) { mark_skins(builder, true); }
    if (any_skin_joint(builder)) {
        choose_by_skins(builder);
    } else {
        choose_by_scene(builder);
    }
    for (int i = 0; i < gltf->order_count; ++i) {
        int n = gltf->order[i];
        builder->is_joint[n] = builder->is_joint[n] && gltf->nodes[n].in_scene;
        builder->joint_of_node[n] = builder->is_joint[n] ? builder->joint_count++ : -1;
    }
    if (builder->joint_count > 0) { return SINEW_STATUS_OK; }
    return snw_gltf_fail(gltf, gltf->tree.top, "a scene without nodes", "at least one node in it");
}

// ---------------------------------------------------------------------------------------------
// Joints

static sinew_Quat parent_rotation(const Builder *builder, int node)
{
    int parent = builder->gltf->nodes[node].parent;
    bool has = parent >= 0 && builder->is_joint[parent];
    return has ? builder->rotations[parent] : sinew_quat_identity();
}

static sinew_Status fail_flat(const Builder *builder, int node)
{
    const sinew_Gltf *gltf = builder->gltf;
    char found[160];
    snprintf(found, sizeof found, "node \"%.80s\" scaled to nothing in some direction",
        gltf->nodes[node].name);
    snw_gltf_fail(gltf, gltf->nodes[node].json, found, "joints with a scale other than 0");
    return SINEW_STATUS_UNSUPPORTED;
}

// the map from the node's translation to the offset in the frame of the parent joint
static sinew_Status bind_place(const Builder *builder, int node, snw_GltfJoint *joint)
{
    int parent = builder->gltf->nodes[node].parent;
    sinew_Affine map = { sinew_mat3_identity(), { 0.0, 0.0, 0.0 } };
    joint->left = sinew_quat_identity();
    if (parent >= 0 && builder->is_joint[parent]) {
        map.linear = sinew_mat3_mul(
            sinew_mat3_transpose(sinew_mat3_from_quat(builder->rotations[parent])),
            builder->worlds[parent].linear);
    } else if (parent >= 0) {
        sinew_Mat3 stretch;
        map = builder->worlds[parent];
        if (!snw_gltf_split(map.linear, &joint->left, &stretch)) {
            return fail_flat(builder, parent);
        }
    }
    joint->parent_from_translation = map;
    if (!snw_mat3_inverse(map.linear, &joint->translation_from_parent.linear)) {
        return fail_flat(builder, parent);
    }
    joint->translation_from_parent.position = sinew_vec3_scale(
        sinew_mat3_mul_vec3(joint->translation_from_parent.linear, map.position), -1.0);
    return SINEW_STATUS_OK;
}

static sinew_Status bind_turn(Builder *builder, int n, snw_GltfJoint *joint)
{
    const snw_GltfNode *node = &builder->gltf->nodes[n];
    sinew_Quat parent = parent_rotation(builder, n),
               own = sinew_quat_mul(joint->left, node->rotation);
    sinew_Mat3 stretch;
    if (!snw_gltf_split(builder->worlds[n].linear, &builder->rotations[n], &stretch)) {
        // the end of a branch needs no frame that anything hangs in
        if (node->first_child >= 0) { return fail_flat(builder, n); }
        builder->rotations[n] = sinew_quat_mul(parent, own);
    }
    sinew_Quat rest = sinew_quat_mul(sinew_quat_conjugate(parent), builder->rotations[n]);
    joint->right = sinew_quat_normalize(sinew_quat_mul(sinew_quat_conjugate(own), rest));
    return SINEW_STATUS_OK;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), want = strlen(ending);
    if (length < want) { return false; }
    snw_Span span = { text + length - want, want };
    return snw_span_is(span, ending);
}

// a leaf that never moves and belongs to no skin, or is called what programs call ends of bones
static bool is_end(const Builder *builder, int n)
{
    const snw_GltfNode *node = &builder->gltf->nodes[n];
    char name[64];
    if (node->moves || node->first_child >= 0) { return false; }
    if (node->parent < 0 || !builder->is_joint[node->parent]) { return false; }
    snprintf(name, sizeof name, "%.63s", node->name);
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9') { --length; }
    name[length] = '\0';
    bool named = ends_with(name, "_end") || ends_with(name, "_end_") || ends_with(name, "nub");
    return named || (builder->gltf->skin_count > 0 && !builder->is_skin_joint[n]);
}

static sinew_Status add_joint(Builder *builder, int n)
{
    const snw_GltfNode *node = &builder->gltf->nodes[n];
    int j = builder->joint_of_node[n];
    snw_GltfJoint joint;
    memset(&joint, 0, sizeof joint);
    joint.node = n;
    joint.is_end = is_end(builder, n);
    sinew_Status status = bind_place(builder, n, &joint);
    if (status == SINEW_STATUS_OK) { status = bind_turn(builder, n, &joint); }
    if (status != SINEW_STATUS_OK) { return status; }

    bool has_parent = node->parent >= 0 && builder->is_joint[node->parent];
    sinew_JointDef *def = &builder->defs[j];
    sinew_Axis *axes = builder->axes[j];
    *def = sinew_joint_def_default();
    def->name = node->name;
    def->parent = has_parent ? builder->joint_of_node[node->parent] : -1;
    sinew_Affine place = joint.parent_from_translation;
    def->offset = sinew_vec3_scale(
        sinew_vec3_add(place.position, sinew_mat3_mul_vec3(place.linear, builder->places[n])),
        builder->file->unit);
    def->rest_rotation = sinew_quat_normalize(
        sinew_quat_mul(joint.left, sinew_quat_mul(node->rotation, joint.right)));
    def->axes = axes;
    if (!has_parent || builder->slides[n]) {
        axes[def->axis_count++] = sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0));
        axes[def->axis_count++] = sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0));
        axes[def->axis_count++] = sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0));
    }
    if (!joint.is_end) { axes[def->axis_count++] = sinew_axis_ball(); }
    snw_buffer_add(&builder->file->gltf_joints, &joint, sizeof joint);
    return builder->file->gltf_joints.failed ? SINEW_STATUS_OUT_OF_MEMORY : SINEW_STATUS_OK;
}

// Whether the chosen animation shifts a node against its parent. A node that it holds still elsewhere
// than at rest has its joint there.
static void find_slides(Builder *builder)
{
    const sinew_Gltf *gltf = builder->gltf;
    for (int n = 0; n < gltf->node_count; ++n) { builder->places[n] = gltf->nodes[n].translation; }
    int animation = builder->file->animation;
    const snw_GltfAnimation *source = animation >= 0 ? &gltf->animations[animation] : NULL;
    for (int c = 0; source != NULL && c < source->channel_count; ++c) {
        const snw_GltfChannel *channel = &source->channels[c];
        if (channel->path != SNW_GLTF_TRANSLATION) { continue; }
        sinew_Vec3 *place = &builder->places[channel->node];
        int step = channel->interpolation == SNW_GLTF_CUBIC ? 9 : 3;
        for (int k = 0; k < channel->key_count; ++k) {
            const double *v = channel->values + k * step + (step == 9 ? 3 : 0);
            sinew_Vec3 key = sinew_vec3(v[0], v[1], v[2]);
            if (k == 0) { *place = key; }
            if (sinew_vec3_distance(*place, key) > STILL * gltf->longest) {
                builder->slides[channel->node] = true;
            }
        }
        if (builder->slides[channel->node]) { *place = gltf->nodes[channel->node].translation; }
    }
}

static sinew_Status fill_joints(Builder *builder)
{
    sinew_Gltf *gltf = builder->gltf;
    for (int i = 0; i < gltf->order_count; ++i) {
        int n = gltf->order[i], parent = gltf->nodes[n].parent;
        const snw_GltfNode *node = &gltf->nodes[n];
        sinew_Affine own = snw_gltf_local(node->translation, node->rotation, node->stretch);
        builder->worlds[n] = parent >= 0 ? snw_affine_mul(builder->worlds[parent], own) : own;
        if (!builder->is_joint[n]) { continue; }
        sinew_Status status = add_joint(builder, n);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    sinew_Message message;
    sinew_Status status = sinew_skeleton_create(
        builder->defs, builder->joint_count, &gltf->allocator, &builder->file->skeleton, &message);
    if (status == SINEW_STATUS_INVALID_ARGUMENT) {
        return snw_fail(gltf->message, SINEW_STATUS_BAD_FILE, "%s: with a unit of %g m, %s",
            gltf->name, builder->file->unit, message.text);
    }
    return status;
}

sinew_Status snw_gltf_make_skeleton(sinew_Gltf *gltf, const sinew_ReadOptions *options)
{
    Builder builder;
    memset(&builder, 0, sizeof builder);
    size_t count = (size_t)gltf->node_count;
    builder.gltf = gltf;
    builder.file = gltf->file;
    builder.options = options;
    // given back with the document
    builder.is_skin_joint = snw_json_take(&gltf->tree, count);
    builder.is_joint = snw_json_take(&gltf->tree, count);
    builder.has_mesh_below = snw_json_take(&gltf->tree, count);
    builder.has_joint_below = snw_json_take(&gltf->tree, count);
    builder.slides = snw_json_take(&gltf->tree, count);
    builder.places = snw_json_take(&gltf->tree, count * sizeof *builder.places);
    builder.joint_of_node = snw_json_take(&gltf->tree, count * sizeof *builder.joint_of_node);
    builder.worlds = snw_alloc_array(&gltf->allocator, count, sizeof *builder.worlds);
    builder.rotations = snw_alloc_array(&gltf->allocator, count, sizeof *builder.rotations);
    builder.defs = snw_alloc_array(&gltf->allocator, count, sizeof *builder.defs);
    builder.axes = snw_alloc_array(&gltf->allocator, count, sizeof *builder.axes);
    bool ready = builder.is_skin_joint && builder.is_joint && builder.has_mesh_below
        && builder.has_joint_below && builder.slides && builder.places && builder.joint_of_node
        && builder.worlds && builder.rotations && builder.defs && builder.axes;
    sinew_Status status = ready ? choose_joints(&builder) : SINEW_STATUS_OUT_OF_MEMORY;
    if (status == SINEW_STATUS_OK) {
        find_slides(&builder);
        status = fill_joints(&builder);
    }
    snw_free(&gltf->allocator, builder.worlds, count * sizeof *builder.worlds);
    snw_free(&gltf->allocator, builder.rotations, count * sizeof *builder.rotations);
    snw_free(&gltf->allocator, builder.defs, count * sizeof *builder.defs);
    snw_free(&gltf->allocator, builder.axes, count * sizeof *builder.axes);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Joints and nodes

const snw_GltfJoint *snw_gltf_joints(const sinew_MotionFile *file)
{
    return (const snw_GltfJoint *)(const void *)file->gltf_joints.data;
}

void snw_gltf_node_place(const sinew_MotionFile *file, int joint, sinew_Transform parent_from_joint,
    sinew_Vec3 *out_translation, sinew_Quat *out_rotation)
{
    const snw_GltfJoint *j = &snw_gltf_joints(file)[joint];
    sinew_Vec3 place = sinew_vec3_scale(parent_from_joint.position, 1.0 / file->unit);
    *out_translation = sinew_vec3_add(j->translation_from_parent.position,
        sinew_mat3_mul_vec3(j->translation_from_parent.linear, place));
    *out_rotation = sinew_quat_normalize(sinew_quat_mul(sinew_quat_conjugate(j->left),
        sinew_quat_mul(parent_from_joint.rotation, sinew_quat_conjugate(j->right))));
}

// the coordinates of a joint for a place and rotation of its node
static void set_joint(
    const sinew_MotionFile *file, int joint, const snw_GltfLocal *local, double *q)
{
    const sinew_Joint *source = &sinew_skeleton_joints(file->skeleton)[joint];
    const snw_GltfJoint *j = &snw_gltf_joints(file)[joint];
    double *out = q + source->coordinate_start;
    sinew_Quat back = sinew_quat_conjugate(source->rest_rotation);
    if (source->axis_count >= 3) {
        sinew_Vec3 offset = sinew_vec3_scale(
            sinew_vec3_add(j->parent_from_translation.position,
                sinew_mat3_mul_vec3(j->parent_from_translation.linear, local->translation)),
            file->unit);
        sinew_Vec3 way = sinew_quat_rotate(back, sinew_vec3_sub(offset, source->offset));
        *out++ = way.x;
        *out++ = way.y;
        *out++ = way.z;
    }
    if (source->axis_count % 3 == 0) { return; }
    sinew_Quat turn = sinew_quat_normalize(
        sinew_quat_mul(back, sinew_quat_mul(j->left, sinew_quat_mul(local->rotation, j->right))));
    // both signs are the same rotation: the one that is nearer to none
    if (turn.w < 0.0) {
        turn.x = -turn.x;
        turn.y = -turn.y;
        turn.z = -turn.z;
        turn.w = -turn.w;
    }
    memcpy(out, &turn, sizeof turn);
}

// ---------------------------------------------------------------------------------------------
// Frames

static bool is_on_rate(const snw_GltfAnimation *animation, double rate)
{
    for (int c = 0; c < animation->channel_count; ++c) {
        const snw_GltfChannel *channel = &animation->channels[c];
        for (int k = 0; k < channel->key_count; ++k) {
            double frame = channel->times[k] * rate;
            if (fabs(frame - floor(frame + 0.5)) > ON_FRAME * rate) { return false; }
        }
    }
    return true;
}

static const snw_GltfChannel *densest_channel(const snw_GltfAnimation *animation)
{
    const snw_GltfChannel *most = NULL;
    for (int c = 0; c < animation->channel_count; ++c) {
        const snw_GltfChannel *channel = &animation->channels[c];
        if (most == NULL || channel->key_count > most->key_count) { most = channel; }
    }
    return most;
}

// the rate of keys at equal distances from 0 on, as recorded motions have them; 0: they are not
static double even_rate(const snw_GltfAnimation *animation)
{
    const snw_GltfChannel *keys = densest_channel(animation);
    if (keys == NULL || keys->key_count < 2) { return 0.0; }
    double last = keys->times[keys->key_count - 1], step = last / (keys->key_count - 1);
    for (int k = 0; k < keys->key_count; ++k) {
        if (fabs(keys->times[k] - k * step) > TIME_ROUNDING * last) { return 0.0; }
    }
    for (int i = 0; i < RATE_COUNT; ++i) {
        if (fabs(step * rates[i] - 1.0) < TIME_ROUNDING) { return rates[i]; }
    }
    return 1.0 / step;
}

// when a frame is: at its key where there is one, as keys are rounded
static double time_of_frame(const sinew_MotionFile *file, int frame)
{
    double time = frame * sinew_clip_frame_time(file->clip);
    if (file->animation < 0) { return time; }
    const snw_GltfChannel *keys = densest_channel(&file->gltf->animations[file->animation]);
    bool has_key = keys != NULL && frame < keys->key_count
        && fabs(keys->times[frame] - time) <= TIME_ROUNDING * keys->times[keys->key_count - 1];
    return has_key ? keys->times[frame] : time;
}

static double frame_rate(const snw_GltfAnimation *animation)
{
    bool straight = true;
    double even = even_rate(animation);
    for (int c = 0; c < animation->channel_count; ++c) {
        straight = straight && animation->channels[c].interpolation == SNW_GLTF_LINEAR;
    }
    if (even > 0.0 && (straight || even >= FREE_RATE) && is_on_rate(animation, even)) {
        return even;
    }
    for (int i = 0; i < RATE_COUNT; ++i) {
        if ((straight || rates[i] >= FREE_RATE) && is_on_rate(animation, rates[i])) {
            return rates[i];
        }
    }
    return FREE_RATE;
}

// how far the rigid joints are from the nodes in one frame
static double measure_frame(
    const sinew_MotionFile *file, const sinew_GltfPose *pose, int frame, sinew_Transform *scratch)
{
    double worst = 0.0;
    sinew_pose_forward(file->skeleton, sinew_clip_frame_const(file->clip, frame), scratch);
    for (int j = 0; j < sinew_skeleton_joint_count(file->skeleton); ++j) {
        sinew_Vec3 there = pose->worlds[snw_gltf_joints(file)[j].node].position;
        double away = sinew_vec3_distance(scratch[j].position, sinew_vec3_scale(there, file->unit));
        if (away > worst) { worst = away; }
    }
    return worst;
}

static void fill_frames(sinew_MotionFile *file, sinew_GltfPose *pose, sinew_Transform *scratch)
{
    double worst = 0.0;
    int worst_frame = 0;
    for (int f = 0; f < sinew_clip_frame_count(file->clip); ++f) {
        double *q = sinew_clip_frame(file->clip, f);
        sinew_gltf_pose_animate(pose, file->animation, time_of_frame(file, f));
        for (int j = 0; j < sinew_skeleton_joint_count(file->skeleton); ++j) {
            set_joint(file, j, &pose->locals[snw_gltf_joints(file)[j].node], q);
        }
        double away = measure_frame(file, pose, f, scratch);
        if (away > worst) {
            worst = away;
            worst_frame = f;
        }
    }
    if (worst > TOLD_DISTANCE * sinew_skeleton_size(file->skeleton)) {
        snw_motion_warn(file,
            "scales that move or differ by direction: joints are up to %.3g m from where the file "
            "shows them, first at frame %d",
            worst, worst_frame);
    }
}

// what an animation does beside turning and shifting nodes
static void tell_rest_of_animation(sinew_MotionFile *file, const snw_GltfAnimation *animation)
{
    int scales = 0, weights = 0;
    for (int c = 0; c < animation->channel_count; ++c) {
        const snw_GltfChannel *channel = &animation->channels[c];
        bool moves = false;
        int step = channel->width * (channel->interpolation == SNW_GLTF_CUBIC ? 3 : 1);
        int start = channel->interpolation == SNW_GLTF_CUBIC ? channel->width : 0;
        for (int k = 1; k < channel->key_count && !moves; ++k) {
            for (int i = 0; i < channel->width; ++i) {
                double first = channel->values[start + i],
                       now = channel->values[k * step + start + i];
                moves = moves || fabs(now - first) > TOLD_SCALE;
            }
        }
        scales += moves && channel->path == SNW_GLTF_SCALE ? 1 : 0;
        weights += moves && channel->path == SNW_GLTF_WEIGHTS ? 1 : 0;
    }
    if (scales + weights == 0) { return; }
    snw_motion_warn(file,
        "the animation also moves the scales of %d nodes and the morph targets of %d: these stay "
        "in "
        "the file and are no part of the clip",
        scales, weights);
}

sinew_Status snw_gltf_make_clip(sinew_Gltf *gltf)
{
    sinew_MotionFile *file = gltf->file;
    double rate = 30.0, frames = 1.0;
    if (file->animation >= 0) {
        const snw_GltfAnimation *animation = &gltf->animations[file->animation];
        rate = frame_rate(animation);
        tell_rest_of_animation(file, animation);
        double most = fmin(
            MAX_FRAMES, MAX_NUMBERS / (sinew_skeleton_coordinate_count(file->skeleton) + 1));
        if (animation->duration * rate + 1.0 > most) {
            rate = (most - 1.0) / animation->duration;
            snw_motion_warn(file, "a motion of %.6g s: read at %.6g frames per second",
                animation->duration, rate);
        }
        frames = floor(animation->duration * rate + ON_FRAME * rate) + 1.0;
        // the last key where it is between frames
        if (animation->duration * rate - (frames - 1.0) > ON_FRAME * rate) { frames += 1.0; }
    }
    sinew_Status status = sinew_clip_create(
        file->skeleton, (int)frames, 1.0 / rate, &gltf->allocator, &file->clip);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_GltfPose *pose = NULL;
    size_t count = (size_t)sinew_skeleton_joint_count(file->skeleton);
    sinew_Transform *scratch = snw_alloc_array(&gltf->allocator, count, sizeof *scratch);
    status = scratch != NULL ? sinew_gltf_pose_create(gltf, &gltf->allocator, &pose)
                             : SINEW_STATUS_OUT_OF_MEMORY;
    if (status == SINEW_STATUS_OK) { fill_frames(file, pose, scratch); }
    sinew_gltf_pose_destroy(pose);
    snw_free(&gltf->allocator, scratch, count * sizeof *scratch);
    return status;
}
