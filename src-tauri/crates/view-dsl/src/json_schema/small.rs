//! The part of the language for small models: compact, and restricted by the type of each column, so that constrained
//! replies rarely fail the checker. A table that is read twice gets aliases derived from its keys: `manager` of
//! `manager_id`.
//!
//! Recorded replies of the embedded model are keyed by its requests, so this schema must only change together with
//! them.

use super::names::SchemaNames;
use super::parts::{any_of, array_schema, name_schema, number_schema, object_schema};
use serde_json::{Value, json};
use vitrine_sql::ColumnType;

impl SchemaNames {
    pub(super) fn sources_schema(&self) -> Value {
        let plain = object_schema(&[("table", self.table_schema())], 1);
        let roles = self.roles.iter().map(|(table, alias)| {
            object_schema(&[("table", json!({"const": table})), ("alias", json!({"const": alias}))], 2)
        });
        any_of([plain].into_iter().chain(roles).collect())
    }

    /// Returns the schema of one view.
    pub(super) fn view_schema(&self) -> Value {
        let any = self.column_schema(|_| true).unwrap_or_else(|| json!({"type": "string", "maxLength": 120}));
        let output = json!({"type": "string", "minLength": 1, "maxLength": 60});
        let outputs = array_schema(output.clone(), 0, 4);
        let tests = self.test_schemas();
        let group = object_schema(&[("any", array_schema(any_of(tests.clone()), 2, 4))], 1);
        let condition = any_of(tests.into_iter().chain([group]).collect());
        let pair = json!({"type": "array", "items": any.clone(), "minItems": 2, "maxItems": 2});
        let join = [
            ("left", self.join_source_schema()),
            ("right", self.join_source_schema()),
            ("kind", json!({"enum": ["inner", "left"]})),
            ("on", array_schema(pair, 1, 2)),
        ];
        let ratio = [("name", name_schema()), ("of", output.clone()), ("to", output.clone())];
        let window =
            |kinds: &[&str]| vec![("name", name_schema()), ("kind", json!({"enum": kinds})), ("of", output.clone())];
        let mut plain = window(&["share", "rank"]);
        plain.push(("per", outputs.clone()));
        let mut running = window(&["running_total"]);
        running.extend([("along", array_schema(output.clone(), 1, 2)), ("per", outputs.clone())]);
        let kept = [
            ("column", output.clone()),
            ("op", json!({"enum": ["=", "!=", "<", "<=", ">", ">="]})),
            ("values", array_schema(number_schema(), 1, 1)),
        ];
        let top = [
            ("n", json!({"type": "integer", "minimum": 1, "maximum": 1000})),
            ("by", output.clone()),
            ("per", outputs),
            ("ascending", json!({"type": "boolean"})),
        ];
        let order = [("by", output), ("descending", json!({"type": "boolean"}))];
        object_schema(
            &[
                ("name", name_schema()),
                ("rationale", json!({"type": "string", "maxLength": 100})),
                ("source", array_schema(self.sources_schema(), 1, 8)),
                ("dimensions", array_schema(any_of(self.dimension_schemas(any)), 0, 8)),
                ("metrics", array_schema(any_of(self.metric_schemas()), 0, 6)),
                ("conditions", array_schema(condition, 0, 6)),
                ("joins", array_schema(object_schema(&join, 3), 1, 6)),
                ("ratios", array_schema(object_schema(&ratio, 3), 1, 3)),
                ("windows", array_schema(any_of(vec![object_schema(&plain, 3), object_schema(&running, 4)]), 1, 3)),
                ("having", array_schema(object_schema(&kept, 3), 1, 3)),
                ("distinct", json!({"type": "boolean"})),
                ("top", object_schema(&top, 3)),
                ("order", array_schema(object_schema(&order, 1), 1, 3)),
                ("limit", json!({"type": "integer", "minimum": 1, "maximum": 100_000})),
            ],
            6,
        )
    }

    fn dimension_schemas(&self, any: Value) -> Vec<Value> {
        let dated = self.column_schema(|f| f != ColumnType::Unknown && f.may_be_date());
        let periods = json!({"enum": ["year", "quarter", "month", "week", "day"]});
        let dated =
            dated.map(|column| object_schema(&[("column", column), ("by", periods), ("name", name_schema())], 2));
        [object_schema(&[("column", any), ("name", name_schema())], 1)].into_iter().chain(dated).collect()
    }

    fn metric_schemas(&self) -> Vec<Value> {
        let metric = |aggs: &[&str], of: Value| {
            object_schema(&[("name", name_schema()), ("agg", json!({"enum": aggs})), ("of", of)], 3)
        };
        let rows = object_schema(&[("name", name_schema()), ("agg", json!({"const": "count"}))], 2);
        let added = self.column_schema(ColumnType::is_number).map(|column| {
            let operand = any_of(vec![column.clone(), number_schema()]);
            let signs = json!({"enum": ["+", "-", "*", "/"]});
            let sum = object_schema(&[("left", operand.clone()), ("op", signs.clone()), ("right", operand.clone())], 3);
            let deeper = any_of(vec![operand.clone(), sum]);
            let nested = object_schema(&[("left", deeper.clone()), ("op", signs), ("right", deeper)], 3);
            metric(&["sum", "avg"], any_of(vec![column, nested]))
        });
        let compared = self.column_schema(|f| !matches!(f, ColumnType::Boolean | ColumnType::Other));
        let compared = compared.map(|column| metric(&["min", "max"], column));
        let counted = self.column_schema(|_| true).map(|column| metric(&["count", "count_distinct"], column));
        added.into_iter().chain(counted).chain(compared).chain([rows]).collect()
    }

    fn test_schemas(&self) -> Vec<Value> {
        let test = |column: Value, ops: &[&str], least: u64, most: u64, value: Value| {
            object_schema(
                &[("column", column), ("op", json!({"enum": ops})), ("values", array_schema(value, least, most))],
                3,
            )
        };
        const ORDER: &[&str] = &["=", "!=", "<", "<=", ">", ">="];
        let text = || json!({"type": "string", "minLength": 1, "maxLength": 80});
        let day =
            || object_schema(&[("date", json!({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}))], 1);
        let mut tests = Vec::new();
        if let Some(column) = self.column_schema(|f| matches!(f, ColumnType::Text | ColumnType::Unknown)) {
            tests.push(test(column.clone(), &["=", "!=", "contains"], 1, 1, text()));
            tests.push(test(column, &["in", "not in"], 1, 12, text()));
        }
        if let Some(column) = self.column_schema(ColumnType::is_number) {
            tests.push(test(column.clone(), ORDER, 1, 1, number_schema()));
            tests.push(test(column.clone(), &["between"], 2, 2, number_schema()));
            tests.push(test(column, &["in", "not in"], 1, 12, number_schema()));
        }
        if let Some(column) =
            self.column_schema(|f| matches!(f, ColumnType::Date | ColumnType::Timestamp | ColumnType::Text))
        {
            tests.push(test(column.clone(), ORDER, 1, 1, day()));
            tests.push(test(column, &["between"], 2, 2, day()));
        }
        if let Some(column) = self.column_schema(|f| f == ColumnType::Boolean) {
            tests.push(test(column, &["="], 1, 1, json!({"type": "boolean"})));
        }
        if let Some(column) = self.column_schema(|_| true) {
            tests.push(object_schema(&[("column", column), ("op", json!({"enum": ["is null", "is not null"]}))], 2));
        }
        tests
    }
}
