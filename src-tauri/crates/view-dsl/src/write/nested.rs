//! Generates paths into arrays, structs and JSON. Every dialect can convert nested values to JSON and supports JSON
//! paths.

use super::terms::text_literal;
use vitrine_domain::Dialect;
use vitrine_domain::views::Step;
use vitrine_sql::ColumnType;

/// Returns the text of the value at the end of a path; NULL if there is none, or if a text column contains no JSON.
pub(crate) fn text_at(expr: &str, path: &[Step], family: ColumnType, dialect: Dialect) -> String {
    let is_text = matches!(family, ColumnType::Text | ColumnType::Unknown);
    let steps = |key: &dyn Fn(&str) -> String| -> String {
        let step = |step: &Step| match step {
            Step::Key(name) => key(name),
            Step::Element(at) => format!("[{at}]"),
        };
        path.iter().map(step).collect()
    };
    let dotted = || text_literal(&format!("${}", steps(&|key| format!(".\"{key}\""))), dialect);
    match dialect {
        Dialect::Sqlite => {
            let path = dotted();
            let found = format!("CAST(JSON_EXTRACT({expr}, {path}) AS TEXT)");
            // Booleans would become 1 and 0.
            let truth = format!("CASE JSON_TYPE({expr}, {path}) WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'");
            format!("CASE WHEN JSON_VALID({expr}) THEN {truth} ELSE {found} END END")
        }
        Dialect::Duckdb => {
            let json = if is_text { format!("TRY_CAST({expr} AS JSON)") } else { format!("TO_JSON({expr})") };
            format!("JSON_EXTRACT_STRING({json}, {})", dotted())
        }
        Dialect::Postgres => {
            let step = |step: &Step| match step {
                Step::Key(name) => format!("\"{name}\""),
                Step::Element(at) => at.to_string(),
            };
            let path: Vec<String> = path.iter().map(step).collect();
            format!("(TO_JSONB({expr}) #>> {})", text_literal(&format!("{{{}}}", path.join(",")), dialect))
        }
        Dialect::Mysql => {
            let found = format!("JSON_EXTRACT({expr}, {})", dotted());
            format!(
                "CASE WHEN JSON_VALID({expr}) THEN CASE WHEN JSON_TYPE({found}) <> 'NULL' THEN JSON_UNQUOTE({found}) END END"
            )
        }
        Dialect::Clickhouse => {
            let json = if is_text { expr.to_owned() } else { format!("toJSONString({expr})") };
            let step = |step: &Step| match step {
                Step::Key(name) => text_literal(name, dialect),
                // Indices of lists begin at 1.
                Step::Element(at) => (at + 1).to_string(),
            };
            let path: Vec<String> = std::iter::once(json).chain(path.iter().map(step)).collect();
            let of = path.join(", ");
            format!(
                "CASE JSONType({of}) WHEN 'String' THEN JSONExtractString({of}) WHEN 'Null' THEN NULL ELSE JSONExtractRaw({of}) END"
            )
        }
        Dialect::Mssql => format!("CASE WHEN ISJSON({expr}) = 1 THEN JSON_VALUE({expr}, {}) END", dotted()),
        Dialect::Trino => {
            let json = match family {
                ColumnType::Text | ColumnType::Unknown => expr.to_owned(),
                _ => format!("CAST({expr} AS JSON)"),
            };
            let path = text_literal(&format!("${}", steps(&|key| format!("[\"{key}\"]"))), dialect);
            format!("JSON_EXTRACT_SCALAR({json}, {path})")
        }
        Dialect::Databricks => {
            let json = if is_text { expr.to_owned() } else { format!("TO_JSON({expr})") };
            let path = text_literal(&format!("${}", steps(&|key| format!("['{key}']"))), dialect);
            format!("GET_JSON_OBJECT({json}, {path})")
        }
        Dialect::Snowflake => {
            let json = if is_text { format!("TRY_PARSE_JSON({expr})") } else { expr.to_owned() };
            let path = steps(&|key| format!("[\"{key}\"]"));
            format!("CAST(GET_PATH({json}, {}) AS TEXT)", text_literal(&path, dialect))
        }
        Dialect::Bigquery => {
            let json = if is_text { format!("SAFE.PARSE_JSON({expr})") } else { format!("TO_JSON({expr})") };
            format!("JSON_VALUE({json}, {})", dotted())
        }
    }
}
