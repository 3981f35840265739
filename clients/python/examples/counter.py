"""Counts: adds to a number in a shared table, however many others do the same.

    python3 counter.py bot.json 100

`bot.json` comes from `roundtabled token --bot counter --role owner --file bot.json`.
"""

import sys

from roundtable import Bot, NameRefused


def main(credentials: str, times: int) -> None:
    with Bot.load(credentials) as bot:
        try:
            bot.create("counters", {"name": "text", "value": "int"})
        except NameRefused:
            pass  # Another counter was here first.
        counters = bot.open("counters")
        row = counters.find("name", "demo")
        identifier = row.id if row else counters.append(name="demo", value=0)
        for _ in range(times):
            # No reading first and no lock: `add` adds to whatever is there by then.
            counters.add(identifier, "value", 1)
        print("the counter stands at", counters.cell(identifier, "value"))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
