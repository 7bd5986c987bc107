# shellcheck shell=sh
# For the install tests: consume PREFIX builds programs against an installed Limber, by CMake and by pkg-config, and runs
# them. Sourced, not run.

configure_consumer() {
    cmake -S "$LIMBER_SOURCE_DIR/tests/install/consumer" -G Ninja -DCMAKE_C_COMPILER="${CC:-cc}" "$@"
}

# refuse PREFIX OPTION MESSAGE: a wrong version, or a part that is not there, must be refused, and for that reason.
refuse() {
    if configure_consumer -B refused -DCMAKE_PREFIX_PATH="$1" "$2" >refused.log 2>&1; then
        echo "find_package should have failed with $2"
        exit 1
    fi
    rm -rf refused
    grep -q "$3" refused.log || { cat refused.log; exit 1; }
}

# serves PREFIX: the installed program serves the installed page.
serves() {
    for file in studio/index.html studio/main.js studio/limber.wasm studio/models/human.fig npm/package.json npm/limber.js \
        npm/limber.wasm npm/limber.d.ts; do
        [ -s "$1/share/limber/$file" ] || { echo "share/limber/$file was not installed"; exit 1; }
    done
    : >served.txt
    LD_LIBRARY_PATH="$libdir" "$1/bin/limber" studio --port 0 --quiet >served.txt 2>served-err.txt &
    server=$!
    until [ -s served.txt ] || ! kill -0 $server 2>/dev/null; do
        sleep 0.1
    done
    kill $server 2>/dev/null || true
    wait $server || true
    grep -q '^http://127.0.0.1:' served.txt || grep -q libmicrohttpd served-err.txt || {
        cat served-err.txt
        echo "the installed program does not serve the installed page"
        exit 1
    }
}

consume() {
    prefix=$1
    libdir=$(dirname "$(find "$prefix" -name limber.pc)")
    libdir=$(dirname "$libdir")
    version=$(sed -n 's/.*LB_VERSION_TEXT "\(.*\)"/\1/p' "$prefix/include/limber/limber.h")

    echo "--- find_package"
    configure_consumer -B consumer -DCMAKE_PREFIX_PATH="$prefix" -DWANTED="$version" -DCOMPONENTS=io
    cmake --build consumer
    for program in core files plusplus; do
        LD_LIBRARY_PATH="$libdir" "./consumer/$program"
    done
    refuse "$prefix" -DWANTED=9.0 'with requested version "9.0"'
    refuse "$prefix" -DWANTED=0.99 'with requested version "0.99"'
    refuse "$prefix" -DCOMPONENTS=nonsense 'limber has no component nonsense'

    echo "--- pkg-config"
    PKG_CONFIG_PATH="$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion limber)" = "$version" ]
    for pair in core:limber files:limber-io; do
        # pkg-config escapes odd characters in paths for the shell to read again, hence eval
        eval "\"\${CC:-cc}\" -std=c99 -pedantic -Wall -Wextra -Werror -o pc_${pair%:*} \
            \"\$LIMBER_SOURCE_DIR/tests/install/consumer/${pair%:*}.c\" $(pkg-config --cflags --libs "${pair#*:}")"
        LD_LIBRARY_PATH="$libdir" "./pc_${pair%:*}"
    done
    if pkg-config --exists 'limber >= 9.0'; then
        echo "pkg-config should not find version 9.0"
        exit 1
    fi

    echo "--- the program and its data"
    [ "$(LD_LIBRARY_PATH="$libdir" "$prefix/bin/limber" --version | head -n 1)" = "limber $version" ]
    for file in share/limber/models/human.fig share/man/man1/limber.1 share/doc/limber/LICENSE \
        share/bash-completion/completions/limber share/zsh/site-functions/_limber \
        share/fish/vendor_completions.d/limber.fish; do
        [ -s "$prefix/$file" ] || { echo "$file was not installed"; exit 1; }
    done
    # from its own models, not those of the source tree
    [ "$(LD_LIBRARY_PATH="$libdir" "$prefix/bin/limber" models --folder)" = "$prefix/share/limber/models" ]
    LD_LIBRARY_PATH="$libdir" "$prefix/bin/limber" info human >/dev/null
    if [ -f "$LIMBER_SOURCE_DIR/build/web/studio/index.html" ]; then
        serves "$prefix"
    fi
}
