#include "sinew/job.h"

#include "base/message.h"
#include "math/holds.h"
#include "solve/circle.h"
#include "solve/soft_distance.h"

// Sines and lengths, as shares, below which bones are in line, or there is no side: the direction of a
// cross product this short is rounding.
#define LEAST_SHARE 1e-9

// Times that the last joint of an aim is turned again, as its turn moves the place it looks from: the miss
// shrinks each time by the place's distance over the target's.
#define AIM_ROUNDS 12

// A chain whose joints and target are no farther aside than this share of its length is on a line with it, and
// one that keeps this share of its miss in its first pass is stuck there.
#define ON_LINE 1e-3
#define STUCK 0.99

static sinew_Status refuse(
    sinew_Message *message, const char *name, double value, const char *wanted)
{
    return snw_refuse(message, "%s is %g, want %s", name, value, wanted);
}

static sinew_Status refuse_null(sinew_Message *message, const char *name)
{
    return snw_refuse(message, "%s is NULL", name);
}

static sinew_Status check_range(
    sinew_Message *message, const char *name, double value, double lower, double upper)
{
    if (value >= lower && value <= upper) { return SINEW_STATUS_OK; }
    return snw_refuse(message, "%s is %g, want %g to %g", name, value, lower, upper);
}

static bool is_place(const sinew_Transform *t)
{
    return sinew_vec3_is_finite(t->position)
        && fabs(sinew_quat_dot(t->rotation, t->rotation) - 1.0) < 1e-3;
}

static sinew_Status check_unit(sinew_Message *message, const char *name, sinew_Vec3 v)
{
    if (fabs(sinew_vec3_dot(v, v) - 1.0) < 1e-3) { return SINEW_STATUS_OK; }
    if (!sinew_vec3_is_finite(v)) {
        return snw_refuse(message, "%s is (%g, %g, %g), want finite numbers", name, v.x, v.y, v.z);
    }
    return snw_refuse(message, "%s has length %g, want 1", name, sinew_vec3_length(v));
}

static sinew_Quat part_of(sinew_Quat from, sinew_Quat to, double weight)
{
    return weight < 1.0 ? sinew_quat_slerp(from, to, weight) : sinew_quat_normalize(to);
}

static sinew_Vec3 across(sinew_Vec3 v, sinew_Vec3 unit)
{
    return sinew_vec3_add_scaled(v, unit, -sinew_vec3_dot(v, unit));
}

// The turn about a unit axis by an angle of which sine and cosine are given, in any common scale above 0. The half angle
// is that between the turn and no turn, so no angle is formed; on either side of a right angle from what keeps its digits.
static sinew_Quat turn_about(sinew_Vec3 axis, snw_Turn turn)
{
    SNW_ASSERT(snw_holds_direction(axis));
    double size = sqrt(turn.sine * turn.sine + turn.cosine * turn.cosine);
    double other = size + fabs(turn.cosine);
    bool is_obtuse = turn.cosine < 0.0;
    double sine = is_obtuse ? copysign(other, turn.sine) : turn.sine;
    double cosine = is_obtuse ? fabs(turn.sine) : other;
    sinew_Quat q = { sine * axis.x, sine * axis.y, sine * axis.z, cosine };
    return sinew_quat_normalize(q);
}

// the turn about a unit axis that brings one direction to the side of another; none where either has no side
static sinew_Quat turn_to_side(sinew_Vec3 axis, sinew_Vec3 from, sinew_Vec3 to)
{
    SNW_ASSERT(snw_holds_direction(axis));
    double size = sinew_vec3_length(from), wanted = sinew_vec3_length(to);
    from = across(from, axis);
    to = across(to, axis);
    if (!(sinew_vec3_length(from) > LEAST_SHARE * size)
        || !(sinew_vec3_length(to) > LEAST_SHARE * wanted)) {
        return sinew_quat_identity();
    }
    snw_Turn turn = { sinew_vec3_dot(axis, sinew_vec3_cross(from, to)), sinew_vec3_dot(from, to) };
    return turn_about(axis, turn);
}

// ---------------------------------------------------------------------------------------------
// Two bones

sinew_TwoBoneJob sinew_two_bone_job_default(void)
{
    sinew_TwoBoneJob r = { .start = sinew_transform_identity() };
    r.middle = r.end = r.start;
    r.bend_axis = sinew_vec3(1.0, 0.0, 0.0);
    r.most_bend = SINEW_PI;
    r.weight = 1.0;
    return r;
}

static sinew_Status check_two_bone(const sinew_TwoBoneJob *job, sinew_Message *message)
{
    sinew_Status status = SINEW_STATUS_OK;
    static const char *const names[] = { "start", "middle", "end" };
    const sinew_Transform *const places[] = { &job->start, &job->middle, &job->end };
    for (int i = 0; i < 3; ++i) {
        if (is_place(places[i])) { continue; }
        sinew_Quat q = places[i]->rotation;
        return snw_refuse(message, "job.%s has a rotation of length %g, want 1, and finite numbers",
            names[i], sqrt(sinew_quat_dot(q, q)));
    }
    if (!sinew_vec3_is_finite(job->target)) {
        return refuse(message, "job.target", NAN, "a place");
    }
    if (job->has_pole && !sinew_vec3_is_finite(job->pole)) {
        return refuse(message, "job.pole", NAN, "a place");
    }
    status = check_unit(message, "job.bend_axis", job->bend_axis);
    if (status == SINEW_STATUS_OK) {
        status = check_range(message, "job.most_bend", job->most_bend, 0.0, SINEW_PI);
    }
    if (status == SINEW_STATUS_OK) {
        status = check_range(message, "job.least_bend", job->least_bend, 0.0, job->most_bend);
    }
    if (status == SINEW_STATUS_OK) {
        status = check_range(message, "job.soft_reach", job->soft_reach, 0.0, 0.5);
    }
    if (status == SINEW_STATUS_OK) {
        status = check_range(message, "job.weight", job->weight, 0.0, 1.0);
    }
    return status;
}

// distance from start to end for a bend
static double length_at(double upper, double lower, snw_Turn bend)
{
    double square = upper * upper + lower * lower + 2.0 * upper * lower * bend.cosine;
    return square > 0.0 ? sqrt(square) : 0.0;
}

// the bend that puts the end at a distance, inside the range
static snw_Turn bend_for(const sinew_TwoBoneJob *job, double upper, double lower, double distance)
{
    SNW_ASSERT(distance >= 0.0);
    snw_Turn least = snw_turn_of(job->least_bend), most = snw_turn_of(job->most_bend);
    double longest = length_at(upper, lower, least), shortest = length_at(upper, lower, most);
    if (job->soft_reach > 0.0) {
        distance = snw_soft_reach_distance(distance, longest, job->soft_reach);
    }
    if (distance >= longest) { return least; }
    if (distance <= shortest) { return most; }
    // the law of cosines, as the circle that limbs of the solver come down to
    snw_Turn ways[2];
    double c = distance * distance - upper * upper - lower * lower;
    if (snw_circle(2.0 * upper * lower, 0.0, c, ways) == 0) { return c > 0.0 ? least : most; }
    return ways[0].sine >= 0.0 ? ways[0] : ways[1];
}

// unit axis of the bend: that of the bones' plane, or of straight ones the caller's, or any
static sinew_Vec3 axis_of_bend(const sinew_TwoBoneJob *job, sinew_Vec3 upper, sinew_Vec3 lower,
    double upper_length, double lower_length)
{
    sinew_Vec3 axis = sinew_vec3_cross(upper, lower);
    double size = sinew_vec3_length(axis);
    if (size > LEAST_SHARE * upper_length * lower_length) {
        return sinew_vec3_scale(axis, 1.0 / size);
    }
    sinew_Vec3 along = sinew_vec3_scale(upper, 1.0 / upper_length);
    axis = across(sinew_quat_rotate(job->middle.rotation, job->bend_axis), along);
    if (!(sinew_vec3_length(axis) > LEAST_SHARE)) {
        axis = fabs(along.x) < 0.6 ? sinew_vec3(1.0, 0.0, 0.0) : sinew_vec3(0.0, 1.0, 0.0);
        axis = across(axis, along);
    }
    return sinew_vec3_normalize_or(axis, sinew_vec3(1.0, 0.0, 0.0));
}

static void solve_two_bone(const sinew_TwoBoneJob *job, sinew_Quat *out_swing, sinew_Quat *out_bend)
{
    sinew_Vec3 upper = sinew_vec3_sub(job->middle.position, job->start.position);
    sinew_Vec3 lower = sinew_vec3_sub(job->end.position, job->middle.position);
    sinew_Vec3 way = sinew_vec3_sub(job->target, job->start.position);
    double upper_length = sinew_vec3_length(upper), lower_length = sinew_vec3_length(lower);
    *out_swing = *out_bend = sinew_quat_identity();
    if (!(upper_length > 1e-150) || !(lower_length > 1e-150)) { return; }

    double distance = sinew_vec3_length(way);
    snw_Turn bend = bend_for(job, upper_length, lower_length, distance);
    sinew_Vec3 axis = axis_of_bend(job, upper, lower, upper_length, lower_length);
    // from the bend that is to the one that should be; what is has the bones' lengths as its scale
    double sine = sinew_vec3_dot(axis, sinew_vec3_cross(upper, lower));
    double cosine = sinew_vec3_dot(upper, lower);
    snw_Turn more = { bend.sine * cosine - bend.cosine * sine,
        bend.cosine * cosine + bend.sine * sine };
    *out_bend = turn_about(axis, more);

    sinew_Vec3 reach = sinew_vec3_add(upper, sinew_quat_rotate(*out_bend, lower));
    double length = sinew_vec3_length(reach);
    if (!(distance > 1e-150) || !(length > LEAST_SHARE * upper_length)) { return; }
    way = sinew_vec3_scale(way, 1.0 / distance);
    *out_swing = sinew_quat_between(sinew_vec3_scale(reach, 1.0 / length), way);
    if (job->has_pole) {
        sinew_Vec3 knee = sinew_quat_rotate(*out_swing, upper);
        sinew_Vec3 side = sinew_vec3_sub(job->pole, job->start.position);
        *out_swing = sinew_quat_mul(turn_to_side(way, knee, side), *out_swing);
    }
}

sinew_Status sinew_job_two_bone(
    const sinew_TwoBoneJob *job, sinew_TwoBoneResult *out_result, sinew_Message *out_message)
{
    if (job == NULL) { return refuse_null(out_message, "job"); }
    if (out_result == NULL) { return refuse_null(out_message, "out_result"); }
    sinew_Status status = check_two_bone(job, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Quat swing, bend;
    solve_two_bone(job, &swing, &bend);
    sinew_Vec3 upper = sinew_vec3_sub(job->middle.position, job->start.position);
    sinew_Vec3 lower = sinew_vec3_sub(job->end.position, job->middle.position);
    sinew_Quat both = sinew_quat_mul(swing, bend), none = sinew_quat_identity();
    sinew_Vec3 end = sinew_vec3_add(
        sinew_quat_rotate(swing, upper), sinew_quat_rotate(both, lower));
    out_result->miss = sinew_vec3_distance(sinew_vec3_add(job->start.position, end), job->target);

    // a share of each joint's own turn
    if (job->weight < 1.0) {
        swing = sinew_quat_slerp(none, swing, job->weight);
        both = sinew_quat_mul(swing, sinew_quat_slerp(none, bend, job->weight));
        end = sinew_vec3_add(sinew_quat_rotate(swing, upper), sinew_quat_rotate(both, lower));
    }
    out_result->end_position = sinew_vec3_add(job->start.position, end);
    out_result->start = sinew_quat_normalize(sinew_quat_mul(swing, job->start.rotation));
    out_result->middle = sinew_quat_normalize(sinew_quat_mul(both, job->middle.rotation));
    out_result->end_along = sinew_quat_normalize(sinew_quat_mul(both, job->end.rotation));
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Chains of joints, each the child of the one before it

typedef struct Links {
    const sinew_Transform *given;
    int count;
    double max_turn;
    sinew_Transform now[SINEW_MAX_JOB_JOINTS];
} Links;

static sinew_Status check_links(const sinew_Transform *joints, int count, int least,
    double max_turn, double weight, sinew_Message *message)
{
    if (joints == NULL) { return refuse_null(message, "job.joints"); }
    if (count < least || count > SINEW_MAX_JOB_JOINTS) {
        return snw_refuse(
            message, "job.joint_count is %d, want %d to %d", count, least, SINEW_MAX_JOB_JOINTS);
    }
    for (int j = 0; j < count; ++j) {
        if (is_place(&joints[j])) { continue; }
        return snw_refuse(message, "job.joints[%d] is no rigid transform of finite numbers", j);
    }
    sinew_Status status = check_range(message, "job.max_turn", max_turn, 0.0, SINEW_PI);
    return status != SINEW_STATUS_OK ? status
                                     : check_range(message, "job.weight", weight, 0.0, 1.0);
}

static void start_links(Links *links, const sinew_Transform *joints, int count, double max_turn)
{
    links->given = joints;
    links->count = count;
    links->max_turn = max_turn;
    for (int j = 0; j < count; ++j) { links->now[j] = joints[j]; }
}

// how a joint is turned against its parent, by what it was given or as it is
static sinew_Quat local_of(const sinew_Transform *joints, int j)
{
    if (j == 0) { return joints[0].rotation; }
    return sinew_quat_mul(sinew_quat_conjugate(joints[j - 1].rotation), joints[j].rotation);
}

// turn a joint, with all below it, in the world; no farther than it may
static void turn_link(Links *links, int j, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    sinew_Quat old = links->now[j].rotation;
    sinew_Quat parent = j == 0 ? sinew_quat_identity() : links->now[j - 1].rotation;
    sinew_Quat given = sinew_quat_mul(parent, local_of(links->given, j));
    sinew_Quat wanted = sinew_quat_normalize(sinew_quat_mul(turn, old));
    double far = sinew_quat_angle(given, wanted);
    if (far > links->max_turn) { wanted = sinew_quat_slerp(given, wanted, links->max_turn / far); }
    turn = sinew_quat_mul(wanted, sinew_quat_conjugate(old));
    sinew_Vec3 pivot = links->now[j].position;
    for (int k = j; k < links->count; ++k) {
        sinew_Vec3 arm = sinew_vec3_sub(links->now[k].position, pivot);
        links->now[k].position = sinew_vec3_add(pivot, sinew_quat_rotate(turn, arm));
        links->now[k].rotation = sinew_quat_normalize(sinew_quat_mul(turn, links->now[k].rotation));
    }
}

// each joint turns a share of its own way against its parent
static void store_links(const Links *links, double weight, sinew_Quat *out_rotations)
{
    SNW_ASSERT(weight >= 0.0);
    sinew_Quat parent = sinew_quat_identity();
    for (int j = 0; j < links->count; ++j) {
        sinew_Quat local = part_of(local_of(links->given, j), local_of(links->now, j), weight);
        parent = sinew_quat_normalize(sinew_quat_mul(parent, local));
        out_rotations[j] = parent;
    }
}

// ---------------------------------------------------------------------------------------------
// Aim

sinew_AimJob sinew_aim_job_default(void)
{
    sinew_AimJob r = { .joints = NULL, .max_turn = SINEW_PI, .weight = 1.0 };
    r.axis = sinew_vec3(0.0, 0.0, 1.0);
    r.up = r.up_world = sinew_vec3(0.0, 1.0, 0.0);
    return r;
}

static sinew_Status check_aim(const sinew_AimJob *job, sinew_Message *message)
{
    sinew_Status status = check_links(
        job->joints, job->joint_count, 1, job->max_turn, job->weight, message);
    if (status != SINEW_STATUS_OK) { return status; }
    for (int j = 0; job->shares != NULL && j < job->joint_count; ++j) {
        status = check_range(message, "job.shares", job->shares[j], 0.0, 1.0);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    status = check_unit(message, "job.axis", job->axis);
    if (status != SINEW_STATUS_OK) { return status; }
    if (!sinew_vec3_is_finite(job->offset)) {
        return refuse(message, "job.offset", NAN, "a place");
    }
    if (!sinew_vec3_is_finite(job->target)) {
        return refuse(message, "job.target", NAN, "a place");
    }
    if (job->has_up) { status = check_unit(message, "job.up", job->up); }
    if (job->has_up && status == SINEW_STATUS_OK) {
        status = check_unit(message, "job.up_world", job->up_world);
    }
    return status;
}

// the turn that is left for the last joint to point at the target
static sinew_Quat turn_left(const sinew_AimJob *job, const Links *links)
{
    sinew_Transform last = links->now[links->count - 1];
    sinew_Vec3 points = sinew_quat_rotate(last.rotation, job->axis);
    sinew_Vec3 way = sinew_vec3_sub(job->target, sinew_transform_point(last, job->offset));
    return sinew_quat_between(
        sinew_vec3_normalize_or(points, points), sinew_vec3_normalize_or(way, points));
}

sinew_Status sinew_job_aim(const sinew_AimJob *job, sinew_Quat *out_rotations, double *out_miss,
    sinew_Message *out_message)
{
    if (job == NULL) { return refuse_null(out_message, "job"); }
    if (out_rotations == NULL) { return refuse_null(out_message, "out_rotations"); }
    sinew_Status status = check_aim(job, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    Links links;
    const sinew_Quat none = sinew_quat_identity();
    int last = job->joint_count - 1;
    start_links(&links, job->joints, job->joint_count, job->max_turn);
    for (int j = 0; j <= last; ++j) {
        double share = job->shares != NULL ? job->shares[j] : 1.0 / (job->joint_count - j);
        int rounds = j == last && share == 1.0 ? AIM_ROUNDS : 1;
        for (int round = 0; round < rounds; ++round) {
            turn_link(&links, j, sinew_quat_slerp(none, turn_left(job, &links), share));
        }
    }
    if (job->has_up) {
        sinew_Quat now = links.now[last].rotation;
        sinew_Vec3 points = sinew_quat_rotate(now, job->axis);
        points = sinew_vec3_normalize_or(points, points);
        turn_link(
            &links, last, turn_to_side(points, sinew_quat_rotate(now, job->up), job->up_world));
    }
    if (out_miss != NULL) { *out_miss = sinew_quat_angle(none, turn_left(job, &links)); }
    store_links(&links, job->weight, out_rotations);
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Chain

sinew_ChainJob sinew_chain_job_default(void)
{
    sinew_ChainJob r = { .joints = NULL, .max_turn = SINEW_PI, .weight = 1.0 };
    r.max_passes = 32;
    r.tolerance_share = 1e-4;
    return r;
}

static double miss_of(const sinew_ChainJob *job, const Links *links)
{
    return sinew_vec3_distance(links->now[links->count - 1].position, job->target);
}

// One pass from the joint before the end to the first: each by the shortest turn of the end towards the
// target.
static void pass(const sinew_ChainJob *job, Links *links)
{
    for (int j = links->count - 2; j >= 0; --j) {
        sinew_Vec3 pivot = links->now[j].position;
        sinew_Vec3 end = sinew_vec3_sub(links->now[links->count - 1].position, pivot);
        sinew_Vec3 way = sinew_vec3_sub(job->target, pivot);
        double near = sinew_vec3_length(end), far = sinew_vec3_length(way);
        if (!(near > 1e-150) || !(far > 1e-150)) { continue; }
        turn_link(links, j,
            sinew_quat_between(
                sinew_vec3_scale(end, 1.0 / near), sinew_vec3_scale(way, 1.0 / far)));
    }
}

// A target on the line of a straight chain and nearer than its end is a saddle: turns of the end towards it
// lead nowhere. The chain becomes an arc of about its distance, about its first joint's x axis or, where that
// lies along it, y.
static void leave_line(const sinew_ChainJob *job, Links *links, double length)
{
    sinew_Vec3 base = links->now[0].position;
    sinew_Vec3 way = sinew_vec3_sub(job->target, base);
    sinew_Vec3 end = sinew_vec3_sub(links->now[links->count - 1].position, base);
    sinew_Vec3 along = sinew_vec3_normalize_or(
        end, sinew_vec3_normalize_or(way, sinew_vec3(1.0, 0.0, 0.0)));
    double far = sinew_vec3_length(way), aside = sinew_vec3_length(sinew_vec3_cross(along, way));
    for (int j = 1; j < links->count; ++j) {
        sinew_Vec3 arm = sinew_vec3_sub(links->now[j].position, base);
        aside = fmax(aside, sinew_vec3_length(sinew_vec3_cross(along, arm)));
    }
    if (far >= length || aside > ON_LINE * length) { return; }

    sinew_Vec3 axis = sinew_quat_rotate(links->now[0].rotation, sinew_vec3(1.0, 0.0, 0.0));
    if (sinew_vec3_length(sinew_vec3_cross(along, axis)) < 0.1) {
        axis = sinew_quat_rotate(links->now[0].rotation, sinew_vec3(0.0, 1.0, 0.0));
    }
    axis = sinew_vec3_add_scaled(axis, along, -sinew_vec3_dot(axis, along));
    axis = sinew_vec3_normalize_or(axis, sinew_vec3(0.0, 1.0, 0.0));
    // bones that turn by w in all, in b bends, keep 1 - w^2 (b + 2) / (24 b) of their length as a chord, about;
    // half of it goes back first, as the passes would only straighten what begins on the line
    int bends = links->count - 2;
    double whole = sqrt(24.0 * (1.0 - far / length) * bends / (bends + 2.0));
    for (int j = 0; j <= bends; ++j) {
        double turn = j == 0 ? -0.5 * whole : whole / bends;
        turn_link(links, j, sinew_quat_from_axis_angle(axis, turn));
    }
}

sinew_Status sinew_job_chain(const sinew_ChainJob *job, sinew_Quat *out_rotations, double *out_miss,
    sinew_Message *out_message)
{
    if (job == NULL) { return refuse_null(out_message, "job"); }
    if (out_rotations == NULL) { return refuse_null(out_message, "out_rotations"); }
    sinew_Status status = check_links(
        job->joints, job->joint_count, 2, job->max_turn, job->weight, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (!sinew_vec3_is_finite(job->target)) {
        return refuse(out_message, "job.target", NAN, "a place");
    }
    if (job->max_passes < 1 || job->max_passes > 1000) {
        return refuse(out_message, "job.max_passes", job->max_passes, "1 to 1000");
    }
    status = check_range(out_message, "job.tolerance_share", job->tolerance_share, 0.0, INFINITY);
    if (status != SINEW_STATUS_OK) { return status; }
    Links links;
    start_links(&links, job->joints, job->joint_count, job->max_turn);
    double length = 0.0;
    for (int j = 1; j < job->joint_count; ++j) {
        length += sinew_vec3_distance(job->joints[j - 1].position, job->joints[j].position);
    }
    double before = 0.0;
    for (int i = 0; i < job->max_passes; ++i) {
        double miss = miss_of(job, &links);
        if (miss <= job->tolerance_share * length) { break; }
        if (i == 1 && miss > STUCK * before) { leave_line(job, &links, length); }
        before = miss;
        pass(job, &links);
    }
    if (out_miss != NULL) { *out_miss = miss_of(job, &links); }
    store_links(&links, job->weight, out_rotations);
    return SINEW_STATUS_OK;
}
