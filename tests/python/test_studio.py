"""limber.studio: what its server gives, what it takes and from whom, and what comes back. The page here is a folder of the test's
own; studio.back opens the real one in a browser."""

import base64
import contextlib
import http.client
import io
import json
import pathlib
import re
import tempfile
import threading

from setup import check, finish, raises, same

import limber
from limber import serve

folder = tempfile.TemporaryDirectory()
page = pathlib.Path(folder.name)
(page / "models").mkdir()
(page / "index.html").write_text("<!doctype html><title>Studio</title>")
(page / "main.js").write_text("export {};\n" * 1000)


class Session:
    """limber.studio in a thread of its own, and a client."""

    def __init__(self, problem, **options):
        self.said, self.result, self.error = io.StringIO(), None, None
        self.options = {"open": False, "folder": page, **options}
        self.thread = threading.Thread(target=self.run, args=(problem,))
        with contextlib.redirect_stdout(self.said):
            self.thread.start()
            while self.thread.is_alive() and "http://" not in self.said.getvalue():
                self.thread.join(0.01)
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self.said.getvalue())
        self.port = int(found.group(1)) if found else 0

    def run(self, problem):
        try:
            self.result = limber.studio(problem, **self.options)
        except Exception as error:  # for the test to look at
            self.error = error

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Host": f"127.0.0.1:{self.port}", **named})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, data, answer.headers

    def given(self):
        return json.loads(self.ask("GET", "/given.json")[1])

    def send(self, body, **headers):
        own = {"X_Limber_Token": self.given()["back"]["token"], "Origin": f"http://127.0.0.1:{self.port}"}
        return self.ask("POST", "/back", body, **{**own, **headers})


human = limber.load("human")
problem = limber.Problem(human, {"right_palm": [0.5, -0.2, 1.1]}, body=True)
session = Session(problem)
status, data, headers = session.ask("GET", "/")
same((status, data[:9]), (200, b"<!doctype"), "the page")
check("default-src 'none'" in headers["Content-Security-Policy"], "a policy of what the page may do")
same(session.ask("GET", "/main.js", Accept_Encoding="gzip")[2]["Content-Encoding"], "gzip", "long files are packed")
same(session.ask("GET", "/", Host="elsewhere.example")[0], 421, "another name for this machine")
same(session.ask("GET", "/../serve.py")[0], 404, "a path that leads out")
given = session.given()
same([entry["name"] for entry in given["files"]], ["problem.json", "human.fig"], "the problem and its figure")
document = json.loads(session.ask("GET", "/" + given["files"][0]["url"])[1])
fig = session.ask("GET", "/" + given["files"][1]["url"])[1]
same(limber.loads(fig, format="fig").names, human.names, "the figure")

# Who may send, and what.
files = [{"name": "human.fig", "base64": base64.b64encode(fig).decode()}]
good = json.dumps({"problem": document, "files": files})
same(session.send(good, Origin="http://elsewhere.example")[0], 403, "a page from elsewhere")
same(session.ask("POST", "/back", good, X_Limber_Token=given["back"]["token"])[0], 403, "no origin")
same(session.send(good, X_Limber_Token="guess")[0], 403, "a token that was guessed")
same(session.send(good, X_Limber_Token="")[0], 403, "no token")
same(session.ask("POST", "/", good)[0], 405, "another path")
same(session.ask("PUT", "/back", good)[0], 501, "another method")
same(session.send("", Content_Length=str(serve.MOST_BYTES + 1))[0], 413, "too much")
same(session.send("", Content_Length="-1")[0], 411, "a length that is none")
for body, words in [("{", "Expecting"), ("[]", "no problem"), ("[" * 100000, "recursion"), ('{"problem": {}}', "problem.json"),
                    (json.dumps({"problem": document, "files": [{"name": "../out.fig", "base64": ""}]}), "plain name"),
                    (json.dumps({"problem": document, "files": [{"name": "a.fig", "base64": "*"}]}), ""),
                    (json.dumps({"problem": document, "files": [{"name": str(k), "base64": ""} for k in range(100)]}), "at most"),
                    (json.dumps({"problem": {**document, "start": {"right_elbow.flexion": float("nan")}}, "files": files}), "problem.json")]:
    status, data, _ = session.send(body)
    same(status, 422, f"what is no problem: {body[:40]}")
    check(words in data.decode(), f"{data!r} says {words!r}")
check(session.thread.is_alive(), "what was refused did not end it")

# What comes back is what was sent: the goal moved, the pose is the start.
document["constraints"][0]["goal"]["point"] = [0.4, -0.3, 1.2]
document["start"]["right_elbow.flexion"] = 0.5
same(session.send(json.dumps({"problem": document, "files": files}))[0], 200, "the page's own problem")
session.thread.join()
check(session.error is None, f"it ended well: {session.error!r}")
back = session.result
same(repr(back), "Problem(human, 1 goal, posed as a body)", "what came back")
same(back.start[human.index("right_elbow.flexion")], 0.5, "the pose")
check(abs(back.figures[0].where("right_palm", back.solve().q)[:3, 3] - [0.4, -0.3, 1.2]).max() < 1e-3, "the goal")
with tempfile.TemporaryDirectory() as work:
    back.save(pathlib.Path(work) / "back.json")
    same(sorted(path.name for path in pathlib.Path(work).iterdir()), ["back.human.fig", "back.json"], "it can be saved")
    check((limber.load_problem(pathlib.Path(work) / "back.json").solve().q == back.solve().q).all(), "and read again")

# Figures alone, several of them with names that files cannot have; time out; what is wrong is said before anything is served.
pair = limber.Problem([limber.load("panda"), limber.load("panda")], [limber.at("link7", [0.4, 0, 0.5], figure=1)])
session = Session(pair, timeout=0.01)
session.thread.join()
check(session.result is None and session.error is None, "nobody answered")
session = Session(limber.load("panda"), timeout=0.01)
session.thread.join()
check(session.error is None, f"a figure: {session.error!r}")
raises(ValueError, lambda: limber.studio(None), "no problem", "a Problem or a Figure")
raises(ValueError, lambda: limber.studio(pair, folder=page / "models"), "no page", "no index.html")
raises(ValueError, lambda: limber.studio(pair, folder=page, port=70000), "no port", "up to 65535")
custom = limber.Problem(limber.load("panda"), [limber.custom("link7", lambda v: float(v[0] ** 2))])
raises(limber.LimberError, lambda: limber.studio(custom, folder=page), "a custom goal", "only a program has")
folder.cleanup()
finish()
