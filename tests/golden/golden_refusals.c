// Chapter of what is refused: each number of a definition set to values inside, on and outside of its range, and
// what is said of it. A bound that moves, or a check that is gone, changes the hash.

#include "golden.h"

#include "sinew/manner.h"
#include "sinew/terrain.h"
#include "sinew/walker.h"

#include <stddef.h>

typedef struct Field {
    size_t offset;
    bool is_double; // else an int, an enumeration or a mask
} Field;

#define NUMBER(type, member)         \
    {                                \
        offsetof(type, member), true \
    }
#define WHOLE(type, member)           \
    {                                 \
        offsetof(type, member), false \
    }
#define LENGTH(list) ((int)(sizeof(list) / sizeof((list)[0])))

// borders of ranges that headers name, and what no range has
static const double numbers[] = { NAN, INFINITY, -INFINITY, -1e101, -1e6, -4.0, -2.0, -1.3, -1.0,
    -0.7, -0.3, -1e-3, -1e-13, 0.0, 1e-300, 1e-13, 1e-9, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.4, 0.5, 0.6,
    0.7, 1.0, 1.2, 1.4, 1.5, 2.0, 3.0, 3.2, 4.0, 10.0, 40.0, 50.0, 200.0, 1e3, 1e4, 1e6, 1e9, 2e9,
    1e12, 2e12, 1e100, 1e101 };
static const int wholes[] = { -1000, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33,
    63, 64, 65, 99, 100, 101, 255, 256, 257, 999, 1000, 1001, 9999, 10000, 10001, 1000000,
    1000001 };

/// Call check(thing, user) with each field of thing at each value, one after the other.
static void poke(uint64_t *hash, void *thing, const Field *fields, int count,
    sinew_Status (*check)(const void *thing, void *user, sinew_Message *message), void *user)
{
    for (int f = 0; f < count; ++f) {
        char *place = (char *)thing + fields[f].offset;
        double number;
        int whole;
        memcpy(&whole, place, sizeof whole);
        if (fields[f].is_double) { memcpy(&number, place, sizeof number); }
        int values = fields[f].is_double ? LENGTH(numbers) : LENGTH(wholes);
        for (int v = 0; v < values; ++v) {
            if (fields[f].is_double) {
                memcpy(place, &numbers[v], sizeof number);
            } else {
                memcpy(place, &wholes[v], sizeof whole);
            }
            sinew_Message message = { "" };
            golden_status(hash, check(thing, user, &message), &message);
        }
        if (fields[f].is_double) {
            memcpy(place, &number, sizeof number);
        } else {
            memcpy(place, &whole, sizeof whole);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Goals and options

typedef struct Asked {
    sinew_Solver *solver;
    sinew_SolveOptions options;
    double rest[GOLDEN_MAX_NUMBERS], q[GOLDEN_MAX_NUMBERS];
    int coordinates;
    sinew_Goal goal;
} Asked;

static sinew_Status solve(
    Asked *asked, const sinew_SolveOptions *options, const sinew_Goal *goal, sinew_Message *message)
{
    memcpy(asked->q, asked->rest, sizeof asked->q);
    return sinew_solver_solve(asked->solver, options, goal, 1, asked->q, NULL, message);
}

static sinew_Status check_goal(const void *thing, void *user, sinew_Message *message)
{
    Asked *asked = user;
    return solve(asked, &asked->options, thing, message);
}

static sinew_Status check_options(const void *thing, void *user, sinew_Message *message)
{
    Asked *asked = user;
    return solve(asked, thing, &asked->goal, message);
}

static const Field goal_fields[] = { WHOLE(sinew_Goal, kind), WHOLE(sinew_Goal, joint),
    WHOLE(sinew_Goal, chain_root), NUMBER(sinew_Goal, joint_from_effector.position.y),
    NUMBER(sinew_Goal, joint_from_effector.rotation.w), NUMBER(sinew_Goal, position.x),
    NUMBER(sinew_Goal, orientation.w), NUMBER(sinew_Goal, position_weight),
    NUMBER(sinew_Goal, orientation_weight), WHOLE(sinew_Goal, reference),
    WHOLE(sinew_Goal, priority), WHOLE(sinew_Goal, position_mask),
    WHOLE(sinew_Goal, orientation_mask), NUMBER(sinew_Goal, axis.z),
    NUMBER(sinew_Goal, direction.z), WHOLE(sinew_Goal, start_joint),
    WHOLE(sinew_Goal, middle_joint), NUMBER(sinew_Goal, support_margin) };

static const Field option_fields[] = { WHOLE(sinew_SolveOptions, method),
    WHOLE(sinew_SolveOptions, rows), WHOLE(sinew_SolveOptions, jacobian),
    NUMBER(sinew_SolveOptions, difference_step), WHOLE(sinew_SolveOptions, form),
    WHOLE(sinew_SolveOptions, limits), NUMBER(sinew_SolveOptions, position_tolerance),
    NUMBER(sinew_SolveOptions, orientation_tolerance), NUMBER(sinew_SolveOptions, stall_share),
    NUMBER(sinew_SolveOptions, damping), NUMBER(sinew_SolveOptions, constraint_damping),
    NUMBER(sinew_SolveOptions, rest_weight), NUMBER(sinew_SolveOptions, velocity_weight),
    NUMBER(sinew_SolveOptions, orientation_length), NUMBER(sinew_SolveOptions, step_scale),
    NUMBER(sinew_SolveOptions, max_joint_step), NUMBER(sinew_SolveOptions, max_joint_change),
    NUMBER(sinew_SolveOptions, max_target_step), NUMBER(sinew_SolveOptions, halving_threshold),
    WHOLE(sinew_SolveOptions, inverse), NUMBER(sinew_SolveOptions, soft_reach),
    WHOLE(sinew_SolveOptions, branch) };

static void add_goals(uint64_t *hash)
{
    scene_Scene *scene = golden_scene("SPINEARM");
    const sinew_Skeleton *skeleton = scene->skeleton;
    static const sinew_Vec3 ground[3] = { { 0.1, 0.0, 0.1 }, { -0.1, 0.0, 0.1 },
        { 0.0, 0.0, -0.1 } };
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 }, ahead = { 0.0, 0.0, 1.0 };
    static Asked asked;
    asked.solver = golden_solver(skeleton, 1);
    asked.coordinates = sinew_skeleton_coordinate_count(skeleton);
    sinew_pose_rest(skeleton, asked.rest);
    int tip = scene->effectors[0].joint;
    sinew_Goal goals[] = { sinew_goal_position(tip, up),
        sinew_goal_orientation(tip, sinew_quat_identity()),
        sinew_goal_pose(tip, up, sinew_quat_identity()), sinew_goal_aim(tip, ahead, up),
        sinew_goal_direction(tip, ahead, ahead), sinew_goal_pole(tip - 2, tip - 1, tip, ahead),
        sinew_goal_center_of_mass(up), sinew_goal_support(ground, 3), sinew_goal_rest(0.5) };
    for (int g = 0; g < LENGTH(goals); ++g) {
        for (int constraint = 0; constraint < 2; ++constraint) {
            asked.options = sinew_solve_options_default(
                constraint == 0 ? SINEW_METHOD_DAMPED : SINEW_METHOD_PSEUDO_INVERSE);
            asked.options.max_iterations = 1;
            goals[g].constraint = constraint != 0;
            poke(hash, &goals[g], goal_fields, LENGTH(goal_fields), check_goal, &asked);
        }
    }
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default((sinew_Method)m);
        options.max_iterations = 1;
        options.restarts = 0;
        asked.goal = goals[m % 2 == 0 ? 0 : 2];
        asked.goal.constraint = false;
        poke(hash, &options, option_fields, LENGTH(option_fields), check_options, &asked);
    }
    sinew_solver_destroy(asked.solver);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Bodies

// three joints, the second of which is poked
typedef struct Body {
    sinew_JointDef joint;
    sinew_Axis axis;
} Body;

static sinew_Status check_body(const void *thing, void *user, sinew_Message *message)
{
    (void)user;
    Body body = *(const Body *)thing;
    body.joint.axes = &body.axis;
    sinew_JointDef joints[3] = { sinew_joint_def_default(), body.joint, sinew_joint_def_default() };
    joints[0].name = "first";
    joints[2].name = "third";
    joints[2].parent = 0;
    sinew_Skeleton *skeleton = NULL;
    sinew_Status status = sinew_skeleton_create(joints, 3, NULL, &skeleton, message);
    sinew_skeleton_destroy(skeleton);
    return status;
}

static const Field body_fields[] = { WHOLE(Body, joint.parent), NUMBER(Body, joint.offset.x),
    NUMBER(Body, joint.rest_rotation.w), NUMBER(Body, joint.mass),
    NUMBER(Body, joint.mass_center.z), WHOLE(Body, axis.kind), NUMBER(Body, axis.direction.x),
    NUMBER(Body, axis.lower), NUMBER(Body, axis.upper), NUMBER(Body, axis.rest),
    NUMBER(Body, axis.mobility) };

static sinew_Status check_ball(const void *thing, void *user, sinew_Message *message)
{
    (void)user;
    sinew_BallLimit *limit = NULL;
    sinew_Status status = sinew_ball_limit_create(thing, NULL, &limit, message);
    sinew_ball_limit_destroy(limit);
    return status;
}

static const Field ball_fields[] = { NUMBER(sinew_BallLimitDef, neutral.w),
    NUMBER(sinew_BallLimitDef, bone.x), NUMBER(sinew_BallLimitDef, twist_lower),
    NUMBER(sinew_BallLimitDef, twist_upper), WHOLE(sinew_BallLimitDef, response),
    NUMBER(sinew_BallLimitDef, star_center.x) };

static sinew_Status check_space(const void *thing, void *user, sinew_Message *message)
{
    (void)user;
    return sinew_space_check(thing, message);
}

static const Field space_fields[] = { WHOLE(sinew_Space, up), WHOLE(sinew_Space, forward),
    NUMBER(sinew_Space, unit) };

static void add_bodies(uint64_t *hash)
{
    Body body = { sinew_joint_def_default(),
        sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -1.0, 1.0) };
    body.joint.name = "second";
    body.joint.parent = 0;
    body.joint.axis_count = 1;
    for (int kind = 0; kind < 3; ++kind) {
        if (kind == 1) { body.axis = sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)); }
        if (kind == 2) { body.axis = sinew_axis_ball(); }
        poke(hash, &body, body_fields, LENGTH(body_fields), check_body, NULL);
    }
    static sinew_Vec3 rays[4] = { { 0.8, 0.6, 0.0 }, { 0.8, 0.0, 0.6 }, { 0.8, -0.6, 0.0 },
        { 0.8, 0.0, -0.6 } };
    sinew_ReachWindow window = { .rays = rays, .ray_count = 4 };
    sinew_BallLimitDef limit = sinew_ball_limit_def_default();
    for (int star = 0; star < 2; ++star) {
        limit.windows = &window;
        limit.window_count = 1;
        limit.star = star != 0;
        limit.star_center = sinew_vec3(1.0, 0.0, 0.0);
        poke(hash, &limit, ball_fields, LENGTH(ball_fields), check_ball, NULL);
    }
    sinew_Space space = sinew_space_preset(SINEW_SPACE_UNREAL);
    poke(hash, &space, space_fields, LENGTH(space_fields), check_space, NULL);
}

// ---------------------------------------------------------------------------------------------
// Grounds and walkers

static sinew_Status check_terrain(const void *thing, void *user, sinew_Message *message)
{
    (void)user;
    sinew_Terrain *terrain = NULL;
    sinew_Status status = sinew_terrain_create(thing, &terrain, message);
    sinew_terrain_destroy(terrain);
    return status;
}

static const Field terrain_fields[] = { NUMBER(sinew_TerrainDef, steepest),
    NUMBER(sinew_TerrainDef, bumps), NUMBER(sinew_TerrainDef, undulation),
    NUMBER(sinew_TerrainDef, rise), NUMBER(sinew_TerrainDef, tread),
    WHOLE(sinew_TerrainDef, flight_steps), NUMBER(sinew_TerrainDef, angle),
    NUMBER(sinew_TerrainDef, toward), NUMBER(sinew_TerrainDef, ramp_length),
    NUMBER(sinew_TerrainDef, landing), NUMBER(sinew_TerrainDef, cell),
    NUMBER(sinew_TerrainDef, first_x), NUMBER(sinew_TerrainDef, first_z),
    WHOLE(sinew_TerrainDef, outside) };

static sinew_Status check_response(const void *thing, void *user, sinew_Message *message)
{
    return sinew_walker_set_response(user, thing, message);
}

static sinew_Status check_limits(const void *thing, void *user, sinew_Message *message)
{
    return sinew_walker_set_limits(user, thing, message);
}

static sinew_Status check_manner(const void *thing, void *user, sinew_Message *message)
{
    return sinew_walker_set_manner(user, thing, message);
}

static sinew_Status check_paper(const void *thing, void *user, sinew_Message *message)
{
    return sinew_walker_set_paper(user, thing, message);
}

static sinew_Status check_ornaments(const void *thing, void *user, sinew_Message *message)
{
    (void)message;
    sinew_Status status = sinew_walker_set_ornaments(user, thing);
    return status == SINEW_STATUS_OK ? status : SINEW_STATUS_UNSUPPORTED;
}

static sinew_Status check_drive(const void *thing, void *user, sinew_Message *message)
{
    static double q[GOLDEN_MAX_NUMBERS];
    return sinew_walker_drive(user, thing, 0.0, NULL, q, message);
}

static const Field response_fields[] = { NUMBER(sinew_WalkResponse, follow_time),
    NUMBER(sinew_WalkResponse, acceleration), NUMBER(sinew_WalkResponse, braking),
    NUMBER(sinew_WalkResponse, turning), NUMBER(sinew_WalkResponse, settling),
    NUMBER(sinew_WalkResponse, hurry) };
static const Field limit_fields[] = { NUMBER(sinew_WalkLimits, step_height),
    NUMBER(sinew_WalkLimits, drop), NUMBER(sinew_WalkLimits, slope),
    NUMBER(sinew_WalkLimits, gap) };
static const Field manner_fields[] = { NUMBER(sinew_Manner, hips), NUMBER(sinew_Manner, wander),
    NUMBER(sinew_Manner, lively), NUMBER(sinew_Manner, stride), NUMBER(sinew_Manner, sway),
    NUMBER(sinew_Manner, swing), NUMBER(sinew_Manner, swing_late), NUMBER(sinew_Manner, elbow),
    NUMBER(sinew_Manner, elbow_swing), NUMBER(sinew_Manner, arms_out), NUMBER(sinew_Manner, lean),
    NUMBER(sinew_Manner, head_pitch), NUMBER(sinew_Manner, crouch), NUMBER(sinew_Manner, hurt[0]),
    NUMBER(sinew_Manner, hurt[1]) };
static const Field paper_fields[] = { NUMBER(sinew_PaperWalk, stride),
    NUMBER(sinew_PaperWalk, cadence) };
static const Field ornament_fields[] = { NUMBER(sinew_WalkOrnaments, bob),
    NUMBER(sinew_WalkOrnaments, head) };
static const Field drive_fields[] = { WHOLE(sinew_Drive, kind),
    NUMBER(sinew_Drive, steering.forward), NUMBER(sinew_Drive, steering.left),
    NUMBER(sinew_Drive, steering.turn), NUMBER(sinew_Drive, velocity_x),
    NUMBER(sinew_Drive, velocity_z), NUMBER(sinew_Drive, facing), NUMBER(sinew_Drive, x),
    NUMBER(sinew_Drive, heading), NUMBER(sinew_Drive, look_at.y), NUMBER(sinew_Drive, look_bound),
    NUMBER(sinew_Drive, carry), NUMBER(sinew_Drive, crouch) };

static sinew_Walker *walker_of(const sinew_Skeleton *skeleton)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    sinew_Walker *walker = NULL;
    golden_ok(sinew_walker_create(&def, &walker, NULL));
    return walker;
}

static void add_walks(uint64_t *hash)
{
    for (int kind = 0; kind < SINEW_TERRAIN_GRID; ++kind) {
        // their noise takes long
        if (kind == SINEW_TERRAIN_HILLS || kind == SINEW_TERRAIN_ROUGH) { continue; }
        sinew_TerrainDef def = sinew_terrain_def_default((sinew_TerrainKind)kind);
        poke(hash, &def, terrain_fields, LENGTH(terrain_fields), check_terrain, NULL);
    }
    static const double heights[4] = { 0.0, 0.1, 0.2, 0.3 };
    sinew_TerrainDef grid = sinew_terrain_def_default(SINEW_TERRAIN_GRID);
    grid.heights = heights;
    grid.columns = grid.rows = 2;
    for (int centered = 0; centered < 2; ++centered) {
        grid.centered = centered != 0;
        poke(hash, &grid, terrain_fields, LENGTH(terrain_fields), check_terrain, NULL);
    }
    scene_Scene *scene = golden_scene("MAN18");
    sinew_Walker *walker = walker_of(scene->skeleton);
    sinew_WalkResponse response = sinew_walk_response_calm();
    sinew_WalkLimits limits = sinew_walk_limits_default();
    sinew_Manner manner = sinew_manner_default();
    sinew_PaperWalk paper = sinew_paper_walk_default();
    sinew_WalkOrnaments ornaments = sinew_walk_ornaments_default();
    poke(hash, &response, response_fields, LENGTH(response_fields), check_response, walker);
    poke(hash, &limits, limit_fields, LENGTH(limit_fields), check_limits, walker);
    poke(hash, &manner, manner_fields, LENGTH(manner_fields), check_manner, walker);
    poke(hash, &paper, paper_fields, LENGTH(paper_fields), check_paper, walker);
    poke(hash, &ornaments, ornament_fields, LENGTH(ornament_fields), check_ornaments, walker);
    for (int kind = 0; kind < 3; ++kind) {
        sinew_Drive drive = sinew_drive_body((sinew_Steering){ 1.0, 0.0, 0.0 });
        if (kind == 1) { drive = sinew_drive_world(1.0, 0.0); }
        if (kind == 2) { drive = sinew_drive_root(0.0, 0.0, 0.0); }
        drive.has_look = true;
        drive.has_facing = kind == 1;
        poke(hash, &drive, drive_fields, LENGTH(drive_fields), check_drive, walker);
    }
    sinew_walker_destroy(walker);
    scene_destroy(scene);
}

uint64_t golden_refusals(void)
{
    uint64_t hash = GOLDEN_START;
    add_goals(&hash);
    add_bodies(&hash);
    add_walks(&hash);
    return hash;
}
