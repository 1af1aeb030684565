//! Databases of packs that are dumps, loaded into a PostgreSQL server by its own client program: dumps hold commands
//! that only that program knows.

use crate::pack::{Pack, Sample};
use std::path::Path;
use std::process::Stdio;
use tokio::process::Command;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_warehouse::{ServerAddress, WarehouseUri};

/// Before the names of our databases, which are dropped and made again without asking.
const PREFIX: &str = "vitrine_eval_";
/// Changes whenever dumps are loaded in another way.
const LOADER: &str = "1";

/// Loads the dumps that a sample of a pack needs, each into a database of its own, unless the same is there from
/// before; `on_load` hears of each that is not.
///
/// # Errors
/// When there is no `psql`, or the server or a dump fails.
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
            AppError::new(ErrorCode::Usage, format!("{} cannot be read", path.display())).detail(error)
        })?;
        let stamp = format!("vitrine eval {LOADER} {}", blake3::hash(&dump).to_hex());
        let known = format!("SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '{name}'");
        if psql(server, &["--command", &known]).await? != stamp {
            on_load(&name);
            let create = format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'");
            psql(server, &["--command", &format!("DROP DATABASE IF EXISTS {name}"), "--command", &create]).await?;
            load(&database, &name, &path).await?;
            // Last, so that a database that was loaded in part does not count.
            psql(server, &["--command", &format!("COMMENT ON DATABASE {name} IS '{stamp}'")]).await?;
        }
        pack.loaded(&path, &WarehouseUri::of_server(database).to_string());
    }
    Ok(())
}

async fn load(database: &ServerAddress, name: &str, path: &Path) -> Result<(), AppError> {
    psql(database, &["--file", &path.display().to_string()]).await?;
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
    let mut command = Command::new("psql");
    command
        .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--no-password", "--set", "ON_ERROR_STOP=1"])
        .args(["--dbname", &server.to_string()])
        .args(arguments)
        .env("PGCLIENTENCODING", "UTF8")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    // Not as an argument, which everybody on the machine can see.
    if let Some(password) = server.password() {
        command.env("PGPASSWORD", password);
    }
    let output = command.output().await.map_err(|error| {
        AppError::new(ErrorCode::Usage, "PostgreSQL's client program psql, which loads dumps, cannot be run")
            .hint("Install it, on Debian and Ubuntu with: apt-get install postgresql-client")
            .detail(error)
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(AppError::new(ErrorCode::Connection, format!("A dump could not be loaded into {server}"))
        .hint("The user needs the right to create databases; the password may be in PGPASSWORD or ~/.pgpass")
        .detail(said))
}

#[cfg(test)]
mod tests;
