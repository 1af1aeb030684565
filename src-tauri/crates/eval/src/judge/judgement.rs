//! Judging of one question: the prediction is executed in full and compared with every gold result.

use super::database::PreparedDatabase;
use super::gold::{Gold, fetch_rows, is_over_limit};
use crate::metrics::error_class::ErrorClass;
use crate::metrics::fault::Fault;
use crate::metrics::linking::{Linking, SchemaNames};
use crate::metrics::{Rule, Verdict, matches_spider};
use crate::pack::Question;
use std::collections::BTreeSet;
use std::path::Path;
use vitrine_domain::{Page, SchemaSelection};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::sqlite_address;

/// The output of a run that is judged.
pub(crate) struct Prediction<'a> {
    /// The SQL, if the run wrote any.
    pub(crate) sql: Option<&'a str>,
    /// `true` if the SQL ran.
    pub(crate) ran: bool,
    /// The answer's rows if code computed them, which cannot be executed on a test database.
    pub(crate) rows: Option<&'a Page>,
    /// The rows that the run fetched, possibly not all.
    pub(crate) fetched: Option<&'a Page>,
    /// Tables and columns that the run selected.
    pub(crate) selection: &'a SchemaSelection,
}

/// The result of judging a prediction.
#[derive(Debug, PartialEq)]
pub(crate) struct Judgement {
    /// `true` if a byte limit prevented the comparison, so that the verdict means nothing.
    pub(crate) over_limit: bool,
    pub(crate) verdict: Verdict,
    pub(crate) fault: Option<Fault>,
    pub(crate) linking: Option<Linking>,
    /// The errors of a wrong answer, if gold SQL and the answer's SQL can be compared.
    pub(crate) errors: BTreeSet<ErrorClass>,
}

/// Compares a prediction with every gold.
pub(crate) async fn judge_prediction(
    question: &Question,
    database: &PreparedDatabase,
    golds: &[Gold],
    prediction: Prediction<'_>,
    rule: Rule,
) -> Judgement {
    let catalog = &database.catalog;
    let query = prediction.sql.and_then(|sql| database.prove_read_only(sql).ok());
    // A query that only its engine can parse has unknown names, so linking is not judged for it.
    let used = match &query {
        Some(query) => SchemaNames::of_query(query, catalog),
        None => Some(SchemaNames::default()),
    };
    let needed: Vec<SchemaNames> =
        golds.iter().filter_map(|gold| SchemaNames::of_query(gold.query.as_ref()?, catalog)).collect();
    let linking = if prediction.selection.is_empty() {
        used.as_ref().and_then(|used| Linking::best_match(&needed, used))
    } else {
        Linking::best_match(&needed, &SchemaNames::of_selection(prediction.selection, catalog))
    };
    let golds_sql: Vec<&ReadOnlySql> = golds.iter().filter_map(|gold| gold.query.as_ref()).collect();
    // The SQL of an answer by code is only the input of the code.
    let classify = |ran: bool| match prediction.rows {
        Some(_) => BTreeSet::new(),
        None => ErrorClass::classify_answer(query.as_ref(), ran, &golds_sql, catalog),
    };
    let errors = classify(false);
    let (verdict, fault) = (Verdict::default(), Some(Fault::NoSql));
    let mut judgement = Judgement { over_limit: false, verdict, fault, linking, errors };
    if prediction.sql.is_none() {
        return judgement;
    }
    judgement.fault = Some(Fault::DoesNotRun);
    let page = match (prediction.rows, &query) {
        (Some(page), _) => page.clone(),
        (None, Some(query)) if prediction.ran => match fetch_rows(database.warehouse.as_ref(), query).await {
            Ok(page) => page,
            // The query ran before; its rows suffice if they are all.
            Err(error) => match prediction.fetched.filter(|page| !page.truncated) {
                Some(page) => page.clone(),
                None => {
                    judgement.over_limit = is_over_limit(&error);
                    return judgement;
                }
            },
        },
        (None, _) => return judgement,
    };

    let same_tables =
        needed.is_empty() || used.is_none_or(|used| needed.iter().any(|needed| needed.tables == used.tables));
    for gold in golds {
        let Some(result) = &gold.result else { continue };
        let verdict = Verdict::from_results(&page, result);
        let fault = if verdict.is_right_by(rule) {
            // If a right result becomes wrong, only another database of the test suite can have shown the difference.
            Fault::WrongValues
        } else {
            Fault::classify_result(&page, result, same_tables)
        };
        let executable = query.as_ref().filter(|_| prediction.rows.is_none());
        let verdict = confirm_on_suite(verdict, executable, gold, question).await;
        judgement.verdict = judgement.verdict.combine_with(verdict);
        judgement.fault = judgement.fault.max(Some(fault));
    }
    if judgement.verdict.is_right_by(rule) {
        (judgement.fault, judgement.errors) = (None, BTreeSet::new());
    } else {
        judgement.errors = classify(true);
    }
    judgement
}

/// Withdraws Spider's verdict if a right query is wrong on another database of the test suite.
pub(super) async fn confirm_on_suite(
    verdict: Verdict,
    query: Option<&ReadOnlySql>,
    gold: &Gold,
    question: &Question,
) -> Verdict {
    match (verdict.spider, &gold.query, query) {
        (true, Some(gold), Some(query)) => {
            Verdict { spider: agree_everywhere(query, gold, &question.test_databases).await, ..verdict }
        }
        _ => verdict,
    }
}

/// Checks that two queries return equal results by Spider's rule on every database of a test suite. Databases on which
/// the gold query fails are ignored.
async fn agree_everywhere(predicted: &ReadOnlySql, gold: &ReadOnlySql, suite: &[impl AsRef<Path>]) -> bool {
    for path in suite {
        let uri = sqlite_address(path.as_ref());
        let Ok(warehouse) = vitrine_warehouse::open_warehouse(&uri).await else { continue };
        let agree = match fetch_rows(warehouse.as_ref(), gold).await {
            Err(_) => true,
            Ok(wanted) => match fetch_rows(warehouse.as_ref(), predicted).await {
                Err(_) => false,
                Ok(page) => matches_spider(&page, &wanted, gold.is_ordered()),
            },
        };
        warehouse.close().await;
        if !agree {
            return false;
        }
    }
    true
}
