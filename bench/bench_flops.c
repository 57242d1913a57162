#include "bench/bench.h"

#include "bench/flop_study.h"
#include "bench/flop_times.h"
#include "cli/json.h"

#include <stdio.h>
#include <string.h>

// `sinew bench flops`: tables 1.1 and 1.2 and figure 1.2 of Meredith and Maddock (2004), counted by
// flop_study.c while the code runs, beside what they print; verdicts; times on this machine.

// ---------------------------------------------------------------------------------------------
// Formulas: n * dofs + k * halvings + one

typedef struct Formula {
    long n, k, one;
    bool exact; ///< it gave every count it was made from
} Formula;

static const char *formula_text(Formula f, char out[48])
{
    const long parts[3] = { f.n, f.k, f.one };
    static const char *const names[3] = { "n", "k", "" };
    int used = 0;
    out[0] = '\0';
    for (int i = 0; i < 3; ++i) {
        if (parts[i] == 0 && !(i == 2 && used == 0)) { continue; }
        const char *sign = parts[i] < 0 ? (used ? " - " : "-") : (used ? " + " : "");
        long size = parts[i] < 0 ? -parts[i] : parts[i];
        used += snprintf(out + used, 48 - (size_t)used, "%s%ld%s", sign, size, names[i]);
    }
    if (!f.exact) { snprintf(out, 48, "no formula"); }
    return out;
}

static bool same_formula(Formula a, Formula b)
{
    return a.exact && b.exact && a.n == b.n && a.k == b.k && a.one == b.one;
}

/// The line through the counts of n = 6, 9, ... 30 with halvings k; exact when all are on it.
static Formula fit(const flop_Study *study, int full, int row)
{
    Formula f = { 0, 0, 0, true };
    long at6 = flop_row(study, full, row, 6, 0), at30 = flop_row(study, full, row, 30, 0);
    f.n = (at30 - at6) / 24;
    f.one = at6 - 6 * f.n;
    f.k = flop_row(study, full, row, 6, 1) - at6;
    for (int n = 6; n <= FLOP_MAX_DOFS; n += 3) {
        for (int k = 0; k <= FLOP_MAX_HALVINGS; ++k) {
            f.exact = f.exact && flop_row(study, full, row, n, k) == f.n * n + f.k * k + f.one;
        }
    }
    return f;
}

// ---------------------------------------------------------------------------------------------
// Tables 1.1 and 1.2

typedef struct Row {
    const char *name;
    int row; ///< of flop_row; -1 - row: not counted, the printed total
    Formula printed3, printed6, recomputed3, recomputed6;
} Row;

static const Row table_1[] = {
    { "A = J J^T", FLOP_PRODUCT, { 18, 0, -9, true }, { 72, 0, -36, true }, { 18, 0, -9, true },
        { 72, 0, -36, true } },
    { "B = A^-1", FLOP_INVERSE, { 0, 0, 51, true }, { 0, 0, 619, true }, { 0, 0, 51, true },
        { 0, 0, 619, true } },
    { "J^T B", FLOP_TRANSPOSE_PRODUCT, { 15, 0, 0, true }, { 33, 0, 0, true }, { 15, 0, 0, true },
        { 66, 0, 0, true } },
    { "total J+", FLOP_STEP_3, { 33, 0, 42, true }, { 105, 0, 583, true }, { 33, 0, 42, true },
        { 138, 0, 583, true } },
};

static const Row table_2[] = {
    { "1 increment", FLOP_STEP_1, { 0, 0, 3, true }, { 0, 0, 6, true }, { 0, 0, 3, true },
        { 0, 0, 6, true } },
    { "2 Jacobian", FLOP_STEP_2, { 0, 0, 162, true }, { 0, 0, 162, true }, { 54, 0, 0, true },
        { 54, 0, 0, true } },
    { "3 pseudo-inverse", FLOP_STEP_3, { 33, 0, 42, true }, { 105, 0, 583, true },
        { 33, 0, 42, true }, { 138, 0, 583, true } },
    { "4 error check", FLOP_STEP_4, { 18, 0, 15, true }, { 72, 0, 66, true }, { 18, 0, 15, true },
        { 72, 0, 66, true } },
    { "5 reduce dX", FLOP_STEP_5, { 0, 18, 0, true }, { 0, 72, 0, true }, { 0, 18, 0, true },
        { 0, 72, 0, true } },
    { "6 update", FLOP_STEP_6, { 6, 0, 0, true }, { 12, 0, 0, true }, { 6, 0, 0, true },
        { 12, 0, 0, true } },
    { "7 forward kinematics", FLOP_STEP_7, { 38, 0, 0, true }, { 38, 0, 0, true },
        { 44, 0, 18, true }, { 44, 0, 18, true } },
    { "total", FLOP_TOTAL, { 95, 18, 252, true }, { 227, 72, 817, true }, { 155, 18, 78, true },
        { 320, 72, 673, true } },
};

enum {
    TABLE_1_ROWS = sizeof table_1 / sizeof table_1[0],
    TABLE_2_ROWS = sizeof table_2 / sizeof table_2[0],
};

static void print_rows(const flop_Study *study, const char *title, const Row *rows, int row_count)
{
    printf("\n%s\n", title);
    printf("  %-21s | %-15s %-15s   | %-16s %-16s %s\n", "", "3 rows: paper", "counted",
        "6 rows: paper", "recomputed", "counted");
    for (int i = 0; i < row_count; ++i) {
        const Row *row = &rows[i];
        char printed3[48], counted3[48], printed6[48], recomputed6[48], counted6[48];
        Formula half = fit(study, 0, row->row), full = fit(study, 1, row->row);
        printf("  %-21s | %-15s %-15s %c | %-16s %-16s %-16s %c\n", row->name,
            formula_text(row->printed3, printed3), formula_text(half, counted3),
            same_formula(half, row->printed3) ? ' ' : '*', formula_text(row->printed6, printed6),
            formula_text(row->recomputed6, recomputed6), formula_text(full, counted6),
            same_formula(full, row->printed6) ? ' ' : '*');
    }
}

static void print_table_7(const flop_Study *study)
{
    static const int sizes[] = { 3, 6, 7, 9, 12, 18, 24, 30 };
    printf("\nCounted flops of one iteration (k = 0)\n  %-21s |", "n");
    for (int i = 0; i < 8; ++i) { printf(" %7d", sizes[i]); }
    for (int full = 0; full < 2; ++full) {
        for (int i = 0; i < TABLE_2_ROWS; ++i) {
            if (i != 1 && i != 2 && i != 3 && i != 7) { continue; }
            char name[40];
            snprintf(name, sizeof name, "%s %s", full ? "6:" : "3:", table_2[i].name);
            printf("\n  %-21s |", name);
            for (int s = 0; s < 8; ++s) {
                printf(" %7ld", flop_row(study, full, table_2[i].row, sizes[s], 0));
            }
        }
    }
    printf("\n");
}

static void write_rows(
    cli_Json *json, const flop_Study *study, const char *key, const Row *rows, int row_count)
{
    char text[48];
    cli_json_array(json, key);
    for (int i = 0; i < row_count; ++i) {
        for (int full = 0; full < 2; ++full) {
            Formula counted = fit(study, full, rows[i].row);
            Formula printed = full ? rows[i].printed6 : rows[i].printed3;
            cli_json_object(json, NULL);
            cli_json_text(json, "operation", rows[i].name);
            cli_json_whole(json, "rows", full ? 6 : 3);
            cli_json_text(json, "printed", formula_text(printed, text));
            cli_json_text(json, "recomputed",
                formula_text(full ? rows[i].recomputed6 : rows[i].recomputed3, text));
            cli_json_text(json, "counted", formula_text(counted, text));
            cli_json_bool(json, "printed_holds", same_formula(printed, counted));
            cli_json_array(json, "counts_n3_to_n30");
            for (int n = FLOP_MIN_DOFS; n <= FLOP_MAX_DOFS; ++n) {
                cli_json_whole(json, NULL, flop_row(study, full, rows[i].row, n, 0));
            }
            cli_json_array_end(json);
            cli_json_object_end(json);
        }
    }
    cli_json_array_end(json);
}

// ---------------------------------------------------------------------------------------------
// Figure 1.2, and the parts of a link

/// What the formulas of the published code give; 0 where the paper prints nothing.
static long lu_formula(long n)
{
    long inner = (n - 1) * n * (2 * n - 1) / 6;
    long factor = 2 * inner + (n - 1) * (n - 1) + n * (n - 1) / 2 + 1;
    return factor + n * (2 * n * (n - 1) + 2 * n + n);
}

static long cofactor_formula(long n)
{
    long previous = 0, d = 0;
    for (long k = 2; k <= n; ++k) {
        previous = d;
        d = k * previous + 2 * k - 1;
    }
    return n * n * previous + d + n * n + 1;
}

static long shared_count(const flop_Study *study, int n)
{
    return n == 3 ? study->shared3 : n == 4 ? study->shared4 : n == 5 ? study->shared5_ends : 0;
}

static void text_or_dash(long value, char out[24])
{
    snprintf(out, 24, value > 0 ? "%ld" : "-", value);
}

static void print_figure(const flop_Study *study)
{
    printf("Inverse of an n x n matrix, flops (figure 1.2)\n");
    printf("  %-4s | %-8s %-10s %-8s | %-8s %-10s %-8s | %s\n", "n", "LU paper", "recomputed",
        "counted", "cofactor", "recomputed", "counted", "shared minors, counted");
    for (int n = 1; n <= FLOP_MAX_SIZE; ++n) {
        char lu_paper[24], paper[24], recomputed[24], counted[24], shared[24];
        text_or_dash(n == 6 ? 619 : 0, lu_paper);
        text_or_dash(n == 3 ? 51 : 0, paper);
        text_or_dash(n > 1 ? cofactor_formula(n) : 0, recomputed);
        text_or_dash(study->cofactors[n], counted);
        text_or_dash(shared_count(study, n), shared);
        printf("  %-4d | %-8s %-10ld %-8ld | %-8s %-10s %-8s | %s\n", n, lu_paper, lu_formula(n),
            study->lu[n], paper, recomputed, counted, shared);
    }
    printf(
        "  6 x 6: factoring %ld, substitution %ld (paper: 151, 468). 5 x 5 shared from one end: "
        "%ld.\n  3 x 3 symmetric: %ld. Cholesky solve without an inverse: 3 x 3 %ld, 6 x 6 %ld.\n",
        study->factor6, study->substitute6, study->shared5, study->symmetric3, study->cholesky3,
        study->cholesky6);
}

static void print_link(const flop_Study *study)
{
    const measure_Flops *link = &study->link, *matrix = &study->link_matrix;
    printf("\nJacobian of one link of three dofs (paper: 98 mul, 64 add)\n");
    printf("  counted: %lld mul, %lld add, and %lld sines and cosines that the paper leaves out\n",
        link->mul, link->add, link->other);
    printf("  of it: Euler matrix %lld + %lld, 4 x 4 product %lld + %lld, the rest (arm and three "
           "cross products) %lld + %lld\n",
        matrix->mul, matrix->add, study->multiply4.mul, study->multiply4.add,
        link->mul - matrix->mul - study->multiply4.mul,
        link->add - matrix->add - study->multiply4.add);
}

// ---------------------------------------------------------------------------------------------
// Ratio of full to half

typedef struct Ratio {
    const char *model;
    double value, paper; ///< paper: what the papers or our recomputation give; 0: nothing
} Ratio;

enum { RATIO_COUNT = 9 };

static void make_ratios(const flop_Study *study, Ratio out[RATIO_COUNT])
{
    // counted rows that do not depend on how links are charged: all but 2 and 7
    double half = 0.0, full = 0.0;
    for (int step = FLOP_STEP_3; step <= FLOP_STEP_6; ++step) {
        half += (double)fit(study, 0, step).n;
        full += (double)fit(study, 1, step).n;
    }
    double jacobian = (double)fit(study, 0, FLOP_STEP_2).n;
    double half_total = (double)fit(study, 0, FLOP_TOTAL).n;
    double full_total = (double)fit(study, 1, FLOP_TOTAL).n;
    const Ratio ratios[RATIO_COUNT] = {
        { "printed rows, n to infinity: 227/95", 227.0 / 95.0, 2.389 },
        { "printed rows, n = 7 (constant 222)", (227.0 * 7 + 817) / (95.0 * 7 + 222), 2.713 },
        { "printed rows, n = 12 (constant 222)", (227.0 * 12 + 817) / (95.0 * 12 + 222), 2.600 },
        { "counted steps 3-6 with 38n for step 7", (full + 38.0) / (half + 38.0), 2.737 },
        { "the same with the Jacobian per link",
            (full + jacobian + 38.0) / (half + jacobian + 38.0), 2.107 },
        { "the same with the printed 33n",
            (full - 33.0 + jacobian + 38.0) / (half + jacobian + 38.0), 1.886 },
        { "all counted, n to infinity", full_total / half_total, 0.0 },
        { "all counted, n = 7",
            (double)flop_row(study, 1, FLOP_TOTAL, 7, 0)
                / (double)flop_row(study, 0, FLOP_TOTAL, 7, 0),
            0.0 },
        { "all counted, n = 12",
            (double)flop_row(study, 1, FLOP_TOTAL, 12, 0)
                / (double)flop_row(study, 0, FLOP_TOTAL, 12, 0),
            0.0 },
    };
    memcpy(out, ratios, sizeof ratios);
}

static void print_ratios(const Ratio *ratios)
{
    printf("\nFull against half, flops of one iteration\n");
    for (int i = 0; i < RATIO_COUNT; ++i) {
        printf("  %-40s %.3f", ratios[i].model, ratios[i].value);
        if (ratios[i].paper > 0.0) { printf("   (expected %.3f)", ratios[i].paper); }
        printf("\n");
    }
}

// ---------------------------------------------------------------------------------------------
// Claims

typedef struct Claim {
    const char *text;
    bool holds;
    char figures[160];
} Claim;

enum { CLAIM_COUNT = 18 };

static Claim *add_claim(Claim *claims, int *count, const char *text, bool holds)
{
    Claim *claim = &claims[(*count)++];
    claim->text = text;
    claim->holds = holds;
    return claim;
}

/// Claims about the inverses.
static void judge_inverses(const flop_Study *s, Claim *claims, int *count)
{
    const size_t size = sizeof claims->figures;
    double lu_growth = (double)s->lu[8] / (double)s->lu[4];
    Claim *c = add_claim(
        claims, count, "LU with substitution grows with the square of n", lu_growth < 5.0);
    snprintf(c->figures, size,
        "%ld, %ld, %ld, %ld for n = 3, 4, 6, 8: from 4 to 8 x%.2f, cubic (8n^3/3)", s->lu[3],
        s->lu[4], s->lu[6], s->lu[8], lu_growth);

    double cofactor_growth = (double)s->cofactors[6] / (double)s->cofactors[3];
    c = add_claim(
        claims, count, "cofactor expansion grows with the cube of n", cofactor_growth < 10.0);
    snprintf(c->figures, size, "%ld, %ld, %ld, %ld for n = 3..6: from 3 to 6 x%.0f, factorial",
        s->cofactors[3], s->cofactors[4], s->cofactors[5], s->cofactors[6], cofactor_growth);

    c = add_claim(claims, count,
        "the analytic inverse wins up to 3 x 3 and loses from 4 x 4 (cofactors)",
        s->cofactors[3] < s->lu[3] && s->cofactors[4] > s->lu[4]);
    snprintf(c->figures, size, "3 x 3: %ld < %ld, 4 x 4: %ld > %ld", s->cofactors[3], s->lu[3],
        s->cofactors[4], s->lu[4]);

    c = add_claim(claims, count, "the same with shared minors", s->shared4 > s->lu[4]);
    snprintf(c->figures, size, "4 x 4: %ld < %ld wins; 5 x 5: %ld or %ld > %ld loses", s->shared4,
        s->lu[4], s->shared5, s->shared5_ends, s->lu[5]);

    c = add_claim(claims, count, "J J^T has no zero entries, so LU needs no care with pivots",
        s->planar_zeros == 0 && s->planar_regular);
    snprintf(c->figures, size, "a planar chain: %d zero entries of 9, LU finds %s", s->planar_zeros,
        s->planar_regular ? "a pivot" : "no pivot");
}

/// Sums that the paper gets right, all against counts.
static void judge_sums(const flop_Study *s, Claim *claims, int *count)
{
    const size_t size = sizeof claims->figures;
    const measure_Flops *f = &s->factor6_parts, *b = &s->substitute6_parts, *i = &s->invert3_parts;
    Claim *c = add_claim(claims, count,
        "6 x 6: 55 + 16 + 80 = 151, 180 + 36 + 252 = 468, together 619",
        f->mul == 55 && f->div == 16 && f->add == 80 && b->mul == 180 && b->div == 36
            && b->add == 252 && s->lu[6] == 619);
    snprintf(c->figures, size, "counted %lld + %lld + %lld and %lld + %lld + %lld = %ld", f->mul,
        f->div, f->add, b->mul, b->div, b->add, s->lu[6]);

    c = add_claim(
        claims, count, "3 x 3: 36 + 1 + 14 = 51", i->mul == 36 && i->div == 1 && i->add == 14);
    snprintf(c->figures, size, "counted %lld + %lld + %lld; %ld reusing cofactors, %ld by symmetry",
        i->mul, i->div, i->add, s->shared3, s->symmetric3);

    c = add_claim(
        claims, count, "Jacobian of a link: 98 + 64 = 162", s->link.mul == 98 && s->link.add == 64);
    snprintf(c->figures, size, "counted %lld + %lld", s->link.mul, s->link.add);

    bool table_1_half = true;
    for (int row = 0; row < TABLE_1_ROWS; ++row) {
        Formula counted = fit(s, 0, table_1[row].row);
        table_1_half = table_1_half && same_formula(counted, table_1[row].printed3);
    }
    char text[48];
    c = add_claim(claims, count, "table 1.1, three rows", table_1_half);
    snprintf(c->figures, size, "total counted %s", formula_text(fit(s, 0, FLOP_STEP_3), text));

    bool checks = true;
    for (int row = 3; row <= 4; ++row) {
        checks = checks && same_formula(fit(s, 0, table_2[row].row), table_2[row].printed3)
            && same_formula(fit(s, 1, table_2[row].row), table_2[row].printed6);
    }
    char full[48];
    c = add_claim(
        claims, count, "steps 4 and 5: 18n + 15, 72n + 66; 18 and 72 for each halving", checks);
    snprintf(c->figures, size, "counted %s, %s; %ld and %ld",
        formula_text(fit(s, 0, FLOP_STEP_4), text), formula_text(fit(s, 1, FLOP_STEP_4), full),
        fit(s, 0, FLOP_STEP_5).k, fit(s, 1, FLOP_STEP_5).k);
}

/// Sums that it gets wrong.
static void judge_slips(const flop_Study *s, Claim *claims, int *count)
{
    const size_t size = sizeof claims->figures;
    char text[48], more[48];
    Formula product = fit(s, 1, FLOP_TRANSPOSE_PRODUCT);
    Claim *c = add_claim(claims, count, "J^T B of six rows takes 33n", product.n == 33);
    snprintf(c->figures, size, "counted %s = n * 6 * (6 + 5), so J+ %s",
        formula_text(product, text), formula_text(fit(s, 1, FLOP_STEP_3), more));

    long half = 162, full = 162;
    for (int step = FLOP_STEP_1; step <= FLOP_STEP_6; ++step) {
        if (step == FLOP_STEP_2) { continue; }
        half += fit(s, 0, step).one;
        full += fit(s, 1, step).one;
    }
    c = add_claim(claims, count, "the constants of table 1.2 sum to 252 (three rows)", half == 252);
    snprintf(c->figures, size, "with the printed 162 they sum to %ld", half);
    c = add_claim(claims, count, "and to 817 (six rows)", full == 817);
    snprintf(c->figures, size, "with the printed 162 they sum to %ld", full);

    Formula jacobian = fit(s, 0, FLOP_STEP_2);
    c = add_claim(claims, count, "the Jacobian takes 162 for the whole chain", jacobian.n == 0);
    snprintf(c->figures, size, "162 is one link; counted %s at three dofs a link",
        formula_text(jacobian, text));

    c = add_claim(
        claims, count, "the model counts all the work", s->norm3 == 0 && s->link.other == 0);
    snprintf(c->figures, size,
        "left out: the norm of eq. 1.7, %ld and %ld a check; %lld sines and cosines a link",
        s->norm3, s->norm6, s->link.other);

    Formula forward = fit(s, 0, FLOP_STEP_7);
    c = add_claim(
        claims, count, "forward kinematics takes 38n", forward.n == 38 && forward.one == 0);
    snprintf(c->figures, size, "counted %s: 132 a link, 18 for the effector",
        formula_text(forward, text));

    c = add_claim(claims, count, "half is 238.9 % quicker than full", false);
    snprintf(c->figures, size,
        "2.389 times as fast is 138.9 %% quicker; at n = 7 the rows give 2.713; "
        "all counted: %.3f, at n = 7 %.3f",
        (double)fit(s, 1, FLOP_TOTAL).n / (double)fit(s, 0, FLOP_TOTAL).n,
        (double)flop_row(s, 1, FLOP_TOTAL, 7, 0) / (double)flop_row(s, 0, FLOP_TOTAL, 7, 0));

    c = add_claim(claims, count, "all entries of J J^T have to be computed (18n - 9, 72n - 36)",
        s->symmetric_product3[30] >= 531 && s->symmetric_product6[30] >= 2124);
    snprintf(c->figures, size,
        "a triangle takes 12n - 6 and 42n - 21; counted at n = 30: %ld and "
        "%ld for 531 and 2124",
        s->symmetric_product3[30], s->symmetric_product6[30]);
}

static void print_claims(const Claim *claims, int count)
{
    printf("\nClaims\n");
    for (int i = 0; i < count; ++i) {
        printf("  %-13s %s: %s\n", claims[i].holds ? "holds" : "does not hold", claims[i].text,
            claims[i].figures);
    }
}

// ---------------------------------------------------------------------------------------------

static void print_timings(const flop_Timing *timings)
{
    printf("\nExplicit inverse as published against symmetric solve, this machine\n");
    printf("  %-16s %4s %4s | %9s %9s %6s | %9s %9s %6s\n", "", "rows", "n", "flops", "default",
        "ratio", "ns", "default", "ratio");
    for (int i = 0; i < FLOP_TIMINGS; ++i) {
        const flop_Timing *t = &timings[i];
        char n[24];
        text_or_dash(t->n, n);
        printf("  %-16s %4d %4s | %9ld %9ld %6.2f | %9.1f %9.1f %6.2f\n", t->work, t->m, n,
            t->flops_published, t->flops_default,
            (double)t->flops_published / (double)t->flops_default, 1e9 * t->seconds_published,
            1e9 * t->seconds_default, t->seconds_published / t->seconds_default);
    }
    printf(
        "  flops of the default are those of a Cholesky solve; the code solves by 3 x 3 blocks,\n"
        "  which takes more flops and fewer divisions one after the other.\n");
}

// ---------------------------------------------------------------------------------------------

static void write_json(const flop_Study *study, const Ratio *ratios, const Claim *claims,
    int claim_count, const flop_Timing *timings)
{
    cli_Json json = cli_json_begin();
    cli_json_array(&json, "inverses");
    for (int n = 1; n <= FLOP_MAX_SIZE; ++n) {
        cli_json_object(&json, NULL);
        cli_json_whole(&json, "n", n);
        cli_json_whole(&json, "lu_recomputed", lu_formula(n));
        cli_json_whole(&json, "lu_counted", study->lu[n]);
        if (n > 1) {
            cli_json_whole(&json, "cofactors_recomputed", cofactor_formula(n));
            cli_json_whole(&json, "cofactors_counted", study->cofactors[n]);
        }
        if (shared_count(study, n) > 0) {
            cli_json_whole(&json, "shared_minors_counted", shared_count(study, n));
        }
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    write_rows(&json, study, "table_1_1", table_1, TABLE_1_ROWS);
    write_rows(&json, study, "table_1_2", table_2, TABLE_2_ROWS);

    cli_json_object(&json, "link_jacobian");
    cli_json_whole(&json, "mul", (long)study->link.mul);
    cli_json_whole(&json, "add", (long)study->link.add);
    cli_json_whole(&json, "sines_and_cosines", (long)study->link.other);
    cli_json_object_end(&json);

    cli_json_array(&json, "ratios");
    for (int i = 0; i < RATIO_COUNT; ++i) {
        cli_json_object(&json, NULL);
        cli_json_text(&json, "model", ratios[i].model);
        cli_json_number(&json, "value", ratios[i].value);
        if (ratios[i].paper > 0.0) { cli_json_number(&json, "expected", ratios[i].paper); }
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);

    cli_json_array(&json, "claims");
    for (int i = 0; i < claim_count; ++i) {
        cli_json_object(&json, NULL);
        cli_json_text(&json, "claim", claims[i].text);
        cli_json_bool(&json, "holds", claims[i].holds);
        cli_json_text(&json, "figures", claims[i].figures);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);

    cli_json_array(&json, "times");
    for (int i = 0; i < FLOP_TIMINGS; ++i) {
        const flop_Timing *t = &timings[i];
        cli_json_object(&json, NULL);
        cli_json_text(&json, "work", t->work);
        cli_json_whole(&json, "rows", t->m);
        if (t->n > 0) { cli_json_whole(&json, "n", t->n); }
        cli_json_whole(&json, "flops_published", t->flops_published);
        cli_json_whole(&json, "flops_default", t->flops_default);
        cli_json_number(&json, "ns_published", 1e9 * t->seconds_published);
        cli_json_number(&json, "ns_default", 1e9 * t->seconds_default);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_end(&json);
}

int sinew_bench_flops(bool json)
{
    static flop_Study study;
    Ratio ratios[RATIO_COUNT];
    Claim claims[CLAIM_COUNT];
    flop_Timing timings[FLOP_TIMINGS];
    int claim_count = 0;
    flop_study_run(&study);
    make_ratios(&study, ratios);
    judge_inverses(&study, claims, &claim_count);
    judge_sums(&study, claims, &claim_count);
    judge_slips(&study, claims, &claim_count);
    flop_times_run(&study, timings);

    if (json) {
        write_json(&study, ratios, claims, claim_count, timings);
        return 0;
    }
    print_figure(&study);
    print_rows(&study, "Pseudo-inverse of an m x n Jacobian (table 1.1; * the paper differs)",
        table_1, TABLE_1_ROWS);
    print_rows(&study, "One iteration, n dofs, k halvings (table 1.2; * the paper differs)",
        table_2, TABLE_2_ROWS);
    print_table_7(&study);
    print_link(&study);
    print_ratios(ratios);
    print_claims(claims, claim_count);
    print_timings(timings);
    return 0;
}
