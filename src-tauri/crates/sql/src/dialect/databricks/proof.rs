use super::Databricks;
use crate::dialect::Proof;
use crate::dialect::proof::{FileName, FunctionList, KeywordCall, STRUCTURE_TABLES, is_listed};
use crate::rejection::Instead::{self, Advice, Nothing, Write};
use vitrine_words::later;

/// Functions that generate rows. In a select list, each expands to any number of columns.
const GENERATOR_NAMES: &str = include_str!("generators.txt");
static GENERATORS: FunctionList = FunctionList::new(&[GENERATOR_NAMES]);
static FUNCTIONS: FunctionList = FunctionList::new(&[GENERATOR_NAMES, include_str!("functions.txt")]);

/// Table functions that only compute. Functions that open a file, a table by name or another database are excluded.
const TABLE_FUNCTIONS: &[&str] = &["range", "variant_explode", "variant_explode_outer"];

/// Additional tables of `information_schema` that are about data and not about users.
const OWN_STRUCTURE_TABLES: &[&str] = &["constraint_column_usage", "constraint_table_usage"];

/// Returns true if Spark may open a name as a file. It does so if the first of two parts is a format, or a class that
/// reads one.
fn may_be_a_path(parts: &[&str]) -> bool {
    const FORMATS: &[&str] = &[
        "avro",
        "binaryfile",
        "cloudfiles",
        "csv",
        "delta",
        "deltasharing",
        "excel",
        "hudi",
        "iceberg",
        "image",
        "json",
        "libsvm",
        "orc",
        "parquet",
        "text",
        "xml",
    ];
    let format = |part: &str| part.contains('.') || FORMATS.contains(&part.to_ascii_lowercase().as_str());
    // `STREAM read_files(...)` looks like a table with an alias.
    let is_stream = matches!(parts, [one] if one.eq_ignore_ascii_case("stream"));
    is_stream || parts.iter().any(|part| part.contains(['/', '\\', ':', '*'])) || (parts.len() == 2 && format(parts[0]))
}

impl Proof for Databricks {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        TABLE_FUNCTIONS.contains(&name) || self.is_generator(name)
    }

    fn is_generator(&self, name: &str) -> bool {
        GENERATORS.contains(name)
    }

    fn replacement(&self, name: &str) -> Instead {
        match name {
            "strftime" | "format_date" => Write("date_format(x, 'yyyy-MM')"),
            "julianday" => Write("datediff(later, earlier)"),
            "strptime" | "parse_date" | "str_to_date" => Write("try_to_date(text, 'dd/MM/yyyy')"),
            "strpos" => Write("instr(text, part)"),
            "safe_divide" => Write("a / NULLIF(b, 0)"),
            "safe_cast" => Write("try_cast(x AS type)"),
            "group_concat" => Write("array_join(collect_list(x), ', ')"),
            "countif" => Write("count_if(condition)"),
            "unnest" | "flatten" => Advice(later!("write LATERAL explode(column) AS t(item) in FROM")),
            _ => Nothing,
        }
    }

    fn keyword_calls(&self) -> &'static [KeywordCall] {
        &[KeywordCall::LikeAll]
    }

    // The catalog `system` holds activities of users and costs.
    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool {
        match qualifier {
            [catalog, _] if catalog.eq_ignore_ascii_case("system") => true,
            [.., schema] if schema.eq_ignore_ascii_case("information_schema") => {
                !is_listed(STRUCTURE_TABLES, table) && !is_listed(OWN_STRUCTURE_TABLES, table)
            }
            _ => false,
        }
    }

    fn file_name(&self, parts: &[&str], _is_text: bool) -> FileName {
        if may_be_a_path(parts) { FileName::Always } else { FileName::Never }
    }

    fn converts_lateral_views(&self) -> bool {
        true
    }

    fn ignores_case_in_scope(&self) -> bool {
        true
    }
}
