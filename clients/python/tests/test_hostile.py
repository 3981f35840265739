"""Servers that lie, rave or stay silent: each gets a typed error, and costs little."""

from __future__ import annotations

import json
import os
import resource
import unittest
from typing import Any, Callable, Dict, List
from unittest import mock

from roundtable import Bot, NotTrusted, ProtocolError, RoundtableError, Unreachable
from roundtable.errors import Closed

from .support import FakeServer

WELCOME = {"type": "welcome", "version": 1, "features": []}
LOGGED_IN = {"type": "logged_in", "user": "u1", "name": "b", "role": "owner"}
COLUMN = {"id": "c0.1", "name": "n", "type": "int"}
OPENED = {
    "type": "opened",
    "table": "t1",
    "name": "t",
    "lineage": "l",
    "seq": 1,
    "columns": [COLUMN],
    "rows": 0,
    "role": "owner",
    "id": 1,
}
SNAPSHOT = [
    {"type": "snapshot", "table": "t1", "seq": 1, "rows": 0, "columns": [COLUMN]},
    {"type": "snapshot_end", "table": "t1", "seq": 1},
    {"type": "live", "table": "t1", "seq": 1},
]


def says(*messages: Any) -> Callable[[Any], None]:
    """A server that answers the first lines as one should, and then says these."""

    def talk(connection: Any) -> None:
        file = connection.makefile("rwb")

        def say(message: Any) -> None:
            raw = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
            file.write(raw)
            file.flush()

        file.readline()
        say(WELCOME)
        file.readline()
        say(LOGGED_IN)
        asked = json.loads(file.readline())
        for message in messages:
            if isinstance(message, dict) and "id" in message:
                message = {**message, "id": asked["id"]}
            say(message)
        while file.readline():
            pass

    return talk


class Hostile(unittest.TestCase):
    def setUp(self) -> None:
        for name, seconds in [("BACKOFF_FIRST", 0.01), ("BACKOFF_MAX", 0.02)]:
            patched = mock.patch(f"roundtable.pace.{name}", seconds)
            patched.start()
            self.addCleanup(patched.stop)

    def bot(self, talk: Callable[[Any], None], timeout: float = 30.0, alpn: str = "roundtable/1"
            ) -> Bot:
        self.fake = FakeServer(talk, alpn)
        self.addCleanup(self.fake.close)
        bot = Bot(self.fake.address, "rt1b_" + "a" * 52, self.fake.pin, timeout)
        self.addCleanup(bot.close)
        return bot

    def test_garbage_is_told_with_its_code(self) -> None:
        for garbage, code in [
            (b"\xff\xfe\n", "malformed"),
            (b"garbage\n", "malformed"),
            (b"\n", "malformed"),
            (b"[" * 10_000 + b"\n", "too_deep"),
            (b'{"type":' + b"[" * 100_000 + b"\n", "too_deep"),
            (b'{"type":"live","table":"t1","seq":NaN}\n', "malformed"),
            (b'{"type":"live","table":"t1","seq":1e400}\n', "malformed"),
            (b'{"type":"live","table":"t1","seq":' + b"9" * 5000 + b"}\n", "malformed"),
            (b'{"type":"live","table":"t1","seq":1,"seq":2}\n', "malformed"),
            (b'{"type":"live","table":"t1","seq":-1}\n', "malformed"),
            (b'{"type":"live","table":"t1","seq":1,"more":0}\n', "malformed"),
            (b'{"type":"surprise"}\n', "malformed"),
            (b'{"type":["live"]}\n', "malformed"),
            (b'"live"\n', "malformed"),
        ]:
            with self.subTest(garbage=garbage[:60]):
                with self.assertRaises(ProtocolError) as caught:
                    self.bot(says(garbage)).tables()
                self.assertEqual(caught.exception.code, code)

    def test_a_line_without_end_is_cut_off_at_its_limit(self) -> None:
        def talk(connection: Any) -> None:
            connection.recv(1000)
            try:
                while True:
                    connection.sendall(b"x" * 65536)
            except OSError:
                pass

        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with self.assertRaises(ProtocolError) as caught:
            self.bot(talk).tables()
        self.assertEqual(caught.exception.code, "too_large")
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(grown, 64 * 1024)

    def test_tables_that_cannot_be_fail_after_some_attempts(self) -> None:
        four_thousand_million = "s1.1-4294967295"
        record: Dict[str, Any] = {"type": "record", "table": "t1", "seq": 2, "time": 0}
        record.update(session="s1", user="u1")
        lies: List[List[Any]] = [
            [{**SNAPSHOT[0], "rows": 10**9}, SNAPSHOT[1]],
            [SNAPSHOT[0], {"type": "chunk", "table": "t1", "rows": [four_thousand_million],
                           "columns": [], "cells": []}],
            [{"type": "chunk", "table": "t1", "rows": [], "columns": [], "cells": []}],
            [SNAPSHOT[0], {"type": "chunk", "table": "t1", "rows": ["s1.1"],
                           "columns": ["c0.1"], "cells": [["x"]]}],
        ]
        wrong: List[Dict[str, Any]] = [
            {"set": [["s1.1", "c0.1", "x"]]},
            {"insert": {"rows": [four_thousand_million], "after": None}},
            {"insert": {"rows": ["s1.1"], "after": "s9.9"}},
            {"column_add": {"id": "c0.1", "name": "n", "type": "int", "after": None}},
            {"insert": {"rows": ["s1.1"], "after": None, "columns": ["c0.1"], "cells": [[2**63]]}},
        ]
        for change in wrong:
            known = {"insert": {"rows": ["s1.1"], "after": None}}
            changes = [known, change] if "set" in change else [change]
            lies.append(SNAPSHOT + [{**record, "changes": changes}])
        for lie in lies:
            with self.subTest(lie=lie[-1]):
                bot = self.bot(says(OPENED, *lie))
                with self.assertRaises(ProtocolError):
                    for _ in range(100):
                        bot.open("t", write=False).wait_for(2)
                self.assertLess(self.fake.connections, 10)

    def test_a_delete_of_everything_that_could_be_is_quick(self) -> None:
        record = {"type": "record", "table": "t1", "seq": 2, "session": "s1", "user": "u1",
                  "time": 0, "changes": [{"delete": ["s1.1-4294967295"]}]}
        table = self.bot(says(OPENED, *SNAPSHOT, record)).open("t", write=False)
        self.assertTrue(table.wait_for(2))

    def test_an_unknown_code_ends_nothing_for_good(self) -> None:
        bye = {"type": "bye", "code": "brand_new", "message": "?"}
        with self.assertRaises(Unreachable):
            self.bot(says(bye), timeout=0.5).tables()
        self.assertGreater(self.fake.connections, 1)

    def test_a_final_bye_ends_the_bot(self) -> None:
        bot = self.bot(says({"type": "bye", "code": "cseq_reused", "message": "?"}))
        for _ in range(2):
            with self.assertRaises(Closed):
                bot.tables()
        self.assertEqual(self.fake.connections, 1)

    def test_another_protocol_is_not_spoken_to(self) -> None:
        heard: List[bytes] = []

        def talk(connection: Any) -> None:
            heard.append(connection.recv(1000))

        with self.assertRaises((NotTrusted, RoundtableError)):
            self.bot(talk, timeout=0.5, alpn="").tables()
        self.assertNotIn(b"rt1b", b"".join(heard))


if __name__ == "__main__":
    unittest.main()
