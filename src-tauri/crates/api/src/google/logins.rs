//! Google logins: stored in the system's keychain, or in memory without a keychain. Each login is bound to the origin, the client and the
//! purpose for which it was created.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::oneshot;
use vitrine_domain::AppError;
use vitrine_store::secrets::{SecretError, SecretStore};
use vitrine_warehouse::{GoogleClient, GoogleLogin, ProjectAddress};

/// Function that opens a page in a browser.
pub(crate) type OpenPage = Arc<dyn Fn(&str) -> std::io::Result<()> + Send + Sync>;

/// The stored logins, and the sign-ins that wait for the browser.
pub(crate) struct GoogleLogins {
    session: Mutex<HashMap<String, String>>,
    keychain: Arc<dyn SecretStore>,
    pub(super) open_page: Mutex<Option<OpenPage>>,
    /// Job ids of the running sign-ins, by keychain name; at most one per name.
    pub(super) at_work: Mutex<HashMap<String, String>>,
    /// Receivers of the outcome of each sign-in, by job id.
    pub(super) ends: Mutex<HashMap<String, oneshot::Receiver<Result<KeychainFailure, AppError>>>>,
}

/// Reason that a login is not stored in the keychain; `None` if it is.
pub(super) type KeychainFailure = Option<SecretError>;

/// Returns the name under which the keychain stores a login.
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

    /// Returns the login for an address that names a client. Blocks. A client file that cannot be read gives `None`; opening the address
    /// reports the error.
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

    /// Stores a login in the keychain; if that fails, in memory until the program ends. Blocks.
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

    /// Removes a login from memory and from the keychain. Blocks.
    pub(super) fn forget_login(&self, name: &str) -> Result<(), SecretError> {
        self.session.lock().remove(name);
        match self.keychain.delete(name) {
            // Without a keychain there is nothing to delete.
            Err(SecretError::Unavailable { .. }) => Ok(()),
            other => other,
        }
    }
}
