#!/bin/sh
# The manual's site is built without a warning (a dead link, inside or to a heading, is one), and its pages ask for nothing
# that is not theirs. Pictures that the build would draw are left out.
set -eu
python=/usr/bin/python3
if ! "$python" -c 'import myst_parser, sphinx, sphinx_copybutton, sphinx_inline_tabs' 2>/dev/null; then
    echo "skipped: Sphinx, or one of what ./dev docs installs with it, is not there for $python"
    exit 77
fi
site="$LIMBER_SCRATCH/site"
"$python" "$LIMBER_SOURCE_DIR/tools/docs/make_site.py" --work "$LIMBER_SCRATCH/work" --out "$site" --limber "$LIMBER" --no-pictures
code=0
# Links may lead elsewhere; what a page loads may not.
grep -rnE '<(script|img|iframe|source)[^>]* src="(https?:)?//|<link[^>]* href="(https?:)?//|@import|url\(["'\'']?(https?:)?//' \
    "$site" --include='*.html' --include='*.css' >"$LIMBER_SCRATCH/foreign" || true
if [ -s "$LIMBER_SCRATCH/foreign" ]; then
    cut -c 1-200 "$LIMBER_SCRATCH/foreign"
    echo "FAILED: the lines above load something from elsewhere"
    code=1
fi
# No link is dead, also of the pages that Sphinx did not write alone.
"$python" "$LIMBER_SOURCE_DIR/tests/docs/site_links.py" "$site" || code=1
# Every function that a header declares has its place on a page of the reference.
sed -n 's/^LB_\(IO_\)*API.*[ *]\(lb_[a-z0-9_]*\)(.*/\2/p' "$LIMBER_SOURCE_DIR"/include/limber/*.h >"$LIMBER_SCRATCH/functions"
[ "$(wc -l <"$LIMBER_SCRATCH/functions")" -gt 200 ] || { echo "FAILED: the headers are not read"; code=1; }
cat "$site"/c-*.html >"$LIMBER_SCRATCH/reference"
while read -r name; do
    grep -qF "id=\"c.$name\"" "$LIMBER_SCRATCH/reference" || { echo "FAILED: $name is not in the reference"; code=1; }
done <"$LIMBER_SCRATCH/functions"
# So does every name of the Python package and of the npm package.
sed -n '/^__all__ = \[/,/^\]/p' "$LIMBER_SOURCE_DIR/python/limber/__init__.py" | grep -o '"[A-Za-z_]*"' | tr -d '"' | grep -v '^__' >"$LIMBER_SCRATCH/python-names"
sed -n '/^export {$/,/^};/s/^    \([A-Za-z]*\),*$/\1/p; s/^export {\([A-Za-z]*\)}.*/\1/p; s/^export async function \([a-z]*\).*/\1/p' \
    "$LIMBER_SOURCE_DIR/web/limber.js" | grep -v '^VERSION$' >"$LIMBER_SCRATCH/js-names"
for language in python js; do
    [ "$(wc -l <"$LIMBER_SCRATCH/$language-names")" -gt 15 ] || { echo "FAILED: the names of $language are not read"; code=1; }
    while read -r name; do
        grep -qE "id=\"limber\.$name\"" "$site/$language-reference.html" || { echo "FAILED: $name is not in the $language reference"; code=1; }
    done <"$LIMBER_SCRATCH/$language-names"
done
for page in index search genindex goals contract; do
    [ -s "$site/$page.html" ] || { echo "FAILED: there is no $page.html"; code=1; }
done
# What people ask finds the page that answers it first.
if command -v node >/dev/null 2>&1; then
    node "$LIMBER_SOURCE_DIR/tests/docs/search.mjs" "$site" || code=1
    # axe-core has nothing to say about the pages, and they work in a browser.
    for look in axe page; do
        looked=0
        node "$LIMBER_SOURCE_DIR/tests/docs/$look.mjs" "$site" || looked=$?
        [ "$looked" = 0 ] || [ "$looked" = 77 ] || code=1
    done
else
    echo "there is no node to try the search and axe-core with"
fi
exit $code
