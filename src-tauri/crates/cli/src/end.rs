//! Unsuccessful ends of a command.

use vitrine_domain::{AppError, ErrorCode};

/// The unsuccessful end of a command.
pub(crate) enum End {
    /// The user has seen the error; only the exit status remains.
    Told(i32),
    /// An error that has to be reported.
    Error(AppError),
}

impl From<AppError> for End {
    fn from(error: AppError) -> Self {
        End::Error(error)
    }
}

/// Returns the exit status of an error: 2 usage, 3 not answered, 4 connection or model.
pub(crate) fn status_of(code: ErrorCode) -> i32 {
    match code {
        ErrorCode::Usage | ErrorCode::NotReadOnly | ErrorCode::NotFound => 2,
        ErrorCode::NotApproved | ErrorCode::Query | ErrorCode::NotInData | ErrorCode::Cancelled => 3,
        ErrorCode::Connection
        | ErrorCode::Password
        | ErrorCode::Passphrase
        | ErrorCode::Unconfirmed
        | ErrorCode::Model
        | ErrorCode::ModelMissing
        | ErrorCode::Internal => 4,
    }
}
