"""The work queue, the mirror and the validator, run as their readers would; and the guide's code."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from typing import Any, List

from .support import PATIENCE, PROJECT, ServerTest, wait_until
from .test_examples import EXAMPLES, environment_of


class BotExamples(ServerTest):
    def setUp(self) -> None:
        self.folder = self.server.folder / self.table_name()
        self.folder.mkdir()
        shutil.copy(self.server.credentials(self.table_name()[:90]), self.folder / "bot.json")
        self.bot = self.open_bot(self.table_name()[:90] + "-test")

    def start(self, *words: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, *words],
            cwd=self.folder,
            env=environment_of(True),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def run_python(self, *words: str) -> str:
        output, errors = self.start(*words).communicate(timeout=PATIENCE)
        self.assertEqual(errors, "")
        return output

    def test_eight_workers_do_each_job_once(self) -> None:
        self.bot.create("jobs", {"state": "text", "worker": "text", "times": "int"})
        jobs = self.bot.open("jobs")
        jobs.insert([{"state": "open"} for _ in range(60)])
        output = self.run_python(str(EXAMPLES / "work_queue.py"), "bot.json", "jobs")
        self.assertEqual(output, "done: 60\n")
        jobs.verify()
        self.assertEqual({(row["state"], row["times"]) for row in jobs}, {("done", 1)})

    def test_a_mirror_goes_on_after_a_kill_and_ends_with_the_same_cells(self) -> None:
        self.bot.create("seen", {"item": "text", "qty": "int", "due": "date"})
        table = self.bot.open("seen")
        rows = table.insert([{"item": f"item {n}", "qty": n} for n in range(50)])
        path = self.folder / "mirror.sqlite"
        words = [str(EXAMPLES / "mirror.py"), "bot.json", "seen", str(path)]
        process = self.start(*words)
        table.set(rows[0], "qty", 1000)
        wait_until("the first change is there", lambda: (rows[0], 1000) in self.mirrored(path))
        for number in range(1, 20):
            table.add(rows[number], "qty", 1)
        process.kill()
        process.wait()
        table.delete(rows[1], rows[2])
        table.undo()
        table.delete(rows[3])
        table.append(item="late", qty=7)
        table.commit(table.edits().transform("qty", "qty * 2"))
        self.run_python(*words, "0.5")
        expected = {(row.id, row["qty"]) for row in table}
        self.assertEqual(set(self.mirrored(path)), expected)

    def mirrored(self, path: Any) -> List[Any]:
        mirror = sqlite3.connect(path)
        try:
            found = mirror.execute("select row, value from cells where col = 'c0.2'").fetchall()
        except sqlite3.OperationalError:
            found = []  # Not made yet, or busy.
        finally:
            mirror.close()
        return [(row, json.loads(value)) for row, value in found]

    def test_a_validator_says_what_is_wrong(self) -> None:
        self.bot.create("checked", {"item": "text", "qty": "int"})
        table = self.bot.open("checked")
        good, bad = table.insert([{"item": "bolt", "qty": 1}, {"item": "nut", "qty": -1}])
        self.start(str(EXAMPLES / "validator.py"), "bot.json", "checked")

        def verdicts(open_only: bool = True) -> List[Any]:
            table.refresh()
            return [(one.row, one.text) for one in table.comments(open_only=open_only)]

        below = (bad, "the quantity is below zero")
        wait_until("the bad is found", lambda: bool(verdicts()))
        self.assertEqual(verdicts(), [below])
        table.set(bad, "qty", 2)
        table.set(good, "item", None)
        missing = (good, "an item is missing")
        wait_until("it is judged anew", lambda: verdicts() == [missing])
        self.assertEqual(verdicts(open_only=False), [below, missing])

    def test_the_code_of_the_guide_runs_as_it_stands(self) -> None:
        text = (PROJECT / "docs" / "guides" / "bots.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 5)
        for number, block in enumerate(blocks):
            with self.subTest(block=number):
                self.run_python("-c", block)
