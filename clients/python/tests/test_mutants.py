"""Rules bent on purpose, one at a time: some line of clients/conformance must fail each.

A mutant is a text of this library replaced by another. It runs in a copy of the package, in a
process of its own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List, Set, Tuple

from .support import CONFORMANCE, PATIENCE, PROJECT, PYTHON, documented_rules, lines_of
from .support import rules_without_lines

#: The rules that are bent and how, the groups that have to notice, the module, what stands there,
#: what shall. Of each rule that is named some line that cites it has to notice, in each group.
MUTANTS: List[Tuple[str, str, str, str, str]] = [
    ("keys may come twice", "wire", "wire", "if len(found) != len(pairs):", "if False:"),
    ("half surrogate pairs", "wire", "wire", 'if "\\\\u" in text:', "if False:"),
    ("NaN is a number", "wire", "wire", 'raise ProtocolError("malformed", f"{text}', 'return 1 or ("", f"{text}'),
    ("1e400 is a number", "wire", "wire", 'if number in (float("inf"), float("-inf")):', "if False:"),
    ("1e-400 is zero", "wire", "wire", 'if number == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):', "if False:"),
    ("long numbers", "wire", "wire", "NUMBER_BYTES_MAX = 1024", "NUMBER_BYTES_MAX = 2048"),
    ("unknown fields", "wire", "messages", "if check_id is None or not", "if check_id is not None and not"),
    ("unknown messages", "wire", "messages", "if form is None:\n        raise", "if form is None:\n        return {}\n        raise"),
    ("NUL in names", "wire", "messages", 'and "\\0" not in value', ""),
    ("a cell nested without end", "wire", "values", "depth < JSON_DEPTH_MAX and", ""),
    ("two changes in one", "wire", "messages", "or len(value) != 1:", "or len(value) < 1:"),
    ("ids with leading zeros", "wire", "values", '_RUN = re.compile(r"s(0|[1-9][0-9]{0,9})', '_RUN = re.compile(r"s([0-9]{1,10})'),
    ("sessions beyond 31 bits", "wire", "values", "if session < 2**31 and last < 2**32 and ordered:", "if last < 2**32 and ordered:"),
    ("runs that go backwards", "wire", "values", "ordered = last > first or", "ordered = True or"),
    ("R1: inserted above instead of below", "apply resolve", "rows", "block.index(after) + 1", "block.index(after)"),
    ("R4: a slot counts for everybody", "apply resolve", "table", 'after = self._after(body["after"])\n        if "cells"', 'after = self._after(body.get("slot", body["after"]))\n        if "cells"'),
    ("R17: unknown rows are an error", "apply", "table", "(number, None) for number in run if number in self._order)", "(number, None) for number in run)"),
    ("R8: moved to the start means to the end", "apply", "rows", "block, at = self._blocks[0], 0", "block, at = self._blocks[-1], len(self._blocks[-1])"),
    ("R9: a deleted row comes back with a move", "resolve", "table", "            self._order.remove(number)\n            del self._cells[number]\n", "            pass\n"),
    ("R15: moved rows keep their old order", "apply resolve", "table", "        return list(found)", "        return sorted(found)"),
    ("C1: the first write wins", "resolve", "table", "cells[slot.place] = None if", "cells[slot.place] = cells[slot.place] if cells[slot.place] is not None else None if"),
    ("C2, I4: a write clears the row", "resolve", "table", "            cells[slot.place] = None if", "            cells[:] = [None] * len(cells)\n            cells[slot.place] = None if"),
    ("C6: a no-op takes a number", "resolve", "session", 'if "cseq" in message:\n', 'if "cseq" in message:\n                self.seq += 1\n'),
    ("C8: late writes into unknown rows are an error", "apply resolve", "table", "if slot is not None and cells is not None:", "if slot is not None:"),
    ("S4: a column keeps its first name", "apply resolve", "table", 'slot.name = body["name"]', "pass"),
    ("S5: a column shown comes without its cells", "apply", "table", "    def _fill(self, body: Dict[str, Any]) -> None:\n", "    def _fill(self, body: Dict[str, Any]) -> None:\n        return\n"),
    ("S8: a column deleted twice is an error", "apply", "table", "if column_number(column) in self._live:\n            self", "if True:\n            self"),
    ("R7: a run with unknown rows is an error", "apply", "table", "            if len(run) > len(self._order):\n", "            if len(run) > len(self._order):\n                assert False\n"),
    ("R9: what was deleted is never shown again", "apply", "table", "_show = _insert", "_show = lambda self, body: None"),
    ("S13: columns do not move", "apply", "table", '            self._live.remove(number)\n            self._put_column(number, body["after"])', "            pass"),
    ("S13: columns move one too far", "resolve", "table", "self._live.index(column_number(after)) + 1", "self._live.index(column_number(after)) + 2"),
    ("I5: rows that are there are inserted again", "apply", "table", "if any(number in self._cells for number in numbers) or len(set(numbers)) != len(numbers):\n            raise ProtocolError(\"malformed\", \"a row is", "if False:\n            raise ProtocolError(\"malformed\", \"a row is"),
    ("I5: unknown places are the end", "apply", "table", '            raise ProtocolError("malformed", "rows stand', '            return None\n            raise ProtocolError("malformed", "rows stand'),
    ("I5: a double is an int", "apply", "values", "if isinstance(value, int) and not isinstance(value, bool) and -(2**63)", "if isinstance(value, (int, float)) and -(2**63)"),
    ("I5: ints beyond 64 bits", "apply", "values", "and -(2**63) <= value < 2**63:\n        return", "and True:\n        return"),
    ("hash: names are left out", "apply", "table", "kind, len(name)) + name)", "kind, len(name)))"),
    ("hash: groups of another size", "apply", "table", "if bits & 0xFF == 0:", "if bits & 0x1FF == 0:"),
    ("hash: runs of another size", "apply", "table", "if bits & 0x3FFF == 0:", "if bits & 0x1FFF == 0:"),
    ("C6: nothing is empty text", "apply", "table", "NULL_BYTES if value is None", "bytes_of('') if value is None and plan[0][1] is bytes_of else NULL_BYTES if value is None"),
    ("hash: -0 is 0", "apply", "values", "_DOUBLE_FORM.pack(3, 8, value)", "_DOUBLE_FORM.pack(3, 8, value + 0.0)"),
    ("hash: offsets do not count", "apply", "values", "micros, offset // timedelta(minutes=1))", "micros, 0)"),
    ("hash: moments before 1970 round up", "apply", "values", "local // timedelta(microseconds=1) -", "int(local / timedelta(microseconds=1)) -"),
    ("hash: dates from another day", "apply", "values", "- 719163", "- 719162"),
    ("hash: a decimal without its scale", "apply", "values", "raw + bytes([-exponent])", "raw + b'\\0'"),
    ("hash: integers in JSON are doubles", "apply", "values", 'struct.pack(">Bq", 3, value)', 'struct.pack(">Bd", 4, value)'),
    ("C6: whole doubles in JSON stay doubles", "apply", "values", "value.is_integer() and", "False and"),
    ("hash: keys as they come", "apply", "values", "members = sorted(", "members = list("),
    ("hash: rules left out", "apply", "table", "if slot.rules:", "if False:"),
    ("S19: what is said of a column is not kept", "apply resolve", "table", 'slot.display = _changed(slot.display, body["set"])', "pass"),
    ("S20, U16: what is said of a column stays", "resolve", "table", 'slot.display = _changed(slot.display, body["set"])', 'slot.display = _changed(body["set"], slot.display)'),
    ("S21: a row style stays", "apply resolve", "table", '        self._styles.pop(body["name"], None)\n', '        if body["name"] in self._styles:\n            return\n'),
    ("S22: who deletes a column takes the styles along", "resolve", "table", "            self._live.remove(column_number(column))", "            self._live.remove(column_number(column))\n            self._styles.clear()"),
    ("S15: rules of a column stay", "apply resolve", "table", 'slot.rules = body["rules"]', "pass"),
    ("I5: a list takes anything", "apply", "values", "isinstance(one, (str, int, float, bool)) for one", "True for one"),
    ("I5: a decimal takes a fraction of JSON", "apply", "values", "isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63", "isinstance(value, (int, float))"),
    ("I2: sent again under a new number", "resume", "session", "        self.next_cseq = max(self.next_cseq, last + 1)\n", "        self.next_cseq = last + 1 + len(self.pending)\n        self.pending = {cseq + 1: one for cseq, one in self.pending.items()}\n"),
    ("I2: what was decided is sent again at once", "resume", "session", "self._sent = self._decided = last", "self._sent, self._decided = 0, last"),
    ("I2: what is owed is never asked for", "resume", "session", "self._sent = min(self._sent, min(self.pending) - 1)", "pass"),
    ("I2: nothing is sent again", "resume", "session", "self._sent = self._decided = last", "self._sent = self._decided = self.next_cseq"),
    ("I1: without the place held", "resume", "session", "if self._has_place or self.replica is not None:", "if self._has_place:"),
    ("I2: the first secret for ever", "resume", "session", 'self.number, self._token = message["session"], message.get("token", "")', 'self.number, self._token = message["session"], self._token or message.get("token", "")'),
    ("I2: next is always 1", "resume", "session", "first = min(self.pending, default=self.next_cseq)", "first = 1"),
    ("I1: what came is asked for again", "resume", "session", '"seq": self.seq}\n        if self.number', '"seq": min(self.seq, 5)}\n        if self.number'),
    ("I1: gaps are passed over", "resume", "session", "if seq != self.seq + 1 or", "if False or"),
    ("I2: no window", "resume", "session", "is_full = count >= self.window or", "is_full ="),
    ("I2: sent before it is open", "resume", "session", 'if self.state != "open":\n            return []', 'if self.state == "lost":\n            return []'),
    ("I2: a lost session goes on", "resume", "errors", '"session_expired": "review"', '"session_expired": "reconnect"'),
    ("I2: another table's session ends this one", "resume", "connection", "concerned = session.id == table if table else", "concerned = True if table else"),
    ("I2: one answer lost is the session lost", "resume", "session", 'elif code == "session_expired" and operation is not None:', "elif False:"),
    ("I2: every gap is a new one", "resume", "session", "if self._gap_seen < cseq <= self._gap_last:", "if False:"),
    ("I2: a record of another session answers", "resume", "session", "if record.session == self.number and record.cseq", "if record.cseq"),
    ("R2, R5: at the end is before the last", "resolve", "rows", "at = block.index(after) + 1", "at = block.index(after) + (block is not self._blocks[-1] or block[-1] != after)"),
    ("R3: a row below one's own is first", "resolve", "table", "        self._order.insert(numbers, after)", "        own = after is not None and after >> 32 == numbers[0] >> 32\n        self._order.insert(numbers, None if own else after)"),
    ("R6: a deletion takes along the new row below", "resolve", "table", "        for number in self._known(rows):", "        known = [self._order.slice(self._order.position(one), 2) for one in self._known(rows)]\n        for number in [row for pair in known for row in pair if row == pair[0] or row >> 32 != pair[0] >> 32]:"),
    ("R7, C6, S8: that nothing happened is told as done", "resolve", "outcome", '        if "rows" in fields:', '        if fields["status"] == "noop":\n            fields["status"] = "ok"\n        if "rows" in fields:'),
    ("R8, I3: a moved row stays where it was, too", "resolve", "table", "        for number in moved:\n            self._order.remove(number)\n", ""),
    ("R10: the first row cannot be deleted", "resolve", "table", "        for number in self._known(rows):", "        for number in [one for one in self._known(rows) if self._order.position(one)]:"),
    ("R11, R14: moved rows go to the end", "resolve", "table", 'self._order.insert(moved, self._after(body["after"]) if moved else None)', "self._order.append(moved)"),
    ("R12, R16: what stands below moved rows moves along", "resolve", "table", '        moved = self._known(body["rows"])', '        known = self._known(body["rows"])\n        moved = list(dict.fromkeys(row for one in known for row in self._order.slice(self._order.position(one), 2)))'),
    ("R13: a move to a slot is an error", "resolve", "table", 'self._order.insert(moved, self._after(body["after"]) if moved else None)', 'self._order.insert(moved, self._after(body.get("slot", body["after"])) if moved else None)'),
    ("R17, C11: that a part went astray is told as done", "resolve", "outcome", '        if "rows" in fields:', '        if fields["status"] == "partial":\n            fields["status"] = "ok"\n        if "rows" in fields:'),
    ("C3: the cell as it is is not told", "resolve", "outcome", 'error = dict(fields["error"])', 'error = {**fields["error"], "current": None}'),
    ("C3: a refusal is no answer", "resume", "session", 'if "cseq" in message:\n', 'if "cseq" in message and message["outcome"]["status"] != "rejected":\n'),
    ("C4, C5, C15, C16: the sum is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields.pop("values", None)\n        if "rows" in fields:'),
    ("C18: which row was given is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields.pop("rows", None)\n        if "rows" in fields:'),
    ("C18, C19: a lease is an error", "resolve", "table", '        """Who has a lease is the server\'s to know; cells tell the rest."""', '        raise ProtocolError("malformed", "a lease")'),
    ("C21: comments are passed over", "resolve", "table", "        self.comments.put(body)", "        pass"),
    ("C22, C23, C24: a comment stays as it was made", "resolve", "comments", "self._bodies[identifier] = body", "self._bodies.setdefault(identifier, body)"),
    ("C17: whether the row is new is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields.pop("inserted", None)\n        if "rows" in fields:'),
    ("C6: only what has a number is an answer", "resume", "session", 'if "cseq" in message:\n', 'if "cseq" in message and "seq" in message:\n'),
    ("C7: a row that was written is not deleted", "resolve", "table", "        for number in self._known(rows):", "        for number in [one for one in self._known(rows) if len(self._cells[one]) < 2]:"),
    ("C9: what is gone is told as done", "resolve", "outcome", '        if "rows" in fields:', '        if fields["status"] == "gone":\n            fields["status"] = "ok"\n        if "rows" in fields:'),
    ("C10, C11: of a paste only the first cell is set", "resolve", "table", "        for row, column, value in triples:", "        for row, column, value in triples[:1]:"),
    ("C12: a paste covers what stands among its rows", "resolve", "table", "        for row, column, value in triples:", '        more = []\n        for row, column, value in triples:\n            more += [(f"s{one >> 32}.{one & 0xFFFFFFFF}", column, value) for one in self._order.slice(self._order.position(row_number(row)), 2)]\n        for row, column, value in more:'),
    ("C13: of a record only the first change is applied", "apply resolve", "table", "        for change in changes:", "        for change in changes[:1]:"),
    ("C14: a paste goes down the table, whatever stands there", "resolve", "table", "        for row, column, value in triples:", "        places = sorted((one[0] for one in triples), key=lambda row: list(self._order).index(row_number(row)))\n        for row, (_, column, value) in zip(places, triples):"),
    ("R8, C1: who replaced a value is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields["notes"] = [note for note in fields.get("notes", []) if "overrode" not in note]\n        if "rows" in fields:'),
    ("S1, S3: the name that was given is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields["notes"] = [note for note in fields.get("notes", []) if "renamed" not in note]\n        if "rows" in fields:'),
    ("U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U12, U14, U15, I8: what was taken back is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields.pop("undid", None)\n        if "rows" in fields:'),
    ("T1, T2, T3, T4, T5, T6, T7, U9: what is sorted stays as it was", "resolve", "table", "        self._order.arrange(self._known(rows))", "        pass"),
    ("T1, T3, T7, U9: of sorted rows the last keeps its place", "resolve", "table", "        self._order.arrange(self._known(rows))", "        self._order.arrange(self._known(rows)[1:])"),
    ("T8: sorted rows take the first places", "resolve", "rows", "        order = [number for number in self if number in wanted]", "        order = list(self)[: len(rows)]"),
    ("T2, T6: that an anchor had moved is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields["notes"] = [note for note in fields.get("notes", []) if note != "anchor_moved"]\n        if "rows" in fields:'),
    ("T10: that an anchor is deleted is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields["notes"] = [note for note in fields.get("notes", []) if note != "anchor_hidden"]\n        if "rows" in fields:'),
    ("T11, T14: that a value went into a deleted row is told as done", "resolve", "outcome", '        if "rows" in fields:', '        if fields["status"] == "hidden":\n            fields["status"] = "ok"\n        if "rows" in fields:'),
    ("T9, T10, T12, T13, T14, T15: the last of the deleted rows stays", "resolve", "table", "        for number in self._known(rows):", "        for number in self._known(rows)[:-1]:"),
    ("U2, U4, U7, U9, U10, T9: what was kept is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields["notes"] = [note for note in fields.get("notes", []) if "kept_newer" not in note]\n        if "rows" in fields:'),
    ("U5, U6: a deleted row never comes back", "resolve", "table", "_show = _insert", "_show = lambda self, body: None"),
    ("U12, I8: a column comes back empty", "resolve", "table", "            self._put_cell(number, slot, value)\n\n    def _put", "            self._put_cell(number, slot, None)\n\n    def _put"),
    ("S2: the column that is there is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields.pop("columns", None)\n        if "rows" in fields:'),
    ("S5: late writes into deleted columns are an error", "resolve", "table", "        cells = self._cells.get(number)\n", "        cells = self._cells.get(number)\n        assert slot is None or slot.number in self._live\n"),
    ("S6: a deleted column stays", "resolve", "table", "        if column_number(column) in self._live:\n            self", "        if False:\n            self"),
    ("S6: a deleted column loses its values", "apply", "table", "            self._put_cell(number, slot, value)\n\n    def _put", "            self._put_cell(number, slot, None)\n\n    def _put"),
    ("S7: deleted columns cannot be renamed", "apply resolve", "table", '            slot.name = body["name"]', '            assert slot.number in self._live\n            slot.name = body["name"]'),
    ("S9, S10, S11, S12, U11: a column keeps its type", "resolve", "table", 'slot.kind, slot.read = body["type"], reader(body["type"])', "pass"),
    ("S11, S12: a column keeps its type", "apply", "table", 'slot.kind, slot.read = body["type"], reader(body["type"])', "pass"),
    ("S9, S11, S12, U11: what was converted is not told", "resolve", "outcome", '        if "rows" in fields:', '        fields["notes"] = [note for note in fields.get("notes", []) if "converted" not in note]\n        if "rows" in fields:'),
    ("S15: the rule that is broken is not told", "resolve", "outcome", 'error = dict(fields["error"])', 'error = {**fields["error"], "rule": None}'),
    ("I6: a block is put row by row, each at the same place", "resolve", "table", "        self._order.insert(numbers, after)", "        for number in numbers:\n            self._order.insert([number], after)"),
    ("I10: who replaced what was unseen is refused", "resolve", "outcome", '        if "rows" in fields:', '        if any("overrode" in note for note in fields.get("notes", [])):\n            fields["status"] = "rejected"\n        if "rows" in fields:'),
    ("errors: a final bye is come back from", "errors", "errors", '"cseq_reused": "give_up"', '"cseq_reused": "reconnect"'),
    ("errors: an orderly stop is final", "errors", "errors", '"going_away": "reconnect"', '"going_away": "give_up"'),
    ("errors: unknown codes are final", "errors", "errors", 'ACTIONS.get(code, "reconnect")', 'ACTIONS.get(code, "give_up")'),
    ("errors: the wait is forgotten", "errors", "connection", 'self.retry_seconds = message.get("retry_seconds")\n        if what == "give_up"', 'if what == "give_up"'),
    ("errors: the wait for an operation is forgotten", "errors", "connection", 'self.retry_seconds = message.get("retry_seconds", self.retry_seconds)', "pass"),
    ("errors: a request's error ends the connection", "errors", "connection", "self._requests.pop(number).failure = failure", "self.end(failure)"),
]

_RUN = """
import json, sys
from tests.support import CONFORMANCE, lines_of
from tests.test_conformance import GROUPS
for group in sys.argv[1].split():
    for place, line in lines_of(CONFORMANCE / (group + ".jsonl")):
        try:
            problem = GROUPS[group](line)
        except Exception as error:
            problem = repr(error)
        if problem:
            print(json.dumps([group, line.get("rules", []), place + ": " + problem]))
"""


def rules_of(name: str) -> List[str]:
    """The rules of docs/semantics.md that a mutant's name says it bends."""
    found = re.match(r"([A-Z][0-9]+(, [A-Z][0-9]+)*): ", name)
    return found.group(1).split(", ") if found else []


def complaints(groups: str, module: str, old: str, new: str) -> List[Tuple[str, List[str], str]]:
    """What the lines of groups say to the library with one text replaced: group, rules, what."""
    with tempfile.TemporaryDirectory(prefix="roundtable-mutant-") as name:
        folder = Path(name) / "clients" / "python"
        for package in ["roundtable", "tests"]:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(PYTHON / package, folder / package, ignore=ignored)
        (Path(name) / "clients" / "conformance").symlink_to(PROJECT / "clients" / "conformance")
        path = folder / "roundtable" / f"{module}.py"
        source = path.read_text(encoding="utf-8")
        if source.count(old) != 1:
            raise AssertionError(f"{module}.py has {source.count(old)} times: {old}")
        path.write_text(source.replace(old, new), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-B", "-c", _RUN, groups],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        return [(group, rules, what) for group, rules, what in found]


class Mutants(unittest.TestCase):
    def test_each_bent_rule_fails_a_line_about_it(self) -> None:
        for name, groups, module, old, new in MUTANTS:
            with self.subTest(name):
                found = complaints(groups, module, old, new)
                for group in groups.split():
                    rules = {rule for one, cited, _ in found if one == group for rule in cited}
                    self.assertIn(group, {one for one, _, _ in found})
                    self.assertEqual(set(rules_of(name)) - rules, set(), group)

    def test_every_rule_is_bent(self) -> None:
        cited: Dict[str, Set[str]] = {}
        for group in ["apply", "resolve", "resume"]:
            cited[group] = set()
            for _, line in lines_of(CONFORMANCE / f"{group}.jsonl"):
                cited[group] |= set(line["rules"])
        for group, rules in cited.items():
            bent = {rule for name, groups, *_ in MUTANTS if group in groups for rule in rules_of(name)}
            self.assertEqual(rules - bent, set(), group)
        wanted = documented_rules() - set(rules_without_lines())
        self.assertEqual(wanted - set().union(*cited.values()), set())

    def test_the_straight_library_fails_none(self) -> None:
        every = "wire apply resolve resume errors"
        self.assertEqual(complaints(every, "session", "FAULTS_MAX = 3", "FAULTS_MAX = 3"), [])


if __name__ == "__main__":
    unittest.main()
