#include "sinew/steering.h"

sinew_StickRange sinew_stick_range_default(void)
{
    sinew_StickRange range = { 1.4, 0.8, 0.5, 1.5, 0.05 };
    return range;
}

// 0 inside the dead zone, then rising without a jump to 1 at full deflection; NaN where a number is none, so
// that whoever steers by it is told
static double deflection(double axis, double dead_zone)
{
    if (!isfinite(axis) || !isfinite(dead_zone)) { return (double)NAN; }
    double size = fmin(1.0, fabs(axis));
    if (!(size > dead_zone) || dead_zone >= 1.0) { return 0.0; }
    return copysign((size - dead_zone) / (1.0 - dead_zone), axis);
}

sinew_Steering sinew_steering_from_stick(const sinew_StickRange *range, const sinew_Stick *stick)
{
    if (stick == NULL) { return (sinew_Steering){ 0.0, 0.0, 0.0 }; }
    sinew_StickRange own = range != NULL ? *range : sinew_stick_range_default();
    double x = deflection(stick->x, own.dead_zone), y = deflection(stick->y, own.dead_zone);
    sinew_Steering steering = { 0.0, 0.0, 0.0 };
    steering.forward = y * (y >= 0.0 ? own.forward : own.backward);
    if (stick->strafe) {
        steering.left = -x * own.sideways;
    } else {
        steering.turn = -x * own.turn;
    }
    return steering;
}

sinew_Stick sinew_stick_from_keys(bool up, bool down, bool left, bool right, bool strafe)
{
    sinew_Stick stick = { (right ? 1.0 : 0.0) - (left ? 1.0 : 0.0),
        (up ? 1.0 : 0.0) - (down ? 1.0 : 0.0), strafe };
    return stick;
}

sinew_Steering sinew_steering_at(const sinew_SteeringKey *keys, int key_count, double time)
{
    if (keys == NULL) { return (sinew_Steering){ 0.0, 0.0, 0.0 }; }
    sinew_Steering none = { 0.0, 0.0, 0.0 };
    // the last key that is not later
    int first = 0, last = key_count;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (keys[middle].time <= time) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first > 0 ? keys[first - 1].steering : none;
}
