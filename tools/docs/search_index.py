"""The index of the manual's search: the sections of its pages as text, in a script that a page without a server can load."""

import json
import re
from html.parser import HTMLParser

# Guides answer questions; references, lists and histories are for those who know what they look for.
WEIGHTS = (("c-", 0.55), ("python-reference", 0.55), ("cli-reference", 0.55), ("schema-reference", 0.5), ("changelog", 0.3),
           ("features", 0.5), ("contributing", 0.4), ("benchmarks", 0.6), ("migration", 0.4), ("terms", 0.7), ("papers", 0.7),
           ("npm-package", 0.7), ("python-package", 0.6), ("gallery", 0.7))
HEADINGS = {"h1", "h2", "h3", "h4"}


class Sections(HTMLParser):
    """The article of a page, cut at its headings and at declarations."""

    def __init__(self):
        super().__init__()
        self.depth = 0
        self.title = None
        self.anchor = ""
        self.hidden = 0
        self.sections = []

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        if tag == "article":
            self.depth = 1
        if not self.depth:
            return
        if tag == "section" or (tag == "dt" and known.get("id", "").startswith(("c.", "limber."))):
            self.anchor = known.get("id", "")
        if tag in HEADINGS or (tag == "dt" and known.get("id", "").startswith(("c.", "limber."))):
            self.sections.append([self.anchor, "", "", ""])
            self.title = tag
        if tag == "a" and known.get("class") == "headerlink":
            self.hidden = 1

    def handle_endtag(self, tag):
        if tag == self.title:
            self.title = None
        if tag == "a":
            self.hidden = 0
        if tag == "article":
            self.depth = 0

    def handle_comment(self, data):
        """<!-- asked: words --> below a heading: how people ask for the section, as far as its title does not say so."""
        found = re.fullmatch(r"\s*asked: (.*?)\s*", data, re.S)
        if self.depth and self.sections and found:
            self.sections[-1][3] += found.group(1)

    def handle_data(self, data):
        if self.depth and self.sections and not self.hidden:
            self.sections[-1][1 if self.title else 2] += data


def name_alone(title):
    """Of a declaration its name."""
    found = re.search(r"((?:limber\.)?[\w.]+)\s*\(", title)
    return found.group(1) if found else title


def synonyms(terms):
    """[words of other people, words of the manual], from the table "Other words for it" of docs/terms.md."""
    table = terms.read_text().split("## Other words for it", 1)[1]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.M)[1:]
    return [[re.split(r",\s*", asked.strip()), meant.split()] for asked, meant in rows if not asked.startswith("---")]


def write(out, terms):
    """_static/search-index.js of a built site; gives the number of sections."""
    rows = []
    for path in sorted(out.glob("*.html")):
        if path.stem in ("genindex", "search", "py-modindex", "index"):
            continue
        parser = Sections()
        parser.feed(path.read_text())
        weight = next((value for prefix, value in WEIGHTS if path.stem.startswith(prefix)), 1)
        page_title = " ".join(parser.sections[0][1].split()) if parser.sections else path.stem
        for anchor, title, text, asked in parser.sections:
            title = " ".join(title.split())
            if anchor.startswith(("c.", "limber.")):
                title = name_alone(title)
            first = title == page_title
            rows.append([path.name, "" if first else anchor, title, page_title, " ".join(text.split()), asked, weight])
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    others = json.dumps(synonyms(terms), separators=(",", ":"))
    (out / "_static/search-index.js").write_text(f"window.limberSearch = {text};\nwindow.limberSynonyms = {others};\n")
    return len(rows)
