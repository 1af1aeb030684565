//! The test stage that signs in to the SSH host.

use super::report::Outcome;
use crate::ssh::{SshRoute, Tunnel};
use std::sync::Arc;
use vitrine_words::tr;

/// Signs in to the SSH host; returns the tunnel or the failed outcome.
pub(super) async fn sign_in_by_ssh(route: &SshRoute) -> Result<(Outcome, Arc<Tunnel>), Outcome> {
    let tunnel = route.open_tunnel().await.map_err(Outcome::of_error)?;
    let outcome = Outcome::ok(tr!("{host} is known here, and lets this user in by SSH.", host = route.host()));
    Ok((outcome.with_lines(route.server_endpoints().iter().map(|place| tr!("from there to {place}", place))), tunnel))
}
