#ifndef RECORDED_GAITS_H
#define RECORDED_GAITS_H

/// \file
/// Gait curves of six recorded walks of five people, to lay computed walks beside.
///
/// Two slow straight walks of one person, one single stride, one brisk walk, one over uneven ground,
/// one cyclic walk. Angles in degrees over the stride from heel strike to heel strike of the same
/// leg; sagittal, mean of both legs. Taken from the files by snw_gait_read; a test holds the table to
/// the files where they are at hand.
///
/// The data of cmu_* was obtained from mocap.cs.cmu.edu; the database was created with funding from NSF
/// EIA-0196217. mass_walk: github.com/lsw9021/MASS (Apache-2.0). bvhtoolbox_walk01:
/// github.com/OlafHaag/bvh-toolbox (MIT). humanoid3d_walk: DeepMimic, by way of Bullet (zlib).

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SCENE_RECORDED_GAITS = 6, SCENE_GAIT_POINTS = 50 };

typedef struct scene_RecordedGait {
    const char *name; ///< of the file, without folder and ending
    /// Clips of one person stand in one half; halves are fitted and judged crosswise.
    int half;                        ///< 0 or 1
    double froude;                   ///< speed over the root of g times leg length
    double stride;                   ///< length in leg lengths
    double hip[SCENE_GAIT_POINTS];   ///< thigh forward of vertical
    double knee[SCENE_GAIT_POINTS];  ///< flexion
    double ankle[SCENE_GAIT_POINTS]; ///< dorsiflexion
} scene_RecordedGait;

extern const scene_RecordedGait scene_recorded_gaits[SCENE_RECORDED_GAITS];

#ifdef __cplusplus
}
#endif

#endif
