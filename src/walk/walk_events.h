#ifndef SNW_WALK_EVENTS_H
#define SNW_WALK_EVENTS_H

// What is told of an update: feet that land and leave, starts and stops. Each style says what its feet do.

#include "walk/walker_root.h"

typedef struct snw_WalkEvents {
    bool was_walking, was_blocked; ///< when it was told last
    int count;                     ///< of this update
    sinew_WalkEvent list[SINEW_MAX_WALK_EVENTS];
} snw_WalkEvents;

static inline void snw_events_add(const sinew_WalkEvent *event, snw_WalkEvents *events)
{
    if (events->count < SINEW_MAX_WALK_EVENTS) { events->list[events->count++] = *event; }
}

/// An event of the whole body, at the root over a height of the ground; its kind, and what of it is a leg's, is still to be
/// said. time: seconds.
static inline sinew_WalkEvent snw_event_of(
    const snw_WalkRoot *root, double time, double height, unsigned surface)
{
    sinew_WalkEvent event = { .leg = -1, .time = time, .surface = surface };
    event.place = sinew_vec3(root->x, height, root->z);
    event.speed = snw_root_speed(root);
    return event;
}

static inline void snw_events_tell(
    sinew_WalkEvent *event, sinew_WalkEventKind kind, snw_WalkEvents *events)
{
    event->kind = kind;
    snw_events_add(event, events);
}

/// Before those of the feet in a tick: whether it starts. event: of the whole body, without its kind.
static inline void snw_events_start(sinew_WalkEvent *event, bool is_walking, snw_WalkEvents *events)
{
    if (is_walking && !events->was_walking) { snw_events_tell(event, SINEW_WALK_START, events); }
}

/// After them: whether it stops, and can go where it wants.
static inline void snw_events_end(
    sinew_WalkEvent *event, bool is_walking, bool is_blocked, snw_WalkEvents *events)
{
    if (!is_walking && events->was_walking) { snw_events_tell(event, SINEW_WALK_STOP, events); }
    if (is_blocked != events->was_blocked) {
        snw_events_tell(event, is_blocked ? SINEW_WALK_BLOCKED : SINEW_WALK_FREE, events);
    }
    events->was_walking = is_walking;
    events->was_blocked = is_blocked;
}

#endif
