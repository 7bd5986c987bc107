/*
 * What a sentence of Limber's says, as data: its parts, so that nobody has to read English.
 *
 *     for (int i = 0; i < result.said_count; i++) {
 *         const lb_say *part = &result.said[i];
 *         if (part->kind == LB_SAY_BALANCE && part->value < 0) {
 *             printf("%.*s\n", part->length, result.explanation + part->begin);      "Out of balance by 6 cm"
 *         }
 *     }
 */
#ifndef LIMBER_SAY_H
#define LIMBER_SAY_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lb_say_kind {
    LB_SAY_REACHED, /* every goal is met */
    LB_SAY_OUTCOME, /* how the solve ended otherwise: "Out of reach", "out of budget" */
    LB_SAY_PROOF,   /* that no pose meets the goal, or none inside the limits. value: metres by which it is out of reach
                          at least; 0: not known */
    LB_SAY_MISSED,  /* how far a goal is missed. constraint; value: metres, value_rad: radians */
    LB_SAY_LIMIT,   /* a limit that is touched and may be in the way. variable, where it is one of a variable; figure;
                          value: where the limit is, in radians or metres */
    LB_SAY_BLOCKED, /* what would have to give way. reason: the entry of `reasons` that this is */
    LB_SAY_GOING_ON,  /* that going on would help. reason */
    LB_SAY_NO_REASON, /* that nothing that was tried would help alone */
    LB_SAY_FIGURE,    /* whose body the parts that follow are about. figure; only where there are several */
    LB_SAY_STEP,      /* a foot steps. figure; limb; value: metres */
    LB_SAY_SUPPORT, /* what the body stands, sits, kneels or leans on, or holds on to. figure; value: share of the weight
                          that it carries, or is pushed by */
    LB_SAY_BALANCE, /* figure; value: metres that the centre of mass is inside of what stands; < 0: outside */
    LB_SAY_EFFORT,  /* what is hardest. figure; value: share of the joint's strength; above 1: too heavy */
    LB_SAY_OVERLAP  /* what touches or goes through something. value: metres deep; <= 0: it touches */
} lb_say_kind;

/* A part of a sentence. */
typedef struct lb_say {
    lb_say_kind kind;
    int begin,
        length;       /* its words: the characters of `explanation` from `begin` on; length 0 where there was no room */
    int figure;       /* number of the figure that it is about; -1: none */
    int constraint;   /* index in the problem's list; -1: none */
    int variable;     /* index in the problem's pose; -1: none */
    int reason;       /* index in the result's `reasons`; -1: none */
    int limb;         /* number of the limb whose foot steps; -1: none */
    double value;     /* the kind says what it is; else 0 */
    double value_rad; /* radians that a goal is missed by; else 0 */
} lb_say;

#ifdef __cplusplus
}
#endif

#endif
