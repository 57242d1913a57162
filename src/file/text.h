#ifndef SNW_TEXT_H
#define SNW_TEXT_H

// Text in memory, read word by word and number by number, with places for messages.
//
// Lines end with LF, CR LF or a lone CR. White space is space, tab, vertical tab, form feed and
// line ends. Lines and columns count from 1, columns in bytes. Places are counted only when a
// message needs them, so reading costs nothing for it.

#include "sinew/base.h"

/// Largest file that is read, bytes.
#define SNW_MAX_FILE_SIZE ((size_t)1 << 30)

typedef struct snw_Text {
    const char *data;
    size_t size;
    size_t at;        ///< the next byte to read
    const char *name; ///< of the file, for messages
    sinew_Message *message;
    bool
        counts_bytes; ///< places in messages are bytes from the start of data, not lines and columns
} snw_Text;

typedef struct snw_Span {
    const char *start;
    size_t length;
} snw_Span;

/// Read a whole regular file. The caller gives *out_data back through the allocator, *out_capacity
/// bytes. Folders, pipes and devices are refused without waiting.
sinew_Status snw_text_read_file(const char *path, const sinew_Allocator *allocator, char **out_data,
    size_t *out_size, size_t *out_capacity, sinew_Message *out_message);

bool snw_is_space(char c);
bool snw_is_line_end(char c);

void snw_text_skip_space(snw_Text *text);
/// White space within the line only.
void snw_text_skip_blanks(snw_Text *text);
bool snw_text_at_end(const snw_Text *text);

/// The next word, without moving on: { or } alone, or bytes up to white space or a brace. Length 0
/// at the end of the text.
snw_Span snw_text_peek(snw_Text *text);
/// The next word.
snw_Span snw_text_take(snw_Text *text);
/// Whether two words are the same, capitals or not (ASCII letters).
bool snw_span_is(snw_Span span, const char *word);
/// 0..15, or -1.
int snw_hex_digit(char c);
/// Everything up to the end of the line or an opening brace, without white space around it.
snw_Span snw_text_take_rest_of_line(snw_Text *text);
/// Skip the words (given with a space between them, which the text may lack) and a colon where
/// there is one: "frame time" takes "Frame Time:", "FrameTime :" and so on. False: nothing taken.
bool snw_text_take_label(snw_Text *text, const char *words);

typedef enum snw_NumberResult {
    SNW_NUMBER_OK,
    SNW_NUMBER_NONE,      ///< no number here
    SNW_NUMBER_NOT_FINITE ///< nan, inf, or too large for a double
} snw_NumberResult;

/// The next number, correctly rounded whatever the locale; moves on only when it is one. A number
/// must end at white space, a brace or the end.
snw_NumberResult snw_text_number(snw_Text *text, double *out_value);

/// Whether bytes have this part anywhere, and as their start.
bool snw_bytes_contain(const char *data, size_t size, const char *part);
bool snw_bytes_begin(const char *data, size_t size, const char *part);
/// Whether a name ends so and is longer; capitals do not count.
bool snw_name_ends(const char *path, const char *ending);

/// Words from here to the end of the text, braces not told apart.
size_t snw_text_count_words(const snw_Text *text);

/// BAD_FILE with the message NAME:LINE:COLUMN: found ..., expected ...; the place is text->at after
/// white space, and what is found there is quoted (a zero byte in it is told, and its place). expected is a printf format.
sinew_Status snw_text_fail(snw_Text *text, const char *expected, ...)
    __attribute__((format(printf, 2, 3)));
/// The same with a description of what was found at a place.
sinew_Status snw_text_fail_at(const snw_Text *text, size_t at, const char *found,
    const char *expected, ...) __attribute__((format(printf, 4, 5)));

/// What the bytes of a text look like as a whole.
typedef struct snw_TextSurvey {
    bool byte_order_mark;
    bool mixed_line_ends;
    bool lone_carriage_returns;
    bool no_final_line_end;
} snw_TextSurvey;

snw_TextSurvey snw_text_survey(const snw_Text *text);

/// Bytes that snw_format_* need at most.
#define SNW_NUMBER_SIZE 40

/// The shortest text that reads back as the same number. Returns its length; out is terminated.
int snw_format_exact(double value, char out[SNW_NUMBER_SIZE]);
/// Rounded to so many significant digits (1..17), zeros at the end dropped.
int snw_format_significant(double value, int digits, char out[SNW_NUMBER_SIZE]);
/// Rounded to so many decimals (0..15), zeros at the end dropped.
int snw_format_decimals(double value, int decimals, char out[SNW_NUMBER_SIZE]);

#endif
