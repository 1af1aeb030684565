//! Converts tokens to a syntax tree, with helpers for all users of trees.

use super::keywords::{is_null, plain_names};
use super::tokens::check_nesting;
use crate::dialect::DialectExt;
use crate::rejection::SqlRejection;
use sqlparser::ast::{
    Expr, Fetch, Ident, LimitClause, ObjectName, ObjectNamePart, Query, SetExpr, Statement, TopQuantity, Value,
    ValueWithSpan,
};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::TokenWithSpan;
use vitrine_domain::Dialect;

/// Maximum recursion depth of the parser.
const MAX_RECURSION: usize = 160;

/// Runs `walk` on a stack that is large enough for the deepest tree within the token limits.
pub(crate) fn with_large_stack<T>(walk: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(24 << 20, 32 << 20, walk)
}

/// Parses tokens. Must run inside [`with_large_stack`], and its result must be dropped there.
pub(crate) fn parse_tokens(tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Result<Vec<Statement>, SqlRejection> {
    let syntax = dialect.sql();
    let tokens = syntax.rewrite_from_clauses(tokens);
    check_nesting(&tokens)?;
    let tokens = syntax.remove_modifiers(is_null(plain_names(tokens, dialect)));
    let mut statements = Parser::new(syntax.grammar())
        .with_recursion_limit(MAX_RECURSION)
        .with_tokens_with_locations(tokens)
        .parse_statements()
        .map_err(syntax_error)?;
    syntax.standardize_tree(&mut statements);
    Ok(statements)
}

fn syntax_error(error: ParserError) -> SqlRejection {
    let text = match error {
        ParserError::RecursionLimitExceeded => return SqlRejection::TooDeep,
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => text,
    };
    let place = text.rfind(" at Line: ");
    let (message, place) = place.map_or((text.as_str(), ""), |at| text.split_at(at));
    let mut numbers = place.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u64>().ok());
    SqlRejection::Syntax {
        message: message.to_owned(),
        line: numbers.next().unwrap_or(0),
        column: numbers.next().unwrap_or(0),
    }
}

/// Returns the last part of a name, unless a part is computed.
pub fn last_part(name: &ObjectName) -> Option<&Ident> {
    if name.0.iter().any(|part| matches!(part, ObjectNamePart::Function(_))) {
        return None;
    }
    name.0.last().and_then(ObjectNamePart::as_ident)
}

/// Returns the name of a plain column, without its qualifier.
pub fn own_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Identifier(ident) => Some(&ident.value),
        Expr::CompoundIdentifier(parts) => parts.last().map(|part| part.value.as_str()),
        _ => None,
    }
}

/// Returns true if the outermost query has an ORDER BY.
pub(crate) fn is_ordered(query: &Query) -> bool {
    query.order_by.is_some() || matches!(&*query.body, SetExpr::Query(inner) if is_ordered(inner))
}

/// Returns the outermost row limit of a query if it is a plain number.
pub fn row_limit(query: &Query) -> Option<u64> {
    let number = |e: &Expr| match e {
        Expr::Value(ValueWithSpan { value: Value::Number(text, _), .. }) => text.parse::<u64>().ok(),
        _ => None,
    };
    let own = match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit: Some(limit), .. } | LimitClause::OffsetCommaLimit { limit, .. }) => {
            number(limit)
        }
        _ => None,
    };
    let fetch = match &query.fetch {
        Some(Fetch { with_ties: false, percent: false, quantity }) => quantity.as_ref().map_or(Some(1), number),
        _ => None,
    };
    let inner = match &*query.body {
        SetExpr::Query(inner) => row_limit(inner),
        SetExpr::Select(select) => select.top.as_ref().and_then(|top| match &top.quantity {
            Some(TopQuantity::Constant(n)) if !top.percent && !top.with_ties => Some(*n),
            Some(TopQuantity::Expr(expr)) if !top.percent && !top.with_ties => number(expr),
            _ => None,
        }),
        _ => None,
    };
    [own, fetch, inner].into_iter().flatten().min()
}
