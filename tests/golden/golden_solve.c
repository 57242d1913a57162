// Chapters of solving: methods, goals, options, levels, closed forms, diagnoses, start tables, rings, jobs.

#include "golden.h"

#include "soak/soak.h"

#include "sinew/answers.h"
#include "sinew/diagnosis.h"
#include "sinew/job.h"
#include "sinew/start.h"
#include "sinew/swivel.h"

static double q[GOLDEN_MAX_NUMBERS], start[GOLDEN_MAX_NUMBERS];
static sinew_Transform world[GOLDEN_MAX_JOINTS];
static sinew_Goal goals[SCENE_MAX_EFFECTORS];

static void add_results(uint64_t *hash, const sinew_GoalResult *results, int count)
{
    for (int g = 0; g < count; ++g) {
        golden_number(hash, results[g].position_error);
        golden_number(hash, results[g].orientation_error);
        golden_number(hash, results[g].eased_distance);
    }
}

// every method on six scenes, every third problem with orientations
uint64_t golden_methods(void)
{
    static const char *const names[] = { "LEG", "ARM", "BODY11", "HAND5", "MAN18", "CHAIN10",
        "LIMITARM", "HAND" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 8; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        sinew_Solver *solver = golden_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
            if ((sinew_Method)m == SINEW_METHOD_AUTO) { continue; }
            scene_Random random = scene_random(4242);
            sinew_SolveOptions options = sinew_solve_options_default((sinew_Method)m);
            options.max_iterations = 12;
            for (int i = 0; i < 60; ++i) {
                scene_random_pose(scene, &random, q);
                int count = golden_goals(scene, q, goals);
                sinew_pose_forward(scene->skeleton, q, world);
                for (int g = 0; i % 3 == 0 && g < count; ++g) {
                    goals[g].kind = SINEW_GOAL_POSE;
                    goals[g].orientation = world[goals[g].joint].rotation;
                }
                options.rest_weight = i % 5 == 0 ? 1e-4 : 0.0;
                options.velocity_weight = i % 7 == 0 ? 1e-4 : 0.0;
                options.form = (sinew_LinearForm)(i % SINEW_FORM_COUNT);
                options.limits = (sinew_LimitMode)(i % 3);
                options.sweep = (sinew_SweepOrder)(i % 2);
                scene_random_pose(scene, &random, q);
                sinew_Report report;
                golden_ok(sinew_solver_solve(solver, &options, goals, count, q, &report, NULL));
                golden_numbers(&hash, q, sinew_skeleton_coordinate_count(scene->skeleton));
                golden_report(&hash, &report);
            }
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
    return hash;
}

// random bodies, goals of every kind and every option, as the soak draws them
uint64_t golden_soak(void)
{
    uint64_t hash = GOLDEN_START;
    static soak_Support supports[SINEW_MAX_SUPPORT_GOALS];
    static double mobility[GOLDEN_MAX_NUMBERS], trace[64];
    for (uint64_t seed = 0; seed < 800; ++seed) {
        scene_Random random = scene_random(7000 + seed);
        double scale;
        sinew_Skeleton *skeleton = soak_make_body(&random, NULL, &scale);
        if (skeleton == NULL) { continue; }
        int numbers = sinew_skeleton_coordinate_count(skeleton),
            axes = sinew_skeleton_axis_count(skeleton);
        sinew_Solver *solver = golden_solver(skeleton, SOAK_MAX_GOALS);
        for (int i = 0; i < 3; ++i) {
            soak_make_pose(&random, skeleton, scale, soak_chance(&random, 0.8), q);
            int count = soak_make_goals(&random, skeleton, scale, q, supports, goals);
            double size = (double)sinew_skeleton_dof_count(skeleton) * (count + 1) * 4.0;
            sinew_SolveOptions options = soak_make_options(&random, scale, size);
            options.max_iterations = options.max_iterations % 25;
            options.min_iterations = options.min_iterations % (options.max_iterations + 1);
            options.restarts %= 3;
            sinew_Message message = { "" };
            if (soak_chance(&random, 0.2)) {
                for (int a = 0; a < axes; ++a) {
                    mobility[a] = soak_chance(&random, 0.2) ? 0.0
                                                            : soak_magnitude(&random, -3.0, 3.0);
                }
                golden_status(&hash, sinew_solver_set_mobility(solver, mobility), &message);
            }
            if (axes > 0 && soak_chance(&random, 0.2)) {
                double a = golden_range(&random, -1.0, 1.0), b = golden_range(&random, -1.0, 1.0);
                golden_int(&hash,
                    sinew_solver_set_range(
                        solver, scene_random_index(&random, axes), a < b ? a : b, a < b ? b : a));
            } else if (soak_chance(&random, 0.2)) {
                sinew_solver_reset_limits(solver);
            }
            if (soak_chance(&random, 0.2)) {
                soak_make_pose(&random, skeleton, scale, true, start);
                golden_int(&hash, sinew_solver_set_rest(solver, start));
            }
            memset(trace, 0, sizeof trace);
            sinew_solver_set_trace(solver, soak_chance(&random, 0.5) ? trace : NULL, 64);
            sinew_Report report;
            sinew_Status status = sinew_solver_solve(
                solver, &options, goals, count, q, &report, &message);
            golden_status(&hash, status, &message);
            golden_numbers(&hash, q, numbers);
            if (status != SINEW_STATUS_OK) { continue; }
            golden_report(&hash, &report);
            golden_numbers(&hash, trace, 64);
            add_results(&hash, sinew_solver_goal_results(solver), count);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    return hash;
}

// goals of a person that pull apart: levels, constraints, balance, poles, aims, support
uint64_t golden_levels(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Scene *scene = golden_scene("MAN18");
    const sinew_Skeleton *s = scene->skeleton;
    sinew_Solver *solver = golden_solver(s, 16);
    scene_Random random = scene_random(5);
    static const sinew_Vec3 feet[5] = { { 0.2, 0.0, 0.2 }, { -0.2, 0.0, 0.2 }, { -0.2, 0.0, -0.1 },
        { 0.2, 0.0, -0.1 }, { 0.0, 0.0, 0.1 } };
    for (int i = 0; i < 300; ++i) {
        scene_random_pose(scene, &random, q);
        int count = golden_goals(scene, q, goals);
        for (int g = 0; g < count; ++g) {
            goals[g].position = sinew_vec3_add(goals[g].position, golden_point(&random, 0.15));
            goals[g].priority = i % 3 == 0 ? scene_random_index(&random, 3) : 0;
            goals[g].constraint = i % 3 == 1 && g < 2;
            goals[g].chain_root = -1;
        }
        goals[count++] = i % 2 == 0 ? sinew_goal_center_of_mass(golden_point(&random, 0.2))
                                    : sinew_goal_support(feet, 3 + i % 3);
        goals[count - 1].priority = i % 3 == 0 ? i % 4 : 0;
        int knee = 1 + scene_random_index(&random, sinew_skeleton_joint_count(s) - 1);
        sinew_Vec3 u = scene_random_direction(&random), v = scene_random_direction(&random);
        goals[count++] = sinew_goal_aim(knee, u, golden_point(&random, 2.0));
        goals[count++] = sinew_goal_direction(knee, u, v);
        if (i % 4 == 0) { goals[count++] = sinew_goal_rest(0.01); }
        int leg = sinew_skeleton_find_joint(s, "LeftUpLeg");
        goals[count++] = sinew_goal_pole(leg, leg + 1, leg + 2, golden_point(&random, 1.0));
        sinew_SolveOptions options = sinew_solve_options_default(
            i % 5 == 0 ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED);
        options.max_iterations = 15;
        options.restarts = i % 5 == 0 ? 2 : 0;
        options.form = i % 5 == 0 ? SINEW_FORM_AUTO : (sinew_LinearForm)(i % SINEW_FORM_COUNT);
        options.soft_reach = i % 7 == 0 ? 0.05 : 0.0;
        sinew_pose_rest(s, q);
        sinew_Message message = { "" };
        sinew_Report report;
        sinew_Status status = sinew_solver_solve(
            solver, &options, goals, count, q, &report, &message);
        golden_status(&hash, status, &message);
        if (status != SINEW_STATUS_OK) { continue; }
        golden_numbers(&hash, q, sinew_skeleton_coordinate_count(s));
        golden_report(&hash, &report);
        add_results(&hash, sinew_solver_goal_results(solver), count);
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
    return hash;
}

// the default method with its search: goals in reach and far out, near branches and other ones
uint64_t golden_auto(void)
{
    static const char *const names[] = { "LEG", "ARM", "LIMITARM", "SPINEARM", "BODY11", "HAND5",
        "MAN18", "SPIDER", "CHAIN10", "CHAIN40" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 10; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        sinew_Solver *solver = golden_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        scene_Random random = scene_random(600 + (uint64_t)s);
        for (int i = 0; i < 120; ++i) {
            scene_random_pose(scene, &random, q);
            int count = golden_goals(scene, q, goals);
            sinew_pose_forward(scene->skeleton, q, world);
            for (int g = 0; g < count; ++g) {
                if (i % 2 == 0) {
                    goals[g].kind = SINEW_GOAL_POSE;
                    goals[g].orientation = world[goals[g].joint].rotation;
                }
                if (i % 5 == 4) { goals[g].position = sinew_vec3_scale(goals[g].position, 1.6); }
                if (i % 4 == 1) { goals[g].chain_root = scene->effectors[g].limb_root; }
            }
            if (i % 4 == 1) { count = 1; }
            sinew_SolveOptions options = i % 8 == 7
                ? sinew_solve_options_motion(1.0 / 60.0)
                : sinew_solve_options_default(SINEW_METHOD_AUTO);
            options.restarts = options.restarts > 4 ? 4 : options.restarts;
            options.max_iterations = 200;
            options.branch = (sinew_BranchChoice)(i % 3);
            options.soft_reach = i % 9 == 0 ? 0.02 : 0.0;
            options.start = i % 6 == 5 ? SINEW_START_REST : SINEW_START_GIVEN;
            scene_random_pose(scene, &random, q);
            sinew_Message said = { "" };
            golden_int(&hash, sinew_solver_closed_form(solver, &goals[i % count], q, &said));
            golden_text(&hash, said.text);
            sinew_Report report;
            golden_ok(sinew_solver_solve(solver, &options, goals, count, q, &report, NULL));
            golden_numbers(&hash, q, sinew_skeleton_coordinate_count(scene->skeleton));
            golden_report(&hash, &report);
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------
// Arms whose axes meet or are parallel

typedef struct Group {
    int first, count;
    bool parallel;
} Group;

typedef struct Kind {
    int count;
    sinew_GoalKind goal;
    Group groups[2];
} Kind;

static const Kind kinds[] = {
    { 7, SINEW_GOAL_POSE, { { 0, 3, false }, { 4, 3, false } } },
    { 7, SINEW_GOAL_POSE, { { 0, 3, false }, { 4, 2, false } } },
    { 7, SINEW_GOAL_POSE, { { 1, 2, false }, { 4, 3, false } } },
    { 6, SINEW_GOAL_POSE, { { 1, 3, true }, { 4, 2, false } } },
    { 6, SINEW_GOAL_POSE, { { 0, 2, false }, { 2, 3, true } } },
    { 6, SINEW_GOAL_POSE, { { 1, 2, true }, { 3, 3, false } } },
    { 6, SINEW_GOAL_POSE, { { 0, 2, true }, { 3, 3, false } } },
    { 6, SINEW_GOAL_POSE, { { 0, 2, false }, { 3, 3, false } } },
    { 6, SINEW_GOAL_POSE, { { 1, 2, false }, { 3, 3, false } } },
    { 6, SINEW_GOAL_POSE, { { 0, 3, false }, { 4, 2, false } } },
    { 6, SINEW_GOAL_POSE, { { 0, 3, false }, { 3, 2, true } } },
    { 3, SINEW_GOAL_POSITION, { { 1, 2, true }, { 0, 0, false } } },
    { 3, SINEW_GOAL_POSITION, { { 0, 2, false }, { 0, 0, false } } },
    { 3, SINEW_GOAL_POSITION, { { 1, 2, false }, { 0, 0, false } } },
    { 3, SINEW_GOAL_POSITION, { { 0, 2, true }, { 0, 0, false } } },
    { 3, SINEW_GOAL_ORIENTATION, { { 0, 3, false }, { 0, 0, false } } },
};
enum { KINDS = (int)(sizeof kinds / sizeof kinds[0]), HINGES = 7 };

int golden_arm_count(void)
{
    return KINDS;
}

sinew_Skeleton *golden_arm(scene_Random *random, int index)
{
    const Kind *kind = &kinds[index];
    sinew_JointDef joints[HINGES + 1];
    sinew_Axis axes[HINGES];
    sinew_Quat above = sinew_quat_identity();
    sinew_Vec3 at = golden_point(random, 0.2), before = scene_random_direction(random);
    sinew_Vec3 points[HINGES], directions[HINGES], last = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < kind->count; ++i) {
        at = sinew_vec3_add_scaled(at, scene_random_direction(random), 0.3);
        sinew_Vec3 d = scene_random_direction(random);
        while (sinew_vec3_length(sinew_vec3_cross(d, before)) <= 0.7) {
            d = scene_random_direction(random);
        }
        for (int g = 0; g < 2; ++g) {
            const Group *group = &kind->groups[g];
            if (i <= group->first || i >= group->first + group->count) { continue; }
            if (group->parallel) {
                d = before;
            } else {
                at = points[group->first];
            }
        }
        points[i] = at;
        directions[i] = before = d;
    }
    for (int i = 0; i <= kind->count; ++i) {
        bool tip = i == kind->count;
        sinew_Quat frame = scene_random_rotation(random), down = sinew_quat_conjugate(above);
        sinew_Vec3 point = tip ? sinew_vec3_add_scaled(at, before, 0.2) : points[i];
        joints[i] = sinew_joint_def_default();
        joints[i].name = "hinge";
        joints[i].parent = i - 1;
        joints[i].offset = sinew_quat_rotate(down, sinew_vec3_sub(point, last));
        joints[i].rest_rotation = sinew_quat_mul(down, frame);
        if (!tip) {
            double lower = golden_range(random, -3.0, -1.0), upper = golden_range(random, 1.0, 3.0);
            axes[i] = sinew_axis_hinge(
                sinew_quat_rotate(sinew_quat_conjugate(frame), directions[i]), lower, upper);
            joints[i].axes = &axes[i];
            joints[i].axis_count = 1;
        }
        above = frame;
        last = point;
    }
    sinew_Skeleton *skeleton = NULL;
    golden_ok(sinew_skeleton_create(joints, kind->count + 1, NULL, &skeleton, NULL));
    return skeleton;
}

void golden_arm_pose(scene_Random *random, const sinew_Skeleton *skeleton, double *out)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        out[a] = golden_range(random, axes[a].lower, axes[a].upper);
    }
}

uint64_t golden_arms(void)
{
    uint64_t hash = GOLDEN_START;
    static double poses[16 * HINGES], ways[16];
    static int branches[16];
    static sinew_AnswerSpan spans[16];
    for (int k = 0; k < KINDS * 8; ++k) {
        const Kind *kind = &kinds[k % KINDS];
        scene_Random random = scene_random(900 + (uint64_t)k);
        sinew_Skeleton *skeleton = golden_arm(&random, k % KINDS);
        sinew_Solver *solver = golden_solver(skeleton, 1);
        for (int i = 0; i < 40; ++i) {
            sinew_Message message = { "" };
            golden_arm_pose(&random, skeleton, q);
            sinew_pose_forward(skeleton, q, world);
            sinew_Goal goal = sinew_goal_pose(
                kind->count, world[kind->count].position, world[kind->count].rotation);
            goal.kind = kind->goal;
            if (i % 6 == 5) { goal.position = sinew_vec3_scale(goal.position, 3.0); }
            golden_arm_pose(&random, skeleton, q);
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
            options.branch = (sinew_BranchChoice)(i % 3);
            options.restarts = i % 4 == 0 ? 0 : 3;
            options.max_iterations = 100;
            golden_int(&hash, sinew_solver_closed_form(solver, &goal, q, &message));
            golden_text(&hash, message.text);
            sinew_Answers answers = { .capacity = 1 + i % 16,
                .poses = poses,
                .ways = ways,
                .branches = branches,
                .samples = 4 * (i % 3),
                .span_capacity = i % 2 == 0 ? 16 : 0,
                .spans = spans };
            golden_status(&hash,
                sinew_solver_answers(solver, &options, &goal, q, &answers, &message), &message);
            golden_int(&hash, answers.count);
            golden_int(&hash, answers.complete);
            golden_int(&hash, answers.free_axis);
            golden_numbers(&hash, poses, answers.count * kind->count);
            golden_numbers(&hash, ways, answers.count);
            for (int b = 0; b < answers.count; ++b) { golden_int(&hash, branches[b]); }
            for (int p = 0; p < answers.span_count && p < 16; ++p) {
                golden_int(&hash, spans[p].branch);
                golden_number(&hash, spans[p].lower);
                golden_number(&hash, spans[p].upper);
            }
            sinew_Report report;
            golden_ok(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL));
            golden_numbers(&hash, q, kind->count);
            golden_report(&hash, &report);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    return hash;
}

// limbs of balls with human limits, brought to places and poses; each limb alone and all of them
uint64_t golden_limbs(void)
{
    static const char *const tips[4] = { "LeftHand", "RightFoot", "RightHand", "LeftFoot" };
    static const char *const roots[4] = { "LeftArm", "RightUpLeg", "RightArm", "LeftUpLeg" };
    uint64_t hash = GOLDEN_START;
    for (int kind = 0; kind < 4; ++kind) {
        sinew_Skeleton *body = golden_ball_person(
            kind == 3 ? 0.9 : 1.0, kind != 0, (golden_PersonKind)(kind % 3));
        sinew_Solver *solver = golden_solver(body, 4);
        int numbers = sinew_skeleton_coordinate_count(body);
        scene_Random random = scene_random(500 + (uint64_t)kind);
        for (int i = 0; i < 360; ++i) {
            int count = i % 6 == 5 ? 4 : 1;
            soak_make_pose(&random, body, 0.3, i % 4 != 3, q);
            sinew_pose_forward(body, q, world);
            for (int g = 0; g < count; ++g) {
                int limb = (i + g) % 4, tip = sinew_skeleton_find_joint(body, tips[limb]);
                goals[g] = sinew_goal_pose(tip, world[tip].position, world[tip].rotation);
                goals[g].chain_root = sinew_skeleton_find_joint(body, roots[limb]);
                if (i % 2 == 0) { goals[g].kind = SINEW_GOAL_POSITION; }
                if (i % 8 == 7) {
                    goals[g].joint_from_effector.position = golden_point(&random, 0.1);
                }
            }
            // near, anywhere, at rest
            if (i % 3 == 0) {
                soak_make_pose(&random, body, 0.3, true, start);
                sinew_pose_interpolate(body, q, start, 0.1, q);
                sinew_pose_apply_limits(body, q);
            } else if (i % 3 == 1) {
                soak_make_pose(&random, body, 0.3, true, q);
            } else {
                sinew_pose_rest(body, q);
            }
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
            options.restarts = i % 5 == 0 ? 3 : 0;
            options.branch = (sinew_BranchChoice)(i % 3);
            options.limits = i % 10 == 9 ? SINEW_LIMITS_NONE : SINEW_LIMITS_ACTIVE;
            options.max_iterations = 100;
            sinew_Message said = { "" };
            golden_int(&hash, sinew_solver_closed_form(solver, &goals[0], q, &said));
            golden_text(&hash, said.text);
            sinew_Report report;
            golden_ok(sinew_solver_solve(solver, &options, goals, count, q, &report, NULL));
            golden_numbers(&hash, q, numbers);
            golden_report(&hash, &report);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(body);
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------

static void add_diagnosis(uint64_t *hash, const sinew_Diagnosis *d)
{
    char text[400];
    golden_int(hash, sinew_diagnosis_unmet_count(d));
    for (int g = 0; g < sinew_diagnosis_goal_count(d); ++g) {
        const sinew_GoalDiagnosis *goal = sinew_diagnosis_goal(d, g);
        const double numbers[] = { goal->position_error, goal->orientation_error,
            goal->reach_margin, goal->smallest_singular, goal->largest_singular };
        golden_numbers(hash, numbers, 5);
        golden_vec3(hash, goal->stiff_direction);
        golden_text(hash, sinew_conditioning_name(goal->conditioning));
        for (int b = 0; b < goal->blocker_count; ++b) {
            const sinew_Blocker *blocker = &goal->blockers[b];
            golden_text(hash, sinew_blocker_name(blocker->kind));
            golden_int(
                hash, blocker->joint + 1000 * (blocker->goal + 2) + 100000 * blocker->together);
            golden_number(hash, blocker->bound);
            golden_number(hash, blocker->amount);
            golden_number(hash, blocker->gain);
        }
        golden_int(hash, (int64_t)sinew_diagnosis_text(d, g, NULL, text, sizeof text));
        golden_text(hash, text);
        (void)sinew_diagnosis_cause_text(d, g, NULL, text, sizeof text);
        golden_text(hash, text);
        (void)sinew_diagnosis_conditioning_text(d, g, text, sizeof text);
        golden_text(hash, text);
    }
    for (int l = 0; l < sinew_diagnosis_limit_count(d); ++l) {
        const sinew_HeldLimit *held = &sinew_diagnosis_limits(d)[l];
        golden_text(hash, sinew_blocker_name(held->kind));
        golden_int(hash, held->joint + 1000 * held->axis);
        golden_number(hash, held->bound);
        golden_number(hash, held->pressure);
    }
}

// what is said of goals that are out of reach, in each other's way, behind limits or locked joints
uint64_t golden_diagnoses(void)
{
    static const char *const names[] = { "LEG", "ARM", "LIMITARM", "MAN18", "BODY11", "CHAIN10",
        "HAND5" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 7; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        sinew_Solver *solver = golden_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        sinew_Diagnosis *diagnosis = NULL;
        golden_ok(
            sinew_diagnosis_create(scene->skeleton, SCENE_MAX_EFFECTORS, NULL, &diagnosis, NULL));
        scene_Random random = scene_random(300 + (uint64_t)s);
        static double mobility[GOLDEN_MAX_NUMBERS];
        for (int i = 0; i < (s == 3 || s == 6 ? 6 : 12); ++i) {
            scene_random_pose(scene, &random, q);
            int count = golden_goals(scene, q, goals);
            for (int g = 0; g < count; ++g) {
                if (i % 3 != 0) {
                    goals[g].position = sinew_vec3_add(
                        goals[g].position, golden_point(&random, 0.4));
                }
                if (i % 3 == 2) { goals[g].position = sinew_vec3_scale(goals[g].position, 1.5); }
                if (i % 4 == 1) {
                    goals[g].kind = SINEW_GOAL_POSE;
                    goals[g].orientation = scene_random_rotation(&random);
                }
                goals[g].priority = i % 5 == 4 ? g % 2 : 0;
                goals[g].constraint = i % 5 == 3 && g == 0;
            }
            for (int a = 0; a < sinew_skeleton_axis_count(scene->skeleton); ++a) {
                mobility[a] = i % 4 == 3 && soak_chance(&random, 0.2) ? 0.0 : 1.0;
            }
            golden_ok(sinew_solver_set_mobility(solver, mobility));
            sinew_SolveOptions options = sinew_solve_options_default(
                i % 2 == 0 ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED);
            options.max_iterations = i % 6 == 5 ? 3 : 60;
            options.restarts = 0;
            options.rest_weight = i % 6 == 1 ? 0.05 : 0.0;
            options.soft_reach = i % 6 == 4 ? 0.1 : 0.0;
            if (i % 12 == 10) { options.max_joint_change = 0.05; }
            sinew_pose_rest(scene->skeleton, q);
            sinew_Report report;
            golden_ok(sinew_solver_solve(solver, &options, goals, count, q, &report, NULL));
            golden_ok(
                sinew_solver_diagnose(solver, &options, goals, count, q, &report, diagnosis, NULL));
            add_diagnosis(&hash, diagnosis);
        }
        sinew_diagnosis_destroy(diagnosis);
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
    return hash;
}

uint64_t golden_starts(void)
{
    static const char *const names[] = { "ARM", "LIMITARM", "CHAIN10" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 3; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        scene_Random random = scene_random(40 + (uint64_t)s);
        sinew_pose_rest(scene->skeleton, q);
        int count = golden_goals(scene, q, goals);
        if (s == 1) { goals[0].kind = SINEW_GOAL_POSE; }
        sinew_StartDef def = sinew_start_def_default();
        def.skeleton = scene->skeleton;
        def.goals = goals;
        def.goal_count = count;
        def.start_count = 3;
        def.cluster_count = 4;
        def.target_count = 60;
        def.candidate_count = 10;
        def.options.max_iterations = 20;
        sinew_StartTable *table = NULL, *more = NULL;
        double share;
        golden_ok(sinew_start_table_build(&def, &table, &share, NULL));
        golden_number(&hash, share);
        scene_random_pose(scene, &random, start);
        golden_ok(
            sinew_start_table_add(scene->skeleton, table, goals, count, start, NULL, &more, NULL));
        const sinew_StartTableData *data = sinew_start_table_data(more);
        golden_int(&hash, data->start_count);
        golden_int(&hash, data->centroid_count);
        golden_number(&hash, data->reach);
        golden_numbers(&hash, data->poses, data->start_count * data->coordinate_count);
        golden_numbers(&hash, data->centroids, data->centroid_count * data->goal_count * 7);
        for (int c = 0; c < data->centroid_count; ++c) {
            golden_int(&hash, data->centroid_starts[c]);
        }
        sinew_Solver *solver = golden_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        golden_ok(sinew_solver_set_starts(solver, more));
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
        options.max_iterations = 20;
        for (int i = 0; i < 40; ++i) {
            scene_random_pose(scene, &random, q);
            (void)golden_goals(scene, q, goals);
            goals[0].kind = s == 1 ? SINEW_GOAL_POSE : SINEW_GOAL_POSITION;
            options.start = (sinew_StartMode)(i % 3);
            options.restarts = i % 5;
            sinew_Report report;
            sinew_pose_rest(scene->skeleton, q);
            golden_ok(sinew_solver_solve(solver, &options, goals, count, q, &report, NULL));
            golden_numbers(&hash, q, sinew_skeleton_coordinate_count(scene->skeleton));
            golden_report(&hash, &report);
        }
        static const int wanted[2] = { 1, 3 };
        sinew_StartSuccess success[2];
        def.goals = goals;
        golden_ok(sinew_start_success(&def, wanted, 2, 30, success, NULL));
        for (int i = 0; i < 2; ++i) {
            golden_number(&hash, success[i].nearest);
            golden_number(&hash, success[i].table);
            golden_number(&hash, success[i].random);
        }
        sinew_solver_destroy(solver);
        sinew_start_table_destroy(more);
        sinew_start_table_destroy(table);
        scene_destroy(scene);
    }
    return hash;
}

// joints turned exactly, limbs about their line, wrists brought to their place
uint64_t golden_rings(void)
{
    static const char *const names[] = { "MAN18", "LEG", "ARM", "LIMITARM", "BODY11", "QUADRUPED" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 6; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        const sinew_Skeleton *skeleton = scene->skeleton;
        int numbers = sinew_skeleton_coordinate_count(skeleton),
            joints = sinew_skeleton_joint_count(skeleton);
        sinew_Solver *solver = golden_solver(skeleton, 4);
        scene_Random random = scene_random(70 + (uint64_t)s);
        for (int i = 0; i < 300; ++i) {
            sinew_Message message = { "" };
            double violation = 0.0;
            scene_random_pose(scene, &random, q);
            int joint = scene_random_index(&random, joints);
            golden_int(&hash, sinew_joint_turns_freely(skeleton, joint));
            golden_status(&hash,
                sinew_joint_set_rotation(
                    skeleton, joint, scene_random_rotation(&random), q, &violation, &message),
                &message);
            golden_numbers(&hash, q, numbers);
            golden_number(&hash, violation);
            sinew_Ring ring;
            int middle = joint + 1, tip = joint + 2;
            sinew_Status status = sinew_ring_find(
                skeleton, q, joint, middle, tip, golden_point(&random, 0.05), &ring, &message);
            golden_status(&hash, status, &message);
            if (status == SINEW_STATUS_OK) {
                double swivel = golden_range(&random, -3.2, 3.2);
                golden_vec3(&hash, ring.center);
                golden_vec3(&hash, ring.zero);
                golden_number(&hash, ring.radius);
                golden_vec3(&hash, sinew_ring_point(&ring, swivel));
                golden_status(&hash,
                    sinew_ring_pose(skeleton, &ring, swivel, q, &violation, &message), &message);
                golden_numbers(&hash, q, numbers);
                golden_number(&hash, violation);
            }
            scene_random_pose(scene, &random, q);
            sinew_pose_forward(skeleton, q, world);
            int effector = scene->effectors[i % scene->effector_count].joint;
            sinew_Goal goal = sinew_goal_pose(
                effector, world[effector].position, world[effector].rotation);
            goal.chain_root = scene->effectors[i % scene->effector_count].limb_root;
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
            options.max_iterations = 20;
            sinew_Report report;
            bool exact = false;
            scene_random_pose(scene, &random, q);
            status = sinew_solver_solve_penultimate(
                solver, &options, &goal, q, &report, &exact, &message);
            golden_status(&hash, status, &message);
            golden_numbers(&hash, q, numbers);
            golden_int(&hash, exact);
            if (status == SINEW_STATUS_OK) { golden_report(&hash, &report); }
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
    return hash;
}

// two bones, aims and chains of plain transforms
// what a job is asked of: joints from the root out, and a target in reach or beyond
typedef struct JobChain {
    sinew_Transform joints[SINEW_MAX_JOB_JOINTS];
    double shares[SINEW_MAX_JOB_JOINTS];
    int count;
} JobChain;

static void make_job_chain(scene_Random *random, int i, JobChain *chain)
{
    chain->count = 2 + scene_random_index(random, i % 10 == 0 ? SINEW_MAX_JOB_JOINTS - 1 : 8);
    sinew_Vec3 origin = golden_point(random, 1.0);
    chain->joints[0] = (sinew_Transform){ origin, scene_random_rotation(random) };
    for (int j = 1; j < chain->count; ++j) {
        double bone = soak_chance(random, 0.05) ? 0.0 : golden_range(random, 0.1, 0.5);
        sinew_Vec3 way = i % 6 == 0 ? sinew_vec3(0.0, -1.0, 0.0) : scene_random_direction(random);
        chain->joints[j].position = sinew_vec3_add_scaled(chain->joints[j - 1].position, way, bone);
        chain->joints[j].rotation = scene_random_rotation(random);
        chain->shares[j] = scene_random_unit(random);
    }
    chain->shares[0] = 0.3;
}

static sinew_TwoBoneJob bend(uint64_t *hash, scene_Random *random, int i, const JobChain *chain)
{
    sinew_Message message = { "" };
    sinew_TwoBoneJob bones = sinew_two_bone_job_default();
    bones.start = chain->joints[0];
    bones.middle = chain->joints[1];
    bones.end = chain->joints[chain->count > 2 ? 2 : 1];
    bones.target = sinew_vec3_add(
        chain->joints[0].position, golden_point(random, i % 4 == 0 ? 2.0 : 0.5));
    bones.has_pole = i % 3 == 0;
    bones.pole = golden_point(random, 2.0);
    bones.bend_axis = scene_random_direction(random);
    bones.least_bend = i % 5 == 0 ? 0.1 : 0.0;
    bones.most_bend = i % 5 == 0 ? 2.4 : SINEW_PI;
    bones.soft_reach = i % 7 == 0 ? 0.1 : 0.0;
    bones.weight = i % 2 == 0 ? 1.0 : scene_random_unit(random);
    sinew_TwoBoneResult result;
    memset(&result, 0, sizeof result);
    golden_status(hash, sinew_job_two_bone(&bones, &result, &message), &message);
    golden_quat(hash, result.start);
    golden_quat(hash, result.middle);
    golden_quat(hash, result.end_along);
    golden_vec3(hash, result.end_position);
    golden_number(hash, result.miss);
    return bones;
}

static double aim_at(
    uint64_t *hash, scene_Random *random, int i, const JobChain *chain, double weight)
{
    sinew_Message message = { "" };
    static sinew_Quat rotations[SINEW_MAX_JOB_JOINTS];
    sinew_AimJob aim = sinew_aim_job_default();
    double miss = 0.0;
    aim.joints = chain->joints;
    aim.joint_count = chain->count;
    aim.shares = i % 2 == 0 ? chain->shares : NULL;
    aim.axis = scene_random_direction(random);
    aim.offset = golden_point(random, 0.05);
    aim.target = golden_point(random, 3.0);
    aim.has_up = i % 3 == 1;
    aim.up = scene_random_direction(random);
    aim.up_world = scene_random_direction(random);
    aim.max_turn = i % 4 == 0 ? golden_range(random, 0.0, 1.5) : SINEW_PI;
    aim.weight = weight;
    golden_status(hash, sinew_job_aim(&aim, rotations, &miss, &message), &message);
    for (int j = 0; j < chain->count; ++j) { golden_quat(hash, rotations[j]); }
    golden_number(hash, miss);
    return aim.max_turn;
}

uint64_t golden_jobs(void)
{
    uint64_t hash = GOLDEN_START;
    static JobChain chain;
    static sinew_Quat rotations[SINEW_MAX_JOB_JOINTS];
    for (int i = 0; i < 2400; ++i) {
        scene_Random random = scene_random(50000 + (uint64_t)i);
        make_job_chain(&random, i, &chain);
        sinew_TwoBoneJob bones = bend(&hash, &random, i, &chain);
        double max_turn = aim_at(&hash, &random, i, &chain, bones.weight), miss = 0.0;
        sinew_Message message = { "" };
        sinew_ChainJob job = sinew_chain_job_default();
        job.joints = chain.joints;
        job.joint_count = chain.count;
        job.target = bones.target;
        job.max_turn = max_turn;
        job.max_passes = 1 + i % 40;
        job.weight = bones.weight;
        golden_status(&hash, sinew_job_chain(&job, rotations, &miss, &message), &message);
        for (int j = 0; j < chain.count; ++j) { golden_quat(&hash, rotations[j]); }
        golden_number(&hash, miss);
    }
    return hash;
}
