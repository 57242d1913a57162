// The list of chapters, and what they have in common.

#include "golden.h"

#include <stdlib.h>

const golden_Chapter golden_core_chapters[] = {
    { "math", golden_math },
    { "spaces", golden_spaces },
    { "bodies", golden_bodies },
    { "limits", golden_limits },
    { "jacobians", golden_jacobians },
    { "roles", golden_roles },
    { "rigs", golden_rigs },
    { "methods", golden_methods },
    { "soak", golden_soak },
    { "levels", golden_levels },
    { "auto", golden_auto },
    { "arms", golden_arms },
    { "limbs", golden_limbs },
    { "diagnoses", golden_diagnoses },
    { "starts", golden_starts },
    { "rings", golden_rings },
    { "jobs", golden_jobs },
    { "tracking", golden_tracking },
    { "tracking-limits", golden_tracking_limits },
    { "tracking-arms", golden_tracking_arms },
    { "clips", golden_clips },
    { "switches", golden_switches },
    { "keys", golden_keys },
    { "people", golden_people },
    { "contacts", golden_contacts },
    { "retargets", golden_retargets },
    { "grounders", golden_grounders },
    { "terrains", golden_terrains },
    { "walks-natural", golden_walks_natural },
    { "walks-paper", golden_walks_paper },
    { "walks-tips", golden_walks_tips },
    { "walks-plain", golden_walks_plain },
    { "drives", golden_drives },
    { "games", golden_games },
    { "gaits", golden_gaits },
    { "refusals", golden_refusals },
};
const int golden_core_count = (int)(sizeof golden_core_chapters / sizeof golden_core_chapters[0]);

uint64_t golden_run(void)
{
    uint64_t hash = GOLDEN_START;
    for (int i = 0; i < golden_core_count; ++i) {
        golden_bits(&hash, golden_core_chapters[i].run());
    }
    return hash;
}

void golden_digits(uint64_t hash, char *out)
{
    for (int i = 0; i < 16; ++i) { out[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15U]; }
    out[16] = '\0';
}

void golden_bits(uint64_t *hash, uint64_t bits)
{
    for (int byte = 0; byte < 8; ++byte) {
        *hash = (*hash ^ (bits >> (8 * byte) & 255U)) * UINT64_C(0x100000001b3);
    }
}

void golden_number(uint64_t *hash, double value)
{
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (value == value) { memcpy(&bits, &value, sizeof bits); }
    golden_bits(hash, bits);
}

void golden_numbers(uint64_t *hash, const double *values, int count)
{
    for (int i = 0; i < count; ++i) { golden_number(hash, values[i]); }
}

void golden_int(uint64_t *hash, int64_t value)
{
    golden_bits(hash, (uint64_t)value);
}

void golden_text(uint64_t *hash, const char *text)
{
    for (; *text != '\0'; ++text) {
        *hash = (*hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    golden_int(hash, -1);
}

void golden_vec3(uint64_t *hash, sinew_Vec3 v)
{
    golden_number(hash, v.x);
    golden_number(hash, v.y);
    golden_number(hash, v.z);
}

void golden_quat(uint64_t *hash, sinew_Quat q)
{
    golden_vec3(hash, (sinew_Vec3){ q.x, q.y, q.z });
    golden_number(hash, q.w);
}

void golden_transforms(uint64_t *hash, const sinew_Transform *transforms, int count)
{
    for (int i = 0; i < count; ++i) {
        golden_vec3(hash, transforms[i].position);
        golden_quat(hash, transforms[i].rotation);
    }
}

void golden_status(uint64_t *hash, sinew_Status status, const sinew_Message *message)
{
    golden_int(hash, status);
    if (status != SINEW_STATUS_OK) { golden_text(hash, message->text); }
}

void golden_report(uint64_t *hash, const sinew_Report *r)
{
    const int counts[] = { (int)r->outcome, r->iterations, r->branch_change, (int)r->found_by,
        r->restarts, r->halvings, r->rejections, r->singular_steps, (int)r->form, r->forward_count,
        r->jacobian_count };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) { golden_int(hash, counts[i]); }
    const double numbers[] = { r->position_error, r->orientation_error, r->eased_distance,
        r->objective, r->start_objective, r->limit_violation, r->time };
    golden_numbers(hash, numbers, (int)(sizeof numbers / sizeof numbers[0]));
}

void golden_clip(uint64_t *hash, const sinew_Clip *clip)
{
    int numbers = sinew_skeleton_coordinate_count(sinew_clip_skeleton(clip));
    golden_number(hash, sinew_clip_frame_time(clip));
    golden_number(hash, sinew_clip_duration(clip));
    for (int i = 0; i < sinew_clip_frame_count(clip); ++i) {
        golden_numbers(hash, sinew_clip_frame_const(clip, i), numbers);
    }
}

void golden_skeleton(uint64_t *hash, const sinew_Skeleton *skeleton)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        const sinew_Joint *joint = &joints[j];
        golden_text(hash, joint->name);
        golden_int(hash, joint->parent);
        golden_int(hash, joint->subtree_count);
        golden_vec3(hash, joint->offset);
        golden_quat(hash, joint->rest_rotation);
        golden_number(hash, joint->mass);
        golden_vec3(hash, joint->mass_center);
        golden_int(hash, joint->axis_start);
        golden_int(hash, joint->dof_start);
    }
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        golden_int(hash, axes[a].kind);
        golden_vec3(hash, axes[a].direction);
        golden_number(hash, axes[a].lower);
        golden_number(hash, axes[a].upper);
        golden_number(hash, axes[a].rest);
        golden_number(hash, axes[a].mobility);
        golden_int(hash, places[a].joint);
        golden_int(hash, places[a].coordinate);
        golden_int(hash, places[a].dof);
        if (axes[a].limit == NULL) { continue; }
        golden_quat(hash, sinew_ball_limit_middle(axes[a].limit));
        for (int s = 0; s < sinew_ball_limit_side_count(axes[a].limit); ++s) {
            sinew_ReachSide side = sinew_ball_limit_side(axes[a].limit, s);
            golden_vec3(hash, side.start);
            golden_vec3(hash, side.normal);
            golden_number(hash, side.offset);
        }
    }
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
        char name[64];
        sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
        golden_text(hash, name);
        golden_int(hash, sinew_skeleton_find_coordinate(skeleton, name));
    }
    golden_number(hash, sinew_skeleton_size(skeleton));
}

void golden_ok(sinew_Status status)
{
    if (status != SINEW_STATUS_OK) { abort(); }
}

scene_Scene *golden_scene(const char *name)
{
    scene_Scene *scene = NULL;
    golden_ok(scene_create(name, NULL, &scene, NULL));
    return scene;
}

double *golden_room(size_t count)
{
    double *room = calloc(count, sizeof *room);
    if (room == NULL) { abort(); }
    return room;
}

void golden_free(void *memory)
{
    free(memory);
}

sinew_Vec3 golden_point(scene_Random *random, double size)
{
    double x = scene_random_range(random, -size, size);
    double y = scene_random_range(random, -size, size);
    double z = scene_random_range(random, -size, size);
    return sinew_vec3(x, y, z);
}

double golden_range(scene_Random *random, double lower, double upper)
{
    return scene_random_range(random, lower, upper);
}

sinew_Solver *golden_solver(const sinew_Skeleton *skeleton, int max_goals)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = max_goals;
    sinew_Solver *solver = NULL;
    golden_ok(sinew_solver_create(&def, &solver, NULL));
    return solver;
}

int golden_goals(const scene_Scene *scene, const double *q, sinew_Goal *out_goals)
{
    static sinew_Transform world[GOLDEN_MAX_JOINTS];
    if (sinew_skeleton_joint_count(scene->skeleton) > GOLDEN_MAX_JOINTS) { abort(); }
    sinew_pose_forward(scene->skeleton, q, world);
    for (int e = 0; e < scene->effector_count; ++e) {
        int joint = scene->effectors[e].joint;
        out_goals[e] = sinew_goal_position(joint, world[joint].position);
        out_goals[e].chain_root = scene->effectors[e].chain_root;
    }
    return scene->effector_count;
}
