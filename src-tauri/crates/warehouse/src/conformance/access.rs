//! Checks of access: which logins are accepted, and the errors that rejected logins get.

use super::bench::Bench;
use super::check::{CheckObservation, Verdict, told_of};
use crate::{Encryption, LocationKind, ServerAddress, WarehouseError, WarehouseUri, connect};

const LOCAL: &str = "there is no server";
pub(super) const PROJECT: &str = "this check is not written for BigQuery";
const ANY_DRIVER: &str = "what another driver says of it is not known";

fn expect_refusal(wanted: &str, opened: Result<(), WarehouseError>, good: impl Fn(&WarehouseError) -> bool) -> Verdict {
    match opened {
        Ok(()) => Err(format!("it opened, in place of {wanted}")),
        Err(error) if good(&error) => Ok(CheckObservation::Good(told_of(&error))),
        Err(error) => Err(format!("{} in place of {wanted}", told_of(&error))),
    }
}

/// Returns the reason why a check for servers does not apply.
fn no_server(bench: &Bench) -> CheckObservation {
    CheckObservation::Untried(if bench.uri.project_address().is_some() { PROJECT } else { LOCAL })
}

/// Opens an address of a BigQuery project.
async fn opened_project(bench: &Bench, text: &str) -> Result<(), WarehouseError> {
    connect::open_with(&WarehouseUri::parse(text)?, &bench.options).await.map(|_| ())
}

async fn open_server(bench: &Bench, server: ServerAddress) -> Result<(), WarehouseError> {
    let warehouse = connect::open_with(&WarehouseUri::of_server(server), &bench.options).await?;
    warehouse.close().await;
    Ok(())
}

pub(super) async fn check_password(bench: &Bench) -> Verdict {
    if bench.uri.project_address().is_some() {
        return Ok(CheckObservation::Untried("there is no password: BigQuery takes tokens"));
    }
    let Some(server) = bench.uri.server_address() else { return Ok(no_server(bench)) };
    let Some(password) = server.password() else { return Ok(CheckObservation::Untried("this login has no password")) };
    let wrong = server.clone().with_password(Some(format!("{password}-not")));
    match open_server(bench, wrong).await {
        // If any password is accepted, the login does not need one.
        Ok(()) => Ok(CheckObservation::Untried("the server lets this login in without its password")),
        other => expect_refusal("a refused password", other, |error| {
            matches!(error, WarehouseError::Password { refused: true, .. })
        }),
    }
}

pub(super) async fn check_unreachable(bench: &Bench) -> Verdict {
    let engine = bench.uri.kind().info();
    let Some(unreachable) = engine.unreachable else { return Ok(CheckObservation::Untried(ANY_DRIVER)) };
    let uri = WarehouseUri::parse(unreachable).map_err(|error| told_of(&error))?;
    let opened = connect::open_with(&uri, &bench.options).await.map(|_| ());
    let is_unreachable = |error: &WarehouseError| matches!(error, WarehouseError::Unreachable { .. });
    match engine.location {
        LocationKind::Path => {
            expect_refusal("a file that is not there", opened, |e| matches!(e, WarehouseError::NotFound { .. }))
        }
        LocationKind::Project => expect_refusal("a host that cannot be reached", opened, is_unreachable),
        LocationKind::Server | LocationKind::Driver => {
            expect_refusal("a server that cannot be reached", opened, is_unreachable)
        }
    }
}

pub(super) async fn check_certificate(bench: &Bench) -> Verdict {
    let Some(server) = bench.uri.server_address() else { return Ok(no_server(bench)) };
    let (option, encrypted, verified) = match bench.uri.kind().info().encryption {
        Encryption::Chosen { option, encrypted, verified } => (option, encrypted, verified),
        Encryption::Always(reason) => return Ok(CheckObservation::Untried(reason)),
        Encryption::None => return Ok(no_server(bench)),
    };
    let with = |mode: &str| {
        let text = server.to_string();
        let mark = if text.contains('?') { '&' } else { '?' };
        ServerAddress::parse(&format!("{text}{mark}{option}={mode}"))
            .map(|other| other.with_password(server.password().map(str::to_owned)))
    };
    if open_server(bench, with(encrypted)?).await.is_err() {
        return Ok(CheckObservation::Untried("the server does not encrypt"));
    }
    match open_server(bench, with(verified)?).await {
        Ok(()) => Ok(CheckObservation::Untried("this computer trusts the server's certificate")),
        other => expect_refusal(
            "a certificate that is not trusted",
            other,
            |error| matches!(error, WarehouseError::Unreachable { detail, .. } if detail.contains("certificate")),
        ),
    }
}

pub(super) async fn check_missing_database(bench: &Bench) -> Verdict {
    if let Some(address) = bench.uri.project_address() {
        let other = address.with_dataset("vitrine_renamed_away").to_string();
        return expect_refusal("a dataset that is not there", opened_project(bench, &other).await, |e| {
            matches!(e, WarehouseError::NotAdmitted { .. })
        });
    }
    let Some(server) = bench.uri.server_address() else { return Ok(no_server(bench)) };
    let other = server.with_database(&format!("{}_renamed_away", server.database_name()));
    let other = other.with_password(server.password().map(str::to_owned));
    expect_refusal("a database that is not there", open_server(bench, other).await, |e| {
        matches!(e, WarehouseError::NotAdmitted { .. })
    })
}

pub(super) async fn check_permission(bench: &Bench) -> Verdict {
    match bench.read_secrets().await {
        None => Ok(no_server(bench)),
        Some(Ok(_)) => {
            Ok(CheckObservation::Untried("this login may read everything: it should not be used for questions"))
        }
        Some(Err(error)) => {
            expect_refusal("a missing permission", Err(error), |e| matches!(e, WarehouseError::NoPermission { .. }))
        }
    }
}
