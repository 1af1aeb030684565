//! What a column's declared type lets a view do with it.

use vitrine_domain::Dialect;

/// The families of types that the view language tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Whole numbers.
    Whole,
    /// Exact numbers with a fraction.
    Decimal,
    /// Binary floating point.
    Float,
    /// Text.
    Text,
    /// true and false.
    Boolean,
    /// A day.
    Date,
    /// A day with a time.
    Timestamp,
    /// Something with parts, bytes, a time of day: it can be selected and counted.
    Other,
    /// No type was declared; nothing is refused.
    Unknown,
}

impl Family {
    /// The family of a type as a database declares it, e.g. `DECIMAL(10,2)`.
    pub fn of(data_type: &str, dialect: Dialect) -> Self {
        let upper = data_type.trim().to_ascii_uppercase();
        let word: String = upper.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        if upper.is_empty() {
            return Family::Unknown;
        }
        if upper.contains('[') || upper.contains('<') || matches!(word.as_str(), "ARRAY" | "STRUCT" | "MAP" | "LIST") {
            return Family::Other;
        }
        let begins = |words: &[&str]| words.iter().any(|w| word.starts_with(w));
        if begins(&["TIMESTAMP", "DATETIME"]) {
            Family::Timestamp
        } else if word == "DATE" {
            Family::Date
        } else if begins(&["BOOL"]) {
            Family::Boolean
        } else if begins(&["INTERVAL", "TIME", "BLOB", "BYTEA", "BINARY", "VARBINARY", "JSON", "VARIANT", "OBJECT"])
            || begins(&["POINT", "GEO", "UUID", "BIT", "XML", "INET", "INT4RANGE", "INT8RANGE", "MONEY", "TSVECTOR"])
        {
            Family::Other
        } else if begins(&["TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "HUGEINT", "UINT", "UTINY", "USMALL"])
            || begins(&["UBIGINT", "UHUGE", "SERIAL", "BIGSERIAL", "SMALLSERIAL", "YEAR"])
        {
            Family::Whole
        } else if word == "NUMBER" && dialect == Dialect::Snowflake {
            if upper.contains(",0)") || !upper.contains(',') { Family::Whole } else { Family::Decimal }
        } else if begins(&["DEC", "NUM", "BIGNUM", "BIGDEC", "FIXED"]) {
            Family::Decimal
        } else if begins(&["REAL", "FLOAT", "DOUBLE"]) {
            Family::Float
        } else if begins(&[
            "CHAR", "VARCHAR", "NCHAR", "NVARCHAR", "TEXT", "STRING", "CLOB", "BPCHAR", "NAME", "CITEXT",
        ]) || begins(&["TINYTEXT", "MEDIUMTEXT", "LONGTEXT", "ENUM", "VARYING", "CHARACTER"])
        {
            Family::Text
        } else {
            // A domain, an enumeration or what an owner of an SQLite database made up.
            Family::Unknown
        }
    }

    /// Whether it can be added up.
    pub fn is_number(self) -> bool {
        matches!(self, Family::Whole | Family::Decimal | Family::Float | Family::Unknown)
    }

    /// Whether it may hold dates; text may, as a hidden date.
    pub fn may_be_date(self) -> bool {
        matches!(self, Family::Date | Family::Timestamp | Family::Text | Family::Unknown)
    }

    /// Its name in a sentence.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Family::Whole | Family::Decimal | Family::Float => "a number",
            Family::Text => "text",
            Family::Boolean => "true or false",
            Family::Date => "a date",
            Family::Timestamp => "a time",
            Family::Other => "neither a number nor text",
            Family::Unknown => "of an unknown type",
        }
    }
}
