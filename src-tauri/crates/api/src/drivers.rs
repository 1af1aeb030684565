//! Drivers of databases on this computer.

use crate::app::App;
use crate::state::work::{on_own_thread, panic_error, run_blocking};
use crate::types::{DriverInfo, OpenKind};
use std::path::Path;
use tokio_util::sync::CancellationToken;
use vitrine_domain::AppError;
use vitrine_models::{Driver, Progress, name_of_library};
use vitrine_warehouse::WarehouseUri;

impl App {
    /// Returns the known drivers and the drivers that the user added.
    pub async fn drivers(&self) -> Result<Vec<DriverInfo>, AppError> {
        let store = self.inner.drivers.clone();
        run_blocking(move || Ok(store.list_drivers().into_iter().map(DriverInfo::from).collect())).await
    }

    /// Downloads a known driver and waits until it is ready.
    ///
    /// # Errors
    /// When no driver has that name, or it cannot be downloaded.
    pub async fn get_driver(&self, name: String) -> Result<DriverInfo, AppError> {
        let (store, cancel) = (self.inner.drivers.clone(), self.inner.ending.child_token());
        let pulled = on_own_thread(move || async move { store.pull_driver(&name, |_| {}, cancel).await });
        Ok(pulled.await.map_err(|error| panic_error(&error))??.into())
    }

    /// Downloads a known driver and reports the progress.
    ///
    /// # Errors
    /// Same as [`App::get_driver`].
    pub async fn pull_driver(
        &self,
        name: &str,
        progress: impl Fn(Progress) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<DriverInfo, AppError> {
        Ok(self.inner.drivers.pull_driver(name, progress, cancel).await?.into())
    }

    /// Registers a library of this computer as a driver; the file is not moved or copied.
    ///
    /// # Errors
    /// When the library cannot be used as a driver.
    pub async fn add_driver(&self, path: String, name: String) -> Result<DriverInfo, AppError> {
        let store = self.inner.drivers.clone();
        run_blocking(move || Ok(store.add(Path::new(&path), &name)?.into())).await
    }

    /// Asks the user for a library and registers it as a driver, named after its file. Pages never choose the path of a library that is
    /// loaded. Returns `None` if the user chose none.
    ///
    /// # Errors
    /// Same as [`App::add_driver`].
    pub async fn choose_driver(&self) -> Result<Option<DriverInfo>, AppError> {
        let Some(path) = self.pick_open_path(OpenKind::Driver).await? else { return Ok(None) };
        let name = name_of_library(Path::new(&path));
        Ok(Some(self.add_driver(path, name).await?))
    }

    /// Removes a driver; a library that the user added is not deleted.
    ///
    /// # Errors
    /// When no driver has that name.
    pub async fn remove_driver(&self, name: String) -> Result<(), AppError> {
        let store = self.inner.drivers.clone();
        run_blocking(move || Ok(store.remove_driver(&name)?)).await
    }

    /// Returns the driver that is needed to open an address.
    pub(crate) async fn driver_of(&self, uri: &WarehouseUri) -> Result<Option<Driver>, AppError> {
        let Some(name) = uri.driver_name().map(str::to_owned) else { return Ok(None) };
        let store = self.inner.drivers.clone();
        run_blocking(move || Ok(store.find_driver(&name))).await
    }
}

impl From<Driver> for DriverInfo {
    fn from(driver: Driver) -> Self {
        Self {
            name: driver.name,
            version: driver.version,
            licence: driver.licence,
            sha256: driver.sha256,
            bytes: driver.bytes,
            from: driver.from,
            path: driver.path.display().to_string(),
            present: driver.present,
            preview: driver.added,
        }
    }
}
