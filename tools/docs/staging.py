"""Lays out the pages of the site: Markdown of the tree, links to other files of it, tabs."""

import os
import re
import shutil

# Documents outside docs/ that are pages, too, and their names there.
PAGES = {
    "README.md": "index",
    "examples/README.md": "examples",
    "bench/README.md": "benchmarks",
    "models/README.md": "models",
    "problems/README.md": "problems",
    "web/README.md": "npm-package",
    "python/README.md": "python-package",
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
}

# Pages that are made from the headers, comments, help texts and schemas: the first page links to them.
GENERATED = {f"docs/{name}-reference.md": f"{name}-reference.md" for name in ("c", "python", "js", "cli", "schema")}

LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".mjs": "js", ".json": "json", ".ipynb": "json", ".sh": "sh"}
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
FENCE = re.compile(r"^ *(```+|~~~+)")


class Site:
    """What has been laid out so far: the tree, the folder of pages, and files of the tree that pages show."""

    def __init__(self, top, source):
        self.top = top
        self.source = source
        self.shown = {}

    def page_of(self, path):
        """The page that shows a file or folder of the tree, by its path from the top."""
        if path in PAGES:
            return PAGES[path]
        if path.startswith("docs/") and path.endswith(".md") and path.count("/") == 1:
            return path[5:-3]
        name = "files/" + re.sub(r"[^A-Za-z0-9]+", "-", path).strip("-")
        self.shown.setdefault(path, name)
        return name

    def target(self, folder, target):
        """What a link from a document of a folder is on the site."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(folder, path))
        if path.startswith("docs/pictures/"):
            return path[5:]
        if path in GENERATED:
            return GENERATED[path]
        full = self.top / path
        if not full.exists():
            raise SystemExit(f"make_site: a document of {folder or 'the top'} links to {path}, which is not there.")
        page = self.page_of(path)
        return f"{page}.md" + (f"#{anchor}" if anchor else "")

    def label(self, folder, label, target):
        """The words of a link: a document that is called by its file's name is called by its title on the site."""
        path = os.path.normpath(os.path.join(folder, target.partition("#")[0]))
        if label != f"[{os.path.basename(path)}]" or not path.endswith(".md"):
            return label
        title = (self.top / path).read_text().split("\n", 1)[0].lstrip("# ")
        return f"[{title.split(':')[0]}]"

    def relink(self, folder, text):
        """The text with its links as the site has them; those in code are left alone."""
        lines, fence = [], None
        for line in text.split("\n"):
            mark = FENCE.match(line)
            if mark and fence is None:
                fence = mark.group(1)
            elif mark and line.strip() == fence:
                fence = None
            elif fence is None:
                line = LINK.sub(lambda m: f"{self.label(folder, *m.groups())}({self.target(folder, m.group(2))})", line)
            lines.append(line)
        return "\n".join(lines)

    def add_page(self, name, text):
        path = self.source / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def add_document(self, path, name):
        folder = os.path.dirname(path)
        self.add_page(name, tabs(self.relink(folder, (self.top / path).read_text())))

    def add_shown_files(self):
        """A page for every file and folder that some page links to: the search leaves them out."""
        for path, name in self.shown.items():
            full = self.top / path
            if full.is_dir():
                names = sorted(entry.name for entry in full.iterdir() if not entry.name.startswith((".", "__")))
                body = "\n".join(f"- `{entry}`" for entry in names)
            else:
                language = "none" if path.startswith("tests/") else LANGUAGES.get(full.suffix, "none")
                body = f"`````{{code-block}} {language}\n{full.read_text()}\n`````"
            self.add_page(name, f"---\norphan: true\nnosearch: true\n---\n\n# `{path}`\n\n{body}\n")


def tabs(text):
    """Between <!-- tabs --> and <!-- /tabs -->, each line that is a word in bold begins a tab."""

    def make(match):
        parts = re.split(r"^\*\*([^*\n]+)\*\*\n", match.group(1), flags=re.M)
        return "".join(f"`````{{tab}} {name}\n{body.strip()}\n`````\n\n" for name, body in zip(parts[1::2], parts[2::2]))

    return re.sub(r"^<!-- tabs -->\n(.*?)^<!-- /tabs -->\n", make, text, flags=re.M | re.S)


def lay_out(top, source):
    """All documents of the tree as pages in source."""
    site = Site(top, source)
    shutil.copytree(top / "docs/pictures", source / "pictures")
    for document in sorted((top / "docs").glob("*.md")):
        site.add_document(f"docs/{document.name}", document.stem)
    for path, name in PAGES.items():
        if path != "README.md":
            site.add_document(path, name)
    index = (top / "docs/site/index.md").read_text().replace("../../", "../")
    listed = set(re.findall(r"^[a-z][a-z-]*$", index, re.M))
    more = [path.stem for path in sorted((top / "docs").glob("*.md")) if path.stem not in listed]
    if more:
        index += "\n```{toctree}\n:caption: More\n:hidden:\n\n" + "\n".join(more) + "\n```\n"
    site.add_page("index", tabs(site.relink("docs", index)))
    return site
