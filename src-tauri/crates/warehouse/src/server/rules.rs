//! The rules by which the addresses of one kind of server are read. Each engine implements them in its folder.

use super::place::{Protection, ServerEndpoint};
use crate::WarehouseKind;
use std::hash::{Hash, Hasher};
use url::Url;
use vitrine_words::tr;

/// The rules of the addresses of one kind of server. The URL has no password.
pub(crate) trait ServerRules: Send + Sync {
    /// Returns the kind of the server.
    fn kind(&self) -> WarehouseKind;
    /// Returns the scheme with which addresses are written.
    fn scheme(&self) -> &'static str;
    /// Returns the name of the user.
    fn user_name(&self, url: &Url) -> String;
    /// Returns the name of the database; empty if the address names a whole server.
    fn database_name(&self, url: &Url) -> String;
    /// Returns the hosts of the server, in the order in which they are tried. Fails if a part of the address is invalid.
    fn hosts(&self, url: &Url) -> Result<Vec<ServerEndpoint>, String>;
    /// Returns the protection of the connection.
    fn protection(&self, url: &Url) -> Result<Protection, String>;
    /// Returns the identity of the login for which a password is stored.
    fn password_binding(&self, url: &Url) -> String;
    /// Replaces the database, in the form that [`Self::database_name`] returns.
    fn set_database(&self, url: &mut Url, name: &str) {
        url.set_path(&format!("/{name}"));
    }
    /// Returns the option names for the certificate authorities, the client certificate and its key.
    fn tls_options(&self) -> Option<[&'static str; 3]> {
        None
    }
    /// Rewrites the text after the scheme so that it is a URL.
    fn normalize(&self, rest: &str) -> String {
        rest.to_owned()
    }
    /// Returns the error for an address without a host; `None` for the message of the URL parser.
    fn missing_host(&self) -> Option<String> {
        None
    }
    /// Checks that an address with an SSH host has no options that a tunnel cannot honour.
    fn check_tunnel(&self, _url: &Url) -> Result<(), String> {
        Ok(())
    }
    /// Returns the project, database or catalog of the schemas if table names have three parts.
    fn schema_container(&self, _url: &Url) -> Option<String> {
        None
    }
    /// Returns the name of the driver that connects to the server.
    fn driver_name(&self) -> Option<&'static str> {
        None
    }
    /// Returns the configuration for PostgreSQL's driver, without the password, if the server has its protocol.
    fn postgres_config(&self, _url: &Url) -> Result<tokio_postgres::Config, String> {
        Err(tr!("`{scheme}` names no kind of server", scheme = self.scheme()))
    }
}

impl PartialEq for dyn ServerRules {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind()
    }
}

impl Eq for dyn ServerRules {}

impl Hash for dyn ServerRules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
    }
}
