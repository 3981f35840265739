"""The library against the real server, over TLS on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import unittest
from datetime import date, datetime, timedelta, timezone
from typing import Any, Dict, List
from unittest import mock
from uuid import UUID

from roundtable import (
    Bot,
    Edits,
    Forbidden,
    InvalidText,
    LoginFailed,
    NameRefused,
    NameTaken,
    NotFound,
    NotTrusted,
    PreconditionFailed,
    Rejected,
    RequestFailed,
    RowMissing,
    SessionLost,
    Unreachable,
    WrongType,
)

from .support import PROJECT, PYTHON, CuttingProxy, ServerTest

STOCK = {"item": "text", "qty": "int"}


class Tables(ServerTest):
    def test_s17_a_new_name_is_known_to_who_has_the_table_open(self) -> None:
        with self.open_bot("ann") as owner, self.open_bot("ben") as other:
            number = owner.create("stock", STOCK)
            stock = other.open("stock")
            self.assertEqual(owner.rename("stock", "parts"), "parts")
            stock.insert([{"item": "bolt", "qty": 1}])
            self.assertEqual((stock.name, stock.id), ("parts", number))
            owner.create("stock", STOCK)
            with self.assertRaises(NameRefused):
                owner.rename("stock", "Parts")
            self.assertEqual(owner.rename("stock", "Parts", on_clash="suffix"), "Parts 2")

    def test_s18_a_dropped_table_is_lost_to_who_has_it_open_and_comes_back(self) -> None:
        with self.open_bot("eve") as owner, self.open_bot("fay") as other:
            number = owner.create("shelf", STOCK)
            shelf = other.open("shelf")
            shelf.insert([{"item": "bolt", "qty": 1}])
            self.assertEqual(owner.drop("shelf"), number)
            with self.assertRaises(SessionLost) as caught:
                shelf.insert([{"item": "nut", "qty": 2}])
            self.assertEqual(caught.exception.code, "table_deleted")
            self.assertEqual([table.id for table in owner.tables(deleted=True)], [number])
            with self.assertRaises(NotFound):
                owner.open(number)
            self.assertEqual(owner.restore(number), "shelf")
            with other.open("shelf") as again:
                self.assertEqual(len(again), 1)


class Past(ServerTest):
    def test_a_table_is_read_as_it_was_and_tells_its_history(self) -> None:
        with self.open_bot("ann") as bot:
            bot.create("stock", STOCK)
            with bot.open("stock") as stock:
                row = stock.insert([{"item": "bolt", "qty": 1}, {"item": "nut", "qty": 2}])[0]
                first = stock.seq
                stock.set(row, "qty", 5)
                last = stock.seq
                page = bot.read("stock", at=first)
                self.assertEqual(page.cells, [["bolt", 1], ["nut", 2]])
                self.assertEqual((page.seq, page.total), (first, 2))
                past = bot.past("stock", last)
                self.assertEqual([column.name for column in past.columns], ["item", "qty"])
                when = datetime.fromtimestamp(5, timezone.utc)
                with self.assertRaises(RequestFailed) as caught:
                    bot.past("stock", when)
                self.assertEqual(caught.exception.code, "unknown_record")
                self.assertEqual(bot.past("stock", when.replace(year=2999)).seq, last)
                told = list(bot.history("stock", row=row, column="qty"))
                cells = [cell for entry in told for cell in entry.get("cells", [])]
                self.assertEqual([cell[2:] for cell in cells], [[1, 5], [None, 1]])
                self.assertEqual(len(list(bot.history("stock"))), last)
                before = bot.hash("stock")[1]
                stock.delete(row)
                outcome = stock.restore(first)
                self.assertEqual(outcome.notes[-1]["restored"], first)
                self.assertEqual([list(one.values()) for one in stock.rows()][0], ["bolt", 1])
                self.assertEqual(next(bot.history("stock"))["kind"], "restore")
                stock.undo()
                stock.undo()
                self.assertEqual(bot.hash("stock")[1], before)
                stock.restore(first, rows=[row], columns=["qty"])
                self.assertEqual(next(stock.rows())["qty"], 1)


class Connecting(ServerTest):
    def test_an_invite_lets_in_once_and_its_file_for_good(self) -> None:
        invite, path = self.server.invite("editor"), str(self.server.folder / "ann.json")
        with Bot.join(invite, "Ann", save=path) as bot:
            self.assertEqual(bot.name, "Ann")
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with Bot.load(path) as bot:
            bot.connect()
            self.assertEqual(bot.name, "Ann")
        with self.assertRaises(LoginFailed):
            Bot.join(invite, "Ben")

    def test_the_file_of_a_token_is_all_that_a_bot_needs(self) -> None:
        path = self.server.credentials("filed", "viewer")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with Bot.load(path) as bot:
            bot.connect()
            self.assertEqual(bot.name, "filed")

    def test_another_pin_is_refused_before_the_token_leaves(self) -> None:
        with Bot(self.server.address, self.server.token("p"), "00" * 32) as bot:
            with self.assertRaises(NotTrusted) as caught:
                bot.connect()
        self.assertIn(self.server.pin, str(caught.exception))

    def test_a_wrong_token_is_told_at_once(self) -> None:
        with Bot(self.server.address, "rt1b_" + "a" * 52, self.server.pin) as bot:
            with self.assertRaises(LoginFailed):
                bot.tables()

    def test_nobody_there_is_told_when_the_time_is_over(self) -> None:
        with Bot("127.0.0.1:1", self.server.token("n"), self.server.pin, timeout=0.2) as bot:
            with self.assertRaises(Unreachable):
                bot.tables()

    def test_texts_that_cannot_be_right_are_told_at_once(self) -> None:
        for address, token, pin in [
            ("localhost", "rt1b_" + "a" * 52, "0" * 64),
            ("localhost:1", "rt1b_" + "a" * 51, "0" * 64),
            ("localhost:1", "rt1b_" + "a" * 52, "0" * 63),
        ]:
            with self.assertRaises(InvalidText):
                Bot(address, token, pin)


class Editing(ServerTest):
    def setUp(self) -> None:
        self.bot = self.open_bot(self.table_name()[:100])
        self.bot.create(self.table_name(), STOCK)
        self.table = self.bot.open(self.table_name())

    def test_rows_are_inserted_read_moved_and_deleted(self) -> None:
        first = self.table.append(item="bolt", qty=5)
        more = self.table.insert([{"item": "nut"}, {"item": "screw", "qty": 2}], at="first")
        self.table.insert([{}], at=first)
        self.assertEqual([row["item"] for row in self.table], ["nut", "screw", "bolt", None])
        self.table.move(more, at=first)
        self.assertEqual([row["item"] for row in self.table], ["bolt", "nut", "screw", None])
        self.table.delete(self.table.at(-1), more[0])
        self.assertEqual(self.table.delete(more[0]).status, "noop")
        self.assertEqual([row.id for row in self.table], [first, more[1]])
        self.assertEqual(self.table.position(more[1]), 1)
        self.assertIsNone(self.table.find("item", "nut"))
        self.table.verify()

    def test_cells_keep_every_kind_of_value(self) -> None:
        zone = timezone(timedelta(hours=-9, minutes=-30))
        values: Dict[str, List[Any]] = {
            "text": ["", "é", "e\u0301", "\0\n\u202e", "x" * 1000],
            "int": [0, -1, 2**53 + 1, 2**63 - 1, -(2**63)],
            "double": [0.0, -0.0, 0.1, 1e300, 5e-324, float("inf"), float("nan"), 40.0, 7],
            "bool": [True, False],
            "date": [date(1, 1, 1), date(9999, 12, 31), date(1969, 12, 31)],
            "datetime": [
                datetime(2026, 11, 30, 8, 0, 0, 250000, zone),
                datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=23, minutes=59))),
                datetime(9999, 12, 31, 23, 59, 59, 999999, timezone.utc),
            ],
            "uuid": [UUID("0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a2")],
        }
        columns = {kind: self.table.add_column(f"a {kind}", kind) for kind in values}
        ids = self.table.insert([{}] * 10)
        for kind, column in columns.items():
            for row, value in zip(ids, values[kind]):
                self.table.set(row, column, value)
                self.assertEqual(repr(self.table.cell(row, column)), repr(
                    float(value) if kind == "double" else value))
        self.table.verify()
        with self.open_bot(self.table_name()[:90] + "2") as other:
            self.assertEqual(other.open(self.table_name()).verify(), self.table.content_hash())

    def test_conditions_refuse_and_say_what_is(self) -> None:
        row = self.table.append(item="bolt", qty=5)
        self.table.set(row, "qty", 6, if_value=5)
        with self.assertRaises(PreconditionFailed) as caught:
            self.table.set(row, "qty", 7, if_value=5)
        self.assertEqual((caught.exception.current or {})["value"], 6)
        value, version = self.table.version(row, "qty")
        self.assertEqual((value, version), (6, self.table.seq))
        self.table.set(row, "qty", 7, if_version=version)
        with self.assertRaises(PreconditionFailed):
            self.table.set(row, "qty", 8, if_version=version)
        for edits in [
            self.table.edits().require_row_version(row, version).set(row, "qty", 0),
            self.table.edits().require_table_seq(version).set(row, "qty", 0),
            self.table.edits().require_row("s0.999").set(row, "qty", 0),
        ]:
            with self.assertRaises(PreconditionFailed):
                self.table.commit(edits)
        edits = self.table.edits().require_schema_seq(self.table.seq).require_row(row)
        self.table.commit(edits.add(row, "qty", 1))
        self.assertEqual(self.table.cell(row, "qty"), 8)

    def test_refusals_have_types(self) -> None:
        row = self.table.append(item="bolt", qty=5)
        with self.assertRaises(WrongType):
            self.table.set(row, "qty", "many")
        with self.assertRaises(RowMissing):
            self.table.set("s0.77", "qty", 1)
        with self.assertRaises(Rejected) as caught:
            self.table.add(row, "qty", 2**63 - 1)
        self.assertEqual(caught.exception.code, "out_of_range")
        with self.assertRaises(NameTaken):
            self.table.add_column("QTY", "int")
        self.table.delete(row)
        with self.assertRaises(RowMissing):
            self.table.set(row, "qty", 1)
        with self.assertRaises(NameRefused):
            self.bot.create(self.table_name(), STOCK)
        with self.assertRaises(NotFound):
            self.bot.open("nowhere")
        with self.assertRaises(NotFound):
            self.bot.hash("nowhere")
        self.assertEqual(self.table.seq, self.bot.hash(self.table.id)[0])

    def test_a_transaction_is_one_step_or_none(self) -> None:
        row = self.table.append(item="bolt", qty=5)
        before = self.table.seq
        with self.table.transaction() as edits:
            new = edits.insert([{"item": "nut"}], at=row)
            edits.set(new[0], "qty", 3).add(row, "qty", 2)
        self.assertEqual(self.table.seq, before + 1)
        self.assertEqual(edits.outcome.values if edits.outcome else None, [7])
        with self.assertRaises(WrongType):
            with self.table.transaction() as edits:
                edits.set(row, "qty", 1).set(row, "qty", True)
        self.assertEqual((self.table.seq, self.table.cell(row, "qty")), (before + 1, 7))
        with self.table.transaction("best") as edits:
            edits.set(row, "qty", 1).set(row, "qty", True)
        self.assertEqual(edits.outcome.status if edits.outcome else None, "partial")
        with self.assertRaises(ZeroDivisionError):
            with self.table.transaction() as edits:
                edits.delete(row)
                raise ZeroDivisionError
        self.assertEqual(len(self.table), 2)

    def test_columns_come_go_and_move(self) -> None:
        due = self.table.add_column("Due", "date", at="first")
        self.assertEqual(self.table.add_column("due", "date", if_absent=True), due)
        other = self.table.add_column("Due", "date", suffix=True, at="item")
        names = ["Due", "item", "Due 2", "qty"]
        self.assertEqual([column.name for column in self.table.columns], names)
        self.table.rename_column("Due", "When")
        self.table.move_column("When", "last")
        self.table.delete_column(other)
        self.assertEqual(self.table.delete_column(other).status, "noop")
        self.assertEqual([one.name for one in self.table.columns], ["item", "qty", "When"])
        self.table.verify()

    def test_what_was_done_is_taken_back_and_done_again(self) -> None:
        bolt = self.table.append(item="bolt", qty=5)
        done = self.table.set(bolt, "qty", 6)
        undone = self.table.undo()
        self.assertEqual((undone.status, undone.undid), ("ok", done.seq))
        self.assertEqual(undone.kept_newer, 0)
        self.assertEqual(self.table.cell(bolt, "qty"), 5)
        self.table.undo()
        self.assertNotIn(bolt, self.table)
        self.table.redo()
        redone = self.table.redo()
        self.assertEqual(redone.undid, undone.seq)
        self.assertEqual(self.table.cell(bolt, "qty"), 6)
        with self.assertRaises(Rejected) as caught:
            self.table.redo()
        self.assertEqual(caught.exception.code, "nothing_to_undo")
        operation = self.table.submit(self.table.edits().set(bolt, "item", "nut"))
        self.table.wait(operation)
        self.table.undo(cseq=operation.cseq)
        self.assertEqual(self.table.cell(bolt, "item"), "bolt")
        self.table.verify()

    def test_an_undo_keeps_what_others_have_gone_on_from(self) -> None:
        rows = self.table.insert([{"item": "bolt", "qty": 1}, {"item": "nut", "qty": 2}])
        edits = self.table.edits().set_many([(row, "qty", 9) for row in rows])
        mine = self.table.commit(edits)
        with self.open_bot(self.table_name()[:90] + "-other") as other:
            others = other.open(self.table_name())
            theirs = others.set(rows[1], "qty", 7)
            undone = self.table.undo(seq=mine.seq)
            self.assertEqual((undone.status, undone.kept_newer), ("partial", 1))
            self.assertEqual(undone.notes, [{"kept_newer": 1, "seq": theirs.seq}])
            self.assertEqual([row["qty"] for row in self.table], [1, 7])
            with self.assertRaises(Rejected) as caught:
                self.table.commit(self.table.edits().undo(seq=mine.seq))
            self.assertEqual(caught.exception.code, "kept_newer")
            self.table.undo(seq=mine.seq, force=True)
            self.assertEqual([row["qty"] for row in self.table], [1, 2])
            others.wait_for(self.table.seq)
            others.verify()
        edits = self.table.edits().undo(of_user=True, force=True)
        self.assertEqual(edits.body, [{"undo": {"of": "user", "force": True}}])
        with self.assertRaises(InvalidText):
            self.table.undo(seq=1, cseq=1)

    def test_without_a_session_there_is_an_answer_too(self) -> None:
        edits = Edits()
        edits.insert([{"item": "a"}, {"item": "b", "qty": 2}])
        edits.insert([{}])
        outcome = self.bot.do(self.table_name(), edits)
        self.assertEqual((outcome.once, len(outcome.rows)), (False, 3))
        page = self.bot.read(self.table_name(), rows=outcome.rows, columns=["qty", "item"])
        self.assertEqual(page.cells, [[None, "a"], [2, "b"], [None, None]])
        self.assertEqual(self.bot.read(self.table_name(), start=2).rows, outcome.rows[2:])
        with self.assertRaises(WrongType):
            self.bot.do(self.table_name(), Edits().set(outcome.rows[0], "qty", "x"))
        info = [one for one in self.bot.tables() if one.name == self.table_name()][0]
        self.assertEqual((info.rows, info.columns), (3, 2))

    def test_many_operations_are_on_their_way_at_once(self) -> None:
        row = self.table.append(item="bolt", qty=0)
        fast = self.open_bot("fast").open(self.table_name(), window=1024)
        operations = [fast.submit(fast.edits().add(row, "qty", 1)) for _ in range(3000)]
        for operation in operations:
            fast.wait(operation)
        self.assertEqual(fast.cell(row, "qty"), 3000)
        self.assertTrue(self.table.wait_for(fast.seq))
        self.assertEqual(self.table.verify(), fast.verify())

    def test_others_are_seen(self) -> None:
        row = self.table.append(item="bolt", qty=0)
        other = self.open_bot("seen").open(self.table_name())
        other.show_cursor(row, "qty", editing=True)
        while not any(who["row"] == row and who.get("editing") for who in self.table.who()):
            pass
        present = {who["user"]: who["name"] for who in self.table.who()}
        other.close()
        self.assertEqual(self.bot.names(*present, "u999999"), present)
        with self.assertRaises(Forbidden):
            self.open_bot("looks", "viewer").open(self.table_name()).append(item="no")


class Following(ServerTest):
    def setUp(self) -> None:
        self.bot = self.open_bot(self.table_name()[:100])
        self.bot.create(self.table_name(), STOCK)
        self.table = self.bot.open(self.table_name())

    def test_a_watcher_goes_on_from_any_number(self) -> None:
        row = self.table.append(item="bolt", qty=0)
        for _ in range(5):
            self.table.add(row, "qty", 1)
        last, lineage = self.table.seq, self.table.lineage
        for known in [None, lineage]:
            seen = self.bot.watch(self.table_name(), after=last - 3, lineage=known)
            self.assertEqual([next(seen).seq for _ in range(3)], [last - 2, last - 1, last])
            seen.close()
        with self.assertRaises(SessionLost):
            next(self.bot.watch(self.table_name(), after=last, lineage="another"))
        with self.assertRaises(SessionLost):
            next(self.bot.watch(self.table_name(), after=last + 1, lineage=lineage))

    def test_the_table_tells_each_record_after_it_was_applied(self) -> None:
        other = self.open_bot("edits").open(self.table_name())
        seen = self.table.watch()
        row = other.append(item="bolt", qty=1)
        record = next(seen)
        self.assertEqual((record.seq, record.session), (other.seq, other.session.number))
        self.assertEqual(self.table.cell(row, "qty"), 1)
        self.assertEqual(list(self.table.watch(timeout=0)), [])

    def test_without_following_edits_are_answered_all_the_same(self) -> None:
        blind = self.open_bot("blind", "appender").open(self.table_name(), follow=False)
        row = blind.append(item="bolt")
        self.assertEqual(blind.session.pending, {})
        self.assertTrue(self.table.wait_for(2))
        self.assertIn(row, self.table)

    def test_a_killed_server_is_waited_for(self) -> None:
        row = self.table.append(item="bolt", qty=0)
        operation = self.table.submit(self.table.edits().add(row, "qty", 1))
        self.server.kill(signal.SIGKILL)
        late = self.table.submit(self.table.edits().add(row, "qty", 1))
        self.server.start()
        self.table.wait(operation)
        self.table.wait(late)
        self.assertEqual(self.table.cell(row, "qty"), 2)
        self.table.verify()


class ExactlyOnce(ServerTest):
    def setUp(self) -> None:
        for name, seconds in [("BACKOFF_FIRST", 0.01), ("BACKOFF_MAX", 0.1)]:
            patched = mock.patch(f"roundtable.pace.{name}", seconds)
            patched.start()
            self.addCleanup(patched.stop)

    def test_cut_connections_double_nothing_and_lose_nothing(self) -> None:
        seed = int(os.environ.get("ROUNDTABLE_SEED", "4711"))
        calm = self.open_bot("calm")
        calm.create(self.table_name(), STOCK)
        replica = calm.open(self.table_name())
        row = replica.append(item="bolt", qty=0)
        proxy = CuttingProxy(self.server.port, seed)
        self.addCleanup(proxy.close)
        shaken = self.open_bot("shaken", address=f"127.0.0.1:{proxy.port}")
        for follow in [True, False]:
            table = shaken.open(self.table_name(), follow=follow)
            cuts = proxy.cuts
            operations, names = [], set()
            for number in range(150):
                edits = table.edits()
                edits.add(row if follow else "s1.1", "qty", 1)
                name = f"{follow} {number}"
                names.add(name)
                edits.insert([{"item": name}])
                operations.append(table.submit(edits))
                if number % 10 == 0:
                    table.wait(operations[-1])
            outcomes = [table.wait(operation) for operation in operations]
            with self.subTest(seed=seed, follow=follow):
                self.assertGreater(proxy.cuts, cuts, "nothing was cut")
                self.assertTrue(all(outcome.status == "ok" for outcome in outcomes))
                seqs = [outcome.seq for outcome in outcomes]
                self.assertEqual(len(set(seqs)), len(seqs))
            table.close()
        proxy.is_calm = True
        shaken_replica = shaken.open(self.table_name())
        self.assertTrue(replica.wait_for(shaken_replica.seq))
        self.assertEqual(replica.cell(row, "qty"), 300)
        self.assertEqual(len({one["item"] for one in replica}), len(replica))
        self.assertEqual(len(replica), 301)
        self.assertEqual(replica.verify(), shaken_replica.verify())

    def test_a_killed_process_goes_on_where_it_stood(self) -> None:
        bot = self.open_bot("keeper")
        bot.create(self.table_name(), STOCK)
        path = str(self.server.folder / "keeper.session")
        script = (
            "import os, sys\nfrom roundtable import Bot\nbot = Bot.load(sys.argv[1])\n"
            "t = bot.open(sys.argv[2], save=sys.argv[3])\n"
            "for n in range(40):\n    e = t.edits()\n    e.insert([{'item': str(n)}])\n"
            "    t.submit(e, tag=n)\n"
            "os.kill(os.getpid(), 9)\n"
        )
        command = [sys.executable, "-c", script, self.server.credentials("keeper2")]
        for _ in range(2):
            subprocess.run(
                command + [self.table_name(), path],
                env={**os.environ, "PYTHONPATH": str(PYTHON)},
                check=False,
            )
        with Bot.load(self.server.folder / "keeper2.json") as again:
            table = again.open(self.table_name(), save=path)
            left = table.pending
            tags = [operation.tag for operation in left]
            self.assertEqual(tags, sorted(tags)[-len(tags):] if tags else [])
            for operation in left:
                self.assertEqual(table.wait(operation).status, "ok")
            items = [row["item"] for row in table]
            self.assertEqual(sorted(items), sorted([str(n) for n in range(40)] * 2))
            table.append(item="more")
            with self.assertRaises(InvalidText):
                again.open(self.table_name(), save=path)
            table.verify()

    def test_two_copies_of_a_session_are_found_out(self) -> None:
        bot = self.open_bot("first")
        bot.create(self.table_name(), STOCK)
        path = str(self.server.folder / "first.session")
        first = bot.open(self.table_name(), save=path)
        first.append(item="one")
        copy = path + ".copy"
        with open(path, "rb") as source, open(copy, "wb") as target:
            target.write(source.read())
        thief = Bot(bot.address, bot.token, self.server.pin)
        self.addCleanup(thief.close)
        second = thief.open(self.table_name(), save=copy)
        second.append(item="two")
        with self.assertRaises(SessionLost) as caught:
            first.append(item="three")
        self.assertEqual(caught.exception.code, "session_forked")
        lost = first.start_anew()
        self.assertLessEqual(len(lost), 1)
        first.append(item="four")
        self.assertTrue(second.wait_for(first.seq))
        self.assertEqual(second.verify(), first.verify())


class HashEquality(ServerTest):
    def test_a_real_table_has_the_hash_that_the_command_line_computes(self) -> None:
        self.server.command("roundtable", "join", self.server.invite(), "--name", "Ann")
        tables = {"airports": PROJECT / "examples" / "airports.csv"}
        for name, path in tables.items():
            self.server.command("roundtable", "import", str(path), name)
            with self.open_bot("reader-" + name) as bot:
                table = bot.open(name)
                self.assertGreater(len(table), 1000)
                printed = self.server.command("roundtable", "hash", name)
                self.assertIn(table.verify(), printed)
                for row in list(table.rows(0, 300)):
                    table.set(row, "alt", None)
                table.move([table.at(700), table.at(3)], at=table.at(1000))
                printed = self.server.command("roundtable", "hash", name)
                self.assertIn(table.verify(), printed)


if __name__ == "__main__":
    unittest.main()
