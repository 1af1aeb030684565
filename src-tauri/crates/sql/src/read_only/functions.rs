//! Allowed functions. Unlisted functions are rejected: an engine's list of functions grows with every version and
//! extension, and some of them read files, open connections or run other SQL.

use super::instead::suggest_replacement;
use crate::dialect::{DialectExt, FileName};
use crate::parse::SqlRejection;
use crate::rejection::Instead;
use std::collections::BTreeSet;
use std::sync::Arc;
use vitrine_domain::{Dialect, OwnFunction};
use vitrine_words::later;

/// Aggregate functions of all dialects.
const AGGREGATES: &str = include_str!("aggregates.txt");

/// Functions that queries of one database may call: the built-in list without names that the database redefines, and
/// user-defined functions that the user allowed by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AllowedFunctions {
    named: Arc<BTreeSet<String>>,
    own: Arc<[OwnFunction]>,
    /// Names of existing tables that could also refer to a file or a function.
    tables: Arc<[Vec<String>]>,
    /// True if tables, permissions and definitions may be read as well.
    catalog: bool,
}

impl AllowedFunctions {
    /// Creates the list from names such as `margin` or `sales.margin`, in any case.
    ///
    /// # Errors
    /// The first text that is not a name, or that names a function known to access more than the data.
    pub fn new<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Result<Self, SqlRejection> {
        let mut allowed = BTreeSet::new();
        for name in names {
            let name = name.as_ref().trim().to_lowercase();
            let plain = |part: &str| {
                part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
                    && part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            };
            let last = name.rsplit('.').next().unwrap_or_default();
            if name.split('.').count() > 3 || !name.split('.').all(plain) {
                return Err(SqlRejection::NotAName { name });
            }
            if reaches_out(last) {
                return Err(SqlRejection::NeverAllowed { name });
            }
            allowed.insert(name);
        }
        Ok(Self { named: Arc::new(allowed), ..Self::default() })
    }

    /// Returns the same list for a database with these user-defined functions.
    pub fn with_own_functions(&self, own: &[OwnFunction]) -> Self {
        Self { own: own.into(), ..self.clone() }
    }

    /// Returns the same list for a query that a user wrote: it may also read the descriptions that the server shows to
    /// that user.
    pub fn with_catalog(self) -> Self {
        Self { catalog: true, ..self }
    }

    /// Returns the same list without permission to read descriptions.
    pub(super) fn without_catalog(&self) -> Self {
        Self { catalog: false, ..self.clone() }
    }

    /// Returns the same list for a database with tables whose names could also refer to files or functions. Each name
    /// consists of its parts, as a query may write it.
    pub fn with_tables(&self, tables: Vec<Vec<String>>) -> Self {
        Self { tables: tables.into(), ..self.clone() }
    }

    /// Returns true if descriptions of the database may be read.
    pub fn reads_catalog(&self) -> bool {
        self.catalog
    }

    /// Returns true if a function may be called because it only describes the database. `name` is in lower case.
    pub(super) fn describes_catalog(&self, name: &str, as_table: bool, dialect: Dialect) -> bool {
        self.catalog && dialect.sql().is_descriptive_function(name, as_table)
    }

    /// Returns true if a table of exactly this name exists, so that the engine does not interpret the name as a file or
    /// function.
    pub(super) fn is_table(&self, parts: &[&str]) -> bool {
        let is_this = |table: &Vec<String>| {
            table.len() == parts.len() && table.iter().zip(parts).all(|(own, part)| own.eq_ignore_ascii_case(part))
        };
        self.tables.iter().any(is_this)
    }

    /// Returns true if a name is that of a pragma read as a table, unless a table has this name or the pragma only
    /// describes the database.
    pub(super) fn is_refused_pragma(&self, parts: &[&str], dialect: Dialect) -> bool {
        let name = parts.last().map(|last| last.to_ascii_lowercase()).unwrap_or_default();
        dialect.sql().reads_pragmas_as_tables()
            && name.starts_with("pragma_")
            && !self.is_table(parts)
            && !self.describes_catalog(&name, true, dialect)
    }

    /// Returns true if the engine may read a table name as a file or an address. `is_text` is true for a name in single
    /// quotes.
    pub(super) fn is_file(&self, parts: &[&str], is_text: bool, dialect: Dialect) -> bool {
        match dialect.sql().file_name(parts, is_text) {
            FileName::Never => false,
            FileName::WithoutTable => !self.is_table(parts),
            FileName::Always => true,
        }
    }

    /// Returns true if the user allowed the function with these name parts.
    pub fn allows_function(&self, parts: &[&str]) -> bool {
        self.contains_name(parts)
    }

    /// Iterates over the user's allowed names, in lower case and sorted.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(String::as_str)
    }

    /// Returns true if a function with these name parts is allowed. An allowed name without a schema matches any
    /// schema.
    fn contains_name(&self, parts: &[&str]) -> bool {
        if self.named.is_empty() {
            return false;
        }
        let parts: Vec<String> = parts.iter().map(|part| part.to_lowercase()).collect();
        (0..parts.len()).any(|from| self.named.contains(&parts[from..].join(".")))
    }

    /// Checks that a call of the function with these name parts only computes.
    ///
    /// # Errors
    /// The reason why it may not be called.
    pub(crate) fn check_call(&self, parts: &[&str], as_table: bool, dialect: Dialect) -> Result<(), SqlRejection> {
        let last = parts.last().copied().unwrap_or_default().to_lowercase();
        let listed = if as_table { table_allowed(&last, dialect) } else { scalar_allowed(&last, dialect) };
        let listed = listed || self.describes_catalog(&last, as_table, dialect);
        let before = parts.len().saturating_sub(1);
        let qualifier: Vec<String> = parts[..before].iter().map(|part| part.to_lowercase()).collect();
        let refused = |instead| Err(SqlRejection::Function { name: parts.join(".").to_lowercase(), instead });
        let is_search =
            as_table && dialect.sql().searches_tables_by_call() && self.is_table(parts) && !reaches_out(&last);
        if self.contains_name(parts) || is_search {
            return Ok(());
        }
        if !listed {
            return refused(suggest_replacement(&last, dialect));
        }
        if !qualifier.is_empty() && !dialect.sql().is_system_schema(&qualifier) {
            return refused(Instead::Advice(later!("where it only computes, allow it by name")));
        }
        if qualifier.is_empty() && self.own.iter().any(|own| own.name == last) {
            return refused(dialect.sql().own_function_advice());
        }
        Ok(())
    }

    /// Checks that a cast to a type of this name, in lower case, neither calls a user-defined function nor looks up an
    /// object of the database.
    ///
    /// # Errors
    /// The reason why the cast is not allowed.
    pub(super) fn check_type(&self, name: &str, dialect: Dialect) -> Result<(), SqlRejection> {
        const CALLED: Instead = Instead::Advice(later!("casting to this type calls a function of the database's own"));
        if !self.catalog && dialect.sql().is_descriptive_type(name) {
            return Err(SqlRejection::Description { name: name.to_owned() });
        }
        if !self.contains_name(&[name]) && self.own.iter().any(|own| own.name == name) {
            return Err(SqlRejection::Function { name: name.to_owned(), instead: CALLED });
        }
        Ok(())
    }

    /// Returns true if a user-defined function can be called on a row as if it were a column: `t.name`.
    pub fn is_called_on_rows(&self, name: &str) -> bool {
        !self.contains_name(&[name]) && self.own.iter().any(|own| own.on_rows && own.name == name.to_lowercase())
    }
}

/// Returns true if a function is known to read files, open connections, run other SQL or change something. These cannot
/// be allowed by name, because no question needs them.
pub(super) fn reaches_out(name: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "__internal_",
        "ai_",
        "cloud_",
        "copy_",
        "crdb_",
        "dblink",
        "duckdb_",
        "fts3_",
        "http",
        "iceberg_",
        "install_",
        "json_execute",
        "json_serialize",
        "json_deserialize",
        "lo_",
        "load_",
        "md_",
        "mysql_",
        "parquet_",
        "pg_",
        "postgres_",
        "pragma_",
        "prompt_",
        "query_to_",
        "read_",
        "sniff_",
        "sqlite_",
        "st_read",
        "system$",
        "table_to_",
        "cursor_to_",
        "schema_to_",
        "database_to_",
        "which_secret",
        "sp_",
        "xp_",
    ];
    const NAMES: &[&str] = &[
        "add_parquet_key",
        "arrow_scan",
        "brin_summarize_new_values",
        "current_setting",
        "currval",
        "catboostevaluate",
        "cluster",
        "clusterallreplicas",
        "delta_scan",
        "edit",
        "embedding",
        "eval",
        "exec",
        "execute",
        "executable",
        "external_query",
        "file",
        "filecluster",
        "fsdir",
        "gcs",
        "getenv",
        "getvariable",
        "gin_clean_pending_list",
        "glob",
        "hdfs",
        "identifier",
        "java_method",
        "jdbc",
        "lastval",
        "list_secrets",
        "mongodb",
        "mysql",
        "nextval",
        "odbc",
        "open",
        "opendatasource",
        "openquery",
        "openrowset",
        "openxml",
        "parquet_scan",
        "postgresql",
        "prompt",
        "query",
        "query_table",
        "readfile",
        "redis",
        "reflect",
        "remote",
        "remote_query",
        "remotesecure",
        "s3",
        "s3cluster",
        "secret",
        "set_config",
        "setseed",
        "setval",
        "shell",
        "shellfs",
        "sleep",
        "sleepeachrow",
        "system",
        "try_reflect",
        "try_secret",
        "ts_stat",
        "txid_current",
        "url",
        "urlcluster",
        "vector_search",
        "writefile",
        "xpath_table",
        "zipfile",
    ];
    BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) || NAMES.contains(&name)
}

/// Returns true if a scalar function may be called. `name` is the last part, in any case.
pub(crate) fn scalar_allowed(name: &str, dialect: Dialect) -> bool {
    dialect.sql().is_scalar_function(&name.to_ascii_lowercase())
}

/// Returns true if a table function may be called.
pub(crate) fn table_allowed(name: &str, dialect: Dialect) -> bool {
    dialect.sql().is_table_function(&name.to_ascii_lowercase())
}

/// Returns true if a function is an aggregate.
pub fn is_aggregate(name: &str) -> bool {
    AGGREGATES.split_whitespace().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pure_functions_pass_and_reaching_ones_do_not() {
        for (dialect, name) in [
            (Dialect::Duckdb, "list_transform"),
            (Dialect::Duckdb, "STRFTIME"),
            (Dialect::Sqlite, "json_extract"),
            (Dialect::Sqlite, "Group_Concat"),
            (Dialect::Postgres, "to_char"),
            (Dialect::Snowflake, "parse_json"),
            (Dialect::Bigquery, "safe_divide"),
        ] {
            assert!(scalar_allowed(name, dialect), "{name}");
        }
        for name in [
            "read_csv",
            "read_text",
            "glob",
            "getenv",
            "pragma_table_info",
            "query",
            "query_table",
            "nextval",
            "current_setting",
            "json_execute_serialized_sql",
            "duckdb_secrets",
            "parquet_scan",
            "sqlite_scan",
            "st_read",
            "add_parquet_key",
            "which_secret",
            "histogram_values",
        ] {
            assert!(!scalar_allowed(name, Dialect::Duckdb), "{name}");
            assert!(!table_allowed(name, Dialect::Duckdb), "{name}");
        }
        for name in
            ["load_extension", "writefile", "readfile", "edit", "fts3_tokenizer", "zipfile", "sqlite_log", "eval"]
        {
            assert!(!scalar_allowed(name, Dialect::Sqlite), "{name}");
        }
        for name in
            ["pg_read_file", "dblink", "lo_import", "pg_sleep", "set_config", "pg_ls_dir", "query_to_xml", "nextval"]
        {
            assert!(!scalar_allowed(name, Dialect::Postgres), "{name}");
        }
        assert!(!scalar_allowed("system$cancel_query", Dialect::Snowflake));
    }

    #[test]
    fn a_companys_own_functions_are_allowed_by_name() {
        let allowed = AllowedFunctions::new(["Sales.Margin", " fiscal_year "]).unwrap();
        assert!(allowed.contains_name(&["sales", "MARGIN"]) && allowed.contains_name(&["shop", "sales", "margin"]));
        assert!(!allowed.contains_name(&["margin"]) && !allowed.contains_name(&["other", "margin"]));
        assert!(allowed.contains_name(&["fiscal_year"]) && allowed.contains_name(&["main", "fiscal_year"]));
        for name in ["", "a b", "a.b.c.d", "a..b", "x'", "f()", "1a"] {
            assert!(matches!(AllowedFunctions::new([name]), Err(SqlRejection::NotAName { .. })), "{name}");
        }
        for name in [
            "pg_read_file",
            "public.dblink_exec",
            "LO_IMPORT",
            "load_extension",
            "read_csv_auto",
            "main.query_table",
            "pg_catalog.set_config",
            "getenv",
            "nextval",
            "pragma_table_info",
            "json_execute_serialized_sql",
            "md_user_info",
            "prompt",
            "prompt_query",
            "embedding",
        ] {
            assert!(matches!(AllowedFunctions::new([name]), Err(SqlRejection::NeverAllowed { .. })), "{name}");
        }
    }

    #[test]
    fn aggregates_are_known_in_any_case() {
        for name in ["COUNT", "sum", "any_value", "variance", "json_group_array", "count_if", "countif", "count_star"] {
            assert!(is_aggregate(name), "{name}");
        }
        assert!(!is_aggregate("lower"));
    }
}
