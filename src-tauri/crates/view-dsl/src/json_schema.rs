//! The JSON Schema that restricts a model to a catalog's names, in a form that is short to write.
//!
//! It uses only what constrained decoding supports: `anyOf`, `const`, `enum`, `pattern`, bounds of lists and texts.
//! Columns are `table.column`, one by one; those that can be summed, searched or compared with a date are listed apart,
//! so that a reply that the checker would reject can hardly be written. A table read twice gets aliases named after its
//! keys: `manager` of `manager_id`.

use crate::model::hidden::Hidden;
use crate::model::relation::{Rows, ViewRelation};
use serde_json::{Map, Value, json};
use vitrine_domain::{Catalog, ForeignKey, Profile, Table, TableName};
use vitrine_sql::ColumnType;

/// Above this many columns the names are not listed; the checker still verifies them.
const LISTED_COLUMNS: usize = 400;

/// The schema of one view over the tables of `catalog` (those left after pruning) and the views before it.
pub fn json_schema(catalog: &Catalog, profile: &Profile, earlier: &[ViewRelation]) -> Value {
    Names::of(catalog, profile, earlier).view()
}

/// The names that the model may write.
struct Names {
    tables: Vec<String>,
    /// `table.column` with its type and hidden type.
    columns: Vec<(String, ColumnType, Option<Hidden>)>,
    /// Tables by the aliases named after keys.
    roles: Vec<(String, String)>,
    listed: bool,
}

impl Names {
    fn of(catalog: &Catalog, profile: &Profile, earlier: &[ViewRelation]) -> Self {
        let tables = catalog.tables.iter().map(|t| {
            let namesakes = catalog.tables.iter().filter(|o| o.name.name.eq_ignore_ascii_case(&t.name.name)).count();
            let name = if namesakes == 1 { t.name.name.clone() } else { t.name.to_string() };
            (name, Rows::of_table(t, catalog, profile).relation)
        });
        let views = earlier.iter().map(|v| (v.name.clone(), v.clone()));
        let all: Vec<(String, ViewRelation)> = views.chain(tables).collect();
        let column = |table: &str, relation: &ViewRelation| -> Vec<(String, ColumnType, Option<Hidden>)> {
            let columns = relation.columns.iter();
            columns.map(|c| (format!("{table}.{}", c.name), c.family, c.hidden.clone())).collect()
        };
        let mut columns: Vec<_> = all.iter().flat_map(|(name, relation)| column(name, relation)).collect();
        let mut roles = Vec::new();
        for (name, alias) in catalog.tables.iter().flat_map(|t| roles_of(t, catalog)) {
            let read = all.iter().find(|(_, r)| r.name == name);
            let taken =
                all.iter().any(|(n, _)| n.eq_ignore_ascii_case(&alias)) || roles.iter().any(|(_, a)| *a == alias);
            if let Some((table, relation)) = read.filter(|_| !taken) {
                let more = column(&alias, relation);
                if columns.len() + more.len() <= LISTED_COLUMNS {
                    columns.extend(more);
                    roles.push((table.clone(), alias));
                }
            }
        }
        let listed = columns.len() <= LISTED_COLUMNS;
        Self { tables: all.into_iter().map(|(name, _)| name).collect(), columns, roles, listed }
    }

    /// A column that meets a condition, as stored or as its hidden type; `None` where there is none.
    fn column(&self, fits: impl Fn(ColumnType) -> bool) -> Option<Value> {
        let meant = |hidden: &Option<Hidden>| hidden.as_ref().and_then(Hidden::family);
        let fit = self.columns.iter().filter(|(_, family, hidden)| fits(*family) || meant(hidden).is_some_and(&fits));
        let names: Vec<&str> = fit.map(|(name, ..)| name.as_str()).collect();
        match (names.is_empty(), self.listed) {
            (true, _) => None,
            (_, true) => Some(json!({"enum": names})),
            (_, false) => Some(json!({"type": "string", "maxLength": 120})),
        }
    }

    fn table(&self) -> Value {
        if self.listed { json!({"enum": self.tables}) } else { json!({"type": "string", "maxLength": 120}) }
    }

    /// A source of a join, by its name or alias.
    fn joined(&self) -> Value {
        let names: Vec<&String> = self.tables.iter().chain(self.roles.iter().map(|(_, alias)| alias)).collect();
        if self.listed { json!({"enum": names}) } else { self.table() }
    }

    fn sources(&self) -> Value {
        let plain = object(&[("table", self.table())], 1);
        let roles = self
            .roles
            .iter()
            .map(|(table, alias)| object(&[("table", json!({"const": table})), ("alias", json!({"const": alias}))], 2));
        any_of([plain].into_iter().chain(roles).collect())
    }

    fn view(&self) -> Value {
        let any = self.column(|_| true).unwrap_or_else(|| json!({"type": "string", "maxLength": 120}));
        let output = json!({"type": "string", "minLength": 1, "maxLength": 60});
        let outputs = list(output.clone(), 0, 4);
        let tests = self.tests();
        let group = object(&[("any", list(any_of(tests.clone()), 2, 4))], 1);
        let condition = any_of(tests.into_iter().chain([group]).collect());
        let pair = json!({"type": "array", "items": any.clone(), "minItems": 2, "maxItems": 2});
        let join = [
            ("left", self.joined()),
            ("right", self.joined()),
            ("kind", json!({"enum": ["inner", "left"]})),
            ("on", list(pair, 1, 2)),
        ];
        let ratio = [("name", name()), ("of", output.clone()), ("to", output.clone())];
        let window = |kinds: &[&str]| vec![("name", name()), ("kind", json!({"enum": kinds})), ("of", output.clone())];
        let mut plain = window(&["share", "rank"]);
        plain.push(("per", outputs.clone()));
        let mut running = window(&["running_total"]);
        running.extend([("along", list(output.clone(), 1, 2)), ("per", outputs.clone())]);
        let kept = [
            ("column", output.clone()),
            ("op", json!({"enum": ["=", "!=", "<", "<=", ">", ">="]})),
            ("values", list(number(), 1, 1)),
        ];
        let top = [
            ("n", json!({"type": "integer", "minimum": 1, "maximum": 1000})),
            ("by", output.clone()),
            ("per", outputs),
            ("ascending", json!({"type": "boolean"})),
        ];
        let order = [("by", output), ("descending", json!({"type": "boolean"}))];
        object(
            &[
                ("name", name()),
                ("rationale", json!({"type": "string", "maxLength": 100})),
                ("source", list(self.sources(), 1, 8)),
                ("dimensions", list(any_of(self.dimensions(any)), 0, 8)),
                ("metrics", list(any_of(self.metrics()), 0, 6)),
                ("conditions", list(condition, 0, 6)),
                ("joins", list(object(&join, 3), 1, 6)),
                ("ratios", list(object(&ratio, 3), 1, 3)),
                ("windows", list(any_of(vec![object(&plain, 3), object(&running, 4)]), 1, 3)),
                ("having", list(object(&kept, 3), 1, 3)),
                ("distinct", json!({"type": "boolean"})),
                ("top", object(&top, 3)),
                ("order", list(object(&order, 1), 1, 3)),
                ("limit", json!({"type": "integer", "minimum": 1, "maximum": 100_000})),
            ],
            6,
        )
    }

    fn dimensions(&self, any: Value) -> Vec<Value> {
        let dated = self.column(|f| f != ColumnType::Unknown && f.may_be_date());
        let periods = json!({"enum": ["year", "quarter", "month", "week", "day"]});
        let dated = dated.map(|column| object(&[("column", column), ("by", periods), ("name", name())], 2));
        [object(&[("column", any), ("name", name())], 1)].into_iter().chain(dated).collect()
    }

    fn metrics(&self) -> Vec<Value> {
        let metric =
            |aggs: &[&str], of: Value| object(&[("name", name()), ("agg", json!({"enum": aggs})), ("of", of)], 3);
        let rows = object(&[("name", name()), ("agg", json!({"const": "count"}))], 2);
        let added = self.column(ColumnType::is_number).map(|column| {
            let operand = any_of(vec![column.clone(), number()]);
            let signs = json!({"enum": ["+", "-", "*", "/"]});
            let sum = object(&[("left", operand.clone()), ("op", signs.clone()), ("right", operand.clone())], 3);
            let deeper = any_of(vec![operand.clone(), sum]);
            let nested = object(&[("left", deeper.clone()), ("op", signs), ("right", deeper)], 3);
            metric(&["sum", "avg"], any_of(vec![column, nested]))
        });
        let compared = self.column(|f| !matches!(f, ColumnType::Boolean | ColumnType::Other));
        let compared = compared.map(|column| metric(&["min", "max"], column));
        let counted = self.column(|_| true).map(|column| metric(&["count", "count_distinct"], column));
        added.into_iter().chain(counted).chain(compared).chain([rows]).collect()
    }

    fn tests(&self) -> Vec<Value> {
        let test = |column: Value, ops: &[&str], least: u64, most: u64, value: Value| {
            object(&[("column", column), ("op", json!({"enum": ops})), ("values", list(value, least, most))], 3)
        };
        const ORDER: &[&str] = &["=", "!=", "<", "<=", ">", ">="];
        let text = || json!({"type": "string", "minLength": 1, "maxLength": 80});
        let day = || object(&[("date", json!({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}))], 1);
        let mut tests = Vec::new();
        if let Some(column) = self.column(|f| matches!(f, ColumnType::Text | ColumnType::Unknown)) {
            tests.push(test(column.clone(), &["=", "!=", "contains"], 1, 1, text()));
            tests.push(test(column, &["in", "not in"], 1, 12, text()));
        }
        if let Some(column) = self.column(ColumnType::is_number) {
            tests.push(test(column.clone(), ORDER, 1, 1, number()));
            tests.push(test(column.clone(), &["between"], 2, 2, number()));
            tests.push(test(column, &["in", "not in"], 1, 12, number()));
        }
        if let Some(column) = self.column(|f| matches!(f, ColumnType::Date | ColumnType::Timestamp | ColumnType::Text))
        {
            tests.push(test(column.clone(), ORDER, 1, 1, day()));
            tests.push(test(column, &["between"], 2, 2, day()));
        }
        if let Some(column) = self.column(|f| f == ColumnType::Boolean) {
            tests.push(test(column, &["="], 1, 1, json!({"type": "boolean"})));
        }
        if let Some(column) = self.column(|_| true) {
            tests.push(object(&[("column", column), ("op", json!({"enum": ["is null", "is not null"]}))], 2));
        }
        tests
    }
}

/// The tables that a table refers to by several keys, or that are the table itself, with the alias named after each
/// key.
fn roles_of(table: &Table, catalog: &Catalog) -> Vec<(String, String)> {
    let twice =
        |to: &TableName| *to == table.name || table.foreign_keys.iter().filter(|k| k.ref_table == *to).count() > 1;
    let keys = table.foreign_keys.iter().filter(|key| twice(&key.ref_table));
    let role = |key: &ForeignKey| {
        let [column] = key.columns.as_slice() else { return None };
        let read = catalog.tables.iter().find(|t| t.name == key.ref_table)?;
        let lower = column.to_ascii_lowercase();
        let stem = ["_id", "_key", "_code", "_no"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
        let plain = stem.starts_with(|c: char| c.is_ascii_alphabetic())
            && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        plain.then(|| (read.name.to_string(), stem.to_owned()))
    };
    keys.filter_map(role).collect()
}

fn name() -> Value {
    json!({"type": "string", "pattern": "^[a-z][a-z0-9_]{1,30}$"})
}

fn number() -> Value {
    json!({"type": "number", "minimum": -1_000_000_000_000_i64, "maximum": 1_000_000_000_000_i64})
}

fn list(items: Value, least: u64, most: u64) -> Value {
    json!({"type": "array", "items": items, "minItems": least, "maxItems": most})
}

fn any_of(mut schemas: Vec<Value>) -> Value {
    if schemas.len() == 1 { schemas.swap_remove(0) } else { json!({"anyOf": schemas}) }
}

/// An object whose first properties are required.
fn object(properties: &[(&str, Value)], required: usize) -> Value {
    let names: Vec<&str> = properties.iter().take(required).map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = properties.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}
