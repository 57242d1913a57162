// From definition to compiled limit: checks, windows, create and destroy.

#include "body/ball_limit_build.h"

#include "base/message.h"

#include "base/memory.h"
#include "math/holds.h"

#include <string.h>

// Lengths of what should be unit may be off by this; they are then made unit.
#define UNIT_TOLERANCE 1e-3

// ---------------------------------------------------------------------------------------------
// Checks of the definition

static bool is_unit(double length)
{
    return fabs(length - 1.0) <= UNIT_TOLERANCE;
}

static sinew_Status check_quat(sinew_Quat q, const char *name, sinew_Message *message)
{
    if (is_unit(sqrt(sinew_quat_dot(q, q)))) { return SINEW_STATUS_OK; }
    return snw_refuse(message, "%s has length %g, want 1", name, sqrt(sinew_quat_dot(q, q)));
}

static sinew_Status check_twist(const sinew_BallLimitDef *def, sinew_Message *message)
{
    double lower = def->twist_lower, upper = def->twist_upper;
    if (lower == -INFINITY && upper == INFINITY) { return SINEW_STATUS_OK; }
    if (!(lower > -SINEW_PI && lower < SINEW_PI && upper > -SINEW_PI && upper < SINEW_PI)) {
        return snw_refuse(message,
            "twist range is %g to %g, want both between -pi and pi, or -infinity to infinity",
            lower, upper);
    }
    if (lower > upper) {
        return snw_refuse(message, "twist_lower is %g, want at most twist_upper, %g", lower, upper);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_def(const sinew_BallLimitDef *def, sinew_Message *message)
{
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(message, "ball_limit"); }
    sinew_Status status = check_quat(def->neutral, "neutral", message);
    if (status == SINEW_STATUS_OK) { status = check_quat(def->bone, "bone", message); }
    if (status == SINEW_STATUS_OK) { status = check_twist(def, message); }
    if (status != SINEW_STATUS_OK) { return status; }
    if (def->window_count < 0 || def->window_count > SINEW_MAX_REACH_WINDOWS) {
        return snw_refuse(message, "window_count is %d, want 0 to %d", def->window_count,
            SINEW_MAX_REACH_WINDOWS);
    }
    if (def->window_count > 0 && def->windows == NULL) {
        return snw_refuse(message, "windows is NULL, want %d of them", def->window_count);
    }
    if (def->response < SINEW_RESPONSE_ARC || def->response > SINEW_RESPONSE_INTERSECTION) {
        return snw_refuse(
            message, "response is %d, want one of sinew_LimitResponse", (int)def->response);
    }
    if (def->star && (def->window_count != 1 || def->windows[0].ray_count < 3)) {
        return snw_refuse(message, "star is set, want exactly one window of 3 rays or more");
    }
    if (def->star && !is_unit(sinew_vec3_length(def->star_center))) {
        return snw_refuse(
            message, "star_center has length %g, want 1", sinew_vec3_length(def->star_center));
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_window(
    const sinew_ReachWindow *window, int index, int rays_before, sinew_Message *message)
{
    SNW_ASSERT(index >= 0);
    bool polygon = window->ray_count >= 3 && window->ray_count <= SINEW_MAX_WINDOW_RAYS;
    if (!polygon && window->ray_count != 1) {
        return snw_refuse(message, "windows[%d].ray_count is %d, want 3 to %d, or 1 for a cone",
            index, window->ray_count, SINEW_MAX_WINDOW_RAYS);
    }
    if (rays_before + window->ray_count > SINEW_MAX_REACH_RAYS) {
        return snw_refuse(
            message, "windows[%d] ends a list of more than %d rays", index, SINEW_MAX_REACH_RAYS);
    }
    if (window->rays == NULL) {
        return snw_refuse(message, "windows[%d].rays is NULL, want %d ray%s", index,
            window->ray_count, snw_plural(window->ray_count));
    }
    for (int i = 0; i < window->ray_count; ++i) {
        double length = sinew_vec3_length(window->rays[i]);
        if (!is_unit(length)) {
            return snw_refuse(
                message, "windows[%d].rays[%d] has length %g, want 1", index, i, length);
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status draft_windows(
    const sinew_BallLimitDef *def, snw_LimitDraft *draft, sinew_Message *message)
{
    sinew_Status status = check_def(def, message);
    int ray_count = 0;
    for (int i = 0; i < def->window_count && status == SINEW_STATUS_OK; ++i) {
        const sinew_ReachWindow *window = def->windows + i;
        status = check_window(window, i, ray_count, message);
        if (status != SINEW_STATUS_OK) { break; }
        ray_count += window->ray_count;

        sinew_Vec3 rays[SINEW_MAX_WINDOW_RAYS];
        for (int j = 0; j < window->ray_count; ++j) {
            rays[j] = sinew_vec3_normalize_or(window->rays[j], window->rays[j]);
        }
        if (def->star) {
            sinew_Vec3 center = sinew_vec3_normalize_or(def->star_center, def->star_center);
            status = snw_draft_add_star(draft, rays, window->ray_count, center, message);
        } else if (window->ray_count == 1) {
            status = snw_draft_add_cone(draft, rays[0], window->cone_half_angle, i, message);
        } else {
            status = snw_draft_add_polygon(draft, rays, window->ray_count, i, message);
        }
    }
    if (status != SINEW_STATUS_OK) { return status; }
    return snw_draft_check_connected(draft, message);
}

// ---------------------------------------------------------------------------------------------
// Compiling

// Rows of the linear map q -> neutral^-1 q bone: its values at the four unit quaternions.
static void compile_map(sinew_BallLimit *limit)
{
    sinew_Quat inverse = sinew_quat_conjugate(limit->socket_from_neutral);
    double columns[4][4];
    for (int i = 0; i < 4; ++i) {
        sinew_Quat q = { i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0,
            i == 3 ? 1.0 : 0.0 };
        sinew_Quat r = sinew_quat_mul(sinew_quat_mul(inverse, q), limit->joint_from_bone);
        columns[i][0] = r.x;
        columns[i][1] = r.y;
        columns[i][2] = r.z;
        columns[i][3] = r.w;
    }
    sinew_Quat *rows[4] = { &limit->row_x, &limit->row_y, &limit->row_z, &limit->row_w };
    for (int i = 0; i < 4; ++i) {
        rows[i]->x = columns[0][i];
        rows[i]->y = columns[1][i];
        rows[i]->z = columns[2][i];
        rows[i]->w = columns[3][i];
    }
}

static void compile_twist(sinew_BallLimit *limit)
{
    double lower = limit->def.twist_lower, upper = limit->def.twist_upper;
    if (lower == -INFINITY) {
        limit->twist_free = true;
        limit->twist_half = SINEW_PI;
        return;
    }
    limit->twist_middle = 0.5 * (lower + upper);
    limit->twist_half = 0.5 * (upper - lower);
    limit->lower_twist = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), lower);
    limit->upper_twist = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), upper);
    limit->twist_locked = limit->twist_half < SNW_LIMIT_TOUCH;
    snw_TwistTest test = { limit->lower_twist.w, limit->lower_twist.x, limit->upper_twist.w,
        limit->upper_twist.x };
    limit->twist = test;
}

// Lay out the memory of a limit, or measure it where base is NULL.
static void lay_out(snw_Arena *arena, sinew_BallLimit **out_limit, const sinew_BallLimitDef *def,
    const snw_LimitDraft *draft, int piece_count)
{
    SNW_ASSERT(piece_count >= 0);
    sinew_BallLimit *limit = snw_arena_take(arena, 1, sizeof(*limit));
    snw_Window *windows = snw_arena_take(arena, (size_t)draft->window_count, sizeof(*windows));
    snw_Side *sides = snw_arena_take(arena, (size_t)draft->side_count, sizeof(*sides));
    snw_Piece *pieces = snw_arena_take(arena, (size_t)piece_count, sizeof(*pieces));
    sinew_ReachWindow *given = snw_arena_take(arena, (size_t)def->window_count, sizeof(*given));
    size_t ray_count = 0;
    for (int i = 0; i < def->window_count; ++i) { ray_count += (size_t)def->windows[i].ray_count; }
    sinew_Vec3 *rays = snw_arena_take(arena, ray_count, sizeof(*rays));
    *out_limit = limit;
    if (arena->base == NULL) { return; }

    for (int i = 0; i < draft->window_count; ++i) { windows[i] = draft->windows[i]; }
    for (int i = 0; i < draft->side_count; ++i) { sides[i] = draft->sides[i]; }
    snw_draft_outline(draft, pieces);
    limit->windows = windows;
    limit->sides = sides;
    limit->pieces = pieces;
    limit->piece_count = piece_count;
    limit->window_count = draft->window_count;

    limit->def = *def;
    limit->def.windows = def->window_count > 0 ? given : NULL;
    for (int i = 0; i < def->window_count; ++i) {
        given[i] = def->windows[i];
        given[i].rays = rays;
        for (int j = 0; j < given[i].ray_count; ++j) { *rays++ = def->windows[i].rays[j]; }
    }
}

static sinew_Status compile(const sinew_BallLimitDef *def, const sinew_Allocator *allocator,
    const snw_LimitDraft *draft, sinew_BallLimit **out_limit, sinew_Message *message)
{
    snw_Arena arena = { NULL, 0 };
    sinew_BallLimit *limit;
    int piece_count = snw_draft_outline(draft, NULL);
    lay_out(&arena, &limit, def, draft, piece_count);
    size_t size;
    if (!snw_arena_open(&arena, allocator, &size)) {
        return snw_no_memory(message, "a ball limit (%z bytes)", size);
    }
    lay_out(&arena, &limit, def, draft, piece_count);
    limit->allocator = *allocator;
    limit->memory_size = size;
    limit->response = def->response;
    limit->socket_from_neutral = sinew_quat_normalize(def->neutral);
    limit->joint_from_bone = sinew_quat_normalize(def->bone);
    compile_map(limit);
    compile_twist(limit);
    snw_limit_find_caps(limit, draft);
    *out_limit = limit;
    return SINEW_STATUS_OK;
}

// what is needed while a limit is made, in one block
typedef struct Workshop {
    snw_LimitDraft draft;
    snw_LimitScratch scratch;
} Workshop;

sinew_Status sinew_ball_limit_create(const sinew_BallLimitDef *def,
    const sinew_Allocator *allocator, sinew_BallLimit **out_limit, sinew_Message *out_message)
{
    if (out_limit == NULL || def == NULL) {
        return snw_refuse(out_message, "%s is NULL", def == NULL ? "def" : "out_limit");
    }
    *out_limit = NULL;
    sinew_Allocator memory = snw_allocator_or_default(allocator);
    Workshop *shop = snw_alloc(&memory, sizeof *shop);
    if (shop == NULL) {
        return snw_fail(
            out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to compile a ball limit");
    }
    snw_LimitDraft *draft = &shop->draft;
    draft->scratch = &shop->scratch;
    sinew_Status status = draft_windows(def, draft, out_message);
    if (status == SINEW_STATUS_OK) {
        status = compile(def, &memory, draft, out_limit, out_message);
    }
    snw_free(&memory, shop, sizeof *shop);
    return status;
}

void sinew_ball_limit_destroy(sinew_BallLimit *limit)
{
    if (limit == NULL) { return; }
    snw_free(&limit->allocator, limit, limit->memory_size);
}

// the same place in a copy of the block
static const void *moved(const sinew_BallLimit *from, sinew_BallLimit *to, const void *place)
{
    if (place == NULL) { return NULL; }
    return (const char *)to + ((const char *)place - (const char *)from);
}

sinew_Status sinew_ball_limit_clone(
    const sinew_BallLimit *limit, const sinew_Allocator *allocator, sinew_BallLimit **out_limit)
{
    if (limit == NULL || out_limit == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    sinew_Allocator memory = snw_allocator_or_default(allocator);
    sinew_BallLimit *copy = snw_alloc(&memory, limit->memory_size);
    *out_limit = copy;
    if (copy == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }

    // one block, whose pointers all lead into itself
    snw_arena_unguard(limit, limit->memory_size);
    memcpy(copy, limit, limit->memory_size);
    copy->allocator = memory;
    copy->windows = moved(limit, copy, limit->windows);
    copy->sides = moved(limit, copy, limit->sides);
    copy->pieces = moved(limit, copy, limit->pieces);
    sinew_ReachWindow *given = (sinew_ReachWindow *)moved(limit, copy, limit->def.windows);
    copy->def.windows = given;
    for (int i = 0; i < copy->def.window_count; ++i) {
        given[i].rays = moved(limit, copy, given[i].rays);
    }
    return SINEW_STATUS_OK;
}

const sinew_BallLimitDef *sinew_ball_limit_def(const sinew_BallLimit *limit)
{
    return limit != NULL ? &limit->def : NULL;
}
