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
    "drag": "Drags: a figure that follows a hand",
    "say": "What a sentence says, as data",
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


def remarks(text):
    """What is said behind a declaration on its own line, by where the declaration ends; and where these comments begin."""
    behind, begins = {}, set()
    for found in re.finditer(r"(?<=;)[ \t]+(/\*.*?\*/)[ \t]*$", text, re.S | re.M):
        words = comment_text(found.group(1))
        is_name = re.match(r"\w*[_\d]", words)
        behind[found.start()] = (words if is_name else words[0].upper() + words[1:]) + ("" if words.endswith(".") else ".")
        begins.add(found.start(1))
    return behind, begins


def items(text):
    """(kind, name, declaration, comment above or behind it, whether it stands right below the one before) of a header, and ("section",
    title, "", "", False)."""
    comment, ended, last = "", 0, 0
    behind, begins = remarks(text)
    for found in ITEM.finditer(text):
        kind, item = found.lastgroup, found.group(0)
        if kind == "comment" and found.start() in begins:
            last = found.end()
            continue
        if kind == "directive":
            constant = CONSTANT.match(item)
            if constant:
                above = comment if text[ended:found.start()].strip() == "" else ""
                yield "macro", constant.group(1), constant.group(2), above or comment_text(constant.group(3) or "/**/"), False
            continue
        if kind == "comment":
            words = comment_text(item)
            title = banner(words)
            if title:
                yield "section", title, "", "", False
            comment, ended = ("" if title else words), found.end()
            continue
        above = comment if text[ended:found.start()].strip() == "" else ""
        yield kind, name_of(kind, item), item, above or behind.get(found.end(), ""), text[last:found.start()] in ("", "\n")
        comment, last = "", found.end()


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

    def links(self, name):
        out = []
        for path in self.of(name):
            relative = path.relative_to(self.site.top).as_posix()
            out.append(f":doc:`{path.name} </{self.site.page_of(relative)}>`")
        return ", ".join(out)

    def sentence(self, names):
        """Where functions that stand together are used."""
        links = {name: self.links(name) for name in names}
        if len(set(links.values())) == 1:
            return f"Used in {links[names[0]]}.\n\n"
        return "".join(f"- ``{name}`` is used in {found}.\n" for name, found in links.items()) + "\n"


# What functions say that have no comment of their own, by the ends of their names.
USUAL = [
    (r"_defaults(_sized)?$", "Fills in what stands as default with each field; call it before setting any. The size, where it is asked for, is that of the struct."),
    (r"_create$", "NULL where it fails; error, which may be NULL, says why."),
    (r"_destroy$", "Frees it. NULL is ignored."),
    (r"_name$", "The word for it that files and messages have."),
]


def usual_words(name):
    return next((words for ending, words in USUAL if re.search(ending, name)), "")


def show_functions(group, uses):
    """Functions that stand together below one comment: [(name, declaration, comment)]."""
    signatures = "\n                ".join(signature(item) for _, item, _ in group)
    names = [name for name, _, _ in group]
    above = next((words for _, _, words in group if words), "") or usual_words(names[0])
    return f".. c:function:: {signatures}\n\n" + indent(prose(above) + "\n\n" + uses.sentence(names)) + "\n\n"


def show(kind, name, item, above):
    """One declaration that is no function."""
    body = prose(above) if above else ""
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
    count, alone, seen, group = 0, [], set(), []

    def end_group():
        nonlocal page
        if group:
            page += show_functions(group, uses)
            group.clear()

    for kind, item_name, item, above, is_below in items(text[len(intro):]):
        own = above or usual_words(item_name)
        if not (kind in ("function", "inline") and group and is_below and not own and not usual_words(group[-1][0])):
            end_group()
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
            group.append((item_name, item, above))
        else:
            page += show(kind, item_name, item, above)
    end_group()
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
