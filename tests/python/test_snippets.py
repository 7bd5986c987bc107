"""Every block of Python in README.md, docs/, python/README.md and the first page of the site runs, each in a folder of its own. Blocks that say after the language
what file they read are not among them: docs.map_files runs that one, with its file."""

import contextlib
import io
import os
import re
import tempfile
import warnings

from setup import TOP, check, finish

warnings.simplefilter("ignore")
count = 0
for document in [TOP / "README.md", TOP / "python" / "README.md", TOP / "docs/site/index.md", *sorted((TOP / "docs").glob("*.md"))]:
    text = document.read_text(encoding="utf-8")
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
        line = text[:found.start()].count("\n") + 1
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(found.group(1), f"{document.name}:{line}", "exec"), {"__name__": "__main__"})
                count += 1
            except Exception as error:
                check(False, f"{document.name}, line {line}: {error!r}")
            os.chdir("/")
check(count >= 5, f"only {count} snippets ran")
finish(f"{count} snippets")
