#include "solve/method_table.h"

#define DECLARE(name, word) extern const snw_MethodRow snw_method_##word;
SINEW_METHOD_LIST(DECLARE)

#define ROW(name, word) [name] = &snw_method_##word,
const snw_MethodRow *const snw_method_rows[] = { SINEW_METHOD_LIST(ROW) };

#define WORD(name, word) [name] = #word,
static const char *const method_words[] = { SINEW_METHOD_LIST(WORD) };

const char *snw_method_word(sinew_Method method)
{
    return (unsigned)method < SINEW_METHOD_COUNT ? method_words[method] : NULL;
}
