#include "bench/bench.h"

#include "bench/bench_setup.h"

#include "sinew/jacobian.h"
#include "sinew/switch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// `sinew bench switch`: FK and IK on one chain. Steps that a viewer would see at a switch, measured by plain forward
// kinematics; the rig of three chains (FK, IK and result) that it replaces, its pop and its cost; paths of the end point
// in FK and IK; and why the published inverse cannot work. Bhatti et al. (2013), sections 1 and 2, figures 7 and 9, eq. 6.

enum { CYCLES = 1000, DRAG_FRAMES = 20, PATH_FRAMES = 60, TIMED_FRAMES = 2000 };
#define FRAME (1.0 / 60.0)
// largest drag of a handle, metres
#define DRAG 0.2
// what counts as no pop, metres and radians: SW-4
#define POP 1e-6
// pivots of a matrix below this share of its largest entry are zero
#define SINGULAR 1e-9

typedef struct Body {
    bench_Setup setup;
    const sinew_Skeleton *skeleton;
    sinew_SwitchLimb limbs[SINEW_MAX_SWITCH_LIMBS];
    int limb_count;
    sinew_Switch *sw;
    sinew_Transform *before;
} Body;

static bool find_limbs(Body *body)
{
    sinew_RoleGuess *roles;
    if (sinew_roles_guess(body->skeleton, NULL, NULL, &roles, NULL) != SINEW_STATUS_OK) {
        return false;
    }
    body->limb_count = sinew_switch_find_limbs(
        body->skeleton, roles, body->limbs, SINEW_MAX_SWITCH_LIMBS);
    sinew_roles_destroy(roles);
    // bodies without roles, such as spiders, have limbs of their own
    const scene_Scene *scene = body->setup.scene;
    for (int e = 0; body->limb_count == 0 || (e > 0 && e < scene->effector_count); ++e) {
        if (e == scene->effector_count) { return false; }
        const scene_Effector *effector = &scene->effectors[e];
        if (effector->limb_root < 0 || effector->limb_root == effector->joint) { continue; }
        body->limbs[body->limb_count++] = sinew_switch_limb(
            body->skeleton, effector->limb_root, -1, effector->joint);
    }
    return true;
}

static bool open_body(const char *name, Body *body)
{
    memset(body, 0, sizeof *body);
    if (!bench_setup_open(name, &body->setup)) { return false; }
    body->skeleton = body->setup.scene->skeleton;
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = body->skeleton;
    def.limbs = body->limbs;
    if (!find_limbs(body)) { return false; }
    def.limb_count = body->limb_count;
    body->before = calloc(
        (size_t)sinew_skeleton_joint_count(body->skeleton), sizeof(sinew_Transform));
    return body->before != NULL && sinew_switch_create(&def, &body->sw, NULL) == SINEW_STATUS_OK;
}

static void close_body(Body *body)
{
    sinew_switch_destroy(body->sw);
    free(body->before);
    bench_setup_close(&body->setup);
}

static void keep(Body *body)
{
    sinew_pose_forward(body->skeleton, sinew_switch_pose(body->sw), body->before);
}

// a joint's turn against its parent
static sinew_Quat turn_of(const Body *body, const sinew_Transform *world, int joint)
{
    int parent = sinew_skeleton_joints(body->skeleton)[joint].parent;
    if (parent < 0) { return world[joint].rotation; }
    return sinew_quat_mul(sinew_quat_conjugate(world[parent].rotation), world[joint].rotation);
}

// since keep: the farthest way of a joint, and the largest turn of one
static void measure_step(Body *body, double *most_way, double *most_turn)
{
    sinew_Transform *world = body->setup.world;
    sinew_pose_forward(body->skeleton, sinew_switch_pose(body->sw), world);
    for (int j = 0; j < sinew_skeleton_joint_count(body->skeleton); ++j) {
        *most_way = fmax(
            *most_way, sinew_vec3_distance(body->before[j].position, world[j].position));
        *most_turn = fmax(
            *most_turn, sinew_quat_angle(turn_of(body, body->before, j), turn_of(body, world, j)));
    }
}

// ---------------------------------------------------------------------------------------------
// Switches

static const bench_Column switch_columns[] = {
    { "body", "body", NULL, 0.0 },
    { "verdict", "verdict", NULL, 0.0 },
    { "limbs", "limbs", "0", 1.0 },
    { "switches", "switches", "0", 1.0 },
    { "step m", "step_m", "9", 1.0 },
    { "step rad", "step_rad", "9", 1.0 },
    { "drag rad/frame", "drag_rad", "3", 1.0 },
    { "bits changed", "bits_changed", "0", 1.0 },
    { NULL, NULL, NULL, 0.0 },
};

static double drag_handle(Body *body, int limb, scene_Random *random)
{
    sinew_Handle handle;
    (void)sinew_switch_handle(body->sw, limb, &handle, NULL);
    sinew_Vec3 way;
    way.x = scene_random_range(random, -DRAG, DRAG);
    way.y = scene_random_range(random, -DRAG, DRAG);
    way.z = scene_random_range(random, -DRAG, DRAG);
    sinew_Vec3 from = handle.place.position;
    double turn = 0.0, moved = 0.0;
    for (int f = 1; f <= DRAG_FRAMES; ++f) {
        double t = (double)f / DRAG_FRAMES;
        handle.place.position = sinew_vec3_add_scaled(from, way, t * t * (3.0 - 2.0 * t));
        (void)sinew_switch_set_handle(body->sw, limb, &handle, NULL);
        keep(body);
        (void)sinew_switch_update(body->sw, FRAME, NULL, NULL);
        measure_step(body, &moved, &turn);
    }
    return turn;
}

// all limbs on and off, frame by frame, with nothing moved; how many coordinates changed a bit
static int toggle_idly(Body *body)
{
    int count = sinew_skeleton_coordinate_count(body->skeleton), changed = 0;
    for (int c = 0; c < count; ++c) { body->setup.q[c] = sinew_switch_pose(body->sw)[c]; }
    for (int f = 0; f < 10 * CYCLES; ++f) {
        (void)sinew_switch_enable_ik(body->sw, -1, f % 2 == 0, NULL);
        (void)sinew_switch_update(body->sw, FRAME, NULL, NULL);
    }
    for (int c = 0; c < count; ++c) {
        double now = sinew_switch_pose(body->sw)[c];
        changed += now == body->setup.q[c] ? 0 : 1;
    }
    return changed;
}

static void measure_switches(bench_Output *out, const char *name)
{
    Body body;
    if (!open_body(name, &body)) {
        out->failed = true;
        close_body(&body);
        return;
    }
    scene_Random random = scene_random(2013);
    double step_m = 0.0, step_rad = 0.0, drag = 0.0;
    int switches = 0;
    for (int i = 0; i < CYCLES * body.limb_count; ++i) {
        int limb = i % body.limb_count;
        // every tenth cycle anew from another pose of the body's own motion, to which limbs would go over otherwise
        if (i / body.limb_count % 10 == 0) {
            scene_pose_at(body.setup.scene, 0.013 * i, body.setup.q);
            (void)sinew_switch_reset(body.sw, body.setup.q, NULL);
        }
        for (int ik = 1; ik >= 0; --ik) {
            keep(&body);
            (void)sinew_switch_enable_ik(body.sw, limb, ik == 1, NULL);
            (void)sinew_switch_update(body.sw, FRAME, NULL, NULL);
            measure_step(&body, &step_m, &step_rad);
            ++switches;
            if (ik == 1) { drag = fmax(drag, drag_handle(&body, limb, &random)); }
        }
    }
    int changed = toggle_idly(&body);
    bool holds = step_m <= POP && step_rad <= POP && drag <= 0.3 + 1e-9 && changed == 0;
    const char *texts[] = { name, holds ? "holds" : "does not hold" };
    const double numbers[] = { body.limb_count, switches, step_m, step_rad, drag, changed };
    bench_row(out, switch_columns, texts, numbers);
    close_body(&body);
}

// ---------------------------------------------------------------------------------------------
// Three chains

static const bench_Column rig_columns[] = {
    { "rig", "rig", NULL, 0.0 },
    { "joints", "joints", "0", 1.0 },
    { "idle us", "idle_us", "2", 1e6 },
    { "dragged us", "dragged_us", "2", 1e6 },
    { "pop m", "pop_m", "9", 1.0 },
    { NULL, NULL, NULL, 0.0 },
};

// One arm in three chains, as rigs have it: one that FK turns, one that follows a handle, and one that shows the one or
// the other.
typedef struct ThreeChains {
    bench_Setup *setup;
    const sinew_SwitchLimb *limb;
    double *fk, *ik, *result; // poses; of the arm alone they differ
    sinew_Solver *solver;
    sinew_Goal goals[2]; // the hand's pose, and the elbow's side below it, as the switch asks
    bool shows_ik;
} ThreeChains;

static void evaluate_three(ThreeChains *rig)
{
    const sinew_Skeleton *skeleton = rig->setup->scene->skeleton;
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    options.restarts = 0;
    options.position_tolerance = options.orientation_tolerance = 1e-7;
    (void)sinew_solver_solve(rig->solver, &options, rig->goals, 2, rig->ik, NULL, NULL);
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof(double);
    memcpy(rig->result, rig->shows_ik ? rig->ik : rig->fk, bytes);
    // all three are posed, since all three are shown or connected to something
    sinew_pose_forward_chain(skeleton, rig->fk, rig->limb->tip, rig->setup->world);
    sinew_pose_forward_chain(skeleton, rig->ik, rig->limb->tip, rig->setup->world);
    sinew_pose_forward_chain(skeleton, rig->result, rig->limb->tip, rig->setup->world);
}

static sinew_Vec3 swing(int frame)
{
    double s, c;
    sinew_sincos(2.0 * SINEW_PI * frame / 120.0, &s, &c);
    return sinew_vec3(0.05 * s, 0.05 * c - 0.05, 0.03 * s);
}

// middle time of a frame while the handle rests or swings
static double time_three(ThreeChains *rig, bool drag, double *times)
{
    sinew_Vec3 from = rig->goals[0].position;
    for (int f = 0; f < TIMED_FRAMES; ++f) {
        if (drag) { rig->goals[0].position = sinew_vec3_add(from, swing(f)); }
        double start = bench_clock(NULL);
        evaluate_three(rig);
        times[f] = bench_clock(NULL) - start;
    }
    rig->goals[0].position = from;
    qsort(times, TIMED_FRAMES, sizeof *times, bench_compare);
    return times[TIMED_FRAMES / 2];
}

static double time_one(Body *body, int limb, bool drag, double *times)
{
    sinew_Handle handle;
    (void)sinew_switch_handle(body->sw, limb, &handle, NULL);
    sinew_Vec3 from = handle.place.position;
    for (int f = 0; f < TIMED_FRAMES; ++f) {
        if (drag) { handle.place.position = sinew_vec3_add(from, swing(f)); }
        (void)sinew_switch_set_handle(body->sw, limb, &handle, NULL);
        double start = bench_clock(NULL);
        (void)sinew_switch_update(body->sw, FRAME, NULL, NULL);
        sinew_pose_forward_chain(
            body->skeleton, sinew_switch_pose(body->sw), body->limbs[limb].tip, body->setup.world);
        times[f] = bench_clock(NULL) - start;
    }
    qsort(times, TIMED_FRAMES, sizeof *times, bench_compare);
    return times[TIMED_FRAMES / 2];
}

// FK turns the shoulder while the handle of the other chain stays behind: what the selector then shows
static double pop_of_three(ThreeChains *rig, const sinew_Joint *shoulder)
{
    rig->shows_ik = false;
    rig->fk[shoulder->coordinate_start] -= 0.3;
    evaluate_three(rig);
    sinew_Vec3 before = rig->setup->world[rig->limb->tip].position;
    rig->shows_ik = true;
    evaluate_three(rig);
    return sinew_vec3_distance(before, rig->setup->world[rig->limb->tip].position);
}

static double pop_of_one(Body *body, int limb, const sinew_Joint *shoulder)
{
    double values[4 * SINEW_MAX_AXES_PER_JOINT], way = 0.0, turn = 0.0;
    (void)sinew_switch_enable_ik(body->sw, limb, false, NULL);
    memcpy(values, &sinew_switch_pose(body->sw)[shoulder->coordinate_start],
        (size_t)shoulder->coordinate_count * sizeof(double));
    values[0] -= 0.3;
    (void)sinew_switch_set_joint(body->sw, body->limbs[limb].root, values, NULL);
    keep(body);
    (void)sinew_switch_enable_ik(body->sw, limb, true, NULL);
    (void)sinew_switch_update(body->sw, FRAME, NULL, NULL);
    measure_step(body, &way, &turn);
    return way;
}

static bool measure_rigs(bench_Output *out, Body *body, int limb, double *times)
{
    const sinew_SwitchLimb *own = &body->limbs[limb];
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(body->skeleton);
    double *poses = calloc(3 * coordinates, sizeof(double));
    if (poses == NULL) { return false; }
    ThreeChains rig = { .setup = &body->setup,
        .limb = own,
        .fk = poses,
        .ik = poses + coordinates,
        .result = poses + 2 * coordinates,
        .solver = body->setup.solver,
        .shows_ik = true };
    scene_pose_at(body->setup.scene, 0.3, rig.fk);
    memcpy(rig.ik, rig.fk, coordinates * sizeof(double));
    sinew_pose_forward(body->skeleton, rig.fk, body->setup.world);
    rig.goals[0] = sinew_goal_pose(
        own->tip, body->setup.world[own->tip].position, body->setup.world[own->tip].rotation);
    rig.goals[0].chain_root = own->root;
    sinew_Handle handle;
    (void)sinew_switch_enable_ik(body->sw, -1, false, NULL);
    (void)sinew_switch_reset(body->sw, rig.fk, NULL);
    (void)sinew_switch_handle(body->sw, limb, &handle, NULL);
    rig.goals[1] = sinew_goal_pole(own->root, own->middle, own->tip, handle.pole);
    rig.goals[1].chain_root = own->root;
    rig.goals[1].priority = 1;
    (void)sinew_switch_reset(body->sw, rig.fk, NULL);
    (void)sinew_switch_enable_ik(body->sw, limb, true, NULL);

    int chain = 0;
    for (int j = own->tip; j >= own->root; j = joints[j].parent) { ++chain; }
    const char *one[] = { "one chain" }, *three[] = { "three chains (FK, IK, result)" };
    double idle = time_one(body, limb, false, times), dragged = time_one(body, limb, true, times);
    const double ours[] = { chain, idle, dragged, pop_of_one(body, limb, &joints[own->root]) };
    bench_row(out, rig_columns, one, ours);
    idle = time_three(&rig, false, times);
    dragged = time_three(&rig, true, times);
    const double theirs[] = { 3 * chain, idle, dragged, pop_of_three(&rig, &joints[own->root]) };
    bench_row(out, rig_columns, three, theirs);
    free(poses);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Paths of the end point, and the published inverse

static const bench_Column path_columns[] = {
    { "from one pose to another", "way", NULL, 0.0 },
    { "off the straight line, mm", "off_line_m", "3", 1e3 },
    { NULL, NULL, NULL, 0.0 },
};

static double off_line(sinew_Vec3 p, sinew_Vec3 a, sinew_Vec3 b)
{
    sinew_Vec3 line = sinew_vec3_sub(b, a), from = sinew_vec3_sub(p, a);
    double share = sinew_vec3_dot(from, line) / sinew_vec3_dot(line, line);
    return sinew_vec3_length(sinew_vec3_add_scaled(from, line, -share));
}

// the joints go evenly from pose to pose in FK, the handle straight from place to place in IK
static void measure_paths(bench_Output *out, Body *body, int limb)
{
    const sinew_SwitchLimb *own = &body->limbs[limb];
    sinew_Transform *world = body->setup.world;
    double *a = body->setup.start, *b = body->setup.q;
    (void)sinew_switch_enable_ik(body->sw, -1, false, NULL);
    scene_pose_at(body->setup.scene, 0.0, a);
    memcpy(b, a, (size_t)sinew_skeleton_coordinate_count(body->skeleton) * sizeof(double));
    const sinew_Joint *shoulder = &sinew_skeleton_joints(body->skeleton)[own->root];
    const sinew_Joint *elbow = &sinew_skeleton_joints(body->skeleton)[own->middle];
    a[elbow->coordinate_start] = -0.5;
    b[elbow->coordinate_start] = -0.9;
    b[shoulder->coordinate_start] -= 0.9;
    sinew_pose_forward_chain(body->skeleton, a, own->tip, world);
    sinew_Vec3 first = world[own->tip].position;
    sinew_Quat turn = world[own->tip].rotation;
    sinew_pose_forward_chain(body->skeleton, b, own->tip, world);
    sinew_Vec3 last = world[own->tip].position;
    sinew_Quat end_turn = world[own->tip].rotation;

    double fk = 0.0, ik = 0.0;
    (void)sinew_switch_reset(body->sw, a, NULL);
    (void)sinew_switch_enable_ik(body->sw, limb, true, NULL);
    double *between = malloc(
        (size_t)sinew_skeleton_coordinate_count(body->skeleton) * sizeof(double));
    for (int f = 0; between != NULL && f <= PATH_FRAMES; ++f) {
        double t = (double)f / PATH_FRAMES;
        sinew_pose_interpolate(body->skeleton, a, b, t, between);
        sinew_pose_forward_chain(body->skeleton, between, own->tip, world);
        fk = fmax(fk, off_line(world[own->tip].position, first, last));
        sinew_Handle handle;
        (void)sinew_switch_handle(body->sw, limb, &handle, NULL);
        handle.place.position = sinew_vec3_lerp(first, last, t);
        handle.place.rotation = sinew_quat_slerp(turn, end_turn, t);
        (void)sinew_switch_set_handle(body->sw, limb, &handle, NULL);
        (void)sinew_switch_update(body->sw, FRAME, NULL, NULL);
        sinew_pose_forward_chain(body->skeleton, sinew_switch_pose(body->sw), own->tip, world);
        ik = fmax(ik, off_line(world[own->tip].position, first, last));
    }
    out->failed = out->failed || between == NULL;
    free(between);
    const char *arc[] = { "FK: an arc" }, *line[] = { "IK: a line" };
    bench_row(out, path_columns, arc, &fk);
    bench_row(out, path_columns, line, &ik);
}

static const bench_Column inverse_columns[] = {
    { "matrix to invert", "matrix", NULL, 0.0 },
    { "size", "size", "0", 1.0 },
    { "rank", "rank", "0", 1.0 },
    { NULL, NULL, NULL, 0.0 },
};

// by elimination with the largest pivot; destroys the matrix
static int rank_of(double *matrix, int n)
{
    double largest = 0.0;
    for (int i = 0; i < n * n; ++i) { largest = fmax(largest, fabs(matrix[i])); }
    int rank = 0;
    for (; rank < n; ++rank) {
        int row = rank, column = rank;
        for (int i = rank; i < n; ++i) {
            for (int j = rank; j < n; ++j) {
                if (fabs(matrix[i * n + j]) > fabs(matrix[row * n + column])) {
                    row = i;
                    column = j;
                }
            }
        }
        if (fabs(matrix[row * n + column]) <= SINGULAR * largest) { break; }
        for (int k = 0; k < n; ++k) {
            double swap = matrix[rank * n + k];
            matrix[rank * n + k] = matrix[row * n + k];
            matrix[row * n + k] = swap;
        }
        for (int k = 0; k < n; ++k) {
            double swap = matrix[k * n + rank];
            matrix[k * n + rank] = matrix[k * n + column];
            matrix[k * n + column] = swap;
        }
        for (int i = rank + 1; i < n; ++i) {
            double share = matrix[i * n + rank] / matrix[rank * n + rank];
            for (int j = rank; j < n; ++j) { matrix[i * n + j] -= share * matrix[rank * n + j]; }
        }
    }
    return rank;
}

static void measure_inverses(bench_Output *out, Body *body, int limb)
{
    const sinew_SwitchLimb *own = &body->limbs[limb];
    int dofs = sinew_skeleton_dof_count(body->skeleton), n = 0;
    double *jacobian = calloc(3 * (size_t)dofs, sizeof(double));
    double *product = calloc((size_t)dofs * (size_t)dofs, sizeof(double));
    if (jacobian == NULL || product == NULL) {
        out->failed = true;
        free(jacobian);
        free(product);
        return;
    }
    scene_pose_at(body->setup.scene, 0.3, body->setup.q);
    sinew_pose_forward(body->skeleton, body->setup.q, body->setup.world);
    sinew_Goal goal = sinew_goal_position(own->tip, sinew_vec3(0.0, 0.0, 0.0));
    goal.chain_root = own->root;
    sinew_jacobian(body->skeleton, body->setup.q, body->setup.world, &goal, jacobian);
    // the columns of the arm, moved together
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    for (int d = joints[own->root].dof_start;
         d < joints[own->tip].dof_start + joints[own->tip].dof_count; ++d, ++n) {
        for (int r = 0; r < 3; ++r) { jacobian[r * dofs + n] = jacobian[r * dofs + d]; }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            product[i * n + j] = 0.0;
            for (int r = 0; r < 3; ++r) {
                product[i * n + j] += jacobian[r * dofs + i] * jacobian[r * dofs + j];
            }
        }
    }
    const char *left[] = { "J^T J, as printed" }, *right[] = { "J J^T, as it must be" };
    const double printed[] = { n, rank_of(product, n) };
    bench_row(out, inverse_columns, left, printed);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            product[i * 3 + j] = 0.0;
            for (int k = 0; k < n; ++k) {
                product[i * 3 + j] += jacobian[i * dofs + k] * jacobian[j * dofs + k];
            }
        }
    }
    const double ours[] = { 3, rank_of(product, 3) };
    bench_row(out, inverse_columns, right, ours);
    free(jacobian);
    free(product);
}

int sinew_bench_switch(bool json)
{
    bench_Output out = { .as_json = json };
    if (json) { out.json = cli_json_begin(); }
    bench_columns_begin(&out, "switches",
        "Switches between FK and IK, 1000 on and off of each limb with a drag between; then 10,000 "
        "idle ones",
        switch_columns);
    const char *names[] = { "MAN18", "QUADRUPED", "SPIDER" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        measure_switches(&out, names[i]);
    }
    bench_table_end(&out);

    Body body;
    double *times = malloc(TIMED_FRAMES * sizeof *times);
    bool open = open_body("MAN18", &body) && times != NULL;
    const int arm = 0;
    if (open) {
        bench_columns_begin(&out, "rigs",
            "An arm of MAN18 on one chain and on three; pop: FK turns the shoulder by 0.3 rad, "
            "then IK is enabled",
            rig_columns);
        open = measure_rigs(&out, &body, arm, times);
        bench_table_end(&out);
        bench_columns_begin(&out, "paths", "Path of the hand between two poses", path_columns);
        measure_paths(&out, &body, arm);
        bench_table_end(&out);
        bench_columns_begin(&out, "inverses",
            "Bhatti et al. (2013), eq. 6: the inverse of a hand's place on this arm",
            inverse_columns);
        measure_inverses(&out, &body, arm);
        bench_table_end(&out);
    }
    close_body(&body);
    free(times);
    if (json) { cli_json_end(&out.json); }
    return out.failed || !open ? 1 : 0;
}
