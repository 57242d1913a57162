// What the command tells of goals that are not met.

#include "command.h"

static const char *expect_unmet(const char *arguments, const char *line)
{
    const test_Run *run = run_sinew("%s", arguments);
    if (run->code != 1 || strstr(run->out, line) == NULL) {
        print_error("'sinew %s' exits with %d and says\n%s%swanted '%s'\n", arguments, run->code,
            run->out, run->err, line);
        fail();
    }
    return run->out;
}

static void solve_tells_what_blocks_a_goal(void **state)
{
    (void)state;
    (void)expect_unmet("solve scene:MAN18 --goal LeftHand=0.25,1.35,0.05 --from LeftArm",
        "LeftHand misses by 70 mm: LeftForeArm.rx at its lower limit (-145°).\n");
    (void)expect_unmet("solve scene:MAN18 --goal LeftFoot=0.1,-0.2,0 --from LeftUpLeg",
        "LeftFoot misses by 26 cm: the goal is 26 cm beyond its reach.\n");

    // goals are called what the user called them
    (void)expect_unmet("solve scene:MAN18 --goal foot_l=0.1,-0.2,0 --from thigh_l",
        "foot_l misses by 26 cm: the goal is 26 cm beyond its reach.\n");

    // and by their kinds where one joint has several: before, a hand gave way to itself
    const char *both = expect_unmet("solve scene:MAN18 --from LeftArm --goal LeftHand=0.5,1.1,0.2 "
                                    "--turn LeftHand=0,0,0,1",
        "position LeftHand misses by ");
    TEST_TRUE(strstr(both, "gives way to orientation LeftHand") != NULL);
    TEST_TRUE(strstr(both, "gives way to position LeftHand") != NULL);
    // the nearest pose is no unfinished one by another weighing of turns
    TEST_TRUE(strstr(both, "not finished") == NULL);

    const test_Run *run = run_sinew(
        "solve scene:MAN18 --goal hand_l=0.25,1.35,0.05 --from LeftArm --json");
    TEST_INT(run->code, 1);
    TEST_TRUE(is_json_object(run->out));
    TEST_TRUE(strstr(run->out, "\"joint\": \"hand_l\"") != NULL);
    TEST_TRUE(strstr(run->out,
                  "\"cause\": \"LeftForeArm.rx at its lower limit (-145°)\", \"blockers\": "
                  "[{\"kind\": \"lower_limit\", \"joint\": \"LeftForeArm\", \"axis\": "
                  "\"LeftForeArm.rx\", \"bound_rad\": -2.53")
        != NULL);
    TEST_TRUE(strstr(run->out, "\"active_limits\": [{\"joint\": \"LeftForeArm\"") != NULL);

    run = run_sinew("solve scene:MAN18 --goal LeftHand=0.4,1.1,0.3 --json");
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "\"met\": true, \"blockers\": []") != NULL);
}

static void tables_have_a_cause_for_each_miss(void **state)
{
    (void)state;
    const char *problems = test_temp_path("problems.csv"), *answers = test_temp_path("answers.csv");
    write_text(problems, "Ankle.x,Ankle.y,Ankle.z\n0.1,0.3,0.2\n0.09,-1,0\n0.09,0.95,-0.8\n");
    const test_Run *run = run_sinew(
        "solve scene:LEG --goals '%s' -o '%s' --json", problems, answers);
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "\"causes\": {") != NULL);
    TEST_TRUE(strstr(run->out, "\"reach\": 1") != NULL);
    static char text[65536];
    TEST_TRUE(read_text(answers, text, sizeof text) > 0);
    char *row = strtok(text, "\n");
    TEST_TRUE(strcmp(strrchr(row, ','), ",cause") == 0);
    row = strtok(NULL, "\n");
    TEST_TRUE(strncmp(row, "converged,", 10) == 0 && row[strlen(row) - 1] == ',');
    row = strtok(NULL, "\n");
    TEST_TRUE(strstr(row, ",Ankle misses by 1.1 m: the goal is 1.1 m beyond its reach") != NULL);
    row = strtok(NULL, "\n");
    TEST_TRUE(strstr(row, "Hip.rx at its upper limit (20°)") != NULL);
}

static void track_tells_its_worst_targets(void **state)
{
    (void)state;
    const test_Run *run = run_sinew("track scene:MAN18 --max-speed 0.2");
    TEST_INT(run->code, 0);
    const char *line = strstr(run->out, "  Frame ");
    TEST_TRUE(line != NULL && strstr(line, ": the bound on joint speed.\n") != NULL);
    run = run_sinew("track scene:MAN18 --max-speed 0.2 --json");
    TEST_TRUE(is_json_object(run->out));
    TEST_TRUE(strstr(run->out, "\"misses\": [{\"joint\": ") != NULL);
    run = run_sinew("track scene:MAN18 --json");
    TEST_TRUE(strstr(run->out, "\"misses\": []") != NULL);
}

static void soft_reach_tells_what_it_costs(void **state)
{
    (void)state;
    // the leg is 0.88 m long
    const char *goal = "solve scene:LEG --goal Ankle=0.09,0.075,0";
    const test_Run *run = run_sinew("%s --json", goal);
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "\"conditioning\": \"straight\"") != NULL);
    run = run_sinew("%s --soft-reach 0.02", goal);
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "near full stretch (soft reach).\n") != NULL);
    // the table tells the same as the line above it
    TEST_TRUE(strstr(run->out, "All goals are met where soft reach has put them") != NULL);
    TEST_TRUE(strstr(run->out, "-  met where eased\n") != NULL);
    run = run_sinew("solve scene:LEG --goal Ankle=0.09,0.06,0 --soft-reach 0.1");
    TEST_TRUE(strstr(run->out, "Not met") != NULL && strstr(run->out, "-  not met\n") != NULL);
    run = run_sinew("%s --soft-reach 0.5", goal);
    TEST_INT(run->code, 2);
}

TEST_MAIN(cmocka_unit_test(solve_tells_what_blocks_a_goal),
    cmocka_unit_test(tables_have_a_cause_for_each_miss),
    cmocka_unit_test(track_tells_its_worst_targets),
    cmocka_unit_test(soft_reach_tells_what_it_costs))
