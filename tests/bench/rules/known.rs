//! A database with its catalog, profile and value index.

use anyhow::Result;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_agents::run::context::RunContext;
use vitrine_agents::{Ask, AskData, AskHistory, AskOptions, AskPermissions, Models, RunSink, UserRoles};
use vitrine_domain::{AskSettings, Catalog, EgressPolicy, EventBody, Page, Profile};
use vitrine_eval::Question;
use vitrine_llm::{Line, ScriptedModel};
use vitrine_sql::{AllowedFunctions, ReadOnlySql};
use vitrine_values::ValueIndex;
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, read_page};

/// Maximum number of compared rows, and the timeout of a query.
const ROWS: u64 = 100_000;
const TIMEOUT: Duration = Duration::from_secs(10);

pub struct Known {
    warehouse: Arc<dyn Warehouse>,
    pub catalog: Arc<Catalog>,
    pub profile: Arc<Profile>,
    values: Arc<ValueIndex>,
}

impl Known {
    /// Opens and profiles the database and builds its value index at a path.
    pub async fn of(uri: &WarehouseUri, index: &Path) -> Result<Self> {
        let warehouse = vitrine_warehouse::open_warehouse(uri).await?;
        let catalog = Arc::new(warehouse.load_catalog().await?);
        let (options, cancel) = (Default::default(), CancellationToken::new());
        let profile =
            vitrine_catalog::profile_database(warehouse.clone(), &catalog, options, |_, _, _| {}, cancel.clone())
                .await?;
        let values = ValueIndex::open(index)?;
        values.build(warehouse.clone(), &catalog, &profile, |_| {}, cancel).await?;
        Ok(Self { warehouse, catalog, profile: Arc::new(profile), values: Arc::new(values) })
    }

    /// Creates the context of a run without a model or observer.
    pub fn context(&self, question: &Question) -> RunContext {
        let ask = Ask {
            question: question.question.clone(),
            knowledge: question.evidence.clone(),
            data: AskData {
                uri: question.warehouse.clone(),
                warehouse: self.warehouse.clone(),
                catalog: self.catalog.clone(),
                profile: self.profile.clone(),
                definitions: Vec::new(),
                metrics: None,
                metrics_problem: None,
                values: Some(self.values.clone()),
                embedder: None,
                sandbox: None,
            },
            models: Models { default: Arc::new(ScriptedModel::new(Vec::<Line>::new())), by_agent: BTreeMap::new() },
            permissions: AskPermissions {
                functions: AllowedFunctions::default(),
                egress: EgressPolicy::allow_everything(),
                answer_leaves: false,
            },
            options: AskOptions {
                settings: AskSettings::default(),
                given_schema: None,
                explain: false,
                assess: false,
                check_limit: std::time::Duration::from_secs(20),
                calibration: Arc::default(),
                meter: None,
                started_at: String::new(),
                today: None,
            },
            user: UserRoles::default(),
            history: AskHistory::default(),
        };
        RunContext::new(ask, Arc::new(Nobody), CancellationToken::new())
    }

    /// Returns the result of a query; `None` if it fails.
    pub async fn result(&self, sql: &ReadOnlySql) -> Option<Page> {
        let limits = Limits { rows: Some(ROWS), timeout: TIMEOUT, ..Limits::default() };
        let batches = self.warehouse.run_query(sql, limits, CancellationToken::new()).await.ok()?;
        read_page(batches, ROWS).await.ok()
    }

    /// Returns the query of a text with its result. If it fails because of texts in double quotes, its names are
    /// repaired in the only way that binds. `None` if it still fails.
    pub async fn gold(&self, text: &str) -> Option<(ReadOnlySql, Page)> {
        let sql = vitrine_warehouse::prove_read_only(text, &self.catalog).ok()?;
        if let Some(page) = self.result(&sql).await {
            return Some((sql, page));
        }
        let sql = vitrine_sql::repair_names(&sql, &self.catalog)?.sql;
        let page = self.result(&sql).await?;
        Some((sql, page))
    }

    pub async fn close(self) {
        self.warehouse.close().await;
    }
}

struct Nobody;

impl RunSink for Nobody {
    fn emit(&self, _: EventBody) {}

    fn elapsed_ms(&self) -> u32 {
        0
    }
}
