// Somebody in particular by a rig alone: a stiff knee on tracking and on walking, seen in the written files by a
// reader and kinematics of their own. Skipped without the data folder.

#include "feet_truth.h"

static const char clip[] = "bvh/cmu_12_01_walk_mb.bvh";

/// Least and most that a knee bends, degrees.
typedef struct Bend {
    double least, most;
} Bend;

static Bend bend_of(const char *path, const char *side)
{
    static Place pose[MOST_JOINTS];
    static const char *const parts[3] = { "UpLeg", "Leg", "Foot" };
    Own *own = own_read(path);
    int chain[3] = { -1, -1, -1 };
    Bend bend = { INFINITY, -INFINITY };
    assert_non_null(own);
    for (int i = 0; i < 3; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", side, parts[i]);
        for (int j = 0; j < own->joints; ++j) {
            if (strcmp(own->name[j], name) == 0) { chain[i] = j; }
        }
        assert_true(chain[i] >= 0);
    }
    for (int t = 0; t < own->frames; ++t) {
        double dot = 0.0, thigh = 0.0, shin = 0.0;
        own_pose(own, t, 1.0, pose);
        for (int r = 0; r < 3; ++r) {
            double a = pose[chain[1]].p[r] - pose[chain[0]].p[r];
            double b = pose[chain[2]].p[r] - pose[chain[1]].p[r];
            dot += a * b;
            thigh += a * a;
            shin += b * b;
        }
        double angle = acos(fmax(fmin(dot / sqrt(thigh * shin), 1.0), -1.0)) * 57.29577951308232;
        bend.least = fmin(bend.least, angle);
        bend.most = fmax(bend.most, angle);
    }
    own_free(own);
    return bend;
}

static double told(const test_Run *run, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(run->out, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static void write_rigs(char *plain, char *stiff, size_t size)
{
    const char *path = data_path(clip);
    if (path == NULL) { skip(); }
    snprintf(plain, size, "%s", test_temp_path("plain.rig.json"));
    snprintf(stiff, size, "%s", test_temp_path("stiff.rig.json"));
    TEST_INT(run_sinew("rig %s -o %s", path, plain)->code, 0);
    TEST_INT(run_sinew("rig %s -i stiff_knee_left -o %s", path, stiff)->code, 0);
}

// the range is halved, the feet stay where the recording has them
static void test_stiff_knee_on_tracking(void **state)
{
    (void)state;
    char plain[512], stiff[512], out[512];
    write_rigs(plain, stiff, sizeof plain);
    snprintf(out, sizeof out, "%s", test_temp_path("tracked.bvh"));
    TEST_INT(
        run_sinew("track %s --rig %s --targets key -o %s", data_path(clip), plain, out)->code, 0);
    Bend before = bend_of(out, "Left"), other = bend_of(out, "Right");
    const test_Run *run = run_sinew(
        "track %s --rig %s --targets key -o %s --force --json", data_path(clip), stiff, out);
    TEST_INT(run->code, 0);
    Bend now = bend_of(out, "Left"), beside = bend_of(out, "Right");
    print_message(
        "left knee %.0f..%.0f, stiff %.0f..%.0f degrees; targets off by %.2f mm, worst %.1f\n",
        before.least, before.most, now.least, now.most, 1e3 * told(run, "mean_error_m"),
        1e3 * told(run, "max_error_m"));
    TEST_TRUE(now.most <= 24.0 && now.most < 0.5 * before.most);
    TEST_NEAR(beside.most, other.most, 3.0);
    TEST_TRUE(told(run, "mean_error_m") <= 1e-3);
    TEST_TRUE(told(run, "limit_violation_rad") <= 1e-9);
}

// RET-3 on a walk as well: the leg is led around its hip, lower and stretched, and its feet are met
static void test_stiff_knee_on_walking(void **state)
{
    (void)state;
    char plain[512], stiff[512], out[512];
    write_rigs(plain, stiff, sizeof plain);
    snprintf(stiff, sizeof stiff, "%s", test_temp_path("stiffer.rig.json"));
    snprintf(out, sizeof out, "%s", test_temp_path("walked.bvh"));
    TEST_INT(run_sinew("rig %s -i stiff_knee_left:0.8 -o %s", data_path(clip), stiff)->code, 0);
    const test_Run *run = run_sinew("walk --rig %s --limits-from %s --seconds 8 -o %s "
                                    "--force --json",
        data_path(clip), stiff, out);
    TEST_INT(run->code, 0);
    Bend now = bend_of(out, "Left"), beside = bend_of(out, "Right");
    print_message("left knee %.0f..%.0f, right %.0f..%.0f degrees, %.0f frames unmet\n", now.least,
        now.most, beside.least, beside.most, told(run, "unmet_frames"));
    TEST_TRUE(now.most <= 0.5 * beside.most);
    TEST_TRUE(told(run, "limit_violation_rad") <= 1e-9);
    TEST_TRUE(told(run, "unmet_frames") <= 10.0);
    TEST_TRUE(told(run, "penetration_mm_max") <= 1.0);
    TEST_TRUE(told(run, "clearance_mm_min") >= 8.0);
    TEST_TRUE(told(run, "distance_m") >= 8.0);
}

TEST_MAIN(
    cmocka_unit_test(test_stiff_knee_on_tracking), cmocka_unit_test(test_stiff_knee_on_walking))
