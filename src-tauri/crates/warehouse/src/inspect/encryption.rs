//! The test of encryption before login.

use super::protocol::Protocol;
use super::report::Outcome;
use super::way::Way;
use crate::ServerAddress;
use crate::server::{Encryption, Protection, ServerEndpoint, TlsFiles};
use rustls::pki_types::ServerName;
use rustls::{CertificateError, Error as TlsError, ProtocolVersion};
use std::sync::Arc;
use tokio_postgres::config::Host;
use tokio_rustls::TlsConnector;
use vitrine_words::{tr, translate_constant};

/// Encrypts a connection as the driver will, and reports the issuer of the certificate.
pub(super) async fn test_encryption(
    server: &ServerAddress,
    (place, way): &(ServerEndpoint, Way),
    protocol: &Protocol,
) -> Result<(Outcome, ()), Outcome> {
    let protection = server.protection().map_err(Outcome::failed)?;
    if matches!(way, Way::Socket) {
        return Ok((Outcome::skipped(tr!("A socket of this computer needs no encryption.")), ()));
    }
    let (here, ssh) = (place.is_local(), server.ssh_host());
    let plain = |why: &str| {
        let open = tr!("Have the server encrypt, and add {setting} to the address.", setting = protocol.verified);
        match (here, &ssh) {
            (true, None) => Outcome::ok(tr!("Not encrypted: {why}. The connection does not leave this computer.", why)),
            (true, Some(ssh)) => {
                Outcome::ok(tr!("Encrypted by SSH to {ssh}, where the server is; not by the server: {why}.", ssh, why))
            }
            (false, None) => {
                Outcome::warning(tr!("Not encrypted: {why}. Anyone on the network path can read all rows.", why))
                    .with_advice(open)
            }
            (false, Some(ssh)) => Outcome::warning(tr!(
                "Encrypted by SSH as far as {ssh}, not beyond it: {why}. Anyone on the path behind it can read all rows.",
                ssh,
                why
            ))
            .with_advice(open),
        }
    };
    if protection == Protection::Disable {
        return Ok((plain(&tr!("the address says {setting}", setting = translate_constant(protocol.unencrypted))), ()));
    }
    let direct = (protocol.is_direct)(server);
    let name = match &place.host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(_) => place.host_name(),
    };
    let files = server.tls_files().unwrap_or_default();
    let failed = |detail: String| {
        Outcome::failed(tr!("The encrypted connection could not be made.")).with_lines([detail]).with_advice(tr!(
            "Check that the port belongs to {product}, and the certificate of the server.",
            product = protocol.product
        ))
    };
    match attempt_handshake(way, &name, (Protection::Verify, &files), direct, protocol).await {
        Ok(Some(version)) => {
            let outcome = Outcome::ok(tr!("{encrypted}; the certificate is one that this computer trusts for {name}.", encrypted = describe_tls_version(version), name));
            let advice = tr!("{setting} in the address makes sure that it stays so.", setting = protocol.verified);
            Ok((if protection == Protection::Verify { outcome } else { outcome.with_advice(advice) }, ()))
        }
        Ok(None) if protection == Protection::Prefer => Ok((plain(&tr!("the server does not encrypt")), ())),
        Ok(None) => Err(Outcome::failed(tr!("The server does not encrypt, but the address requires it."))
            .with_advice(tr!("Switch encryption on at the server ({setting}). Only where the network itself is safe: {unencrypted}.", setting = protocol.switch_on, unencrypted = translate_constant(protocol.unencrypted)))),
        Err(Handshake::Certificate(reason)) if protection == Protection::Verify => {
            Err(Outcome::failed(tr!("The certificate is not one that this computer trusts for {name}.", name))
                .with_lines([reason])
                .with_advice(tr!("Install the authority's certificate on this computer, or name its file ({setting}=PATH), and write the host as the certificate does.", setting = translate_constant(protocol.roots))))
        }
        Err(Handshake::Certificate(reason)) => {
            match attempt_handshake(way, &name, (Protection::Require, &files), direct, protocol).await {
                Ok(Some(version)) => {
                    let message = tr!("{encrypted}; the certificate was not verified.", encrypted = describe_tls_version(version));
                    // An impostor would have to run on this computer.
                    let outcome = if here { Outcome::ok(message) } else { Outcome::warning(message) };
                    Ok((
                        outcome.with_lines([reason]).with_advice(tr!(
                            "Another computer could impersonate the server. Install its authority's certificate here (or name it in SSL_CERT_FILE) and add {setting} to the address.",
                            setting = protocol.verified
                        )),
                        (),
                    ))
                }
                Ok(None) => Err(failed(tr!("the server answered differently the second time"))),
                Err(error) => Err(failed(error.to_string())),
            }
        }
        Err(error) => Err(failed(error.to_string())),
    }
}

fn describe_tls_version(version: ProtocolVersion) -> String {
    match version {
        ProtocolVersion::TLSv1_3 => tr!("Encrypted with TLS 1.3"),
        ProtocolVersion::TLSv1_2 => tr!("Encrypted with TLS 1.2"),
        _ => tr!("Encrypted"),
    }
}

/// The reason why the handshake failed.
#[derive(Debug, thiserror::Error)]
enum Handshake {
    #[error("{0}")]
    Certificate(String),
    #[error("{0}")]
    Other(String),
}

/// Reconnects and encrypts; returns the TLS version, or `None` if the server does not support encryption.
async fn attempt_handshake(
    way: &Way,
    name: &str,
    (protection, files): (Protection, &TlsFiles),
    direct: bool,
    protocol: &Protocol,
) -> Result<Option<ProtocolVersion>, Handshake> {
    let other = |error: &dyn std::fmt::Display| Handshake::Other(error.to_string());
    let mut socket = way.connect().await.map_err(|error| other(&error))?;
    if !direct && !(protocol.ask)(socket.as_mut()).await.map_err(|error| other(&error))? {
        return Ok(None);
    }
    let mut config = Encryption::new(protection, files).map_err(|fault| other(&fault))?.config;
    if direct {
        config.alpn_protocols = vec![b"postgresql".to_vec()];
    }
    let name = ServerName::try_from(name.to_owned()).map_err(|error| other(&error))?;
    match TlsConnector::from(Arc::new(config)).connect(name, socket).await {
        Ok(stream) => Ok(Some(stream.get_ref().1.protocol_version().unwrap_or(ProtocolVersion::Unknown(0)))),
        Err(error) => Err(match error.get_ref().and_then(|cause| cause.downcast_ref::<TlsError>()) {
            Some(TlsError::InvalidCertificate(reason)) => Handshake::Certificate(reason_of(reason)),
            _ => Handshake::Other(error.to_string()),
        }),
    }
}

fn reason_of(error: &CertificateError) -> String {
    match error {
        CertificateError::UnknownIssuer => tr!("It is signed by an authority that this computer does not know."),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            tr!("It is for another host name.")
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => tr!("It has expired."),
        other => tr!("It cannot be trusted: {reason}", reason = format!("{other:?}")),
    }
}
