#include "walk/walk_events.h"

static void tell(sinew_WalkEvent *event, sinew_WalkEventKind kind, snw_WalkEvents *events)
{
    event->kind = kind;
    snw_events_add(event, events);
}

void snw_events_start(sinew_WalkEvent *event, bool is_walking, snw_WalkEvents *events)
{
    if (is_walking && !events->was_walking) { tell(event, SINEW_WALK_START, events); }
}

void snw_events_end(
    sinew_WalkEvent *event, bool is_walking, bool is_blocked, snw_WalkEvents *events)
{
    if (!is_walking && events->was_walking) { tell(event, SINEW_WALK_STOP, events); }
    if (is_blocked != events->was_blocked) {
        tell(event, is_blocked ? SINEW_WALK_BLOCKED : SINEW_WALK_FREE, events);
    }
    events->was_walking = is_walking;
    events->was_blocked = is_blocked;
}
