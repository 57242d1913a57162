// Thirty cases of goals that move, in and out of reach, followed in each mode: steps, errors above the
// best there is, times.

#include "bench/following_paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Frames of a case, of one turn of its path, and of goals that are held at its end.
enum { FRAMES = 360, TURN = 180, HELD = 120 };
/// Of those held, the last that have to be still; frames at the beginning that no step is counted of;
/// every how many frames the best answer is asked for; runs that times are the middle of.
enum { STILL = 20, FIRST = 5, EVERY = 10, PASSES = 3 };

// a frame is stuck when its error is above the best by this, metres, and a share of the best
#define STUCK_DISTANCE 0.010
#define STUCK_SHARE 0.02
#define STEP_BOUND 0.35

/// What one mode makes of one case.
typedef struct Result {
    double step;               ///< longest turn of a joint in a frame, rad
    double excess, stuck;      ///< mean error above the best, metres; share of frames
    double error;              ///< mean, metres
    double above;              ///< largest way of a joint above chain_root, metres
    double median, p99, worst; ///< seconds of a frame
    double within, beyond;     ///< median seconds of frames with all goals in reach, and not
    bool still;                ///< held goals end in poses of equal bits
} Result;

typedef struct Work {
    bench_CaseRun run;
    bench_Figure figure, before, rest;
    double best[FRAMES / EVERY]; ///< errors, metres
    double times[PASSES][FRAMES];
    bool outside[FRAMES]; ///< a goal is farther from its limb's start than it is long
} Work;

static double turns_of(int frame)
{
    return (double)(frame < FRAMES ? frame : FRAMES - 1) / TURN;
}

/// The best answers, and which goals lie outside.
static bool find_best(Work *work, double *q)
{
    bench_CaseRun *run = &work->run;
    sinew_Solver *solver = bench_solver(run->skeleton, BENCH_CASE_GOALS);
    bool good = solver != NULL;
    for (int frame = 0; good && frame < FRAMES; ++frame) {
        bench_case_goals(run, frame, turns_of(frame));
        work->outside[frame] = false;
        for (int g = 0; g < run->goal_count; ++g) {
            double away = sinew_vec3_distance(run->goals[g].position, run->start[g]);
            bool limb = run->what->goals[g].alone;
            work->outside[frame] = work->outside[frame] || (limb && away > run->length[g]);
        }
        if (frame % EVERY != 0) { continue; }
        sinew_pose_rest(run->skeleton, q);
        good = bench_best_pose(solver, run->goals, run->goal_count, q);
        bench_figure_pose(&work->figure, q);
        bench_figure_errors(
            &work->figure, run->goals, run->goal_count, &work->best[frame / EVERY], NULL);
    }
    sinew_solver_destroy(solver);
    return good;
}

static void measure_frame(Work *work, const double *q, int frame, Result *result)
{
    double error = 0.0;
    bench_figure_pose(&work->figure, q);
    if (frame >= FIRST) {
        result->step = fmax(result->step, bench_figure_step(&work->before, &work->figure));
    }
    bench_figure_copy(&work->before, &work->figure);
    const bench_CaseRun *run = &work->run;
    result->above = fmax(result->above,
        bench_figure_moved_above(&work->figure, &work->rest, run->goals, run->goal_count));
    bench_figure_errors(&work->figure, work->run.goals, work->run.goal_count, &error, NULL);
    result->error += error / FRAMES;
    if (frame % EVERY != 0) { return; }
    const double best = work->best[frame / EVERY], share = (double)EVERY / FRAMES;
    result->excess += share * fmax(0.0, error - best);
    result->stuck += error > best + STUCK_DISTANCE + STUCK_SHARE * best ? share : 0.0;
}

/// Whether the last frames of held goals have the same bits.
static bool hold(Work *work, bench_Follower *follower, double *kept)
{
    size_t size = (size_t)sinew_skeleton_coordinate_count(work->run.skeleton) * sizeof *kept;
    bool still = true;
    for (int frame = FRAMES; frame < FRAMES + HELD; ++frame) {
        (void)bench_follower_next(follower, work->run.goals, work->run.goal_count);
        if (frame > FRAMES + HELD - STILL) {
            still = still && memcmp(kept, follower->q, size) == 0;
        }
        memcpy(kept, follower->q, size);
    }
    return still;
}

static void put_times(Work *work, int passes, Result *result)
{
    double times[FRAMES], within[FRAMES], beyond[FRAMES];
    size_t within_count = 0, beyond_count = 0;
    for (int frame = 0; frame < FRAMES; ++frame) {
        double three[PASSES];
        for (int pass = 0; pass < passes; ++pass) { three[pass] = work->times[pass][frame]; }
        times[frame] = bench_middle(three, passes);
        if (work->outside[frame]) {
            beyond[beyond_count++] = times[frame];
        } else {
            within[within_count++] = times[frame];
        }
    }
    result->within = bench_quantile(within, within_count, 0.5);
    result->beyond = bench_quantile(beyond, beyond_count, 0.5);
    // the first frame begins from nowhere
    times[0] = times[1];
    result->median = bench_quantile(times, FRAMES, 0.5);
    result->p99 = bench_quantile(times, FRAMES, 0.99);
    result->worst = times[FRAMES - 1];
}

static bool follow(Work *work, bench_Mode mode, Result *result)
{
    bench_CaseRun *run = &work->run;
    bench_Follower follower;
    double kept[256];
    *result = (Result){ 0 };
    if (!bench_follower_open(&follower, run->skeleton, BENCH_CASE_GOALS, mode, NULL)) {
        return false;
    }
    bench_figure_pose(&work->rest, follower.q);
    // by its defaults auto is no frame loop, and takes most of the time of all
    int passes = mode == BENCH_MODE_AUTO ? 1 : PASSES;
    for (int pass = 0; pass < passes; ++pass) {
        bench_follower_reset(&follower);
        for (int frame = 0; frame < FRAMES; ++frame) {
            bench_case_goals(run, frame, turns_of(frame));
            double time = bench_follower_next(&follower, run->goals, run->goal_count);
            work->times[pass][frame] = time;
            if (pass == 0) { measure_frame(work, follower.q, frame, result); }
        }
    }
    result->still = hold(work, &follower, kept);
    put_times(work, passes, result);
    bench_follower_close(&follower);
    return true;
}

static bool run_case(int index, Result results[BENCH_MODE_COUNT])
{
    static Work work;
    double q[256];
    memset(&work, 0, sizeof work);
    if (!bench_case_open(&work.run, bench_case(index))) { return false; }
    const sinew_Skeleton *skeleton = work.run.skeleton;
    bool good = bench_figure_open(&work.figure, skeleton)
        && bench_figure_open(&work.before, skeleton) && bench_figure_open(&work.rest, skeleton)
        && find_best(&work, q);
    for (int m = 0; good && m < BENCH_MODE_COUNT; ++m) {
        good = follow(&work, (bench_Mode)m, &results[m]);
    }
    bench_figure_close(&work.figure);
    bench_figure_close(&work.before);
    bench_figure_close(&work.rest);
    bench_case_close(&work.run);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Tables and rows

static const bench_Column case_columns[] = { { "case, by the tracker", "case", NULL, 0.0 },
    { "held", "held", NULL, 0.0 }, { "step rad", "step_rad", "2", 1.0 },
    { "error mm", "error_m", "2", 1e3 }, { "excess mm", "excess_m", "2", 1e3 },
    { "stuck %", "stuck", "1", 100.0 }, { "median us", "median_s", "1", 1e6 },
    { "p99 us", "p99_s", "0", 1e6 }, { "worst us", "worst_s", "0", 1e6 },
    { NULL, NULL, NULL, 0.0 } };

static const bench_Column total_columns[] = { { "mode", "mode", NULL, 0.0 },
    { "largest step", "step_rad", "2", 1.0 }, { "over 0.35", "over", "0", 1.0 },
    { "mean excess mm", "excess_m", "2", 1e3 }, { "stuck %", "stuck", "1", 100.0 },
    { "median us", "median_s", "1", 1e6 }, { "p99 us", "p99_s", "0", 1e6 },
    { "worst us", "worst_s", "0", 1e6 }, { "not still", "not_still", "0", 1.0 },
    { "above mm", "above_m", "3", 1e3 }, { NULL, NULL, NULL, 0.0 } };

/// Over cases: largest of steps and of tails, means of the others; the median of medians.
typedef struct Total {
    Result sum;
    int over, moving;
    double medians[64];
} Total;

static void add_to_total(Total *total, const Result *result, int index, int count)
{
    Result *sum = &total->sum;
    sum->step = fmax(sum->step, result->step);
    sum->excess += result->excess / count;
    sum->stuck += result->stuck / count;
    sum->above = fmax(sum->above, result->above);
    sum->p99 = fmax(sum->p99, result->p99);
    sum->worst = fmax(sum->worst, result->worst);
    total->over += result->step > STEP_BOUND ? 1 : 0;
    total->moving += result->still ? 0 : 1;
    total->medians[index] = result->median;
}

static void put_straight(bench_Following *following, Result (*results)[BENCH_MODE_COUNT])
{
    static const bench_Mode modes[] = { BENCH_MODE_WARM, BENCH_MODE_TRACKER };
    for (int m = 0; m < 2; ++m) {
        double stuck = 0.0, squat = 0.0;
        for (int i = 0; i < bench_case_count(); ++i) {
            const bench_Case *what = bench_case(i);
            const Result *result = &results[i][modes[m]];
            bool straight = what->body == BENCH_STRAIGHT_HINGES
                || what->body == BENCH_STRAIGHT_BALLS;
            if (straight) { stuck = fmax(stuck, result->stuck); }
            if (strstr(what->name, "squats") != NULL) { squat = fmax(squat, result->error); }
        }
        char name[CLI_TABLE_CELL];
        snprintf(name, sizeof name, "squats from straight legs, mean error, %s",
            bench_mode_name(modes[m]));
        bench_following_row(following, name, "0.3 mm", squat, 0.3e-3, "%.2f mm", 1e3 * squat);
        snprintf(name, sizeof name, "straight legs of the cases, stuck frames, %s",
            bench_mode_name(modes[m]));
        bench_following_row(following, name, "0 %", stuck, 0.0, "%.1f %%", 100.0 * stuck);
    }
}

static void put_beyond(bench_Following *following, Result (*results)[BENCH_MODE_COUNT])
{
    static const char *const wanted[] = { "a hand leaves its reach, 4 goals",
        "arm alone, in and out to 2.7 L" };
    static const bench_Mode modes[] = { BENCH_MODE_TRACKER, BENCH_MODE_MOTION, BENCH_MODE_AUTO };
    static const double bounds[] = { 3.0, 3.0, 10.0 };
    for (int m = 0; m < 3; ++m) {
        for (int i = 0; i < bench_case_count(); ++i) {
            const char *name = bench_case(i)->name;
            if (strcmp(name, wanted[0]) != 0 && strcmp(name, wanted[1]) != 0) { continue; }
            const Result *result = &results[i][modes[m]];
            double ratio = result->beyond / result->within;
            char what[CLI_TABLE_CELL], asked[32];
            snprintf(what, sizeof what, "beyond reach, %s, %s", bench_mode_name(modes[m]), name);
            snprintf(asked, sizeof asked, "%.0f times within", bounds[m]);
            bench_following_row(following, what, asked, ratio, bounds[m],
                "%.1f times: %.1f us, within %.1f us", ratio, 1e6 * result->beyond,
                1e6 * result->within);
        }
    }
}

static void put_tracker(bench_Following *following, const Total *total, int count)
{
    const Result *r = &total->sum;
    bench_following_row(following, "tracker, largest step of a joint in a frame at 60 Hz",
        "0.35 rad in all", r->step, STEP_BOUND, "%.2f rad, %d of %d over", r->step, total->over,
        count);
    bench_following_row(following, "tracker, mean error above the best cold answer", "3 mm",
        r->excess, 3e-3, "%.2f mm", 1e3 * r->excess);
    bench_following_row(following, "tracker, frames 10 mm + 2 % above it", "2 %", r->stuck, 0.02,
        "%.1f %%", 100.0 * r->stuck);
    bench_following_row(following, "tracker, p99 of the slowest case", "0.7 ms", r->p99, 0.7e-3,
        "%.2f ms", 1e3 * r->p99);
    bench_following_row(
        following, "tracker, slowest frame", "1.2 ms", r->worst, 1.2e-3, "%.2f ms", 1e3 * r->worst);
    bench_following_row(following, "tracker, held goals whose poses do not come to rest", "0 cases",
        total->moving, 0.0, "%d of %d cases", total->moving, count);
    bench_following_row(following, "tracker, joints above chain_root move by", "0", r->above, 0.0,
        "%.3g mm", 1e3 * r->above);
}

static void put_details(
    bench_Following *following, Result (*results)[BENCH_MODE_COUNT], Total totals[BENCH_MODE_COUNT])
{
    int count = bench_case_count();
    bench_columns_begin(following->out, "cases",
        "Followed by the tracker (times: middle of 3 runs; best: cold solves, each tenth frame)",
        case_columns);
    for (int i = 0; i < count; ++i) {
        const Result *r = &results[i][BENCH_MODE_TRACKER];
        bench_row(following->out, case_columns,
            (const char *[]){ bench_case(i)->name, r->still ? "still" : "moves" },
            (const double[]){
                r->step, r->error, r->excess, r->stuck, r->median, r->p99, r->worst });
    }
    bench_table_end(following->out);
    bench_columns_begin(following->out, "modes", "All cases, by mode", total_columns);
    for (int m = 0; m < BENCH_MODE_COUNT; ++m) {
        Total *total = &totals[m];
        const Result *r = &total->sum;
        double median = bench_quantile(total->medians, (size_t)count, 0.5);
        bench_row(following->out, total_columns, (const char *[]){ bench_mode_name((bench_Mode)m) },
            (const double[]){ r->step, total->over, r->excess, r->stuck, median, r->p99, r->worst,
                total->moving, r->above });
    }
    bench_table_end(following->out);
}

void bench_following_cases(bench_Following *following)
{
    int count = bench_case_count();
    Total totals[BENCH_MODE_COUNT];
    Result(*results)[BENCH_MODE_COUNT] = calloc((size_t)count, sizeof *results);
    memset(totals, 0, sizeof totals);
    for (int i = 0; results != NULL && i < count; ++i) {
        following->out->failed = !run_case(i, results[i]) || following->out->failed;
        for (int m = 0; m < BENCH_MODE_COUNT; ++m) {
            add_to_total(&totals[m], &results[i][m], i, count);
        }
    }
    if (results == NULL) {
        following->out->failed = true;
        return;
    }
    if (!following->request->markdown) { put_details(following, results, totals); }
    put_straight(following, results);
    put_tracker(following, &totals[BENCH_MODE_TRACKER], count);
    put_beyond(following, results);
    free(results);
}
