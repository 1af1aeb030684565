//! Reasons for rejecting a text.

use std::fmt;
use vitrine_words::{Worded, in_english, later, tr, translate_constant};

/// A replacement for a function that is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// No replacement is known for this function.
    Nothing,
    /// SQL text that has the same result.
    Write(&'static str),
    /// An advice whose text `later!` marks for translation.
    Advice(&'static str),
}

/// The reason for rejecting a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SqlRejection {
    /// A text without any token but white space and comments.
    Empty,
    /// A text longer than the limit.
    TooLong {
        /// Length of the text in bytes.
        bytes: usize,
        /// Maximum length of a text in bytes.
        limit: usize,
    },
    /// A text whose nesting exceeds the limit.
    TooDeep,
    /// A text that is not SQL of this dialect.
    Syntax {
        /// The expected and the found token.
        message: String,
        /// Line of the error from 1; 0 if unknown.
        line: u64,
        /// Column of the error from 1; 0 if unknown.
        column: u64,
    },
    /// A text with more than one statement.
    NotOneStatement,
    /// A statement or clause that is not a query.
    NotAQuery {
        /// Keyword of the statement or clause.
        what: Worded,
    },
    /// A statement that would change data, settings or locks.
    Writes {
        /// Keyword of the statement or clause.
        what: Worded,
    },
    /// A function that is not on the list of allowed ones.
    Function {
        /// Name of the function as written, lower case.
        name: String,
        /// A replacement for the function.
        instead: Instead,
    },
    /// A file or address in place of a table.
    File {
        /// The name as written in the query.
        name: String,
    },
    /// A table of the server that holds secrets or queries of other users.
    Secrets {
        /// The name as written, lower case.
        name: String,
    },
    /// A table in which the database describes itself, in a query that was not written by the user.
    Description {
        /// The name as written, lower case.
        name: String,
    },
    /// A parameter without a value.
    Parameter {
        /// The parameter as written in the query.
        name: String,
    },
    /// Text that this parser and an engine may read differently.
    Unclear {
        /// Description of the ambiguous text.
        what: Worded,
    },
    /// A text that the engine's own parser rejects.
    Engine {
        /// The error message of the engine.
        message: String,
    },
    /// A text that is not a function name.
    NotAName {
        /// The text as given, lower case.
        name: String,
    },
    /// A function that cannot be allowed by name.
    NeverAllowed {
        /// The name as given, lower case.
        name: String,
    },
    /// A requested view that is not among the given ones.
    UnknownView {
        /// Name of the requested view.
        name: String,
    },
    /// Views that depend on each other in a cycle.
    Cycle {
        /// Names of the views in the cycle.
        names: Vec<String>,
    },
}

impl SqlRejection {
    /// Returns the rejection of a user-defined function that would be called on a row, because no column has the name
    /// after the dot.
    pub fn called_as_column(name: &str) -> Self {
        const WHY: &str = later!("no column has this name here, so that the database would call a function of its own");
        Self::Function { name: name.to_lowercase(), instead: Instead::Advice(WHY) }
    }

    /// Returns the rejection of a statement or clause that is not a query, by its keyword.
    pub fn not_a_query(keyword: impl Into<String>) -> Self {
        Self::NotAQuery { what: Worded::from_name(keyword) }
    }

    /// Returns the rejection of a statement or clause that would change something, by its keyword.
    pub fn writes(keyword: impl Into<String>) -> Self {
        Self::Writes { what: Worded::from_name(keyword) }
    }

    /// Returns the rejection of text that this parser and an engine may read differently.
    pub fn unclear(say: impl Fn() -> String) -> Self {
        Self::Unclear { what: Worded::new(say) }
    }

    /// Returns the reason in the language of the program.
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

/// Always in English, because models and logs read it.
impl fmt::Display for SqlRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_english(|| self.format_message(|what| &what.english)))
    }
}

impl std::error::Error for SqlRejection {}
