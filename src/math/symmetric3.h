#ifndef SNW_SYMMETRIC3_H
#define SNW_SYMMETRIC3_H

// Symmetric 3x3 matrices, the small systems of one effector's place or turn.

#include "sinew/vecmath.h"

typedef struct snw_Symmetric3 {
    double xx, xy, xz, yy, yz, zz;
} snw_Symmetric3;

// a determinant below this share of the cube of what its entries come from has lost more digits to
// cancellation than a step may lose
#define SNW_LEAST_DETERMINANT 1e-9

static inline double snw_symmetric3_trace(const snw_Symmetric3 *m)
{
    return m->xx + m->yy + m->zz;
}

static inline void snw_symmetric3_damp(snw_Symmetric3 *m, double damping)
{
    m->xx += damping;
    m->yy += damping;
    m->zz += damping;
}

/// Inverse by the adjugate; false when the determinant has too few digits left. size: trace of the
/// matrix that it is what is left of.
static inline bool snw_symmetric3_invert(const snw_Symmetric3 *m, double size, snw_Symmetric3 *out)
{
    double xx = m->yy * m->zz - m->yz * m->yz;
    double xy = m->xz * m->yz - m->xy * m->zz;
    double xz = m->xy * m->yz - m->xz * m->yy;
    double det = m->xx * xx + m->xy * xy + m->xz * xz;
    double inverse = 1.0 / det;
    out->xx = xx * inverse;
    out->xy = xy * inverse;
    out->xz = xz * inverse;
    out->yy = (m->xx * m->zz - m->xz * m->xz) * inverse;
    out->yz = (m->xy * m->xz - m->xx * m->yz) * inverse;
    out->zz = (m->xx * m->yy - m->xy * m->xy) * inverse;
    return det > SNW_LEAST_DETERMINANT * (size * size * size);
}

static inline sinew_Vec3 snw_symmetric3_mul(const snw_Symmetric3 *m, sinew_Vec3 v)
{
    sinew_Vec3 r = { m->xx * v.x + m->xy * v.y + m->xz * v.z,
        m->xy * v.x + m->yy * v.y + m->yz * v.z, m->xz * v.x + m->yz * v.y + m->zz * v.z };
    return r;
}

#endif
