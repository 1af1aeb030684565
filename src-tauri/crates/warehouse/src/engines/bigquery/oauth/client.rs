//! The OAuth client that identifies the program to Google, and the login that a user granted it.

use crate::engines::bigquery::access::Access;
use crate::engines::bigquery::address::{ClientPlace, ProjectAddress};
use crate::engines::bigquery::places::Places;
use serde::{Deserialize, Serialize};
use std::fmt;
use vitrine_words::tr;

/// An OAuth client of Google: an id and, for desktop clients, the secret that Google issued with it.
#[derive(Clone, PartialEq, Eq)]
pub struct GoogleClient {
    id: String,
    secret: Option<String>,
    /// True if the secret is in a file of the user, which is read again whenever it is needed.
    is_on_file: bool,
}

/// The file of a desktop client that Google's console provides.
#[derive(Deserialize)]
struct File {
    installed: Installed,
}

#[derive(Deserialize)]
struct Installed {
    client_id: String,
    #[serde(default)]
    client_secret: Option<String>,
}

impl GoogleClient {
    /// Returns the client that an address names, or `None` if it names none. Blocks if the client is in a file.
    ///
    /// # Errors
    /// Describes the problem with the file, without repeating its contents.
    pub fn from_address(address: &ProjectAddress) -> Result<Option<Self>, String> {
        match address.oauth_client() {
            None => Ok(None),
            Some(ClientPlace::Id(id)) => Ok(Some(Self { id: id.clone(), secret: None, is_on_file: false })),
            Some(ClientPlace::File(path)) => {
                let shown = path.display();
                let text =
                    std::fs::read(path).map_err(|error| tr!("{path} cannot be read: {error}", path = shown, error))?;
                // The parser's own message could repeat a value.
                let file: File = serde_json::from_slice(&text).map_err(|_| {
                    tr!(
                        "{shown} is not the file of a client of the kind \"Desktop app\" (client_secret_....json)",
                        shown
                    )
                })?;
                let Installed { client_id: id, client_secret: secret } = file.installed;
                let secret = secret.filter(|secret| !secret.is_empty());
                Ok(Some(Self { id, secret, is_on_file: true }))
            }
        }
    }

    /// Returns the client with a secret that the user entered, unless the secret is in a file.
    pub fn with_secret(self, typed: Option<String>) -> Self {
        let typed = typed.map(|secret| secret.trim().to_owned()).filter(|secret| !secret.is_empty());
        match typed {
            Some(secret) if !self.is_on_file => Self { secret: Some(secret), ..self },
            _ => self,
        }
    }

    /// Returns true if the secret is known. Not every client has one.
    pub fn has_secret(&self) -> bool {
        self.secret.is_some()
    }

    /// Returns the fields that identify the client in every form.
    pub(super) fn form_fields(&self) -> Vec<(&'static str, String)> {
        let id = [("client_id", self.id.clone())].into_iter();
        id.chain(self.secret.clone().map(|secret| ("client_secret", secret))).collect()
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }
}

impl fmt::Debug for GoogleClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleClient").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A user's login: the refresh token with which access tokens are requested until Google revokes it.
#[derive(Clone, PartialEq, Eq)]
pub struct GoogleLogin {
    client: GoogleClient,
    refresh_token: String,
}

/// The stored form of a login in the keychain.
#[derive(Serialize, Deserialize)]
struct StoredLogin {
    refresh_token: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

impl GoogleLogin {
    pub(super) fn new(client: GoogleClient, refresh_token: String) -> Self {
        Self { client, refresh_token }
    }

    /// Returns the keychain entry's key, made of the client, the sign-in page and the granted scopes, so that a login
    /// is not found for another server, client or purpose.
    pub fn keychain_binding(address: &ProjectAddress) -> Option<String> {
        let client = match address.oauth_client()? {
            ClientPlace::Id(id) => id.clone(),
            ClientPlace::File(path) => path.display().to_string(),
        };
        let purposes: Vec<&str> = Access::granted_for(address).iter().map(|access| access.oauth_scope()).collect();
        let purposes = purposes.iter().filter_map(|scope| scope.rsplit('/').next()).collect::<Vec<_>>().join(" ");
        Some(format!("{client} at {} for {purposes}", Places::for_address(address).consent))
    }

    /// Returns the text for the keychain.
    pub fn to_keychain_text(&self) -> String {
        let client_secret = self.client.secret.clone().filter(|_| !self.client.is_on_file);
        let kept = StoredLogin { refresh_token: self.refresh_token.clone(), client_secret };
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// Parses a text from the keychain; `None` if it is invalid.
    pub fn from_kept(client: GoogleClient, text: &str) -> Option<Self> {
        // The parser's own message could repeat a value.
        let kept: StoredLogin = serde_json::from_str(text).ok()?;
        Some(Self { client: client.with_secret(kept.client_secret), refresh_token: kept.refresh_token })
    }

    /// Returns the client, for another sign-in.
    pub fn into_client(self) -> GoogleClient {
        self.client
    }

    /// Returns the form of a token request.
    pub(crate) fn refresh_form(&self) -> Vec<(&'static str, String)> {
        let mut form = self.client.form_fields();
        form.extend([("grant_type", "refresh_token".to_owned()), ("refresh_token", self.refresh_token.clone())]);
        form
    }
}

impl fmt::Debug for GoogleLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleLogin").field("client", &self.client).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_address(options: &str) -> ProjectAddress {
        ProjectAddress::parse(&format!("bigquery://p/d?{options}")).unwrap()
    }

    #[test]
    fn a_client_comes_from_the_address_or_from_googles_file() {
        assert_eq!(GoogleClient::from_address(&parse_address("location=EU")).unwrap(), None);
        let named = GoogleClient::from_address(&parse_address("client_id=c.example")).unwrap().unwrap();
        assert_eq!(named.form_fields(), [("client_id", "c.example".to_owned())]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("client.json");
        let at = |text: &str| {
            std::fs::write(&path, text).unwrap();
            GoogleClient::from_address(&parse_address(&format!("client_file={}", path.display())))
        };
        let read =
            at(r#"{"installed": {"client_id": "c", "client_secret": "hidden", "auth_uri": "https://evil.example"}}"#);
        let read = read.unwrap().unwrap();
        assert_eq!(read.form_fields()[1], ("client_secret", "hidden".to_owned()));
        assert!(!format!("{read:?}").contains("hidden"));
        // An entered secret does not replace the secret of the file.
        assert_eq!(read.clone().with_secret(Some("other".to_owned())), read);
        for wrong in ["hidden", r#"{"web": {"client_id": "c", "client_secret": "hidden"}}"#, "{}"] {
            let error = at(wrong).unwrap_err();
            assert!(error.contains("Desktop app") && !error.contains("hidden"), "{error}");
        }
    }

    #[test]
    fn a_login_is_bound_to_origin_client_and_purpose() {
        let binding = |options: &str| GoogleLogin::keychain_binding(&parse_address(options)).unwrap();
        let own = binding("client_id=c");
        assert_eq!(own, "c at https://accounts.google.com/o/oauth2/v2/auth for cloud-platform.read-only bigquery");
        assert_eq!(own, binding("client_id=c&location=EU&billing_project=pays"));
        for other in [
            "client_id=d",
            "client_file=/c",
            "client_id=c&endpoint=http://localhost:1",
            "client_id=c&impersonate=a@p.iam.gserviceaccount.com",
        ] {
            assert_ne!(own, binding(other), "{other}");
        }
        assert_eq!(GoogleLogin::keychain_binding(&parse_address("location=EU")), None);
    }

    #[test]
    fn what_the_keychain_has_gives_the_login_again() {
        let client = || GoogleClient::from_address(&parse_address("client_id=c")).unwrap().unwrap();
        let login =
            GoogleLogin::new(client().with_secret(Some(" hidden-secret ".to_owned())), "hidden-token".to_owned());
        assert_eq!(GoogleLogin::from_kept(client(), &login.to_keychain_text()), Some(login.clone()));
        assert!(!format!("{login:?}").contains("hidden"));
        assert_eq!(GoogleLogin::from_kept(client(), "hidden"), None);
    }
}
