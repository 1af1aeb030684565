//! The development host: the program's commands over loopback HTTP and its events over SSE, so that a browser can drive
//! the real thing in tests. It listens on this computer only, answers pages of this computer only, and every request needs the
//! token that it was started with. No program that is shipped depends on it.
//!
//! `POST /api/<command>` takes one JSON object of arguments and gives the result, or status 400 with an `AppError`.
//! `GET /events` streams every `AppEvent`. Everything else is a file of the built pages.

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

/// Arguments of one command; a question of a megabyte has to arrive before it can be refused well.
const BODY_LIMIT: usize = 8 << 20;

/// A bound development host.
pub struct Devhost {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    router: Router,
}

/// How a host is set up.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The port; 0 takes any free one.
    pub port: u16,
    /// The folder of the built pages.
    pub ui: PathBuf,
    /// The only folder that files are saved to; none without it.
    pub files: Option<PathBuf>,
    /// What every request has to bring; a random one where none is set.
    pub token: Option<String>,
}

#[derive(Clone)]
struct Shared {
    app: App,
    ui: PathBuf,
}

impl Devhost {
    /// Takes a port of this computer.
    ///
    /// # Errors
    /// When the port is taken.
    pub async fn bind(app: App, options: Options) -> Result<Self, AppError> {
        let Options { port, ui, files, token } = options;
        let token = token.unwrap_or_else(|| uuid::Uuid::new_v4().simple().to_string());
        if let Some(folder) = files {
            app.set_dialogs(Arc::new(files::OneFolder(folder)));
        }
        let taken = |error: std::io::Error| {
            AppError::new(ErrorCode::Usage, format!("Port {port} cannot be used"))
                .hint("Choose another one with --port, or 0 for any free one")
                .detail(error)
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        let router = Router::new()
            .route("/api/{command}", post(command))
            .route("/events", get(events))
            .fallback(get(page))
            .layer(axum::middleware::from_fn_with_state(Arc::<str>::from(token.as_str()), guard::only_with_token))
            .layer(axum::middleware::from_fn(guard::only_this_machine))
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .with_state(Shared { app, ui });
        Ok(Self { listener, address, token, router })
    }

    /// Where a browser begins: with the token, which it then keeps in a cookie.
    pub fn address(&self) -> String {
        format!("http://{}/?{}={}", self.address, guard::TOKEN, self.token)
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn serve(self, stop: CancellationToken) -> Result<(), AppError> {
        let serve = axum::serve(self.listener, self.router).into_future();
        // Event streams never end by themselves, so open connections are not waited for.
        tokio::select! {
            served = serve => served.map_err(|error| AppError::new(ErrorCode::Internal, "The development host stopped").detail(error)),
            () = stop.cancelled() => Ok(()),
        }
    }
}

async fn command(State(shared): State<Shared>, UrlPath(command): UrlPath<String>, body: String) -> Response {
    match call(&shared.app, &command, &body).await {
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Err(error) => {
            let json = serde_json::to_string(&error).unwrap_or_default();
            (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], json).into_response()
        }
    }
}

async fn events(State(shared): State<Shared>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = BroadcastStream::new(shared.app.subscribe());
    // A listener that fell behind is cut off: it connects again and reads what it missed from the run log.
    let events = events.take_while(|event| futures::future::ready(event.is_ok())).filter_map(async |event| {
        let json = serde_json::to_string(&event.ok()?).ok()?;
        Some(Ok(Event::default().data(json)))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

async fn page(State(shared): State<Shared>, uri: axum::http::Uri) -> Response {
    pages::serve(&shared.ui, uri.path()).await
}
