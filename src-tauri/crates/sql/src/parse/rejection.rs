//! Why a text is rejected.

use std::fmt;
use vitrine_words::{Worded, in_english, later, tr, translate_constant};

/// Why a text is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SqlRejection {
    /// Nothing but white space and comments.
    Empty,
    /// Longer than any query needs to be.
    TooLong {
        /// Its length.
        bytes: usize,
        /// The bound.
        limit: usize,
    },
    /// Nested more deeply than any query needs to be.
    TooDeep,
    /// Not SQL of this dialect.
    Syntax {
        /// What was expected and what was found.
        message: String,
        /// From 1; 0 when not known.
        line: u64,
        /// From 1; 0 when not known.
        column: u64,
    },
    /// More than one statement.
    NotOneStatement,
    /// A statement or clause that is not a query.
    NotAQuery {
        /// Its keyword.
        what: Worded,
    },
    /// A statement that would change data, settings or locks.
    Writes {
        /// Its keyword.
        what: Worded,
    },
    /// A function that is not on the list of allowed ones.
    Function {
        /// As written, lower case.
        name: String,
        /// What to write instead.
        instead: Instead,
    },
    /// A file or address where a table should stand.
    File {
        /// As written.
        name: String,
    },
    /// A table of the server that holds secrets or other people's queries.
    Secrets {
        /// As written, lower case.
        name: String,
    },
    /// A table in which the database describes itself, in a query that no person wrote.
    Description {
        /// As written, lower case.
        name: String,
    },
    /// A parameter, for which there is no value.
    Parameter {
        /// As written.
        name: String,
    },
    /// Text that this parser and an engine may read differently.
    Unclear {
        /// A description of it.
        what: Worded,
    },
    /// The engine's own parser rejects it.
    Engine {
        /// Its message.
        message: String,
    },
    /// Not the name of a function.
    NotAName {
        /// As given, lower case.
        name: String,
    },
    /// A function that cannot be allowed by name.
    NeverAllowed {
        /// As given, lower case.
        name: String,
    },
    /// A view was requested that is not among those given.
    UnknownView {
        /// The requested name.
        name: String,
    },
    /// Views that depend on each other in a circle.
    Cycle {
        /// Their names.
        names: Vec<String>,
    },
}

/// What to write instead of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// Nothing is known.
    Nothing,
    /// This SQL.
    Write(&'static str),
    /// A text that `later!` keeps.
    Advice(&'static str),
}

impl SqlRejection {
    /// A function of the database's own that would be called on a row, because no column has the name behind the dot.
    pub fn called_as_column(name: &str) -> Self {
        const WHY: &str = later!("no column has this name here, so that the database would call a function of its own");
        Self::Function { name: name.to_lowercase(), instead: Instead::Advice(WHY) }
    }

    /// A statement or clause that is not a query, by its keyword.
    pub fn not_a_query(keyword: impl Into<String>) -> Self {
        Self::NotAQuery { what: Worded::from_name(keyword) }
    }

    /// A statement or clause that would change something, by its keyword.
    pub fn writes(keyword: impl Into<String>) -> Self {
        Self::Writes { what: Worded::from_name(keyword) }
    }

    /// Text that this parser and an engine may read differently.
    pub fn unclear(say: impl Fn() -> String) -> Self {
        Self::Unclear { what: Worded::new(say) }
    }

    /// Why, in the language of the program.
    pub fn in_words(&self) -> String {
        self.format_message(|what| &what.said)
    }

    fn format_message(&self, read: fn(&Worded) -> &String) -> String {
        match self {
            Self::Empty => tr!("there is no SQL here"),
            Self::TooLong { bytes, limit } => {
                tr!("the statement has {bytes} bytes, more than the {limit} that are read", bytes, limit)
            }
            Self::TooDeep => tr!("the statement is nested too deeply"),
            Self::Syntax { message, line, column } => {
                tr!("syntax error at line {line}, column {column}: {message}", line, column, message)
            }
            Self::NotOneStatement => tr!("only one statement is allowed"),
            Self::NotAQuery { what } => {
                tr!("{what} is not a query; only SELECT and WITH ... SELECT are allowed", what = read(what))
            }
            Self::Writes { what } => tr!("{what} is not allowed: queries may only read", what = read(what)),
            Self::Function { name, instead: Instead::Nothing } => {
                tr!("function {name} is not available: it does not exist here or may not be used", name)
            }
            Self::Function { name, instead: Instead::Write(sql) } => {
                tr!(
                    "function {name} is not available: it does not exist here or may not be used; write {sql}",
                    name,
                    sql
                )
            }
            Self::Function { name, instead: Instead::Advice(advice) } => {
                tr!(
                    "function {name} is not available: it does not exist here or may not be used; {advice}",
                    name,
                    advice = translate_constant(advice)
                )
            }
            Self::File { name } => {
                tr!("'{name}' names a file; only tables of the connected database can be read", name)
            }
            Self::Secrets { name } => tr!(
                "{name} may not be read: it belongs to the server and can hold passwords or other people's queries",
                name
            ),
            Self::Parameter { name } => tr!("parameter {name} has no value; write the value itself", name),
            Self::Description { name } => {
                tr!("{name} describes the database; only a query that a person wrote may read it", name)
            }
            Self::Unclear { what } => tr!("the statement holds {what}", what = read(what)),
            Self::Engine { message } => message.clone(),
            Self::NotAName { name } => tr!("'{name}' is not the name of a function", name),
            Self::NeverAllowed { name } => {
                tr!("function {name} can reach beyond the data and is never allowed", name)
            }
            Self::UnknownView { name } => tr!("there is no view named {name}", name),
            Self::Cycle { names } => {
                tr!("these views depend on each other in a circle: {names}", names = names.join(", "))
            }
        }
    }
}

/// In English, in every language: models and logs read it.
impl fmt::Display for SqlRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_english(|| self.format_message(|what| &what.english)))
    }
}

impl std::error::Error for SqlRejection {}
