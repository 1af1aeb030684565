//! Paths that a query reads in documents: by functions and operators with a path, or with dots. Dotted paths may refer
//! to keys only in document columns: VARIANT of Snowflake and Databricks and OBJECT of Snowflake, whose keys are not
//! accessible with a dot, and JSON of BigQuery and ClickHouse.

use sqlparser::ast::{BinaryOperator, Expr, Ident, JsonPathElem, Value};
use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{Relation, last_part, plain_arguments};

/// Functions that take a document and a path within it.
const BY_PATH: [&str; 11] = [
    "GET_JSON_OBJECT",
    "JSON_EXTRACT",
    "JSON_EXTRACT_SCALAR",
    "JSON_EXTRACT_STRING",
    "JSON_EXTRACT_PATH_TEXT",
    "JSON_QUERY",
    "JSON_UNQUOTE",
    "JSON_VALUE",
    "TRY_VARIANT_GET",
    "VARIANT_GET",
    "GET_PATH",
];
/// Placeholder in profiles for keys that are data.
pub(crate) const ANY: &str = "*";

/// Returns the document at the start of a dotted path, its table, and the keys after it: `t.address.city` or
/// `address.city`.
pub(crate) fn by_dots<'t, 'c, 'p>(
    path: &'p [Ident],
    tables: &'t [Relation<'c>],
    dialect: Dialect,
) -> Option<(&'t Relation<'c>, &'p Ident, &'p [Ident])> {
    let named = |name: &Ident| tables.iter().find(|table| table.matches_qualifier(name));
    let has = |table: &Relation<'_>, name: &Ident| {
        table.table.find_column(&name.value).is_some_and(|column| is_document(&column.data_type, dialect))
    };
    match path {
        [table, column, keys @ ..] if named(table).is_some() => {
            let relation = named(table).filter(|relation| has(relation, column) && !keys.is_empty())?;
            Some((relation, column, keys))
        }
        [column, keys @ ..] if !keys.is_empty() => {
            let mut having = tables.iter().filter(|relation| has(relation, column));
            let relation = having.next().filter(|_| having.next().is_none())?;
            Some((relation, column, keys))
        }
        _ => None,
    }
}

fn is_document(data_type: &str, dialect: Dialect) -> bool {
    let name = data_type.trim().split(['(', ' ']).next().unwrap_or_default().to_ascii_uppercase();
    dialect.sql().is_document_type(&name)
}

/// A step of a path in a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Key(String),
    /// To all members of a list, or to one at a computed position.
    Member,
    /// To the list member at a fixed position.
    Place,
}

impl Step {
    /// Returns true if both steps lead to the same entry, as far as profiles distinguish members.
    pub(crate) fn leads_as(&self, other: &Self) -> bool {
        self == other || !matches!((self, other), (Self::Key(_), _) | (_, Self::Key(_)))
    }

    /// Parses a path from a profile: `items[].sku`, `"unit price"`. `None` if its steps are ambiguous.
    pub(crate) fn of_profile(path: &str) -> Option<Vec<Self>> {
        Self::of_path(path).filter(|steps| !steps.is_empty())
    }

    /// Parses `a.b[0]`, `"a b".c` or `['a']`. `None` for any other syntax.
    fn of_path(path: &str) -> Option<Vec<Self>> {
        let (mut steps, mut rest) = (Vec::new(), path);
        while let Some(first) = rest.chars().next() {
            rest = match first {
                '.' => &rest[1..],
                '[' => {
                    let (inside, behind) = rest[1..].split_once(']')?;
                    let word = inside.trim_matches(['\'', '"']);
                    steps.push(match word.len() < inside.len() {
                        true => Self::Key(word.to_owned()),
                        false if is_number(inside) => Self::Place,
                        false => Self::Member,
                    });
                    behind
                }
                '"' => {
                    let (key, behind) = rest[1..].split_once('"')?;
                    steps.push(Self::Key(key.to_owned()));
                    behind
                }
                _ => {
                    let end = rest.find(['.', '[']).unwrap_or(rest.len());
                    let (key, behind) = rest.split_at(end);
                    if key.contains(['"', '\'', '*', '?', '(', '@', ' ']) && key != ANY {
                        return None;
                    }
                    steps.push(Self::Key(key.to_owned()));
                    behind
                }
            };
        }
        Some(steps)
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the column and the path within it that an expression reads.
pub(crate) fn parse_document_path(expr: &Expr) -> Option<(&Expr, Vec<Step>)> {
    let text = |expr: &Expr| match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    let number = |expr: &Expr| matches!(expr, Expr::Value(value) if matches!(value.value, Value::Number(..)));
    match expr {
        Expr::JsonAccess { value, path } => {
            let (column, mut steps) = parse_path_base(value)?;
            for part in &path.path {
                steps.push(match part {
                    JsonPathElem::Dot { key, .. } => Step::Key(key.clone()),
                    JsonPathElem::Bracket { key } | JsonPathElem::ColonBracket { key } => match text(key) {
                        Some(key) => Step::Key(key),
                        None if number(key) => Step::Place,
                        None => Step::Member,
                    },
                });
            }
            Some((column, steps))
        }
        Expr::BinaryOp { left, op: BinaryOperator::Arrow | BinaryOperator::LongArrow, right } => {
            let (column, mut steps) = parse_path_base(left)?;
            match text(right) {
                Some(path) if path.starts_with('$') => steps.extend(Step::of_path(&path[1..])?),
                Some(key) => steps.push(Step::Key(key)),
                None if number(right) => steps.push(Step::Place),
                None => return None,
            }
            Some((column, steps))
        }
        Expr::Function(function)
            if last_part(&function.name)
                .is_some_and(|name| BY_PATH.iter().any(|known| known.eq_ignore_ascii_case(&name.value))) =>
        {
            match plain_arguments(function)?.as_slice() {
                [inner] => parse_document_path(inner),
                [document, path, ..] => {
                    let (column, mut steps) = parse_path_base(document)?;
                    let path = text(path)?;
                    steps.extend(Step::of_path(path.strip_prefix('$').unwrap_or(&path))?);
                    Some((column, steps))
                }
                [] => None,
            }
        }
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => parse_document_path(inner),
        _ => None,
    }
}

/// Returns the column and path of the expression that a path is applied to.
fn parse_path_base(expr: &Expr) -> Option<(&Expr, Vec<Step>)> {
    match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => Some((expr, Vec::new())),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => parse_path_base(inner),
        other => parse_document_path(other),
    }
}
