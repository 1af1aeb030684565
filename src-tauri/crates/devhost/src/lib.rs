//! The development host: the application's commands over loopback HTTP and its events over SSE, so that a browser can
//! test the real application. It listens only on this computer, serves only pages of this computer, and every request
//! needs the token with which it was started. No shipped program depends on it.
//!
//! `POST /api/<command>` takes one JSON object of arguments and returns the result, or status 400 with an `AppError`.
//! `GET /events` streams every `AppEvent`. All other paths are files of the built pages.

mod commands;
mod files;
mod guard;
mod pages;

pub use commands::{COMMANDS, call};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path as UrlPath, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures::{Stream, StreamExt};
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_stream::wrappers::BroadcastStream;
use tokio_util::sync::CancellationToken;
use vitrine_api::App;
use vitrine_domain::{AppError, ErrorCode};

/// Maximum size of a command's arguments in bytes; an oversized question must arrive to be rejected with a useful
/// message.
const BODY_LIMIT: usize = 8 << 20;

/// A development host with its bound port.
pub struct Devhost {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    router: Router,
}

/// The configuration of a host.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The port; 0 selects any free one.
    pub port: u16,
    /// The folder of the built pages.
    pub ui: PathBuf,
    /// The only folder to which files are saved; without it, none are saved.
    pub files: Option<PathBuf>,
    /// The token that every request needs; random if not set.
    pub token: Option<String>,
}

#[derive(Clone)]
struct Shared {
    app: App,
    ui: PathBuf,
}

impl Devhost {
    /// Binds a port of this computer.
    ///
    /// # Errors
    /// Fails if the port is in use.
    pub async fn bind(app: App, options: Options) -> Result<Self, AppError> {
        let Options { port, ui, files, token } = options;
        let token = token.unwrap_or_else(|| uuid::Uuid::new_v4().simple().to_string());
        if let Some(folder) = files {
            app.set_dialogs(Arc::new(files::OneFolder(folder)));
        }
        let taken = |error: std::io::Error| {
            AppError::new(ErrorCode::Usage, format!("Port {port} cannot be used"))
                .with_hint("Choose another one with --port, or 0 for any free one")
                .with_detail(error)
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        let router = Router::new()
            .route("/api/{command}", post(handle_command))
            .route("/events", get(stream_events))
            .fallback(get(serve_page))
            .layer(axum::middleware::from_fn_with_state(Arc::<str>::from(token.as_str()), guard::only_with_token))
            .layer(axum::middleware::from_fn(guard::only_this_machine))
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .with_state(Shared { app, ui });
        Ok(Self { listener, address, token, router })
    }

    /// Returns the first address for a browser, with the token, which is then kept in a cookie.
    pub fn browser_url(&self) -> String {
        format!("http://{}/?{}={}", self.address, guard::TOKEN, self.token)
    }

    /// Serves requests until `stop` is cancelled.
    ///
    /// # Errors
    /// Fails if the listener fails.
    pub async fn serve_until_stopped(self, stop: CancellationToken) -> Result<(), AppError> {
        let serve = axum::serve(self.listener, self.router).into_future();
        // Event streams are endless, so open connections are not awaited.
        tokio::select! {
            served = serve => served.map_err(|error| AppError::new(ErrorCode::Internal, "The development host stopped").with_detail(error)),
            () = stop.cancelled() => Ok(()),
        }
    }
}

async fn handle_command(State(shared): State<Shared>, UrlPath(command): UrlPath<String>, body: String) -> Response {
    match call(&shared.app, &command, &body).await {
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Err(error) => {
            let json = serde_json::to_string(&error).unwrap_or_default();
            (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], json).into_response()
        }
    }
}

async fn stream_events(State(shared): State<Shared>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = BroadcastStream::new(shared.app.subscribe_to_events());
    // A subscriber that falls behind is disconnected: it reconnects and reads the missed events from the run log.
    let events = events.take_while(|event| futures::future::ready(event.is_ok())).filter_map(async |event| {
        let json = serde_json::to_string(&event.ok()?).ok()?;
        Some(Ok(Event::default().data(json)))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

async fn serve_page(State(shared): State<Shared>, uri: axum::http::Uri) -> Response {
    pages::serve_file(&shared.ui, uri.path()).await
}
