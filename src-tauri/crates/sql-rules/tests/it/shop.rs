//! Databases defined by scripts, and queries over them that an engine rejects.

use vitrine_domain::{Catalog, Dialect, Profile};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::{QuestionFacts, RuleInput, Standing, apply_safe_rules, find_variants, repair_refused};

/// Returns the catalog of the tables that a script creates.
pub fn catalog(dialect: Dialect, tables: &str) -> Catalog {
    Catalog {
        database: "shop".into(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".into(),
        tables: vitrine_ddl::parse(tables, dialect).expect("fixture"),
    }
}

/// Builds a rule input with only a database.
pub fn input<'a>(catalog: &'a Catalog, profile: &'a Profile, facts: &'a QuestionFacts) -> RuleInput<'a> {
    let standing = Standing::none();
    RuleInput { catalog, profile, facts, knowledge: "", values: &[], standing, wrong_qualifiers: &[], off: &[] }
}

/// Returns the query on one line after the repair of a rejected query, with the notes. `None` if nothing changes. A
/// query that no engine rejected must not change.
pub fn mended_over(tables: &str, sql: &str, dialect: Dialect) -> Option<(String, String)> {
    let (catalog, profile, facts) = (catalog(dialect, tables), Profile::default(), QuestionFacts::default());
    let input = input(&catalog, &profile, &facts);
    let sql = ReadOnlySql::parse(sql, dialect).expect(sql);
    assert_eq!((apply_safe_rules(&sql, &input), find_variants(&sql, &input)), (None, Vec::new()), "{sql:?}");
    let changed = repair_refused(&sql, &input)?;
    let notes: Vec<String> =
        changed.changes.into_iter().map(|change| format!("{} {}", change.rule, change.note)).collect();
    let text = changed.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    Some((text.replace("( ", "(").replace(" )", ")"), notes.join("; ")))
}
