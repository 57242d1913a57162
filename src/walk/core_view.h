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

/// Metres between places that are asked beside an edge: a foot may be this near to it.
#define SNW_VIEW_FINE 0.005

/// Sides of the squares of answers that are kept, around wherever was looked last: of nodes, 2.4 m; of every
/// second one both ways, which looks for what is far, 3.2 m; and 10 cm of places beside edges.
enum { SNW_VIEW_NEAR = 48, SNW_VIEW_FAR = 32, SNW_VIEW_BESIDE = 20 };

/// One answer: of the place of its slot that is so many rounds of the memory off the origin.
typedef struct snw_ViewSlot {
    int16_t i, k; ///< i INT16_MIN: empty
    float height;
} snw_ViewSlot;

typedef struct snw_View {
    sinew_Ground ground; ///< that the nodes are of
    bool is_bad;         ///< an answer was not finite
    snw_ViewSlot near[SNW_VIEW_NEAR * SNW_VIEW_NEAR];
    snw_ViewSlot far[SNW_VIEW_FAR * SNW_VIEW_FAR];
    snw_ViewSlot beside[SNW_VIEW_BESIDE * SNW_VIEW_BESIDE];
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
/// Height of the place of a fine lattice that is nearest, for what is beside an edge.
double snw_view_beside(snw_View *view, double x, double z);
/// Asked now, not remembered.
double snw_view_ask(snw_View *view, double x, double z);

#endif
