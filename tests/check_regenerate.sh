#!/bin/sh
# ENG-5: `./run regenerate` makes every picture of docs/pictures anew, those of the studio aside, and every picture that
# docs/figures.md shows is there. usage: check_regenerate.sh SOURCE_FOLDER COMMAND
root=$(cd "$1" && pwd) || exit 2
command=$2
failures=0
count=0

complain() {
    echo "$1"
    failures=$((failures + 1))
}

names=$(mktemp) || exit 2
"$command" figures --list | sed 's/ .*//' >"$names"
[ -s "$names" ] || exit 1
for file in "$root"/docs/pictures/*.png; do
    name=$(basename "$file" .png)
    count=$((count + 1))
    grep -qxF -- "$name" "$names" && continue
    grep -qF -- "\$to/$name.png" "$root/run" || complain "docs/pictures/$name.png: ./run regenerate does not make it"
done
while read -r name; do
    # short forms are those of a row: `bhatti-2013-7`, `-7-fk`
    short=-${name#*-*-}
    grep -qF -e "\`$name\`" -e "\`$short\`" "$root/docs/figures.md" || complain "docs/figures.md does not name $name"
done <"$names"
rm -f "$names"
for file in $(sed -n 's/.*](\(pictures\/[^)]*\)).*/\1/p' "$root"/docs/*.md); do
    [ -f "$root/docs/$file" ] || complain "docs/$file is shown, but is not there"
done

# what it does not know is refused before anything is built
if bash "$root/run" regenerate nose >/dev/null 2>&1; then complain "./run regenerate nose: no error"; fi
bash "$root/run" help | grep -q '^  regenerate' || complain "./run help does not tell of regenerate"

if [ "$failures" -gt 0 ]; then exit 1; fi
echo "regenerate: $count pictures"
