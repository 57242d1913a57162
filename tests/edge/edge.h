#ifndef EDGE_H
#define EDGE_H

// The edge of the interface: every public function is called with arguments that are none. The table of
// functions is made from the headers by calls.awk, so that a new function is called from its first day.

#include "sinew/sinew.h"

#include <stddef.h>

/// One argument, whatever its type: calls.c takes what the function wants.
typedef struct edge_Value {
    void *pointer; ///< pointers, and structs that are handed over by value
    int integer;   ///< int, unsigned, bool and enums
    double number;
    size_t size;
    const char *said;  ///< "NULL", "-1": for messages
    const void *fresh; ///< what stands at pointer before each call, where calls write to it
} edge_Value;

typedef enum edge_Kind {
    EDGE_PLAIN,
    EDGE_ENUM,
    EDGE_STRUCT,
    EDGE_POINTER,
} edge_Kind;

typedef struct edge_Argument {
    const char *type, *name;
    edge_Kind kind;
} edge_Argument;

#define EDGE_MAX_ARGUMENTS 12
/// What a call gives whose function returns no status.
#define EDGE_NO_STATUS (-1)

typedef struct edge_Call {
    const char *name;
    int (*run)(const edge_Value *values);
    int argument_count;
    edge_Argument arguments[EDGE_MAX_ARGUMENTS];
} edge_Call;

extern const edge_Call edge_calls[];
extern const int edge_call_count;

typedef enum edge_FieldKind {
    EDGE_DOUBLE,
    EDGE_INT,
    EDGE_ADDRESS,
    EDGE_MEMORY,
} edge_FieldKind;

/// A field of a public struct that is a number, an enum or a pointer; of a vector its first number.
typedef struct edge_Field {
    const char *owner, *name;
    edge_FieldKind kind;
    size_t offset;
} edge_Field;

extern const edge_Field edge_fields[];
extern const int edge_field_count;

/// What a call gave: a hash of it is kept for each function.
void edge_tell_whole(long long value);
void edge_tell_number(double value);
void edge_tell_text(const char *text);
/// The fields of a public struct; nothing of other types.
void edge_tell_struct(const char *type, const void *place);

/// Something of a type that a call takes with all other arguments in order. NULL: an unknown type.
typedef struct edge_Thing {
    const char *type; ///< without const and *
    void *good;
    size_t size;   ///< of one; 0: opaque, only its functions look inside
    bool is_array; ///< numbers alone, as many as any function reads: may be filled with NaN
} edge_Thing;

/// Make one of everything. Exits with a message when that fails.
void edge_make(void);
const edge_Thing *edge_thing(const char *type, size_t length);

/// Zeroed memory that no function writes beyond.
#define EDGE_ROOM ((size_t)1 << 20)

#endif
