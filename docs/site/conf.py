"""Settings of the manual's site. tools/docs/make_site.py lays out the pages and runs Sphinx with this file."""

import re
from pathlib import Path

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String, Text
from sphinx.addnodes import toctree

_top = Path(__file__).resolve().parents[2]

project = "Limber"
author = "the authors of Limber"
project_copyright = "the authors of Limber, MIT licence"
version = release = re.search(
    r"project\(\s*limber\s+VERSION\s+([0-9.]+)", (_top / "CMakeLists.txt").read_text()
).group(1)

extensions = ["myst_parser", "sphinx_inline_tabs", "sphinx_copybutton"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
nitpicky = False

# A link to a heading that is not there is a warning, and warnings are errors. Deeper headings have no anchors.
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]

# The project's own file formats are shown as they are.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]

# A theme of our own on Sphinx's "basic": Debian's furo has neither its dark colours nor scripts that run from a file.
html_theme = "theme"
html_theme_path = [str(Path(__file__).parent)]
html_title = f"Limber {version}"
html_copy_source = False
html_show_sphinx = False

c_id_attributes = ["LB_API"]
copybutton_prompt_text = "$ "


class FigLexer(RegexLexer):
    """Figure files: comments, numbers with units, the words that begin a part."""

    name = "fig"
    tokens = {
        "root": [
            (r"(#|//).*?$", Comment),
            (r'"[^"\n]*"', String),
            (r"\b(figure|segment|joint|site|group|drive|limit|root|dh|body|connect|to)\b", Keyword),
            (r"[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?[a-z]*", Number),
            (r"[A-Za-z_][A-Za-z_0-9]*", Name),
            (r"\s+", Text),
            (r".", Punctuation),
        ]
    }


def sections(app):
    """The contents of the manual, as the toctrees of its first page have them: (caption, pages). Sphinx's own makes them anew for
    every page, which takes a third of the build."""
    found = []
    for tree in app.env.get_doctree(root_doc).findall(toctree):
        pages = [(page, title or app.env.titles[page].astext()) for title, page in tree["entries"] if page in app.env.titles]
        pages += [(page, title) for title, page in tree["entries"] if page == "genindex"]
        found.append((tree["caption"], pages))
    return found


def add_contents(app, pagename, templatename, context, doctree):
    if not hasattr(app, "limber_sections"):
        app.limber_sections = sections(app)
    context["sections"] = app.limber_sections


def setup(app):
    app.add_lexer("fig", FigLexer)
    app.connect("html-page-context", add_contents)
