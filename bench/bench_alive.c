// `sinew bench alive`: what lives above the legs of the walker's second design, beside recorded people, judged from
// outside (measure/alive.h, measure/walk_mirror.h).

#include "bench/bench.h"
#include "bench/bench_setup.h"
#include "bench/walk_trials.h"
#include "cli/clock.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "measure/alive.h"
#include "scenes/scenes.h"
#include "sinew/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double frame_time = 1.0 / 120.0;
enum { RANGE_SPEEDS = 3, LINES = 48 };
static const double range_speeds[RANGE_SPEEDS] = { 0.95, 1.3, 1.7 };

/// Walks of people with more than one cycle. Rules were fitted to the first; nobody fitted anything to the judges,
/// who are actors.
static const struct {
    const char *file;
    double from, to; ///< seconds of it that are a straight walk
    bool is_judge;
} people[] = {
    { "bvh/cmu_12_01_walk_mb.bvh", 0.0, 100.0, false },
    { "bvh/cmu_12_03_mb.bvh", 0.0, 100.0, false },
    { "bvh/bvhtoolbox_walk01.bvh", 0.8, 100.0, false },
    { "bvh/cmu_03_03_daz.bvh", 0.0, 100.0, false },
    { "bvh/bandai_2_walk_normal_003.bvh", 0.0, 100.0, true },
    { "bvh/bandai_2_walk_feminine_002.bvh", 0.0, 100.0, true },
    { "bvh/bandai_2_walk_elderly_001.bvh", 0.0, 100.0, true },
};
enum { PEOPLE = (int)(sizeof people / sizeof people[0]) };

static const char *const turners[] = { "bvh/bandai_2_walk-turn-left_normal_005.bvh",
    "bvh/bandai_2_walk-turn-right_active_003.bvh" };

/// One line that was asked for.
typedef struct Line {
    const char *name, *unit;
    double lower, upper, value;
} Line;

typedef struct Study {
    scene_Scene *scene;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
    sinew_Manner manner;
    measure_AliveCycle people[PEOPLE]; ///< cycle_count 0: not there, or no walk
    measure_AliveCycle ranges[RANGE_SPEEDS];
    double matches[MEASURE_ALIVE_CURVES][2]; ///< medians: of those fitted to, and of the judges
    Line lines[LINES];
    int line_count;
    sinew_Message message;
} Study;

static void add(
    Study *study, const char *name, const char *unit, double lower, double upper, double value)
{
    study->lines[study->line_count++] = (Line){ name, unit, lower, upper, value };
}

// ---------------------------------------------------------------------------------------------
// Watching

static sinew_Walker *make_walker(Study *study)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = study->scene->skeleton;
    def.roles = study->roles;
    def.style = SINEW_WALK_NATURAL;
    def.manner = study->manner;
    sinew_Walker *walker = NULL;
    (void)sinew_walker_create(&def, &walker, &study->message);
    return walker;
}

/// What is wanted of a walker at a moment.
typedef sinew_Steering Script(double time, double speed);

static sinew_Steering walk_script(double time, double speed)
{
    return (sinew_Steering){ time < 0.0 ? 0.0 : speed, 0.0, 0.0 };
}

/// Stands for two seconds, then walks; and walks for six, then stands.
static sinew_Steering start_script(double time, double speed)
{
    return (sinew_Steering){ time < 2.0 ? 0.0 : speed, 0.0, 0.0 };
}

/// When the stick is let go: at six seconds and up to one cycle later.
static double stop_delay;
static sinew_Steering stop_script(double time, double speed)
{
    return (sinew_Steering){ time < 6.0 + stop_delay ? speed : 0.0, 0.0, 0.0 };
}

/// A quarter of a turn after five seconds, or a part of a cycle later.
static double turn_delay;
static sinew_Steering turn_script(double time, double speed)
{
    time -= turn_delay;
    bool turns = time >= 5.0 && time < 5.0 + 0.5 * SINEW_PI / 1.2;
    return (sinew_Steering){ speed, 0.0, turns ? 1.2 : 0.0 };
}

static measure_Alive *watch(Study *study, Script *script, double speed, double seconds)
{
    int frames = (int)(seconds / frame_time + 0.5);
    sinew_Walker *walker = make_walker(study);
    measure_Alive *alive = measure_alive_create(
        study->scene->skeleton, study->roles, study->stance, frames, frame_time);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(study->scene->skeleton), sizeof *q);
    bool works = walker != NULL && alive != NULL && q != NULL;
    for (int i = 0; i < frames && works; ++i) {
        sinew_Steering steering = script(i * frame_time, speed);
        works = sinew_walker_update(walker, &steering, frame_time, NULL, q, &study->message)
            == SINEW_STATUS_OK;
        measure_alive_frame(alive, q);
    }
    free(q);
    sinew_walker_destroy(walker);
    if (works) { return alive; }
    measure_alive_destroy(alive);
    return NULL;
}

static measure_AliveCycle walk_at(Study *study, double speed, double seconds)
{
    measure_AliveCycle cycle;
    memset(&cycle, 0, sizeof cycle);
    measure_Alive *alive = watch(study, walk_script, speed, seconds);
    if (alive != NULL) { cycle = measure_alive_cycle(alive, 4.0, seconds); }
    measure_alive_destroy(alive);
    return cycle;
}

/// A recorded motion; NULL where it is not there.
static measure_Alive *open_recording(const char *name, sinew_RoleGuess **roles,
    sinew_Stance **stance, sinew_MotionFile **file, double *out_seconds)
{
    char path[600];
    *roles = NULL;
    *stance = NULL;
    *file = NULL;
    if (!bench_data_path(name, path, sizeof path)) { return NULL; }
    if (sinew_motion_read(path, NULL, file, NULL) != SINEW_STATUS_OK) { return NULL; }
    const sinew_Clip *clip = sinew_motion_clip(*file);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(*file);
    int frames = sinew_clip_frame_count(clip);
    sinew_PoseList poses = { sinew_clip_frame_const(clip, 0), frames };
    sinew_RoleOptions options = sinew_role_options_default();
    options.motion = &poses;
    if (sinew_roles_guess(skeleton, &options, NULL, roles, NULL) != SINEW_STATUS_OK
        || sinew_stance_guess(skeleton, *roles, &poses, NULL, stance, NULL) != SINEW_STATUS_OK) {
        return NULL;
    }
    double time = sinew_clip_frame_time(clip);
    measure_Alive *alive = measure_alive_create(skeleton, *roles, *stance, frames, time);
    for (int i = 0; alive != NULL && i < frames; ++i) {
        measure_alive_frame(alive, sinew_clip_frame_const(clip, i));
    }
    *out_seconds = frames * time;
    return alive;
}

static void close_recording(
    measure_Alive *alive, sinew_RoleGuess *roles, sinew_Stance *stance, sinew_MotionFile *file)
{
    measure_alive_destroy(alive);
    sinew_stance_destroy(stance);
    sinew_roles_destroy(roles);
    sinew_motion_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// Beside people

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count == 0 ? 0.0 : 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static void look_at_people(Study *study)
{
    double found[MEASURE_ALIVE_CURVES][2][PEOPLE];
    int counts[MEASURE_ALIVE_CURVES][2] = { { 0, 0 } };
    for (int i = 0; i < PEOPLE; ++i) {
        sinew_RoleGuess *roles;
        sinew_Stance *stance;
        sinew_MotionFile *file;
        double seconds = 0.0;
        measure_Alive *alive = open_recording(people[i].file, &roles, &stance, &file, &seconds);
        measure_AliveCycle *person = &study->people[i];
        if (alive != NULL) {
            *person = measure_alive_cycle(alive, people[i].from, fmin(people[i].to, seconds));
        }
        close_recording(alive, roles, stance, file);
        if (person->cycle_count == 0) { continue; }
        measure_AliveCycle walker = walk_at(study, person->speed, 12.0);
        int group = people[i].is_judge ? 1 : 0;
        for (int k = 0; k < MEASURE_ALIVE_CURVES; ++k) {
            // a joint that a recording does not move says nothing
            if (person->range[k] < 0.1) { continue; }
            found[k][group][counts[k][group]++] = measure_alive_match(&walker, person, k);
        }
    }
    for (int k = 0; k < MEASURE_ALIVE_CURVES; ++k) {
        for (int g = 0; g < 2; ++g) { study->matches[k][g] = median(found[k][g], counts[k][g]); }
    }
}

/// Of both sides the lower one.
static double match_of(const Study *study, int curve, int group)
{
    bool has_sides = curve >= MEASURE_SWING && curve < MEASURE_HIPS_SWAY;
    double a = study->matches[curve][group];
    return has_sides ? fmin(a, study->matches[curve + 1][group]) : a;
}

static double lowest(const Study *study, const int *curves, int count, int group)
{
    double low = 1.0;
    for (int i = 0; i < count; ++i) { low = fmin(low, match_of(study, curves[i], group)); }
    return low;
}

static void judge_curves(Study *study)
{
    static const int first[] = { MEASURE_TWIST, MEASURE_SWING, MEASURE_PELVIS_YAW,
        MEASURE_PELVIS_PITCH };
    static const int second[] = { MEASURE_CHEST_YAW, MEASURE_CHEST_ROLL, MEASURE_CHEST_PITCH,
        MEASURE_OUT };
    static const int third[] = { MEASURE_ELBOW, MEASURE_FOREARM_IN, MEASURE_WRIST,
        MEASURE_HEAD_PITCH, MEASURE_HEAD_ROLL };
    static const int fourth[] = { MEASURE_HAND_IN };
    add(study, "curves: twist, swing, pelvis yaw and pitch, least", "", 0.97, 1.0,
        lowest(study, first, 4, 0));
    add(study, "curves: chest yaw, roll, pitch, arm out, least", "", 0.93, 1.0,
        lowest(study, second, 4, 0));
    add(study, "curves: elbow, forearm, wrist, head pitch, roll, least", "", 0.85, 1.0,
        lowest(study, third, 5, 0));
    add(study, "curves: hand in", "", 0.8, 1.0, lowest(study, fourth, 1, 0));
    double judged[MEASURE_ALIVE_CURVES];
    int count = 0;
    for (int k = 0; k < MEASURE_HIPS_SWAY; ++k) {
        if (k != MEASURE_PELVIS_ROLL) { judged[count++] = study->matches[k][1]; }
    }
    add(study, "curves: median of all, people in no fit", "", 0.8, 1.0, median(judged, count));
    add(study, "curves: pelvis list, people in no fit", "", 0.8, 1.0,
        study->matches[MEASURE_PELVIS_ROLL][1]);
}

static void judge_ranges(Study *study)
{
    for (int i = 0; i < RANGE_SPEEDS; ++i) {
        study->ranges[i] = walk_at(study, range_speeds[i], i == 1 ? 44.0 : 24.0);
    }
    const measure_AliveCycle *c = &study->ranges[1];
    const double *r = c->range;
    static const struct {
        int curve;
        double lower, upper;
        const char *unit;
    } asked[] = { { MEASURE_CHEST_ROLL, 2.0, 6.0, "deg" }, { MEASURE_CHEST_PITCH, 2.0, 6.0, "deg" },
        { MEASURE_HEAD_PITCH, 1.5, 6.0, "deg" }, { MEASURE_HEAD_ROLL, 2.0, 7.0, "deg" },
        { MEASURE_HEAD_YAW, 1.0, 5.0, "deg" }, { MEASURE_OUT, 6.0, 14.0, "deg" },
        { MEASURE_ELBOW, 18.0, 42.0, "deg" }, { MEASURE_WRIST, 4.0, 15.0, "deg" },
        { MEASURE_SWING, 22.0, 40.0, "deg" }, { MEASURE_TWIST, 9.0, 17.0, "deg" },
        { MEASURE_PELVIS_PITCH, 2.5, 6.0, "deg" }, { MEASURE_HIPS_SWAY, 45.0, 90.0, "mm" } };
    static char names[12][48];
    for (int i = 0; i < 12; ++i) {
        int k = asked[i].curve;
        bool has_sides = k >= MEASURE_SWING && k < MEASURE_HIPS_SWAY;
        snprintf(names[i], sizeof names[i], "range at 1.3 m/s: %s", measure_alive_name(k));
        char *comma = strchr(names[i], ',');
        if (comma != NULL) { *comma = '\0'; }
        add(study, names[i], asked[i].unit, asked[i].lower, asked[i].upper,
            has_sides ? 0.5 * (r[k] + r[k + 1]) : r[k]);
    }
    add(study, "head's sway by the hips'", "", 0.7, 1.1,
        r[MEASURE_HEAD_SWAY] / r[MEASURE_HIPS_SWAY]);
    add(study, "head's surge by the hips'", "", 0.3, 0.7,
        r[MEASURE_HEAD_SURGE] / fmax(0.1, r[MEASURE_HIPS_SURGE]));
    add(study, "head's acceleration by the hips'", "", 0.0, 0.93,
        c->head_acceleration / c->hips_acceleration);
    add(study, "stride time, variation", "%", 1.5, 3.0, 100.0 * c->period_variation);
    add(study, "arm swing, variation", "", 0.12, 0.2, c->swing_variation);
    add(study, "arms, left by right swing", "", 0.5, 0.95, r[MEASURE_SWING] / r[MEASURE_SWING + 1]);
}

// ---------------------------------------------------------------------------------------------
// Turns, starts, stops, standing

static void judge_changes(Study *study)
{
    double stops[8], back[8], worst = 0.0, most = 0.0;
    static const double turn_speeds[2] = { 1.3, 0.0 };
    measure_Alive *alive;
    for (int k = 0; k < 2; ++k) {
        double head = 0.0, chest = 0.0;
        // hips turn with the steps as well: a mean over a cycle
        for (int i = 0; i < 4; ++i) {
            turn_delay = 0.28 * i;
            alive = watch(study, turn_script, turn_speeds[k], 11.0);
            if (alive == NULL) { return; }
            measure_AliveTurn turn = measure_alive_turn(alive, 3.5, 11.0, 1.1);
            measure_alive_destroy(alive);
            head += 0.25 * turn.head_lead;
            chest += 0.25 * turn.chest_lead;
            most = fmax(most, turn.head_most);
        }
        add(study, k == 0 ? "turn: head before pelvis" : "turn on the spot: head before pelvis",
            "s", 0.15, 0.32, head);
        add(study, k == 0 ? "turn: chest before pelvis" : "turn on the spot: chest before pelvis",
            "s", -0.05, 0.05, chest);
    }
    add(study, "turns: head against pelvis, most", "deg", 0.0, 45.0, most);

    alive = watch(study, start_script, 1.4, 8.0);
    measure_AliveStart start = measure_alive_start(alive, 2.0);
    measure_alive_destroy(alive);
    add(study, "first step: hips over the standing ankle", "", 0.55, 0.8, start.share);
    add(study, "first step: hips begin before it", "s", 0.2, 0.45, start.begin);
    add(study, "first step: after the stick", "s", 0.0, 0.32, start.lift_off);
    add(study, "90 % of 1.4 m/s: after the stick", "s", 0.0, 0.9, start.full_pace);

    for (int i = 0; i < 8; ++i) {
        stop_delay = 0.14 * i;
        alive = watch(study, stop_script, 1.3, 12.0);
        measure_AliveStop stop = measure_alive_stop(alive, 6.0 + stop_delay);
        measure_alive_destroy(alive);
        stops[i] = stop.on;
        back[i] = stop.back;
        worst = fmax(worst, stop.settled);
    }
    add(study, "stops: hips travel on, median of 8", "mm", 20.0, 260.0, median(stops, 8));
    add(study, "stops: and come back, median", "mm", 0.0, 60.0, median(back, 8));
    add(study, "stops: settled after the last foot, most", "s", 0.0, 0.6, worst);

    alive = watch(study, walk_script, 0.0, 34.0);
    measure_AliveStand stand = measure_alive_stand(alive, 4.0, 34.0);
    measure_alive_destroy(alive);
    add(study, "standing: knees", "deg", 0.0, 5.0, stand.knee);
    add(study, "standing: speed of the head", "mm/s", 8.0, 40.0, stand.head_speed);
    add(study, "standing: sway aside, SD", "mm", 2.0, 8.0, stand.sway_aside);
    add(study, "standing: sway ahead, SD", "mm", 1.0, 4.0, stand.sway_ahead);
    add(study, "standing: feet move", "mm", 0.0, 0.2, stand.feet);
}

// ---------------------------------------------------------------------------------------------
// Jolts, stairs, cost

static void judge_trials(Study *study)
{
    static const char *const grounds[] = { "flat", "hills", "rough", "slope:20", "slope:-20",
        "stairs:0.17,0.29" };
    static const char *const sticks[] = { "to and fro", "side to side", "keys", "start and stop" };
    bench_WalkRun run = { study->scene->skeleton, study->roles, NULL, NULL, 0, SINEW_WALK_NATURAL,
        SINEW_WALK_ROWS_AUTO, 0, 1.0 / 60.0, 0, false, &study->manner };
    double head = 0.0, vertical = 0.0, hips_level = 0.0, chest = 0.0;
    int stairs = 0, whole = 0;
    for (int i = 0; i < bench_trial_count(); ++i) {
        bench_Trial trial = bench_trial(i, 0);
        bench_TrialResult result;
        char name[48];
        bench_trial_ground_name(trial.ground, name);
        bool jolts = false;
        for (int k = 0; k < 24; ++k) {
            jolts = jolts
                || (strcmp(name, grounds[k / 4]) == 0
                    && strcmp(trial.stick_name, sticks[k % 4]) == 0);
        }
        jolts = jolts && trial.start == 0 && trial.seed == 0;
        bool climbs = strncmp(name, "stairs:0.12", 11) == 0 && strchr(name, ' ') == NULL
            && strstr(trial.stick_name, " m/s") != NULL;
        if (!jolts && !climbs) { continue; }
        if (!bench_trial_run(&trial, &run, 20.0, &result, &study->message)) { continue; }
        if (jolts) {
            head = fmax(head, result.seen.head_acceleration);
            vertical = fmax(vertical, result.seen.hips_vertical);
            hips_level = fmax(hips_level, result.seen.hips_level);
            chest = fmax(chest, result.seen.chest_step);
        }
        if (climbs) {
            ++whole;
            stairs += result.unmet_frames == 0 ? 1 : 0;
        }
    }
    add(study, "24 walks: hips, vertical, most", "m/s2", 0.0, 7.0, vertical);
    add(study, "24 walks: hips, level, most", "m/s2", 0.0, 9.0, hips_level);
    add(study, "24 walks: head, most", "m/s2", 0.0, 40.0, head);
    add(study, "24 walks: chest beyond the turn, a frame", "rad", 0.0, 0.06, chest);
    add(study, "stairs 12/35, 3 speeds, 5 starts: all goals met", "%", 95.0, 100.0,
        100.0 * stairs / fmax(1.0, whole));
}

/// Microseconds of an update at 60 Hz, the least of several runs.
static double time_of(Study *study, const sinew_Manner *manner)
{
    double best = INFINITY, q[256];
    for (int k = 0; k < 2; ++k) {
        sinew_Walker *walker = make_walker(study);
        (void)sinew_walker_set_manner(walker, manner, NULL);
        sinew_Steering steering = { 1.3, 0.0, 0.0 };
        for (int i = 0; i < 120; ++i) {
            (void)sinew_walker_update(walker, &steering, 1.0 / 60.0, NULL, q, NULL);
        }
        double start = cli_clock(NULL);
        for (int i = 0; i < 2000; ++i) {
            (void)sinew_walker_update(walker, &steering, 1.0 / 60.0, NULL, q, NULL);
        }
        best = fmin(best, (cli_clock(NULL) - start) / 2000.0);
        sinew_walker_destroy(walker);
    }
    return 1e6 * best;
}

static void judge_cost(Study *study)
{
    const sinew_Manner plain = sinew_manner_plain();
    double with = INFINITY, without = INFINITY;
    // turn and turn about, so that a busy machine is unkind to both
    for (int k = 0; k < 6; ++k) {
        without = fmin(without, time_of(study, &plain));
        with = fmin(with, time_of(study, &study->manner));
    }
    add(study, "an update at 1.3 m/s, more than the plain figure's", "us", -100.0, 4.0,
        with - without);
}

// ---------------------------------------------------------------------------------------------
// Telling

static bool is_kept(const Line *line)
{
    return line->value >= line->lower && line->value <= line->upper;
}

static void print_lines(const Study *study)
{
    int kept = 0;
    cli_Table table = cli_table_begin("lrrll");
    cli_table_cell(&table, "what is asked for");
    cli_table_cell(&table, "asked");
    cli_table_cell(&table, "here");
    cli_table_cell(&table, "%s", "");
    cli_table_cell(&table, "%s", "");
    for (int i = 0; i < study->line_count; ++i) {
        const Line *line = &study->lines[i];
        cli_table_cell(&table, "%s", line->name);
        cli_table_cell(&table, "%g..%g", line->lower, line->upper);
        cli_table_cell(&table, "%.3g", line->value);
        cli_table_cell(&table, "%s", line->unit);
        cli_table_cell(&table, "%s", is_kept(line) ? "kept" : "missed");
        kept += is_kept(line) ? 1 : 0;
    }
    cli_table_end(&table, "  ");
    printf("%d of %d kept\n\n", kept, study->line_count);
}

static void print_curves(const Study *study)
{
    printf(
        "curves of a cycle: correlation with four people that rules were fitted to and with those "
        "in no\n"
        "fit, medians; range in recordings (median, least, most) and at %.2f, %.1f and %.1f m/s\n",
        range_speeds[0], range_speeds[1], range_speeds[2]);
    cli_Table table = cli_table_begin("lrrrrrrrr");
    static const char *const heads[] = { "curve", "fitted", "judges", "people", "least", "most",
        "slow", "usual", "brisk" };
    for (int i = 0; i < 9; ++i) { cli_table_cell(&table, "%s", heads[i]); }
    for (int k = 0; k < MEASURE_ALIVE_CURVES; ++k) {
        double ranges[PEOPLE];
        int count = 0;
        for (int i = 0; i < PEOPLE; ++i) {
            if (study->people[i].cycle_count > 0) { ranges[count++] = study->people[i].range[k]; }
        }
        double middle = median(ranges, count);
        cli_table_cell(&table, "%s", measure_alive_name(k));
        cli_table_cell(&table, "%.2f", study->matches[k][0]);
        cli_table_cell(&table, "%.2f", study->matches[k][1]);
        cli_table_cell(&table, "%.1f", middle);
        cli_table_cell(&table, "%.1f", count > 0 ? ranges[0] : 0.0);
        cli_table_cell(&table, "%.1f", count > 0 ? ranges[count - 1] : 0.0);
        for (int i = 0; i < RANGE_SPEEDS; ++i) {
            cli_table_cell(&table, "%.1f", study->ranges[i].range[k]);
        }
    }
    cli_table_end(&table, "  ");
}

static void print_people(const Study *study)
{
    printf("\npeople: cycles seen, m/s of a leg of 0.9 m, seconds, variation of stride time\n");
    cli_Table table = cli_table_begin("lrrrr");
    static const char *const heads[] = { "recording", "cycles", "m/s", "s", "%" };
    for (int i = 0; i < 5; ++i) { cli_table_cell(&table, "%s", heads[i]); }
    for (int i = 0; i < PEOPLE; ++i) {
        const measure_AliveCycle *c = &study->people[i];
        cli_table_cell(&table, "%s", people[i].file + 4);
        cli_table_cell(&table, "%d", c->cycle_count);
        cli_table_cell(&table, "%.2f", c->speed);
        cli_table_cell(&table, "%.2f", c->period);
        cli_table_cell(&table, "%.1f", 100.0 * c->period_variation);
    }
    cli_table_end(&table, "  ");
    for (int i = 0; i < (int)(sizeof turners / sizeof *turners); ++i) {
        sinew_RoleGuess *roles;
        sinew_Stance *stance;
        sinew_MotionFile *file;
        double seconds = 0.0;
        measure_Alive *alive = open_recording(turners[i], &roles, &stance, &file, &seconds);
        if (alive != NULL) {
            measure_AliveTurn turn = measure_alive_turn(alive, 0.0, seconds, 0.3);
            printf("  %s: %.0f deg, head %.2f s and chest %.2f s before the pelvis, at most %.0f "
                   "deg off it\n",
                turners[i] + 4, turn.angle, turn.head_lead, turn.chest_lead, turn.head_most);
        }
        close_recording(alive, roles, stance, file);
    }
}

static void print_json(const Study *study)
{
    cli_Json json = cli_json_begin();
    cli_json_array(&json, "lines");
    for (int i = 0; i < study->line_count; ++i) {
        const Line *line = &study->lines[i];
        cli_json_object(&json, NULL);
        cli_json_text(&json, "name", line->name);
        cli_json_text(&json, "unit", line->unit);
        cli_json_number(&json, "lower", line->lower);
        cli_json_number(&json, "upper", line->upper);
        cli_json_number(&json, "value", line->value);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_array(&json, "curves");
    for (int k = 0; k < MEASURE_ALIVE_CURVES; ++k) {
        cli_json_object(&json, NULL);
        cli_json_text(&json, "name", measure_alive_name(k));
        cli_json_number(&json, "fitted", study->matches[k][0]);
        cli_json_number(&json, "judges", study->matches[k][1]);
        cli_json_number(&json, "range", study->ranges[1].range[k]);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_end(&json);
}

int sinew_bench_alive(bool json)
{
    Study *study = calloc(1, sizeof *study);
    if (study == NULL) { return 1; }
    study->manner = sinew_manner_default();
    bool made = scene_create("MAN18", NULL, &study->scene, &study->message) == SINEW_STATUS_OK
        && sinew_roles_guess(study->scene->skeleton, NULL, NULL, &study->roles, &study->message)
            == SINEW_STATUS_OK
        && sinew_stance_guess(
               study->scene->skeleton, study->roles, NULL, NULL, &study->stance, &study->message)
            == SINEW_STATUS_OK;
    sinew_Walker *walker = made ? make_walker(study) : NULL;
    made = walker != NULL;
    sinew_walker_destroy(walker);
    if (made) {
        judge_trials(study);
        look_at_people(study);
        judge_curves(study);
        judge_ranges(study);
        judge_changes(study);
        judge_cost(study);
    }
    if (!made) {
        fprintf(stderr, "sinew: the body does not walk: %s\n", study->message.text);
    } else if (json) {
        print_json(study);
    } else {
        print_lines(study);
        print_curves(study);
        print_people(study);
    }
    sinew_stance_destroy(study->stance);
    sinew_roles_destroy(study->roles);
    scene_destroy(study->scene);
    free(study);
    return made ? 0 : 1;
}
