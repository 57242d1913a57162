#ifndef SNW_RETARGET_STATE_H
#define SNW_RETARGET_STATE_H

// A retargeter's own memory.

#include "motion/retarget_limits.h"
#include "motion/retarget_live.h"

struct sinew_Retargeter {
    sinew_RetargeterDef def; ///< its pairs and marks are not kept
    snw_RetargetCarry carry;
    sinew_Individual individual;
    sinew_IndividualEffects effects;
    snw_RetargetLimits limits;
    snw_RetargetLive live;
    sinew_ContactPoint points[6]; ///< of the source
    int point_count;
    sinew_Allocator allocator;
    size_t size;
};

#endif
