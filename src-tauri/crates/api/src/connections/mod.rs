//! Connections: databases with a name, and tests of them.

mod definitions;
mod test;

use crate::app::App;
use crate::scans::check_limits;
use crate::state::work::{current_timestamp, new_id, run_blocking};
use crate::types::{Connection, ConnectionDraft, ConnectionSettings, KeptConnection, PasswordPlace};
use crate::warehouses::SAMPLE;
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_store::secrets::SecretError;
use vitrine_warehouse::WarehouseUri;
use vitrine_words::tr;

/// Maximum number of characters of a name.
const LONGEST_NAME: usize = 80;

impl App {
    /// Returns all connections, sorted by name.
    pub async fn connections(&self) -> Result<Vec<Connection>, AppError> {
        self.with_store(|store| store.connections()).await
    }

    /// Stores a connection without connecting. Its password is stored in the keychain or in memory, never in the workspace.
    ///
    /// # Errors
    /// When the name or the address is not usable, or another connection has it.
    pub async fn keep_connection(&self, draft: ConnectionDraft) -> Result<KeptConnection, AppError> {
        let name = usable_name(&draft.name)?;
        let uri = self.resolve_address(&draft.address).await?;
        let address = uri.to_string();
        check_limits(&address, &draft.settings.scans)?;
        let before = match draft.id.clone() {
            Some(id) => Some(self.with_store(move |store| store.connection_by_id(&id)).await?),
            None => None,
        };
        let connection = Connection {
            id: before.as_ref().map_or_else(new_id, |before| before.id.clone()),
            name,
            address: address.clone(),
            environment: draft.environment,
            schemas: normalize_schemas(draft.schemas),
            settings: draft.settings,
            created_at: before.as_ref().map_or_else(current_timestamp, |before| before.created_at.clone()),
            used_at: before.as_ref().and_then(|before| before.used_at.clone()),
        };
        let kept = connection.clone();
        self.with_store(move |store| store.keep_connection(&kept)).await?;
        // The user typed or chose the address.
        self.inner.warehouses.confirmed_addresses().insert(address.clone());
        if let Some(before) = &before {
            if before.address != address {
                let (from, to) = (before.address.clone(), address.clone());
                self.with_store(move |store| store.move_egress(&from, &to)).await?;
                self.move_metrics(&before.address, &address).await?;
                self.close_warehouse(&before.address);
                self.forget_password(&before.address).await?;
            } else if before.schemas != connection.schemas || before.settings != connection.settings {
                self.close_warehouse(&address);
            }
        } else if connection.settings != ConnectionSettings::default() || !connection.schemas.is_empty() {
            // The address may be open without a name and without these limits.
            self.close_warehouse(&address);
        }
        let typed = draft.password.filter(|password| !password.is_empty());
        let given = if typed.is_some() { uri.with_password(typed) } else { uri };
        let (password, note) = match given.password() {
            Some(_) => self.keep_password(given, draft.remember).await?,
            None => (PasswordPlace::None, None),
        };
        Ok(KeptConnection { connection, password, note })
    }

    /// Removes a connection with its definitions and its password. Its database and its runs are kept.
    pub async fn remove_connection(&self, id: String) -> Result<(), AppError> {
        let key = id.clone();
        let connection = self.with_store(move |store| store.connection_by_id(&key)).await?;
        self.with_store(move |store| store.remove_connection(&id)).await?;
        self.forget_warehouse(connection.address).await
    }

    /// Returns the address of the connection with that name, or else the text itself.
    pub async fn address_of(&self, text: &str) -> Result<String, AppError> {
        let name = text.trim().to_owned();
        if !can_be_a_name(&name) {
            return Ok(text.to_owned());
        }
        let found = self.with_store(move |store| store.connection_named(&name)).await?;
        Ok(found.map_or_else(|| text.to_owned(), |connection| connection.address))
    }

    /// Returns the full address for the name of a connection, the sample or a path, without connecting.
    ///
    /// # Errors
    /// When the text cannot be an address.
    pub async fn full_address(&self, text: &str) -> Result<String, AppError> {
        Ok(self.resolve_address(&self.address_of(text).await?).await?.to_string())
    }

    /// Returns the connection with that name or address.
    ///
    /// # Errors
    /// When there is none.
    pub async fn find_connection(&self, text: &str) -> Result<Connection, AppError> {
        let address = self.address_of(text).await?;
        let key = address.clone();
        let mut found = self.with_store(move |store| store.connection_at(&key)).await?;
        if found.is_none()
            && let Ok(uri) = self.resolve_address(&address).await
        {
            found = self.with_store(move |store| store.connection_at(&uri.to_string())).await?;
        }
        found.ok_or_else(|| {
            let shown = WarehouseUri::redact_address(text);
            AppError::new(ErrorCode::NotFound, tr!("Connection '{name}' not found", name = shown))
                .with_hint(tr!("List them with: vitrine connections list"))
        })
    }

    /// Returns the connection to an address, if there is one.
    pub(crate) async fn connection_at(&self, address: &str) -> Result<Option<Connection>, AppError> {
        let address = address.to_owned();
        self.with_store(move |store| store.connection_at(&address)).await
    }

    async fn keep_password(
        &self,
        given: WarehouseUri,
        remember: bool,
    ) -> Result<(PasswordPlace, Option<String>), AppError> {
        self.inner.passwords.record_password(&given);
        if !remember {
            return Ok((PasswordPlace::Session, None));
        }
        let passwords = Arc::clone(&self.inner.passwords);
        let kept: Result<(), SecretError> = run_blocking(move || Ok(passwords.save_to_keychain(&given))).await?;
        Ok(match kept {
            Ok(()) => (PasswordPlace::Keychain, None),
            Err(error) => (PasswordPlace::Session, Some(AppError::from(error).message)),
        })
    }
}

/// Returns true if the text can be a name, that is, if its characters distinguish it from an address.
fn can_be_a_name(text: &str) -> bool {
    !text.is_empty()
        && !text.eq_ignore_ascii_case(SAMPLE)
        && !text.contains([':', '/', '\\'])
        && !text.chars().any(char::is_control)
}

pub(crate) fn usable_name(text: &str) -> Result<String, AppError> {
    let name = text.trim();
    // A text that was meant as an address may contain a password: `host=db password=...`.
    let is_address = name.contains('=') && WarehouseUri::redact_address(name) != name;
    if can_be_a_name(name) && !is_address && name.chars().count() <= LONGEST_NAME {
        return Ok(name.to_owned());
    }
    Err(AppError::new(ErrorCode::Usage, tr!("This is not a valid connection name")).with_hint(tr!(
        "Choose up to {most} letters without : / or \\, and not '{sample}'",
        most = LONGEST_NAME,
        sample = SAMPLE
    )))
}

pub(crate) fn normalize_schemas(given: Vec<String>) -> Vec<String> {
    let mut schemas: Vec<String> = given.iter().map(|name| name.trim().to_owned()).collect();
    schemas.retain(|name| !name.is_empty());
    schemas.sort();
    schemas.dedup();
    schemas
}
