//! Checks of time limits, cancellation and lost connections.

use super::access::PROJECT;
use super::bench::Bench;
use super::check::{CheckObservation, Verdict, told_of};
use crate::{Limits, WarehouseError};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::Page;

/// Time that a query may continue after it was stopped.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time before a query is stopped; by then every engine has started it.
const BEGUN: Duration = Duration::from_millis(700);
const HOUR: Duration = Duration::from_secs(3600);
const NO_SERVER: &str = "nobody else sees what this engine does";

pub(super) async fn check_prepare(bench: &Bench) -> Verdict {
    let sql = bench.prove_read_only(&bench.build_endless_query("n"))?;
    let began = Instant::now();
    let columns = bench.warehouse.check_query(&sql).await.map_err(|error| told_of(&error))?.columns;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    if names != [bench.unquoted_name("n")] {
        return Err(format!("the columns are {names:?}"));
    }
    match began.elapsed() {
        long if long > PATIENCE => Err(format!("it took {} s", long.as_secs())),
        short => Ok(CheckObservation::Good(format!("{} ms for a query of days", short.as_millis()))),
    }
}

/// Runs an endless query until it is ended.
async fn until_it_ends(bench: &Bench, name: &str, timeout: Duration, cancel: CancellationToken) -> WarehouseError {
    let limits = Limits { timeout, ..Limits::default() };
    match bench.query_page(&bench.build_endless_query(name), limits, cancel).await {
        Err(error) => error,
        Ok(page) => WarehouseError::query(format!("it came to an end with {:?}", page.rows)),
    }
}

pub(super) async fn check_timeout(bench: &Bench) -> Verdict {
    let began = Instant::now();
    let error = until_it_ends(bench, "n", Duration::from_secs(1), CancellationToken::new()).await;
    let took = began.elapsed();
    match error {
        WarehouseError::Timeout { seconds: 1 } if took < PATIENCE => {}
        error => return Err(format!("after {} ms: {}", took.as_millis(), told_of(&error))),
    }
    bench.check_still_works().await?;
    Ok(CheckObservation::Good(format!("a limit of 1,000 ms ended it after {} ms", took.as_millis())))
}

/// Starts an endless query and awaits `meanwhile` during it. Returns the query's error, the output of `meanwhile`, and
/// the time between them.
async fn while_it_runs<T>(
    bench: &Bench,
    name: &str,
    cancel: CancellationToken,
    meanwhile: impl Future<Output = T>,
) -> (WarehouseError, T, Duration) {
    let meanwhile = async {
        tokio::time::sleep(BEGUN).await;
        (meanwhile.await, Instant::now())
    };
    let (error, (done, stopped)) = tokio::join!(until_it_ends(bench, name, HOUR, cancel), meanwhile);
    (error, done, stopped.elapsed())
}

pub(super) async fn check_cancel(bench: &Bench) -> Verdict {
    let cancel = CancellationToken::new();
    let (error, (), took) = while_it_runs(bench, "n", cancel.clone(), async { cancel.cancel() }).await;
    if error != WarehouseError::Cancelled || took > PATIENCE {
        return Err(format!("after {} ms: {}", took.as_millis(), told_of(&error)));
    }
    bench.check_still_works().await?;
    Ok(CheckObservation::Good(format!("it ended {} ms after", took.as_millis())))
}

fn first_number(page: &Page) -> u64 {
    page.rows.first().and_then(|row| row.first()?.as_deref()?.parse().ok()).unwrap_or_default()
}

/// Returns the number of these sessions; `None` if the server cannot be asked.
async fn at_work(bench: &Bench, name: &str) -> Option<Result<u64, String>> {
    let seen = bench.count_sessions(name).await?;
    Some(seen.map(|page| first_number(&page)).map_err(|error| told_of(&error)))
}

pub(super) async fn check_cancel_seen(bench: &Bench) -> Verdict {
    let (cancel, name) = (CancellationToken::new(), "conformance_cancel");
    let meanwhile = async {
        let seen = at_work(bench, name).await;
        cancel.cancel();
        seen
    };
    let (_, seen, _) = while_it_runs(bench, name, cancel.clone(), meanwhile).await;
    match seen {
        None if bench.uri.project_address().is_some() => return Ok(CheckObservation::Untried(PROJECT)),
        None => return Ok(CheckObservation::Untried(NO_SERVER)),
        Some(Ok(0)) => return Err("the server does not work on the query while it runs".to_owned()),
        Some(seen) => seen.map(|_| ())?,
    }
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if at_work(bench, name).await.transpose()? == Some(0) {
            return Ok(CheckObservation::Good(format!("the server was done {} ms after", began.elapsed().as_millis())));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("the server still works on it {} s after", PATIENCE.as_secs()))
}

pub(super) async fn check_lost_connection(bench: &Bench) -> Verdict {
    let name = "conformance_lost";
    let end = async {
        match bench.end_sessions(name).await {
            Some(ended) => ended.map_err(|error| told_of(&error)),
            None => Ok(bench.end_engine().await),
        }
    };
    let cancel = CancellationToken::new();
    let meanwhile = async {
        let ended = end.await;
        if ended != Ok(true) {
            cancel.cancel();
        }
        ended
    };
    let (error, ended, took) = while_it_runs(bench, name, cancel.clone(), meanwhile).await;
    match ended {
        Ok(true) => {}
        Ok(false) if bench.uri.project_address().is_some() => return Ok(CheckObservation::Untried(PROJECT)),
        Ok(false) if bench.uri.server_address().is_none() => {
            return Ok(CheckObservation::Untried("the engine works in this process and has no connection"));
        }
        Ok(false) if bench.uri.kind().info().observer.is_none() => {
            return Ok(CheckObservation::Untried("nothing is told here of other statements"));
        }
        Ok(false) => return Err("the query was not found on the server".to_owned()),
        Err(error) => return Err(error),
    }
    match error {
        WarehouseError::Unreachable { .. } | WarehouseError::Interrupted { .. } if took < PATIENCE => {}
        error => return Err(format!("after {} ms: {}", took.as_millis(), told_of(&error))),
    }
    bench.check_still_works().await?;
    Ok(CheckObservation::Good(format!("{}; the next query ran", told_of(&error))))
}
