//! The stages of a connection test before login, common to servers of all kinds.

use super::encryption::test_encryption;
use super::protocol::Protocol;
use super::report::Report;
use super::way::reach_server;
use crate::ServerAddress;
use crate::ssh::SshRoute;
use vitrine_domain::TestStage;

/// Resolves, connects and encrypts; returns `None` if one of these stages fails.
pub(crate) async fn reach_and_encrypt(
    report: &mut Report<'_>,
    server: &ServerAddress,
    route: Option<&SshRoute>,
    protocol: &Protocol,
) -> Option<()> {
    let reached = reach_server(report, server, route, protocol).await?;
    report.run_stage(TestStage::Tls, test_encryption(server, &reached, protocol)).await
}
