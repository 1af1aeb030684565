//! Judging one question: its gold is run, then the prediction, in full; then the rules compare.

use crate::fault::Fault;
use crate::lab::Prepared;
use crate::linking::{Linking, Names};
use crate::metrics::{GoldResult, Rule, Verdict, spider};
use crate::pack::{LeftOut, Question};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Page, SchemaSelection};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Limits, Warehouse, WarehouseKind, WarehouseUri};

/// Rows of a result that are compared.
const COMPARED_ROWS: u64 = 100_000;
/// Time that one query of the judge may take.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What a question may be answered with: a result, the query that gives it, or both.
pub(crate) struct Gold {
    query: Option<ReadOnlySql>,
    pub(crate) result: Option<GoldResult>,
}

/// What a run has to show.
pub(crate) struct Prediction<'a> {
    /// Its SQL.
    pub(crate) sql: Option<&'a str>,
    /// Whether that ran.
    pub(crate) ran: bool,
    /// The answer's own rows, where it is more than its SQL: code that no test database can be given.
    pub(crate) rows: Option<&'a Page>,
    /// Tables and columns it selected.
    pub(crate) selection: &'a SchemaSelection,
}

/// What the rules say about it.
#[derive(Debug, PartialEq)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    pub(crate) fault: Option<Fault>,
    pub(crate) linking: Option<Linking>,
}

/// Runs the gold of a question, or says why the question cannot be measured. Gold tables are taken as they are, and
/// the SQL beside them only says which tables and columns are needed.
pub(crate) async fn golds(question: &Question, database: &Prepared) -> Result<Vec<Gold>, LeftOut> {
    let has_tables = !question.gold_tables.is_empty();
    let mut golds: Vec<Gold> =
        question.gold_tables.iter().map(|table| Gold { query: None, result: Some(table.clone()) }).collect();
    for sql in &question.gold_sql {
        let Some(query) = parse_gold(sql, database) else { continue };
        if has_tables {
            golds.push(Gold { query: Some(query), result: None });
        } else if let Some(page) = rows(database.warehouse.as_ref(), &query).await {
            let ordered = query.is_ordered();
            let result = GoldResult { page, ordered, required: Vec::new() };
            golds.push(Gold { query: Some(query), result: Some(result) });
        }
    }
    let results = || golds.iter().filter_map(|gold| gold.result.as_ref());
    if results().next().is_none() {
        return Err(LeftOut::GoldFails);
    }
    if !question.judged && results().all(|gold| is_trivial(&gold.page)) {
        return Err(LeftOut::GoldTrivial);
    }
    Ok(golds)
}

/// Compares a prediction with every gold.
pub(crate) async fn judge(
    question: &Question,
    database: &Prepared,
    golds: &[Gold],
    prediction: Prediction<'_>,
    rule: Rule,
) -> Judgement {
    let catalog = &database.catalog;
    let query = prediction.sql.and_then(|sql| database.prove(sql).ok());
    // Of a query that only its engine reads nobody knows the names: nothing is said of them.
    let used = match &query {
        Some(query) => Names::of_query(query, catalog),
        None => Some(Names::default()),
    };
    let needed: Vec<Names> = golds.iter().filter_map(|gold| Names::of_query(gold.query.as_ref()?, catalog)).collect();
    let linking = if prediction.selection.is_empty() {
        used.as_ref().and_then(|used| Linking::best(&needed, used))
    } else {
        Linking::best(&needed, &Names::of_selection(prediction.selection, catalog))
    };
    let mut judgement = Judgement { verdict: Verdict::default(), fault: Some(Fault::NoSql), linking };
    if prediction.sql.is_none() {
        return judgement;
    }
    judgement.fault = Some(Fault::DoesNotRun);
    let page = match (prediction.rows, &query) {
        (Some(page), _) => page.clone(),
        (None, Some(query)) if prediction.ran => match rows(database.warehouse.as_ref(), query).await {
            Some(page) => page,
            None => return judgement,
        },
        (None, _) => return judgement,
    };

    let same_tables =
        needed.is_empty() || used.is_none_or(|used| needed.iter().any(|needed| needed.tables == used.tables));
    for gold in golds {
        let Some(result) = &gold.result else { continue };
        let mut verdict = Verdict::of(&page, result);
        let fault = if verdict.by(rule) {
            // Then only another database of the test suite can tell the two apart.
            Fault::WrongValues
        } else {
            Fault::of(&page, result, same_tables)
        };
        if let (true, Some(gold), Some(query), None) = (verdict.spider, &gold.query, &query, prediction.rows) {
            verdict.spider = agree_everywhere(query, gold, &question.test_databases).await;
        }
        judgement.verdict = judgement.verdict.or(verdict);
        judgement.fault = judgement.fault.max(Some(fault));
    }
    if judgement.verdict.by(rule) {
        judgement.fault = None;
    }
    judgement
}

/// Whether two queries give the same by Spider's rule on every database of a test suite. A database on which the gold
/// does not run says nothing.
async fn agree_everywhere(predicted: &ReadOnlySql, gold: &ReadOnlySql, suite: &[impl AsRef<Path>]) -> bool {
    for path in suite {
        let uri = WarehouseUri::new(WarehouseKind::Sqlite, path.as_ref());
        let Ok(warehouse) = vitrine_warehouse::open(&uri).await else { continue };
        let agree = match rows(warehouse.as_ref(), gold).await {
            None => true,
            Some(wanted) => match rows(warehouse.as_ref(), predicted).await {
                None => false,
                Some(page) => spider(&page, &wanted, gold.is_ordered()),
            },
        };
        warehouse.close().await;
        if !agree {
            return false;
        }
    }
    true
}

/// Gold SQL of some packs writes text in double quotes, which the engine here takes for names only.
fn parse_gold(sql: &str, database: &Prepared) -> Option<ReadOnlySql> {
    let catalog = &database.catalog;
    let sql = database.prove(sql).ok()?;
    if vitrine_sql::bind(&sql, catalog).problems.is_empty() {
        return Some(sql);
    }
    Some(vitrine_sql::rebind(&sql, catalog).map_or(sql, |rebound| rebound.sql))
}

/// Whether a result says nothing: no row, or one NULL.
fn is_trivial(page: &Page) -> bool {
    match page.rows.as_slice() {
        [] => true,
        [row] => matches!(row.as_slice(), [None]),
        _ => false,
    }
}

pub(crate) async fn rows(warehouse: &dyn Warehouse, sql: &ReadOnlySql) -> Option<Page> {
    let limits = Limits { rows: Some(COMPARED_ROWS), timeout: TIME_LIMIT, ..Limits::default() };
    let batches = warehouse.query(sql, limits, CancellationToken::new()).await.ok()?;
    vitrine_warehouse::read_page(batches, COMPARED_ROWS).await.ok()
}
