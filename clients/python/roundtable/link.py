"""One TLS connection to one server, whose key is checked before a byte is said.

Lines in, lines out; it never blocks longer than asked, and reads while it writes, so that a server
that waits for room cannot hold both sides. It knows nothing of messages.
"""

from __future__ import annotations

import hmac
import select
import socket
import ssl
from typing import List, Union

from .errors import NotTrusted, ProtocolError
from .invite import pin_of_certificate
from .wire import LineSplitter

ALPN = "roundtable/1"
_READ_BYTES = 64 * 1024
_TURN_BYTES_MAX = 1024 * 1024
_WRITE_BYTES = 16 * 1024


class Link:
    """A connection that stands. Every method raises OSError once it is cut."""

    def __init__(self, host: str, port: int, pin: bytes, timeout: float) -> None:
        self._splitter = LineSplitter()
        self._out = bytearray()
        plain = socket.create_connection((host, port), timeout)
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket = tls_context().wrap_socket(plain)
        except BaseException:
            plain.close()
            raise
        try:
            self._check(pin)
            self._socket.setblocking(False)
        except BaseException:
            self.close()
            raise

    def _check(self, pin: bytes) -> None:
        """The handshake proved that the server has the key of its certificate: is it the one?"""
        check_server(self._socket, pin)

    def send(self, lines: List[bytes]) -> None:
        """Queues lines; `exchange` sends them."""
        for line in lines:
            self._out += line

    def exchange(self, timeout: float) -> List[bytes]:
        """Sends what can be sent and returns the lines that came, waiting for some at most so long.

        Raises OSError where the connection is cut, ProtocolError for a line without end.
        """
        lines = self._read()
        is_writing = self._write()
        if lines:
            return lines
        writers = [self._socket] if is_writing else []
        readable, writable, _ = select.select([self._socket], writers, [], max(0.0, timeout))
        if writable:
            self._write()
        return self._read() if readable or writable else []

    def _write(self) -> bool:
        """Writes what goes; whether something is left."""
        try:
            while self._out:
                sent = self._socket.send(self._out[:_WRITE_BYTES])
                del self._out[:sent]
        except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
            pass
        return bool(self._out)

    def _read(self) -> List[bytes]:
        lines: List[bytes] = []
        taken = 0
        while taken < _TURN_BYTES_MAX:
            try:
                data = self._socket.recv(_READ_BYTES)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                break
            except OSError:
                if lines:
                    break  # What came before the cut counts; the next call meets the cut again.
                raise
            if not data:
                if lines:
                    break
                raise ConnectionResetError("the server closed the connection")
            taken += len(data)
            try:
                lines += self._splitter.feed(data)
            except ProtocolError:
                if not lines:
                    raise
                break
        return lines

    def close(self) -> None:
        """Ends the connection without ceremony; messages have said what there was to say."""
        try:
            self._socket.close()
        except OSError:
            pass


def tls_context() -> ssl.SSLContext:
    """TLS 1.3, and no certificate authorities: the pin is the only trust there is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols([ALPN])
    return context


def check_server(connection: Union[ssl.SSLSocket, ssl.SSLObject], pin: bytes) -> None:
    """Raises NotTrusted where the server of a connection has not the key of that pin."""
    if connection.selected_alpn_protocol() != ALPN:
        raise NotTrusted("no_common_version", f"the server does not speak {ALPN}")
    found = pin_of_certificate(connection.getpeercert(binary_form=True) or b"")
    if not hmac.compare_digest(found, pin):
        raise NotTrusted(
            "login_failed",
            f"the server has another key than the pin says: its pin is {found.hex()}. "
            "Either its key was changed (ask its operator), or somebody stands between.",
        )
