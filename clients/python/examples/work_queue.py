"""A work queue: eight workers take rows that are open, each row exactly once, and mark them done.

    python3 work_queue.py bot.json jobs

The table has the columns state ("open", "taken", "done"), worker and times. A claim gives the next
open row to one worker; should that one die, the row is open again when its lease has ended. A
second argument behind the table says how many workers there are.
"""

import asyncio
import sys

from roundtable import AsyncBot


async def work(credentials: str, table: str, name: str) -> int:
    """Takes open rows until none is left; returns how many it took."""
    done = 0
    async with AsyncBot.load(credentials) as bot:
        jobs = await bot.open(table)
        taking = {"state": "taken", "worker": name}
        while True:
            job = await jobs.claim(taking, where="state = 'open'", lease=60)
            if job is None:
                return done
            await jobs.add(job.id, "times", 1)  # The work; job.renew keeps the row if it takes long.
            await job.finish({"state": "done"})
            done += 1


async def main(credentials: str, table: str, workers: int) -> None:
    each = [work(credentials, table, f"worker {number}") for number in range(workers)]
    print("done:", sum(await asyncio.gather(*each)))


if __name__ == "__main__":
    workers = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    asyncio.run(main(sys.argv[1], sys.argv[2], workers))
