#ifndef SNW_SOFT_H
#define SNW_SOFT_H

// Bounds, and some without a corner.

/// The larger and the smaller of two numbers: two instructions, where fmax and fmin, which also look for what is no number,
/// are calls.
static inline double snw_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double snw_min(double a, double b)
{
    return a < b ? a : b;
}

/// x above 0, 0 below, rounded off within width of it; exactly 0 below -width.
static inline double snw_soft_positive(double x, double width)
{
    if (x <= -width) { return 0.0; }
    if (x >= width) { return x; }
    return (x + width) * (x + width) / (4.0 * width);
}

/// The smaller of two, rounded off where they differ by less than width; elsewhere exact.
static inline double snw_near_min(double a, double b, double width)
{
    return a - snw_soft_positive(a - b, width);
}

#endif
