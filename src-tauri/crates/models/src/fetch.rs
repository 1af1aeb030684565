//! Downloads a file, resuming an earlier attempt.

use std::io::SeekFrom;
use std::path::{Path, PathBuf};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use futures::StreamExt;
use reqwest::header::{CONTENT_RANGE, ETAG, IF_RANGE, RANGE};
use reqwest::{Client, StatusCode};
use tokio::fs::{self, File, OpenOptions};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

use super::error::PullError;
use vitrine_domain::is_disk_full;

/// The reason why a source failed.
#[derive(Debug)]
pub(super) enum FetchError {
    /// Another source may work. Contains the reason for the user.
    Source(String),
    /// No other source can help.
    Fatal(PullError),
}

impl From<PullError> for FetchError {
    fn from(error: PullError) -> Self {
        FetchError::Fatal(error)
    }
}

/// Creates an HTTP client with the system's certificates and proxy.
pub(super) fn create_client() -> Result<Client, reqwest::Error> {
    Client::builder()
        .connect_timeout(Duration::from_secs(6))
        .read_timeout(Duration::from_secs(30))
        .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// The failure of one attempt, classified by the usefulness of a retry.
enum Attempt {
    Again(String),
    GiveUp(FetchError),
}

/// A callback for the bytes so far and the total, if known.
pub(super) type OnBytes<'a> = &'a (dyn Fn(u64, Option<u64>) + Send + Sync);

/// Downloads `url` to `to`, resuming a partial file. A file larger than `most` bytes is not the expected one and is
/// abandoned before it fills the disk. Connection failures before the first byte fail fast, so that another source can
/// be tried; later interruptions are retried patiently.
pub(super) async fn fetch_file(
    client: &Client,
    url: &str,
    to: &Path,
    most: u64,
    cancel: &CancellationToken,
    on_bytes: OnBytes<'_>,
) -> Result<(), FetchError> {
    if let Some(path) = url.strip_prefix("file://") {
        return copy_local(path, to, most, on_bytes).await;
    }
    let patience = ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(400))
        .with_max_delay(Duration::from_secs(10))
        .with_jitter()
        .with_max_times(7);
    let mut delays = patience.build();
    let mut reached = false;
    let mut never_reached = 0;
    let mut last_size = 0;
    loop {
        let error = match attempt_fetch(client, url, to, most, cancel, on_bytes, &mut reached).await {
            Ok(()) => return Ok(()),
            Err(Attempt::GiveUp(error)) => return Err(error),
            Err(Attempt::Again(error)) => error,
        };
        if !reached {
            never_reached += 1;
        }
        let size = fs::metadata(to).await.map_or(0, |m| m.len());
        if size > last_size {
            // The download has progressed, so all retries are available again.
            delays = patience.build();
        }
        last_size = size;
        match delays.next().filter(|_| never_reached < 2) {
            Some(delay) => tokio::select! {
                () = cancel.cancelled() => return Err(PullError::Cancelled.into()),
                () = tokio::time::sleep(delay) => {}
            },
            None => return Err(FetchError::Source(error)),
        }
    }
}

async fn attempt_fetch(
    client: &Client,
    url: &str,
    to: &Path,
    most: u64,
    cancel: &CancellationToken,
    on_bytes: OnBytes<'_>,
    reached: &mut bool,
) -> Result<(), Attempt> {
    let fatal = |error| Attempt::GiveUp(FetchError::Fatal(PullError::from_io(to, error)));
    let have = fs::metadata(to).await.map_or(0, |m| m.len());
    let mut request = client.get(url);
    if have > 0 {
        request = request.header(RANGE, format!("bytes={have}-"));
        // Otherwise a file that has changed meanwhile would be appended to the old beginning.
        if let Ok(tag) = fs::read_to_string(tag_path(to)).await {
            request = request.header(IF_RANGE, tag);
        }
    }
    let response = tokio::select! {
        () = cancel.cancelled() => return Err(Attempt::GiveUp(PullError::Cancelled.into())),
        response = request.send() => response.map_err(|e| Attempt::Again(innermost_cause(&e)))?,
    };
    *reached = true;
    let status = response.status();
    let start = match status {
        StatusCode::PARTIAL_CONTENT if range_start(&response) == Some(have) => have,
        StatusCode::OK => 0,
        StatusCode::RANGE_NOT_SATISFIABLE if range_total(&response) == Some(have) => return Ok(()),
        StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
            fs::remove_file(to).await.map_err(fatal)?;
            return Err(Attempt::Again("the file there has another size than before".to_owned()));
        }
        s if s.is_server_error() || s == StatusCode::TOO_MANY_REQUESTS || s == StatusCode::REQUEST_TIMEOUT => {
            return Err(Attempt::Again(format!("the server answered {s}")));
        }
        s => return Err(Attempt::GiveUp(FetchError::Source(format!("the server answered {s}")))),
    };
    if start == 0
        && let Some(tag) = response.headers().get(ETAG).and_then(|t| t.to_str().ok()).filter(|t| !t.starts_with("W/"))
    {
        fs::write(tag_path(to), tag).await.map_err(fatal)?;
    }
    let total = response.content_length().map(|length| start + length);
    if let Some(bytes) = total.filter(|total| *total > most) {
        return Err(Attempt::GiveUp(too_large(to, bytes, most).await));
    }
    let mut file = open_at(to, start).await.map_err(fatal)?;
    let mut size = start;
    on_bytes(size, total);
    let mut body = response.bytes_stream();
    loop {
        let chunk = tokio::select! {
            () = cancel.cancelled() => {
                file.flush().await.map_err(fatal)?;
                return Err(Attempt::GiveUp(PullError::Cancelled.into()));
            }
            chunk = body.next() => chunk,
        };
        match chunk {
            None => break,
            Some(Ok(bytes)) => {
                if size + bytes.len() as u64 > most {
                    return Err(Attempt::GiveUp(too_large(to, size + bytes.len() as u64, most).await));
                }
                file.write_all(&bytes).await.map_err(fatal)?;
                size += bytes.len() as u64;
                on_bytes(size, total);
            }
            Some(Err(error)) => {
                file.flush().await.map_err(fatal)?;
                return Err(Attempt::Again(format!("the connection broke: {}", innermost_cause(&error))));
            }
        }
    }
    file.flush().await.map_err(fatal)?;
    if total.is_some_and(|total| size < total) {
        return Err(Attempt::Again("the connection ended early".to_owned()));
    }
    Ok(())
}

/// Deletes a file that is larger than expected.
async fn too_large(to: &Path, bytes: u64, most: u64) -> FetchError {
    let _ = fs::remove_file(to).await;
    let _ = fs::remove_file(tag_path(to)).await;
    FetchError::Source(format!("it has at least {bytes} bytes, and {most} at most were expected; it was given up"))
}

async fn open_at(path: &Path, start: u64) -> std::io::Result<File> {
    let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path).await?;
    file.set_len(start).await?;
    file.seek(SeekFrom::Start(start)).await?;
    Ok(file)
}

async fn copy_local(from: &str, to: &Path, most: u64, on_bytes: OnBytes<'_>) -> Result<(), FetchError> {
    let from = percent_decoded(from);
    if let Some(size) = fs::metadata(&from).await.ok().map(|about| about.len()).filter(|size| *size > most) {
        return Err(too_large(to, size, most).await);
    }
    let size = fs::copy(&from, to).await.map_err(|error| {
        if is_disk_full(&error) {
            FetchError::Fatal(PullError::from_io(to, error))
        } else {
            FetchError::Source(format!("{} cannot be copied: {error}", from.display()))
        }
    })?;
    on_bytes(size, Some(size));
    Ok(())
}

fn percent_decoded(text: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let coded = (*first == b'%').then(|| tail.get(..2)).flatten();
        let value =
            coded.and_then(|hex| std::str::from_utf8(hex).ok()).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { &tail[2..] } else { tail };
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the path that stores the ETag of a partial file.
pub(super) fn tag_path(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".etag");
    name.into()
}

fn range_start(response: &reqwest::Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}

fn range_total(response: &reqwest::Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.rsplit('/').next()?.parse().ok()
}

/// Returns the innermost cause: "connection refused" is more specific than "error sending request".
fn innermost_cause(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    let kind = if error.is_timeout() {
        "no answer in time"
    } else if error.is_connect() {
        "it cannot be reached"
    } else {
        "the request failed"
    };
    format!("{kind} ({inner})")
}
