//! A query as a chain of steps: what each is, and the text that runs it.

use std::collections::BTreeMap;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{quote, table_ref};

/// A query taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    pub(crate) dialect: Dialect,
    pub(crate) steps: Vec<Step>,
}

/// One step: a query over tables and steps before it.
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
    /// Whether it reads itself.
    pub(crate) recursive: bool,
}

/// A column of a step's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepColumn {
    /// Its name in the step.
    pub name: String,
    /// The column of a table that it is, unchanged.
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

/// A part of the query as it was meant: columns are named by their tables where there are several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// Its text.
    pub text: String,
    /// The columns of tables that it uses.
    pub columns: Vec<Origin>,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepKind {
    /// Rows of one table, those that all filters keep.
    Table {
        /// Its catalog name.
        table: String,
        /// What is asked of its rows.
        filters: Vec<Expression>,
    },
    /// Rows of what stands left put together with rows of what stands right.
    Join {
        /// Which rows stay that find no partner.
        kind: JoinKind,
        /// The step or table that it begins with.
        left: String,
        /// The step or table that is joined.
        right: String,
        /// When two rows belong together; `None` where all do.
        condition: Option<Expression>,
    },
    /// The rows that all conditions keep.
    Filter {
        /// What is asked of the rows.
        conditions: Vec<Expression>,
    },
    /// One row for each combination of keys; one row of all without keys.
    Group {
        /// What rows are put together by.
        keys: Vec<Output>,
        /// What is computed of each group.
        aggregates: Vec<Aggregate>,
        /// The order that the groups come in, where it is made with them.
        order: Vec<OrderKey>,
    },
    /// The groups that all conditions keep.
    Having {
        /// What is asked of the groups.
        conditions: Vec<Expression>,
    },
    /// Values computed of a row and those around it.
    Window {
        /// The columns that are added.
        outputs: Vec<Output>,
    },
    /// Columns computed row by row.
    Project {
        /// The columns that are computed.
        outputs: Vec<Output>,
    },
    /// Equal rows become one.
    Distinct,
    /// The results of two steps put above each other, or compared row by row.
    SetOperation {
        /// What is done with the two.
        operation: SetKind,
        /// Whether equal rows stay.
        all: bool,
        /// The first.
        left: String,
        /// The second.
        right: String,
        /// Columns that are computed on the way.
        computed: Vec<Output>,
    },
    /// Rows in an order, and of these perhaps only the first.
    Order {
        /// What is sorted by, first keys first.
        keys: Vec<OrderKey>,
        /// How many rows stay.
        limit: Option<Limit>,
        /// Whether equal rows become one, the first of them by the order.
        distinct: bool,
    },
    /// The first rows, in the order they have.
    Limit(Limit),
    /// A part of the query that stays whole.
    Query {
        /// Why.
        reason: String,
    },
}

/// Which rows of a join stay that find no partner.
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
    /// Every row meets every row.
    Cross,
}

/// What is done with two results.
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
    /// What it is computed from.
    pub value: Expression,
}

/// What is computed of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    /// The name of the column in the step.
    pub name: String,
    /// The function, lower case.
    pub function: String,
    /// What it is taken of; `None` for `COUNT(*)`.
    pub argument: Option<Expression>,
    /// Whether equal values count once.
    pub distinct: bool,
    /// All of it.
    pub value: Expression,
}

/// A key of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderKey {
    /// What is compared.
    pub value: Expression,
    /// Whether the largest come first.
    pub descending: bool,
}

/// How many rows stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// The most rows.
    pub count: Option<String>,
    /// The rows left out before them.
    pub offset: Option<String>,
}

/// A query stays whole because a part that all depends on is not understood.
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

    /// A query of its own that gives the result of one step: the step after those that it needs. Empty for a step
    /// that is not there.
    pub fn sql_of(&self, index: usize) -> String {
        let Some(last) = self.steps.get(index) else { return String::new() };
        let before = self.steps[..index].iter().zip(self.needed(index)).filter(|(_, needed)| *needed);
        let before = before.map(|(step, _)| step);
        // What has views or names of its own cannot stand at the end.
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

    /// Which steps a step needs, itself among them.
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

    /// Queries that count the rows of every step and of every table that steps read, by the names of these. They are
    /// for [`Steps::gather`].
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

    /// A query that gives the numbers of some queries over tables and steps, and the first rows of some steps. Its first column
    /// says what a row is: the place of a query among these, with the number behind it, or the number of queries and the place
    /// of a step, with the step's columns behind it. All behind the first is text. Each step is computed once.
    pub fn gather(&self, queries: &[&str], samples: &[usize], rows: u64) -> String {
        let with = if self.steps.iter().any(|step| step.recursive) { "WITH RECURSIVE" } else { "WITH" };
        let views: Vec<String> = self.steps.iter().map(|step| self.defined(step, "AS MATERIALIZED")).collect();
        format!("{with} {}\n{}", views.join(",\n"), self.gathered(queries, samples, rows))
    }

    /// [`Steps::gather`] for queries over tables alone, of which steps may have the names.
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
            let from = format!(" FROM (SELECT * FROM {} LIMIT {rows}) AS q", quote(&step.name, self.dialect));
            row(queries.len() + at, step.columns.iter().map(cell).collect(), &from)
        };
        let numbers = queries.iter().enumerate().map(number);
        numbers.chain(samples.iter().map(sample)).collect::<Vec<_>>().join("\nUNION ALL\n")
    }

    fn definition(&self, step: &Step) -> String {
        self.defined(step, "AS")
    }

    /// A step as WITH defines it, by `AS` or by `AS MATERIALIZED`.
    pub(crate) fn defined(&self, step: &Step, how: &str) -> String {
        let columns: Vec<String> = step.columns.iter().map(|c| quote(&c.name, self.dialect)).collect();
        let columns = if step.declares_columns { format!("({})", columns.join(", ")) } else { String::new() };
        format!("{}{columns} {how} (\n{}\n)", quote(&step.name, self.dialect), step.sql)
    }
}

/// A value as text.
fn as_text(value: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Sqlite | Dialect::Postgres => format!("CAST({value} AS TEXT)"),
        Dialect::Bigquery => format!("CAST({value} AS STRING)"),
        Dialect::Duckdb | Dialect::Snowflake => format!("CAST({value} AS VARCHAR)"),
    }
}
