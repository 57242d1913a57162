// The root's path: velocity follows the steering, the root goes along the arc.

#include "walk/walker_root.h"

#include "walk/gait.h"
#include "walk/walk.h"

#include "sinew/vecmath.h"

snw_WalkRoot snw_root_at(double x, double z, double heading)
{
    snw_WalkRoot root = { .x = x, .z = z };
    snw_root_face(heading, &root);
    return root;
}

sinew_Transform snw_root_move(
    const snw_WalkRoot *root, double x, double z, double heading, double rise)
{
    sinew_Transform move;
    move.rotation = sinew_quat_from_axis_angle(snw_up_axis, heading - root->heading);
    const sinew_Vec3 old = sinew_quat_rotate(move.rotation, sinew_vec3(root->x, 0.0, root->z));
    move.position = sinew_vec3(x - old.x, rise, z - old.z);
    return move;
}

/// Most that the speed changes by, m/s^2.
static double bound_of(const snw_WalkRoot *root, const sinew_Steering *wanted)
{
    double now = root->forward * root->forward + root->left * root->left;
    double then = wanted->forward * wanted->forward + wanted->left * wanted->left;
    return then < now ? root->response.braking : root->response.acceleration;
}

static double approach(double value, double wanted, double share, double most)
{
    return value + snw_clamp((wanted - value) * share, -most, most);
}

void snw_root_advance(snw_WalkRoot *root, double time)
{
    if (!snw_root_is_moving(root)) { return; }
    // a chord of the arc: its direction is that of the middle, its length sin(x)/x of the arc's
    double half = 0.5 * root->turn * time, s = root->sine, c = root->cosine, chord = 1.0;
    if (fabs(half) > 1e-9) {
        double sine;
        sinew_sincos(half, &sine, &c);
        chord = sine / half;
    }
    if (half != 0.0) { sinew_sincos(root->heading + half, &s, &c); }
    double ahead = root->forward * time * chord, aside = root->left * time * chord;
    root->x += ahead * s + aside * c;
    root->z += ahead * c - aside * s;
    double heading = root->heading + root->turn * time;
    if (heading != root->heading) { snw_root_face(heading, root); }
}

void snw_root_go(const snw_WalkRoot *before, double h, snw_WalkRoot *root)
{
    const double forward = root->forward, left = root->left, turn = root->turn;
    root->forward = 0.5 * (before->forward + forward);
    root->left = 0.5 * (before->left + left);
    root->turn = 0.5 * (before->turn + turn);
    snw_root_advance(root, h);
    root->forward = forward;
    root->left = left;
    root->turn = turn;
}

void snw_root_steer(const sinew_Steering *wanted, double h, snw_WalkRoot *root)
{
    double share = snw_follow(h, root->response.follow_time);
    double dv = wanted->forward - root->forward, dl = wanted->left - root->left;
    double size = sqrt(dv * dv + dl * dl) * share, most = bound_of(root, wanted) * h;
    double part = size > most ? share * most / size : share;
    root->forward += dv * part;
    root->left += dl * part;
    root->turn = approach(root->turn, wanted->turn, share, root->response.turning * h);
}

// mean of a speed over a time while it follows
static double mean_speed(double now, double wanted, double most, double follow_time, double time)
{
    double way = wanted - now;
    double ramp = fabs(way) / most + 0.6 * follow_time;
    if (time > ramp) { return wanted - way * 0.5 * ramp / time; }
    return now + way * 0.5 * time / ramp;
}

snw_WalkRoot snw_root_predict(const snw_WalkRoot *root, const sinew_Steering *wanted, double time)
{
    snw_WalkRoot later = *root;
    if (!(time > 0.0)) { return later; }
    if (!snw_root_is_moving(root) && snw_steering_is_none(wanted)) { return later; }
    if (!root->is_led) {
        double most = bound_of(root, wanted), follow = root->response.follow_time;
        later.forward = mean_speed(root->forward, wanted->forward, most, follow, time);
        later.left = mean_speed(root->left, wanted->left, most, follow, time);
        later.turn = mean_speed(root->turn, wanted->turn, root->response.turning, follow, time);
    }
    snw_root_advance(&later, time);
    return later;
}

double snw_root_lean(const snw_WalkRoot *root)
{
    return sinew_atan2(root->forward * root->turn, SNW_GRAVITY);
}
