// Chains laid out for speed say the same as forward kinematics, finite differences and a dense solver,
// and never leave a range.

#include "auto_bodies.h"

#include "math/chord.h"
#include "solve/chain.h"

enum { MAX_AXES = AUTO_MAX_JOINTS * AUTO_MAX_AXES };

typedef struct Case {
    auto_Draft draft;
    sinew_Skeleton *skeleton;
    rig_Rig rig;
    snw_Chain chain;
    void *block;
    sinew_Goal goal;
    double q[BODY_MAX_NUMBERS];
    // read by whole lanes
    _Alignas(64) double joints[MAX_AXES + 1];
    _Alignas(64) double moved[MAX_AXES + 1];
    sinew_Mat3 base_rotation;
    sinew_Vec3 base_position;
    int rows;
} Case;

static sinew_Goal random_goal(test_Random *random, int joint, int chain_root, double scale)
{
    sinew_Goal goal = sinew_goal_position(joint, test_vector(random, 3.0 * scale));
    goal.kind = (sinew_GoalKind)test_int(random, 3);
    goal.chain_root = chain_root;
    goal.orientation = test_unit_quat(random);
    if (test_int(random, 2)) { goal.joint_from_effector = test_transform(random, scale); }
    goal.position_weight = pow(10.0, test_range(random, -2.0, 2.0));
    goal.orientation_weight = pow(10.0, test_range(random, -2.0, 2.0));
    return goal;
}

// false: nothing of it can move
static bool begin(Case *c, test_Random *random, bool locked, bool ranges)
{
    memset(c, 0, sizeof *c);
    auto_begin(&c->draft, random, locked, ranges);
    int before = test_int(random, 4), last = -1, chain_root = -1;
    for (int j = 0; j < before; ++j) { last = auto_still_joint(&c->draft, random, last); }
    int count = test_int(random, 3) ? 1 + test_int(random, 9) : 1 + test_int(random, 40);
    for (int j = 0; j < count; ++j) {
        last = auto_joint(&c->draft, random, last, test_int(random, AUTO_MAX_AXES + 1));
        if (j == 0 && before > 0) { chain_root = last; }
    }
    c->skeleton = auto_skeleton(&c->draft);
    c->goal = random_goal(random, last, chain_root, c->draft.scale);
    auto_pose(random, c->skeleton, c->draft.scale, c->q);
    rig_init(&c->rig, c->skeleton, 1);
    rig_set(&c->rig, &c->goal, 1, c->q, false);

    snw_Arena arena = { NULL, 0 };
    snw_chain_take(&c->chain, snw_sizes_of(c->skeleton, 1), &arena);
    c->block = test_block(arena.used);
    arena.base = c->block;
    arena.used = 0;
    snw_chain_take(&c->chain, snw_sizes_of(c->skeleton, 1), &arena);

    const snw_Plan *plan = &c->rig.plan;
    snw_chain_build(&c->chain, plan);
    TEST_INT(c->chain.count > 0, plan->dof_count > 0);
    if (c->chain.count == 0) { return false; }
    int base = plan->links[plan->static_link_count].parent;
    c->base_rotation = base >= 0 ? c->rig.state.rotation[base] : sinew_mat3_identity();
    if (base >= 0) { c->base_position = c->rig.state.position[base]; }
    snw_chain_begin(&c->chain, plan, &c->rig.targets,
        ranges ? SINEW_LIMITS_ACTIVE : SINEW_LIMITS_NONE, &c->base_rotation, c->base_position);
    // what lies beyond the joints in the last lanes does not matter
    for (int i = 0; i <= MAX_AXES; ++i) { c->joints[i] = c->moved[i] = 7.5; }
    (void)snw_chain_load(&c->chain, plan, c->rig.state.values, c->joints);
    c->rows = c->chain.position && c->chain.orientation ? 6 : 3;
    return true;
}

static void end(Case *c)
{
    test_block_free(c->block);
    rig_free(&c->rig);
    sinew_skeleton_destroy(c->skeleton);
}

// the effector by forward kinematics, in the frame that carries the chain, and how exact that can be
static sinew_Transform effector_of(const Case *c, double *out_exact)
{
    sinew_Transform world[AUTO_MAX_JOINTS];
    sinew_pose_forward(c->skeleton, c->q, world);
    double size = 1.0;
    for (int j = 0; j < c->draft.joint_count; ++j) {
        size += sinew_vec3_length(world[j].position) / c->chain.reach;
    }
    sinew_Transform effector = sinew_transform_mul(
        world[c->goal.joint], c->goal.joint_from_effector);
    size += sinew_vec3_distance(c->goal.position, effector.position) / c->chain.reach;
    *out_exact = 1e-14 * size;
    return effector;
}

// DLS-2: the effector, its errors and E are those of forward kinematics
static void test_measure_against_forward(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(51, i);
        static Case c;
        if (begin(&c, &random, i % 2 == 0, i % 3 == 0)) {
            ++count;
            double exact, reach = c.chain.reach;
            sinew_Transform effector = effector_of(&c, &exact);
            double error2 = snw_chain_measure(&c.chain, c.joints), expected2 = 0.0;
            sinew_Vec3 tip = sinew_vec3_add(
                sinew_mat3_mul_vec3(c.base_rotation, sinew_vec3_scale(c.chain.tip, reach)),
                c.base_position);
            if (c.chain.position) {
                TEST_VEC3_NEAR(tip, effector.position, exact * reach);
                sinew_Vec3 way = sinew_vec3_sub(c.goal.position, effector.position);
                TEST_VEC3_NEAR(sinew_mat3_mul_vec3(c.base_rotation, c.chain.position_error),
                    sinew_vec3_scale(way, 1.0 / reach), exact);
                double distance = sinew_vec3_length(way) / reach;
                TEST_NEAR(sqrt(c.chain.position_error2), distance, exact);
                expected2 += distance * distance;
            }
            if (c.chain.orientation) {
                sinew_Mat3 turned = sinew_mat3_mul(c.base_rotation,
                    sinew_mat3_mul(c.chain.frame, sinew_mat3_transpose(c.chain.effector_from_tip)));
                TEST_QUAT_NEAR(sinew_quat_from_mat3(turned), effector.rotation, 1e-12);
                sinew_Mat3 now = sinew_mat3_from_quat(effector.rotation);
                sinew_Mat3 goal = sinew_mat3_from_quat(c.goal.orientation);
                sinew_Vec3 chord = snw_rotation_chord(&now, &goal);
                double weight = c.chain.position
                    ? c.rig.targets.orientation_scale[0] / (c.rig.targets.position_scale[0] * reach)
                    : 1.0;
                TEST_NEAR(c.chain.weight, weight, 1e-14 * weight);
                // at a half turn its sign is anybody's
                if (sinew_vec3_length(chord) < 1.9999) {
                    TEST_VEC3_NEAR(sinew_mat3_mul_vec3(c.base_rotation, c.chain.orientation_error),
                        sinew_vec3_scale(chord, weight), 1e-10 * weight);
                }
                TEST_NEAR(sqrt(c.chain.chord2), sinew_vec3_length(chord), 1e-11);
                expected2 += weight * weight * sinew_vec3_dot(chord, chord);
            }
            TEST_NEAR(error2, expected2, 1e-10 * (1.0 + expected2) * (1.0 + exact * 1e12));
        }
        end(&c);
    }
    TEST_TRUE(count > 2500);
}

static double column(const Case *c, int i, int row)
{
    const snw_ChainColumns *m = &c->chain.columns;
    const snw_Lanes *const rows[6] = { m->x, m->y, m->z, m->turn_x, m->turn_y, m->turn_z };
    return ((const double *)(const void *)rows[row])[i];
}

// JAC-9: every column against differences of the pose
static void test_columns_against_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 600; ++i) {
        test_Random random = test_case(52, i);
        static Case c;
        if (begin(&c, &random, i % 2 == 0, false)) {
            double weight = c.chain.weight, longest = 1.0;
            (void)snw_chain_measure(&c.chain, c.joints);
            snw_chain_linearize(&c.chain);
            for (int k = 0; k < c.chain.count; ++k) {
                longest = fmax(longest, fabs(c.joints[k]));
                const double h = 1e-5;
                double here = c.joints[k];
                c.joints[k] = here + h;
                (void)snw_chain_measure(&c.chain, c.joints);
                sinew_Vec3 tip = c.chain.tip;
                sinew_Mat3 frame = c.chain.frame;
                c.joints[k] = here - h;
                (void)snw_chain_measure(&c.chain, c.joints);
                c.joints[k] = here;
                sinew_Vec3 linear = sinew_vec3_scale(sinew_vec3_sub(tip, c.chain.tip), 0.5 / h);
                sinew_Vec3 angular = sinew_vec3_scale(
                    snw_rotation_chord(&c.chain.frame, &frame), 0.5 * weight / h);
                sinew_Vec3 first = { column(&c, k, 0), column(&c, k, 1), column(&c, k, 2) };
                sinew_Vec3 second = { column(&c, k, 3), column(&c, k, 4), column(&c, k, 5) };
                // h^2 of the difference, and rounding over h
                double size = longest + sinew_vec3_length(linear);
                double exact = 1e-8 * (10.0 + size * size);
                TEST_VEC3_NEAR(
                    first, c.chain.position ? linear : angular, exact * fmax(1.0, weight));
                if (c.rows == 6) { TEST_VEC3_NEAR(second, angular, exact * fmax(1.0, weight)); }
            }
            // what pads the last lanes moves nothing
            for (int k = c.chain.count; k < c.chain.groups * SNW_LANE_COUNT; ++k) {
                for (int r = 0; r < c.rows; ++r) { TEST_TRUE(column(&c, k, r) == 0.0); }
            }
        }
        end(&c);
    }
}

// the linear model as the step has it, columns together
static void copy_model(const Case *c, double *jacobian, double *error)
{
    for (int i = 0; i < c->chain.count; ++i) {
        for (int r = 0; r < c->rows; ++r) { jacobian[i * c->rows + r] = column(c, i, r); }
    }
    const snw_ChainRows *e = &c->chain.error;
    double rows[6] = { e->linear.x, e->linear.y, e->linear.z, e->angular.x, e->angular.y,
        e->angular.z };
    memcpy(error, rows, (size_t)c->rows * sizeof *error);
}

static bool is_locked(const Case *c, int i)
{
    return c->rig.plan.links[c->rig.plan.static_link_count + i].dof < 0;
}

// DLS-1, DLS-2: where no range is in the way, the step is that of a dense solver over all free joints
static void test_step_against_dense(void **state)
{
    (void)state;
    double worst = 0.0, worst_gap = 0.0;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(53, i);
        static Case c;
        if (begin(&c, &random, i % 3 == 0, false)) {
            static double jacobian[6 * MAX_AXES], expected[MAX_AXES], found[MAX_AXES];
            double error[6];
            bool may_move[MAX_AXES];
            int count = c.chain.count;
            double error2 = snw_chain_measure(&c.chain, c.joints);
            snw_chain_linearize(&c.chain);
            copy_model(&c, jacobian, error);
            double trace = 0.0, largest, step2 = 0.0, expected2 = 0.0;
            for (int k = 0; k < count; ++k) {
                may_move[k] = !is_locked(&c, k);
                for (int r = 0; r < c.rows; ++r) {
                    trace += jacobian[k * c.rows + r] * jacobian[k * c.rows + r];
                }
            }
            double damping = trace * pow(10.0, test_range(&random, -11.0, 0.0));
            if (!(damping > 1e-300)) { damping = 1e-10; }
            double promise = snw_chain_step(&c.chain, c.joints, damping, c.moved, &largest);
            auto_dense_step(jacobian, c.rows, count, may_move, error, damping, expected);
            double most = 0.0, far = 0.0, longest = 1.0;
            for (int k = 0; k < count; ++k) {
                found[k] = c.moved[k] - c.joints[k];
                far = fmax(far, fabs(found[k] - expected[k]));
                most = fmax(most, fabs(expected[k]));
                longest = fmax(longest, fabs(c.joints[k]));
                step2 += found[k] * found[k];
                expected2 += expected[k] * expected[k];
            }
            // the normal equations have the condition trace / damping, the values roundings of their own
            double exact = most * fmin(1.0, 2e-11 * (trace / damping)) + 1e-12 * longest;
            TEST_NEAR(far, 0.0, exact);
            if (damping > 1e-4 * trace) { worst = fmax(worst, far / (most + 1e-13)); }
            TEST_NEAR(largest, most, exact);
            // and as good: what it minimises is as small
            double whole = auto_rest2(jacobian, c.rows, count, error, found) + damping * step2;
            double best = auto_rest2(jacobian, c.rows, count, error, expected)
                + damping * expected2;
            TEST_TRUE(whole <= best * (1.0 + 1e-5) + 1e-12 * error2);
            worst_gap = fmax(worst_gap, whole / (best + 1e-12 * error2) - 1.0);
            TEST_NEAR(promise, auto_rest2(jacobian, c.rows, count, error, found),
                promise * fmin(0.1, 1e-6 + 1e-10 * trace / damping) + 1e-8 * error2);
        }
        end(&c);
    }
    print_message("    largest difference %g of the step, %g of the minimum\n", worst, worst_gap);
}

// DLS-6, DLS-7: with ranges: nothing leaves one, joints on a bound that are pushed outward stay, and what
// the model promises is what is left
static void test_step_within_ranges(void **state)
{
    (void)state;
    int held = 0, stopped = 0;
    for (int i = 0; i < 4000; ++i) {
        test_Random random = test_case(54, i);
        static Case c;
        if (begin(&c, &random, i % 2 == 0, true)) {
            static double jacobian[6 * MAX_AXES], found[MAX_AXES];
            double error[6];
            int count = c.chain.count;
            double error2 = snw_chain_measure(&c.chain, c.joints);
            snw_chain_linearize(&c.chain);
            copy_model(&c, jacobian, error);
            double damping = pow(10.0, test_range(&random, -9.0, 0.0)), largest, most = 0.0;
            double promise = snw_chain_step(&c.chain, c.joints, damping, c.moved, &largest);
            double trace = 0.0;
            for (int k = 0; k < count; ++k) {
                double lower = c.chain.lower[k], upper = c.chain.upper[k], force = 0.0;
                TEST_TRUE(c.moved[k] >= lower && c.moved[k] <= upper);
                found[k] = c.moved[k] - c.joints[k];
                most = fmax(most, fabs(found[k]));
                for (int r = 0; r < c.rows; ++r) {
                    double number = jacobian[k * c.rows + r];
                    force += number * error[r];
                    trace += number * number;
                }
                bool pushed = (c.joints[k] == lower && force < -1e-12)
                    || (c.joints[k] == upper && force > 1e-12);
                if (is_locked(&c, k) || pushed) { TEST_TRUE(found[k] == 0.0); }
                held += pushed ? 1 : 0;
                stopped += found[k] != 0.0 && (c.moved[k] == lower || c.moved[k] == upper) ? 1 : 0;
            }
            TEST_TRUE(largest == most);
            double rest2 = auto_rest2(jacobian, c.rows, count, error, found);
            double share = fmin(0.1, 1e-6 + 1e-10 * trace / damping);
            if (error2 < 1e6) { TEST_NEAR(promise, rest2, share * rest2 + 1e-8 * error2); }

            // and the state that it is stored to
            double values[BODY_MAX_NUMBERS], again[MAX_AXES + 1];
            int numbers = c.rig.plan.value_count;
            memcpy(values, c.rig.state.values, (size_t)numbers * sizeof *values);
            const snw_Plan *plan = &c.rig.plan;
            snw_chain_store(&c.chain, plan, c.moved, values);
            for (int l = plan->static_link_count; l < plan->link_count; ++l) {
                const snw_Link *link = &plan->links[l];
                int k = l - plan->static_link_count;
                double value = values[link->value];
                if (link->dof < 0 || k >= count || found[k] == 0.0) {
                    TEST_TRUE(value == c.rig.state.values[link->value]);
                    continue;
                }
                TEST_TRUE(value >= plan->lower[link->dof] && value <= plan->upper[link->dof]);
                // a bound is the bound, there and back
                TEST_TRUE(c.moved[k] != c.chain.lower[k] || value == plan->lower[link->dof]);
                TEST_TRUE(c.moved[k] != c.chain.upper[k] || value == plan->upper[link->dof]);
            }
            (void)snw_chain_load(&c.chain, plan, values, again);
            for (int k = 0; k < count; ++k) {
                TEST_NEAR(again[k], c.moved[k], 4e-16 * fabs(c.moved[k]));
                TEST_TRUE(c.moved[k] != c.chain.lower[k] || again[k] == c.chain.lower[k]);
                TEST_TRUE(c.moved[k] != c.chain.upper[k] || again[k] == c.chain.upper[k]);
            }
        }
        end(&c);
    }
    TEST_TRUE(held > 300 && stopped > 300);
}

// a pose that is taken over and given back keeps every bit
static void test_load_and_store_keep_bits(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(55, i);
        static Case c;
        if (begin(&c, &random, i % 2 == 0, i % 3 != 0)) {
            double values[BODY_MAX_NUMBERS];
            int numbers = c.rig.plan.value_count;
            memcpy(values, c.rig.state.values, (size_t)numbers * sizeof *values);
            snw_chain_store(&c.chain, &c.rig.plan, c.joints, values);
            TEST_TRUE(body_same_bits(values, c.rig.state.values, c.rig.plan.value_count));
        }
        end(&c);
    }
}

// what is no chain of plain hinges and slides is left to others
static void test_what_is_no_chain(void **state)
{
    (void)state;
    test_Random random = test_random(56);
    for (int kind = 0; kind < 4; ++kind) {
        auto_Draft draft;
        auto_begin(&draft, &random, false, false);
        int first = auto_joint(&draft, &random, -1, 1),
            second = auto_joint(&draft, &random, first, 1);
        int third = auto_joint(&draft, &random, kind == 0 ? first : second, 1);
        if (kind == 1) { draft.axes[second][0] = sinew_axis_ball(); }
        if (kind == 2) { draft.axes[second][0].mobility = 0.5; }
        sinew_Skeleton *skeleton = auto_skeleton(&draft);
        rig_Rig rig;
        rig_init(&rig, skeleton, 2);
        double q[BODY_MAX_NUMBERS];
        sinew_pose_rest(skeleton, q);
        sinew_Goal goals[2] = { sinew_goal_position(third, sinew_vec3(1.0, 0.0, 0.0)),
            sinew_goal_position(second, sinew_vec3(0.0, 1.0, 0.0)) };
        rig_set(&rig, goals, kind == 0 || kind == 3 ? 2 : 1, q, false);
        snw_Chain chain;
        snw_Arena arena = { NULL, 0 };
        snw_chain_take(&chain, snw_sizes_of(skeleton, 1), &arena);
        void *block = test_block(arena.used);
        arena.base = block;
        arena.used = 0;
        snw_chain_take(&chain, snw_sizes_of(skeleton, 1), &arena);
        snw_chain_build(&chain, &rig.plan);
        TEST_INT(chain.count, 0);
        test_block_free(block);
        rig_free(&rig);
        sinew_skeleton_destroy(skeleton);
    }
}

TEST_MAIN(cmocka_unit_test(test_measure_against_forward),
    cmocka_unit_test(test_columns_against_differences), cmocka_unit_test(test_step_against_dense),
    cmocka_unit_test(test_step_within_ranges), cmocka_unit_test(test_load_and_store_keep_bits),
    cmocka_unit_test(test_what_is_no_chain))
