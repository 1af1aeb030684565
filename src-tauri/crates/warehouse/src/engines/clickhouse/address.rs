//! Parsing of ClickHouse addresses: `clickhouse://USER@HOST:PORT/DATABASE?sslmode=verify-full`.

use crate::WarehouseKind;
use crate::server::options::{host_name, percent_decode, take_option};
use crate::server::{POSTGRES_OPTIONS, Protection, ServerEndpoint, ServerRules};
use tokio_postgres::config::Host;
use url::Url;
use vitrine_words::tr;

/// The default ports for unencrypted and encrypted HTTP.
pub(super) const PORTS: [u16; 2] = [8123, 8443];
/// All known options. Any other option is refused, because it could change the server that receives the password.
const OPTIONS: [&str; 6] = ["user", "secure", "sslmode", "sslrootcert", "sslcert", "sslkey"];
/// Options whose values are part of the password's binding.
const BOUND: [&str; 3] = ["sslrootcert", "sslcert", "sslkey"];
/// System databases of the server.
const OWN: [&str; 2] = ["system", "information_schema"];

fn find_option(url: &Url, name: &str) -> Option<String> {
    take_option(&mut url.clone(), name).filter(|value| !value.is_empty())
}

/// Returns the user name; `default` if the address names none, as in ClickHouse's own programs.
fn user_name(url: &Url) -> String {
    let named = find_option(url, "user").unwrap_or_else(|| percent_decode(url.username()));
    if named.is_empty() { "default".to_owned() } else { named }
}

/// Returns the database; empty if the address names none.
fn database_name(url: &Url) -> String {
    percent_decode(url.path().trim_start_matches('/'))
}

/// Returns the host and port of the server.
fn parse_endpoint(url: &Url) -> Result<ServerEndpoint, String> {
    if let Some((name, _)) = url.query_pairs().find(|(name, _)| !OPTIONS.contains(&name.as_ref())) {
        return Err(tr!("unknown option {name}; known options are {known}", name, known = OPTIONS.join(", ")));
    }
    let database = database_name(url);
    if database.contains('/') {
        return Err(tr!("`{database}` is not the name of a database", database));
    }
    if OWN.iter().any(|own| own.eq_ignore_ascii_case(&database)) {
        return Err(tr!("`{database}` belongs to the server and contains none of your data", database));
    }
    if url.port() == Some(9000) || url.port() == Some(9440) {
        return Err(tr!(
            "port {port} is that of the native protocol; name the one for HTTP, 8123 or 8443",
            port = url.port().unwrap_or_default()
        ));
    }
    let encrypted = parse_protection(url)? != Protection::Disable;
    let port = url.port().unwrap_or(PORTS[usize::from(encrypted)]);
    Ok(ServerEndpoint { host: Host::Tcp(host_name(url)), address: None, port })
}

/// Returns the protection of the connection. HTTP has no negotiation of encryption: by default the connection is
/// encrypted, except on this computer and at the default port for unencrypted HTTP.
fn parse_protection(url: &Url) -> Result<Protection, String> {
    let names_authorities = find_option(url, "sslrootcert").is_some();
    let secure = find_option(url, "secure").map(|word| word.to_ascii_lowercase());
    let word = match (find_option(url, "sslmode").map(|word| word.to_ascii_lowercase()), secure.as_deref()) {
        (Some(word), _) => Some(word),
        (None, Some("1" | "true")) => Some("verify-full".to_owned()),
        (None, Some("0" | "false")) => Some("disable".to_owned()),
        (None, Some(word)) => return Err(tr!("secure={word} is not valid; use true or false", word)),
        (None, None) => None,
    };
    match word.as_deref() {
        None if names_authorities => Ok(Protection::Verify),
        None => {
            let place = ServerEndpoint { host: Host::Tcp(host_name(url)), address: None, port: 0 };
            let plain = url.port() == Some(PORTS[0]) || (place.is_local() && url.port() != Some(PORTS[1]));
            Ok(if plain { Protection::Disable } else { Protection::Verify })
        }
        Some("disable") => Ok(Protection::Disable),
        // An address with a certificate authority expects the server to be verified with it.
        Some("require") if names_authorities => Ok(Protection::Verify),
        Some("require") => Ok(Protection::Require),
        Some("verify-ca" | "verify-full") => Ok(Protection::Verify),
        Some(word) => Err(tr!("sslmode={word} is not valid; use disable, require, verify-ca or verify-full", word)),
    }
}

/// Returns the identity of the login for which a password is stored.
fn password_binding(url: &Url) -> String {
    let place = parse_endpoint(url).map(|place| place.to_string()).unwrap_or_default();
    let protection = match parse_protection(url) {
        Ok(Protection::Disable) => "disable",
        Ok(Protection::Require) => "require",
        _ => "verify-full",
    };
    let bound = |name: &str| find_option(url, name).map(|value| format!("&{name}={value}"));
    let others: String = BOUND.into_iter().filter_map(bound).collect();
    format!("clickhouse:{}@{place}?sslmode={protection}{others}", user_name(url))
}

/// The scheme of these addresses.
pub(super) const SCHEME: &str = "clickhouse";

/// The rules of ClickHouse addresses.
pub(crate) struct ClickhouseRules;

impl ServerRules for ClickhouseRules {
    fn kind(&self) -> WarehouseKind {
        WarehouseKind::Clickhouse
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
        parse_protection(url)
    }

    fn password_binding(&self, url: &Url) -> String {
        password_binding(url)
    }

    fn tls_options(&self) -> Option<[&'static str; 3]> {
        Some(POSTGRES_OPTIONS)
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
    fn an_address_is_written_without_its_password() {
        for (text, shown, password) in [
            ("clickhouse://ann:s%40fe+1@db.example/shop", "clickhouse://ann@db.example/shop", Some("s@fe+1")),
            ("ClickHouse://ann@db/shop?password=x&secure=true", "clickhouse://ann@db/shop?secure=true", Some("x")),
        ] {
            let server = parse_server_address(text);
            assert_eq!((server.to_string().as_str(), server.password()), (shown, password));
            assert!(!format!("{server:?}").contains("s@fe"));
        }
    }

    #[test]
    fn a_login_says_who_where_and_which_database() {
        let login = |text: &str| parse_server_address(text).passfile_entries()[0].join(" ");
        assert_eq!(login("clickhouse://ann@db.example/shop"), "db.example 8443 shop ann");
        assert_eq!(login("clickhouse://ann@db.example/shop?sslmode=disable"), "db.example 8123 shop ann");
        assert_eq!(login("clickhouse://localhost"), "localhost 8123  default");
        assert_eq!(login("clickhouse://a%20b@[::1]:7/sh%20op"), "::1 7 sh op a b");
    }

    #[test]
    fn without_a_word_only_this_machine_and_the_plain_port_are_not_encrypted() {
        for (text, wanted) in [
            ("clickhouse://db.example/d", Protection::Verify),
            ("clickhouse://db.example:8443/d", Protection::Verify),
            ("clickhouse://db.example:9999/d", Protection::Verify),
            ("clickhouse://db.example:8123/d", Protection::Disable),
            ("clickhouse://127.0.0.1:9999/d", Protection::Disable),
            ("clickhouse://localhost:8443/d", Protection::Verify),
            ("clickhouse://localhost:1/d?sslmode=require", Protection::Require),
            ("clickhouse://localhost:1/d?sslmode=require&sslrootcert=/ca.pem", Protection::Verify),
            ("clickhouse://db.example/d?secure=0", Protection::Disable),
        ] {
            assert_eq!(parse_server_address(text).protection(), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn a_password_is_bound_to_where_it_goes_and_how() {
        let binding = |text: &str| parse_server_address(text).password_binding();
        let own = binding("clickhouse://ann@db.example/shop");
        for same in ["clickhouse://ann:word@db.example:8443/other", "clickhouse://db.example/?user=ann&secure=1"] {
            assert_eq!(binding(same), own, "{same}");
        }
        for other in [
            "clickhouse://bob@db.example/shop",
            "clickhouse://ann@db.example:8444/shop",
            "clickhouse://ann@evil.example/shop",
            "clickhouse://ann@db.example:8443/shop?sslmode=disable",
            "clickhouse://ann@db.example/shop?sslmode=require",
            "clickhouse://ann@db.example/shop?sslrootcert=/ca.pem",
        ] {
            assert_ne!(binding(other), own, "{other}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let error = |text: &str| ServerAddress::parse(text).unwrap_err();
        assert!(error("clickhouse://ann@h/d?sslmode=prefer").contains("prefer"));
        assert!(error("clickhouse://ann@h/d?secure=maybe").contains("maybe"));
        assert!(error("clickhouse://ann@h/d?ssh=b").contains("ssh"));
        assert!(error("clickhouse://ann@h/d?readonly=0").contains("readonly"));
        assert!(error("clickhouse://ann@h/d?sslcert=/x").contains("sslkey"));
        assert!(error("clickhouse://ann@h:9000/d").contains("8123"));
        assert!(error("clickhouse://ann@h/system").contains("belongs to the server"));
        assert!(error("clickhouse://ann@h/a/b").contains("not the name"));
        for hidden in ["12/hid@", "12?hid@", "12#hid@"] {
            let said = error(&format!("clickhouse://ann:{hidden}host/shop"));
            assert!(said.contains("%2F") && !said.contains("hid"), "{said}");
        }
    }
}
