// A diagnosis in words.

#include "base/message.h"
#include "math/holds.h"
#include "solve/diagnosis.h"

// a second cause is named when it explains this share of what the first does
#define ALSO_SHARE 0.6
// most causes in a line
#define MOST_NAMED 3

const char *sinew_blocker_name(sinew_BlockerKind kind)
{
    switch (kind) {
    case SINEW_BLOCKER_LOWER: return "lower_limit";
    case SINEW_BLOCKER_UPPER: return "upper_limit";
    case SINEW_BLOCKER_SWING: return "swing";
    case SINEW_BLOCKER_TWIST_LOWER: return "twist_lower";
    case SINEW_BLOCKER_TWIST_UPPER: return "twist_upper";
    case SINEW_BLOCKER_LOCKED: return "locked";
    case SINEW_BLOCKER_LIMITS: return "limits";
    case SINEW_BLOCKER_GOAL: return "goal";
    case SINEW_BLOCKER_PRIORITY: return "priority";
    case SINEW_BLOCKER_GOALS: return "goals";
    case SINEW_BLOCKER_OWN_PART: return "own_part";
    case SINEW_BLOCKER_REACH: return "reach";
    case SINEW_BLOCKER_NEAR: return "near";
    case SINEW_BLOCKER_REST: return "rest";
    case SINEW_BLOCKER_SOFT_REACH: return "soft_reach";
    case SINEW_BLOCKER_VALLEY: return "valley";
    case SINEW_BLOCKER_ITERATIONS: return "iterations";
    case SINEW_BLOCKER_TIME: return "time";
    case SINEW_BLOCKER_SPEED: return "speed";
    case SINEW_BLOCKER_UNFINISHED: return "unfinished";
    }
    return "unknown";
}

const char *sinew_conditioning_name(sinew_Conditioning conditioning)
{
    switch (conditioning) {
    case SINEW_CONDITIONING_GOOD: return "good";
    case SINEW_CONDITIONING_STRAIGHT: return "straight";
    case SINEW_CONDITIONING_SINGULAR: return "singular";
    }
    return "unknown";
}

// ---------------------------------------------------------------------------------------------
// Pieces

/// Text that is cut to size, and what it would have needed.
typedef struct Line {
    char *text;
    size_t used, size;
} Line;

static Line line_begin(char *text, size_t size)
{
    Line line = { text, 0, text != NULL ? size : 0 };
    if (line.size > 0) { text[0] = '\0'; }
    return line;
}

// bytes of the UTF-8 character that starts here, at most what is left of the text
static size_t character_size(const char *text)
{
    size_t count = 1;
    while (((unsigned char)text[count] & 0xc0U) == 0x80U) { ++count; }
    return count;
}

static void put(Line *line, const char *text)
{
    while (*text != '\0') {
        size_t count = character_size(text);
        // a character that does not fit whole ends the text
        if (line->used + count + 1 > line->size) { line->size = 0; }
        for (size_t i = 0; i < count && line->size > 0; ++i) {
            line->text[line->used + i] = text[i];
        }
        line->used += count;
        text += count;
        if (line->size > 0) { line->text[line->used] = '\0'; }
    }
}

// two significant digits, whole numbers from 10 on
static double rounded(double value)
{
    double unit = 1.0;
    if (!(value > 0.0) || !isfinite(value)) { return value; }
    while (value / unit < 9.95) { unit *= 0.1; }
    return floor(value / unit + 0.5) * unit;
}

static void put_number(Line *line, double value, const char *unit)
{
    sinew_Message number;
    snw_message_set(&number, "%g", rounded(value));
    put(line, number.text);
    put(line, unit);
}

static void put_length(Line *line, double metres)
{
    double size = fabs(metres);
    if (metres < 0.0) { put(line, "-"); }
    if (size < 0.0995) {
        put_number(line, 1e3 * size, " mm");
    } else if (size < 0.995) {
        put_number(line, 1e2 * size, " cm");
    } else {
        put_number(line, size, " m");
    }
}

static void put_angle(Line *line, double radians)
{
    if (radians < 0.0) { put(line, "-"); }
    put_number(line, fabs(radians) * (180.0 / SINEW_PI), "°");
}

// a joint, or one axis of it where it has several
static void put_axis(Line *line, const sinew_Skeleton *skeleton, int axis)
{
    SNW_ASSERT(axis >= 0);
    const sinew_AxisPlace *place = &sinew_skeleton_axis_places(skeleton)[axis];
    if (sinew_skeleton_axes(skeleton)[axis].kind == SINEW_AXIS_BALL) {
        put(line, sinew_skeleton_joints(skeleton)[place->joint].name);
        return;
    }
    char name[128];
    sinew_skeleton_coordinate_name(skeleton, place->coordinate, name, sizeof name);
    put(line, name);
}

static void put_bound(Line *line, const sinew_Skeleton *skeleton, const sinew_Blocker *blocker)
{
    put(line, " (");
    if (sinew_skeleton_axes(skeleton)[blocker->axis].kind == SINEW_AXIS_SLIDE) {
        put_length(line, blocker->bound);
    } else {
        put_angle(line, blocker->bound);
    }
    put(line, ")");
}

// ---------------------------------------------------------------------------------------------
// Causes

static void put_limit(Line *line, const sinew_Skeleton *skeleton, const sinew_Blocker *blocker)
{
    put_axis(line, skeleton, blocker->axis);
    switch (blocker->kind) {
    case SINEW_BLOCKER_LOWER: put(line, " at its lower limit"); break;
    case SINEW_BLOCKER_UPPER: put(line, " at its upper limit"); break;
    case SINEW_BLOCKER_SWING:
        put(line, " at the edge of its swing (");
        put_angle(line, blocker->bound);
        put(line, " off neutral)");
        return;
    case SINEW_BLOCKER_TWIST_LOWER: put(line, " at its lower twist limit"); break;
    case SINEW_BLOCKER_TWIST_UPPER: put(line, " at its upper twist limit"); break;
    default: put(line, " is locked"); return;
    }
    put_bound(line, skeleton, blocker);
}

static const char *goal_name(const sinew_Diagnosis *diagnosis, int goal, const char *const *names)
{
    SNW_ASSERT(goal >= 0);
    if (names != NULL && names[goal] != NULL) { return names[goal]; }
    switch (diagnosis->goal_kinds[goal]) {
    case SINEW_GOAL_CENTER_OF_MASS: return "the centre of mass";
    case SINEW_GOAL_SUPPORT: return "balance";
    case SINEW_GOAL_REST: return "the rest posture";
    default: return sinew_skeleton_joints(diagnosis->skeleton)[diagnosis->goal_joints[goal]].name;
    }
}

static void put_reach(Line *line, const sinew_Blocker *blocker)
{
    put(line, "the goal is ");
    if (blocker->amount_is_angle) {
        put_angle(line, blocker->amount);
    } else {
        put_length(line, blocker->amount);
    }
    if (blocker->kind == SINEW_BLOCKER_NEAR) {
        put(line, " too near for it to fold");
    } else {
        put(line,
            blocker->amount_is_angle ? " beyond what its joints can turn" : " beyond its reach");
    }
}

static bool is_goal(const sinew_Blocker *blocker)
{
    return blocker->kind == SINEW_BLOCKER_GOAL || blocker->kind == SINEW_BLOCKER_PRIORITY;
}

static void put_goal(Line *line, const sinew_Diagnosis *diagnosis, const sinew_Blocker *blocker,
    const char *const *names)
{
    put(line, goal_name(diagnosis, blocker->goal, names));
    if (blocker->kind != SINEW_BLOCKER_PRIORITY) { return; }
    sinew_Message level;
    snw_message_set(&level, " (priority %d)", blocker->priority);
    put(line, level.text);
}

static void put_blocker(Line *line, const sinew_Diagnosis *diagnosis, const sinew_Blocker *blocker,
    const char *const *names)
{
    switch (blocker->kind) {
    case SINEW_BLOCKER_LOWER:
    case SINEW_BLOCKER_UPPER:
    case SINEW_BLOCKER_SWING:
    case SINEW_BLOCKER_TWIST_LOWER:
    case SINEW_BLOCKER_TWIST_UPPER:
    case SINEW_BLOCKER_LOCKED: put_limit(line, diagnosis->skeleton, blocker); break;
    case SINEW_BLOCKER_LIMITS: put(line, "limits of its joints, one after another"); break;
    case SINEW_BLOCKER_GOAL:
    case SINEW_BLOCKER_PRIORITY:
        put(line, "gives way to ");
        put_goal(line, diagnosis, blocker, names);
        break;
    case SINEW_BLOCKER_GOALS: put(line, "gives way to the other goals"); break;
    case SINEW_BLOCKER_OWN_PART: put(line, "its place and its turn exclude each other"); break;
    case SINEW_BLOCKER_REACH:
    case SINEW_BLOCKER_NEAR: put_reach(line, blocker); break;
    case SINEW_BLOCKER_REST: put(line, "the pull to the rest pose"); break;
    case SINEW_BLOCKER_SOFT_REACH:
        put(line, "eased by ");
        put_length(line, blocker->amount);
        put(line, " near full stretch (soft reach)");
        break;
    case SINEW_BLOCKER_VALLEY: put(line, "nothing blocks it; try other starts"); break;
    case SINEW_BLOCKER_ITERATIONS: put(line, "too few iterations"); break;
    case SINEW_BLOCKER_TIME: put(line, "too little time"); break;
    case SINEW_BLOCKER_SPEED: put(line, "the bound on joint speed"); break;
    case SINEW_BLOCKER_UNFINISHED: put(line, "not finished; more iterations get closer"); break;
    }
}

static void put_causes(
    Line *line, const sinew_Diagnosis *diagnosis, int g, const char *const *names)
{
    const sinew_GoalDiagnosis *goal = &diagnosis->goals[g];
    if (goal->met) { return; }
    if (goal->blocker_count == 0) {
        put(line, "no single cause");
        return;
    }
    const sinew_Blocker *first = &goal->blockers[0], *last = first;
    int named = 0;
    for (int i = 0; i < goal->blocker_count && named < MOST_NAMED; ++i) {
        const sinew_Blocker *blocker = &goal->blockers[i];
        bool same = blocker->together == first->together;
        if (!same || blocker->gain < ALSO_SHARE * first->gain) { continue; }
        // one goal after another: "gives way to LeftHand and RightHand"
        if (named > 0 && is_goal(blocker) && is_goal(last)) {
            put(line, " and ");
            put_goal(line, diagnosis, blocker, names);
        } else {
            if (named > 0) { put(line, first->together ? " and " : "; also "); }
            put_blocker(line, diagnosis, blocker, names);
        }
        last = blocker;
        ++named;
    }
    if (first->together) { put(line, ", together"); }
}

size_t sinew_diagnosis_cause_text(const sinew_Diagnosis *diagnosis, int goal,
    const char *const *names, char *out_text, size_t size)
{
    Line line = line_begin(out_text, size);
    if (sinew_diagnosis_goal(diagnosis, goal) == NULL) { return line.used; }
    put_causes(&line, diagnosis, goal, names);
    return line.used;
}

size_t sinew_diagnosis_text(const sinew_Diagnosis *diagnosis, int goal, const char *const *names,
    char *out_text, size_t size)
{
    Line line = line_begin(out_text, size);
    if (sinew_diagnosis_goal(diagnosis, goal) == NULL) { return line.used; }
    const sinew_GoalDiagnosis *g = &diagnosis->goals[goal];
    put(&line, goal_name(diagnosis, goal, names));
    if (g->met) {
        put(&line, " is met");
        return line.used;
    }
    put(&line, " misses by ");
    bool place = g->position_error > diagnosis->position_tolerance;
    bool turn = g->orientation_error > diagnosis->orientation_tolerance;
    if (place) { put_length(&line, g->position_error); }
    if (place && turn) { put(&line, " and "); }
    if (turn) { put_angle(&line, g->orientation_error); }
    put(&line, ": ");
    put_causes(&line, diagnosis, goal, names);
    return line.used;
}

size_t sinew_diagnosis_conditioning_text(
    const sinew_Diagnosis *diagnosis, int goal, char *out_text, size_t size)
{
    Line line = line_begin(out_text, size);
    if (sinew_diagnosis_goal(diagnosis, goal) == NULL) { return line.used; }
    const sinew_GoalDiagnosis *g = &diagnosis->goals[goal];
    sinew_Vec3 d = g->stiff_direction;
    if (g->conditioning == SINEW_CONDITIONING_STRAIGHT) {
        put(&line, "straight");
        if (isfinite(g->reach_margin) && g->reach_margin >= 0.0) {
            put(&line, ": ");
            put_length(&line, g->reach_margin);
            put(&line, " from full stretch");
        }
    } else if (g->conditioning == SINEW_CONDITIONING_SINGULAR) {
        put(&line, "singular");
        if (sinew_vec3_dot(d, d) > 0.0) {
            sinew_Message direction;
            snw_message_set(&direction, ": it hardly moves along (%g, %g, %g)",
                floor(d.x * 100.0 + 0.5) / 100.0, floor(d.y * 100.0 + 0.5) / 100.0,
                floor(d.z * 100.0 + 0.5) / 100.0);
            put(&line, direction.text);
        }
    }
    return line.used;
}
