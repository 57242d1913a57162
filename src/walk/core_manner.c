// Manners as numbers: ranges, people in general, and what traits do to them.

#include "sinew/manner.h"

#include "base/message.h"
#include "walk/gait.h"

#include <stddef.h>
#include <string.h>

/// A number of a manner; usual: of people in general.
typedef struct Field {
    const char *name;
    double lower, upper, usual;
} Field;

/// In the order of the struct. The first are gains, of which the plain figure shows none.
static const Field fields[] = {
    { "hips", 0.0, 2.0, 1.0 },
    { "trunk", 0.0, 2.0, 1.0 },
    { "arms", 0.0, 2.0, 1.0 },
    { "hands", 0.0, 2.0, 1.0 },
    { "clavicles", 0.0, 2.0, 1.0 },
    { "head", 0.0, 2.0, 1.0 },
    { "shift", 0.0, 2.0, 1.0 },
    { "breath", 0.0, 2.0, 1.0 },
    { "wander", 0.0, 2.0, 1.0 },
    { "variation", 0.0, 2.0, 1.0 },
    { "lively", 0.0, 3.0, 1.0 },
    { "pace", 0.3, 1.55, 1.0 },
    { "stride", 0.7, 1.4, 1.0 },
    { "lift", 0.5, 1.2, 1.0 },
    { "bounce", 0.0, 0.05, 0.0 },
    { "sway", 0.0, 2.0, 1.0 },
    { "swing", 0.0, 3.0, 1.0 },
    { "swing_late", 0.0, 0.3, 0.0 },
    { "elbow", -0.5, 1.5, 0.0 },
    { "elbow_swing", 0.0, 3.0, 1.0 },
    { "wrist", -0.8, 0.8, 0.0 },
    { "wrist_swing", 0.0, 3.0, 1.0 },
    { "shrug", -0.3, 0.4, 0.0 },
    { "arms_out", -0.2, 0.6, 0.0 },
    { "lean", -0.4, 0.6, 0.0 },
    { "head_pitch", -0.6, 0.6, 0.0 },
    { "crouch", 0.0, 0.1, 0.0 },
    { "hurt[0]", 0.0, 1.0, 0.0 },
    { "hurt[1]", 0.0, 1.0, 0.0 },
};
enum { FIELD_COUNT = (int)(sizeof fields / sizeof fields[0]), GAIN_COUNT = 10 };
_Static_assert(FIELD_COUNT * sizeof(double) == offsetof(sinew_Manner, seed), "a name for each");
_Static_assert(GAIN_COUNT * sizeof(double) == offsetof(sinew_Manner, lively), "gains come first");

static double *numbers(sinew_Manner *manner)
{
    return (double *)(void *)manner;
}

sinew_Manner sinew_manner_default(void)
{
    sinew_Manner manner;
    memset(&manner, 0, sizeof manner);
    for (int i = 0; i < FIELD_COUNT; ++i) { numbers(&manner)[i] = fields[i].usual; }
    return manner;
}

sinew_Manner sinew_manner_plain(void)
{
    sinew_Manner manner = sinew_manner_default();
    memset(&manner, 0, GAIN_COUNT * sizeof(double));
    return manner;
}

static sinew_Status check_field(int field, double value, sinew_Message *message)
{
    const snw_Range range = { fields[field].name, value, fields[field].lower, fields[field].upper };
    return snw_check_ranges(message, "manner", &range, 1);
}

sinew_Status sinew_manner_set(
    sinew_Manner *manner, const char *name, double value, sinew_Message *message)
{
    if (manner == NULL || name == NULL) {
        return SNW_CHECK_NULL(message, "manner name", manner, name);
    }
    for (int i = 0; i < FIELD_COUNT; ++i) {
        if (strcmp(name, fields[i].name) != 0) { continue; }
        sinew_Status status = check_field(i, value, message);
        if (status == SINEW_STATUS_OK) { numbers(manner)[i] = value; }
        return status;
    }
    return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT, "'%s' is no number of a manner", name);
}

sinew_Status sinew_manner_check(const sinew_Manner *manner, sinew_Message *message)
{
    if (manner == NULL) { return SNW_CHECK_NULL(message, "manner", manner); }
    const double *values = (const double *)(const void *)manner;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        sinew_Status status = check_field(i, values[i], message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return SINEW_STATUS_OK;
}

/// What a trait at full strength does to the walk of legs: factors, but bounce. Pace 1: people in general. Chosen
/// by eye, fitted to nobody.
typedef struct LegTrait {
    sinew_Trait trait;
    double pace, stride, lift, bounce, variation;
} LegTrait;

static const LegTrait leg_traits[] = {
    { SINEW_TRAIT_OLD, 0.75, 1.0, 0.8, 0.0, 1.5 },
    { SINEW_TRAIT_TIRED, 0.85, 1.0, 0.85, 0.0, 1.0 },
    { SINEW_TRAIT_HEAVY, 0.88, 1.0, 0.9, 0.0, 1.0 },
    { SINEW_TRAIT_BAD_BACK, 0.8, 1.0, 0.85, 0.0, 1.0 },
    { SINEW_TRAIT_LIMP_LEFT, 0.8, 1.0, 1.0, 0.0, 1.0 },
    { SINEW_TRAIT_LIMP_RIGHT, 0.8, 1.0, 1.0, 0.0, 1.0 },
    // strides are short for their speed, and differ
    { SINEW_TRAIT_CHILD, 0.9, 0.8, 1.08, 0.02, 2.0 },
    { SINEW_TRAIT_HAPPY, 1.1, 0.96, 1.05, 0.05, 1.0 },
    { SINEW_TRAIT_SAD, 0.75, 1.0, 0.85, 0.0, 1.0 },
    { SINEW_TRAIT_ANGRY, 1.22, 1.08, 1.06, 0.0, 1.0 },
};

static double share_of(double factor, double strength)
{
    return 1.0 + strength * (factor - 1.0);
}

void sinew_manner_add(const sinew_Individual *individual, sinew_Manner *manner)
{
    if (individual == NULL || manner == NULL) { return; }
    const sinew_IndividualEffects effects = sinew_individual_effects(individual);
    manner->lean += effects.lean;
    manner->head_pitch += effects.head_lean;
    manner->arms_out += effects.arms_out;
    manner->crouch += effects.crouch;
    manner->swing *= effects.motion[SINEW_ROLE_UPPERARM][SINEW_SIDE_NONE];
    manner->lively *= effects.motion[SINEW_ROLE_SPINE][SINEW_SIDE_NONE];
    // who takes more time goes in shorter strides at the same speed, which small bodies do by their legs alone
    double tempo = effects.tempo < 1.0 ? effects.tempo : 1.0;
    manner->stride *= 1.0 - 0.6 * (1.0 - tempo);
    for (size_t i = 0; i < sizeof leg_traits / sizeof leg_traits[0]; ++i) {
        const LegTrait *trait = &leg_traits[i];
        const double strength = snw_clamp(individual->strength[trait->trait], 0.0, 1.0);
        manner->pace *= share_of(trait->pace, strength);
        manner->stride *= share_of(trait->stride, strength);
        manner->lift *= share_of(trait->lift, strength);
        manner->bounce += strength * trait->bounce;
        manner->variation *= share_of(trait->variation, strength);
    }
    for (int i = 0; i < 2; ++i) { manner->hurt[i] = snw_max(manner->hurt[i], effects.hurt[i]); }
    for (int i = 0; i < FIELD_COUNT; ++i) {
        double *value = &numbers(manner)[i];
        *value = snw_clamp(*value, fields[i].lower, fields[i].upper);
    }
}
