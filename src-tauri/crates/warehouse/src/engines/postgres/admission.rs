//! Admits a statement only if it cannot run code of the database's owner. The read-only proof identifies functions by
//! their names, but the database decides which function a name refers to. The check is repeated in the transaction of
//! every statement.

use super::family::Family;
use super::functions::{DIALECT, with_values};
use super::owner_code::{self, Reached};
use super::pool::Session;
use super::statement_names::{RowSource, StatementNames};
use crate::WarehouseError;
use std::future::Future;
use std::pin::Pin;
use tokio_postgres::{Error, Statement};
use vitrine_sql::{AllowedFunctions, ReadOnlySql, is_known_function, missing_function, runs_more};
use vitrine_words::tr;

/// Maximum depth of SQL functions that call each other and are still checked.
const DEPTH: usize = 3;

/// Prepares a statement in the search path in which it will run, if it is admitted. The outer error is the server's,
/// the inner one names the function that the statement would call.
pub(super) async fn prepare_admitted(
    session: &Session,
    sql: &str,
    allowed: &AllowedFunctions,
) -> Result<Result<Statement, WarehouseError>, Error> {
    if session.family != Family::Postgres {
        return session.client.prepare(sql).await.map(Ok);
    }
    let names = match StatementNames::from_sql(sql) {
        Ok(names) => names,
        Err(message) => return Ok(Err(WarehouseError::Query { message })),
    };
    if let Some(message) = (Admission { session, allowed }).find_refusal(&names, DEPTH).await? {
        return Ok(Err(WarehouseError::Refused { message }));
    }
    let statement = session.client.prepare(sql).await?;
    if names.is_query && statement.columns().is_empty() {
        // A result needs a column: a query without columns returns one NULL per row.
        let sql = format!("SELECT NULL::pg_catalog.text AS \"(no columns)\" FROM (\n{sql}\n) AS result");
        return session.client.prepare(&sql).await.map(Ok);
    }
    Ok(Ok(statement))
}

struct Admission<'a> {
    session: &'a Session,
    allowed: &'a AllowedFunctions,
}

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

impl Admission<'_> {
    /// Returns the reason why a statement with these names is refused.
    fn find_refusal<'a>(&'a self, names: &'a StatementNames, depth: usize) -> Answer<'a, Option<String>> {
        Box::pin(async move {
            let session = self.session;
            let question = owner_code::build_lookup_statements(names, &session.path, session.has_jit);
            let answers = owner_code::parse_answers(&session.client.simple_query(&question).await?);
            for reached in &answers {
                if !self.is_harmless(names, reached, &answers, depth).await? {
                    return Ok(Some(explain_refusal(reached)));
                }
            }
            Ok(None)
        })
    }

    async fn is_harmless(
        &self,
        names: &StatementNames,
        reached: &Reached,
        answers: &[Reached],
        depth: usize,
    ) -> Result<bool, Error> {
        if self.allowed.allows_function(&[&reached.schema, &reached.function]) {
            return Ok(true);
        }
        let is_listed = || is_known_function(&reached.function, DIALECT);
        Ok(match reached.kind.as_str() {
            "column" => true,
            "missing" => false,
            // A view may call functions that a query may not, and an extension may run text as SQL.
            _ if reached.is_trusted && is_listed() => true,
            _ if reached.is_trusted => match reached.volatility.as_str() {
                "i" => true,
                "s" => {
                    reached.kind != "field" && reached.schema == "pg_catalog" && !runs_more(&reached.function, DIALECT)
                }
                _ => false,
            },
            "row" if is_a_column(names, reached, answers) => true,
            "planned" if reached.language != "sql" && !calls_constants(reached.tree.as_deref().unwrap_or_default()) => {
                true
            }
            _ => self.only_computes(reached, depth).await?,
        })
    }

    /// Returns true if a function in SQL has a read-only proof. Its names are resolved in the search path of the
    /// statement that calls it.
    async fn only_computes(&self, reached: &Reached, depth: usize) -> Result<bool, Error> {
        let Some(body) = reached.body.as_deref().filter(|_| depth > 0) else { return Ok(false) };
        if ReadOnlySql::parse_with(&with_values(body), DIALECT, self.allowed).is_err() {
            return Ok(false);
        }
        match StatementNames::from_sql(body) {
            Ok(names) => Ok(self.find_refusal(&names, depth - 1).await?.is_none()),
            Err(_) => Ok(false),
        }
    }
}

/// Returns true if every `t.name` in the statement refers to a column.
fn is_a_column(names: &StatementNames, reached: &Reached, answers: &[Reached]) -> bool {
    let has_column = |relation: &str| {
        answers.iter().any(|other| other.kind == "column" && other.place == relation && other.function == reached.place)
    };
    let takes_any_row = reached.tree.as_deref() == Some("p");
    let is_column = |source: &RowSource| match source {
        RowSource::Relation(name) => has_column(name),
        // Rows of a subquery have no named type, for which the owner could have defined a function.
        RowSource::Query => !takes_any_row,
        RowSource::Other => false,
    };
    names.row_fields.iter().filter(|(_, name)| *name == reached.place).all(|(alias, _)| {
        let sources = names.sources_of(alias);
        !sources.is_empty() && sources.iter().all(is_column)
    })
}

/// Returns true if an expression that the planner simplifies contains a call without a column. The text is the server's
/// node tree, in which brackets within names are escaped with a backslash.
fn calls_constants(tree: &str) -> bool {
    const CALLS: [&str; 5] = ["{FUNCEXPR ", "{OPEXPR ", "{SCALARARRAYOPEXPR ", "{DISTINCTEXPR ", "{NULLIFEXPR "];
    let starts = CALLS.iter().flat_map(|call| tree.match_indices(call));
    starts.map(|(at, _)| node_at(tree, at)).any(|node| !node.contains("{VAR "))
}

/// Returns the node of a tree that begins at this index.
fn node_at(tree: &str, at: usize) -> &str {
    let (mut depth, mut escaped) = (0_usize, false);
    for (place, byte) in tree.bytes().enumerate().skip(at) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' if depth <= 1 => return &tree[at..=place],
            b'}' => depth -= 1,
            _ => {}
        }
    }
    &tree[at..]
}

/// Describes the call for the user, and how to allow it.
fn explain_refusal(reached: &Reached) -> String {
    let Reached { schema, function, place, .. } = reached;
    if reached.kind == "missing" {
        return missing_function(place, DIALECT).in_words();
    }
    let name = format!("{schema}.{function}");
    let called = match reached.kind.as_str() {
        "operator" => tr!("here the operator {place} calls {name}", place, name),
        "cast" => tr!("here the cast {place} calls {name}", place, name),
        "field" | "row" => tr!("a dot before {place} calls {name}", place, name),
        "view" => tr!("the view {place} calls {name}", place, name),
        "policy" => tr!("the row policy {place} calls {name}", place, name),
        "domain" => tr!("the check of the domain {place} calls {name}", place, name),
        "planned" => tr!("an index, a check or statistics of {place} call {name} when a query is planned", place, name),
        _ => tr!("here {place} calls {name}", place, name),
    };
    if reached.is_trusted {
        return tr!("{called}, which does more than compute", called);
    }
    tr!(
        "{called}, a function of the database's own, which may do more than compute. Where it only computes, allow {name} under Tables, Own functions, or with --allow-function {name}",
        called,
        name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_constants_are_told_from_calls_of_columns() {
        let call = |arguments: &str| format!("{{FUNCEXPR :funcid 16396 :args ({arguments}) :location 5}}");
        let constant = "{CONST :consttype 23 :constvalue 4 [ 7 0 0 0 ]}";
        let column = "{VAR :varno 1 :varattno 1}";
        assert!(calls_constants(&call(constant)));
        assert!(!calls_constants(&call(column)));
        assert!(calls_constants(&format!("{{BOOLEXPR :args ({} {column})}}", call(constant))));
        assert!(calls_constants(&call(&format!("{column} {}", call(constant)))));
        assert!(!calls_constants(&call(&format!("{} {constant}", call(column)))));
        assert!(!calls_constants(constant));
    }
}
