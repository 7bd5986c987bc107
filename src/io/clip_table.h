/* A motion as a table. */
#ifndef LIMBER_IO_CLIP_TABLE_H
#define LIMBER_IO_CLIP_TABLE_H

#include "io/text.h"

/* CSV, a row a frame: the time and every variable; of a robot of hinges that is carried freely the time, where its root
 * is, and a value a joint (docs/retarget.md). */
void lbio_clip_table(const lb_clip *clip, lbio_text *text);

#endif
