"""Rows as a table of pandas."""

import dataclasses
from collections.abc import Iterable, Set
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

TIMES = ("time", "first", "last")


def frame(rows: Iterable[Any]) -> "pandas.DataFrame":
    """A table with a column for each attribute of the rows; needs pandas.

    Attributes of a row inside a row become columns such as `link_id`. Times become numpy's datetime64 in nanoseconds.
    Lists and `members` stay as they are: `pandas.json_normalize(table["members"])` gives each member a column.
    """
    import pandas

    listed = list(rows)
    # An attribute that is a row in some rows has no column of its own, even where it is missing.
    inner = {
        field.name for row in listed for field in dataclasses.fields(row)
        if dataclasses.is_dataclass(getattr(row, field.name))
    }
    table = pandas.DataFrame([_columns(row, inner) for row in listed])
    for name in TIMES:
        if name in table:
            table[name] = pandas.to_datetime(table[name], format="ISO8601").astype("datetime64[ns]")
    return table


def _columns(row: Any, inner: Set[str] = frozenset()) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for field in dataclasses.fields(row):
        value = getattr(row, field.name)
        if dataclasses.is_dataclass(value):
            parts = _columns(value)
            parts.pop("members")
            columns |= {f"{field.name}_{name}": part for name, part in parts.items()}
        elif field.name not in inner:
            columns[field.name] = value
    return columns
