// The soak's program. Cases run in child processes, so that a crash or a solve without end is told
// like any other failure, with its seed, and the soak goes on.

#include "soak.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_JOBS = 64, MOST_FAILURES = 100 };

// a case that takes longer, seconds of processor time, has no end
#define CASE_SECONDS 60.0
#define PROGRESS_SECONDS 60.0

/// What a child tells its parent; shared memory.
typedef struct Job {
    uint64_t seed; ///< of the case that runs
    double began;  ///< seconds of its processor
    bool finished;
    soak_Counts counts;
} Job;

typedef struct Soak {
    soak_Settings settings;
    uint64_t first; ///< seed of the first case
    uint64_t count; ///< cases; 0: until the time is over
    double seconds;
    int job_count;
    Job *jobs;
    pid_t children[MAX_JOBS];
    uint64_t next[MAX_JOBS]; ///< where a child that is started again goes on
    double start;
} Soak;

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_over(const Soak *soak, uint64_t index)
{
    if (soak->count > 0) { return index >= soak->count; }
    return seconds_of(CLOCK_MONOTONIC) - soak->start >= soak->seconds;
}

// ---------------------------------------------------------------------------------------------
// Child

static void run_child(const Soak *soak, int j)
{
    Job *job = &soak->jobs[j];
    for (uint64_t i = soak->next[j]; !is_over(soak, i); i += (uint64_t)soak->job_count) {
        job->seed = soak->first + i;
        job->began = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        soak_run_case(&soak->settings, job->seed, &job->counts);
        if (job->counts.failures >= MOST_FAILURES) { break; }
    }
    job->finished = true;
}

static void start_child(Soak *soak, int j)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run_child(soak, j);
        fflush(stdout);
        _exit(0);
    }
    if (child < 0) {
        perror("soak: fork");
        exit(1);
    }
    soak->children[j] = child;
}

// ---------------------------------------------------------------------------------------------
// Parent

static soak_Counts sum_counts(const Soak *soak)
{
    soak_Counts sum = { 0 };
    for (int j = 0; j < soak->job_count; ++j) {
        const soak_Counts *c = &soak->jobs[j].counts;
        sum.cases += c->cases;
        sum.solves += c->solves;
        sum.converged += c->converged;
        sum.refused += c->refused;
        sum.timed += c->timed;
        sum.failures += c->failures;
        for (int m = 0; m < SINEW_METHOD_COUNT; ++m) { sum.by_method[m] += c->by_method[m]; }
        if (c->largest_violation > sum.largest_violation) {
            sum.largest_violation = c->largest_violation;
        }
    }
    return sum;
}

static void tell_crash(Soak *soak, int j, const char *what)
{
    Job *job = &soak->jobs[j];
    printf("FAILED seed %llu: %s\n  %s --seed %llu --count 1\n", (unsigned long long)job->seed,
        what, soak->settings.program, (unsigned long long)job->seed);
    fflush(stdout);
    ++job->counts.failures;
    soak->next[j] = job->seed - soak->first + (uint64_t)soak->job_count;
}

// a child ended: done, or it crashed and another one takes over; whether it is done
static bool take_child(Soak *soak, int j, int status)
{
    if (soak->jobs[j].finished) { return true; }
    char text[80];
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        if (number == SIGKILL) {
            snprintf(text, sizeof text, "no end after %g s", CASE_SECONDS);
        } else {
            snprintf(text, sizeof text, "crashed by signal %d", number);
        }
    } else {
        snprintf(text, sizeof text, "ended with exit code %d", WEXITSTATUS(status));
    }
    tell_crash(soak, j, text);
    if (is_over(soak, soak->next[j]) || soak->jobs[j].counts.failures >= MOST_FAILURES) {
        return true;
    }
    start_child(soak, j);
    return false;
}

// processor time of another process, seconds
static double child_time(pid_t child)
{
    clockid_t clock;
    if (clock_getcpuclockid(child, &clock) != 0) { return 0.0; }
    return seconds_of(clock);
}

static void watch(Soak *soak)
{
    bool done[MAX_JOBS] = { false };
    double told = soak->start;
    for (int running = soak->job_count; running > 0;) {
        struct timespec pause = { 0, 50000000 };
        nanosleep(&pause, NULL);
        for (int j = 0; j < soak->job_count; ++j) {
            int status;
            if (done[j]) { continue; }
            pid_t ended = waitpid(soak->children[j], &status, WNOHANG);
            if (ended == soak->children[j]) {
                done[j] = take_child(soak, j, status);
                running -= done[j];
            } else if (child_time(soak->children[j]) - soak->jobs[j].began > CASE_SECONDS) {
                kill(soak->children[j], SIGKILL);
            }
        }
        double now = seconds_of(CLOCK_MONOTONIC);
        if (now - told >= PROGRESS_SECONDS) {
            soak_Counts c = sum_counts(soak);
            printf("%5.0f s: %ld cases, %ld solves, %ld failures\n", now - soak->start, c.cases,
                c.solves, c.failures);
            fflush(stdout);
            told = now;
        }
    }
}

static int summarize(const Soak *soak)
{
    soak_Counts c = sum_counts(soak);
    printf("%ld cases, %ld solves in %.0f s (", c.cases, c.solves,
        seconds_of(CLOCK_MONOTONIC) - soak->start);
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        printf("%s%s %ld", m > 0 ? ", " : "", sinew_method_name((sinew_Method)m), c.by_method[m]);
    }
    printf("): %.1f %% met their goals, %ld with a time budget, %ld refused\n",
        c.solves > 0 ? 100.0 * (double)c.converged / (double)c.solves : 0.0, c.timed, c.refused);
    printf("largest limit violation %g, %ld failures\n", c.largest_violation, c.failures);
    return c.failures > 0 || c.cases == 0;
}

static int usage(const char *program, FILE *file)
{
    fprintf(file,
        "usage: %s [--seconds S] [--seed N] [--count N] [--jobs N] [--verbose] [--real-clock]\n\n"
        "Solve random goals on random bodies and check every answer: numbers finite, limits kept,\n"
        "errors told as they are, time budgets missed by one iteration at most, no allocation,\n"
        "same input same bits.\n\n"
        "  --seconds S   how long, default 3600\n"
        "  --seed N      seed of the first case; those after it follow. Default: the time of day\n"
        "  --count N     this many cases, however long they take\n"
        "  --jobs N      processes side by side, default 1\n"
        "  --real-clock  time budgets on the processor's clock as well\n"
        "  --verbose     print each solve before it runs\n",
        program);
    return file == stderr ? 2 : 0;
}

static bool read_arguments(Soak *soak, int argc, char **argv, int *out_exit)
{
    static const struct option options[] = { { "seconds", required_argument, NULL, 's' },
        { "seed", required_argument, NULL, 'n' }, { "count", required_argument, NULL, 'c' },
        { "jobs", required_argument, NULL, 'j' }, { "verbose", no_argument, NULL, 'v' },
        { "real-clock", no_argument, NULL, 'r' }, { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 } };
    soak->settings.program = argv[0];
    soak->first = (uint64_t)time(NULL) * 1000000u;
    soak->seconds = 3600.0;
    soak->job_count = 1;
    for (int id; (id = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        char *end = NULL;
        errno = 0;
        switch (id) {
        case 's': soak->seconds = strtod(optarg, &end); break;
        case 'n': soak->first = strtoull(optarg, &end, 10); break;
        case 'c': soak->count = strtoull(optarg, &end, 10); break;
        case 'j': soak->job_count = (int)strtol(optarg, &end, 10); break;
        case 'v': soak->settings.verbose = true; break;
        case 'r': soak->settings.real_clock = true; break;
        case 'h': *out_exit = usage(argv[0], stdout); return false;
        default: *out_exit = usage(argv[0], stderr); return false;
        }
        if (end != NULL && (end == optarg || *end != '\0' || errno != 0)) {
            fprintf(stderr, "soak: found '%s', expected a number\n", optarg);
            *out_exit = 2;
            return false;
        }
    }
    if (optind < argc || soak->job_count < 1 || soak->job_count > MAX_JOBS) {
        *out_exit = usage(argv[0], stderr);
        return false;
    }
    return true;
}

// zeros that parent and children see; NULL on failure
static void *share_memory(size_t size)
{
    FILE *file = tmpfile();
    if (file == NULL) { return NULL; }
    void *memory = NULL;
    if (ftruncate(fileno(file), (off_t)size) == 0) {
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    }
    fclose(file);
    return memory == MAP_FAILED ? NULL : memory;
}

int main(int argc, char **argv)
{
    static Soak soak;
    int exit_code = 0;
    if (!read_arguments(&soak, argc, argv, &exit_code)) { return exit_code; }
    soak.start = seconds_of(CLOCK_MONOTONIC);
    size_t size = sizeof *soak.jobs * (size_t)soak.job_count;
    soak.jobs = share_memory(size);
    if (soak.jobs == NULL) {
        perror("soak: shared memory");
        return 1;
    }
    printf("soak from seed %llu\n", (unsigned long long)soak.first);
    for (int j = 0; j < soak.job_count; ++j) {
        soak.next[j] = (uint64_t)j;
        start_child(&soak, j);
    }
    watch(&soak);
    exit_code = summarize(&soak);
    munmap(soak.jobs, size);
    return exit_code;
}
