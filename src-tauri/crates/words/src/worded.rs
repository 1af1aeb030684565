//! A text in English and in the program's language.

use crate::in_english;

/// A text that models and logs receive in English, and users in the program's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worded {
    /// The English text, for models, files and logs.
    pub english: String,
    /// The text in the program's language, for users.
    pub said: String,
}

impl Worded {
    /// Creates both texts with the same function.
    pub fn new(say: impl Fn() -> String) -> Self {
        Self { english: in_english(&say), said: say() }
    }

    /// Creates a text that is equal in every language, such as a keyword or name.
    pub fn from_name(name: impl Into<String>) -> Self {
        let said = name.into();
        Self { english: said.clone(), said }
    }
}
