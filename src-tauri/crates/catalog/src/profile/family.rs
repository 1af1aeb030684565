//! Maps physical types to eight families.

use vitrine_domain::Dialect;

/// The family of a declared type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
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

impl Family {
    /// Returns the family of a declared type. In SQLite this is only a first guess, since values have their own types.
    pub(crate) fn from_data_type(data_type: &str, dialect: Dialect) -> Self {
        let declared = data_type.trim().to_ascii_uppercase();
        if dialect == Dialect::Postgres {
            return Self::of_postgres(&declared);
        }
        if dialect == Dialect::Clickhouse
            && let Some(family) = Self::of_clickhouse(&declared)
        {
            return family;
        }
        let is = |words: &[&str]| words.iter().any(|w| declared.starts_with(w));
        if dialect == Dialect::Trino && is(&["ROW("]) {
            return Family::Nested;
        }
        if is(&["ENUM("]) {
            return Family::Text;
        }
        if declared.ends_with(']')
            || is(&["STRUCT", "MAP", "LIST", "UNION", "JSON", "VARIANT", "OBJECT", "ARRAY", "RECORD"])
        {
            return Family::Nested;
        }
        if dialect == Dialect::Mysql && is(&["MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOM"]) {
            return Family::Geo;
        }
        if is(&["GEOMETRY", "GEOGRAPHY", "POINT_2D", "POINT", "LINESTRING", "POLYGON", "WKB_BLOB", "BOX_2D"]) {
            return Family::Geo;
        }
        if is(&["DATE", "TIME", "INTERVAL", "YEAR"]) {
            return Family::Temporal;
        }
        if is(&["BOOL"]) || declared == "LOGICAL" {
            return Family::Boolean;
        }
        if declared.contains("BLOB") || is(&["BINARY", "VARBINARY", "BYTE", "BIT", "IMAGE"]) {
            return Family::Binary;
        }
        if is(&["NUMBER", "NUMERIC", "DECIMAL", "DEC(", "MONEY"]) {
            let whole = declared.split_once(',').is_some_and(|(_, scale)| scale.trim_end_matches(')').trim() == "0");
            return if whole { Family::Integer } else { Family::Float };
        }
        if is(&["FLOAT", "DOUBLE", "REAL"]) {
            return Family::Float;
        }
        // SQLite's own rule: any type with INT in its name.
        if declared.contains("INT") || is(&["SERIAL", "BIGSERIAL"]) {
            return Family::Integer;
        }
        if declared.is_empty() && dialect != Dialect::Sqlite {
            return Family::Binary;
        }
        Family::Text
    }

    /// Handles types of ClickHouse whose names resemble others.
    fn of_clickhouse(declared: &str) -> Option<Self> {
        match declared.split('(').next().unwrap_or(declared) {
            "ENUM8" | "ENUM16" | "UUID" | "IPV4" | "IPV6" => Some(Family::Text),
            "TUPLE" | "NESTED" | "DYNAMIC" => Some(Family::Nested),
            // Aggregate states are not readable values.
            "AGGREGATEFUNCTION" | "SIMPLEAGGREGATEFUNCTION" | "NOTHING" => Some(Family::Binary),
            _ => None,
        }
    }

    /// Handles PostgreSQL, which uses one name for each built-in type. User-defined types have arbitrary names and can
    /// all be read as text.
    fn of_postgres(declared: &str) -> Self {
        if declared.ends_with("[]") {
            return Family::Nested;
        }
        match declared.split(['(', ' ']).next().unwrap_or(declared) {
            "JSON" | "JSONB" => Family::Nested,
            // Types of PostGIS, then built-in ones.
            "GEOMETRY" | "GEOGRAPHY" | "BOX2D" | "BOX3D" => Family::Geo,
            "POINT" | "POLYGON" | "LINE" | "LSEG" | "BOX" | "PATH" | "CIRCLE" => Family::Geo,
            "DATE" | "TIME" | "TIMESTAMP" | "INTERVAL" => Family::Temporal,
            "BOOLEAN" => Family::Boolean,
            "BYTEA" | "BIT" => Family::Binary,
            "SMALLINT" | "INTEGER" | "BIGINT" => Family::Integer,
            "NUMERIC" if declared.ends_with(",0)") => Family::Integer,
            "NUMERIC" | "REAL" | "DOUBLE" => Family::Float,
            _ => Family::Text,
        }
    }

    /// Returns true if any engine can compare the values and cast them to text.
    pub(crate) fn is_plain(self) -> bool {
        !matches!(self, Family::Binary | Family::Nested | Family::Geo)
    }
}

/// Numbers of values of each storage class in a SQLite column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Classes {
    pub integer: u64,
    pub real: u64,
    pub text: u64,
    pub blob: u64,
}

impl Classes {
    /// Returns the family of the values themselves if they contradict the declared one.
    pub(crate) fn correct_family(self, declared: Family) -> Family {
        let most = self.integer.max(self.real).max(self.text).max(self.blob);
        if most == 0 {
            declared
        } else if self.blob == most {
            Family::Binary
        } else if self.text == most {
            // SQLite stores dates and JSON as text.
            if matches!(declared, Family::Nested | Family::Geo) { declared } else { Family::Text }
        } else if declared == Family::Boolean {
            Family::Boolean
        } else if self.real > 0 {
            Family::Float
        } else {
            Family::Integer
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_fall_into_families() {
        for (declared, family) in [
            ("VARCHAR(20)", Family::Text),
            ("ENUM('mint', 'b')", Family::Text),
            ("UUID", Family::Text),
            ("BIGINT", Family::Integer),
            ("UNSIGNED BIG INT", Family::Integer),
            ("NUMBER(38,0)", Family::Integer),
            ("DECIMAL(10,2)", Family::Float),
            ("DOUBLE PRECISION", Family::Float),
            ("TIMESTAMP WITH TIME ZONE", Family::Temporal),
            ("BOOLEAN", Family::Boolean),
            ("BLOB", Family::Binary),
            ("INTEGER[]", Family::Nested),
            ("STRUCT(a INTEGER)", Family::Nested),
            ("GEOMETRY", Family::Geo),
        ] {
            assert_eq!(Family::from_data_type(declared, Dialect::Duckdb), family, "{declared}");
        }
    }

    #[test]
    fn types_that_people_name_are_text_in_postgresql() {
        for (declared, family) in [
            ("character varying(20)", Family::Text),
            ("print_kind", Family::Text),
            ("int4range", Family::Text),
            ("double precision", Family::Float),
            ("numeric(12,0)", Family::Integer),
            ("timestamp(3) without time zone", Family::Temporal),
            ("text[]", Family::Nested),
            ("geometry(Point,4326)", Family::Geo),
            ("circle", Family::Geo),
            ("linestring_kind", Family::Text),
        ] {
            assert_eq!(Family::from_data_type(declared, Dialect::Postgres), family, "{declared}");
        }
    }

    #[test]
    fn sqlite_values_decide_over_the_declaration() {
        let classes = |integer, real, text, blob| Classes { integer, real, text, blob };
        assert_eq!(classes(0, 0, 9, 0).correct_family(Family::Temporal), Family::Text);
        assert_eq!(classes(9, 0, 0, 0).correct_family(Family::Temporal), Family::Integer);
        assert_eq!(classes(9, 1, 0, 0).correct_family(Family::Text), Family::Float);
        assert_eq!(classes(9, 0, 0, 0).correct_family(Family::Boolean), Family::Boolean);
        assert_eq!(classes(0, 0, 0, 0).correct_family(Family::Float), Family::Float);
    }
}
