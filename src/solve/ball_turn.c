#include "solve/ball_turn.h"

// what a product of two sines of half angles may miss by rounding
#define TWIST_SLACK 1e-14

sinew_Quat snw_ball_turned(const snw_BallTurn *turn, double place)
{
    // half the angle, by the larger of its two numbers
    snw_Turn whole = snw_arcs_turn(place);
    double c, s;
    if (whole.cosine >= 0.0) {
        c = sqrt(0.5 + 0.5 * whole.cosine);
        s = 0.5 * whole.sine / c;
    } else {
        s = copysign(sqrt(0.5 - 0.5 * whole.cosine), whole.sine);
        c = 0.5 * whole.sine / s;
    }
    sinew_Quat r = { c * turn->at.x + s * turn->by.x, c * turn->at.y + s * turn->by.y,
        c * turn->at.z + s * turn->by.z, c * turn->at.w + s * turn->by.w };
    return r;
}

// the image of x, which is quadratic in a rotation, as a product of two
static sinew_Vec3 bone_product(sinew_Quat a, sinew_Quat b)
{
    sinew_Vec3 r = { a.x * b.x + a.w * b.w - a.y * b.y - a.z * b.z,
        a.x * b.y + a.y * b.x + a.w * b.z + a.z * b.w,
        a.x * b.z + a.z * b.x - a.w * b.y - a.y * b.w };
    return r;
}

// where the bone goes: even + cosine cos + sine sin
typedef struct Circle {
    sinew_Vec3 even, cosine, sine;
} Circle;

static Circle circle_of(const snw_BallTurn *r)
{
    sinew_Vec3 at = bone_product(r->at, r->at), by = bone_product(r->by, r->by);
    Circle circle = { sinew_vec3_scale(sinew_vec3_add(at, by), 0.5),
        sinew_vec3_scale(sinew_vec3_sub(at, by), 0.5), bone_product(r->at, r->by) };
    return circle;
}

static void keep_window(
    const sinew_BallLimit *limit, const snw_Window *window, const Circle *circle, snw_Arcs *arcs)
{
    const snw_Side *sides = limit->sides + window->side_start;
    snw_Wave cuts[SINEW_MAX_WINDOW_RAYS];
    int count = 0;
    // most sides leave all or nothing
    for (int i = 0; i < window->side_count; ++i) {
        const snw_Side *side = &sides[i];
        double least = side->d - SNW_LIMIT_SLACK * side->slope;
        snw_Wave wave = { sinew_vec3_dot(side->n, circle->even) - least,
            sinew_vec3_dot(side->n, circle->cosine), sinew_vec3_dot(side->n, circle->sine) };
        bool cuts_it = wave.even * wave.even < wave.cosine * wave.cosine + wave.sine * wave.sine;
        if (cuts_it) { cuts[count++] = wave; }
        if (!cuts_it && wave.even < 0.0) {
            arcs->count = 0;
            return;
        }
    }
    for (int i = 0; i < count && arcs->count > 0; ++i) { snw_arcs_keep(arcs, &cuts[i]); }
}

void snw_ball_turn_windows(const sinew_BallLimit *limit, const snw_BallTurn *turn, snw_Arcs *arcs)
{
    if (limit == NULL || limit->window_count == 0 || arcs->count == 0) { return; }
    // as neutral_from_bone
    snw_BallTurn r = { snw_ball_rotation(limit, turn->at), snw_ball_rotation(limit, turn->by) };
    Circle circle = circle_of(&r);
    if (limit->window_count == 1) {
        keep_window(limit, &limit->windows[0], &circle, arcs);
        return;
    }
    snw_Arcs all, part;
    all.count = 0;
    for (int w = 0; w < limit->window_count; ++w) {
        snw_arcs_copy(arcs, &part);
        keep_window(limit, &limit->windows[w], &circle, &part);
        if (part.count > 0) { snw_arcs_join(&all, &part); }
    }
    snw_arcs_copy(&all, arcs);
}

void snw_ball_turn_twist(const sinew_BallLimit *limit, const snw_BallTurn *turn, snw_Arcs *arcs)
{
    if (limit == NULL || limit->twist_free || arcs->count == 0) { return; }
    double at_x = snw_dot4(limit->row_x, turn->at), at_w = snw_dot4(limit->row_w, turn->at);
    double by_x = snw_dot4(limit->row_x, turn->by), by_w = snw_dot4(limit->row_w, turn->by);
    // inside both sines are of one sign, so that their product is no less than 0
    const snw_TwistTest *test = &limit->twist;
    double above_at = snw_twist_above(test, at_x, at_w),
           above_by = snw_twist_above(test, by_x, by_w);
    double below_at = snw_twist_below(test, at_x, at_w),
           below_by = snw_twist_below(test, by_x, by_w);
    snw_Wave wave = { 0.5 * (above_at * below_at + above_by * below_by) + TWIST_SLACK,
        0.5 * (above_at * below_at - above_by * below_by),
        0.5 * (above_at * below_by + above_by * below_at) };
    snw_arcs_keep(arcs, &wave);
}
