#ifndef SNW_EIGEN4_H
#define SNW_EIGEN4_H

/// Eigenvector of the largest eigenvalue of a symmetric 4x4 matrix, unit length; a is overwritten.
///
/// By cyclic Jacobi rotations, so nearly equal eigenvalues do no harm and the bits are the same
/// everywhere. A matrix of zeros gives the last unit vector; of equal eigenvalues the later column
/// wins. Numbers must be finite.
void snw_largest_eigenvector4(double a[4][4], double out_vector[4]);

#endif
