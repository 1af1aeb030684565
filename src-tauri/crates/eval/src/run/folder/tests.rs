use super::*;

fn build_record() -> RunRecord {
    RunRecord {
        pack: "p".to_owned(),
        rule: Rule::Spider,
        evaluator: EVALUATOR_VERSION.to_owned(),
        sample: Sample::default(),
        meaning: AmbiguityMode::Any,
        scope: EvalScope::Answers,
        schema: GivenSchema::Whole,
        settings: AskSettings::default(),
        left_out: BTreeMap::new(),
        missing_documents: 0,
    }
}

fn build_outcome(id: &str) -> Outcome {
    Outcome { id: id.to_owned(), ..Outcome::default() }
}

#[test]
fn a_torn_line_is_dropped_and_does_not_spoil_the_next_one() {
    let root = tempfile::tempdir().unwrap();
    let (folder, done) = RunFolder::start_or_resume(root.path(), &build_record(), false).unwrap();
    assert!(done.is_empty());
    folder.append_outcome(&build_outcome("1")).unwrap();
    let file = root.path().join(RESULTS);
    let whole = std::fs::read_to_string(&file).unwrap();
    // Truncated in the middle of a line, and in the middle of a character.
    for torn in [&to_json_line(&build_outcome("2ä")).as_bytes()[..9], &whole.as_bytes()[..whole.len() - 1]] {
        std::fs::write(&file, [whole.as_bytes(), torn].concat()).unwrap();
        let (folder, done) = RunFolder::start_or_resume(root.path(), &build_record(), true).unwrap();
        assert_eq!(done[0].id, "1");
        folder.append_outcome(&build_outcome("3")).unwrap();
        let read = read_results(&file).unwrap();
        assert!(read.whole);
        assert_eq!(read.outcomes.last().unwrap().id, "3");
    }
}

#[test]
fn results_are_neither_mixed_nor_overwritten_by_accident() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = RunFolder::start_or_resume(root.path(), &build_record(), false).unwrap();
    folder.append_outcome(&build_outcome("1")).unwrap();
    let error = RunFolder::start_or_resume(root.path(), &build_record(), false).unwrap_err();
    assert!(error.hint.unwrap().contains("--resume"));
    let mut other = build_record();
    other.settings.candidates = 3;
    other.sample.limit = Some(5);
    let error = RunFolder::start_or_resume(root.path(), &other, true).unwrap_err();
    assert_eq!(error.detail.as_deref(), Some("settings.candidates: 8, now 3; sample.limit: none, now 5"));
    std::fs::remove_file(root.path().join(RECORD)).unwrap();
    assert!(
        RunFolder::start_or_resume(root.path(), &build_record(), true).is_err(),
        "nobody knows how these came about"
    );
}

#[test]
fn results_of_the_first_version_can_be_read() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("spider_dev");
    std::fs::create_dir(&folder).unwrap();
    let old = r#"{"id":"a","db_id":"d","hardness":"easy","spider":true,"bird":false,"answered":true,"sql":"S","gold":"G","error":null,"usage":{"llm_calls":1,"prompt_tokens":2,"cached_prompt_tokens":0,"completion_tokens":3,"db_calls":1,"wall_ms":5},"by_agent":{}}"#;
    std::fs::write(folder.join(RESULTS), format!("{old}\n")).unwrap();
    let run = Run::load("old", &folder).unwrap();
    assert_eq!((run.pack.as_str(), run.evaluator.as_str(), run.is_current()), ("spider_dev", "1", false));
    assert_eq!((run.outcomes[0].right_by(Rule::Spider), run.outcomes[0].right_by(Rule::Spider2)), (Some(true), None));
}

#[test]
fn a_page_elsewhere_finds_the_events() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("runs/a b");
    std::fs::create_dir_all(folder.join(EVENTS)).unwrap();
    std::fs::create_dir_all(root.path().join("pages")).unwrap();
    std::fs::write(folder.join(RESULTS), to_json_line(&build_outcome("1"))).unwrap();
    let run = Run::load("r", &folder).unwrap();
    assert_eq!(run.events_link(&root.path().join("pages")), "../runs/a%20b/events");
    assert_eq!(run.events_link(&folder), "events");
    assert_eq!(events_file("a/b c"), "a_b_c.jsonl");
}
