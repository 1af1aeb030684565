//! Settings: one value in the workspace.

use crate::app::App;
use crate::types::Settings;
use vitrine_domain::{AppError, ErrorCode};

const KEY: &str = "settings";

impl App {
    /// What the person has set, with defaults for the rest.
    pub async fn settings(&self) -> Result<Settings, AppError> {
        Ok(self.store(|store| store.setting(KEY)).await?.unwrap_or_default())
    }

    /// Keeps the settings. A model in memory that they change is let go of once it is idle.
    pub async fn set_settings(&self, settings: Settings) -> Result<(), AppError> {
        check(&settings)?;
        let before = self.settings().await?;
        let kept = settings.clone();
        self.store(move |store| store.set_setting(KEY, &kept)).await?;
        let local = |s: &Settings| (s.threads, s.context_tokens, s.idle_minutes);
        if local(&before) != local(&settings) {
            self.inner.models.forget_local().await;
        }
        Ok(())
    }
}

fn check(settings: &Settings) -> Result<(), AppError> {
    let wrong = |what: &str, hint: &str| Err(AppError::new(ErrorCode::Usage, what).hint(hint));
    if settings.default_model.trim().is_empty() {
        return wrong("No default model is named", "Choose one of the models listed");
    }
    if !(1..=16).contains(&settings.candidates) {
        return wrong("The number of candidates is out of range", "Choose 1 to 16");
    }
    if settings.row_limit == 0 || settings.timeout_s == 0 {
        return wrong("Row limit and time limit must be at least 1", "Raise them");
    }
    if settings.memory_mb < 64 {
        return wrong("The databases need at least 64 MB of memory", "Raise the memory limit");
    }
    settings
        .budget
        .check()
        .and_then(|()| settings.methods.check())
        .or_else(|what| wrong(&what, "Change it on the settings page"))
}
