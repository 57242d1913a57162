#ifndef SNW_GLTF_POSE_H
#define SNW_GLTF_POSE_H

// Inside of a pose of all nodes.

#include "file/gltf.h"

typedef struct snw_GltfLocal {
    sinew_Vec3 translation;
    sinew_Quat rotation;
    sinew_Mat3 stretch;
} snw_GltfLocal;

struct sinew_GltfPose {
    sinew_Allocator allocator;
    const sinew_Gltf *gltf;
    snw_GltfLocal *locals; ///< one for each node
    sinew_Affine *worlds;  ///< what they make together
    double *weights;       ///< of morph targets, node by node
    double *sample;        ///< one value of the widest channel
};

#endif
