//! Who has signed in with Google: in the system's keychain, and without one until the program ends. Each login is bound to the
//! origin, the client and the purpose that it was given for.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::oneshot;
use vitrine_domain::AppError;
use vitrine_store::secrets::{SecretError, SecretStore};
use vitrine_warehouse::{GoogleClient, GoogleLogin, ProjectAddress};

/// What opens a page in a browser.
pub(crate) type OpenPage = Arc<dyn Fn(&str) -> std::io::Result<()> + Send + Sync>;

/// The logins, and the sign-ins that wait for the browser.
pub(crate) struct GoogleLogins {
    session: Mutex<HashMap<String, String>>,
    keychain: Arc<dyn SecretStore>,
    pub(super) open_page: Mutex<Option<OpenPage>>,
    /// The sign-ins at work, by what they are bound to: one of each.
    pub(super) at_work: Mutex<HashMap<String, String>>,
    /// How each of them ends, by its id.
    pub(super) ends: Mutex<HashMap<String, oneshot::Receiver<Result<KeychainFailure, AppError>>>>,
}

/// Why the keychain has not got a login, where it has not.
pub(super) type KeychainFailure = Option<SecretError>;

/// What a login is kept under, as the keychain lists it.
pub(super) fn keychain_name(address: &ProjectAddress) -> Option<String> {
    Some(format!("google:{}", GoogleLogin::keychain_binding(address)?))
}

impl GoogleLogins {
    pub(crate) fn new(keychain: Arc<dyn SecretStore>) -> Self {
        Self {
            session: Mutex::default(),
            keychain,
            open_page: Mutex::default(),
            at_work: Mutex::default(),
            ends: Mutex::default(),
        }
    }

    /// The login for an address that names a client. Blocks. A file that cannot be read is told by whoever opens the address.
    pub(super) fn get(&self, address: &ProjectAddress) -> Option<GoogleLogin> {
        let name = keychain_name(address)?;
        let client = GoogleClient::from_address(address).ok()??;
        let session = self.session.lock().get(&name).cloned();
        let text = session.or_else(|| match self.keychain.get(&name) {
            Ok(text) => text,
            Err(SecretError::Unavailable { .. }) => None,
            Err(error) => {
                tracing::warn!(%error, "the sign-in with Google cannot be read from the keychain");
                None
            }
        })?;
        GoogleLogin::from_kept(client, &text)
    }

    /// Keeps a login in the keychain; where there is none, until the program ends. Blocks.
    pub(super) fn store_login(&self, name: &str, login: &GoogleLogin) -> KeychainFailure {
        let text = login.to_keychain_text();
        match self.keychain.set(name, &text) {
            Ok(()) => {
                self.session.lock().remove(name);
                None
            }
            Err(error) => {
                self.session.lock().insert(name.to_owned(), text);
                Some(error)
            }
        }
    }

    /// Forgets a login wherever it is. Blocks.
    pub(super) fn forget_login(&self, name: &str) -> Result<(), SecretError> {
        self.session.lock().remove(name);
        match self.keychain.delete(name) {
            // Where there is no keychain there is nothing in it.
            Err(SecretError::Unavailable { .. }) => Ok(()),
            other => other,
        }
    }
}
