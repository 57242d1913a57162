#include "solve/search.h"

#include "solve/restart.h"

#include <math.h>
#include <string.h>

// damping = DAMPING_GAIN E + DAMPING_FLOOR + boost; Sugihara (2011)
#define DAMPING_GAIN 0.1
#define DAMPING_FLOOR 1e-10
#define MIN_BOOST 1e-7
#define MAX_BOOST 1e12
// a descent is given up when its model promises less than this, or when E did not fall to half
// in HALVE_WITHIN iterations
#define HOPELESS 0.8
#define HALVE_WITHIN 3
// a patient one ends when E fell by less than stall_share in so many
#define STALL_WITHIN 8
// E may grow by this factor in a step of a hasty descent: it often pays
#define HASTY_GUARD 4.0
#define HASTY_CEILING 60
#define PATIENT_CEILING 400
// from this attempt on, each PATIENT_EVERY-th is patient: near-singular answers need it
#define FIRST_PATIENT 24
#define PATIENT_EVERY 16
// patient descents end at the same E when they differ by less than this share
#define SAME_BOTTOM 1e-3
// and at the least E there can be when they are above it by no more than this share
#define SAME_LEAST 1e-6
// saddles that one descent may leave
#define MOST_ESCAPES 3
// a pose given that is next to the end of its own descent is the best of its branch already, and the
// goal is out of its reach: then some attempts look for another branch that meets the goal
#define STUCK_CHANGE 0.1
#define STUCK_ATTEMPTS 8
// farther out of reach, another branch must leave less than this share of E to be worth a leap
#define WORTH_A_LEAP 0.5

// a joint that moves this far, and this many times as far as the goals did (in units of L), went over
// to another branch, as the old one ended, or follows one that is as steep as a cliff: next to
// singular poses joints were seen to move up to 300 times as far
#define LEAP_CHANGE 0.1
#define LEAP_SHARE 30.0
// and this far joints go over even where goals were as far off, as after frames that missed them: then only
// what they could follow from the pose given says how far the goals moved
#define FAR_CHANGE 1.0

typedef struct Descent {
    bool patient;
    int ceiling, min_iterations;
    bool from_given; // its first step tells what the joints can follow
} Descent;

typedef struct Run {
    snw_Search *search;
    const snw_Problem *problem;
    const snw_SearchLimits *limits;
    int most_iterations; // of this attempt
    double best_error2;  // of search->best
    double bottom;       // the lowest end of a patient descent
    int bottom_count;    // those that ended there
    snw_SearchResult result;
} Run;

static void copy(double *to, const double *from, int count)
{
    memmove(to, from, (size_t)count * sizeof *to);
}

static bool exhausted(Run *run)
{
    return snw_search_exhausted(run->limits, &run->result)
        || run->result.iterations >= run->most_iterations;
}

static double measure(Run *run, const double *values)
{
    ++run->result.measures;
    return run->problem->measure(run->problem->self, values);
}

// one descent from values that were measured last, of which error2 was; they receive its end; returns
// the E of that
static double descend(Run *run, Descent descent, double error2, double *values)
{
    const snw_Problem *problem = run->problem;
    snw_SearchResult *result = &run->result;
    double *here = run->search->values[0], *there = run->search->values[1];
    copy(here, values, problem->value_count);
    double boost = 0.0, start2 = error2;
    double guard = descent.patient ? 1.0 : HASTY_GUARD;
    // E of the last steps: of hasty descents three, of patient ones eight
    double before[STALL_WITHIN];
    int window = descent.patient ? STALL_WITHIN : HALVE_WITHIN;
    double enough = descent.patient ? 1.0 - run->limits->stall_share : 0.5;
    for (int k = 0; k < window; ++k) { before[k] = INFINITY; }
    bool fresh = true;
    int accepted = 0;
    result->met = problem->meets(problem->self) && descent.min_iterations == 0;
    for (int i = 0; !result->met && i < descent.ceiling && !exhausted(run); ++i) {
        ++result->iterations;
        double damping = DAMPING_GAIN * error2 + DAMPING_FLOOR + boost, change;
        double promised = problem->step(problem->self, here, damping, fresh, there, &change);
        result->steps += fresh ? 1 : 0;
        if (descent.from_given && i == 0) { result->followed2 = fmax(0.0, error2 - promised); }
        if (!descent.patient && promised > HOPELESS * error2) { break; }
        double moved2 = measure(run, there);
        if (!(moved2 < guard * error2)) {
            ++result->rejections;
            fresh = false;
            boost = boost > 0.0 ? 8.0 * boost : (9.0 * damping > 1e-4 ? 9.0 * damping : 1e-4);
            if (change < SNW_STILL || boost > MAX_BOOST) { break; }
            continue;
        }
        result->met = problem->meets(problem->self) && i + 1 >= descent.min_iterations;
        if (descent.patient && change < SNW_STILL && !result->met) {
            // not taken, so that a pose whose goals are held out of reach keeps its bits
            fresh = false;
            break;
        }
        double *swap = here;
        here = there;
        there = swap;
        error2 = moved2;
        fresh = true;
        boost = boost > MIN_BOOST ? 0.5 * boost : 0.0;
        if (result->met) { break; }
        double *earlier = &before[accepted++ % window];
        // what has gained nothing since the pose given has goals that rest: it settles to the last bit
        bool settles = descent.patient && error2 > enough * start2;
        if (error2 > enough * *earlier && !settles) { break; }
        *earlier = error2;
    }
    copy(values, here, problem->value_count);
    if (!fresh) { error2 = measure(run, here); } // a step that was taken back was measured last
    // a pose that meets the goals is not left because there is no way on for min_iterations
    if (!result->met) { result->met = problem->meets(problem->self); }
    return error2;
}

// a descent that follows the pose given ended with goals unmet: out of straight limbs, and on
static void escape(Run *run, double *values)
{
    const snw_Problem *problem = run->problem;
    snw_SearchResult *result = &run->result;
    Descent descent = { .patient = true, .ceiling = PATIENT_CEILING };
    Descent last = { .patient = true, .ceiling = 1, .min_iterations = 1 };
    for (int i = 0; i < MOST_ESCAPES && !result->met && !exhausted(run); ++i) {
        if (!problem->escape(problem->self, values)) { return; }
        ++result->iterations;
        result->error2 = descend(run, descent, measure(run, values), values);
        // it comes from far off and fast: one step more goes from the rim of the tolerance to the goal
        if (result->met) { result->error2 = descend(run, last, result->error2, values); }
    }
}

static double change_from_start(const Run *run, const double *values)
{
    return run->problem->change(run->problem->self, run->search->start, values);
}

bool snw_search_leapt(double change, double moved2)
{
    return change > LEAP_CHANGE && change * change > LEAP_SHARE * LEAP_SHARE * moved2;
}

static bool is_patient(int attempt)
{
    return attempt >= FIRST_PATIENT && (attempt - FIRST_PATIENT) % PATIENT_EVERY == 0;
}

// from a pose that was kept down to the bottom of its valley
static void finish(Run *run, const double *from, double *values)
{
    Descent descent = { .patient = true, .ceiling = PATIENT_CEILING };
    run->most_iterations = run->limits->max_iterations;
    copy(values, from, run->problem->value_count);
    run->result.error2 = descend(run, descent, measure(run, values), values);
}

// The best is from another start: back to the pose given, unless the end of its own descent is clearly worse.
static void prefer_given(Run *run, double *values)
{
    snw_SearchResult *result = &run->result;
    double error2 = result->error2;
    int before = result->iterations, count = run->problem->value_count;
    copy(run->search->best, values, count);
    finish(run, run->search->start, values);
    // one that creeps on would do so in each frame to come
    bool creeps = result->iterations - before >= PATIENT_CEILING;
    escape(run, values);
    if (result->met || error2 > (creeps ? 1.0 : SNW_WORTH_A_CHANGE) * result->error2) {
        result->attempt = 0;
        return;
    }
    copy(values, run->search->best, count);
    result->error2 = measure(run, values);
}

// keep an end that is better than the best so far
static void keep(Run *run, int attempt, double error2, const double *values)
{
    if (!(error2 < run->best_error2)) { return; }
    run->best_error2 = error2;
    run->result.attempt = attempt;
    copy(run->search->best, values, run->problem->value_count);
}

// A patient descent of an attempt ended; whether it is one more of enough that end where nothing is
// lower. Hasty ones are given up on their way and cannot be compared.
static bool agree(Run *run, double error2)
{
    if (error2 < (1.0 - SAME_BOTTOM) * run->bottom) {
        run->bottom = error2;
        run->bottom_count = 0;
    }
    if (error2 <= (1.0 + SAME_BOTTOM) * run->bottom) { ++run->bottom_count; }
    return run->bottom_count >= run->limits->enough_bottoms
        && !(run->best_error2 < (1.0 - SAME_BOTTOM) * run->bottom);
}

// A closed form's answer, finished by a descent where axes meet but nearly; whether it meets the goals.
// Else the values are those of the pose given, measured last.
static bool try_answer(Run *run, double worth, double *values)
{
    const snw_Problem *problem = run->problem;
    snw_SearchResult *result = &run->result;
    if (problem->answer == NULL || exhausted(run)) { return false; }
    copy(values, run->search->start, problem->value_count);
    if (problem->answer(problem->self, values)) {
        Descent finish = { .ceiling = HASTY_CEILING };
        result->error2 = descend(run, finish, measure(run, values), values);
        result->closed = result->met;
        if (result->met) {
            ++result->iterations;
            return true;
        }
        if (result->error2 < worth) { keep(run, result->attempts, result->error2, values); }
        ++result->attempts;
    }
    copy(values, run->search->start, problem->value_count);
    (void)measure(run, values);
    return false;
}

// whether no pose is nearer to goals beyond reach
static bool is_least(const snw_SearchLimits *limits, double error2)
{
    return limits->beyond && error2 <= (1.0 + SAME_LEAST) * limits->least2;
}

// The descent from the pose given ended off the goals, at its values: a closed form's answer instead.
static void answer_instead(Run *run, double *values)
{
    snw_SearchResult *result = &run->result;
    const int count = run->problem->value_count;
    double error2 = result->error2;
    copy(run->search->best, values, count);
    bool answered = try_answer(run, 0.0, values);
    result->attempts = 1;
    result->attempt = answered ? 1 : 0;
    if (answered) { return; }
    copy(values, run->search->best, count);
    result->error2 = error2;
    (void)measure(run, values);
}

// attempts until one meets the goals, and the best is polished when none does; the values are the answer
static void run_attempts(Run *run, double *values)
{
    const snw_Problem *problem = run->problem;
    const snw_SearchLimits *limits = run->limits;
    snw_SearchResult *result = &run->result;
    int most = limits->max_attempts;
    bool follow = most == 1 || (limits->warm && result->start_error2 < SNW_NEAR);
    // a goal that is far says little of the branch that it is to be met in
    bool direct = !follow && !limits->keep_branch && limits->min_iterations == 0
        && !problem->meets(problem->self);
    if (direct && try_answer(run, 0.0, values)) { return; }
    Descent first = { follow, follow ? PATIENT_CEILING : HASTY_CEILING, limits->min_iterations,
        true };
    result->error2 = descend(run, first, result->start_error2, values);
    if (follow) { escape(run, values); }
    if (result->met || is_least(limits, result->error2)) { return; }
    if (most == 1) {
        if (limits->closed_end) { answer_instead(run, values); }
        return;
    }

    double change = change_from_start(run, values);
    if (limits->warm && !follow && change < STUCK_CHANGE) {
        // given up next to the pose given, which may be the end of its own descent: go there
        Descent whole = { .patient = true, .ceiling = PATIENT_CEILING };
        result->error2 = descend(run, whole, result->error2, values);
        escape(run, values);
        if (result->met) { return; }
        change = change_from_start(run, values);
    }
    bool stuck = limits->warm && change < STUCK_CHANGE;
    if (stuck && follow && most > STUCK_ATTEMPTS) { most = STUCK_ATTEMPTS; }
    keep(run, 0, result->error2, values);
    // what another branch must stay below
    double worth = !stuck ? INFINITY : follow ? 0.0 : WORTH_A_LEAP * run->best_error2;
    if (!direct && try_answer(run, worth, values)) {
        result->attempt = result->attempts++;
        return;
    }
    // what is left of the iterations finishes the best
    int reserve = limits->max_iterations / 4;
    run->most_iterations -= reserve < PATIENT_CEILING ? reserve : PATIENT_CEILING;
    for (int attempt = 1; attempt < most && !exhausted(run); ++attempt) {
        bool patient = limits->beyond || is_patient(attempt);
        Descent descent = { .patient = patient,
            .ceiling = patient ? PATIENT_CEILING : HASTY_CEILING };
        problem->start(problem->self, attempt, values);
        result->error2 = descend(run, descent, measure(run, values), values);
        ++result->attempts;
        if (result->met) {
            result->attempt = attempt;
            return;
        }
        if (result->error2 < worth) { keep(run, attempt, result->error2, values); }
        if (patient && (agree(run, result->error2) || is_least(limits, result->error2))) { break; }
    }
    finish(run, run->search->best, values);
    if (result->attempt > 0 && !result->met) { prefer_given(run, values); }
}

snw_SearchResult snw_search_run(
    snw_Search *search, const snw_Problem *problem, const snw_SearchLimits *limits, double *values)
{
    Run run = { .search = search,
        .problem = problem,
        .limits = limits,
        .most_iterations = limits->max_iterations,
        .best_error2 = INFINITY,
        .bottom = INFINITY,
        .result = { .attempts = 1, .out_of_time = limits->out_of_time } };
    snw_SearchResult *result = &run.result;
    copy(search->start, values, problem->value_count);
    result->start_error2 = limits->measured ? limits->start_error2 : measure(&run, values);
    keep(&run, 0, result->start_error2, values);
    run_attempts(&run, values);
    if (result->attempt == 0) {
        double change = change_from_start(&run, values);
        bool followed = result->met && change < FAR_CHANGE;
        double moved2 = followed ? result->start_error2 : result->followed2;
        result->leapt = snw_search_leapt(change, moved2);
    }
    return *result;
}
