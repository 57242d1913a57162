#ifndef BENCH_H
#define BENCH_H

// Benchmarks of the command line: `sinew bench NAME`. Each prints tables for people, or one JSON
// object, and returns the exit status.

#include "sinew/solver.h"

/// What was asked for on the command line.
typedef struct bench_Request {
    bool json, markdown;
    bool method_given;
    sinew_Method method;
    int targets; ///< of each row; 0: the benchmark's own number
    uint64_t seed;
    const char *const *files; ///< URDF files; parts of what is to be followed
    int file_count;
    const char *base, *tip; ///< links or joints of these files; NULL: found out
} bench_Request;

/// What lives above the legs of the walker's second design, beside recorded people: each number that was asked
/// for, with a verdict.
int sinew_bench_alive(bool json);

/// Robot arms with the protocol of TRAC-IK's comparison, beside Orocos KDL where that is installed;
/// files: URDF files, or all of the folder urdf/ of the test data (bench_data_path).
int sinew_bench_arms(const bench_Request *request);

/// Closed forms: arms, small limbs, and every limb of the test data, with the goals that were set for them;
/// files: names of parts.
int sinew_bench_closed(const bench_Request *request);

/// Chains of 10 to 1000 hinges: time by link.
int sinew_bench_chains(const bench_Request *request);

/// All goals that were set for the solver, arms, chains and characters, with what it reaches and what
/// KDL does: the table of the README. As text, the tables of flops, paper, gait and limits follow.
int sinew_bench_all(const bench_Request *request);

/// Print the flop tables of Meredith and Maddock (2004), counted while the published algorithms run,
/// with a verdict on each claim and measured times.
int sinew_bench_flops(bool json);

/// Goals that move, frame by frame: straight limbs, recorded bodies from rest, robots with several
/// goals, the tracker in and out of reach, recorded motions inside limits; files: names of parts.
int sinew_bench_following(const bench_Request *request);

/// LEG, ARM, HAND and MAN18 with every method: share of goals met, error, iterations, time, what a ceiling of
/// iterations bounds, and the time of each phase.
int sinew_bench_solvers(bool json);

/// Tests of ball limits: nanoseconds of the cheap way and of others, and what each step accepts.
int sinew_bench_limits(bool json);

/// Limbs, hand and whole body with every method, limits by active set and clamped, alone and with
/// restarts; which joints move, how long bones stand on corners of their windows, how many starts
/// suffice.
int sinew_bench_characters(const bench_Request *request);

/// The natural walk's joint curves beside recorded people; fitted to each half of the recordings and
/// judged by the other. About a minute.
int sinew_bench_gait(bool json);

/// Claims of the papers about other people's methods, run here: lengths of chains, point masses held by sticks, an
/// analytic arm on a numeric spine, jerk near full stretch.
int sinew_bench_related(bool json);

/// The walking table of Meredith and Maddock (2004), their Table 1.4, on this machine: half, full,
/// hybrid and auto, not drawn and drawn; a verdict on each claim.
int sinew_bench_paper(bool json);

/// What the papers print and what comes out when it is computed: a line for each known error or gap.
int sinew_bench_errata(bool json);

/// FK and IK on one chain: steps at switches, the rig of three chains beside it, paths of the end point, and
/// the inverse as published.
int sinew_bench_switch(bool json);

/// Ten clips on five characters, judged from outside, in closed form, with limits and live; files: names of parts.
int sinew_bench_retarget(const bench_Request *request);

/// Seconds of one call, over several runs.
typedef struct bench_Times {
    double median, lowest;
    /// From the first to the third quartile, as a share of the median.
    double spread;
} bench_Times;

/// Time a piece of work: each of the runs (1..101) calls it `calls` times in a row and is divided by
/// that; one more run before them warms up and is not counted.
bench_Times bench_time(void (*work)(void *user), void *user, int calls, int runs);

/// The same, where a run has to prepare something first that is not timed. prepare may be NULL.
bench_Times bench_time_prepared(
    void (*prepare)(void *user), void (*work)(void *user), void *user, int calls, int runs);

/// Seconds since any fixed moment, never backwards; fits sinew_Clock.
double bench_clock(void *unused);

#endif
