"""Invites, tokens, pins and addresses: reading what people paste.

An invite carries the server's pin, so that the first connection is already authenticated.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import List, Tuple

from .errors import InvalidText, NotTrusted

_BASE32 = re.compile(r"[a-z2-7]+")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\s@:/\[\]]+):([1-9][0-9]{0,4})")


def _base32_bytes(text: str) -> bytes:
    """Bytes of base32 as RFC 4648 has it, lower case and without padding; canonical only."""
    if not _BASE32.fullmatch(text):
        raise InvalidText("malformed", "base32 holds a to z and 2 to 7")
    try:
        raw = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except binascii.Error:
        raise InvalidText("malformed", "this base32 is cut short") from None
    if base32(raw) != text:
        raise InvalidText("malformed", "this base32 has loose bits at its end")
    return raw


def base32(raw: bytes) -> str:
    """Base32 as the protocol spells it: RFC 4648, lower case, no padding."""
    return base64.b32encode(raw).decode().lower().rstrip("=")


def parse_address(text: str) -> Tuple[str, int]:
    """Host and port of `HOST:PORT`; an IPv6 address stands in brackets."""
    found = _HOST.fullmatch(text)
    if not found or int(found.group(2)) > 65535:
        raise InvalidText("malformed", "an address looks like localhost:7466 or [::1]:7466")
    return found.group(1).strip("[]"), int(found.group(2))


def parse_pin(pin: str) -> bytes:
    """The 32 bytes of a pin, written as 64 hexadecimal digits or as base32."""
    if re.fullmatch(r"[0-9a-fA-F]{64}", pin):
        return bytes.fromhex(pin)
    raw = _base32_bytes(pin)
    if len(raw) != 32:
        raise InvalidText("malformed", "a pin has 32 bytes")
    return raw


@dataclass(frozen=True)
class Invite:
    """An invite: good for one person, once."""

    #: What `login` carries as `invite`.
    secret: str
    pin: bytes
    host: str
    port: int

    @staticmethod
    def parse(text: str) -> "Invite":
        """Reads `rt1i_…@HOST:PORT` and checks its checksum. Raises InvalidText."""
        body, at, address = text.strip().rpartition("@")
        if not at or not body.startswith("rt1i_"):
            raise InvalidText("malformed", "an invite looks like rt1i_…@HOST:PORT")
        raw = _base32_bytes(body[5:])
        if len(raw) != 56 or hashlib.sha256(raw[:52]).digest()[:4] != raw[52:]:
            raise InvalidText("malformed", "the invite is damaged: copy all of it")
        host, port = parse_address(address)
        return Invite(base32(raw[:20]), raw[20:52], host, port)


def check_token(text: str) -> str:
    """A device's or bot's token as it stands; raises InvalidText where it cannot be one."""
    token = text.strip()
    if token[:5] not in ("rt1d_", "rt1b_") or len(_base32_bytes(token[5:])) != 32:
        raise InvalidText("malformed", "a token looks like rt1b_… with 52 letters after it")
    return token


def pin_of_certificate(der: bytes) -> bytes:
    """The SHA-256 of the public key (SubjectPublicKeyInfo) of a certificate in DER."""
    # Certificate > TBSCertificate > [0] version, serial, signature, issuer, validity, subject,
    # SubjectPublicKeyInfo: the seventh member, or the sixth where the version is left out.
    start, end = _inside(der, 0, len(der))
    start, end = _inside(der, start, end)
    members: List[Tuple[int, int]] = []
    while start < end and len(members) < 7:
        _, after = _inside(der, start, end)
        members.append((start, after))
        start = after
    place = 6 if members and der[members[0][0]] == 0xA0 else 5
    if len(members) <= place:
        raise NotTrusted("malformed", "the server's certificate cannot be read")
    first, after = members[place]
    return hashlib.sha256(der[first:after]).digest()


def _inside(der: bytes, at: int, end: int) -> Tuple[int, int]:
    """Where the content of the DER element at `at` begins and ends."""
    try:
        length, start = der[at + 1], at + 2
        if length & 0x80:
            count = length & 0x7F
            length, start = int.from_bytes(der[start : start + count], "big"), start + count
    except IndexError:
        length, start = end, end + 1
    if start + length > end:
        raise NotTrusted("malformed", "the server's certificate cannot be read")
    return start, start + length
