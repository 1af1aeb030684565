//! Parsing of Snowflake addresses: `snowflake://USER@ACCOUNT/DATABASE/SCHEMA?warehouse=W&role=R`.

use crate::server::options::{percent_decode, strip_brackets, take_option};
use crate::server::{Protection, ServerEndpoint, ServerRules};
use crate::{ServerAddress, WarehouseKind};
use std::net::IpAddr;
use std::path::PathBuf;
use tokio_postgres::config::Host;
use url::Url;
use vitrine_words::tr;

/// All known options. Any other option is refused, because it would become a session parameter.
const OPTIONS: [&str; 6] = ["user", "warehouse", "role", "authenticator", "private_key_file", "endpoint"];
/// The domain of the accounts' hosts.
const DOMAIN: &str = ".snowflakecomputing.com";

/// The kinds of sign-in, named as in Snowflake's own programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignIn {
    /// The password of the user.
    Password,
    /// A programmatic access token in place of the password.
    Token,
    /// An OAuth token in place of the password.
    OauthToken,
    /// A key in a file. Its passphrase is stored as the password.
    Key,
    /// The browser of this computer.
    Browser,
}

impl SignIn {
    const WORDS: [(&'static str, Self); 5] = [
        ("snowflake", Self::Password),
        ("programmatic_access_token", Self::Token),
        ("oauth", Self::OauthToken),
        ("snowflake_jwt", Self::Key),
        ("externalbrowser", Self::Browser),
    ];
}

/// The parts of a Snowflake address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Account {
    /// The account identifier: `ORGANISATION-ACCOUNT`, or the older `ab12345.eu-central-1`.
    pub account: String,
    /// The name of the user.
    pub user: String,
    /// The name of the database.
    pub database: String,
    /// The schema, or `None` for all schemas.
    pub schema: Option<String>,
    /// The virtual warehouse that runs queries.
    pub warehouse: Option<String>,
    /// The role, or `None` for the user's default role.
    pub role: Option<String>,
    /// The kind of sign-in, password by default.
    pub sign_in: SignIn,
    /// The key file of [`SignIn::Key`].
    pub key_file: Option<PathBuf>,
    /// An emulator on this computer, in place of Snowflake.
    pub endpoint: Option<ServerEndpoint>,
}

fn find_option(url: &Url, name: &str) -> Option<String> {
    take_option(&mut url.clone(), name).filter(|value| !value.is_empty())
}

/// Returns the error for an address without an account.
fn no_account() -> String {
    tr!("the account is missing: {form}", form = FORM)
}

/// The form of an address, for error messages.
const FORM: &str = "snowflake://USER@ACCOUNT/DATABASE/SCHEMA";

/// Parses an address.
///
/// # Errors
/// Describes the problem without repeating the address.
fn parse_account(url: &Url) -> Result<Account, String> {
    if let Some((name, _)) = url.query_pairs().find(|(name, _)| !OPTIONS.contains(&name.as_ref())) {
        return Err(tr!("unknown option {name}; known options are {known}", name, known = OPTIONS.join(", ")));
    }
    let host = url.host_str().map(percent_decode).unwrap_or_default();
    let host = host.to_ascii_lowercase();
    let account = host.strip_suffix(DOMAIN).unwrap_or(&host).to_owned();
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if account.is_empty() || !account.chars().all(known) || account.starts_with(['-', '.']) {
        return Err(no_account());
    }
    if url.port().is_some() {
        return Err(tr!("an account has no port"));
    }
    let user = user_name(url);
    if user.is_empty() {
        return Err(tr!("the user is missing: {form}", form = FORM));
    }
    let mut parts = url.path().trim_matches('/').split('/').map(percent_decode);
    let database = parts.next().filter(|part| !part.is_empty());
    let database = database.ok_or_else(|| tr!("the database is missing: {form}", form = FORM))?;
    let schema = parts.next().filter(|part| !part.is_empty());
    if parts.next().is_some() {
        return Err(tr!("write {form}", form = FORM));
    }
    let key_file = match find_option(url, "private_key_file").map(PathBuf::from) {
        Some(path) if !path.is_absolute() => {
            return Err(tr!("{key} is to be the whole path of a file", key = "private_key_file"));
        }
        other => other,
    };
    let word = find_option(url, "authenticator").map(|word| word.to_ascii_lowercase());
    let sign_in = match (&word, &key_file) {
        (None, None) => SignIn::Password,
        (None, Some(_)) => SignIn::Key,
        (Some(word), key_file) => {
            let known = SignIn::WORDS.into_iter().find(|(known, _)| known == word).map(|(_, sign_in)| sign_in);
            let all = SignIn::WORDS.map(|(word, _)| word).join(", ");
            let sign_in = known.ok_or_else(|| tr!("authenticator={word} is not valid; use one of {all}", word, all))?;
            if (sign_in == SignIn::Key) != key_file.is_some() {
                return Err(tr!("authenticator=snowflake_jwt and private_key_file=PATH belong together"));
            }
            sign_in
        }
    };
    Ok(Account {
        account,
        user,
        database,
        schema,
        warehouse: find_option(url, "warehouse"),
        role: find_option(url, "role"),
        sign_in,
        key_file,
        endpoint: find_option(url, "endpoint").map(|text| parse_emulator_endpoint(&text)).transpose()?,
    })
}

/// Returns the user name. [`parse_account`] fails if it is empty.
fn user_name(url: &Url) -> String {
    find_option(url, "user").unwrap_or_else(|| percent_decode(url.username()))
}

/// Returns the name of the database.
fn database_name(url: &Url) -> String {
    percent_decode(url.path().trim_matches('/').split('/').next().unwrap_or_default())
}

/// Returns the host and port of the account.
fn parse_endpoint(url: &Url) -> Result<ServerEndpoint, String> {
    let account = parse_account(url)?;
    let host = Host::Tcp(format!("{}{DOMAIN}", account.account));
    Ok(account.endpoint.unwrap_or(ServerEndpoint { host, address: None, port: 443 }))
}

/// Returns the identity of the login for which a password, token or passphrase is stored: the account, the user, the
/// kind of sign-in and the host.
fn password_binding(url: &Url) -> String {
    let place = parse_endpoint(url).map(|place| place.to_string()).unwrap_or_default();
    let bound = |name: &str| find_option(url, name).map(|value| format!("&{name}={value}"));
    let others: String = ["authenticator", "private_key_file"].into_iter().filter_map(bound).collect();
    format!("snowflake:{}@{place}{}", user_name(url), others.replacen('&', "?", 1))
}

/// Parses the address of an emulator. It must be on this computer, because an endpoint elsewhere would receive the
/// queries and the password.
fn parse_emulator_endpoint(text: &str) -> Result<ServerEndpoint, String> {
    let wrong = || tr!("endpoint is for emulators on this computer alone: http://localhost:PORT");
    let url = Url::parse(text).map_err(|_| wrong())?;
    let host = strip_brackets(url.host_str().unwrap_or_default()).to_owned();
    let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    let plain = url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.path() == "/";
    match (url.scheme(), url.port()) {
        ("http", Some(port)) if is_here && plain => Ok(ServerEndpoint { host: Host::Tcp(host), address: None, port }),
        _ => Err(wrong()),
    }
}

/// The scheme of these addresses.
pub(super) const SCHEME: &str = "snowflake";

/// The rules of Snowflake addresses.
pub(crate) struct SnowflakeRules;

impl ServerRules for SnowflakeRules {
    fn kind(&self) -> WarehouseKind {
        WarehouseKind::Snowflake
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

    /// The driver always encrypts and verifies the certificate, independent of the address.
    fn protection(&self, _: &Url) -> Result<Protection, String> {
        Ok(Protection::Verify)
    }

    fn password_binding(&self, url: &Url) -> String {
        password_binding(url)
    }

    fn missing_host(&self) -> Option<String> {
        Some(no_account())
    }

    fn schema_container(&self, url: &Url) -> Option<String> {
        Some(database_name(url))
    }

    fn driver_name(&self) -> Option<&'static str> {
        Some(SCHEME)
    }
}

impl ServerAddress {
    /// Parses the parts of a Snowflake address.
    pub(crate) fn snowflake_account(&self) -> Result<Account, String> {
        parse_account(self.url())
    }
}

#[cfg(test)]
mod tests {
    use super::SignIn;
    use crate::ServerAddress;

    fn parse_server_address(text: &str) -> ServerAddress {
        ServerAddress::parse(text).unwrap()
    }

    #[test]
    fn an_address_is_written_without_its_password() {
        for (text, shown, password) in [
            (
                "snowflake://ann:s%40fe@my_org-shop/SHOP/PUBLIC?warehouse=WH&role=READER",
                "snowflake://ann@my_org-shop/SHOP/PUBLIC?warehouse=WH&role=READER",
                Some("s@fe"),
            ),
            (
                "Snowflake://ann%40example.com@ab12345.eu-central-1/SHOP",
                "snowflake://ann%40example.com@ab12345.eu-central-1/SHOP",
                None,
            ),
        ] {
            let server = parse_server_address(text);
            assert_eq!((server.to_string().as_str(), server.password()), (shown, password));
            assert!(!format!("{server:?}").contains("s@fe"));
        }
    }

    #[test]
    fn an_address_says_who_where_and_how() {
        let account = |text: &str| parse_server_address(text).snowflake_account().unwrap();
        let own = account("snowflake://ann@org-acc.snowflakecomputing.com/SHOP/my%20schema?warehouse=WH&role=R");
        assert_eq!((own.account.as_str(), own.user.as_str(), own.database.as_str()), ("org-acc", "ann", "SHOP"));
        assert_eq!((own.schema.as_deref(), own.sign_in), (Some("my schema"), SignIn::Password));
        for (option, sign_in) in [
            ("private_key_file=/keys/a.p8", SignIn::Key),
            ("authenticator=SNOWFLAKE_JWT&private_key_file=/keys/a.p8", SignIn::Key),
            ("authenticator=oauth", SignIn::OauthToken),
            ("authenticator=programmatic_access_token", SignIn::Token),
            ("authenticator=externalbrowser", SignIn::Browser),
        ] {
            assert_eq!(account(&format!("snowflake://ann@a/d?{option}")).sign_in, sign_in, "{option}");
        }
        assert_eq!(parse_server_address("snowflake://ann@a/SHOP/PUBLIC").title(), "SHOP");
    }

    #[test]
    fn a_secret_is_bound_to_account_user_and_kind() {
        let binding = |text: &str| parse_server_address(text).password_binding();
        let own = binding("snowflake://ann@org-acc/SHOP/PUBLIC?warehouse=WH");
        for same in
            ["snowflake://ann:word@ORG-ACC.snowflakecomputing.com/OTHER?role=R", "snowflake://org-acc/D?user=ann"]
        {
            assert_eq!(binding(same), own, "{same}");
        }
        for other in [
            "snowflake://bob@org-acc/SHOP",
            "snowflake://ann@org-other/SHOP",
            "snowflake://ann@org-acc/SHOP?authenticator=oauth",
            "snowflake://ann@org-acc/SHOP?private_key_file=/a.p8",
            "snowflake://ann@org-acc/SHOP?endpoint=http://localhost:1",
        ] {
            assert_ne!(binding(other), own, "{other}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let error = |text: &str| ServerAddress::parse(text).unwrap_err();
        for (text, reason) in [
            ("snowflake://org-acc/SHOP", "user is missing"),
            ("snowflake://ann@/SHOP", "account is missing"),
            ("snowflake://ann@a", "database is missing"),
            ("snowflake://ann@a/d/s/t", "ACCOUNT/DATABASE/SCHEMA"),
            ("snowflake://ann@a:8080/d", "no port"),
            ("snowflake://ann@a/d?token=hidden", "token"),
            ("snowflake://ann@a/d?authenticator=magic", "magic"),
            ("snowflake://ann@a/d?authenticator=snowflake_jwt", "belong together"),
            ("snowflake://ann@a/d?private_key_file=a.p8", "whole path"),
            ("snowflake://ann@a/d?ssh=b", "ssh"),
        ] {
            assert!(error(text).contains(reason), "{text}: {}", error(text));
        }
        for bad in
            ["http://example.com:80", "http://10.0.0.1:1", "https://localhost:1", "http://localhost", "localhost:1"]
        {
            assert!(error(&format!("snowflake://ann@a/d?endpoint={bad}")).contains("this computer"), "{bad}");
        }
    }
}
