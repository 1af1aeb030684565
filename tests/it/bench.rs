//! Shared support for pipeline tests: a small shop in SQLite, and runs with recorded events.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, AskData, AskHistory, AskOptions, AskPermissions, Models, RunSink, UserRoles};
use vitrine_domain::{
    AppError, AskSettings, Catalog, EgressPolicy, EventBody, ModelProfile, NodeId, Page, Profile, RunEvent, RunReport,
    Usage,
};
use vitrine_llm::{ChatModel, Line, ScriptedModel};
use vitrine_sql::ReadOnlySql;
use vitrine_values::{Embedder, ValueIndex, ValuesError};
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, read_page};

/// Returns the path of the built program; this test is in `deps` below its folder.
pub fn vitrine() -> PathBuf {
    let here = std::env::current_exe().expect("this test's path");
    let binary = here.parent().and_then(|deps| deps.parent()).expect("target folder").join("vitrine");
    assert!(binary.exists(), "{} is missing: `npm test` builds it first", binary.display());
    binary
}

/// Returns the folder of models and of the sample warehouse.
pub fn cache() -> PathBuf {
    std::env::var_os("VITRINE_CACHE").map(PathBuf::from).unwrap_or_else(|| {
        let home = std::env::var_os("HOME").expect("HOME");
        PathBuf::from(home).join(".cache/vitrine")
    })
}

/// A database of three tables with the country codes US, DE and FR.
pub struct Shop {
    folder: tempfile::TempDir,
}

impl Shop {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let connection = rusqlite::Connection::open(folder.path().join("shop.sqlite")).expect("a database");
        connection
            .execute_batch(
                "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
                 CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id),
                   amount REAL, placed TEXT);
                 INSERT INTO customer VALUES (1,'Ada','US'),(2,'Bert','US'),(3,'Cleo','DE'),(4,'Dan','FR');
                 INSERT INTO purchase VALUES (1,1,10.5,'2023-01-02'),(2,1,20,'2023-02-03'),(3,3,5,'2023-02-04');",
            )
            .expect("rows");
        Self { folder }
    }

    /// Creates the shop and runs additional SQL.
    pub fn with(sql: &str) -> Self {
        let shop = Self::new();
        let connection = rusqlite::Connection::open(shop.folder.path().join("shop.sqlite")).expect("a database");
        connection.execute_batch(sql).expect("rows");
        shop
    }

    /// Returns a request with the value index built.
    pub async fn ask(&self, question: &str, settings: AskSettings, model: Arc<dyn ChatModel>) -> Ask {
        self.known().await.ask(question, settings, model)
    }

    /// Returns a request with all inputs: knowledge, stored values and embeddings.
    pub async fn ask_with_all(
        &self,
        question: &str,
        knowledge: &str,
        settings: AskSettings,
        model: Arc<dyn ChatModel>,
    ) -> Ask {
        let ask = self.known().await.embedded(Arc::new(Meanings)).await.ask(question, settings, model);
        Ask { knowledge: Some(knowledge.to_owned()), ..ask }
    }

    async fn known(&self) -> Known {
        let uri = format!("sqlite:{}", self.folder.path().join("shop.sqlite").display());
        Known::of(&uri, &self.folder.path().join("values.db")).await
    }
}

/// Synonyms that [`Meanings`] knows, one group per line. Their spellings are unrelated.
const SAME: [&[&str]; 3] = [&["us", "america"], &["de", "germany"], &["cleo", "the queen of egypt"]];

/// An embedder that knows the groups of [`SAME`]. Any other text is similar only to itself.
pub struct Meanings;

impl Embedder for Meanings {
    fn embed_texts(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ValuesError> {
        let place = |text: &str| {
            let group = SAME.iter().position(|group| group.contains(&text.to_lowercase().as_str()));
            let own = || SAME.len() + text.bytes().fold(7, |sum, byte| (sum * 31 + usize::from(byte)) % 4_093);
            group.unwrap_or_else(own)
        };
        let unit = |text: &&str| {
            let mut vector = vec![0.0; SAME.len() + 4_093];
            vector[place(text)] = 1.0;
            vector
        };
        Ok(texts.iter().map(unit).collect())
    }

    fn id(&self) -> &str {
        "meanings"
    }
}

/// Creates a model with these replies that does not deliberate.
pub fn small<L: Into<Line>>(lines: Vec<L>) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(lines))
}

/// Creates a model with these replies that deliberates without a separate reasoning channel.
pub fn large<L: Into<Line>>(lines: Vec<L>) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(lines).with_profile(ModelProfile::default()))
}

/// A database with its catalog, profile and value index.
pub struct Known {
    uri: WarehouseUri,
    pub warehouse: Arc<dyn Warehouse>,
    pub catalog: Arc<Catalog>,
    profile: Arc<Profile>,
    values: Arc<ValueIndex>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl Known {
    /// Opens and profiles the database and builds its value index at a path.
    pub async fn of(uri: &str, index: &Path) -> Self {
        let uri = WarehouseUri::parse(uri).expect("an address");
        let warehouse = vitrine_warehouse::open_warehouse(&uri).await.expect("open");
        let catalog = Arc::new(warehouse.load_catalog().await.expect("catalog"));
        let cancel = CancellationToken::new();
        let profile = vitrine_catalog::profile_database(
            warehouse.clone(),
            &catalog,
            Default::default(),
            |_, _, _| {},
            cancel.clone(),
        )
        .await
        .expect("profile");
        let values = ValueIndex::open(index).expect("value index");
        values.build(warehouse.clone(), &catalog, &profile, |_| {}, cancel).await.expect("built");
        Self { uri, warehouse, catalog, profile: Arc::new(profile), values: Arc::new(values), embedder: None }
    }

    /// Adds embeddings of its values.
    pub async fn embedded(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.values.embed_domains(embedder.clone(), |_, _| {}, CancellationToken::new()).await.expect("embedded");
        self.embedder = Some(embedder);
        self
    }

    /// Returns a request on this database.
    pub fn ask(&self, question: &str, settings: AskSettings, model: Arc<dyn ChatModel>) -> Ask {
        Ask {
            question: question.to_owned(),
            knowledge: None,
            data: AskData {
                uri: self.uri.to_string(),
                warehouse: self.warehouse.clone(),
                catalog: self.catalog.clone(),
                profile: self.profile.clone(),
                definitions: Vec::new(),
                metrics: None,
                metrics_problem: None,
                values: Some(self.values.clone()),
                embedder: self.embedder.clone(),
                sandbox: None,
            },
            models: Models { default: model, by_agent: BTreeMap::new() },
            permissions: AskPermissions {
                functions: Default::default(),
                egress: EgressPolicy::allow_everything(),
                answer_leaves: false,
            },
            options: AskOptions {
                settings,
                given_schema: None,
                explain: false,
                assess: false,
                check_limit: std::time::Duration::from_secs(20),
                calibration: Arc::default(),
                meter: None,
                started_at: "2026-01-01T00:00:00Z".to_owned(),
                today: Some("2026-01-01".to_owned()),
            },
            user: UserRoles::default(),
            history: AskHistory::default(),
        }
    }

    /// Returns the rows of a query without repairs, sorted unless it is ordered.
    pub async fn rows(&self, sql: &str) -> Result<Vec<Vec<Option<String>>>, String> {
        let sql = ReadOnlySql::parse(sql, self.catalog.dialect).map_err(|error| error.to_string())?;
        let batches = self.warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await;
        let limit = AskSettings::default().row_limit;
        let page = read_page(batches.map_err(|error| error.to_string())?, limit).await;
        Ok(in_order(&page.map_err(|error| error.to_string())?, sql.is_ordered()))
    }
}

/// Returns the rows of a page, sorted unless their order is significant.
pub fn in_order(page: &Page, ordered: bool) -> Vec<Vec<Option<String>>> {
    let mut rows = page.rows.clone();
    if !ordered {
        rows.sort();
    }
    rows
}

/// A sink that records events; its clock advances each time it is read.
#[derive(Default)]
pub struct Log {
    events: Mutex<Vec<RunEvent>>,
    clock: AtomicU32,
}

impl RunSink for Log {
    fn emit(&self, body: EventBody) {
        let mut events = self.events.lock().unwrap();
        let seq = events.len() as u32 + 1;
        events.push(RunEvent { run_id: "run".to_owned(), seq, at_ms: seq, body });
    }

    fn elapsed_ms(&self) -> u32 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }
}

/// A finished run with its events.
pub struct Ran {
    pub events: Vec<RunEvent>,
    pub report: RunReport,
    pub outcome: Result<(), AppError>,
}

impl Ran {
    /// Returns the events that `pick` selects.
    pub fn pick<T>(&self, pick: impl Fn(&EventBody) -> Option<T>) -> Vec<T> {
        self.events.iter().filter_map(|e| pick(&e.body)).collect()
    }

    /// Asserts that the log of an answered run is complete: it has a start and an end, edges lead to started nodes,
    /// everything started has ended, and the final usage equals the sum of the calls.
    pub fn assert_whole(&self) {
        let [first, .., last] = self.events.as_slice() else { panic!("too few events") };
        assert!(matches!(first.body, EventBody::RunStarted { .. }), "{:?}", first.body);
        let EventBody::RunFinished { usage: total, .. } = &last.body else { panic!("{:?}", last.body) };
        let (mut began, mut ended): (Vec<NodeId>, Vec<NodeId>) = Default::default();
        let (mut asked, mut told) = (Vec::new(), Vec::new());
        let mut sum = Usage::default();
        for event in &self.events {
            match &event.body {
                EventBody::StageStarted { node, inputs, .. } => {
                    let unknown: Vec<_> = inputs.iter().filter(|input| !began.contains(input)).collect();
                    assert!(unknown.is_empty(), "{node} reads {unknown:?}, which did not begin");
                    began.push(node.clone());
                }
                EventBody::StageFinished { node, .. } => ended.push(node.clone()),
                EventBody::ModelCallStarted { node, call, .. } => {
                    assert!(began.contains(node), "{node} asks before it begins");
                    asked.push(*call);
                }
                EventBody::ModelCallFinished { call, usage, .. } => {
                    told.push(*call);
                    sum.llm_calls += usage.llm_calls;
                    sum.prompt_tokens += usage.prompt_tokens;
                    sum.completion_tokens += usage.completion_tokens;
                }
                EventBody::QueryExecuted { .. } => sum.db_calls += 1,
                _ => {}
            }
        }
        for list in [&mut began, &mut ended] {
            list.sort();
            list.dedup();
        }
        assert_eq!(began, ended, "stages that began, and that ended");
        told.sort_unstable();
        assert_eq!(told, (asked[0]..asked[0] + asked.len() as u32).collect::<Vec<_>>(), "each call ends once");
        let counted = |usage: &Usage| (usage.llm_calls, usage.prompt_tokens, usage.completion_tokens, usage.db_calls);
        assert_eq!(counted(total), counted(&sum), "calls, tokens read and written, queries");
    }
}

pub async fn run(ask: Ask, cancel: CancellationToken) -> Ran {
    let log = Arc::new(Log::default());
    let outcome = vitrine_agents::run(ask, log.clone(), cancel).await;
    let events = log.events.lock().unwrap().clone();
    let report = RunReport::from_events(&events);
    Ran { events, report, outcome }
}
