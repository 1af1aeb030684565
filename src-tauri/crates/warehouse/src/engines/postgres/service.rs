//! PostgreSQL's service file, which names the connections of other programs on this computer. An address contains
//! `service=NAME`; its own values take precedence over those in the file.

use super::address::SCHEMES;
use crate::server::options::take_option;
use std::path::{Path, PathBuf};
use url::Url;
use vitrine_words::{join_with_or, tr};

/// Returns the address with the settings of its service; `None` if it names no service.
///
/// # Errors
/// Fails if no file contains the service, or if a file cannot be read.
pub fn with_service(text: &str) -> Result<Option<String>, String> {
    expand_service(text, &service_files())
}

fn expand_service(text: &str, files: &[PathBuf]) -> Result<Option<String>, String> {
    let Some((scheme, rest)) = text.split_once(':') else { return Ok(None) };
    if !SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)) || !rest.contains("service=") {
        return Ok(None);
    }
    // An invalid address is reported by the caller.
    let Ok(mut url) = Url::parse(text.trim()) else { return Ok(None) };
    let Some(name) = take_option(&mut url, "service") else { return Ok(None) };
    let mut found = None;
    for file in files {
        match std::fs::read_to_string(file) {
            Ok(text) => found = found.or(find_section(&text, &name)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{}: {error}", file.display())),
        }
    }
    let Some(settings) = found else {
        let places: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        return Err(tr!("service '{name}' not found in {places}", name, places = join_with_or(&places)));
    };
    let says = |url: &Url, name: &str| match name {
        "host" | "hostaddr" if url.host_str().is_some_and(|host| !host.is_empty()) => true,
        "port" => url.port().is_some(),
        "user" => !url.username().is_empty(),
        "password" => url.password().is_some(),
        "dbname" => !url.path().trim_matches('/').is_empty(),
        _ => false,
    };
    let own = url.clone();
    let says = |name: &str| says(&own, name) || own.query_pairs().any(|(known, _)| known == name);
    // A stored password belongs to the host and user in the file, so it is not used for others.
    let elsewhere = ["host", "hostaddr", "port", "user"].into_iter().any(says);
    for (name, value) in settings {
        let is_foreign_password = elsewhere && name == "password";
        if !is_foreign_password && !says(&name) {
            url.query_pairs_mut().append_pair(&name, &value);
        }
    }
    // The driver does not decode a plus sign as a space.
    let query = url.query().map(|query| query.replace('+', "%20"));
    url.set_query(query.as_deref());
    Ok(Some(url.to_string()))
}

/// Returns the settings in the section `[name]`.
fn find_section(text: &str, name: &str) -> Option<Vec<(String, String)>> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.find(|line| line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) == Some(name))?;
    let settings = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
    Some(settings.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect())
}

/// Returns the paths of the user's file and of the system's.
fn service_files() -> Vec<PathBuf> {
    let named = std::env::var_os("PGSERVICEFILE").map(PathBuf::from);
    let own = named.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".pg_service.conf")));
    let system =
        std::env::var_os("PGSYSCONFDIR").map_or_else(|| PathBuf::from("/etc/postgresql-common"), PathBuf::from);
    own.into_iter().chain([system.join("pg_service.conf")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::ServerAddress;

    #[test]
    fn a_service_says_what_the_address_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pg_service.conf");
        let text = "# ours\n[test]\nhost=other\n\n[shop]\nhost=db.example\nport=5433\ndbname=shop\nuser=ann\npassword=a b+c&d\n\
                    sslmode=require\n";
        std::fs::write(&file, text).unwrap();
        let files = [folder.path().join("missing"), file];
        let address = |text: &str| ServerAddress::parse(&expand_service(text, &files).unwrap().unwrap()).unwrap();
        let shop = address("postgresql://?service=shop");
        assert_eq!(shop.passfile_entries(), [["db.example", "5433", "shop", "ann"].map(str::to_owned)]);
        assert_eq!(shop.password(), Some("a b+c&d"));
        assert!(shop.password_binding().contains("sslmode=require") && !shop.to_string().contains("a b"));
        let own = address("postgres://bob@elsewhere:1/own?service=shop&sslmode=verify-full");
        assert_eq!(own.passfile_entries(), [["elsewhere", "1", "own", "bob"].map(str::to_owned)]);
        assert!(own.password_binding().contains("sslmode=verify-full"));
        assert_eq!(own.password(), None, "it is that of another place");
        assert_eq!(address("postgresql:///d?service=shop&hostaddr=6.6.6.6").password(), None);
        assert!(expand_service("postgresql://?service=shops", &files).unwrap_err().contains("'shops'"));
        for none in ["postgresql://h/d", "sqlite:/service=x", "mysql://h/d?service=shop", "not an address"] {
            assert_eq!(expand_service(none, &files), Ok(None), "{none}");
        }
    }
}
