//! Encryption of the connection. A certificate that nobody vouches for is taken where the address does not ask for more,
//! but noted: the password itself is not sent to such a server.

use crate::WarehouseError;
use crate::server::Protection;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::Verifier;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio_rustls::TlsConnector;

/// What makes a connection an encrypted one, and whether the last server's certificate was one to trust.
pub(super) struct Encryption {
    pub(super) connector: TlsConnector,
    trusted: Arc<AtomicBool>,
}

impl Encryption {
    pub(super) fn new(protection: Protection) -> Result<Self, WarehouseError> {
        let failed = |error: Error| WarehouseError::query(format!("encryption cannot be set up: {error}"));
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let roots = Verifier::new(provider.clone()).map_err(failed)?;
        let trusted = Arc::new(AtomicBool::new(false));
        let verifier = Noting {
            roots,
            provider: provider.clone(),
            must: protection == Protection::Verify,
            trusted: trusted.clone(),
        };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(failed)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        Ok(Self { connector: TlsConnector::from(Arc::new(config)), trusted })
    }

    /// Whether somebody that this machine trusts vouches for the server.
    pub(super) fn is_trusted(&self) -> bool {
        self.trusted.load(Ordering::Acquire)
    }
}

/// Looks at certificates as the operating system does.
#[derive(Debug)]
struct Noting {
    roots: Verifier,
    provider: Arc<CryptoProvider>,
    /// Whether a certificate that is not to be trusted ends the connection.
    must: bool,
    trusted: Arc<AtomicBool>,
}

impl ServerCertVerifier for Noting {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.roots.verify_server_cert(own, others, name, ocsp, now);
        self.trusted.store(verified.is_ok(), Ordering::Release);
        if self.must { verified } else { Ok(ServerCertVerified::assertion()) }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls12_signature(
            message,
            certificate,
            signature,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls13_signature(
            message,
            certificate,
            signature,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
