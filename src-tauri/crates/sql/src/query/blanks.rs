//! Placeholders `:name` for values that are set at each run, as in other SQL tools.
//!
//! A colon is also part of casts, JSON paths, slices, aliases and ternaries. It begins a name only where an expression
//! begins: after an operator, a comma, an opening bracket, or a keyword such as `AND`. A value replaces its placeholder
//! as a constant; the tokens of the new text are compared to detect any other change, and the new text is proven like
//! any other query.

use super::parameters::{ParameterKind, Unfit, format_number, is_number, is_value, unescape_text};
use crate::dialect::DialectExt;
use crate::parse::{Offsets, is_significant, tokenize_sql};
use crate::text::is_date;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use std::collections::BTreeMap;
use std::ops::Range;
use vitrine_domain::Dialect;
use vitrine_words::is_ambiguous_number;

/// Keywords after which an expression begins.
const BEFORE_VALUES: [&str; 41] = [
    "ALL",
    "AND",
    "ANY",
    "BETWEEN",
    "BY",
    "CASE",
    "DATE",
    "DATETIME",
    "DISTINCT",
    "DIV",
    "ELSE",
    "ESCAPE",
    "FIRST",
    "FROM",
    "GLOB",
    "HAVING",
    "ILIKE",
    "IN",
    "INTERVAL",
    "IS",
    "LIKE",
    "LIMIT",
    "MATCH",
    "MOD",
    "NEXT",
    "NOT",
    "OFFSET",
    "ON",
    "OR",
    "QUALIFY",
    "REGEXP",
    "RLIKE",
    "SELECT",
    "SOME",
    "THEN",
    "TIMESTAMP",
    "TO",
    "WHEN",
    "WHERE",
    "XOR",
    "ZONE",
];

/// Returns the names of the placeholders in text order. Empty if the text cannot be split into tokens.
pub fn find_blank_names(text: &str, dialect: Dialect) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for Blank { name, .. } in find_blanks(text, dialect).unwrap_or_default() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Replaces the placeholders by values. Values of other names are ignored.
///
/// # Errors
/// A placeholder without a value, a value of the wrong kind, or a change of anything else than the placeholders.
pub fn fill_blanks(
    text: &str,
    dialect: Dialect,
    values: &BTreeMap<String, (ParameterKind, String)>,
) -> Result<String, Unfit> {
    let before = tokenize_sql(text, dialect).map_err(|_| Unfit::Unproven)?;
    let places = blanks_in_tokens(text, &before);
    let mut filled = text.to_owned();
    for Blank { name, range, .. } in places.iter().rev() {
        let (kind, value) = values.get(name).ok_or_else(|| Unfit::Missing { name: name.clone() })?;
        if *kind == ParameterKind::Number && is_ambiguous_number(value.trim()) {
            return Err(Unfit::Ambiguous { name: name.clone(), value: value.trim().to_owned() });
        }
        let written = format_constant(value.trim(), *kind, dialect).ok_or_else(|| Unfit::Value {
            name: name.clone(),
            kind: *kind,
            example: example_value(*kind).to_owned(),
        })?;
        filled.replace_range(range.clone(), &written);
    }
    let after = tokenize_sql(&filled, dialect).map_err(|_| Unfit::Unproven)?;
    let expected = expected_tokens(&before, &places, values);
    let same = expected.len() == after.len()
        && expected.iter().zip(&after).all(|(expected, TokenWithSpan { token, .. })| match (expected, token) {
            (Token::SingleQuotedString(value), Token::SingleQuotedString(text)) => {
                value == text || *value == unescape_text(text, dialect)
            }
            (expected, token) => expected == token,
        });
    if same { Ok(filled) } else { Err(Unfit::Unproven) }
}

/// Returns the kind that a value looks like. A value that begins with a zero is a code (`007`), unless a fraction
/// follows.
pub fn kind_by_spelling(value: &str) -> ParameterKind {
    let value = value.trim();
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    if is_date(value) {
        ParameterKind::Date
    } else if is_number(digits) && !is_code {
        ParameterKind::Number
    } else {
        ParameterKind::Text
    }
}

/// Returns an example value of this kind.
fn example_value(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Date => "2024-05-31",
        ParameterKind::Text => "Berlin",
        ParameterKind::Number => "12.5",
    }
}

/// A placeholder in a query.
struct Blank {
    name: String,
    /// Its byte range in the text.
    range: Range<usize>,
    /// Index of the colon's token; the name follows.
    token: usize,
}

fn find_blanks(text: &str, dialect: Dialect) -> Option<Vec<Blank>> {
    Some(blanks_in_tokens(text, &tokenize_sql(text, dialect).ok()?))
}

fn blanks_in_tokens(text: &str, tokens: &[TokenWithSpan]) -> Vec<Blank> {
    let offsets = Offsets::new(text);
    let mut places = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let [TokenWithSpan { token: Token::Colon, span }, TokenWithSpan { token: Token::Word(word), span: name }] =
            pair
        else {
            continue;
        };
        let range = offsets.byte_offset_at(span.start)..offsets.byte_offset_at(name.end);
        // The name follows the colon directly in the text.
        let is_name = word.quote_style.is_none() && text.get(range.start + 1..range.end) == Some(&word.value);
        if is_name && begins_value(tokens, at) {
            places.push(Blank { name: word.value.clone(), range, token: at });
        }
    }
    places
}

/// Returns true if an expression begins at this token.
fn begins_value(tokens: &[TokenWithSpan], at: usize) -> bool {
    let Some(before) = tokens[..at].iter().rposition(|token| is_significant(&token.token)) else { return false };
    match &tokens[before].token {
        Token::LParen | Token::Comma => true,
        // A list literal; after a name, it is a slice or an element access.
        Token::LBracket => {
            match tokens[..before].iter().rfind(|token| is_significant(&token.token)).map(|token| &token.token) {
                Some(Token::Word(word)) => word.quote_style.is_none() && word.value.eq_ignore_ascii_case("ARRAY"),
                Some(token) => *token == Token::LParen || *token == Token::Comma || is_operator(token),
                None => false,
            }
        }
        Token::Word(word) => {
            // `date:day` is a path into a column of that name, but `DATE :day` is not.
            before + 1 < at
                && word.quote_style.is_none()
                && BEFORE_VALUES.iter().any(|known| word.value.eq_ignore_ascii_case(known))
        }
        token => is_operator(token),
    }
}

fn is_operator(token: &Token) -> bool {
    matches!(
        token,
        Token::Eq
            | Token::DoubleEq
            | Token::Neq
            | Token::Lt
            | Token::Gt
            | Token::LtEq
            | Token::GtEq
            | Token::Spaceship
            | Token::Plus
            | Token::Minus
            | Token::Mul
            | Token::Div
            | Token::Mod
            | Token::StringConcat
            | Token::Ampersand
            | Token::Pipe
            | Token::Caret
            | Token::RArrow
            | Token::Arrow
            | Token::LongArrow
            | Token::Tilde
            | Token::TildeAsterisk
            | Token::ExclamationMarkTilde
            | Token::ExclamationMarkTildeAsterisk
            | Token::DoubleTilde
            | Token::AtArrow
            | Token::ArrowAt
            | Token::Overlap
    )
}

/// Formats a value as a constant. `None` if it is not of this kind.
fn format_constant(value: &str, kind: ParameterKind, dialect: Dialect) -> Option<String> {
    if !is_value(value) {
        return None;
    }
    match kind {
        ParameterKind::Number => format_number(value),
        ParameterKind::Date if !is_date(value) => None,
        ParameterKind::Date | ParameterKind::Text => Some(dialect.sql().quoted_text(value)),
    }
}

/// Returns the tokens that the filled query must have.
fn expected_tokens(
    before: &[TokenWithSpan],
    places: &[Blank],
    values: &BTreeMap<String, (ParameterKind, String)>,
) -> Vec<Token> {
    let mut expected = Vec::new();
    let mut from = 0;
    for Blank { name, token, .. } in places {
        expected.extend(before[from..*token].iter().map(|token| token.token.clone()));
        from = token + 2;
        let Some((kind, value)) = values.get(name) else { continue };
        let value = value.trim();
        match (kind, value.strip_prefix('-')) {
            (ParameterKind::Number, Some(digits)) => {
                let number = Token::Number(digits.to_owned(), false);
                expected.extend([Token::LParen, Token::Minus, number, Token::RParen]);
            }
            (ParameterKind::Number, None) => expected.push(Token::Number(value.to_owned(), false)),
            _ => expected.push(Token::SingleQuotedString(value.to_owned())),
        }
    }
    expected.extend(before[from..].iter().map(|token| token.token.clone()));
    expected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_only::ReadOnlySql;

    const ALL: [Dialect; 10] = [
        Dialect::Sqlite,
        Dialect::Duckdb,
        Dialect::Snowflake,
        Dialect::Bigquery,
        Dialect::Postgres,
        Dialect::Mysql,
        Dialect::Clickhouse,
        Dialect::Databricks,
        Dialect::Trino,
        Dialect::Mssql,
    ];

    fn blank_names(text: &str, dialect: Dialect) -> Vec<String> {
        find_blank_names(text, dialect)
    }

    fn fill_values(text: &str, dialect: Dialect, values: &[(&str, ParameterKind, &str)]) -> Result<String, Unfit> {
        let values = values.iter().map(|(name, kind, value)| ((*name).to_owned(), (*kind, (*value).to_owned())));
        fill_blanks(text, dialect, &values.collect())
    }

    #[test]
    fn a_place_is_open_where_a_value_stands_in_every_dialect() {
        let text = "SELECT a + :x FROM t WHERE b = :name AND c>=:from AND d BETWEEN :from AND :to \
                    AND e IN (:one, :two) AND f LIKE :pattern LIMIT :limit";
        for dialect in ALL {
            let expected = ["x", "name", "from", "to", "one", "two", "pattern", "limit"];
            assert_eq!(blank_names(text, dialect), expected, "{dialect:?}");
        }
    }

    #[test]
    fn a_value_is_what_it_is_compared_with_and_else_what_it_looks_like() {
        use crate::query::{Subject, compared_with};
        for (text, subject) in [
            ("SELECT a FROM t WHERE strftime('%Y', d) = 'x'", Subject::Text),
            ("SELECT a FROM t WHERE lower(code) = 'x'", Subject::Text),
            ("SELECT a FROM t WHERE substr(code, 1, 2) = 'x'", Subject::Text),
            ("SELECT a FROM t WHERE code = 'x'", Subject::Column("code".to_owned())),
            ("SELECT a FROM t GROUP BY a HAVING COUNT(*) > 'x'", Subject::Number),
        ] {
            let sql = ReadOnlySql::parse(text, Dialect::Sqlite).unwrap();
            assert_eq!(compared_with(&sql, "x"), Some(subject), "{text}");
        }
        for (value, kind) in [
            ("2022", ParameterKind::Number),
            ("-0.5", ParameterKind::Number),
            ("0", ParameterKind::Number),
            ("007", ParameterKind::Text),
            ("2024-05-31", ParameterKind::Date),
        ] {
            assert_eq!(kind_by_spelling(value), kind, "{value}");
        }
    }

    #[test]
    fn other_colons_leave_nothing_open() {
        for dialect in ALL {
            for text in [
                "SELECT * FROM t WHERE a = ':name'",
                "SELECT * FROM t WHERE a = 'x :name' -- or :other",
                "SELECT * FROM t /* :name */ WHERE a = '10:30:00'",
                "SELECT TIME '10:30:00', 'it''s :name' FROM t",
            ] {
                assert_eq!(blank_names(text, dialect), Vec::<String>::new(), "{dialect:?}: {text}");
            }
        }
        for (dialect, text) in [
            (Dialect::Postgres, "SELECT a::int, b :: text, (c)::date, '1'::int FROM t"),
            (Dialect::Postgres, "SELECT a[1:n], a[:n], a[m:], (f(x))[2:k], $$ :name $$, E'a\\':name' FROM t"),
            (Dialect::Postgres, "SELECT \":name\" FROM t"),
            (Dialect::Duckdb, "SELECT a: 42, b: c, {'k': v} FROM t: u"),
            (Dialect::Duckdb, "SELECT a::INT, list[1:n], list[:n], list[-2:n] FROM t"),
            (Dialect::Snowflake, "SELECT src:name, src:a.b:c, src[0]:d, f(x):e, \"S\":g, $1:h, value:i::date FROM t"),
            (Dialect::Snowflake, "SELECT src :name, date:day, src: name FROM t"),
            (Dialect::Databricks, "SELECT raw:owner, raw:items[0].price, raw:a::int, `raw`:b FROM t"),
            (Dialect::Clickhouse, "SELECT a ? b : c, a ? 1 :c, a ? 'x' :c, (a) ? (b) :c, x::String FROM t"),
            (Dialect::Mysql, "SELECT @a:=b, `:name`, \":name\", 'a\\':name' FROM t # :name"),
            (Dialect::Bigquery, "SELECT r':name', \"\"\" :name \"\"\", `a:b` FROM t WHERE c = @name"),
            (Dialect::Sqlite, "SELECT [:name], \":name\", `:name`, a->'$.b:c' FROM t"),
        ] {
            assert_eq!(blank_names(text, dialect), Vec::<String>::new(), "{dialect:?}: {text}");
        }
    }

    #[test]
    fn a_place_is_told_from_the_colons_beside_it() {
        for (dialect, text, expected) in [
            (
                Dialect::Postgres,
                "SELECT :n::int, ARRAY[:a, :b] FROM t WHERE c = ANY(ARRAY[:d])",
                &["n", "a", "b", "d"][..],
            ),
            (Dialect::Postgres, "SELECT * FROM t WHERE d >= DATE :day AND x ->> :key = 'y'", &["day", "key"]),
            (Dialect::Duckdb, "SELECT a: :x, l[1:n] FROM t WHERE l = [:y] AND f(k => :z)", &["y", "z"]),
            (Dialect::Snowflake, "SELECT src:name FROM t WHERE src:name = :name AND src:a::int > :a", &["name", "a"]),
            (Dialect::Databricks, "SELECT raw:owner FROM t WHERE raw:owner = :owner", &["owner"]),
            (Dialect::Clickhouse, "SELECT a ? b : c FROM t WHERE d = :d", &["d"]),
            (Dialect::Mysql, "SELECT * FROM t WHERE a <=> :a AND b REGEXP :b", &["a", "b"]),
            (Dialect::Bigquery, "SELECT * FROM t WHERE a = @a AND b = :b", &["b"]),
            (Dialect::Sqlite, "SELECT * FROM t WHERE a GLOB :a AND b == :b", &["a", "b"]),
        ] {
            assert_eq!(blank_names(text, dialect), expected, "{dialect:?}: {text}");
        }
    }

    #[test]
    fn what_is_filled_only_reads_and_holds_the_value_as_a_constant() {
        let text = "SELECT * FROM t WHERE a = :a AND b -:n > 0 AND d >= :d AND e = ':a' LIMIT 10";
        for dialect in ALL {
            for value in
                ["x", "o'hara", "x' OR '1'='1", "a\\' OR 1=1 -- ", "a\\", "'", "\\'", ":n", "Straße; DROP TABLE t"]
            {
                let values = [
                    ("a", ParameterKind::Text, value),
                    ("n", ParameterKind::Number, "-2.5"),
                    ("d", ParameterKind::Date, "2024-02-29"),
                ];
                let sql =
                    fill_values(text, dialect, &values).unwrap_or_else(|why| panic!("{dialect:?} {value}: {why:?}"));
                let proven = ReadOnlySql::parse(&sql, dialect).unwrap_or_else(|why| panic!("{dialect:?} {sql}: {why}"));
                assert_eq!(find_blank_names(proven.as_str(), dialect), Vec::<String>::new(), "{sql}");
                let found = super::super::extract_parameters(&proven);
                let a = found.iter().find(|found| found.name == "a").expect("its constant");
                assert_eq!(unescape_text(&a.value, dialect), value.trim(), "{dialect:?}: {sql}");
                assert!(sql.contains("b -(-2.5) > 0 AND d >= '2024-02-29' AND e = ':a' LIMIT 10"), "{sql}");
            }
        }
    }

    #[test]
    fn a_value_that_does_not_fit_fills_nothing() {
        let text = "SELECT * FROM t WHERE a = :a";
        let kinds = [
            (ParameterKind::Number, &["1 OR 1=1", "", "-", "--1", "1; DROP TABLE t", "0x10", "1e9", "١"][..]),
            (ParameterKind::Date, &["2023-02-29", "01.05.2024", "yesterday", "2024-05-01' OR '1'='1", ""]),
            (ParameterKind::Text, &["a\nb", "a\0b"]),
        ];
        for dialect in ALL {
            for (kind, values) in kinds {
                for value in values {
                    assert!(
                        matches!(fill_values(text, dialect, &[("a", kind, value)]), Err(Unfit::Value { .. })),
                        "{value:?}"
                    );
                }
            }
            assert_eq!(fill_values(text, dialect, &[]), Err(Unfit::Missing { name: "a".to_owned() }));
            assert_eq!(fill_values("SELECT ':a'", dialect, &[]).as_deref(), Ok("SELECT ':a'"));
        }
    }
}
