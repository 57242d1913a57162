// Traits as numbers: one table says what each does at full strength.

#include "sinew/individual.h"

#include "base/message.h"
#include "math/exp.h"
#include "math/trig.h"

#include <string.h>

// a knee of people bends as far as this; between it and a stiff one strengths go by equal ratios
#define FULL_BEND (140.0 * SNW_DEGREE)
#define STIFF_BEND (22.0 * SNW_DEGREE)
// the heaviest body is this much heavier than usual
#define HEAVIEST 1.6

static const char *const names[SINEW_TRAIT_COUNT] = { "stiff_knee_left", "stiff_knee_right",
    "limp_left", "limp_right", "bad_back", "heavy", "child", "old", "tired", "happy", "sad",
    "angry" };

const char *sinew_trait_name(sinew_Trait trait)
{
    return (int)trait >= 0 && (int)trait < SINEW_TRAIT_COUNT ? names[trait] : "";
}

// ---------------------------------------------------------------------------------------------
// The table

typedef enum Kind {
    RANGE,
    MOBILITY,
    MOTION,
    LEAN,
    HEAD_LEAN,
    ARMS_OUT,
    CROUCH,
    HURT,
    TEMPO,
    MASS,
    STIFF_KNEE,
} Kind;

/// side: of roles NONE means all, of HURT and STIFF_KNEE which leg.
typedef struct Effect {
    sinew_Trait trait;
    Kind kind;
    sinew_Role role;
    sinew_Side side;
    double value;
} Effect;

#define NOBODY SINEW_ROLE_NONE
#define ALL SINEW_SIDE_NONE
#define LEFT SINEW_SIDE_LEFT
#define RIGHT SINEW_SIDE_RIGHT

// a trunk's parts are multiplied together along it, so each takes part of what the whole does
static const Effect effects[] = {
    { SINEW_TRAIT_STIFF_KNEE_LEFT, STIFF_KNEE, SINEW_ROLE_SHIN, LEFT, STIFF_BEND },
    { SINEW_TRAIT_STIFF_KNEE_LEFT, MOBILITY, SINEW_ROLE_SHIN, LEFT, 0.2 },
    { SINEW_TRAIT_STIFF_KNEE_RIGHT, STIFF_KNEE, SINEW_ROLE_SHIN, RIGHT, STIFF_BEND },
    { SINEW_TRAIT_STIFF_KNEE_RIGHT, MOBILITY, SINEW_ROLE_SHIN, RIGHT, 0.2 },

    { SINEW_TRAIT_LIMP_LEFT, HURT, NOBODY, LEFT, 1.0 },
    { SINEW_TRAIT_LIMP_LEFT, MOBILITY, SINEW_ROLE_SHIN, LEFT, 0.6 },
    { SINEW_TRAIT_LIMP_LEFT, RANGE, SINEW_ROLE_FOOT, LEFT, 0.6 },
    { SINEW_TRAIT_LIMP_RIGHT, HURT, NOBODY, RIGHT, 1.0 },
    { SINEW_TRAIT_LIMP_RIGHT, MOBILITY, SINEW_ROLE_SHIN, RIGHT, 0.6 },
    { SINEW_TRAIT_LIMP_RIGHT, RANGE, SINEW_ROLE_FOOT, RIGHT, 0.6 },

    { SINEW_TRAIT_BAD_BACK, LEAN, NOBODY, ALL, 22.0 * SNW_DEGREE },
    { SINEW_TRAIT_BAD_BACK, HEAD_LEAN, NOBODY, ALL, -8.0 * SNW_DEGREE },
    { SINEW_TRAIT_BAD_BACK, MOTION, SINEW_ROLE_SPINE, ALL, 0.3 },
    { SINEW_TRAIT_BAD_BACK, MOTION, SINEW_ROLE_CHEST, ALL, 0.3 },
    { SINEW_TRAIT_BAD_BACK, RANGE, SINEW_ROLE_SPINE, ALL, 0.4 },
    { SINEW_TRAIT_BAD_BACK, RANGE, SINEW_ROLE_CHEST, ALL, 0.4 },
    { SINEW_TRAIT_BAD_BACK, MOBILITY, SINEW_ROLE_SPINE, ALL, 0.3 },
    { SINEW_TRAIT_BAD_BACK, MOBILITY, SINEW_ROLE_CHEST, ALL, 0.3 },
    { SINEW_TRAIT_BAD_BACK, TEMPO, NOBODY, ALL, 0.8 },

    { SINEW_TRAIT_HEAVY, ARMS_OUT, NOBODY, ALL, 16.0 * SNW_DEGREE },
    { SINEW_TRAIT_HEAVY, LEAN, NOBODY, ALL, -6.0 * SNW_DEGREE },
    { SINEW_TRAIT_HEAVY, MOTION, SINEW_ROLE_UPPERARM, ALL, 0.7 },
    { SINEW_TRAIT_HEAVY, MOTION, SINEW_ROLE_SPINE, ALL, 0.7 },
    { SINEW_TRAIT_HEAVY, RANGE, SINEW_ROLE_THIGH, ALL, 0.75 },
    { SINEW_TRAIT_HEAVY, RANGE, SINEW_ROLE_SPINE, ALL, 0.7 },
    { SINEW_TRAIT_HEAVY, TEMPO, NOBODY, ALL, 0.82 },
    { SINEW_TRAIT_HEAVY, MASS, NOBODY, ALL, HEAVIEST },

    { SINEW_TRAIT_CHILD, TEMPO, NOBODY, ALL, 1.25 },
    { SINEW_TRAIT_CHILD, ARMS_OUT, NOBODY, ALL, 10.0 * SNW_DEGREE },
    { SINEW_TRAIT_CHILD, MOTION, SINEW_ROLE_UPPERARM, ALL, 1.25 },
    { SINEW_TRAIT_CHILD, MOTION, SINEW_ROLE_SPINE, ALL, 1.2 },
    { SINEW_TRAIT_CHILD, MASS, NOBODY, ALL, 0.5 },

    { SINEW_TRAIT_OLD, LEAN, NOBODY, ALL, 18.0 * SNW_DEGREE },
    { SINEW_TRAIT_OLD, HEAD_LEAN, NOBODY, ALL, -12.0 * SNW_DEGREE },
    { SINEW_TRAIT_OLD, CROUCH, NOBODY, ALL, 0.03 },
    { SINEW_TRAIT_OLD, MOTION, SINEW_ROLE_UPPERARM, ALL, 0.5 },
    { SINEW_TRAIT_OLD, MOTION, SINEW_ROLE_SPINE, ALL, 0.6 },
    { SINEW_TRAIT_OLD, RANGE, SINEW_ROLE_UPPERARM, ALL, 0.7 },
    { SINEW_TRAIT_OLD, RANGE, SINEW_ROLE_SPINE, ALL, 0.6 },
    { SINEW_TRAIT_OLD, RANGE, SINEW_ROLE_THIGH, ALL, 0.8 },
    { SINEW_TRAIT_OLD, TEMPO, NOBODY, ALL, 0.75 },

    { SINEW_TRAIT_TIRED, LEAN, NOBODY, ALL, 10.0 * SNW_DEGREE },
    { SINEW_TRAIT_TIRED, HEAD_LEAN, NOBODY, ALL, 20.0 * SNW_DEGREE },
    { SINEW_TRAIT_TIRED, CROUCH, NOBODY, ALL, 0.02 },
    { SINEW_TRAIT_TIRED, MOTION, SINEW_ROLE_UPPERARM, ALL, 0.55 },
    { SINEW_TRAIT_TIRED, MOTION, SINEW_ROLE_FOREARM, ALL, 0.6 },
    { SINEW_TRAIT_TIRED, MOBILITY, SINEW_ROLE_UPPERARM, ALL, 0.6 },
    { SINEW_TRAIT_TIRED, TEMPO, NOBODY, ALL, 0.85 },

    // what tells moods in a walk: bearing of the head, size of arm swing, tempo; Montepare, Goldstein and Clausen
    // (1987), Roether et al. (2009)
    { SINEW_TRAIT_HAPPY, LEAN, NOBODY, ALL, -3.0 * SNW_DEGREE },
    { SINEW_TRAIT_HAPPY, HEAD_LEAN, NOBODY, ALL, -6.0 * SNW_DEGREE },
    { SINEW_TRAIT_HAPPY, MOTION, SINEW_ROLE_UPPERARM, ALL, 1.5 },
    { SINEW_TRAIT_HAPPY, MOTION, SINEW_ROLE_SPINE, ALL, 1.4 },
    { SINEW_TRAIT_HAPPY, TEMPO, NOBODY, ALL, 1.12 },

    { SINEW_TRAIT_SAD, LEAN, NOBODY, ALL, 6.0 * SNW_DEGREE },
    { SINEW_TRAIT_SAD, HEAD_LEAN, NOBODY, ALL, 24.0 * SNW_DEGREE },
    { SINEW_TRAIT_SAD, CROUCH, NOBODY, ALL, 0.01 },
    { SINEW_TRAIT_SAD, MOTION, SINEW_ROLE_UPPERARM, ALL, 0.4 },
    { SINEW_TRAIT_SAD, MOTION, SINEW_ROLE_SPINE, ALL, 0.7 },
    { SINEW_TRAIT_SAD, TEMPO, NOBODY, ALL, 0.78 },

    { SINEW_TRAIT_ANGRY, LEAN, NOBODY, ALL, 8.0 * SNW_DEGREE },
    { SINEW_TRAIT_ANGRY, HEAD_LEAN, NOBODY, ALL, 4.0 * SNW_DEGREE },
    { SINEW_TRAIT_ANGRY, ARMS_OUT, NOBODY, ALL, 6.0 * SNW_DEGREE },
    { SINEW_TRAIT_ANGRY, MOTION, SINEW_ROLE_UPPERARM, ALL, 1.6 },
    { SINEW_TRAIT_ANGRY, TEMPO, NOBODY, ALL, 1.18 },
};

// ---------------------------------------------------------------------------------------------
// Adding up

static void scale(double factors[SINEW_ROLE_COUNT][3], const Effect *e, double strength)
{
    for (int side = 0; side < 3; ++side) {
        if (e->side != ALL && side != (int)e->side) { continue; }
        factors[e->role][side] *= 1.0 + strength * (e->value - 1.0);
    }
}

static void add(sinew_IndividualEffects *sum, const Effect *e, double strength)
{
    int leg = e->side == RIGHT ? 1 : 0;
    switch (e->kind) {
    case RANGE: scale(sum->range, e, strength); break;
    case MOBILITY: scale(sum->mobility, e, strength); break;
    case MOTION: scale(sum->motion, e, strength); break;
    case LEAN: sum->lean += strength * e->value; break;
    case HEAD_LEAN: sum->head_lean += strength * e->value; break;
    case ARMS_OUT: sum->arms_out += strength * e->value; break;
    case CROUCH: sum->crouch += strength * e->value; break;
    case HURT: sum->hurt[leg] = fmax(sum->hurt[leg], strength * e->value); break;
    case TEMPO: sum->tempo *= 1.0 + strength * (e->value - 1.0); break;
    case MASS: sum->mass *= 1.0 + strength * (e->value - 1.0); break;
    case STIFF_KNEE:
        if (strength > 0.0) {
            double bend = FULL_BEND * snw_pow(e->value / FULL_BEND, strength);
            sum->knee_bend[leg] = fmin(sum->knee_bend[leg], bend);
        }
        break;
    }
}

sinew_IndividualEffects sinew_individual_effects(const sinew_Individual *individual)
{
    sinew_IndividualEffects sum = {
        .knee_bend = { SINEW_PI, SINEW_PI }, .tempo = 1.0, .mass = 1.0
    };
    for (int r = 0; r < SINEW_ROLE_COUNT; ++r) {
        for (int s = 0; s < 3; ++s) {
            sum.range[r][s] = sum.mobility[r][s] = sum.motion[r][s] = 1.0;
        }
    }
    for (size_t i = 0; individual != NULL && i < sizeof effects / sizeof effects[0]; ++i) {
        double strength = individual->strength[effects[i].trait];
        add(&sum, &effects[i], strength > 0.0 ? fmin(strength, 1.0) : 0.0);
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Words

static int find_trait(const char *text, size_t length)
{
    for (int i = 0; i < SINEW_TRAIT_COUNT; ++i) {
        if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0) { return i; }
    }
    return -1;
}

// digits with a point, 0..1; -1 for anything else
static double read_strength(const char *text, size_t length)
{
    double value = 0.0, unit = 1.0;
    bool point = false, any = false;
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '.' && !point) {
            point = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            any = true;
            if (point) { unit *= 0.1; }
            value = point ? value + unit * (text[i] - '0') : 10.0 * value + (text[i] - '0');
        } else {
            return -1.0;
        }
    }
    return any && value <= 1.0 ? value : -1.0;
}

sinew_Status sinew_individual_parse(
    const char *text, sinew_Individual *out_individual, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "text out_individual", text, out_individual);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Individual read = { { 0.0 } };
    for (const char *item = text;;) {
        size_t length = strcspn(item, ","), name = strcspn(item, ":,");
        int trait = find_trait(item, name);
        double strength = name < length ? read_strength(item + name + 1, length - name - 1) : 1.0;
        if (trait < 0) {
            return snw_refuse(out_message,
                "found '%s', expected stiff_knee_left, stiff_knee_right, limp_left, limp_right, "
                "bad_back, heavy, child, old, tired, happy, sad or angry, each with :0..1",
                item);
        }
        if (strength < 0.0) {
            return snw_refuse(out_message,
                "found '%s', expected a strength of 0..1 behind %s:", item, names[trait]);
        }
        if (read.strength[trait] > 0.0) {
            return snw_refuse(
                out_message, "found %s twice, expected each trait once", names[trait]);
        }
        read.strength[trait] = strength;
        if (item[length] == '\0') { break; }
        item += length + 1;
    }
    *out_individual = read;
    return SINEW_STATUS_OK;
}
