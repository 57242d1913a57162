#include "bench/walk_gait.h"

#include "bench/gait_fit.h"
#include "measure/gait_compare.h"
#include "scenes/recorded_gaits.h"
#include "walk/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81;
/// Frames of what is read, seconds of each, and how long it takes to go steadily before.
static const double frame_time = 1.0 / 120.0, run_up = 4.0, length = 10.0;

// ---------------------------------------------------------------------------------------------
// Walkers

/// Walk up to speed, then along the clip; meter may be NULL.
static sinew_Status record(sinew_Walker *walker, sinew_Clip *clip, double speed,
    measure_WalkMeter *meter, sinew_Message *out_message)
{
    sinew_Steering steering = { speed, 0.0, 0.0 };
    sinew_Status status = SINEW_STATUS_OK;
    int before = (int)(run_up / frame_time + 0.5);
    for (int f = -before; f < sinew_clip_frame_count(clip) && status == SINEW_STATUS_OK; ++f) {
        double *q = sinew_clip_frame(clip, f > 0 ? f : 0);
        status = sinew_walker_update(walker, &steering, frame_time, NULL, q, out_message);
        // jolts are meant at 60 frames a second
        if (meter != NULL && status == SINEW_STATUS_OK && f % 2 == 0) {
            measure_walk_look(meter, walker, 2.0 * frame_time, q, NULL);
        }
    }
    return status;
}

/// The joints to read, as the walker names them.
static snw_GaitBody body_of(const sinew_Walker *walker)
{
    snw_GaitBody body = { .leg_length = sinew_walker_leg_length(walker),
        .upright = sinew_quat_identity() };
    int left = sinew_walker_leg_def(walker, 0)->side == SINEW_SIDE_LEFT ? 0 : 1;
    for (int side = 0; side < 2; ++side) {
        const sinew_LegDef *def = sinew_walker_leg_def(walker, side == 0 ? left : 1 - left);
        body.thigh[side] = def->hip;
        body.shin[side] = def->knee;
        body.foot[side] = def->ankle;
        body.toe[side] = def->toe;
    }
    return body;
}

bool bench_gait_walk_by(const bench_WalkRun *run, const snw_GaitNumbers *numbers, double speed,
    snw_Gait *out_gait, measure_WalkFigures *out_figures, sinew_Message *out_message)
{
    memset(out_gait, 0, sizeof *out_gait);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = run->skeleton;
    def.roles = run->roles;
    def.stance = run->stance;
    def.style = run->style;
    def.rows = run->rows;
    sinew_Walker *walker = NULL;
    sinew_Clip *clip = NULL;
    measure_WalkMeter *meter = NULL;
    int frames = (int)(length / frame_time + 0.5);
    bool made = sinew_walker_create(&def, &walker, out_message) == SINEW_STATUS_OK
        && sinew_clip_create(run->skeleton, frames, frame_time, NULL, &clip) == SINEW_STATUS_OK
        && measure_walk_of(walker, run->skeleton, 0.0, 0.0, &meter) == SINEW_STATUS_OK;
    made = made && sinew_walker_report(walker).leg_count == 2
        && sinew_walker_leg_def(walker, 0)->toe >= 0 && sinew_walker_leg_def(walker, 0)->knee >= 0;
    if (made) {
        if (numbers != NULL) { snw_walker_use_gait(walker, numbers); }
        snw_GaitBody body = body_of(walker);
        made = record(walker, clip, speed, meter, out_message) == SINEW_STATUS_OK
            && snw_gait_read(clip, &body, 0.0, length, NULL, out_gait) == SINEW_STATUS_OK;
        if (out_figures != NULL) { *out_figures = measure_walk_figures(meter); }
    }
    measure_walk_destroy(meter);
    sinew_clip_destroy(clip);
    sinew_walker_destroy(walker);
    return made;
}

bool bench_gait_walk(
    const bench_WalkRun *run, double speed, snw_Gait *out_gait, sinew_Message *out_message)
{
    return bench_gait_walk_by(run, NULL, speed, out_gait, NULL, out_message);
}

// ---------------------------------------------------------------------------------------------
// Recordings

snw_Gait bench_gait_recorded(int index)
{
    const scene_RecordedGait *recorded = &scene_recorded_gaits[index];
    snw_Gait gait;
    memset(&gait, 0, sizeof gait);
    memcpy(gait.curves[SNW_GAIT_HIP], recorded->hip, sizeof recorded->hip);
    memcpy(gait.curves[SNW_GAIT_KNEE], recorded->knee, sizeof recorded->knee);
    memcpy(gait.curves[SNW_GAIT_ANKLE], recorded->ankle, sizeof recorded->ankle);
    gait.froude = recorded->froude;
    gait.stride = recorded->stride;
    gait.stride_count = 1;
    return gait;
}

snw_Gait bench_gait_recorded_mean(int half)
{
    snw_Gait gaits[SCENE_RECORDED_GAITS], mean;
    const snw_Gait *list[SCENE_RECORDED_GAITS];
    int count = 0;
    for (int i = 0; i < SCENE_RECORDED_GAITS; ++i) {
        if (half >= 0 && scene_recorded_gaits[i].half != half) { continue; }
        gaits[count] = bench_gait_recorded(i);
        list[count] = &gaits[count];
        ++count;
    }
    measure_gait_mean(list, count, &mean);
    return mean;
}

bench_GaitMatch bench_gait_match(const snw_Gait *a, const snw_Gait *b)
{
    static const snw_GaitCurve curves[3] = { SNW_GAIT_HIP, SNW_GAIT_KNEE, SNW_GAIT_ANKLE };
    bench_GaitMatch match;
    for (int c = 0; c < 3; ++c) {
        match.correlation[c] = measure_gait_correlation(a->curves[curves[c]], b->curves[curves[c]]);
        match.rms[c] = measure_gait_rms(a->curves[curves[c]], b->curves[curves[c]]);
    }
    return match;
}

// ---------------------------------------------------------------------------------------------

/// A gait that walkers are laid beside.
typedef struct Reference {
    const char *name;
    snw_Gait gait;
} Reference;

enum { REFERENCES = 3 + SCENE_RECORDED_GAITS };

static void list_references(Reference references[REFERENCES])
{
    static const char *const names[3] = { "mean of half 1", "mean of half 2", "mean of all" };
    for (int i = 0; i < 3; ++i) {
        references[i].name = names[i];
        references[i].gait = bench_gait_recorded_mean(i < 2 ? i : -1);
    }
    for (int i = 0; i < SCENE_RECORDED_GAITS; ++i) {
        references[3 + i].name = scene_recorded_gaits[i].name;
        references[3 + i].gait = bench_gait_recorded(i);
    }
}

double bench_gait_leg_length(const bench_WalkRun *run, sinew_Message *out_message)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = run->skeleton;
    def.roles = run->roles;
    def.stance = run->stance;
    sinew_Walker *walker;
    if (sinew_walker_create(&def, &walker, out_message) != SINEW_STATUS_OK) { return 0.0; }
    double leg_length = sinew_walker_leg_length(walker);
    sinew_walker_destroy(walker);
    return leg_length;
}

int bench_gait_table(
    const bench_WalkRun *run, bench_GaitRow rows[BENCH_GAIT_ROWS], sinew_Message *out_message)
{
    Reference references[REFERENCES];
    list_references(references);
    double leg_length = bench_gait_leg_length(run, out_message);
    if (!(leg_length > 0.0)) { return 0; }
    int count = 0;
    for (int style = 0; style < BENCH_GAIT_STYLES; ++style) {
        bench_WalkRun this_run = *run;
        this_run.style = (sinew_WalkStyle)style;
        for (int r = 0; r < REFERENCES; ++r) {
            bench_GaitRow *row = &rows[count++];
            row->style = bench_walk_style_name(this_run.style);
            row->against = references[r].name;
            row->speed = references[r].gait.froude * sqrt(gravity * leg_length);
            snw_Gait gait;
            if (!bench_gait_walk(&this_run, row->speed, &gait, out_message)) {
                // such as styles that a body of another kind does not have
                --count;
                break;
            }
            row->has_strides = gait.stride_count > 0;
            row->match = bench_gait_match(&gait, &references[r].gait);
        }
    }
    bench_GaitRow *people = &rows[count++];
    people->style = "recorded";
    people->against = "half 1 and half 2";
    people->speed = 0.0;
    people->has_strides = true;
    people->match = bench_gait_match(&references[0].gait, &references[1].gait);
    return count;
}
