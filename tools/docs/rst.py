"""reStructuredText from plain text: what generated pages have in common."""

import re
import textwrap

SPECIAL = re.compile(r"([\\*`|])|(?<=\w)_(?=\W|$)")


def escape(text):
    """Plain text as it is, whatever signs it has; `code` between backticks stays code."""
    parts = re.split(r"`([^`\n]+)`", text)
    for index, part in enumerate(parts):
        parts[index] = f"``{part.strip()}``" if index % 2 else SPECIAL.sub(lambda m: "\\" + m.group(0), part)
    # a role of code needs something that is no letter on both sides
    return re.sub(r"(``[^`]+``)(?=\w)", r"\1\\ ", "".join(parts))


def heading(text, sign):
    return f"{text}\n{sign * max(3, len(text))}\n\n"


def indent(text, depth=3):
    return textwrap.indent(text, " " * depth)


def code(text, language="c"):
    return f".. code-block:: {language}\n\n{indent(text.rstrip())}\n\n"


def prose(text):
    """Paragraphs of a comment or docstring. What is indented is code; lines that begin with >>> are a session of Python."""
    out = []
    for block in re.split(r"\n[ \t]*\n", textwrap.dedent(text).strip("\n")):
        lines = block.split("\n")
        if lines[0].startswith(">>>"):
            out.append(code(block, "pycon"))
        elif all(line.startswith("    ") for line in lines):
            out.append(code(textwrap.dedent(block), "none"))
        else:
            out.append(mixed(lines))
    return "\n".join(out)


def mixed(lines):
    """A paragraph, with what is indented below its first line as code."""
    text = []
    while lines and not lines[0].startswith("    ") and not lines[0].startswith(">>>"):
        text.append(lines.pop(0).strip())
    out = escape("\n".join(text)) + "\n\n" if text else ""
    if lines:
        session = lines[0].startswith(">>>")
        body = "\n".join(lines)
        out += code(textwrap.dedent(body), "pycon" if session else "none")
    return out
