#include "peers.h"

#include <stddef.h>

const peer_kind *const peers[] = {
#ifdef LIMBER_HAVE_KDL
    &peer_kdl,
#endif
#ifdef LIMBER_HAVE_NLOPT
    &peer_lbfgs,   &peer_slsqp,
#endif
#ifdef LIMBER_HAVE_MUJOCO
    &peer_mujoco,
#endif
#ifdef LIMBER_HAVE_SIMBODY
    &peer_simbody,
#endif
    NULL};

const char peers_left_out[] = ""
#ifndef LIMBER_HAVE_KDL
                              " Orocos KDL (liborocos-kdl-dev);"
#endif
#ifndef LIMBER_HAVE_NLOPT
                              " NLopt (libnlopt-dev);"
#endif
#ifndef LIMBER_HAVE_MUJOCO
                              " MuJoCo (libmujoco-dev);"
#endif
#ifndef LIMBER_HAVE_SIMBODY
                              " Simbody (libsimbody-dev);"
#endif
    ;
