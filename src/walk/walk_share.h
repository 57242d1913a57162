#ifndef SNW_WALK_SHARE_H
#define SNW_WALK_SHARE_H

// What walkers of one body have in common: the body as it was measured, the solvers of its legs, and memory
// that only an update under way needs.

#include "base/memory.h"
#include "walk/walk_poser.h"

typedef struct snw_WalkShare {
    int users;
    snw_WalkBody body;
    sinew_Solver *solvers[SINEW_MAX_LEGS];
    // what the solvers were told last, by whichever walker
    snw_HalfSolver told[SINEW_MAX_LEGS];
    double trailing_weight;
    double *rest;                 ///< the rest pose, by the stance  (coordinate_count)
    sinew_Transform *world, *all; ///< scratch of snw_WalkPoser
    double *mobility;             ///< scratch                       (axis_count)
    void *shown;                  ///< scratch of a walker's update, of the size that was asked for
    sinew_Allocator allocator;
    size_t size;
} snw_WalkShare;

/// Measure the body of a definition and make solvers for its legs; one user. shown_size: bytes of shown.
sinew_Status snw_walk_share_create(const sinew_WalkerDef *def, size_t shown_size,
    snw_WalkShare **out_share, sinew_Message *out_message);
/// One user less; after the last one the memory is given back. NULL is ignored.
void snw_walk_share_leave(snw_WalkShare *share);
/// Lend a poser what it works with.
void snw_walk_share_lend(snw_WalkShare *share, snw_WalkPoser *poser);

#endif
