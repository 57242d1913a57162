// The style "paper" under a recorded stream of steering.

#include "testing.h"

#include "scenes/scenes.h"
#include "sinew/terrain_file.h"
#include "sinew/walker.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 400, STEPS = 1000, MOST_FRAMES = 100000 };

// another deflection each 0.8 s; one of eight lets go
static void record(sinew_SteeringKey *keys)
{
    test_Random random = test_random(2701);
    for (int i = 0; i < KEYS; ++i) {
        sinew_Stick stick = { test_range(&random, -1.0, 1.0), test_range(&random, -0.6, 1.0),
            test_int(&random, 4) == 0 };
        if (test_int(&random, 8) == 0) { stick.x = stick.y = 0.0; }
        keys[i].time = 0.8 * i;
        keys[i].steering = sinew_steering_from_stick(NULL, &stick);
    }
}

// a number that changes with any bit of a pose
static uint64_t mix(uint64_t sum, const double *q, int count)
{
    for (int i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &q[i], sizeof bits);
        sum = (sum ^ bits) * UINT64_C(0x100000001b3);
    }
    return sum;
}

static uint64_t walk(const sinew_SteeringKey *keys, sinew_WalkRows rows, int *out_frames)
{
    scene_Scene *scene = NULL;
    sinew_Terrain *terrain = NULL;
    sinew_Message message = { "" };
    TEST_OK(scene_create("MAN18", NULL, &scene, &message), &message);
    TEST_OK(sinew_terrain_open("hills:6", NULL, &terrain, &message), &message);
    sinew_Ground ground = sinew_terrain_ground(terrain);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = scene->skeleton;
    def.style = SINEW_WALK_PAPER;
    def.rows = rows;
    sinew_Walker *walker = NULL;
    TEST_OK(sinew_walker_create(&def, &walker, &message), &message);
    int count = sinew_skeleton_coordinate_count(scene->skeleton), frames = 0;
    double *q = calloc((size_t)count, sizeof *q);
    TEST_TRUE(q != NULL);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    while (sinew_walker_report(walker).step_count < STEPS && frames < MOST_FRAMES) {
        // the recording goes round and round
        double time = fmod(frames / 60.0, 0.8 * KEYS);
        sinew_Steering steering = sinew_steering_at(keys, KEYS, time);
        TEST_OK(sinew_walker_update(walker, &steering, 1.0 / 60.0, &ground, q, &message), &message);
        for (int i = 0; i < count; ++i) { TEST_TRUE(isfinite(q[i])); }
        sum = mix(sum, q, count);
        ++frames;
    }
    TEST_TRUE(sinew_walker_report(walker).step_count >= STEPS);
    *out_frames = frames;
    free(q);
    sinew_walker_destroy(walker);
    sinew_terrain_destroy(terrain);
    scene_destroy(scene);
    return sum;
}

/// CTRL-1, CTRL-3: a recorded stream of structs drives a thousand steps without a window, and drives
/// them again bit for bit; with solved legs too.
static void test_recorded_stream_ctrl1_ctrl3(void **state)
{
    (void)state;
    static const sinew_WalkRows kinds[2] = { SINEW_WALK_ROWS_AUTO, SINEW_WALK_ROWS_HYBRID };
    static sinew_SteeringKey keys[KEYS];
    record(keys);
    for (int k = 0; k < 2; ++k) {
        int frames[2];
        uint64_t first = walk(keys, kinds[k], &frames[0]);
        TEST_TRUE(walk(keys, kinds[k], &frames[1]) == first);
        TEST_INT(frames[0], frames[1]);
        print_message("%d frames for %d steps\n", frames[0], STEPS);
    }
}

TEST_MAIN(cmocka_unit_test(test_recorded_stream_ctrl1_ctrl3))
