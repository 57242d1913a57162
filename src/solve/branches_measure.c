// Where the tips of branches are, and how far from their goals.

#include "math/chord.h"
#include "solve/branches.h"

static void find_sines(snw_Branches *branches, const double *joints)
{
    const snw_Lanes *values = (const snw_Lanes *)(const void *)joints;
    const snw_Lanes *angle = (const snw_Lanes *)(const void *)branches->angle;
    snw_Lanes *sine = (snw_Lanes *)(void *)branches->sine;
    snw_Lanes *cosine = (snw_Lanes *)(void *)branches->cosine;
    for (int k = 0; k < branches->groups; ++k) {
        snw_lanes_sincos(snw_lanes_add(values[k], angle[k]), &sine[k], &cosine[k]);
    }
}

static double measure_tips(snw_Branches *branches)
{
    double error2 = 0.0;
    for (int e = 0; e < branches->tip_count; ++e) {
        snw_BranchTip *tip = &branches->tips[e];
        const sinew_Mat3 *frame = &branches->frame[tip->joint];
        tip->point = sinew_vec3_add(
            branches->origin[tip->joint], sinew_mat3_mul_vec3(*frame, tip->offset));
        if (tip->position) {
            tip->position_error = sinew_vec3_sub(tip->target, tip->point);
            tip->position_error2 = sinew_vec3_dot(tip->position_error, tip->position_error);
            error2 += tip->position_weight * tip->position_weight * tip->position_error2;
        }
        if (tip->orientation) {
            tip->chord = snw_rotation_chord(frame, &tip->target_frame);
            tip->chord2 = sinew_vec3_dot(tip->chord, tip->chord);
            error2 += tip->orientation_weight * tip->orientation_weight * tip->chord2;
        }
    }
    return error2;
}

double snw_branches_measure(snw_Branches *branches, const double *joints)
{
    find_sines(branches, joints);
    // the frame stays in registers from a joint to the next of its branch
    sinew_Vec3 x = { 0.0, 0.0, 0.0 }, y = x, z = x, p = x;
    for (int i = 0; i < branches->count; ++i) {
        const snw_BranchJoint *joint = &branches->joints[i];
        if (joint->parent < 0) {
            x = branches->root_frame[i].x;
            y = branches->root_frame[i].y;
            z = branches->root_frame[i].z;
            p = branches->root_origin[i];
        } else {
            if (joint->parent != i - 1) {
                const sinew_Mat3 *above = &branches->frame[joint->parent];
                x = above->x;
                y = above->y;
                z = above->z;
                p = branches->origin[joint->parent];
            }
            double ox = joint->offset_x, oy = joint->offset_y, oz = joint->offset_z;
            p.x += x.x * ox + y.x * oy + z.x * oz;
            p.y += x.y * ox + y.y * oy + z.y * oz;
            p.z += x.z * ox + y.z * oy + z.z * oz;
            if (joint->has_before) {
                double s = joint->before_sine, c = joint->before_cosine;
                sinew_Vec3 u = { c * x.x + s * y.x, c * x.y + s * y.y, c * x.z + s * y.z };
                y = (sinew_Vec3){ c * y.x - s * x.x, c * y.y - s * x.y, c * y.z - s * x.z };
                x = u;
            }
            double s = joint->sine, c = joint->cosine;
            sinew_Vec3 v = { c * y.x + s * z.x, c * y.y + s * z.y, c * y.z + s * z.z };
            z = (sinew_Vec3){ c * z.x - s * y.x, c * z.y - s * y.y, c * z.z - s * y.z };
            y = v;
        }
        double s = branches->sine[i], c = branches->cosine[i];
        if (joint->slide) {
            sinew_sincos(branches->angle[i], &s, &c);
            p = sinew_vec3_add_scaled(p, z, joints[i]);
        }
        sinew_Vec3 u = { c * x.x + s * y.x, c * x.y + s * y.y, c * x.z + s * y.z };
        y = (sinew_Vec3){ c * y.x - s * x.x, c * y.y - s * x.y, c * y.z - s * x.z };
        x = u;
        branches->frame[i] = (sinew_Mat3){ x, y, z };
        branches->origin[i] = p;
    }
    return measure_tips(branches);
}
