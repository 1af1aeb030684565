//! The run log and the list made of it.

use super::{Desk, call, event, finished, result, started, whole_run};
use vitrine_domain::{AppError, ErrorCode, RunReport, RunStatus};
use vitrine_store::{Store, StoreError};

const AT: &str = "2026-03-01T10:00:00Z";

#[test]
fn the_header_follows_the_events_as_they_come() {
    let desk = Desk::new();
    let stands = |seq: u32, body| {
        desk.store.append(&event("r", seq, body)).unwrap();
        let run = desk.store.run("r").unwrap();
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
    assert_eq!(RunReport::fold(&events).status(), RunStatus::Answered);
}

#[test]
fn failed_and_cancelled_runs_say_why() {
    let desk = Desk::new();
    for (id, code, status) in
        [("a", ErrorCode::Query, RunStatus::Failed), ("b", ErrorCode::Cancelled, RunStatus::Cancelled)]
    {
        desk.store.append(&event(id, 1, started("?", AT))).unwrap();
        desk.store.append(&event(id, 2, finished(Some(AppError::new(code, "No such table."))))).unwrap();
        let run = desk.store.run(id).unwrap();
        assert_eq!((run.status, run.error.as_deref()), (status, Some("No such table.")));
    }
}

#[test]
fn a_log_has_no_gaps_no_repeats_and_one_beginning_and_end() {
    let desk = Desk::new();
    let append = |seq, body| desk.store.append(&event("r", seq, body)).unwrap_err().to_string();
    assert!(append(1, call(1)).contains("a run begins with RunStarted"));
    assert!(append(2, started("?", AT)).contains("the next one is 1"));
    desk.store.append(&event("r", 1, started("?", AT))).unwrap();
    assert_eq!(append(3, call(1)), "event 3 of run r cannot be stored: the next one is 2");
    assert_eq!(append(1, started("?", AT)), "event 1 of run r cannot be stored: the next one is 2");
    assert!(append(2, started("?", AT)).contains("begun already"));
    desk.store.append(&event("r", 2, finished(None))).unwrap();
    assert!(append(3, call(1)).contains("has ended"));
    assert_eq!(desk.store.events("r", 0).unwrap().len(), 2, "what was refused has left nothing behind");
}

#[test]
fn runs_are_found_by_words_of_their_question_the_latest_first() {
    let desk = Desk::new();
    desk.run("1", "Umsatz in ÖSTERREICH 2023", "2026-01-01T00:00:00Z");
    desk.run("2", "100% of the stores", "2026-01-03T00:00:00Z");
    desk.run("3", "Umsatz 2024", "2026-01-02T00:00:00Z");
    let found =
        |search: &str| desk.store.runs(search, 10, 0).unwrap().into_iter().map(|run| run.run_id).collect::<Vec<_>>();
    assert_eq!(found(""), ["2", "3", "1"]);
    assert_eq!(found("umsatz"), ["3", "1"]);
    assert_eq!(found("österreich umsatz"), ["1"]);
    assert_eq!(found("100%"), ["2"]);
    assert!(found("1%0").is_empty() && found("_").is_empty() && found("'; DROP TABLE runs; --").is_empty());
    let page = desk.store.runs("", 1, 1).unwrap();
    assert_eq!((page.len(), page[0].run_id.as_str()), (1, "3"));
}

#[test]
fn a_run_can_be_deleted_once_it_has_ended() {
    let desk = Desk::new();
    desk.store.append(&event("r", 1, started("?", AT))).unwrap();
    assert_eq!(desk.store.delete_run("r"), Err(StoreError::StillRunning { run_id: "r".into() }));
    desk.store.append(&event("r", 2, finished(None))).unwrap();
    desk.store.delete_run("r").unwrap();
    let gone = StoreError::NotFound { what: "run", id: "r".into() };
    assert_eq!(desk.store.run("r"), Err(gone.clone()));
    assert_eq!(desk.store.events("r", 0), Err(gone.clone()));
    assert_eq!(desk.store.delete_run("r"), Err(gone));
}

#[test]
fn two_programs_share_a_workspace_and_do_not_end_each_others_runs() {
    let desk = Desk::new();
    desk.store.append(&event("window", 1, started("?", AT))).unwrap();
    let terminal = Store::open(desk.store.path()).unwrap();
    terminal.append(&event("terminal", 1, started("?", AT))).unwrap();
    assert_eq!(terminal.mark_interrupted().unwrap(), 0);
    desk.store.append(&event("window", 2, call(1))).unwrap();
    assert_eq!(terminal.run("window").unwrap().status, RunStatus::Running);
    drop(terminal);
    assert_eq!(desk.store.mark_interrupted().unwrap(), 1);
    assert_eq!(desk.store.run("terminal").unwrap().status, RunStatus::Failed);
    desk.store.append(&event("window", 3, finished(None))).unwrap();
}

#[test]
fn many_threads_write_at_once() {
    let desk = Desk::new();
    let second = Store::open(desk.store.path()).unwrap();
    std::thread::scope(|scope| {
        for (store, name) in [(&desk.store, "a"), (&desk.store, "b"), (&second, "c"), (&second, "d")] {
            scope.spawn(move || {
                store.append(&event(name, 1, started("?", AT))).unwrap();
                for seq in 2..50 {
                    store.append(&event(name, seq, call(1))).unwrap();
                    assert_eq!(store.events(name, seq - 1).unwrap().len(), 1);
                }
            });
        }
    });
    assert!(desk.store.runs("", 10, 0).unwrap().iter().all(|run| run.usage.llm_calls == 48));
}
