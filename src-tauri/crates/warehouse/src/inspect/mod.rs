//! A connection test in stages, each reported as it completes. Write rights are read from the database's metadata
//! instead of being tested by writing.

pub(crate) mod approach;
mod driver;
mod encryption;
mod path;
pub(crate) mod protocol;
pub(crate) mod report;
mod ssh;
mod way;

use crate::engines::{bigquery, clickhouse, databricks, motherduck, mysql, postgres};
use crate::{OpenOptions, ServerKind, WarehouseError, WarehouseKind, WarehouseUri};
use report::{Outcome, Report};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{ConnectionTest, TestStage};

/// The stages for a database on a server.
const SERVER: &[TestStage] = &[TestStage::Name, TestStage::Reach, TestStage::Tls];
/// The stages for a server behind an SSH host.
const THROUGH_SSH: &[TestStage] = &[TestStage::Name, TestStage::Ssh, TestStage::Reach, TestStage::Tls];
/// The stages after the server was reached.
const LOGIN: &[TestStage] = &[TestStage::Login, TestStage::Role, TestStage::Readable, TestStage::Rights];
/// The stages of a file or a folder.
const PATH: &[TestStage] = &[TestStage::Name, TestStage::Reach, TestStage::Readable, TestStage::Rights];

/// Tests an address with the password that it contains. Reports each change to the callback; a stage takes at most
/// `limit`.
pub async fn inspect_connection(
    uri: Result<WarehouseUri, WarehouseError>,
    options: &OpenOptions,
    limit: Duration,
    told: &(dyn Fn(&ConnectionTest) + Send + Sync),
    cancel: CancellationToken,
) -> ConnectionTest {
    let uri = match uri {
        Ok(uri) => uri,
        Err(error) => {
            let mut report = Report::new(&[TestStage::Name], limit, told, cancel);
            report.run_stage::<()>(TestStage::Name, async { Err(Outcome::of_error(error)) }).await;
            return report.finish();
        }
    };
    if let Some(address) = uri.project_address() {
        // Signing in also shows if Google is reachable.
        let mut report = Report::new(LOGIN, limit, told, cancel);
        bigquery::inspect_project(&mut report, address.clone(), options).await;
        return report.finish();
    }
    if matches!(uri.kind(), WarehouseKind::Snowflake | WarehouseKind::Adbc) {
        let mut report = Report::new(LOGIN, limit, told, cancel);
        driver::inspect_driver(&mut report, &uri, options).await;
        return report.finish();
    }
    match (uri.server_address(), uri.path()) {
        (Some(server), _) => {
            let before = if server.ssh_host().is_some() { THROUGH_SSH } else { SERVER };
            let mut report = Report::new(&[before, LOGIN].concat(), limit, told, cancel);
            match server.kind() {
                ServerKind::Postgres => postgres::inspect_server(&mut report, server.clone(), options).await,
                ServerKind::Mysql => mysql::inspect_server(&mut report, server.clone(), options).await,
                ServerKind::Clickhouse => clickhouse::inspect_server(&mut report, server.clone(), options).await,
                ServerKind::Databricks => databricks::inspect_workspace(&mut report, server.clone()).await,
                ServerKind::Motherduck => motherduck::inspect_server(&mut report, server.clone(), options).await,
                // The test of its driver above covers this kind.
                ServerKind::Snowflake => {}
            }
            report.finish()
        }
        (None, path) => {
            let mut report = Report::new(PATH, limit, told, cancel);
            path::inspect_path(&mut report, &uri, path.unwrap_or_else(|| "".as_ref()), options).await;
            report.finish()
        }
    }
}

#[cfg(test)]
mod tests;
