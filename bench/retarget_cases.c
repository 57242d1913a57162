#include "bench/retarget_cases.h"

#include "bench/bench.h"
#include "bench/bench_setup.h"

#include "cli/arguments.h"
#include "cli/input.h"
#include "cli/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *file;
    bool video;
} clips[] = {
    { "bvh/cmu_12_01_walk_mb.bvh", false },
    { "bvh/bandai_2_walk_normal_003.bvh", false },
    { "bvh/bandai_2_walk_elderly_001.bvh", false },
    { "bvh/bandai_2_walk-turn-left_normal_005.bvh", false },
    { "bvh/bandai_2_run_normal_004.bvh", false },
    { "bvh/bandai_2_run_active_002.bvh", false },
    { "bvh/mass_dance.bvh", false },
    { "bvh/mass_kick.bvh", false },
    { "bvh/fair_dab.bvh", false },
    { "bvh/rokokovision_boxing.bvh", true },
};

static const struct {
    const char *file, *name;
    double legs; ///< shins and feet are moved out by this factor
} characters[] = {
    { "gltf/cesium_man.gltf", "cesium_man", 1.0 },
    { "bvh/makehuman_tpose_6ch.bvh", "makehuman", 1.0 },
    { "bvh/bandai_2_walk_feminine_002.bvh", "bandai", 1.0 },
    { "bvh/mass_walk.bvh", "mass, legs x 1.4", 1.4 },
    { "bvh/cmu_01_01_mb.bvh", "cmu, legs x 0.6", 0.6 },
};
enum {
    CLIPS = (int)(sizeof clips / sizeof clips[0]),
    CHARACTERS = (int)(sizeof characters / sizeof characters[0])
};

static const double limit_step = 0.3; // radians in 1/60 s

/// A file, or what was made of it.
typedef struct Body {
    cli_Input input;
    sinew_Skeleton *scaled;
    const sinew_Skeleton *skeleton;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
} Body;

// ---------------------------------------------------------------------------------------------
// Bodies

static void close_body(Body *body)
{
    sinew_stance_destroy(body->stance);
    sinew_roles_destroy(body->roles);
    sinew_skeleton_destroy(body->scaled);
    cli_input_close(&body->input);
}

static bool is_leg_bone(const sinew_RoleGuess *roles, int joint)
{
    sinew_Role role = roles->joints[joint].role;
    return role == SINEW_ROLE_SHIN || role == SINEW_ROLE_FOOT;
}

static sinew_Skeleton *with_longer_legs(
    const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, double factor)
{
    int count = sinew_skeleton_joint_count(skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_JointDef *defs = malloc((size_t)count * sizeof *defs);
    sinew_Skeleton *made = NULL;
    for (int j = 0; defs != NULL && j < count; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = joints[j].name;
        defs[j].parent = joints[j].parent;
        defs[j].offset = sinew_vec3_scale(joints[j].offset, is_leg_bone(roles, j) ? factor : 1.0);
        defs[j].rest_rotation = joints[j].rest_rotation;
        defs[j].axes = sinew_skeleton_axes(skeleton) + joints[j].axis_start;
        defs[j].axis_count = joints[j].axis_count;
    }
    if (defs != NULL) { sinew_skeleton_create(defs, count, NULL, &made, NULL); }
    free(defs);
    return made;
}

static bool see_body(Body *body, const sinew_Clip *motion)
{
    sinew_PoseList poses = cli_poses(motion);
    int count = sinew_skeleton_joint_count(body->skeleton);
    sinew_RoleOptions options = sinew_role_options_default();
    sinew_Message message = { "" };
    bool *ends = calloc((size_t)count, sizeof *ends);
    for (int j = 0; ends != NULL && j < count; ++j) { ends[j] = cli_is_end_site(&body->input, j); }
    options.motion = &poses;
    options.is_end_site = ends;
    bool good = ends != NULL
        && sinew_roles_guess(body->skeleton, &options, NULL, &body->roles, &message)
            == SINEW_STATUS_OK
        && sinew_stance_guess(body->skeleton, body->roles, &poses, NULL, &body->stance, &message)
            == SINEW_STATUS_OK;
    free(ends);
    return good;
}

static bool open_body(Body *body, const char *file, double legs, bool limits)
{
    char path[512];
    sinew_ReadOptions read = sinew_read_options_default();
    memset(body, 0, sizeof *body);
    if (!bench_data_path(file, path, sizeof path)) {
        cli_error("bench retarget: no %s in the test data (SINEW_DATA names their folder)", file);
        return false;
    }
    // the input keeps the name
    static char names[2][512];
    static int which;
    which = 1 - which;
    snprintf(names[which], sizeof names[which], "%s", path);
    if (!cli_input_open_rigged(&body->input, names[which], &read, limits ? "auto" : "none")) {
        return false;
    }
    body->skeleton = body->input.skeleton;
    const sinew_Clip *motion = body->input.source;
    if (limits) {
        // roles and stance are those of the file's own skeleton; the joints are the same
        body->skeleton = sinew_clip_skeleton(motion);
    }
    bool good = see_body(body, motion);
    if (good && legs != 1.0) {
        sinew_Skeleton *base = with_longer_legs(body->skeleton, body->roles, legs);
        sinew_stance_destroy(body->stance);
        sinew_roles_destroy(body->roles);
        body->stance = NULL;
        body->roles = NULL;
        body->scaled = base;
        body->skeleton = base;
        good = base != NULL && see_body(body, motion);
    }
    if (good && limits) {
        sinew_Skeleton *base = body->scaled;
        body->skeleton = body->input.skeleton;
        if (base != NULL) {
            body->scaled = with_longer_legs(body->input.skeleton, body->roles, legs);
            body->skeleton = body->scaled;
        }
        good = body->skeleton != NULL;
        sinew_skeleton_destroy(base);
    }
    if (!good) { cli_error("bench retarget: %s: no stance", file); }
    return good;
}

// ---------------------------------------------------------------------------------------------
// One pair

// the motion as a file of it would be read again
static sinew_MotionFile *written(const Body *body, const sinew_Clip *clip)
{
    bool gltf = body->input.file != NULL
        && sinew_motion_format(body->input.file) == SINEW_FORMAT_GLTF;
    sinew_WriteOptions options = sinew_write_options_default();
    if (body->scaled == NULL) { options.like = body->input.file; }
    options.unit = 1.0;
    char *data = NULL;
    size_t size = 0;
    sinew_Message message = { "" };
    sinew_MotionFile *file = NULL;
    const char *name = gltf ? "result.glb" : "result.bvh";
    if (sinew_motion_write_memory(name, clip, &options, NULL, &data, &size, &message)
        == SINEW_STATUS_OK) {
        sinew_ReadOptions read = sinew_read_options_default();
        read.unit = 1.0;
        sinew_motion_read_memory(data, size, name, &read, &file, &message);
    }
    free(data);
    if (file == NULL) { cli_error("bench retarget: %s", message.text); }
    return file;
}

static void compare(const bench_Motion *source, const bench_Motion *result, bench_RetargetRow *row)
{
    double scale = row->scale, arms = source->arm > 0.0 ? result->arm / source->arm : scale;
    for (int part = 0; part < BENCH_PART_COUNT; ++part) {
        // hands and head of a body with short legs go as far as their arms and trunk are long
        bool upper = part == BENCH_PART_UPPER || part == BENCH_PART_ALL;
        double wanted = (upper ? fmax(scale, arms) : scale) * source->acceleration[part];
        row->ratio[part] = result->acceleration[part] / fmax(wanted, 1e-9);
        row->above[part] = result->acceleration[part] - wanted;
    }
    double allowed = fmax(limit_step * 60.0 * source->frame_time, 1.2 * source->step);
    row->step = result->step / allowed;
    row->collapse = result->collapse - 1.2 * source->collapse;
    row->trunk = bench_motion_trunk(source, result);
}

static bool measure(const Body *source, const Body *target, const sinew_Clip *clip,
    const sinew_Clip *result, bench_RetargetRow *row)
{
    bench_Motion from, to;
    sinew_MotionFile *file = written(target, result);
    if (file == NULL) { return false; }
    bool good = bench_motion_open(&from, clip, source->roles, source->stance);
    if (good) {
        good = bench_motion_open(&to, sinew_motion_clip(file), target->roles, target->stance);
        bench_Slides own = { NULL, 0, 0 };
        good = good && bench_motion_slides(&to, 5u, &row->heels)
            && bench_motion_slides(&to, 10u, &row->balls) && bench_motion_slides(&from, 15u, &own);
        if (good) {
            compare(&from, &to, row);
            row->floor = bench_motion_floor(&from, &to, 0.0);
            row->below = bench_motion_below(&to, 0.0);
            row->source_slide = own.count > 0 ? bench_quantile(own.values, own.count, 0.5) : 0.0;
        }
        free(own.values);
        bench_motion_close(&to);
        bench_motion_close(&from);
    }
    sinew_motion_destroy(file);
    return good;
}

static sinew_RetargeterDef def_for(const Body *source, const Body *target, bench_RetargetWay way)
{
    sinew_RetargeterDef def = sinew_retargeter_def_default();
    def.source = (sinew_RetargetBody){ source->skeleton, source->roles, source->stance };
    def.target = (sinew_RetargetBody){ target->skeleton, target->roles, target->stance };
    def.keep_limits = way == BENCH_RETARGET_LIMITS;
    if (way == BENCH_RETARGET_NOW) { def.look_ahead = 0.0; }
    return def;
}

static bool run_clip(sinew_Retargeter *retargeter, const sinew_Clip *clip, sinew_Clip **out_result,
    bench_RetargetRow *row, sinew_Message *out_message)
{
    double times[3];
    for (int pass = 0; pass < 3; ++pass) {
        sinew_clip_destroy(*out_result);
        double start = bench_clock(NULL);
        if (sinew_retargeter_clip(retargeter, clip, out_result, &row->report, out_message)
            != SINEW_STATUS_OK) {
            return false;
        }
        times[pass] = bench_clock(NULL) - start;
    }
    row->frames_per_second = row->report.frame_count / bench_middle(times, 3);
    return true;
}

// the clip as a stream of 100 samples a second
static bool run_stream(sinew_Retargeter *retargeter, const sinew_RetargeterDef *def,
    const sinew_Clip *clip, sinew_Clip **out_result, bench_RetargetRow *row,
    sinew_Message *out_message)
{
    int frames = sinew_clip_frame_count(clip), done = 0;
    double *times = malloc((size_t)frames * sizeof *times);
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(def->target.skeleton) * sizeof *q);
    bool good = times != NULL && q != NULL
        && sinew_clip_create(def->target.skeleton, frames, def->frame_time, NULL, out_result)
            == SINEW_STATUS_OK;
    int due = (int)(def->look_ahead / def->frame_time + 0.5);
    for (int t = 0; good && t < frames + due; ++t) {
        long sample = 0;
        const double *source = sinew_clip_frame_const(clip, t < frames ? t : frames - 1);
        double start = bench_clock(NULL);
        good = sinew_retargeter_push(retargeter, source, q, &sample, out_message)
            == SINEW_STATUS_OK;
        if (t < frames) { times[t] = bench_clock(NULL) - start; }
        if (!good || (t < due && sample == 0 && t > 0)) { continue; }
        size_t width = (size_t)sinew_skeleton_coordinate_count(def->target.skeleton);
        memcpy(sinew_clip_frame(*out_result, (int)sample), q, width * sizeof *q);
        ++done;
    }
    if (good) {
        row->latency = bench_quantile(times, (size_t)frames, 0.99);
        row->frames_per_second = 1.0 / bench_quantile(times, (size_t)frames, 0.5);
        row->report.frame_count = done;
    }
    free(times);
    free(q);
    return good;
}

static bool run_pair(
    const Body *source, const Body *target, bench_RetargetWay way, bench_RetargetRow *row)
{
    sinew_RetargeterDef def = def_for(source, target, way);
    sinew_Retargeter *retargeter = NULL;
    sinew_Clip *result = NULL;
    sinew_Message message = { "" };
    const sinew_Clip *clip = source->input.clip;
    sinew_Clip *resampled = NULL;
    bool live = way >= BENCH_RETARGET_LIVE;
    if (live) {
        sinew_clip_resample(clip, def.frame_time, NULL, &resampled);
        clip = resampled;
    }
    bool good = clip != NULL
        && sinew_retargeter_create(&def, &retargeter, &message) == SINEW_STATUS_OK
        && (live ? run_stream(retargeter, &def, clip, &result, row, &message)
                 : run_clip(retargeter, clip, &result, row, &message));
    if (!good) { cli_error("%s to %s: %s", row->clip, row->target, message.text); }
    row->scale = sinew_retargeter_scale(retargeter);
    good = good && measure(source, target, clip, result, row);
    sinew_clip_destroy(result);
    sinew_clip_destroy(resampled);
    sinew_retargeter_destroy(retargeter);
    return good;
}

bool bench_retarget_run(bench_RetargetTable *table, bench_RetargetWay way)
{
    bool good = true;
    table->way = way;
    for (int c = 0; good && c < CHARACTERS; ++c) {
        Body target, source;
        good = open_body(
            &target, characters[c].file, characters[c].legs, way == BENCH_RETARGET_LIMITS);
        for (int i = 0; good && i < CLIPS; ++i) {
            good = open_body(&source, clips[i].file, 1.0, false);
            if (!good) { break; }
            bench_RetargetRow *row = &table->rows[table->count++];
            row->clip = cli_base_name(clips[i].file);
            row->target = characters[c].name;
            row->video = clips[i].video;
            good = run_pair(&source, &target, way, row);
            close_body(&source);
        }
        close_body(&target);
    }
    return good;
}

void bench_retarget_free(bench_RetargetTable *table)
{
    for (int i = 0; i < table->count; ++i) {
        free(table->rows[i].heels.values);
        free(table->rows[i].balls.values);
    }
    table->count = 0;
}

// ---------------------------------------------------------------------------------------------
// What was asked

static bench_RetargetVerdict *next(
    bench_RetargetVerdict *verdicts, int *count, const char *what, const char *asked, bool met)
{
    bench_RetargetVerdict *v = &verdicts[(*count)++];
    snprintf(v->what, sizeof v->what, "%s", what);
    snprintf(v->asked, sizeof v->asked, "%s", asked);
    v->met = met;
    return v;
}

static void judge_slides(
    const bench_RetargetTable *table, bool balls, bench_RetargetVerdict *verdicts, int *count)
{
    bool live = table->way >= BENCH_RETARGET_LIVE;
    bench_Slides all = { NULL, 0, 0 };
    for (int i = 0; i < table->count; ++i) {
        const bench_RetargetRow *row = &table->rows[i];
        const bench_Slides *s = balls ? &row->balls : &row->heels;
        if (row->video) { continue; }
        double *grown = realloc(all.values, (all.count + s->count + 1) * sizeof *grown);
        if (grown == NULL) { break; }
        all.values = grown;
        memcpy(all.values + all.count, s->values, s->count * sizeof *grown);
        all.count += s->count;
    }
    if (all.count > 0) {
        double mid = bench_quantile(all.values, all.count, 0.5);
        double most = bench_quantile(all.values, all.count, 0.95);
        double max = bench_quantile(all.values, all.count, 1.0);
        bool met = live ? mid <= 1.0 && most <= 4.0 : mid <= 0.5 && most <= 3.0 && max <= 5.0;
        bench_RetargetVerdict *v = next(verdicts, count,
            balls ? "ball slide, clean captures (mm)" : "heel slide, clean captures (mm)",
            table->way == BENCH_RETARGET_NOW ? "-"
                : live                       ? "median 1, p95 4"
                                             : "median 0.5, p95 3, max 5",
            met || table->way == BENCH_RETARGET_NOW);
        snprintf(v->measured, sizeof v->measured, "%.2f, %.2f, %.2f of %zu contacts", mid, most,
            max, all.count);
    }
    free(all.values);
}

static void judge_video(
    const bench_RetargetTable *table, bench_RetargetVerdict *verdicts, int *count)
{
    double most = 0.0, own = 0.0;
    for (int i = 0; i < table->count; ++i) {
        const bench_RetargetRow *row = &table->rows[i];
        if (!row->video) { continue; }
        double mid = fmax(bench_quantile(row->heels.values, row->heels.count, 0.5),
            bench_quantile(row->balls.values, row->balls.count, 0.5));
        most = fmax(most, mid);
        own = row->source_slide;
    }
    bench_RetargetVerdict *v = next(verdicts, count, "median slide, video capture (mm)",
        "half of the source's own", most <= 0.5 * own);
    snprintf(v->measured, sizeof v->measured, "%.2f; source %.2f", most, own);
}

/// A figure that every pair must keep below a bound.
typedef struct Rule {
    const char *what, *asked;
    double (*of)(const bench_RetargetRow *row);
    double bound;
    bool clean_alone;
} Rule;

static double floor_of(const bench_RetargetRow *r)
{
    return r->floor;
}
static double below_of(const bench_RetargetRow *r)
{
    return r->below;
}
static double trunk_of(const bench_RetargetRow *r)
{
    return r->trunk * 57.29577951308232;
}
static double all_of(const bench_RetargetRow *r)
{
    return r->ratio[BENCH_PART_ALL];
}
static double hips_of(const bench_RetargetRow *r)
{
    return r->ratio[BENCH_PART_HIPS];
}
// the ratio, or 0 where the acceleration is less than 3 m/s^2 above the source's
static double knees_of(const bench_RetargetRow *r)
{
    return r->above[BENCH_PART_KNEES] <= 3.0 ? 0.0 : r->ratio[BENCH_PART_KNEES];
}
static double ankles_of(const bench_RetargetRow *r)
{
    return r->above[BENCH_PART_ANKLES] <= 3.0 ? 0.0 : r->ratio[BENCH_PART_ANKLES];
}
static double step_of(const bench_RetargetRow *r)
{
    return r->step;
}
static double short_of(const bench_RetargetRow *r)
{
    return r->report.short_frames;
}
static double collapse_of(const bench_RetargetRow *r)
{
    return r->collapse;
}
static double limit_of(const bench_RetargetRow *r)
{
    return r->report.limit_violation;
}
static double speed_of(const bench_RetargetRow *r)
{
    return 1e6 / r->frames_per_second;
}
static double latency_of(const bench_RetargetRow *r)
{
    return 1e3 * r->latency;
}

int bench_retarget_judge(const bench_RetargetTable *table, bench_RetargetVerdict *out_verdicts)
{
    const Rule rules[] = {
        { "floor, heel and ball down (mm)", "5", floor_of, 5.0, true },
        { "below the floor, all frames (mm)", "5", below_of, 5.0, false },
        { "trunk against the source (deg)", "1", trunk_of, 1.0, false },
        { "acceleration p99, all joints", "1.2 x source", all_of, 1.2, false },
        { "acceleration p99, hips", "1.2 x source", hips_of, 1.2, false },
        { "acceleration p99, knees", "1.5 x or +3 m/s2", knees_of, 1.5, false },
        { "acceleration p99, ankles", "1.5 x or +3 m/s2", ankles_of, 1.5, false },
        { "joint step, of 0.3 rad or 1.2 x", "1", step_of, 1.0, false },
        { "legs out of reach in plants (frames)", "0", short_of, 0.0, false },
        { "hips fall in the first frames (legs)", "0.02 above source", collapse_of, 0.02, false },
        { "limits exceeded (rad)", "0", limit_of, 0.0, false },
        { "microseconds a frame", table->way == BENCH_RETARGET_LIMITS ? "500" : "50", speed_of,
            table->way == BENCH_RETARGET_LIMITS ? 500.0 : 50.0, false },
        { "latency of a sample, p99 (ms)", "0.5", latency_of, 0.5, false },
    };
    int count = 0;
    bool live = table->way >= BENCH_RETARGET_LIVE;
    judge_slides(table, false, out_verdicts, &count);
    judge_slides(table, true, out_verdicts, &count);
    judge_video(table, out_verdicts, &count);
    for (size_t k = 0; k < sizeof rules / sizeof rules[0]; ++k) {
        if (rules[k].of == limit_of && table->way != BENCH_RETARGET_LIMITS) { continue; }
        if ((rules[k].of == latency_of) != live
            && (rules[k].of == latency_of || rules[k].of == speed_of)) {
            continue;
        }
        const bench_RetargetRow *worst_row = NULL;
        double most = -INFINITY;
        int met = 0, judged = 0;
        for (int i = 0; i < table->count; ++i) {
            const bench_RetargetRow *row = &table->rows[i];
            if (rules[k].clean_alone && row->video) { continue; }
            double value = rules[k].of(row);
            ++judged;
            met += value <= rules[k].bound ? 1 : 0;
            if (value > most) {
                most = value;
                worst_row = row;
            }
        }
        // live motion is asked for calm hips and short latency; without look-ahead all is told alone
        bool asked = !live || rules[k].of == latency_of
            || (rules[k].of == hips_of && table->way == BENCH_RETARGET_LIVE);
        bench_RetargetVerdict *v = next(out_verdicts, &count, rules[k].what,
            asked ? rules[k].asked : "-", !asked || met == judged);
        snprintf(v->measured, sizeof v->measured, "%d of %d; at most %.3g (%.16s, %.10s)", met,
            judged, most, worst_row != NULL ? worst_row->clip : "",
            worst_row != NULL ? worst_row->target : "");
    }
    return count;
}
