"""The reference of the program, from its own help, and of problem files, from their schema."""

import json
import re
import subprocess

from rst import code, escape, heading


def help_of(limber, *words):
    return subprocess.run([limber, *words, "--help"], check=True, capture_output=True, text=True).stdout


OPTION = re.compile(r"^  (?:(-\w), |    )(--[\w-]+)(?: (\S+(?: \S+)*?))?(?:  +(.*))?$")


def options(text):
    """[(names, argument, what it does)] of the lines below "Options:" in a help text."""
    found = []
    for line in text.split("\n"):
        option = OPTION.match(line)
        if option:
            short, name, argument, told = option.groups()
            found.append([[some for some in (short, name) if some], argument or "", told or ""])
        elif line.strip():
            found[-1][2] = f"{found[-1][2]} {line.strip()}".strip()
    return found


def command_section(command, text):
    """What a command says of itself: its text as it is, its options one by one, each with a place of its own."""
    about, _, listed = text.partition("\nOptions:\n")
    listed, _, below = listed.partition("\n\n")
    page = f".. index:: limber {command}\n\n" + heading(f"limber {command}", "-") + code(about, "none")
    page += f".. program:: limber {command}\n\n"
    for names, argument, told in options(listed):
        signature = ", ".join(f"{name} {argument}".strip() for name in names)
        page += f".. option:: {signature}\n\n   {escape(told)}\n\n"
    return page + (code(below, "none") if below.strip() else "")


def write_program(site, limber):
    """cli-reference.rst: what limber says of itself and of each command; gives the commands."""
    text = help_of(limber)
    listed = re.search(r"^Commands:\n(.*?)\n\n", text, re.M | re.S).group(1)
    commands = [line.split()[0] for line in listed.split("\n") if re.match(r"  [a-z]", line)]
    page = heading("The program: every option", "=")
    page += "What ``limber COMMAND --help`` says. :doc:`command-line` is the guide.\n\n" + code(text, "none")
    for command in commands:
        if command != "help":
            page += command_section(command, help_of(limber, command))
    (site.source / "cli-reference.rst").write_text(page)
    return commands


def type_of(schema):
    """A schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"`{name} <#schema-{name}>`__"
    for word, key in (("or", "oneOf"), ("or", "anyOf")):
        if key in schema:
            return f" {word} ".join(dict.fromkeys(type_of(part) for part in schema[key]))
    if "enum" in schema:
        return ", ".join(f"``{json.dumps(value)}``" for value in schema["enum"])
    if "const" in schema:
        return f"``{json.dumps(schema['const'])}``"
    if schema.get("type") == "array":
        return "list of " + (type_of(schema["items"]) if "items" in schema else "anything")
    kind = schema.get("type", "anything")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    bounds = [f"{sign} {schema[key]}" for key, sign in (("minimum", ">="), ("exclusiveMinimum", ">"), ("maximum", "<=")) if key in schema]
    return kind + (f" ({', '.join(bounds)})" if bounds else "")


def variants(parts):
    """Objects of which one is chosen by its kind: which keys each takes."""
    out = "\n\n.. list-table::\n   :header-rows: 1\n\n   * - ``kind``\n     - needs\n     - may have\n"
    for part in parts:
        needed = [name for name in part.get("required", []) if name != "kind"]
        others = [name for name in part["properties"] if name != "kind" and name not in needed]
        cells = (", ".join(f"``{name}``" for name in names) for names in ([part["properties"]["kind"]["const"]], needed, others))
        out += "   * - {}\n     - {}\n     - {}\n".format(*cells)
    return out + "\n"


def table(schema):
    properties = schema.get("properties")
    if not properties and all("kind" in part.get("properties", {}) for part in schema.get("oneOf", [{}])):
        return escape(schema.get("description", "")) + variants(schema["oneOf"])
    if not properties:
        return escape(schema.get("description", "")) + "\n\n" + type_of({k: v for k, v in schema.items() if k != "description"}) + "\n\n"
    required = set(schema.get("required", []))
    out = escape(schema.get("description", "")) + "\n\n.. list-table::\n   :header-rows: 1\n\n   * - key\n     - value\n     - meaning\n"
    for name, part in properties.items():
        must = " (required)" if name in required else ""
        out += f"   * - ``{name}``{must}\n     - {type_of(part)}\n     - {escape(part.get('description', ''))}\n"
    return out + "\n"


def write_schema(site):
    """schema-reference.rst, from docs/problem.schema.json."""
    schema = json.loads((site.top / "docs/problem.schema.json").read_text())
    page = heading("Problem files: every key", "=")
    page += "From the schema that ``docs/problem.schema.json`` is. :doc:`problem-files` explains them, with examples.\n\n"
    page += heading("The file", "-") + table(schema)
    for name, part in schema["$defs"].items():
        page += f".. raw:: html\n\n   <span id=\"schema-{name}\"></span>\n\n" + heading(name, "-") + table(part)
    (site.source / "schema-reference.rst").write_text(page)
