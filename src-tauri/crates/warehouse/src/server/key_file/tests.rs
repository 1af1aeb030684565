//! Keys as written by openssl, decrypted by their passphrase and by no other.

use super::*;
use crate::ServerAddress;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

const WORD: &str = "pass-phrase äöü";

struct Keys(tempfile::TempDir);

impl Keys {
    fn new() -> Self {
        let keys = Self(tempfile::tempdir().unwrap());
        keys.openssl(&["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", &keys.at("ec.key")]);
        keys.openssl(&["genrsa", "-out", &keys.at("rsa.key"), "2048"]);
        keys
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Runs openssl; returns false if this version does not support it.
    fn openssl(&self, arguments: &[&str]) -> bool {
        let mut openssl = Command::new("openssl");
        openssl.env("WORD", WORD).args(arguments).stderr(Stdio::null()).stdout(Stdio::null());
        openssl.status().is_ok_and(|status| status.success())
    }

    /// Creates a key with these arguments of openssl.
    fn create_key(&self, name: &str, words: &[&str]) -> PathBuf {
        let out = self.at(name);
        assert!(self.openssl(&[words, &["-passout", "env:WORD", "-out", &out]].concat()), "openssl {words:?}");
        std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o600)).unwrap();
        out.into()
    }
}

fn open_key(path: &Path, word: Option<&str>) -> Result<PrivateKeyDer<'static>, FileFault> {
    private_key(path, word.map(|word| Passphrase(word.to_owned())).as_ref())
}

#[test]
fn keys_of_openssl_are_opened_by_their_passphrase_alone() {
    let keys = Keys::new();
    let (ec, rsa) = (keys.at("ec.key"), keys.at("rsa.key"));
    let today = |input: &str, by: &[&str], name: &str| {
        keys.create_key(name, &[&["pkcs8", "-topk8", "-in", input][..], by].concat())
    };
    let all = [
        today(&ec, &["-v2", "aes256"], "aes256.key"),
        today(&rsa, &["-v2", "aes-128-cbc"], "aes128.key"),
        today(&ec, &["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA1"], "sha1.key"),
        today(&rsa, &["-v2", "des3"], "des3.key"),
        today(&ec, &["-scrypt"], "scrypt.key"),
        keys.create_key("old-ec.key", &["ec", "-in", &ec, "-aes256"]),
        keys.create_key("old-rsa.key", &["rsa", "-traditional", "-in", &rsa, "-aes128"]),
        keys.create_key("old-des3.key", &["rsa", "-traditional", "-in", &rsa, "-des3"]),
    ];
    for path in all {
        let locked = |wrong| Err(FileFault::Locked { key: path.clone(), wrong });
        assert_eq!(open_key(&path, None), locked(false), "{}", path.display());
        let right = open_key(&path, Some(WORD)).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        assert!(provider.key_provider.load_private_key(right).is_ok(), "{}", path.display());
        // With some wrong passphrases, the decrypted padding is valid by chance.
        for n in 0..if path.ends_with("scrypt.key") { 3 } else { 300 } {
            assert_eq!(open_key(&path, Some(&format!("wrong {n}"))), locked(true), "{}", path.display());
        }
    }
}

#[test]
fn what_is_wrong_with_a_key_is_told_without_its_words() {
    let keys = Keys::new();
    let said = |path: &Path, word: Option<&str>| open_key(path, word).unwrap_err().to_string();
    let ssh = keys.at("ssh.key");
    let made = ["-q", "-t", "ed25519", "-N", "pass-phrase", "-f", &ssh];
    assert!(Command::new("ssh-keygen").args(made).status().is_ok_and(|status| status.success()));
    assert!(said(Path::new(&ssh), Some("pass-phrase")).contains("ssh-keygen -p -m PKCS8"));

    let path = keys.create_key("locked.key", &["pkcs8", "-topk8", "-in", &keys.at("ec.key"), "-v2", "aes256"]);
    let wrong = said(&path, Some("pass-word"));
    assert!(wrong.contains("locked.key") && !wrong.contains("pass-word"), "{wrong}");
    assert_eq!(format!("{:?}", Passphrase("pass-word".to_owned())), "Passphrase");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("MI", "AA", 1)).unwrap();
    assert!(said(&path, Some(WORD)).contains("openssl pkcs8 -topk8"));
    std::fs::write(&path, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
    assert!(said(&path, Some(WORD)).contains("no private key"));
}

#[test]
fn a_passphrase_is_bound_to_its_file_and_what_is_in_it() {
    let keys = Keys::new();
    let made = |name: &str| keys.create_key(name, &["pkcs8", "-topk8", "-in", &keys.at("ec.key"), "-v2", "aes256"]);
    let (one, other) = (made("one.key"), made("other.key"));
    let server = |key: &Path| {
        let text = format!("postgresql://ann@db/shop?sslcert=x.pem&sslkey={}", key.display());
        ServerAddress::parse(&text).unwrap()
    };
    let bound = |key: &Path| server(key).locked_keys().pop();
    assert!(bound(&one).unwrap().starts_with(&one.display().to_string()));
    assert_ne!(bound(&one), bound(&other));
    assert_eq!(bound(Path::new(&keys.at("ec.key"))), None, "it needs none");
    let before = bound(&one);
    std::fs::copy(&other, &one).unwrap();
    assert_ne!(bound(&one), before, "another key in its place");
    let with = server(&one).with_passphrases(|_| Some("pass-word".to_owned()));
    assert!(!format!("{with} {with:?}").contains("pass-word"));
}

/// Creates a key with ssh-keygen; with an empty passphrase it is not encrypted.
fn made_by_ssh_keygen(keys: &Keys, name: &str, form: &[&str], word: &str) -> PathBuf {
    let path = keys.at(name);
    let make = [&["-q", "-N", word, "-f", &path][..], form].concat();
    assert!(Command::new("ssh-keygen").args(make).status().is_ok_and(|status| status.success()), "{name}");
    path.into()
}

fn open_ssh_key(path: &Path, word: Option<&str>) -> Result<(), FileFault> {
    opens_ssh_key(path, word.map(|word| Passphrase(word.to_owned())).as_ref())
}

#[test]
fn a_key_of_ssh_is_opened_by_its_passphrase_alone() {
    let keys = Keys::new();
    for (name, form) in [
        ("ed25519", &["-t", "ed25519"][..]),
        ("rsa", &["-t", "rsa", "-b", "2048", "-a", "20"]),
        ("ecdsa", &["-t", "ecdsa", "-a", "1"]),
        ("ecdsa-384", &["-t", "ecdsa", "-b", "384", "-a", "1"]),
        ("ecdsa-521", &["-t", "ecdsa", "-b", "521", "-a", "1", "-C", "Schlüssel von Jörg"]),
        ("cbc", &["-t", "ed25519", "-a", "1", "-Z", "aes256-cbc"]),
        ("aes128", &["-t", "rsa", "-b", "2048", "-a", "1", "-Z", "aes128-ctr"]),
        ("gcm", &["-t", "ed25519", "-a", "1", "-Z", "aes256-gcm@openssh.com"]),
        ("chacha20", &["-t", "ecdsa", "-a", "1", "-Z", "chacha20-poly1305@openssh.com"]),
        ("3des", &["-t", "ed25519", "-a", "1", "-Z", "3des-cbc"]),
        ("pem", &["-t", "rsa", "-b", "2048", "-m", "PEM"]),
        ("pkcs8", &["-t", "ecdsa", "-m", "PKCS8"]),
    ] {
        let path = made_by_ssh_keygen(&keys, name, form, WORD);
        let locked = |wrong| Err(FileFault::Locked { key: path.clone(), wrong });
        assert!(locked_key(&path).is_some(), "{name}");
        assert_eq!(open_ssh_key(&path, Some(WORD)), Ok(()), "{name}");
        assert_eq!(open_ssh_key(&path, None), locked(false), "{name}");
        for wrong in ["wrong", ""] {
            assert_eq!(open_ssh_key(&path, Some(wrong)), locked(true), "{name}");
        }
        let wrong = open_ssh_key(&path, Some("pass-word")).unwrap_err().to_string();
        assert!(wrong.contains(name) && wrong.contains("another one") && !wrong.contains("pass-word"), "{wrong}");

        let free = made_by_ssh_keygen(&keys, &format!("free-{name}"), form, "");
        assert_eq!((locked_key(&free), open_ssh_key(&free, None)), (None, Ok(())), "{name}");
    }
}

#[test]
fn a_damaged_key_of_ssh_is_reported_and_ends_nothing() {
    let keys = Keys::new();
    let path = made_by_ssh_keygen(&keys, "ssh.key", &["-t", "ed25519", "-C", ""], WORD);
    let text = std::fs::read_to_string(&path).unwrap();
    for length in (0..text.len()).step_by(7) {
        std::fs::write(&path, &text[..length]).unwrap();
        let _ = open_ssh_key(&path, Some(WORD));
    }
    let bytes = STANDARD.decode(Section::from_pem(&text).unwrap().body).unwrap();
    let said = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        let pem = format!("-----BEGIN {OPENSSH}-----\n{}\n-----END {OPENSSH}-----\n", STANDARD.encode(bytes));
        std::fs::write(&path, pem).unwrap();
        open_ssh_key(&path, Some(WORD)).map_err(|fault| fault.to_string())
    };
    assert_eq!(said(&|_| {}), Ok(()));
    // The kind of the key follows the numbers that prove the passphrase, in the last 144 bytes.
    let damaged = said(&|bytes| *bytes.iter_mut().nth_back(144 - 13).unwrap() ^= 1).unwrap_err();
    assert!(damaged.contains("the key is damaged; ssh-keygen -p -f"), "{damaged}");
    // Rounds that would take hours follow the salt of 16 bytes.
    let rounds = |bytes: &mut Vec<u8>| {
        let at = b"openssh-key-v1\0".len() + (4 + "aes256-ctr".len()) + (4 + "bcrypt".len()) + 4 + (4 + 16);
        assert_eq!(bytes[at - 20..at - 16], [0, 0, 0, 16]);
        bytes[at] = 1;
    };
    let slow = said(&rounds).unwrap_err();
    assert!(slow.contains("it would take too long; ssh-keygen -p -f"), "{slow}");
}
