// One good thing of every type that a public function takes.

#include "edge.h"
#include "gltf_make.h"

#include "scenes/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THINGS 100

static edge_Thing things[MAX_THINGS];
static int thing_count;

static void add(const char *type, const void *good, size_t size, bool is_array)
{
    if (thing_count == MAX_THINGS || good == NULL) {
        printf("edge: no good %s\n", type);
        exit(2);
    }
    things[thing_count++] = (edge_Thing){ type, (void *)(uintptr_t)good, size, is_array };
}

const edge_Thing *edge_thing(const char *type, size_t length)
{
    for (int i = 0; i < thing_count; ++i) {
        if (strlen(things[i].type) == length && memcmp(things[i].type, type, length) == 0) {
            return &things[i];
        }
    }
    return NULL;
}

static void must(sinew_Status status, const sinew_Message *message, const char *what)
{
    if (status == SINEW_STATUS_OK) { return; }
    printf("edge: %s: %s\n", what, message->text);
    exit(2);
}

#define ADD_OPAQUE(type, pointer) add(#type, pointer, 0, false)
#define ADD_STRUCT(type, ...)                    \
    do {                                         \
        static type thing;                       \
        thing = __VA_ARGS__;                     \
        add(#type, &thing, sizeof thing, false); \
    } while (0)

static sinew_Message message;
static double *pose;
static sinew_Transform *world;
static scene_Scene *scene;
static const sinew_Skeleton *skeleton;

static const char bvh_text[] =
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition "
    "Zposition Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n0 0 0 1 2 3\n";

static void add_numbers(void)
{
    add("double", pose, sizeof(double), true);
    add("float", calloc(1, EDGE_ROOM), sizeof(float), true);
    add("int", calloc(1, EDGE_ROOM), 0, true);
    add("char", bvh_text, 0, true);
    add("sinew_Transform", world, sizeof(sinew_Transform), true);
    sinew_Vec3 *points = calloc(1, EDGE_ROOM);
    points[0] = points[1] = (sinew_Vec3){ 1.0, 0.0, 0.0 };
    points[2].z = 1.0;
    add("sinew_Vec3", points, sizeof(sinew_Vec3), true);
    ADD_STRUCT(sinew_Quat, sinew_quat_identity());
    ADD_STRUCT(sinew_Mat3, sinew_mat3_identity());
    ADD_STRUCT(sinew_SwingTwist, (sinew_SwingTwist){ { 0.0, 0.0, 0.0, 1.0 }, 0.1 });
    ADD_STRUCT(sinew_MatrixLayout, sinew_matrix_layout_default());
}

static void add_body(void)
{
    static sinew_Axis axis;
    axis = sinew_axis_hinge((sinew_Vec3){ 1.0, 0.0, 0.0 }, -1.0, 1.0);
    sinew_JointDef joint = sinew_joint_def_default();
    joint.name = "Hips";
    joint.axes = &axis;
    joint.axis_count = 1;
    ADD_OPAQUE(sinew_Skeleton, skeleton);
    ADD_STRUCT(sinew_JointDef, joint);
    ADD_STRUCT(sinew_Space, sinew_space_preset(SINEW_SPACE_UNREAL));

    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    static sinew_Vec3 ray = { 1.0, 0.0, 0.0 };
    static sinew_ReachWindow window;
    window = sinew_reach_cone(&ray, 0.5);
    def.windows = &window;
    def.window_count = 1;
    sinew_BallLimit *limit = NULL;
    must(sinew_ball_limit_create(&def, NULL, &limit, &message), &message, "limit");
    ADD_OPAQUE(sinew_BallLimit, limit);
    ADD_STRUCT(sinew_BallLimitDef, def);

    sinew_RoleGuess *roles = NULL;
    sinew_Stance *stance = NULL;
    sinew_Rig *rig = NULL;
    must(sinew_roles_guess(skeleton, NULL, NULL, &roles, &message), &message, "roles");
    must(sinew_stance_guess(skeleton, roles, NULL, NULL, &stance, &message), &message, "stance");
    must(sinew_rig_guess(skeleton, roles, NULL, NULL, &rig, &message), &message, "rig");
    ADD_OPAQUE(sinew_RoleGuess, roles);
    ADD_OPAQUE(sinew_Stance, stance);
    ADD_OPAQUE(sinew_Rig, rig);
    ADD_STRUCT(sinew_RoleOptions, sinew_role_options_default());
    ADD_STRUCT(sinew_RigOptions, sinew_rig_options_default());
    ADD_STRUCT(sinew_RigJoint, sinew_rig_joint_default("Hips"));
    ADD_STRUCT(sinew_RigEffector, (sinew_RigEffector){ "tip", "Hips", { 0.0, 0.0, 0.0 } });
    static sinew_RigValues values = { "Hips", NULL, 3 };
    values.values = pose;
    ADD_STRUCT(sinew_RigPose, (sinew_RigPose){ "rest", &values, 1 });
}

static void add_solver(void)
{
    int tip = scene->effectors[0].joint;
    static sinew_Goal goals[4];
    goals[0] = sinew_goal_position(tip, (sinew_Vec3){ 3.0, 3.0, 3.0 });
    for (int i = 1; i < 4; ++i) { goals[i] = goals[0]; }
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    sinew_Solver *solver = NULL;
    sinew_Diagnosis *diagnosis = NULL;
    sinew_Report report;
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    options.max_iterations = 5;
    options.restarts = 0;
    must(sinew_solver_create(&def, &solver, &message), &message, "solver");
    must(sinew_diagnosis_create(skeleton, 8, NULL, &diagnosis, &message), &message, "diagnosis");
    double *q = calloc(1, EDGE_ROOM);
    memcpy(q, pose, EDGE_ROOM);
    must(sinew_solver_solve(solver, &options, goals, 1, q, &report, &message), &message, "solve");
    must(sinew_solver_diagnose(solver, &options, goals, 1, q, &report, diagnosis, &message),
        &message, "diagnosis");
    ADD_OPAQUE(sinew_Solver, solver);
    ADD_OPAQUE(sinew_Diagnosis, diagnosis);
    ADD_STRUCT(sinew_SolverDef, def);
    ADD_STRUCT(sinew_SolveOptions, options);
    ADD_STRUCT(sinew_Goal, goals[0]);
    ADD_STRUCT(sinew_Report, report);
    ADD_STRUCT(sinew_Answers, (sinew_Answers){ .capacity = 4, .poses = calloc(1, EDGE_ROOM) });

    sinew_TrackerDef track = sinew_tracker_def_default();
    track.skeleton = skeleton;
    sinew_Tracker *tracker = NULL;
    must(sinew_tracker_create(&track, &tracker, &message), &message, "tracker");
    ADD_OPAQUE(sinew_Tracker, tracker);
    ADD_STRUCT(sinew_TrackerDef, track);

    sinew_StartDef start = sinew_start_def_default();
    start.skeleton = skeleton;
    start.goals = goals;
    start.goal_count = 1;
    start.options = options;
    start.start_count = start.cluster_count = 2;
    start.target_count = start.candidate_count = 4;
    sinew_StartTable *table = NULL;
    must(sinew_start_table_build(&start, &table, NULL, &message), &message, "start table");
    ADD_OPAQUE(sinew_StartTable, table);
    ADD_STRUCT(sinew_StartDef, start);
    ADD_STRUCT(sinew_StartTableData, *sinew_start_table_data(table));
    sinew_Rig *rig = edge_thing("sinew_Rig", strlen("sinew_Rig"))->good;
    must(sinew_rig_keep_starts(rig, "starts", skeleton, table), &message, "starts of a rig");
    add("sinew_RigStarts", sinew_rig_starts(rig, 0), sizeof(sinew_RigStarts), false);

    sinew_Ring ring;
    int root = sinew_skeleton_find_joint(skeleton, "LeftUpLeg");
    must(root < 0 ? SINEW_STATUS_INVALID_ARGUMENT : SINEW_STATUS_OK, &message, "ring");
    must(sinew_ring_find(skeleton, pose, root, root + 1, root + 2, (sinew_Vec3){ 0.0, 0.0, 0.0 },
             &ring, &message),
        &message, "ring");
    ADD_STRUCT(sinew_Ring, ring);
}

static void add_jobs(void)
{
    sinew_AimJob aim = sinew_aim_job_default();
    aim.joints = world;
    aim.joint_count = 1;
    aim.target = (sinew_Vec3){ 1.0, 2.0, 3.0 };
    sinew_ChainJob chain = sinew_chain_job_default();
    chain.joints = world;
    chain.joint_count = 3;
    sinew_TwoBoneJob bones = sinew_two_bone_job_default();
    bones.start = sinew_transform_identity();
    bones.middle = bones.end = bones.start;
    bones.middle.position.x = 1.0;
    bones.end.position = (sinew_Vec3){ 2.0, 0.1, 0.0 };
    ADD_STRUCT(sinew_AimJob, aim);
    ADD_STRUCT(sinew_ChainJob, chain);
    ADD_STRUCT(sinew_TwoBoneJob, bones);
}

static void add_motion(void)
{
    static sinew_PoseList list;
    list = (sinew_PoseList){ pose, 1 };
    add("sinew_PoseList", &list, sizeof list, false);
    sinew_Clip *clip = NULL;
    must(sinew_clip_create(skeleton, 3, 0.1, NULL, &clip), &message, "clip");
    for (int i = 0; i < 3; ++i) { sinew_pose_rest(skeleton, sinew_clip_frame(clip, i)); }
    ADD_OPAQUE(sinew_Clip, clip);

    static sinew_SwitchLimb limbs[8];
    int root = sinew_skeleton_find_joint(skeleton, "LeftUpLeg");
    limbs[0] = sinew_switch_limb(skeleton, root, root + 1, root + 2);
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = skeleton;
    def.limbs = limbs;
    def.limb_count = 1;
    sinew_Switch *sw = NULL;
    sinew_Keys *keys = NULL;
    sinew_Handle handle;
    must(sinew_switch_create(&def, &sw, &message), &message, "switch");
    must(sinew_switch_handle(sw, 0, &handle, &message), &message, "handle");
    must(sinew_keys_create(skeleton, limbs, 1, NULL, &keys, &message), &message, "keys");
    must(sinew_keys_from_clip(keys, clip, NULL, NULL, &message), &message, "keys");
    ADD_OPAQUE(sinew_Switch, sw);
    ADD_OPAQUE(sinew_Keys, keys);
    ADD_STRUCT(sinew_SwitchDef, def);
    ADD_STRUCT(sinew_SwitchLimb, limbs[0]);
    ADD_STRUCT(sinew_Handle, handle);
    ADD_STRUCT(sinew_Channel, sinew_keys_channel(keys, 0));
    ADD_STRUCT(sinew_KeysTolerance, sinew_keys_tolerance_default());

    static sinew_ContactPoint point = { SINEW_CONTACT_HEEL, SINEW_SIDE_LEFT, 0, { 0.0, 0.0, 0.0 } };
    sinew_ContactDef contact = sinew_contact_def_default();
    contact.skeleton = skeleton;
    contact.motion = list;
    contact.frame_time = 0.01;
    contact.points = &point;
    contact.point_count = 1;
    const sinew_RoleGuess *roles = edge_thing("sinew_RoleGuess", strlen("sinew_RoleGuess"))->good;
    sinew_RetargeterDef retarget = sinew_retargeter_def_default();
    retarget.source = (sinew_RetargetBody){ skeleton, roles,
        edge_thing("sinew_Stance", strlen("sinew_Stance"))->good };
    retarget.target = retarget.source;
    sinew_Retargeter *retargeter = NULL;
    must(sinew_retargeter_create(&retarget, &retargeter, &message), &message, "retargeter");
    ADD_OPAQUE(sinew_Retargeter, retargeter);
    sinew_GrounderDef grounding = sinew_grounder_def_default();
    grounding.body = retarget.source;
    sinew_Grounder *grounder = NULL;
    must(sinew_grounder_create(&grounding, &grounder, &message), &message, "grounder");
    ADD_OPAQUE(sinew_Grounder, grounder);
    ADD_STRUCT(sinew_GrounderDef, grounding);
    sinew_CleanDef clean = sinew_clean_def_default();
    clean.body = retarget.source;
    ADD_STRUCT(sinew_CleanDef, clean);
    sinew_Individual individual;
    must(sinew_individual_parse("old:0.5,limp_left", &individual, &message), &message, "traits");
    ADD_STRUCT(sinew_Individual, individual);
    ADD_STRUCT(sinew_RetargeterDef, retarget);
    ADD_STRUCT(sinew_Individual, (sinew_Individual){ { 0.5 } });
    ADD_STRUCT(sinew_ContactDef, contact);
    ADD_STRUCT(sinew_ContactSettings, sinew_contact_settings_default());
}

static void add_walker(void)
{
    sinew_TerrainDef ground = sinew_terrain_def_default(SINEW_TERRAIN_STAIRS);
    sinew_Terrain *terrain = NULL;
    must(sinew_terrain_create(&ground, &terrain, &message), &message, "terrain");
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    sinew_Walker *walker = NULL;
    must(sinew_walker_create(&def, &walker, &message), &message, "walker");
    ADD_OPAQUE(sinew_Terrain, terrain);
    ADD_STRUCT(sinew_TerrainDef, ground);
    ADD_STRUCT(sinew_Ground, sinew_terrain_ground(terrain));
    ADD_STRUCT(sinew_GroundQuery, sinew_ground_query(NULL));
    ADD_OPAQUE(sinew_Walker, walker);
    ADD_STRUCT(sinew_WalkerDef, def);
    ADD_STRUCT(sinew_WalkOrnaments, sinew_walk_ornaments_default());
    ADD_STRUCT(sinew_Steering, (sinew_Steering){ 1.0, 0.0, 0.1 });
    ADD_STRUCT(sinew_WalkResponse, sinew_walk_response_game());
    ADD_STRUCT(sinew_WalkLimits, sinew_walk_limits_default());
    ADD_STRUCT(sinew_WalkLayer, sinew_walk_layer_default());
    ADD_STRUCT(sinew_Manner, sinew_manner_default());
    ADD_STRUCT(sinew_PaperWalk, sinew_paper_walk_default());
    ADD_STRUCT(sinew_Drive, sinew_drive_body((sinew_Steering){ 1.0, 0.0, 0.1 }));
    ADD_STRUCT(sinew_SteeringKey, (sinew_SteeringKey){ 0.0, { 1.0, 0.0, 0.1 } });
    ADD_STRUCT(sinew_Stick, (sinew_Stick){ 0.5, 0.5, false });
    ADD_STRUCT(sinew_StickKey, (sinew_StickKey){ 0.0, { 0.5, 0.5, false }, 0.0, 0.0, 0.0 });
    ADD_STRUCT(sinew_StickRange, sinew_stick_range_default());
}

static void add_files(void)
{
    make_Gltf make;
    make_begin(&make);
    make_leg(&make);
    snw_Buffer bytes = snw_buffer_create(NULL);
    make_document(&make, "0,3", false, &bytes);
    sinew_MotionFile *file = NULL;
    must(make_read(&bytes, &file, &message), &message, "glTF");
    sinew_GltfPose *gltf_pose = NULL;
    const sinew_Gltf *gltf = sinew_motion_gltf(file);
    must(sinew_gltf_pose_create(gltf, NULL, &gltf_pose), &message, "pose of a glTF");
    make_end(&make);
    ADD_OPAQUE(sinew_MotionFile, file);
    ADD_OPAQUE(sinew_Gltf, gltf);
    ADD_OPAQUE(sinew_GltfPose, gltf_pose);
    ADD_STRUCT(sinew_ReadOptions, sinew_read_options_default());
    ADD_STRUCT(sinew_WriteOptions, sinew_write_options_default());
    ADD_STRUCT(sinew_HeightMapOptions, sinew_height_map_options_default());

    static const char text[] = "seconds x y\n0 0.5 0.5\n";
    sinew_StickRecording *recording = NULL;
    must(sinew_stick_read_memory(text, sizeof text - 1, "stick.txt", NULL, &recording, &message),
        &message, "stick");
    ADD_OPAQUE(sinew_StickRecording, recording);
}

void edge_make(void)
{
    must(scene_create("MAN18", NULL, &scene, &message), &message, "MAN18");
    skeleton = scene->skeleton;
    pose = calloc(1, EDGE_ROOM);
    world = calloc(1, EDGE_ROOM);
    sinew_pose_rest(skeleton, pose);
    sinew_pose_forward(skeleton, pose, world);
    static sinew_Allocator standard;
    add("sinew_Allocator", &standard, sizeof standard, false);
    add_numbers();
    add_body();
    add_solver();
    add_jobs();
    add_motion();
    add_walker();
    add_files();
}
