//! What repairs do to queries that need none: gold SQL is right, so that a repair which changes its result does harm.

use crate::Options;
use crate::report::{Figure, Section, count};
use anyhow::Result;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_agents::contract::OutputContract;
use vitrine_domain::{Catalog, Profile, RewrittenQuestion};
use vitrine_eval::{Pack, Question, Scope};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, digest, read_page};

/// Rows of a result that are compared, and the time that a query may take.
const ROWS: u64 = 10_000;
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Tally {
    queries: u64,
    /// Changed by what needs no question, and by what fits a query to its question.
    repaired: u64,
    fitted: u64,
    /// Of both, those that give another result then.
    differing: u64,
    /// Doubted: another candidate would be preferred.
    doubted: u64,
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
        let tally = runtime.block_on(tally(&pack))?;
        let figure = |name: &str, found: u64| {
            let part = 100.0 * found as f64 / tally.queries.max(1) as f64;
            let name = format!("{}, {} queries: {name}", pack.name, count(tally.queries));
            Figure::new(name, format!("{} ({part:.1}%)", count(found)))
        };
        figures.push(figure("changed by a repair", tally.repaired));
        figures.push(figure("changed to fit the question", tally.fitted));
        figures.push(figure("another result then", tally.differing));
        figures.push(figure("doubted", tally.doubted));
    }
    Ok(Section {
        how: "Every usable gold query through the repairs that a candidate goes through, with the catalog and without a profile; \
              a text in double quotes read as a text is no change. Gold is right, or is taken to be: what is changed or \
              doubted here is so by mistake."
            .to_owned(),
        figures,
    })
}

async fn tally(pack: &Pack) -> Result<Tally> {
    let mut opened: BTreeMap<&str, (Arc<dyn Warehouse>, Catalog)> = BTreeMap::new();
    let mut tally = Tally::default();
    for question in &pack.questions {
        if !opened.contains_key(question.warehouse.as_str()) {
            let warehouse = vitrine_warehouse::open(&WarehouseUri::parse(&question.warehouse)?).await?;
            let catalog = warehouse.catalog().await?;
            opened.insert(&question.warehouse, (warehouse, catalog));
        }
        let (warehouse, catalog) = &opened[question.warehouse.as_str()];
        look_at(question, warehouse.as_ref(), catalog, &mut tally).await;
    }
    Ok(tally)
}

async fn look_at(question: &Question, warehouse: &dyn Warehouse, catalog: &Catalog, tally: &mut Tally) {
    let Some(gold) = question.gold_sql.first() else { return };
    let Ok(gold) = ReadOnlySql::parse(gold, catalog.dialect) else { return };
    let Ok(repaired) = vitrine_sql::repair(&gold, catalog, &Profile::default()) else { return };
    tally.queries += 1;
    let read_otherwise = |note: &String| note.contains("was read as the text");
    let changed = !repaired.notes.iter().all(read_otherwise);
    let contract = OutputContract::of(&question.question, &RewrittenQuestion::default(), catalog);
    let fitted = vitrine_sql::fit(&repaired.sql, catalog, &contract.said);
    tally.repaired += u64::from(changed);
    tally.fitted += u64::from(fitted.is_some());
    let told = question.evidence.as_deref().unwrap_or_default();
    let doubt = contract.doubt(&gold, catalog, &Profile::default(), told);
    tally.doubted += u64::from(doubt.is_some());
    if changed || fitted.is_some() {
        let after = fitted.map_or(repaired.sql, |fitted| fitted.sql);
        tally.differing += u64::from(result(warehouse, &gold).await != result(warehouse, &after).await);
    }
}

/// A text that is equal where two results are; `None` for a query that fails.
async fn result(warehouse: &dyn Warehouse, sql: &ReadOnlySql) -> Option<String> {
    let limits = Limits { timeout: TIMEOUT, ..Limits::default() };
    let batches = warehouse.query(sql, limits, CancellationToken::new()).await.ok()?;
    Some(digest(&read_page(batches, ROWS).await.ok()?, false))
}
