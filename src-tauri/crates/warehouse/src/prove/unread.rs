//! The reasons why an engine's parser returns no result.

use vitrine_sql::SqlRejection;
use vitrine_words::{Worded, tr};

/// The reason why an engine's parser returns no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unread {
    /// The engine cannot parse the text either.
    NotSql,
    /// The text is SQL, but not provably a read.
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

    /// Returns the rejection of an unnamed statement that is not a query.
    pub(super) fn other_statement() -> Self {
        Self::Refused(SqlRejection::NotAQuery { what: Worded::new(|| tr!("this statement")) })
    }

    /// Returns the rejection of an unnamed statement that changes something.
    pub(super) fn other_change() -> Self {
        Self::Refused(SqlRejection::Writes { what: Worded::new(|| tr!("this statement")) })
    }

    pub(super) fn engine_error(message: impl Into<String>) -> Self {
        Self::Refused(SqlRejection::Engine { message: message.into() })
    }
}
