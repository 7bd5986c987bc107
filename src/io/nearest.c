/* The name a person probably meant, of a few words: options, keys, units. */
#include "io/text.h"

#include "figure/suggest.h"
#include <string.h>

const char *lbio_nearest(const char *name, const char *const *names, int count) {
    size_t length = strlen(name);
    if (length == 0) {
        return NULL;
    }
    /* One edit in three letters is a slip; more is another word. */
    int best = length <= 2 ? 2 : 2 + (int)length / 3;
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        int edits = lbf_edit_distance(name, names[i]);
        if (edits >= 0 && edits < best && edits < (int)strlen(names[i])) {
            best = edits;
            nearest = names[i];
        }
    }
    return nearest;
}
