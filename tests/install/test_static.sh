#!/bin/sh
# Installs this build, moves it elsewhere, and builds programs against it.
set -eu
: "${LIMBER:?}" # needs the io layer
# shellcheck source=tests/install/consumer.sh
. "$LIMBER_SOURCE_DIR/tests/install/consumer.sh"

rm -rf prefix moved consumer
cmake --install "$LIMBER_BUILD_DIR" --prefix "$LIMBER_SCRATCH/prefix" >install.log
mv prefix moved
consume "$LIMBER_SCRATCH/moved"
