// A player's stick: another way at any moment, with runs and leaps between, answered as a game wants it. Joints that
// jump, soles in the ground and hips that fall are seen from the pose; feet that miss are what the walker tells.

#include "testing.h"

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "sinew/pose.h"
#include "sinew/terrain_file.h"
#include "sinew/walker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_TIME (1.0 / 60.0)
#define FRAMES 600
// Joints turn by no more in a frame, radians; a sole is in the ground when it is so deep, metres.
#define JOINT_STEP 0.35
#define DEPTH 0.010
#define SLOPE_DEPTH 0.002 // on a slope

typedef struct Faults {
    int frames, unmet, steps, deep;
    double lowest, highest; // of the hips, metres
} Faults;

typedef struct Player {
    const sinew_Skeleton *skeleton;
    sinew_Walker *walker;
    sinew_Transform *world;
    double *q, *before;
    int coordinates;
    bool runs;   // and leaps
    bool steers; // by speeds and turns of the body, not to where it looks
    sinew_Steering steering;
    const sinew_Terrain *terrain; // NULL: a plane
    double slope;                 // tangent of the rise along +Z
    double way, speed, until;
} Player;

static sinew_GroundSample plane(void *user, double x, double z)
{
    (void)x;
    const double slope = *(const double *)user, length = sqrt(1.0 + slope * slope);
    return (sinew_GroundSample){ slope * z, { 0.0, 1.0 / length, -slope / length } };
}

/// Another way each .4 to 2.5 s.
static void move_stick(Player *player, double time, scene_Random *random)
{
    static const double speeds[] = { 0.0, 0.7, 1.4, 1.4, 2.4, 3.5 };
    if (time < player->until) { return; }
    player->until = time + scene_random_range(random, 0.4, 2.5);
    player->speed = speeds[scene_random_index(random, player->runs ? 6 : 4)];
    player->way = scene_random_range(random, -SINEW_PI, SINEW_PI);
    if (player->steers) {
        player->steering.forward = scene_random_range(random, -0.4, 1.2);
        player->steering.left = scene_random_range(random, -0.3, 0.3);
        player->steering.turn = scene_random_range(random, -3.0, 3.0);
    }
    if (player->runs && scene_random_index(random, 4) == 0) {
        sinew_Message message = { "" };
        const double height = scene_random_range(random, 0.1, 0.5);
        TEST_OK(sinew_walker_jump(player->walker, height, &message), &message);
    }
}

static double find_depth(const Player *player)
{
    double depth = 0.0;
    for (int leg = 0; leg < 2; ++leg) {
        const sinew_Sole *sole = sinew_walker_sole(player->walker, leg);
        for (int i = 0; i < sole->point_count; ++i) {
            const sinew_SolePoint *point = &sole->points[i];
            const sinew_Vec3 at = sinew_transform_point(player->world[point->joint], point->offset);
            depth = fmax(depth, player->slope * at.z - at.y);
        }
    }
    return depth;
}

static void look(const Player *player, bool is_first, Faults *faults)
{
    double step = 0.0;
    // behind the root's place and quaternion
    for (int i = 7; i < player->coordinates && !is_first; ++i) {
        step = fmax(step, fabs(player->q[i] - player->before[i]));
    }
    sinew_pose_forward(player->skeleton, player->q, player->world);
    ++faults->frames;
    faults->unmet += !sinew_walker_report(player->walker).is_met;
    faults->steps += step > JOINT_STEP;
    faults->deep += find_depth(player) > (player->slope != 0.0 ? SLOPE_DEPTH : DEPTH);
    const double height = player->q[1] - player->slope * player->q[2];
    faults->lowest = fmin(faults->lowest, height);
    faults->highest = fmax(faults->highest, height);
}

static void play(const sinew_Skeleton *skeleton, const Player *as, uint64_t seed, Faults *faults)
{
    sinew_Message message = { "" };
    Player player = *as;
    player.skeleton = skeleton;
    player.coordinates = sinew_skeleton_coordinate_count(skeleton);
    const size_t size = (size_t)player.coordinates * sizeof(double);
    player.world = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *player.world);
    player.q = calloc(1, size);
    player.before = calloc(1, size);
    TEST_TRUE(player.world != NULL && player.q != NULL && player.before != NULL);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    def.response = sinew_walk_response_game();
    TEST_OK(sinew_walker_create(&def, &player.walker, &message), &message);
    scene_Random random = scene_random(seed);
    sinew_Ground ground = { plane, &player.slope };
    if (player.terrain != NULL) { ground = sinew_terrain_ground(player.terrain); }
    for (int frame = 0; frame < FRAMES; ++frame) {
        move_stick(&player, frame * FRAME_TIME, &random);
        sinew_Drive drive = sinew_drive_world(
            player.speed * sin(player.way), player.speed * cos(player.way));
        if (player.steers) { drive = sinew_drive_body(player.steering); }
        memcpy(player.before, player.q, size);
        TEST_OK(sinew_walker_drive(player.walker, &drive, FRAME_TIME, &ground, player.q, &message),
            &message);
        look(&player, frame == 0, faults);
    }
    sinew_walker_destroy(player.walker);
    free(player.world);
    free(player.q);
    free(player.before);
}

static Faults play_all(const Player *as)
{
    sinew_Message message = { "" };
    scene_Scene *scene = NULL;
    TEST_OK(scene_create("MAN18", NULL, &scene, &message), &message);
    Faults faults = { .lowest = 9.0 };
    const int walks = 60;
    for (int i = 0; i < walks; ++i) { play(scene->skeleton, as, 27112026u + (uint64_t)i, &faults); }
    scene_destroy(scene);
    print_message("    %d frames: %d unmet, %d with a joint that jumps, %d with a sole in the "
                  "ground; hips from "
                  "%.2f to %.2f m\n",
        faults.frames, faults.unmet, faults.steps, faults.deep, faults.lowest, faults.highest);
    return faults;
}

// Such walks are chaotic: a few faults are allowed where there is one or none, and were hundreds once.
static void who_turns_at_any_moment_keeps_its_legs_under_it(void **state)
{
    (void)state;
    const Faults faults = play_all(&(Player){ .runs = false });
    TEST_TRUE(faults.unmet <= 8);
    TEST_TRUE(faults.steps <= 4);
    TEST_TRUE(faults.deep <= 4);
    TEST_TRUE(faults.lowest > 0.6 && faults.highest < 1.0);
}

static void who_runs_and_leaps_at_any_moment_falls_through_no_floor(void **state)
{
    (void)state;
    const Faults faults = play_all(&(Player){ .runs = true });
    TEST_TRUE(faults.unmet <= faults.frames / 500);
    TEST_TRUE(faults.steps <= faults.frames / 2000);
    TEST_TRUE(faults.deep <= faults.frames / 1000);
    TEST_TRUE(faults.lowest > 0.4 && faults.highest < 1.7);
}

// Feet give way to knees that turn: what is shown is what was looked at, or soles go into the slope.
static void who_turns_on_a_slope_keeps_its_soles_out_of_it(void **state)
{
    (void)state;
    const double tangent = 0.7; // 35 degrees
    const Faults up = play_all(&(Player){ .slope = tangent });
    const Faults down = play_all(&(Player){ .slope = -tangent });
    TEST_TRUE(
        up.deep + down.deep <= 4); // 36 when who starts at once took the slope ahead to be level
    TEST_TRUE(up.unmet + down.unmet <= 60);
}

// Who turns over a foot that stands with a bent knee has its thigh aside of where it may point, and hips that come late to a
// landing leave it out of reach: the pelvis follows the foot, and the foot waits.
static void who_turns_on_stairs_keeps_its_feet(void **state)
{
    (void)state;
    sinew_Message message = { "" };
    Player player = { .steers = true };
    sinew_Terrain *terrain = NULL;
    TEST_OK(sinew_terrain_open("stairs:0.2,0.25", NULL, &terrain, &message), &message);
    player.terrain = terrain;
    const Faults faults = play_all(&player);
    TEST_TRUE(faults.unmet <= 5); // 19 when they did not
    sinew_terrain_destroy(terrain);
}

TEST_MAIN(cmocka_unit_test(who_turns_on_stairs_keeps_its_feet),
    cmocka_unit_test(who_turns_on_a_slope_keeps_its_soles_out_of_it),
    cmocka_unit_test(who_turns_at_any_moment_keeps_its_legs_under_it),
    cmocka_unit_test(who_runs_and_leaps_at_any_moment_falls_through_no_floor))
