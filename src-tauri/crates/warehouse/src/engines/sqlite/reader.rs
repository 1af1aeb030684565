//! A connection that neither creates files beside the database nor changes it. By default, SQLite creates files beside
//! a database in write-ahead mode, and cannot read a pending log without creating them.

use super::{errors, open};
use crate::WarehouseError;
use crate::fingerprint::data_version;
use crate::regular::other_kind;
use crate::scratch::Scratch;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use vitrine_words::tr;

/// Maximum size of a copied database with its log in bytes.
const LARGEST_COPY: u64 = 4 << 30;
/// The first bytes of an SQLite file. The read version is in the header at [`READ_VERSION`]; 2 means write-ahead mode.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const READ_VERSION: usize = 19;

/// A connection with its view of the file.
pub(super) struct Reader {
    connection: Connection,
    view: View,
}

/// The state of the file that a connection reads.
enum View {
    /// The current state at each query, with SQLite's own locks.
    Locked,
    /// The current state, with the log index of the writers, which is only read.
    Shared,
    /// The state at opening, without locks, because no log was pending.
    Whole { path: PathBuf, then: String },
    /// A copy of the state at opening, including the pending log.
    Copy(Arc<Copied>),
}

/// A copied database with its log applied. It is removed with the last connection.
pub(super) struct Copied {
    path: PathBuf,
    /// The path of the original.
    source: PathBuf,
    then: String,
    _folder: Scratch,
}

impl Deref for Reader {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl Reader {
    /// Returns true if the connection can be pooled. One that shares a log index would keep the log's files after its
    /// writers have ended.
    pub(super) fn can_wait(&self) -> bool {
        !matches!(self.view, View::Shared)
    }

    /// Returns true if a new connection would see the same state.
    pub(super) fn is_current(&self) -> bool {
        match &self.view {
            View::Locked | View::Shared => true,
            View::Whole { path, then } => file_state(path) == *then,
            View::Copy(copied) => file_state(&copied.source) == copied.then,
        }
    }

    /// Returns true if the connection reads a copy, because changes are pending in a log.
    pub(super) fn is_copy(&self) -> bool {
        matches!(self.view, View::Copy(_))
    }

    /// Returns the result of a query, or an error if the file was changed below a connection without locks.
    pub(super) fn check_unchanged(&self, result: Result<(), WarehouseError>) -> Result<(), WarehouseError> {
        match (&self.view, &result) {
            (View::Whole { path, then }, Ok(()) | Err(WarehouseError::Corrupt { .. }))
                if !then.starts_with(&data_version(&[path])) =>
            {
                let detail = tr!("it was changed while it was read: ask again");
                Err(WarehouseError::Locked { path: path.clone(), detail })
            }
            _ => result,
        }
    }
}

/// Creates the connections to one file.
pub(super) struct Source {
    path: PathBuf,
    /// The folder for copies; the system's temporary folder if `None`.
    scratch: Option<PathBuf>,
    /// True if the file is in write-ahead mode. Determined before the first connection, because closing the file
    /// releases the locks that this process holds on it.
    is_ahead: OnceLock<bool>,
    copied: Mutex<Weak<Copied>>,
}

impl Source {
    pub(super) fn new(path: &Path, scratch: Option<PathBuf>) -> Self {
        Self { path: path.to_path_buf(), scratch, is_ahead: OnceLock::new(), copied: Mutex::default() }
    }

    /// Opens another connection to the file.
    pub(super) fn connect(&self) -> Result<Reader, WarehouseError> {
        let metadata = std::fs::metadata(&self.path)
            .map_err(|error| WarehouseError::from_io_error("opening", &self.path, &error))?;
        if metadata.is_dir() {
            return Err(WarehouseError::IsFolder { path: self.path.clone(), wanted: tr!("an SQLite database file") });
        }
        if let Some(detail) = other_kind(&metadata) {
            let wanted = tr!("an SQLite database file");
            return Err(WarehouseError::NotADatabase { path: self.path.clone(), wanted, detail });
        }
        // The log lies beside the target of a symbolic link.
        let real = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let at_open = |error: rusqlite::Error| errors::at_open(&self.path, &error);
        let is_ahead = *self.is_ahead.get_or_init(|| is_ahead(&real));
        let first = match is_ahead {
            true if !has_pending_log(&real, "-wal") => return open_immutable(&real).map_err(at_open),
            // Without active writers, the shared index may be insufficient.
            true if sibling_path(&real, "-shm").exists() => {
                open::try_open(&real, "readonly_shm=1").map(|c| (c, View::Shared))
            }
            true => return self.connect_copy(&real),
            false => open::try_open(&real, "").map(|connection| (connection, View::Locked)),
        };
        match first {
            Ok((connection, view)) => Ok(Reader { connection, view }),
            Err(error) if errors::cannot_open(&error) => {
                match ["-wal", "-journal"].iter().any(|log| has_pending_log(&real, log)) {
                    true => self.connect_copy(&real),
                    false => open_immutable(&real).map_err(at_open),
                }
            }
            Err(error) => Err(at_open(error)),
        }
    }

    /// Returns a connection to the existing copy, or to a new one.
    fn connect_copy(&self, real: &Path) -> Result<Reader, WarehouseError> {
        let mut kept = self.copied.lock().unwrap_or_else(PoisonError::into_inner);
        let copied = match kept.upgrade().filter(|copied| copied.then == file_state(real)) {
            Some(copied) => copied,
            None => {
                let copied = Arc::new(Copied::new(real, self.scratch.as_deref(), LARGEST_COPY)?);
                *kept = Arc::downgrade(&copied);
                copied
            }
        };
        let connection =
            open::try_open(&copied.path, "immutable=1").map_err(|error| errors::at_open(&self.path, &error))?;
        Ok(Reader { connection, view: View::Copy(copied) })
    }
}

impl Copied {
    /// Copies a database with its log files and applies them.
    pub(super) fn new(source: &Path, scratch: Option<&Path>, largest: u64) -> Result<Self, WarehouseError> {
        let then = file_state(source);
        let logs = ["-wal", "-journal"].into_iter().filter(|log| has_pending_log(source, log));
        let parts: Vec<(&str, PathBuf)> = std::iter::once(("", source.to_path_buf()))
            .chain(logs.map(|log| (log, sibling_path(source, log))))
            .collect();
        let size: u64 = parts.iter().map(|(_, part)| part.metadata().map_or(0, |about| about.len())).sum();
        if size > largest {
            return Err(WarehouseError::Unreadable {
                path: source.to_path_buf(),
                format: tr!("an SQLite database"),
                detail: format!(
                    "Changes wait in a log beside it. They are read from a copy, and the {} MB of both are more than the {} MB that are copied. Open it once with the program that wrote it: then the log is taken in.",
                    size >> 20,
                    largest >> 20
                ),
            });
        }
        let failed = |error: std::io::Error| WarehouseError::from_io_error("copying", source, &error);
        let folder = match scratch {
            Some(scratch) => Scratch::create_in(scratch, "sqlite"),
            None => Scratch::new("sqlite"),
        };
        let folder = folder.map_err(failed)?;
        let path = folder.path().join("copy.db");
        for (log, part) in &parts {
            let to = sibling_path(&path, log);
            std::fs::copy(part, &to).map_err(failed)?;
            make_writable(&to).map_err(failed)?;
        }
        if file_state(source) != then {
            let detail = tr!("it was changed while it was copied");
            return Err(WarehouseError::Locked { path: source.to_path_buf(), detail });
        }
        take_in(&path).map_err(|error| errors::at_open(source, &error))?;
        tracing::info!(bytes = size, "changes wait beside an SQLite database: a copy is read");
        Ok(Self { path, source: source.to_path_buf(), then, _folder: folder })
    }
}

/// Opens the file alone, which is the complete database.
fn open_immutable(real: &Path) -> rusqlite::Result<Reader> {
    let then = file_state(real);
    let connection = open::try_open(real, "immutable=1")?;
    Ok(Reader { connection, view: View::Whole { path: real.to_path_buf(), then } })
}

/// Applies the log of a copy: SQLite rolls back a journal, or applies the commits of a write-ahead log.
fn take_in(copy: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)).map(drop)
}

/// Makes the copy writable for its owner, independent of the original's permissions.
fn make_writable(path: &Path) -> std::io::Result<()> {
    let mut rights = path.metadata()?.permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o600);
    #[cfg(not(unix))]
    rights.set_readonly(false);
    std::fs::set_permissions(path, rights)
}

/// Returns the state of a file and its log files; starts with the state of the file itself.
fn file_state(real: &Path) -> String {
    data_version(&[real.to_path_buf(), sibling_path(real, "-wal"), sibling_path(real, "-journal")])
}

fn sibling_path(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn has_pending_log(path: &Path, log: &str) -> bool {
    std::fs::metadata(sibling_path(path, log)).is_ok_and(|about| about.len() > 0)
}

fn is_ahead(path: &Path) -> bool {
    let mut head = [0; READ_VERSION + 1];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head.starts_with(MAGIC) && head[READ_VERSION] == 2
}

#[cfg(test)]
mod tests;
