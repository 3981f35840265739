"""The order of rows: a list in blocks, so that a row finds its place without a long search.

Finding, inserting, moving and deleting cost about the square root of the number of rows.
"""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, List, Optional, Sequence

_BLOCK_ROWS = 512


class RowOrder:
    """Row numbers in the table's order; each at most once."""

    def __init__(self) -> None:
        self._blocks: List[List[int]] = []
        self._block_of: Dict[int, List[int]] = {}

    def __len__(self) -> int:
        return len(self._block_of)

    def __contains__(self, row: object) -> bool:
        return row in self._block_of

    def __iter__(self) -> Iterator[int]:
        for block in self._blocks:
            yield from block

    def position(self, row: int) -> int:
        """Where the row stands, from 0. Raises KeyError."""
        mine = self._block_of[row]
        before = 0
        for block in self._blocks:
            if block is mine:
                break
            before += len(block)
        return before + mine.index(row)

    def slice(self, start: int, count: int) -> List[int]:
        """At most `count` rows from a position on."""
        found: List[int] = []
        for block in self._blocks:
            if start >= len(block):
                start -= len(block)
                continue
            found += block[start : start + count - len(found)]
            start = 0
            if len(found) >= count:
                break
        return found

    def insert(self, rows: Sequence[int], after: Optional[int]) -> None:
        """Puts new rows behind a row that is there, or first where `after` is None."""
        if not rows:
            return
        if after is not None:
            block = self._block_of[after]
            at = block.index(after) + 1
        elif self._blocks:
            block, at = self._blocks[0], 0
        else:
            block, at = [], 0
            self._blocks.append(block)
        block[at:at] = rows
        for row in rows:
            self._block_of[row] = block
        if len(block) > 2 * _BLOCK_ROWS:
            self._split(block)

    def append(self, rows: Iterable[int]) -> None:
        """Puts new rows at the end."""
        for row in rows:
            if not self._blocks or len(self._blocks[-1]) >= _BLOCK_ROWS:
                self._blocks.append([])
            self._blocks[-1].append(row)
            self._block_of[row] = self._blocks[-1]

    def remove(self, row: int) -> None:
        """Takes a row out. Raises KeyError."""
        block = self._block_of.pop(row)
        block.remove(row)
        if not block:
            del self._blocks[self._index(block)]

    def arrange(self, rows: Sequence[int]) -> None:
        """Puts rows that are there, in this order, on the places that they have among them."""
        wanted = set(rows)
        order = [number for number in self if number in wanted]
        following = dict(zip(order, rows))
        for index, block in enumerate(self._blocks):
            self._blocks[index] = [following.get(number, number) for number in block]
        for block in self._blocks:
            for number in block:
                self._block_of[number] = block

    def _split(self, block: List[int]) -> None:
        index = self._index(block)
        pieces = [block[i : i + _BLOCK_ROWS] for i in range(0, len(block), _BLOCK_ROWS)]
        self._blocks[index : index + 1] = pieces
        for piece in pieces:
            for row in piece:
                self._block_of[row] = piece

    def _index(self, block: List[int]) -> int:
        return next(i for i, other in enumerate(self._blocks) if other is block)
