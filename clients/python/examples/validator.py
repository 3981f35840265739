"""Looks at what people enter, and answers with comments on the cells that are wrong.

    python3 validator.py bot.json stock

A quantity is not below zero, and every row has an item. A comment is made on condition that the row is
still as it was judged; if it is not, the record of that change is on its way, and the row is judged
again. What has been put right is resolved. The role commenter is enough. A third argument says after
how many quiet seconds to stop.
"""

import sys
from typing import Optional, Tuple

from roundtable import Bot, PreconditionFailed, Row, RowMissing, SharedTable


def verdict(row: Row) -> Optional[Tuple[str, str]]:
    """The column that is wrong in a row, and what is; None where nothing is."""
    quantity = row["qty"]
    if not row["item"]:
        return "item", "an item is missing"
    if isinstance(quantity, int) and quantity < 0:
        return "qty", "the quantity is below zero"
    return None


def judge(stock: SharedTable, me: str) -> None:
    """Makes the comments that are not there yet, and resolves those that hold no longer."""
    said = {one.row: one for one in stock.comments(open_only=True) if one.user == me}
    for row in stock.rows():
        wrong, old = verdict(row), said.get(row.id)
        if (wrong and wrong[1]) == (old and old.text):
            continue
        try:
            with stock.transaction() as edits:
                edits.require_value(row, "item", row["item"])
                edits.require_value(row, "qty", row["qty"])
                if old:
                    edits.resolve_comment(old)
                if wrong:
                    edits.comment(row, wrong[1], column=wrong[0])
        except (PreconditionFailed, RowMissing):
            pass  # Changed or deleted meanwhile.


def main(credentials: str, table: str, seconds: Optional[float]) -> None:
    with Bot.load(credentials) as bot:
        stock = bot.open(table)
        judge(stock, bot.user)
        for record in stock.watch(timeout=seconds):
            if record.session != stock.session.number:
                judge(stock, bot.user)


if __name__ == "__main__":
    _, credentials, table, *rest = sys.argv
    main(credentials, table, float(rest[0]) if rest else None)
