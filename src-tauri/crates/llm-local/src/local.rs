//! The embedded model as a [`ChatModel`].

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::BoxStream;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_util::sync::CancellationToken;
use vitrine_domain::model_profile::{chunk_budget, longest_reply};
use vitrine_domain::{Caching, ModelProfile, ProfileFacts};
use vitrine_llm::{ChatModel, LlmError, ModelEvent, Request, families};
use vitrine_models::{GgufError, GgufInfo};

use crate::memory;
use crate::process::Worker;
use crate::protocol::{Order, Report};

/// The default context size in tokens: room for the prompts of several agents at once.
pub const DEFAULT_CONTEXT: u32 = 16_384;
/// Time after which a cancelled worker that does not respond is killed. A batch that other requests share is computed
/// to its end first.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum number of requests that the worker processes in parallel; more would slow each one without raising
/// throughput.
const AT_ONCE: usize = 4;

/// The configuration of a local model.
#[derive(Debug, Clone)]
pub struct LocalConfig {
    /// The name that settings and run logs use.
    pub id: String,
    /// The path of the model file.
    pub gguf: PathBuf,
    /// The binary to start as the worker, usually the current executable.
    pub worker_exe: PathBuf,
    /// The number of compute threads; 0 means one per physical core.
    pub threads: u32,
    /// The context size in tokens, shared by prompt, reply and cached prompts. 0 means [`DEFAULT_CONTEXT`].
    pub context_tokens: u32,
    /// The folder in which the state after a stable prefix is kept between starts, at most 1 GiB; `None` disables it.
    pub prefixes: Option<PathBuf>,
    /// Facts about the model beyond those common to all local models.
    pub facts: ProfileFacts,
    /// The idle time after which the worker ends and frees its memory; the next call restarts it. `None` keeps it
    /// running.
    pub release_after: Option<Duration>,
}

/// A model that runs on this computer. The worker starts with the first call, and again after it has ended.
pub struct LocalModel {
    config: LocalConfig,
    context_tokens: u32,
    /// Facts derived from the model file.
    declared: ProfileFacts,
    worker: Mutex<Option<Arc<Worker>>>,
    /// Limits parallel requests; tokio's semaphore serves waiters in order of arrival.
    turns: Arc<Semaphore>,
    /// The next call id; also reveals if calls were made since a given time.
    next_id: AtomicU64,
    me: Weak<Self>,
}

impl LocalModel {
    /// Creates the model. Starts no worker; an unreadable model file is reported by the first call.
    pub fn new(config: LocalConfig) -> Arc<Self> {
        let asked = if config.context_tokens == 0 { DEFAULT_CONTEXT } else { config.context_tokens };
        let info = GgufInfo::read_header(&config.gguf).ok();
        let trained = info.as_ref().map_or(asked, |info| info.context_tokens);
        Arc::new_cyclic(|me| Self {
            context_tokens: asked.min(trained).max(256),
            declared: info.as_ref().map(derive_facts).unwrap_or_default(),
            config,
            worker: Mutex::new(None),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            next_id: AtomicU64::new(1),
            me: me.clone(),
        })
    }

    /// Returns the facts derived from the model file: its size and its name's family.
    pub fn declared_facts(&self) -> &ProfileFacts {
        &self.declared
    }

    /// Starts the worker and loads the model, so that the first question does not wait for it.
    pub async fn warm_up(&self) -> Result<(), LlmError> {
        self.start_worker().await.map(drop)
    }

    /// Ends the worker and frees its memory; the next call restarts it.
    pub async fn shutdown(&self) {
        if let Some(worker) = self.worker.lock().await.take() {
            worker.send_order(Order::Shutdown);
            // Kills it even in the middle of a computation.
            worker.kill();
        }
    }

    /// Checks that the worker responds, without starting it.
    pub async fn ping(&self) -> bool {
        let Some(worker) = self.worker.lock().await.clone() else { return false };
        let id = self.id_of_call();
        let mut reports = worker.send_request(id, Order::Ping { id });
        matches!(reports.recv().await, Some(Report::Pong { .. }))
    }

    /// Returns the process id of the worker while it runs.
    pub async fn worker_pid(&self) -> Option<u32> {
        self.worker.lock().await.as_ref().filter(|w| w.is_usable()).and_then(|w| w.pid())
    }

    async fn start_worker(&self) -> Result<Arc<Worker>, LlmError> {
        let worker = {
            let mut current = self.worker.lock().await;
            match current.as_ref().filter(|w| w.is_usable()) {
                Some(worker) => worker.clone(),
                None => {
                    // Frees the old worker's memory before the available memory is measured.
                    *current = None;
                    self.check_file().await?;
                    let load = Order::Load {
                        gguf: self.config.gguf.clone(),
                        threads: self.config.threads,
                        context_tokens: self.context_tokens,
                        prefixes: self.config.prefixes.clone(),
                    };
                    let started = Worker::start(&self.config.worker_exe, load)?;
                    if let Some(idle) = self.config.release_after {
                        tokio::spawn(release_when_idle(self.me.clone(), idle));
                    }
                    current.insert(Arc::new(started)).clone()
                }
            }
        };
        worker.wait_until_loaded().await?;
        Ok(worker)
    }

    /// Rejects model files that are missing, broken or too large for the memory, which would only crash the worker.
    async fn check_file(&self) -> Result<(), LlmError> {
        let path = self.config.gguf.clone();
        let read = tokio::task::spawn_blocking(move || GgufInfo::read_header(&path)).await;
        let broken = |message: String| LlmError::ModelFile { path: self.config.gguf.clone(), message };
        let info = match read {
            Ok(Ok(info)) => info,
            Ok(Err(GgufError::Io(error))) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(broken("it does not exist. Pull the model first".to_owned()));
            }
            Ok(Err(error)) => return Err(broken(error.to_string())),
            Err(_) => return Err(broken("it could not be read".to_owned())),
        };
        match memory::describe_shortage(&info, self.context_tokens, memory::available_bytes()) {
            Some(message) => Err(LlmError::OutOfMemory { message }),
            None => Ok(()),
        }
    }

    fn id_of_call(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }
}

/// Derives facts from the name and parameter count in a model file's header.
fn derive_facts(info: &GgufInfo) -> ProfileFacts {
    let mut facts = families::find_declared_facts("embedded", info.name.as_deref().unwrap_or_default());
    facts.add(&families::by_size(Some(info.parameters as f64 / 1e9)));
    facts
}

#[async_trait]
impl ChatModel for LocalModel {
    fn id(&self) -> &str {
        &self.config.id
    }

    fn profile(&self) -> ModelProfile {
        ModelProfile {
            context_tokens: self.context_tokens,
            reply_tokens: longest_reply(self.context_tokens),
            chunk_budget: chunk_budget(self.context_tokens, false),
            deliberates: false,
            prefill: true,
            grammar: true,
            seeded: true,
            caching: Caching::Kept,
            token_probabilities: true,
            ..ModelProfile::default()
        }
        .with(&self.declared)
        .with(&self.config.facts)
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let worker = self.start_worker().await?;
        let id = self.id_of_call();
        let texts = texts.iter().map(|t| (*t).to_owned()).collect();
        match worker.send_request(id, Order::Count { id, texts }).recv().await {
            Some(Report::Counts { tokens, .. }) => Ok(tokens),
            Some(Report::Failed { failure, .. }) => Err(failure.into()),
            _ => Err(LlmError::WorkerCrashed { message: "it did not count".to_owned() }),
        }
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let start = async {
            // The semaphore is never closed.
            let turn = self.turns.clone().acquire_owned().await.map_err(|_| LlmError::Cancelled)?;
            Ok::<_, LlmError>((turn, self.start_worker().await?))
        };
        let (turn, worker) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(LlmError::Cancelled),
            started = start => started?,
        };
        let id = self.id_of_call();
        let reports = worker.send_request(id, Order::Generate { id, request: Box::new(request) });
        let (events, out) = mpsc::unbounded_channel();
        tokio::spawn(forward_events(Call { id, worker, reports, events, cancel, _turn: turn }));
        Ok(UnboundedReceiverStream::new(out).boxed())
    }
}

/// Ends the worker after at least `idle` and at most twice that time without a call.
async fn release_when_idle(model: Weak<LocalModel>, idle: Duration) {
    let mut seen = None;
    loop {
        let Some(alive) = model.upgrade() else { return };
        let calls = alive.next_id.load(Ordering::Relaxed);
        // A missing permit means that a request is in progress.
        if seen == Some(calls) && alive.turns.available_permits() == AT_ONCE {
            return alive.shutdown().await;
        }
        seen = Some(calls);
        drop(alive);
        tokio::time::sleep(idle).await;
    }
}

/// A request that the worker processes.
struct Call {
    id: u64,
    worker: Arc<Worker>,
    reports: mpsc::UnboundedReceiver<Report>,
    events: mpsc::UnboundedSender<Result<ModelEvent, LlmError>>,
    cancel: CancellationToken,
    _turn: OwnedSemaphorePermit,
}

/// Forwards events. If the caller cancels or drops the stream, the request is cancelled in the worker. If the worker
/// does not react in time, it is killed; the next call starts a new one.
async fn forward_events(mut call: Call) {
    let mut told = false;
    let deadline = tokio::time::sleep(PATIENCE);
    tokio::pin!(deadline);
    loop {
        tokio::select! {
            biased;
            report = call.reports.recv() => match report {
                Some(Report::Event { event, .. }) => drop(call.events.send(Ok(event))),
                Some(Report::Failed { failure, .. }) => {
                    let error = if told { LlmError::Cancelled } else { failure.into() };
                    let _ = call.events.send(Err(error));
                    return;
                }
                _ => return,
            },
            () = async { tokio::select! { () = call.cancel.cancelled() => {}, () = call.events.closed() => {} } }, if !told => {
                told = true;
                call.worker.send_order(Order::Cancel { id: call.id });
                deadline.as_mut().reset(tokio::time::Instant::now() + PATIENCE);
            }
            () = &mut deadline, if told => {
                call.worker.kill();
                let _ = call.events.send(Err(LlmError::Cancelled));
                return;
            }
        }
    }
}
