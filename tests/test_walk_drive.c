// What a game asks of the walker: steering in the world's axes, quick answers, a root of its own, events.

#include "testing.h"

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "sinew/terrain_file.h"
#include "sinew/walker.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_TIME (1.0 / 60.0)

typedef struct Walk {
    scene_Scene *scene;
    sinew_Terrain *terrain;
    sinew_Ground ground;
    sinew_Walker *walker;
    double *q;
} Walk;

static void begin(Walk *walk, const char *terrain, sinew_WalkStyle style, bool is_quick)
{
    memset(walk, 0, sizeof *walk);
    sinew_Message message = { "" };
    TEST_OK(scene_create("MAN18", NULL, &walk->scene, &message), &message);
    TEST_OK(sinew_terrain_open(terrain, NULL, &walk->terrain, &message), &message);
    walk->ground = sinew_terrain_ground(walk->terrain);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = walk->scene->skeleton;
    def.style = style;
    // what is timed here does not depend on what differs from step to step
    def.manner.variation = 0.0;
    if (is_quick) { def.response = sinew_walk_response_game(); }
    TEST_OK(sinew_walker_create(&def, &walk->walker, &message), &message);
    walk->q = calloc(
        (size_t)sinew_skeleton_coordinate_count(walk->scene->skeleton), sizeof *walk->q);
    TEST_TRUE(walk->q != NULL);
}

static void end(Walk *walk)
{
    sinew_walker_destroy(walk->walker);
    sinew_terrain_destroy(walk->terrain);
    scene_destroy(walk->scene);
    free(walk->q);
}

static sinew_WalkerReport go(Walk *walk, sinew_Drive drive, double dt)
{
    sinew_Message message = { "" };
    TEST_OK(
        sinew_walker_drive(walk->walker, &drive, dt, &walk->ground, walk->q, &message), &message);
    return sinew_walker_report(walk->walker);
}

static double level_distance(sinew_Vec3 a, sinew_Vec3 b)
{
    double dx = a.x - b.x, dz = a.z - b.z;
    return sqrt(dx * dx + dz * dz);
}

/// How deep the deepest point of both soles is in the ground, metres: straight up where it is by 8 mm level as well.
static double find_depth(const Walk *walk)
{
    double deepest = 0.0;
    sinew_Transform world[64];
    TEST_TRUE(sinew_skeleton_joint_count(walk->scene->skeleton) <= 64);
    sinew_pose_forward(walk->scene->skeleton, walk->q, world);
    for (int leg = 0; leg < 2; ++leg) {
        const sinew_Sole *sole = sinew_walker_sole(walk->walker, leg);
        for (int k = 0; k < sole->point_count; ++k) {
            const sinew_SolePoint *point = &sole->points[k];
            sinew_Vec3 at = sinew_transform_point(world[point->joint], point->offset);
            double ground = (double)INFINITY;
            for (int side = 0; side < 4; ++side) {
                const double x = at.x + (side % 2 ? 0.008 : -0.008),
                             z = at.z + (side / 2 ? 0.008 : -0.008);
                ground = fmin(ground, sinew_ground_sample(&walk->ground, x, z).height);
            }
            deepest = fmax(deepest, ground - at.y);
        }
    }
    return deepest;
}

// ---------------------------------------------------------------------------------------------

// CTRL-1: a stick that a camera turns asks for a way and a facing of the world
static void a_velocity_of_the_world_is_kept_while_it_looks_elsewhere(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_NATURAL, true);
    sinew_Drive drive = sinew_drive_world(0.3, 0.4);
    drive.has_facing = true;
    drive.facing = -0.6;
    sinew_WalkerReport report = { .leg_count = 0 };
    for (int i = 0; i < 180; ++i) { report = go(&walk, drive, FRAME_TIME); }
    sinew_Vec3 from = report.root;
    for (int i = 0; i < 120; ++i) { report = go(&walk, drive, FRAME_TIME); }
    TEST_NEAR(report.heading, -0.6, 0.03);
    TEST_NEAR((report.root.x - from.x) / 2.0, 0.3, 0.02);
    TEST_NEAR((report.root.z - from.z) / 2.0, 0.4, 0.02);
    end(&walk);
}

static void without_a_facing_it_looks_where_it_goes(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_NATURAL, true);
    sinew_WalkerReport report = { .leg_count = 0 };
    for (int i = 0; i < 240; ++i) { report = go(&walk, sinew_drive_world(-0.8, 0.0), FRAME_TIME); }
    TEST_NEAR(report.heading, -0.5 * SINEW_PI, 0.03);
    TEST_NEAR(report.motion.forward, 0.8, 0.03);
    end(&walk);
}

/// How far the root is from the middle between its two feet, level.
static double off_middle(const Walk *walk, const sinew_WalkerReport *report)
{
    const sinew_Vec3 left = sinew_walker_leg(walk->walker, 0).foothold;
    const sinew_Vec3 right = sinew_walker_leg(walk->walker, 1).foothold;
    return level_distance(sinew_vec3_lerp(left, right, 0.5), report->root);
}

// 90 % of a walk within 0.3 s, and at rest over both feet within 0.9 s, mostly 0.5; people who have time take longer
static void games_are_answered_at_once(void **state)
{
    (void)state;
    int late = 0;
    // let go at six moments of the step, eleven frames apart
    for (int k = 0; k < 12; ++k) {
        Walk walk;
        const int quick = k % 2;
        begin(&walk, "flat", SINEW_WALK_NATURAL, quick == 1);
        sinew_WalkerReport report = { .leg_count = 0 };
        for (int i = 0; i < 30; ++i) { go(&walk, sinew_drive_world(0.0, 0.0), FRAME_TIME); }
        int frames = 0;
        while (report.motion.forward < 0.9 * 1.4 && frames < 300) {
            report = go(&walk, sinew_drive_world(0.0, 1.4), FRAME_TIME);
            ++frames;
        }
        TEST_TRUE(quick == 1 ? frames <= 18 : frames > 30);
        for (int i = 0; i < 180 + 11 * (k / 2); ++i) {
            report = go(&walk, sinew_drive_world(0.0, 1.4), FRAME_TIME);
        }
        sinew_Vec3 before = report.hips;
        int last = 0;
        for (int i = 1; i <= 240; ++i) {
            report = go(&walk, sinew_drive_world(0.0, 0.0), FRAME_TIME);
            if (level_distance(report.hips, before) > (quick == 1 ? 0.1 : 0.05) * FRAME_TIME) {
                last = i;
            }
            before = report.hips;
            if (i == 60 && quick == 1) { TEST_TRUE(off_middle(&walk, &report) < 0.06); }
        }
        TEST_TRUE(quick == 1 ? last <= 54 : last > 30);
        late += quick == 1 && last > 30 ? 1 : 0;
        TEST_INT(report.unmet_frames, 0);
        end(&walk);
    }
    TEST_TRUE(late <= 2);
}

// a capsule that turns and stops
static sinew_Drive capsule_at(double time)
{
    double angle = 0.5 * time, s, c;
    sinew_sincos(angle, &s, &c);
    return sinew_drive_root(2.0 - 2.0 * c, 2.0 * s, angle);
}

static void a_root_from_outside_is_followed_exactly(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "hills:3", SINEW_WALK_NATURAL, true);
    for (int i = 1; i <= 600; ++i) {
        sinew_Drive drive = capsule_at(fmin(7.0, i * FRAME_TIME));
        sinew_WalkerReport report = go(&walk, drive, FRAME_TIME);
        TEST_NEAR(report.root.x, drive.x, 0.0);
        TEST_NEAR(report.root.z, drive.z, 0.0);
        TEST_NEAR(report.heading, drive.heading, 1e-12);
        // hips sway over the feet, no more
        TEST_TRUE(level_distance(report.hips, report.root) < 0.06);
    }
    TEST_TRUE(!sinew_walker_report(walk.walker).is_walking);
    TEST_TRUE(sinew_walker_report(walk.walker).step_count > 10);
    TEST_TRUE(sinew_walker_report(walk.walker).unmet_frames <= 3);
    end(&walk);
}

static void footfalls_of_a_led_root_do_not_depend_on_the_frame_rate(void **state)
{
    (void)state;
    sinew_Vec3 places[2];
    int steps[2];
    const int rates[2] = { 40, 120 };
    for (int r = 0; r < 2; ++r) {
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_NATURAL, true);
        go(&walk, sinew_drive_root(0.0, 0.0, 0.0), 0.0);
        for (int i = 1; i <= 5 * rates[r]; ++i) {
            double time = (double)i / rates[r];
            go(&walk, sinew_drive_root(0.0, 0.9 * time, 0.0), 1.0 / rates[r]);
        }
        places[r] = sinew_walker_leg(walk.walker, 0).foothold;
        steps[r] = sinew_walker_report(walk.walker).step_count;
        end(&walk);
    }
    TEST_INT(steps[0], steps[1]);
    TEST_VEC3_NEAR(places[0], places[1], 1e-9);
}

// the pace is one number; a game that heeds it gives the legs the time they need
static void a_heeding_capsule_asks_for_no_more_than_legs_have(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_NATURAL, true);
    double z = 0.0, speed = 0.0, least = 1e9;
    sinew_WalkerReport report = { .leg_count = 0 };
    for (int i = 0; i < 900; ++i) {
        speed += 0.12 * ((i % 240 < 160 ? 1.6 : 0.0) - speed);
        if (i > 0) { speed = fmin(speed, report.pace); }
        z += speed * FRAME_TIME;
        report = go(&walk, sinew_drive_root(0.0, z, 0.0), FRAME_TIME);
        if (report.is_walking) { least = fmin(least, report.pace); }
    }
    TEST_TRUE(least < 1.6 && report.distance > 8.0);
    TEST_TRUE(report.unmet_frames <= 4);
    end(&walk);
}

// on stairs, on slopes, aslant and backwards as well (the feet were lost on each of them: 20 to 1100 of 1200 frames), and
// with the reach that is told to who brakes late: with that of a root of its own 8 frames on level ground, 5 on rough
static void a_heeding_capsule_climbs(void **state)
{
    (void)state;
    const struct {
        const char *terrain;
        double ahead, aside;
    } rows[] = { { "stairs:0.17,0.29", 0.0, 1.4 }, { "stairs:0.17,0.29", 0.0, -0.8 },
        { "stairs:0.20,0.25", 0.0, 1.4 }, { "stairs:0.20,0.25", 0.0, -0.8 },
        { "stairs:0.20,0.25", 0.5, 1.0 }, { "slope:30", 0.0, 1.4 }, { "slope:25,45", 0.0, 1.4 },
        { "slope:-30", 0.0, 1.4 }, { "flat", 0.0, 1.6 }, { "rough:1", 0.0, 1.4 } };
    for (int r = 0; r < (int)(sizeof rows / sizeof *rows); ++r) {
        Walk walk;
        begin(&walk, rows[r].terrain, SINEW_WALK_NATURAL, true);
        double x = 0.0, z = 0.0, vx = 0.0, vz = 0.0, worst = 0.0;
        sinew_WalkerReport report = { .leg_count = 0 };
        for (int i = 0; i < 900; ++i) {
            vx += 0.12 * (rows[r].ahead - vx);
            vz += 0.12 * (rows[r].aside - vz);
            double speed = sqrt(vx * vx + vz * vz);
            double part = i > 0 && speed > report.pace ? report.pace / speed : 1.0;
            vx *= part;
            vz *= part;
            x += vx * FRAME_TIME;
            z += vz * FRAME_TIME;
            report = go(&walk, sinew_drive_root(x, z, 0.0), FRAME_TIME);
            for (int leg = 0; leg < 2; ++leg) {
                worst = fmax(worst, sinew_walker_leg(walk.walker, leg).position_error);
            }
        }
        print_message("%s, %.1f and %.1f m/s: %.1f m, %d of 900 frames unmet, %.0f mm at worst\n",
            rows[r].terrain, rows[r].aside, rows[r].ahead, report.distance, report.unmet_frames,
            1e3 * worst);
        TEST_TRUE(report.distance > 5.0 && worst < 0.02);
        // thighs are at their end on the steepest
        TEST_TRUE(report.unmet_frames <= (r == 5 ? 20 : 2));
        end(&walk);
    }
}

// a capsule that never slows loses its feet on stairs; they are found again, and it stands once it waits
static void feet_that_are_lost_are_found_again(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "stairs:0.20,0.25", SINEW_WALK_NATURAL, true);
    double z = 0.0;
    sinew_WalkerReport report = { .leg_count = 0 };
    for (int i = 0; i < 900; ++i) {
        z += (i < 600 ? 1.6 : 0.0) * FRAME_TIME;
        report = go(&walk, sinew_drive_root(0.0, z, 0.0), FRAME_TIME);
        if (i < 780) { continue; }
        TEST_TRUE(report.is_met);
        for (int leg = 0; leg < 2; ++leg) {
            sinew_Vec3 at = sinew_walker_leg(walk.walker, leg).foothold;
            TEST_TRUE(level_distance(at, report.root) < 0.6);
        }
    }
    print_message("led up stairs at 1.6 m/s: %d of 600 frames unmet\n", report.unmet_frames);
    TEST_TRUE(report.unmet_frames < 300);
    end(&walk);
}

static void a_teleport_keeps_the_pose(void **state)
{
    (void)state;
    Walk a, b;
    begin(&a, "flat", SINEW_WALK_NATURAL, false);
    begin(&b, "flat", SINEW_WALK_NATURAL, false);
    sinew_Steering ahead = { 1.2, 0.0, 0.0 };
    for (int i = 0; i < 100; ++i) {
        go(&a, sinew_drive_body(ahead), FRAME_TIME);
        go(&b, sinew_drive_body(ahead), FRAME_TIME);
    }
    sinew_Message message = { "" };
    sinew_WalkerReport from = sinew_walker_report(a.walker);
    sinew_Vec3 place = { 40.0, 0.0, -7.0 };
    TEST_OK(sinew_walker_teleport(b.walker, place, from.heading + 1.0, &message), &message);
    for (int i = 0; i < 200; ++i) {
        sinew_WalkerReport at = go(&a, sinew_drive_body(ahead), FRAME_TIME);
        sinew_WalkerReport other = go(&b, sinew_drive_body(ahead), FRAME_TIME);
        // ground that is not known yet is guessed, and the plan made again once it is: the same to a tenth of a millimetre
        TEST_NEAR(at.hips.y, other.hips.y, 1e-4);
        TEST_NEAR(at.distance, other.distance, 1e-4);
        TEST_INT(at.step_count, other.step_count);
        TEST_NEAR(level_distance(at.root, at.hips), level_distance(other.root, other.hips), 1e-4);
    }
    double way = level_distance(place, sinew_walker_report(b.walker).root);
    TEST_NEAR(way, level_distance(from.root, sinew_walker_report(a.walker).root), 1e-4);
    end(&a);
    end(&b);
}

/// Level to its middle, and so much higher beyond.
static sinew_GroundSample sample_cliff(void *user, double x, double z)
{
    (void)z;
    const double height = x > 20.0 ? *(const double *)user : 0.0;
    return (sinew_GroundSample){ height, { 0.0, 1.0, 0.0 } };
    return (sinew_GroundSample){ height, { 0.0, 1.0, 0.0 } };
}

// told the right height or a wrong one, by a teleport or by the way of a led root: it stands on what is there
static void a_teleport_stands_on_what_is_there(void **state)
{
    (void)state;
    double rises[] = { 0.3, -0.7, 3.0, -25.0 };
    for (int k = 0; k < 24; ++k) {
        const double rise = rises[k % 4], told = k < 8 ? 0.0 : rise;
        const bool is_led = k >= 16;
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_NATURAL, true);
        double height = rise;
        walk.ground = (sinew_Ground){ .sample = sample_cliff, .user = &height };
        sinew_WalkerReport before = { .leg_count = 0 };
        double z = 0.0;
        for (int i = 0; i < 100 + 5 * k; ++i, z += FRAME_TIME) {
            before = go(&walk, is_led ? sinew_drive_root(0.0, z, 0.0) : sinew_drive_world(0.0, 1.0),
                FRAME_TIME);
        }
        const double tall = before.hips.y - before.root.y;
        if (!is_led) {
            const sinew_Vec3 place = { 40.0, told, 3.0 };
            TEST_OK(sinew_walker_teleport(walk.walker, place, 0.0, NULL), NULL);
        }
        for (int i = 0; i < 120; ++i, z += FRAME_TIME) {
            sinew_WalkerReport at = go(&walk,
                is_led ? sinew_drive_root(40.0, z, 0.0) : sinew_drive_world(0.0, 1.0), FRAME_TIME);
            TEST_NEAR(at.root.y, rise, 1e-9);
            TEST_NEAR(at.hips.y - at.root.y, tall, 0.06);
            TEST_INT(at.unmet_frames, 0);
            before = at;
        }
        // a level that has changed
        height += 2.0 - k % 3;
        TEST_OK(sinew_walker_teleport(walk.walker, before.root, 0.0, NULL), NULL);
        for (int i = 0; i < 60; ++i) {
            sinew_WalkerReport at = go(&walk, sinew_drive_world(0.0, 1.0), FRAME_TIME);
            TEST_NEAR(at.root.y, height, 1e-9);
            TEST_NEAR(at.hips.y - at.root.y, tall, 0.06);
            TEST_INT(at.unmet_frames, 0);
        }
        end(&walk);
    }
}

/// No leg of rubber: hips over the ground, no joint that leaps, and goals met.
static void check_body(const Walk *walk, double most_step, double last[], bool is_first)
{
    const sinew_WalkerReport report = sinew_walker_report(walk->walker);
    TEST_TRUE(report.hips.y - report.root.y > 0.45);
    const int count = sinew_skeleton_coordinate_count(walk->scene->skeleton);
    for (int c = 3; c < count && !is_first; ++c) { TEST_NEAR(walk->q[c], last[c], most_step); }
    memcpy(last, walk->q, (size_t)count * sizeof *last);
}

// a capsule does not wait for legs: whatever response it has, the body keeps up with it, and what no leg follows takes
// the body along
static void a_led_root_is_kept_up_with(void **state)
{
    (void)state;
    double last[256];
    for (int k = 0; k < 16; ++k) {
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_NATURAL, k % 2 == 1);
        const double most = k / 2 % 2 == 0 ? 1.2 : 1.6, up = 2.0 + k / 4;
        double z = 0.0, x = 0.0, speed = 0.0;
        sinew_WalkerReport report = { .leg_count = 0 };
        for (int i = 0; i < 480; ++i) {
            speed = fmin(most, speed + up * FRAME_TIME);
            z += speed * FRAME_TIME;
            // a wall, a player who bumps into it, a server that knows better
            if (k >= 12 && i % 60 == 59) { x += 0.3; }
            report = go(&walk, sinew_drive_root(x, z, 0.0), FRAME_TIME);
            TEST_NEAR(report.root.z, z, 1e-9);
            // a knee that stretches for the first landing, 0.25 to 0.35 by the moment of the start
            check_body(&walk, 0.36, last, i == 0);
        }
        TEST_INT(report.unmet_frames, 0);
        end(&walk);
    }
}

// a body that is put somewhere and sent off at once knows where it stands: its first foot was led to height 0 (1.6 rad in a
// frame, 0.7 m missed), or was lifted over what was guessed of a slope below it (0.56 rad)
static void who_is_sent_off_at_once_steps_on_the_ground(void **state)
{
    (void)state;
    const char *const grounds[] = { "hills:1", "slope:25" };
    const double speeds[] = { 1.4, 0.6 };
    double last[256];
    for (int g = 0; g < 2; ++g) {
        Walk walk;
        begin(&walk, grounds[g], SINEW_WALK_NATURAL, true);
        for (int k = 0; k < 24; ++k) {
            const double heading = 1.1 * k, way = heading + 0.8 * (k % 9 - 4);
            TEST_OK(
                sinew_walker_reset(walk.walker, 3.0 * (k % 6) - 7.0, 2.0 * (k / 6), heading), NULL);
            const sinew_Drive drive = sinew_drive_world(speeds[g] * sin(way), speeds[g] * cos(way));
            for (int i = 0; i < 60; ++i) {
                go(&walk, drive, FRAME_TIME);
                check_body(&walk, 0.3, last, i == 0);
            }
            TEST_INT(sinew_walker_report(walk.walker).unmet_frames, 0);
        }
        end(&walk);
    }
}

/// A root from the network trembles by up to so much each way.
static sinew_Drive trembling(double x, double z, double most, scene_Random *random)
{
    x += scene_random_range(random, -most, most);
    z += scene_random_range(random, -most, most);
    return sinew_drive_root(x, z, scene_random_range(random, -2.0 * most, 2.0 * most));
}

// a body that is led and stands does not step for a tremble (22 to 27 steps in 20 s at 2 to 4 mm), goes when it is led
// away, and stands again
static void a_led_root_that_trembles_takes_no_steps(void **state)
{
    (void)state;
    const double rates[2] = { 60.0, 90.0 };
    for (int k = 0; k < 8; ++k) {
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_NATURAL, false);
        const double rate = rates[k % 2], most = 1e-3 * (1 + k / 2), speed = 0.5 + 0.3 * (k / 2);
        scene_Random random = scene_random(28112026u + (uint64_t)k);
        sinew_WalkerReport report = { .leg_count = 0 };
        for (int i = 0; i < 20.0 * rate; ++i) {
            report = go(&walk, trembling(0.0, 0.0, most, &random), 1.0 / rate);
        }
        TEST_INT(report.step_count, 0);
        TEST_TRUE(!report.is_walking);
        double v = 0.0, z = 0.0, start = 0.0;
        for (int i = 0; i < 8.0 * rate; ++i) {
            const double time = i / rate, wanted = time < 4.0 ? speed : 0.0;
            v += (wanted - v) / rate / 0.12;
            z += v / rate;
            report = go(&walk, trembling(0.0, z, most, &random), 1.0 / rate);
            if (start == 0.0 && report.is_walking) { start = time; }
        }
        // 0.02 to 0.05 s when a speed above 0.04 m/s of that moment was enough
        TEST_TRUE(start > 0.0 && start < 0.1);
        TEST_TRUE(report.step_count > 4 && !report.is_walking);
        end(&walk);
    }
}

// a push takes the feet of who jumps along in the air, and off the ground before and after
static void pushes_in_a_jump_land_on_the_feet(void **state)
{
    (void)state;
    double last[256];
    for (int k = 0; k < 72; ++k) {
        Walk walk;
        begin(&walk, k % 2 == 0 ? "flat" : "hills", SINEW_WALK_NATURAL, k / 2 % 2 == 1);
        const int late = 5 + 8 * (k / 4 % 6);
        for (int i = 0; i < 360; ++i) {
            if (i == 120) { TEST_OK(sinew_walker_jump(walk.walker, 0.5, NULL), NULL); }
            const double push = 1.0 + 0.5 * (k / 24);
            if (i == 120 + late) { TEST_OK(sinew_walker_push(walk.walker, push, 0.3, NULL), NULL); }
            go(&walk, sinew_drive_world(0.0, 0.0), FRAME_TIME);
            // straight legs that land at 2 m/s give way by up to 42 rad/s
            check_body(&walk, 0.7, last, i == 0);
        }
        TEST_TRUE(sinew_walker_report(walk.walker).unmet_frames <= 3);
        end(&walk);
    }
}

// who is taken elsewhere in the air lands there: heights of the jump go along, and those of the feet (they were missed by
// 1.1 m)
static void a_jump_is_taken_along(void **state)
{
    (void)state;
    for (int k = 0; k < 24; ++k) {
        double last[256];
        Walk walk;
        begin(&walk, k % 2 == 0 ? "ramp:15" : "stairs:0.17,0.29", SINEW_WALK_NATURAL, true);
        const int taken = 156 + 3 * (k / 4 % 6);
        const sinew_Vec3 place = { 0.3 * k, k % 3 - 1.0, 4.0 - 0.2 * k };
        for (int i = 0; i < 360; ++i) {
            if (i == 120) { TEST_OK(sinew_walker_jump(walk.walker, 0.4, NULL), NULL); }
            if (i == taken) {
                TEST_OK(sinew_walker_teleport(walk.walker, place, 0.3 * k, NULL), NULL);
            }
            const sinew_WalkerReport report = go(&walk, sinew_drive_world(0.0, 0.0), FRAME_TIME);
            check_body(&walk, 0.7, last, i == 0 || i == taken);
            TEST_INT(report.unmet_frames, 0);
        }
        TEST_TRUE(find_depth(&walk) < 1e-3);
        end(&walk);
    }
}

// told between two ticks it is not dated back: hips never go faster than the push
static void a_push_begins_when_it_is_told(void **state)
{
    (void)state;
    const int rates[] = { 144, 240, 100, 60 };
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; ++r) {
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_NATURAL, true);
        const sinew_Drive none = sinew_drive_world(0.0, 0.0);
        const double dt = 1.0 / rates[r];
        for (int i = 0; i < rates[r] + 2; ++i) { go(&walk, none, dt); }
        double before = sinew_walker_report(walk.walker).root.z, most = 0.0;
        TEST_OK(sinew_walker_push(walk.walker, 0.0, 2.0, NULL), NULL);
        for (int i = 0; i < rates[r] / 10; ++i) {
            const double now = go(&walk, none, dt).root.z;
            most = fmax(most, (now - before) / dt);
            before = now;
        }
        TEST_TRUE(most > 1.8 && most < 2.05);
        end(&walk);
    }
}

// contact, flat, heel off and toe off of each foot in turn, at ticks, whatever the frame rate
static void events_tell_every_step(void **state)
{
    (void)state;
    const double rates[2] = { 1.0 / 25.0, 1.0 / 90.0 };
    sinew_WalkEvent told[2][256];
    int counts[2] = { 0, 0 };
    for (int r = 0; r < 2; ++r) {
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_NATURAL, false);
        sinew_Steering ahead = { 1.2, 0.0, 0.0 }, none = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < (int)(8.0 / rates[r] + 0.5); ++i) {
            go(&walk, sinew_drive_body(i * rates[r] < 5.0 - 1e-9 ? ahead : none), rates[r]);
            int count;
            const sinew_WalkEvent *events = sinew_walker_events(walk.walker, &count);
            for (int k = 0; k < count && counts[r] < 256; ++k) { told[r][counts[r]++] = events[k]; }
        }
        TEST_INT(sinew_walker_report(walk.walker).is_walking, false);
        int contacts = 0, leaves = 0;
        for (int k = 0; k < counts[r]; ++k) {
            contacts += told[r][k].kind == SINEW_WALK_CONTACT ? 1 : 0;
            leaves += told[r][k].kind == SINEW_WALK_TOE_OFF ? 1 : 0;
        }
        // none of feet that stood from the start: who hears steps hears none
        TEST_INT(contacts, sinew_walker_report(walk.walker).step_count);
        TEST_INT(leaves, sinew_walker_report(walk.walker).step_count);
        end(&walk);
    }
    TEST_INT(counts[0], counts[1]);
    for (int k = 0; k < counts[0]; ++k) {
        TEST_INT(told[0][k].kind, told[1][k].kind);
        TEST_INT(told[0][k].leg, told[1][k].leg);
        TEST_NEAR(told[0][k].time, told[1][k].time, 1e-12);
    }
    int stops = 0;
    for (int k = 0; k < counts[0]; ++k) { stops += told[0][k].kind == SINEW_WALK_STOP ? 1 : 0; }
    TEST_INT(stops, 1);
    TEST_INT(told[0][0].kind, SINEW_WALK_START);
}

// ---------------------------------------------------------------------------------------------
// Where it cannot go

typedef struct Field {
    double from, to, height; ///< a band along X of this height, z in between
} Field;

static sinew_GroundSample band(void *user, double x, double z)
{
    (void)x;
    const Field *field = user;
    sinew_GroundSample sample = { 0.0, { 0.0, 1.0, 0.0 } };
    if (z >= field->from && z <= field->to) { sample.height = field->height; }
    return sample;
}

// A level that has changed is told by a teleport to the own place: what had blocked the body is no more.
static void a_teleport_forgets_what_blocked(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_NATURAL, true);
    Field wall = { 1.5, 2.0, 1.0 };
    walk.ground = (sinew_Ground){ band, &wall };
    sinew_WalkerReport report = { .leg_count = 0 };
    for (int i = 0; i < 240; ++i) { report = go(&walk, sinew_drive_world(0.0, 1.0), FRAME_TIME); }
    TEST_TRUE(report.is_blocked && report.root.z < 1.4);
    wall.height = 0.0;
    TEST_OK(sinew_walker_teleport(walk.walker, report.root, report.heading, NULL), NULL);
    report = go(&walk, sinew_drive_world(0.0, 1.0), FRAME_TIME);
    TEST_TRUE(!report.is_blocked && report.motion.forward > 0.05);
    for (int i = 0; i < 180; ++i) { report = go(&walk, sinew_drive_world(0.0, 1.0), FRAME_TIME); }
    TEST_TRUE(report.root.z > 2.5 && report.unmet_frames == 0);
    end(&walk);
}

// who stands and is taken to stairs or a slope has each foot on what is there (they stood as on the ground before: soles up
// to 0.26 m deep until the next step), in a frame that is shorter than a tick as well (0.17 m)
static void a_teleport_stands_with_both_feet(void **state)
{
    (void)state;
    const char *const grounds[3] = { "slope:25", "hills:3", "stairs:0.17,0.29" };
    double deepest = 0.0;
    for (int k = 0; k < 3; ++k) {
        Walk walk;
        begin(&walk, grounds[k], SINEW_WALK_NATURAL, true);
        for (int i = 0; i < 60; ++i) { go(&walk, sinew_drive_world(0.0, 0.0), FRAME_TIME); }
        for (int i = 0; i < 40; ++i) {
            const sinew_Vec3 place = { 0.7 * i, 0.0, 1.6 + 0.11 * i };
            const int before = sinew_walker_report(walk.walker).unmet_frames;
            TEST_OK(sinew_walker_teleport(walk.walker, place, 1.3 * i, NULL), NULL);
            for (int frame = 0; frame < 90; ++frame) {
                const bool is_short = frame == 0 && i % 2 == 1;
                go(&walk, sinew_drive_world(0.0, 0.0), (is_short ? 0.2 : 1.0) * FRAME_TIME);
                deepest = fmax(deepest, find_depth(&walk));
            }
            for (int leg = 0; leg < 2; ++leg) {
                const sinew_Vec3 at = sinew_walker_leg(walk.walker, leg).foothold;
                const double ground = sinew_ground_sample(&walk.ground, at.x, at.z).height;
                // toes may be on the next tread
                TEST_TRUE(at.y > ground - 0.02 && (k == 2 || at.y < ground + 0.02));
            }
            TEST_INT(sinew_walker_report(walk.walker).unmet_frames, before);
        }
        end(&walk);
    }
    print_message("    soles %.1f mm in the ground\n", 1e3 * deepest);
    TEST_TRUE(deepest < 1e-3);
}

/// Of a second after a body was put down: how deep soles were in the ground, the fastest joint, radians a frame, and how far an
/// ankle came from where it was put, metres.
typedef struct Settling {
    double depth, joint, ankle;
} Settling;

static Settling watch_settling(Walk *walk)
{
    enum { FRAMES = 60, FIRST = 7 }; // after the place and rotation of the root
    Settling seen = { 0.0, 0.0, 0.0 };
    sinew_Transform world[64];
    sinew_Vec3 put[2];
    const int count = sinew_skeleton_coordinate_count(walk->scene->skeleton);
    double *before = calloc((size_t)count, sizeof *before);
    TEST_TRUE(before != NULL);
    for (int frame = 0; frame < FRAMES; ++frame) {
        memcpy(before, walk->q, (size_t)count * sizeof *before);
        go(walk, sinew_drive_world(0.0, 0.0), FRAME_TIME);
        seen.depth = fmax(seen.depth, find_depth(walk));
        sinew_pose_forward(walk->scene->skeleton, walk->q, world);
        for (int leg = 0; leg < 2; ++leg) {
            const sinew_Vec3 ankle = world[sinew_walker_leg_def(walk->walker, leg)->ankle].position;
            if (frame == 0) { put[leg] = ankle; }
            seen.ankle = fmax(seen.ankle, sinew_vec3_distance(ankle, put[leg]));
        }
        for (int c = FIRST; c < count && frame > 0; ++c) {
            seen.joint = fmax(seen.joint, fabs(walk->q[c] - before[c]));
        }
    }
    free(before);
    return seen;
}

// who is put down, edges of steps and stones below him or not, stands from the first frame on where he goes on to (feet were
// looked at again in the second one: they jumped by 66 mm, joints by 0.39 rad, soles were 168 mm in a riser before), and so
// does who is taken there before he has stood anywhere (hips fell by 0.17 m in the second frame)
static void who_is_put_down_stands_at_once(void **state)
{
    (void)state;
    const char *const grounds[] = { "hills:1", "rough:1", "stairs:0.17,0.29", "stairs:0.20,0.25",
        "kerbs:0.15,2" };
    Settling worst = { 0.0, 0.0, 0.0 };
    scene_Random random = scene_random(5);
    for (size_t k = 0; k < sizeof grounds / sizeof *grounds; ++k) {
        Walk walk;
        begin(&walk, grounds[k], SINEW_WALK_NATURAL, false);
        for (int i = 0; i < 60; ++i) {
            const double x = scene_random_range(&random, -4.0, 4.0),
                         z = scene_random_range(&random, -4.0, 4.0);
            const double heading = scene_random_range(&random, -SINEW_PI, SINEW_PI);
            const bool is_taken = i % 2 == 1;
            TEST_OK(sinew_walker_reset(walk.walker, is_taken ? 0.0 : x, z, heading), NULL);
            if (is_taken) {
                const sinew_Vec3 place = { x, 0.0, z };
                TEST_OK(sinew_walker_teleport(walk.walker, place, heading, NULL), NULL);
            }
            const Settling seen = watch_settling(&walk);
            if (seen.depth > 1e-3 || seen.joint > 0.1 || seen.ankle > 0.03) {
                print_message("%s, place %d: %.1f mm deep, joint %.2f rad, ankle %.1f mm\n",
                    grounds[k], i, 1e3 * seen.depth, seen.joint, 1e3 * seen.ankle);
            }
            worst.depth = fmax(worst.depth, seen.depth);
            worst.joint = fmax(worst.joint, seen.joint);
            worst.ankle = fmax(worst.ankle, seen.ankle);
        }
        end(&walk);
    }
    TEST_TRUE(worst.depth < 1e-3 && worst.joint < 0.1 && worst.ankle < 0.03);
}

// hard pushes of who takes the time: legs answer as a game's, or the hips sink between them (511
// frames were unmet, 268 with a sole in the ground, 245 mm at worst)
static void who_is_pushed_hard_keeps_its_feet(void **state)
{
    (void)state;
    int unmet = 0, deep = 0;
    double deepest = 0.0;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_NATURAL, false);
    for (int k = 0; k < 96; ++k) {
        TEST_OK(sinew_walker_reset(walk.walker, 0.0, 0.0, 0.0), NULL);
        const double way = 0.41 * k, push = 1.5 + 0.5 * (k % 4);
        for (int i = 0; i < 240; ++i) {
            if (i == 90 + k % 7 * 8) {
                TEST_OK(
                    sinew_walker_push(walk.walker, push * sin(way), push * cos(way), NULL), NULL);
            }
            go(&walk, sinew_drive_world(0.0, k % 3 == 0 || i > 100 ? 0.0 : 1.2), FRAME_TIME);
            const double depth = find_depth(&walk);
            deep += depth > 0.01;
            deepest = fmax(deepest, depth);
        }
        unmet += sinew_walker_report(walk.walker).unmet_frames;
    }
    print_message("    %d of 23040 frames unmet, %d with a sole in the ground, %.0f mm at worst\n",
        unmet, deep, 1e3 * deepest);
    TEST_TRUE(unmet <= 20 && deep <= 10);
    end(&walk);
}

// Who is steered in the first update lifts a foot at once: its knee bends from where it stands.
static void who_goes_at_once_begins_on_the_ground(void **state)
{
    (void)state;
    Walk walk;
    double deepest = 0.0;
    for (int i = 0; i < 60; ++i) {
        begin(&walk, "hills:1", SINEW_WALK_NATURAL, true);
        const sinew_Vec3 place = { 1.7 * i, 0.0, 0.9 * i };
        TEST_OK(sinew_walker_teleport(walk.walker, place, i, NULL), NULL);
        const sinew_Drive drive = sinew_drive_world(1.2 * sin(2.0 * i), 1.2 * cos(2.0 * i));
        for (int frame = 0; frame < 3; ++frame) {
            (void)go(&walk, drive, FRAME_TIME);
            deepest = fmax(deepest, find_depth(&walk));
        }
        end(&walk);
    }
    TEST_TRUE(deepest < 2e-3); // 0.064 with straight knees
}

/// Walk towards a band, heading along +Z; whether it was told to be blocked.
static bool is_stopped(Field field, sinew_Drive drive, const sinew_WalkLimits *limits, int frames,
    sinew_WalkerReport *out_report)
{
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_NATURAL, false);
    walk.ground = (sinew_Ground){ band, &field };
    if (limits != NULL) { TEST_OK(sinew_walker_set_limits(walk.walker, limits, NULL), NULL); }
    bool is_told = false;
    for (int i = 0; i < frames; ++i) {
        *out_report = go(&walk, drive, FRAME_TIME);
        int count;
        const sinew_WalkEvent *events = sinew_walker_events(walk.walker, &count);
        for (int k = 0; k < count; ++k) { is_told |= events[k].kind == SINEW_WALK_BLOCKED; }
        for (int leg = 0; leg < 2; ++leg) {
            sinew_WalkerLeg told = sinew_walker_leg(walk.walker, leg);
            if (field.height < -0.5 || field.height > 0.5) {
                TEST_NEAR(told.foothold.y, 0.0, 1e-6);
            }
        }
    }
    TEST_INT(out_report->is_blocked && !is_told, 0);
    end(&walk);
    return out_report->is_blocked;
}

static void walls_and_drops_are_told_and_kept_off(void **state)
{
    (void)state;
    const Field wall = { 2.0, 9.0, 1.0 }, cliff = { 2.0, 90.0, -2.0 };
    const Field fields[2] = { wall, cliff };
    sinew_WalkerReport report;
    for (int k = 0; k < 2; ++k) {
        sinew_Drive ways[3] = { sinew_drive_world(0.0, 1.4), sinew_drive_world(0.0, 0.6),
            sinew_drive_world(0.0, 0.5) };
        // backwards and sideways as well
        for (int w = 1; w < 3; ++w) {
            ways[w].has_facing = true;
            ways[w].facing = w == 1 ? SINEW_PI : 0.5 * SINEW_PI;
        }
        for (int w = 0; w < 3; ++w) {
            TEST_TRUE(is_stopped(fields[k], ways[w], NULL, 600, &report));
            TEST_TRUE(report.root.z > 1.3 && report.root.z < 1.9);
            TEST_TRUE(!report.is_walking && report.free_way < 0.2);
        }
    }
}

// one mechanism for all directions: what is left of the way is gone along
static void it_slides_along_a_wall(void **state)
{
    (void)state;
    const Field wall = { 2.0, 9.0, 1.0 };
    sinew_WalkerReport report;
    TEST_TRUE(!is_stopped(wall, sinew_drive_world(0.7, 0.7), NULL, 900, &report));
    TEST_TRUE(report.root.x > 6.0 && report.root.z > 1.4 && report.root.z < 1.9);
}

static void limits_are_those_that_were_set(void **state)
{
    (void)state;
    const sinew_Drive ahead = sinew_drive_world(0.0, 0.8);
    sinew_WalkerReport report;
    sinew_WalkLimits careful = sinew_walk_limits_default(), bold = careful;
    careful.step_height = 0.1;
    bold.gap = 0.3;
    const Field kerb = { 2.0, 90.0, 0.15 }, ditch = { 2.0, 2.25, -0.8 };
    TEST_TRUE(!is_stopped(kerb, ahead, NULL, 600, &report) && report.root.z > 4.0);
    TEST_TRUE(is_stopped(kerb, ahead, &careful, 600, &report) && report.root.z < 1.9);
    careful.gap = 0.1;
    TEST_TRUE(is_stopped(ditch, ahead, &careful, 600, &report) && report.root.z < 1.9);
    TEST_TRUE(!is_stopped(ditch, ahead, &bold, 600, &report) && report.root.z > 4.0);
    TEST_INT(report.unmet_frames, 0);
}

// the capture point: a small push is caught standing, a larger one by steps to its side
static void pushes_are_answered_by_steps(void **state)
{
    (void)state;
    const double pushes[4][2] = { { 0.0, 0.25 }, { 0.0, 1.2 }, { 0.9, 0.0 }, { -0.6, -0.7 } };
    for (int k = 0; k < 4; ++k) {
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_NATURAL, true);
        sinew_WalkerReport report = { .leg_count = 0 };
        for (int i = 0; i < 60; ++i) {
            report = go(&walk, sinew_drive_world(0.0, 0.0), FRAME_TIME);
        }
        sinew_Vec3 from[2];
        for (int i = 0; i < 2; ++i) { from[i] = sinew_walker_leg(walk.walker, i).foothold; }
        TEST_OK(sinew_walker_push(walk.walker, pushes[k][0], pushes[k][1], NULL), NULL);
        for (int i = 0; i < 180; ++i) {
            report = go(&walk, sinew_drive_world(0.0, 0.0), FRAME_TIME);
        }
        double way = 0.0; // of a foot along the push, metres
        for (int i = 0; i < 2; ++i) {
            const sinew_Vec3 step = sinew_vec3_sub(
                sinew_walker_leg(walk.walker, i).foothold, from[i]);
            way = fmax(way,
                (step.x * pushes[k][0] + step.z * pushes[k][1])
                    / sqrt(pushes[k][0] * pushes[k][0] + pushes[k][1] * pushes[k][1]));
        }
        TEST_TRUE(k == 0 ? report.step_count == 0 : report.step_count > 0 && report.step_count < 6);
        TEST_TRUE(k == 0 || way > 0.02);
        TEST_TRUE(!report.is_walking);
        TEST_TRUE(report.unmet_frames <= 2);
        // it stands over its feet
        sinew_Vec3 a = sinew_walker_leg(walk.walker, 0).foothold;
        sinew_Vec3 b = sinew_walker_leg(walk.walker, 1).foothold;
        TEST_TRUE(level_distance(sinew_vec3_lerp(a, b, 0.5), report.hips) < 0.12);
        end(&walk);
    }
}

// ---------------------------------------------------------------------------------------------
// Above the legs

static int joint_of(const Walk *walk, const char *name)
{
    int joint = sinew_skeleton_find_joint(walk->scene->skeleton, name);
    TEST_TRUE(joint >= 0);
    return joint;
}

/// Where a joint faces that faces +Z in the rest pose.
static sinew_Vec3 facing_of(const Walk *walk, int joint, sinew_Vec3 *out_place)
{
    enum { MOST = 64 };
    sinew_Transform now[MOST], rest[MOST];
    double q[4 * MOST];
    TEST_TRUE(sinew_skeleton_joint_count(walk->scene->skeleton) <= MOST);
    TEST_TRUE(sinew_skeleton_coordinate_count(walk->scene->skeleton) <= 4 * MOST);
    sinew_pose_rest(walk->scene->skeleton, q);
    sinew_pose_forward(walk->scene->skeleton, q, rest);
    sinew_pose_forward(walk->scene->skeleton, walk->q, now);
    sinew_Quat turn = sinew_quat_mul(
        now[joint].rotation, sinew_quat_conjugate(rest[joint].rotation));
    *out_place = now[joint].position;
    return sinew_quat_rotate(turn, sinew_vec3(0.0, 0.0, 1.0));
}

static void heads_turn_to_what_they_look_at(void **state)
{
    (void)state;
    const double speeds[] = { 0.0, 1.2, 3.0 };
    for (int k = 0; k < 3; ++k) {
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_NATURAL, false);
        int head = joint_of(&walk, "Head"), legs_met = 0;
        sinew_Vec3 place, way;
        sinew_Drive drive = sinew_drive_world(0.0, speeds[k]);
        for (int i = 0; i < 240; ++i) { (void)go(&walk, drive, FRAME_TIME); }
        drive.has_look = true;
        double worst = 0.0;
        for (int i = 0; i < 120; ++i) {
            sinew_WalkerReport report = sinew_walker_report(walk.walker);
            drive.look_at = sinew_vec3(
                report.root.x + 3.0, report.root.y + 1.2, report.root.z + 4.0);
            legs_met += go(&walk, drive, FRAME_TIME).is_met ? 1 : 0;
            way = facing_of(&walk, head, &place);
            sinew_Vec3 to = sinew_vec3_normalize_or(sinew_vec3_sub(drive.look_at, place), way);
            if (i > 30) { worst = fmax(worst, acos(fmin(1.0, sinew_vec3_dot(to, way)))); }
        }
        TEST_NEAR(worst, 0.0, 0.1);
        TEST_INT(legs_met, 120);
        // behind it is as far as it may turn
        sinew_WalkerReport report = sinew_walker_report(walk.walker);
        drive.look_at = sinew_vec3(report.root.x + 10.0, 1.5, report.root.z - 30.0);
        drive.look_bound = 0.8;
        for (int i = 0; i < 90; ++i) { (void)go(&walk, drive, FRAME_TIME); }
        way = facing_of(&walk, head, &place);
        double turned = atan2(way.x, way.z);
        TEST_TRUE(fabs(turned) > 0.6 && fabs(turned) < 0.95);
        drive.has_look = false;
        for (int i = 0; i < 90; ++i) { (void)go(&walk, drive, FRAME_TIME); }
        way = facing_of(&walk, head, &place);
        TEST_TRUE(fabs(atan2(way.x, way.z)) < 0.15);
        end(&walk);
    }
}

static void hands_that_carry_are_before_the_body(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_NATURAL, false);
    int hands[2] = { joint_of(&walk, "LeftHand"), joint_of(&walk, "RightHand") };
    sinew_Drive drive = sinew_drive_world(0.0, 1.2);
    drive.carry = 1.0;
    double least = 1e9, most = -1e9;
    for (int i = 0; i < 300; ++i) {
        sinew_WalkerReport report = go(&walk, drive, FRAME_TIME);
        for (int h = 0; h < 2 && i > 120; ++h) {
            sinew_Vec3 place;
            (void)facing_of(&walk, hands[h], &place);
            least = fmin(least, place.z - report.hips.z);
            most = fmax(most, place.z - report.hips.z);
            TEST_TRUE(place.y > report.hips.y);
        }
    }
    TEST_TRUE(least > 0.15 && most - least < 0.12);
    end(&walk);
}

// a clip of the caller's own on one arm: that is as the caller says, all else as it walks
static void a_layer_is_laid_over_the_walk(void **state)
{
    (void)state;
    Walk plain, layered;
    begin(&plain, "hills:2", SINEW_WALK_NATURAL, false);
    begin(&layered, "hills:2", SINEW_WALK_NATURAL, false);
    const sinew_Skeleton *skeleton = plain.scene->skeleton;
    enum { MOST = 64 };
    double pose[4 * MOST], mask[MOST];
    memset(mask, 0, sizeof mask);
    sinew_pose_rest(skeleton, pose);
    int arm = joint_of(&plain, "RightArm"), leg = joint_of(&plain, "LeftUpLeg");
    mask[arm] = 1.0;
    mask[leg] = 1.0; // legs are not the caller's
    sinew_WalkLayer layer = { pose, mask, 1.0 };
    TEST_OK(sinew_walker_set_layer(layered.walker, &layer, NULL), NULL);
    const sinew_Drive drive = sinew_drive_world(0.0, 1.3);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    int from = places[joints[arm].axis_start].coordinate;
    int to = from;
    for (int a = 0; a < joints[arm].axis_count; ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(skeleton)[joints[arm].axis_start + a];
        to += axis->kind == SINEW_AXIS_BALL ? 4 : 1;
    }
    bool differs = false;
    for (int i = 0; i < 200; ++i) {
        (void)go(&plain, drive, FRAME_TIME);
        (void)go(&layered, drive, FRAME_TIME);
        for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
            bool is_arm = c >= from && c < to;
            TEST_NEAR(layered.q[c], is_arm ? pose[c] : plain.q[c], is_arm ? 1e-12 : 0.0);
            differs = differs || layered.q[c] != plain.q[c];
        }
    }
    TEST_TRUE(differs);
    sinew_Message message = { "" };
    pose[from] = NAN;
    TEST_INT(sinew_walker_drive(layered.walker, &drive, FRAME_TIME, NULL, layered.q, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "layer.pose") != NULL);
    mask[arm] = 2.0;
    TEST_INT(
        sinew_walker_set_layer(layered.walker, &layer, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "layer.mask") != NULL);
    end(&plain);
    end(&layered);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    Walk walk;
    sinew_Message message = { "" };
    begin(&walk, "flat", SINEW_WALK_PAPER, false);
    sinew_Drive world = sinew_drive_world(1.0, 0.0);
    TEST_INT(sinew_walker_drive(walk.walker, &world, 0.01, NULL, walk.q, &message),
        SINEW_STATUS_UNSUPPORTED);
    TEST_TRUE(strstr(message.text, "style natural") != NULL);
    TEST_INT(sinew_walker_teleport(walk.walker, sinew_vec3(0.0, 0.0, 0.0), 0.0, &message),
        SINEW_STATUS_UNSUPPORTED);
    int count = 7;
    TEST_TRUE(sinew_walker_events(walk.walker, &count) == NULL && count == 0);
    end(&walk);
    begin(&walk, "flat", SINEW_WALK_NATURAL, false);
    world.velocity_x = (double)NAN;
    TEST_INT(sinew_walker_drive(walk.walker, &world, 0.01, NULL, walk.q, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "velocity_x") != NULL);
    TEST_INT(sinew_walker_drive(walk.walker, NULL, 0.01, NULL, walk.q, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    sinew_WalkResponse response = sinew_walk_response_game();
    response.turning = -1.0;
    TEST_INT(
        sinew_walker_set_response(walk.walker, &response, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "response.turning is -1") != NULL);
    sinew_WalkLimits limits = sinew_walk_limits_default();
    limits.drop = 3.0;
    TEST_INT(
        sinew_walker_set_limits(walk.walker, &limits, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "limits.drop") != NULL);
    end(&walk);
}

TEST_MAIN(cmocka_unit_test(who_goes_at_once_begins_on_the_ground),
    cmocka_unit_test(a_teleport_forgets_what_blocked),
    cmocka_unit_test(a_velocity_of_the_world_is_kept_while_it_looks_elsewhere),
    cmocka_unit_test(without_a_facing_it_looks_where_it_goes),
    cmocka_unit_test(games_are_answered_at_once),
    cmocka_unit_test(a_root_from_outside_is_followed_exactly),
    cmocka_unit_test(footfalls_of_a_led_root_do_not_depend_on_the_frame_rate),
    cmocka_unit_test(a_heeding_capsule_asks_for_no_more_than_legs_have),
    cmocka_unit_test(a_heeding_capsule_climbs),
    cmocka_unit_test(feet_that_are_lost_are_found_again),
    cmocka_unit_test(a_teleport_keeps_the_pose),
    cmocka_unit_test(a_teleport_stands_on_what_is_there),
    cmocka_unit_test(a_teleport_stands_with_both_feet),
    cmocka_unit_test(who_is_put_down_stands_at_once), cmocka_unit_test(a_led_root_is_kept_up_with),
    cmocka_unit_test(who_is_sent_off_at_once_steps_on_the_ground),
    cmocka_unit_test(who_is_pushed_hard_keeps_its_feet),
    cmocka_unit_test(a_led_root_that_trembles_takes_no_steps),
    cmocka_unit_test(a_push_begins_when_it_is_told), cmocka_unit_test(a_jump_is_taken_along),
    cmocka_unit_test(pushes_in_a_jump_land_on_the_feet),
    cmocka_unit_test(pushes_are_answered_by_steps), cmocka_unit_test(events_tell_every_step),
    cmocka_unit_test(walls_and_drops_are_told_and_kept_off),
    cmocka_unit_test(it_slides_along_a_wall), cmocka_unit_test(limits_are_those_that_were_set),
    cmocka_unit_test(heads_turn_to_what_they_look_at),
    cmocka_unit_test(hands_that_carry_are_before_the_body),
    cmocka_unit_test(a_layer_is_laid_over_the_walk), cmocka_unit_test(what_is_wrong_is_named))
