//! Views that queries may name.

use crate::prompt::format::{count, first_rows};
use crate::run::egress::Egress;
use vitrine_domain::{Page, SchemaSelection, ValueMatch, ViewAttempt, ViewSpec, ViewStatus};
use vitrine_sql::ReadOnlySql;
use vitrine_view_dsl::ViewRelation;

/// The united result of all chunks.
#[derive(Default)]
pub struct Views {
    /// T* and C* of the paper.
    pub selection: SchemaSelection,
    /// Validated views in topological order, names unique.
    pub views: Vec<ViewAttempt>,
    /// Stored values similar to literals of the views.
    pub values: Vec<ValueMatch>,
}

/// A fetched view.
pub struct Fetched {
    /// The name by which later views, SQL and code refer to it.
    pub name: String,
    /// Its standalone query, compiled or as written.
    pub sql: ReadOnlySql,
    /// Its purpose.
    pub rationale: String,
    /// Its spec and relation in the view language; `None` where it was written as SQL.
    pub spec: Option<(ViewSpec, ViewRelation)>,
    /// Its first rows, with the total number of rows read.
    pub page: Page,
    /// Its columns with their origins.
    pub columns: Vec<String>,
}

/// `cut off at 200000 rows`, where not all rows were read.
pub fn cut_off(page: &Page) -> Option<String> {
    page.truncated.then(|| format!("cut off at {}", count(page.row_count as usize, "row")))
}

impl Fetched {
    /// The view in a prompt: name, columns, number of rows, the first rows.
    pub fn line(&self, egress: &Egress) -> String {
        let names: Vec<&str> = self.page.columns.iter().map(|c| c.name.as_str()).collect();
        let cut = cut_off(&self.page).map(|cut| format!("{cut}; ")).unwrap_or_default();
        format!(
            "{}({}) -- {}; {cut}{}",
            self.name,
            names.join(", "),
            self.rationale,
            first_rows(&egress.shown(&self.page))
        )
    }

    /// The view as prompts for SQL describe views.
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
