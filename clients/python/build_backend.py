"""Builds the package for pip out of itself, so that installing needs no network and no tools.

A wheel of pure Python is a zip of the files with three more beside them (PEP 427); this writes
it, and nothing into the folder that it builds from. pip finds it by pyproject.toml (PEP 517).
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Optional

_HERE = Path(__file__).resolve().parent
_NAME = "roundtable"
_SUMMARY = "Bots for Roundtable: shared typed tables that people and programs edit at once"
#: The time of every file in an archive, so that the same sources make the same bytes.
_MOMENT = (2026, 1, 1, 0, 0, 0)


def _version() -> str:
    text = (_HERE / _NAME / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise ValueError("roundtable/__init__.py names no version")
    return found.group(1)


def _metadata() -> str:
    head = [
        "Metadata-Version: 2.1",
        f"Name: {_NAME}",
        f"Version: {_version()}",
        f"Summary: {_SUMMARY}",
        "License: Apache-2.0",
        "Requires-Python: >=3.9",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + (_HERE / "README.md").read_text(encoding="utf-8")


def _sources() -> Dict[str, bytes]:
    folder = _HERE / _NAME
    files = [*sorted(folder.glob("*.py")), folder / "py.typed"]
    return {f"{_NAME}/{file.name}": file.read_bytes() for file in files}


def _write_wheel(folder: str, files: Dict[str, bytes]) -> str:
    about = f"{_NAME}-{_version()}.dist-info"
    tags = "Wheel-Version: 1.0\nGenerator: roundtable\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {**files, f"{about}/METADATA": _metadata().encode(), f"{about}/WHEEL": tags.encode()}
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
    wheel = f"{_NAME}-{_version()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return wheel


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Writes the wheel; returns its file's name."""
    return _write_wheel(wheel_directory, _sources())


def build_editable(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Writes a wheel that points here instead of holding the package (PEP 660)."""
    return _write_wheel(wheel_directory, {f"{_NAME}.pth": f"{_HERE}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    """Writes the archive of the sources; returns its file's name."""
    root = f"{_NAME}-{_version()}"
    files = {**_sources(), "PKG-INFO": _metadata().encode()}
    for name in ["pyproject.toml", "README.md", "build_backend.py"]:
        files[name] = (_HERE / name).read_bytes()
    with tarfile.open(Path(sdist_directory) / f"{root}.tar.gz", "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{root}/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return f"{root}.tar.gz"
