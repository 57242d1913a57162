#ifndef TESTS_PAPER_BODY_H
#define TESTS_PAPER_BODY_H

// Legs of adult proportions and simple grounds for tests of the two-stage cycle.

#include "testing.h"

#include "walk/gait.h"
#include "walk/paper_cycle.h"

#include <string.h>

#define PAPER_LEG 0.9

static inline snw_WalkBody paper_body(void)
{
    snw_WalkBody body;
    memset(&body, 0, sizeof body);
    body.leg_count = 2;
    body.length = PAPER_LEG;
    body.hip_width = 0.0875;
    for (int i = 0; i < 2; ++i) {
        snw_WalkLegBody *leg = &body.legs[i];
        leg->def.toe = 1;
        leg->gait = &snw_gait_numbers;
        leg->def.side = i == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        leg->hip = sinew_vec3(i == 0 ? 0.0875 : -0.0875, 0.0, 0.0);
        leg->thigh = 0.416;
        leg->shank = 0.417;
        leg->length = PAPER_LEG;
        leg->ankle_height = 0.067;
        leg->heel = -0.055;
        leg->ball = 0.145;
        leg->tip = 0.211;
        leg->heel_width = 0.03;
        leg->ball_width = 0.04;
        leg->toe_height = 0.02;
        leg->toe_joint = sinew_vec3(0.0, -0.047, 0.145);
        leg->toe_upper = 1.2;
        leg->ankle_lower = -0.87;
        leg->ankle_upper = 0.35;
        leg->roll_lower = i == 0 ? -0.35 : -0.6;
        leg->roll_upper = i == 0 ? 0.6 : 0.35;
        leg->hip_back = 0.35;
        leg->knee_upper = 2.44;
        double *middle = leg->ankle_middle, *half = leg->ankle_half;
        sinew_sincos(0.5 * (leg->ankle_upper + leg->ankle_lower), &middle[0], &middle[1]);
        sinew_sincos(0.5 * (leg->ankle_upper - leg->ankle_lower), &half[0], &half[1]);
        sinew_sincos(leg->hip_back, &leg->hip_back_s, &leg->hip_back_c);
    }
    return body;
}

/// Grounds by formula; user points to a PaperGround.
typedef struct PaperGround {
    double slope, toward; ///< tangent, and the heading in which it rises
    double bump, wave;    ///< height and length of waves in both directions, metres
    double rise, tread;   ///< steps up along +Z from z = 0.5 on; tread 0: none
} PaperGround;

static inline sinew_GroundSample paper_ground_sample(void *user, double x, double z)
{
    const PaperGround *g = (const PaperGround *)user;
    double s, c, sx, cx, sz, cz;
    sinew_sincos(g->toward, &s, &c);
    double height = g->slope * (s * x + c * z), dx = g->slope * s, dz = g->slope * c;
    if (g->bump > 0.0) {
        double k = 2.0 * SINEW_PI / g->wave;
        sinew_sincos(k * x, &sx, &cx);
        sinew_sincos(k * z, &sz, &cz);
        height += g->bump * sx * cz;
        dx += g->bump * k * cx * cz;
        dz -= g->bump * k * sx * sz;
    }
    if (g->tread > 0.0 && z > 0.5) { height += g->rise * (1.0 + floor((z - 0.5) / g->tread)); }
    sinew_Vec3 normal = sinew_vec3_normalize_or(
        sinew_vec3(-dx, 1.0, -dz), sinew_vec3(0.0, 1.0, 0.0));
    return (sinew_GroundSample){ height, normal };
}

#endif
