// The style "paper" by the public face of the walker, with each kind of rows for its legs: what a walk keeps,
// that rows may change under way, and what weights do to the trailing heel.

#include "walks.h"

#define FRAME (1.0 / 60.0)

static const sinew_WalkRows kinds[4] = { SINEW_WALK_ROWS_AUTO, SINEW_WALK_ROWS_HALF,
    SINEW_WALK_ROWS_FULL, SINEW_WALK_ROWS_HYBRID };
static const char *const kind_names[4] = { "auto", "half", "full", "hybrid" };

static void begin(Walk *walk, const char *ground, sinew_WalkRows rows, double trailing_weight)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.style = SINEW_WALK_PAPER;
    def.rows = rows;
    if (trailing_weight > 0.0) { def.trailing_weight = trailing_weight; }
    walk_begin(walk, "MAN18", ground, &def);
}

static void step(Walk *walk, sinew_Steering steering)
{
    walk_step(walk, steering, FRAME);
    measure_walk_look(walk->meter, walk->walker, FRAME, walk->q, &walk->ground);
}

// planted points stay, no sole sinks, numbers are numbers, limits hold; returns the largest step of a joint
static double check_walk(const Walk *walk, double most_unmet)
{
    measure_WalkFigures f = measure_walk_figures(walk->meter);
    print_message("%d steps, slide %.2f mm, planted sunk %.2f mm, step %.3f rad, unmet %d of %d\n",
        f.step_count, 1e3 * f.slide.value, 1e3 * f.planted_penetration.value, f.joint_step.value,
        f.unmet_frames, f.frame_count);
    TEST_TRUE(f.slide.value <= 0.5e-3);
    TEST_TRUE(f.planted_penetration.value <= 1e-3);
    TEST_TRUE(f.joint_step.value <= 0.3);
    TEST_TRUE(f.unmet_frames <= most_unmet * f.frame_count);
    TEST_INT(f.bad_frames, 0);
    TEST_INT(f.flight_frames, 0);
    TEST_NEAR(f.limit_violation.value, 0.0, 1e-9);
    return f.joint_step.value;
}

/// TERR-3, WALK-4, WALK-14: five hundred steps on each terrain, a stop within each hundred; the kinds of
/// rows that the paper compares go part of that way.
static void test_terrains_terr3(void **state)
{
    (void)state;
    static const char *const grounds[] = { "flat", "hills:1", "hills:7", "rough:3", "ramp:10",
        "stairs:0.17,0.29" };
    for (size_t g = 0; g < sizeof grounds / sizeof grounds[0]; ++g) {
        double joint_step[4];
        for (int k = 0; k < 4; ++k) {
            Walk walk;
            begin(&walk, grounds[g], kinds[k], 0.0);
            print_message("%s %s: ", grounds[g], kind_names[k]);
            int steps = k == 0 ? 500 : 60;
            for (int frame = 0; frame < 40000; ++frame) {
                int done = sinew_walker_report(walk.walker).step_count;
                if (done >= steps) { break; }
                bool rests = frame % 3000 > 2900;
                step(&walk, (sinew_Steering){ rests ? 0.0 : 1.2, 0.0, 0.0 });
            }
            TEST_TRUE(sinew_walker_report(walk.walker).step_count >= steps);
            joint_step[k] = check_walk(&walk, k == 0 ? 0.0 : 0.01);
            walk_end(&walk);
        }
        // a heel that is free leaves the ground without a leap of the leg
        TEST_TRUE(joint_step[1] <= 1.1 * fmax(joint_step[0], joint_step[2]));
    }
}

// rows of both goals of this frame: 3 or 6 each
static int count_rows(const Walk *walk)
{
    int count, rows = 0;
    const sinew_Goal *goals = sinew_walker_goals(walk->walker, &count);
    TEST_INT(count, 2);
    for (int i = 0; i < count; ++i) { rows += goals[i].kind == SINEW_GOAL_POSE ? 6 : 3; }
    return rows;
}

/// MODE-2, WALK-6: hybrid solves the leading foot full and the trailing one half in one frame, and the
/// walk keeps what it must.
static void test_hybrid_mode2(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "hills:2", SINEW_WALK_ROWS_HYBRID, 0.0);
    int walking = 0;
    for (int frame = 0; frame < 2400; ++frame) {
        step(&walk, (sinew_Steering){ 1.2, 0.0, 0.05 });
        TEST_INT(sinew_walker_report(walk.walker).solve_count, 2);
        if (!sinew_walker_report(walk.walker).is_walking) { continue; }
        ++walking;
        TEST_INT(count_rows(&walk), 9);
        int count;
        const sinew_Goal *goals = sinew_walker_goals(walk.walker, &count);
        for (int leg = 0; leg < 2; ++leg) {
            // the foot in the air leads
            sinew_WalkerLeg told = sinew_walker_leg(walk.walker, leg);
            if (!told.is_swinging) { continue; }
            TEST_INT((int)goals[told.goal_start].kind, (int)SINEW_GOAL_POSE);
        }
    }
    TEST_TRUE(walking > 2000);
    (void)check_walk(&walk, 0.01);
    walk_end(&walk);
}

/// MODE-5: a walker near by has all rows; when it is farther off than a distance it goes on with
/// half, back again near by. Rows fall from 12 to 6, and neither change is seen.
static void test_level_of_detail_mode5(void **state)
{
    (void)state;
    const double far_away = 4.0;
    Walk walk;
    begin(&walk, "hills:3", SINEW_WALK_ROWS_FULL, 0.0);
    int changes = 0, rows_near = 0, rows_far = 0, near = 0, far = 0;
    bool was_far = false;
    for (int frame = 0; frame < 7200; ++frame) {
        // on a circle of 3 m that begins at the viewer's feet
        step(&walk, (sinew_Steering){ 0.6, 0.0, 0.2 });
        sinew_Vec3 root = sinew_walker_report(walk.walker).root;
        bool is_far = root.x * root.x + root.z * root.z > far_away * far_away;
        changes += is_far != was_far;
        if (frame > 0 && is_far == was_far) {
            *(is_far ? &rows_far : &rows_near) += count_rows(&walk);
            *(is_far ? &far : &near) += 1;
        }
        was_far = is_far;
        sinew_walker_set_rows(walk.walker, is_far ? SINEW_WALK_ROWS_HALF : SINEW_WALK_ROWS_FULL);
    }
    TEST_TRUE(changes >= 6 && near > 500 && far > 500);
    TEST_INT(rows_near, 12 * near);
    TEST_INT(rows_far, 6 * far);
    (void)check_walk(&walk, 0.01);
    walk_end(&walk);
}

/// MODE-5: all kinds one after the other, at any moment of a step: no jump, no lost plant.
static void test_rows_change_under_way(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "hills:4", SINEW_WALK_ROWS_AUTO, 0.0);
    test_Random random = test_random(2601);
    for (int frame = 0; frame < 3600; ++frame) {
        if (frame % 7 == 0) { sinew_walker_set_rows(walk.walker, kinds[test_int(&random, 4)]); }
        step(&walk, (sinew_Steering){ 1.2, 0.0, 0.1 });
    }
    (void)check_walk(&walk, 0.01);
    walk_end(&walk);
}

// height of the trailing heel at a quarter of the stage, mean of many; and the worst error of the trailing toes
static double trailing_lift(double weight, double *out_toe_error)
{
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_ROWS_HALF, weight);
    double sum = 0.0, before[2] = { 0.0, 0.0 };
    int count = 0;
    *out_toe_error = 0.0;
    for (int frame = 0; frame < 3000; ++frame) {
        step(&walk, (sinew_Steering){ 1.3, 0.0, 0.0 });
        sinew_pose_forward(walk.scene->skeleton, walk.q, walk.world);
        for (int leg = 0; leg < 2 && frame > 300; ++leg) {
            sinew_WalkerLeg told = sinew_walker_leg(walk.walker, leg);
            sinew_WalkerLeg other = sinew_walker_leg(walk.walker, 1 - leg);
            bool trails = !told.is_swinging && other.is_swinging;
            bool passes = before[leg] < 0.25 && other.swing >= 0.25;
            before[leg] = trails ? other.swing : 1.0;
            if (!trails) { continue; }
            const sinew_SolePoint *points = sinew_walker_sole(walk.walker, leg)->points;
            sinew_Vec3 heel = sinew_transform_point(walk.world[points[0].joint], points[0].offset);
            int count_goals;
            const sinew_Goal *goal = sinew_walker_goals(walk.walker, &count_goals)
                + told.goal_start;
            sinew_Vec3 held = sinew_transform_point(
                walk.world[goal->joint], goal->joint_from_effector.position);
            *out_toe_error = fmax(*out_toe_error, sinew_vec3_distance(held, goal->position));
            if (!passes) { continue; }
            sum += heel.y;
            ++count;
        }
    }
    TEST_TRUE(count > 40);
    walk_end(&walk);
    return sum / count;
}

/// WGT-3, WALK-13: with weights up on thigh and shank the trailing heel comes up later; the toes stay
/// where they are.
static void test_trailing_heel_wgt3(void **state)
{
    (void)state;
    static const double weights[4] = { 1.0, 2.0, 4.0, 16.0 };
    double lift[4], error[4];
    for (int i = 0; i < 4; ++i) {
        lift[i] = trailing_lift(weights[i], &error[i]);
        print_message("weight %.0f: heel at %.2f mm, toes off by %.4f mm\n", weights[i],
            1e3 * lift[i], 1e3 * error[i]);
        TEST_TRUE(error[i] < 1e-3);
    }
    for (int i = 1; i < 4; ++i) { TEST_TRUE(lift[i] < lift[i - 1] - 1e-4); }
}

/// MODE-6, WALK-13: limits alone keep feet ahead with half rows: within 10 degrees for 100 steps.
static void test_half_feet_point_ahead_mode6(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", SINEW_WALK_ROWS_HALF, 0.0);
    double worst = 0.0;
    while (sinew_walker_report(walk.walker).step_count < 100) {
        step(&walk, (sinew_Steering){ 1.3, 0.0, 0.0 });
        sinew_pose_forward(walk.scene->skeleton, walk.q, walk.world);
        for (int leg = 0; leg < 2; ++leg) {
            const sinew_SolePoint *points = sinew_walker_sole(walk.walker, leg)->points;
            int foot = points[0].joint;
            sinew_Vec3 ahead = sinew_quat_rotate(
                walk.world[foot].rotation, sinew_vec3(0.0, 0.0, 1.0));
            worst = fmax(worst, fabs(sinew_atan2(ahead.x, ahead.z)));
        }
    }
    print_message("feet within %.2f degrees\n", worst * 180.0 / SINEW_PI);
    TEST_TRUE(worst <= 10.0 * SINEW_PI / 180.0);
    walk_end(&walk);
}

TEST_MAIN(cmocka_unit_test(test_terrains_terr3), cmocka_unit_test(test_hybrid_mode2),
    cmocka_unit_test(test_level_of_detail_mode5), cmocka_unit_test(test_rows_change_under_way),
    cmocka_unit_test(test_trailing_heel_wgt3), cmocka_unit_test(test_half_feet_point_ahead_mode6))
