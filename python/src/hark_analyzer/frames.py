"""Rows as a table of pandas."""

import dataclasses
from collections.abc import Iterable
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

    table = pandas.DataFrame([_columns(row) for row in rows])
    for name in TIMES:
        if name in table:
            table[name] = pandas.to_datetime(table[name], format="ISO8601").astype("datetime64[ns]")
    return table


def _columns(row: Any) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for field in dataclasses.fields(row):
        value = getattr(row, field.name)
        if dataclasses.is_dataclass(value):
            inner = _columns(value)
            inner.pop("members")
            columns |= {f"{field.name}_{name}": part for name, part in inner.items()}
        else:
            columns[field.name] = value
    return columns
