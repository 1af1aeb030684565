//! Compiles metric queries. A query is planned as values computed from leaves ([`plan`]); leaves with the same rows are
//! aggregated together ([`part`]), periods without rows are added ([`days`]), parts are merged by their dimensions
//! ([`merge`]), and formulas, comparisons, shares and the order follow ([`outputs`]).

mod additivity;
mod column;
mod comparison;
mod compiler;
mod days;
mod leaf;
mod meaning;
mod merge;
mod outputs;
mod part;
mod plan;
mod request;
mod rows;
mod scope;
mod time;

pub(crate) use plan::base_tables;
pub use request::{Comparison, CompiledQuery, KeyCheck, MetricQuery};

use crate::definition::MetricsFile;
use crate::problem::MetricError;
use compiler::Compiler;
use plan::plan_query;
use vitrine_domain::Catalog;
use vitrine_sql::{ReadOnlySql, bind_names};
use vitrine_words::tr;

/// Compiles a metric query to one read-only query in the catalog's dialect. Every name in it is bound to the catalog.
///
/// # Errors
/// Fails if a metric or dimension does not exist, if no join path or several lead to a dimension, or if a definition
/// does not fit the database.
pub fn compile_query(file: &MetricsFile, catalog: &Catalog, query: &MetricQuery) -> Result<CompiledQuery, MetricError> {
    let plan = plan_query(file, catalog.dialect, query)?;
    let compiler = Compiler::new(file, catalog, &plan);
    let text = outputs::write_query(&compiler, query)?;
    let rejected = |why: String| {
        MetricError::new(tr!("The query of these metrics is rejected: {why}", why))
            .with_hint(tr!("Check the expressions of the definitions: vitrine metrics check --warehouse W"))
    };
    let sql = ReadOnlySql::parse(&text, catalog.dialect).map_err(|why| rejected(why.in_words()))?;
    if let Some(problem) = bind_names(&sql, catalog).problems.first() {
        return Err(rejected(problem.to_string()));
    }
    Ok(CompiledQuery { sql, key_checks: compiler.take_key_checks()? })
}
