//! Impersonation of a service account, with responses written from Google's reference of IAM Service Account
//! Credentials (`projects.serviceAccounts.generateAccessToken`), not recorded.

use super::super::*;
use super::query::{over, prepared, service_account};
use serde_json::{Value, json};
use vitrine_test_servers::bigquery_exchanges::{Exchange, Exchanges, answers};

const READER: &str = "&impersonate=reader@q.iam.gserviceaccount.com";
const LEND: &str = "POST /v1/projects/-/serviceAccounts/reader@q.iam.gserviceaccount.com:generateAccessToken";

fn own(text: &str) -> Exchange {
    answers("POST /token", 200, json!({"access_token": text, "expires_in": 3600}))
}

fn lent(text: &str) -> Exchange {
    answers(LEND, 200, json!({"accessToken": text, "expireTime": "2026-11-26T03:00:00Z"}))
}

fn refused(status: u16, message: &str) -> Exchange {
    answers(LEND, status, json!({"error": {"code": status, "message": message, "status": "PERMISSION_DENIED"}}))
}

#[tokio::test]
async fn documented_service_account_is_acted_as_with_tokens_for_one_purpose_each() {
    let folder = tempfile::tempdir().unwrap();
    let server = Exchanges::start([
        own("own"),
        lent("reads"),
        prepared(1),
        prepared(2),
        lent("stops"),
        answers("POST /bigquery/v2/projects/p/jobs/j/cancel", 200, json!({})),
    ])
    .await;
    let warehouse = over(&server, READER, Some(service_account(&folder)));
    assert_eq!(warehouse.check_text("SELECT 1").await.unwrap().bytes, Some(1));
    assert_eq!(warehouse.check_text("SELECT 2").await.unwrap().bytes, Some(2));
    warehouse.jobs.rest.stop_job(&["projects", "p", "jobs", "j", "cancel"], &[]).await.unwrap();
    let tokens: Vec<String> = server.requests().into_iter().filter_map(|asked| asked.token).collect();
    assert_eq!(tokens, ["own", "reads", "reads", "own", "stops"]);
    let asked: Vec<Value> = server.asked_for("generateAccessToken").iter().map(|asked| asked.json()).collect();
    assert_eq!(
        asked[0],
        json!({"scope": ["https://www.googleapis.com/auth/cloud-platform.read-only"], "lifetime": "3600s"})
    );
    assert_eq!(asked[1]["scope"][0], "https://www.googleapis.com/auth/bigquery");
    assert!(warehouse.jobs.rest.sign_in().uses_read_only_token(), "whoever signs in, the tokens are for one purpose");
    let name = warehouse.jobs.rest.sign_in().display_name().unwrap();
    assert!(name.contains("reader@q.iam") && name.contains("reader@p.iam"), "{name}");
    server.done();
}

#[tokio::test]
async fn documented_refusal_to_act_as_it_says_who_may_not_act_as_whom() {
    let folder = tempfile::tempdir().unwrap();
    let denied = "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).";
    let server = Exchanges::start([own("own"), refused(403, denied)]).await;
    let error = over(&server, READER, Some(service_account(&folder))).check_text("SELECT 1").await.unwrap_err();
    assert!(
        matches!(&error, WarehouseError::NotAdmitted { detail, .. } if detail.contains("reader@q.iam") && detail.contains(denied)),
        "{error:?}"
    );
    assert!(error.hint().unwrap().contains("roles/iam.serviceAccountTokenCreator"), "{:?}", error.hint());
    server.done();
}

#[tokio::test]
async fn documented_own_token_that_is_taken_no_longer_is_fetched_anew_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Exchanges::start([own("one"), lent("reads"), prepared(1)]).await;
    let warehouse = over(&server, READER, Some(service_account(&folder)));
    warehouse.check_text("SELECT 1").await.unwrap();
    warehouse.jobs.rest.sign_in().forget_token(access::Access::Read, "reads").await;
    server.done();
    let server = Exchanges::start([own("one"), refused(401, "Invalid Credentials")]).await;
    let error = over(&server, READER, Some(service_account(&folder))).check_text("SELECT 1").await.unwrap_err();
    assert!(matches!(error, WarehouseError::SignInAgain { .. }), "{error}");
    server.done();
}

#[tokio::test]
async fn documented_login_of_gcloud_that_acts_as_a_service_account_does_so_also_for_a_further_one() {
    let folder = tempfile::tempdir().unwrap();
    let acting = |account: &str| {
        let path = folder.path().join("adc.json");
        let file = json!({
            "type": "impersonated_service_account", "delegates": [],
            "service_account_impersonation_url":
                format!("https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/{account}:generateAccessToken"),
            "source_credentials": {
                "type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r",
            },
        });
        std::fs::write(&path, file.to_string()).unwrap();
        Some(Login::read_file(&path).unwrap())
    };
    for (account, options, delegates) in [
        ("reader@q.iam.gserviceaccount.com", "", Value::Null),
        ("reader@q.iam.gserviceaccount.com", READER, Value::Null),
        (
            "lender@q.iam.gserviceaccount.com",
            READER,
            json!(["projects/-/serviceAccounts/lender@q.iam.gserviceaccount.com"]),
        ),
    ] {
        let server = Exchanges::start([own("own"), lent("reads"), prepared(1)]).await;
        let warehouse = over(&server, options, acting(account));
        warehouse.check_text("SELECT 1").await.unwrap();
        assert_eq!(server.asked_for("generateAccessToken")[0].json()["delegates"], delegates, "{account} {options}");
        let tokens: Vec<String> = server.requests().into_iter().filter_map(|asked| asked.token).collect();
        assert_eq!(tokens, ["own", "reads"]);
        let name = warehouse.jobs.rest.sign_in().display_name().unwrap();
        assert!(name.contains("reader@q.iam") && name.contains("gcloud"), "{name}");
        server.done();
    }
}
