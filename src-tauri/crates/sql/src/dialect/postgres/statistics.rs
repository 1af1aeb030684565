use super::Postgres;
use crate::dialect::statistics::{ExplainStatement, PlanFormat, RowSampling, Statistics, TypeFamily};

impl Statistics for Postgres {
    // Each built-in type has one name. User-defined types have arbitrary names and can all be read as text.
    fn own_type_family(&self, declared: &str) -> Option<TypeFamily> {
        if declared.ends_with("[]") {
            return Some(TypeFamily::Nested);
        }
        Some(match declared.split(['(', ' ']).next().unwrap_or(declared) {
            "JSON" | "JSONB" => TypeFamily::Nested,
            // Types of PostGIS, then built-in ones.
            "GEOMETRY" | "GEOGRAPHY" | "BOX2D" | "BOX3D" => TypeFamily::Geo,
            "POINT" | "POLYGON" | "LINE" | "LSEG" | "BOX" | "PATH" | "CIRCLE" => TypeFamily::Geo,
            "DATE" | "TIME" | "TIMESTAMP" | "INTERVAL" => TypeFamily::Temporal,
            "BOOLEAN" => TypeFamily::Boolean,
            "BYTEA" | "BIT" => TypeFamily::Binary,
            "SMALLINT" | "INTEGER" | "BIGINT" => TypeFamily::Integer,
            "NUMERIC" if declared.ends_with(",0)") => TypeFamily::Integer,
            "NUMERIC" | "REAL" | "DOUBLE" => TypeFamily::Float,
            _ => TypeFamily::Text,
        })
    }

    fn is_amount_type(&self, data_type: &str) -> bool {
        data_type.eq_ignore_ascii_case("money")
    }

    fn separates_text_types(&self) -> bool {
        true
    }

    // Many types have no minimum.
    fn ordered_value(&self, column: &str, family: TypeFamily) -> String {
        match family {
            TypeFamily::Text | TypeFamily::Boolean => format!("CAST({column} AS VARCHAR)"),
            _ => column.to_owned(),
        }
    }

    // Some types have no equality.
    fn distinct_value(&self, column: &str, family: TypeFamily) -> String {
        self.ordered_value(column, family)
    }

    fn parsed_number(&self, column: &str) -> String {
        format!(
            "CASE WHEN {column} ~ '^\\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)\\s*$' THEN CAST({column} AS DOUBLE PRECISION) END"
        )
    }

    fn leading_bytes(&self, column: &str, declared: &str, length: usize) -> Option<String> {
        (declared == "BYTEA")
            .then(|| format!("encode(substring({column}, 1, {length}), 'hex') || '/' || octet_length({column})"))
    }

    fn row_sampling(&self) -> RowSampling {
        RowSampling::TableSample
    }

    fn character_code_function(&self) -> &'static str {
        "ascii"
    }

    fn explain_statement(&self) -> Option<ExplainStatement> {
        Some(ExplainStatement { keywords: "EXPLAIN (FORMAT JSON)", format: PlanFormat::PlanNodes })
    }

    fn rejects_date_patterns(&self) -> bool {
        true
    }

    fn rejects_untyped_dates(&self) -> bool {
        true
    }
}
