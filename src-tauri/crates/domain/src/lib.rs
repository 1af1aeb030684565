//! Plain data types that all other crates share.
//!
//! The crate reads no clock, file or environment variable. Counts are `u64` in Rust and numbers in TypeScript (all stay
//! far below 2^53); cell values are exact text, so that no integer or decimal passes through a float.

pub mod cap;
pub mod catalog;
pub mod certainty;
pub mod connection;
pub mod cost;
pub mod dialect;
mod egress;
pub mod error;
mod event_node;
pub mod explanation;
mod export;
pub mod files;
pub mod findings;
mod headline;
mod ids;
pub mod keys;
pub mod method_info;
pub mod methods;
pub mod metric_answer;
pub mod model_profile;
pub mod money;
mod months;
pub mod names;
mod number_form;
pub mod page;
pub mod phases;
pub mod presets;
mod private_file;
pub mod profile;
mod query_plan;
pub mod question;
pub mod report;
pub mod rules;
pub mod run;
pub mod safety;
pub mod sentence;
mod stage_kind;
mod steered;
mod units;
pub mod usage;
mod view_attempt;
pub mod views;

pub use cap::Cap;
pub use catalog::{Catalog, Column, ForeignKey, OwnFunction, Table, TableKind, TableName};
pub use certainty::{Certainty, CertaintyLevel, CertaintyReason, TokenProbability};
pub use connection::{
    ConnectionTest, Definition, DefinitionSource, Definitions, Environment, EnvironmentColor, SchemaTables, TestStage,
    TestState, TestStep,
};
pub use cost::{MonthlyCaps, SCAN_PRICE, SCAN_PRICE_ON, ScanCap, ScanLimits, scan_bytes, scan_money};
pub use dialect::Dialect;
pub use egress::{EgressLevel, EgressPolicy, PersonalColumn, PersonalKind};
pub use error::{AppError, ErrorCode, is_disk_full};
pub use explanation::{
    ColumnSource, ColumnUse, ExplainedColumn, ExplainedStep, Explanation, ExplanationCheck, QuestionMatch,
    QuestionPart, RowsBehind, UsedColumn, UsedTable,
};
pub use export::{ExportAbout, ExportColumn, ExportFact};
pub use files::{
    ConvertedColumn, DateOrder, DecimalSign, FileOptions, FileReading, SetAsideReason, SetAsideRow, SkippedRow,
    TableOptions,
};
pub use findings::{
    Cluster, Confidence, GenerationAction, GenerationPath, LinkingPass, Probe, Reading, RememberedChoice,
    SyntheticExample, TableVerdict,
};
pub use headline::{Extreme, FollowUp, GuidedBy, Headline, HeadlineShape};
pub use ids::{NodeId, RuleCode};
pub use keys::{DecidedKey, InferredKey, InferredKeys, KeyDecision, KeyReference};
pub use method_info::MethodInfo;
pub use methods::{MethodName, MethodSettings};
pub use model_profile::{Caching, Effort, Endpoint, ModelProfile, Price, ProfileFacts, Reasoning, SchemaSupport};
pub use months::{AROUND_MONTHS, Language, NamedMonths, is_month_name, months_of_all_languages};
pub use names::{child_of, is_run_id};
pub use number_form::{NumberForm, without_unit};
pub use page::{CellType, Page, ResultColumn};
pub use phases::PhaseTimes;
pub use presets::ModelPreset;
pub use private_file::{create_private, create_private_new};
pub use profile::{ColumnProfile, Profile, SemanticKind, TableProfile};
pub use query_plan::{PlanStep, QueryPlan};
pub use question::{
    Agent, AskSettings, Budget, Direction, ModelId, RewrittenQuestion, SchemaSelection, SelectedTable, Switch,
};
pub use report::{ChosenReading, RunReport, RunStatus, ViewReport};
pub use rules::{Applicability, Evidence, QueryVariant, RuleInfo, RuleNote};
pub use run::{EventBody, PromptMessage, RunEvent, ValueMatch};
pub use safety::{SafetyKind, SafetyLayer, SafetyState};
pub use sentence::capitalize_first;
pub use stage_kind::StageKind;
pub use steered::{RunChange, SteerEdit, SteerPlace, Steered};
pub use units::{MONEY, Unit, UnitPlace, is_unit_sign};
pub use usage::Usage;
pub use view_attempt::{DistinctValues, ViewAttempt, ViewStatus};
pub use views::ViewSpec;
