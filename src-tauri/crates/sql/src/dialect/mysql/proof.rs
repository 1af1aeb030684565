use super::Mysql;
use crate::dialect::Proof;
use crate::dialect::proof::{FileName, FunctionList, STRUCTURE_TABLES, is_listed};
use crate::rejection::Instead::{self, Advice, Nothing, Write};
use sqlparser::ast::TableFactor;
use vitrine_words::later;

/// Complete without the common functions: the owner of a database can define functions that MySQL lacks.
static FUNCTIONS: FunctionList = FunctionList::new(&[include_str!("functions.txt")]);

/// System databases of MySQL and MariaDB.
const SYSTEM_DATABASES: &[&str] = &["mysql", "performance_schema", "sys", "ndbinfo"];

impl Proof for Mysql {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        self.is_scalar_function(name)
    }

    fn quotes_stored_functions(&self) -> bool {
        true
    }

    fn replacement(&self, name: &str) -> Instead {
        match name {
            "strftime" | "to_char" => Write("DATE_FORMAT(x, '%Y-%m')"),
            "date_trunc" => Write("DATE_FORMAT(x, '%Y-%m-01')"),
            "date_part" => Write("EXTRACT(YEAR FROM x)"),
            "julianday" | "date_diff" => Write("DATEDIFF(a, b)"),
            "dateadd" => Write("x + INTERVAL 1 DAY"),
            "to_date" | "strptime" => Write("STR_TO_DATE(text, '%d/%m/%Y')"),
            "getdate" => Write("CURRENT_DATE"),
            "strpos" | "charindex" => Write("INSTR(text, part)"),
            "split_part" => Write("SUBSTRING_INDEX(text, ',', 1)"),
            "string_agg" | "listagg" | "array_agg" => Write("GROUP_CONCAT(x SEPARATOR ', ')"),
            "nvl" | "isnull" => Write("COALESCE"),
            "len" => Write("CHAR_LENGTH"),
            "median" | "percentile_cont" => Advice(later!("write the mean of the middle rows by ROW_NUMBER()")),
            _ => Nothing,
        }
    }

    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool {
        qualifier.last().is_some_and(|schema| {
            is_listed(SYSTEM_DATABASES, schema)
                || (schema.eq_ignore_ascii_case("information_schema") && !is_listed(STRUCTURE_TABLES, table))
        })
    }

    fn file_name(&self, _parts: &[&str], _is_text: bool) -> FileName {
        FileName::Never
    }

    fn allows_table_expression(&self, factor: &TableFactor) -> bool {
        matches!(factor, TableFactor::JsonTable { .. })
    }

    fn reads_history_at_timestamps(&self) -> bool {
        true
    }

    fn has_match_against(&self) -> bool {
        true
    }

    fn has_sounds_like(&self) -> bool {
        true
    }

    fn reads_quoted_column_as_text(&self) -> bool {
        true
    }

    fn ignores_case_in_scope(&self) -> bool {
        true
    }
}
