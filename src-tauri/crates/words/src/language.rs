//! The language in which the program writes.

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

/// A language with translated texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English, the language of the texts in the sources.
    English,
    /// German, with a catalog of translations.
    German,
    /// French, with a catalog of translations.
    French,
}

impl Language {
    /// All supported languages, English first.
    pub const ALL: [Self; 3] = [Self::English, Self::German, Self::French];

    /// Returns the language code: `en`, `de` or `fr`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
        }
    }

    /// Parses a language code, with or without a region: `de`, `de-AT`, `fr_CA`.
    pub fn from_code(code: &str) -> Option<Self> {
        let code = code.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// Returns true if a count takes the singular. In French, so does zero.
    pub(crate) fn is_one(self, count: u64) -> bool {
        match self {
            Self::English | Self::German => count == 1,
            Self::French => count <= 1,
        }
    }
}

static CHOSEN: AtomicU8 = AtomicU8::new(0);

thread_local! {
    static ENGLISH: Cell<bool> = const { Cell::new(false) };
}

/// Sets the language of the process.
pub(crate) fn store_language(language: Language) {
    let at = Language::ALL.iter().position(|known| *known == language).unwrap_or_default();
    CHOSEN.store(at as u8, Ordering::Relaxed);
}

/// Returns the language in which texts are currently written.
pub fn current_language() -> Language {
    if ENGLISH.get() {
        return Language::English;
    }
    process_language()
}

/// Returns the language of the process, even within [`in_english`].
pub(crate) fn process_language() -> Language {
    Language::ALL[usize::from(CHOSEN.load(Ordering::Relaxed))]
}

/// Runs a function in English, whatever the language: for texts that models, files or logs receive.
pub fn in_english<T>(make: impl FnOnce() -> T) -> T {
    struct Back(bool);
    impl Drop for Back {
        fn drop(&mut self) {
            ENGLISH.set(self.0);
        }
    }
    let _back = Back(ENGLISH.replace(true));
    make()
}
