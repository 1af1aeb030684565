//! The stages of a test before somebody signs in, which servers of all kinds have in common.

use super::encryption::encryption;
use super::protocol::Protocol;
use super::report::Report;
use super::way::reached;
use crate::ServerAddress;
use crate::ssh::SshRoute;
use vitrine_domain::TestStage;

/// Finds, reaches and encrypts; `None` where one of that fails.
pub(crate) async fn approach(
    report: &mut Report<'_>,
    server: &ServerAddress,
    route: Option<&SshRoute>,
    protocol: &Protocol,
) -> Option<()> {
    let reached = reached(report, server, route, protocol).await?;
    report.run(TestStage::Tls, encryption(server, &reached, protocol)).await
}
