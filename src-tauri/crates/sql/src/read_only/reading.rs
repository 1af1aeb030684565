//! Queries that only the engine's own parser understands: its findings are checked against the same lists.

use super::descriptive_tables::holds_secrets;
use super::functions::AllowedFunctions;
use super::names_read::NamesRead;
use super::query::ReadOnlySql;
use crate::dialect::DialectExt;
use crate::parse::{self, MAX_BYTES, SqlRejection, is_significant, single_statement};
use crate::rejection::Instead;
use sqlparser::tokenizer::Token;
use std::sync::Arc;
use vitrine_domain::Dialect;
use vitrine_words::tr;

/// Maximum length, in bytes, of a text that is passed to an engine if this crate's lexer fails.
const MAX_UNSPLIT: usize = 32 * 1024;
/// Maximum nesting depth of brackets in such a text.
const MAX_UNSPLIT_BRACKETS: usize = 60;

/// The findings of an engine's parser in a text. The caller ensures that the text is a single query that takes no locks
/// and has no parameters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineReading {
    /// Names of the called scalar functions, each as its parts, outermost first.
    pub functions: Vec<Vec<String>>,
    /// Names of the called table functions.
    pub table_functions: Vec<Vec<String>>,
    /// Operators that the engine looks up by name.
    pub operators: Vec<String>,
    /// Names after a dot that may be a column, or a function called on a row.
    pub members: Vec<String>,
    /// Names after a dot and a value in parentheses. In PostgreSQL they are functions if the value has no such field.
    pub parts: Vec<String>,
    /// Names of types that are not built in, without their schemas.
    pub types: Vec<String>,
    /// Names that are read as tables, including the query's own views.
    pub tables: Vec<Vec<String>>,
    /// The reason why the statement may run only if the user wrote it; `None` if any query may contain it.
    pub of_a_person: Option<SqlRejection>,
    /// Tables and columns whose values the result can contain.
    pub names: NamesRead,
    /// True if the outermost query has an ORDER BY.
    pub ordered: bool,
    /// The outermost row limit if it is a plain number.
    pub limit: Option<u64>,
}

/// Returns the only statement of a text, within the limits and without a trailing semicolon, for an engine's parser.
///
/// # Errors
/// Text that exceeds the limits.
pub fn statement_text(sql: &str, dialect: Dialect) -> Result<&str, SqlRejection> {
    if sql.len() > MAX_BYTES {
        return Err(SqlRejection::TooLong { bytes: sql.len(), limit: MAX_BYTES });
    }
    if sql.contains('\0') {
        return Err(SqlRejection::unclear(|| tr!("a NUL character")));
    }
    if dialect.sql().expands_views_repeatedly() {
        let tokens = parse::tokenize_sql(sql, dialect)?;
        parse::check_nesting(&tokens)?;
        parse::check_expansion(&tokens)?;
    }
    if let Ok(tokens) = parse::tokenize_sql(sql, dialect)
        && parse::reject_ambiguous(&tokens, sql, dialect).is_ok()
    {
        parse::check_nesting(&tokens)?;
        return single_statement(&tokens, sql).map(|(_, text)| text);
    }
    if sql.len() > MAX_UNSPLIT {
        return Err(SqlRejection::TooLong { bytes: sql.len(), limit: MAX_UNSPLIT });
    }
    let mut depth = 0usize;
    for byte in sql.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_UNSPLIT_BRACKETS {
            return Err(SqlRejection::TooDeep);
        }
    }
    let text = sql.trim_matches(|c: char| c.is_whitespace() || c == ';');
    if text.is_empty() { Err(SqlRejection::Empty) } else { Ok(text) }
}

impl ReadOnlySql {
    /// Accepts an engine's proof: `reading` is what its parser found in exactly this text. The query runs as written.
    /// It has no tree here, so names are not bound and no rule changes it.
    ///
    /// # Errors
    /// Unlisted functions, files in place of tables, and text that exceeds the limits.
    pub fn from_reading(
        text: &str,
        dialect: Dialect,
        reading: &EngineReading,
        allowed: &AllowedFunctions,
    ) -> Result<Self, SqlRejection> {
        if allowed.reads_catalog()
            && let Ok(plain) = Self::from_reading(text, dialect, reading, &allowed.without_catalog())
        {
            return Ok(plain);
        }
        if statement_text(text, dialect)? != text {
            return Err(SqlRejection::NotOneStatement);
        }
        if let Some(rejection) = reading.of_a_person.as_ref().filter(|_| !allowed.reads_catalog()) {
            return Err(rejection.clone());
        }
        for (functions, as_table) in [(&reading.functions, false), (&reading.table_functions, true)] {
            for parts in functions {
                let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                allowed.check_call(&parts, as_table, dialect)?;
            }
        }
        if let Some(name) = reading.members.iter().find(|name| allowed.is_called_on_rows(name)) {
            return Err(SqlRejection::called_as_column(name));
        }
        if let Some(name) = reading.parts.iter().find(|name| dialect.sql().is_called_on_values(&name.to_lowercase())) {
            return Err(SqlRejection::called_as_column(name));
        }
        reading.types.iter().try_for_each(|name| allowed.check_type(&name.to_lowercase(), dialect))?;
        if reading.operators.iter().any(|operator| !dialect.sql().is_operator(operator)) {
            return Err(SqlRejection::unclear(|| tr!("an operator that is not known here")));
        }
        for parts in &reading.tables {
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            if holds_secrets(&parts, dialect) && !allowed.is_table(&parts) {
                return Err(SqlRejection::Secrets { name: parts.join(".").to_lowercase() });
            }
            if allowed.is_file(&parts, false, dialect) {
                return Err(SqlRejection::File { name: parts.join(".") });
            }
            if allowed.is_refused_pragma(&parts, dialect) {
                return Err(SqlRejection::Function { name: parts.join(".").to_lowercase(), instead: Instead::Nothing });
            }
        }
        Ok(Self {
            text: text.to_owned(),
            dialect,
            ordered: reading.ordered,
            limit: reading.limit,
            has_tree: false,
            names_read: Some(Arc::new(reading.names.clone())),
            allowed: allowed.clone(),
        })
    }

    /// Returns the functions that the proof allowed besides the built-in list.
    pub fn allowed_functions(&self) -> &AllowedFunctions {
        &self.allowed
    }
}

/// Returns true if the outermost query has an ORDER BY, and its row limit if that is a plain number. Reads the tokens
/// outside of all brackets, for engines that return no tree.
pub fn order_and_limit(sql: &str, dialect: Dialect) -> (bool, Option<u64>) {
    let Ok(tokens) = parse::tokenize_sql(sql, dialect) else { return (false, None) };
    let mut depth = 0usize;
    let outside: Vec<&Token> = tokens
        .iter()
        .map(|token| &token.token)
        .filter(|token| is_significant(token))
        .filter(|token| {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        })
        .collect();
    let is = |at: usize, wanted: &str| matches!(outside.get(at), Some(Token::Word(w)) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(wanted));
    let ordered = (0..outside.len()).any(|at| is(at, "ORDER") && is(at + 1, "BY"));
    let limit = (0..outside.len()).rfind(|&at| is(at, "LIMIT")).and_then(|at| match &outside[at + 1..] {
        [Token::Number(rows, _)] => Some(rows),
        [Token::Number(_, _), Token::Comma, Token::Number(rows, _)] => Some(rows),
        [Token::Number(rows, _), Token::Word(offset), ..] if offset.value.eq_ignore_ascii_case("OFFSET") => Some(rows),
        _ => None,
    });
    (ordered, limit.and_then(|rows| rows.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_with_reading(text: &str, dialect: Dialect, reading: &EngineReading) -> Result<ReadOnlySql, SqlRejection> {
        ReadOnlySql::from_reading(text, dialect, reading, &AllowedFunctions::default())
    }

    fn split_name(parts: &str) -> Vec<Vec<String>> {
        vec![parts.split('.').map(str::to_owned).collect()]
    }

    #[test]
    fn what_an_engine_found_is_held_to_the_same_lists() {
        let duck = |reading: &EngineReading| parse_with_reading("any text", Dialect::Duckdb, reading);
        assert!(duck(&EngineReading { functions: split_name("main.list_apply"), ..EngineReading::default() }).is_ok());
        assert!(duck(&EngineReading { operators: vec!["**".to_owned()], ..EngineReading::default() }).is_ok());
        for reading in [
            EngineReading { functions: split_name("main.getenv"), ..EngineReading::default() },
            EngineReading { functions: split_name("READ_TEXT"), ..EngineReading::default() },
            EngineReading { table_functions: split_name("upper"), ..EngineReading::default() },
            EngineReading { table_functions: split_name("pragma_table_info"), ..EngineReading::default() },
            EngineReading { tables: split_name("pragma_database_list"), ..EngineReading::default() },
        ] {
            assert!(matches!(duck(&reading), Err(SqlRejection::Function { .. })), "{reading:?}");
        }
        for table in ["x.csv", "/etc/passwd", "https://example.org/x"] {
            let reading = EngineReading { tables: vec![vec![table.to_owned()]], ..EngineReading::default() };
            assert!(matches!(duck(&reading), Err(SqlRejection::File { .. })), "{table}");
        }
        let odd = EngineReading { operators: vec!["&&&".to_owned()], ..EngineReading::default() };
        assert!(matches!(duck(&odd), Err(SqlRejection::Unclear { .. })));
        let own = AllowedFunctions::new(["sales.margin"]).unwrap();
        let reading = EngineReading { functions: split_name("sales.margin"), ..EngineReading::default() };
        assert!(ReadOnlySql::from_reading("x", Dialect::Postgres, &reading, &own).is_ok());
        assert!(parse_with_reading("x", Dialect::Postgres, &reading).is_err());
    }

    #[test]
    fn a_text_that_an_engine_reads_is_kept_byte_for_byte_and_within_bounds() {
        let text = "PIVOT  t ON a -- why\n IN (1)";
        assert_eq!(statement_text(&format!("\n{text};  -- because"), Dialect::Duckdb), Ok(text));
        assert_eq!(parse_with_reading(text, Dialect::Duckdb, &EngineReading::default()).unwrap().as_str(), text);
        assert!(parse_with_reading("SELECT 1; SELECT 2", Dialect::Duckdb, &EngineReading::default()).is_err());
        assert!(matches!(statement_text("SELECT \0", Dialect::Sqlite), Err(SqlRejection::Unclear { .. })));
        let open = |n: usize| format!("SELECT E'\\'' || {}1", "(".repeat(n));
        assert_eq!(statement_text(&open(500), Dialect::Duckdb), Err(SqlRejection::TooDeep));
        let long = format!("SELECT E'\\'', '{}'", "x".repeat(40_000));
        assert!(matches!(statement_text(&long, Dialect::Duckdb), Err(SqlRejection::TooLong { .. })));
        assert_eq!(statement_text(" ; ", Dialect::Duckdb), Err(SqlRejection::Empty));
    }

    #[test]
    fn order_and_limit_are_those_outside_all_brackets() {
        for (sql, ordered, limit) in [
            ("SELECT a FROM t WHERE a IS 1 ORDER BY a LIMIT 3", true, Some(3)),
            ("SELECT a FROM t LIMIT 2, 7", false, Some(7)),
            ("SELECT a FROM t LIMIT 7 OFFSET 2", false, Some(7)),
            ("SELECT a FROM t LIMIT 1 + 1", false, None),
            ("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3)", false, None),
            ("SELECT sum(a) OVER (ORDER BY a) FROM t", false, None),
        ] {
            assert_eq!(order_and_limit(sql, Dialect::Sqlite), (ordered, limit), "{sql}");
        }
    }
}
