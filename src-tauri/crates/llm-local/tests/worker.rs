//! The behaviour of the worker's parent without a usable model.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tokio_util::sync::CancellationToken;
use vitrine_llm::{ChatModel, LlmError, Request};
use vitrine_llm_local::{LocalConfig, LocalModel};

const WORKER: &str = env!("CARGO_BIN_EXE_vitrine-worker");

fn model(gguf: &Path, worker: &str) -> std::sync::Arc<LocalModel> {
    LocalModel::new(LocalConfig {
        id: "toy".into(),
        gguf: gguf.to_owned(),
        worker_exe: PathBuf::from(worker),
        threads: 1,
        context_tokens: 512,
        prefixes: None,
        facts: vitrine_domain::ProfileFacts::default(),
        release_after: None,
    })
}

async fn error_of(gguf: &Path) -> LlmError {
    let model = model(gguf, WORKER);
    let error = model.stream(Request::default(), CancellationToken::new()).await.err().expect("it must fail");
    assert_eq!(model.count_tokens(&["a"]).await.unwrap_err(), error, "every call says the same");
    error
}

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// Builds a file with a valid header whose single tensor does not form a model.
fn hollow_gguf() -> Vec<u8> {
    let mut out = Vec::new();
    let text = |out: &mut Vec<u8>, t: &str| {
        out.extend((t.len() as u64).to_le_bytes());
        out.extend(t.as_bytes());
    };
    out.extend(b"GGUF");
    out.extend(3u32.to_le_bytes());
    out.extend(1u64.to_le_bytes());
    out.extend(1u64.to_le_bytes());
    text(&mut out, "general.architecture");
    out.extend(8u32.to_le_bytes());
    text(&mut out, "no-such-architecture");
    text(&mut out, "w");
    out.extend(1u32.to_le_bytes());
    out.extend(32u64.to_le_bytes());
    out.extend(0u32.to_le_bytes());
    out.extend(0u64.to_le_bytes());
    out.resize(out.len().div_ceil(32) * 32 + 128, 0);
    out
}

#[tokio::test]
async fn a_missing_model_file_is_named() {
    let error = error_of(Path::new("/no/such/model.gguf")).await;
    let text = error.to_string();
    assert!(matches!(error, LlmError::ModelFile { .. }), "{error:?}");
    assert!(text.contains("/no/such/model.gguf") && text.contains("Pull"), "{text}");
}

#[tokio::test]
async fn a_file_that_is_something_else_is_named_as_such() {
    let page = file(b"<!doctype html><p>moved</p>");
    let error = error_of(page.path()).await.to_string();
    assert!(error.contains("not a GGUF"), "{error}");
}

#[tokio::test]
async fn what_llama_cpp_refuses_is_told_in_its_words() {
    let hollow = file(&hollow_gguf());
    let error = error_of(hollow.path()).await;
    assert!(matches!(error, LlmError::ModelFile { .. }), "{error:?}");
    assert!(error.to_string().contains("no-such-architecture"), "{error}");
}

#[tokio::test]
async fn a_worker_that_cannot_start_is_named() {
    let hollow = file(&hollow_gguf());
    let model = model(hollow.path(), "/no/such/program");
    let error = model.count_tokens(&["a"]).await.unwrap_err();
    assert!(matches!(error, LlmError::WorkerCrashed { .. }));
    assert!(error.to_string().contains("/no/such/program"), "{error}");
}

#[tokio::test]
async fn a_worker_that_dies_at_once_is_reported_and_not_waited_for() {
    let hollow = file(&hollow_gguf());
    let model = model(hollow.path(), "/bin/false");
    let error = model.count_tokens(&["a"]).await.unwrap_err();
    assert!(matches!(error, LlmError::WorkerCrashed { .. }), "{error:?}");
    assert!(error.to_string().contains("status 1"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_worker_ended_by_a_refused_instruction_names_the_processor_and_not_the_model_file() {
    use std::os::unix::fs::PermissionsExt;
    let hollow = file(&hollow_gguf());
    let folder = tempfile::tempdir().unwrap();
    let worker = folder.path().join("worker");
    std::fs::write(&worker, "#!/bin/sh\nkill -ILL $$\n").unwrap();
    std::fs::set_permissions(&worker, std::fs::Permissions::from_mode(0o755)).unwrap();
    let model = model(hollow.path(), worker.to_str().unwrap());
    let error = model.count_tokens(&["a"]).await.unwrap_err().to_string();
    assert!(error.contains("this processor refuses") && error.contains("model on a server"), "{error}");
    assert!(!error.contains("pull it again"), "{error}");
}

#[tokio::test]
async fn cancelled_before_it_began_nothing_is_started() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let model = model(Path::new("/no/such/model.gguf"), WORKER);
    let error = model.stream(Request::default(), cancel).await.err().unwrap();
    assert_eq!(error, LlmError::Cancelled);
    assert!(!model.ping().await);
}

#[test]
fn a_worker_whose_parent_is_gone_ends_by_itself() {
    let mut child =
        Command::new(WORKER).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn nonsense_on_the_input_does_not_stop_a_worker() {
    let mut child =
        Command::new(WORKER).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"hello\n{\"op\":\"dance\"}\n{\"op\":\"ping\",\"id\":7}\n").unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
    assert_eq!(line.trim(), r#"{"report":"pong","id":7}"#);
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
