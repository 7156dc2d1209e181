"""Rows as a table of pandas."""

import hark_analyzer as hark
import pytest

pandas = pytest.importorskip("pandas")


def test_packets(session):
    rows = list(hark.packets(session))
    table = hark.frame(rows)
    assert len(table) == len(rows)
    assert list(table["frame"]) == [row.frame for row in rows]
    assert table["time"].dtype == "datetime64[ns]"
    assert [time.isoformat(timespec="nanoseconds") for time in table["time"]] == [row.time for row in rows]


def test_events(session):
    table = hark.frame(hark.events(session))
    assert {"link_id", "link_transport", "device_address", "lane", "members"} <= set(table.columns)
    assert "device_members" not in table.columns
    # Some events belong to no link: their parts are missing, and no column holds nothing else.
    assert not {"link", "device"} & set(table.columns)
    assert table["link_id"].isna().any() and table["link_id"].notna().any()
    opened = table[table["kind"] == "link-opened"]
    assert list(pandas.json_normalize(opened["members"].tolist())["role"]) == ["Central"]


def test_findings(session):
    faults = session.parents[1] / "pebble-faults"
    table = hark.frame(hark.findings(faults / "pebble-faults.btsnoop", keys=faults / "accessory.harkkeys"))
    assert "keys.nonce-reuse" in set(table["rule"])


def test_no_rows(session):
    assert len(hark.frame(hark.packets(session, filter="frame.number > 1000000"))) == 0
