"""Builds the manual's site from docs/, the headers, the Python package and the program: see ./dev docs.

    python3 make_site.py --work FOLDER --out FOLDER --limber PROGRAM [--no-pictures]

Pages are laid out in WORK/source (with those that are generated), then Sphinx makes OUT of them; any warning is an error.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pictures
import reference_c
import reference_js
import reference_program
import reference_python
import search_index
import staging

TOP = Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True, help="a folder for pages that are laid out; it is emptied")
    parser.add_argument("--out", type=Path, required=True, help="the site; it is emptied")
    parser.add_argument("--limber", type=Path, required=True, help="the program, which says its options and draws")
    parser.add_argument("--no-pictures", action="store_true", help="leave out pictures that the build draws")
    return parser.parse_args()


def run_sphinx(source, out, work):
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "2", "-b", "html"]
    command += ["-c", str(TOP / "docs/site"), "-d", str(work / "doctrees"), str(source), str(out)]
    return subprocess.run(command, check=False).returncode


def mend_pages(out):
    """What Sphinx leaves to be wished for. Cells of a table's head that say nothing are no headings: a screen reader would read them
    out. Long names in code may break behind their signs, as on a phone."""
    for path in out.glob("**/*.html"):
        text = path.read_text()
        mended = text.replace('<th class="head"><p></p></th>', "<td></td>")
        mended = re.sub(r'(?<=<span class="pre">)[^<]+', lambda m: re.sub(r"([/_,=])(?=\w)", r"\1<wbr>", m.group(0)), mended)
        if mended != text:
            path.write_text(mended)


def main():
    options = arguments()
    options.work, options.out, options.limber = (path.resolve() for path in (options.work, options.out, options.limber))
    source = options.work / "source"
    for folder in (options.work, options.out):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    site = staging.lay_out(TOP, source)
    functions, alone = reference_c.write(site)
    names, unshown = reference_python.write(site)
    classes, uncalled = reference_js.write(site)
    commands = reference_program.write_program(site, options.limber)
    reference_program.write_schema(site)
    site.add_shown_files()
    drawn = 0
    if not options.no_pictures:
        drawn = sum(pictures.draw(site, page, options.limber) for page in ("tutorial", "robots", "gallery"))
        pictures.show_again(site, "index")
    code = run_sphinx(source, options.out, options.work)
    print(f"{functions} functions of C ({len(alone)} without an example), {names} names of Python, {classes} of JavaScript, {len(commands)} commands, {drawn} pictures drawn")
    if alone:
        sys.exit("make_site: no example calls " + ", ".join(alone) + ": show each in a document or in examples/.")
    if unshown:
        sys.exit("make_site: no example of Python calls " + ", ".join(unshown) + ": show each in its docstring or in docs/python.md.")
    if uncalled:
        sys.exit("make_site: no example of JavaScript calls " + ", ".join(uncalled) + ": show each in web/README.md.")
    if code:
        sys.exit("make_site: the warnings above are errors; nothing of the site is finished.")
    # What Sphinx's own search is made of, which the manual's replaces, and libraries that no script here uses.
    unused = ("searchindex.js", "_static/searchtools.js", "_static/language_data.js", "objects.inv", "_static/jquery.js", "_static/underscore.js",
              "_static/_sphinx_javascript_frameworks_compat.js")
    for name in unused:
        (options.out / name).unlink(missing_ok=True)
    mend_pages(options.out)
    sections = search_index.write(options.out, TOP / "docs/terms.md")
    print(f"{sections} sections to search")


if __name__ == "__main__":
    main()
