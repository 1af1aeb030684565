//! Reading a query's tree, for rules and probes: tables of a FROM clause, joins, grain, conditions, counts, names. Only
//! the SQL crates (`sql`, `ddl`, `sql-rules`, `sql-steps`) name the parser's types.

mod catalog_tables;
mod conditions;
mod counts;
mod grain;
mod joins;
mod names;
mod select;
mod tables;

pub(crate) use catalog_tables::{Named, named};

pub use conditions::{and, conjuncts, constants, disjuncts, equated, is_column, or};
pub use counts::{Counted, count, counted, plain_arguments};
pub use grain::{Grain, Matches};
pub use joins::{Edge, Link, edges, links, on, path, sides, walk};
pub use names::{Names, columns, is_star};
pub use select::{
    aggregates, branches, branches_mut, cast, each_own_function, grouped, has_queries, parse_expr, parse_join, query_of,
};
pub use tables::{
    InScope, Relation, each_own_expr, each_query, each_select, factors, is_in_key, names_table, owner, place,
    relations, table_factor,
};

pub use crate::parse::{
    last_part, own_name, row_limit, row_limits_of, top_as_fetch, visit, visit_exprs, visit_exprs_mut, visit_mut,
    visit_table_names,
};
pub use crate::read_only::is_aggregate;
pub use crate::text::{ident, same_name};
