//! What a query asks documents for: by functions and signs that take a path, or by dots. Columns that hold documents with keys of
//! their own, which a path by dots may ask for: VARIANT of Snowflake and Databricks and OBJECT of Snowflake, whose fields are behind
//! no dot, and JSON of BigQuery and ClickHouse.

use sqlparser::ast::{BinaryOperator, Expr, Ident, JsonPathElem, Value};
use vitrine_domain::Dialect;
use vitrine_sql::ast::{Relation, last_part, plain_arguments};

/// Functions that take a document and a path in it.
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
/// What a profile has in place of keys that are data.
pub(crate) const ANY: &str = "*";

/// The document that a path by dots begins with, its table, and the keys after it: `t.address.city` or `address.city`.
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

/// Databricks takes a dot for the fields of its structs.
fn is_document(data_type: &str, dialect: Dialect) -> bool {
    let name = data_type.trim().split(['(', ' ']).next().unwrap_or_default().to_ascii_uppercase();
    match dialect {
        Dialect::Snowflake => matches!(name.as_str(), "VARIANT" | "OBJECT"),
        Dialect::Databricks => name == "VARIANT",
        Dialect::Bigquery | Dialect::Clickhouse => name == "JSON",
        _ => false,
    }
}

/// A step from a document to a place in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Key(String),
    /// To members of a list, each or one that is computed.
    Member,
    /// To the member at a place that the query says.
    Place,
}

impl Step {
    /// Whether both lead to the same, as far as a profile tells members apart.
    pub(crate) fn leads_as(&self, other: &Self) -> bool {
        self == other || !matches!((self, other), (Self::Key(_), _) | (_, Self::Key(_)))
    }

    /// The steps of a path as a profile has it: `items[].sku`, `"unit price"`; `None` of one that cannot be told apart.
    pub(crate) fn of_profile(path: &str) -> Option<Vec<Self>> {
        Self::of_path(path).filter(|steps| !steps.is_empty())
    }

    /// The steps of `a.b[0]`, `"a b".c`, `['a']`; `None` where there is more than that.
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

/// The column and the steps from it to what an expression asks for.
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

/// The column that a document is, or the place within one.
fn parse_path_base(expr: &Expr) -> Option<(&Expr, Vec<Step>)> {
    match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => Some((expr, Vec::new())),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => parse_path_base(inner),
        other => parse_document_path(other),
    }
}
