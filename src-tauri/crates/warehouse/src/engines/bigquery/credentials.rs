//! Credentials: Google's own files (a service account's key, or the file of `gcloud auth application-default login`,
//! also with `--impersonate-service-account`), or a user who signed in through the browser. The files are read, never
//! written, and none of their contents are displayed.

use super::address::service_account;
use super::oauth::GoogleLogin;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls::SignatureScheme;
use rustls::crypto::aws_lc_rs::sign::any_supported_type;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::SigningKey;
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;
use vitrine_words::tr;

/// Lifetime of a signed token request in seconds; the maximum that Google accepts.
const HOLDS: u64 = 3600;

/// The credentials of a sign-in and the service account that they impersonate.
pub(super) struct Login {
    /// The credentials that sign in.
    pub own: Credentials,
    /// The service account that these credentials impersonate, if a file names one.
    pub acts_as: Option<String>,
}

/// The kinds of credentials that can sign in.
pub(super) enum Credentials {
    /// A service account, which signs its token requests itself.
    Service { email: String, key: Arc<dyn SigningKey>, key_id: String },
    /// A user who signed in with gcloud before.
    Person { client_id: String, client_secret: String, refresh_token: String },
    /// A user who signed in through the browser.
    Browser(GoogleLogin),
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    client_email: String,
    #[serde(default)]
    private_key: String,
    #[serde(default)]
    private_key_id: String,
    #[serde(default)]
    client_id: String,
    #[serde(default)]
    client_secret: String,
    #[serde(default)]
    refresh_token: String,
    #[serde(default)]
    service_account_impersonation_url: String,
    #[serde(default)]
    delegates: Vec<String>,
    #[serde(default)]
    source_credentials: Option<Box<File>>,
}

impl Login {
    /// Reads a file. The error names the problem and never repeats the contents.
    pub fn read_file(path: &Path) -> Result<Self, String> {
        let text =
            std::fs::read(path).map_err(|error| tr!("{path} cannot be read: {error}", path = path.display(), error))?;
        Self::parse(&text, &path.display().to_string())
    }

    fn parse(text: &[u8], path: &str) -> Result<Self, String> {
        // The parser's own message could repeat a value.
        let file: File = serde_json::from_slice(text).map_err(|_| tr!("{path} is not a credentials file", path))?;
        if file.kind != "impersonated_service_account" {
            return Ok(Self { own: Credentials::from_file(file, path)?, acts_as: None });
        }
        if !file.delegates.is_empty() {
            return Err(tr!("{path} acts through further service accounts (delegates), which is not supported", path));
        }
        // The file determines only the account; the token endpoint is fixed.
        let account = lent_account(&file.service_account_impersonation_url);
        let account = account.ok_or_else(|| tr!("{path} names no service account", path))?;
        let source =
            file.source_credentials.ok_or_else(|| tr!("{path} does not state who acts as {account}", path, account))?;
        Ok(Self { own: Credentials::from_file(*source, path)?, acts_as: Some(account) })
    }
}

/// Returns the service account of a URL that ends in `/serviceAccounts/ACCOUNT:generateAccessToken`.
fn lent_account(url: &str) -> Option<String> {
    let (_, account) = url.strip_suffix(":generateAccessToken")?.rsplit_once("/serviceAccounts/")?;
    service_account(account.to_owned()).ok()
}

impl Credentials {
    fn from_file(file: File, path: &str) -> Result<Self, String> {
        match file.kind.as_str() {
            "service_account" => {
                let unusable = |_| tr!("{path} contains no usable private key", path);
                let der = PrivateKeyDer::from_pem_slice(file.private_key.as_bytes())
                    .map_err(|_| tr!("{path} contains no private key", path))?;
                let key = any_supported_type(&der).map_err(unusable)?;
                if file.client_email.is_empty() {
                    return Err(tr!("{path} names no service account", path));
                }
                Ok(Self::Service { email: file.client_email, key, key_id: file.private_key_id })
            }
            "authorized_user" if file.refresh_token.is_empty() => Err(tr!("{path} contains no refresh token", path)),
            "authorized_user" => Ok(Self::Person {
                client_id: file.client_id,
                client_secret: file.client_secret,
                refresh_token: file.refresh_token,
            }),
            "external_account" | "external_account_authorized_user" => Err(tr!(
                "{path} contains a sign-in of the unsupported kind {kind}: use a service account's key, or gcloud auth application-default login",
                path,
                kind = file.kind
            )),
            _ => Err(tr!("{path} contains no supported sign-in", path)),
        }
    }

    /// Returns a description of the credentials for the user.
    pub fn display_name(&self) -> String {
        match self {
            Self::Service { email, .. } => tr!("the service account {email}", email),
            Self::Person { .. } => tr!("your own login of gcloud"),
            Self::Browser(_) => tr!("the Google account that signed in through the browser"),
        }
    }

    /// Returns true if token requests name the scope that they need.
    pub fn has_scoped_tokens(&self) -> bool {
        matches!(self, Self::Service { .. } | Self::Browser(_))
    }

    /// Returns the form of a token request. `now` is in seconds since 1970. The token of a gcloud login has the rights
    /// that were granted at that sign-in; the token of a browser sign-in can be limited to a part of them (RFC 6749,
    /// section 6).
    pub fn token_form(&self, scope: &str, audience: &str, now: u64) -> Result<Vec<(&'static str, String)>, String> {
        match self {
            Self::Service { email, key, key_id } => {
                let head = serde_json::json!({"alg": "RS256", "typ": "JWT", "kid": key_id});
                let claims = serde_json::json!({
                    "iss": email, "scope": scope, "aud": audience, "iat": now, "exp": now + HOLDS,
                });
                let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
                let signed = format!("{}.{}", part(&head), part(&claims));
                let signer = key
                    .choose_scheme(&[SignatureScheme::RSA_PKCS1_SHA256])
                    .ok_or_else(|| tr!("the private key is not of the kind RSA"))?;
                let signature = signer.sign(signed.as_bytes()).map_err(|_| tr!("the private key does not sign"))?;
                let assertion = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature));
                let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
                Ok(vec![("grant_type", grant.to_owned()), ("assertion", assertion)])
            }
            Self::Person { client_id, client_secret, refresh_token } => Ok(vec![
                ("grant_type", "refresh_token".to_owned()),
                ("client_id", client_id.clone()),
                ("client_secret", client_secret.clone()),
                ("refresh_token", refresh_token.clone()),
            ]),
            Self::Browser(login) => {
                let mut form = login.refresh_form();
                form.push(("scope", scope.to_owned()));
                Ok(form)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Login;

    #[test]
    fn a_file_that_cannot_be_used_is_named_and_not_repeated() {
        for (text, reason) in [
            ("hidden", "is not a credentials file"),
            (r#"{"type": "service_account", "private_key": "hidden"}"#, "no private key"),
            (r#"{"type": "authorized_user", "client_secret": "hidden"}"#, "no refresh token"),
            (r#"{"type": "external_account", "client_secret": "hidden"}"#, "unsupported kind"),
            (r#"{"type": "hidden"}"#, "no supported sign-in"),
        ] {
            let error = Login::parse(text.as_bytes(), "key.json").err().unwrap();
            assert!(error.contains(reason) && !error.contains("hidden"), "{error}");
        }
    }

    #[test]
    fn a_login_that_acts_as_a_service_account_says_who_acts_as_whom() {
        let file = |url: &str, source: &str, delegates: &str| {
            let text = format!(
                r#"{{"type": "impersonated_service_account", "service_account_impersonation_url": "{url}",
                    "source_credentials": {source}, "delegates": {delegates}}}"#
            );
            Login::parse(text.as_bytes(), "adc.json")
        };
        let person =
            r#"{"type": "authorized_user", "client_id": "c", "client_secret": "hidden", "refresh_token": "r"}"#;
        let url =
            "https://evil.example/v1/projects/-/serviceAccounts/reader@q.iam.gserviceaccount.com:generateAccessToken";
        let login = file(url, person, "[]").expect("a login");
        assert_eq!(login.acts_as.as_deref(), Some("reader@q.iam.gserviceaccount.com"));
        assert!(matches!(login.own, super::Credentials::Person { .. }));
        for (url, source, delegates, reason) in [
            (url, person, r#"["other@q.iam.gserviceaccount.com"]"#, "delegates"),
            (url, "null", "[]", "does not state who acts as"),
            (url, r#"{"type": "external_account", "client_secret": "hidden"}"#, "[]", "unsupported kind"),
            (url, r#"{"type": "impersonated_service_account"}"#, "[]", "no supported sign-in"),
            (
                "https://a/serviceAccounts/a@b.example/../hidden:generateAccessToken",
                person,
                "[]",
                "names no service account",
            ),
            ("hidden", person, "[]", "names no service account"),
        ] {
            let error = file(url, source, delegates).err().expect("refused");
            assert!(error.contains(reason) && !error.contains("hidden"), "{error}");
        }
    }
}
