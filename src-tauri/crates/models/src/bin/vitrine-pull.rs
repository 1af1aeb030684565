//! `vitrine-pull FOLDER MODEL...`: pulls models into the folder of models. The set-up runs it in parallel with the
//! first build; users run `vitrine models pull`, which resumes an interrupted download.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio_util::sync::CancellationToken;
use vitrine_models::{ModelStore, Phase, Progress};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::process::ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: vitrine-pull FOLDER MODEL...");
        return std::process::ExitCode::from(2);
    };
    let store = ModelStore::new(folder);
    for id in arguments {
        let told = AtomicU64::new(0);
        let pulled =
            store.pull_model(&id, |progress| print_progress(&id, &told, &progress), CancellationToken::new()).await;
        if let Err(error) = pulled {
            eprintln!("  {id}: {error}");
            return std::process::ExitCode::FAILURE;
        }
    }
    std::process::ExitCode::SUCCESS
}

/// Prints a line for every 10 percent.
fn print_progress(id: &str, told: &AtomicU64, progress: &Progress) {
    let Phase::Downloading(source) = &progress.phase else { return };
    let tenth = progress.downloaded * 10 / progress.total.max(1);
    if told.swap(tenth, Ordering::Relaxed) != tenth {
        eprintln!("  pulling {id} from {source}: {}%", tenth * 10);
    }
}
