#include "bench/gait_fit.h"

#include <math.h>
#include <stddef.h>

static const double gravity = 9.81;

/// What may be changed, and how far.
static const struct {
    const char *name;
    size_t place;
    double lower, upper;
} numbers_list[] = {
#define NUMBER(field, lower, upper)                            \
    {                                                          \
#field, offsetof(snw_GaitNumbers, field), lower, upper \
    }
    NUMBER(most_height, 0.95, 1.0),
    NUMBER(late_height, 0.94, 1.0),
    NUMBER(late_drop, 0.0, 0.06),
    NUMBER(push_pitch, 40.0, 75.0),
    NUMBER(push_start, 0.2, 0.45),
    NUMBER(heel_pitch, 10.0, 38.0),
    NUMBER(toe_bend, 20.0, 60.0),
    NUMBER(knee[0], 2.0, 25.0),
    NUMBER(knee[1], 8.0, 40.0),
    NUMBER(knee[2], 10.0, 44.0),
    NUMBER(knee[3], 3.0, 25.0),
    NUMBER(knee[4], 2.0, 15.0),
    NUMBER(knee[5], 5.0, 25.0),
    NUMBER(lift, 0.6, 2.4),
    NUMBER(pitch, 0.4, 1.4),
    NUMBER(lift_early, -0.2, 0.9),
    NUMBER(pitch_early, -0.5, 0.5),
    NUMBER(stance, 0.58, 0.70),
    NUMBER(stance_slope, 0.0, 0.2),
#undef NUMBER
};
enum { NUMBERS = (int)(sizeof numbers_list / sizeof numbers_list[0]) };

int bench_gait_number_count(void)
{
    return NUMBERS;
}

const char *bench_gait_number_name(int index)
{
    return numbers_list[index].name;
}

double *bench_gait_number(snw_GaitNumbers *numbers, int index)
{
    return (double *)(void *)((char *)numbers + numbers_list[index].place);
}

double bench_gait_number_middle(int index)
{
    return 0.5 * (numbers_list[index].lower + numbers_list[index].upper);
}

/// Distance of one walk from the recordings.
static double walk_cost(const bench_GaitFit *fit, const snw_GaitNumbers *numbers,
    const snw_Gait *reference, double speed)
{
    // degrees that count as one; what people differ among themselves
    static const double scales[3] = { 5.0, 7.0, 5.0 };
    snw_Gait gait;
    measure_WalkFigures f;
    sinew_Message message;
    if (!bench_gait_walk_by(&fit->run, numbers, speed, &gait, &f, &message)
        || gait.stride_count < 4) {
        return (double)INFINITY;
    }
    bench_GaitMatch match = bench_gait_match(&gait, reference);
    double cost = 0.0;
    for (int c = 0; c < 3; ++c) {
        double far = match.rms[c] / scales[c];
        cost += far * far + 30.0 * (1.0 - match.correlation[c]);
    }
    cost += 0.15 * fmax(0.0, f.hips_acceleration.value - 9.0);
    cost += 40.0 * fmax(0.0, f.joint_step.value - 0.25);
    cost += 1e4 * fmax(0.0, f.slide.value - 3e-4) + 0.02 * f.unmet_frames;
    return cost;
}

static double cost_of(const bench_GaitFit *fit, const snw_GaitNumbers *numbers, double leg_length)
{
    static const double speeds[3] = { 1.0, 0.75, 1.25 }, weights[3] = { 1.0, 0.25, 0.25 };
    snw_Gait reference = bench_gait_recorded_mean(fit->half);
    double speed = reference.froude * sqrt(gravity * leg_length), cost = 0.0;
    for (int i = 0; i < 3; ++i) {
        cost += weights[i] * walk_cost(fit, numbers, &reference, speeds[i] * speed);
    }
    return cost;
}

/// Try one number a step to both sides; true when one of them is better.
static bool try_number(const bench_GaitFit *fit, snw_GaitNumbers *numbers, int index, double step,
    double leg_length, double *best)
{
    double *number = bench_gait_number(numbers, index), kept = *number;
    for (int side = -1; side <= 1; side += 2) {
        double value = kept + side * step;
        value = fmin(fmax(value, numbers_list[index].lower), numbers_list[index].upper);
        if (value == kept) { continue; }
        *number = value;
        double cost = cost_of(fit, numbers, leg_length);
        if (cost < *best - 1e-6) {
            *best = cost;
            return true;
        }
    }
    *number = kept;
    return false;
}

double bench_gait_fit(const bench_GaitFit *fit, snw_GaitNumbers *numbers)
{
    sinew_Message message;
    double leg_length = bench_gait_leg_length(&fit->run, &message);
    if (!(leg_length > 0.0)) { return (double)INFINITY; }
    double steps[NUMBERS], best = cost_of(fit, numbers, leg_length);
    for (int i = 0; i < NUMBERS; ++i) {
        steps[i] = 0.15 * (numbers_list[i].upper - numbers_list[i].lower);
    }
    for (int round = 0; round < fit->rounds; ++round) {
        for (int i = 0; i < NUMBERS; ++i) {
            bool better = try_number(fit, numbers, i, steps[i], leg_length, &best);
            double widest = 0.3 * (numbers_list[i].upper - numbers_list[i].lower);
            steps[i] = fmin(widest, steps[i] * (better ? 1.6 : 0.55));
        }
        if (fit->told != NULL) { fit->told(fit->user, round, best); }
    }
    return best;
}
