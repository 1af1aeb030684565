//! Errors of a sign-in through the browser, with messages that describe the next step for the user.

use std::fmt;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::{in_english, tr};

/// The reason why a sign-in through the browser failed. Never contains a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInFault {
    /// No local port could be opened for listening.
    NoPort {
        /// The operating system's error message.
        detail: String,
    },
    /// The user or an administrator denied access.
    Denied,
    /// The response does not belong to a sign-in of this program.
    WrongState,
    /// Google's page reported an error.
    Refused {
        /// The error in Google's words.
        detail: String,
    },
    /// The user did not grant all requested scopes on Google's page.
    NotAllGranted {
        /// The scopes that were not granted.
        lacks: String,
    },
    /// Google issued an access token, but no refresh token.
    NotLasting,
    /// Google could not be reached to exchange the authorization code.
    Unreachable {
        /// The error of the request.
        detail: String,
    },
    /// The user did not sign in within the time limit.
    Late {
        /// The time limit in minutes.
        minutes: u64,
    },
    /// The user cancelled the sign-in.
    Cancelled,
}

impl SignInFault {
    fn in_words(&self) -> String {
        match self {
            Self::NoPort { .. } => tr!("No port of this computer could be opened for the browser's answer"),
            Self::Denied => tr!("Google did not grant access: it was denied in the browser"),
            Self::WrongState => tr!("The browser's answer does not belong to this sign-in, so it was not used"),
            Self::Refused { .. } => tr!("Google refused the sign-in"),
            Self::NotAllGranted { .. } => tr!("Google granted only a part of what was asked for"),
            Self::NotLasting => tr!("Google gave no lasting sign-in"),
            Self::Unreachable { .. } => tr!("Google could not be reached to finish the sign-in"),
            Self::Late { minutes } => {
                tr!("No sign-in within {minutes} minutes; it was cancelled", minutes)
            }
            Self::Cancelled => tr!("The sign-in was cancelled"),
        }
    }
}

/// Always in English, independent of the language of the interface, because it is written to logs.
impl fmt::Display for SignInFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_english(|| self.in_words()))
    }
}

impl std::error::Error for SignInFault {}

impl From<SignInFault> for AppError {
    fn from(fault: SignInFault) -> Self {
        use SignInFault as F;
        let code = if fault == F::Cancelled { ErrorCode::Cancelled } else { ErrorCode::Connection };
        let error = AppError::new(code, fault.in_words());
        let error = match &fault {
            F::Cancelled => error,
            F::NoPort { .. } => {
                error.with_hint(tr!("Free a port, or use gcloud auth application-default login or a key file instead"))
            }
            F::Denied => error.with_hint(tr!(
                "Sign in again and choose Allow; if your company forbids it, ask your administrator of Google Cloud"
            )),
            F::WrongState | F::Late { .. } => {
                error.with_hint(tr!("Sign in again, and finish it in the tab that opens then"))
            }
            F::Refused { .. } => error.with_hint(tr!(
                "Check client id and secret. In Google Cloud's console, under APIs & Services, Credentials, they belong to an OAuth client of the type \"Desktop app\""
            )),
            F::NotAllGranted { .. } => error.with_hint(tr!("Sign in again and tick every box on Google's page")),
            F::NotLasting => {
                error.with_hint(tr!("Remove Vitrine's access at myaccount.google.com/connections, then sign in again"))
            }
            F::Unreachable { .. } => {
                error.with_hint(tr!("Check that this computer reaches oauth2.googleapis.com, then sign in again"))
            }
        };
        match fault {
            F::NoPort { detail } | F::Refused { detail } | F::Unreachable { detail } if !detail.is_empty() => {
                error.with_detail(detail)
            }
            F::NotAllGranted { lacks } => error.with_detail(tr!("Not granted: {lacks}", lacks)),
            _ => error,
        }
    }
}
