//! Computes the headline of a result: the column with the measure, the columns that identify a row, and the highest and
//! lowest row. Extremes are reported only if they are certain: the part that a limit selects has a highest row only if
//! the query sorts by the measure, and no lowest.

use crate::readings::plain_words;
use crate::{selection, sentences};
use std::cmp::Ordering;
use std::collections::HashSet;
use vitrine_domain::{Catalog, CellType, Extreme, Headline, HeadlineShape, Page, ResultColumn, Table};
use vitrine_sql::{FirstKey, ReadOnlySql, first_key, is_limited};
use vitrine_sql_steps::{Expression, Origin, StepColumn, StepKind, Steps, describe_sql, identifier_words, take_apart};

/// Maximum number of columns that identify a row together.
const MOST_LABELS: usize = 3;
/// Minimum number of points of a series.
const SHORTEST_SERIES: usize = 3;

/// Returns the headline of a query's rows. `sql` is `None` for a table that was not computed by a query.
pub fn build_headline(sql: Option<&ReadOnlySql>, page: &Page, catalog: &Catalog) -> Headline {
    let steps = sql.and_then(|sql| take_apart(sql, catalog).ok());
    let glance = Glance {
        page,
        kinds: column_kinds(steps.as_ref(), page, catalog),
        key: sql.and_then(first_key).and_then(|key| Some((column_of(&key, page)?, key.descending))),
        limited: sql.is_some_and(is_limited),
    };
    let (meanings, conditions) = match &steps {
        Some(steps) => describe_result(steps, page, catalog),
        None => (vec![None; page.columns.len()], Vec::new()),
    };
    let tables = match (&steps, sql) {
        (Some(steps), Some(sql)) => selection::collect_used_tables(steps, sql, catalog),
        (None, Some(sql)) => selection::collect_bound_tables(sql, catalog),
        _ => Vec::new(),
    };
    let tables = tables.into_iter().map(|table| table.table).collect();
    let told = glance.compose_headline();
    let adds_up = told.measure.zip(steps.as_ref()).is_some_and(|(at, steps)| adds_up(steps, at as usize));
    Headline { adds_up, meanings, tables, conditions, ..told }
}

/// Returns the index of the column that a page is sorted by.
fn column_of(key: &FirstKey, page: &Page) -> Option<usize> {
    let named = |at: &usize| {
        let column = &page.columns[*at].name;
        key.name.as_ref().is_none_or(|name| name.eq_ignore_ascii_case(column))
    };
    match key.position {
        Some(at) => Some(at).filter(|at| *at < page.columns.len()).filter(named),
        None => {
            let mut found = (0..page.columns.len()).filter(named);
            found.next().filter(|_| found.next().is_none())
        }
    }
}

/// Returns descriptions of columns if they are more informative than the names, and the conditions of the rows.
fn describe_result(steps: &Steps, page: &Page, catalog: &Catalog) -> (Vec<Option<String>>, Vec<String>) {
    let (_, rewritten) = sentences::describe_clauses(steps, catalog.dialect);
    let say = |value: &Expression| {
        plain_words(value, steps, catalog).unwrap_or_else(|| describe_sql(&value.text, catalog.dialect))
    };
    let said = |column: &ResultColumn| {
        let said = sentences::column_words(steps, &column.name, catalog.dialect, &say);
        (said != identifier_words(&column.name)).then_some(said)
    };
    (page.columns.iter().map(said).collect(), rewritten.filters)
}

/// Returns true if a result column is an unchanged count or sum of the last grouping. Columns without its name are
/// unknown and return false.
fn adds_up(steps: &Steps, at: usize) -> bool {
    let Some(name) = steps.steps().last().and_then(|last| last.columns.get(at)).map(|column| &column.name) else {
        return false;
    };
    let grouped = steps.steps().iter().rev().find_map(|step| match &step.kind {
        StepKind::Group { aggregates, .. } => Some(aggregates),
        _ => None,
    });
    let counts = |function: &str| matches!(function, "sum" | "count");
    let renamed = steps.steps().iter().any(|step| match &step.kind {
        StepKind::Project { outputs } | StepKind::Window { outputs } => {
            outputs.iter().any(|output| output.name == *name)
        }
        _ => false,
    });
    !renamed
        && grouped
            .into_iter()
            .flatten()
            .any(|aggregate| !aggregate.distinct && aggregate.name == *name && counts(&aggregate.function))
}

/// The role of a result column besides its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Computed for its row: an aggregate or an expression.
    Computed,
    /// An unchanged column of a table.
    Plain,
    /// A grouping column or a key of a table, which identifies rows and is not an amount.
    Names,
    /// A column of unknown origin.
    Unknown,
}

fn column_kinds(steps: Option<&Steps>, page: &Page, catalog: &Catalog) -> Vec<Kind> {
    let unknown = vec![Kind::Unknown; page.columns.len()];
    let Some(steps) = steps else { return unknown };
    let Some(last) = steps.steps().last().filter(|last| last.columns.len() == page.columns.len()) else {
        return unknown;
    };
    let mut grouped: HashSet<&str> = HashSet::new();
    let mut grouped_origins: HashSet<&Origin> = HashSet::new();
    for step in steps.steps() {
        if let StepKind::Group { keys, .. } = &step.kind {
            grouped.extend(keys.iter().map(|key| key.name.as_str()));
            grouped_origins.extend(keys.iter().filter_map(|key| match key.value.columns.as_slice() {
                [origin] if key.value.text.ends_with(&origin.column) => Some(origin),
                _ => None,
            }));
        }
    }
    let keys = keys_of(catalog);
    let kind = |column: &StepColumn| match &column.origin {
        Some(origin) if keys.contains(origin) => Kind::Names,
        Some(origin) if grouped_origins.contains(origin) => Kind::Names,
        _ if grouped.contains(column.name.as_str()) => Kind::Names,
        Some(_) => Kind::Plain,
        None => Kind::Computed,
    };
    last.columns.iter().map(kind).collect()
}

/// Returns all key columns of the catalog.
fn keys_of(catalog: &Catalog) -> HashSet<Origin> {
    let of = |table: &Table| {
        let foreign = table.foreign_keys.iter().flat_map(|key| &key.columns);
        let name = table.name.to_string();
        let keys = table.primary_key.iter().chain(foreign);
        keys.map(|column| Origin { table: name.clone(), column: column.clone() }).collect::<Vec<_>>()
    };
    catalog.tables.iter().flat_map(of).collect()
}

struct Glance<'a> {
    page: &'a Page,
    kinds: Vec<Kind>,
    /// The column that rows are sorted by first, and true if the order is descending.
    key: Option<(usize, bool)>,
    limited: bool,
}

impl Glance<'_> {
    fn compose_headline(&self) -> Headline {
        let Page { columns, rows, row_count, truncated } = self.page;
        let bare = |shape| Headline {
            shape,
            labels: Vec::new(),
            measure: None,
            adds_up: false,
            highest: None,
            lowest: None,
            meanings: Vec::new(),
            tables: Vec::new(),
            conditions: Vec::new(),
            limited: self.limited,
        };
        if *row_count == 0 || columns.is_empty() {
            return bare(HeadlineShape::Empty);
        }
        let whole = !truncated && rows.len() as u64 == *row_count;
        let measure = self.find_measure();
        let labels = self.label_columns(measure);
        if *row_count == 1 && whole {
            let shape = if columns.len() == 1 { HeadlineShape::Value } else { HeadlineShape::Row };
            let measure = if columns.len() == 1 { Some(0) } else { measure };
            let labels = labels.unwrap_or_default();
            return Headline { labels, measure: measure.map(|at| at as u32), ..bare(shape) };
        }
        let Some(labels) = labels else { return bare(HeadlineShape::Rows) };
        let told = Headline { measure: measure.map(|at| at as u32), labels, ..bare(HeadlineShape::Rows) };
        // Dates in the order of their measure are a ranking.
        let by_number = measure.is_some() && self.key.map(|(key, _)| key) == measure;
        if whole && !by_number && rows.len() >= SHORTEST_SERIES && self.is_series(&told.labels) {
            let (highest, lowest) = measure.and_then(|at| self.find_extremes(at)).unzip();
            return Headline { shape: HeadlineShape::Series, highest, lowest, ..told };
        }
        let Some(at) = measure else { return told };
        let (highest, lowest) = match self.find_extremes(at) {
            None => (None, None),
            Some((highest, lowest)) if whole && !self.limited => (Some(highest), Some(lowest)),
            // The first rows by this measure: the omitted rows do not exceed them.
            Some((highest, lowest)) => match self.key {
                Some((key, true)) if key == at && highest.row == 0 => (Some(highest), None),
                Some((key, false)) if key == at && lowest.row == 0 => (None, Some(lowest)),
                _ => (None, None),
            },
        };
        match highest.is_some() || lowest.is_some() {
            true => Headline { shape: HeadlineShape::Ranked, highest, lowest, ..told },
            false => told,
        }
    }

    fn is_number(&self, at: usize) -> bool {
        matches!(self.page.columns[at].cell_type, CellType::Integer | CellType::Decimal | CellType::Float)
    }

    /// Returns the measure: the number that the result is sorted by, or its only computed number.
    fn find_measure(&self) -> Option<usize> {
        let amount = |at: &usize| self.is_number(*at) && self.kinds[*at] != Kind::Names;
        let whole_number = |at: usize| self.page.columns[at].cell_type == CellType::Integer;
        if let Some((key, _)) = self.key
            && amount(&key)
            && !(self.kinds[key] != Kind::Computed && whole_number(key) && self.are_years(key))
        {
            return Some(key);
        }
        let only = |kind: Kind| {
            let mut found = (0..self.kinds.len()).filter(amount).filter(|at| self.kinds[*at] == kind);
            found.next().filter(|_| found.next().is_none())
        };
        match self.kinds.contains(&Kind::Computed) {
            true => only(Kind::Computed),
            // An integer may be a key or a year.
            false => only(Kind::Unknown).filter(|at| !whole_number(*at)),
        }
    }

    fn are_years(&self, at: usize) -> bool {
        let is_year = |cell: &Option<String>| {
            cell.as_ref().is_none_or(|cell| cell.len() == 4 && (cell.starts_with("19") || cell.starts_with("20")))
        };
        self.page.rows.iter().all(|row| is_year(&row[at]))
    }

    /// Returns the columns that identify rows: a single one if possible, otherwise several from the left. `None` if
    /// these do not.
    fn label_columns(&self, measure: Option<usize>) -> Option<Vec<u32>> {
        let rank = |at: usize| match self.page.columns[at].cell_type {
            CellType::Text => 0,
            CellType::Date | CellType::Timestamp => 1,
            CellType::Integer if self.kinds[at] != Kind::Computed => 2,
            CellType::Boolean => 3,
            _ => 4,
        };
        let mut from: Vec<usize> = (0..self.kinds.len()).filter(|at| Some(*at) != measure && rank(*at) < 4).collect();
        from.sort_by_key(|at| rank(*at));
        let tells = |columns: &[usize]| {
            let mut seen = HashSet::new();
            self.page.rows.iter().all(|row| seen.insert(columns.iter().map(|at| &row[*at]).collect::<Vec<_>>()))
        };
        let found = from.iter().map(|at| vec![*at]).find(|one| tells(one)).or_else(|| {
            from.truncate(MOST_LABELS);
            (2..=from.len()).map(|many| from[..many].to_vec()).find(|many| tells(many))
        })?;
        Some(found.into_iter().map(|at| at as u32).collect())
    }

    /// Returns true if the rows are consecutive points in time.
    fn is_series(&self, labels: &[u32]) -> bool {
        let [at] = labels else { return false };
        let at = *at as usize;
        let dated = match self.page.columns[at].cell_type {
            CellType::Date | CellType::Timestamp => true,
            CellType::Integer => self.kinds[at] == Kind::Names && self.are_years(at),
            CellType::Text => self.page.rows.iter().all(|row| row[at].as_deref().is_some_and(is_moment)),
            _ => false,
        };
        let cells: Option<Vec<&str>> = self.page.rows.iter().map(|row| row[at].as_deref()).collect();
        // Text that is written from the year down to the second sorts by time.
        dated && cells.is_some_and(|cells| cells.is_sorted() || cells.iter().rev().is_sorted())
    }

    /// Returns the rows with the largest and the smallest number, ignoring NULL.
    fn find_extremes(&self, at: usize) -> Option<(Extreme, Extreme)> {
        let mut found: Option<(Extreme, Extreme)> = None;
        for (row, cells) in self.page.rows.iter().enumerate() {
            let Some(cell) = cells[at].as_deref() else { continue };
            let own = Extreme { row: row as u32, rows: 1 };
            let Some((highest, lowest)) = &mut found else {
                compare_numbers(cell, cell)?;
                found = Some((own, own));
                continue;
            };
            let value = |extreme: &Extreme| self.page.rows[extreme.row as usize][at].as_deref().unwrap_or_default();
            let (above, below) = (compare_numbers(cell, value(highest))?, compare_numbers(cell, value(lowest))?);
            match above {
                Ordering::Greater => *highest = own,
                Ordering::Equal => highest.rows += 1,
                Ordering::Less => {}
            }
            match below {
                Ordering::Less => *lowest = own,
                Ordering::Equal => lowest.rows += 1,
                Ordering::Greater => {}
            }
        }
        found
    }
}

/// Returns true for a quarter, a month or a day in the usual notations of queries.
fn is_moment(text: &str) -> bool {
    let digits = |text: &str, length: usize| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = text.splitn(3, '-');
    let (year, month, day) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let in_year = match month {
        None => return false,
        Some(month) => digits(month, 2) || matches!(month, "Q1" | "Q2" | "Q3" | "Q4"),
    };
    digits(year, 4) && in_year && day.is_none_or(|day| digits(day, 2))
}

/// Compares two numbers given as text, exactly if they are plain decimals; `None` if one is not a finite number.
fn compare_numbers(a: &str, b: &str) -> Option<Ordering> {
    match (Digits::from_text(a), Digits::from_text(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => {
            let float = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
            float(a)?.partial_cmp(&float(b)?)
        }
    }
}

/// The digits of a plain decimal number.
#[derive(PartialEq, Eq)]
struct Digits<'a> {
    negative: bool,
    whole: &'a str,
    rest: &'a str,
}

impl<'a> Digits<'a> {
    fn from_text(text: &'a str) -> Option<Self> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() || !whole.bytes().chain(rest.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (whole, rest) = (whole.trim_start_matches('0'), rest.trim_end_matches('0'));
        Some(Self { negative: negative && !(whole.is_empty() && rest.is_empty()), whole, rest })
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let size =
            self.whole.len().cmp(&other.whole.len()).then(self.whole.cmp(other.whole)).then(self.rest.cmp(other.rest));
        match (self.negative, other.negative) {
            (false, false) => size,
            (true, true) => size.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}
