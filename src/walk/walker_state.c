#include "walk/walker_state.h"

#include "base/message.h"

bool snw_walker_has_seen_ground(const sinew_Walker *walker, const snw_WalkerState *state)
{
    switch (snw_walker_way(walker)) {
    case SNW_WAY_PAPER: return state->style.paper.on_ground;
    case SNW_WAY_LEGS: return state->style.legs.has_started;
    case SNW_WAY_CORE: return state->style.core.has_started;
    }
    return false;
}

snw_WalkerParts snw_walker_parts(const sinew_Walker *walker, snw_WalkerState *state)
{
    snw_Legs *legs = &state->style.legs;
    snw_Core *core = &state->style.core;
    if (snw_walker_way(walker) == SNW_WAY_PAPER) { return (snw_WalkerParts){ .root = NULL }; }
    if (snw_walker_way(walker) == SNW_WAY_LEGS) {
        return (snw_WalkerParts){ &legs->root, &legs->ride, &legs->bounds, &legs->look,
            &legs->events, legs->is_walking, legs->step_count, legs->distance };
    }
    return (snw_WalkerParts){ &core->root, &core->ride, &core->bounds, &core->look, &core->events,
        core->is_walking, core->step_count, core->distance };
}

void snw_walker_take_to(const sinew_Walker *walker, double x, double z, double heading, double rise,
    snw_WalkerState *state)
{
    if (snw_walker_way(walker) == SNW_WAY_LEGS) {
        snw_legs_teleport(walker->body, x, z, heading, rise, &state->style.legs);
    } else {
        snw_core_teleport(x, z, heading, rise, &state->style.core);
    }
}

sinew_Status snw_walker_check_natural(
    const sinew_Walker *walker, const char *what, sinew_Message *message)
{
    if (snw_walker_way(walker) != SNW_WAY_PAPER) { return SINEW_STATUS_OK; }
    return snw_fail(message, SINEW_STATUS_UNSUPPORTED, "%s needs the style natural", what);
}
