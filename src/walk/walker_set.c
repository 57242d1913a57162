// What a game tells a walker between frames, and asks of it.

#include "walk/walker_state.h"

#include "base/message.h"
#include "walk/walk_layer.h"

#include <string.h>

sinew_Status sinew_walker_set_ornaments(sinew_Walker *walker, const sinew_WalkOrnaments *ornaments)
{
    if (walker == NULL || ornaments == NULL
        || snw_ornaments_check(ornaments, NULL) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.ornaments = *ornaments;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_rows(sinew_Walker *walker, sinew_WalkRows rows)
{
    if (walker == NULL || (int)rows < 0 || (int)rows > (int)SINEW_WALK_ROWS_HYBRID) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.rows = rows;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_paper(
    sinew_Walker *walker, const sinew_PaperWalk *paper, sinew_Message *out_message)
{
    if (walker == NULL || paper == NULL) {
        return SNW_CHECK_NULL(out_message, "walker paper", walker, paper);
    }
    sinew_Status status = snw_paper_check(paper, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    walker->setup.paper = *paper;
    if (snw_walker_way(walker) == SNW_WAY_PAPER) {
        walker->states[walker->kept]->style.paper.settings = *paper;
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_response(
    sinew_Walker *walker, const sinew_WalkResponse *response, sinew_Message *out_message)
{
    if (walker == NULL || response == NULL) {
        return SNW_CHECK_NULL(out_message, "walker response", walker, response);
    }
    if (snw_response_check(response, out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.response = *response;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_manner(
    sinew_Walker *walker, const sinew_Manner *manner, sinew_Message *out_message)
{
    if (walker == NULL || manner == NULL) {
        return SNW_CHECK_NULL(out_message, "walker manner", walker, manner);
    }
    if (sinew_manner_check(manner, out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.manner = *manner;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_limits(
    sinew_Walker *walker, const sinew_WalkLimits *limits, sinew_Message *out_message)
{
    if (walker == NULL || limits == NULL) {
        return SNW_CHECK_NULL(out_message, "walker limits", walker, limits);
    }
    if (snw_limits_check(limits, out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.limits = *limits;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_teleport(
    sinew_Walker *walker, sinew_Vec3 root, double heading, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (walker == NULL) { return snw_fail(out_message, bad, "walker is NULL"); }
    if (snw_place_check(root, heading, out_message) != SINEW_STATUS_OK) { return bad; }
    if (snw_walker_check_natural(walker, "a teleport", out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_UNSUPPORTED;
    }
    snw_WalkerState *state = walker->states[walker->kept];
    const bool has_started = snw_walker_has_seen_ground(walker, state);
    const double rise = has_started ? root.y - walker->report.root.y : 0.0;
    snw_Ride *ride = snw_walker_parts(walker, state).ride;
    sinew_Vec3 place = snw_ride_from_world(ride, root);
    snw_walker_take_to(walker, place.x, place.z, heading - ride->heading, rise, state);
    ride->has_surface = false;
    ride->has_height = !has_started;
    ride->put_height = root.y;
    walker->report.root = root;
    walker->report.heading = heading;
    state->is_led = false;
    state->is_put = true;
    walker->view->start += rise;
    snw_view_forget(walker->view);
    snw_bounds_forget(snw_walker_parts(walker, state).bounds);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_push(
    sinew_Walker *walker, double velocity_x, double velocity_z, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (walker == NULL) { return snw_fail(out_message, bad, "walker is NULL"); }
    if (!isfinite(velocity_x) || !isfinite(velocity_z)) {
        return snw_fail(out_message, bad, "velocity_x or velocity_z is not finite");
    }
    if (snw_walker_check_natural(walker, "a push", out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_UNSUPPORTED;
    }
    snw_WalkerState *state = walker->states[walker->kept];
    if (!state->is_led) {
        state->push = sinew_vec3_add(state->push, sinew_vec3(velocity_x, 0.0, velocity_z));
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_layer(
    sinew_Walker *walker, const sinew_WalkLayer *layer, sinew_Message *out_message)
{
    if (walker == NULL || layer == NULL) {
        return SNW_CHECK_NULL(out_message, "walker layer", walker, layer);
    }
    sinew_Status status = snw_layer_check(walker->body->skeleton, layer, out_message);
    if (status == SINEW_STATUS_OK) { walker->layer = *layer; }
    return status;
}

sinew_Status sinew_walker_jump(sinew_Walker *walker, double height, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (walker == NULL) { return snw_fail(out_message, bad, "walker is NULL"); }
    if (!(height >= 0.05 && height <= 1.0)) {
        return snw_fail(out_message, bad, "height is %g, want 0.05..1 m", height);
    }
    if (snw_walker_way(walker) != SNW_WAY_CORE) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "to jump a walker needs two legs in the style natural");
    }
    snw_CoreJump *jump = &walker->states[walker->kept]->style.core.jump;
    const bool is_free = jump->stage == SNW_JUMP_NONE || jump->stage == SNW_JUMP_RISES;
    if (!is_free) { return SINEW_STATUS_OK; }
    memset(jump, 0, sizeof *jump);
    jump->stage = SNW_JUMP_WAITS;
    jump->speed = sqrt(2.0 * SNW_GRAVITY * height);
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Read-outs

static bool has_leg(const sinew_Walker *walker, int leg)
{
    return walker != NULL && leg >= 0 && leg < walker->body->leg_count;
}

sinew_WalkerReport sinew_walker_report(const sinew_Walker *walker)
{
    if (walker == NULL) { return (sinew_WalkerReport){ .leg_count = 0 }; }
    return walker->report;
}

sinew_WalkerLeg sinew_walker_leg(const sinew_Walker *walker, int leg)
{
    if (!has_leg(walker, leg)) { return (sinew_WalkerLeg){ .goal_count = 0 }; }
    return walker->target.feet[leg].told;
}

const sinew_Sole *sinew_walker_sole(const sinew_Walker *walker, int leg)
{
    return has_leg(walker, leg) ? &walker->body->legs[leg].sole : NULL;
}

const sinew_LegDef *sinew_walker_leg_def(const sinew_Walker *walker, int leg)
{
    return has_leg(walker, leg) ? &walker->body->legs[leg].def : NULL;
}

double sinew_walker_leg_length(const sinew_Walker *walker)
{
    return walker != NULL ? walker->body->length : 0.0;
}

const sinew_WalkEvent *sinew_walker_events(const sinew_Walker *walker, int *out_count)
{
    if (out_count != NULL) { *out_count = 0; }
    if (walker == NULL || snw_walker_way(walker) == SNW_WAY_PAPER) { return NULL; }
    const snw_WalkEvents *events = snw_walker_parts(walker, walker->states[walker->kept]).events;
    if (out_count != NULL) { *out_count = events->count; }
    return events->list;
}

const sinew_Goal *sinew_walker_goals(const sinew_Walker *walker, int *out_count)
{
    if (out_count != NULL) { *out_count = walker != NULL ? walker->poser.goal_count : 0; }
    return walker != NULL ? walker->poser.goals : NULL;
}

void snw_walker_use_gait(sinew_Walker *walker, const struct snw_GaitNumbers *numbers)
{
    for (int i = 0; i < walker->body->leg_count; ++i) { walker->body->legs[i].gait = numbers; }
}
