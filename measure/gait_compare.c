#include "measure/gait_compare.h"

#include <math.h>
#include <string.h>

void measure_gait_mean(const snw_Gait *const *gaits, int count, snw_Gait *out_mean)
{
    snw_Gait mean;
    memset(&mean, 0, sizeof mean);
    double share = 1.0 / count;
    for (int g = 0; g < count; ++g) {
        for (int c = 0; c < SNW_GAIT_CURVE_COUNT; ++c) {
            for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
                mean.curves[c][p] += share * gaits[g]->curves[c][p];
            }
        }
        mean.strike_count += gaits[g]->strike_count;
        mean.stride_count += gaits[g]->stride_count;
        mean.period += share * gaits[g]->period;
        mean.speed += share * gaits[g]->speed;
        mean.stride += share * gaits[g]->stride;
        mean.froude += share * gaits[g]->froude;
        mean.bounce += share * gaits[g]->bounce;
        mean.steady += share * gaits[g]->steady;
        mean.airborne += share * gaits[g]->airborne;
    }
    *out_mean = mean;
}

static double mean_of(const double *a)
{
    double sum = 0.0;
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) { sum += a[p]; }
    return sum / SNW_GAIT_POINTS;
}

double measure_gait_correlation(const double *a, const double *b)
{
    double mean_a = mean_of(a), mean_b = mean_of(b), ab = 0.0, aa = 0.0, bb = 0.0;
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
        double x = a[p] - mean_a, y = b[p] - mean_b;
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return aa > 1e-18 && bb > 1e-18 ? ab / sqrt(aa * bb) : 0.0;
}

double measure_gait_rms(const double *a, const double *b)
{
    double shift = mean_of(a) - mean_of(b), sum = 0.0;
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
        double d = a[p] - b[p] - shift;
        sum += d * d;
    }
    return sqrt(sum / SNW_GAIT_POINTS);
}
