#ifndef SNW_CORE_VIEW_H
#define SNW_CORE_VIEW_H

// The ground as the walker remembers it: a lattice over the world whose nodes are asked once. Between four
// nodes heights are bilinear; where they differ by more than a step the cell is an edge and as high as its
// highest corner, so that what looks at the ground never looks through the front of a step.

#include "sinew/ground.h"

/// Metres between nodes: coarser ones misjudge where an edge is, finer ones ask four times as often.
#define SNW_VIEW_CELL 0.05
/// Corners of a cell that differ by more than this are an edge, metres; a slope of 38 degrees has less.
#define SNW_VIEW_EDGE 0.055

/// Nodes that are kept: a square of 3.2 m, around wherever was looked last.
enum { SNW_VIEW_SIDE = 64, SNW_VIEW_SLOTS = SNW_VIEW_SIDE * SNW_VIEW_SIDE };

typedef struct snw_View {
    sinew_Ground ground; ///< that the nodes are of
    bool is_bad;         ///< an answer was not finite
    struct {
        int32_t i, k; ///< i INT32_MIN: empty
        float height;
    } slots[SNW_VIEW_SLOTS];
} snw_View;

/// Forget everything; ground NULL: level at height 0.
void snw_view_open(snw_View *view, const sinew_Ground *ground);
/// Whether the nodes are of this ground.
bool snw_view_is_of(const snw_View *view, const sinew_Ground *ground);

/// Height of a node, (i, k) cells along X and Z.
double snw_view_node(snw_View *view, int32_t i, int32_t k);
/// Ask for the node nearest to a place, if it is not known; whether it was asked.
bool snw_view_remember(snw_View *view, double x, double z);
/// Height at a place; out_is_edge may be NULL.
double snw_view_height(snw_View *view, double x, double z, bool *out_is_edge);
/// Asked now, not remembered.
double snw_view_ask(snw_View *view, double x, double z);

#endif
