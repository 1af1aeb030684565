//! Passwords for servers: entered while the program runs, stored in the system's keychain at the user's request, or found where the clients
//! of the servers look for them. Passwords are not written anywhere else.

use crate::option_file::{self, read_private};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use vitrine_store::secrets::{SecretError, SecretStore};
use vitrine_warehouse::{PasswordFile, ServerAddress, WarehouseUri};

/// The known passwords. Addresses are stored and shown without their passwords, but have to be openable again.
pub(crate) struct Passwords {
    typed: Mutex<HashMap<String, String>>,
    keychain: Arc<dyn SecretStore>,
}

impl Passwords {
    pub(crate) fn new(keychain: Arc<dyn SecretStore>) -> Self {
        Self { typed: Mutex::default(), keychain }
    }

    /// Adds a password to an address if it takes one and one is known: its own, the one entered before, the keychain's, that of a variable
    /// such as `PGPASSWORD`, of the password file or of the option file. Sources that name no host apply only to the user's own addresses.
    pub(crate) fn complete_address(&self, uri: WarehouseUri, own_address: bool) -> WarehouseUri {
        let uri = self.with_password(uri, own_address);
        match uri.server_address() {
            Some(server) => WarehouseUri::of_server(self.with_passphrases(server.clone(), own_address)),
            None => uri,
        }
    }

    /// Adds the passphrases of the keys that an address names: entered before or, for the user's own addresses, from the keychain.
    fn with_passphrases(&self, server: ServerAddress, own_address: bool) -> ServerAddress {
        server.with_passphrases(|key| {
            let name = key_name(key);
            self.typed_password(&name).or_else(|| own_address.then(|| self.keychain_password(&name)).flatten())
        })
    }

    fn with_password(&self, uri: WarehouseUri, own_address: bool) -> WarehouseUri {
        let Some(name) = keychain_name(&uri).filter(|_| uri.password().is_none()) else { return uri };
        let variable = || std::env::var(uri.password_variable()?).ok();
        let password = self
            .typed_password(&name)
            .or_else(|| self.keychain_password(&name))
            .or_else(|| variable().filter(|text| own_address && !text.is_empty()))
            .or_else(|| uri.server_address().and_then(|server| on_file(server, own_address)));
        uri.with_password(password)
    }

    /// Remembers the password in an address, after the server has accepted it.
    pub(crate) fn record_password(&self, uri: &WarehouseUri) {
        if let (Some(name), Some(password)) = (keychain_name(uri), uri.password()) {
            self.lock_typed().insert(name, password.to_owned());
        }
    }

    /// Remembers the passphrase of keys, after it has opened them.
    pub(crate) fn note_passphrase(&self, keys: &[String], passphrase: &str) {
        self.lock_typed().extend(keys.iter().map(|key| (key_name(key), passphrase.to_owned())));
    }

    /// Stores the entered password of an address, and the passphrases of its keys, in the keychain. Does nothing if none was entered.
    pub(crate) fn save_to_keychain(&self, uri: &WarehouseUri) -> Result<(), SecretError> {
        let keys = uri.server_address().map(ServerAddress::locked_keys).unwrap_or_default();
        for name in keychain_name(uri).into_iter().chain(keys.iter().map(|key| key_name(key))) {
            if let Some(secret) = self.typed_password(&name) {
                self.keychain.set(&name, &secret)?;
            }
        }
        Ok(())
    }

    /// Removes the passphrase of a key from memory and from the keychain.
    pub(crate) fn forget_passphrase(&self, key: &str) -> Result<(), SecretError> {
        let name = key_name(key);
        self.lock_typed().remove(&name);
        match self.keychain.delete(&name) {
            Err(SecretError::Unavailable { .. }) => Ok(()),
            other => other,
        }
    }

    /// Removes the password of an address from the keychain.
    pub(crate) fn drop_kept(&self, uri: &WarehouseUri) -> Result<(), SecretError> {
        let Some(name) = keychain_name(uri) else { return Ok(()) };
        match self.keychain.delete(&name) {
            // Without a keychain there is nothing to delete.
            Err(SecretError::Unavailable { .. }) => Ok(()),
            other => other,
        }
    }

    /// Removes the password of an address from memory and from the keychain.
    pub(crate) fn forget_password(&self, uri: &WarehouseUri) -> Result<(), SecretError> {
        if let Some(name) = keychain_name(uri) {
            self.lock_typed().remove(&name);
        }
        self.drop_kept(uri)
    }

    fn typed_password(&self, name: &str) -> Option<String> {
        self.lock_typed().get(name).cloned()
    }

    fn keychain_password(&self, name: &str) -> Option<String> {
        match self.keychain.get(name) {
            Ok(password) => password,
            Err(SecretError::Unavailable { .. }) => None,
            Err(error) => {
                // The server reports the missing password, and the user can enter it.
                tracing::warn!(%error, "the password cannot be read from the keychain");
                None
            }
        }
    }

    fn lock_typed(&self) -> parking_lot::MutexGuard<'_, HashMap<String, String>> {
        self.typed.lock()
    }
}

/// Returns the name under which the keychain stores the password of an address, independent of the database; `None` if the address takes no
/// password. Entries of earlier versions with shorter names are ignored, because their scope is unknown.
pub(crate) fn keychain_name(uri: &WarehouseUri) -> Option<String> {
    uri.password_binding().map(|binding| format!("login:{binding}"))
}

/// Returns the name under which the keychain stores the passphrase of a key: path and content of its file, independent of the server.
fn key_name(key: &str) -> String {
    format!("key:{key}")
}

fn on_file(server: &ServerAddress, own_address: bool) -> Option<String> {
    match server.kind().info().password_file? {
        PasswordFile::Passfile => in_password_file(server),
        PasswordFile::OptionFile => {
            let text = read_private(&dirs::home_dir()?.join(".my.cnf"))?;
            option_file::find_password(&text, server.passfile_entries().first()?, own_address)
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
    // The same password is tried at all hosts, so that the entries of all hosts have to agree.
    let mut passwords = server.passfile_entries().into_iter().map(|login| in_file(&text, &login));
    let first = passwords.next()??;
    passwords.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// Returns the password of the first matching line: `host:port:database:user:password`, where `*` matches everything and a backslash
/// escapes a colon or a backslash.
fn in_file(text: &str, login: &[String; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let parts = split_line(line);
        let (password, names) = parts.split_last()?;
        let fits = names.len() == login.len() && names.iter().zip(login).all(|(name, own)| name == "*" || name == own);
        fits.then(|| password.clone())
    })
}

fn split_line(line: &str) -> Vec<String> {
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

    fn parse_uri(text: &str) -> WarehouseUri {
        WarehouseUri::parse(text).unwrap()
    }

    #[test]
    fn a_password_belongs_to_a_person_on_a_server() {
        let passwords = Passwords::new(Arc::new(vitrine_store::secrets::InMemory::default()));
        passwords.record_password(&parse_uri("postgresql://ann:hidden@db.example/shop"));
        let known = |text: &str| passwords.complete_address(parse_uri(text), true).password().map(str::to_owned);
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
        passwords.record_password(&parse_uri("adbc:mssql?uri=sqlserver://ann:word@db?database=shop"));
        assert_eq!(known("adbc:mssql?uri=sqlserver://ann@db?database=shop").as_deref(), Some("word"));
        assert_eq!(known("adbc:mssql?uri=sqlserver://ann@db?database=other"), None, "nobody knows where that leads");
        assert_eq!(known("sqlite:/data/shop.db"), None);
    }

    #[test]
    fn the_keychain_is_asked_only_for_what_was_remembered() {
        let keychain: Arc<dyn SecretStore> = Arc::new(vitrine_store::secrets::InMemory::default());
        let (typed, bare) = (parse_uri("postgresql://ann:hidden@db/shop"), parse_uri("postgresql://ann@db/shop"));
        let before = Passwords::new(Arc::clone(&keychain));
        before.record_password(&typed);
        let after = || Passwords::new(Arc::clone(&keychain)).complete_address(bare.clone(), true);
        assert_ne!(after().password(), Some("hidden"));
        before.save_to_keychain(&bare).unwrap();
        assert_eq!(after().password(), Some("hidden"));
        before.forget_password(&bare).unwrap();
        assert_ne!(after().password(), Some("hidden"));
        assert_ne!(before.complete_address(bare.clone(), true).password(), Some("hidden"));
    }
}
