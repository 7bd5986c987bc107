"""The reference of the npm package, from the comments of web/*.js: what limber.js exports, member by member, and the types that these take
and give. Nothing is run, so that neither node nor a compiler of WebAssembly is needed."""

import re

from rst import escape, heading, indent

# The order of the page: the file, what its section is called, and what a reader should know first.
SECTIONS = [
    ("limber.js", "Loading the module", "``load`` starts the module; the object it resolves to reads files and makes everything else."),
    ("files.js", "The table of files", "A page has no folders: what readers read and writers write stands in this table, by name."),
    ("figure.js", "Figures", "What ``limber.loadFigure`` and ``Builder`` give. A figure never changes once it is made."),
    ("kinematics.js", "Kinematics", "Where everything is in a pose. Made by ``figure.kinematics()``."),
    ("builder.js", "Building figures", "A figure put together part by part: ``new limber.Builder()``."),
    ("problem.js", "Problems", "What is asked: ``new limber.Problem(figure)``."),
    ("problem_file.js", "Problem files", "What ``limber.loadProblem`` gives."),
    ("body.js", "Bodies", "What ``problem.setBody``, ``figure.body`` and ``solver.body()`` take and give. :doc:`body` explains it."),
    ("collisions.js", "Keeping apart", "What ``problem.avoid`` takes and ``solver.near`` gives. :doc:`collisions` explains it."),
    ("solver.js", "Solving", "Made by ``problem.solver()``."),
    ("closed.js", "Every solution", "Made by ``figure.closed(effector)``. :doc:`closed` explains it."),
    ("reach.js", "Reach", "Made by ``figure.reach(effector)``. :doc:`reach` explains it."),
    ("drag.js", "Drags", "Made by ``problem.drag(pose, options)``. :doc:`drag` explains it."),
    ("servo.js", "Servos", "Made by ``problem.servo(options)``. :doc:`servo` explains it."),
    ("path.js", "Paths", "What ``figure.path`` takes and gives. :doc:`paths` explains it."),
    ("motion.js", "Motion", "Goals that move over time, and scripts. :doc:`motion` explains it."),
    ("clip.js", "Clips and retargeting", "Poses at even times, as motion capture has them. :doc:`retarget` explains it."),
    ("errors.js", "Errors", "Everything that can fail throws a ``LimberError``."),
    ("xml.js", "XML in workers", "Workers have no ``DOMParser``: a tree that is read on the page's thread goes along with its file."),
    ("handle.js", "What all objects have in common", "Figures, problems, solvers and the rest stand for objects of C."),
]

CONSTRUCTED = {"Builder", "Clip", "Motion", "Problem", "Track"}  # classes that a program makes itself, by limber.NAME
CALLED = {"Figure": "human|panda|arm|chain|ur5", "Builder": "changed|fingers", "Track": "path|sway", "ProblemFile": "file"}  # in snippets
INNER = {"limber", "pointer", "borrowed"}  # parameters of constructors for the package's own use

COMMENT = r"/\*\*(?P<comment>(?:[^*]|\*(?!/))*)\*/"
TOP = re.compile(rf"^{COMMENT}\n(?P<code>export [^\n]*)?", re.M)
MEMBER = re.compile(rf"^    {COMMENT}\n    (?P<code>(?:static |async |get |set |\*)*[A-Za-z]\w*\(|[A-Za-z]\w* *[=;])", re.M)
FIELD = re.compile(rf"^        {COMMENT}\n        this\.(?P<name>[a-z]\w*) =", re.M)
BARE = re.compile(r"(?<!\*/)\n    (?:static |async |get |\*)*(?!constructor)([A-Za-z]\w*)\([^\n]*\) \{$", re.M)
IMPORT = re.compile(r"import\('[^']*'\)\.")
WORD = re.compile(r"[A-Za-z_]\w*")


def text_of(comment):
    """A comment without its stars; lines that go on are joined, paragraphs are kept."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.split("\n")]
    return "\n".join(lines).strip()


def cut_type(text):
    """What stands in the braces that a text begins with, and what follows them."""
    if not text.startswith("{"):
        return "", text
    depth = 0
    for place, sign in enumerate(text):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth == 0:
            return IMPORT.sub("", " ".join(text[1:place].split())), text[place + 1:].strip()
    return "", text


class Said:
    """What a comment of JSDoc says: its words, parameters (name, type, words, is optional), what is given back, other marks."""

    def __init__(self, comment):
        words, *tags = re.split(r"(?:^|(?<=\s))@(?=[a-z]+\b)", text_of(comment))
        self.words = words.strip()
        self.params, self.gives, self.marks, self.type = [], None, set(), ""
        for tag in tags:
            kind, _, rest = tag.partition(" ")
            kind, (type_, said) = kind.strip(), cut_type(rest.strip())
            if kind in ("param", "property"):
                name, _, said = said.partition(" ")
                is_optional = name.startswith("[")
                self.params.append((name.strip("[]").split("=")[0], type_, " ".join(said.split()), is_optional))
            elif kind == "returns":
                self.gives = (type_, " ".join(said.split()))
            elif kind == "type":
                self.type, self.words = type_, f"{self.words} {' '.join(said.split())}".strip()
            self.marks.add(kind)


class Module:
    """A file of the package: classes with members, functions, types."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.classes, self.functions, self.types = [], [], []
        for found in TOP.finditer(self.text):
            code = found.group("code") or ""
            named = re.match(r"export (?:async )?(class|function) (\w+)", code)
            if "@typedef" in found.group("comment"):
                self.types += typedefs(found.group("comment"))
            elif named and named.group(1) == "class":
                body = self.text[found.end():]
                self.classes.append((named.group(2), Said(found.group("comment")), body[:body.index("\n}\n")]))
            elif named:
                self.functions.append((named.group(2), Said(found.group("comment"))))


def typedefs(comment):
    """[(name, Said)] of a comment that declares types: what is said of one stands before or behind its mark."""
    found, above = [], ""
    for piece in re.split(r"\n\s*\n", text_of(comment)):
        before, mark, rest = piece.partition("@typedef")
        if not mark:
            above = piece
            continue
        type_, rest = cut_type(rest.strip())
        name, rest = re.match(r"(\w+)\s*(.*)", rest, re.S).groups()
        said = Said(f"{before.strip() or above} {rest}")
        said.words, said.type = " ".join(said.words.split()), type_
        found.append((name, said))
        above = ""
    return found


def members(body):
    """[(kind, name, Said)] of a class: fields that its constructor makes, properties, methods. What is private or internal is left out."""
    found = []
    for field in FIELD.finditer(body):
        found.append(("field", field.group("name"), Said(field.group("comment"))))
    for member in MEMBER.finditer(body):
        words = member.group("code").rstrip("(=; ").split()
        is_call = member.group("code").endswith("(") and "get" not in words
        kind = "constructor" if words[-1] == "constructor" else "method" if is_call else "field"
        if "set" not in words:
            found.append((kind, words[-1], Said(member.group("comment"))))
    return [one for one in found if not one[2].marks & {"internal", "protected", "private"}]


class Page:
    """The text of the page as it grows; knows what can be linked to."""

    def __init__(self, known):
        self.known = known

    def type(self, text):
        """A type as code, names of it that the page has as links."""
        out, end = "", 0
        for word in WORD.finditer(text):
            if word.group(0) not in self.known or text[word.start() - 1:word.start()] in ("'", "."):
                continue
            before = text[end:word.start()]
            out += (literal(before) + "\\ " if before.strip() else "") + f":js:{self.known[word.group(0)]}:`{word.group(0)} <{word.group(0)}>`\\ "
            end = word.end()
        rest = text[end:]
        return (out + (literal(rest) if rest.strip() else "")).removesuffix("\\ ") or "``any``"

    def rows(self, params):
        """Parameters or properties, one a line."""
        if not params:
            return ""
        out = ".. rst-class:: params\n\n"
        for name, type_, said, is_optional in params:
            option = ", optional" if is_optional else ""
            out += f"- **{name}** ({self.type(type_)}{option}){': ' + escape(said) if said else ''}\n"
        return out + "\n"

    def told(self, said):
        body = escape(" ".join(said.words.split())) + "\n\n" if said.words else ""
        body += self.rows(said.params)
        if said.gives and said.gives[0] not in ("void", "this"):
            body += f"Gives {self.type(said.gives[0])}{': ' + escape(said.gives[1]) if said.gives[1] else ''}.\n\n"
        elif said.gives and said.gives[0] == "this":
            body += "Gives the object itself, so that calls can be chained.\n\n"
        return body

    def function(self, directive, name, said):
        return f".. js:{directive}:: {name}({signature(said.params)})\n\n" + indent(self.told(said)) + "\n\n"

    def klass(self, name, said, listed, uses):
        made = next((one for kind, _, one in listed if kind == "constructor"), None) if name in CONSTRUCTED else None
        own = [param for param in made.params if param[0] not in INNER] if made else []
        body = escape(" ".join(said.words.split())) + "\n\n"
        body += self.rows(own)
        for kind, member, one in listed:
            if kind == "field":
                type_ = one.type or (one.gives or ("",))[0]
                given = f"{self.type(type_)}. " if type_ else ""
                more = (one.gives or ("", ""))[1]
                body += f".. js:attribute:: {member}\n\n" + indent(given + escape(" ".join(f"{one.words} {more}".split()))) + "\n\n"
            elif kind == "method":
                shown = self.function("method", member, one).rstrip() + "\n\n"
                body += shown + indent(uses.sentence(name, member)) + "\n\n"
        taken = f"({signature(own)})" if made else ""
        return f".. js:class:: {name}{taken}\n\n" + indent(body) + "\n\n"

    def typedef(self, name, said):
        body = escape(said.words) + "\n\n" if said.words else ""
        if said.type not in ("object", "Object"):
            body += self.type(said.type) + "\n\n"
        return f".. js:data:: {name}\n\n" + indent(body + self.rows(said.params)) + "\n\n"


def literal(text):
    """Code in a line of text; blanks at its ends stay outside."""
    inner = text.strip()
    return (" " if text[:1] == " " else "") + f"``{inner}``" + (" " if text[-1:] == " " else "") if inner else text


def signature(params):
    """Parameters as a reader of JavaScript has them: those of an options object are the object's."""
    out, depth = "", 0
    for name, _, _, is_optional in params:
        if "." in name:
            continue
        if is_optional:
            out += f"[{', ' if out else ''}{name}"
            depth += 1
        else:
            out += f"{', ' if out else ''}{name}"
    return out + "]" * depth


class Uses:
    """Where a method is called: the snippets of documents first, then tests of the package, then the Studio."""

    def __init__(self, site, classes):
        top = site.top
        documents = [top / "web/README.md", *sorted((top / "docs").glob("*.md"))]
        self.site = site
        self.files = [(path, "\n".join(re.findall(r"^```js\n(.*?)^```", path.read_text(), re.M | re.S))) for path in documents]
        rest = [*sorted((top / "tests/web").glob("*.mjs")), *sorted((top / "studio").glob("**/*.js"))]
        self.rest = [(path, path.read_text()) for path in rest]
        self.owners = {}
        for name, listed in classes.items():
            for kind, member, _ in listed:
                if kind == "method":
                    self.owners.setdefault(member, []).append(name)

    def pattern(self, owner, member):
        """A call of the method. Where several classes have it, the variable before it has to be called as the class is."""
        if len(self.owners[member]) == 1:
            return re.compile(rf"\.{member}\(")
        return re.compile(rf"(?:(?i:\b\w*{owner})|\b(?:{CALLED.get(owner, owner)}))(?:\([^()]*\))?[!?]?\.{member}\(")

    def of(self, owner, member):
        pattern = self.pattern(owner, member)
        found = [path for path, text in self.files if pattern.search(text)]
        return found[:3] or [path for path, text in self.rest if pattern.search(text)][:1]

    def sentence(self, owner, member):
        links = []
        for path in self.of(owner, member):
            relative = path.relative_to(self.site.top).as_posix()
            links.append(f":doc:`{relative if relative.endswith('README.md') else path.name} </{self.site.page_of(relative)}>`")
        return f"Used in {', '.join(links)}.\n\n" if links else ""


def exported(text):
    """The names that limber.js exports."""
    names = set()
    for block in re.findall(r"^export \{([^}]*)\}", text, re.M):
        names |= {name.strip() for name in block.split(",")}
    return names | set(re.findall(r"^export (?:async )?(?:class|function) (\w+)", text, re.M))


def used_types(modules, names):
    """The types that what is shown takes or gives, and those that these are made of."""
    every = {name: said for module in modules.values() for name, said in module.types}
    texts = []
    for module in modules.values():
        for name, said, body in module.classes:
            if name in names:
                texts += [said, *(one for _, _, one in members(body))]
        texts += [said for name, said in module.functions if name in names]
    wanted, todo = set(), texts
    while todo:
        said = todo.pop()
        spoken = " ".join([said.type, (said.gives or ("",))[0], *(param[1] for param in said.params)])
        for word in set(WORD.findall(spoken)) & set(every) - wanted:
            wanted.add(word)
            todo.append(every[word])
    return wanted


def check(module, names):
    """Ends where something public has no comment, or something to call has no words."""
    for name, _, body in module.classes:
        bare = [found for found in BARE.findall(body) if not found.startswith("_")] if name in names else []
        if bare:
            raise SystemExit(f"make_site: web/{module.path.name}: {name}.{bare[0]} has no comment of JSDoc above it.")


def write(site):
    """js-reference.rst; gives how many names it has, and the methods that nothing calls."""
    modules = {path.name: Module(path) for path in sorted((site.top / "web").glob("*.js"))}
    names = exported(modules["limber.js"].text) | {"Handle"}
    types = used_types(modules, names) - names
    classes = {name: [one for one in members(body) if one[1] != "free" or name == "Handle"]
               for module in modules.values() for name, _, body in module.classes if name in names}
    known = {**{name: "data" for name in types}, **{name: "class" for name in classes}}
    page, uses = Page(known), Uses(site, classes)
    unplaced = {name for file, module in modules.items() if file not in {row[0] for row in SECTIONS}
                for name in [*(one[0] for one in module.classes), *(one[0] for one in module.functions)] if name in names}
    if unplaced:
        raise SystemExit(f"make_site: tools/docs/reference_js.py has no section for {', '.join(sorted(unplaced))}.")
    count, alone = 0, []
    body = ""
    for file, title, intro in SECTIONS:
        module = modules[file]
        check(module, names)
        body += heading(title, "-") + intro + "\n\n"
        for name, said in module.functions:
            if name in names:
                body += page.function("function", name, said)
                count += 1
        for name, said, _ in module.classes:
            if name in names:
                body += page.klass(name, said, classes[name], uses)
                count += 1 + len(classes[name])
                alone += [f"{name}.{member}" for kind, member, _ in classes[name] if kind == "method" and not uses.of(name, member)]
        for name, said in module.types:
            if name in types:
                body += page.typedef(name, said)
                count += 1
    top = heading("JavaScript: every class", "=")
    top += f"{count} names of the npm package ``limber``, from its own comments, which TypeScript checks. :doc:`npm-package` begins with "
    top += "examples; :doc:`web` says how the package is made. Every function of :doc:`C <c-reference>` is there, too, by its own name: "
    top += "``limber.c.lb_solve``.\n\n.. js:module:: limber\n\n"
    (site.source / "js-reference.rst").write_text(top + body)
    return count, alone
