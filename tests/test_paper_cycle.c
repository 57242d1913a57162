// The two-stage cycle of Meredith and Maddock (2004) as it moves on all kinds of ground: what it asks of
// the body, before any leg is solved.

#include "paper_body.h"

static const sinew_WalkOrnaments all = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };

typedef struct Walk {
    snw_WalkBody body;
    PaperGround form;
    sinew_Ground ground;
    snw_View seen;
    snw_PaperCycle cycle;
    snw_WalkTarget target;
    unsigned planted[2];     // of each foot in the last frame
    sinew_Vec3 plants[2][2]; // where its heel and its toes were when they came to be
} Walk;

static void begin(Walk *walk, const sinew_PaperWalk *settings, PaperGround form)
{
    sinew_PaperWalk own = sinew_paper_walk_default();
    walk->body = paper_body();
    walk->form = form;
    walk->ground = (sinew_Ground){ paper_ground_sample, &walk->form };
    snw_view_open(&walk->seen, &walk->ground, NULL);
    walk->cycle = snw_paper_begin(settings != NULL ? settings : &own, 0.0, 0.0, 0.0);
    walk->target = (snw_WalkTarget){ 0 };
    memset(walk->planted, 0, sizeof walk->planted);
}

static void advance(Walk *walk, sinew_Steering steering, double dt)
{
    snw_paper_advance(&walk->cycle, &walk->body, &all, &steering, &walk->seen, dt);
    snw_paper_target(&walk->cycle, &walk->body, &all, &walk->seen, &walk->target);
}

// the lowest height of a sole over the ground as it is, at many points of it
static double exact_clearance(
    const Walk *walk, const snw_WalkLegBody *leg, const sinew_Transform *foot, double toe_bend)
{
    enum { ALONG = 24, ACROSS = 4 };
    double lowest = INFINITY, s, c;
    sinew_sincos(toe_bend, &s, &c);
    for (int i = 0; i <= ALONG; ++i) {
        double z = leg->heel + (leg->tip - leg->heel) * i / ALONG, y = -leg->ankle_height;
        double share = fmin(1.0, (z - leg->heel) / (leg->ball - leg->heel));
        double width = leg->heel_width + (leg->ball_width - leg->heel_width) * share;
        double out = z - leg->toe_joint.z, down = -leg->toe_height;
        if (out > 0.0) {
            z = leg->toe_joint.z + out * c - down * s;
            y = leg->toe_joint.y + out * s + down * c;
        }
        for (int k = 0; k <= ACROSS; ++k) {
            sinew_Vec3 local = { width * (2.0 * k / ACROSS - 1.0), y, z };
            sinew_Vec3 at = sinew_transform_point(*foot, local);
            lowest = fmin(lowest, at.y - walk->ground.sample(walk->ground.user, at.x, at.z).height);
        }
    }
    return lowest;
}

// how far waves stand up between places 5 cm apart, in both directions
static double bend_between(const PaperGround *form)
{
    double k = form->bump > 0.0 ? 2.0 * SINEW_PI / form->wave : 0.0;
    return 2.0 * form->bump * k * k * 0.05 * 0.05 / 8.0;
}

static const PaperGround grounds[] = {
    { 0 },
    { .slope = 0.36 },
    { .slope = -0.577 },
    { .slope = 0.27, .toward = 0.5 * SINEW_PI },
    { .bump = 0.05, .wave = 1.0 },
    { .bump = 0.03, .wave = 0.4 },
    { .rise = 0.17, .tread = 0.29 },
    { .rise = -0.17, .tread = 0.29 },
    { .rise = 0.2, .tread = 0.25 },
    { .rise = -0.2, .tread = 0.25 },
};
enum { GROUNDS = (int)(sizeof grounds / sizeof grounds[0]) };

// planted points stay where they were first: on planes, and within what is asked for where the ground bends below a foot,
// which rolls over it
static void check_plant(Walk *walk, int foot, int point)
{
    const unsigned bit = point == 0 ? SINEW_PLANTED_HEEL : SINEW_PLANTED_TOE;
    const sinew_WalkerLeg *told = &walk->target.feet[foot].told;
    const sinew_Vec3 at = point == 0 ? told->heel : told->toe;
    sinew_Vec3 *plant = &walk->plants[foot][point];
    if ((walk->planted[foot] & bit) == 0) { *plant = at; }
    const bool bends = walk->form.bump > 0.0 || walk->form.tread > 0.0;
    const double dx = at.x - plant->x, dz = at.z - plant->z;
    TEST_TRUE(sqrt(dx * dx + dz * dz) <= (bends ? 0.5e-3 : 1e-4));
    TEST_TRUE(fabs(at.y - plant->y) < (bends ? 1e-3 : 1e-4));
}

static void check_plants(Walk *walk, int foot)
{
    // of a foot on an edge of its sole that edge is planted
    const unsigned told = walk->target.feet[foot].told.planted;
    const bool is_flat = (told & (SINEW_PLANTED_LEFT | SINEW_PLANTED_RIGHT)) == 0;
    const unsigned planted = is_flat ? told : 0u;
    if (planted & SINEW_PLANTED_HEEL) { check_plant(walk, foot, 0); }
    if (planted & SINEW_PLANTED_TOE) { check_plant(walk, foot, 1); }
    walk->planted[foot] = planted;
}

// what must hold in every frame: planted points stay, no point of a sole is below the ground, legs
// reach
static void check_frame(Walk *walk)
{
    for (int i = 0; i < 2; ++i) {
        const snw_WalkLegBody *leg = &walk->body.legs[i];
        const snw_WalkFootTarget *foot = &walk->target.feet[i];
        TEST_TRUE(sinew_vec3_is_finite(foot->foot.position));
        TEST_TRUE(sinew_quat_is_finite(foot->foot.rotation));
        double low = exact_clearance(walk, leg, &foot->foot, foot->toe_bend);
        // what the ground does within 5 cm is looked at where feet stand; below moving ones it is straight
        TEST_TRUE(low > (foot->told.is_swinging ? -1e-3 - bend_between(&walk->form) : -1e-3));
        sinew_Vec3 hip = sinew_transform_point(walk->target.hips, leg->hip);
        TEST_TRUE(sinew_vec3_distance(hip, foot->foot.position) < snw_paper_reach(leg) + 1e-3);
        check_plants(walk, i);
    }
}

// walk until so many steps are done; checks every frame
static void walk_steps(Walk *walk, sinew_Steering steering, int steps, double dt)
{
    int most = walk->cycle.step_count + steps;
    memset(walk->planted, 0, sizeof walk->planted);
    for (int frame = 0; walk->cycle.step_count < most; ++frame) {
        TEST_TRUE(frame < 200000);
        advance(walk, steering, dt);
        check_frame(walk);
    }
}

/// WALK-4, TERR: two hundred steps on each ground; what is planted stays where it is, and in each stage
/// it is what the table and its text say.
static void test_plants_walk4(void **state)
{
    (void)state;
    for (int g = 0; g < GROUNDS; ++g) {
        Walk walk;
        begin(&walk, NULL, grounds[g]);
        sinew_Steering ahead = { 1.2, 0.0, 0.0 };
        advance(&walk, ahead, 0.0);
        walk_steps(&walk, ahead, 200, 1.0 / 60.0);
        int swings = 0, rolls = 0;
        for (int frame = 0; frame < 100; ++frame) {
            advance(&walk, ahead, 0.011);
            int moving = walk.cycle.moving;
            unsigned back = walk.target.feet[1 - moving].told.planted;
            unsigned front = walk.target.feet[moving].told.planted;
            bool rolling = walk.cycle.stage == SNW_PAPER_ROLL;
            TEST_TRUE(back != 0 && (back & SINEW_PLANTED_HEEL) == 0);
            // on bent ground a foot stands on what of it is on that, and where it rises steeply the ankle does not let the
            // heel down
            if (g == 0) { TEST_TRUE((back & SINEW_PLANTED_TOE) != 0); }
            if (g == 0 && rolling) { TEST_INT(front, SINEW_PLANTED_HEEL); }
            TEST_TRUE((front != 0) == rolling);
            swings += !rolling;
            rolls += rolling;
        }
        TEST_TRUE(swings > 30);
        if (g == 0) { TEST_TRUE(rolls > 5); }
    }
}

/// WALK-15: backwards, sideways and askew by the same cycle; TURN-5: on arcs to both sides.
static void test_ways_walk15_turn5(void **state)
{
    (void)state;
    static const sinew_Steering ways[] = { { -0.8, 0.0, 0.0 }, { 0.0, 0.5, 0.0 },
        { 0.0, -0.5, 0.0 }, { 0.6, 0.4, 0.0 }, { 1.2, 0.0, 1.2 }, { 1.2, 0.0, -1.2 },
        { 1.2, 0.0, 0.6 }, { 1.2, 0.0, -0.6 }, { 1.2, 0.0, 0.24 }, { 1.2, 0.0, -0.24 },
        { 0.0, 0.0, 1.5 }, { 0.0, 0.0, -2.5 }, { 0.1, 0.0, 1.5 } };
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; ++w) {
        for (int g = 0; g < 2; ++g) {
            Walk walk;
            begin(&walk, NULL, grounds[g == 0 ? 0 : 4]);
            walk_steps(&walk, ways[w], 120, 1.0 / 60.0);
            snw_GroundPose root = snw_paper_root(&walk.cycle);
            double turns = ways[w].turn;
            if (turns != 0.0) { TEST_TRUE(root.heading * turns > 0.0); }
            if (turns == 0.0) { TEST_NEAR(root.heading, 0.0, 1e-9); }
            // goes where it is sent
            if (turns == 0.0) {
                double way = ways[w].forward * root.z + ways[w].left * root.x;
                TEST_TRUE(way
                    > 5.0 * sqrt(ways[w].forward * ways[w].forward + ways[w].left * ways[w].left));
            }
        }
    }
}

/// TURN-6: the radius swept through 0 while walking, feet planted all the time.
static void test_radius_through_zero_turn6(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, NULL, grounds[0]);
    for (int frame = 0; frame < 3600; ++frame) {
        // from 1 m/s to -0.6 m/s while turning: r goes from 0.7 m through 0 to -0.4 m
        double speed = 0.2 + 0.8 * cos(frame * 2.0 * SINEW_PI / 1200.0);
        advance(&walk, (sinew_Steering){ speed, 0.0, 1.4 }, 1.0 / 60.0);
        check_frame(&walk);
    }
    TEST_TRUE(walk.cycle.step_count > 100);
}

/// WALK-5: toes come down evenly and touch at the end of the roll.
static void test_roll_walk5(void **state)
{
    (void)state;
    static const int gentle[] = { 0, 2, 3, 4, 5 };
    for (size_t g = 0; g < sizeof gentle / sizeof gentle[0]; ++g) {
        Walk walk;
        begin(&walk, NULL, grounds[gentle[g]]);
        int rolls = 0;
        sinew_Steering ahead = { 1.2, 0.0, 0.0 };
        while (rolls < 40) {
            snw_PaperCycle before = walk.cycle;
            advance(&walk, ahead, 0.003);
            if (before.stage != SNW_PAPER_ROLL || walk.cycle.stage == SNW_PAPER_ROLL) { continue; }
            ++rolls;
            // the ankle may ask for a little of the heel already
            if (walk.target.feet[before.moving].lift > 0.0) { continue; }
            // the very end of the roll: the planted place itself
            const snw_WalkLegBody *leg = &walk.body.legs[before.moving];
            snw_WalkTarget target;
            const snw_FootPose flat = snw_foot_roll(leg, &before.next.at, 0.0, 0.0);
            before.time = before.times.roll_time;
            snw_paper_target(&before, &walk.body, &all, &walk.seen, &target);
            TEST_VEC3_NEAR(target.feet[before.moving].foot.position, flat.foot.position, 1e-9);
            double low = exact_clearance(&walk, leg, &flat.foot, flat.toe_bend);
            // a stiff sole on waves touches by what stands highest
            TEST_TRUE(low > -1e-3 && low < (grounds[gentle[g]].bump > 0.0 ? 1e-2 : 1e-3));
            // half-way at half the angle
            before.time = 0.5 * before.times.roll_time;
            snw_paper_target(&before, &walk.body, &all, &walk.seen, &target);
            double angle = sinew_quat_angle(
                target.feet[before.moving].foot.rotation, flat.foot.rotation);
            if (target.feet[before.moving].lift > 0.0) { continue; }
            TEST_TRUE(angle < 0.5 * before.land_pitch + 1e-9);
            if (gentle[g] == 0) { TEST_NEAR(angle, 0.5 * before.land_pitch, 1e-9); }
        }
    }
}

/// WALK-9, CTRL-5: hips keep their speed from swing to roll, and together go half the stride.
static void test_hip_speed_walk9(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, NULL, grounds[0]);
    sinew_Steering ahead = { 0.5, 0.0, 0.0 };
    double before = 0.0;
    for (int frame = 0; frame < 6000; ++frame) {
        advance(&walk, ahead, 1e-3);
        double z = snw_paper_root(&walk.cycle).z;
        // strides settle at full speed after a few cycles
        if (frame > 3000) { TEST_NEAR(z - before, 0.5e-3, 1e-12); }
        before = z;
        double way = walk.cycle.times.swing_way + walk.cycle.times.roll_way;
        TEST_NEAR(way, 0.5 * walk.cycle.stride, 1e-12);
    }
}

/// CTRL-4 in the walk itself: strides of 1/2, 3/4, 5/8 L at full deflection; CTRL-5: no drift.
static void test_strides_in_walk_ctrl4_ctrl5(void **state)
{
    (void)state;
    static const double first[3] = { 0.5, 0.75, 0.625 };
    for (int gaps = 0; gaps < 2; ++gaps) {
        sinew_PaperWalk settings = sinew_paper_walk_default();
        settings.gap = gaps == 0 ? 0.0 : 0.02;
        Walk walk;
        begin(&walk, &settings, grounds[0]);
        sinew_Steering ahead = { 1.4, 0.0, 0.0 };
        int cycles = 0, steps = -1;
        while (cycles < 1000) {
            advance(&walk, ahead, 1.0 / 60.0);
            if (walk.cycle.stage != SNW_PAPER_SWING || walk.cycle.step_count == steps) { continue; }
            steps = walk.cycle.step_count;
            if (cycles < 3) { TEST_NEAR(walk.cycle.stride / PAPER_LEG, first[cycles], 1e-9); }
            if (cycles > 20) {
                TEST_NEAR(walk.cycle.trailing, PAPER_LEG / 6.0, 0.01 * PAPER_LEG / 6.0);
            }
            ++cycles;
        }
    }
}

// targets at equal times, whatever the frames
static void compare_walks(Walk *a, Walk *b)
{
    TEST_INT(a->cycle.step_count, b->cycle.step_count);
    TEST_VEC3_NEAR(a->target.hips.position, b->target.hips.position, 1e-9);
    TEST_QUAT_NEAR(a->target.hips.rotation, b->target.hips.rotation, 1e-9);
    for (int i = 0; i < 2; ++i) {
        TEST_VEC3_NEAR(a->target.feet[i].foot.position, b->target.feet[i].foot.position, 1e-9);
        TEST_QUAT_NEAR(a->target.feet[i].foot.rotation, b->target.feet[i].foot.rotation, 1e-9);
        TEST_NEAR(a->target.feet[i].toe_bend, b->target.feet[i].toe_bend, 1e-9);
    }
}

/// WALK-10: 30, 60, 144, 1000 Hz and uneven frames give the same targets at equal times.
static void test_frame_rates_walk10(void **state)
{
    (void)state;
    static const sinew_Steering ways[3] = { { 1.3, 0.0, 0.0 }, { 1.2, 0.0, 0.8 },
        { 0.0, 0.0, -1.5 } };
    for (int k = 0; k < 3 * 3; ++k) {
        PaperGround form = grounds[(k / 3) == 0 ? 0 : (k / 3) == 1 ? 4 : 6];
        Walk walks[5];
        for (int i = 0; i < 5; ++i) { begin(&walks[i], NULL, form); }
        test_Random random = test_case(2410, k);
        sinew_Steering way = ways[k % 3];
        for (int second = 0; second < 20; ++second) {
            static const int rates[4] = { 30, 60, 144, 1000 };
            for (int i = 0; i < 4; ++i) {
                for (int f = 0; f < rates[i]; ++f) { advance(&walks[i], way, 1.0 / rates[i]); }
            }
            double left = 1.0;
            while (left > 0.0) {
                double dt = fmin(left, test_range(&random, 0.0, 0.1));
                advance(&walks[4], way, dt);
                left -= dt;
            }
            for (int i = 1; i < 5; ++i) { compare_walks(&walks[0], &walks[i]); }
        }
        TEST_TRUE(walks[0].cycle.step_count > 20);
    }
}

/// From standing to walking and back: it ends with both feet side by side, and stands still.
static void test_start_and_stop(void **state)
{
    (void)state;
    for (int g = 0; g < GROUNDS; ++g) {
        Walk walk;
        begin(&walk, NULL, grounds[g]);
        sinew_Steering ahead = { 1.2, 0.0, 0.3 }, none = { 0.0, 0.0, 0.0 };
        advance(&walk, none, 0.5);
        TEST_INT(walk.cycle.step_count, 0);
        for (int round = 0; round < 3; ++round) {
            walk_steps(&walk, ahead, 7 + round, 1.0 / 60.0);
            for (int frame = 0; frame < 240; ++frame) { advance(&walk, none, 1.0 / 60.0); }
            TEST_INT((int)walk.cycle.stage, (int)SNW_PAPER_STAND);
            snw_WalkTarget before = walk.target;
            advance(&walk, none, 0.4);
            TEST_VEC3_NEAR(walk.target.hips.position, before.hips.position, 0.0);
            sinew_Vec3 apart = sinew_vec3_sub(
                walk.target.feet[0].told.foothold, walk.target.feet[1].told.foothold);
            double side = sqrt(apart.x * apart.x + apart.z * apart.z);
            TEST_TRUE(side > 0.1 && side < 0.35);
        }
    }
}

TEST_MAIN(cmocka_unit_test(test_plants_walk4), cmocka_unit_test(test_ways_walk15_turn5),
    cmocka_unit_test(test_radius_through_zero_turn6), cmocka_unit_test(test_roll_walk5),
    cmocka_unit_test(test_hip_speed_walk9), cmocka_unit_test(test_strides_in_walk_ctrl4_ctrl5),
    cmocka_unit_test(test_frame_rates_walk10), cmocka_unit_test(test_start_and_stop))
