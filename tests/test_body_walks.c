// Every recorded body and every character stands, walks on level ground and stands again, or is refused with a
// reason. Judged from the written files by a reader and kinematics of their own: head above the hips, trunk
// upright, joints that do not race, feet flat and knees straight while it stands. Skipped without the data folder;
// SINEW_TEST_BODIES=all: with guessed limits too.

#include "feet_truth.h"

#include <dirent.h>

#define DEGREE (3.14159265358979323846 / 180.0)
#define STILL 1.0   // seconds that the stick rests at first
#define WALKS 6.0   // until then it is pushed
#define WHOLE 9.0   // until then it rests again
#define SETTLES 2.2 // seconds that a walk takes to stop
#define RATE 60
#define MOST_SPEED 18.0          // of any joint, rad/s
#define MOST_TILT (4.0 * DEGREE) // of soles while the body stands
#define MOST_KNEE (5.0 * DEGREE) // mean of both knees while it stands

/// How a body walked.
typedef struct Walk {
    double way;       ///< legs
    double lean;      ///< of the trunk against up, largest, radians
    double head;      ///< above the hips, lowest, legs
    double speed;     ///< of the fastest joint, rad/s
    char fastest[64]; ///< its name
    double tilt;      ///< of a sole while it stands, largest, radians
    double knee;      ///< mean of both knees' flexion while it stands, radians
} Walk;

enum { HEAD, THIGHS, ARMS = THIGHS + 2, POINTS = ARMS + 2 };

static bool find_points(const Own *own, const Body *b, int points[POINTS])
{
    for (int i = 0; i < POINTS; ++i) {
        sinew_Role role = i == HEAD ? SINEW_ROLE_HEAD
            : i < ARMS              ? SINEW_ROLE_THIGH
                                    : SINEW_ROLE_UPPERARM;
        sinew_Side side = i == HEAD ? SINEW_SIDE_NONE
            : i % 2 == 1            ? SINEW_SIDE_LEFT
                                    : SINEW_SIDE_RIGHT;
        int joint = sinew_roles_find(b->roles, role, side, -1);
        points[i] = joint >= 0 ? own_joint(own, b, joint) : -1;
        if (points[i] < 0 && i != HEAD) { return false; }
    }
    return true;
}

// angle by which a joint turned in its parent between two frames
static double turned(const Own *own, const Place *a, const Place *b, int j)
{
    double local[2][3][3], trace = 0.0, skew[3];
    for (int f = 0; f < 2; ++f) {
        const Place *pose = f == 0 ? a : b;
        int parent = own->parent[j];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                double sum = 0.0;
                for (int k = 0; k < 3; ++k) {
                    double p = parent >= 0 ? pose[parent].m[k][r] : (k == r ? 1.0 : 0.0);
                    sum += p * pose[j].m[k][c];
                }
                local[f][r][c] = sum;
            }
        }
    }
    double d[3][3];
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            d[r][c] = 0.0;
            for (int k = 0; k < 3; ++k) { d[r][c] += local[0][k][r] * local[1][k][c]; }
        }
        trace += d[r][r];
    }
    for (int i = 0; i < 3; ++i) {
        skew[i] = d[(i + 2) % 3][(i + 1) % 3] - d[(i + 1) % 3][(i + 2) % 3];
    }
    double sine = 0.5 * sqrt(skew[0] * skew[0] + skew[1] * skew[1] + skew[2] * skew[2]);
    return atan2(sine, 0.5 * (trace - 1.0));
}

static void middle(const Place *pose, int a, int b, double out[3])
{
    for (int r = 0; r < 3; ++r) { out[r] = 0.5 * (pose[a].p[r] + pose[b].p[r]); }
}

// a joint below a foot; ends have other names in the written file
static int own_below(const Own *own, const Body *b, int foot, int front)
{
    const sinew_Joint *joints = sinew_skeleton_joints(b->body.skeleton);
    int parent = own_joint(own, b, foot);
    for (int j = 0; j < own->joints; ++j) {
        if (strcmp(own->name[j], joints[front].name) == 0) { return j; }
    }
    return parent + 1; // depth first, as in every file
}

// How steeply a foot goes down from its ankle to a joint or end below it. No frame of a joint is looked at: those of
// a character become others in a BVH file.
static double steepness(double down, double length)
{
    return asin(fmax(fmin(down / length, 1.0), -1.0));
}

// against the stance, whose soles lie flat
static void look_at_feet(
    const Own *own, const Body *b, const Place *pose, int axis, double sign, Walk *walk)
{
    const sinew_Joint *joints = sinew_skeleton_joints(b->body.skeleton);
    for (int s = 0; s < 2; ++s) {
        int foot = b->stance->feet[s].joint, front = b->stance->feet[s].toe;
        if (front < 0 && joints[foot].subtree_count > 1) { front = foot + 1; }
        if (front < 0) { continue; }
        sinew_Vec3 way = sinew_vec3_sub(b->stance->world_from_joint[front].position,
            b->stance->world_from_joint[foot].position);
        double stood = steepness(-sinew_vec3_dot(way, b->stance->up), sinew_vec3_length(way));
        const double *a = pose[own_joint(own, b, foot)].p,
                     *c = pose[own_below(own, b, foot, front)].p;
        double length = sqrt((a[0] - c[0]) * (a[0] - c[0]) + (a[1] - c[1]) * (a[1] - c[1])
            + (a[2] - c[2]) * (a[2] - c[2]));
        double now = steepness(sign * (a[axis] - c[axis]), length);
        walk->tilt = fmax(walk->tilt, fabs(now - stood));
    }
}

// joints of a leg in the written file, from the hip down
static void leg_chain(const Own *own, const Body *b, int side, int out_chain[3])
{
    const sinew_Side sides[2] = { SINEW_SIDE_LEFT, SINEW_SIDE_RIGHT };
    int thigh = sinew_roles_find(b->roles, SINEW_ROLE_THIGH, sides[side], -1);
    int shin = sinew_roles_find(b->roles, SINEW_ROLE_SHIN, sides[side], -1);
    out_chain[0] = own_joint(own, b, thigh);
    out_chain[1] = own_joint(own, b, shin);
    out_chain[2] = own_joint(own, b, b->stance->feet[side].joint);
}

static double length_of(const double from[3], const double to[3])
{
    double sum = 0.0;
    for (int r = 0; r < 3; ++r) { sum += (to[r] - from[r]) * (to[r] - from[r]); }
    return sqrt(sum);
}

// mean flexion of both knees, by the law of cosines
static double flexion(const Own *own, const Body *b, const Place *pose)
{
    double sum = 0.0;
    for (int s = 0; s < 2; ++s) {
        int chain[3];
        leg_chain(own, b, s, chain);
        const double *hip = pose[chain[0]].p, *knee = pose[chain[1]].p, *ankle = pose[chain[2]].p;
        double u = length_of(hip, knee), v = length_of(knee, ankle), w = length_of(hip, ankle);
        sum += acos(fmax(fmin((w * w - u * u - v * v) / (2.0 * u * v), 1.0), -1.0));
    }
    return 0.5 * sum;
}

// the written file has a unit of its own
static double unit_of(const Own *own, const Body *b)
{
    static Place pose[MOST_JOINTS];
    int chain[3];
    leg_chain(own, b, 0, chain);
    own_pose(own, 0, 1.0, pose);
    return leg_of(b)
        / (length_of(pose[chain[0]].p, pose[chain[1]].p)
            + length_of(pose[chain[1]].p, pose[chain[2]].p));
}

static bool look_at_walk(const Body *b, const char *path, Walk *walk)
{
    static Place poses[2][MOST_JOINTS];
    int points[POINTS], axis = 1;
    Own *own = own_read(path);
    assert_non_null(own);
    memset(walk, 0, sizeof *walk);
    walk->head = INFINITY;
    bool good = find_points(own, b, points);
    double unit = unit_of(own, b), leg = leg_of(b), sign = 1.0, start[3] = { 0, 0, 0 };
    int stood = 0;
    for (int t = 0; good && t < own->frames; ++t) {
        Place *pose = poses[t % 2];
        double hips[3], chest[3], trunk[3], length = 0.0;
        own_pose(own, t, unit, pose);
        middle(pose, points[THIGHS], points[THIGHS + 1], hips);
        middle(pose, points[ARMS], points[ARMS + 1], chest);
        for (int r = 0; r < 3; ++r) {
            trunk[r] = chest[r] - hips[r];
            length += trunk[r] * trunk[r];
        }
        if (t == 0) {
            // up is the axis that the trunk is along as it stands
            for (int r = 0; r < 3; ++r) {
                if (fabs(trunk[r]) > fabs(trunk[axis])) { axis = r; }
            }
            sign = trunk[axis] < 0.0 ? -1.0 : 1.0;
            memcpy(start, hips, sizeof start);
        }
        walk->lean = fmax(walk->lean, acos(fmin(sign * trunk[axis] / sqrt(length), 1.0)));
        if (points[HEAD] >= 0) {
            walk->head = fmin(walk->head, sign * (pose[points[HEAD]].p[axis] - hips[axis]) / leg);
        }
        for (int j = 0; t > 0 && j < own->joints; ++j) {
            double speed = turned(own, poses[(t + 1) % 2], pose, j) / own->frame_time;
            if (!(speed > walk->speed)) { continue; }
            walk->speed = speed;
            snprintf(walk->fastest, sizeof walk->fastest, "%s", own->name[j]);
        }
        double now = t * own->frame_time;
        bool stands = (now > 0.3 && now < STILL) || now > WALKS + SETTLES;
        if (stands) {
            look_at_feet(own, b, pose, axis, sign, walk);
            walk->knee += flexion(own, b, pose);
            ++stood;
        }
        if (t + 1 == own->frames) { walk->way = length_of(start, hips) / leg; }
    }
    walk->knee /= stood > 0 ? stood : 1;
    own_free(own);
    return good;
}

static bool is_bad(const Walk *walk)
{
    return walk->lean > 35.0 * DEGREE || !(walk->head > 0.0) || walk->speed > MOST_SPEED
        || walk->tilt > MOST_TILT || !(walk->knee <= MOST_KNEE) || !(walk->way > 2.0);
}

static int walked; // bodies that were not refused

static int check_body(const char *name, const char *limits, const char *stick)
{
    Body b;
    Walk walk;
    char out[512];
    snprintf(out, sizeof out, "%s", test_temp_path("body.bvh"));
    const test_Run *run = run_sinew(
        "walk --rig '%s' --limits-from %s --input %s --seconds %g --fps %d -o %s --json",
        data_path(name), limits, stick, WHOLE, RATE, out);
    if (run->code != 0) {
        // refused: one line that says why
        TEST_INT(run->code, 1);
        const char *line = strchr(run->err, '\n');
        TEST_TRUE(line != NULL && line[1] == '\0' && strlen(run->err) > 20);
        print_message("    %-42s %s", name, run->err);
        return 0;
    }
    if (!open_body(&b, name)) { return 0; }
    TEST_TRUE(look_at_walk(&b, out, &walk));
    ++walked;
    bool bad = is_bad(&walk);
    print_message("%s %-44s %4.1f legs, trunk %4.1f deg, head %.2f, %4.1f rad/s (%s), soles %.1f, "
                  "knees %.1f deg\n",
        bad ? "XX " : "   ", name, walk.way, walk.lean / DEGREE, walk.head, walk.speed,
        walk.fastest, walk.tilt / DEGREE, walk.knee / DEGREE);
    close_body(&b);
    return bad ? 1 : 0;
}

static int check_folder(const char *folder, const char *limits, const char *stick)
{
    const char *path = data_path(folder);
    struct dirent **list = NULL;
    int count = path != NULL ? scandir(path, &list, NULL, alphasort) : 0, bad = 0;
    for (int i = 0; i < count; ++i) {
        const char *name = list[i]->d_name, *ending = strrchr(name, '.');
        char file[300];
        snprintf(file, sizeof file, "%s/%s", folder, name);
        bool is_motion = ending != NULL
            && (strcmp(ending, ".bvh") == 0 || strcmp(ending, ".glb") == 0
                || strcmp(ending, ".gltf") == 0);
        if (is_motion) { bad += check_body(file, limits, stick); }
        free(list[i]);
    }
    free(list);
    return bad;
}

static void all_bodies_walk(void **state)
{
    (void)state;
    if (data_path("bvh") == NULL) { skip(); }
    char stick[512];
    snprintf(stick, sizeof stick, "%s", test_temp_path("stick.csv"));
    FILE *file = fopen(stick, "w");
    assert_non_null(file);
    fprintf(file, "0,0,0\n%g,0,0\n%g,0,1\n%g,0,1\n%g,0,0\n%g,0,0\n", STILL, STILL + 0.1, WALKS,
        WALKS + 0.1, WHOLE);
    fclose(file);
    const char *asked = getenv("SINEW_TEST_BODIES");
    bool all = asked != NULL && strcmp(asked, "all") == 0;
    for (int limits = 0; limits < (all ? 2 : 1); ++limits) {
        const char *from = limits == 0 ? "none" : "auto";
        print_message("limits %s\n", from);
        walked = 0;
        TEST_INT(check_folder("bvh", from, stick), 0);
        TEST_INT(check_folder("gltf", from, stick), 0);
        TEST_TRUE(walked >= 45);
    }
}

TEST_MAIN(cmocka_unit_test(all_bodies_walk))
