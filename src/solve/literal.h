#ifndef SNW_LITERAL_H
#define SNW_LITERAL_H

// The pseudo-inverse solver literally as Meredith and Maddock (2004) publish it, for who asks for the
// explicit inverse or the literal halving loop.
//
// Functions that invert always run to their end, so that their cost depends on the sizes alone; they return
// false when the matrix is singular to working precision, and the output is then finite but no inverse.
// Matrices are row-major. A Jacobian is given by dof: n columns of m contiguous numbers, stride
// apart; its pseudo-inverse as n rows of m contiguous numbers. m <= 6.
// Weights of dofs: give columns times sqrt(w), and multiply the step by sqrt(w).

#include "sinew/vecmath.h"

/// 3x3 by adjugate over determinant, eq. 1.10 and appendix C.
bool snw_literal_invert3(const double a[9], double out_inverse[9]);

/// n x n by Doolittle LU without pivoting and substitution of each unit column, eq. 1.8-1.9 and
/// appendix A, B. scratch has 2 n^2 + n numbers; out_inverse may be a.
bool snw_literal_invert_lu(const double *a, int n, double *out_inverse, double *scratch);

/// A = J J^T in full, m x m.
void snw_literal_product(const double *jacobian, int m, int n, int stride, double *out_a);

/// J+ = J^T (J J^T)^-1, eq. 1.6; m = 3 by adjugate, else LU. out_pseudo_inverse has n x m numbers.
bool snw_literal_pseudo_inverse(
    const double *jacobian, int m, int n, int stride, double *out_pseudo_inverse);

/// E = I - J J+, m x m.
void snw_literal_error_matrix(
    const double *jacobian, const double *pseudo_inverse, int m, int n, int stride, double *out_e);
/// |E dx|, eq. 1.7.
double snw_literal_error(const double *e, const double *dx, int m);

/// The inner loop: while error > threshold, halve dx and evaluate it again with the same E; at most
/// max_halvings times. error is that of the given dx. Returns the number of halvings.
int snw_literal_halve(
    const double *e, int m, double threshold, int max_halvings, double error, double *dx);

/// How often that loop halves, without running it: the error is linear in dx, so it is
/// ceil(log2(error / threshold)) cropped to 0..max_halvings; computed without rounding. NaN gives 0.
int snw_halving_count(double error, double threshold, int max_halvings);

/// step = J+ dx, n numbers.
void snw_literal_step(
    const double *pseudo_inverse, const double *dx, int m, int n, double *out_step);

#endif
