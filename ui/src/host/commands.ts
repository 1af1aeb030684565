// The commands, once, over any way of calling them: snake_case name and an object of camelCase arguments. What they take
// and give is generated from Rust, and one that is missing here does not compile. The development host's tests read this.

import type { commands } from "./bindings";

export type Call = <T>(command: string, args: Record<string, unknown>) => Promise<T>;

type Generated = typeof commands;

/** The generated commands; one that gives nothing in Rust gives nothing here, where the generated one gives null. */
type AllCommands = {
  [Name in keyof Generated]: (
    ...args: Parameters<Generated[Name]>
  ) => ReturnType<Generated[Name]> extends Promise<null> ? Promise<void> : ReturnType<Generated[Name]>;
};

export type Commands = ReturnType<typeof commandsOver>;

export function commandsOver(call: Call) {
  return {
    info: () => call("info", {}),
    /** The language of texts that the program writes from now on: `en`, `de` or `fr`. */
    setLanguage: (language) => call("set_language", { language }),
    warehouses: () => call("warehouses", {}),
    openWarehouse: (uri) => call("open_warehouse", { uri }),
    /** Stops the opening of an address, also one with a password; what waits for it fails with "cancelled". */
    stopOpening: (uri) => call("stop_opening", { uri }),
    /** Opens a database on a server with this password, and by its address alone while the program runs. */
    signIn: (uri, password) => call("sign_in", { uri, password }),
    /** Opens the key that an address signs in with, while the program runs. */
    unlockKey: (uri, passphrase) => call("unlock_key", { uri, passphrase }),
    /** Keeps the password that was typed for a server, and the passphrase of its key, in the system's keychain. */
    rememberPassword: (uri) => call("remember_password", { uri }),
    /** Fails with the reason if there is no keychain. */
    checkKeychain: () => call("check_keychain", {}),
    /** Opens one tab of the browser; gives what `finishGoogleSignIn` waits for and `cancelJob` gives up. */
    beginGoogleSignIn: (address, clientSecret) => call("begin_google_sign_in", { address, clientSecret }),
    finishGoogleSignIn: (jobId) => call("finish_google_sign_in", { jobId }),
    forgetWarehouse: (uri) => call("forget_warehouse", { uri }),
    connections: () => call("connections", {}),
    /** Keeps a connection without connecting. */
    keepConnection: (draft) => call("keep_connection", { draft }),
    removeConnection: (id) => call("remove_connection", { id }),
    /** Gives the test's id; events tell how far it is, `cancelJob` stops it. */
    testConnection: (address, password) => call("test_connection", { address, password }),
    /** Every engine, as it describes itself. */
    engines: () => call("engines", {}),
    /** Splits a typed address into its password and the values of a form. */
    parseAddress: (text) => call("parse_address", { text }),
    /** Writes the address of a form. */
    writeAddress: (kind, values) => call("write_address", { kind, values }),
    /** Drivers of databases, there or not. */
    drivers: () => call("drivers", {}),
    /** Gets a known driver; takes as long as that takes. */
    getDriver: (name) => call("get_driver", { name }),
    chooseDriver: () => call("choose_driver", {}),
    removeDriver: (name) => call("remove_driver", { name }),
    /** The definitions of a warehouse, for every question. */
    definitions: (uri) => call("definitions", { uri }),
    /** Stores definitions and returns them as stored. */
    setDefinitions: (uri, known) => call("set_definitions", { uri, known }),
    /** Reads definitions from a file of dbt, or from the database's comments; takes nothing over. */
    importDefinitions: (uri, path) => call("import_definitions", { uri, path }),
    /** A part of the list of tables that a search finds. */
    tables: (uri, search, offset, limit) => call("tables", { uri, search, offset, limit }),
    /** Sample questions from the current profile. */
    sampleQuestions: (uri) => call("sample_questions", { uri }),
    /** Starts or resumes reading profile and values. */
    startPreparation: (uri) => call("start_preparation", { uri }),
    pausePreparation: (uri) => call("pause_preparation", { uri }),
    /** The catalog; of a large one without its tables, which are listed by `tables` and looked at by `table`. */
    catalog: (uri) => call("catalog", { uri }),
    /** A table and some around it. */
    table: (uri, name, reach, limit) => call("table", { uri, name, reach, limit }),
    /** Names of tables and columns that fit what was typed. */
    names: (uri, typed, limit) => call("names", { uri, typed, limit }),
    /** Columns with their tables that fit what was typed. */
    columns: (uri, typed, limit) => call("columns", { uri, typed, limit }),
    profile: (uri) => call("profile", { uri }),
    /** A few rows of a table, by a proven query or, where queries are billed, as the database lists them. */
    sampleRows: (warehouse, table) => call("sample_rows", { warehouse, table }),
    /** A table's text in prompts for a model, under its privacy settings. */
    tableText: (warehouse, table, model) => call("table_text", { warehouse, table, model }),
    /** Has the model read the schema ahead, while a question is still being written. */
    warm: (uri) => call("warm", { uri }),
    ask: (request) => call("ask", { request }),
    /** Estimates the cost of a question without asking it. */
    estimate: (request) => call("estimate", { request }),
    /** Continues the search of a run, or ends it with the best result so far. */
    keepLooking: (runId, goesOn) => call("keep_looking", { runId, goesOn }),
    /** The cost of models in a month; null is the current one. */
    spending: (month) => call("spending", { month }),
    scans: (month) => call("scans", { month }),
    modelPresets: () => call("model_presets", {}),
    /** Completes a follow-up, with a model if necessary. */
    followUp: (request) => call("follow_up", { request }),
    /** Completes a follow-up without a model; null if that is ambiguous. */
    completeFollowUp: (request) => call("complete_follow_up", { request }),
    cancelRun: (runId) => call("cancel_run", { runId }),
    /** Says which reading is meant, by its candidate; null leaves the choice to the run. */
    chooseReading: (runId, candidate) => call("choose_reading", { runId, candidate }),
    /** Chosen interpretations of a database, latest first. */
    rememberedReadings: (uri) => call("remembered_readings", { uri }),
    forgetReading: (id) => call("forget_reading", { id }),
    /** Takes that back, as long as no other one was forgotten since. */
    restoreReading: (id) => call("restore_reading", { id }),
    /** Approves or refuses the query that a run waits with. */
    decideQuery: (runId, sqlSha256, approved) => call("decide_query", { runId, sqlSha256, approved }),
    /** A query as it would run, its hash, and whether it may. */
    approval: (warehouse, sql) => call("approval", { warehouse, sql }),
    /** Approves exactly this text, which has that hash. */
    approveSql: (warehouse, sql, sqlSha256) => call("approve_sql", { warehouse, sql, sqlSha256 }),
    approvals: (warehouse) => call("approvals", { warehouse }),
    revokeApproval: (warehouse, sqlSha256) => call("revoke_approval", { warehouse, sqlSha256 }),
    runEvents: (runId, afterSeq) => call("run_events", { runId, afterSeq }),
    runs: (search, limit, offset) => call("runs", { search, limit, offset }),
    /** The editable settings of each node of a run, and the steps that run again. */
    steerPlaces: (runId) => call("steer_places", { runId }),
    /** Starts a run that continues an earlier one with the user's changes; returns its id. */
    rerun: (runId, changes) => call("rerun", { runId, changes }),
    /** Two runs side by side, from their logs. */
    compareRuns: (runId, other) => call("compare_runs", { runId, other }),
    /** Runs that go on from this one: with something changed, or as a follow-up; the latest first. */
    branches: (runId) => call("branches", { runId }),
    /** Runs by question, name and query; pinned ones first. A warehouse narrows them. */
    history: (search, warehouse, limit, offset) => call("history", { search, warehouse, limit, offset }),
    /** Sets what the user calls a run; an empty name is its question. */
    nameRun: (runId, title) => call("name_run", { runId, title }),
    pinRun: (runId, pinned) => call("pin_run", { runId, pinned }),
    deleteRun: (runId) => call("delete_run", { runId }),
    /** Asks for an existing path; null when dismissed. */
    pickOpenPath: (kind) => call("pick_open_path", { kind }),
    /** Asks where to save; null when dismissed. The file's token lets one command write it, once. */
    pickSaveFile: (name) => call("pick_save_file", { name }),
    exportRun: (runId, file) => call("export_run", { runId, file }),
    openResult: (warehouse, sql, rowLimit) => call("open_result", { warehouse, sql, rowLimit }),
    /** The same for a table that code gave. */
    openTable: (table, rowLimit) => call("open_table", { table, rowLimit }),
    /** Stops what was asked by this text and has no answer yet; that fails with "cancelled". */
    stopAsking: (what, warehouse, sql) => call("stop_asking", { what, warehouse, sql }),
    resultStatus: (resultId) => call("result_status", { resultId }),
    resultRows: (resultId, offset, count) => call("result_rows", { resultId, offset, count }),
    /** Sorts and filters the rows of a result where they are kept. */
    arrangeResult: (resultId, arrangement) => call("arrange_result", { resultId, arrangement }),
    arrangedRows: (resultId, view, offset, count) => call("arranged_rows", { resultId, view, offset, count }),
    /** The first cells with a text, in an arrangement or in all rows. */
    findInResult: (resultId, view, text, columns) => call("find_in_result", { resultId, view, text, columns }),
    columnFigures: (resultId, view, column, locale) => call("column_figures", { resultId, view, column, locale }),
    selectionFigures: (resultId, view, from, to, columns) =>
      call("selection_figures", { resultId, view, from, to, columns }),
    stopArranging: (resultId) => call("stop_arranging", { resultId }),
    closeResult: (resultId) => call("close_result", { resultId }),
    cancelResult: (resultId) => call("cancel_result", { resultId }),
    exportResult: (warehouse, sql, file, style, about) =>
      call("export_result", { warehouse, sql, file, style, about }),
    exportTable: (table, file, style, about) => call("export_table", { table, file, style, about }),
    /** Writes a chart to the file of a token. */
    writePicture: (file, picture) => call("write_picture", { file, picture }),
    /** Shows a file that was written, by the job that wrote it or the token that it was written under. */
    showInFolder: (written) => call("show_in_folder", { written }),
    cancelJob: (jobId) => call("cancel_job", { jobId }),
    formatSql: (sql, warehouse) => call("format_sql", { sql, warehouse }),
    checkSql: (sql, warehouse) => call("check_sql", { sql, warehouse }),
    /** Takes a query apart, runs the steps, compares the last with the query, and the question with both. */
    explain: (warehouse, sql, question) => call("explain", { warehouse, sql, question }),
    /** The plan by which the engine would answer a query. Nothing is run. */
    queryPlan: (warehouse, sql) => call("query_plan", { warehouse, sql }),
    /** The rows that a row of a query's result was made of, or one cell of it, at every step and in every table. */
    rowsBehind: (warehouse, sql, row, column) => call("rows_behind", { warehouse, sql, row, column }),
    /** Functions of the database's own that its queries may call. */
    allowedFunctions: (warehouse) => call("allowed_functions", { warehouse }),
    /** Sets these functions and gives them as they are kept. */
    allowFunctions: (warehouse, names) => call("allow_functions", { warehouse, names }),
    /** How the tables of data files were read; empty for other warehouses. */
    fileReadings: (warehouse) => call("file_readings", { warehouse }),
    /** Reads the file of a table as the user says from now on; gives how all tables are read then. */
    readFileAs: (warehouse, table, options) => call("read_file_as", { warehouse, table, options }),
    /** The layers that protect the database from changes. */
    safety: (warehouse) => call("safety", { warehouse }),
    /** The privacy settings of a warehouse, and its columns that look personal. */
    egress: (warehouse) => call("egress", { warehouse }),
    /** Decides that; fails where a column that it names does not exist. */
    setEgress: (warehouse, policy) => call("set_egress", { warehouse, policy }),
    /** Keys that the database does not declare, with what the person says about them. */
    /** Queries that ran for a user or were refused, the latest first. */
    audit: (search, author, limit, offset) => call("audit", { search, author, limit, offset }),
    /** Looks for rows of the audit that were changed or removed. */
    checkAudit: () => call("check_audit", {}),
    /** Writes the whole audit to the chosen file, as CSV where its name ends so, else as JSON lines. */
    exportAudit: (file) => call("export_audit", { file }),
    inferredKeys: (warehouse) => call("inferred_keys", { warehouse }),
    /** Confirms or strikes a key by its id; null takes that back. Gives all keys. */
    decideKey: (warehouse, key, decision) => call("decide_key", { warehouse, key, decision }),
    saved: (search) => call("saved", { search }),
    saveQuestion: (draft) => call("save_question", { draft }),
    deleteSaved: (id) => call("delete_saved", { id }),
    /** Puts a saved question into a folder, such as "Sales/Monthly", and gives it tags. */
    fileSaved: (id, folder, tags) => call("file_saved", { id, folder, tags }),
    /** Records a review; verifying also runs it. Without a name it is the user of this computer. */
    markSaved: (id, status, by) => call("mark_saved", { id, status, by }),
    /** Changes of the tables and columns that it uses; null if these are unknown. */
    savedDrift: (id) => call("saved_drift", { id }),
    /** Saved questions of open databases whose schema has changed. */
    savedDrifts: () => call("saved_drifts", {}),
    /** The last result; runs nothing. */
    savedResult: (id) => call("saved_result", { id }),
    /** Runs it with other values for its parameters; without any, the result is kept as its last one. */
    runSaved: (id, values) => call("run_saved", { id, values }),
    /** The places that a query leaves open (`:name`), and its constants that could be asked for when it is run. */
    queryParameters: (warehouse, sql) => call("query_parameters", { warehouse, sql }),
    /** The query with these values, quoted as its database wants it and proven to only read. */
    fillQuery: (warehouse, sql, values) => call("fill_query", { warehouse, sql, values }),
    /** The question that was verified in these words, if its query still fits the schema. */
    verifiedAnswer: (warehouse, question) => call("verified_answer", { warehouse, question }),
    /** Sets which of them a saved question asks for. */
    setParameters: (id, names) => call("set_parameters", { id, names }),
    /** The query of a saved question with these values. */
    filledQuery: (id, values) => call("filled_query", { id, values }),
    /** Asks for a folder; null when dismissed. Its token lets one command use it, once. */
    pickFolder: () => call("pick_folder", {}),
    exportLibrary: (ids, folder) => call("export_library", { ids, folder }),
    importLibrary: (folder, overwrite) => call("import_library", { folder, overwrite }),
    /** Writes a run's answer with its evidence to the file of a token. */
    exportBundle: (runId, file, everything) => call("export_bundle", { runId, file, everything }),
    /** Checks a bundle; with a warehouse, runs its query again there. */
    inspectBundle: (path, warehouse) => call("inspect_bundle", { path, warehouse }),
    /** The amount of exportable data in the workspace. */
    workspaceContent: () => call("workspace_content", {}),
    /** Writes the workspace to the file of a token; gives the job. */
    exportWorkspace: (file, results) => call("export_workspace", { file, results }),
    /** Begins to read an exported workspace, to look at it or to take it in; gives the job. */
    beginWorkspaceImport: (path, settings, apply, confirmed) =>
      call("begin_workspace_import", { path, settings, apply, confirmed }),
    /** Waits for such a job; fails where nothing was taken in. */
    workspaceImport: (jobId) => call("workspace_import", { jobId }),
    /** Takes back what an import has added. */
    undoWorkspaceImport: (jobId) => call("undo_workspace_import", { jobId }),
    /** Runs code over the views that a run has kept. */
    runCode: (runId, code) => call("run_code", { runId, code }),
    /** Fetches the views of a saved question anew and runs code over them. */
    runSavedCode: (id, code) => call("run_saved_code", { id, code }),
    /** Stops the code of a run or of a saved question. */
    stopCode: (owner) => call("stop_code", { owner }),
    /** Every method of answering, as it describes itself. */
    methods: () => call("methods", {}),
    settings: () => call("settings", {}),
    setSettings: (settings) => call("set_settings", { settings }),
    models: () => call("models", {}),
    pullModel: (id) => call("pull_model", { id }),
    removeModel: (id) => call("remove_model", { id }),
    addGguf: (path) => call("add_gguf", { path }),
    useModel: (id) => call("use_model", { id }),
    remoteModels: () => call("remote_models", {}),
    setRemoteModel: (model, apiKey) => call("set_remote_model", { model, apiKey }),
    deleteRemoteModel: (id) => call("delete_remote_model", { id }),
    /** The models that a server has; a key that is not given is the one kept for this server. */
    servedModels: (model, apiKey) => call("served_models", { model, apiKey }),
    testModel: (id) => call("test_model", { id }),
    modelProfile: (id) => call("model_profile", { id }),
    /** Replaces the user's values of a model's profile. */
    setModelProfile: (id, facts) => call("set_model_profile", { id, facts }),
    /** Every rule over queries. */
    rules: () => call("rules", {}),
    /** True if code can be run over fetched views. */
    python: () => call("python", {}),
    /** Gives the job's id. */
    installPython: () => call("install_python", {}),
    removePython: () => call("remove_python", {}),
    evaluations: () => call("evaluations", {}),
    /** Gives the job's id; the job's title is the evaluation's id. */
    startEvaluation: (request) => call("start_evaluation", { request }),
    evaluation: (id) => call("evaluation", { id }),
    compareEvaluations: (base, id) => call("compare_evaluations", { base, id }),
    evaluationEvents: (id, question) => call("evaluation_events", { id, question }),
    deleteEvaluation: (id) => call("delete_evaluation", { id }),
  } satisfies AllCommands;
}
