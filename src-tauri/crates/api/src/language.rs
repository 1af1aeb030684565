//! Language of the texts that the program writes: the window sets it; for a terminal, the environment can.

use crate::app::App;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::{Language, tr};

const GERMAN: &str = include_str!("../../../../ui/locales/program/de.po");
const FRENCH: &str = include_str!("../../../../ui/locales/program/fr.po");

/// Sets the language of all texts written from now on.
pub fn set_program_language(language: Language) {
    let catalog = match language {
        Language::English => "",
        Language::German => GERMAN,
        Language::French => FRENCH,
    };
    vitrine_words::set_language(language, catalog);
}

/// Sets the language from `VITRINE_LANGUAGE`: `en`, `de` or `fr`. Without the variable, texts are English.
///
/// # Errors
/// When the variable names another language.
pub fn take_language_of_environment() -> Result<(), AppError> {
    match std::env::var("VITRINE_LANGUAGE") {
        Ok(code) if !code.is_empty() => set_language_by_code(&code),
        _ => Ok(()),
    }
}

fn set_language_by_code(code: &str) -> Result<(), AppError> {
    let known = || Language::ALL.map(Language::code).join(", ");
    let language = Language::from_code(code).ok_or_else(|| {
        AppError::new(ErrorCode::Usage, tr!("There are no texts for the language '{code}'", code))
            .with_hint(tr!("The languages are {languages}", languages = known()))
    })?;
    set_program_language(language);
    Ok(())
}

impl App {
    /// Sets the language of all texts written from now on.
    ///
    /// # Errors
    /// When the language is not supported.
    pub async fn set_language(&self, language: String) -> Result<(), AppError> {
        set_language_by_code(&language)
    }
}
