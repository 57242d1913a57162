// Walks of `sinew walk --trials` in which something went wrong once.

#include "command.h"

#include <math.h>
#include <stdlib.h>

/// The worst that walks on ground that can be walked did by a rule, read from what the command tells.
static double worst_of(const test_Run *run, const char *rule)
{
    char name[64];
    snprintf(name, sizeof name, "{\"rule\": \"%s\"", rule);
    const char *at = strstr(run->out, name);
    at = at != NULL ? strstr(at, "\"worst\": ") : NULL;
    return at != NULL ? atof(at + strlen("\"worst\": ")) : (double)NAN;
}

// A stick that is let go in the middle of a long step down left hips short of the foot: they sank by 40 cm until the knee
// that stood was folded beyond its range, 227 mm off.
static void test_who_stops_above_a_step_comes_along_with_its_foot(void **state)
{
    (void)state;
    const test_Run *run = run_sinew(
        "walk --trials --only 'random stick+stairs:0.17,0.29' --seed 929292 --json");
    TEST_INT(run->code, 0);
    TEST_NEAR(worst_of(run, "unmet frames"), 0.0, 0.0);
    TEST_TRUE(worst_of(run, "largest miss") <= 1.0);
    TEST_NEAR(worst_of(run, "outside joint limits"), 0.0, 1e-9);
}

/// No foot of the walks whose names have these words is missed by more than 5 mm.
static void expect_feet_met(const char *only, long seed)
{
    const test_Run *run = run_sinew("walk --trials --only '%s' --seed %ld --json", only, seed);
    TEST_INT(run->code, 0);
    TEST_TRUE(worst_of(run, "largest miss") <= 5.0);
}

// One that turns back there did the same: 194 mm.
static void test_who_turns_back_above_a_step_comes_along_with_its_foot(void **state)
{
    (void)state;
    expect_feet_met("player+stairs:0.20,0.25 at 45 deg", 404040);
}

// Who stood across a flight looked for a place two treads above the other foot, and folded its knee beyond its range: 165 mm.
static void test_no_step_goes_two_treads_up_at_once(void **state)
{
    (void)state;
    expect_feet_met("keys+stairs:0.20,0.25 at 45 deg", 919191);
}

// Hips beside a foot that lands straight ahead are no nearer to it: who braked fell short of it by that, 33 mm.
static void test_who_brakes_comes_along_as_far_as_the_hip_is_beside_him(void **state)
{
    (void)state;
    expect_feet_met("player+stairs:0.20,0.25 at 45 deg", 260);
}

// A foot waited behind an edge while its hip went on, until its thigh was at its end: 102 mm.
static void test_no_foot_waits_until_it_is_left_behind(void **state)
{
    (void)state;
    expect_feet_met("player+stairs:0.17,0.29 at 20 deg", 151515);
}

// A foot on a long step was wanted back, up a tread that it could not be led to, and so landed where it was planned at first, 0.6 m
// ahead of who stood by then: hips sank onto the other foot, 50 mm.
static void test_a_foot_that_cannot_be_led_up_a_step_is_led_back_on_its_own(void **state)
{
    (void)state;
    expect_feet_met("player+stairs:0.20,0.25 at 90 deg", 616263);
}

// A knee that straightened held its foot towards the hip, over the tread above, which held it up: it never came down, 32 mm.
static void test_a_foot_that_comes_late_comes_down_beside_the_edge(void **state)
{
    (void)state;
    expect_feet_met("trembling+stairs:0.12,0.35 at 45 deg", 8675309);
}

// Hips sank with a foot below on a steep slope until the knee over the one above, on which the body then stood, was beyond its end: 42 mm.
static void test_no_foot_below_folds_the_knee_above(void **state)
{
    (void)state;
    expect_feet_met("keys+slope:-35", 2000002);
}

// Hips that surge fall onto knees which are nearly straight down a slope: a knee turned by more than 0.3 rad in a frame. All
// five starts were lost.
static void test_nobody_surges_down_a_slope(void **state)
{
    (void)state;
    const test_Run *run = run_sinew(
        "walk --trials --only 'backwards+slope:35' --seed 282930 --json");
    TEST_INT(run->code, 0);
    TEST_TRUE(worst_of(run, "frames with a joint above 0.3 rad") <= 0.02);
}

// Axes of the hips and ankles of a G1 do not meet: its legs reach less far when these turn. They stood stretched out, 1.3 mm
// short, in 4.8 % of all frames.
static void test_legs_whose_axes_do_not_meet_reach_less_far(void **state)
{
    (void)state;
    const char *robot = data_path("urdf/unitree_g1_29dof.urdf");
    if (robot == NULL) { skip(); }
    const test_Run *run = run_sinew(
        "walk --trials --rig %s --only player+flat --seed 300 --json", robot);
    TEST_INT(run->code, 0);
    TEST_TRUE(worst_of(run, "unmet frames") <= 0.02);
}

// A thigh swung beyond its range, and hips turned for it only when its foot stood: that was missed by 41 mm, over three frames. Where
// they have no time for it the foot waits: 17 mm.
static void test_hips_turn_for_a_foot_that_lands(void **state)
{
    (void)state;
    expect_feet_met("random stick+stairs:0.20,0.25 at 90 deg", 626364);
    expect_feet_met("player+stairs:0.20,0.25 at 45 deg", 737171);
}

// Who had looked nowhere else took the ground behind a foot before a drop for as steep as that: the first step leapt out of
// it, a knee by 0.53 rad in a frame.
static void test_who_stands_has_looked_around(void **state)
{
    (void)state;
    const test_Run *run = run_sinew("walk --trials --only 'player+kerbs:-0.5' --seed 121 --json");
    TEST_INT(run->code, 0);
    TEST_TRUE(worst_of(run, "largest joint step") <= 0.3);
}

// An ankle that is a ball with guessed limits has a window: with its foot turned aside it pitches less than straight ahead. A
// foot was planned as far as either went by itself, and shown as far as both go: 17 mm in a slope.
static void test_feet_are_planned_as_ball_ankles_hold_them(void **state)
{
    (void)state;
    const char *body = test_temp_path("man.bvh");
    TEST_INT(run_sinew("convert scene:MAN18 %s --force", body)->code, 0);
    const test_Run *run = run_sinew(
        "walk --trials --rig %s --limits-from auto --only 'player+slope:-35' --seed 300 --json",
        body);
    TEST_INT(run->code, 0);
    TEST_TRUE(worst_of(run, "moving sole in the ground") <= 2.0);
    TEST_TRUE(worst_of(run, "frames with a joint above 0.3 rad") <= 0.02);
    (void)remove(body);
}

TEST_MAIN(cmocka_unit_test(test_feet_are_planned_as_ball_ankles_hold_them),
    cmocka_unit_test(test_who_stops_above_a_step_comes_along_with_its_foot),
    cmocka_unit_test(test_who_turns_back_above_a_step_comes_along_with_its_foot),
    cmocka_unit_test(test_no_step_goes_two_treads_up_at_once),
    cmocka_unit_test(test_who_brakes_comes_along_as_far_as_the_hip_is_beside_him),
    cmocka_unit_test(test_no_foot_waits_until_it_is_left_behind),
    cmocka_unit_test(test_a_foot_that_cannot_be_led_up_a_step_is_led_back_on_its_own),
    cmocka_unit_test(test_a_foot_that_comes_late_comes_down_beside_the_edge),
    cmocka_unit_test(test_no_foot_below_folds_the_knee_above),
    cmocka_unit_test(test_nobody_surges_down_a_slope),
    cmocka_unit_test(test_legs_whose_axes_do_not_meet_reach_less_far),
    cmocka_unit_test(test_hips_turn_for_a_foot_that_lands),
    cmocka_unit_test(test_who_stands_has_looked_around))
