#include "math/exp.h"

#include <math.h>
#include <stdint.h>

// ln 2 in two parts; the first has zeros at its end, so that small multiples of it are exact
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW 1.90821492927058770002e-10
#define LN2_INVERSE 1.44269504088896338700e+00

double snw_exp(double x)
{
    if (isnan(x)) { return x; }
    if (x > 709.8) { return INFINITY; }
    if (x < -745.2) { return 0.0; }

    // x = k ln 2 + r, |r| <= 0.347
    double k = floor(x * LN2_INVERSE + 0.5);
    double high = x - k * LN2_HIGH, low = k * LN2_LOW;
    double r = high - low;

    // Taylor series of (e^r - 1 - r) / r^2; the first term dropped is below 1e-17
    double p = 1.0 / 87178291200.0;
    p = 1.0 / 6227020800.0 + r * p;
    p = 1.0 / 479001600.0 + r * p;
    p = 1.0 / 39916800.0 + r * p;
    p = 1.0 / 3628800.0 + r * p;
    p = 1.0 / 362880.0 + r * p;
    p = 1.0 / 40320.0 + r * p;
    p = 1.0 / 5040.0 + r * p;
    p = 1.0 / 720.0 + r * p;
    p = 1.0 / 120.0 + r * p;
    p = 1.0 / 24.0 + r * p;
    p = 1.0 / 6.0 + r * p;
    p = 0.5 + r * p;
    // what rounding took from r comes back with the small terms
    double lost = (high - r) - low;
    double value = 1.0 + (r + (r * r * p + lost));

    // 2^k by its bits; at the ends of the range by two factors, since 2^k alone may be beyond it
    if (k > -1000.0 && k < 1000.0) {
        union {
            uint64_t bits;
            double number;
        } power = { (uint64_t)((int64_t)k + 1023) << 52 };
        return value * power.number;
    }
    int half = (int)k / 2;
    return ldexp(ldexp(value, half), (int)k - half);
}

double snw_log(double x)
{
    if (isnan(x) || x < 0.0) { return NAN; }
    if (x == 0.0) { return -INFINITY; }
    if (isinf(x)) { return x; }

    // x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2)
    int k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654752440) {
        m *= 2.0;
        --k;
    }
    double f = m - 1.0;

    // log(1 + f) = 2 artanh(s) = f - s (f - R), s = f / (2 + f), R = 2 (s^2/3 + s^4/5 + ...)
    double s = f / (2.0 + f), z = s * s;
    double p = 2.0 / 23.0;
    p = 2.0 / 21.0 + z * p;
    p = 2.0 / 19.0 + z * p;
    p = 2.0 / 17.0 + z * p;
    p = 2.0 / 15.0 + z * p;
    p = 2.0 / 13.0 + z * p;
    p = 2.0 / 11.0 + z * p;
    p = 2.0 / 9.0 + z * p;
    p = 2.0 / 7.0 + z * p;
    p = 2.0 / 5.0 + z * p;
    p = 2.0 / 3.0 + z * p;
    double rest = s * (f - z * p);
    if (k == 0) { return f - rest; }
    return k * LN2_HIGH - ((rest - k * LN2_LOW) - f);
}

double snw_pow(double x, double y)
{
    return snw_exp(y * snw_log(x));
}
