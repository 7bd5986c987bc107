"""The reference of the Python package, from its source: names of limber.__all__ with signatures and docstrings. Nothing is imported."""

import ast

from rst import escape, heading, indent, prose, short_title


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


def function(node, directive="py:function"):
    if directive == "py:method" and is_property(node):
        head = f".. py:property:: {node.name}\n"
    else:
        head = f".. {directive}:: {node.name}{signature(node)}\n"
    return head + "\n" + indent(prose(ast.get_docstring(node) or "")) + "\n\n"


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


def klass(node):
    made = next((part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"), None)
    body = prose(ast.get_docstring(node) or "") + "\n\n" + fields(node)
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("_") and not is_overload(part):
            body += function(part, "py:method")
    return f".. py:class:: {node.name}{signature(made) if made else ''}\n\n" + indent(body) + "\n\n"


def write(site):
    """python-reference.rst: a section for each module; gives how many names it has."""
    package = site.top / "python/limber"
    wanted = set(public_names(package)) - {"__version__"}
    page = heading("Python: every function", "=")
    page += f"{len(wanted)} names of ``limber``, from their docstrings, whose examples run in the tests. :doc:`python` is the guide.\n\n"
    page += ".. py:module:: limber\n\n"
    shown = set()
    for path in sorted(package.glob("*.py")):
        tree = ast.parse(path.read_text())
        body = ""
        for node in tree.body:
            name = getattr(node, "name", None)
            if name not in wanted or name in shown or (isinstance(node, ast.FunctionDef) and is_overload(node)):
                continue
            shown.add(name)
            body += klass(node) if isinstance(node, ast.ClassDef) else function(node)
        if body:
            first = (ast.get_docstring(tree) or path.stem).split("\n")[0].rstrip(".")
            title, is_cut = short_title(first)
            page += heading(escape(title), "-") + (f"{escape(first)}.\n\n" if is_cut else "") + body
    if wanted - shown:
        raise SystemExit(f"make_site: python/limber has no definition of {', '.join(sorted(wanted - shown))}.")
    (site.source / "python-reference.rst").write_text(page)
    return len(shown)
