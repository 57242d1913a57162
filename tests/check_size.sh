#!/bin/sh
# A program that uses one of the jobs links at most 24 kB of sinew from the archive of the build.
# usage: check_size.sh SOURCE_FOLDER ARCHIVE
root=$(cd "$1" && pwd)
archive=$2
most=24576
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}"
command -v size >/dev/null || { echo "skipped: no size (Debian: binutils)"; exit 77; }
options="-std=c17 -O2 -DNDEBUG -DSINEW_STATIC"

# program NAME DECLARATIONS CALL
program() {
    cat >"$work/$1.c" <<END
#include "sinew/job.h"
int main(int argc, char **argv)
{
    (void)argv;
    sinew_Quat turned[2];
    sinew_Transform joints[2] = { sinew_transform_identity(), sinew_transform_identity() };
    joints[1].position.x = argc;
    $2
    return (int)$3 + (int)turned[0].x;
}
END
}
program two_bone 'sinew_TwoBoneJob job = sinew_two_bone_job_default(); sinew_TwoBoneResult r;
    job.end = joints[1]; turned[0] = joints[0].rotation;' 'sinew_job_two_bone(&job, &r, NULL)'
for kind in aim chain; do
    program $kind "sinew_${kind}_JOB job = sinew_${kind}_job_default(); job.joints = joints;
    job.joint_count = 2;" "sinew_job_$kind(&job, turned, NULL, NULL)"
done
sed -i 's/sinew_aim_JOB/sinew_AimJob/' "$work/aim.c"
sed -i 's/sinew_chain_JOB/sinew_ChainJob/' "$work/chain.c"
echo 'int main(void) { return 0; }' >"$work/none.c"
bytes_of() {
    # shellcheck disable=SC2086
    "$CC" $options -I"$root/include" "$work/$1.c" "$archive" -lm -Wl,--gc-sections -o "$work/$1" || exit 1
    size "$work/$1" | awk 'NR == 2 { print $1 + $2 + $3 }'
}
without=$(bytes_of none) || exit 1
for kind in two_bone aim chain; do
    with=$(bytes_of $kind) || exit 1
    bytes=$((with - without))
    echo "size: a program with $kind has $bytes bytes of sinew, at most $most are allowed"
    [ "$bytes" -le $most ] || exit 1
done
