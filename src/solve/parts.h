#ifndef SNW_PARTS_H
#define SNW_PARTS_H

// Goals that share no movable joint are problems of their own: each is solved by the best way that it
// has, and none waits for another. A joint is shared where it moves a goal, be it only because another
// goal may move it: so all movable joints from a goal up to the root of the skeleton belong together.

#include "solve/run.h"

typedef struct snw_Part {
    int goal_count;
    int *places;       // of its goals among all
    sinew_Goal *goals; // copies of them, of this solve
    snw_Solve solve;
} snw_Part;

typedef struct snw_Parts {
    int count;              // of the goals there are; 1: they belong together, or there is no room
    bool planned;           // the parts have plans
    int *above;             // by joint: another of its part, or itself
    int *number;            // by joint: the part of those that it stands for
    int *part_of;           // by goal
    int *first, *next;      // by part its first goal, by goal the next of its part, -1: none
    unsigned char *movable; // by joint
    snw_Part *parts;        // in memory, with all they point at; while planned
    snw_Part *measured;     // takes no memory, to count how much it would
    char *memory; // that of the whole, which is never at work at the same time, and some more
    size_t memory_size;
} snw_Parts;

/// Memory for the whole and for its parts.
void snw_parts_take(snw_Parts *parts, snw_Solve *whole, const sinew_Skeleton *skeleton,
    int max_goals, snw_Arena *arena);

/// Find the parts of goals that were checked; they have no plans yet.
void snw_parts_find(snw_Parts *parts, const sinew_Skeleton *skeleton, const double *mobility,
    const sinew_Goal *goals, int goal_count);

/// Lay out the plans of the parts, as snw_run_plan does; that of the whole is spoilt.
void snw_parts_plan(snw_Parts *parts, const snw_Solve *whole, const snw_PlanScratch *scratch,
    const double *mobility, const double *rest, const sinew_Goal *goals, int goal_count,
    bool rows_half);

/// Give the memory back to the whole; the plans of the parts are spoilt.
void snw_parts_leave(snw_Parts *parts);

/// Solve part after part; the results and the report of all go to the whole. On an error q is as it was.
sinew_Status snw_parts_run(snw_Parts *parts, snw_Solve *whole, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, sinew_Message *message);

#endif
