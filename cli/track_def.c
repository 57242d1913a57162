#include "track_def.h"

/// Pull to the last frame where limits are on, see sinew_TrackerDef: ten times that without. More of it, 1e-3,
/// lags by millimetres, and lost frames follow from that.
#define LIMITED_VELOCITY_WEIGHT 1e-4
/// Damping where limits are on: that of single solves, which goes round limits where the tracker's own, ten
/// times as strong, stalls at them; without limits that is the smoother one.
#define LIMITED_DAMPING_GAIN 0.1

/// Soft reach where a rig's limits put recorded places out of reach. Without a rig the clip's own
/// joints reach all of them, and easing would only cost.
#define RIGGED_SOFT_REACH 0.02

sinew_TrackerDef cli_track_def(const cli_Input *input)
{
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = input->skeleton;
    def.frame_time = sinew_clip_frame_time(input->clip);
    if (input->rig == NULL) { return def; }
    // limits that hold and let go shake less with a pull to the last frame
    if (cli_has_limits(input->skeleton)) {
        def.options.velocity_weight = LIMITED_VELOCITY_WEIGHT;
        def.options.damping_gain = LIMITED_DAMPING_GAIN;
    }
    def.options.soft_reach = RIGGED_SOFT_REACH;
    return def;
}
