//! Results on a full or nearly full disk: a small file system, which only a separate program can mount for the test.

use crate::support::{Desk, whole};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use vitrine_api::{AppEvent, Folders, JobState, OutOfRoom, ResultHandle, Settings};
use vitrine_llm::Line;
use vitrine_test_servers::small_disk;

const PLACE: &str = "VITRINE_TEST_FULL_RESULTS";
const SMALL: &str = "SELECT * FROM orders ORDER BY id";

/// Returns a query for rows of about 200 bytes each.
fn rows(count: u32) -> String {
    format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) \
         SELECT i, printf('%0180d', i) AS t FROM n"
    )
}

async fn read(desk: &Desk, sql: &str) -> ResultHandle {
    let result = desk.app.open_result(desk.shop.clone(), sql.to_owned(), 10_000_000).await.unwrap();
    whole(desk, &result.result_id).await
}

/// Fills a disk except for some bytes.
fn fill(place: &Path, left: u64) {
    let free = vitrine_models::free_bytes(place).unwrap();
    let mut file = File::options().create(true).append(true).open(place.join("filler")).unwrap();
    for _ in 0..(free - left) / 4096 {
        file.write_all(&[1; 4096]).unwrap();
    }
}

/// Checks that a cut result contains its first rows in order and reports the reason.
async fn is_cut_by_the_disk(desk: &Desk, result: ResultHandle, of: u64) -> u64 {
    assert_eq!((result.complete, result.truncated, result.out_of_room), (true, true, Some(OutOfRoom::Disk)));
    let count = result.row_count;
    assert!(count > 0 && count < of, "{count}");
    let page = desk.app.result_rows(result.result_id.clone(), count - 1, 10).await.unwrap();
    assert_eq!((page.rows.len(), page.truncated, page.row_count), (1, true, count));
    assert_eq!(page.rows[0][0].as_deref(), Some(count.to_string().as_str()));
    desk.app.close_result(result.result_id).await.unwrap();
    count
}

async fn is_whole(desk: &Desk) {
    let result = read(desk, SMALL).await;
    assert_eq!((result.row_count, result.truncated, result.out_of_room), (3, false, None));
    desk.app.close_result(result.result_id).await.unwrap();
}

/// Not run separately: the part of the test that runs in the program on the small disk.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the test below"]
async fn the_program_on_a_small_disk() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let desk = Desk::new(Vec::<Line>::new()).await;
    let results = Folders::with_root(desk.folder.path()).results();
    let _ = std::fs::remove_dir(&results);
    std::os::unix::fs::symlink(&place, &results).unwrap();

    // Less space is free than large results have to leave: small results are complete nevertheless, large ones leave the free space.
    is_whole(&desk).await;
    let medium = read(&desk, &rows(50_000)).await;
    assert_eq!((medium.row_count, medium.truncated, medium.out_of_room), (50_000, false, None));
    desk.app.close_result(medium.result_id).await.unwrap();
    let large = read(&desk, &rows(200_000)).await;
    assert!(vitrine_models::free_bytes(&place).unwrap() > 10 << 20, "a large result does not take the rest of a disk");
    is_cut_by_the_disk(&desk, large, 200_000).await;

    // The disk becomes full in the middle of a result.
    fill(&place, 2 << 20);
    let result = read(&desk, &rows(50_000)).await;
    is_cut_by_the_disk(&desk, result, 50_000).await;
    is_whole(&desk).await;

    // Not a single row fits.
    fill(&place, 0);
    let error = desk.app.open_result(desk.shop.clone(), SMALL.to_owned(), 100).await.unwrap_err();
    assert!(error.message.starts_with("The disk is full") && error.hint.is_some(), "{error}");
    let empty = read(&desk, "SELECT * FROM orders WHERE id < 0").await;
    assert_eq!((empty.row_count, empty.truncated), (0, false), "nothing is no more than that");

    // A failed export leaves no file there.
    let chosen = desk.path("chosen");
    std::os::unix::fs::symlink(&place, &chosen).unwrap();
    let file = desk.chosen("answer.csv").await;
    let mut events = desk.app.subscribe_to_events();
    let job = desk
        .app
        .export_result(desk.shop.clone(), SMALL.to_owned(), file, Settings::default().csv_style(), None)
        .await
        .unwrap();
    let ended = loop {
        match events.recv().await.unwrap() {
            AppEvent::Job(event) if event.job_id == job && event.state != JobState::Running => break event,
            _ => {}
        }
    };
    assert_eq!(ended.state, JobState::Failed);
    assert!(ended.error.unwrap().message.starts_with("The disk is full"));
    let left: Vec<_> = std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["filler"]);

    std::fs::remove_file(place.join("filler")).unwrap();
    is_whole(&desk).await;
    println!("\ntold of every full disk");
}

#[test]
fn on_a_full_disk_small_results_are_whole_and_large_ones_say_that_they_are_cut() {
    small_disk::on_a_disk_of("40m", "full_disk::the_program_on_a_small_disk", PLACE, "told of every full disk");
}
