//! The stages of a connection test in progress: started, timed, limited, cancelled.

use crate::WarehouseError;
use std::collections::BTreeMap;
use std::future::Future;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ConnectionTest, ErrorCode, SchemaTables, Table, TestStage, TestState, TestStep};
use vitrine_words::{plural, tr};

/// Maximum number of detail lines per stage.
const LINES: usize = 40;

/// The result of a stage.
#[derive(Debug)]
pub(crate) struct Outcome {
    state: TestState,
    message: String,
    detail: Vec<String>,
    advice: Option<String>,
    password_wanted: bool,
}

impl Outcome {
    pub(crate) fn ok(message: impl Into<String>) -> Self {
        Self { state: TestState::Ok, message: message.into(), detail: Vec::new(), advice: None, password_wanted: false }
    }

    pub(crate) fn warning(message: impl Into<String>) -> Self {
        Self { state: TestState::Warning, ..Self::ok(message) }
    }

    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { state: TestState::Failed, ..Self::ok(message) }
    }

    /// Creates the outcome of a stage that this connection does not need.
    pub(crate) fn skipped(message: impl Into<String>) -> Self {
        Self { state: TestState::Skipped, ..Self::ok(message) }
    }

    /// Creates a failed outcome with the message, hint and detail of an error.
    pub(crate) fn of_error(error: WarehouseError) -> Self {
        let app = AppError::from(error);
        Self {
            detail: app.detail.into_iter().collect(),
            advice: app.hint,
            password_wanted: app.code == ErrorCode::Password,
            ..Self::failed(app.message)
        }
    }

    /// Adds detail lines; lines beyond the maximum are only counted.
    pub(crate) fn with_lines(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.detail.extend(lines);
        let more = self.detail.len().saturating_sub(LINES);
        if more > 0 {
            self.detail.truncate(LINES);
            self.detail.push(tr!("and {more} more", more));
        }
        self
    }

    pub(crate) fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Returns the outcome and the number of tables per schema; tables without a schema belong to `own`. The advice is
    /// for a login that can read no tables.
    pub(crate) fn from_readable_tables(tables: &[Table], own: &str, advice: &str) -> (Self, Vec<SchemaTables>) {
        let mut counts = BTreeMap::<&str, u32>::new();
        for table in tables {
            *counts.entry(table.name.schema.as_deref().unwrap_or(own)).or_default() += 1;
        }
        let schemas: Vec<SchemaTables> =
            counts.into_iter().map(|(name, tables)| SchemaTables { name: name.to_owned(), tables }).collect();
        let outcome = Self::from_table_count(tables.len())
            .unwrap_or_else(|| Self::warning(tr!("This login can read no table.")).with_advice(advice));
        (outcome.with_schema_lines(&schemas), schemas)
    }

    /// Returns the outcome for a number of readable tables; `None` if there are none.
    pub(crate) fn from_table_count(count: impl TryInto<u64>) -> Option<Self> {
        let count = count.try_into().unwrap_or(u64::MAX);
        (count > 0).then(|| Self::ok(plural!(count, "{n} table can be read.", "{n} tables can be read.")))
    }

    /// Adds a line for each schema.
    pub(crate) fn with_schema_lines(self, schemas: &[SchemaTables]) -> Self {
        let line = |schema: &SchemaTables| {
            plural!(schema.tables, "{schema}: {n} table", "{schema}: {n} tables", schema = schema.name)
        };
        self.with_lines(schemas.iter().map(line))
    }

    /// Returns the outcome for the rights of a login beyond reading; `untold` is the message if they are unknown.
    pub(crate) fn from_rights(more: Option<Vec<String>>, untold: String) -> Self {
        match more {
            None => Self::warning(untold),
            Some(more) if more.is_empty() => Self::ok(tr!("This login may only read.")),
            Some(more) => Self::warning(tr!(
                "This login may do more than read. Vitrine never does; another program with this login could."
            ))
            .with_lines(more)
            .with_advice(tr!("Use a separate login that has only SELECT on the tables.")),
        }
    }
}

/// A connection test in progress.
pub(crate) struct Report<'a> {
    test: ConnectionTest,
    limit: Duration,
    told: &'a (dyn Fn(&ConnectionTest) + Send + Sync),
    cancel: CancellationToken,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        stages: &[TestStage],
        limit: Duration,
        told: &'a (dyn Fn(&ConnectionTest) + Send + Sync),
        cancel: CancellationToken,
    ) -> Self {
        let waiting = |stage: &TestStage| TestStep {
            stage: *stage,
            state: TestState::Waiting,
            message: String::new(),
            detail: Vec::new(),
            advice: None,
            wall_ms: 0,
        };
        let test = ConnectionTest { steps: stages.iter().map(waiting).collect(), ..ConnectionTest::default() };
        Self { test, limit, told, cancel }
    }

    /// Returns the time limit of a stage.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }

    /// Sets the readable schemas of the test.
    pub(crate) fn set_schemas(&mut self, schemas: Vec<SchemaTables>) {
        self.test.schemas = schemas;
    }

    /// Runs a stage. If it returns an error, the test cannot continue.
    pub(crate) async fn run_stage<T>(
        &mut self,
        stage: TestStage,
        work: impl Future<Output = Result<(Outcome, T), Outcome>>,
    ) -> Option<T> {
        let at = self.test.steps.iter().position(|step| step.stage == stage)?;
        self.test.steps[at].state = TestState::Running;
        (self.told)(&self.test);
        let began = Instant::now();
        let seconds = self.limit.as_secs_f64().ceil();
        let done = tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Outcome::skipped(tr!("Stopped."))),
            done = tokio::time::timeout(self.limit, work) => done.unwrap_or_else(|_| {
                Err(Outcome::failed(tr!("There was no answer within {seconds} s.", seconds))
                    .with_advice(tr!("Check the network (VPN, firewall), and whether the server is busy; then test again.")))
            }),
        };
        let (outcome, value) = match done {
            Ok((outcome, value)) => (outcome, Some(value)),
            Err(outcome) => (outcome, None),
        };
        self.test.password_wanted |= outcome.password_wanted;
        let step = &mut self.test.steps[at];
        step.state = outcome.state;
        step.message = outcome.message;
        step.detail = outcome.detail;
        step.advice = outcome.advice;
        step.wall_ms = began.elapsed().as_millis().try_into().unwrap_or(u32::MAX);
        (self.told)(&self.test);
        value
    }

    /// Ends the test; the remaining stages are skipped.
    pub(crate) fn finish(mut self) -> ConnectionTest {
        for step in &mut self.test.steps {
            if step.state == TestState::Waiting {
                step.state = TestState::Skipped;
            }
        }
        self.test.done = true;
        (self.told)(&self.test);
        self.test
    }
}
