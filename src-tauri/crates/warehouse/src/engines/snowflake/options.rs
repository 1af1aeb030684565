//! The options of Snowflake's driver, and the errors of signing in.

use super::address::{Account, SignIn};
use crate::WarehouseError;
use crate::engines::adbc::{self, format_message};
use adbc_core::error::Error;

/// Restricts a session to the permissions of one role.
pub(super) const NO_SECONDARY_ROLES: &str = "USE SECONDARY ROLES NONE";
/// Seconds after which Snowflake itself ends a statement, in case no client is left to cancel it.
const STATEMENT_TIMEOUT: &str = "3600";
/// Timeout of signing in; a sign-in through the browser takes longer.
const LOGIN: &str = "12s";
const LOGIN_BY_BROWSER: &str = "180s";

/// Returns true if a password or token is required. The passphrase of a key is optional.
pub(super) fn needs_secret(sign_in: SignIn) -> bool {
    matches!(sign_in, SignIn::Password | SignIn::Token | SignIn::OauthToken)
}

/// Returns the options of the driver. The list is fixed, because the driver turns unknown options into session
/// parameters.
///
/// # Errors
/// Fails if the key cannot be read.
pub(super) fn driver_options(
    account: &Account,
    secret: Option<&str>,
    shown: &str,
) -> Result<Vec<(String, String)>, WarehouseError> {
    let own = |name: &str| format!("adbc.snowflake.sql.{name}");
    let client = |name: &str| format!("adbc.snowflake.sql.client_option.{name}");
    let login = if account.sign_in == SignIn::Browser { LOGIN_BY_BROWSER } else { LOGIN };
    let mut all = vec![
        ("username".to_owned(), account.user.clone()),
        (own("account"), account.account.clone()),
        (own("db"), account.database.clone()),
        (client("app_name"), "Vitrine".to_owned()),
        (client("disable_telemetry"), "true".to_owned()),
        (client("store_temp_creds"), "false".to_owned()),
        (client("login_timeout"), login.to_owned()),
        (client("use_high_precision"), "true".to_owned()),
        // Years before 1677 and after 2262 exceed the range, and would otherwise silently wrap around.
        (client("max_timestamp_precision"), "nanoseconds_error_on_overflow".to_owned()),
        // These are session parameters.
        ("STATEMENT_TIMEOUT_IN_SECONDS".to_owned(), STATEMENT_TIMEOUT.to_owned()),
        ("ABORT_DETACHED_QUERY".to_owned(), "true".to_owned()),
        ("MULTI_STATEMENT_COUNT".to_owned(), "1".to_owned()),
        ("QUERY_TAG".to_owned(), "vitrine".to_owned()),
        ("TIMEZONE".to_owned(), "UTC".to_owned()),
    ];
    let named = [("schema", &account.schema), ("warehouse", &account.warehouse), ("role", &account.role)];
    all.extend(named.into_iter().filter_map(|(name, value)| Some((own(name), value.clone()?))));
    if let Some(place) = &account.endpoint {
        all.push((own("uri.host"), place.host_name()));
        all.push((own("uri.port"), place.port.to_string()));
        all.push((own("uri.protocol"), "http".to_owned()));
    }
    let secret = secret.unwrap_or_default().to_owned();
    let (kind, signs) = match account.sign_in {
        SignIn::Password => ("auth_snowflake", vec![("password".to_owned(), secret)]),
        SignIn::Token => ("auth_pat", vec![(client("auth_token"), secret)]),
        SignIn::OauthToken => ("auth_oauth", vec![(client("auth_token"), secret)]),
        SignIn::Browser => ("auth_ext_browser", Vec::new()),
        SignIn::Key => {
            let path = account.key_file.as_deref().unwrap_or("".as_ref());
            let key = std::fs::read_to_string(path)
                .map_err(|error| WarehouseError::from_io_error("reading", path, &error))?;
            if key.contains("ENCRYPTED") && secret.is_empty() {
                return Err(WarehouseError::Password {
                    server: shown.to_owned(),
                    refused: false,
                    detail: String::new(),
                });
            }
            let mut signs = vec![(client("jwt_private_key_pkcs8_value"), key)];
            if !secret.is_empty() {
                signs.push((client("jwt_private_key_pkcs8_password"), secret));
            }
            ("auth_jwt", signs)
        }
    };
    all.push((own("auth_type"), kind.to_owned()));
    all.extend(signs);
    Ok(all)
}

/// Converts an error of signing in.
pub(super) fn at_connect(error: &Error, shown: &str, has_secret: bool) -> WarehouseError {
    let detail = format_message(error);
    if adbc::LOGIN.iter().any(|number| detail.contains(number)) {
        return WarehouseError::Password { server: shown.to_owned(), refused: has_secret, detail };
    }
    adbc::at_connect(error, shown, has_secret)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerAddress;

    fn address_options(address: &str, secret: Option<&str>) -> Vec<(String, String)> {
        let account = ServerAddress::parse(address).unwrap().snowflake_account().unwrap();
        driver_options(&account, secret, address).unwrap()
    }

    fn option_value<'a>(all: &'a [(String, String)], ending: &str) -> Option<&'a str> {
        all.iter().find(|(name, _)| name.ends_with(ending)).map(|(_, value)| value.as_str())
    }

    #[test]
    fn each_way_of_signing_in_is_told_in_the_drivers_words() {
        let all = address_options("snowflake://ann@org-acc/SHOP/PUBLIC?warehouse=WH&role=R", Some("word"));
        for (name, wanted) in [
            ("username", "ann"),
            ("sql.account", "org-acc"),
            ("sql.db", "SHOP"),
            ("sql.schema", "PUBLIC"),
            ("sql.warehouse", "WH"),
            ("sql.role", "R"),
            ("auth_type", "auth_snowflake"),
            ("password", "word"),
            ("disable_telemetry", "true"),
            ("max_timestamp_precision", "nanoseconds_error_on_overflow"),
            ("MULTI_STATEMENT_COUNT", "1"),
            ("ABORT_DETACHED_QUERY", "true"),
        ] {
            assert_eq!(option_value(&all, name), Some(wanted), "{name}");
        }
        assert_eq!(option_value(&all, "uri.host"), None);
        let token = address_options("snowflake://ann@a/d?authenticator=programmatic_access_token", Some("tok"));
        assert_eq!(
            (option_value(&token, "auth_type"), option_value(&token, "auth_token")),
            (Some("auth_pat"), Some("tok"))
        );
        assert_eq!(option_value(&token, "password"), None);
        let browser = address_options("snowflake://ann@a/d?authenticator=externalbrowser", None);
        assert_eq!(option_value(&browser, "auth_type"), Some("auth_ext_browser"));
    }

    #[test]
    fn a_key_is_read_from_its_file_and_asks_for_its_passphrase() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.p8");
        let address = format!("snowflake://ann@a/d?private_key_file={}", path.display());
        let account = ServerAddress::parse(&address).unwrap().snowflake_account().unwrap();
        assert!(matches!(driver_options(&account, None, &address), Err(WarehouseError::NotFound { .. })));
        std::fs::write(&path, "-----BEGIN PRIVATE KEY-----").unwrap();
        let all = address_options(&address, None);
        assert_eq!(
            (option_value(&all, "auth_type"), option_value(&all, "pkcs8_value")),
            (Some("auth_jwt"), Some("-----BEGIN PRIVATE KEY-----"))
        );
        std::fs::write(&path, "-----BEGIN ENCRYPTED PRIVATE KEY-----").unwrap();
        assert!(matches!(
            driver_options(&account, None, &address),
            Err(WarehouseError::Password { refused: false, .. })
        ));
        assert_eq!(option_value(&address_options(&address, Some("phrase")), "pkcs8_password"), Some("phrase"));
    }
}
