#ifndef KDL_PEER_H
#define KDL_PEER_H

// Orocos KDL beside sinew, on the same chain and the same targets. Compiled where KDL is installed
// (SINEW_HAS_KDL); the only C++ of the house, and no part of the library.

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One moving axis. Its frame stands at position and rotation (x, y, z, w) in the frame of the axis
/// before, or of the world; then it turns about direction or slides along it.
typedef struct kdl_Axis {
    double position[3], rotation[4];
    double direction[3];
    bool slide;
    double lower, upper;
} kdl_Axis;

typedef struct kdl_Chain kdl_Chain;

/// A chain of axes and the tip's place in the frame of the last one. NULL without memory.
kdl_Chain *kdl_chain_create(const kdl_Axis *axes, int axis_count, const double *tip_position,
    const double *tip_rotation, double tolerance, bool position_alone);
void kdl_chain_destroy(kdl_Chain *chain);

/// What one solve made of the time.
typedef struct kdl_Result {
    bool claimed; ///< KDL says that it found an answer
    int iterations;
    double time; ///< seconds
} kdl_Result;

/// Newton-Raphson within limits as TRAC-IK's comparison calls it: iteration by iteration, each
/// from where the last one ended, until it answers or the seconds are over.
kdl_Result kdl_solve_limited(kdl_Chain *chain, const double *start, const double *target_position,
    const double *target_rotation, double seconds, double *out_q);

/// Levenberg-Marquardt, which knows no limits; one call.
kdl_Result kdl_solve_marquardt(kdl_Chain *chain, const double *start, const double *target_position,
    const double *target_rotation, double *out_q);

/// Where KDL puts the tip, to check that both mean the same chain.
void kdl_forward(kdl_Chain *chain, const double *q, double *out_position, double *out_rotation);

#ifdef __cplusplus
}
#endif

#endif
