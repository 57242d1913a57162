#ifndef BENCH_SETUP_H
#define BENCH_SETUP_H

// What benchmarks of whole solves share: bodies with a solver, goals of random poses, and tables that
// come out as text or JSON.

#include "cli/json.h"
#include "cli/table.h"
#include "scenes/scenes.h"

/// Where output goes and whether anything failed.
typedef struct bench_Output {
    bool as_json, failed;
    cli_Json json;
    cli_Table table;
} bench_Output;

/// A column of a table: its head for people, its key in JSON, and how people see its numbers.
typedef struct bench_Column {
    const char *head, *key;
    /// Decimal places (one digit) and what follows the number: "2 %"; NULL for a column of text.
    const char *format;
    /// What numbers are multiplied by for people.
    double factor;
} bench_Column;

/// Begin an array of rows in JSON, or a titled text table. alignment: see cli_table_begin.
void bench_table_begin(bench_Output *out, const char *key, const char *title, const char *alignment,
    const char *const *heads);
void bench_table_end(bench_Output *out);

/// The same from columns that end with an entry whose head is NULL.
void bench_columns_begin(
    bench_Output *out, const char *key, const char *title, const bench_Column *columns);
/// One row: texts for the columns of text and numbers for the others, each in order. A number that
/// is not finite is told as "-" and null.
void bench_row(bench_Output *out, const bench_Column *columns, const char *const *texts,
    const double *numbers);

/// A scene with everything a measurement needs.
typedef struct bench_Setup {
    scene_Scene *scene;
    sinew_Solver *solver;
    double *q, *start; ///< start: the middle of all ranges
    sinew_Transform *world;
} bench_Setup;

/// False when there is no memory.
bool bench_setup_open(const char *name, bench_Setup *setup);
void bench_setup_close(bench_Setup *setup);
void bench_copy_pose(const bench_Setup *setup, const double *from, double *to);

/// Which effectors goals are for.
typedef struct bench_Problem {
    const char *scene;
    const char *goal_text;
    const char *effector; ///< NULL: all
    bool pose;            ///< position and orientation
    int count;            ///< random goals
} bench_Problem;

/// Goals where the effectors of pose q are; returns how many.
int bench_goals(
    const bench_Setup *setup, const bench_Problem *problem, const double *q, sinew_Goal *goals);

/// One way to solve.
typedef struct bench_Variant {
    sinew_Method method;
    sinew_LimitMode limits;
    sinew_SweepOrder sweep;
} bench_Variant;

/// Options of a variant, the others being the defaults.
sinew_SolveOptions bench_variant_options(bench_Variant variant);
/// "dls", and "ccd root" for the sweep from the root.
const char *bench_variant_method(bench_Variant variant);
/// "active set", "clamp", and "each joint" for cyclic coordinate descent, which knows no other way.
const char *bench_variant_limits(bench_Variant variant);

/// A file of the test data, such as "urdf/panda.urdf": in the folder that SINEW_DATA names, else in
/// ../shared/data beside the sources or the current folder. False when it is not there.
bool bench_data_path(const char *name, char *out_path, size_t size);

/// Orders doubles, for qsort.
int bench_compare(const void *a, const void *b);

#endif
