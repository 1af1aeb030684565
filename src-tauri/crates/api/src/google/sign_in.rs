//! Commands for the sign-in through the browser. Refresh tokens and secrets are never sent to a front end.

use super::files;
use super::logins::{KeychainFailure, keychain_name};
use crate::app::App;
use crate::state::work::{new_id, run_blocking};
use crate::types::{GoogleSignIn, GoogleSignedIn, PasswordPlace};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_warehouse::{BrowserSignIn, GoogleClient, GoogleLogin, OpenOptions, ProjectAddress, WarehouseUri};
use vitrine_words::tr;

/// Maximum time for the user to sign in in the browser.
const LIMIT: Duration = Duration::from_secs(300);

impl App {
    /// Sets the function that opens a page in a browser. Without it no browser is opened, and the front end shows the address instead.
    pub fn set_browser(&self, open: impl Fn(&str) -> std::io::Result<()> + Send + Sync + 'static) {
        *self.inner.google.open_page.lock() = Some(Arc::new(open));
    }

    /// Starts a Google sign-in for an address or a connection's name: listens on a local port and opens one tab of the browser.
    /// [`Self::finish_google_sign_in`] waits for its end; `cancel_job` cancels it.
    ///
    /// # Errors
    /// When the address names no client, or a sign-in for the same client is already running.
    pub async fn begin_google_sign_in(
        &self,
        address: String,
        client_secret: Option<String>,
    ) -> Result<GoogleSignIn, AppError> {
        let project = self.with_client(&address).await?;
        self.confirm_warehouse(&project.to_string()).await;
        let name = keychain_name(&project).unwrap_or_default();
        let client = self.google_client(&project).await?.with_secret(client_secret);
        let job_id = new_id();
        // A second click does not open a second tab.
        let place = {
            let mut at_work = self.inner.google.at_work.lock();
            if at_work.contains_key(&name) {
                return Err(AppError::new(
                    ErrorCode::Usage,
                    tr!("A sign-in with Google is already open in the browser"),
                )
                .with_hint(tr!("Finish it in its tab, or cancel it first")));
            }
            at_work.insert(name.clone(), job_id.clone());
            AtWork { app: self.clone(), name: name.clone(), job_id: job_id.clone() }
        };
        let sign_in = BrowserSignIn::open_listener(&project, client).await?;
        let url = sign_in.browser_url().to_owned();
        let cancel = self.inner.ending.child_token();
        self.inner.jobs.0.lock().insert(job_id.clone(), cancel.clone());
        let (ended, end) = oneshot::channel();
        self.inner.google.ends.lock().insert(job_id.clone(), end);
        let app = self.clone();
        tokio::spawn(async move {
            let done = app.signed_in(sign_in, name, cancel).await;
            drop(place);
            // The front end may be closed; the login is stored anyway.
            let _ = ended.send(done);
        });
        let open_page = self.inner.google.open_page.lock().clone();
        let opened = open_page.is_some_and(|open| match open(&url) {
            Ok(()) => true,
            Err(error) => {
                tracing::debug!(%error, "no browser could be opened");
                false
            }
        });
        Ok(GoogleSignIn { job_id, url, opened })
    }

    /// Waits until a Google sign-in has ended.
    ///
    /// # Errors
    /// When the sign-in was denied, timed out or was cancelled, or another caller already waits for it.
    pub async fn finish_google_sign_in(&self, job_id: String) -> Result<GoogleSignedIn, AppError> {
        let gone = || AppError::new(ErrorCode::NotFound, tr!("This sign-in is over")).with_hint(tr!("Sign in again"));
        let end = self.inner.google.ends.lock().remove(&job_id).ok_or_else(gone)?;
        let kept = end.await.map_err(|_| gone())??;
        Ok(match kept {
            None => GoogleSignedIn { place: PasswordPlace::Keychain, note: None },
            Some(error) => GoogleSignedIn { place: PasswordPlace::Session, note: Some(AppError::from(error).message) },
        })
    }

    /// Returns true if the secret of an address's client is missing; Google's desktop clients have one.
    ///
    /// # Errors
    /// When the address names no client.
    pub async fn google_secret_missing(&self, address: &str) -> Result<bool, AppError> {
        let project = self.with_client(address).await?;
        Ok(!self.google_client(&project).await?.has_secret())
    }

    /// Adds the known Google credentials to the options for opening an address.
    pub(crate) async fn with_google(
        &self,
        uri: Option<&WarehouseUri>,
        options: OpenOptions,
    ) -> Result<OpenOptions, AppError> {
        let Some(project) = uri.and_then(WarehouseUri::project_address).cloned() else { return Ok(options) };
        let app = self.clone();
        let google_login = run_blocking(move || Ok(app.inner.google.get(&project))).await?;
        Ok(OpenOptions { google_credentials: files::find_credentials_file(), google_login, ..options })
    }

    /// Removes the login of an address, unless another remembered address uses it.
    pub(crate) async fn forget_google(&self, uri: &str) -> Result<(), AppError> {
        let bound = |uri: &str| WarehouseUri::project_of(uri).and_then(|project| keychain_name(&project));
        let Some(name) = bound(uri) else { return Ok(()) };
        let (others, connections) =
            self.with_store(|store| Ok((store.recent_warehouses()?, store.connections()?))).await?;
        let is_same = |other: &str| bound(other).as_ref() == Some(&name);
        if others.iter().any(|other| other.uri != uri && is_same(&other.uri))
            || connections.iter().any(|connection| is_same(&connection.address))
        {
            return Ok(());
        }
        let app = self.clone();
        run_blocking(move || Ok(app.inner.google.forget_login(&name)?)).await
    }

    /// Returns the project of an address or a connection's name. The address has to name a client and be the user's own.
    async fn with_client(&self, address: &str) -> Result<ProjectAddress, AppError> {
        let text = self.address_of(address).await?;
        let uri = WarehouseUri::parse(&text)?;
        let project =
            uri.project_address().filter(|project| project.signs_in_by_browser()).cloned().ok_or_else(|| {
                AppError::new(ErrorCode::Usage, tr!("This address names no client to sign in to Google with"))
                    .with_hint(tr!(
                        "Add client_id=ID or client_file=PATH to it. A client of the type \"Desktop app\" is created in Google Cloud's console, under APIs & Services, Credentials"
                    ))
            })?;
        if self.is_foreign(&project.to_string()).await? {
            return Err(AppError::new(ErrorCode::Usage, tr!("This address came with another person's run"))
                .with_hint(tr!("Make a connection of your own, with a client that you know")));
        }
        Ok(project)
    }

    /// Returns the client of an address, with the secret that was entered for it before.
    async fn google_client(&self, project: &ProjectAddress) -> Result<GoogleClient, AppError> {
        let (app, project) = (self.clone(), project.clone());
        run_blocking(move || {
            let client = GoogleClient::from_address(&project).map_err(|what| {
                AppError::new(ErrorCode::Connection, tr!("The client for the sign-in with Google cannot be read"))
                    .with_detail(what)
            })?;
            let kept = app.inner.google.get(&project).map(GoogleLogin::into_client);
            kept.or(client).ok_or_else(|| AppError::new(ErrorCode::Internal, tr!("The address names no client")))
        })
        .await
    }

    /// Waits for the browser, stores the login, and closes warehouses that are open with an older login.
    async fn signed_in(
        &self,
        sign_in: BrowserSignIn,
        name: String,
        cancel: CancellationToken,
    ) -> Result<KeychainFailure, AppError> {
        let login = sign_in.wait_for_login(LIMIT, cancel).await?;
        let (app, own) = (self.clone(), name.clone());
        let kept = run_blocking(move || Ok(app.inner.google.store_login(&own, &login))).await?;
        for uri in self.inner.warehouses.addresses() {
            let project = WarehouseUri::project_of(&uri);
            if project.and_then(|project| super::logins::keychain_name(&project)).as_ref() == Some(&name) {
                self.close_warehouse(&uri);
            }
        }
        Ok(kept)
    }
}

/// A waiting sign-in; when it is dropped, another sign-in for the same client can start.
struct AtWork {
    app: App,
    name: String,
    job_id: String,
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.app.inner.google.at_work.lock().remove(&self.name);
        self.app.inner.jobs.0.lock().remove(&self.job_id);
    }
}
