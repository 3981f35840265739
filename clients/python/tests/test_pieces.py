"""The small pieces alone: lines, invites, the order of rows, the saved file."""

from __future__ import annotations

import hashlib
import os
import random
import tempfile
import unittest
from datetime import datetime
from decimal import Decimal
from typing import List, Optional

from roundtable import values
from roundtable.errors import InvalidText, ProtocolError
from roundtable.invite import Invite, base32, parse_address, parse_pin
from roundtable.journal import Journal
from roundtable.rows import RowOrder
from roundtable.session import Session
from roundtable.wire import LineSplitter, read_json, write_json

from .support import PROJECT


class Lines(unittest.TestCase):
    def test_every_split_of_a_stream_gives_the_same_lines(self) -> None:
        stream = 'one\n\n{"é":2}\r\nthree\n'.encode()
        whole = LineSplitter().feed(stream)
        for cut in range(len(stream)):
            splitter = LineSplitter()
            self.assertEqual(splitter.feed(stream[:cut]) + splitter.feed(stream[cut:]), whole)
        splitter = LineSplitter()
        single = [line for byte in stream for line in splitter.feed(bytes([byte]))]
        self.assertEqual(single, whole)

    def test_the_longest_line_is_taken_and_one_byte_more_is_not(self) -> None:
        self.assertEqual(len(LineSplitter(10).feed(b"x" * 10 + b"\n")), 1)
        for feeds in [[b"x" * 11], [b"x" * 6, b"x" * 5 + b"\n"], [b"x" * 11 + b"\n"]]:
            splitter = LineSplitter(10)
            with self.assertRaises(ProtocolError):
                for data in feeds:
                    splitter.feed(data)

    def test_the_public_suite_of_json_texts(self) -> None:
        suites = os.environ.get("ROUNDTABLE_SUITES", str(PROJECT / ".." / "shared" / "data"))
        folder = os.path.join(suites, "json-test-suite", "test_parsing")
        if not os.path.isdir(folder):
            self.skipTest("the suites are absent: set ROUNDTABLE_SUITES")
        twice = ["y_object_duplicated_key", "y_object_duplicated_key_and_value"]
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            try:
                read_json(content)
                is_taken = True
            except ProtocolError:
                is_taken = False
            if name[0] in "yn":
                wanted = name[0] == "y" and name[: -len(".json")] not in twice
                self.assertEqual(is_taken, wanted, name)

    def test_what_is_written_is_read_again(self) -> None:
        for value in [{"a": [1, -0.0, 1e22, "é\0\u2028", None, True]}, 2**63 - 1]:
            self.assertEqual(repr(read_json(write_json(value))), repr(value))


class Texts(unittest.TestCase):
    def invite(self, raw: bytes, address: str = "localhost:7466") -> str:
        return f"rt1i_{base32(raw + hashlib.sha256(raw).digest()[:4])}@{address}"

    def test_an_invite_gives_its_parts(self) -> None:
        raw = bytes(range(52))
        read = Invite.parse(self.invite(raw, "[::1]:7466") + "\n")
        self.assertEqual((read.pin, read.host, read.port), (raw[20:], "::1", 7466))
        self.assertEqual(read.secret, base32(raw[:20]))
        text = (PROJECT / "docs" / "protocol.md").read_text(encoding="utf-8")
        shown = next(line.strip() for line in text.splitlines() if "rt1i_ae" in line)
        self.assertEqual(Invite.parse(shown).host, "localhost")

    def test_a_mistyped_invite_is_found_out(self) -> None:
        good = self.invite(bytes(52))
        for place in range(5, good.index("@")):
            other = "b" if good[place] == "a" else "a"
            with self.assertRaises(InvalidText):
                Invite.parse(good[:place] + other + good[place + 1 :])
        for bad in ["", "rt1i_", good.replace("rt1i", "rt1x"), good[:-5], good.upper()]:
            with self.assertRaises(InvalidText):
                Invite.parse(bad)

    def test_pins_and_addresses(self) -> None:
        self.assertEqual(parse_pin("AB" * 32), parse_pin(base32(b"\xab" * 32)))
        for bad in ["localhost", "a:0", "a:65536", ":1", "a b:1", "[::1]", "a:01"]:
            with self.assertRaises(InvalidText):
                parse_address(bad)

    def test_values_that_cannot_be_sent_are_refused_here(self) -> None:
        nested: object = 1
        for _ in range(11):
            nested = [nested]
        for value in [
            datetime(2026, 1, 1), "\ud800", object(), nested, {1: 2}, {"k" * 129: 1}, [10**400], [float("nan")], ["\ud800"],
            Decimal("NaN"),
        ]:
            with self.assertRaises(InvalidText):
                values.encode(value)


    def test_decimals_and_json_values_are_written_as_they_are(self) -> None:
        written = [
            (Decimal("1.50"), "1.50"), (Decimal("1E+3"), "1000"), (Decimal("-0.05"), "-0.05"),
            ((1, 1.0, {"a": None}), [1, 1.0, {"a": None}]), ({}, {}), ([], []),
        ]
        for value, expected in written:
            self.assertEqual(repr(values.encode(value)), repr(expected))
        self.assertEqual(values.encode(2**60, "json"), 2**60)
        for kind, value in [
            ("decimal", 0.5), ("decimal", "1" * 39), ("decimal", "0." + "0" * 39), ("decimal", ".5"),
            ("decimal", True), ("list", [None]), ("list", [[1]]), ("list", {}), ("choice", 1),
        ]:
            with self.assertRaises(ProtocolError):
                values.decode(kind, value)
        self.assertEqual(str(values.decode("decimal", "-00.10")), "-0.10")
        self.assertEqual(str(values.decode("decimal", "-0.0")), "0.0")
        self.assertFalse(values.same(Decimal("1.5"), Decimal("1.50")))
        self.assertTrue(values.same(1, 1.0) and not values.same(1, 1.5) and not values.same(1, True))
        self.assertTrue(values.same([1], [1.0]) and values.same([-0.0], [0]))
        self.assertFalse(values.same([1], [1.5]) or values.same([1], [True]))


class Order(unittest.TestCase):
    def test_it_does_what_a_list_does(self) -> None:
        seed = random.randrange(1 << 32)
        dice = random.Random(seed)
        order, fresh = RowOrder(), iter(range(10**9))
        rows: List[int] = []
        for _ in range(1500):
            if rows and dice.random() < 0.3:
                row = dice.choice(rows)
                order.remove(row)
                rows.remove(row)
            else:
                new = [next(fresh) for _ in range(dice.randrange(40))]
                after: Optional[int] = dice.choice([None, *rows]) if rows else None
                order.insert(new, after)
                at = 0 if after is None else rows.index(after) + 1
                rows[at:at] = new
        self.assertEqual(list(order), rows, f"seed {seed}")
        for position in range(0, len(rows), 97):
            self.assertEqual(order.position(rows[position]), position, f"seed {seed}")
            self.assertEqual(order.slice(position, 5), rows[position : position + 5])


class Saved(unittest.TestCase):
    def test_a_file_cut_anywhere_is_an_earlier_state(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.session")
            session = Session("t1")
            session.open_message()
            session.opened(
                {"table": "t1", "name": "t", "lineage": "l", "seq": 1, "columns": [], "rows": 0,
                 "role": "owner", "session": "s4", "token": "secret", "last_cseq": 0}
            )
            for number in range(3):
                session.submit([{"delete": ["s1.1"]}], tag=number)
            session.received({"type": "reply", "table": "t1", "cseq": 1,
                              "outcome": {"status": "noop"}})
            journal = Journal(path)
            journal.write(session.notes)
            journal.close()
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            with open(path, "rb") as file:
                content = file.read()
            counts = set()
            ends = [place for place, byte in enumerate(content, 1) if byte == 10]
            for cut in sorted({0, 10, *ends, *(end - 1 for end in ends)}):
                with open(path, "wb") as file:
                    file.write(content[:cut])
                journal = Journal(path)
                saved = journal.saved
                journal.close()
                counts.add(-1 if saved is None else len(saved["pending"]))
            self.assertEqual(counts, {-1, 0, 1, 2, 3})
            self.assertEqual([one["tag"] for one in (saved or {})["pending"]], [1, 2])
            again = Session("t1")
            again.restore(saved or {})
            self.assertEqual(again.open_message()["resume"]["next"], 2)

    def test_a_damaged_file_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.session")
            with open(path, "wb") as file:
                file.write(b"garbage\n")
            with self.assertRaises(InvalidText) as caught:
                Journal(path)
            self.assertIn(path, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
