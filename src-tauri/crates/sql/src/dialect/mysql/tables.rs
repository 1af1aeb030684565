//! Syntax of MySQL's FROM clause that the parser lacks: comma-separated tables in parentheses, and MariaDB's table
//! history. Both are converted before parsing into equivalent forms that the parser accepts.

use crate::token::is_significant;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use std::collections::HashMap;

/// Words after which a list of tables in FROM has ended.
const AFTER_TABLES: &[&str] =
    &["SELECT", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "MINUS"];

/// Converts the tokens into a form that the parser accepts.
pub(super) fn adapt_tables(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    with_joins(with_moments(plain_words(tokens)))
}

/// Turns words into names that are keywords only in other engines once tables have versions, and converts the kinds of
/// ODBC literals to lower case.
fn plain_words(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut after_brace = false;
    for token in tokens.iter_mut().filter(|token| is_significant(&token.token)) {
        let is_kind = std::mem::replace(&mut after_brace, token.token == Token::LBrace);
        if let Token::Word(word) = &mut token.token {
            if matches!(word.keyword, Keyword::AT | Keyword::BEFORE | Keyword::CHANGES) {
                word.keyword = Keyword::NoKeyword;
            }
            if is_kind {
                word.value.make_ascii_lowercase();
            }
        }
    }
    tokens
}

/// Returns true if a token is this word without quotes.
fn is_word(token: &Token, wanted: &str) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(wanted))
}

/// Returns the indexes of the tokens that carry meaning.
fn significant_indexes(tokens: &[TokenWithSpan]) -> Vec<usize> {
    (0..tokens.len()).filter(|&at| is_significant(&tokens[at].token)).collect()
}

/// Replaces tokens by others at the same position in the text.
fn replace_tokens(tokens: Vec<TokenWithSpan>, mut by: HashMap<usize, Vec<Token>>) -> Vec<TokenWithSpan> {
    if by.is_empty() {
        return tokens;
    }
    let mut written = Vec::with_capacity(tokens.len() + by.len());
    for (at, token) in tokens.into_iter().enumerate() {
        match by.remove(&at) {
            Some(others) => {
                let span = token.span;
                written.extend(others.into_iter().map(|token| TokenWithSpan { token, span }));
            }
            None => written.push(token),
        }
    }
    written
}

/// Converts every form of `FOR SYSTEM_TIME` to the form with one timestamp: the two timestamps of a range become one
/// condition, and a table's whole history becomes the table. The word TRANSACTION is removed before a transaction
/// number.
fn with_moments(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let told = significant_indexes(&tokens);
    let is = |at: usize, wanted: &str| told.get(at).is_some_and(|&place| is_word(&tokens[place].token, wanted));
    let words = |words: &[&str]| words.iter().map(|word| Token::make_keyword(word)).collect::<Vec<_>>();
    let mut by: HashMap<usize, Vec<Token>> = HashMap::new();
    for at in (0..told.len()).filter(|&at| is(at, "FOR") && is(at + 1, "SYSTEM_TIME")) {
        let kind = at + 2;
        let behind = if is(kind, "AS") { kind + 2 } else { kind + 1 };
        if is(kind, "ALL") {
            by.extend((at..=kind).map(|at| (told[at], Vec::new())));
            continue;
        } else if is(kind, "BETWEEN") {
            by.insert(told[kind], words(&["AS", "OF"]));
        } else if is(kind, "FROM") {
            by.insert(told[kind], words(&["AS", "OF"]));
            if let Some(to) = (behind..told.len()).find(|&to| is(to, "TO")) {
                by.insert(told[to], words(&["AND"]));
            }
        }
        if is(behind, "TRANSACTION") {
            by.insert(told[behind], Vec::new());
        }
    }
    replace_tokens(tokens, by)
}

/// An open pair of parentheses, or the whole text.
#[derive(Default)]
struct Level {
    /// True if it contains a list of tables of a FROM clause.
    lists_tables: bool,
    /// True if the current position is in a FROM clause.
    in_from: bool,
    /// Commas between tables, each with true if a join follows before the next comma.
    commas: Vec<(usize, bool)>,
}

/// Rewrites `(a, b JOIN c ON x)` in FROM as the equivalent `(a CROSS JOIN (b JOIN c ON x))`.
fn with_joins(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let told = significant_indexes(&tokens);
    let token = |at: usize| told.get(at).map(|&place| &tokens[place].token);
    let is = |at: usize, wanted: &str| token(at).is_some_and(|token| is_word(token, wanted));
    let is_one_of = |at: usize, words: &[&str]| words.iter().any(|word| is(at, word));
    let mut by: HashMap<usize, Vec<Token>> = HashMap::new();
    let mut open = vec![Level::default()];
    for at in 0..told.len() {
        let Some(level) = open.last_mut() else { break };
        match token(at) {
            Some(Token::LParen) => {
                let before = at.checked_sub(1);
                let follows_word = before.is_some_and(|before| {
                    // An index hint such as `FOR JOIN (a, b)`.
                    let is_hint = before.checked_sub(1).is_some_and(|first| is(first, "FOR"));
                    is_one_of(before, &["FROM", "JOIN", "STRAIGHT_JOIN"]) && !is_hint
                });
                let follows_sign =
                    before.is_some_and(|before| matches!(token(before), Some(Token::Comma | Token::LParen)));
                let is_query = is_one_of(at + 1, &["SELECT", "WITH", "VALUES", "TABLE"]);
                let lists_tables = !is_query && (follows_word || (follows_sign && level.in_from));
                open.push(Level { lists_tables, in_from: lists_tables, commas: Vec::new() });
            }
            Some(Token::RParen) => {
                let Some(closed) = open.pop() else { break };
                let mut is_wrapped = false;
                for (comma, has_join) in closed.commas {
                    let mut written = if is_wrapped { vec![Token::RParen] } else { Vec::new() };
                    written.extend([Token::make_keyword("CROSS"), Token::make_keyword("JOIN")]);
                    written.extend(has_join.then_some(Token::LParen));
                    is_wrapped = has_join;
                    by.insert(told[comma], written);
                }
                if is_wrapped {
                    by.insert(told[at], vec![Token::RParen, Token::RParen]);
                }
            }
            Some(Token::Comma) if level.lists_tables => level.commas.push((at, false)),
            Some(Token::Word(_)) if is(at, "FROM") => level.in_from = true,
            Some(Token::Word(_)) if is_one_of(at, AFTER_TABLES) => level.in_from = false,
            Some(Token::Word(_)) if is_one_of(at, &["JOIN", "STRAIGHT_JOIN"]) => {
                if let Some((_, has_join)) = level.commas.last_mut() {
                    *has_join = true;
                }
            }
            _ => {}
        }
    }
    replace_tokens(tokens, by)
}

#[cfg(test)]
mod tests {
    use crate::parse::{parse_tokens, tokenize_sql};
    use sqlparser::ast::Statement;
    use vitrine_domain::Dialect;

    /// Parses a query and prints its tree.
    fn parse_to_sql(sql: &str) -> String {
        let tokens = tokenize_sql(sql, Dialect::Mysql).unwrap();
        let mut statements = parse_tokens(tokens, Dialect::Mysql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        match statements.pop() {
            Some(Statement::Query(query)) => query.to_string(),
            other => panic!("{sql}: {other:?}"),
        }
    }

    #[test]
    fn tables_behind_commas_in_brackets_are_joined_as_they_are_in_mysql() {
        for (sql, tree) in [
            ("SELECT 1 FROM (a, b)", "SELECT 1 FROM (a CROSS JOIN b)"),
            (
                "SELECT 1 FROM t LEFT JOIN (a, b) ON t.x = a.x",
                "SELECT 1 FROM t LEFT JOIN (a CROSS JOIN b) ON t.x = a.x",
            ),
            (
                "SELECT 1 FROM (a, b RIGHT JOIN c ON b.x = c.x, d)",
                "SELECT 1 FROM (a CROSS JOIN (b RIGHT JOIN c ON b.x = c.x) CROSS JOIN d)",
            ),
            (
                "SELECT 1 FROM ((a, b) JOIN c ON a.x = c.x), (d, e AS f)",
                "SELECT 1 FROM ((a CROSS JOIN b) JOIN c ON a.x = c.x), (d CROSS JOIN e AS f)",
            ),
            ("SELECT 1 FROM (a, (SELECT 1, 2) AS q)", "SELECT 1 FROM (a CROSS JOIN (SELECT 1, 2) AS q)"),
        ] {
            assert_eq!(parse_to_sql(sql), tree);
        }
        for kept in [
            "SELECT 1, (2, 3) = (x, y) FROM a WHERE (x, y) IN ((1, 2), (3, 4)) ORDER BY x, (y)",
            "SELECT 1 FROM a JOIN b USING(x, y)",
            "SELECT f(1, (2)) FROM a, b",
        ] {
            assert_eq!(parse_to_sql(kept), kept);
        }
    }

    #[test]
    fn the_history_of_a_table_is_read_with_its_moments() {
        for (sql, tree) in [
            ("SELECT 1 FROM t FOR SYSTEM_TIME ALL AS h", "SELECT 1 FROM t AS h"),
            (
                "SELECT 1 FROM t FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-31' AS h",
                // Neither a server nor the parser accepts the printed form, so a query with it is never rewritten.
                "SELECT 1 FROM t AS h FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-31'",
            ),
            (
                "SELECT 1 FROM t FOR SYSTEM_TIME BETWEEN '2024-01-01' AND NOW() WHERE x = 1",
                "SELECT 1 FROM t FOR SYSTEM_TIME AS OF '2024-01-01' AND NOW() WHERE x = 1",
            ),
            (
                "SELECT 1 FROM t FOR SYSTEM_TIME FROM '2024-01-01' TO NOW() - INTERVAL 1 DAY",
                "SELECT 1 FROM t FOR SYSTEM_TIME AS OF '2024-01-01' AND NOW() - INTERVAL 1 DAY",
            ),
            ("SELECT 1 FROM t FOR SYSTEM_TIME AS OF TRANSACTION 12", "SELECT 1 FROM t FOR SYSTEM_TIME AS OF 12"),
            ("SELECT at.x FROM t AS at", "SELECT at.x FROM t AS at"),
        ] {
            assert_eq!(parse_to_sql(sql), tree);
        }
    }
}
