// What motions of built-in bodies are made of: waves, curves through keys, limbs of two bones.

#include "scenes/motion.h"

#include <string.h>

double scene_wave(double turns)
{
    double s, c;
    sinew_sincos(2.0 * SINEW_PI * (turns - floor(turns)), &s, &c);
    return s;
}

double scene_smooth(double a, double b, double x)
{
    double t = (x - a) / (b - a);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return t * t * (3.0 - 2.0 * t);
}

double *scene_at(const scene_Scene *scene, double *q, const char *prefix, const char *name)
{
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    int joint_count = sinew_skeleton_joint_count(scene->skeleton);
    size_t length = strlen(prefix);
    for (int i = 0; i < joint_count; ++i) {
        if (strncmp(joints[i].name, prefix, length) == 0
            && strcmp(joints[i].name + length, name) == 0) {
            return &q[joints[i].coordinate_start];
        }
    }
    return NULL;
}

void scene_put_ball(double *q, sinew_Quat rotation)
{
    sinew_Quat unit = sinew_quat_normalize(rotation);
    q[0] = unit.x, q[1] = unit.y, q[2] = unit.z, q[3] = unit.w;
}

double scene_curve(const double *times, const double *values, int stride, int key_count, double t)
{
    if (t <= times[0]) { return values[0]; }
    if (t >= times[key_count - 1]) { return values[(key_count - 1) * stride]; }
    int i = 0;
    while (t >= times[i + 1]) { ++i; }

    // cubic Hermite; the tangent of an inner key is the slope between its neighbours, and zero
    // where the key is the highest or lowest of the three, so that nothing overshoots
    double slopes[2];
    for (int end = 0; end < 2; ++end) {
        int k = i + end;
        slopes[end] = 0.0;
        if (k == 0 || k == key_count - 1) { continue; }
        double before = values[k * stride] - values[(k - 1) * stride];
        double after = values[(k + 1) * stride] - values[k * stride];
        if (before * after > 0.0) {
            slopes[end] = (before + after) / (times[k + 1] - times[k - 1]);
        }
    }
    double span = times[i + 1] - times[i];
    double u = (t - times[i]) / span, v = 1.0 - u;
    double a = values[i * stride], b = values[(i + 1) * stride];
    return a * v * v * (1.0 + 2.0 * u) + b * u * u * (1.0 + 2.0 * v)
        + span * u * v * (slopes[0] * v - slopes[1] * u);
}

scene_TwoBone scene_two_bone(sinew_Vec3 p, double length1, double length2, double twist, int bend)
{
    double distance = sinew_vec3_length(p);
    double longest = 0.9999 * (length1 + length2);
    if (distance > longest) {
        p = sinew_vec3_scale(p, longest / distance);
        distance = longest;
    }
    double cosine = (distance * distance - length1 * length1 - length2 * length2)
        / (2.0 * length1 * length2);
    scene_TwoBone r;
    r.middle = bend * sinew_acos(cosine);

    // the limb in the frame of the first joint: bent in its plane, then twisted about the first bone
    double sm, cm, st, ct;
    sinew_sincos(r.middle, &sm, &cm);
    sinew_sincos(twist, &st, &ct);
    double y = -length1 - length2 * cm, across = -length2 * sm;
    double x = across * st, z = across * ct;

    // z hinge: cos(b) x - sin(b) y = p.x, a sum of two angles' sines
    double radius = sqrt(x * x + y * y);
    r.z = sinew_asin(p.x / radius) - sinew_asin(x / radius);

    // x hinge: turns the rest into place
    double sb, cb;
    sinew_sincos(r.z, &sb, &cb);
    double turned = sb * x + cb * y;
    r.x = sinew_atan2(p.z, p.y) - sinew_atan2(z, turned);
    if (r.x > SINEW_PI) { r.x -= 2.0 * SINEW_PI; }
    if (r.x < -SINEW_PI) { r.x += 2.0 * SINEW_PI; }
    return r;
}
