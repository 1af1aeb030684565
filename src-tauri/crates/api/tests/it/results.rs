//! Paging and exporting of results.

use crate::support::{Desk, whole};
use std::time::{Duration, Instant};

use vitrine_api::{
    AppEvent, Arrangement, AskedFor, CsvStyle, JobEvent, JobState, RowFilter, RowOrder, RowTest, SearchedColumn,
    Settings, ShownAs,
};
use vitrine_domain::ErrorCode;
use vitrine_llm::Line;

const MANY: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i, 'row ' || i AS t FROM n";
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";

async fn desk() -> Desk {
    Desk::new(Vec::<Line>::new()).await
}

fn style() -> CsvStyle {
    Settings::default().csv_style()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_result_is_whole_at_once() {
    let desk = desk().await;
    let result = desk.app.open_result(desk.shop.clone(), "SELECT * FROM orders".to_owned(), 100).await.unwrap();
    let result = if result.complete { result } else { whole(&desk, &result.result_id).await };
    assert_eq!((result.row_count, result.truncated), (3, false));
    let page = desk.app.result_rows(result.result_id, 1, 10).await.unwrap();
    assert_eq!(page.rows.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn any_part_of_a_large_result_can_be_seen() {
    let desk = desk().await;
    let result = desk.app.open_result(desk.shop.clone(), MANY.to_owned(), 1_000_000).await.unwrap();
    let handle = whole(&desk, &result.result_id).await;
    assert_eq!((handle.row_count, handle.truncated), (200_000, false));
    for offset in [0, 4_095, 123_456, 199_999] {
        let page = desk.app.result_rows(result.result_id.clone(), offset, 1).await.unwrap();
        assert_eq!(page.rows[0][1].as_deref(), Some(format!("row {}", offset + 1).as_str()));
    }
    desk.app.close_result(result.result_id.clone()).await.unwrap();
    assert_eq!(desk.app.result_rows(result.result_id, 0, 1).await.unwrap_err().code, ErrorCode::NotFound);
}

fn arrangement(order: Option<(u32, bool)>, filters: Vec<RowFilter>) -> Arrangement {
    let order = order.map(|(column, down)| RowOrder { column, down });
    Arrangement { order, filters, locale: "en-US".to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_result_is_sorted_filtered_searched_and_summed_where_it_is_kept() {
    let desk = desk().await;
    let result = desk.app.open_result(desk.shop.clone(), MANY.to_owned(), 1_000_000).await.unwrap();
    let id = whole(&desk, &result.result_id).await.result_id;
    let arrange =
        async |order, filters| desk.app.arrange_result(id.clone(), arrangement(order, filters)).await.unwrap();
    let rows = async |view: &str, offset| {
        let page = desk.app.arranged_rows(id.clone(), view.to_owned(), offset, 2).await.unwrap();
        page.rows.into_iter().map(|row| row[1].clone().unwrap()).collect::<Vec<_>>()
    };

    let down = arrange(Some((0, true)), Vec::new()).await;
    assert_eq!(down.row_count, 200_000);
    assert_eq!(rows(&down.view, 0).await, ["row 200000", "row 199999"]);
    assert_eq!(rows(&down.view, 123_456).await, ["row 76544", "row 76543"]);
    assert_eq!(rows(&down.view, 199_999).await, ["row 1"]);
    // Texts that contain numbers are sorted by these numbers.
    let texts = arrange(Some((1, false)), Vec::new()).await;
    assert_eq!(rows(&texts.view, 9).await, ["row 10", "row 11"]);

    let between = RowTest::Range { from: Some("100001".to_owned()), to: None };
    let filtered = arrange(Some((0, true)), vec![RowFilter { column: 0, test: between }]).await;
    assert_eq!(
        (filtered.row_count, rows(&filtered.view, 99_998).await),
        (100_000, vec!["row 100002".to_owned(), "row 100001".to_owned()])
    );
    let gone = desk.app.arranged_rows(id.clone(), down.view, 0, 1).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound, "the last two arrangements are kept");

    let figures =
        async |view: Option<String>| desk.app.column_figures(id.clone(), view, 0, "en-US".to_owned()).await.unwrap();
    let all = figures(None).await;
    assert_eq!((all.rows, all.nulls, all.distinct), (200_000, 0, 200_000));
    assert_eq!((all.sum.as_deref(), all.mean.as_deref()), (Some("20000100000"), Some("100000.5")));
    let some = figures(Some(filtered.view.clone())).await;
    assert_eq!(
        (some.least.as_deref(), some.most.as_deref(), some.sum.as_deref()),
        (Some("100001"), Some("200000"), Some("15000050000"))
    );

    let columns = vec![SearchedColumn { column: 1, shown: ShownAs::Exact }];
    let find = async |view: Option<String>, text: &str| {
        let found = desk.app.find_in_result(id.clone(), view, text.to_owned(), columns.clone()).await.unwrap();
        found.into_iter().map(|cell| cell.row).collect::<Vec<_>>()
    };
    assert_eq!(
        find(None, "ROW 12345").await,
        [12_344, 123_449, 123_450, 123_451, 123_452, 123_453, 123_454, 123_455, 123_456, 123_457, 123_458]
    );
    assert_eq!(find(Some(filtered.view.clone()), "row 199999").await, [1]);
    assert_eq!(find(None, "row").await.len(), 10_000, "more are not counted");

    let selected = desk.app.selection_figures(id.clone(), Some(filtered.view), 0, 3, vec![0, 1]).await.unwrap();
    assert_eq!((selected.cells, selected.count, selected.sum.as_deref()), (6, 6, Some("599997")));
}

#[tokio::test(flavor = "multi_thread")]
async fn sorting_can_be_stopped_and_waits_for_the_last_row() {
    let desk = desk().await;
    let slow = format!("SELECT i, (SELECT count(*) FROM ({ENDLESS} LIMIT 5000)) FROM ({ENDLESS})");
    let result = desk.app.open_result(desk.shop.clone(), slow, 1_000_000).await.unwrap();
    let reading = desk.app.arrange_result(result.result_id.clone(), arrangement(Some((0, true)), Vec::new())).await;
    assert_eq!(reading.unwrap_err().code, ErrorCode::Usage);
    desk.app.close_result(result.result_id).await.unwrap();

    let result = desk.app.open_result(desk.shop.clone(), MANY.to_owned(), 1_000_000).await.unwrap();
    let id = whole(&desk, &result.result_id).await.result_id;
    let sorting = desk.app.arrange_result(id.clone(), arrangement(Some((1, true)), Vec::new()));
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        desk.app.stop_arranging(id.clone()).await.unwrap();
    };
    let (sorted, ()) = tokio::join!(sorting, stopping);
    assert_eq!(sorted.unwrap_err().code, ErrorCode::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_limit_cuts_and_says_so() {
    let desk = desk().await;
    let result = desk.app.open_result(desk.shop.clone(), ENDLESS.to_owned(), 5_000).await.unwrap();
    let handle = whole(&desk, &result.result_id).await;
    assert_eq!((handle.row_count, handle.truncated), (5_000, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_stopped_keeps_its_rows() {
    let desk = desk().await;
    let slow = format!("SELECT i, (SELECT count(*) FROM ({ENDLESS} LIMIT 5000)) FROM ({ENDLESS})");
    let result = desk.app.open_result(desk.shop.clone(), slow, 1_000_000).await.unwrap();
    desk.app.cancel_result(result.result_id.clone()).await.unwrap();
    let handle = whole(&desk, &result.result_id).await;
    assert!(handle.truncated && handle.row_count >= result.row_count);
    assert!(!desk.app.result_rows(result.result_id, 0, 1).await.unwrap().rows.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_without_rows_yet_is_stopped_by_its_text() {
    let desk = desk().await;
    let endless = format!("SELECT count(*) FROM ({ENDLESS})");
    for what in [AskedFor::Rows, AskedFor::RowsBehind] {
        let begun = Instant::now();
        let asked = async {
            match what {
                AskedFor::Rows => desk.app.open_result(desk.shop.clone(), endless.clone(), 100).await.map(drop),
                _ => desk.app.rows_behind(desk.shop.clone(), endless.clone(), vec![None], None).await.map(drop),
            }
        };
        let (asked, ()) = tokio::join!(asked, async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            // Another text, or another request with it, stops nothing.
            desk.app.stop_asking(what, desk.shop.clone(), "SELECT 1".to_owned()).await.unwrap();
            desk.app.stop_asking(AskedFor::Plan, desk.shop.clone(), endless.clone()).await.unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert!(begun.elapsed() < Duration::from_secs(5));
            desk.app.stop_asking(what, desk.shop.clone(), endless.clone()).await.unwrap();
        });
        assert_eq!(asked.unwrap_err().code, ErrorCode::Cancelled, "{what:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{what:?}: {:?}", begun.elapsed());
    }
    // A result that is open continues to read, whatever is stopped after that.
    let result = desk.app.open_result(desk.shop.clone(), MANY.to_owned(), 1_000_000).await.unwrap();
    desk.app.stop_asking(AskedFor::Rows, desk.shop.clone(), MANY.to_owned()).await.unwrap();
    assert!(!whole(&desk, &result.result_id).await.truncated);
}

async fn last(events: &mut tokio::sync::broadcast::Receiver<AppEvent>, job_id: &str) -> JobEvent {
    loop {
        if let AppEvent::Job(job) = events.recv().await.unwrap()
            && job.job_id == job_id
            && job.state != JobState::Running
        {
            return job;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_writes_every_row_and_tells_how_far_it_is() {
    let desk = desk().await;
    let mut events = desk.app.subscribe_to_events();
    let path = desk.path("chosen/out.csv");
    let sql = "SELECT name, country FROM customers ORDER BY id".to_owned();
    let job_id =
        desk.app.export_result(desk.shop.clone(), sql, desk.chosen("out.csv").await, style(), None).await.unwrap();
    let job = last(&mut events, &job_id).await;
    assert_eq!((job.state, job.done, job.error), (JobState::Done, 3, None));
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), ["name,country", "Ada,UK", "Grace,US", "'=1+2,US"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_export_leaves_no_file() {
    let desk = desk().await;
    let mut events = desk.app.subscribe_to_events();
    let path = desk.path("chosen/endless.csv");
    let file = desk.chosen("endless.csv").await;
    let job_id = desk.app.export_result(desk.shop.clone(), ENDLESS.to_owned(), file, style(), None).await.unwrap();
    desk.app.cancel_job(job_id.clone()).await.unwrap();
    assert_eq!(last(&mut events, &job_id).await.state, JobState::Cancelled);
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_to_nowhere_fails_in_words() {
    let desk = desk().await;
    let mut events = desk.app.subscribe_to_events();
    let file = desk.chosen("out.csv").await;
    std::fs::remove_dir_all(desk.path("chosen")).unwrap();
    let job_id = desk.app.export_result(desk.shop.clone(), "SELECT 1".to_owned(), file, style(), None).await.unwrap();
    let job = last(&mut events, &job_id).await;
    assert_eq!(job.state, JobState::Failed);
    assert!(job.error.unwrap().message.contains("chosen does not exist"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_writes_no_file_but_the_one_that_was_chosen_and_that_once() {
    let desk = desk().await;
    let sql = "SELECT 1".to_owned();
    let export = async |file: String| desk.app.export_result(desk.shop.clone(), sql.clone(), file, style(), None).await;
    let named = desk.path("named.csv");
    for file in [named.display().to_string(), String::new(), "../named.csv".to_owned(), named.display().to_string()] {
        let refused = export(file).await.unwrap_err();
        assert!(refused.code == ErrorCode::Usage && refused.hint.is_some(), "{refused}");
    }
    assert!(!named.exists());
    let mut events = desk.app.subscribe_to_events();
    let chosen = desk.chosen("answer.csv").await;
    // A query that does not run leaves the token of the file valid.
    let wrong =
        desk.app.export_result(desk.shop.clone(), "DROP TABLE orders".to_owned(), chosen.clone(), style(), None).await;
    assert_eq!(wrong.unwrap_err().code, ErrorCode::NotReadOnly);
    let job = export(chosen.clone()).await.unwrap();
    assert_eq!(last(&mut events, &job).await.state, JobState::Done);
    assert!(desk.path("chosen/answer.csv").exists());
    assert_eq!(export(chosen).await.unwrap_err().code, ErrorCode::Usage, "a choice is good for one file");
    // A suggested name is not used as a path.
    let file = desk.app.pick_save_file("../../x/answer.csv".to_owned()).await.unwrap().unwrap();
    assert_eq!(file.path, desk.path("chosen/answer.csv").display().to_string());
    let run = desk.app.export_run("0199b1de-0000-7000-8000-000000000000".to_owned(), named.display().to_string()).await;
    assert_eq!(run.unwrap_err().code, ErrorCode::Usage);
    assert!(!named.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_written_can_be_shown_in_its_folder() {
    let desk = desk().await;
    let chosen = desk.chosen("audit.csv").await;
    assert!(desk.app.show_in_folder(chosen.clone()).await.is_err(), "nothing is written yet");
    desk.app.export_audit(chosen.clone()).await.unwrap();
    desk.app.show_in_folder(chosen).await.unwrap();
    let shown = std::fs::read_to_string(desk.path("chosen/shown")).unwrap();
    assert_eq!(shown, desk.path("chosen/audit.csv").display().to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_without_dialogs_lets_no_file_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let app = vitrine_api::App::open(crate::support::options(folder.path(), Vec::new())).await.unwrap();
    assert!(app.pick_save_file("a.csv".to_owned()).await.is_err());
}
