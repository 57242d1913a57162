// A body that is held by a few points which somebody wears: head, hands and feet, the root free.

#include "bodies.h"

#include "sinew/file.h"
#include "sinew/rig.h"
#include "sinew/stance.h"
#include "sinew/track.h"

#define MAX_NUMBERS 256
#define FRAME_TIME (1.0 / 90.0)
#define SECONDS(frame) ((double)(frame)*FRAME_TIME)

enum { HEAD, LEFT_HAND, RIGHT_HAND, LEFT_FOOT, RIGHT_FOOT, REST, GOALS };

typedef struct Wearer {
    scene_Scene *scene; // or a recorded body:
    sinew_MotionFile *file;
    sinew_Rig *rig;
    sinew_Skeleton *limited;
    const sinew_Skeleton *skeleton;
    int count; // numbers of a pose
    double rest[MAX_NUMBERS], q[MAX_NUMBERS];
    sinew_Transform at_rest[BODY_MAX_JOINTS];
    sinew_Goal goals[GOALS];
    sinew_Vec3 head, left, right; // where they are worn at first
} Wearer;

// the goals of a body that stands at rest, whose skeleton and rest pose are there
static void put_on(Wearer *w)
{
    static const char *const joints[] = { "Head", "LeftHand", "RightHand", "LeftFoot",
        "RightFoot" };
    w->count = sinew_skeleton_coordinate_count(w->skeleton);
    memcpy(w->q, w->rest, sizeof w->q);
    sinew_pose_forward(w->skeleton, w->rest, w->at_rest);
    for (int g = 0; g < REST; ++g) {
        int joint = sinew_skeleton_find_joint(w->skeleton, joints[g]);
        TEST_TRUE(joint >= 0);
        sinew_Transform at = w->at_rest[joint];
        bool hand = g == LEFT_HAND || g == RIGHT_HAND;
        w->goals[g] = hand ? sinew_goal_position(joint, at.position)
                           : sinew_goal_pose(joint, at.position, at.rotation);
    }
    w->goals[REST] = sinew_goal_rest(0.01);
    w->head = w->goals[HEAD].position;
    w->left = sinew_vec3_add(w->head, sinew_vec3(0.2, -0.45, 0.3));
    w->right = sinew_vec3_add(w->head, sinew_vec3(-0.2, -0.45, 0.3));
}

static void wear(Wearer *w, const char *name)
{
    memset(w, 0, sizeof *w);
    w->scene = body_scene(name);
    w->skeleton = w->scene->skeleton;
    sinew_pose_rest(w->skeleton, w->rest);
    put_on(w);
}

// A recorded body inside limits guessed from its names, hinges at its shoulders, in its stance. false: no data.
static bool wear_recorded(Wearer *w)
{
    memset(w, 0, sizeof *w);
    const char *path = data_path("bvh/cmu_01_01_mb.bvh");
    if (path == NULL) { return false; }
    sinew_ReadOptions read = sinew_read_options_default();
    if (sinew_motion_read(path, &read, &w->file, NULL) != SINEW_STATUS_OK) { return false; }
    const sinew_Skeleton *raw = sinew_motion_skeleton(w->file);
    const sinew_Clip *clip = sinew_motion_clip(w->file);
    const sinew_PoseList poses = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    bool ends[BODY_MAX_JOINTS];
    for (int j = 0; j < sinew_skeleton_joint_count(raw); ++j) {
        ends[j] = sinew_motion_is_end_site(w->file, j);
    }
    sinew_RoleOptions roles = sinew_role_options_default();
    roles.motion = &poses;
    roles.is_end_site = ends;
    sinew_RoleGuess *guess;
    sinew_Stance *stance;
    TEST_OK(sinew_roles_guess(raw, &roles, NULL, &guess, NULL), NULL);
    TEST_OK(sinew_stance_guess(raw, guess, &poses, NULL, &stance, NULL), NULL);
    sinew_RigOptions rig = sinew_rig_options_default();
    rig.motion = &poses;
    rig.unit = sinew_motion_unit(w->file);
    TEST_OK(sinew_rig_guess(raw, guess, &rig, NULL, &w->rig, NULL), NULL);
    TEST_OK(sinew_rig_apply(raw, w->rig, NULL, &w->limited, NULL), NULL);
    w->skeleton = w->limited;
    TEST_INT(sinew_skeleton_coordinate_count(w->skeleton), sinew_skeleton_coordinate_count(raw));
    memcpy(w->rest, stance->q, (size_t)sinew_skeleton_coordinate_count(raw) * sizeof *w->rest);
    put_on(w);
    // its own ahead
    double s, c;
    sinew_sincos(sinew_atan2(stance->ahead.x, stance->ahead.z), &s, &c);
    sinew_Vec3 *hands[2] = { &w->left, &w->right };
    for (int side = 0; side < 2; ++side) {
        sinew_Vec3 p = sinew_vec3_sub(*hands[side], w->head);
        *hands[side] = sinew_vec3_add(
            w->head, sinew_vec3(c * p.x + s * p.z, p.y, c * p.z - s * p.x));
    }
    sinew_stance_destroy(stance);
    sinew_roles_destroy(guess);
    return true;
}

static void unwear(Wearer *w)
{
    scene_destroy(w->scene);
    sinew_skeleton_destroy(w->limited);
    sinew_rig_destroy(w->rig);
    sinew_motion_destroy(w->file);
}

static double smooth(double t)
{
    double u = fmin(fmax(t, 0.0), 1.0);
    return u * u * (3.0 - 2.0 * u);
}

// noise of a device, a millimetre, the same every time
static sinew_Vec3 shaken(test_Random *random, sinew_Vec3 p)
{
    return sinew_vec3_add(p, test_vector(random, 0.0017));
}

static sinew_Tracker *make_tracker(const Wearer *w, const sinew_TrackerDef *as)
{
    sinew_TrackerDef def = as != NULL ? *as : sinew_tracker_def_default();
    def.skeleton = w->skeleton;
    def.frame_time = FRAME_TIME;
    sinew_Tracker *tracker = NULL;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    TEST_OK(sinew_tracker_set_pose(tracker, w->rest, NULL), NULL);
    return tracker;
}

static double longest_turn(const Wearer *w, const double *from, const double *to)
{
    double longest = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(w->skeleton); ++j) {
        longest = fmax(longest,
            sinew_quat_angle(sinew_pose_local(w->skeleton, from, j).rotation,
                sinew_pose_local(w->skeleton, to, j).rotation));
    }
    return longest;
}

static bool is_finite(const double *q, int count)
{
    for (int i = 0; i < count; ++i) {
        if (!isfinite(q[i])) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// A device that is not seen: no weight, and a place that is no number

static const sinew_Vec3 nowhere = { NAN, INFINITY, NAN };

// the same pose as without the goal, to the bit
static void test_unseen_solver(void **state)
{
    (void)state;
    Wearer w;
    wear(&w, "MAN18");
    sinew_Solver *solver = body_solver(w.skeleton, GOALS);
    const sinew_SolveOptions options = sinew_solve_options_motion(FRAME_TIME);
    w.goals[HEAD].position.y -= 0.1;
    for (int kind = 0; kind < 3; ++kind) {
        double poses[2][MAX_NUMBERS];
        for (int unseen = 0; unseen < 2; ++unseen) {
            sinew_Goal goals[GOALS];
            memcpy(goals, w.goals, sizeof goals);
            sinew_Goal *left = &goals[LEFT_HAND];
            if (kind == 1) {
                *left = sinew_goal_pose(left->joint, left->position, sinew_quat_identity());
            }
            if (kind == 2) { *left = sinew_goal_aim(left->joint, left->axis, left->position); }
            left->position_weight = left->orientation_weight = 0.0;
            if (unseen) {
                left->position = nowhere;
                left->orientation = (sinew_Quat){ NAN, NAN, NAN, NAN };
            }
            memcpy(poses[unseen], w.rest, sizeof w.rest);
            sinew_Message message = { "" };
            TEST_OK(
                sinew_solver_solve(solver, &options, goals, GOALS, poses[unseen], NULL, &message),
                &message);
            const sinew_GoalResult *result = &sinew_solver_goal_results(solver)[LEFT_HAND];
            TEST_TRUE(isfinite(result->position_error) && isfinite(result->orientation_error));
            if (unseen) { TEST_TRUE(result->position_error + result->orientation_error == 0.0); }
        }
        TEST_TRUE(is_finite(poses[1], w.count));
        TEST_TRUE(body_same_bits(poses[0], poses[1], w.count));
    }
    // with a weight it is refused
    w.goals[LEFT_HAND].position = nowhere;
    TEST_TRUE(sinew_solver_solve(solver, &options, w.goals, GOALS, w.q, NULL, NULL)
        == SINEW_STATUS_INVALID_ARGUMENT);
    sinew_solver_destroy(solver);
    unwear(&w);
}

// a hand that comes and goes while the head moves: nothing leaps, and nothing is lost for it
static void test_unseen_tracker(void **state)
{
    (void)state;
    Wearer w;
    wear(&w, "MAN18");
    sinew_Tracker *tracker = make_tracker(&w, NULL);
    double q[MAX_NUMBERS], most = 0.0;
    memcpy(q, w.rest, sizeof q);
    for (int f = 0; f < 180; ++f) {
        sinew_Goal goals[GOALS];
        memcpy(goals, w.goals, sizeof goals);
        goals[HEAD].position.y -= 0.1 * smooth(SECONDS(f));
        if (f >= 40 && f < 100) {
            goals[LEFT_HAND].position_weight = 0.0;
            goals[LEFT_HAND].position = nowhere;
        }
        sinew_Message message = { "" };
        TEST_OK(sinew_tracker_update(tracker, goals, GOALS, w.q, NULL, &message), &message);
        TEST_TRUE(is_finite(w.q, w.count));
        TEST_TRUE(!sinew_tracker_state(tracker).posed_anew);
        if (f < 100 || f > 150) { TEST_TRUE(!sinew_tracker_state(tracker).lost); }
        most = fmax(most, longest_turn(&w, q, w.q));
        memcpy(q, w.q, sizeof q);
    }
    TEST_TRUE(most < 18.0 * FRAME_TIME + 1e-9);
    sinew_tracker_destroy(tracker);
    unwear(&w);
}

// ---------------------------------------------------------------------------------------------
// Hands that go overhead, out of reach, and come back

static void raise_hands(Wearer *w, test_Random *random, int frame)
{
    double t = SECONDS(frame), up = smooth((t - 1.0) / 1.5) * (1.0 - smooth((t - 6.0) / 1.5));
    const sinew_Vec3 over_left = { 0.15, 0.6, 0.05 }, over_right = { -0.15, 0.6, 0.0 };
    const sinew_Vec3 tops[2] = { sinew_vec3_add(w->head, over_left),
        sinew_vec3_add(w->head, over_right) };
    const sinew_Vec3 rests[2] = { w->left, w->right };
    for (int side = 0; side < 2; ++side) {
        sinew_Goal *goal = &w->goals[LEFT_HAND + side];
        sinew_Vec3 at_rest = w->at_rest[goal->joint].position;
        sinew_Vec3 place = sinew_vec3_lerp(rests[side], tops[side], up);
        goal->position = shaken(random, sinew_vec3_lerp(at_rest, place, smooth(t)));
    }
    w->goals[HEAD].position = shaken(random, w->head);
}

typedef struct Course {
    double evaluations; // mean of a frame
    int worst;          // most of a frame
    int iterations;     // most of a frame
    double missed;      // largest miss of a hand or the head by a frame from 7.7 s on, metres
    double sum;         // of all errors of places, metres
} Course;

// frames by the options of motion, with the rest posture below the goals
static Course raise_by_solver(const char *body, int max_iterations)
{
    Wearer w;
    wear(&w, body);
    w.goals[REST].priority = 1;
    sinew_Solver *solver = body_solver(w.skeleton, GOALS);
    TEST_OK(sinew_solver_set_rest(solver, w.rest), NULL);
    sinew_SolveOptions options = sinew_solve_options_motion(FRAME_TIME);
    if (max_iterations > 0) { options.max_iterations = max_iterations; }
    Course c = { .worst = 0 };
    test_Random random = test_random(7);
    const int frames = 810;
    for (int f = 0; f < frames; ++f) {
        raise_hands(&w, &random, f);
        sinew_Report report = body_solve(solver, &options, w.goals, GOALS, w.q);
        int evaluations = report.forward_count + report.jacobian_count;
        c.evaluations += (double)evaluations / frames;
        c.worst = evaluations > c.worst ? evaluations : c.worst;
        c.iterations = report.iterations > c.iterations ? report.iterations : c.iterations;
        c.sum += report.position_error;
        if (f > 700) { c.missed = fmax(c.missed, report.position_error); }
    }
    sinew_solver_destroy(solver);
    unwear(&w);
    return c;
}

static void test_work_is_bounded(void **state)
{
    (void)state;
    Course c = raise_by_solver("MAN18", 0), free = raise_by_solver("MAN18", 8000);
    print_message(
        "evaluations %.0f, worst %d, %d iterations, sum %.3f m, missed %.5f; unbounded %.0f, "
        "%d, %d, %.3f, %.5f\n",
        c.evaluations, c.worst, c.iterations, c.sum, c.missed, free.evaluations, free.worst,
        free.iterations, free.sum, free.missed);
    TEST_TRUE(c.iterations <= 48 && c.worst <= 130);
    TEST_TRUE(c.worst <= 4.0 * c.evaluations + 20.0);
    // what a frame leaves the next one does
    TEST_TRUE(c.sum <= 1.02 * free.sum + 0.01 && c.missed < 2e-4);
}

// ---------------------------------------------------------------------------------------------
// A hand whose device drops out for three frames: it is told at the origin

// the joints that the left hand's goal alone moves
static bool is_of_left_arm(const Wearer *w, int joint)
{
    const sinew_Skeleton *skeleton = w->skeleton;
    return sinew_skeleton_is_ancestor(skeleton, joint, w->goals[LEFT_HAND].joint)
        && !sinew_skeleton_is_ancestor(skeleton, joint, w->goals[RIGHT_HAND].joint);
}

// turns of the arm and of all else, and how far the goals of head and feet are off as the hand jumps
static void drop_out(double jump_share, double *out_arm, double *out_body, double *out_missed)
{
    Wearer w;
    wear(&w, "MAN18");
    sinew_TrackerDef def = sinew_tracker_def_default();
    if (jump_share > 0.0) { def.jump_share = jump_share; }
    sinew_Tracker *tracker = make_tracker(&w, &def);
    double before[MAX_NUMBERS];
    memcpy(before, w.rest, sizeof before);
    *out_arm = *out_body = *out_missed = 0.0;
    const sinew_Skeleton *skeleton = w.skeleton;
    for (int f = 0; f < 180; ++f) {
        bool jumps = f == 120 || f == 123;
        sinew_Goal *left = &w.goals[LEFT_HAND];
        left->position = sinew_vec3_lerp(
            w.at_rest[left->joint].position, w.left, smooth(SECONDS(f)));
        if (f >= 120 && f < 123) { left->position = sinew_vec3(0.0, 0.0, 0.0); }
        TEST_OK(sinew_tracker_update(tracker, w.goals, GOALS, w.q, NULL, NULL), NULL);
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            double turn = sinew_quat_angle(sinew_pose_local(skeleton, before, j).rotation,
                sinew_pose_local(skeleton, w.q, j).rotation);
            double *most = is_of_left_arm(&w, j) ? out_arm : out_body;
            *most = fmax(*most, turn);
        }
        const sinew_GoalResult *results = sinew_tracker_goal_results(tracker);
        for (int g = 0; jumps && jump_share == 0.0 && g < REST; ++g) {
            if (g != LEFT_HAND) { *out_missed = fmax(*out_missed, results[g].position_error); }
        }
        if (f > 150) { TEST_TRUE(results[LEFT_HAND].position_error < 1e-3); }
        memcpy(before, w.q, sizeof before);
    }
    sinew_tracker_destroy(tracker);
    unwear(&w);
}

static void test_dropout(void **state)
{
    (void)state;
    double arm, body, missed;
    const double bound = 18.0 * FRAME_TIME + 1e-9;
    drop_out(0.0, &arm, &body, &missed);
    print_message("a hand jumps: arm %.2f rad, body %.2f, head and feet %.1f mm off\n", arm, body,
        1e3 * missed);
    TEST_TRUE(body <= bound && missed < 1e-3);
    // nothing is posed anew
    drop_out(INFINITY, &arm, &body, &missed);
    TEST_TRUE(arm <= bound && body <= bound);
    sinew_TrackerDef def = sinew_tracker_def_default();
    sinew_Tracker *tracker;
    Wearer w;
    wear(&w, "MAN18");
    def.skeleton = w.skeleton;
    const double wrong[3] = { 0.0, -1.0, NAN };
    for (int i = 0; i < 3; ++i) {
        def.jump_share = wrong[i];
        TEST_TRUE(sinew_tracker_create(&def, &tracker, NULL) == SINEW_STATUS_INVALID_ARGUMENT);
    }
    unwear(&w);
}

// A recorded body's hands go up, out of reach, and come back, with a rest goal among the others: that likes
// elbows whose arms end at their limits on the way down. How far the worst frame is off then, metres.
static double lower_by_tracker(uint64_t seed, int *most)
{
    Wearer w;
    if (!wear_recorded(&w)) { skip(); }
    sinew_Tracker *tracker = make_tracker(&w, NULL);
    test_Random random = test_random(seed);
    double missed = 0.0;
    for (int f = 0; f < 810; ++f) {
        raise_hands(&w, &random, f);
        sinew_Report report;
        TEST_OK(sinew_tracker_update(tracker, w.goals, GOALS, w.q, &report, NULL), NULL);
        if (f > 570) { missed = fmax(missed, report.position_error); }
        *most = report.iterations > *most ? report.iterations : *most;
    }
    TEST_TRUE(!sinew_tracker_state(tracker).lost);
    sinew_tracker_destroy(tracker);
    unwear(&w);
    return missed;
}

static void test_lowered_hands(void **state)
{
    (void)state;
    double sum = 0.0;
    int most = 0;
    for (uint64_t seed = 5; seed < 9; ++seed) { sum += lower_by_tracker(seed, &most); }
    print_message("off on the way back: %.3f m, %d iterations\n", 0.25 * sum, most);
    TEST_TRUE(0.25 * sum < 0.2); // it was 0.349
    TEST_TRUE(most <= 130);
}

TEST_MAIN(cmocka_unit_test(test_unseen_solver), cmocka_unit_test(test_unseen_tracker),
    cmocka_unit_test(test_work_is_bounded), cmocka_unit_test(test_dropout),
    cmocka_unit_test(test_lowered_hands))
