#include "motion/switch.h"
#include "base/memory.h"
#include "base/message.h"
#include "body/skeleton.h"
#include "math/holds.h"

#include <string.h>

// Limbs, their memory, and what FK sets. How limbs follow their handles stands in switch_update.c.

// 0.3 rad a frame at 60 Hz: what a viewer still sees as a motion and not as a pop
#define DEFAULT_JOINT_SPEED 18.0

// seconds: as long as people take to move an arm a little
#define DEFAULT_RELEASE_TIME 0.25

/// Degrees of freedom from root to tip.
static int limb_freedom(const sinew_Skeleton *skeleton, int root, int tip)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = 0;
    for (int j = tip; j >= root; j = joints[j].parent) { count += joints[j].dof_count; }
    return count;
}

sinew_SwitchLimb sinew_switch_limb(const sinew_Skeleton *skeleton, int root, int middle, int tip)
{
    sinew_SwitchLimb limb;
    memset(&limb, 0, sizeof limb);
    limb.root = root;
    limb.middle = middle;
    limb.tip = tip;
    limb.tip_from_handle = sinew_transform_identity();
    limb.reference = -1;
    limb.foot_roll.toe = -1;
    int count = skeleton != NULL ? sinew_skeleton_joint_count(skeleton) : 0;
    limb.holds_orientation = root >= 0 && tip < count && root <= tip
        && sinew_skeleton_is_ancestor(skeleton, root, tip)
        && limb_freedom(skeleton, root, tip) >= 6;
    return limb;
}

sinew_SwitchDef sinew_switch_def_default(void)
{
    sinew_SwitchDef def;
    memset(&def, 0, sizeof def);
    def.max_joint_speed = DEFAULT_JOINT_SPEED;
    def.release_time = DEFAULT_RELEASE_TIME;
    def.cookie = SNW_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------
// Creation

static bool is_joint(const sinew_Skeleton *skeleton, int joint)
{
    return joint >= 0 && joint < sinew_skeleton_joint_count(skeleton);
}

static bool is_unit(sinew_Quat q)
{
    return fabs(sinew_quat_dot(q, q) - 1.0) <= 2e-3; // false for NaN
}

static sinew_Status check_roll(const sinew_Skeleton *skeleton, const sinew_SwitchLimb *limb,
    int number, sinew_Message *message)
{
    const sinew_FootRoll *roll = &limb->foot_roll;
    if (!snw_is_offset(roll->heel) || !snw_is_offset(roll->ball)
        || !(fabs(sinew_vec3_length(roll->axis) - 1.0) <= 1e-3)) {
        return snw_refuse(message,
            "limbs[%d].foot_roll: want finite points, below 1e9 m, and an axis of length 1",
            number);
    }
    if (roll->toe != -1
        && (!is_joint(skeleton, roll->toe) || roll->toe == limb->tip
            || !sinew_skeleton_is_ancestor(skeleton, limb->tip, roll->toe))) {
        return snw_refuse(message, "limbs[%d].foot_roll.toe is %d, want a joint below tip or -1",
            number, roll->toe);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_limb(const sinew_Skeleton *skeleton, const sinew_SwitchLimb *limb,
    int number, sinew_Message *message)
{
    if (!is_joint(skeleton, limb->root) || !is_joint(skeleton, limb->tip)
        || !sinew_skeleton_is_ancestor(skeleton, limb->root, limb->tip)) {
        return snw_refuse(message,
            "limbs[%d]: root is %d and tip %d, want joints with root at or above tip", number,
            limb->root, limb->tip);
    }
    if (limb->middle != -1
        && (!is_joint(skeleton, limb->middle) || limb->middle == limb->root
            || limb->middle == limb->tip
            || !sinew_skeleton_is_ancestor(skeleton, limb->root, limb->middle)
            || !sinew_skeleton_is_ancestor(skeleton, limb->middle, limb->tip))) {
        return snw_refuse(message,
            "limbs[%d].middle is %d, want a joint between root and tip or -1", number,
            limb->middle);
    }
    if (limb->reference != -1
        && (!is_joint(skeleton, limb->reference)
            || sinew_skeleton_is_ancestor(skeleton, limb->root, limb->reference))) {
        return snw_refuse(message,
            "limbs[%d].reference is %d, want a joint that is not below root, or -1", number,
            limb->reference);
    }
    if (!snw_is_offset(limb->tip_from_handle.position)
        || !is_unit(limb->tip_from_handle.rotation)) {
        return snw_refuse(
            message, "limbs[%d].tip_from_handle is no finite rigid transform, below 1e9 m", number);
    }
    return limb->has_foot_roll ? check_roll(skeleton, limb, number, message) : SINEW_STATUS_OK;
}

// from the root of a limb to its tip
static bool is_in_chain(const sinew_Skeleton *skeleton, const sinew_SwitchLimb *limb, int joint)
{
    return sinew_skeleton_is_ancestor(skeleton, limb->root, joint)
        && sinew_skeleton_is_ancestor(skeleton, joint, limb->tip);
}

// whether two limbs pose a joint in common
static bool limbs_overlap(
    const sinew_Skeleton *skeleton, const sinew_SwitchLimb *a, const sinew_SwitchLimb *b)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int j = a->tip; j >= a->root; j = joints[j].parent) {
        if (is_in_chain(skeleton, b, j)) { return true; }
    }
    return false;
}

static sinew_Status check_def(const sinew_SwitchDef *def, sinew_Message *message)
{
    if (def == NULL) { return snw_refuse(message, "def is NULL"); }
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(message, "switch"); }
    if (def->skeleton == NULL) { return snw_refuse(message, "skeleton is NULL"); }
    if (def->limb_count < 1 || def->limb_count > SINEW_MAX_SWITCH_LIMBS || def->limbs == NULL) {
        return snw_refuse(message, "limb_count is %d, want 1..%d and limbs", def->limb_count,
            SINEW_MAX_SWITCH_LIMBS);
    }
    if (!(def->max_joint_speed > 0.0)) {
        return snw_refuse(message, "max_joint_speed is %g, want above 0", def->max_joint_speed);
    }
    if (!(def->release_time >= 0.0 && isfinite(def->release_time))) {
        return snw_refuse(message, "release_time is %g, want >= 0", def->release_time);
    }
    for (int i = 0; i < def->limb_count; ++i) {
        sinew_Status status = check_limb(def->skeleton, &def->limbs[i], i, message);
        if (status != SINEW_STATUS_OK) { return status; }
        for (int k = 0; k < i; ++k) {
            if (limbs_overlap(def->skeleton, &def->limbs[i], &def->limbs[k])) {
                return snw_refuse(message, "limbs[%d] and limbs[%d] share a joint", k, i);
            }
        }
    }
    return SINEW_STATUS_OK;
}

static int count_axes(const sinew_Skeleton *skeleton, const sinew_SwitchLimb *limb)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = 0;
    for (int j = limb->tip; j >= limb->root; j = joints[j].parent) {
        count += joints[j].axis_count;
    }
    bool toes = limb->has_foot_roll && limb->foot_roll.toe >= 0;
    return count + (toes ? joints[limb->foot_roll.toe].axis_count : 0);
}

static void take_arrays(sinew_Switch *sw, const sinew_SwitchDef *def, snw_Arena *arena)
{
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(sw->skeleton);
    size_t limbs = (size_t)sw->limb_count;
    (void)snw_arena_take(arena, 1, sizeof *sw);
    sw->limbs = snw_arena_take(arena, limbs, sizeof(snw_SwitchLimb));
    sw->order = snw_arena_take(arena, limbs, sizeof(int));
    double **poses[] = { &sw->fk, &sw->ik, &sw->shown, &sw->work, &sw->cropped };
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; ++i) {
        *poses[i] = snw_arena_take(arena, coordinates, sizeof(double));
    }
    size_t dofs = (size_t)sinew_skeleton_dof_count(sw->skeleton);
    sw->offset = snw_arena_take(arena, dofs, sizeof(double));
    sw->step = snw_arena_take(arena, dofs, sizeof(double));
    sw->off = snw_arena_take(arena, dofs, sizeof(double));
    sw->world = snw_arena_take(
        arena, (size_t)sinew_skeleton_joint_count(sw->skeleton), sizeof(sinew_Transform));
    for (int i = 0; i < sw->limb_count; ++i) {
        size_t axes = (size_t)count_axes(sw->skeleton, &def->limbs[i]);
        snw_SwitchAxis *taken = snw_arena_take(arena, axes, sizeof(snw_SwitchAxis));
        if (arena->base != NULL) { sw->limbs[i].axes = taken; }
    }
}

static void add_axes(const sinew_Skeleton *skeleton, int joint, snw_SwitchLimb *limb)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *own = &sinew_skeleton_joints(skeleton)[joint];
    for (int a = own->axis_start; a < own->axis_start + own->axis_count; ++a) {
        sinew_AxisKind kind = sinew_skeleton_axes(skeleton)[a].kind;
        const sinew_AxisPlace *place = &sinew_skeleton_axis_places(skeleton)[a];
        bool ball = kind == SINEW_AXIS_BALL;
        limb->axes[limb->axis_count++] = (snw_SwitchAxis){ kind, place->coordinate, ball ? 4 : 1,
            place->dof, ball ? 3 : 1 };
    }
}

// Files whose joints all have position channels let bones move in their sockets: slides without end are no joints of a limb,
// and IK leaves them as they are.
static sinew_Status keep_bones(sinew_Switch *sw, snw_SwitchLimb *limb, sinew_Message *message)
{
    size_t count = (size_t)sinew_skeleton_axis_count(sw->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(sw->skeleton);
    double *mobility = snw_alloc_array(&sw->allocator, count, sizeof(double));
    if (mobility == NULL) { return snw_no_memory(message, "a switch"); }
    for (size_t a = 0; a < count; ++a) {
        bool open = axes[a].kind == SINEW_AXIS_SLIDE && !isfinite(axes[a].upper - axes[a].lower);
        mobility[a] = open ? 0.0 : axes[a].mobility;
    }
    sinew_Status status = sinew_solver_set_mobility(limb->solver, mobility);
    snw_free(&sw->allocator, mobility, count * sizeof(double));
    return status;
}

static sinew_Status init_limb(
    sinew_Switch *sw, snw_SwitchLimb *limb, const sinew_SwitchDef *def, sinew_Message *message)
{
    const sinew_Joint *joints = sinew_skeleton_joints(sw->skeleton);
    const sinew_SwitchLimb *own = &limb->def;
    for (int j = own->tip; j >= own->root; j = joints[j].parent) {
        add_axes(sw->skeleton, j, limb);
    }
    if (own->has_foot_roll && own->foot_roll.toe >= 0) {
        add_axes(sw->skeleton, own->foot_roll.toe, limb);
    }
    limb->length = sinew_skeleton_chain_length(sw->skeleton, own->root, own->tip)
        + sinew_vec3_length(own->tip_from_handle.position);
    int asked = own->holds_orientation ? 6 : 3;
    limb->has_pole = own->middle >= 0 && limb_freedom(sw->skeleton, own->root, own->tip) > asked;

    // a limb that is straight in the rest pose may bend anywhere until it has bent once
    limb->side = sinew_vec3(0.0, 0.0, 1.0);
    sinew_Vec3 side;
    (void)snw_switch_derive(sw, limb, sw->shown, &side);
    limb->side = side;

    sinew_SolverDef solver_def = sinew_solver_def_default();
    solver_def.skeleton = def->skeleton;
    solver_def.max_goals = SNW_SWITCH_GOALS;
    solver_def.allocator = def->allocator;
    sinew_Status status = sinew_solver_create(&solver_def, &limb->solver, message);
    return status == SINEW_STATUS_OK ? keep_bones(sw, limb, message) : status;
}

// those that carry others first, else as they were given
static void sort_limbs(sinew_Switch *sw)
{
    for (int i = 0; i < sw->limb_count; ++i) {
        int place = i;
        while (place > 0 && sw->limbs[i].def.root < sw->limbs[sw->order[place - 1]].def.root) {
            sw->order[place] = sw->order[place - 1];
            --place;
        }
        sw->order[place] = i;
    }
}

sinew_Status sinew_switch_create(
    const sinew_SwitchDef *def, sinew_Switch **out_switch, sinew_Message *out_message)
{
    if (out_switch == NULL) { return snw_refuse(out_message, "out_switch is NULL"); }
    *out_switch = NULL;
    sinew_Status status = check_def(def, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_Switch draft;
    memset(&draft, 0, sizeof draft);
    draft.allocator = snw_allocator_or_default(&def->allocator);
    draft.skeleton = def->skeleton;
    draft.limb_count = def->limb_count;
    draft.max_joint_speed = def->max_joint_speed;
    draft.release_time = def->release_time;
    snw_Arena arena = { NULL, 0 };
    take_arrays(&draft, def, &arena);
    if (!snw_arena_open(&arena, &draft.allocator, &draft.memory_size)) {
        return snw_no_memory(out_message, "a switch");
    }
    sinew_Switch *sw = (sinew_Switch *)(void *)arena.base;
    take_arrays(&draft, def, &arena);
    *sw = draft;

    sinew_pose_rest(sw->skeleton, sw->shown);
    sinew_pose_apply_limits(sw->skeleton, sw->shown);
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(sw->skeleton) * sizeof(double);
    memcpy(sw->fk, sw->shown, bytes);
    memcpy(sw->ik, sw->shown, bytes);
    for (int i = 0; i < sw->limb_count && status == SINEW_STATUS_OK; ++i) {
        sw->limbs[i].def = def->limbs[i];
        status = init_limb(sw, &sw->limbs[i], def, out_message);
    }
    if (status != SINEW_STATUS_OK) {
        sinew_switch_destroy(sw);
        return status;
    }
    sort_limbs(sw);
    *out_switch = sw;
    return SINEW_STATUS_OK;
}

void sinew_switch_destroy(sinew_Switch *sw)
{
    if (sw == NULL) { return; }
    for (int i = 0; i < sw->limb_count; ++i) { sinew_solver_destroy(sw->limbs[i].solver); }
    snw_free(&sw->allocator, sw, sw->memory_size);
}

int sinew_switch_limb_count(const sinew_Switch *sw)
{
    return sw != NULL ? sw->limb_count : 0;
}

static bool has_limb(const sinew_Switch *sw, int limb)
{
    return sw != NULL && limb >= 0 && limb < sw->limb_count;
}

const sinew_Skeleton *snw_switch_skeleton(const sinew_Switch *sw)
{
    return sw->skeleton;
}

double *snw_switch_scratch(sinew_Switch *sw)
{
    return sw->cropped;
}

const sinew_SwitchLimb *sinew_switch_get_limb(const sinew_Switch *sw, int limb)
{
    return has_limb(sw, limb) ? &sw->limbs[limb].def : NULL;
}

const sinew_Report *sinew_switch_report(const sinew_Switch *sw, int limb)
{
    return has_limb(sw, limb) ? &sw->limbs[limb].report : NULL;
}

// ---------------------------------------------------------------------------------------------
// FK

void snw_switch_copy(const snw_SwitchLimb *limb, const double *from, double *to)
{
    for (int i = 0; i < limb->axis_count; ++i) {
        const snw_SwitchAxis *axis = &limb->axes[i];
        for (int k = 0; k < axis->coordinate_count; ++k) {
            to[axis->coordinate + k] = from[axis->coordinate + k];
        }
    }
}

const double *sinew_switch_pose(const sinew_Switch *sw)
{
    return sw != NULL ? sw->shown : NULL;
}

void snw_switch_find_step(sinew_Switch *sw, const snw_SwitchLimb *limb, const double *from,
    const double *to, double *out_step)
{
    sinew_pose_difference(sw->skeleton, from, to, sw->step);
    for (int i = 0; i < limb->axis_count; ++i) {
        const snw_SwitchAxis *axis = &limb->axes[i];
        for (int d = axis->dof; d < axis->dof + axis->dof_count; ++d) {
            double turns = axis->kind == SINEW_AXIS_HINGE ? sw->step[d] / (2.0 * SINEW_PI) : 0.0;
            out_step[d] = sw->step[d] - 2.0 * SINEW_PI * floor(turns + 0.5);
        }
    }
}

// how far a limb is shown from where FK has it, which has to go from now on
static void find_offset(sinew_Switch *sw, snw_SwitchLimb *limb)
{
    snw_switch_find_step(sw, limb, sw->fk, sw->shown, sw->offset);
    snw_switch_find_step(sw, limb, sw->fk, sw->shown, sw->off);
    limb->release = sw->release_time;
    limb->fresh = true;
}

// The limb goes over from where it is shown to where FK has it by and by: how far it is off now, in the same frame, is what has
// to go. Writes sw->work.
static void begin_release(sinew_Switch *sw, snw_SwitchLimb *limb)
{
    find_offset(sw, limb);
    snw_SwitchBasis is = snw_switch_stand(sw, limb, sw->shown);
    memcpy(sw->work, sw->shown,
        (size_t)sinew_skeleton_coordinate_count(sw->skeleton) * sizeof(double));
    snw_switch_copy(limb, sw->fk, sw->work);
    snw_SwitchBasis own = snw_switch_stand(sw, limb, sw->work);
    limb->apart.tip = sinew_vec3_sub(is.target.position, own.target.position);
    limb->apart.turn = sinew_quat_log(
        sinew_quat_mul(sinew_quat_conjugate(own.target.rotation), is.target.rotation));
    limb->apart.pole = sinew_vec3_sub(is.pole, own.pole);
    limb->animated = true;
    limb->awaits = false;
}

// The joints of FK are shown as they were set, but for limbs in IK and those that left it a moment ago: for them they are what
// the next update goes by. sw->work: the pose that was set.
static void take_pose(sinew_Switch *sw)
{
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(sw->skeleton) * sizeof(double);
    bool same = memcmp(sw->fk, sw->work, bytes) == 0;
    for (int i = 0; i < sw->limb_count; ++i) {
        snw_SwitchLimb *limb = &sw->limbs[i];
        if (limb->blend == 0.0) { continue; }
        if (!limb->animated) { find_offset(sw, limb); }
        limb->animated = true;
        limb->settled = limb->settled && same;
    }
    memcpy(sw->fk, sw->work, bytes);
    for (int i = 0; i < sw->limb_count; ++i) {
        if (sw->limbs[i].awaits) { begin_release(sw, &sw->limbs[i]); }
    }
    memcpy(sw->work, sw->fk, bytes);
    for (int i = 0; i < sw->limb_count; ++i) {
        const snw_SwitchLimb *limb = &sw->limbs[i];
        if (limb->blend > 0.0 || limb->release > 0.0) {
            snw_switch_copy(limb, sw->shown, sw->work);
        }
    }
    memcpy(sw->shown, sw->work, bytes);
}

static sinew_Status set_pose(
    sinew_Switch *sw, const double *q, bool begin_again, sinew_Message *message)
{
    if (sw == NULL || q == NULL) { return SNW_CHECK_NULL(message, "sw q", sw, q); }
    sinew_Status status = sinew_pose_check(sw->skeleton, q, message);
    if (status != SINEW_STATUS_OK) { return status; }
    for (int i = 0; begin_again && i < sw->limb_count; ++i) {
        sw->limbs[i].blend = 0.0;
        sw->limbs[i].release = 0.0;
        sw->limbs[i].awaits = false;
    }
    memcpy(sw->work, q, (size_t)sinew_skeleton_coordinate_count(sw->skeleton) * sizeof(double));
    sinew_pose_apply_limits(sw->skeleton, sw->work);
    take_pose(sw);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_switch_set_pose(sinew_Switch *sw, const double *q, sinew_Message *out_message)
{
    return set_pose(sw, q, false, out_message);
}

sinew_Status sinew_switch_reset(sinew_Switch *sw, const double *q, sinew_Message *out_message)
{
    return set_pose(sw, q, true, out_message);
}

// the limb that IK poses a joint of, -1: none
static int limb_of(const sinew_Switch *sw, int joint)
{
    for (int i = 0; i < sw->limb_count; ++i) {
        const sinew_SwitchLimb *def = &sw->limbs[i].def;
        if (is_in_chain(sw->skeleton, def, joint)
            || (def->has_foot_roll && joint == def->foot_roll.toe)) {
            return i;
        }
    }
    return -1;
}

// the limb as it is shown is what FK has
static void end_release(sinew_Switch *sw, snw_SwitchLimb *limb)
{
    if (limb->blend == 0.0 && limb->release > 0.0) { snw_switch_copy(limb, sw->shown, sw->fk); }
    limb->release = 0.0;
    limb->awaits = false;
}

sinew_Status sinew_switch_set_joint(
    sinew_Switch *sw, int joint, const double *values, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "sw values", sw, values);
    if (status != SINEW_STATUS_OK) { return status; }
    if (!is_joint(sw->skeleton, joint)) {
        return snw_refuse(out_message, "joint is %d, want 0..%d", joint,
            sinew_skeleton_joint_count(sw->skeleton) - 1);
    }
    const sinew_Joint *own = &sinew_skeleton_joints(sw->skeleton)[joint];
    if (own->coordinate_count == 0) { return SINEW_STATUS_OK; }
    int limb = limb_of(sw, joint);
    if (limb >= 0 && sw->limbs[limb].blend == 1.0) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "%s is posed by the handle of limb %d; disable its IK first", own->name, limb);
    }

    // the others' values are inside already and keep their bits
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(sw->skeleton) * sizeof(double);
    memcpy(sw->cropped, sw->fk, bytes);
    memcpy(&sw->cropped[own->coordinate_start], values,
        (size_t)own->coordinate_count * sizeof(double));
    status = sinew_pose_check(sw->skeleton, sw->cropped, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_pose_apply_limits(sw->skeleton, sw->cropped);
    // who sets joints by hand says where they are: the limb goes over to no animation
    if (limb >= 0) { end_release(sw, &sw->limbs[limb]); }
    for (int k = own->coordinate_start; k < own->coordinate_start + own->coordinate_count; ++k) {
        sw->fk[k] = sw->cropped[k];
        if (limb < 0 || sw->limbs[limb].blend == 0.0) { sw->shown[k] = sw->fk[k]; }
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Switching

// IK begins where the pose is: its handle is read off, and its joints are known
static void begin_ik(sinew_Switch *sw, snw_SwitchLimb *limb)
{
    snw_switch_copy(limb, sw->shown, sw->ik);
    limb->handle = snw_switch_derive(sw, limb, sw->shown, &limb->side);
    limb->basis = snw_switch_basis(sw, limb, sw->shown);
    limb->settled = true;
    limb->release = 0.0;
    limb->animated = limb->awaits = false;
    memset(&limb->report, 0, sizeof limb->report);
}

// The pose stays as it is. Where an animation goes on under it, or once one comes, the limb goes over to that.
static void end_ik(sinew_Switch *sw, snw_SwitchLimb *limb)
{
    if (limb->animated && sw->release_time > 0.0) {
        begin_release(sw, limb);
        return;
    }
    snw_switch_copy(limb, sw->shown, sw->fk);
    limb->release = 0.0;
    limb->awaits = sw->release_time > 0.0;
}

sinew_Status sinew_switch_enable_ik(
    sinew_Switch *sw, int limb, bool enable, sinew_Message *out_message)
{
    if (sw == NULL) { return snw_refuse(out_message, "sw is NULL"); }
    if (limb != -1 && !has_limb(sw, limb)) {
        return snw_refuse(
            out_message, "limb is %d, want 0..%d or -1", limb, sinew_switch_limb_count(sw) - 1);
    }
    for (int i = 0; i < sw->limb_count; ++i) {
        snw_SwitchLimb *own = &sw->limbs[i];
        if ((limb != -1 && limb != i) || own->blend == (enable ? 1.0 : 0.0)) { continue; }
        if (enable) {
            begin_ik(sw, own);
        } else {
            end_ik(sw, own);
        }
        own->blend = enable ? 1.0 : 0.0;
    }
    return SINEW_STATUS_OK;
}

double sinew_switch_blend(const sinew_Switch *sw, int limb)
{
    return has_limb(sw, limb) ? sw->limbs[limb].blend : -1.0;
}

static sinew_Status check_limb_number(const sinew_Switch *sw, int limb, sinew_Message *message)
{
    if (has_limb(sw, limb)) { return SINEW_STATUS_OK; }
    return snw_refuse(message, "limb is %d, want 0..%d", limb, sinew_switch_limb_count(sw) - 1);
}

sinew_Status sinew_switch_set_blend(
    sinew_Switch *sw, int limb, double blend, sinew_Message *out_message)
{
    if (sw == NULL) { return snw_refuse(out_message, "sw is NULL"); }
    sinew_Status status = check_limb_number(sw, limb, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (!(blend >= 0.0 && blend <= 1.0)) {
        return snw_refuse(out_message, "blend is %g, want 0..1", blend);
    }
    snw_SwitchLimb *own = &sw->limbs[limb];
    if (own->blend == 0.0 && blend > 0.0) { begin_ik(sw, own); }
    own->blend = blend;
    if (blend == 0.0) {
        snw_switch_copy(own, sw->fk, sw->shown);
        own->release = 0.0;
        own->awaits = false;
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_switch_handle(
    const sinew_Switch *sw, int limb, sinew_Handle *out_handle, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "sw out_handle", sw, out_handle);
    if (status == SINEW_STATUS_OK) { status = check_limb_number(sw, limb, out_message); }
    if (status != SINEW_STATUS_OK) { return status; }
    const snw_SwitchLimb *own = &sw->limbs[limb];
    sinew_Vec3 side;
    *out_handle = own->blend > 0.0 ? own->handle : snw_switch_derive(sw, own, sw->shown, &side);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_switch_set_handle(
    sinew_Switch *sw, int limb, const sinew_Handle *handle, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "sw handle", sw, handle);
    if (status == SINEW_STATUS_OK) { status = check_limb_number(sw, limb, out_message); }
    if (status != SINEW_STATUS_OK) { return status; }
    if (sw->limbs[limb].blend == 0.0) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "limb %d is in FK: its handle follows the joints; enable its IK first", limb);
    }
    if (!sinew_vec3_is_finite(handle->place.position) || !sinew_vec3_is_finite(handle->pole)
        || !isfinite(handle->foot_roll) || !is_unit(handle->place.rotation)
        || !is_unit(handle->toe)) {
        return snw_refuse(out_message,
            "the handle of limb %d has a number that is not finite or a rotation that is not unit",
            limb);
    }
    sw->limbs[limb].handle = *handle;
    return SINEW_STATUS_OK;
}
