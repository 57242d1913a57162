#ifndef SNW_ARCS_H
#define SNW_ARCS_H

// Parts of a whole turn. A limb with an angle to spare has its limits as waves of that angle, a cosine and
// a sine each: where they are 0 or more is an arc between two ends in closed form, and what all limits
// leave is an exact set of arcs.

#include "solve/circle.h"

/// Arcs that a set has at most; of more the last ones are left out.
#define SNW_MAX_ARCS 12

/// Arcs in order, apart from each other. Angles are told by their places on the way round the square
/// |x| + |y| = 1 instead of the circle, from -2 at -pi over 0 to 2 at pi, which takes no arc tangent.
typedef struct snw_Arcs {
    int count;
    double lower[SNW_MAX_ARCS], upper[SNW_MAX_ARCS];
} snw_Arcs;

/// even + cosine cos(angle) + sine sin(angle)
typedef struct snw_Wave {
    double even, cosine, sine;
} snw_Wave;

static inline void snw_arcs_set_whole(snw_Arcs *arcs)
{
    arcs->count = 1;
    arcs->lower[0] = -2.0;
    arcs->upper[0] = 2.0;
}

static inline void snw_arcs_copy(const snw_Arcs *from, snw_Arcs *to)
{
    to->count = from->count;
    // there is hardly ever more than one, which no call is made for
    if (from->count == 1) {
        to->lower[0] = from->lower[0];
        to->upper[0] = from->upper[0];
        return;
    }
    for (int a = 0; a < from->count; ++a) {
        to->lower[a] = from->lower[a];
        to->upper[a] = from->upper[a];
    }
}

/// Keep the part where a wave is 0 or more.
void snw_arcs_keep(snw_Arcs *arcs, const snw_Wave *wave);
/// Take in what others have.
void snw_arcs_join(snw_Arcs *arcs, const snw_Arcs *others);

/// The place in the arcs that is nearest to 0; false: there are none.
bool snw_arcs_nearest(const snw_Arcs *arcs, double *out);
/// The place at a share 0..1 of the length of all arcs, of which there is one at least.
double snw_arcs_at(const snw_Arcs *arcs, double share);

/// The turn at a place, and the place of a direction.
snw_Turn snw_arcs_turn(double place);

static inline double snw_arcs_place(double sine, double cosine)
{
    double share = sine / (fabs(sine) + fabs(cosine));
    return cosine >= 0.0 ? share : copysign(2.0, sine) - share;
}

/// Number k of a sequence that halves what is left: 1/2, 1/4, 3/4, 1/8, ...; van der Corput (1935).
double snw_spread(int k);

#endif
