// The tracker frame by frame: what moves, how far, and when nothing does.

#include "bodies.h"

#include "sinew/track.h"

#define MAX_NUMBERS 256
#define RATE 18.0
#define FRAME_TIME (1.0 / 60.0)

static sinew_Tracker *make_tracker(const scene_Scene *scene, const sinew_Allocator *allocator)
{
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = scene->skeleton;
    if (allocator != NULL) { def.allocator = *allocator; }
    sinew_Tracker *tracker = NULL;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    return tracker;
}

static int find(const scene_Scene *scene, const char *name)
{
    int joint = sinew_skeleton_find_joint(scene->skeleton, name);
    TEST_TRUE(joint >= 0);
    return joint;
}

static double arm_length(const scene_Scene *scene)
{
    return sinew_skeleton_chain_length(
        scene->skeleton, find(scene, "RightArm"), find(scene, "RightHand"));
}

// where the shoulder is at rest
static sinew_Vec3 shoulder(const scene_Scene *scene)
{
    double q[MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_pose_rest(scene->skeleton, q);
    sinew_pose_forward(scene->skeleton, q, world);
    return world[find(scene, "RightArm")].position;
}

// a hand's goal for the arm alone on a circle beside the body, of so many arm lengths
static sinew_Goal circle(const scene_Scene *scene, double radius, double turns)
{
    double s, c;
    sinew_sincos(2.0 * SINEW_PI * turns, &s, &c);
    double r = radius * arm_length(scene);
    sinew_Goal goal = sinew_goal_position(
        find(scene, "RightHand"), sinew_vec3_add(shoulder(scene), sinew_vec3(-0.1, -r * c, r * s)));
    goal.chain_root = find(scene, "RightArm");
    return goal;
}

static double longest_turn(const scene_Scene *scene, const double *from, const double *to)
{
    double longest = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
        longest = fmax(longest,
            sinew_quat_angle(sinew_pose_local(scene->skeleton, from, j).rotation,
                sinew_pose_local(scene->skeleton, to, j).rotation));
    }
    return longest;
}

// joints outside the arm have these bits
static void check_others(const scene_Scene *scene, const double *q, const double *want)
{
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    int arm = find(scene, "RightArm");
    for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
        if (j >= arm && j < arm + joints[arm].subtree_count) { continue; }
        int start = joints[j].coordinate_start;
        TEST_TRUE(body_same_bits(&q[start], &want[start], joints[j].coordinate_count));
    }
}

/// MULTI-3: a goal of the arm alone moves the arm alone, in first, lost and joining frames and in those
/// after a jump.
static void test_chain_root(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Tracker *tracker = make_tracker(scene, NULL);
    double rest[MAX_NUMBERS], q[MAX_NUMBERS];
    sinew_pose_rest(scene->skeleton, rest);
    int lost = 0;
    for (int frame = 0; frame < 400; ++frame) {
        // in reach, out of reach, and a jump every 50 frames
        sinew_Goal goal = circle(scene, frame % 100 < 50 ? 0.7 : 1.6, frame / 120.0);
        TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
        check_others(scene, q, rest);
        lost += sinew_tracker_state(tracker).lost ? 1 : 0;
    }
    TEST_TRUE(lost > 50);
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

/// A pose given before the first frame is gone on from; later ones pose what no goal moves.
static void test_set_pose(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Tracker *tracker = make_tracker(scene, NULL);
    double given[MAX_NUMBERS], last[MAX_NUMBERS], q[MAX_NUMBERS];
    scene_pose_at(scene, 3.0, given);
    memcpy(last, given, sizeof last);
    TEST_OK(sinew_tracker_set_pose(tracker, given, NULL), NULL);
    for (int frame = 0; frame < 120; ++frame) {
        scene_pose_at(scene, 3.0 + frame * FRAME_TIME, given);
        if (frame > 0) { TEST_OK(sinew_tracker_set_pose(tracker, given, NULL), NULL); }
        sinew_Goal goal = circle(scene, 0.8, 0.1);
        TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
        check_others(scene, q, given);
        int arm = find(scene, "RightArm");
        double turn = sinew_quat_angle(sinew_pose_local(scene->skeleton, last, arm).rotation,
            sinew_pose_local(scene->skeleton, q, arm).rotation);
        TEST_TRUE(turn <= RATE * FRAME_TIME + 1e-9);
        TEST_TRUE(!sinew_tracker_state(tracker).posed_anew);
        memcpy(last, q, sizeof last);
    }

    // a broken pose changes nothing
    sinew_Tracker *other = make_tracker(scene, NULL);
    given[0] = NAN;
    TEST_INT(sinew_tracker_set_pose(other, given, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_tracker_set_pose(other, NULL, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_Goal goal = circle(scene, 0.8, 0.1);
    TEST_OK(sinew_tracker_update(other, &goal, 1, q, NULL, NULL), NULL);
    TEST_TRUE(sinew_tracker_state(other).posed_anew);
    sinew_tracker_destroy(other);
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

/// RET-2: goals that move slowly never make a joint turn faster than the bound, in and out of reach,
/// where branches end and where another one is joined; a lost frame is not posed anew.
static void test_bound(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Tracker *tracker = make_tracker(scene, NULL);
    int seeking = 0, joining = 0, bounded = 0;
    static const double radii[] = { 0.6, 1.0, 1.3, 2.5 };
    for (int r = 0; r < 4; ++r) {
        double q[MAX_NUMBERS], last[MAX_NUMBERS];
        sinew_tracker_reset(tracker);
        for (int frame = 0; frame < 360; ++frame) {
            sinew_Goal goal = circle(scene, radii[r], frame / 180.0);
            TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
            TEST_TRUE(sinew_pose_limit_violation(scene->skeleton, q) <= 1e-9);
            sinew_TrackerState told = sinew_tracker_state(tracker);
            TEST_TRUE(frame == 0 || !told.posed_anew);
            // a circle of two turns in 6 s asks for 0.035 rad a frame and thrice that is below the bound
            if (frame > 0) { TEST_TRUE(longest_turn(scene, last, q) <= RATE * FRAME_TIME + 1e-9); }
            memcpy(last, q, sizeof last);
            seeking += told.seeking ? 1 : 0;
            joining += told.joining ? 1 : 0;
            bounded += told.bounded ? 1 : 0;
        }
    }
    print_message("frames: %d seeking, %d joining, %d bounded\n", seeking, joining, bounded);
    TEST_TRUE(seeking > 0 && joining > 0 && bounded > 0);
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

// turn of each joint from one pose to the next, as rotation vectors; returns the largest change of one
static double change_of_turns(
    const scene_Scene *scene, const double *from, const double *to, sinew_Vec3 *turns)
{
    double largest = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
        sinew_Quat before = sinew_pose_local(scene->skeleton, from, j).rotation;
        sinew_Quat after = sinew_pose_local(scene->skeleton, to, j).rotation;
        sinew_Vec3 turn = sinew_quat_log(sinew_quat_mul(sinew_quat_conjugate(before), after));
        largest = fmax(largest, sinew_vec3_distance(turn, turns[j]));
        turns[j] = turn;
    }
    return largest;
}

/// RET-2: a join of another branch begins from the speed that the joints have and comes to rest again:
/// they change it by 330 rad/s^2 and by what the goals ask, where they changed it by 0.3 rad a frame.
static void test_joins_are_eased(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Tracker *tracker = make_tracker(scene, NULL);
    // a circle of two turns in 6 s asks for 0.035 rad a frame at its radius, thrice that may be turned
    const double most = 330.0 * FRAME_TIME * FRAME_TIME + 3.0 * 2.0 * SINEW_PI / 180.0;
    static const double radii[] = { 1.0, 1.3, 2.5 };
    int joins = 0;
    double begin = 0.0, end = 0.0;
    for (int r = 0; r < 3; ++r) {
        double q[MAX_NUMBERS], last[MAX_NUMBERS];
        sinew_Vec3 turns[BODY_MAX_JOINTS] = { { 0.0, 0.0, 0.0 } };
        bool joining = false, joined = false;
        sinew_tracker_reset(tracker);
        for (int frame = 0; frame < 360; ++frame) {
            sinew_Goal goal = circle(scene, radii[r], frame / 180.0);
            TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
            bool now = sinew_tracker_state(tracker).joining;
            if (frame > 0) {
                double change = change_of_turns(scene, last, q, turns);
                if (now && !joining && frame > 1) { begin = fmax(begin, change); }
                // the last frame of a join, and the one behind it
                if (!now && (joining || joined)) { end = fmax(end, change); }
            }
            joins += now && !joining ? 1 : 0;
            joined = joining && !now;
            joining = now;
            memcpy(last, q, sizeof last);
        }
    }
    print_message("%d joins: %.3f and %.3f rad a frame, asked %.3f\n", joins, begin, end, most);
    TEST_TRUE(joins >= 6);
    TEST_TRUE(begin <= most && end <= most);
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

/// Goals that rest give poses that rest, to the bit, in reach and out of it, for 10,000 frames; and a
/// path followed forth and back many times ends where it did.
static void test_stillness(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    static const double radii[] = { 0.7, 1.6 };
    for (int r = 0; r < 2; ++r) {
        sinew_Tracker *tracker = make_tracker(scene, NULL);
        double q[MAX_NUMBERS], kept[MAX_NUMBERS];
        for (int frame = 0; frame < 200; ++frame) {
            sinew_Goal goal = circle(scene, radii[r], fmin(frame, 80.0) / 360.0);
            TEST_OK(sinew_tracker_update(tracker, &goal, 1, kept, NULL, NULL), NULL);
        }
        for (int frame = 0; frame < 10000; ++frame) {
            sinew_Goal goal = circle(scene, radii[r], 80.0 / 360.0);
            TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
            TEST_TRUE(body_same_bits(q, kept, numbers));
        }
        sinew_tracker_destroy(tracker);
    }
    scene_destroy(scene);
}

/// An added T-pose before a motion that begins elsewhere: the second frame is posed anew, at once.
static void test_jump(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("HAND");
    sinew_Tracker *tracker = NULL;
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = scene->skeleton;
    def.max_goals = SCENE_MAX_EFFECTORS;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    double q[MAX_NUMBERS];
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    for (int frame = 0; frame < 3; ++frame) {
        scene_pose_at(scene, 2.0, q);
        if (frame == 0) { sinew_pose_rest(scene->skeleton, q); }
        int count = body_scene_goals(scene, q, goals);
        for (int g = 0; g < count; ++g) { goals[g].position.x += frame > 0 ? 0.5 : 0.0; }
        sinew_Report report;
        TEST_OK(sinew_tracker_update(tracker, goals, count, q, &report, NULL), NULL);
        TEST_TRUE(sinew_tracker_state(tracker).posed_anew == (frame < 2));
        TEST_TRUE(report.position_error <= 5e-3);
    }
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

/// No frame takes memory, whatever it does.
static void test_no_allocation(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    test_Memory memory;
    test_memory_init(&memory);
    sinew_Tracker *tracker = make_tracker(scene, &memory.allocator);
    long taken = memory.alloc_count;
    for (int frame = 0; frame < 600; ++frame) {
        double q[MAX_NUMBERS];
        sinew_Goal goal = circle(scene, frame < 300 ? 1.3 : 0.5, frame / 180.0);
        if (frame % 100 == 0) { goal.position.y += 3.0; }
        TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
        if (frame % 7 == 0) { TEST_OK(sinew_tracker_set_pose(tracker, q, NULL), NULL); }
    }
    TEST_INT(memory.alloc_count, taken);
    sinew_tracker_destroy(tracker);
    TEST_INT(memory.free_count, taken);
    scene_destroy(scene);
}

/// FOLLOW-1, LIM: an arm whose branch ends twice a turn is seldom far from its goal, and goes over to other values of its hinges without a step that could be seen.
static void test_branch_ends(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Tracker *tracker = make_tracker(scene, NULL);
    int start = sinew_skeleton_joints(scene->skeleton)[find(scene, "RightArm")].coordinate_start;
    int off = 0, over = 0;
    double q[MAX_NUMBERS], last[MAX_NUMBERS];
    for (int frame = 0; frame < 720; ++frame) {
        sinew_Goal goal = circle(scene, 0.7, frame / 180.0);
        sinew_Report report;
        TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, &report, NULL), NULL);
        TEST_TRUE(sinew_pose_limit_violation(scene->skeleton, q) <= 1e-9);
        off += report.position_error > 0.06 ? 1 : 0;
        if (frame > 0) {
            TEST_TRUE(longest_turn(scene, last, q) <= 0.35);
            over += fabs(q[start] - last[start]) > 1.0 ? 1 : 0;
        }
        memcpy(last, q, sizeof last);
    }
    TEST_TRUE(off < 60);
    TEST_TRUE(over >= 2);
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

// hinges of a joint anywhere in their ranges
static void draw_joint(const scene_Scene *scene, scene_Random *random, int joint, double *q)
{
    const sinew_Joint *j = &sinew_skeleton_joints(scene->skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(scene->skeleton)[j->axis_start];
    for (int a = 0; a < j->axis_count; ++a) {
        q[j->coordinate_start + a] = scene_random_range(random, axes[a].lower, axes[a].upper);
    }
}

// goals for both feet, each for its leg alone, at places of a random pose
static void draw_feet(
    const scene_Scene *scene, scene_Random *random, sinew_Goal rest[2], sinew_Goal goals[2])
{
    static const char *const names[2][3] = { { "LeftUpLeg", "LeftLeg", "LeftFoot" },
        { "RightUpLeg", "RightLeg", "RightFoot" } };
    double q[MAX_NUMBERS];
    sinew_Transform before[BODY_MAX_JOINTS], world[BODY_MAX_JOINTS];
    sinew_pose_rest(scene->skeleton, q);
    sinew_pose_forward(scene->skeleton, q, before);
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < 2; ++k) { draw_joint(scene, random, find(scene, names[side][k]), q); }
    }
    sinew_pose_forward(scene->skeleton, q, world);
    for (int side = 0; side < 2; ++side) {
        int foot = find(scene, names[side][2]);
        goals[side] = sinew_goal_position(foot, world[foot].position);
        goals[side].chain_root = find(scene, names[side][0]);
        rest[side] = goals[side];
        rest[side].position = before[foot].position;
    }
}

/// FOLLOW-1: feet that jump to places in reach are met, also where damped steps end in another valley or
/// stall next to a straight knee.
static void test_feet_jump(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Tracker *tracker = make_tracker(scene, NULL);
    scene_Random random = scene_random(7);
    int unmet = 0;
    for (int i = 0; i < 300; ++i) {
        double q[MAX_NUMBERS];
        sinew_Goal rest[2], goals[2];
        sinew_Report report = { 0 };
        draw_feet(scene, &random, rest, goals);
        sinew_tracker_reset(tracker);
        sinew_pose_rest(scene->skeleton, q);
        TEST_OK(sinew_tracker_set_pose(tracker, q, NULL), NULL);
        TEST_OK(sinew_tracker_update(tracker, rest, 2, q, NULL, NULL), NULL);
        for (int frame = 0; frame < 10; ++frame) {
            TEST_OK(sinew_tracker_update(tracker, goals, 2, q, &report, NULL), NULL);
        }
        unmet += report.position_error <= 2e-3 ? 0 : 1;
    }
    TEST_INT(unmet, 0);
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

/// FOLLOW-1: a hand that follows a goal far beyond reach goes as evenly as the goal, between changes of branch.
static void test_even_beyond_reach(void **state)
{
    (void)state;
    enum { FIRST = 10, LAST = 60 };
    scene_Scene *scene = body_scene("MAN18");
    sinew_Tracker *tracker = make_tracker(scene, NULL);
    double q[MAX_NUMBERS], way[LAST + 1] = { 0.0 };
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_Vec3 before = sinew_vec3(0.0, 0.0, 0.0);
    for (int frame = 0; frame <= LAST; ++frame) {
        sinew_Goal goal = circle(scene, 2.5, frame / 180.0);
        TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, NULL, NULL), NULL);
        sinew_pose_forward(scene->skeleton, q, world);
        sinew_Vec3 hand = world[find(scene, "RightHand")].position;
        way[frame] = sinew_vec3_distance(hand, before);
        before = hand;
        if (frame < FIRST + 2) { continue; }
        double uneven = fabs(way[frame] - 2.0 * way[frame - 1] + way[frame - 2]);
        TEST_TRUE(!sinew_tracker_state(tracker).joining);
        TEST_TRUE(uneven < 0.05 * way[frame]);
    }
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

// two bones of 0.5 m, whose shoulder may be raised by so much
static sinew_Skeleton *make_low_arm(double raised)
{
    sinew_Axis shoulder = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -2.0, raised);
    sinew_Axis elbow = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -2.5, 2.5);
    sinew_JointDef joints[3];
    for (int j = 0; j < 3; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = (const char *[]){ "Shoulder", "Elbow", "Hand" }[j];
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(j > 0 ? 0.5 : 0.0, 0.0, 0.0);
    }
    joints[0].axes = &shoulder, joints[0].axis_count = 1;
    joints[1].axes = &elbow, joints[1].axis_count = 1;
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 3, NULL, &skeleton, NULL), NULL);
    return skeleton;
}

/// FOLLOW-1: a goal that rests and that limits keep off by less than the lost distance is met by the other
/// branch, within the bound.
static void test_rest_is_met(void **state)
{
    (void)state;
    static const double way = 0.97, short_of = 0.01;
    double bend = sinew_acos(way); // of both bones out of the line
    sinew_Skeleton *skeleton = make_low_arm(bend - short_of);
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = skeleton;
    sinew_Tracker *tracker = NULL;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    double q[2] = { bend - short_of, -2.0 * bend }, before[2];
    TEST_OK(sinew_tracker_set_pose(tracker, q, NULL), NULL);
    sinew_Goal goal = sinew_goal_position(2, sinew_vec3(way, 0.0, 0.0));
    double stuck = 0.0, longest = 0.0;
    sinew_Report report = { 0 };
    for (int frame = 0; frame < 30; ++frame) {
        before[0] = q[0], before[1] = q[1];
        TEST_OK(sinew_tracker_update(tracker, &goal, 1, q, &report, NULL), NULL);
        longest = fmax(longest, fmax(fabs(q[0] - before[0]), fabs(q[1] - before[1])));
        if (frame == 0) { stuck = report.position_error; }
    }
    // it was off, and would not have been lost
    TEST_TRUE(stuck > 1.5e-3 && stuck < 0.005 * sinew_skeleton_size(skeleton) / 1.75);
    TEST_TRUE(report.position_error <= 5e-4);
    TEST_TRUE(q[1] > 0.0);
    TEST_TRUE(longest <= RATE * FRAME_TIME * (1.0 + 1e-9));
    sinew_tracker_destroy(tracker);
    sinew_skeleton_destroy(skeleton);
}

// an arm, a hand and a thumb, all of balls but the thumb's
enum { THUMB_JOINTS = 5 };
static const double thumb_bones[THUMB_JOINTS] = { 0.0, 0.3, 0.25, 0.1, 0.05 };

static sinew_Skeleton *make_thumb(sinew_Axis thumb)
{
    sinew_Axis ball = sinew_axis_ball();
    sinew_JointDef joints[THUMB_JOINTS];
    for (int j = 0; j < THUMB_JOINTS; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = (const char *[]){ "Shoulder", "Elbow", "Wrist", "Thumb", "Tip" }[j];
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.0, 0.0, thumb_bones[j]);
        joints[j].axes = j == 3 ? &thumb : &ball;
        joints[j].axis_count = j + 1 < THUMB_JOINTS ? 1 : 0;
    }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, THUMB_JOINTS, NULL, &skeleton, NULL), NULL);
    return skeleton;
}

static void order_goals(const sinew_Goal *goals, bool inward, sinew_Goal *out_given)
{
    for (int j = 0; j < THUMB_JOINTS; ++j) {
        out_given[j] = goals[inward ? THUMB_JOINTS - 1 - j : j];
    }
}

// Goals at all joints rest for some frames; then the tip turns about the thumb by so much in one frame, while
// all places shift. The tracker gets the goals from the root outward, or from the tip inward. Fills turns of the
// joints and the largest error of each place.
static void turn_thumb(sinew_Skeleton *skeleton, double angle, sinew_Vec3 shift, bool inward,
    double *out_turns, double *out_errors)
{
    sinew_TrackerDef def = sinew_tracker_def_default();
    sinew_Tracker *tracker = NULL;
    def.skeleton = skeleton;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    double q[MAX_NUMBERS], before[MAX_NUMBERS];
    sinew_Transform world[THUMB_JOINTS];
    sinew_Goal goals[THUMB_JOINTS], given[THUMB_JOINTS];
    sinew_pose_rest(skeleton, q);
    sinew_pose_forward(skeleton, q, world);
    for (int j = 0; j < THUMB_JOINTS; ++j) { goals[j] = sinew_goal_position(j, world[j].position); }
    order_goals(goals, inward, given);
    for (int frame = 0; frame < 3; ++frame) {
        TEST_OK(sinew_tracker_update(tracker, given, THUMB_JOINTS, q, NULL, NULL), NULL);
    }
    memcpy(before, q, sizeof q);
    double s, c;
    sinew_sincos(angle, &s, &c);
    sinew_Quat turn = sinew_quat_between(
        sinew_vec3(0.0, 0.0, 1.0), sinew_vec3_normalize_or(shift, sinew_vec3(0.0, 0.0, 1.0)));
    bool shifts = sinew_vec3_length(shift) > 0.0;
    for (int j = 1; j < THUMB_JOINTS; ++j) {
        if (shifts) { goals[j].position = sinew_quat_rotate(turn, world[j].position); }
    }
    sinew_Vec3 tip = sinew_vec3(thumb_bones[4] * s, 0.0, thumb_bones[4] * c);
    goals[4].position = sinew_vec3_add(
        goals[3].position, shifts ? sinew_quat_rotate(turn, tip) : tip);
    order_goals(goals, inward, given);
    TEST_OK(sinew_tracker_update(tracker, given, THUMB_JOINTS, q, NULL, NULL), NULL);
    TEST_TRUE(!sinew_tracker_state(tracker).seeking);
    sinew_pose_forward(skeleton, q, world);
    for (int j = 0; j < THUMB_JOINTS; ++j) {
        out_turns[j] = sinew_quat_angle(sinew_pose_local(skeleton, before, j).rotation,
            sinew_pose_local(skeleton, q, j).rotation);
        out_errors[j] = sinew_vec3_distance(world[j].position, goals[j].position);
    }
    sinew_tracker_destroy(tracker);
}

/// FOLLOW-1: a place that flips in one frame, as of a captured thumb, is followed by its own joint: the arm
/// that carries it stays, and goes over to no other branch.
static void test_flip(void **state)
{
    (void)state;
    double turns[THUMB_JOINTS], errors[THUMB_JOINTS];
    sinew_Skeleton *skeleton = make_thumb(sinew_axis_hinge(sinew_vec3(0.0, 1.0, 0.0), -1.0, 1.0));
    turn_thumb(skeleton, 2.5, sinew_vec3(0.0, 0.0, 0.0), false, turns, errors);
    for (int j = 0; j < 4; ++j) {
        TEST_TRUE(errors[j] <= 3.5e-3);
        TEST_TRUE(j == 3 ? turns[j] > 0.9 : turns[j] < 0.1);
    }
    sinew_skeleton_destroy(skeleton);
}

/// FOLLOW-1: where its limits let it, it turns over at once, and leaves the arm alone, in whichever order the
/// goals are.
static void test_turn_over(void **state)
{
    (void)state;
    static const double angles[] = { 1.2, 2.0, 2.5, 3.0, 3.14 };
    double turns[THUMB_JOINTS], errors[THUMB_JOINTS];
    sinew_Skeleton *skeleton = make_thumb(sinew_axis_ball());
    for (int i = 0; i < 10; ++i) {
        double angle = angles[i / 2];
        turn_thumb(skeleton, angle, sinew_vec3(0.03, 0.0, 1.0), i % 2 == 1, turns, errors);
        for (int j = 0; j < THUMB_JOINTS; ++j) { TEST_NEAR(errors[j], 0.0, 6e-4); }
        TEST_NEAR(turns[3], angle, 0.03);
        for (int j = 0; j < 3; ++j) { TEST_TRUE(turns[j] < 0.05); }
    }
    sinew_skeleton_destroy(skeleton);
}

// twist of the shoulder that its limit tells, in the first frame of goals at all joints of a straight arm
static double first_twist(sinew_BallLimit *limit, sinew_Vec3 way)
{
    enum { COUNT = 3 };
    static const double bones[COUNT] = { 0.0, 0.3, 0.25 };
    sinew_Axis shoulder = sinew_axis_ball(), elbow = sinew_axis_ball();
    shoulder.limit = limit;
    sinew_JointDef joints[COUNT];
    sinew_Goal goals[COUNT];
    double along = 0.0;
    for (int j = 0; j < COUNT; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = (const char *[]){ "Shoulder", "Elbow", "Hand" }[j];
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(bones[j], 0.0, 0.0);
        joints[j].axes = j == 0 ? &shoulder : &elbow;
        joints[j].axis_count = j + 1 < COUNT ? 1 : 0;
        along += bones[j];
        goals[j] = sinew_goal_position(j, sinew_vec3_scale(way, along));
    }
    sinew_TrackerDef def = sinew_tracker_def_default();
    sinew_Skeleton *skeleton = NULL;
    sinew_Tracker *tracker = NULL;
    TEST_OK(sinew_skeleton_create(joints, COUNT, NULL, &skeleton, NULL), NULL);
    def.skeleton = skeleton;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    double q[8], twist;
    sinew_Vec3 bone;
    TEST_OK(sinew_tracker_update(tracker, goals, COUNT, q, NULL, NULL), NULL);
    sinew_ball_limit_measure(limit, (sinew_Quat){ q[0], q[1], q[2], q[3] }, &bone, &twist);
    sinew_tracker_destroy(tracker);
    sinew_skeleton_destroy(skeleton);
    return twist;
}

/// FOLLOW-1: the twist of a straight limb, which no goal sees in the first frame, is the one that its limit
/// counts from but for the weak pull to rest, and not what the zero pose happens to be.
static void test_first_twist(void **state)
{
    (void)state;
    static const double zeros[] = { -2.0, -0.7, 0.0, 1.2, 3.0 };
    for (int i = 0; i < 5; ++i) {
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        sinew_BallLimit *limit = NULL;
        def.neutral = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), zeros[i]);
        def.twist_lower = -1.5;
        def.twist_upper = 1.5;
        TEST_OK(sinew_ball_limit_create(&def, NULL, &limit, NULL), NULL);
        TEST_NEAR(first_twist(limit, sinew_vec3(1.0, 0.0, 0.0)), 0.0, 0.05);
        TEST_NEAR(first_twist(limit, sinew_vec3(0.6, 0.0, 0.8)), 0.0, 0.05);
        sinew_ball_limit_destroy(limit);
    }
}

TEST_MAIN(cmocka_unit_test(test_chain_root), cmocka_unit_test(test_set_pose),
    cmocka_unit_test(test_bound), cmocka_unit_test(test_joins_are_eased),
    cmocka_unit_test(test_stillness), cmocka_unit_test(test_jump),
    cmocka_unit_test(test_no_allocation), cmocka_unit_test(test_branch_ends),
    cmocka_unit_test(test_feet_jump), cmocka_unit_test(test_rest_is_met),
    cmocka_unit_test(test_flip), cmocka_unit_test(test_turn_over),
    cmocka_unit_test(test_even_beyond_reach), cmocka_unit_test(test_first_twist))
