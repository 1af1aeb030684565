//! A made-up dialect that declares only what has no default: one file and one line in [`DialectExt::sql`] add a dialect.

use super::expressions::Expressions;
use super::proof::{COMMON_FUNCTIONS, FileName, FunctionList};
use super::{ALL, DialectExt, NameResolution, Prompts, Proof, Pushdown, SqlDialect, Statistics, Syntax};
use crate::column_type::ColumnType;
use sqlparser::dialect::{AnsiDialect, Dialect as Grammar};
use std::collections::BTreeSet;
use vitrine_domain::views::Step;

struct MadeUp;

static FUNCTIONS: FunctionList = FunctionList::new(&[COMMON_FUNCTIONS]);

impl Syntax for MadeUp {
    fn grammar(&self) -> &'static dyn Grammar {
        &AnsiDialect {}
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["made-up"]
    }
}

impl NameResolution for MadeUp {}

impl Pushdown for MadeUp {}

impl Proof for MadeUp {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, _name: &str) -> bool {
        false
    }

    fn holds_secrets(&self, _qualifier: &[&str], _table: &str) -> bool {
        false
    }

    fn file_name(&self, _parts: &[&str], _is_text: bool) -> FileName {
        FileName::Never
    }
}

impl Expressions for MadeUp {
    fn truncate_number(&self, expr: &str) -> String {
        format!("CAST({expr} AS INTEGER)")
    }

    fn read_number(&self, expr: &str) -> String {
        format!("CAST({expr} AS DOUBLE PRECISION)")
    }

    fn text_to_moment(&self, expr: &str, _format: &str) -> String {
        format!("CAST({expr} AS DATE)")
    }

    fn text_at_path(&self, expr: &str, _path: &[Step], _family: ColumnType) -> String {
        format!("JSON_VALUE({expr}, '$')")
    }
}

impl Statistics for MadeUp {}

impl Prompts for MadeUp {
    fn display_name(&self) -> &'static str {
        "Made-up SQL"
    }

    fn reference_page(&self) -> &'static str {
        ""
    }

    fn date_page(&self) -> &'static str {
        "Today: CURRENT_DATE"
    }

    fn text_page(&self) -> &'static str {
        ""
    }

    fn nested_page(&self) -> &'static str {
        ""
    }
}

#[test]
fn a_made_up_dialect_is_standard_sql_that_allows_little() {
    let dialect: &dyn SqlDialect = &MadeUp;
    assert_eq!(dialect.quoted_identifier("order \"day\""), "\"order \"\"day\"\"\"");
    assert_eq!(dialect.quoted_text("it's"), "'it''s'");
    assert!(dialect.is_scalar_function("lower") && !dialect.is_scalar_function("pg_read_file"));
    assert!(!dialect.is_table_function("read_csv"));
    assert_eq!(dialect.mean("price"), "AVG(price)");
    assert_eq!(dialect.clock_line(), "Today: CURRENT_DATE");
}

#[test]
fn every_dialect_is_listed_once() {
    let names: BTreeSet<&str> = ALL.iter().map(|dialect| dialect.sql().display_name()).collect();
    assert_eq!(names.len(), ALL.len());
    let drivers: Vec<&str> = ALL.iter().flat_map(|dialect| dialect.sql().driver_names()).copied().collect();
    let different: BTreeSet<&str> = drivers.iter().copied().collect();
    assert_eq!(drivers.len(), different.len(), "two dialects have the same driver: {drivers:?}");
}
