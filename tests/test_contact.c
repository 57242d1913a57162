// Contacts: points whose times of standing are known, recorded walks, marks, broken arguments.

#include "testing.h"

#include "sinew/contact.h"

#include <math.h>

enum { WIDTH = 3, MOST = 1200 };

/// Stands for STAND seconds, then goes ahead by STEP metres and up by LIFT in SWING seconds, and so on.
static const double STAND = 0.6, SWING = 0.4, STEP = 0.7, LIFT = 0.12, LEG = 0.9;

static sinew_Skeleton *make_point(void)
{
    sinew_Axis axes[3] = { sinew_axis_slide(sinew_vec3(1, 0, 0)),
        sinew_axis_slide(sinew_vec3(0, 1, 0)), sinew_axis_slide(sinew_vec3(0, 0, 1)) };
    sinew_JointDef def = sinew_joint_def_default();
    def.name = "point";
    def.parent = -1;
    def.axes = axes;
    def.axis_count = 3;
    sinew_Skeleton *skeleton = NULL;
    TEST_INT(sinew_skeleton_create(&def, 1, NULL, &skeleton, NULL), SINEW_STATUS_OK);
    return skeleton;
}

static int make_steps(double q[], double frame_time, double seconds, double floor_height)
{
    int count = (int)(seconds / frame_time);
    for (int f = 0; f < count; ++f) {
        double t = f * frame_time, cycle = floor(t / (STAND + SWING));
        double u = fmax((t - cycle * (STAND + SWING) - STAND) / SWING, 0.0);
        double s = u * u * (3.0 - 2.0 * u);
        q[WIDTH * f] = 0.0;
        q[WIDTH * f + 1] = floor_height + LIFT * 16.0 * u * u * (1.0 - u) * (1.0 - u);
        q[WIDTH * f + 2] = STEP * (cycle + s);
    }
    return count;
}

static sinew_ContactDef def_of(
    const sinew_Skeleton *skeleton, const double *q, int count, const sinew_ContactPoint *point)
{
    sinew_ContactDef def = sinew_contact_def_default();
    def.skeleton = skeleton;
    def.motion = (sinew_PoseList){ q, count };
    def.leg = LEG;
    def.points = point;
    def.point_count = 1;
    return def;
}

static const sinew_ContactPoint ball = { SINEW_CONTACT_BALL, SINEW_SIDE_LEFT, 0, { 0, 0, 0 } };

// the same contacts at any frame rate, and on a floor at any height
static void test_contacts_of_known_steps(void **state)
{
    (void)state;
    static double q[WIDTH * MOST];
    static const double rates[4] = { 30.0, 60.0, 120.0, 200.0 };
    sinew_Skeleton *skeleton = make_point();
    for (int r = 0; r < 4; ++r) {
        double dt = 1.0 / rates[r];
        int count = make_steps(q, dt, 5.0, 0.37);
        sinew_ContactDef def = def_of(skeleton, q, count, &ball);
        def.frame_time = dt;
        sinew_Contacts *contacts = NULL;
        TEST_INT(sinew_contacts_find(&def, &contacts, NULL), SINEW_STATUS_OK);
        TEST_INT(contacts->contact_count, 5);
        TEST_INT(contacts->starts[1], 5);
        TEST_NEAR(contacts->floor, 0.37, 1e-9);
        for (int i = 0; i < 5; ++i) {
            const sinew_Contact *c = &contacts->contacts[i];
            double begin = i * (STAND + SWING), end = begin + STAND;
            // slow beside it: acceleration is finite, and speeds are seen over 25 ms
            TEST_NEAR(c->first * dt, begin, 0.05 + dt);
            TEST_NEAR(c->last * dt, fmin(end, (count - 1) * dt), 0.05 + dt);
            TEST_NEAR(c->place.z, STEP * i, 1e-9);
            TEST_NEAR(c->height, 0.37, 1e-9);
            TEST_TRUE(c->slide < 0.015 && !c->marked);
        }
        sinew_contacts_destroy(contacts);
    }
    sinew_skeleton_destroy(skeleton);
}

// what somebody says holds to the frame
static void test_contacts_marked(void **state)
{
    (void)state;
    static double q[WIDTH * MOST];
    sinew_Skeleton *skeleton = make_point();
    int count = make_steps(q, 1.0 / 60.0, 3.0, 0.0);
    sinew_ContactDef def = def_of(skeleton, q, count, &ball);
    def.frame_time = 1.0 / 60.0;
    const sinew_ContactMark marks[2] = { { 0, 44, 49 }, { 0, 100, 104 } };
    def.marks = marks;
    def.mark_count = 2;
    sinew_Contacts *contacts = NULL;
    TEST_INT(sinew_contacts_find(&def, &contacts, NULL), SINEW_STATUS_OK);
    int seen = 0;
    for (int i = 0; i < contacts->contact_count; ++i) {
        const sinew_Contact *c = &contacts->contacts[i];
        if (!c->marked) { continue; }
        TEST_INT(c->first, marks[seen].first);
        TEST_INT(c->last, marks[seen].last);
        ++seen;
    }
    TEST_INT(seen, 2);
    sinew_contacts_destroy(contacts);
    sinew_skeleton_destroy(skeleton);
}

static void test_contacts_refuse_broken_arguments(void **state)
{
    (void)state;
    static double q[WIDTH * MOST];
    sinew_Skeleton *skeleton = make_point();
    int count = make_steps(q, 1.0 / 60.0, 1.0, 0.0);
    sinew_ContactDef good = def_of(skeleton, q, count, &ball);
    good.frame_time = 1.0 / 60.0;
    sinew_ContactPoint far = ball;
    far.joint = 1;
    const sinew_ContactMark late = { 0, 0, count };
    sinew_ContactDef bad[8] = { good, good, good, good, good, good, good, good };
    bad[0].skeleton = NULL;
    bad[1].frame_time = 0.0;
    bad[2].leg = NAN;
    bad[3].up = sinew_vec3(0, 2, 0);
    bad[4].points = &far;
    bad[5].point_count = 0;
    bad[6].marks = &late;
    bad[6].mark_count = 1;
    bad[7].settings.end_speed = -1.0;
    for (int i = 0; i < 8; ++i) {
        sinew_Contacts *contacts = (sinew_Contacts *)(void *)q;
        sinew_Message message = { "" };
        TEST_INT(sinew_contacts_find(&bad[i], &contacts, &message), SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(contacts == NULL && message.text[0] != '\0');
    }
    q[4] = NAN;
    sinew_Contacts *contacts = NULL;
    TEST_INT(sinew_contacts_find(&good, &contacts, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_contacts_find(NULL, &contacts, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_contacts_destroy(NULL);
    sinew_skeleton_destroy(skeleton);
}

// a clip without frames, and one in which nothing moves
static void test_contacts_of_short_motions(void **state)
{
    (void)state;
    static double q[WIDTH * MOST];
    sinew_Skeleton *skeleton = make_point();
    for (int count = 0; count < 40; ++count) {
        sinew_ContactDef def = def_of(skeleton, q, count, &ball);
        def.frame_time = 1.0 / 30.0;
        sinew_Contacts *contacts = NULL;
        TEST_INT(sinew_contacts_find(&def, &contacts, NULL), SINEW_STATUS_OK);
        // shorter than 80 ms is none
        TEST_INT(contacts->contact_count, count >= 3 ? 1 : 0);
        sinew_contacts_destroy(contacts);
    }
    sinew_skeleton_destroy(skeleton);
}

TEST_MAIN(cmocka_unit_test(test_contacts_of_known_steps), cmocka_unit_test(test_contacts_marked),
    cmocka_unit_test(test_contacts_refuse_broken_arguments),
    cmocka_unit_test(test_contacts_of_short_motions))
