//! Queries the server for the code of the database's owner that a statement could run. The result comes from the
//! server's system catalogs: the statement itself is neither analyzed nor planned, because that would already evaluate
//! checks of domains and immutable functions.

use super::search_path::SearchPath;
use super::statement_names::StatementNames;
use tokio_postgres::{SimpleQueryMessage, SimpleQueryRow};

/// Expressions that run when an object is read, as the server stores them: views, row policies, checks of domains. A
/// materialized view runs nothing when it is read.
const RUN_WHEN_READ: &str = "
    SELECT 'view', c.relname::text, w.ev_action::text FROM pg_class c JOIN pg_rewrite w ON w.ev_class = c.oid
     WHERE o.kind = 'relation' AND c.oid = o.oid AND c.relkind = 'v' AND w.ev_type = '1'
    UNION ALL
    SELECT 'policy', y.polname::text, y.polqual::text FROM pg_class c JOIN pg_policy y ON y.polrelid = c.oid
     WHERE o.kind = 'relation' AND c.oid = o.oid AND c.relrowsecurity AND (NOT o.direct OR row_security_active(c.oid))
    UNION ALL
    SELECT 'domain', t.typname::text, k.conbin::text FROM pg_type t JOIN pg_constraint k ON k.contypid = t.oid
     WHERE o.kind = 'type' AND t.oid = o.oid";

/// Expressions that the planner simplifies, so that calls with constants in them run before the query does.
const SIMPLIFIED_WHEN_PLANNED: &str = "
    SELECT i.indexprs::text FROM pg_index i WHERE i.indrelid = c.oid
    UNION ALL SELECT i.indpred::text FROM pg_index i WHERE i.indrelid = c.oid
    UNION ALL SELECT k.conbin::text FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'
    UNION ALL SELECT to_json(s) ->> 'stxexprs' FROM pg_statistic_ext s WHERE s.stxrelid = c.oid
    UNION ALL SELECT q.partexprs::text FROM pg_partitioned_table q WHERE q.partrelid = c.oid
    UNION ALL SELECT d.adbin::text FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
               WHERE d.adrelid = c.oid AND to_json(a) ->> 'attgenerated' = 'v'";

/// Builds the query for the names of a statement. A name represents every object with this name in any schema of the
/// path; which of them the server would choose does not matter. `asked` are rows of kind, schema and name.
fn build_lookup_query(asked: &str, path: &str) -> String {
    format!(
        "WITH RECURSIVE
place(schemas) AS (SELECT {path}),
asked(kind, schema, name) AS (VALUES {asked}),
wanted(kind, name, schema) AS (
    SELECT a.kind, a.name, n.oid FROM asked a CROSS JOIN place p JOIN pg_namespace n
        ON CASE WHEN a.schema IS NULL THEN n.nspname = ANY (p.schemas) OR n.nspname = 'pg_catalog' ELSE n.nspname = a.schema END),
-- Functions that extensions wrote in SQL look their own names up when they run.
shadowing(found) AS (
    SELECT EXISTS (SELECT FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace CROSS JOIN place
                    WHERE p.oid >= 16384 AND n.nspname = ANY (place.schemas)
                      AND p.prorettype <> ALL ('{{trigger,event_trigger}}'::regtype[])
                      AND NOT EXISTS (SELECT FROM pg_depend d
                                       WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'))),
-- All that the statement reaches by its tables and types, through views, rows, arrays and domains.
object(kind, oid, direct) AS (
    SELECT 'relation', c.oid, true FROM wanted w
      JOIN pg_class c ON w.kind = 'relation' AND c.relname = w.name AND c.relnamespace = w.schema WHERE c.oid >= 16384
    UNION
    SELECT 'type', t.oid, true FROM wanted w
      JOIN pg_type t ON w.kind IN ('type', 'function', 'word') AND t.typname = w.name AND t.typnamespace = w.schema WHERE t.oid >= 16384
    UNION
    SELECT 'type', p.prorettype, true FROM wanted w
      JOIN pg_proc p ON w.kind IN ('function', 'row', 'field') AND p.proname = w.name AND p.pronamespace = w.schema
     WHERE p.prorettype >= 16384
    UNION
    SELECT 'type', q.oprresult, true FROM wanted w
      JOIN pg_operator q ON w.kind = 'operator' AND q.oprname = w.name AND q.oprnamespace = w.schema WHERE q.oprresult >= 16384
    UNION
    SELECT x.kind, x.oid, x.direct FROM object o CROSS JOIN LATERAL (
        SELECT 'type', a.atttypid, true FROM pg_attribute a
         WHERE o.kind = 'relation' AND a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL SELECT 'type', c.reltype, true FROM pg_class c WHERE o.kind = 'relation' AND c.oid = o.oid
        UNION ALL SELECT 'relation', i.inhrelid, o.direct FROM pg_inherits i WHERE o.kind = 'relation' AND i.inhparent = o.oid
        UNION ALL SELECT 'type', u.oid, true FROM pg_type t CROSS JOIN LATERAL (VALUES (t.typelem), (t.typbasetype)) AS u(oid)
                   WHERE o.kind = 'type' AND t.oid = o.oid
        UNION ALL SELECT 'type', a.atttypid, true FROM pg_type t JOIN pg_attribute a ON a.attrelid = t.typrelid
                   WHERE o.kind = 'type' AND t.oid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL SELECT 'type', r.rngsubtype, true FROM pg_range r WHERE o.kind = 'type' AND r.rngtypid = o.oid
        UNION ALL SELECT CASE m[1] WHEN 'relid' THEN 'relation' ELSE 'type' END, m[2]::oid, false
                    FROM ({RUN_WHEN_READ}) AS t(kind, name, body)
                   CROSS JOIN LATERAL regexp_matches(t.body, ':(relid|[a-z_]*type(?:id)?) (\\d+)', 'g') AS m
    ) AS x(kind, oid, direct) WHERE x.oid >= 16384),
called(kind, place, function, tree) AS (
    SELECT w.kind, w.name, p.oid, NULL FROM wanted w
      JOIN pg_proc p ON w.kind IN ('function', 'word') AND p.proname = w.name AND p.pronamespace = w.schema
    UNION ALL
    SELECT 'operator', w.name, q.oprcode::oid, NULL FROM wanted w
      JOIN pg_operator q ON w.kind = 'operator' AND q.oprname = w.name AND q.oprnamespace = w.schema
    UNION ALL
    SELECT w.kind, w.name, p.oid, a.typtype::text FROM wanted w
      JOIN pg_proc p ON w.kind IN ('field', 'row') AND p.proname = w.name AND p.pronamespace = w.schema
      LEFT JOIN pg_type a ON a.oid = p.proargtypes[0] LEFT JOIN pg_type b ON b.oid = a.typbasetype
     WHERE p.pronargs >= 1 AND (p.pronargs - p.pronargdefaults <= 1 OR p.provariadic <> 0)
       AND (w.kind = 'field' OR p.oid >= 16384
            AND (a.typtype = 'p' OR coalesce(b.typtype, a.typtype) = 'c'
                 AND EXISTS (SELECT FROM object o WHERE o.kind = 'type' AND o.oid IN (a.oid, b.oid))))
    UNION ALL
    SELECT 'cast', format_type(k.castsource, NULL) || ' AS ' || format_type(k.casttarget, NULL), k.castfunc::oid, NULL FROM pg_cast k
     WHERE k.oid >= 16384 AND k.castfunc <> 0
       AND EXISTS (SELECT FROM object o WHERE o.kind = 'type' AND o.oid IN (k.castsource, k.casttarget))
    UNION ALL
    SELECT t.kind, t.name,
           CASE m[1] WHEN 'opno' THEN (SELECT q.oprcode::oid FROM pg_operator q WHERE q.oid = m[2]::oid) ELSE m[2]::oid END, NULL
      FROM object o CROSS JOIN LATERAL ({RUN_WHEN_READ}) AS t(kind, name, body)
     CROSS JOIN LATERAL regexp_matches(t.body, ':(funcid|aggfnoid|winfnoid|opno) (\\d+)', 'g') AS m
    UNION ALL
    SELECT 'planned', c.relname,
           CASE m[1] WHEN 'opno' THEN (SELECT q.oprcode::oid FROM pg_operator q WHERE q.oid = m[2]::oid) ELSE m[2]::oid END, t.body
      FROM object o JOIN pg_class c ON o.kind = 'relation' AND c.oid = o.oid
     CROSS JOIN LATERAL ({SIMPLIFIED_WHEN_PLANNED}) AS t(body)
     CROSS JOIN LATERAL regexp_matches(t.body, ':(funcid|opno) (\\d+)', 'g') AS m WHERE m[2]::oid >= 16384),
judged AS (
    SELECT c.kind, c.place, c.tree, n.nspname, p.proname, p.provolatile, l.lanname,
           p.oid < 16384
           -- The server's own constructors of a range, which belong to whoever made the type.
           OR l.lanname = 'internal' AND p.prosrc ~ '^(multi)?range_constructor'
           -- A member of an extension whose owner is no superuser may have been added by the owner of the database.
           OR EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
              AND (SELECT r.rolsuper FROM pg_roles r WHERE r.oid = p.proowner)
              AND (l.lanname IN ('c', 'internal') OR NOT (SELECT found FROM shadowing)) AS is_trusted,
           -- Arguments and results of other types of the owner's would be checked or cast on their way.
           CASE WHEN l.lanname = 'sql' AND p.proconfig IS NULL AND p.pronargdefaults = 0 AND p.prorettype < 16384
                     AND NOT EXISTS (SELECT FROM unnest(p.proargtypes::oid[]) AS u(oid) JOIN pg_type t ON t.oid = u.oid
                                      WHERE t.oid >= 16384 AND t.typtype NOT IN ('c', 'e')) THEN p.prosrc END AS body
      FROM called c JOIN pg_proc p ON p.oid = c.function JOIN pg_namespace n ON n.oid = p.pronamespace
      JOIN pg_language l ON l.oid = p.prolang WHERE p.prorettype <> ALL ('{{trigger,event_trigger}}'::regtype[]))
SELECT DISTINCT kind, place, nspname, proname, provolatile, lanname, is_trusted, body, tree FROM judged
 WHERE NOT is_trusted OR kind = 'field' OR kind IN ('view', 'policy', 'domain') AND provolatile <> 'i'
UNION ALL
SELECT 'missing', a.name, NULL, a.name, NULL, NULL, NULL, NULL, NULL FROM asked a
 WHERE a.kind = 'function' AND a.schema IS NULL
   AND NOT EXISTS (SELECT FROM wanted w JOIN pg_proc p ON p.proname = w.name AND p.pronamespace = w.schema
                    WHERE w.kind = 'function' AND w.name = a.name)
   AND NOT EXISTS (SELECT FROM object o JOIN pg_type t ON t.oid = o.oid WHERE o.kind = 'type' AND t.typname = a.name)
UNION ALL
SELECT 'column', c.relname, NULL, a.attname, NULL, NULL, NULL, NULL, NULL FROM object o
  JOIN pg_class c ON o.kind = 'relation' AND o.direct AND c.oid = o.oid JOIN pg_attribute a ON a.attrelid = c.oid
  JOIN asked k ON k.kind = 'row' AND k.name = a.attname WHERE a.attnum > 0 AND NOT a.attisdropped"
    )
}

/// A function that the statement could run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// The way in which the statement reaches the function.
    pub(super) kind: String,
    /// The name in the statement, or the object that calls the function.
    pub(super) place: String,
    pub(super) schema: String,
    pub(super) function: String,
    /// The server's volatility code: `i`, `s` or `v`.
    pub(super) volatility: String,
    pub(super) language: String,
    /// True if the server or one of its administrators defined the function.
    pub(super) is_trusted: bool,
    /// The body of a function in SQL, if only the body determines its effect.
    pub(super) body: Option<String>,
    /// The expression that is planned, or the kind of the argument's type.
    pub(super) tree: Option<String>,
}

/// Builds the statements that look up the names of a statement and then set the search path for the statement itself.
pub(super) fn build_lookup_statements(names: &StatementNames, path: &SearchPath, has_jit: bool) -> String {
    let row = |(kind, schema, name): (&str, Option<&str>, &str)| {
        let schema = schema.map_or_else(|| "NULL::text".to_owned(), quote_literal);
        format!("('{kind}', {schema}, {})", quote_literal(name))
    };
    let mut asked: Vec<String> = names.lookup_names().into_iter().map(row).collect();
    // VALUES without rows is invalid SQL.
    asked.push("('nothing', NULL::text, '')".to_owned());
    let schemas: Vec<String> = path.schemas().iter().map(|name| quote_literal(name)).collect();
    let question = build_lookup_query(&asked.join(", "), &format!("ARRAY[{}]::text[]", schemas.join(", ")));
    // JIT compilation of this query takes far longer than running it.
    let (off, on) = if has_jit { ("SET LOCAL jit = off;", "SET LOCAL jit TO DEFAULT;") } else { ("", "") };
    format!("{};{off}{question};{on}{}", super::search_path::SERVERS_ONLY, path.set_statement())
}

/// Parses the rows of the response.
pub(super) fn parse_answers(messages: &[SimpleQueryMessage]) -> Vec<Reached> {
    let rows = messages.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) if row.len() == 9 => Some(row),
        _ => None,
    });
    rows.map(parse_reached).collect()
}

fn parse_reached(row: &SimpleQueryRow) -> Reached {
    let text = |index| row.get(index).unwrap_or_default().to_owned();
    Reached {
        kind: text(0),
        place: text(1),
        schema: text(2),
        function: text(3),
        volatility: text(4),
        language: text(5),
        is_trusted: row.get(6) == Some("t"),
        body: row.get(7).filter(|body| !body.trim().is_empty()).map(str::to_owned),
        tree: row.get(8).map(str::to_owned),
    }
}

/// Quotes a literal for `standard_conforming_strings`.
fn quote_literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
