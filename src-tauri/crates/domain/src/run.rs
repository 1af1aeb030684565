//! The event type of a run. Each event is written to the run log before any observer receives it, streamed to front
//! ends, replayed without a model, and folded into the report and the graph.

pub use crate::findings::{ChunkOutcome, ChunkSummary, ValueMatch};
use crate::findings::{
    Cluster, Confidence, GenerationAction, GenerationPath, LinkingPass, Probe, Reading, RememberedChoice,
    SyntheticExample, TableVerdict,
};
use crate::metric_answer::MetricAnswer;
use crate::stage_kind::StageKind;
use crate::{
    Agent, AppError, AskSettings, Certainty, Dialect, EgressPolicy, Explanation, FollowUp, GuidedBy, Headline, ModelId,
    NodeId, Page, QueryVariant, RewrittenQuestion, RuleCode, RuleNote, RunChange, SchemaSelection, Steered,
    TokenProbability, Usage, ViewAttempt, ViewSpec,
};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptMessage {
    /// The role: `system`, `user` or `assistant`.
    pub role: String,
    /// The text of the message.
    pub content: String,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunEvent {
    /// The id of the run.
    pub run_id: String,
    /// The sequence number within the run: 1, 2, 3 ... without gaps.
    pub seq: u32,
    /// Milliseconds since the run began.
    pub at_ms: u32,
    /// The content of the event.
    pub body: EventBody,
}

/// The content of an event, by its type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum EventBody {
    /// The run started. Always the first event.
    RunStarted {
        /// The question as the user asked it.
        question: String,
        /// External knowledge given with the question.
        knowledge: Option<String>,
        /// The warehouse's address without secrets.
        warehouse: String,
        /// The SQL dialect of the warehouse.
        dialect: Dialect,
        /// The settings of the run.
        settings: Box<AskSettings>,
        /// The model of each agent.
        models: BTreeMap<Agent, ModelId>,
        /// Restrictions on the content of requests to remote models; absent if all models are embedded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        egress: Option<EgressPolicy>,
        /// The previous question, if this one is a follow-up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        follows: Option<FollowUp>,
        /// The earlier run that this one continues, with the user's changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steered: Option<Steered>,
        /// Verified questions that models get as examples.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        guided_by: Vec<GuidedBy>,
        /// The start time; RFC 3339, UTC.
        started_at: String,
    },
    /// A stage started, and its node appears in the graph.
    StageStarted {
        /// The id of the stage's node.
        node: NodeId,
        /// The kind of the stage.
        kind: StageKind,
        /// The title for users, e.g. `Views from chunk 2 of 3`.
        title: String,
        /// Nodes whose outputs it reads.
        inputs: Vec<NodeId>,
    },
    /// A stage finished without an error.
    StageFinished {
        /// The id of the stage's node.
        node: NodeId,
        /// A summary in one line for users.
        summary: String,
    },
    /// A stage was copied from an earlier run: the events of the node are the earlier ones, without calls and queries.
    StageKept {
        /// The id of the stage's node.
        node: NodeId,
        /// The id of the earlier run.
        from: String,
    },
    /// The user replaced the output of a stage.
    StageEdited {
        /// The id of the stage's node.
        node: NodeId,
        /// The change that the user made.
        change: RunChange,
    },
    /// The schema was prepared for prompts.
    SchemaPrepared {
        /// The id of the stage's node.
        node: NodeId,
        /// Number of tables in the schema.
        tables: u32,
        /// Number of columns in the schema.
        columns: u32,
        /// Number of merged groups of look-alike tables.
        groups: u32,
        /// Number of tokens before compression.
        tokens_raw: u32,
        /// Number of tokens after compression.
        tokens_compressed: u32,
        /// The chunks of the schema.
        chunks: Vec<ChunkSummary>,
    },
    /// A call of a model started.
    ModelCallStarted {
        /// The id of the stage's node.
        node: NodeId,
        /// The number of the call within the run: 1, 2, 3 ...
        call: u32,
        /// The agent that makes the call.
        agent: Agent,
        /// The model that is called.
        model: ModelId,
        /// All messages of the prompt.
        messages: Vec<PromptMessage>,
        /// Number of replies that are requested.
        samples: u32,
        /// The sampling temperature of the call.
        temperature: f32,
        /// The sampling seed of the call.
        #[specta(type = f64)]
        seed: u64,
    },
    /// Text of the first reply while it is generated, coalesced.
    ModelCallProgress {
        /// The id of the stage's node.
        node: NodeId,
        /// The number of the call.
        call: u32,
        /// Text since the previous event.
        text: String,
    },
    /// A request was sent to a remote model. The event contains its exact bytes. Rejected or failed requests may be
    /// repeated within a call.
    RequestSent {
        /// The id of the stage's node.
        node: NodeId,
        /// The number of the call.
        call: u32,
        /// The destination: scheme, host and port.
        to: String,
        /// The body as sent. API keys are in a header, which is not recorded.
        body: String,
        /// Tables of the stored values and result values that the body contains.
        values_of: Vec<String>,
    },
    /// A model call finished, successfully or not.
    ModelCallFinished {
        /// The id of the stage's node.
        node: NodeId,
        /// The number of the call.
        call: u32,
        /// The agent that made the call.
        agent: Agent,
        /// The complete texts of all replies.
        replies: Vec<String>,
        /// Log probabilities of each reply; empty if the server reports none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        probabilities: Vec<Option<TokenProbability>>,
        /// The usage of the call.
        usage: Usage,
        /// The reason why replies are missing or incomplete.
        error: Option<String>,
    },
    /// The rewriter returned its result.
    Rewritten {
        /// The id of the stage's node.
        node: NodeId,
        /// The question in explicit form.
        rewritten: RewrittenQuestion,
    },
    /// Stored values that resemble literals were found.
    ValuesRetrieved {
        /// The id of the stage's node.
        node: NodeId,
        /// The literals that were searched for.
        literals: Vec<String>,
        /// Similar stored values of the literals.
        matches: Vec<ValueMatch>,
    },
    /// A model named the keywords whose stored values are looked up (CHASE-SQL, 3.2).
    KeywordsExtracted {
        /// The id of the stage's node.
        node: NodeId,
        /// The keywords; empty if the reply names none. All phrases of the question are then looked up.
        keywords: Vec<String>,
    },
    /// An attempt of a chunk finished, with every view executed (Algorithm 1).
    ViewsAttempted {
        /// The id of the stage's node.
        node: NodeId,
        /// The 1-based number of the chunk.
        chunk: u32,
        /// The number of the attempt from 0, the paper's t.
        attempt: u32,
        /// The views, in topological order.
        views: Vec<ViewAttempt>,
        /// The JSON selection of this attempt.
        selection: SchemaSelection,
        /// True if views and selection agree.
        consistent: bool,
        /// Tables and columns that views use and that were added to the selection without a further call.
        #[serde(default)]
        completed: Vec<String>,
        /// Feedback for the next attempt: database errors, unknown names, inconsistencies.
        feedback: Vec<String>,
    },
    /// A chunk finished with its last attempt.
    ChunkFinished {
        /// The id of the stage's node.
        node: NodeId,
        /// The 1-based number of the chunk.
        chunk: u32,
        /// The outcome of the chunk.
        outcome: ChunkOutcome,
        /// The number of the kept attempt, if any.
        kept_attempt: Option<u32>,
        /// Names of the kept views.
        kept_views: Vec<String>,
    },
    /// Selections and views of all chunks were merged.
    Aggregated {
        /// The id of the stage's node.
        node: NodeId,
        /// The merged selection, T* and C* of the paper.
        selection: SchemaSelection,
        /// Names of the views that later stages get.
        views: Vec<String>,
    },
    /// The planner returned its result.
    Planned {
        /// The id of the stage's node.
        node: NodeId,
        /// The text of the plan.
        plan: String,
    },
    /// The planner or a judge gave the reason for its reply. Models that do not deliberate give none.
    ReasonGiven {
        /// The id of the stage's node.
        node: NodeId,
        /// The agent whose reply it is.
        agent: Agent,
        /// The compared candidates in the order of the prompt; empty for a plan.
        candidates: Vec<u32>,
        /// The candidate that the reply prefers; `None` for a plan.
        preferred: Option<u32>,
        /// The reason in the model's words, shortened.
        reason: String,
    },
    /// A final SQL was tried (Algorithm 2).
    SqlAttempted {
        /// The id of the stage's node.
        node: NodeId,
        /// The 1-based number of the candidate.
        candidate: u32,
        /// The number of the attempt from 0, the paper's t.
        attempt: u32,
        /// The SQL of the attempt.
        sql: String,
        /// Changes of the name repair before execution, one sentence each.
        repairs: Vec<String>,
        /// The reason why it did not run.
        error: Option<String>,
        /// Number of returned rows, up to the limit.
        #[specta(type = Option<f64>)]
        row_count: Option<u64>,
        /// A digest of the result. Equal digests mean equal results, regardless of the row order.
        digest: Option<String>,
    },
    /// Rules changed a query before execution: a final SQL, a view or a probe.
    QueryChanged {
        /// The id of the stage's node.
        node: NodeId,
        /// The query as the model wrote it.
        before: String,
        /// The query after the changes.
        after: String,
        /// The changes of the rules.
        changes: Vec<RuleNote>,
    },
    /// A rule derived a second query from a candidate, and both were executed.
    VariantTried {
        /// The id of the stage's node.
        node: NodeId,
        /// The candidate that the variant is derived from.
        candidate: u32,
        /// The code of the rule.
        rule: RuleCode,
        /// The change in one sentence.
        note: String,
        /// The SQL of the variant.
        sql: String,
        /// The reason why it did not run.
        error: Option<String>,
        /// Number of returned rows, up to the limit.
        #[specta(type = Option<f64>)]
        row_count: Option<u64>,
        /// True if its result equals the candidate's, so that the variant is discarded.
        same_result: bool,
    },
    /// A candidate was chosen as the answer.
    CandidateChosen {
        /// The id of the stage's node.
        node: NodeId,
        /// The number of the chosen candidate.
        candidate: u32,
        /// Number of candidates with the same result, itself included.
        votes: u32,
        /// Number of candidates that ran.
        of: u32,
        /// The SQL of the candidate.
        sql: String,
        /// The reason for the choice, for users.
        reason: String,
        /// Other possible answers, if no result has a majority.
        #[serde(default)]
        others: Vec<Reading>,
    },
    /// Metrics cover the question, and their query becomes the answer without a model. The event follows the query.
    MetricsApplied {
        /// The id of the stage's node.
        node: NodeId,
        /// The metrics with their definitions, the query in words, and the role of each word of the question.
        answer: Box<MetricAnswer>,
    },
    /// Tables and columns were selected, excluded or restored.
    SchemaLinked {
        /// The id of the stage's node.
        node: NodeId,
        /// The pass of schema linking.
        pass: LinkingPass,
        /// The number of the round within the pass: 1, 2, 3 ...
        round: u32,
        /// The tables and columns that remain.
        kept: SchemaSelection,
        /// Names that this round excluded or restored, whole tables and columns as `table.column`, at most 200.
        changed: Vec<String>,
        /// Number of tokens of the remaining schema text.
        tokens: u32,
        /// Decisions about single tables, if reasons were requested, at most 200.
        #[serde(default)]
        verdicts: Vec<TableVerdict>,
    },
    /// The tables and columns of a prompt were put into another order (CHASE-SQL, 3.3).
    SchemaShuffled {
        /// The id of the stage's node.
        node: NodeId,
        /// The seed of the order.
        #[specta(type = f64)]
        seed: u64,
        /// Tables in their new order, at most 200 names.
        tables: Vec<String>,
        /// The number of the candidate whose prompt has this order; absent if all prompts of the node have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        candidate: Option<u32>,
    },
    /// A probing query was executed.
    Probed {
        /// The id of the stage's node.
        node: NodeId,
        /// The query with its result.
        probe: Probe,
    },
    /// The results of probing queries were summarized.
    Summarised {
        /// The id of the stage's node.
        node: NodeId,
        /// Facts about the data, one sentence each.
        facts: Vec<String>,
    },
    /// The generation state changed (DSR-SQL, 3.3).
    StateReached {
        /// The id of the stage's node.
        node: NodeId,
        /// The 1-based number of the step.
        step: u32,
        /// The action that led to this state.
        action: GenerationAction,
        /// The kind of the path up to this state. Absent in logs of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<GenerationPath>,
        /// The aim of the step.
        aim: String,
        /// The query of the state.
        sql: String,
        /// Number of corrections of the query.
        fixes: u32,
        /// The reason why it did not run.
        error: Option<String>,
        /// A few rows; `row_count` is the query's number of rows, up to the limit.
        page: Option<Page>,
    },
    /// Example questions with their queries were written (CHASE-SQL, Algorithm 2).
    ExamplesWritten {
        /// The id of the stage's node.
        node: NodeId,
        /// The examples whose queries ran successfully.
        examples: Vec<SyntheticExample>,
        /// Number of examples whose queries did not run or returned no rows.
        dropped: u32,
    },
    /// Candidates voted (ReFoRCE, equations 2 to 6).
    Voted {
        /// The id of the stage's node.
        node: NodeId,
        /// The round: 1, or 2 after the exploration.
        round: u32,
        /// Candidates grouped by result, most votes first.
        clusters: Vec<Cluster>,
        /// The confidence of the vote.
        confidence: Confidence,
        /// True if equal rows in another order are a different result.
        #[serde(default)]
        ordered: bool,
        /// Number of candidates that did not run. They weaken a majority if the model deliberates.
        #[serde(default)]
        failed: u32,
    },
    /// Results were compared pairwise, each pair in both orders (CHASE-SQL, Algorithm 3).
    Compared {
        /// The id of the stage's node.
        node: NodeId,
        /// The candidates of each result; `wins` has a row and a column for each.
        clusters: Vec<Cluster>,
        /// Number of comparisons that the result of the row won against the result of the column.
        wins: Vec<Vec<u32>>,
        /// Points of a candidate of each result: its wins against candidates with other results, and one for each
        /// candidate with the same result.
        scores: Vec<u32>,
    },
    /// A view was fetched, or failed to be fetched (ProSPy, 3.3).
    ViewFetched {
        /// The id of the stage's node.
        node: NodeId,
        /// The name of the view.
        name: String,
        /// The purpose of the view.
        rationale: String,
        /// The definition in the view language; `None` if it was written as SQL.
        spec: Option<Box<ViewSpec>>,
        /// The number of the attempt from 0.
        attempt: u32,
        /// The compiled SQL; empty if it could not be compiled.
        sql: String,
        /// Its columns with their sources, one line each.
        columns: Vec<String>,
        /// The reason why it was not fetched.
        error: Option<String>,
        /// A few rows; `row_count` is the view's number of rows, up to the limit.
        page: Option<Page>,
        /// Size of the file that stores the view in bytes, if it is stored.
        #[specta(type = Option<f64>)]
        bytes: Option<u64>,
    },
    /// Code was executed over the fetched views (ProSPy, 3.4).
    Analysed {
        /// The id of the stage's node.
        node: NodeId,
        /// The 1-based number of the execution.
        execution: u32,
        /// The code that the model wrote.
        code: String,
        /// The output that it printed, truncated.
        printed: String,
        /// The reason why it returned no table.
        error: Option<String>,
        /// A few rows of the returned table.
        page: Option<Page>,
    },
    /// No result has a majority, and the two leading ones were compared.
    Judged {
        /// The id of the stage's node.
        node: NodeId,
        /// One candidate of each of the two results, the leading one first.
        candidates: Vec<u32>,
        /// The candidate that is preferred in both orders; `None` if the preference depends on the order.
        better: Option<u32>,
    },
    /// A reply states that the data does not contain the requested information.
    NotInData {
        /// The id of the stage's node.
        node: NodeId,
        /// The number that the candidate would have had; 0 for queries after the answer.
        candidate: u32,
        /// The information that no table or column contains.
        missing: String,
        /// The most similar tables and columns.
        nearest: Vec<String>,
    },
    /// The user is asked for the intended interpretation, because no result has a majority or the question is
    /// ambiguous. The run waits.
    ReadingsOffered {
        /// The id of the stage's node.
        node: NodeId,
        /// The interpretations; the first one would be the answer without asking.
        readings: Vec<Reading>,
    },
    /// The user chose an interpretation.
    ReadingChosen {
        /// The id of the stage's node.
        node: NodeId,
        /// The candidate of the interpretation; `None` if the user left the choice to Vitrine.
        candidate: Option<u32>,
        /// Milliseconds that the run waited; they are not part of its time.
        waited_ms: u32,
        /// The earlier choice for the same question, if it was reused instead of asking the user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remembered: Option<RememberedChoice>,
    },
    /// The best query so far: the time limit for an answer is over, or the user stopped the run.
    BestSoFar {
        /// The id of the candidate's node.
        node: NodeId,
        /// The number of the candidate.
        candidate: u32,
        /// Number of candidates with the same result, itself included.
        votes: u32,
        /// Number of candidates that ran.
        of: u32,
        /// The SQL of the candidate, formatted.
        sql: String,
        /// The first rows of its result; only a few for a stopped run.
        page: Page,
        /// Seconds that the run waits for the user's decision before this becomes the answer; no model is called
        /// meanwhile. 0 if the run does not wait.
        waits_s: u32,
    },
    /// The user decided whether the search continues, or did not answer in time.
    LookingDecided {
        /// The id of the node of the candidate that was shown.
        node: NodeId,
        /// True if the run continues, without a further time limit; false if the best query so far is the answer.
        goes_on: bool,
        /// Milliseconds that the run waited; they are not part of its time.
        waited_ms: u32,
    },
    /// The revisor returned its result.
    Revised {
        /// The id of the stage's node.
        node: NodeId,
        /// The SQL before the revision.
        before: String,
        /// The revisor's SQL, equal to `before` if it replied "unchanged".
        after: String,
        /// True if `after` becomes the answer.
        kept: bool,
        /// The reason why it was kept or not.
        reason: String,
    },
    /// The connection runs only approved SQL, and the user is asked to approve this query. The run waits.
    ApprovalAsked {
        /// The id of the stage's node.
        node: NodeId,
        /// The query, byte for byte as it would be executed.
        sql: String,
        /// The SHA-256 hash of `sql`, 64 hexadecimal digits, to which an approval applies.
        sql_sha256: String,
    },
    /// The user approved or rejected the query.
    ApprovalDecided {
        /// The id of the stage's node.
        node: NodeId,
        /// The SHA-256 hash of the query's text.
        sql_sha256: String,
        /// True if the query may run; false if the run ends.
        approved: bool,
        /// Milliseconds that the run waited; they are not part of its time.
        waited_ms: u32,
    },
    /// A statement was sent to the database. It is one database call of the usage.
    QueryExecuted {
        /// The id of the stage's node.
        node: NodeId,
        /// The agent that needs the statement.
        agent: Agent,
        /// The SQL text of the statement.
        sql: String,
        /// Execution time of the statement in milliseconds.
        ms: u32,
        /// Number of rows that were read.
        #[specta(type = Option<f64>)]
        row_count: Option<u64>,
        /// Size of the text in these rows in bytes; unknown in logs of earlier versions.
        #[serde(default)]
        #[specta(type = Option<f64>)]
        bytes: Option<u64>,
        /// The error message of the database.
        error: Option<String>,
        /// True if Vitrine generated the statement, such as a count for an explanation.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        composed: bool,
    },
    /// A warning for the user, which does not end the run.
    Warning {
        /// The id of the node, if the warning concerns one.
        node: Option<NodeId>,
        /// The text of the warning.
        message: String,
        /// True if the warning concerns the run and not the answer, such as a limit that cannot be measured.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        aside: bool,
        /// True if the warning applies only during the search, until a result is found.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        passing: bool,
    },
    /// The answer of the run is ready.
    ResultReady {
        /// The id of the answer's node.
        node: NodeId,
        /// The final SQL, formatted. With `code`, it is the input of the code: one view each, under their names.
        sql: String,
        /// The analysis code that computed the rows, unless the SQL alone did.
        #[serde(default)]
        code: Option<String>,
        /// The first rows of the answer.
        page: Page,
        /// The headline of the answer. Missing in logs of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        headline: Option<Headline>,
        /// The query as the model wrote it, formatted, if rules changed it.
        #[serde(default)]
        written: Option<String>,
        /// Changes of rules to the query.
        #[serde(default)]
        changes: Vec<RuleNote>,
        /// Variants by rules that were not applied.
        #[serde(default)]
        variants: Vec<QueryVariant>,
        /// Findings of rules about the query.
        #[serde(default)]
        findings: Vec<RuleNote>,
    },
    /// The certainty of the answer was estimated: right after `resultReady` from the facts of the run, and again after
    /// further queries.
    CertaintyEstimated {
        /// The id of the answer's node.
        node: NodeId,
        /// The certainty with level, probability and reasons.
        certainty: Certainty,
        /// True if this is the last estimate, which includes the further queries.
        firm: bool,
    },
    /// A further query was written after the answer, and its result was compared with the answer's. The answer does not
    /// change.
    AnswerTested {
        /// The id of the answer's node.
        node: NodeId,
        /// True if the question was rephrased first; false if it was asked as for the answer.
        restated: bool,
        /// The SQL of the further query.
        sql: String,
        /// The reason why it did not run.
        error: Option<String>,
        /// True if it returns the same rows as the answer, possibly with additional columns.
        same: bool,
    },
    /// The answer was explained from its query.
    Explained {
        /// The id of the answer's node.
        node: NodeId,
        /// The query in words and steps, with checks.
        explanation: Explanation,
    },
    /// The run finished. Always the last event; a log without it is incomplete.
    RunFinished {
        /// The error; `None` if there is an answer.
        error: Option<AppError>,
        /// Total usage of the run.
        usage: Usage,
        /// Total usage of each agent.
        usage_by_agent: BTreeMap<Agent, Usage>,
    },
}
