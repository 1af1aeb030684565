//! Splits a WITH clause into its views.

use crate::ast::visit_tree;
use crate::parse::{self, Offsets, SignificantTokens, SqlRejection, is_significant, last_part, with_large_stack};
use sqlparser::ast::{Query, Statement, TableFactor, Visitor};
use sqlparser::tokenizer::Token;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;

/// A text split into the views of its WITH clause and a body.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CteProgram {
    /// The views in the order written.
    pub ctes: Vec<Cte>,
    /// The text after the WITH clause, if any.
    pub body: Option<String>,
}

/// One view of a WITH clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cte {
    /// Name of the view, without quotes.
    pub name: String,
    /// Declared column names, `name(a, b) AS ...`. Empty if none are declared.
    pub columns: Vec<String>,
    /// SQL text of the view, as written.
    pub sql: String,
    /// Names of the other views that it reads.
    pub depends_on: Vec<String>,
}

/// Splits a WITH clause. Accepts `WITH a AS (..), b AS (..) SELECT ..`, the same without a body, and the same without
/// the word WITH. A query without a WITH clause is all body.
///
/// # Errors
/// A text of any other form.
pub fn split_ctes(sql: &str, dialect: Dialect) -> Result<CteProgram, SqlRejection> {
    let tokens = parse::tokenize_sql(sql, dialect)?;
    let first = tokens.iter().find(|t| is_significant(&t.token)).ok_or(SqlRejection::Empty)?;
    let word = |text: &str| matches!(&first.token, Token::Word(w) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(text));
    let trimmed = sql.trim_end_matches(|c: char| c.is_whitespace() || c == ';' || c == ',');
    let start = if word("with") || word("select") || word("from") || word("values") || first.token == Token::LParen {
        trimmed.to_owned()
    } else {
        format!("WITH {trimmed}")
    };
    let whole = take_apart(&start, dialect, true);
    match whole {
        Err(SqlRejection::Syntax { .. }) => {
            // Without a body the statement is incomplete, so it is completed. If both attempts fail, the first error is
            // more useful.
            take_apart(&format!("{start}\nSELECT 1"), dialect, false).or(whole)
        }
        other => other,
    }
}

fn take_apart(sql: &str, dialect: Dialect, with_body: bool) -> Result<CteProgram, SqlRejection> {
    let tokens = parse::tokenize_sql(sql, dialect)?;
    let offsets = Offsets::new(sql);
    with_large_stack(|| {
        let mut statements = parse::parse_tokens(tokens.clone(), dialect)?.into_iter();
        let query = match (statements.next(), statements.next()) {
            (Some(Statement::Query(query)), None) => query,
            (Some(_), Some(_)) => return Err(SqlRejection::NotOneStatement),
            (Some(other), None) => {
                let what = other.to_string().split_whitespace().next().unwrap_or_default().to_uppercase();
                return Err(SqlRejection::not_a_query(what));
            }
            (None, _) => return Err(SqlRejection::Empty),
        };
        let Some(with) = &query.with else {
            return Ok(CteProgram { ctes: Vec::new(), body: Some(sql.trim().to_owned()) });
        };
        let names: Vec<String> = with.cte_tables.iter().map(|cte| cte.alias.name.value.clone()).collect();
        let mut ctes: Vec<Cte> = Vec::new();
        let mut end = 0;
        for cte in &with.cte_tables {
            let closing = offsets.byte_offset_at(cte.closing_paren_token.0.span.start);
            let opening = opening_bracket(&tokens, &offsets, closing).unwrap_or(closing);
            end = offsets.byte_offset_at(cte.closing_paren_token.0.span.end);
            let name = cte.alias.name.value.clone();
            if ctes.iter().any(|known| known.name.eq_ignore_ascii_case(&name)) {
                let message = format!("the view {name} is defined twice");
                let place = cte.alias.name.span.start;
                return Err(SqlRejection::Syntax { message, line: place.line, column: place.column });
            }
            ctes.push(Cte {
                columns: cte.alias.columns.iter().map(|c| c.name.value.clone()).collect(),
                sql: sql.get(opening + 1..closing).unwrap_or_default().trim().to_owned(),
                depends_on: find_references(&cte.query, &names)
                    .into_iter()
                    .filter(|n| !n.eq_ignore_ascii_case(&name))
                    .collect(),
                name,
            });
        }
        let body = sql[end..].trim().trim_end_matches(|c: char| c.is_whitespace() || c == ';').to_owned();
        Ok(CteProgram { ctes, body: with_body.then_some(body) })
    })
}

/// Returns the position of the opening parenthesis that matches `closing`.
fn opening_bracket(
    tokens: &[sqlparser::tokenizer::TokenWithSpan],
    offsets: &Offsets<'_>,
    closing: usize,
) -> Option<usize> {
    let at =
        tokens.iter().rposition(|t| t.token == Token::RParen && offsets.byte_offset_at(t.span.start) == closing)?;
    let mut depth = 0usize;
    for token in tokens[..=at].iter().rev() {
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen => {
                depth -= 1;
                if depth == 0 {
                    return Some(offsets.byte_offset_at(token.span.start));
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns those `names` that a query reads, in the order of `names`. An inner WITH clause hides the names that it
/// redefines.
pub(super) fn find_references(query: &Query, names: &[String]) -> Vec<String> {
    struct Reads {
        hidden: Vec<Vec<String>>,
        read: Vec<String>,
    }
    impl Visitor for Reads {
        type Break = ();
        fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
            let ctes = query.with.iter().flat_map(|with| &with.cte_tables);
            self.hidden.push(ctes.map(|cte| cte.alias.name.value.to_lowercase()).collect());
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.hidden.pop();
            ControlFlow::Continue(())
        }
        fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
            if let TableFactor::Table { name, args: None, .. } = factor
                && name.0.len() == 1
                && let Some(last) = last_part(name)
            {
                let name = last.value.to_lowercase();
                if !self.hidden.iter().flatten().any(|hidden| *hidden == name) {
                    self.read.push(name);
                }
            }
            ControlFlow::Continue(())
        }
    }
    let mut reads = Reads { hidden: Vec::new(), read: Vec::new() };
    let _ = visit_tree(query, &mut reads);
    names.iter().filter(|name| reads.read.contains(&name.to_lowercase())).cloned().collect()
}

/// Returns those `names` that a text reads as tables, in the order of `names`. If the text cannot be parsed, its tokens
/// are examined.
pub fn find_table_reads(sql: &str, names: &[String], dialect: Dialect) -> Vec<String> {
    let Ok(tokens) = parse::tokenize_sql(sql, dialect) else { return Vec::new() };
    with_large_stack(|| match parse::parse_tokens(tokens.clone(), dialect).as_deref() {
        Ok([Statement::Query(query)]) => find_references(query, names),
        _ => {
            let read = SignificantTokens::new(&tokens).read_tables();
            names.iter().filter(|name| read.contains(&name.to_lowercase())).cloned().collect()
        }
    })
}
