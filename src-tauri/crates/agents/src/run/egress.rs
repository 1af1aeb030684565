//! Egress: the parts of the database that requests to remote models may contain, and how the limits are enforced.
//!
//! Data that the policy withholds is removed from the run before anything is rendered: comments, profile and stored values. Rows of results
//! remain, since votes compare them; prompts receive them as [`ShownPage`], which only this module creates.

mod crowded;
mod own_words;

use crate::run::ask::Ask;
use crate::run::ledger::Ledger;
use crowded::Crowded;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Deref;
use std::sync::Arc;
use vitrine_catalog::{looks_personal, masks_field, personal_columns};
use vitrine_domain::{
    Catalog, CellType, Column, ColumnProfile, Dialect, EgressLevel, EgressPolicy, Page, Profile, ResultColumn, Switch,
    Table, TableKind, TableName, ValueMatch,
};
use vitrine_sql::{OutputSources, ReadOnlySql, ValueSources, value_sources};
use vitrine_warehouse::WarehouseError;

/// Methods whose models are shown verified questions.
const GUIDED: [&str; 2] = ["auto", "av-sql"];

/// Placeholder for cells of columns with personal data.
pub const MASKED: &str = "[masked]";

/// Limits on the data that the models of one run may see.
#[derive(Debug, Default)]
pub struct Egress {
    /// Egress policy; `None` if all models are embedded, so that no data leaves the program.
    policy: Option<EgressPolicy>,
    /// Columns whose values are masked, as (table, column) in lower case.
    masked: HashSet<(String, String)>,
    /// Tables and columns whose aggregates cover many rows.
    crowded: Crowded,
    /// Names of tables and columns, in lower case.
    names: HashSet<String>,
    ledger: Ledger,
}

/// Rows that a prompt may show.
#[derive(Debug, Clone)]
pub struct ShownPage<'a>(Cow<'a, Page>);

impl Deref for ShownPage<'_> {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.0
    }
}

impl Egress {
    /// Creates the limits of `policy` for a database with this catalog and profile.
    pub fn new(policy: EgressPolicy, catalog: &Catalog, profile: &Profile) -> Self {
        let personal = personal_columns(catalog, profile, &policy);
        let masked: HashSet<(String, String)> = (personal.into_iter().filter(|column| column.masked))
            .map(|column| (column.table.to_lowercase(), column.column.to_lowercase()))
            .collect();
        let crowded = if masked.is_empty() { Crowded::default() } else { Crowded::from_profile(profile) };
        let names = (catalog.tables.iter())
            .flat_map(|table| table.name.name_parts().chain(table.columns.iter().map(|column| column.name.as_str())))
            .map(str::to_lowercase)
            .collect();
        Self { policy: Some(policy), masked, crowded, names, ledger: Ledger::default() }
    }

    /// Removes the data that the policy withholds from `ask`, if any of its models is remote or its answer leaves the program.
    pub(super) fn apply_policy(ask: &mut Ask) -> Self {
        // Other methods write queries in their own steps, and methods measured as a baseline get no help.
        if !GUIDED.contains(&ask.options.settings.strategy.as_str())
            || !ask.options.settings.is_enabled(Switch::Verified)
        {
            ask.history.verified.clear();
        }
        if ask.models.all_run_here() && !ask.permissions.answer_leaves {
            return Self::default();
        }
        let egress = Self::new(ask.permissions.egress.clone(), &ask.data.catalog, &ask.data.profile);
        egress.redact_metadata(&mut ask.data.catalog, &mut ask.data.profile);
        if egress.level() < EgressLevel::Samples {
            ask.data.values = None;
            // Constants of verified queries and words of verified questions are values of the data.
            ask.history.verified.clear();
        }
        let mut verified = std::mem::take(&mut ask.history.verified);
        verified.retain(|example| {
            ask.prove_query(&example.sql).is_ok_and(|sql| egress.allows_query(&sql, &ask.data.catalog))
        });
        ask.history.verified = verified;
        egress
    }

    /// Returns true if a prompt may show a query that a person wrote: it has no constants or reads no masked column.
    fn allows_query(&self, sql: &ReadOnlySql, catalog: &Catalog) -> bool {
        if self.masked.is_empty() || (sql.has_tree() && vitrine_sql::collect_query_constants(sql).is_empty()) {
            return true;
        }
        let read = value_sources(sql, catalog, &|_, _| false).read;
        read.is_some_and(|read| !read.iter().any(|(table, column)| self.is_masked(table, column)))
    }

    /// Removes the data that the policy withholds from a catalog and its profile.
    pub fn redact_metadata(&self, catalog: &mut Arc<Catalog>, profile: &mut Arc<Profile>) {
        if self.level() < EgressLevel::Profile {
            *catalog = Arc::new(self.redact_catalog(catalog));
            *profile = Arc::new(Profile { fingerprint: profile.fingerprint.clone(), ..Profile::default() });
        } else if let Some(policy) = &self.policy {
            *profile = Arc::new(self.redact_profile(profile, policy, catalog.dialect));
        }
    }

    /// Returns the policy; `None` if no data leaves the program.
    pub fn policy(&self) -> Option<&EgressPolicy> {
        self.policy.as_ref()
    }

    /// Returns the egress level; the highest level if no data leaves the program.
    pub fn level(&self) -> EgressLevel {
        self.policy.as_ref().map_or(EgressLevel::Results, |policy| policy.level)
    }

    /// Removes row counts, and at the lowest level the owner's comments.
    fn redact_catalog(&self, catalog: &Catalog) -> Catalog {
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

    fn redact_profile(&self, profile: &Profile, policy: &EgressPolicy, dialect: Dialect) -> Profile {
        let mut told = profile.clone();
        for table in &mut told.tables {
            let name = table.table.to_string();
            for column in &mut table.columns {
                if self.level() < EgressLevel::Samples || self.is_masked(&name, &column.name) {
                    without_values(column);
                } else {
                    let place = (&table.table, column.name.clone());
                    hide_fields(column, |field| masks_field(field, (place.0, &place.1), policy, dialect));
                }
            }
        }
        told
    }

    /// Returns true if the values of a column are masked.
    pub(crate) fn is_masked(&self, table: &str, column: &str) -> bool {
        self.masked.contains(&(table.to_lowercase(), column.to_lowercase()))
    }

    /// Removes the stored values of masked columns.
    pub(super) fn retain_unmasked(&self, mut matches: Vec<ValueMatch>) -> Vec<ValueMatch> {
        matches.retain(|found| !self.is_masked(&found.table, &found.column));
        matches
    }

    /// Marks the columns of a result that are derived from masked columns. If only the columns that the whole query reads are known, all
    /// are marked if one of those is masked; if not even these are known, all are marked. Returns true if the lineage of each column is
    /// known.
    pub fn mark_masked_columns(&self, page: &mut Page, sql: &ReadOnlySql, catalog: &Catalog) -> bool {
        if self.policy.is_none() {
            return true;
        }
        let followed = value_sources(sql, catalog, &|table, keys| self.crowded.has_large_groups(table, keys));
        self.ledger.record_result(page, &followed.tables);
        self.mark_by(page, &followed, sql.as_str(), |table, column| self.is_masked(table, column))
    }

    /// Marks the columns of a result whose query is not proven: they may come from any stored column.
    pub fn mark_unknown_result(&self, page: &mut Page, sql: &str) {
        if self.policy.is_some() {
            self.mark_by(page, &ValueSources::default(), sql, |_, _| true);
        }
    }

    /// Marks the columns of a query over earlier results, by their names: columns that are masked there remain masked.
    pub fn mark_over(&self, page: &mut Page, sql: &ReadOnlySql, results: &[(&str, &Page)]) {
        if self.policy.is_none() {
            return;
        }
        let followed = value_sources(sql, &catalog_of(results, sql), &|_, _| false);
        let find = |table: &str| results.iter().find(|(name, _)| name.eq_ignore_ascii_case(table));
        self.mark_by(page, &followed, sql.as_str(), |table, column| {
            find(table).is_none_or(|(_, page)| {
                page.columns.iter().any(|own| own.masked && own.name.eq_ignore_ascii_case(column))
            })
        });
    }

    fn mark_by(
        &self,
        page: &mut Page,
        followed: &ValueSources,
        sql: &str,
        is_masked: impl Fn(&str, &str) -> bool,
    ) -> bool {
        let fits = |outputs: &&Vec<OutputSources>| {
            outputs.len() == page.columns.len()
                && outputs.iter().zip(&page.columns).all(|(output, column)| output.may_be_called(&column.name))
        };
        let outputs = followed.outputs.as_ref().filter(fits);
        let any = |sources: &Vec<(String, String)>| sources.iter().any(|(table, column)| is_masked(table, column));
        let reads_masked = !self.masked.is_empty() && followed.read.as_ref().is_none_or(any);
        let withheld = reads_masked || self.level() < EgressLevel::Results;
        let sql = sql.to_lowercase();
        for (at, column) in page.columns.iter_mut().enumerate() {
            match outputs {
                Some(outputs) => {
                    column.masked = !self.masked.is_empty() && any(&outputs[at].columns);
                    column.empty_masked = column.masked && outputs[at].computed;
                }
                None => {
                    column.masked = reads_masked;
                    column.empty_masked = reads_masked;
                    // A pivot turns values into column names.
                    column.name_masked = withheld && !self.is_known_name(&column.name.to_lowercase(), &sql);
                }
            }
        }
        outputs.is_some()
    }

    /// Returns true if a column's name is a name of the schema or consists of words of the query. Both are in lower case.
    fn is_known_name(&self, name: &str, sql: &str) -> bool {
        self.names.contains(name) || holds_word(sql, name) || name.split('_').all(|part| holds_word(sql, part))
    }

    /// Returns true if values are removed from texts: below [`EgressLevel::Results`], or if columns are masked.
    pub fn leaves_out(&self) -> bool {
        self.policy.as_ref().is_some_and(|policy| policy.level < EgressLevel::Results || !self.masked.is_empty())
    }

    /// Masks the rows for a prompt: cells of masked columns, cells that look personal and names that may be values are masked. Below [`EgressLevel::Results`], every
    /// cell is replaced by its type.
    pub fn mask_page<'a>(&self, page: &'a Page) -> ShownPage<'a> {
        let Some(policy) = &self.policy else { return ShownPage(Cow::Borrowed(page)) };
        let withheld = policy.level < EgressLevel::Results;
        let by_looks = policy.mask_personal;
        let hides = |column: &ResultColumn, cell: &str| column.masked || by_looks && looks_personal(cell).is_some();
        let hidden = page.columns.iter().any(|column| column.masked || column.name_masked);
        if !withheld && !hidden && !by_looks {
            return ShownPage(Cow::Borrowed(page));
        }
        let cell = |(column, cell): (&ResultColumn, &Option<String>)| {
            if column.empty_masked {
                return Some(if withheld { cell_placeholder(column.cell_type) } else { MASKED }.to_owned());
            }
            let cell = cell.as_deref()?;
            Some(match withheld {
                true => cell_placeholder(column.cell_type).to_owned(),
                false if hides(column, cell) => MASKED.to_owned(),
                false => cell.to_owned(),
            })
        };
        let rows = page.rows.iter().map(|row| page.columns.iter().zip(row).map(cell).collect()).collect();
        let column =
            |(place, column): (usize, &ResultColumn)| ResultColumn { name: column.shown_name(place), ..column.clone() };
        let columns = page.columns.iter().enumerate().map(column).collect();
        ShownPage(Cow::Owned(Page { columns, rows, row_count: page.row_count, truncated: page.truncated }))
    }

    /// Redacts a text that may repeat a value: below [`EgressLevel::Results`], or if columns are masked, quoted texts and numbers that do
    /// not occur in `known` are removed.
    pub fn redact_text(&self, text: String, known: &str) -> String {
        if !self.leaves_out() {
            return text;
        }
        let known = known.to_lowercase();
        let is_name = |text: &str| text.split('.').all(|part| self.names.contains(part));
        without_values_of(&text, |text| holds_word(&known, text) || is_name(text))
    }

    /// Returns the printed output of a program, whose values cannot be attributed to columns. `None` below [`EgressLevel::Results`] and if
    /// columns are masked; otherwise texts that look personal are masked as in results.
    pub fn show_output(&self, text: &str) -> Option<String> {
        if self.leaves_out() {
            return None;
        }
        let by_looks = self.policy.as_ref().is_some_and(|policy| policy.mask_personal);
        Some(if by_looks { mask_output(text) } else { text.to_owned() })
    }

    /// Redacts an error of the database. Databases repeat values in their errors: below [`EgressLevel::Results`], or if columns are masked,
    /// the error is reported in this program's own words.
    pub fn redact_error(&self, error: &str, sql: &str) -> String {
        if !self.leaves_out() {
            return error.to_owned();
        }
        own_words::describe_error(error, sql, &|name| self.names.contains(name))
    }

    /// Redacts any error of a query; errors of this program are already in its own words.
    pub fn query_error(&self, error: &WarehouseError, sql: &str) -> String {
        match error {
            WarehouseError::Query { message }
            | WarehouseError::NoPermission { message }
            | WarehouseError::Refused { message }
                if self.leaves_out() =>
            {
                self.redact_error(message, sql)
            }
            other => self.redact_text(other.to_string(), sql),
        }
    }

    /// Returns the tables whose values a request's body contains.
    pub(super) fn values_of(&self, body: &str, profile: &Profile) -> Vec<String> {
        self.ledger.values_of(body, profile)
    }
}

/// Maximum number of words of a telephone or account number that is written with spaces.
const WORDS_OF_A_NUMBER: usize = 9;

/// Masks the words, and the sequences of words, that look personal.
fn mask_output(text: &str) -> String {
    let bare = |words: &[&str]| {
        let joined = words.join(" ");
        joined.trim_matches(|c: char| !c.is_alphanumeric() && !"+(".contains(c)).to_owned()
    };
    let mask_line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let mut shown: Vec<String> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let most = (words.len() - at).min(WORDS_OF_A_NUMBER);
            let masked = (1..=most).rev().find(|count| looks_personal(&bare(&words[at..at + count])).is_some());
            let taken = masked.unwrap_or(1);
            let run = words[at..at + taken].join(" ");
            shown.push(if masked.is_some() { run.replace(&bare(&words[at..at + taken]), MASKED) } else { run });
            at += taken;
        }
        shown.join(" ")
    };
    text.lines().map(mask_line).collect::<Vec<_>>().join("\n")
}

/// Returns the placeholder for a cell of this type.
fn cell_placeholder(cell_type: CellType) -> &'static str {
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

/// Returns a catalog whose tables are earlier results.
fn catalog_of(results: &[(&str, &Page)], sql: &ReadOnlySql) -> Catalog {
    let column = |column: &ResultColumn| Column {
        name: column.name.clone(),
        data_type: String::new(),
        nullable: true,
        comment: None,
    };
    let table = |(name, page): &(&str, &Page)| Table {
        name: TableName::from_unqualified(*name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: page.columns.iter().map(column).collect(),
        primary_key: Vec::new(),
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        definition: None,
    };
    Catalog {
        database: String::new(),
        dialect: sql.dialect(),
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: results.iter().map(table).collect(),
    }
}

/// Removes all stored values from a column's profile; numbers about them remain.
fn without_values(column: &mut ColumnProfile) {
    column.min = None;
    column.max = None;
    column.top.clear();
    column.samples.clear();
    column.complete = false;
    column.fields.iter_mut().for_each(without_values);
    column.paths.iter_mut().for_each(|(_, data_type)| without_listed_values(data_type));
}

/// Removes the stored values of some fields from a nested column's profile.
fn hide_fields(column: &mut ColumnProfile, is_hidden: impl Fn(&ColumnProfile) -> bool) {
    for field in column.fields.iter_mut().filter(|field| is_hidden(field)) {
        without_values(field);
        let own = column.paths.iter_mut().filter(|(path, _)| *path == field.name);
        own.for_each(|(_, data_type)| without_listed_values(data_type));
    }
}

/// Removes the values from the type of a path, such as `text 'de' | 'en'`.
fn without_listed_values(data_type: &mut String) {
    const TEXT: &str = "text";
    if data_type.starts_with("text '") {
        data_type.truncate(TEXT.len());
    }
}

/// Returns true if a text contains another one as whole words.
fn holds_word(text: &str, part: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (first, last) = (is_word(part.chars().next()), is_word(part.chars().next_back()));
    part.is_empty()
        || text.match_indices(part).any(|(at, _)| {
            let (before, after) = (text[..at].chars().next_back(), text[at + part.len()..].chars().next());
            let continues = first && is_word(before) || last && is_word(after);
            !continues
        })
}

/// Removes the quoted texts and numbers for which `known` is false; `known` receives them in lower case.
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
