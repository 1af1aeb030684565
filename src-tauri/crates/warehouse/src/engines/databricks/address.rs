//! Parsing of Databricks addresses: `databricks://HOST/WAREHOUSE/CATALOG/SCHEMA`. The warehouse may be the HTTP path
//! that Databricks displays, `sql/1.0/warehouses/ID`. A user in the address is the client id of a service principal.

use crate::server::options::{host_name, percent_decode};
use crate::server::{Protection, ServerEndpoint, ServerRules};
use crate::{ServerAddress, WarehouseKind};
use tokio_postgres::config::Host;
use url::Url;
use vitrine_words::tr;

pub(super) const PORT: u16 = 443;
/// The form of an address, for error messages.
const FORM: &str = "databricks://HOST/WAREHOUSE/CATALOG/SCHEMA";
/// The prefixes of a warehouse's id in its HTTP path.
const PATHS: [&[&str]; 2] = [&["sql", "1.0", "warehouses"], &["sql", "1.0", "endpoints"]];
/// The user name that other programs write when they sign in with a token.
const TOKEN: &str = "token";

/// The parts of a Databricks address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SqlWarehouse {
    /// The id of the SQL warehouse.
    pub id: String,
    /// The catalog with the data.
    pub catalog: String,
    /// The schema, or `None` for all schemas.
    pub schema: Option<String>,
    /// The client id of the secret; with `None`, the secret is a token.
    pub client: Option<String>,
}

/// Parses an address.
///
/// # Errors
/// Describes the problem without repeating the address.
fn parse_warehouse(url: &Url) -> Result<SqlWarehouse, String> {
    if let Some((name, _)) = url.query_pairs().next() {
        return Err(tr!("the option {name} is not supported; write the address as {form}", name, form = FORM));
    }
    let parts = path_parts(url);
    let (id, parts) = parts.split_first().ok_or_else(|| tr!("the warehouse is missing: {form}", form = FORM))?;
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if id.is_empty() || !id.chars().all(known) {
        return Err(tr!("the id of a warehouse has letters and digits: {form}", form = FORM));
    }
    let (catalog, schema) = match parts {
        [catalog] => (catalog, None),
        [catalog, schema] => (catalog, Some(schema.clone())),
        [] => return Err(tr!("the catalog is missing: {form}", form = FORM)),
        _ => return Err(tr!("write {form}", form = FORM)),
    };
    let client = Some(percent_decode(url.username())).filter(|user| !user.is_empty() && user != TOKEN);
    Ok(SqlWarehouse { id: id.clone(), catalog: catalog.clone(), schema, client })
}

/// Returns the segments of the path without the prefix of a warehouse's id.
fn path_parts(url: &Url) -> Vec<String> {
    let parts: Vec<String> =
        url.path().trim_matches('/').split('/').map(percent_decode).filter(|part| !part.is_empty()).collect();
    let before = PATHS.iter().find(|path| parts.len() > path.len() && parts.iter().zip(**path).all(|(a, b)| a == b));
    parts[before.map_or(0, |path| path.len())..].to_vec()
}

/// Returns the client id, or `token` for a sign-in with a token.
fn user_name(url: &Url) -> String {
    let user = percent_decode(url.username());
    if user.is_empty() { TOKEN.to_owned() } else { user }
}

/// Returns the catalog, followed by the schema if the address names one.
fn database_name(url: &Url) -> String {
    path_parts(url).into_iter().skip(1).collect::<Vec<_>>().join(".")
}

/// Replaces catalog and schema, in the form that [`database_name`] returns.
fn with_database(url: &mut Url, name: &str) {
    let id = path_parts(url).into_iter().next().unwrap_or_default();
    if let Ok(mut path) = url.path_segments_mut() {
        path.clear().push(&id).extend(name.split('.'));
    }
}

/// Returns the host and port of the workspace.
fn parse_endpoint(url: &Url) -> Result<ServerEndpoint, String> {
    parse_warehouse(url)?;
    Ok(ServerEndpoint { host: Host::Tcp(host_name(url)), address: None, port: url.port().unwrap_or(PORT) })
}

/// Returns the protection: encrypted and verified, except for a test server on this computer.
fn parse_protection(url: &Url) -> Protection {
    let place = ServerEndpoint { host: Host::Tcp(host_name(url)), address: None, port: 0 };
    if place.is_local() { Protection::Disable } else { Protection::Verify }
}

/// Returns the identity of the login for which a token or secret is stored.
fn password_binding(url: &Url) -> String {
    let place = parse_endpoint(url).map(|place| place.to_string()).unwrap_or_default();
    format!("databricks:{}@{place}", user_name(url))
}

/// The scheme of these addresses.
pub(super) const SCHEME: &str = "databricks";

/// The rules of Databricks addresses.
pub(crate) struct DatabricksRules;

impl ServerRules for DatabricksRules {
    fn kind(&self) -> WarehouseKind {
        WarehouseKind::Databricks
    }

    fn scheme(&self) -> &'static str {
        SCHEME
    }

    fn user_name(&self, url: &Url) -> String {
        user_name(url)
    }

    fn database_name(&self, url: &Url) -> String {
        database_name(url)
    }

    fn hosts(&self, url: &Url) -> Result<Vec<ServerEndpoint>, String> {
        parse_endpoint(url).map(|place| vec![place])
    }

    fn protection(&self, url: &Url) -> Result<Protection, String> {
        Ok(parse_protection(url))
    }

    fn password_binding(&self, url: &Url) -> String {
        password_binding(url)
    }

    fn set_database(&self, url: &mut Url, name: &str) {
        with_database(url, name);
    }

    /// The database is `CATALOG.SCHEMA`.
    fn schema_container(&self, url: &Url) -> Option<String> {
        database_name(url).split('.').next().map(str::to_owned)
    }
}

impl ServerAddress {
    /// Parses the parts of a Databricks address.
    pub(crate) fn databricks_warehouse(&self) -> Result<SqlWarehouse, String> {
        parse_warehouse(self.url())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerAddress;

    fn parse_server_address(text: &str) -> ServerAddress {
        ServerAddress::parse(text).unwrap()
    }

    #[test]
    fn an_address_is_read_in_each_of_its_forms_and_written_without_its_token() {
        let wanted =
            SqlWarehouse { id: "abc1".into(), catalog: "main".into(), schema: Some("shop".into()), client: None };
        for (text, shown) in [
            (
                "databricks://dbc-1.cloud.databricks.com/abc1/main/shop",
                "databricks://dbc-1.cloud.databricks.com/abc1/main/shop",
            ),
            (
                "databricks://token:dapi1@dbc-1.cloud.databricks.com/sql/1.0/warehouses/abc1/main/shop",
                "databricks://token@dbc-1.cloud.databricks.com/sql/1.0/warehouses/abc1/main/shop",
            ),
        ] {
            let server = parse_server_address(text);
            assert_eq!((server.to_string().as_str(), server.databricks_warehouse().unwrap()), (shown, wanted.clone()));
            assert_eq!(server.database_name(), "main.shop");
            assert!(!format!("{server:?}").contains("dapi1"));
        }
        let machine = parse_server_address("databricks://11-22:s@adb-1.azuredatabricks.net/abc1/main")
            .databricks_warehouse()
            .unwrap();
        assert_eq!((machine.client.as_deref(), machine.schema), (Some("11-22"), None));
        let other = parse_server_address("databricks://h.example/abc1/main/shop").with_database("main.other");
        assert_eq!(other.to_string(), "databricks://h.example/abc1/main/other");
    }

    #[test]
    fn a_token_is_bound_to_where_it_goes_and_who_signs_in() {
        let binding = |text: &str| parse_server_address(text).password_binding();
        let own = binding("databricks://h.example/abc1/main/shop");
        for same in
            ["databricks://token:x@h.example:443/other/main", "databricks://h.example/sql/1.0/warehouses/abc1/x"]
        {
            assert_eq!(binding(same), own, "{same}");
        }
        for other in [
            "databricks://11-22@h.example/abc1/main/shop",
            "databricks://evil.example/abc1/main/shop",
            "databricks://h.example:444/abc1/main/shop",
        ] {
            assert_ne!(binding(other), own, "{other}");
        }
        assert_eq!(parse_server_address("databricks://h.example/a/main").protection(), Ok(Protection::Verify));
        assert_eq!(parse_server_address("databricks://127.0.0.1:9/a/main").protection(), Ok(Protection::Disable));
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let error = |text: &str| ServerAddress::parse(text).unwrap_err();
        assert!(error("databricks://h.example").contains("warehouse is missing"));
        assert!(error("databricks://h.example/abc1").contains("catalog is missing"));
        assert!(error("databricks://h.example/abc1/a/b/c").contains("SCHEMA"));
        assert!(error("databricks://h.example/ab%2Fc1/main").contains("letters and digits"));
        assert!(error("databricks://h.example/abc1/main?ssh=b").contains("ssh"));
        assert!(error("databricks://h.example/abc1/main?http_path=x").contains("http_path"));
    }
}
