// `sinew bench errata`: what the papers print against what is found when it is computed, a line for each entry.
// Each figure is worked out here, from the formula as printed; what is right stands beside it.

#include "bench/bench.h"

#include "bench/bench_setup.h"
#include "scenes/random.h"
#include "sinew/walker.h"

#include <math.h>
#include <stdio.h>

#define DEGREE (SINEW_PI / 180.0)

static const sinew_Vec3 axis_x = { 1.0, 0.0, 0.0 };
static const sinew_Vec3 axis_y = { 0.0, 1.0, 0.0 };
static const sinew_Vec3 axis_z = { 0.0, 0.0, 1.0 };

typedef struct Line {
    const char *id, *printed;
    char found[200];
} Line;

#define FOUND(...) snprintf(line->found, sizeof line->found, __VA_ARGS__)

// ---------------------------------------------------------------------------------------------
// Jacobians

// full Jacobian of LEG's heel at a random pose; out_numeric by central differences
static bool leg_jacobian(bool pose, double *out_analytic, double *out_numeric)
{
    bench_Setup setup;
    if (!bench_setup_open("LEG", &setup)) { return false; }
    const bench_Problem problem = { "LEG", "", "Heel", pose, 1 };
    scene_Random random = scene_random(5);
    sinew_Goal goal[SCENE_MAX_EFFECTORS];
    scene_random_pose(setup.scene, &random, setup.q);
    (void)bench_goals(&setup, &problem, setup.q, goal);
    const sinew_Skeleton *skeleton = setup.scene->skeleton;
    sinew_pose_forward(skeleton, setup.q, setup.world);
    sinew_jacobian(skeleton, setup.q, setup.world, goal, out_analytic);
    sinew_jacobian_numeric(skeleton, setup.q, goal, SINEW_DIFFERENCE_CENTRAL, 1e-5, setup.start,
        setup.world, out_numeric);
    bench_setup_close(&setup);
    return true;
}

static void index_order(Line *line)
{
    double j[36], numeric[36], right = 0.0, printed = 0.0, size = 0.0;
    if (!leg_jacobian(true, j, numeric)) { return; }
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            double found = numeric[6 * i + k];
            right += (j[6 * i + k] - found) * (j[6 * i + k] - found);
            printed += (j[6 * k + i] - found) * (j[6 * k + i] - found);
            size += found * found;
        }
    }
    FOUND("a leg, 6 x 6: d f_i / d theta_j is off by %.0e, its transpose by %.0f %%",
        sqrt(right / size), 100.0 * sqrt(printed / size));
}

// mean relative error of the columns of a chain of three joints when all axes of a joint are those of its
// finished frame
static double finished_axes_error(scene_Random *random, double range)
{
    enum { POSES = 400, JOINTS = 3 };
    double sum = 0.0;
    for (int pose = 0; pose < POSES; ++pose) {
        sinew_Vec3 origins[JOINTS], right[JOINTS][3], finished[JOINTS][3];
        sinew_Quat world = sinew_quat_identity();
        sinew_Vec3 at = { 0.0, 0.0, 0.0 };
        for (int j = 0; j < JOINTS; ++j) {
            const sinew_Vec3 axes[3] = { axis_x, axis_y, axis_z };
            origins[j] = at;
            for (int k = 0; k < 3; ++k) {
                right[j][k] = sinew_quat_rotate(world, axes[k]);
                double angle = scene_random_range(random, -range, range);
                world = sinew_quat_mul(world, sinew_quat_from_axis_angle(axes[k], angle));
            }
            for (int k = 0; k < 3; ++k) { finished[j][k] = sinew_quat_rotate(world, axes[k]); }
            at = sinew_vec3_add(at, sinew_quat_rotate(world, sinew_vec3(0.0, -0.4, 0.1)));
        }
        double off = 0.0, size = 0.0;
        for (int j = 0; j < JOINTS; ++j) {
            sinew_Vec3 arm = sinew_vec3_sub(at, origins[j]);
            for (int k = 0; k < 3; ++k) {
                sinew_Vec3 b = sinew_vec3_cross(right[j][k], arm);
                sinew_Vec3 d = sinew_vec3_sub(sinew_vec3_cross(finished[j][k], arm), b);
                off += sinew_vec3_dot(d, d);
                size += sinew_vec3_dot(b, b);
            }
        }
        sum += sqrt(off / size) / POSES;
    }
    return sum;
}

static void finished_axes(Line *line)
{
    scene_Random random = scene_random(5);
    double a = finished_axes_error(&random, 0.1), b = finished_axes_error(&random, 0.5),
           c = finished_axes_error(&random, 1.0);
    FOUND("J is off by %.1f, %.0f and %.0f %% at angles within 0.1, 0.5 and 1 rad", 100.0 * a,
        100.0 * b, 100.0 * c);
}

// pivots of a symmetric matrix that are more than rounding; a is used up
static int rank_of(double *a, int n)
{
    int rank = 0;
    for (int step = 0; step < n; ++step) {
        int best = step;
        for (int i = step; i < n; ++i) {
            if (fabs(a[n * i + i]) > fabs(a[n * best + best])) { best = i; }
        }
        for (int k = 0; k < n; ++k) {
            double t = a[n * step + k];
            a[n * step + k] = a[n * best + k];
            a[n * best + k] = t;
        }
        for (int k = 0; k < n; ++k) {
            double t = a[n * k + step];
            a[n * k + step] = a[n * k + best];
            a[n * k + best] = t;
        }
        if (!(fabs(a[n * step + step]) > 1e-12)) { break; }
        ++rank;
        for (int i = step + 1; i < n; ++i) {
            double factor = a[n * i + step] / a[n * step + step];
            for (int k = step; k < n; ++k) { a[n * i + k] -= factor * a[n * step + k]; }
        }
    }
    return rank;
}

static void left_inverse(Line *line)
{
    double j[18], numeric[18], left[36], right[9];
    if (!leg_jacobian(false, j, numeric)) { return; }
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            left[6 * i + k] = j[i] * j[k] + j[6 + i] * j[6 + k] + j[12 + i] * j[12 + k];
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            right[3 * i + k] = 0.0;
            for (int d = 0; d < 6; ++d) { right[3 * i + k] += j[6 * i + d] * j[6 * k + d]; }
        }
    }
    FOUND("6 dofs, 3 rows: J^T J has rank %d of 6 and no inverse, J J^T %d of 3", rank_of(left, 6),
        rank_of(right, 3));
}

static void straight_arm(Line *line)
{
    // two links of 1 m in a plane, bent by 1e-3, asked to go 0.3 m outwards
    double bend = 1e-3, s1 = 0.0, c1 = 1.0, s2 = sin(bend), c2 = cos(bend);
    double a = -s1 - s2, b = -s2, c = c1 + c2, d = c2, det = a * d - b * c, dx = 0.3;
    double t1 = d * dx / det, t2 = -c * dx / det;
    double error = hypot(a * t1 + b * t2 - dx, c * t1 + d * t2);
    FOUND("bent by 0.001 rad: error %.0e, and a step of %.0f rad", error, hypot(t1, t2));
}

static void euler_difference(Line *line)
{
    scene_Random random = scene_random(6);
    double worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
        double now[3], next[3];
        sinew_Quat a = sinew_quat_identity(), b = a;
        const sinew_Vec3 axes[3] = { axis_x, axis_y, axis_z };
        double norm = 0.0;
        for (int k = 0; k < 3; ++k) {
            now[k] = scene_random_range(&random, -1.2, 1.2);
            next[k] = now[k] + scene_random_range(&random, -0.1, 0.1);
            norm += (next[k] - now[k]) * (next[k] - now[k]);
            a = sinew_quat_mul(a, sinew_quat_from_axis_angle(axes[k], now[k]));
            b = sinew_quat_mul(b, sinew_quat_from_axis_angle(axes[k], next[k]));
        }
        double angle = sinew_quat_angle(a, b);
        worst = fmax(worst, fabs(sqrt(norm) / angle - 1.0));
    }
    FOUND("differences of Euler angles are off from the rotation vector by up to %.0f %%",
        100.0 * worst);
}

// ---------------------------------------------------------------------------------------------
// Counts

static double determinant_flops(int n)
{
    return n == 1 ? 0.0 : n * determinant_flops(n - 1) + 2.0 * n - 1.0;
}

static double cofactor_flops(int n)
{
    return n * n * determinant_flops(n - 1) + determinant_flops(n) + 1.0 + n * n;
}

static void growth(Line *line)
{
    FOUND(
        "plain cofactors: %.0f, %.0f, %.0f, %.0f for 3 to 6, the last by %.1f times; cubic is 1.7",
        cofactor_flops(3), cofactor_flops(4), cofactor_flops(5), cofactor_flops(6),
        cofactor_flops(6) / cofactor_flops(5));
}

static void ratio(Line *line)
{
    int constants = 3 + 162 + 42 + 15;
    FOUND(
        "constants of the 3D rows sum to %d; (227n+817)/(95n+%d) is %.3f at n = 7, %.3f at most n",
        constants, constants, (227.0 * 7 + 817) / (95.0 * 7 + constants), 227.0 / 95.0);
}

static void table(Line *line)
{
    FOUND("0.031/0.013 is %.2f to %.2f before rounding, unrounded entries give %.3f; 2 x 5.5 ms = "
          "11 ms "
          "in a frame of %.1f",
        0.0305 / 0.0135, 0.0315 / 0.0125, (5.5 / 180) / (0.24 / 18.15), 1000.0 / 95.0);
}

// ---------------------------------------------------------------------------------------------
// Limits and rotations

static void inscribed_circle(Line *line)
{
    scene_Random random = scene_random(8);
    const double radius = 0.5, offset = 0.5, length = sqrt(1.0 + offset * offset);
    sinew_Vec3 centre = { offset / length, 0.0, 1.0 / length };
    double cosine = cos(atan(radius / length));
    long accepted = 0, wrong = 0;
    while (accepted < 100000) {
        sinew_Vec3 d = scene_random_direction(&random);
        if (d.z <= 0.0 || sinew_vec3_dot(d, centre) < cosine) { continue; }
        ++accepted;
        wrong += hypot(d.x / d.z - offset, d.y / d.z) > radius;
    }
    FOUND("circle of 0.5 beside the foot of the normal: %.0f %% of what is accepted is outside",
        100.0 * (double)wrong / (double)accepted);
}

static void closest_side(Line *line)
{
    enum { SIDES = 6, TRIES = 100000 };
    scene_Random random = scene_random(9);
    long outside = 0, other = 0;
    for (int i = 0; i < TRIES; ++i) {
        double x[SIDES], y[SIDES], turn = 0.0, px, py, crossed = INFINITY, least = INFINITY;
        int hit = -1, near = -1;
        double shares[SIDES], sum = 0.0;
        for (int k = 0; k < SIDES; ++k) {
            shares[k] = scene_random_range(&random, 0.5, 1.5);
            sum += shares[k];
        }
        for (int k = 0; k < SIDES; ++k) {
            turn += 2.0 * SINEW_PI * shares[k] / sum;
            x[k] = cos(turn);
            y[k] = sin(turn);
        }
        px = scene_random_range(&random, -1.5, 1.5);
        py = scene_random_range(&random, -1.5, 1.5);
        for (int k = 0; k < SIDES; ++k) {
            int n = (k + 1) % SIDES;
            double ex = x[n] - x[k], ey = y[n] - y[k], det = ex * py - ey * px;
            double t = (x[k] * ey - y[k] * ex) / -det, s = (x[k] * py - y[k] * px) / -det;
            if (t > 0.0 && t < 1.0 && s >= 0.0 && s <= 1.0 && t < crossed) {
                crossed = t;
                hit = k;
            }
            double u = ((px - x[k]) * ex + (py - y[k]) * ey) / (ex * ex + ey * ey);
            u = fmin(1.0, fmax(0.0, u));
            double away = hypot(px - x[k] - u * ex, py - y[k] - u * ey);
            if (away < least) {
                least = away;
                near = k;
            }
        }
        if (hit < 0) { continue; }
        ++outside;
        other += near != hit;
    }
    FOUND("in %.1f %% of attempts outside hexagons another side than the crossed one is nearer",
        100.0 * (double)other / (double)outside);
}

static void half_turn(Line *line)
{
    const sinew_Quat constant = { 0.0, 1.0, 0.0, 0.0 };
    sinew_Vec3 xy = sinew_vec3_normalize_or(sinew_vec3(1.0, 1.0, 0.0), axis_x);
    double miss[3];
    const sinew_Vec3 from[3] = { axis_x, axis_y, xy };
    for (int i = 0; i < 3; ++i) {
        sinew_Vec3 to = sinew_quat_rotate(constant, from[i]);
        miss[i] = sinew_vec3_length(sinew_vec3_add(to, from[i]));
    }
    FOUND("(0,1,0,0) turns x to -x but misses -y by %.2f and -(1,1,0)/sqrt 2 by %.2f", miss[1],
        miss[2]);
}

static void sweep_bias(Line *line)
{
    enum { LINKS = 10, SWEEPS = 20, TARGETS = 500 };
    scene_Random random = scene_random(12);
    double turned[LINKS] = { 0.0 }, all = 0.0;
    for (int target = 0; target < TARGETS; ++target) {
        double angle[LINKS] = { 0.0 };
        double far = sqrt(scene_random_unit(&random)) * 0.9 * LINKS,
               way = scene_random_range(&random, -SINEW_PI, SINEW_PI);
        for (int i = 0; i < LINKS; ++i) { angle[i] = 0.1; }
        for (int step = 0; step < SWEEPS * LINKS; ++step) {
            int k = LINKS - 1 - step % LINKS;
            double x[LINKS + 1] = { 0.0 }, y[LINKS + 1] = { 0.0 }, sum = 0.0;
            for (int i = 0; i < LINKS; ++i) {
                sum += angle[i];
                x[i + 1] = x[i] + cos(sum);
                y[i + 1] = y[i] + sin(sum);
            }
            double turn = atan2(far * sin(way) - y[k], far * cos(way) - x[k])
                - atan2(y[LINKS] - y[k], x[LINKS] - x[k]);
            turn = remainder(turn, 2.0 * SINEW_PI);
            angle[k] += turn;
            turned[k] += fabs(turn);
            all += fabs(turn);
        }
    }
    FOUND("tip to root, 10 links: the joint at the root makes %.0f %% of all turns, the last one "
          "%.0f %%",
        100.0 * turned[0] / all, 100.0 * turned[LINKS - 1] / all);
}

// ---------------------------------------------------------------------------------------------
// Walking

static void turning(Line *line)
{
    double miss[2];
    const double headings[2] = { 120.0 * DEGREE, 180.0 * DEGREE };
    for (int i = 0; i < 2; ++i) {
        // centre C = (X + r cos theta, Z - r sin theta), theta by arcsin of d_x, against by both parts
        double right = headings[i], arcsin = asin(sin(headings[i]));
        miss[i] = 2.0 * hypot(cos(arcsin) - cos(right), sin(arcsin) - sin(right));
    }
    FOUND("theta by arcsin puts the centre of r = 2 m wrong by %.1f and %.1f m at headings of 120 "
          "and 180",
        miss[0], miss[1]);
}

static double lift(double u)
{
    return u <= SINEW_PI ? 1.0 - cos(u) : 1.0 - cos(0.5 * (SINEW_PI + u));
}

static void lift_curve(Line *line)
{
    const double h = 1e-4, pi = SINEW_PI;
    double before = (lift(pi) - 2.0 * lift(pi - h) + lift(pi - 2.0 * h)) / (h * h);
    double after = (lift(pi + 2.0 * h) - 2.0 * lift(pi + h) + lift(pi)) / (h * h);
    FOUND("the slope is steady, its change jumps at the top from %.2f to %.2f", before, after);
}

static void drift(Line *line)
{
    const double g = 0.01;
    // the second step from standing
    double d = 0.25, before = 0.0;
    for (int cycle = 0; cycle < 40; ++cycle) {
        double next = 0.5 * (d + before) + 2.0 * g;
        before = d;
        d = next;
    }
    FOUND("with a gap of 0.01 L the foot trails by %.2f L after 40 cycles instead of 0.17", d);
}

static void planted_heel(Line *line)
{
    bench_Setup setup;
    if (!bench_setup_open("MAN18", &setup)) { return; }
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = setup.scene->skeleton;
    def.style = SINEW_WALK_PAPER;
    sinew_Walker *walker = NULL;
    int rolls = 0, toes = 0;
    if (sinew_walker_create(&def, &walker, NULL) == SINEW_STATUS_OK) {
        const sinew_Steering ahead = { 0.6, 0.0, 0.0 };
        for (int frame = 0; frame < 1200; ++frame) {
            (void)sinew_walker_update(walker, &ahead, 1.0 / 60.0, NULL, setup.q, NULL);
            for (int leg = 0; leg < 2; ++leg) {
                bool on_heel = sinew_walker_leg(walker, leg).planted == SINEW_PLANTED_HEEL;
                unsigned other = sinew_walker_leg(walker, 1 - leg).planted;
                rolls += on_heel;
                toes += on_heel && (other & SINEW_PLANTED_TOE) != 0;
            }
        }
    }
    sinew_walker_destroy(walker);
    bench_setup_close(&setup);
    FOUND("walked as the text has it: in %d of %d frames of stage b heel and other toes are both "
          "planted",
        toes, rolls);
}

// ---------------------------------------------------------------------------------------------

static void damping(Line *line)
{
    // J J^T of a straight planar arm of two links: rows along and across
    double across = 1.0 + 4.0, lambda = 0.1;
    FOUND("straight arm: det(J J^T + lambda^2 I) is %.0f at lambda 0, %.4f at 0.1", 0.0 * across,
        (0.0 + lambda * lambda) * (across + lambda * lambda));
}

static void left_open(Line *line)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    sinew_PaperWalk paper = sinew_paper_walk_default();
    FOUND("chosen, and parameters: epsilon %g, tolerance %g m, %g rad, clearance %g L, hips %g L, "
          "%g steps/s",
        options.halving_threshold, options.position_tolerance, options.orientation_tolerance,
        paper.clearance, paper.walk_height, paper.cadence);
}

static const struct {
    const char *id, *printed;
    void (*work_out)(Line *line);
} entries[] = {
    { "E1", "MM04 eq. 1.4: J_ij = d f_j / d theta_i", index_order },
    { "E2", "MM04 fig. 1.2: inversion grows squared, by cofactors cubic", growth },
    { "E3", "MM04 table 1.2: 95n + 18k + 252 flops, full 238.9 % quicker", ratio },
    { "E4", "MM04 eq. 1.7: ||(I - JJ+) dX|| tells a step that is too long", straight_arm },
    { "E5", "MM04 eq. 1.14: axes of a joint are columns of its frame", finished_axes },
    { "E6", "MM04: dX of six dimensions, not defined", euler_difference },
    { "E7", "MM04 table 1.4: 238.5 %, 95 frames/s with full", table },
    { "E8", "B02: inside the inscribed circle is one dot product", inscribed_circle },
    { "E9", "B02: the nearest point is on the side that is hit", closest_side },
    { "E10", "B02 listing 1: opposite directions take (0,1,0,0)", half_turn },
    { "E11", "MM04 eq. 1.18: theta = arcsin(d_x)", turning },
    { "E12", "MM04: CCD moves earlier joints much more", sweep_bias },
    { "E13", "MM04 eq. 1.15: a smooth curve", lift_curve },
    { "E14", "MM04: hips go S/2 in (a) and g in (b)", drift },
    { "E15", "MM04 table 1.3: stage (b) keeps the left toes alone", planted_heel },
    { "E16", "Bh13 eq. 6: J+ = (J^T J)^-1 J^T", left_inverse },
    { "E17", "H14: (J J^T + lambda^2 I) is always invertible", damping },
    { "E18", "all: numbers that are left open", left_open },
};
enum { ENTRIES = (int)(sizeof entries / sizeof entries[0]) };

int sinew_bench_errata(bool json)
{
    bench_Output out = { .as_json = json };
    if (json) { out.json = cli_json_begin(); }
    if (!json) { printf("What the papers print, and what comes out when it is computed\n\n"); }
    if (json) { cli_json_array(&out.json, "errata"); }
    for (int i = 0; i < ENTRIES; ++i) {
        Line line = { entries[i].id, entries[i].printed, "" };
        entries[i].work_out(&line);
        out.failed = out.failed || line.found[0] == '\0';
        if (json) {
            cli_json_object(&out.json, NULL);
            cli_json_text(&out.json, "entry", line.id);
            cli_json_text(&out.json, "printed", line.printed);
            cli_json_text(&out.json, "found", line.found);
            cli_json_object_end(&out.json);
        } else {
            printf("  %-4s %s\n         %s\n", line.id, line.printed, line.found);
        }
    }
    if (json) {
        cli_json_array_end(&out.json);
        cli_json_end(&out.json);
    }
    if (out.failed) { fprintf(stderr, "sinew bench errata: out of memory\n"); }
    return out.failed ? 1 : 0;
}
