// Answers that kernels of closed forms have found: which one is kept, and its angles.

#include "math/lanes.h"
#include "solve/closed.h"

// squared angle of a squared chord of at most 2, to 3e-4: the series of asin squared
static double angle2_of(double chord2)
{
    double square = chord2 * chord2;
    return chord2 + square * (1.0 / 12.0 + chord2 * (1.0 / 90.0) + square * (1.0 / 520.0));
}

// The squared way of a joint between two turns within its range, without forming an angle: of more than a
// right angle what a half turn leaves, and of more than that what a whole one does.
static double way2_between(const snw_ClosedRange *range, snw_Turn from, snw_Turn to)
{
    double along = from.cosine * to.cosine + from.sine * to.sine;
    double across = from.sine * to.cosine - from.cosine * to.sine;
    // from the range's middle both are less than half a turn away, on either side; the short way
    // between them is the one around its gap where the sine of that has the other sign
    double a = from.sine * range->cosine - from.cosine * range->sine;
    double b = to.sine * range->cosine - to.cosine * range->sine;
    bool around = range->least > -1.5 && a * b < 0.0 && a * across < 0.0;
    if (along >= 0.0 && !around) { return angle2_of(2.0 - 2.0 * along); }
    double angle = along >= 0.0 ? 2.0 * SINEW_PI - sqrt(angle2_of(2.0 - 2.0 * along))
        : around                ? SINEW_PI + sqrt(angle2_of(2.0 + 2.0 * along))
                                : SINEW_PI - sqrt(angle2_of(2.0 + 2.0 * along));
    return angle * angle;
}

static double ways2(const snw_ClosedSearch *search)
{
    const snw_Closed *closed = search->closed;
    double sum = 0.0;
    for (int i = 0; i < closed->shape.count; ++i) {
        sum += way2_between(&search->ranges[i], search->here[i], search->turns[i]);
    }
    return sum;
}

// the value of a joint whose turn has this angle; false: it is out of its range
static inline bool place_value(snw_ClosedSearch *search, int i, double angle)
{
    const snw_ClosedJoint *joint = &search->closed->shape.joints[i];
    const snw_ClosedRange *range = &search->ranges[i];
    bool good = snw_place_angle(angle - joint->angle, range->lower, range->upper,
        search->start[joint->joint], SNW_CLOSED_BEYOND, &search->values[i]);
    search->formed_known |= (good ? 1u : 0u) << i;
    return good;
}

bool snw_closed_angles(snw_ClosedSearch *search, const snw_Turn *turns, double *out)
{
    int count = search->closed->shape.count, changed[SNW_CLOSED_JOINTS], left = 0;
    for (int i = 0; i < count; ++i) {
        snw_Turn *formed = &search->formed[i];
        bool known = (search->formed_known >> i & 1u) != 0;
        if (known && formed->sine == turns[i].sine && formed->cosine == turns[i].cosine) {
            continue;
        }
        *formed = turns[i];
        search->formed_known &= ~(1u << i);
        changed[left++] = i;
    }
    bool good = true;
    int k = 0;
    for (; k + 1 < left; k += SNW_LANE_COUNT) {
        int a = changed[k], b = changed[k + 1];
        snw_Lanes angles = snw_lanes_atan2(snw_lanes_pair(turns[a].sine, turns[b].sine),
            snw_lanes_pair(turns[a].cosine, turns[b].cosine));
        good = place_value(search, a, snw_lanes_get(angles, 0)) && good;
        good = place_value(search, b, snw_lanes_get(angles, 1)) && good;
    }
    if (k < left) {
        snw_Turn last = turns[changed[k]];
        good = place_value(search, changed[k], sinew_atan2(last.sine, last.cosine)) && good;
    }
    for (int i = 0; good && i < count; ++i) { out[i] = search->values[i]; }
    return good;
}

bool snw_closed_offer(snw_ClosedSearch *search)
{
    int count = search->closed->shape.count, place = search->found;
    if (search->wanted == SNW_CLOSED_ALL) {
        double *to = &search->answers[(size_t)place * (size_t)count];
        if (!snw_closed_angles(search, search->turns, to)) { return false; }
        search->branches[place] = search->ways[0] + 2 * search->ways[1] + 4 * search->ways[2];
        return ++search->found == SNW_CLOSED_ANSWERS;
    }
    bool nearest = search->wanted == SNW_CLOSED_NEAREST;
    double way2 = nearest ? ways2(search) : 0.0;
    if (!(way2 < search->best)) { return false; }
    search->best = way2;
    search->found = 1;
    for (int i = 0; i < count; ++i) { search->chosen[i] = search->turns[i]; }
    return !nearest;
}
