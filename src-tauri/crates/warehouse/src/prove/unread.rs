//! Why an engine's parser gives no reading.

use vitrine_sql::SqlRejection;

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
        Self::Refused(SqlRejection::NotAQuery { what: what.to_owned() })
    }

    pub(super) fn writes(what: &str) -> Self {
        Self::Refused(SqlRejection::Writes { what: what.to_owned() })
    }

    pub(super) fn unclear(what: &str) -> Self {
        Self::Refused(SqlRejection::Unclear { what: what.to_owned() })
    }

    pub(super) fn engine(message: impl Into<String>) -> Self {
        Self::Refused(SqlRejection::Engine { message: message.into() })
    }
}
