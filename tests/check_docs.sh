#!/bin/sh
# Every command line that README and docs/ show is one: its command, options and their values exist (the line with
# --help behind it), benchmarks are there by name, and those whose input is at hand run. An unmet goal is no
# failure, an error is. What tests/ablate.py switches off, which a page tells the figures of, is in the code.
# usage: check_docs.sh SOURCE_FOLDER COMMAND
root=$(cd "$1" && pwd) || exit 2
command=$(cd "$(dirname "$2")" && pwd)/$(basename "$2") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

failures=0
lines=0
runs=0

complain() {
    echo "$1"
    failures=$((failures + 1))
}

# lines of code, four spaces in, continued ones joined, without what is said behind them
show_lines() {
    for file in "$root/README.md" "$root"/docs/*.md; do
        sed -n -e ':again' -e '/\\$/{N;s/\\\n *//;b again' -e '}' \
            -e "s|^    \\(build/release/bin/\\)\\{0,1\\}sinew |${file##*/} |p" "$file"
    done | sed -e 's/  *#.*//' -e 's/   *[^ ].*//'
}

# whether what a command reads is here: the words that name a file and follow no -o, --keys or --picture
has_inputs() {
    before=
    for word in "$@"; do
        case $before:$word in
        -o:* | --picture:* | --keys:* | --stance:*) ;;
        convert:*) [ -e "$word" ] || return 1 ;;
        *.bvh | *.glb | *.csv | *.urdf | *.json | */) case $*:$word in
            "convert "*) ;; # its last word is written
            *) [ -e "$word" ] || return 1 ;;
            esac ;;
        esac
        before=${word##*/}
    done
}

"$command" walk --seconds 5 -o walk.bvh >/dev/null || exit 1
"$command" convert walk.bvh me.glb >/dev/null || exit 1
cp walk.bvh me.bvh
cp walk.bvh run.bvh
cp walk.bvh somebody.bvh

show_lines >lines
while read -r file line; do
    lines=$((lines + 1))
    # shellcheck disable=SC2086 # words on purpose
    set -- $line
    if ! "$command" "$@" --help >/dev/null 2>said; then
        complain "$file: sinew $line: $(head -n 1 said)"
        continue
    fi
    case $line in
    bench*) "$command" bench --help | grep -q "^ *$2  " || complain "$file: sinew $line: no such benchmark" ;;
    *--report* | *.mp4* | *.gif*) ;; # minutes, or ffmpeg
    *)
        has_inputs "$@" || continue
        runs=$((runs + 1))
        "$command" "$@" </dev/null >out 2>said
        case $?:$(head -n 1 said) in
        0:* | 1:) ;;
        *) complain "$file: sinew $line: $(head -n 1 said)" ;;
        esac
        ;;
    esac
done <lines

# benchmarks and commands that are named in the text
for name in $(cat "$root/README.md" "$root"/docs/*.md | grep -o '`\(sinew \)\{0,1\}bench [a-z]*' | sed 's/.* //' | sort -u); do
    "$command" bench --help | grep -q "^ *$name  " || complain "docs: there is no benchmark '$name'"
done
for name in $(cat "$root/README.md" "$root"/docs/*.md | grep -o '`sinew [a-z][a-z]*' | sed 's/.* //' | sort -u); do
    "$command" "$name" --help >/dev/null 2>&1 || complain "docs: there is no command '$name'"
done

# what the ablation of the walker switches off is where it looks for it
if command -v python3 >/dev/null; then
    python3 "$root/tests/ablate.py" --check 2>said || complain "tests/ablate.py: $(head -n 1 said)"
else
    echo "docs: without python3 tests/ablate.py is not looked at"
fi

[ "$lines" -gt 20 ] || complain "only $lines lines found in README and docs"
echo "docs: $lines lines, $runs of them run, $failures wrong"
[ "$failures" -eq 0 ]
