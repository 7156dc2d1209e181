#!/usr/bin/env python3
"""Writes the figures of a fuzzing campaign into a document: figures.py LOGS DOCUMENT.

They stand between two marks, which are put at the end of the document where it has none.
"""
import os
import re
import subprocess
import sys
import time

BEGIN, END = "<!-- fuzzing: Fuzz/run --campaign -->", "<!-- end of fuzzing -->"


def figures(path):
    """Executions, edges reached, inputs kept, seconds of processor time, and what was found, of one log.

    A log may hold several runs, one after the other.
    """
    with open(path, errors="replace") as file:
        text = file.read()

    def last(pattern):
        found = re.findall(pattern, text)
        return int(found[-1]) if found else 0

    runs = sum(map(int, re.findall(r"stat::number_of_executed_units: (\d+)", text))) or last(r"#(\d+)\s")
    # The shell's `times` prints two lines at the end of each run, its own and that of its children: user and
    # system time.
    times = re.findall(r"(\d+)m([\d.]+)s (\d+)m([\d.]+)s", text)[1::2]
    seconds = sum(60 * (float(user) + float(system)) + float(rest) + float(more)
                  for user, rest, system, more in times)
    traps = re.findall(r"SUMMARY: (.*)", text)
    return runs, last(r"cov: (\d+)"), last(r"corp: (\d+)"), seconds, traps


def table(folder):
    rows, total, spent, found = [], 0, 0, 0
    for name in sorted(name for name in os.listdir(folder) if name.endswith(".log")):
        runs, edges, kept, seconds, traps = figures(os.path.join(folder, name))
        total, spent, found = total + runs, spent + seconds, found + len(traps)
        rate = f"{runs / seconds:,.0f}" if seconds else ""
        rows.append(f"| {name.removesuffix('.log')} | {runs:,} | {rate} | {edges:,} | {kept:,} "
                    f"| {'; '.join(traps) or 'none'} |")
    date = time.strftime("%Y-%m-%d", time.gmtime())
    revision = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True)
    commit = f" of {revision.stdout.strip()}" if revision.returncode == 0 else ""
    return "\n".join([
        BEGIN, "",
        f"{total:,} executions{commit} in {spent / 60:.0f} minutes of processor time on {date}; traps and broken "
        f"laws: {found}. The times include start-up.",
        "", "| target, corpus and form | executions | a second | edges reached | inputs kept | found |",
        "|---|---|---|---|---|---|", *rows, "", END])


def main():
    logs, document = sys.argv[1:3]
    text = ""
    if os.path.exists(document):
        with open(document) as file:
            text = file.read()
    if BEGIN not in text:
        text = (text or "# Trust\n\nFigures, each with the command that makes it.\n") + (
            f"\n## Fuzzing\n\n    make fuzz CAMPAIGN=7200\n\n{BEGIN}\n{END}\n")
    start, end = text.index(BEGIN), text.index(END) + len(END)
    with open(document, "w") as file:
        file.write(text[:start] + table(logs) + text[end:])


if __name__ == "__main__":
    main()
