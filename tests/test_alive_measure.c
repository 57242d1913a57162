// The eye that looks above the legs: figures of a motion that is known in closed form.

#include "testing.h"

#include "measure/alive.h"
#include "scenes/scenes.h"

#include <math.h>
#include <stdlib.h>

#define FRAME_TIME (1.0 / 120.0)
#define DEGREE (SINEW_PI / 180.0)

typedef struct Body {
    scene_Scene *scene;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
    measure_Alive *alive;
    double *q;
    int coordinates;
} Body;

static void begin(Body *body, int frames)
{
    sinew_Message message = { "" };
    TEST_OK(scene_create("MAN18", NULL, &body->scene, &message), &message);
    const sinew_Skeleton *skeleton = body->scene->skeleton;
    TEST_OK(sinew_roles_guess(skeleton, NULL, NULL, &body->roles, &message), &message);
    TEST_OK(
        sinew_stance_guess(skeleton, body->roles, NULL, NULL, &body->stance, &message), &message);
    body->alive = measure_alive_create(skeleton, body->roles, body->stance, frames, FRAME_TIME);
    body->coordinates = sinew_skeleton_coordinate_count(skeleton);
    body->q = calloc((size_t)body->coordinates, sizeof *body->q);
    TEST_TRUE(body->alive != NULL && body->q != NULL);
}

static void end(Body *body)
{
    measure_alive_destroy(body->alive);
    sinew_stance_destroy(body->stance);
    sinew_roles_destroy(body->roles);
    scene_destroy(body->scene);
    free(body->q);
}

static int coordinate(const Body *body, const char *joint, int axis)
{
    const sinew_Skeleton *skeleton = body->scene->skeleton;
    int j = sinew_skeleton_find_joint(skeleton, joint);
    TEST_TRUE(j >= 0);
    const sinew_Joint *found = &sinew_skeleton_joints(skeleton)[j];
    return sinew_skeleton_axis_places(skeleton)[found->axis_start + axis].coordinate;
}

static void curves_are_those_of_the_motion(void **state)
{
    (void)state;
    Body body;
    const int frames = 1200;
    begin(&body, frames);
    const int ahead = 2, left_hip = coordinate(&body, "LeftUpLeg", 0);
    const int right_hip = coordinate(&body, "RightUpLeg", 0), arm = coordinate(&body, "LeftArm", 0);
    const int turn = coordinate(&body, "Spine", 2);
    for (int i = 0; i < frames; ++i) {
        double time = i * FRAME_TIME, phase = 2.0 * SINEW_PI * time / 1.2;
        for (int k = 0; k < body.coordinates; ++k) { body.q[k] = body.stance->q[k]; }
        body.q[ahead] += 1.1 * time;
        body.q[left_hip] -= 20.0 * DEGREE * cos(phase);
        body.q[right_hip] += 20.0 * DEGREE * cos(phase);
        body.q[arm] += 15.0 * DEGREE * cos(phase);
        body.q[turn] += 6.0 * DEGREE * sin(phase);
        TEST_TRUE(measure_alive_frame(body.alive, body.q));
    }
    TEST_TRUE(!measure_alive_frame(body.alive, body.q));
    measure_AliveCycle cycle = measure_alive_cycle(body.alive, 0.0, 10.0);
    TEST_TRUE(cycle.cycle_count >= 6);
    TEST_NEAR(cycle.period, 1.2, 2e-3);
    TEST_NEAR(cycle.range[MEASURE_SWING], 30.0, 0.3);
    TEST_NEAR(cycle.range[MEASURE_SWING + 1], 0.0, 1e-6);
    TEST_NEAR(cycle.range[MEASURE_CHEST_YAW], 12.0, 0.2);
    TEST_NEAR(cycle.range[MEASURE_TWIST], 12.0, 0.2);
    // the left arm is back when its leg is ahead: the cycle begins there
    TEST_TRUE(cycle.curves[MEASURE_SWING][0] < cycle.mean[MEASURE_SWING] - 14.0);
    TEST_NEAR(cycle.curves[MEASURE_CHEST_YAW][12], 6.0, 0.2);
    TEST_TRUE(cycle.period_variation < 2e-3 && cycle.swing_variation < 1e-3);
    TEST_NEAR(measure_alive_match(&cycle, &cycle, MEASURE_TWIST), 1.0, 1e-9);
    TEST_NEAR(measure_alive_match(&cycle, &cycle, MEASURE_HEAD_ROLL), 0.0, 0.0);
    end(&body);
}

// a trunk is compared by what both sides' steps share, an arm as it is
static void limps_and_drifts_are_left_out(void **state)
{
    (void)state;
    measure_AliveCycle even = { .cycle_count = 1 }, uneven = { .cycle_count = 1 };
    for (int i = 0; i < MEASURE_ALIVE_POINTS; ++i) {
        double phase = 2.0 * SINEW_PI * i / MEASURE_ALIVE_POINTS;
        for (int k = 0; k < MEASURE_ALIVE_CURVES; ++k) {
            bool is_yaw = k == MEASURE_PELVIS_YAW;
            even.curves[k][i] = is_yaw ? sin(phase) : cos(2.0 * phase);
            uneven.curves[k][i] = even.curves[k][i] + (is_yaw ? cos(2.0 * phase) : sin(phase));
        }
    }
    TEST_NEAR(measure_alive_match(&even, &uneven, MEASURE_PELVIS_YAW), 1.0, 1e-9);
    TEST_NEAR(measure_alive_match(&even, &uneven, MEASURE_CHEST_PITCH), 1.0, 1e-9);
    TEST_NEAR(measure_alive_match(&even, &uneven, MEASURE_ELBOW), sqrt(0.5), 0.02);
}

static void leads_and_standing_are_told(void **state)
{
    (void)state;
    Body body;
    const int frames = 720;
    begin(&body, frames);
    const int neck = coordinate(&body, "Neck", 2);
    for (int i = 0; i < frames; ++i) {
        double time = i * FRAME_TIME;
        double now = fmin(1.0, fmax(0.0, time - 3.0)), soon = fmin(1.0, fmax(0.0, time - 2.8));
        for (int k = 0; k < body.coordinates; ++k) { body.q[k] = body.stance->q[k]; }
        // the root is three slides and a ball
        sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), now);
        sinew_Quat before = { body.q[3], body.q[4], body.q[5], body.q[6] };
        turn = sinew_quat_mul(turn, before);
        body.q[3] = turn.x;
        body.q[4] = turn.y;
        body.q[5] = turn.z;
        body.q[6] = turn.w;
        body.q[neck] += soon - now;
        // and sways a little before it turns
        if (time < 2.0) { body.q[0] += 0.004 * sin(2.0 * SINEW_PI * time); }
        TEST_TRUE(measure_alive_frame(body.alive, body.q));
    }
    measure_AliveTurn turn = measure_alive_turn(body.alive, 2.0, 6.0, 0.3);
    TEST_NEAR(turn.angle, 1.0 / DEGREE, 0.01);
    TEST_NEAR(turn.head_lead, 0.2, 0.005);
    TEST_NEAR(turn.chest_lead, 0.0, 0.005);
    TEST_NEAR(turn.head_most, 0.2 / DEGREE, 0.2);
    measure_AliveStand stand = measure_alive_stand(body.alive, 0.0, 2.0);
    TEST_NEAR(stand.sway_aside, 4.0 * sqrt(0.5), 0.3);
    TEST_TRUE(stand.sway_ahead < 1e-6 && stand.head_speed > 10.0);
    end(&body);
}

TEST_MAIN(cmocka_unit_test(curves_are_those_of_the_motion),
    cmocka_unit_test(limps_and_drifts_are_left_out), cmocka_unit_test(leads_and_standing_are_told))
