// Moving feet inside the ranges of hip, ankle and reach: they come along, hang, are lifted out of the
// ground, keep off edges, and go no faster than their joints.

#include "walk/foot_ease.h"

#include "math/holds.h"

#define DEGREE (SINEW_PI / 180.0)

#define HANG_END 0.85 // of the swing
#define HANG_FADE 0.4
#define SWING_REACH 0.995
#define MID_SWING_REACH 0.965
#define NEAR_GROUND 4e-4     // metres
#define MID_CLEARANCE 7.5e-3 // metres, half-way
#define MOST_TURN 14.0       // rad/s of a joint of a moving leg
#define TOE_SPEED 10.0       // rad/s of toes that give way
#define LANDING_TURN 17.0    // the same in the tick in which it lands
#define LAG_STEPS 3
#define LEAST_PACE 0.2
#define AROUND 3 // moments of a swing before and after
#define AROUND_FADE 0.25
#define LOOKS 2              // in a tick
#define MUCH_TO_SPARE 0.03   // metres
#define EDGE_CLEARANCE 0.012 // the same near stairs, where slanting soles pass edges
#define EDGE_REACH 0.014     // metres that moving soles keep from edges
#define EDGE_STEPS 3
#define LATE_STEPS 2
#define PRINTS_SHARE 0.15 // of the swing, at both ends, in which a foot is over its foothold
#define LIFT_STEPS 6
#define LIFT_GAIN 1.6
#define KNEE_MARGIN (3.0 * DEGREE)

/// A moving leg below its hips.
typedef struct MovingLeg {
    const snw_WalkLegBody *sizes;
    const sinew_Transform *hips;
    snw_KneeWay knee;
} MovingLeg;

static MovingLeg moving_leg(const snw_WalkBody *body, int index, const snw_Natural *state, double t)
{
    MovingLeg moving = { &body->legs[index], &state->hips, { { 0.0, 0.0, 0.0 }, 0.0 } };
    double yaw = snw_natural_knee(state, &state->legs[index], t, &moving.knee.freedom);
    sinew_sincos(yaw, &moving.knee.heading.x, &moving.knee.heading.z);
    return moving;
}

static snw_LegAngles moving_angles(const MovingLeg *leg, const sinew_Transform *foot)
{
    return snw_leg_angles(leg->sizes, leg->hips, foot->position, foot->rotation, &leg->knee);
}

// the same of a moving foot, about the edge of its sole; angles: of the leg as it is
static bool ease_moving_roll(const MovingLeg *leg, snw_LegAngles angles, sinew_Transform *foot)
{
    const snw_WalkLegBody *sizes = leg->sizes;
    double upper = sizes->roll_upper - SNW_EASE_ROLL_MARGIN,
           lower = sizes->roll_lower + SNW_EASE_ROLL_MARGIN;
    sinew_Transform start = *foot;
    double roll = 0.0;
    for (int i = 0; i < SNW_EASE_ROLL_STEPS; ++i) {
        double over = snw_outside(angles.roll, lower, upper);
        if (over == 0.0) { return i > 0; }
        roll = snw_clamp(roll - over, -SNW_EASE_MOST_EDGE_ROLL, SNW_EASE_MOST_EDGE_ROLL);
        sinew_Vec3 edge = { roll < 0.0 ? sizes->ball_width : -sizes->ball_width,
            -sizes->ankle_height, 0.0 };
        sinew_Vec3 fixed = sinew_transform_point(start, edge);
        foot->rotation = sinew_quat_mul(
            start.rotation, sinew_quat_from_axis_angle(sinew_vec3(0.0, 0.0, 1.0), roll));
        foot->position = sinew_vec3_sub(fixed, sinew_quat_rotate(foot->rotation, edge));
        angles = moving_angles(leg, foot);
    }
    return true;
}

// A moving foot that stays behind farther than the hip lets the thigh go comes along. angles: of the leg,
// kept true.
static bool follow_thigh(const MovingLeg *leg, snw_LegAngles *angles, sinew_Transform *foot)
{
    const snw_WalkLegBody *sizes = leg->sizes;
    bool is_moved = false;
    for (int i = 0; i < SNW_EASE_STEPS; ++i) {
        double back = angles->hip - (sizes->hip_back - SNW_EASE_RANGE_MARGIN);
        if (back <= 0.0) { break; }
        sinew_Vec3 hip = sinew_transform_point(*leg->hips, sizes->hip);
        double way = back * sinew_vec3_distance(hip, foot->position);
        sinew_Vec3 ahead = sinew_quat_rotate(leg->hips->rotation, sinew_vec3(0.0, 0.0, way));
        foot->position = sinew_vec3_add(foot->position, ahead);
        *angles = moving_angles(leg, foot);
        is_moved = true;
    }
    return is_moved;
}

// A moving foot turns about its ankle as far as the toes stay above its heel, then about the joint of
// its toes, so that these keep their way, as when it stands.
static void ease_moving_foot(const MovingLeg *leg, double progress, snw_FootPose *pose)
{
    SNW_ASSERT(snw_holds_share(progress));
    const snw_WalkLegBody *sizes = leg->sizes;
    // far from its landing it just hangs
    double hang = snw_smoothstep((HANG_END - progress) / HANG_FADE);
    const sinew_Vec3 left = { 1.0, 0.0, 0.0 };
    double upper = sizes->ankle_upper - SNW_EASE_RANGE_MARGIN,
           lower = sizes->ankle_lower + SNW_EASE_RANGE_MARGIN;
    sinew_Transform foot = pose->foot;
    snw_LegAngles angles = moving_angles(leg, &foot);
    bool is_moved = follow_thigh(leg, &angles, &foot);
    sinew_Vec3 place = foot.position;
    double free_turn = 0.0, turned = 0.0;
    for (int i = 0; i < SNW_EASE_STEPS; ++i) {
        double over = snw_outside(angles.ankle, lower, upper);
        if (over == 0.0) { break; }
        if (i == 0) {
            sinew_Vec3 ahead = sinew_quat_rotate(foot.rotation, sinew_vec3(0.0, 0.0, 1.0));
            free_turn = fmax(0.0, sinew_asin(ahead.y));
        }
        turned += over;
        double about_ankle = snw_mix(fmin(turned, free_turn), turned, hang);
        sinew_Quat first = sinew_quat_mul(
            pose->foot.rotation, sinew_quat_from_axis_angle(left, about_ankle));
        sinew_Vec3 joint = sinew_vec3_add(place, sinew_quat_rotate(first, sizes->toe_joint));
        foot.rotation = sinew_quat_mul(
            first, sinew_quat_from_axis_angle(left, turned - about_ankle));
        sinew_Vec3 arm = sinew_quat_rotate(foot.rotation, sizes->toe_joint);
        foot.position = sinew_vec3_sub(joint, arm);
        angles = moving_angles(leg, &foot);
    }
    sinew_Quat before = foot.rotation;
    bool is_rolled = ease_moving_roll(leg, angles, &foot)
        && sinew_quat_dot(before, foot.rotation) < 1.0 - 1e-15;
    if (turned != 0.0 || is_moved || is_rolled) {
        snw_foot_points(sizes, &foot, pose->toe_bend, pose);
    }
}

// from hip to ankle with the knee bent as far as it goes
static double shortest_leg(const snw_WalkLegBody *sizes)
{
    double s, c, a = sizes->thigh, b = sizes->shank;
    sinew_sincos(fmin(sizes->knee_upper, SINEW_PI) - KNEE_MARGIN, &s, &c);
    return sqrt(fmax(0.0, a * a + b * b + 2.0 * a * b * c));
}

/// The way of a moving foot as it is planned now.
typedef struct Way {
    snw_SwingStyle style;
    snw_SwingPath path;
} Way;

static Way way_of(const snw_WalkBody *body, int index, const snw_Natural *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    Way way;
    way.style = snw_swing_style(body, state, sizes);
    way.path = snw_foot_swing_path(sizes, &state->legs[index].swing, &way.style);
    return way;
}

// the foot on its way at a moment of its swing, pulled into reach
static void move_foot(const snw_WalkBody *body, int index, const snw_Natural *state,
    const Way *planned, double t, snw_FootPose *pose)
{
    SNW_ASSERT(snw_holds_share(t));
    SNW_ASSERT(index >= 0);
    const snw_WalkLegBody *sizes = &body->legs[index];
    sinew_Vec3 hip = sinew_transform_point(state->hips, sizes->hip);
    double length = sizes->thigh + sizes->shank;
    *pose = snw_foot_swing_pose(
        sizes, &state->legs[index].swing, &planned->style, &planned->path, t);
    sinew_Vec3 way = sinew_vec3_sub(pose->foot.position, hip);
    double free = snw_smoothstep(t / 0.2) * snw_smoothstep((1.0 - t) / 0.2);
    double far = sinew_vec3_length(way);
    double most = snw_mix(SWING_REACH, MID_SWING_REACH, free) * length;
    // rounded off, so that no knee snaps straight
    double near = snw_soft_min(far, most, snw_mix(0.004, 0.02, free) * length);
    if (far > 0.9 * length) {
        sinew_Transform foot = pose->foot;
        foot.position = sinew_vec3_add_scaled(hip, way, near / far);
        snw_foot_points(sizes, &foot, pose->toe_bend, pose);
    }
    // nor nearer than a knee bends
    double least = shortest_leg(sizes);
    if (far < least) {
        sinew_Transform foot = pose->foot;
        foot.position = sinew_vec3_add_scaled(hip, way, least / fmax(far, 1e-3));
        snw_foot_points(sizes, &foot, pose->toe_bend, pose);
    }
    MovingLeg moving = moving_leg(body, index, state, t);
    ease_moving_foot(&moving, t, pose);
}

static void keep_off_edges(const snw_WalkBody *body, snw_WalkGround *ground, int index,
    const snw_Natural *state, int steps, double t, snw_FootPose *pose)
{
    SNW_ASSERT(snw_holds_share(t));
    SNW_ASSERT(index >= 0);
    MovingLeg moving = moving_leg(body, index, state, t);
    double reach = EDGE_REACH * snw_smoothstep(t / 0.12) * snw_smoothstep((1.0 - t) / 0.12);
    for (int k = 0; k < steps && reach > 1e-3; ++k) {
        sinew_Vec3 push = snw_foot_off_edges(&body->legs[index], ground, pose, reach);
        if (sinew_vec3_dot(push, push) == 0.0) { break; }
        sinew_Transform foot = pose->foot;
        foot.position = sinew_vec3_add(foot.position, push);
        snw_foot_points(&body->legs[index], &foot, pose->toe_bend, pose);
        ease_moving_foot(&moving, t, pose);
    }
}

static double clearance_at(const snw_Natural *state, double t)
{
    double high = isfinite(state->stairs_speed) ? EDGE_CLEARANCE : MID_CLEARANCE;
    return NEAR_GROUND + high * fmin(snw_smoothstep(t / 0.15), snw_smoothstep((1.0 - t) / 0.15));
}

// lift that a moment of the way asks for; negative: what is to spare
static double need_at(const snw_WalkBody *body, snw_WalkGround *ground, int index,
    const snw_Natural *state, const Way *way, double t)
{
    snw_FootPose pose;
    move_foot(body, index, state, way, t, &pose);
    keep_off_edges(body, ground, index, state, 1, t, &pose);
    return snw_foot_lack(&body->legs[index], ground, &pose) + clearance_at(state, t);
}

// Look at one moment ahead: the first that was not looked at yet, else one of the others again, since
// plan and hips go on; not where there is much to spare.
static void look_ahead(
    const snw_WalkBody *body, snw_WalkGround *ground, int index, const Way *way, snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    snw_FootSwing *swing = &state->legs[index].swing;
    int next = (int)(swing->progress / SNW_MOMENT) + 1;
    int last = next + AROUND - 1;
    if (last > SNW_SWING_MOMENTS - 1) { last = SNW_SWING_MOMENTS - 1; }
    if (next > last) { return; }
    if (swing->seen < next) { swing->seen = next; }
    bool is_new = swing->seen <= last;
    int moment = is_new ? swing->seen++ : next + swing->looks++ % (last - next + 1);
    double *kept = &swing->needs[moment];
    if (!is_new && *kept < -MUCH_TO_SPARE) { return; }
    double need = need_at(body, ground, index, state, way, moment * SNW_MOMENT);
    *kept = is_new ? need : 0.5 * (*kept + need);
}

// Lift that the way a little before and after this moment asks for, less the farther: a foot rises
// before it comes over an edge that its plan did not see, not at once when it is there. Looking at all of
// these moments anew in each tick would cost more than all the rest.
static double lift_around(
    const snw_WalkBody *body, snw_WalkGround *ground, int index, const Way *way, snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    for (int i = 0; i < LOOKS; ++i) { look_ahead(body, ground, index, way, state); }
    const snw_FootSwing *swing = &state->legs[index].swing;
    double t = swing->progress, most = 0.0;
    for (int i = 1; i < SNW_SWING_MOMENTS; ++i) {
        double share = 1.0 - fabs(i - t / SNW_MOMENT) / (AROUND + 1);
        if (share <= 0.0 || i >= swing->seen) { continue; }
        most = fmax(most, share * snw_soft_positive(swing->needs[i], NEAR_GROUND));
    }
    // a foot that just left or is about to stand is where it is
    return most * snw_smoothstep(t / AROUND_FADE) * snw_smoothstep((1.0 - t) / AROUND_FADE);
}

// where a foot just left the ground or is about to stand, on ground that is known closely
static const snw_Foothold *foothold_near(const snw_FootSwing *swing)
{
    const snw_Foothold *at = swing->progress < 0.5 ? &swing->left : &swing->planned;
    bool is_near = fabs(swing->progress - 0.5) > 0.5 - PRINTS_SHARE;
    return is_near && at->uneven > 0.0 ? at : NULL;
}

// how far the sole is below the ground; near (NULL: none): a foothold whose prints show what is between the
// points of the sole that are looked at
static double lack_of(const snw_WalkLegBody *sizes, snw_WalkGround *ground,
    const snw_Foothold *near, const snw_FootPose *pose)
{
    double lack = snw_foot_lack(sizes, ground, pose);
    if (near == NULL) { return lack; }
    return fmax(lack, snw_foothold_lack(sizes, near, pose) - NEAR_GROUND);
}

// toes that are lower than the rest of the foot bend up; what the lowest point of the sole then lacks
static double bend_toes(const snw_WalkLegBody *sizes, snw_WalkGround *ground,
    const snw_Foothold *near, double margin, double most, snw_FootPose *pose)
{
    double sunk = lack_of(sizes, ground, near, pose) + margin;
    double length = sizes->tip - sizes->toe_joint.z;
    if (sizes->def.toe < 0 || sunk <= 0.0 || pose->toe_bend >= most || length < 0.02) {
        return sunk;
    }
    double tip = snw_walk_height(ground, pose->toe.x, pose->toe.z) - pose->toe.y + margin;
    double ball = snw_walk_height(ground, pose->ball.x, pose->ball.z) - pose->ball.y + margin;
    double over = tip - fmax(ball, 0.0);
    if (over <= 0.0) { return sunk; }
    sinew_Transform foot = pose->foot;
    snw_foot_points(sizes, &foot, fmin(most, pose->toe_bend + over / length), pose);
    return lack_of(sizes, ground, near, pose) + margin;
}

static void raise_foot(const snw_WalkLegBody *sizes, double height, snw_FootPose *pose)
{
    sinew_Transform foot = pose->foot;
    foot.position.y += height;
    snw_foot_points(sizes, &foot, pose->toe_bend, pose);
}

static void lift_foot(const snw_WalkBody *body, int index, snw_Natural *state, double lift)
{
    snw_NaturalLeg *leg = &state->legs[index];
    MovingLeg moving = moving_leg(body, index, state, leg->swing.progress);
    raise_foot(moving.sizes, lift, &leg->pose);
    ease_moving_foot(&moving, leg->swing.progress, &leg->pose);
}

// the foot of a moving leg where its plan, the leg and the ground want it
static void place_moving_foot(
    const snw_WalkBody *body, snw_WalkGround *ground, int index, double h, snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    snw_NaturalLeg *leg = &state->legs[index];
    double bend = leg->pose.toe_bend, most = bend + TOE_SPEED * h;
    Way way = way_of(body, index, state);
    move_foot(body, index, state, &way, leg->swing.progress, &leg->pose);
    if (isfinite(state->stairs_speed)) {
        double lift = lift_around(body, ground, index, &way, state);
        if (lift > 0.0) { lift_foot(body, index, state, lift); }
        keep_off_edges(body, ground, index, state, EDGE_STEPS, leg->swing.progress, &leg->pose);
    }
    double margin = clearance_at(state, leg->swing.progress);
    most = fmin(most, snw_toe_cap(&body->legs[index]));
    const snw_Foothold *near = foothold_near(&leg->swing);
    // lifting bends the ankle, which lowers the toes again
    for (int k = 0; k < LIFT_STEPS; ++k) {
        double sunk = bend_toes(&body->legs[index], ground, near, margin, most, &leg->pose);
        // as near to the ground as a plan leaves it at its ends
        double lift = snw_soft_positive(sunk, NEAR_GROUND);
        if (lift <= 0.0) { break; }
        lift_foot(body, index, state, lift * (k > 0 ? LIFT_GAIN : 1.0));
    }
    if (leg->pose.toe_bend < bend - TOE_SPEED * h) {
        sinew_Transform foot = leg->pose.foot;
        snw_foot_points(&body->legs[index], &foot, bend - TOE_SPEED * h, &leg->pose);
    }
}

// ---------------------------------------------------------------------------------------------
// How fast a swing may go on

// largest turn of hip, knee or ankle between two poses of a foot below the same hips
static double largest_turn(const MovingLeg *leg, const sinew_Transform *a, const sinew_Transform *b)
{
    sinew_Vec3 hip = sinew_transform_point(*leg->hips, leg->sizes->hip);
    sinew_Vec3 at[2] = { a->position, b->position };
    sinew_Quat thigh[2], shank[2], foot[2] = { a->rotation, b->rotation };
    sinew_Quat knee[2], ankle[2];
    for (int i = 0; i < 2; ++i) {
        sinew_Vec3 ahead = sinew_quat_rotate(foot[i], sinew_vec3(0.0, 0.0, 1.0));
        snw_leg_close(
            leg->sizes, hip, at[i], snw_knee_toward(&leg->knee, ahead), &thigh[i], &shank[i]);
        knee[i] = sinew_quat_mul(sinew_quat_conjugate(thigh[i]), shank[i]);
        ankle[i] = sinew_quat_mul(sinew_quat_conjugate(shank[i]), foot[i]);
    }
    double most = sinew_quat_angle(thigh[0], thigh[1]);
    most = fmax(most, sinew_quat_angle(knee[0], knee[1]));
    return fmax(most, sinew_quat_angle(ankle[0], ankle[1]));
}

// Bring a foot back to where no joint turns more than this on its way from kept; returns the share of the
// way that is left.
static double part_of_way(
    const MovingLeg *leg, double most, const sinew_Transform *kept, sinew_Transform *foot)
{
    sinew_Transform wanted = *foot;
    double share = 1.0;
    for (int i = 0; i < LAG_STEPS; ++i) {
        double angle = largest_turn(leg, kept, foot);
        if (angle <= most) { break; }
        share *= most / angle;
        foot->position = sinew_vec3_lerp(kept->position, wanted.position, share);
        foot->rotation = sinew_quat_slerp(kept->rotation, wanted.rotation, share);
    }
    return share;
}

// Where the ranges of a leg can be kept in two ways, a foot changes from one to the other bit by bit: no
// joint turns faster than MOST_TURN against where it was h seconds ago.
// Returns whether the foot stayed behind.
static bool lag_behind(const MovingLeg *leg, snw_WalkGround *ground, const snw_Foothold *near,
    double h, double margin, const snw_FootPose *last, const sinew_Transform *last_hips,
    snw_FootPose *pose)
{
    const snw_WalkLegBody *sizes = leg->sizes;
    const sinew_Transform *hips = leg->hips;
    // as the foot would be with all joints as they were
    sinew_Quat turn = sinew_quat_mul(hips->rotation, sinew_quat_conjugate(last_hips->rotation));
    sinew_Transform kept;
    kept.rotation = sinew_quat_mul(turn, last->foot.rotation);
    kept.position = sinew_vec3_add(hips->position,
        sinew_quat_rotate(turn, sinew_vec3_sub(last->foot.position, last_hips->position)));
    sinew_Transform foot = pose->foot;
    double most = MOST_TURN * h, share = part_of_way(leg, most, &kept, &foot);
    if (share == 1.0) { return false; }
    snw_FootPose whole = *pose;
    snw_foot_points(sizes, &foot, snw_mix(last->toe_bend, whole.toe_bend, share), pose);
    if (snw_foot_lack(sizes, ground, pose) + margin > 0.0) {
        // there is a step half-way: up to it before forward, forward over it before down
        foot = whole.foot;
        if (foot.position.y > kept.position.y) {
            foot.position.x = kept.position.x;
            foot.position.z = kept.position.z;
        } else {
            foot.position.y = kept.position.y;
        }
        share = part_of_way(leg, most, &kept, &foot);
        snw_foot_points(sizes, &foot, snw_mix(last->toe_bend, whole.toe_bend, share), pose);
    }
    // between two poses inside the ankle's range and above the ground there may be some outside
    for (int i = 0; i < LAG_STEPS; ++i) {
        foot = pose->foot;
        snw_LegAngles angles = moving_angles(leg, &foot);
        double over = snw_outside(angles.ankle, sizes->ankle_lower + SNW_EASE_RANGE_MARGIN,
            sizes->ankle_upper - SNW_EASE_RANGE_MARGIN);
        foot.rotation = sinew_quat_mul(
            foot.rotation, sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), over));
        snw_foot_points(sizes, &foot, pose->toe_bend, pose);
        double sunk = lack_of(sizes, ground, near, pose) + NEAR_GROUND;
        if (sunk <= 0.0) { break; }
        raise_foot(sizes, sunk, pose);
    }
    return true;
}

void snw_feet_move(const snw_WalkBody *body, snw_WalkGround *ground, double h, snw_Natural *state)
{
    for (int i = 0; i < body->leg_count; ++i) {
        snw_NaturalLeg *leg = &state->legs[i];
        if (leg->is_swinging) {
            snw_FootPose last = leg->pose;
            place_moving_foot(body, ground, i, h, state);
            // away from steps the straight way is good enough
            double margin = isfinite(state->stairs_speed) ? clearance_at(state, leg->swing.progress)
                                                          : -INFINITY;
            MovingLeg moving = moving_leg(body, i, state, leg->swing.progress);
            bool is_late = lag_behind(&moving, ground, foothold_near(&leg->swing), h, margin, &last,
                &leg->pose_hips, &leg->pose);
            if (is_late && isfinite(state->stairs_speed)) {
                keep_off_edges(body, ground, i, state, LATE_STEPS, leg->swing.progress, &leg->pose);
            }
        }
        leg->pose_hips = state->hips;
    }
}

bool snw_foot_arrives(const snw_WalkBody *body, int index, double h, const snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    const snw_NaturalLeg *leg = &state->legs[index];
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_FootPose landing = snw_foot_roll(
        sizes, &leg->swing.planned, leg->swing.landing_pitch, snw_toe_cap(sizes));
    // the hips go on meanwhile, and carry the foot along
    double s, c;
    sinew_sincos(state->root.heading, &s, &c);
    const snw_WalkRoot *root = &state->root;
    sinew_Vec3 speed = { root->forward * s + root->left * c, state->height.speed,
        root->forward * c - root->left * s };
    landing.foot.position = sinew_vec3_add_scaled(landing.foot.position, speed, -h);
    MovingLeg moving = moving_leg(body, index, state, leg->swing.progress);
    double turn = largest_turn(&moving, &leg->pose.foot, &landing.foot);
    return turn <= LANDING_TURN * h;
}

double snw_swing_pace(const snw_WalkBody *body, double h, const snw_Natural *state)
{
    double pace = 1.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        if (!leg->is_swinging) { continue; }
        double more = h / state->period / (1.0 - leg->release_phase);
        Way way = way_of(body, i, state);
        snw_FootPose before, after;
        move_foot(body, i, state, &way, leg->swing.progress, &before);
        move_foot(body, i, state, &way, fmin(1.0, leg->swing.progress + more), &after);
        MovingLeg moving = moving_leg(body, i, state, leg->swing.progress);
        double turn = largest_turn(&moving, &before.foot, &after.foot);
        if (turn > MOST_TURN * h) { pace = fmin(pace, MOST_TURN * h / turn); }
    }
    return fmax(LEAST_PACE, pace);
}

double snw_natural_foot_heading(const snw_NaturalLeg *leg)
{
    if (!leg->is_swinging) { return leg->at.heading; }
    const snw_FootSwing *swing = &leg->swing;
    return snw_mix(swing->left.heading, swing->to.heading, snw_smoothstep(swing->progress));
}

double snw_natural_knee(
    const snw_Natural *state, const snw_NaturalLeg *leg, double t, double *out_freedom)
{
    bool is_free = leg->is_swinging && !leg->left_near_stairs;
    *out_freedom = is_free ? snw_smoothstep(t / 0.25) * snw_smoothstep((1.0 - t) / 0.3) : 0.0;
    return state->root.heading + 0.6 * (snw_natural_foot_heading(leg) - state->root.heading);
}
