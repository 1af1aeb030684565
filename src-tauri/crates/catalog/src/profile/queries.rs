//! Generates the queries. Every result column is text, so that one row can contain facts of any type.

use super::dates;
use vitrine_domain::{Column, Dialect, NamedMonths, NumberForm};
use vitrine_sql::dialect::TypeFamily;
use vitrine_sql::{DialectExt, SqlDialect, quote_identifier, written_number};

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

/// Generates the queries of one dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queries {
    pub(crate) dialect: Dialect,
}

impl Queries {
    fn sql(self) -> &'static dyn SqlDialect {
        self.dialect.sql()
    }

    fn quote_column(self, column: &Column) -> String {
        quote_identifier(&column.name, self.dialect)
    }

    fn readable_value(self, column: &Column) -> String {
        self.sql().readable_value(&self.quote_column(column))
    }

    fn number_value(self, column: &Column) -> String {
        self.sql().number_value(&self.quote_column(column))
    }

    /// Returns an expression for the numbers that a text column contains.
    fn hidden_number(self, column: &Column, form: NumberForm) -> String {
        let name = self.quote_column(column);
        if form == NumberForm::PLAIN {
            self.sql().parsed_number(&name)
        } else {
            written_number(&name, form, self.dialect)
        }
    }

    fn truncated_text(self, expression: &str, length: usize) -> String {
        let (part, text) = (self.sql().substring_function(), self.sql().cast_to_text(expression));
        format!("{part}({text}, 1, {length})")
    }

    /// Returns the standard deviation of those numbers that can be squared.
    fn deviation_of(self, value: &str) -> String {
        self.sql().deviation_where(value, &format!("{value} {SQUARABLE}"))
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
    pub(super) fn aggregates_query(self, columns: &[(&Column, TypeFamily)], from: &str, rows: u64) -> String {
        let none = "NULL".to_owned();
        let sql = self.sql();
        // Any value may be a number or text.
        let dynamic = sql.has_dynamic_types();
        let cells: Vec<String> = columns
            .iter()
            .flat_map(|(column, family)| {
                let name = self.quote_column(column);
                let plain = family.is_plain();
                let value = sql.ordered_value(&name, *family);
                let text = |function: &str| self.truncated_text(&format!("{function}({value})"), CELL);
                let distinct = if rows > sql.exact_distinct_rows() {
                    format!("approx_count_distinct({name})")
                } else {
                    format!("count(DISTINCT {})", sql.distinct_value(&name, *family))
                };
                let class = |class: &str| sql.storage_class_count(&name, class);
                let numeric = matches!(family, TypeFamily::Integer | TypeFamily::Float) || dynamic;
                [
                    format!("count({name})"),
                    if plain { distinct } else { none.clone() },
                    if plain { text("min") } else { none.clone() },
                    if plain { text("max") } else { none.clone() },
                    if plain && numeric { format!("avg({})", sql.number_value(&name)) } else { none.clone() },
                    if plain && (*family == TypeFamily::Text || dynamic) {
                        format!("max({}({}))", sql.length_function(), sql.cast_to_text(&value))
                    } else {
                        none.clone()
                    },
                    class("integer"),
                    class("real"),
                    class("text"),
                    class("blob"),
                    match family {
                        _ if !sql.has_standard_deviation() => none.clone(),
                        TypeFamily::Integer => format!("stddev_samp({name})"),
                        TypeFamily::Float => self.deviation_of(&name),
                        _ => none.clone(),
                    },
                ]
            })
            .collect();
        format!("SELECT {} FROM {from}", cells.join(", "))
    }

    /// Selects shortened values; for bytes their beginning and length. Columns with `None` as family are omitted.
    pub(super) fn rows_query(self, columns: &[(&Column, Option<TypeFamily>)], from: &str, limit: u64) -> String {
        let cells: Vec<String> = columns
            .iter()
            .map(|(column, family)| match family {
                None => "NULL".to_owned(),
                Some(TypeFamily::Binary) => self.head_expression(column),
                Some(_) => self.truncated_text(&self.readable_value(column), CELL),
            })
            .collect();
        format!("SELECT {} FROM {from} LIMIT {limit}", cells.join(", "))
    }

    /// Returns the first bytes of a value in hexadecimal and its length: `0101000000.../21`.
    fn head_expression(self, column: &Column) -> String {
        let declared = column.data_type.to_ascii_uppercase();
        let bytes = self.sql().leading_bytes(&self.quote_column(column), &declared, HEAD);
        bytes.unwrap_or_else(|| "NULL".to_owned())
    }

    /// Selects nested values as JSON, long enough to be complete.
    pub(super) fn nested_query(self, column: &Column, from: &str, limit: u64) -> String {
        let name = self.quote_column(column);
        let declared = column.data_type.to_ascii_uppercase();
        let is_text = declared.starts_with("JSON") || declared.starts_with("VARCHAR");
        let json = if is_text { self.readable_value(column) } else { self.sql().nested_text(&name) };
        format!("SELECT {} FROM {from} WHERE {name} IS NOT NULL LIMIT {limit}", self.truncated_text(&json, NESTED_CELL))
    }

    /// Selects the most frequent values with their counts for each column (by its index here), one more than [`TOP`].
    pub(super) fn top_values_query(self, columns: &[&Column], from: &str) -> String {
        let arms: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(number, column)| {
                let value = self.truncated_text(&self.readable_value(column), CELL);
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

    /// Selects the number of rows, then for each column estimates: the numbers of non-null and of distinct values,
    /// minimum, maximum and, for text and truth values, the most frequent values as JSON.
    pub(super) fn approximate_query(self, columns: &[(&Column, TypeFamily)], from: &str) -> String {
        let cells = columns.iter().flat_map(|(column, family)| {
            let name = self.quote_column(column);
            let value = self.sql().ordered_value(&name, *family);
            let text = |function: &str| self.truncated_text(&format!("{function}({value})"), CELL);
            let frequent = matches!(family, TypeFamily::Text | TypeFamily::Boolean);
            let shown = self.truncated_text(&self.readable_value(column), CELL);
            [
                format!("count({name})"),
                format!("approx_count_distinct({name})"),
                text("min"),
                text("max"),
                if frequent { self.sql().frequent_values_json(&shown, TOP + 1) } else { "NULL".to_owned() },
            ]
        });
        let cells: Vec<String> = std::iter::once("count(*)".to_owned()).chain(cells).collect();
        format!("SELECT {} FROM {from}", cells.join(", "))
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
            if !self.sql().reads_text_numbers() {
                return None;
            }
            // Without such a function, `deviation_cells` computes it.
            let has_function = self.sql().has_standard_deviation();
            let stddev = if has_function { self.deviation_of(&value) } else { "NULL".to_owned() };
            return Some(cells(value.clone(), [format!("avg({value})"), stddev]));
        }
        if NamedMonths::from_hidden(hidden).is_some() {
            return None;
        }
        if let Some(date) = self.sql().parsed_date(&name, hidden) {
            return Some(both(date));
        }
        let (parts, _) = dates::fixed_positions(hidden).filter(|_| full_length)?;
        let part = |(at, length): (usize, usize)| format!("substr({name}, {at}, {length})");
        let date = self.sql().joined_date(parts.map(part))?;
        Some(both(format!("CASE WHEN {name} <> '' THEN {date} END")))
    }

    /// Returns [`DEVIATION`] cells for SQLite, which has no function: the count of a column's numbers and the sums of their distances from
    /// `mean` and of the squared distances. Subtracting a value near the mean keeps the precision that plain sums of
    /// squares lose if the mean is much larger than the deviation.
    pub(super) fn deviation_cells(
        self,
        column: &Column,
        (family, form): (TypeFamily, NumberForm),
        mean: f64,
    ) -> [String; DEVIATION] {
        let value =
            if family == TypeFamily::Text { self.hidden_number(column, form) } else { self.number_value(column) };
        // Whole numbers are subtracted exactly, however large.
        let whole = family == TypeFamily::Integer && mean.abs() < 9e18;
        let near = if whole { format!("{mean:.0}") } else { format!("{mean:e}") };
        let away = format!("({value} - ({near}))");
        [format!("count({value})"), format!("total({away})"), format!("total({away} * 1.0 * {away})")]
    }
}
