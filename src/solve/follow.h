#ifndef SNW_FOLLOW_H
#define SNW_FOLLOW_H

// Hinges whose range is about a direction and not about a place of their own: a thigh that is twisted by at
// most so much from where its knee points ahead, an ankle that keeps the sole at most so far off the ground.
//
// Such a range is about where a direction that is fixed to the hinge's joint comes nearest to one in the world.
// Where that is depends on all hinges above, so that every pose lays the range anew, and the Jacobian knows how a
// hinge that is kept there, or on an end of the range, goes along when those turn. Then no step leaves a joint
// out of a range that was laid about another pose, and one solve is enough.
// Source: the temporary limits of Meredith and Maddock (2004), figure 1.3 and Walking, about a heading.
//
// For methods that step by a Jacobian.

#include "sinew/skeleton.h"

/// Most of them in one solve.
#define SNW_MOST_FOLLOWS 3

typedef struct snw_Follow {
    int axis; ///< the hinge
    int last_axis; ///< of the joint that the direction is fixed to; the hinge or one below, about one point
    sinew_Vec3 direction; ///< in the frame of that axis' joint
    sinew_Vec3 wanted;    ///< in the world, not zero
    double lower, upper;  ///< from where these two are nearest to each other, radians
    /// false: it is kept where they are nearest, and begins there; its value is how far it is off, which a small
    /// mobility keeps small. true: it is like any hinge between lower and upper, and goes on from its angle
    bool is_free;
    double
        end; ///< where the solve left it, from where they are nearest; 0 where the goals do not ask for the hinge

    bool may_leave; ///< it: in the first step of a solve, since what is left then goes to and fro
    int kept_side; ///< the end that a free one was kept on in the last step: -1 lower, 1 upper; 0: none
    // of the plan at work: found once, and kept with the rest while axes and count are the same
    int link, last;   // of the hinge and of last_axis; -1: not in it
    sinew_Vec3 inner; // the direction in the frame of the last link
    double near;      // the angle that the pose given has
    // its own range: cosine and sine of its middle, and cosine of half of it less what it may be off and a margin;
    // -2: it has no ends
    double own_lower, own_upper, middle_cosine, middle_sine, inside;
    double known_lower, known_upper, lower_sine, lower_cosine, upper_sine, upper_cosine;
} snw_Follow;

/// One of them in a pose.
typedef struct snw_Followed {
    double sine, cosine; ///< of its angle where the directions are nearest
    bool is_near_end;    ///< of its own range
    bool is_held;        ///< it is there
    int side; ///< of a free one: -1, 1 on the lower, upper end of the range about the direction, else 0
} snw_Followed;

#endif
