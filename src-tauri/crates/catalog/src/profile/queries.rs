//! The texts of the queries. Every column of every result is text, so that one row may hold facts of any type.

use super::dates;
use super::family::Family;
use vitrine_domain::{Column, Dialect, NamedMonths, NumberForm};
use vitrine_sql::{quote, written_number};

/// Columns in one aggregate query; wider tables take several.
pub(super) const COLUMNS_PER_QUERY: usize = 50;
/// Arms of one UNION.
pub(super) const ARMS_PER_QUERY: usize = 40;
/// Cells of the aggregate query per column.
pub(super) const FACTS: usize = 11;
/// Cells for each column that hides dates or numbers.
pub(super) const HIDDEN: usize = 4;
/// Cells for each column whose deviation is asked for.
pub(super) const DEVIATION: usize = 3;
/// Engines refuse standard deviations whose squares are no finite number.
const SQUARABLE: &str = "BETWEEN -1e150 AND 1e150";
/// Top values kept; one more is asked for, to know whether these are all.
pub(super) const TOP: usize = 20;
/// Characters of a value that are looked at.
pub(super) const CELL: usize = 300;
/// Bytes of a value that are looked at: GeoPackage puts up to 72 in front of a geometry.
pub(super) const HEAD: usize = 96;
/// Characters of a nested value that are looked at; it has to be whole to be understood.
pub(super) const NESTED_CELL: usize = 20_000;
/// Above this many rows DuckDB estimates the number of distinct values.
const EXACT_DISTINCT_ROWS: u64 = 200_000;

/// Writes the queries of one dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queries {
    pub(crate) dialect: Dialect,
}

impl Queries {
    fn text_type(self) -> &'static str {
        match self.dialect {
            Dialect::Sqlite => "TEXT",
            Dialect::Mysql => "CHAR",
            Dialect::Databricks => "STRING",
            _ => "VARCHAR",
        }
    }

    fn name(self, column: &Column) -> String {
        quote(&column.name, self.dialect)
    }

    /// The column without bytes that may stand anywhere in SQLite.
    fn value(self, column: &Column) -> String {
        let name = self.name(column);
        match self.dialect {
            Dialect::Sqlite => format!("CASE WHEN typeof({name}) = 'blob' THEN NULL ELSE {name} END"),
            _ => name,
        }
    }

    /// The column as something that can be compared: many of PostgreSQL's types have no smallest value, and some not
    /// even equal ones.
    fn comparable(self, column: &Column, family: Family) -> String {
        match (self.dialect, family) {
            (Dialect::Postgres, Family::Text | Family::Boolean) => format!("CAST({} AS VARCHAR)", self.name(column)),
            _ => self.value(column),
        }
    }

    /// The column's numbers; in SQLite other values may stand beside them.
    fn number(self, column: &Column) -> String {
        let name = self.name(column);
        match self.dialect {
            Dialect::Sqlite => format!("CASE WHEN typeof({name}) IN ('integer', 'real') THEN {name} END"),
            _ => name,
        }
    }

    /// The numbers that a column of text hides.
    fn hidden_number(self, column: &Column, form: NumberForm) -> String {
        let name = self.name(column);
        if form != NumberForm::PLAIN {
            return written_number(&name, form, self.dialect);
        }
        match self.dialect {
            Dialect::Sqlite => format!("CASE WHEN trim({name}) <> '' THEN CAST({name} AS REAL) END"),
            Dialect::Postgres => format!(
                "CASE WHEN {name} ~ '^\\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)\\s*$' THEN CAST({name} AS DOUBLE PRECISION) END"
            ),
            Dialect::Mysql => format!(
                "CASE WHEN {name} REGEXP '^[[:space:]]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)[[:space:]]*$' THEN CAST({name} AS DOUBLE) END"
            ),
            Dialect::Clickhouse => format!("toFloat64OrNull(trim({name}))"),
            _ => format!("TRY_CAST({name} AS DOUBLE)"),
        }
    }

    fn text(self, expression: &str, length: usize) -> String {
        // By bytes, ClickHouse's would end inside of a letter.
        let part = if self.dialect == Dialect::Clickhouse { "substringUTF8" } else { "substr" };
        format!("{part}(CAST({expression} AS {}), 1, {length})", self.text_type())
    }

    /// Letters of a text: the `length` of MySQL and ClickHouse counts bytes.
    fn length(self) -> &'static str {
        match self.dialect {
            Dialect::Mysql => "char_length",
            Dialect::Clickhouse => "lengthUTF8",
            _ => "length",
        }
    }

    /// The standard deviation of those numbers that can be squared.
    fn deviation_of(self, value: &str) -> String {
        match self.dialect {
            Dialect::Mysql | Dialect::Snowflake | Dialect::Clickhouse => {
                format!("stddev_samp(CASE WHEN {value} {SQUARABLE} THEN {value} END)")
            }
            _ => format!("stddev_samp({value}) FILTER (WHERE {value} {SQUARABLE})"),
        }
    }

    /// The number of rows.
    pub(super) fn count(self, from: &str) -> String {
        format!("SELECT count(*) FROM {from}")
    }

    /// The smallest and largest row id.
    pub(crate) fn row_ids(self, from: &str) -> String {
        format!("SELECT min(rowid), max(rowid) FROM {from}")
    }

    /// One row with [`FACTS`] cells for each column: non-null values, distinct ones, smallest, largest, mean, greatest
    /// length, for SQLite the values of each storage class (integer, real, text, blob), and for the others the standard
    /// deviation.
    pub(super) fn aggregates(self, columns: &[(&Column, Family)], from: &str, rows: u64) -> String {
        let none = "NULL".to_owned();
        let cells: Vec<String> = columns
            .iter()
            .flat_map(|(column, family)| {
                let name = self.name(column);
                let plain = family.is_plain();
                let value = self.comparable(column, *family);
                let text = |function: &str| self.text(&format!("{function}({value})"), CELL);
                let distinct = match self.dialect {
                    Dialect::Duckdb if rows > EXACT_DISTINCT_ROWS => format!("approx_count_distinct({name})"),
                    Dialect::Postgres => format!("count(DISTINCT {value})"),
                    _ => format!("count(DISTINCT {name})"),
                };
                let class = |class: &str| match self.dialect {
                    Dialect::Sqlite => format!("count(CASE WHEN typeof({name}) = '{class}' THEN 1 END)"),
                    _ => "NULL".to_owned(),
                };
                let numeric = matches!(family, Family::Integer | Family::Float) || self.dialect == Dialect::Sqlite;
                [
                    format!("count({name})"),
                    if plain { distinct } else { none.clone() },
                    if plain { text("min") } else { none.clone() },
                    if plain { text("max") } else { none.clone() },
                    if plain && numeric { format!("avg({})", self.number(column)) } else { none.clone() },
                    if plain && (*family == Family::Text || self.dialect == Dialect::Sqlite) {
                        format!("max({}(CAST({value} AS {})))", self.length(), self.text_type())
                    } else {
                        none.clone()
                    },
                    class("integer"),
                    class("real"),
                    class("text"),
                    class("blob"),
                    match (self.dialect, family) {
                        (Dialect::Sqlite, _) => none.clone(),
                        (_, Family::Integer) => format!("stddev_samp({name})"),
                        (_, Family::Float) => self.deviation_of(&name),
                        _ => none.clone(),
                    },
                ]
            })
            .collect();
        format!("SELECT {} FROM {from}", cells.join(", "))
    }

    /// Values as they are, shortened; of bytes their beginning and length. `None` as a family leaves a column out.
    pub(super) fn rows(self, columns: &[(&Column, Option<Family>)], from: &str, limit: u64) -> String {
        let cells: Vec<String> = columns
            .iter()
            .map(|(column, family)| match family {
                None => "NULL".to_owned(),
                Some(Family::Binary) => self.head(column),
                Some(_) => self.text(&self.value(column), CELL),
            })
            .collect();
        format!("SELECT {} FROM {from} LIMIT {limit}", cells.join(", "))
    }

    /// The first bytes of a value in hexadecimal, and its length: `0101000000.../21`.
    fn head(self, column: &Column) -> String {
        let (name, most) = (self.name(column), HEAD);
        let declared = column.data_type.to_ascii_uppercase();
        match self.dialect {
            Dialect::Sqlite => {
                format!(
                    "CASE WHEN typeof({name}) = 'blob' THEN hex(substr({name}, 1, {most})) || '/' || length({name}) END"
                )
            }
            Dialect::Duckdb if declared == "BLOB" => {
                format!("hex(array_slice({name}, 1, {most})) || '/' || octet_length({name})")
            }
            Dialect::Postgres if declared == "BYTEA" => {
                format!("encode(substring({name}, 1, {most}), 'hex') || '/' || octet_length({name})")
            }
            _ => "NULL".to_owned(),
        }
    }

    /// Nested values, long enough to be whole, as JSON.
    pub(super) fn nested(self, column: &Column, from: &str, limit: u64) -> String {
        let name = self.name(column);
        let declared = column.data_type.to_ascii_uppercase();
        let is_text = declared.starts_with("JSON")
            || declared.starts_with("VARCHAR")
            || matches!(self.dialect, Dialect::Sqlite | Dialect::Mysql);
        let json = match self.dialect {
            _ if is_text => self.value(column),
            Dialect::Clickhouse => format!("toJSONString({name})"),
            _ => format!("to_json({name})"),
        };
        format!("SELECT {} FROM {from} WHERE {name} IS NOT NULL LIMIT {limit}", self.text(&json, NESTED_CELL))
    }

    /// For each column (by its number here) the most frequent values with their counts, one more than [`TOP`].
    pub(super) fn top(self, columns: &[&Column], from: &str) -> String {
        let arms: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(number, column)| {
                let value = self.text(&self.value(column), CELL);
                let name = self.name(column);
                format!(
                    "SELECT {number} AS k, v, n FROM (SELECT {value} AS v, count(*) AS n FROM {from} WHERE {name} IS NOT NULL \
                     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {}) AS t{number}",
                    TOP + 1
                )
            })
            .collect();
        arms.join(" UNION ALL ")
    }

    /// Smallest and largest value of text that hides dates or numbers, and of numbers mean and standard deviation:
    /// [`HIDDEN`] cells. `None` for a column whose format this dialect cannot read.
    pub(super) fn hidden(self, column: &Column, hidden: &str, full_length: bool) -> Option<[String; HIDDEN]> {
        let name = self.name(column);
        let cells = |value: String, [mean, stddev]: [String; 2]| {
            let [min, max] = ["min", "max"].map(|f| self.text(&format!("{f}({value})"), CELL));
            [min, max, mean, stddev]
        };
        let both = |value: String| cells(value, ["NULL".to_owned(), "NULL".to_owned()]);
        if let Some(form) = NumberForm::of(hidden) {
            let value = self.hidden_number(column, form);
            let stddev = match self.dialect {
                // It has none: see `deviation`.
                Dialect::Sqlite => "NULL".to_owned(),
                Dialect::Bigquery => return None,
                _ => self.deviation_of(&value),
            };
            return Some(cells(value.clone(), [format!("avg({value})"), stddev]));
        }
        match (self.dialect, hidden) {
            (_, format) if NamedMonths::of(format).is_some() => None,
            (Dialect::Duckdb, format) => Some(both(format!("try_strptime({name}, '{format}')"))),
            (Dialect::Mysql, format) => {
                let (parts, _) = dates::fixed_positions(format).filter(|_| full_length)?;
                let part = |(at, length): (usize, usize)| format!("substr({name}, {at}, {length})");
                let day = parts.map(part).join(", '-', ");
                Some(both(format!("CASE WHEN {name} <> '' THEN concat({day}) END")))
            }
            (
                Dialect::Sqlite | Dialect::Postgres | Dialect::Clickhouse | Dialect::Databricks | Dialect::Snowflake,
                format,
            ) => {
                let (parts, _) = dates::fixed_positions(format).filter(|_| full_length)?;
                let part = |(at, length): (usize, usize)| format!("substr({name}, {at}, {length})");
                let [year, month, day] = parts.map(part);
                Some(both(format!("CASE WHEN {name} <> '' THEN {year} || '-' || {month} || '-' || {day} END")))
            }
            _ => None,
        }
    }

    /// For SQLite: how many numbers a column has, and the sums of their distances from `mean` and of the squares of
    /// these: [`DEVIATION`] cells. From a point near the mean nothing is lost by subtracting, which sums of plain squares
    /// lose where the mean is large beside the deviation.
    pub(super) fn deviation(
        self,
        column: &Column,
        (family, form): (Family, NumberForm),
        mean: f64,
    ) -> [String; DEVIATION] {
        let value = if family == Family::Text { self.hidden_number(column, form) } else { self.number(column) };
        // Whole numbers are subtracted exactly, however large.
        let whole = family == Family::Integer && mean.abs() < 9e18;
        let near = if whole { format!("{mean:.0}") } else { format!("{mean:e}") };
        let away = format!("({value} - ({near}))");
        [format!("count({value})"), format!("total({away})"), format!("total({away} * 1.0 * {away})")]
    }
}
