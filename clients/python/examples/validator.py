"""Looks at what people enter, and says beside it what is wrong: a verdict in a column of its own.

    python3 validator.py bot.json stock

A quantity is not below zero, and every row has an item. The verdict is written on condition that the
row is still as it was judged; if it is not, the record of that change is on its way, and the row is
judged again. A third argument says after how many quiet seconds to stop.
"""

import sys
from typing import Optional

from roundtable import Bot, PreconditionFailed, Row, RowMissing, SharedTable


def verdict(row: Row) -> Optional[str]:
    """What is wrong with a row; None where nothing is."""
    quantity = row["qty"]
    if not row["item"]:
        return "an item is missing"
    if isinstance(quantity, int) and quantity < 0:
        return "the quantity is below zero"
    return None


def judge(stock: SharedTable) -> None:
    """Writes the verdicts that are not there yet."""
    for row in stock.rows():
        if verdict(row) == row["verdict"]:
            continue
        try:
            with stock.transaction() as edits:
                edits.require_value(row, "item", row["item"])
                edits.require_value(row, "qty", row["qty"])
                edits.set(row, "verdict", verdict(row))
        except (PreconditionFailed, RowMissing):
            pass  # Changed or deleted meanwhile.


def main(credentials: str, table: str, seconds: Optional[float]) -> None:
    with Bot.load(credentials) as bot:
        stock = bot.open(table)
        stock.add_column("verdict", "text", if_absent=True)
        judge(stock)
        for record in stock.watch(timeout=seconds):
            if record.session != stock.session.number:
                judge(stock)


if __name__ == "__main__":
    _, credentials, table, *rest = sys.argv
    main(credentials, table, float(rest[0]) if rest else None)
