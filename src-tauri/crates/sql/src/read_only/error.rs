//! Error messages for rejected SQL.

use super::functions::AllowedFunctions;
use crate::parse::SqlRejection;
use vitrine_domain::{AppError, ErrorCode};

impl From<SqlRejection> for AppError {
    fn from(rejection: SqlRejection) -> Self {
        if matches!(rejection, SqlRejection::NotAName { .. } | SqlRejection::NeverAllowed { .. }) {
            return AppError::new(ErrorCode::Usage, format!("The function was not allowed: {rejection}."))
                .hint("Name a function of the database, such as margin or sales.margin.");
        }
        if let SqlRejection::Function { name, instead: "" } = &rejection
            && AllowedFunctions::new([name]).is_ok()
        {
            let hint = format!(
                "If it is a function of your database that only reads, allow it: under Tables, Own functions, or with \
                 vitrine query --allow-function {name}. Then run the query again."
            );
            return AppError::new(ErrorCode::NotReadOnly, format!("The SQL was not run: {rejection}.")).hint(hint);
        }
        let (code, hint) = match &rejection {
            SqlRejection::Empty => (ErrorCode::Usage, "Write one SELECT statement."),
            SqlRejection::Syntax { .. } | SqlRejection::Engine { .. } => {
                (ErrorCode::Usage, "Check the statement at the place named.")
            }
            SqlRejection::TooLong { .. } | SqlRejection::TooDeep => {
                (ErrorCode::Usage, "Simplify the statement or split it.")
            }
            SqlRejection::UnknownView { .. } | SqlRejection::Cycle { .. } => {
                (ErrorCode::Usage, "Check the WITH clause.")
            }
            SqlRejection::NotOneStatement => (ErrorCode::NotReadOnly, "Run the statements one at a time."),
            SqlRejection::Parameter { .. } => (ErrorCode::NotReadOnly, "Replace it by a literal."),
            _ => (ErrorCode::NotReadOnly, "Rewrite it as one SELECT over the connected tables."),
        };
        AppError::new(code, format!("The SQL was not run: {rejection}.")).hint(hint)
    }
}
