//! What rules make of queries that are right: gold SQL through the registry, rule by rule.

use crate::Options;
use crate::report::{Figure, Section, count};
use anyhow::Result;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Profile};
use vitrine_eval::{Pack, Question, Scope};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::{QuestionFacts, RuleInput, findings, repair_names, rules, safe, variants};
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, digest, read_page};

/// Rows of a result that are compared, and the time that a query may take.
const ROWS: u64 = 10_000;
const TIMEOUT: Duration = Duration::from_secs(10);

/// How often a rule said something, changed a query, and changed its result.
#[derive(Default, Clone, Copy)]
struct Tally {
    fired: u64,
    other_result: u64,
}

#[derive(Default)]
struct Tallies {
    queries: u64,
    /// Queries whose text went on otherwise than it was written, and those that gave another result then.
    changed: u64,
    broken: u64,
    by_rule: BTreeMap<String, Tally>,
}

struct Opened {
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
    profile: Profile,
}

pub fn section(options: &Options) -> Result<Section> {
    let packs: Vec<_> = options.packs.iter().filter(|folder| folder.is_dir()).collect();
    if packs.is_empty() {
        return Ok(Section::skipped(
            "skipped: packs of questions with gold SQL and databases are no part of the project; name their folders with --packs",
        ));
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let mut figures = Vec::new();
    for folder in packs {
        let pack = Pack::load(folder, Scope::Answers)?;
        let tallies = runtime.block_on(tally(&pack))?;
        let of = format!("{}, {} queries", pack.name, count(tallies.queries));
        figures.push(Figure::new(format!("{of}: gone on otherwise than written"), count(tallies.changed)));
        figures.push(
            Figure::new(format!("{of}: with another result then"), count(tallies.broken))
                .goal("0", tallies.broken == 0),
        );
        for rule in rules() {
            let tally = tallies.by_rule.get(&rule.code).copied().unwrap_or_default();
            if tally.fired > 0 {
                let other = match rule.applicability {
                    vitrine_domain::Applicability::Hint => String::new(),
                    _ => format!(", {} with another result", count(tally.other_result)),
                };
                let name = format!("{of}: {} {} ({})", rule.code, rule.name, rule.applicability.as_str());
                figures.push(Figure::new(name, format!("{}{other}", count(tally.fired))));
            }
        }
    }
    Ok(Section {
        how: "Every usable gold query through the registry, with catalog and profile. A variant or a finding does not change the \
              query: its line says how often it would have spoken against a right one; what went on otherwise than it was written \
              is the first line. Gold is taken to be right."
            .to_owned(),
        figures,
    })
}

async fn tally(pack: &Pack) -> Result<Tallies> {
    let mut opened: BTreeMap<&str, Opened> = BTreeMap::new();
    let mut tallies = Tallies::default();
    for question in &pack.questions {
        if !opened.contains_key(question.warehouse.as_str()) {
            let warehouse = vitrine_warehouse::open(&WarehouseUri::parse(&question.warehouse)?).await?;
            let catalog = warehouse.catalog().await?;
            let profile = vitrine_catalog::profile(
                warehouse.clone(),
                &catalog,
                Default::default(),
                |_, _, _| {},
                CancellationToken::new(),
            )
            .await
            .unwrap_or_default();
            opened.insert(&question.warehouse, Opened { warehouse, catalog, profile });
        }
        look_at(question, &opened[question.warehouse.as_str()], &mut tallies).await;
    }
    Ok(tallies)
}

async fn look_at(question: &Question, opened: &Opened, tallies: &mut Tallies) {
    let Opened { warehouse, catalog, profile } = opened;
    let Some(gold) = question.gold_sql.first() else { return };
    let Ok(gold) = ReadOnlySql::parse(gold, catalog.dialect) else { return };
    tallies.queries += 1;
    let facts = QuestionFacts::of(&question.question, catalog);
    let knowledge = question.evidence.as_deref().unwrap_or_default();
    let input = RuleInput { catalog, profile, facts: &facts, knowledge, wrong_qualifiers: &[], off: &[] };
    let Ok(repaired) = repair_names(&gold, &input) else { return };
    // A text in double quotes read as a text is no change.
    let repaired = repaired.filter(|c| !c.changes.iter().all(|change| change.note.contains("was read as the text")));
    let repaired_sql = repaired.as_ref().map_or(&gold, |changed| &changed.sql);
    let made_safe = safe(repaired_sql, &input);
    let changes: Vec<_> = repaired.iter().chain(&made_safe).flat_map(|changed| changed.changes.clone()).collect();
    let last = made_safe.as_ref().map_or(repaired_sql, |changed| &changed.sql);
    let expected = result(warehouse.as_ref(), &gold).await;
    let mut add = |rule: &str, other: bool| {
        let tally = tallies.by_rule.entry(rule.to_owned()).or_default();
        tally.fired += 1;
        tally.other_result += u64::from(other);
    };
    let broken = !changes.is_empty() && result(warehouse.as_ref(), last).await != expected;
    for change in &changes {
        add(&change.rule, broken);
    }
    for variant in variants(last, &input).iter().filter(|variant| !variant.rule.contains('+')) {
        add(&variant.rule, result(warehouse.as_ref(), &variant.sql).await != expected);
    }
    for finding in findings(last, &input) {
        add(&finding.rule, false);
    }
    tallies.changed += u64::from(!changes.is_empty());
    tallies.broken += u64::from(broken);
}

/// A text that is equal where two results are; `None` for a query that fails.
async fn result(warehouse: &dyn Warehouse, sql: &ReadOnlySql) -> Option<String> {
    let limits = Limits { timeout: TIMEOUT, ..Limits::default() };
    let batches = warehouse.query(sql, limits, CancellationToken::new()).await.ok()?;
    Some(digest(&read_page(batches, ROWS).await.ok()?, false))
}
