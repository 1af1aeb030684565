//! Random small databases and valid specs, generated from a list of numbers so that failing cases can shrink.

use super::cells::{Cell, day};
use super::reference::{Link, Rel, Tables};
use serde_json::Number;
use vitrine_domain::ViewSpec;
use vitrine_domain::views::{
    Aggregate, Arithmetic, Branch, Cast, CastType, Comparison, Condition, Constant, DateDifference, Day, Dimension,
    Expression, JoinKind, Metric, Moment, Nested, OrderKey, Period, Ratio, Sign, Step, Test, TopRows, ViewJoin,
    ViewSource, Window, WindowKind,
};

/// A sequence of choices; all zero after its end.
pub struct Dice {
    numbers: std::vec::IntoIter<u16>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Whole,
    Decimal,
    Text,
    Truth,
    Day,
    Time,
    /// Text that hides a number, a date, a date with month names, a time, an ISO time, a date with German names, money.
    NumberText,
    DayText,
    NamedText,
    ClockText,
    IsoText,
    GermanText,
    MoneyText,
    /// An object; only paths into it are generated.
    Json,
}

/// A table: its name, true if it has a key `id`, and its other columns.
type Drawn = (&'static str, bool, &'static [(&'static str, Kind)]);

const TABLES: &[Drawn] = &[
    ("maker", true, &[("name", Kind::Text), ("founded", Kind::Day), ("parent_id", Kind::Whole)]),
    (
        "item",
        true,
        &[
            ("maker_id", Kind::Whole),
            ("label", Kind::Text),
            ("price", Kind::Decimal),
            ("made", Kind::Day),
            ("fragile", Kind::Truth),
        ],
    ),
    // Without a key, so that equal rows are different sales.
    (
        "sale",
        false,
        &[
            ("item_id", Kind::Whole),
            ("quantity", Kind::Whole),
            ("amount", Kind::Decimal),
            ("sold", Kind::Time),
            ("facts", Kind::Json),
        ],
    ),
    ("tag", false, &[("tagged_id", Kind::Whole), ("word", Kind::Text)]),
    (
        "trip",
        false,
        &[
            ("from_id", Kind::Whole),
            ("to_id", Kind::Whole),
            ("weight", Kind::NumberText),
            ("due", Kind::DayText),
            ("posted", Kind::NamedText),
            ("seen", Kind::ClockText),
            ("logged", Kind::IsoText),
            ("ended", Kind::GermanText),
            ("fee", Kind::MoneyText),
        ],
    ),
];

/// Join groups: sources in order, an alias after the table, each with the index of its parent and both columns.
const GROUPS: &[&[(&str, usize, &str, &str)]] = &[
    &[("sale", 0, "", "")],
    &[("item", 0, "", "")],
    &[("sale", 0, "", ""), ("item", 0, "item_id", "id")],
    &[("maker", 0, "", ""), ("item", 0, "id", "maker_id")],
    &[("sale", 0, "", ""), ("item", 0, "item_id", "id"), ("maker", 1, "maker_id", "id")],
    &[("item", 0, "", ""), ("tag", 0, "id", "tagged_id"), ("sale", 0, "id", "item_id")],
    &[("maker", 0, "", ""), ("item", 0, "id", "maker_id"), ("tag", 1, "id", "tagged_id")],
    &[("maker", 0, "", ""), ("item", 0, "id", "maker_id"), ("sale", 1, "id", "item_id"), ("tag", 1, "id", "tagged_id")],
    &[("trip", 0, "", "")],
    &[("trip", 0, "", "")],
    &[("maker", 0, "", ""), ("maker parent", 0, "parent_id", "id")],
    &[("maker parent", 0, "", ""), ("maker", 0, "id", "parent_id"), ("item", 1, "id", "maker_id")],
    &[("trip", 0, "", ""), ("maker from", 0, "from_id", "id"), ("maker to", 0, "to_id", "id")],
];

const TEXTS: &[&str] = &[
    "Ada",
    "ada",
    "ADA",
    "bo b",
    "",
    "x%y",
    "it's",
    "é_1",
    "back\\slash",
    "\"q\"",
    "12",
    "-3.5",
    "2024-02-29 10:00",
    "2024-02-31",
];

const FACTS: &[&str] = &[
    r#"{"size": 3, "name": "Ada", "on": "2024-01-05", "list": [1, "7.5", {"deep": true}]}"#,
    r#"{"size": "4.5", "name": "it's", "list": [2]}"#,
    r#"{"size": null, "list": [], "on": "2024-02-31"}"#,
    "[]",
];

/// A spec with the intended joins.
#[derive(Debug, Clone)]
pub struct Case {
    pub spec: ViewSpec,
    pub links: Vec<Link>,
}

impl Dice {
    pub fn new(numbers: Vec<u16>) -> Self {
        Self { numbers: numbers.into_iter() }
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.numbers.next().unwrap_or(0)) % n
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    pub(crate) fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        let at = self.below(all.len());
        &all[at]
    }

    pub fn tables(&mut self) -> Tables {
        let mut tables = Tables::new();
        for (name, keyed, columns) in TABLES {
            let count = self.below(8);
            let mut rows: Vec<Vec<Cell>> = Vec::new();
            for number in 0..count {
                let mut row = Vec::new();
                if *keyed {
                    row.push(Cell::Number(number as f64 + 1.0));
                }
                let values = columns.iter().map(|(column, kind)| {
                    let refers = column.ends_with("_id");
                    let parents = match *column {
                        // A maker may be a part of an earlier one.
                        "parent_id" => number,
                        "maker_id" | "from_id" | "to_id" => tables["maker"].rows.len(),
                        _ if refers => tables["item"].rows.len(),
                        _ => 0,
                    };
                    match (refers, parents) {
                        // The tag's key does not allow NULL.
                        (true, 0) => Cell::Null,
                        (true, n) if *column != "tagged_id" && self.one_in(n + 2) => Cell::Null,
                        (true, n) => Cell::Number(self.below(n) as f64 + 1.0),
                        _ if *column != "word" && self.one_in(6) => Cell::Null,
                        _ => self.cell(*kind),
                    }
                });
                row.extend(values.collect::<Vec<_>>());
                let taken = *name == "tag" && (rows.contains(&row) || row[0].is_null());
                if !taken {
                    rows.push(row);
                }
            }
            let id = keyed.then(|| "id".to_owned());
            let columns = id.into_iter().chain(columns.iter().map(|(c, _)| (*c).to_owned())).collect();
            tables.insert((*name).to_owned(), Rel { columns, rows });
        }
        tables
    }

    pub(crate) fn cell(&mut self, kind: Kind) -> Cell {
        match kind {
            Kind::Whole => Cell::Number(self.below(9) as f64 - 3.0),
            Kind::Decimal => Cell::Number(self.below(40) as f64 / 4.0 - 3.0),
            Kind::Text => Cell::Text((*self.of(TEXTS)).to_owned()),
            Kind::Truth => Cell::Truth(self.below(2) == 1),
            Kind::Day => Cell::Day(day(2023, 12, 25) + self.below(110) as i64),
            Kind::Time => {
                Cell::Time((day(2023, 12, 25) + self.below(110) as i64) * 24 * 60 + self.below(3) as i64 * 719)
            }
            Kind::Json => Cell::Text((*self.of(FACTS)).to_owned()),
            hidden => self.hidden(hidden),
        }
    }

    /// Generates a view over the tables.
    pub fn case(&mut self, name: &str) -> Case {
        let group = *self.of(GROUPS);
        let names: Vec<(&str, &str)> = group.iter().map(|(t, ..)| t.split_once(' ').unwrap_or((t, t))).collect();
        let left = names[0].1 == "maker" && self.one_in(2);
        // With two makers, the maker to which a third source belongs must be explicit.
        let two = names.len() > 2 && names.iter().any(|(_, alias)| *alias == "parent");
        let last = match group.len() {
            _ if left => JoinKind::Left,
            1 => JoinKind::Inner,
            2 => *self.of(&[JoinKind::Inner, JoinKind::Inner, JoinKind::Full, JoinKind::Anti]),
            _ => *self.of(&[JoinKind::Inner, JoinKind::Inner, JoinKind::Inner, JoinKind::Anti]),
        };
        let said = last != JoinKind::Inner || two || self.one_in(3);
        let mut spec = ViewSpec { name: name.to_owned(), ..ViewSpec::default() };
        let source = |(table, alias): &(&str, &str)| ViewSource {
            table: (*table).to_owned(),
            alias: (table != alias).then(|| (*alias).to_owned()),
            ..ViewSource::default()
        };
        spec.source = names.iter().map(source).collect();
        let mut links = Vec::new();
        for (index, (_, parent, up, own)) in (1..).zip(&group[1..]) {
            let kind = match left {
                true => JoinKind::Left,
                false if index + 1 == group.len() => last,
                false => JoinKind::Inner,
            };
            links.push(Link { parent: *parent, up: (*up).to_owned(), own: (*own).to_owned(), kind });
            if said {
                let on = if self.one_in(2) { vec![((*up).to_owned(), (*own).to_owned())] } else { Vec::new() };
                let (left, right) = (names[*parent].1.to_owned(), names[index].1.to_owned());
                spec.joins.push(ViewJoin { left, right, kind, on });
            }
        }
        let mut columns: Vec<(String, Kind)> = Vec::new();
        let mut partner: Vec<(String, Kind)> = Vec::new();
        let twice = names.iter().any(|(table, alias)| table != alias);
        for (index, (table, alias)) in names.iter().enumerate() {
            let absent = last == JoinKind::Anti && index + 1 == names.len();
            let columns = if absent { &mut partner } else { &mut columns };
            let (_, keyed, own) = TABLES.iter().find(|(name, ..)| name == table).expect("a table");
            columns.extend(keyed.then(|| (format!("{alias}.id"), Kind::Whole)));
            for (column, kind) in *own {
                // Half of the names are unqualified.
                if *kind == Kind::Json {
                    continue;
                }
                let bare = !twice && !absent && self.one_in(2);
                let name = if bare { (*column).to_owned() } else { format!("{alias}.{column}") };
                columns.push((name, *kind));
            }
        }
        if names.len() == 1 && names[0].0 != "trip" && self.one_in(4) {
            self.unite(&mut spec, &mut columns);
        }
        self.fill(&mut spec, &columns);
        if !partner.is_empty() && self.one_in(2) {
            let condition = self.single(&partner);
            spec.conditions.push(condition);
        }
        Case { spec, links }
    }

    /// Adds a union: sales twice, or the IDs of items and makers.
    fn unite(&mut self, spec: &mut ViewSpec, columns: &mut Vec<(String, Kind)>) {
        let source = &mut spec.source[0];
        let other = if source.table == "sale" { "sale" } else { "maker" };
        source.union = vec![other.to_owned()];
        columns.retain(|(name, _)| other == "sale" || name == "item.id");
        if self.one_in(2) {
            source.series = Some("part".to_owned());
            columns.push(("part".to_owned(), Kind::Text));
        }
    }

    /// Generates a view over another view with numbers and other columns.
    pub fn over(&mut self, case: &Case) -> Case {
        let below = &case.spec;
        let mut spec = ViewSpec { name: "above".to_owned(), ..ViewSpec::default() };
        spec.source = vec![ViewSource { table: below.name.clone(), ..ViewSource::default() }];
        let (dimensions, metrics) = (&below.dimensions, &below.metrics);
        for d in dimensions.iter().take(self.below(3)) {
            let name = d.name.clone().expect("named");
            let column = Expression::Column(name.clone());
            spec.dimensions.push(Dimension { column, by: None, name: Some(format!("above_{name}")) });
        }
        spec.metrics.push(metric("groups", Aggregate::Count, None));
        for m in metrics.iter().filter(|m| exact(m)).take(self.below(3)) {
            let aggs = [Aggregate::Sum, Aggregate::Max, Aggregate::Avg, Aggregate::Count, Aggregate::Median];
            let agg = *self.of(&aggs);
            let of = Expression::Column(m.name.clone());
            spec.metrics.push(metric(&format!("above_{}", m.name), agg, Some(of)));
        }
        Case { spec, links: Vec::new() }
    }

    fn fill(&mut self, spec: &mut ViewSpec, columns: &[(String, Kind)]) {
        for number in 0..self.below(4) {
            let (column, kind) = self.of(columns).clone();
            let dated = is_date(kind) && self.one_in(2);
            let periods = [Period::Year, Period::Quarter, Period::Month, Period::Week, Period::Day];
            let by = dated.then(|| *self.of(&periods));
            let (column, by) = match self.below(10) {
                0 | 1 => (self.case_of(columns), None),
                2 => (self.cast(column, kind), None),
                3 if columns.iter().any(|(name, _)| name.ends_with("sold")) => (self.nested(), None),
                _ => (Expression::Column(column), by),
            };
            spec.dimensions.push(Dimension { column, by, name: Some(format!("d{number}")) });
        }
        for number in 0..self.below(4) {
            let metric = self.metric(format!("m{number}"), columns);
            spec.metrics.push(metric);
        }
        if spec.dimensions.is_empty() && spec.metrics.is_empty() {
            spec.metrics.push(metric("m0", Aggregate::Count, None));
        }
        spec.distinct = spec.metrics.is_empty() && self.one_in(2);
        for _ in 0..self.below(3) {
            let condition = self.condition(columns, 2);
            spec.conditions.push(condition);
        }
        let numbers: Vec<String> = spec.metrics.iter().filter(|m| exact(m)).map(|m| m.name.clone()).collect();
        let names: Vec<String> = spec.dimensions.iter().filter_map(|d| d.name.clone()).collect();
        if !numbers.is_empty() {
            self.above(spec, &numbers, &names);
        }
        let sortable: Vec<String> = numbers.iter().chain(&names).cloned().collect();
        if !sortable.is_empty() && self.one_in(3) {
            let per = names.iter().take(self.below(2)).cloned().collect();
            let by = self.of(&sortable).clone();
            spec.top = Some(TopRows { n: self.below(3) as u32 + 1, by, per, ascending: self.one_in(2) });
        }
        if !sortable.is_empty() && self.one_in(3) {
            let by = self.of(&sortable).clone();
            spec.order.push(OrderKey { by, descending: self.one_in(2) });
        }
        spec.limit = self.one_in(4).then(|| self.below(4) as u32 + 1);
    }

    /// Adds computed columns over groups.
    fn above(&mut self, spec: &mut ViewSpec, numbers: &[String], names: &[String]) {
        if self.one_in(3) {
            let op = *self.of(&[Comparison::More, Comparison::AtMost, Comparison::IsNot]);
            let values = vec![Constant::Number(Number::from(self.below(5)))];
            let (column, to) = (Expression::Column(self.of(numbers).clone()), self.of(numbers).clone());
            let test = match self.one_in(2) {
                true => Test { column, op, values: Vec::new(), to: Some(Expression::Column(to)) },
                false => Test { column, op, values, to: None },
            };
            spec.having.push(Condition::Test(test));
        }
        if self.one_in(3) {
            let (of, to) = (self.of(numbers).clone(), self.of(numbers).clone());
            spec.ratios.push(Ratio { name: "r0".to_owned(), of, to });
        }
        if self.one_in(3) {
            use WindowKind as W;
            let kinds = [W::Share, W::Rank, W::RunningTotal, W::Lag, W::MovingSum, W::MovingAvg];
            let kind = *self.of(if names.is_empty() { &kinds[..2] } else { &kinds });
            let per = names.iter().take(self.below(2)).cloned().collect();
            let along = names.last().cloned().into_iter().filter(|_| !kinds[..2].contains(&kind)).collect();
            let rows = kinds[3..].contains(&kind).then(|| self.below(3) as u32 + 1);
            spec.windows.push(Window { name: "w0".to_owned(), kind, of: self.of(numbers).clone(), per, along, rows });
        }
    }

    fn metric(&mut self, name: String, columns: &[(String, Kind)]) -> Metric {
        let numbers: Vec<String> = columns.iter().filter(|(_, k)| is_number(*k)).map(|(n, _)| n.clone()).collect();
        let dates: Vec<String> = columns.iter().filter(|(_, k)| is_date(*k)).map(|(n, _)| n.clone()).collect();
        let (agg, of) = match self.below(6) {
            0 => (Aggregate::Count, None),
            1 => (Aggregate::Count, Some(Expression::Column(self.of(columns).0.clone()))),
            2 => (Aggregate::CountDistinct, Some(Expression::Column(self.of(columns).0.clone()))),
            3 => {
                let sortable: Vec<&String> =
                    columns.iter().filter(|(_, k)| *k != Kind::Truth).map(|(n, _)| n).collect();
                let column = (*self.of(&sortable)).clone();
                (*self.of(&[Aggregate::Min, Aggregate::Max]), Some(Expression::Column(column)))
            }
            4 => {
                let agg = *self.of(&[Aggregate::Avg, Aggregate::Median, Aggregate::Stddev]);
                (agg, Some(self.expression(&numbers, &dates)))
            }
            5 if self.one_in(3) => (Aggregate::Count, Some(self.case_of(columns))),
            5 if self.one_in(4) => {
                let (column, kind) = self.of(columns).clone();
                let cast = self.cast(column, kind);
                let numeric =
                    matches!(&cast, Expression::Cast(c) if matches!(c.to, CastType::Whole | CastType::Number));
                (if numeric { Aggregate::Sum } else { Aggregate::CountDistinct }, Some(cast))
            }
            _ => (Aggregate::Sum, Some(self.expression(&numbers, &dates))),
        };
        let conditions = if self.one_in(3) { vec![self.condition(columns, 1)] } else { Vec::new() };
        Metric { conditions, ..metric(&name, agg, of) }
    }

    /// Generates a CASE expression with text or number results.
    fn case_of(&mut self, columns: &[(String, Kind)]) -> Expression {
        let texts = self.one_in(2);
        let then = |dice: &mut Self| match texts {
            true => Constant::Text((*dice.of(&["low", "high", "it's", ""])).to_owned()),
            false => Constant::Number(Number::from(dice.below(4) as i64 - 1)),
        };
        let mut case = Vec::new();
        for _ in 0..self.below(3) + 1 {
            let when = vec![self.condition(columns, 1)];
            case.push(Branch { when, then: then(self) });
        }
        let otherwise = self.one_in(2).then(|| then(self));
        Expression::Case(Box::new(vitrine_domain::views::Case { case, otherwise }))
    }

    /// Generates a path into a sale's facts.
    fn nested(&mut self) -> Expression {
        let key = |key: &str| Step::Key(key.to_owned());
        let (path, kinds): (_, &[CastType]) = match self.below(5) {
            0 => (vec![key("size")], &[CastType::Number, CastType::Whole]),
            1 => (vec![key("name")], &[CastType::Text]),
            2 => (vec![key("on")], &[CastType::Date, CastType::Text]),
            3 => (vec![key("list"), Step::Element(1)], &[CastType::Number, CastType::Text]),
            _ => (vec![key("list"), Step::Element(2), key("deep")], &[CastType::Text]),
        };
        let kind = *self.of(kinds);
        Expression::Nested(Box::new(Nested { column: "facts".to_owned(), path, kind }))
    }

    /// Generates a cast of a column.
    fn cast(&mut self, column: String, kind: Kind) -> Expression {
        use CastType as C;
        let to = match kind {
            Kind::Whole => *self.of(&[C::Text, C::Number, C::Whole]),
            Kind::Truth => *self.of(&[C::Text, C::Number, C::Whole]),
            Kind::Decimal | Kind::NumberText | Kind::MoneyText => *self.of(&[C::Number, C::Whole]),
            Kind::Text => *self.of(&[C::Text, C::Number, C::Whole, C::Date]),
            Kind::Day | Kind::DayText | Kind::NamedText | Kind::GermanText => *self.of(&[C::Text, C::Date]),
            Kind::Time | Kind::ClockText | Kind::IsoText => C::Date,
            Kind::Json => panic!("only paths into facts are drawn"),
        };
        Expression::Cast(Box::new(Cast { cast: Expression::Column(column), to }))
    }

    /// Generates the time between two dates.
    fn dates(&mut self, dates: &[String]) -> Expression {
        let from = match self.below(3) {
            0 => Moment::Day(Day { date: super::engines::written_day(day(2024, 1, 1) + self.below(9) as i64) }),
            _ => Moment::Column(self.of(dates).clone()),
        };
        let periods = [Period::Year, Period::Quarter, Period::Month, Period::Week, Period::Day];
        let unit = *self.of(&periods);
        let (from, to) = match (from, Moment::Column(self.of(dates).clone())) {
            (from, to) if self.one_in(2) => (to, from),
            straight => straight,
        };
        Expression::Dates(Box::new(DateDifference { from, to, unit }))
    }

    fn expression(&mut self, numbers: &[String], dates: &[String]) -> Expression {
        let column = match dates {
            [_, ..] if self.one_in(4) => self.dates(dates),
            _ => Expression::Column(self.of(numbers).clone()),
        };
        if !self.one_in(2) {
            return column;
        }
        let op = *self.of(&[Sign::Plus, Sign::Minus, Sign::Times, Sign::Over]);
        let right = match self.below(3) {
            0 => Expression::Column(self.of(numbers).clone()),
            1 => Expression::Number(Number::from(self.below(4) as i64 - 1)),
            _ => Expression::Number(Number::from_f64(0.5).expect("finite")),
        };
        Expression::Arithmetic(Box::new(Arithmetic { left: column, op, right }))
    }
}

pub fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Whole | Kind::Decimal | Kind::NumberText | Kind::MoneyText)
}

pub fn is_date(kind: Kind) -> bool {
    use Kind::{ClockText, Day, DayText, GermanText, IsoText, NamedText, Time};
    matches!(kind, Day | Time | DayText | NamedText | ClockText | IsoText | GermanText)
}

fn metric(name: &str, agg: Aggregate, of: Option<Expression>) -> Metric {
    Metric { name: name.to_owned(), agg, of, conditions: Vec::new() }
}

/// Returns true if a metric is a number without rounding, so that engines agree on comparisons.
fn exact(metric: &Metric) -> bool {
    let quotient = matches!(&metric.of, Some(Expression::Arithmetic(parts)) if parts.op == Sign::Over);
    matches!(metric.agg, Aggregate::Count | Aggregate::CountDistinct | Aggregate::Sum) && !quotient
}
