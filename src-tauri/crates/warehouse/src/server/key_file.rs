//! Private keys in PEM files as written by OpenSSL: unencrypted, encrypted in the current form (PKCS #8), or encrypted
//! in the legacy form.

use crate::WarehouseError;
use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockCipherDecrypt, BlockModeDecrypt, KeyInit, KeyIvInit};
use aes::{Aes128, Aes192, Aes256};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cbc::Decryptor;
use des::TdesEde3;
use md5::{Digest, Md5};
use pkcs8::pkcs5::EncryptionScheme;
use pkcs8::{EncryptedPrivateKeyInfoRef, PrivateKeyInfoRef};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use ssh_key::{Kdf, PrivateKey};
use std::fmt;
use std::path::{Path, PathBuf};
use vitrine_words::{later, tr, translate_constant};

const UNREAD: &str = later!("the key is encrypted in a way that Vitrine does not read");
const DAMAGED: &str = later!("the key is damaged");

/// Maximum bytes of a key file; a longer file is not a key.
const LONGEST: u64 = 1 << 20;

const OPENSSH: &str = "OPENSSH PRIVATE KEY";
/// Maximum rounds of OpenSSH's key derivation; with this number it takes minutes.
const MOST_ROUNDS: u32 = 1_000;

/// The passphrase of a key. It is never displayed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Passphrase(pub(super) String);

impl Passphrase {
    /// Returns the passphrase for decrypting the key.
    pub(crate) fn expose_secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase")
    }
}

/// The reason why the files of an address cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileFault {
    /// A file has invalid contents or permissions; the text describes the problem.
    Unfit(String),
    /// The key is encrypted. With `wrong` the given passphrase does not decrypt it; otherwise no passphrase is known.
    Locked { key: PathBuf, wrong: bool },
}

impl FileFault {
    /// Converts the error to that of opening the address.
    pub(crate) fn into_warehouse_error(self, server: &impl fmt::Display) -> WarehouseError {
        match self {
            Self::Unfit(reason) => WarehouseError::Address { text: server.to_string(), reason },
            Self::Locked { key, wrong } => WarehouseError::Passphrase { key, wrong },
        }
    }
}

impl From<String> for FileFault {
    fn from(reason: String) -> Self {
        Self::Unfit(reason)
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(reason) => f.write_str(reason),
            Self::Locked { key, wrong: false } => f.write_str(&tr!(
                "the key {key} has a passphrase: open the database once to enter it",
                key = key.display()
            )),
            Self::Locked { key, wrong: true } => {
                f.write_str(&tr!("the passphrase of the key {key} is another one", key = key.display()))
            }
        }
    }
}

/// Returns the identity of an encrypted key, made of its path and the hash of its contents; `None` if it needs no
/// passphrase or cannot be read.
pub(super) fn locked_key(path: &Path) -> Option<String> {
    let text = read_key_file(path).ok()?;
    let found = Section::from_pem(&text)?;
    found.is_locked().then(|| format!("{} {}", path.display(), blake3::hash(text.as_bytes()).to_hex()))
}

/// Reads the key in a file.
pub(super) fn private_key(path: &Path, passphrase: Option<&Passphrase>) -> Result<PrivateKeyDer<'static>, FileFault> {
    check_permissions(path)?;
    let text = read_key_file(path)?;
    let none = || FileFault::Unfit(tr!("{path}: it contains no private key in PEM", path = path.display()));
    let section = Section::from_pem(&text).ok_or_else(none)?;
    if section.label == OPENSSH {
        return Err(FileFault::Unfit(tr!(
            "{path}: it is in OpenSSH's own form; ssh-keygen -p -m PKCS8 -f FILE writes it as PEM",
            path = path.display()
        )));
    }
    if !section.is_locked() {
        let key = PrivateKeyDer::from_pem_slice(text.as_bytes());
        return key.map_err(|error| {
            FileFault::Unfit(format_file_error(path, &tr!("it contains no usable private key"), &error))
        });
    }
    let locked = |wrong| FileFault::Locked { key: path.to_owned(), wrong };
    let Some(Passphrase(passphrase)) = passphrase else { return Err(locked(false)) };
    section.decrypt_key(passphrase).map_err(|why| match why {
        Why::Passphrase => locked(true),
        Why::Form(what) => FileFault::Unfit(tr!(
            "{path}: {what}; openssl pkcs8 -topk8 -v2 aes256 writes it anew",
            path = path.display(),
            what = translate_constant(what)
        )),
    })
}

/// Checks that a passphrase decrypts a key with which OpenSSH signs in, in any of the supported forms.
pub(super) fn opens_ssh_key(path: &Path, passphrase: Option<&Passphrase>) -> Result<(), FileFault> {
    check_permissions(path)?;
    let text = read_key_file(path)?;
    let none = || FileFault::Unfit(tr!("{path}: it contains no private key", path = path.display()));
    let section = Section::from_pem(&text).ok_or_else(none)?;
    if !section.is_locked() {
        return Ok(());
    }
    let locked = |wrong| FileFault::Locked { key: path.to_owned(), wrong };
    let Some(Passphrase(passphrase)) = passphrase else { return Err(locked(false)) };
    let opened = match section.label {
        OPENSSH => section.decrypt_openssh_key(passphrase),
        _ => section.decrypt_key(passphrase).map(drop),
    };
    opened.map_err(|why| match why {
        Why::Passphrase => locked(true),
        Why::Form(what) => FileFault::Unfit(tr!(
            "{path}: {what}; ssh-keygen -p -f FILE writes it anew",
            path = path.display(),
            what = translate_constant(what)
        )),
    })
}

pub(super) fn format_file_error(path: &Path, what: &str, error: &dyn fmt::Display) -> String {
    format!("{}: {what} ({error})", path.display())
}

/// Checks the permissions as libpq does: a key that other users can read is not secret.
#[cfg(unix)]
fn check_permissions(key: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let found =
        std::fs::metadata(key).map_err(|error| format_file_error(key, &tr!("the key cannot be read"), &error))?;
    // An administrator may share a key of root with a group.
    let others = if found.uid() == 0 { 0o027 } else { 0o077 };
    if found.mode() & others != 0 {
        return Err(tr!("{key}: others may read this key; run: chmod 600 {key}", key = key.display()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_permissions(_: &Path) -> Result<(), String> {
    Ok(())
}

fn read_key_file(path: &Path) -> Result<String, FileFault> {
    let cannot =
        |error: &dyn fmt::Display| FileFault::Unfit(format_file_error(path, &tr!("the key cannot be read"), error));
    let size = std::fs::metadata(path).map_err(|error| cannot(&error))?.len();
    if size > LONGEST {
        return Err(cannot(&tr!("it is too long for a key")));
    }
    std::fs::read_to_string(path).map_err(|error| cannot(&error))
}

/// The reason why an encrypted key cannot be decrypted.
enum Why {
    Passphrase,
    /// An unsupported or damaged form; the text is a constant of `later!`.
    Form(&'static str),
}

/// A section of a PEM file that contains a private key.
struct Section<'a> {
    label: &'a str,
    /// The cipher and its initialization vector, in the legacy form.
    old: Option<(&'a str, &'a str)>,
    body: String,
}

impl<'a> Section<'a> {
    /// Returns the first private key in a PEM text.
    fn from_pem(text: &'a str) -> Option<Self> {
        let mut lines = text.lines().map(str::trim);
        let label = lines.find_map(|line| line.strip_prefix("-----BEGIN ")?.strip_suffix("-----").filter(is_key))?;
        let mut section = Self { label, old: None, body: String::new() };
        for line in lines.take_while(|line| !line.starts_with("-----")) {
            match line.split_once(':') {
                Some(("DEK-Info", info)) => section.old = info.trim().split_once(','),
                Some(_) => {}
                None => section.body.push_str(line),
            }
        }
        Some(section)
    }

    fn is_locked(&self) -> bool {
        let by_openssh = || self.label == OPENSSH && self.openssh_key().is_some_and(|key| key.is_encrypted());
        self.label == "ENCRYPTED PRIVATE KEY" || self.old.is_some() || by_openssh()
    }

    /// Parses the key in OpenSSH's own form.
    fn openssh_key(&self) -> Option<PrivateKey> {
        PrivateKey::from_bytes(&STANDARD.decode(&self.body).ok()?).ok()
    }

    fn decrypt_openssh_key(&self, passphrase: &str) -> Result<(), Why> {
        let key = self.openssh_key().ok_or(Why::Form(DAMAGED))?;
        if matches!(key.kdf(), Kdf::Bcrypt { rounds, .. } if *rounds > MOST_ROUNDS) {
            return Err(Why::Form(later!("opening it would take too long")));
        }
        match key.decrypt(passphrase) {
            Ok(_) => Ok(()),
            Err(ssh_key::Error::Crypto) => Err(Why::Passphrase),
            Err(_) => Err(Why::Form(DAMAGED)),
        }
    }

    fn decrypt_key(&self, passphrase: &str) -> Result<PrivateKeyDer<'static>, Why> {
        let body = STANDARD.decode(&self.body).map_err(|_| Why::Form(DAMAGED))?;
        match self.old {
            None => decrypt_pkcs8(&body, passphrase),
            Some((cipher, vector)) => decrypt_legacy_pem(self.label, cipher, vector, &body, passphrase),
        }
    }
}

fn is_key(label: &&str) -> bool {
    label.ends_with("PRIVATE KEY")
}

/// Decrypts PKCS #8 with PBES2.
fn decrypt_pkcs8(body: &[u8], passphrase: &str) -> Result<PrivateKeyDer<'static>, Why> {
    const FORM: Why = Why::Form(UNREAD);
    let locked = EncryptedPrivateKeyInfoRef::try_from(body).map_err(|_| FORM)?;
    if matches!(locked.encryption_algorithm, EncryptionScheme::Pbes1(_)) {
        return Err(FORM);
    }
    let open = locked.decrypt(passphrase).map_err(|_| Why::Passphrase)?;
    // About one wrong passphrase in some hundred results in bytes with valid padding.
    PrivateKeyInfoRef::try_from(open.as_bytes()).map_err(|_| Why::Passphrase)?;
    Ok(PrivateKeyDer::Pkcs8(open.as_bytes().to_vec().into()))
}

/// Decrypts OpenSSL's legacy form, whose cipher key is derived with MD5.
fn decrypt_legacy_pem(
    label: &str,
    cipher: &str,
    vector: &str,
    body: &[u8],
    passphrase: &str,
) -> Result<PrivateKeyDer<'static>, Why> {
    let vector = decode_hex(vector).filter(|vector| vector.len() >= 8).ok_or(Why::Form(DAMAGED))?;
    let open = match cipher {
        "AES-128-CBC" => decrypt_cbc::<Aes128>(16, &vector, body, passphrase),
        "AES-192-CBC" => decrypt_cbc::<Aes192>(24, &vector, body, passphrase),
        "AES-256-CBC" => decrypt_cbc::<Aes256>(32, &vector, body, passphrase),
        "DES-EDE3-CBC" => decrypt_cbc::<TdesEde3>(24, &vector, body, passphrase),
        _ => return Err(Why::Form(UNREAD)),
    };
    let open = open.filter(|open| is_sequence(open)).ok_or(Why::Passphrase)?;
    match label {
        "RSA PRIVATE KEY" => Ok(PrivateKeyDer::Pkcs1(open.into())),
        "EC PRIVATE KEY" => Ok(PrivateKeyDer::Sec1(open.into())),
        _ => Err(Why::Form(later!("the key is of a kind that Vitrine does not read"))),
    }
}

fn decrypt_cbc<C>(length: usize, vector: &[u8], body: &[u8], passphrase: &str) -> Option<Vec<u8>>
where
    C: BlockCipherDecrypt + KeyInit,
    Decryptor<C>: KeyIvInit + BlockModeDecrypt,
{
    let mut key = Vec::new();
    let mut last: Vec<u8> = Vec::new();
    while key.len() < length {
        let mut digest = Md5::new();
        digest.update(&last);
        digest.update(passphrase.as_bytes());
        digest.update(vector.get(..8)?);
        last = digest.finalize().to_vec();
        key.extend_from_slice(&last);
    }
    let cipher = Decryptor::<C>::new_from_slices(key.get(..length)?, vector).ok()?;
    cipher.decrypt_padded_vec::<Pkcs7>(body).ok()
}

/// Returns true if the bytes are exactly one ASN.1 sequence, as every key is. Bytes decrypted with a wrong passphrase
/// are not.
fn is_sequence(bytes: &[u8]) -> bool {
    let Some((0x30, rest)) = bytes.split_first().map(|(first, rest)| (*first, rest)) else { return false };
    let Some((first, rest)) = rest.split_first() else { return false };
    let (length, rest) = match *first {
        short @ ..0x80 => (usize::from(short), rest),
        long => {
            let Some((digits, rest)) = rest.split_at_checked(usize::from(long & 0x7f)) else { return false };
            (digits.iter().fold(0_usize, |sum, digit| sum.wrapping_shl(8) | usize::from(*digit)), rest)
        }
    };
    rest.len() == length
}

fn decode_hex(hex: &str) -> Option<Vec<u8>> {
    let pair = |at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    (0..hex.len()).step_by(2).map(pair).collect()
}

#[cfg(all(test, unix))]
mod tests;
