//! DuckDB's own parse of a text: the tree from `json_serialize_sql`. Only SELECT statements have one.

use super::unread::Unread;
use crate::OpenOptions;
use crate::engines::duck::open;
use duckdb::Connection;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::{Mutex, PoisonError};
use vitrine_sql::{EngineReading, SqlRejection, UnlistedPivot, same_name, unlisted_pivot};
use vitrine_words::{Worded, join_with_or, tr};

/// Memory limit of the parser's connection in bytes.
const MEMORY: u64 = 256 << 20;

/// Allowed classes of expressions. Other classes may have side effects.
const CLASSES: &[&str] = &[
    "BETWEEN",
    "CASE",
    "CAST",
    "COLLATE",
    "COLUMN_REF",
    "COMPARISON",
    "CONJUNCTION",
    "CONSTANT",
    "DEFAULT",
    "FUNCTION",
    "LAMBDA",
    "LAMBDA_REF",
    "OPERATOR",
    "POSITIONAL_REFERENCE",
    "STAR",
    "SUBQUERY",
    "WINDOW",
];

/// Allowed types of queries, tables and their modifiers.
const TYPES: &[&str] = &[
    "ASCENDING",
    "BASE_TABLE",
    "CTE_NODE",
    "DESCENDING",
    "DISTINCT_MODIFIER",
    "EMPTY",
    "EXPRESSION_LIST",
    "JOIN",
    "LIMIT_MODIFIER",
    "LIMIT_PERCENT_MODIFIER",
    "ORDER_DEFAULT",
    "ORDER_MODIFIER",
    "PIVOT",
    "RECURSIVE_CTE_NODE",
    "SELECT_NODE",
    "SET_OPERATION_NODE",
    "SUBQUERY",
    "TABLE_FUNCTION",
];

/// Allowed parameters of types, such as the scale of a decimal or the members of a list. Expressions in them are
/// checked like all others.
const TYPE_INFOS: &[&str] = &[
    "ARRAY_TYPE_INFO",
    "DECIMAL_TYPE_INFO",
    "ENUM_TYPE_INFO",
    "GENERIC_TYPE_INFO",
    "INTEGER_LITERAL_TYPE_INFO",
    "LIST_TYPE_INFO",
    "STRING_TYPE_INFO",
    "STRUCT_TYPE_INFO",
    "UNBOUND_TYPE_INFO",
];

/// Parses the text with DuckDB.
pub(super) fn read_statement(sql: &str) -> Result<EngineReading, Unread> {
    let tree = parse_tree(&serialize_statement(sql)?)?;
    match tree.get("error_type").and_then(Value::as_str) {
        None => {}
        Some("parser") => return Err(Unread::NotSql),
        Some(_) if begins_with_pivot(sql) => {
            let pivot = unlisted_pivot(sql).ok_or(Unread::Refused(without_values()))?;
            return read_unlisted(&pivot);
        }
        Some(_) => {
            let message = tree.get("error_message").and_then(Value::as_str).unwrap_or_default();
            return Err(Unread::engine_error(message.trim_end_matches('!')));
        }
    }
    let statements = tree.get("statements").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let [statement] = statements else { return Err(Unread::Refused(SqlRejection::NotOneStatement)) };
    let mut reading = EngineReading::default();
    walk_tree(statement, false, &[], &mut reading)?;
    let node = statement.get("node").unwrap_or(&Value::Null);
    let modifiers = node.get("modifiers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let modifier = |kind: &str| modifiers.iter().find(|modifier| modifier["type"] == kind);
    reading.ordered = modifier("ORDER_MODIFIER").is_some();
    reading.limit = modifier("LIMIT_MODIFIER").and_then(|limit| limit["limit"]["value"]["value"].as_u64());
    Ok(reading)
}

/// Parses a PIVOT in the form in which it runs, with its values looked up first.
fn read_unlisted(pivot: &UnlistedPivot) -> Result<EngineReading, Unread> {
    let mut reading = read_statement(&pivot.with_one_value())?;
    for asked in pivot.value_queries() {
        let values = read_statement(asked)?;
        reading.functions.extend(values.functions);
        reading.table_functions.extend(values.table_functions);
        reading.operators.extend(values.operators);
        reading.tables.extend(values.tables);
        reading.names.stored.extend(values.names.stored);
        reading.of_a_person = reading.of_a_person.or(values.of_a_person);
    }
    reading.of_a_person.get_or_insert_with(without_values);
    Ok(reading)
}

fn without_values() -> SqlRejection {
    SqlRejection::unclear(|| tr!("PIVOT without its values; name them: PIVOT t ON x IN ('a', 'b') USING sum(y)"))
}

/// Parses on a shared connection, which has no tables, reads no files and keeps nothing.
fn serialize_statement(sql: &str) -> Result<String, Unread> {
    static PARSER: Mutex<Option<Connection>> = Mutex::new(None);
    let failed = |error: duckdb::Error| Unread::engine_error(crate::engines::duck::error_message(&error));
    let mut parser = PARSER.lock().unwrap_or_else(PoisonError::into_inner);
    let connection = match parser.take() {
        Some(connection) => connection,
        None => {
            let options = OpenOptions { memory_bytes: MEMORY, threads: 1, ..OpenOptions::default() };
            let connection = open::in_memory(&options).map_err(failed)?;
            open::lock_connection(&connection, &[]).map_err(failed)?;
            connection
        }
    };
    let tree = connection.query_row("SELECT json_serialize_sql(?::VARCHAR)::VARCHAR", [sql], |row| row.get(0));
    // A connection that failed is not reused.
    let tree = tree.map_err(failed)?;
    *parser = Some(connection);
    Ok(tree)
}

fn parse_tree(tree: &str) -> Result<Value, Unread> {
    let mut reader = serde_json::Deserializer::from_str(tree);
    // The text has a limited length, and the stack is large.
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).map_err(|error| Unread::engine_error(error.to_string()))
}

/// Visits every object of the tree, under any member name, so that nothing is missed. `views` are the views of the query
/// that can be read here.
fn walk_tree(
    value: &Value,
    is_table_function: bool,
    views: &[&str],
    reading: &mut EngineReading,
) -> Result<(), Unread> {
    let object = match value {
        Value::Array(items) => return items.iter().try_for_each(|item| walk_tree(item, false, views, reading)),
        Value::Object(object) => object,
        _ => return Ok(()),
    };
    record_object(object, is_table_function, reading)?;
    note_stored(object, views, reading);
    let defined = object.get("cte_map").and_then(|map| map.get("map")).and_then(Value::as_array);
    let mut views = views.to_vec();
    for view in defined.into_iter().flatten() {
        walk_tree(view, false, &views, reading)?;
        views.extend(view["key"].as_str());
    }
    let is_source = member_text(object, "type") == "TABLE_FUNCTION";
    for (name, value) in object.iter().filter(|(name, _)| defined.is_none() || *name != "cte_map") {
        // Only these parts of a view read the view itself.
        let sees_itself = matches!(
            (member_text(object, "type"), name.as_str()),
            ("RECURSIVE_CTE_NODE", "right") | ("CTE_NODE", "child")
        );
        let own = Some(member_text(object, "cte_name")).filter(|_| sees_itself);
        let views: Vec<&str> = views.iter().copied().chain(own).collect();
        walk_tree(value, is_source && name == "function", &views, reading)?;
    }
    Ok(())
}

/// Records a table unless it is one of the views that can be read here.
fn note_stored(object: &Map<String, Value>, views: &[&str], reading: &mut EngineReading) {
    if !object.contains_key("table_name") || object.get("class").is_some() {
        return;
    }
    let parts = ["catalog_name", "schema_name", "table_name"].map(|part| member_text(object, part).to_owned());
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if !matches!(parts.as_slice(), [name] if views.iter().any(|view| same_name(view, name))) {
        reading.names.stored.push(parts);
    }
}

fn record_object(
    object: &Map<String, Value>,
    is_table_function: bool,
    reading: &mut EngineReading,
) -> Result<(), Unread> {
    let name = |parts: &[&str]| -> Vec<String> {
        parts.iter().map(|part| member_text(object, part)).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    match object.get("class") {
        Some(Value::String(class)) if class == "PARAMETER" => {
            let name = format!("${}", member_text(object, "identifier"));
            return Err(Unread::Refused(SqlRejection::Parameter { name }));
        }
        Some(Value::String(class)) if CLASSES.contains(&class.as_str()) => {}
        Some(class) => {
            return Err(Unread::unclear(|| {
                tr!("an expression of a kind that is not known here: {kind}", kind = class)
            }));
        }
        None => match object.get("type") {
            Some(Value::String(kind)) if kind == "SHOW_REF" => return note_shown(object, reading),
            Some(Value::String(kind)) if ![TYPES, TYPE_INFOS].iter().any(|known| known.contains(&kind.as_str())) => {
                return Err(Unread::unclear(|| tr!("a clause of a kind that is not known here: {kind}", kind)));
            }
            _ => {}
        },
    }
    note_names(object, reading);
    if object.contains_key("function_name") {
        let called = name(&["catalog", "schema", "function_name"]);
        if object.get("is_operator") == Some(&Value::Bool(true)) {
            reading.operators.push(member_text(object, "function_name").to_owned());
        } else if is_table_function {
            reading.table_functions.push(called);
        } else {
            reading.functions.push(called);
        }
    } else if is_table_function {
        return Err(Unread::unclear(|| tr!("a table that something other than a function gives")));
    }
    if object.contains_key("table_name") {
        reading.tables.push(name(&["catalog_name", "schema_name", "table_name"]));
    }
    Ok(())
}

/// Records the subject of SHOW, DESCRIBE and SUMMARIZE: the columns of a query, which is parsed like any other, or a
/// list about the database.
fn note_shown(object: &Map<String, Value>, reading: &mut EngineReading) -> Result<(), Unread> {
    const LISTS: &[&str] = &["\"databases\"", "\"schemas\"", "\"tables\"", "__show_tables_expanded"];
    let rejection =
        || SqlRejection::NotAQuery { what: Worded::new(|| join_with_or(&["SHOW".to_owned(), "DESCRIBE".to_owned()])) };
    reading.of_a_person.get_or_insert_with(rejection);
    reading.names.unnamed = true;
    let list = member_text(object, "table_name");
    if object.get("query").is_some_and(|query| !query.is_null()) {
        return Ok(());
    }
    if !LISTS.contains(&list) && member_text(object, "show_type") != "SHOW_FROM" {
        return Err(Unread::Refused(rejection()));
    }
    // The name is not a table of the catalog, so the columns of the result are unknown.
    reading.names.tables.push(vec![list.to_owned()]);
    Ok(())
}

/// Records possible names of stored columns.
fn note_names(object: &Map<String, Value>, reading: &mut EngineReading) {
    let names = &mut reading.names;
    let list = |name: &str| -> Vec<String> {
        let texts = object.get(name).and_then(Value::as_array).into_iter().flatten();
        texts.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    match member_text(object, "class") {
        "COLUMN_REF" => names.add_reference(&list("column_names")),
        "STAR" | "POSITIONAL_REFERENCE" => names.unnamed = true,
        _ => {}
    }
    // PIVOT and descriptions read all columns, and a list of aliases hides the original names.
    let is_whole = matches!(member_text(object, "type"), "PIVOT" | "SHOW_REF") && !object.contains_key("class");
    names.unnamed |= is_whole || !list("column_name_alias").is_empty();
    // The alias of an expression is a name of the result.
    let alias = Some(member_text(object, "alias")).filter(|alias| !alias.is_empty() && !object.contains_key("class"));
    names.aliases.extend(alias.map(str::to_owned));
    names.views.extend(Some(member_text(object, "cte_name")).filter(|name| !name.is_empty()).map(str::to_owned));
    let views = object.get("cte_map").and_then(|views| views.get("map")).and_then(Value::as_array);
    names.views.extend(views.into_iter().flatten().filter_map(|view| view["key"].as_str()).map(str::to_owned));
    for name in list("using_columns") {
        names.columns.push((None, name));
    }
    if object.contains_key("table_name") && object.get("class").is_none() {
        let parts = ["catalog_name", "schema_name", "table_name"].map(|part| member_text(object, part));
        names.tables.push(parts.into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect());
    }
}

fn member_text<'v>(object: &'v Map<String, Value>, name: &str) -> &'v str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Returns true if the text starts with PIVOT: DuckDB creates several statements if it has to look up the values first.
fn begins_with_pivot(sql: &str) -> bool {
    let words = sql.to_ascii_uppercase();
    words.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "PIVOT" || word == "PIVOT_WIDER")
}
