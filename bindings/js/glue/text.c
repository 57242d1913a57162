// Numbers as text and back, for the readers and writers of files, in place of what the C library would link:
// streams, locales and long double take ten times the bytes, and system calls that a page has not got. The
// same text and the same bits as anywhere: both ways are exact, by long decimal numbers.

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMB 1000000000U // nine decimal digits
enum {
    POINT = 36,
    LIMBS = POINT + 121
}; // 2^1024 has 309 digits before the point, 2^-1075 1075 behind it

/// d.ddd... x 10^exponent; zero has no digits.
typedef struct Decimal {
    int count, exponent;
    char digits[9 * LIMBS];
} Decimal;

// mantissa x 2^power, all its digits
static void expand(uint64_t mantissa, int power, Decimal *out)
{
    uint32_t limbs[LIMBS] = { 0 };
    int first = POINT, last = POINT - 1; // limbs that are not zero
    for (; mantissa > 0; mantissa /= LIMB) { limbs[--first] = (uint32_t)(mantissa % LIMB); }
    while (power > 0) {
        const int step = power < 29 ? power : 29;
        uint64_t carry = 0;
        for (int i = last; i >= first || carry > 0; --i) {
            const uint64_t sum = ((uint64_t)limbs[i] << step) + carry;
            limbs[i] = (uint32_t)(sum % LIMB);
            carry = sum / LIMB;
            first = i < first ? i : first;
        }
        power -= step;
    }
    while (power < 0) {
        const int step = power > -9 ? -power : 9; // 2^9 divides a limb: one more each time
        uint64_t rest = 0;
        for (int i = first; i <= last || rest > 0; ++i) {
            const uint64_t whole = limbs[i] + rest * LIMB;
            limbs[i] = (uint32_t)(whole >> step);
            rest = whole & ((1U << step) - 1);
            last = i > last ? i : last;
        }
        power += step;
    }
    out->count = 0;
    out->exponent = 9 * (POINT - first) - 1;
    for (int i = first; i <= last; ++i) {
        for (uint32_t unit = LIMB / 10; unit > 0; unit /= 10) {
            const char digit = (char)(limbs[i] / unit % 10);
            if (out->count > 0 || digit != 0) {
                out->digits[out->count++] = digit;
            } else {
                --out->exponent;
            }
        }
    }
    while (out->count > 0 && out->digits[out->count - 1] == 0) { --out->count; }
}

// the mantissa of a finite double >= 0, and the power of two that goes with it
static uint64_t take_apart(uint64_t bits, int *out_power)
{
    const int raw = (int)(bits >> 52 & 0x7ff);
    const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    *out_power = (raw > 0 ? raw : 1) - 1075;
    return raw > 0 ? fraction | (uint64_t)1 << 52 : fraction;
}

// ---------------------------------------------------------------------------------------------
// From text

static int compare(const Decimal *a, const Decimal *b)
{
    if (a->count == 0 || b->count == 0) { return (a->count > 0) - (b->count > 0); }
    if (a->exponent != b->exponent) { return a->exponent > b->exponent ? 1 : -1; }
    const int count = a->count < b->count ? a->count : b->count;
    const int order = memcmp(a->digits, b->digits, (size_t)count);
    return order != 0 ? order : a->count - b->count;
}

// whether a number rounds to something above these bits: it is beyond the middle to the next
static bool is_above(const Decimal *number, uint64_t bits)
{
    int power;
    const uint64_t mantissa = take_apart(bits, &power);
    Decimal middle;
    expand(2 * mantissa + 1, power - 1, &middle);
    const int order = compare(number, &middle);
    return order > 0 || (order == 0 && mantissa % 2 == 1);
}

static double guess(const Decimal *number)
{
    double value = 0.0;
    int scale = number->exponent;
    for (int i = 0; i < 17 && i < number->count; ++i) { value = 10.0 * value + number->digits[i]; }
    scale -= (number->count < 17 ? number->count : 17) - 1;
    for (; scale > 0 && value < 1e308; --scale) { value *= 10.0; }
    for (; scale < 0 && value > 0.0; ++scale) { value /= 10.0; }
    return value;
}

// Digits with a point, an exponent; nothing else is asked for.
double strtod(const char *restrict text, char **restrict end)
{
    Decimal number = { 0, -1, { 0 } };
    const bool is_negative = *text == '-';
    if (*text == '-' || *text == '+') { ++text; }
    bool has_point = false;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !has_point); ++text) {
        if (*text == '.') {
            has_point = true;
            continue;
        }
        if (number.count > 0 || *text != '0') {
            if (number.count < (int)sizeof number.digits) {
                number.digits[number.count++] = (char)(*text - '0');
            }
            number.exponent += !has_point;
        } else {
            number.exponent -= has_point;
        }
    }
    if (*text == 'e' || *text == 'E') {
        const bool is_small = text[1] == '-';
        text += text[1] == '-' || text[1] == '+' ? 2 : 1;
        int exponent = 0;
        for (; *text >= '0' && *text <= '9'; ++text) {
            exponent = exponent < 10000 ? 10 * exponent + (*text - '0') : exponent;
        }
        number.exponent += is_small ? -exponent : exponent;
    }
    while (number.count > 0 && number.digits[number.count - 1] == 0) { --number.count; }
    if (end != NULL) { *end = (char *)(uintptr_t)text; }

    // near to it by arithmetic, then to the nearest one
    const uint64_t infinity = (uint64_t)0x7ff << 52;
    double value = guess(&number);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >= infinity) { bits = infinity - 1; }
    while (bits < infinity && is_above(&number, bits)) { ++bits; }
    while (bits > 0 && !is_above(&number, bits - 1)) { --bits; }
    memcpy(&value, &bits, sizeof value);
    return is_negative ? -value : value;
}

struct lconv *localeconv(void)
{
    static struct lconv plain = { .decimal_point = "." };
    return &plain;
}

// ---------------------------------------------------------------------------------------------
// To text

typedef struct Out {
    char *text;
    size_t room, used;
} Out;

static void put(Out *out, const char *text, int length)
{
    for (int i = 0; i < length; ++i, ++out->used) {
        if (out->used + 1 < out->room) { out->text[out->used] = text[i]; }
    }
}

static void put_many(Out *out, char c, int count)
{
    while (count-- > 0) { put(out, &c, 1); }
}

static void put_whole(Out *out, uint64_t value, unsigned base, int width, char fill)
{
    char text[24];
    int at = (int)sizeof text;
    do {
        text[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0);
    put_many(out, fill, width - ((int)sizeof text - at));
    put(out, text + at, (int)sizeof text - at);
}

// keep so many digits, the nearest number, of two the even one
static void round_to(Decimal *number, int count)
{
    if (number->count <= count) { return; }
    const char next = count >= 0 ? number->digits[count] : 0;
    const bool is_odd = count > 0 && number->digits[count - 1] % 2 == 1;
    const bool is_up = next > 5 || (next == 5 && (number->count > count + 1 || is_odd));
    number->count = count > 0 ? count : 0;
    if (is_up) {
        int i = number->count - 1;
        for (; i >= 0 && number->digits[i] == 9; --i) { --number->count; }
        if (i >= 0) {
            ++number->digits[i];
        } else {
            number->digits[0] = 1;
            number->count = 1;
            ++number->exponent;
        }
    }
    while (number->count > 0 && number->digits[number->count - 1] == 0) { --number->count; }
}

static void put_digit(Out *out, const Decimal *number, int i)
{
    const char digit = (char)('0' + (i >= 0 && i < number->count ? number->digits[i] : 0));
    put(out, &digit, 1);
}

// %g of so many digits; whole: %.0f
static void put_number(Out *out, double value, int digits, bool whole)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63) { put(out, "-", 1); }
    bits &= ~((uint64_t)1 << 63);
    if (bits >= (uint64_t)0x7ff << 52) {
        put(out, bits == (uint64_t)0x7ff << 52 ? "inf" : "nan", 3);
        return;
    }
    int power;
    const uint64_t mantissa = take_apart(bits, &power);
    Decimal number;
    expand(mantissa, power, &number);
    if (number.count == 0) { number.exponent = 0; }
    digits = digits > 0 ? digits : 1;
    round_to(&number, whole ? number.exponent + 1 : digits);
    if (number.count == 0) { number.exponent = 0; }
    const bool is_long = !whole && (number.exponent < -4 || number.exponent >= digits);
    const int before = is_long ? 0 : number.exponent;
    if (before < 0) {
        put(out, "0.", 2);
        put_many(out, '0', -before - 1);
    }
    for (int i = 0; i <= before || i < number.count; ++i) {
        put_digit(out, &number, i);
        if (i == before && i + 1 < number.count) { put(out, ".", 1); }
    }
    if (!is_long) { return; }
    put(out, number.exponent < 0 ? "e-" : "e+", 2);
    put_whole(out, (uint64_t)abs(number.exponent), 10, 2, '0');
}

// %d i u x, with h l z; %s c g and %.0f; a width, filled with zeros or blanks; a precision
int vsnprintf(char *restrict text, size_t room, const char *restrict format, va_list arguments)
{
    Out out = { text, room, 0 };
    for (const char *f = format; *f != '\0'; ++f) {
        if (*f != '%' || f[1] == '%') {
            put(&out, f, 1);
            f += *f == '%';
            continue;
        }
        ++f;
        const char fill = *f == '0' ? '0' : ' ';
        int width = 0, precision = -1, longs = 0;
        for (; *f >= '0' && *f <= '9'; ++f) { width = 10 * width + (*f - '0'); }
        if (*f == '.' && f[1] == '*') {
            precision = va_arg(arguments, int);
            f += 2;
        } else if (*f == '.') {
            for (++f, precision = 0; *f >= '0' && *f <= '9'; ++f) {
                precision = 10 * precision + (*f - '0');
            }
        }
        // size_t and long have 32 bits here
        for (; *f == 'l' || *f == 'z' || *f == 'h'; ++f) { longs += *f == 'l'; }
        if (*f == 's') {
            const char *word = va_arg(arguments, const char *);
            int length = 0;
            while (length != precision && word[length] != '\0') { ++length; }
            put(&out, word, length);
        } else if (*f == 'c') {
            put_many(&out, (char)va_arg(arguments, int), 1);
        } else if (*f == 'g' || *f == 'f') {
            put_number(&out, va_arg(arguments, double), precision < 0 ? 6 : precision, *f == 'f');
        } else if (*f == 'd' || *f == 'i') {
            const int64_t value = longs > 1 ? va_arg(arguments, long long) : va_arg(arguments, int);
            if (value < 0) { put(&out, "-", 1); }
            put_whole(&out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10, width, fill);
        } else {
            const uint64_t value = longs > 1 ? va_arg(arguments, unsigned long long)
                                             : va_arg(arguments, unsigned);
            put_whole(&out, value, *f == 'x' ? 16 : 10, width, fill);
        }
    }
    if (room > 0) { text[out.used < room ? out.used : room - 1] = '\0'; }
    return (int)out.used;
}

int snprintf(char *restrict text, size_t room, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, room, format, arguments);
    va_end(arguments);
    return length;
}
