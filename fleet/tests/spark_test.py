#!/usr/bin/env python3
"""Exports a fleet with Spark on several worker processes, and compares it with one run of `hark export`.

usage: spark_test.py HARK COUNT SOURCE…

COUNT captures are made out of SOURCE (see slices.py). Two more are poisoned: hark hangs on one and crashes on the other.
A worker is killed while it works. Every row must be there once, equal to that of `hark export`, and the poisoned
captures must be rows with their error. Needs pyspark, pyarrow and Java 17.
"""

import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import hark_spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

# Hangs or crashes for the captures with these names, as a defect of hark would.
POISONED = """#!/bin/sh
case $2 in
  *hangs.btsnoop) sleep 3600 ;;
  *crashes.btsnoop) kill -SEGV $$ ;;
esac
exec {hark} "$@"
"""
# What a capture may take: much more than it needs, even on a busy machine.
SECONDS = 60


class WorkerKiller(threading.Thread):
    """Kills one executor once it has worked for a while."""

    def __init__(self, spark, output):
        super().__init__(daemon=True)
        self.spark, self.output, self.killed = spark, output, None

    def run(self):
        tracker = self.spark.sparkContext.statusTracker()
        while self.killed is None:
            time.sleep(0.2)
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                # Some of its tasks are done, and more are under way.
                if info and info.numTasks > 2 and 0 < info.numCompletedTasks < info.numTasks - 2:
                    self.killed = executors()[0]
                    os.kill(self.killed, signal.SIGKILL)
                    return


def executors():
    """The processes of executors of this program."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
            parent = int((place / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if any(word.endswith(b"CoarseGrainedExecutorBackend") for word in words) and is_below(parent, os.getpid()):
            found.append(int(place.name))
    return sorted(found)


def is_below(process, ancestor):
    while process > 1 and process != ancestor:
        process = int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return process == ancestor


def expected(hark, captures, database):
    """The tables and views of one run of `hark export` over all captures."""
    subprocess.run([hark, "export", captures, database], check=False, capture_output=True)
    connection = sqlite3.connect(database)
    for kind, name in connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall():
        # The page on engines says that Spark has no such view.
        if name not in ("meta", "timeline"):
            cursor = connection.execute(f'SELECT * FROM "{name}"')
            yield kind, name, [column[0] for column in cursor.description], list(cursor)


def main():
    hark, count, sources = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
        place = pathlib.Path(folder)
        captures = place / "captures"
        subprocess.run([sys.executable, HERE / "slices.py", captures, count, *sources], check=True)
        poisoned = [captures / "night-0000" / name for name in ("hangs.btsnoop", "crashes.btsnoop")]
        began = time.monotonic()
        tables = list(expected(hark, str(captures), str(place / "fleet.sqlite")))
        print(f"hark export: {time.monotonic() - began:.1f} s", flush=True)
        for path in poisoned:
            shutil.copy(next(captures.rglob("run-*.btsnoop")), path)
        program = place / "hark"
        program.write_text(POISONED.format(hark=hark))
        program.chmod(0o755)
        compare(str(program), str(captures), str(place / "tables"), tables, poisoned)


def compare(program, captures, output, expectations, poisoned):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "1g")
        .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "4").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    killer = WorkerKiller(spark, output)
    killer.start()
    began = time.monotonic()
    listed = list(hark_spark.listed([captures]))
    hark_spark.export(spark, program, listed, output, seconds=SECONDS, per_task=max(5, len(listed) // 40))
    seconds = time.monotonic() - began
    assert killer.killed, "no worker was killed"
    hark_spark.open_tables(spark, program, output)
    keys = [hark_spark.key(str(path)) for path in poisoned]
    captures = spark.table("capture")
    # Views count captures: they are to count the same ones.
    captures.where(~captures.capture.isin(keys)).createOrReplaceTempView("capture")
    hark_spark.open_views(spark, program)
    problems = []
    for kind, name, columns, rows in expectations:
        found = spark.table(name)
        assert set(columns) <= set(found.columns) <= {*columns, "day"}, f"{name}: {found.columns}"
        found = Counter(tuple(row) for row in found.select(*columns).collect())
        rows = Counter(rows)
        if found != rows:
            problems.append(f"{name}: missing {list((rows - found).items())[:1]}, more {list((found - rows).items())[:1]}")
        print(f"{kind} {name}: {found.total()} rows")
    status = {row.capture: (row.status, row.error) for row in captures.collect()}
    print(f"poisoned: {[status.get(key) for key in keys]}")
    if [status.get(key, (None,))[0] for key in keys] != ["timed-out", "crashed"]:
        problems.append("the poisoned captures are no rows with their error")
    spark.stop()
    print(f"Spark: {len(listed)} captures in {seconds:.1f} s; executor {killer.killed} was killed")
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()
