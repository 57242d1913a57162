#ifndef SNW_SVD_H
#define SNW_SVD_H

// Singular values of a dense matrix by one-sided Jacobi rotations (Hestenes 1958): a little slower
// than other ways, and simple, accurate and the same on every platform.

#include <stdbool.h>
#include <stddef.h>

/// Numbers of scratch that snw_svd needs; m and n >= 0.
size_t snw_svd_scratch_count(int m, int n);

/// Thin decomposition A = sum over s of u_s sigma_s v_s^T, s = 0..k - 1, k = min(m, n).
///
/// a          n columns of m contiguous numbers, stride >= m apart (a Jacobian by dof)
/// out_u      k vectors of m contiguous numbers
/// out_sigma  k numbers >= 0, falling
/// out_v      k vectors of n contiguous numbers
/// scratch    snw_svd_scratch_count(m, n) numbers; no output or input may overlap it
///
/// Vectors are orthonormal; only those of the longer side (u when m >= n, else v) are zero where
/// sigma is 0. Sigma is good to about 1e-14 of the largest one; a column smaller than the largest
/// by more than 1e150 counts as zero. Signs and order follow from the input alone.
/// Returns false when a holds NaN or infinity (all outputs are 0) or when 60 sweeps did not
/// suffice, which no matrix is known to do (outputs are then the best so far).
/// About 6 to 10 sweeps of 5 k^2 max(m, n) flops.
bool snw_svd(const double *a, int m, int n, int stride, double *out_u, double *out_sigma,
    double *out_v, double *scratch);

#endif
