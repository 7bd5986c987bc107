#!/bin/sh
# Builds and installs shared libraries and builds programs against them.
set -eu
: "${LIMBER:?}" # needs the io layer
# shellcheck source=tests/install/consumer.sh
. "$LIMBER_SOURCE_DIR/tests/install/consumer.sh"

rm -rf prefix consumer
cmake -S "$LIMBER_SOURCE_DIR" -B build -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=ON -DLIMBER_TESTS=OFF \
    -DCMAKE_INSTALL_PREFIX="$LIMBER_SCRATCH/prefix" -DCMAKE_C_COMPILER="${CC:-cc}" -G Ninja >configure.log
cmake --build build >build.log || { cat build.log; exit 1; }
cmake --install build >install.log
consume "$LIMBER_SCRATCH/prefix"

# Nothing but what the headers declare can be seen in them.
for library in prefix/lib*/liblimber.so prefix/lib*/*/liblimber.so prefix/lib*/liblimber_io.so \
    prefix/lib*/*/liblimber_io.so; do
    [ -e "$library" ] || continue
    seen=$(nm -D --defined-only -P "$library" | awk '$1 !~ /^(lb_|_init$|_fini$)/ { print $1 }')
    [ -z "$seen" ] || { echo "$library shows $seen"; exit 1; }
    echo "$library shows only lb_ names"
done
