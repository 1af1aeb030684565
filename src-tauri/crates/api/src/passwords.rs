//! Passwords for servers: those given with an address while the program runs, and those that lie where PostgreSQL's own
//! programs look for them. Nothing is written anywhere.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use vitrine_warehouse::ServerAddress;

/// What was given so far. Addresses are kept and shown without their passwords, and have to open again.
#[derive(Default)]
pub(crate) struct Passwords(Mutex<HashMap<[String; 3], String>>);

impl Passwords {
    /// An address with a password, where there is one: its own, the one given before, `PGPASSWORD`, the password file.
    pub(crate) fn complete(&self, server: ServerAddress) -> ServerAddress {
        let [host, port, _, person] = server.login();
        let login = [host, port, person];
        let mut given = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(password) = server.password() {
            given.insert(login, password.to_owned());
            return server;
        }
        let known = given.get(&login).cloned();
        let elsewhere =
            || std::env::var("PGPASSWORD").ok().filter(|text| !text.is_empty()).or_else(|| on_file(&server));
        let password = known.or_else(elsewhere);
        server.with_password(password)
    }
}

fn on_file(server: &ServerAddress) -> Option<String> {
    let usual = if cfg!(windows) {
        dirs::data_dir().map(|folder| folder.join("postgresql").join("pgpass.conf"))
    } else {
        dirs::home_dir().map(|home| home.join(".pgpass"))
    };
    let path = std::env::var_os("PGPASSFILE").map(PathBuf::from).or(usual)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path).ok()?.permissions().mode();
        if mode & 0o077 != 0 {
            tracing::warn!("the password file is not used, because others may read it; its mode should be 0600");
            return None;
        }
    }
    in_file(&std::fs::read_to_string(path).ok()?, &server.login())
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

    #[test]
    fn a_password_that_was_given_once_opens_the_address_again() {
        let (passwords, server) = (Passwords::default(), |text: &str| {
            vitrine_warehouse::WarehouseUri::parse(text).unwrap().server().unwrap().clone()
        });
        passwords.complete(server("postgresql://ann:hidden@db.example/shop"));
        let again = passwords.complete(server("postgresql://ann@db.example/other"));
        assert_eq!(again.password(), Some("hidden"));
    }
}
