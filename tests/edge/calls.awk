# Makes the table of all public functions, each with a function that calls it by values from a list:
#   awk -f calls.awk include/sinew/*.h > calls.c
# A declaration begins with SINEW_API or SINEW_EXPERIMENTAL and ends with a semicolon; a parameter's last word is its name.

{ sub(/\/\/.*/, "") }
/^typedef struct sinew_[A-Za-z0-9]+ \{/ { is_struct[$3] = 1 }
/^typedef enum sinew_[A-Za-z0-9]+ \{/ { is_enum[$3] = 1 }
# fields that a caller sets: their kinds and places
/^typedef struct sinew_[A-Za-z0-9]+ \{/ { body = $3; text = ""; next }
body != "" && /^}/ { body = ""; next }
body != "" {
    text = text " " $0
    if (text !~ /;[ \t]*$/) { next }
    add_fields(body, trimmed(text))
    text = ""
}
/^SINEW_(API|EXPERIMENTAL)/ { declaration = "" ; inside = 1 }
inside {
    declaration = declaration " " $0
    if ($0 ~ /;/) {
        inside = 0
        declarations[++count] = declaration
    }
}

function add_fields(owner, text,    type, names, n, i, field) {
    sub(/;$/, "", text)
    if (text ~ /\(/) { return } # a function
    gsub(/const |unsigned char /, "", text)
    text = trimmed(text)
    type = text
    sub(/[ *].*$/, "", type)
    n = split(substr(text, length(type) + 1), names, ",")
    for (i = 1; i <= n; ++i) {
        field = trimmed(names[i])
        fields[++field_count] = owner " " (field ~ /\*/ ? "pointer" : type) " " field
    }
}

# how an argument is taken out of its value
function taken(type, place) {
    if (type ~ /\*/) { return place ".pointer" }
    if (type == "int" || type == "unsigned") { return place ".integer" }
    if (type == "bool") { return place ".integer != 0" }
    if (type == "double") { return place ".number" }
    if (type == "size_t") { return place ".size" }
    if (is_enum[type]) { return "(" type ")" place ".integer" }
    if (is_struct[type]) { return "*(const " type " *)" place ".pointer" }
    print "calls.awk: no rule for the type '" type "'" > "/dev/stderr"
    failed = 1
}

# the statement that tells what a call gives
function told(type, call) {
    if (type == "void") { return call ";" }
    # bytes of memory, which are other ones on other machines
    if (type == "size_t") { return "(void)" call ";" }
    if (type == "const char *") { return "edge_tell_text(" call ");" }
    if (type ~ /\*/) { return "edge_tell_whole(" call " != NULL);" }
    if (type == "double") { return "edge_tell_number(" call ");" }
    if (is_struct[type]) { return type " result = " call ";\n    edge_tell_struct(\"" type "\", &result);" }
    return "edge_tell_whole((long long)" call ");"
}

function trimmed(text) {
    gsub(/[ \t]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    return text
}

END {
    print "#include \"edge.h\"\n"
    table = ""
    for (i = 1; i <= count; ++i) {
        text = declarations[i]
        open = index(text, "(")
        head = trimmed(substr(text, 1, open - 1))
        sub(/^SINEW_(API|EXPERIMENTAL) /, "", head)
        name = head
        sub(/^.*[ *]/, "", name)
        result = trimmed(substr(head, 1, length(head) - length(name)))
        list = substr(text, open + 1)
        sub(/\)[^)]*$/, "", list)
        parameters = list ~ /^ *void *$/ ? 0 : split(list, parts, ",")
        call = ""
        arguments = ""
        for (k = 1; k <= parameters; ++k) {
            part = trimmed(parts[k])
            is_array = sub(/\[[0-9]+\]$/, "", part)
            argument = part
            sub(/^.*[ *]/, "", argument)
            type = trimmed(substr(part, 1, length(part) - length(argument)))
            if (is_array) { type = type " *" }
            kind = is_enum[type] ? "EDGE_ENUM" : type ~ /\*/ ? "EDGE_POINTER" : is_struct[type] ? "EDGE_STRUCT" : "EDGE_PLAIN"
            call = call (k > 1 ? ", " : "") taken(type, "v[" (k - 1) "]")
            arguments = arguments "{ \"" type "\", \"" argument "\", " kind " }, "
        }
        print "static int call_" i "(const edge_Value *v)\n{\n    (void)v;"
        if (result == "sinew_Status") { print "    return (int)" name "(" call ");\n}\n" }
        else { print "    " told(result, name "(" call ")") "\n    return EDGE_NO_STATUS;\n}\n" }
        table = table "    { \"" name "\", call_" i ", " parameters ", { " arguments "{ NULL, NULL, EDGE_PLAIN } } },\n"
    }
    print "const edge_Call edge_calls[] = {\n" table "};\n"
    print "const int edge_call_count = " count ";\n"
    print "const edge_Field edge_fields[] = {"
    for (i = 1; i <= field_count; ++i) {
        split(fields[i], word, " ")
        type = word[2]
        kind = type == "double" || type ~ /^sinew_(Vec3|Quat|Transform|Mat3)$/ ? "EDGE_DOUBLE" \
            : type == "int" || type == "unsigned" || is_enum[type] ? "EDGE_INT" \
            : type == "pointer" ? "EDGE_ADDRESS" : type == "sinew_Allocator" ? "EDGE_MEMORY" : ""
        if (kind == "") { continue }
        name = fields[i]
        sub(/^[^ ]+ [^ ]+ /, "", name)
        gsub(/[* ]|\[.*/, "", name)
        print "    { \"" word[1] "\", \"" name "\", " kind ", offsetof(" word[1] ", " name ") },"
        ++places
    }
    print "};\n\nconst int edge_field_count = " places ";"
    exit failed
}
