//! Loads the database dumps of packs into a PostgreSQL server with `psql`, because dumps contain commands that only
//! `psql` understands.

mod commands;

use super::Pack;
use super::question::Sample;
use commands::without_commands;
use std::path::Path;
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_warehouse::{ServerAddress, WarehouseUri};
use vitrine_words::tr;

/// Prefix of the evaluation databases, which are dropped and recreated without confirmation.
const PREFIX: &str = "vitrine_eval_";
/// Increased whenever the way of loading dumps changes.
const LOADER: &str = "1";

/// Loads the dumps that a sample of a pack needs, each into its own database, unless it is already loaded; calls
/// `on_load` for each dump that it loads.
///
/// # Errors
/// Fails if `psql` is missing, a dump contains commands for it, or the server or a dump fails.
pub async fn load_dumps(
    pack: &mut Pack,
    sample: &Sample,
    server: &ServerAddress,
    mut on_load: impl FnMut(&str),
) -> Result<(), AppError> {
    for path in pack.sample_dumps(sample)? {
        let name = database_name(&path);
        let database = server.with_database(&name);
        let dump = std::fs::read(&path).map_err(|error| {
            AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display())).with_detail(error)
        })?;
        // Checked before anything runs: unlike SQL, `psql` commands in a dump could do anything on this computer.
        let script = without_commands(&dump).map_err(|command| {
            let message =
                tr!("{path}, line {line}, contains a psql command", path = path.display(), line = command.line);
            AppError::new(ErrorCode::Usage, message)
                .with_hint(tr!(
                    "Remove it if you trust the dump without it; a dump may contain only SQL and the data of COPY"
                ))
                .with_detail(command.text)
        })?;
        let stamp = format!("vitrine eval {LOADER} {}", blake3::hash(&dump).to_hex());
        let known = format!("SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '{name}'");
        if query_psql(server, &["--command", &known]).await? != stamp {
            on_load(&name);
            let create = format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'");
            query_psql(server, &["--command", &format!("DROP DATABASE IF EXISTS {name}"), "--command", &create])
                .await?;
            load_dump(&database, &name, script).await?;
            // Written last, so that a partially loaded database is not considered complete.
            query_psql(server, &["--command", &format!("COMMENT ON DATABASE {name} IS '{stamp}'")]).await?;
        }
        pack.set_dump_address(&path, &WarehouseUri::of_server(database).to_string());
    }
    Ok(())
}

/// Runs a dump with `psql` in restricted mode, which disables its commands. A dump can change how `psql` parses text so
/// that the check before execution misses a command; only `psql` itself can then refuse it. The key is a hash of the
/// dump, so that the dump cannot contain it.
async fn load_dump(database: &ServerAddress, name: &str, script: Vec<u8>) -> Result<(), AppError> {
    let restrict = format!("\\restrict {}", blake3::hash(&script).to_hex());
    run_psql(database, &["--command", &restrict, "--file", "-"], script).await.map_err(|error| {
        if !error.detail.as_deref().is_some_and(|said| said.contains("invalid command \\restrict")) {
            return error;
        }
        AppError::new(ErrorCode::Usage, tr!("This version of psql cannot be kept from running commands in a dump"))
            .with_hint(tr!("Install the newest one of its series: 13.22, 14.19, 15.14, 16.10, 17.6 or later"))
    })?;
    // Questions and their gold queries name tables without the schemas that the dump created.
    let schemas = "SELECT string_agg(DISTINCT quote_ident(schemaname), ', ') FROM pg_tables
                    WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'public')";
    let schemas = query_psql(database, &["--command", schemas]).await?;
    if !schemas.is_empty() {
        let look = format!("ALTER DATABASE {name} SET search_path = {schemas}, public");
        query_psql(database, &["--command", &look]).await?;
    }
    query_psql(database, &["--command", "ANALYZE"]).await.map(drop)
}

/// Returns a database name that needs no quotes.
fn database_name(dump: &Path) -> String {
    let stem = dump.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("{PREFIX}{}", stem.chars().map(plain).collect::<String>())
}

/// Runs `psql` and returns its output.
async fn query_psql(server: &ServerAddress, arguments: &[&str]) -> Result<String, AppError> {
    run_psql(server, arguments, Vec::new()).await
}

/// Runs `psql` with the given standard input.
async fn run_psql(server: &ServerAddress, arguments: &[&str], input: Vec<u8>) -> Result<String, AppError> {
    let mut command = Command::new("psql");
    command
        .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--no-password", "--set", "ON_ERROR_STOP=1"])
        .args(["--dbname", &server.to_string()])
        .args(arguments)
        .env("PGCLIENTENCODING", "UTF8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if cfg!(unix) {
        // A folder without user programs or settings.
        command.current_dir("/");
    }
    // Passed in the environment, because other users can see command-line arguments.
    if let Some(password) = server.password() {
        command.env("PGPASSWORD", password);
    }
    let cannot_run = |error: std::io::Error| {
        AppError::new(ErrorCode::Usage, tr!("PostgreSQL's client program psql, which loads dumps, cannot be run"))
            .with_hint(tr!("Install it, on Debian and Ubuntu with: apt-get install postgresql-client"))
            .with_detail(error)
    };
    let mut client = command.spawn().map_err(cannot_run)?;
    let mut stdin = client.stdin.take();
    let write = async move {
        // `psql` may exit before it has read all input; its own message explains why.
        if let Some(stdin) = &mut stdin {
            let _ = stdin.write_all(&input).await;
        }
    };
    let ((), output) = tokio::join!(write, client.wait_with_output());
    let output = output.map_err(cannot_run)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(AppError::new(ErrorCode::Connection, tr!("A dump could not be loaded into {server}", server))
        .with_hint(tr!("The user needs the right to create databases; the password may be in PGPASSWORD or ~/.pgpass"))
        .with_detail(said))
}

#[cfg(test)]
mod tests;
