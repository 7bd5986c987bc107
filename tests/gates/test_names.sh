#!/bin/sh
# Every constant of an enum in the public headers bears the enum's name: LB_KIND_NAME for lb_kind, and for lb_kind_kind,
# which tells kinds of something. The one exception is lb_status, whose constants are LB_OK and LB_ERROR_NAME.
set -eu

# Constants that do not begin as their enum asks, of a header and what it includes.
misnamed() {
    "${CC:-cc}" -E -P -I "$LIMBER_SOURCE_DIR/include" "$1" | tr '\n' ' ' |
        grep -o 'typedef enum lb_[a-z0-9_]* *{[^}]*}' |
        awk '{
            name = $3
            sub(/^lb_/, "", name)
            sub(/_kind$/, "", name)
            prefix = name == "status" ? "LB_(OK$|ERROR_)" : "LB_" toupper(name) "_"
            count++
            body = $0
            sub(/^[^{]*\{/, "", body)
            sub(/\}$/, "", body)
            parts = split(body, constants, ",")
            for (i = 1; i <= parts; i++) {
                split(constants[i], words, /[ =]+/)
                constant = words[1] == "" ? words[2] : words[1]
                if (constant != "" && constant !~ "^" prefix) {
                    print constant " of lb_" name
                }
            }
        }
        END { if (!count) print "no enum was found" }'
}

# The gate itself must be able to say no.
echo 'typedef enum lb_color { LB_COLOR_RED, /* as blood, or { */ LB_BLUE = 2 } lb_color;' >wrong.h
[ "$(misnamed wrong.h)" = "LB_BLUE of lb_color" ] || { echo "the gate does not see a wrong name"; exit 1; }

found=$(misnamed "$LIMBER_SOURCE_DIR/include/limber/io.h")
if [ -n "$found" ]; then
    echo "These constants do not bear the name of their enum:"
    echo "$found"
    exit 1
fi
