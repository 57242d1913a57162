// What is told of a tick: what soles do.

#include "walk/core.h"

static sinew_WalkEvent whole_of(const snw_Core *state)
{
    return snw_event_of(
        &state->root, state->tick * SNW_WALK_TICK, state->legs[0].at.ground.y, state->ride.surface);
}

static void tell(snw_Core *state, sinew_WalkEventKind kind, int index)
{
    const snw_CoreLeg *leg = &state->legs[index];
    sinew_WalkEvent event = whole_of(state);
    event.leg = index;
    event.planted = leg->pose.planted;
    event.place = leg->at.ground;
    event.surface = leg->surface.id;
    snw_events_tell(&event, kind, &state->events);
}

snw_FootStage snw_core_stage(const snw_CoreLeg *leg)
{
    if (leg->is_swinging) { return SNW_FOOT_MOVES; }
    if (leg->pitch > SNW_FLAT_PITCH) { return SNW_FOOT_ON_HEEL; }
    return leg->pitch >= -SNW_FLAT_PITCH ? SNW_FOOT_FLAT : SNW_FOOT_ON_TOES;
}

static void watch_leg(snw_Core *state, int index)
{
    snw_CoreLeg *leg = &state->legs[index];
    const snw_FootStage stage = snw_core_stage(leg);
    const snw_FootStage was = leg->was_stage;
    leg->was_stage = stage;
    if (was == SNW_FOOT_MOVES && stage != was) { tell(state, SINEW_WALK_CONTACT, index); }
    if (stage == SNW_FOOT_FLAT && was != stage) { tell(state, SINEW_WALK_FLAT, index); }
    if (stage == SNW_FOOT_ON_TOES && (was == SNW_FOOT_ON_HEEL || was == SNW_FOOT_FLAT)) {
        tell(state, SINEW_WALK_HEEL_OFF, index);
    }
    if (was != SNW_FOOT_MOVES && stage == SNW_FOOT_MOVES) {
        tell(state, SINEW_WALK_TOE_OFF, index);
    }
}

void snw_core_watch(snw_Core *state)
{
    sinew_WalkEvent whole = whole_of(state);
    snw_events_start(&whole, state->is_walking, &state->events);
    for (int i = 0; i < 2; ++i) { watch_leg(state, i); }
    snw_events_end(&whole, state->is_walking, state->bounds.is_blocked, &state->events);
}
