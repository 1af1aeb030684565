//! Tests of the run log and the list of runs.

use super::{Desk, call, event, finished, result, started, whole_run};
use rusqlite::Connection;
use vitrine_domain::{
    AppError, Certainty, CertaintyLevel, ErrorCode, EventBody, Headline, HeadlineShape, RewrittenQuestion, RunReport,
    RunStatus,
};
use vitrine_store::{Store, StoreError};

const AT: &str = "2026-03-01T10:00:00Z";

#[test]
fn the_header_follows_the_events_as_they_come() {
    let desk = Desk::new();
    let stands = |seq: u32, body| {
        desk.store.append_event(&event("r", seq, body)).unwrap();
        let run = desk.store.run_header("r").unwrap();
        (run.status, run.row_count, run.usage.prompt_tokens, run.wall_ms, run.finished_at)
    };
    assert_eq!(stands(1, started("How many?", AT)), (RunStatus::Running, None, 0, 100, None));
    assert_eq!(stands(2, call(90)), (RunStatus::Running, None, 90, 200, None));
    assert_eq!(stands(3, result(7)), (RunStatus::Running, Some(7), 90, 300, None));
    assert_eq!(
        stands(4, finished(None)),
        (RunStatus::Answered, Some(7), 90, 400, Some("2026-03-01T10:00:00.400Z".into()))
    );
    let events = desk.store.events("r", 0).unwrap();
    assert_eq!(events, whole_run("r", "How many?", AT));
    assert_eq!(desk.store.events("r", 3).unwrap(), events[3..]);
    assert_eq!(desk.store.events("r", 4).unwrap(), []);
    assert_eq!(RunReport::from_events(&events).status(), RunStatus::Answered);
}

#[test]
fn the_list_says_how_sure_an_answer_is_and_takes_over_a_change_of_mind() {
    let desk = Desk::new();
    let estimate = |level, firm| EventBody::CertaintyEstimated {
        node: "result".into(),
        certainty: Certainty { level, probability: 0.9, reasons: Vec::new() },
        firm,
    };
    let stands = |seq: u32, body| {
        desk.store.append_event(&event("r", seq, body)).unwrap();
        desk.store.run_header("r").unwrap().certainty
    };
    assert_eq!(stands(1, started("How many?", AT)), None);
    assert_eq!(stands(2, result(7)), None);
    assert_eq!(stands(3, estimate(CertaintyLevel::Sure, false)), Some(CertaintyLevel::Sure));
    assert_eq!(stands(4, call(90)), Some(CertaintyLevel::Sure));
    assert_eq!(stands(5, estimate(CertaintyLevel::Check, true)), Some(CertaintyLevel::Check));
    assert_eq!(stands(6, finished(None)), Some(CertaintyLevel::Check));
}

#[test]
fn failed_and_cancelled_runs_say_why() {
    let desk = Desk::new();
    for (id, code, status) in
        [("a", ErrorCode::Query, RunStatus::Failed), ("b", ErrorCode::Cancelled, RunStatus::Cancelled)]
    {
        desk.store.append_event(&event(id, 1, started("?", AT))).unwrap();
        desk.store.append_event(&event(id, 2, finished(Some(AppError::new(code, "No such table."))))).unwrap();
        let run = desk.store.run_header(id).unwrap();
        assert_eq!((run.status, run.error.as_deref()), (status, Some("No such table.")));
    }
}

#[test]
fn a_log_has_no_gaps_no_repeats_and_one_beginning_and_end() {
    let desk = Desk::new();
    let append = |seq, body| desk.store.append_event(&event("r", seq, body)).unwrap_err().to_string();
    assert!(append(1, call(1)).contains("a run begins with RunStarted"));
    assert!(append(2, started("?", AT)).contains("the next one is 1"));
    desk.store.append_event(&event("r", 1, started("?", AT))).unwrap();
    assert_eq!(append(3, call(1)), "event 3 of run r cannot be stored: the next one is 2");
    assert_eq!(append(1, started("?", AT)), "event 1 of run r cannot be stored: the next one is 2");
    assert!(append(2, started("?", AT)).contains("begun already"));
    desk.store.append_event(&event("r", 2, finished(None))).unwrap();
    assert!(append(3, call(1)).contains("has ended"));
    assert_eq!(desk.store.events("r", 0).unwrap().len(), 2, "what was refused has left nothing behind");
}

#[test]
fn runs_are_found_by_words_of_their_question_the_latest_first() {
    let desk = Desk::new();
    desk.run("1", "Umsatz in ÖSTERREICH 2023", "2026-01-01T00:00:00Z");
    desk.run("2", "100% of the stores", "2026-01-03T00:00:00Z");
    desk.run("3", "Umsatz 2024", "2026-01-02T00:00:00Z");
    let found = |search: &str| {
        desk.store.find_runs(search, 10, 0).unwrap().into_iter().map(|run| run.run_id).collect::<Vec<_>>()
    };
    assert_eq!(found(""), ["2", "3", "1"]);
    assert_eq!(found("umsatz"), ["3", "1"]);
    assert_eq!(found("österreich umsatz"), ["1"]);
    assert_eq!(found("100%"), ["2"]);
    assert!(found("1%0").is_empty() && found("_").is_empty() && found("'; DROP TABLE runs; --").is_empty());
    let page = desk.store.find_runs("", 1, 1).unwrap();
    assert_eq!((page.len(), page[0].run_id.as_str()), (1, "3"));
}

#[test]
fn a_run_is_found_by_everything_that_is_shown_of_it() {
    let desk = Desk::new();
    desk.run("other", "Sales?", "2026-01-01T00:00:00Z");
    let rewritten = RewrittenQuestion {
        task: "Count distinct customers".into(),
        filters: vec!["Only web orders".into()],
        ..RewrittenQuestion::default()
    };
    let headline = Headline {
        shape: HeadlineShape::Value,
        labels: Vec::new(),
        measure: None,
        adds_up: true,
        highest: None,
        lowest: None,
        meanings: vec![Some("number of buyers".into())],
        tables: vec!["order_lines".into()],
        conditions: vec!["country is “Norway”".into()],
        limited: false,
    };
    let mut ready = result(1);
    if let EventBody::ResultReady { page, headline: told, sql, .. } = &mut ready {
        page.rows = vec![vec![Some("18462".into())]];
        (*told, *sql) = (Some(headline), "SELECT count(*) FROM order_lines".into());
    }
    let bodies = [
        started("How many?", "2026-01-02T00:00:00Z"),
        EventBody::Rewritten { node: "rewriter".into(), rewritten },
        ready,
        finished(None),
    ];
    for (at, body) in bodies.into_iter().enumerate() {
        desk.store.append_event(&event("r1", at as u32 + 1, body)).unwrap();
    }
    let found = |search: &str| -> Vec<String> {
        desk.store.search_history(search, None, 10, 0).unwrap().into_iter().map(|run| run.run_id).collect()
    };
    for shown in [
        "how many",
        "distinct CUSTOMERS web",
        "count(*)",
        "order lines",
        "order_lines",
        "buyers norway",
        "18,462",
        "18462",
    ] {
        assert_eq!(found(shown), ["r1"], "{shown}");
    }
    assert_eq!(found("sweden").len(), 0);
    assert_eq!(found("").len(), 2);
}

#[test]
fn a_run_can_be_deleted_once_it_has_ended() {
    let desk = Desk::new();
    desk.store.append_event(&event("r", 1, started("?", AT))).unwrap();
    assert_eq!(desk.store.delete_run("r"), Err(StoreError::StillRunning { run_id: "r".into() }));
    desk.store.append_event(&event("r", 2, finished(None))).unwrap();
    desk.store.delete_run("r").unwrap();
    let gone = StoreError::NotFound { what: "run", id: "r".into() };
    assert_eq!(desk.store.run_header("r"), Err(gone.clone()));
    assert_eq!(desk.store.events("r", 0), Err(gone.clone()));
    assert_eq!(desk.store.delete_run("r"), Err(gone));
}

#[test]
fn two_programs_share_a_workspace_and_do_not_end_each_others_runs() {
    let desk = Desk::new();
    desk.store.append_event(&event("window", 1, started("?", AT))).unwrap();
    let terminal = Store::open(desk.store.path()).unwrap();
    terminal.append_event(&event("terminal", 1, started("?", AT))).unwrap();
    assert_eq!(terminal.mark_interrupted().unwrap(), 0);
    desk.store.append_event(&event("window", 2, call(1))).unwrap();
    assert_eq!(terminal.run_header("window").unwrap().status, RunStatus::Running);
    drop(terminal);
    assert_eq!(desk.store.mark_interrupted().unwrap(), 1);
    assert_eq!(desk.store.run_header("terminal").unwrap().status, RunStatus::Failed);
    desk.store.append_event(&event("window", 3, finished(None))).unwrap();
}

#[test]
fn many_threads_write_at_once() {
    let desk = Desk::new();
    let second = Store::open(desk.store.path()).unwrap();
    std::thread::scope(|scope| {
        for (store, name) in [(&desk.store, "a"), (&desk.store, "b"), (&second, "c"), (&second, "d")] {
            scope.spawn(move || {
                store.append_event(&event(name, 1, started("?", AT))).unwrap();
                for seq in 2..50 {
                    store.append_event(&event(name, seq, call(1))).unwrap();
                    assert_eq!(store.events(name, seq - 1).unwrap().len(), 1);
                }
            });
        }
    });
    assert!(desk.store.find_runs("", 10, 0).unwrap().iter().all(|run| run.usage.llm_calls == 48));
}

/// Changes a workspace from another connection.
fn tamper(desk: &Desk, sql: &str) {
    Connection::open(desk.store.path()).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_run_with_an_unreadable_event_is_ended_and_shown_with_the_rest() {
    let unreadable = [
        "UPDATE run_events SET body = '{\"kind\":\"fromTheFuture\"}' WHERE seq = 2",
        "UPDATE run_events SET body = 'no JSON' WHERE seq = 2",
        "UPDATE run_events SET body = x'ff00fe' WHERE seq = 2",
        "UPDATE run_events SET at_ms = 'late' WHERE seq = 2",
        "UPDATE run_events SET body = '' WHERE seq = 2; UPDATE runs SET usage = 'none', last_seq = 99",
    ];
    for damage in unreadable {
        let desk = Desk::new();
        let after = |seq, body| desk.store.append_event(&event("cut off", seq, body)).unwrap();
        after(1, started("How many?", AT));
        after(2, call(5));
        after(3, call(7));
        tamper(&desk, damage);
        let stored = "SELECT at_ms || quote(body) FROM run_events WHERE seq = 2";
        let look = |path: &std::path::Path| {
            Connection::open(path).unwrap().query_row(stored, [], |row| row.get::<_, String>(0)).unwrap()
        };
        let (path, kept) = (desk.store.path().to_owned(), look(desk.store.path()));
        drop(desk.store);

        let store = Store::open(&path).unwrap_or_else(|error| panic!("{damage}: {error}"));
        assert_eq!(store.run_header("cut off").unwrap().status, RunStatus::Failed, "{damage}");
        assert_eq!(store.find_runs("", 10, 0).unwrap().len(), 1);
        let events = store.events("cut off", 0).unwrap();
        assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 2, 3, 4], "{damage}");
        let report = RunReport::from_events(&events);
        assert_eq!((report.question.as_str(), report.usage.prompt_tokens), ("How many?", 7), "{damage}");
        assert!(matches!(report.warnings.as_slice(), [told] if told.contains("Event 2 of this run cannot be read")));
        assert_eq!(look(&path), kept, "what cannot be read stays as it is");
        assert_eq!(Store::open(&path).unwrap().events("cut off", 0).unwrap(), events, "it ends once");
    }
}

#[test]
fn a_run_whose_beginning_or_end_cannot_be_read_is_still_told_by_its_header() {
    let desk = Desk::new();
    desk.run("r", "How many?", AT);
    tamper(&desk, "UPDATE run_events SET body = '{}' WHERE seq IN (1, 4)");
    let report = RunReport::from_events(&desk.store.events("r", 0).unwrap());
    assert_eq!((report.status(), report.page.map(|page| page.row_count)), (RunStatus::Answered, Some(7)));
    assert!(report.warnings[0].contains("It asked 'How many?' of duckdb:/tmp/shop.duckdb"), "{:?}", report.warnings);

    desk.store.append_event(&event("f", 1, started("?", AT))).unwrap();
    let wrong = AppError::new(ErrorCode::Query, "No such table.");
    desk.store.append_event(&event("f", 2, finished(Some(wrong)))).unwrap();
    tamper(&desk, "UPDATE run_events SET body = '{}' WHERE run_id = 'f' AND seq = 2");
    let last = desk.store.events("f", 1).unwrap().remove(0).body;
    let EventBody::RunFinished { error: Some(error), .. } = last else { panic!("{last:?}") };
    assert!(error.message == "No such table." && error.hint.unwrap().contains("cannot be read"));
}
