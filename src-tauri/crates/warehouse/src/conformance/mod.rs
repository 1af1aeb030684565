//! The conformance suite: what every engine has to do alike, tried on any address with queries that read no table of it.
//! Whoever has an account somewhere runs it there; this program's own tests run it on every engine they can start.

mod access;
mod bench;
mod check;
mod expressions;
mod stopping;
mod values;

use crate::{OpenOptions, WarehouseUri};
use bench::Bench;
use check::{Found, Verdict, told_of};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

pub use check::{ConformanceCheck, Outcome};

/// The checks, in their order, each with what has to hold.
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

/// Runs the suite over the database at an address. `digits` is the size of the large result: 10 to its power rows, 7 for the whole
/// suite. `told` hears of every check as it ends. Nothing is written, and no table is read; sessions that it ends are its own.
///
/// Cancelling stops after the check that is running.
pub async fn conformance(
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
                    let found = Found::Good(format!("{} tables", opened.catalog.tables.len()));
                    bench = Some(opened);
                    Ok(found)
                }
                Err(error) => Err(told_of(&error)),
            },
            (_, Some(bench)) => check(name, bench).await,
            (_, None) => Ok(Found::Untried("the database does not open")),
        };
        let (outcome, detail) = match verdict {
            Ok(Found::Good(seen)) => (Outcome::Passed, seen),
            Ok(Found::Untried(why)) => (Outcome::Skipped, why.to_owned()),
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

async fn check(name: &str, bench: &Bench) -> Verdict {
    match name {
        "types" => values::types(bench).await,
        "nulls" => values::nulls(bench).await,
        "names" => values::names(bench).await,
        "unicode" => values::unicode(bench).await,
        "empty" => values::empty(bench).await,
        "row-limit" => values::row_limit(bench).await,
        "errors" => values::errors(bench).await,
        "prepare" => stopping::prepare(bench).await,
        "rows" => values::many_rows(bench).await,
        "timeout" => stopping::timeout(bench).await,
        "cancel" => stopping::cancel(bench).await,
        "cancel-seen" => stopping::cancel_seen(bench).await,
        "lost" => stopping::lost(bench).await,
        "catalog" => values::catalog(bench).await,
        "password" => access::password(bench).await,
        "unreachable" => access::unreachable(bench).await,
        "certificate" => access::certificate(bench).await,
        "missing" => access::missing(bench).await,
        "permission" => access::permission(bench).await,
        _ => Err("there is no such check".to_owned()),
    }
}
