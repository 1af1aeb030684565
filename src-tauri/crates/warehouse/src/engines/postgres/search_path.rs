//! The schemas in which a session resolves names. PostgreSQL chooses the best matching function, operator or cast from
//! all schemas of the path, so an owner who adds one there changes the meaning of an unqualified name.

/// Restricts Vitrine's own statements to the server's own objects. Functions and operators are never resolved in
/// pg_temp; tables and types are resolved there first unless the path contains it.
pub(super) const SERVERS_ONLY: &str = "SET LOCAL search_path = pg_catalog, pg_temp";

/// The search path that [`SERVERS_ONLY`] sets, as the server displays it.
pub(super) const SERVERS_ONLY_SHOWN: &str = "pg_catalog, pg_temp";

/// Schemas whose tables need no qualified name, in the order of the database's own setting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SearchPath(Vec<String>);

impl SearchPath {
    /// Creates a path from the schemas that the server lists, without the server's own.
    pub(super) fn new(schemas: impl IntoIterator<Item = String>) -> Self {
        let is_servers =
            |name: &String| name == "pg_catalog" || name.starts_with("pg_temp") || name.starts_with("pg_toast");
        Self(schemas.into_iter().filter(|name| !is_servers(name)).collect())
    }

    /// Returns the schemas in the order of the path.
    pub(super) fn schemas(&self) -> &[String] {
        &self.0
    }

    /// Returns the statement that sets the path for a user's query. The server's own schema always comes first.
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
