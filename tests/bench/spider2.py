"""Rebuilds a part of Spider 2.0-lite whose databases need no download: questions on SQLite with gold SQL.

    python3 tests/bench/spider2.py PACK OUT [--questions 20] [--rows 400]
    vitrine eval OUT

PACK is the folder spider2-lite. Its table definitions become SQLite files in OUT, with generated rows: the same row
number has the same value in columns of the same name, so that joins match, and columns take the constants that the gold
queries compare them with. Answers to such data say nothing about the benchmark's own score; they show that every part
runs. A question is kept if its gold query returns something.
"""

import argparse
import csv
import datetime
import hashlib
import json
import pathlib
import re
import shutil
import sqlite3
import sys
import time

COMPARED = re.compile(
    r"(?:\w+\.)?\b(\w+)\b\)?\s*(?:=|<>|!=|<=|>=|<|>|\bNOT\s+LIKE\b|\bLIKE\b|\bNOT\s+IN\b|\bIN\b|\bBETWEEN\b)\s*"
    r"(\([^()]*\)|'[^']*'|-?\d+(?:\.\d+)?(?:\s+AND\s+-?\d+(?:\.\d+)?)?)",
    re.IGNORECASE,
)
CONSTANT = re.compile(r"'([^']*)'|(-?\d+(?:\.\d+)?)")
WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven", "iris", "juniper", "kelp", "lotus"]
# Time in which a gold query has to end.
SECONDS = 5
FIRST_DAY = datetime.datetime(2018, 1, 1)


def number(*parts, below):
    """Returns a number that only depends on the parts."""
    digest = hashlib.sha256("|".join(str(part).lower() for part in parts).encode()).digest()
    return int.from_bytes(digest[:6], "big") % below


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def plain(name):
    return name.lower().replace("-", "_")


def definitions(pack, database):
    """Returns names and statements of a database's tables."""
    folders = (pack / "resource/databases/sqlite").iterdir()
    folder = next((folder for folder in folders if plain(folder.name) == plain(database)), None)
    if folder is None:
        return []
    with open(folder / "DDL.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if len(row) == 2][1:]
    return [(name, sql) for name, sql in rows if not name.lower().startswith("sqlite_")]


def constants(queries):
    """Returns the constants that queries compare each column with, by the column's name in lower case."""
    found = {}
    for sql in queries:
        for column, value in COMPARED.findall(sql):
            for text, digits in CONSTANT.findall(value):
                constant = text.replace("%", "") if text else (float(digits) if "." in digits else digits and int(digits))
                found.setdefault(column.lower(), []).append(constant)
    return {column: sorted(set(map(str, values))) for column, values in found.items()}


def is_key(column):
    return re.search(r"(^|_)(id|pid|mid|key|code)$|[a-z]I[dD]$|ID$", column) is not None


def value(table, column, declared, row, known, rows):
    """Returns the value of a column in a row."""
    name, kind = column.lower(), declared.lower()
    at = lambda below: number(name, row, below=below)
    if known and number(table, name, row, below=10) < 6:
        constant = known[number(table, name, row, "constant", below=len(known))]
        return constant if re.search("char|text|^$", kind) else numeric(constant)
    if is_key(column):
        return 1 + row if row % 2 or column == first_key(column) else 1 + at(rows)
    if re.search("date|time|_at$", kind + " " + name) and not re.search("int|milli|duration|^time$", kind + name):
        moment = FIRST_DAY + datetime.timedelta(days=at(1095), minutes=number(name, row, "minute", below=1440))
        return moment.strftime("%Y-%m-%d" if kind == "date" else "%Y-%m-%d %H:%M:%S")
    if "year" in name:
        return 2016 + at(6)
    if "month" in name:
        return 1 + at(12)
    if re.search("int|serial", kind):
        return 1 + at(60)
    if re.search("real|float|double|num|dec|money", kind):
        return round(1 + at(100_000) / 100, 2)
    if re.search("bool|bit", kind):
        return at(2)
    return f"{WORDS[at(len(WORDS))]} {1 + number(name, row, 'text', below=9)}"


def first_key(column):
    return column if column.lower() == "id" else None


def numeric(text):
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def create(database, sql):
    """Creates a table, with quoted column names if one of them is a keyword."""
    try:
        database.execute(sql)
    except sqlite3.Error:
        database.execute(re.sub(r'(?m)^(\s+)([^\s"]+)(?=\s)', r'\1"\2"', sql))


def fill(database, tables, known, rows):
    for name, sql in tables:
        create(database, sql)
        columns = database.execute(f'PRAGMA table_info("{name}")').fetchall()
        marks = ", ".join("?" for _ in columns)

        def cell(column, row):
            _, label, declared, _, _, _ = column
            if column[0] == 0 and is_key(label):
                return row + 1
            return value(name, label, declared or "", row, known.get(label.lower(), []), rows)

        generated = ([cell(column, row) for column in columns] for row in range(rows))
        database.executemany(f'INSERT OR IGNORE INTO "{name}" VALUES ({marks})', generated)
    database.commit()


def returns_something(database, sql):
    """Runs a gold query; returns why it is not usable, or None."""
    until = time.monotonic() + SECONDS
    database.set_progress_handler(lambda: time.monotonic() > until, 100_000)
    try:
        found = database.execute(sql.strip().rstrip(";")).fetchmany(2)
    except (sqlite3.Error, sqlite3.Warning) as error:
        return str(error)
    return "no rows" if not found or found == [(None,) * len(found[0])] else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pack", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--rows", type=int, default=400)
    asked = parser.parse_args()
    gold, out = asked.pack / "evaluation_suite/gold", asked.out
    questions = {}
    for question in lines(asked.pack / "spider2-lite.jsonl"):
        query = gold / "sql" / f"{question['instance_id']}.sql"
        if question["instance_id"].startswith("local") and query.is_file():
            questions.setdefault(question["db"], []).append((question, query.read_text(encoding="utf-8")))
    databases, queries = out / "resource/databases/spider2-localdb", out / "evaluation_suite/gold/sql"
    for folder in (databases, queries):
        folder.mkdir(parents=True, exist_ok=True)
    kept = []
    for name, asked_here in questions.items():
        file = databases / f"{name}.sqlite"
        file.unlink(missing_ok=True)
        database = sqlite3.connect(file)
        fill(database, definitions(asked.pack, name), constants(sql for _, sql in asked_here), asked.rows)
        for question, sql in asked_here:
            reason = returns_something(database, sql)
            if reason:
                print(f"{question['instance_id']} on {name} is left out: {reason}", file=sys.stderr)
            elif len(kept) < asked.questions:
                kept.append(question)
                (queries / f"{question['instance_id']}.sql").write_text(sql, encoding="utf-8")
        database.close()
    ids = {question["instance_id"] for question in kept}
    standards = [row for row in lines(gold / "spider2lite_eval.jsonl") if row["instance_id"] in ids]
    write = lambda path, rows: path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    write(out / "spider2-lite.jsonl", kept)
    write(out / "evaluation_suite/gold/spider2lite_eval.jsonl", standards)
    documents = asked.pack / "resource/documents"
    if documents.is_dir():
        shutil.copytree(documents, out / "resource/documents", dirs_exist_ok=True)
    print(f"{len(kept)} questions on {len({question['db'] for question in kept})} databases are in {out}")
    sys.exit(0 if len(kept) == asked.questions else 1)


if __name__ == "__main__":
    main()
