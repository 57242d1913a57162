#ifndef WALKS_H
#define WALKS_H

// A walk of a scene over a ground, measured, for the tests of the walker.

#include "testing.h"

#include "measure/walk_meter.h"
#include "scenes/scenes.h"
#include "sinew/terrain_file.h"
#include "sinew/walker.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LANDINGS 256

typedef struct Walk {
    scene_Scene *scene;
    sinew_Terrain *terrain;
    sinew_Ground ground;
    sinew_Walker *walker;
    measure_WalkMeter *meter;
    sinew_Transform *world; // room for the joints
    double *q;
    int coordinates;
    // the first landings, in order
    sinew_Vec3 landings[MAX_LANDINGS];
    int landing_count;
    bool was_swinging[SINEW_MAX_LEGS];
} Walk;

/// def: without its skeleton, which is that of the scene.
static inline void walk_begin(
    Walk *walk, const char *body, const char *ground, const sinew_WalkerDef *def)
{
    memset(walk, 0, sizeof *walk);
    sinew_Message message = { "" };
    TEST_OK(scene_create(body, NULL, &walk->scene, &message), &message);
    TEST_OK(sinew_terrain_open(ground, NULL, &walk->terrain, &message), &message);
    walk->ground = sinew_terrain_ground(walk->terrain);
    sinew_WalkerDef whole = *def;
    whole.skeleton = walk->scene->skeleton;
    TEST_OK(sinew_walker_create(&whole, &walk->walker, &message), &message);
    TEST_OK(measure_walk_of(walk->walker, whole.skeleton, 0.0, 0.0, &walk->meter), NULL);
    walk->coordinates = sinew_skeleton_coordinate_count(whole.skeleton);
    walk->q = calloc((size_t)walk->coordinates, sizeof *walk->q);
    walk->world = calloc((size_t)sinew_skeleton_joint_count(whole.skeleton), sizeof *walk->world);
    TEST_TRUE(walk->q != NULL && walk->world != NULL);
}

static inline void walk_end(Walk *walk)
{
    free(walk->q);
    free(walk->world);
    measure_walk_destroy(walk->meter);
    sinew_walker_destroy(walk->walker);
    sinew_terrain_destroy(walk->terrain);
    scene_destroy(walk->scene);
}

/// One update; landings are noted.
static inline void walk_step(Walk *walk, sinew_Steering steering, double dt)
{
    sinew_Message message = { "" };
    TEST_OK(sinew_walker_update(walk->walker, &steering, dt, &walk->ground, walk->q, &message),
        &message);
    int legs = sinew_walker_report(walk->walker).leg_count;
    for (int i = 0; i < legs; ++i) {
        sinew_WalkerLeg leg = sinew_walker_leg(walk->walker, i);
        if (walk->was_swinging[i] && !leg.is_swinging && walk->landing_count < MAX_LANDINGS) {
            walk->landings[walk->landing_count++] = leg.foothold;
        }
        walk->was_swinging[i] = leg.is_swinging;
    }
}

/// Two walks at their beginning, steered alike, have the same bits, and so has the first one after a reset.
static inline void walk_check_bits(
    Walk *a, Walk *b, sinew_Steering (*course)(double seconds), int frames)
{
    size_t size = (size_t)a->coordinates * sizeof *a->q;
    double *half_way = malloc(size);
    TEST_TRUE(half_way != NULL);
    for (int frame = 0; frame < frames; ++frame) {
        walk_step(a, course(frame / 60.0), 1.0 / 60.0);
        walk_step(b, course(frame / 60.0), 1.0 / 60.0);
        TEST_TRUE(memcmp(a->q, b->q, size) == 0);
        if (frame == frames / 2) { memcpy(half_way, a->q, size); }
    }
    TEST_OK(sinew_walker_reset(a->walker, 0.0, 0.0, 0.0), NULL);
    for (int frame = 0; frame <= frames / 2; ++frame) {
        walk_step(a, course(frame / 60.0), 1.0 / 60.0);
    }
    TEST_TRUE(memcmp(a->q, half_way, size) == 0);
    free(half_way);
}

#endif
