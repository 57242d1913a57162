// A clip carried over as a whole: first where the feet go, then what holds them, then the poses.

#include "motion/retarget_clip.h"

#include "base/message.h"
#include "math/holds.h"
#include "math/select.h"
#include "motion/contact.h"
#include "motion/retarget_cycle.h"
#include "motion/retarget_state.h"

#include <string.h>

// a leg that stands and is too short by less is not told, metres
#define SHORT_LEG 1e-3

// ---------------------------------------------------------------------------------------------
// Memory of one clip

static void take_memory(snw_Arena *arena, snw_RetargetClip *clip, int frame_count)
{
    SNW_ASSERT(frame_count >= 0);
    size_t frames = (size_t)frame_count;
    for (int s = 0; s < SNW_SIDES; ++s) {
        snw_FootTrack *foot = &clip->feet[s];
        foot->naive = snw_arena_take(arena, frames, sizeof *foot->naive);
        foot->shift = snw_arena_take(arena, frames, sizeof *foot->shift);
        foot->heel = snw_arena_take(arena, frames, sizeof *foot->heel);
        foot->ball = snw_arena_take(arena, frames, sizeof *foot->ball);
        foot->plants = snw_arena_take(arena, frames / 2 + 1, sizeof *foot->plants);
        clip->hurt[s] = snw_arena_take(arena, frames, sizeof *clip->hurt[s]);
        clip->hips[s] = snw_arena_take(arena, frames, sizeof *clip->hips[s]);
    }
    clip->lowered = snw_arena_take(arena, frames, sizeof *clip->lowered);
    clip->scratch = snw_arena_take(arena, frames, sizeof *clip->scratch);
    clip->need = snw_arena_take(arena, frames, sizeof *clip->need);
    clip->places = snw_arena_take(arena, frames, sizeof *clip->places);
    clip->own = snw_arena_take(arena, frames, sizeof *clip->own);
    clip->away = snw_arena_take(arena, frames, sizeof *clip->away);
}

// ---------------------------------------------------------------------------------------------
// Steps

static sinew_Status find_contacts(const sinew_Retargeter *r, const sinew_Clip *source,
    sinew_Contacts **out_contacts, sinew_Message *out_message)
{
    sinew_ContactDef def = sinew_contact_def_default();
    def.skeleton = r->def.source.skeleton;
    def.motion = (sinew_PoseList){ sinew_clip_frame_const(source, 0),
        sinew_clip_frame_count(source) };
    def.frame_time = sinew_clip_frame_time(source);
    def.up = r->def.source.stance->up;
    def.leg = r->carry.source.leg;
    def.points = r->points;
    def.point_count = r->point_count;
    def.marks = r->def.marks;
    def.mark_count = r->def.mark_count;
    def.settings = r->def.contacts;
    def.allocator = r->allocator;
    return sinew_contacts_find(&def, out_contacts, out_message);
}

static void note_contacts(
    const sinew_Retargeter *r, const sinew_Contacts *contacts, snw_RetargetClip *clip)
{
    for (int p = 0; p < r->point_count; ++p) {
        const sinew_ContactPoint *point = &r->points[p];
        if (point->part != SINEW_CONTACT_HEEL && point->part != SINEW_CONTACT_BALL) { continue; }
        snw_FootTrack *foot = &clip->feet[point->side == SINEW_SIDE_LEFT ? 0 : 1];
        bool *flags = point->part == SINEW_CONTACT_HEEL ? foot->heel : foot->ball;
        const bool *found = contacts->touching + (size_t)p * (size_t)clip->frames;
        memcpy(flags, found, (size_t)clip->frames * sizeof *flags);
    }
}

// The height that the source usually stands at: of all frames and points that touch the middle one. The lowest would
// lift the hips by what single steps are too low, and bend all knees for it.
static double usual_floor(
    const sinew_Retargeter *r, const sinew_Contacts *contacts, snw_RetargetClip *clip)
{
    double sum = 0.0;
    int feet = 0;
    for (int p = 0; p < r->point_count; ++p) {
        if (r->points[p].part == SINEW_CONTACT_HAND) { continue; }
        int count = 0;
        for (int t = 0; t < clip->frames; ++t) {
            size_t at = (size_t)p * (size_t)clip->frames + (size_t)t;
            if (!contacts->touching[at]) { continue; }
            clip->scratch[count++] = sinew_vec3_dot(
                contacts->positions[at], r->def.source.stance->up);
        }
        if (count == 0) { continue; }
        sum += snw_select(clip->scratch, (size_t)count, (size_t)(count - 1) / 2);
        ++feet;
    }
    return feet > 0 ? sum / feet : contacts->floor;
}

static void carry_feet(snw_RetargetClip *clip, const sinew_Clip *source)
{
    snw_RetargetCarry *carry = clip->carry;
    for (int t = 0; t < clip->frames; ++t) {
        snw_retarget_carry(carry, sinew_clip_frame_const(source, t));
        for (int s = 0; s < SNW_SIDES; ++s) {
            clip->feet[s].naive[t] = snw_carried_foot(carry, s);
            clip->hips[s][t] = carry->world[carry->target.legs[s].thigh].position;
        }
    }
}

static int count_prints(const snw_RetargetClip *clip, const snw_FootTrack *foot)
{
    int count = 0;
    for (int i = 0; i < foot->plant_count; ++i) {
        count += foot->plants[i].first >= clip->from && foot->plants[i].first < clip->to ? 1 : 0;
    }
    return count;
}

static sinew_Status plan_feet(sinew_Retargeter *r, snw_RetargetClip *clip, const sinew_Clip *source,
    sinew_RetargetReport *report, sinew_Message *out_message)
{
    sinew_Contacts *contacts = NULL;
    sinew_Status status = find_contacts(r, source, &contacts, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    report->source_floor = usual_floor(r, contacts, clip);
    clip->carry->source_shift = sinew_vec3(0.0, -report->source_floor, 0.0);
    clip->first = contacts->first_frame;
    note_contacts(r, contacts, clip);
    sinew_contacts_destroy(contacts);
    carry_feet(clip, source);
    for (int s = 0; s < SNW_SIDES; ++s) {
        snw_clip_plant(clip, s);
        report->prints[s] = count_prints(clip, &clip->feet[s]);
    }
    snw_clip_lower(clip, r->def.reach);
    if (clip->carry->effects != NULL) { snw_trait_legs(clip); }
    for (int t = clip->from; t < clip->to; ++t) {
        report->hips_lowered_max = fmax(report->hips_lowered_max, clip->lowered[t]);
        report->hips_lowered_mean += clip->lowered[t] / report->frame_count;
    }
    return status;
}

// Bring the feet where they should be; what is asked of them is kept for the limits.
static void hold_feet(
    snw_RetargetClip *clip, int t, snw_Held held[SNW_SIDES], sinew_RetargetReport *report)
{
    snw_RetargetCarry *carry = clip->carry;
    bool is_short = false;
    snw_retarget_move(carry, sinew_vec3(0.0, -clip->lowered[t], 0.0));
    for (int s = 0; s < SNW_SIDES; ++s) {
        const snw_FootTrack *foot = &clip->feet[s];
        sinew_Quat toe;
        sinew_Transform goal = snw_foot_shifted(carry, s, &foot->naive[t], &foot->shift[t], &toe);
        bool stands = foot->heel[t] || foot->ball[t];
        if (carry->effects != NULL && foot->ball[t]) {
            sinew_Vec3 hip = carry->world[carry->target.legs[s].thigh].position;
            goal = snw_trait_foot(carry, s, hip, goal);
        }
        double miss = snw_retarget_leg(carry, s, goal, toe, 1.0);
        held[s] = snw_hold_foot(carry, s, goal, stands);
        if (!stands) { continue; }
        report->short_max = fmax(report->short_max, miss);
        is_short |= miss > SHORT_LEG;
    }
    report->short_frames += is_short ? 1 : 0;
}

static void keep_worst(sinew_PoseFit *worst, const sinew_PoseFit *fit)
{
    if (fit->rotation > worst->rotation) {
        worst->rotation = fit->rotation;
        worst->rotation_joint = fit->rotation_joint;
    }
    if (fit->position > worst->position) {
        worst->position = fit->position;
        worst->position_joint = fit->position_joint;
    }
}

static sinew_Status carry_frame(sinew_Retargeter *r, snw_RetargetClip *clip,
    const sinew_Clip *source, sinew_Clip *result, int t, sinew_RetargetReport *report,
    sinew_Message *out_message)
{
    snw_Held held[SNW_MOST_HELD];
    int held_count = 0;
    double *q = sinew_clip_frame(result, t);
    const double *before = t > 0 ? sinew_clip_frame_const(result, t - 1) : NULL;
    for (int s = 0; s < SNW_SIDES; ++s) { clip->carry->hurt[s] = clip->hurt[s][t]; }
    snw_retarget_carry(clip->carry, sinew_clip_frame_const(source, t));
    if (r->def.hold_feet) {
        hold_feet(clip, t, held, report);
        held_count = SNW_SIDES;
    }
    if (r->def.hold_hands && r->carry.effects == NULL) {
        double near[SNW_SIDES];
        snw_retarget_hands(clip->carry, near);
        for (int s = 0; s < SNW_SIDES; ++s) {
            bool holds = near[s] > 0.5;
            report->hand_contacts += holds && !clip->holds[s] ? 1 : 0;
            clip->holds[s] = holds;
        }
    }
    sinew_PoseFit fit;
    sinew_Status status = snw_retarget_store(clip->carry, before, q, &fit, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    keep_worst(&report->fit, &fit);
    snw_LimitResult limited;
    status = snw_retarget_limits_keep(
        &r->limits, r->def.target.skeleton, held, held_count, q, &limited, out_message);
    report->solved_frames += limited.solved ? 1 : 0;
    report->held_error_max = fmax(report->held_error_max, limited.held_error);
    report->limit_violation = fmax(
        report->limit_violation, sinew_pose_limit_violation(r->def.target.skeleton, q));
    return status;
}

static sinew_Status carry_all(sinew_Retargeter *r, snw_RetargetClip *clip, const sinew_Clip *source,
    sinew_Clip *result, sinew_RetargetReport *report, sinew_Message *out_message)
{
    sinew_Status status = SINEW_STATUS_OK;
    sinew_RetargetReport untold = { .frame_count = 0 };
    for (int t = 0; status == SINEW_STATUS_OK && t < clip->frames; ++t) {
        const bool is_told = t >= clip->from && t < clip->to;
        status = carry_frame(r, clip, source, result, t, is_told ? report : &untold, out_message);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// The whole

/// A cycle's rounds in a row; NULL for what is none, or has marks, which are of frames.
static sinew_Status unroll(const sinew_Retargeter *r, const sinew_Clip *clip, snw_Cycle *out_cycle,
    sinew_Clip **out_rounds, sinew_Message *out_message)
{
    *out_cycle = (snw_Cycle){ .period = 0 };
    *out_rounds = NULL;
    if (r->def.mark_count > 0) { return SINEW_STATUS_OK; }
    sinew_Status status = snw_cycle_find(clip, r->def.source.stance->up, &r->allocator, out_cycle);
    if (status == SINEW_STATUS_OK && out_cycle->period > 0) {
        status = snw_cycle_unroll(clip, out_cycle, &r->allocator, out_rounds);
    }
    return status == SINEW_STATUS_OK ? status : snw_no_memory(out_message, "a clip");
}

static sinew_Status check(const sinew_Retargeter *r, const sinew_Clip *clip,
    sinew_Clip *const *out_clip, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(
        out_message, "retargeter clip out_clip", r, clip, out_clip);
    if (status != SINEW_STATUS_OK) { return status; }
    if (sinew_clip_skeleton(clip) != r->def.source.skeleton) {
        return snw_refuse(out_message, "the clip is not of the source's skeleton");
    }
    sinew_PoseList poses = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    return snw_motion_check(r->def.source.skeleton, &poses, out_message);
}

sinew_Status sinew_retargeter_clip(sinew_Retargeter *retargeter, const sinew_Clip *clip,
    sinew_Clip **out_clip, sinew_RetargetReport *out_report, sinew_Message *out_message)
{
    sinew_Retargeter *r = retargeter;
    if (out_clip != NULL) { *out_clip = NULL; }
    sinew_Status status = check(r, clip, out_clip, out_message);
    if (status != SINEW_STATUS_OK || out_clip == NULL) { return status; }
    // somebody's own time
    sinew_Clip *timed = NULL;
    if (r->carry.effects != NULL && sinew_clip_frame_count(clip) > 1) {
        status = sinew_individual_time(&r->individual, clip, r->def.source.roles,
            r->def.source.stance, &r->allocator, &timed, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        clip = timed;
    }
    snw_Cycle cycle;
    sinew_Clip *rounds = NULL;
    status = unroll(r, clip, &cycle, &rounds, out_message);
    if (status != SINEW_STATUS_OK) {
        sinew_clip_destroy(timed);
        return status;
    }
    const int told = sinew_clip_frame_count(clip);
    if (rounds != NULL) { clip = rounds; }
    snw_RetargetClip work = { .carry = &r->carry,
        .frames = sinew_clip_frame_count(clip),
        .from = cycle.period,
        .to = cycle.period + told,
        .frame_time = sinew_clip_frame_time(clip),
        .settings = &r->def.contacts };
    sinew_RetargetReport report = { .frame_count = told };
    report.fit.rotation_joint = report.fit.position_joint = -1;
    r->carry.source_shift = sinew_vec3(0.0, 0.0, 0.0);
    snw_retarget_limits_reset(&r->limits, r->def.target.skeleton);
    snw_Arena arena = { NULL, 0 };
    take_memory(&arena, &work, work.frames);
    size_t size;
    bool room = snw_arena_open(&arena, &r->allocator, &size);
    sinew_Clip *result = NULL;
    status = sinew_clip_create(
        r->def.target.skeleton, work.frames, work.frame_time, &r->allocator, &result);
    if (!room || status != SINEW_STATUS_OK) {
        status = snw_no_memory(out_message, "a clip");
    } else {
        take_memory(&arena, &work, work.frames);
        if (r->def.hold_feet && work.frames > 0) {
            status = plan_feet(r, &work, clip, &report, out_message);
        }
        if (status == SINEW_STATUS_OK) {
            status = carry_all(r, &work, clip, result, &report, out_message);
        }
    }
    snw_free(&r->allocator, arena.base, size);
    sinew_clip_destroy(timed);
    sinew_clip_destroy(rounds);
    if (status == SINEW_STATUS_OK && cycle.period > 0) {
        sinew_Clip *cut;
        status = snw_cycle_cut(result, &cycle, r->def.target.stance->up, &r->allocator, &cut);
        if (status != SINEW_STATUS_OK) { (void)snw_no_memory(out_message, "a clip"); }
        sinew_clip_destroy(result);
        result = cut;
    }
    if (status != SINEW_STATUS_OK) {
        sinew_clip_destroy(result);
        return status;
    }
    *out_clip = result;
    if (out_report != NULL) { *out_report = report; }
    return SINEW_STATUS_OK;
}
