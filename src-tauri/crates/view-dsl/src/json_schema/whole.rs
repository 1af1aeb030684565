//! The whole language, for models that deliberate. The schema is not recursive and uses only keywords that strict
//! servers accept. Names of tables and columns are plain strings: a list would omit the columns of a table that is read
//! twice (`buyer.name`) and of earlier views in the same reply. The checker verifies consistency and reports errors.

use super::parts::{any_of, object_schema};
use serde_json::{Map, Value, json};

/// Returns the schema of one view.
pub(super) fn view_schema() -> Value {
    let pair = json!({"type": "array", "items": schema_reference("column"), "minItems": 2, "maxItems": 2});
    let join = [
        ("left", schema_reference("source")),
        ("right", schema_reference("source")),
        ("kind", json!({"enum": ["inner", "left", "full", "anti"]})),
        ("on", unbounded_array(pair)),
    ];
    let source = [
        ("table", schema_reference("table")),
        ("alias", string_schema()),
        ("union", unbounded_array(schema_reference("table"))),
        ("series", string_schema()),
    ];
    let dimension = [("column", schema_reference("value")), ("by", period_schema()), ("name", string_schema())];
    let metric = [
        ("name", string_schema()),
        ("agg", json!({"enum": ["count", "count_distinct", "sum", "avg", "min", "max", "median", "stddev"]})),
        ("of", schema_reference("value")),
        ("conditions", unbounded_array(schema_reference("condition"))),
    ];
    let window = [
        ("name", string_schema()),
        ("kind", json!({"enum": ["share", "rank", "running_total", "lag", "moving_sum", "moving_avg"]})),
        ("of", string_schema()),
        ("per", unbounded_array(string_schema())),
        ("along", unbounded_array(string_schema())),
        ("rows", json!({"type": "integer"})),
    ];
    let top = [
        ("n", json!({"type": "integer"})),
        ("by", string_schema()),
        ("per", unbounded_array(string_schema())),
        ("ascending", boolean_schema()),
    ];
    object_schema(
        &[
            ("name", string_schema()),
            ("rationale", string_schema()),
            ("source", unbounded_array(object_schema(&source, 1))),
            ("dimensions", unbounded_array(object_schema(&dimension, 1))),
            ("metrics", unbounded_array(object_schema(&metric, 2))),
            ("conditions", unbounded_array(schema_reference("condition"))),
            ("joins", unbounded_array(object_schema(&join, 2))),
            (
                "ratios",
                unbounded_array(object_schema(
                    &[("name", string_schema()), ("of", string_schema()), ("to", string_schema())],
                    3,
                )),
            ),
            ("windows", unbounded_array(object_schema(&window, 3))),
            ("having", unbounded_array(schema_reference("kept"))),
            ("distinct", boolean_schema()),
            ("top", object_schema(&top, 3)),
            ("order", unbounded_array(object_schema(&[("by", string_schema()), ("descending", boolean_schema())], 1))),
            ("limit", json!({"type": "integer"})),
        ],
        6,
    )
}

/// Returns the definitions that a view refers to.
pub(super) fn schema_definitions() -> Map<String, Value> {
    let day = || object_schema(&[("date", string_schema())], 1);
    let moment = || any_of(vec![schema_reference("column"), day()]);
    let number = || json!({"type": "number"});
    let sign = json!({"enum": ["+", "-", "*", "/"]});
    let arithmetic = |side: &str| {
        object_schema(&[("left", schema_reference(side)), ("op", sign.clone()), ("right", schema_reference(side))], 3)
    };
    let branch = object_schema(
        &[("when", unbounded_array(schema_reference("test"))), ("then", schema_reference("constant"))],
        2,
    );
    let test = |column: Value, to: Value| {
        object_schema(
            &[
                ("column", column),
                ("op", comparison_schema()),
                ("values", unbounded_array(schema_reference("constant"))),
                ("to", to),
            ],
            2,
        )
    };
    let all = object_schema(&[("all", unbounded_array(schema_reference("test")))], 1);
    let any = object_schema(&[("any", unbounded_array(any_of(vec![schema_reference("test"), all])))], 1);
    let step = any_of(vec![string_schema(), json!({"type": "integer"})]);
    let value = [
        schema_reference("column"),
        number(),
        schema_reference("dates"),
        schema_reference("case"),
        schema_reference("cast"),
        schema_reference("nested"),
    ];
    let defined = [
        ("column", described_string("a column, or source.column")),
        ("table", described_string("a table, or a view written before")),
        ("source", described_string("the alias of a source, or else its table")),
        ("constant", any_of(vec![string_schema(), number(), boolean_schema(), day()])),
        ("dates", object_schema(&[("from", moment()), ("to", moment()), ("in", period_schema())], 2)),
        ("operand", any_of(vec![schema_reference("column"), number(), schema_reference("dates")])),
        ("sum", arithmetic("operand")),
        (
            "compared",
            any_of(vec![
                schema_reference("column"),
                schema_reference("dates"),
                schema_reference("sum"),
                schema_reference("cast"),
                schema_reference("nested"),
            ]),
        ),
        ("test", test(schema_reference("compared"), schema_reference("compared"))),
        ("condition", any_of(vec![schema_reference("test"), any])),
        ("kept", test(string_schema(), string_schema())),
        (
            "cast",
            object_schema(
                &[
                    ("cast", any_of(vec![schema_reference("operand"), schema_reference("sum")])),
                    ("to", cast_type_schema()),
                ],
                2,
            ),
        ),
        (
            "nested",
            object_schema(
                &[("column", schema_reference("column")), ("path", unbounded_array(step)), ("as", cast_type_schema())],
                3,
            ),
        ),
        ("case", object_schema(&[("case", unbounded_array(branch)), ("else", schema_reference("constant"))], 1)),
        (
            "term",
            any_of(vec![
                schema_reference("operand"),
                schema_reference("sum"),
                schema_reference("case"),
                schema_reference("cast"),
                schema_reference("nested"),
            ]),
        ),
        ("value", any_of(value.into_iter().chain([arithmetic("term")]).collect())),
    ];
    defined.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn schema_reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn described_string(what: &str) -> Value {
    json!({"type": "string", "description": what})
}

fn unbounded_array(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn string_schema() -> Value {
    json!({"type": "string"})
}

fn boolean_schema() -> Value {
    json!({"type": "boolean"})
}

fn cast_type_schema() -> Value {
    json!({"enum": ["whole", "number", "text", "date"]})
}

fn period_schema() -> Value {
    json!({"enum": ["year", "quarter", "month", "week", "day"]})
}

fn comparison_schema() -> Value {
    const ALL: [&str; 13] =
        ["=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "contains", "like", "is null", "is not null"];
    json!({"enum": ALL})
}
