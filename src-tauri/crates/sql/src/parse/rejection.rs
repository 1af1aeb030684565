//! Why a text is rejected.

/// Why a text is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SqlRejection {
    /// Nothing but white space and comments.
    #[error("there is no SQL here")]
    Empty,
    /// Longer than any query needs to be.
    #[error("the statement has {bytes} bytes, more than the {limit} that are read")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The bound.
        limit: usize,
    },
    /// Nested more deeply than any query needs to be.
    #[error("the statement is nested too deeply")]
    TooDeep,
    /// Not SQL of this dialect.
    #[error("syntax error at line {line}, column {column}: {message}")]
    Syntax {
        /// What was expected and what was found.
        message: String,
        /// From 1; 0 when not known.
        line: u64,
        /// From 1; 0 when not known.
        column: u64,
    },
    /// More than one statement.
    #[error("only one statement is allowed")]
    NotOneStatement,
    /// A statement or clause that is not a query.
    #[error("{what} is not a query; only SELECT and WITH ... SELECT are allowed")]
    NotAQuery {
        /// Its keyword.
        what: String,
    },
    /// A statement that would change data, settings or locks.
    #[error("{what} is not allowed: queries may only read")]
    Writes {
        /// Its keyword.
        what: String,
    },
    /// A function that is not on the list of allowed ones.
    #[error("function {name} is not available: it does not exist here or may not be used{instead}")]
    Function {
        /// As written, lower case.
        name: String,
        /// What to write instead; begins with a semicolon, or is empty.
        instead: &'static str,
    },
    /// A file or address where a table should stand.
    #[error("'{name}' names a file; only tables of the connected database can be read")]
    File {
        /// As written.
        name: String,
    },
    /// A table of the server that holds secrets or other people's queries.
    #[error("{name} may not be read: it belongs to the server and can hold passwords or other people's queries")]
    Secrets {
        /// As written, lower case.
        name: String,
    },
    /// A parameter, for which there is no value.
    #[error("parameter {name} has no value; write the value itself")]
    Parameter {
        /// As written.
        name: String,
    },
    /// Text that this parser and an engine may read differently.
    #[error("the statement holds {what}")]
    Unclear {
        /// A description of it.
        what: String,
    },
    /// The engine's own parser rejects it.
    #[error("{message}")]
    Engine {
        /// Its message.
        message: String,
    },
    /// Not the name of a function.
    #[error("'{name}' is not the name of a function")]
    NotAName {
        /// As given, lower case.
        name: String,
    },
    /// A function that cannot be allowed by name.
    #[error("function {name} can reach beyond the data and is never allowed")]
    NeverAllowed {
        /// As given, lower case.
        name: String,
    },
    /// A view was requested that is not among those given.
    #[error("there is no view named {name}")]
    UnknownView {
        /// The requested name.
        name: String,
    },
    /// Views that depend on each other in a circle.
    #[error("these views depend on each other in a circle: {}", names.join(", "))]
    Cycle {
        /// Their names.
        names: Vec<String>,
    },
}

impl SqlRejection {
    /// A function of the database's own that would be called on a row, because no column has the name behind the dot.
    pub fn called_as_column(name: &str) -> Self {
        Self::Function {
            name: name.to_lowercase(),
            instead: "; no column has this name here, so that the database would call a function of its own",
        }
    }
}
