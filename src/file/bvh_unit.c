// The unit of a BVH file, which the format does not say, from the size of the body in it.
//
// Legs are found by names (a foot, a shin above it, a thigh above that), else by shape (two equal
// chains, not more, that hang on one joint near the root). Stature = (thigh + shin) / 0.491 in file
// units (Drillis and Contini 1966: 0.245 + 0.246 of stature); the unit is the first of m, cm, mm,
// dm, inch and foot that makes it 1.2 to 2.2 m. 25 to 35 units with a joint of zero offset above the
// thigh is the unit of the Carnegie Mellon recordings, 0.0254/0.45 m. Where none fits the figure is
// scaled to 1.7 m. Without legs, a fan of fingers is measured as a hand of 0.10 to 0.26 m from the
// wrist to the longest finger's tip; then a figure of many joints by the largest extent of its rest
// pose, in m, cm or mm; else the numbers are taken as metres. End Sites are measured on fingers
// alone, as some are garbage.

#include "file/bvh.h"

#include "base/memory.h"
#include "math/holds.h"

#include <stdio.h>
#include <string.h>

#define LEGS_OF_STATURE 0.491
#define MIN_STATURE 1.2
#define MAX_STATURE 2.2
#define SCALED_STATURE 1.7
#define MIN_HAND 0.10
#define MAX_HAND 0.26
#define CMU_UNIT (0.0254 / 0.45)
#define MIN_CMU_STATURE 25.0
#define MAX_CMU_STATURE 35.0

// thigh and shin are never farther apart than this, and a figure for the last way out has more
// joints than this
#define MAX_BONE_RATIO 2.0
#define MIN_FIGURE_JOINTS 8

// Chains are equal within this part of their length, a limb is at least this part of the longest
// way from the root. Larger trees are not searched by shape.
#define EQUAL_LENGTHS 0.06
#define MIN_LIMB_SHARE 0.2
#define MAX_SHAPE_JOINTS 2000

// Legs beyond these lengths in file units are no figure that could be scaled.
#define MIN_LEG_UNITS 1e-6
#define MAX_LEG_UNITS 1e8

// Joints above a foot among which shin and thigh are looked for.
#define MAX_LEG_JOINTS 8

typedef struct Unit {
    double metres;
    const char *name;
} Unit;

static const Unit units[] = { { 1.0, "m" }, { 0.01, "cm" }, { 0.001, "mm" }, { 0.1, "dm" },
    { 0.0254, "inch" }, { 0.3048, "foot" } };
#define UNIT_COUNT ((int)(sizeof units / sizeof units[0]))
#define METRIC_UNIT_COUNT 3 // those that need no more than an extent to be believed

typedef struct Leg {
    int thigh, foot;
    double thigh_length, shin_length; // file units
    double misfit;                    // of the proportions, 0 is best
} Leg;

// what is known of each joint without names
typedef struct Shape {
    double *length;     // of its offset
    double *from_root;  // sum of lengths down to it
    double *below;      // longest sum of lengths below it, End Sites left out
    int *longest_child; // on the way of that, -1 at the end
} Shape;

static const snw_BvhJoint *joint_at(const snw_Bvh *bvh, int joint)
{
    return &snw_bvh_joints(bvh)[joint];
}

static double bone_length(const snw_Bvh *bvh, int joint)
{
    const double *v = joint_at(bvh, joint)->offset;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static const Unit *fitting_unit(double size, double smallest, double largest, int unit_count)
{
    for (int i = 0; i < unit_count; ++i) {
        double metres = size * units[i].metres;
        if (metres >= smallest && metres <= largest) { return &units[i]; }
    }
    return NULL;
}

// how far thigh and shin are from equal; negative when they are no leg
static double proportion_misfit(double thigh, double shin)
{
    if (!(thigh > 0.0) || !(shin > 0.0)) { return -1.0; }
    double ratio = thigh > shin ? thigh / shin : shin / thigh;
    return ratio <= MAX_BONE_RATIO ? ratio - 1.0 : -1.0;
}

// ---------------------------------------------------------------------------------------------
// Legs by name

#define MAX_PLAIN_NAME 64

// the letters of a name in lower case, without a namespace
static void make_plain(const char *name, char out[MAX_PLAIN_NAME])
{
    for (const char *p = name; *p != '\0'; ++p) {
        if (*p == ':' || *p == '|') { name = p + 1; }
    }
    int used = 0;
    for (const char *p = name; *p != '\0' && used < MAX_PLAIN_NAME - 1; ++p) {
        if (*p >= 'a' && *p <= 'z') { out[used++] = *p; }
        if (*p >= 'A' && *p <= 'Z') { out[used++] = (char)(*p + ('a' - 'A')); }
    }
    out[used] = '\0';
}

static bool has_word(const char *plain, const char *const *words)
{
    for (; *words != NULL; ++words) {
        if (snw_bytes_contain(plain, strlen(plain), *words)) { return true; }
    }
    return false;
}

// "hip" and "leg" may be a thigh (above a knee), a connector above it, or a shin
typedef enum LegPart { NO_LEG_PART = 0, THIGH = 1, MAYBE_THIGH = 2, SHIN = 4, FOOT = 8 } LegPart;

// a set of LegPart
static int leg_parts(const char *name)
{
    static const char *const thigh_words[] = { "upleg", "upperleg", "thigh", "femur", NULL };
    static const char *const shin_words[] = { "lowleg", "loleg", "lowerleg", "shin", "calf",
        "tibia", "knee", NULL };
    static const char *const foot_words[] = { "foot", "ankle", NULL };
    char plain[MAX_PLAIN_NAME];
    make_plain(name, plain);
    if (has_word(plain, foot_words)) { return FOOT; }
    if (has_word(plain, thigh_words)) { return THIGH; }
    if (has_word(plain, shin_words)) { return SHIN; }
    static const char *const hip_words[] = { "hip", NULL }, *const hips_words[] = { "hips", NULL },
                             *const leg_words[] = { "leg", NULL };
    if (has_word(plain, hip_words) && !has_word(plain, hips_words)) { return MAYBE_THIGH; }
    return has_word(plain, leg_words) ? MAYBE_THIGH | SHIN : NO_LEG_PART;
}

// the thigh above a shin: of those named so surely the one that fits the shin best (thighs may be in
// two pieces), else the nearest that may be one
static void measure_named_thigh(
    const snw_Bvh *bvh, int foot, int shin, double shin_length, Leg *best)
{
    Leg nearest = { -1, foot, 0.0, 0.0, 0.0 };
    bool sure = false;
    double length = bone_length(bvh, shin);
    int t = joint_at(bvh, shin)->parent;
    for (int i = 0; i < MAX_LEG_JOINTS && t >= 0; ++i, t = joint_at(bvh, t)->parent) {
        int parts = leg_parts(snw_bvh_name(bvh, t));
        Leg leg = { t, foot, length, shin_length, proportion_misfit(length, shin_length) };
        bool is_sure = (parts & THIGH) != 0;
        if (leg.misfit >= 0.0 && is_sure && (best->thigh < 0 || leg.misfit < best->misfit)) {
            *best = leg;
        }
        if (leg.misfit >= 0.0 && (parts & MAYBE_THIGH) != 0 && nearest.thigh < 0) { nearest = leg; }
        sure = sure || is_sure;
        length += bone_length(bvh, t);
    }
    if (!sure && nearest.thigh >= 0 && (best->thigh < 0 || nearest.misfit < best->misfit)) {
        *best = nearest;
    }
}

static void measure_named_leg(const snw_Bvh *bvh, int foot, Leg *best)
{
    double length = bone_length(bvh, foot);
    int s = joint_at(bvh, foot)->parent;
    for (int i = 0; i < MAX_LEG_JOINTS && s >= 0; ++i, s = joint_at(bvh, s)->parent) {
        if ((leg_parts(snw_bvh_name(bvh, s)) & SHIN) != 0) {
            measure_named_thigh(bvh, foot, s, length, best);
        }
        length += bone_length(bvh, s);
    }
}

static bool has_joint_below(const snw_Bvh *bvh, int joint)
{
    return joint_at(bvh, joint)->child_count > joint_at(bvh, joint)->end_site_count;
}

// feet that carry toes first, as helper joints are often leaves of the same name
static bool find_legs_by_name(const snw_Bvh *bvh, Leg *out_leg)
{
    for (int pass = 0; pass < 2 && out_leg->thigh < 0; ++pass) {
        for (int j = 0; j < bvh->joint_count && bvh->joint_count <= MAX_SHAPE_JOINTS; ++j) {
            if (joint_at(bvh, j)->is_end_site || (pass == 0 && !has_joint_below(bvh, j))) {
                continue;
            }
            if (leg_parts(snw_bvh_name(bvh, j)) == FOOT) { measure_named_leg(bvh, j, out_leg); }
        }
    }
    return out_leg->thigh >= 0;
}

// ---------------------------------------------------------------------------------------------
// Legs by shape

static void fill_shape(const snw_Bvh *bvh, const Shape *shape)
{
    for (int j = 0; j < bvh->joint_count; ++j) {
        int parent = joint_at(bvh, j)->parent;
        shape->length[j] = bone_length(bvh, j);
        shape->from_root[j] = parent >= 0 ? shape->from_root[parent] + shape->length[j] : 0.0;
        shape->below[j] = 0.0;
        shape->longest_child[j] = -1;
    }
    for (int j = bvh->joint_count - 1; j > 0; --j) {
        int parent = joint_at(bvh, j)->parent;
        if (parent < 0 || joint_at(bvh, j)->is_end_site) { continue; }
        double reach = shape->length[j] + shape->below[j];
        if (shape->longest_child[parent] < 0 || reach >= shape->below[parent]) {
            shape->below[parent] = reach;
            shape->longest_child[parent] = j;
        }
    }
}

// whether the longest chains below two joints have the same bones, at least two of some length
static bool are_equal_chains(const Shape *shape, int a, int b)
{
    double tolerance = EQUAL_LENGTHS * shape->below[a];
    int bones = 0;
    for (;;) {
        a = shape->longest_child[a];
        b = shape->longest_child[b];
        if (a < 0 || b < 0) { return a == b && bones >= 2; }
        if (fabs(shape->length[a] - shape->length[b]) > tolerance) { return false; }
        bones += shape->length[a] > 0.0;
    }
}

// along the longest chain, the neighbouring bones that fit thigh and shin best
static bool measure_leg_below(const Shape *shape, int start, Leg *out_leg)
{
    double whole = shape->below[start];
    double best_score = -INFINITY;
    int thigh = start;
    for (int shin = shape->longest_child[start]; shin >= 0; shin = shape->longest_child[shin]) {
        if (!(shape->length[shin] > 0.0)) { continue; }
        int foot = shape->longest_child[shin];
        while (foot >= 0 && !(shape->length[foot] > 0.0)) { foot = shape->longest_child[foot]; }
        if (foot < 0) { break; }
        double misfit = proportion_misfit(shape->length[shin], shape->length[foot]);
        double score = (shape->length[shin] + shape->length[foot]) / whole - misfit;
        if (misfit >= 0.0 && score > best_score) {
            Leg leg = { thigh, foot, shape->length[shin], shape->length[foot], misfit };
            *out_leg = leg;
            best_score = score;
        }
        thigh = shin;
    }
    return out_leg->thigh >= 0;
}

// how many siblings of a joint have the same chain below them
static int count_equal_siblings(const snw_Bvh *bvh, const Shape *shape, int joint)
{
    SNW_ASSERT(joint >= 0);
    int count = 0;
    for (int j = joint_at(bvh, joint)->parent + 1; j < bvh->joint_count; ++j) {
        bool is_sibling = j != joint && joint_at(bvh, j)->parent == joint_at(bvh, joint)->parent;
        count += is_sibling && are_equal_chains(shape, joint, j);
    }
    return count;
}

// of the limbs that are long enough and come in pairs, those that hang nearest the root; three and
// more equal limbs on one joint are no legs of a person
static bool find_legs_by_shape(const snw_Bvh *bvh, const Shape *shape, Leg *out_leg)
{
    double longest = 0.0, nearest = INFINITY;
    for (int j = 0; j < bvh->joint_count; ++j) {
        if (joint_at(bvh, j)->is_end_site) { continue; }
        longest = fmax(longest, shape->from_root[j]);
    }
    bool found = false;
    for (int j = 0; j < bvh->joint_count; ++j) {
        int parent = joint_at(bvh, j)->parent;
        if (parent < 0 || shape->below[j] < MIN_LIMB_SHARE * longest) { continue; }
        Leg leg = { -1, -1, 0.0, 0.0, 0.0 };
        bool is_leg = shape->from_root[parent] < nearest && count_equal_siblings(bvh, shape, j) == 1
            && measure_leg_below(shape, j, &leg);
        if (!is_leg) { continue; }
        *out_leg = leg;
        nearest = shape->from_root[parent];
        found = true;
    }
    return found;
}

// ---------------------------------------------------------------------------------------------
// Hands and other figures

// length of an unbranched chain from a joint to its tip, End Sites counted; negative when it forks
static double unbranched_length(const snw_Bvh *bvh, int joint, int *out_joints)
{
    SNW_ASSERT(joint >= 0);
    double length = bone_length(bvh, joint);
    *out_joints = 1;
    for (int j = joint + 1; j < bvh->joint_count && joint_at(bvh, j)->parent >= joint; ++j) {
        if (joint_at(bvh, j)->parent != j - 1) { return -1.0; }
        length += bone_length(bvh, j);
        *out_joints += !joint_at(bvh, j)->is_end_site;
    }
    return length;
}

// 3 to 5 fingers of at least 3 joints on one joint and nothing else beside the way to it: the
// longest finger, 0 when this is no hand
static double measure_hand(const snw_Bvh *bvh)
{
    int palm = 0;
    while (palm + 1 < bvh->joint_count && joint_at(bvh, palm)->child_count == 1) { ++palm; }
    int fingers = 0;
    double longest = 0.0;
    for (int j = palm + 1; j < bvh->joint_count; ++j) {
        if (joint_at(bvh, j)->parent < palm) { return 0.0; }
        if (joint_at(bvh, j)->parent != palm || joint_at(bvh, j)->is_end_site) { continue; }
        int joints;
        double length = unbranched_length(bvh, j, &joints);
        if (length < 0.0 || joints < 3) { return 0.0; }
        ++fingers;
        longest = length > longest ? length : longest;
    }
    return fingers >= 3 && fingers <= 5 ? longest : 0.0;
}

// largest extent of the rest pose along an axis, End Sites left out
static double measure_extent(const snw_Bvh *bvh, double *place)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int j = 0; j < bvh->joint_count; ++j) {
            int parent = joint_at(bvh, j)->parent;
            place[j] = parent >= 0 ? place[parent] + joint_at(bvh, j)->offset[axis] : 0.0;
            if (joint_at(bvh, j)->is_end_site) { continue; }
            low = place[j] < low ? place[j] : low;
            high = place[j] > high ? place[j] : high;
        }
        largest = high - low > largest ? high - low : largest;
    }
    return largest;
}

// ---------------------------------------------------------------------------------------------
// Decision

static bool hangs_on_zero_length(const snw_Bvh *bvh, int thigh)
{
    int parent = joint_at(bvh, thigh)->parent;
    return !(bone_length(bvh, thigh) > 0.0)
        || (parent >= 0 && joint_at(bvh, parent)->parent >= 0 && !(bone_length(bvh, parent) > 0.0));
}

static void decide_by_legs(const snw_Bvh *bvh, const Leg *leg, snw_BvhUnit *out_unit)
{
    double stature = (leg->thigh_length + leg->shin_length) / LEGS_OF_STATURE;
    const Unit *unit = fitting_unit(stature, MIN_STATURE, MAX_STATURE, UNIT_COUNT);
    out_unit->thigh = leg->thigh;
    out_unit->foot = leg->foot;
    out_unit->source = SINEW_UNIT_GUESSED;
    if (unit != NULL) {
        out_unit->unit = unit->metres;
    } else if (stature >= MIN_CMU_STATURE && stature <= MAX_CMU_STATURE
        && hangs_on_zero_length(bvh, leg->thigh)) {
        out_unit->unit = CMU_UNIT;
        snprintf(out_unit->reason, sizeof out_unit->reason,
            "unit: the legs are those of a figure %.4g units tall, as in CMU recordings: "
            "0.0254/0.45 m",
            stature);
    } else {
        out_unit->unit = SCALED_STATURE / stature;
        out_unit->source = SINEW_UNIT_SCALED;
        snprintf(out_unit->reason, sizeof out_unit->reason,
            "unit: no unit makes a figure %.4g units tall human, scaled to %.2g m", stature,
            SCALED_STATURE);
    }
    out_unit->stature = stature * out_unit->unit;
}

static void decide_without_legs(const snw_Bvh *bvh, double *scratch, snw_BvhUnit *out_unit)
{
    double hand = measure_hand(bvh);
    const Unit *unit = hand > 0.0 ? fitting_unit(hand, MIN_HAND, MAX_HAND, UNIT_COUNT) : NULL;
    double extent = measure_extent(bvh, scratch);
    const char *what = "hand";
    if (unit == NULL && hand <= 0.0 && bvh->joint_count >= MIN_FIGURE_JOINTS) {
        unit = fitting_unit(extent, MIN_STATURE, MAX_STATURE, METRIC_UNIT_COUNT);
        what = "figure";
    }
    if (unit != NULL) {
        out_unit->unit = unit->metres;
        out_unit->source = SINEW_UNIT_GUESSED;
        snprintf(out_unit->reason, sizeof out_unit->reason,
            "unit: no legs found, taken as %s, which makes the "
            "%s %.3g m long",
            unit->name, what, (hand > 0.0 ? hand : extent) * unit->metres);
        return;
    }
    out_unit->unit = 1.0;
    out_unit->source = SINEW_UNIT_ASSUMED;
    snprintf(out_unit->reason, sizeof out_unit->reason,
        "unit: no legs and no hand found to measure, taken as metres");
}

static void guess(const snw_Bvh *bvh, const Shape *shape, snw_BvhUnit *out_unit)
{
    Leg leg = { -1, -1, 0.0, 0.0, 0.0 };
    fill_shape(bvh, shape);
    bool found = find_legs_by_name(bvh, &leg);
    if (!found && bvh->joint_count <= MAX_SHAPE_JOINTS && !(measure_hand(bvh) > 0.0)) {
        found = find_legs_by_shape(bvh, shape, &leg);
    }
    double size = leg.thigh_length + leg.shin_length;
    if (found && size > MIN_LEG_UNITS && size < MAX_LEG_UNITS) {
        decide_by_legs(bvh, &leg, out_unit);
    } else {
        decide_without_legs(bvh, shape->from_root, out_unit);
    }
}

bool snw_bvh_guess_unit(const snw_Bvh *bvh, const sinew_Allocator *allocator, snw_BvhUnit *out_unit)
{
    memset(out_unit, 0, sizeof *out_unit);
    out_unit->thigh = out_unit->foot = -1;
    size_t count = (size_t)bvh->joint_count;
    size_t size = count * (3 * sizeof(double) + sizeof(int));
    double *numbers = snw_alloc(allocator, size);
    if (numbers == NULL) { return false; }
    Shape shape = { numbers, numbers + count, numbers + 2 * count,
        (int *)(void *)(numbers + 3 * count) };
    guess(bvh, &shape, out_unit);
    snw_free(allocator, numbers, size);
    return true;
}
