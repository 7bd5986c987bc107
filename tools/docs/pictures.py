"""Pictures that the build draws: <!-- picture: NAME What it shows --> in a document stands for a file that its ```sh blocks write; on the
first page <!-- picture: PAGE/NAME What it shows --> for one of another page's."""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

PICTURE = re.compile(r"<!-- picture: (\S+) (.*?) -->")
BLOCK = re.compile(r"^```sh\n((?:limber |cat >).*?)^```$", re.M | re.S)


def run_block(block, folder, environment):
    done = subprocess.run(["sh", "-eu", "-c", block], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    # 4: the best there is, short of the goal, is drawn as well
    if done.returncode not in (0, 4):
        raise SystemExit(f"make_site: this failed:\n{block}{done.stderr}")


def show_again(site, name):
    """Puts pictures that were drawn for other pages where the comments of a page ask for them."""
    path = site.source / f"{name}.md"

    def image(found):
        page, _, file = found.group(1).partition("/")
        flat = f"drawn-{page}-{file.replace('/', '-')}"
        if not (site.source / "pictures" / flat).exists():
            raise SystemExit(f"make_site: the page {name} shows {found.group(1)}, which is not drawn.")
        return f"![{found.group(2)}](pictures/{flat})"

    path.write_text(PICTURE.sub(image, path.read_text()))


def draw(site, name, limber):
    """Runs the blocks of a page in a folder with the models, and puts what they drew where its comments are."""
    path = site.source / f"{name}.md"
    text = path.read_text()
    folder = site.source.parent / "drawn" / name
    folder.mkdir(parents=True)
    for part in ("models", "problems", "examples"):
        (folder / part).symlink_to(site.top / part)
    (folder / "limber").symlink_to(limber.resolve())
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    with ThreadPoolExecutor(os.cpu_count()) as crew:
        list(crew.map(lambda block: run_block(block, folder, environment), BLOCK.findall(text)))

    def image(found):
        flat = f"drawn-{name}-{found.group(1).replace('/', '-')}"
        source = folder / found.group(1)
        if not source.exists():
            raise SystemExit(f"make_site: docs/{name}.md shows {found.group(1)}, which none of its commands wrote.")
        shutil.copy(source, site.source / "pictures" / flat)
        return f"![{found.group(2)}](pictures/{flat})"

    drawn = PICTURE.sub(image, text)
    path.write_text(drawn)
    return len(PICTURE.findall(text))
