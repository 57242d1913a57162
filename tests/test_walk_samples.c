// How often walkers ask their ground: what was seen is remembered.

#include "walks.h"

#include "measure/walk_mirror.h"

typedef struct Row {
    const char *body, *ground;
    sinew_WalkStyle style;
    double speed, mean;
    int most; ///< in one update but the first
} Row;

static const Row rows[] = {
    // of the way ahead: what is around is not asked where the place that is foreseen is good
    { "MAN18", "flat", SINEW_WALK_NATURAL, 1.3, 8.5, 64 },
    { "MAN18", "slope:20", SINEW_WALK_NATURAL, 1.3, 8.5, 64 },
    { "MAN18", "flat", SINEW_WALK_PAPER, 1.0, 6.0, 64 },
    { "MAN18", "hills:3", SINEW_WALK_PAPER, 1.0, 6.0, 64 },
    { "MAN18", "rough:3", SINEW_WALK_PAPER, 1.0, 8.0, 120 },
    { "MAN18", "stairs", SINEW_WALK_PAPER, 1.0, 12.0, 450 },
    { "QUADRUPED", "hills:3", SINEW_WALK_NATURAL, 1.0, 6.0, 64 },
    { "QUADRUPED", "stairs", SINEW_WALK_NATURAL, 1.0, 8.0, 64 },
    { "QUADRUPED", "stairs:0.12,0.35", SINEW_WALK_NATURAL, 0.6, 8.0, 64 },
    { "SPIDER", "hills:3", SINEW_WALK_NATURAL, 0.3, 6.0, 64 },
    { "SPIDER", "stairs", SINEW_WALK_NATURAL, 0.3, 12.0, 64 },
    { "SPIDER", "stairs:0.20,0.25", SINEW_WALK_NATURAL, 0.3, 12.0, 64 },
};

/// TERR-2: walkers ask a few places in the mean, and not many at once.
static void test_walkers_ask_little(void **state)
{
    (void)state;
    enum { FRAMES = 600 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const Row *row = &rows[i];
        sinew_WalkerDef def = sinew_walker_def_default();
        def.style = row->style;
        Walk walk;
        walk_begin(&walk, row->body, row->ground, &def);
        measure_CountedGround counted = { walk.ground, 0 };
        sinew_Ground ground = measure_count_ground(&counted);
        sinew_Steering ahead = { row->speed, 0.0, 0.0 };
        double all = 0.0;
        int most = 0;
        for (int frame = 0; frame < FRAMES; ++frame) {
            counted.count = 0;
            TEST_OK(
                sinew_walker_update(walk.walker, &ahead, 1.0 / 60.0, &ground, walk.q, NULL), NULL);
            all += counted.count;
            if (frame > 0 && counted.count > most) { most = counted.count; }
        }
        print_message("%s %s: mean %.1f, most %d\n", row->body, row->ground, all / FRAMES, most);
        TEST_TRUE(all / FRAMES <= row->mean);
        TEST_TRUE(most <= row->most);
        walk_end(&walk);
    }
}

TEST_MAIN(cmocka_unit_test(test_walkers_ask_little))
