#ifndef SNW_WALKER_STATE_H
#define SNW_WALKER_STATE_H

// A walker from inside: what it is made of, and which way of walking it goes. walker.c makes it by its definition
// (walker_def.c), walker_try.c tries whether its legs can walk, walker_frame.c runs it on, walker_set.c is what a game
// tells and asks it between frames.

#include "walk/core.h"
#include "walk/paper_cycle.h"
#include "walk/walk_poser.h"
#include "walk/walk_share.h"
#include "walk/walker_legs.h"

/// All that a frame changes; no pointers. What the style has of each leg is at its end, so that legs which
/// a body does not have need not be copied.
typedef struct snw_WalkerState {
    double time;
    double rest;       // time since the last whole tick, seconds
    sinew_Drive drive; // read at the start of the tick under way
    bool is_led;       // the root was given in the update before: x, z and heading of drive
    sinew_Vec3 push;   // told since, for the tick that begins next
    bool is_put;       // it was taken somewhere else since, and does not know how high it is there
    union {
        snw_PaperCycle paper;
        snw_Legs legs;
        snw_Core core;
    } style;
} snw_WalkerState;

struct sinew_Walker {
    snw_WalkShare *share;
    snw_WalkBody *body; // the share's
    snw_WalkSetup setup;
    snw_WalkPoser poser;
    snw_WalkTarget target;
    snw_View *view; // what it has seen is no state, only saved questions
    // an update that fails changes nothing, so it works on the one that is not kept
    snw_WalkerState *states[2];
    sinew_WalkLayer layer; // of the caller
    int kept;
    size_t state_size, target_size;
    sinew_WalkerReport report;
    sinew_Allocator allocator;
    size_t size;
};

/// How this body walks: two legs with feet by the mechanism of core.h, many legs on tips by that of walker_legs.h.
typedef enum snw_Way { SNW_WAY_CORE, SNW_WAY_PAPER, SNW_WAY_LEGS } snw_Way;

static inline snw_Way snw_way_choose(const snw_WalkBody *body, sinew_WalkStyle style)
{
    if (body->on_tips) { return SNW_WAY_LEGS; }
    return style == SINEW_WALK_PAPER ? SNW_WAY_PAPER : SNW_WAY_CORE;
}

static inline snw_Way snw_walker_way(const sinew_Walker *walker)
{
    return snw_way_choose(walker->body, walker->setup.style);
}

/// What a state has of whatever legs there are; nothing of the style paper, which goes on plain ground and tells less.
typedef struct snw_WalkerParts {
    snw_WalkRoot *root;
    snw_Ride *ride;     ///< what carries it
    snw_Bounds *bounds; ///< where it cannot go
    snw_Look *look;
    snw_WalkEvents *events; ///< of an update
    bool is_walking;
    int step_count;
    double distance;
} snw_WalkerParts;
snw_WalkerParts snw_walker_parts(const sinew_Walker *walker, snw_WalkerState *state);
/// Whether its feet stand on the ground.
bool snw_walker_has_seen_ground(const sinew_Walker *walker, const snw_WalkerState *state);
/// Take it to (x, z) of its own frame, as it is.
void snw_walker_take_to(const sinew_Walker *walker, double x, double z, double heading, double rise,
    snw_WalkerState *state);

/// Refuse what the style paper does not do.
sinew_Status snw_walker_check_natural(
    const sinew_Walker *walker, const char *what, sinew_Message *message);
sinew_Status snw_walker_check_def(const sinew_WalkerDef *def, sinew_Message *message);
sinew_Status snw_ornaments_check(const sinew_WalkOrnaments *ornaments, sinew_Message *message);

/// Walk a few steps: whether the ranges of the legs let them. The walker has to be reset afterwards.
sinew_Status snw_walker_try(sinew_Walker *walker, sinew_Message *message);

#endif
