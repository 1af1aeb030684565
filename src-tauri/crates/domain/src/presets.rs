//! Presets: named choices of models for all agents.

use crate::{Agent, AskSettings, ModelId};
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::tr;

/// The choice of local and large models for the agents of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum ModelPreset {
    /// All agents use the local model.
    Local,
    /// Agents that read a lot use the local model, agents that decide use the large one (AV-SQL, RQ8: views by a small
    /// model, the query by a large one).
    Hybrid,
    /// All agents use the large model.
    Large,
}

impl ModelPreset {
    /// All presets, the cheapest first.
    pub const ALL: [ModelPreset; 3] = [ModelPreset::Local, ModelPreset::Hybrid, ModelPreset::Large];

    /// Returns the name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            ModelPreset::Local => "local",
            ModelPreset::Hybrid => "hybrid",
            ModelPreset::Large => "large",
        }
    }

    /// Returns the label for users.
    pub fn display_label(self) -> String {
        match self {
            ModelPreset::Local => tr!("All on this computer"),
            ModelPreset::Hybrid => tr!("Views here, queries by the large model"),
            ModelPreset::Large => tr!("All by the large model"),
        }
    }

    /// Returns true if the agent uses the model on this computer.
    pub fn is_local(self, agent: Agent) -> bool {
        match self {
            ModelPreset::Local => true,
            ModelPreset::Large => false,
            ModelPreset::Hybrid => {
                matches!(agent, Agent::Rewriter | Agent::Linker | Agent::Explorer | Agent::ViewGenerator)
            }
        }
    }

    /// Returns whether some agent needs a model on this computer, and whether some agent needs a large model.
    pub fn model_requirements(self) -> (bool, bool) {
        let local = |agent: &Agent| self.is_local(*agent);
        (Agent::ALL.iter().any(local), !Agent::ALL.iter().all(local))
    }

    /// Sets the model of every agent. The generator's model becomes the default of all agents without their own model.
    pub fn apply_to_settings(self, settings: &mut AskSettings, local: &ModelId, large: &ModelId) {
        let of = |agent| if self.is_local(agent) { local } else { large };
        let default = of(Agent::Generator);
        settings.model = Some(default.clone());
        settings.agent_models = Agent::ALL
            .into_iter()
            .map(|agent| (agent, of(agent).clone()))
            .filter(|(_, model)| model != default)
            .collect();
    }
}

impl std::str::FromStr for ModelPreset {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        ModelPreset::ALL.into_iter().find(|preset| preset.as_str() == text).ok_or_else(|| {
            format!("unknown preset '{text}': use {}", ModelPreset::ALL.map(ModelPreset::as_str).join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assigned_models(preset: ModelPreset) -> (Option<ModelId>, Vec<(Agent, ModelId)>) {
        let mut settings = AskSettings::default();
        // The preset must remove earlier choices.
        settings.agent_models.insert(Agent::Judge, "other".to_owned());
        preset.apply_to_settings(&mut settings, &"small".to_owned(), &"big".to_owned());
        (settings.model, settings.agent_models.into_iter().collect())
    }

    #[test]
    fn a_preset_decides_the_model_of_every_agent() {
        assert_eq!(assigned_models(ModelPreset::Local), (Some("small".to_owned()), Vec::new()));
        assert_eq!(assigned_models(ModelPreset::Large), (Some("big".to_owned()), Vec::new()));
        let (default, own) = assigned_models(ModelPreset::Hybrid);
        assert_eq!(default.as_deref(), Some("big"));
        let local = [Agent::Rewriter, Agent::ViewGenerator, Agent::Linker, Agent::Explorer];
        assert_eq!(own, local.map(|agent| (agent, "small".to_owned())));
    }

    #[test]
    fn a_preset_says_what_it_needs() {
        assert_eq!(ModelPreset::ALL.map(ModelPreset::model_requirements), [(true, false), (true, true), (false, true)]);
        assert_eq!("hybrid".parse(), Ok(ModelPreset::Hybrid));
        assert!("huge".parse::<ModelPreset>().unwrap_err().contains("local, hybrid, large"));
    }
}
