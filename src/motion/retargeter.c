// Retargeters: made, given back, read out.

#include "base/memory.h"
#include "base/message.h"
#include "motion/retarget_state.h"

// bounds the samples that live motion keeps, seconds
#define LEAST_FRAME_TIME 1e-4
// lowered hips are a mean over this time at least, seconds: without look-ahead they would jump
#define LEAST_HIPS_TIME 0.08
sinew_RetargeterDef sinew_retargeter_def_default(void)
{
    sinew_RetargeterDef r = {
        .hold_feet = true,
        .hold_hands = true,
        .keep_limits = true,
        .reach = 0.98,
        .contacts = sinew_contact_settings_default(),
        .stop_time = 0.11,
        .frame_time = 0.01,
        .look_ahead = 0.1,
        .cookie = SNW_COOKIE,
    };
    return r;
}

// ---------------------------------------------------------------------------------------------
// Checks

static sinew_Status check(const sinew_RetargeterDef *def, sinew_Message *out_message)
{
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(out_message, "retargeter"); }
    sinew_Status status = snw_retarget_check_body(&def->source, "source", out_message);
    if (status == SINEW_STATUS_OK) {
        status = snw_retarget_check_body(&def->target, "target", out_message);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    if (def->pair_count < 0 || (def->pair_count > 0 && def->pairs == NULL)) {
        return snw_refuse(out_message, "pairs is NULL, or pair_count is %d", def->pair_count);
    }
    for (int i = 0; i < def->pair_count; ++i) {
        sinew_RetargetPair p = def->pairs[i];
        int joints = def->source.roles->joint_count;
        if (p.source < -1 || p.source >= joints || p.target < 0
            || p.target >= def->target.roles->joint_count) {
            return snw_refuse(out_message,
                "pairs[%d]: there is no joint %d of the source or %d "
                "of the target",
                i, p.source, p.target);
        }
        if (!(p.share >= 0.0 && p.share <= 1.0)
            || (p.share > 0.0 && (p.source < 0 || p.toward < 0 || p.toward >= joints))) {
            return snw_refuse(out_message,
                "pairs[%d]: share is %g from joint %d to %d, want 0..1 between two of the source",
                i, p.share, p.source, p.toward);
        }
    }
    if (!(def->reach >= 0.8 && def->reach <= 1.0)) {
        return snw_refuse(out_message, "reach is %g, want 0.8..1", def->reach);
    }
    if (!(def->stop_time >= 0.01 && def->stop_time <= 1.0)) {
        return snw_refuse(out_message, "stop_time is %g, want 0.01..1", def->stop_time);
    }
    if (!(def->frame_time > 0.0) || !isfinite(def->frame_time)) {
        return snw_refuse(out_message, "frame_time is %g, want > 0", def->frame_time);
    }
    if (!(def->contacts.half_window >= 0.0 && def->contacts.half_window <= SINEW_MAX_LOOK_AHEAD)
        || def->frame_time < LEAST_FRAME_TIME) {
        return snw_refuse(out_message,
            "frame_time is %g, want %g at least; contacts.half_window "
            "is %g, want 0..%g",
            def->frame_time, LEAST_FRAME_TIME, def->contacts.half_window, SINEW_MAX_LOOK_AHEAD);
    }
    if (!(def->look_ahead >= 0.0 && def->look_ahead <= SINEW_MAX_LOOK_AHEAD)) {
        return snw_refuse(
            out_message, "look_ahead is %g, want 0..%g", def->look_ahead, SINEW_MAX_LOOK_AHEAD);
    }
    if (def->mark_count < 0 || (def->mark_count > 0 && def->marks == NULL)) {
        return snw_refuse(out_message, "marks is NULL, or mark_count is %d", def->mark_count);
    }
    return SINEW_STATUS_OK;
}

// something at or above the hips must slide, or a body would walk in place
static sinew_Status check_travel(const snw_RetargetSide *target, sinew_Message *out_message)
{
    if (snw_retarget_travels(target)) { return SINEW_STATUS_OK; }
    return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
        "the target cannot travel: neither %s nor a joint above it can be moved in three "
        "directions",
        target->joints[target->hips].name);
}

// ---------------------------------------------------------------------------------------------
// Memory

// how many samples live motion keeps
static snw_RetargetLive live_of(const sinew_RetargeterDef *def)
{
    snw_RetargetLive live = { .count = 0 };
    live.delay = (int)floor(def->look_ahead / def->frame_time + 1e-9);
    live.reach = (int)floor(def->contacts.half_window / def->frame_time + 0.5);
    if (live.reach < 1) { live.reach = 1; }
    live.back = live.reach;
    if (live.reach > live.delay) { live.reach = live.delay; }
    live.capacity = live.delay + 2 * live.back + 4;
    int least = (int)floor(LEAST_HIPS_TIME / def->frame_time);
    live.slots = live.delay + 1 > least ? live.delay + 1 : least;
    return live;
}

static sinew_Retargeter *take_memory(snw_Arena *arena, const sinew_RetargeterDef *def)
{
    size_t source = (size_t)def->source.roles->joint_count;
    size_t target = (size_t)def->target.roles->joint_count;
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(def->target.skeleton);
    size_t dofs = (size_t)sinew_skeleton_dof_count(def->target.skeleton);
    sinew_Retargeter *r = snw_arena_take(arena, 1, sizeof *r);
    snw_RetargetCarry carry = { .scale = 0.0 };
    snw_retarget_take_side(arena, &carry.source, def->source.skeleton);
    snw_retarget_take_side(arena, &carry.target, def->target.skeleton);
    snw_retarget_take_carry(arena, &carry, source, target);
    carry.carried = snw_arena_take(arena, target, sizeof *carry.carried);
    snw_RetargetLimits limits = { .world = NULL };
    limits.world = snw_arena_take(arena, target, sizeof *limits.world);
    limits.cropped = snw_arena_take(arena, coordinates, sizeof *limits.cropped);
    limits.correction = snw_arena_take(arena, dofs, sizeof *limits.correction);
    snw_RetargetLive live = live_of(def);
    size_t slots = (size_t)live.capacity;
    live.samples = snw_arena_take(arena, slots, sizeof *live.samples);
    live.poses = snw_arena_take(arena,
        slots * (size_t)sinew_skeleton_coordinate_count(def->source.skeleton), sizeof *live.poses);
    live.need = snw_arena_take(arena, (size_t)live.slots, sizeof *live.need);
    live.last = snw_arena_take(arena, coordinates, sizeof *live.last);
    if (r == NULL) { return NULL; }
    r->carry = carry;
    r->limits = limits;
    r->live = live;
    return r;
}

static sinew_Status set_up(sinew_Retargeter *r, sinew_Message *out_message)
{
    sinew_RetargeterDef *def = &r->def;
    snw_RetargetCarry *carry = &r->carry;
    sinew_Status status = snw_retarget_see(&carry->source, &def->source, "source", out_message);
    if (status == SINEW_STATUS_OK) {
        status = snw_retarget_see(&carry->target, &def->target, "target", out_message);
    }
    carry->stop_time = def->stop_time;
    carry->same_body = def->source.skeleton == def->target.skeleton && def->individual == NULL;
    if (status == SINEW_STATUS_OK) { status = check_travel(&carry->target, out_message); }
    if (status != SINEW_STATUS_OK) { return status; }
    snw_retarget_match(carry, def->pairs, def->pair_count);
    snw_trait_count(carry);
    if (def->individual != NULL) {
        r->individual = *def->individual;
        r->effects = sinew_individual_effects(&r->individual);
        carry->effects = &r->effects;
        def->individual = &r->individual;
    }
    carry->scale = carry->target.leg / carry->source.leg;
    r->point_count = sinew_contact_points(
        def->source.skeleton, def->source.roles, def->source.stance, r->points, 6);
    if (!def->keep_limits) { return SINEW_STATUS_OK; }
    return snw_retarget_limits_open(
        &r->limits, def->target.skeleton, carry->target.leg, &r->allocator, out_message);
}

sinew_Status sinew_retargeter_create(
    const sinew_RetargeterDef *def, sinew_Retargeter **out_retargeter, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "def out_retargeter", def, out_retargeter);
    if (status != SINEW_STATUS_OK) { return status; }
    *out_retargeter = NULL;
    status = check(def, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Allocator allocator = snw_allocator_or_default(&def->allocator);
    snw_Arena arena = { NULL, 0 };
    take_memory(&arena, def);
    size_t size;
    if (!snw_arena_open(&arena, &allocator, &size)) {
        return snw_no_memory(out_message, "a retargeter");
    }
    sinew_Retargeter *r = take_memory(&arena, def);
    r->def = *def;
    r->allocator = allocator;
    r->size = size;
    status = set_up(r, out_message);
    if (status != SINEW_STATUS_OK) {
        sinew_retargeter_destroy(r);
        return status;
    }
    *out_retargeter = r;
    return SINEW_STATUS_OK;
}

void sinew_retargeter_destroy(sinew_Retargeter *retargeter)
{
    if (retargeter == NULL) { return; }
    sinew_Allocator allocator = retargeter->allocator;
    snw_retarget_limits_close(&retargeter->limits);
    snw_free(&allocator, retargeter, retargeter->size);
}

// ---------------------------------------------------------------------------------------------
// Read-outs

sinew_RetargetMatch sinew_retargeter_match(const sinew_Retargeter *retargeter, int joint)
{
    sinew_RetargetMatch none = { -1, -1, 0.0 };
    if (retargeter == NULL || joint < 0 || joint >= retargeter->carry.target.count) { return none; }
    const snw_RetargetFollow *f = &retargeter->carry.follow[joint];
    return (sinew_RetargetMatch){ f->from, f->to, f->share };
}

double sinew_retargeter_scale(const sinew_Retargeter *retargeter)
{
    return retargeter != NULL ? retargeter->carry.scale : 0.0;
}
