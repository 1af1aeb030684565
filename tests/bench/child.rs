//! Steps in separate processes, so that each has its own memory peak and no allocator reuses memory of another.

use crate::{export, grid, model, profile, schema, values};
use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};

/// The hidden argument: `--step NAME INPUT` with the input as JSON.
pub const FLAG: &str = "--step";

/// The result of a step and the peak memory of its process.
#[derive(Debug, Serialize, Deserialize)]
pub struct Measured<T> {
    pub found: T,
    /// Peak resident memory, including mapped files; `None` if the system does not report it.
    pub peak_bytes: Option<u64>,
}

/// Runs a step and waits for it.
pub fn run<T: DeserializeOwned>(step: &str, input: &impl Serialize) -> Result<Measured<T>> {
    let output = Command::new(std::env::current_exe()?)
        .args([FLAG, step, &serde_json::to_string(input)?])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        bail!("the step {step} ended with {}", output.status);
    }
    serde_json::from_slice(&output.stdout)
        .with_context(|| format!("the step {step} said something else than its result"))
}

/// Executes a step in the child process; the counterpart of [`run`].
pub fn serve(step: &str, input: &str) -> Result<()> {
    match step {
        "schema" => answer(input, schema::measure),
        "values-make" => answer(input, values::make),
        "values-profile" => answer(input, values::profile),
        "values-build" => answer(input, values::build),
        "values-exact" => answer(input, values::exact::nearest),
        "values-search" => answer(input, values::search),
        "orders" => answer(input, crate::data::orders::make),
        "profile" => answer(input, profile::measure),
        "summarize" => answer(input, profile::summarize),
        "export" => answer(input, export::measure),
        "copy" => answer(input, export::copy),
        "grid" => answer(input, grid::measure),
        "model" => answer(input, model::measure),
        _ => bail!("there is no step {step}"),
    }
}

fn answer<I: DeserializeOwned, T: Serialize>(input: &str, work: impl AsyncFnOnce(I) -> Result<T>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let found = runtime.block_on(work(serde_json::from_str(input)?))?;
    println!("{}", serde_json::to_string(&Measured { found, peak_bytes: peak_bytes() })?);
    // Background work of the program is not awaited.
    runtime.shutdown_background();
    Ok(())
}

fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
