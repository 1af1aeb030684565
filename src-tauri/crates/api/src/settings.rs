//! Settings: one value in the workspace.

use crate::app::App;
use crate::types::Settings;
use vitrine_agents::methods::{METHODS, find_method, parameters};
use vitrine_domain::{AppError, ErrorCode, MethodInfo, MethodName};
use vitrine_words::tr;

pub(crate) const KEY: &str = "settings";

impl App {
    /// Returns a description of every method, in the order in which they are shown.
    pub async fn methods(&self) -> Result<Vec<MethodInfo>, AppError> {
        Ok(METHODS.iter().map(|method| method.info).collect())
    }

    /// Returns the user's settings, with defaults for the rest.
    pub async fn settings(&self) -> Result<Settings, AppError> {
        Ok(normalize_settings(self.with_store(|store| store.setting(KEY)).await?.unwrap_or_default()))
    }

    /// Stores the settings. A loaded model that they affect is released once it is idle.
    pub async fn set_settings(&self, settings: Settings) -> Result<(), AppError> {
        check_settings(&settings)?;
        let settings = normalize_settings(settings);
        let before = self.settings().await?;
        let kept = settings.clone();
        self.with_store(move |store| store.set_setting(KEY, &kept)).await?;
        let local = |s: &Settings| (s.threads, s.context_tokens, s.idle_minutes);
        if local(&before) != local(&settings) {
            self.inner.models.forget_local().await;
        }
        Ok(())
    }
}

/// Fills in every parameter of the settings, and replaces unknown methods and parameters, which another version wrote, by defaults.
pub(crate) fn normalize_settings(mut settings: Settings) -> Settings {
    if find_method(&settings.strategy).is_err() {
        tracing::warn!(method = %settings.strategy, "the method that was set is not known; the default is used");
        settings.strategy = MethodName::default();
    }
    settings.methods = parameters::fill_defaults(&settings.methods).unwrap_or_else(|error| {
        tracing::warn!(%error, "the parameters that were set do not fit; the defaults are used");
        parameters::default_parameters()
    });
    settings
}

pub(crate) fn check_settings(settings: &Settings) -> Result<(), AppError> {
    let wrong = |what: String, hint: String| Err(AppError::new(ErrorCode::Usage, what).with_hint(hint));
    if settings.default_model.trim().is_empty() {
        return wrong(tr!("No default model is named"), tr!("Choose one of the models listed"));
    }
    if !(1..=16).contains(&settings.candidates) {
        return wrong(tr!("The number of candidates is out of range"), tr!("Choose 1 to 16"));
    }
    if settings.row_limit == 0 || settings.timeout_s == 0 {
        return wrong(tr!("Row limit and time limit must be at least 1"), tr!("Raise them"));
    }
    if settings.memory_mb < 64 {
        return wrong(tr!("The databases need at least 64 MB of memory"), tr!("Raise the memory limit"));
    }
    find_method(&settings.strategy)?;
    settings
        .budget
        .check_limits()
        .and_then(|()| parameters::check_parameters(&settings.methods))
        .or_else(|what| wrong(what, tr!("Change it on the settings page")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_other_versions_keep_what_is_still_known() {
        let kept = r#"{"strategy":"oracle","candidates":7,"methods":{"oracle":{"luck":1},"reforce":{"votes":9}}}"#;
        let settings = normalize_settings(serde_json::from_str(kept).unwrap());
        assert_eq!((settings.strategy, settings.candidates), (MethodName::default(), 7));
        let mut expected = parameters::default_parameters();
        expected.insert("reforce", "votes", 9.into());
        assert_eq!(settings.methods, expected);
        let unfit = normalize_settings(serde_json::from_str(r#"{"methods":{"reforce":{"votes":"many"}}}"#).unwrap());
        assert_eq!(unfit, Settings::default());
    }
}
