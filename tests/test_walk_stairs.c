// Steps of the ground: feet that are fitted beside them, that pass their edges, and walks that cross
// them aslant.

#include "paper_body.h"
#include "walks.h"

#include "walk/foot_swing.h"
#include "walk/gait.h"

static snw_WalkLegBody leg_with_gait(void)
{
    snw_WalkLegBody leg = paper_body().legs[0];
    leg.gait = &snw_gait_numbers;
    return leg;
}

/// TERR: a wall right before the toes or behind the heel does not lift a foot off its tread, however
/// the foot is turned.
static void test_feet_stand_on_their_tread_beside_walls(void **state)
{
    (void)state;
    PaperGround steps = { .rise = 0.17, .tread = 0.4 };
    sinew_Ground ground = { paper_ground_sample, &steps };
    snw_WalkGround seen = { &ground, false, 0 };
    snw_WalkLegBody leg = leg_with_gait();
    for (int i = 0; i <= 24; ++i) {
        double heading = 2.0 * SINEW_PI * i / 24.0, s, c;
        sinew_sincos(heading, &s, &c);
        // how far the rim goes towards the riser at z = 0.5
        double tip = fmax(leg.tip * c, leg.heel * c) + leg.ball_width * fabs(s);
        for (double gap = 1e-3; gap < 0.02; gap += 2e-3) {
            snw_Foothold at = snw_foothold_fit(&leg, &seen, 0.3, 0.5 - gap - tip, heading);
            TEST_NEAR(at.ground.y, 0.0, 1e-9);
            TEST_NEAR(snw_foothold_gap(&leg, &at), 0.0, 1e-3);
        }
    }
}

/// TERR: a moving foot is brought off an edge at right angles to it, by what it lacks of the distance,
/// whichever way it points.
static void test_feet_leave_edges_at_right_angles(void **state)
{
    (void)state;
    const double reach = 0.014, gap = 0.006;
    PaperGround steps = { .rise = 0.17, .tread = 0.4 };
    sinew_Ground ground = { paper_ground_sample, &steps };
    snw_WalkGround seen = { &ground, false, 0 };
    snw_WalkLegBody leg = leg_with_gait();
    for (int i = 0; i <= 36; ++i) {
        double heading = 2.0 * SINEW_PI * i / 36.0, s, c;
        sinew_sincos(heading, &s, &c);
        double tip = fmax(leg.tip * c, leg.heel * c) + leg.ball_width * fabs(s);
        sinew_Transform foot = { { 0.3, 0.05 + leg.ankle_height, 0.5 - gap - tip },
            sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), heading) };
        snw_FootPose pose;
        snw_foot_points(&leg, &foot, 0.0, &pose);
        sinew_Vec3 push = snw_foot_off_edges(&leg, &seen, &pose, reach);
        // corners that point nearly along the edge look no farther than 50 mm for it
        TEST_NEAR(push.y, 0.0, 1e-12);
        TEST_TRUE(push.z < -0.6 * (reach - gap) && push.z > -1.1 * (reach - gap));
        TEST_TRUE(fabs(push.x) < 0.35 * (reach - gap));
    }
}

TEST_MAIN(cmocka_unit_test(test_feet_stand_on_their_tread_beside_walls),
    cmocka_unit_test(test_feet_leave_edges_at_right_angles))
