//! Recording with a model and replaying without it.

use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::TokenProbability;
use vitrine_llm::{
    ChatModel, Completion, Line, LlmError, OutputFormat, Request, ScriptedModel, cassette::Cassette, complete_request,
};

fn request(tail: &str) -> Request {
    Request {
        system: "You write SQL.".into(),
        prefix: "CREATE TABLE t (a);\n".into(),
        tail: tail.into(),
        samples: 2,
        temperature: 0.8,
        output: OutputFormat::JsonSchema { name: "x".into(), schema: serde_json::json!({ "type": "object" }) },
        ..Request::default()
    }
}

async fn ask(model: &dyn ChatModel, tail: &str) -> Result<Completion, LlmError> {
    complete_request(model, request(tail), CancellationToken::new(), |_| {}).await
}

#[tokio::test]
async fn a_replay_gives_what_was_recorded_and_the_file_is_the_same_whatever_the_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    let mut answers = Vec::new();
    for (name, order) in [("a.jsonl", ["one?", "two?"]), ("b.jsonl", ["two?", "one?"])] {
        let path = dir.path().join(name);
        let lines: Vec<Line> = order.iter().map(|q| Line::Samples(vec![format!("1 {q}"), format!("2 {q}")])).collect();
        let tape = Cassette::record(Arc::new(ScriptedModel::new(lines)), &path).unwrap();
        tape.count_tokens(&["some text", "other text"]).await.unwrap();
        for question in order {
            answers.push((question, ask(&tape, question).await.unwrap()));
        }
        drop(tape);
        files.push(std::fs::read_to_string(&path).unwrap());
    }
    assert_eq!(files[0], files[1]);
    assert_eq!(files[0].lines().count(), 5);
    assert!(files[0].contains("\"tail\":\"one?\"") && files[0].contains("\"temperature\":0.8,"), "{}", files[0]);

    let tape = Cassette::replay(&dir.path().join("a.jsonl")).unwrap();
    assert_eq!((tape.id(), tape.profile().context_tokens), ("scripted", 8192));
    assert_eq!(tape.count_tokens(&["some text"]).await.unwrap(), [3]);
    for (question, answer) in answers {
        assert_eq!(ask(&tape, question).await.unwrap(), answer);
    }
}

#[tokio::test]
async fn how_likely_replies_were_is_kept_and_recordings_without_it_stay_valid() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tape.jsonl");
    let says = |text: &str| {
        let mut probability = TokenProbability::default();
        text.bytes().for_each(|letter| probability.add_log_probability(-f64::from(letter) / 100.0));
        probability
    };
    let model = ScriptedModel::new(vec![Line::Samples(vec!["a".into(), "bc".into()])]).with_probability(says);
    let recorded = ask(&Cassette::record(Arc::new(model), &path).unwrap(), "how likely?").await.unwrap();
    assert_eq!(recorded.probabilities, [Some(says("a")), Some(says("bc"))]);
    assert_eq!(ask(&Cassette::replay(&path).unwrap(), "how likely?").await.unwrap(), recorded);

    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().map(|line| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("probabilities");
        format!("{line}\n")
    });
    let before = lines.collect::<String>();
    assert_ne!(text, before);
    std::fs::write(&path, before).unwrap();
    let replayed = ask(&Cassette::replay(&path).unwrap(), "how likely?").await.unwrap();
    assert_eq!((replayed.replies, replayed.probabilities), (recorded.replies, vec![None, None]));
}

#[tokio::test]
async fn a_tape_that_is_extended_asks_only_what_it_does_not_hold() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tape.jsonl");
    let model = |replies: &[&str]| {
        let lines = replies.iter().map(|reply| Line::Samples(vec![(*reply).to_owned(), "?".to_owned()]));
        Arc::new(ScriptedModel::new(lines.collect::<Vec<_>>()))
    };
    let tape = Cassette::extend(model(&["one"]), &path).unwrap();
    assert_eq!(ask(&tape, "first").await.unwrap().first_reply(), "one");
    assert_eq!(ask(&tape, "first").await.unwrap().first_reply(), "one", "the model has no second reply");
    drop(tape);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}{{\"key\":\"half a li")).unwrap();
    let tape = Cassette::extend(model(&["two"]), &path).unwrap();
    assert_eq!(ask(&tape, "second").await.unwrap().first_reply(), "two");
    assert_eq!(ask(&tape, "first").await.unwrap().first_reply(), "one");
    drop(tape);
    let tape = Cassette::replay(&path).unwrap();
    assert_eq!(ask(&tape, "second").await.unwrap().first_reply(), "two");
    drop(tape);
    let text = std::fs::read_to_string(&path).unwrap().replace("\"id\":\"scripted\"", "\"id\":\"another\"");
    std::fs::write(&path, text).unwrap();
    let error = Cassette::extend(model(&[]), &path).err().unwrap().to_string();
    assert!(error.contains("another") && error.contains("tape.jsonl"), "{error}");
}

#[tokio::test]
async fn a_changed_prompt_is_a_miss_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tape.jsonl");
    drop(Cassette::record(Arc::new(ScriptedModel::new(Vec::<Line>::new())), &path).unwrap());
    let tape = Cassette::replay(&path).unwrap();
    let error = ask(&tape, "How many customers?").await.unwrap_err().to_string();
    assert!(error.contains("How many customers?") && error.contains("tape.jsonl"), "{error}");
}

#[tokio::test]
async fn a_call_that_failed_or_was_cancelled_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tape.jsonl");
    let lines = vec![Line::Fail("half".into(), LlmError::Timeout { seconds: 1 }), Line::Hang, Line::Say("good".into())];
    let tape = Cassette::record(Arc::new(ScriptedModel::new(lines)), &path).unwrap();
    ask(&tape, "?").await.unwrap_err();
    let cancel = CancellationToken::new();
    let hang = complete_request(&tape, request("?"), cancel.clone(), |_| {});
    let (cancelled, ()) = tokio::join!(hang, async { cancel.cancel() });
    assert_eq!(cancelled, Err(LlmError::Cancelled));
    ask(&tape, "?").await.unwrap();
    // Calls on disk are available before the recording ends, too.
    assert_eq!(ask(&Cassette::replay(&path).unwrap(), "?").await.unwrap().first_reply(), "good");
}

#[test]
fn a_file_that_is_no_cassette_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    for text in ["", "{\"text\":\"a\",\"tokens\":1}\n", "no json\n"] {
        std::fs::write(&path, text).unwrap();
        let error = Cassette::replay(&path).err().unwrap().to_string();
        assert!(error.contains("x.jsonl"), "{error}");
    }
    assert!(Cassette::replay(&dir.path().join("missing.jsonl")).is_err());
    assert!(
        Cassette::record(Arc::new(ScriptedModel::new(Vec::<Line>::new())), &dir.path().join("no/such/dir.jsonl"))
            .is_err()
    );
}
