"""The members of an enum or a struct of C as a table: its name, and what the comment beside or above it says."""

import re

from rst import escape

PIECE = re.compile(r"/\*(?P<comment>.*?)\*/|(?P<member>[^\s,;/{}](?:[^,;/{}]|,(?=[^;/{}]*;))*?[,;]?)(?=\s*(?:/\*|\n|$))", re.S)


def words(comment):
    return " ".join(re.sub(r"^\s*\*", "", line).strip() for line in comment.split("\n")).strip()


def members(body):
    """[(members, what is said of them)] of what stands between the braces. A comment on the line of a member is about that
    one, one on lines of its own about the member below."""
    found, above, end = [], "", 0
    for piece in PIECE.finditer(body):
        is_same_line = "\n" not in body[end:piece.start()]
        if piece.group("member"):
            found.append([piece.group("member").rstrip(",; \t"), above])
            above = ""
        elif is_same_line and found:
            found[-1][1] = f"{found[-1][1]} {words(piece.group('comment'))}".strip()
        else:
            above = words(piece.group("comment"))
        end = piece.end()
    return found


def table(item):
    """The members of a declaration; nothing where it has none."""
    body = item[item.index("{") + 1:item.rindex("}")]
    rows = members(body)
    out = ".. list-table::\n   :widths: 40 60\n   :class: members\n\n"
    for member, told in rows:
        out += f"   * - ``{' '.join(member.split())}``\n     - {escape(told)}\n"
    return out + "\n" if rows else ""
