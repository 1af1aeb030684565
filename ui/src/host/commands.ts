// The commands, once, over any way of calling them: snake_case name and an object of camelCase arguments.

import type { Commands } from "./host";

export type Call = <T>(command: string, args: Record<string, unknown>) => Promise<T>;

export function commandsOver(call: Call): Commands {
  return {
    info: () => call("info", {}),
    warehouses: () => call("warehouses", {}),
    openWarehouse: (uri) => call("open_warehouse", { uri }),
    forgetWarehouse: (uri) => call("forget_warehouse", { uri }),
    catalog: (uri) => call("catalog", { uri }),
    profile: (uri) => call("profile", { uri }),
    warm: (uri) => call("warm", { uri }),
    ask: (request) => call("ask", { request }),
    cancelRun: (runId) => call("cancel_run", { runId }),
    runEvents: (runId, afterSeq) => call("run_events", { runId, afterSeq }),
    runs: (search, limit, offset) => call("runs", { search, limit, offset }),
    deleteRun: (runId) => call("delete_run", { runId }),
    chooseReading: (runId, candidate) => call("choose_reading", { runId, candidate }),
    exportRun: (runId, path) => call("export_run", { runId, path }),
    openResult: (warehouse, sql, rowLimit) => call("open_result", { warehouse, sql, rowLimit }),
    resultStatus: (resultId) => call("result_status", { resultId }),
    resultRows: (resultId, offset, count) => call("result_rows", { resultId, offset, count }),
    closeResult: (resultId) => call("close_result", { resultId }),
    cancelResult: (resultId) => call("cancel_result", { resultId }),
    exportCsv: (request) => call("export_csv", { request }),
    cancelJob: (jobId) => call("cancel_job", { jobId }),
    formatSql: (sql, warehouse) => call("format_sql", { sql, warehouse }),
    checkSql: (sql, warehouse) => call("check_sql", { sql, warehouse }),
    saved: (search) => call("saved", { search }),
    saveQuestion: (draft) => call("save_question", { draft }),
    deleteSaved: (id) => call("delete_saved", { id }),
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
    testModel: (id) => call("test_model", { id }),
    evaluations: () => call("evaluations", {}),
    startEvaluation: (request) => call("start_evaluation", { request }),
    evaluation: (id) => call("evaluation", { id }),
    compareEvaluations: (base, id) => call("compare_evaluations", { base, id }),
    evaluationEvents: (id, question) => call("evaluation_events", { id, question }),
    deleteEvaluation: (id) => call("delete_evaluation", { id }),
  };
}
