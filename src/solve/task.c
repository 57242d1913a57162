#include "solve/task.h"

#include "math/chord.h"
#include "math/holds.h"
#include "solve/asked.h"

// A direction or a swivel fades within this share of the reach (of the chain) around the place where
// there is none, so that its rows stay bounded.
#define FADE 1e-3
#define POLE_FADE 1e-2
// cosine of half the angle from which a masked orientation counts as half a turn away
#define HALF_TURN 0.05

static sinew_Vec3 place_point(const snw_State *state, const snw_Place *place)
{
    if (place->link < 0) { return place->offset; }
    return sinew_vec3_add(state->position[place->link],
        sinew_mat3_mul_vec3(state->rotation[place->link], place->offset));
}

static sinew_Mat3 place_turn(const snw_State *state, const snw_Place *place)
{
    if (place->link < 0) { return place->turn; }
    return sinew_mat3_mul(state->rotation[place->link], place->turn);
}

static sinew_Vec3 from_frame(const sinew_Mat3 *turn, sinew_Vec3 origin, sinew_Vec3 v)
{
    return sinew_vec3_add(origin, sinew_mat3_mul_vec3(*turn, v));
}

static const sinew_Vec3 world_axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };

void snw_task_set_target(
    const snw_Plan *plan, snw_Targets *targets, const sinew_Goal *goal, int index)
{
    SNW_ASSERT(index >= 0);
    const snw_Task *task = &plan->tasks[plan->effectors[index].task];
    double length = targets->orientation_length;
    targets->position[index] = snw_goal_place(goal);
    targets->position_scale[index] = task->position_row_count > 0 ? sqrt(goal->position_weight)
                                                                  : 0.0;
    targets->orientation_scale[index] = task->has_orientation
        ? length * sqrt(goal->orientation_weight)
        : 0.0;
    if (task->kind <= SINEW_GOAL_POSE) {
        targets->orientation[index] = sinew_mat3_from_quat(
            sinew_quat_normalize(snw_goal_turn(goal)));
    }
    targets->axis[index] = sinew_vec3_normalize_or(goal->axis, goal->axis);
    sinew_Vec3 direction = snw_goal_direction(goal);
    targets->direction[index] = sinew_vec3_normalize_or(direction, direction);
    if (task->kind == SINEW_GOAL_REST) {
        targets->rest_weight += length * length * goal->orientation_weight;
    }
    if (task->kind == SINEW_GOAL_SUPPORT) {
        snw_support_build(&targets->supports[task->support], goal);
    }
}

// ---------------------------------------------------------------------------------------------
// Directions: where d is against the effector's axis u, in a basis across d

typedef struct Direction {
    sinew_Vec3 point, place; // effector and what it aims at
    sinew_Mat3 turn;         // of the effector
    sinew_Vec3 axis, wanted; // u and d, world, unit
    sinew_Vec3 a, b;         // across d
    double reciprocal;       // 1 / distance, faded; 0 for a direction
    double fade;             // 1 but for aims at places next to the effector
} Direction;

static void set_basis(Direction *r)
{
    sinew_Vec3 d = r->wanted;
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    sinew_Vec3 other = x <= y && x <= z ? world_axes[0] : y <= z ? world_axes[1] : world_axes[2];
    r->a = sinew_vec3_normalize_or(sinew_vec3_cross(other, d), other);
    r->b = sinew_vec3_cross(d, r->a);
}

static Direction measure_direction(
    const snw_Plan *plan, const snw_Targets *targets, const snw_State *state, const snw_Task *task)
{
    Direction r = { .reciprocal = 0.0, .fade = 1.0 };
    sinew_Mat3 reference = place_turn(state, &task->reference);
    r.turn = place_turn(state, &task->effector);
    r.axis = sinew_mat3_mul_vec3(r.turn, targets->axis[task->goal]);
    if (task->kind == SINEW_GOAL_DIRECTION) {
        r.wanted = sinew_mat3_mul_vec3(reference, targets->direction[task->goal]);
    } else {
        r.point = place_point(state, &task->effector);
        r.place = from_frame(
            &reference, place_point(state, &task->reference), targets->position[task->goal]);
        sinew_Vec3 way = sinew_vec3_sub(r.place, r.point);
        double distance = sinew_vec3_length(way), near = FADE * plan->reach;
        double faded = sqrt(distance * distance + near * near);
        r.fade = distance / faded;
        r.reciprocal = 1.0 / faded;
        r.wanted = distance > 1e-12 * plan->reach ? sinew_vec3_scale(way, 1.0 / distance) : r.axis;
    }
    set_basis(&r);
    return r;
}

// chord from u to d across d
static void direction_error(const Direction *r, double *out_rows)
{
    double c = sinew_vec3_dot(r->axis, r->wanted);
    double ua = sinew_vec3_dot(r->a, r->axis), ub = sinew_vec3_dot(r->b, r->axis);
    double s2 = ua * ua + ub * ub;
    double scale;
    if (c > 0.0) {
        scale = sqrt(2.0 / (1.0 + c));
    } else if (s2 > 1e-24) {
        scale = sqrt(2.0 * (1.0 - c) / s2);
    } else {
        // opposite: any way round
        out_rows[0] = 2.0 * r->fade;
        out_rows[1] = 0.0;
        return;
    }
    out_rows[0] = -r->fade * scale * ua;
    out_rows[1] = -r->fade * scale * ub;
}

// ---------------------------------------------------------------------------------------------
// Poles: the angle about the line from start to effector, from the middle joint to the place

typedef struct Pole {
    sinew_Vec3 start, middle, end, place;
    sinew_Vec3 normal_middle, normal_place;     // unit, the way each goes as the angle grows
    double reciprocal_middle, reciprocal_place; // 1 / distance from the line, faded
    double along_middle, along_place;           // feet on the line, 0 start, 1 end
    double sine, cosine;                        // of the angle from the middle joint to the place
    double fade;
} Pole;

static Pole measure_pole(
    const snw_Plan *plan, const snw_Targets *targets, const snw_State *state, const snw_Task *task)
{
    // bones of no length have no sides
    double size = fmax(task->length, 1e-6 * plan->reach);
    Pole r = { .fade = 0.0, .cosine = 1.0 };
    sinew_Mat3 reference = place_turn(state, &task->reference);
    r.start = place_point(state, &task->start);
    r.middle = place_point(state, &task->middle);
    r.end = place_point(state, &task->effector);
    r.place = from_frame(
        &reference, place_point(state, &task->reference), targets->position[task->goal]);
    sinew_Vec3 line = sinew_vec3_sub(r.end, r.start);
    double length = sinew_vec3_length(line), near = POLE_FADE * size;
    // an end that folds back onto the start leaves no line
    if (!(length > 1e-6 * size)) { return r; }
    sinew_Vec3 n = sinew_vec3_scale(line, 1.0 / length);
    sinew_Vec3 m = sinew_vec3_sub(r.middle, r.start), h = sinew_vec3_sub(r.place, r.start);
    double along_m = sinew_vec3_dot(m, n), along_h = sinew_vec3_dot(h, n);
    m = sinew_vec3_add_scaled(m, n, -along_m);
    h = sinew_vec3_add_scaled(h, n, -along_h);
    double from_m = sinew_vec3_length(m), from_h = sinew_vec3_length(h);
    if (!(from_m > 1e-9 * size && from_h > 1e-9 * size)) { return r; }
    m = sinew_vec3_scale(m, 1.0 / from_m);
    h = sinew_vec3_scale(h, 1.0 / from_h);
    double faded_m = sqrt(from_m * from_m + near * near);
    double faded_h = sqrt(from_h * from_h + near * near);
    r.normal_middle = sinew_vec3_cross(n, m);
    r.normal_place = sinew_vec3_cross(n, h);
    r.sine = sinew_vec3_dot(r.normal_middle, h);
    r.cosine = sinew_vec3_dot(m, h);
    r.fade = (from_m / faded_m) * (from_h / faded_h);
    r.reciprocal_middle = r.fade / from_m;
    r.reciprocal_place = r.fade / from_h;
    r.along_middle = along_m / length;
    r.along_place = along_h / length;
    return r;
}

static double pole_error(const Pole *r)
{
    if (r->cosine > 0.0) { return r->fade * r->sine * sqrt(2.0 / (1.0 + r->cosine)); }
    double chord = sqrt(2.0 * (1.0 - r->cosine));
    return r->fade * (r->sine < 0.0 ? -chord : chord);
}

// ---------------------------------------------------------------------------------------------
// Measuring

static void measure_center(const snw_Plan *plan, snw_State *state)
{
    sinew_Vec3 sum = plan->world_moment;
    for (int l = 0; l < plan->link_count; ++l) {
        state->below_moment[l] = sinew_vec3_add_scaled(
            sinew_mat3_mul_vec3(state->rotation[l], plan->link_moment[l]), state->position[l],
            plan->link_mass[l]);
    }
    for (int l = plan->link_count - 1; l >= 0; --l) {
        int parent = plan->links[l].parent;
        sinew_Vec3 *above = parent >= 0 ? &state->below_moment[parent] : &sum;
        *above = sinew_vec3_add(*above, state->below_moment[l]);
    }
    state->center = sum;
}

// the numbers of v along the axes of a mask
static double *put_masked(
    double *out, unsigned mask, const sinew_Vec3 *axes, sinew_Vec3 v, double scale)
{
    for (int k = 0; k < 3; ++k) {
        if (mask >> k & 1u) { *out++ = scale * sinew_vec3_dot(axes[k], v); }
    }
    return out;
}

static void measure_frame(
    const snw_Targets *targets, const snw_State *state, const snw_Task *task, double *out)
{
    sinew_Mat3 reference = place_turn(state, &task->reference);
    const sinew_Vec3 axes[3] = { reference.x, reference.y, reference.z };
    if (task->position_row_count > 0) {
        sinew_Vec3 wanted = from_frame(
            &reference, place_point(state, &task->reference), targets->position[task->goal]);
        sinew_Vec3 left = sinew_vec3_sub(wanted, place_point(state, &task->effector));
        out = put_masked(out, task->position_mask, axes, left, 1.0);
    }
    if (task->has_orientation) {
        sinew_Mat3 now = place_turn(state, &task->effector);
        sinew_Mat3 wanted = sinew_mat3_mul(reference, targets->orientation[task->goal]);
        (void)put_masked(out, task->orientation_mask, axes, snw_rotation_chord(&now, &wanted), 1.0);
    }
}

// where the centre of mass should be
static sinew_Vec3 center_place(
    const snw_Targets *targets, const snw_State *state, const snw_Task *task)
{
    sinew_Mat3 reference = place_turn(state, &task->reference);
    return from_frame(
        &reference, place_point(state, &task->reference), targets->position[task->goal]);
}

static snw_SupportPlace locate(
    const snw_Targets *targets, const snw_State *state, const snw_Task *task)
{
    const snw_Support *support = &targets->supports[task->support];
    return snw_support_locate(support, snw_ground_from_world(support->z_up, state->center));
}

static void measure_task(const snw_Plan *plan, const snw_Targets *targets, const snw_State *state,
    const snw_Task *task, double *out)
{
    switch (task->kind) {
    case SINEW_GOAL_POSITION:
    case SINEW_GOAL_ORIENTATION:
    case SINEW_GOAL_POSE: measure_frame(targets, state, task, out); break;
    case SINEW_GOAL_AIM:
    case SINEW_GOAL_DIRECTION: {
        Direction direction = measure_direction(plan, targets, state, task);
        direction_error(&direction, out);
        break;
    }
    case SINEW_GOAL_POLE: {
        Pole pole = measure_pole(plan, targets, state, task);
        out[0] = pole_error(&pole);
        break;
    }
    case SINEW_GOAL_CENTER_OF_MASS: {
        sinew_Vec3 left = sinew_vec3_sub(center_place(targets, state, task), state->center);
        (void)put_masked(out, task->position_mask, world_axes, left, 1.0);
        break;
    }
    case SINEW_GOAL_SUPPORT: {
        snw_SupportPlace place = locate(targets, state, task);
        out[0] = place.way.x;
        out[1] = place.way.z;
        break;
    }
    case SINEW_GOAL_REST: break;
    }
}

static double sum2(const double *v, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) { sum += v[i] * v[i]; }
    return sum;
}

double snw_tasks_measure(
    const snw_Plan *plan, const snw_Targets *targets, snw_State *state, double *out_constraint)
{
    double weighted = 0.0, constraint = 0.0;
    if (plan->has_center) { measure_center(plan, state); }
    for (int t = 0; t < plan->task_count; ++t) {
        const snw_Task *task = &plan->tasks[t];
        double *error = &state->error[task->row];
        measure_task(plan, targets, state, task, error);
        double position2 = sum2(error, task->position_row_count);
        double chord2 = sum2(
            error + task->position_row_count, task->row_count - task->position_row_count);
        double position = targets->position_scale[task->goal];
        double orientation = targets->orientation_scale[task->goal];
        double sum = 0.0;
        if (position > 0.0) {
            sum += position * position * position2;
            state->position_error2 = fmax(state->position_error2, position2);
        }
        if (orientation > 0.0) {
            sum += orientation * orientation * chord2;
            state->orientation_chord2 = fmax(state->orientation_chord2, chord2);
        }
        weighted += sum;
        if (task->constraint) { constraint += (targets->constraint_merit - 1.0) * sum; }
    }
    *out_constraint = constraint;
    return weighted;
}

int snw_goal_rows(const snw_Plan *plan, int goal, int *out_count)
{
    SNW_ASSERT(goal >= 0);
    const snw_Effector *effector = &plan->effectors[goal];
    if (effector->task >= 0) {
        *out_count = plan->tasks[effector->task].row_count;
        return plan->tasks[effector->task].row;
    }
    *out_count = (effector->position ? 3 : 0) + (effector->orientation ? 3 : 0);
    return effector->row;
}

int snw_goal_position_rows(const snw_Plan *plan, int goal)
{
    const snw_Effector *effector = &plan->effectors[goal];
    if (effector->task >= 0) { return plan->tasks[effector->task].position_row_count; }
    return effector->position ? 3 : 0;
}

double snw_goal_row_scale(const snw_Plan *plan, const snw_Targets *targets, int goal, int row)
{
    return row < snw_goal_position_rows(plan, goal) ? targets->position_scale[goal]
                                                    : targets->orientation_scale[goal];
}

void snw_goal_errors2(const snw_Plan *plan, const snw_State *state, int goal, double *out_position2,
    double *out_chord2)
{
    const snw_Effector *effector = &plan->effectors[goal];
    if (effector->task < 0) {
        const double *e = &state->error[effector->row], *turn = e + (effector->position ? 3 : 0);
        *out_position2 = effector->position ? e[0] * e[0] + e[1] * e[1] + e[2] * e[2] : 0.0;
        *out_chord2 = effector->orientation
            ? turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]
            : 0.0;
        return;
    }
    int count, row = snw_goal_rows(plan, goal, &count),
               positions = snw_goal_position_rows(plan, goal);
    *out_position2 = sum2(&state->error[row], positions);
    *out_chord2 = sum2(&state->error[row + positions], count - positions);
}

void snw_tasks_set_error(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, double longest)
{
    for (int t = 0; t < plan->task_count; ++t) {
        const snw_Task *task = &plan->tasks[t];
        const double *error = &state->error[task->row];
        double length2 = sum2(error, task->position_row_count);
        double cut = length2 > longest * longest ? longest / sqrt(length2) : 1.0;
        for (int r = 0; r < task->row_count; ++r) {
            double scale = r < task->position_row_count ? cut * targets->position_scale[task->goal]
                                                        : targets->orientation_scale[task->goal];
            linear->error[task->row + r] = scale * error[r];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Rows

// what pulls at one link for one row: a force and its moment about the world's origin
typedef struct Pull {
    int link;
    sinew_Vec3 force, moment;
} Pull;

static Pull pull_at(int link, sinew_Vec3 point, sinew_Vec3 force)
{
    return (Pull){ link, force, sinew_vec3_cross(point, force) };
}

static Pull turn_at(int link, sinew_Vec3 moment)
{
    return (Pull){ link, { 0.0, 0.0, 0.0 }, moment };
}

// add scale times the power of a pull to the entries of one row
static void add_pull(double *jacobian, const snw_Plan *plan, const snw_State *state, int row,
    Pull pull, double scale)
{
    int stride = plan->row_count;
    for (int l = pull.link; l >= plan->static_link_count; l = plan->links[l].parent) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        double *entry = &jacobian[link->dof * stride + row];
        sinew_Vec3 moment = sinew_vec3_sub(
            pull.moment, sinew_vec3_cross(state->position[l], pull.force));
        if (link->motion == SNW_BALL) {
            entry[0] += scale * moment.x;
            entry[stride] += scale * moment.y;
            entry[2 * stride] += scale * moment.z;
            continue;
        }
        sinew_Vec3 axis = snw_link_axis(link, &state->rotation[l]);
        bool hinge = snw_motion_is_hinge(link->motion);
        entry[0] += scale * sinew_vec3_dot(axis, hinge ? moment : pull.force);
    }
}

// the same for the centre of mass: weight pulls at everything below a dof; the column is
// (M_sub / M) a x (c_sub - P) for a rotation, (M_sub / M) a for a slide
static void add_center(double *entries, int stride, const snw_Plan *plan, const snw_State *state,
    sinew_Vec3 direction, double scale)
{
    SNW_ASSERT(scale >= 0.0);
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        double *entry = &entries[link->dof * stride];
        double mass = plan->below_mass[l];
        sinew_Vec3 arm = sinew_vec3_add_scaled(state->below_moment[l], state->position[l], -mass);
        sinew_Vec3 moment = sinew_vec3_cross(arm, direction);
        if (link->motion == SNW_BALL) {
            entry[0] += scale * moment.x;
            entry[stride] += scale * moment.y;
            entry[2 * stride] += scale * moment.z;
            continue;
        }
        sinew_Vec3 axis = snw_link_axis(link, &state->rotation[l]);
        entry[0] += snw_motion_is_hinge(link->motion)
            ? scale * sinew_vec3_dot(axis, moment)
            : scale * mass * sinew_vec3_dot(axis, direction);
    }
}

static void clear_rows(double *jacobian, const snw_Plan *plan, int row, int count)
{
    for (int d = 0; d < plan->dof_count; ++d) {
        for (int r = 0; r < count; ++r) { jacobian[d * plan->row_count + row + r] = 0.0; }
    }
}

// What lessens the chord along an axis. All three rows together turn the frame itself. Fewer leave
// turns open that carry the chord along: then it is the derivative of the chord, which is twice the
// vector part of a quaternion of real part c. Beside a half turn it would vanish, and is kept up.
static sinew_Vec3 turn_row(const snw_Task *task, sinew_Vec3 axis, sinew_Vec3 chord)
{
    if (task->orientation_mask == SINEW_MASK_ALL) { return axis; }
    double c2 = 1.0 - 0.25 * sinew_vec3_dot(chord, chord);
    double c = sqrt(fmax(c2, HALF_TURN * HALF_TURN));
    return sinew_vec3_add(
        sinew_vec3_scale(axis, c), sinew_vec3_scale(sinew_vec3_cross(axis, chord), 0.5));
}

static void put_frame(double *jacobian, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const snw_Task *task)
{
    sinew_Mat3 reference = place_turn(state, &task->reference);
    const sinew_Vec3 axes[3] = { reference.x, reference.y, reference.z };
    sinew_Vec3 point = place_point(state, &task->effector);
    int row = task->row, from = task->effector.link, to = task->reference.link;
    double scale = targets->position_scale[task->goal];
    for (int k = 0; k < 3 && task->position_row_count > 0; ++k) {
        if (!(task->position_mask >> k & 1u)) { continue; }
        // seen from the reference, the point moves against what the reference carries there
        add_pull(jacobian, plan, state, row, pull_at(from, point, axes[k]), scale);
        add_pull(jacobian, plan, state, row, pull_at(to, point, axes[k]), -scale);
        ++row;
    }
    if (!task->has_orientation) { return; }
    scale = targets->orientation_scale[task->goal];
    sinew_Mat3 now = place_turn(state, &task->effector);
    sinew_Mat3 wanted = sinew_mat3_mul(reference, targets->orientation[task->goal]);
    sinew_Vec3 chord = snw_rotation_chord(&now, &wanted);
    for (int k = 0; k < 3; ++k) {
        if (!(task->orientation_mask >> k & 1u)) { continue; }
        sinew_Vec3 moment = turn_row(task, axes[k], chord);
        add_pull(jacobian, plan, state, row, turn_at(from, moment), scale);
        add_pull(jacobian, plan, state, row, turn_at(to, moment), -scale);
        ++row;
    }
}

static void put_direction(double *jacobian, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const snw_Task *task)
{
    Direction r = measure_direction(plan, targets, state, task);
    double scale = targets->orientation_scale[task->goal];
    const sinew_Vec3 across[2] = { r.a, r.b };
    for (int k = 0; k < 2; ++k) {
        sinew_Vec3 moment = sinew_vec3_cross(r.wanted, across[k]);
        int row = task->row + k, from = task->effector.link, to = task->reference.link;
        add_pull(jacobian, plan, state, row, turn_at(from, moment), scale * r.fade);
        if (task->kind == SINEW_GOAL_DIRECTION) {
            add_pull(jacobian, plan, state, row, turn_at(to, moment), -scale);
            continue;
        }
        // d turns as its ends move across it
        add_pull(
            jacobian, plan, state, row, pull_at(from, r.point, across[k]), scale * r.reciprocal);
        add_pull(
            jacobian, plan, state, row, pull_at(to, r.place, across[k]), -scale * r.reciprocal);
    }
}

static void put_pole(double *jacobian, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const snw_Task *task)
{
    Pole r = measure_pole(plan, targets, state, task);
    double scale = targets->orientation_scale[task->goal];
    double middle = scale * r.reciprocal_middle, place = scale * r.reciprocal_place;
    int row = task->row;
    // a point's angle about the line grows with its speed against its foot on the line
    add_pull(
        jacobian, plan, state, row, pull_at(task->middle.link, r.middle, r.normal_middle), middle);
    add_pull(jacobian, plan, state, row, pull_at(task->start.link, r.start, r.normal_middle),
        -middle * (1.0 - r.along_middle));
    add_pull(jacobian, plan, state, row, pull_at(task->effector.link, r.end, r.normal_middle),
        -middle * r.along_middle);
    add_pull(
        jacobian, plan, state, row, pull_at(task->reference.link, r.place, r.normal_place), -place);
    add_pull(jacobian, plan, state, row, pull_at(task->start.link, r.start, r.normal_place),
        place * (1.0 - r.along_place));
    add_pull(jacobian, plan, state, row, pull_at(task->effector.link, r.end, r.normal_place),
        place * r.along_place);
}

static void put_center(double *jacobian, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const snw_Task *task)
{
    int row = task->row;
    double scale = targets->position_scale[task->goal];
    for (int k = 0; k < 3; ++k) {
        if (!(task->position_mask >> k & 1u)) { continue; }
        add_center(jacobian + row, plan->row_count, plan, state, world_axes[k], scale);
        if (task->reference.link >= 0) {
            sinew_Vec3 place = center_place(targets, state, task);
            add_pull(jacobian, plan, state, row,
                pull_at(task->reference.link, place, world_axes[k]), -scale);
        }
        ++row;
    }
}

// the part of a motion over the ground that changes the distance from a polygon: across a side, or any
static snw_Ground2 across(const snw_SupportPlace *place, snw_Ground2 motion)
{
    if (place->inside) { return place->way; }
    if (place->side < 0) { return motion; }
    sinew_Vec3 n = sinew_vec3_normalize_or(
        sinew_vec3(place->way.x, 0.0, place->way.z), sinew_vec3(0.0, 0.0, 0.0));
    double along = n.x * motion.x + n.z * motion.z;
    return (snw_Ground2){ along * n.x, along * n.z };
}

// the part of the centre's motion that changes its distance from the polygon: across a side, or any
static void put_support(double *jacobian, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const snw_Task *task)
{
    snw_SupportPlace place = locate(targets, state, task);
    if (place.inside) { return; }
    double scale = targets->position_scale[task->goal];
    bool z_up = targets->supports[task->support].z_up;
    for (int k = 0; k < 2; ++k) {
        snw_Ground2 row = across(&place, (snw_Ground2){ 1.0 - k, k });
        add_center(jacobian + task->row + k, plan->row_count, plan, state,
            snw_world_from_ground(z_up, row), scale);
    }
}

void snw_tasks_set_jacobian(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    double *jacobian = linear->jacobian;
    for (int t = 0; t < plan->task_count; ++t) {
        const snw_Task *task = &plan->tasks[t];
        clear_rows(jacobian, plan, task->row, task->row_count);
        switch (task->kind) {
        case SINEW_GOAL_POSITION:
        case SINEW_GOAL_ORIENTATION:
        case SINEW_GOAL_POSE: put_frame(jacobian, plan, targets, state, task); break;
        case SINEW_GOAL_AIM:
        case SINEW_GOAL_DIRECTION: put_direction(jacobian, plan, targets, state, task); break;
        case SINEW_GOAL_POLE: put_pole(jacobian, plan, targets, state, task); break;
        case SINEW_GOAL_CENTER_OF_MASS: put_center(jacobian, plan, targets, state, task); break;
        case SINEW_GOAL_SUPPORT: put_support(jacobian, plan, targets, state, task); break;
        case SINEW_GOAL_REST: break;
        }
    }
}

sinew_Vec3 snw_center_step(const snw_Plan *plan, const snw_State *state, const double *step)
{
    sinew_Vec3 r = { 0.0, 0.0, 0.0 };
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        const double *s = &step[link->dof];
        double mass = plan->below_mass[l];
        sinew_Vec3 arm = sinew_vec3_add_scaled(state->below_moment[l], state->position[l], -mass);
        sinew_Vec3 moved;
        if (link->motion == SNW_BALL) {
            moved = sinew_vec3_cross(sinew_vec3(s[0], s[1], s[2]), arm);
        } else {
            sinew_Vec3 axis = sinew_vec3_scale(snw_link_axis(link, &state->rotation[l]), s[0]);
            moved = snw_motion_is_hinge(link->motion) ? sinew_vec3_cross(axis, arm)
                                                      : sinew_vec3_scale(axis, mass);
        }
        r = sinew_vec3_add(r, moved);
    }
    return r;
}

void snw_support_activate(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const snw_Task *task, int row, snw_Ground2 normal, double slack)
{
    double scale = targets->position_scale[task->goal];
    add_center(linear->jacobian + task->row + row, plan->row_count, plan, state,
        snw_world_from_ground(targets->supports[task->support].z_up, normal), scale);
    linear->error[task->row + row] = -scale * slack;
}

// ---------------------------------------------------------------------------------------------
// Motion between two states

static sinew_Vec3 turn_between(sinew_Mat3 from, sinew_Mat3 to)
{
    sinew_Mat3 turn = sinew_mat3_mul(to, sinew_mat3_transpose(from));
    return sinew_quat_log(sinew_quat_from_mat3(turn));
}

// in the axes of the reference, which are the rows'
static void frame_moved(const snw_Targets *targets, const snw_State *from, const snw_State *to,
    const snw_Task *task, double *out)
{
    const snw_State *states[2] = { from, to };
    sinew_Vec3 point[2];
    sinew_Mat3 turn[2];
    double error[2][6];
    for (int i = 0; i < 2; ++i) {
        sinew_Mat3 back = sinew_mat3_transpose(place_turn(states[i], &task->reference));
        sinew_Vec3 arm = sinew_vec3_sub(
            place_point(states[i], &task->effector), place_point(states[i], &task->reference));
        point[i] = sinew_mat3_mul_vec3(back, arm);
        turn[i] = sinew_mat3_mul(back, place_turn(states[i], &task->effector));
        measure_frame(targets, states[i], task, error[i]);
    }
    if (task->position_row_count > 0) {
        out = put_masked(
            out, task->position_mask, world_axes, sinew_vec3_sub(point[1], point[0]), 1.0);
    }
    if (task->has_orientation && task->orientation_mask == SINEW_MASK_ALL) {
        (void)put_masked(
            out, task->orientation_mask, world_axes, turn_between(turn[0], turn[1]), 1.0);
        return;
    }
    for (int r = task->position_row_count; r < task->row_count; ++r) {
        *out++ = error[0][r] - error[1][r];
    }
}

static void direction_moved(const snw_Plan *plan, const snw_Targets *targets, const snw_State *from,
    const snw_State *to, const snw_Task *task, double *out)
{
    // where d is as the effector sees it
    Direction a = measure_direction(plan, targets, from, task);
    Direction b = measure_direction(plan, targets, to, task);
    sinew_Vec3 seen = sinew_mat3_transpose_mul_vec3(b.turn, b.wanted);
    sinew_Vec3 moved = sinew_vec3_sub(sinew_mat3_mul_vec3(a.turn, seen), a.wanted);
    out[0] = -a.fade * sinew_vec3_dot(a.a, moved);
    out[1] = -a.fade * sinew_vec3_dot(a.b, moved);
}

static void pole_moved(const snw_Plan *plan, const snw_Targets *targets, const snw_State *from,
    const snw_State *to, const snw_Task *task, double *out)
{
    Pole a = measure_pole(plan, targets, from, task), b = measure_pole(plan, targets, to, task);
    double sine = a.sine * b.cosine - a.cosine * b.sine;
    double cosine = a.cosine * b.cosine + a.sine * b.sine;
    out[0] = a.fade * sinew_atan2(sine, cosine);
}

static void center_moved(const snw_Targets *targets, const snw_State *from, const snw_State *to,
    const snw_Task *task, double *out)
{
    sinew_Vec3 before = sinew_vec3_sub(from->center, center_place(targets, from, task));
    sinew_Vec3 after = sinew_vec3_sub(to->center, center_place(targets, to, task));
    (void)put_masked(out, task->position_mask, world_axes, sinew_vec3_sub(after, before), 1.0);
}

static void support_moved(const snw_Targets *targets, const snw_State *from, const snw_State *to,
    const snw_Task *task, double *out)
{
    snw_SupportPlace place = locate(targets, from, task);
    snw_Ground2 way = snw_ground_from_world(
        targets->supports[task->support].z_up, sinew_vec3_sub(to->center, from->center));
    snw_Ground2 moved = across(&place, way);
    out[0] = moved.x;
    out[1] = moved.z;
}

static void plain_moved(
    const snw_Effector *effector, const snw_State *from, const snw_State *to, int goal, double *out)
{
    SNW_ASSERT(goal >= 0);
    if (effector->position) {
        sinew_Vec3 moved = sinew_vec3_sub(
            to->effector_position[goal], from->effector_position[goal]);
        out = put_masked(out, SINEW_MASK_ALL, world_axes, moved, 1.0);
    }
    if (effector->orientation) {
        sinew_Vec3 turn = turn_between(from->effector_rotation[goal], to->effector_rotation[goal]);
        (void)put_masked(out, SINEW_MASK_ALL, world_axes, turn, 1.0);
    }
}

void snw_goal_moved(const snw_Plan *plan, const snw_Targets *targets, const snw_State *from,
    const snw_State *to, int goal, double *out_rows)
{
    SNW_ASSERT(goal >= 0);
    const snw_Effector *effector = &plan->effectors[goal];
    if (effector->task < 0) {
        plain_moved(effector, from, to, goal, out_rows);
        return;
    }
    const snw_Task *task = &plan->tasks[effector->task];
    switch (task->kind) {
    case SINEW_GOAL_POSITION:
    case SINEW_GOAL_ORIENTATION:
    case SINEW_GOAL_POSE: frame_moved(targets, from, to, task, out_rows); break;
    case SINEW_GOAL_AIM:
    case SINEW_GOAL_DIRECTION: direction_moved(plan, targets, from, to, task, out_rows); break;
    case SINEW_GOAL_POLE: pole_moved(plan, targets, from, to, task, out_rows); break;
    case SINEW_GOAL_CENTER_OF_MASS: center_moved(targets, from, to, task, out_rows); break;
    case SINEW_GOAL_SUPPORT: support_moved(targets, from, to, task, out_rows); break;
    case SINEW_GOAL_REST: break;
    }
}
