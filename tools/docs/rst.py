"""reStructuredText from plain text: what generated pages have in common."""

import re
import textwrap

SPECIAL = re.compile(r"([\\*`|])|(?<=\w)_(?=\W|$)")


PAGE = re.compile(r"\bdocs/([a-z-]+)\.md\b")
OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*)")
NAME = re.compile(r"(?<![\w*&.>@-])lb_\w*\w\b(?!\\)(?:\(\))?")


def escape_words(text):
    """Plain text without code in it: pages of docs/ and names of C become links, options code."""
    text = SPECIAL.sub(lambda m: "\\" + m.group(0), text)
    text = PAGE.sub(lambda m: f":doc:`{m.group(1).replace('-', ' ')} </{m.group(1)}>`", text)
    text = NAME.sub(lambda m: f":c:type:`{m.group(0).removesuffix('()')}`", text)
    return OPTION.sub(r"``\1``", text).replace("file:line", r"file\:line")  # no address


def escape(text):
    """Plain text as it is, whatever signs it has; `code` between backticks stays code."""
    out = ""
    for index, part in enumerate(re.split(r"`([^`\n]+)`", text)):
        part = f"``{part.strip()}``" if index % 2 else escape_words(part)
        # code needs something that is no letter on both sides
        is_joined = out and part and not out[-1].isspace() and not part[0].isspace()
        out += ("\\ " if is_joined else "") + part
    return out


def short_title(text):
    """What stands before a text's first colon, stop or bracket, and whether something was cut off."""
    title = re.split(r"[:.;(](?:\s|(?<=\())", text, maxsplit=1)[0].strip()
    return title, title != text.strip()


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
