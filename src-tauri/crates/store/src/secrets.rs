//! Keys and passwords in the system's keychain: Keychain on macOS, Credential Manager on Windows, Secret Service on
//! Linux.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// The service name that the system displays for these entries.
const SERVICE: &str = "vitrine";

/// A storage for secrets by name.
pub trait SecretStore: Send + Sync {
    /// Fails with the reason if secrets cannot be stored.
    fn check_available(&self) -> Result<(), SecretError>;
    /// Returns the secret with a name; `None` if there is none.
    fn get(&self, name: &str) -> Result<Option<String>, SecretError>;
    /// Stores a secret under a name, replacing an existing one.
    fn set(&self, name: &str, secret: &str) -> Result<(), SecretError>;
    /// Deletes the secret with a name; succeeds if there is none.
    fn delete(&self, name: &str) -> Result<(), SecretError>;
}

/// The reason why a secret cannot be read or stored. Never contains a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The system has no running keychain.
    #[error("no keychain is available: {message}")]
    Unavailable {
        /// The message from the system.
        message: String,
    },
    /// The keychain is locked, or the user refused access.
    #[error("the keychain is locked: {message}")]
    Locked {
        /// The message from the system.
        message: String,
    },
    /// Any other error of the keychain.
    #[error("the keychain failed: {message}")]
    Failed {
        /// The message from the system.
        message: String,
    },
}

impl From<SecretError> for AppError {
    fn from(error: SecretError) -> Self {
        let (what, hint, message) = match error {
            SecretError::Unavailable { message } => {
                let hint = if cfg!(target_os = "linux") {
                    tr!(
                        "Install and start a Secret Service, such as gnome-keyring or KWallet, in a desktop session (D-Bus), then start Vitrine again; features without a key or password work without it."
                    )
                } else {
                    tr!("Check that the system's keychain works; features without a key or password work without it.")
                };
                (tr!("No keychain is available for keys and passwords."), hint, message)
            }
            SecretError::Locked { message } => {
                (tr!("The keychain is locked."), tr!("Unlock it and try again."), message)
            }
            SecretError::Failed { message } => (
                tr!("The keychain could not be used."),
                tr!("Try again after unlocking or restarting the keychain."),
                message,
            ),
        };
        AppError::new(ErrorCode::Internal, what).with_hint(hint).with_detail(message)
    }
}

/// The keychain of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Keychain;

impl Keychain {
    /// Runs an operation after connecting to the keychain, on its own thread: the Linux implementation drives its own
    /// event loop, which must not happen on a thread of an async runtime.
    fn run_on_own_thread<T: Send>(work: impl FnOnce() -> keyring::Result<T> + Send) -> Result<T, SecretError> {
        let done = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                // The connection is created once per program; this returns its status.
                if let Err(error) = keyring::Entry::store_status() {
                    return Err(SecretError::Unavailable { message: error.to_string() });
                }
                work().map_err(to_secret_error)
            });
            thread.join()
        });
        done.unwrap_or_else(|_| Err(SecretError::Failed { message: "its library panicked".to_owned() }))
    }

    /// Runs an operation on one entry.
    fn with_entry<T: Send>(
        name: &str,
        work: impl FnOnce(&keyring::Entry) -> keyring::Result<T> + Send,
    ) -> Result<T, SecretError> {
        Self::run_on_own_thread(|| work(&keyring::Entry::new(SERVICE, name)?))
    }
}

fn to_secret_error(error: keyring::Error) -> SecretError {
    match error {
        keyring::Error::NoDefaultStore => SecretError::Unavailable { message: error.to_string() },
        keyring::Error::NoStorageAccess(cause) => SecretError::Locked { message: cause.to_string() },
        // These errors contain the secret's bytes. `Display` omits them, but a fixed message is safer.
        keyring::Error::BadEncoding(_) | keyring::Error::BadDataFormat(..) => {
            SecretError::Failed { message: "the stored key is not text".to_owned() }
        }
        other => SecretError::Failed { message: other.to_string() },
    }
}

impl SecretStore for Keychain {
    fn check_available(&self) -> Result<(), SecretError> {
        Self::run_on_own_thread(|| Ok(()))
    }

    fn get(&self, name: &str) -> Result<Option<String>, SecretError> {
        Self::with_entry(name, |entry| match entry.get_password() {
            Err(keyring::Error::NoEntry) => Ok(None),
            other => other.map(Some),
        })
    }

    fn set(&self, name: &str, secret: &str) -> Result<(), SecretError> {
        Self::with_entry(name, |entry| entry.set_password(secret))
    }

    fn delete(&self, name: &str) -> Result<(), SecretError> {
        Self::with_entry(name, |entry| match entry.delete_credential() {
            Err(keyring::Error::NoEntry) => Ok(()),
            other => other,
        })
    }
}

/// Secrets in memory only, for tests.
#[derive(Default)]
pub struct InMemory(Mutex<BTreeMap<String, String>>);

impl std::fmt::Debug for InMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InMemory(***)")
    }
}

impl InMemory {
    fn lock_secrets(&self) -> parking_lot::MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock()
    }
}

impl SecretStore for InMemory {
    fn check_available(&self) -> Result<(), SecretError> {
        Ok(())
    }

    fn get(&self, name: &str) -> Result<Option<String>, SecretError> {
        Ok(self.lock_secrets().get(name).cloned())
    }

    fn set(&self, name: &str, secret: &str) -> Result<(), SecretError> {
        self.lock_secrets().insert(name.to_owned(), secret.to_owned());
        Ok(())
    }

    fn delete(&self, name: &str) -> Result<(), SecretError> {
        self.lock_secrets().remove(name);
        Ok(())
    }
}
