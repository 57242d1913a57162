// Taking a body, or what stands, somewhere else as it is, or along with what carries it; where it will be.

#include "walk/core.h"

/// New world from old, and the turn about the vertical that is in it.
typedef struct Move {
    sinew_Transform new_from_old;
    double turn;
} Move;

static void move_point(const Move *move, sinew_Vec3 *point)
{
    *point = sinew_transform_point(move->new_from_old, *point);
}

static void turn_way(const Move *move, sinew_Vec3 *way)
{
    *way = sinew_quat_rotate(move->new_from_old.rotation, *way);
}

static void move_place(const Move *move, snw_Foothold *at)
{
    move_point(move, &at->ground);
    at->basis = sinew_quat_mul(move->new_from_old.rotation, at->basis);
    at->heading += move->turn;
}

static void move_pose(const Move *move, snw_FootPose *pose)
{
    pose->foot = sinew_transform_mul(move->new_from_old, pose->foot);
    move_point(move, &pose->heel);
    move_point(move, &pose->ball);
    move_point(move, &pose->toe);
}

/// Where the way of a moving foot begins.
static void move_start(const Move *move, snw_CoreSwing *swing)
{
    move_point(move, &swing->from);
    turn_way(move, &swing->from_speed);
    turn_way(move, &swing->glide);
    turn_way(move, &swing->glide_turn);
    move_place(move, &swing->left);
}

static void move_leg(const Move *move, snw_CoreLeg *leg)
{
    move_place(move, &leg->at);
    leg->heading += move->turn;
    move_pose(move, &leg->pose);
    turn_way(move, &leg->ankle_speed);
    snw_CoreSwing *swing = &leg->swing;
    move_start(move, swing);
    sinew_Vec3 wish = { swing->wish_x, 0.0, swing->wish_z };
    move_point(move, &wish);
    swing->wish_x = wish.x;
    swing->wish_z = wish.z;
    swing->wish_heading += move->turn;
    move_place(move, &swing->to);
}

/// What the root moves by when it goes from one place to another.
static Move find_move(const snw_WalkRoot *from, double x, double z, double heading, double rise)
{
    return (Move){ snw_root_move(from, x, z, heading, rise), heading - from->heading };
}

void snw_core_take_along(const snw_WalkRoot *before, snw_Core *state)
{
    const snw_WalkRoot *root = &state->root;
    const Move move = find_move(before, root->x, root->z, root->heading, 0.0);
    if (state->jump.is_leap) {
        move_start(&move, &state->legs[1 - snw_core_older_leg(state)].swing);
        return;
    }
    // who jumped on the spot lands on both feet, wherever that is
    for (int i = 0; i < 2; ++i) {
        move_start(&move, &state->legs[i].swing);
        move_place(&move, &state->legs[i].swing.to);
    }
}

/// All heights of the world that hips come from or go to.
static void raise_heights(double rise, snw_Core *state)
{
    state->height.value += rise;
    for (int i = 0; i < SNW_CORE_MOMENTS; ++i) { state->ceilings[i].height += rise; }
    state->jump.from += rise;
    state->jump.to += rise;
    state->jump.low += rise;
}

void snw_core_raise(double rise, snw_Core *state)
{
    Move move = { sinew_transform_identity(), 0.0 };
    move.new_from_old.position.y = rise;
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        if (!leg->is_swinging) { continue; }
        move_pose(&move, &leg->pose);
        move_start(&move, &leg->swing);
    }
    state->hips.position.y += rise;
    raise_heights(rise, state);
}

void snw_core_teleport(double x, double z, double heading, double rise, snw_Core *state)
{
    snw_WalkRoot *root = &state->root;
    const Move move = find_move(root, x, z, heading, rise);
    for (int i = 0; i < 2; ++i) { move_leg(&move, &state->legs[i]); }
    state->hips = sinew_transform_mul(move.new_from_old, state->hips);
    raise_heights(rise, state);
    root->x = x;
    root->z = z;
    snw_root_face(heading, root);
}

// ---------------------------------------------------------------------------------------------
// What carries the body

void snw_core_ride(const snw_WalkBody *body, double dt, snw_View *view, snw_Core *state)
{
    snw_AboardFoot feet[2];
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        feet[i] = (snw_AboardFoot){ snw_core_foothold(leg)->ground, !leg->is_swinging, leg->phase,
            &leg->surface };
    }
    snw_Aboard aboard = { body, &state->root, &state->height, &state->ride };
    snw_aboard_go(&aboard, feet, state->has_started, dt, view);
}

void snw_core_drift(double h, snw_Core *state)
{
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        snw_Foothold *at = leg->is_swinging ? &leg->swing.to : &leg->at;
        Move move = { .turn = h * leg->surface.drift_turn };
        if (!snw_aboard_drift(&leg->surface, at->ground, h, &move.new_from_old)) { continue; }
        move_place(&move, at);
    }
}

// ---------------------------------------------------------------------------------------------
// Where it will be

snw_WalkRoot snw_core_later(const snw_Core *state, double time)
{
    snw_WalkRoot root = state->root;
    if (state->jump.stage == SNW_JUMP_FLIES) {
        // nothing is steered in the air
        const double air = snw_min(time, snw_max(0.0, state->jump.air - state->jump.time));
        snw_root_advance(&root, air);
        time -= air;
    }
    return snw_root_predict(&root, &state->wanted, time);
}
