#ifndef MEASURE_GAIT_COMPARE_H
#define MEASURE_GAIT_COMPARE_H

// How alike the curves of two gaits are, read from recorded and computed walks.

#include "walk/gait_curves.h"

/// Mean of several gaits' curves, each counted once; the other figures are means as well, of
/// counts the sum. count >= 1.
void measure_gait_mean(const snw_Gait *const *gaits, int count, snw_Gait *out_mean);

/// Correlation of two curves, and the root mean square of their difference once the difference of
/// their means is taken off. Correlation is 0 where a curve is flat.
double measure_gait_correlation(const double *a, const double *b);
double measure_gait_rms(const double *a, const double *b);

#endif
