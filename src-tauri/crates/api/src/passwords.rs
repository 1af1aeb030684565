//! Passwords for servers: those typed while the program runs, those that the person wanted kept in the system's keychain,
//! and those that lie where the servers' own programs look for them. None is written anywhere else.

use crate::option_file::{self, read_private};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use vitrine_store::secrets::{SecretError, SecretStore};
use vitrine_warehouse::{ServerAddress, ServerKind};

/// What is known. Addresses are kept and shown without their passwords, and have to open again.
pub(crate) struct Passwords {
    typed: Mutex<HashMap<String, String>>,
    keychain: Arc<dyn SecretStore>,
}

impl Passwords {
    pub(crate) fn new(keychain: Arc<dyn SecretStore>) -> Self {
        Self { typed: Mutex::default(), keychain }
    }

    /// An address with a password, where there is one: its own, the one that was typed for it before, the keychain's,
    /// `PGPASSWORD`, `MYSQL_PWD` or `SNOWFLAKE_PASSWORD`, the password file or the option file. What names no host is for addresses of the
    /// person's own only.
    pub(crate) fn complete(&self, server: ServerAddress, own_address: bool) -> ServerAddress {
        self.with_passphrases(self.with_password(server, own_address), own_address)
    }

    /// With what opens the keys that it names: typed before or, for an address of the person's own, the keychain's.
    fn with_passphrases(&self, server: ServerAddress, own_address: bool) -> ServerAddress {
        server.with_passphrases(|key| {
            let name = key_name(key);
            self.typed(&name).or_else(|| own_address.then(|| self.kept(&name)).flatten())
        })
    }

    fn with_password(&self, server: ServerAddress, own_address: bool) -> ServerAddress {
        if server.password().is_some() {
            return server;
        }
        let name = name(&server);
        let password = self
            .typed(&name)
            .or_else(|| self.kept(&name))
            .or_else(|| std::env::var(variable(&server)).ok().filter(|text| own_address && !text.is_empty()))
            .or_else(|| on_file(&server, own_address));
        server.with_password(password)
    }

    /// Notes an address's own password, which its server has taken.
    pub(crate) fn note(&self, server: &ServerAddress) {
        if let Some(password) = server.password() {
            self.lock().insert(name(server), password.to_owned());
        }
    }

    /// Notes what opens keys, and has been seen to.
    pub(crate) fn note_passphrase(&self, keys: &[String], passphrase: &str) {
        self.lock().extend(keys.iter().map(|key| (key_name(key), passphrase.to_owned())));
    }

    /// Puts the password that was typed for a server into the keychain, and the passphrases of its keys; nothing happens when none was.
    pub(crate) fn remember(&self, server: &ServerAddress) -> Result<(), SecretError> {
        let keys = server.locked_keys();
        for name in std::iter::once(name(server)).chain(keys.iter().map(|key| key_name(key))) {
            if let Some(secret) = self.typed(&name) {
                self.keychain.set(&name, &secret)?;
            }
        }
        Ok(())
    }

    /// Forgets the passphrase of a key, wherever it is.
    pub(crate) fn forget_passphrase(&self, key: &str) -> Result<(), SecretError> {
        let name = key_name(key);
        self.lock().remove(&name);
        match self.keychain.delete(&name) {
            Err(SecretError::Unavailable { .. }) => Ok(()),
            other => other,
        }
    }

    /// Takes what the keychain has for a server out of it.
    pub(crate) fn drop_kept(&self, server: &ServerAddress) -> Result<(), SecretError> {
        match self.keychain.delete(&name(server)) {
            // Where there is no keychain there is nothing in it.
            Err(SecretError::Unavailable { .. }) => Ok(()),
            other => other,
        }
    }

    /// Forgets the password for a server, wherever it is.
    pub(crate) fn forget(&self, server: &ServerAddress) -> Result<(), SecretError> {
        self.lock().remove(&name(server));
        self.drop_kept(server)
    }

    fn typed(&self, name: &str) -> Option<String> {
        self.lock().get(name).cloned()
    }

    fn kept(&self, name: &str) -> Option<String> {
        match self.keychain.get(name) {
            Ok(password) => password,
            Err(SecretError::Unavailable { .. }) => None,
            Err(error) => {
                // The server says what it wants, and the person can type it.
                tracing::warn!(%error, "the password cannot be read from the keychain");
                None
            }
        }
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, HashMap<String, String>> {
        self.typed.lock()
    }
}

/// What a password belongs to, as the keychain lists it, whichever database is opened there. What an earlier version kept
/// under fewer words is not found: nobody knows whether it was meant for all of what the address says now.
pub(crate) fn name(server: &ServerAddress) -> String {
    format!("login:{}", server.binding())
}

/// What a passphrase belongs to, as the keychain lists it: the file of a key with what is in it, wherever that signs in.
fn key_name(key: &str) -> String {
    format!("key:{key}")
}

/// The variable that the server's own programs take a password from.
fn variable(server: &ServerAddress) -> &'static str {
    match server.kind() {
        ServerKind::Postgres => "PGPASSWORD",
        ServerKind::Mysql => "MYSQL_PWD",
        ServerKind::Snowflake => "SNOWFLAKE_PASSWORD",
        ServerKind::Clickhouse => "CLICKHOUSE_PASSWORD",
        ServerKind::Databricks => "DATABRICKS_TOKEN",
        ServerKind::Motherduck => "MOTHERDUCK_TOKEN",
    }
}

fn on_file(server: &ServerAddress, own_address: bool) -> Option<String> {
    match server.kind() {
        ServerKind::Postgres => in_password_file(server),
        ServerKind::Snowflake | ServerKind::Clickhouse | ServerKind::Databricks | ServerKind::Motherduck => None,
        ServerKind::Mysql => {
            let text = read_private(&dirs::home_dir()?.join(".my.cnf"))?;
            option_file::password(&text, server.logins().first()?, own_address)
        }
    }
}

fn in_password_file(server: &ServerAddress) -> Option<String> {
    let usual = if cfg!(windows) {
        dirs::data_dir().map(|folder| folder.join("postgresql").join("pgpass.conf"))
    } else {
        dirs::home_dir().map(|home| home.join(".pgpass"))
    };
    let path = std::env::var_os("PGPASSFILE").map(PathBuf::from).or(usual)?;
    let text = read_private(&path)?;
    // One password is tried at all hosts, so that all of them have to be meant by it.
    let mut passwords = server.logins().into_iter().map(|login| in_file(&text, &login));
    let first = passwords.next()??;
    passwords.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// The password of the first line that fits: `host:port:database:user:password`, where `*` fits everything and a
/// backslash keeps a colon or a backslash.
fn in_file(text: &str, login: &[String; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let parts = split(line);
        let (password, names) = parts.split_last()?;
        let fits = names.len() == login.len() && names.iter().zip(login).all(|(name, own)| name == "*" || name == own);
        fits.then(|| password.clone())
    })
}

fn split(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ':' if parts.len() < 5 => parts.push(String::new()),
            '\\' => parts.last_mut().into_iter().for_each(|part| part.extend(letters.next())),
            _ => parts.last_mut().into_iter().for_each(|part| part.push(letter)),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let login = ["db", "5432", "shop", "ann"].map(str::to_owned);
        let file = "# mine\nother:*:*:*:no\ndb:5432:shop:bob:no\ndb:*:shop:ann:a\\:b\\\\c:d\n*:*:*:*:late\n";
        assert_eq!(in_file(file, &login).as_deref(), Some("a:b\\c:d"));
        assert_eq!(in_file("db:5432\n", &login), None);
    }

    fn server(text: &str) -> ServerAddress {
        vitrine_warehouse::WarehouseUri::parse(text).unwrap().server().unwrap().clone()
    }

    #[test]
    fn a_password_belongs_to_a_person_on_a_server() {
        let passwords = Passwords::new(Arc::new(vitrine_store::secrets::InMemory::default()));
        passwords.note(&server("postgresql://ann:hidden@db.example/shop"));
        let known = |text: &str| passwords.complete(server(text), true).password().map(str::to_owned);
        assert_eq!(known("postgresql://ann@db.example/other").as_deref(), Some("hidden"));
        assert_eq!(known("postgresql://ann:own@db.example/other").as_deref(), Some("own"));
        for other in [
            "postgresql://bob@db.example/shop",
            "postgresql://ann@db.example:6000/shop",
            "postgresql://ann@db.example,evil.example/shop",
            "postgresql://ann@db.example/shop?hostaddr=6.6.6.6",
            "postgresql://ann@db.example/shop?sslmode=disable",
        ] {
            assert_ne!(known(other).as_deref(), Some("hidden"), "{other}");
        }
    }

    #[test]
    fn the_keychain_is_asked_only_for_what_was_remembered() {
        let keychain: Arc<dyn SecretStore> = Arc::new(vitrine_store::secrets::InMemory::default());
        let (typed, bare) = (server("postgresql://ann:hidden@db/shop"), server("postgresql://ann@db/shop"));
        let before = Passwords::new(Arc::clone(&keychain));
        before.note(&typed);
        let after = || Passwords::new(Arc::clone(&keychain)).complete(bare.clone(), true);
        assert_ne!(after().password(), Some("hidden"));
        before.remember(&bare).unwrap();
        assert_eq!(after().password(), Some("hidden"));
        before.forget(&bare).unwrap();
        assert_ne!(after().password(), Some("hidden"));
        assert_ne!(before.complete(bare.clone(), true).password(), Some("hidden"));
    }
}
