//! Questions over several warehouses.

use crate::support::Desk;
use vitrine_api::ReportRequest;
use vitrine_domain::{EgressLevel, EgressPolicy, ErrorCode, KeyDecision, RunReport};

const SQL: &str =
    "SELECT c.name, t.target FROM shop.customers c JOIN plan.targets t ON t.customer_id = c.id ORDER BY c.name";

async fn joined(desk: &Desk) -> (String, String) {
    let path = desk.path("targets.csv");
    let rows: Vec<String> = (1..=3).map(|id| format!("{id},{}00", id)).collect();
    std::fs::write(&path, format!("customer_id,target\n{}\n", rows.join("\n"))).unwrap();
    let plan = format!("file:{}", path.display());
    desk.app.confirm_warehouse(&plan).await;
    let given = vec![("shop".to_owned(), desk.shop.clone()), ("plan".to_owned(), plan.clone())];
    (desk.app.join_warehouses(given).await.unwrap(), plan)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_from_two_sources() {
    let desk = Desk::new(vec![SQL]).await;
    let (address, _) = joined(&desk).await;
    let mut question = desk.question("What is the target of each customer?");
    question.warehouse = address.clone();
    let run = desk.app.ask(question).await.unwrap();
    let report = RunReport::from_events(&desk.all(&run).await);
    assert_eq!(report.finished, Some(None), "{report:?}");
    let rows = report.page.unwrap().rows;
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0][1].as_deref(), Some("300"), "{rows:?}");
    let reads = desk.app.source_reads(&address).await;
    assert!(
        reads.iter().any(|read| read.source == "shop") && reads.iter().any(|read| read.source == "plan"),
        "{reads:?}"
    );
    let path = desk.path("report.html");
    let request = ReportRequest { runs: vec![run], ..ReportRequest::default() };
    desk.app.write_report(request, path.clone(), false).await.unwrap();
    let html = std::fs::read_to_string(path).unwrap();
    assert!(html.contains("plan: ") && html.contains("shop: ") && !html.contains("sources:{"), "{html}");
    // The sources are in the list of used warehouses, not their combination.
    assert!(desk.app.warehouses().await.unwrap().iter().all(|entry| !entry.uri.starts_with("sources:")));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_across_sources_are_inferred_and_decided() {
    let desk = Desk::new(vec![SQL]).await;
    let (address, _) = joined(&desk).await;
    desk.app.wait_until_prepared(&address).await.unwrap();
    let keys = desk.app.inferred_keys(address.clone()).await.unwrap();
    let across = "plan.targets(customer_id) -> shop.customers(id)";
    assert!(keys.iter().any(|row| row.id == across), "{:?}", keys.iter().map(|row| &row.id).collect::<Vec<_>>());
    desk.app.decide_key(address.clone(), across.to_owned(), Some(KeyDecision::Confirmed)).await.unwrap();
    let kept = desk.app.inferred_keys(address).await.unwrap();
    assert!(kept.iter().any(|row| row.id == across && row.decision == Some(KeyDecision::Confirmed)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_strictest_egress_of_the_sources_applies() {
    let desk = Desk::new(vec![SQL]).await;
    let (address, plan) = joined(&desk).await;
    let policy = EgressPolicy { level: EgressLevel::Names, ..EgressPolicy::default() };
    desk.app.set_egress(plan, policy.clone()).await.unwrap();
    let masked = EgressPolicy { masked: vec!["customers.name".to_owned()], ..EgressPolicy::default() };
    desk.app.set_egress(desk.shop.clone(), masked).await.unwrap();
    let joined = desk.app.egress(address.clone()).await.unwrap();
    assert_eq!(joined.policy.level, EgressLevel::Names);
    assert_eq!(joined.policy.masked, ["shop.customers.name"]);
    assert!(joined.personal.iter().any(|column| column.masked), "{:?}", joined.personal);
    assert_eq!(desk.app.set_egress(address, policy).await.unwrap_err().code, ErrorCode::Usage);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_nobody_opened_stays_closed() {
    let desk = Desk::new(vec![SQL]).await;
    std::fs::write(desk.path("other.csv"), "a\n1\n").unwrap();
    let foreign = format!("sources:{{\"other\":\"file:{}\"}}", desk.path("other.csv").display());
    let refused = desk.app.query_page(foreign, "SELECT * FROM other.other".to_owned(), 1, Default::default()).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::Unconfirmed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_was_opened_again_is_joined_again() {
    let desk = Desk::new(vec![SQL]).await;
    let (address, _) = joined(&desk).await;
    let first = desk.app.query_page(address.clone(), SQL.to_owned(), 10, Default::default()).await.unwrap();
    assert_eq!(first.rows[0][1].as_deref(), Some("300"), "{:?}", first.rows);
    // The columns stay the same, so that the joined tables have the same fingerprint.
    std::fs::write(desk.path("targets.csv"), "customer_id,target\n1,11111\n2,22222\n3,33333\n").unwrap();
    let again = desk.app.query_page(address, SQL.to_owned(), 10, Default::default()).await.unwrap();
    assert_eq!(again.rows[0][1].as_deref(), Some("33333"), "{:?}", again.rows);
}
