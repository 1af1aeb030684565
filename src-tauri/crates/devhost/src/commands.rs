//! Commands by name, with their arguments as one JSON object of camelCase names.

use serde::de::DeserializeOwned;
use vitrine_api::{
    App, AskRequest, CsvFile, CsvRequest, EvaluationRequest, KeptTable, RemoteModel, SavedDraft, Settings,
};
use vitrine_domain::{AppError, ErrorCode, KeyDecision};

macro_rules! commands {
    ($($name:ident($($arg:ident: $kind:ty),*)),* $(,)?) => {
        /// Every command with the names of its arguments, as Rust writes them.
        pub const COMMANDS: &[(&str, &[&str])] = &[$((stringify!($name), &[$(stringify!($arg)),*])),*];

        /// Runs a command and gives its result as JSON.
        ///
        /// # Errors
        /// The command's own, or one about the call.
        pub async fn call(app: &App, command: &str, arguments: &str) -> Result<String, AppError> {
            match command {
                $(stringify!($name) => {
                    #[derive(serde::Deserialize)]
                    #[serde(rename_all = "camelCase")]
                    struct Arguments { $($arg: $kind),* }
                    let Arguments { $($arg),* } = read(command, arguments)?;
                    write(&app.$name($($arg),*).await?)
                })*
                _ => Err(AppError::new(ErrorCode::NotFound, format!("There is no command '{command}'"))),
            }
        }
    };
}

commands! {
    info(),
    warehouses(),
    open_warehouse(uri: String),
    sign_in(uri: String, password: String),
    remember_password(uri: String),
    check_keychain(),
    forget_warehouse(uri: String),
    catalog(uri: String),
    profile(uri: String),
    warm(uri: String),
    ask(request: AskRequest),
    cancel_run(run_id: String),
    choose_reading(run_id: String, candidate: Option<u32>),
    run_events(run_id: String, after_seq: u32),
    runs(search: String, limit: u32, offset: u32),
    delete_run(run_id: String),
    export_run(run_id: String, path: String),
    open_result(warehouse: String, sql: String, row_limit: u64),
    open_table(table: KeptTable, row_limit: u64),
    result_status(result_id: String),
    result_rows(result_id: String, offset: u64, count: u32),
    close_result(result_id: String),
    cancel_result(result_id: String),
    export_csv(request: CsvRequest),
    export_table(table: KeptTable, file: CsvFile),
    cancel_job(job_id: String),
    rules(),
    format_sql(sql: String, warehouse: String),
    check_sql(sql: String, warehouse: String),
    explain(warehouse: String, sql: String, question: Option<String>),
    rows_behind(warehouse: String, sql: String, row: Vec<Option<String>>, column: Option<u32>),
    allowed_functions(warehouse: String),
    allow_functions(warehouse: String, names: Vec<String>),
    inferred_keys(warehouse: String),
    decide_key(warehouse: String, key: String, decision: Option<KeyDecision>),
    saved(search: String),
    save_question(draft: SavedDraft),
    delete_saved(id: String),
    run_code(run_id: String, code: String),
    run_saved_code(id: String, code: String),
    stop_code(owner: String),
    settings(),
    set_settings(settings: Settings),
    models(),
    pull_model(id: String),
    remove_model(id: String),
    add_gguf(path: String),
    use_model(id: String),
    remote_models(),
    set_remote_model(model: RemoteModel, api_key: Option<String>),
    delete_remote_model(id: String),
    test_model(id: String),
    python(),
    install_python(),
    remove_python(),
    evaluations(),
    start_evaluation(request: EvaluationRequest),
    evaluation(id: String),
    compare_evaluations(base: String, id: String),
    evaluation_events(id: String, question: String),
    delete_evaluation(id: String),
}

fn read<T: DeserializeOwned>(command: &str, arguments: &str) -> Result<T, AppError> {
    serde_json::from_str(arguments).map_err(|error| {
        AppError::new(ErrorCode::Usage, format!("The arguments of '{command}' do not fit")).detail(error)
    })
}

fn write(result: &impl serde::Serialize) -> Result<String, AppError> {
    serde_json::to_string(result)
        .map_err(|error| AppError::new(ErrorCode::Internal, "The result cannot be sent").detail(error))
}
