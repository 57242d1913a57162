#include "body/roles.h"

#include <string.h>

// Fingers: joints below the forearm whose names say finger. Segments are numbered along the chain,
// never by the numbers of the file; those only tell which finger it is.

#define MAX_FINGER_JOINTS 12

typedef struct Finger {
    int joints[MAX_FINGER_JOINTS];
    int count;
} Finger;

static const sinew_Role finger_roles[5] = { SINEW_ROLE_THUMB, SINEW_ROLE_INDEX, SINEW_ROLE_MIDDLE,
    SINEW_ROLE_RING, SINEW_ROLE_PINKY };

static bool is_finger(const snw_Roles *roles, int joint, sinew_Side side)
{
    const snw_NameInfo *info = &roles->names[joint];
    bool fits = info->side == side || info->side == SINEW_SIDE_NONE;
    return info->finger >= 0 && fits && !roles->is_fixed[joint] && !roles->is_end[joint]
        && (info->flags & SNW_NAME_HELPER) == 0 && roles->roles[joint].role == SINEW_ROLE_NONE;
}

// the number of the finger in a name such as Finger2, Finger21 or finger2-1; -1
static int finger_number(const snw_NameInfo *info)
{
    if (info->number[0] < 0) { return -1; }
    return (info->flags & SNW_NAME_HAS_TWO_DIGITS) != 0 ? info->number[0] / 10 : info->number[0];
}

// which number is the thumb's: 0 where a finger 0 exists, none where a thumb has its own name, else 1
static int number_of_thumb(const snw_Roles *roles, int first, int end, sinew_Side side)
{
    bool has_zero = false, has_thumb = false;
    for (int j = first; j < end; ++j) {
        if (!is_finger(roles, j, side)) { continue; }
        has_thumb |= roles->names[j].finger == 0;
        has_zero |= roles->names[j].finger == 5 && finger_number(&roles->names[j]) == 0;
    }
    return has_zero || has_thumb ? 0 : 1;
}

// the bone inside the palm: it says so, or it has no number before numbered ones
static bool is_in_palm(const snw_Roles *roles, const Finger *finger, int i)
{
    const snw_NameInfo *info = &roles->names[finger->joints[i]];
    if (finger->count < 3) { return false; }
    if (info->segment == 0) { return true; }
    bool next_is_numbered = finger->count >= 4 && roles->names[finger->joints[1]].number[0] >= 0;
    return i == 0 && info->number[0] < 0 && info->segment < 0 && next_is_numbered;
}

static bool is_finger_end(const snw_Roles *roles, int finger, int joint, int number)
{
    if (!snw_roles_is_leaf(roles, joint)) { return false; }
    bool says_end = (roles->names[joint].flags & SNW_NAME_END) != 0;
    bool says_tip = roles->names[joint].segment == 3;
    if (says_end && !says_tip) { return true; }
    return says_tip && says_end && number > (finger == 0 ? 2 : 3);
}

static void set_finger(snw_Roles *roles, sinew_Side side, int finger, const Finger *found)
{
    int number = 1;
    int most = roles->options.is_robot ? 4 : 3;
    for (int i = 0; i < found->count; ++i) {
        int j = found->joints[i];
        if (finger > 0 && is_in_palm(roles, found, i)) {
            snw_roles_set(roles, j, finger_roles[finger], side, 0);
        } else if (is_finger_end(roles, finger, j, number) || number > most) {
            bool is_leaf = snw_roles_is_leaf(roles, j);
            snw_roles_set(roles, j, is_leaf ? SINEW_ROLE_END : SINEW_ROLE_HELPER, side, 0);
        } else {
            snw_roles_set(roles, j, finger_roles[finger], side, number++);
        }
    }
}

static void find_fingers_of(snw_Roles *roles, sinew_Side side)
{
    const snw_Limb *arm = &roles->limbs[SNW_LIMB_ARM][side - SINEW_SIDE_LEFT];
    int start = snw_limb_last(arm, 2) >= 0 ? snw_limb_last(arm, 2) : snw_limb_first(arm, 3);
    if (start < 0) { return; }
    int end = start + roles->joints[start].subtree_count;
    int thumb = number_of_thumb(roles, start, end, side);
    Finger fingers[5];
    memset(fingers, 0, sizeof fingers);
    for (int j = start; j < end; ++j) {
        if (!is_finger(roles, j, side)) { continue; }
        int f = roles->names[j].finger;
        if (f == 5) { f = finger_number(&roles->names[j]) - thumb; }
        if (finger_number(&roles->names[j]) < 0 && roles->names[j].finger == 5) { continue; }
        if (f < 0 || f > 4 || fingers[f].count == MAX_FINGER_JOINTS) { continue; }
        fingers[f].joints[fingers[f].count++] = j;
    }
    for (int f = 0; f < 5; ++f) { set_finger(roles, side, f, &fingers[f]); }
}

void snw_roles_find_fingers(snw_Roles *roles)
{
    find_fingers_of(roles, SINEW_SIDE_LEFT);
    find_fingers_of(roles, SINEW_SIDE_RIGHT);
}

// ---------------------------------------------------------------------------------------------
// A hand and nothing else: three to five unbranched chains of moving joints on one joint

typedef struct BareHand {
    int palm;
    int roots[5], tips[5], counts[5];
    int count;
} BareHand;

static bool moves(const snw_Roles *roles, int joint)
{
    return !roles->is_fixed[joint] && !roles->is_end[joint];
}

// moving joints from start down an unbranched chain; -1 where it forks
static int chain_count(const snw_Roles *roles, int start, int *out_tip)
{
    int count = 0, tip = start;
    for (int j = start; j >= 0; j = roles->main_child[j]) {
        if (roles->child_count[j] > 1) { return -1; }
        if (moves(roles, j)) {
            ++count;
            tip = j;
        }
    }
    *out_tip = tip;
    return count;
}

static bool read_bare_hand(const snw_Roles *roles, int palm, BareHand *hand)
{
    hand->palm = palm;
    hand->count = 0;
    for (int j = palm + 1; j < palm + roles->joints[palm].subtree_count; ++j) {
        if (roles->joints[j].parent != palm || roles->is_end[j]) { continue; }
        int tip = -1;
        int count = chain_count(roles, j, &tip);
        if (count == 0) { continue; }
        if (count < 3 || count > 5 || hand->count == 5) { return false; }
        hand->roots[hand->count] = j;
        hand->tips[hand->count] = tip;
        hand->counts[hand->count++] = count;
    }
    return hand->count >= 3;
}

static sinew_Vec3 position_of(const snw_Roles *roles, int joint)
{
    return roles->rest[joint].position;
}

// the chain that points away from the others
static int find_thumb(const snw_Roles *roles, const BareHand *hand)
{
    sinew_Vec3 directions[5], mean = { 0.0, 0.0, 0.0 };
    const sinew_Vec3 zero = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < hand->count; ++i) {
        sinew_Vec3 along = sinew_vec3_sub(
            position_of(roles, hand->tips[i]), position_of(roles, hand->roots[i]));
        directions[i] = sinew_vec3_normalize_or(along, zero);
        mean = sinew_vec3_add(mean, directions[i]);
    }
    int thumb = 0;
    for (int i = 1; i < hand->count; ++i) {
        double here = sinew_vec3_dot(directions[i], mean);
        if (here < sinew_vec3_dot(directions[thumb], mean) - 1e-9) { thumb = i; }
    }
    return thumb;
}

// the other fingers in the order of their distance from the thumb
static void set_bare_hand(snw_Roles *roles, const BareHand *hand)
{
    int thumb = find_thumb(roles, hand);
    bool done[5] = { false };
    snw_roles_set(roles, hand->palm, SINEW_ROLE_HAND, SINEW_SIDE_NONE, 0);
    for (int f = 0; f < hand->count; ++f) {
        int next = f == 0 ? thumb : -1;
        for (int i = 0; i < hand->count && f > 0; ++i) {
            sinew_Vec3 from = position_of(roles, hand->roots[thumb]);
            if (done[i]) { continue; }
            if (next < 0
                || sinew_vec3_distance(from, position_of(roles, hand->roots[i]))
                    < sinew_vec3_distance(from, position_of(roles, hand->roots[next]))) {
                next = i;
            }
        }
        done[next] = true;
        int number = 0;
        for (int j = hand->roots[next]; j >= 0; j = roles->main_child[j]) {
            if (moves(roles, j)) {
                snw_roles_set(roles, j, finger_roles[f], SINEW_SIDE_NONE, ++number);
            }
        }
    }
}

bool snw_roles_find_bare_hand(snw_Roles *roles)
{
    BareHand hand;
    for (int j = 0; j < roles->count; ++j) {
        if (roles->child_count[j] >= 3 && read_bare_hand(roles, j, &hand)) {
            int moving = 0;
            for (int k = 0; k < roles->count; ++k) { moving += moves(roles, k); }
            for (int f = 0; f < hand.count; ++f) { moving -= hand.counts[f]; }
            // the palm itself, a wrist or two, and nothing else
            if (moving > 3) { continue; }
            set_bare_hand(roles, &hand);
            return true;
        }
    }
    return false;
}
