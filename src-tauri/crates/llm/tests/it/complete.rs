//! Complete replies from any model.

use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_llm::{AddressFault, FinishReason, Line, LlmError, Request, ScriptedModel, complete_request};

fn ask(tail: &str, samples: u32) -> Request {
    Request { tail: tail.to_owned(), samples, ..Request::default() }
}

#[tokio::test]
async fn every_sample_is_whole_and_only_the_first_is_shown_as_it_comes() {
    let model = ScriptedModel::new(vec![vec!["one two".to_owned(), "three".to_owned()]]);
    let mut shown = Vec::new();
    let done = complete_request(&model, ask("?", 3), CancellationToken::new(), |text| shown.push(text.to_owned()))
        .await
        .unwrap();
    assert_eq!(done.replies, ["one two", "three", "three"]);
    assert_eq!(done.reasons, [FinishReason::Stop; 3]);
    assert_eq!(shown, ["one ", "two"]);
    assert_eq!(done.first_reply(), "one two");
    assert!(done.usage.completion_tokens > 0);
}

#[tokio::test]
async fn a_model_that_hangs_is_left_at_once_when_the_person_stops() {
    let model = ScriptedModel::new(vec![Line::Hang]);
    let cancel = CancellationToken::new();
    let waiting = complete_request(&model, ask("?", 1), cancel.clone(), |_| {});
    let (done, ()) = tokio::join!(waiting, async { cancel.cancel() });
    assert_eq!(done, Err(LlmError::Cancelled));
    assert_eq!(AppError::from(LlmError::Cancelled).code, ErrorCode::Cancelled);
}

#[tokio::test]
async fn a_cut_off_reply_says_so_and_a_failed_one_is_an_error() {
    let crash = LlmError::WorkerCrashed { message: "signal 9".to_owned() };
    let model =
        ScriptedModel::new(vec![Line::CutOff("SELECT".to_owned()), Line::Fail("SEL".to_owned(), crash.clone())]);
    let cut = complete_request(&model, ask("?", 1), CancellationToken::new(), |_| {}).await.unwrap();
    assert_eq!(cut.reasons, [FinishReason::Length]);
    let failed = complete_request(&model, ask("?", 1), CancellationToken::new(), |_| {}).await;
    assert_eq!(failed, Err(crash));
}

#[tokio::test]
async fn a_script_that_is_too_short_names_the_prompt_and_all_requests_can_be_read() {
    let model = ScriptedModel::new(Vec::<Line>::new());
    let error =
        complete_request(&model, ask("How many orders?", 1), CancellationToken::new(), |_| {}).await.unwrap_err();
    assert!(error.to_string().contains("How many orders?"), "{error}");
    assert_eq!(model.requests(), [ask("How many orders?", 1)]);
}

#[test]
fn every_error_tells_a_person_what_to_do_next() {
    let errors = [
        LlmError::Address { address: "x".into(), fault: AddressFault::Login },
        LlmError::Address { address: "x".into(), fault: AddressFault::Malformed { why: "x".into() } },
        LlmError::Unreachable { message: "x".into() },
        LlmError::Unauthorised { message: "x".into() },
        LlmError::RateLimited { retry_after: None },
        LlmError::Refused { status: 500, message: "x".into() },
        LlmError::BadReply { message: "x".into(), reply: String::new() },
        LlmError::ContextExceeded { needed: 2, available: 1 },
        LlmError::WorkerCrashed { message: "x".into() },
        LlmError::OutOfMemory { message: "x".into() },
        LlmError::ModelFile { path: "/no/such.gguf".into(), message: "x".into() },
        LlmError::Timeout { seconds: 3 },
    ];
    for error in errors {
        assert!(AppError::from(error.clone()).hint.is_some(), "{error:?}");
    }
    let missing = LlmError::ModelFile { path: "/no/such.gguf".into(), message: "x".into() };
    assert_eq!(AppError::from(missing).code, ErrorCode::ModelMissing);
}
