//! A connection that leaves nothing beside its file and changes nothing of it. SQLite by itself makes files beside a database
//! in write-ahead mode, and cannot read what waits in a log where it may make none.

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

/// Bytes of a database and its log that are copied at most.
const LARGEST_COPY: u64 = 4 << 30;
/// What a file of SQLite begins with; the byte for readers stands behind, 2 in write-ahead mode.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const READ_VERSION: usize = 19;

/// A connection, and how it sees the file.
pub(super) struct Reader {
    connection: Connection,
    view: View,
}

/// How a connection sees the file.
enum View {
    /// With SQLite's own locks, as it is at each query.
    Locked,
    /// With the index that the writers of a log keep, which is read and not written.
    Shared,
    /// The file as it was then, without locks: nothing waited in a log.
    Whole { path: PathBuf, then: String },
    /// A copy of the file as it was then, with what waited in its log.
    Copy(Arc<Copied>),
}

/// A database with its log taken in. It goes with the last connection.
pub(super) struct Copied {
    path: PathBuf,
    /// What it was made of.
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
    /// Whether it can wait for the next query. One that shares a log would keep that log's files there after its writers went.
    pub(super) fn can_wait(&self) -> bool {
        !matches!(self.view, View::Shared)
    }

    /// Whether a new connection would see the same.
    pub(super) fn is_current(&self) -> bool {
        match &self.view {
            View::Locked | View::Shared => true,
            View::Whole { path, then } => file_state(path) == *then,
            View::Copy(copied) => file_state(&copied.source) == copied.then,
        }
    }

    /// Whether a copy is read, because changes wait beside the file.
    pub(super) fn is_copy(&self) -> bool {
        matches!(self.view, View::Copy(_))
    }

    /// The result of a query, unless the file was changed under a connection without locks.
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

/// Where connections to one file come from.
pub(super) struct Source {
    path: PathBuf,
    /// Where a copy may be made; the system's folder for such files where none is named.
    scratch: Option<PathBuf>,
    /// Whether it is in write-ahead mode. Found out before there is a connection: closing the file again drops the locks that
    /// this process holds on it.
    is_ahead: OnceLock<bool>,
    copied: Mutex<Weak<Copied>>,
}

impl Source {
    pub(super) fn new(path: &Path, scratch: Option<PathBuf>) -> Self {
        Self { path: path.to_path_buf(), scratch, is_ahead: OnceLock::new(), copied: Mutex::default() }
    }

    /// Another connection.
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
        // Its log lies beside the file that a link stands for.
        let real = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let at_open = |error: rusqlite::Error| errors::at_open(&self.path, &error);
        let is_ahead = *self.is_ahead.get_or_init(|| is_ahead(&real));
        let first = match is_ahead {
            true if !has_pending_log(&real, "-wal") => return open_immutable(&real).map_err(at_open),
            // Where its writers are gone the index alone may not do.
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

    /// A connection to a copy, the one that there is or a new one.
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
    /// Copies a database with what lies beside it, and has SQLite take that in.
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

/// The file alone, which is the whole database.
fn open_immutable(real: &Path) -> rusqlite::Result<Reader> {
    let then = file_state(real);
    let connection = open::try_open(real, "immutable=1")?;
    Ok(Reader { connection, view: View::Whole { path: real.to_path_buf(), then } })
}

/// Takes a log into a copy: SQLite rolls a journal back, or forward what was committed to a log ahead.
fn take_in(copy: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)).map(drop)
}

/// The owner may write the copy, whatever the rights of what was copied.
fn make_writable(path: &Path) -> std::io::Result<()> {
    let mut rights = path.metadata()?.permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o600);
    #[cfg(not(unix))]
    rights.set_readonly(false);
    std::fs::set_permissions(path, rights)
}

/// The state of a file and of what lies beside it; the file's own stands first.
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
#[path = "../tests/sqlite_reader.rs"]
mod tests;
