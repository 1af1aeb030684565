//! Functions that read a query's syntax tree for rules and probes: tables of a FROM clause, joins, grain, conditions,
//! counts, names. Only the SQL crates (`sql`, `ddl`, `sql-rules`, `sql-steps`) use the parser's types.

mod catalog_tables;
mod conditions;
mod counts;
mod grain;
mod joins;
mod names;
mod select;
mod tables;

pub use catalog_tables::is_catalog_table;
pub(crate) use catalog_tables::{Named, resolve_table_name};

pub use conditions::{
    build_and, build_or, collect_conjuncts, collect_constants, collect_disjuncts, is_column, match_constant_equality,
};
pub use counts::{Counted, classify_count, plain_arguments, rewrite_count};
pub use grain::{Grain, Matches};
pub use joins::{
    Edge, JoinSide, Link, collect_join_edges, foreign_key_links, inner_join_condition, qualified_column,
    resolve_join_sides, walk_join_edges,
};
pub use names::{ColumnReferences, collect_columns, is_star};
pub use select::{
    branches_mut, build_cast, collect_aggregate_names, each_own_function, has_group_by, has_queries, parse_expr,
    parse_join, query_of, select_branches,
};
pub use tables::{
    InScope, Relation, each_own_expr, each_query, each_select, is_in_key, iter_relations, iter_table_factors,
    names_table, resolve_column_index, resolve_column_table, table_factor,
};

pub use crate::parse::{
    last_part, own_name, row_limit, row_limits_of, top_as_fetch, visit_exprs, visit_exprs_mut, visit_mut,
    visit_table_names, visit_tree,
};
pub use crate::read_only::is_aggregate;
pub use crate::text::{build_identifier, same_name};
