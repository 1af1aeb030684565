//! Views that queries may name.

use crate::prompt::format::first_rows;
use vitrine_domain::{Page, SchemaSelection, ValueMatch, ViewAttempt, ViewSpec, ViewStatus};
use vitrine_sql::ReadOnlySql;
use vitrine_view_dsl::ViewRelation;

/// What all chunks gave together.
#[derive(Default)]
pub struct Views {
    /// T* and C* of the paper.
    pub selection: SchemaSelection,
    /// Validated views in topological order, names unique.
    pub views: Vec<ViewAttempt>,
    /// Stored values that resemble literals of the views.
    pub values: Vec<ValueMatch>,
}

/// A view that was fetched.
pub struct Fetched {
    /// The name, which later views, SQL and code know it by.
    pub name: String,
    /// Its query, compiled or as written, which runs by itself.
    pub sql: ReadOnlySql,
    /// What it is for.
    pub rationale: String,
    /// How it was said, and what can be done with its columns; `None` where it was written as SQL.
    pub spec: Option<(ViewSpec, ViewRelation)>,
    /// Its first rows, with the number of all that were read.
    pub page: Page,
    /// Its columns with what they come from.
    pub columns: Vec<String>,
}

impl Fetched {
    /// As a prompt shows it: name, columns, number of rows, the first of them.
    pub fn line(&self) -> String {
        let names: Vec<&str> = self.page.columns.iter().map(|c| c.name.as_str()).collect();
        format!("{}({}) -- {}; {}", self.name, names.join(", "), self.rationale, first_rows(&self.page))
    }

    /// As the generator of SQL knows views.
    pub fn as_view(&self) -> ViewAttempt {
        ViewAttempt {
            name: self.name.clone(),
            sql: self.sql.as_str().to_owned(),
            rationale: self.rationale.clone(),
            depends_on: Vec::new(),
            status: if self.page.rows.is_empty() { ViewStatus::Empty } else { ViewStatus::Valid },
            repairs: Vec::new(),
            error: None,
            page: Some(self.page.clone()),
        }
    }
}
