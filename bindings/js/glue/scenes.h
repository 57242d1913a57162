#ifndef JS_SCENES_H
#define JS_SCENES_H

/// \file
/// Scenes for pages: the named bodies with their motions.

#include "sinew/sinew.h"

/// A scene, opaque.
typedef struct js_Scene js_Scene;

/// A place on the body that goals are for: the origin of a joint.
typedef struct js_Effector {
    const char *name;
    int joint;
    /// The first joint that may move for it; -1: the whole body.
    int chain_root;
    /// Where its limb starts: shoulder, hip, first joint of a finger.
    int limb_root;
} js_Effector;

/// What a scene has; as long as the scene.
typedef struct js_SceneInfo {
    const char *name, *title;
    const sinew_Skeleton *skeleton;
    const js_Effector *effectors;
    int effector_count;
    double period; ///< of its motion, seconds
} js_SceneInfo;

SINEW_API int js_scene_count(void);
SINEW_API const char *js_scene_name(int index);
SINEW_API const char *js_scene_title(int index);
SINEW_API sinew_Status js_scene_create(
    const char *name, js_Scene **out_scene, sinew_Message *out_message);
SINEW_API void js_scene_destroy(js_Scene *scene);
SINEW_API const js_SceneInfo *js_scene_info(const js_Scene *scene);
/// The pose of the scene's motion at a moment, seconds >= 0.
SINEW_API void js_scene_pose_at(const js_Scene *scene, double time, double *out_q);
/// A random pose inside the limits: number index of a seed.
SINEW_API void js_scene_random_pose(
    const js_Scene *scene, uint32_t seed, uint32_t index, double *out_q);

#endif
