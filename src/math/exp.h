#ifndef SNW_EXP_H
#define SNW_EXP_H

// Exponential, logarithm and power with the same bits on every platform (only + - * / inside).

/// e^x. Error below 1 unit in the last place and a half; 0 below -745.2, infinity above 709.8.
double snw_exp(double x);

/// Natural logarithm. Error below 1 unit in the last place and a half; -infinity at 0, NaN below.
double snw_log(double x);

/// x^y for x > 0, as e^(y log x): relative error below (3 + 4 |y log x|) units in the last place. 0 at
/// x = 0 with y > 0.
double snw_pow(double x, double y);

#endif
