#include "solve/follow.h"

#include "math/holds.h"
#include "math/trig.h"
#include "solve/linear.h"

// a direction as near as this to the axis of its hinge says nothing, squared sine
#define ALONG 1e-12
#define ROUNDING 1e-9

// a vector turned by a hinge of known sine and cosine
static inline sinew_Vec3 spun(snw_Motion motion, sinew_Vec3 v, double s, double c)
{
    switch (motion) {
    case SNW_HINGE_X: return sinew_vec3(v.x, c * v.y - s * v.z, s * v.y + c * v.z);
    case SNW_HINGE_Y: return sinew_vec3(c * v.x + s * v.z, v.y, c * v.z - s * v.x);
    case SNW_HINGE_Z: return sinew_vec3(c * v.x - s * v.y, s * v.x + c * v.y, v.z);
    default: return v;
    }
}

double snw_follow_aim(const snw_Plan *plan, int follow, const snw_State *state)
{
    const snw_Followed *at = &state->followed[follow];
    double near = plan->follows[follow].near, aim = sinew_atan2(at->sine, at->cosine);
    if (fabs(aim - near) <= SINEW_PI) { return aim; }
    return aim + 2.0 * SINEW_PI * floor((near - aim) / (2.0 * SINEW_PI) + 0.5);
}

double snw_follow_angle(const snw_Plan *plan, int follow, const snw_State *state)
{
    const snw_Link *link = &plan->links[plan->follows[follow].link];
    if (plan->follows[follow].is_free) { return state->values[link->value]; }
    double angle = snw_follow_aim(plan, follow, state) + state->values[link->value];
    double lower = plan->range_lower[link->dof], upper = plan->range_upper[link->dof];
    // the end itself, so that it is known there
    if (state->followed[follow].is_held) { return angle < 0.5 * (lower + upper) ? lower : upper; }
    return angle < lower ? lower : (angle > upper ? upper : angle);
}

// it turns so that its direction stays in the plane of its axis a and what is wanted, w:
// h = (w . a) w' / w'^2 - a,  w' = w - (w . a) a
static inline bool goes_along(
    const snw_Plan *plan, const snw_State *state, int follow, sinew_Vec3 axis, sinew_Vec3 *out_h)
{
    if (state->followed[follow].is_held) { return false; }
    sinew_Vec3 w = plan->follows[follow].wanted;
    double along = sinew_vec3_dot(w, axis), square = sinew_vec3_dot(w, w) - along * along;
    if (!(square > ALONG)) { return false; }
    double share = along / square;
    *out_h = sinew_vec3_add_scaled(sinew_vec3_scale(w, share), axis, -1.0 - share * along);
    return true;
}

void snw_follow_shares(const snw_Plan *plan, const snw_State *state, int follow, double *out_shares)
{
    for (int d = 0; d < plan->dof_count; ++d) { out_shares[d] = 0.0; }
    const snw_Link *link = &plan->links[plan->follows[follow].link];
    sinew_Vec3 h, sum;
    sinew_Vec3 own = snw_link_axis(link, &state->rotation[plan->follows[follow].link]);
    if (!goes_along(plan, state, follow, own, &sum)) { return; }
    for (int l = link->parent; l >= plan->static_link_count; l = plan->links[l].parent) {
        const snw_Link *above = &plan->links[l];
        if (above->dof < 0 || !snw_motion_is_hinge(above->motion)) { continue; }
        sinew_Vec3 a = snw_link_axis(above, &state->rotation[l]);
        double share = sinew_vec3_dot(sum, a);
        out_shares[above->dof] = share;
        if (above->follow == 0 || plan->follows[above->follow - 1].is_free) { continue; }
        if (goes_along(plan, state, above->follow - 1, a, &h)) {
            sum = sinew_vec3_add_scaled(sum, h, share);
        }
    }
}

static inline void add_scaled_rows(double *rows, const double *more, double scale)
{
    rows[0] += scale * more[0];
    rows[1] += scale * more[1];
    rows[2] += scale * more[2];
}

void snw_follow_columns(
    snw_Linear *linear, const snw_Plan *plan, const snw_State *state, const snw_Effector *effector)
{
    int stride = plan->row_count, count = 0;
    bool both = effector->position && effector->orientation;
    const double *below[SNW_MOST_FOLLOWS];
    sinew_Vec3 h[SNW_MOST_FOLLOWS];
    for (int l = effector->link; l >= plan->static_link_count; l = plan->links[l].parent) {
        const snw_Link *link = &plan->links[l];
        bool follows = link->follow > 0 && !plan->follows[link->follow - 1].is_free;
        if (link->dof < 0 || !snw_motion_is_hinge(link->motion) || (count == 0 && !follows)) {
            continue;
        }
        double *column = &linear->jacobian[link->dof * stride + effector->row];
        sinew_Vec3 a = snw_link_axis(link, &state->rotation[l]);
        for (int i = 0; i < count; ++i) {
            double turn = sinew_vec3_dot(h[i], a);
            add_scaled_rows(column, below[i], turn);
            if (both) { add_scaled_rows(column + 3, below[i] + 3, turn); }
        }
        if (!follows || !goes_along(plan, state, link->follow - 1, a, &h[count])) { continue; }
        below[count++] = column;
    }
}

void snw_follow_share_columns(snw_Linear *linear, const snw_Plan *plan, int follow)
{
    int m = plan->row_count;
    const double *own = &linear->jacobian[plan->links[plan->follows[follow].link].dof * m];
    for (int d = 0; d < plan->dof_count; ++d) {
        double share = linear->shares[d], *column = &linear->jacobian[d * m];
        if (share == 0.0) { continue; }
        for (int r = 0; r + 3 <= m; r += 3) { add_scaled_rows(column + r, own + r, share); }
        for (int r = m - m % 3; r < m; ++r) { column[r] += share * own[r]; }
    }
}

// whether an angle of known sine and cosine is surely between the ends of a range of less than half a turn
static bool is_between(const snw_Follow *f, const snw_Followed *at, double sine, double cosine)
{
    double s = sine * at->cosine - cosine * at->sine, c = cosine * at->cosine + sine * at->sine;
    return s * f->lower_cosine - c * f->lower_sine > ROUNDING
        && f->upper_sine * c - f->upper_cosine * s > ROUNDING && c > 0.0;
}

// a free one back into its range, as far as its own lets it
static void keep_between(const snw_Plan *plan, int follow, snw_State *state)
{
    const snw_Follow *f = &plan->follows[follow];
    const snw_Link *link = &plan->links[f->link];
    snw_Followed *at = &state->followed[follow];
    double angle_now = state->values[link->value];
    if (is_between(f, at, state->sine[f->link], state->cosine[f->link])
        && angle_now > plan->range_lower[link->dof] && angle_now < plan->range_upper[link->dof]) {
        at->side = 0;
        at->is_near_end = at->is_held = false;
        return;
    }
    double aim = snw_follow_aim(plan, follow, state), *value = &state->values[link->value];
    double own_lower = plan->range_lower[link->dof], own_upper = plan->range_upper[link->dof];
    double lower = aim + f->lower, upper = aim + f->upper, angle = *value;
    at->side = angle <= lower ? -1 : (angle >= upper ? 1 : 0);
    angle = at->side < 0 ? lower : (at->side > 0 ? upper : angle);
    at->is_near_end = false;
    at->is_held = angle <= own_lower || angle >= own_upper;
    if (at->is_held) {
        at->side = 0;
        angle = angle <= own_lower ? own_lower : own_upper;
    }
    if (angle == *value) { return; }
    *value = angle;
    snw_sincos(angle, &state->sine[f->link], &state->cosine[f->link]);
}

// one that is near an end of its own range stops there
static void stop_at_end(const snw_Plan *plan, int follow, snw_State *state)
{
    const snw_Link *link = &plan->links[plan->follows[follow].link];
    double aim = snw_follow_aim(plan, follow, state), *value = &state->values[link->value];
    double lower = plan->range_lower[link->dof], upper = plan->range_upper[link->dof];
    double angle = aim + *value;
    if (angle > lower && angle < upper) { return; }
    state->followed[follow].is_held = true;
    angle = angle <= lower ? lower : upper;
    *value = angle - aim;
    int l = plan->follows[follow].link;
    snw_sincos(angle, &state->sine[l], &state->cosine[l]);
}

void snw_follow_turn(const snw_Plan *plan, int follow, sinew_Mat3 m, snw_State *state)
{
    SNW_ASSERT(follow >= 0 && follow < plan->follow_count);
    const snw_Follow *f = &plan->follows[follow];
    sinew_Vec3 u = f->inner, w = f->wanted;
    for (int l = f->last; l != f->link; l = plan->links[l].parent) {
        u = spun(plan->links[l].motion, u, state->sine[l], state->cosine[l]);
        if (plan->links[l].has_turn) { u = sinew_mat3_mul_vec3(plan->links[l].turn, u); }
    }
    // both across the hinge
    double u1, u2, w1, w2;
    switch (plan->links[f->link].motion) {
    case SNW_HINGE_X:
        u1 = u.y;
        u2 = u.z;
        w1 = sinew_vec3_dot(m.y, w);
        w2 = sinew_vec3_dot(m.z, w);
        break;
    case SNW_HINGE_Y:
        u1 = u.z;
        u2 = u.x;
        w1 = sinew_vec3_dot(m.z, w);
        w2 = sinew_vec3_dot(m.x, w);
        break;
    default:
        u1 = u.x;
        u2 = u.y;
        w1 = sinew_vec3_dot(m.x, w);
        w2 = sinew_vec3_dot(m.y, w);
        break;
    }
    snw_Followed *at = &state->followed[follow];
    double c = u1 * w1 + u2 * w2, s = u1 * w2 - u2 * w1, square = c * c + s * s;
    if (square > ALONG) {
        double scale = 1.0 / sqrt(square);
        at->cosine = c * scale;
        at->sine = s * scale;
    } else {
        sinew_sincos(f->near, &at->sine, &at->cosine);
    }
    if (f->is_free) {
        keep_between(plan, follow, state);
        return;
    }
    // from there by the value, whose sine and cosine are known
    double *sine = &state->sine[f->link], *cosine = &state->cosine[f->link];
    c = at->cosine * *cosine - at->sine * *sine;
    s = at->sine * *cosine + at->cosine * *sine;
    *cosine = c;
    *sine = s;
    at->is_held = false;
    at->side = 0;
    at->is_near_end = at->cosine * f->middle_cosine + at->sine * f->middle_sine <= f->inside;
    if (at->is_near_end) { stop_at_end(plan, follow, state); }
}
