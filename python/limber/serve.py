"""Limber Studio on a problem, in the browser: what is changed there comes back.

    import limber

    problem = limber.Problem(limber.load("human"), {"right_palm": [0.5, -0.2, 1.1]}, body=True)
    changed = limber.studio(problem)             # opens the page; "Back to Python" there ends it
    changed.solve()

The page is served to this machine alone (127.0.0.1), from memory, and answers to no other name. Of what a browser may send, one
path takes one POST: with the token that only this page was given, from this page's own origin, and at most MOST_BYTES long.
"""

from __future__ import annotations

import base64
import gzip
import hmac
import http.server
import json
import os
import pathlib
import secrets
import tempfile
import threading
import webbrowser
from typing import Any

from .errors import ArgumentError, LimberError
from .figure import Figure
from .problem import Problem, load_problem

__all__ = ["studio"]

MOST_BYTES = 64 << 20  #: of what may come back, with the files that were opened in the page
MOST_FILES = 64
PAGE = pathlib.Path(__file__).resolve().parent / "studio_page"

_TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
          ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png"}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
                               "img-src 'self' data: blob:; connect-src 'self' blob: data:; worker-src 'self'; "
                               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def studio(problem: Problem | Figure, *, start: Any = None, open: bool = True, port: int = 0, timeout: float | None = None,
           folder: str | os.PathLike[str] | None = None) -> Problem | None:
    """Opens Limber Studio on a problem, or a figure, and waits until it is sent back: the changed problem.

    The problem that is given stays as it was. `start` is the pose that the page begins with; the pose in which the page was
    left is the `start` of what comes back. `open=False` opens no browser: the address is printed either way. After `timeout`
    seconds without an answer, None comes back. `folder` has the page, where the package was made without it. Ctrl-C ends
    it, and raises KeyboardInterrupt.

    >>> import limber
    >>> limber.studio(limber.load("panda"), folder="no/such/folder")
    Traceback (most recent call last):
    ...
    limber.errors.ArgumentError: no/such/folder: has no index.html, so it is not the studio's page
    """
    given = Problem(problem) if isinstance(problem, Figure) else problem
    if not isinstance(given, Problem):
        raise ArgumentError(f"the studio is opened on a Problem or a Figure, not {problem!r}")
    server = _Server(_pages(folder), _files_of(given, start), port)
    address = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        print(f"Limber Studio is at {address}: \"Back to Python\" there ends it.", flush=True)
        if open:
            webbrowser.open(address)
        server.returned.wait(timeout)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    return None if server.answer is None else _problem_of(server.answer)


def _files_of(problem: Problem, start: Any) -> dict[str, bytes]:
    """The problem file first, then its figures."""
    names, files = [], {}
    for number, figure in enumerate(problem.figures):
        name = f"{figure.name}.fig" if _is_plain(figure.name) else f"figure{number}.fig"
        names.append(f"{number}-{name}" if name in names else name)
        files[names[-1]] = figure.dumps().encode()
    text = problem.dumps(start=start, figures=names)
    return {"problem.json": text.encode(), **files}


def _is_plain(name: Any) -> bool:
    """Whether a name may be that of a file in a folder of ours."""
    return (isinstance(name, str) and 0 < len(name) <= 200 and name[0] != "."
            and not any(c in '/\\:*?"<>|' or ord(c) < 32 for c in name))


def _pages(folder: str | os.PathLike[str] | None) -> dict[str, bytes]:
    """All files of the page, by the path that they are asked for with."""
    top = PAGE if folder is None else pathlib.Path(folder)
    if not (top / "index.html").is_file():
        raise ArgumentError("the studio's page is not in this package: it was built without it (`./dev web`, then `./dev "
                            "python`); say where it is with folder=" if folder is None
                            else f"{top}: has no index.html, so it is not the studio's page")
    return {f"/{path.relative_to(top).as_posix()}": path.read_bytes()
            for path in sorted(top.rglob("*")) if path.is_file() and path.suffix not in (".gz", ".br")}


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, pages: dict[str, bytes], files: dict[str, bytes], port: int):
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
            raise ArgumentError(f"a port is a number up to 65535, not {port!r}")
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise ArgumentError(f"port {port}: {error.strerror}; port=0 takes any that is free") from error
        self.token = secrets.token_urlsafe(32)
        self.answer: Any = None
        self.returned = threading.Event()
        self.pages = dict(pages)
        names = list(files)
        self.pages.update({f"/given/{k}": files[name] for k, name in enumerate(names)})
        listed = {"files": [{"name": name, "url": f"given/{k}"} for k, name in enumerate(names)],
                  "back": {"url": "back", "token": self.token, "to": "Python"}}
        self.pages["/given.json"] = json.dumps(listed).encode()
        self.names = {f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")}
        if self.server_port == 80:
            self.names |= {"127.0.0.1", "localhost"}


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = 20

    def log_message(self, *arguments: Any) -> None:
        """Nothing that a person at the terminal could use."""

    def _send(self, status: int, data: bytes, kind: str = "text/plain; charset=utf-8", **headers: str) -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _refuse(self, status: int, text: str) -> None:
        """What was sent along is not read, so the connection ends."""
        self.close_connection = True
        self._send(status, f"{text}\n".encode(), Connection="close")

    def _is_own(self) -> bool:
        if self.headers.get("Host", "").lower() in self.server.names:
            return True
        self._refuse(421, "This is Limber Studio, on 127.0.0.1 alone.")
        return False

    def do_GET(self) -> None:
        if not self._is_own():
            return
        path = "/index.html" if self.path == "/" else self.path
        data = self.server.pages.get(path)
        if data is None:
            self._send(404, b"There is no such file.\n")
            return
        kind = _TYPES.get(pathlib.PurePosixPath(path).suffix, "application/octet-stream")
        if "gzip" in self.headers.get("Accept-Encoding", "") and len(data) > 1400:
            self._send(200, gzip.compress(data, 1, mtime=0), kind, Content_Encoding="gzip", Vary="Accept-Encoding")
        else:
            self._send(200, data, kind)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        if not self._is_own():
            return
        token = self.headers.get("X-Limber-Token", "")
        origins = {f"http://{name}" for name in self.server.names}
        length = self.headers.get("Content-Length", "")
        if self.path != "/back":
            self._refuse(405, "Files can be read here, nothing else.")
        elif self.headers.get("Origin", "").lower() not in origins:
            self._refuse(403, "Only the page itself may send its problem back.")
        elif not hmac.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(403, "Only the page that was opened may send its problem back.")
        elif not length.isdecimal() or len(length) > 12:
            self._refuse(411, "How long is it?")
        elif int(length) > MOST_BYTES:
            self._refuse(413, f"More than {MOST_BYTES >> 20} MiB cannot be sent back.")
        else:
            self._take(self.rfile.read(int(length)))

    def _take(self, data: bytes) -> None:
        try:
            answer = _read_answer(data)
            _problem_of(answer)  # the page is told what is wrong, while it can still be mended there
        except (ValueError, RecursionError, LimberError) as error:
            self._send(422, f"{error}\n".encode())
            return
        self._send(200, b"Python has it.\n")
        if self.server.answer is None:
            self.server.answer = answer
            self.server.returned.set()


def _read_answer(data: bytes) -> dict[str, bytes]:
    """What was sent: {"problem": {...}, "files": [{"name": ..., "base64": ...}]}, as files."""
    answer = json.loads(data)
    if not isinstance(answer, dict) or not isinstance(answer.get("problem"), dict):
        raise ValueError("what was sent has no problem")
    entries = answer.get("files", [])
    if not isinstance(entries, list) or len(entries) > MOST_FILES:
        raise ValueError(f"what was sent has no list of at most {MOST_FILES} files")
    files = {}
    for entry in entries:
        if not isinstance(entry, dict) or not _is_plain(entry.get("name")) or not isinstance(entry.get("base64"), str):
            raise ValueError("a file that was sent has no plain name, or no content")
        files[entry["name"]] = base64.b64decode(entry["base64"], validate=True)
    return {**files, "problem.json": json.dumps(answer["problem"]).encode()}


def _problem_of(files: dict[str, bytes]) -> Problem:
    with tempfile.TemporaryDirectory(prefix="limber-studio-") as folder:
        for name, data in files.items():
            (pathlib.Path(folder) / name).write_bytes(data)
        problem = load_problem(pathlib.Path(folder) / "problem.json")
    problem._file_is_gone()
    return problem
