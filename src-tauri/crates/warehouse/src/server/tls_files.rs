//! The files that an address names for encryption, by the words of its server's own programs: the authorities to trust, and a
//! certificate with its key to sign in with.

use super::key_file::{FileFault, Passphrase, format_file_error, private_key};
use super::options::take_option;
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::{Path, PathBuf};
use url::Url;
use vitrine_words::tr;

/// What the options are called: the authorities, a certificate, its key.
pub(super) const POSTGRES_WORDS: [&str; 3] = ["sslrootcert", "sslcert", "sslkey"];
pub(super) const MYSQL_WORDS: [&str; 3] = ["ssl-ca", "ssl-cert", "ssl-key"];

/// Paths of files; nothing is read before a connection is made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TlsFiles {
    /// Certificates of authorities, instead of those that this computer trusts (`sslrootcert`, `ssl-ca`).
    root: Option<PathBuf>,
    /// A certificate, and its private key (`sslcert` and `sslkey`, `ssl-cert` and `ssl-key`).
    login: Option<(PathBuf, PathBuf)>,
    /// What opens the key.
    pub(super) passphrase: Option<Passphrase>,
}

impl TlsFiles {
    /// Takes the options out of a URL.
    ///
    /// # Errors
    /// When a certificate is named without its key, or a key without its certificate.
    pub(super) fn take_from_url(url: &mut Url, [root, certificate, key]: [&str; 3]) -> Result<Self, String> {
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

    /// Whether the address says whom to trust.
    pub(super) fn names_authorities(&self) -> bool {
        self.root.is_some()
    }

    /// The authorities to trust; `None` where it is those of the machine.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no certificate.
    pub(crate) fn load_root_store(&self) -> Result<Option<RootCertStore>, String> {
        let Some(path) = &self.root else { return Ok(None) };
        let mut roots = RootCertStore::empty();
        for certificate in read_certificates(path)? {
            roots
                .add(certificate)
                .map_err(|error| format_file_error(path, &tr!("it holds a certificate that cannot be used"), &error))?;
        }
        Ok(Some(roots))
    }

    /// The certificate to sign in with, those that vouch for it, and its key.
    ///
    /// # Errors
    /// When a file cannot be read or holds something else, others on this computer may read the key, or it stays locked.
    pub(crate) fn load_client_identity(
        &self,
    ) -> Result<Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>, FileFault> {
        let Some((certificate, key)) = &self.login else { return Ok(None) };
        let key = private_key(key, self.passphrase.as_ref())?;
        Ok(Some((read_certificates(certificate)?, key)))
    }

    /// The file of the key.
    pub(super) fn key_path(&self) -> Option<&Path> {
        self.login.as_ref().map(|(_, key)| key.as_path())
    }
}

fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let found =
        read.map_err(|error| format_file_error(path, &tr!("it cannot be read as certificates in PEM"), &error))?;
    if found.is_empty() {
        return Err(tr!("{path}: it holds no certificate in PEM", path = path.display()));
    }
    Ok(found)
}
