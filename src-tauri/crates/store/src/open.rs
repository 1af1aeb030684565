//! Opening of the workspace file: validation, migration and clean-up of interrupted runs.

use crate::StoreError;
use crate::presence::{Presence, lock_workspace};
use crate::run_words::keep_words;
use parking_lot::{Mutex, MutexGuard};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use rusqlite_migration::{M, Migrations, SchemaVersion};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use vitrine_words::tr;

/// Application id of a workspace file: "VITR".
const APPLICATION_ID: i32 = 0x5649_5452;
/// Time to wait for another program's lock, such as while it writes an event.
const BUSY: Duration = Duration::from_secs(5);

/// The workspace: runs, saved questions, settings, recent warehouses, remote models.
///
/// Uses one connection to write and another to read, so that the export of a long run does not delay the events of
/// another run.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    pub(crate) presence: Presence,
    /// A panic leaves no partial transaction, because dropping a transaction rolls it back.
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
}

impl Store {
    /// Opens the workspace, creating it if needed, and ends the runs that an earlier program left unfinished.
    ///
    /// A file that is not a workspace, is damaged, or comes from a newer version is left unchanged. An older workspace
    /// is copied to `FILE.before-N` before it is migrated to format N.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let steps = migration_steps();
        let newest = steps.len() as u32;
        Self::open_with(path, &Migrations::new(steps), newest)
    }

    fn open_with(path: &Path, migrations: &Migrations<'_>, known: u32) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::from_io(folder, &error))?;
        }
        create_file(path).map_err(|error| StoreError::from_io(path, &error))?;
        let _door = lock_workspace(path)?;
        let presence = Presence::reserve_number(path)?;
        let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
        let mut writer = open_connection(path).map_err(failed)?;
        bring_up_to_date(&mut writer, path, &presence, migrations, known)?;
        // Permissions are changed only now that the file is known to be a workspace.
        restrict_permissions(path);
        let reader = open_connection(path).map_err(failed)?;
        reader.pragma_update(None, "query_only", true).map_err(failed)?;
        let store = Self { path: path.to_owned(), presence, writer: Mutex::new(writer), reader: Mutex::new(reader) };
        // Runs with this number belong to its previous holder.
        store.end_runs_of(store.presence.number())?;
        store.mark_interrupted()?;
        Ok(store)
    }

    /// Returns the path of the workspace file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a read with the reading connection.
    pub(crate) fn with_reader<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.reader.lock()).map_err(|error| self.sqlite_error(&error))
    }

    /// Runs changes in one transaction, which is rolled back if `work` fails.
    pub(crate) fn with_transaction<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Problem>,
    ) -> Result<T, StoreError> {
        let mut writer = self.writer.lock();
        let done: Result<T, Problem> = (|| {
            // Immediate, because the file could change between the first read and the first write of a deferred
            // transaction.
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })();
        done.map_err(|problem| problem.into_store_error(&self.path))
    }

    /// Returns the writing connection, for a transaction that the caller creates.
    pub(crate) fn writer(&self) -> MutexGuard<'_, Connection> {
        self.writer.lock()
    }

    /// Opens another read-only connection, for operations that would block other readers too long.
    pub(crate) fn further_reader(&self) -> Result<Connection, StoreError> {
        let connection = open_connection(&self.path).map_err(|error| self.sqlite_error(&error))?;
        connection.pragma_update(None, "query_only", true).map_err(|error| self.sqlite_error(&error))?;
        Ok(connection)
    }

    pub(crate) fn sqlite_error(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(error, &self.path)
    }
}

/// Creates the file, if missing, with permissions for the current user only. SQLite gives its auxiliary files the same
/// permissions.
fn create_file(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Restricts the permissions of an existing workspace and SQLite's auxiliary files to the current user.
#[cfg(unix)]
fn restrict_permissions(path: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let closed = std::fs::set_permissions(&name, std::os::unix::fs::PermissionsExt::from_mode(0o600));
        if let Err(error) = closed.or_else(|error| if ending.is_empty() { Err(error) } else { Ok(()) }) {
            tracing::warn!(%error, "other users of this computer may be able to read the workspace");
        }
    }
}

#[cfg(not(unix))]
fn restrict_permissions(_: &Path) {}

/// Returns the migrations from an empty file to the newest format, one per format version.
fn migration_steps() -> Vec<M<'static>> {
    vec![
        M::up(include_str!("schema.sql")),
        // Answers of code: the code, and its views as JSON.
        M::up("ALTER TABLE saved_questions ADD COLUMN code TEXT; ALTER TABLE saved_questions ADD COLUMN views TEXT;"),
        // Model properties that probes found and that the user set, as JSON.
        M::up(
            "CREATE TABLE model_profiles (
                 id        TEXT PRIMARY KEY,
                 probed    TEXT NOT NULL,
                 probed_on TEXT,
                 said      TEXT NOT NULL
             ) STRICT;",
        ),
        // Cost of models by month (UTC), model and agent. Money is in millionths of a US dollar.
        M::up(
            "CREATE TABLE spending (
                 month                TEXT NOT NULL,
                 model                TEXT NOT NULL,
                 agent                TEXT NOT NULL,
                 remote               INTEGER NOT NULL,
                 calls                INTEGER NOT NULL,
                 prompt_tokens        INTEGER NOT NULL,
                 cached_prompt_tokens INTEGER NOT NULL,
                 completion_tokens    INTEGER NOT NULL,
                 wall_ms              INTEGER NOT NULL,
                 micro_usd            INTEGER NOT NULL,
                 priced_calls         INTEGER NOT NULL,
                 PRIMARY KEY (month, model, agent, remote)
             ) STRICT;",
        ),
        // Certainty of answers, for the list of runs.
        M::up("ALTER TABLE runs ADD COLUMN certainty TEXT;"),
        // Named connections, and definitions by address. Neither contains passwords.
        M::up(
            "CREATE TABLE connections (
                 id          TEXT PRIMARY KEY,
                 name        TEXT NOT NULL UNIQUE COLLATE NOCASE,
                 address     TEXT NOT NULL UNIQUE,
                 environment TEXT,            -- JSON
                 schemas     TEXT NOT NULL,   -- JSON
                 settings    TEXT NOT NULL,   -- JSON
                 created_at  TEXT NOT NULL,
                 used_at     TEXT
             ) STRICT;
             CREATE TABLE definitions (
                 address TEXT PRIMARY KEY,
                 body    TEXT NOT NULL        -- JSON
             ) STRICT;",
        ),
        // Queries that ran for a user or were refused. Append-only; each row contains the hash of the previous row.
        M::up(
            "CREATE TABLE audit (
                 number     INTEGER PRIMARY KEY,
                 at         TEXT NOT NULL,
                 warehouse  TEXT NOT NULL,
                 question   TEXT,
                 sql        TEXT NOT NULL,
                 sql_sha256 TEXT NOT NULL,
                 verdict    TEXT NOT NULL,
                 reason     TEXT,
                 row_count  INTEGER,
                 bytes      INTEGER,
                 model      TEXT,
                 tokens     INTEGER,
                 run_id     TEXT,
                 hash       TEXT NOT NULL
             ) STRICT;
             CREATE TRIGGER audit_stays BEFORE DELETE ON audit
                 BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
             CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
                 BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
             CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
                 WHEN EXISTS (SELECT 1 FROM audit WHERE number = NEW.number)
                 BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;",
        ),
        // Billed bytes of queries by month (UTC) and address. Money is in millionths of a US dollar.
        M::up(
            "CREATE TABLE scans (
                 month     TEXT NOT NULL,
                 warehouse TEXT NOT NULL,
                 queries   INTEGER NOT NULL,
                 bytes     INTEGER NOT NULL,
                 micro_usd INTEGER NOT NULL,
                 PRIMARY KEY (month, warehouse)
             ) STRICT;",
        ),
        // Approvals are rows of the audit log with the user who gave them.
        M::up(
            "ALTER TABLE audit ADD COLUMN decided_by TEXT;
             CREATE INDEX audit_decisions ON audit (warehouse, sql_sha256, number) WHERE decided_by IS NOT NULL;",
        ),
        // External programs that requested queries or received their results.
        M::up("ALTER TABLE audit ADD COLUMN receiver TEXT;"),
        // Folder, tags and checks of saved questions, as JSON.
        M::up("ALTER TABLE saved_questions ADD COLUMN filing TEXT;"),
        // The run that a rerun is based on; it may have been deleted.
        M::up("ALTER TABLE runs ADD COLUMN steered_from TEXT;"),
        // Results of the last execution of saved questions, as JSON.
        M::up(
            "CREATE TABLE saved_results (
                 saved_id   TEXT PRIMARY KEY REFERENCES saved_questions (id) ON DELETE CASCADE,
                 sql_sha256 TEXT NOT NULL,
                 body       TEXT NOT NULL
             ) STRICT;",
        ),
        // A run's title, pinned state and final query, for the history search.
        M::up(
            "ALTER TABLE runs ADD COLUMN title TEXT;
             ALTER TABLE runs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
             ALTER TABLE runs ADD COLUMN answer TEXT;
             UPDATE runs SET answer = (
                 SELECT body ->> '$.sql' FROM run_events e
                 WHERE e.run_id = runs.run_id AND body LIKE '{\"type\":\"resultReady\"%' AND json_valid(body)
                 ORDER BY seq DESC LIMIT 1
             );",
        ),
        // Interpretations that the user chose, by address and question. The last forgotten one is kept for undo.
        M::up(
            "CREATE TABLE readings (
                 id           TEXT PRIMARY KEY,
                 address      TEXT NOT NULL,
                 question_key TEXT NOT NULL,
                 knowledge    TEXT NOT NULL,
                 question     TEXT NOT NULL,
                 meaning      TEXT NOT NULL,
                 sql          TEXT NOT NULL,
                 run_id       TEXT NOT NULL,
                 candidate    INTEGER NOT NULL,
                 chosen_at    TEXT NOT NULL,
                 forgotten    INTEGER NOT NULL DEFAULT 0,
                 UNIQUE (address, question_key, knowledge)
             ) STRICT;",
        ),
        // The run whose question a run follows up on; it may have been deleted.
        M::up(
            "ALTER TABLE runs ADD COLUMN follows TEXT;
             UPDATE runs SET follows = (
                 SELECT body ->> '$.follows.runId' FROM run_events e
                 WHERE e.run_id = runs.run_id AND seq = 1 AND json_valid(body)
             );",
        ),
        // A run's interpreted question and its answer in words, for the history search.
        M::up_with_hook(
            "ALTER TABLE runs ADD COLUMN understood TEXT; ALTER TABLE runs ADD COLUMN told TEXT;",
            |transaction: &Transaction<'_>| {
                let mut events = transaction.prepare(
                    "SELECT run_id, body FROM run_events
                     WHERE body LIKE '{\"type\":\"resultReady\"%' OR body LIKE '{\"type\":\"rewritten\"%' ORDER BY run_id, seq",
                )?;
                let mut rows = events.query([])?;
                while let Some(row) = rows.next()? {
                    // Unreadable events are kept but cannot be found by the search.
                    if let Ok(body) = serde_json::from_str(&row.get::<_, String>(1)?) {
                        keep_words(transaction, &row.get::<_, String>(0)?, &body)?;
                    }
                }
                Ok(())
            },
        ),
        // Query limits applied only to BigQuery, but every connection stored their defaults, which would now apply to
        // others.
        M::up(
            "UPDATE connections SET settings = json_remove(settings, '$.scans')
             WHERE address NOT LIKE 'bigquery:%' AND json_valid(settings);",
        ),
        // Who wrote each query of the audit, and the queries that runs wrote.
        M::up(
            "ALTER TABLE audit ADD COLUMN author TEXT;
             CREATE TABLE written_queries (
                 warehouse  TEXT NOT NULL,
                 sql_sha256 TEXT NOT NULL,
                 author     TEXT NOT NULL,
                 question   TEXT NOT NULL,
                 run_id     TEXT NOT NULL,
                 PRIMARY KEY (warehouse, sql_sha256)
             ) STRICT, WITHOUT ROWID;",
        ),
        // Saved questions that run by a schedule, and the history of their runs, as JSON.
        M::up(
            "CREATE TABLE watches (
                 saved_id   TEXT PRIMARY KEY REFERENCES saved_questions (id) ON DELETE CASCADE,
                 plan       TEXT NOT NULL,
                 created_at TEXT NOT NULL,
                 since      TEXT NOT NULL,
                 state      TEXT NOT NULL
             ) STRICT;
             CREATE TABLE watch_runs (
                 number   INTEGER PRIMARY KEY AUTOINCREMENT,
                 saved_id TEXT NOT NULL REFERENCES saved_questions (id) ON DELETE CASCADE,
                 body     TEXT NOT NULL
             ) STRICT;
             CREATE INDEX watch_runs_by_question ON watch_runs (saved_id, number);",
        ),
    ]
}

/// An error within a transaction.
pub(crate) enum Problem {
    Sqlite(rusqlite::Error),
    Store(StoreError),
}

impl Problem {
    /// Converts it to an error of the workspace at this path.
    pub(crate) fn into_store_error(self, path: &Path) -> StoreError {
        match self {
            Problem::Sqlite(error) => StoreError::from_sqlite(&error, path),
            Problem::Store(error) => error,
        }
    }
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Problem::Sqlite(error)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Problem::Store(error)
    }
}

fn open_connection(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    let plain = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("holds", 2, plain, |call| {
        Ok(contains_all_words(
            call.get_raw(0).as_str().unwrap_or_default(),
            call.get_raw(1).as_str().unwrap_or_default(),
        ))
    })?;
    Ok(connection)
}

/// Checks that a text contains every word of a search, ignoring case in any alphabet. Unlike in LIKE, `%` and `_` are
/// plain characters. A grouped number also matches its ungrouped digits: `18,462` matches `18462`.
fn contains_all_words(text: &str, search: &str) -> bool {
    let text = text.to_lowercase();
    let search = search.to_lowercase();
    let mut words = search.split_whitespace();
    words.all(|word| text.contains(word) || ungroup_digits(word).is_some_and(|number| text.contains(&number)))
}

/// Returns the digits of a whole number with any thousands separator; `None` for other words.
fn ungroup_digits(word: &str) -> Option<String> {
    let is_separator = |letter: char| matches!(letter, ',' | '.' | '\'' | '’');
    let mut groups = word.split(is_separator);
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().filter(|group| (1..=3).contains(&group.len()) && digits(group))?;
    let rest: Vec<&str> = groups.collect();
    let grouped = !rest.is_empty() && rest.iter().all(|group| group.len() == 3 && digits(group));
    grouped.then(|| format!("{first}{}", rest.concat()))
}

fn bring_up_to_date(
    connection: &mut Connection,
    path: &Path,
    presence: &Presence,
    migrations: &Migrations<'_>,
    known: u32,
) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(failed)?;
    let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(failed)?;
    let objects: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(failed)?;
    if id != APPLICATION_ID && (objects > 0 || version > 0 || id != 0) {
        return Err(StoreError::NotAWorkspace { path: path.to_owned() });
    }
    if version > known {
        return Err(StoreError::Newer { path: path.to_owned(), found: version, known });
    }
    if version > 0 && version < known {
        // An older version would continue to write its data into a format that it does not support.
        if presence.has_company(path)? {
            return Err(StoreError::InUse { path: path.to_owned() });
        }
        back_up(connection, path, version, known)?;
    }
    // The file is changed only now that it is known to be a workspace. Events must survive a crash of this program once
    // `append` returns, which WAL with NORMAL ensures; FULL would also survive a power cut, but flushes the disk for
    // every event.
    if id == 0 {
        connection.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    }
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).map_err(failed)?;
    connection.pragma_update(None, "synchronous", "normal").map_err(failed)?;
    migrations.to_latest(connection).map_err(|error| match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => failed(err),
        other => StoreError::Failed { path: path.to_owned(), message: other.to_string() },
    })?;
    debug_assert_eq!(
        migrations.current_version(connection).ok(),
        NonZeroUsize::new(known as usize).map(SchemaVersion::Inside)
    );
    Ok(())
}

fn back_up(connection: &Connection, path: &Path, version: u32, known: u32) -> Result<(), StoreError> {
    let numbered = (0..).map(|again| match again {
        0 => format!(".before-{known}"),
        again => format!(".before-{known}-{again}"),
    });
    let beside = |ending: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let copy = numbered.map(beside).find(|copy| !copy.exists()).expect("numbers do not end");
    tracing::info!(from = version, to = known, copy = %copy.display(), "copying the workspace before it is brought up to date");
    let name =
        copy.to_str().ok_or_else(|| StoreError::File { path: copy.clone(), message: tr!("its name is not UTF-8") })?;
    // `VACUUM INTO` accepts an existing empty file and keeps its permissions.
    create_file(&copy).map_err(|error| StoreError::from_io(&copy, &error))?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(|error| StoreError::from_sqlite(&error, &copy))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newest_version() -> u32 {
        migration_steps().len() as u32
    }

    fn later_migrations() -> Migrations<'static> {
        let mut later = migration_steps();
        later.push(M::up("ALTER TABLE runs ADD COLUMN colour TEXT"));
        Migrations::new(later)
    }

    #[test]
    fn an_older_workspace_is_copied_before_it_is_changed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        let store = Store::open(&path).unwrap();
        store.set_setting("theme", &"dark").unwrap();
        drop(store);
        let newer = Store::open_with(&path, &later_migrations(), newest_version() + 1).unwrap();
        assert_eq!(newer.setting::<String>("theme").unwrap().as_deref(), Some("dark"));
        let copy = Store::open(&dir.path().join(format!("w.db.before-{}", newest_version() + 1))).unwrap();
        assert_eq!(copy.setting::<String>("theme").unwrap().as_deref(), Some("dark"));
    }

    #[test]
    fn questions_saved_before_there_was_code_stay() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        let first = Migrations::new(vec![M::up(include_str!("schema.sql"))]);
        let old = Store::open_with(&path, &first, 1).unwrap();
        old.writer
            .lock()
            .execute(
                "INSERT INTO saved_questions VALUES ('1', 't', 'q', 'SELECT 1', 'w', 'verified', NULL, '', 'a', 'b')",
                [],
            )
            .unwrap();
        drop(old);
        let saved = Store::open(&path).unwrap().saved_question("1").unwrap();
        assert_eq!((saved.sql.as_str(), saved.code, saved.filing), ("SELECT 1", None, crate::Filing::default()));
        assert!(dir.path().join(format!("w.db.before-{}", newest_version())).exists());
    }

    #[test]
    fn runs_of_an_earlier_version_are_found_by_what_is_shown_of_them() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        // The version before follow-ups had a column.
        let known: u32 = 15;
        let mut earlier = migration_steps();
        earlier.truncate(known as usize);
        let old = Store::open_with(&path, &Migrations::new(earlier), known).unwrap();
        let add = r#"
            INSERT INTO runs (run_id, question, strategy, warehouse, status, started_at, usage, last_seq)
            VALUES ('r1', 'How many?', 'auto', 'w', 'answered', '2026-01-01T00:00:00Z', 'USAGE', 4);
            INSERT INTO run_events VALUES
                ('r1', 1, 0, '{"type":"runStarted","follows":{"runId":"r0","question":"q","text":"t"}}'),
                ('r1', 2, 0, '{"type":"rewritten","node":"n","rewritten":{"task":"Count customers","outputs":[],"filters":[],"ordering":""}}'),
                ('r1', 3, 0, '{"type":"rewritten","of":"a version that is not known"}'),
                ('r1', 4, 0, '{"type":"resultReady","node":"n","sql":"SELECT 1","page":{"columns":[{"name":"n","type":"integer"}],
                    "rows":[["18462"]],"rowCount":1,"truncated":false},"headline":{"shape":"value","labels":[],"measure":0,"addsUp":true,
                    "highest":null,"lowest":null,"meanings":[null],"tables":["web_orders"],"conditions":[],"limited":false}}');"#;
        let usage = serde_json::to_string(&vitrine_domain::Usage::default()).unwrap();
        old.writer.lock().execute_batch(&add.replace("USAGE", &usage)).unwrap();
        drop(old);
        let store = Store::open(&path).unwrap();
        for search in ["customers", "18,462", "web orders", "many"] {
            assert_eq!(store.search_history(search, None, 9, 0).unwrap().len(), 1, "{search}");
        }
        assert_eq!(store.find_branches("r0", 9).unwrap()[0].run_id, "r1");
    }

    #[test]
    fn the_audit_of_an_earlier_version_stays_whole_and_grows_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        // The version before queries had an author. The hashes were computed outside of this program.
        let known: u32 = 18;
        let mut earlier = migration_steps();
        earlier.truncate(known as usize);
        let old = Store::open_with(&path, &Migrations::new(earlier), known).unwrap();
        let add = "INSERT INTO audit VALUES
            (1, '2026-01-01T00:00:00.000Z', 'duckdb:/shop', NULL, 'SELECT 1', 'e004ebd5b5532a4b85984a62f8ad48a81aa3460c1ca07701f386135d72cdecf5', 'ran', NULL, 1, NULL, NULL, NULL, NULL, '614ee4da60deca6682bcd88c2203fb990a138eae181658e295a5dd6f65b25c87', NULL, NULL),
            (2, '2026-01-01T00:00:00.000Z', 'duckdb:/shop', NULL, 'DROP TABLE orders', 'fd0ca7112b4eedf9a353f0e0baf22cbd21b2ef9db83999fcb79434ede828835a', 'refused', 'It is not a query', NULL, NULL, NULL, NULL, NULL, '820e8e97719aeef52fd6b4e36cf8abc6322aa74d42563d26423d3b60d275a8f4', NULL, 'mcp agent 1')";
        old.writer.lock().execute_batch(add).unwrap();
        drop(old);
        let store = Store::open(&path).unwrap();
        let check = store.check_audit().unwrap();
        assert_eq!((check.rows, check.broken_at), (2, None));
        let rows = store.find_audit_rows("", None, 9, 0).unwrap();
        assert!(rows.iter().all(|row| row.entry.author.is_none()), "nothing is made up of earlier rows");
        store
            .append_audit_entry(&crate::AuditEntry { author: Some(crate::QueryAuthor::User), ..rows[0].entry.clone() })
            .unwrap();
        let check = store.check_audit().unwrap();
        assert_eq!((check.rows, check.broken_at), (3, None));
    }

    #[test]
    fn a_step_that_fails_leaves_the_workspace_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        Store::open(&path).unwrap().set_setting("theme", &"dark").unwrap();
        let mut broken = migration_steps();
        broken.push(M::up("DELETE FROM settings; SELECT nonsense FROM nowhere;"));
        assert!(Store::open_with(&path, &Migrations::new(broken), newest_version() + 1).is_err());
        assert_eq!(Store::open(&path).unwrap().setting::<String>("theme").unwrap().as_deref(), Some("dark"));
    }

    #[test]
    fn a_newer_workspace_is_refused_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        let found = newest_version() + 1;
        drop(Store::open_with(&path, &later_migrations(), found).unwrap());
        assert_eq!(
            Store::open(&path).err(),
            Some(StoreError::Newer { path: path.clone(), found, known: newest_version() })
        );
        Store::open_with(&path, &later_migrations(), found).unwrap();
    }

    #[test]
    fn a_workspace_that_an_older_version_has_open_is_not_changed_under_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        let (first, second) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
        assert_eq!(
            Store::open_with(&path, &later_migrations(), newest_version() + 1).err(),
            Some(StoreError::InUse { path: path.clone() })
        );
        // Two programs of the same version share the workspace.
        first.set_setting("theme", &"dark").unwrap();
        assert_eq!(second.setting::<String>("theme").unwrap().as_deref(), Some("dark"));
        drop(first);
        assert!(
            Store::open_with(&path, &later_migrations(), newest_version() + 1).is_err(),
            "the second is still there"
        );
        drop(second);
        let newer = Store::open_with(&path, &later_migrations(), newest_version() + 1).unwrap();
        assert_eq!(newer.setting::<String>("theme").unwrap().as_deref(), Some("dark"));
    }

    #[test]
    fn a_full_disk_is_said_and_the_workspace_stays_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        let store = Store::open(&path).unwrap();
        store.set_setting("theme", &"dark").unwrap();
        // SQLite reports the same error for a file at its size limit as for a full disk.
        store.writer.lock().pragma_update_and_check(None, "max_page_count", 1, |_| Ok(())).unwrap();
        assert_eq!(store.set_setting("big", &"x".repeat(1 << 20)), Err(StoreError::DiskFull { path: path.clone() }));
        drop(store);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.setting::<String>("theme").unwrap().as_deref(), Some("dark"));
        assert_eq!(store.setting::<String>("big").unwrap(), None);
    }

    #[test]
    fn programs_that_start_together_share_one_new_workspace() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        std::thread::scope(|scope| {
            for number in 0..8 {
                let path = &path;
                scope.spawn(move || Store::open(path).unwrap().set_setting(&number.to_string(), &number).unwrap());
            }
        });
        assert_eq!(Store::open(&path).unwrap().setting("7").unwrap(), Some(7));
    }

    #[cfg(unix)]
    #[test]
    fn other_users_of_the_machine_cannot_read_the_workspace() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.db");
        // With the permissions that an earlier version used.
        drop(Store::open(&path).unwrap());
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let store = Store::open_with(&path, &later_migrations(), newest_version() + 1).unwrap();
        store.set_setting("theme", &"dark").unwrap();
        for file in std::fs::read_dir(dir.path()).unwrap().flatten() {
            let mode = file.metadata().unwrap().permissions().mode();
            let is_lock = file.file_name().to_string_lossy().contains("-open-");
            assert!(is_lock || mode & 0o077 == 0, "{} has {mode:o}", file.path().display());
        }
    }

    #[test]
    fn search_knows_words_cases_and_no_wildcards() {
        assert!(contains_all_words("Umsatz je STRASSE in ÖSTERREICH", "österreich umsatz"));
        assert!(contains_all_words("anything", "  "));
        assert!(!contains_all_words("Sales of 2023", "sales 2024"));
        for shown in ["18,462", "18.462", "18’462", "18462"] {
            assert!(contains_all_words("answer 18462", shown), "{shown}");
        }
        assert!(
            !contains_all_words("answer 18462", "184,62")
                && !contains_all_words("answer 18462", "18,463")
                && contains_all_words("v 1,234", "1,234")
        );
        assert!(contains_all_words("answer 1234567", "1,234,567") && !contains_all_words("1", ","));
        assert!(
            !contains_all_words("abc", "a%c")
                && !contains_all_words("abc", "a_c")
                && contains_all_words("100% of a_c", "100% a_c")
        );
    }
}
