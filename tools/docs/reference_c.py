"""The reference of the C interface, from include/limber/*.h: every declaration with its comment, in the header's order."""

import re

import members
from rst import code, escape, heading, indent, prose, short_title

HEADERS = {
    "limber": "Figures: what they are made of, kinematics, limits",
    "solve": "Solving: goals, problems, methods, results",
    "body": "Bodies: people, contacts, effort",
    "io": "Files and pictures",
    "motion": "Motion: tracks, clips, players",
    "servo": "Servos: the next pose, every tick",
    "path": "Paths: motion between poses, nothing in the way",
    "collisions": "Collisions: what is kept apart",
    "closed": "Closed forms: every solution",
    "reach": "Reach: where can it go?",
}


def titles(site):
    """Titles of the headers; one that has none above is called by its name."""
    names = sorted(path.stem for path in (site.top / "include/limber").glob("*.h"))
    return {**HEADERS, **{name: f"limber/{name}.h" for name in names if name not in HEADERS}}


ITEM = re.compile(
    r"(?P<comment>/\*.*?\*/)"
    r"|(?P<directive>^[ \t]*#(?:[^\n\\]|\\.|\\\n)*)"
    r"|(?P<enum>typedef enum\b.*?\}\s*\w+;)"
    r"|(?P<struct>typedef struct\s+\w+\s*\{.*?\n\}\s*\w+;)"
    r"|(?P<opaque>typedef struct \w+ \w+;)"
    r"|(?P<callback>typedef [^;{]*\(\*\w+\)\([^;]*\);)"
    r"|(?P<alias>typedef [^;{(]*;)"
    r"|(?P<function>LB_(?:IO_)?API\s[^;{]*;)"
    r"|(?P<inline>static inline [^{]*\{(?:[^\n]*\}$|.*?\n\}))",
    re.S | re.M,
)


CONSTANT = re.compile(r"#define (LB_\w+) +([-(]?[0-9.]\S*|\(\S+\))\s*(/\*.*?\*/)?\s*$", re.S)


def comment_text(comment):
    """The text of a comment without its stars."""
    lines = comment[2:-2].split("\n")
    return "\n".join([lines[0].strip()] + [re.sub(r"^ ?\* ?", "", line).rstrip() for line in lines[1:]]).strip("\n")


def banner(text):
    """The title of a section where a comment is its banner."""
    found = re.fullmatch(r"-{3,}\s*(.*?)\s*-{3,}", text.strip(), re.S)
    return " ".join(found.group(1).split()) if found else None


def signature(text):
    """A declaration on one line, as Sphinx reads it."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^LB_(IO_)?API\s+|^static inline\s+", "", text.split("{")[0])
    return " ".join(text.rstrip(";").split()).strip()


def name_of(kind, text):
    if kind in ("enum", "struct"):
        return re.search(r"\}\s*(\w+);$", text).group(1)
    if kind in ("opaque", "alias"):
        return re.search(r"(\w+);$", text).group(1)
    if kind == "callback":
        return re.search(r"\(\*(\w+)\)", text).group(1)
    return re.search(r"(\w+)\s*\(", signature(text)).group(1)


def items(text):
    """(kind, name, declaration, comment above it) of a header, and ("section", title, "", text)."""
    comment, ended = "", 0
    for found in ITEM.finditer(text):
        kind, item = found.lastgroup, found.group(0)
        if kind == "directive":
            constant = CONSTANT.match(item)
            if constant:
                above = comment if text[ended:found.start()].strip() == "" else ""
                yield "macro", constant.group(1), constant.group(2), above or comment_text(constant.group(3) or "/**/")
            continue
        if kind == "comment":
            words = comment_text(item)
            title = banner(words)
            if title:
                yield "section", title, "", ""
            comment, ended = ("" if title else words), found.end()
            continue
        above = comment if text[ended:found.start()].strip() == "" else ""
        yield kind, name_of(kind, item), item, above
        comment = ""


class Uses:
    """Where a function is called: examples first, then the documents, then tests."""

    def __init__(self, site):
        self.site = site
        top = site.top
        self.files = [*sorted((top / "examples").glob("*.c")), *sorted((top / "docs").glob("*.md"))]
        self.tests = sorted((top / "tests").glob("*/test_*.c"))
        self.words = {path: set(re.findall(r"\blb_\w+(?=\()", path.read_text())) for path in self.files + self.tests}

    def of(self, name):
        names = {name, name.removesuffix("_sized")}
        found = [path for path in self.files if names & self.words[path]]
        return found[:3] or [path for path in self.tests if names & self.words[path]][:1]

    def sentence(self, name):
        links = []
        for path in self.of(name):
            relative = path.relative_to(self.site.top).as_posix()
            links.append(f":doc:`{path.name} </{self.site.page_of(relative)}>`")
        return f"Used in {', '.join(links)}.\n\n" if links else ""


def show(kind, name, item, above, uses):
    """One declaration."""
    body = prose(above) if above else ""
    if kind in ("function", "inline"):
        return f".. c:function:: {signature(item)}\n\n" + indent(body + uses.sentence(name)) + "\n\n"
    if kind == "macro":
        return f".. c:macro:: {name}\n\n" + indent(f"{body}``{item}``\n") + "\n\n"
    directive = {"enum": "c:enum", "struct": "c:struct", "opaque": "c:struct"}.get(kind, "c:type")
    if kind in ("enum", "struct"):
        body += members.table(item)
    elif kind != "opaque":
        body += code(item)
    if kind == "opaque":
        body += "Its fields are the library's own.\n\n"
    return f".. {directive}:: {name}\n\n" + indent(body) + "\n\n"


def header_page(site, name, title, uses):
    """The page of a header; gives how many functions it has, and those that nothing calls."""
    text = (site.top / f"include/limber/{name}.h").read_text()
    intro = re.match(r"/\*.*?\*/", text, re.S).group(0)
    page = f".. index:: limber/{name}.h\n\n" + heading(title, "=") + f"``#include <limber/{name}.h>``\n\n"
    page += prose(comment_text(intro)) + "\n"
    count, alone, seen = 0, [], set()
    for kind, item_name, item, above in items(text[len(intro):]):
        if kind == "section":
            title, is_cut = short_title(item_name)
            page += heading(escape(title), "-") + (f"{escape(item_name)}\n\n" if is_cut else "")
            continue
        if item_name in seen:
            continue
        seen.add(item_name)
        if kind in ("function", "inline"):
            count += 1
            if not uses.of(item_name):
                alone.append(item_name)
        page += show(kind, item_name, item, above, uses)
    (site.source / f"c-{name}.rst").write_text(page)
    return count, alone


def write(site):
    """All pages; gives the names of functions on them, to be compared with the exported ones."""
    uses = Uses(site)
    total, alone = 0, []
    headers = titles(site)
    for name, title in headers.items():
        count, without = header_page(site, name, title, uses)
        total += count
        alone += without
    lines = [f"- :doc:`limber/{name}.h <c-{name}>`: {title}" for name, title in headers.items()]
    page = heading("C: every function", "=")
    page += f"{total} functions in {len(headers)} headers, from their own comments; the index has each by name.\n"
    page += "\n" + "\n".join(lines) + "\n\n.. toctree::\n   :hidden:\n\n" + "".join(f"   c-{name}\n" for name in headers)
    (site.source / "c-reference.rst").write_text(page)
    return total, alone
