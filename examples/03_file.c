// Read a motion file and print its joints and where they are in the first frame.
// usage: 03_file FILE.bvh; without a file it reads a small figure from memory

#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static const char *figure =
    "HIERARCHY\nROOT hips\n{\n  OFFSET 0 90 0\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT spine\n  {\n    OFFSET 0 20 0\n"
    "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    End Site\n    {\n      OFFSET 0 60 0\n    }\n  }\n}\n"
    "MOTION\nFrames: 1\nFrame Time: 0.0333333\n"
    "0 90 0 0 0 0 0 45 0\n";

int main(int argc, char **argv)
{
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    // files do not say their unit: a person's height tells it, this figure has no legs
    if (argc < 2) { options.unit = 0.01; }
    size_t size = 0;
    while (figure[size] != '\0') { ++size; }
    sinew_Status status = argc > 1
        ? sinew_motion_read(argv[1], &options, &file, &message)
        : sinew_motion_read_memory(figure, size, "figure", &options, &file, &message);
    if (status != SINEW_STATUS_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }

    // forward kinematics of the first frame: the pose in, a transform of each joint out
    const sinew_Clip *clip = sinew_motion_clip(file);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *q);
    sinew_Transform *world = malloc((size_t)joint_count * sizeof *world);
    bool has_memory = q != NULL && world != NULL;
    if (has_memory) {
        sinew_clip_sample(clip, 0.0, q);
        sinew_pose_forward(skeleton, q, world);
        printf("joints: %d, frames: %d, seconds: %.2f\n", joint_count, sinew_clip_frame_count(clip),
            sinew_clip_duration(clip));
        for (int j = 0; j < joint_count; ++j) {
            sinew_Vec3 p = world[j].position;
            const char *parent = joints[j].parent < 0 ? "world" : joints[joints[j].parent].name;
            printf(
                "%-16s on %-16s at %7.3f %7.3f %7.3f m\n", joints[j].name, parent, p.x, p.y, p.z);
        }
    }
    free(world);
    free(q);
    sinew_motion_destroy(file);
    return has_memory ? 0 : 1;
}
