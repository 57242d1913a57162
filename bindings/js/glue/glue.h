#ifndef JS_GLUE_H
#define JS_GLUE_H

/// \file
/// What pages and Node call beside the public interface: a ground that answers from JavaScript, matrices
/// for the graphics card, and whole crowds by one call.

#include "sinew/sinew.h"

/// A ground whose callback is number id of the page's list. The same id, the same ground.
SINEW_API void js_ground_callback(sinew_Ground *out_ground, int id);
/// A ground inside of a definition.
SINEW_API void js_ground_copy(sinew_Ground *to, const sinew_Ground *from);

/// World matrices of one pose, 16 floats a joint, columns, as graphics cards take them. world: scratch and
/// result, joint_count transforms.
SINEW_API void js_pose_matrices(
    const sinew_Skeleton *skeleton, const double *q, sinew_Transform *world, float *out_matrices);
/// The same, times the inverse of where each joint was when the mesh was bound to it.
SINEW_API void js_pose_skin(const sinew_Skeleton *skeleton, const double *q,
    const sinew_Transform *rest, sinew_Transform *world, float *out_matrices);
/// Matrices of transforms, 16 floats each.
SINEW_API void js_matrices(const sinew_Transform *transforms, int count, float *out_matrices);

/// Walk count walkers on by dt on one ground, each by its steering, into poses behind each other. Returns
/// the first status that is not OK, after all of them; *out_failed is whose it is, -1: nobody's.
SINEW_API sinew_Status js_crowd_update(sinew_Walker *const *walkers, int count,
    const sinew_Steering *steering, double dt, const sinew_Ground *ground, double *poses,
    int coordinate_count, int *out_failed, sinew_Message *out_message);
/// Matrices of count poses of one skeleton, bodies behind each other.
SINEW_API void js_crowd_matrices(const sinew_Skeleton *skeleton, const double *poses, int count,
    const sinew_Transform *rest, sinew_Transform *world, float *out_matrices);

/// Matrices that put a unit bone (along +y from 0 to 1, 1 thick) from the parent of each joint but the
/// first to the joint, radius metres thick, in count poses; joint_count - 1 matrices a pose.
SINEW_API void js_crowd_bones(const sinew_Skeleton *skeleton, const double *poses, int count,
    double radius, sinew_Transform *world, float *out_matrices);

/// FNV-1a over bytes: what "the same bits" is told by. halves: low and high
/// word of the hash so far, which is what JavaScript's numbers hold; 0 and 0 at first.
SINEW_API void js_hash(uint32_t *halves, const void *bytes, size_t size);

#endif
