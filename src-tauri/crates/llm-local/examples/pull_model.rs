//! Pulls a model: `cargo run --example pull_model -- FOLDER ID`.
use std::io::Write;
use vitrine_llm_local::models::{ModelStore, Phase};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(folder), Some(id)) = (args.next(), args.next()) else {
        return Err("usage: pull FOLDER ID".into());
    };
    let cancel = tokio_util::sync::CancellationToken::new();
    let on_interrupt = cancel.clone();
    tokio::spawn(async move {
        let _ = tokio::signal::ctrl_c().await;
        on_interrupt.cancel();
    });
    let show = |p: vitrine_llm_local::models::Progress| {
        let what = match p.phase {
            Phase::Connecting(name) => format!("connecting to {name}"),
            Phase::Downloading(name) => format!("from {name}"),
            Phase::Verifying => "verifying".to_owned(),
            Phase::Done => "done".to_owned(),
        };
        let _ = write!(
            std::io::stderr(),
            "\r{:>5} of {} MB {what}          ",
            p.downloaded / 1_000_000,
            p.total / 1_000_000
        );
    };
    let path = ModelStore::new(folder).pull(&id, show, cancel).await?;
    println!("\n{}", path.display());
    Ok(())
}
