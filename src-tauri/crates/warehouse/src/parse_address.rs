//! Parsing of addresses: finds the engine by the scheme of an address, or by the content and name of a file.

use crate::content::{DetectedFile, Recognition, first_bytes};
use crate::engines::{EngineInfo, LocationKind, engines};
use crate::regular::other_kind;
use crate::{ServerAddress, WarehouseError, WarehouseKind, WarehouseUri};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use vitrine_words::tr;

/// Returns the engine that a text names by its scheme, with the address in this engine's form.
fn find_engine(text: &str) -> Option<(&'static EngineInfo, Cow<'_, str>)> {
    let adopted = engines().find_map(|engine| Some((engine, Cow::Owned((engine.adopt?)(text)?))));
    let (scheme, _) = text.split_once(':')?;
    adopted.or_else(|| engines().find(|engine| engine.has_scheme(scheme)).map(|engine| (engine, Cow::Borrowed(text))))
}

impl ServerAddress {
    /// Parses `postgresql://user:password@host:port/database?options`, or the same with another server's scheme.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let known = find_engine(text).filter(|(engine, _)| engine.location == LocationKind::Server);
        let server = match &known {
            Some((engine, address)) => (engine.parse)(address)?.server_address().cloned(),
            None => None,
        };
        server.ok_or_else(|| {
            tr!("`{scheme}` names no kind of server", scheme = text.split_once(':').unwrap_or_default().0)
        })
    }
}

impl WarehouseUri {
    /// Returns the engine that a text names by its scheme. Reads no files.
    pub(crate) fn find_engine(text: &str) -> Option<&'static EngineInfo> {
        find_engine(text.trim()).map(|(engine, _)| engine)
    }

    /// Parses an address. The kind of a bare path is detected from the file's first bytes, then from its extension.
    pub fn parse(text: &str) -> Result<Self, WarehouseError> {
        let text = text.trim();
        let wrong = |reason: &str| WarehouseError::Address { text: without_login(text), reason: reason.to_owned() };
        if text.is_empty() {
            return Err(wrong(&tr!("it is empty")));
        }
        if let Some((engine, address)) = find_engine(text) {
            return (engine.parse)(&address).map_err(|reason| wrong(&reason));
        }
        if let Some((scheme, _)) = text.split_once(':')
            // A single letter is a Windows drive, and file names may contain a colon.
            && scheme.len() > 1
            && scheme.chars().all(|c| c.is_ascii_alphanumeric())
            && !Path::new(text).exists()
        {
            return Err(wrong(&match may_hold_login(text) && !text.contains("://") {
                true => tr!("databases of this kind are not supported"),
                false => tr!("databases of kind `{scheme}` are not supported", scheme),
            }));
        }
        let path = PathBuf::from(text);
        if may_hold_login(text) && !path.exists() {
            return Err(wrong(&tr!("it is neither a file nor an address of a known kind")));
        }
        Ok(Self::new(detect_kind(&path)?, path))
    }

    /// Returns the displayable and storable form of a text that may be an address. For a URL that cannot be parsed,
    /// this is only the scheme. Reads no files.
    pub fn redact_address(text: &str) -> String {
        let place = find_engine(text.trim()).map(|(engine, _)| engine.location);
        // A path may contain any characters and has no login.
        if place == Some(LocationKind::Path) {
            return text.to_owned();
        }
        match (Self::parse_remote(text), place) {
            (Some(uri), _) => uri.to_string(),
            (None, Some(LocationKind::Driver)) => {
                let scheme = text.trim().split_once(':').unwrap_or_default().0;
                format!("{}:...", scheme.to_ascii_lowercase())
            }
            (None, _) => without_login(text),
        }
    }

    /// Parses the address of a server, a project or a driver; returns `None` for a path. Unlike [`Self::parse`], it
    /// reads no files.
    pub fn parse_remote(text: &str) -> Option<Self> {
        let (engine, address) = find_engine(text.trim())?;
        (engine.location != LocationKind::Path).then(|| (engine.parse)(&address).ok()).flatten()
    }
}

/// Redacts a text that cannot be parsed as an address, because it may contain a password: a URL is reduced to its
/// scheme, and a text that may be an address in another form is omitted.
fn without_login(text: &str) -> String {
    match text.split_once("://") {
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => format!("{scheme}://..."),
        None if !may_hold_login(text) => text.to_owned(),
        _ => "...".to_owned(),
    }
}

/// Returns true for texts like `ann:hidden@host/shop` and `host=db password=hidden`.
fn may_hold_login(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.contains('@') && text.contains(':') || lower.contains("password") || lower.contains("pwd=")
}

/// Returns the kind of the engine that recognizes a path best.
fn detect_kind(path: &Path) -> Result<WarehouseKind, WarehouseError> {
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return Err(WarehouseError::from_io_error("reading", path, &error)),
    };
    let not_known = |detail: String| {
        let wanted = tr!("a database or a data file that Vitrine knows");
        WarehouseError::NotADatabase { path: path.to_path_buf(), wanted, detail }
    };
    let is_folder = metadata.is_dir();
    if let Some(detail) = other_kind(&metadata) {
        return Err(not_known(detail));
    }
    let head = if is_folder { Vec::new() } else { first_bytes(path)? };
    let file = DetectedFile { path, head: &head, is_folder };
    let recognized = engines().filter_map(|engine| Some(((engine.recognize?)(&file)?, engine.kind)));
    // Of several that recognize it equally, the first one.
    let best = recognized.reduce(|best, next: (Recognition, WarehouseKind)| if next.0 > best.0 { next } else { best });
    best.map(|(_, kind)| kind).ok_or_else(|| not_known(tr!("neither its content nor its name shows its kind")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_as_they_are_read() {
        for text in ["sqlite:shop.db", "duckdb:/data/a b.duckdb", "file:../data", "ddl:schema.sql"] {
            assert_eq!(WarehouseUri::parse(text).unwrap().to_string(), text);
        }
        let server = WarehouseUri::parse("postgres://ann:hidden@host/shop").unwrap();
        assert_eq!((server.to_string().as_str(), server.path()), ("postgresql://ann@host/shop", None));
        assert!(!format!("{server:?}").contains("hidden"));
        let error = WarehouseUri::parse("postgresql://ann:hidden@host:door/shop").unwrap_err();
        assert!(!format!("{error:?} {error} {:?}", error.hint()).contains("hidden"));
        assert_eq!(WarehouseUri::parse("SQLite:///tmp/a.db").unwrap().to_string(), "sqlite:/tmp/a.db");
    }

    #[test]
    fn unsupported_databases_are_named_and_the_supported_ones_listed() {
        let error = WarehouseUri::parse("oracle://ann:hidden@host/db").unwrap_err();
        assert!(error.to_string().contains("`oracle`") && !error.to_string().contains("hidden"), "{error}");
        assert!(error.hint().unwrap().contains("sqlite:PATH"));
        for pasted in [
            "ann:hidden@host/db",
            "ann:hi/hidden@host:5432/db",
            "host=db password=hidden user=ann",
            "x y://a:hidden@h",
            "\"postgresql://a:hidden@h/d\"",
        ] {
            let error = WarehouseUri::parse(pasted).unwrap_err();
            assert!(!format!("{error:?} {error}").contains("hidden"), "{error}");
        }
        assert!(WarehouseUri::parse("sqlite:").is_err());
        assert!(WarehouseUri::parse("  ").is_err());
    }

    #[test]
    fn an_address_that_cannot_be_read_is_never_repeated() {
        for text in [
            "postgresql://ann:hidden@host:door/shop",
            "postgresql:/ann:hidden@host/shop",
            "postgresql:ann:hidden@host/shop",
            "postgres://ann:hid#den@host/shop",
            "oracle://ann:hidden@host/shop",
            "oracle:thin:ann/hidden@host:1521",
            "hidden:ann@host/shop",
            "ann:hidden@host/shop",
            "ann.b:hidden@host:5432/shop",
            "host=db user=ann password=hidden dbname=shop",
            "Server=db;Uid=ann;Pwd=hidden;",
        ] {
            let error = WarehouseUri::parse(text).unwrap_err();
            let told =
                format!("{error:?} {error} {:?} {:?}", error.hint(), vitrine_domain::AppError::from(error.clone()));
            assert!(!told.contains("hidden") && !told.contains("hid#den"), "{told}");
        }
        // File names may contain these characters.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a@b:c.csv");
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        assert!(WarehouseUri::parse(path.to_str().unwrap()).is_ok());
    }

    #[test]
    fn a_bare_path_is_recognised_by_content_before_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            WarehouseUri::parse(path.to_str().unwrap()).map(|uri| uri.kind())
        };
        assert_eq!(at("misnamed.csv", b"SQLite format 3\0rest").unwrap(), WarehouseKind::Sqlite);
        assert_eq!(at("misnamed.db", b"12345678DUCKrest").unwrap(), WarehouseKind::Duckdb);
        assert_eq!(at("a.CSV", b"a,b\n1,2\n").unwrap(), WarehouseKind::File);
        assert_eq!(at("empty.db", b"").unwrap(), WarehouseKind::Sqlite);
        assert_eq!(at("schema.sql", b"CREATE TABLE t(a int);").unwrap(), WarehouseKind::Ddl);
        assert_eq!(at("DDL.csv", b"table_name,DDL\nt,\"CREATE TABLE t(a int)\"\n").unwrap(), WarehouseKind::Ddl);
        assert!(matches!(at("notes.bin", b"\x01\x02"), Err(WarehouseError::NotADatabase { .. })));
        assert!(matches!(WarehouseUri::parse("/no/such/file.db"), Err(WarehouseError::NotFound { .. })));
        // A folder with definitions is a schema; any other folder is treated as data files.
        assert_eq!(WarehouseUri::parse(folder.path().to_str().unwrap()).unwrap().kind(), WarehouseKind::Ddl);
        let other = tempfile::tempdir().unwrap();
        assert_eq!(WarehouseUri::parse(other.path().to_str().unwrap()).unwrap().kind(), WarehouseKind::File);
    }
}
