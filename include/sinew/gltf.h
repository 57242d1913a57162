#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

/// \file
/// glTF 2.0 documents: poses of their nodes, their meshes, and what a motion file keeps of them. Part
/// of libsinew-io.
///
/// A document is opened by sinew_motion_read like every motion file, and lives as long as that; its
/// skeleton and clip are what solvers work with, and sinew_motion_write puts a motion back beside
/// everything else the file holds. This header is for those who draw: a pose of all nodes, from an
/// animation of the file or from a pose of the skeleton, and the triangles that follow it.
///
/// Everything here is in the document's own unit (metres unless the reader was told otherwise: times
/// sinew_motion_unit is metres), right-handed with Y up. A document never changes after reading and
/// may be shared by threads; a pose belongs to one thread.
/// Source: Khronos Group, glTF 2.0 Specification (2021).

#include "file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_Gltf sinew_Gltf;

/// The document behind a motion file; NULL when that is no glTF.
SINEW_API const sinew_Gltf *sinew_motion_gltf(const sinew_MotionFile *file);

/// The node that a joint of the skeleton stands for, -1 when there is none.
SINEW_API int sinew_motion_node(const sinew_MotionFile *file, int joint);

/// Index of the animation that the clip was made of, -1: none, the clip is one frame of rest.
SINEW_API int sinew_motion_animation(const sinew_MotionFile *file);

// ---------------------------------------------------------------------------------------------
// What is in it

/// How many there are; indices below go from 0 to that less 1.
SINEW_API int sinew_gltf_node_count(const sinew_Gltf *gltf);
/// Its name, or nodeN; lives as long as the document.
SINEW_API const char *sinew_gltf_node_name(const sinew_Gltf *gltf, int node);
/// How many there are.
SINEW_API int sinew_gltf_skin_count(const sinew_Gltf *gltf);
SINEW_API int sinew_gltf_animation_count(const sinew_Gltf *gltf);
/// Its name, empty where it has none.
SINEW_API const char *sinew_gltf_animation_name(const sinew_Gltf *gltf, int animation);
/// Seconds up to its last key.
SINEW_API double sinew_gltf_animation_duration(const sinew_Gltf *gltf, int animation);

// ---------------------------------------------------------------------------------------------
// Poses of all nodes

/// A linear map and a shift: v -> linear v + position. Not rigid where nodes have a scale.
typedef struct sinew_Affine {
    sinew_Mat3 linear;
    sinew_Vec3 position;
} sinew_Affine;

/// Where all nodes of a document are, and the weights of their morph targets.
typedef struct sinew_GltfPose sinew_GltfPose;

/// A pose at rest: nodes as the file has them. The document must outlive it. allocator may be NULL.
/// OUT_OF_MEMORY; *out_pose is NULL then.
SINEW_API sinew_Status sinew_gltf_pose_create(
    const sinew_Gltf *gltf, const sinew_Allocator *allocator, sinew_GltfPose **out_pose);
/// Give it back; NULL is ignored.
SINEW_API void sinew_gltf_pose_destroy(sinew_GltfPose *pose);

/// Back to rest.
SINEW_API void sinew_gltf_pose_rest(sinew_GltfPose *pose);
/// Rest, and over it an animation at a time in seconds, as the specification says: steps, straight
/// lines, arcs of rotations, cubic splines; before the first key and after the last these hold.
SINEW_API void sinew_gltf_pose_animate(sinew_GltfPose *pose, int animation, double time);
/// Rest, and over it a pose of the skeleton: that of the file, or one with the same joints (as rigs
/// make). Scales stay those of the rest pose.
SINEW_API void sinew_gltf_pose_joints(sinew_GltfPose *pose, const sinew_MotionFile *file,
    const sinew_Skeleton *skeleton, const double *q);

/// World transform of a node, the scale of all nodes above it in it.
SINEW_API sinew_Affine sinew_gltf_pose_world(const sinew_GltfPose *pose, int node);

// ---------------------------------------------------------------------------------------------
// Triangles

/// One primitive of triangles of a mesh at a node of the scene.
typedef struct sinew_GltfPart {
    int node;
    int vertex_count, triangle_count;
    const uint32_t *indices; ///< 3 x triangle_count, anticlockwise from outside
    const float *uvs;        ///< 2 x vertex_count texture coordinates, or NULL
    /// Base colour: red, green, blue, opacity, linear light, 0..1.
    double color[4];
    int image; ///< that the colour is multiplied with, -1: none
    bool double_sided;
    bool is_skinned;
} sinew_GltfPart;

/// Lines, points and geometry that an extension packs are no parts.
SINEW_API int sinew_gltf_part_count(const sinew_Gltf *gltf);
SINEW_API const sinew_GltfPart *sinew_gltf_part(const sinew_Gltf *gltf, int part);
/// Places of the vertices of a part in a pose, in the world: morph targets, then skin or node.
/// out_positions takes vertex_count.
SINEW_API void sinew_gltf_part_vertices(
    const sinew_GltfPose *pose, int part, sinew_Vec3 *out_positions);

/// An image of the document as it is stored (PNG, JPEG, ...).
typedef struct sinew_GltfImage {
    const unsigned char *data; ///< NULL: its file was not there
    size_t size;
} sinew_GltfImage;

/// How many there are, and one of them; its bytes live as long as the document.
SINEW_API int sinew_gltf_image_count(const sinew_Gltf *gltf);
SINEW_API sinew_GltfImage sinew_gltf_image(const sinew_Gltf *gltf, int image);

#ifdef __cplusplus
}
#endif

#endif
