#ifndef SNW_ROLE_TOKENS_H
#define SNW_ROLE_TOKENS_H

// The name of a joint, cut into words.

#include <stdbool.h>
#include <stdint.h>

#define SNW_MAX_TOKENS 24
#define SNW_TOKEN_SIZE 32

typedef struct snw_Token {
    char text[SNW_TOKEN_SIZE]; ///< lower case letters, or digits
    bool is_number;
} snw_Token;

typedef struct snw_Tokens {
    snw_Token list[SNW_MAX_TOKENS];
    int count;
    bool is_asian;     ///< a Japanese or Chinese word was translated
    bool is_connector; ///< the name starts with two underscores
} snw_Tokens;

/// Cut a name (UTF-8; anything is accepted): the name space up to the last ':' or '|' goes, accents
/// go, Asian words become English; split at every sign that is no letter or digit, between digits
/// and letters and at capitals; runs without capitals are cut into known words where that is
/// possible without a rest, with one side letter at either end (lfemur, rhand).
void snw_tokens_cut(const char *name, snw_Tokens *out_tokens);

/// Remove one token.
void snw_tokens_drop(snw_Tokens *tokens, int index);

/// Join pairs that make one word: upper arm, fore foot, toe base, collar bone; and LU Arm.
void snw_tokens_join(snw_Tokens *tokens);

bool snw_token_is(const snw_Token *token, const char *text);

/// Hash of a token (FNV-1a), continued from another one; start with SNW_HASH_START.
#define SNW_HASH_START 2166136261u
uint32_t snw_token_hash(uint32_t hash, const char *text);

#endif
