"""The examples, and the bots of the README, run as their readers would run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from typing import Dict, List

from .support import PATIENCE, PYTHON, ServerTest, wait_until

EXAMPLES = PYTHON / "examples"


def environment_of(with_library: bool) -> Dict[str, str]:
    """The environment of an example: with the library, or with nothing but Python."""
    environment = dict(os.environ, PYTHONUNBUFFERED="1")
    environment["PYTHONPATH"] = str(PYTHON) if with_library else ""
    return environment


class Examples(ServerTest):
    def setUp(self) -> None:
        self.folder = self.server.folder / self.table_name()
        self.folder.mkdir()
        self.credentials = self.server.credentials(self.table_name()[:100])
        shutil.copy(self.credentials, self.folder / "bot.json")

    def environment(self, with_library: bool = True) -> Dict[str, str]:
        return environment_of(with_library)

    def run_python(self, *words: str, with_library: bool = True) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env=self.environment(with_library),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def readme(self, name: str) -> str:
        text = (PYTHON / "README.md").read_text(encoding="utf-8")
        found = re.search(rf"<!-- example: {name} -->\n```python\n(.*?)```", text, re.DOTALL)
        assert found is not None
        return found.group(1)

    def test_the_readme_bots_run_as_they_stand(self) -> None:
        library, bare = self.readme("library"), self.readme("bare")
        self.assertLessEqual(len(library.strip().splitlines()), 10)
        self.assertIn("bolt 16", self.run_python("-c", library))
        self.assertIn("'status': 'ok'", self.run_python("-c", bare, with_library=False))
        with self.open_bot("reads") as bot:
            self.assertEqual([row["item"] for row in bot.open("stock", write=False)],
                             ["bolt", "nut"])
        # The bare bot checks the pin: at a server of another key it says nothing.
        other = (self.folder / "bot.json").read_text().replace(self.server.pin, "0" * 64)
        (self.folder / "bot.json").write_text(other)
        done = subprocess.run(
            [sys.executable, "-c", bare], cwd=self.folder, capture_output=True, text=True
        )
        self.assertIn("not my server", done.stderr)

    def test_counters_lose_no_step(self) -> None:
        outputs: List[str] = []
        counter = str(EXAMPLES / "counter.py")
        self.run_python(counter, "bot.json", "0")
        threads = [
            threading.Thread(
                target=lambda: outputs.append(self.run_python(counter, "bot.json", "50"))
            )
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertIn("stands at 150", "".join(outputs))

    def test_a_watcher_prints_each_change_once(self) -> None:
        bot = self.open_bot("edits")
        bot.create("watched", {"item": "text"})
        table = bot.open("watched")
        table.append(item="before")
        place = self.folder / "place.json"
        place.write_text(f'{{"seq": 1, "lineage": "{table.lineage}"}}')
        words = [str(EXAMPLES / "watcher.py"), "bot.json", "watched", "place.json", "0.5"]
        first = self.run_python(*words)
        self.assertIn('"before"', first)
        table.append(item="after")
        second = self.run_python(*words)
        self.assertIn('"after"', second)
        self.assertNotIn('"before"', second)
        self.assertEqual(self.run_python(*words), "")

    def test_the_stock_bot_orders_each_item_once(self) -> None:
        bot = self.open_bot("person")
        names = [info.name for info in bot.tables()]
        if "stock" not in names:
            bot.create("stock", {"item": "text", "qty": "int"})  # As the README's bot makes it.
        stock = bot.open("stock")
        self.assertNotIn("ordered", [column.name for column in stock.columns])
        low = stock.append(item="washer", qty=1)
        output = open(self.folder / "output", "w", encoding="utf-8")
        self.addCleanup(output.close)
        process = subprocess.Popen(
            [sys.executable, str(EXAMPLES / "stock.py"), "bot.json"],
            cwd=self.folder,
            env=self.environment(),
            stdout=output,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until("the column is there", lambda: bool(stock.refresh()) and len(stock.columns) == 3)
        wait_until("it is ordered", lambda: bool(stock.refresh()) and stock.cell(low, "ordered") == 50)
        other = stock.append(item="rivet", qty=9)
        stock.set(other, "qty", 2)
        wait_until("it is ordered", lambda: bool(stock.refresh()) and stock.cell(other, "ordered") == 50)
        stock.set(other, "qty", 1)
        process.kill()
        process.wait()
        words = [str(EXAMPLES / "stock.py"), "bot.json", "0.3"]
        self.run_python(*words)
        self.assertEqual(stock.version(other, "ordered")[0], 50)
        text = (self.folder / "output").read_text()
        self.assertEqual(text.count("ordered 50 of washer"), 1)
        self.assertEqual(text.count("ordered 50 of rivet"), 1)

    def test_the_surveyor_adds_to_each_row_it_passes(self) -> None:
        bot = self.open_bot("owner")
        bot.create("land", {"name": "text", "height": "int"})
        land = bot.open("land")
        land.insert([{"name": name, "height": 10} for name in ("hill", "dale")])
        words = [str(EXAMPLES / "surveyor.py"), "bot.json", "land", "height", "3", "0"]
        self.assertIn("passed 3 rows", self.run_python(*words))
        land.refresh()
        self.assertEqual([row["height"] for row in land.rows()], [12, 11])
