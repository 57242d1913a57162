#ifndef SNW_METHOD_TABLE_H
#define SNW_METHOD_TABLE_H

// The methods: loop, options, checks and names read what is here and know none of them. A method is a
// row of SINEW_METHOD_LIST and a file that defines snw_method_<word>.

#include "solve/method.h"

/// What a method can do beyond positions, orientations and poses in the world.
typedef enum snw_Ability {
    SNW_CAN_CONSTRAIN = 1,    ///< goals held as constraints
    SNW_CAN_RANK = 2,         ///< goals of several priorities
    SNW_CAN_REST = 4,         ///< rest goals
    SNW_CAN_RELATE = 8,       ///< goals of any kind: aims, poles, masks, between joints, ...
    SNW_CAN_CHOOSE_FORM = 16, ///< every linear form; the others work with rows
    SNW_CAN_ALL = 31,
} snw_Ability;

typedef struct snw_MethodRow {
    unsigned abilities; ///< snw_Ability, added
    /// Fills linear.step from the current state, and integrates it; false: no step from here. Or:
    bool (*step)(snw_Solve *solve);
    /// Changes the values of the trial state, poses and measures it; the largest change of a joint. Or:
    double (*sweep)(snw_Solve *solve);
    /// Works without the loop.
    sinew_Outcome (*run)(snw_Solve *solve);
    /// Puts what differs from the defaults of all methods into options; NULL: nothing does.
    void (*defaults)(sinew_SolveOptions *options);
    /// Where the options do not say the length that weighs orientations, it is the reach over this.
    double orientation_divisor;
} snw_MethodRow;

/// By sinew_Method.
extern const snw_MethodRow *const snw_method_rows[SINEW_METHOD_COUNT];

/// NULL for a number that is none.
static inline const snw_MethodRow *snw_method(sinew_Method method)
{
    return (unsigned)method < SINEW_METHOD_COUNT ? snw_method_rows[method] : NULL;
}

/// What texts call it; NULL as above.
const char *snw_method_word(sinew_Method method);

static inline bool snw_method_can(sinew_Method method, snw_Ability ability)
{
    const snw_MethodRow *row = snw_method(method);
    return row != NULL && (row->abilities & (unsigned)ability) != 0;
}

#endif
