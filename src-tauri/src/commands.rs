//! Commands for the window: each calls the api's function of the same name.

use std::collections::BTreeMap;
use tauri::{State, Wry};
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands};
use vitrine_api::{
    App, AppEvent, AppInfo, Approval, ArrangedRows, Arrangement, AskRequest, AskedFor, AuditCheck, AuditRow,
    BundleCheck, BundleManifest, CatalogPart, CatalogView, CheckedSaved, ChosenFile, CodeOutcome, ColumnFigures,
    Connection, ConnectionDraft, CsvStyle, DefinitionImport, DriverInfo, EgressInfo, EngineEntry, Estimate,
    EvaluationComparison, EvaluationQuestion, EvaluationRequest, EvaluationSummary, ExportedLibrary, FilledQuery,
    FollowUpRequest, FoundCell, FoundName, GoogleSignIn, GoogleSignedIn, ImportedLibrary, InferredKeyRow,
    KeptConnection, KeptReading, KeptTable, ModelPresetInfo, ModelProfileInfo, ModelStatus, ModelTest, OpenKind,
    ParsedAddress, Picture, Preparation, PythonStatus, QueryAuthor, Reach, RemoteModel, ResultHandle, RunComparison,
    RunSummary, SampleQuestion, SampleRows, SavedDraft, SavedDrift, SavedParameter, SavedQuestion, SavedResult,
    SavedStatus, Scans, SearchedColumn, SelectionFigures, ServedModel, Settings, Spending, SqlCheck, TablePage,
    TableText, TypedValue, WarehouseEntry, WarehouseKind, WarehouseSummary, WorkspaceContent, WorkspaceImport,
    WrittenAddress,
};
use vitrine_domain::{
    AppError, Definitions, EgressPolicy, Explanation, ExportAbout, FileOptions, FileReading, KeyDecision, MethodInfo,
    Page, Profile, ProfileFacts, QueryPlan, RowsBehind, RuleInfo, RunChange, RunEvent, SafetyLayer, SteerPlace,
    TableName,
};

macro_rules! commands {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $result:ty),* $(,)?) => {
        $(
            #[tauri::command]
            #[specta::specta]
            pub(crate) async fn $name(app: State<'_, App> $(, $arg: $kind)*) -> Result<$result, AppError> {
                app.$name($($arg.into()),*).await
            }
        )*

        /// Registers all commands and their types.
        pub(crate) fn builder() -> Builder<Wry> {
            Builder::new()
                .commands(collect_commands![$($name),*])
                .typ::<AppEvent>()
                .constant("SCAN_TERMS", vitrine_api::scan_terms())
                .error_handling(ErrorHandlingMode::Throw)
                .disable_serde_phases()
        }
    };
}

vitrine_api::with_commands!(commands);
