#ifndef SNW_CORE_ALIVE_H
#define SNW_CORE_ALIVE_H

// What a living body keeps above its legs. No pointers: a state can be copied and run on.

#include "math/random.h"
#include "walk/gait.h"

#include "sinew/manner.h"

/// Slow noise.
enum {
    SNW_WANDER_HEAD_YAW,
    SNW_WANDER_HEAD_PITCH,
    SNW_WANDER_HEAD_ROLL,
    SNW_WANDER_CHEST_YAW,
    SNW_WANDER_CHEST_PITCH,
    SNW_WANDER_ARM,                        ///< two
    SNW_WANDER_ASIDE = SNW_WANDER_ARM + 2, ///< of hips that stand, metres
    SNW_WANDER_AHEAD,
    SNW_WANDERS,
};

/// What differs from step to step: factors, less 1.
enum { SNW_VARY_SWING, SNW_VARY_ELBOW, SNW_VARY_TWIST, SNW_VARY_ROLL, SNW_VARY_PERIOD, SNW_VARIES };

/// One angle that goes after another that moves, exactly where bounds of speed and acceleration let it.
typedef struct snw_Chase {
    double value, speed;
    double target; ///< of the last tick
} snw_Chase;

enum { SNW_YAW, SNW_PITCH, SNW_ROLL };

/// How one arm hangs, radians.
typedef struct snw_CoreArm {
    double swing, elbow;
    double drive;  ///< of the swing, what the legs drive
    double bend;   ///< of the elbow, against its mean
    double radial; ///< of the hand, in the plane of the swing
} snw_CoreArm;

/// The rest of it, by that, when it is shown.
typedef struct snw_CoreArmTurns {
    double out, turn;            ///< to its side, of the humerus inwards
    double pronation, extension; ///< of forearm and hand: in, to its back
    double clavicle;             ///< up and forward
} snw_CoreArmTurns;

typedef struct snw_CoreLife {
    snw_Random random;
    int first_leg;     ///< that leaves next, of a body that is still to begin; -1: none
    double phase;      ///< of the left leg, without the jumps of landings
    double phase_rate; ///< cycles per second
    double level;      ///< 1 feet on one height .. 0 on steps
    double breath;     ///< phase
    double breathed;   ///< its sine
    double calm;       ///< 1 who has time for wide ways of the hips .. 0 who answers at once
    double slack;      ///< that a body at rest may stand off the middle of its feet, metres
    double behind;     ///< that the hips of who stops are behind the root
    double hips_yaw;   ///< against the heading
    double held_yaw;   ///< of that, what standing legs hold it back by
    double list,
        list_gain; ///< of people at the phase, degrees; and what is shown of it, radians by degree
    snw_Follower speed, size; ///< u; A as hips and trunk show it
    snw_Follower drive,
        late; ///< half of what the left thigh is ahead of the right one, and some time later
    snw_Follower look;       ///< of the head to where the way goes, against the heading
    snw_Follower curve;      ///< lean of who runs into a curve, to the left, radians
    snw_Follower even;       ///< list of a body at rest, with which both legs are as straight
    snw_Follower surge;      ///< of the hips before the root, metres
    snw_Follower bow, throw; ///< who jumps from both feet: trunk forward, and arms, radians
    snw_Follower wander[SNW_WANDERS], vary[SNW_VARIES];
    double wander_to[SNW_WANDERS], vary_to[SNW_VARIES];
    double wander_left[SNW_WANDERS]; ///< seconds until the next aim
    snw_Chase chest[3];              ///< against the heading, as the next one
    double head[3];
    snw_Follower wrist[2]; ///< pitch of the hand, which follows that of the forearm
    double forearm[2];     ///< the latter in the last tick
    snw_CoreArm arms[2];
} snw_CoreLife;

/// How far an elbow bends for each angle that its arm swings ahead, of people by their speed.
static inline double snw_elbow_gain(double u)
{
    return snw_mix(0.71, 1.3, snw_clamp((u - 0.35) / 0.30, 0.0, 1.0));
}

#endif
