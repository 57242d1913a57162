#include "math/exp.h"

#include <math.h>
#include <stdint.h>

// ln 2 in two parts; the first has zeros at its end, so that small multiples of it are exact
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW 1.90821492927058770002e-10
#define SQRT_HALF_BITS UINT64_C(0x3fe6a09e667f3bcd)
#define LN2_INVERSE 1.44269504088896338700e+00

double snw_exp(double x)
{
    if (isnan(x)) { return x; }
    if (x > 709.8) { return INFINITY; }
    if (x < -745.2) { return 0.0; }

    // x = k ln 2 + r, |r| <= 0.347; k by the rounding of an addition, whose last bits it is
    const double magic = 6755399441055744.0; // 1.5 * 2^52
    union {
        double number;
        uint64_t bits;
    } shifted = { x * LN2_INVERSE + magic };
    double k = shifted.number - magic;
    double high = x - k * LN2_HIGH, low = k * LN2_LOW;
    double r = high - low;

    // Taylor series of (e^r - 1 - r) / r^2; the first term dropped is below 1e-17. Paired, so that few
    // products wait for each other
    double r2 = r * r, r4 = r2 * r2;
    double a = (0.5 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
    double b = (1.0 / 720.0 + r * (1.0 / 5040.0)) + r2 * (1.0 / 40320.0 + r * (1.0 / 362880.0));
    double c = (1.0 / 3628800.0 + r * (1.0 / 39916800.0))
        + r2 * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0));
    double p = a + r4 * (b + r4 * (c + r4 * (1.0 / 87178291200.0)));
    // what rounding took from r comes back with the small terms
    double lost = (high - r) - low;
    double value = 1.0 + (r + (r2 * p + lost));

    // 2^k by its bits; at the ends of the range by two factors, since 2^k alone may be beyond it
    if (k > -1000.0 && k < 1000.0) {
        union {
            uint64_t bits;
            double number;
        } power = { (shifted.bits + 1023) << 52 };
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
    int k = -1023;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k -= 54;
    }
    union {
        double number;
        uint64_t bits;
    } m = { x };
    // the exponent by its bits, which count on at sqrt(1/2) instead of 1
    uint64_t exponent = (m.bits + (UINT64_C(0x3ff0000000000000) - SQRT_HALF_BITS)) >> 52;
    k += (int)exponent;
    m.bits -= (exponent - 1023) << 52;
    double f = m.number - 1.0;

    // log(1 + f) = 2 artanh(s) = f - s (f - R), s = f / (2 + f), R = 2 (s^2/3 + s^4/5 + ...)
    double s = f / (2.0 + f), z = s * s;
    double z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
    double a = (2.0 / 3.0 + z * (2.0 / 5.0)) + z2 * (2.0 / 7.0 + z * (2.0 / 9.0));
    double b = (2.0 / 11.0 + z * (2.0 / 13.0)) + z2 * (2.0 / 15.0 + z * (2.0 / 17.0));
    double c = (2.0 / 19.0 + z * (2.0 / 21.0)) + z2 * (2.0 / 23.0);
    double p = a + (z4 * b + z8 * c);
    double rest = s * (f - z * p);
    if (k == 0) { return f - rest; }
    return k * LN2_HIGH - ((rest - k * LN2_LOW) - f);
}

double snw_pow(double x, double y)
{
    return snw_exp(y * snw_log(x));
}
