#include "solve/answers.h"

#include "base/message.h"
#include "math/holds.h"
#include "solve/run.h"

#include <string.h>

enum { BRANCHES = SNW_CLOSED_ANSWERS };

// answers whose joints differ by less than this, radians, are one: where two branches touch, each is
// found to the root of what rounding leaves
#define SAME_ANSWER 1e-6
// halvings of a sample's width that find the end of a span
#define SPAN_STEPS 32
// values of a free joint that are looked at for another branch
#define OTHER_SAMPLES 12

// what the chain's joints are at one value of the free joint
typedef struct Slice {
    double free_value;
    int count;
    int branches[BRANCHES];
    double joints[BRANCHES * SNW_CLOSED_CHAIN]; // rows as wide as the chain
} Slice;

static unsigned find_slice(snw_Solve *solve, bool limits, double free_value, Slice *out)
{
    snw_Auto *method = &solve->method;
    unsigned present = 0;
    out->free_value = free_value;
    out->count = snw_closed_all(&method->closed, &method->chain, method->joints, limits, free_value,
        out->joints, out->branches);
    for (int a = 0; a < out->count; ++a) { present |= 1u << out->branches[a]; }
    return present;
}

static double *row_of(const snw_Solve *solve, Slice *slice, int a)
{
    return &slice->joints[(size_t)a * (size_t)solve->method.chain.count];
}

// the range of the free joint that samples are spread over
static void free_range(const snw_Solve *solve, int joint, double *lower, double *upper)
{
    const snw_Chain *chain = &solve->method.chain;
    if (joint < 0) {
        *lower = -SINEW_PI;
        *upper = SINEW_PI;
        return;
    }
    *lower = chain->lower[joint];
    *upper = chain->upper[joint];
    if (*upper - *lower <= 2.0 * SINEW_PI) { return; }
    // once round, the way it stands
    double here = solve->method.joints[joint];
    double low = here - SINEW_PI, high = here + SINEW_PI;
    if (low < *lower) { high = *lower + 2.0 * SINEW_PI; }
    if (high > *upper) { low = *upper - 2.0 * SINEW_PI; }
    *lower = low > *lower ? low : *lower;
    *upper = high < *upper ? high : *upper;
}

// ---------------------------------------------------------------------------------------------
// A list of all

typedef struct List {
    snw_Solve *solve;
    sinew_Answers *answers;
    const double *q;
    size_t coordinates;
} List;

static double way_of(const snw_Solve *solve, const double *joints)
{
    double sum = 0.0;
    for (int i = 0; i < solve->method.chain.count; ++i) {
        double way = joints[i] - solve->method.joints[i];
        sum += way * way;
    }
    return sqrt(sum);
}

static bool is_same(const List *list, int a, const double *joints)
{
    const snw_Plan *plan = &list->solve->plan;
    const double *other = &list->answers->poses[(size_t)a * list->coordinates];
    for (int i = 0; i < list->solve->method.chain.count; ++i) {
        const snw_Link *link = &plan->links[plan->static_link_count + i];
        if (link->dof >= 0 && fabs(other[link->coordinate] - joints[i]) > SAME_ANSWER) {
            return false;
        }
    }
    return true;
}

// a place in the list, by way, that those behind it have left
static int make_room(List *list, double way)
{
    sinew_Answers *answers = list->answers;
    int place = answers->count;
    while (place > 0 && way < answers->ways[place - 1]) {
        answers->ways[place] = answers->ways[place - 1];
        answers->branches[place] = answers->branches[place - 1];
        if (answers->values != NULL) { answers->values[place] = answers->values[place - 1]; }
        --place;
    }
    size_t behind = (size_t)(answers->count - place) * list->coordinates;
    double *pose = &answers->poses[(size_t)place * list->coordinates];
    if (behind > 0) { memmove(&pose[list->coordinates], pose, behind * sizeof *pose); }
    ++answers->count;
    return place;
}

static void add_answer(List *list, int branch, double free_value, double *joints)
{
    snw_Solve *solve = list->solve;
    sinew_Answers *answers = list->answers;
    if (!snw_auto_finish_chain(solve, joints)) { return; }
    double way = way_of(solve, joints);
    bool full = answers->count == answers->capacity;
    if (full) { answers->complete = false; }
    if (full && way >= answers->ways[answers->count - 1]) { return; }
    if (full) { --answers->count; }
    for (int a = 0; a < answers->count; ++a) {
        bool near = fabs(answers->ways[a] - way) <= 10.0 * SAME_ANSWER;
        if (near && is_same(list, a, joints)) { return; }
    }
    int place = make_room(list, way);
    answers->ways[place] = way;
    answers->branches[place] = branch;
    if (answers->values != NULL) { answers->values[place] = free_value; }
    double *pose = &answers->poses[(size_t)place * list->coordinates];
    memcpy(pose, list->q, list->coordinates * sizeof *pose);
    snw_chain_put(&solve->method.chain, &solve->plan, joints, pose);
}

static void add_slice(List *list, Slice *slice)
{
    for (int a = 0; a < slice->count; ++a) {
        add_answer(list, slice->branches[a], slice->free_value, row_of(list->solve, slice, a));
    }
}

// ---------------------------------------------------------------------------------------------
// Spans

// between a value where a branch is inside the limits and one where it is not: the last inside
static double find_end(snw_Solve *solve, int branch, double inside, double outside)
{
    Slice slice;
    for (int i = 0; i < SPAN_STEPS; ++i) {
        double middle = 0.5 * (inside + outside);
        if ((find_slice(solve, true, middle, &slice) >> branch & 1u) != 0) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    return inside;
}

static void add_span(sinew_Answers *answers, int branch, double lower, double upper)
{
    SNW_ASSERT(snw_holds_range(lower, upper));
    if (answers->span_count == answers->span_capacity) {
        answers->complete = false;
        return;
    }
    // behind those of its branch
    int place = answers->span_count++;
    while (place > 0 && answers->spans[place - 1].branch > branch) {
        answers->spans[place] = answers->spans[place - 1];
        --place;
    }
    answers->spans[place] = (sinew_AnswerSpan){ branch, lower, upper };
}

// follow the branches from one sample to the next
typedef struct Sweep {
    unsigned present; // branches at the last sample, by bit
    double value;     // the last sample
    double begin[BRANCHES];
} Sweep;

static void step_sweep(List *list, Sweep *sweep, unsigned present, double value, bool first)
{
    for (int b = 0; b < BRANCHES; ++b) {
        bool was = !first && (sweep->present >> b & 1u) != 0, is = (present >> b & 1u) != 0;
        if (is && !was) {
            sweep->begin[b] = first ? value : find_end(list->solve, b, value, sweep->value);
        }
        if (was && !is) {
            double end = find_end(list->solve, b, sweep->value, value);
            add_span(list->answers, b, sweep->begin[b], end);
        }
    }
    sweep->present = present;
    sweep->value = value;
}

static void end_sweep(List *list, const Sweep *sweep)
{
    for (int b = 0; b < BRANCHES; ++b) {
        if ((sweep->present >> b & 1u) == 0) { continue; }
        add_span(list->answers, b, sweep->begin[b], sweep->value);
    }
}

static void sort_values(double *values, int count)
{
    SNW_ASSERT(count >= 0);
    for (int i = 1; i < count; ++i) {
        double value = values[i];
        int place = i;
        for (; place > 0 && values[place - 1] > value; --place) {
            values[place] = values[place - 1];
        }
        values[place] = value;
    }
}

// Branches of a swivel begin and end nowhere but at its ends: one look between two of them is enough.
static void add_swivel_spans(List *list)
{
    snw_Auto *method = &list->solve->method;
    double ends[4 * SNW_CLOSED_ENDS + 1], begin[BRANCHES] = { 0.0 };
    int count = snw_closed_swing_ends(&method->closed, &method->chain, method->joints, ends);
    sort_values(ends, count);
    ends[count++] = SINEW_PI;
    unsigned before = 0;
    double lower = -SINEW_PI;
    for (int i = 0; i < count; ++i) {
        // next to each other are the two roots of a joint that turns back on its bound
        if (ends[i] - lower < SAME_ANSWER && i + 1 < count) { continue; }
        Slice slice;
        unsigned present = find_slice(list->solve, true, 0.5 * (lower + ends[i]), &slice);
        for (int b = 0; b < BRANCHES; ++b) {
            bool was = (before >> b & 1u) != 0, is = (present >> b & 1u) != 0;
            if (was && !is) { add_span(list->answers, b, begin[b], lower); }
            if (is && !was) { begin[b] = lower; }
        }
        before = present;
        lower = ends[i];
    }
    for (int b = 0; b < BRANCHES; ++b) {
        if ((before >> b & 1u) != 0) { add_span(list->answers, b, begin[b], lower); }
    }
}

// ---------------------------------------------------------------------------------------------

static sinew_Status check_answers(const sinew_Answers *answers, sinew_Message *message)
{
    if (answers == NULL || answers->poses == NULL || answers->ways == NULL
        || answers->branches == NULL || (answers->span_capacity > 0 && answers->spans == NULL)) {
        return snw_refuse(message, "answers or its arrays are NULL");
    }
    if (answers->capacity < 1 || answers->samples < 0 || answers->samples > 1000
        || answers->span_capacity < 0) {
        return snw_refuse(message,
            "answers.capacity is %d, samples %d, span_capacity %d; want 1 or more, 0..1000, 0 or "
            "more",
            answers->capacity, answers->samples, answers->span_capacity);
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_solver_answers(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goal, const double *q, sinew_Answers *answers, sinew_Message *out_message)
{
    sinew_Status status = check_answers(answers, out_message);
    if (status == SINEW_STATUS_OK) {
        status = snw_solver_begin(solver, options, goal, q, out_message);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    snw_Solve *solve = snw_solver_inside(solver);
    if (!snw_auto_begin_chain(solve)) {
        sinew_Message text;
        bool closed = sinew_solver_closed_form(solver, goal, q, &text);
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED, "%s%s", text.text,
            closed ? ", but its answers are not listed" : "");
    }
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(snw_solver_skeleton(solver));
    List list = { solve, answers, q, coordinates };
    answers->count = 0;
    answers->span_count = 0;
    answers->complete = true;
    answers->free_axis = -1;
    answers->swivels = snw_closed_swings(&solve->method.closed);
    int joint = snw_closed_free_joint(&solve->method.closed);
    Slice slice;
    (void)find_slice(solve, true, joint >= 0 ? solve->method.joints[joint] : 0.0, &slice);
    add_slice(&list, &slice);
    if (joint < 0 && !answers->swivels) { return SINEW_STATUS_OK; }
    if (joint >= 0) {
        answers->free_axis = solve->plan.links[solve->plan.static_link_count + joint].axis;
    }

    double lower, upper;
    free_range(solve, joint, &lower, &upper);
    bool spans = answers->span_capacity > 0 && answers->samples > 0;
    Sweep sweep = { 0 };
    for (int k = 0; k < answers->samples; ++k) {
        double share = answers->samples > 1 ? k / (answers->samples - 1.0) : 0.5;
        double value = k + 1 == answers->samples && k > 0 ? upper : lower + share * (upper - lower);
        unsigned present = find_slice(solve, true, value, &slice);
        if (spans && joint >= 0) { step_sweep(&list, &sweep, present, value, k == 0); }
        add_slice(&list, &slice);
    }
    if (spans && joint >= 0) { end_sweep(&list, &sweep); }
    if (answers->swivels && answers->span_capacity > 0) { add_swivel_spans(&list); }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Another branch

// the branch that the joints stand on or next to, whether or not it is inside the limits
static int branch_here(snw_Solve *solve, double free_value)
{
    double least = INFINITY;
    int branch = -1;
    Slice slice;
    (void)find_slice(solve, false, free_value, &slice);
    for (int a = 0; a < slice.count; ++a) {
        double way = way_of(solve, row_of(solve, &slice, a));
        if (!(way < least)) { continue; }
        least = way;
        branch = slice.branches[a];
    }
    return branch;
}

bool snw_solver_other_branch(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goal, const double *q, double *out_q, double *out_way)
{
    if (snw_solver_begin(solver, options, goal, q, NULL) != SINEW_STATUS_OK) { return false; }
    snw_Solve *solve = snw_solver_inside(solver);
    if (!snw_auto_begin_chain(solve)) { return false; }
    snw_Auto *method = &solve->method;
    int count = method->chain.count, joint = snw_closed_free_joint(&method->closed);
    double here = joint >= 0 ? method->joints[joint] : 0.0, lower = 0.0, upper = 0.0;
    int own = branch_here(solve, here);
    bool spare = joint >= 0 || snw_closed_swings(&method->closed);
    if (spare) { free_range(solve, joint, &lower, &upper); }
    double best[SNW_CLOSED_CHAIN] = { 0.0 }, least = INFINITY;
    for (int k = -1; k < (spare ? OTHER_SAMPLES : 0); ++k) {
        double value = k < 0 ? here : lower + (k + 0.5) * (upper - lower) / OTHER_SAMPLES;
        // a sample whose free joint is farther than the best answer cannot be nearer
        if (joint >= 0 && fabs(value - here) >= least) { continue; }
        Slice slice;
        (void)find_slice(solve, true, value, &slice);
        for (int a = 0; a < slice.count; ++a) {
            double way = way_of(solve, row_of(solve, &slice, a));
            if (slice.branches[a] == own || !(way < least)) { continue; }
            least = way;
            memcpy(best, row_of(solve, &slice, a), (size_t)count * sizeof *best);
        }
    }
    if (!isfinite(least) || !snw_auto_finish_chain(solve, best)) { return false; }
    double largest = 0.0;
    for (int i = 0; i < count; ++i) { largest = fmax(largest, fabs(best[i] - method->joints[i])); }
    size_t size = (size_t)sinew_skeleton_coordinate_count(snw_solver_skeleton(solver));
    memmove(out_q, q, size * sizeof *q);
    snw_chain_put(&method->chain, &solve->plan, best, out_q);
    *out_way = largest;
    return true;
}

// ---------------------------------------------------------------------------------------------
// In words

static const char *place_text(const snw_ClosedShape *shape)
{
    switch (shape->place) {
    case SNW_PLACE_LAST_MEET:
        // of seven, the joint at the end is the free one, beyond those that meet
        if (shape->count == 7) {
            return shape->mirrored ? "axes 2 and 3 that meet" : "axes 5 and 6 that meet";
        }
        return shape->mirrored ? "axes 1 and 2 that meet" : "last two axes that meet";
    case SNW_PLACE_FIRST_MEET: return "two axes that meet";
    case SNW_PLACE_LAST_PARALLEL:
    case SNW_PLACE_FIRST_PARALLEL: return "two parallel axes";
    case SNW_PLACE_NONE: break;
    }
    return "";
}

static void describe(const snw_Solve *solve, sinew_Message *text)
{
    const snw_ClosedShape *shape = &solve->method.closed.shape;
    const char *end = shape->mirrored ? "wrist" : "shoulder or hip";
    switch (shape->kind) {
    case SNW_CLOSED_WRIST:
        snw_message_set(text, "%dR, spherical %s, %s%s: closed form", shape->count, end,
            place_text(shape), shape->free >= 0 ? ", one joint free" : "");
        break;
    case SNW_CLOSED_SWIVEL:
        snw_message_set(text, "7R, spherical shoulder and wrist: closed form");
        break;
    case SNW_CLOSED_PARALLEL:
        snw_message_set(text, "6R, three parallel axes, two that meet: closed form");
        break;
    case SNW_CLOSED_POINT:
        snw_message_set(text, "3R to a place, %s: closed form", place_text(shape));
        break;
    case SNW_CLOSED_TURN:
        snw_message_set(text, "3R to an orientation, all meet: closed form");
        break;
    case SNW_CLOSED_NONE: break;
    }
}

// a limb with a ball; whether it has a closed form
static bool describe_limb(const snw_Solve *solve, sinew_Message *text)
{
    const snw_BallLimb *limb = &solve->method.ball_limb;
    const snw_Plan *plan = &solve->plan;
    int balls = 0, others = 0;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        bool ball = plan->links[l].motion == SNW_BALL;
        if (plan->links[l].dof < 0) { continue; }
        balls += ball ? 1 : 0;
        others += ball ? 0 : 1;
    }
    if (!limb->fits) {
        bool pose = plan->effectors[0].position && plan->effectors[0].orientation;
        int moving = balls + others;
        const char *why = moving > 3  ? "more joints to spare than one limb has"
            : moving < (pose ? 3 : 2) ? "too few joints to meet every goal"
            : pose                    ? "not a ball, a ball or hinge, and a ball"
                                      : "not a ball, and a ball or hinge";
        snw_message_set(text, "%d ball%s%s: no closed form, %s", balls, snw_plural(balls),
            others > 0 ? " among other joints" : "", why);
        return false;
    }
    const char *middle = plan->links[limb->middle].motion == SNW_BALL ? "ball" : "hinge";
    const char *end = limb->pose ? ", a ball at the end" : "";
    bool along = snw_ball_limb_is_along(limb, plan, solve->current);
    snw_message_set(text, "a ball and a %s%s, two bones: %s", middle, end,
        along ? "closed form" : "no closed form, limits do not count from the bones");
    return along;
}

// why there is none
static void excuse(const snw_Solve *solve, sinew_Message *text)
{
    const snw_Chain *chain = &solve->method.chain;
    if (solve->method.layout != SNW_LAYOUT_CHAIN) {
        snw_message_set(text, "not one chain: no closed form");
        return;
    }
    int moving = 0;
    for (int i = 0; i < chain->count; ++i) {
        moving += i < 32 && (chain->locked >> i & 1u) != 0 ? 0 : 1;
    }
    bool pose = chain->position && chain->orientation;
    int least = pose ? 6 : 3, most = pose ? SNW_CLOSED_JOINTS : 3;
    const char *why = chain->has_slides ? "it slides"
        : moving < least                ? "too few joints to meet every goal"
        : moving > most                 ? "more joints to spare than one can be tried for"
                                        : "too few of its axes meet or are parallel";
    snw_message_set(text, "%dR%s: no closed form, %s", moving,
        pose                  ? ""
            : chain->position ? " to a place"
                              : " to an orientation",
        why);
}

bool sinew_solver_closed_form(
    sinew_Solver *solver, const sinew_Goal *goal, const double *q, sinew_Message *out_text)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    if (snw_solver_begin(solver, &options, goal, q, out_text) != SINEW_STATUS_OK) { return false; }
    snw_Solve *solve = snw_solver_inside(solver);
    if (solve->method.two_bone.fits) {
        snw_message_set(out_text, "4R, spherical root, two bones: closed form");
        return true;
    }
    if (solve->method.layout == SNW_LAYOUT_BODY) { return describe_limb(solve, out_text); }
    bool closed = snw_auto_begin_chain(solve);
    if (closed) {
        describe(solve, out_text);
    } else {
        excuse(solve, out_text);
    }
    return closed;
}
