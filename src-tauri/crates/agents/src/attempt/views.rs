//! Views that queries may name.

use crate::prompt::format::{all_rows, first_rows, format_count, letters_of_results};
use crate::run::egress::{Egress, ShownPage};
use vitrine_domain::page::{CellType, ResultColumn};
use vitrine_domain::{
    EgressLevel, ModelProfile, Page, RuleNote, SchemaSelection, ValueMatch, ViewAttempt, ViewSpec, ViewStatus,
};
use vitrine_sql::ReadOnlySql;
use vitrine_view_dsl::ViewRelation;

/// What a column is, in a word.
fn describe_cell_type(cell_type: CellType) -> &'static str {
    match cell_type {
        CellType::Boolean => "true or false",
        CellType::Integer => "whole number",
        CellType::Decimal | CellType::Float => "number",
        CellType::Text => "text",
        CellType::Date => "date",
        CellType::Time => "time of day",
        CellType::Timestamp => "date with time",
        CellType::Binary => "bytes",
        CellType::Nested => "nested",
        CellType::Null => "without a value",
    }
}

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
    /// What rules changed in it.
    pub changes: Vec<RuleNote>,
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
    page.truncated.then(|| format!("cut off at {}", format_count(page.row_count as usize, "row")))
}

/// Views in a prompt, each with name, columns, number of rows and rows: the first ones, or as many as a share of its context
/// holds, and what each column is, for a model that deliberates: a code of digits looks like a number. Where only the kinds of values may be told, the first ones tell them.
pub fn render_views(views: &[Fetched], egress: &Egress, profile: &ModelProfile) -> Vec<String> {
    let letters = letters_of_results(profile) / views.len().max(1);
    let whole = profile.deliberates && egress.level() >= EgressLevel::Results;
    let rows = |page: &ShownPage<'_>| if whole { all_rows(page, letters) } else { first_rows(page) };
    views.iter().map(|view| view.render_line(&rows(&egress.mask_page(&view.page)), profile.deliberates)).collect()
}

impl Fetched {
    /// The view in a prompt, with some of its rows.
    fn render_line(&self, rows: &str, typed: bool) -> String {
        let column = |column: &ResultColumn| match typed {
            true => format!("{} {}", column.name, describe_cell_type(column.cell_type)),
            false => column.name.clone(),
        };
        let names: Vec<String> = self.page.columns.iter().map(column).collect();
        let cut = cut_off(&self.page).map(|cut| format!("{cut}; ")).unwrap_or_default();
        format!("{}({}) -- {}; {cut}{rows}", self.name, names.join(", "), self.rationale)
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
