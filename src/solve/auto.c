// The default method: the fastest exact way that a plan allows, and a search around it.

#include "math/holds.h"
#include "math/quat.h"
#include "math/random.h"
#include "solve/method_table.h"
#include "solve/reach.h"

#include <string.h>

// Descents that agree before the search gives up. What can be met is met by few poses, which may hide
// among many bottoms: with 3 a UR5's target in 20,000 was lost, with 8 still one of a G1's leg in
// 100,000. A goal beyond all bones has no pose to be missed, and of bodies with balls, whose poses are
// many, none was seen missed.
#define BOTTOMS 16
#define FEW_BOTTOMS 3
// a limb of a tree is kept in the next attempt when its tip has less than this share of the error
#define KEPT_SHARE 0.25
// every so many attempts the trunk is drawn anew, too, with all that hangs on it; and so many draws a
// limb has to choose from. Four robots with two arms on a waist, p99 of iterations: 173 219 548 116
// without keeping limbs, 146 181 124 91 with one draw, 116 158 116 65 with 4, 116 156 113 64 with 8
#define WHOLE_DRAW_EVERY 4
#define LIMB_DRAWS 4
// Every so many attempts of an arm with a closed form begin anywhere, the patient ones among them, and the
// others next to what the form has outside the limits. 20,000 goals with three of ten joints on bounds, p99
// and p99.9 of iterations: a Talos' arm 102 700 without, 54 514 with; a Panda's 58 566, 35 192; a TIAGo's
// 123 536, 70 399. With none from anywhere one goal of the TIAGo was lost, as its bottoms agreed.
#define ANYWHERE_EVERY 4
// steps that a closed form's answer may take to the true one: axes miss each other by 3e-4 L at most, and
// next to singular poses an answer may be far from the next
#define FINISH_ITERATIONS 20

// ---------------------------------------------------------------------------------------------
// Starts of a chain

// a joint's value at a share of its range, 0..1
static double at_share(const snw_Chain *chain, int joint, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(joint >= 0);
    double lower = chain->lower[joint], upper = chain->upper[joint];
    if (isfinite(upper - lower)) { return lower + share * (upper - lower); }
    if (chain->joints[joint].slide) {
        return isfinite(lower) ? lower : (isfinite(upper) ? upper : 0.0);
    }
    if (isfinite(lower)) { return lower + share * 2.0 * SINEW_PI; }
    if (isfinite(upper)) { return upper - share * 2.0 * SINEW_PI; }
    return (2.0 * share - 1.0) * SINEW_PI;
}

// the root above 1 of x^(dimension + 1) = x + 1, by halving: its powers step evenly through a cube;
// Roberts (2018), the generalised golden ratio
static double golden_ratio(int dimension)
{
    double low = 1.0, high = 2.0;
    for (int i = 0; i < 60; ++i) {
        double x = 0.5 * (low + high), power = x;
        for (int k = 0; k < dimension; ++k) { power *= x; }
        if (power > x + 1.0) {
            high = x;
        } else {
            low = x;
        }
    }
    return 0.5 * (low + high);
}

static void make_seeds(snw_Auto *method)
{
    snw_Chain *chain = &method->chain;
    snw_Seeds *seeds = &method->seeds;
    int count = chain->count, stride = chain->groups * SNW_LANE_COUNT;
    double inverse = 1.0 / golden_ratio(count);
    for (int s = 0; s < SNW_SEED_COUNT; ++s) {
        double *joints = &seeds->joints[s * stride], along = 1.0;
        for (int i = 0; i < count; ++i) {
            along *= inverse;
            double whole = 0.5 + (s + 1) * along;
            joints[i] = at_share(chain, i, whole - floor(whole));
        }
        (void)snw_chain_measure(chain, joints);
        seeds->position[s] = chain->tip;
        seeds->rotation[s] = sinew_quat_from_mat3(chain->frame);
    }
    for (int i = 0; i < count; ++i) {
        seeds->lower[i] = chain->lower[i];
        seeds->upper[i] = chain->upper[i];
    }
    seeds->made = true;
}

// whether the seeds fit: locked joints may stand elsewhere, and a bound on the change of joints moves
// their ranges
static bool has_seeds(const snw_Auto *method)
{
    const snw_Chain *chain = &method->chain;
    const snw_Seeds *seeds = &method->seeds;
    bool same = seeds->made;
    for (int i = 0; same && i < chain->count; ++i) {
        same = seeds->lower[i] == chain->lower[i] && seeds->upper[i] == chain->upper[i];
    }
    return same;
}

// the seeds whose effector is nearest to the goal
static void find_nearest(snw_Auto *method)
{
    const snw_Chain *chain = &method->chain;
    snw_Seeds *seeds = &method->seeds;
    sinew_Quat goal = chain->orientation ? sinew_quat_from_mat3(chain->target_frame)
                                         : sinew_quat_identity();
    double distance[SNW_SEED_TRIES];
    seeds->nearest_count = 0;
    for (int s = 0; s < SNW_SEED_COUNT; ++s) {
        double d = 0.0;
        if (chain->position) {
            sinew_Vec3 way = sinew_vec3_sub(seeds->position[s], chain->target);
            d = sinew_vec3_dot(way, way);
        }
        if (chain->orientation) {
            // the squared chord of the angle between, twice
            double along = sinew_quat_dot(seeds->rotation[s], goal);
            d += 8.0 - 8.0 * along * along;
        }
        int place = seeds->nearest_count;
        if (place == SNW_SEED_TRIES && !(d < distance[place - 1])) { continue; }
        if (place == SNW_SEED_TRIES) { --place; }
        while (place > 0 && d < distance[place - 1]) {
            distance[place] = distance[place - 1];
            seeds->nearest[place] = seeds->nearest[place - 1];
            --place;
        }
        distance[place] = d;
        seeds->nearest[place] = s;
        if (seeds->nearest_count < SNW_SEED_TRIES) { ++seeds->nearest_count; }
    }
}

static void random_joints(
    const snw_Chain *chain, const sinew_SolveOptions *options, int attempt, double *joints)
{
    snw_Random random = snw_restart_random(options, attempt);
    for (int i = 0; i < chain->count; ++i) {
        joints[i] = at_share(chain, i, snw_random_unit(&random));
    }
}

// ---------------------------------------------------------------------------------------------
// A chain as a problem

static double measure_chain(void *self, const double *joints)
{
    snw_Solve *solve = self;
    return snw_chain_measure(&solve->method.chain, joints);
}

static bool chain_meets(void *self)
{
    const snw_Solve *solve = self;
    const snw_Chain *chain = &solve->method.chain;
    double reach2 = chain->reach * chain->reach;
    return (!chain->position || chain->position_error2 * reach2 <= solve->met_position2)
        && (!chain->orientation || chain->chord2 <= solve->met_chord2);
}

static double step_chain(void *self, const double *joints, double damping, bool fresh,
    double *moved, double *out_largest)
{
    snw_Solve *solve = self;
    snw_Chain *chain = &solve->method.chain;
    if (fresh) { snw_chain_linearize(chain); }
    return snw_chain_step(chain, joints, damping, moved, out_largest);
}

// of joints in units of L and radians
static double largest_difference(const double *a, const double *b, int count)
{
    SNW_ASSERT(count >= 0);
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        double change = fabs(a[i] - b[i]);
        largest = change > largest ? change : largest;
    }
    return largest;
}

// locked joints stay where they are
static double *values_of_start(snw_Solve *solve)
{
    snw_copy(solve->trial->values, solve->targets.start_values, solve->plan.value_count);
    return solve->trial->values;
}

static double change_of_chain(void *self, const double *from, const double *to)
{
    const snw_Solve *solve = self;
    return largest_difference(from, to, solve->method.chain.count);
}

// how far joints are outside their ranges
static double outside2(const snw_Chain *chain, const double *joints)
{
    double sum = 0.0;
    for (int i = 0; i < chain->count; ++i) {
        double below = chain->lower[i] - joints[i], above = joints[i] - chain->upper[i];
        double outside = fmax(0.0, fmax(below, above));
        sum += outside * outside;
    }
    return sum;
}

// Where the closed form has no answer inside the limits: of those at a random value of the free joint, or
// a random swing, the one that is least outside, cropped. Goals with several joints on their bounds are met
// next to such near misses, and hardly ever from anywhere. joints: in their ranges, and the start then.
static void start_from_near_miss(snw_Solve *solve, double share, double *joints)
{
    SNW_ASSERT(snw_holds_share(share));
    snw_Auto *method = &solve->method;
    const snw_Chain *chain = &method->chain;
    int count = chain->count, free = snw_closed_free_joint(&method->closed);
    double rows[SNW_CLOSED_ANSWERS * SNW_CLOSED_CHAIN], least = INFINITY;
    int branches[SNW_CLOSED_ANSWERS], nearest = -1;
    double value = free >= 0 ? joints[free] : (2.0 * share - 1.0) * SINEW_PI;
    int found = snw_closed_all(&method->closed, chain, joints, false, value, rows, branches);
    for (int a = 0; a < found; ++a) {
        double outside = outside2(chain, &rows[a * count]);
        if (!(outside < least)) { continue; }
        least = outside;
        nearest = a;
    }
    for (int i = 0; nearest >= 0 && i < count; ++i) {
        joints[i] = fmin(fmax(rows[nearest * count + i], chain->lower[i]), chain->upper[i]);
    }
}

static bool has_near_misses(const snw_Auto *method)
{
    const snw_Closed *closed = &method->closed;
    return closed->chain_fits && closed->shape.kind != SNW_CLOSED_NONE
        && (closed->shape.free >= 0 || snw_closed_swings(closed));
}

static void start_chain(void *self, int attempt, double *joints)
{
    snw_Solve *solve = self;
    snw_Auto *method = &solve->method;
    if (attempt <= solve->restart.start_count) {
        snw_restart_next(&solve->restart, &solve->plan, &solve->options, &solve->targets, attempt,
            values_of_start(solve));
        snw_chain_load(&method->chain, &solve->plan, solve->trial->values, joints);
        return;
    }
    int seed = attempt - solve->restart.start_count - 1;
    if (seed < SNW_SEED_TRIES && method->chain.count <= SNW_SEED_JOINTS) {
        if (seed == 0) {
            if (!has_seeds(method)) { make_seeds(method); }
            find_nearest(method);
        }
        int stride = method->chain.groups * SNW_LANE_COUNT;
        const double *from = &method->seeds.joints[method->seeds.nearest[seed] * stride];
        for (int i = 0; i < method->chain.count; ++i) { joints[i] = from[i]; }
        return;
    }
    random_joints(&method->chain, &solve->options, attempt, joints);
    if (attempt % ANYWHERE_EVERY == 0 || !has_near_misses(method)) { return; }
    snw_Random random = snw_restart_random(&solve->options, attempt);
    start_from_near_miss(solve, snw_random_unit(&random), joints);
}

static bool answer_from(snw_Solve *solve, bool measured, double *joints)
{
    snw_Auto *method = &solve->method;
    bool first = solve->options.branch == SINEW_BRANCH_FIRST;
    return snw_closed_solve(&method->closed, &method->chain, measured,
        first ? SNW_CLOSED_FIRST : SNW_CLOSED_NEAREST, joints);
}

static bool answer_chain(void *self, double *joints)
{
    return answer_from(self, false, joints);
}

// The pose in values of a state is the one that was measured last: make it the current one, and out of
// it values of lower F.
static bool escape_from(snw_Solve *solve)
{
    snw_State *here = solve->trial;
    solve->trial = solve->current;
    solve->current = here;
    snw_state_forward(&solve->plan, here, solve->plan.static_link_count);
    snw_state_measure(&solve->plan, &solve->targets, here);
    return snw_escape_saddle(solve, solve->best_values);
}

static bool escape_chain(void *self, double *joints)
{
    snw_Solve *solve = self;
    const snw_Chain *chain = &solve->method.chain;
    snw_chain_store(chain, &solve->plan, joints, values_of_start(solve));
    if (!escape_from(solve)) { return false; }
    snw_chain_load(chain, &solve->plan, solve->best_values, joints);
    return true;
}

// ---------------------------------------------------------------------------------------------
// A tree of hinges and slides as a problem

static double measure_branches(void *self, const double *joints)
{
    snw_Solve *solve = self;
    return snw_branches_measure(&solve->method.branches, joints);
}

static bool branches_meet(void *self)
{
    const snw_Solve *solve = self;
    const snw_Branches *branches = &solve->method.branches;
    double position2 = solve->met_position2 / (branches->reach * branches->reach);
    for (int e = 0; e < branches->tip_count; ++e) {
        const snw_BranchTip *tip = &branches->tips[e];
        // a goal of weight 0 is no goal
        if ((tip->position_weight > 0.0 && !(tip->position_error2 <= position2))
            || (tip->orientation_weight > 0.0 && !(tip->chord2 <= solve->met_chord2))) {
            return false;
        }
    }
    return true;
}

static double step_branches(void *self, const double *joints, double damping, bool fresh,
    double *moved, double *out_largest)
{
    snw_Solve *solve = self;
    if (fresh) { snw_branches_linearize(&solve->method.branches); }
    return snw_branches_step(&solve->method.branches, joints, damping, moved, out_largest);
}

static double change_of_branches(void *self, const double *from, const double *to)
{
    const snw_Solve *solve = self;
    return largest_difference(from, to, solve->method.branches.count);
}

static bool escape_branches(void *self, double *joints)
{
    snw_Solve *solve = self;
    snw_Branches *branches = &solve->method.branches;
    snw_branches_store(branches, &solve->plan, joints, values_of_start(solve));
    if (!escape_from(solve)) { return false; }
    snw_branches_load(branches, &solve->plan, solve->best_values, joints);
    return true;
}

// The end of the last attempt with those limbs drawn anew that kept it from its goals: given the trunk,
// limbs are problems of their own, and one that has found its place need not be found again. Of some
// draws each limb takes the one that is nearest to its goal.
static void redraw_branches(snw_Solve *solve, int attempt, double *joints)
{
    snw_Branches *branches = &solve->method.branches;
    const snw_Plan *plan = &solve->plan;
    double *values = solve->trial->values, *drawn = solve->method.search.values[0];
    bool limits = solve->options.limits != SINEW_LIMITS_NONE;
    snw_Random random = snw_restart_random(&solve->options, attempt);
    snw_branches_keep_limbs(branches, attempt % WHOLE_DRAW_EVERY != 0 ? KEPT_SHARE : 0.0);
    for (int draw = 0; draw < LIMB_DRAWS; ++draw) {
        snw_random_values(plan, limits, &random, solve->targets.start_values, values);
        snw_branches_load(branches, plan, values, drawn);
        snw_branches_take_draw(branches, draw == 0, drawn, joints);
    }
    solve->report.forward_count += LIMB_DRAWS;
}

static void start_branches(void *self, int attempt, double *joints)
{
    snw_Solve *solve = self;
    double *values = values_of_start(solve);
    if (attempt > solve->restart.start_count) {
        redraw_branches(solve, attempt, joints);
        return;
    }
    snw_restart_next(
        &solve->restart, &solve->plan, &solve->options, &solve->targets, attempt, values);
    snw_branches_load(&solve->method.branches, &solve->plan, values, joints);
}

// ---------------------------------------------------------------------------------------------
// Any body as a problem: the general state and linear step

static bool is_pose_of(const snw_Plan *plan, const snw_State *state, const double *values)
{
    // those of static links are the same in all
    int first = plan->static_link_count;
    int i = first < plan->link_count ? plan->links[first].value : plan->value_count;
    const int count = plan->value_count;
    const double *own = state->values;
    while (i < count && own[i] == values[i]) { ++i; }
    return i == count;
}

static double measure_body(void *self, const double *values)
{
    snw_Solve *solve = self;
    const snw_Plan *plan = &solve->plan;
    snw_State *measured = solve->method.measured;
    // the pose given is posed and measured before any search
    if (measured != solve->current || !is_pose_of(plan, measured, values)) {
        measured = solve->method.measured = solve->trial;
        memcpy(measured->values, values, (size_t)plan->value_count * sizeof *values);
        snw_state_forward(plan, measured, plan->static_link_count);
        snw_state_measure(plan, &solve->targets, measured);
    }
    return 2.0 * measured->objective / (plan->reach * plan->reach);
}

static bool body_meets(void *self)
{
    const snw_Solve *solve = self;
    return snw_solve_met_by(solve, solve->method.measured);
}

static void make_current(snw_Solve *solve, snw_State *state)
{
    if (state == solve->current) { return; }
    solve->trial = solve->current;
    solve->current = state;
}

static double step_body(void *self, const double *values, double damping, bool fresh, double *moved,
    double *out_largest)
{
    snw_Solve *solve = self;
    const snw_Plan *plan = &solve->plan;
    (void)values;
    double reach2 = plan->reach * plan->reach;
    if (fresh) {
        make_current(solve, solve->method.measured);
        solve->fresh_jacobian = false;
        snw_linear_set_error(&solve->linear, plan, &solve->targets, solve->current, INFINITY);
    }
    if (!snw_step_damped_by(solve, damping * reach2)) {
        *out_largest = 0.0;
        snw_copy(moved, solve->current->values, plan->value_count);
        return INFINITY;
    }
    double scale;
    *out_largest = snw_solve_cap_step(solve, &scale);
    bool whole = scale == 1.0 && solve->options.limits == SINEW_LIMITS_ACTIVE;
    snw_state_integrate(plan, solve->current, solve->linear.step, solve->options.limits,
        whole ? solve->holds : NULL, solve->trial);
    snw_copy(moved, solve->trial->values, plan->value_count);
    // a step cut short says nothing of where it would lead, and tasks are not asked
    if (scale != 1.0 || plan->task_count > 0) { return 0.0; }
    return snw_linear_promise(&solve->linear, plan, &solve->targets, solve->current) / reach2;
}

static double change_of_body(void *self, const double *from, const double *to)
{
    const snw_Solve *solve = self;
    const snw_Plan *plan = &solve->plan;
    double largest = 0.0, sine2 = 0.0,
           cosine2 = 1.0; // of half the angle of the ball that turns most
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        const double *a = &from[link->value], *b = &to[link->value];
        if (link->motion == SNW_BALL) {
            sinew_Quat way = sinew_quat_mul(
                sinew_quat_conjugate(snw_quat_load(a)), snw_quat_load(b));
            double s2 = way.x * way.x + way.y * way.y + way.z * way.z, c2 = way.w * way.w;
            if (!(s2 * cosine2 > sine2 * c2)) { continue; }
            sine2 = s2;
            cosine2 = c2;
            continue;
        }
        double change = fabs(a[0] - b[0]);
        if (!snw_motion_is_hinge(link->motion)) { change /= plan->reach; }
        largest = change > largest ? change : largest;
    }
    // both signs of a quaternion are one rotation
    double turn = sine2 > 0.0 ? 2.0 * sinew_atan2(sqrt(sine2), sqrt(cosine2)) : 0.0;
    return turn > largest ? turn : largest;
}

static bool escape_body(void *self, double *values)
{
    snw_Solve *solve = self;
    snw_copy(solve->trial->values, values, solve->plan.value_count);
    if (!escape_from(solve)) { return false; }
    snw_copy(values, solve->best_values, solve->plan.value_count);
    return true;
}

static void start_body(void *self, int attempt, double *values)
{
    snw_Solve *solve = self;
    snw_copy(values, solve->targets.start_values, solve->plan.value_count);
    snw_restart_next(
        &solve->restart, &solve->plan, &solve->options, &solve->targets, attempt, values);
}

// ---------------------------------------------------------------------------------------------

bool snw_auto_poses_itself(const snw_Solve *solve)
{
    const snw_Targets *targets = &solve->targets;
    if (solve->method.layout == SNW_LAYOUT_BODY || solve->options.limits == SINEW_LIMITS_CLAMP
        || solve->levels.count > 1 || solve->plan.task_count > 0 || targets->rest_weight > 0.0
        || targets->velocity_weight > 0.0) {
        return false;
    }
    // a chain's one goal counts whatever its weight, so it must have one
    const snw_Chain *chain = &solve->method.chain;
    return solve->method.layout == SNW_LAYOUT_BRANCHES
        || ((!chain->position || targets->position_scale[0] > 0.0)
            && (!chain->orientation || targets->orientation_scale[0] > 0.0));
}

// the link that carries the chain, -1: the world
static int base_of(const snw_Solve *solve)
{
    return solve->plan.links[solve->plan.static_link_count].parent;
}

static sinew_Vec3 position_of(const snw_Solve *solve, int base)
{
    return base >= 0 ? solve->current->position[base] : sinew_vec3(0.0, 0.0, 0.0);
}

double snw_auto_distance(const snw_Solve *solve)
{
    sinew_Vec3 from = position_of(solve, base_of(solve));
    double farthest = 0.0;
    for (int e = 0; e < solve->plan.effector_count; ++e) {
        if (!solve->plan.effectors[e].position) { continue; }
        double distance = sinew_vec3_distance(solve->targets.position[e], from);
        farthest = distance > farthest ? distance : farthest;
    }
    return farthest;
}

void snw_solve_pose(snw_Solve *solve)
{
    if (solve->posed) { return; }
    snw_state_forward(&solve->plan, solve->current, solve->plan.static_link_count);
    snw_state_measure(&solve->plan, &solve->targets, solve->current);
    solve->posed = true;
}

// Whether a closed form's answer to a goal that it does not meet stands: no pose is nearer, and it is
// another one than that given. result: with the errors of both.
static bool is_nearest(snw_LimbAnswer answer, double change, const snw_SearchResult *result)
{
    return answer == SNW_LIMB_NEAREST && change > SNW_STILL
        && result->error2 < result->start_error2;
}

// The joints given, which are those of the last solve's answer from frame to frame. frames: a step is taken from them.
static double measure_start(snw_Solve *solve, bool frames)
{
    snw_Auto *method = &solve->method;
    bool posed = method->posed && method->chain.has_frames == frames;
    method->posed = false;
    if (posed) { return snw_chain_judge(&method->chain); }
    return frames ? snw_chain_measure(&method->chain, method->joints)
                  : snw_chain_measure_tip(&method->chain, method->joints);
}

// a limb in closed form; false: it has no answer, and the joints are as they were
static bool solve_limb(snw_Solve *solve, const snw_SearchLimits *limits, snw_SearchResult *result)
{
    snw_Chain *chain = &solve->method.chain;
    double *joints = solve->method.joints, *before = solve->method.search.start;
    result->start_error2 = result->error2 = measure_start(solve, false);
    result->measures = 1;
    result->met = chain_meets(solve) && solve->options.min_iterations == 0;
    if (result->met || snw_search_exhausted(limits, result)) { return true; }
    for (int i = 0, count = chain->count; i < count; ++i) { before[i] = joints[i]; }
    snw_LimbAnswer answer = snw_two_bone_solve(&solve->method.two_bone, chain, joints);
    if (answer == SNW_LIMB_NONE) { return false; }
    double change = largest_difference(before, joints, chain->count);
    sinew_Vec3 tip = chain->tip;
    result->error2 = snw_chain_measure_tip(chain, joints);
    result->met = chain_meets(solve);
    result->measures = 2;
    result->iterations = 1;
    // out of reach the tip moves as the goal's direction does
    double moved = sinew_vec3_distance(tip, chain->tip);
    result->leapt = snw_search_leapt(change, result->met ? result->start_error2 : moved * moved);
    result->closed = true;
    if (result->met || is_nearest(answer, change, result)) { return true; }
    result->closed = false;
    for (int i = 0; i < chain->count; ++i) { joints[i] = before[i]; }
    if (answer == SNW_LIMB_MEETS) { return false; }
    result->error2 = snw_chain_measure_tip(chain, joints);
    result->leapt = false;
    return true;
}

static void put(double *rows, sinew_Vec3 v, double scale)
{
    rows[0] = v.x * scale;
    rows[1] = v.y * scale;
    rows[2] = v.z * scale;
}

// take the goal and the pose given over into the chain; whether it has a closed form, but two bones
static bool begin_chain(snw_Solve *solve, sinew_Mat3 *out_rotation)
{
    snw_Auto *method = &solve->method;
    snw_Chain *chain = &method->chain;
    int base = base_of(solve);
    sinew_Vec3 position = position_of(solve, base);
    *out_rotation = base >= 0 ? solve->current->rotation[base] : sinew_mat3_identity();
    snw_chain_begin(
        chain, &solve->plan, &solve->targets, solve->options.limits, out_rotation, position);
    bool same = snw_chain_load(chain, &solve->plan, solve->current->values, method->joints);
    method->posed = method->posed && same;
    return snw_closed_begin(&method->closed, chain, method->joints);
}

static snw_Problem chain_problem(snw_Solve *solve, bool closed)
{
    snw_Problem r = { solve, solve->method.chain.count, measure_chain, chain_meets, step_chain,
        change_of_chain, escape_chain, start_chain, closed ? answer_chain : NULL };
    return r;
}

bool snw_auto_begin_chain(snw_Solve *solve)
{
    sinew_Mat3 rotation;
    if (solve->method.layout != SNW_LAYOUT_CHAIN || !snw_auto_poses_itself(solve)) { return false; }
    bool closed = begin_chain(solve, &rotation);
    solve->method.posed = false;
    return closed;
}

bool snw_auto_finish_chain(snw_Solve *solve, double *joints)
{
    // most are exact, and the search would measure them once more
    (void)snw_chain_measure(&solve->method.chain, joints);
    if (chain_meets(solve)) { return true; }
    snw_Problem problem = chain_problem(solve, false);
    snw_SearchLimits limits = { .max_iterations = FINISH_ITERATIONS, .max_attempts = 1 };
    return snw_search_run(&solve->method.search, &problem, &limits, joints).met;
}

// The way of most solves of an arm: the closed form meets a goal that is far. false: it is not the way, and
// the joints are as they were; then limits know what has been done for it. has_answer: false, where it has none.
static bool answer_at_once(
    snw_Solve *solve, snw_SearchLimits *limits, bool *has_answer, snw_SearchResult *result)
{
    snw_Chain *chain = &solve->method.chain;
    const sinew_SolveOptions *o = &solve->options;
    double *joints = solve->method.joints, *before = solve->method.search.start;
    if (o->restarts == 0 || o->branch == SINEW_BRANCH_KEPT || o->min_iterations > 0) {
        return false;
    }
    // a descent would need more of the pose than where its tip is
    bool tip = !chain->orientation;
    result->start_error2 = measure_start(solve, !tip);
    limits->measured = !tip;
    limits->start_error2 = result->start_error2;
    result->measures = 1;
    result->met = chain_meets(solve);
    result->error2 = result->start_error2;
    if (result->met || snw_search_exhausted(limits, result)) { return true; }
    if (limits->warm && result->start_error2 < SNW_NEAR) { return false; }
    for (int i = 0, count = chain->count; i < count; ++i) { before[i] = joints[i]; }
    if (!answer_from(solve, true, joints)) {
        *has_answer = false;
        return false;
    }
    result->error2 = tip ? snw_chain_measure_tip(chain, joints) : snw_chain_measure(chain, joints);
    result->measures = 2;
    result->met = result->closed = chain_meets(solve);
    if (result->met) {
        double change = largest_difference(before, joints, chain->count);
        result->leapt = snw_search_leapt(change, result->start_error2);
        result->iterations = 1;
        return true;
    }
    for (int i = 0; i < chain->count; ++i) { joints[i] = before[i]; }
    limits->measured = false;
    return false;
}

// the chain's last pose measured is the answer
static void take_chain(snw_Solve *solve, const sinew_Mat3 *rotation, const snw_SearchResult *result)
{
    const snw_Chain *chain = &solve->method.chain;
    snw_chain_store(chain, &solve->plan, solve->method.joints, solve->current->values);
    solve->method.posed = true;
    double reach2 = chain->reach * chain->reach;
    double scale = chain->position ? solve->targets.position_scale[0] * chain->reach
                                   : solve->targets.orientation_scale[0];
    snw_State *state = solve->current;
    double *error = state->error;
    if (chain->position) {
        put(error, sinew_mat3_mul_vec3(*rotation, chain->position_error), chain->reach);
        error += 3;
    }
    if (chain->orientation) {
        put(error, sinew_mat3_mul_vec3(*rotation, chain->orientation_error), 1.0 / chain->weight);
    }
    state->position_error2 = chain->position ? chain->position_error2 * reach2 : 0.0;
    state->orientation_chord2 = chain->orientation ? chain->chord2 : 0.0;
    state->objective = 0.5 * scale * scale * result->error2;
    state->goal_objective = state->objective;
    solve->report.start_objective = 0.5 * scale * scale * result->start_error2;
}

static snw_SearchResult search_branches(snw_Solve *solve, const snw_SearchLimits *limits)
{
    snw_Branches *branches = &solve->method.branches;
    const snw_Plan *plan = &solve->plan;
    double *joints = solve->method.joints;
    snw_branches_begin(branches, plan, &solve->targets, solve->options.limits, solve->current);
    snw_branches_load(branches, plan, solve->current->values, joints);
    snw_Problem problem = { solve, branches->count, measure_branches, branches_meet, step_branches,
        change_of_branches, escape_branches, start_branches, NULL };
    snw_SearchResult result = snw_search_run(&solve->method.search, &problem, limits, joints);
    snw_branches_store(branches, plan, joints, solve->current->values);

    double reach2 = branches->reach * branches->reach;
    snw_State *state = solve->current;
    state->position_error2 = 0.0;
    state->orientation_chord2 = 0.0;
    for (int e = 0; e < branches->tip_count; ++e) {
        const snw_BranchTip *tip = &branches->tips[e];
        double *error = &state->error[plan->effectors[e].row];
        if (tip->position) {
            put(error, tip->position_error, branches->reach);
            error += 3;
            double error2 = tip->position_weight > 0.0 ? tip->position_error2 * reach2 : 0.0;
            state->position_error2 = fmax(state->position_error2, error2);
        }
        if (tip->orientation) {
            put(error, tip->chord, 1.0);
            double chord2 = tip->orientation_weight > 0.0 ? tip->chord2 : 0.0;
            state->orientation_chord2 = fmax(state->orientation_chord2, chord2);
        }
    }
    state->objective = 0.5 * reach2 * result.error2;
    state->goal_objective = state->objective;
    solve->report.start_objective = 0.5 * reach2 * result.start_error2;
    return result;
}

static bool has_ball_limb(const snw_Solve *solve)
{
    const sinew_SolveOptions *o = &solve->options;
    const snw_Targets *targets = &solve->targets;
    bool counts = targets->position_scale[0] > 0.0
        && (!solve->method.ball_limb.pose || targets->orientation_scale[0] > 0.0);
    return solve->method.ball_limb.fits && counts && o->limits != SINEW_LIMITS_CLAMP
        && targets->rest_weight == 0.0 && targets->velocity_weight == 0.0;
}

// a hinge and a place leave one angle, and its least change is the answer from frame to frame as well
static bool is_followed_closed(const snw_Solve *solve)
{
    const snw_BallLimb *limb = &solve->method.ball_limb;
    return !limb->pose && solve->plan.links[limb->middle].motion != SNW_BALL;
}

// what a limb with a ball answers, no joint going farther than it may
static snw_LimbAnswer answer_ball_limb(snw_Solve *solve, double *values)
{
    const snw_Plan *plan = &solve->plan;
    double *before = solve->method.search.start;
    memcpy(before, values, (size_t)plan->value_count * sizeof *before);
    snw_LimbAnswer answer = snw_ball_limb_solve(&solve->method.ball_limb, plan, &solve->targets,
        solve->current, solve->options.limits != SINEW_LIMITS_NONE, values);
    if (answer == SNW_LIMB_NONE || !isfinite(plan->most_change)
        || change_of_body(solve, before, values) <= plan->most_change) {
        return answer;
    }
    snw_copy(values, before, plan->value_count);
    return SNW_LIMB_NONE;
}

static bool answer_body(void *self, double *values)
{
    return answer_ball_limb(self, values) == SNW_LIMB_MEETS;
}

// a limb with a ball in closed form; false: it has no answer, and the values are as they were
static bool solve_ball_limb(
    snw_Solve *solve, const snw_SearchLimits *limits, double *values, snw_SearchResult *result)
{
    double *before = solve->method.search.start;
    double reach2 = solve->plan.reach * solve->plan.reach;
    result->start_error2 = result->error2 = 2.0 * solve->current->objective / reach2;
    result->met = snw_solve_met_by(solve, solve->current) && solve->options.min_iterations == 0;
    if (result->met || snw_search_exhausted(limits, result)) { return true; }
    snw_LimbAnswer answer = answer_ball_limb(solve, values);
    if (answer == SNW_LIMB_NONE) { return false; }
    double change = change_of_body(solve, before, values);
    result->error2 = measure_body(solve, values);
    result->met = body_meets(solve);
    result->measures = 1;
    result->iterations = 1;
    double moved = sinew_vec3_distance(solve->current->effector_position[0],
                       solve->method.measured->effector_position[0])
        / solve->plan.reach;
    result->leapt = snw_search_leapt(change, result->met ? result->start_error2 : moved * moved);
    result->closed = true;
    if (result->met || is_nearest(answer, change, result)) { return true; }
    result->closed = false;
    snw_copy(values, before, solve->plan.value_count);
    result->leapt = false;
    return answer == SNW_LIMB_NEAREST;
}

// make values the current pose, which is there already where they were measured last
static void take_pose(snw_Solve *solve, const double *values)
{
    const snw_Plan *plan = &solve->plan;
    if (is_pose_of(plan, solve->method.measured, values)) {
        make_current(solve, solve->method.measured);
        return;
    }
    snw_copy(solve->current->values, values, plan->value_count);
    snw_state_forward(plan, solve->current, plan->static_link_count);
    snw_state_measure(plan, &solve->targets, solve->current);
}

static snw_SearchResult search_body(snw_Solve *solve, const snw_SearchLimits *limits)
{
    bool limb = has_ball_limb(solve), followed = limb && is_followed_closed(solve);
    snw_Problem problem = { solve, solve->plan.value_count, measure_body, body_meets, step_body,
        change_of_body, escape_body, start_body, limb && !followed ? answer_body : NULL };
    double *values = solve->method.joints;
    solve->method.measured = solve->current;
    memcpy(values, solve->current->values, (size_t)solve->plan.value_count * sizeof *values);
    snw_SearchResult result = { .attempts = 1, .out_of_time = limits->out_of_time };
    if (!followed || !solve_ball_limb(solve, limits, values, &result)) {
        result = snw_search_run(&solve->method.search, &problem, limits, values);
    }
    take_pose(solve, values);
    return result;
}

static snw_SearchLimits limits_of(const snw_Solve *solve)
{
    const sinew_SolveOptions *o = &solve->options;
    snw_SearchLimits limits = { .max_iterations = o->max_iterations,
        .min_iterations = o->min_iterations,
        .max_attempts = 1 + o->restarts,
        .stall_share = o->stall_share,
        .warm = o->start == SINEW_START_GIVEN,
        .keep_branch = o->branch == SINEW_BRANCH_KEPT };
    if (o->time_budget > 0.0) {
        limits.time = solve->clock;
        limits.time_user = solve->clock_user;
        limits.time_end = solve->start_time + o->time_budget;
        limits.out_of_time = solve->out_of_time;
    }
    return limits;
}

// what the goals' distance says of a search
static void measure_reach(const snw_Solve *solve, snw_SearchLimits *limits)
{
    const sinew_SolveOptions *o = &solve->options;
    double least2;
    limits->beyond = snw_reach_is_passed(&solve->plan, &solve->targets, solve->current,
        o->limits != SINEW_LIMITS_NONE, o->position_tolerance, solve->method.spans, &least2);
    bool few = limits->beyond || solve->method.layout == SNW_LAYOUT_BODY;
    limits->enough_bottoms = few ? FEW_BOTTOMS : BOTTOMS;
    // Limits of balls hold descents where arcs of answers lie on both sides: that is no branch to keep.
    limits->closed_end = solve->posed && !limits->beyond && !limits->keep_branch;
    // E of a chain is that of its goal whatever that weighs
    const snw_Chain *chain = &solve->method.chain;
    bool lone = !solve->posed && solve->method.layout == SNW_LAYOUT_CHAIN && chain->position;
    double scale = lone ? solve->targets.position_scale[0] : 1.0;
    double unit = scale * (lone ? chain->reach : solve->plan.reach);
    if (limits->beyond && solve->levels.count <= 1) { limits->least2 = least2 / (unit * unit); }
}

static snw_SearchResult search_chain(snw_Solve *solve, snw_SearchLimits *limits)
{
    snw_Auto *method = &solve->method;
    sinew_Mat3 rotation;
    bool closed = begin_chain(solve, &rotation);
    snw_SearchResult result = { .attempts = 1, .out_of_time = limits->out_of_time };
    bool done = method->two_bone.fits ? solve_limb(solve, limits, &result)
                                      : closed && answer_at_once(solve, limits, &closed, &result);
    if (!done) {
        snw_Problem problem = chain_problem(solve, closed);
        measure_reach(solve, limits);
        bool posed = method->posed && method->chain.has_frames;
        if (posed) { limits->start_error2 = measure_start(solve, true); }
        limits->measured = limits->measured || posed;
        result = snw_search_run(&method->search, &problem, limits, method->joints);
        result.measures += posed ? 1 : 0;
    }
    take_chain(solve, &rotation, &result);
    return result;
}

static snw_SearchResult search(snw_Solve *solve, snw_SearchLimits *limits)
{
    if (!solve->posed && solve->method.layout == SNW_LAYOUT_CHAIN) {
        return search_chain(solve, limits);
    }
    solve->method.posed = false;
    measure_reach(solve, limits);
    return solve->posed ? search_body(solve, limits) : search_branches(solve, limits);
}

sinew_Outcome snw_solve_auto(snw_Solve *solve)
{
    snw_SearchLimits limits = limits_of(solve);
    snw_SearchResult result = search(solve, &limits);
    solve->out_of_time = result.out_of_time;
    solve->time_told = result.time_told;
    sinew_Report *report = &solve->report;
    report->iterations += result.iterations;
    report->restarts += result.attempts - 1;
    report->rejections += result.rejections;
    report->forward_count += result.measures;
    report->jacobian_count += result.steps;
    report->branch_change = limits.warm && (result.attempt > 0 || result.leapt);
    report->found_by = result.closed ? SINEW_FOUND_CLOSED
        : result.attempt > 0         ? SINEW_FOUND_RESTART
        : result.iterations > 0      ? SINEW_FOUND_DESCENT
                                     : SINEW_FOUND_GIVEN;
    return result.met              ? SINEW_OUTCOME_CONVERGED
        : result.out_of_time       ? SINEW_OUTCOME_OUT_OF_TIME
        : result.out_of_iterations ? SINEW_OUTCOME_OUT_OF_ITERATIONS
                                   : SINEW_OUTCOME_STALLED;
}

static void set_defaults(sinew_SolveOptions *o)
{
    o->descent = true;
    o->max_iterations = 8000;
    o->restarts = 1000;
}

const snw_MethodRow snw_method_auto = {
    .abilities = SNW_CAN_ALL,
    .run = snw_solve_auto,
    .orientation_divisor = 1.0,
    .defaults = set_defaults,
};
