//! Parts of a query, without the parser's types: its views, its constants, the names of its columns.

mod blanks;
mod column_names;
mod condition_guards;
mod condition_names;
mod conditions;
mod constant_subject;
mod constants;
mod ctes;
mod literals;
mod named_tables;
mod order;
mod parameters;
mod program;
mod rename;

pub use blanks::{fill_blanks, find_blank_names, kind_by_spelling};
pub use column_names::name_columns;
pub use condition_names::condition_names;
pub use conditions::{RowCondition, list_conditions};
pub use constant_subject::Subject;
pub use constants::{PlacedConstant, list_constants};
pub use ctes::{Cte, CteProgram, find_table_reads, split_ctes};
pub use literals::{Literal, collect_literals, collect_query_constants};
pub use named_tables::named_tables;
pub use order::{FirstKey, first_key, is_descending, is_limited};
pub use parameters::{
    Bound, Parameter, ParameterKind, Unfit, compared_with, extract_parameters, find_row_limit, with_values,
};
pub use program::{build_program, sort_topologically, with_views};
pub use rename::read_instead;
