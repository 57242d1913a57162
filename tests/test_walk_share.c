// Walkers of a crowd share their body and solvers, and walk as if each had its own.

#include "walks.h"

enum { CROWD = 5 };

typedef struct Row {
    const char *body;
    sinew_WalkStyle style;
    sinew_WalkRows rows;
} Row;

enum { MAN, MAN_BY_HALF_ROWS, MAN_ON_PAPER, SPIDER, ROW_COUNT };

static const Row rows[ROW_COUNT] = {
    [MAN] = { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO },
    [MAN_BY_HALF_ROWS] = { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_HALF },
    [MAN_ON_PAPER] = { "MAN18", SINEW_WALK_PAPER, SINEW_WALK_ROWS_HYBRID },
    [SPIDER] = { "SPIDER", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO },
};

static sinew_WalkerDef def_of(const Row *row, const scene_Scene *scene, int i)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = scene->skeleton;
    def.style = row->style;
    def.rows = row->rows;
    def.x = 2.0 * i;
    def.heading = 0.3 * i;
    return def;
}

// each steered otherwise, and one of them asked for other rows halfway, which its solvers must not keep
static void test_a_crowd_walks_as_each_alone(void **state)
{
    (void)state;
    sinew_Terrain *terrain = NULL;
    TEST_OK(sinew_terrain_open("hills:3", NULL, &terrain, NULL), NULL);
    const sinew_Ground ground = sinew_terrain_ground(terrain);
    for (int r = 0; r < ROW_COUNT; ++r) {
        scene_Scene *scene = NULL;
        TEST_OK(scene_create(rows[r].body, NULL, &scene, NULL), NULL);
        const size_t size = (size_t)sinew_skeleton_coordinate_count(scene->skeleton)
            * sizeof(double);
        double *q = malloc(size), *alone_q = malloc(size);
        TEST_TRUE(q != NULL && alone_q != NULL);
        sinew_Walker *crowd[CROWD], *alone[CROWD];
        sinew_Message message = { "" };
        for (int i = 0; i < CROWD; ++i) {
            sinew_WalkerDef def = def_of(&rows[r], scene, i);
            TEST_OK(sinew_walker_create(&def, &alone[i], &message), &message);
            def.share = i > 0 ? crowd[i - 1] : NULL;
            TEST_OK(sinew_walker_create(&def, &crowd[i], &message), &message);
        }
        for (int frame = 0; frame < 240; ++frame) {
            if (frame == 120 && rows[r].style != SINEW_WALK_PAPER) {
                TEST_OK(sinew_walker_set_rows(crowd[2], SINEW_WALK_ROWS_HYBRID), NULL);
                TEST_OK(sinew_walker_set_rows(alone[2], SINEW_WALK_ROWS_HYBRID), NULL);
            }
            for (int i = 0; i < CROWD; ++i) {
                const sinew_Steering wanted = { 0.3 * (i + 1), 0.0, 0.2 * (i - 2) };
                TEST_OK(sinew_walker_update(crowd[i], &wanted, 1.0 / 60.0, &ground, q, &message),
                    &message);
                TEST_OK(
                    sinew_walker_update(alone[i], &wanted, 1.0 / 60.0, &ground, alone_q, &message),
                    &message);
                TEST_TRUE(memcmp(q, alone_q, size) == 0);
            }
        }
        // the first is the one that the others were made from
        for (int i = 0; i < CROWD; ++i) {
            sinew_walker_destroy(crowd[i]);
            sinew_walker_destroy(alone[i]);
            for (int k = i + 1; k < CROWD; ++k) {
                TEST_OK(sinew_walker_update(crowd[k], NULL, 1.0 / 60.0, &ground, q, NULL), NULL);
            }
        }
        free(q);
        free(alone_q);
        scene_destroy(scene);
    }
    sinew_terrain_destroy(terrain);
}

static void test_one_more_takes_little_memory(void **state)
{
    (void)state;
    for (int r = 0; r < ROW_COUNT; ++r) {
        scene_Scene *scene = NULL;
        TEST_OK(scene_create(rows[r].body, NULL, &scene, NULL), NULL);
        test_Memory memory;
        test_memory_init(&memory);
        sinew_WalkerDef def = def_of(&rows[r], scene, 0);
        def.allocator = memory.allocator;
        sinew_Walker *first = NULL, *second = NULL;
        TEST_OK(sinew_walker_create(&def, &first, NULL), NULL);
        const size_t one = memory.live_bytes;
        def.share = first;
        const long count = memory.alloc_count;
        TEST_OK(sinew_walker_create(&def, &second, NULL), NULL);
        const size_t more = memory.live_bytes - one;
        // a thousand of them stay below 64 MB
        TEST_TRUE(more <= 64000);
        TEST_INT(memory.alloc_count - count, 1);
        sinew_walker_destroy(second);
        TEST_INT((long long)memory.live_bytes, (long long)one);
        memory.fail_at = memory.alloc_count + 1;
        TEST_INT(sinew_walker_create(&def, &second, NULL), SINEW_STATUS_OUT_OF_MEMORY);
        sinew_walker_destroy(first);
        TEST_INT((long long)memory.live_bytes, 0);
        scene_destroy(scene);
    }
}

static void test_other_bodies_are_refused(void **state)
{
    (void)state;
    scene_Scene *man = NULL, *spider = NULL;
    TEST_OK(scene_create("MAN18", NULL, &man, NULL), NULL);
    TEST_OK(scene_create("SPIDER", NULL, &spider, NULL), NULL);
    sinew_WalkerDef def = def_of(&rows[MAN], man, 0);
    sinew_Walker *first = NULL, *second = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_walker_create(&def, &first, &message), &message);
    def.share = first;
    def.trailing_weight *= 2.0;
    TEST_INT(sinew_walker_create(&def, &second, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "trailing_weight") != NULL);
    def = def_of(&rows[SPIDER], spider, 0);
    def.share = first;
    TEST_INT(sinew_walker_create(&def, &second, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "another skeleton") != NULL && second == NULL);
    sinew_walker_destroy(first);
    scene_destroy(man);
    scene_destroy(spider);
}

TEST_MAIN(cmocka_unit_test(test_a_crowd_walks_as_each_alone),
    cmocka_unit_test(test_one_more_takes_little_memory),
    cmocka_unit_test(test_other_bodies_are_refused))
