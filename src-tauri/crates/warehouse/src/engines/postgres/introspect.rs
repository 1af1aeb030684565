//! Reading tables, columns, comments and keys of a PostgreSQL database: everything that the login may read, without
//! objects of the server and of extensions.

use super::functions::own_functions;
use super::search_path::{SERVERS_ONLY, SearchPath};
use crate::definition::view_query;
use std::collections::HashMap;
use tokio_postgres::{Client, Error};
use vitrine_domain::{Column, ForeignKey, OwnFunction, Table, TableKind, TableName};

/// Partitions are omitted, because their parent contains all their rows. `$2` is the database's search path: if several
/// of its schemas contain a name, the first one is found without a schema.
const TABLES: &str = "
    SELECT c.oid, n.nspname::text, c.relname::text,
           n.nspname::text = ANY ($2) AND NOT EXISTS (
               SELECT FROM pg_class o JOIN pg_namespace m ON m.oid = o.relnamespace
                WHERE o.relname = c.relname
                  AND (m.nspname = 'pg_catalog' OR array_position($2, m.nspname::text) < array_position($2, n.nspname::text))),
           c.relkind = 'v', obj_description(c.oid, 'pg_class'), c.reltuples::float8,
           concat_ws(',', c.relfilenode, s.n_tup_ins, s.n_tup_upd, s.n_tup_del)
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
     WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
       AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
       AND (cardinality($1::text[]) = 0 OR n.nspname = ANY ($1))
       AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
       AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY array_position($2, n.nspname::text), n.nspname, c.oid";

/// The definitions of views, with the names that a query in the database's own search path uses. All names in this
/// query are qualified, because that path also contains the owner's functions.
const DEFINITIONS: &str = "
    SELECT c.oid, pg_catalog.pg_get_viewdef(c.oid) FROM pg_catalog.pg_class c
     WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
       AND (c.relkind OPERATOR(pg_catalog.=) 'v'::pg_catalog.\"char\" OR c.relkind OPERATOR(pg_catalog.=) 'm'::pg_catalog.\"char\")";

/// A domain is shown as its base type, and a short enumeration as its values. A type that is found in the path `$1` is
/// shown without its schema.
const COLUMNS: &str = "
    SELECT a.attrelid, a.attname::text, NOT a.attnotnull, col_description(a.attrelid, a.attnum),
           coalesce((SELECT 'enum(' || string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) || ')'
                       FROM pg_enum e WHERE e.enumtypid = b.oid HAVING count(*) <= 30),
                    CASE WHEN left(f.name, length(f.prefix)) = f.prefix THEN substr(f.name, length(f.prefix) + 1) ELSE f.name END)
      FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_type t ON t.oid = a.atttypid
      JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
      JOIN pg_type i ON i.oid = CASE WHEN b.typcategory = 'A' AND b.typelem <> 0 THEN b.typelem ELSE b.oid END
      JOIN pg_namespace s ON s.oid = i.typnamespace
     CROSS JOIN LATERAL (
        SELECT CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) ELSE format_type(a.atttypid, a.atttypmod) END,
               CASE WHEN s.nspname::text = ANY ($1) AND NOT EXISTS (
                        SELECT FROM pg_type o JOIN pg_namespace m ON m.oid = o.typnamespace
                         WHERE o.typname = i.typname
                           AND (m.nspname = 'pg_catalog'
                                OR array_position($1, m.nspname::text) < array_position($1, s.nspname::text)))
                    THEN quote_ident(s.nspname) || '.' ELSE '' END) AS f(name, prefix)
     WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
       AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
       AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
     ORDER BY a.attrelid, a.attnum";

/// Keys that a partition inherits from its parent are excluded by `conparentid`.
const KEYS: &str = "
    SELECT k.conrelid, k.contype::text, k.confrelid,
           ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(number, place)
                   JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number ORDER BY u.place),
           ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(number, place)
                   JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number ORDER BY u.place)
      FROM pg_constraint k
     WHERE k.contype IN ('p', 'u', 'f') AND k.conparentid = 0
     ORDER BY k.conrelid, k.conname";

/// Unique indexes on plain columns without a condition, which are equivalent to a constraint.
const UNIQUE_INDEXES: &str = "
    SELECT i.indrelid,
           ARRAY(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS u(number, place)
                   JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.number
                  WHERE u.place <= i.indnkeyatts ORDER BY u.place)
      FROM pg_index i
     WHERE i.indisunique AND NOT i.indisprimary AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indisvalid
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype = 'u')
     ORDER BY i.indrelid, i.indexrelid";

/// The catalog of a database.
pub(super) struct Read {
    /// The schemas whose tables need no qualified name.
    pub(super) search_path: Vec<String>,
    /// User-defined functions that a query could call unintentionally.
    pub(super) own_functions: Vec<OwnFunction>,
    /// All tables and views, with the schemas of the search path first.
    pub(super) tables: Vec<Table>,
    /// A text that changes when rows change.
    pub(super) version: String,
}

/// Reads the catalog with the tables and views of `schemas`, or of all schemas if it is empty.
pub(super) async fn read_catalog(client: &Client, path: &SearchPath, schemas: &[String]) -> Result<Read, Error> {
    let search_path = path.schemas();
    let definitions = read_view_definitions(client, path).await?;
    let mut version = String::new();
    let (mut tables, mut places) = (Vec::new(), HashMap::new());
    for row in client.query(TABLES, &[&schemas, &search_path]).await? {
        let (schema, name, visible): (String, String, bool) = (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
        // Negative if the table was never analyzed.
        let rows: f64 = row.try_get(6)?;
        places.insert(row.try_get::<_, u32>(0)?, tables.len());
        version += &format!("{};", row.try_get::<_, String>(7)?);
        tables.push(Table {
            name: TableName { catalog: None, schema: (!visible).then_some(schema), name },
            kind: if row.try_get(4)? { TableKind::View } else { TableKind::Table },
            comment: non_blank_comment(row.try_get(5)?),
            row_count: (rows > 0.0).then_some(rows as u64),
            columns: Vec::new(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: definitions.get(&row.try_get::<_, u32>(0)?).and_then(|text| view_query(text)),
        });
    }
    for row in client.query(COLUMNS, &[&search_path]).await? {
        if let Some(&place) = places.get(&row.try_get(0)?) {
            tables[place].columns.push(Column {
                name: row.try_get(1)?,
                nullable: row.try_get(2)?,
                comment: non_blank_comment(row.try_get(3)?),
                data_type: row.try_get(4)?,
            });
        }
    }
    for row in client.query(KEYS, &[]).await? {
        let Some(&place) = places.get(&row.try_get(0)?) else { continue };
        let columns = row.try_get(3)?;
        let kind: String = row.try_get(1)?;
        if kind == "p" {
            tables[place].primary_key = columns;
        } else if kind == "u" {
            tables[place].unique_keys.push(columns);
        } else if let Some(&other) = places.get(&row.try_get(2)?) {
            let key = ForeignKey { columns, ref_table: tables[other].name.clone(), ref_columns: row.try_get(4)? };
            tables[place].foreign_keys.push(key);
        }
    }
    for row in client.query(UNIQUE_INDEXES, &[]).await? {
        if let Some(&place) = places.get(&row.try_get(0)?) {
            tables[place].unique_keys.push(row.try_get(1)?);
        }
    }
    tables.retain(|table| !table.columns.is_empty());
    let own_functions = own_functions(client, search_path).await?;
    Ok(Read { search_path: search_path.to_vec(), own_functions, tables, version })
}

/// Reads the definitions of views by their OIDs, with table names as a query in the database's own search path writes
/// them.
async fn read_view_definitions(client: &Client, path: &SearchPath) -> Result<HashMap<u32, String>, Error> {
    client.batch_execute(&path.set_statement()).await?;
    let rows = client.query(DEFINITIONS, &[]).await?;
    client.batch_execute(SERVERS_ONLY).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get::<_, Option<String>>(1)?.unwrap_or_default()))).collect()
}

/// Returns a comment if it is not blank.
pub(super) fn non_blank_comment(comment: Option<String>) -> Option<String> {
    comment.filter(|text| !text.trim().is_empty())
}
