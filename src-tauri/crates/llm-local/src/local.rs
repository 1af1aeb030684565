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

/// Tokens of context when the settings name none: room for several agents' prompts at once.
pub const DEFAULT_CONTEXT: u32 = 16_384;
/// A cancelled worker that does not answer for so long is killed. A batch that others want is computed to its end first.
const PATIENCE: Duration = Duration::from_secs(10);
/// Requests that the worker answers side by side; more of them would be slower each and not faster together.
const AT_ONCE: usize = 4;

/// How to run a local model.
#[derive(Debug, Clone)]
pub struct LocalConfig {
    /// The name that settings and run logs use.
    pub id: String,
    /// The model file.
    pub gguf: PathBuf,
    /// The binary to start as the worker: usually this very program.
    pub worker_exe: PathBuf,
    /// Threads to compute with; 0 means one for each physical core.
    pub threads: u32,
    /// Tokens that prompt and reply may take; remembered prompts share them too. 0 means [`DEFAULT_CONTEXT`].
    pub context_tokens: u32,
    /// Folder in which the state after a stable beginning is kept between starts, at most 1 GiB; `None` keeps nothing.
    pub prefixes: Option<PathBuf>,
    /// What is known of the model beside what every model on this computer can do.
    pub facts: ProfileFacts,
    /// After so long without a call the worker ends and its memory is free; the next call starts it again. `None` keeps it.
    pub release_after: Option<Duration>,
}

/// A model that runs on this computer. The worker starts with the first call, and again after it ended.
pub struct LocalModel {
    config: LocalConfig,
    context_tokens: u32,
    /// What its file says about it.
    declared: ProfileFacts,
    worker: Mutex<Option<Arc<Worker>>>,
    /// Who is being answered; tokio's semaphore is first come, first served.
    turns: Arc<Semaphore>,
    /// Also counts the calls, which tells whether there was one lately.
    next_id: AtomicU64,
    me: Weak<Self>,
}

impl LocalModel {
    /// Nothing is started or checked yet.
    pub fn new(config: LocalConfig) -> Arc<Self> {
        let asked = if config.context_tokens == 0 { DEFAULT_CONTEXT } else { config.context_tokens };
        let info = GgufInfo::read(&config.gguf).ok();
        let trained = info.as_ref().map_or(asked, |info| info.context_tokens);
        Arc::new_cyclic(|me| Self {
            context_tokens: asked.min(trained).max(256),
            declared: info.as_ref().map(declared).unwrap_or_default(),
            config,
            worker: Mutex::new(None),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            next_id: AtomicU64::new(1),
            me: me.clone(),
        })
    }

    /// What the model's file says about it: its size, and what is known of its name.
    pub fn declared(&self) -> &ProfileFacts {
        &self.declared
    }

    /// Starts the worker and loads the model, so that the first question need not wait for it.
    pub async fn warm_up(&self) -> Result<(), LlmError> {
        self.worker().await.map(drop)
    }

    /// Ends the worker and frees its memory; the next call starts it again.
    pub async fn shutdown(&self) {
        if let Some(worker) = self.worker.lock().await.take() {
            worker.tell(Order::Shutdown);
            // Also when it is in the middle of something.
            worker.kill();
        }
    }

    /// Whether the worker answers, without starting it.
    pub async fn ping(&self) -> bool {
        let Some(worker) = self.worker.lock().await.clone() else { return false };
        let id = self.id_of_call();
        let mut reports = worker.ask(id, Order::Ping { id });
        matches!(reports.recv().await, Some(Report::Pong { .. }))
    }

    /// The worker's process number while there is one.
    pub async fn worker_pid(&self) -> Option<u32> {
        self.worker.lock().await.as_ref().filter(|w| w.is_usable()).and_then(|w| w.pid())
    }

    async fn worker(&self) -> Result<Arc<Worker>, LlmError> {
        let worker = {
            let mut current = self.worker.lock().await;
            match current.as_ref().filter(|w| w.is_usable()) {
                Some(worker) => worker.clone(),
                None => {
                    // Free the old one's memory before the new one is measured.
                    *current = None;
                    self.check().await?;
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
        worker.ready().await?;
        Ok(worker)
    }

    /// Refuses what would only crash the worker.
    async fn check(&self) -> Result<(), LlmError> {
        let path = self.config.gguf.clone();
        let read = tokio::task::spawn_blocking(move || GgufInfo::read(&path)).await;
        let broken = |message: String| LlmError::ModelFile { path: self.config.gguf.clone(), message };
        let info = match read {
            Ok(Ok(info)) => info,
            Ok(Err(GgufError::Io(error))) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(broken("it does not exist. Pull the model first".to_owned()));
            }
            Ok(Err(error)) => return Err(broken(error.to_string())),
            Err(_) => return Err(broken("it could not be read".to_owned())),
        };
        match memory::shortage(&info, self.context_tokens, memory::available()) {
            Some(message) => Err(LlmError::OutOfMemory { message }),
            None => Ok(()),
        }
    }

    fn id_of_call(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }
}

/// What the head of a file says about its model.
fn declared(info: &GgufInfo) -> ProfileFacts {
    let mut facts = families::declared("embedded", info.name.as_deref().unwrap_or_default());
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
        let worker = self.worker().await?;
        let id = self.id_of_call();
        let texts = texts.iter().map(|t| (*t).to_owned()).collect();
        match worker.ask(id, Order::Count { id, texts }).recv().await {
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
            Ok::<_, LlmError>((turn, self.worker().await?))
        };
        let (turn, worker) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(LlmError::Cancelled),
            started = start => started?,
        };
        let id = self.id_of_call();
        let reports = worker.ask(id, Order::Generate { id, request: Box::new(request) });
        let (events, out) = mpsc::unbounded_channel();
        tokio::spawn(forward(Call { id, worker, reports, events, cancel, _turn: turn }));
        Ok(UnboundedReceiverStream::new(out).boxed())
    }
}

/// Ends the worker once there was no call for `idle`, or up to twice that.
async fn release_when_idle(model: Weak<LocalModel>, idle: Duration) {
    let mut seen = None;
    loop {
        let Some(alive) = model.upgrade() else { return };
        let calls = alive.next_id.load(Ordering::Relaxed);
        // Whoever has a turn is being answered.
        if seen == Some(calls) && alive.turns.available_permits() == AT_ONCE {
            return alive.shutdown().await;
        }
        seen = Some(calls);
        drop(alive);
        tokio::time::sleep(idle).await;
    }
}

/// A request in the worker's hands.
struct Call {
    id: u64,
    worker: Arc<Worker>,
    reports: mpsc::UnboundedReceiver<Report>,
    events: mpsc::UnboundedSender<Result<ModelEvent, LlmError>>,
    cancel: CancellationToken,
    _turn: OwnedSemaphorePermit,
}

/// Passes events on. When the caller cancels, or drops the stream, the worker is told; when it does not heed, it is
/// killed, and the next call gets a new one.
async fn forward(mut call: Call) {
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
                call.worker.tell(Order::Cancel { id: call.id });
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
