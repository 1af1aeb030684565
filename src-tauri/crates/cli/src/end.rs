//! How a command ends.

use vitrine_domain::{AppError, ErrorCode};

/// How a command ends when not well.
pub(crate) enum End {
    /// The user has been told already.
    Told(i32),
    /// To be told.
    Error(AppError),
}

impl From<AppError> for End {
    fn from(error: AppError) -> Self {
        End::Error(error)
    }
}

/// The exit status of an error: 2 usage, 3 not answered, 4 connection or model.
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
