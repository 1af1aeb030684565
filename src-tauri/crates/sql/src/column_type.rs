//! Classes of column types, as views and rules distinguish them.

/// A class of column types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// Integers of any width, signed or unsigned.
    Whole,
    /// Exact numbers with a fraction.
    Decimal,
    /// Binary floating-point numbers of any precision.
    Float,
    /// Strings of any length and encoding.
    Text,
    /// Boolean values, also where stored as integers.
    Boolean,
    /// A calendar date without a time.
    Date,
    /// A date with a time of day.
    Timestamp,
    /// Nested values, bytes and times of day: they can be selected and counted.
    Other,
    /// No declared type; nothing is rejected.
    Unknown,
}

impl ColumnType {
    /// Returns the class of a declared type by names that mean the same in all dialects that have them.
    pub(crate) fn from_common_type(data_type: &str) -> Self {
        let upper = data_type.trim().to_ascii_uppercase();
        let word = type_name(data_type);
        if upper.is_empty() {
            return ColumnType::Unknown;
        }
        if upper.contains('[') || upper.contains('<') || matches!(word.as_str(), "ARRAY" | "STRUCT" | "MAP" | "LIST") {
            return ColumnType::Other;
        }
        let begins = |words: &[&str]| words.iter().any(|w| word.starts_with(w));
        if begins(&["TIMESTAMP", "DATETIME"]) {
            ColumnType::Timestamp
        } else if word == "DATE" {
            ColumnType::Date
        } else if begins(&["BOOL"]) {
            ColumnType::Boolean
        } else if begins(&["INTERVAL", "TIME", "BLOB", "BYTEA", "BINARY", "VARBINARY", "JSON", "VARIANT", "OBJECT"])
            || begins(&["POINT", "GEO", "UUID", "BIT", "XML", "INET", "INT4RANGE", "INT8RANGE", "MONEY", "TSVECTOR"])
        {
            ColumnType::Other
        } else if begins(&["TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "HUGEINT", "UINT", "UTINY", "USMALL"])
            || begins(&["UBIGINT", "UHUGE", "SERIAL", "BIGSERIAL", "SMALLSERIAL", "YEAR"])
        {
            ColumnType::Whole
        } else if begins(&["DEC", "NUM", "BIGNUM", "BIGDEC", "FIXED"]) {
            ColumnType::Decimal
        } else if begins(&["REAL", "FLOAT", "DOUBLE"]) {
            ColumnType::Float
        } else if begins(&[
            "CHAR", "VARCHAR", "NCHAR", "NVARCHAR", "TEXT", "STRING", "CLOB", "BPCHAR", "NAME", "CITEXT",
        ]) || begins(&["TINYTEXT", "MEDIUMTEXT", "LONGTEXT", "ENUM", "SET", "VARYING", "CHARACTER"])
        {
            ColumnType::Text
        } else {
            // A domain, an enumeration or a type name that only an SQLite schema uses.
            ColumnType::Unknown
        }
    }

    /// Returns true if values of this class can be summed.
    pub fn is_number(self) -> bool {
        matches!(self, ColumnType::Whole | ColumnType::Decimal | ColumnType::Float | ColumnType::Unknown)
    }

    /// Returns true if the column may hold dates. Text may, too, as a hidden date.
    pub fn may_be_date(self) -> bool {
        matches!(self, ColumnType::Date | ColumnType::Timestamp | ColumnType::Text | ColumnType::Unknown)
    }

    /// Returns the name of the class for use in a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            ColumnType::Whole | ColumnType::Decimal | ColumnType::Float => "a number",
            ColumnType::Text => "text",
            ColumnType::Boolean => "true or false",
            ColumnType::Date => "a date",
            ColumnType::Timestamp => "a time",
            ColumnType::Other => "neither a number nor text",
            ColumnType::Unknown => "of an unknown type",
        }
    }
}

/// Returns the name of a declared type without its length or members, in upper case.
pub(crate) fn type_name(data_type: &str) -> String {
    let letters = data_type.trim().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_');
    letters.map(|c| c.to_ascii_uppercase()).collect()
}

/// Returns true if a declared type holds integers: any type with INT in its name, as in SQLite, except types of other
/// engines that only contain these letters.
pub fn is_integer(data_type: &str) -> bool {
    const OTHERS: [&str; 4] = ["INTERVAL", "POINT", "ENUM", "RANGE"];
    let upper = data_type.to_ascii_uppercase();
    upper.contains("INT") && !OTHERS.iter().any(|other| upper.contains(other))
}

/// Returns the member type of a list: `STRUCT(...)[]` (DuckDB), `ARRAY<...>` (BigQuery and Databricks), `Array(...)`
/// (ClickHouse). `None` if the type is not a list.
pub fn member_type(data_type: &str) -> Option<&str> {
    let text = data_type.trim();
    let inside = |open: &str, close| {
        let begins = text.get(..open.len()).is_some_and(|start| start.eq_ignore_ascii_case(open));
        begins.then(|| text[open.len()..].strip_suffix(close)).flatten()
    };
    text.strip_suffix("[]").or_else(|| inside("ARRAY<", '>')).or_else(|| inside("ARRAY(", ')')).map(str::trim)
}
