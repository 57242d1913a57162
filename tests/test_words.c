// The words of enumerations: each value has one of its own, and what is no value says so.

#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "sinew/sinew.h"

// Calls a function that takes some enumeration.
#define WORD_OF(function, type)                      \
    static const char *word_of_##function(int value) \
    {                                                \
        return sinew_##function((type)value);        \
    }
WORD_OF(status_text, sinew_Status)
WORD_OF(method_name, sinew_Method)
WORD_OF(form_name, sinew_LinearForm)
WORD_OF(outcome_name, sinew_Outcome)
WORD_OF(found_by_name, sinew_FoundBy)
WORD_OF(goal_kind_name, sinew_GoalKind)
WORD_OF(blocker_name, sinew_BlockerKind)
WORD_OF(conditioning_name, sinew_Conditioning)
WORD_OF(contact_part_name, sinew_ContactPart)
WORD_OF(trait_name, sinew_Trait)
WORD_OF(rig_kind_name, sinew_RigKind)
WORD_OF(body_kind_name, sinew_BodyKind)
WORD_OF(role_source_name, sinew_RoleSource)
WORD_OF(stance_source_name, sinew_StanceSource)
WORD_OF(stance_witness_name, sinew_StanceWitness)
WORD_OF(stance_code_name, sinew_StanceCode)
WORD_OF(control_kind_name, sinew_ControlKind)
WORD_OF(euler_order_name, sinew_EulerOrder)
WORD_OF(format_name, sinew_FileFormat)

static const struct {
    const char *name;
    const char *(*word)(int value);
    int last; // value of the enumeration
} words[] = {
    { "status", word_of_status_text, SINEW_STATUS_UNSUPPORTED },
    { "method", word_of_method_name, SINEW_METHOD_COUNT - 1 },
    { "form", word_of_form_name, SINEW_FORM_COUNT - 1 },
    { "outcome", word_of_outcome_name, SINEW_OUTCOME_OUT_OF_TIME },
    { "found by", word_of_found_by_name, SINEW_FOUND_RESTART },
    { "goal", word_of_goal_kind_name, SINEW_GOAL_REST },
    { "blocker", word_of_blocker_name, SINEW_BLOCKER_UNFINISHED },
    { "conditioning", word_of_conditioning_name, SINEW_CONDITIONING_SINGULAR },
    { "contact part", word_of_contact_part_name, SINEW_CONTACT_MARKED },
    { "trait", word_of_trait_name, SINEW_TRAIT_COUNT - 1 },
    { "rig kind", word_of_rig_kind_name, SINEW_RIG_FIXED },
    { "body kind", word_of_body_kind_name, SINEW_BODY_ROBOT_ARM },
    { "role source", word_of_role_source_name, SINEW_ROLES_BY_BOTH },
    { "stance source", word_of_stance_source_name, SINEW_STANCE_FRAME },
    { "stance witness", word_of_stance_witness_name, SINEW_WITNESS_ELBOWS },
    { "stance code", word_of_stance_code_name, SINEW_STANCE_CODE_COUNT - 1 },
    { "control", word_of_control_kind_name, SINEW_CONTROL_TOES },
    { "euler order", word_of_euler_order_name, SINEW_EULER_ZYX },
    { "format", word_of_format_name, SINEW_FORMAT_GLTF },
};

static void test_words_are_their_own(void **state)
{
    (void)state;
    for (size_t w = 0; w < sizeof words / sizeof words[0]; ++w) {
        print_message("%s:", words[w].name);
        for (int v = 0; v <= words[w].last; ++v) {
            const char *word = words[w].word(v);
            print_message(" %s,", word);
            TEST_TRUE(word != NULL && word[0] != '\0');
            for (int other = 0; other < v; ++other) {
                TEST_TRUE(strcmp(word, words[w].word(other)) != 0);
            }
        }
        // beyond either end there is some word, the same for all
        const char *below = words[w].word(-1), *above = words[w].word(1000);
        TEST_TRUE(below != NULL && above != NULL && strcmp(below, above) == 0);
        print_message(" else %s\n", above);
        // the first that is no value
        TEST_TRUE(strcmp(words[w].word(words[w].last + 1), above) == 0);
    }
}

TEST_MAIN(cmocka_unit_test(test_words_are_their_own))
