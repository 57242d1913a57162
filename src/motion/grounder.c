#include "motion/grounder.h"
#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"

#include <string.h>

// Making a grounder, and passing poses from stage to stage.

// shares of the look-ahead: knowing the next stands, knowing the ground that the hips come to, sinking in time
#define PATH_SHARE 0.5
#define LIFT_SHARE 0.35
// hips need no more warning than this, seconds
#define LONGEST_SINK 0.4
// how far back stages look, seconds
#define HISTORY 1.5
// the ground is felt this long ahead of the hips: as far as following them matters, seconds
#define LEAD_TIME 0.6
// hips that go faster are somewhere else: nobody runs at more than 12.5 m/s; legs per second
#define FASTEST 20.0

sinew_GrounderDef sinew_grounder_def_default(void)
{
    sinew_GrounderDef def = {
        .frame_time = 1.0 / 60.0,
        .look_ahead = 0.1,
        .fade_time = 0.2,
        .reach = 0.98,
        .max_slope = 0.5,
        .max_shift = 0.16,
        .cookie = SNW_COOKIE,
    };
    def.contacts = sinew_contact_settings_default();
    return def;
}

// ---------------------------------------------------------------------------------------------
// Checks

static sinew_Status check(const sinew_GrounderDef *def, sinew_Message *out_message)
{
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(out_message, "grounder"); }
    sinew_Status status = snw_retarget_check_body(&def->body, "body", out_message);
    const snw_Range ranges[] = {
        { "floor", def->floor, -1e6, 1e6 },
        { "frame_time", def->frame_time, 0.001, 0.2 },
        { "look_ahead", def->look_ahead, 0.0, SINEW_MAX_GROUNDER_LOOK_AHEAD },
        { "fade_time", def->fade_time, 0.0, 10.0 },
        { "reach", def->reach, 0.8, 1.0 },
        { "max_slope", def->max_slope, 0.0, 1.2 },
        { "max_shift", def->max_shift, 0.0, 0.5 },
        { "contacts.begin_speed", def->contacts.begin_speed, 0.0, 1e6 },
        { "contacts.begin_height", def->contacts.begin_height, 0.0, 1e6 },
        { "contacts.slowing_speed", def->contacts.slowing_speed, 0.0, 1e6 },
        { "contacts.end_speed", def->contacts.end_speed, 0.0, 1e6 },
        { "contacts.end_height", def->contacts.end_height, 0.0, 1e6 },
        { "contacts.longest_gap", def->contacts.longest_gap, 0.0, 1.0 },
        { "contacts.shortest", def->contacts.shortest, 0.0, 1.0 },
        { "contacts.half_window", def->contacts.half_window, 0.0, 0.2 },
    };
    return status != SINEW_STATUS_OK
        ? status
        : snw_check_ranges(out_message, "", ranges, sizeof ranges / sizeof ranges[0]);
}

// something at or above the hips must slide along each direction, or the hips cannot follow the ground
static sinew_Status check_travel(const snw_RetargetSide *body, sinew_Message *out_message)
{
    if (snw_retarget_travels(body)) { return SINEW_STATUS_OK; }
    return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
        "the hips cannot be moved: neither %s nor a joint above it slides in three directions",
        body->joints[body->hips].name);
}

// ---------------------------------------------------------------------------------------------
// Memory

static void set_delays(sinew_Grounder *g)
{
    const sinew_GrounderDef *def = &g->def;
    int all = (int)floor(def->look_ahead / def->frame_time + 1e-9);
    g->window = snw_grounder_frames(g, def->contacts.half_window);
    if (g->window < 1) { g->window = 1; }
    if (g->window > all) { g->window = all; }
    double sink = fmin((1.0 - PATH_SHARE - LIFT_SHARE) * def->look_ahead, LONGEST_SINK);
    g->hips_delay = (int)floor(sink / def->frame_time);
    g->path_delay = (int)ceil(PATH_SHARE * all);
    if (g->path_delay < g->window) { g->path_delay = g->window; }
    if (g->hips_delay > all - g->path_delay) { g->hips_delay = all - g->path_delay; }
    g->lift_delay = all - g->path_delay - g->hips_delay;
    g->lead = snw_grounder_frames(g, LEAD_TIME);
    g->capacity = all + snw_grounder_frames(g, HISTORY) + 4;
}

static sinew_Grounder *take_memory(snw_Arena *arena, const sinew_Grounder *plan)
{
    size_t joints = (size_t)sinew_skeleton_joint_count(plan->def.body.skeleton);
    size_t frames = (size_t)plan->capacity, coordinates = (size_t)plan->coordinates;
    sinew_Grounder *g = snw_arena_take(arena, 1, sizeof *g), draft = *plan;
    draft.ring = snw_arena_take(arena, frames, sizeof *draft.ring);
    draft.poses = snw_arena_take(arena, frames * coordinates, sizeof *draft.poses);
    draft.scratch = snw_arena_take(arena, frames, sizeof *draft.scratch);
    draft.blended = snw_arena_take(arena, coordinates, sizeof *draft.blended);
    snw_retarget_take_side(arena, &draft.carry.target, plan->def.body.skeleton);
    snw_retarget_take_carry(arena, &draft.carry, joints, joints);
    draft.carry.scale = 1.0;
    if (g != NULL) { *g = draft; }
    return g;
}

static sinew_Status set_up(sinew_Grounder *g, sinew_Message *out_message)
{
    snw_RetargetCarry *carry = &g->carry;
    sinew_Status status = snw_retarget_see(&carry->target, &g->def.body, "body", out_message);
    if (status == SINEW_STATUS_OK) { status = check_travel(&carry->target, out_message); }
    if (status != SINEW_STATUS_OK) { return status; }
    // a root goes up and down with the body: there is the ground
    carry->target.has_root = false;
    carry->source = carry->target;
    snw_retarget_match(carry, NULL, 0);
    carry->source_shift = sinew_vec3(0.0, -g->def.floor, 0.0);
    // the body's up is the ground's
    sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    sinew_Quat turn = sinew_quat_between(g->def.body.stance->up, up);
    g->ground_from_own = sinew_quat_mul(turn, sinew_quat_conjugate(carry->target.own_from_world));
    g->own_from_ground = sinew_quat_conjugate(g->ground_from_own);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_grounder_create(
    const sinew_GrounderDef *def, sinew_Grounder **out_grounder, sinew_Message *out_message)
{
    if (out_grounder != NULL) { *out_grounder = NULL; }
    if (def == NULL || out_grounder == NULL) {
        return SNW_CHECK_NULL(out_message, "def out_grounder", def, out_grounder);
    }
    sinew_Status status = check(def, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Grounder plan;
    memset(&plan, 0, sizeof plan);
    plan.def = *def;
    plan.allocator = snw_allocator_or_default(&def->allocator);
    plan.coordinates = sinew_skeleton_coordinate_count(def->body.skeleton);
    plan.enabled = true;
    set_delays(&plan);
    snw_Arena arena = { NULL, 0 };
    take_memory(&arena, &plan);
    if (!snw_arena_open(&arena, &plan.allocator, &plan.size)) {
        return snw_no_memory(out_message, "a grounder");
    }
    sinew_Grounder *g = take_memory(&arena, &plan);
    status = set_up(g, out_message);
    if (status != SINEW_STATUS_OK) {
        sinew_grounder_destroy(g);
        return status;
    }
    sinew_grounder_reset(g);
    *out_grounder = g;
    return SINEW_STATUS_OK;
}

void sinew_grounder_destroy(sinew_Grounder *grounder)
{
    if (grounder == NULL) { return; }
    snw_free(&grounder->allocator, grounder, grounder->size);
}

// ---------------------------------------------------------------------------------------------
// Poses

static double speed_of(const sinew_Grounder *g, int side, int point, int frame)
{
    SNW_ASSERT(side >= 0 && side < 2);
    SNW_ASSERT(frame >= 0);
    int a = frame - g->window < 0 ? 0 : frame - g->window;
    int b = frame + g->window > g->pushed - 1 ? g->pushed - 1 : frame + g->window;
    if (g->window == 0 && a > 0) { --a; }
    if (a >= b) { return 0.0; }
    const snw_CarriedFoot *from = &snw_grounder_frame(g, a)->feet[side].naive;
    const snw_CarriedFoot *to = &snw_grounder_frame(g, b)->feet[side].naive;
    double way = point == 0 ? sinew_vec3_distance(from->heel, to->heel)
                            : sinew_vec3_distance(from->ball, to->ball);
    return way / ((b - a) * g->def.frame_time * g->carry.target.leg);
}

static void see_speeds(sinew_Grounder *g)
{
    int from = g->pushed - 1 - g->window;
    for (int t = from < 0 ? 0 : from; t < g->pushed; ++t) {
        for (int s = 0; s < SNW_SIDES; ++s) {
            snw_GroundFoot *foot = &snw_grounder_frame(g, t)->feet[s];
            for (int point = 0; point < 2; ++point) {
                foot->speed[point] = speed_of(g, s, point, t);
            }
        }
    }
}

static void take(sinew_Grounder *g, const double *q)
{
    int frame = g->pushed++;
    size_t count = (size_t)g->coordinates;
    memcpy(g->poses + (size_t)(frame % g->capacity) * count, q, count * sizeof *q);
    snw_GroundFrame *now = snw_grounder_frame(g, frame);
    memset(now, 0, sizeof *now);
    now->enabled = g->enabled;
    snw_RetargetCarry *carry = &g->carry;
    snw_retarget_carry(carry, q);
    for (int j = 0; j < carry->target.count; ++j) { carry->world[j] = carry->source_world[j]; }
    for (int s = 0; s < SNW_SIDES; ++s) {
        now->feet[s].naive = snw_carried_foot(carry, s);
        now->hips[s] = carry->world[carry->target.legs[s].thigh].position;
    }
    see_speeds(g);
    snw_grounder_feel(g);
}

// Move each stage on by a frame, to where it may be; at the end all go to the last frame.
static void advance(sinew_Grounder *g)
{
    while (g->path < g->pushed && g->path < g->clock - g->path_delay) {
        for (int s = 0; s < SNW_SIDES; ++s) {
            snw_grounder_touch(g, s);
            snw_grounder_path(g, s);
        }
        ++g->path;
    }
    while (g->lifted < g->path && g->lifted < g->clock - g->path_delay - g->lift_delay) {
        for (int s = 0; s < SNW_SIDES; ++s) { snw_grounder_lift(g, s); }
        snw_grounder_raise(g);
        ++g->lifted;
    }
}

// what was planned on a ground that is none is of no use
static sinew_Status refuse_ground(sinew_Grounder *g, sinew_Message *out_message)
{
    sinew_Vec3 n = g->wrong.normal;
    sinew_grounder_reset(g);
    return snw_refuse(out_message,
        "ground.sample(%g, %g) gave height %g and normal (%g, %g, %g), want a height of -1e6..1e6 "
        "and a unit normal with y above 0",
        g->wrong_x, g->wrong_z, g->wrong.height, n.x, n.y, n.z);
}

sinew_Status sinew_grounder_update(sinew_Grounder *grounder, const double *q, double *out_q,
    sinew_GrounderReport *out_report, sinew_Message *out_message)
{
    sinew_Grounder *g = grounder;
    sinew_GrounderReport report;
    memset(&report, 0, sizeof report);
    report.frame = -1;
    if (out_report != NULL) { *out_report = report; }
    sinew_Status status = SNW_CHECK_NULL(out_message, "grounder out_q", g, out_q);
    if (status != SINEW_STATUS_OK) { return status; }
    if (q != NULL) {
        status = sinew_pose_check(g->def.body.skeleton, q, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        if (g->ended) { sinew_grounder_reset(g); }
    } else if (!g->ended && g->pushed > 0) {
        g->ended = true;
    }
    for (int s = 0; s < SNW_SIDES; ++s) { g->feet[s].samples = 0; }
    if (q != NULL) { take(g, q); }
    ++g->clock;
    if (g->pushed > 0) { advance(g); }
    if (g->has_wrong) { return refuse_ground(g, out_message); }
    status = SINEW_STATUS_OK;
    bool due = g->shown < g->lifted && g->shown < g->clock - sinew_grounder_latency(g);
    if (due) { status = snw_grounder_show(g, out_q, &report, out_message); }
    for (int s = 0; s < SNW_SIDES; ++s) { report.samples[s] = g->feet[s].samples; }
    if (out_report != NULL) { *out_report = report; }
    return status;
}

int sinew_grounder_latency(const sinew_Grounder *grounder)
{
    if (grounder == NULL) { return 0; }
    return grounder->path_delay + grounder->lift_delay + grounder->hips_delay;
}

void sinew_grounder_enable(sinew_Grounder *grounder, bool on)
{
    if (grounder != NULL) { grounder->enabled = on; }
}

void sinew_grounder_reset(sinew_Grounder *grounder)
{
    if (grounder == NULL) { return; }
    memset(grounder->feet, 0, sizeof grounder->feet);
    grounder->pushed = grounder->clock = 0;
    grounder->path = grounder->lifted = grounder->shown = 0;
    grounder->ended = grounder->has_wrong = false;
    grounder->phase = grounder->enabled ? 1.0 : 0.0;
}

// ---------------------------------------------------------------------------------------------
// Clips

// The end of the part of a motion that begins at a frame: behind it the hips are farther away than a body goes in a frame.
static int find_end(sinew_Grounder *g, const sinew_Clip *clip, int first)
{
    SNW_ASSERT(first >= 0);
    snw_RetargetCarry *carry = &g->carry;
    double most = FASTEST * carry->target.leg * g->def.frame_time;
    sinew_Vec3 last = { 0.0, 0.0, 0.0 };
    int frames = sinew_clip_frame_count(clip), t = first;
    for (; t < frames; ++t) {
        snw_retarget_carry(carry, sinew_clip_frame_const(clip, t));
        sinew_Vec3 now = carry->source_world[carry->source.hips].position;
        if (t > first && sinew_vec3_distance(now, last) > most) { break; }
        last = now;
    }
    return t;
}

// Frames first..end-1 as a motion of their own.
static sinew_Status ground_part(sinew_Grounder *g, const sinew_Clip *clip, int first, int end,
    sinew_Clip *result, sinew_GrounderReport *out_reports, sinew_Message *out_message)
{
    sinew_Status status = SINEW_STATUS_OK;
    sinew_grounder_reset(g);
    for (int t = first, done = first; status == SINEW_STATUS_OK && done < end; ++t) {
        sinew_GrounderReport report;
        const double *q = t < end ? sinew_clip_frame_const(clip, t) : NULL;
        status = sinew_grounder_update(g, q, sinew_clip_frame(result, done), &report, out_message);
        if (out_reports != NULL) {
            // the samples of a call belong to its sample's frame
            if (t < end) { memcpy(out_reports[t].samples, report.samples, sizeof report.samples); }
            if (report.frame >= 0) {
                memcpy(report.samples, out_reports[done].samples, sizeof report.samples);
                report.frame = done;
                out_reports[done] = report;
            }
        }
        done += report.frame >= 0 ? 1 : 0;
    }
    return status;
}

sinew_Status sinew_grounder_clip(sinew_Grounder *grounder, const sinew_Clip *clip,
    sinew_Clip **out_clip, sinew_GrounderReport *out_reports, sinew_Message *out_message)
{
    if (out_clip != NULL) { *out_clip = NULL; }
    if (grounder == NULL || clip == NULL || out_clip == NULL) {
        return SNW_CHECK_NULL(out_message, "grounder clip out_clip", grounder, clip, out_clip);
    }
    const sinew_GrounderDef *def = &grounder->def;
    if (sinew_clip_skeleton(clip) != def->body.skeleton) {
        return snw_refuse(out_message, "the clip is not of the grounder's skeleton");
    }
    double frame_time = sinew_clip_frame_time(clip);
    if (!(fabs(frame_time - def->frame_time) <= 0.01 * def->frame_time)) {
        return snw_refuse(
            out_message, "the clip has %g s a frame, the grounder %g", frame_time, def->frame_time);
    }
    sinew_Clip *result = NULL;
    int frames = sinew_clip_frame_count(clip);
    sinew_Status status = sinew_clip_create(
        def->body.skeleton, frames, frame_time, &grounder->allocator, &result);
    if (status != SINEW_STATUS_OK) { return snw_fail(out_message, status, "no memory for a clip"); }
    for (int first = 0, end, part = 0; status == SINEW_STATUS_OK && first < frames; first = end) {
        end = find_end(grounder, clip, first);
        status = ground_part(grounder, clip, first, end, result, out_reports, out_message);
        for (int t = first; out_reports != NULL && t < end; ++t) { out_reports[t].part = part; }
        ++part;
    }
    if (status != SINEW_STATUS_OK) {
        sinew_clip_destroy(result);
        return status;
    }
    *out_clip = result;
    return SINEW_STATUS_OK;
}
