#ifndef SNW_START_TABLE_H
#define SNW_START_TABLE_H

// Start tables inside: arm space, and which start is nearest.

#include "base/memory.h"
#include "sinew/start.h"

/// Numbers of one goal in arm space.
#define SNW_KEY_SIZE 7

/// Whether a skeleton has the coordinates and joints that the table speaks of.
bool snw_start_table_is_for(const sinew_StartTable *table, const sinew_Skeleton *skeleton);

/// Goals in arm space, as centroids are stored; q gives the frames that the chains hang in.
void snw_start_key(const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count,
    const double *q, double *out_key);

/// Put a goal where a pose has its effector.
void snw_start_goal_at(const sinew_Skeleton *skeleton, const double *q, sinew_Goal *goal);

/// Whether goals are goals of a skeleton; places and weights are not looked at.
sinew_Status snw_start_check_goals(const sinew_Skeleton *skeleton, const sinew_Goal *goals,
    int goal_count, sinew_Message *message);

/// Squared distance of two keys.
double snw_start_distance2(const double *a, const double *b, int goal_count, double reach);

/// The table's starts, that of the nearest centroid first; returns how many, 0 when the table is for
/// other goals. only: the goals that count for that, only_count of them; NULL: all. out_starts has
/// SINEW_MAX_STARTS entries. Starts without a centroid come last.
int snw_start_table_order(const sinew_StartTable *table, const sinew_Skeleton *skeleton,
    const sinew_Goal *goals, int goal_count, const int *only, int only_count, const double *q,
    int *out_starts);

#endif
