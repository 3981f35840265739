"""A real server on a free port of this machine, and a proxy that cuts connections.

Programs are looked for in $ROUNDTABLE_BIN, else in the project's .build/debug. Tests that need the
server skip, and say so, where it was not built; with ROUNDTABLE_REQUIRED=1 they fail instead.
"""

from __future__ import annotations

import json
import os
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from roundtable import Bot

PROJECT = Path(__file__).resolve().parents[3]
PYTHON = PROJECT / "clients" / "python"
CONFORMANCE = PROJECT / "clients" / "conformance"
PROGRAMS = Path(os.environ.get("ROUNDTABLE_BIN", PROJECT / ".build" / "debug"))
PATIENCE = 60.0


def program(name: str) -> str:
    """The path of a program of the project; skips the test where it is not built."""
    path = PROGRAMS / name
    if not path.exists():
        message = f"{path} is not built: swift build"
        if os.environ.get("ROUNDTABLE_REQUIRED"):
            raise AssertionError(message)
        raise unittest.SkipTest(message)
    return str(path)


def wait_until(what: str, condition: Callable[[], bool]) -> None:
    """Waits for a condition of another process."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain until {what}")
        time.sleep(0.01)  # poll: another process gives no sign


class Server:
    """A server on its own folder; it can be killed and started again on the same port."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="roundtable-python-"))
        self.port = 0
        self.pin = ""
        self._process: Optional[subprocess.Popen[bytes]] = None
        self.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        ready = self.folder / "ready"
        if ready.exists():
            ready.unlink()
        log = open(self.folder / "log", "ab")
        command = [program("roundtabled"), "serve", "--data", str(self.folder / "data")]
        command += ["--listen", self.address, "--ready-file", str(ready)]
        self._process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()
        process = self._process
        wait_until(
            "the server is ready",
            lambda: process.poll() is not None
            or (ready.exists() and ready.read_bytes().endswith(b"\n")),
        )
        if process.poll() is not None:
            raise AssertionError((self.folder / "log").read_text())
        found = json.loads(ready.read_text())
        self.port, self.pin = int(found["address"].rsplit(":", 1)[1]), found["pin"]

    def kill(self, how: int = signal.SIGKILL) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, name: str, *words: str, home: str = "", text: str = "") -> str:
        """Runs one of the project's programs to its end; returns what it printed."""
        environment = {**os.environ, "ROUNDTABLE_HOME": str(self.folder / (home or "home"))}
        done = subprocess.run(
            [program(name), *words], input=text, env=environment, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise AssertionError(f"{name} {words}: {done.stderr}")
        return done.stdout

    def _admin(self, *words: str) -> str:
        data = str(self.folder / "data")
        return self.command("roundtabled", words[0], "--data", data, *words[1:]).strip()

    def invite(self, role: str = "owner") -> str:
        return self._admin("invite", "--role", role)

    def token(self, name: str, role: str = "owner") -> str:
        return self._admin("token", "--bot", name, "--role", role)

    def credentials(self, name: str, role: str = "owner") -> str:
        path = str(self.folder / f"{name}.json")
        self._admin("token", "--bot", name, "--role", role, "--file", path)
        return path

    def bot(self, name: str, role: str = "owner", address: str = "") -> Bot:
        return Bot(address or self.address, self.token(name, role), self.pin, timeout=PATIENCE)


class ServerTest(unittest.TestCase):
    """Tests at one server for the whole class; each test makes tables of its own."""

    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def open_bot(self, name: str, role: str = "owner", address: str = "") -> Bot:
        bot = self.server.bot(name, role, address)
        self.addCleanup(bot.close)
        return bot

    def table_name(self) -> str:
        return self.id().rsplit(".", 1)[1]


class CuttingProxy:
    """Passes bytes on, and cuts connections after a number of bytes that a seed draws."""

    def __init__(self, port: int, seed: int, bytes_max: int = 6000) -> None:
        self._target = port
        self._random = random.Random(seed)
        self._bytes_max = bytes_max
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0
        self.is_calm = False
        self._threads: List[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            # A handshake and a login take some 3,000 bytes: not every connection gets so far.
            budget = self._random.randrange(2_000, 2_000 + self._bytes_max)
            thread = threading.Thread(target=self._pass, args=(client, server, budget), daemon=True)
            thread.start()

    def _pass(self, client: socket.socket, server: socket.socket, budget: int) -> None:
        other = {client: server, server: client}
        with client, server:
            while True:
                for source in select.select([client, server], [], [])[0]:
                    try:
                        data = source.recv(1 << 16)
                        if not self.is_calm:
                            data = data[: max(0, budget)]
                            budget -= len(data)
                        if data:
                            other[source].sendall(data)
                    except OSError:
                        return
                    if not data or (budget <= 0 and not self.is_calm):
                        self.cuts += 1
                        return

    def close(self) -> None:
        self._listener.close()


class FakeServer:
    """A TLS server with a key of its own that says what a test scripts; hostile if need be."""

    def __init__(self, talk: Callable[[Any], None], alpn: str = "roundtable/1") -> None:
        import ssl

        self.folder = Path(tempfile.mkdtemp(prefix="roundtable-fake-"))
        key, certificate = str(self.folder / "key.pem"), str(self.folder / "certificate.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            + ["-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=fake"],
            check=True,
            capture_output=True,
        )
        shown = subprocess.run(
            ["openssl", "x509", "-in", certificate, "-noout", "-pubkey"],
            check=True,
            capture_output=True,
        ).stdout
        der = subprocess.run(
            ["openssl", "pkey", "-pubin", "-outform", "DER"],
            input=shown,
            check=True,
            capture_output=True,
        ).stdout
        import hashlib

        self.pin = hashlib.sha256(der).hexdigest()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        if alpn:
            self._context.set_alpn_protocols([alpn])
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._talk = talk
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            try:
                with self._context.wrap_socket(plain, server_side=True) as connection:
                    self._talk(connection)
            except OSError:
                pass

    def close(self) -> None:
        self._listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def lines_of(path: Path) -> List[Tuple[str, Dict[str, Any]]]:
    """The lines of a conformance file, each with where it stands."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            found.append((f"{path.name}:{number}", json.loads(line)))
    return found


def documented_rules() -> Set[str]:
    """The rules that docs/semantics.md has, each a row of a table."""
    text = (PROJECT / "docs" / "semantics.md").read_text(encoding="utf-8")
    return set(re.findall(r"(?m)^\| ([A-Z]+[0-9]+) \|", text))


def rules_without_lines() -> Dict[str, str]:
    """The rules that have no line, each with the reason."""
    text = (CONFORMANCE / "rules-without-lines.json").read_text(encoding="utf-8")
    found: Dict[str, str] = json.loads(text)
    return found
