#!/bin/sh
# A method is one row and one file, as CONTRIBUTING.md says: a toy is added so in a copy of the sources,
# which must build without warnings and pass the tests that every method passes.
# usage: check_method.sh SOURCE_FOLDER
set -e
root=$(cd "$1" && pwd)
if [ ! -d "$root/scenes" ] || ! pkg-config --exists cmocka 2>/dev/null; then
    echo "skipped: no cmocka"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}"

mkdir "$work/tree"
for part in CMakeLists.txt CMakePresets.json LICENSE cmake include src scenes measure tests; do
    cp -R "$root/$part" "$work/tree/$part"
done
cd "$work/tree"

# the row
sed -i 's/^    X(SINEW_METHOD_CCD, ccd)$/    X(SINEW_METHOD_CCD, ccd) X(SINEW_METHOD_TOY, toy)/' include/sinew/solver.h
grep -q 'SINEW_METHOD_TOY' include/sinew/solver.h

# the file: Jacobi's iteration on the damped normal equations, each dof by its row's sum
cat >src/solve/toy.c <<'END'
#include "solve/active_set.h"
#include "solve/method_table.h"

static bool solve_once(snw_Solve *solve)
{
    snw_Linear *linear = &solve->linear;
    int m = solve->plan.row_count, n = solve->plan.dof_count;
    double lambda2 = 1e-6 * solve->plan.reach * solve->plan.reach;
    for (int i = 0; i < n; ++i) {
        const double *a = &linear->jacobian[i * m];
        double force = 0.0, sum = lambda2;
        for (int r = 0; r < m; ++r) { force += a[r] * linear->error[r]; }
        for (int k = 0; k < n; ++k) {
            double product = 0.0;
            for (int r = 0; r < m; ++r) { product += a[r] * linear->jacobian[k * m + r]; }
            sum += fabs(product);
        }
        bool fixed = linear->any_fixed && linear->fixed[i];
        linear->step[i] = fixed ? linear->fixed_step[i] : force / sum;
    }
    return true;
}

static bool take_step(snw_Solve *solve)
{
    solve->linear.has_pull = false;
    return snw_active_solve(solve, solve_once, true, false);
}

const snw_MethodRow snw_method_toy = {
    .abilities = SNW_CAN_RELATE,
    .step = take_step,
    .orientation_divisor = 3.0,
};
END

# quickly compiled: what it does is asked, not how fast
cmake -S . -B build -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Release -DSINEW_OPTIMIZATION=-O2 \
    -DSINEW_BUILD_TESTS=ON -DSINEW_BUILD_IO=ON -DSINEW_BUILD_CLI=OFF -DSINEW_BUILD_EXAMPLES=OFF \
    -DSINEW_INSTALL=OFF >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build build -j2 --target test_every_method >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
build/tests/test_every_method >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
if ! nm build/tests/test_every_method | grep -q 'snw_method_toy'; then
    echo "the toy is not in the tests"
    exit 1
fi
echo "method: a toy of one row and one file passes the tests of every method"
