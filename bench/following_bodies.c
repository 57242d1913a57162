// Bodies of recorded motions from their rest pose: any limb and any two, a hand's breadth away.

#include "bench/following.h"

#include "cli/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BREADTH 0.05
// an end farther off than this is not met, metres: twice the tolerance of a default solve
#define UNMET_DISTANCE 2e-3
// share of a limb's length that counts as inside its reach
#define INSIDE_REACH 0.995

enum { LIMBS = 4, DIRECTIONS = 6, PAIRS = 6, FRAMES = 30 };

// ---------------------------------------------------------------------------------------------
// Limbs

typedef struct Limb {
    int start, end;
    double reach,
        fold; ///< farthest and nearest the end comes to the start; of limbs that turn freely
} Limb;

typedef struct Body {
    cli_Input input;
    bench_Figure figure, rest;
    Limb limbs[LIMBS];
    int limb_count;
    sinew_Solver *solver;
} Body;

/// What came out over all bodies.
typedef struct Tally {
    int bodies, problems, unmet, unmet_bodies, slowest;
    double farthest; ///< a limb's end was off, metres
    double moved;    ///< a joint above a limb, metres
    char worst[64];
} Tally;

static void find_limbs(Body *body)
{
    static const sinew_Role starts[] = { SINEW_ROLE_UPPERARM, SINEW_ROLE_THIGH };
    static const sinew_Role middles[] = { SINEW_ROLE_FOREARM, SINEW_ROLE_SHIN };
    static const sinew_Role ends[] = { SINEW_ROLE_HAND, SINEW_ROLE_FOOT };
    const sinew_RoleGuess *roles = cli_input_roles(&body->input);
    body->limb_count = 0;
    for (int i = 0; roles != NULL && i < LIMBS; ++i) {
        sinew_Side side = i % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        int start = sinew_roles_find(roles, starts[i / 2], side, -1);
        int middle = sinew_roles_find(roles, middles[i / 2], side, -1);
        int end = sinew_roles_find(roles, ends[i / 2], side, -1);
        if (start < 0 || middle < 0 || end < 0) { continue; }
        const sinew_Vec3 *place = body->rest.place;
        double upper = sinew_vec3_distance(place[start], place[middle]);
        double lower = sinew_vec3_distance(place[middle], place[end]);
        Limb limb = { start, end, upper + lower, fabs(upper - lower) };
        body->limbs[body->limb_count++] = limb;
    }
}

/// A goal a breadth away from where the limb's end rests; false where that is out of reach.
static bool set_goal(const Body *body, const Limb *limb, int direction, sinew_Goal *out_goal)
{
    double way[3] = { 0.0, 0.0, 0.0 };
    way[direction / 2] = direction % 2 == 0 ? BREADTH : -BREADTH;
    sinew_Vec3 place = sinew_vec3_add(
        body->rest.place[limb->end], sinew_vec3(way[0], way[1], way[2]));
    *out_goal = sinew_goal_position(limb->end, place);
    out_goal->chain_root = limb->start;
    double distance = sinew_vec3_distance(place, body->rest.place[limb->start]);
    return distance <= INSIDE_REACH * limb->reach
        && distance >= limb->fold + (1.0 - INSIDE_REACH) * limb->reach;
}

/// Whether the best answer to goals meets them, where limits decide about reach.
static bool can_be_met(Body *body, const sinew_Goal *goals, int goal_count, double *q)
{
    double largest = 0.0;
    sinew_pose_rest(body->input.skeleton, q);
    if (!bench_best_pose(body->solver, goals, goal_count, q)) { return false; }
    bench_figure_pose(&body->figure, q);
    bench_figure_errors(&body->figure, goals, goal_count, NULL, &largest);
    return largest <= UNMET_DISTANCE;
}

static void try_goals(
    Body *body, bench_Follower *follower, const sinew_Goal *goals, int goal_count, Tally *tally)
{
    sinew_Goal rest[LIMBS];
    double largest = INFINITY;
    int frame = 0;
    bench_follower_reset(follower);
    for (int g = 0; g < goal_count; ++g) {
        rest[g] = goals[g];
        rest[g].position = body->rest.place[goals[g].joint];
    }
    // a tracker begins where goals say, a solver in the pose it is given
    if (follower->tracker != NULL) { (void)bench_follower_next(follower, rest, goal_count); }
    for (frame = 1; frame <= FRAMES && largest > UNMET_DISTANCE; ++frame) {
        if (bench_follower_next(follower, goals, goal_count) < 0.0) { break; }
        bench_figure_pose(&body->figure, follower->q);
        bench_figure_errors(&body->figure, goals, goal_count, NULL, &largest);
        double moved = bench_figure_moved_above(&body->figure, &body->rest, goals, goal_count);
        tally->moved = fmax(tally->moved, moved);
        // a goal that is met by joints that may not move is not met
        largest = fmax(largest, moved);
    }
    ++tally->problems;
    if (largest <= UNMET_DISTANCE) {
        if (frame - 1 > tally->slowest) { tally->slowest = frame - 1; }
        return;
    }
    ++tally->unmet;
    if (largest <= tally->farthest) { return; }
    tally->farthest = largest;
    snprintf(tally->worst, sizeof tally->worst, "%s", strrchr(body->input.name, '/') + 1);
}

static void run_body(Body *body, bench_Mode mode, bool limits, int limbs, Tally *tally)
{
    bench_Follower follower;
    const sinew_Skeleton *skeleton = body->input.skeleton;
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *q);
    if (q == NULL || !bench_follower_open(&follower, skeleton, LIMBS, mode, NULL)) {
        free(q);
        return;
    }
    int unmet = tally->unmet;
    for (int a = 0; a < body->limb_count; ++a) {
        for (int b = limbs == 1 ? a : a + 1; b < (limbs == 1 ? a + 1 : body->limb_count); ++b) {
            for (int d = 0; d < DIRECTIONS * (limbs == 1 ? 1 : DIRECTIONS); ++d) {
                sinew_Goal goals[2];
                if (!set_goal(body, &body->limbs[a], d % DIRECTIONS, &goals[0])
                    || (limbs == 2 && !set_goal(body, &body->limbs[b], d / DIRECTIONS, &goals[1]))
                    || (limits && !can_be_met(body, goals, limbs, q))) {
                    continue;
                }
                try_goals(body, &follower, goals, limbs, tally);
            }
        }
    }
    tally->unmet_bodies += tally->unmet > unmet ? 1 : 0;
    tally->bodies += body->limb_count > 0 ? 1 : 0;
    bench_follower_close(&follower);
    free(q);
}

static bool open_body(Body *body, int index, bool limits, char *path, size_t size)
{
    const sinew_ReadOptions read = sinew_read_options_default();
    memset(body, 0, sizeof *body);
    if (!bench_motion_path(index, path, size)
        || !cli_input_open_rigged(&body->input, path, &read, limits ? "auto" : "none")) {
        return false;
    }
    const sinew_Skeleton *skeleton = body->input.skeleton;
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *q);
    body->solver = bench_solver(skeleton, LIMBS);
    bool good = q != NULL && body->solver != NULL && bench_figure_open(&body->figure, skeleton)
        && bench_figure_open(&body->rest, skeleton);
    if (good) {
        sinew_pose_rest(skeleton, q);
        bench_figure_pose(&body->rest, q);
        find_limbs(body);
    }
    free(q);
    return good;
}

static void close_body(Body *body)
{
    sinew_solver_destroy(body->solver);
    bench_figure_close(&body->figure);
    bench_figure_close(&body->rest);
    cli_input_close(&body->input);
}

static void put_row(
    bench_Following *following, bench_Mode mode, bool limits, int limbs, const Tally *tally)
{
    char what[CLI_TABLE_CELL], worst[64] = "";
    snprintf(what, sizeof what, "recorded bodies from rest, %s 5 cm away%s, %s",
        limbs == 1 ? "a limb" : "two limbs", limits ? ", limits" : "", bench_mode_name(mode));
    if (tally->unmet > 0) {
        snprintf(worst, sizeof worst, " (%.0f mm, %.30s)", 1e3 * tally->farthest, tally->worst);
    }
    bench_following_row(following, what, "all met", tally->unmet, 0.0,
        "%d of %d unmet on %d of %d bodies%s", tally->unmet, tally->problems, tally->unmet_bodies,
        tally->bodies, worst);
}

void bench_following_bodies(bench_Following *following)
{
    static const bench_Mode modes[] = { BENCH_MODE_WARM, BENCH_MODE_TRACKER };
    static Tally tallies[2][2][2];
    memset(tallies, 0, sizeof tallies);
    const int count = bench_motion_count();
    double moved = 0.0;
    for (int i = 0; i < count; ++i) {
        for (int limits = 0; limits < 2; ++limits) {
            Body body;
            char path[600];
            if (open_body(&body, i, limits != 0, path, sizeof path)) {
                for (int m = 0; m < 2; ++m) {
                    for (int l = 0; l < 2; ++l) {
                        run_body(&body, modes[m], limits != 0, 1 + l, &tallies[limits][m][l]);
                        moved = fmax(moved, tallies[limits][m][l].moved);
                    }
                }
            }
            close_body(&body);
        }
    }
    for (int limits = 0; limits < 2; ++limits) {
        for (int m = 0; m < 2; ++m) {
            for (int l = 0; l < 2; ++l) {
                put_row(following, modes[m], limits != 0, 1 + l, &tallies[limits][m][l]);
            }
        }
    }
    bench_following_row(following, "recorded bodies, joints above chain_root move by", "0", moved,
        0.0, "%.3g mm", 1e3 * moved);
}
