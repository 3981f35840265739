"""pip installs the library from its folder, without a network, and leaves nothing behind there."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from typing import Set

from roundtable import __version__

FOLDER = Path(__file__).resolve().parent.parent


def files_below(folder: Path) -> Set[str]:
    return {str(path) for path in folder.rglob("*") if "__pycache__" not in path.parts}


class Installing(unittest.TestCase):
    def setUp(self) -> None:
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.environment = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_CACHE_DIR": "1",
        }
        self.environment.pop("PYTHONPATH", None)

    def run_python(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            env=self.environment,
            cwd=self.place.name,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        return done.stdout

    @unittest.skipUnless(importlib.util.find_spec("pip"), "pip is not installed")
    def test_pip_installs_the_folder(self) -> None:
        before = files_below(FOLDER)
        target = self.place.name + "/target"
        self.run_python("-m", "pip", "install", "--quiet", "--target", target, str(FOLDER))
        self.assertEqual(files_below(FOLDER), before)
        program = (
            f"import sys; sys.path.insert(0, {target!r}); import roundtable; "
            "import importlib.metadata as m; "
            "print(roundtable.__file__, roundtable.__version__, m.version('roundtable'))"
        )
        where, *versions = self.run_python("-I", "-c", program).split()
        self.assertTrue(where.startswith(target))
        self.assertEqual(versions, [__version__, __version__])
        self.assertTrue((Path(target) / "roundtable" / "py.typed").exists())

    def test_the_archive_of_the_sources_builds_the_same_wheel(self) -> None:
        build = "import build_backend, sys; print(getattr(build_backend, sys.argv[1])(sys.argv[2]))"
        wheels = []
        folder = FOLDER
        for number in range(2):
            out = Path(self.place.name) / str(number)
            out.mkdir()
            self.environment["PYTHONPATH"] = str(folder)
            name = self.run_python("-c", build, "build_wheel", str(out)).strip()
            wheels.append((out / name).read_bytes())
            source = self.run_python("-c", build, "build_sdist", str(out)).strip()
            with tarfile.open(out / source) as archive:
                archive.extractall(out)
            folder = out / source[: -len(".tar.gz")]
        self.assertEqual(wheels[0], wheels[1])


if __name__ == "__main__":
    unittest.main()
