#include "solve/space.h"

void lbs_lay_out_columns(lbs_space *s) {
    int words = lbm_block_words(s->stride), blocks = s->stride / 8;
    for (int r = 0; r < s->row_count; r++)
        for (int w = 0; w < words; w++)
            s->blocks[r * words + w] = blocks - 64 * w >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (blocks - 64 * w)) - 1;
}
