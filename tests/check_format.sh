#!/bin/sh
# All C sources look as clang-format 14 writes them; other versions differ in details, so without
# that one the check is skipped (exit status 77). usage: check_format.sh [ROOT [-i]]; -i rewrites.
cd "${1:-$(dirname "$0")/..}" || exit 2
for format in clang-format-14 clang-format; do
    case $("$format" --version 2>/dev/null) in *"version 14."*) found=$format && break ;; esac
done
if [ -z "${found:-}" ]; then
    echo "skipped: no clang-format 14"
    exit 77
fi

files=$(find include src scenes measure shape pictures cli bench bindings tests tools examples -name '*.[ch]' | sort)
if [ "${2:-}" = -i ]; then
    exec "$found" -i $files
fi
# those that differ, by name
bad=$(echo "$files" | xargs -P 2 -n 40 "$found" --dry-run -Werror 2>&1 | sed -n 's/^\([^:]*\):.*error: code should be.*/\1/p' | sort -u)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/$/ is not formatted; .\/run format does it/'
    exit 1
fi
echo "format: $(echo "$files" | wc -l) files"
