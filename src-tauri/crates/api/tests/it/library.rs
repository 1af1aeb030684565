//! The library in the same form as the window uses it.

use crate::support::Desk;
use std::collections::BTreeMap;
use vitrine_api::{ParameterKind, SavedDraft, SavedQuestion, SavedStatus, TypedValue};
use vitrine_domain::ErrorCode;
use vitrine_llm::Line;

const SQL: &str = "SELECT country, count(*) AS n FROM customers GROUP BY country ORDER BY n DESC";

async fn desk() -> Desk {
    Desk::new(Vec::<Line>::new()).await
}

fn draft(desk: &Desk, sql: &str) -> SavedDraft {
    SavedDraft {
        id: None,
        title: "By country".to_owned(),
        question: "How many customers are there in each country?".to_owned(),
        sql: sql.to_owned(),
        code: None,
        warehouse: desk.shop.clone(),
        status: SavedStatus::Draft,
        run_id: None,
        notes: String::new(),
    }
}

/// Saves a question while its database is open, so that its tables are known.
async fn saved(desk: &Desk, sql: &str) -> SavedQuestion {
    desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    desk.app.save_question(draft(desk, sql)).await.unwrap()
}

fn change_the_shop(desk: &Desk, sql: &str) {
    rusqlite::Connection::open(desk.path("shop.db")).unwrap().execute_batch(sql).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_question_opens_on_what_it_gave_last_and_runs_again_when_asked() {
    let desk = desk().await;
    let app = &desk.app;
    let question = saved(&desk, SQL).await;
    assert_eq!(app.saved_result(question.id.clone()).await.unwrap(), None, "nobody has run it");
    let first = app.run_saved(question.id.clone(), BTreeMap::new()).await.unwrap();
    assert_eq!(first.page.rows[0], [Some("US".to_owned()), Some("2".to_owned())]);
    assert_eq!(first.headline.as_ref().unwrap().measure, Some(1));
    change_the_shop(&desk, "INSERT INTO customers VALUES (4, 'Kurt', 'DE')");
    assert_eq!(app.saved_result(question.id.clone()).await.unwrap(), Some(first.clone()), "what it gave then");
    let again = app.run_saved(question.id.clone(), BTreeMap::new()).await.unwrap();
    assert_eq!((again.page.row_count, again.at >= first.at), (3, true));

    // The result of another query is not shown as its result.
    let changed = SavedDraft { id: Some(question.id.clone()), ..draft(&desk, "SELECT count(*) FROM customers") };
    app.save_question(changed).await.unwrap();
    assert_eq!(app.saved_result(question.id.clone()).await.unwrap(), None);
    app.delete_saved(question.id.clone()).await.unwrap();
    assert_eq!(app.run_saved(question.id, BTreeMap::new()).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_saved_shows_its_rows_without_being_run() {
    let desk = Desk::new(vec![SQL]).await;
    let run_id = desk.ask("How many customers are there in each country?").await.unwrap();
    desk.all(&run_id).await;
    let sql = desk.app.run_report(run_id.clone()).await.unwrap().sql.unwrap();
    let kept = desk.app.save_question(SavedDraft { run_id: Some(run_id), ..draft(&desk, &sql) }).await.unwrap();
    change_the_shop(&desk, "DELETE FROM orders; DELETE FROM customers");
    let shown = desk.app.saved_result(kept.id.clone()).await.unwrap().expect("its run ran this query");
    assert_eq!(shown.page.row_count, 2);
    assert!(shown.at < kept.created_at && shown.headline.is_some());
    let edited = SavedDraft { id: Some(kept.id.clone()), ..draft(&desk, "SELECT name FROM customers") };
    desk.app.save_question(edited).await.unwrap();
    assert_eq!(desk.app.saved_result(kept.id).await.unwrap(), None, "its run ran another query");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_marked_as_checked_with_what_it_gave() {
    let desk = desk().await;
    let question = saved(&desk, SQL).await;
    let marked =
        desk.app.mark_saved(question.id.clone(), SavedStatus::Verified, Some(" ann ".to_owned())).await.unwrap();
    let check = marked.question.filing.checked.clone().unwrap();
    assert_eq!((check.by.as_str(), check.result.unwrap().rows, marked.same), ("ann", 2, None));
    // Without a name, the user of this computer is recorded.
    let again = desk.app.mark_saved(question.id.clone(), SavedStatus::Verified, Some(" ".to_owned())).await.unwrap();
    assert!(again.same == Some(true) && !again.question.filing.checked.unwrap().by.trim().is_empty());
    let broken = saved(&desk, "SELECT nothing FROM customers").await;
    assert!(desk.app.mark_saved(broken.id.clone(), SavedStatus::Verified, None).await.is_err());
    let kept = desk.app.saved(String::new()).await.unwrap();
    assert_eq!(kept.iter().find(|other| other.id == broken.id).unwrap().status, SavedStatus::Draft);
}

#[tokio::test(flavor = "multi_thread")]
async fn verifying_a_question_is_its_last_run() {
    let desk = desk().await;
    let question = saved(&desk, SQL).await;
    let before = desk.app.run_saved(question.id.clone(), BTreeMap::new()).await.unwrap();
    change_the_shop(&desk, "INSERT INTO customers VALUES (4, 'Kurt', 'DE')");
    desk.app.mark_saved(question.id.clone(), SavedStatus::Reviewed, None).await.unwrap();
    assert_eq!(desk.app.saved_result(question.id.clone()).await.unwrap(), Some(before.clone()), "reading runs nothing");
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    desk.app.mark_saved(question.id.clone(), SavedStatus::Verified, None).await.unwrap();
    let after = desk.app.saved_result(question.id.clone()).await.unwrap().unwrap();
    assert!(after.at > before.at, "{} is the time of the last run", after.at);
    assert_eq!((before.page.row_count, after.page.row_count, after.page.rows.len()), (2, 3, 3));
    assert_eq!(after.headline.unwrap().measure, Some(1));

    // The number of stored rows is limited as in any other run; the total number is still known.
    let mut settings = desk.app.settings().await.unwrap();
    settings.row_limit = 2;
    desk.app.set_settings(settings).await.unwrap();
    desk.app.mark_saved(question.id.clone(), SavedStatus::Verified, None).await.unwrap();
    let cut = desk.app.saved_result(question.id).await.unwrap().unwrap();
    assert_eq!((cut.page.row_count, cut.page.rows.len()), (3, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn drift_is_told_by_name_and_of_open_databases_alone() {
    let desk = desk().await;
    let question = saved(&desk, SQL).await;
    assert!(desk.app.saved_drifts().await.unwrap().is_empty());
    change_the_shop(&desk, "ALTER TABLE customers RENAME COLUMN country TO land");
    desk.app.forget_warehouse(desk.shop.clone()).await.unwrap();
    assert!(desk.app.saved_drifts().await.unwrap().is_empty(), "nothing is opened for a list");
    desk.app.confirm_warehouse(&desk.shop).await;
    desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    let drifts = desk.app.saved_drifts().await.unwrap();
    assert_eq!((&drifts[0].id, drifts[0].changes.len()), (&question.id, 1));
    assert!(drifts[0].changes[0].contains("customers.country no longer exists"));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_go_only_where_the_user_chose_and_once() {
    let desk = desk().await;
    let question = saved(&desk, SQL).await;
    let other = desk.app.save_question(draft(&desk, "SELECT 1")).await.unwrap();
    desk.app.file_saved(question.id.clone(), "Sales".to_owned(), vec!["finance".to_owned()]).await.unwrap();
    let named = desk.path("elsewhere").display().to_string();
    assert!(desk.app.export_library(vec![question.id.clone()], named).await.is_err(), "a path is no token");
    let token = desk.app.pick_folder().await.unwrap().unwrap().token;
    let done = desk.app.export_library(vec![question.id.clone()], token.clone()).await.unwrap();
    assert_eq!(done.written.len(), 1, "and not {}", other.title);
    assert!(done.written[0].starts_with(desk.path("chosen/Sales")));
    assert!(desk.app.export_library(vec![question.id.clone()], token.clone()).await.is_err(), "it is spent");
    desk.app.show_in_folder(token).await.unwrap();

    desk.app.delete_saved(question.id.clone()).await.unwrap();
    let token = desk.app.pick_folder().await.unwrap().unwrap().token;
    let back = desk.app.import_library(token.clone(), false).await.unwrap();
    assert_eq!((back.added, back.refused), (vec!["By country".to_owned()], Vec::new()));
    assert!(desk.app.import_library(token, false).await.is_err());
    let found = desk.app.saved("finance".to_owned()).await.unwrap();
    assert_eq!((found[0].id.as_str(), found[0].filing.folder.as_str()), (question.id.as_str(), "Sales"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_evidence_of_a_run_is_one_file_that_can_be_checked() {
    let desk = Desk::new(vec![SQL]).await;
    let run_id = desk.ask("How many customers are there in each country?").await.unwrap();
    desk.all(&run_id).await;
    let token = desk.chosen("proof.zip").await;
    let manifest = desk.app.export_bundle(run_id.clone(), token, false).await.unwrap();
    assert_eq!((manifest.run_id.as_str(), manifest.rows), (run_id.as_str(), 2));
    let path = desk.path("chosen/proof.zip").display().to_string();
    let look = desk.app.inspect_bundle(path.clone(), None).await.unwrap();
    assert!(look.problems.is_empty() && look.replayed && !look.rerun, "{:?}", look.problems);
    change_the_shop(&desk, "INSERT INTO customers VALUES (4, 'Kurt', 'DE')");
    let again = desk.app.inspect_bundle(path, Some(desk.shop.clone())).await.unwrap();
    assert!(again.rerun && again.problems.iter().any(|problem| problem.contains("3")), "{:?}", again.problems);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_question_runs_with_other_values_and_keeps_its_own() {
    let desk = desk().await;
    let app = &desk.app;
    let question = saved(&desk, "SELECT name FROM customers WHERE country = 'UK' ORDER BY name LIMIT 5").await;
    let found = app.query_parameters(desk.shop.clone(), question.sql.clone()).await.unwrap();
    assert_eq!(
        found.iter().map(|p| (p.name.as_str(), p.value.as_str())).collect::<Vec<_>>(),
        [("country", "UK"), ("limit", "5")]
    );
    let asked = app.set_parameters(question.id.clone(), vec!["country".to_owned()]).await.unwrap();
    assert_eq!(asked.filing.parameters, ["country"]);
    assert!(
        app.set_parameters(question.id.clone(), vec!["city".to_owned()])
            .await
            .unwrap_err()
            .hint
            .unwrap()
            .contains("country, limit")
    );

    let values = |country: &str| BTreeMap::from([("country".to_owned(), country.to_owned())]);
    let own = app.run_saved(question.id.clone(), BTreeMap::new()).await.unwrap();
    let other = app.run_saved(question.id.clone(), values("US")).await.unwrap();
    assert_eq!((own.page.rows[0][0].as_deref(), other.page.row_count), (Some("Ada"), 2));
    assert_eq!(app.saved_result(question.id.clone()).await.unwrap(), Some(own), "the result of its own query");
    let none = app.run_saved(question.id.clone(), values("' OR 1=1 --")).await.unwrap();
    assert_eq!(none.page.row_count, 0, "a value is no part of the query");

    // A query that still has the parameter keeps it.
    let draft = |sql: &str| SavedDraft { id: Some(question.id.clone()), ..draft(&desk, sql) };
    let edited = app.save_question(draft("SELECT count(*) FROM customers WHERE country = 'US'")).await.unwrap();
    assert_eq!(edited.filing.parameters, ["country"]);
    let edited = app.save_question(draft("SELECT count(*) FROM customers")).await.unwrap();
    assert!(edited.filing.parameters.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_leaves_places_open_is_filled_by_kind_and_saved_with_its_values() {
    let desk = desk().await;
    let app = &desk.app;
    let sql =
        "SELECT name FROM customers WHERE country = :land AND id >= :first AND name <> ':land' AND 0 < 1 LIMIT :most";
    let found = app.query_parameters(desk.shop.clone(), sql.to_owned()).await.unwrap();
    let found: Vec<_> = found.iter().map(|p| (p.name.as_str(), p.kind, p.value.as_str(), p.open)).collect();
    let (text, number) = (ParameterKind::Text, ParameterKind::Number);
    let open = [("land", text, "", true), ("first", number, "", true), ("most", number, "", true)];
    assert_eq!(found, [&open[..], &[("name", text, ":land", false)]].concat());

    let values = |pairs: &[(&str, &str)]| -> BTreeMap<String, TypedValue> {
        let value =
            |(name, value): &(&str, &str)| ((*name).to_owned(), TypedValue { kind: None, value: (*value).to_owned() });
        pairs.iter().map(value).collect()
    };
    let fill = |pairs: &[(&str, &str)]| app.fill_query(desk.shop.clone(), sql.to_owned(), values(pairs));
    let filled = fill(&[("land", "US"), ("first", "2"), ("most", "5"), ("name", "it's")]).await.unwrap();
    let expected =
        "SELECT name FROM customers WHERE country = 'US' AND id >= 2 AND name <> 'it\'\'s' AND 0 < 1 LIMIT 5";
    assert_eq!((filled.sql.as_str(), filled.parameters.as_slice()), (expected, &PARAMETERS.map(str::to_owned)[..]));
    let question = saved(&desk, &filled.sql).await;
    let asked = app.set_parameters(question.id.clone(), filled.parameters).await.unwrap();
    assert_eq!(asked.filing.parameters, PARAMETERS);
    assert_eq!(app.run_saved(question.id, BTreeMap::new()).await.unwrap().page.row_count, 2);

    // A value is never interpreted as SQL, and nothing runs without a value.
    let hostile = fill(&[("land", "' OR 1=1 --"), ("first", "1"), ("most", "5")]).await.unwrap();
    assert!(hostile.sql.contains("country = '\'\' OR 1=1 --' AND"), "{}", hostile.sql);
    for (pairs, said) in [
        (&[("land", "US"), ("first", "1 OR 1=1"), ("most", "5")][..], "'first' has to be a number"),
        (&[("land", "US"), ("first", "1")], "'most' has no value"),
        (&[("land", "US"), ("first", "1"), ("most", "5"), ("city", "x")], "no parameter 'city'"),
    ] {
        let refused = fill(pairs).await.unwrap_err();
        assert!(refused.code == ErrorCode::Usage && refused.message.contains(said), "{refused}");
    }
    let writes =
        app.fill_query(desk.shop.clone(), "DELETE FROM customers WHERE id = :id".to_owned(), values(&[("id", "1")]));
    assert_eq!(writes.await.unwrap_err().code, ErrorCode::NotReadOnly);
}

/// Names that the library gives the parameters.
const PARAMETERS: [&str; 4] = ["country", "id_from", "name", "limit"];
