//! Which language the program writes in.

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

/// A language that there are texts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// As the texts stand in the sources.
    English,
    /// German.
    German,
    /// French.
    French,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::English, Self::German, Self::French];

    /// Its code: `en`, `de` or `fr`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
        }
    }

    /// The language of a code, also of one with a region: `de`, `de-AT`, `fr_CA`.
    pub fn of(code: &str) -> Option<Self> {
        let code = code.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// Whether what is counted stands in the singular. French counts nothing as one.
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

/// Chooses the language of the process.
pub(crate) fn choose(language: Language) {
    let at = Language::ALL.iter().position(|known| *known == language).unwrap_or_default();
    CHOSEN.store(at as u8, Ordering::Relaxed);
}

/// The language in which texts are written now.
pub fn language() -> Language {
    if ENGLISH.get() {
        return Language::English;
    }
    chosen()
}

/// The language of the process, also where a text for a model is made.
pub(crate) fn chosen() -> Language {
    Language::ALL[usize::from(CHOSEN.load(Ordering::Relaxed))]
}

/// Runs what makes a text for a model, a file or a log: that is English in every language.
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
