#ifndef SINEW_PAPER_WALK_H
#define SINEW_PAPER_WALK_H

/// \file
/// Numbers of the walking style "paper", the two-stage cycle of Meredith and Maddock (2004), which leaves
/// most of them open. Lengths marked L are in leg lengths, hip joint to sole.

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from sinew_paper_walk_default().
typedef struct sinew_PaperWalk {
    /// Stride length: a foot goes at most this share of L / 2 farther than it trails the hips, (0, 1.5]; 1 as
    /// published. 0 (default): by speed, 1 at cadence. Stride speed is that of the steering.
    double stride;
    /// Most steps a second, 0.1..20; speeds that need more are cropped. Default 2, as people walk.
    double cadence;
    double stand_height; ///< of the hips when standing (L), 0.5..1. 0.975
    double walk_height;  ///< at the ends of a cycle (L), 0.5..1. 0.965
    double bob;          ///< how much higher half-way (L), 0..0.2. 0.012
    double swing;        ///< turn of the hips to each side, radians, 0..0.5. 0.06
    double clearance;    ///< height of the lift curve (L), 0..0.5. 0.09
    double gap;          ///< of the toes when the heel lands (L), 0..0.2. 0.035
    double
        heel_rise; ///< of the trailing foot about its toes at the end of a cycle, radians, 0..0.8. 0.4
    /// On uneven ground the lift curve is turned about its start, as one part of the paper says; false
    /// (default): skewed, as the other does.
    bool rotate;
} sinew_PaperWalk;

/// The defaults told above.
SINEW_EXPERIMENTAL sinew_PaperWalk sinew_paper_walk_default(void);

#ifdef __cplusplus
}
#endif

#endif
