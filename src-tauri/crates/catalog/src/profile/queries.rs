//! Generates the queries. Every result column is text, so that one row can contain facts of any type.

use super::dates;
use super::family::Family;
use vitrine_domain::{Column, Dialect, NamedMonths, NumberForm};
use vitrine_sql::{quote_identifier, written_number};

/// Number of columns in one aggregate query; wider tables take several.
pub(super) const COLUMNS_PER_QUERY: usize = 50;
/// Number of arms of one UNION.
pub(super) const ARMS_PER_QUERY: usize = 40;
/// Number of cells per column in the aggregate query.
pub(super) const FACTS: usize = 11;
/// Number of cells for each column whose text contains dates or numbers.
pub(super) const HIDDEN: usize = 4;
/// Number of cells for each column whose deviation is computed.
pub(super) const DEVIATION: usize = 3;
/// Range of numbers with finite squares; engines reject standard deviations of others.
const SQUARABLE: &str = "BETWEEN -1e150 AND 1e150";
/// Number of top values kept; one more is queried to detect whether there are others.
pub(super) const TOP: usize = 20;
/// Maximum number of characters of a value that are read.
pub(super) const CELL: usize = 300;
/// Maximum number of bytes of a value that are read: GeoPackage's header takes up to 72.
pub(super) const HEAD: usize = 96;
/// Maximum number of characters of a nested value that are read; truncated values cannot be parsed.
pub(super) const NESTED_CELL: usize = 20_000;
/// Above this many rows DuckDB estimates the number of distinct values.
const EXACT_DISTINCT_ROWS: u64 = 200_000;

/// Generates the queries of one dialect.
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

    fn quote_column(self, column: &Column) -> String {
        quote_identifier(&column.name, self.dialect)
    }

    /// Returns the column without blobs, which any SQLite column may contain.
    fn value_expression(self, column: &Column) -> String {
        let name = self.quote_column(column);
        match self.dialect {
            Dialect::Sqlite => format!("CASE WHEN typeof({name}) = 'blob' THEN NULL ELSE {name} END"),
            _ => name,
        }
    }

    /// Returns a comparable expression for the column: many PostgreSQL types have no minimum, and some no equality.
    fn comparable_expression(self, column: &Column, family: Family) -> String {
        match (self.dialect, family) {
            (Dialect::Postgres, Family::Text | Family::Boolean) => {
                format!("CAST({} AS VARCHAR)", self.quote_column(column))
            }
            _ => self.value_expression(column),
        }
    }

    /// Returns the column's numbers; SQLite columns may also contain other values.
    fn number_expression(self, column: &Column) -> String {
        let name = self.quote_column(column);
        match self.dialect {
            Dialect::Sqlite => format!("CASE WHEN typeof({name}) IN ('integer', 'real') THEN {name} END"),
            _ => name,
        }
    }

    /// Returns an expression for the numbers that a text column contains.
    fn hidden_number(self, column: &Column, form: NumberForm) -> String {
        let name = self.quote_column(column);
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

    fn truncated_text(self, expression: &str, length: usize) -> String {
        // ClickHouse's `substr` counts bytes and could cut a character.
        let part = if self.dialect == Dialect::Clickhouse { "substringUTF8" } else { "substr" };
        format!("{part}(CAST({expression} AS {}), 1, {length})", self.text_type())
    }

    /// Returns the function that counts characters: `length` of MySQL and ClickHouse counts bytes.
    fn length_function(self) -> &'static str {
        match self.dialect {
            Dialect::Mysql => "char_length",
            Dialect::Clickhouse => "lengthUTF8",
            _ => "length",
        }
    }

    /// Returns the standard deviation of those numbers that can be squared.
    fn deviation_of(self, value: &str) -> String {
        match self.dialect {
            Dialect::Mysql | Dialect::Snowflake | Dialect::Clickhouse => {
                format!("stddev_samp(CASE WHEN {value} {SQUARABLE} THEN {value} END)")
            }
            _ => format!("stddev_samp({value}) FILTER (WHERE {value} {SQUARABLE})"),
        }
    }

    /// Counts the rows of a source.
    pub(super) fn count_query(self, from: &str) -> String {
        format!("SELECT count(*) FROM {from}")
    }

    /// Selects the smallest and largest row id.
    pub(crate) fn row_ids(self, from: &str) -> String {
        format!("SELECT min(rowid), max(rowid) FROM {from}")
    }

    /// Selects one row with [`FACTS`] cells for each column: numbers of non-null and of distinct values, minimum,
    /// maximum, mean, greatest length, then for SQLite the number of values of each storage class (integer, real, text,
    /// blob), and for the others the standard deviation.
    pub(super) fn aggregates_query(self, columns: &[(&Column, Family)], from: &str, rows: u64) -> String {
        let none = "NULL".to_owned();
        let cells: Vec<String> = columns
            .iter()
            .flat_map(|(column, family)| {
                let name = self.quote_column(column);
                let plain = family.is_plain();
                let value = self.comparable_expression(column, *family);
                let text = |function: &str| self.truncated_text(&format!("{function}({value})"), CELL);
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
                    if plain && numeric { format!("avg({})", self.number_expression(column)) } else { none.clone() },
                    if plain && (*family == Family::Text || self.dialect == Dialect::Sqlite) {
                        format!("max({}(CAST({value} AS {})))", self.length_function(), self.text_type())
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

    /// Selects shortened values; for bytes their beginning and length. Columns with `None` as family are omitted.
    pub(super) fn rows_query(self, columns: &[(&Column, Option<Family>)], from: &str, limit: u64) -> String {
        let cells: Vec<String> = columns
            .iter()
            .map(|(column, family)| match family {
                None => "NULL".to_owned(),
                Some(Family::Binary) => self.head_expression(column),
                Some(_) => self.truncated_text(&self.value_expression(column), CELL),
            })
            .collect();
        format!("SELECT {} FROM {from} LIMIT {limit}", cells.join(", "))
    }

    /// Returns the first bytes of a value in hexadecimal and its length: `0101000000.../21`.
    fn head_expression(self, column: &Column) -> String {
        let (name, most) = (self.quote_column(column), HEAD);
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

    /// Selects nested values as JSON, long enough to be complete.
    pub(super) fn nested_query(self, column: &Column, from: &str, limit: u64) -> String {
        let name = self.quote_column(column);
        let declared = column.data_type.to_ascii_uppercase();
        let is_text = declared.starts_with("JSON")
            || declared.starts_with("VARCHAR")
            || matches!(self.dialect, Dialect::Sqlite | Dialect::Mysql);
        let json = match self.dialect {
            _ if is_text => self.value_expression(column),
            Dialect::Clickhouse => format!("toJSONString({name})"),
            _ => format!("to_json({name})"),
        };
        format!("SELECT {} FROM {from} WHERE {name} IS NOT NULL LIMIT {limit}", self.truncated_text(&json, NESTED_CELL))
    }

    /// Selects the most frequent values with their counts for each column (by its index here), one more than [`TOP`].
    pub(super) fn top_values_query(self, columns: &[&Column], from: &str) -> String {
        let arms: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(number, column)| {
                let value = self.truncated_text(&self.value_expression(column), CELL);
                let name = self.quote_column(column);
                format!(
                    "SELECT {number} AS k, v, n FROM (SELECT {value} AS v, count(*) AS n FROM {from} WHERE {name} IS NOT NULL \
                     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {}) AS t{number}",
                    TOP + 1
                )
            })
            .collect();
        arms.join(" UNION ALL ")
    }

    /// Returns [`HIDDEN`] cells: minimum and maximum of text that contains dates or numbers, and mean and standard
    /// deviation of numbers. Returns `None` if this dialect cannot parse the format.
    pub(super) fn hidden_value_cells(
        self,
        column: &Column,
        hidden: &str,
        full_length: bool,
    ) -> Option<[String; HIDDEN]> {
        let name = self.quote_column(column);
        let cells = |value: String, [mean, stddev]: [String; 2]| {
            let [min, max] = ["min", "max"].map(|f| self.truncated_text(&format!("{f}({value})"), CELL));
            [min, max, mean, stddev]
        };
        let both = |value: String| cells(value, ["NULL".to_owned(), "NULL".to_owned()]);
        if let Some(form) = NumberForm::from_hidden(hidden) {
            let value = self.hidden_number(column, form);
            let stddev = match self.dialect {
                // SQLite has no such function: see `deviation`.
                Dialect::Sqlite => "NULL".to_owned(),
                Dialect::Bigquery => return None,
                _ => self.deviation_of(&value),
            };
            return Some(cells(value.clone(), [format!("avg({value})"), stddev]));
        }
        match (self.dialect, hidden) {
            (_, format) if NamedMonths::from_hidden(format).is_some() => None,
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

    /// Returns [`DEVIATION`] cells for SQLite: the count of a column's numbers and the sums of their distances from
    /// `mean` and of the squared distances. Subtracting a value near the mean keeps the precision that plain sums of
    /// squares lose if the mean is much larger than the deviation.
    pub(super) fn deviation_cells(
        self,
        column: &Column,
        (family, form): (Family, NumberForm),
        mean: f64,
    ) -> [String; DEVIATION] {
        let value =
            if family == Family::Text { self.hidden_number(column, form) } else { self.number_expression(column) };
        // Whole numbers are subtracted exactly, however large.
        let whole = family == Family::Integer && mean.abs() < 9e18;
        let near = if whole { format!("{mean:.0}") } else { format!("{mean:e}") };
        let away = format!("({value} - ({near}))");
        [format!("count({value})"), format!("total({away})"), format!("total({away} * 1.0 * {away})")]
    }
}
