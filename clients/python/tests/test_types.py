"""The whole of clients/python is typed as `mypy --strict` wants it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest

from .support import PYTHON


class Types(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mypy"), "mypy is not installed: apt-get install mypy")
    def test_mypy_finds_nothing(self) -> None:
        with tempfile.TemporaryDirectory(prefix="roundtable-mypy-") as cache:
            done = subprocess.run(
                ["mypy", "--strict", "--cache-dir", cache]
                + ["roundtable", "examples", "tests", "build_backend.py"],
                cwd=PYTHON,
                env={**os.environ, "NO_COLOR": "1"},
                capture_output=True,
                text=True,
                check=False,
            )
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-1000:])


if __name__ == "__main__":
    unittest.main()
