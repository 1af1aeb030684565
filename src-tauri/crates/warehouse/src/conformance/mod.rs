//! The conformance suite: requirements for every engine, tested on any address with queries that read no user tables.
//! Users run it on their own accounts; the tests of this program run it on every engine that they can start.

mod access;
mod bench;
mod check;
mod expressions;
pub(crate) mod observer;
mod stopping;
mod values;

use crate::{OpenOptions, WarehouseUri};
use bench::Bench;
use check::{CheckObservation, Verdict, told_of};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

pub use check::{ConformanceCheck, Outcome};

/// The checks in order, each with its requirement.
pub const CHECKS: &[(&str, &str)] = &[
    ("open", "The database opens."),
    ("types", "Values come out exactly as they are, and with the kind that preparing the query said."),
    ("nulls", "NULL is NULL in a column of any type."),
    ("names", "Columns keep their names: quotes, blanks, reserved words and any script."),
    ("unicode", "Text keeps its characters."),
    ("empty", "A result without rows has its columns."),
    ("row-limit", "A row limit cuts the result and says so."),
    ("errors", "A query that cannot run is an error of its own, and the next one runs."),
    ("prepare", "Preparing a query gives its columns and does not run it."),
    ("rows", "Many rows come whole and in flat memory."),
    ("timeout", "A query ends when its time is over, and the next one runs."),
    ("cancel", "A query ends when it is cancelled, and the next one runs."),
    ("cancel-seen", "The server stops working on a query that was cancelled."),
    ("lost", "A connection that is lost in a query is an error of its own, and the next query runs."),
    ("catalog", "The catalog is read whole and is the same the second time."),
    ("password", "A wrong password is refused as one, once."),
    ("unreachable", "A host without a server is an error of its own."),
    ("certificate", "A certificate that this computer does not trust is refused."),
    ("missing", "A database that is not there (any more) is an error of its own."),
    ("permission", "A table that this login may not read is an error of its own."),
];

/// Runs the suite on the database at an address. `digits` sets the size of the large result: 10^`digits` rows, 7 for
/// the complete suite. The callback receives each check when it ends. The suite writes nothing, reads no tables and
/// terminates only its own sessions.
///
/// Cancelling stops the suite after the current check.
pub async fn run_conformance_suite(
    uri: &WarehouseUri,
    options: &OpenOptions,
    digits: u32,
    told: &mut (dyn FnMut(&ConformanceCheck) + Send),
    cancel: &CancellationToken,
) -> Vec<ConformanceCheck> {
    let mut checks = Vec::new();
    let mut bench = None;
    for (name, what) in CHECKS {
        if cancel.is_cancelled() {
            break;
        }
        let began = Instant::now();
        let verdict = match (*name, &bench) {
            ("open", _) => match Bench::open(uri, options, digits).await {
                Ok(opened) => {
                    let found = CheckObservation::Good(format!("{} tables", opened.catalog.tables.len()));
                    bench = Some(opened);
                    Ok(found)
                }
                Err(error) => Err(told_of(&error)),
            },
            (_, Some(bench)) => run_check(name, bench).await,
            (_, None) => Ok(CheckObservation::Untried("the database does not open")),
        };
        let (outcome, detail) = match verdict {
            Ok(CheckObservation::Good(seen)) => (Outcome::Passed, seen),
            Ok(CheckObservation::Untried(why)) => (Outcome::Skipped, why.to_owned()),
            Err(wrong) => (Outcome::Failed, wrong),
        };
        let seconds = began.elapsed().as_secs_f64();
        let check = ConformanceCheck { name: (*name).to_owned(), what: (*what).to_owned(), outcome, detail, seconds };
        told(&check);
        checks.push(check);
    }
    if let Some(bench) = bench {
        bench.close().await;
    }
    checks
}

async fn run_check(name: &str, bench: &Bench) -> Verdict {
    match name {
        "types" => values::check_types(bench).await,
        "nulls" => values::check_nulls(bench).await,
        "names" => values::check_names(bench).await,
        "unicode" => values::check_unicode(bench).await,
        "empty" => values::check_empty_result(bench).await,
        "row-limit" => values::check_row_limit(bench).await,
        "errors" => values::check_errors(bench).await,
        "prepare" => stopping::check_prepare(bench).await,
        "rows" => values::check_many_rows(bench).await,
        "timeout" => stopping::check_timeout(bench).await,
        "cancel" => stopping::check_cancel(bench).await,
        "cancel-seen" => stopping::check_cancel_seen(bench).await,
        "lost" => stopping::check_lost_connection(bench).await,
        "catalog" => values::check_catalog(bench).await,
        "password" => access::check_password(bench).await,
        "unreachable" => access::check_unreachable(bench).await,
        "certificate" => access::check_certificate(bench).await,
        "missing" => access::check_missing_database(bench).await,
        "permission" => access::check_permission(bench).await,
        _ => Err("there is no such check".to_owned()),
    }
}
