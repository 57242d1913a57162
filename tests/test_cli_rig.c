// `sinew rig`, and --rig of the other commands.

#include "command.h"

// a figure of 13 joints with hanging arms, centimetres, and three frames
static const char figure[] =
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\n"
    " JOINT Chest\n {\n  OFFSET 0 30 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "  JOINT Head\n  {\n   OFFSET 0 30 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "   End Site\n   {\n    OFFSET 0 20 0\n   }\n  }\n"
    "  JOINT LeftArm\n  {\n   OFFSET 18 22 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "   JOINT LeftForeArm\n   {\n    OFFSET 0 -28 0\n    CHANNELS 3 Zrotation Xrotation "
    "Yrotation\n"
    "    JOINT LeftHand\n    {\n     OFFSET 0 -25 0\n     CHANNELS 3 Zrotation Xrotation "
    "Yrotation\n"
    "     End Site\n     {\n      OFFSET 0 -8 0\n     }\n    }\n   }\n  }\n"
    "  JOINT RightArm\n  {\n   OFFSET -18 22 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "   JOINT RightForeArm\n   {\n    OFFSET 0 -28 0\n    CHANNELS 3 Zrotation Xrotation "
    "Yrotation\n"
    "    JOINT RightHand\n    {\n     OFFSET 0 -25 0\n     CHANNELS 3 Zrotation Xrotation "
    "Yrotation\n"
    "     End Site\n     {\n      OFFSET 0 -8 0\n     }\n    }\n   }\n  }\n }\n"
    " JOINT LeftUpLeg\n {\n  OFFSET 9 -4 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "  JOINT LeftLeg\n  {\n   OFFSET 0 -42 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "   JOINT LeftFoot\n   {\n    OFFSET 0 -42 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    End Site\n    {\n     OFFSET 0 -6 15\n    }\n   }\n  }\n }\n"
    " JOINT RightUpLeg\n {\n  OFFSET -9 -4 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "  JOINT RightLeg\n  {\n   OFFSET 0 -42 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "   JOINT RightFoot\n   {\n    OFFSET 0 -42 0\n    CHANNELS 3 Zrotation Xrotation "
    "Yrotation\n"
    "    End Site\n    {\n     OFFSET 0 -6 15\n    }\n   }\n  }\n }\n}\n"
    "MOTION\nFrames: 3\nFrame Time: 0.0333333\n";

// frames in which the left elbow bends by so many degrees
static const char *write_figure(const char *name, double bend)
{
    char text[sizeof figure + 2048];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", figure);
    const char *path = test_temp_path(name);
    for (int f = 0; f < 3; ++f) {
        used += (size_t)snprintf(text + used, sizeof text - used, "0 90 0 0 0 0");
        for (int j = 1; j < 15; ++j) {
            // joints in the file's order: chest, head, left arm, left forearm, ...
            used += (size_t)snprintf(
                text + used, sizeof text - used, " 0 %g 0", j == 4 ? -0.5 * f * bend : 0.0);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    write_text(path, text);
    return path;
}

static bool says(const char *text, const char *part)
{
    bool found = strstr(text, part) != NULL;
    if (!found) { print_message("not found: %s\nin: %s\n", part, text); }
    return found;
}

static void rig_tells_roles_and_limits(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", write_figure("figure.bvh", 40.0));
    const test_Run *run = run_sinew("rig '%s'", path);
    TEST_INT(run->code, 0);
    TEST_TRUE(
        says(run->out, "humanoid") && says(run->out, "upperarm_l") && says(run->out, "shin_r"));
    run = run_sinew("rig '%s' --json", path);
    TEST_INT(run->code, 0);
    TEST_TRUE(is_json_object(run->out));
    TEST_TRUE(
        says(run->out, "\"hand_r\": \"RightHand\"") || says(run->out, "\"hand_r\":\"RightHand\""));
    run = run_sinew("info '%s' --json", path);
    TEST_TRUE(is_json_object(run->out) && says(run->out, "\"upperarm_l\""));
    TEST_TRUE(says(run->out, "twist_deg"));
    run = run_sinew("info '%s'", path);
    TEST_TRUE(says(run->out, "guessed; used with --rig auto"));
}

static void rigs_beside_a_file_are_used(void **state)
{
    (void)state;
    char path[512], rig[512], other[512];
    snprintf(path, sizeof path, "%s", write_figure("beside.bvh", 40.0));
    snprintf(rig, sizeof rig, "%s", test_temp_path("beside.rig.json"));
    snprintf(other, sizeof other, "%s", test_temp_path("other.rig.json"));
    const test_Run *run = run_sinew("track '%s' --json", path);
    TEST_TRUE(says(run->out, "\"none\""));
    TEST_INT(run_sinew("rig '%s' -o '%s'", path, rig)->code, 0);
    run = run_sinew("track '%s' --json", path);
    TEST_INT(run->code, 0);
    TEST_TRUE(says(run->out, "beside.rig.json"));
    run = run_sinew("track '%s'", path);
    TEST_TRUE(says(run->out, "Limits: from "));
    run = run_sinew("track '%s' --rig none --json", path);
    TEST_TRUE(says(run->out, "\"none\""));
    // written again from the file: the same bytes
    TEST_INT(run_sinew("rig '%s' -o '%s'", path, other)->code, 0);
    static char first[262144], second[262144];
    TEST_TRUE(read_text(rig, first, sizeof first) > 1000);
    TEST_TRUE(read_text(other, second, sizeof second) > 1000);
    TEST_TRUE(strcmp(first, second) == 0);
    // what a rig file says about roles comes first
    write_text(rig, "{\"sinew_rig\": 1, \"joints\": {\"Head\": {\"role\": \"neck\"}}}");
    run = run_sinew("info '%s' --json", path);
    TEST_TRUE(says(run->out, "\"neck\""));
    // mistakes are told with their place
    write_text(rig, "{\"sinew_rig\": 1,\n \"joints\": {\"Hed\": {}}}");
    run = run_sinew("info '%s'", path);
    TEST_INT(run->code, 1);
    TEST_TRUE(says(run->err, "beside.rig.json:2:13:") && says(run->err, "did you mean \"Head\"?"));
    remove(rig);
}

// a rig of another body beside a file that was exported anew: what does not fit, and how much of it does
static void rigs_of_other_bodies_are_told(void **state)
{
    (void)state;
    char path[512], rig[512];
    snprintf(path, sizeof path, "%s", write_figure("anew.bvh", 40.0));
    snprintf(rig, sizeof rig, "%s", test_temp_path("anew.rig.json"));
    write_text(
        rig, "{\"sinew_rig\": 1, \"joints\": {\"Head\": {}, \"LeftArm\": {}, \"tail_03\": {}}}");
    const test_Run *run = run_sinew("track '%s'", path);
    TEST_INT(run->code, 1);
    TEST_TRUE(says(run->err, "anew.rig.json:1:56: found \"tail_03\""));
    TEST_TRUE(says(run->err, "anew.bvh, which it lies beside, has 2 of the rig's 3 joints)"));
    run = run_sinew("track '%s' --rig '%s'", path, rig);
    TEST_TRUE(run->code == 1 && says(run->err, "anew.bvh has 2 of the rig's 3 joints)"));
    // known names, but other ways to move
    write_text(rig, "{\"sinew_rig\": 1, \"joints\": {\"LeftForeArm\": {\"ranges\": [[0, 60]]}}}");
    run = run_sinew("solve '%s' --goal Head=0,1,0", path);
    TEST_TRUE(run->code == 1 && says(run->err, "anew.rig.json: LeftForeArm: found 1 range,"));
    TEST_TRUE(says(run->err, "anew.bvh, which it lies beside, has 1 of the rig's 1 joint)"));
    // whose word the unit is
    write_text(rig, "{\"sinew_rig\": 1, \"unit\": \"m\"}");
    TEST_TRUE(says(run_sinew("info '%s'", path)->out, "m (as the rig file says)"));
    TEST_TRUE(says(run_sinew("info '%s' --unit m", path)->out, "m (as --unit says)"));
    remove(rig);
}

// what uses nothing else of a rig reads the motion in its unit, too
static void a_unit_holds_wherever_the_motion_is_read(void **state)
{
    (void)state;
    char path[512], rig[512], out[512];
    snprintf(path, sizeof path, "%s", write_figure("inches.bvh", 40.0));
    snprintf(rig, sizeof rig, "%s", test_temp_path("inches.rig.json"));
    snprintf(out, sizeof out, "%s", test_temp_path("in_metres.bvh"));
    double before[3], after[3];
    for (int said = 0; said < 2; ++said) {
        double *figures = said ? after : before;
        if (said) { write_text(rig, "{\"sinew_rig\": 1, \"unit\": 0.02}"); }
        TEST_INT(run_sinew("convert '%s' '%s' --unit m", path, out)->code, 0);
        figures[0] = json_number(run_sinew("info '%s' --unit m --json", out)->out, "height_m");
        const test_Run *run = run_sinew("ground '%s' --terrain flat --json", path);
        TEST_INT(run->code, 0);
        figures[1] = json_number(run->out, "floor_m");
        run = run_sinew("retarget '%s' --to scene:MAN18 --json", path);
        TEST_INT(run->code, 0);
        figures[2] = json_number(run->out, "scale");
    }
    TEST_NEAR(after[0], 2.0 * before[0], 1e-6);
    TEST_NEAR(after[1], 2.0 * before[1], 1e-3);
    TEST_NEAR(after[2], 0.5 * before[2], 1e-6);
    // a unit that is given comes first; a rig of another body has none for this one
    TEST_INT(run_sinew("convert '%s' '%s' --unit m --input-unit cm", path, out)->code, 0);
    TEST_NEAR(
        json_number(run_sinew("info '%s' --unit m --json", out)->out, "height_m"), before[0], 1e-6);
    write_text(rig, "{\"sinew_rig\": 1, \"unit\": \"inch\", \"joints\": {\"tail_03\": {}}}");
    const test_Run *run = run_sinew("convert '%s' '%s'", path, out);
    TEST_INT(run->code, 1);
    TEST_TRUE(says(run->err, "inches.bvh, which it lies beside, has 0 of the rig's 1 joint)"));
    remove(rig);
}

static void limits_hold_in_track_and_solve(void **state)
{
    (void)state;
    char path[512], rig[512];
    snprintf(path, sizeof path, "%s", write_figure("limited.bvh", 120.0));
    snprintf(rig, sizeof rig, "%s", test_temp_path("tight.rig.json"));
    write_text(rig,
        "{\"sinew_rig\": 1, \"joints\": {\"LeftForeArm\": {\"kind\": \"hinge\", "
        "\"ranges\": [[0, 60]]}}}");
    const test_Run *run = run_sinew("track '%s' --rig auto --json", path);
    TEST_INT(run->code, 0);
    TEST_NEAR(json_number(run->out, "limit_violation_rad"), 0.0, 1e-12);
    TEST_TRUE(json_number(run->out, "mean_error_m") < 1e-3);
    // the elbow may bend by 60 degrees of 120
    run = run_sinew("track '%s' --rig '%s' --json", path, rig);
    TEST_INT(run->code, 0);
    TEST_NEAR(json_number(run->out, "limit_violation_rad"), 0.0, 1e-12);
    TEST_NEAR(json_number(run->out, "source_limit_violation_rad"), SINEW_PI / 3.0, 1e-3);
    TEST_TRUE(json_number(run->out, "max_error_m") > 0.01);
    // roles are names of joints, too
    run = run_sinew(
        "solve '%s' --rig auto --goal hand_l=0.3,0.3,0.3 --from upperarm_l --json", path);
    TEST_TRUE(run->code == 0 && says(run->out, "LeftHand"));
    run = run_sinew("solve '%s' --goal thumb1_l=0,0,0", path);
    TEST_INT(run->code, 1);
    TEST_TRUE(says(run->err, "is a thumb1_l"));
}

static void starts_and_fits_are_written(void **state)
{
    (void)state;
    char path[512], rig[512];
    snprintf(path, sizeof path, "%s", write_figure("starts.bvh", 90.0));
    snprintf(rig, sizeof rig, "%s", test_temp_path("made.rig.json"));
    const test_Run *run = run_sinew(
        "rig '%s' --fit '%s' --starts hand_l --from upperarm_l -o '%s'", path, path, rig);
    TEST_INT(run->code, 0);
    TEST_TRUE(says(run->out, "Starts for hand_l"));
    run = run_sinew("track '%s' --rig '%s' --json", path, rig);
    TEST_INT(run->code, 0);
    TEST_NEAR(json_number(run->out, "source_limit_violation_rad"), 0.0, 1e-9);
    run = run_sinew("rig '%s' --rig '%s'", path, rig);
    TEST_TRUE(run->code == 0 && says(run->out, "starts: hand_l"));
    run = run_sinew(
        "solve '%s' --rig '%s' --goal hand_l=0.3,0.3,0.3 --from upperarm_l --json", path, rig);
    TEST_TRUE(is_json_object(run->out));
    run = run_sinew("rig '%s' --fit scene:MAN18", path);
    TEST_INT(run->code, 1);
    TEST_TRUE(says(run->err, "has other joints than"));
    run = run_sinew("rig '%s' --starts nobody", path);
    TEST_TRUE(run->code == 1 && says(run->err, "--starts: no joint 'nobody'"));
    run = run_sinew("rig '%s' -o figure.txt", path);
    TEST_TRUE(run->code != 0 && says(run->err, ".json"));
}

TEST_MAIN(cmocka_unit_test(rig_tells_roles_and_limits),
    cmocka_unit_test(rigs_beside_a_file_are_used), cmocka_unit_test(rigs_of_other_bodies_are_told),
    cmocka_unit_test(a_unit_holds_wherever_the_motion_is_read),
    cmocka_unit_test(limits_hold_in_track_and_solve), cmocka_unit_test(starts_and_fits_are_written))
