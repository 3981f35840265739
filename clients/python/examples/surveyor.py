"""Walks down a table beside the people who edit it, and adds to a number of each row it passes.

    python3 surveyor.py bot.json airports alt

Others see its cursor move and the cells that it changes. A fourth argument says after how many
rows to stop, a fifth how many seconds to stay at each.
"""

import sys
import time
from typing import Optional

from roundtable import Bot, RowMissing

SCREEN = 20


def main(credentials: str, table: str, column: str, rows: Optional[int], pause: float) -> None:
    with Bot.load(credentials) as bot:
        land = bot.open(table)
        step = 0
        while rows is None or step < rows:
            if len(land) == 0:
                break
            row = land.at(step % min(SCREEN, len(land)))
            land.show_cursor(row, column)
            time.sleep(pause)
            land.refresh()
            try:
                land.add(row, column, 1)
            except RowMissing:
                pass  # Somebody deleted it while the bot stood there.
            step += 1
        print("passed", step, "rows")


if __name__ == "__main__":
    _, credentials, table, column, *rest = sys.argv
    main(
        credentials,
        table,
        column,
        int(rest[0]) if rest else None,
        float(rest[1]) if len(rest) > 1 else 1.0,
    )
