//! The engine side: starts within restrictions and opens the database that the first order names.

use super::frames::{Frame, Order};
use super::serve::{EngineProcess, exit_process};
use super::walls;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::OnceLock;
use tokio::sync::mpsc;

/// The first command-line argument that runs a binary as an engine.
pub(crate) const ENGINE_ARGUMENT: &str = "engine";
/// Maximum number of frames that wait to be written.
const WAITING: usize = 16;

/// The path of this program, if its `main` can run it as an engine.
static OWN_PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Runs this process as an engine if it was started as one, and then never returns. Must be called first in `main`. It
/// also handles calls from `ssh`, which asks this program for passphrases. A program that calls it opens its files in
/// engine processes.
pub fn run_engine_if_asked() {
    crate::ssh::answer_if_asked();
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ENGINE_ARGUMENT) {
        run_engine();
    }
    OWN_PROGRAM.get_or_init(|| std::env::current_exe().ok());
}

/// Returns the program to run as an engine; `None` if its `main` does not support it, as in library tests.
pub(crate) fn own_program() -> Option<PathBuf> {
    OWN_PROGRAM.get().cloned().flatten()
}

/// Reads orders from standard input and writes answers to standard output until the input ends.
pub fn run_engine() -> ! {
    let mut input = io::stdin().lock();
    let Ok(Some(first)) = Frame::read_from(&mut input) else { exit_process(2) };
    drop(input);
    let Ok(Order::Open { kind, path, mut options, login, speech }) = first.read_json() else { exit_process(2) };
    speech.apply_language();
    options.temp_folder = options.temp_folder.or_else(|| std::env::var_os(walls::SCRATCH).map(PathBuf::from));
    // Restrictions are applied before the second thread starts, so that they hold for all threads.
    let walls = match &login {
        None => walls::shut_in(&path, &options),
        Some(_) => walls::around_a_driver(&options),
    };
    if let Some(gaps) = vitrine_words::in_english(|| walls.describe_gaps()).filter(|_| login.is_none()) {
        eprintln!("engine: walls that do not stand: {gaps}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
    let Ok(runtime) = runtime else { exit_process(2) };
    let (frames, outbox) = mpsc::channel(WAITING);
    std::thread::spawn(move || write_frames(outbox));
    let process = EngineProcess { number: first.number, walls, path, login, options: *options, frames };
    if let Some(serve) = kind.info().serve {
        runtime.block_on(serve(process));
    }
    exit_process(0)
}

fn write_frames(mut outbox: mpsc::Receiver<Frame>) {
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    while let Some(frame) = outbox.blocking_recv() {
        let written = frame.write_to(&mut output).and_then(|()| match outbox.is_empty() {
            true => output.flush(),
            false => Ok(()),
        });
        if written.is_err() {
            // The application no longer reads the output.
            exit_process(0)
        }
    }
}
