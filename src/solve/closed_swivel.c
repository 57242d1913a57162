// Seven hinges of which the first three meet in a point, and the last three. The fourth is bent by the
// distance of the two points; then elbow, wrist and shoulder may swing together about the line between
// them. A joint stands at an end of its range where a wave of the swing has a certain height, so the
// places where limits begin and end to hold are circles, too, and what is between them is known without
// looking: a swing that is in reach of all limits is found however narrow their stretch is. Shimizu et
// al. (2008) have the swing as a parameter for limits; the waves are Paden's and Kahan's subproblems.

#include "solve/closed.h"

enum { SHOULDER = 0, ELBOW = 3, WRIST = 4 };

// a direction that swings: even + cosine cos + sine sin
typedef struct Wave {
    sinew_Vec3 even, cosine, sine;
} Wave;

// Frame on the line between both points, seen from the last joint's moved frame and from the first's.
typedef struct Line {
    sinew_Mat3 from_tip, from_root;
    double length2;
    sinew_Vec3 columns[2], rows[2]; // of wrist and shoulder as they stand
} Line;

// One of two bends of the elbow. Of the turns that the three at either end have to make, the last
// columns and rows say all there is to say.
typedef struct Swing {
    bool bends; // within the elbow's range
    snw_Turn elbow;
    Wave columns[2], rows[2]; // of wrist and shoulder
} Swing;

static inline sinew_Vec3 swung(const Wave *wave, snw_Turn t)
{
    sinew_Vec3 r = sinew_vec3_add_scaled(wave->even, wave->cosine, t.cosine);
    return sinew_vec3_add_scaled(r, wave->sine, t.sine);
}

// ---------------------------------------------------------------------------------------------
// Bends of the elbow

// from the fifth joint's frame before its turn to the third one's moved frame
static inline sinew_Vec3 out_of_elbow(const snw_ClosedJoint *joints, snw_Turn elbow, sinew_Vec3 v)
{
    v = snw_turn_z(snw_turn_x(v, joints[ELBOW].twist), elbow);
    return snw_turn_x(v, joints[ELBOW - 1].twist);
}

// two directions across a unit vector, which is the frame's x; Duff et al. (2017)
static sinew_Mat3 frame_on(sinew_Vec3 n)
{
    double sign = copysign(1.0, n.z), a = -1.0 / (sign + n.z), b = n.x * n.y * a;
    sinew_Mat3 r = { n, { 1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x },
        { b, sign + n.y * n.y * a, -n.y } };
    return r;
}

// what swings about the x axis of a frame, and by its y and z there; the other way round: turn -1
static inline Wave wave_in(const sinew_Mat3 *frame, sinew_Vec3 v, double turn)
{
    Wave r = { sinew_vec3_scale(frame->x, v.x),
        sinew_vec3_add_scaled(sinew_vec3_scale(frame->y, v.y), frame->z, v.z),
        sinew_vec3_add_scaled(sinew_vec3_scale(frame->z, turn * v.y), frame->y, -turn * v.z) };
    return r;
}

static inline sinew_Vec3 heights(const sinew_Mat3 *frame)
{
    return sinew_vec3(frame->x.z, frame->y.z, frame->z.z);
}

// last column and row of the turn that three joints make as they stand
static void find_here(
    const snw_ClosedSearch *search, int first, sinew_Vec3 *out_column, sinew_Vec3 *out_row)
{
    const sinew_Vec3 z = { 0.0, 0.0, 1.0 };
    const snw_ClosedJoint *joints = &search->closed->shape.joints[first];
    const snw_Turn *here = &search->here[first];
    sinew_Vec3 column = snw_turn_z(snw_turn_x(z, joints[1].twist), here[1]);
    sinew_Vec3 row = snw_unturn_z(snw_unturn_x(z, joints[0].twist), here[1]);
    *out_column = snw_turn_z(snw_turn_x(column, joints[0].twist), here[0]);
    *out_row = snw_unturn_z(snw_unturn_x(row, joints[1].twist), here[2]);
}

static bool find_line(const snw_ClosedSearch *search, Line *out)
{
    out->length2 = sinew_vec3_dot(search->way, search->way);
    if (!(out->length2 > 0.0)) { return false; }
    sinew_Vec3 to = sinew_vec3_scale(search->way, -1.0 / sqrt(out->length2));
    out->from_root = frame_on(to);
    out->from_tip = (sinew_Mat3){ sinew_mat3_transpose_mul_vec3(search->turn, out->from_root.x),
        sinew_mat3_transpose_mul_vec3(search->turn, out->from_root.y),
        sinew_mat3_transpose_mul_vec3(search->turn, out->from_root.z) };
    find_here(search, WRIST, &out->columns[0], &out->rows[0]);
    find_here(search, SHOULDER, &out->columns[1], &out->rows[1]);
    return true;
}

// All swings count from where columns and rows are nearest to those of the joints as they stand.
static void begin_near(const Line *line, Swing *swing)
{
    double a = 0.0, b = 0.0;
    for (int k = 0; k < 2; ++k) {
        a += sinew_vec3_dot(line->columns[k], swing->columns[k].cosine)
            + sinew_vec3_dot(line->rows[k], swing->rows[k].cosine);
        b += sinew_vec3_dot(line->columns[k], swing->columns[k].sine)
            + sinew_vec3_dot(line->rows[k], swing->rows[k].sine);
    }
    double size2 = a * a + b * b;
    if (!(size2 > 0.0)) { return; }
    double scale = 1.0 / sqrt(size2);
    snw_Turn by = { b * scale, a * scale };
    for (int k = 0; k < 4; ++k) {
        Wave *wave = k < 2 ? &swing->columns[k] : &swing->rows[k - 2];
        sinew_Vec3 cosine = sinew_vec3_add_scaled(
            sinew_vec3_scale(wave->cosine, by.cosine), wave->sine, by.sine);
        wave->sine = sinew_vec3_add_scaled(
            sinew_vec3_scale(wave->sine, by.cosine), wave->cosine, -by.sine);
        wave->cosine = cosine;
    }
}

// rest: where the first three meet, seen from the fifth joint's frame before its turn
static void begin_swing(
    const snw_ClosedSearch *search, const Line *line, sinew_Vec3 rest, Swing *swing)
{
    const snw_ClosedJoint *joints = search->closed->shape.joints;
    double scale = 1.0 / sqrt(sinew_vec3_dot(rest, rest));
    sinew_Mat3 middle = frame_on(sinew_vec3_scale(rest, scale));
    // the same, and the first three's last axis, seen across the elbow
    sinew_Mat3 upper = { out_of_elbow(joints, swing->elbow, middle.x),
        out_of_elbow(joints, swing->elbow, middle.y),
        out_of_elbow(joints, swing->elbow, middle.z) };
    // the wrist turns from the tip's frame to the middle one, the shoulder from the upper to the root's
    swing->columns[0] = wave_in(&middle, heights(&line->from_tip), 1.0);
    swing->rows[0] = wave_in(&line->from_tip, heights(&middle), -1.0);
    swing->columns[1] = wave_in(&line->from_root, heights(&upper), -1.0);
    swing->rows[1] = wave_in(&upper, heights(&line->from_root), 1.0);
    begin_near(line, swing);
}

// ---------------------------------------------------------------------------------------------
// Answers at a swing

static bool offer_at(snw_ClosedSearch *search, int way, const Swing *swing, snw_Turn by)
{
    snw_ClosedMeeting wrist, shoulder;
    bool known = false;
    if (!snw_closed_meet(
            search, WRIST, swung(&swing->columns[0], by), swung(&swing->rows[0], by), &wrist)) {
        return false;
    }
    search->turns[ELBOW] = swing->elbow;
    search->ways[0] = way;
    for (int w = 0; w < 2; ++w) {
        search->ways[1] = w;
        if (!snw_closed_meet_side(search, &wrist, w)) { continue; }
        known = known
            || snw_closed_meet(search, SHOULDER, swung(&swing->columns[1], by),
                swung(&swing->rows[1], by), &shoulder);
        if (!known) { return false; }
        for (int s = 0; s < 2; ++s) {
            search->ways[2] = s;
            if (snw_closed_meet_side(search, &shoulder, s) && snw_closed_offer(search)) {
                return true;
            }
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Ends

// the swings at which a joint comes to an end of its range, or two answers become one
static int find_ends(const snw_ClosedSearch *search, const Swing *swing, snw_Turn *out)
{
    const snw_Closed *closed = search->closed;
    int count = 0;
    for (int i = 0; i < closed->end_count; ++i) {
        const snw_ClosedEnd *end = &closed->ends[i];
        int triple = end->first == WRIST ? 0 : 1;
        const Wave *wave = end->of_row ? &swing->rows[triple] : &swing->columns[triple];
        sinew_Vec3 d = end->direction;
        count += snw_circle(sinew_vec3_dot(d, wave->cosine), sinew_vec3_dot(d, wave->sine),
            end->height - sinew_vec3_dot(d, wave->even), &out[count]);
    }
    return count;
}

// the bends within the elbow's range; how many ways there are at all
static int find_bends(snw_ClosedSearch *search, Swing swings[2])
{
    const snw_ClosedJoint *joints = search->closed->shape.joints, *elbow = &joints[ELBOW];
    Line line;
    snw_Turn ways[2];
    if (!find_line(search, &line)) { return 0; }
    // where the first three meet, seen from the elbow's frame before its turn
    sinew_Vec3 target = snw_unturn_x(
        sinew_vec3_scale(joints[ELBOW - 1].offset, -1.0), joints[ELBOW - 1].twist);
    int count = snw_closed_distance(elbow, target, line.length2, ways);
    for (int w = 0; w < count; ++w) {
        swings[w].elbow = ways[w];
        swings[w].bends = snw_closed_admit(search, ELBOW, ways[w]);
        if (!swings[w].bends) { continue; }
        begin_swing(search, &line, snw_closed_behind(elbow, ways[w], target), &swings[w]);
    }
    return count;
}

// at one swing, of whichever bend; whether the search is over
static bool offer_bends(snw_ClosedSearch *search, const Swing swings[2], int ways, snw_Turn by)
{
    for (int w = 0; w < ways; ++w) {
        if (swings[w].bends && offer_at(search, w, &swings[w], by)) { return true; }
    }
    return search->found > 0 || search->wanted == SNW_CLOSED_ALL;
}

// what is left are stretches narrower than a step: the one whose end swings the least
static void offer_ends(snw_ClosedSearch *search, int way, const Swing *swing)
{
    snw_Turn ends[2 * SNW_CLOSED_ENDS];
    int count = find_ends(search, swing, ends);
    while (count > 0 && search->found == 0) {
        int best = 0;
        for (int i = 1; i < count; ++i) { best = ends[i].cosine > ends[best].cosine ? i : best; }
        snw_Turn by = ends[best];
        ends[best] = ends[--count];
        if (offer_at(search, way, swing, by)) { return; }
    }
}

void snw_closed_swivel(snw_ClosedSearch *search)
{
    const snw_Closed *closed = search->closed;
    Swing swings[2];
    int ways = find_bends(search, swings);
    if (offer_bends(search, swings, ways, search->swing)) { return; }
    for (int k = 0; k < SNW_CLOSED_SWINGS; ++k) {
        if (offer_bends(search, swings, ways, closed->values[k])) { return; }
    }
    for (int w = 0; w < ways && search->found == 0; ++w) {
        if (swings[w].bends) { offer_ends(search, w, &swings[w]); }
    }
}

int snw_closed_swivel_ends(snw_ClosedSearch *search, double *out)
{
    Swing swings[2];
    int ways = find_bends(search, swings), count = 0;
    for (int w = 0; w < ways; ++w) {
        snw_Turn ends[2 * SNW_CLOSED_ENDS];
        int more = swings[w].bends ? find_ends(search, &swings[w], ends) : 0;
        for (int i = 0; i < more; ++i) { out[count++] = sinew_atan2(ends[i].sine, ends[i].cosine); }
    }
    return count;
}
