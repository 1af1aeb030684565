//! DuckDB's PIVOT without a list of values. DuckDB expands it to several statements and defines a type in one of them.
//! Here, separate queries find the values, which are written into the statement, so that it is a single SELECT.

use super::Duckdb;
use crate::dialect::lexer::tokenize;
use crate::token::{Offsets, is_significant};
use sqlparser::tokenizer::Token;
use std::ops::Range;

/// A statement with a PIVOT on columns without a list of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnlistedPivot {
    sql: String,
    columns: Vec<PivotColumn>,
}

/// An expression to pivot on, with its position in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PivotColumn {
    place: Range<usize>,
    tokens: Range<usize>,
    values: String,
}

impl UnlistedPivot {
    /// Returns one query for each column without a list, in order. It yields the distinct values as text, in DuckDB's
    /// own order.
    pub fn value_queries(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.values.as_str())
    }

    /// Inserts the values: one list for each column, in the same order.
    pub fn with_values(&self, lists: &[Vec<String>]) -> String {
        let mut written = String::new();
        let mut rest = 0;
        for (column, list) in self.columns.iter().zip(lists) {
            // DuckDB reads string content verbatim except for quotes.
            let values: Vec<String> = list.iter().map(|value| format!("'{}'", value.replace('\'', "''"))).collect();
            written.push_str(&self.sql[rest..column.place.start]);
            written.push_str(&format!("(\n{}\n) IN ({})", &self.sql[column.place.clone()], values.join(", ")));
            rest = column.place.end;
        }
        written + &self.sql[rest..]
    }

    /// Inserts one sample value for each column that represents all of its values.
    pub fn with_one_value(&self) -> String {
        self.with_values(&vec![vec!["…".to_owned()]; self.columns.len()])
    }
}

/// Maximum number of columns without values in one statement; each needs a query of its own.
const MAX_COLUMNS: usize = 16;

/// Finds the PIVOT statements of a text that have no values. `None` if there is none, and if one cannot be split into its
/// parts: tables joined without brackets, values that are a query, or rows that come from another such PIVOT.
pub fn unlisted_pivot(sql: &str) -> Option<UnlistedPivot> {
    let tokens = tokenize(sql, &Duckdb).ok()?;
    let offsets = Offsets::new(sql);
    let mut words = PivotScanner { sql, told: Vec::new() };
    let mut depth = 0_usize;
    for token in tokens.into_iter().filter(|token| is_significant(&token.token)) {
        if matches!(token.token, Token::RParen | Token::RBracket | Token::RBrace) {
            depth = depth.checked_sub(1)?;
        }
        let place = offsets.byte_offset_at(token.span.start)..offsets.byte_offset_at(token.span.end);
        let opens = matches!(token.token, Token::LParen | Token::LBracket | Token::LBrace);
        words.told.push(PositionedToken { token: token.token, place, depth });
        depth += usize::from(opens);
    }
    let with_clause = words.with_clause();
    let mut columns = Vec::new();
    let (mut pivots, mut read) = (Vec::new(), Vec::new());
    for at in (0..words.told.len()).filter(|&at| words.begins_pivot(at)) {
        let views = words.views_before(at, &with_clause);
        let found = words.unlisted_columns(at, views.clone())?;
        if !found.is_empty() {
            pivots.push(at);
            read.extend([views, at + 1..found.iter().map(|column| column.tokens.end).max().unwrap_or(at)]);
        }
        columns.extend(found);
    }
    // A query for values that holds such a PIVOT itself would have to be resolved first, and so on.
    if columns.len() > MAX_COLUMNS || read.iter().any(|range| pivots.iter().any(|at| range.contains(at))) {
        return None;
    }
    (!columns.is_empty()).then(|| UnlistedPivot { sql: sql.to_owned(), columns })
}

struct PositionedToken {
    token: Token,
    place: Range<usize>,
    depth: usize,
}

struct PivotScanner<'s> {
    sql: &'s str,
    told: Vec<PositionedToken>,
}

impl<'s> PivotScanner<'s> {
    fn is_keyword(&self, at: usize, wanted: &[&str]) -> bool {
        matches!(
            self.told.get(at).map(|word| &word.token),
            Some(Token::Word(word)) if word.quote_style.is_none()
                && wanted.iter().any(|wanted| word.value.eq_ignore_ascii_case(wanted))
        )
    }

    /// Returns the text of a range of words.
    fn text_between(&self, words: Range<usize>) -> Option<&'s str> {
        let (first, last) = (self.told.get(words.start)?, self.told.get(words.end.checked_sub(1)?)?);
        self.sql.get(first.place.start..last.place.end)
    }

    /// Returns the tokens of the WITH clause before the statement; empty if there is none.
    fn with_clause(&self) -> Range<usize> {
        const MAIN: &[&str] = &["SELECT", "FROM", "VALUES", "PIVOT", "PIVOT_WIDER"];
        if !self.is_keyword(0, &["WITH"]) {
            return 0..0;
        }
        let main = (1..self.told.len()).find(|&at| {
            self.told[at].depth == 0 && self.is_keyword(at, MAIN) && self.told[at - 1].token == Token::RParen
        });
        0..main.unwrap_or_default()
    }

    /// Returns the part of the WITH clause whose views a PIVOT can read: all of it, or within a view those before that view.
    fn views_before(&self, pivot: usize, with_clause: &Range<usize>) -> Range<usize> {
        if !with_clause.contains(&pivot) {
            return with_clause.clone();
        }
        let comma = (0..pivot).rev().find(|&at| self.told[at].depth == 0 && self.told[at].token == Token::Comma);
        0..comma.unwrap_or_default()
    }

    /// Returns true if a statement begins here and not a clause after a table: `PIVOT t ON ...`, not `t PIVOT (...)`.
    fn begins_pivot(&self, at: usize) -> bool {
        let follows_views = || {
            let is_main =
                |before: usize| self.told[before].depth == 0 && self.is_keyword(before, &["SELECT", "FROM", "VALUES"]);
            self.told[at].depth == 0 && self.is_keyword(0, &["WITH"]) && !(1..at).any(is_main)
        };
        self.is_keyword(at, &["PIVOT", "PIVOT_WIDER"])
            && match at.checked_sub(1).map(|before| &self.told[before].token) {
                None | Some(Token::LParen) => true,
                Some(Token::RParen) => follows_views(),
                _ => false,
            }
    }

    /// Finds the columns without values of the PIVOT that begins at a word.
    fn unlisted_columns(&self, pivot: usize, views: Range<usize>) -> Option<Vec<PivotColumn>> {
        const BEHIND: &[&str] =
            &["USING", "GROUP", "ORDER", "LIMIT", "OFFSET", "UNION", "INTERSECT", "EXCEPT", "QUALIFY"];
        let depth = self.told[pivot].depth;
        let end = (pivot..self.told.len()).find(|&at| self.told[at].depth < depth).unwrap_or(self.told.len());
        let here = |at: &usize| self.told[*at].depth == depth;
        // A PIVOT without ON has no columns to pivot.
        let Some(on) = (pivot + 1..end).filter(here).find(|&at| self.is_keyword(at, &["ON"])) else {
            return Some(Vec::new());
        };
        if (pivot + 1..on).filter(here).any(|at| self.is_keyword(at, &["JOIN"]) || self.told[at].token == Token::Comma)
        {
            return None;
        }
        let source = self.text_between(pivot + 1..on)?;
        let views = self.text_between(views).unwrap_or_default();
        let stop = (on + 1..end).filter(here).find(|&at| self.is_keyword(at, BEHIND)).unwrap_or(end);
        let mut begins = vec![on + 1];
        begins.extend((on + 1..stop).filter(here).filter(|&at| self.told[at].token == Token::Comma).map(|at| at + 1));
        let ends = begins.iter().skip(1).map(|next| next - 1).chain([stop]);
        let mut columns = Vec::new();
        for (begin, end) in begins.iter().copied().zip(ends) {
            match self.value_list_start(begin..end) {
                Some(list) if self.is_keyword(list + 1, &["SELECT", "WITH", "FROM", "VALUES"]) => return None,
                Some(_) => {}
                None => {
                    let column = self.text_between(begin..end)?;
                    let values = format!(
                        "{views}\nSELECT DISTINCT CAST((\n{column}\n) AS VARCHAR) AS value FROM {source}\nWHERE (\n{column}\n) IS NOT \
                         NULL ORDER BY 1"
                    );
                    let place = self.told[begin].place.start..self.told[end - 1].place.end;
                    columns.push(PivotColumn { place, tokens: begin..end, values });
                }
            }
        }
        Some(columns)
    }

    /// Finds the opening parenthesis of the values at the end of a column: `year IN (2023, 2024)`.
    fn value_list_start(&self, words: Range<usize>) -> Option<usize> {
        let last = words.end.checked_sub(1).filter(|&last| self.told[last].token == Token::RParen)?;
        let depth = self.told[last].depth;
        let open =
            words.clone().rev().find(|&at| self.told[at].token == Token::LParen && self.told[at].depth == depth)?;
        (open > words.start && self.is_keyword(open - 1, &["IN"])).then_some(open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pivot_with_value(sql: &str) -> String {
        unlisted_pivot(sql).unwrap_or_else(|| panic!("{sql}")).with_one_value().replace('\n', "")
    }

    #[test]
    fn the_values_are_written_behind_each_column_without_a_list() {
        for (sql, written) in [
            ("PIVOT t ON year USING sum(a)", "PIVOT t ON (year) IN ('…') USING sum(a)"),
            (
                "PIVOT t ON a || 'x, y', b IN (1, 2), f(c, d) GROUP BY e",
                "PIVOT t ON (a || 'x, y') IN ('…'), b IN (1, 2), (f(c, d)) IN ('…') GROUP BY e",
            ),
            ("WITH v AS (SELECT 1 AS a) PIVOT v ON a", "WITH v AS (SELECT 1 AS a) PIVOT v ON (a) IN ('…')"),
            (
                "FROM (PIVOT (FROM t) ON a USING sum(b)) WHERE c",
                "FROM (PIVOT (FROM t) ON (a) IN ('…') USING sum(b)) WHERE c",
            ),
            ("PIVOT t ON CASE WHEN a IN (1) THEN 2 END", "PIVOT t ON (CASE WHEN a IN (1) THEN 2 END) IN ('…')"),
        ] {
            assert_eq!(pivot_with_value(sql), written);
        }
    }

    #[test]
    fn a_value_is_a_text_whatever_it_holds() {
        let pivot = unlisted_pivot("PIVOT t ON a -- x\nUSING sum(b)").unwrap();
        let values = vec![vec!["it's".to_owned(), "'); DROP TABLE t; --".to_owned()]];
        assert_eq!(
            pivot.with_values(&values),
            "PIVOT t ON (\na\n) IN ('it''s', '''); DROP TABLE t; --') -- x\nUSING sum(b)"
        );
        let asked: Vec<&str> = pivot.value_queries().collect();
        assert_eq!(
            asked,
            ["\nSELECT DISTINCT CAST((\na\n) AS VARCHAR) AS value FROM t\nWHERE (\na\n) IS NOT NULL ORDER BY 1"]
        );
    }

    #[test]
    fn other_statements_have_no_such_pivot() {
        for sql in [
            "SELECT 1",
            "PIVOT t ON a IN (1, 2) USING sum(b)",
            "PIVOT t USING sum(b)",
            "SELECT * FROM t PIVOT (sum(a) FOR year IN (2023)) AS p JOIN u ON p.x = u.x",
            "WITH v AS (SELECT 1) SELECT * FROM (v) PIVOT (sum(a) FOR b IN (1)) JOIN u ON 1 = 1",
            "PIVOT t ON a IN (SELECT b FROM u)",
            "PIVOT t JOIN u ON t.x = u.x ON a",
            "SELECT pivot FROM t JOIN u ON t.x = u.x",
        ] {
            assert_eq!(unlisted_pivot(sql), None, "{sql}");
        }
    }

    #[test]
    fn a_view_reads_the_views_before_it() {
        let values = |sql: &str| {
            let pivot = unlisted_pivot(sql).unwrap_or_else(|| panic!("{sql}"));
            pivot.value_queries().map(|query| query.replace('\n', " ")).collect::<Vec<_>>()
        };
        let select = "SELECT DISTINCT CAST(( a ) AS VARCHAR) AS value FROM t WHERE ( a ) IS NOT NULL ORDER BY 1";
        assert_eq!(values("WITH p AS (PIVOT t ON a USING sum(b)) SELECT * FROM p"), [format!(" {select}")]);
        assert_eq!(
            values("WITH v AS (SELECT 1), p AS (PIVOT t ON a), w AS (SELECT 2) SELECT * FROM p, w"),
            [format!("WITH v AS (SELECT 1) {select}")]
        );
        assert_eq!(
            values("WITH v AS (SELECT 1) SELECT * FROM (PIVOT t ON a)"),
            [format!("WITH v AS (SELECT 1) {select}")]
        );
    }

    #[test]
    fn a_pivot_of_a_pivot_without_values_is_not_resolved() {
        for sql in [
            "FROM (PIVOT (FROM (PIVOT orders ON status USING sum(amount))) ON id USING max(paid))",
            "WITH p AS (PIVOT t ON a), q AS (PIVOT p ON b) SELECT * FROM q",
            "WITH p AS (PIVOT t ON a) PIVOT p ON b",
            "PIVOT t ON (SELECT max(x) FROM (PIVOT u ON y))",
        ] {
            assert_eq!(unlisted_pivot(sql), None, "{sql}");
        }
    }
}
