// Closed forms of arms and legs: chains of each class are found whatever their frames look like, answers
// meet their goals inside the limits by a reckoning of its own, and the report tells the truth.

#include "closed_bodies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Kinds of arms and legs

// groups of neighbouring hinges that meet or stand parallel
typedef struct Group {
    int first, count;
    bool parallel;
} Group;

typedef struct Kind {
    const char *name;
    int count;
    sinew_GoalKind goal;
    Group groups[2];
} Kind;

#define MEET(first, count)  \
    {                       \
        first, count, false \
    }
#define PARALLEL(first, count) \
    {                          \
        first, count, true     \
    }

static const Kind kinds[] = {
    { "7R, three meet at both ends", 7, SINEW_GOAL_POSE, { MEET(0, 3), MEET(4, 3) } },
    { "7R, three meet, two meet", 7, SINEW_GOAL_POSE, { MEET(0, 3), MEET(4, 2) } },
    { "7R, two meet, three meet", 7, SINEW_GOAL_POSE, { MEET(1, 2), MEET(4, 3) } },
    { "6R, three parallel, two meet", 6, SINEW_GOAL_POSE, { PARALLEL(1, 3), MEET(4, 2) } },
    { "6R, two meet, three parallel", 6, SINEW_GOAL_POSE, { MEET(0, 2), PARALLEL(2, 3) } },
    { "6R, 2 and 3 parallel, wrist", 6, SINEW_GOAL_POSE, { PARALLEL(1, 2), MEET(3, 3) } },
    { "6R, 1 and 2 parallel, wrist", 6, SINEW_GOAL_POSE, { PARALLEL(0, 2), MEET(3, 3) } },
    { "6R, 1 and 2 meet, wrist", 6, SINEW_GOAL_POSE, { MEET(0, 2), MEET(3, 3) } },
    { "6R, 2 and 3 meet, wrist", 6, SINEW_GOAL_POSE, { MEET(1, 2), MEET(3, 3) } },
    { "6R leg: hip, knee, ankle of two", 6, SINEW_GOAL_POSE, { MEET(0, 3), MEET(4, 2) } },
    { "6R, hip, two parallel", 6, SINEW_GOAL_POSE, { MEET(0, 3), PARALLEL(3, 2) } },
    { "3R leg, 2 and 3 parallel", 3, SINEW_GOAL_POSITION, { PARALLEL(1, 2) } },
    { "3R leg, 1 and 2 meet", 3, SINEW_GOAL_POSITION, { MEET(0, 2) } },
    { "3R leg, 2 and 3 meet", 3, SINEW_GOAL_POSITION, { MEET(1, 2) } },
    { "3R leg, 1 and 2 parallel", 3, SINEW_GOAL_POSITION, { PARALLEL(0, 2) } },
    { "3R, a direction to take", 3, SINEW_GOAL_ORIENTATION, { MEET(0, 3) } },
};
enum { KINDS = (int)(sizeof kinds / sizeof kinds[0]) };

// a direction at some angle from another
static sinew_Vec3 across(test_Random *random, sinew_Vec3 from)
{
    for (;;) {
        sinew_Vec3 v = test_unit_vector(random);
        if (sinew_vec3_length(sinew_vec3_cross(v, from)) > 0.7) { return v; }
    }
}

static Layout draw_layout(test_Random *random, const Kind *kind)
{
    Layout layout = { .count = kind->count };
    sinew_Vec3 at = test_vector(random, 0.2), before = test_unit_vector(random);
    for (int i = 0; i < kind->count; ++i) {
        Hinge *hinge = &layout.hinges[i];
        sinew_Vec3 step = sinew_vec3_scale(test_unit_vector(random), test_range(random, 0.15, 0.4));
        at = sinew_vec3_add(at, step);
        *hinge = (Hinge){ across(random, before), at };
        layout.lower[i] = test_range(random, -3.0, -1.0);
        layout.upper[i] = test_range(random, 1.0, 3.0);
        for (int g = 0; g < 2; ++g) {
            const Group *group = &kind->groups[g];
            if (i <= group->first || i >= group->first + group->count) { continue; }
            if (group->parallel) {
                hinge->direction = sinew_vec3_scale(before, test_int(random, 2) ? 1.0 : -1.0);
            } else {
                hinge->point = at = layout.hinges[group->first].point;
            }
        }
        before = hinge->direction;
    }
    sinew_Vec3 step = sinew_vec3_scale(test_unit_vector(random), 0.2);
    layout.tip = sinew_vec3_add(at, step);
    return layout;
}

// solve random goals from random poses; the share that a closed form found
static double closed_share(
    test_Random *random, const sinew_Skeleton *skeleton, sinew_GoalKind kind, int goals)
{
    sinew_Solver *solver = make_solver(skeleton);
    sinew_SolveOptions options = tight(SINEW_BRANCH_FIRST);
    int closed = 0, far = 0;
    for (int i = 0; i < goals; ++i) {
        double q[MAX_HINGES];
        sinew_Report report;
        draw_pose(random, skeleton, q);
        sinew_Goal goal = goal_at(skeleton, kind, q);
        draw_pose(random, skeleton, q);
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        check_met(skeleton, &goal, q);
        // goals that are near are followed
        far += report.found_by != SINEW_FOUND_DESCENT || report.iterations > 6;
        closed += report.found_by == SINEW_FOUND_CLOSED;
    }
    sinew_solver_destroy(solver);
    return far > 0 ? (double)closed / far : 1.0;
}

// ---------------------------------------------------------------------------------------------

static void test_every_class_is_found(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) {
        double share = 0.0;
        for (int c = 0; c < 12; ++c) {
            test_Random random = test_case(11001, 12 * k + c);
            Layout layout = draw_layout(&random, &kinds[k]);
            sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
            share += closed_share(&random, skeleton, kinds[k].goal, 40) / 12.0;
            sinew_skeleton_destroy(skeleton);
        }
        print_message("    %s: %.1f %%\n", kinds[k].name, 100.0 * share);
        // a joint to spare is tried at some values; without one every answer there is is found
        TEST_TRUE(share >= (kinds[k].count == 7 ? 0.85 : 0.98));
    }
}

// files round: axes that met miss each other by micrometres, and steps from the answer make up for it
static void test_rounded_files_keep_their_class(void **state)
{
    (void)state;
    double sum = 0.0;
    for (int k = 0; k < KINDS; ++k) {
        test_Random random = test_case(11002, k);
        Layout layout = draw_layout(&random, &kinds[k]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 1e-4);
        double share = closed_share(&random, skeleton, kinds[k].goal, 60);
        // the class is kept; near the ends of ranges the rounded axes may have no answer, and a descent has
        TEST_TRUE(share > 0.2);
        sum += share / KINDS;
        sinew_skeleton_destroy(skeleton);
    }
    TEST_TRUE(sum > 0.9);
}

static double way_between(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) { sum += (a[i] - b[i]) * (a[i] - b[i]); }
    return sqrt(sum);
}

// of a chain that has no joint to spare the nearest answer is nowhere farther than the first
static void test_nearest_answer(void **state)
{
    (void)state;
    int nearer = 0;
    for (int k = 3; k < KINDS; ++k) {
        test_Random random = test_case(11003, k);
        Layout layout = draw_layout(&random, &kinds[k]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        for (int i = 0; i < 40; ++i) {
            double start[MAX_HINGES], first[MAX_HINGES], nearest[MAX_HINGES];
            sinew_Report reports[2];
            draw_pose(&random, skeleton, start);
            sinew_Goal goal = goal_at(skeleton, kinds[k].goal, start);
            draw_pose(&random, skeleton, start);
            memcpy(first, start, sizeof start);
            memcpy(nearest, start, sizeof start);
            sinew_SolveOptions options = tight(SINEW_BRANCH_FIRST);
            TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, first, &reports[0], NULL), NULL);
            options.branch = SINEW_BRANCH_NEAREST;
            TEST_OK(
                sinew_solver_solve(solver, &options, &goal, 1, nearest, &reports[1], NULL), NULL);
            check_met(skeleton, &goal, nearest);
            TEST_INT(reports[0].found_by, reports[1].found_by);
            double a = way_between(first, start, kinds[k].count);
            double b = way_between(nearest, start, kinds[k].count);
            // ways are compared to a part in a thousand
            TEST_TRUE(b <= 1.001 * a + 1e-9);
            nearer += b < a - 1e-3;
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    TEST_TRUE(nearer > 40);
}

static void test_report_tells_how(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) {
        test_Random random = test_case(11004, k);
        Layout layout = draw_layout(&random, &kinds[k]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        double q[MAX_HINGES], before[MAX_HINGES];
        sinew_Report report;
        for (int i = 0; i < 20; ++i) {
            // a goal that is met: nothing changes
            draw_pose(&random, skeleton, q);
            memcpy(before, q, sizeof q);
            sinew_Goal goal = goal_at(skeleton, kinds[k].goal, q);
            sinew_SolveOptions options = tight(SINEW_BRANCH_NEAREST);
            TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
            TEST_INT(report.found_by, SINEW_FOUND_GIVEN);
            TEST_TRUE(memcmp(before, q, sizeof *q * (size_t)kinds[k].count) == 0);
            // one that is near is followed
            for (int h = 0; h < kinds[k].count; ++h) { q[h] *= 0.999; }
            memcpy(before, q, sizeof q);
            TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
            TEST_TRUE(report.branch_change || report.found_by == SINEW_FOUND_DESCENT);
            // and the branch is kept where that is asked for
            draw_pose(&random, skeleton, q);
            options.restarts = 0;
            TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
            TEST_TRUE(report.found_by != SINEW_FOUND_CLOSED);
            options = tight(SINEW_BRANCH_KEPT);
            draw_pose(&random, skeleton, q);
            TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
            TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
            TEST_TRUE(report.found_by != SINEW_FOUND_CLOSED || report.branch_change);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

// an arm of seven with one joint locked somewhere is one of six; the joint keeps its value
static void test_locked_joint_reduces_an_arm(void **state)
{
    (void)state;
    static const int locks[3] = { 2, 4, 6 };
    for (int c = 0; c < 3; ++c) {
        test_Random random = test_case(11005, c);
        Layout layout = draw_layout(&random, &kinds[0]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        double mobility[MAX_HINGES];
        for (int i = 0; i < MAX_HINGES; ++i) { mobility[i] = i == locks[c] ? 0.0 : 1.0; }
        TEST_OK(sinew_solver_set_mobility(solver, mobility), NULL);
        sinew_SolveOptions options = tight(SINEW_BRANCH_NEAREST);
        int closed = 0;
        for (int i = 0; i < 60; ++i) {
            double q[MAX_HINGES];
            sinew_Report report;
            draw_pose(&random, skeleton, q);
            double kept = q[locks[c]];
            sinew_Goal goal = goal_at(skeleton, SINEW_GOAL_POSE, q);
            draw_pose(&random, skeleton, q);
            q[locks[c]] = kept;
            TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
            TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
            TEST_TRUE(q[locks[c]] == kept);
            check_met(skeleton, &goal, q);
            closed += report.found_by == SINEW_FOUND_CLOSED;
        }
        TEST_TRUE(closed >= 57);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

// ---------------------------------------------------------------------------------------------
// All answers

enum { ROOM = 200, SPANS = 64 };

typedef struct Found {
    double poses[ROOM * MAX_HINGES], ways[ROOM], values[ROOM];
    int branches[ROOM];
    sinew_AnswerSpan spans[SPANS];
    sinew_Answers answers;
} Found;

static void find_answers(Found *found, sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goal, const double *q, int samples)
{
    memset(found, 0, sizeof *found);
    found->answers.capacity = ROOM;
    found->answers.poses = found->poses;
    found->answers.ways = found->ways;
    found->answers.branches = found->branches;
    found->answers.values = found->values;
    found->answers.samples = samples;
    found->answers.span_capacity = SPANS;
    found->answers.spans = found->spans;
    sinew_Message message = { "" };
    TEST_OK(sinew_solver_answers(solver, options, goal, q, &found->answers, &message), &message);
    TEST_TRUE(found->answers.complete);
}

static const double *answer(const Found *found, int count, int a)
{
    return &found->poses[(size_t)a * (size_t)count];
}

// how far the nearest answer of a list is from a pose, whole turns aside
static double nearest_answer(const Found *found, int count, const double *q)
{
    double nearest = INFINITY;
    for (int a = 0; a < found->answers.count; ++a) {
        double largest = 0.0;
        for (int i = 0; i < count; ++i) {
            double way = answer(found, count, a)[i] - q[i];
            largest = fmax(largest, fabs(way - 2.0 * SINEW_PI * round(way / (2.0 * SINEW_PI))));
        }
        nearest = fmin(nearest, largest);
    }
    return nearest;
}

// every pose that a search finds is in the list, and the list holds nothing else than answers
static void test_all_answers(void **state)
{
    (void)state;
    int most = 0, searched = 0, listed = 0;
    for (int k = 3; k < KINDS; ++k) {
        test_Random random = test_case(11006, k);
        Layout layout = draw_layout(&random, &kinds[k]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        static Found found;
        for (int i = 0; i < 10; ++i) {
            double q[MAX_HINGES], posed[MAX_HINGES];
            draw_pose(&random, skeleton, posed);
            sinew_Goal goal = goal_at(skeleton, kinds[k].goal, posed);
            draw_pose(&random, skeleton, q);
            sinew_SolveOptions options = tight(SINEW_BRANCH_KEPT);
            find_answers(&found, solver, &options, &goal, q, 0);
            TEST_INT(found.answers.free_axis, -1);
            TEST_TRUE(nearest_answer(&found, kinds[k].count, posed) < 1e-3);
            most = found.answers.count > most ? found.answers.count : most;
            for (int a = 0; a < found.answers.count; ++a) {
                const double *pose = answer(&found, kinds[k].count, a);
                check_met(skeleton, &goal, pose);
                TEST_NEAR(found.ways[a], way_between(pose, q, kinds[k].count), 1e-12);
                TEST_TRUE(a == 0 || found.ways[a] >= found.ways[a - 1]);
            }
            for (int s = 0; s < 12; ++s) {
                draw_pose(&random, skeleton, q);
                options.restarts = 0;
                sinew_Report report;
                TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
                if (report.outcome != SINEW_OUTCOME_CONVERGED) { continue; }
                ++searched;
                listed += nearest_answer(&found, kinds[k].count, q) < 1e-2;
            }
            // without limits there are no fewer
            int inside = found.answers.count;
            options.limits = SINEW_LIMITS_NONE;
            find_answers(&found, solver, &options, &goal, q, 0);
            TEST_TRUE(found.answers.count >= inside && found.answers.count <= 8);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    TEST_TRUE(most >= 4);
    // what a search calls met may stand on a bound, the exact pose being just beyond it
    TEST_TRUE(searched > 300 && listed >= searched - searched / 40);
}

// of an arm with a joint to spare: answers at the samples, and stretches between them that hold
static void test_answers_of_a_free_joint(void **state)
{
    (void)state;
    for (int k = 1; k < 3; ++k) {
        test_Random random = test_case(11007, k);
        Layout layout = draw_layout(&random, &kinds[k]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        static Found found;
        int spans = 0, held = 0;
        for (int i = 0; i < 10; ++i) {
            double q[MAX_HINGES];
            draw_pose(&random, skeleton, q);
            sinew_Goal goal = goal_at(skeleton, SINEW_GOAL_POSE, q);
            sinew_SolveOptions options = tight(SINEW_BRANCH_NEAREST);
            find_answers(&found, solver, &options, &goal, q, 20);
            int axis = found.answers.free_axis;
            TEST_TRUE(axis >= 0 && found.answers.count >= 1);
            // the pose given is one of them, and the nearest
            TEST_TRUE(found.ways[0] < 1e-3);
            for (int a = 0; a < found.answers.count; ++a) {
                check_met(skeleton, &goal, answer(&found, MAX_HINGES, a));
            }
            for (int s = 0; s < found.answers.span_count; ++s, ++spans) {
                const sinew_AnswerSpan span = found.spans[s];
                TEST_TRUE(span.lower <= span.upper);
                // anywhere inside it the goal is met on that branch
                double pose[MAX_HINGES];
                memcpy(pose, q, sizeof pose);
                pose[axis] = span.lower + 0.37 * (span.upper - span.lower);
                static Found there;
                find_answers(&there, solver, &options, &goal, pose, 0);
                bool has = false;
                for (int a = 0; a < there.answers.count; ++a) {
                    has = has || there.branches[a] == span.branch;
                }
                held += has;
            }
        }
        // a gap narrower than a sample may be overlooked
        TEST_TRUE(spans > 10 && held >= spans - spans / 5);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

static bool is_in_a_span(const Found *found, int branch, double value, double slack)
{
    for (int s = 0; s < found->answers.span_count; ++s) {
        const sinew_AnswerSpan *span = &found->spans[s];
        if (span->branch == branch && value >= span->lower - slack
            && value <= span->upper + slack) {
            return true;
        }
    }
    return false;
}

static bool is_told(const Found *found, int branch, double value)
{
    for (int a = 0; a < found->answers.count; ++a) {
        if (found->branches[a] == branch && fabs(found->values[a] - value) < 1e-12) { return true; }
    }
    return false;
}

// Of an arm that swivels the spans are exact: samples are answered inside of them and nowhere else, and
// a stretch far narrower than the samples is there as well.
static void test_answers_of_a_swivel(void **state)
{
    (void)state;
    test_Random random = test_case(11012, 0);
    int inside = 0, outside = 0, narrow = 0;
    for (int c = 0; c < 6; ++c) {
        Layout layout = draw_layout(&random, &kinds[0]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        sinew_SolveOptions options = tight(SINEW_BRANCH_NEAREST);
        static Found few, many;
        for (int i = 0; i < 10; ++i) {
            double q[MAX_HINGES];
            draw_pose(&random, skeleton, q);
            sinew_Goal goal = goal_at(skeleton, SINEW_GOAL_POSE, q);
            find_answers(&few, solver, &options, &goal, q, 0);
            find_answers(&many, solver, &options, &goal, q, 24);
            TEST_TRUE(few.answers.swivels && few.answers.free_axis == -1);
            TEST_INT(few.answers.span_count, many.answers.span_count);
            // the pose given is at swivel 0, and in a stretch
            TEST_TRUE(few.ways[0] < 1e-3 && few.values[0] == 0.0);
            TEST_TRUE(is_in_a_span(&few, few.branches[0], 0.0, 1e-9));
            for (int a = 0; a < many.answers.count; ++a) {
                check_met(skeleton, &goal, answer(&many, MAX_HINGES, a));
                TEST_TRUE(is_in_a_span(&few, many.branches[a], many.values[a], 1e-6));
            }
            for (int s = 0; s < few.answers.span_count; ++s) {
                narrow += few.spans[s].upper - few.spans[s].lower < 0.02;
            }
            for (int k = 0; k < 24; ++k) {
                double value = k == 23 ? SINEW_PI : -SINEW_PI + 2.0 * SINEW_PI * k / 23.0;
                for (int b = 0; b < 8; ++b) {
                    bool in = is_in_a_span(&few, b, value, -1e-6);
                    inside += in;
                    outside += !in;
                    if (in) { TEST_TRUE(is_told(&many, b, value)); }
                }
            }
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    print_message(
        "    %d samples inside, %d outside, %d narrow stretches\n", inside, outside, narrow);
    TEST_TRUE(inside > 500 && outside > 500 && narrow > 0);
}

// joints on their bounds leave an arm that swivels a single place, which no sample meets
static void test_swivel_on_bounds(void **state)
{
    (void)state;
    int closed = 0, all = 0;
    for (int c = 0; c < 8; ++c) {
        test_Random random = test_case(11013, c);
        Layout layout = draw_layout(&random, &kinds[0]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        for (int i = 0; i < 60; ++i) {
            double q[MAX_HINGES];
            sinew_Report report;
            draw_pose(&random, skeleton, q);
            for (int h = 0; h < 2; ++h) {
                int joint = test_int(&random, MAX_HINGES);
                q[joint] = test_int(&random, 2) ? layout.lower[joint] : layout.upper[joint];
            }
            sinew_Goal goal = goal_at(skeleton, SINEW_GOAL_POSE, q);
            draw_pose(&random, skeleton, q);
            sinew_SolveOptions options = tight(i % 2 ? SINEW_BRANCH_NEAREST : SINEW_BRANCH_FIRST);
            TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
            TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
            check_met(skeleton, &goal, q);
            ++all;
            closed += report.found_by == SINEW_FOUND_CLOSED;
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    %d of %d by the closed form\n", closed, all);
    TEST_TRUE(closed >= all - all / 20);
}

// with most joints on their bounds, rounding puts one as far outside as the others make of it
static void test_answers_on_bounds(void **state)
{
    (void)state;
    static Found found;
    int missed = 0, all = 0;
    for (int k = 0; k < KINDS; ++k) {
        int count = kinds[k].count;
        for (int c = 0; c < 40; ++c) {
            test_Random random = test_case(11014, 40 * k + c);
            Layout layout = draw_layout(&random, &kinds[k]);
            sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
            sinew_Solver *solver = make_solver(skeleton);
            sinew_SolveOptions options = tight(SINEW_BRANCH_KEPT);
            for (int i = 0; i < 60; ++i) {
                double q[MAX_HINGES];
                draw_pose(&random, skeleton, q);
                for (int h = 0; h < count; ++h) {
                    int where = test_int(&random, 5);
                    q[h] = where < 2 ? layout.lower[h] : where < 4 ? layout.upper[h] : q[h];
                }
                sinew_Goal goal = goal_at(skeleton, kinds[k].goal, q);
                find_answers(&found, solver, &options, &goal, q, 0);
                ++all;
                missed += nearest_answer(&found, count, q) < 1e-3 ? 0 : 1;
            }
            sinew_solver_destroy(solver);
            sinew_skeleton_destroy(skeleton);
        }
    }
    print_message("    %d of %d missed\n", missed, all);
    TEST_TRUE(missed == 0);
}

static void test_other_branch(void **state)
{
    (void)state;
    int others = 0, alone = 0;
    for (int k = 0; k < KINDS; ++k) {
        test_Random random = test_case(11008, k);
        Layout layout = draw_layout(&random, &kinds[k]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        sinew_SolveOptions options = tight(SINEW_BRANCH_NEAREST);
        int count = kinds[k].count;
        static Found found;
        for (int i = 0; i < 20; ++i) {
            double q[MAX_HINGES], other[MAX_HINGES], way = 0.0, largest = 0.0;
            draw_pose(&random, skeleton, q);
            sinew_Goal goal = goal_at(skeleton, kinds[k].goal, q);
            find_answers(&found, solver, &options, &goal, q, 0);
            if (!snw_solver_other_branch(solver, &options, &goal, q, other, &way)) {
                TEST_TRUE(found.answers.count <= 1);
                ++alone;
                continue;
            }
            ++others;
            check_met(skeleton, &goal, other);
            for (int h = 0; h < count; ++h) { largest = fmax(largest, fabs(other[h] - q[h])); }
            TEST_NEAR(way, largest, 1e-12);
            TEST_TRUE(way > 1e-7);
            // without a joint to spare it is the second of all
            if (count < 7) { TEST_NEAR(way_between(other, q, count), found.ways[1], 1e-6); }
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    TEST_TRUE(others > 50 && alone > 5);
}

static void test_closed_form_in_words(void **state)
{
    (void)state;
    test_Random random = test_case(11009, 0);
    for (int k = 0; k < KINDS; ++k) {
        Layout layout = draw_layout(&random, &kinds[k]);
        sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
        sinew_Solver *solver = make_solver(skeleton);
        double q[MAX_HINGES] = { 0.0 };
        sinew_Goal goal = goal_at(skeleton, kinds[k].goal, q);
        sinew_Message text = { "" };
        TEST_TRUE(sinew_solver_closed_form(solver, &goal, q, &text));
        TEST_TRUE(strstr(text.text, "closed form") != NULL && strstr(text.text, "no ") == NULL);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    // axes anywhere have none, and that is told
    Kind none = { "", 6, SINEW_GOAL_POSE, { MEET(0, 0), MEET(0, 0) } };
    Layout layout = draw_layout(&random, &none);
    sinew_Skeleton *skeleton = make_body(&random, &layout, 0.0);
    sinew_Solver *solver = make_solver(skeleton);
    double q[MAX_HINGES] = { 0.0 };
    sinew_Goal goal = goal_at(skeleton, SINEW_GOAL_POSE, q);
    sinew_SolveOptions options = tight(SINEW_BRANCH_NEAREST);
    sinew_Message text = { "" };
    TEST_TRUE(!sinew_solver_closed_form(solver, &goal, q, &text));
    TEST_TRUE(strstr(text.text, "no closed form") != NULL);
    static Found found;
    memset(&found, 0, sizeof found);
    found.answers.capacity = 1;
    found.answers.poses = found.poses;
    found.answers.ways = found.ways;
    found.answers.branches = found.branches;
    TEST_INT(sinew_solver_answers(solver, &options, &goal, q, &found.answers, &text),
        SINEW_STATUS_UNSUPPORTED);
    found.answers.capacity = 0;
    TEST_INT(sinew_solver_answers(solver, &options, &goal, q, &found.answers, &text),
        SINEW_STATUS_INVALID_ARGUMENT);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

TEST_MAIN(cmocka_unit_test(test_every_class_is_found),
    cmocka_unit_test(test_rounded_files_keep_their_class), cmocka_unit_test(test_nearest_answer),
    cmocka_unit_test(test_report_tells_how), cmocka_unit_test(test_locked_joint_reduces_an_arm),
    cmocka_unit_test(test_all_answers), cmocka_unit_test(test_answers_of_a_free_joint),
    cmocka_unit_test(test_answers_of_a_swivel), cmocka_unit_test(test_swivel_on_bounds),
    cmocka_unit_test(test_answers_on_bounds), cmocka_unit_test(test_other_branch),
    cmocka_unit_test(test_closed_form_in_words))
