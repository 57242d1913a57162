// Jobs without a skeleton: two bones, aims over a chain, chains to a place.

#include "testing.h"

#include "sinew/job.h"

#include <string.h>

#define COUNT 6

static sinew_TwoBoneJob random_limb(test_Random *random)
{
    sinew_TwoBoneJob job = sinew_two_bone_job_default();
    job.start = test_transform(random, 1.0);
    job.middle = test_transform(random, 1.0);
    job.end = test_transform(random, 1.0);
    return job;
}

static double bend_of(sinew_Vec3 start, sinew_Vec3 middle, sinew_Vec3 end)
{
    sinew_Vec3 upper = sinew_vec3_sub(middle, start), lower = sinew_vec3_sub(end, middle);
    return sinew_atan2(
        sinew_vec3_length(sinew_vec3_cross(upper, lower)), sinew_vec3_dot(upper, lower));
}

// where rotations alone put a joint that was at `child` under `parent`
static sinew_Vec3 carried(
    sinew_Transform parent, sinew_Quat turned, sinew_Vec3 at, sinew_Vec3 child)
{
    sinew_Vec3 local = sinew_transform_point(sinew_transform_inverse(parent), child);
    return sinew_vec3_add(at, sinew_quat_rotate(turned, local));
}

/// Reachable targets are met, by rotations alone; the others as nearly as the bones can; poles are kept.
static void test_two_bone_reaches(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(9901, i);
        sinew_TwoBoneJob job = random_limb(&random);
        job.target = test_vector(&random, 2.0);
        job.has_pole = i % 2 == 0;
        job.pole = test_vector(&random, 3.0);
        sinew_TwoBoneResult r;
        TEST_OK(sinew_job_two_bone(&job, &r, NULL), NULL);
        double upper = sinew_vec3_distance(job.start.position, job.middle.position);
        double lower = sinew_vec3_distance(job.middle.position, job.end.position);
        double far = sinew_vec3_distance(job.start.position, job.target);
        double least = fmax(0.0, fmax(far - upper - lower, fabs(upper - lower) - far));
        sinew_Vec3 knee = carried(job.start, r.start, job.start.position, job.middle.position);
        sinew_Vec3 end = carried(job.middle, r.middle, knee, job.end.position);
        TEST_VEC3_NEAR(end, r.end_position, 1e-12);
        TEST_NEAR(r.miss, least, 1e-10);
        TEST_NEAR(sinew_vec3_distance(end, job.target), least, 1e-10);
        if (job.has_pole && least == 0.0) {
            // knee and pole on the same side of the line
            sinew_Vec3 line = sinew_vec3_sub(job.target, job.start.position);
            sinew_Vec3 a = sinew_vec3_cross(line, sinew_vec3_sub(knee, job.start.position));
            sinew_Vec3 b = sinew_vec3_cross(line, sinew_vec3_sub(job.pole, job.start.position));
            double size = sinew_vec3_length(a) * sinew_vec3_length(b);
            if (size > 1e-3) { TEST_NEAR(sinew_vec3_dot(a, b) / size, 1.0, 1e-9); }
        }
    }
}

/// Straight, folded, without length, target at the root: finite, and what can be met is met.
static void test_two_bone_corners(void **state)
{
    (void)state;
    sinew_TwoBoneJob job = sinew_two_bone_job_default();
    sinew_TwoBoneResult r;
    job.middle.position = sinew_vec3(0.0, -0.4, 0.0);
    job.end.position = sinew_vec3(0.0, -0.8, 0.0);
    job.target = sinew_vec3(0.0, -0.6, 0.0);
    TEST_OK(sinew_job_two_bone(&job, &r, NULL), NULL);
    TEST_NEAR(r.miss, 0.0, 1e-12);
    // the straight limb bent about its axis, x
    sinew_Vec3 knee = sinew_quat_rotate(r.start, job.middle.position);
    TEST_NEAR(knee.x, 0.0, 1e-12);
    TEST_TRUE(fabs(knee.z) > 0.1);
    job.target = sinew_vec3(0.0, 0.0, 0.0);
    TEST_OK(sinew_job_two_bone(&job, &r, NULL), NULL);
    TEST_NEAR(r.miss, 0.0, 1e-12);
    job.target = sinew_vec3(0.0, 9.0, 0.0);
    TEST_OK(sinew_job_two_bone(&job, &r, NULL), NULL);
    TEST_NEAR(r.miss, 8.2, 1e-12);
    job.end.position = job.middle.position;
    TEST_OK(sinew_job_two_bone(&job, &r, NULL), NULL);
    TEST_QUAT_NEAR(r.start, job.start.rotation, 1e-15);
}

/// Bends stay in their range, weights turn a share of the way, soft reach never snaps straight.
static void test_two_bone_limits(void **state)
{
    (void)state;
    for (int i = 0; i < 500; ++i) {
        test_Random random = test_case(9902, i);
        sinew_TwoBoneJob job = random_limb(&random);
        job.target = test_vector(&random, 2.0);
        job.least_bend = test_range(&random, 0.0, 1.0);
        job.most_bend = test_range(&random, 1.0, SINEW_PI);
        sinew_TwoBoneResult r, half, none;
        TEST_OK(sinew_job_two_bone(&job, &r, NULL), NULL);
        sinew_Vec3 knee = carried(job.start, r.start, job.start.position, job.middle.position);
        double bend = bend_of(job.start.position, knee, r.end_position);
        TEST_TRUE(bend > job.least_bend - 1e-7 && bend < job.most_bend + 1e-7);
        job.weight = 0.5;
        TEST_OK(sinew_job_two_bone(&job, &half, NULL), NULL);
        TEST_NEAR(sinew_quat_angle(job.start.rotation, half.start),
            0.5 * sinew_quat_angle(job.start.rotation, r.start), 1e-12);
        TEST_NEAR(half.miss, r.miss, 0.0);
        job.weight = 0.0;
        TEST_OK(sinew_job_two_bone(&job, &none, NULL), NULL);
        TEST_QUAT_NEAR(none.middle, job.middle.rotation, 1e-15);
    }
    // a straight leg that is left behind: the knee's speed stays bounded by the softness
    sinew_TwoBoneJob leg = sinew_two_bone_job_default();
    leg.middle.position = sinew_vec3(0.0, -0.5, 0.05);
    leg.end.position = sinew_vec3(0.0, -1.0, 0.0);
    double fastest[2] = { 0.0, 0.0 };
    for (int soft = 0; soft < 2; ++soft) {
        double last = NAN;
        leg.soft_reach = soft ? 0.05 : 0.0;
        for (int step = 0; step < 400; ++step) {
            sinew_TwoBoneResult r;
            leg.target = sinew_vec3(0.0, -0.8 - 0.001 * step, 0.0);
            TEST_OK(sinew_job_two_bone(&leg, &r, NULL), NULL);
            sinew_Vec3 knee = sinew_quat_rotate(r.start, leg.middle.position);
            double bend = bend_of(leg.start.position, knee, r.end_position);
            if (isfinite(last)) { fastest[soft] = fmax(fastest[soft], fabs(bend - last)); }
            last = bend;
        }
    }
    TEST_TRUE(fastest[1] < 0.3 * fastest[0]);
}

static void random_links(test_Random *random, sinew_Transform *out, int count)
{
    out[0] = test_transform(random, 1.0);
    for (int j = 1; j < count; ++j) {
        sinew_Transform local = test_transform(random, 0.3);
        out[j] = sinew_transform_mul(out[j - 1], local);
        out[j].rotation = sinew_quat_normalize(out[j].rotation);
    }
}

// the chain as its new rotations put it
static void pose_links(
    const sinew_Transform *given, const sinew_Quat *turned, int count, sinew_Transform *out)
{
    for (int j = 0; j < count; ++j) {
        out[j].rotation = turned[j];
        out[j].position = j == 0
            ? given[0].position
            : carried(given[j - 1], turned[j - 1], out[j - 1].position, given[j].position);
    }
}

/// An aim is met when the last joint takes the rest; shares of 0 leave a joint to its parent; up is kept.
static void test_aim(void **state)
{
    (void)state;
    for (int i = 0; i < 500; ++i) {
        test_Random random = test_case(9903, i);
        sinew_Transform links[COUNT], out[COUNT];
        sinew_Quat turned[COUNT];
        double shares[COUNT] = { 0.0, 0.2, 0.3, 0.0, 0.4, 1.0 }, miss;
        random_links(&random, links, COUNT);
        sinew_AimJob job = sinew_aim_job_default();
        job.joints = links;
        job.joint_count = COUNT;
        job.axis = test_unit_vector(&random);
        job.offset = test_vector(&random, 0.05);
        job.target = sinew_vec3_add(
            links[0].position, sinew_vec3_scale(test_unit_vector(&random), 8.0));
        if (i % 2) { job.shares = shares; }
        job.has_up = i % 3 == 0;
        TEST_OK(sinew_job_aim(&job, turned, &miss, NULL), NULL);
        pose_links(links, turned, COUNT, out);
        sinew_Vec3 eye = sinew_transform_point(out[COUNT - 1], job.offset);
        sinew_Vec3 way = sinew_vec3_sub(job.target, eye);
        sinew_Vec3 points = sinew_quat_rotate(out[COUNT - 1].rotation, job.axis);
        double angle = sinew_atan2(
            sinew_vec3_length(sinew_vec3_cross(points, way)), sinew_vec3_dot(points, way));
        TEST_NEAR(angle, miss, 1e-9);
        // turning the head up moves an eye beside its axis
        TEST_TRUE(miss < (job.has_up ? 0.02 : 1e-9));
        if (i % 2) {
            TEST_QUAT_NEAR(turned[0], links[0].rotation, 1e-12);
            sinew_Quat was = sinew_quat_mul(
                sinew_quat_conjugate(links[2].rotation), links[3].rotation);
            sinew_Quat now = sinew_quat_mul(sinew_quat_conjugate(turned[2]), turned[3]);
            TEST_QUAT_NEAR(now, was, 1e-12);
        }
        if (job.has_up) {
            sinew_Vec3 up = sinew_quat_rotate(out[COUNT - 1].rotation, job.up);
            // nothing about the aim would bring it nearer
            double sine = sinew_vec3_dot(points, sinew_vec3_cross(up, job.up_world));
            TEST_NEAR(sine, 0.0, 1e-9);
        }
        job.max_turn = 0.1;
        job.has_up = false;
        TEST_OK(sinew_job_aim(&job, turned, NULL, NULL), NULL);
        for (int j = 0; j < COUNT; ++j) {
            sinew_Quat was = j == 0
                ? links[0].rotation
                : sinew_quat_mul(sinew_quat_conjugate(links[j - 1].rotation), links[j].rotation);
            sinew_Quat now = j == 0
                ? turned[0]
                : sinew_quat_mul(sinew_quat_conjugate(turned[j - 1]), turned[j]);
            TEST_TRUE(sinew_quat_angle(was, now) < 0.1 + 1e-9);
        }
    }
}

/// Chains get to places in reach, keep their bones, and stop at their bounds.
static void test_chain(void **state)
{
    (void)state;
    int met = 0;
    enum { CASES = 300 };
    for (int i = 0; i < CASES; ++i) {
        test_Random random = test_case(9904, i);
        sinew_Transform links[COUNT], out[COUNT];
        sinew_Quat turned[COUNT];
        double miss, length = 0.0;
        random_links(&random, links, COUNT);
        for (int j = 1; j < COUNT; ++j) {
            length += sinew_vec3_distance(links[j - 1].position, links[j].position);
        }
        sinew_ChainJob job = sinew_chain_job_default();
        job.joints = links;
        job.joint_count = COUNT;
        double far = test_range(&random, 0.3, 0.8) * length;
        job.target = sinew_vec3_add_scaled(links[0].position, test_unit_vector(&random), far);
        job.max_passes = 200;
        TEST_OK(sinew_job_chain(&job, turned, &miss, NULL), NULL);
        pose_links(links, turned, COUNT, out);
        TEST_NEAR(sinew_vec3_distance(out[COUNT - 1].position, job.target), miss, 1e-10);
        met += miss <= 1e-4 * length;
        job.weight = 0.0;
        TEST_OK(sinew_job_chain(&job, turned, NULL, NULL), NULL);
        for (int j = 0; j < COUNT; ++j) { TEST_QUAT_NEAR(turned[j], links[j].rotation, 1e-12); }
    }
    // a bone longer than all others together leaves a hole in the middle
    TEST_TRUE(met >= CASES * 9 / 10);
}

/// What is wrong is refused by its name, and nothing is written.
// no turn towards the target leads out of a straight chain on its line
static void test_straight_chain_bends(void **state)
{
    (void)state;
    sinew_Transform links[10];
    sinew_Quat turned[10];
    test_Random random = test_random(9);
    for (int run = 0; run < 400; ++run) {
        int count = 3 + test_int(&random, 8);
        sinew_Vec3 base = test_vector(&random, 2.0);
        sinew_Vec3 along = run == 0 ? sinew_vec3(1.0, 0.0, 0.0) : test_unit_vector(&random);
        sinew_Quat own = run < 2 ? sinew_quat_identity() : test_unit_quat(&random);
        for (int j = 0; j < count; ++j) {
            links[j].position = sinew_vec3_add_scaled(base, along, 0.1 * j);
            links[j].rotation = own;
        }
        // some targets are a little aside, where passes alone would not get away in time
        double share = test_range(&random, 0.05, 0.999), length = 0.1 * (count - 1);
        sinew_ChainJob job = sinew_chain_job_default();
        job.joints = links;
        job.joint_count = count;
        job.target = sinew_vec3_add_scaled(base, along, share * length);
        if (run % 2 != 0) {
            job.target = sinew_vec3_add_scaled(job.target, test_unit_vector(&random), 1e-7);
        }
        double miss = 1.0, again = 1.0;
        TEST_OK(sinew_job_chain(&job, turned, &miss, NULL), NULL);
        if (miss > 5e-4 * length) {
            print_message("run %d: %d joints, %g: %g\n", run, count, share, miss);
        }
        TEST_TRUE(miss <= 5e-4 * length);
        // one pass is as it was, and beyond reach it stays straight
        job.max_passes = 1;
        TEST_OK(sinew_job_chain(&job, turned, &again, NULL), NULL);
        TEST_TRUE(again <= (1.0 - share) * length + 1e-6);
        job.max_passes = 32;
        job.target = sinew_vec3_add_scaled(base, along, 1.01 * length);
        TEST_OK(sinew_job_chain(&job, turned, &again, NULL), NULL);
        TEST_NEAR(again, 0.01 * length, 1e-12);
    }
}

static void test_bad_jobs(void **state)
{
    (void)state;
    sinew_TwoBoneJob zero = sinew_two_bone_job_default();
    sinew_TwoBoneResult none;
    sinew_Message said = { "" };
    zero.middle.rotation.w = 0.0;
    TEST_INT(sinew_job_two_bone(&zero, &none, &said), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strncmp(said.text, "job.middle has a rotation of length 0, want 1", 45) == 0);
    sinew_Message message = { "" };
    sinew_TwoBoneResult result = { .miss = 7.0 };
    sinew_Transform links[2] = { sinew_transform_identity(), sinew_transform_identity() };
    sinew_Quat turned[2];
    sinew_TwoBoneJob limb = sinew_two_bone_job_default();
    TEST_INT(sinew_job_two_bone(NULL, &result, &message), SINEW_STATUS_INVALID_ARGUMENT);
    limb.weight = 1.5;
    TEST_INT(sinew_job_two_bone(&limb, &result, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "weight") != NULL && result.miss == 7.0);
    limb.weight = 1.0;
    limb.target.x = NAN;
    TEST_INT(sinew_job_two_bone(&limb, &result, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "target") != NULL);
    sinew_AimJob aim = sinew_aim_job_default();
    TEST_INT(sinew_job_aim(&aim, turned, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "joints") != NULL);
    const sinew_Transform neck = sinew_transform_identity();
    aim.joints = &neck;
    aim.joint_count = 1;
    aim.target = sinew_vec3(0.0, 0.0, 1.0);
    aim.has_up = true;
    aim.up = aim.up_world = sinew_vec3(0.0, 1.0, 0.0);
    TEST_OK(sinew_job_aim(&aim, turned, NULL, &message), &message);
    aim.axis.x = NAN;
    TEST_INT(sinew_job_aim(&aim, turned, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strncmp(message.text, "job.axis is (nan, ", 18) == 0);
    aim.axis = sinew_vec3(0.0, 0.0, 1.0);
    aim.up_world.x = 1.0;
    TEST_INT(sinew_job_aim(&aim, turned, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strncmp(message.text, "job.up_world has length 1.41", 28) == 0);
    sinew_ChainJob chain = sinew_chain_job_default();
    chain.joints = links;
    chain.joint_count = SINEW_MAX_JOB_JOINTS + 1;
    TEST_INT(sinew_job_chain(&chain, turned, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "joint_count") != NULL);
}

TEST_MAIN(cmocka_unit_test(test_two_bone_reaches), cmocka_unit_test(test_two_bone_corners),
    cmocka_unit_test(test_two_bone_limits), cmocka_unit_test(test_aim),
    cmocka_unit_test(test_chain), cmocka_unit_test(test_straight_chain_bends),
    cmocka_unit_test(test_bad_jobs))
