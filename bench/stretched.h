#ifndef BENCH_STRETCHED_H
#define BENCH_STRETCHED_H

// How jerky methods are near full stretch: each taken literally, without limits, damping where rank is missing, or
// anything else that the solver of the library adds; the library's own damped method beside them.

typedef enum bench_StretchMethod {
    BENCH_STRETCH_PINV,      ///< J^T (J J^T)^-1 as published, with the loop that halves
    BENCH_STRETCH_TRANSPOSE, ///< J^T with the step of Buss (2004), eq. 8
    BENCH_STRETCH_DLS,       ///< constant damping, a tenth of the reach
    BENCH_STRETCH_SINEW,     ///< the library's `dls`
} bench_StretchMethod;

#define BENCH_STRETCH_METHODS 4

typedef struct bench_StretchRow {
    double error; ///< mean, share of the reach; over what no method can reach as well
    double jerk;  ///< root mean square of third differences, rad/s^3
    double step;  ///< largest of a joint from frame to frame, radians
} bench_StretchRow;

const char *bench_stretch_name(bench_StretchMethod method);

bench_StretchRow bench_stretch_run(bench_StretchMethod method);

#endif
