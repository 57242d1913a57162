// `sinew bench chains`: snakes of 10 to 1000 hinges that reach with their tips; whether the cost
// grows with the number of links and no faster.

#include "bench/bench_goals.h"
#include "bench/goal_rows.h"

#include <math.h>
#include <stdio.h>

enum { TARGETS = 2000, KDL_TARGETS = 200, KDL_LINKS = 300, PASSES = 3 };

bool bench_snake_run(int links, const bench_Request *request, sinew_Method method,
    bench_ChainResult *out_result, bench_PeerResult *out_kdl)
{
    char name[16];
    snprintf(name, sizeof name, "CHAIN%d", links);
    scene_Scene *scene = NULL;
    bench_Chain chain;
    bench_Targets targets;
    if (scene_create(name, NULL, &scene, NULL) != SINEW_STATUS_OK) { return false; }
    int count = request->targets > 0 ? request->targets : TARGETS;
    sinew_SolveOptions options = bench_chain_options(method);
    bool good = bench_chain_open(scene->skeleton, -1, scene->effectors[0].joint, true, &chain);
    if (good) {
        // a straight chain, the middle of the ranges, cannot be shortened: the rest pose leans over
        sinew_pose_rest(scene->skeleton, chain.q);
        good = bench_targets_open(&chain, request->seed, count, &targets);
        if (good) {
            good = bench_chain_run(&chain, &targets, false, &options, PASSES, out_result);
            if (out_kdl != NULL && links <= KDL_LINKS) {
                (void)bench_chain_run_kdl(&chain, &targets, false, KDL_TARGETS, false, out_kdl);
            }
            bench_targets_close(&targets);
        }
        bench_chain_close(&chain);
    }
    scene_destroy(scene);
    return good;
}

int sinew_bench_chains(const bench_Request *request)
{
    static const bench_Column columns[] = { { "links", "links", "0", 1.0 },
        { "solved", "solved_share", "2 %", 100.0 }, { "median us", "median_us", "2", 1.0 },
        { "mean us", "mean_us", "2", 1.0 }, { "p99 us", "p99_us", "1", 1.0 },
        { "ns per link", "median_ns_per_link", "0", 1.0 },
        { "iterations", "mean_iterations", "1", 1.0 },
        { "ns per iteration and link", "ns_per_iteration_and_link", "1", 1.0 },
        { "KDL LMA solved", "lma_solved_any_limit_share", "1 %", 100.0 },
        { "median us", "lma_median_us", "0", 1.0 }, { "LMA / sinew", "lma_to_sinew", "1 x", 1.0 },
        { NULL, NULL, NULL, 0.0 } };
    bench_Output out = { .as_json = request->json };
    sinew_Method method = request->method_given ? request->method : bench_default_method();
    if (request->json) {
        out.json = cli_json_begin();
        cli_json_text(&out.json, "method", sinew_method_name(method));
    }
    char title[200];
    snprintf(title, sizeof title,
        "Chains of hinges, 0.01 m a link: %d reachable places of the tip (1e-5 m) by %s, start at "
        "rest; KDL on %d, without limits",
        request->targets > 0 ? request->targets : TARGETS, sinew_method_name(method), KDL_TARGETS);
    bench_columns_begin(&out, "chains", title, columns);
    bench_ChainResult results[BENCH_CHAIN_LENGTHS] = { { 0 } };
    bench_PeerResult at_300;
    for (int i = 0; i < BENCH_CHAIN_LENGTHS; ++i) {
        int links = bench_chain_lengths[i];
        bench_PeerResult peer = { .marquardt = { .median = NAN, .solved_any_limit = NAN } };
        if (!bench_snake_run(links, request, method, &results[i], &peer)) {
            out.failed = true;
            break;
        }
        if (links == KDL_LINKS) { at_300 = peer; }
        bench_ChainResult r = results[i];
        bench_row(&out, columns, NULL,
            (const double[]){ links, r.solved, 1e6 * r.median, 1e6 * r.mean, 1e6 * r.p99,
                1e9 * r.median / links, r.iterations, 1e9 * r.mean / r.iterations / links,
                peer.marquardt.solved_any_limit, 1e6 * peer.marquardt.median,
                peer.marquardt.median / r.median });
    }
    bench_table_end(&out);
    if (!out.failed) {
        bench_GoalRows rows = { .count = 0 };
        bench_chain_goals_row(results, bench_has_kdl() ? &at_300 : NULL, &rows);
        bench_goal_put(&rows, &out, request);
    }
    if (request->json) { cli_json_end(&out.json); }
    if (out.failed) { fprintf(stderr, "sinew: out of memory; rows are missing\n"); }
    return out.failed ? 1 : 0;
}
