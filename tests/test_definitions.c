// A definition that was not made by its default function is refused by name, whatever else stands in it.

#include "testing.h"

#include "sinew/sinew.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REFUSED(status, message, made_by)                     \
    do {                                                      \
        TEST_INT((status), SINEW_STATUS_INVALID_ARGUMENT);    \
        TEST_TRUE(strstr((message).text, (made_by)) != NULL); \
        (message).text[0] = '\0';                             \
    } while (0)

static void definitions_come_from_their_defaults(void **state)
{
    (void)state;
    sinew_Message message = { "" };
    sinew_SolverDef solver = sinew_solver_def_default();
    sinew_TrackerDef tracker = sinew_tracker_def_default();
    sinew_SwitchDef sw = sinew_switch_def_default();
    sinew_WalkerDef walker = sinew_walker_def_default();
    sinew_StartDef start = sinew_start_def_default();
    sinew_ContactDef contact = sinew_contact_def_default();
    sinew_BallLimitDef limit = sinew_ball_limit_def_default();
    solver.cookie = tracker.cookie = sw.cookie = walker.cookie = start.cookie = 0;
    contact.cookie = limit.cookie = 0;
    sinew_Solver *a;
    sinew_Tracker *b;
    sinew_Switch *c;
    sinew_Walker *d;
    sinew_StartTable *e;
    sinew_Contacts *f;
    sinew_BallLimit *g;
    REFUSED(sinew_solver_create(&solver, &a, &message), message, "sinew_solver_def_default");
    REFUSED(sinew_tracker_create(&tracker, &b, &message), message, "sinew_tracker_def_default");
    REFUSED(sinew_switch_create(&sw, &c, &message), message, "sinew_switch_def_default");
    REFUSED(sinew_walker_create(&walker, &d, &message), message, "sinew_walker_def_default");
    REFUSED(
        sinew_start_table_build(&start, &e, NULL, &message), message, "sinew_start_def_default");
    REFUSED(sinew_contacts_find(&contact, &f, &message), message, "sinew_contact_def_default");
    REFUSED(sinew_ball_limit_create(&limit, NULL, &g, &message), message, "sinew_ball_limit_def");
}

static const char *wrong_options(sinew_SolveOptions *o, int which)
{
    switch (which) {
    case 0: o->method = (sinew_Method)99; return ".method is 99, want 0..";
    case 1: o->max_iterations = -1; return ".max_iterations is -1, want 0..";
    case 2: o->position_tolerance = NAN; return ".position_tolerance is nan, want ";
    case 3: o->limits = (sinew_LimitMode)44; return ".limits is 44, want 0..2";
    case 4: o->time_budget = 1.0; return ".time_budget needs a clock";
    default: return NULL;
    }
}

// at once, and not by the update that first solves with them, if one ever does
static void solve_options_are_checked_at_creation(void **state)
{
    (void)state;
    sinew_Message message = { "" };
    sinew_JointDef joint = sinew_joint_def_default();
    sinew_Skeleton *skeleton;
    TEST_OK(sinew_skeleton_create(&joint, 1, NULL, &skeleton, &message), &message);
    for (int which = 0; which < 5; ++which) {
        sinew_TrackerDef tracker = sinew_tracker_def_default();
        sinew_Tracker *a;
        tracker.skeleton = skeleton;
        const char *text = wrong_options(&tracker.options, which);
        char found[64];
        snprintf(found, sizeof found, "options%s", text);
        REFUSED(sinew_tracker_create(&tracker, &a, &message), message, found);
        sinew_WalkerDef walker = sinew_walker_def_default();
        sinew_Walker *b;
        walker.skeleton = skeleton;
        (void)wrong_options(&walker.solve, which);
        snprintf(found, sizeof found, "solve%s", text);
        REFUSED(sinew_walker_create(&walker, &b, &message), message, found);
        TEST_TRUE(a == NULL && b == NULL);
    }
    sinew_WalkerDef walker = sinew_walker_def_default();
    sinew_Walker *b;
    walker.skeleton = skeleton;
    walker.ornaments.sway = 101.0;
    REFUSED(
        sinew_walker_create(&walker, &b, &message), message, "ornaments.sway is 101, want 0..100");
    sinew_skeleton_destroy(skeleton);
}

// half an allocator is none: memory of malloc would be given back to somebody else's free, or the other way round
static void halves_of_allocators_give_no_memory(void **state)
{
    (void)state;
    test_Memory memory;
    test_memory_init(&memory);
    sinew_JointDef joint = sinew_joint_def_default();
    for (int half = 0; half < 2; ++half) {
        sinew_Allocator allocator = memory.allocator;
        if (half == 0) { allocator.free = NULL; }
        if (half == 1) { allocator.alloc = NULL; }
        sinew_Skeleton *skeleton;
        sinew_Rig *rig;
        TEST_INT(sinew_skeleton_create(&joint, 1, &allocator, &skeleton, NULL),
            SINEW_STATUS_OUT_OF_MEMORY);
        TEST_INT(sinew_rig_create(&allocator, &rig), SINEW_STATUS_OUT_OF_MEMORY);
        TEST_TRUE(skeleton == NULL && rig == NULL && memory.alloc_count == 0);
    }
}

TEST_MAIN(cmocka_unit_test(halves_of_allocators_give_no_memory),
    cmocka_unit_test(definitions_come_from_their_defaults),
    cmocka_unit_test(solve_options_are_checked_at_creation))
