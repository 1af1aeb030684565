//! Splits a query into a chain of steps that a user can read one by one: tables with their filters, joins, groups,
//! order. Each step is an executable query, and the last one returns the result of the whole query.
//!
//! A step may be coarser than possible, but is never wrong: a part that is not supported stays whole
//! ([`StepKind::Query`]).

mod arrange;
mod behind;
mod branch;
mod chain;
mod columns;
mod facts;
mod from;
mod group;
mod lists_first;
mod members;
mod names;
mod phrases;
mod plan;
mod query;
mod render;
mod resolve;
mod results;
mod scheme;
mod select;
mod sets;
mod slots;
mod steps;
#[cfg(test)]
mod tests;
mod texts;
mod write;

pub use behind::{Behind, CellOf};
pub use phrases::{
    DisplayNames, Rows, column_of, constants_of, describe_conditions, describe_shared_key, describe_sql,
    identifier_words, largest_first, one_by_one, plain_phrase, rows_where,
};
pub use scheme::Scheme;
pub use steps::{
    Aggregate, Expression, JoinKind, Limit, NotTakenApart, OrderKey, Origin, Output, SetKind, Step, StepColumn,
    StepKind, Steps,
};
use vitrine_words::tr;

use branch::Target;
use chain::Chain;
use vitrine_domain::Catalog;
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{row_limits_of, top_as_fetch};

/// Splits a query into steps.
///
/// # Errors
/// Returns the reason if the whole query would be a single unsupported step.
pub fn take_apart(sql: &ReadOnlySql, catalog: &Catalog) -> Result<Steps, NotTakenApart> {
    let unread = || NotTakenApart::with_reason(tr!("the query's tree does not say all that its text says"));
    sql.written_out().ok_or_else(unread)?;
    let taken = sql.with_query(|mut query| {
        names::as_read(&mut query, sql.dialect());
        row_limits_of(&mut query, sql.dialect());
        top_as_fetch(&mut query);
        let mut chain = Chain::new(sql, catalog, &query);
        chain.build_branch(&query, Target::Result)?;
        Ok(chain.into_steps())
    });
    let steps = taken.ok_or_else(unread)??;
    if let [Step { kind: StepKind::Query { reason }, .. }] = steps.steps() {
        return Err(NotTakenApart::with_reason(reason));
    }
    sql.prove_text(&steps.full_sql())
        .ok_or_else(|| NotTakenApart::with_reason(tr!("the steps are not read back as a query")))?;
    Ok(steps)
}

/// A value, or the reason why a part cannot be split.
type Outcome<T> = Result<T, NotTakenApart>;

/// Returns an error with the reason to leave a part whole.
fn unsupported_part<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(NotTakenApart::with_reason(reason))
}
