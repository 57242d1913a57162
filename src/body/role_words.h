#ifndef SNW_ROLE_WORDS_H
#define SNW_ROLE_WORDS_H

// What the words of joint names mean.

#include <stddef.h>

typedef enum snw_WordKind {
    // parts of the body; scores are kept in an array of the first SNW_PART_COUNT
    SNW_WORD_HIPS,
    SNW_WORD_TRUNK,
    SNW_WORD_NECK,
    SNW_WORD_HEAD,
    SNW_WORD_CLAVICLE,
    SNW_WORD_UPPERARM,
    SNW_WORD_FOREARM,
    SNW_WORD_HAND,
    SNW_WORD_THIGH,
    SNW_WORD_SHIN,
    SNW_WORD_FOOT,
    SNW_WORD_TOE,
    // which finger, and which of its bones counted from the palm
    SNW_WORD_THUMB,
    SNW_WORD_INDEX,
    SNW_WORD_MIDDLE,
    SNW_WORD_RING,
    SNW_WORD_PINKY,
    SNW_WORD_FINGER,
    SNW_WORD_SEGMENT_0,
    SNW_WORD_SEGMENT_1,
    SNW_WORD_SEGMENT_2,
    SNW_WORD_SEGMENT_3,
    // joints that are no part of the skeleton proper
    SNW_WORD_FACE,
    SNW_WORD_HELPER,
    SNW_WORD_END,
    // sides: whole words, and letters that count only alone
    SNW_WORD_LEFT,
    SNW_WORD_RIGHT,
    SNW_WORD_LETTER_LEFT,
    SNW_WORD_LETTER_RIGHT,
    // words without a say
    SNW_WORD_SILENT,
    SNW_WORD_AXIS,
    SNW_WORD_MODIFIER,
} snw_WordKind;

#define SNW_PART_COUNT 12

typedef struct snw_Word {
    const char *text;
    snw_WordKind kind;
    int tenths; ///< score of a part of the body, in tenths
} snw_Word;

/// The rows of a lower-case word, *out_count of them; NULL when it is unknown.
const snw_Word *snw_word_find(const char *text, int *out_count);

/// The whole table, sorted.
int snw_word_count(void);
const snw_Word *snw_word_at(int index);

/// English for the Japanese or Chinese word at the start of a text (the longest that fits), and how
/// many bytes it takes; NULL when there is none.
const char *snw_word_translate(const char *text, size_t *out_length);

#endif
