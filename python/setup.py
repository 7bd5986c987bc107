"""Builds the extension module limber._limber: the C library, its readers and the layer for Python in one file; and the program
`limber` beside it, without what needs HDF5 or a web server.

The sources are those of the repository that this folder is in, or, in a source distribution, those of the folder `core`
beside this file. A compiler and the development files of expat, jansson and cairo are needed. A wheel holds the shared
libraries that the module needs and the C library does not have, with their licences, so that it runs where they are not
installed; LIMBER_BUNDLE=0 leaves them out.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
CORE = HERE / "core" if (HERE / "core").is_dir() else HERE.parent
PAGE = CORE / "build" / "web" / "studio"  # where ./dev web built it; limber.studio serves it
COMMON_LICENCES = pathlib.Path("/usr/share/common-licenses")
MODULES = ("expat", "jansson", "cairo")
# The core and the readers; maps are part of the program where there is HDF5, which the package does not bring.
FOLDERS = sorted(path.name for path in (CORE / "src").iterdir() if path.is_dir() and path.name not in ("cli", "jobs", "map"))
PROGRAM_FOLDERS = ("cli", "jobs")
FLAGS = ["-std=c11", "-O3", "-g0", "-fPIC", "-fvisibility=hidden", "-fno-semantic-interposition", "-ffp-contract=off", "-fno-math-errno", "-Wall",
         "-Wextra", "-Wno-unused-result", "-DNDEBUG", "-DLIMBER_THREADS"]
# Part of every Linux, or of the program that loads the module.
NEVER_BUNDLED = re.compile(r"^(ld-linux|linux-vdso|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s|asan|ubsan)\.)")


def version():
    text = (CORE / "include" / "limber" / "limber.h").read_text(encoding="utf-8")
    return re.search(r'LB_VERSION_TEXT "(.*)"', text).group(1)


def pkg_config(option):
    tool = os.environ.get("PKG_CONFIG", "pkg-config")
    try:
        return subprocess.run([tool, option, *MODULES], check=True, capture_output=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit("limber: the development files of expat, jansson and cairo are needed, and pkg-config to find "
                         "them (Debian: apt-get install libexpat1-dev libjansson-dev libcairo2-dev pkg-config)") from error


def compiled_core(compiler, scratch):
    """The library of the core that LIMBER_CORE names, which a build with the same options has made (./dev python's), or None where there
    is none, or none that can be part of a module: a compiler may make code for programs alone."""
    library = os.environ.get("LIMBER_CORE")
    if not library or os.environ.get("LIMBER_SANITIZE") or not sys.platform.startswith("linux"):
        return None
    scratch.mkdir(parents=True, exist_ok=True)
    link = ["-shared", f"-Wl,--version-script={HERE / 'src' / 'exports.map'}", "-Wl,--whole-archive", library, "-Wl,--no-whole-archive"]
    ran = subprocess.run([*compiler, *link, "-lm", "-lpthread", "-o", str(scratch / "core.so")], capture_output=True)
    return library if ran.returncode == 0 else None


def sources(has_core):
    """All C files, or those that are not the core's where that is compiled already: (path, further flags)."""
    for folder in ["io"] if has_core else FOLDERS:
        for path in sorted((CORE / "src" / folder).rglob("*.c")):
            yield path, ["-D_XOPEN_SOURCE=700"] if folder == "io" else []
    for path in sorted((HERE / "src").glob("*.c")):
        yield path, ["-D_XOPEN_SOURCE=700"]


def program_sources():
    """The C files of the program alone: (path, further flags)."""
    for folder in PROGRAM_FOLDERS:
        for path in sorted((CORE / "src" / folder).rglob("*.c")):
            if path.parent.name != "mpi":  # a module of its own, for mpirun
                yield path, ["-D_XOPEN_SOURCE=700", '-DLIMBER_MPI_FOLDER="."']


def newest(*folders):
    """When the header that was changed last was changed."""
    return max(path.stat().st_mtime for folder in folders for path in folder.rglob("*.h"))


class BuildExt(build_ext):
    """Compiles all sources on all cores, again only what changed."""

    def build_extension(self, ext):
        compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
        launcher = os.environ.get("CMAKE_C_COMPILER_LAUNCHER")
        compiler = ([launcher] if launcher and shutil.which(launcher) else []) + compiler
        sanitize = os.environ.get("LIMBER_SANITIZE")
        extra = [f"-fsanitize={sanitize}", "-fno-omit-frame-pointer", "-O1", "-g1"] if sanitize else []
        includes = [f"-I{CORE / 'include'}", f"-I{CORE / 'src'}", f"-I{sysconfig.get_paths()['include']}",
                    *pkg_config("--cflags")]
        folder = pathlib.Path(self.build_temp).resolve() / ("objects" + (f"-{sanitize}" if sanitize else ""))
        headers = {CORE: newest(CORE / "src", CORE / "include"), HERE: newest(CORE / "include", HERE / "src")}

        def build_one(item):
            path, more = item
            base = HERE if HERE in path.parents else CORE
            out = folder / path.relative_to(base).with_suffix(".o")
            if out.exists() and out.stat().st_mtime > max(headers[base], path.stat().st_mtime):
                return out
            out.parent.mkdir(parents=True, exist_ok=True)
            flags = [*FLAGS, "-Wno-cast-function-type"] if base == HERE else FLAGS
            subprocess.run([*compiler, *flags, *extra, *more, *includes, "-c", str(path), "-o", str(out)], check=True)
            return out

        core = compiled_core(compiler, folder)
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            objects = list(pool.map(build_one, sources(core is not None)))
            program = list(pool.map(build_one, program_sources()))
        own = len(list((HERE / "src").glob("*.c")))  # the layer for Python, which comes last
        library = [core] if core else []
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        link = ["-shared", *extra, "-Wl,--disable-new-dtags,-rpath,$ORIGIN/libs",
                f"-Wl,--version-script={HERE / 'src' / 'exports.map'}"]
        if sys.platform == "darwin":
            link = ["-bundle", "-undefined", "dynamic_lookup", *extra]
        subprocess.run([*compiler, *link, *map(str, objects), *library, *pkg_config("--libs"), "-lm", "-lpthread",
                        "-o", str(target)], check=True)
        self.link_program(target.parent / "bin" / "limber", compiler, [*extra, *map(str, [*program, *objects[:-own]]), *library])
        if os.environ.get("LIMBER_BUNDLE", "1") != "0" and not self.inplace:
            bundle(target)

    @staticmethod
    def link_program(target, compiler, parts):
        target.parent.mkdir(exist_ok=True)
        where = [] if sys.platform == "darwin" else ["-Wl,--disable-new-dtags,-rpath,$ORIGIN/../libs"]
        subprocess.run([*compiler, *where, *parts, *pkg_config("--libs"), "-lm", "-lpthread", "-ldl", "-o", str(target)], check=True)


def needed(module):
    """The shared libraries that a module is loaded with: name and path."""
    shown = subprocess.run(["ldd", str(module)], capture_output=True, text=True, check=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", shown, re.M):
        if not NEVER_BUNDLED.match(name):
            yield name, pathlib.Path(path)


def licence_of(path):
    """The Debian package of a shared library, and the file that tells its licence."""
    real = path.resolve()
    for candidate in {str(real), str(real).removeprefix("/usr"), "/usr" + str(real)}:
        found = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True).stdout
        if found:
            package = found.split(":")[0]
            told = pathlib.Path("/usr/share/doc") / package / "copyright"
            return package, told if told.exists() else None
    return None, None


def common_licences(folder):
    """The names of the common licences of Debian that the files of a folder refer to."""
    for path in folder.glob("*.txt"):
        for name in re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", path.read_text(encoding="utf-8", errors="replace")):
            if (COMMON_LICENCES / name).is_file():
                yield name


def three_licence():
    """That of three.js, which the page is built with: as npm has it, or as the page's script tells it."""
    path = CORE / "build" / "npm" / "node_modules" / "three" / "LICENSE"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    told = re.search(r"@license\s.*?\*/", (PAGE / "main.js").read_text(encoding="utf-8"), re.S)
    return "three.js, " + (told.group(0) if told else "MIT licence, https://github.com/mrdoob/three.js/blob/dev/LICENSE") + "\n"


def bundle(module):
    """Puts the shared libraries that the module needs beside it, and their licences. Where a licence cannot be found, as on
    systems without dpkg, nothing is bundled: the module then needs the system's libraries."""
    if not shutil.which("ldd") or not shutil.which("dpkg-query"):
        return
    libs, licenses = module.parent / "libs", module.parent / "licenses"
    shutil.rmtree(libs, ignore_errors=True)  # which the module would find itself, of the build before
    shutil.rmtree(licenses, ignore_errors=True)
    found = [(name, path, *licence_of(path)) for name, path in needed(module)]
    if any(told is None for _, _, _, told in found):
        return
    libs.mkdir(parents=True)
    licenses.mkdir(parents=True)
    lines = ["What this wheel bundles, each with the file that tells its licence:", ""]
    for name, path, package, told in sorted(found):
        shutil.copy(path.resolve(), libs / name)
        shutil.copy(told, licenses / f"{package}.txt")
        lines.append(f"limber/libs/{name}: Debian package {package}, limber/licenses/{package}.txt")
    if (PAGE / "index.html").is_file():
        lines.append("limber/studio_page: Limber itself, with three.js, limber/licenses/three.txt, and in limber.wasm wasi-libc, "
                     "limber/licenses/wasi-libc.txt")
        (licenses / "three.txt").write_text(three_licence(), encoding="utf-8")
        wasi = pathlib.Path("/usr/share/doc/wasi-libc/copyright")
        (licenses / "wasi-libc.txt").write_text(wasi.read_text(encoding="utf-8") if wasi.exists() else
                                                "wasi-libc: see https://github.com/WebAssembly/wasi-libc/blob/main/LICENSE\n", encoding="utf-8")
    for name in sorted(set(common_licences(licenses))):  # whole texts that the files above refer to
        shutil.copy(COMMON_LICENCES / name, licenses / f"{name}.txt")
        lines.append(f"the {name} that they refer to: limber/licenses/{name}.txt")
    shutil.copy(CORE / "LICENSE", licenses / "limber.txt")
    lines.append("all else: Limber itself, limber/licenses/limber.txt")
    (licenses / "BUNDLED.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


class BuildPy(build_py):
    """Adds the models, so that limber.load("panda") finds one anywhere, and the studio's page where it was built."""

    def run(self):
        super().run()
        if not self.editable_mode:
            folder = pathlib.Path(self.build_lib) / "limber" / "models"
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted([*(CORE / "models").glob("*.fig"), *(CORE / "models").glob("*.habit")]):
                shutil.copy(path, folder / path.name)
            shutil.rmtree(folder.parent / "studio_page", ignore_errors=True)
            if (PAGE / "index.html").is_file():
                shutil.copytree(PAGE, folder.parent / "studio_page", ignore=shutil.ignore_patterns("*.gz", "*.br"))


class Sdist(sdist):
    """Adds the sources of the library as the folder `core`."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        core = pathlib.Path(base_dir) / "core"
        for folder in ("include", *(f"src/{name}" for name in (*FOLDERS, *PROGRAM_FOLDERS, "map")), "models"):
            shutil.copytree(CORE / folder, core / folder, dirs_exist_ok=True)
        if (PAGE / "index.html").is_file():
            shutil.copytree(PAGE, core / "build" / "web" / "studio", dirs_exist_ok=True)
        shutil.copy(CORE / "LICENSE", core / "LICENSE")
        shutil.copytree(HERE / "src", pathlib.Path(base_dir) / "src", dirs_exist_ok=True)


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


try:
    from wheel.bdist_wheel import bdist_wheel

    class BdistWheel(bdist_wheel):
        """One wheel for CPython 3.11 and all later ones."""

        def finalize_options(self):
            self.py_limited_api = "cp311"
            super().finalize_options()

    wheel_command = {"bdist_wheel": BdistWheel}
except ImportError:
    wheel_command = {}

if __name__ == "__main__":
    setup(version=version(), distclass=BinaryDistribution,
          ext_modules=[Extension("limber._limber", sources=[], py_limited_api=True)],
          cmdclass={"build_ext": BuildExt, "build_py": BuildPy, "sdist": Sdist, **wheel_command})
