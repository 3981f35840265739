"""A work queue: eight workers take rows that are open, each row exactly once, and mark them done.

    python3 work_queue.py bot.json jobs

The table has the columns state ("open", "taken", "done"), worker and times. A row is taken by
compare-and-set: of two workers that want it, one is refused, and takes another. A second argument
behind the table says how many workers there are.
"""

import asyncio
import sys

from roundtable import AsyncBot, PreconditionFailed


async def work(credentials: str, table: str, name: str) -> int:
    """Takes open rows until none is left; returns how many it took."""
    done = 0
    async with AsyncBot.load(credentials) as bot:
        jobs = await bot.open(table)
        while True:
            row = jobs.find("state", "open")
            if row is None:
                return done
            try:
                async with jobs.transaction() as edits:
                    edits.require_value(row, "state", "open")
                    edits.set_many([(row, "state", "taken"), (row, "worker", name)])
            except PreconditionFailed:
                await jobs.refresh()
                continue  # Somebody was faster. The refusal may come before the record of that.
            async with jobs.transaction() as edits:  # The work would be done before this.
                edits.set(row, "state", "done").add(row, "times", 1)
            done += 1


async def main(credentials: str, table: str, workers: int) -> None:
    each = [work(credentials, table, f"worker {number}") for number in range(workers)]
    print("done:", sum(await asyncio.gather(*each)))


if __name__ == "__main__":
    workers = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    asyncio.run(main(sys.argv[1], sys.argv[2], workers))
