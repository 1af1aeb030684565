//! The worker's side: loads one model and processes orders until its input ends.

mod backends;
mod context;
mod engine;
mod grammar;
mod job;
#[cfg(target_os = "linux")]
mod kernels;
mod library;
mod pace;
mod prefixes;
mod prompt;
mod sampler;
mod slots;
mod text;
#[cfg(target_os = "linux")]
mod trial;
mod writer;

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::mpsc::{self, TryRecvError};
use std::sync::{Arc, OnceLock};

use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;

use crate::memory;
use crate::protocol::{Failure, Order, Report, WORKER_ARGUMENT, WORKER_VARIABLE};
use context::Interrupt;
use engine::Engine;
use pace::Pace;
use prefixes::Prefixes;

/// Serves the parent and never returns if this process was started as a model worker. Must be called first in `main`.
pub fn run_worker_if_asked() {
    let by_argument = std::env::args_os().nth(1).is_some_and(|a| a == WORKER_ARGUMENT);
    let by_variable = std::env::var_os(WORKER_VARIABLE).is_some_and(|v| v == "1");
    if by_argument || by_variable {
        run_worker();
    }
}

/// Reads orders from standard input and writes reports to standard output until the input ends.
pub fn run_worker() -> ! {
    give_way_when_memory_is_short();
    backends::keep_last_error();
    // Must run before a second thread starts, because kernels are tried in forks of this process.
    let kernels = backends::load_kernels();
    let model: Arc<OnceLock<Arc<LlamaModel>>> = Arc::default();
    let interrupt = Arc::new(Interrupt::default());
    let (orders, inbox) = mpsc::channel();
    let (counts, to_count) = mpsc::channel();
    let counter_model = model.clone();
    std::thread::spawn(move || serve_counts(&to_count, &counter_model));
    let reader_interrupt = interrupt.clone();
    std::thread::spawn(move || read_orders(&orders, &counts, &reader_interrupt));
    serve_orders(&inbox, &kernels, &model, &interrupt);
    exit_process()
}

/// Reads orders and handles urgent ones immediately.
fn read_orders(orders: &mpsc::Sender<Order>, counts: &mpsc::Sender<(u64, Vec<String>)>, interrupt: &Interrupt) {
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match serde_json::from_str(&line) {
            Ok(Order::Cancel { id }) => {
                // The order matters: the interrupted engine must find the cancel order in its queue.
                let _ = orders.send(Order::Cancel { id });
                interrupt.cancel(id);
            }
            Ok(Order::Ping { id }) => send_report(&Report::Pong { id }),
            Ok(Order::Count { id, texts }) => drop(counts.send((id, texts))),
            Ok(Order::Shutdown) => break,
            Ok(order) => drop(orders.send(order)),
            Err(error) => eprintln!("model worker: an order was not understood: {error}"),
        }
    }
    // The parent has ended or sent `Shutdown`, so a computation in progress is useless.
    exit_process()
}

/// Counts tokens in a thread of its own. Needs only the vocabulary, so it does not wait for a reply in progress.
fn serve_counts(inbox: &mpsc::Receiver<(u64, Vec<String>)>, model: &OnceLock<Arc<LlamaModel>>) {
    for (id, texts) in inbox {
        let Some(model) = model.get() else {
            let message = "no model is loaded yet".to_owned();
            send_report(&Report::Failed { id, failure: Failure::Internal { message } });
            continue;
        };
        let vocab = model.vocab();
        let tokens = texts.iter().map(|t| vocab.tokenize(t.as_bytes(), false, false).len() as u32).collect();
        send_report(&Report::Counts { id, tokens });
    }
}

fn serve_orders(
    inbox: &mpsc::Receiver<Order>,
    kernels: &Result<(), String>,
    model: &OnceLock<Arc<LlamaModel>>,
    interrupt: &Arc<Interrupt>,
) {
    let mut engine: Option<Engine> = None;
    loop {
        interrupt.reset_flag();
        loop {
            let idle = engine.as_ref().is_none_or(Engine::is_idle);
            let order = match idle {
                true => inbox.recv().map_err(|_| TryRecvError::Disconnected),
                false => inbox.try_recv(),
            };
            match order {
                Ok(order) => execute_order(order, &mut engine, kernels, model, interrupt),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return,
            }
        }
        if let Some(engine) = &mut engine {
            engine.compute_batch(&mut |report| send_report(&report));
        }
    }
}

fn execute_order(
    order: Order,
    engine: &mut Option<Engine>,
    kernels: &Result<(), String>,
    model: &OnceLock<Arc<LlamaModel>>,
    interrupt: &Arc<Interrupt>,
) {
    let tell = &mut |report: Report| send_report(&report);
    match (order, engine) {
        (Order::Load { gguf, threads, context_tokens, prefixes }, engine) => {
            let pace = match threads {
                0 => Pace::new(memory::physical_cores(), memory::logical_cores()),
                // A number of threads that the user chose is not adapted.
                fixed => Pace::with_fixed_threads(fixed),
            };
            let threads = pace.max_threads();
            let prefixes = prefixes.and_then(|folder| Prefixes::new(folder, &gguf));
            let loaded = load_model(&gguf, kernels).and_then(|m| {
                Ok((m.clone(), Engine::new(m, &gguf, pace, context_tokens, prefixes, interrupt.clone())?))
            });
            match loaded {
                Ok((loaded, ready)) => {
                    *engine = Some(ready);
                    let _ = model.set(loaded);
                    send_report(&Report::Loaded { context_tokens, threads });
                }
                Err(failure) => send_report(&Report::NotLoaded { failure }),
            }
        }
        (Order::Generate { id, request }, Some(engine)) => engine.queue_request(id, *request, tell),
        (Order::Generate { id, .. }, None) => {
            let message = "no model is loaded".to_owned();
            send_report(&Report::Failed { id, failure: Failure::Internal { message } });
        }
        (Order::Cancel { id }, Some(engine)) => engine.cancel_request(id, tell),
        (Order::Cancel { .. }, None) | (Order::Count { .. } | Order::Ping { .. } | Order::Shutdown, _) => {}
    }
}

fn load_model(gguf: &Path, kernels: &Result<(), String>) -> Result<Arc<LlamaModel>, Failure> {
    kernels.clone().map_err(|message| Failure::Internal { message })?;
    let backend = LlamaBackend::init().map_err(|e| Failure::Internal { message: e.to_string() })?;
    let params = LlamaModelParams::default();
    let model = LlamaModel::load_from_file(&backend, gguf, &params).map_err(|error| Failure::ModelFile {
        path: gguf.to_owned(),
        message: backends::last_error().unwrap_or_else(|| error.to_string()),
    })?;
    // The backend lives as long as the process.
    std::mem::forget(backend);
    Ok(Arc::new(model))
}

fn send_report(report: &Report) {
    let mut line = serde_json::to_vec(report).unwrap_or_default();
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    if out.write_all(&line).and_then(|()| out.flush()).is_err() {
        exit_process();
    }
}

/// Ends the process immediately. A normal exit would run llama.cpp's destructors while another thread computes.
#[allow(unsafe_code)]
fn exit_process() -> ! {
    // SAFETY: ends the process; nothing is touched afterwards.
    unsafe { libc::_exit(0) }
}

/// Makes Linux kill this process before the application when memory runs out.
fn give_way_when_memory_is_short() {
    let _ = std::fs::write("/proc/self/oom_score_adj", "800");
}
