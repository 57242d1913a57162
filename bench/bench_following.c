// `sinew bench following`: whether bodies follow moving goals without a pop, within limits, and at what
// cost; each line that was asked for with what is measured.

#include "bench/following.h"

#include "cli/arguments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(bench_Following *following);
} parts[] = {
    { "limbs", bench_following_limbs },
    { "bodies", bench_following_bodies },
    { "trees", bench_following_trees },
    { "diagnosis", bench_following_diagnosis },
    { "tracker", bench_following_cases },
    { "clips", bench_following_clips },
};
enum { PART_COUNT = (int)(sizeof parts / sizeof parts[0]) };

static bool is_wanted(const bench_Request *request, const char *name)
{
    for (int i = 0; i < request->file_count; ++i) {
        if (strcmp(request->files[i], name) == 0) { return true; }
    }
    return request->file_count == 0;
}

static bool names_are_parts(const bench_Request *request)
{
    for (int i = 0; i < request->file_count; ++i) {
        bool known = false;
        for (int p = 0; p < PART_COUNT; ++p) {
            known = known || strcmp(request->files[i], parts[p].name) == 0;
        }
        if (known) { continue; }
        cli_error("bench following: found '%s', expected limbs, bodies, trees, diagnosis, tracker "
                  "or clips",
            request->files[i]);
        return false;
    }
    return true;
}

static const char *verdict(const bench_FollowingRow *row)
{
    if (!isfinite(row->bound)) { return "-"; }
    return row->value <= row->bound ? "met" : "MISSED";
}

static void put_json(const bench_Following *following)
{
    cli_Json *json = &following->out->json;
    cli_json_array(json, "rows");
    for (int i = 0; i < following->row_count; ++i) {
        const bench_FollowingRow *row = &following->rows[i];
        cli_json_object(json, NULL);
        cli_json_text(json, "part", row->part);
        cli_json_text(json, "what", row->what);
        cli_json_text(json, "asked", row->asked);
        cli_json_text(json, "measured", row->measured);
        cli_json_number(json, "value", row->value);
        cli_json_number(json, "bound", row->bound);
        cli_json_text(json, "verdict", verdict(row));
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void put_markdown(const bench_Following *following)
{
    printf("| part | what | asked | measured | verdict |\n|---|---|---|---|---|\n");
    for (int i = 0; i < following->row_count; ++i) {
        const bench_FollowingRow *row = &following->rows[i];
        printf("| %s | %s | %s | %s | %s |\n", row->part, row->what, row->asked, row->measured,
            verdict(row));
    }
}

static void put_text(const bench_Following *following, int first)
{
    cli_Table table = cli_table_begin("llll");
    cli_table_cell(&table, "what");
    cli_table_cell(&table, "asked");
    cli_table_cell(&table, "measured");
    cli_table_cell(&table, "verdict");
    for (int i = first; i < following->row_count; ++i) {
        const bench_FollowingRow *row = &following->rows[i];
        cli_table_cell(&table, "%s", row->what);
        cli_table_cell(&table, "%s", row->asked);
        cli_table_cell(&table, "%s", row->measured);
        cli_table_cell(&table, "%s", verdict(row));
    }
    cli_table_end(&table, "  ");
    printf("\n");
    fflush(stdout);
}

int sinew_bench_following(const bench_Request *request)
{
    static bench_Following following;
    bench_Output out = { .as_json = request->json };
    if (!names_are_parts(request)) { return 2; }
    following = (bench_Following){ .request = request, .out = &out };
    if (request->json) { out.json = cli_json_begin(); }
    for (int p = 0; p < PART_COUNT; ++p) {
        if (!is_wanted(request, parts[p].name)) { continue; }
        int first = following.row_count;
        following.part = parts[p].name;
        if (!request->json && !request->markdown) { printf("%s\n\n", parts[p].name); }
        fflush(stdout);
        parts[p].run(&following);
        if (!request->json && !request->markdown) { put_text(&following, first); }
    }
    if (request->json) {
        put_json(&following);
        cli_json_end(&out.json);
    }
    if (request->markdown) { put_markdown(&following); }
    if (out.failed) { fprintf(stderr, "sinew: bench following: out of memory or goals refused\n"); }
    return out.failed ? 1 : 0;
}
