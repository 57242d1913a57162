#include "bench/bench_setup.h"

#include "base/assert.h"
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Tables

void bench_table_begin(bench_Output *out, const char *key, const char *title, const char *alignment,
    const char *const *heads)
{
    if (out->as_json) {
        cli_json_array(&out->json, key);
        return;
    }
    printf("%s\n\n", title);
    out->table = cli_table_begin(alignment);
    for (int i = 0; alignment[i] != '\0'; ++i) { cli_table_cell(&out->table, "%s", heads[i]); }
}

void bench_table_end(bench_Output *out)
{
    if (out->as_json) {
        cli_json_array_end(&out->json);
        return;
    }
    cli_table_end(&out->table, "  ");
    printf("\n");
    fflush(stdout);
}

void bench_columns_begin(
    bench_Output *out, const char *key, const char *title, const bench_Column *columns)
{
    char alignment[CLI_TABLE_COLUMNS + 1];
    const char *heads[CLI_TABLE_COLUMNS];
    int count = 0;
    for (; columns[count].head != NULL; ++count) {
        SNW_ASSERT(count < CLI_TABLE_COLUMNS);
        alignment[count] = columns[count].format == NULL ? 'l' : 'r';
        heads[count] = columns[count].head;
    }
    alignment[count] = '\0';
    bench_table_begin(out, key, title, alignment, heads);
}

static void put_number(bench_Output *out, const bench_Column *column, double value)
{
    if (out->as_json) {
        cli_json_number(&out->json, column->key, value);
    } else if (!isfinite(value)) {
        cli_table_cell(&out->table, "-");
    } else {
        double shown = value * column->factor;
        int places = column->format[0] - '0';
        cli_table_cell(&out->table, "%.*f%s", places, shown, column->format + 1);
    }
}

void bench_row(
    bench_Output *out, const bench_Column *columns, const char *const *texts, const double *numbers)
{
    if (out->as_json) { cli_json_object(&out->json, NULL); }
    for (int i = 0; columns[i].head != NULL; ++i) {
        if (columns[i].format != NULL) {
            put_number(out, &columns[i], *numbers++);
        } else if (out->as_json) {
            cli_json_text(&out->json, columns[i].key, *texts++);
        } else {
            cli_table_cell(&out->table, "%s", *texts++);
        }
    }
    if (out->as_json) { cli_json_object_end(&out->json); }
}

// ---------------------------------------------------------------------------------------------
// Bodies and goals

void bench_setup_close(bench_Setup *setup)
{
    sinew_solver_destroy(setup->solver);
    scene_destroy(setup->scene);
    free(setup->q);
    free(setup->start);
    free(setup->world);
}

bool bench_setup_open(const char *name, bench_Setup *setup)
{
    memset(setup, 0, sizeof *setup);
    if (scene_create(name, NULL, &setup->scene, NULL) != SINEW_STATUS_OK) { return false; }
    const sinew_Skeleton *skeleton = setup->scene->skeleton;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = sinew_skeleton_joint_count(skeleton);
    def.clock = bench_clock;
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(skeleton);
    setup->q = malloc(coordinates * sizeof(double));
    setup->start = malloc(coordinates * sizeof(double));
    setup->world = malloc((size_t)sinew_skeleton_joint_count(skeleton) * sizeof(sinew_Transform));
    bool good = setup->q != NULL && setup->start != NULL && setup->world != NULL
        && sinew_solver_create(&def, &setup->solver, NULL) == SINEW_STATUS_OK;
    if (!good) {
        bench_setup_close(setup);
        return false;
    }
    sinew_pose_middle(skeleton, setup->start);
    return true;
}

void bench_copy_pose(const bench_Setup *setup, const double *from, double *to)
{
    memcpy(
        to, from, (size_t)sinew_skeleton_coordinate_count(setup->scene->skeleton) * sizeof(double));
}

int bench_goals(
    const bench_Setup *setup, const bench_Problem *problem, const double *q, sinew_Goal *goals)
{
    const scene_Scene *scene = setup->scene;
    sinew_pose_forward(scene->skeleton, q, setup->world);
    int count = 0;
    for (int e = 0; e < scene->effector_count; ++e) {
        const scene_Effector *effector = &scene->effectors[e];
        if (problem->effector != NULL && strcmp(effector->name, problem->effector) != 0) {
            continue;
        }
        const sinew_Transform *world = &setup->world[effector->joint];
        goals[count] = problem->pose
            ? sinew_goal_pose(effector->joint, world->position, world->rotation)
            : sinew_goal_position(effector->joint, world->position);
        goals[count++].chain_root = effector->chain_root;
    }
    return count;
}

sinew_SolveOptions bench_variant_options(bench_Variant variant)
{
    sinew_SolveOptions options = sinew_solve_options_default(variant.method);
    options.limits = variant.limits;
    options.sweep = variant.sweep;
    return options;
}

const char *bench_variant_method(bench_Variant variant)
{
    bool from_root = variant.method == SINEW_METHOD_CCD && variant.sweep == SINEW_SWEEP_ROOT_TO_TIP;
    return from_root ? "ccd root" : sinew_method_name(variant.method);
}

const char *bench_variant_limits(bench_Variant variant)
{
    if (variant.method == SINEW_METHOD_CCD) { return "each joint"; }
    return variant.limits == SINEW_LIMITS_ACTIVE ? "active set" : "clamp";
}

int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
