"""Many bots at one table at once, through the real server over TLS.

Each bot has a connection of its own. They are plain `Edits` without a session where it does not
matter, and open tables where it does.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, List

from roundtable import Bot, PreconditionFailed, Rejected

from .support import PATIENCE, ServerTest

STOCK = {"item": "text", "qty": "int", "note": "text", "tags": "list"}


def all_at_once(works: List[Callable[[], Any]]) -> None:
    """Runs each in a thread of its own; raises the first error of any."""
    errors: List[BaseException] = []

    def run(work: Callable[[], Any]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    if errors:
        raise errors[0]


class Together(ServerTest):
    def bots(self, count: int) -> List[Bot]:
        # One bot may have 64 connections.
        tokens = [self.server.token(f"swarm{number}") for number in range(4)]
        found = []
        for number in range(count):
            bot = Bot(self.server.address, tokens[number % 4], self.server.pin, timeout=PATIENCE)
            self.addCleanup(bot.close)
            found.append(bot)
        return found

    def test_c15_c16_what_many_join_at_once_all_stays(self) -> None:
        owner = self.open_bot("ann")
        owner.create("joined", STOCK)
        table = owner.open("joined")
        row = table.append(item="bolt", qty=50)

        def work(bot: Bot, number: int) -> Callable[[], None]:
            def run() -> None:
                with bot.open("joined", follow=False) as mine:
                    mine.maximum(row, "qty", number)
                    mine.append_text(row, "note", f"<{number}>")
                    mine.list_add(row, "tags", number)
                    mine.list_add(row, "tags", "all", once=True)

            return run

        all_at_once([work(bot, 40 + number) for number, bot in enumerate(self.bots(20))])
        table.refresh()
        found = table.row(row)
        self.assertEqual(found["qty"], 59)
        note = str(found["note"])
        self.assertEqual(sorted(note.strip("<>").split("><")), [str(40 + n) for n in range(20)])
        tags = found["tags"]
        assert isinstance(tags, list)
        self.assertEqual(sorted(tag for tag in tags if tag != "all"), [40 + n for n in range(20)])
        self.assertEqual(tags.count("all"), 1)
        self.assertEqual(table.list_remove(row, "tags", "all").count("all"), 0)  # type: ignore
        with self.assertRaises(Rejected) as caught:
            table.append_text(row, "qty", "x")
        self.assertEqual(caught.exception.code, "wrong_type")

    def test_100_bots_upsert_one_key_and_append_at_once(self) -> None:
        owner = self.open_bot("ben")
        owner.create("keyed", STOCK)
        table = owner.open("keyed")
        with self.assertRaises(Rejected) as caught:
            table.upsert("item", "bolt")
        self.assertEqual(caught.exception.code, "not_unique")
        table.commit(table.edits().change_rules("item", unique=True))
        answers: List[Any] = []

        def work(bot: Bot, number: int) -> Callable[[], None]:
            def run() -> None:
                with bot.open("keyed", follow=False) as mine:
                    answers.append(mine.upsert("item", "bolt", {"qty": number}, {"note": "new"}))
                    mine.append(item=f"nut {number}")

            return run

        all_at_once([work(bot, number) for number, bot in enumerate(self.bots(100))])
        table.refresh()
        self.assertEqual(len(table), 101)
        self.assertEqual(len({row for row, _ in answers}), 1)
        self.assertEqual([is_new for _, is_new in answers].count(True), 1)
        bolt = table.row(answers[0][0])
        self.assertEqual((bolt["item"], bolt["note"]), ("bolt", "new"))
        self.assertIn(bolt["qty"], range(100))
        self.assertEqual({row["item"] for row in table}, {"bolt"} | {f"nut {n}" for n in range(100)})

    def test_c3_a_stale_compare_and_set_is_refused_with_the_current_value(self) -> None:
        person, bot = self.open_bot("cas-ann"), self.open_bot("cas-bot")
        person.create("cas", STOCK)
        table = person.open("cas")
        row = table.append(item="bolt", qty=1)
        with bot.open("cas", follow=False) as mine:
            seen = mine.set(row, "qty", 2, if_value=1)
            table.refresh()
            table.set(row, "qty", 30)
            with self.assertRaises(PreconditionFailed) as caught:
                mine.set(row, "qty", 3, if_value=2)
            current = caught.exception.current
            assert current is not None and seen.seq is not None
            self.assertEqual((current["value"], current["session"]), (30, table.session.number))
            self.assertGreater(current["seq"], seen.seq)
            edits = mine.edits()
            edits.insert([{"item": "bolt"}])
            with self.assertRaises(PreconditionFailed) as caught:
                mine.commit(edits.require_absent("item", "bolt"))
            error = caught.exception.outcome.error
            assert error is not None and error.current is not None
            self.assertEqual((error.row, error.current["value"]), (row, "bolt"))


JOBS = {"job": "int", "state": "text", "worker": "text"}


class Claims(Together):
    def jobs(self, name: str, count: int) -> Bot:
        owner = self.open_bot(name)
        owner.create(name, JOBS)
        with owner.open(name, follow=False) as table:
            for start in range(0, count, 5_000):
                table.insert(
                    [{"job": n, "state": "open"} for n in range(start, min(count, start + 5_000))]
                )
        return owner

    def test_c18_100_bots_claim_10_000_rows_each_row_once(self) -> None:
        owner = self.jobs("many", 10_000)
        given: List[List[str]] = []

        def work(bot: Bot, number: int) -> Callable[[], None]:
            def run() -> None:
                mine: List[str] = []
                given.append(mine)
                with bot.open("many", follow=False) as table:
                    while True:
                        claim = table.claim(
                            {"state": "taken", "worker": f"w{number}"}, where="state = 'open'"
                        )
                        if claim is None:
                            return
                        mine.append(claim.id)

            return run

        all_at_once([work(bot, number) for number, bot in enumerate(self.bots(100))])
        rows = [row for mine in given for row in mine]
        self.assertEqual((len(rows), len(set(rows))), (10_000, 10_000))
        with owner.open("many") as table:
            self.assertEqual({row["state"] for row in table}, {"taken"})

    def test_c20_what_killed_bots_had_is_given_to_others(self) -> None:
        owner = self.jobs("killed", 300)
        done: List[int] = []

        def work(bot: Bot, is_killed: bool) -> Callable[[], None]:
            def run() -> None:
                table = bot.open("killed", follow=False)
                while len(done) < 300:
                    claim = table.claim({"state": "taken"}, "state = 'open'", lease=1)
                    if claim is None:
                        time.sleep(0.02)  # poll: leases of the killed end by time
                        continue
                    if is_killed:
                        # Nothing is said any more, as by a process that was killed.
                        bot._cut("killed")
                        return
                    try:
                        claim.finish({"state": "done"})
                    except Rejected as error:
                        self.assertIn(error.code, ["not_leased", "leased_to_other"])
                        continue
                    done.append(int(str(claim["job"])))

            return run

        all_at_once([work(bot, n % 3 == 0) for n, bot in enumerate(self.bots(30))])
        self.assertEqual(sorted(done), list(range(300)))
        with owner.open("killed") as table:
            self.assertEqual({row["state"] for row in table}, {"done"})

    def test_c19_a_lease_is_kept_finished_or_given_back(self) -> None:
        owner = self.jobs("kept", 2)
        with owner.open("kept", follow=False) as table:
            with self.assertRaises(ZeroDivisionError):
                with self.claimed(table) as claim:
                    self.assertEqual((claim["job"], claim["state"]), (0, "taken"))
                    claim.renew(600)
                    raise ZeroDivisionError
            with self.claimed(table) as claim:
                self.assertEqual(claim["job"], 0)
            with self.claimed(table) as claim:
                self.assertEqual(claim["job"], 1)
            self.assertIsNone(table.claim({"state": "taken"}, "state = 'open'", lease=60))
            with self.assertRaises(Rejected) as caught:
                claim.renew(5)
            self.assertEqual(caught.exception.code, "not_leased")

    def claimed(self, table: Any) -> Any:
        claim = table.claim({"state": "taken"}, "state = 'open'", lease=60)
        self.assertIsNotNone(claim)
        return claim


class Comments(ServerTest):
    def test_comments_are_made_answered_resolved_and_followed(self) -> None:
        bot, other = self.open_bot("commenting"), self.open_bot("reading")
        bot.create("comments", {"item": "text", "qty": "int"})
        table = bot.open("comments")
        row, second = table.insert([{"item": "bolt", "qty": 1}, {"item": "nut", "qty": 2}])
        why = table.comment(row, "why?", column="qty")
        answer = table.comment(row, "\x1b[31mbecause\n", reply_to=why)
        table.comment(second, "and this?")
        followed = other.open("comments")
        self.assertEqual(followed.comments(), table.comments())
        self.assertEqual([one.id for one in followed.comments(row)], [why, answer])
        self.assertEqual([one.text for one in followed.comments(column="qty")], ["why?"])
        followed.resolve_comment(why)
        table.refresh()
        resolved = table.comments(row)[0]
        self.assertEqual(resolved.resolved and resolved.resolved[0], other.user)
        self.assertEqual((resolved.user, resolved.is_open), (bot.user, False))
        self.assertEqual(len(table.comments(open_only=True)), 2)
        followed.resolve_comment(why, resolved=False)
        table.edit_comment(why, "how?")
        table.delete_comment(answer)
        self.assertEqual(list(bot.comments("comments")), table.comments())
        table.undo()
        table.delete(row)
        found = list(other.comments("comments", row=row, open_only=True))
        self.assertEqual([(one.text, one.hidden) for one in found][:1], [("how?", True)])
        self.assertEqual(found, table.comments(row))
        with self.assertRaises(Rejected) as caught:
            table.resolve_comment("m999.1")
        self.assertEqual(caught.exception.code, "unknown_comment")
        table.verify()
