//! The schemas in which a session looks for names. PostgreSQL takes the function, operator or cast that fits best, from whatever
//! schema of the path: an owner who adds one there decides what an unqualified name means.

/// Vitrine's own statements find nothing but what the server itself defines. Functions and operators are never looked for in
/// pg_temp; tables and types are looked for there first unless the path names it.
pub(super) const SERVERS_ONLY: &str = "SET LOCAL search_path = pg_catalog, pg_temp";

/// The setting that [`SERVERS_ONLY`] leaves, as the server shows it.
pub(super) const SERVERS_ONLY_SHOWN: &str = "pg_catalog, pg_temp";

/// Schemas whose tables need no schema before their names, in the order of the database's own setting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SearchPath(Vec<String>);

impl SearchPath {
    /// Takes the schemas that the server lists, without its own.
    pub(super) fn new(schemas: impl IntoIterator<Item = String>) -> Self {
        let is_servers =
            |name: &String| name == "pg_catalog" || name.starts_with("pg_temp") || name.starts_with("pg_toast");
        Self(schemas.into_iter().filter(|name| !is_servers(name)).collect())
    }

    /// Returns the schemas.
    pub(super) fn schemas(&self) -> &[String] {
        &self.0
    }

    /// Returns the statement that sets the path of a user's query: the server's own schema always comes first.
    pub(super) fn set_statement(&self) -> String {
        let named: String = self.0.iter().map(|name| format!("\"{}\", ", name.replace('"', "\"\""))).collect();
        format!("SET LOCAL search_path = pg_catalog, {named}pg_temp")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_schema_comes_first_whatever_the_owner_has_set() {
        let path = |names: &[&str]| SearchPath::new(names.iter().map(|name| (*name).to_owned())).set_statement();
        assert_eq!(
            path(&["evil", "pg_catalog", "public", "pg_temp_3"]),
            "SET LOCAL search_path = pg_catalog, \"evil\", \"public\", pg_temp"
        );
        assert_eq!(path(&["a\", b"]), "SET LOCAL search_path = pg_catalog, \"a\"\", b\", pg_temp");
        assert_eq!(path(&[]), SERVERS_ONLY);
    }
}
