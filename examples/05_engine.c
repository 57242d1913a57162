// Inverse kinematics on top of an engine's animation: each frame the engine gives 60 local float matrices
// of a left-handed, Z-up, centimetre skeleton (as Unreal has it); a hand goal and a look-at goal, both
// at half weight, change the pose; matrices go back.

#include <sinew/sinew.h>

#include <stdio.h>

enum { BONES = 60, FRAMES = 120, HAND = 25, UPPER_ARM = 23, HEAD = 6, FIRST_SPINE = 1, TAIL = 45 };

// what the engine knows of its bones: a spine with a head, two arms of five bones with fingers, two legs, a tail
static int parent_of(int bone)
{
    if (bone == 0) { return -1; }
    if (bone < 7) { return bone - 1; }         // spine 1..5, head 6
    if (bone == 7 || bone == 22) { return 4; } // shoulders
    if (bone < 12 || (bone > 22 && bone < 27)) { return bone - 1; }
    if (bone < 37) { return bone % 2 ? bone - 1 : bone - 2; } // fingers
    return bone == 37 || bone == 41 || bone == TAIL ? 0 : bone - 1;
}

// the engine's animation: local matrices, columns, x forward, y right, z up, centimetres
static void animate(int frame, float *matrices)
{
    for (int b = 0; b < BONES; ++b) {
        bool left = b >= 7 && b < 22, right = b >= 22 && b < 37, leg = b >= 37 && b < TAIL;
        double side = left ? -1.0 : right ? 1.0 : b < 41 ? -1.0 : 1.0;
        double angle = b == 0 ? 0.0 : 0.1 * sin(0.05 * frame + b);
        sinew_Vec3 place = { 0.0, 0.0, 9.0 }; // up the spine
        if (b == 0) { place = (sinew_Vec3){ 0.5 * frame, 0.0, 95.0 }; }
        if (left || right) { place = (sinew_Vec3){ 4.0, side * 12.0, -4.0 }; }
        if (leg) { place = (sinew_Vec3){ 0.0, (b - 37) % 4 == 0 ? side * 9.0 : 0.0, -22.0 }; }
        if (b >= TAIL) { place = (sinew_Vec3){ -4.0, 0.0, 0.0 }; }
        float c = (float)cos(angle), s = (float)sin(angle);
        const float m[16] = { c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, (float)place.x, (float)place.y,
            (float)place.z, 1 };
        for (int k = 0; k < 16; ++k) { matrices[16 * b + k] = m[k]; }
    }
}

// a skeleton of balls from the engine's first matrices; the root may also go anywhere
static sinew_Skeleton *make_skeleton(const sinew_Transform *rest, sinew_Message *message)
{
    sinew_Axis ball = sinew_axis_ball();
    sinew_Axis root[4] = { sinew_axis_slide(sinew_vec3(1, 0, 0)),
        sinew_axis_slide(sinew_vec3(0, 1, 0)), sinew_axis_slide(sinew_vec3(0, 0, 1)), ball };
    sinew_JointDef joints[BONES];
    for (int b = 0; b < BONES; ++b) {
        joints[b] = sinew_joint_def_default();
        joints[b].name = "bone";
        joints[b].parent = parent_of(b);
        joints[b].offset = rest[b].position;
        joints[b].rest_rotation = rest[b].rotation;
        joints[b].axes = b == 0 ? root : &ball;
        joints[b].axis_count = b == 0 ? 4 : 1;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_skeleton_create(joints, BONES, NULL, &skeleton, message);
    return skeleton;
}

typedef struct Character {
    sinew_Space space;
    sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    double largest_miss; // of all frames, metres from where half a weight should bring the hand
} Character;

// one frame: matrices in, matrices out
static sinew_Status update(Character *c, float *matrices, sinew_Message *message)
{
    sinew_MatrixLayout layout = sinew_matrix_layout_default();
    sinew_Transform local[BONES], world[BONES];
    double q[3 + 4 * BONES];
    sinew_Status status = sinew_transforms_from_matrices_float(
        &c->space, layout, matrices, BONES, local, message);
    if (status != SINEW_STATUS_OK) { return status; }
    status = sinew_pose_from_local(c->skeleton, local, NULL, q, NULL, message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_pose_forward(c->skeleton, q, world);

    // places in the engine's numbers
    sinew_Goal hand = sinew_goal_position(HAND, sinew_vec3(70.0, 40.0, 130.0));
    hand.chain_root = UPPER_ARM;
    sinew_Goal look = sinew_goal_aim(
        HEAD, sinew_vec3(1.0, 0.0, 0.0), sinew_vec3(300.0, 80.0, 160.0));
    look.chain_root = FIRST_SPINE;
    sinew_Goal goals[2] = { sinew_goal_from_space(&c->space, hand),
        sinew_goal_from_space(&c->space, look) };
    for (int g = 0; g < 2; ++g) { goals[g] = sinew_goal_blend(c->skeleton, world, goals[g], 0.5); }

    // each frame by itself, from the animated pose. Where joints have limits that may leap from frame to frame; a
    // sinew_Tracker that is given the animated pose (sinew_tracker_set_pose) goes on from where it was
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    sinew_Report report;
    status = sinew_solver_solve(c->solver, &options, goals, 2, q, &report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    c->largest_miss = fmax(c->largest_miss, report.position_error);
    sinew_pose_to_local(c->skeleton, q, local);
    return sinew_transforms_to_matrices_float(&c->space, layout, local, BONES, matrices, message);
}

int main(void)
{
    static float matrices[16 * BONES];
    sinew_Message message = { "" };
    sinew_Transform rest[BONES];
    Character c = { .space = sinew_space_preset(SINEW_SPACE_UNREAL) };
    animate(0, matrices);
    sinew_Status status = sinew_transforms_from_matrices_float(
        &c.space, sinew_matrix_layout_default(), matrices, BONES, rest, &message);
    if (status == SINEW_STATUS_OK) { c.skeleton = make_skeleton(rest, &message); }
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = c.skeleton;
    if (c.skeleton == NULL || sinew_solver_create(&def, &c.solver, &message) != SINEW_STATUS_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    for (int frame = 0; frame < FRAMES && status == SINEW_STATUS_OK; ++frame) {
        animate(frame, matrices);
        status = update(&c, matrices, &message);
    }
    if (status != SINEW_STATUS_OK) { fprintf(stderr, "%s\n", message.text); }
    printf("%d frames of %d bones, the hand at most %.2f mm from half of its way\n", FRAMES, BONES,
        1e3 * c.largest_miss);
    sinew_solver_destroy(c.solver);
    sinew_skeleton_destroy(c.skeleton);
    return status == SINEW_STATUS_OK && c.largest_miss < 1.5e-3 ? 0 : 1;
}
