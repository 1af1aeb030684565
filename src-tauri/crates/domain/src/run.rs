//! The one event type of a run. It is written to the run log before anyone sees it, streamed to front ends,
//! replayed without a model, and folded into the report and the graph.

pub use crate::findings::{ChunkOutcome, ChunkSummary, ValueMatch};
use crate::findings::{
    Cluster, Confidence, GenerationAction, LinkingPass, Probe, Reading, RememberedChoice, SyntheticExample,
    TableVerdict,
};
use crate::stage_kind::StageKind;
use crate::{
    Agent, AppError, AskSettings, Certainty, Dialect, EgressPolicy, Explanation, FollowUp, GuidedBy, Headline, ModelId,
    Page, QueryVariant, RewrittenQuestion, RuleNote, RunChange, SchemaSelection, Steered, TokenProbability, Usage,
    ViewSpec,
};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// Names a node of the run graph, stable within a run: `rewriter`, `chunk-1`, `selection`, `planner`,
/// `generator`, `revisor`, `result`. Views are nodes named `view:NAME`.
pub type NodeId = String;

/// How a view fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ViewStatus {
    /// It ran and gave rows.
    Valid,
    /// It ran and gave no row.
    Empty,
    /// It did not run.
    Error,
}

/// A view in one attempt of its chunk: a named CTE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ViewAttempt {
    /// The CTE's name.
    pub name: String,
    /// The CTE's query, without the ones it depends on.
    pub sql: String,
    /// Why the model wrote it.
    pub rationale: String,
    /// Names of the views it reads.
    pub depends_on: Vec<String>,
    /// How it fared.
    pub status: ViewStatus,
    /// What the names repair changed before it ran, one sentence each.
    #[serde(default)]
    pub repairs: Vec<String>,
    /// The database's or the binder's message when it did not run.
    pub error: Option<String>,
    /// A few rows; its `row_count` is the view's, up to the limit.
    pub page: Option<Page>,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptMessage {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// Its text.
    pub content: String,
}

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunEvent {
    /// The run.
    pub run_id: String,
    /// 1, 2, 3 ... within the run, without gaps.
    pub seq: u32,
    /// Milliseconds since the run began.
    pub at_ms: u32,
    /// What happened.
    pub body: EventBody,
}

/// The kinds of event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum EventBody {
    /// Always the first.
    RunStarted {
        /// As asked.
        question: String,
        /// External knowledge, as given.
        knowledge: Option<String>,
        /// The warehouse's address without secrets.
        warehouse: String,
        /// Its dialect.
        dialect: Dialect,
        /// As set.
        settings: AskSettings,
        /// The model of each agent.
        models: BTreeMap<Agent, ModelId>,
        /// What models behind an address may be told; absent where every model runs inside of the program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        egress: Option<EgressPolicy>,
        /// The question before, where this one follows up on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        follows: Option<FollowUp>,
        /// The earlier run that this one goes on from, and what the user set in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steered: Option<Steered>,
        /// Verified questions that models are shown as examples.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        guided_by: Vec<GuidedBy>,
        /// RFC 3339, UTC.
        started_at: String,
    },
    /// A stage began: a node of the graph appears.
    StageStarted {
        /// The node.
        node: NodeId,
        /// What it does.
        kind: StageKind,
        /// For people, e.g. `Views from chunk 2 of 3`.
        title: String,
        /// Nodes whose outputs it reads.
        inputs: Vec<NodeId>,
    },
    /// A stage ended.
    StageFinished {
        /// The node.
        node: NodeId,
        /// One line for people.
        summary: String,
    },
    /// The stage was not worked on again: the events of the node are those of an earlier run, without its calls and queries.
    StageKept {
        /// The node.
        node: NodeId,
        /// The earlier run.
        from: String,
    },
    /// The user set what the stage gives.
    StageEdited {
        /// The node.
        node: NodeId,
        /// What was set.
        change: RunChange,
    },
    /// The schema as it will be sent.
    SchemaPrepared {
        /// The node.
        node: NodeId,
        /// Number of tables.
        tables: u32,
        /// Number of columns.
        columns: u32,
        /// Look-alike groups merged.
        groups: u32,
        /// Tokens before compression.
        tokens_raw: u32,
        /// Tokens after compression.
        tokens_compressed: u32,
        /// The chunks.
        chunks: Vec<ChunkSummary>,
    },
    /// A model call began.
    ModelCallStarted {
        /// The node.
        node: NodeId,
        /// 1, 2, 3 ... within the run.
        call: u32,
        /// Which agent asks.
        agent: Agent,
        /// Which model is asked.
        model: ModelId,
        /// The whole prompt.
        messages: Vec<PromptMessage>,
        /// Replies wanted.
        samples: u32,
        /// Sampling temperature.
        temperature: f32,
        /// Sampling seed.
        #[specta(type = f64)]
        seed: u64,
    },
    /// Text of the first reply as it is written, coalesced.
    ModelCallProgress {
        /// The node.
        node: NodeId,
        /// The call.
        call: u32,
        /// New text.
        text: String,
    },
    /// A request went to a model behind an address: what left, byte for byte. A call whose request is refused or fails on
    /// its way is sent again.
    RequestSent {
        /// The node.
        node: NodeId,
        /// The call.
        call: u32,
        /// Where to: scheme, host and port.
        to: String,
        /// The body as it was sent. Its key travels in a header, which is not here.
        body: String,
        /// Tables of which a stored value, or a value that a query gave, stands in the text.
        values_of: Vec<String>,
    },
    /// A model call ended, well or not.
    ModelCallFinished {
        /// The node.
        node: NodeId,
        /// The call.
        call: u32,
        /// Which agent asked.
        agent: Agent,
        /// All replies, whole.
        replies: Vec<String>,
        /// How likely the model found the words of each reply; empty where it does not say.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        probabilities: Vec<Option<TokenProbability>>,
        /// What it cost.
        usage: Usage,
        /// Why there is no reply, or why it stopped early.
        error: Option<String>,
    },
    /// The rewriter's result.
    Rewritten {
        /// The node.
        node: NodeId,
        /// The question made explicit.
        rewritten: RewrittenQuestion,
    },
    /// Stored values that resemble literals.
    ValuesRetrieved {
        /// The node.
        node: NodeId,
        /// Literals looked for.
        literals: Vec<String>,
        /// What was found.
        matches: Vec<ValueMatch>,
    },
    /// One attempt of a chunk, with every view executed (Algorithm 1).
    ViewsAttempted {
        /// The node.
        node: NodeId,
        /// 1-based chunk number.
        chunk: u32,
        /// 0 for the first attempt, the paper's t.
        attempt: u32,
        /// The views, in topological order.
        views: Vec<ViewAttempt>,
        /// The JSON selection of this attempt.
        selection: SchemaSelection,
        /// Whether views and selection agree.
        consistent: bool,
        /// Tables and columns that the views use and the selection lacked: it was completed by them without asking again.
        #[serde(default)]
        completed: Vec<String>,
        /// What will be fed back: database errors, unknown names, inconsistencies.
        feedback: Vec<String>,
    },
    /// What a chunk gave.
    ChunkFinished {
        /// The node.
        node: NodeId,
        /// 1-based chunk number.
        chunk: u32,
        /// How it ended.
        outcome: ChunkOutcome,
        /// Which attempt was kept.
        kept_attempt: Option<u32>,
        /// Names of the views kept.
        kept_views: Vec<String>,
    },
    /// The union of selections and views over all chunks.
    Aggregated {
        /// The node.
        node: NodeId,
        /// T* and C* of the paper.
        selection: SchemaSelection,
        /// Names of the views passed on.
        views: Vec<String>,
    },
    /// The planner's result.
    Planned {
        /// The node.
        node: NodeId,
        /// The plan as text.
        plan: String,
    },
    /// A final SQL was tried (Algorithm 2).
    SqlAttempted {
        /// The node.
        node: NodeId,
        /// 1-based candidate number.
        candidate: u32,
        /// 0 for the first attempt, the paper's t.
        attempt: u32,
        /// The SQL.
        sql: String,
        /// What the names repair changed before it ran, one sentence each.
        repairs: Vec<String>,
        /// Why it did not run.
        error: Option<String>,
        /// Rows it gave, up to the limit.
        #[specta(type = Option<f64>)]
        row_count: Option<u64>,
        /// Equal digests mean equal results, whatever the row order.
        digest: Option<String>,
    },
    /// Rules changed a query before it ran; of a final SQL, of a view, of a probe.
    QueryChanged {
        /// The node.
        node: NodeId,
        /// As the model wrote it.
        before: String,
        /// As it goes on.
        after: String,
        /// What was changed.
        changes: Vec<RuleNote>,
    },
    /// A rule made a second query of a candidate's, and both were run.
    VariantTried {
        /// The node.
        node: NodeId,
        /// The candidate that it was made of.
        candidate: u32,
        /// The rule's code.
        rule: String,
        /// What it changes, in one sentence.
        note: String,
        /// The changed query.
        sql: String,
        /// Why it did not run.
        error: Option<String>,
        /// Rows it gave, up to the limit.
        #[specta(type = Option<f64>)]
        row_count: Option<u64>,
        /// Whether it gave the very result of the candidate: then the matter ends there.
        same_result: bool,
    },
    /// A candidate was chosen.
    CandidateChosen {
        /// The node.
        node: NodeId,
        /// Which.
        candidate: u32,
        /// Candidates with the same result, itself included.
        votes: u32,
        /// Candidates that ran.
        of: u32,
        /// Its SQL.
        sql: String,
        /// Why, for people.
        reason: String,
        /// What else could be the answer, where no result has a majority.
        #[serde(default)]
        others: Vec<Reading>,
    },
    /// Tables and columns were selected, or left out, or brought back.
    SchemaLinked {
        /// The node.
        node: NodeId,
        /// How.
        pass: LinkingPass,
        /// 1, 2, 3 ... within the pass.
        round: u32,
        /// What is left.
        kept: SchemaSelection,
        /// What this round left out or brought back, tables whole and columns as `table.column`, at most 200 names.
        changed: Vec<String>,
        /// Tokens of the text of what is left.
        tokens: u32,
        /// What was said about each table, where a reason was asked for, at most 200.
        #[serde(default)]
        verdicts: Vec<TableVerdict>,
    },
    /// The tables and columns of a prompt were put into another order (CHASE-SQL, 3.3).
    SchemaShuffled {
        /// The node.
        node: NodeId,
        /// The seed of the order.
        #[specta(type = f64)]
        seed: u64,
        /// Tables in their new order, at most 200 names.
        tables: Vec<String>,
    },
    /// A probing query was tried.
    Probed {
        /// The node.
        node: NodeId,
        /// The query and what it showed.
        probe: Probe,
    },
    /// What probing queries show, in words.
    Summarised {
        /// The node.
        node: NodeId,
        /// One fact a line.
        facts: Vec<String>,
    },
    /// The generation state has moved (DSR-SQL, 3.3).
    StateReached {
        /// The node.
        node: NodeId,
        /// 1-based.
        step: u32,
        /// The move.
        action: GenerationAction,
        /// What the step is for.
        aim: String,
        /// The query of the state.
        sql: String,
        /// Corrections that it took.
        fixes: u32,
        /// Why it did not run.
        error: Option<String>,
        /// A few rows; its `row_count` is the query's, up to the limit.
        page: Option<Page>,
    },
    /// Example questions with their queries were written (CHASE-SQL, Algorithm 2).
    ExamplesWritten {
        /// The node.
        node: NodeId,
        /// Those whose queries ran.
        examples: Vec<SyntheticExample>,
        /// How many did not run, or found nothing.
        dropped: u32,
    },
    /// Candidates have voted (ReFoRCE, equations 2 to 6).
    Voted {
        /// The node.
        node: NodeId,
        /// 1, or 2 after the exploration.
        round: u32,
        /// Candidates by result, most votes first.
        clusters: Vec<Cluster>,
        /// How sure the vote is.
        confidence: Confidence,
        /// Whether equal rows in another order are another result.
        #[serde(default)]
        ordered: bool,
        /// Candidates that did not run. They count where the model deliberates.
        #[serde(default)]
        failed: u32,
    },
    /// Results were compared, every two of them both ways round (CHASE-SQL, Algorithm 3).
    Compared {
        /// The node.
        node: NodeId,
        /// The results, by their candidates; one row and one column of `wins` each.
        clusters: Vec<Cluster>,
        /// How often the result of the row won over that of the column.
        wins: Vec<Vec<u32>>,
        /// Points of each candidate of a result: wins over other results' candidates, and one for each with its own.
        scores: Vec<u32>,
    },
    /// A view was fetched, or could not be (ProSPy, 3.3).
    ViewFetched {
        /// The node.
        node: NodeId,
        /// The view's name.
        name: String,
        /// What it is for.
        rationale: String,
        /// As it was said, in the view language; `None` where it was written as SQL.
        spec: Option<Box<ViewSpec>>,
        /// 0 for the first attempt.
        attempt: u32,
        /// What it was compiled to; empty where it could not be.
        sql: String,
        /// Its columns with what they come from, one line each.
        columns: Vec<String>,
        /// Why it was not fetched.
        error: Option<String>,
        /// A few rows; its `row_count` is the view's, up to the limit.
        page: Option<Page>,
        /// Bytes of the file that it is kept in, where it is kept.
        #[specta(type = Option<f64>)]
        bytes: Option<u64>,
    },
    /// Code was run over the fetched views (ProSPy, 3.4).
    Analysed {
        /// The node.
        node: NodeId,
        /// 1-based.
        execution: u32,
        /// The code.
        code: String,
        /// What it printed, cut off.
        printed: String,
        /// Why it gave no table.
        error: Option<String>,
        /// A few rows of its table.
        page: Option<Page>,
    },
    /// No result has a majority, and the two leading ones were compared.
    Judged {
        /// The node.
        node: NodeId,
        /// The candidates of the two, the leading one first.
        candidates: Vec<u32>,
        /// Which of them is preferred whichever stands first; `None` where the order decided.
        better: Option<u32>,
    },
    /// A reply says that the data does not hold what is asked.
    NotInData {
        /// The node.
        node: NodeId,
        /// The candidate that the reply would have been; 0 behind the answer, where it is none.
        candidate: u32,
        /// What no table or column says.
        missing: String,
        /// The tables and columns that come nearest.
        nearest: Vec<String>,
    },
    /// No result has a majority, or the question can be read in two ways, and the person is asked which reading is meant. The run
    /// waits.
    ReadingsOffered {
        /// The node.
        node: NodeId,
        /// What can be chosen; the first is what would be the answer without asking.
        readings: Vec<Reading>,
    },
    /// The person has answered.
    ReadingChosen {
        /// The node.
        node: NodeId,
        /// The candidate of the reading, or `None` where the choice was handed back.
        candidate: Option<u32>,
        /// Milliseconds that the run waited; they do not count as its time.
        waited_ms: u32,
        /// The choice that was made before, where the same question was asked: nobody was asked again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remembered: Option<RememberedChoice>,
    },
    /// The best query so far: the time in which an answer was wanted is over, or the user stopped the run.
    BestSoFar {
        /// The node of the candidate.
        node: NodeId,
        /// The candidate.
        candidate: u32,
        /// Candidates with the same result, itself included.
        votes: u32,
        /// Candidates that ran.
        of: u32,
        /// Its SQL, formatted.
        sql: String,
        /// Its first rows; of a run that was stopped only a few.
        page: Page,
        /// Seconds that the run waits for the user's word before this becomes the answer; no model is asked meanwhile. 0
        /// where it does not wait.
        waits_s: u32,
    },
    /// The user, or nobody in time, has said whether to keep looking.
    LookingDecided {
        /// The node of the candidate that was shown.
        node: NodeId,
        /// Whether the run goes on, from now on without a limit of time; else the best so far is the answer.
        goes_on: bool,
        /// Milliseconds that the run waited; they do not count as its time.
        waited_ms: u32,
    },
    /// The revisor's verdict.
    Revised {
        /// The node.
        node: NodeId,
        /// Before.
        before: String,
        /// The revisor's SQL, the same when it said "unchanged".
        after: String,
        /// Whether `after` goes on as the answer.
        kept: bool,
        /// Why it was kept or not.
        reason: String,
    },
    /// The connection runs only SQL that was approved, and the user is asked about this query. The run waits.
    ApprovalAsked {
        /// The node.
        node: NodeId,
        /// The query, byte for byte as it would run.
        sql: String,
        /// SHA-256 of that text, 64 hex digits: what an approval is bound to.
        sql_sha256: String,
    },
    /// The user has answered.
    ApprovalDecided {
        /// The node.
        node: NodeId,
        /// SHA-256 of the query's text.
        sql_sha256: String,
        /// Whether it may run; else the run ends.
        approved: bool,
        /// Milliseconds that the run waited; they do not count as its time.
        waited_ms: u32,
    },
    /// A statement was sent to the database; counts as one database call.
    QueryExecuted {
        /// The node.
        node: NodeId,
        /// For which agent.
        agent: Agent,
        /// The statement.
        sql: String,
        /// Milliseconds.
        ms: u32,
        /// Rows read.
        #[specta(type = Option<f64>)]
        row_count: Option<u64>,
        /// Bytes of the texts in these rows; unknown in logs of earlier versions.
        #[serde(default)]
        #[specta(type = Option<f64>)]
        bytes: Option<u64>,
        /// The database's message.
        error: Option<String>,
        /// Whether Vitrine composed the statement itself, such as a count beside the answer.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        composed: bool,
    },
    /// Something the person should know; does not end the run.
    Warning {
        /// Where, when it belongs to a node.
        node: Option<NodeId>,
        /// What.
        message: String,
        /// Whether it is about the run, such as a limit that nobody can count, and says nothing of the answer.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        aside: bool,
        /// Whether it holds only while the search goes on, until something is found.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        passing: bool,
    },
    /// The answer.
    ResultReady {
        /// The node.
        node: NodeId,
        /// The final SQL, formatted. Where there is code, what it reads: one view each, under their names.
        sql: String,
        /// The analysis that gave the rows, where it is not the SQL alone.
        #[serde(default)]
        code: Option<String>,
        /// Its first rows.
        page: Page,
        /// What they say at a glance. Logs of earlier versions lack it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        headline: Option<Headline>,
        /// The query as the model wrote it, formatted, where rules changed it.
        #[serde(default)]
        written: Option<String>,
        /// What rules changed.
        #[serde(default)]
        changes: Vec<RuleNote>,
        /// What rules would have changed, and did not.
        #[serde(default)]
        variants: Vec<QueryVariant>,
        /// What rules find worth a look.
        #[serde(default)]
        findings: Vec<RuleNote>,
    },
    /// How sure the answer is: right after `resultReady` from what the run knows, and again once work behind the answer has
    /// added to it.
    CertaintyEstimated {
        /// The node of the answer.
        node: NodeId,
        /// Its level, its probability and the reasons.
        certainty: Certainty,
        /// Whether the work behind the answer is part of it: no other estimate follows.
        firm: bool,
    },
    /// A further query was written behind the answer, and its result compared with the answer's. The answer stays as it is.
    AnswerTested {
        /// The node of the answer.
        node: NodeId,
        /// Whether the question was put in other words first; else it was asked as for the answer.
        restated: bool,
        /// The query.
        sql: String,
        /// Why it did not run.
        error: Option<String>,
        /// Whether it gives what the answer gives: the same rows, perhaps with further columns.
        same: bool,
    },
    /// How the answer came about, told from its query.
    Explained {
        /// The node of the answer.
        node: NodeId,
        /// The query in words, in steps, and what a careful reader would ask.
        explanation: Explanation,
    },
    /// Always the last of a run that ended; a run without it was cut off.
    RunFinished {
        /// `None` when answered.
        error: Option<AppError>,
        /// Totals.
        usage: Usage,
        /// Totals by agent.
        usage_by_agent: BTreeMap<Agent, Usage>,
    },
}
