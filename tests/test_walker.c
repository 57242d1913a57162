// The walker by its public face: what a walk must keep on every ground, and that neither frame rates
// nor repetition change it.

#include "plain_bodies.h"
#include "walks.h"

static void begin(Walk *walk, const char *ground, sinew_WalkRows rows)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.rows = rows;
    if (rows != SINEW_WALK_ROWS_AUTO) {
        def.solve = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
        def.solve.position_tolerance = 1e-4;
        def.solve.orientation_tolerance = 1e-3;
    }
    walk_begin(walk, "MAN18", ground, &def);
}

// ---------------------------------------------------------------------------------------------
// What a walk keeps

typedef struct Row {
    const char *ground;
    sinew_Steering steering;
    bool stops; // lets go every other two seconds
    double most_joint_step, most_jolt, least_way;
    double most_slide; // metres
} Row;

// joint step in radians per 1/60 s and hips in m/s^2
static const Row rows[] = {
    { "flat", { 0.6, 0.0, 0.0 }, false, 0.3, 15.0, 5.0, 0.5e-3 },
    { "flat", { 1.3, 0.0, 0.0 }, false, 0.3, 15.0, 12.0, 0.5e-3 },
    { "flat", { 1.8, 0.0, 0.0 }, false, 0.3, 15.0, 15.5, 0.5e-3 },
    { "flat", { 1.3, 0.0, 0.0 }, true, 0.3, 15.0, 5.0, 0.5e-3 },
    { "flat", { 1.0, 0.0, 1.0 }, false, 0.3, 15.0, 9.0, 0.5e-3 },
    { "flat", { 1.0, 0.0, -1.0 }, false, 0.3, 15.0, 9.0, 0.5e-3 },
    { "flat", { 1.3, 0.0, 0.65 }, false, 0.3, 15.0, 12.0, 0.5e-3 },
    { "flat", { 1.5, 0.0, -0.3 }, false, 0.3, 15.0, 13.5, 0.5e-3 },
    { "flat", { 0.0, 0.0, 1.6 }, false, 0.3, 15.0, 0.0, 0.5e-3 },
    { "flat", { 0.0, 0.0, -2.5 }, false, 0.3, 15.0, 0.0, 0.5e-3 },
    { "flat", { -0.8, 0.0, 0.0 }, false, 0.3, 15.0, 7.0, 0.5e-3 },
    { "flat", { 0.0, 0.5, 0.0 }, false, 0.3, 15.0, 4.0, 0.5e-3 },
    { "flat", { 0.0, -0.5, 0.0 }, false, 0.3, 15.0, 4.0, 0.5e-3 },
    { "slope:10", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 9.0, 0.5e-3 },
    { "slope:-10", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 9.0, 0.5e-3 },
    { "slope:-20", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 7.0, 0.5e-3 },
    { "slope:-30", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 5.0, 0.5e-3 },
    { "slope:20", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 7.0, 0.5e-3 },
    { "slope:30", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 3.0, 0.5e-3 },
    { "slope:15,90", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 12.0, 0.5e-3 },
    { "slope:15,-90", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 12.0, 0.5e-3 },
    { "hills:3", { 1.2, 0.0, 0.1 }, false, 0.3, 40.0, 8.0, 0.5e-3 },
    { "hills:1", { 0.0, 0.5, 0.0 }, false, 0.3, 40.0, 3.0, 0.5e-3 },
    // a heel beside a hump comes down on what is beside it
    { "rough:1", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 9.0, 1.5e-3 },
    // feet that leave the ground in line with their leg say little about where the knee points
    { "rough:1", { 1.3, 0.0, 0.26 }, false, 0.3, 40.0, 9.0, 1.5e-3 },
    { "rough:1", { 1.2, 0.0, -0.6 }, false, 0.3, 40.0, 9.0, 2.5e-3 },
    // a foot that is left aside leaves the ground before its ankle is at the end of its roll
    { "rough:15", { 0.0, -0.5, 0.0 }, false, 0.3, 40.0, 3.5, 0.5e-3 },
    // the ball lands first, and waits where the leg is not there yet
    { "slope:10", { -0.8, 0.0, 0.0 }, false, 0.3, 40.0, 5.0, 0.5e-3 },
    { "hills:3", { -0.8, 0.0, 0.0 }, false, 0.3, 40.0, 6.0, 0.5e-3 },
    // and bumps between its points do not get into a foot that comes down slowly
    { "rough:11", { -0.8, 0.0, 0.0 }, false, 0.3, 40.0, 6.0, 5e-3 },
};

// WALK-13, WALK-14, TERR-3
static void test_natural_walks_keep_their_plants(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        const Row *row = &rows[r];
        Walk walk;
        begin(&walk, row->ground, SINEW_WALK_ROWS_AUTO);
        for (int frame = 0; frame < 600; ++frame) {
            bool off = row->stops && frame / 120 % 2 == 1;
            sinew_Steering none = { 0.0, 0.0, 0.0 };
            walk_step(&walk, off ? none : row->steering, 1.0 / 60.0);
            measure_walk_look(walk.meter, walk.walker, 1.0 / 60.0, walk.q, &walk.ground);
        }
        measure_WalkFigures f = measure_walk_figures(walk.meter);
        print_message("%s %.1f %.1f %.1f\n", row->ground, row->steering.forward, row->steering.left,
            row->steering.turn);
        TEST_TRUE(f.slide.value <= row->most_slide);
        TEST_TRUE(f.penetration.value <= 1e-3);
        TEST_TRUE(f.clearance.value > 0.0);
        TEST_INT(f.unmet_frames, 0);
        TEST_INT(f.bad_frames, 0);
        TEST_NEAR(f.limit_violation.value, 0.0, 1e-9);
        TEST_TRUE(f.joint_step.value <= row->most_joint_step);
        TEST_TRUE(f.hips_acceleration.value <= row->most_jolt);
        TEST_TRUE(sinew_walker_report(walk.walker).distance >= row->least_way);
        walk_end(&walk);
    }
}

typedef struct StairRow {
    const char *ground;
    double rise, tread;
    sinew_Steering steering;
} StairRow;

static const StairRow stair_rows[] = {
    { "stairs:0.17,0.29", 0.17, 0.29, { 0.6, 0.0, 0.0 } },
    { "stairs:0.17,0.29", 0.17, 0.29, { 1.3, 0.0, 0.0 } },
    { "stairs:0.17,0.29", 0.17, 0.29, { 1.8, 0.0, 0.0 } },
    { "stairs:0.17,0.29", 0.17, 0.29, { 0.8, 0.35, 0.0 } },
    { "stairs:0.20,0.25", 0.20, 0.25, { 0.6, 0.0, 0.0 } },
    { "stairs:0.20,0.25", 0.20, 0.25, { 1.3, 0.0, 0.0 } },
    { "stairs:0.20,0.25", 0.20, 0.25, { 1.8, 0.0, 0.0 } },
    { "stairs:0.20,0.25", 0.20, 0.25, { 0.8, 0.35, 0.0 } },
};

// up and down a flight: one tread for each step, soles on treads and clear of edges, nothing pops
// TERR-2, TERR-3
static void test_stairs_are_climbed_tread_by_tread(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof stair_rows / sizeof stair_rows[0]; ++r) {
        const StairRow *row = &stair_rows[r];
        Walk walk;
        begin(&walk, row->ground, SINEW_WALK_ROWS_AUTO);
        measure_walk_destroy(walk.meter);
        TEST_OK(
            measure_walk_of(walk.walker, walk.scene->skeleton, row->rise, row->tread, &walk.meter),
            NULL);
        for (int frame = 0; frame < 1500; ++frame) {
            walk_step(&walk, row->steering, 1.0 / 60.0);
            measure_walk_look(walk.meter, walk.walker, 1.0 / 60.0, walk.q, &walk.ground);
        }
        measure_WalkFigures f = measure_walk_figures(walk.meter);
        print_message("%s %.1f %.2f\n", row->ground, row->steering.forward, row->steering.left);
        TEST_TRUE(f.slide.value <= 0.5e-3);
        TEST_TRUE(f.planted_penetration.value <= 1e-3);
        TEST_TRUE(f.penetration.value <= 2e-3);
        // 11.5 on the steepest, diagonally, and one frame in which a leg does not reach
        TEST_TRUE(f.floating.value <= 12e-3);
        TEST_TRUE(f.edge_clearance.value >= 1e-3);
        TEST_TRUE(f.unmet_frames <= (r + 1 < sizeof stair_rows / sizeof stair_rows[0] ? 0 : 1));
        TEST_INT(f.bad_frames, 0);
        TEST_INT(f.flight_frames, 0);
        TEST_NEAR(f.limit_violation.value, 0.0, 1e-9);
        TEST_TRUE(f.joint_step.value <= 0.3);
        TEST_TRUE(f.hips_acceleration.value <= 40.0);
        TEST_TRUE(f.stair_steps >= 12);
        TEST_TRUE(f.one_tread_steps >= 0.8 * f.stair_steps);
        walk_end(&walk);
    }
}

// a stop ends in standing, and standing moves no foot; a body that lives sways a little
static void test_stops_and_stands(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_ROWS_AUTO);
    sinew_Steering ahead = { 1.3, 0.0, 0.0 }, none = { 0.0, 0.0, 0.0 };
    for (int frame = 0; frame < 240; ++frame) { walk_step(&walk, ahead, 1.0 / 60.0); }
    for (int frame = 0; frame < 300; ++frame) { walk_step(&walk, none, 1.0 / 60.0); }
    TEST_TRUE(!sinew_walker_report(walk.walker).is_walking);
    int steps = sinew_walker_report(walk.walker).step_count;
    sinew_Vec3 hips = sinew_walker_report(walk.walker).hips;
    for (int frame = 0; frame < 300; ++frame) { walk_step(&walk, none, 1.0 / 60.0); }
    TEST_INT(sinew_walker_report(walk.walker).step_count, steps);
    // sway takes them 27 mm within five seconds of a minute at most
    TEST_VEC3_NEAR(sinew_walker_report(walk.walker).hips, hips, 30e-3);
    walk_end(&walk);
}

/// A foot leaves the ground when the hips are beyond the middle of both on the way.
static void test_weight_shifts_before_side_steps(void **state)
{
    (void)state;
    for (double side = -0.5; side < 1.0; side += 1.0) {
        Walk walk;
        begin(&walk, "flat", SINEW_WALK_ROWS_AUTO);
        bool was_swinging[2] = { false, false };
        for (int frame = 0; frame < 600; ++frame) {
            walk_step(&walk, (sinew_Steering){ 0.0, side, 0.0 }, 1.0 / 60.0);
            sinew_WalkerLeg left = sinew_walker_leg(walk.walker, 0);
            sinew_WalkerLeg right = sinew_walker_leg(walk.walker, 1);
            double middle = 0.5 * (left.heel.x + right.heel.x);
            double beyond = (sinew_walker_report(walk.walker).hips.x - middle)
                * (side > 0.0 ? 1.0 : -1.0);
            bool leaves = (left.is_swinging && !was_swinging[0])
                || (right.is_swinging && !was_swinging[1]);
            if (leaves && frame > 60) { TEST_TRUE(beyond > 0.05); }
            was_swinging[0] = left.is_swinging;
            was_swinging[1] = right.is_swinging;
        }
        TEST_TRUE(sinew_walker_report(walk.walker).step_count > 15);
        walk_end(&walk);
    }
}

// the trunk leans into the slope, up and down, and into turns
static void test_trunk_leans(void **state)
{
    (void)state;
    static const char *const grounds[3] = { "slope:-20", "flat", "slope:20" };
    double lean[3];
    for (int g = 0; g < 3; ++g) {
        Walk walk;
        begin(&walk, grounds[g], SINEW_WALK_ROWS_AUTO);
        sinew_Steering ahead = { 1.0, 0.0, 0.0 };
        for (int frame = 0; frame < 360; ++frame) { walk_step(&walk, ahead, 1.0 / 60.0); }
        const sinew_Skeleton *skeleton = walk.scene->skeleton;
        sinew_Transform *world = calloc(
            (size_t)sinew_skeleton_joint_count(skeleton), sizeof *world);
        TEST_TRUE(world != NULL);
        sinew_pose_forward(skeleton, walk.q, world);
        int spine = sinew_skeleton_find_joint(skeleton, "Spine");
        sinew_Vec3 up = sinew_quat_rotate(world[spine].rotation, sinew_vec3(0.0, 1.0, 0.0));
        lean[g] = sinew_atan2(up.z, up.y);
        free(world);
        walk_end(&walk);
    }
    TEST_TRUE(lean[0] < lean[1] - 0.05 && lean[1] < lean[2] - 0.05);
}

// ---------------------------------------------------------------------------------------------
// Frame rates and repetition

// what is wanted changes at whole seconds, so that all frame rates see the same
static sinew_Steering course(double time)
{
    static const sinew_Steering parts[6] = { { 1.2, 0.0, 0.0 }, { 1.2, 0.0, 0.6 },
        { 0.6, 0.3, 0.0 }, { 0.0, 0.0, 0.0 }, { -0.6, 0.0, 0.2 }, { 1.5, 0.0, -0.4 } };
    return parts[(int)floor(time + 1e-6) % 6];
}

// steps of time that end at each whole second
static double frame_length(int rate, double time, test_Random *random)
{
    if (rate > 0) { return 1.0 / rate; }
    double left = floor(time + 1e-6) + 1.0 - time;
    double dt = test_range(random, 0.001, 0.05);
    return dt > left - 1e-3 ? left : dt;
}

// WALK-10
static void test_frame_rates_give_the_same_footfalls(void **state)
{
    (void)state;
    static const int rates[5] = { 60, 30, 144, 1000, 0 };
    Walk first;
    memset(&first, 0, sizeof first);
    sinew_Vec3 end_of_first = { 0.0, 0.0, 0.0 };
    for (int r = 0; r < 10; ++r) {
        test_Random random = test_random(9201);
        Walk walk;
        begin(&walk, r < 5 ? "hills:5" : "stairs:0.17,0.29", SINEW_WALK_ROWS_AUTO);
        double time = 0.0;
        while (time < 12.0 - 1e-6) {
            double dt = frame_length(rates[r % 5], time, &random);
            walk_step(&walk, course(time), dt);
            time += dt;
        }
        if (r % 5 == 0) {
            first = walk;
            end_of_first = sinew_walker_report(walk.walker).root;
            TEST_TRUE(walk.landing_count > 12);
        } else {
            TEST_INT(walk.landing_count, first.landing_count);
            for (int i = 0; i < walk.landing_count; ++i) {
                TEST_VEC3_NEAR(walk.landings[i], first.landings[i], 1e-9);
            }
            TEST_VEC3_NEAR(sinew_walker_report(walk.walker).root, end_of_first, 1e-6);
        }
        walk_end(&walk);
    }
}

// CTRL-1, CTRL-3
static void test_the_same_input_gives_the_same_bits(void **state)
{
    (void)state;
    Walk a, b;
    begin(&a, "rough:2", SINEW_WALK_ROWS_AUTO);
    begin(&b, "rough:2", SINEW_WALK_ROWS_AUTO);
    walk_check_bits(&a, &b, course, 1000);
    walk_end(&a);
    walk_end(&b);
}

// left and right are mirror images; of two places that cost the same one side is taken
static void test_mirrored_steering_gives_the_mirrored_way(void **state)
{
    (void)state;
    Walk left, right;
    sinew_WalkerDef def = sinew_walker_def_default();
    def.manner = sinew_manner_plain();
    walk_begin(&left, "MAN18", "flat", &def);
    walk_begin(&right, "MAN18", "flat", &def);
    for (int frame = 0; frame < 600; ++frame) {
        sinew_Steering l = { 1.0, 0.2, 0.5 }, r = { 1.0, -0.2, -0.5 };
        walk_step(&left, l, 1.0 / 60.0);
        walk_step(&right, r, 1.0 / 60.0);
    }
    sinew_Vec3 a = sinew_walker_report(left.walker).hips;
    sinew_Vec3 b = sinew_walker_report(right.walker).hips;
    TEST_VEC3_NEAR(a, sinew_vec3(-b.x, b.y, b.z), 0.02);
    walk_end(&left);
    walk_end(&right);
}

// ---------------------------------------------------------------------------------------------
// Kinds of legs

// MODE-2, MODE-6, WALK-6, WALK-13: all kinds hold the plants; feet look ahead with half rows too
static void test_rows_may_change_while_walking(void **state)
{
    (void)state;
    static const sinew_WalkRows kinds[4] = { SINEW_WALK_ROWS_HALF, SINEW_WALK_ROWS_FULL,
        SINEW_WALK_ROWS_HYBRID, SINEW_WALK_ROWS_AUTO };
    Walk walk;
    begin(&walk, "hills:4", SINEW_WALK_ROWS_HALF);
    sinew_Steering ahead = { 1.1, 0.0, 0.0 };
    int mixed = 0;
    for (int frame = 0; frame < 1600; ++frame) {
        if (frame % 100 == 0) { sinew_walker_set_rows(walk.walker, kinds[frame / 100 % 4]); }
        walk_step(&walk, ahead, 1.0 / 60.0);
        measure_walk_look(walk.meter, walk.walker, 1.0 / 60.0, walk.q, &walk.ground);
        TEST_INT(sinew_walker_report(walk.walker).solve_count, 2);
        int count;
        const sinew_Goal *goals = sinew_walker_goals(walk.walker, &count);
        TEST_INT(count, 2);
        mixed += goals[0].kind != goals[1].kind ? 1 : 0;
    }
    measure_WalkFigures f = measure_walk_figures(walk.meter);
    TEST_TRUE(f.slide.value <= 0.5e-3);
    TEST_INT(f.unmet_frames, 0);
    TEST_TRUE(f.joint_step.value <= 0.5);
    TEST_TRUE(mixed > 50);
    walk_end(&walk);
}

// TERR-3: a thigh's twist ends where the foot has to give way to the knee, whatever rows the leg has
static void test_full_rows_meet_what_closed_forms_meet(void **state)
{
    (void)state;
    static const Row rows_of[] = {
        { "hills:1", { 0.8, 0.0, -0.8 }, false, 0.3, 40.0, 5.0, 0.5e-3 },
        { "ramp:10", { 1.0, 0.0, 0.5 }, false, 0.3, 40.0, 5.0, 0.5e-3 },
        { "slope:30,90", { 1.3, 0.0, 0.0 }, false, 0.3, 40.0, 5.0, 0.6e-3 },
    };
    static const sinew_WalkRows kinds[2] = { SINEW_WALK_ROWS_FULL, SINEW_WALK_ROWS_HYBRID };
    for (int i = 0; i < 6; ++i) {
        const Row *row = &rows_of[i / 2];
        Walk walk;
        sinew_WalkerDef def = sinew_walker_def_default();
        def.rows = kinds[i % 2];
        walk_begin(&walk, "MAN18", row->ground, &def);
        for (int frame = 0; frame < 900; ++frame) {
            walk_step(&walk, row->steering, 1.0 / 60.0);
            measure_walk_look(walk.meter, walk.walker, 1.0 / 60.0, walk.q, &walk.ground);
        }
        measure_WalkFigures f = measure_walk_figures(walk.meter);
        TEST_INT(f.unmet_frames, 0);
        TEST_TRUE(f.slide.value <= row->most_slide);
        TEST_TRUE(f.joint_step.value <= row->most_joint_step);
        TEST_TRUE(sinew_walker_report(walk.walker).distance >= row->least_way);
        walk_end(&walk);
    }
}

// how high the lowest point of a sole is over the ground; out_length: from the heel to the joint of the toes
static double lowest_of_sole(Walk *walk, int leg, double *out_length)
{
    const sinew_Sole *sole = sinew_walker_sole(walk->walker, leg);
    sinew_Vec3 heel = { 0.0, 0.0, 0.0 };
    double lowest = (double)INFINITY;
    for (int i = 0; i < sole->point_count; ++i) {
        const sinew_SolePoint *point = &sole->points[i];
        sinew_Vec3 at = sinew_transform_point(walk->world[point->joint], point->offset);
        double ground = sinew_ground_sample(&walk->ground, at.x, at.z).height;
        lowest = fmin(lowest, at.y - ground);
        if (!point->is_edge && point->planted == SINEW_PLANTED_HEEL) { heel = at; }
    }
    sinew_Vec3 toes = walk->world[sinew_walker_leg_def(walk->walker, leg)->toe].position;
    *out_length = sinew_vec3_distance(heel, toes);
    return lowest;
}

// WALK-7, WALK-8: with positions alone the ankle of a trailing foot is free, and toes of a leading one come
// down: neither heel nor toes go into the ground, what is planted stays, the foot keeps its length
static void test_paper_soles_stay_on_the_ground_walk7_walk8(void **state)
{
    (void)state;
    static const char *const grounds[] = { "flat", "slope:10", "slope:-10", "slope:15,90" };
    for (int g = 0; g < 4; ++g) {
        sinew_WalkerDef def = sinew_walker_def_default();
        def.style = SINEW_WALK_PAPER;
        def.rows = SINEW_WALK_ROWS_HALF;
        Walk walk;
        walk_begin(&walk, "MAN18", grounds[g], &def);
        sinew_Steering ahead = { 1.2, 0.0, 0.1 };
        double first[2] = { 0.0, 0.0 };
        int on_toes = 0, on_heel = 0;
        for (int frame = 0; frame < 900; ++frame) {
            walk_step(&walk, ahead, 1.0 / 60.0);
            measure_walk_look(walk.meter, walk.walker, 1.0 / 60.0, walk.q, &walk.ground);
            sinew_pose_forward(walk.scene->skeleton, walk.q, walk.world);
            for (int i = 0; i < 2; ++i) {
                double length;
                TEST_TRUE(lowest_of_sole(&walk, i, &length) >= -0.1e-3);
                if (frame == 0) { first[i] = length; }
                TEST_NEAR(length, first[i], 1e-9);
                unsigned planted = sinew_walker_leg(walk.walker, i).planted;
                on_toes += planted == (SINEW_PLANTED_BALL | SINEW_PLANTED_TOE);
                on_heel += planted == SINEW_PLANTED_HEEL;
            }
        }
        TEST_TRUE(measure_walk_figures(walk.meter).slide.value <= 0.5e-3);
        TEST_TRUE(on_toes > 300);
        if (g == 0) { TEST_TRUE(on_heel > 20); }
        walk_end(&walk);
    }
}

// WALK-4, WALK-14, TERR-3: steering that wants something else each 0.8 s turns no hips away from a foot that
// stands
static void test_paper_feet_stand_while_steering_changes(void **state)
{
    (void)state;
    static const sinew_Steering course[] = { { 1.2, 0.0, 0.0 }, { 0.0, 0.5, 0.0 },
        { 0.0, 0.0, -1.5 }, { -0.7, 0.0, 0.0 }, { 0.6, 0.0, 1.2 }, { 0.3, -0.5, 0.0 },
        { 1.4, 0.0, -0.9 }, { 0.0, 0.0, 1.5 }, { -0.4, 0.4, 0.0 }, { 0.0, 0.0, 0.0 } };
    static const char *const grounds[] = { "slope:20", "slope:30", "slope:-20", "hills:2" };
    enum { PARTS = (int)(sizeof course / sizeof course[0]) };
    for (int g = 0; g < 4; ++g) {
        sinew_WalkerDef def = sinew_walker_def_default();
        def.style = SINEW_WALK_PAPER;
        Walk walk;
        walk_begin(&walk, "MAN18", grounds[g], &def);
        for (int frame = 0; frame < 2400; ++frame) {
            walk_step(&walk, course[frame / 48 % PARTS], 1.0 / 60.0);
            measure_walk_look(walk.meter, walk.walker, 1.0 / 60.0, walk.q, &walk.ground);
        }
        measure_WalkFigures f = measure_walk_figures(walk.meter);
        print_message("%s: slide %.2f, sunk %.2f mm, step %.3f\n", grounds[g], 1e3 * f.slide.value,
            1e3 * f.penetration.value, f.joint_step.value);
        TEST_TRUE(f.slide.value <= 0.5e-3);
        TEST_TRUE(f.planted_penetration.value <= 1e-3);
        // one stride in 2400 frames comes down with its toes in a slope of 30 degrees
        TEST_TRUE(f.penetration.value <= (g == 1 ? 4e-3 : 1e-3));
        TEST_TRUE(f.joint_step.value <= 0.3);
        TEST_INT(f.unmet_frames, 0);
        TEST_TRUE(f.step_count > 50);
        walk_end(&walk);
    }
}

static void test_half_rows_keep_feet_straight_mode6(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_ROWS_HALF);
    sinew_Steering ahead = { 1.3, 0.0, 0.0 };
    const sinew_Skeleton *skeleton = walk.scene->skeleton;
    sinew_Transform *world = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *world);
    TEST_TRUE(world != NULL);
    double worst = 0.0;
    while (sinew_walker_report(walk.walker).step_count < 100) {
        walk_step(&walk, ahead, 1.0 / 60.0);
        sinew_pose_forward(skeleton, walk.q, world);
        for (int i = 0; i < 2; ++i) {
            // only feet that stand have a heading of their own
            if (sinew_walker_leg(walk.walker, i).is_swinging) { continue; }
            int foot = sinew_walker_leg_def(walk.walker, i)->ankle;
            sinew_Vec3 way = sinew_quat_rotate(world[foot].rotation, sinew_vec3(0.0, 0.0, 1.0));
            worst = fmax(worst, fabs(sinew_atan2(way.x, way.z)));
        }
    }
    TEST_TRUE(worst <= 10.0 * SINEW_PI / 180.0);
    free(world);
    walk_end(&walk);
}

// ---------------------------------------------------------------------------------------------
// Rules

static sinew_GroundSample broken_ground(void *user, double x, double z)
{
    (void)user;
    sinew_GroundSample sample = { z > 0.8 ? (double)NAN : 0.0 * x, { 0.0, 1.0, 0.0 } };
    return sample;
}

static void test_broken_rules_change_nothing(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_ROWS_AUTO);
    sinew_Steering ahead = { 1.0, 0.0, 0.0 }, wrong = { (double)NAN, 0.0, 0.0 };
    for (int frame = 0; frame < 30; ++frame) { walk_step(&walk, ahead, 1.0 / 60.0); }
    sinew_Message message = { "" };
    double time = sinew_walker_report(walk.walker).time;
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    sinew_Walker *w = walk.walker;
    TEST_INT(sinew_walker_update(w, &wrong, 0.01, NULL, walk.q, &message), bad);
    TEST_INT(sinew_walker_update(w, &ahead, -0.01, NULL, walk.q, &message), bad);
    TEST_INT(sinew_walker_update(w, &ahead, 1.5, NULL, walk.q, &message), bad);
    TEST_INT(sinew_walker_update(w, &ahead, (double)NAN, NULL, walk.q, &message), bad);
    TEST_INT(sinew_walker_update(w, &ahead, 0.01, NULL, NULL, &message), bad);
    TEST_NEAR(sinew_walker_report(w).time, time, 0.0);

    sinew_Ground broken = { broken_ground, NULL };
    sinew_Status status = SINEW_STATUS_OK;
    for (int frame = 0; frame < 240 && status == SINEW_STATUS_OK; ++frame) {
        time = sinew_walker_report(w).time;
        status = sinew_walker_update(w, &ahead, 1.0 / 60.0, &broken, walk.q, &message);
    }
    TEST_INT(status, bad);
    TEST_NEAR(sinew_walker_report(w).time, time, 0.0);
    TEST_INT(sinew_walker_reset(w, (double)INFINITY, 0.0, 0.0), bad);
    walk_end(&walk);
}

static void test_bodies_that_cannot_walk_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = { "ARM", "HAND", "CHAIN10" };
    for (int i = 0; i < 3; ++i) {
        scene_Scene *scene = NULL;
        sinew_Walker *walker = NULL;
        sinew_Message message = { "" };
        TEST_OK(scene_create(names[i], NULL, &scene, &message), &message);
        sinew_WalkerDef def = sinew_walker_def_default();
        def.skeleton = scene->skeleton;
        TEST_INT(sinew_walker_create(&def, &walker, &message), SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(walker == NULL && message.text[0] != '\0');
        scene_destroy(scene);
    }
    // a foot without an ankle: told was a knee that would have to turn 0 degrees
    scene_Scene *scene = NULL;
    sinew_Message message = { "" };
    TEST_OK(scene_create("FIGURE1", NULL, &scene, &message), &message);
    sinew_WalkerDef footless = sinew_walker_def_default();
    sinew_Walker *none = NULL;
    footless.skeleton = scene->skeleton;
    TEST_INT(sinew_walker_create(&footless, &none, &message), SINEW_STATUS_INVALID_ARGUMENT);
    print_message("%s\n", message.text);
    TEST_TRUE(strstr(message.text, "Foot' does not turn") != NULL);
    scene_destroy(scene);
    sinew_WalkerDef def = sinew_walker_def_default();
    sinew_Walker *walker = NULL;
    TEST_INT(sinew_walker_create(&def, &walker, NULL), SINEW_STATUS_INVALID_ARGUMENT);
}

// Legs of 0.08 to 10 m; others are refused by their length. Who is 3.5 m and taller was, as steps of long legs take
// longer than the trial did.
static void test_bodies_of_all_sizes_walk(void **state)
{
    (void)state;
    static const double scales[] = { 0.05, 0.1, 0.3, 1.0, 2.0, 5.0, 10.0, 12.0 };
    enum { COUNT = sizeof scales / sizeof scales[0] };
    for (int i = 0; i < COUNT; ++i) {
        sinew_Skeleton *skeleton = plain_man_of(scales[i]);
        sinew_WalkerDef def = sinew_walker_def_default();
        sinew_Walker *walker = NULL;
        sinew_Message message = { "" };
        double q[128];
        def.skeleton = skeleton;
        sinew_Status status = sinew_walker_create(&def, &walker, &message);
        if (i == 0 || i == COUNT - 1) {
            TEST_INT(status, SINEW_STATUS_INVALID_ARGUMENT);
            TEST_TRUE(strstr(message.text, "m long, want 0.08..10") != NULL);
            sinew_skeleton_destroy(skeleton);
            continue;
        }
        TEST_OK(status, &message);
        // 20 s of who is as tall as people
        double pace = sqrt(scales[i]);
        int frames = (int)(1200.0 * fmax(1.0, pace));
        for (int f = 0; f < frames; ++f) {
            double speed = f < 0.8 * frames ? 1.2 * pace : 0.0,
                   aside = f > 0.4 * frames ? 0.7 : 0.0;
            sinew_Drive drive = sinew_drive_world(aside * speed, speed);
            TEST_OK(sinew_walker_drive(walker, &drive, 1.0 / 60.0, NULL, q, &message), &message);
        }
        sinew_WalkerReport report = sinew_walker_report(walker);
        print_message("%g: %d steps, %.1f m\n", scales[i], report.step_count, report.distance);
        TEST_INT(report.unmet_frames, 0);
        TEST_TRUE(report.step_count > 20 && report.distance > 15.0 * scales[i]);
        sinew_walker_destroy(walker);
        sinew_skeleton_destroy(skeleton);
    }
}

static void test_memory_is_taken_at_creation_alone(void **state)
{
    (void)state;
    scene_Scene *scene = NULL;
    TEST_OK(scene_create("MAN18", NULL, &scene, NULL), NULL);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = scene->skeleton;
    double q[128];
    TEST_TRUE(sinew_skeleton_coordinate_count(scene->skeleton) <= 128);
    long needed = 0;
    for (long fail_at = 0; fail_at <= needed; ++fail_at) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        def.allocator = memory.allocator;
        sinew_Walker *walker = NULL;
        sinew_Status status = sinew_walker_create(&def, &walker, NULL);
        if (fail_at > 0) {
            TEST_INT(status, SINEW_STATUS_OUT_OF_MEMORY);
            TEST_TRUE(walker == NULL);
        } else {
            TEST_OK(status, NULL);
            needed = memory.alloc_count;
            sinew_Steering ahead = { 1.3, 0.0, 0.2 };
            for (int frame = 0; frame < 300; ++frame) {
                TEST_OK(sinew_walker_update(walker, &ahead, 1.0 / 60.0, NULL, q, NULL), NULL);
            }
            TEST_INT(memory.alloc_count, needed);
        }
        sinew_walker_destroy(walker);
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
    }
    scene_destroy(scene);
}

TEST_MAIN(cmocka_unit_test(test_natural_walks_keep_their_plants),
    cmocka_unit_test(test_stairs_are_climbed_tread_by_tread),
    cmocka_unit_test(test_stops_and_stands), cmocka_unit_test(test_trunk_leans),
    cmocka_unit_test(test_weight_shifts_before_side_steps),
    cmocka_unit_test(test_frame_rates_give_the_same_footfalls),
    cmocka_unit_test(test_the_same_input_gives_the_same_bits),
    cmocka_unit_test(test_mirrored_steering_gives_the_mirrored_way),
    cmocka_unit_test(test_rows_may_change_while_walking),
    cmocka_unit_test(test_full_rows_meet_what_closed_forms_meet),
    cmocka_unit_test(test_paper_soles_stay_on_the_ground_walk7_walk8),
    cmocka_unit_test(test_paper_feet_stand_while_steering_changes),
    cmocka_unit_test(test_half_rows_keep_feet_straight_mode6),
    cmocka_unit_test(test_broken_rules_change_nothing),
    cmocka_unit_test(test_bodies_that_cannot_walk_are_refused),
    cmocka_unit_test(test_bodies_of_all_sizes_walk),
    cmocka_unit_test(test_memory_is_taken_at_creation_alone))
