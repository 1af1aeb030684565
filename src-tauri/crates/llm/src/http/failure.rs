//! Classifies a refusal or a broken connection: its cause, whether a retry may help, and when.

use super::address::redact_address;
use crate::LlmError;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;
use std::time::Duration;

/// Maximum number of characters of a server's message that are shown.
const LONGEST_TOLD: usize = 500;

/// A failed attempt of a call.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The error that is returned to the caller.
    pub(super) error: LlmError,
    /// True if a retry of the same request may succeed.
    pub(super) passing: bool,
    /// The delay that the server asked for.
    pub(super) wait: Option<Duration>,
    /// The server's message, if the request may be at fault.
    pub(super) refusal: Option<Box<Refusal>>,
}

impl Failure {
    /// Creates a permanent failure, which is not retried.
    pub(crate) fn permanent(error: LlmError) -> Self {
        Self { error, passing: false, wait: None, refusal: None }
    }

    /// Creates a transient failure, which may be retried.
    pub(super) fn transient(error: LlmError) -> Self {
        Self { error, passing: true, wait: None, refusal: None }
    }

    /// Classifies a response with an error status, given the text of its body.
    pub(super) fn from_response(status: u16, headers: &HeaderMap, body: &str, context_tokens: u32) -> Self {
        let said = ErrorResponse::parse_body(body);
        let wait = retry_after(headers).or_else(|| said.retry_delay());
        if let Some(error) = said.context_exceeded(context_tokens) {
            return Self::permanent(error);
        }
        match status {
            400 if said.code.contains("API_KEY_INVALID") => {
                Self::permanent(LlmError::Unauthorised { message: said.message })
            }
            401 => Self::permanent(LlmError::Unauthorised { message: said.message }),
            // OpenAI uses this status for invalid keys and for features that a model does not support.
            403 => Self {
                refusal: said.feature_refusal(),
                ..Self::permanent(LlmError::Unauthorised { message: said.message })
            },
            // An exhausted quota, unlike a rate limit, is not restored by waiting.
            429 if said.code.contains("quota") || said.code.contains("billing") => {
                Self::permanent(LlmError::Refused { status, message: said.message })
            }
            429 => Self { wait, ..Self::transient(LlmError::RateLimited { retry_after: wait }) },
            408 | 425 | 500 | 502..=504 | 507..=599 => {
                Self { wait, ..Self::transient(LlmError::Refused { status, message: said.message }) }
            }
            _ => {
                let refusal = if matches!(status, 400 | 415 | 422 | 501) { said.feature_refusal() } else { None };
                Self { refusal, ..Self::permanent(LlmError::Refused { status, message: said.message }) }
            }
        }
    }

    /// Classifies an error object within a stream that started successfully.
    pub(crate) fn in_stream(error: &Value, context_tokens: u32) -> Self {
        let said = ErrorResponse::from(error);
        let error =
            said.context_exceeded(context_tokens).unwrap_or(LlmError::Refused { status: 0, message: said.message });
        Self { passing: !matches!(error, LlmError::ContextExceeded { .. }), ..Self::permanent(error) }
    }

    /// Classifies a connection that failed or was interrupted.
    pub(super) fn from_connection(error: reqwest::Error, address: &str, connect: Duration, silence: Duration) -> Self {
        if error.is_timeout() {
            let limit = if error.is_connect() { connect } else { silence };
            let timeout = LlmError::Timeout { seconds: limit.as_secs().max(1) };
            // Only connection timeouts are retried; a server that was silent for minutes is not called again.
            return if error.is_connect() { Self::transient(timeout) } else { Self::permanent(timeout) };
        }
        // The innermost error names the cause ("connection refused"); the outer text only repeats the address.
        let error = error.without_url();
        let mut cause: &dyn std::error::Error = &error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        let message = format!("{}: {cause}", redact_address(address));
        // rustls reports "invalid peer certificate: UnknownIssuer"; other verifiers also mention the certificate.
        if message.contains("certificate") {
            return Self::permanent(LlmError::Untrusted { message });
        }
        Self::transient(LlmError::Unreachable { message })
    }
}

/// A server's reason for rejecting a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The name of the field at fault, if the server reports it separately.
    pub(super) param: String,
    /// The error message of the server.
    pub(super) message: String,
}

/// The parts of an error response, independent of the server's format.
#[derive(Debug, Default)]
struct ErrorResponse {
    message: String,
    code: String,
    param: String,
    body: Value,
}

impl ErrorResponse {
    fn parse_body(body: &str) -> Self {
        match serde_json::from_str::<Value>(body) {
            Ok(value) => Self::from(&value),
            Err(_) => Self { message: sanitize_message(body), ..Self::default() },
        }
    }

    fn from(value: &Value) -> Self {
        let error = value.get("error").unwrap_or(value);
        let text = |key: &str| match &error[key] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let message = ["message", "detail", "error"].iter().map(|key| text(key)).find(|text| !text.is_empty());
        let message = message.or_else(|| error.as_str().map(str::to_owned)).unwrap_or_else(|| value.to_string());
        let details = error["details"].as_array().map_or(&[][..], Vec::as_slice);
        let reasons: Vec<&str> = details.iter().filter_map(|detail| detail["reason"].as_str()).collect();
        let code = format!("{} {} {}", text("code"), text("type"), reasons.join(" "));
        Self { message: sanitize_message(&message), code, param: text("param"), body: error.clone() }
    }

    /// Recognizes the messages and codes by which servers report a prompt that is too long.
    fn context_exceeded(&self, context_tokens: u32) -> Option<LlmError> {
        let message = self.message.to_ascii_lowercase();
        let known = ["context_length_exceeded", "exceed_context_size"].iter().any(|code| self.code.contains(code))
            || [
                "maximum context length",
                "context length",
                "context size",
                "context window",
                "context the overflows",
                "prompt is too long",
                "context limit",
                "maximum number of tokens allowed",
            ]
            .iter()
            .any(|words| message.contains(words));
        if !known {
            return None;
        }
        let field = |name: &str| self.body[name].as_u64().and_then(|n| u32::try_from(n).ok());
        let numbers = parse_numbers(&message);
        let needed = field("n_prompt_tokens").or_else(|| numbers.iter().copied().max()).unwrap_or(0);
        // "maximum context length is 8192 tokens. However, you requested 9001": the limit follows its name, or a `>`.
        let named = ["context length", "context size", "context window", "tokens allowed", ">"]
            .iter()
            .find_map(|name| message.rsplit_once(name));
        let available =
            field("n_ctx").or_else(|| named.and_then(|(_, rest)| self::parse_numbers(rest).first().copied()));
        Some(LlmError::ContextExceeded { needed, available: available.unwrap_or(context_tokens) })
    }
}

impl ErrorResponse {
    /// Returns the refusal if it may concern a feature of the request; "no such model" concerns none.
    fn feature_refusal(&self) -> Option<Box<Refusal>> {
        let refusal = Refusal { param: self.param.clone(), message: self.message.clone() };
        (!self.code.contains("model_not_found")).then(|| Box::new(refusal))
    }

    /// Returns the delay that the body asks for, such as "34.5s".
    fn retry_delay(&self) -> Option<Duration> {
        let details = self.body["details"].as_array()?;
        let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
        seconds_to_duration(delay.strip_suffix('s')?.parse().ok()?)
    }
}

/// Returns the whole numbers in a text, ignoring commas that group digits.
pub(crate) fn parse_numbers(text: &str) -> Vec<u32> {
    text.replace(',', "").split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// Sanitizes a server's message for display: shortens it and removes control, bidirectional and invisible characters.
pub(super) fn sanitize_message(text: &str) -> String {
    let hidden =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut chars = text.trim().chars().filter(|c| !hidden(*c)).map(plain);
    let mut told: String = chars.by_ref().take(LONGEST_TOLD).collect();
    if chars.next().is_some() {
        told.push_str("...");
    }
    told
}

fn seconds_to_duration(seconds: f64) -> Option<Duration> {
    (seconds.is_finite() && (0.0..1e6).contains(&seconds)).then(|| Duration::from_secs_f64(seconds))
}

/// Returns the delay from the headers: milliseconds, seconds or a date. A date is compared with the server's own clock,
/// which it sends along, so that the local clock need not be accurate.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(wait) =
        text("retry-after-ms").and_then(|ms| ms.parse::<f64>().ok()).and_then(|ms| seconds_to_duration(ms / 1000.0))
    {
        return Some(wait);
    }
    let after = text(RETRY_AFTER.as_str())?;
    if let Ok(wait) = after.parse::<f64>() {
        return seconds_to_duration(wait);
    }
    let at = httpdate::parse_http_date(after).ok()?;
    let now = httpdate::parse_http_date(text(DATE.as_str())?).ok()?;
    Some(at.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify_error(status: u16, body: &str) -> LlmError {
        Failure::from_response(status, &HeaderMap::new(), body, 4096).error
    }

    #[test]
    fn a_prompt_that_is_too_long_is_recognised_however_it_is_said() {
        let exceeded = |needed, available| LlmError::ContextExceeded { needed, available };
        let openai = r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#;
        assert_eq!(classify_error(400, openai), exceeded(9001, 8192));
        let vllm = r#"{"object":"error","message":"This model's maximum context length is 4,096 tokens. However, you requested 5,000 tokens (4488 in the messages, 512 in the completion).","code":400}"#;
        assert_eq!(classify_error(400, vllm), exceeded(5000, 4096));
        let llama = r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":700,"n_ctx":512}}"#;
        assert_eq!(classify_error(400, llama), exceeded(700, 512));
        let lmstudio = r#"{"error":"Trying to keep the first 5012 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens."}"#;
        assert_eq!(classify_error(500, lmstudio), exceeded(5012, 2048));
    }

    #[test]
    fn a_wait_is_read_in_seconds_milliseconds_or_as_a_date() {
        let wait = |pairs: &[(&'static str, &str)]| {
            let headers = pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
            retry_after(&headers)
        };
        assert_eq!(wait(&[("retry-after", "7")]), Some(Duration::from_secs(7)));
        assert_eq!(wait(&[("retry-after", "7"), ("retry-after-ms", "1500")]), Some(Duration::from_millis(1500)));
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(wait(&[date, ("retry-after", "Sun, 06 Nov 1994 08:49:57 GMT")]), Some(Duration::from_secs(20)));
        assert_eq!(wait(&[date, ("retry-after", "Sun, 06 Nov 1994 08:40:00 GMT")]), Some(Duration::ZERO));
        assert_eq!(wait(&[("retry-after", "soon")]), None);
        assert_eq!(wait(&[("retry-after", "-1")]), None);
    }
}
