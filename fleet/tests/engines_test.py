#!/usr/bin/env python3
"""Runs the examples of docs/fleet-engines.md for DuckDB and pandas, and compares both with the database.

usage: engines_test.py HARK CAPTURE…

Needs duckdb and pandas.
"""

import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

import duckdb
import pandas

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    hark, captures = os.path.realpath(sys.argv[1]), [os.path.abspath(name) for name in sys.argv[2:]]
    text = (ROOT / "docs/fleet-engines.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    examples = [block for block in blocks if "pyspark" not in block]
    assert len(examples) == 3
    with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
        os.chdir(folder)
        for output in (["fleet.sqlite"], ["tables", "--format", "jsonl"]):
            subprocess.run([hark, "export", *captures, *output], check=False, capture_output=True)
        for example in examples:
            exec(compile(example, "docs/fleet-engines.md", "exec"), {})
        compare()


def compare():
    """Each table has the same rows in the database, in DuckDB and in pandas."""
    database = sqlite3.connect("fleet.sqlite")
    for table in sorted(path.name for path in pathlib.Path("tables").iterdir() if path.is_dir()):
        files = f"tables/{table}/*/*.jsonl.gz"
        columns = [column[1] for column in database.execute(f"PRAGMA table_info('{table}')")]
        names = ", ".join(f'"{name}"' for name in columns)
        expected = sorted(database.execute(f"SELECT {names} FROM {table}"), key=repr)
        # DuckDB would read `text, JSON` as JSON.
        found = duckdb.sql(f"""
            SELECT {names} FROM read_json('{files}', format = 'newline_delimited', hive_partitioning = true,
              hive_types_autocast = false, union_by_name = true, auto_detect = true)""").fetchall()
        assert sorted(map(texts, found), key=repr) == sorted(map(texts, expected), key=repr), f"DuckDB: {table}"
        frames = pandas.concat(
            [pandas.read_json(file, lines=True, dtype=False).astype(object)
             for file in sorted(pathlib.Path().glob(files))])
        assert len(frames) == len(expected), f"pandas: {table}"
        print(f"{table}: {len(expected)} rows")
    database.close()


def texts(row):
    return tuple(None if value is None else str(value) for value in row)


if __name__ == "__main__":
    main()
