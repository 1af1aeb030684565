//! Parsing of MySQL and MariaDB addresses.

use crate::WarehouseKind;
use crate::server::options::{host_name, percent_decode, take_option};
use crate::server::{MYSQL_OPTIONS, Protection, ServerEndpoint, ServerRules};
use tokio_postgres::config::Host;
use url::Url;
use vitrine_words::tr;

pub(super) const PORT: u16 = 3306;
/// All known options. Any other option is refused, because it could change the server that receives the password.
const OPTIONS: [&str; 9] = ["user", "socket", "ssl-mode", "sslmode", "ssl-ca", "ssl-cert", "ssl-key", "ssh", "ssh_key"];
/// Options whose values are part of the password's binding.
const BOUND: [&str; 4] = ["ssl-ca", "ssl-cert", "ssl-key", "ssh"];

fn find_option(url: &Url, name: &str) -> Option<String> {
    take_option(&mut url.clone(), name).filter(|value| !value.is_empty())
}

/// Returns the user name. [`parse_endpoint`] fails if it is empty.
fn user_name(url: &Url) -> String {
    find_option(url, "user").unwrap_or_else(|| percent_decode(url.username()))
}

/// Returns the database; empty if the address names none.
fn database_name(url: &Url) -> String {
    percent_decode(url.path().trim_start_matches('/'))
}

/// Returns the location of the server: a socket on this computer, or a host and a port.
fn parse_endpoint(url: &Url) -> Result<ServerEndpoint, String> {
    if let Some((name, _)) = url.query_pairs().find(|(name, _)| !OPTIONS.contains(&name.as_ref())) {
        return Err(tr!("unknown option {name}; known options are {known}", name, known = OPTIONS.join(", ")));
    }
    if user_name(url).is_empty() {
        return Err(tr!("the user is missing: {form}", form = "mysql://USER@HOST:PORT/DATABASE"));
    }
    let database = database_name(url);
    if database.contains('/') {
        return Err(tr!("`{database}` is not the name of a database", database));
    }
    if ["mysql", "performance_schema", "sys", "information_schema"]
        .iter()
        .any(|own| own.eq_ignore_ascii_case(&database))
    {
        return Err(tr!("`{database}` belongs to the server and contains none of your data", database));
    }
    let host = match find_option(url, "socket") {
        #[cfg(unix)]
        Some(path) if path.starts_with('/') => Host::Unix(path.into()),
        Some(path) => return Err(tr!("`{path}` is not the path of a socket", path)),
        None => Host::Tcp(host_name(url)),
    };
    Ok(ServerEndpoint { host, address: None, port: url.port().unwrap_or(PORT) })
}

/// Returns the protection, named as in MySQL's programs or as in PostgreSQL's.
fn parse_protection(url: &Url) -> Result<Protection, String> {
    let names_authorities = find_option(url, "ssl-ca").is_some();
    let Some(word) = find_option(url, "ssl-mode").or_else(|| find_option(url, "sslmode")) else {
        return Ok(if names_authorities { Protection::Verify } else { Protection::Prefer });
    };
    match word.to_ascii_lowercase().replace('_', "-").as_str() {
        "disabled" | "disable" => Ok(Protection::Disable),
        "preferred" | "prefer" | "allow" => Ok(Protection::Prefer),
        // An address with a certificate authority expects the server to be verified with it.
        "required" | "require" if names_authorities => Ok(Protection::Verify),
        "required" | "require" => Ok(Protection::Require),
        "verify-ca" | "verify-identity" | "verify-full" => Ok(Protection::Verify),
        _ => Err(tr!(
            "ssl-mode={word} is not valid; use DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY",
            word
        )),
    }
}

/// Returns the identity of the login for which a password is stored.
fn password_binding(url: &Url) -> String {
    let place = parse_endpoint(url).map(|place| place.to_string()).unwrap_or_default();
    let protection = match parse_protection(url) {
        Ok(Protection::Disable) => "DISABLED",
        Ok(Protection::Require) => "REQUIRED",
        Ok(Protection::Verify) => "VERIFY_IDENTITY",
        Ok(Protection::Prefer) | Err(_) => "PREFERRED",
    };
    let bound = |name: &str| find_option(url, name).map(|value| format!("&{name}={value}"));
    let others: String = BOUND.into_iter().filter_map(bound).collect();
    format!("mysql:{}@{place}?ssl-mode={protection}{others}", user_name(url))
}

/// The schemes of these addresses; they are written with the first one.
pub(super) const SCHEMES: &[&str] = &["mysql", "mariadb"];

/// The rules of MySQL and MariaDB addresses.
pub(crate) struct MysqlRules;

impl ServerRules for MysqlRules {
    fn kind(&self) -> WarehouseKind {
        WarehouseKind::Mysql
    }

    fn scheme(&self) -> &'static str {
        SCHEMES[0]
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
        Some(MYSQL_OPTIONS)
    }
}

#[cfg(test)]
mod tests {
    use crate::ServerAddress;

    fn parse_server_address(text: &str) -> ServerAddress {
        ServerAddress::parse(text).unwrap()
    }

    #[test]
    fn an_address_is_written_without_its_password_and_under_one_scheme() {
        for (text, shown, password) in [
            ("mariadb://ann:s%40fe+1@db.example:3307/shop", "mysql://ann@db.example:3307/shop", Some("s@fe+1")),
            ("MySQL://ann@db/shop?password=x&ssl-mode=REQUIRED", "mysql://ann@db/shop?ssl-mode=REQUIRED", Some("x")),
            ("mysql://ann@[::1]/", "mysql://ann@[::1]/", None),
        ] {
            let server = parse_server_address(text);
            assert_eq!((server.to_string().as_str(), server.password()), (shown, password));
            assert!(!format!("{server:?}").contains("s@fe"));
        }
    }

    #[test]
    fn a_login_says_who_where_and_which_database() {
        let login = |text: &str| parse_server_address(text).passfile_entries()[0].join(" ");
        assert_eq!(login("mysql://ann@db.example/shop"), "db.example 3306 shop ann");
        assert_eq!(login("mysql://a%20b@[::1]:7/sh%20op"), "::1 7 sh op a b");
        assert_eq!(login("mysql://ann@localhost/shop?socket=/run/mysqld/mysqld.sock"), "localhost 3306 shop ann");
    }

    #[test]
    fn a_password_is_bound_to_where_it_goes_and_how() {
        let binding = |text: &str| parse_server_address(text).password_binding();
        let own = binding("mysql://ann@db.example/shop");
        for same in ["mariadb://ann:word@db.example:3306/other", "mysql://db.example/?user=ann&sslmode=prefer"] {
            assert_eq!(binding(same), own, "{same}");
        }
        for other in [
            "mysql://bob@db.example/shop",
            "mysql://ann@db.example:3307/shop",
            "mysql://ann@evil.example/shop",
            "mysql://ann@db.example/shop?socket=/tmp/x",
            "mysql://ann@db.example/shop?ssl-mode=DISABLED",
            "mysql://ann@db.example/shop?ssl-mode=VERIFY_IDENTITY",
            "mysql://ann@db.example/shop?ssh=ann@bastion",
            "mysql://ann@db.example/shop?ssl-ca=/ca.pem",
            "mysql://ann@db.example/shop?ssl-cert=/a.pem&ssl-key=/a.key",
            "postgresql://ann@db.example:3306/shop",
        ] {
            assert_ne!(binding(other), own, "{other}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let error = |text: &str| ServerAddress::parse(text).unwrap_err();
        assert!(error("mysql://ann@h/d?ssl-mode=maybe").contains("maybe"));
        assert!(error("mysql://ann@h/d?ssl-crl=x").contains("ssl-crl"));
        assert!(error("mysql://ann@h/d?ssl-cert=x").contains("ssl-key=PATH"));
        assert!(error("mysql://h/d").contains("USER@HOST"));
        assert!(error("mysql://ann@h/mysql").contains("belongs to the server"));
        assert!(error("mysql:shop").contains("mysql://"));
        assert!(error("mysql://ann@h/d?socket=/run/s&ssh=b").contains("through ssh"));
        for hidden in ["12/hid@", "12?hid@", "12#hid@"] {
            let said = error(&format!("mysql://ann:{hidden}host/shop"));
            assert!(said.contains("%2F") && !said.contains("hid"), "{said}");
        }
    }
}
