//! User-defined functions that a query could call unintentionally: under the name of a built-in function, or on a row
//! in the notation of a column. PostgreSQL permits them to read files, wait or open connections even in a read-only
//! transaction.

use tokio_postgres::{Client, Error};
use vitrine_domain::{Dialect, OwnFunction};
use vitrine_sql::{AllowedFunctions, ReadOnlySql, known_functions};

/// The dialect of the statements that are proven.
pub(super) const DIALECT: Dialect = Dialect::Postgres;

/// Functions that a query in the search path `$1` finds without a schema and that have the name of a built-in function
/// or one of the names `$2`, which the proof accepts; functions on rows; and functions of casts, under the names of the
/// target types. Functions of an extension are as harmless as the extension, unless the owner of the database added
/// them.
const FUNCTIONS: &str = "
    SELECT lower(p.proname::text), CASE WHEN l.lanname = 'sql' AND p.proconfig IS NULL THEN p.prosrc END, r.on_rows
      FROM pg_proc p
      JOIN pg_namespace n ON n.oid = p.pronamespace
      JOIN pg_language l ON l.oid = p.prolang
      LEFT JOIN pg_type a ON a.oid = p.proargtypes[0]
      LEFT JOIN pg_type b ON b.oid = a.typbasetype
     CROSS JOIN LATERAL (SELECT p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1
                                AND coalesce(a.typtype IN ('c', 'p') OR b.typtype = 'c', false) AS on_rows) r
     WHERE p.oid >= 16384 AND n.nspname::text = ANY ($1)
       AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
       AND NOT EXISTS (SELECT FROM pg_depend d JOIN pg_roles o ON o.oid = p.proowner
                        WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' AND o.rolsuper)
       AND (r.on_rows OR lower(p.proname) = ANY ($2)
            OR EXISTS (SELECT FROM pg_proc s
                        WHERE s.pronamespace = 'pg_catalog'::regnamespace AND s.proname = lower(p.proname)))
    UNION ALL
    SELECT lower(t.typname::text), CASE WHEN l.lanname = 'sql' AND p.proconfig IS NULL THEN p.prosrc END, false
      FROM pg_cast k
      JOIN pg_type t ON t.oid = k.casttarget
      JOIN pg_proc p ON p.oid = k.castfunc
      JOIN pg_language l ON l.oid = p.prolang
     WHERE p.oid >= 16384
       AND NOT EXISTS (SELECT FROM pg_depend d JOIN pg_roles o ON o.oid = p.proowner
                        WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' AND o.rolsuper)
     ORDER BY 1";

/// Returns the functions that may do more than compute. A function in SQL whose body has a read-only proof is harmless.
pub(super) async fn own_functions(client: &Client, path: &[String]) -> Result<Vec<OwnFunction>, Error> {
    let mut found = Vec::new();
    for row in client.query(FUNCTIONS, &[&path, &known_functions(DIALECT)]).await? {
        found.push((
            OwnFunction { name: row.try_get(0)?, on_rows: row.try_get(2)? },
            row.try_get::<_, Option<String>>(1)?,
        ));
    }
    let all: Vec<OwnFunction> = found.iter().map(|(function, _)| function.clone()).collect();
    let allowed = AllowedFunctions::default().with_own_functions(&all);
    let mut own: Vec<OwnFunction> = Vec::new();
    for (function, body) in found {
        if body.is_some_and(|body| ReadOnlySql::parse_with(&with_values(&body), DIALECT, &allowed).is_ok()) {
            continue;
        }
        match own.last_mut().filter(|last| last.name == function.name) {
            Some(last) => last.on_rows |= function.on_rows,
            None => own.push(function),
        }
    }
    Ok(own)
}

/// Returns a function's body with values in place of its numbered parameters.
pub(super) fn with_values(body: &str) -> String {
    let mut written = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('$') {
        let (before, from) = rest.split_at(at);
        let digits = from[1..].bytes().take_while(u8::is_ascii_digit).count();
        let in_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
        written.push_str(before);
        written.push_str(if digits > 0 && !in_name { "NULL" } else { &from[..=digits] });
        rest = &from[1 + digits..];
    }
    written + rest
}

#[cfg(test)]
mod tests;
