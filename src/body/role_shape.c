#include "body/roles.h"

#include "base/assert.h"
#include "base/memory.h"

#include <string.h>

// Limbs by shape alone: pairs of branches with the same bone lengths. Lengths do not depend on the
// pose, so stacked and mirrored rest poses do no harm.

// two bones are equal within a share of their length and a share of the whole limb
#define SAME_LENGTH 0.06
#define SAME_OF_LIMB 0.03
#define MIN_LIMB_SHARE 0.2 // of the longest path: what counts as a limb
#define MIN_EQUAL_BONES 3  // a limb may differ from its twin behind so many equal bones
#define MAX_CHILDREN 64    // looked at below one joint
#define MAX_PAIRS 32
#define MAX_STEPS 2000000 // comparisons before giving up on a tree made to be slow

// how tall a body is by its legs (Drillis and Contini), and the parts of an arm in statures: the
// median of recorded files, whose arms run shorter than those of the books
#define UPPERARM_OF_STATURE 0.160
#define FOREARM_OF_STATURE 0.138

#define SKIP_START_COST 0.15
#define SKIP_BENT_COST 0.12
#define SKIP_STRAIGHT_COST 0.02
#define SKIP_CONNECTOR_COST 0.02
#define MAX_CONNECTOR 0.2 // of the limb's length
#define ANKLE_GAIN 0.1
#define FORK_GAIN 0.25
#define STRAIGHT_COSINE 0.985 // 10 degrees

typedef struct Pair {
    int node; // the joint that carries both
    int chain[2][SNW_MAX_ROLE_CHAIN];
    int count;
    double length;
} Pair;

typedef struct Search {
    const snw_Roles *roles;
    Pair pairs[MAX_PAIRS];
    int pair_count;
    double limb_length; // of the pair that is looked at
    long steps;
} Search;

static bool is_equal_length(const Search *search, int a, int b)
{
    double x = search->roles->length[a], y = search->roles->length[b];
    double larger = x > y ? x : y;
    return fabs(x - y) <= SAME_LENGTH * larger + SAME_OF_LIMB * search->limb_length;
}

// the first child of a joint that is no end site, or the next one behind a child; -1
static int next_child(const snw_Roles *roles, int parent, int behind)
{
    int end = parent + roles->joints[parent].subtree_count;
    int j = behind < 0 ? parent + 1 : behind + roles->joints[behind].subtree_count;
    while (j < end && roles->is_end[j]) { j += roles->joints[j].subtree_count; }
    return j < end ? j : -1;
}

// length of the longest equal paths below two joints, and the children these start with
static double match_below(Search *search, int a, int b, int depth, int *out_a, int *out_b)
{
    const snw_Roles *roles = search->roles;
    double best = 0.0;
    *out_a = *out_b = -1;
    if (depth == SNW_MAX_ROLE_CHAIN) { return 0.0; }
    for (int x = next_child(roles, a, -1); x >= 0; x = next_child(roles, a, x)) {
        for (int y = next_child(roles, b, -1); y >= 0; y = next_child(roles, b, y)) {
            if (++search->steps > MAX_STEPS) { return best; }
            if (!is_equal_length(search, x, y)) { continue; }
            int unused_x, unused_y;
            double length = roles->length[x]
                + match_below(search, x, y, depth + 1, &unused_x, &unused_y);
            if (*out_a < 0 || length > best) {
                best = length;
                *out_a = x;
                *out_b = y;
            }
        }
    }
    return best;
}

static void read_pair(Search *search, int a, int b, Pair *pair)
{
    const snw_Roles *roles = search->roles;
    pair->node = roles->joints[a].parent;
    pair->count = 0;
    pair->length = 0.0;
    while (a >= 0 && pair->count < SNW_MAX_ROLE_CHAIN) {
        pair->chain[0][pair->count] = a;
        pair->chain[1][pair->count++] = b;
        pair->length += roles->length[a];
        int next_a, next_b;
        match_below(search, a, b, pair->count, &next_a, &next_b);
        a = next_a;
        b = next_b;
    }
}

static bool is_limb_pair(const snw_Roles *roles, const Pair *pair)
{
    int bones = 0;
    for (int i = 1; i < pair->count; ++i) { bones += roles->length[pair->chain[0][i]] > 0.0; }
    int a = pair->chain[0][pair->count - 1], b = pair->chain[1][pair->count - 1];
    bool ends = snw_roles_is_leaf(roles, a) && snw_roles_is_leaf(roles, b);
    bool is_whole = ends || bones >= MIN_EQUAL_BONES;
    return bones >= 2 && is_whole && pair->length >= MIN_LIMB_SHARE * roles->reach_max;
}

static void add_pair(Search *search, const Pair *pair)
{
    int at = search->pair_count;
    while (at > 0 && search->pairs[at - 1].length < pair->length) { --at; }
    if (at == MAX_PAIRS) { return; }
    int behind = search->pair_count < MAX_PAIRS ? search->pair_count : MAX_PAIRS - 1;
    for (int i = behind; i > at; --i) { search->pairs[i] = search->pairs[i - 1]; }
    search->pairs[at] = *pair;
    if (search->pair_count < MAX_PAIRS) { ++search->pair_count; }
}

static void find_pairs(Search *search)
{
    const snw_Roles *roles = search->roles;
    double shortest = MIN_LIMB_SHARE * roles->reach_max;
    for (int node = 0; node < roles->count; ++node) {
        if (roles->child_count[node] < 2) { continue; }
        int looked_at = 0;
        for (int a = next_child(roles, node, -1); a >= 0 && looked_at < MAX_CHILDREN;
             a = next_child(roles, node, a), ++looked_at) {
            if (roles->length[a] + roles->reach[a] < shortest) { continue; }
            for (int b = next_child(roles, node, a); b >= 0; b = next_child(roles, node, b)) {
                if (roles->length[b] + roles->reach[b] < shortest) { continue; }
                search->limb_length = roles->length[a] + roles->reach[a];
                if (++search->steps > MAX_STEPS || !is_equal_length(search, a, b)) { continue; }
                Pair pair;
                read_pair(search, a, b, &pair);
                if (is_limb_pair(roles, &pair)) { add_pair(search, &pair); }
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Which joints of a chain are thigh, shin, foot or upperarm, forearm, hand

static bool gives_way(const snw_Roles *roles, const Pair *pair, int i)
{
    return roles->length[pair->chain[0][i]] <= 1e-6 * roles->reach_max;
}

static double path_length(const snw_Roles *roles, const Pair *pair, int from, int to)
{
    double sum = 0.0;
    for (int i = from + 1; i <= to; ++i) { sum += roles->length[pair->chain[0][i]]; }
    return sum;
}

// whether the bone that ends at a joint of the chain and the one behind it lie on a line
static bool is_straight(const snw_Roles *roles, const Pair *pair, int i)
{
    const int *chain = pair->chain[0];
    const sinew_Vec3 zero = { 0.0, 0.0, 0.0 };
    sinew_Vec3 before = sinew_vec3_sub(
        roles->rest[chain[i]].position, roles->rest[roles->joints[chain[i]].parent].position);
    sinew_Vec3 behind = sinew_vec3_sub(
        roles->rest[chain[i + 1]].position, roles->rest[chain[i]].position);
    before = sinew_vec3_normalize_or(before, zero);
    behind = sinew_vec3_normalize_or(behind, zero);
    return sinew_vec3_dot(before, behind) > STRAIGHT_COSINE;
}

// joints between two chosen ones: twists lie on the line, others bend it
static double skip_cost(const snw_Roles *roles, const Pair *pair, int from, int to)
{
    double cost = 0.0;
    for (int i = from + 1; i < to; ++i) {
        if (gives_way(roles, pair, i)) { continue; }
        cost += is_straight(roles, pair, i) ? SKIP_STRAIGHT_COST : SKIP_BENT_COST;
    }
    return cost;
}

// joints before the thigh; connectors of the pelvis are short and lead sideways
static double start_cost(const snw_Roles *roles, const Pair *pair, int first)
{
    SNW_ASSERT(first + 2 < pair->count); // shin and foot follow
    double cost = 0.0;
    for (int i = 0; i < first; ++i) {
        if (gives_way(roles, pair, i)) { continue; }
        double next = roles->length[pair->chain[0][i + 1]];
        bool is_connector = next < MAX_CONNECTOR * pair->length && !is_straight(roles, pair, i + 1);
        cost += is_connector ? SKIP_CONNECTOR_COST : SKIP_START_COST;
    }
    return cost;
}

// feet point forward: the chain bends at the ankle
static double ankle_gain(const snw_Roles *roles, const Pair *pair, int foot)
{
    return foot + 1 < pair->count && !is_straight(roles, pair, foot) ? ANKLE_GAIN : 0.0;
}

static double leg_gain(const snw_Roles *roles, const Pair *pair, int i, int j, int k)
{
    double thigh = path_length(roles, pair, i, j), shin = path_length(roles, pair, j, k);
    double whole = path_length(roles, pair, 0, pair->count - 1);
    if (!(thigh > 0.0) || !(shin > 0.0)) { return -1e9; }
    return -fabs(snw_roles_log(thigh / shin)) + (thigh + shin) / whole - start_cost(roles, pair, i)
        - skip_cost(roles, pair, i, j) - skip_cost(roles, pair, j, k) + ankle_gain(roles, pair, k);
}

static double arm_gain(
    const snw_Roles *roles, const Pair *pair, double stature, int i, int j, int k)
{
    double upper = path_length(roles, pair, i, j), fore = path_length(roles, pair, j, k);
    if (!(upper > 0.0) || !(fore > 0.0)) { return -1e9; }
    int hand = pair->chain[0][k];
    bool forks = roles->child_count[hand] > 1;
    return -fabs(snw_roles_log(upper / (UPPERARM_OF_STATURE * stature)))
        - fabs(snw_roles_log(fore / (FOREARM_OF_STATURE * stature))) + (forks ? FORK_GAIN : 0.0)
        - skip_cost(roles, pair, i, j) - skip_cost(roles, pair, j, k);
}

static void set_part(const Pair *pair, int side, int part, int i, snw_Limb *limb)
{
    limb->joints[part][0] = pair->chain[side][i];
    limb->count[part] = 1;
}

// the best three joints of the chain; stature 0 for a leg. Joints that sit on their parent only count
// where nothing else is left
static bool choose_among(
    const snw_Roles *roles, const Pair *pair, double stature, bool with_zeros, int out_choice[3])
{
    double best = -1e8;
    for (int i = 0; i < pair->count; ++i) {
        for (int j = i + 1; j < pair->count; ++j) {
            for (int k = j + 1; k < pair->count; ++k) {
                bool zero = gives_way(roles, pair, j) || gives_way(roles, pair, k)
                    || gives_way(roles, pair, i);
                if (zero && !with_zeros) { continue; }
                double gain = stature > 0.0 ? arm_gain(roles, pair, stature, i, j, k)
                                            : leg_gain(roles, pair, i, j, k);
                if (gain <= best) { continue; }
                best = gain;
                out_choice[0] = i;
                out_choice[1] = j;
                out_choice[2] = k;
            }
        }
    }
    return best > -1e8;
}

static bool choose_joints(
    const snw_Roles *roles, const Pair *pair, double stature, int out_choice[3])
{
    return choose_among(roles, pair, stature, false, out_choice)
        || choose_among(roles, pair, stature, true, out_choice);
}

static double set_legs(snw_Roles *roles, const Pair *pair)
{
    int choice[3] = { 0, 0, 0 };
    if (!choose_joints(roles, pair, 0.0, choice)) { return 0.0; }
    for (int side = 0; side < 2; ++side) {
        snw_Limb *limb = &roles->limbs[SNW_LIMB_LEG][side];
        memset(limb, 0, sizeof *limb);
        for (int p = 0; p < 3; ++p) { set_part(pair, side, p, choice[p], limb); }
        int toe = choice[2] + 1;
        while (toe < pair->count && gives_way(roles, pair, toe)) { ++toe; }
        if (toe < pair->count) { set_part(pair, side, 3, toe, limb); }
    }
    roles->limb_by_shape[SNW_LIMB_LEG] = true;
    return path_length(roles, pair, choice[0], choice[2]) / SNW_LEGS_OF_STATURE;
}

static void set_arms(snw_Roles *roles, const Pair *pair, double stature)
{
    int choice[3] = { 0, 0, 0 };
    if (!choose_joints(roles, pair, stature, choice)) { return; }
    for (int side = 0; side < 2; ++side) {
        snw_Limb *limb = &roles->limbs[SNW_LIMB_ARM][side];
        memset(limb, 0, sizeof *limb);
        for (int p = 0; p < 3; ++p) { set_part(pair, side, p + 1, choice[p], limb); }
        if (choice[0] > 0) { set_part(pair, side, 0, choice[0] - 1, limb); }
    }
    roles->limb_by_shape[SNW_LIMB_ARM] = true;
}

// ---------------------------------------------------------------------------------------------
// Which pair is which

static bool is_inside(const snw_Roles *roles, const Pair *outer, const Pair *inner)
{
    return sinew_skeleton_is_ancestor(roles->skeleton, outer->chain[0][0], inner->node)
        || sinew_skeleton_is_ancestor(roles->skeleton, outer->chain[1][0], inner->node);
}

static bool shares_joint(const Pair *a, const Pair *b)
{
    for (int i = 0; i < 4; ++i) {
        if (a->chain[i / 2][0] == b->chain[i % 2][0]) { return true; }
    }
    return false;
}

static double tip_distance(const snw_Roles *roles, const Pair *pair)
{
    return roles->length[pair->chain[0][0]] + pair->length;
}

// legs hang nearest to the root; at equal depth the longer pair
static bool is_leg_pair(const snw_Roles *roles, const Pair *a, const Pair *b)
{
    int depth_a = roles->depth[a->node], depth_b = roles->depth[b->node];
    if (depth_a != depth_b) { return depth_a < depth_b; }
    return tip_distance(roles, a) >= tip_distance(roles, b);
}

static void choose_pairs(snw_Roles *roles, const Search *search)
{
    bool has_legs = snw_limb_exists(&roles->limbs[SNW_LIMB_LEG][0]);
    const Pair *first = search->pair_count > 0 ? &search->pairs[0] : NULL;
    const Pair *second = NULL;
    for (int i = 1; i < search->pair_count && second == NULL; ++i) {
        const Pair *pair = &search->pairs[i];
        if (!is_inside(roles, first, pair) && !is_inside(roles, pair, first)
            && !shares_joint(first, pair)) {
            second = pair;
        }
    }
    if (second == NULL || has_legs) { return; }
    const Pair *legs = is_leg_pair(roles, first, second) ? first : second;
    double stature = set_legs(roles, legs);
    if (stature > 0.0) { set_arms(roles, legs == first ? second : first, stature); }
    bool is_complete = roles->limb_by_shape[SNW_LIMB_LEG] && roles->limb_by_shape[SNW_LIMB_ARM];
    if (is_complete) { return; }
    memset(roles->limbs, 0, sizeof roles->limbs);
    memset(roles->limb_by_shape, 0, sizeof roles->limb_by_shape);
}

bool snw_roles_find_by_shape(snw_Roles *roles, const sinew_Allocator *allocator)
{
    Search *search = snw_alloc(allocator, sizeof *search);
    if (search == NULL) { return false; }
    search->roles = roles;
    find_pairs(search);
    choose_pairs(roles, search);
    snw_free(allocator, search, sizeof *search);
    return true;
}
