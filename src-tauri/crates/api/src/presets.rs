//! Presets: named choices of models, resolved for this computer.

use crate::app::App;
use crate::types::{ModelPlace, ModelPresetInfo, ModelStatus, RemoteModel};
use std::collections::BTreeMap;
use vitrine_domain::{AppError, AskSettings, ModelId, ModelPreset};
use vitrine_llm::http::leads_here;
use vitrine_models::EMBEDDING_MODEL;
use vitrine_words::tr;

impl App {
    /// Returns the presets with the models that each would use on this computer.
    pub async fn model_presets(&self) -> Result<Vec<ModelPresetInfo>, AppError> {
        let settings = self.settings().await?;
        let mut used = vec![settings.default_model];
        used.extend(settings.agent_models.into_values());
        let (models, remote) = (self.models().await?, self.remote_models().await?);
        let (local, large) = choose_models(&used, &models, &remote);
        let called = |id: &ModelId| model_display_name(id, &models, &remote);
        Ok(ModelPreset::ALL.map(|preset| describe_preset(preset, local.as_ref(), large.as_ref(), called)).into())
    }
}

/// Returns the model's name for users, with its id if another model has the same name.
fn model_display_name(id: &ModelId, models: &[ModelStatus], remote: &[RemoteModel]) -> String {
    let local = models.iter().map(|model| (&model.id, model.title.trim()));
    // A remote model may be in both lists.
    let all: BTreeMap<&ModelId, &str> =
        remote.iter().map(|model| (&model.id, model.title.trim())).chain(local).collect();
    match all.get(id) {
        Some(&title) if !title.is_empty() => {
            let twice = all.iter().any(|(other, called)| *other != id && *called == title);
            if twice { format!("{title} ({id})") } else { title.to_owned() }
        }
        _ => id.clone(),
    }
}

/// Selects the local model and the large model for the presets, preferring models in use. If one is missing, a server on this computer
/// replaces it.
fn choose_models(
    used: &[ModelId],
    models: &[ModelStatus],
    remote: &[RemoteModel],
) -> (Option<ModelId>, Option<ModelId>) {
    let embedded = |id: &ModelId| {
        models.iter().any(|m| m.id == *id && m.kind == ModelPlace::Embedded && m.present && m.id != EMBEDDING_MODEL)
    };
    let server = |id: &ModelId| remote.iter().find(|model| model.id == *id);
    let beside = |id: &ModelId| server(id).is_some_and(|model| leads_here(&model.base_url));
    let away = |id: &ModelId| server(id).is_some_and(|model| !leads_here(&model.base_url));
    let all = || used.iter().chain(models.iter().map(|model| &model.id)).chain(remote.iter().map(|model| &model.id));
    let first = |fits: &dyn Fn(&ModelId) -> bool| all().find(|id| fits(id)).cloned();
    let in_use = used.iter().find(|id| embedded(id) || beside(id)).cloned();
    let local = in_use.or_else(|| first(&embedded)).or_else(|| first(&beside));
    let other = |id: &ModelId| beside(id) && local.as_ref() != Some(id);
    let large = first(&away).or_else(|| first(&other));
    (local, large)
}

/// Describes a preset for this computer; `called` returns the name of a model for users.
fn describe_preset(
    preset: ModelPreset,
    local: Option<&ModelId>,
    large: Option<&ModelId>,
    called: impl Fn(&ModelId) -> String,
) -> ModelPresetInfo {
    let (needs_local, needs_large) = preset.model_requirements();
    let missing = match (needs_local && local.is_none(), needs_large && large.is_none()) {
        (true, _) => Some(tr!("No model is installed on this computer: download one first")),
        (_, true) => Some(tr!("No remote model is connected: connect one first")),
        _ => None,
    };
    let nobody = ModelId::new();
    let (local, large) = (local.unwrap_or(&nobody), large.unwrap_or(&nobody));
    let mut settings = AskSettings::default();
    if missing.is_none() {
        preset.apply_to_settings(&mut settings, local, large);
    }
    let (local, large) = (called(local), called(large));
    let note = match (&missing, preset) {
        (Some(missing), _) => missing.clone(),
        (None, ModelPreset::Local) => tr!("{local} for everything, on this computer", local),
        (None, ModelPreset::Hybrid) => {
            tr!("{local} reads the schema and writes views; {large} plans, writes and checks the query", local, large)
        }
        (None, ModelPreset::Large) => tr!("{large} for everything", large),
    };
    ModelPresetInfo {
        name: preset,
        label: preset.display_label(),
        note,
        usable: missing.is_none(),
        model: settings.model,
        agent_models: settings.agent_models,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::RemoteProvider;
    use vitrine_domain::Agent;

    fn local_model(id: &str, present: bool) -> ModelStatus {
        ModelStatus {
            id: id.to_owned(),
            title: String::new(),
            kind: ModelPlace::Embedded,
            answers: true,
            bytes: 0,
            fetched: 0,
            licence: String::new(),
            sources: Vec::new(),
            sha256: None,
            present,
            in_use: false,
            removable: true,
            loaded: false,
            detail: String::new(),
        }
    }

    fn remote_model(id: &str, base_url: &str) -> RemoteModel {
        RemoteModel {
            id: id.to_owned(),
            title: String::new(),
            provider: RemoteProvider::Other,
            base_url: base_url.to_owned(),
            model: String::new(),
            context_tokens: 0,
            has_key: true,
        }
    }

    fn choose_model_ids(
        used: &str,
        models: &[ModelStatus],
        remote: &[RemoteModel],
    ) -> (Option<String>, Option<String>) {
        choose_models(&[used.to_owned()], models, remote)
    }

    #[test]
    fn models_in_use_come_before_others() {
        let models = [
            local_model("small", true),
            local_model("added", true),
            local_model(EMBEDDING_MODEL, true),
            local_model("gone", false),
        ];
        let remote = [remote_model("a", "https://a.example"), remote_model("b", "https://b.example/v1")];
        let some = |local: &str, large: &str| (Some(local.to_owned()), Some(large.to_owned()));
        assert_eq!(choose_model_ids("added", &models, &remote), some("added", "a"));
        assert_eq!(choose_model_ids("b", &models, &remote), some("small", "b"));
        assert_eq!(choose_model_ids("gone", &models, &remote), some("small", "a"));
        assert_eq!(choose_model_ids("small", &models[..1], &[]), (Some("small".to_owned()), None));
    }

    #[test]
    fn a_server_of_this_machine_is_local_and_may_be_the_large_one_beside_the_embedded_model() {
        let served = [remote_model("ollama", "http://localhost:11434")];
        assert_eq!(choose_model_ids("ollama", &[], &served), (Some("ollama".to_owned()), None));
        let models = [local_model("small", true)];
        assert_eq!(choose_model_ids("small", &models, &served), (Some("small".to_owned()), Some("ollama".to_owned())));
        for (address, is) in [
            ("http://127.0.0.1:8080/v1", true),
            ("http://[::1]:8080", true),
            ("https://localhost.example.com", false),
            ("https://10.0.0.4", false),
        ] {
            assert_eq!(leads_here(address), is, "{address}");
        }
    }

    #[test]
    fn a_preset_says_which_models_it_uses_or_why_it_cannot() {
        let (small, big) = ("small".to_owned(), "big".to_owned());
        let described = |preset, local, large| super::describe_preset(preset, local, large, ModelId::clone);
        let hybrid = described(ModelPreset::Hybrid, Some(&small), Some(&big));
        assert_eq!((hybrid.usable, hybrid.model.as_deref()), (true, Some("big")));
        assert_eq!(hybrid.agent_models[&Agent::ViewGenerator], "small");
        assert!(hybrid.note.contains("small") && hybrid.note.contains("big"));
        let alone = described(ModelPreset::Hybrid, Some(&small), None);
        assert!(!alone.usable && alone.model.is_none() && alone.note.contains("connect one first"));
        assert!(described(ModelPreset::Local, Some(&small), None).usable);
        assert!(!described(ModelPreset::Local, None, Some(&big)).usable);
    }

    #[test]
    fn models_are_called_what_the_user_calls_them() {
        let models = [
            ModelStatus { title: "Qwen Coder".into(), ..local_model("qwen2.5-coder-1.5b", true) },
            local_model("plain", true),
        ];
        let titled =
            |id: &str, title: &str| RemoteModel { title: title.into(), ..remote_model(id, "https://a.example") };
        let remote = [titled("gpt-5", "Team model"), titled("a", "Twin"), titled("b", " Twin ")];
        let called = |id: &str| super::model_display_name(&id.to_owned(), &models, &remote);
        assert_eq!([called("qwen2.5-coder-1.5b"), called("gpt-5")], ["Qwen Coder", "Team model"]);
        assert_eq!([called("plain"), called("unheard-of")], ["plain", "unheard-of"], "without a name it has its id");
        assert_eq!([called("a"), called("b")], ["Twin (a)", "Twin (b)"], "two of one name are told apart");
        let (small, big) = ("qwen2.5-coder-1.5b".to_owned(), "gpt-5".to_owned());
        let hybrid = super::describe_preset(ModelPreset::Hybrid, Some(&small), Some(&big), |id| called(id));
        assert_eq!(
            hybrid.note,
            "Qwen Coder reads the schema and writes views; Team model plans, writes and checks the query"
        );
        assert_eq!(hybrid.model.as_deref(), Some("gpt-5"), "settings keep the id");
    }
}
