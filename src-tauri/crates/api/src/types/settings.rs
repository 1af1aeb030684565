//! What the person has set.

use super::CsvStyle;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use vitrine_agents::methods::parameters;
use vitrine_domain::{Agent, AskSettings, Budget, Cap, MethodName, MethodSettings, ModelId, MonthlyCaps, ScanCap};
use vitrine_models::DEFAULT_CHAT_MODEL;

/// Settings of the program; a question's own settings go before them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The model of every agent without its own.
    pub default_model: ModelId,
    /// Models of single agents.
    pub agent_models: BTreeMap<Agent, ModelId>,
    /// Threads of the embedded model; 0 is automatic.
    pub threads: u32,
    /// Context of the embedded model in tokens; 0 is automatic.
    pub context_tokens: u32,
    /// Minutes without a question after which the embedded model's memory is released; 0 keeps it.
    pub idle_minutes: u32,
    /// The method.
    pub strategy: MethodName,
    /// Number of final SQL candidates.
    pub candidates: u32,
    /// Repair rounds.
    pub max_rounds: u32,
    /// Rows of an answer that are read at first.
    #[specta(type = f64)]
    pub row_limit: u64,
    /// Seconds that one query may take.
    pub timeout_s: u32,
    /// What a question may cost.
    pub budget: Budget,
    /// What single agents may spend on a question.
    pub agent_budgets: BTreeMap<Agent, Cap>,
    /// Seconds after which a person is shown the best so far, and asked whether to keep looking; 0 is never.
    pub answer_within_s: u32,
    /// What models behind an address may cost in a month.
    pub monthly: MonthlyCaps,
    /// What queries of all connections may be billed for in a month.
    pub monthly_scans: ScanCap,
    /// Whether to ask which reading of a question is meant where candidates disagree.
    pub ask_when_unsure: bool,
    /// The parameters of the methods.
    pub methods: MethodSettings,
    /// Memory that a database engine may take, in MB.
    pub memory_mb: u32,
    /// Whether CSV files keep spreadsheets from running text as formulas.
    pub csv_guard_formulas: bool,
    /// Whether CSV files begin with a byte order mark.
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
    /// The settings that a question gets when it names none of its own.
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
            // A limit of time that the user has set says it already.
            answer_within_s: if self.budget.seconds.is_some() { 0 } else { self.answer_within_s },
            ask_when_unsure: self.ask_when_unsure,
            methods: self.methods.clone(),
            ..AskSettings::default()
        }
    }

    /// The same for questions that are measured: nobody is there to be asked, and a method is judged by all that it does.
    pub fn for_measuring(&self) -> AskSettings {
        AskSettings {
            ask_when_unsure: false,
            answer_within_s: 0,
            budget: Budget::default(),
            agent_budgets: BTreeMap::new(),
            ..self.for_asking()
        }
    }

    /// How CSV files are written.
    pub fn csv_style(&self) -> CsvStyle {
        CsvStyle { guard_formulas: self.csv_guard_formulas, byte_order_mark: self.csv_byte_order_mark }
    }

    /// Whether some question would use the model.
    pub fn uses_model(&self, model: &str) -> bool {
        self.default_model == model || self.agent_models.values().any(|id| id == model)
    }
}
