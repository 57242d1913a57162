// Steps of the ground on the way: legs climb them at a cadence of their own, so the body is slow enough
// when it comes to the first and stays so until both feet have left the last.

#include "walk/walker_natural.h"

// Along the way, metres.
#define SENSE_STEP 0.04
#define SENSE_MAX 64
#define SENSE_BEHIND 0.45
#define SENSE_BEYOND 0.75 // a foot that lands is ahead of the hips
#define STAIR_RISE 0.07   // over SENSE_STEP: steeper than any slope
#define BESIDE 0.2        // metres aside
#define SIDE_RISE 0.12    // over BESIDE; slopes that people walk across are flatter
#define NARROW_TREAD 0.22
#define WIDE_TREAD 0.40
// Seconds of two steps at L = 0.9 m; people take 1.1 to 1.4 s.
#define STAIR_PERIOD 1.25
#define BACKWARD_SHARE 0.7
#define BRAKING 1.1       // m/s^2, of what the root can do
#define RESPONSE_TIME 0.2 // seconds until the root follows

/// What lies along a line.
typedef struct Steps {
    int count;
    bool is_beside;     // there are some beside the line
    double first, last; // along, from the root
    double tread;       // mean distance of neighbours
} Steps;

static Steps find_steps(
    snw_WalkGround *ground, const snw_WalkRoot *root, double way_x, double way_z, double ahead)
{
    Steps steps = { 0, false, 0.0, 0.0, 0.0 };
    int samples = (int)((SENSE_BEHIND + ahead) / SENSE_STEP) + 1;
    if (samples > SENSE_MAX) { samples = SENSE_MAX; }
    double before = 0.0, sum = 0.0;
    int gaps = 0;
    for (int i = 0; i < samples; ++i) {
        double along = i * SENSE_STEP - SENSE_BEHIND;
        double x = root->x + along * way_x, z = root->z + along * way_z;
        double height = snw_walk_height(ground, x, z);
        bool is_step = i > 0 && fabs(height - before) > STAIR_RISE;
        before = height;
        if (!is_step) {
            // feet beside the way meet it as well
            double left = snw_walk_height(ground, x + BESIDE * way_z, z - BESIDE * way_x);
            double right = snw_walk_height(ground, x - BESIDE * way_z, z + BESIDE * way_x);
            if (fabs(left - height) > SIDE_RISE || fabs(right - height) > SIDE_RISE) {
                if (steps.count == 0 && !steps.is_beside) { steps.first = along; }
                steps.is_beside = true;
            }
            continue;
        }
        double gap = along - steps.last;
        if (steps.count > 0 && gap < WIDE_TREAD) {
            sum += gap;
            ++gaps;
        }
        if (steps.count == 0 && !steps.is_beside) { steps.first = along; }
        steps.last = along;
        ++steps.count;
    }
    steps.tread = gaps > 0 ? sum / gaps : WIDE_TREAD;
    return steps;
}

double snw_stairs_speed(
    const snw_WalkBody *body, snw_WalkGround *ground, const snw_WalkRoot *root, double x, double z)
{
    double speed = sqrt(x * x + z * z);
    if (speed < 1e-3) { return INFINITY; }
    double now = sqrt(root->forward * root->forward + root->left * root->left);
    double fast = fmax(now, fmin(speed, now + 0.5));
    double ahead = SENSE_BEYOND + RESPONSE_TIME * fast + 0.5 * fast * fast / BRAKING;
    Steps steps = find_steps(ground, root, x / speed, z / speed, ahead);
    if (steps.count == 0 && !steps.is_beside) { return INFINITY; }
    double scale = sqrt(body->length / 0.9);
    double tread = snw_clamp(steps.tread, NARROW_TREAD, WIDE_TREAD);
    double slow = 2.0 * tread / (STAIR_PERIOD * scale);
    double s, c;
    sinew_sincos(root->heading, &s, &c);
    if (x * s + z * c < -0.5 * speed) { slow *= BACKWARD_SHARE; }
    double free = fmax(0.0, steps.first - SENSE_BEYOND - RESPONSE_TIME * now);
    return sqrt(slow * slow + 2.0 * BRAKING * free);
}
