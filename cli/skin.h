#ifndef CLI_SKIN_H
#define CLI_SKIN_H

// The mesh of a glTF file as pictures draw it.

#include "input.h"

#include "pictures/pictures.h"
#include "sinew/gltf.h"

typedef struct cli_Skin {
    picture_Skin shown;
    const sinew_MotionFile *file;
    sinew_GltfPose *pose;
    sinew_Vec3 *places; ///< of the largest part
    uint32_t *indices, *colors;
    int *textures;
    float *uvs;
    picture_Texture *texture_list;
    int texture_count;
} cli_Skin;

/// *out_skin is NULL when the input has no mesh. False after a message.
bool cli_skin_open(const cli_Input *input, cli_Skin **out_skin);
void cli_skin_close(cli_Skin *skin);

#endif
