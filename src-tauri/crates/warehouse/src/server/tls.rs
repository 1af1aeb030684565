//! Encryption of connections to servers. Unless the address requires verification, a certificate that no trusted
//! authority signed is accepted but recorded: the connection is then protected against eavesdropping, but not against a
//! server with a false identity.

use super::key_file::FileFault;
use super::place::Protection;
use super::tls_files::TlsFiles;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::Verifier;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use vitrine_words::tr;

/// The TLS configuration of a connection, and whether the last server's certificate was trusted.
pub(crate) struct Encryption {
    pub(crate) config: ClientConfig,
    trusted: Arc<AtomicBool>,
}

impl Encryption {
    /// Creates the configuration.
    ///
    /// # Errors
    /// Fails if a file cannot be used, or if encryption cannot be set up.
    pub(crate) fn new(protection: Protection, files: &TlsFiles) -> Result<Self, FileFault> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let failed = |error: Error| tr!("encryption cannot be set up: {error}", error);
        let must = protection == Protection::Verify;
        let authorities: Result<Arc<dyn ServerCertVerifier>, String> = match files.load_root_store()? {
            Some(roots) => WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
                .build()
                .map(|verifier| verifier as Arc<dyn ServerCertVerifier>)
                .map_err(|error| tr!("encryption cannot be set up: {error}", error)),
            None => Verifier::new(provider.clone())
                .map(|verifier| Arc::new(verifier) as Arc<dyn ServerCertVerifier>)
                .map_err(failed),
        };
        // Without required verification, a computer without certificate authorities can still encrypt.
        let authorities = if must { Some(authorities?) } else { authorities.ok() };
        let trusted = Arc::new(AtomicBool::new(false));
        let verifier = Noting { authorities, provider: provider.clone(), must, trusted: trusted.clone() };
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(failed)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let config = match files.load_client_identity()? {
            Some((chain, key)) => builder.with_client_auth_cert(chain, key).map_err(failed)?,
            None => builder.with_no_client_auth(),
        };
        Ok(Self { config, trusted })
    }

    /// Returns true if a trusted authority signed the last server's certificate.
    pub(crate) fn is_trusted(&self) -> bool {
        self.trusted.load(Ordering::Acquire)
    }
}

/// Verifies certificates with the named authorities or with the operating system, and records the result.
#[derive(Debug)]
struct Noting {
    authorities: Option<Arc<dyn ServerCertVerifier>>,
    provider: Arc<CryptoProvider>,
    /// True if an untrusted certificate ends the connection.
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
        let verified = match &self.authorities {
            Some(authorities) => authorities.verify_server_cert(own, others, name, ocsp, now),
            None => Err(Error::General("there are no authorities".to_owned())),
        };
        self.trusted.store(verified.is_ok(), Ordering::Release);
        if self.must { verified } else { Ok(ServerCertVerified::assertion()) }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
