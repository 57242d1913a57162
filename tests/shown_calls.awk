# Calls that headers and pages show are ones of functions that there are, with as many arguments as they take:
#   awk -f shown_calls.awk include/sinew/*.h README.md docs/*.md
# Code is what stands four spaces in, of headers behind ///, and what stands between fences of C.

FNR == 1 { fenced = 0; shown = "" }
FILENAME ~ /\.h$/ && !/^ *\/\// {
    declared = declared " " $0
    if (/[;{]$/) { declare(declared); declared = "" }
    next
}
FILENAME ~ /\.md$/ && /^```/ { fenced = $0 == "```c" || $0 == "```cpp"; next }
FILENAME ~ /\.h$/ && !sub(/^ *\/\/\/    /, "    ") { next }
FILENAME ~ /\.md$/ && !fenced && !/^    / { next }
{
    sub(/ \/\/.*$/, "")
    gsub(/"[^"]*"/, "text")
    # a call may go on in the next line
    shown = shown " " $0
    if (gsub(/\(/, "(", shown) > gsub(/\)/, ")", shown)) { next }
    line[++line_count] = shown
    place[line_count] = FILENAME ":" FNR
    shown = ""
}

function declare(text,    name) {
    gsub(/\[[^\]]*\]/, "", text)
    if (!match(text, /sinew_[a-z0-9_]+\(/)) { return }
    name = substr(text, RSTART, RLENGTH - 1)
    if (!(name in takes)) { takes[name] = arguments_of(substr(text, RSTART + RLENGTH)) }
}

# how many arguments there are up to the parenthesis that closes them
function arguments_of(text,    i, c, depth, count, any) {
    depth = count = any = 0
    for (i = 1; i <= length(text); ++i) {
        c = substr(text, i, 1)
        if (depth == 0 && c == ")") { break }
        if (c ~ /[({]/) { ++depth }
        if (c ~ /[)}]/) { --depth }
        if (depth == 0 && c == ",") { ++count }
        if (c != " ") { any = 1 }
    }
    return !any || substr(text, 1, 5) == "void)" ? 0 : count + 1
}

END {
    for (l = 1; l <= line_count; ++l) {
        rest = line[l]
        while (match(rest, /(^|[^a-z0-9_])sinew_[a-z0-9_]+\(/)) {
            call = substr(rest, RSTART, RLENGTH - 1)
            sub(/^[^a-z]/, "", call)
            before = substr(rest, 1, RSTART)
            rest = substr(rest, RSTART + RLENGTH)
            # what a user is to write is declared where it is shown
            if (before ~ /extern/) { continue }
            ++calls
            if (!(call in takes)) {
                print place[l] ": there is no function " call
                failed = 1
            } else if (arguments_of(rest) != takes[call]) {
                print place[l] ": " call " takes " takes[call] " arguments, shown with " arguments_of(rest)
                failed = 1
            }
        }
    }
    if (calls < 20) { print "hardly any call is shown"; failed = 1 }
    exit failed
}
