//! Queries about data: profiles, value indexes, plans and evidence for rules.

use sqlparser::ast::DataType;

/// The family of a declared type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeFamily {
    /// Text, including enumerations and UUIDs.
    Text,
    /// Whole numbers of any width.
    Integer,
    /// Decimals and floating-point numbers (`NUMERIC`, `REAL`, `DOUBLE`).
    Float,
    /// Dates, times and timestamps of any precision.
    Temporal,
    /// Boolean values, declared as `BOOLEAN`.
    Boolean,
    /// Byte strings of any length.
    Binary,
    /// Nested values: JSON, lists, structs and maps.
    Nested,
    /// Geometries and geographies in any encoding.
    Geo,
}

/// Reproducible ways to select some rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowSampling {
    /// The first rows of the table.
    FirstRows,
    /// Ranges of row ids that the engine finds by its index.
    RowIdRanges,
    /// A condition on the hash of row ids, or of columns if the table has no row ids.
    Hashes,
    /// The clause TABLESAMPLE with a seed.
    TableSample,
}

/// Answers to EXPLAIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanFormat {
    /// One row per step with the id of its parent.
    StepRows,
    /// JSON: operators with `name` and `children`.
    Operators,
    /// JSON: nodes with `Node Type` and `Plans`.
    PlanNodes,
    /// JSON: nested query blocks.
    QueryBlocks,
}

/// A statement that explains a query without running it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExplainStatement {
    /// The keywords before the query.
    pub keywords: &'static str,
    /// The format of the answer.
    pub format: PlanFormat,
}

/// Queries about data: profiles, value indexes, plans and evidence for rules. Defaults describe standard SQL. `column`
/// is always the quoted name of a column.
pub trait Statistics: Sync {
    /// Returns the family of a declared type. If types belong to values, this is only a first guess.
    fn type_family(&self, data_type: &str) -> TypeFamily {
        let declared = data_type.trim().to_ascii_uppercase();
        self.own_type_family(&declared).unwrap_or_else(|| TypeFamily::from_common_type(&declared))
    }

    /// Returns the family of a type in capitals that other dialects lack or read differently.
    fn own_type_family(&self, _declared: &str) -> Option<TypeFamily> {
        None
    }

    /// Returns true if types belong to values, whatever their column declares.
    fn has_dynamic_types(&self) -> bool {
        false
    }

    /// Returns true if text functions reject values of the type, which the engine displays with a currency sign.
    fn is_amount_type(&self, _data_type: &str) -> bool {
        false
    }

    /// Returns true if two text types can only be compared after a cast.
    fn separates_text_types(&self) -> bool {
        false
    }

    /// Returns an expression for those values of a column that can be read as text.
    fn readable_value(&self, column: &str) -> String {
        column.to_owned()
    }

    /// Returns an expression for the values of a column that has a minimum and a maximum.
    fn ordered_value(&self, column: &str, _family: TypeFamily) -> String {
        self.readable_value(column)
    }

    /// Returns an expression for the values of a column that can be tested for equality.
    fn distinct_value(&self, column: &str, _family: TypeFamily) -> String {
        column.to_owned()
    }

    /// Returns an expression for those values of a column that are numbers.
    fn number_value(&self, column: &str) -> String {
        column.to_owned()
    }

    /// Returns an expression for the numbers that a text column contains in the form of SQL literals.
    fn parsed_number(&self, column: &str) -> String {
        format!("TRY_CAST({column} AS DOUBLE)")
    }

    /// Returns false if the numbers in text are not read for profiles.
    fn reads_text_numbers(&self) -> bool {
        true
    }

    /// Returns an expression for the dates in a text column with a strptime format. `None` if the engine has no function
    /// that parses such a format and returns NULL for other text.
    fn parsed_date(&self, _column: &str, _format: &str) -> Option<String> {
        None
    }

    /// Joins the expressions of year, month and day to a text in ISO form. `None` if dates in text are not read.
    fn joined_date(&self, [year, month, day]: [String; 3]) -> Option<String> {
        Some(format!("{year} || '-' || {month} || '-' || {day}"))
    }

    /// Returns the function that takes some characters of a text.
    fn substring_function(&self) -> &'static str {
        "substr"
    }

    /// Returns the function that counts the characters of a text.
    fn length_function(&self) -> &'static str {
        "length"
    }

    /// Returns an aggregate for the standard deviation of those values that fulfil a condition.
    fn deviation_where(&self, value: &str, condition: &str) -> String {
        format!("stddev_samp({value}) FILTER (WHERE {condition})")
    }

    /// Returns the number of rows up to which distinct values are counted exactly. With more rows they are estimated.
    fn exact_distinct_rows(&self) -> u64 {
        u64::MAX
    }

    /// Returns an aggregate that counts the values with a type of their own: `integer`, `real`, `text` or `blob`.
    fn storage_class_count(&self, _column: &str, _class: &str) -> String {
        "NULL".to_owned()
    }

    /// Returns an expression for the first bytes of a value in hexadecimal, a slash and its length in bytes. `None` if
    /// values of this type (in capitals) are not read.
    fn leading_bytes(&self, _column: &str, _declared: &str, _length: usize) -> Option<String> {
        None
    }

    /// Returns an expression for a nested value as JSON text.
    fn nested_text(&self, column: &str) -> String {
        format!("to_json({column})")
    }

    /// Returns the way to select the rows of a sample.
    fn row_sampling(&self) -> RowSampling {
        RowSampling::FirstRows
    }

    /// Returns the factor by which the engine reads more rows than others in the same time.
    fn sample_factor(&self) -> u64 {
        1
    }

    /// Returns the clause after a table's name that reads about a percentage of it by whole blocks. `None` if approximate
    /// statistics of large tables are not queried, because the engine lacks the functions or the estimate of a query's
    /// bytes.
    fn block_sample(&self, _percent: f64) -> Option<String> {
        None
    }

    /// Returns an aggregate for the most frequent values with their estimated counts, as JSON text: a list of
    /// `{"value": v, "count": n}` or of `[v, n]`.
    fn frequent_values_json(&self, _value: &str, _count: usize) -> String {
        "NULL".to_owned()
    }

    /// Returns true if a query is billed by whole columns, however few rows it returns.
    fn bills_whole_columns(&self) -> bool {
        false
    }

    /// Returns the text of a value so that different spellings are distinct.
    fn distinct_spelling(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Returns the function that measures the values of a value index.
    fn index_length_function(&self) -> &'static str {
        self.length_function()
    }

    /// Returns the function for the code of a text's first character.
    fn character_code_function(&self) -> &'static str {
        "unicode"
    }

    /// Returns a number below `passes` for each text, to read the values in several passes. The default derives it from
    /// length and outer characters.
    fn pass_of_value(&self, text: &str, passes: u32) -> String {
        let (length, code) = (self.index_length_function(), self.character_code_function());
        format!("({length}({text}) * 31 + {code}({text}) * 7 + {code}(substr({text}, {length}({text}), 1))) % {passes}")
    }

    /// Returns the statement that explains a query; `None` if the engine has no readable plans or would run a part of
    /// the query.
    fn explain_statement(&self) -> Option<ExplainStatement> {
        None
    }

    /// Returns true if columns of this type (in capitals, without arguments) contain documents whose keys a query might
    /// read with a dot.
    fn is_document_type(&self, _name: &str) -> bool {
        false
    }

    /// Returns an expression for a stored path (`geo.lat`) in a document, converted to a type if that is known. `None`
    /// if paths are read with a dot, or if the path cannot be expressed.
    fn document_field(&self, _column: &str, _path: &str, _value_type: Option<&str>) -> Option<String> {
        None
    }

    /// Returns true if a comparison of a text column with a number compares texts.
    fn compares_numbers_as_text(&self) -> bool {
        false
    }

    /// Returns true if a date cannot be compared with a text pattern.
    fn rejects_date_patterns(&self) -> bool {
        false
    }

    /// Returns true if date functions and intervals reject a date that is written as a plain string.
    fn rejects_untyped_dates(&self) -> bool {
        false
    }

    /// Returns true if the alias of an unnested list is a row with the column `unnest` instead of a member.
    fn unnests_to_rows(&self) -> bool {
        false
    }

    /// Returns true if forms that most engines accept are missing: LIMIT or ILIKE, `::`, aliases in GROUP BY, common
    /// names of types.
    fn lacks_common_forms(&self) -> bool {
        false
    }

    /// Returns the dialect's own type for a common type that it lacks.
    fn replaced_type(&self, _common: &DataType) -> Option<DataType> {
        None
    }

    /// Returns false if EXTRACT, typed literals, `||` and Boolean literals are missing.
    fn has_standard_expressions(&self) -> bool {
        true
    }

    /// Returns false if NULLS FIRST and NULLS LAST are missing.
    fn has_nulls_order(&self) -> bool {
        true
    }

    /// Returns false if GROUP BY does not accept the numbers of result columns.
    fn groups_by_number(&self) -> bool {
        true
    }
}

impl TypeFamily {
    /// Returns the family of a type in capitals whose name means the same in most dialects.
    fn from_common_type(declared: &str) -> Self {
        let is = |words: &[&str]| words.iter().any(|w| declared.starts_with(w));
        if is(&["ENUM("]) {
            return Self::Text;
        }
        if declared.ends_with(']')
            || is(&["STRUCT", "MAP", "LIST", "UNION", "JSON", "VARIANT", "OBJECT", "ARRAY", "RECORD"])
        {
            return Self::Nested;
        }
        if is(&["GEOMETRY", "GEOGRAPHY", "POINT_2D", "POINT", "LINESTRING", "POLYGON", "WKB_BLOB", "BOX_2D"]) {
            return Self::Geo;
        }
        if is(&["DATE", "TIME", "INTERVAL", "YEAR"]) {
            return Self::Temporal;
        }
        if is(&["BOOL"]) || declared == "LOGICAL" {
            return Self::Boolean;
        }
        if declared.contains("BLOB") || is(&["BINARY", "VARBINARY", "BYTE", "BIT", "IMAGE"]) {
            return Self::Binary;
        }
        if is(&["NUMBER", "NUMERIC", "DECIMAL", "DEC(", "MONEY"]) {
            let whole = declared.split_once(',').is_some_and(|(_, scale)| scale.trim_end_matches(')').trim() == "0");
            return if whole { Self::Integer } else { Self::Float };
        }
        if is(&["FLOAT", "DOUBLE", "REAL"]) {
            return Self::Float;
        }
        // SQLite's own rule: any type with INT in its name.
        if declared.contains("INT") || is(&["SERIAL", "BIGSERIAL"]) {
            return Self::Integer;
        }
        if declared.is_empty() { Self::Binary } else { Self::Text }
    }

    /// Returns true if any engine can compare the values and cast them to text.
    pub fn is_plain(self) -> bool {
        !matches!(self, Self::Binary | Self::Nested | Self::Geo)
    }
}

/// Returns true if a key of a document needs no quotation marks.
pub(super) fn is_plain_key(key: &str) -> bool {
    key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::duckdb::Duckdb;
    use crate::dialect::postgres::Postgres;

    #[test]
    fn declared_types_fall_into_families() {
        for (declared, family) in [
            ("VARCHAR(20)", TypeFamily::Text),
            ("ENUM('mint', 'b')", TypeFamily::Text),
            ("UUID", TypeFamily::Text),
            ("BIGINT", TypeFamily::Integer),
            ("UNSIGNED BIG INT", TypeFamily::Integer),
            ("NUMBER(38,0)", TypeFamily::Integer),
            ("DECIMAL(10,2)", TypeFamily::Float),
            ("DOUBLE PRECISION", TypeFamily::Float),
            ("TIMESTAMP WITH TIME ZONE", TypeFamily::Temporal),
            ("BOOLEAN", TypeFamily::Boolean),
            ("BLOB", TypeFamily::Binary),
            ("INTEGER[]", TypeFamily::Nested),
            ("STRUCT(a INTEGER)", TypeFamily::Nested),
            ("GEOMETRY", TypeFamily::Geo),
        ] {
            assert_eq!(Duckdb.type_family(declared), family, "{declared}");
        }
    }

    #[test]
    fn types_that_people_name_are_text_in_postgresql() {
        for (declared, family) in [
            ("character varying(20)", TypeFamily::Text),
            ("print_kind", TypeFamily::Text),
            ("int4range", TypeFamily::Text),
            ("double precision", TypeFamily::Float),
            ("numeric(12,0)", TypeFamily::Integer),
            ("timestamp(3) without time zone", TypeFamily::Temporal),
            ("text[]", TypeFamily::Nested),
            ("geometry(Point,4326)", TypeFamily::Geo),
            ("circle", TypeFamily::Geo),
            ("linestring_kind", TypeFamily::Text),
        ] {
            assert_eq!(Postgres.type_family(declared), family, "{declared}");
        }
    }
}
