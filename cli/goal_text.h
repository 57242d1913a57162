#ifndef CLI_GOAL_TEXT_H
#define CLI_GOAL_TEXT_H

// Goals as the command line takes them: JOINT=numbers, with suffixes after colons.

#include "arguments.h"
#include "input.h"

#include "sinew/sinew.h"

typedef enum cli_GoalForm {
    CLI_GOAL_PLACE,   ///< --goal JOINT=x,y,z[,qx,qy,qz,qw]
    CLI_GOAL_TURN,    ///< --turn JOINT=qx,qy,qz,qw
    CLI_GOAL_AIM,     ///< --aim JOINT=x,y,z[,ax,ay,az]
    CLI_GOAL_LEVEL,   ///< --level JOINT[=ax,ay,az[,dx,dy,dz]]
    CLI_GOAL_POLE,    ///< --pole JOINT=x,y,z
    CLI_GOAL_COM,     ///< --com x,z
    CLI_GOAL_SUPPORT, ///< --support JOINT,... or x,z,...
    CLI_GOAL_REST,    ///< --rest WEIGHT
} cli_GoalForm;

/// What the suffixes mean, for the help text.
#define CLI_GOAL_SUFFIXES                                                                      \
    "Goals take suffixes: :pN priority level, 0 the highest, none gives way to a lower one;\n" \
    ":wX weight; :x, :xz ... only these axes count; :hold as a constraint; :mX margin of\n"    \
    "--support, metres; :in:JOINT (the last) numbers are in the frame of that joint.\n"

/// Longest text of a goal and its terminator.
#define CLI_GOAL_TEXT_SIZE 2048

/// A goal whose text was read, before the joints are known.
typedef struct cli_GoalText {
    cli_GoalForm form;
    const char *option; // for messages
    char joint[CLI_GOAL_TEXT_SIZE], reference[CLI_GOAL_TEXT_SIZE];
    char list[CLI_GOAL_TEXT_SIZE]; // of --support
    double numbers[2 * SINEW_MAX_SUPPORT_POINTS];
    int number_count, priority;
    double weight, margin; // negative: not said
    unsigned mask;         // 0: not said
    bool has_priority, hold;
} cli_GoalText;

/// Read a text; false after a message. full: --goal needs an orientation.
bool cli_goal_parse(cli_GoalForm form, const char *text, bool full, cli_GoalText *out_text);

/// The goal of a text on a body. start_q is where the solve begins: what is level, ahead or under a
/// foot there decides what is left unsaid. points has room for SINEW_MAX_SUPPORT_POINTS and must
/// outlive the goal. false after a message.
bool cli_goal_make(const cli_GoalText *text, cli_Input *input, const double *start_q,
    int chain_root, sinew_Vec3 *points, sinew_Goal *out_goal);

#endif
