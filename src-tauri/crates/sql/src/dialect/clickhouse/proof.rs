use super::Clickhouse;
use crate::dialect::Proof;
use crate::dialect::proof::{FileName, FunctionList, STRUCTURE_TABLES, has_form_of_file, has_name, is_listed};
use crate::rejection::Instead::{self, Advice, Nothing, Write};
use vitrine_words::later;

/// Aggregates, each also valid with the suffixes [`COMBINATORS`].
const AGGREGATE_NAMES: &str = include_str!("aggregates.txt");
static AGGREGATES: FunctionList = FunctionList::new(&[AGGREGATE_NAMES]);
static FUNCTIONS: FunctionList = FunctionList::new(&[AGGREGATE_NAMES, include_str!("functions.txt")]);

/// Suffixes that only change how an aggregate takes its values.
const COMBINATORS: &[&str] = &["if", "ornull", "ordefault", "distinct", "array", "foreach", "map", "merge", "state"];

/// Table functions that only compute. Functions that open a file, a table by name or another database are excluded.
const TABLE_FUNCTIONS: &[&str] = &["generate_series", "generateseries", "numbers", "zeros"];

/// Tables of the database `system` that reveal nothing about users, settings or other servers.
const HARMLESS_TABLES: &[&str] = &["columns", "databases", "numbers", "numbers_mt", "one", "zeros"];

/// Tables of the database `system` that hold numbers and no description.
const NUMBER_TABLES: &[&str] = &["numbers", "numbers_mt", "one", "zeros", "zeros_mt"];

/// Returns true if a name is that of an aggregate with suffixes: `sumIf`, `uniqExactOrNullIf`.
fn is_combined(name: &str) -> bool {
    COMBINATORS
        .iter()
        .any(|ending| name.strip_suffix(ending).is_some_and(|rest| AGGREGATES.contains(rest) || is_combined(rest)))
}

impl Proof for Clickhouse {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_scalar_function(&self, name: &str) -> bool {
        FUNCTIONS.contains(name) || is_combined(name)
    }

    fn is_table_function(&self, name: &str) -> bool {
        TABLE_FUNCTIONS.contains(&name)
    }

    fn replacement(&self, name: &str) -> Instead {
        match name {
            "strftime" | "to_char" => Write("formatDateTime(x, '%Y-%m')"),
            "julianday" => Write("dateDiff('day', a, b)"),
            "to_date" | "strptime" => Write("parseDateTimeOrNull(text, '%d/%m/%Y')"),
            "getdate" | "sysdate" => Write("today()"),
            "strpos" | "charindex" => Write("position(text, part)"),
            "split_part" => Write("splitByChar(',', text)[1]"),
            "listagg" => Write("arrayStringConcat(groupArray(x), ', ')"),
            "nvl" | "isnull" => Write("coalesce"),
            "len" => Write("lengthUTF8"),
            "percentile_cont" => Write("quantileExactInclusive(0.5)(x)"),
            "safe_divide" => Write("a / nullIf(b, 0)"),
            "try_cast" | "safe_cast" => Write("toFloat64OrNull(text)"),
            _ => Nothing,
        }
    }

    fn own_function_advice(&self) -> Instead {
        Advice(later!(
            "the server has a function of its own with this name, which may do more than compute. Where it only computes, allow it by name"
        ))
    }

    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool {
        qualifier.last().is_some_and(|schema| {
            (schema.eq_ignore_ascii_case("system") && !is_listed(HARMLESS_TABLES, table))
                || (schema.eq_ignore_ascii_case("information_schema") && !is_listed(STRUCTURE_TABLES, table))
        })
    }

    fn is_descriptive_table(&self, qualifier: &[&str], table: &str) -> bool {
        has_name(qualifier, &["information_schema"])
            || (has_name(qualifier, &["system"]) && !is_listed(NUMBER_TABLES, table))
    }

    fn file_name(&self, parts: &[&str], is_text: bool) -> FileName {
        if is_text || has_form_of_file(parts) { FileName::WithoutTable } else { FileName::Never }
    }

    fn has_array_join(&self) -> bool {
        true
    }

    fn reads_name_after_in_as_table(&self) -> bool {
        true
    }
}
