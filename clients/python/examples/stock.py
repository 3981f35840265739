"""Keeps a stock table in order beside people who edit it: orders what runs low, each item once.

    python3 stock.py bot.json

What it writes it writes on condition that nobody was faster; its session is kept in
`stock.session`, so that a kill in the middle orders nothing twice. A second argument says after
how many quiet seconds to stop.
"""

import sys
from typing import Optional

from roundtable import Bot, NameRefused, PreconditionFailed, Rejected, RowMissing, SharedTable

LOW, ORDER = 5, 50


def look_after(stock: SharedTable) -> None:
    """Orders what is low and not on order yet."""
    for row in stock.rows():
        quantity = row["qty"]
        if not isinstance(quantity, int) or quantity >= LOW or row["ordered"]:
            continue
        try:
            with stock.transaction(tag={"item": row["item"]}) as edits:
                edits.require_value(row, "ordered", row["ordered"])
                edits.set(row, "ordered", ORDER)
            print("ordered", ORDER, "of", row["item"], flush=True)
        except PreconditionFailed:
            print("somebody else ordered", row["item"], flush=True)
        except RowMissing:
            pass  # Deleted meanwhile: nothing to order.


def settle(stock: SharedTable) -> None:
    """Says what became of the orders that an earlier run was killed over."""
    for left in stock.pending:
        try:
            print("from an earlier run:", left.tag, stock.wait(left).status, flush=True)
        except Rejected as error:
            print("from an earlier run:", left.tag, error.code, flush=True)


def main(credentials: str, seconds: Optional[float]) -> None:
    with Bot.load(credentials) as bot:
        try:
            bot.create("stock", {"item": "text", "qty": "int", "ordered": "int"})
        except NameRefused:
            pass  # People have one already.
        stock = bot.open("stock", save="stock.session")
        settle(stock)
        if "ordered" not in [column.name for column in stock.columns]:
            stock.add_column("ordered", "int", if_absent=True)  # Theirs did without.
        look_after(stock)
        for _ in stock.watch(timeout=seconds):
            look_after(stock)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else None)
