//! Syntax of MySQL that the parser lacks: `a MOD b`, `a SOUNDS LIKE b`, `! a`, the function `INTERVAL(n, a, b)`, and
//! composite units (`YEAR_MONTH`). Parsing them in place keeps the tree complete, so that it prints as equivalent SQL.

use sqlparser::ast::{
    BinaryOperator, DateTimeField, Expr, ExtractSyntax, Ident, Interval, ObjectName, Statement, UnaryOperator,
};
use sqlparser::dialect::{Dialect, MySqlDialect, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Word};
use std::any::TypeId;

/// Composite units of EXTRACT and INTERVAL (MySQL 8.4, section 14.7; the same in MariaDB). All are reserved words.
const TWO_UNITS: [&str; 11] = [
    "SECOND_MICROSECOND",
    "MINUTE_MICROSECOND",
    "MINUTE_SECOND",
    "HOUR_MICROSECOND",
    "HOUR_SECOND",
    "HOUR_MINUTE",
    "DAY_MICROSECOND",
    "DAY_SECOND",
    "DAY_MINUTE",
    "DAY_HOUR",
    "YEAR_MONTH",
];

/// The operator that compares the sound of two strings.
pub(crate) const SOUNDS_LIKE: &str = "SOUNDS LIKE";

const MYSQL: MySqlDialect = MySqlDialect {};

/// The parser's MySQL dialect with the additional syntax.
#[derive(Debug)]
pub(super) struct MysqlGrammar;

/// Returns the word of an unquoted token.
fn unquoted_word(token: &Token) -> Option<&Word> {
    if let Token::Word(word) = token { Some(word).filter(|word| word.quote_style.is_none()) } else { None }
}

fn is_mod(token: &Token) -> bool {
    unquoted_word(token).is_some_and(|word| word.value.eq_ignore_ascii_case("MOD"))
}

fn sounds_like(parser: &Parser) -> bool {
    let is = |at: usize, wanted: &str| {
        unquoted_word(&parser.peek_nth_token_ref(at).token).is_some_and(|word| word.value.eq_ignore_ascii_case(wanted))
    };
    is(0, "SOUNDS") && is(1, "LIKE")
}

/// Returns true if INTERVAL is the function that locates a number among others: its parentheses contain several values.
fn is_function(parser: &Parser) -> bool {
    let mut depth = 0_usize;
    for at in 1.. {
        match &parser.peek_nth_token_ref(at).token {
            Token::LParen => depth += 1,
            Token::RParen if depth <= 1 => return false,
            Token::RParen => depth -= 1,
            Token::Comma if depth == 1 => return true,
            Token::EOF => return false,
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

fn two_units(token: &Token) -> Option<DateTimeField> {
    let named = &unquoted_word(token)?.value;
    let unit = TWO_UNITS.into_iter().find(|unit| unit.eq_ignore_ascii_case(named))?;
    Some(DateTimeField::Custom(Ident::new(unit)))
}

/// Parses `INTERVAL expression unit`, or a call of the function of this name.
fn parse_interval(parser: &mut Parser) -> Result<Expr, ParserError> {
    let is_function = is_function(parser);
    parser.expect_keyword(Keyword::INTERVAL)?;
    if is_function {
        return parser.parse_function(ObjectName::from(vec![Ident::new("INTERVAL")]));
    }
    let value = Box::new(parser.parse_expr()?);
    let unit = match two_units(&parser.peek_token_ref().token) {
        Some(unit) => {
            parser.next_token();
            unit
        }
        None if parser.next_token_is_temporal_unit() => parser.parse_date_time_field()?,
        None => return parser.expected("a unit after the value of INTERVAL", parser.peek_token()),
    };
    Ok(Expr::Interval(Interval {
        value,
        leading_field: Some(unit),
        leading_precision: None,
        last_field: None,
        fractional_seconds_precision: None,
    }))
}

/// Parses `EXTRACT(unit FROM expression)` with a composite unit.
fn parse_extract(parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
    let ahead = |at: usize| &parser.peek_nth_token_ref(at).token;
    let is_call =
        unquoted_word(ahead(0)).is_some_and(|word| word.keyword == Keyword::EXTRACT) && *ahead(1) == Token::LParen;
    let field = two_units(ahead(2)).filter(|_| is_call)?;
    for _ in 0..3 {
        parser.next_token();
    }
    let mut rest = || {
        parser.expect_keyword(Keyword::FROM)?;
        let expr = Box::new(parser.parse_expr()?);
        parser.expect_token(&Token::RParen)?;
        Ok(expr)
    };
    Some(rest().map(|expr| Expr::Extract { field, syntax: ExtractSyntax::From, expr }))
}

/// Delegates methods to the parser's MySQL dialect.
macro_rules! as_it_is {
    ($($method:ident)*) => { $(fn $method(&self) -> bool { MYSQL.$method() })* };
}

impl Dialect for MysqlGrammar {
    fn dialect(&self) -> TypeId {
        MYSQL.dialect()
    }

    fn get_next_precedence(&self, parser: &Parser) -> Option<Result<u8, ParserError>> {
        let found = match () {
            () if is_mod(&parser.peek_token_ref().token) => Some(Precedence::MulDivModOp),
            () if sounds_like(parser) => Some(Precedence::Like),
            () => None,
        };
        found.map(|found| Ok(self.prec_value(found))).or_else(|| MYSQL.get_next_precedence(parser))
    }

    fn parse_infix(&self, parser: &mut Parser, expr: &Expr, precedence: u8) -> Option<Result<Expr, ParserError>> {
        let op = match () {
            () if is_mod(&parser.peek_token_ref().token) => BinaryOperator::Modulo,
            () if sounds_like(parser) => {
                parser.next_token();
                BinaryOperator::Custom(SOUNDS_LIKE.to_owned())
            }
            () => return MYSQL.parse_infix(parser, expr, precedence),
        };
        parser.next_token();
        let left = Box::new(expr.clone());
        let operation = |right| Expr::BinaryOp { left, op, right: Box::new(right) };
        Some(parser.parse_subexpr(precedence).map(operation))
    }

    fn parse_prefix(&self, parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
        if unquoted_word(&parser.peek_token_ref().token).is_some_and(|word| word.keyword == Keyword::INTERVAL) {
            return Some(parse_interval(parser));
        }
        // The operator binds like a unary sign, tighter than any binary operator.
        if parser.peek_token_ref().token == Token::ExclamationMark {
            parser.next_token();
            let negated = parser.parse_subexpr(self.prec_value(Precedence::MulDivModOp));
            return Some(negated.map(|expr| Expr::UnaryOp { op: UnaryOperator::BangNot, expr: Box::new(expr) }));
        }
        parse_extract(parser).or_else(|| MYSQL.parse_prefix(parser))
    }

    fn supports_table_versioning(&self) -> bool {
        true
    }

    fn parse_statement(&self, parser: &mut Parser) -> Option<Result<Statement, ParserError>> {
        MYSQL.parse_statement(parser)
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        MYSQL.is_identifier_start(letter)
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        MYSQL.is_identifier_part(letter)
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        MYSQL.is_delimited_identifier_start(letter)
    }

    fn identifier_quote_style(&self, identifier: &str) -> Option<char> {
        MYSQL.identifier_quote_style(identifier)
    }

    fn is_table_factor_alias(&self, explicit: bool, keyword: &Keyword, parser: &mut Parser) -> bool {
        MYSQL.is_table_factor_alias(explicit, keyword, parser)
    }

    as_it_is! {
        supports_string_literal_backslash_escape
        supports_string_literal_concatenation
        ignores_wildcard_escapes
        supports_numeric_prefix
        supports_bitwise_shift_operators
        supports_multiline_comment_hints
        require_interval_qualifier
        supports_limit_comma
        supports_create_table_select
        supports_insert_set
        supports_user_host_grantee
        supports_table_hints
        requires_single_line_comment_whitespace
        supports_match_against
        supports_select_modifiers
        supports_set_names
        supports_comma_separated_set_assignments
        supports_update_order_by
        supports_data_type_signed_suffix
        supports_cross_join_constraint
        supports_double_ampersand_operator
        supports_binary_kw_as_cast
        supports_comment_optimizer_hint
        supports_constraint_keyword_without_name
        supports_key_column_option
        supports_group_by_with_modifier
        supports_left_associative_joins_without_parens
    }
}
