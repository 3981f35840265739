"""Prints every change of a table as it happens, and after a restart goes on where it stopped.

    python3 watcher.py bot.json stock place.json

`place.json` keeps the number of the last record that was printed. A fourth argument says after how
many quiet seconds to stop.
"""

import json
import os
import sys
from typing import Optional

from roundtable import Bot, SessionLost


def main(credentials: str, table: str, place: str, seconds: Optional[float]) -> None:
    after, lineage = None, None
    if os.path.exists(place):
        with open(place, encoding="utf-8") as file:
            found = json.load(file)
        after, lineage = found["seq"], found["lineage"]
    with Bot.load(credentials) as bot:
        try:
            for record in bot.watch(table, after, lineage, timeout=seconds):
                for change in record.changes:
                    print(record.seq, record.user, json.dumps(change), flush=True)
                with open(place + ".new", "w", encoding="utf-8") as file:
                    json.dump({"seq": record.seq, "lineage": record.lineage}, file)
                os.replace(place + ".new", place)
        except SessionLost as lost:
            sys.exit(f"{lost.message}; remove {place} to begin with the next change")


if __name__ == "__main__":
    _, credentials, table, place, *rest = sys.argv
    main(credentials, table, place, float(rest[0]) if rest else None)
