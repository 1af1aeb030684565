//! The names in a statement that PostgreSQL resolves, extracted with PostgreSQL's own parser.

use crate::large_stack::on_a_large_stack;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Keywords that were added after PostgreSQL 10, by the kinds of their nodes.
const LATER_WORDS: [(&str, &[&str]); 10] = [
    ("JsonObjectConstructor", &["json_object"]),
    ("JsonArrayConstructor", &["json_array"]),
    ("JsonArrayQueryConstructor", &["json_array"]),
    ("JsonObjectAgg", &["json_objectagg"]),
    ("JsonArrayAgg", &["json_arrayagg"]),
    ("JsonParseExpr", &["json"]),
    ("JsonScalarExpr", &["json_scalar"]),
    ("JsonSerializeExpr", &["json_serialize"]),
    ("JsonFuncExpr", &["json_exists", "json_query", "json_value"]),
    ("JsonTable", &["json_table"]),
];

/// The node kinds of BETWEEN and its variants, which contain a keyword instead of an operator.
const BETWEENS: std::ops::RangeInclusive<u64> = 11..=14;

/// A name and its schema, if it is qualified.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) schema: Option<String>,
    pub(super) name: String,
}

/// The kind of an item in FROM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RowSource {
    /// A table or view of this name.
    Relation(String),
    /// A subquery or a WITH query, whose rows have no named type.
    Query,
    /// An item whose rows can have any type.
    Other,
}

/// All names of a statement that could lead to code of the database's owner.
#[derive(Debug, Default)]
pub(super) struct StatementNames {
    pub(super) functions: BTreeSet<Name>,
    /// Keywords that an older server would resolve as function names.
    pub(super) words: BTreeSet<Name>,
    pub(super) operators: BTreeSet<Name>,
    pub(super) types: BTreeSet<Name>,
    pub(super) relations: BTreeSet<Name>,
    /// Names after an expression and a dot: `(expression).name` can also call a function.
    pub(super) fields: BTreeSet<String>,
    /// Names after another name and a dot: `t.name` calls a function on the row if the row has no such column.
    pub(super) row_fields: BTreeSet<(String, String)>,
    /// True for a query, which may have no columns.
    pub(super) is_query: bool,
    sources: Vec<(String, RowSource)>,
    queries: BTreeSet<String>,
}

impl StatementNames {
    /// Parses a statement and collects its names.
    ///
    /// # Errors
    /// Returns the parser's message if the text is not a statement.
    pub(super) fn from_sql(sql: &str) -> Result<Self, String> {
        let read = || {
            let tree = pg_query::parse(sql, 0).map_err(|error| match error {
                pg_query::Error::Parse(message) => message,
                error => error.to_string(),
            })?;
            let tree = serde_json::to_value(&tree.protobuf).map_err(|error| error.to_string())?;
            let is_query = tree["stmts"][0]["stmt"]["node"].get("SelectStmt").is_some();
            let mut names = Self { is_query, ..Self::default() };
            names.walk_tree(&tree);
            Ok(names)
        };
        on_a_large_stack(read).unwrap_or_else(|| Err("the statement could not be read to its end".to_owned()))
    }

    /// Visits every object of the tree, independent of the field that contains it, so that no name is missed.
    fn walk_tree(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.walk_tree(item)),
            Value::Object(object) => {
                for (kind, node) in object.iter().filter(|(name, _)| name.starts_with(|c: char| c.is_ascii_uppercase()))
                {
                    self.note_node(kind, node);
                }
                self.note_parts(object);
                object.values().for_each(|value| self.walk_tree(value));
            }
            _ => {}
        }
    }

    fn note_node(&mut self, kind: &str, node: &Value) {
        let later = LATER_WORDS.iter().filter(|(of, _)| *of == kind).flat_map(|(_, words)| *words);
        self.words.extend(later.map(|word| unqualified_name(word)));
        let alias = node["alias"]["aliasname"].as_str().unwrap_or_default().to_owned();
        match kind {
            "AExpr" if node["kind"].as_u64().is_some_and(|kind| BETWEENS.contains(&kind)) => {
                self.operators.extend(["<", "<=", ">", ">="].map(unqualified_name));
            }
            "AExpr" => self.operators.extend(qualified_name(&node["name"])),
            // These constructs compare without a written operator.
            "SubLink" if is_set(&node["testexpr"]) && !is_set(&node["oper_name"]) => self.add_equality_operator(),
            "JoinExpr" => {
                if node["is_natural"] == true || is_set(&node["using_clause"]) {
                    self.add_equality_operator();
                }
                for alias in [alias, node["join_using_alias"]["aliasname"].as_str().unwrap_or_default().to_owned()] {
                    self.source(alias, RowSource::Other);
                }
            }
            "CaseExpr" if is_set(&node["arg"]) => self.add_equality_operator(),
            "ColumnRef" => {
                if let [.., source, name] = name_parts(&node["fields"]).as_slice()
                    && !name.is_empty()
                {
                    self.row_fields.insert((source.clone(), name.clone()));
                }
            }
            "AIndirection" => {
                self.fields.extend(name_parts(&node["indirection"]).into_iter().filter(|name| !name.is_empty()));
            }
            "RangeVar" => {
                let relation = node["relname"].as_str().unwrap_or_default().to_owned();
                let alias = if alias.is_empty() { relation.clone() } else { alias };
                self.source(alias, RowSource::Relation(relation));
            }
            "RangeSubselect" => self.source(alias, RowSource::Query),
            "RangeFunction" | "RangeTableFunc" | "JsonTable" => self.source(alias, RowSource::Other),
            "CommonTableExpr" => {
                self.queries.extend(node["ctename"].as_str().map(str::to_owned));
            }
            _ => {}
        }
    }

    /// Collects names from nodes that do not contain their kind.
    fn note_parts(&mut self, object: &Map<String, Value>) {
        for name in ["use_op", "oper_name"] {
            self.operators.extend(object.get(name).filter(|name| is_set(name)).and_then(qualified_name));
        }
        if let Some(name) = object.get("funcname").and_then(qualified_name) {
            if name.name == "normalize" {
                self.words.insert(unqualified_name("normalize"));
            }
            self.functions.insert(name);
        }
        if object.contains_key("typmods") {
            self.types.extend(object.get("names").and_then(qualified_name));
        }
        if let Some(name) = object.get("relname").and_then(Value::as_str) {
            let schema = object.get("schemaname").and_then(Value::as_str).filter(|schema| !schema.is_empty());
            self.relations.insert(Name { schema: schema.map(str::to_owned), name: name.to_owned() });
        }
    }

    fn add_equality_operator(&mut self) {
        self.operators.insert(unqualified_name("="));
    }

    fn source(&mut self, alias: String, source: RowSource) {
        if !alias.is_empty() {
            self.sources.push((alias, source));
        }
    }

    /// Returns all items of FROM with this name or alias.
    pub(super) fn sources_of(&self, alias: &str) -> Vec<RowSource> {
        let named = self.sources.iter().filter(|(name, _)| name == alias);
        named
            .map(|(_, source)| match source {
                RowSource::Relation(name) if self.queries.contains(name) => RowSource::Query,
                source => source.clone(),
            })
            .collect()
    }

    /// Returns kind, schema and name of all names for the lookup on the server.
    pub(super) fn lookup_names(&self) -> Vec<(&'static str, Option<&str>, &str)> {
        let sets = [
            ("function", &self.functions),
            ("word", &self.words),
            ("operator", &self.operators),
            ("type", &self.types),
            ("relation", &self.relations),
        ];
        let mut asked: Vec<(&'static str, Option<&str>, &str)> = sets
            .into_iter()
            .flat_map(|(kind, names)| names.iter().map(move |name| (kind, name.schema.as_deref(), name.name.as_str())))
            .collect();
        asked.extend(self.fields.iter().map(|name| ("field", None, name.as_str())));
        let row_fields: BTreeMap<&str, ()> = self.row_fields.iter().map(|(_, name)| (name.as_str(), ())).collect();
        asked.extend(row_fields.into_keys().map(|name| ("row", None, name)));
        asked
    }
}

fn unqualified_name(name: &str) -> Name {
    Name { schema: None, name: name.to_owned() }
}

/// Returns the last two parts of a name.
fn qualified_name(name: &Value) -> Option<Name> {
    let mut parts = name_parts(name);
    let name = parts.pop()?;
    Some(Name { schema: parts.pop(), name })
}

fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    }
}

fn name_parts(name: &Value) -> Vec<String> {
    let parts = name.as_array().into_iter().flatten();
    parts.map(|part| part["node"]["String"]["sval"].as_str().unwrap_or_default().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format_lookup_names(sql: &str) -> Vec<String> {
        let names = StatementNames::from_sql(sql).unwrap();
        let line = |(kind, schema, name): &(&str, Option<&str>, &str)| match schema {
            Some(schema) => format!("{kind} {schema}.{name}"),
            None => format!("{kind} {name}"),
        };
        names.lookup_names().iter().map(line).collect()
    }

    #[test]
    fn every_name_that_is_looked_up_is_found() {
        for (sql, names) in [
            ("SELECT upper(a) FROM t", vec!["function upper", "relation t"]),
            ("SELECT x.f(1) + 1", vec!["function x.f", "operator +"]),
            ("SELECT 1 OPERATOR(evil.+) 1", vec!["operator evil.+"]),
            ("SELECT a BETWEEN 1 AND 2", vec!["operator <", "operator <=", "operator >", "operator >="]),
            ("SELECT a IN (SELECT b FROM t)", vec!["operator =", "relation t"]),
            ("SELECT 1 FROM a JOIN b USING (c)", vec!["operator =", "relation a", "relation b"]),
            ("SELECT CASE a WHEN 1 THEN 2 END", vec!["operator ="]),
            ("SELECT a::own.kind[]", vec!["type own.kind"]),
            ("SELECT ('x'::text).f", vec!["type text", "field f"]),
            ("SELECT c.f FROM customer c", vec!["relation customer", "row f"]),
            ("SELECT a FROM t ORDER BY a USING <", vec!["operator <", "relation t"]),
            ("TABLE t", vec!["relation t"]),
            (
                "SELECT json_array(1), json_value(a, '$.b')",
                vec!["word json_array", "word json_exists", "word json_query", "word json_value"],
            ),
            ("SELECT * FROM f() AS x(a own_type)", vec!["function f", "type own_type"]),
            (
                "SELECT sum(a) FILTER (WHERE b LIKE 'x') OVER w FROM t WINDOW w AS (ORDER BY c)",
                vec!["function sum", "operator ~~", "relation t"],
            ),
        ] {
            assert_eq!(format_lookup_names(sql), names, "{sql}");
        }
    }

    #[test]
    fn items_of_from_are_known_by_their_names() {
        let names =
            StatementNames::from_sql("WITH v AS (SELECT 1) SELECT a.x FROM t a, v, (SELECT 2) q, unnest(b) u").unwrap();
        assert_eq!(names.sources_of("a"), [RowSource::Relation("t".to_owned())]);
        assert_eq!(names.sources_of("v"), [RowSource::Query]);
        assert_eq!(names.sources_of("q"), [RowSource::Query]);
        assert_eq!(names.sources_of("u"), [RowSource::Other]);
        assert_eq!(names.sources_of("t"), []);
    }
}
