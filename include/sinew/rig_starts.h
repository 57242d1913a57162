#ifndef SINEW_RIG_STARTS_H
#define SINEW_RIG_STARTS_H

/// \file
/// Start tables (sinew/start.h) in rigs and out of them. Part of libsinew-io.

#include "rig.h"
#include "start.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Keep a table for goals of the skeleton under a name. The rig's unit must be set, else metres.
SINEW_API sinew_Status sinew_rig_keep_starts(sinew_Rig *rig, const char *name,
    const sinew_Skeleton *skeleton, const sinew_StartTable *table);

/// A kept table for the skeleton. INVALID_ARGUMENT with a message where it does not fit: joints, counts
/// of coordinates.
SINEW_API sinew_Status sinew_rig_start_table(const sinew_Rig *rig, const sinew_RigStarts *starts,
    const sinew_Skeleton *skeleton, const sinew_Allocator *allocator, sinew_StartTable **out_table,
    sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
