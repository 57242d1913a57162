#ifndef SNW_GAIT_H
#define SNW_GAIT_H

// How people walk, as numbers: stride and cadence by speed, curves over the cycle, small functions of
// time that the layers share. Lengths are in leg lengths L, speeds as u = v / sqrt(g L).
// Curves and relations were fitted to recorded walks (cmu_12_01, cmu_12_03, cmu_03_03, mass_walk,
// bvhtoolbox_walk01, humanoid3d_walk).

#include "math/soft.h"

#include <math.h>

/// What of the natural style is fitted to recorded walks; angles in degrees, lengths in L.
typedef struct snw_GaitNumbers {
    double most_height;            ///< of the hips over the ground of a leg
    double late_height, late_drop; ///< below which the hips do not sink late in stance; with A less
    double push_pitch, push_start; ///< rise of the heel: size, phase
    double heel_pitch;             ///< toe up at landing
    double toe_bend;               ///< largest
    double knee[6];                ///< of standing legs at phase 0, .05, .15, .3, .4, .5
    double lift, pitch;            ///< size of the curves of the swing
    double lift_early, pitch_early; ///< how much earlier these curves run
    double stance, stance_slope; ///< share of the cycle that a foot stands: at u = 0, less with u
} snw_GaitNumbers;

/// What is walked with.
extern const snw_GaitNumbers snw_gait_numbers;

#define SNW_GRAVITY 9.81 // m/s^2
/// Numbers in metres and seconds are those of a body with legs of this length, metres; others walk in proportion.
#define SNW_USUAL_LEG 0.9

/// Smallest and largest period of the cycle of a body with the usual leg, seconds.
#define SNW_SHORTEST_PERIOD 0.7
#define SNW_LONGEST_PERIOD 1.7
/// Beyond this speed people run; Alexander (1989) puts the change near u^2 = 0.5.
#define SNW_FASTEST_WALK 0.64

/// 0 at t <= 0, 1 at t >= 1, 3 t^2 - 2 t^3 between.
static inline double snw_smoothstep(double t)
{
    if (t <= 0.0) { return 0.0; }
    if (t >= 1.0) { return 1.0; }
    return t * t * (3.0 - 2.0 * t);
}

static inline double snw_clamp(double value, double lower, double upper)
{
    return value < lower ? lower : (value > upper ? upper : value);
}

static inline double snw_positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

static inline double snw_mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

/// Share of the way to a new value after time h, for a time constant.
double snw_follow(double h, double time_constant);

/// What is nearer to where it goes than this has arrived. A number that only ever gets a part nearer to 0 ends, after a
/// minute, among those that processors take many times as long for.
#define SNW_ARRIVED 1e-200
/// A value so much later, on its way to another.
double snw_follow_to(double value, double target, double h, double time_constant);

/// One number that follows another without overshoot: critically damped, angular frequency omega.
typedef struct snw_Follower {
    double value, speed;
    double exponent, fade; ///< of the last step: most are alike
} snw_Follower;

/// Exact for a target that stands still during h.
void snw_follower_step(snw_Follower *follower, double target, double omega, double h);

/// Length of a stride (two steps), L.
double snw_stride_length(double u);
/// Period of the cycle, seconds.
double snw_stride_period(double u, double leg_length);
/// How far feet lift and roll by the length of the stride, L: 1 at 1.45; strides that are longer than those of their speed
/// count with no more than this slack, L.
#define SNW_STRIDE_SLACK 0.12
static inline double snw_gait_size(double stride)
{
    return snw_clamp((stride - 0.35) / 1.10, 0.0, 1.2);
}
/// Share of the cycle that a foot stands.
double snw_stance_share(const snw_GaitNumbers *numbers, double u);

/// Curves of the swing at 0..1; each returns the value and, where out_slope is not NULL, its slope.
double snw_swing_progress(double t, double *out_slope);
double snw_swing_lift(
    const snw_GaitNumbers *numbers, double t, double *out_slope); ///< of the ankle, L
double snw_swing_pitch(const snw_GaitNumbers *numbers, double t,
    double *out_slope); ///< of the foot, radians, toe up positive

/// Knee flexion that a standing leg wants at a phase of 0 .. 0.7, radians.
double snw_stance_knee(const snw_GaitNumbers *numbers, double phase);

#endif
