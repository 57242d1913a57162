#!/bin/sh
# Commands read and write named files by cli/disk.c alone, which keeps what was read from outputs, and by cli/output.c and
# cli/csv.c, which ask the same. usage: check_disk.sh SOURCE_FOLDER
cd "$1" || exit 2
calls='(sinew|picture)_[a-z_]+_(read|write)\(|sinew_terrain_open\(|snw_(text_read_file|file_save)\('
forgotten=$(grep -nE "$calls" cli/*.c | grep -v '^cli/disk\.c:')
opened=$(grep -nE '\b(fopen|open|creat|rename|mkstemp)\(' cli/*.c | grep -vE '^cli/(output|csv|serve)\.c:|open\(brac')
[ -z "$forgotten$opened" ] && echo "files: named by cli/disk.c alone" && exit 0
echo "these read or write a file past cli/disk.c:"
printf '%s\n' "$forgotten" "$opened" | grep .
exit 1
