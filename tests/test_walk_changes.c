// Steering that wants something else every 0.8 seconds, on ground that asks much of the legs.

#include "walks.h"

#include "scenes/random.h"
#include "sinew/steering.h"

// a deflection for each piece of time; one of eight lets go
static sinew_Steering random_stick(uint64_t seed, int piece)
{
    scene_Random random = scene_random(seed * 1000u + (uint64_t)piece);
    sinew_Stick stick = { 0.0, 0.0, false };
    stick.x = scene_random_range(&random, -1.0, 1.0);
    stick.y = scene_random_range(&random, -0.6, 1.2);
    stick.strafe = scene_random_index(&random, 4) == 0;
    if (scene_random_index(&random, 8) == 0) { stick.x = stick.y = 0.0; }
    return sinew_steering_from_stick(NULL, &stick);
}

// Legs cannot push hips harder than a few times the weight of the body, and nothing but weight and legs
// moves them: 40 m/s^2 is where people see a jerk at 60 frames a second, 15 on level ground.
static void test_hips_are_never_torn_down(void **state)
{
    (void)state;
    static const char *const grounds[] = { "flat", "hills:1", "hills:2", "slope:10", "slope:20",
        "slope:-20", "slope:30", "slope:-30", "slope:30,90" };
    for (size_t g = 0; g < sizeof grounds / sizeof grounds[0]; ++g) {
        for (uint64_t seed = 1; seed <= 2; ++seed) {
            Walk walk;
            sinew_WalkerDef def = sinew_walker_def_default();
            walk_begin(&walk, "MAN18", grounds[g], &def);
            for (int frame = 0; frame < 3000; ++frame) {
                walk_step(&walk, random_stick(seed, frame / 48), 1.0 / 60.0);
                snw_walk_meter_look(walk.meter, walk.walker, 1.0 / 60.0, walk.q, &walk.ground);
            }
            snw_WalkFigures f = snw_walk_meter_figures(walk.meter);
            print_message("%s %d: %.1f m/s^2\n", grounds[g], (int)seed, f.hips_acceleration.value);
            TEST_TRUE(f.hips_acceleration.value <= (g == 0 ? 15.0 : 40.0));
            TEST_INT(f.bad_frames, 0);
            walk_end(&walk);
        }
    }
}

TEST_MAIN(cmocka_unit_test(test_hips_are_never_torn_down))
