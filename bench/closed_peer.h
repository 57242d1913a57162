#ifndef CLOSED_PEER_H
#define CLOSED_PEER_H

// A solver of somebody else's for one arm, beside sinew's closed form on the same targets: a shared
// library that $SINEW_PEER names, with two functions.
//
//   const char *sinew_peer_arm(void);
//       the arm, as `sinew bench arms` names it: "UR5, 180 deg"
//   int sinew_peer_solve(const double pose[12], const double *lower, const double *upper,
//                        double *answers, int capacity);
//       pose: rows of the 3 x 4 matrix of the arm's tip link seen from its base link, metres; ranges
//       and answers by axis, radians; returns how many answers it wrote, each as wide as the arm

#include "bench/bench.h"
#include "bench/bench_setup.h"

/// Table of the peer, where there is one.
void bench_closed_peer(const bench_Request *request, bench_Output *out, int targets);

#endif
