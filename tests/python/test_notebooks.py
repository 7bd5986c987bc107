"""The notebooks of python/examples run, cell by cell, without Jupyter; what a cell shows last is drawn as a notebook would."""

import contextlib
import io
import json
import os
import ast
import warnings

from setup import TOP, check, finish

os.environ.setdefault("LIMBER_EXAMPLE_COUNT", "20000")
warnings.simplefilter("ignore")


def run_cell(source, namespace):
    """Runs a cell; its last expression is shown as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), namespace)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
        picture = getattr(value, "_repr_png_", None)
        return (picture() if picture else None), repr(value)
    return None, ""


count = 0
for path in sorted((TOP / "python" / "examples").glob("*.ipynb")):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    namespace = {"__name__": "__main__"}
    for number, cell in enumerate(notebook["cells"]):
        check(not cell.get("outputs"), f"{path.name}: cell {number} was committed with its output")
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                picture, text = run_cell(source, namespace)
            check(picture is None or picture[:4] == b"\x89PNG", f"{path.name}: cell {number} shows no picture")
            count += 1
        except Exception as error:
            check(False, f"{path.name}, cell {number}: {error!r}\n{source}")
            break
check(count >= 15, f"only {count} cells ran")
finish(f"{count} cells")
