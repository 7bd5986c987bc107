"""The reference of the Python package, from its source: names of limber.__all__ with signatures and docstrings. Nothing is imported."""

import ast
import re

from rst import escape, heading, indent, prose, short_title


# Modules in the order in which people meet them; others follow by name.
ORDER = ["figure", "solving", "problem", "goals", "frames", "closed", "reach", "maps", "collisions", "servo", "drag", "paths", "motion", "habit", "builder",
         "picture", "dask", "models_of", "serve", "program", "errors"]


def modules(package):
    rank = {name: place for place, name in enumerate(ORDER)}
    return sorted(package.glob("*.py"), key=lambda path: (rank.get(path.stem, len(rank)), path.stem))


class Uses:
    """Where a function is shown: in its own docstring, in another one, in a snippet of the documents, in a notebook, in a test."""

    def __init__(self, site):
        self.site = site
        top = site.top
        self.package = "\n".join(re.findall(r"^\s*(?:>>>|\.\.\.) (.*)", "\n".join(p.read_text() for p in modules(top / "python/limber")), re.M))
        documents = [top / "python/README.md", *sorted((top / "docs").glob("*.md"))]
        self.files = [(path, "\n".join(re.findall(r"^```python\n(.*?)^```", path.read_text(), re.M | re.S))) for path in documents]
        more = [*sorted((top / "python/examples").glob("*.ipynb")), *sorted((top / "tests/python").glob("test_*.py"))]
        self.rest = [(path, path.read_text()) for path in more]

    def of(self, name):
        pattern = re.compile(rf"\.{name}\b")
        found = [path for path, text in self.files if pattern.search(text)]
        return found[:3] or [path for path, text in self.rest if pattern.search(text)][:1]

    def sentence(self, node):
        if ">>>" in (ast.get_docstring(node) or ""):
            return ""
        links = []
        for path in self.of(node.name):
            relative = path.relative_to(self.site.top).as_posix()
            links.append(f":doc:`{path.name} </{self.site.page_of(relative)}>`")
        return f"Used in {', '.join(links)}.\n\n" if links else ""

    def is_shown(self, node):
        """Whether there is any example: of a class that others give back, its members are."""
        own = ">>>" in (ast.get_docstring(node) or "") or re.search(rf"\b{node.name}\b", self.package)
        return bool(own or self.of(node.name))


def public_names(package):
    tree = ast.parse((package / "__init__.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return [element.value for element in node.value.elts]
    raise SystemExit("make_site: python/limber/__init__.py has no __all__.")


def signature(node):
    text = ast.unparse(node.args)
    for own in ("self, ", "cls, "):
        text = text.removeprefix(own)
    text = "" if text in ("self", "cls") else text
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"({text}){returns}"


def is_property(node):
    return any(getattr(mark, "id", "") in ("property", "cached_property") for mark in node.decorator_list)


def is_overload(node):
    return any("overload" in ast.unparse(mark) or "setter" in ast.unparse(mark) for mark in node.decorator_list)


def function(node, uses, directive="py:function"):
    if directive == "py:method" and is_property(node):
        head = f".. py:property:: {node.name}\n"
    else:
        head = f".. {directive}:: {node.name}{signature(node)}\n"
    return head + "\n" + indent(prose(ast.get_docstring(node) or "") + "\n\n" + uses.sentence(node)) + "\n\n"


def fields(node):
    """Fields of a class that are declared with types, and the text after them."""
    out = ""
    for index, part in enumerate(node.body):
        if not isinstance(part, ast.AnnAssign) or part.target.id.startswith("_"):
            continue
        out += f".. py:attribute:: {part.target.id}\n   :type: {ast.unparse(part.annotation)}\n\n"
        after = node.body[index + 1] if index + 1 < len(node.body) else None
        if isinstance(after, ast.Expr) and isinstance(getattr(after.value, "value", None), str):
            out += indent(prose(after.value.value)) + "\n\n"
    return out


def callables(node):
    """The public methods and properties of a class."""
    return [part for part in node.body
            if isinstance(part, ast.FunctionDef) and not part.name.startswith("_") and not is_overload(part)]


def klass(node, uses):
    made = next((part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"), None)
    body = prose(ast.get_docstring(node) or "") + "\n\n" + fields(node)
    for part in callables(node):
        body += function(part, uses, "py:method")
    return f".. py:class:: {node.name}{signature(made) if made else ''}\n\n" + indent(body) + "\n\n"


def write(site):
    """python-reference.rst: a section for each module; gives how many names it has, and the functions and methods that nothing shows."""
    package = site.top / "python/limber"
    wanted = set(public_names(package)) - {"__version__"}
    page = heading("Python: every function", "=")
    page += f"{len(wanted)} names of ``limber``, from their docstrings, whose examples run in the tests. :doc:`python` is the guide: begin there.\n\n"
    page += ".. py:module:: limber\n\n"
    shown, alone, uses = set(), [], Uses(site)
    for path in modules(package):
        tree = ast.parse(path.read_text())
        body = ""
        for node in tree.body:
            name = getattr(node, "name", None)
            if name not in wanted or name in shown or (isinstance(node, ast.FunctionDef) and is_overload(node)):
                continue
            shown.add(name)
            body += klass(node, uses) if isinstance(node, ast.ClassDef) else function(node, uses)
            parts = callables(node) if isinstance(node, ast.ClassDef) else [node]
            alone += [f"{name}.{part.name}".removeprefix(f"{part.name}.") for part in parts if not uses.is_shown(part)]
        if body:
            first = (ast.get_docstring(tree) or path.stem).split("\n")[0].rstrip(".")
            title, is_cut = short_title(first)
            page += heading(escape(title), "-") + (f"{escape(first)}.\n\n" if is_cut else "") + body
    if wanted - shown:
        raise SystemExit(f"make_site: python/limber has no definition of {', '.join(sorted(wanted - shown))}.")
    (site.source / "python-reference.rst").write_text(page)
    return len(shown), alone
