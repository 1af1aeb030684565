//! The files that an address names for encryption, by the words of its server's own programs: the authorities to trust, and a
//! certificate with its key to sign in with.

use super::options::take_option;
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use url::Url;

/// What the options are called: the authorities, a certificate, its key.
pub(super) const POSTGRES_WORDS: [&str; 3] = ["sslrootcert", "sslcert", "sslkey"];
pub(super) const MYSQL_WORDS: [&str; 3] = ["ssl-ca", "ssl-cert", "ssl-key"];

/// Paths of files; nothing is read before a connection is made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TlsFiles {
    /// Certificates of authorities, instead of those that this machine trusts (`sslrootcert`, `ssl-ca`).
    root: Option<PathBuf>,
    /// A certificate, and its private key without a passphrase (`sslcert` and `sslkey`, `ssl-cert` and `ssl-key`).
    login: Option<(PathBuf, PathBuf)>,
}

impl TlsFiles {
    /// Takes the options out of a URL.
    ///
    /// # Errors
    /// When a certificate is named without its key, or a key without its certificate.
    pub(super) fn take(url: &mut Url, [root, certificate, key]: [&str; 3]) -> Result<Self, String> {
        let mut option = |name| take_option(url, name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = option(root).filter(|path| path != Path::new("system"));
        let login = match (option(certificate), option(key)) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            (Some(_), None) => return Err(format!("{certificate} needs the file of its key, too: {key}=PATH")),
            (None, Some(_)) => {
                return Err(format!("{key} needs the file of its certificate, too: {certificate}=PATH"));
            }
        };
        Ok(Self { root, login })
    }

    /// Whether the address says whom to trust.
    pub(super) fn names_authorities(&self) -> bool {
        self.root.is_some()
    }

    /// The authorities to trust; `None` where it is those of the machine.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no certificate.
    pub(crate) fn roots(&self) -> Result<Option<RootCertStore>, String> {
        let Some(path) = &self.root else { return Ok(None) };
        let mut roots = RootCertStore::empty();
        for certificate in certificates(path)? {
            roots
                .add(certificate)
                .map_err(|error| unfit(path, "it holds a certificate that cannot be used", &error))?;
        }
        Ok(Some(roots))
    }

    /// The certificate to sign in with, those that vouch for it, and its key.
    ///
    /// # Errors
    /// When a file cannot be read or holds something else, or others on this machine may read the key.
    pub(crate) fn login(&self) -> Result<Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>, String> {
        let Some((certificate, key)) = &self.login else { return Ok(None) };
        private(key)?;
        let chain = certificates(certificate)?;
        let key = PrivateKeyDer::from_pem_file(key)
            .map_err(|error| unfit(key, "it holds no private key, or one behind a passphrase", &error))?;
        Ok(Some((chain, key)))
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let found = read.map_err(|error| unfit(path, "it cannot be read as certificates in PEM", &error))?;
    if found.is_empty() {
        return Err(format!("{}: it holds no certificate in PEM", path.display()));
    }
    Ok(found)
}

fn unfit(path: &Path, what: &str, error: &dyn Display) -> String {
    format!("{}: {what} ({error})", path.display())
}

/// As libpq has it: a key that others can read is no secret.
#[cfg(unix)]
fn private(key: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(key).map_err(|error| unfit(key, "the key cannot be read", &error))?;
    // The system's administrator may share one with a group.
    let others = if found.uid() == 0 { 0o027 } else { 0o077 };
    if found.mode() & others != 0 {
        return Err(format!("{}: others may read this key; run: chmod 600 {}", key.display(), key.display()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn private(_: &Path) -> Result<(), String> {
    Ok(())
}
