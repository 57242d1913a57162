#include "bench/walk_scenarios.h"

#include "bench/bench.h"
#include "scenes/random.h"
#include "sinew/terrain_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Grounds and ways to steer

static const struct {
    const char *name;
    double rise, tread;
    bool straight_only; ///< a plane: the other ways are walked on the ramp
} terrains[] = {
    { "flat", 0.0, 0.0, false },
    { "hills:1", 0.0, 0.0, false },
    { "rough:1", 0.0, 0.0, false },
    { "ramp:10", 0.0, 0.0, false },
    { "stairs:0.17,0.29", 0.17, 0.29, false },
    { "stairs:0.20,0.25", 0.20, 0.25, false },
    { "slope:10", 0.0, 0.0, true },
    { "slope:-10", 0.0, 0.0, true },
    { "slope:20", 0.0, 0.0, true },
    { "slope:-20", 0.0, 0.0, true },
    { "slope:30", 0.0, 0.0, true },
    { "slope:-30", 0.0, 0.0, true },
    { "slope:15,90", 0.0, 0.0, true },
    { "slope:15,-90", 0.0, 0.0, true },
    { "slope:30,90", 0.0, 0.0, true },
};
enum { TERRAIN_COUNT = (int)(sizeof terrains / sizeof terrains[0]) };

typedef enum SteeringKind { STEADY, SWEEP, START_STOP, RANDOM_STICK } SteeringKind;

static const struct {
    const char *name;
    SteeringKind kind;
    sinew_Steering steady;
} steerings[] = {
    { "0.6 m/s", STEADY, { 0.6, 0.0, 0.0 } },
    { "1.3 m/s", STEADY, { 1.3, 0.0, 0.0 } },
    { "1.8 m/s", STEADY, { 1.8, 0.0, 0.0 } },
    { "start and stop", START_STOP, { 1.3, 0.0, 0.0 } },
    { "random stick", RANDOM_STICK, { 0.0, 0.0, 0.0 } },
    { "left r=1 m", STEADY, { 0.8, 0.0, 0.8 } },
    { "left r=2 m", STEADY, { 1.2, 0.0, 0.6 } },
    { "left r=5 m", STEADY, { 1.3, 0.0, 0.26 } },
    { "right r=1 m", STEADY, { 0.8, 0.0, -0.8 } },
    { "right r=2 m", STEADY, { 1.2, 0.0, -0.6 } },
    { "right r=5 m", STEADY, { 1.3, 0.0, -0.26 } },
    { "r through 0", SWEEP, { 0.0, 0.0, 0.0 } },
    { "on the spot, left", STEADY, { 0.0, 0.0, 1.5 } },
    { "on the spot, right", STEADY, { 0.0, 0.0, -1.5 } },
    { "backwards", STEADY, { -0.8, 0.0, 0.0 } },
    { "sideways, left", STEADY, { 0.0, 0.5, 0.0 } },
    { "sideways, right", STEADY, { 0.0, -0.5, 0.0 } },
    { "diagonal", STEADY, { 0.8, 0.35, 0.0 } },
};
enum { STEERING_COUNT = (int)(sizeof steerings / sizeof steerings[0]) };

/// How many of the steerings a terrain is walked with; the first ones of the list.
static int steering_count(int terrain)
{
    enum { STRAIGHT_COUNT = 5 };
    return terrains[terrain].straight_only ? STRAIGHT_COUNT : STEERING_COUNT;
}

int bench_walk_count(void)
{
    int count = 0;
    for (int t = 0; t < TERRAIN_COUNT; ++t) { count += steering_count(t); }
    return count;
}

bench_Walk bench_walk(int index)
{
    int terrain = 0;
    while (index >= steering_count(terrain)) { index -= steering_count(terrain++); }
    bench_Walk walk = { terrains[terrain].name, steerings[index].name, terrain, index, false,
        terrains[terrain].rise, terrains[terrain].tread, false };
    walk.is_flat = terrain == 0;
    const sinew_Steering *steady = &steerings[index].steady;
    walk.counts_treads = walk.rise > 0.0 && steerings[index].kind == STEADY && steady->forward > 0.0
        && steady->left == 0.0 && steady->turn == 0.0;
    return walk;
}

/// The radius goes from 2 m left through 0 to 2 m right and back within 24 s, at up to 1.5 rad/s.
static sinew_Steering sweep_radius(double time)
{
    const double period = 24.0, widest = 2.0, fastest = 1.5, speed = 0.9;
    double t = fmod(time, period) / period;
    double radius = widest * (t < 0.5 ? 1.0 - 4.0 * t : 4.0 * t - 3.0);
    double turn = fabs(radius) > 1e-9 ? speed / radius : fastest;
    turn = turn > fastest ? fastest : turn < -fastest ? -fastest : turn;
    sinew_Steering steering = { radius * turn, 0.0, turn };
    return steering;
}

sinew_Steering bench_walk_steering(const bench_Walk *walk, double time, uint64_t seed)
{
    sinew_Steering none = { 0.0, 0.0, 0.0 };
    switch (steerings[walk->steering_index].kind) {
    case STEADY: return steerings[walk->steering_index].steady;
    case SWEEP: return sweep_radius(time);
    // another deflection each 0.8 s
    case RANDOM_STICK: return scene_random_steering(seed * 1000003u + (uint64_t)(time / 0.8));
    case START_STOP: return fmod(time, 4.5) < 2.5 ? steerings[walk->steering_index].steady : none;
    }
    return none;
}

// ---------------------------------------------------------------------------------------------
// Judging

const char *bench_walk_fault_name(int fault)
{
    static const char *const names[BENCH_WALK_FAULTS] = { "slide", "penetration", "edge", "unmet",
        "joint step", "limits", "bad numbers", "jolt", "stuck", "treads", "knee", "floating",
        "flight" };
    return names[fault];
}

const char *bench_walk_style_name(sinew_WalkStyle style)
{
    static const char *const names[] = { "natural", "paper" };
    return names[style];
}

const char *bench_walk_rows_name(sinew_WalkRows rows)
{
    static const char *const names[] = { "auto", "half", "full", "hybrid" };
    return names[rows];
}

unsigned bench_walk_judge(
    const bench_Walk *walk, const bench_WalkRun *run, const measure_WalkFigures *f)
{
    unsigned faults = 0;
    if (f->slide.value > 0.5e-3) { faults |= BENCH_WALK_SLIDE; }
    if (f->penetration.value > 1e-3) { faults |= BENCH_WALK_PENETRATION; }
    if (f->edge_clearance.value < 5e-3) { faults |= BENCH_WALK_EDGE; }
    double allowed = run->rows == SINEW_WALK_ROWS_AUTO ? 0.0 : 0.01 * f->frame_count;
    if (f->unmet_frames > allowed) { faults |= BENCH_WALK_UNMET; }
    // legs on tips trot and gallop where they are asked to
    const bool flies = run->on_tips && f->flight_frames > 0;
    if (f->joint_step.value > (flies ? 0.45 : 0.3)) { faults |= BENCH_WALK_JOINT_STEP; }
    if (f->limit_violation.value > 1e-9) { faults |= BENCH_WALK_LIMITS; }
    if (f->bad_frames > 0) { faults |= BENCH_WALK_BAD; }
    double jolt = walk->is_flat ? 15.0 : 40.0;
    if (run->style != SINEW_WALK_PAPER && f->hips_acceleration.value > jolt) {
        faults |= BENCH_WALK_JOLT;
    }
    if (f->step_count < run->steps) { faults |= BENCH_WALK_STUCK; }
    if (walk->counts_treads && !run->on_tips && run->style != SINEW_WALK_PAPER
        && f->one_tread_steps < 0.95 * f->stair_steps) {
        faults |= BENCH_WALK_TREADS;
    }
    if (f->knee.value > SINEW_PI / 3.0) { faults |= BENCH_WALK_KNEE; }
    if (f->floating.value > 5e-3) { faults |= BENCH_WALK_FLOATING; }
    if (f->flight_frames > 0 && !run->on_tips) { faults |= BENCH_WALK_FLIGHT; }
    return faults;
}

// ---------------------------------------------------------------------------------------------
// Running

/// Step the walker until it has made its landings; false when an update failed.
static bool walk_on(sinew_Walker *walker, measure_WalkMeter *meter, const bench_Walk *walk,
    const bench_WalkRun *run, const sinew_Ground *ground, double *q, bench_WalkResult *result,
    sinew_Message *out_message)
{
    long frame = 0;
    bool works = true;
    measure_WalkFigures figures = measure_walk_figures(meter);
    while (works && figures.step_count < run->steps && figures.time < 3.0 * run->steps) {
        double time = (double)frame * run->frame_time;
        sinew_Steering steering = bench_walk_steering(walk, time, run->seed);
        works = sinew_walker_update(walker, &steering, run->frame_time, ground, q, out_message)
            == SINEW_STATUS_OK;
        ++frame;
        if (works) { measure_walk_look(meter, walker, run->frame_time, q, ground); }
        figures = measure_walk_figures(meter);
    }
    result->figures = figures;
    result->faults = bench_walk_judge(walk, run, &figures);
    if (!works) { result->faults |= BENCH_WALK_BAD; }
    return works;
}

bool bench_walk_run(const bench_Walk *walk, const bench_WalkRun *run, bench_WalkResult *out_result,
    sinew_Message *out_message)
{
    memset(out_result, 0, sizeof *out_result);
    sinew_Terrain *terrain;
    if (sinew_terrain_open(walk->terrain, NULL, &terrain, out_message) != SINEW_STATUS_OK) {
        return false;
    }
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = run->skeleton;
    def.roles = run->roles;
    def.stance = run->stance;
    def.legs = run->legs;
    def.leg_count = run->leg_count;
    def.style = run->style;
    def.rows = run->rows;
    sinew_Walker *walker = NULL;
    measure_WalkMeter *meter = NULL;
    size_t count = (size_t)sinew_skeleton_coordinate_count(run->skeleton);
    double *q = calloc(count, sizeof *q);
    bool made = q != NULL && sinew_walker_create(&def, &walker, out_message) == SINEW_STATUS_OK
        && measure_walk_of(walker, run->skeleton, walk->rise, walk->tread, &meter)
            == SINEW_STATUS_OK;
    if (made) {
        sinew_Ground ground = sinew_terrain_ground(terrain);
        walk_on(walker, meter, walk, run, &ground, q, out_result, out_message);
    }
    measure_walk_destroy(meter);
    sinew_walker_destroy(walker);
    sinew_terrain_destroy(terrain);
    free(q);
    return made;
}

double bench_walk_time(const bench_WalkRun *run, const char *terrain)
{
    enum { RUNS = 60, FRAMES = 75 };
    sinew_Message message;
    sinew_Terrain *made;
    if (sinew_terrain_open(terrain, NULL, &made, &message) != SINEW_STATUS_OK) { return 0.0; }
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = run->skeleton;
    def.roles = run->roles;
    def.stance = run->stance;
    def.legs = run->legs;
    def.leg_count = run->leg_count;
    def.style = run->style;
    def.rows = run->rows;
    sinew_Walker *walker = NULL;
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(run->skeleton), sizeof *q);
    double lowest = 0.0;
    if (q != NULL && sinew_walker_create(&def, &walker, &message) == SINEW_STATUS_OK) {
        sinew_Ground ground = sinew_terrain_ground(made);
        sinew_Steering steering = { 1.2, 0.0, 0.0 };
        for (int i = 0; i < RUNS; ++i) {
            double before = bench_clock(NULL);
            for (int f = 0; f < FRAMES; ++f) {
                sinew_walker_update(walker, &steering, run->frame_time, &ground, q, &message);
            }
            double time = (bench_clock(NULL) - before) / FRAMES;
            // the first run warms up
            if (i == 1 || (i > 1 && time < lowest)) { lowest = time; }
        }
    }
    sinew_walker_destroy(walker);
    sinew_terrain_destroy(made);
    free(q);
    return 1e6 * lowest;
}
