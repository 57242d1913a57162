// A game's platforms: the ground as ray casts see it, with what moves on it. A lift goes up, a character walks onto
// it, rides and steps off upstairs. Prints where it is.

#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

enum { GROUND, LIFT, UPSTAIRS };

/// The world of the game: a lift of 2 x 2 m, and a floor 3 m up behind it.
typedef struct World {
    double lift, lift_speed; // height, and m/s in this frame
} World;

/// The highest surface at or below start, as a ray cast down would hit it.
static void look_down(
    void *user, double start, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits)
{
    const World *world = user;
    for (int i = 0; i < count; ++i) {
        double x = places[i].x, z = places[i].z;
        if (z > 4.0 && start >= 3.0) {
            out_hits[i].height = 3.0;
            out_hits[i].surface = UPSTAIRS;
        } else if (x > -1.0 && x < 1.0 && z > 2.0 && z <= 4.0 && start >= world->lift) {
            out_hits[i].height = world->lift;
            out_hits[i].velocity.y = world->lift_speed;
            out_hits[i].surface = LIFT;
        }
    }
}

static sinew_Skeleton *make_person(void);

int main(void)
{
    const double dt = 1.0 / 60.0;
    sinew_Message message = { "" };
    sinew_Skeleton *skeleton = make_person();
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    def.style = SINEW_WALK_NATURAL;
    def.response = sinew_walk_response_game();
    sinew_Walker *walker = NULL;
    if (skeleton == NULL || sinew_walker_create(&def, &walker, &message) != SINEW_STATUS_OK) {
        fprintf(stderr, "%s\n", message.text);
        sinew_skeleton_destroy(skeleton);
        return 1;
    }
    World world = { 0.0, 0.0 };
    const sinew_GroundQuery query = { look_down, &world };
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton), sizeof *q);
    for (int frame = 0; q != NULL && frame < 900; ++frame) {
        double time = frame * dt;
        // the game moves its lift, and says so
        world.lift_speed = time > 5.0 && world.lift < 3.0 - 1e-9 ? 0.6 : 0.0;
        world.lift += world.lift_speed * dt;
        // the stick: onto the lift, wait, off it
        sinew_WalkerReport at = sinew_walker_report(walker);
        bool goes = at.root.z < 3.0 || world.lift > 3.0 - 1e-9;
        sinew_Drive drive = sinew_drive_world(0.0, goes && at.root.z < 6.0 ? 1.2 : 0.0);
        if (sinew_walker_drive_on(walker, &drive, dt, &query, q, &message) != SINEW_STATUS_OK) {
            fprintf(stderr, "%s\n", message.text);
            break;
        }
        if (frame % 90 == 0) {
            at = sinew_walker_report(walker);
            printf("%4.1f s: z %.2f m, hips %.2f m high, on surface %u\n", time, at.root.z,
                at.hips.y, (unsigned)sinew_walker_leg(walker, 0).surface);
        }
    }
    double high = sinew_walker_report(walker).root.y;
    printf("%s\n", high > 2.9 ? "upstairs" : "not upstairs");
    free(q);
    sinew_walker_destroy(walker);
    sinew_skeleton_destroy(skeleton);
    return high > 2.9 ? 0 : 1;
}

/// Hips, spine, head and two legs; y is up, z ahead, x to the left.
static sinew_Skeleton *make_person(void)
{
    static const struct {
        const char *name;
        int parent;
        sinew_Vec3 offset;
    } bones[] = { { "Hips", -1, { 0.0, 0.92, 0.0 } }, { "Spine", 0, { 0.0, 0.12, 0.0 } },
        { "Head", 1, { 0.0, 0.5, 0.0 } }, { "LeftUpLeg", 0, { 0.09, 0.0, 0.0 } },
        { "LeftLeg", 3, { 0.0, -0.43, 0.0 } }, { "LeftFoot", 4, { 0.0, -0.42, 0.0 } },
        { "LeftToeBase", 5, { 0.0, -0.05, 0.14 } }, { "RightUpLeg", 0, { -0.09, 0.0, 0.0 } },
        { "RightLeg", 7, { 0.0, -0.43, 0.0 } }, { "RightFoot", 8, { 0.0, -0.42, 0.0 } },
        { "RightToeBase", 9, { 0.0, -0.05, 0.14 } } };
    enum { JOINT_COUNT = (int)(sizeof bones / sizeof bones[0]) };
    sinew_Axis ball = sinew_axis_ball();
    sinew_Axis free_axes[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        ball };
    sinew_JointDef joints[JOINT_COUNT];
    for (int j = 0; j < JOINT_COUNT; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = bones[j].name;
        joints[j].parent = bones[j].parent;
        joints[j].offset = bones[j].offset;
        joints[j].axes = j == 0 ? free_axes : &ball;
        joints[j].axis_count = j == 0 ? 4 : 1;
    }
    sinew_Skeleton *skeleton = NULL;
    (void)sinew_skeleton_create(joints, JOINT_COUNT, NULL, &skeleton, NULL);
    return skeleton;
}
