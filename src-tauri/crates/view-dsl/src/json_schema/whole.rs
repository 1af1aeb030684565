//! The whole language, for models that deliberate. The schema is not recursive and uses only keywords that strict
//! servers accept. Names of tables and columns are plain strings: a list would omit the columns of a table that is read
//! twice (`buyer.name`) and of earlier views in the same reply. The checker verifies consistency and reports errors.

use super::parts::{any_of, object};
use serde_json::{Map, Value, json};

/// Returns the schema of one view.
pub(super) fn view() -> Value {
    let pair = json!({"type": "array", "items": refers("column"), "minItems": 2, "maxItems": 2});
    let join = [
        ("left", refers("source")),
        ("right", refers("source")),
        ("kind", json!({"enum": ["inner", "left", "full", "anti"]})),
        ("on", list(pair)),
    ];
    let source = [("table", refers("table")), ("alias", text()), ("union", list(refers("table"))), ("series", text())];
    let dimension = [("column", refers("value")), ("by", period()), ("name", text())];
    let metric = [
        ("name", text()),
        ("agg", json!({"enum": ["count", "count_distinct", "sum", "avg", "min", "max", "median", "stddev"]})),
        ("of", refers("value")),
        ("conditions", list(refers("condition"))),
    ];
    let window = [
        ("name", text()),
        ("kind", json!({"enum": ["share", "rank", "running_total", "lag", "moving_sum", "moving_avg"]})),
        ("of", text()),
        ("per", list(text())),
        ("along", list(text())),
        ("rows", json!({"type": "integer"})),
    ];
    let top = [("n", json!({"type": "integer"})), ("by", text()), ("per", list(text())), ("ascending", truth())];
    object(
        &[
            ("name", text()),
            ("rationale", text()),
            ("source", list(object(&source, 1))),
            ("dimensions", list(object(&dimension, 1))),
            ("metrics", list(object(&metric, 2))),
            ("conditions", list(refers("condition"))),
            ("joins", list(object(&join, 2))),
            ("ratios", list(object(&[("name", text()), ("of", text()), ("to", text())], 3))),
            ("windows", list(object(&window, 3))),
            ("having", list(refers("kept"))),
            ("distinct", truth()),
            ("top", object(&top, 3)),
            ("order", list(object(&[("by", text()), ("descending", truth())], 1))),
            ("limit", json!({"type": "integer"})),
        ],
        6,
    )
}

/// Returns the definitions that a view refers to.
pub(super) fn definitions() -> Map<String, Value> {
    let day = || object(&[("date", text())], 1);
    let moment = || any_of(vec![refers("column"), day()]);
    let number = || json!({"type": "number"});
    let sign = json!({"enum": ["+", "-", "*", "/"]});
    let arithmetic = |side: &str| object(&[("left", refers(side)), ("op", sign.clone()), ("right", refers(side))], 3);
    let branch = object(&[("when", list(refers("test"))), ("then", refers("constant"))], 2);
    let test = |column: Value, to: Value| {
        object(&[("column", column), ("op", comparison()), ("values", list(refers("constant"))), ("to", to)], 2)
    };
    let all = object(&[("all", list(refers("test")))], 1);
    let any = object(&[("any", list(any_of(vec![refers("test"), all])))], 1);
    let step = any_of(vec![text(), json!({"type": "integer"})]);
    let value = [refers("column"), number(), refers("dates"), refers("case"), refers("cast"), refers("nested")];
    let defined = [
        ("column", described("a column, or source.column")),
        ("table", described("a table, or a view written before")),
        ("source", described("the alias of a source, or else its table")),
        ("constant", any_of(vec![text(), number(), truth(), day()])),
        ("dates", object(&[("from", moment()), ("to", moment()), ("in", period())], 2)),
        ("operand", any_of(vec![refers("column"), number(), refers("dates")])),
        ("sum", arithmetic("operand")),
        ("compared", any_of(vec![refers("column"), refers("dates"), refers("sum"), refers("cast"), refers("nested")])),
        ("test", test(refers("compared"), refers("compared"))),
        ("condition", any_of(vec![refers("test"), any])),
        ("kept", test(text(), text())),
        ("cast", object(&[("cast", any_of(vec![refers("operand"), refers("sum")])), ("to", types())], 2)),
        ("nested", object(&[("column", refers("column")), ("path", list(step)), ("as", types())], 3)),
        ("case", object(&[("case", list(branch)), ("else", refers("constant"))], 1)),
        ("term", any_of(vec![refers("operand"), refers("sum"), refers("case"), refers("cast"), refers("nested")])),
        ("value", any_of(value.into_iter().chain([arithmetic("term")]).collect())),
    ];
    defined.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn refers(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn described(what: &str) -> Value {
    json!({"type": "string", "description": what})
}

fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn truth() -> Value {
    json!({"type": "boolean"})
}

fn types() -> Value {
    json!({"enum": ["whole", "number", "text", "date"]})
}

fn period() -> Value {
    json!({"enum": ["year", "quarter", "month", "week", "day"]})
}

fn comparison() -> Value {
    const ALL: [&str; 13] =
        ["=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "contains", "like", "is null", "is not null"];
    json!({"enum": ALL})
}
