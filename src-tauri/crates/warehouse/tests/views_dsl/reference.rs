//! A reference implementation of the view language with plain loops over rows: the results that every engine must
//! return.

use super::cells::{Cell, day, day_of, steps, truncated};
use super::hiding::meant;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use vitrine_domain::ViewSpec;
use vitrine_domain::views::{
    Aggregate, CastType, Comparison, Condition, Constant, Day, Expression, JoinKind, Metric, Moment, Sign, Step, Test,
    ViewSource, Window, WindowKind,
};

#[derive(Debug, Clone, Default)]
pub struct Rel {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

/// An intended join: the index of the earlier source, both columns, and the treatment of rows without a partner.
#[derive(Debug, Clone)]
pub struct Link {
    pub parent: usize,
    pub up: String,
    pub own: String,
    pub kind: JoinKind,
}

pub type Tables = BTreeMap<String, Rel>;

/// Returns the rows of a view in its order.
pub fn rows(spec: &ViewSpec, links: &[Link], tables: &Tables) -> Rel {
    let absent = links.iter().position(|link| link.kind == JoinKind::Anti).map(|at| at + 1);
    let group = Group { spec, members: spec.source.iter().map(|s| source(s, tables)).collect(), absent };
    let joined: Vec<Tuple> = group.join(links).into_iter().filter(|row| group.holds(row)).collect();
    let mut groups: Vec<(Vec<Cell>, Vec<Tuple>)> = Vec::new();
    for row in joined {
        let key: Vec<Cell> = spec
            .dimensions
            .iter()
            .map(|d| match (group.stored(&d.column, &row), d.by) {
                (cell, Some(period)) => truncated(&meaning(&d.column, &cell), period),
                (cell, None) => cell,
            })
            .collect();
        let seen = groups.iter().position(|(k, _)| *k == key).filter(|_| !spec.metrics.is_empty() || spec.distinct);
        match seen {
            Some(at) => groups[at].1.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    if groups.is_empty() && spec.dimensions.is_empty() {
        groups.push((Vec::new(), Vec::new()));
    }
    let mut columns: Vec<String> = spec.dimensions.iter().map(|d| d.name.clone().expect("named")).collect();
    columns.extend(spec.metrics.iter().map(|m| m.name.clone()));
    let mut rows: Vec<Vec<Cell>> = groups
        .into_iter()
        .map(|(mut key, rows)| {
            key.extend(spec.metrics.iter().map(|m| group.metric(m, &rows)));
            key
        })
        .collect();
    for ratio in &spec.ratios {
        let (of, to) = (at(&columns, &ratio.of), at(&columns, &ratio.to));
        for row in &mut rows {
            let value = quotient(row[of].number(), row[to].number());
            row.push(value);
        }
        columns.push(ratio.name.clone());
    }
    rows.retain(|row| spec.having.iter().all(|c| holds(c, &|of| row[at(&columns, name(of))].clone())));
    for window in &spec.windows {
        let values: Vec<Cell> = (0..rows.len()).map(|i| windowed(spec, window, i, &rows, &columns)).collect();
        rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value));
        columns.push(window.name.clone());
    }
    let dimensions: Vec<usize> = (0..spec.dimensions.len()).collect();
    let sorted = |at: usize, cell: &Cell| as_sorted(spec, at, cell);
    let ties = |a: &[Cell], b: &[Cell]| {
        dimensions.iter().map(|&d| a[d].order(&b[d])).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    };
    if let Some(top) = &spec.top {
        let by = at(&columns, &top.by);
        rows.sort_by(|a, b| {
            let (one, other) = (sorted(by, &a[by]), sorted(by, &b[by]));
            let first = if top.ascending { one.order(&other) } else { one.descending(&other) };
            first.then_with(|| ties(a, b))
        });
        let per: Vec<usize> = top.per.iter().map(|name| at(&columns, name)).collect();
        let mut counts: Vec<(Vec<Cell>, u32)> = Vec::new();
        rows.retain(|row| {
            let key: Vec<Cell> = per.iter().map(|&p| row[p].clone()).collect();
            let place = counts.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
                counts.push((key, 0));
                counts.len() - 1
            });
            counts[place].1 += 1;
            counts[place].1 <= top.n
        });
    }
    let keys: Vec<(usize, bool)> = spec.order.iter().map(|k| (at(&columns, &k.by), k.descending)).collect();
    rows.sort_by(|a, b| {
        let by = |(k, down): &(usize, bool)| {
            let (one, other) = (sorted(*k, &a[*k]), sorted(*k, &b[*k]));
            if *down { one.descending(&other) } else { one.order(&other) }
        };
        keys.iter().map(by).find(|o| o.is_ne()).unwrap_or_else(|| ties(a, b))
    });
    rows.truncate(spec.limit.map_or(usize::MAX, |n| n as usize));
    Rel { columns, rows }
}

/// Returns the sort value of a cell in a view's column: the value that a dimension's text hides, unless it is a period
/// already.
pub fn as_sorted(spec: &ViewSpec, at: usize, cell: &Cell) -> Cell {
    let hiding = spec.dimensions.get(at).filter(|d| d.by.is_none());
    hiding.map_or_else(|| cell.clone(), |d| meaning(&d.column, cell))
}

fn at(columns: &[String], name: &str) -> usize {
    columns.iter().position(|c| c == name).unwrap_or_else(|| panic!("no {name} in {columns:?}"))
}

fn quotient(of: Option<f64>, to: Option<f64>) -> Cell {
    match (of, to) {
        (Some(of), Some(to)) if to != 0.0 => Cell::Number(of / to),
        _ => Cell::Null,
    }
}

fn windowed(spec: &ViewSpec, window: &Window, i: usize, rows: &[Vec<Cell>], columns: &[String]) -> Cell {
    let of = at(columns, &window.of);
    let of_row =
        |row: &Vec<Cell>, names: &[String]| names.iter().map(|n| row[at(columns, n)].clone()).collect::<Vec<_>>();
    let own = of_row(&rows[i], &window.per);
    let peers: Vec<&Vec<Cell>> = rows.iter().filter(|row| of_row(row, &window.per) == own).collect();
    let sum = |rows: &[&Vec<Cell>]| {
        let numbers: Vec<f64> = rows.iter().filter_map(|row| row[of].number()).collect();
        (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>())
    };
    match window.kind {
        WindowKind::Rank => {
            let before = peers.iter().filter(|row| row[of].descending(&rows[i][of]).is_lt()).count();
            Cell::Number(before as f64 + 1.0)
        }
        WindowKind::Share => quotient(rows[i][of].number(), sum(&peers)),
        WindowKind::Lag | WindowKind::MovingSum | WindowKind::MovingAvg => {
            let along: Vec<usize> = window.along.iter().map(|name| at(columns, name)).collect();
            let mut order: Vec<usize> = (0..rows.len()).filter(|&row| of_row(&rows[row], &window.per) == own).collect();
            order.sort_by(|&a, &b| {
                let sorted = |row: usize, at: usize| as_sorted(spec, at, &rows[row][at]);
                let by_along = along.iter().map(|&at| sorted(a, at).order(&sorted(b, at)));
                let by_others = (0..spec.dimensions.len()).map(|at| rows[a][at].order(&rows[b][at]));
                by_along.chain(by_others).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
            });
            let place = order.iter().position(|&row| row == i).expect("a row is among its peers");
            let many = window.rows.unwrap_or(1) as usize;
            if window.kind == WindowKind::Lag {
                return place.checked_sub(many).map_or(Cell::Null, |before| rows[order[before]][of].clone());
            }
            let held: Vec<&Vec<Cell>> =
                order[(place + 1).saturating_sub(many)..=place].iter().map(|&row| &rows[row]).collect();
            let count = held.iter().filter(|row| !row[of].is_null()).count() as f64;
            let mean = window.kind == WindowKind::MovingAvg;
            sum(&held).map_or(Cell::Null, |sum| Cell::Number(if mean { sum / count } else { sum }))
        }
        WindowKind::RunningTotal => {
            let up_to = |row: &&&Vec<Cell>| {
                let along = |row: &Vec<Cell>| -> Vec<Cell> {
                    let places = window.along.iter().map(|name| at(columns, name));
                    places.map(|place| as_sorted(spec, place, &row[place])).collect()
                };
                let (a, b) = (along(row), along(&rows[i]));
                a.iter().zip(&b).map(|(a, b)| a.order(b)).find(|o| o.is_ne()).is_none_or(Ordering::is_lt)
            };
            let so_far: Vec<&Vec<Cell>> = peers.iter().filter(up_to).copied().collect();
            sum(&so_far).map_or(Cell::Null, Cell::Number)
        }
    }
}

/// Returns the rows of a source; for a union, the columns common to all members.
fn source(source: &ViewSource, tables: &Tables) -> Rel {
    let first = &tables[&source.table];
    if source.union.is_empty() {
        return first.clone();
    }
    let all = || std::iter::once(&source.table).chain(&source.union);
    let common = first.columns.iter().filter(|c| all().all(|table| tables[table].columns.contains(c)));
    let mut columns: Vec<String> = common.cloned().collect();
    let rows = all().flat_map(|table| {
        let part = &tables[table];
        let places: Vec<usize> = columns.iter().map(|c| at(&part.columns, c)).collect();
        let series = source.series.as_ref().map(|_| Cell::Text(table.clone()));
        let row = move |row: &Vec<Cell>| places.iter().map(|&p| row[p].clone()).chain(series.clone()).collect();
        part.rows.iter().map(row).collect::<Vec<Vec<Cell>>>()
    });
    let rows = rows.collect();
    columns.extend(source.series.clone());
    Rel { columns, rows }
}

/// One row of each source; `None` if a left join found none.
type Tuple = Vec<Option<usize>>;

struct Group<'a> {
    spec: &'a ViewSpec,
    members: Vec<Rel>,
    /// The source of an anti join.
    absent: Option<usize>,
}

impl Group<'_> {
    fn join(&self, links: &[Link]) -> Vec<Tuple> {
        let mut tuples: Vec<Tuple> = (0..self.members[0].rows.len()).map(|row| vec![Some(row)]).collect();
        for (member, link) in (1..).zip(links) {
            let (up, own) =
                (at(&self.members[link.parent].columns, &link.up), at(&self.members[member].columns, &link.own));
            let mut longer = Vec::new();
            for tuple in tuples {
                let key = tuple[link.parent].map_or(Cell::Null, |row| self.members[link.parent].rows[row][up].clone());
                let mut partners: Vec<usize> = (0..self.members[member].rows.len())
                    .filter(|&row| !key.is_null() && self.members[member].rows[row][own] == key)
                    .collect();
                if link.kind == JoinKind::Anti {
                    let of_partner = self.spec.conditions.iter().filter(|c| self.members_of(c).contains(&member));
                    let of_partner: Vec<&Condition> = of_partner.collect();
                    let with = |row: usize| [tuple.clone(), vec![Some(row)]].concat();
                    partners.retain(|row| of_partner.iter().all(|c| self.meets(c, &with(*row))));
                    longer.extend(partners.is_empty().then(|| [tuple.clone(), vec![None]].concat()));
                    continue;
                }
                if partners.is_empty() && link.kind != JoinKind::Inner {
                    longer.push([tuple.clone(), vec![None]].concat());
                }
                longer.extend(partners.into_iter().map(|row| [tuple.clone(), vec![Some(row)]].concat()));
            }
            if link.kind == JoinKind::Full {
                let met: Vec<usize> = longer.iter().filter_map(|tuple| tuple[member]).collect();
                let alone = (0..self.members[member].rows.len()).filter(|row| !met.contains(row));
                longer.extend(alone.map(|row| [vec![None; member], vec![Some(row)]].concat()));
            }
            tuples = longer;
        }
        tuples
    }

    /// Returns a column's position: of `source.column`, or of an unqualified name that is unique.
    fn place(&self, name: &str) -> (usize, usize) {
        let (table, column) = name.split_once('.').map_or((None, name), |(table, column)| (Some(table), column));
        (0..self.members.len())
            .filter(|&m| {
                let source = &self.spec.source[m];
                table.is_none_or(|t| source.alias.as_ref().unwrap_or(&source.table) == t)
            })
            .find_map(|m| self.members[m].columns.iter().position(|c| c == column).map(|c| (m, c)))
            .unwrap_or_else(|| panic!("no {name}"))
    }

    fn cell(&self, name: &str, tuple: &Tuple) -> Cell {
        let (member, column) = self.place(name);
        tuple[member].map_or(Cell::Null, |row| self.members[member].rows[row][column].clone())
    }

    fn holds(&self, tuple: &Tuple) -> bool {
        let absent = |c: &Condition| self.members_of(c).iter().any(|member| Some(*member) == self.absent);
        self.spec.conditions.iter().filter(|c| !absent(c)).all(|c| self.meets(c, tuple))
    }

    fn meets(&self, condition: &Condition, tuple: &Tuple) -> bool {
        holds(condition, &|of| self.stored(of, tuple))
    }

    /// Evaluates an expression; columns give their stored values.
    fn stored(&self, of: &Expression, tuple: &Tuple) -> Cell {
        match of {
            Expression::Column(name) => self.cell(name, tuple),
            of => self.value(of, tuple),
        }
    }

    fn value(&self, of: &Expression, tuple: &Tuple) -> Cell {
        match of {
            Expression::Column(name) => meant(name, &self.cell(name, tuple)),
            Expression::Number(number) => Cell::Number(number.as_f64().expect("finite")),
            Expression::Nested(nested) => {
                let Cell::Text(text) = self.cell(&nested.column, tuple) else { return Cell::Null };
                let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                let end = nested.path.iter().try_fold(&json, |json, step| match step {
                    Step::Key(key) => json.get(key),
                    Step::Element(at) => json.get(*at as usize),
                });
                let text = match end {
                    None | Some(serde_json::Value::Null) => return Cell::Null,
                    Some(serde_json::Value::String(text)) => text.clone(),
                    Some(other) => other.to_string(),
                };
                cast(&Cell::Text(text), nested.kind)
            }
            Expression::Cast(parts) => cast(&self.value(&parts.cast, tuple), parts.to),
            Expression::Case(case) => {
                let branch = case.case.iter().find(|branch| branch.when.iter().all(|c| self.meets(c, tuple)));
                branch.map(|branch| &branch.then).or(case.otherwise.as_ref()).map_or(Cell::Null, constant)
            }
            Expression::Dates(dates) => {
                let moment = |of: &Moment| match of {
                    Moment::Day(day) => written_day(day),
                    Moment::Column(name) => day_of(&meant(name, &self.cell(name, tuple))),
                };
                steps(&moment(&dates.from), &moment(&dates.to), dates.unit)
            }
            Expression::Arithmetic(parts) => {
                let (left, right) = (self.value(&parts.left, tuple).number(), self.value(&parts.right, tuple).number());
                let (Some(a), Some(b)) = (left, right) else { return Cell::Null };
                match parts.op {
                    Sign::Plus => Cell::Number(a + b),
                    Sign::Minus => Cell::Number(a - b),
                    Sign::Times => Cell::Number(a * b),
                    Sign::Over => quotient(Some(a), Some(b)),
                }
            }
        }
    }

    fn members_in(&self, of: &Expression) -> Vec<usize> {
        match of {
            Expression::Column(name) => vec![self.place(name).0],
            Expression::Number(_) => Vec::new(),
            Expression::Nested(nested) => vec![self.place(&nested.column).0],
            Expression::Cast(parts) => self.members_in(&parts.cast),
            Expression::Case(case) => {
                let all = case.case.iter().flat_map(|branch| &branch.when);
                all.flat_map(|c| self.members_of(c)).collect()
            }
            Expression::Dates(dates) => {
                let columns = [&dates.from, &dates.to].into_iter().filter_map(|of| match of {
                    Moment::Day(_) => None,
                    Moment::Column(name) => Some(self.place(name).0),
                });
                columns.collect()
            }
            Expression::Arithmetic(parts) => [self.members_in(&parts.left), self.members_in(&parts.right)].concat(),
        }
    }

    fn members_of(&self, condition: &Condition) -> Vec<usize> {
        match condition {
            Condition::Any(group) => group.any.iter().flat_map(|c| self.members_of(c)).collect(),
            Condition::All(group) => group.all.iter().flat_map(|c| self.members_of(c)).collect(),
            Condition::Test(test) => {
                let of = std::iter::once(&test.column).chain(&test.to);
                of.flat_map(|of| self.members_in(of)).collect()
            }
        }
    }

    /// Each row of the metric's sources counts once, if one of its joined rows satisfies the metric's conditions.
    fn metric(&self, metric: &Metric, rows: &[Tuple]) -> Cell {
        let agg = metric.agg;
        let rows: Vec<&Tuple> =
            rows.iter().filter(|tuple| metric.conditions.iter().all(|c| self.meets(c, tuple))).collect();
        let Some(of) = &metric.of else { return Cell::Number(rows.len() as f64) };
        let members = self.members_in(of);
        let mut seen: Vec<Vec<Option<usize>>> = Vec::new();
        let mut values: Vec<Cell> = Vec::new();
        for tuple in rows {
            let own: Vec<Option<usize>> = members.iter().map(|&m| tuple[m]).collect();
            // A missing row is not counted.
            if !seen.contains(&own) && !own.contains(&None) {
                seen.push(own);
                // Stored values are counted.
                let value = match agg {
                    Aggregate::Count | Aggregate::CountDistinct => self.stored(of, tuple),
                    _ => self.value(of, tuple),
                };
                values.extend(Some(value).filter(|cell| !cell.is_null()));
            }
        }
        let sum = || values.iter().filter_map(Cell::number).sum::<f64>();
        match agg {
            Aggregate::Count => Cell::Number(values.len() as f64),
            Aggregate::CountDistinct => {
                let mut different: Vec<&Cell> = Vec::new();
                values.iter().for_each(|v| {
                    if !different.contains(&v) {
                        different.push(v);
                    }
                });
                Cell::Number(different.len() as f64)
            }
            _ if values.is_empty() => Cell::Null,
            Aggregate::Sum => Cell::Number(sum()),
            Aggregate::Avg => Cell::Number(sum() / values.len() as f64),
            Aggregate::Median => {
                let mut numbers: Vec<f64> = values.iter().filter_map(Cell::number).collect();
                numbers.sort_by(f64::total_cmp);
                let (half, last) = (numbers.len() / 2, numbers.len() - 1);
                Cell::Number((numbers[last - half] + numbers[half]) / 2.0)
            }
            Aggregate::Stddev if values.len() < 2 => Cell::Null,
            Aggregate::Stddev => {
                let mean = sum() / values.len() as f64;
                let squares: f64 = values.iter().filter_map(Cell::number).map(|n| (n - mean) * (n - mean)).sum();
                Cell::Number((squares / (values.len() as f64 - 1.0)).sqrt())
            }
            Aggregate::Min => values.iter().min_by(|a, b| a.order(b)).cloned().unwrap_or(Cell::Null),
            Aggregate::Max => values.iter().max_by(|a, b| a.order(b)).cloned().unwrap_or(Cell::Null),
        }
    }
}

fn name(of: &Expression) -> &str {
    match of {
        Expression::Column(name) => name,
        other => panic!("{other:?} is no name"),
    }
}

/// Returns the hidden value of a column's cell.
fn meaning(of: &Expression, cell: &Cell) -> Cell {
    match of {
        Expression::Column(name) => meant(name, cell),
        _ => cell.clone(),
    }
}

fn holds(condition: &Condition, cell: &dyn Fn(&Expression) -> Cell) -> bool {
    match condition {
        Condition::Any(group) => group.any.iter().any(|c| holds(c, cell)),
        Condition::All(group) => group.all.iter().all(|c| holds(c, cell)),
        Condition::Test(test) => match &test.to {
            Some(to) => compared(meaning(&test.column, &cell(&test.column)), test.op, meaning(to, &cell(to))),
            None => tested(test, &cell(&test.column)),
        },
    }
}

/// Compares two values of a row; a date and a time are compared by date.
fn compared(left: Cell, op: Comparison, right: Cell) -> bool {
    if left.is_null() || right.is_null() {
        return false;
    }
    let times = matches!((&left, &right), (Cell::Time(_), Cell::Time(_)));
    let (left, right) = if times { (left, right) } else { (day_of(&left), day_of(&right)) };
    let order = left.order(&right);
    match op {
        Comparison::Is => order.is_eq(),
        Comparison::IsNot => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::AtMost => order.is_le(),
        Comparison::More => order.is_gt(),
        Comparison::AtLeast => order.is_ge(),
        other => panic!("{other:?} compares no two values"),
    }
}

fn constant(of: &Constant) -> Cell {
    match of {
        Constant::Boolean(truth) => Cell::Truth(*truth),
        Constant::Number(number) => Cell::Number(number.as_f64().expect("finite")),
        Constant::Text(text) => Cell::Text(text.clone()),
        Constant::Day(written) => written_day(written),
    }
}

fn cast(of: &Cell, to: CastType) -> Cell {
    let number = || match of {
        Cell::Text(text) => text.trim().parse().map_or(Cell::Null, Cell::Number),
        Cell::Truth(truth) => Cell::Number(f64::from(u8::from(*truth))),
        other => other.clone(),
    };
    match to {
        CastType::Number => number(),
        CastType::Whole => number().number().map_or(Cell::Null, |n| Cell::Number(n.trunc())),
        CastType::Text => match of {
            Cell::Number(number) => Cell::Text(number.to_string()),
            Cell::Truth(truth) => Cell::Text(truth.to_string()),
            Cell::Day(days) => Cell::Text(super::engines::written_day(*days)),
            other => other.clone(),
        },
        CastType::Date => match of {
            Cell::Text(text) => {
                let begins: String = text.trim().chars().take(10).collect();
                let days = day(2023, 1, 1)..day(2025, 1, 1);
                let day = days.into_iter().find(|days| super::engines::written_day(*days) == begins);
                day.map_or(Cell::Null, Cell::Day)
            }
            other => day_of(other),
        },
    }
}

fn written_day(written: &Day) -> Cell {
    let part = |from: usize, to: usize| written.date[from..to].parse::<i64>().expect("a day");
    Cell::Day(day(part(0, 4), part(5, 7), part(8, 10)))
}

fn tested(test: &Test, cell: &Cell) -> bool {
    if test.op == Comparison::IsNull || test.op == Comparison::IsNotNull {
        return cell.is_null() == (test.op == Comparison::IsNull);
    }
    let cell = &meaning(&test.column, cell);
    if cell.is_null() {
        return false;
    }
    let to = |value: &Constant| {
        let other = constant(value);
        let own = if matches!(other, Cell::Day(_)) { day_of(cell) } else { cell.clone() };
        own.order(&other)
    };
    let first = || to(&test.values[0]);
    match test.op {
        Comparison::Is => first().is_eq(),
        Comparison::IsNot => first().is_ne(),
        Comparison::Less => first().is_lt(),
        Comparison::AtMost => first().is_le(),
        Comparison::More => first().is_gt(),
        Comparison::AtLeast => first().is_ge(),
        Comparison::In => test.values.iter().any(|v| to(v).is_eq()),
        Comparison::NotIn => test.values.iter().all(|v| to(v).is_ne()),
        Comparison::Between => first().is_ge() && to(&test.values[1]).is_le(),
        Comparison::Contains | Comparison::Like => {
            let (Cell::Text(text), Constant::Text(wanted)) = (cell, &test.values[0]) else {
                panic!("text is searched")
            };
            let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
            if test.op == Comparison::Contains {
                text.contains(&wanted)
            } else {
                like(&text.chars().collect::<Vec<_>>(), &wanted.chars().collect::<Vec<_>>())
            }
        }
        Comparison::IsNull | Comparison::IsNotNull => unreachable!("answered above"),
    }
}

fn like(text: &[char], pattern: &[char]) -> bool {
    match (pattern, text) {
        ([], text) => text.is_empty(),
        (['%', rest @ ..], _) => (0..=text.len()).any(|n| like(&text[n..], rest)),
        (['_', rest @ ..], [_, tail @ ..]) => like(tail, rest),
        ([p, rest @ ..], [t, tail @ ..]) => p == t && like(tail, rest),
        _ => false,
    }
}
