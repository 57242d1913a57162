#include "math/eigen4.h"

#include <math.h>

// more sweeps than any 4x4 matrix has been seen to need (6)
#define MAX_SWEEPS 12
// off-diagonal squares below this share of the whole are rounding
#define NEGLIGIBLE 1e-34

// turn rows and columns p < q so that a[p][q] vanishes: Jacobi
static void rotate_pair(double a[4][4], double v[4][4], int p, int q)
{
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = 1.0 / (fabs(theta) + sqrt(1.0 + theta * theta));
    t = theta < 0.0 ? -t : t;
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    double apq = a[p][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = a[q][p] = 0.0;
    for (int k = 0; k < 4; ++k) {
        if (k != p && k != q) {
            double akp = a[k][p], akq = a[k][q];
            a[k][p] = a[p][k] = c * akp - s * akq;
            a[k][q] = a[q][k] = s * akp + c * akq;
        }
        double vkp = v[k][p], vkq = v[k][q];
        v[k][p] = c * vkp - s * vkq;
        v[k][q] = s * vkp + c * vkq;
    }
}

void snw_largest_eigenvector4(double a[4][4], double out_vector[4])
{
    double v[4][4] = { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 },
        { 0.0, 0.0, 0.0, 1.0 } };
    for (int sweep = 0; sweep < MAX_SWEEPS; ++sweep) {
        double outside = 0.0, inside = 0.0;
        for (int p = 0; p < 4; ++p) {
            inside += a[p][p] * a[p][p];
            for (int q = p + 1; q < 4; ++q) { outside += a[p][q] * a[p][q]; }
        }
        if (!(outside > NEGLIGIBLE * inside)) { break; }
        for (int p = 0; p < 3; ++p) {
            for (int q = p + 1; q < 4; ++q) {
                if (a[p][q] != 0.0) { rotate_pair(a, v, p, q); }
            }
        }
    }
    int largest = 3;
    for (int i = 2; i >= 0; --i) {
        if (a[i][i] > a[largest][largest]) { largest = i; }
    }
    double length2 = 0.0;
    for (int k = 0; k < 4; ++k) { length2 += v[k][largest] * v[k][largest]; }
    double scale = 1.0 / sqrt(length2);
    for (int k = 0; k < 4; ++k) { out_vector[k] = v[k][largest] * scale; }
}
