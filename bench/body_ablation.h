/* What each term of a body is for: the everyday tasks of problems/body without it. */
#ifndef LIMBER_BENCH_BODY_ABLATION_H
#define LIMBER_BENCH_BODY_ABLATION_H

/* Prints a table with a row for all terms and one for each that is switched off, and writes body-ablation.csv. */
void bench_ablate(void);

#endif
