//! Values that probably mean the same, in a column by which the answer groups or filters. A query with these values merged runs beside the
//! answer; the answer itself is not changed.

use crate::attempt::execute::execute_candidate;
use crate::attempt::prepare::{RuleUse, without_question};
use crate::candidate::{Candidate, CandidateVariant};
use crate::run::context::RunContext;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use vitrine_catalog::personal_columns;
use vitrine_domain::{
    Agent, Catalog, Definition, EgressPolicy, NodeId, Page, PersonalColumn, PersonalKind, RuleNote, TableName,
    TableProfile,
};
use vitrine_sql::{ReadOnlySql, name_words, quote_identifier, table_ref, text_value};
use vitrine_sql_rules::SAME_VALUES;
use vitrine_sql_rules::merging::{Category, Merging, ValueMerge, count_of_rows, find_categories, merge_values};
use vitrine_values::{CategoryColumn, CategoryValue, SearchTerm, same_values};
use vitrine_warehouse::WarehouseUri;
use vitrine_words::{plural, tr};

/// Maximum number of columns of a query that are checked.
const COLUMNS: usize = 6;
/// Maximum number of compared values per column.
const VALUES: u64 = 20_000;
/// Maximum number of reported groups of a column, and of values in all of them.
const GROUPS: usize = 40;
const MEMBERS: usize = 200;
/// Maximum number of groups that a note lists.
const TOLD: usize = 6;
/// Maximum number of rows of a table whose codes are read beside the names.
const CODED_ROWS: u64 = 2_000_000;
/// Words in column names that indicate codes or names, in English, German and French.
const CODES: [&str; 12] =
    ["code", "id", "key", "iso", "no", "nr", "num", "number", "abbr", "abbrev", "nummer", "kürzel"];
const NAMES: [&str; 6] = ["name", "label", "title", "bezeichnung", "nom", "libelle"];
/// Time limit for the queries of the check.
const PATIENCE: Duration = Duration::from_secs(20);

/// Searches the answer's columns for values that probably mean the same. If merging them changes the result, adds the changed query to the
/// candidate's variants, or a finding if the query cannot be changed. Returns the definitions that keep the merges.
pub async fn look_for_same_values(context: &RunContext, node: &NodeId, candidate: &mut Candidate) -> Vec<Definition> {
    if !RuleUse::from_context(context).respelling || !without_question(context).is_rule_enabled(&SAME_VALUES) {
        return Vec::new();
    }
    let look = SameValueCheck { context, node };
    let Ok(found) = tokio::time::timeout(PATIENCE, look.check_candidate(candidate)).await else {
        let seconds = PATIENCE.as_secs();
        let note = tr!(
            "the values that the query groups or filters by were not compared with each other: the database took longer than {seconds} s",
            seconds
        );
        candidate.findings.push(RuleNote { rule: SAME_VALUES, note });
        return Vec::new();
    };
    let Some(MergeFinding { merges, note, variant }) = found else { return Vec::new() };
    let Some((sql, ran)) = variant else {
        candidate.findings.push(RuleNote { rule: SAME_VALUES, note });
        return Vec::new();
    };
    candidate.variants.retain(|other| ran.is_none() || other.digest() != ran.as_ref().map(|(_, digest)| digest));
    let rule = SAME_VALUES;
    candidate.variants.insert(0, CandidateVariant { rule, note, as_written: None, sql, ran });
    merges.iter().map(ValueMerge::definition).collect()
}

/// Result of a check for equivalent values.
struct MergeFinding {
    merges: Vec<ValueMerge>,
    note: String,
    /// The query with the values merged, and its result with the digest; `None` if it cannot be changed.
    variant: Option<(ReadOnlySql, Option<(Page, String)>)>,
}

struct SameValueCheck<'a> {
    context: &'a RunContext,
    node: &'a NodeId,
}

impl SameValueCheck<'_> {
    async fn check_candidate(&self, candidate: &Candidate) -> Option<MergeFinding> {
        let catalog = &self.context.ask.data.catalog;
        let mut merges = Vec::new();
        let mut is_beyond_kept = false;
        let categories: Vec<Category> = find_categories(&candidate.sql, catalog).into_iter().take(COLUMNS).collect();
        for category in &categories {
            let (found, is_beyond) = self.merges_of(category, candidate).await;
            merges.extend(found);
            is_beyond_kept |= is_beyond;
        }
        if merges.is_empty() {
            return None;
        }
        let (sql, used) = match merge_values(&candidate.sql, catalog, &merges) {
            Merging::Unneeded if !is_beyond_kept => return None,
            Merging::Changed(sql, used) if !is_beyond_kept => (sql, used),
            _ => {
                let note = describe_merges(&merges);
                return Some(MergeFinding { merges, note, variant: None });
            }
        };
        if self.context.ask.user.approver.is_some() {
            // A query that needs the user's approval is not run, since it does not change the answer.
            let note = describe_merges(&used);
            return Some(MergeFinding { merges: used, note, variant: Some((sql, None)) });
        }
        let Ok(ran) = execute_candidate(self.context, Agent::Generator, self.node, sql.clone(), candidate.number).await
        else {
            return None;
        };
        let Ok(ran) = ran else {
            let note = describe_merges(&used);
            return Some(MergeFinding { merges: used, note, variant: None });
        };
        let outputs = output_columns(candidate, catalog);
        let unmerged = merged_page(&candidate.page, &outputs, &used);
        let digest = |page: &Page| vitrine_warehouse::digest_rows(page, false);
        if digest(&unmerged) == digest(&ran.page) {
            return None;
        }
        let used = select_relevant_merges(used, &categories, &candidate.page, &outputs);
        let mut note = describe_merges(&used);
        if let Some(more) = self.rows_added(&candidate.sql, &sql).await {
            let added = plural!(more, "this adds {n} row", "this adds {n} rows");
            note = format!("{note}; {added}");
        }
        Some(MergeFinding { merges: used, note, variant: Some((sql, Some((ran.page, ran.digest)))) })
    }

    /// Returns the groups of values of a column, and true if one contains more than the values that the user has merged.
    async fn merges_of(&self, category: &Category, candidate: &Candidate) -> (Vec<ValueMerge>, bool) {
        let nothing = (Vec::new(), false);
        let (context, name) = (self.context, category.table.to_string());
        if context.egress.is_masked(&name, &category.column) {
            return nothing;
        }
        let column = CategoryColumn { name: &category.column, is_personal: self.is_personal(category) };
        let mut values = self.values_of(category, candidate).await;
        if let Some(partner) = code_column(category, &context.ask.data.catalog) {
            let codes = self.codes_of(category, partner).await;
            values.iter_mut().for_each(|value| value.code = codes.get(&value.text).cloned());
        }
        let mut groups = same_values(column, &values, true);
        groups.truncate(GROUPS);
        let members: Vec<String> = groups.iter().flatten().map(|value| value.text.clone()).take(MEMBERS).collect();
        if members.is_empty() {
            return nothing;
        }
        let rows = self.rows_of(category, &members).await;
        if !rows.is_empty() {
            for value in &mut values {
                // Values that are not stored any more are not evidence.
                value.rows = rows.get(&value.text).copied().or(value.rows);
            }
            values.retain(|value| !members.contains(&value.text) || rows.contains_key(&value.text));
        }
        let kept: Vec<&ValueMerge> = context
            .standing
            .merges()
            .iter()
            .filter(|kept| kept.table == category.table && kept.column == category.column)
            .collect();
        let mut is_beyond = false;
        let mut found = Vec::new();
        for group in same_values(column, &values, false).into_iter().take(GROUPS) {
            let texts: Vec<&str> = group.iter().map(|value| value.text.as_str()).collect();
            let merges = |kept: &ValueMerge, text: &str| kept.values().any(|value| value == text);
            if kept.iter().any(|kept| texts.iter().all(|text| merges(kept, text))) {
                continue;
            }
            is_beyond |= kept.iter().any(|kept| texts.iter().any(|text| merges(kept, text)));
            found.extend(merge_of(category, &texts));
        }
        (found, is_beyond)
    }

    fn is_personal(&self, category: &Category) -> bool {
        let catalog = &self.context.whole_catalog;
        let own = catalog.tables.iter().filter(|table| table.name == category.table);
        // The check needs no other tables.
        let alone = Catalog { tables: own.cloned().collect(), ..catalog.without_tables() };
        let personal = personal_columns(&alone, &self.context.stored.profile, &EgressPolicy::default());
        let is_person = |column: &PersonalColumn| {
            // A city is a part of an address and does not identify a person.
            let is_other = matches!(column.kind, PersonalKind::Address | PersonalKind::Chosen);
            column.column.eq_ignore_ascii_case(&category.column) && !is_other
        };
        personal.iter().any(is_person)
    }

    /// Returns the values of a column: from the index, else from the profile and the answer, and values similar to the query's literals for
    /// the column.
    async fn values_of(&self, category: &Category, candidate: &Candidate) -> Vec<CategoryValue> {
        let context = self.context;
        let mut values: Vec<CategoryValue> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        let mut add = |text: String, rows: Option<u64>| {
            if seen.len() < VALUES as usize && seen.insert(text.clone()) {
                values.push(CategoryValue { text, rows, code: None });
            }
        };
        let table = context.stored.profile.find_table(&category.table);
        if let Some(column) = table.and_then(|table| table.find_column(&category.column)) {
            let is_whole = table.is_some_and(TableProfile::is_whole);
            column.top.iter().for_each(|(text, rows)| add(text.clone(), is_whole.then_some(*rows)));
        }
        let indexed = match context.stored.values.clone() {
            Some(index) => {
                let (table, column) = (category.table.to_string(), category.column.clone());
                let read = tokio::task::spawn_blocking(move || index.stored_values(&table, &column, VALUES));
                read.await.ok().and_then(Result::ok).flatten()
            }
            None => None,
        };
        let is_indexed = indexed.is_some();
        indexed.into_iter().flatten().for_each(|text| add(text, None));
        for (at, _) in
            output_columns(candidate, &context.ask.data.catalog).iter().filter(|(_, of)| is_column(of, category))
        {
            candidate.page.rows.iter().filter_map(|row| row.get(*at)?.clone()).for_each(|text| add(text, None));
        }
        if !is_indexed {
            let term = |text: &String| SearchTerm {
                text: text.clone(),
                column: Some(category.column.clone()),
                table: Some(category.table.to_string()),
            };
            let terms = category.compared.iter().take(COLUMNS).map(term).collect();
            for found in context.search_values(self.node, terms, None).await {
                if found.table == category.table.to_string() && found.column.eq_ignore_ascii_case(&category.column) {
                    add(found.value, None);
                }
            }
        }
        values
    }

    /// Returns the unique code of each value in the adjacent code column; empty if reading them needs approval or takes too long.
    async fn codes_of(&self, category: &Category, partner: &str) -> HashMap<String, String> {
        let ask = &self.context.ask;
        let is_bounded =
            WarehouseUri::parse(&ask.data.uri).is_ok_and(|uri| uri.kind().info().reading_ahead.is_bounded());
        let profile = self.context.stored.profile.find_table(&category.table);
        let is_small = profile.is_some_and(|table| table.row_count.is_some_and(|rows| rows <= CODED_ROWS));
        if ask.user.approver.is_some() || is_bounded || !is_small {
            return HashMap::new();
        }
        let dialect = ask.data.catalog.dialect;
        let (column, code) = (quote_identifier(&category.column, dialect), quote_identifier(partner, dialect));
        let text = format!(
            "SELECT {column}, MIN({code}), MAX({code}) FROM {} GROUP BY {column}",
            table_ref(&category.table, dialect)
        );
        let Ok(sql) = ask.prove_query(&text) else { return HashMap::new() };
        let page = self.context.try_query_composed(Agent::Generator, self.node, &sql, VALUES).await;
        let Ok(Ok(page)) = page else { return HashMap::new() };
        let row = |row: &Vec<Option<String>>| match row.as_slice() {
            [Some(text), Some(least), Some(most)] if least == most => Some((text.clone(), least.clone())),
            _ => None,
        };
        page.rows.iter().filter_map(row).collect()
    }

    /// Counts the rows of each of these values; empty if they cannot be counted.
    async fn rows_of(&self, category: &Category, members: &[String]) -> HashMap<String, u64> {
        let ask = &self.context.ask;
        if ask.user.approver.is_some() {
            return HashMap::new();
        }
        let dialect = ask.data.catalog.dialect;
        let (column, table) = (quote_identifier(&category.column, dialect), table_ref(&category.table, dialect));
        let list: Vec<String> = members.iter().map(|text| text_value(text, dialect).to_string()).collect();
        let text =
            format!("SELECT {column}, COUNT(*) FROM {table} WHERE {column} IN ({}) GROUP BY {column}", list.join(", "));
        let Ok(sql) = ask.prove_query(&text) else { return HashMap::new() };
        let page = self.context.try_query_composed(Agent::Generator, self.node, &sql, MEMBERS as u64).await;
        let Ok(Ok(page)) = page else { return HashMap::new() };
        let row = |row: &Vec<Option<String>>| match row.as_slice() {
            [Some(text), Some(rows)] => Some((text.clone(), rows.parse().ok()?)),
            _ => None,
        };
        page.rows.iter().filter_map(row).collect()
    }

    /// Returns the number of rows that `after` selects in addition to `before`; `None` if there are none, or if it is unknown.
    async fn rows_added(&self, before: &ReadOnlySql, after: &ReadOnlySql) -> Option<u64> {
        let count = async |sql: &ReadOnlySql| {
            let counting = count_of_rows(sql)?;
            let page = self.context.try_query_composed(Agent::Generator, self.node, &counting, 1).await.ok()?.ok()?;
            page.rows.first()?.first()?.as_ref()?.parse::<u64>().ok()
        };
        let (before, after) = (count(before).await?, count(after).await?);
        after.checked_sub(before).filter(|more| *more > 0)
    }
}

/// Returns the column of codes for a column of names: `country_code` beside `country` or `country_name`.
fn code_column<'c>(category: &Category, catalog: &'c Catalog) -> Option<&'c str> {
    let without = |name: &str, left_out: &[&str]| -> Vec<String> {
        name_words(name).into_iter().filter(|word| !left_out.contains(&word.as_str())).collect()
    };
    let thing = without(&category.column, &NAMES);
    let table = catalog.tables.iter().find(|table| table.name == category.table)?;
    let is_code = |name: &str| {
        let rest = without(name, &CODES);
        rest == thing && !thing.is_empty() && rest.len() < name_words(name).len()
    };
    table.columns.iter().map(|column| column.name.as_str()).find(|name| *name != category.column && is_code(name))
}

fn merge_of(category: &Category, texts: &[&str]) -> Option<ValueMerge> {
    let (kept, others) = texts.split_first()?;
    let others = others.iter().map(|text| (*text).to_owned()).collect();
    let (table, column) = (category.table.clone(), category.column.clone());
    Some(ValueMerge { table, column, kept: (*kept).to_owned(), others })
}

fn describe_merges(merges: &[ValueMerge]) -> String {
    let first: Vec<String> = merges.iter().take(TOLD).map(ValueMerge::describe_merge).collect();
    let values = first.join("; ");
    match merges.len().saturating_sub(TOLD) {
        0 => tr!("These values probably mean the same: {values}", values),
        more => plural!(
            more,
            "These values probably mean the same: {values}; {n} more group",
            "These values probably mean the same: {values}; {n} more groups",
            values
        ),
    }
}

/// Returns the indexes of the result's columns that pass on a column of the catalog, as (table, column).
fn output_columns(candidate: &Candidate, catalog: &Catalog) -> Vec<(usize, (String, String))> {
    let outputs = vitrine_sql::bind_names(&candidate.sql, catalog).outputs;
    let only = |(at, output): (usize, vitrine_sql::OutputColumn)| match output.sources.as_slice() {
        [only] => Some((at, only.clone())),
        _ => None,
    };
    outputs.into_iter().enumerate().filter_map(only).collect()
}

fn is_column((table, column): &(String, String), category: &Category) -> bool {
    is_named(table, &category.table) && column.eq_ignore_ascii_case(&category.column)
}

fn is_named(name: &str, table: &TableName) -> bool {
    name.eq_ignore_ascii_case(&table.to_string())
}

/// Returns the result with merged values renamed, for queries in which merging only renames values.
fn merged_page(page: &Page, outputs: &[(usize, (String, String))], merges: &[ValueMerge]) -> Page {
    let mut merged = page.clone();
    for merge in merges {
        let own = outputs
            .iter()
            .filter(|(_, (table, column))| is_named(table, &merge.table) && column.eq_ignore_ascii_case(&merge.column));
        for (at, _) in own {
            let cells = merged.rows.iter_mut().filter_map(|row| row.get_mut(*at)?.as_mut());
            cells.filter(|cell| merge.others.contains(cell)).for_each(|cell| cell.clone_from(&merge.kept));
        }
    }
    merged
}

/// Returns the merges of values that the result shows separately or that the query compares; if there are none, all merges.
fn select_relevant_merges(
    merges: Vec<ValueMerge>,
    categories: &[Category],
    page: &Page,
    outputs: &[(usize, (String, String))],
) -> Vec<ValueMerge> {
    let is_compared = |merge: &ValueMerge| {
        let own = categories.iter().filter(|own| own.table == merge.table && own.column == merge.column);
        own.flat_map(|own| &own.compared).any(|text| merge.values().any(|value| value == text))
    };
    let shows = |merge: &ValueMerge| {
        let own = outputs
            .iter()
            .filter(|(_, (table, column))| is_named(table, &merge.table) && column.eq_ignore_ascii_case(&merge.column));
        let cells = own.flat_map(|(at, _)| page.rows.iter().filter_map(|row| row.get(*at)?.as_deref()));
        cells.filter(|cell| merge.values().any(|value| value == *cell)).collect::<HashSet<&str>>().len() > 1
    };
    let told: Vec<ValueMerge> = merges.iter().filter(|merge| is_compared(merge) || shows(merge)).cloned().collect();
    if told.is_empty() { merges } else { told }
}
