//! The data of a run that may leave the computer.

use crate::abridged::{errors_of, without_errors};
use crate::app::App;
use crate::state::warehouses::OpenWarehouse;
use std::sync::Arc;
use vitrine_agents::run::egress::Egress;
use vitrine_domain::{AppError, EgressLevel, Headline, Page, RunEvent, RunReport};
use vitrine_words::tr;

/// The rows and texts of an answer as far as they may leave.
pub(crate) struct Disclosed {
    /// The rows, with masked values; `None` if rows are withheld.
    pub(crate) page: Option<Page>,
    /// For each column, true if one of its values or its name is masked.
    hidden: Vec<bool>,
    egress: Option<Egress>,
    errors: Vec<String>,
    /// The question and the query, whose words are not secret.
    known: String,
}

impl Disclosed {
    /// Creates the disclosure of everything.
    pub(crate) fn everything(page: Page) -> Self {
        Self { page: Some(page), hidden: Vec::new(), egress: None, errors: Vec::new(), known: String::new() }
    }

    /// Redacts a text that may repeat withheld values.
    pub(crate) fn redact_line(&self, text: &str) -> String {
        match &self.egress {
            Some(egress) => egress.redact_text(without_errors(text, &self.errors), &self.known),
            None => text.to_owned(),
        }
    }

    /// Returns true if values or the name of a column are masked.
    pub(crate) fn hides_column(&self, at: usize) -> bool {
        self.hidden.get(at).copied().unwrap_or_default()
    }

    /// Returns true if the main number of a headline is masked, so that the report omits its extremes.
    pub(crate) fn hides_measure(&self, headline: &Headline) -> bool {
        headline.measure.is_some_and(|at| self.hides_column(at as usize))
    }

    /// Describes the withheld data; `None` if nothing is withheld.
    pub(crate) fn describe_withheld(&self) -> Option<String> {
        if self.page.is_none() {
            return Some(tr!("The rows are withheld by the privacy settings of this database."));
        }
        self.hidden.contains(&true).then(|| tr!("Personal values are masked by the privacy settings of this database."))
    }
}

impl App {
    /// Returns the data of a run that its warehouse's policy permits to leave; all of it with `everything`.
    ///
    /// # Errors
    /// When the database cannot be opened to determine which values the policy permits.
    pub(super) async fn disclose_run(
        &self,
        events: &[RunEvent],
        report: &RunReport,
        page: Page,
        everything: bool,
    ) -> Result<Disclosed, AppError> {
        if everything {
            return Ok(Disclosed::everything(page));
        }
        let open = self.ensure_open(&report.warehouse).await.map_err(|error| {
            let what = tr!("The values that may be sent cannot be determined, because the database cannot be opened");
            AppError::new(error.code, what)
                .with_detail(error)
                .with_hint(tr!("Open it, or write the whole report with --everything"))
        })?;
        let sql = report.sql.as_deref().filter(|_| report.code.is_none());
        let known = format!("{}\n{}", report.question, report.sql.as_deref().unwrap_or_default());
        self.disclose_page(&open, (sql, known), page, errors_of(events)).await
    }

    /// Returns the rows of a query as far as the policy of an open warehouse permits. `known` are texts that are not secret; without a
    /// query, every column may come from any stored column.
    pub(crate) async fn disclose_page(
        &self,
        open: &Arc<OpenWarehouse>,
        (sql, known): (Option<&str>, String),
        page: Page,
        errors: Vec<String>,
    ) -> Result<Disclosed, AppError> {
        let policy = self.egress_of(&open.uri).await?;
        let withholds_rows = policy.level < EgressLevel::Results;
        let egress = Egress::new(policy, &open.catalog(), &open.profile());
        let mut marked = page.clone();
        let proven = match sql {
            Some(sql) => self.prove_read_only(open, sql.to_owned()).await.ok(),
            None => None,
        };
        match &proven {
            Some(sql) => drop(egress.mark_masked_columns(&mut marked, sql, &open.catalog())),
            None => egress.mark_unknown_result(&mut marked, sql.unwrap_or_default()),
        }
        let shown = Page::clone(&egress.mask_page(&marked));
        let is_hidden = |at: usize| {
            shown.columns[at].name != page.columns[at].name
                || shown.rows.iter().zip(&page.rows).any(|(shown, row)| shown.get(at) != row.get(at))
        };
        let hidden = (0..page.columns.len()).map(is_hidden).collect();
        Ok(Disclosed { page: (!withholds_rows).then_some(shown), hidden, egress: Some(egress), errors, known })
    }
}
