//! Signing in to servers: front ends send passwords, but never receive them.

use crate::app::App;
use crate::passwords;
use crate::state::work::run_blocking;
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_warehouse::{OpenOptions, ServerAddress, Warehouse, WarehouseUri};
use vitrine_words::{join_with_or, tr};

/// Name of the setting that lists the addresses that were imported with a run or workspace of another user.
pub(crate) const FOREIGN: &str = "foreign warehouses";

impl App {
    /// Opens a database on a server, or behind a driver, with an entered password. Until the program ends, the password replaces the known
    /// one, also for other databases on that server. `stop_opening` ends the attempt.
    pub async fn sign_in(&self, uri: String, password: String) -> Result<(), AppError> {
        let given = with_login(&uri)?.with_password(Some(password));
        let signing_in = async {
            self.confirm_warehouse(&uri).await;
            // If the password is refused, nothing changes: an open warehouse stays open.
            self.open_now(&given).await
        };
        let open = self.run_stoppable(&uri, signing_in).await?;
        if let Some(before) = self.inner.warehouses.replace(open) {
            // Running questions keep the old handle until they end.
            before.cancel.cancel();
        }
        // The keychain's password is outdated; a new one is stored only at the user's request.
        let passwords = Arc::clone(&self.inner.passwords);
        if let Err(error) = run_blocking(move || Ok(passwords.drop_kept(&given)?)).await {
            tracing::warn!(%error, "an older password stays in the keychain");
        }
        Ok(())
    }

    /// Unlocks the keys that the passphrase opens, until the program ends. The keys are those with which an address signs in, to the server
    /// or to a host in between. No connection is opened.
    ///
    /// # Errors
    /// When the passphrase opens none of the keys, or a key cannot be used.
    pub async fn unlock_key(&self, uri: String, passphrase: String) -> Result<(), AppError> {
        let (passwords, server) = (Arc::clone(&self.inner.passwords), parse_server_address(&uri)?);
        run_blocking(move || {
            passwords.note_passphrase(&server.unlocked_by(&passphrase)?, &passphrase);
            Ok(())
        })
        .await
    }

    /// Stores the entered password of an address, and the passphrases of its keys, in the system's keychain for later starts.
    ///
    /// # Errors
    /// When the keychain refuses the entry.
    pub async fn remember_password(&self, uri: String) -> Result<(), AppError> {
        let (passwords, uri) = (Arc::clone(&self.inner.passwords), with_login(&uri)?);
        run_blocking(move || Ok(passwords.save_to_keychain(&uri)?)).await
    }

    /// Checks if a keychain for passwords is available.
    ///
    /// # Errors
    /// The reason that none is available.
    pub async fn check_keychain(&self) -> Result<(), AppError> {
        let secrets = Arc::clone(&self.inner.options.secrets);
        run_blocking(move || Ok(secrets.check_available()?)).await
    }

    /// Returns the error of a server or driver that requests a password because it received none or a wrong one, or the error of a locked
    /// key. Returns `None` if no password is requested or opening fails for another reason.
    pub async fn password_wanted(&self, uri: &str) -> Option<AppError> {
        with_login(uri).ok()?;
        self.ensure_open(uri)
            .await
            .err()
            .filter(|error| matches!(error.code, ErrorCode::Password | ErrorCode::Passphrase))
    }

    /// Connects with the address's own password, or with the known one.
    pub(crate) async fn connect_warehouse(
        &self,
        uri: &WarehouseUri,
        options: &OpenOptions,
    ) -> Result<Arc<dyn Warehouse>, AppError> {
        let own_address = !self.is_foreign(&uri.to_string()).await?;
        let (passwords, own) = (Arc::clone(&self.inner.passwords), uri.clone());
        let complete = run_blocking(move || Ok(passwords.complete_address(own, own_address))).await?;
        let options = OpenOptions { own_address, ..options.clone() };
        let warehouse = vitrine_warehouse::open_with(&complete, &options).await?;
        self.inner.passwords.record_password(uri);
        Ok(warehouse)
    }

    /// Returns true if an address was imported with a run of another user before the user opened it. Its options are then not treated as
    /// the user's own, even after connecting.
    pub(crate) async fn is_foreign(&self, uri: &str) -> Result<bool, AppError> {
        let key = uri.to_owned();
        self.with_store(move |store| {
            if store.setting::<Vec<String>>(FOREIGN)?.is_some_and(|foreign| foreign.contains(&key)) {
                return Ok(true);
            }
            if store.recent_warehouses()?.iter().any(|known| known.uri == key) {
                return Ok(false);
            }
            let is_it = |text: &String| WarehouseUri::parse_remote(text).is_some_and(|other| other.to_string() == key);
            Ok(store.imported_addresses()?.iter().any(is_it))
        })
        .await
    }

    /// Marks a remembered address as foreign, or removes the mark.
    pub(crate) async fn mark_foreign(&self, uri: &str, is_foreign: bool) -> Result<(), AppError> {
        let key = uri.to_owned();
        self.with_store(move |store| {
            let mut foreign: Vec<String> = store.setting(FOREIGN)?.unwrap_or_default();
            if foreign.contains(&key) == is_foreign {
                return Ok(());
            }
            foreign.retain(|other| *other != key);
            foreign.extend(is_foreign.then_some(key));
            store.set_setting(FOREIGN, &foreign)
        })
        .await
    }

    /// Forgets the password of an address, or its Google login, unless another remembered warehouse needs it.
    pub(crate) async fn forget_password(&self, uri: &str) -> Result<(), AppError> {
        let Ok(login) = with_login(uri) else { return self.forget_google(uri).await };
        let (others, connections) =
            self.with_store(|store| Ok((store.recent_warehouses()?, store.connections()?))).await?;
        for key in login.server_address().map(ServerAddress::locked_keys).unwrap_or_default() {
            let same_key =
                |other: &str| self::parse_server_address(other).is_ok_and(|other| other.locked_keys().contains(&key));
            let needed = others.iter().any(|other| other.uri != uri && same_key(&other.uri))
                || connections.iter().any(|connection| same_key(&connection.address));
            if !needed {
                let passwords = Arc::clone(&self.inner.passwords);
                run_blocking(move || Ok(passwords.forget_passphrase(&key)?)).await?;
            }
        }
        let name = passwords::keychain_name(&login);
        let same_login = |other: &str| with_login(other).is_ok_and(|other| passwords::keychain_name(&other) == name);
        if others.iter().any(|other| other.uri != uri && same_login(&other.uri))
            || connections.iter().any(|connection| same_login(&connection.address))
        {
            return Ok(());
        }
        let passwords = Arc::clone(&self.inner.passwords);
        run_blocking(move || Ok(passwords.forget_password(&login)?)).await
    }
}

/// Parses the address of a server.
fn parse_server_address(uri: &str) -> Result<ServerAddress, AppError> {
    let uri = WarehouseUri::parse(uri)?;
    uri.server_address().cloned().ok_or_else(|| no_login(&uri))
}

/// Parses an address that takes a password.
fn with_login(uri: &str) -> Result<WarehouseUri, AppError> {
    let uri = WarehouseUri::parse(uri)?;
    if uri.password_binding().is_some() { Ok(uri) } else { Err(no_login(&uri)) }
}

fn no_login(uri: &WarehouseUri) -> AppError {
    AppError::new(ErrorCode::Usage, tr!("{uri} is not a server, so it has no password", uri)).with_hint(tr!(
        "Write {example}",
        example = join_with_or(&[
            "postgresql://USER@HOST:PORT/DATABASE".to_owned(),
            "mysql://USER@HOST:PORT/DATABASE".to_owned(),
            "snowflake://USER@ACCOUNT/DATABASE/SCHEMA".to_owned()
        ])
    ))
}
