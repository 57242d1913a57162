// `sinew switch`.

#include "command.h"

static bool says(const char *text, const char *part)
{
    bool found = strstr(text, part) != NULL;
    if (!found) { print_message("not found: %s\nin: %s\n", part, text); }
    return found;
}

// SW-4: a motion with three switches of all limbs, and none of them shows a step
static void switches_show_no_step(void **state)
{
    (void)state;
    const char *out = test_temp_path("switched.bvh");
    const test_Run *run = run_sinew("switch scene:MAN18 --at 1,2,3 --json -o '%s'", out);
    assert_int_equal(run->code, 0);
    assert_true(json_number(run->out, "switches") == 3.0);
    assert_true(json_number(run->out, "max_pop_m") <= 1e-6);
    assert_true(json_number(run->out, "max_pop_rad") <= 1e-6);
    assert_true(json_number(run->out, "max_handle_error_m") <= 1e-6);
    // in IK, the joints are where the motion has them, as place, turn and pole leave an arm no freedom
    assert_true(json_number(run->out, "max_rotation_error_rad") <= 1e-4);
    run = run_sinew("info '%s'", out);
    assert_int_equal(run->code, 0);
    run = run_sinew("switch scene:MAN18 --limb LeftHand,leg_r --at 1");
    assert_int_equal(run->code, 0);
    assert_true(says(run->out, "arm_l leg_r"));
}

static void motions_are_keyed(void **state)
{
    (void)state;
    const char *keys = test_temp_path("man.keys.json");
    const test_Run *run = run_sinew(
        "switch scene:MAN18 --limb leg_l --to-ik 1..3 --reduce 2mm --keys '%s' --json", keys);
    assert_int_equal(run->code, 0);
    assert_true(json_number(run->out, "frames_per_key") >= 5.0);
    assert_true(json_number(run->out, "max_key_error_m") <= 2e-3);
    assert_true(json_number(run->out, "max_handle_key_error_m") <= 2e-3);
    // into IK and out of it, without a step, and the limb as written is as far off as both kinds of keys together at most
    assert_true(json_number(run->out, "switches") == 2.0);
    assert_true(json_number(run->out, "max_pop_m") <= 1e-6);
    assert_true(json_number(run->out, "max_limb_error_m") <= 4e-3);
    assert_true(json_number(run->out, "max_limb_error_m") > 0.0);
    static char text[1 << 20];
    assert_true(read_text(keys, text, sizeof text) > 0);
    assert_true(says(text, "\"what\": \"mode\""));
    run = run_sinew("switch scene:MAN18 --start-ik --at 1 --controls '%s'", keys);
    assert_int_equal(run->code, 0);
    assert_true(read_text(keys, text, sizeof text) > 0);
    assert_true(is_json_object(text));
    assert_true(says(text, "\"kind\": \"pole\", \"limb\": \"arm_l\""));
}

// what is told of a recorded leg is what is written, and that is on the motion when IK is over
static void legs_as_written_are_on_the_motion(void **state)
{
    (void)state;
    const char *path = data_path("bvh/bandai_2_run_normal_004.bvh");
    if (path == NULL) { skip(); }
    const test_Run *run = run_sinew("switch '%s' --limb leg_l --at 0.5,1.5 --blend 1 --json", path);
    assert_int_equal(run->code, 0);
    assert_true(json_number(run->out, "max_limb_error_m") <= 1e-5);
    run = run_sinew("switch '%s' --limb leg_l --to-ik 0.5..1.5 --reduce 2 --json", path);
    assert_int_equal(run->code, 0);
    assert_true(json_number(run->out, "max_key_error_m") <= 2e-3);
    assert_true(json_number(run->out, "max_handle_key_error_m") <= 2e-3);
    assert_true(json_number(run->out, "max_limb_error_m") <= 4e-3);
    run = run_sinew("switch '%s' --limb leg_l --to-ik 0.5..1.5", path);
    assert_int_equal(run->code, 0);
    assert_true(says(run->out, "as written, no joint of the limbs is more than"));
}

// Keys of handles are made of keys of joints, which are off already: what is asked is of both together.
static void keys_of_keys_are_within_what_was_asked(void **state)
{
    (void)state;
    static const char *const spans[] = { "--to-ik 1..4", "--to-ik 1..4 --to-fk 2..3" };
    for (int i = 0; i < 2; ++i) {
        const test_Run *run = run_sinew("switch scene:MAN18 %s --reduce 2 --json", spans[i]);
        TEST_INT(run->code, 0);
        TEST_TRUE(json_number(run->out, "max_limb_error_m") <= 2e-3);
    }
    const char *path = data_path("bvh/mass_kick.bvh");
    if (path == NULL) { skip(); }
    const test_Run *run = run_sinew("switch '%s' --to-ik 0..1.5 --reduce 2 --json", path);
    TEST_TRUE(json_number(run->out, "max_limb_error_m") <= 2e-3);
}

static void slips_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *said;
        int code;
    } slips[] = {
        { "switch scene:MAN18 --limb nose", "nose", 1 },
        { "switch scene:MAN18 --limb ''", "--limb: no joint ''", 1 },
        { "switch scene:MAN18 --limb arm_l,", "--limb: no joint ''", 1 },
        { "switch scene:MAN18 --limb Head", "there are arm_l, arm_r, leg_l, leg_r", 1 },
        { "switch scene:MAN18 --at 2,1", "rising order", 2 },
        { "switch scene:MAN18 --at 1,99", "within the motion's", 1 },
        { "switch scene:MAN18 --to-ik 0..99", "--to-ik: found 0..99, expected a range within", 1 },
        { "switch scene:MAN18 --to-ik 0..1 --to-fk 3..10", "--to-fk: found 3..10", 1 },
        { "switch scene:MAN18 --at 0.5 --keys x.json", "--at and --keys exclude", 2 },
        { "switch scene:MAN18 --to-ik 2", "FROM..TO", 2 },
        { "switch scene:ARM --limb all", "found no arms or legs", 1 },
        { "switch", "", 2 },
    };
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; ++i) {
        const test_Run *run = run_sinew("%s", slips[i].arguments);
        if (run->code != slips[i].code) {
            print_message("%s: %d\n", slips[i].arguments, run->code);
        }
        assert_int_equal(run->code, slips[i].code);
        assert_true(says(run->err, slips[i].said));
    }
}

// what docs/switch.md says of a thousand switches of each limb
static void the_benchmark_holds(void **state)
{
    (void)state;
    const test_Run *run = run_sinew("bench switch --json");
    assert_int_equal(run->code, 0);
    assert_true(says(run->out, "\"verdict\": \"holds\""));
    assert_true(strstr(run->out, "does not hold") == NULL);
}

TEST_MAIN(cmocka_unit_test(switches_show_no_step), cmocka_unit_test(motions_are_keyed),
    cmocka_unit_test(keys_of_keys_are_within_what_was_asked),
    cmocka_unit_test(legs_as_written_are_on_the_motion), cmocka_unit_test(slips_are_told),
    cmocka_unit_test(the_benchmark_holds))
