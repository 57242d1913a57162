#include "bench/walk_trials.h"

#include "measure/walk_meter.h"
#include "scenes/random.h"
#include "sinew/terrain_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Grounds and sticks

typedef enum Nature { LEVEL, UNEVEN, IMPASSABLE } Nature;

static const struct {
    const char *name;
    bool is_seeded; ///< the seed goes behind the name
    double degrees; ///< heading against the way up
    Nature nature;
} grounds[] = {
    { "flat", false, 0.0, LEVEL },
    { "hills", true, 0.0, UNEVEN },
    { "rough", true, 0.0, UNEVEN },
    { "slope:10", false, 0.0, UNEVEN },
    { "slope:-10", false, 0.0, UNEVEN },
    { "slope:20", false, 0.0, UNEVEN },
    { "slope:-20", false, 0.0, UNEVEN },
    { "slope:35", false, 0.0, UNEVEN },
    { "slope:-35", false, 0.0, UNEVEN },
    { "slope:15,90", false, 0.0, UNEVEN },
    { "stairs:0.12,0.35", false, 0.0, UNEVEN },
    { "stairs:0.12,0.35", false, 45.0, UNEVEN },
    { "stairs:0.12,0.35", false, 90.0, UNEVEN },
    { "stairs:0.17,0.29", false, 0.0, UNEVEN },
    { "stairs:0.17,0.29", false, 20.0, UNEVEN },
    { "stairs:0.17,0.29", false, 45.0, UNEVEN },
    { "stairs:0.17,0.29", false, 90.0, UNEVEN },
    { "stairs:0.20,0.25", false, 0.0, UNEVEN },
    { "stairs:0.20,0.25", false, 45.0, UNEVEN },
    { "stairs:0.20,0.25", false, 90.0, UNEVEN },
    { "kerbs:0.15,2", false, 0.0, UNEVEN },
    { "kerbs:0.15,2", false, 60.0, UNEVEN },
    { "kerbs:1,4", false, 0.0, IMPASSABLE },
    { "kerbs:1,4", false, 60.0, IMPASSABLE },
    { "kerbs:-1,4", false, 0.0, IMPASSABLE },
    { "kerbs:-0.5,0.6", false, 0.0, IMPASSABLE },
};
enum { GROUND_COUNT = (int)(sizeof grounds / sizeof grounds[0]) };

/// Between starts, metres along +Z: uneven parts of a tread, so that no start is lucky.
static const double start_distance = 0.0275;

static const struct {
    const char *name;
    bool is_seeded;
    sinew_Steering steady; ///< of sticks that change: what is wanted while they are held
} sticks[] = {
    { "0.6 m/s", false, { 0.6, 0.0, 0.0 } },
    { "1.3 m/s", false, { 1.3, 0.0, 0.0 } },
    { "1.8 m/s", false, { 1.8, 0.0, 0.0 } },
    { "left r=1 m", false, { 0.8, 0.0, 0.8 } },
    { "right r=5 m", false, { 1.3, 0.0, -0.26 } },
    { "on the spot", false, { 0.0, 0.0, 1.5 } },
    { "backwards", false, { -0.8, 0.0, 0.0 } },
    { "sideways", false, { 0.0, 0.5, 0.0 } },
    { "diagonal", false, { 0.8, 0.35, 0.0 } },
    { "start and stop", false, { 1.3, 0.0, 0.0 } },
    { "to and fro", false, { 1.2, 0.0, 0.0 } },
    { "side to side", false, { 0.0, 0.5, 0.0 } },
    { "turn back", false, { 1.2, 0.0, 0.0 } },
    { "random stick", true, { 0.0, 0.0, 0.0 } },
    { "keys", true, { 1.2, 0.5, 1.5 } },
    { "trembling", true, { 1.1, 0.0, 0.0 } },
    { "player", true, { 0.0, 0.0, 0.0 } },
};
enum { STICK_COUNT = (int)(sizeof sticks / sizeof sticks[0]) };
enum {
    START_AND_STOP = 9,
    TO_AND_FRO,
    SIDE_TO_SIDE,
    TURN_BACK,
    RANDOM_STICK,
    KEYS,
    TREMBLING,
    PLAYER
};

/// How many seeds a ground and a stick are walked with: one where nothing is drawn by chance.
static int seed_count(int ground, int stick)
{
    return grounds[ground].is_seeded || sticks[stick].is_seeded ? BENCH_TRIAL_SEEDS : 1;
}

int bench_trial_count(void)
{
    int count = 0;
    for (int g = 0; g < GROUND_COUNT; ++g) {
        for (int s = 0; s < STICK_COUNT; ++s) { count += BENCH_TRIAL_STARTS * seed_count(g, s); }
    }
    return count;
}

bench_Trial bench_trial(int index, uint64_t seed)
{
    int ground = 0, stick = 0;
    while (index >= BENCH_TRIAL_STARTS * seed_count(ground, stick)) {
        index -= BENCH_TRIAL_STARTS * seed_count(ground, stick);
        if (++stick == STICK_COUNT) {
            stick = 0;
            ++ground;
        }
    }
    bench_Trial trial;
    memset(&trial, 0, sizeof trial);
    trial.ground = ground;
    trial.stick = stick;
    trial.stick_name = sticks[stick].name;
    trial.heading = grounds[ground].degrees * SINEW_PI / 180.0;
    trial.is_walkable = grounds[ground].nature != IMPASSABLE;
    trial.is_level = grounds[ground].nature == LEVEL;
    trial.start = index % BENCH_TRIAL_STARTS;
    trial.seed = seed + (uint64_t)(index / BENCH_TRIAL_STARTS);
    if (grounds[ground].is_seeded) {
        snprintf(trial.terrain, sizeof trial.terrain, "%s:%llu", grounds[ground].name,
            (unsigned long long)(trial.seed % 1000000u));
    } else {
        snprintf(trial.terrain, sizeof trial.terrain, "%s", grounds[ground].name);
    }
    return trial;
}

int bench_trial_ground_count(void)
{
    return GROUND_COUNT;
}

const char *bench_trial_ground_name(int ground, char out_text[48])
{
    double degrees = grounds[ground].degrees;
    snprintf(out_text, 48, degrees != 0.0 ? "%s at %.0f deg" : "%s", grounds[ground].name, degrees);
    return out_text;
}

/// -1, 0 or 1 of one key pair in one interval.
static double press(uint64_t seed, uint64_t interval, int key)
{
    scene_Random random = scene_random(seed * 1000003u + 7919u * interval + (uint64_t)key);
    return scene_random_index(&random, 3) - 1.0;
}

/// A hand on a stick is never still: a little more or less in each frame.
static sinew_Steering tremble(sinew_Steering steering, uint64_t seed, double time)
{
    scene_Random random = scene_random(seed * 1000003u + (uint64_t)(time * 60.0));
    steering.forward += scene_random_range(&random, -0.15, 0.15);
    steering.left += scene_random_range(&random, -0.1, 0.1);
    steering.turn += scene_random_range(&random, -0.2, 0.2);
    return steering;
}

/// A player's stick, seen by a camera that does not turn: anywhere at once, .3 to 1.7 s long, facing where it goes. In
/// the body's axes, as only one style takes those of the world.
static sinew_Steering play(uint64_t seed, double time, double heading)
{
    static const double speeds[] = { 0.0, 0.7, 1.4, 1.4 };
    const double turn_gain = 5.0;
    // in each second it changes once
    const uint64_t second = (uint64_t)time;
    scene_Random random = scene_random(seed * 1000003u + second);
    if (time - (double)second < 0.7 * scene_random_unit(&random)) {
        random = scene_random(seed * 1000003u + second - 1u);
        (void)scene_random_unit(&random);
    }
    const double speed = speeds[scene_random_index(&random, 4)];
    const double way = scene_random_range(&random, -SINEW_PI, SINEW_PI) - heading;
    sinew_Steering steering = { speed * cos(way), speed * sin(way), 0.0 };
    if (speed > 0.0) { steering.turn = turn_gain * atan2(sin(way), cos(way)); }
    return steering;
}

sinew_Steering bench_trial_steering(const bench_Trial *trial, double time, double heading)
{
    sinew_Steering none = { 0.0, 0.0, 0.0 }, held = sticks[trial->stick].steady;
    double sign = fmod(time, 3.0) < 1.5 ? 1.0 : -1.0;
    switch (trial->stick) {
    case START_AND_STOP: return fmod(time, 4.0) < 2.0 ? held : none;
    case TO_AND_FRO: held.forward *= sign; return held;
    case SIDE_TO_SIDE: held.left *= sign; return held;
    case TURN_BACK: {
        // ahead, wait, half a turn on the spot
        double t = fmod(time, 6.0);
        sinew_Steering turn = { 0.0, 0.0, 1.6 };
        return t < 3.0 ? held : t < 4.0 ? none : turn;
    }
    case RANDOM_STICK:
        return scene_random_steering(trial->seed * 1000003u + (uint64_t)(time / 0.8));
    case KEYS: {
        uint64_t interval = (uint64_t)(time / 0.7);
        held.forward *= press(trial->seed, interval, 0);
        held.left *= press(trial->seed, interval, 1);
        held.turn *= press(trial->seed, interval, 2);
        return held;
    }
    case TREMBLING: return tremble(held, trial->seed, time);
    case PLAYER: return time < 0.5 ? none : play(trial->seed, time, heading);
    default: return held;
    }
}

// ---------------------------------------------------------------------------------------------
// Rules

static sinew_WalkResponse response_of(const bench_Trial *trial)
{
    return trial->stick == PLAYER ? sinew_walk_response_game() : sinew_walk_response_calm();
}

#define VALUE(name, expression)                                              \
    static double name(const bench_Trial *trial, const bench_TrialResult *r) \
    {                                                                        \
        (void)trial;                                                         \
        return expression;                                                   \
    }

VALUE(broken, r->is_broken ? 1.0 : 0.0)
VALUE(slide, r->seen.slide_most)
VALUE(planted_depth, r->seen.planted_depth)
VALUE(moving_depth, r->seen.moving_depth)
VALUE(depth, fmax(r->seen.planted_depth, r->seen.moving_depth))
VALUE(clearance, r->seen.clearance)
VALUE(unmet, (double)r->unmet_frames / fmax(1.0, r->seen.frame_count))
VALUE(miss, r->miss)
VALUE(leaps, (double)r->seen.joint_step_frames / fmax(1.0, r->seen.frame_count))
VALUE(joint_step, r->seen.joint_step)
VALUE(limits, r->limits)
VALUE(hips_vertical, r->seen.hips_vertical)
/// Beyond what a response speeds up by more than the calm one.
static double hips_level(const bench_Trial *trial, const bench_TrialResult *r)
{
    const double more = response_of(trial).acceleration - sinew_walk_response_calm().acceleration;
    return r->seen.hips_level - more;
}

VALUE(head_acceleration, r->seen.head_acceleration)
VALUE(head_step, r->seen.head_step)
VALUE(chest_step, r->seen.chest_step)
VALUE(head_height, r->seen.head_height)
VALUE(tilt, trial->is_level ? r->seen.trunk_tilt : 0.0)
VALUE(outside, r->seen.standing_outside)
VALUE(standing_knee, r->seen.standing_knee)

/// Share of the way that was asked for by a steady stick on level ground, its start with it.
static double pace(const bench_Trial *trial, const bench_TrialResult *r)
{
    sinew_Steering held = sticks[trial->stick].steady;
    double speed = sqrt(held.forward * held.forward + held.left * held.left);
    bool is_steady = trial->stick < START_AND_STOP && speed > 0.0;
    return is_steady && trial->is_level ? r->distance / (speed * r->seen.time) : (double)INFINITY;
}

VALUE(samples_mean, r->seen.samples_mean)
VALUE(samples_most, r->seen.samples_most)

static const bench_Rule rules[] = {
    { "broken off", "", 1.0, 0.0, false, BENCH_RULE_WALKABLE, broken },
    { "way of what is asked", "%", 1e2, 93.0, true, BENCH_RULE_WALKABLE, pace },
    { "slide of a stance", "mm", 1e3, 0.2, false, BENCH_RULE_WALKABLE, slide },
    { "planted sole in the ground", "mm", 1e3, 1.0, false, BENCH_RULE_WALKABLE, planted_depth },
    { "moving sole in the ground", "mm", 1e3, 2.0, false, BENCH_RULE_WALKABLE, moving_depth },
    { "clearance in mid-swing", "mm", 1e3, 8.0, true, BENCH_RULE_WALKABLE, clearance },
    { "unmet frames", "%", 1e2, 0.02, false, BENCH_RULE_WALKABLE, unmet },
    { "largest miss", "mm", 1e3, 5.0, false, BENCH_RULE_WALKABLE, miss },
    { "frames with a joint above 0.3 rad", "%", 1e2, 0.02, false, BENCH_RULE_WALKABLE, leaps },
    { "outside joint limits", "rad", 1.0, 1e-9, false, BENCH_RULE_WALKABLE, limits },
    { "hips, vertical", "m/s2", 1.0, 7.0, false, BENCH_RULE_WALKABLE, hips_vertical },
    { "hips, level", "m/s2", 1.0, 9.0, false, BENCH_RULE_WALKABLE, hips_level },
    { "head", "m/s2", 1.0, 40.0, false, BENCH_RULE_WALKABLE, head_acceleration },
    { "head beyond the root, a frame", "mm", 1e3, 20.0, false, BENCH_RULE_WALKABLE, head_step },
    { "chest beyond the turn, a frame", "rad", 1.0, 0.06, false, BENCH_RULE_WALKABLE, chest_step },
    { "head above hips", "mm", 1e3, 1.0, true, BENCH_RULE_WALKABLE, head_height },
    { "trunk on level ground", "deg", 180.0 / SINEW_PI, 35.0, false, BENCH_RULE_WALKABLE, tilt },
    { "mass outside of standing feet", "mm", 1e3, 10.0, false, BENCH_RULE_WALKABLE, outside },
    { "knees, standing", "deg", 180.0 / SINEW_PI, 5.0, false, BENCH_RULE_WALKABLE, standing_knee },
    { "ground samples, mean", "", 1.0, 16.0, false, BENCH_RULE_PRICE, samples_mean },
    { "ground samples, most", "", 1.0, 64.0, false, BENCH_RULE_PRICE, samples_most },
    { "broken off", "", 1.0, 0.0, false, BENCH_RULE_UNWALKABLE, broken },
    { "any sole in the ground", "mm", 1e3, 10.0, false, BENCH_RULE_UNWALKABLE, depth },
    { "largest joint step", "rad", 1.0, 0.3, false, BENCH_RULE_UNWALKABLE, joint_step },
};
enum { RULE_COUNT = (int)(sizeof rules / sizeof rules[0]) };

int bench_rule_count(void)
{
    return RULE_COUNT;
}

const bench_Rule *bench_rule(int index)
{
    return &rules[index];
}

bool bench_rule_counts(const bench_Rule *rule, const bench_Trial *trial)
{
    return trial->is_walkable != (rule->used_for == BENCH_RULE_UNWALKABLE);
}

static unsigned judge(const bench_Trial *trial, const bench_TrialResult *result)
{
    unsigned faults = 0;
    for (int i = 0; i < RULE_COUNT; ++i) {
        const bench_Rule *rule = &rules[i];
        if (!bench_rule_counts(rule, trial)) { continue; }
        double value = rule->scale * rule->value(trial, result);
        bool kept = rule->is_least ? value >= rule->asked : value <= rule->asked;
        if (!kept) { faults |= 1u << i; }
    }
    return faults;
}

// ---------------------------------------------------------------------------------------------
// Running

/// Step the walker; false when an update failed.
static bool walk_on(sinew_Walker *walker, measure_Mirror *mirror, measure_WalkMeter *meter,
    const bench_Trial *trial, const bench_WalkRun *run, int frames, const sinew_Ground *ground,
    double *q, sinew_Message *out_message)
{
    measure_CountedGround counted = { *ground, 0 };
    sinew_Ground asked = measure_count_ground(&counted);
    for (int frame = 0; frame < frames; ++frame) {
        const double heading = sinew_walker_report(walker).heading;
        sinew_Steering steering = bench_trial_steering(trial, frame * run->frame_time, heading);
        counted.count = 0;
        if (sinew_walker_update(walker, &steering, run->frame_time, &asked, q, out_message)
            != SINEW_STATUS_OK) {
            return false;
        }
        sinew_WalkerReport report = sinew_walker_report(walker);
        measure_mirror_frame(mirror, q, ground, report.root, report.heading, counted.count);
        measure_walk_look(meter, walker, run->frame_time, q, ground);
    }
    return true;
}

bool bench_trial_run(const bench_Trial *trial, const bench_WalkRun *run, double seconds,
    bench_TrialResult *out_result, sinew_Message *out_message)
{
    memset(out_result, 0, sizeof *out_result);
    sinew_Terrain *terrain;
    if (sinew_terrain_open(trial->terrain, NULL, &terrain, out_message) != SINEW_STATUS_OK) {
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
    if (run->manner != NULL) { def.manner = *run->manner; }
    def.z = trial->start * start_distance;
    def.heading = trial->heading;
    def.response = response_of(trial);
    int frames = (int)(seconds / run->frame_time + 0.5);
    sinew_Walker *walker = NULL;
    measure_Mirror *mirror = NULL;
    measure_WalkMeter *meter = NULL;
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(run->skeleton), sizeof *q);
    bool made = q != NULL && sinew_walker_create(&def, &walker, out_message) == SINEW_STATUS_OK
        && measure_walk_of(walker, run->skeleton, 0.0, 0.0, &meter) == SINEW_STATUS_OK;
    if (made) {
        measure_MirrorBody body = measure_mirror_body(walker, run->skeleton, run->roles);
        mirror = measure_mirror_create(&body, frames, run->frame_time);
        made = mirror != NULL;
    }
    if (made) {
        sinew_Ground ground = sinew_terrain_ground(terrain);
        bool works = walk_on(walker, mirror, meter, trial, run, frames, &ground, q, out_message);
        measure_WalkFigures told = measure_walk_figures(meter);
        out_result->seen = measure_mirror_figures(mirror);
        out_result->unmet_frames = told.unmet_frames;
        out_result->miss = told.goal_error.value;
        out_result->limits = told.limit_violation.value;
        out_result->distance = told.distance;
        out_result->is_broken = !works || told.bad_frames > 0;
        out_result->faults = judge(trial, out_result);
    }
    measure_walk_destroy(meter);
    measure_mirror_destroy(mirror);
    sinew_walker_destroy(walker);
    sinew_terrain_destroy(terrain);
    free(q);
    return made;
}
