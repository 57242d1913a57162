#include "body/role_tokens.h"
#include "body/roles.h"
#include "math/holds.h"

#include "base/memory.h"

#include <string.h>

// Scores of joint names. A word gives points to parts of the body; a joint takes the most that any
// of its words gives. Names that speak of helpers, faces and fingers leave the race for the limbs.

// a word at the same place of so many names is the name of the rig, not of a joint
#define NAME_SPACE_SHARE 0.7
#define MIN_NAMES_FOR_NAME_SPACE 4

#define HELPER_COST 3.0

static const char *const leg_code_sets[4][4] = {
    { "fl", "fr", "rl", "rr" },
    { "fl", "fr", "hl", "hr" },
    { "lf", "rf", "lh", "rh" },
    { "fl", "fr", "bl", "br" },
};

// what has to be known about all names before one of them can be judged
typedef struct NameSpace {
    uint32_t *hashes; // of token and place                                    (capacity)
    int *counts;      // how often it was met                                  (capacity)
    int capacity;     // a power of two
    int name_count;
    int leg_codes;        // the set of four that is in use, -1
    bool has_arm_letters; // s, e and w with numbers: shoulder, elbow, wrist
    bool has_hind, has_front;
} NameSpace;

// ---------------------------------------------------------------------------------------------
// All names together

static int *count_of(const NameSpace *space, const snw_Token *token, int place)
{
    char mark[2] = { (char)('a' + place), '\0' };
    uint32_t hash = snw_token_hash(snw_token_hash(SNW_HASH_START, token->text), mark) | 1u;
    uint32_t slot = hash & (uint32_t)(space->capacity - 1);
    while (space->hashes[slot] != 0 && space->hashes[slot] != hash) {
        slot = (slot + 1) & (uint32_t)(space->capacity - 1);
    }
    space->hashes[slot] = hash;
    return &space->counts[slot];
}

// words that say which joint of the rig this is stay, however many joints say them
static bool may_be_name_space(const snw_Token *token)
{
    int rows;
    const snw_Word *word = snw_word_find(token->text, &rows);
    for (int i = 0; i < rows; ++i) {
        bool says_which = word[i].kind >= SNW_WORD_NECK && word[i].kind <= SNW_WORD_SEGMENT_3;
        bool says_side = word[i].kind >= SNW_WORD_LEFT && word[i].kind <= SNW_WORD_LETTER_RIGHT;
        if (says_which || says_side) { return false; }
    }
    return true;
}

static bool is_helper_word(const snw_Token *token)
{
    int rows;
    const snw_Word *word = snw_word_find(token->text, &rows);
    for (int i = 0; i < rows; ++i) {
        if (word[i].kind == SNW_WORD_HELPER) { return true; }
    }
    return false;
}

// legs by codes want at least two moving joints each: wheels have one
static void count_leg_codes(
    const snw_Roles *roles, int joint, const snw_Tokens *tokens, int counts[4][4])
{
    SNW_ASSERT(joint >= 0);
    if (roles->is_fixed[joint]) { return; }
    for (int t = 0; t < tokens->count; ++t) {
        if (is_helper_word(&tokens->list[t])) { return; }
    }
    for (int t = 0; t < tokens->count; ++t) {
        for (int i = 0; i < 16; ++i) {
            counts[i / 4][i % 4] += snw_token_is(&tokens->list[t], leg_code_sets[i / 4][i % 4]);
        }
    }
}

static void read_name_space(const snw_Roles *roles, NameSpace *space)
{
    int codes[4][4] = { { 0 } };
    int letters[3] = { 0 };
    for (int j = 0; j < roles->count; ++j) {
        if (roles->is_end[j]) { continue; }
        snw_Tokens tokens;
        snw_tokens_cut(roles->joints[j].name, &tokens);
        ++space->name_count;
        for (int t = 0; t < tokens.count && t < 4; ++t) { ++*count_of(space, &tokens.list[t], t); }
        for (int t = 0; t < tokens.count; ++t) {
            const snw_Token *token = &tokens.list[t];
            bool numbered = t + 1 < tokens.count && tokens.list[t + 1].is_number;
            letters[0] += numbered && snw_token_is(token, "s");
            letters[1] += numbered && snw_token_is(token, "e");
            letters[2] += numbered && snw_token_is(token, "w");
            space->has_hind |= snw_token_is(token, "hind") || snw_token_is(token, "rear");
            space->has_front |= snw_token_is(token, "front");
        }
        count_leg_codes(roles, j, &tokens, codes);
    }
    space->has_arm_letters = letters[0] > 0 && letters[1] > 0 && letters[2] > 0;
    space->leg_codes = -1;
    for (int i = 3; i >= 0; --i) {
        bool all = true;
        for (int k = 0; k < 4; ++k) { all = all && codes[i][k] >= 2; }
        if (all) { space->leg_codes = i; }
    }
}

static void drop_name_space(const NameSpace *space, snw_Tokens *tokens)
{
    if (space->name_count < MIN_NAMES_FOR_NAME_SPACE) { return; }
    int dropped = 0;
    while (tokens->count > 1 && dropped < 4) {
        const snw_Token *token = &tokens->list[0];
        double share = (double)*count_of(space, token, dropped) / space->name_count;
        if (share < NAME_SPACE_SHARE || !may_be_name_space(token)) { return; }
        snw_tokens_drop(tokens, 0);
        ++dropped;
    }
}

// ---------------------------------------------------------------------------------------------
// Words that only stand in certain files

static void replace(snw_Token *token, const char *text)
{
    memcpy(token->text, text, strlen(text) + 1);
}

// the endings of Atlas and Spot: joint and axis in two or three letters
static void expand_robot_code(snw_Token *token)
{
    static const char *const codes[][2] = { { "sh", "shoulder" }, { "hp", "hip" }, { "h", "hip" },
        { "kn", "knee" }, { "el", "elbow" }, { "ak", "ankle" }, { "wr", "wrist" },
        { "uw", "wrist" }, { "mw", "wrist" }, { "lw", "wrist" }, { "bk", "back" } };
    size_t length = strlen(token->text);
    bool has_axis = length >= 2 && token->text[length - 1] >= 'x' && token->text[length - 1] <= 'z';
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; ++i) {
        size_t code = strlen(codes[i][0]);
        bool fits = has_axis && length == code + 1;
        bool is_bare_knee = length == 2 && i == 3;
        if ((fits || is_bare_knee) && strncmp(token->text, codes[i][0], code) == 0) {
            replace(token, codes[i][1]);
            return;
        }
    }
}

static void expand_arm_letter(snw_Token *token)
{
    if (snw_token_is(token, "s")) { replace(token, "shoulder"); }
    if (snw_token_is(token, "e")) { replace(token, "elbow"); }
    if (snw_token_is(token, "w")) { replace(token, "wrist"); }
}

static void expand_robot_words(const NameSpace *space, snw_Tokens *tokens)
{
    for (int t = 0; t < tokens->count; ++t) {
        bool numbered = t + 1 < tokens->count && tokens->list[t + 1].is_number;
        if (space->has_arm_letters && numbered) { expand_arm_letter(&tokens->list[t]); }
        expand_robot_code(&tokens->list[t]);
    }
}

// vertebrae: T8, L5, vt12, vc4
static bool read_vertebra(const snw_Tokens *tokens, snw_NameInfo *info)
{
    if (tokens->count != 2 || !tokens->list[1].is_number) { return false; }
    const char *letters = tokens->list[0].text;
    if (letters[0] == 'v') { ++letters; }
    if (strlen(letters) != 1 || strchr("tlc", letters[0]) == NULL) { return false; }
    if (letters[0] == 'c' && letters == tokens->list[0].text) { return false; }
    info->score[letters[0] == 'c' ? SNW_WORD_NECK : SNW_WORD_TRUNK] = 2.0;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Side

static sinew_Side side_of_kind(snw_WordKind kind)
{
    if (kind == SNW_WORD_LEFT || kind == SNW_WORD_LETTER_LEFT) { return SINEW_SIDE_LEFT; }
    if (kind == SNW_WORD_RIGHT || kind == SNW_WORD_LETTER_RIGHT) { return SINEW_SIDE_RIGHT; }
    return SINEW_SIDE_NONE;
}

static sinew_Side side_of_token(const snw_Token *token, bool letters)
{
    int rows;
    const snw_Word *word = snw_word_find(token->text, &rows);
    for (int i = 0; i < rows; ++i) {
        bool is_letter = word[i].kind >= SNW_WORD_LETTER_LEFT;
        sinew_Side side = side_of_kind(word[i].kind);
        if (side != SINEW_SIDE_NONE && is_letter == letters) { return side; }
    }
    return SINEW_SIDE_NONE;
}

// the last letter of HIP_R is an axis where a sibling says HIP_P or HIP_Y
static bool ends_with_axis(const snw_Roles *roles, int joint)
{
    SNW_ASSERT(joint >= 0);
    const char *name = roles->joints[joint].name;
    size_t length = strlen(name);
    if (!roles->options.is_robot || length < 2) { return false; }
    for (int j = 0; j < roles->count; ++j) {
        const char *other = roles->joints[j].name;
        if (strlen(other) != length || strncmp(other, name, length - 1) != 0) { continue; }
        if (strchr("pyPY", other[length - 1]) != NULL) { return true; }
    }
    return false;
}

// which token says the side, -1. Whole words first; then a letter as the first, last, any token
static int find_side(const snw_Roles *roles, int joint, const snw_Tokens *tokens)
{
    SNW_ASSERT(joint >= 0);
    for (int t = 0; t < tokens->count; ++t) {
        if (side_of_token(&tokens->list[t], false) != SINEW_SIDE_NONE) { return t; }
    }
    int last = tokens->count - 1;
    while (last > 0 && tokens->list[last].is_number) { --last; }
    if (last >= 0 && side_of_token(&tokens->list[0], true) != SINEW_SIDE_NONE) { return 0; }
    bool is_axis = last > 0 && ends_with_axis(roles, joint);
    if (last > 0 && !is_axis && side_of_token(&tokens->list[last], true) != SINEW_SIDE_NONE) {
        return last;
    }
    for (int t = 1; t < last; ++t) {
        if (side_of_token(&tokens->list[t], true) != SINEW_SIDE_NONE) { return t; }
    }
    return -1;
}

static void read_side(const snw_Roles *roles, int joint, const NameSpace *space, snw_Tokens *tokens,
    snw_NameInfo *info)
{
    SNW_ASSERT(joint >= 0);
    for (int t = 0; t < tokens->count && space->leg_codes >= 0; ++t) {
        for (int k = 0; k < 4; ++k) {
            if (!snw_token_is(&tokens->list[t], leg_code_sets[space->leg_codes][k])) { continue; }
            info->side = k % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
            info->flags |= k < 2 ? SNW_NAME_FRONT : SNW_NAME_HIND;
            snw_tokens_drop(tokens, t);
            return;
        }
    }
    int t = find_side(roles, joint, tokens);
    if (t < 0) { return; }
    info->side = side_of_token(&tokens->list[t], false);
    if (info->side == SINEW_SIDE_NONE) { info->side = side_of_token(&tokens->list[t], true); }
    snw_tokens_drop(tokens, t);
}

// ---------------------------------------------------------------------------------------------
// Scores

// what the words of one name add up to before the rules look at them together
typedef struct Words {
    double specific[SNW_PART_COUNT], generic[SNW_PART_COUNT];
    int fingers;               // bit per finger that is named; bit 5: some finger
    bool mid, base, root, tip; // words that mean a finger's bone only beside a finger
    bool has_hip, has_joint, has_twist, has_bend, has_helper, has_upper, has_back, has_small;
    bool has_gripper;
} Words;

// arm, leg, body, base, center: silent beside better words
static bool is_generic(const snw_Word *word)
{
    return (word->kind == SNW_WORD_UPPERARM && word->tenths == 18)
        || (word->kind == SNW_WORD_SHIN && word->tenths == 15)
        || (word->kind == SNW_WORD_HIPS && (word->tenths == 15 || word->tenths == 6))
        || (word->kind == SNW_WORD_TRUNK && word->tenths == 6);
}

static void note_flags(const snw_Token *token, snw_NameInfo *info, Words *words)
{
    static const struct {
        const char *text;
        int flag;
    } flags[] = { { "wrist", SNW_NAME_WRIST }, { "elbow", SNW_NAME_ELBOW },
        { "shoulder", SNW_NAME_SHOULDER }, { "hand", SNW_NAME_HAND }, { "palm", SNW_NAME_HAND },
        { "lower", SNW_NAME_LOWER }, { "tail", SNW_NAME_TAIL }, { "ear", SNW_NAME_EAR },
        { "ears", SNW_NAME_EAR }, { "front", SNW_NAME_FRONT }, { "hind", SNW_NAME_HIND },
        { "rear", SNW_NAME_HIND }, { "twist", SNW_NAME_TWIST } };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i) {
        if (snw_token_is(token, flags[i].text)) { info->flags |= flags[i].flag; }
    }
    words->has_hip |= snw_token_is(token, "hip") || snw_token_is(token, "hips");
    words->has_joint |= snw_token_is(token, "joint");
    words->has_twist |= snw_token_is(token, "twist");
    words->has_bend |= snw_token_is(token, "bend");
    words->has_upper |= snw_token_is(token, "upper") || snw_token_is(token, "up");
    words->has_back |= snw_token_is(token, "back");
    words->has_small |= snw_token_is(token, "small") || snw_token_is(token, "little");
    words->has_gripper |= snw_token_is(token, "gripper");
    words->mid |= snw_token_is(token, "mid") || snw_token_is(token, "middle");
    words->base |= snw_token_is(token, "base");
    words->root |= snw_token_is(token, "root");
    words->tip |= snw_token_is(token, "tip");
}

static void note_word(const snw_Word *word, int rows, snw_NameInfo *info, Words *words)
{
    SNW_ASSERT(rows >= 0);
    double *scores = is_generic(word) ? words->generic : words->specific;
    for (int i = 0; i < rows; ++i) {
        snw_WordKind kind = word[i].kind;
        double score = 0.1 * word[i].tenths;
        if (kind < SNW_PART_COUNT && score > scores[kind]) { scores[kind] = score; }
        if (kind >= SNW_WORD_THUMB && kind <= SNW_WORD_FINGER) {
            words->fingers |= 1 << (kind - SNW_WORD_THUMB);
        }
        if (kind >= SNW_WORD_SEGMENT_0 && kind <= SNW_WORD_SEGMENT_3) {
            info->segment = (int)(kind - SNW_WORD_SEGMENT_0);
        }
        if (kind == SNW_WORD_FACE) { info->flags |= SNW_NAME_FACE; }
        if (kind == SNW_WORD_END) { info->flags |= SNW_NAME_END; }
        if (kind == SNW_WORD_HELPER) { words->has_helper = true; }
    }
}

static double best_of(const double *scores, int first, int last)
{
    double best = 0.0;
    for (int p = first; p <= last; ++p) { best = scores[p] > best ? scores[p] : best; }
    return best;
}

static void join_scores(Words *words, snw_NameInfo *info)
{
    bool has_specific = best_of(words->specific, 0, SNW_PART_COUNT - 1) > 0.0;
    const double *scores = has_specific ? words->specific : words->generic;
    memcpy(info->score, scores, sizeof info->score);
    if (!has_specific && best_of(words->generic, 0, SNW_PART_COUNT - 1) > 0.0) {
        info->flags |= SNW_NAME_GENERIC;
    }
}

// hip means the pelvis alone and the thigh with a side; HipJoint is more likely a connector
static void judge_hip(const snw_Roles *roles, const Words *words, snw_NameInfo *info)
{
    if (!words->has_hip || info->side == SINEW_SIDE_NONE) { return; }
    bool is_connector = words->has_joint && !roles->options.is_robot;
    info->score[SNW_WORD_HIPS] = 0.0;
    double score = is_connector ? 1.4 : 2.0;
    if (info->score[SNW_WORD_THIGH] < score) { info->score[SNW_WORD_THIGH] = score; }
}

// back and front beside a leg say which leg; upper and lower of a leg known by its code, which bone
static void judge_legs(const NameSpace *space, Words *words, snw_NameInfo *info)
{
    bool is_sided = info->side != SINEW_SIDE_NONE;
    double leg = best_of(words->specific, SNW_WORD_THIGH, SNW_WORD_TOE);
    double generic_leg = best_of(words->generic, SNW_WORD_THIGH, SNW_WORD_TOE);
    if (is_sided && words->has_back && leg + generic_leg > 0.0) {
        words->specific[SNW_WORD_TRUNK] = 0.0;
        info->flags |= SNW_NAME_HIND;
    }
    if (space->leg_codes >= 0 && (info->flags & (SNW_NAME_FRONT | SNW_NAME_HIND)) != 0) {
        if (words->has_upper && leg <= 0.0) { words->specific[SNW_WORD_THIGH] = 2.0; }
        if ((info->flags & SNW_NAME_LOWER) != 0 && leg <= 0.0) {
            words->specific[SNW_WORD_SHIN] = 2.0;
        }
    }
    // the digits of a leg are toes
    if ((words->fingers >> 5) != 0 && generic_leg > 0.0) {
        words->specific[SNW_WORD_TOE] = 2.0;
        words->fingers = 0;
    }
}

static void judge_fingers(const Words *words, snw_NameInfo *info)
{
    int fingers = words->fingers;
    int named = fingers & 31;
    if (fingers == 0) { return; }
    // middle means a bone beside another finger's name; middle spine and mid foot are no fingers
    if (words->mid && (named & ~4) != 0) { named &= ~4; }
    const double *specific = words->specific;
    bool is_elsewhere = best_of(specific, SNW_WORD_HIPS, SNW_WORD_FOREARM) > 0.0
        || best_of(specific, SNW_WORD_THIGH, SNW_WORD_TOE) > 0.0
        || best_of(words->generic, SNW_WORD_THIGH, SNW_WORD_TOE) > 0.0;
    if (is_elsewhere) {
        if (words->has_small || (fingers & 1) != 0) { info->score[SNW_WORD_TOE] *= 0.5; }
        return;
    }
    info->finger = 5;
    for (int f = 4; f >= 0; --f) {
        if (((named >> f) & 1) != 0) { info->finger = f; }
    }
    if (words->mid && info->finger != 2 && info->segment < 0) { info->segment = 2; }
    if (words->root) { info->segment = 0; }
    if (words->base) { info->segment = 1; }
    if (words->tip) { info->segment = 3; }
    memset(info->score, 0, sizeof info->score);
}

static void judge_helpers(
    const snw_Roles *roles, const snw_Tokens *tokens, const Words *words, snw_NameInfo *info)
{
    bool is_robot = roles->options.is_robot;
    bool is_center = best_of(info->score, SNW_WORD_TRUNK, SNW_WORD_HEAD) > 0.0
        && best_of(info->score, SNW_WORD_CLAVICLE, SNW_WORD_TOE) <= 0.0;
    bool is_helper = words->has_helper;
    bool only_twist = words->has_twist && is_helper;
    for (int t = 0; t < tokens->count; ++t) {
        const snw_Token *token = &tokens->list[t];
        if (!snw_token_is(token, "twist") && is_helper_word(token)) { only_twist = false; }
        // a rolling bone of a character shares the twist; on robots roll is an axis
        if (!is_robot && snw_token_is(token, "roll")) {
            is_helper = true;
            info->flags |= SNW_NAME_TWIST;
        }
    }
    if (only_twist && (is_center || words->has_bend)) {
        is_helper = false;
        info->flags &= ~SNW_NAME_TWIST;
    }
    // Japanese rigs: the letters D, P, C and EX mark doubles
    const snw_Token *last = tokens->count > 0 ? &tokens->list[tokens->count - 1] : NULL;
    if (tokens->is_asian && last != NULL && tokens->count > 1) {
        is_helper = is_helper || snw_token_is(last, "d") || snw_token_is(last, "p")
            || snw_token_is(last, "c") || snw_token_is(last, "ex");
    }
    if (!is_helper) { return; }
    info->flags |= SNW_NAME_HELPER;
    for (int p = 0; p < SNW_PART_COUNT; ++p) {
        info->score[p] = info->score[p] > HELPER_COST ? info->score[p] - HELPER_COST : 0.0;
    }
}

static int number_of(const snw_Token *token)
{
    int value = 0;
    for (const char *c = token->text; *c != '\0' && value < 100000; ++c) {
        value = 10 * value + (*c - '0');
    }
    return value;
}

static void read_numbers(const snw_Tokens *tokens, snw_NameInfo *info)
{
    bool has_meaning = false;
    int count = 0;
    for (int t = 0; t < tokens->count && count < 2; ++t) {
        int rows;
        const snw_Word *word = snw_word_find(tokens->list[t].text, &rows);
        has_meaning = has_meaning || (word != NULL && word->kind < SNW_WORD_LEFT);
        if (!tokens->list[t].is_number || !has_meaning) { continue; }
        if (count == 0 && strlen(tokens->list[t].text) == 2) {
            info->flags |= SNW_NAME_HAS_TWO_DIGITS;
        }
        info->number[count++] = number_of(&tokens->list[t]);
    }
}

static void read_words(
    const snw_Roles *roles, const NameSpace *space, const snw_Tokens *tokens, snw_NameInfo *info)
{
    Words words;
    memset(&words, 0, sizeof words);
    for (int t = 0; t < tokens->count; ++t) {
        int rows;
        const snw_Word *word = snw_word_find(tokens->list[t].text, &rows);
        note_flags(&tokens->list[t], info, &words);
        if (word != NULL) { note_word(word, rows, info, &words); }
    }
    judge_legs(space, &words, info);
    join_scores(&words, info);
    judge_hip(roles, &words, info);
    judge_fingers(&words, info);
    if (roles->options.is_robot && (info->flags & SNW_NAME_SHOULDER) != 0 && info->finger < 0) {
        info->score[SNW_WORD_CLAVICLE] = 0.0;
        if (info->score[SNW_WORD_UPPERARM] < 2.0) { info->score[SNW_WORD_UPPERARM] = 2.0; }
    }
    judge_helpers(roles, tokens, &words, info);
    if (words.has_gripper) { info->finger = -1; } // jaws, not fingers
    if ((info->flags & SNW_NAME_FACE) != 0) {
        // a face word beside a part of the limbs is an accident of words
        memset(info->score, 0, sizeof info->score);
        info->finger = -1;
    }
    read_numbers(tokens, info);
}

static uint32_t hash_tokens(const snw_Tokens *tokens)
{
    uint32_t hash = SNW_HASH_START;
    for (int t = 0; t < tokens->count; ++t) { hash = snw_token_hash(hash, tokens->list[t].text); }
    return hash;
}

static void read_name(const snw_Roles *roles, const NameSpace *space, int joint, snw_NameInfo *info)
{
    SNW_ASSERT(joint >= 0);
    snw_Tokens tokens;
    snw_tokens_cut(roles->joints[joint].name, &tokens);
    drop_name_space(space, &tokens);
    if (roles->options.is_robot) { expand_robot_words(space, &tokens); }
    snw_tokens_join(&tokens);
    if (!read_vertebra(&tokens, info)) {
        read_side(roles, joint, space, &tokens, info);
        read_words(roles, space, &tokens, info);
        if (tokens.is_connector) { info->flags |= SNW_NAME_HELPER; }
    }
    info->hash = hash_tokens(&tokens);
}

// ---------------------------------------------------------------------------------------------
// Names beside each other

static bool has_better_sibling(const snw_Roles *roles, int joint)
{
    SNW_ASSERT(joint >= 0);
    const snw_NameInfo *info = &roles->names[joint];
    for (int j = 0; j < roles->count; ++j) {
        const snw_NameInfo *other = &roles->names[j];
        if (j == joint || roles->joints[j].parent != roles->joints[joint].parent) { continue; }
        if (other->side != info->side || (other->flags & SNW_NAME_HELPER) != 0) { continue; }
        if ((info->flags & SNW_NAME_WRIST) != 0 && (other->flags & SNW_NAME_HAND) != 0) {
            return true;
        }
        bool is_arm = other->score[SNW_WORD_FOREARM] >= 1.0
            || other->score[SNW_WORD_UPPERARM] >= 1.0;
        if ((info->flags & (SNW_NAME_ELBOW | SNW_NAME_SHOULDER)) != 0 && is_arm
            && !snw_roles_is_leaf(roles, j)) {
            return true;
        }
    }
    return false;
}

// leaves called wrist, elbow or shoulder beside the real hand, forearm or arm only bend the skin
static void drop_named_leaves(snw_Roles *roles)
{
    const int flags = SNW_NAME_WRIST | SNW_NAME_ELBOW | SNW_NAME_SHOULDER;
    for (int j = 0; j < roles->count; ++j) {
        snw_NameInfo *info = &roles->names[j];
        if ((info->flags & flags) == 0 || !snw_roles_is_leaf(roles, j)) { continue; }
        if (roles->joints[j].parent >= 0 && has_better_sibling(roles, j)) {
            info->flags |= SNW_NAME_HELPER;
        }
    }
}

// unmarked legs are front legs where others are marked as hind legs, and the other way round
static void complete_leg_marks(snw_Roles *roles)
{
    bool has_front = false, has_hind = false;
    for (int j = 0; j < roles->count; ++j) {
        const snw_NameInfo *info = &roles->names[j];
        bool is_leg = info->side != SINEW_SIDE_NONE
            && best_of(info->score, SNW_WORD_THIGH, SNW_WORD_TOE) > 0.0;
        has_front |= is_leg && (info->flags & SNW_NAME_FRONT) != 0;
        has_hind |= is_leg && (info->flags & SNW_NAME_HIND) != 0;
    }
    for (int j = 0; j < roles->count; ++j) {
        snw_NameInfo *info = &roles->names[j];
        if ((info->flags & (SNW_NAME_FRONT | SNW_NAME_HIND)) != 0) { continue; }
        if (best_of(info->score, SNW_WORD_THIGH, SNW_WORD_TOE) <= 0.0) { continue; }
        if (has_hind && !has_front) { info->flags |= SNW_NAME_FRONT; }
    }
}

static void clear_info(snw_NameInfo *info)
{
    memset(info, 0, sizeof *info);
    info->finger = info->segment = info->number[0] = info->number[1] = -1;
}

bool snw_roles_read_names(snw_Roles *roles, const sinew_Allocator *allocator)
{
    for (int j = 0; j < roles->count; ++j) { clear_info(&roles->names[j]); }
    if (roles->options.ignore_names) { return true; }

    NameSpace space;
    memset(&space, 0, sizeof space);
    space.capacity = 64;
    while (space.capacity < 8 * roles->count) { space.capacity *= 2; }
    size_t size = (size_t)space.capacity * (sizeof *space.hashes + sizeof *space.counts);
    space.hashes = snw_alloc(allocator, size);
    if (space.hashes == NULL) { return false; }
    space.counts = (int *)(void *)(space.hashes + space.capacity);

    read_name_space(roles, &space);
    roles->has_leg_codes = space.leg_codes >= 0;
    for (int j = 0; j < roles->count; ++j) {
        if (!roles->is_end[j]) { read_name(roles, &space, j, &roles->names[j]); }
    }
    snw_free(allocator, space.hashes, size);
    drop_named_leaves(roles);
    complete_leg_marks(roles);
    return true;
}
