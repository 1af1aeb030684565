//! What leaves: what a model behind an address is told of the database, and how that is held.
//!
//! What the policy withholds is taken out of the run before anything is rendered: comments, profile and stored values are not
//! there. Rows of results are there, since votes compare them; prompts get them as [`ShownPage`], which only this module makes.

use crate::run::ask::Ask;
use crate::run::ledger::Ledger;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;
use vitrine_catalog::{looks_personal, personal_columns};
use vitrine_domain::{
    Catalog, CellType, ColumnProfile, EgressLevel, EgressPolicy, Page, PersonalKind, Profile, ResultColumn, Switch,
    ValueMatch,
};
use vitrine_sql::{ColumnType, ReadOnlySql};

/// The methods whose models are shown verified questions.
const GUIDED: [&str; 2] = ["auto", "av-sql"];

/// A cell whose column is of personal data.
pub const MASKED: &str = "[masked]";

/// What the models of one run may be told.
#[derive(Debug, Default)]
pub struct Egress {
    /// The policy; `None` where every model runs inside of this program, so that nothing leaves.
    policy: Option<EgressPolicy>,
    /// Columns whose values are masked, as (table, column) in lower case, and why.
    masked: HashMap<(String, String), PersonalKind>,
    /// Names of tables and columns, in lower case.
    names: HashSet<String>,
    ledger: Ledger,
}

/// Rows as a prompt may show them.
#[derive(Debug, Clone)]
pub struct ShownPage<'a>(Cow<'a, Page>);

impl Deref for ShownPage<'_> {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.0
    }
}

impl Egress {
    /// What `policy` lets out of a database with this catalog and profile.
    pub fn new(policy: EgressPolicy, catalog: &Catalog, profile: &Profile) -> Self {
        let personal = personal_columns(catalog, profile, &policy);
        let masked: HashMap<(String, String), PersonalKind> = (personal.into_iter().filter(|column| column.masked))
            .map(|column| ((column.table.to_lowercase(), column.column.to_lowercase()), column.kind))
            .collect();
        let names = (catalog.tables.iter())
            .flat_map(|table| table.name.parts().chain(table.columns.iter().map(|column| column.name.as_str())))
            .map(str::to_lowercase)
            .collect();
        Self { policy: Some(policy), masked, names, ledger: Ledger::default() }
    }

    /// Takes out of `ask` what its policy withholds, where one of its models is behind an address or its answer leaves.
    pub(super) fn apply(ask: &mut Ask) -> Self {
        // Others write their queries in steps of their own, and what is measured as a baseline gets no help.
        if !GUIDED.contains(&ask.settings.strategy.as_str()) || !ask.settings.with(Switch::Verified) {
            ask.verified.clear();
        }
        if ask.models.all_run_here() && !ask.answer_leaves {
            return Self::default();
        }
        let egress = Self::new(ask.egress.clone(), &ask.catalog, &ask.profile);
        egress.withhold(&mut ask.catalog, &mut ask.profile);
        if egress.level() < EgressLevel::Samples {
            ask.values = None;
            // Their constants, and the words of their questions, are values of the data.
            ask.verified.clear();
        }
        let mut verified = std::mem::take(&mut ask.verified);
        verified.retain(|example| ask.prove(&example.sql).is_ok_and(|sql| egress.tells(&sql, &ask.catalog)));
        ask.verified = verified;
        egress
    }

    /// Whether a query that somebody wrote may be told: it does not touch what is masked, or compares it with nothing.
    fn tells(&self, sql: &ReadOnlySql, catalog: &Catalog) -> bool {
        if self.masked.is_empty() || vitrine_sql::constants(sql).is_empty() {
            return true;
        }
        let bound = vitrine_sql::bind(sql, catalog);
        bound.problems.is_empty() && !bound.columns.iter().any(|(table, column)| self.is_masked(table, column))
    }

    /// Takes out of a catalog and its profile what the policy withholds.
    pub fn withhold(&self, catalog: &mut Arc<Catalog>, profile: &mut Arc<Profile>) {
        if self.level() < EgressLevel::Profile {
            *catalog = Arc::new(self.catalog(catalog));
            *profile = Arc::new(Profile { fingerprint: profile.fingerprint.clone(), ..Profile::default() });
        } else if self.level() < EgressLevel::Samples || !self.masked.is_empty() {
            *profile = Arc::new(self.profile(profile));
        }
    }

    /// The policy of a run in which something leaves.
    pub fn policy(&self) -> Option<&EgressPolicy> {
        self.policy.as_ref()
    }

    /// How much it lets out; everything where nothing leaves.
    pub fn level(&self) -> EgressLevel {
        self.policy.as_ref().map_or(EgressLevel::Results, |policy| policy.level)
    }

    /// Without row counts, and at the lowest level without what the owner wrote.
    fn catalog(&self, catalog: &Catalog) -> Catalog {
        let mut told = catalog.clone();
        for table in &mut told.tables {
            table.row_count = None;
            if self.level() < EgressLevel::Comments {
                table.comment = None;
                table.definition = None;
                table.columns.iter_mut().for_each(|column| column.comment = None);
            }
        }
        told
    }

    fn profile(&self, profile: &Profile) -> Profile {
        let mut told = profile.clone();
        for table in &mut told.tables {
            let name = table.table.to_string();
            for column in &mut table.columns {
                if self.level() < EgressLevel::Samples || self.is_masked(&name, &column.name) {
                    without_values(column);
                }
            }
        }
        told
    }

    fn is_masked(&self, table: &str, column: &str) -> bool {
        self.masked_as(table, column).is_some()
    }

    fn masked_as(&self, table: &str, column: &str) -> Option<PersonalKind> {
        self.masked.get(&(table.to_lowercase(), column.to_lowercase())).copied()
    }

    /// Stored values that may be told.
    pub(super) fn values(&self, mut matches: Vec<ValueMatch>) -> Vec<ValueMatch> {
        matches.retain(|found| !self.is_masked(&found.table, &found.column));
        matches
    }

    /// Marks the columns of a result whose values are masked: those that come from a masked column. Where it cannot be told
    /// where values come from, every column that is not a number is. Says whether it can be told.
    pub fn mark(&self, page: &mut Page, sql: &ReadOnlySql, catalog: &Catalog) -> bool {
        if self.policy.is_none() {
            return true;
        }
        let bound = vitrine_sql::bind(sql, catalog);
        self.ledger.found(page, &bound.tables);
        let known = bound.problems.is_empty() && bound.outputs.len() == page.columns.len();
        if self.masked.is_empty() {
            return known;
        }
        let reads_masked = bound.columns.iter().any(|(table, column)| self.is_masked(table, column));
        for (at, column) in page.columns.iter_mut().enumerate() {
            let tells = |(table, own): &(String, String)| {
                let kind = self.masked_as(table, own);
                kind.is_some_and(|kind| !is_number(column) || !is_words(kind) || !is_text_in(catalog, table, own))
            };
            column.masked = match known {
                true => bound.outputs[at].sources.iter().any(tells),
                false => !is_number(column) && (reads_masked || !bound.problems.is_empty()),
            };
        }
        known
    }

    /// Whether values are left out of texts: below [`EgressLevel::Results`], or where columns are masked.
    pub fn leaves_out(&self) -> bool {
        self.policy.as_ref().is_some_and(|policy| policy.level < EgressLevel::Results || !self.masked.is_empty())
    }

    /// Rows as a prompt may show them: cells of masked columns, and what looks personal by itself, are masked; below
    /// [`EgressLevel::Results`] every cell is its type alone.
    pub fn shown<'a>(&self, page: &'a Page) -> ShownPage<'a> {
        let Some(policy) = &self.policy else { return ShownPage(Cow::Borrowed(page)) };
        let withheld = policy.level < EgressLevel::Results;
        let by_looks = policy.mask_personal;
        let hides = |column: &ResultColumn, cell: &str| column.masked || by_looks && looks_personal(cell).is_some();
        let hidden = page.columns.iter().any(|column| column.masked);
        if !withheld && !hidden && !by_looks {
            return ShownPage(Cow::Borrowed(page));
        }
        let cell = |(column, cell): (&ResultColumn, &Option<String>)| {
            let cell = cell.as_deref()?;
            Some(match withheld {
                true => kind(column.cell_type).to_owned(),
                false if hides(column, cell) => MASKED.to_owned(),
                false => cell.to_owned(),
            })
        };
        let rows = page.rows.iter().map(|row| page.columns.iter().zip(row).map(cell).collect()).collect();
        ShownPage(Cow::Owned(Page { rows, ..page.clone() }))
    }

    /// An error of the database as a prompt may show it. Databases repeat values in their errors: below
    /// [`EgressLevel::Results`], or where columns are masked, quoted texts and numbers that the query does not hold are left out.
    pub fn error(&self, error: String, sql: &str) -> String {
        if !self.leaves_out() {
            return error;
        }
        let known = sql.to_lowercase();
        let is_name = |text: &str| text.split('.').all(|part| self.names.contains(part));
        without_values_of(&error, |text| holds_word(&known, text) || is_name(text))
    }

    /// The tables of which a request's body holds values.
    pub(super) fn values_of(&self, body: &str, profile: &Profile) -> Vec<String> {
        self.ledger.values_of(body, profile)
    }
}

/// What a cell holds, without it.
fn kind(cell_type: CellType) -> &'static str {
    match cell_type {
        CellType::Boolean => "[true or false]",
        CellType::Integer | CellType::Decimal | CellType::Float => "[number]",
        CellType::Date => "[date]",
        CellType::Time => "[time]",
        CellType::Timestamp => "[timestamp]",
        CellType::Text | CellType::Null => "[text]",
        CellType::Binary => "[bytes]",
        CellType::Nested => "[nested]",
    }
}

fn is_number(column: &ResultColumn) -> bool {
    matches!(column.cell_type, CellType::Boolean | CellType::Integer | CellType::Decimal | CellType::Float)
}

/// Whether values are words: a number computed from them, such as a count, says nothing of whom. Of digits in a text it may be
/// these digits.
fn is_words(kind: PersonalKind) -> bool {
    matches!(kind, PersonalKind::Email | PersonalKind::PersonName | PersonalKind::Address)
}

fn is_text_in(catalog: &Catalog, table: &str, column: &str) -> bool {
    let declared = catalog.table(table).and_then(|table| table.column(column)).map(|column| column.data_type.as_str());
    declared.is_some_and(|declared| ColumnType::of(declared, catalog.dialect) == ColumnType::Text)
}

/// Takes every stored value out of a column's profile; numbers about them stay.
fn without_values(column: &mut ColumnProfile) {
    column.min = None;
    column.max = None;
    column.top.clear();
    column.samples.clear();
    column.complete = false;
    column.fields.iter_mut().for_each(without_values);
}

/// Whether a text holds another one that is not only a part of one of its words.
fn holds_word(text: &str, part: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (first, last) = (is_word(part.chars().next()), is_word(part.chars().next_back()));
    part.is_empty()
        || text.match_indices(part).any(|(at, _)| {
            let (before, after) = (text[..at].chars().next_back(), text[at + part.len()..].chars().next());
            !(first && is_word(before)) && !(last && is_word(after))
        })
}

/// A text without the quoted texts and the numbers that are not known, as `known` says of them in lower case.
pub fn without_values_of(text: &str, known: impl Fn(&str) -> bool) -> String {
    let quotes = [('"', '"'), ('\'', '\''), ('`', '`'), ('«', '»'), ('“', '”'), ('„', '“')];
    let mut told = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let close = quotes.iter().find(|(open, _)| *open == first).map(|(_, close)| *close);
        let inner = close.and_then(|close| rest[first.len_utf8()..].split_once(close));
        let last_is_word = told.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        if let (Some((inner, after)), false) = (inner, last_is_word) {
            if known(&inner.to_lowercase()) {
                told.push_str(&rest[..rest.len() - after.len()]);
            } else {
                told.push_str("[a value]");
            }
            rest = after;
        } else if first.is_ascii_digit() && !last_is_word {
            let end = rest.find(|c: char| !c.is_alphanumeric() && !"._-:".contains(c)).unwrap_or(rest.len());
            let number = rest[..end].trim_end_matches(['.', ':', '-']);
            told.push_str(if known(&number.to_lowercase()) { number } else { "[a number]" });
            rest = &rest[number.len()..];
        } else {
            told.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    told
}

#[cfg(test)]
mod tests;
