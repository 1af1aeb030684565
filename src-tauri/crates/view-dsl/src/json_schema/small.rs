//! The part of the language for small models: compact, and restricted by the type of each column, so that constrained
//! replies rarely fail the checker. A table that is read twice gets aliases derived from its keys: `manager` of
//! `manager_id`.
//!
//! Recorded replies of the embedded model are keyed by its requests, so this schema must only change together with
//! them.

use super::names::Names;
use super::parts::{any_of, list, name, number, object};
use serde_json::{Value, json};
use vitrine_sql::ColumnType;

impl Names {
    pub(super) fn sources(&self) -> Value {
        let plain = object(&[("table", self.table())], 1);
        let roles = self
            .roles
            .iter()
            .map(|(table, alias)| object(&[("table", json!({"const": table})), ("alias", json!({"const": alias}))], 2));
        any_of([plain].into_iter().chain(roles).collect())
    }

    /// Returns the schema of one view.
    pub(super) fn view(&self) -> Value {
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
