#!/bin/sh
# No circle of calls among the files of the library: what a file calls stands below it. Tables of functions are
# data and do not count. usage: check_calls.sh BUILD_FOLDER
objects=$(find "$1/CMakeFiles/sinew-objects.dir/src" "$1/CMakeFiles/sinew-io-objects.dir/src" -name '*.c.o' 2>/dev/null)
command -v nm >/dev/null || { echo "skipped: no nm"; exit 77; }
[ -n "$objects" ] || { echo "no objects below $1"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# lines: FILE T|U SYMBOL
for object in $objects; do
    name=${object##*.dir/}
    nm "$object" | awk -v name="${name%.c.o}" '$(NF - 1) == "T" || $(NF - 1) == "U" { print name, $(NF - 1), $NF }'
done >"$work/symbols"
# lines: CALLER CALLEE
awk 'NR == FNR { if ($2 == "T") { home[$3] = $1 } next }
    $2 == "U" && $3 in home && home[$3] != $1 { print $1, home[$3] }' "$work/symbols" "$work/symbols" \
    | sort -u >"$work/calls"
if ! tsort "$work/calls" >/dev/null 2>"$work/circles"; then
    sed 's/^tsort: -: input contains a loop:/these call each other in a circle:/; s/^tsort: //' "$work/circles"
    exit 1
fi
echo "calls: $(echo "$objects" | wc -l) files, $(wc -l <"$work/calls") pairs, no circle"
