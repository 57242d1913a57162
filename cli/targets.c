#include "targets.h"

#include "arguments.h"

#include "measure/motion_meter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Lower-case copy of a joint's name without what stands before a colon ("mixamorig:LeftHand").
static void plain_name(const char *name, char *out_name, size_t size)
{
    const char *colon = strrchr(name, ':');
    snprintf(out_name, size, "%s", colon != NULL && colon[1] != '\0' ? colon + 1 : name);
    for (char *c = out_name; *c != '\0'; ++c) { *c = (char)tolower((unsigned char)*c); }
}

/// Whether a name has the word in it and none of those that belong to smaller or other parts.
static bool name_fits(const char *name, const char *word)
{
    static const char *const others[] = { "thumb", "index", "middle", "ring", "pinky", "finger",
        "forehead", "toe", "rigmesh", "twist" };
    if (strstr(name, word) == NULL) { return false; }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (strstr(name, others[i]) != NULL) { return false; }
    }
    return true;
}

static void add_target(cli_Target *targets, int *count, int joint, bool turned)
{
    for (int i = 0; i < *count; ++i) {
        if (targets[i].joint == joint) { return; }
    }
    targets[*count].joint = joint;
    targets[*count].turned = turned;
    *count += 1;
}

/// Add the first joints of that word, none of them below another; returns how many there were.
static int add_part(
    const cli_Input *input, const char *word, int wanted, cli_Target *targets, int *count)
{
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    int joint_count = sinew_skeleton_joint_count(input->skeleton);
    int found = 0;
    for (int j = 0; j < joint_count && found < wanted;) {
        char name[256];
        plain_name(joints[j].name, name, sizeof name);
        if (!cli_is_end_site(input, j) && name_fits(name, word)) {
            add_target(targets, count, j, false);
            found += 1;
            j += joints[j].subtree_count;
        } else {
            j += 1;
        }
    }
    return found;
}

/// Head, hands and feet by their words, of a body that nobody knows.
static int add_named_parts(const cli_Input *input, cli_Target *targets, int *count)
{
    static const struct {
        const char *words[2];
        int wanted;
    } parts[] = { { { "head", "head" }, 1 }, { { "hand", "wrist" }, 2 },
        { { "foot", "ankle" }, 2 } };
    int limbs = 0;
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p) {
        int found = add_part(input, parts[p].words[0], parts[p].wanted, targets, count);
        if (found == 0) {
            found = add_part(input, parts[p].words[1], parts[p].wanted, targets, count);
        }
        limbs += found;
    }
    return limbs;
}

/// The joint that takes the body through the world: the hips, or what travels where nobody knows them. A
/// root above the hips may stay at the origin for a whole clip.
static void add_carrier(
    const cli_Input *input, const sinew_RoleGuess *roles, cli_Target *targets, int *count)
{
    int joint_count = sinew_skeleton_joint_count(input->skeleton), carrier = -1;
    for (int j = 0; j < joint_count && carrier < 0; ++j) {
        if (roles->joints[j].role == SINEW_ROLE_HIPS) { carrier = j; }
    }
    if (carrier < 0 || !measure_joint_travels(input->skeleton, carrier)) { carrier = -1; }
    for (int j = 0; j < joint_count && carrier < 0; ++j) {
        if (measure_joint_travels(input->skeleton, j)) { carrier = j; }
    }
    if (carrier >= 0) { add_target(targets, count, carrier, false); }
}

/// Ends of the body by its roles; toes go with their feet.
static int add_effectors(const sinew_RoleGuess *roles, cli_Target *targets, int *count)
{
    enum { MOST = 16 };
    int joints[MOST], found = 0;
    int effectors = sinew_roles_effectors(roles, joints, MOST);
    for (int i = 0; i < effectors && i < MOST; ++i) {
        sinew_Role role = roles->joints[joints[i]].role;
        if (role == SINEW_ROLE_HIPS || role == SINEW_ROLE_TOE) { continue; }
        add_target(targets, count, joints[i], false);
        ++found;
    }
    return found;
}

static int find_key_targets(cli_Input *input, const char *option, cli_Target *targets)
{
    const sinew_RoleGuess *roles = cli_input_roles(input);
    int count = 0;
    if (roles == NULL) { return 0; }
    add_carrier(input, roles, targets, &count);
    int limbs = add_effectors(roles, targets, &count);
    if (limbs == 0) { limbs = add_named_parts(input, targets, &count); }
    if (limbs == 0) {
        cli_error("%s: %s is no body that is known, and has no joint that is called a head, hand "
                  "or foot; "
                  "sinew info lists the joints",
            option, input->name);
        return 0;
    }
    return count;
}

/// Whether a joint turns by itself, so that its rotation says something that no place does: the twist of
/// its bone.
static bool turns(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton) + j->axis_start;
    for (int a = 0; a < j->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_BALL || axes[a].kind == SINEW_AXIS_HINGE) { return true; }
    }
    return false;
}

static int find_all_targets(const cli_Input *input, const char *option, cli_Target *targets)
{
    int count = 0;
    for (int j = 0; j < sinew_skeleton_joint_count(input->skeleton); ++j) {
        if (!measure_joint_travels(input->skeleton, j)) { continue; }
        targets[count].joint = j;
        targets[count].turned = turns(sinew_clip_skeleton(input->source), j);
        count += 1;
    }
    if (count == 0) { cli_error("%s: nothing in %s can move", option, input->name); }
    return count;
}

static int find_named_targets(
    const cli_Input *input, const char *option, const char *text, cli_Target *targets)
{
    static const char suffix[] = ":pose";
    int count = 0;
    for (const char *start = text; start != NULL;) {
        char name[512];
        size_t length = strcspn(start, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, start);
        start = start[length] == ',' ? start + length + 1 : NULL;

        // a joint may itself be called so
        size_t end = strlen(name) > strlen(suffix) ? strlen(name) - strlen(suffix) : 0;
        bool turned = end > 0 && strcmp(name + end, suffix) == 0
            && sinew_skeleton_find_joint(input->skeleton, name) < 0;
        if (turned) { name[end] = '\0'; }
        int joint = cli_find_joint(input, option, name);
        if (joint < 0) { return 0; }
        int before = count;
        add_target(targets, &count, joint, turned);
        if (count == before) {
            cli_error("%s: '%s' is given twice", option, name);
            return 0;
        }
    }
    return count;
}

int cli_find_targets(
    cli_Input *input, const char *option, const char *text, cli_Target **out_targets)
{
    size_t capacity = (size_t)sinew_skeleton_joint_count(input->skeleton);
    cli_Target *targets = calloc(capacity, sizeof *targets);
    *out_targets = targets;
    if (targets == NULL) {
        cli_out_of_memory();
        return 0;
    }
    if (strcmp(text, "all") == 0) { return find_all_targets(input, option, targets); }
    if (strcmp(text, "key") == 0) { return find_key_targets(input, option, targets); }
    return find_named_targets(input, option, text, targets);
}
