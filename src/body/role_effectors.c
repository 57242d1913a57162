// Where goals are usually set: the joints at the ends of what was found, while the tree is at hand.

#include "body/roles.h"

// chains that part and go on with at least this share of the joints of the longest are fingers; heads and wheels
// beside an arm have fewer
#define FINGER_SHARE 0.5

typedef struct Effectors {
    int *joints;
    int count;
} Effectors;

static void add(Effectors *list, int joint)
{
    if (joint >= 0 && list->count < SNW_MAX_EFFECTORS) { list->joints[list->count++] = joint; }
}

static int find(const snw_Roles *roles, sinew_Role role, sinew_Side side, bool last)
{
    int found = -1;
    for (int j = 0; j < roles->count && (last || found < 0); ++j) {
        if (roles->roles[j].role == role && roles->roles[j].side == side) { found = j; }
    }
    return found;
}

static bool moves(const snw_Roles *roles, int joint)
{
    return roles->joints[joint].axis_count > 0;
}

static bool can_move(const snw_Roles *roles, int joint)
{
    for (int j = joint; j >= 0; j = roles->joints[j].parent) {
        if (moves(roles, j)) { return true; }
    }
    return false;
}

// the end of what is fixed to a joint, as far as it does not part
static int tip_of(const snw_Roles *roles, int joint)
{
    const sinew_Joint *joints = roles->joints;
    while (joint >= 0 && joints[joint].subtree_count > 1) {
        int child = joint + 1; // joints are in depth-first order
        if (joints[child].subtree_count + 1 != joints[joint].subtree_count) { break; }
        if (moves(roles, child)) { break; }
        joint = child;
    }
    return joint;
}

// ---------------------------------------------------------------------------------------------
// Kinds of bodies

static void add_both(Effectors *list, const snw_Roles *roles, sinew_Role role)
{
    add(list, find(roles, role, SINEW_SIDE_LEFT, true));
    add(list, find(roles, role, SINEW_SIDE_RIGHT, true));
}

static void add_finger_tips(Effectors *list, const snw_Roles *roles)
{
    for (int f = SINEW_ROLE_THUMB; f <= SINEW_ROLE_PINKY; ++f) {
        for (int s = SINEW_SIDE_NONE; s <= SINEW_SIDE_RIGHT; ++s) {
            add(list, tip_of(roles, find(roles, (sinew_Role)f, (sinew_Side)s, true)));
        }
    }
}

// The end of the longest chain of moving joints, before it parts into fingers.
static int find_tool(const snw_Roles *roles)
{
    const sinew_Joint *joints = roles->joints;
    int tool = 0;
    for (int j = 1; j < roles->count; ++j) {
        if (joints[j].parent < 0 && roles->moving[j] > roles->moving[tool]) { tool = j; }
    }
    for (;;) {
        int next = -1, most = 0, second = 0, end = tool + joints[tool].subtree_count;
        for (int j = tool + 1; j < end; j += joints[j].subtree_count) {
            int count = roles->moving[j];
            second = count > most ? most : count > second ? count : second;
            if (count > most) {
                most = count;
                next = j;
            }
        }
        if (next < 0 || second >= FINGER_SHARE * most) { return tip_of(roles, tool); }
        tool = next;
    }
}

void snw_roles_find_effectors(const snw_Roles *roles, int *out_joints, int *out_count)
{
    Effectors list = { out_joints, 0 };
    sinew_BodyKind kind = roles->guess->kind;
    *out_count = 0;
    if (kind == SINEW_BODY_OTHER) { return; }
    if (kind == SINEW_BODY_HAND) {
        add_finger_tips(&list, roles);
    } else if (kind == SINEW_BODY_ROBOT_ARM) {
        add(&list, find_tool(roles));
    } else {
        bool is_animal = kind == SINEW_BODY_QUADRUPED, is_robot = roles->options.is_robot;
        int hips = find(roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, false);
        // robots whose file nails them to the world have no hips to move, but a neck of several hinges
        if (!is_robot || (hips >= 0 && can_move(roles, hips))) { add(&list, hips); }
        add(&list, find(roles, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, is_robot));
        add_both(&list, roles, is_animal ? SINEW_ROLE_FRONT_FOOT : SINEW_ROLE_HAND);
        add_both(&list, roles, SINEW_ROLE_FOOT);
        add_both(&list, roles, SINEW_ROLE_TOE);
    }
    *out_count = list.count;
}
