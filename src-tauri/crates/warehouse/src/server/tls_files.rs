//! The files for encryption that an address names, with the option names of its server's own programs: certificate
//! authorities, and a client certificate with its key.

use super::key_file::{FileFault, Passphrase, format_file_error, private_key};
use super::options::take_option;
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::{Path, PathBuf};
use url::Url;
use vitrine_words::tr;

/// The option names for the authorities, the client certificate and its key.
pub(crate) const POSTGRES_OPTIONS: [&str; 3] = ["sslrootcert", "sslcert", "sslkey"];
pub(crate) const MYSQL_OPTIONS: [&str; 3] = ["ssl-ca", "ssl-cert", "ssl-key"];

/// Paths of the files. They are read only when a connection is made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TlsFiles {
    /// Certificates of the authorities that replace the trusted ones of this computer (`sslrootcert`, `ssl-ca`).
    root: Option<PathBuf>,
    /// The client certificate and its private key (`sslcert` and `sslkey`, `ssl-cert` and `ssl-key`).
    login: Option<(PathBuf, PathBuf)>,
    /// The passphrase of the key.
    pub(super) passphrase: Option<Passphrase>,
}

impl TlsFiles {
    /// Removes the options from a URL.
    ///
    /// # Errors
    /// Fails if a certificate is named without its key, or a key without its certificate.
    pub(crate) fn take_from_url(url: &mut Url, [root, certificate, key]: [&str; 3]) -> Result<Self, String> {
        let mut option = |name| take_option(url, name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = option(root).filter(|path| path != Path::new("system"));
        let login = match (option(certificate), option(key)) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            (Some(_), None) => {
                return Err(tr!("{certificate} needs the file of its key, too: {key}=PATH", certificate, key));
            }
            (None, Some(_)) => {
                return Err(tr!("{key} needs the file of its certificate, too: {certificate}=PATH", key, certificate));
            }
        };
        Ok(Self { root, login, passphrase: None })
    }

    /// Returns true if the address names certificate authorities.
    pub(crate) fn names_authorities(&self) -> bool {
        self.root.is_some()
    }

    /// Reads the certificate authorities; `None` if the computer's trusted ones apply.
    ///
    /// # Errors
    /// Fails if the file cannot be read or contains no valid certificate.
    pub(crate) fn load_root_store(&self) -> Result<Option<RootCertStore>, String> {
        let Some(path) = &self.root else { return Ok(None) };
        let mut roots = RootCertStore::empty();
        for certificate in read_certificates(path)? {
            roots
                .add(certificate)
                .map_err(|error| format_file_error(path, &tr!("it contains an unusable certificate"), &error))?;
        }
        Ok(Some(roots))
    }

    /// Reads the client certificate with its chain, and its key.
    ///
    /// # Errors
    /// Fails if a file cannot be read or is invalid, if other users may read the key, or if the key cannot be
    /// decrypted.
    pub(crate) fn load_client_identity(
        &self,
    ) -> Result<Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>, FileFault> {
        let Some((certificate, key)) = &self.login else { return Ok(None) };
        let key = private_key(key, self.passphrase.as_ref())?;
        Ok(Some((read_certificates(certificate)?, key)))
    }

    /// Returns the path of the key.
    pub(super) fn key_path(&self) -> Option<&Path> {
        self.login.as_ref().map(|(_, key)| key.as_path())
    }
}

fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let found =
        read.map_err(|error| format_file_error(path, &tr!("it cannot be read as certificates in PEM"), &error))?;
    if found.is_empty() {
        return Err(tr!("{path}: it contains no certificate in PEM", path = path.display()));
    }
    Ok(found)
}
