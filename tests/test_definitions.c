// A definition that was not made by its default function is refused by name, whatever else stands in it.

#include "testing.h"

#include "sinew/sinew.h"

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

TEST_MAIN(cmocka_unit_test(definitions_come_from_their_defaults))
