// Recorded motions, followed as `sinew track` does: inside guessed limits and without, by key targets
// and by all joints.

#include "bench/following.h"

#include "cli/targets.h"
#include "cli/track_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 3, FEWEST_FRAMES = 3 };

// frames in which a joint of the source turns by more than this, radians in 1/60 s, are jumps of the
// recording; elsewhere steps are compared
#define SOURCE_JUMP 1.0
#define STEP_BOUND 0.35
#define STEP_RATIO 1.5
// What shakes by less than this, radians a frame, is still: 0.02 mm at the length of a body, a fiftieth of a
// pixel where that fills a screen of 2160 lines. A made-up source turns as evenly as numbers can.
#define STILL 1e-5

/// What came out of one clip.
typedef struct Result {
    int frames, targets;
    double step, source_step; ///< longest turn of a joint in 1/60 s, rad
    double mean, worst;       ///< metres
    double worst_speed;       ///< of the source's fastest joint in the worst frame, rad/s
    double shaking;           ///< of the source's, or of what is still
    double median, p99;       ///< seconds of a frame
    double violation;         ///< rad or m, of the source's pose, so unmet places are understood
} Result;

/// A clip that is followed.
typedef struct Clip {
    cli_Input input;
    cli_Target *targets;
    sinew_Goal *goals;
    int target_count, frame_count, joint_count;
    double frame_time;
    sinew_Tracker *tracker;
    bench_Figure now, before, source, source_before;
    sinew_Vec3 *turn, *source_turn;   // of the frame before           (joint_count)
    double *changes, *source_changes; // lengths of changes of turns   (changes of capacity)
    size_t change_count;
    double *times; // (PASSES x frame_count)
    double *q;
} Clip;

// ---------------------------------------------------------------------------------------------
// Opening

static void close_clip(Clip *clip)
{
    sinew_tracker_destroy(clip->tracker);
    bench_figure_close(&clip->now);
    bench_figure_close(&clip->before);
    bench_figure_close(&clip->source);
    bench_figure_close(&clip->source_before);
    free(clip->targets);
    free(clip->goals);
    free(clip->turn);
    free(clip->source_turn);
    free(clip->changes);
    free(clip->source_changes);
    free(clip->times);
    free(clip->q);
    cli_input_close(&clip->input);
}

static bool take_memory(Clip *clip)
{
    size_t joints = (size_t)clip->joint_count, frames = (size_t)clip->frame_count;
    const sinew_Skeleton *skeleton = clip->input.skeleton;
    const sinew_Skeleton *own = sinew_clip_skeleton(clip->input.source);
    clip->goals = malloc((size_t)clip->target_count * sizeof *clip->goals);
    clip->turn = malloc(joints * sizeof *clip->turn);
    clip->source_turn = malloc(joints * sizeof *clip->source_turn);
    clip->changes = malloc(joints * frames * sizeof *clip->changes);
    clip->source_changes = malloc(joints * frames * sizeof *clip->source_changes);
    clip->times = malloc(PASSES * frames * sizeof *clip->times);
    clip->q = malloc((size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *clip->q);
    return clip->goals != NULL && clip->turn != NULL && clip->source_turn != NULL
        && clip->changes != NULL && clip->source_changes != NULL && clip->times != NULL
        && clip->q != NULL && bench_figure_open(&clip->now, skeleton)
        && bench_figure_open(&clip->before, skeleton) && bench_figure_open(&clip->source, own)
        && bench_figure_open(&clip->source_before, own);
}

/// Limbs that key targets are named after; without any the command refuses them.
static bool has_limbs(const cli_Input *input)
{
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    for (int j = 0; j < sinew_skeleton_joint_count(input->skeleton); ++j) {
        const char *name = joints[j].name;
        if (strstr(name, "and") != NULL || strstr(name, "oot") != NULL
            || strstr(name, "rist") != NULL || strstr(name, "nkle") != NULL) {
            return true;
        }
    }
    return false;
}

static bool open_clip(Clip *clip, const char *path, bool limits, bool all)
{
    const sinew_ReadOptions read = sinew_read_options_default();
    memset(clip, 0, sizeof *clip);
    if (!cli_input_open_rigged(&clip->input, path, &read, limits ? "auto" : "none")) {
        memset(clip, 0, sizeof *clip);
        return false;
    }
    clip->frame_count = sinew_clip_frame_count(clip->input.source);
    clip->joint_count = sinew_skeleton_joint_count(clip->input.skeleton);
    clip->frame_time = sinew_clip_frame_time(clip->input.clip);
    if (clip->frame_count < FEWEST_FRAMES || (!all && !has_limbs(&clip->input))) { return false; }
    clip->target_count = cli_find_targets(
        &clip->input, "--targets", all ? "all" : "key", &clip->targets);
    if (clip->target_count == 0 || !take_memory(clip)) { return false; }
    sinew_TrackerDef def = cli_track_def(&clip->input);
    def.max_goals = clip->target_count;
    return sinew_tracker_create(&def, &clip->tracker, NULL) == SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Following

static void set_goals(Clip *clip, int frame)
{
    bench_figure_pose(&clip->source, sinew_clip_frame_const(clip->input.source, frame));
    for (int t = 0; t < clip->target_count; ++t) {
        int joint = clip->targets[t].joint;
        clip->goals[t] = sinew_goal_position(joint, clip->source.place[joint]);
    }
}

/// Returns the longest turn of a joint of the source, radians in 1/60 s.
static double measure_turns(Clip *clip, int frame, Result *result)
{
    double step = 0.0, source_step = 0.0, rate = 1.0 / (BENCH_FRAME_RATE * clip->frame_time);
    for (int j = 0; j < clip->joint_count; ++j) {
        sinew_Vec3 turn = bench_figure_turn(&clip->before, &clip->now, j);
        sinew_Vec3 source = bench_figure_turn(&clip->source_before, &clip->source, j);
        step = fmax(step, rate * sinew_vec3_length(turn));
        source_step = fmax(source_step, rate * sinew_vec3_length(source));
        bool turns = sinew_skeleton_joints(clip->input.skeleton)[j].axis_count > 0;
        if (frame >= 2 && turns) {
            clip->changes[clip->change_count] = sinew_vec3_distance(turn, clip->turn[j]);
            clip->source_changes[clip->change_count++] = sinew_vec3_distance(
                source, clip->source_turn[j]);
        }
        clip->turn[j] = turn;
        clip->source_turn[j] = source;
    }
    if (source_step < SOURCE_JUMP) {
        result->step = fmax(result->step, step);
        result->source_step = fmax(result->source_step, source_step);
    }
    return source_step;
}

static void measure_frame(Clip *clip, int frame, Result *result)
{
    double mean = 0.0, largest = 0.0;
    bench_figure_pose(&clip->now, clip->q);
    bench_figure_errors(&clip->now, clip->goals, clip->target_count, &mean, &largest);
    result->mean += mean / clip->frame_count;
    double source_step = frame > 0 ? measure_turns(clip, frame, result) : 0.0;
    if (largest > result->worst) {
        result->worst = largest;
        result->worst_speed = BENCH_FRAME_RATE * source_step;
    }
    bench_figure_copy(&clip->before, &clip->now);
    bench_figure_copy(&clip->source_before, &clip->source);
}

static void put_times(Clip *clip, Result *result)
{
    size_t frames = (size_t)clip->frame_count;
    for (size_t f = 0; f < frames; ++f) {
        double three[PASSES];
        for (size_t pass = 0; pass < PASSES; ++pass) {
            three[pass] = clip->times[pass * frames + f];
        }
        clip->times[f] = bench_middle(three, PASSES);
    }
    result->median = bench_quantile(clip->times, frames, 0.5);
    result->p99 = bench_quantile(clip->times, frames, 0.99);
}

static bool follow(Clip *clip, Result *result)
{
    for (int pass = 0; pass < PASSES; ++pass) {
        sinew_tracker_reset(clip->tracker);
        for (int frame = 0; frame < clip->frame_count; ++frame) {
            set_goals(clip, frame);
            double start = bench_clock(NULL);
            sinew_Status status = sinew_tracker_update(
                clip->tracker, clip->goals, clip->target_count, clip->q, NULL, NULL);
            clip->times[pass * clip->frame_count + frame] = bench_clock(NULL) - start;
            if (status != SINEW_STATUS_OK) { return false; }
            if (pass == 0) { measure_frame(clip, frame, result); }
        }
    }
    double shaking = bench_quantile(clip->changes, clip->change_count, 0.99);
    double source = bench_quantile(clip->source_changes, clip->change_count, 0.99);
    result->shaking = fmax(shaking, STILL) / fmax(source, STILL);
    result->frames = clip->frame_count;
    result->targets = clip->target_count;
    put_times(clip, result);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Tables and rows

/// Over clips. The tracker lets no joint turn by more than 18 rad/s unless goals ask for it: where the source
/// is faster, that is what holds it.
typedef struct Total {
    int clips, leaps, over_mean, over_worst, over_shaking, over_p99;
    double leap, mean_of_means, largest_mean, worst, worst_speed, shaking, p99, p99s[256];
    char leaper[40], farthest[40];
} Total;

/// What was asked of clips inside limits; without limits, where nothing may get worse: what was measured
/// at version 0.1.0 and a tenth for the machine. INFINITY: nothing was asked.
typedef struct Bounds {
    double mean, worst, shaking, p99;
} Bounds;

static void add_to_total(Total *total, const Result *r, const Bounds *bounds, const char *name)
{
    double most = fmax(STEP_BOUND, STEP_RATIO * r->source_step);
    total->leaps += r->step > most ? 1 : 0;
    if (r->step / most > total->leap) {
        total->leap = r->step / most;
        snprintf(total->leaper, sizeof total->leaper, "%.24s %.2f", name, r->step);
    }
    if (r->worst > total->worst) {
        total->worst = r->worst;
        total->worst_speed = r->worst_speed;
        snprintf(total->farthest, sizeof total->farthest, "%.32s", name);
    }
    total->mean_of_means += r->mean;
    total->largest_mean = fmax(total->largest_mean, r->mean);
    total->shaking = fmax(total->shaking, r->shaking);
    total->p99 = fmax(total->p99, r->p99);
    total->over_mean += r->mean > bounds->mean ? 1 : 0;
    total->over_worst += r->worst > bounds->worst ? 1 : 0;
    total->over_shaking += r->shaking > bounds->shaking ? 1 : 0;
    total->over_p99 += r->p99 > bounds->p99 ? 1 : 0;
    if (total->clips < 256) { total->p99s[total->clips++] = r->p99; }
}

static const bench_Column columns[] = { { "clip", "clip", NULL, 0.0 },
    { "targets", "targets", "0", 1.0 }, { "frames", "frames", "0", 1.0 },
    { "step rad", "step_rad", "2", 1.0 }, { "source", "source_step_rad", "2", 1.0 },
    { "mean mm", "mean_m", "2", 1e3 }, { "worst mm", "worst_m", "1", 1e3 },
    { "shaking", "shaking", "2", 1.0 }, { "median us", "median_s", "1", 1e6 },
    { "p99 us", "p99_s", "0", 1e6 }, { NULL, NULL, NULL, 0.0 } };

static void put_rows(
    bench_Following *following, bool limits, bool all, const Bounds *bounds, Total *total)
{
    char what[CLI_TABLE_CELL], kind[48], asked[48];
    int clips = total->clips;
    snprintf(kind, sizeof kind, "clips%s, %s", limits ? " in limits" : "",
        all ? "all targets" : "key targets");

    snprintf(what, sizeof what, "%s: steps above max(0.35, 1.5 x source's)", kind);
    bench_following_row(following, what, "0 clips", total->leaps, 0.0,
        "%d of %d clips; %.1f x the bound (%s rad)", total->leaps, clips, total->leap,
        total->leaper);
    snprintf(what, sizeof what, "%s: mean error of a clip", kind);
    snprintf(asked, sizeof asked, "%.2g mm", 1e3 * bounds->mean);
    bench_following_row(following, what, asked, total->largest_mean, bounds->mean,
        "%.2f mm, %d of %d clips over; mean of all %.2f mm", 1e3 * total->largest_mean,
        total->over_mean, clips, 1e3 * total->mean_of_means / clips);
    snprintf(what, sizeof what, "%s: largest error", kind);
    snprintf(asked, sizeof asked, "%.2g mm", 1e3 * bounds->worst);
    bench_following_row(following, what, asked, total->worst, bounds->worst,
        "%.1f mm, %d of %d clips over (%s, at %.0f rad/s)", 1e3 * total->worst, total->over_worst,
        clips, total->farthest, total->worst_speed);
    snprintf(what, sizeof what, "%s: shaking against the source's, 1e-5 rad still", kind);
    snprintf(asked, sizeof asked, isfinite(bounds->shaking) ? "%.2g times" : "-", bounds->shaking);
    bench_following_row(following, what, asked, total->shaking, bounds->shaking,
        "%.2f times, %d of %d clips over", total->shaking, total->over_shaking, clips);
    snprintf(what, sizeof what, "%s: p99 of a frame", kind);
    snprintf(asked, sizeof asked, "%.2g ms", 1e3 * bounds->p99);
    bench_following_row(following, what, asked, total->p99, bounds->p99,
        "%.2f ms, %d of %d clips over; median of clips %.2f ms", 1e3 * total->p99, total->over_p99,
        clips, 1e3 * bench_quantile(total->p99s, (size_t)clips, 0.5));
}

static void run_all(bench_Following *following, bool limits, bool all, const Bounds *bounds)
{
    const int count = bench_motion_count();
    const bool details = !following->request->markdown;
    Total total = { 0 };
    char title[120], key[32];
    snprintf(title, sizeof title, "%s by %s (steps: longest turn of a joint in 1/60 s)",
        limits ? "Inside guessed limits" : "Without limits", all ? "all joints" : "key targets");
    snprintf(key, sizeof key, "clips_%s_%s", limits ? "limits" : "free", all ? "all" : "key");
    if (details) { bench_columns_begin(following->out, key, title, columns); }
    for (int i = 0; i < count; ++i) {
        Clip clip;
        Result r = { 0 };
        char path[600];
        if (!bench_motion_path(i, path, sizeof path)) { continue; }
        const char *name = strrchr(path, '/') + 1;
        if (open_clip(&clip, path, limits, all) && follow(&clip, &r)) {
            add_to_total(&total, &r, bounds, name);
            if (details) {
                bench_row(following->out, columns, (const char *[]){ name },
                    (const double[]){ r.targets, r.frames, r.step, r.source_step, r.mean, r.worst,
                        r.shaking, r.median, r.p99 });
            }
        }
        close_clip(&clip);
    }
    if (details) { bench_table_end(following->out); }
    if (total.clips > 0) { put_rows(following, limits, all, bounds, &total); }
}

void bench_following_clips(bench_Following *following)
{
    static const Bounds key = { 1e-3, 50e-3, INFINITY, 1e-3 };
    static const Bounds all = { 1.5e-3, 60e-3, 1.3, 1e-3 };
    static const Bounds free_key = { 0.15e-3, 1.1e-3, 2.3, 0.11e-3 };
    static const Bounds free_all = { 0.15e-3, 0.8e-3, 2.4, 0.48e-3 };
    run_all(following, true, false, &key);
    run_all(following, true, true, &all);
    run_all(following, false, false, &free_key);
    run_all(following, false, true, &free_all);
}
