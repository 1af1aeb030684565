//! Settings that the user has chosen.

use super::CsvStyle;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use vitrine_agents::methods::parameters;
use vitrine_domain::{Agent, AskSettings, Budget, Cap, MethodName, MethodSettings, ModelId, MonthlyCaps, ScanCap};
use vitrine_models::DEFAULT_CHAT_MODEL;

/// Settings of the program; the settings of a question take precedence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Model of every agent without its own model.
    pub default_model: ModelId,
    /// Models of agents that do not use the default model.
    pub agent_models: BTreeMap<Agent, ModelId>,
    /// Threads of the embedded model; 0 is automatic.
    pub threads: u32,
    /// Context of the embedded model in tokens; 0 is automatic.
    pub context_tokens: u32,
    /// Minutes without a question after which the embedded model's memory is released; 0 keeps it.
    pub idle_minutes: u32,
    /// Method that answers new questions.
    pub strategy: MethodName,
    /// Number of final SQL candidates.
    pub candidates: u32,
    /// Maximum number of repair rounds.
    pub max_rounds: u32,
    /// Number of rows of an answer that are read first.
    #[specta(type = f64)]
    pub row_limit: u64,
    /// Time limit of one query in seconds.
    pub timeout_s: u32,
    /// Limits of time, tokens and money per question.
    pub budget: Budget,
    /// Limits of individual agents per question.
    pub agent_budgets: BTreeMap<Agent, Cap>,
    /// Seconds after which the user sees the best result so far and can continue or stop; 0 disables this.
    pub answer_within_s: u32,
    /// Monthly limits of remote models.
    pub monthly: MonthlyCaps,
    /// Monthly limit of billed bytes over all connections.
    pub monthly_scans: ScanCap,
    /// True if the user is asked which interpretation of a question is meant when candidates disagree.
    pub ask_when_unsure: bool,
    /// Parameters of the methods, by method.
    pub methods: MethodSettings,
    /// Memory limit of a database engine in MB.
    pub memory_mb: u32,
    /// True if CSV files are escaped so that spreadsheets do not evaluate text as formulas.
    pub csv_guard_formulas: bool,
    /// True if CSV files begin with a byte order mark.
    pub csv_byte_order_mark: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let ask = AskSettings::default();
        Self {
            default_model: DEFAULT_CHAT_MODEL.to_owned(),
            agent_models: BTreeMap::new(),
            threads: 0,
            context_tokens: 0,
            idle_minutes: 10,
            strategy: ask.strategy,
            candidates: ask.candidates,
            max_rounds: ask.max_rounds,
            row_limit: ask.row_limit,
            timeout_s: ask.timeout_s,
            budget: ask.budget,
            agent_budgets: ask.agent_budgets,
            answer_within_s: 90,
            monthly: MonthlyCaps::default(),
            monthly_scans: ScanCap::default(),
            ask_when_unsure: true,
            methods: parameters::default_parameters(),
            memory_mb: 1024,
            csv_guard_formulas: true,
            csv_byte_order_mark: false,
        }
    }
}

impl Settings {
    /// Returns the default settings of a question.
    pub fn for_asking(&self) -> AskSettings {
        AskSettings {
            strategy: self.strategy.clone(),
            agent_models: self.agent_models.clone(),
            candidates: self.candidates,
            max_rounds: self.max_rounds,
            row_limit: self.row_limit,
            timeout_s: self.timeout_s,
            budget: self.budget,
            agent_budgets: self.agent_budgets.clone(),
            // A time limit of the user already ends the search.
            answer_within_s: if self.budget.seconds.is_some() { 0 } else { self.answer_within_s },
            ask_when_unsure: self.ask_when_unsure,
            methods: self.methods.clone(),
            ..AskSettings::default()
        }
    }

    /// Returns the settings for evaluations: no user is present, and a method is evaluated without budget.
    pub fn for_measuring(&self) -> AskSettings {
        AskSettings {
            ask_when_unsure: false,
            answer_within_s: 0,
            budget: Budget::default(),
            agent_budgets: BTreeMap::new(),
            ..self.for_asking()
        }
    }

    /// Returns the format options of CSV files.
    pub fn csv_style(&self) -> CsvStyle {
        CsvStyle { guard_formulas: self.csv_guard_formulas, byte_order_mark: self.csv_byte_order_mark }
    }

    /// Returns true if the settings assign the model to any agent.
    pub fn uses_model(&self, model: &str) -> bool {
        self.default_model == model || self.agent_models.values().any(|id| id == model)
    }
}
