//! Databases of packs that are dumps, loaded into a PostgreSQL server by its own client program: dumps hold commands
//! that only that program knows.

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

/// Before the names of our databases, which are dropped and made again without asking.
const PREFIX: &str = "vitrine_eval_";
/// Changes whenever dumps are loaded in another way.
const LOADER: &str = "1";

/// Loads the dumps that a sample of a pack needs, each into a database of its own, unless the same is there from
/// before; `on_load` hears of each that is not.
///
/// # Errors
/// When there is no `psql`, a dump holds commands to it, or the server or a dump fails.
pub async fn load_dumps(
    pack: &mut Pack,
    sample: &Sample,
    server: &ServerAddress,
    mut on_load: impl FnMut(&str),
) -> Result<(), AppError> {
    for path in pack.dumps(sample)? {
        let name = database_name(&path);
        let database = server.with_database(&name);
        let dump = std::fs::read(&path).map_err(|error| {
            AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display())).detail(error)
        })?;
        // Before anything of it is run: the commands of a dump, unlike its SQL, would do as they please on this computer.
        let script = without_commands(&dump).map_err(|command| {
            let message =
                tr!("{path}, line {line}, holds a command to psql", path = path.display(), line = command.line);
            AppError::new(ErrorCode::Usage, message)
                .hint(tr!("Remove it if you trust the dump without it; a dump may hold SQL and the data of COPY only"))
                .detail(command.text)
        })?;
        let stamp = format!("vitrine eval {LOADER} {}", blake3::hash(&dump).to_hex());
        let known = format!("SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '{name}'");
        if psql(server, &["--command", &known]).await? != stamp {
            on_load(&name);
            let create = format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'");
            psql(server, &["--command", &format!("DROP DATABASE IF EXISTS {name}"), "--command", &create]).await?;
            load(&database, &name, script).await?;
            // Last, so that a database that was loaded in part does not count.
            psql(server, &["--command", &format!("COMMENT ON DATABASE {name} IS '{stamp}'")]).await?;
        }
        pack.loaded(&path, &WarehouseUri::of_server(database).to_string());
    }
    Ok(())
}

/// Has psql run a dump with all of its own commands turned off. A dump can make psql read a text as the end of that text,
/// so that what was looked through before is not what is run: only psql itself can tell then. The key is not known to the
/// dump, which it is made of.
async fn load(database: &ServerAddress, name: &str, script: Vec<u8>) -> Result<(), AppError> {
    let restrict = format!("\\restrict {}", blake3::hash(&script).to_hex());
    run(database, &["--command", &restrict, "--file", "-"], script).await.map_err(|error| {
        if !error.detail.as_deref().is_some_and(|said| said.contains("invalid command \\restrict")) {
            return error;
        }
        AppError::new(ErrorCode::Usage, tr!("This version of psql cannot be kept from running commands in a dump"))
            .hint(tr!("Install the newest one of its series: 13.22, 14.19, 15.14, 16.10, 17.6 or later"))
    })?;
    // Questions and their gold name tables without the schemas that the dump made.
    let schemas = "SELECT string_agg(DISTINCT quote_ident(schemaname), ', ') FROM pg_tables
                    WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'public')";
    let schemas = psql(database, &["--command", schemas]).await?;
    if !schemas.is_empty() {
        let look = format!("ALTER DATABASE {name} SET search_path = {schemas}, public");
        psql(database, &["--command", &look]).await?;
    }
    psql(database, &["--command", "ANALYZE"]).await.map(drop)
}

/// A name that needs no quotes.
fn database_name(dump: &Path) -> String {
    let stem = dump.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("{PREFIX}{}", stem.chars().map(plain).collect::<String>())
}

/// Runs the client program and gives what it prints.
async fn psql(server: &ServerAddress, arguments: &[&str]) -> Result<String, AppError> {
    run(server, arguments, Vec::new()).await
}

/// The same with something to read.
async fn run(server: &ServerAddress, arguments: &[&str], input: Vec<u8>) -> Result<String, AppError> {
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
        // Where nobody leaves programs or settings.
        command.current_dir("/");
    }
    // Not as an argument, which everybody on the machine can see.
    if let Some(password) = server.password() {
        command.env("PGPASSWORD", password);
    }
    let cannot_run = |error: std::io::Error| {
        AppError::new(ErrorCode::Usage, tr!("PostgreSQL's client program psql, which loads dumps, cannot be run"))
            .hint(tr!("Install it, on Debian and Ubuntu with: apt-get install postgresql-client"))
            .detail(error)
    };
    let mut client = command.spawn().map_err(cannot_run)?;
    let mut stdin = client.stdin.take();
    let write = async move {
        // It may end before it has read everything; its own message says why.
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
        .hint(tr!("The user needs the right to create databases; the password may be in PGPASSWORD or ~/.pgpass"))
        .detail(said))
}

#[cfg(test)]
mod tests;
