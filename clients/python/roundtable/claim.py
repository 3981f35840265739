"""A row that this bot was given: its values, and the lease on it, if it has one.

`SharedTable.claim` makes a `Claim`, `AsyncTable.claim` an `AsyncClaim`. As context managers they end
the lease: finished where the block ends well, given back where it raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping

from .edits import Edits
from .outcome import Outcome
from .values import Value

if TYPE_CHECKING:
    from .aio_shared import AsyncTable
    from .shared import SharedTable, TableView


class ClaimedRow(Mapping[str, Value]):
    """A claimed row as the claim left it: its `id`, and its values by column name."""

    def __init__(
        self, view: "TableView", row: str, seq: int, values: Dict[str, Value], is_leased: bool
    ) -> None:
        self._view = view
        self._values = values
        self.id = row
        #: The number of the claim's record: it names the lease.
        self.seq = seq
        #: Whether there is a lease that has not been ended here.
        self.is_leased = is_leased

    def __getitem__(self, column: str) -> Value:
        return self._values[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self._values!r})"

    def _renewing(self, seconds: int) -> Edits:
        return self._view.edits().renew(self.id, seconds, self.seq)

    def _finishing(self, values: Mapping[str, Value]) -> Edits:
        edits = self._view.edits().release(self.id, self.seq, finish=True)
        if values:
            edits.set_many([(self.id, column, value) for column, value in values.items()])
        return edits

    def _giving_back(self) -> Edits:
        return self._view.edits().release(self.id, self.seq)


class Claim(ClaimedRow):
    """A claimed row, with calls that wait."""

    def __init__(
        self, table: "SharedTable", row: str, seq: int, values: Dict[str, Value], is_leased: bool
    ) -> None:
        super().__init__(table, row, seq, values, is_leased)
        self._table = table

    def renew(self, seconds: int) -> Outcome:
        """Keeps the row for so many seconds from now.

        Raises Rejected `not_leased` where the lease has ended: then the row may be another's.
        """
        return self._table.commit(self._renewing(seconds))

    def finish(self, values: Mapping[str, Value] = {}) -> Outcome:
        """Ends the lease; what the claim set stays. `values` are set in the same operation, or
        nothing is where the lease has ended."""
        outcome = self._table.commit(self._finishing(values), mode="strict")
        self.is_leased = False
        return outcome

    def give_back(self) -> Outcome:
        """Ends the lease and takes the claim back: what it set goes, unless written since."""
        outcome = self._table.commit(self._giving_back())
        self.is_leased = False
        return outcome

    def __enter__(self) -> "Claim":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if not self.is_leased:
            return
        if kind is None:
            self.finish()
        else:
            self.give_back()


class AsyncClaim(ClaimedRow):
    """A claimed row for asyncio: the same calls, awaited."""

    def __init__(
        self, table: "AsyncTable", row: str, seq: int, values: Dict[str, Value], is_leased: bool
    ) -> None:
        super().__init__(table, row, seq, values, is_leased)
        self._table = table

    async def renew(self, seconds: int) -> Outcome:
        """Keeps the row for so many seconds from now; see `Claim.renew`."""
        return await self._table.commit(self._renewing(seconds))

    async def finish(self, values: Mapping[str, Value] = {}) -> Outcome:
        """Ends the lease; what the claim set stays. See `Claim.finish`."""
        outcome = await self._table.commit(self._finishing(values), mode="strict")
        self.is_leased = False
        return outcome

    async def give_back(self) -> Outcome:
        """Ends the lease and takes the claim back; see `Claim.give_back`."""
        outcome = await self._table.commit(self._giving_back())
        self.is_leased = False
        return outcome

    async def __aenter__(self) -> "AsyncClaim":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        if not self.is_leased:
            return
        if kind is None:
            await self.finish()
        else:
            await self.give_back()
