/* The library's version, and its statuses as texts. */
#include <limber/limber.h>

const char *lb_version(void) { return LB_VERSION_TEXT; }

const char *lb_status_text(lb_status status) {
    switch (status) {
    case LB_OK:
        return "well";
    case LB_ERROR_ARGUMENT:
        return "an argument is missing, out of range or not finite";
    case LB_ERROR_MEMORY:
        return "out of memory";
    case LB_ERROR_NAME:
        return "a name is unknown, empty or used twice";
    case LB_ERROR_FIGURE:
        return "the parts do not make a figure";
    case LB_ERROR_LIMIT:
        return "limits contradict each other";
    case LB_ERROR_FILE:
        return "a file cannot be read or written";
    case LB_ERROR_SYNTAX:
        return "a text cannot be understood";
    case LB_ERROR_UNSUPPORTED:
        return "not something that Limber does";
    case LB_ERROR_TOO_LARGE:
        return "too large";
    case LB_ERROR_STRUCT:
        return "a struct was not filled by its _defaults function, or is of a newer header than the library";
    }
    return "unknown status";
}
