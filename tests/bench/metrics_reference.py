#!/usr/bin/env python3
"""Compares `vitrine metrics query` with MetricFlow on a generated shop in DuckDB.

Usage: metrics_reference.py WORK_FOLDER VITRINE [--engines sqlite=ADDRESS ...]

Needs a Python environment with metricflow 0.213, dbt-metricflow 0.15, dbt-core below 1.12, dbt-duckdb and duckdb below 1.5.
Medians of decimals differ: DuckDB's percentile, which MetricFlow uses, truncates them to the decimals of the column.

Writes a dbt project and its database to WORK_FOLDER, lets MetricFlow compile and run each query, imports the same
semantic_manifest.json with VITRINE, runs the same queries, and prints the differences. With --engines NAME=ADDRESS, the same queries also run on copies of the tables in other databases.
"""
import datetime
import decimal
import itertools
import json
import os
import random
import subprocess
import sys
from pathlib import Path

TABLES = {
    "regions": [("id", "INTEGER"), ("region_name", "VARCHAR(20)")],
    "stores": [("id", "INTEGER"), ("city", "VARCHAR(20)"), ("region_id", "INTEGER"), ("opened_on", "DATE")],
    "customers": [("id", "INTEGER"), ("segment", "VARCHAR(20)"), ("region_id", "INTEGER"), ("signed_up_on", "DATE")],
    "orders": [("id", "INTEGER"), ("store_id", "INTEGER"), ("customer_id", "INTEGER"), ("ordered_on", "DATE"), ("status", "VARCHAR(10)"), ("amount", "DECIMAL(12,2)"), ("is_gift", "BOOLEAN")],
    "items": [("id", "INTEGER"), ("order_id", "INTEGER"), ("sold_on", "DATE"), ("quantity", "INTEGER"), ("price", "DECIMAL(10,2)")],
    "visits": [("id", "INTEGER"), ("store_id", "INTEGER"), ("visited_on", "DATE")],
    "balances": [("id", "INTEGER"), ("store_id", "INTEGER"), ("counted_on", "DATE"), ("balance", "DECIMAL(12,2)")],
    "days": [("date_day", "DATE")],
}

SEMANTIC = """
semantic_models:
  - name: orders
    model: ref('orders')
    defaults: {agg_time_dimension: ordered_on}
    entities:
      - {name: order, type: primary, expr: id}
      - {name: store, type: foreign, expr: store_id}
      - {name: customer, type: foreign, expr: customer_id}
    dimensions:
      - {name: ordered_on, type: time, type_params: {time_granularity: day}}
      - {name: status, type: categorical}
      - {name: is_large, type: categorical, expr: "CASE WHEN amount > 60 THEN 'large' ELSE 'small' END"}
    measures:
      - {name: amount_sum, agg: sum, expr: amount}
      - {name: amount_mean, agg: average, expr: amount}
      - {name: amount_min, agg: min, expr: amount}
      - {name: amount_max, agg: max, expr: amount}
      - {name: amount_median, agg: median, expr: amount}
      - {name: order_count, agg: sum, expr: "1"}
      - {name: order_rows, agg: count, expr: id}
      - {name: buyer_count, agg: count_distinct, expr: customer_id}
      - {name: gift_count, agg: sum_boolean, expr: is_gift}
  - name: items
    model: ref('items')
    defaults: {agg_time_dimension: sold_on}
    entities:
      - {name: item, type: primary, expr: id}
      - {name: order, type: foreign, expr: order_id}
    dimensions: [{name: sold_on, type: time, type_params: {time_granularity: day}}]
    measures:
      - {name: quantity_sum, agg: sum, expr: quantity}
      - {name: item_value, agg: sum, expr: quantity * price}
  - name: visits
    model: ref('visits')
    defaults: {agg_time_dimension: visited_on}
    primary_entity: visit
    entities: [{name: store, type: foreign, expr: store_id}]
    dimensions: [{name: visited_on, type: time, type_params: {time_granularity: day}}]
    measures: [{name: visit_count, agg: sum, expr: "1"}]
  - name: balances
    model: ref('balances')
    defaults: {agg_time_dimension: counted_on}
    primary_entity: balance
    entities: [{name: store, type: foreign, expr: store_id}]
    dimensions: [{name: counted_on, type: time, type_params: {time_granularity: day}}]
    measures:
      - {name: last_balance, agg: sum, expr: balance, non_additive_dimension: {name: counted_on, window_choice: max}}
      - {name: first_balance, agg: sum, expr: balance, non_additive_dimension: {name: counted_on, window_choice: min}}
      - {name: store_balance, agg: sum, expr: balance, non_additive_dimension: {name: counted_on, window_choice: max, window_groupings: [store]}}
  - name: stores
    model: ref('stores')
    entities: [{name: store, type: primary, expr: id}, {name: region, type: foreign, expr: region_id}]
    dimensions:
      - {name: city, type: categorical}
      - {name: opened_on, type: time, type_params: {time_granularity: day}}
  - name: customers
    model: ref('customers')
    defaults: {agg_time_dimension: signed_up_on}
    entities: [{name: customer, type: primary, expr: id}, {name: region, type: foreign, expr: region_id}]
    dimensions:
      - {name: segment, type: categorical}
      - {name: signed_up_on, type: time, type_params: {time_granularity: day}}
    measures: [{name: signup_count, agg: sum, expr: "1"}]
  - name: regions
    model: ref('regions')
    entities: [{name: region, type: primary, expr: id}]
    dimensions: [{name: region_name, type: categorical}]
metrics:
  - {name: revenue, label: Revenue, type: simple, type_params: {measure: amount_sum}}
  - {name: mean_amount, label: Mean, type: simple, type_params: {measure: amount_mean}}
  - {name: least_amount, label: Least, type: simple, type_params: {measure: amount_min}}
  - {name: most_amount, label: Most, type: simple, type_params: {measure: amount_max}}
  - {name: middle_amount, label: Median, type: simple, type_params: {measure: amount_median}}
  - {name: orders, label: Orders, type: simple, type_params: {measure: order_count}}
  - {name: order_rows, label: Rows, type: simple, type_params: {measure: order_rows}}
  - {name: buyers, label: Buyers, type: simple, type_params: {measure: buyer_count}}
  - {name: gifts, label: Gifts, type: simple, type_params: {measure: gift_count}}
  - {name: units, label: Units, type: simple, type_params: {measure: quantity_sum}}
  - {name: item_value, label: Item value, type: simple, type_params: {measure: item_value}}
  - {name: visits, label: Visits, type: simple, type_params: {measure: visit_count}}
  - {name: signups, label: Signups, type: simple, type_params: {measure: signup_count}}
  - {name: last_balance, label: Last, type: simple, type_params: {measure: last_balance}}
  - {name: first_balance, label: First, type: simple, type_params: {measure: first_balance}}
  - {name: store_balance, label: Per store, type: simple, type_params: {measure: store_balance}}
  - {name: paid_revenue, label: Paid, type: simple, type_params: {measure: amount_sum}, filter: "{{ Dimension('order__status') }} = 'paid'"}
  - {name: north_revenue, label: North, type: simple, type_params: {measure: amount_sum}, filter: "{{ Dimension('store__city') }} in ('Kiel', 'Bremen')"}
  - {name: filled_revenue, label: Filled, type: simple, type_params: {measure: {name: amount_sum, join_to_timespine: true, fill_nulls_with: 0}}}
  - {name: spined_revenue, label: Spined, type: simple, type_params: {measure: {name: amount_sum, join_to_timespine: true}}}
  - {name: filled_orders, label: Filled orders, type: simple, type_params: {measure: {name: order_count, fill_nulls_with: 0}}}
  - {name: order_value, label: Value, type: ratio, type_params: {numerator: revenue, denominator: orders}}
  - {name: paid_share, label: Paid share, type: ratio, type_params: {numerator: paid_revenue, denominator: revenue}}
  - {name: conversion, label: Conversion, type: ratio, type_params: {numerator: orders, denominator: visits}}
  - {name: large_share, label: Large share, type: ratio, type_params: {numerator: {name: revenue, filter: "{{ Dimension('order__is_large') }} = 'large'", alias: large}, denominator: revenue}}
  - {name: unpaid, label: Unpaid, type: derived, type_params: {expr: revenue - paid_revenue, metrics: [revenue, paid_revenue]}}
  - {name: weighted, label: Weighted, type: derived, type_params: {expr: revenue / orders * 2, metrics: [revenue, orders]}}
  - {name: month_growth, label: Growth, type: derived, type_params: {expr: revenue - before, metrics: [{name: revenue}, {name: revenue, alias: before, offset_window: 1 month}]}}
  - {name: week_growth, label: Week growth, type: derived, type_params: {expr: revenue - before, metrics: [{name: revenue}, {name: revenue, alias: before, offset_window: 7 days}]}}
  - {name: all_time, label: All time, type: cumulative, type_params: {measure: amount_sum}}
  - {name: all_time_last, label: All time last, type: cumulative, type_params: {measure: amount_sum, cumulative_type_params: {period_agg: last}}}
  - {name: seven_days, label: Seven days, type: cumulative, type_params: {measure: amount_sum, cumulative_type_params: {window: 7 days}}}
  - {name: month_to_date, label: Month to date, type: cumulative, type_params: {measure: amount_sum, cumulative_type_params: {grain_to_date: month}}}
  - {name: buyers_14, label: Buyers in 14 days, type: cumulative, type_params: {measure: buyer_count, cumulative_type_params: {window: 14 days, period_agg: last}}}
"""


def generate_rows():
    rng = random.Random(20240101)
    first = datetime.date(2023, 11, 1)
    day = lambda most: first + datetime.timedelta(days=rng.randrange(most))
    money = lambda most: decimal.Decimal(rng.randrange(100, most * 100)) / 100
    cities = ["Kiel", "Bremen", "Ulm", "Graz", "Lyon", "Nice"]
    rows = {name: [] for name in TABLES}
    rows["regions"] = [(1, "North"), (2, "South"), (3, "Empty")]
    rows["stores"] = [(i + 1, city, rng.choice([1, 2, None]), day(60)) for i, city in enumerate(cities)]
    rows["customers"] = [(i, rng.choice(["new", "loyal", None]), rng.choice([1, 2, 3]), day(150)) for i in range(1, 41)]
    for i in range(1, 401):
        # No order in the second half of January, so that some weeks are empty.
        ordered = day(150)
        if datetime.date(2024, 1, 15) <= ordered <= datetime.date(2024, 1, 31):
            ordered += datetime.timedelta(days=17)
        store = rng.choice([1, 2, 3, 4, 5, None])
        status = rng.choice(["paid", "paid", "open", "void"])
        rows["orders"].append((i, store, rng.randrange(1, 41), ordered, status, money(120), rng.random() < 0.2))
        for _ in range(rng.randrange(0, 4)):
            rows["items"].append((len(rows["items"]) + 1, i, ordered, rng.randrange(1, 5), money(30)))
    rows["visits"] = [(i, rng.choice([1, 2, 3, 4, 6]), day(150)) for i in range(1, 601)]
    for store in range(1, 7):
        for offset in sorted(rng.sample(range(150), 60)):
            rows["balances"].append((len(rows["balances"]) + 1, store, first + datetime.timedelta(days=offset), money(900)))
    rows["days"] = [(first + datetime.timedelta(days=i),) for i in range(-31, 213)]
    return rows


def generate_queries():
    """Lists queries as metrics, dimensions and a filter."""
    simple = ["revenue", "mean_amount", "least_amount", "most_amount", "middle_amount", "orders", "order_rows", "buyers", "gifts"]
    groups = [[], ["metric_time__month"], ["store__city"], ["order__status", "metric_time__week"], ["customer__segment", "metric_time__quarter"]]
    queries = [([metric], by, None) for metric, by in zip(simple * 3, itertools.cycle(groups))]
    more = [
        (["revenue", "visits"], ["store__city"]),
        (["revenue", "visits", "conversion"], ["metric_time__month"]),
        (["revenue", "visits"], ["store__city", "metric_time__month"]),
        (["orders", "units", "item_value"], ["metric_time__week"]),
        (["item_value"], ["order__status"]),
        (["units"], ["order__store__city"]),
        (["item_value", "revenue"], ["order__status"]),
        (["revenue"], ["store__region__region_name"]),
        (["revenue"], ["customer__region__region_name", "metric_time__month"]),
        (["revenue"], ["store"]),
        (["orders"], ["order__ordered_on__month"]),
        (["orders"], ["store__opened_on__month"]),
        (["orders"], ["metric_time__day"]),
        (["orders"], ["metric_time__year", "order__is_large"]),
        (["signups"], ["metric_time__month", "customer__segment"]),
        (["signups", "orders"], ["metric_time__month"]),
        (["last_balance"], []),
        (["last_balance"], ["metric_time__month"]),
        (["first_balance"], ["metric_time__month"]),
        (["store_balance"], []),
        (["store_balance"], ["metric_time__month"]),
        (["store_balance"], ["store__city", "metric_time__week"]),
        (["last_balance", "revenue"], ["metric_time__quarter"]),
        (["paid_revenue", "revenue"], ["store__city"]),
        (["north_revenue"], ["metric_time__month"]),
        (["filled_revenue"], ["metric_time__week"]),
        (["filled_revenue"], ["metric_time__day"]),
        (["spined_revenue"], ["metric_time__week"]),
        (["filled_revenue"], ["metric_time__week", "store__city"]),
        (["filled_orders", "visits"], ["metric_time__day"]),
        (["order_value"], ["store__city"]),
        (["order_value"], ["metric_time__week"]),
        (["paid_share"], ["customer__segment"]),
        (["paid_share", "order_value"], []),
        (["conversion"], ["store__city", "metric_time__month"]),
        (["large_share"], ["metric_time__month"]),
        (["unpaid"], ["store__city"]),
        (["weighted"], ["metric_time__month"]),
        (["month_growth"], ["metric_time__month"]),
        (["month_growth"], ["metric_time__month", "store__city"]),
        (["week_growth"], ["metric_time__day"]),
        (["week_growth"], ["metric_time__week"]),
        (["all_time"], ["metric_time__day"]),
        (["all_time"], []),
        (["all_time"], ["metric_time__month"]),
        (["all_time_last"], ["metric_time__month"]),
        (["seven_days"], ["metric_time__day"]),
        (["seven_days"], ["metric_time__day", "store__city"]),
        (["seven_days"], ["metric_time__week"]),
        (["month_to_date"], ["metric_time__day"]),
        (["month_to_date"], ["metric_time__month"]),
        (["buyers_14"], ["metric_time__week"]),
        (["buyers_14"], ["metric_time__day", "order__status"]),
        (["all_time", "revenue"], ["metric_time__day"]),
    ]
    queries += [(metrics, by, None) for metrics, by in more]
    filters = [
        "{{ Dimension('order__status') }} = 'paid'",
        "{{ Dimension('store__city') }} in ('Kiel', 'Ulm')",
        "{{ Dimension('customer__segment') }} is not null",
        "{{ TimeDimension('metric_time', 'day') }} >= '2024-01-01' and {{ TimeDimension('metric_time', 'day') }} < '2024-03-01'",
        "{{ TimeDimension('metric_time', 'month') }} = '2024-02-01'",
        "{{ Dimension('order__status') }} <> 'void' or {{ Dimension('store__city') }} is null",
        "{{ Entity('store') }} > 2",
    ]
    targets = [(["revenue", "order_value"], ["metric_time__month"]), (["buyers"], ["store__city"]), (["orders", "paid_share"], [])]
    queries += [(metrics, by, where) for where in filters for metrics, by in targets]
    time = filters[3]
    for metrics in (["filled_revenue"], ["all_time"], ["seven_days"], ["month_growth"], ["last_balance"], ["visits", "revenue"]):
        queries.append((metrics, ["metric_time__month"], time))
    return queries


def write_project(folder):
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "shop.duckdb"
    for old in folder.glob("shop.duckdb*"):
        old.unlink()
    db = duckdb.connect(str(database))
    db.execute("CREATE SCHEMA raw")
    for name, rows in generate_rows().items():
        columns = ", ".join(f"{column} {kind}" for column, kind in TABLES[name])
        db.execute(f"CREATE TABLE raw.{name} ({columns})")
        db.executemany(f"INSERT INTO raw.{name} VALUES ({', '.join('?' * len(TABLES[name]))})", rows)
    db.close()
    models = folder / "models"
    models.mkdir(exist_ok=True)
    for name in TABLES:
        (models / f"{name}.sql").write_text(f"select * from raw.{name}\n")
    (models / "semantic.yml").write_text(SEMANTIC)
    spine = "models:\n  - name: days\n    time_spine: {standard_granularity_column: date_day}\n    columns: [{name: date_day, granularity: day}]\n"
    (models / "spine.yml").write_text(spine)
    project = "name: shop\nversion: '1.0.0'\nprofile: shop\nmodels: {shop: {+materialized: table}}\nflags: {send_anonymous_usage_stats: false}\n"
    (folder / "dbt_project.yml").write_text(project)
    profile = f"shop:\n  target: dev\n  outputs:\n    dev: {{type: duckdb, path: '{database}', threads: 1}}\n"
    (folder / "profiles.yml").write_text(profile)
    dbt = Path(sys.executable).with_name("dbt")
    subprocess.run([dbt, "run", "--project-dir", folder, "--profiles-dir", folder, "--quiet"], check=True)
    return database


def run_reference(folder, queries):
    """Returns the rows of MetricFlow, or its error, for each query."""
    from dbt_metricflow.cli.cli_configuration import CLIConfiguration
    from metricflow.engine.metricflow_engine import MetricFlowQueryRequest

    os.chdir(folder)
    configuration = CLIConfiguration()
    configuration.setup(dbt_profiles_path=folder, dbt_project_path=folder)
    statements, results = [], []
    for metrics, by, where in queries:
        request = MetricFlowQueryRequest.create(
            metric_names=metrics, group_by_names=by or None, where_constraints=[where] if where else None
        )
        try:
            statements.append(configuration.mf.explain(request).sql_statement.sql)
            results.append([tuple(row) for row in configuration.sql_client.query(statements[-1]).rows])
        except Exception as error:  # noqa: BLE001 - any refusal is a result
            statements[len(results) :] = [str(error)]
            results.append(error)
    configuration.sql_client.close()
    return statements, results


def run_vitrine(vitrine, address, query):
    metrics, by, where = query
    command = [vitrine, "metrics", "query", "--warehouse", address, "--metrics", ",".join(metrics), "--json"]
    command += ["--by", ",".join(by)] if by else []
    command += ["--where", where] if where else []
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip(), None
    told = json.loads(done.stdout)
    # MetricFlow puts times before other dimensions.
    order = sorted(range(len(by)), key=lambda at: "_time" not in by[at] and "_on__" not in by[at])
    return [tuple(row[at] for at in order) + tuple(row[len(by) :]) for row in told["rows"]], told["sql"]


def plain_cell(cell):
    if cell is None:
        return None
    if isinstance(cell, (datetime.date, datetime.datetime)):
        return cell.isoformat()[:10]
    if isinstance(cell, bool):
        return float(cell)
    try:
        return round(float(cell), 6)
    except (TypeError, ValueError):
        text = str(cell)
        return text[:10] if len(text) > 10 and text[4:5] == "-" and text[7:8] == "-" else text


def plain_rows(rows):
    return sorted((tuple(plain_cell(cell) for cell in row) for row in rows), key=repr)


def is_equal(left, right):
    if len(left) != len(right):
        return False
    for a, b in zip(left, right):
        for x, y in zip(a, b):
            if isinstance(x, float) and isinstance(y, float):
                if abs(x - y) > 1e-5 * max(1.0, abs(x)):
                    return False
            elif x != y:
                return False
        if len(a) != len(b):
            return False
    return True


def main():
    folder, vitrine = Path(sys.argv[1]).resolve(), sys.argv[2]
    others = dict(pair.split("=", 1) for pair in sys.argv[4:]) if "--engines" in sys.argv else {}
    queries = generate_queries()
    database = write_project(folder)
    statements, expected = run_reference(folder, queries)
    manifest = folder / "target" / "semantic_manifest.json"
    for address in [f"duckdb:{database}", *others.values()]:
        imported = subprocess.run([vitrine, "metrics", "import", manifest, "--warehouse", address], capture_output=True, text=True)
        print(imported.stdout, imported.stderr)
    equal = different = 0
    for query, statement, rows in zip(queries, statements, expected):
        found, sql = run_vitrine(vitrine, f"duckdb:{database}", query)
        if isinstance(rows, Exception) or isinstance(found, str):
            same = isinstance(rows, Exception) and isinstance(found, str)
        else:
            same = is_equal(plain_rows(rows), plain_rows(found))
        equal, different = equal + same, different + (not same)
        if not same:
            print(f"\n=== {query}\n--- MetricFlow\n{statement}\n--- Vitrine\n{sql}")
            if not isinstance(rows, Exception) and not isinstance(found, str):
                left, right = plain_rows(rows), plain_rows(found)
                print("only MetricFlow:", [row for row in left if row not in right][:8])
                print("only Vitrine:", [row for row in right if row not in left][:8])
            else:
                print(str(rows)[:600], "\n", str(found)[:600])
        for name, address in others.items():
            other, _ = run_vitrine(vitrine, address, query)
            if isinstance(found, str) or isinstance(other, str):
                if type(found) is not type(other):
                    print(f"{name}: {query}: {str(other)[:400]}")
            elif not is_equal(plain_rows(found), plain_rows(other)):
                print(f"{name} differs: {query}\n  {plain_rows(found)[:4]}\n  {plain_rows(other)[:4]}")
    print(f"{len(queries)} queries, {equal} equal, {different} different")


if __name__ == "__main__":
    main()
