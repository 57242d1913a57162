#ifndef SNW_GLTF_H
#define SNW_GLTF_H

// A glTF document as it is written: nodes, skins, animations and meshes by their indices, all checked
// once, with the text and the bytes of the file kept for writing it back.

#include "file/buffer.h"
#include "file/bvh.h"
#include "file/json.h"
#include "sinew/gltf.h"

/// The last key of an animation that is no mistake, seconds: a day.
#define SNW_GLTF_MOST_TIME 86400.0

/// Bytes of a buffer or of an image.
typedef struct snw_GltfBytes {
    const unsigned char *data; ///< NULL: not there
    size_t size;               ///< usable bytes
    size_t capacity;           ///< of memory that is given back; 0: part of the file
    const snw_Json *uri;       ///< NULL: the binary chunk, or a view of a buffer
    bool is_external;          ///< the URI names a file
    size_t file_start;         ///< place in the file of the binary chunk
} snw_GltfBytes;

typedef struct snw_GltfView {
    int buffer;
    size_t offset, length;
    size_t stride; ///< 0: elements stand side by side
} snw_GltfView;

typedef enum snw_GltfComponent {
    SNW_GLTF_BYTE = 5120,
    SNW_GLTF_UBYTE = 5121,
    SNW_GLTF_SHORT = 5122,
    SNW_GLTF_USHORT = 5123,
    SNW_GLTF_UINT = 5125,
    SNW_GLTF_FLOAT = 5126,
} snw_GltfComponent;

typedef struct snw_GltfAccessor {
    const snw_Json *json;
    snw_GltfComponent component;
    int width; ///< numbers in an element: 1, 2, 3, 4, 9, 16
    bool normalized;
    bool is_skewed; ///< a matrix whose columns are padded, which nothing here reads
    size_t count;
    const unsigned char *data; ///< first element; NULL: all zero
    size_t stride;
    // elements that differ
    size_t sparse_count;
    snw_GltfComponent sparse_component;
    const unsigned char *sparse_indices, *sparse_values;
    size_t largest; ///< of whole numbers without sparse elements, once asked for
    bool knows_largest;
} snw_GltfAccessor;

typedef struct snw_GltfNode {
    const snw_Json *json;
    const char *name;
    int parent, first_child, next; ///< -1: none; next: sibling
    int mesh, skin;
    bool has_matrix, in_scene, has_camera;
    bool placed; ///< in the order of the tree
    bool moves;  ///< an animation takes it away from where it rests
    /// parent_from_node = translate(translation) rotate(rotation) stretch
    sinew_Vec3 translation;
    sinew_Quat rotation;
    sinew_Mat3 stretch;
    int weight_start, weight_count; ///< morph targets in the weights of a pose
    int animated[4]; ///< by path, the number from 1 of the last animation that moves it
} snw_GltfNode;

/// A rotation whose length is farther from 1 is told; packed into bytes it is off by 0.004 at most.
#define SNW_GLTF_UNEVEN 1e-2

typedef struct snw_GltfSkin {
    const int *joints;
    int joint_count;
    const sinew_Affine *joint_from_mesh; ///< inverse bind matrices
} snw_GltfSkin;

typedef enum snw_GltfPath {
    SNW_GLTF_TRANSLATION,
    SNW_GLTF_ROTATION,
    SNW_GLTF_SCALE,
    SNW_GLTF_WEIGHTS,
} snw_GltfPath;

typedef enum snw_GltfInterpolation {
    SNW_GLTF_LINEAR,
    SNW_GLTF_STEP,
    SNW_GLTF_CUBIC
} snw_GltfInterpolation;

/// One channel: keys of one property of one node.
typedef struct snw_GltfChannel {
    int node;
    snw_GltfPath path;
    snw_GltfInterpolation interpolation;
    int key_count;
    int width;            ///< numbers in a value
    const double *times;  ///< rising, seconds
    const double *values; ///< key_count x width; cubic: tangent in, value, tangent out for each key
} snw_GltfChannel;

typedef struct snw_GltfAnimation {
    const char *name;
    const snw_GltfChannel *channels;
    int channel_count;
    double duration;
    double frame_time; ///< of its frames, as sinew notes it; 0: not noted
} snw_GltfAnimation;

/// What sinew_gltf_part_vertices needs beside the public part.
typedef struct snw_GltfPart {
    sinew_GltfPart shown;
    int positions;             ///< accessor
    const int *targets;        ///< accessors of the POSITIONs of morph targets, -1: none
    int skin, set_count;       ///< sets of JOINTS_n and WEIGHTS_n
    int joints[4], weights[4]; ///< accessors
} snw_GltfPart;

struct sinew_Gltf {
    sinew_Allocator allocator;
    const char *name; ///< of the file, for messages
    /// The file: text, or container with chunks. Kept for writing.
    char *data;
    size_t size, capacity;
    bool is_binary;
    size_t json_start, json_end;   ///< the text in data
    size_t chunk_start, chunk_end; ///< the binary chunk in data, without its head; equal: none
    size_t rest_start;             ///< chunks behind it
    snw_JsonTree tree;             ///< owns all arrays below
    snw_GltfBytes *buffers, *images;
    snw_GltfView *views;
    snw_GltfAccessor *accessors;
    snw_GltfNode *nodes;
    snw_GltfSkin *skins;
    snw_GltfAnimation *animations;
    snw_GltfPart *parts;
    int buffer_count, image_count, view_count, accessor_count, node_count, skin_count;
    int animation_count, part_count;
    const snw_Json *const *materials, *const *textures;
    int material_count, texture_count;
    int *order; ///< nodes, parents first, scene by scene; order_count of them
    int order_count, root_count;
    int weight_count;
    double longest;         ///< of all nodes' translations
    int uneven_rotations;   ///< of nodes and keys: no unit quaternions
    size_t budget;          ///< numbers that may still be decoded
    sinew_Message *message; ///< while reading
    sinew_MotionFile *file; ///< takes warnings while reading
};

/// How a joint follows its node: joint_parent_from_joint = place: map (translation - shift), turn:
/// left rotation right.
typedef struct snw_GltfJoint {
    int node;
    /// Takes the node's translation to the offset of the joint in its parent's frame, in file units:
    /// offset = linear translation + position.
    sinew_Affine parent_from_translation, translation_from_parent;
    sinew_Quat left, right;
    bool is_end; ///< stands for the end of a bone
} snw_GltfJoint;

/// A message that tells file, byte of a value of the text, found and expected; returns BAD_FILE.
sinew_Status snw_gltf_fail(const sinew_Gltf *gltf, const snw_Json *at, const char *found,
    const char *expected, ...) __attribute__((format(printf, 4, 5)));
/// The same with the value itself quoted as found.
sinew_Status snw_gltf_fail_value(const sinew_Gltf *gltf, const snw_Json *at, const char *expected,
    ...) __attribute__((format(printf, 3, 4)));
sinew_Status snw_gltf_no_memory(const sinew_Gltf *gltf);

/// Items of an array of the document by index; NULL: none there or no memory (count is then -1).
const snw_Json *const *snw_gltf_list(sinew_Gltf *gltf, const snw_Json *array, int *out_count);
/// Items of a list of the whole, and room for something of each; NULL without memory.
void *snw_gltf_take_list(sinew_Gltf *gltf, const char *key, size_t size,
    const snw_Json *const **out_items, int *out_count);

/// An index below limit under a key; *out is untouched when the key is not there.
sinew_Status snw_gltf_index(
    const sinew_Gltf *gltf, const snw_Json *object, const char *key, int limit, int *out);
/// A whole number of at least 0 that fits a size.
sinew_Status snw_gltf_size(
    const sinew_Gltf *gltf, const snw_Json *object, const char *key, size_t *out);
/// count numbers; *out_there tells whether the key is.
sinew_Status snw_gltf_numbers(const sinew_Gltf *gltf, const snw_Json *object, const char *key,
    int count, double *out, bool *out_there);

// gltf_document.c
bool snw_gltf_begins(const char *data, size_t size);
void snw_gltf_destroy(sinew_Gltf *gltf);
const snw_GltfJoint *snw_gltf_joints(const sinew_MotionFile *file);
/// Translation and rotation of the node of a joint for the joint's transform in its parent's frame,
/// metres.
void snw_gltf_node_place(const sinew_MotionFile *file, int joint, sinew_Transform parent_from_joint,
    sinew_Vec3 *out_translation, sinew_Quat *out_rotation);

// gltf_container.c
/// Split the file into text and chunks, parse the text.
sinew_Status snw_gltf_open(sinew_Gltf *gltf, snw_Text *text);
/// Load buffers, then images.
sinew_Status snw_gltf_load_buffers(sinew_Gltf *gltf, const sinew_FileSource *source);
sinew_Status snw_gltf_load_images(sinew_Gltf *gltf, const sinew_FileSource *source);

// gltf_accessor.c
sinew_Status snw_gltf_read_views(sinew_Gltf *gltf);
sinew_Status snw_gltf_read_accessors(sinew_Gltf *gltf);
/// One element.
void snw_gltf_decode_at(const snw_GltfAccessor *accessor, size_t index, double *out);
/// A whole number of an accessor of these.
uint32_t snw_gltf_whole_at(const snw_GltfAccessor *accessor, size_t index, int part);
/// Largest whole number of an accessor.
size_t snw_gltf_largest(snw_GltfAccessor *accessor);
/// Numbers of an accessor that are kept as long as the document. Fails when all of them together are
/// more than a sound file can hold.
sinew_Status snw_gltf_keep(
    sinew_Gltf *gltf, const snw_Json *at, int accessor, const double **out_numbers);

// gltf_nodes.c
sinew_Status snw_gltf_read_nodes(sinew_Gltf *gltf);
sinew_Status snw_gltf_read_skins(sinew_Gltf *gltf);
/// Rotation (or its mirror image) and symmetric stretch of a linear map: m = rotation stretch. False
/// when it is singular.
bool snw_gltf_split(sinew_Mat3 m, sinew_Quat *out_rotation, sinew_Mat3 *out_stretch);
/// Inverse; false when there is none.
bool snw_mat3_inverse(sinew_Mat3 m, sinew_Mat3 *out);
sinew_Affine snw_affine_mul(sinew_Affine a, sinew_Affine b);
sinew_Affine snw_gltf_local(sinew_Vec3 translation, sinew_Quat rotation, sinew_Mat3 stretch);

// gltf_animation.c
/// A number that sinew notes in the extras of an object, {"extras":{"frame_time":0.04}}; 0 where there is none or it is
/// out of range, as extras of others may hold anything.
double snw_gltf_noted(const snw_Json *object, const char *key, double least, double most);
sinew_Status snw_gltf_read_animations(sinew_Gltf *gltf);
/// The value of a channel, width numbers; rotations are unit.
void snw_gltf_sample(const snw_GltfChannel *channel, double time, double *out);

// gltf_mesh.c
sinew_Status snw_gltf_read_meshes(sinew_Gltf *gltf);

// gltf_read.c
/// Read a document from text into an empty file: skeleton, clip, warnings.
sinew_Status snw_gltf_read(
    snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file);

// gltf_skeleton.c
sinew_Status snw_gltf_make_skeleton(sinew_Gltf *gltf, const sinew_ReadOptions *options);

// gltf_clip.c
sinew_Status snw_gltf_make_clip(sinew_Gltf *gltf);

// gltf_uri.c
/// Bytes of base64 text, *out_size of them; NULL when it is none or without memory (*out_bad tells).
bool snw_base64_decode(const char *text, size_t length, unsigned char *out, size_t *out_size);
void snw_base64_encode(const unsigned char *data, size_t size, snw_Buffer *out);
/// %41 and so on become what they stand for; out has room for the length of uri and an end.
void snw_uri_decode(const char *uri, char *out);

#endif
