#ifndef CLI_SOLVE_ANSWERS_H
#define CLI_SOLVE_ANSWERS_H

// `sinew solve --all`: every pose that meets a goal, where the chain has a closed form.

#include "json.h"

#include "sinew/answers.h"

typedef struct cli_Answers {
    const sinew_Skeleton *skeleton;
    sinew_Answers list;
} cli_Answers;

/// Find them, sorted by their way from the pose q. False, after a message, where there is no closed
/// form.
bool cli_answers_find(cli_Answers *answers, const sinew_Skeleton *skeleton, sinew_Solver *solver,
    const sinew_SolveOptions *options, const sinew_Goal *goal, const double *q);
void cli_answers_free(cli_Answers *answers);

void cli_answers_json(cli_Json *out, const cli_Answers *answers);
void cli_answers_print(const cli_Answers *answers);

#endif
