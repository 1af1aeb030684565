//! The listener for the browser's response. It accepts connections from this computer only, on a port that the system
//! chooses, until the response arrives.

use super::pages;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::form_urlencoded;

/// Maximum length of a request head in bytes.
const LONGEST: usize = 16 << 10;
/// Timeout for a request head. Browsers open connections in advance and send nothing on them.
const SLOW: Duration = Duration::from_secs(10);
/// Maximum number of connections that are read concurrently.
const AT_ONCE: usize = 32;

/// The browser's response: the query parameters of the requested URL.
pub(super) struct Answer {
    values: Vec<(String, String)>,
    browser: TcpStream,
}

impl Answer {
    pub fn query_parameter(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Sends the page to the browser. Errors are ignored, because the browser may already be closed.
    pub async fn send_page(mut self, response: &str) {
        send_response(&mut self.browser, response).await;
    }
}

/// Waits for the first request with a response. All other requests receive a "not found" page.
pub(super) async fn wait_for_answer(listener: &TcpListener) -> Answer {
    let mut heads = FuturesUnordered::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if heads.len() < AT_ONCE => match accepted {
                Ok((browser, _)) => heads.push(read_answer(browser)),
                // For example, no file descriptor is free: one may be free a little later.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            },
            Some(Some(answer)) = heads.next() => return answer,
        }
    }
}

async fn read_answer(mut browser: TcpStream) -> Option<Answer> {
    let head = tokio::time::timeout(SLOW, read_head(&mut browser)).await.ok()??;
    let target = head.strip_prefix("GET ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let values: Vec<(String, String)> = target
        .strip_prefix("/?")
        .map(|query| form_urlencoded::parse(query.as_bytes()).into_owned().collect())
        .unwrap_or_default();
    if values.iter().any(|(name, _)| name == "code" || name == "error") {
        return Some(Answer { values, browser });
    }
    send_response(&mut browser, &pages::nothing_here()).await;
    None
}

/// Reads the head of a request and returns its first line.
async fn read_head(browser: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        if bytes.len() > LONGEST || browser.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(String::from_utf8_lossy(&bytes).lines().next().unwrap_or_default().to_owned())
}

async fn send_response(browser: &mut TcpStream, response: &str) {
    let sent = async {
        browser.write_all(response.as_bytes()).await?;
        browser.shutdown().await
    };
    let _ = tokio::time::timeout(SLOW, sent).await;
}
