#include "body/roles.h"

#include "base/message.h"
#include "math/holds.h"

#include <string.h>

// Limbs by name. The parts of a limb follow each other in a fixed order, so the joints of a chain
// are aligned with them by dynamic programming: each joint takes one part or none, parts never go
// back. This alone tells LeftUpLeg, LeftLeg from LeftLeg, LeftKnee and Shoulder, Arm from Collar,
// Shoulder, and drops connectors, twists in the chain and twins.

// weights of the alignment, in points of the word scores (found by trial on recorded files)
#define LENGTH_WEIGHT 2.2 // of the share of the chain's length up to the next part
#define MAX_LENGTH_SHARE 0.5
#define ZERO_LENGTH_COST 1.2 // a joint that sits on its predecessor
#define UNNAMED_COST 0.3
#define OTHER_NAME_COST 1.5   // a joint whose name speaks for another part of the limb
#define SKIPPED_NAME_COST 0.3 // of the best score of a named joint left out
#define MISSING_PART_COST 3.0
#define STAY_GAIN 0.2 // robots: the next joint of the same part
#define STAY_LENGTH_COST 2.0
#define ZERO_SHARE 1e-6 // of the chain's length: no length at all

#define NUMBERED_GAIN 3.0

#define MAX_CANDIDATES 256
#define MAX_GROUP 4

// robots group joints: clavicle 1, upperarm 3, forearm 3, hand 3; thigh 4, shin 2, foot 3, toe 1
static const int robot_groups[SNW_LIMB_COUNT][SNW_LIMB_PARTS] = { { 1, 3, 3, 3 }, { 4, 2, 3, 1 },
    { 4, 2, 3, 1 } };
static const bool is_required[SNW_LIMB_COUNT][SNW_LIMB_PARTS] = { { false, true, true, true },
    { true, true, true, false }, { true, true, true, false } };
// parts with a long bone
static const bool is_long[SNW_LIMB_COUNT][SNW_LIMB_PARTS] = { { false, true, true, false },
    { true, true, false, false }, { true, true, false, false } };

typedef struct Chain {
    int joints[SNW_MAX_ROLE_CHAIN];
    double at[SNW_MAX_ROLE_CHAIN]; // distance from the first joint
    double score[SNW_MAX_ROLE_CHAIN][SNW_LIMB_PARTS];
    double best[SNW_MAX_ROLE_CHAIN + 1]; // sum of the best scores of the joints before
    int count;
    int part[SNW_MAX_ROLE_CHAIN]; // the result: part of each joint, -1
    double gain;
} Chain;

static int first_part(snw_LimbKind kind)
{
    return kind == SNW_LIMB_ARM ? SNW_WORD_CLAVICLE : SNW_WORD_THIGH;
}

static double best_score(const snw_NameInfo *info, int first, int last)
{
    double best = 0.0;
    for (int p = first; p <= last; ++p) { best = info->score[p] > best ? info->score[p] : best; }
    return best;
}

static bool is_out(const snw_NameInfo *info)
{
    return (info->flags & (SNW_NAME_HELPER | SNW_NAME_FACE)) != 0 || info->finger >= 0;
}

// an end by its name: says end or tip and has nothing below
static bool is_named_end(const snw_Roles *roles, int joint)
{
    return (roles->names[joint].flags & SNW_NAME_END) != 0 && snw_roles_is_leaf(roles, joint);
}

static bool is_candidate(const snw_Roles *roles, int joint, snw_LimbKind kind, sinew_Side side)
{
    SNW_ASSERT(joint >= 0);
    const snw_NameInfo *info = &roles->names[joint];
    if (info->side != side || is_out(info) || roles->is_fixed[joint]
        || is_named_end(roles, joint)) {
        return false;
    }
    int first = first_part(kind);
    double score = best_score(info, first, first + SNW_LIMB_PARTS - 1);
    if (score <= 0.0 || score < best_score(info, 0, SNW_PART_COUNT - 1)) { return false; }
    bool is_front = (info->flags & SNW_NAME_FRONT) != 0;
    return kind == SNW_LIMB_ARM || is_front == (kind == SNW_LIMB_FRONT);
}

// ---------------------------------------------------------------------------------------------
// Chains

// from the joint up to the first one of the trunk or of the other side, which is not counted
static void collect_chain(const snw_Roles *roles, int joint, sinew_Side side, Chain *chain)
{
    SNW_ASSERT(joint >= 0);
    int count = 0;
    for (int j = joint; j >= 0 && count < SNW_MAX_ROLE_CHAIN; j = roles->joints[j].parent) {
        const snw_NameInfo *info = &roles->names[j];
        if (info->side != side && info->side != SINEW_SIDE_NONE) { break; }
        if (info->side == SINEW_SIDE_NONE && best_score(info, SNW_WORD_HIPS, SNW_WORD_HEAD) > 0.0) {
            break;
        }
        if (!roles->is_fixed[j]) { chain->joints[count++] = j; }
    }
    while (count > 0 && roles->names[chain->joints[count - 1]].side != side) { --count; }
    for (int i = 0; i < count / 2; ++i) {
        int swap = chain->joints[i];
        chain->joints[i] = chain->joints[count - 1 - i];
        chain->joints[count - 1 - i] = swap;
    }
    chain->count = count;
}

static void score_chain(const snw_Roles *roles, snw_LimbKind kind, Chain *chain)
{
    int first = first_part(kind);
    bool after_wrist = false;
    chain->best[0] = 0.0;
    for (int i = 0; i < chain->count; ++i) {
        int j = chain->joints[i];
        const snw_NameInfo *info = &roles->names[j];
        chain->at[i] = i == 0
            ? 0.0
            : chain->at[i - 1] + snw_roles_distance(roles, chain->joints[i - 1], j);
        for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
            chain->score[i][p] = is_out(info) ? 0.0 : info->score[first + p];
        }
        // a robot's gripper says hand as well; behind a wrist that is the fingers
        bool is_wrist = (info->flags & SNW_NAME_WRIST) != 0;
        if (roles->options.is_robot && after_wrist && !is_wrist) {
            memset(chain->score[i], 0, sizeof chain->score[i]);
        }
        after_wrist = after_wrist || is_wrist;
        double best = 0.0;
        for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
            if (chain->score[i][p] > best) { best = chain->score[i][p]; }
        }
        chain->best[i + 1] = chain->best[i] + best;
    }
}

// ---------------------------------------------------------------------------------------------
// Alignment

// best gain with joint i as the k-th joint of part p, and the state before it
typedef struct State {
    double gain;
    int from_joint, from_part, from_group; // from_joint -1: nothing before
} State;

typedef struct Alignment {
    State states[SNW_MAX_ROLE_CHAIN][SNW_LIMB_PARTS][MAX_GROUP];
} Alignment;

static double missing_cost(snw_LimbKind kind, int first, int end)
{
    double cost = 0.0;
    for (int p = first; p < end; ++p) { cost += is_required[kind][p] ? MISSING_PART_COST : 0.0; }
    return cost;
}

static double skipped_cost(const Chain *chain, int first, int end)
{
    return SKIPPED_NAME_COST * (chain->best[end] - chain->best[first]);
}

static double chain_share(const Chain *chain, int from, int to)
{
    double length = chain->at[chain->count - 1];
    return length > 0.0 ? (chain->at[to] - chain->at[from]) / length : 0.0;
}

static double length_gain(const Chain *chain, snw_LimbKind kind, int part, int from, int to)
{
    if (!is_long[kind][part]) { return 0.0; }
    double share = chain_share(chain, from, to);
    return LENGTH_WEIGHT * (share < MAX_LENGTH_SHARE ? share : MAX_LENGTH_SHARE);
}

// what a joint gains as a part by itself
static double own_gain(const snw_Roles *roles, const Chain *chain, int i, int part)
{
    double gain = chain->score[i][part];
    if (gain <= 0.0) {
        bool is_named = chain->best[i + 1] > chain->best[i];
        bool is_helper = is_out(&roles->names[chain->joints[i]]);
        gain = is_named || is_helper ? -OTHER_NAME_COST : -UNNAMED_COST;
    }
    bool is_zero = i > 0 && chain_share(chain, i - 1, i) < ZERO_SHARE;
    return is_zero && !roles->options.is_robot ? gain - ZERO_LENGTH_COST : gain;
}

static void offer(State *state, double gain, int joint, int part, int group)
{
    if (!(gain > state->gain)) { return; }
    state->gain = gain;
    state->from_joint = joint;
    state->from_part = part;
    state->from_group = group;
}

static void reach_state(const snw_Roles *roles, const Chain *chain, snw_LimbKind kind,
    Alignment *table, int i, int part)
{
    double own = own_gain(roles, chain, i, part);
    State *start = &table->states[i][part][0];
    offer(start, own - missing_cost(kind, 0, part) - skipped_cost(chain, 0, i), -1, -1, -1);
    int group_size = roles->options.is_robot ? robot_groups[kind][part] : 1;
    for (int before = 0; before < i; ++before) {
        double skipped = skipped_cost(chain, before + 1, i);
        for (int p = 0; p < part; ++p) {
            double step = own - skipped - missing_cost(kind, p + 1, part)
                + length_gain(chain, kind, p, before, i);
            for (int k = 0; k < MAX_GROUP; ++k) {
                offer(start, table->states[before][p][k].gain + step, before, p, k);
            }
        }
        double stay = own - skipped + STAY_GAIN - STAY_LENGTH_COST * chain_share(chain, before, i);
        for (int k = 0; k + 1 < group_size && k + 1 < MAX_GROUP; ++k) {
            offer(&table->states[i][part][k + 1], table->states[before][part][k].gain + stay,
                before, part, k);
        }
    }
}

static void follow_states(const Alignment *table, int joint, int part, int group, Chain *chain)
{
    SNW_ASSERT(joint >= 0);
    for (int i = 0; i < chain->count; ++i) { chain->part[i] = -1; }
    while (joint >= 0) {
        const State *state = &table->states[joint][part][group];
        chain->part[joint] = part;
        joint = state->from_joint;
        part = state->from_part;
        group = state->from_group;
    }
}

static void align_chain(const snw_Roles *roles, snw_LimbKind kind, Alignment *table, Chain *chain)
{
    State last = { -1e9, -1, -1, -1 };
    for (int i = 0; i < chain->count; ++i) {
        for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
            for (int k = 0; k < MAX_GROUP; ++k) {
                State none = { -1e9, -1, -1, -1 };
                table->states[i][p][k] = none;
            }
        }
        for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
            reach_state(roles, chain, kind, table, i, p);
            double end = length_gain(chain, kind, p, i, chain->count - 1)
                - missing_cost(kind, p + 1, SNW_LIMB_PARTS)
                - skipped_cost(chain, i + 1, chain->count);
            for (int k = 0; k < MAX_GROUP; ++k) {
                offer(&last, table->states[i][p][k].gain + end, i, p, k);
            }
        }
    }
    chain->gain = last.gain;
    follow_states(table, last.from_joint, last.from_part, last.from_group, chain);
}

// ---------------------------------------------------------------------------------------------
// Robots whose joints have numbers in place of names

// cut at the two largest gaps: arm at most 4 | 2 | 3 joints, leg 4 | 1 | 3
static bool align_numbered(const snw_Roles *roles, snw_LimbKind kind, Chain *chain)
{
    int count = 0;
    while (count < chain->count
        && (roles->names[chain->joints[count]].flags & SNW_NAME_GENERIC) != 0) {
        ++count;
    }
    for (int i = count; i < chain->count; ++i) {
        if (chain->best[i + 1] - chain->best[i] > 1.0) { return false; }
    }
    int middle_size = kind == SNW_LIMB_ARM ? 2 : 1;
    int first = kind == SNW_LIMB_ARM ? 1 : 0;
    int best_p = -1, best_q = -1;
    double best = -1.0;
    for (int p = 1; p <= 4 && p < count; ++p) {
        for (int q = p + 1; q <= p + middle_size && q < count; ++q) {
            double gaps = chain_share(chain, p - 1, p) + chain_share(chain, q - 1, q);
            if (count - q > 3 || !(gaps > best)) { continue; }
            best = gaps;
            best_p = p;
            best_q = q;
        }
    }
    if (count < 4 || best_p < 0) { return false; }
    for (int i = 0; i < chain->count; ++i) {
        chain->part[i] = i >= count ? -1 : first + (i >= best_p) + (i >= best_q);
    }
    chain->gain = NUMBERED_GAIN * count; // the whole limb before parts of it
    return true;
}

// ---------------------------------------------------------------------------------------------
// The chain of one limb

static bool is_better(const snw_Roles *roles, snw_LimbKind kind, const Chain *a, const Chain *b)
{
    if (b->count == 0) { return true; }
    if (fabs(a->gain - b->gain) > 1e-9) { return a->gain > b->gain; }
    int a_tip = a->joints[a->count - 1], b_tip = b->joints[b->count - 1];
    if (kind == SNW_LIMB_ARM) {
        return roles->joints[a_tip].subtree_count > roles->joints[b_tip].subtree_count;
    }
    return roles->names[a_tip].number[0] < roles->names[b_tip].number[0];
}

static void take_chain(const Chain *chain, snw_Limb *limb)
{
    for (int i = 0; i < chain->count; ++i) {
        int part = chain->part[i];
        if (part < 0 || limb->count[part] == SNW_MAX_ROLE_JOINTS_OF_LIMB) { continue; }
        limb->joints[part][limb->count[part]++] = chain->joints[i];
        if (chain->score[i][part] > 0.0 && limb->count[part] == 1) { ++limb->named; }
    }
}

// of several toes the big one: the lowest number
static void prefer_first_toe(const snw_Roles *roles, snw_Limb *limb)
{
    int toe = snw_limb_first(limb, 3), foot = snw_limb_last(limb, 2);
    if (toe < 0 || foot < 0) { return; }
    for (int j = foot + 1; j < foot + roles->joints[foot].subtree_count; ++j) {
        const snw_NameInfo *info = &roles->names[j], *current = &roles->names[limb->joints[3][0]];
        if (roles->depth[j] != roles->depth[toe] || is_out(info)) { continue; }
        if (info->side != current->side || info->number[0] < 0) { continue; }
        if (info->score[SNW_WORD_TOE] < current->score[SNW_WORD_TOE]) { continue; }
        if (info->number[0] < current->number[0]) { limb->joints[3][0] = j; }
    }
}

// what a search needs; too large for a stack
struct snw_ChainScratch {
    Chain best, chain;
    Alignment table;
};

static void find_chain(snw_Roles *roles, snw_LimbKind kind, sinew_Side side)
{
    struct snw_ChainScratch *scratch = roles->chains;
    Chain *best = &scratch->best, *chain = &scratch->chain;
    best->count = 0;
    best->gain = 0.0;
    int tried = 0;
    for (int j = 0; j < roles->count && tried < MAX_CANDIDATES; ++j) {
        if (!is_candidate(roles, j, kind, side)) { continue; }
        ++tried;
        collect_chain(roles, j, side, chain);
        if (chain->count == 0) { continue; }
        score_chain(roles, kind, chain);
        if (!roles->options.is_robot || !align_numbered(roles, kind, chain)) {
            align_chain(roles, kind, &scratch->table, chain);
        }
        if (is_better(roles, kind, chain, best)) { *best = *chain; }
    }
    snw_Limb *limb = &roles->limbs[kind][side - SINEW_SIDE_LEFT];
    memset(limb, 0, sizeof *limb);
    if (best->count == 0) { return; }
    take_chain(best, limb);
    prefer_first_toe(roles, limb);
}

static bool is_in_limb(const snw_Limb *limb, int joint)
{
    SNW_ASSERT(joint >= 0);
    for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
        for (int i = 0; i < limb->count[p]; ++i) {
            if (limb->joints[p][i] == joint) { return true; }
        }
    }
    return false;
}

// a part that the chain lacks, elsewhere in the tree: limbs of rigs whose controls were baked in
static void find_detached(snw_Roles *roles, snw_LimbKind kind, sinew_Side side)
{
    static const char *const side_names[] = { "", "left", "right" };
    snw_Limb *limb = &roles->limbs[kind][side - SINEW_SIDE_LEFT];
    for (int p = 0; p < SNW_LIMB_PARTS && snw_limb_exists(limb); ++p) {
        if (limb->count[p] > 0 || !is_required[kind][p]) { continue; }
        for (int j = 0; j < roles->count; ++j) {
            double score = roles->names[j].score[first_part(kind) + p];
            if (score < 2.0 || !is_candidate(roles, j, kind, side) || is_in_limb(limb, j)) {
                continue;
            }
            limb->joints[p][0] = j;
            limb->count[p] = 1;
            ++limb->named;
            snw_message_set(snw_roles_doubt(roles, 0.05),
                "'%s' is no part of the chain of the %s limb, taken by its name alone",
                roles->joints[j].name, side_names[side]);
            break;
        }
    }
}

void snw_roles_find_chains(snw_Roles *roles)
{
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        for (int s = SINEW_SIDE_LEFT; s <= SINEW_SIDE_RIGHT; ++s) {
            find_chain(roles, (snw_LimbKind)k, (sinew_Side)s);
            find_detached(roles, (snw_LimbKind)k, (sinew_Side)s);
        }
    }
}

void snw_roles_take_chains(snw_Roles *roles, snw_Arena *arena)
{
    roles->chains = snw_arena_take(arena, 1, sizeof *roles->chains);
}
