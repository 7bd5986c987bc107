#!/bin/sh
# limber studio: what it serves, to whom, and how it ends. The page here is a small folder of the test's own.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# --- What needs no server ---------------------------------------------------------------------------------------------

run 2 studio --port many
has err.txt '`--port many` is no port'
run 2 studio --port 70000
run 2 studio --port 1.5
run 1 studio --folder nowhere
has err.txt 'nowhere: has no index.html'

mkdir -p site/models/deep site/empty other
printf '<!doctype html><title>Studio</title>\n' >site/index.html
printf 'export {};\n' >site/main.js
printf 'body { margin: 0 }\n' >site/studio.css
printf '\000asm\001\000\000\000' >site/limber.wasm
printf '{"files": []}\n' >site/given.json
sample site/models/deep/arm.fig
sample arm.fig
gzip -9 -k -n site/main.js site/models/deep/arm.fig
printf 'by brotli, for all that the server knows' >site/models/deep/arm.fig.br
printf 'secret\n' >other/secret.txt
printf 'secret\n' >site/.hidden
ln -s ../other/secret.txt site/leads-out.txt
ln -s ../other site/leads-out
ln -s main.js site/leads-in.js

run 1 studio nothing.fig --folder site
has err.txt 'nothing.fig: '
run 1 studio hunan --folder site
has err.txt 'did you mean the model `human`?'
run 2 studio - --folder site
mkdir unpaired && cp site/index.html unpaired && printf 'x' | gzip >unpaired/a.js.gz
run 1 studio --folder unpaired
has err.txt 'unpaired/a.js.gz: there is no a.js beside it'
command -v curl >/dev/null || { echo "skipped: there is no curl"; exit 77; }

# --- Server and client ------------------------------------------------------------------------------------------------

server=
# serve ARGUMENTS...: starts one; its address is in $address, without the last slash.
serve() {
    : >server.txt
    "$LIMBER" studio "$@" >server.txt 2>server-err.txt </dev/null &
    server=$!
    until grep -q 'http://' server.txt; do
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    address=$(sed -n 's,.*\(http://127.0.0.1:[0-9]*\)/.*,\1,p' server.txt)
    if grep -q 'built without libmicrohttpd' server-err.txt; then
        echo "skipped: this limber was built without libmicrohttpd"
        exit 77
    fi
    [ -n "$address" ] || { wrong "limber studio $* does not tell its address" server-err.txt; finish; }
    port=${address##*:}
}

# ends SIGNAL: the server ends of it, with code 0.
ends() {
    checked=$((checked + 1))
    kill -s "$1" "$server"
    code=0
    wait "$server" || code=$?
    server=
    [ "$code" = 0 ] || wrong "limber studio ended with $code after SIG$1" server-err.txt
    is_empty server-err.txt
}
trap '[ -z "$server" ] || kill -s KILL "$server" 2>/dev/null || true' EXIT

# get STATUS PATH CURL-OPTIONS...: asks for a path as it is written; head.txt and body.txt have the answer.
get() {
    wanted=$1
    path=$2
    shift 2
    checked=$((checked + 1))
    rm -f body.txt && : >body.txt
    status=$(curl -sS -m 3600 --noproxy '*' --path-as-is -D head.txt -o body.txt -w '%{http_code}' "$@" "$address$path" \
        2>curl.txt) || status="failed ($(cat curl.txt))"
    [ "$status" = "$wanted" ] || wrong "$path $* gave $status instead of $wanted"
    tr -d '\r' <head.txt | tr '[:upper:]' '[:lower:]' >lower.txt
}

same() {
    checked=$((checked + 1))
    cmp -s "$1" "$2" || wrong "$1 is not $2"
}

# A shell starts what is in the background deaf to SIGINT; the program hears it all the same.
serve --folder site --port 0
has server.txt 'Limber Studio is at http://127.0.0.1:' 'Ctrl-C ends it'
get 200 /
same body.txt site/index.html
has lower.txt 'content-type: text/html; charset=utf-8' "default-src 'none'" "script-src 'self' 'wasm-unsafe-eval'" \
    "connect-src 'self' blob: data:" "frame-ancestors 'none'" 'x-content-type-options: nosniff' \
    'referrer-policy: no-referrer' 'cross-origin-opener-policy: same-origin' \
    'cross-origin-embedder-policy: require-corp' 'cross-origin-resource-policy: same-origin' 'permissions-policy: ' \
    'cache-control: no-cache' 'etag: "'
lacks lower.txt 'access-control-allow'
lacks lower.txt 'unsafe-inline'
get 200 /index.html?a=b
same body.txt site/index.html

echo "--- kinds of content"
while read -r path type; do
    get 200 "$path"
    has lower.txt "content-type: $type" 'x-content-type-options: nosniff'
    same body.txt "site$path"
done <<'TEXT'
/main.js text/javascript; charset=utf-8
/studio.css text/css; charset=utf-8
/limber.wasm application/wasm
/models/deep/arm.fig text/plain; charset=utf-8
/leads-in.js text/javascript; charset=utf-8
TEXT
get 200 /given.json
has lower.txt 'content-type: application/json'
has body.txt '{"files": []}'

echo "--- packed, and already known"
get 200 /main.js -H 'Accept-Encoding: br, gzip'
has lower.txt 'content-encoding: gzip' 'vary: accept-encoding'
same body.txt site/main.js.gz
for refused in identity 'gzip;q=0' 'gzip; q=0.000, br' 'gzippy'; do
    get 200 /main.js -H "Accept-Encoding: $refused"
    lacks lower.txt 'content-encoding'
    same body.txt site/main.js
done
get 200 /models/deep/arm.fig -H 'Accept-Encoding: gzip, deflate, br, zstd'
has lower.txt 'content-encoding: br' 'vary: accept-encoding'
same body.txt site/models/deep/arm.fig.br
get 200 /models/deep/arm.fig -H 'Accept-Encoding: gzip, br;q=0'
has lower.txt 'content-encoding: gzip'
same body.txt site/models/deep/arm.fig.gz
get 200 /main.js -H 'Accept-Encoding: deflate, gzip;q=0.5'
has lower.txt 'content-encoding: gzip'
tag=$(sed -n 's/^etag: //p' lower.txt)
get 304 /main.js -H 'Accept-Encoding: gzip' -H "If-None-Match: $tag"
is_empty body.txt
get 200 /main.js -H "If-None-Match: $tag" # that was the packed one
get 200 /studio.css -H 'If-None-Match: "0000000000000000"'
get 200 /studio.css -H 'Accept-Encoding: gzip' # is not there packed
lacks lower.txt 'content-encoding'

echo "--- one connection for several files"
checked=$((checked + 1))
curl -sS -v --noproxy '*' "$address/main.js" "$address/studio.css" >both.txt 2>verbose.txt
grep -qi 're-using existing connection' verbose.txt || wrong "the connection is closed after a file" verbose.txt
echo "--- only what is there"
for path in /nothing /models /models/ /models/deep /main.js.gz /models/deep/arm.fig.br /MAIN.JS /main.js/ //main.js /.hidden /leads-out.txt \
    /leads-out/secret.txt /../other/secret.txt /models/../../other/secret.txt /..%2fother/secret.txt \
    /%2e%2e/other/secret.txt /models/../main.js /./main.js /main.js%00.txt '/..\other\secret.txt' /etc/passwd \
    //etc/passwd /%2fetc/passwd /given/0; do
    get 404 "$path"
    lacks body.txt secret
    has lower.txt "default-src 'none'" 'x-content-type-options: nosniff'
done

echo "--- only reading"
get 200 /main.js -I
lacks body.txt 'export {}'
has lower.txt 'content-length: 11'
for method in POST PUT DELETE PATCH OPTIONS TRACE PROPFIND; do
    get 405 /main.js -X "$method"
    has lower.txt 'allow: get, head'
done
get 405 /new.txt -T arm.fig
get 405 /main.js -d 'a=b'
same site/main.js site/leads-in.js

echo "--- only by its own name"
for name in example.com "example.com:$port" 127.0.0.1 "127.0.0.1:1" "127.0.0.1.example.com:$port" "localhost.:$port" \
    "a.localhost:$port" "0.0.0.0:$port" "127.0.0.1:${port}0"; do
    get 421 / -H "Host: $name"
    lacks body.txt 'Studio</title>'
done
get 200 / -H "Host: localhost:$port"
get 200 / -H "Host: LocalHost:$port"
get 400 / -H 'Host:'
# no other address of this machine has it
other=$(ip -4 -o addr show scope global 2>/dev/null | sed -n 's,.*inet \([0-9.]*\)/.*,\1,p' | head -n 1)
if [ -n "$other" ]; then
    checked=$((checked + 1))
    ! curl -s -m 3600 --noproxy '*' -H "Host: 127.0.0.1:$port" "http://$other:$port/" >/dev/null ||
        wrong "it listens at $other, too"
fi

echo "--- more than it takes"
get 414 "/$(head -c 40000 /dev/zero | tr '\0' a)"
get 431 / -H "X-Long: $(head -c 40000 /dev/zero | tr '\0' a)"
get 200 /

echo "--- a port that is taken"
run 1 studio --folder site --port "$port"
has err.txt "port $port is taken"
ends INT
has server.txt 'Ended.'

# The usual port, or the next.
"$LIMBER" studio --folder site --quiet >first.txt 2>first-err.txt </dev/null &
first=$!
until [ -s first.txt ] || ! kill -0 "$first" 2>/dev/null; do
    sleep 0.05
done
serve --folder site
checked=$((checked + 1))
[ "$(cat first.txt)" != "$address/" ] || wrong "two servers at one port"
kill -s TERM "$first"
wait "$first" || wrong "the first ended with $?" first-err.txt
has first.txt 'http://127.0.0.1:42'
ends TERM

echo "--- a file, and those that it names"
mkdir -p problem/parts
sample problem/parts/arm.fig
cp problem/parts/arm.fig problem/unnamed.fig
printf '{"figures": ["parts/arm.fig", {"file": "../arm.fig", "name": "other"}, "human"], "title": "unnamed"}' >problem/two.json
serve problem/two.json --folder site --port 0
get 200 /given.json
has body.txt '{"name": "two.json", "url": "given/0"}' '{"name": "parts/arm.fig", "url": "given/1"}' \
    '{"name": "../arm.fig", "url": "given/2"}'
lacks body.txt unnamed.fig
lacks body.txt given/3
get 200 /given/0
same body.txt problem/two.json
get 200 /given/1
same body.txt problem/parts/arm.fig
has lower.txt 'content-type: application/octet-stream'
get 404 /given/3
get 404 /parts/arm.fig
ends INT

serve panda --folder site --port 0
get 200 /given.json
has body.txt '{"name": "panda.fig", "url": "given/0"}'
get 200 /given/0
same body.txt "$LIMBER_SOURCE_DIR/models/panda.fig"
ends HUP
serve chain:12 --folder site --port 0
get 200 /given/0
has body.txt '{"figure": "chain:12"}'
ends INT

# Nothing was written.
checked=$((checked + 1))
[ "$(find site -newer unpaired/a.js.gz | wc -l)" = 0 ] || wrong "something in the page's folder changed"

echo "--- a browser"
mkdir -p bin
# shellcheck disable=SC2154 # from cli.sh
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >"%s/opened.txt"\n' "$work" >bin/xdg-open
chmod +x bin/xdg-open
(
    PATH="$work/bin:$PATH"
    export PATH
    serve --folder site --port 0 --open
    until [ -s opened.txt ] || ! kill -0 "$server" 2>/dev/null; do
        sleep 0.05
    done
    [ "$(cat opened.txt)" = "$address/" ] || wrong "the browser was sent to $(cat opened.txt) instead of $address/"
    ends INT
    [ "$failed" = 0 ]
) || failed=$((failed + 1))

echo "--- who connects and does not ask"
# Four hundred that begin a request and leave it are no hindrance to one who asks; one that sends a letter now and then to keep its
# place loses it at the deadline, which is the test's own.
if command -v python3 >/dev/null; then
    cat >guests.py <<'PYTHON'
import http.client, socket, sys

port, what = int(sys.argv[1]), sys.argv[2]


def begin():
    guest = socket.create_connection(("127.0.0.1", port))
    guest.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:")
    return guest


if what == "many":
    silent = []
    for _ in range(400):
        silent.append(begin())
        if len(silent) % 100 == 0:
            asking = http.client.HTTPConnection("127.0.0.1", port)
            asking.request("GET", "/")
            answer = asking.getresponse()
            assert answer.status == 200 and b"Studio" in answer.read(), answer.status
    print("answered")
else:
    guest = begin()
    guest.settimeout(0.02)
    while True:
        try:
            guest.sendall(b"x")
            if guest.recv(100) == b"":
                break
        except TimeoutError:
            continue
        except ConnectionError:
            break
    print("dropped")
PYTHON
    serve --folder site --port 0 --idle 3600
    python3 guests.py "$port" many >guests.txt 2>&1 || true
    has guests.txt answered
    ends INT
    serve --folder site --port 0 --idle 0.5
    python3 guests.py "$port" slow >guests.txt 2>&1 || true
    has guests.txt dropped
    get 200 /
    ends INT
fi
run 2 studio --idle never --folder site
has err.txt '--idle never'
finish
