//! PostgreSQL's own parse of a text, with the parser of the server's source.

use super::unread::Unread;
use serde_json::{Map, Value};
use vitrine_sql::{EngineReading, NamesRead, SqlRejection};
use vitrine_words::tr;

/// Allowed kinds of nodes. Other kinds may have side effects.
const KINDS: &[&str] = &[
    "AArrayExpr",
    "AConst",
    "AExpr",
    "AIndices",
    "AIndirection",
    "AStar",
    "Alias",
    "BitString",
    "BoolExpr",
    "Boolean",
    "BooleanTest",
    "CaseExpr",
    "CaseWhen",
    "CoalesceExpr",
    "CollateClause",
    "ColumnDef",
    "ColumnRef",
    "CommonTableExpr",
    "CtecycleClause",
    "CtesearchClause",
    "Float",
    "FuncCall",
    "GroupingFunc",
    "GroupingSet",
    "Integer",
    "JoinExpr",
    "JsonAggConstructor",
    "JsonArgument",
    "JsonArrayAgg",
    "JsonArrayConstructor",
    "JsonArrayQueryConstructor",
    "JsonBehavior",
    "JsonFormat",
    "JsonFuncExpr",
    "JsonIsPredicate",
    "JsonKeyValue",
    "JsonObjectAgg",
    "JsonObjectConstructor",
    "JsonOutput",
    "JsonParseExpr",
    "JsonReturning",
    "JsonScalarExpr",
    "JsonSerializeExpr",
    "JsonTable",
    "JsonTableColumn",
    "JsonTablePathSpec",
    "JsonValueExpr",
    "List",
    "MinMaxExpr",
    "NamedArgExpr",
    "NullTest",
    "RangeFunction",
    "RangeSubselect",
    "RangeTableFunc",
    "RangeTableFuncCol",
    "RangeTableSample",
    "RangeVar",
    "ResTarget",
    "RowExpr",
    "SelectStmt",
    "SortBy",
    "SqlvalueFunction",
    "String",
    "SubLink",
    "TypeCast",
    "TypeName",
    "WindowDef",
    "WithClause",
    "XmlExpr",
    "XmlSerialize",
];

/// The node kinds of BETWEEN and its variants, which have a name instead of an operator.
const BETWEENS: std::ops::RangeInclusive<u64> = 11..=14;

/// Parses the text with PostgreSQL's parser.
pub(super) fn read_statement(sql: &str) -> Result<EngineReading, Unread> {
    let tree = match pg_query::parse(sql, 0) {
        Ok(tree) => tree.protobuf,
        Err(pg_query::Error::Parse(_)) => return Err(Unread::NotSql),
        Err(pg_query::Error::Decode(_)) => return Err(Unread::Refused(SqlRejection::TooDeep)),
        Err(error) => return Err(Unread::engine_error(error.to_string())),
    };
    let tree = serde_json::to_value(&tree).map_err(|error| Unread::engine_error(error.to_string()))?;
    let statements = tree["stmts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let [statement] = statements else { return Err(Unread::Refused(SqlRejection::NotOneStatement)) };
    let root = &statement["stmt"]["node"];
    let Some(select) = root.get("SelectStmt") else { return Err(refused_kind(root)) };
    let mut reading = EngineReading::default();
    walk_tree(root, &[], &mut reading)?;
    reading.ordered = select["sort_clause"].as_array().is_some_and(|keys| !keys.is_empty());
    // FETCH FIRST ... WITH TIES may return more rows.
    let with_ties = pg_query::protobuf::LimitOption::WithTies as i32;
    if select["limit_option"] != with_ties {
        reading.limit = select["limit_count"]["node"]["AConst"]["val"]["Ival"]["ival"].as_u64();
    }
    Ok(reading)
}

fn refused_kind(node: &Value) -> Unread {
    let kind = node.as_object().and_then(|node| node.keys().next()).map(String::as_str).unwrap_or_default();
    match kind {
        "InsertStmt" => Unread::writes("INSERT"),
        "UpdateStmt" => Unread::writes("UPDATE"),
        "DeleteStmt" => Unread::writes("DELETE"),
        "MergeStmt" => Unread::writes("MERGE"),
        "LockingClause" => Unread::writes("FOR UPDATE"),
        "ParamRef" => Unread::Refused(SqlRejection::Parameter { name: "$".to_owned() }),
        kind => Unread::unclear(|| tr!("something of a kind that is not known here: {kind}", kind)),
    }
}

/// Visits every object of the tree, under any member name, so that nothing is missed. `views` are the views of the query
/// that can be read here.
fn walk_tree(value: &Value, views: &[&str], reading: &mut EngineReading) -> Result<(), Unread> {
    let object = match value {
        Value::Array(items) => return items.iter().try_for_each(|item| walk_tree(item, views, reading)),
        Value::Object(object) => object,
        _ => return Ok(()),
    };
    record_object(object, reading)?;
    note_stored(object, views, reading);
    let with = object.get("with_clause").unwrap_or(&Value::Null);
    let defined = with["ctes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut views = views.to_vec();
    if with["recursive"] == true {
        views.extend(defined.iter().filter_map(view_name));
    }
    for view in defined {
        walk_tree(view, &views, reading)?;
        views.extend(view_name(view));
    }
    let is_left = |name: &str| name != "with_clause" || defined.is_empty();
    object.iter().filter(|(name, _)| is_left(name)).try_for_each(|(_, value)| walk_tree(value, &views, reading))
}

fn view_name(view: &Value) -> Option<&str> {
    view["node"]["CommonTableExpr"]["ctename"].as_str()
}

/// Records a table unless it is one of the views that can be read here.
fn note_stored(object: &Map<String, Value>, views: &[&str], reading: &mut EngineReading) {
    let part = |name: &str| object.get(name).and_then(Value::as_str).filter(|part| !part.is_empty());
    let parts: Vec<&str> = ["catalogname", "schemaname", "relname"].into_iter().filter_map(part).collect();
    if part("relname").is_some() && !matches!(parts.as_slice(), [name] if views.contains(name)) {
        reading.names.stored.push(parts.into_iter().map(str::to_owned).collect());
    }
}

/// Checks and records a node. A node is an object that names its kind, which is omitted where only one kind is
/// possible.
fn record_object(object: &Map<String, Value>, reading: &mut EngineReading) -> Result<(), Unread> {
    let kind = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
    let is_constant = |name: &str| matches!(name, "Ival" | "Fval" | "Boolval" | "Sval" | "Bsval");
    for (name, node) in object.iter().filter(|(name, _)| kind(name) && !is_constant(name)) {
        if !KINDS.contains(&name.as_str()) {
            return Err(refused_kind(&Value::Object(object.clone())));
        }
        if name == "ColumnRef" || name == "AIndirection" {
            let fields = name_parts(node.get("fields").or(node.get("indirection")).unwrap_or(&Value::Null));
            let skipped = usize::from(name == "ColumnRef");
            let is_part = name == "AIndirection";
            reading.parts.extend(fields.iter().filter(|field| is_part && !field.is_empty()).cloned());
            reading.members.extend(fields.into_iter().skip(skipped).filter(|field| !field.is_empty()));
        }
        if name == "ColumnRef" {
            reading.names.add_reference(&name_parts(node.get("fields").unwrap_or(&Value::Null)));
        }
        reading.names.unnamed |= name == "AStar";
        if name == "AExpr" && !node["kind"].as_u64().is_some_and(|kind| BETWEENS.contains(&kind)) {
            reading.operators.push(operator_name(&node["name"])?);
        }
    }
    note_names(object, &mut reading.names);
    let set = |name: &str| match object.get(name) {
        Some(Value::Array(items)) => !items.is_empty(),
        Some(value) => !value.is_null(),
        None => false,
    };
    if set("into_clause") {
        return Err(Unread::writes("SELECT INTO"));
    }
    if set("locking_clause") {
        return Err(Unread::writes("FOR UPDATE"));
    }
    for name in ["use_op", "oper_name"].into_iter().filter(|name| set(name)) {
        reading.operators.push(operator_name(&object[name])?);
    }
    if let Some(name) = object.get("funcname") {
        reading.functions.push(name_parts(name));
    }
    if object.contains_key("typmods") {
        let names = object.get("names").map(name_parts).unwrap_or_default();
        let is_own =
            |name: &&String| names.first().is_some_and(|first| first != "pg_catalog") || name.starts_with("reg");
        reading.types.extend(names.last().filter(is_own).cloned());
    }
    if object.contains_key("relname") {
        let part = |name: &str| object.get(name).and_then(Value::as_str).filter(|part| !part.is_empty());
        let parts = ["catalogname", "schemaname", "relname"].into_iter().filter_map(part);
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        reading.names.tables.push(parts.clone());
        reading.tables.push(parts);
    }
    Ok(())
}

/// Records names that the query defines, and lists of columns.
fn note_names(object: &Map<String, Value>, names: &mut NamesRead) {
    let one = |name: &str| object.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    names.views.extend(one("ctename"));
    names.aliases.extend(one("aliasname"));
    // `t(a, b)` hides the original names of the columns.
    names.unnamed |= object.get("colnames").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let merged = object.get("using_clause").map(name_parts).unwrap_or_default();
    names.columns.extend(merged.into_iter().map(|name| (None, name)));
}

/// Returns the name of an operator; rejects operators of other schemas than the system's, because they may call any
/// function.
fn operator_name(name: &Value) -> Result<String, Unread> {
    match name_parts(name).as_slice() {
        [name] => Ok(name.clone()),
        [schema, name] if schema == "pg_catalog" => Ok(name.clone()),
        _ => Err(Unread::unclear(|| tr!("an operator that is not known here"))),
    }
}

fn name_parts(name: &Value) -> Vec<String> {
    let parts = name.as_array().into_iter().flatten();
    parts.map(|part| part["node"]["String"]["sval"].as_str().unwrap_or_default().to_owned()).collect()
}
