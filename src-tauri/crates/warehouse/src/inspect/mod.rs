//! A connection test in stages, each reported as it completes. Write rights are read from the database's metadata
//! instead of being tested by writing.

pub(crate) mod approach;
pub(crate) mod driver;
mod encryption;
pub(crate) mod path;
pub(crate) mod protocol;
pub(crate) mod report;
mod ssh;
mod way;

use crate::engines::Stages;
use crate::{OpenOptions, WarehouseError, WarehouseUri};
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
    let engine = uri.kind().info();
    let through_ssh = || uri.server_address().is_some_and(|server| server.ssh_host().is_some());
    let stages = match engine.stages {
        Stages::Path => PATH.to_vec(),
        Stages::Login => LOGIN.to_vec(),
        Stages::Server if through_ssh() => [THROUGH_SSH, LOGIN].concat(),
        Stages::Server => [SERVER, LOGIN].concat(),
    };
    let mut report = Report::new(&stages, limit, told, cancel);
    (engine.inspect)(engine, &mut report, &uri, options).await;
    report.finish()
}

#[cfg(test)]
mod tests;
