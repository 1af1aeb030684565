//! The stages of a test before somebody signs in, which servers of all kinds have in common.

use super::encryption::test_encryption;
use super::protocol::Protocol;
use super::report::Report;
use super::way::reach_server;
use crate::ServerAddress;
use crate::ssh::SshRoute;
use vitrine_domain::TestStage;

/// Finds, reaches and encrypts; `None` where one of that fails.
pub(crate) async fn reach_and_encrypt(
    report: &mut Report<'_>,
    server: &ServerAddress,
    route: Option<&SshRoute>,
    protocol: &Protocol,
) -> Option<()> {
    let reached = reach_server(report, server, route, protocol).await?;
    report.run_stage(TestStage::Tls, test_encryption(server, &reached, protocol)).await
}
