//! Tests that every form on the prompt page for the language and in the schema of the whole language is valid.

use crate::fixtures::{ALL, catalog};
use serde_json::{Value, json};
use vitrine_domain::{Catalog, Dialect, Profile, ViewSpec};
use vitrine_view_dsl::{Offer, compile_view, json_schema};

const PAGE: &str = include_str!("../../../../../prompts/fetch/language.txt");

fn shop(dialect: Dialect) -> Catalog {
    let details = if dialect == Dialect::Snowflake { "VARIANT" } else { "JSON" };
    let script = format!(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, joined_on DATE, details {details});
         CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), status TEXT, amount DECIMAL(10,2), paid DECIMAL(10,2), ordered_on DATE, shipped_on DATE);"
    );
    catalog(dialect, &script)
}

fn compiles(view: &Value) {
    let spec = ViewSpec::from_json(view.clone()).unwrap_or_else(|e| panic!("{e}\n{view}"));
    for dialect in ALL {
        let sql = compile_view(std::slice::from_ref(&spec), &shop(dialect), &Profile::default(), &[], dialect);
        sql.unwrap_or_else(|e| panic!("{dialect:?}: {e}\n{view}"));
    }
}

/// Returns the forms of the page, each with the part of a view that it belongs to. Expressions are placed in
/// dimensions.
fn forms() -> Vec<(&'static str, Value)> {
    let lines = PAGE.lines().filter_map(|line| line.split_once(": "));
    let forms = lines.filter(|(part, _)| part.chars().all(char::is_alphabetic));
    let form = |(part, form): (&'static str, &str)| {
        let form = form.split(" # ").next().unwrap_or_default();
        let form = form.replace("\"column\": V", "\"column\": \"status\"");
        let form = serde_json::from_str(&form).unwrap_or_else(|e| panic!("{e}: {form}"));
        match part {
            "V" => ("dimensions", json!({"column": form, "name": "v"})),
            part => (part, form),
        }
    };
    forms.map(form).collect()
}

/// Returns a view that contains the form.
fn with(part: &str, form: &Value) -> Value {
    let mut view = json!({
        "name": "v",
        "source": [{"table": "orders"}],
        "dimensions": [
            {"column": "ordered_on", "by": "month", "name": "month"},
            {"column": "status", "name": "kind"},
        ],
        "metrics": [{"name": "total", "agg": "sum", "of": "amount"}, {"name": "lines", "agg": "count"}],
    });
    match (part, form) {
        ("source", _) => {
            view = json!({"name": "v", "source": [form], "dimensions": [], "metrics": [{"name": "n", "agg": "count"}]});
        }
        ("joins", _) => {
            view["source"] = json!([{"table": "orders"}, {"table": "customer"}]);
            view["dimensions"] = json!([{"column": "name"}]);
            view["metrics"] = json!([]);
            view["joins"] = json!([form]);
        }
        ("top", _) => view["top"] = form.clone(),
        (part, _) => {
            if form.to_string().contains("customer.") {
                view["source"] = json!([{"table": "orders"}, {"table": "customer"}]);
            }
            if part == "dimensions" {
                view[part] = json!([]);
            }
            match view[part].as_array_mut() {
                Some(forms) => forms.push(form.clone()),
                None => view[part] = json!([form]),
            }
        }
    }
    view
}

#[test]
fn every_form_of_the_page_is_one_in_every_dialect() {
    let forms = forms();
    let parts =
        ["source", "joins", "dimensions", "metrics", "conditions", "ratios", "windows", "having", "top", "order"];
    for part in parts {
        assert!(forms.iter().any(|(of, _)| *of == part), "the page does not show {part}");
    }
    for (part, form) in &forms {
        compiles(&with(part, form));
    }
    let examples: Vec<Value> =
        PAGE.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(examples.len(), 3);
    examples.iter().for_each(compiles);
    assert!(PAGE.lines().count() < 60, "the page is long");
}

/// Describes how a value violates a schema; references are followed.
fn fault(value: &Value, schema: &Value, root: &Value) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        return fault(value, &root["$defs"][name.trim_start_matches("#/$defs/")], root);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = choices.iter().any(|choice| fault(value, choice, root).is_none());
        return (!fits).then(|| format!("{value} is none of {} forms", choices.len()));
    }
    if let Some(choices) = schema["enum"].as_array() {
        return (!choices.contains(value)).then(|| format!("{value} is not among the names"));
    }
    match (value, schema["type"].as_str()?) {
        (Value::Object(parts), "object") => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let missing = required.filter(|name| !parts.contains_key(*name)).map(|name| format!("{name} is missing"));
            let properties = &schema["properties"];
            let inside = parts.iter().filter_map(|(name, part)| match properties.get(name) {
                Some(schema) => fault(part, schema, root).map(|fault| format!("{name}: {fault}")),
                None => Some(format!("{name} is unknown")),
            });
            missing.chain(inside).next()
        }
        (Value::Array(items), "array") => items.iter().find_map(|item| fault(item, &schema["items"], root)),
        (Value::String(_), "string") | (Value::Number(_), "number") | (Value::Bool(_), "boolean") => None,
        (Value::Number(number), "integer") if number.is_i64() => None,
        (value, kind) => Some(format!("{value} is no {kind}")),
    }
}

#[test]
fn a_model_that_deliberates_is_offered_every_form() {
    let catalog = shop(Dialect::Sqlite);
    let offered = json_schema(&catalog, &Profile::default(), &[], Offer::Whole);
    let root = json!({"$defs": offered.definitions});
    for (part, form) in forms() {
        let mut view = with(part, &form);
        view["rationale"] = json!("why");
        for part in ["conditions", "dimensions", "metrics"] {
            if view[part].is_null() {
                view[part] = json!([]);
            }
        }
        assert_eq!(fault(&view, &offered.view, &root), None, "{view}");
    }
    // A table that is read twice, and a view of the same reply: their columns are not in the catalog.
    let twice = json!({"name": "v", "rationale": "", "source": [{"table": "customer", "alias": "buyer"}, {"table": "monthly"}],
        "dimensions": [{"column": "buyer.name"}, {"column": "monthly.revenue"}], "metrics": [], "conditions": []});
    assert_eq!(fault(&twice, &offered.view, &root), None);
    let unknown = json!({"name": "v", "rationale": "", "source": [{"from": "orders"}], "dimensions": [], "metrics": [], "conditions": []});
    assert!(fault(&unknown, &offered.view, &root).is_some(), "the form is still held to");
}

#[test]
fn what_is_null_counts_as_left_out() {
    let written = json!({"name": "v", "rationale": null, "source": [{"table": "orders", "alias": null, "union": null}],
        "dimensions": [{"column": "status", "by": null, "name": null}],
        "metrics": [{"name": "n", "agg": "count", "of": null, "conditions": null}],
        "conditions": [{"column": "amount", "op": ">", "values": null, "to": "paid"}],
        "joins": null, "ratios": null, "windows": null, "having": null, "distinct": null, "top": null, "order": null, "limit": null});
    compiles(&written);
    let wrong = ViewSpec::from_json(
        json!({"name": "v", "source": [], "metrics": [{"name": "n", "agg": "sum", "of": {"if": 1}}]}),
    );
    assert_eq!(
        wrong.expect_err("no value"),
        "{\"if\":1} is no value: write a column's name, a number, or an object with left, op, right; from, to, in; case, else; \
         cast, to; or column, path, as"
    );
}
