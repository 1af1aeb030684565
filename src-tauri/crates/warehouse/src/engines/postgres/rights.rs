//! The identity and the permissions of a login, read from the server's system catalogs. No write is attempted.

use super::pool::Session;
use crate::inspect::report::Outcome;
use std::error::Error as _;
use tokio_postgres::{Client, Error};
use vitrine_domain::SchemaTables;
use vitrine_words::{later, plural, tr, translate_constant};

/// Maximum number of names in a line.
const NAMES: usize = 5;

const ROLE: &str = "
    SELECT current_user::text, session_user::text, version(), pg_is_in_recovery(),
           r.rolsuper, r.rolcreatedb, r.rolcreaterole, r.rolreplication, r.rolbypassrls
      FROM pg_roles r WHERE r.rolname = current_user";

/// The FROM and WHERE clauses for tables and views outside the system schemas.
pub(super) const TABLES_OF_USERS: &str = "
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
       AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'";

/// Predefined roles with permissions beyond the database, and their description.
pub(super) const POWERS: [(&str, &str); 7] = [
    ("pg_execute_server_program", later!("may run programs on the server")),
    ("pg_write_server_files", later!("may write files of the server")),
    ("pg_read_server_files", later!("may read files of the server")),
    ("pg_write_all_data", later!("may change the rows of every table")),
    ("pg_signal_backend", later!("may end other sessions")),
    ("pg_maintain", later!("may maintain every table")),
    ("pg_create_subscription", later!("may copy tables from other servers")),
];

/// Returns the advice for creating a login that can only read.
fn read_only_login_advice() -> String {
    tr!("Ask for a login that can only read: CREATE ROLE vitrine LOGIN PASSWORD '...'; \
    GRANT CONNECT ON DATABASE db TO vitrine; GRANT USAGE ON SCHEMA public TO vitrine; \
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO vitrine;")
}

fn failed_outcome(error: &Error) -> Outcome {
    let text = error.as_db_error().map(|answer| answer.message().to_owned());
    let text = text.or_else(|| error.source().map(ToString::to_string)).unwrap_or_else(|| error.to_string());
    Outcome::failed(tr!("The server did not answer what was asked about this login.")).with_lines([text]).with_advice(
        tr!("Questions may work all the same. A server that only speaks like PostgreSQL may have no such catalogs."),
    )
}

pub(super) async fn inspect_role(client: &Client) -> Result<(Outcome, ()), Outcome> {
    let read = async || -> Result<Outcome, Error> {
        let row = client.query_one(ROLE, &[]).await?;
        let (user, session): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let version: String = row.try_get(2)?;
        let mut lines = vec![version.split(" on ").next().unwrap_or_default().to_owned()];
        if session != user {
            lines.push(tr!("signed in as {session}, acting as {user}", session, user));
        }
        if row.try_get(3)? {
            lines.push(tr!("a standby: the server itself takes no changes"));
        }
        for (at, power) in [
            (5, later!("may create databases")),
            (6, later!("may create roles")),
            (7, later!("may replicate")),
            (8, later!("sees rows whatever their policies")),
        ] {
            if row.try_get(at)? {
                lines.push(translate_constant(power).to_owned());
            }
        }
        let superuser: bool = row.try_get(4)?;
        Ok(if superuser {
            Outcome::warning(tr!("This login is {user}, a superuser: no right limits it.", user))
                .with_lines(lines)
                .with_advice(read_only_login_advice())
        } else {
            Outcome::ok(tr!("This login is {user}, no superuser.", user)).with_lines(lines)
        })
    };
    read().await.map(|outcome| (outcome, ())).map_err(|error| failed_outcome(&error))
}

/// Returns the login on a server that is not PostgreSQL.
pub(super) async fn of_other(session: &Session) -> Result<(Outcome, ()), Outcome> {
    let row =
        session.client.query_one("SELECT CURRENT_USER::text", &[]).await.map_err(|error| failed_outcome(&error))?;
    let user: String = row.try_get(0).map_err(|error| failed_outcome(&error))?;
    let name = session.family.display_name();
    let outcome = Outcome::warning(tr!("This is {name}, and the login is {user}.", name, user))
        .with_lines([tr!("What this login may do is not read from {name}; Vitrine only sends reads, in read-only transactions.", name)])
        .with_advice(tr!("Use a login that may only SELECT. Nobody has tried Vitrine on such a server yet: `vitrine connections test --full` says what works."));
    Ok((outcome, ()))
}

pub(super) async fn inspect_readable_tables(client: &Client) -> Result<(Outcome, Vec<SchemaTables>), Outcome> {
    let sql = format!(
        "SELECT n.nspname::text,
                count(*) FILTER (WHERE has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')),
                count(*) {TABLES_OF_USERS} GROUP BY n.nspname ORDER BY 2 DESC, 1"
    );
    let read = async || -> Result<(Outcome, Vec<SchemaTables>), Error> {
        let (mut tables, mut schemas, mut lines, mut closed) = (0, Vec::new(), Vec::new(), Vec::new());
        for row in client.query(&sql, &[]).await? {
            let (schema, readable, all): (String, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            if readable == 0 {
                closed.push(tr!("{schema}: none of {all}", schema, all));
                continue;
            }
            tables += readable;
            lines.push(if readable == all {
                format!("{schema}: {all}")
            } else {
                tr!("{schema}: {readable} of {all}", schema, readable, all)
            });
            schemas.push(SchemaTables { name: schema, tables: readable.try_into().unwrap_or(u32::MAX) });
        }
        lines.extend(closed);
        let outcome = if tables == 0 {
            Outcome::warning(tr!("No table can be read with this login.")).with_lines(lines).with_advice(tr!(
                "Grant it: GRANT USAGE ON SCHEMA s TO login; GRANT SELECT ON ALL TABLES IN SCHEMA s TO login;"
            ))
        } else {
            let schemas = plural!(schemas.len(), "{n} schema", "{n} schemas");
            Outcome::ok(plural!(
                tables,
                "{n} table in {schemas} can be read.",
                "{n} tables in {schemas} can be read.",
                schemas
            ))
            .with_lines(lines)
        };
        Ok((outcome, schemas))
    };
    read().await.map_err(|error| failed_outcome(&error))
}

pub(super) async fn beyond_reading(client: &Client) -> Result<(Outcome, ()), Outcome> {
    let read = async || -> Result<Vec<String>, Error> {
        let mut lines = Vec::new();
        for right in ["INSERT", "UPDATE", "DELETE", "TRUNCATE"] {
            // A privilege on a single column also permits changing rows; DELETE and TRUNCATE exist for whole tables
            // only.
            let has = match right {
                "INSERT" | "UPDATE" => "has_any_column_privilege",
                _ => "has_table_privilege",
            };
            let sql = format!(
                "SELECT n.nspname || '.' || c.relname, count(*) OVER () {TABLES_OF_USERS}
                    AND c.relkind <> 'm' AND has_schema_privilege(n.oid, 'USAGE') AND {has}(c.oid, '{right}')
                  ORDER BY 1 LIMIT {NAMES}"
            );
            lines.extend(describe_right(client, &sql, right, |n| plural!(n, "{n} table", "{n} tables")).await?);
        }
        let schemas = format!(
            "SELECT n.nspname::text, count(*) OVER () FROM pg_namespace n
              WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND has_schema_privilege(n.oid, 'CREATE')
              ORDER BY 1 LIMIT {NAMES}"
        );
        lines.extend(describe_right(client, &schemas, "CREATE", |n| plural!(n, "{n} schema", "{n} schemas")).await?);
        let sequences = format!(
            "SELECT n.nspname || '.' || c.relname, count(*) OVER ()
               FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              WHERE c.relkind = 'S' AND n.nspname !~ '^pg_' AND has_schema_privilege(n.oid, 'USAGE')
                AND (has_sequence_privilege(c.oid, 'USAGE') OR has_sequence_privilege(c.oid, 'UPDATE'))
              ORDER BY 1 LIMIT {NAMES}"
        );
        lines.extend(
            describe_right(client, &sequences, "USAGE", |n| plural!(n, "{n} sequence", "{n} sequences")).await?,
        );
        let own =
            "SELECT has_database_privilege(current_database(), 'CREATE'), r.rolsuper, r.rolcreatedb, r.rolcreaterole
                     FROM pg_roles r WHERE r.rolname = current_user";
        let row = client.query_one(own, &[]).await?;
        for (at, power) in [
            (0, later!("CREATE on the database: new schemas")),
            (1, later!("superuser: everything")),
            (2, later!("CREATEDB: new databases")),
            (3, later!("CREATEROLE: new roles")),
        ] {
            if row.try_get(at)? {
                lines.push(translate_constant(power).to_owned());
            }
        }
        let powers = "SELECT r.rolname::text FROM pg_roles r WHERE r.rolname ~ '^pg_' AND pg_has_role(r.oid, 'MEMBER')";
        for row in client.query(powers, &[]).await? {
            let name: String = row.try_get(0)?;
            if let Some((_, power)) = POWERS.iter().find(|(known, _)| *known == name) {
                lines.push(tr!("member of {role}: {power}", role = name, power = translate_constant(power)));
            }
        }
        Ok(lines)
    };
    let lines = read().await.map_err(|error| failed_outcome(&error))?;
    let outcome = if lines.is_empty() {
        Outcome::ok(tr!("This login can only read."))
            .with_lines([tr!("Vitrine's own sessions are read-only to the server, too.")])
    } else {
        Outcome::warning(tr!("This login may do more than read. Vitrine's own sessions are read-only to the server, and it only sends reads."))
            .with_lines(lines)
            .with_advice(read_only_login_advice())
    };
    Ok((outcome, ()))
}

/// Describes a privilege in one line: its name, the number of objects, and the first of them.
async fn describe_right(
    client: &Client,
    sql: &str,
    right: &str,
    many: fn(i64) -> String,
) -> Result<Option<String>, Error> {
    let rows = client.query(sql, &[]).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let count: i64 = first.try_get(1)?;
    let names: Vec<String> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    let more = if count > names.len() as i64 { ", ..." } else { "" };
    let names = format!("{}{more}", names.join(", "));
    Ok(Some(tr!("{right} on {many}: {names}", right, many = many(count), names)))
}
