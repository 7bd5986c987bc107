"""The index of the manual's search: the sections of its pages as text, in a script that a page without a server can load.

A section has a title, a text, and what other pages call it: the words of links that lead to it, and where such a link stands in a table
the beginning of its row ("foot sliding, foot skating" of the row whose link leads to the section on contacts).
"""

import json
import re
from collections import defaultdict
from html.parser import HTMLParser

# Guides answer questions; references, lists and histories are for those who know what they look for.
WEIGHTS = (("c-", 0.5), ("python-reference", 0.5), ("cli-reference", 0.5), ("schema-reference", 0.5), ("changelog", 0.3),
           ("features", 0.5), ("contributing", 0.4), ("benchmarks", 0.6), ("migration", 0.4), ("terms", 0.7), ("papers", 0.7),
           ("js-reference", 0.5), ("web", 0.7), ("python-package", 0.6), ("gallery", 0.7), ("scoreboard", 0.7), ("problems", 0.7))
FRONT = 0.8  # the beginning of a reference
FRONTS = ("c-reference", "python-reference", "js-reference", "cli-reference")
LINKING = 0.7  # pages of less weight, those with lists of everything, do not say by their links what others are about
HEADINGS = {"h1", "h2", "h3", "h4"}
DECLARED = ("c.", "limber.", "cmdoption-")  # how the identifiers of declarations begin


class Sections(HTMLParser):
    """The article of a page, cut at its headings and at declarations, and the links in it."""

    def __init__(self):
        super().__init__()
        self.depth = 0
        self.title = None
        self.anchor = ""
        self.hidden = 0
        self.is_block = False  # of code, or of a drawing made of signs
        self.sections = []  # [anchor, title, text]
        self.link = None  # where the link leads that is being read
        self.row = None  # the text of a row's first cell, as far as it is read
        self.cells = 0
        self.links = []  # (where to, its words)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        if tag == "article":
            self.depth = 1
        if not self.depth:
            return
        is_declared = tag == "dt" and known.get("id", "").startswith(DECLARED)
        if tag == "section" or is_declared:
            self.anchor = known.get("id", "")
        if tag in HEADINGS or is_declared:
            self.sections.append([self.anchor, "", ""])
            self.title = tag
        if tag == "pre":
            self.is_block = True
        if tag == "tr":
            self.row, self.cells = "", 0
        if tag in ("td", "th"):
            self.cells += 1
        if tag == "code" and self.cells == 1:
            self.row = None  # a name of a program's is not what people say
        if tag == "a":
            self.start_link(known)

    def start_link(self, known):
        if known.get("class") == "headerlink":
            self.hidden = 1
        elif "internal" in known.get("class", ""):
            self.link = known.get("href", "")
            self.links.append((self.link, ""))
            if self.row and self.cells > 1:
                self.links += [(self.link, words) for words in re.split(r",\s*", self.row)]
                self.links.append((self.link, ""))

    def handle_endtag(self, tag):
        if tag == self.title:
            self.title = None
        if tag == "a":
            self.hidden, self.link = 0, None
        if tag == "pre":
            self.is_block = False
        if tag == "tr":
            self.row = None
        if tag == "article":
            self.depth = 0

    def handle_data(self, data):
        if not self.depth or self.hidden:
            return
        if self.link is not None:
            self.links[-1] = (self.link, self.links[-1][1] + data)
        if self.row is not None and self.cells == 1:
            self.row += data
        if self.is_block:
            data = re.sub(r"(?<!\S)[^\w\s]+(?!\S)|_{2,}", " ", data)  # the lines of drawings
        if self.sections:
            self.sections[-1][1 if self.title else 2] += data


def name_alone(anchor, title, heading):
    """Of a declaration its name; of an option with that of its command."""
    if anchor.startswith("cmdoption-"):
        return f"{heading} {re.search('--[a-z-]+', title).group(0)}"
    found = re.search(r"((?:limber\.)?[\w.]+)\s*\(", title)
    return found.group(1) if found else title


def constants(title, text):
    """The constants that a declaration of C has: who types one of them asks for it."""
    return re.findall(r"\bLB_[A-Z0-9_]+", text) if title.startswith("enum ") else []


def tidy(text):
    return " ".join(text.split())


def synonyms(terms):
    """[words of other people, words of the manual], from the table "Other words for it" of docs/terms.md, as far as it has no links."""
    table = terms.read_text().split("## Other words for it", 1)[1]
    rows = re.findall(r"^\| ([^|]+) \| ([^|\[]+) \|$", table, re.M)[1:]
    return [[re.split(r",\s*", asked.strip()), meant.split()] for asked, meant in rows if not asked.startswith("---")]


def weight_of(page):
    return next((value for prefix, value in WEIGHTS if page.startswith(prefix)), 1)


def called(pages):
    """What links call each place (page.html or page.html#anchor) of the site: each word or phrase once."""
    names = defaultdict(dict)
    for page, parser in pages.items():
        if weight_of(page) < LINKING:
            continue
        for target, words in parser.links:
            path, _, anchor = target.partition("#")
            words = tidy(words).replace(".md", "")
            if words and "/" not in path:
                names[(path or f"{page}.html") + (f"#{anchor}" if anchor else "")][words] = 1
    return names


def write(out, terms):
    """_static/search-index.js of a built site; gives the number of sections."""
    pages = {}
    for path in sorted(out.glob("*.html")):
        if path.stem not in ("genindex", "search", "py-modindex"):
            pages[path.stem] = Sections()
            pages[path.stem].feed(path.read_text())
    names = called(pages)
    rows = []
    for page, parser in pages.items():
        if page == "index" or not parser.sections:
            continue
        page_title = heading = tidy(parser.sections[0][1])
        for number, (anchor, title, text) in enumerate(parser.sections):
            declared = constants(tidy(title), text)
            if anchor.startswith(DECLARED):
                title = name_alone(anchor, tidy(title), heading)
            else:
                title = heading = tidy(title)
            links = list(names[f"{page}.html#{anchor}"]) + (list(names[f"{page}.html"]) if number == 0 else [])
            # The beginning of a reference is what answers "Python API"; the rest of it is for those who know a name.
            weight = FRONT if number == 0 and page in FRONTS else weight_of(page)
            rows.append([f"{page}.html", anchor if number else "", title, page_title, tidy(text), links + declared, weight])
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    others = json.dumps(synonyms(terms), separators=(",", ":"))
    (out / "_static/search-index.js").write_text(f"window.limberSearch = {text};\nwindow.limberSynonyms = {others};\n")
    return len(rows)
