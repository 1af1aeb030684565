//! One text for two readers.

use crate::in_english;

/// A text that models and logs read in English, and people in the language of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worded {
    /// For models, files and logs.
    pub english: String,
    /// For people.
    pub said: String,
}

impl Worded {
    /// Says it for both.
    pub fn new(say: impl Fn() -> String) -> Self {
        Self { english: in_english(&say), said: say() }
    }

    /// What is the same in every language: a keyword, a name.
    pub fn name(name: impl Into<String>) -> Self {
        let said = name.into();
        Self { english: said.clone(), said }
    }
}
