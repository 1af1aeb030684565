//! Requests to a server over HTTP: authenticated, sent to this server only, with responses read line by line in bounded
//! memory.

use super::errors::Exception;
use crate::server::Protection;
use crate::web::{self, error_causes};
use crate::{OpenOptions, ServerAddress, WarehouseError};
use reqwest::{Client, Response};
use url::Url;
use vitrine_words::tr;

/// Maximum bytes of a row.
const LONGEST_LINE: usize = 128 << 20;
/// Maximum bytes of an error message.
const LONGEST_ERROR: usize = 1 << 20;
/// The header with the statistics of a query so far: a JSON object of numbers as text.
const SUMMARY: &str = "x-clickhouse-summary";
/// The format of results: a line with the names, a line with the types, then one line per row.
const FORMAT: &str = "JSONCompactEachRowWithNamesAndTypes";

/// The connection to a server with its login.
pub(super) struct Http {
    client: Client,
    url: Url,
    pub server: ServerAddress,
    /// The address of the server without secrets.
    pub shown: String,
    is_encrypted: bool,
}

impl Http {
    /// Creates the client.
    ///
    /// # Errors
    /// Fails if the password could be intercepted on the way to the server, or if a file for encryption is unusable.
    pub fn new(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let shown = server.to_string();
        let wrong = |reason: String| WarehouseError::Address { text: shown.clone(), reason };
        let unusable = |detail: String| WarehouseError::Unreachable { server: shown.clone(), detail };
        let protection = server.protection().map_err(wrong)?;
        let place = server.hosts().map_err(wrong)?.into_iter().next();
        let place = place.ok_or_else(|| wrong(tr!("it names no host")))?;
        let is_encrypted = protection != Protection::Disable;
        if server.password().is_some() && !is_encrypted && !place.is_local() && !options.own_address {
            return Err(WarehouseError::Unprotected { server: shown, cleartext: false });
        }
        let builder = web::build_client(&server, &place, protection)?;
        let client = builder.build().map_err(|error| unusable(error_causes(error)))?;
        let url = web::build_url(&place, is_encrypted).ok_or_else(|| wrong(tr!("its host is not a host name")))?;
        Ok(Self { client, url, server, shown, is_encrypted })
    }

    /// Returns true if the connection is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Sends a statement and waits for the beginning of the response. The outer error concerns the connection, the
    /// inner one is the server's.
    pub async fn send_statement(
        &self,
        sql: String,
        id: Option<&str>,
        settings: &[(&'static str, String)],
    ) -> Result<Result<Lines, Exception>, WarehouseError> {
        Ok(self.send_for(sql, id, settings, Begins::AtOnce).await?.rows)
    }

    /// Sends a statement and also returns the bytes that it read. With [`Begins::WhenWhole`] the server buffers the
    /// complete result, because only then does it know all bytes before the response begins.
    pub async fn send_for(
        &self,
        sql: String,
        id: Option<&str>,
        settings: &[(&'static str, String)],
        begins: Begins,
    ) -> Result<Answer, WarehouseError> {
        let mut url = self.url.clone();
        let database = self.server.database_name();
        {
            let mut query = url.query_pairs_mut();
            if !database.is_empty() {
                query.append_pair("database", &database);
            }
            if let Some(id) = id {
                query.append_pair("query_id", id);
            }
            query.append_pair("default_format", FORMAT);
            if begins == Begins::WhenWhole {
                query.append_pair("wait_end_of_query", "1");
            }
            // The settings, above all `readonly`, are part of the request itself, because the server does not keep
            // settings between requests.
            query.extend_pairs(settings);
        }
        let request = self.client.post(url).basic_auth(self.server.user_name(), self.server.password()).body(sql);
        let answer = request.send().await.map_err(|error| self.unreachable_error(error))?;
        let status = answer.status().as_u16();
        let code = answer.headers().get("x-clickhouse-exception-code");
        let code = code.and_then(|code| code.to_str().ok()?.parse().ok());
        let summary = answer.headers().get(SUMMARY).and_then(|summary| summary.to_str().ok());
        let read_bytes = summary.and_then(read_bytes);
        let mut lines = Lines { answer, buffer: Vec::new(), at: 0, server: self.shown.clone() };
        if status == 200 && code.is_none() {
            return Ok(Answer { rows: Ok(lines), read_bytes });
        }
        Ok(Answer { rows: Err(Exception::of_answer(status, code, &lines.read_remaining().await)), read_bytes })
    }

    /// Stops a query of this login.
    pub async fn stop_query(&self, id: &str) {
        // The ids are generated by this crate and contain no quote.
        let sql = format!("KILL QUERY WHERE query_id = '{}' ASYNC", id.replace(['\'', '\\'], ""));
        match self.send_statement(sql, None, &[]).await {
            Ok(Ok(_)) => {}
            Ok(Err(exception)) => tracing::debug!(exception.message, "a query was not stopped by name"),
            Err(error) => tracing::debug!(%error, "a query was not stopped by name"),
        }
    }

    fn unreachable_error(&self, error: reqwest::Error) -> WarehouseError {
        WarehouseError::Unreachable { server: self.shown.clone(), detail: error_causes(error) }
    }
}

/// The time at which the response to a statement begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// Begins with the first rows.
    AtOnce,
    /// Begins after the last row was computed.
    WhenWhole,
}

/// The response of the server.
pub(super) struct Answer {
    pub rows: Result<Lines, Exception>,
    /// Bytes that the statement had read when the response began, if the server reports them.
    pub read_bytes: Option<u64>,
}

/// Parses the bytes read from the summary header.
fn read_bytes(summary: &str) -> Option<u64> {
    let summary: serde_json::Value = serde_json::from_str(summary).ok()?;
    let bytes = summary.get("read_bytes")?;
    bytes.as_str().map_or_else(|| bytes.as_u64(), |text| text.parse().ok())
}

/// The reason why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// An exception of the server.
    Server(Exception),
    /// An error of the connection.
    Connection(WarehouseError),
}

impl Failure {
    pub fn in_query(self, shown: &str, seconds: u64) -> WarehouseError {
        match self {
            Self::Server(exception) => exception.in_query(shown, seconds),
            Self::Connection(error) => error,
        }
    }

    pub fn at_connect(self, shown: &str, has_password: bool) -> WarehouseError {
        match self {
            Self::Server(exception) => exception.at_connect(shown, has_password),
            Self::Connection(error) => error,
        }
    }
}

/// A response that is read line by line.
pub(super) struct Lines {
    answer: Response,
    buffer: Vec<u8>,
    /// The index in the buffer at which the next line begins.
    at: usize,
    server: String,
}

impl Lines {
    /// Returns the next line without its line break; `None` after the last one. A truncated response is an error.
    pub async fn next(&mut self) -> Result<Option<&[u8]>, WarehouseError> {
        let mut looked = self.at;
        loop {
            if let Some(length) = self.buffer[looked..].iter().position(|byte| *byte == b'\n') {
                let (from, to) = (self.at, looked + length);
                self.at = to + 1;
                return Ok(Some(&self.buffer[from..to]));
            }
            self.buffer.drain(..self.at);
            self.at = 0;
            looked = self.buffer.len();
            if looked > LONGEST_LINE {
                return Err(WarehouseError::query(format!(
                    "the server sent a row of more than {} MB",
                    LONGEST_LINE >> 20
                )));
            }
            let server = &self.server;
            let lost = |error| WarehouseError::Unreachable { server: server.clone(), detail: error_causes(error) };
            match self.answer.chunk().await.map_err(lost)? {
                Some(piece) => self.buffer.extend_from_slice(&piece),
                None if self.buffer.is_empty() => return Ok(None),
                None => {
                    self.at = self.buffer.len();
                    return Ok(Some(&self.buffer));
                }
            }
        }
    }

    /// Returns the remaining text, up to the maximum length of an error message.
    pub async fn read_remaining(&mut self) -> String {
        let mut text = self.buffer.split_off(self.at);
        while text.len() < LONGEST_ERROR {
            match self.answer.chunk().await {
                Ok(Some(piece)) => text.extend_from_slice(&piece),
                Ok(None) | Err(_) => break,
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::read_bytes;

    #[test]
    fn a_summary_says_what_was_read_or_nothing() {
        let said = r#"{"read_rows":"5","read_bytes":"18446744073709551615","elapsed_ns":"1"}"#;
        assert_eq!((read_bytes(said), read_bytes(r#"{"read_bytes":7}"#)), (Some(u64::MAX), Some(7)));
        for broken in ["", "{}", r#"{"read_bytes":"-1"}"#, r#"{"read_bytes":null}"#, "[7]", r#"{"read_bytes":"7"#] {
            assert_eq!(read_bytes(broken), None, "{broken}");
        }
    }
}
