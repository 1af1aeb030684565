//! A database that reports the bytes that its queries read: counts, estimates and limits, with ClickHouse's own engine.

use crate::connected::keep;
use crate::support::Desk;
use vitrine_api::ConnectionDraft;
use vitrine_domain::{ErrorCode, RunReport, ScanCap};
use vitrine_test_servers::clickhouse_server::ClickhouseServer;

const SQL: &str = "SELECT sum(id) AS n FROM orders";
/// Size of the column `id` in bytes.
const IDS: u64 = 8 * 200_000;

/// Changes a connection so that nothing is read ahead.
fn by_hand(change: impl FnOnce(&mut ConnectionDraft)) -> impl FnOnce(&mut ConnectionDraft) {
    move |draft| {
        draft.settings.read_ahead = false;
        change(draft);
    }
}

fn of(bytes: u64) -> ScanCap {
    ScanCap { bytes: Some(bytes), money: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_questions_read_is_counted_and_held_to_limits_in_bytes_and_in_money_at_a_price() {
    let server = ClickhouseServer::start();
    server
        .script(&[
            "CREATE TABLE orders (id Int64, note String) ENGINE = MergeTree ORDER BY id \
               SETTINGS min_bytes_for_wide_part = 0",
            "INSERT INTO orders SELECT number, 'x' FROM numbers(200000)",
        ])
        .await;
    let desk = Desk::new(vec![SQL; 8]).await;
    let address = desk.app.open_warehouse(server.address()).await.unwrap().uri;
    let ask = async || {
        let request = vitrine_api::AskRequest { warehouse: address.clone(), ..desk.question("What is the sum?") };
        let run = desk.app.ask(request).await.unwrap();
        RunReport::from_events(&desk.all(&run).await)
    };
    let app = &desk.app;
    let read = async || app.scans(None).await.unwrap().rows[0].clone();
    keep(app, &address, by_hand(|_| {})).await.unwrap();
    let check = desk.app.check_sql(SQL.to_owned(), address.clone()).await.unwrap();
    assert_eq!((check.bytes, check.money), (Some(IDS), None), "without a price no money is told");
    let answered = ask().await;
    assert_eq!(answered.page.unwrap().rows, [[Some("19999900000".to_owned())]]);
    assert!(answered.usage.billed_bytes >= IDS, "{:?}", answered.usage);
    let row = read().await;
    // The monthly count includes the queries that explain the answer.
    assert!(row.bytes >= answered.usage.billed_bytes, "{row:?}");
    assert_eq!((row.money, row.limits.price), (0, None));
    assert!(row.limits.question.is_none() && row.queries > 0, "no limit without a word of the user's: {row:?}");

    // A question within its limit is answered; one beyond it ends with a hint for changing the limit.
    keep(app, &address, by_hand(|draft| draft.settings.scans.question = Some(of(10 * IDS)))).await.unwrap();
    assert!(ask().await.page.is_some());
    keep(app, &address, by_hand(|draft| draft.settings.scans.question = Some(of(IDS / 2)))).await.unwrap();
    let before = read().await.bytes;
    let refused = ask().await.finished.flatten().unwrap();
    assert_eq!(refused.code, ErrorCode::Usage);
    assert!(refused.message.starts_with("Over budget: the limit of one question is 800000 bytes"), "{refused:?}");
    assert!(refused.message.ends_with("the next query would read 1.6 MB; it was not run"), "{refused:?}");
    assert_eq!(read().await.bytes, before, "nothing was read");

    keep(app, &address, by_hand(|draft| draft.settings.scans.month = of(before))).await.unwrap();
    let refused = ask().await.finished.flatten().unwrap();
    assert!(refused.message.contains("the month's limit of Shop"), "{refused:?}");
    let editor = desk.app.query_page(address.clone(), SQL.to_owned(), 10, Default::default()).await;
    assert!(matches!(editor, Err(error) if error.code == ErrorCode::Usage), "queries of the editor, too");

    // A limit of money applies if the user sets the price of a TiB: here a millionth of a dollar for each 16 bytes.
    let cents = ScanCap { bytes: None, money: Some(50_000) };
    let unpriced = keep(app, &address, by_hand(|draft| draft.settings.scans.question = Some(cents))).await.unwrap_err();
    assert!(unpriced.message.contains("needs the price per TiB"), "{unpriced:?}");
    let price = (1 << 40) / 16;
    let priced = |draft: &mut ConnectionDraft| {
        draft.settings.scans.question = Some(cents);
        draft.settings.scans.price = Some(price);
    };
    keep(app, &address, by_hand(priced)).await.unwrap();
    let check = desk.app.check_sql(SQL.to_owned(), address.clone()).await.unwrap();
    assert_eq!(check.money, Some(IDS / 16));
    let refused = ask().await.finished.flatten().unwrap();
    assert!(refused.message.contains("is 800000 bytes ($0.0500)"), "{refused:?}");
}
