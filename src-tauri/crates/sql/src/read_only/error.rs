//! Error messages for rejected SQL.

use super::functions::AllowedFunctions;
use crate::parse::SqlRejection;
use crate::rejection::Instead;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl From<SqlRejection> for AppError {
    fn from(rejection: SqlRejection) -> Self {
        if matches!(rejection, SqlRejection::NotAName { .. } | SqlRejection::NeverAllowed { .. }) {
            return AppError::new(
                ErrorCode::Usage,
                tr!("The function was not allowed: {reason}.", reason = rejection.in_words()),
            )
            .with_hint(tr!("Name a function of the database, such as margin or sales.margin."));
        }
        let not_run = tr!("The SQL was not run: {reason}.", reason = rejection.in_words());
        if let SqlRejection::Function { name, instead: Instead::Nothing } = &rejection
            && AllowedFunctions::new([name]).is_ok()
        {
            let hint = tr!(
                "If it is a function of your database that only reads, allow it: under Tables, Functions, or with vitrine query --allow-function {name}. Then run the query again.",
                name
            );
            return AppError::new(ErrorCode::NotReadOnly, not_run).with_hint(hint);
        }
        let (code, hint) = match &rejection {
            SqlRejection::Empty => (ErrorCode::Usage, tr!("Write one SELECT statement.")),
            SqlRejection::Syntax { .. } | SqlRejection::Engine { .. } => {
                (ErrorCode::Usage, tr!("Check the statement at the place named."))
            }
            SqlRejection::TooLong { .. } | SqlRejection::TooDeep => {
                (ErrorCode::Usage, tr!("Simplify the statement or split it."))
            }
            SqlRejection::UnknownView { .. } | SqlRejection::Cycle { .. } => {
                (ErrorCode::Usage, tr!("Check the WITH clause."))
            }
            SqlRejection::NotOneStatement => (ErrorCode::NotReadOnly, tr!("Run the statements one at a time.")),
            SqlRejection::Parameter { .. } => (ErrorCode::NotReadOnly, tr!("Replace it by a literal.")),
            _ => (ErrorCode::NotReadOnly, tr!("Rewrite it as one SELECT over the connected tables.")),
        };
        AppError::new(code, not_run).with_hint(hint)
    }
}
