#include "glue/scenes.h"

#include "scenes/scenes.h"

#include <stdlib.h>

struct js_Scene {
    scene_Scene *scene;
    js_SceneInfo info;
    js_Effector effectors[SCENE_MAX_EFFECTORS];
};

int js_scene_count(void)
{
    return scene_count();
}

const char *js_scene_name(int index)
{
    return scene_name(index);
}

const char *js_scene_title(int index)
{
    return scene_title(index);
}

sinew_Status js_scene_create(const char *name, js_Scene **out_scene, sinew_Message *out_message)
{
    *out_scene = NULL;
    js_Scene *made = calloc(1, sizeof *made);
    if (made == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    const sinew_Status status = scene_create(name, NULL, &made->scene, out_message);
    if (status != SINEW_STATUS_OK) {
        free(made);
        return status;
    }
    const scene_Scene *scene = made->scene;
    for (int i = 0; i < scene->effector_count; ++i) {
        const scene_Effector *from = &scene->effectors[i];
        made->effectors[i] = (js_Effector){ from->name, from->joint, from->chain_root,
            from->limb_root };
    }
    made->info = (js_SceneInfo){ scene->name, scene->title, scene->skeleton, made->effectors,
        scene->effector_count, scene_motion_period(scene) };
    *out_scene = made;
    return SINEW_STATUS_OK;
}

void js_scene_destroy(js_Scene *scene)
{
    if (scene == NULL) { return; }
    scene_destroy(scene->scene);
    free(scene);
}

const js_SceneInfo *js_scene_info(const js_Scene *scene)
{
    return &scene->info;
}

void js_scene_pose_at(const js_Scene *scene, double time, double *out_q)
{
    scene_pose_at(scene->scene, time, out_q);
}

void js_scene_random_pose(const js_Scene *scene, uint32_t seed, uint32_t index, double *out_q)
{
    scene_Random random = scene_random((uint64_t)seed << 32 | index);
    scene_random_pose(scene->scene, &random, out_q);
}
