//! Types that front ends send and receive. The TypeScript bindings are generated from them.

mod catalog;
mod comparison;
mod connections;
mod engines;
mod evaluations;
mod models;
mod profiles;
mod python;
mod reports;
mod results;
mod saved;
mod scans;
mod settings;
mod spending;
mod table;
mod warehouses;
mod watches;
mod workspace;

pub use catalog::{CatalogPart, CatalogView, FoundName, NameKind, Reach, TablePage, TableSummary};
pub use comparison::{ChangedCell, ChangedRow, RowsComparison, RunComparison, RunSide};
pub use connections::{
    Approval, Connection, ConnectionDraft, ConnectionSettings, ConnectionTestEvent, DefinitionImport, GoogleSignIn,
    GoogleSignedIn, KeptConnection, PasswordPlace,
};
pub use engines::{AddressPlace, EngineEntry, EngineField, EngineFieldKind, ParsedAddress, WrittenAddress};
pub use evaluations::{
    EvaluationComparison, EvaluationGroup, EvaluationQuestion, EvaluationRequest, EvaluationSummary,
};
pub use models::{ModelPlace, ModelStatus, RemoteModel, RemoteProvider, ServedModel};
pub use profiles::{ModelProfileInfo, ModelTest, ProfileFinding, ProfileLine, ProfileSource};
pub use python::{CodeOutcome, PythonStatus};
pub use reports::{ReportRequest, WrittenReport};
pub use results::{
    ArrangedRows, AskedFor, ChosenFile, CsvStyle, ExportFile, JobEvent, JobKind, JobState, KeptTable, OpenKind,
    OutOfRoom, ResultHandle, SqlCheck,
};
pub use saved::{
    Checked, CheckedSaved, Filing, FilledQuery, ParameterBound, ParameterKind, QueryCondition, QueryConditions,
    ResultCheck, SavedCode, SavedDraft, SavedDrift, SavedParameter, SavedQuestion, SavedResult, SavedStatus, SavedView,
    TypedValue,
};
pub use scans::{Scans, ScansRow};
pub use settings::Settings;
pub use spending::{Estimate, EstimateBasis, ModelPresetInfo, Span, Spending, SpendingRow};
pub use table::{SampleRows, TableText};
pub use warehouses::{
    DriverInfo, EgressInfo, InferredKeyRow, Preparation, SampleQuestion, WarehouseEntry, WarehouseSummary,
};
pub use watches::{
    DueRuns, Watch, WatchAlert, WatchFormat, WatchInterval, WatchOutcome, WatchOutput, WatchPlan, WatchReport,
    WatchRun, WatchState, WatchedAnswer,
};
pub use workspace::{ImportChoice, ImportCount, LooserPolicy, WorkspaceContent, WorkspaceImport};

pub use vitrine_store::{AuditCheck, AuditEntry, AuditRow, AuditVerdict, KeptReading, QueryAuthor};
pub use vitrine_warehouse::WarehouseKind;

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{AskSettings, CertaintyLevel, FollowUp, MethodName, ModelId, RunChange, RunEvent, RunStatus};

/// Information about the program and its installation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AppInfo {
    /// Version number of this build, such as `0.1.0`.
    pub version: String,
    /// Address of the sample warehouse, which is created when it is first opened.
    pub sample_uri: String,
    /// Folder of runs, saved questions and profiles.
    pub data_dir: String,
    /// Id of the model that answers by default.
    pub default_model: ModelId,
    /// Name of the program for titles.
    pub display_name: String,
}

/// A question about a warehouse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AskRequest {
    /// Address of the warehouse that the question is about.
    pub warehouse: String,
    /// The question as the user typed it.
    pub question: String,
    /// Additional knowledge, such as definitions, formulas or codes.
    pub knowledge: Option<String>,
    /// Method, models and limits of the run.
    pub settings: AskSettings,
    /// The previous question, if this one is a follow-up.
    #[serde(default)]
    pub follows: Option<FollowUp>,
}

/// A follow-up on an answer that is to become a complete question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FollowUpRequest {
    /// Id of the run that gave the answer.
    pub run_id: String,
    /// The follow-up as the user typed it, such as "and for 2023?"
    pub text: String,
    /// Settings of the resulting question, which select the model that rewrites it.
    pub settings: AskSettings,
}

/// A chart as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", tag = "kind", content = "content")]
pub enum Picture {
    /// Text of an SVG image.
    Svg(String),
    /// Content of a PNG image in base64.
    Png(String),
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// Id by which the run is read.
    pub run_id: String,
    /// The question of the run.
    pub question: String,
    /// Method that answered the question.
    pub strategy: MethodName,
    /// Status of the run when it was listed.
    pub status: RunStatus,
    /// Address of the warehouse of the run.
    pub warehouse: String,
    /// Start time: RFC 3339, UTC.
    pub started_at: String,
    /// Milliseconds from start to end, or to the interruption.
    #[specta(type = f64)]
    pub wall_ms: u64,
    /// Number of rows in the answer.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// True if a saved question was made from the run.
    pub saved: bool,
    /// Error that prevented an answer; `None` otherwise.
    pub error: Option<String>,
    /// Certainty of the answer, if known.
    pub certainty: Option<CertaintyLevel>,
    /// Id of the earlier run that it continues.
    pub steered_from: Option<String>,
    /// Changes to the earlier run, without texts and queries.
    pub changes: Vec<RunChange>,
    /// Id of the run whose question it follows up.
    pub follows: Option<String>,
    /// Name that the user gave the run, shown instead of the question.
    pub title: Option<String>,
    /// True if the user pinned the run to the top.
    pub pinned: bool,
}

/// An event that is sent to front ends without a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "event", rename_all = "camelCase")]
pub enum AppEvent {
    /// Event of a run; already stored in the run log.
    Run(RunEvent),
    /// Event of a job, such as a download or an export.
    Job(JobEvent),
    /// Progress of preparing a warehouse.
    Preparation(Preparation),
    /// Progress of testing a connection.
    Test(ConnectionTestEvent),
}
