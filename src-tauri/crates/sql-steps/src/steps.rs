//! A query as a chain of steps: the model of each step, and the SQL that runs it.

use std::collections::BTreeMap;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{first_rows, quote, table_ref};

/// A query split into steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    pub(crate) dialect: Dialect,
    pub(crate) steps: Vec<Step>,
}

/// One step: a query over tables and earlier steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The name by which later steps read it; unique in the chain.
    pub name: String,
    /// What it does.
    pub kind: StepKind,
    /// Its query alone.
    pub sql: String,
    /// The steps and tables that it reads, in order of first use.
    pub reads: Vec<String>,
    /// The columns of its result.
    pub columns: Vec<StepColumn>,
    /// Whether the columns get their names where the step is defined: `name(a, b) AS (...)`.
    pub(crate) declares_columns: bool,
    /// Whether it is recursive.
    pub(crate) recursive: bool,
}

/// A column of a step's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepColumn {
    /// Its name in the step.
    pub name: String,
    /// The table column that it is, unchanged.
    pub origin: Option<Origin>,
}

/// A column of a table of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The table, by its catalog name.
    pub table: String,
    /// The column, by its catalog name.
    pub column: String,
}

/// A part of the query with qualified columns where several tables have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// Its text.
    pub text: String,
    /// The table columns that it uses.
    pub columns: Vec<Origin>,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepKind {
    /// Rows of one table that all filters keep.
    Table {
        /// Its catalog name.
        table: String,
        /// Its filters.
        filters: Vec<Expression>,
    },
    /// Rows of the left side joined with rows of the right side.
    Join {
        /// Which unmatched rows are kept.
        kind: JoinKind,
        /// The left step or table.
        left: String,
        /// The right step or table.
        right: String,
        /// The join condition; `None` for a cross join.
        condition: Option<Expression>,
    },
    /// The rows that all conditions keep.
    Filter {
        /// The conditions on the rows.
        conditions: Vec<Expression>,
    },
    /// One row for each combination of keys; a single row without keys.
    Group {
        /// The GROUP BY keys.
        keys: Vec<Output>,
        /// The aggregates of each group.
        aggregates: Vec<Aggregate>,
        /// The order of the groups, where grouping sorts them.
        order: Vec<OrderKey>,
    },
    /// The groups that all conditions keep.
    Having {
        /// The conditions on the groups.
        conditions: Vec<Expression>,
    },
    /// Window functions: values computed from a row and those around it.
    Window {
        /// The columns that are added.
        outputs: Vec<Output>,
    },
    /// Columns computed row by row.
    Project {
        /// The columns that are computed.
        outputs: Vec<Output>,
    },
    /// Duplicate rows are removed.
    Distinct,
    /// The results of two steps concatenated, or compared row by row.
    SetOperation {
        /// The set operation.
        operation: SetKind,
        /// Whether duplicates are kept.
        all: bool,
        /// The first operand.
        left: String,
        /// The second operand.
        right: String,
        /// Columns computed on the way.
        computed: Vec<Output>,
    },
    /// Sorted rows, optionally only the first of them.
    Order {
        /// The sort keys, most significant first.
        keys: Vec<OrderKey>,
        /// The limit.
        limit: Option<Limit>,
        /// Whether duplicates are removed, keeping the first by the order.
        distinct: bool,
    },
    /// The first rows, in their existing order.
    Limit(Limit),
    /// A part of the query that stays whole.
    Query {
        /// Why.
        reason: String,
    },
}

/// Which unmatched rows a join keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    /// None.
    Inner,
    /// Those of the left side.
    Left,
    /// Those of the right side.
    Right,
    /// Those of both.
    Full,
    /// A cross join.
    Cross,
}

/// A set operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetKind {
    /// The rows of both.
    Union,
    /// The rows that are in both.
    Intersect,
    /// The rows of the first that are not in the second.
    Except,
}

/// A column that a step computes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name in the step.
    pub name: String,
    /// Its expression.
    pub value: Expression,
}

/// An aggregate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    /// The name of the column in the step.
    pub name: String,
    /// The function, lower case.
    pub function: String,
    /// Its argument; `None` for `COUNT(*)`.
    pub argument: Option<Expression>,
    /// Whether it aggregates distinct values.
    pub distinct: bool,
    /// The whole expression.
    pub value: Expression,
}

/// A sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderKey {
    /// The sorted expression.
    pub value: Expression,
    /// Whether it sorts in descending order.
    pub descending: bool,
}

/// A limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// The most rows.
    pub count: Option<String>,
    /// The rows skipped before them.
    pub offset: Option<String>,
}

/// Why a query stays whole: a part that everything depends on is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotTakenApart {
    /// What is not understood.
    pub reason: String,
}

impl NotTakenApart {
    pub(crate) fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

impl Steps {
    /// The steps; each reads only those before it. The last is the query's result.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A standalone query for the result of one step: the step after those that it needs. Empty for a step that does
    /// not exist.
    pub fn sql_of(&self, index: usize) -> String {
        let Some(last) = self.steps.get(index) else { return String::new() };
        let before = self.steps[..index].iter().zip(self.needed(index)).filter(|(_, needed)| *needed);
        let before = before.map(|(step, _)| step);
        // A step with views or declared column names cannot be the final query.
        let own = last.recursive || last.declares_columns || last.sql.starts_with("WITH ");
        let views: Vec<&Step> = before.chain(own.then_some(last)).collect();
        let body = if own { format!("SELECT * FROM {}", quote(&last.name, self.dialect)) } else { last.sql.clone() };
        if views.is_empty() {
            return body;
        }
        let with = if views.iter().any(|step| step.recursive) { "WITH RECURSIVE" } else { "WITH" };
        let views: Vec<String> = views.into_iter().map(|step| self.definition(step)).collect();
        format!("{with} {}\n{body}", views.join(",\n"))
    }

    /// The whole chain: its columns, rows and their order are the query's.
    pub fn whole(&self) -> String {
        self.sql_of(self.steps.len().saturating_sub(1))
    }

    /// The steps that a step needs, itself included.
    pub(crate) fn needed(&self, index: usize) -> Vec<bool> {
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

    /// Queries that count the rows of every step and of every table that steps read, by name. They are for
    /// [`Steps::gather`].
    pub fn counts(&self, catalog: &Catalog) -> BTreeMap<String, String> {
        let own = self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Table { table, .. } => Some(table),
            _ => None,
        });
        let is_step = |name: &str| self.steps.iter().any(|step| step.name == name);
        let read = self.steps.iter().flat_map(|step| &step.reads).filter(|name| !is_step(name));
        let tables = own.chain(read);
        let tables = tables.filter_map(|name| Some((name, table_ref(&catalog.table(name)?.name, self.dialect))));
        let steps = self.steps.iter().map(|step| (&step.name, quote(&step.name, self.dialect)));
        tables.chain(steps).map(|(name, of)| (name.clone(), format!("SELECT COUNT(*) FROM {of}"))).collect()
    }

    /// A query that returns the numbers of some queries over tables and steps, and the first rows of some steps. Its
    /// first column identifies a row: the index of a query, followed by its number, or the number of queries plus the
    /// index of a step, followed by the step's columns. All columns but the first are text. Each step is computed once.
    pub fn gather(&self, queries: &[&str], samples: &[usize], rows: u64) -> String {
        let with = if self.steps.iter().any(|step| step.recursive) { "WITH RECURSIVE" } else { "WITH" };
        let views: Vec<String> = self.steps.iter().map(|step| self.defined(step, once(self.dialect))).collect();
        format!("{with} {}\n{}", views.join(",\n"), self.gathered(queries, samples, rows))
    }

    /// [`Steps::gather`] for queries over tables alone, where steps may have the names of tables.
    pub fn gather_from_tables(&self, queries: &[&str]) -> String {
        self.gathered(queries, &[], 0)
    }

    fn gathered(&self, queries: &[&str], samples: &[usize], rows: u64) -> String {
        let width = samples.iter().map(|at| self.steps[*at].columns.len()).max().unwrap_or(0).max(1);
        let row = |place: usize, cells: Vec<String>, from: &str| {
            let none = std::iter::repeat_n("NULL".to_owned(), width - cells.len());
            let cells: Vec<String> = std::iter::once(place.to_string()).chain(cells).chain(none).collect();
            format!("SELECT {}{from}", cells.join(", "))
        };
        let number =
            |(place, query): (usize, &&str)| row(place, vec![as_text(&format!("({query})"), self.dialect)], "");
        let sample = |at: &usize| {
            let step = &self.steps[*at];
            let cell = |column: &StepColumn| as_text(&quote(&column.name, self.dialect), self.dialect);
            let first = first_rows("*", &quote(&step.name, self.dialect), rows, self.dialect);
            let from = format!(" FROM ({first}) AS q");
            row(queries.len() + at, step.columns.iter().map(cell).collect(), &from)
        };
        let numbers = queries.iter().enumerate().map(number);
        numbers.chain(samples.iter().map(sample)).collect::<Vec<_>>().join("\nUNION ALL\n")
    }

    fn definition(&self, step: &Step) -> String {
        self.defined(step, "AS")
    }

    /// A step as defined in WITH, by `AS` or by what [`once`] says.
    pub(crate) fn defined(&self, step: &Step, how: &str) -> String {
        let columns: Vec<String> = step.columns.iter().map(|c| quote(&c.name, self.dialect)).collect();
        let columns = if step.declares_columns { format!("({})", columns.join(", ")) } else { String::new() };
        format!("{}{columns} {how} (\n{}\n)", quote(&step.name, self.dialect), step.sql)
    }
}

/// How a view is defined that is computed once. Where a dialect has no word for it, the engine decides.
fn once(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite | Dialect::Duckdb | Dialect::Postgres => "AS MATERIALIZED",
        Dialect::Mysql
        | Dialect::Bigquery
        | Dialect::Snowflake
        | Dialect::Clickhouse
        | Dialect::Databricks
        | Dialect::Trino
        | Dialect::Mssql => "AS",
    }
}

/// A value as text.
fn as_text(value: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Sqlite | Dialect::Postgres | Dialect::Clickhouse => format!("CAST({value} AS TEXT)"),
        Dialect::Bigquery | Dialect::Databricks => format!("CAST({value} AS STRING)"),
        Dialect::Mysql => format!("CAST({value} AS CHAR)"),
        Dialect::Mssql => format!("CAST({value} AS NVARCHAR(4000))"),
        Dialect::Duckdb | Dialect::Snowflake | Dialect::Trino => format!("CAST({value} AS VARCHAR)"),
    }
}
