//! A key that no row has: `address->>'Country'` where documents have `country`. Engines give NULL for it, without a word. Where only some
//! rows were read, others may have it, and nothing is said.

use crate::documents::by_dots;
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, JsonPathElem, Value, Visitor,
};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Dialect, Profile, Table};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Relation, each_select, last_part, owner, visit};

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
const ANY: &str = "*";
/// Keys that are told beside.
const TOLD: usize = 8;
/// A profile has no more places than this: where it has as many, there may be others.
const MOST_PLACES: usize = 60;

/// A key that a query asks a column's documents for and that none of them has.
#[derive(Debug, PartialEq)]
pub(crate) struct UnknownKey {
    pub column: String,
    pub key: String,
    /// Those that there are in its place.
    pub known: Vec<String>,
}

/// The first such key.
pub(crate) fn unknown_key(sql: &ReadOnlySql, catalog: &Catalog, profile: &Profile) -> Option<UnknownKey> {
    let mut found = None;
    each_select(sql, catalog, |_, select, tables| {
        let mut keys = Keys { tables, dialect: catalog.dialect, profile, found: None };
        let _ = visit(select, &mut keys);
        found = found.take().or(keys.found);
    });
    found
}

struct Keys<'a, 'c> {
    tables: &'a [Relation<'c>],
    dialect: Dialect,
    profile: &'a Profile,
    found: Option<UnknownKey>,
}

impl Visitor for Keys<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Some((table, name, steps)) = self.asked(expr)
            && let Some(read) = self.profile.table(&table.name)
            && read.row_count == Some(read.profiled_rows)
            && let Some(known) = read.column(name).filter(|known| known.paths.len() < MOST_PLACES)
        {
            let places: Vec<Vec<Step>> = known.paths.iter().filter_map(|(path, _)| Step::of_profile(path)).collect();
            self.found =
                missing(&steps, &places).map(|(key, known)| UnknownKey { column: name.to_owned(), key, known });
        }
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'c> Keys<'_, 'c> {
    /// The column that an expression asks, its table, and the steps from it.
    fn asked<'e>(&self, expr: &'e Expr) -> Option<(&'c Table, &'e str, Vec<Step>)> {
        if let Expr::CompoundIdentifier(path) = expr {
            let (relation, column, keys) = by_dots(path, self.tables, self.dialect)?;
            return Some((
                relation.table,
                &column.value,
                keys.iter().map(|key| Step::Key(key.value.clone())).collect(),
            ));
        }
        let (column, steps) = asked(expr)?;
        let (table, name) = owner(column, self.tables)?;
        Some((table, name, steps))
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Key(String),
    Member,
}

impl Step {
    /// The steps of a path as a profile has it: `items[].sku`, `"unit price"`; `None` of one that cannot be told apart.
    fn of_profile(path: &str) -> Option<Vec<Self>> {
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
                    let is_key = word.len() < inside.len();
                    steps.push(if is_key { Self::Key(word.to_owned()) } else { Self::Member });
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

/// The column and the steps from it to what an expression asks for.
fn asked(expr: &Expr) -> Option<(&Expr, Vec<Step>)> {
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
            let (column, mut steps) = within(value)?;
            for part in &path.path {
                steps.push(match part {
                    JsonPathElem::Dot { key, .. } => Step::Key(key.clone()),
                    JsonPathElem::Bracket { key } | JsonPathElem::ColonBracket { key } => match text(key) {
                        Some(key) => Step::Key(key),
                        None => Step::Member,
                    },
                });
            }
            Some((column, steps))
        }
        Expr::BinaryOp { left, op: BinaryOperator::Arrow | BinaryOperator::LongArrow, right } => {
            let (column, mut steps) = within(left)?;
            match text(right) {
                Some(path) if path.starts_with('$') => steps.extend(Step::of_path(&path[1..])?),
                Some(key) => steps.push(Step::Key(key)),
                None if number(right) => steps.push(Step::Member),
                None => return None,
            }
            Some((column, steps))
        }
        Expr::Function(Function { name, args: FunctionArguments::List(list), .. })
            if last_part(name)
                .is_some_and(|name| BY_PATH.iter().any(|known| known.eq_ignore_ascii_case(&name.value))) =>
        {
            let plain: Vec<&Expr> = list
                .args
                .iter()
                .map_while(|argument| match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                    _ => None,
                })
                .collect();
            match plain.as_slice() {
                [inner] => asked(inner),
                [document, path, ..] => {
                    let (column, mut steps) = within(document)?;
                    let path = text(path)?;
                    steps.extend(Step::of_path(path.strip_prefix('$').unwrap_or(&path))?);
                    Some((column, steps))
                }
                [] => None,
            }
        }
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => asked(inner),
        _ => None,
    }
}

/// The column that a document is, or the place within one.
fn within(expr: &Expr) -> Option<(&Expr, Vec<Step>)> {
    match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => Some((expr, Vec::new())),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => within(inner),
        other => asked(other),
    }
}

/// The first key on the way that none of the places has, with those that there are; nothing where the rows say nothing.
fn missing(steps: &[Step], places: &[Vec<Step>]) -> Option<(String, Vec<String>)> {
    for (at, step) in steps.iter().enumerate() {
        let Step::Key(key) = step else { continue };
        let reached = places.iter().filter(|place| place.len() > at && place[..at] == steps[..at]);
        let mut known: Vec<&str> = reached
            .filter_map(|place| match &place[at] {
                Step::Key(key) => Some(key.as_str()),
                Step::Member => None,
            })
            .collect();
        known.dedup();
        // A path may ask for all of them as well.
        if known.is_empty() || known.contains(&ANY) || key == ANY {
            return None;
        }
        if !known.contains(&key.as_str()) {
            return Some((key.clone(), known.into_iter().take(TOLD).map(str::to_owned).collect()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog, table};
    use vitrine_domain::{ColumnProfile, TableName, TableProfile};

    /// What is found of customers with documents, whose places are known.
    fn found(sql: &str, dialect: Dialect) -> Option<String> {
        found_of(sql, dialect, Some(6))
    }

    /// The same of a table of so many rows, of which six were read.
    fn found_of(sql: &str, dialect: Dialect, row_count: Option<u64>) -> Option<String> {
        let of = |name: &str, paths: &[&str]| ColumnProfile {
            name: name.into(),
            paths: paths.iter().map(|path| ((*path).to_owned(), "text".to_owned())).collect(),
            ..ColumnProfile::default()
        };
        let columns = vec![
            of("address", &["city", "country", "geo.lat", "\"post code\""]),
            of("items", &["[].sku", "[].price"]),
            of("prices", &["*"]),
            of("notes", &[]),
        ];
        let known = TableProfile { table: TableName::bare("customers"), row_count, profiled_rows: 6, columns };
        let profile = Profile { tables: vec![known], ..Profile::default() };
        let of_type = if dialect == Dialect::Snowflake { "VARIANT" } else { "JSON" };
        let names = ["address", "items", "prices", "notes"].map(|name| (name, of_type));
        let catalog = catalog(dialect, vec![table("customers", &names, &[], &[])]);
        unknown_key(&ReadOnlySql::parse(sql, dialect).unwrap(), &catalog, &profile)
            .map(|found| format!("{}.{} of {}", found.column, found.key, found.known.join(" ")))
    }

    #[test]
    fn a_key_that_no_row_has_is_told_with_those_that_there_are() {
        for (sql, dialect, wanted) in [
            (
                "SELECT c.address:COUNTRY::STRING FROM customers c",
                Dialect::Snowflake,
                "address.COUNTRY of city country geo post code",
            ),
            (
                "SELECT COUNT(*) FROM customers c WHERE c.address.VARIANT LIKE '%Peru%'",
                Dialect::Snowflake,
                "address.VARIANT of city country geo post code",
            ),
            (
                "SELECT COUNT(*) FROM customers WHERE address->>'Country' = 'Peru'",
                Dialect::Postgres,
                "address.Country of city country geo post code",
            ),
            ("SELECT json_extract(c.address, '$.geo.lon') FROM customers c", Dialect::Sqlite, "address.lon of lat"),
            ("SELECT address->'geo'->>'Lat' FROM customers", Dialect::Postgres, "address.Lat of lat"),
            (
                "SELECT JSON_UNQUOTE(JSON_EXTRACT(items, '$[0].name')) FROM customers",
                Dialect::Mysql,
                "items.name of sku price",
            ),
            (
                "SELECT JSON_VALUE(address, '$.town') FROM customers",
                Dialect::Mssql,
                "address.town of city country geo post code",
            ),
        ] {
            assert_eq!(found(sql, dialect).as_deref(), Some(wanted), "{sql}");
        }
    }

    #[test]
    fn what_the_rows_have_or_say_nothing_of_is_no_finding() {
        for (sql, dialect) in [
            (
                "SELECT address:country::STRING, address:geo.lat::FLOAT, address:\"post code\" FROM customers",
                Dialect::Snowflake,
            ),
            ("SELECT items[0]:sku::STRING FROM customers", Dialect::Snowflake),
            (
                "SELECT json_extract(address, '$.geo'), json_extract(items, '$[1].price') FROM customers",
                Dialect::Sqlite,
            ),
            ("SELECT address->>'$.city', prices->>'2024-01-01', notes->>'anything' FROM customers", Dialect::Duckdb),
            ("SELECT json_extract(address, '$.*') FROM customers", Dialect::Sqlite),
            ("SELECT items->>'length' FROM customers", Dialect::Duckdb),
            ("SELECT json_extract(address, '$.' || notes) FROM customers", Dialect::Sqlite),
        ] {
            assert_eq!(found(sql, dialect), None, "{sql}");
        }
        let sql = "SELECT address->>'error' FROM customers";
        assert!(found_of(sql, Dialect::Postgres, Some(6)).is_some());
        assert!([Some(7), None].into_iter().all(|rows| found_of(sql, Dialect::Postgres, rows).is_none()));
    }
}
