#ifndef CLI_PROBLEM_H
#define CLI_PROBLEM_H

// What the commands that pose a skeleton share: figures of a batch, and the batch of `solve`.

#include "input.h"

#include "arguments.h"

/// Solve each row of a CSV file of goals as a problem of its own. answers may be NULL. Returns the
/// exit code.
int cli_solve_batch(const cli_Input *input, const cli_SolverSettings *settings, int chain_root,
    const char *goals_path, const char *answers_path, bool json);

/// The unit quaternion of four numbers x, y, z, w; false where they have not length 1, but for rounding.
bool cli_unit_quat(const double *xyzw, sinew_Quat *out_quat);

#endif
