//! Views that queries may name.

use crate::prompt::evidence::describe_cell_type;
use crate::prompt::format::{all_rows, first_rows, format_count, letters_of_results};
use crate::run::egress::{Egress, ShownPage};
use vitrine_domain::page::ResultColumn;
use vitrine_domain::{
    EgressLevel, ModelProfile, Page, RuleNote, SchemaSelection, ValueMatch, ViewAttempt, ViewSpec, ViewStatus,
};
use vitrine_sql::ReadOnlySql;
use vitrine_view_dsl::ViewRelation;

/// United result of all chunks.
#[derive(Default)]
pub struct Views {
    /// Selected tables and columns, T* and C* of the paper.
    pub selection: SchemaSelection,
    /// Validated views in topological order, with unique names.
    pub views: Vec<ViewAttempt>,
    /// Stored values similar to literals of the views.
    pub values: Vec<ValueMatch>,
}

/// A view whose rows were fetched.
pub struct Fetched {
    /// Name by which later views, SQL and code refer to the view.
    pub name: String,
    /// Standalone query of the view, compiled or as written.
    pub sql: ReadOnlySql,
    /// Changes that rules made to the query.
    pub changes: Vec<RuleNote>,
    /// Reason that the model gave for the view.
    pub rationale: String,
    /// Spec and relation of the view in the view language; `None` if it was written as SQL.
    pub spec: Option<(ViewSpec, ViewRelation)>,
    /// First rows of the view, with the total number of rows read.
    pub page: Page,
    /// Columns of the view with their origins.
    pub columns: Vec<String>,
    /// Tables, conditions and columns that the view was derived from, in one line.
    pub lineage: String,
}

/// Returns `cut off at 200000 rows` if not all rows were read.
pub fn cut_off(page: &Page) -> Option<String> {
    page.truncated.then(|| format!("cut off at {}", format_count(page.row_count as usize, "row")))
}

/// Renders views for a prompt, each with name, columns, row count and rows. A model that deliberates gets the type of each column, because
/// a code of digits looks like a number, the lineage, and as many rows as fit into a share of its context; other models get the first rows. If the
/// egress level hides values, the first rows suffice to show the types.
pub fn render_views(views: &[Fetched], egress: &Egress, profile: &ModelProfile) -> Vec<String> {
    let letters = letters_of_results(profile) / views.len().max(1);
    let whole = profile.deliberates && egress.level() >= EgressLevel::Results;
    let rows = |page: &ShownPage<'_>| if whole { all_rows(page, letters) } else { first_rows(page) };
    let line = |view: &Fetched| {
        let page = egress.mask_page(&view.page);
        view.render_line(&page, &rows(&page), profile.deliberates)
    };
    views.iter().map(line).collect()
}

impl Fetched {
    /// Renders the view for a prompt, with some of its rows.
    fn render_line(&self, page: &ShownPage<'_>, rows: &str, typed: bool) -> String {
        let column = |column: &ResultColumn| match typed {
            true => format!("{} {}", column.name, describe_cell_type(column.cell_type)),
            false => column.name.clone(),
        };
        let names: Vec<String> = page.columns.iter().map(column).collect();
        let cut = cut_off(&self.page).map(|cut| format!("{cut}; ")).unwrap_or_default();
        let lineage = match typed && !self.lineage.is_empty() {
            true => format!("\n  lineage: {}", self.lineage),
            false => String::new(),
        };
        format!("{}({}) -- {}; {cut}{rows}{lineage}", self.name, names.join(", "), self.rationale)
    }

    /// Converts the view to the form that prompts for SQL use.
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
            distinct: Vec::new(),
        }
    }
}
