//! Signing in to servers: passwords come in here and never go out to a front end.

use crate::app::App;
use crate::passwords;
use crate::state::work::run_blocking;
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_warehouse::{OpenOptions, ServerAddress, Warehouse, WarehouseUri};
use vitrine_words::{join_with_or, tr};

/// The setting that lists addresses which came in with a run or a workspace of somebody else.
pub(crate) const FOREIGN: &str = "foreign warehouses";

impl App {
    /// Opens a database on a server, or behind a driver, with a password that somebody typed. It takes the place of the one that was known,
    /// also for other databases there, until the program ends. `stop_opening` ends the attempt.
    pub async fn sign_in(&self, uri: String, password: String) -> Result<(), AppError> {
        let given = with_login(&uri)?.with_password(Some(password));
        let signing_in = async {
            self.confirm_warehouse(&uri).await;
            // A password that is refused changes nothing: what is open stays so.
            self.open_now(&given).await
        };
        let open = self.run_stoppable(&uri, signing_in).await?;
        if let Some(before) = self.inner.warehouses.replace(open) {
            // Questions at work keep the old handle until they are done.
            before.cancel.cancel();
        }
        // Only the person says what is kept there, and what was there before is out of date.
        let passwords = Arc::clone(&self.inner.passwords);
        if let Err(error) = run_blocking(move || Ok(passwords.drop_kept(&given)?)).await {
            tracing::warn!(%error, "an older password stays in the keychain");
        }
        Ok(())
    }

    /// Opens the keys that an address signs in with, to the server or to a machine between, until the program ends: those that the
    /// passphrase is for. Nothing is connected to.
    ///
    /// # Errors
    /// When it is another passphrase, or a key cannot be used.
    pub async fn unlock_key(&self, uri: String, passphrase: String) -> Result<(), AppError> {
        let (passwords, server) = (Arc::clone(&self.inner.passwords), parse_server_address(&uri)?);
        run_blocking(move || {
            passwords.note_passphrase(&server.unlocked_by(&passphrase)?, &passphrase);
            Ok(())
        })
        .await
    }

    /// Keeps the password that was typed for an address, and the passphrases of its keys, in the system's keychain, where the next start finds it.
    ///
    /// # Errors
    /// When the keychain does not take it.
    pub async fn remember_password(&self, uri: String) -> Result<(), AppError> {
        let (passwords, uri) = (Arc::clone(&self.inner.passwords), with_login(&uri)?);
        run_blocking(move || Ok(passwords.save_to_keychain(&uri)?)).await
    }

    /// Whether there is a keychain to keep passwords in.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn check_keychain(&self) -> Result<(), AppError> {
        let secrets = Arc::clone(&self.inner.options.secrets);
        run_blocking(move || Ok(secrets.check_available()?)).await
    }

    /// What a server, or a driver, says that wants a password and has got none, or a wrong one, or what is said of a key that is locked; `None`
    /// where nothing is wanted, or something else is wrong.
    pub async fn password_wanted(&self, uri: &str) -> Option<AppError> {
        with_login(uri).ok()?;
        self.ensure_open(uri)
            .await
            .err()
            .filter(|error| matches!(error.code, ErrorCode::Password | ErrorCode::Passphrase))
    }

    /// Connects with the address's own password, or with the one that is known for it.
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

    /// Whether an address came in with a run of somebody else before the person had opened it: its options are then not
    /// the person's own, also once they have connected.
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

    /// Notes that of an address that is remembered, or forgets it.
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

    /// Forgets the password for an address, or the sign-in with Google, unless another warehouse that is remembered needs it.
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

/// The address of a server.
fn parse_server_address(uri: &str) -> Result<ServerAddress, AppError> {
    let uri = WarehouseUri::parse(uri)?;
    uri.server_address().cloned().ok_or_else(|| no_login(&uri))
}

/// An address that takes a password.
fn with_login(uri: &str) -> Result<WarehouseUri, AppError> {
    let uri = WarehouseUri::parse(uri)?;
    if uri.password_binding().is_some() { Ok(uri) } else { Err(no_login(&uri)) }
}

fn no_login(uri: &WarehouseUri) -> AppError {
    AppError::new(ErrorCode::Usage, tr!("{uri} is no server, so there is no password for it", uri)).with_hint(tr!(
        "Write {example}",
        example = join_with_or(&[
            "postgresql://USER@HOST:PORT/DATABASE".to_owned(),
            "mysql://USER@HOST:PORT/DATABASE".to_owned(),
            "snowflake://USER@ACCOUNT/DATABASE/SCHEMA".to_owned()
        ])
    ))
}
