#include "body/stance_look.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"

// Frames of a motion that are looked at.
#define MOST_FRAMES 400
// A rest pose that costs less is a figure. Those of 49 recorded bodies cost 0 to 0.6, others 3 to 14.
#define FIGURE_COST 0.9
// A frame that costs more shows nobody standing: the worst usable one, the middle of a run, costs 3.7.
#define MOST_FRAME_COST 6.0
// Up of a rest pose is the axis that is within 26 degrees, a cosine.
#define NEAR_AXIS 0.9
// Limbs show their axis when they are bent by more than 20 degrees, a sine; those that never are, when they
// are bent by more than 8 about one axis all the time.
#define CLEAR_BEND 0.342
#define WEAK_BEND 0.14
// Share of the bends that must be about one axis, and fewest of them: of all frames, and at least.
#define CLEAR_AXIS 0.7
#define BENT_SHARE 0.02
#define LEAST_BENT 3
#define WEAK_SHARE 0.25 // of bends between 8 and 20 degrees
// Toes tell where ahead is when they are more than 25 degrees off the line of the shin, a sine.
#define CLEAR_TOES 0.42
// Lengths of feet in legs; ends of bones outside are garbage.
#define SHORTEST_FOOT 0.03
#define LONGEST_FOOT 0.48
// Elbows turn with the upper arm, so they say half as much as knees.
#define ELBOW_WEIGHT 0.5
// A foot stands flat in those of the calmest third of the frames in which ankle and ball together are hardly
// above the lowest tenth: a heel that comes up, and a ball that is not down yet, are both higher.
#define CALM_SHARE 0.33
#define LOW_SHARE 0.1
#define LOW_RISE 0.010 // of a leg, both heights together
// Limbs that begin nearer to each other, in legs, begin at one place.
#define APART 1e-3

static const sinew_Vec3 none = { 0.0, 0.0, 0.0 };

static sinew_Vec3 unit(sinew_Vec3 v)
{
    return sinew_vec3_normalize_or(v, none);
}

static sinew_Vec3 between(const snw_StanceFrame *f, int side, snw_StanceKey from, snw_StanceKey to)
{
    return sinew_vec3_sub(f->at[side][to].position, f->at[side][from].position);
}

static sinew_Vec3 middle(const snw_StanceFrame *f, snw_StanceKey key)
{
    return sinew_vec3_lerp(f->at[0][key].position, f->at[1][key].position, 0.5);
}

// from right to left
static sinew_Vec3 line(const snw_StanceFrame *f, snw_StanceKey key)
{
    return sinew_vec3_sub(f->at[0][key].position, f->at[1][key].position);
}

static bool has(const snw_StanceLook *look, snw_StanceKey first, snw_StanceKey last)
{
    for (int k = (int)first; k <= (int)last; ++k) {
        if (look->keys.joint[0][k] < 0 || look->keys.joint[1][k] < 0) { return false; }
    }
    return true;
}

static bool has_arms(const snw_StanceLook *look)
{
    return has(look, SNW_KEY_UPPERARM, SNW_KEY_UPPERARM);
}

// the upper end of the trunk; the hips of a body without arms
static snw_StanceKey top_key(const snw_StanceLook *look)
{
    return has_arms(look) ? SNW_KEY_UPPERARM : SNW_KEY_THIGH;
}

// To the left at the hips or at the shoulders. Where both limbs begin at one place, as those of stick figures do, it is that
// of the other two; none where these do so as well.
static sinew_Vec3 left_at(const snw_StanceLook *look, const snw_StanceFrame *f, snw_StanceKey key)
{
    const sinew_Vec3 own = line(f, key);
    if (sinew_vec3_length(own) > APART * look->leg) { return unit(own); }
    const sinew_Vec3 other = line(f, key == SNW_KEY_THIGH ? top_key(look) : SNW_KEY_THIGH);
    return sinew_vec3_length(other) > APART * look->leg ? unit(other) : none;
}

static bool is_known(sinew_Vec3 direction)
{
    return sinew_vec3_length(direction) > 0.5;
}

/// The toe joint of a foot, or what else of it ends the foot in the rest pose, -1.
static int find_ball(
    const sinew_Skeleton *skeleton, const sinew_Transform *rest, int foot, int toe, double leg)
{
    if (foot < 0) { return -1; }
    double least = SHORTEST_FOOT * leg, most = LONGEST_FOOT * leg, far = 0.0;
    if (toe >= 0 && sinew_vec3_distance(rest[toe].position, rest[foot].position) >= least) {
        return toe;
    }
    int best = -1;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int j = foot + 1; j < foot + joints[foot].subtree_count; ++j) {
        double length = sinew_vec3_distance(rest[j].position, rest[foot].position);
        if (length >= least && length <= most && length > far) {
            far = length;
            best = j;
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Seeing

static void see(const snw_StanceLook *look, const sinew_Transform *world, snw_StanceFrame *out)
{
    for (int s = 0; s < 2; ++s) {
        for (int k = 0; k < SNW_KEY_COUNT; ++k) {
            int j = look->keys.joint[s][k];
            out->at[s][k] = j >= 0 ? world[j] : sinew_transform_identity();
        }
    }
}

static void see_frames(const sinew_Skeleton *skeleton, const sinew_PoseList *motion,
    sinew_Transform *world, snw_StanceLook *look)
{
    size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton);
    int last = motion->count - 1;
    for (int i = 0; i < look->frame_count; ++i) {
        snw_StanceFrame *f = &look->frames[i], other;
        f->frame = look->frame_count > 1 ? (int)((long long)i * last / (look->frame_count - 1)) : 0;
        int next = f->frame < last ? f->frame + 1 : (f->frame > 0 ? f->frame - 1 : 0);
        sinew_pose_forward(skeleton, motion->q + (size_t)next * width, world);
        see(look, world, &other);
        sinew_pose_forward(skeleton, motion->q + (size_t)f->frame * width, world);
        see(look, world, f);
        for (int s = 0; s < 2; ++s) {
            int end = look->keys.joint[s][SNW_KEY_BALL] >= 0 ? SNW_KEY_BALL : SNW_KEY_FOOT;
            f->moved[s] = sinew_vec3_distance(
                              f->at[s][SNW_KEY_FOOT].position, other.at[s][SNW_KEY_FOOT].position)
                + sinew_vec3_distance(f->at[s][end].position, other.at[s][end].position);
        }
    }
}

sinew_Vec3 snw_nearest_axis(sinew_Vec3 v, double least)
{
    const sinew_Vec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int i = 0; i < 3; ++i) {
        double dot = sinew_vec3_dot(v, axes[i]);
        if (fabs(dot) >= least) { return sinew_vec3_scale(axes[i], dot > 0.0 ? 1.0 : -1.0); }
    }
    return v;
}

static sinew_Vec3 standing_line(const snw_StanceLook *look, const snw_StanceFrame *f)
{
    return unit(sinew_vec3_sub(middle(f, top_key(look)), middle(f, SNW_KEY_FOOT)));
}

// from hips to shoulders; all of the body where it has no arms
static sinew_Vec3 trunk_of(const snw_StanceLook *look, const snw_StanceFrame *f)
{
    if (!has_arms(look)) { return standing_line(look, f); }
    return unit(sinew_vec3_sub(middle(f, SNW_KEY_UPPERARM), middle(f, SNW_KEY_THIGH)));
}

static void find_up(snw_StanceLook *look)
{
    look->rest_up = snw_nearest_axis(standing_line(look, &look->rest), NEAR_AXIS);
    sinew_Vec3 sum = none;
    for (int i = 0; i < look->frame_count; ++i) {
        sum = sinew_vec3_add(sum, standing_line(look, &look->frames[i]));
    }
    // one of the three axes is always within 55 degrees
    look->up = snw_nearest_axis(unit(sum), 0.57735);
}

// ---------------------------------------------------------------------------------------------
// Which pose is a figure

// 0 for somebody who stands in T, A or at attention, whichever way it faces and whatever is called left
static double cost_of(const snw_StanceLook *look, const snw_StanceFrame *f, sinew_Vec3 up)
{
    SNW_ASSERT(!is_known(up) || snw_holds_direction(up));
    sinew_Vec3 hips = left_at(look, f, SNW_KEY_THIGH), arms = left_at(look, f, top_key(look));
    sinew_Vec3 trunk = trunk_of(look, f);
    double slope = sinew_vec3_dot(hips, up);
    double cost = 2.0 * (1.0 - sinew_vec3_dot(trunk, up))
        + 2.0 * (1.0 - sinew_vec3_dot(standing_line(look, f), up)) + 2.0 * slope * slope
        + (is_known(hips) ? 1.0 - sinew_vec3_dot(hips, arms) : 0.0);
    sinew_Vec3 ahead = sinew_vec3_cross(hips, up);
    double toes = 0.0;
    for (int s = 0; s < 2; ++s) {
        sinew_Vec3 thigh = unit(between(f, s, SNW_KEY_THIGH, SNW_KEY_SHIN));
        sinew_Vec3 shin = unit(between(f, s, SNW_KEY_SHIN, SNW_KEY_FOOT));
        cost += 2.0 * (1.0 + sinew_vec3_dot(thigh, up)) + 2.0 * (1.0 + sinew_vec3_dot(shin, up));
        if (look->keys.joint[s][SNW_KEY_BALL] < 0) { continue; }
        sinew_Vec3 toe = between(f, s, SNW_KEY_FOOT, SNW_KEY_BALL);
        double length = sinew_vec3_length(toe);
        toe = sinew_vec3_add_scaled(toe, up, -sinew_vec3_dot(toe, up));
        if (sinew_vec3_length(toe) < CLEAR_TOES * length) { continue; }
        toes += 0.5 * sinew_vec3_dot(unit(toe), ahead);
    }
    // one side's toes ahead and the other's behind is no figure; both behind is a mirrored one
    int seen = has(look, SNW_KEY_BALL, SNW_KEY_BALL) ? 1 : 0;
    return cost + (seen && toes != 0.0 ? fmax(0.0, 1.0 - fabs(toes)) : 0.0);
}

static void choose_reference(snw_StanceLook *look)
{
    look->rest_cost = cost_of(look, &look->rest, look->rest_up);
    look->frame_cost = INFINITY;
    int best = -1;
    for (int i = 0; i < look->frame_count; ++i) {
        double cost = cost_of(look, &look->frames[i], look->up);
        if (cost < look->frame_cost) {
            look->frame_cost = cost;
            best = i;
        }
    }
    if (look->rest_cost < FIGURE_COST) {
        look->reference = -1;
    } else if (best >= 0 && look->frame_cost < MOST_FRAME_COST) {
        look->reference = look->frames[best].frame;
    }
}

// ---------------------------------------------------------------------------------------------
// Which side is left

static void speak(snw_StanceLook *look, sinew_StanceWitness who, double agreement)
{
    look->signs[who].agreement += agreement;
    ++look->signs[who].count;
}

static void ask_toes(snw_StanceLook *look, const snw_StanceFrame *f, int s, sinew_Vec3 left)
{
    SNW_ASSERT(snw_holds_direction(left));
    if (look->keys.joint[s][SNW_KEY_BALL] < 0) { return; }
    sinew_Vec3 shin = unit(between(f, s, SNW_KEY_SHIN, SNW_KEY_FOOT));
    sinew_Vec3 toe = between(f, s, SNW_KEY_FOOT, SNW_KEY_BALL);
    double length = sinew_vec3_length(toe);
    toe = sinew_vec3_add_scaled(toe, shin, -sinew_vec3_dot(toe, shin));
    if (!(sinew_vec3_length(toe) > CLEAR_TOES * length)) { return; }
    sinew_Vec3 ahead = unit(sinew_vec3_cross(shin, left));
    speak(look, SINEW_WITNESS_TOES, sinew_vec3_dot(unit(toe), ahead));
}

// upper bone x lower bone; zero unless the limb is bent by more than least, a sine
static sinew_Vec3 bend_of(const snw_StanceFrame *f, snw_StanceKey first, int s, double least)
{
    sinew_Vec3 upper = unit(between(f, s, first, first + 1));
    sinew_Vec3 lower = unit(between(f, s, first + 1, first + 2));
    sinew_Vec3 bend = sinew_vec3_cross(upper, lower);
    bool clear = sinew_vec3_length(bend) > least || sinew_vec3_dot(upper, lower) < -0.5;
    return clear ? unit(bend) : none;
}

static void ask_knee(snw_StanceLook *look, const snw_StanceFrame *f, int s, sinew_Vec3 left)
{
    sinew_Vec3 bend = bend_of(f, SNW_KEY_THIGH, s, CLEAR_BEND);
    if (sinew_vec3_length(bend) > 0.5) {
        speak(look, SINEW_WITNESS_KNEES, sinew_vec3_dot(bend, left));
    }
}

static void ask_elbow(
    snw_StanceLook *look, const snw_StanceFrame *f, int s, sinew_Vec3 left, sinew_Vec3 up)
{
    SNW_ASSERT(snw_holds_direction(left));
    SNW_ASSERT(snw_holds_direction(up));
    if (!has(look, SNW_KEY_UPPERARM, SNW_KEY_HAND)) { return; }
    sinew_Vec3 bend = bend_of(f, SNW_KEY_UPPERARM, s, CLEAR_BEND),
               down = sinew_vec3_scale(up, -1.0);
    sinew_Vec3 arm = unit(between(f, s, SNW_KEY_UPPERARM, SNW_KEY_FOREARM));
    // an arm overhead may have come there in any way
    if (sinew_vec3_length(bend) < 0.5 || sinew_vec3_dot(arm, up) > 0.5) { return; }
    sinew_Vec3 want = sinew_quat_rotate(
        sinew_quat_between(down, arm), sinew_vec3_scale(left, -1.0));
    speak(look, SINEW_WITNESS_ELBOWS, sinew_vec3_dot(bend, want));
}

static void ask(snw_StanceLook *look, const snw_StanceFrame *f)
{
    sinew_Vec3 left = left_at(look, f, SNW_KEY_THIGH);
    sinew_Vec3 chest_left = left_at(look, f, top_key(look));
    sinew_Vec3 trunk = trunk_of(look, f);
    // nobody tells of sides that are not seen
    if (!is_known(left)) { return; }
    for (int s = 0; s < 2; ++s) {
        ask_toes(look, f, s, left);
        ask_knee(look, f, s, left);
        if (is_known(trunk)) { ask_elbow(look, f, s, chest_left, trunk); }
    }
}

static void ask_all(snw_StanceLook *look)
{
    if (look->reference == -1) { ask(look, &look->rest); }
    for (int i = 0; i < look->frame_count; ++i) { ask(look, &look->frames[i]); }
    for (int w = 0; w < SINEW_STANCE_WITNESS_COUNT; ++w) {
        sinew_StanceSign *sign = &look->signs[w];
        if (sign->count > 0) { sign->agreement /= sign->count; }
        look->sides += (w == SINEW_WITNESS_ELBOWS ? ELBOW_WEIGHT : 1.0) * sign->agreement;
    }
}

// ---------------------------------------------------------------------------------------------

typedef struct Directions {
    double x[MOST_FRAMES], y[MOST_FRAMES], z[MOST_FRAMES];
    int count;
} Directions;

// what is gathered of all frames; too large for a stack
struct snw_StanceScratch {
    double values[MOST_FRAMES];
    Directions upper, lower;
};

static void take_arrays(snw_Arena *arena, const sinew_Skeleton *skeleton, snw_StanceLook *look,
    sinew_Transform **world, double **q)
{
    look->frames = snw_arena_take(arena, (size_t)look->frame_count, sizeof *look->frames);
    look->scratch = snw_arena_take(arena, 1, sizeof *look->scratch);
    *world = snw_arena_take(arena, (size_t)sinew_skeleton_joint_count(skeleton), sizeof **world);
    *q = snw_arena_take(arena, (size_t)sinew_skeleton_coordinate_count(skeleton), sizeof **q);
}

bool snw_stance_look(const sinew_Skeleton *skeleton, const sinew_PoseList *motion,
    const sinew_Allocator *allocator, snw_StanceLook *out_look)
{
    snw_StanceLook *look = out_look;
    int count = motion != NULL && motion->q != NULL ? motion->count : 0;
    look->frame_count = count < MOST_FRAMES ? count : MOST_FRAMES;
    look->reference = SNW_NO_REFERENCE;
    look->rest_up = look->up = none;
    look->rest_cost = look->frame_cost = INFINITY;
    look->sides = 0.0;
    look->leg = 0.0;
    look->rest.frame = -1;
    look->allocator = snw_allocator_or_default(allocator);
    for (int w = 0; w < SINEW_STANCE_WITNESS_COUNT; ++w) {
        look->signs[w] = (sinew_StanceSign){ 0, 0.0 };
    }
    sinew_Transform *world;
    double *q;
    snw_Arena arena = { NULL, 0 };
    take_arrays(&arena, skeleton, look, &world, &q);
    if (!snw_arena_open(&arena, &look->allocator, &look->size)) { return false; }
    take_arrays(&arena, skeleton, look, &world, &q);

    sinew_pose_rest(skeleton, q);
    sinew_pose_forward(skeleton, q, world);
    see(look, world, &look->rest);
    if (has(look, SNW_KEY_THIGH, SNW_KEY_FOOT)) {
        look->leg = sinew_vec3_length(between(&look->rest, 0, SNW_KEY_THIGH, SNW_KEY_SHIN))
            + sinew_vec3_length(between(&look->rest, 0, SNW_KEY_SHIN, SNW_KEY_FOOT));
        for (int s = 0; s < 2; ++s) {
            int *keys = look->keys.joint[s];
            keys[SNW_KEY_BALL] = find_ball(
                skeleton, world, keys[SNW_KEY_FOOT], keys[SNW_KEY_BALL], look->leg);
        }
        see(look, world, &look->rest);
    }
    if (motion != NULL && look->frame_count > 0) { see_frames(skeleton, motion, world, look); }
    if (has(look, SNW_KEY_THIGH, SNW_KEY_FOOT) && look->leg > 0.0) {
        find_up(look);
        choose_reference(look);
        ask_all(look);
    }
    return true;
}

void snw_stance_look_free(snw_StanceLook *look)
{
    if (look->frames != NULL) { snw_free(&look->allocator, look->frames, look->size); }
    look->frames = NULL;
}

// ---------------------------------------------------------------------------------------------
// Medians over the motion

// sorts; count above 0
static double quantile(double *values, int count, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(count >= 0);
    for (int gap = count / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < count; ++i) {
            double value = values[i];
            int j = i;
            for (; j >= gap && values[j - gap] > value; j -= gap) { values[j] = values[j - gap]; }
            values[j] = value;
        }
    }
    return values[(int)(share * (count - 1))];
}

static void add(Directions *list, sinew_Vec3 v)
{
    list->x[list->count] = v.x;
    list->y[list->count] = v.y;
    list->z[list->count++] = v.z;
}

// component by component; false when they point all over
static bool median_direction(Directions *list, sinew_Vec3 *out)
{
    if (list->count == 0) { return false; }
    sinew_Vec3 sum = none;
    for (int i = 0; i < list->count; ++i) {
        sum = sinew_vec3_add(sum, sinew_vec3(list->x[i], list->y[i], list->z[i]));
    }
    if (sinew_vec3_length(sum) < CLEAR_AXIS * list->count) { return false; }
    *out = unit(sinew_vec3(quantile(list->x, list->count, 0.5), quantile(list->y, list->count, 0.5),
        quantile(list->z, list->count, 0.5)));
    return sinew_vec3_length(*out) > 0.5;
}

static sinew_Vec3 into(sinew_Quat world_from_joint, sinew_Vec3 v)
{
    return sinew_quat_rotate(sinew_quat_conjugate(world_from_joint), v);
}

// bends of the motion above a sine, about one axis; fewest: of the frames
static bool bend_axis_above(const snw_StanceLook *look, snw_StanceKey first, int side, double sine,
    double fewest, sinew_Vec3 *out_upper, sinew_Vec3 *out_lower)
{
    SNW_ASSERT(side >= 0 && side < 2);
    Directions *upper = &look->scratch->upper, *lower = &look->scratch->lower;
    upper->count = lower->count = 0;
    for (int i = 0; i < look->frame_count; ++i) {
        const snw_StanceFrame *f = &look->frames[i];
        sinew_Vec3 bend = bend_of(f, first, side, sine);
        if (sinew_vec3_length(bend) < 0.5) { continue; }
        add(upper, into(f->at[side][first].rotation, bend));
        add(lower, into(f->at[side][first + 1].rotation, bend));
    }
    int least = (int)fmax(LEAST_BENT, fewest * look->frame_count);
    // a few posed frames do not speak against a rest pose that is a figure
    if (look->reference >= 0 && least > look->frame_count) { least = look->frame_count; }
    if (upper->count == 0 || upper->count < least) { return false; }
    return median_direction(upper, out_upper) && median_direction(lower, out_lower);
}

bool snw_stance_bend_axis(const snw_StanceLook *look, snw_StanceKey first, int side,
    sinew_Vec3 *out_upper, sinew_Vec3 *out_lower)
{
    SNW_ASSERT(side >= 0 && side < 2);
    for (int k = (int)first; k < (int)first + 3; ++k) {
        if (look->keys.joint[side][k] < 0) { return false; }
    }
    if (bend_axis_above(look, first, side, CLEAR_BEND, BENT_SHARE, out_upper, out_lower)) {
        return true;
    }
    // a body that has no other pose to be seen in
    if (look->reference >= 0) {
        return bend_axis_above(look, first, side, WEAK_BEND, WEAK_SHARE, out_upper, out_lower);
    }
    sinew_Vec3 bend = bend_of(&look->rest, first, side, CLEAR_BEND);
    *out_upper = into(look->rest.at[side][first].rotation, bend);
    *out_lower = into(look->rest.at[side][first + 1].rotation, bend);
    return look->reference == -1 && sinew_vec3_length(bend) > 0.5;
}

// of ankle and ball together
static double height_of(const snw_StanceLook *look, const snw_StanceFrame *f, int side)
{
    int end = look->keys.joint[side][SNW_KEY_BALL] >= 0 ? SNW_KEY_BALL : SNW_KEY_FOOT;
    return sinew_vec3_dot(f->at[side][SNW_KEY_FOOT].position, look->up)
        + sinew_vec3_dot(f->at[side][end].position, look->up);
}

int snw_stance_sole_up(const snw_StanceLook *look, int side, snw_StanceKey key, sinew_Vec3 *out_up)
{
    SNW_ASSERT(side >= 0 && side < 2);
    double *values = look->scratch->values;
    Directions *ups = &look->scratch->upper;
    ups->count = 0;
    int count = look->frame_count, low = 0;
    if (count < 2 || look->keys.joint[side][key] < 0) { return 0; }
    for (int i = 0; i < count; ++i) { values[i] = look->frames[i].moved[side]; }
    double calm = quantile(values, count, CALM_SHARE);
    for (int i = 0; i < count; ++i) {
        const snw_StanceFrame *f = &look->frames[i];
        if (f->moved[side] > calm) { continue; }
        values[low++] = height_of(look, f, side);
    }
    double most = quantile(values, low, LOW_SHARE) + LOW_RISE * look->leg;
    for (int i = 0; i < count; ++i) {
        const snw_StanceFrame *f = &look->frames[i];
        if (f->moved[side] > calm || height_of(look, f, side) > most) { continue; }
        add(ups, into(f->at[side][key].rotation, look->up));
    }
    int seen = ups->count;
    return median_direction(ups, out_up) ? seen : 0;
}

sinew_Status snw_stance_check_motion(
    const sinew_Skeleton *skeleton, const sinew_PoseList *motion, sinew_Message *message)
{
    int width = sinew_skeleton_coordinate_count(skeleton);
    if (motion != NULL && motion->q == NULL && motion->count > 0) {
        return snw_refuse(message, "motion.q is NULL");
    }
    for (int f = 0; motion != NULL && f < motion->count; ++f) {
        for (int i = 0; i < width; ++i) {
            if (isfinite(motion->q[(size_t)f * (size_t)width + (size_t)i])) { continue; }
            return snw_refuse(message, "motion, frame %d: number %d is not finite", f, i);
        }
    }
    return SINEW_STATUS_OK;
}
