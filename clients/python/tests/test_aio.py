"""The library for asyncio against the real server, and what both forms have in common."""

from __future__ import annotations

import asyncio
import inspect
import unittest
from typing import Any, Awaitable, Callable, List

from roundtable import (
    AsyncBot,
    AsyncTable,
    Bot,
    Cursor,
    InvalidText,
    LoginFailed,
    NameRefused,
    NotTrusted,
    OutOfTime,
    Position,
    PreconditionFailed,
    RequestFailed,
    SessionLost,
    SharedTable,
    Unreachable,
    WrongType,
)

from .support import PATIENCE, CuttingProxy, ServerTest

STOCK = {"item": "text", "qty": "int"}


def run(body: Callable[[], Awaitable[None]]) -> None:
    """Runs a coroutine with a limit that only a broken library needs."""

    async def limited() -> None:
        await asyncio.wait_for(body(), PATIENCE)

    asyncio.run(limited())


class Names(unittest.TestCase):
    def test_both_forms_have_the_same_names(self) -> None:
        pairs: List[Any] = [(Bot, AsyncBot), (SharedTable, AsyncTable)]
        for one, other in pairs:
            names = [name for name in dir(one) if not name.startswith("_")]
            missing = [name for name in names if not hasattr(other, name)]
            self.assertEqual(missing, [])
            for name in names:
                ours, theirs = getattr(one, name), getattr(other, name, None)
                if inspect.isfunction(ours) and inspect.isfunction(theirs):
                    self.assertEqual(
                        list(inspect.signature(ours).parameters),
                        list(inspect.signature(theirs).parameters),
                        name,
                    )


class Async(ServerTest):
    def load(self, name: str, address: str = "") -> AsyncBot:
        token = self.server.token(f"{self.table_name()[:80]}-{name}")
        return AsyncBot(address or self.server.address, token, self.server.pin, timeout=PATIENCE)

    def test_a_snapshot_is_of_one_number_and_a_preview_changes_nothing(self) -> None:
        async def body() -> None:
            async with self.load("a") as bot:
                await bot.create("shots", STOCK)
                table = await bot.open("shots")
                await table.insert([{"qty": number} for number in range(100)])
                edits = table.edits().delete(table.at(0).id)
                self.assertEqual((await bot.preview("shots", edits)).status, "ok")
                refused = await bot.preview("shots", table.edits().set(table.at(0), "none", 1))
                self.assertTrue(refused.rejected)
                self.assertEqual((await bot.hash("shots"))[0], table.seq)
                place, columns, pages = await bot.snapshot("shots", size=30)
                await table.delete(table.at(0))
                self.assertEqual(list(columns.values()), list(STOCK))
                read = list(pages)
                self.assertEqual([len(page.rows) for page in read], [30, 30, 30, 10])
                self.assertEqual({page.seq for page in read}, {place.seq})
                watch = bot.watch("shots", place.seq, place.lineage, timeout=0.5)
                self.assertEqual([record.seq async for record in watch], [place.seq + 1])

        run(body)

    def test_tables_and_edits_of_every_kind(self) -> None:
        async def body() -> None:
            async with self.load("a") as bot:
                await bot.create("parts", STOCK)
                self.assertIn("parts", [info.name for info in await bot.tables()])
                stock = await bot.open("parts")
                bolt = await stock.append(item="bolt", qty=5)
                await stock.set(bolt, "qty", 6, if_value=5)
                self.assertEqual(await stock.add(bolt, "qty", 10), 16)
                more = await stock.insert([{"item": "nut"}, {"item": "screw"}], at="first")
                await stock.move(bolt, at="first")
                await stock.delete(more[0])
                self.assertEqual([row["item"] for row in stock], ["bolt", "screw"])
                await stock.add_column("state", "choice", rules={"choices": ["open"]})
                await stock.change_rules("state", choices_added=["done"])
                await stock.rename_column("state", "how")
                await stock.move_column("how", "first")
                await stock.set(bolt, "how", "done")
                await stock.delete_column("how")
                outcome = await stock.undo()
                self.assertEqual([c.name for c in stock.columns], ["how", "item", "qty"])
                self.assertIsNotNone(outcome.undid)
                await stock.redo()
                async with stock.transaction() as edits:
                    edits.require_row(bolt)
                    new = edits.insert([{"item": "washer"}], at=bolt)
                    edits.set(new[0], "qty", 1)
                assert edits.outcome is not None
                self.assertEqual(edits.outcome.status, "ok")
                await stock.commit(stock.edits().sort("-qty"))
                self.assertEqual([row["item"] for row in stock], ["bolt", "washer", "screw"])
                with self.assertRaises(PreconditionFailed) as caught:
                    await stock.set(bolt, "qty", 1, if_value=99)
                self.assertEqual((caught.exception.current or {}).get("value"), 16)
                with self.assertRaises(WrongType):
                    await stock.set(bolt, "qty", "many")
                value, version = await stock.version(bolt, "qty")
                await stock.set(bolt, "qty", value, if_version=version)
                await stock.verify()
                self.assertEqual(await bot.hash("parts"), (stock.seq, stock.content_hash()))
                await stock.show_cursor(bolt, "qty", editing=True)
                while not any(one.get("editing") for one in await stock.who()):
                    pass
                await stock.close()
                with self.assertRaises(NameRefused):
                    await bot.create("Parts", {})
                self.assertEqual(await bot.rename("parts", "pieces"), "pieces")
                number = await bot.drop("pieces")
                self.assertEqual(await bot.restore(number), "pieces")

        run(body)

    def test_joining_and_upserts(self) -> None:
        async def body() -> None:
            async with self.load("a") as bot:
                await bot.create("joined", {**STOCK, "tags": "list"})
                table = await bot.open("joined")
                await table.change_rules("item", unique=True)
                row, is_new = await table.upsert("item", "bolt", {"qty": 5})
                self.assertEqual(await table.upsert("item", "bolt", {"qty": 7}), (row, False))
                self.assertTrue(is_new)
                self.assertEqual(await table.minimum(row, "qty", 6), 6)
                self.assertEqual(await table.maximum(row, "qty", 9), 9)
                self.assertEqual(await table.append_text(row, "item", "s"), "bolts")
                self.assertEqual(await table.list_add(row, "tags", "new"), ["new"])
                self.assertEqual(await table.list_remove(row, "tags", "new"), [])
                job = await table.claim({"qty": 1}, where="qty = 9", lease=60)
                assert job is not None
                self.assertEqual((job.id, job["qty"], job.is_leased), (row, 1, True))
                self.assertIsNone(await table.claim({"qty": 1}, where="qty <= 9", lease=60))
                await job.renew(60)
                await job.give_back()
                self.assertEqual(table.cell(row, "qty"), 9)
                job = await table.claim({"qty": 2}, where="qty = 9", lease=60)
                assert job is not None
                async with job:
                    pass
                self.assertEqual(table.cell(row, "qty"), 2)

        run(body)

    def test_comments(self) -> None:
        async def body() -> None:
            async with self.load("a") as bot:
                await bot.create("talk", STOCK)
                table = await bot.open("talk")
                row = await table.append(qty=9)
                why = await table.comment(row, "why?", column="qty")
                answer = await table.comment(row, "because", reply_to=why)
                await table.edit_comment(why, "how?")
                await table.resolve_comment(why)
                await table.delete_comment(answer)
                here = table.comments()
                there = [comment async for comment in bot.comments("talk")]
                self.assertEqual(here, there)
                self.assertEqual([(one.text, one.is_open) for one in here], [("how?", False)])

        run(body)

    def test_many_tasks_share_a_connection(self) -> None:
        async def body() -> None:
            async with self.load("a") as bot:
                await bot.create("shared", STOCK)
                stock = await bot.open("shared", window=1024)
                row = await stock.append(item="bolt", qty=0)
                await asyncio.gather(*(stock.add(row, "qty", 1) for _ in range(200)))
                operations = [
                    stock.submit(stock.edits().add(row, "qty", 1)) for _ in range(200)
                ]
                for operation in operations:
                    await stock.wait(operation)
                self.assertEqual(stock.cell(row, "qty"), 400)

        run(body)

    def test_watches_follow_and_go_on_from_a_cursor(self) -> None:
        async def body() -> None:
            async with self.load("a") as bot:
                await bot.create("followed", STOCK)
                stock = await bot.open("followed")
                row = await stock.append(item="bolt", qty=0)
                cursor = Cursor("async", self.server.folder)
                self.assertEqual([r async for r in bot.watch("followed", timeout=0.05)], [])
                self.assertEqual(
                    [r async for r in bot.watch("followed", timeout=0.05, cursor=cursor)], []
                )
                start = stock.seq
                self.assertEqual(cursor.position, Position(stock.lineage, start))
                for _ in range(5):
                    await stock.add(row, "qty", 1)
                seen = []
                watch = bot.watch("followed", cursor=Cursor("async", self.server.folder))
                async for record in watch:
                    seen.append(record.seq)
                    if len(seen) == 3:
                        break
                await watch.aclose()
                self.assertEqual(seen, [start + 1, start + 2, start + 3])
                # The third was given, and not dealt with: it comes again.
                again = Cursor("async", self.server.folder)
                assert again.position is not None
                first = again.position.seq + 1
                self.assertLessEqual(first, start + 3)
                rest = [r.seq async for r in bot.watch("followed", timeout=1, cursor=again)]
                self.assertEqual(rest, list(range(first, start + 6)))
                with self.assertRaises(SessionLost):
                    async for _ in bot.watch("followed", 1, "another", timeout=1):
                        pass
                mine = asyncio.ensure_future(first_of(stock))
                await asyncio.sleep(0)  # poll: lets the watch begin
                await stock.add(row, "qty", 1)
                self.assertEqual(await mine, start + 6)

        async def first_of(stock: AsyncTable) -> int:
            async for record in stock.watch():
                return record.seq
            return 0

        run(body)

    def test_a_slow_watch_gets_all(self) -> None:
        async def body() -> None:
            async with self.load("a") as bot:
                await bot.create("slow", STOCK)
                stock = await bot.open("slow", window=1024)
                row = await stock.append(qty=0)
                watch = bot.watch("slow", after=1, lineage=stock.lineage)
                first = await watch.__anext__()
                self.assertEqual(first.seq, 2)
                operations = [stock.submit(stock.edits().add(row, "qty", 1)) for _ in range(3000)]
                for operation in operations:
                    await stock.wait(operation)
                for seq in range(3, 3003):
                    self.assertEqual((await watch.__anext__()).seq, seq)
                await watch.aclose()

        run(body)

    def test_pages_are_of_one_number(self) -> None:
        async def body() -> None:
            async with self.load("a") as bot:
                await bot.create("paged", STOCK)
                stock = await bot.open("paged")
                await stock.insert([{"qty": number} for number in range(1000)])
                seen, numbers = [], set()
                async for page in bot.pages("paged", size=128):
                    self.assertEqual(page.total, 1000)
                    numbers.add(page.seq)
                    seen += [row[1] for row in page.cells]
                    await stock.delete(page.rows[0])
                    await stock.insert([{"qty": -1}], at="first")
                self.assertEqual((seen, len(numbers)), (list(range(1000)), 1))
                here = [row["qty"] for page in stock.pages(100) for row in page]
                self.assertEqual(len(here), 1000)

        run(body)

    def test_each_operation_counts_once_over_cut_connections(self) -> None:
        proxy = CuttingProxy(self.server.port, seed=7)
        self.addCleanup(proxy.close)

        async def body() -> None:
            async with self.load("a") as calm:
                await calm.create("cut", STOCK)
            address = f"127.0.0.1:{proxy.port}"
            async with self.load("b", address) as bot:
                stock = await bot.open("cut")
                row = await stock.append(qty=0)
                # No more at once than pass a connection that is cut this early.
                for _ in range(15):
                    await asyncio.gather(*(stock.add(row, "qty", 1) for _ in range(10)))
                proxy.is_calm = True
                await stock.verify()
                self.assertEqual(stock.cell(row, "qty"), 150)

        run(body)
        self.assertGreater(proxy.cuts, 0)

    def test_a_session_goes_on_in_the_next_process(self) -> None:
        async def body() -> None:
            path = str(self.server.folder / "async.session")
            async with self.load("a") as bot:
                await bot.create("kept", STOCK)
                stock = await bot.open("kept", save=path)
                row = await stock.append(qty=0)
                # Given, and the bot is closed before anything can leave.
                stock.submit(stock.edits().add(row, "qty", 1), tag="late")
                bot._write_notes()
                bot._hang_up()
                number = stock.session.number
            async with AsyncBot(self.server.address, bot.token, self.server.pin) as next_bot:
                stock = await next_bot.open("kept", save=path)
                self.assertEqual(stock.session.number, number)
                for left in stock.pending:
                    self.assertEqual(left.tag, "late")
                    await stock.wait(left)
                await stock.verify()
                self.assertEqual(stock.cell(row, "qty"), 1)

        run(body)

    def test_what_is_wrong_is_told(self) -> None:
        async def body() -> None:
            token = self.server.token("wrong")
            async with AsyncBot(self.server.address, token, "00" * 32) as bot:
                with self.assertRaises(NotTrusted):
                    await bot.connect()
            async with AsyncBot(
                self.server.address, "rt1b_" + "a" * 52, self.server.pin
            ) as bot:
                with self.assertRaises(LoginFailed):
                    await bot.tables()
            async with AsyncBot("127.0.0.1:1", token, self.server.pin, timeout=0.1) as bot:
                with self.assertRaises(Unreachable):
                    await bot.tables()
            async with self.load("a") as bot:
                await bot.create("told", STOCK)
                stock = await bot.open("told")
                operation = stock.submit(stock.edits().set("s1.1", "qty", 1))
                with self.assertRaises(OutOfTime):
                    await stock.wait(operation, timeout=0)
                waiting = asyncio.ensure_future(stock.wait_for(1000))
                await asyncio.sleep(0)  # poll: lets it begin to wait
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting
                await bot.drop("told")
                with self.assertRaises(SessionLost):
                    await stock.append(qty=1)
            with self.assertRaises(Unreachable):
                await bot.tables()
            path = str(self.server.folder / "joined.json")
            joined = await AsyncBot.join(self.server.invite("editor"), "Ann", save=path)
            await joined.close()
            async with AsyncBot.load(path) as bot:
                await bot.connect()
                self.assertEqual(bot.name, "Ann")
                with self.assertRaises(RequestFailed):
                    await bot.open("nothing")

        run(body)


class Cursors(ServerTest):
    def test_a_cursor_goes_on_behind_what_was_dealt_with(self) -> None:
        bot = self.open_bot("cursors")
        bot.create("dealt", STOCK)
        table = bot.open("dealt")
        row = table.append(qty=0)
        cursor = Cursor("deal", self.server.folder)
        self.assertIsNone(cursor.position)
        self.assertEqual(list(bot.watch("dealt", timeout=0.05, cursor=cursor)), [])
        start = table.seq
        for _ in range(4):
            table.add(row, "qty", 1)
        for record in bot.watch("dealt", cursor=Cursor("deal", self.server.folder)):
            if record.seq == start + 2:
                break
        again = Cursor("deal", self.server.folder)
        assert again.position is not None
        first = again.position.seq + 1
        self.assertLessEqual(first, start + 2)
        seen = [record.seq for record in bot.watch("dealt", timeout=0.5, cursor=again)]
        self.assertEqual(seen, list(range(first, start + 5)))
        self.assertEqual(list(bot.watch("dealt", timeout=0.05, cursor=again)), [])
        again.remove()
        self.assertIsNone(Cursor("deal", self.server.folder).position)

    def test_damage_and_bad_names_are_told(self) -> None:
        for name in ("", "a/b", ".hidden"):
            with self.assertRaises(InvalidText):
                Cursor(name, self.server.folder)
        (self.server.folder / "hurt.cursor").write_text("{}")
        with self.assertRaises(InvalidText):
            Cursor("hurt", self.server.folder)

    def test_pages_are_of_one_number(self) -> None:
        bot = self.open_bot("pages")
        bot.create("paged", STOCK)
        table = bot.open("paged")
        table.insert([{"qty": number} for number in range(300)])
        seen = []
        position, columns, pages = bot.snapshot("paged", size=64)
        for page in pages:
            self.assertEqual(page.seq, position.seq)
            seen += [cells[1] for cells in page.cells]
            table.delete(page.rows[-1])
        self.assertEqual(seen, list(range(300)))
        self.assertEqual(list(columns.values()), ["item", "qty"])
        after = list(bot.watch("paged", position.seq, position.lineage, timeout=0.5))
        self.assertEqual(len(after), 5)
        self.assertEqual(sum(len(page.rows) for page in bot.pages("paged", size=7)), 295)


if __name__ == "__main__":
    unittest.main()
