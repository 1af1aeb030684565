//! The program's commands for the window: each is the api's function of the same name.

use tauri::{State, Wry};
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands};
use vitrine_api::{
    App, AppEvent, AppInfo, AskRequest, CodeOutcome, CsvFile, CsvRequest, EvaluationComparison, EvaluationQuestion,
    EvaluationRequest, EvaluationSummary, InferredKeyRow, KeptTable, ModelStatus, PythonStatus, RemoteModel,
    ResultHandle, RunSummary, SavedDraft, SavedQuestion, Settings, WarehouseEntry, WarehouseSummary,
};
use vitrine_domain::{
    AppError, Catalog, Explanation, KeyDecision, Methods, Page, Profile, RowsBehind, RuleInfo, RunEvent,
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

        /// All commands and the types that go with them.
        pub(crate) fn builder() -> Builder<Wry> {
            Builder::new()
                .commands(collect_commands![$($name),*])
                .typ::<AppEvent>()
                .constant("paperMethods", Methods::default())
                .error_handling(ErrorHandlingMode::Throw)
                .disable_serde_phases()
        }
    };
}

commands! {
    info() -> AppInfo,
    warehouses() -> Vec<WarehouseEntry>,
    open_warehouse(uri: String) -> WarehouseSummary,
    sign_in(uri: String, password: String) -> (),
    remember_password(uri: String) -> (),
    check_keychain() -> (),
    forget_warehouse(uri: String) -> (),
    catalog(uri: String) -> Catalog,
    profile(uri: String) -> Profile,
    warm(uri: String) -> (),
    ask(request: AskRequest) -> String,
    cancel_run(run_id: String) -> (),
    choose_reading(run_id: String, candidate: Option<u32>) -> (),
    run_events(run_id: String, after_seq: u32) -> Vec<RunEvent>,
    runs(search: String, limit: u32, offset: u32) -> Vec<RunSummary>,
    delete_run(run_id: String) -> (),
    export_run(run_id: String, path: String) -> (),
    open_result(warehouse: String, sql: String, row_limit: u32) -> ResultHandle,
    open_table(table: KeptTable, row_limit: u32) -> ResultHandle,
    result_status(result_id: String) -> ResultHandle,
    result_rows(result_id: String, offset: u32, count: u32) -> Page,
    close_result(result_id: String) -> (),
    cancel_result(result_id: String) -> (),
    export_csv(request: CsvRequest) -> String,
    export_table(table: KeptTable, file: CsvFile) -> String,
    cancel_job(job_id: String) -> (),
    rules() -> Vec<RuleInfo>,
    format_sql(sql: String, warehouse: String) -> String,
    check_sql(sql: String, warehouse: String) -> (),
    explain(warehouse: String, sql: String, question: Option<String>) -> Explanation,
    rows_behind(warehouse: String, sql: String, row: Vec<Option<String>>, column: Option<u32>) -> Vec<RowsBehind>,
    allowed_functions(warehouse: String) -> Vec<String>,
    allow_functions(warehouse: String, names: Vec<String>) -> Vec<String>,
    inferred_keys(warehouse: String) -> Vec<InferredKeyRow>,
    decide_key(warehouse: String, key: String, decision: Option<KeyDecision>) -> Vec<InferredKeyRow>,
    saved(search: String) -> Vec<SavedQuestion>,
    save_question(draft: SavedDraft) -> SavedQuestion,
    delete_saved(id: String) -> (),
    run_code(run_id: String, code: String) -> CodeOutcome,
    run_saved_code(id: String, code: String) -> CodeOutcome,
    stop_code(owner: String) -> (),
    settings() -> Settings,
    set_settings(settings: Settings) -> (),
    models() -> Vec<ModelStatus>,
    pull_model(id: String) -> String,
    remove_model(id: String) -> (),
    add_gguf(path: String) -> ModelStatus,
    use_model(id: String) -> (),
    remote_models() -> Vec<RemoteModel>,
    set_remote_model(model: RemoteModel, api_key: Option<String>) -> (),
    delete_remote_model(id: String) -> (),
    test_model(id: String) -> String,
    python() -> PythonStatus,
    install_python() -> String,
    remove_python() -> (),
    evaluations() -> Vec<EvaluationSummary>,
    start_evaluation(request: EvaluationRequest) -> String,
    evaluation(id: String) -> Vec<EvaluationQuestion>,
    compare_evaluations(base: String, id: String) -> EvaluationComparison,
    evaluation_events(id: String, question: String) -> Vec<RunEvent>,
    delete_evaluation(id: String) -> (),
}
