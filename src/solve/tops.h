#ifndef SNW_TOPS_H
#define SNW_TOPS_H

// Which joints goals may move, found for all goals in one sweep over the skeleton. Chains that go up to the
// root share most of their joints: walked one by one they take the square of what the sweep does.
//
// The top of a joint is the first one that goals at it or below it may move on the way from the root down to
// it, -1: all of them. Numbers rise along that way, so goals move joint j where tops[j] <= j.

#include "sinew/goal.h"

#include <limits.h>

/// Of joints that are posed for goals and moved by none, and of those that goals have nothing to do with.
#define SNW_TOP_POSED (INT_MAX - 1)
#define SNW_TOP_NONE INT_MAX

/// Those of goals that were checked, by joint. O(joints + goals).
void snw_tops_find(
    const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count, int *tops);

/// The same with all that is posed for them: what moves references, and masses.
void snw_tops_find_posed(
    const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count, int *tops);

/// Goal by goal, of effectors alone: none yet; one more; and once they are there, from joints to those above.
void snw_tops_clear(const sinew_Skeleton *skeleton, int *tops);
void snw_tops_add(const sinew_Goal *goal, int *tops);
void snw_tops_carry_up(const sinew_Skeleton *skeleton, int *tops);

static inline bool snw_top_moves(const int *tops, int joint)
{
    return tops[joint] <= joint;
}

#endif
