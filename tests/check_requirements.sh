#!/bin/sh
# Every row of docs/requirements.md names tests that exist, and every identifier that a test
# names has a place on that page. `open` stands for not shown yet. usage: check_requirements.sh [ROOT]
cd "${1:-$(dirname "$0")/..}" || exit 2
page=docs/requirements.md
failures=0

complain() {
    echo "$1"
    failures=$((failures + 1))
}

# rows as ID|names; the statement may hold anything but a bar
rows=$(sed -n 's/^| *\([A-Z][A-Z]*-[0-9][0-9]*\) *|[^|]*| *\([^|]*[^| ]\) *| *$/\1|\2/p' "$page")
row_count=$(printf '%s\n' "$rows" | grep -c '|')
like_rows=$(grep -c '^| *[A-Z][A-Z]*-[0-9]' "$page")
[ "$row_count" -gt 0 ] || complain "$page has no rows"
[ "$row_count" -eq "$like_rows" ] || complain "$page: $like_rows rows, but $row_count have three columns"
for id in $(printf '%s\n' "$rows" | cut -d'|' -f1 | sort | uniq -d); do
    complain "$page: $id has two rows"
done

# all that there is to show: how many identifiers each family has
while read -r family count; do
    number=1
    while [ "$number" -le "$count" ]; do
        printf '%s\n' "$rows" | grep -q "^$family-$number|" || complain "$page has no row for $family-$number"
        number=$((number + 1))
    done
done <<END
SKEL 9
FK 5
JAC 11
PINV 12
INV 5
FLOP 5
JT 2
DLS 10
MULTI 5
COM 8
WGT 4
MODE 7
LIM 17
CCD 5
RST 6
CTRL 7
WALK 15
TURN 6
TERR 3
VIEW 2
APP 2
BENCH 5
SW 10
RET 3
FUT 6
ENG 5
FIG 1
FOLLOW 1
GND 1
STANCE 1
END

# exists NAME: a test function, a script of tests/, a benchmark, or what a test of the studio is called
exists() {
    case $1 in
    'bench '*) grep -qs "\"${1#bench }\"" bench/*.c cli/*.c ;;
    'studio '*) grep -qsF "${1#studio }" studio/test/*.test.js ;;
    *.sh) [ -f "tests/$1" ] ;;
    *) grep -qsE "^static void $1\(void \*\*" tests/test_*.c &&
        grep -qsE "cmocka_unit_test[a-z_]*\($1[,)]" tests/test_*.c ;;
    esac
}

open_count=0
while IFS='|' read -r id names; do
    [ "$names" = open ] && open_count=$((open_count + 1)) && continue
    while read -r name; do
        exists "$name" || complain "$page: $id is shown by '$name', which does not exist"
    done <<END
$(printf '%s' "$names" | tr -d '`' | tr ',' '\n' | sed 's/^ *//; s/ *$//')
END
done <<END
$rows
END

for id in $(grep -ohE '\b(SKEL|FK|JAC|PINV|INV|FLOP|JT|DLS|MULTI|COM|WGT|MODE|LIM|CCD|RST|CTRL|WALK|TURN|TERR|VIEW|BENCH|FUT|SW|FIG)-[0-9]+\b' tests/test_*.c | sort -u); do
    grep -q "\b$id\b" "$page" || complain "the tests name $id, which $page does not explain"
done

if [ "$failures" -gt 0 ]; then exit 1; fi
echo "requirements: $row_count rows, $open_count open"
