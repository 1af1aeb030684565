//! Contributions of generated data sum to the change, as exact numbers and as printed.

use crate::support::{check_sums, number, periods};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use vitrine_domain::{Catalog, CellType, Dialect, Page, ResultColumn};
use vitrine_metric_change::{
    ChangePlan, Contribution, Member, MetricChange, MetricChangeRequest, Number, Shape, explanatory_power, plan_change,
    read_shape, split_change,
};
use vitrine_metrics::{MetricsFile, parse_file};

const METRICS: &str = "
tables:
  - name: sales
    time: day
    primary_entity: sale
    dimensions: [{name: day, kind: time}, {name: region}]
metrics:
  - {name: revenue, aggregate: sum, of: amount, table: sales}
  - {name: costs, aggregate: sum, of: cost, table: sales}
  - {name: units, aggregate: sum, of: qty, table: sales}
  - {name: profit, formula: revenue - costs}
  - {name: scaled, formula: '(2 * revenue - costs / 3) + 7'}
  - {name: price, ratio: {of: revenue, to: units}}
  - {name: margin, formula: 1 - costs / revenue}
  - {name: percent, formula: '100 * (revenue - costs) / NULLIF(units, 0)'}
  - {name: mean, aggregate: average, of: amount, table: sales}
";

fn file() -> MetricsFile {
    parse_file(METRICS).unwrap()
}

fn catalog() -> Catalog {
    let table = "CREATE TABLE sales (day DATE, region VARCHAR, qty INTEGER, amount DECIMAL(12,2), cost DECIMAL(12,2));";
    Catalog {
        database: "shop".into(),
        dialect: Dialect::Duckdb,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".into(),
        tables: vitrine_ddl::parse(table, Dialect::Duckdb).unwrap(),
    }
}

fn shape(metric: &str) -> Shape {
    static SHAPES: LazyLock<BTreeMap<String, Shape>> = LazyLock::new(|| {
        let file = file();
        let read = |metric| read_shape(&file, metric, Dialect::Duckdb).unwrap().0;
        file.metrics.iter().map(|metric| (metric.name.clone(), read(metric))).collect()
    });
    SHAPES[metric].clone()
}

/// The cents of two parts on both sides; `None` for sides without rows.
type Cells = [Option<(i64, i64)>; 2];

fn cells() -> impl Strategy<Value = Cells> {
    let cents = prop_oneof![Just(0), -50i64..50, -1_000_000i64..1_000_000, Just(12_345_678_901)];
    let side = prop_oneof![4 => (cents.clone(), cents).prop_map(Some), 1 => Just(None)];
    prop::array::uniform2(side)
}

fn members() -> impl Strategy<Value = Vec<Cells>> {
    prop::collection::vec(cells(), 1..25)
}

fn cents(number: i64) -> Number {
    Number::from_whole(number).divide(&Number::from_whole(100)).unwrap()
}

/// Builds members with as many parts as a metric has; the last one has no key.
fn build(data: &[Cells], parts: usize) -> Vec<Member> {
    let values = |cell: &Option<(i64, i64)>| {
        let (a, b) = cell.unwrap_or_default();
        [a, b, a - b].into_iter().take(parts).map(cents).collect::<Vec<_>>()
    };
    data.iter()
        .enumerate()
        .map(|(at, cell)| Member {
            key: (at + 1 < data.len()).then(|| format!("m{at}")),
            parts: [values(&cell[0]), values(&cell[1])],
            has_rows: [cell[0].is_some(), cell[1].is_some()],
        })
        .collect()
}

fn total(members: &[Member], side: usize, parts: usize) -> Vec<Number> {
    (0..parts).map(|part| members.iter().map(|member| &member.parts[side][part]).sum()).collect()
}

fn value(shape: &Shape, parts: &[Number]) -> Option<Number> {
    match shape {
        Shape::Sum(sum) => Some(&sum.sum_parts(parts) + &sum.constant),
        Shape::Quotient(of, to) => of.sum_parts(parts).divide(&to.sum_parts(parts)),
    }
}

fn page(types: CellType, rows: Vec<Vec<Option<String>>>) -> Page {
    let width = rows.first().map_or(0, Vec::len);
    let columns = (0..width).map(|at| ResultColumn::new(format!("c{at}"), types)).collect();
    Page { columns, row_count: rows.len() as u64, rows, truncated: false }
}

/// Runs the whole explanation over made-up results.
fn explain(plan: &ChangePlan, members: &[Member], shape: &Shape, parts: usize, types: CellType) -> MetricChange {
    let print = |number: &Number| Some(number.format(2));
    let pages = [0, 1].map(|side| {
        let sums = total(members, side, parts);
        let metric = value(shape, &sums).map(|value| value.format(30));
        page(types, vec![std::iter::once(metric).chain(sums.iter().map(print)).collect()])
    });
    let totals = plan.read_totals([&pages[0], &pages[1]]).unwrap();
    let pages = [0, 1].map(|side| {
        let rows = members.iter().filter(|member| member.has_rows[side]);
        let rows = rows.map(|m| std::iter::once(m.key.clone()).chain(m.parts[side].iter().map(print)).collect());
        page(types, rows.collect())
    });
    let split = plan.split_by(&plan.dimensions[0], &totals, [&pages[0], &pages[1]]);
    plan.assemble_report(&totals, split.into_iter().collect(), Vec::new(), [None, None])
}

fn plan(metric: &str) -> ChangePlan {
    static PLANS: LazyLock<BTreeMap<String, ChangePlan>> = LazyLock::new(|| {
        let (file, catalog) = (file(), catalog());
        let plan = |name: &str| {
            let request = MetricChangeRequest {
                by: vec!["sale__region".into()],
                members: Some(5),
                ..periods(name, "2024-03", "2024-04")
            };
            plan_change(&file, &catalog, &request, &|_, _| None).unwrap()
        };
        file.metrics.iter().map(|metric| (metric.name.clone(), plan(&metric.name))).collect()
    });
    PLANS[metric].clone()
}

fn part_count(metric: &str) -> usize {
    match metric {
        "revenue" => 1,
        "percent" => 3,
        _ => 2,
    }
}

proptest! {
    // Exact fractions are slow in unoptimised builds.
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn contributions_sum_to_the_change(data in members()) {
        for metric in ["revenue", "profit", "scaled", "price", "margin", "percent", "mean"] {
            let (shape, parts) = (shape(metric), part_count(metric));
            let members = build(&data, parts);
            let values = [0, 1].map(|side| value(&shape, &total(&members, side, parts)));
            let split = split_change(&shape, &members);
            let [Some(before), Some(after)] = values else {
                prop_assert!(split.is_none(), "{metric} has no divisor on one side");
                continue;
            };
            let split: Vec<Contribution> = split.unwrap();
            let sum: Number = split.iter().map(|one| &one.total).sum();
            prop_assert_eq!(&sum, &(&after - &before), "{}", metric);
            for one in &split {
                if let (Some(rate), Some(mix)) = (&one.rate, one.mix()) {
                    prop_assert_eq!(&(rate + &mix), &one.total);
                }
            }
            let power = explanatory_power(&split);
            prop_assert!((0.0..=1.0).contains(&power), "{power}");
        }
    }

    #[test]
    fn exchanging_the_sides_changes_only_the_signs(data in members()) {
        for metric in ["profit", "price"] {
            let members = build(&data, 2);
            let exchanged: Vec<Member> = members
                .iter()
                .map(|member| {
                    let [before, after] = member.parts.clone();
                    let [a, b] = member.has_rows;
                    Member { key: member.key.clone(), parts: [after, before], has_rows: [b, a] }
                })
                .collect();
            let (Some(there), Some(back)) = (split_change(&shape(metric), &members), split_change(&shape(metric), &exchanged)) else {
                continue;
            };
            for (a, b) in there.iter().zip(&back) {
                let total = -&b.total;
                prop_assert_eq!(&a.total, &total);
                let rate = b.rate.as_ref().map(|rate| -rate);
                prop_assert_eq!(&a.rate, &rate);
            }
        }
    }

    #[test]
    fn printed_contributions_sum_to_the_printed_change(data in members(), is_float in any::<bool>()) {
        let types = if is_float { CellType::Float } else { CellType::Decimal };
        for metric in ["revenue", "profit", "scaled", "price", "percent", "mean"] {
            let (shape, parts) = (shape(metric), part_count(metric));
            let members = build(&data, parts);
            let report = explain(&plan(metric), &members, &shape, parts, types);
            let values = [0, 1].map(|side| value(&shape, &total(&members, side, parts)));
            match (&report.change, values) {
                (Some(change), [Some(before), Some(after)]) => {
                    let difference = &number(change) - &(&after - &before);
                    let size = &(&before.abs() + &after.abs()) * &number("1e-9");
                    prop_assert!(difference.abs() <= size, "{metric}: {change}");
                    prop_assert_eq!(report.dimensions.len(), 1, "{}: {:?}", metric, report.not_additive);
                    prop_assert!(report.dimensions[0].members.len() <= 5);
                    let others = report.dimensions[0].others.as_ref().map_or(0, |others| others.count as usize);
                    prop_assert_eq!(report.dimensions[0].members.len() + others, members.iter().filter(|m| m.has_rows != [false, false]).count());
                    check_sums(&report);
                }
                (None, values) => prop_assert!(values.iter().any(Option::is_none) && report.not_additive.is_some()),
                (Some(change), values) => prop_assert!(false, "{metric}: {change} of {values:?}"),
            }
        }
    }
}

#[test]
fn an_even_change_explains_nothing_and_a_concentrated_one_everything() {
    let power = |data: &[Cells]| explanatory_power(&split_change(&shape("revenue"), &build(data, 1)).unwrap());
    let even: Vec<Cells> = (1..20).map(|size| [Some((1_000 * size, 0)), Some((1_100 * size, 0))]).collect();
    assert_eq!(power(&even), 0.0);
    let mut one: Vec<Cells> = vec![[Some((1_000, 0)), Some((1_000, 0))]; 19];
    one.push([Some((10, 0)), Some((5_010, 0))]);
    assert!(power(&one) > 0.8, "{}", power(&one));
    let many: Vec<Cells> = (0..100).map(|at| [Some((100, 0)), Some((100 + at % 7, 0))]).collect();
    assert!(power(&many) < 0.1, "{}", power(&many));
    // One member alone is the whole, which explains nothing.
    assert_eq!(power(&[[Some((1, 0)), Some((9, 0))]]), 0.0);
}

#[test]
fn an_even_change_of_rates_explains_nothing() {
    let even: Vec<Cells> =
        (1..9).map(|size| [Some((100 * size, 100 * size)), Some((200 * size, 100 * size))]).collect();
    let split = split_change(&shape("price"), &build(&even, 2)).unwrap();
    assert_eq!(explanatory_power(&split), 0.0);
}

#[test]
fn groups_that_do_not_add_up_are_refused() {
    let plan = plan("revenue");
    let totals = page(CellType::Integer, vec![vec![Some("10".into()), Some("10".into())]]);
    let totals = plan.read_totals([&totals, &totals]).unwrap();
    let rows = |value: &str| page(CellType::Integer, vec![vec![Some("North".into()), Some(value.into())]]);
    assert!(plan.split_by(&plan.dimensions[0], &totals, [&rows("10"), &rows("10")]).is_ok());
    let told = plan.split_by(&plan.dimensions[0], &totals, [&rows("10"), &rows("11")]).unwrap_err();
    assert!(told.contains("do not add up to the total: 11 instead of 10"), "{told}");
    let truncated = Page { truncated: true, ..rows("10") };
    assert!(plan.split_by(&plan.dimensions[0], &totals, [&rows("10"), &truncated]).unwrap_err().contains("more than"));
}
