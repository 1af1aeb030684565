//! Syntax of Trino that the parser lacks: types such as `ARRAY(ROW(id BIGINT, name VARCHAR))` in a cast. Parsing them
//! in place keeps the tree complete, so that it prints as equivalent SQL.

use sqlparser::ast::{ArrayElemTypeDef, CastKind, DataType, Expr, Ident, ObjectName};
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

/// The parser's dialect for Trino.
#[derive(Debug)]
pub(super) struct TrinoGrammar;

/// Parses the type of a cast. Types within MAP or ROW are kept as text.
fn data_type(parser: &mut Parser) -> Result<DataType, ParserError> {
    let is = |name: &str| match &parser.peek_token_ref().token {
        Token::Word(word) => word.quote_style.is_none() && word.value.eq_ignore_ascii_case(name),
        _ => false,
    };
    if parser.peek_nth_token_ref(1).token != Token::LParen {
        return parser.parse_data_type();
    }
    if is("ARRAY") {
        let member = in_brackets(parser, data_type)?;
        return Ok(DataType::Array(ArrayElemTypeDef::Parenthesis(Box::new(member))));
    }
    let name = match () {
        () if is("MAP") => "MAP",
        () if is("ROW") => "ROW",
        () => return parser.parse_data_type(),
    };
    let parts = in_brackets(parser, |parser| {
        parser.parse_comma_separated(|parser| {
            // In a ROW, each field has a name before its type.
            let field = (name == "ROW").then(|| parser.parse_identifier()).transpose()?;
            let of = data_type(parser)?;
            Ok(field.map_or_else(|| of.to_string(), |field| format!("{field} {of}")))
        })
    })?;
    Ok(DataType::Custom(ObjectName::from(vec![Ident::new(name)]), parts))
}

/// Skips a word and parses the contents of the parentheses after it.
fn in_brackets<T>(
    parser: &mut Parser,
    inside: impl FnOnce(&mut Parser) -> Result<T, ParserError>,
) -> Result<T, ParserError> {
    parser.next_token();
    parser.expect_token(&Token::LParen)?;
    let found = inside(parser)?;
    parser.expect_token(&Token::RParen)?;
    Ok(found)
}

/// Parses `CAST(expression AS type)` and `TRY_CAST`.
fn parse_cast(parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
    let kind = match &parser.peek_token_ref().token {
        Token::Word(word) if word.quote_style.is_none() && word.keyword == Keyword::CAST => CastKind::Cast,
        Token::Word(word) if word.quote_style.is_none() && word.keyword == Keyword::TRY_CAST => CastKind::TryCast,
        _ => return None,
    };
    if parser.peek_nth_token_ref(1).token != Token::LParen {
        return None;
    }
    let read = in_brackets(parser, |parser| {
        let expr = Box::new(parser.parse_expr()?);
        parser.expect_keyword(Keyword::AS)?;
        Ok(Expr::Cast { kind, expr, data_type: data_type(parser)?, format: None })
    });
    Some(read)
}

impl Dialect for TrinoGrammar {
    fn is_identifier_start(&self, letter: char) -> bool {
        letter.is_ascii_alphabetic() || letter == '_'
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        letter.is_ascii_alphanumeric() || letter == '_'
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        letter == '"'
    }

    fn identifier_quote_style(&self, _: &str) -> Option<char> {
        Some('"')
    }

    fn parse_prefix(&self, parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
        parse_cast(parser)
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_window_clause_named_window_reference(&self) -> bool {
        true
    }

    fn supports_lambda_functions(&self) -> bool {
        true
    }

    fn supports_unicode_string_literal(&self) -> bool {
        true
    }

    fn require_interval_qualifier(&self) -> bool {
        true
    }

    fn supports_parens_around_table_factor(&self) -> bool {
        true
    }
}
