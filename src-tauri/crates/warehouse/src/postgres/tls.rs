//! Encryption of the connection. As with libpq, a certificate is looked at only where the address asks for it.

use crate::server::{Protection, TlsFiles};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::BuilderVerifierExt;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// What makes a connection an encrypted one.
///
/// # Errors
/// When a file cannot be used, or encryption cannot be set up.
pub(super) fn connector(protection: Protection, files: &TlsFiles) -> Result<MakeRustlsConnect, String> {
    Ok(MakeRustlsConnect::new(config(protection, files)?))
}

/// Whose certificates are taken, and how it is encrypted.
///
/// # Errors
/// As those of [`connector`].
pub(super) fn config(protection: Protection, files: &TlsFiles) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let failed = |error: Error| format!("encryption cannot be set up: {error}");
    let builder =
        ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions().map_err(failed)?;
    let roots = if protection == Protection::Verify { files.roots()? } else { None };
    let config = match (protection, roots) {
        (Protection::Verify, Some(roots)) => builder.with_root_certificates(roots),
        (Protection::Verify, None) => builder.with_platform_verifier().map_err(failed)?,
        _ => builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyCertificate(provider))),
    };
    match files.login()? {
        Some((chain, key)) => config.with_client_auth_cert(chain, key).map_err(failed),
        None => Ok(config.with_no_client_auth()),
    }
}

/// Takes any certificate: keeps out those who listen, not those who pretend to be the server.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
