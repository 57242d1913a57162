// Smooth goal paths, followed warm: joints never jump without the report saying so.
//
// Where a path runs by a singular pose or along a limit, joints must move fast to stay on it. That is
// no jump: followed many times finer, such a stretch is made of small steps. A jump stays one.

#include "bodies.h"

#include "scenes/reckoning.h"

enum { SAMPLES = 10000, MAX_DOFS = 32, WAVES = 3, SEEDS = 4, FINER = 50 };

// steps of more than this many times the median of their path are looked at
#define LARGE_STEP 10.0
// and are jumps when they are as large as this, radians, and so is a step of the finer path
#define JUMP 0.25

/// How the pose that makes the goals moves through the limits.
typedef enum Course {
    COURSE_GENTLE,  ///< a third of each range around its middle
    COURSE_WIDE,    ///< all of each range: joints come to rest on their limits and leave them
    COURSE_STRETCH, ///< the goal goes out to full stretch, a little beyond, and back in
    COURSE_COUNT,
} Course;

static const char *const course_names[COURSE_COUNT] = { "gentle", "wide", "stretch" };

typedef struct Follower {
    const char *scene, *effector;
    bool pose;
} Follower;

static const Follower followers[] = {
    { "LEG", "Ankle", false },
    { "LEG", "Heel", true },
    { "ARM", "Grip", false },
    { "ARM", "Grip", true },
    { "SPINEARM", "Grip", false },
    { "SPINEARM", "Grip", true },
};
enum { FOLLOWERS = (int)(sizeof followers / sizeof followers[0]) };

// each axis swings with a few slow waves of its own
typedef struct Waves {
    double turns[MAX_DOFS][WAVES], phase[MAX_DOFS][WAVES];
} Waves;

static void make_waves(test_Random *random, int axes, Waves *out_waves)
{
    for (int a = 0; a < axes; ++a) {
        for (int w = 0; w < WAVES; ++w) {
            // whole turns, so that the path closes
            out_waves->turns[a][w] = 1 + test_int(random, 3 + 2 * w);
            out_waves->phase[a][w] = test_range(random, -SINEW_PI, SINEW_PI);
        }
    }
}

// -1..1 along the path; the sum of the waves goes through a sine, so that it rests on both ends
static double wave(const Waves *waves, int axis, double t)
{
    double sum = 0.0;
    for (int w = 0; w < WAVES; ++w) {
        sum += sin(2.0 * SINEW_PI * waves->turns[axis][w] * t + waves->phase[axis][w]) / (1.0 + w);
    }
    return sin(1.4 * sum);
}

static void pose_at(
    const scene_Scene *scene, const Waves *waves, double share, double t, double *out_q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(scene->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(scene->skeleton); ++a) {
        double middle = 0.5 * (axes[a].lower + axes[a].upper);
        double half = 0.5 * (axes[a].upper - axes[a].lower);
        out_q[places[a].coordinate] = middle + share * half * wave(waves, a, t);
    }
}

/// One path and who follows it.
typedef struct Path {
    const Follower *follower;
    Course course;
    scene_Scene *scene;
    sinew_Solver *solver;
    sinew_SolveOptions options;
    Waves waves;
    double step[SAMPLES]; // largest change of a joint, radians
    bool told[SAMPLES];   // a branch change
    double pose[SAMPLES][MAX_DOFS];
} Path;

/// What following a path was like.
typedef struct Outcome {
    double median, largest; ///< joint steps, radians
    int met, told;          ///< samples; branch changes that were told of
    int large;              ///< steps above LARGE_STEP medians that were not told of
    int jumps, first_jump;  ///< those of them that are jumps
} Outcome;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double share_of(Course course)
{
    return course == COURSE_WIDE ? 1.0 : 0.33;
}

static sinew_Goal goal_at(const Path *path, double t)
{
    double q[BODY_MAX_NUMBERS];
    const sinew_Skeleton *skeleton = path->scene->skeleton;
    const scene_Effector *effector =
        &path->scene->effectors[body_effector(path->scene, path->follower->effector)];
    int joint = effector->joint;
    pose_at(path->scene, &path->waves, share_of(path->course), t, q);
    sinew_Transform world = scene_reckon(skeleton, q, joint, sinew_transform_identity());
    if (path->course == COURSE_STRETCH) {
        // straight away from the limb's root, up to a little more than it can reach
        sinew_Transform root = scene_reckon(
            skeleton, q, effector->limb_root, sinew_transform_identity());
        double reach = sinew_skeleton_chain_length(skeleton, effector->limb_root, joint);
        sinew_Vec3 way = sinew_vec3_sub(world.position, root.position);
        double wanted = reach * (0.8 + 0.22 * sin(8.0 * 2.0 * SINEW_PI * t));
        world.position = sinew_vec3_add_scaled(root.position, way, wanted / sinew_vec3_length(way));
    }
    sinew_Goal goal = path->follower->pose ? sinew_goal_pose(joint, world.position, world.rotation)
                                           : sinew_goal_position(joint, world.position);
    goal.chain_root = effector->chain_root;
    return goal;
}

// one sample further; returns the largest change of a joint
static double go_on(Path *path, double t, double *q, sinew_Report *report)
{
    double before[BODY_MAX_NUMBERS];
    sinew_Goal goal = goal_at(path, t);
    memcpy(before, q, sizeof before);
    *report = body_solve(path->solver, &path->options, &goal, 1, q);
    TEST_TRUE(sinew_pose_limit_violation(path->scene->skeleton, q) <= 0.0);
    return body_largest_step(path->scene->skeleton, before, q);
}

// the way to a sample in many small steps: whether one of them still is a jump
static bool is_jump(Path *path, int sample)
{
    double q[BODY_MAX_NUMBERS];
    memcpy(q, path->pose[sample - 1], sizeof path->pose[0]);
    for (int k = 1; k <= FINER; ++k) {
        sinew_Report report;
        double step = go_on(path, (sample - 1 + (double)k / FINER) / SAMPLES, q, &report);
        if (step > JUMP) { return true; }
    }
    return false;
}

static Outcome judge(Path *path)
{
    static double sorted[SAMPLES];
    Outcome o = { .first_jump = -1 };
    // the first sample comes from elsewhere
    memcpy(sorted, &path->step[1], sizeof sorted - sizeof sorted[0]);
    qsort(sorted, SAMPLES - 1, sizeof sorted[0], compare);
    o.median = sorted[SAMPLES / 2];
    o.largest = sorted[SAMPLES - 2];
    for (int i = 1; i < SAMPLES; ++i) {
        o.told += path->told[i];
        if (path->step[i] <= LARGE_STEP * o.median || path->told[i]) { continue; }
        ++o.large;
        if (path->step[i] > JUMP && is_jump(path, i) && o.jumps++ == 0) { o.first_jump = i; }
    }
    return o;
}

static Outcome follow(const Follower *follower, Course course, uint64_t seed)
{
    static Path path;
    path.follower = follower;
    path.course = course;
    path.scene = body_scene(follower->scene);
    path.solver = body_solver(path.scene->skeleton, 1);
    path.options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    path.options.position_tolerance = 1e-5;
    path.options.orientation_tolerance = 1e-5;
    test_Random random = test_case(seed, 1);
    int axes = sinew_skeleton_axis_count(path.scene->skeleton);
    TEST_TRUE(axes <= MAX_DOFS && sinew_skeleton_coordinate_count(path.scene->skeleton) == axes);
    make_waves(&random, axes, &path.waves);

    double q[BODY_MAX_NUMBERS];
    pose_at(path.scene, &path.waves, share_of(course), 0.0, q);
    int met = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        sinew_Report report;
        path.step[i] = go_on(&path, (double)i / SAMPLES, q, &report);
        path.told[i] = report.branch_change;
        memcpy(path.pose[i], q, sizeof path.pose[i]);
        met += report.outcome == SINEW_OUTCOME_CONVERGED;
    }
    Outcome o = judge(&path);
    o.met = met;
    sinew_solver_destroy(path.solver);
    scene_destroy(path.scene);
    return o;
}

/// 10,000 samples of smooth paths through the workspace of leg, arm and spine with arm: gentle ones,
/// through all limits, out to full stretch and beyond. Every reachable goal is met, branch changes
/// are few and told of, and nothing else jumps.
static void test_paths(void **state)
{
    (void)state;
    int bad = 0;
    print_message("    path: met, median step, largest step, not told large ones, told changes\n");
    for (int f = 0; f < FOLLOWERS; ++f) {
        for (int course = 0; course < COURSE_COUNT; ++course) {
            for (int s = 0; s < SEEDS; ++s) {
                uint64_t seed = 2300 + (uint64_t)(100 * f + 10 * course + s);
                Outcome o = follow(&followers[f], (Course)course, seed);
                print_message("    %s %s %s %llu: %.2f %%, %.5f, %.1f x, %d, %d\n",
                    followers[f].scene, followers[f].pose ? "pose" : "place", course_names[course],
                    (unsigned long long)seed, 100.0 * o.met / SAMPLES, o.median,
                    o.largest / o.median, o.large, o.told);
                if (o.jumps > 0) {
                    print_error("    %d jumps, the first at sample %d\n", o.jumps, o.first_jump);
                }
                bool reachable = course != COURSE_STRETCH;
                bool good = o.jumps == 0
                    && (!reachable || (o.met == SAMPLES && o.told <= SAMPLES / 1000));
                bad += !good;
            }
        }
    }
    TEST_INT(bad, 0);
}

TEST_MAIN(cmocka_unit_test(test_paths))
