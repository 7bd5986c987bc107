"""The fuzzer and the tour of the interface with the whole extension, core and readers included, under AddressSanitizer and
UndefinedBehaviorSanitizer. With --long: the build alone takes minutes."""

import os
import subprocess
import sys

from setup import IS_LONG, TOP, check, finish, skip

if not IS_LONG:
    skip("the build takes minutes: ./dev test --long runs it")
scratch = os.path.abspath(os.environ.get("LIMBER_SCRATCH", "."))
found = [subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip() for name in ("libasan.so", "libubsan.so")]
if not all(os.path.isabs(path) for path in found):
    skip("gcc has no libasan and libubsan")
build = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", scratch, "build", "--build-base", f"{scratch}/work", "--build-lib", f"{scratch}/lib"]
ran = subprocess.run(build, cwd=TOP / "python", env={**os.environ, "LIMBER_SANITIZE": "address,undefined", "LIMBER_BUNDLE": "0"}, capture_output=True, text=True)
check(ran.returncode == 0, f"the build: {ran.stderr[-2000:]}")
clean = {**os.environ, "LIMBER_PYTHON": f"{scratch}/lib", "LD_PRELOAD": " ".join(found), "ASAN_OPTIONS": "detect_leaks=0",  # CPython's own
         "UBSAN_OPTIONS": "print_stacktrace=1"}
for name, seed in (("fuzz", "17"), ("fuzz", "18"), ("fuzz", "19"), ("api", "17")):
    ran = subprocess.run([sys.executable, str(TOP / "tests" / "python" / f"test_{name}.py")], env={**clean, "LIMBER_FUZZ_SEED": seed}, capture_output=True,
                         text=True)
    told = ran.stdout + ran.stderr
    check(ran.returncode == 0 and "runtime error" not in told, f"{name} with seed {seed}: {told[-3000:]}")
finish()
