#!/usr/bin/env python3
"""Exports captures with Apache Spark: hark runs for each capture in an executor, and its tables become Parquet.

The program, a static file, travels with the job. The process of a capture has limits of memory and time, so a capture
that crashes it or makes it hang is a row of `capture` with its error. Spark runs the tasks of a lost executor again and
commits the rows of each task once. docs/fleet-engines.md describes how to use it.
"""

import argparse
import contextlib
import gzip
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyarrow import fs
from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StringType, StructField, StructType

TYPES = {"text": StringType(), "integer": LongType()}
NO_DAY = "__HIVE_DEFAULT_PARTITION__"
# What a task gives: the table and the day of a row, and the row as hark wrote it.
LINES = "table string, day string, line string"
Line = tuple[str, str | None, str]


class Failure(Exception):
    """Why there are no tables of a capture. `status` is that of its row."""

    def __init__(self, status: str, error: str) -> None:
        super().__init__(error)
        self.status = status


@dataclass(frozen=True)
class Exporter:
    """Exports captures in an executor.

    - program, keys: Names of files that travel with the job.
    - options: More options of `hark export`.
    - seconds, memory: What the process of a capture may take.
    - attempts: How often a capture is tried that crashes hark or takes too long.
    - columns: Those of the table `capture`.
    """

    program: str
    keys: str | None
    options: tuple[str, ...]
    seconds: int
    memory: int
    attempts: int
    version: str
    columns: tuple[str, ...]

    def __call__(self, captures: Iterable[str]) -> Iterator[Line]:
        for capture in captures:
            with tempfile.TemporaryDirectory(prefix="hark-") as folder:
                yield from self.lines(capture, pathlib.Path(folder))

    def lines(self, capture: str, place: pathlib.Path) -> Iterator[Line]:
        for attempt in range(self.attempts):
            tables = place / f"tables-{attempt}"
            try:
                root, path = fetched(capture, place)
                self.run(path, root, tables)
            except Failure as problem:
                failure = problem
                if failure.status == "unopened":
                    break
            else:
                yield from written(tables)
                return
        yield "capture", None, self.row(capture, failure)

    def run(self, path: str, root: list[str], tables: pathlib.Path) -> None:
        """Lets hark write the tables of one capture."""
        keys = ["--keys", SparkFiles.get(self.keys)] if self.keys else []
        arguments = [
            SparkFiles.get(self.program), "export", path, str(tables), "--format", "jsonl", *root, *keys, *self.options]
        with tempfile.TemporaryFile() as messages:
            process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages,
                start_new_session=True, preexec_fn=self.confine)
            try:
                code = process.wait(self.seconds)
            except subprocess.TimeoutExpired:
                raise Failure("timed-out", f"hark took longer than {self.seconds} s") from None
            finally:
                # hark reads the capture in a process of its own, which ends with it.
                stop_group(process)
            messages.seek(0)
            said = messages.read(4096).decode(errors="replace").strip()
        if code < 0:
            raise Failure("crashed", f"hark ended with signal {-code}")
        # After exit codes 1 and 2 there is a row that says what is wrong with the capture.
        if code not in (0, 1, 2) or not (tables / "capture").is_dir():
            raise Failure("crashed", f"hark ended with exit code {code}: {said}")
        for _, _, line in written(tables, "capture"):
            row = json.loads(line)
            if row["status"] in ("crashed", "timed-out"):
                raise Failure(row["status"], row["error"])

    def confine(self) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def row(self, capture: str, failure: Failure) -> str:
        """The row of a capture of which nothing else is known."""
        path = object_path(capture)
        known = {
            "capture": key(path), "path": path, "name": path.rsplit("/", 1)[-1], "status": failure.status,
            "error": str(failure), "hark": self.version}
        return json.dumps({column: known.get(column) for column in self.columns})


def key(path: str) -> str:
    """The key of a capture in all tables, as hark makes it."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    plain = "/" * path.startswith("/") + "/".join(parts)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def stop_group(process: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def written(tables: pathlib.Path, table: str = "*") -> Iterator[Line]:
    """The rows that hark wrote: TABLE/day=DAY/KEY.jsonl.gz."""
    for path in sorted(tables.glob(f"{table}/day=*/*.jsonl.gz")):
        day = path.parent.name.removeprefix("day=")
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield path.parent.parent.name, None if day == NO_DAY else day, line


# Captures: files of this machine and its shared folders by their path, objects of a store by their address.


def store(capture: str) -> tuple[fs.FileSystem, str]:
    """The file system of an address, and the path in it."""
    return fs.FileSystem.from_uri(capture.replace("s3a://", "s3://", 1))


def object_path(capture: str) -> str:
    """The path of a capture in the tables: BUCKET/KEY for an object."""
    return store(capture)[1] if "://" in capture else capture


def fetched(capture: str, place: pathlib.Path) -> tuple[list[str], str]:
    """A path that hark can read, after the option that makes it the path of the capture in the tables."""
    if "://" not in capture:
        return [], capture
    try:
        system, path = store(capture)
        copy = place / "objects" / path.lstrip("/")
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            with system.open_input_stream(path) as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
    except OSError as error:
        raise Failure("unopened", str(error)) from None
    return ["--root", str(place / "objects")], str(copy)


def listed(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The size and the address of each capture; @FILE is a list, and a folder or prefix stands for all below it."""
    for name in names:
        if name.startswith("@"):
            yield from listed(pathlib.Path(name[1:]).read_text(encoding="utf-8").split("\n"))
        elif name:
            scheme = name.partition("://")[0] + "://" if "://" in name else ""
            system, path = store(name) if scheme else (fs.LocalFileSystem(), name.rstrip("/"))
            info = system.get_file_info(path)
            if info.type != fs.FileType.Directory:
                yield info.size or 0, name
                continue
            for each in system.get_file_info(fs.FileSelector(path, recursive=True)):
                hidden = any(part.startswith(".") for part in each.path[len(path):].split("/"))
                if each.type != fs.FileType.Directory and not hidden:
                    yield each.size or 0, scheme + each.path


def dealt(captures: list[tuple[int, str]], tasks: int) -> list[list[str]]:
    """Captures for each task, so that all tasks have about as much to read."""
    names = list(dict.fromkeys(name for _, name in sorted(captures, reverse=True)))
    return [names[task::tasks] for task in range(tasks)]


# The tables


def described(program: str, options: Iterable[str]) -> dict[str, Any]:
    """What hark says of its tables: their version, columns and types."""
    with tempfile.TemporaryDirectory(prefix="hark-") as folder:
        # A file that is no capture gives all tables, without rows of content.
        subprocess.run(
            [program, "export", os.devnull, folder, "--format", "jsonl", *options], capture_output=True, check=False)
        meta = pathlib.Path(folder) / "meta.json"
        if not meta.exists():
            sys.exit(f"hark_spark: {program} does not export tables")
        return json.loads(meta.read_text(encoding="utf-8"))


def schema(columns: dict[str, str]) -> StructType:
    return StructType([StructField(name, TYPES[kind]) for name, kind in columns.items()])


def export(
    spark: SparkSession, program: str, captures: list[tuple[int, str]], output: str, *, keys: str | None = None,
    options: tuple[str, ...] = (), seconds: int = 600, memory: int = 4 << 30, attempts: int = 2, per_task: int = 50,
) -> None:
    """Writes the tables of all captures to OUTPUT/TABLE/day=DAY, which must not exist."""
    context = spark.sparkContext
    meta = described(program, options)
    context.addPyFile(__file__)
    for file in filter(None, (program, keys)):
        context.addFile(file)
    exporter = Exporter(
        os.path.basename(program), os.path.basename(keys) if keys else None, options, seconds, memory, attempts,
        meta["hark"], tuple(meta["tables"]["capture"]))
    tasks = max(1, -(-len(captures) // per_task))
    deals = context.parallelize(dealt(captures, tasks), tasks)
    # hark runs once for each capture; each table is then made of what it wrote.
    lines = f"{output}/_lines"
    spark.createDataFrame(deals.flatMap(exporter), LINES).write.partitionBy("table").parquet(lines)
    for table, columns in meta["tables"].items():
        columns.pop("day", None)
        row = F.from_json("line", schema(columns)).alias("row")
        found = spark.read.schema(LINES).parquet(lines).where(F.col("table") == table)
        found.select(row, "day").select("row.*", "day").hint("rebalance", "day").write.partitionBy("day").parquet(
            f"{output}/{table}")
    remove(spark, lines)


def remove(spark: SparkSession, place: str) -> None:
    path = spark._jvm.org.apache.hadoop.fs.Path(place)
    path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)


def open_tables(spark: SparkSession, program: str, output: str) -> None:
    """Makes the tables, and the views of hark's database, known to SQL."""
    for table, columns in described(program, ())["tables"].items():
        spark.read.schema(schema({**columns, "day": "text"})).parquet(f"{output}/{table}").createOrReplaceTempView(table)
    open_views(spark, program)


def open_views(spark: SparkSession, program: str) -> None:
    with tempfile.TemporaryDirectory(prefix="hark-") as folder:
        path = f"{folder}/empty.sqlite"
        subprocess.run([program, "export", os.devnull, path], capture_output=True, check=False)
        with contextlib.closing(sqlite3.connect(path)) as database:
            views = database.execute("SELECT sql FROM sqlite_master WHERE type = 'view'").fetchall()
    for statement, in views:
        # SQLite's comparison that treats NULL as a value is written like this in Spark. Its strftime has no counterpart.
        statement = re.sub(r"(\w+\.\w+) IS (\w+\.\w+)", r"\1 <=> \2", statement)
        if "strftime" not in statement:
            spark.sql(statement.replace("CREATE VIEW", "CREATE OR REPLACE TEMPORARY VIEW", 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", help="the folder or prefix for the tables, which must not exist")
    parser.add_argument("captures", nargs="+", help="captures, folders, addresses of objects or prefixes, or @FILE with a list")
    parser.add_argument("--hark", required=True, help="the static program")
    parser.add_argument("--keys", help="a key file, which travels with the job")
    parser.add_argument("--with-text", action="store_true", help="also write texts of people")
    parser.add_argument("--packets", action="store_true", help="also write the table of packets")
    parser.add_argument("--time-limit", type=int, default=600, metavar="SECONDS", help="for one capture (default: 600)")
    parser.add_argument("--memory-limit", type=int, default=4096, metavar="MB", help="for one capture (default: 4096)")
    parser.add_argument("--attempts", type=int, default=2, help="for a capture that crashes hark or takes too long (default: 2)")
    parser.add_argument("--per-task", type=int, default=50, help="captures in a task (default: 50)")
    arguments = parser.parse_args()
    options = tuple(
        option for option, wanted in [("--with-text", arguments.with_text), ("--packets", arguments.packets)] if wanted)
    captures = list(listed(arguments.captures))
    if not captures:
        sys.exit("hark_spark: there are no captures")
    spark = SparkSession.builder.appName("hark").getOrCreate()
    export(
        spark, arguments.hark, captures, arguments.output, keys=arguments.keys, options=options,
        seconds=arguments.time_limit, memory=arguments.memory_limit << 20, attempts=arguments.attempts,
        per_task=arguments.per_task)
    open_tables(spark, arguments.hark, arguments.output)
    spark.sql("SELECT status, count(*) AS captures FROM capture GROUP BY status ORDER BY captures DESC").show()
    spark.stop()


if __name__ == "__main__":
    main()
