// Measurements behind `sinew bench paper`.

#include "bench/paper_study.h"

#include "bench/bench.h"
#include "bench/bench_setup.h"
#include "pictures/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5, FRAMES = 1200, DRAWN_FRAMES = 60, DRAWN_RUNS = 3, LEGS = 2 };

#define FRAME_TIME (1.0 / 60.0)
#define SPEED 1.3

const sinew_WalkRows bench_paper_rows[BENCH_PAPER_MODES] = { SINEW_WALK_ROWS_HALF,
    SINEW_WALK_ROWS_FULL, SINEW_WALK_ROWS_HYBRID, SINEW_WALK_ROWS_AUTO };

const char *bench_paper_mode(int mode)
{
    static const char *const names[BENCH_PAPER_MODES] = { "half", "full", "hybrid", "auto" };
    return names[mode];
}

// Frames are timed by what they take of the processor, as a whole run; a busy machine then does no
// harm. Solves are too short for that clock: of them the median counts.
static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Study {
    bench_PaperStudy *out;
    scene_Scene *scene;
    sinew_Terrain *terrains[BENCH_PAPER_GROUNDS];
    sinew_Transform *world;
    double *q, *times; ///< times: 2 x LEGS x FRAMES
    int numbers;
    sinew_Message *message;
} Study;

static sinew_SolveOptions pinv_options(void)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    options.position_tolerance = 1e-4;
    options.orientation_tolerance = 1e-3;
    return options;
}

static sinew_Walker *make_walker(const Study *study, int mode)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = study->scene->skeleton;
    def.style = SINEW_WALK_PAPER;
    def.rows = bench_paper_rows[mode];
    def.solve = pinv_options();
    def.clock = bench_clock;
    sinew_Walker *walker = NULL;
    sinew_walker_create(&def, &walker, study->message);
    return walker;
}

// along a wide arc, so that hills are seen from all sides
static sinew_Steering steering_at(int ground)
{
    return (sinew_Steering){ SPEED, 0.0, ground == BENCH_PAPER_FLAT ? 0.0 : 0.05 };
}

// ---------------------------------------------------------------------------------------------
// Walks

typedef struct Sums {
    double frame_solves[FRAMES]; ///< seconds of all solves of a frame
    int frames;
    long solves, iterations, halvings, met;
    double slide, yaw;
    sinew_Vec3 planted[LEGS][3];
    unsigned bits[LEGS];
} Sums;

static sinew_Vec3 sole_point(const Study *study, const sinew_SolePoint *point)
{
    return sinew_transform_point(study->world[point->joint], point->offset);
}

// how far held points have moved since they were first held, and where a standing foot points
static void look_at_foot(const Study *study, const sinew_Walker *walker, int leg, Sums *sums)
{
    const sinew_Sole *sole = sinew_walker_sole(walker, leg);
    unsigned planted = sinew_walker_leg(walker, leg).planted;
    sinew_Vec3 middle[3] = { { 0.0, 0.0, 0.0 } };
    for (int i = 0, found = 0; i < sole->point_count && found < 3; ++i) {
        if (sole->points[i].is_edge) { continue; }
        sinew_Vec3 at = sole_point(study, &sole->points[i]);
        middle[found] = at;
        unsigned bit = sole->points[i].planted;
        if ((planted & bit) != 0 && (sums->bits[leg] & bit) != 0) {
            double dx = at.x - sums->planted[leg][found].x, dz = at.z - sums->planted[leg][found].z;
            sums->slide = fmax(sums->slide, sqrt(dx * dx + dz * dz));
        } else {
            sums->planted[leg][found] = at;
        }
        ++found;
    }
    sums->bits[leg] = planted;
    if (planted == 0) { return; }
    sinew_Vec3 ahead = sinew_vec3_sub(middle[1], middle[0]);
    double heading = sinew_walker_report(walker).heading;
    double yaw = sinew_atan2(ahead.x, ahead.z) - heading;
    sums->yaw = fmax(sums->yaw, fabs(sinew_atan2(sin(yaw), cos(yaw))));
}

static void count_solves(const sinew_Walker *walker, Sums *sums)
{
    sinew_WalkerReport report = sinew_walker_report(walker);
    sums->frame_solves[sums->frames++ % FRAMES] = report.solve_time;
    sums->solves += report.solve_count;
    for (int leg = 0; leg < LEGS; ++leg) {
        sinew_WalkerLeg told = sinew_walker_leg(walker, leg);
        sums->iterations += told.iterations;
        sums->halvings += told.halvings;
        sums->met += told.is_met;
    }
}

static bool walk_on(
    Study *study, sinew_Walker *walker, int ground, int frames, bool look, Sums *sums)
{
    sinew_Ground under = sinew_terrain_ground(study->terrains[ground]);
    sinew_Steering steering = steering_at(ground);
    for (int frame = 0; frame < frames; ++frame) {
        sinew_Status status = sinew_walker_update(
            walker, &steering, FRAME_TIME, &under, study->q, study->message);
        if (status != SINEW_STATUS_OK) { return false; }
        count_solves(walker, sums);
        if (!look) { continue; }
        sinew_pose_forward(study->scene->skeleton, study->q, study->world);
        for (int leg = 0; leg < LEGS; ++leg) { look_at_foot(study, walker, leg, sums); }
    }
    return true;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, bench_compare);
    return values[count / 2];
}

// one run of each mode in turn, so that a busy machine is unfair to none
static bool measure_walks(Study *study, int ground)
{
    double frame[BENCH_PAPER_MODES][RUNS], solve[BENCH_PAPER_MODES][RUNS];
    for (int run = -1; run < RUNS; ++run) {
        for (int mode = 0; mode < BENCH_PAPER_MODES; ++mode) {
            sinew_Walker *walker = make_walker(study, mode);
            if (walker == NULL) { return false; }
            Sums sums = { 0 };
            double start = processor_time();
            bool done = walk_on(study, walker, ground, FRAMES, run < 0, &sums);
            double time = processor_time() - start;
            sinew_walker_destroy(walker);
            if (!done) { return false; }
            bench_PaperWalk *walk = &study->out->walks[ground][mode];
            double solves = (double)sums.solves;
            if (run < 0) {
                // the run that warms up looks at the feet
                walk->iterations = (double)sums.iterations / solves;
                walk->halvings = (double)sums.halvings / solves;
                walk->met = (double)sums.met / solves;
                walk->slide = sums.slide;
                walk->yaw = sums.yaw;
                continue;
            }
            frame[mode][run] = time / FRAMES;
            solve[mode][run] = median(sums.frame_solves, FRAMES) * FRAMES / solves;
        }
    }
    for (int mode = 0; mode < BENCH_PAPER_MODES; ++mode) {
        bench_PaperWalk *walk = &study->out->walks[ground][mode];
        walk->frame_time[BENCH_PAPER_NOTHING] = median(frame[mode], RUNS);
        walk->solve_time = median(solve[mode], RUNS);
    }
    return true;
}

static bool draw_frames(
    Study *study, sinew_Walker *walker, int ground, picture_Screen *screen, double *out_time)
{
    Sums sums = { 0 };
    double start = processor_time();
    for (int frame = 0; frame < DRAWN_FRAMES; ++frame) {
        if (!walk_on(study, walker, ground, 1, false, &sums)) { return false; }
        if (picture_screen_draw(screen, study->q) != SINEW_STATUS_OK) { return false; }
    }
    *out_time = (processor_time() - start) / DRAWN_FRAMES;
    return true;
}

static bool measure_drawing(Study *study, int ground, int figure)
{
    picture_ScreenDef def = picture_screen_def_default();
    def.skeleton = study->scene->skeleton;
    def.terrain = ground == BENCH_PAPER_FLAT ? NULL : study->terrains[ground];
    def.stick = figure == BENCH_PAPER_STICK;
    study->out->width = def.width;
    study->out->height = def.height;
    picture_Screen *screen = NULL;
    if (picture_screen_create(&def, &screen, study->message) != SINEW_STATUS_OK) { return false; }
    double times[BENCH_PAPER_MODES][DRAWN_RUNS];
    bool done = true;
    for (int run = -1; run < DRAWN_RUNS && done; ++run) {
        for (int mode = 0; mode < BENCH_PAPER_MODES && done; ++mode) {
            sinew_Walker *walker = make_walker(study, mode);
            double time = 0.0;
            done = walker != NULL && draw_frames(study, walker, ground, screen, &time);
            sinew_walker_destroy(walker);
            if (run >= 0) { times[mode][run] = time; }
        }
    }
    study->out->triangles[ground][figure] = picture_screen_triangle_count(screen);
    picture_screen_destroy(screen);
    for (int mode = 0; mode < BENCH_PAPER_MODES && done; ++mode) {
        study->out->walks[ground][mode].frame_time[figure] = median(times[mode], DRAWN_RUNS);
    }
    return done;
}

// ---------------------------------------------------------------------------------------------
// Replay

typedef struct Record {
    double *q;                    ///< poses                                     (FRAMES x numbers)
    sinew_Goal *goals;            ///< of heels, position and orientation        (FRAMES x LEGS)
    int first[LEGS], count[LEGS]; ///< coordinates of each leg
} Record;

static void record_goals(const Study *study, const sinew_Walker *walker, sinew_Goal *goals)
{
    sinew_pose_forward(study->scene->skeleton, study->q, study->world);
    for (int leg = 0; leg < LEGS; ++leg) {
        const sinew_SolePoint *heel = &sinew_walker_sole(walker, leg)->points[0];
        const sinew_Transform *foot = &study->world[heel->joint];
        goals[leg] = sinew_goal_pose(heel->joint, sole_point(study, heel), foot->rotation);
        goals[leg].joint_from_effector.position = heel->offset;
        goals[leg].chain_root = sinew_walker_leg_def(walker, leg)->hip;
    }
}

static bool record_walk(Study *study, Record *record)
{
    // the closed form: no kind of Jacobian has a say in what is to be reached
    sinew_Walker *walker = make_walker(study, BENCH_PAPER_MODES - 1);
    if (walker == NULL) { return false; }
    const sinew_Joint *joints = sinew_skeleton_joints(study->scene->skeleton);
    for (int leg = 0; leg < LEGS; ++leg) {
        const sinew_LegDef *def = sinew_walker_leg_def(walker, leg);
        record->first[leg] = joints[def->hip].coordinate_start;
        record->count[leg] = joints[def->ankle].coordinate_start
            + joints[def->ankle].coordinate_count - record->first[leg];
    }
    Sums sums = { 0 };
    bool done = true;
    for (int frame = 0; frame < FRAMES && done; ++frame) {
        done = walk_on(study, walker, BENCH_PAPER_UNEVEN, 1, false, &sums);
        memcpy(record->q + (size_t)frame * (size_t)study->numbers, study->q,
            (size_t)study->numbers * sizeof *study->q);
        record_goals(study, walker, record->goals + LEGS * frame);
    }
    sinew_walker_destroy(walker);
    return done;
}

static bool replay(Study *study, const Record *record, const sinew_SolveOptions *options,
    bench_PaperReplay *out_replay)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = study->scene->skeleton;
    def.max_goals = 1;
    def.clock = bench_clock;
    sinew_Solver *solver = NULL;
    if (sinew_solver_create(&def, &solver, study->message) != SINEW_STATUS_OK) { return false; }
    long solves = 0, iterations = 0, halvings = 0, met = 0, timed = 0;
    int most = 0;
    size_t numbers = (size_t)study->numbers;
    double *times = study->times, *shares = times + LEGS * FRAMES;
    bool done = true;
    // the first round warms up
    for (int frame = 1; frame < 2 * FRAMES && done; ++frame) {
        if (frame % FRAMES == 0) { continue; }
        bool counts = frame > FRAMES;
        for (int leg = 0; leg < LEGS && done; ++leg) {
            const double *now = record->q + (size_t)(frame % FRAMES) * numbers;
            const double *before = now - numbers;
            memcpy(study->q, now, numbers * sizeof *study->q);
            size_t first = (size_t)record->first[leg];
            memcpy(study->q + first, before + first, (size_t)record->count[leg] * sizeof *study->q);
            sinew_Report report;
            done = sinew_solver_solve(solver, options,
                       &record->goals[LEGS * (frame % FRAMES) + leg], 1, study->q, &report,
                       study->message)
                == SINEW_STATUS_OK;
            if (!done || !counts) { continue; }
            if (report.iterations > 0) { shares[timed++] = report.time / report.iterations; }
            times[solves++] = report.time;
            iterations += report.iterations;
            halvings += report.halvings;
            met += report.outcome == SINEW_OUTCOME_CONVERGED;
            most = report.iterations > most ? report.iterations : most;
        }
    }
    sinew_solver_destroy(solver);
    double count = (double)solves;
    if (!done || timed == 0) { return false; }
    *out_replay = (bench_PaperReplay){ median(shares, (int)timed), median(times, (int)solves),
        (double)iterations / count, (double)halvings / count, (double)met / count, most };
    return true;
}

static bool measure_replays(Study *study)
{
    Record record;
    record.q = malloc(FRAMES * (size_t)study->numbers * sizeof *record.q);
    record.goals = malloc((size_t)FRAMES * LEGS * sizeof *record.goals);
    bool done = record.q != NULL && record.goals != NULL && record_walk(study, &record);
    for (int full = 0; full < 2 && done; ++full) {
        sinew_SolveOptions options = pinv_options();
        options.rows = full ? SINEW_ROWS_AS_GOALS : SINEW_ROWS_HALF;
        done = replay(study, &record, &options, &study->out->ours[full]);
        options.inverse = SINEW_INVERSE_EXPLICIT;
        options.literal_halving = true;
        options.limits = SINEW_LIMITS_CLAMP;
        done = done && replay(study, &record, &options, &study->out->published[full]);
    }
    free(record.q);
    free(record.goals);
    return done;
}

// ---------------------------------------------------------------------------------------------

static bool open_study(Study *study)
{
    if (scene_create("MAN18", NULL, &study->scene, study->message) != SINEW_STATUS_OK) {
        return false;
    }
    const sinew_TerrainKind kinds[BENCH_PAPER_GROUNDS] = { SINEW_TERRAIN_FLAT,
        SINEW_TERRAIN_HILLS };
    for (int ground = 0; ground < BENCH_PAPER_GROUNDS; ++ground) {
        sinew_TerrainDef def = sinew_terrain_def_default(kinds[ground]);
        if (sinew_terrain_create(&def, &study->terrains[ground], study->message)
            != SINEW_STATUS_OK) {
            return false;
        }
    }
    const sinew_Skeleton *skeleton = study->scene->skeleton;
    study->numbers = sinew_skeleton_coordinate_count(skeleton);
    study->q = malloc((size_t)study->numbers * sizeof *study->q);
    study->world = malloc((size_t)sinew_skeleton_joint_count(skeleton) * sizeof *study->world);
    study->times = malloc((size_t)2 * LEGS * FRAMES * sizeof *study->times);
    return study->q != NULL && study->world != NULL && study->times != NULL;
}

static void close_study(Study *study)
{
    for (int ground = 0; ground < BENCH_PAPER_GROUNDS; ++ground) {
        sinew_terrain_destroy(study->terrains[ground]);
    }
    scene_destroy(study->scene);
    free(study->q);
    free(study->times);
    free(study->world);
}

bool bench_paper_measure(bench_PaperStudy *out_study, sinew_Message *out_message)
{
    memset(out_study, 0, sizeof *out_study);
    Study study = { .out = out_study, .message = out_message };
    out_study->frames = FRAMES;
    bool done = open_study(&study);
    for (int ground = 0; ground < BENCH_PAPER_GROUNDS && done; ++ground) {
        done = measure_walks(&study, ground);
        for (int figure = BENCH_PAPER_STICK; figure < BENCH_PAPER_FIGURES && done; ++figure) {
            done = measure_drawing(&study, ground, figure);
        }
    }
    done = done && measure_replays(&study);
    close_study(&study);
    return done;
}
