//! A query as a chain of steps: the model of each step, and the SQL that executes it.

use std::collections::BTreeMap;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{DialectExt, first_rows, quote_identifier, table_ref};

/// A query split into steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    pub(crate) dialect: Dialect,
    pub(crate) steps: Vec<Step>,
}

/// A step: a query over tables and earlier steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The name by which later steps read it; unique in the chain.
    pub name: String,
    /// The operation that it performs.
    pub kind: StepKind,
    /// The query of this step alone.
    pub sql: String,
    /// The steps and tables that it reads, in order of first use.
    pub reads: Vec<String>,
    /// The columns of its result.
    pub columns: Vec<StepColumn>,
    /// True if the columns are named in the definition of the step: `name(a, b) AS (...)`.
    pub(crate) declares_columns: bool,
    /// True if it is recursive.
    pub(crate) recursive: bool,
}

/// A column of a step's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepColumn {
    /// The name of the column in the step.
    pub name: String,
    /// The table column, if it is an unchanged one.
    pub origin: Option<Origin>,
}

/// A column of a table of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The catalog name of the table.
    pub table: String,
    /// The catalog name of the column.
    pub column: String,
}

/// A part of the query, whose columns are qualified if several tables have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// The SQL text of the expression.
    pub text: String,
    /// The table columns that it uses.
    pub columns: Vec<Origin>,
}

/// The operation of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepKind {
    /// Reads the rows of one table that meet all filters.
    Table {
        /// The catalog name of the table.
        table: String,
        /// The filters on the rows.
        filters: Vec<Expression>,
    },
    /// Joins rows of the left side with rows of the right side.
    Join {
        /// The unmatched rows that are kept.
        kind: JoinKind,
        /// The left step or table.
        left: String,
        /// The right step or table.
        right: String,
        /// The join condition; `None` for a cross join.
        condition: Option<Expression>,
    },
    /// Keeps the rows that meet all conditions.
    Filter {
        /// The conditions on the rows.
        conditions: Vec<Expression>,
    },
    /// Returns one row for each combination of keys, or a single row without keys.
    Group {
        /// The GROUP BY keys, in order.
        keys: Vec<Output>,
        /// The aggregates of each group.
        aggregates: Vec<Aggregate>,
        /// The order of the groups, if grouping sorts them.
        order: Vec<OrderKey>,
    },
    /// Keeps the groups that meet all conditions.
    Having {
        /// The conditions on the groups.
        conditions: Vec<Expression>,
    },
    /// Adds window functions: values computed from a row and its neighbours.
    Window {
        /// The columns that are added.
        outputs: Vec<Output>,
    },
    /// Computes columns row by row.
    Project {
        /// The columns that are computed.
        outputs: Vec<Output>,
    },
    /// Removes duplicate rows of the previous step.
    Distinct,
    /// Concatenates the results of two steps, or compares them row by row.
    SetOperation {
        /// The kind of the set operation.
        operation: SetKind,
        /// True if duplicates are kept.
        all: bool,
        /// The step or table of the first operand.
        left: String,
        /// The step or table of the second operand.
        right: String,
        /// Columns that are computed from the operands.
        computed: Vec<Output>,
    },
    /// Sorts rows and optionally keeps only the first of them.
    Order {
        /// The sort keys, most significant first.
        keys: Vec<OrderKey>,
        /// The limit on the sorted rows.
        limit: Option<Limit>,
        /// True if duplicates are removed, keeping the first by the order.
        distinct: bool,
    },
    /// Keeps the first rows in their existing order.
    Limit(Limit),
    /// Executes a part of the query that is not split.
    Query {
        /// The reason for not splitting it.
        reason: String,
    },
}

/// The unmatched rows that a join keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    /// Keeps only the matched rows.
    Inner,
    /// Keeps unmatched rows of the left side.
    Left,
    /// Keeps unmatched rows of the right side.
    Right,
    /// Keeps unmatched rows of both sides.
    Full,
    /// Combines all rows of both sides.
    Cross,
}

/// The kind of a set operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetKind {
    /// The rows of both operands.
    Union,
    /// The rows that are in both operands.
    Intersect,
    /// The rows of the first operand that are not in the second.
    Except,
}

/// A column that a step computes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The name of the column in the step.
    pub name: String,
    /// The expression of the column.
    pub value: Expression,
}

/// An aggregate of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    /// The name of the column in the step.
    pub name: String,
    /// The function in lower case.
    pub function: String,
    /// Its argument; `None` for `COUNT(*)`.
    pub argument: Option<Expression>,
    /// True if it aggregates distinct values.
    pub distinct: bool,
    /// The whole expression, including the function.
    pub value: Expression,
}

/// A key by which rows are sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderKey {
    /// The expression by which rows are sorted.
    pub value: Expression,
    /// True if it sorts in descending order.
    pub descending: bool,
}

/// A limit on the number of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// The maximum number of rows.
    pub count: Option<String>,
    /// The number of rows skipped before them.
    pub offset: Option<String>,
}

/// The reason why a query cannot be split: an essential part is not supported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotTakenApart {
    /// Description of the unsupported part.
    pub reason: String,
}

impl NotTakenApart {
    pub(crate) fn with_reason(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

impl Steps {
    /// Returns the steps; each reads only earlier ones. The last returns the query's result.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns a standalone query for the result of one step: the step after the steps that it needs. Empty if the step
    /// does not exist.
    pub fn sql_of(&self, index: usize) -> String {
        let Some(last) = self.steps.get(index) else { return String::new() };
        let before = self.steps[..index].iter().zip(self.needed_steps(index)).filter(|(_, needed)| *needed);
        let before = before.map(|(step, _)| step);
        // A step with views or declared column names cannot be the final query.
        let own = last.recursive || last.declares_columns || last.sql.starts_with("WITH ");
        let views: Vec<&Step> = before.chain(own.then_some(last)).collect();
        let body = if own {
            format!("SELECT * FROM {}", quote_identifier(&last.name, self.dialect))
        } else {
            last.sql.clone()
        };
        if views.is_empty() {
            return body;
        }
        let with = if views.iter().any(|step| step.recursive) { "WITH RECURSIVE" } else { "WITH" };
        let views: Vec<String> = views.into_iter().map(|step| self.view_definition(step)).collect();
        format!("{with} {}\n{body}", views.join(",\n"))
    }

    /// Returns the query of the whole chain, which has the original query's columns, rows and order.
    pub fn full_sql(&self) -> String {
        self.sql_of(self.steps.len().saturating_sub(1))
    }

    /// Returns for each step whether a step needs it, itself included.
    pub(crate) fn needed_steps(&self, index: usize) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        for at in (0..=index).rev().take(self.steps.len()) {
            needed[at] |= at == index;
            if needed[at] {
                let reads = |before: &usize| self.steps[at].reads.contains(&self.steps[*before].name);
                (0..at).filter(reads).for_each(|before| needed[before] = true);
            }
        }
        needed
    }

    /// Returns queries for [`Steps::gather`] that count the rows of every step and of every table that steps read, by
    /// name.
    pub fn row_count_queries(&self, catalog: &Catalog) -> BTreeMap<String, String> {
        let own = self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Table { table, .. } => Some(table),
            _ => None,
        });
        let is_step = |name: &str| self.steps.iter().any(|step| step.name == name);
        let read = self.steps.iter().flat_map(|step| &step.reads).filter(|name| !is_step(name));
        let tables = own.chain(read);
        let tables = tables.filter_map(|name| Some((name, table_ref(&catalog.find_table(name)?.name, self.dialect))));
        let steps = self.steps.iter().map(|step| (&step.name, quote_identifier(&step.name, self.dialect)));
        tables.chain(steps).map(|(name, of)| (name.clone(), format!("SELECT COUNT(*) FROM {of}"))).collect()
    }

    /// Returns a query for the results of counting `queries` over tables and steps, and for the first rows of some
    /// steps. Its first column identifies a row: the index of a query, followed by its number, or the number of queries
    /// plus the index of a step, followed by the step's columns. All columns but the first are text. Each step is
    /// computed once.
    pub fn gather_query(&self, queries: &[&str], samples: &[usize], rows: u64) -> String {
        let with = if self.steps.iter().any(|step| step.recursive) { "WITH RECURSIVE" } else { "WITH" };
        let keyword = self.dialect.sql().materialized_view_keyword();
        let views: Vec<String> = self.steps.iter().map(|step| self.view_definition_as(step, keyword)).collect();
        format!("{with} {}\n{}", views.join(",\n"), self.gather_select(queries, samples, rows))
    }

    /// Like [`Steps::gather`] for queries over tables only, where steps may have the names of tables.
    pub fn gather_from_tables(&self, queries: &[&str]) -> String {
        self.gather_select(queries, &[], 0)
    }

    fn gather_select(&self, queries: &[&str], samples: &[usize], rows: u64) -> String {
        let width = samples.iter().map(|at| self.steps[*at].columns.len()).max().unwrap_or(0).max(1);
        let row = |place: usize, cells: Vec<String>, from: &str| {
            let none = std::iter::repeat_n("NULL".to_owned(), width - cells.len());
            let cells: Vec<String> = std::iter::once(place.to_string()).chain(cells).chain(none).collect();
            format!("SELECT {}{from}", cells.join(", "))
        };
        let number = |(place, query): (usize, &&str)| {
            row(place, vec![self.dialect.sql().cast_to_text(&format!("({query})"))], "")
        };
        let sample = |at: &usize| {
            let step = &self.steps[*at];
            let cell =
                |column: &StepColumn| self.dialect.sql().cast_to_text(&quote_identifier(&column.name, self.dialect));
            let first = first_rows("*", &quote_identifier(&step.name, self.dialect), rows, self.dialect);
            let from = format!(" FROM ({first}) AS q");
            row(queries.len() + at, step.columns.iter().map(cell).collect(), &from)
        };
        let numbers = queries.iter().enumerate().map(number);
        numbers.chain(samples.iter().map(sample)).collect::<Vec<_>>().join("\nUNION ALL\n")
    }

    fn view_definition(&self, step: &Step) -> String {
        self.view_definition_as(step, "AS")
    }

    /// Returns the definition of a step in WITH; `how` is the keyword between its name and its query.
    pub(crate) fn view_definition_as(&self, step: &Step, how: &str) -> String {
        let columns: Vec<String> = step.columns.iter().map(|c| quote_identifier(&c.name, self.dialect)).collect();
        let columns = if step.declares_columns { format!("({})", columns.join(", ")) } else { String::new() };
        format!("{}{columns} {how} (\n{}\n)", quote_identifier(&step.name, self.dialect), step.sql)
    }
}
