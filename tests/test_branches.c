// Trees laid out for speed say the same as forward kinematics, finite differences and a dense solver,
// and never leave a range.

#include "auto_bodies.h"

#include "math/chord.h"
#include "solve/branches.h"
#include "solve/reach.h"

enum { MAX_AXES = AUTO_MAX_JOINTS * AUTO_MAX_AXES, MAX_GOALS = 8, MAX_ROWS = 6 * MAX_GOALS };

typedef struct Case {
    auto_Draft draft;
    sinew_Skeleton *skeleton;
    rig_Rig rig;
    snw_Branches branches;
    void *block;
    sinew_Goal goals[MAX_GOALS];
    int goal_count;
    double q[BODY_MAX_NUMBERS];
    // read by whole lanes
    _Alignas(64) double joints[MAX_AXES + 1];
    _Alignas(64) double moved[MAX_AXES + 1];
    int rows;
} Case;

// joints that branch at random
static void random_tree(Case *c, test_Random *random, int before)
{
    int last = before - 1;
    int count = 2 + test_int(random, test_int(random, 3) ? 10 : 36);
    for (int j = 0; j < count; ++j) {
        int parent = last;
        while (parent >= 0 && test_int(random, 3) == 0) {
            int above = c->draft.joints[parent].parent;
            // a step off the joints that stand still would leave a chain of them behind
            if (parent < before) { break; }
            parent = above;
        }
        last = auto_joint(&c->draft, random, parent, test_int(random, AUTO_MAX_AXES + 1));
    }
}

// fingers on a wrist, each with a goal of place
static void random_hand(Case *c, test_Random *random, int before)
{
    int palm = before - 1, wrist_joints = test_int(random, 4);
    for (int j = 0; j < wrist_joints; ++j) {
        palm = auto_joint(&c->draft, random, palm, 1 + test_int(random, AUTO_MAX_AXES));
    }
    c->goal_count = 2 + test_int(random, 4);
    for (int g = 0; g < c->goal_count; ++g) {
        // now and then the rest stands farther up
        if (g > 0 && palm > before && test_int(random, 4) == 0) {
            palm = c->draft.joints[palm].parent;
        }
        int parent = palm, bones = 2 + test_int(random, 3);
        for (int b = 0; b < bones; ++b) {
            parent = auto_joint(&c->draft, random, parent, 1 + test_int(random, AUTO_MAX_AXES));
        }
        c->goals[g] = sinew_goal_position(parent, test_vector(random, 3.0 * c->draft.scale));
        c->goals[g].joint_from_effector = test_transform(random, c->draft.scale);
        c->goals[g].position_weight = pow(10.0, test_range(random, -2.0, 2.0));
    }
}

static void random_goals(Case *c, test_Random *random, int before)
{
    int moving = c->draft.joint_count - before;
    c->goal_count = 1 + test_int(random, MAX_GOALS);
    for (int g = 0; g < c->goal_count; ++g) {
        // several on one joint, now and then
        int joint = g > 0 && test_int(random, 4) == 0 ? c->goals[g - 1].joint
                                                      : before + test_int(random, moving);
        sinew_Goal goal = sinew_goal_position(joint, test_vector(random, 3.0 * c->draft.scale));
        goal.kind = (sinew_GoalKind)test_int(random, 3);
        goal.orientation = test_unit_quat(random);
        if (test_int(random, 2)) {
            goal.joint_from_effector = test_transform(random, c->draft.scale);
        }
        goal.position_weight = pow(10.0, test_range(random, -2.0, 2.0));
        goal.orientation_weight = pow(10.0, test_range(random, -2.0, 2.0));
        if (test_int(random, 10) == 0) { goal.position_weight = 0.0; }
        c->goals[g] = goal;
    }
}

// what hangs below the joints that stand still moves
static void free_chains(Case *c, int before)
{
    const sinew_JointDef *joints = c->draft.joints;
    for (int g = 0; g < c->goal_count; ++g) {
        sinew_Goal *goal = &c->goals[g];
        goal->chain_root = goal->joint;
        while (joints[goal->chain_root].parent >= before) {
            goal->chain_root = joints[goal->chain_root].parent;
        }
    }
}

// false: nothing of it can move, or something that cannot is asked for
static bool begin(Case *c, test_Random *random, bool locked, bool ranges)
{
    memset(c, 0, sizeof *c);
    auto_begin(&c->draft, random, locked, ranges);
    // roots in the world, or on joints that stand still
    int before = test_int(random, 4), last = -1;
    for (int j = 0; j < before; ++j) { last = auto_still_joint(&c->draft, random, last); }
    bool hand = test_int(random, 3) == 0;
    if (hand) {
        random_hand(c, random, before);
    } else {
        random_tree(c, random, before);
    }
    c->skeleton = auto_skeleton(&c->draft);
    if (!hand) { random_goals(c, random, before); }
    free_chains(c, before);
    auto_pose(random, c->skeleton, c->draft.scale, c->q);
    rig_init(&c->rig, c->skeleton, MAX_GOALS);
    rig_set(&c->rig, c->goals, c->goal_count, c->q, false);

    snw_Arena arena = { NULL, 0 };
    snw_branches_take(&c->branches, snw_sizes_of(c->skeleton, MAX_GOALS), &arena);
    c->block = test_block(arena.used);
    arena.base = c->block;
    arena.used = 0;
    snw_branches_take(&c->branches, snw_sizes_of(c->skeleton, MAX_GOALS), &arena);
    const snw_Plan *plan = &c->rig.plan;
    snw_branches_build(&c->branches, plan);
    bool all_move = plan->dof_count > 0;
    for (int e = 0; e < c->goal_count; ++e) {
        all_move = all_move && plan->effectors[e].link >= plan->static_link_count;
    }
    TEST_INT(c->branches.count > 0, all_move);
    if (!all_move) { return false; }
    snw_branches_begin(&c->branches, plan, &c->rig.targets,
        ranges ? SINEW_LIMITS_ACTIVE : SINEW_LIMITS_NONE, &c->rig.state);
    for (int i = 0; i <= MAX_AXES; ++i) { c->joints[i] = c->moved[i] = 7.5; }
    for (int i = 0; i < c->branches.groups * SNW_LANE_COUNT; ++i) {
        // lanes beyond the last joint hold any number, as long as it is one
        c->branches.sine[i] = c->branches.cosine[i] = 0.0;
    }
    snw_branches_load(&c->branches, plan, c->rig.state.values, c->joints);
    c->rows = 6 * c->goal_count;
    return true;
}

static void end(Case *c)
{
    test_block_free(c->block);
    rig_free(&c->rig);
    sinew_skeleton_destroy(c->skeleton);
}

static bool is_locked(const Case *c, int i)
{
    return c->rig.plan.links[c->rig.plan.static_link_count + i].dof < 0;
}

// the effectors and their errors are those of forward kinematics
static void test_measure_against_forward(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(61, i);
        static Case c;
        if (begin(&c, &random, i % 2 == 0, i % 3 == 0)) {
            ++count;
            double reach = c.branches.reach, size = 1.0, expected2 = 0.0;
            double error2 = snw_branches_measure(&c.branches, c.joints);
            sinew_Transform world[AUTO_MAX_JOINTS];
            sinew_pose_forward(c.skeleton, c.q, world);
            for (int j = 0; j < c.draft.joint_count; ++j) {
                size += sinew_vec3_length(world[j].position) / reach;
            }
            for (int e = 0; e < c.goal_count; ++e) {
                const snw_BranchTip *tip = &c.branches.tips[e];
                const sinew_Goal *goal = &c.goals[e];
                sinew_Transform at = sinew_transform_mul(
                    world[goal->joint], goal->joint_from_effector);
                double exact = 1e-14 * (size + sinew_vec3_length(goal->position) / reach);
                TEST_VEC3_NEAR(tip->point, sinew_vec3_scale(at.position, 1.0 / reach), exact);
                if (goal->kind != SINEW_GOAL_ORIENTATION) {
                    sinew_Vec3 way = sinew_vec3_sub(goal->position, at.position);
                    double distance2 = sinew_vec3_dot(way, way) / (reach * reach);
                    TEST_VEC3_NEAR(tip->position_error, sinew_vec3_scale(way, 1.0 / reach), exact);
                    TEST_NEAR(sqrt(tip->position_error2), sqrt(distance2), exact);
                    expected2 += goal->position_weight * distance2;
                }
                if (goal->kind != SINEW_GOAL_POSITION) {
                    sinew_Mat3 now = sinew_mat3_from_quat(at.rotation);
                    sinew_Mat3 wanted = sinew_mat3_from_quat(goal->orientation);
                    sinew_Vec3 chord = snw_rotation_chord(&now, &wanted);
                    double chord2 = sinew_vec3_dot(chord, chord);
                    // at a half turn its sign is anybody's
                    if (chord2 < 3.999) { TEST_VEC3_NEAR(tip->chord, chord, 1e-10); }
                    TEST_NEAR(sqrt(tip->chord2), sqrt(chord2), 1e-11);
                    double scale = c.rig.targets.orientation_scale[e] / reach;
                    expected2 += scale * scale * chord2;
                }
            }
            TEST_NEAR(error2, expected2, 1e-10 * (1.0 + expected2) * size * size);
        }
        end(&c);
    }
    TEST_TRUE(count > 1200);
}

// the model that the step has, rows by goal (unused ones 0), columns together
static void copy_model(const Case *c, double *jacobian, double *error)
{
    const snw_Branches *b = &c->branches;
    for (int k = 0; k < b->count * c->rows; ++k) { jacobian[k] = 0.0; }
    for (int e = 0; e < c->goal_count; ++e) {
        const snw_BranchTip *tip = &b->tips[e];
        const snw_BranchJoint *last = &b->joints[tip->joint];
        for (int k = 0; k <= last->depth; ++k) {
            double *column = &jacobian[b->path[last->row + k] * c->rows + 6 * e];
            int at = tip->column + k;
            const double rows[6] = { b->x[at], b->y[at], b->z[at], b->turn_x[at], b->turn_y[at],
                b->turn_z[at] };
            if (tip->position) { memcpy(column, rows, 3 * sizeof *rows); }
            if (tip->orientation) { memcpy(column + 3, rows + 3, 3 * sizeof *rows); }
        }
        double *wanted = &error[6 * e];
        memset(wanted, 0, 6 * sizeof *wanted);
        sinew_Vec3 p = sinew_vec3_scale(tip->position_error, tip->position_weight);
        sinew_Vec3 r = sinew_vec3_scale(tip->chord, tip->orientation_weight);
        if (tip->position) { memcpy(wanted, &p, sizeof p); }
        if (tip->orientation) { memcpy(wanted + 3, &r, sizeof r); }
    }
}

static void test_columns_against_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(62, i);
        static Case c;
        if (begin(&c, &random, i % 2 == 0, false)) {
            static double jacobian[MAX_ROWS * MAX_AXES], error[MAX_ROWS];
            static snw_BranchTip ahead[MAX_GOALS];
            static sinew_Mat3 frames[MAX_GOALS];
            (void)snw_branches_measure(&c.branches, c.joints);
            snw_branches_linearize(&c.branches);
            copy_model(&c, jacobian, error);
            for (int k = 0; k < c.branches.count; ++k) {
                const double h = 1e-5;
                double here = c.joints[k];
                c.joints[k] = here + h;
                (void)snw_branches_measure(&c.branches, c.joints);
                for (int e = 0; e < c.goal_count; ++e) {
                    ahead[e] = c.branches.tips[e];
                    frames[e] = c.branches.frame[ahead[e].joint];
                }
                c.joints[k] = here - h;
                (void)snw_branches_measure(&c.branches, c.joints);
                c.joints[k] = here;
                for (int e = 0; e < c.goal_count; ++e) {
                    const snw_BranchTip *tip = &c.branches.tips[e];
                    const double *column = &jacobian[k * c.rows + 6 * e];
                    sinew_Vec3 linear = { column[0], column[1], column[2] };
                    sinew_Vec3 angular = { column[3], column[4], column[5] };
                    sinew_Vec3 way = sinew_vec3_scale(
                        sinew_vec3_sub(ahead[e].point, tip->point), 0.5 / h);
                    sinew_Vec3 turn = sinew_vec3_scale(
                        snw_rotation_chord(&c.branches.frame[tip->joint], &frames[e]), 0.5 / h);
                    double size = 1.0 + fabs(here) + sinew_vec3_length(tip->point);
                    double exact = 1e-8 * (1.0 + size * size);
                    if (tip->position) {
                        TEST_VEC3_NEAR(linear, sinew_vec3_scale(way, tip->position_weight),
                            exact * fmax(1.0, tip->position_weight));
                    }
                    if (tip->orientation) {
                        TEST_VEC3_NEAR(angular, sinew_vec3_scale(turn, tip->orientation_weight),
                            exact * fmax(1.0, tip->orientation_weight));
                    }
                }
            }
        }
        end(&c);
    }
}

// DLS-1, DLS-2: where no range is in the way, the step is that of a dense solver over all free joints
static void test_step_against_dense(void **state)
{
    (void)state;
    double worst = 0.0;
    int by_limbs = 0;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(63, i);
        static Case c;
        if (begin(&c, &random, i % 3 == 0, false)) {
            static double jacobian[MAX_ROWS * MAX_AXES], error[MAX_ROWS];
            static double expected[MAX_AXES], found[MAX_AXES];
            bool may_move[MAX_AXES];
            int count = c.branches.count;
            double error2 = snw_branches_measure(&c.branches, c.joints);
            snw_branches_linearize(&c.branches);
            copy_model(&c, jacobian, error);
            double trace = 0.0, largest, most = 0.0, far = 0.0, longest = 1.0;
            for (int k = 0; k < count; ++k) { may_move[k] = !is_locked(&c, k); }
            for (int k = 0; k < count * c.rows; ++k) { trace += jacobian[k] * jacobian[k]; }
            double damping = trace * pow(10.0, test_range(&random, -9.0, 0.0));
            if (!(damping > 1e-300)) { damping = 1e-10; }
            by_limbs += c.branches.has_limbs ? 1 : 0;
            double promise = snw_branches_step(&c.branches, c.joints, damping, c.moved, &largest);
            auto_dense_step(jacobian, c.rows, count, may_move, error, damping, expected);
            for (int k = 0; k < count; ++k) {
                found[k] = c.moved[k] - c.joints[k];
                far = fmax(far, fabs(found[k] - expected[k]));
                most = fmax(most, fabs(expected[k]));
                longest = fmax(longest, fabs(c.joints[k]));
            }
            double share = fmin(1.0, 1e-12 * (trace / damping));
            TEST_NEAR(far, 0.0, most * share + 1e-12 * longest);
            if (damping > 1e-4 * trace) { worst = fmax(worst, far / (most + 1e-12)); }
            double rest2 = auto_rest2(jacobian, c.rows, count, error, found);
            TEST_NEAR(promise, rest2, 1e-9 * (rest2 + error2));
        }
        end(&c);
    }
    print_message("    largest difference %g of the step, %d by limbs\n", worst, by_limbs);
    TEST_TRUE(by_limbs >= 200);
}

// DLS-6, DLS-7: nothing leaves a range, joints on a bound that are pushed outward stay, and what the model
// promises is what is left
static void test_step_within_ranges(void **state)
{
    (void)state;
    int held = 0, stopped = 0;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(64, i);
        static Case c;
        if (begin(&c, &random, i % 2 == 0, true)) {
            static double jacobian[MAX_ROWS * MAX_AXES], error[MAX_ROWS], found[MAX_AXES];
            int count = c.branches.count;
            double error2 = snw_branches_measure(&c.branches, c.joints);
            snw_branches_linearize(&c.branches);
            copy_model(&c, jacobian, error);
            double damping = pow(10.0, test_range(&random, -9.0, 0.0)), largest, most = 0.0;
            double promise = snw_branches_step(&c.branches, c.joints, damping, c.moved, &largest);
            for (int k = 0; k < count; ++k) {
                double lower = c.branches.lower[k], upper = c.branches.upper[k], force = 0.0;
                TEST_TRUE(c.moved[k] >= lower && c.moved[k] <= upper);
                found[k] = c.moved[k] - c.joints[k];
                most = fmax(most, fabs(found[k]));
                double size = 0.0;
                for (int r = 0; r < c.rows; ++r) {
                    double product = jacobian[k * c.rows + r] * error[r];
                    force += product;
                    size += fabs(product);
                }
                double noise = 1e-12 * size;
                bool pushed = (c.joints[k] == lower && force < -noise)
                    || (c.joints[k] == upper && force > noise);
                if (is_locked(&c, k) || pushed) { TEST_TRUE(found[k] == 0.0); }
                held += pushed ? 1 : 0;
                stopped += found[k] != 0.0 && (c.moved[k] == lower || c.moved[k] == upper) ? 1 : 0;
            }
            TEST_TRUE(largest == most);
            double rest2 = auto_rest2(jacobian, c.rows, count, error, found);
            TEST_NEAR(promise, rest2, 1e-9 * (rest2 + error2));

            double values[BODY_MAX_NUMBERS];
            memcpy(values, c.rig.state.values, (size_t)c.rig.plan.value_count * sizeof values[0]);
            const snw_Plan *plan = &c.rig.plan;
            snw_branches_store(&c.branches, plan, c.moved, values);
            for (int l = plan->static_link_count; l < plan->link_count; ++l) {
                const snw_Link *link = &plan->links[l];
                int k = l - plan->static_link_count;
                double value = values[link->value];
                if (link->dof < 0 || found[k] == 0.0) {
                    TEST_TRUE(value == c.rig.state.values[link->value]);
                    continue;
                }
                TEST_TRUE(value >= plan->lower[link->dof] && value <= plan->upper[link->dof]);
                TEST_TRUE(c.moved[k] != c.branches.lower[k] || value == plan->lower[link->dof]);
                TEST_TRUE(c.moved[k] != c.branches.upper[k] || value == plan->upper[link->dof]);
            }
        }
        end(&c);
    }
    TEST_TRUE(held > 300 && stopped > 300);
}

static void test_load_and_store_keep_bits(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(65, i);
        static Case c;
        if (begin(&c, &random, i % 2 == 0, i % 3 != 0)) {
            double values[BODY_MAX_NUMBERS];
            memcpy(values, c.rig.state.values, (size_t)c.rig.plan.value_count * sizeof values[0]);
            snw_branches_store(&c.branches, &c.rig.plan, c.joints, values);
            TEST_TRUE(body_same_bits(values, c.rig.state.values, c.rig.plan.value_count));
        }
        end(&c);
    }
}

static double error2_of(const snw_BranchTip *tip)
{
    double error2 = 0.0;
    if (tip->position) { error2 += pow(tip->position_weight, 2.0) * tip->position_error2; }
    if (tip->orientation) { error2 += pow(tip->orientation_weight, 2.0) * tip->chord2; }
    return error2;
}

// whether a joint moves a tip that has its share of the error, and no other
static bool is_of_bad_limb(const snw_Branches *b, int joint, const bool *bad)
{
    int moves = 0, moves_bad = 0;
    for (int e = 0; e < b->tip_count; ++e) {
        const snw_BranchJoint *last = &b->joints[b->tips[e].joint];
        for (int k = 0; k <= last->depth; ++k) {
            bool there = b->path[last->row + k] == joint;
            moves += there ? 1 : 0;
            moves_bad += there && bad[e] ? 1 : 0;
        }
    }
    return moves == 1 && moves_bad == 1;
}

// limbs that have found their places keep them, the others take the nearest of what is drawn
static void test_limbs_are_drawn_apart(void **state)
{
    (void)state;
    enum { DRAWS = 5 };
    int kept_trees = 0, whole = 0, moved = 0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(66, i);
        static Case c;
        if (begin(&c, &random, false, true)) {
            snw_Branches *b = &c.branches;
            bool bad[MAX_GOALS], any_kept = false;
            double before[MAX_AXES + 1], least[MAX_GOALS];
            double error2 = snw_branches_measure(b, c.joints), share = i % 4 == 0 ? 0.0 : 0.25;
            for (int e = 0; e < b->tip_count; ++e) {
                bad[e] = !(error2_of(&b->tips[e]) < share * error2);
                any_kept = any_kept || !bad[e];
                least[e] = INFINITY;
            }
            memcpy(before, c.joints, sizeof before);
            snw_branches_keep_limbs(b, share);
            for (int draw = 0; draw < DRAWS; ++draw) {
                for (int k = 0; k < b->count; ++k) { c.moved[k] = test_range(&random, -1.0, 1.0); }
                snw_branches_take_draw(b, draw == 0, c.moved, c.joints);
                for (int e = 0; e < b->tip_count; ++e) {
                    least[e] = fmin(least[e], error2_of(&b->tips[e]));
                }
            }
            for (int k = 0; k < b->count; ++k) {
                bool stays = any_kept && !is_of_bad_limb(b, k, bad);
                TEST_TRUE(!stays || c.joints[k] == before[k]);
                moved += c.joints[k] != before[k] ? 1 : 0;
            }
            (void)snw_branches_measure(b, c.joints);
            for (int e = 0; e < b->tip_count; ++e) {
                TEST_NEAR(error2_of(&b->tips[e]), least[e], 1e-12 * (1.0 + least[e]));
            }
            kept_trees += any_kept ? 1 : 0;
            whole += any_kept ? 0 : 1;
        }
        end(&c);
    }
    TEST_TRUE(kept_trees > 200 && whole > 100 && moved > 1000);
}

// goals where a pose has them are never told beyond all bones, far ones are wherever something bounds them
static void test_reach_is_passed(void **state)
{
    (void)state;
    int far = 0, bounded = 0;
    for (int i = 0; i < 1500; ++i) {
        test_Random random = test_case(67, i);
        static Case c;
        bool ranges = i % 3 != 0;
        if (begin(&c, &random, i % 2 == 0, ranges)) {
            sinew_Transform world[AUTO_MAX_JOINTS];
            sinew_pose_forward(c.skeleton, c.q, world);
            for (int g = 0; g < c.goal_count; ++g) {
                sinew_Transform at = sinew_transform_mul(
                    world[c.goals[g].joint], c.goals[g].joint_from_effector);
                c.goals[g].position = at.position;
            }
            rig_set(&c.rig, c.goals, c.goal_count, c.q, false);
            double little = 1e-12 * (1.0 + c.branches.reach);
            static snw_Span spans[8 * AUTO_MAX_JOINTS];
            double least2;
            TEST_TRUE(!snw_reach_is_passed(
                &c.rig.plan, &c.rig.targets, &c.rig.state, ranges, little, spans, &least2));
            // no chain whose slides have ranges is so long
            bool place = c.goals[0].kind != SINEW_GOAL_ORIENTATION
                && c.goals[0].position_weight > 0.0;
            if (ranges && place) {
                sinew_Vec3 away = sinew_vec3_scale(
                    test_unit_vector(&random), 1e4 * c.branches.reach);
                c.goals[0].position = sinew_vec3_add(c.goals[0].position, away);
                rig_set(&c.rig, c.goals, c.goal_count, c.q, false);
                ++bounded;
                bool passed = snw_reach_is_passed(
                    &c.rig.plan, &c.rig.targets, &c.rig.state, true, little, spans, &least2);
                far += passed ? 1 : 0;
                // no pose is nearer than that
                snw_state_forward(&c.rig.plan, &c.rig.state, 0);
                snw_state_measure(&c.rig.plan, &c.rig.targets, &c.rig.state);
                TEST_TRUE(least2 <= 2.0 * c.rig.state.goal_objective * (1.0 + 1e-12));
                TEST_TRUE(!passed || least2 > 0.0);
            }
        }
        end(&c);
    }
    // some slide as far, as not every joint has a range
    TEST_TRUE(bounded > 300 && far > bounded / 4);
}

TEST_MAIN(cmocka_unit_test(test_measure_against_forward),
    cmocka_unit_test(test_columns_against_differences), cmocka_unit_test(test_step_against_dense),
    cmocka_unit_test(test_step_within_ranges), cmocka_unit_test(test_load_and_store_keep_bits),
    cmocka_unit_test(test_limbs_are_drawn_apart), cmocka_unit_test(test_reach_is_passed))
