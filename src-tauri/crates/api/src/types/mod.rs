//! What front ends send and receive. The TypeScript bindings are generated from these.

mod catalog;
mod comparison;
mod connections;
mod evaluations;
mod models;
mod profiles;
mod python;
mod results;
mod saved;
mod scans;
mod settings;
mod spending;
mod table;
mod warehouses;
mod workspace;

pub use catalog::{CatalogPart, CatalogView, FoundName, NameKind, Reach, TablePage, TableSummary};
pub use comparison::{ChangedCell, ChangedRow, RowsComparison, RunComparison, RunSide};
pub use connections::{
    Approval, Connection, ConnectionDraft, ConnectionSettings, ConnectionTestEvent, DefinitionImport, GoogleSignIn,
    GoogleSignedIn, KeptConnection, PasswordPlace,
};
pub use evaluations::{
    EvaluationComparison, EvaluationGroup, EvaluationQuestion, EvaluationRequest, EvaluationSummary,
};
pub use models::{ModelPlace, ModelStatus, RemoteModel, RemoteProvider, ServedModel};
pub use profiles::{ModelProfileInfo, ModelTest, ProfileFinding, ProfileLine, ProfileSource};
pub use python::{CodeOutcome, PythonStatus};
pub use results::{
    ArrangedRows, AskedFor, ChosenFile, CsvStyle, ExportFile, JobEvent, JobKind, JobState, KeptTable, OpenKind,
    OutOfRoom, ResultHandle, SqlCheck,
};
pub use saved::{
    Checked, CheckedSaved, Filing, FilledQuery, ParameterKind, ResultCheck, SavedCode, SavedDraft, SavedDrift,
    SavedParameter, SavedQuestion, SavedResult, SavedStatus, SavedView, TypedValue,
};
pub use scans::{ScanTerms, Scans, ScansRow};
pub use settings::Settings;
pub use spending::{Estimate, EstimateBasis, ModelPresetInfo, Span, Spending, SpendingRow};
pub use table::{SampleRows, TableText};
pub use warehouses::{
    DriverInfo, EgressInfo, InferredKeyRow, Preparation, SampleQuestion, WarehouseEntry, WarehouseKind,
    WarehouseSummary,
};
pub use workspace::{ImportChoice, ImportCount, LooserPolicy, WorkspaceContent, WorkspaceImport};

pub use vitrine_store::{AuditCheck, AuditEntry, AuditRow, AuditVerdict, KeptReading, QueryAuthor};

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{AskSettings, CertaintyLevel, FollowUp, MethodName, ModelId, RunChange, RunEvent, RunStatus};

/// The program itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AppInfo {
    /// Of this build.
    pub version: String,
    /// The address of the sample warehouse, which is made when it is first opened.
    pub sample_uri: String,
    /// Where runs, saved questions and profiles are kept.
    pub data_dir: String,
    /// The model that answers unless another is named.
    pub default_model: ModelId,
    /// For titles.
    pub display_name: String,
}

/// A question to a warehouse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AskRequest {
    /// The warehouse's address.
    pub warehouse: String,
    /// As typed.
    pub question: String,
    /// Definitions, formulas, codes.
    pub knowledge: Option<String>,
    /// How to work on it.
    pub settings: AskSettings,
    /// The question before, where this one follows up on it.
    #[serde(default)]
    pub follows: Option<FollowUp>,
}

/// What is said after an answer, to be made a question of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FollowUpRequest {
    /// The run that was answered.
    pub run_id: String,
    /// As typed: "and for 2023?"
    pub text: String,
    /// The settings of the question that it becomes: they say which model rewrites it.
    pub settings: AskSettings,
}

/// A chart as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", tag = "kind", content = "content")]
pub enum Picture {
    /// SVG, its text.
    Svg(String),
    /// PNG, in base64.
    Png(String),
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// The run.
    pub run_id: String,
    /// As asked.
    pub question: String,
    /// How it was worked on.
    pub strategy: MethodName,
    /// How it stands.
    pub status: RunStatus,
    /// The warehouse's address.
    pub warehouse: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// Milliseconds from start to end; so far, when it was cut off.
    #[specta(type = f64)]
    pub wall_ms: u64,
    /// Rows of the answer.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// Whether a saved question came of it.
    pub saved: bool,
    /// Why there is no answer.
    pub error: Option<String>,
    /// How sure the answer is, as far as known.
    pub certainty: Option<CertaintyLevel>,
    /// The earlier run that it goes on from.
    pub steered_from: Option<String>,
    /// What was set in that run, without texts and queries.
    pub changes: Vec<RunChange>,
    /// The run whose question it follows up on.
    pub follows: Option<String>,
    /// What the user calls it, in place of the question.
    pub title: Option<String>,
    /// Whether the user keeps it on top.
    pub pinned: bool,
}

/// Something that happened and that nobody asked for at that moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "event", rename_all = "camelCase")]
pub enum AppEvent {
    /// In a run; it is in the run log already.
    Run(RunEvent),
    /// In a download or an export.
    Job(JobEvent),
    /// While a warehouse is made ready.
    Preparation(Preparation),
    /// While a connection is tested.
    Test(ConnectionTestEvent),
}
