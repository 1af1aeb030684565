use super::Trino;
use crate::dialect::Proof;
use crate::dialect::proof::{FileName, FunctionList, is_listed};
use crate::rejection::Instead::{self, Advice, Nothing, Write};
use vitrine_words::later;

/// Complete without the common functions: the owner of a database can define functions that Trino lacks.
static FUNCTIONS: FunctionList = FunctionList::new(&[include_str!("functions.txt")]);

/// The only pure table functions; others run SQL through a connector.
const TABLE_FUNCTIONS: &[&str] = &["sequence", "unnest"];

/// Tables of `information_schema` that are about data and not about users.
const OWN_STRUCTURE_TABLES: &[&str] = &["columns", "schemata", "tables", "views"];

impl Proof for Trino {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        TABLE_FUNCTIONS.contains(&name)
    }

    fn replacement(&self, name: &str) -> Instead {
        match name {
            "strftime" | "to_char" | "format_date" => Write("date_format(x, '%Y-%m')"),
            "datediff" | "julianday" => Write("date_diff('day', earlier, later)"),
            "dateadd" | "date_sub" => Write("date_add('day', 1, x)"),
            "strptime" | "parse_date" | "str_to_date" | "to_date" => Write("date_parse(text, '%d/%m/%Y')"),
            "date_part" | "datepart" => Write("EXTRACT(YEAR FROM x)"),
            "getdate" | "sysdate" => Write("current_date"),
            "instr" | "charindex" | "locate" => Write("strpos(text, part)"),
            "safe_divide" => Write("a / NULLIF(b, 0)"),
            "safe_cast" => Write("TRY_CAST(x AS type)"),
            "string_agg" | "group_concat" => Write("listagg(x, ', ') WITHIN GROUP (ORDER BY x)"),
            "countif" => Write("count_if(condition)"),
            "nvl" | "ifnull" | "isnull" => Write("coalesce"),
            "iif" | "iff" => Write("IF(condition, a, b)"),
            "len" => Write("length"),
            "left" => Write("substr(text, 1, n)"),
            "right" => Write("substr(text, -n)"),
            "median" | "percentile_cont" => Write("approx_percentile(x, 0.5)"),
            "json_value" | "get_json_object" | "json_extract_string" => Write("json_extract_scalar(x, '$.key')"),
            "explode" | "flatten" => Advice(later!("write CROSS JOIN UNNEST(column) AS t(item) in FROM")),
            _ => Nothing,
        }
    }

    // The catalogs `system` and `jmx` hold queries of users and the configuration of nodes and connections;
    // `information_schema` holds permissions. A table with `$` describes the files of another one (`"orders$files"`).
    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool {
        match qualifier {
            [catalog, _] if is_listed(&["system", "jmx"], catalog) => true,
            [.., schema] if schema.eq_ignore_ascii_case("information_schema") => {
                !is_listed(OWN_STRUCTURE_TABLES, table)
            }
            _ => table.contains('$'),
        }
    }

    fn file_name(&self, _parts: &[&str], _is_text: bool) -> FileName {
        FileName::Never
    }

    fn ignores_case_in_scope(&self) -> bool {
        true
    }
}
