#include "goal_text.h"

#include "problem.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *option, *shape;
    int counts[3]; // of numbers; 0: no more
} forms[] = {
    { "--goal", "JOINT=x,y,z or JOINT=x,y,z,qx,qy,qz,qw", { 3, 7, 0 } },
    { "--turn", "JOINT=qx,qy,qz,qw", { 4, 0, 0 } },
    { "--aim", "JOINT=x,y,z or JOINT=x,y,z,ax,ay,az", { 3, 6, 0 } },
    { "--level", "JOINT, JOINT=ax,ay,az or JOINT=ax,ay,az,dx,dy,dz", { 3, 6, 0 } },
    { "--pole", "JOINT=x,y,z", { 3, 0, 0 } },
    { "--com", "x,z (x,y of robots) or x,y,z", { 2, 3, 0 } },
    { "--support", "JOINT,JOINT,... or x,z,x,z,... (x,y,x,y,... of robots)", { 0, 0, 0 } },
    { "--rest", "a weight", { 1, 0, 0 } },
};

// ---------------------------------------------------------------------------------------------
// Suffixes

static bool is_mask(const char *suffix)
{
    size_t length = strlen(suffix);
    return length >= 1 && length <= 3 && strspn(suffix, "xyz") == length;
}

// what a suffix says is said once
static bool said_before(const cli_GoalText *text, bool said, const char *suffix)
{
    if (said) { cli_error("%s: found ':%s' and another one before", text->option, suffix); }
    return said;
}

// one suffix; *out_known tells whether it is any
static bool take_suffix(cli_GoalText *text, const char *suffix, bool *out_known)
{
    *out_known = true;
    if (strcmp(suffix, "hold") == 0) {
        if (said_before(text, text->hold, suffix)) { return false; }
        text->hold = true;
        return true;
    }
    if (is_mask(suffix)) {
        if (said_before(text, text->mask != 0, suffix)) { return false; }
        for (const char *c = suffix; *c != '\0'; ++c) {
            const unsigned axis = 1u << (*c - 'x');
            if (text->mask & axis) {
                cli_error("%s: found ':%s', expected each axis once", text->option, suffix);
                return false;
            }
            text->mask |= axis;
        }
        return true;
    }
    char *end = NULL;
    double value = strtod(suffix + 1, &end);
    bool number = suffix[0] != '\0' && end != suffix + 1 && *end == '\0';
    if (number && suffix[0] == 'p') {
        if (!(value >= 0.0 && value <= SINEW_MAX_PRIORITY) || value != (int)value) {
            cli_error(
                "%s: found ':%s', expected p0 to p%d", text->option, suffix, SINEW_MAX_PRIORITY);
            return false;
        }
        if (said_before(text, text->has_priority, suffix)) { return false; }
        text->has_priority = true;
        text->priority = (int)value;
        return true;
    }
    if (number && (suffix[0] == 'w' || suffix[0] == 'm')) {
        if (!(value >= 0.0 && value <= 1e9)) {
            cli_error("%s: found ':%s', expected a number of 0 to 1e9", text->option, suffix);
            return false;
        }
        double *said = suffix[0] == 'w' ? &text->weight : &text->margin;
        if (said_before(text, *said >= 0.0, suffix)) { return false; }
        *said = value;
        return true;
    }
    *out_known = false;
    return true;
}

// cut suffixes off the end; strict: what follows a colon must be one
static bool cut_suffixes(cli_GoalText *text, char *body, bool strict)
{
    char *reference = strstr(body, ":in:");
    if (reference != NULL) {
        strcpy(text->reference, reference + 4);
        *reference = '\0';
        if (text->reference[0] == '\0') {
            cli_error("%s: found nothing after ':in:', expected a joint", text->option);
            return false;
        }
    }
    for (char *colon; (colon = strrchr(body, ':')) != NULL; *colon = '\0') {
        bool known;
        if (!take_suffix(text, colon + 1, &known)) { return false; }
        if (known) { continue; }
        if (!strict) { break; }
        cli_error("%s: found ':%s', expected :pN, :wX, :mX, :hold, axes such as :xz, or :in:JOINT",
            text->option, colon + 1);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Reading

static bool read_numbers(cli_GoalText *text, const char *from, const char *whole)
{
    int least = forms[text->form].counts[0], most = least;
    for (int i = 0; i < 3 && forms[text->form].counts[i] > 0; ++i) {
        most = forms[text->form].counts[i];
    }
    text->number_count = cli_parse_numbers(text->option, from, least, most, text->numbers);
    if (text->number_count == 0) { return false; }
    for (int i = 0; i < 3; ++i) {
        if (forms[text->form].counts[i] == text->number_count) { return true; }
    }
    cli_error("%s: found %d number%s in '%s', expected %d or %d", text->option, text->number_count,
        snw_plural(text->number_count), whole, least, most);
    return false;
}

static sinew_Vec3 vector_at(const cli_GoalText *text, int first)
{
    return sinew_vec3(text->numbers[first], text->numbers[first + 1], text->numbers[first + 2]);
}

// directions of aims and levels, which may be of any length but 0
static bool check_directions(const cli_GoalText *text, const char *whole)
{
    if (text->form != CLI_GOAL_AIM && text->form != CLI_GOAL_LEVEL) { return true; }
    for (int i = text->form == CLI_GOAL_AIM ? 3 : 0; i < text->number_count; i += 3) {
        if (sinew_vec3_length(vector_at(text, i)) > 0.0) { continue; }
        cli_error(
            "%s: found the direction 0,0,0 in '%s', expected another one", text->option, whole);
        return false;
    }
    return true;
}

// a polygon in numbers, or the names of joints
static bool read_support(cli_GoalText *text, const char *body)
{
    strcpy(text->list, body);
    char *end = NULL;
    (void)strtod(body, &end);
    if (end == body && body[0] != '\0') { return true; }
    text->list[0] = '\0';
    text->number_count = cli_parse_numbers(
        text->option, body, 2, 2 * SINEW_MAX_SUPPORT_POINTS, text->numbers);
    if (text->number_count == 0) { return false; }
    if (text->number_count % 2 != 0) {
        cli_error("%s: found %d numbers in '%s', expected pairs x,z", text->option,
            text->number_count, body);
        return false;
    }
    return true;
}

bool cli_goal_parse(cli_GoalForm form, const char *whole, bool full, cli_GoalText *text)
{
    char body[CLI_GOAL_TEXT_SIZE];
    memset(text, 0, sizeof *text);
    text->form = form;
    text->option = forms[form].option;
    text->weight = text->margin = -1.0;
    size_t length = strlen(whole);
    if (length >= sizeof body) {
        cli_error("%s: found a text of %zu characters, expected at most %zu", text->option, length,
            sizeof body - 1);
        return false;
    }
    memcpy(body, whole, length + 1);
    bool named = form <= CLI_GOAL_POLE;
    // joints may have colons and equal signs in their names: numbers follow the last '='
    char *equals = named ? strrchr(body, '=') : NULL;
    if (named && (equals == body || (equals == NULL && form != CLI_GOAL_LEVEL))) {
        cli_error("%s: found '%s', expected %s", text->option, whole, forms[form].shape);
        return false;
    }
    char *numbers = equals != NULL ? equals + 1 : body;
    if (!cut_suffixes(text, numbers, form != CLI_GOAL_SUPPORT && (equals != NULL || !named))) {
        return false;
    }
    if (equals != NULL) { *equals = '\0'; }
    if (named) { strcpy(text->joint, body); }
    if (form == CLI_GOAL_SUPPORT && text->mask != 0) {
        cli_error("%s: found axes that count, expected none: the ground's two do", text->option);
        return false;
    }
    if (form == CLI_GOAL_SUPPORT) { return read_support(text, body); }
    if (equals == NULL && named) { return true; }
    if (!read_numbers(text, numbers, whole) || !check_directions(text, whole)) { return false; }
    if (form == CLI_GOAL_REST && !(text->numbers[0] >= 0.0 && text->numbers[0] <= 1e9)) {
        cli_error("%s: found '%s', expected a weight of 0 to 1e9", text->option, whole);
        return false;
    }
    int quat = form == CLI_GOAL_TURN ? 0 : 3;
    bool turns = form == CLI_GOAL_TURN || (form == CLI_GOAL_PLACE && text->number_count == 7);
    sinew_Quat unit;
    if (turns && !cli_unit_quat(text->numbers + quat, &unit)) {
        const double *q = text->numbers + quat;
        cli_error("%s: found the quaternion %g,%g,%g,%g in '%s', expected one of length 1",
            text->option, q[0], q[1], q[2], q[3], whole);
        return false;
    }
    if (form == CLI_GOAL_PLACE && full && text->number_count == 3) {
        cli_error("%s: found 3 numbers in '%s', expected 7: --jacobian full needs an orientation",
            text->option, whole);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Making

// of length 1; reading has refused 0
static sinew_Vec3 unit_at(const cli_GoalText *text, int first)
{
    sinew_Vec3 v = vector_at(text, first);
    return sinew_vec3_scale(v, 1.0 / sinew_vec3_length(v));
}

// of length 1; reading has refused 0
static sinew_Quat quat_at(const cli_GoalText *text, int first)
{
    sinew_Quat r = sinew_quat_identity();
    (void)cli_unit_quat(text->numbers + first, &r);
    return r;
}

// How the body stands, where it is a person that was seen standing and no robot; else NULL.
static const sinew_Stance *standing(cli_Input *input)
{
    const sinew_Stance *stance = cli_is_robot(input) ? NULL : cli_input_stance(input);
    return stance != NULL && stance->source != SINEW_STANCE_NONE ? stance : NULL;
}

// robots stand on x and y, and so does who stands along Z in a file; everybody else on x and z
static bool is_y_up(cli_Input *input)
{
    const sinew_Stance *stance = standing(input);
    return stance != NULL ? fabs(stance->up.z) < 0.9 : !cli_is_robot(input);
}

// where the body looks: +Z where Y is up; a robot +X, and who stands along Z as it stands
static sinew_Vec3 forward_of(cli_Input *input)
{
    if (is_y_up(input)) { return sinew_vec3(0.0, 0.0, 1.0); }
    const sinew_Stance *stance = standing(input);
    return stance != NULL ? stance->ahead : sinew_vec3(1.0, 0.0, 0.0);
}

static void make_aim(
    const cli_GoalText *text, cli_Input *input, sinew_Quat world_from_joint, sinew_Goal *goal)
{
    sinew_Vec3 axis = sinew_quat_rotate(sinew_quat_conjugate(world_from_joint), forward_of(input));
    if (text->number_count == 6) { axis = unit_at(text, 3); }
    *goal = sinew_goal_aim(goal->joint, axis, vector_at(text, 0));
}

static void make_level(
    const cli_GoalText *text, cli_Input *input, sinew_Quat world_from_joint, sinew_Goal *goal)
{
    sinew_Vec3 up = is_y_up(input) ? sinew_vec3(0.0, 1.0, 0.0) : sinew_vec3(0.0, 0.0, 1.0);
    sinew_Vec3 axis = sinew_quat_rotate(sinew_quat_conjugate(world_from_joint), up);
    if (text->number_count >= 3) { axis = unit_at(text, 0); }
    if (text->number_count == 6) { up = unit_at(text, 3); }
    *goal = sinew_goal_direction(goal->joint, axis, up);
}

// a knee or elbow: from the first joint above that is elsewhere to the first one below
static bool make_pole(const cli_GoalText *text, cli_Input *input, sinew_Goal *goal)
{
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    int middle = goal->joint, start = middle, end = middle + 1;
    while (start >= 0 && sinew_vec3_length(joints[start].offset) <= 1e-9) {
        start = joints[start].parent;
    }
    start = start >= 0 ? joints[start].parent : -1;
    int after = middle + joints[middle].subtree_count;
    while (end < after && sinew_vec3_length(joints[end].offset) <= 1e-9) { end += 1; }
    if (start < 0 || end >= after) {
        cli_error("%s: '%s' is not between two joints, as a knee or an elbow is", text->option,
            text->joint);
        return false;
    }
    *goal = sinew_goal_pole(start, middle, end, vector_at(text, 0));
    return true;
}

static void make_center(const cli_GoalText *text, cli_Input *input, sinew_Goal *goal)
{
    bool y_up = is_y_up(input);
    double a = text->numbers[0], b = text->numbers[1];
    if (text->number_count == 3) {
        *goal = sinew_goal_center_of_mass(vector_at(text, 0));
        goal->position_mask = SINEW_MASK_ALL;
        return;
    }
    *goal = sinew_goal_center_of_mass(y_up ? sinew_vec3(a, 0.0, b) : sinew_vec3(a, b, 0.0));
    if (!y_up) { goal->position_mask = SINEW_MASK_X | SINEW_MASK_Y; }
}

static bool make_support(const cli_GoalText *text, cli_Input *input, const sinew_Transform *world,
    sinew_Vec3 *points, sinew_Goal *goal)
{
    int count = 0;
    bool y_up = is_y_up(input);
    for (int i = 0; i + 1 < text->number_count; i += 2) {
        double a = text->numbers[i], b = text->numbers[i + 1];
        points[count++] = y_up ? sinew_vec3(a, 0.0, b) : sinew_vec3(a, b, 0.0);
    }
    char list[sizeof text->list], *rest = list;
    snprintf(list, sizeof list, "%s", text->list);
    while (rest != NULL && *rest != '\0') {
        char *name = rest, *comma = strchr(rest, ',');
        if (comma != NULL) { *comma = '\0'; }
        rest = comma != NULL ? comma + 1 : NULL;
        int joint = cli_find_joint(input, text->option, name);
        if (joint < 0) { return false; }
        if (count == SINEW_MAX_SUPPORT_POINTS) {
            cli_error("%s: at most %d joints", text->option, SINEW_MAX_SUPPORT_POINTS);
            return false;
        }
        points[count++] = world[joint].position;
    }
    *goal = sinew_goal_support(points, count);
    if (!y_up) { goal->position_mask = SINEW_MASK_X | SINEW_MASK_Y; }
    if (text->margin >= 0.0) { goal->support_margin = text->margin; }
    return true;
}

static bool make_of_form(const cli_GoalText *text, cli_Input *input, const sinew_Transform *world,
    sinew_Vec3 *points, sinew_Goal *goal)
{
    int joint = goal->joint;
    switch (text->form) {
    case CLI_GOAL_PLACE:
        *goal = sinew_goal_position(joint, vector_at(text, 0));
        if (text->number_count == 3) { return true; }
        *goal = sinew_goal_pose(joint, vector_at(text, 0), quat_at(text, 3));
        return true;
    case CLI_GOAL_TURN: *goal = sinew_goal_orientation(joint, quat_at(text, 0)); return true;
    case CLI_GOAL_AIM: make_aim(text, input, world[joint].rotation, goal); return true;
    case CLI_GOAL_LEVEL: make_level(text, input, world[joint].rotation, goal); return true;
    case CLI_GOAL_POLE: return make_pole(text, input, goal);
    case CLI_GOAL_COM: make_center(text, input, goal); return true;
    case CLI_GOAL_SUPPORT: return make_support(text, input, world, points, goal);
    case CLI_GOAL_REST: *goal = sinew_goal_rest(text->numbers[0]); return true;
    }
    return false;
}

bool cli_goal_make(const cli_GoalText *text, cli_Input *input, const double *start_q,
    int chain_root, sinew_Vec3 *points, sinew_Goal *goal)
{
    const sinew_Skeleton *skeleton = input->skeleton;
    int joint = -1;
    if (text->form <= CLI_GOAL_POLE) {
        joint = cli_find_joint(input, text->option, text->joint);
        if (joint < 0) { return false; }
    }
    sinew_Transform *world = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *world);
    if (world == NULL) { return cli_out_of_memory(); }
    sinew_pose_forward(skeleton, start_q, world);
    memset(goal, 0, sizeof *goal);
    goal->joint = joint;
    bool good = make_of_form(text, input, world, points, goal);
    free(world);
    if (!good) { return false; }

    goal->chain_root = chain_root;
    goal->priority = text->priority;
    goal->constraint = text->hold;
    if (text->mask != 0) { goal->position_mask = goal->orientation_mask = text->mask; }
    if (text->weight >= 0.0) { goal->position_weight = goal->orientation_weight = text->weight; }
    if (text->reference[0] == '\0') { return true; }
    goal->reference = cli_find_joint(input, text->option, text->reference);
    if (goal->reference == joint && goal->kind < SINEW_GOAL_POLE) {
        cli_error("%s: nothing moves '%s' in its own frame", text->option, text->reference);
        return false;
    }
    return goal->reference >= 0;
}
