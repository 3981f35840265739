"""How a table is shown, over TLS and the real server, which is killed in between."""

from __future__ import annotations

from typing import Any, Callable

from roundtable.errors import Rejected, RequestFailed

from .support import ServerTest, wait_until


class Display(ServerTest):
    def code(self, call: Callable[[], Any]) -> str:
        with self.assertRaises((Rejected, RequestFailed)) as caught:
            call()
        return str(caught.exception.code)

    def test_what_the_table_says_survives_a_kill_and_is_undone(self) -> None:
        ada = self.open_bot("ada-display")
        name = self.table_name()
        ada.create(name, {"n": "text", "q": "int"})
        stock = ada.open(name)
        before = stock.content_hash()
        stock.show_column("q", width=9, thousands=True)
        stock.show_table(frozen=1)
        stock.row_style("low", "q < 3", color="red", mark="!")
        stock.show_column("q", width=12)
        self.assertEqual(stock.content_hash(), before)
        self.server.kill()
        self.server.start()
        self.assertEqual(stock.undo().status, "ok")
        bob = self.server.bot("bob-display", address=self.server.address)
        self.addCleanup(bob.close)
        seen = bob.open(name)
        self.assertEqual(seen.columns[1].display, {"width": 9, "thousands": True})
        self.assertEqual(seen.display, {"frozen": 1})
        self.assertEqual([style["name"] for style in seen.row_styles], ["low"])
        self.assertEqual(seen.row_styles[0]["when"], '"c0.2" < 3')
        self.assertEqual(stock.redo().status, "ok")
        stock.delete_row_style("low")

        def is_gone() -> bool:
            seen.refresh()
            return not seen.row_styles

        wait_until("the record comes", is_gone)
        self.assertEqual(seen.columns[1].display["width"], 12)
        self.assertEqual(self.code(lambda: stock.show_column("n", decimals=2)), "bad_display")
        self.assertEqual(self.code(lambda: stock.show_column("n", width=0)), "bad_display")
        self.assertEqual(self.code(lambda: stock.row_style("x", "q", dim=True)), "bad_expression")
        kinds = [entry["kind"] for entry in ada.history(name)]
        self.assertIn("display", kinds)

    def test_what_a_user_says_for_herself_is_hers_alone(self) -> None:
        ada, other = self.open_bot("ada-mine"), self.open_bot("ada-mine-2")
        again = self.server.bot("ada-mine")  # Another token, the same user.
        self.addCleanup(again.close)
        name = self.table_name()
        ada.create(name, {"n": "text", "q": "int"})
        mine, second, theirs = ada.open(name), again.open(name), other.open(name)
        wanted = {"columns": {"c0.2": {"hidden": True, "width": "auto"}}, "frozen": 2}
        mine.show_me("q", hidden=True, width="auto")
        self.assertEqual(mine.show_me(frozen=2), wanted)

        def heard() -> bool:
            second.refresh()
            return bool(second.mine == wanted)

        wait_until("the other device hears of it", heard)
        theirs.refresh()
        self.assertEqual((theirs.mine, theirs.columns[1].display), ({}, {}))
        self.assertEqual(mine.seq, 1)
        self.server.kill()
        self.server.start()
        later = self.server.bot("ada-mine", address=self.server.address)
        self.addCleanup(later.close)
        found = later.open(name)
        self.assertEqual(found.mine, wanted)
        self.assertEqual(found.show_me("q", hidden=None, width=None), {"frozen": 2})
        self.assertEqual(found.show_me(), {})
        self.assertEqual(self.code(lambda: found.show_me("n", percent=True)), "bad_display")
        self.assertEqual(self.code(lambda: found.show_me("nope", width=3)), "unknown_column")
        viewer = self.server.bot("viewer-mine", "viewer", self.server.address)
        self.addCleanup(viewer.close)
        looking = viewer.open(name, write=False)
        self.assertEqual(looking.show_me("q", width=3), {"columns": {"c0.2": {"width": 3}}})
