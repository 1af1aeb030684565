//! The application without a front end: [`App`] has one plain async function per command, and every front end (window,
//! command line, development host) is a thin adapter over it.
//!
//! This is the one crate that reads the clock, the environment and randomness, and passes them down.

mod abridged;
mod app;
mod approvals;
mod arrange;
mod ask;
mod asking;
mod audit;
mod audited;
mod bundle;
mod calibrations;
mod code;
mod commands;
mod compare;
mod connections;
mod dialogs;
mod drivers;
mod egress;
mod engines;
mod estimate;
pub mod eval;
mod evaluations;
mod files;
mod folders;
mod follow_up;
mod google;
mod jobs;
mod keys;
mod language;
mod library;
mod long_cells;
mod metrics;
mod metrics_change;
mod models;
mod number_error;
mod opening;
mod option_file;
mod outside;
mod overheard;
mod passwords;
mod pictures;
mod prefill;
mod prepare;
mod presets;
mod private;
mod profiles;
mod python;
mod readings;
mod remote;
mod reports;
mod results;
mod rows;
mod runs;
mod safety;
mod saved;
mod scans;
mod schema;
mod settings;
mod sign_in;
mod sink;
mod sources;
mod spending;
mod sql;
mod state;
mod steer;
mod table;
mod tables;
pub mod types;
mod values;
mod warehouses;
mod watches;
mod workspace;

pub use app::App;
pub use bundle::{BundleCheck, BundleManifest, LogHash};
pub use folders::Folders;
pub use google::open_page;
pub use language::{set_program_language, take_language_of_environment};
pub use library::{ExportedLibrary, ImportedLibrary};
pub use metrics::{CheckedMetric, MetricsImport, StoredMetrics};
pub use metrics_change::MetricChangeCost;
pub use outside::{Outside, OutsideAnswer, OutsideMetrics, OutsidePart, OutsideRows, OutsideStage, SchemaPart};
pub use profiles::say_line;
pub use scans::{effective_limits as held_limits, metering_at, reading_ahead};
pub use schema::{ChunkReport, SchemaReport, TableReport};
pub use sources::{is_joined_address, split_source};
pub use state::chosen_files::FileDialogs;
pub use state::setup::{AppOptions, Patience};
pub use types::*;
pub use vitrine_agents::methods;
pub use vitrine_arrange::{
    Arrangement, ColumnFigures, FoundCell, RowFilter, RowOrder, RowTest, SearchedColumn, SelectionFigures, ShownAs,
};
pub use vitrine_federation::SourceRead;
pub use vitrine_metric_change::{
    DimensionChange, GroupPair, InputChange, LeftOut, MemberChange, MetricChange, MetricChangeRequest, OtherMembers,
    Presence, SideValue,
};
pub use vitrine_metrics as metric_definitions;
pub use vitrine_models::{DEFAULT_CHAT_MODEL, EMBEDDING_MODEL, Phase, Progress};
pub use vitrine_report::{Chart, ChartKind};
pub use vitrine_sql_rules::is_rule as rule_named;
pub use vitrine_values::IndexSize;
pub use vitrine_warehouse::{ExportFormat, Metering, ReadingAhead, WarehouseUri, conformance};
pub use warehouses::SAMPLE;
pub use watches::timer::{Scheduler, SchedulerEntry, SchedulerFile};

/// Serves the parent process and never returns if this process was started as the embedded model's worker or as the warden of Python code.
/// Call it first in `main`.
pub fn run_worker_if_asked() {
    vitrine_python::run_jail_if_asked();
    vitrine_warehouse::run_engine_if_asked();
    vitrine_llm_local::run_worker_if_asked();
}
