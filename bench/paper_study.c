// Measurements behind `sinew bench paper`.

#include "bench/paper_study.h"

#include "bench/bench.h"
#include "bench/bench_setup.h"
#include "pictures/pictures.h"
#include "sinew/terrain_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5, FRAMES = 1200, DRAWN_FRAMES = 60, DRAWN_RUNS = 3, LEGS = 2 };

#define FRAME_TIME (1.0 / 60.0)
#define SPEED 0.6 // as fast as its strides go at two steps a second

static const char *const flat_surfaces[] = { "flat" };
static const char *const uneven_surfaces[] = { "hills:1", "hills:2", "rough:3",
    "stairs:0.17,0.29" };
enum { MOST_SURFACES = 4 };

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
    sinew_Terrain *terrains[BENCH_PAPER_GROUNDS][MOST_SURFACES];
    int surfaces[BENCH_PAPER_GROUNDS];
    sinew_Transform *world;
    double *q;
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
    long solves, iterations, halvings, met, again;
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
        sums->again += told.solve_count > 1;
    }
}

static bool walk_on(
    Study *study, sinew_Walker *walker, int ground, int surface, int frames, bool look, Sums *sums)
{
    sinew_Ground under = sinew_terrain_ground(study->terrains[ground][surface]);
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
            Sums sums = { 0 };
            double time = 0.0;
            for (int s = 0; s < study->surfaces[ground]; ++s) {
                sinew_Walker *walker = make_walker(study, mode);
                if (walker == NULL) { return false; }
                sums.bits[0] = sums.bits[1] = 0;
                double start = processor_time();
                bool done = walk_on(
                    study, walker, ground, s, FRAMES / study->surfaces[ground], run < 0, &sums);
                time += processor_time() - start;
                sinew_walker_destroy(walker);
                if (!done) { return false; }
            }
            bench_PaperWalk *walk = &study->out->walks[ground][mode];
            double solves = (double)sums.solves;
            if (run < 0) {
                // the run that warms up looks at the feet
                walk->iterations = (double)sums.iterations / solves;
                walk->halvings = (double)sums.halvings / solves;
                walk->met = (double)sums.met / solves;
                walk->again = (double)sums.again / solves;
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

static bool draw_frames(Study *study, sinew_Walker *walker, int ground, int surface, int frames,
    picture_Screen *screen, double *out_time)
{
    Sums sums = { 0 };
    double start = processor_time();
    for (int frame = 0; frame < frames; ++frame) {
        if (!walk_on(study, walker, ground, surface, 1, false, &sums)) { return false; }
        if (picture_screen_draw(screen, study->q) != SINEW_STATUS_OK) { return false; }
    }
    *out_time = (processor_time() - start) / frames;
    return true;
}

static bool draw_surface(
    Study *study, int ground, int surface, int figure, double times[BENCH_PAPER_MODES][DRAWN_RUNS])
{
    picture_ScreenDef def = picture_screen_def_default();
    def.skeleton = study->scene->skeleton;
    def.terrain = ground == BENCH_PAPER_FLAT ? NULL : study->terrains[ground][surface];
    def.stick = figure == BENCH_PAPER_STICK;
    study->out->width = def.width;
    study->out->height = def.height;
    picture_Screen *screen = NULL;
    if (picture_screen_create(&def, &screen, study->message) != SINEW_STATUS_OK) { return false; }
    int surfaces = study->surfaces[ground];
    bool done = true;
    for (int run = -1; run < DRAWN_RUNS && done; ++run) {
        for (int mode = 0; mode < BENCH_PAPER_MODES && done; ++mode) {
            sinew_Walker *walker = make_walker(study, mode);
            double time = 0.0;
            done = walker != NULL
                && draw_frames(
                    study, walker, ground, surface, DRAWN_FRAMES / surfaces, screen, &time);
            sinew_walker_destroy(walker);
            if (run >= 0) { times[mode][run] += time / surfaces; }
        }
    }
    if (surface == 0) {
        study->out->triangles[ground][figure] = picture_screen_triangle_count(screen);
    }
    picture_screen_destroy(screen);
    return done;
}

static bool measure_drawing(Study *study, int ground, int figure)
{
    double times[BENCH_PAPER_MODES][DRAWN_RUNS] = { { 0.0 } };
    bool done = true;
    for (int s = 0; s < study->surfaces[ground] && done; ++s) {
        done = draw_surface(study, ground, s, figure, times);
    }
    for (int mode = 0; mode < BENCH_PAPER_MODES && done; ++mode) {
        study->out->walks[ground][mode].frame_time[figure] = median(times[mode], DRAWN_RUNS);
    }
    return done;
}

// ---------------------------------------------------------------------------------------------
// Realism

/// Sums over one joint's angles of two walks.
typedef struct Curves {
    double a, b, aa, bb, ab, square, most;
    long count;
} Curves;

static sinew_Quat turn_of(const Study *study, const double *q, int joint)
{
    return sinew_pose_local(study->scene->skeleton, q, joint).rotation;
}

static void compare_joint(const Study *study, int joint, const double *a, const double *b,
    const double *rest, Curves *curves)
{
    sinew_Quat still = turn_of(study, rest, joint);
    sinew_Quat qa = turn_of(study, a, joint), qb = turn_of(study, b, joint);
    double x = sinew_quat_angle(still, qa), y = sinew_quat_angle(still, qb);
    double apart = sinew_quat_angle(qa, qb);
    curves->a += x;
    curves->b += y;
    curves->aa += x * x;
    curves->bb += y * y;
    curves->ab += x * y;
    curves->square += apart * apart;
    curves->most = fmax(curves->most, apart);
    ++curves->count;
}

// the same walk, solved twice: what is planned does not depend on the rows
static bool measure_realism(Study *study, int ground)
{
    const double degree = SINEW_PI / 180.0;
    size_t numbers = (size_t)study->numbers;
    double *other = malloc(2 * numbers * sizeof *other);
    if (other == NULL) { return false; }
    double *rest = other + numbers;
    sinew_pose_rest(study->scene->skeleton, rest);
    Curves curves[3] = { { 0 } };
    bool done = true;
    for (int s = 0; s < study->surfaces[ground] && done; ++s) {
        sinew_Walker *walkers[2] = { make_walker(study, 0), make_walker(study, 1) };
        done = walkers[0] != NULL && walkers[1] != NULL;
        Sums sums = { 0 };
        for (int frame = 0; frame < FRAMES / study->surfaces[ground] && done; ++frame) {
            done = walk_on(study, walkers[0], ground, s, 1, false, &sums);
            memcpy(other, study->q, numbers * sizeof *other);
            done = done && walk_on(study, walkers[1], ground, s, 1, false, &sums);
            for (int leg = 0; leg < LEGS && done; ++leg) {
                const sinew_LegDef *def = sinew_walker_leg_def(walkers[0], leg);
                const int joints[3] = { def->hip, def->knee, def->ankle };
                for (int i = 0; i < 3; ++i) {
                    compare_joint(study, joints[i], other, study->q, rest, &curves[i]);
                }
            }
        }
        sinew_walker_destroy(walkers[0]);
        sinew_walker_destroy(walkers[1]);
    }
    free(other);
    bench_PaperRealism *realism = &study->out->realism[ground];
    for (int i = 0; i < 3 && done; ++i) {
        const Curves *c = &curves[i];
        double n = (double)c->count;
        double va = c->aa - c->a * c->a / n, vb = c->bb - c->b * c->b / n;
        realism->rms[i] = sqrt(c->square / n) / degree;
        realism->most[i] = c->most / degree;
        realism->correlation[i] = (c->ab - c->a * c->b / n) / sqrt(va * vb);
    }
    return done;
}

// ---------------------------------------------------------------------------------------------

static bool open_study(Study *study)
{
    if (scene_create("MAN18", NULL, &study->scene, study->message) != SINEW_STATUS_OK) {
        return false;
    }
    const char *const *names[BENCH_PAPER_GROUNDS] = { flat_surfaces, uneven_surfaces };
    study->surfaces[BENCH_PAPER_FLAT] = 1;
    study->surfaces[BENCH_PAPER_UNEVEN] = MOST_SURFACES;
    for (int ground = 0; ground < BENCH_PAPER_GROUNDS; ++ground) {
        for (int s = 0; s < study->surfaces[ground]; ++s) {
            if (sinew_terrain_open(
                    names[ground][s], NULL, &study->terrains[ground][s], study->message)
                != SINEW_STATUS_OK) {
                return false;
            }
        }
    }
    const sinew_Skeleton *skeleton = study->scene->skeleton;
    study->numbers = sinew_skeleton_coordinate_count(skeleton);
    study->q = malloc((size_t)study->numbers * sizeof *study->q);
    study->world = malloc((size_t)sinew_skeleton_joint_count(skeleton) * sizeof *study->world);
    return study->q != NULL && study->world != NULL;
}

static void close_study(Study *study)
{
    for (int ground = 0; ground < BENCH_PAPER_GROUNDS; ++ground) {
        for (int s = 0; s < MOST_SURFACES; ++s) {
            sinew_terrain_destroy(study->terrains[ground][s]);
        }
    }
    scene_destroy(study->scene);
    free(study->q);
    free(study->world);
}

bool bench_paper_measure(bench_PaperStudy *out_study, sinew_Message *out_message)
{
    memset(out_study, 0, sizeof *out_study);
    Study study = { .out = out_study, .message = out_message };
    out_study->frames = FRAMES;
    bool done = open_study(&study);
    for (int ground = 0; ground < BENCH_PAPER_GROUNDS && done; ++ground) {
        done = measure_walks(&study, ground) && measure_realism(&study, ground);
        for (int figure = BENCH_PAPER_STICK; figure < BENCH_PAPER_FIGURES && done; ++figure) {
            done = measure_drawing(&study, ground, figure);
        }
    }
    done = done && bench_paper_starts(out_study->starts);
    close_study(&study);
    return done;
}
