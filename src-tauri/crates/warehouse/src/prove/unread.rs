//! Why an engine's parser gives no reading.

use vitrine_sql::SqlRejection;
use vitrine_words::{Worded, tr};

/// Why an engine's parser gives no reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is no SQL to the engine, either.
    NotSql,
    /// It is, and it does not only read, or it cannot be told.
    Refused(SqlRejection),
}

impl Unread {
    pub(super) fn not_a_query(what: &str) -> Self {
        Self::Refused(SqlRejection::not_a_query(what))
    }

    pub(super) fn writes(what: &str) -> Self {
        Self::Refused(SqlRejection::writes(what))
    }

    pub(super) fn unclear(say: impl Fn() -> String) -> Self {
        Self::Refused(SqlRejection::unclear(say))
    }

    /// A statement that has no name of its own, and is not a query.
    pub(super) fn other_statement() -> Self {
        Self::Refused(SqlRejection::NotAQuery { what: Worded::new(|| tr!("this statement")) })
    }

    /// A statement that has no name of its own, and would change something.
    pub(super) fn other_change() -> Self {
        Self::Refused(SqlRejection::Writes { what: Worded::new(|| tr!("this statement")) })
    }

    pub(super) fn engine_error(message: impl Into<String>) -> Self {
        Self::Refused(SqlRejection::Engine { message: message.into() })
    }
}
