"""Who a bot is and where its server is: what both forms of a bot keep, read and write of that."""

from __future__ import annotations

import json
import os
from typing import Dict, Type, TypeVar, Union

from .connection import Connection
from .errors import InvalidText
from .invite import Invite, check_token, parse_address, parse_pin

_Self = TypeVar("_Self", bound="Identity")


class Identity:
    """The address, the server's pin and the token of a bot, with the pure connection they are for."""

    def __init__(self, address: str, token: str, pin: str, timeout: float, client: str) -> None:
        self._host, self._port = parse_address(address)
        self._pin = parse_pin(pin)
        self.address = address
        self.token = check_token(token) if token else ""
        self.timeout = timeout
        self._client = client
        self._connection = Connection({"token": self.token}, client)

    @classmethod
    def _invited(cls: Type[_Self], invite: str, name: str, timeout: float) -> _Self:
        """A bot that redeems an invite when it connects."""
        read = Invite.parse(invite)
        host = f"[{read.host}]" if ":" in read.host else read.host
        bot = cls(f"{host}:{read.port}", "", read.pin.hex(), timeout, "roundtable-python")
        bot._connection = Connection({"invite": read.secret, "name": name}, bot._client)
        return bot

    def _take_token(self) -> None:
        """Keeps the token that came for an invite."""
        self.token = check_token(self._connection.user.get("token", ""))

    @classmethod
    def load(
        cls: Type[_Self], path: Union[str, "os.PathLike[str]"], timeout: float = 60.0
    ) -> _Self:
        """A bot from a file with {"address", "pin", "token"}, such as `save` makes."""
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        try:
            return cls(
                found["address"], found["token"], found["pin"], timeout, "roundtable-python"
            )
        except (KeyError, TypeError):
            raise InvalidText("malformed", f"{path} lacks address, pin or token") from None

    def save(self, path: str) -> None:
        """Writes `credentials` into a file that only its owner can read."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(self.credentials, file)

    @property
    def credentials(self) -> Dict[str, str]:
        """{"address", "pin", "token"}. The token is a secret."""
        return {"address": self.address, "pin": self._pin.hex(), "token": self.token}

    @property
    def name(self) -> str:
        """The name that others see; empty before the first login."""
        return str(self._connection.user.get("name", ""))

    @property
    def user(self) -> str:
        """Who this bot is, such as u3, as records and comments name it; "" before a login."""
        return str(self._connection.user.get("user", ""))
