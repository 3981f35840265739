"""Roundtable for Python: bots that edit shared tables with people and with each other.

    from roundtable import Bot

    with Bot("127.0.0.1:7466", token="rt1b_…", pin="…") as bot:
        stock = bot.open("stock")
        row = stock.append(item="bolt", qty=5)
        stock.add(row, "qty", 3)
        print(len(stock), stock.row(row)["qty"])

Only the standard library is used. README.md beside this package explains each part.
"""

from .aio import AsyncBot, AsyncTable, AsyncTransaction
from .asks import Page, TableInfo
from .bot import Bot
from .claim import AsyncClaim, Claim
from .comments import Comment
from .cursor import Cursor, Position
from .edits import Edits
from .errors import (
    Closed,
    ColumnMissing,
    Forbidden,
    InDoubt,
    InvalidText,
    LoginFailed,
    NameRefused,
    NameTaken,
    NotFound,
    NotTrusted,
    OutOfTime,
    PreconditionFailed,
    ProtocolError,
    Rejected,
    RequestFailed,
    RoundtableError,
    RowMissing,
    RuleBroken,
    SessionLost,
    TooMany,
    Unreachable,
    WrongType,
)
from .invite import Invite
from .outcome import Operation, Outcome, OutcomeError, Record
from .shared import Row, SharedTable, TableView, Transaction
from .table import Column, Table
from .values import Value

__version__ = "0.1.0"

__all__ = [
    "AsyncBot",
    "AsyncTable",
    "AsyncTransaction",
    "Bot",
    "AsyncClaim",
    "Claim",
    "Comment",
    "Closed",
    "Column",
    "ColumnMissing",
    "Cursor",
    "Edits",
    "Forbidden",
    "InDoubt",
    "InvalidText",
    "Invite",
    "LoginFailed",
    "NameRefused",
    "NameTaken",
    "NotFound",
    "NotTrusted",
    "Operation",
    "OutOfTime",
    "Outcome",
    "OutcomeError",
    "Page",
    "Position",
    "PreconditionFailed",
    "ProtocolError",
    "Record",
    "Rejected",
    "RequestFailed",
    "RoundtableError",
    "Row",
    "RowMissing",
    "RuleBroken",
    "SessionLost",
    "SharedTable",
    "Table",
    "TableInfo",
    "TableView",
    "TooMany",
    "Transaction",
    "Unreachable",
    "Value",
    "WrongType",
]
