"""The wheel, in a fresh virtual environment without a compiler: two lines give an answer. It says what it bundles."""

import os
import re
import shutil
import subprocess
import sys
import zipfile

from setup import TOP, check, finish, skip

wheels = sorted((TOP / "build" / "python" / "dist").glob("limber-*.whl"))
if not wheels:
    skip("there is no wheel (./dev python)")
wheel = wheels[-1]
check("cp311-abi3" in wheel.name and len(wheels) == 1, f"{[path.name for path in wheels]}")
with zipfile.ZipFile(wheel) as archive:
    names = archive.namelist()
    told = archive.read("limber/licenses/BUNDLED.txt").decode() if "limber/licenses/BUNDLED.txt" in names else ""
for name in names:
    if re.match(r"limber/libs/.", name):
        check(os.path.basename(name) in told, f"{name} is bundled without a word about its licence")
if told:
    for file in re.findall(r"limber/licenses/\S+\.txt", told):
        check(file in names, f"{file} is named but not there")
if "limber/studio_page/main.js" in names:
    check("limber/licenses/three.txt" in told and "limber/licenses/wasi-libc.txt" in told, "the studio's page is bundled without a word about three.js")
with zipfile.ZipFile(wheel) as archive:
    for name in names:
        if re.match(r"limber/licenses/.*\.txt$", name):
            for text in re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", archive.read(name).decode(errors="replace")):
                check(f"limber/licenses/{text}.txt" in names or not os.path.exists(f"/usr/share/common-licenses/{text}"), f"{name} refers to {text}")
check(not any(name.endswith((".gz", ".br")) for name in names), "the page is bundled packed and unpacked: limber.studio packs it itself")
check("limber/py.typed" in names and "limber/models/panda.fig" in names, "py.typed or the models are missing")

environment = os.path.abspath(os.path.join(os.environ.get("LIMBER_SCRATCH", "."), "environment"))
shutil.rmtree(environment, ignore_errors=True)
made = subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", environment], capture_output=True, text=True)
if made.returncode:
    skip("virtual environments cannot be made (python3-venv)")
clean = {"HOME": os.environ.get("HOME", "/"), "PATH": os.path.join(environment, "bin")}  # no compiler on the way
python = os.path.join(environment, "bin", "python3")
run = subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel], env=clean, capture_output=True, text=True)
check(run.returncode == 0, f"pip: {run.stderr}")
code = 'import limber; print(limber.solve(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]}).solved, limber.__file__)'
run = subprocess.run([python, "-c", code], env=clean, capture_output=True, text=True, cwd="/")
check(run.stdout.startswith("True ") and environment in run.stdout, f"two lines: {run.stdout}{run.stderr}")
code = 'import limber; print(len(limber.load("human").render(width=200, height=200).png) > 1000)'
run = subprocess.run([python, "-c", code], env=clean, capture_output=True, text=True, cwd="/")
check(run.stdout.startswith("True"), f"a picture: {run.stdout}{run.stderr}")
program = os.path.join(environment, "bin", "limber")
run = subprocess.run([program, "solve", "panda", "-g", "link7 at 0.4,0.2,0.5"], env=clean, capture_output=True, text=True, cwd="/")
check(run.returncode == 0 and "solved" in run.stdout, f"the command that comes with it: {run.stdout}{run.stderr}")
run = subprocess.run([python, "-m", "limber", "models"], env=clean, capture_output=True, text=True, cwd="/")
check(run.returncode == 0 and "panda" in run.stdout, f"python -m limber: {run.stdout}{run.stderr}")
shutil.rmtree(environment, ignore_errors=True)
finish()
