#ifndef SINEW_START_H
#define SINEW_START_H

/// \file
/// Start tables: a few start poses, prepared offline, from which a solve converges where it got
/// stuck from its own start.
///
/// A table belongs to a skeleton and to goals of one structure (kinds, joints, chain roots and
/// effectors; where the goals are does not matter). Many reachable goals are sampled and solved from
/// many candidates; the few that serve most goals together become the starts. The goals are
/// clustered, and each cluster's centroid stands for the start that serves most of it. A solver that
/// has the table looks for the centroid nearest to its goals and takes that centroid's start, then
/// those of the next nearest others.
/// Source: Blow (2002), Convergence Issues, which clusters the goals of each start instead; how
/// starts are chosen and the orientations in the distance are ours.
///
/// Goals are compared in *arm space*: relative to the frame in which the chain's root joint stands
/// (its place in its parent, before its own axes turn), so a table keeps its worth when the body
/// walks and turns. The distance of two goals is their position's in units of the reach, plus a
/// third of the chord 2 sin(angle/2) between their orientations, as root of the sum of squares over
/// all goals.

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest number of starts in a table, and of clusters of one start.
#define SINEW_MAX_STARTS 64
#define SINEW_MAX_START_CLUSTERS 64

/// What a table holds; plain arrays, for a file to store.
typedef struct sinew_StartTableData {
    int start_count;      ///< 1..SINEW_MAX_STARTS
    int centroid_count;   ///< at least 1
    int coordinate_count; ///< that of the skeleton
    int goal_count;       ///< 1 or more
    /// Unit of positions in distances, metres, > 0.
    double reach;
    /// start_count poses, row by row.                             (start_count x coordinate_count)
    const double *poses;
    /// Goals in arm space: position x, y, z in metres, orientation x, y, z, w. What the goal does
    /// not ask for is zero, and the identity.                     (centroid_count x goal_count x 7)
    const double *centroids;
    /// The start that each centroid stands for.                   (centroid_count)
    const int *centroid_starts;
    /// Kind, joint, chain_root and joint_from_effector are used.  (goal_count)
    const sinew_Goal *goals;
} sinew_StartTableData;

/// Never changes after creation; may be shared by solvers and threads.
typedef struct sinew_StartTable sinew_StartTable;

/// Make a table from what was stored. Everything is checked and copied. INVALID_ARGUMENT for
/// joints or poses that the skeleton has not, numbers not finite, counts out of their ranges;
/// OUT_OF_MEMORY; *out_table is then NULL.
SINEW_API sinew_Status sinew_start_table_create(const sinew_Skeleton *skeleton,
    const sinew_StartTableData *data, const sinew_Allocator *allocator,
    sinew_StartTable **out_table, sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_start_table_destroy(sinew_StartTable *table);

/// What is in it; lives as long as the table.
SINEW_API const sinew_StartTableData *sinew_start_table_data(const sinew_StartTable *table);

/// A new table with one more start: the pose q, chosen for goals near where q puts the effectors. With
/// table NULL the first start of a table for these goals. For poses that a person found.
SINEW_API sinew_Status sinew_start_table_add(const sinew_Skeleton *skeleton,
    const sinew_StartTable *table, const sinew_Goal *goals, int goal_count, const double *q,
    const sinew_Allocator *allocator, sinew_StartTable **out_table, sinew_Message *out_message);

/// How to build a table. Start from sinew_start_def_default().
typedef struct sinew_StartDef {
    const sinew_Skeleton *skeleton;
    /// Goals whose structure the table is for, and their weights; places are not looked at.
    const sinew_Goal *goals;
    int goal_count;
    /// Method, tolerances and ceilings with which starts are tried. Start mode, restarts and their
    /// seed are ignored. Default: cyclic coordinate descent.
    sinew_SolveOptions options;
    /// Starts wanted, 1..SINEW_MAX_STARTS; fewer when fewer serve all goals. Default 4.
    int start_count;
    /// Clusters for each start, 1..SINEW_MAX_START_CLUSTERS. Default 8.
    int cluster_count;
    /// Sampled goals, 1..100000. Default 1000.
    int target_count;
    /// Poses tried as starts, 1..1000: the rest pose, the middle of the ranges, random ones.
    /// Default 64.
    int candidate_count;
    /// Coordinates that no goal may move, coordinate_count numbers; NULL (default): the rest pose.
    const double *pose;
    uint64_t seed;
    sinew_Allocator allocator;
    /// Set by the default function, checked by sinew_start_table_build. Do not set.
    uint32_t cookie;
} sinew_StartDef;

/// The defaults told above; skeleton and goals are the caller's to say.
SINEW_API sinew_StartDef sinew_start_def_default(void);

/// Sample, try, choose and cluster. Takes target_count x candidate_count solves. Same input, same
/// table. out_share, which may be NULL, receives the share of the sampled goals that some start of
/// the table serves.
SINEW_API sinew_Status sinew_start_table_build(const sinew_StartDef *def,
    sinew_StartTable **out_table, double *out_share, sinew_Message *out_message);

/// Use a table from now on; NULL: none. Not copied: it must outlive the solver or be taken away.
/// Solves of goals of another structure do not look at it. INVALID_ARGUMENT when the table is for
/// another skeleton (number of coordinates, joints).
SINEW_API sinew_Status sinew_solver_set_starts(sinew_Solver *solver, const sinew_StartTable *table);

/// Success of one number of starts.
typedef struct sinew_StartSuccess {
    double nearest; ///< from the start of the nearest centroid alone
    double table;   ///< from all starts of the table, nearest first
    double random;  ///< from as many random poses
} sinew_StartSuccess;

/// Shares of reachable random goals (target_count of them, other ones than the tables are made from)
/// that are met, for tables of starts[i] starts each, 1..def->start_count. out_success has count
/// entries.
SINEW_API sinew_Status sinew_start_success(const sinew_StartDef *def, const int *starts, int count,
    int target_count, sinew_StartSuccess *out_success, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
