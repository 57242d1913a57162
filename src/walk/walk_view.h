#ifndef SNW_WALK_VIEW_H
#define SNW_WALK_VIEW_H

// The ground as the walker remembers it: a lattice over the world whose nodes are asked once. Between four
// nodes heights are bilinear; where they differ by more than a step the cell is an edge and as high as its
// highest corner, so that what looks at the ground never looks through the front of a step.
//
// The lattice rides on what carries the body (walk_ride.h): on a raft it lies in the raft's frame, so nothing
// that goes along is asked again. Of a ground with storeys each answer remembers from about which height it
// was looked down, and whether it goes past the body.

#include "sinew/ground.h"
#include "walk/walk_ride.h"

/// Metres between nodes: coarser ones misjudge where an edge is, finer ones ask four times as often.
#define SNW_VIEW_CELL 0.05
/// Corners of a cell that differ by more than this are an edge, metres; a slope of 38 degrees has less.
#define SNW_VIEW_EDGE 0.055

/// Metres between places that are asked beside an edge: a foot may be this near to it.
#define SNW_VIEW_FINE 0.005

/// What is so far from the root is remembered with all that a foot there asks for, metres.
#define SNW_VIEW_FAR 1.5
/// Sides of the squares of answers that are kept, around wherever was looked last: 3.2 m of nodes, 8 cm of places
/// beside edges.
enum { SNW_VIEW_SIDE = 64, SNW_VIEW_BESIDE = 16 };

/// One answer: of the place of its slot that is so many rounds of the memory off the origin.
typedef struct snw_ViewSlot {
    uint32_t key; ///< rounds along X and Z, 16 bits each; 0: empty
    float height;
} snw_ViewSlot;

/// A plane that what is not known is taken for: a place on it, and its slopes along X and Z.
typedef struct snw_ViewGuess {
    sinew_Vec3 at;
    double slope_x, slope_z;
} snw_ViewGuess;

typedef struct snw_View {
    sinew_Ground ground;     ///< that the nodes are of; without storeys, and still
    sinew_GroundQuery query; ///< that they are of; ask NULL: ground
    bool is_bad;             ///< an answer was not finite
    snw_Ride ride;           ///< where the lattice is
    double start;            ///< height to look down from, lattice
    unsigned storey;         ///< of that height, as a number of 0..7
    double cleared_at;       ///< storey at which those far away were forgotten
    double passing;          ///< speed of the fastest surface seen that goes past, m/s
    double passed;           ///< metres that it went since its nodes were forgotten
    int allowance;           ///< places that may still be asked
    int asked;               ///< since it was allowed
    /// It is between two ticks: soles are asked for in full, as the tick to come will.
    bool is_between;
    snw_ViewGuess guess; ///< of what may not
    int guess_count;
    snw_ViewSlot nodes[SNW_VIEW_SIDE * SNW_VIEW_SIDE];
    snw_ViewSlot beside[SNW_VIEW_BESIDE * SNW_VIEW_BESIDE];
} snw_View;

/// Forget what was seen, of the same ground.
void snw_view_forget(snw_View *view);
/// Forget everything; query NULL: ground, and NULL as well: level at height 0.
void snw_view_open(snw_View *view, const sinew_Ground *ground, const sinew_GroundQuery *query);
/// Whether the nodes are of this ground.
bool snw_view_is_of(
    const snw_View *view, const sinew_Ground *ground, const sinew_GroundQuery *query);
/// Look on from a height of the lattice, dt seconds later, the lattice being where it rides now; what went past
/// is forgotten.
void snw_view_ride(snw_View *view, const snw_Ride *ride, double start, double dt);

/// From now on so many places may be asked; what is not known beyond is taken to be here.
void snw_view_allow(snw_View *view, int places, const snw_ViewGuess *guess);

/// What is at places of the world in one call, velocities as they are there.
void snw_view_look(
    snw_View *view, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits);
/// Heights of at most SINEW_MAX_GROUND_PLACES places, asked now and not remembered, in one call, allowed or not.
void snw_view_ask_all(
    snw_View *view, const sinew_GroundPlace *places, int count, double *out_heights);

/// Nodes that are to be asked for in one call. A ground without storeys is asked when a node is looked at.
typedef struct snw_ViewBatch {
    int count;
    sinew_GroundPlace places[SINEW_MAX_GROUND_PLACES];
    snw_ViewSlot *slots[SINEW_MAX_GROUND_PLACES];
    uint32_t keys[SINEW_MAX_GROUND_PLACES];
} snw_ViewBatch;

/// Put a node into a batch if it is not known; a full batch is taken at once.
void snw_view_want(snw_View *view, snw_ViewBatch *batch, int32_t i, int32_t k);
/// Ask for all of a batch, which is empty then.
void snw_view_take(snw_View *view, snw_ViewBatch *batch);
/// Ask for what is not known of the cells around some places.
void snw_view_gather(snw_View *view, const sinew_GroundPlace *places, int count);

/// Height of a node, (i, k) cells along X and Z.
double snw_view_node(snw_View *view, int32_t i, int32_t k);
/// Widen a range of heights by those of count nodes, each second one from (i, k) on along X. False: not all are known.
bool snw_view_widen(const snw_View *view, int32_t i, int32_t k, int count, float *low, float *high);
/// Ask with a batch for the node nearest to a place, if it is not known; whether it is asked for.
bool snw_view_remember(snw_View *view, snw_ViewBatch *batch, double x, double z);
/// Height at a place; out_is_edge may be NULL.
double snw_view_height(snw_View *view, double x, double z, bool *out_is_edge);
/// What a sole is in: its lowest point, and from where to where it is along X and Z.
typedef struct snw_SoleBox {
    double bottom, low_x, high_x, low_z, high_z;
} snw_SoleBox;
/// No height below a sole is under the floor or above the roof.
typedef struct snw_ViewRange {
    double floor, roof; ///< infinite where nodes are not known
    bool are_known;     ///< all nodes around it
} snw_ViewRange;
snw_ViewRange snw_view_range(const snw_View *view, const snw_SoleBox *box);
/// Height at a place in the box that a range is of.
double snw_view_height_in(
    snw_View *view, const snw_ViewRange *range, double x, double z, bool *out_is_edge);
/// Height of the place of a fine lattice that is nearest, for what is beside an edge.
double snw_view_beside(snw_View *view, double x, double z);
/// Height beside an edge, where it is known or may be asked; false: it is not.
bool snw_view_sees_beside(snw_View *view, double x, double z, double *out_height);
/// Height at a place, looked at closer where there is an edge.
double snw_view_close(snw_View *view, double x, double z);
/// Asked now, not remembered, not counted.
double snw_view_ask(snw_View *view, double x, double z);

#endif
