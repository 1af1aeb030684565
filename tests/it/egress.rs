//! Egress levels: at each level every method queries a remote model over a database with marked comments, counts,
//! values and results. Marks that the level withholds must not occur in the bytes that the server received.

use crate::bench::{Known, Ran, run};
use crate::gold::{Answer, Declared, GoldServer, serve};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::METHODS;
use vitrine_agents::{Ask, AskHistory, AskOptions, AskPermissions, Earlier};
use vitrine_domain::{AskSettings, EgressLevel, EgressPolicy, EventBody, RewrittenQuestion, RunChange};

const REMARK: &str = "remarkzq";
/// The number of rows, as formatted in prompts.
const ROWS: &str = "1,237";
const SAMPLE: &str = "samplezq";
const PERSON: &str = "personzq";
/// A mark that the query computes and the database does not store.
const RESULT: &str = "resultzq";

const QUESTION: &str = "Which tiers and addresses are there?";
const SQL: &str = "SELECT tier || replace('ResXltzq', 'X', 'u') AS t, email FROM customer LIMIT 3";

struct Marked {
    known: Known,
    server: GoldServer,
    _folder: tempfile::TempDir,
}

impl Marked {
    async fn new() -> Self {
        Self::answering(SQL).await
    }

    async fn answering(sql: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("marked.sqlite");
        let database = rusqlite::Connection::open(&path).expect("a database");
        database
            .execute_batch(&format!(
                "CREATE TABLE customer (id INTEGER PRIMARY KEY, email TEXT, tier TEXT);
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1237)
                 INSERT INTO customer SELECT i, '{PERSON}' || i || '@example.org', '{SAMPLE}' || (i % 3) FROM n;"
            ))
            .expect("rows");
        let mut known = Known::of(&format!("sqlite:{}", path.display()), &folder.path().join("values.db")).await;
        // SQLite has no comments.
        let table = &mut Arc::make_mut(&mut known.catalog).tables[0];
        table.comment = Some(REMARK.to_owned());
        let answer = Answer { question: QUESTION.to_owned(), sql: sql.to_owned(), doubted: None };
        Self { known, server: serve([answer], true), _folder: folder }
    }

    /// Asks with a method; returns the run and all bytes that the server received.
    async fn asked(&self, method: &str, egress: EgressPolicy) -> (Ran, Vec<String>) {
        self.server.bodies();
        let settings = AskSettings { strategy: method.into(), ..AskSettings::default() };
        let ask = self.known.ask(QUESTION, settings, Declared::new(&self.server, true));
        let ran = run(
            Ask {
                permissions: AskPermissions { egress, ..ask.permissions },
                options: AskOptions { assess: true, ..ask.options },
                ..ask
            },
            CancellationToken::new(),
        )
        .await;
        (ran, self.server.bodies())
    }

    /// Reruns with a change, under the given policy.
    async fn goes_on(&self, from: &Ran, change: RunChange, egress: EgressPolicy) -> (Ran, Vec<String>) {
        self.server.bodies();
        let earlier = Earlier::new("before", &from.events, vec![change]).expect("it has a place");
        let strategy = from.report.strategy.clone().expect("it began");
        let settings = AskSettings { strategy, ..AskSettings::default() };
        let ask = self.known.ask(QUESTION, settings, Declared::new(&self.server, true));
        let ask = Ask {
            permissions: AskPermissions { egress, ..ask.permissions },
            history: AskHistory { earlier: Some(Arc::new(earlier)), ..ask.history },
            ..ask
        };
        (run(ask, CancellationToken::new()).await, self.server.bodies())
    }
}

fn policy(level: EgressLevel) -> EgressPolicy {
    EgressPolicy { level, ..EgressPolicy::default() }
}

/// Returns the marks that occur in a text.
fn marks(text: &str) -> BTreeSet<&'static str> {
    // Tested separately, because the mark of a result starts like that of a sample.
    let text = text.to_lowercase();
    [REMARK, ROWS, SAMPLE, PERSON, RESULT].into_iter().filter(|mark| text.contains(mark)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_method_tells_more_than_the_level_allows() {
    let marked = Marked::new().await;
    let allowed: [(EgressLevel, &[&str]); 5] = [
        (EgressLevel::Names, &[]),
        (EgressLevel::Comments, &[REMARK]),
        (EgressLevel::Profile, &[REMARK, ROWS]),
        (EgressLevel::Samples, &[REMARK, ROWS, SAMPLE]),
        (EgressLevel::Results, &[REMARK, ROWS, SAMPLE, RESULT]),
    ];
    for (level, allowed) in allowed {
        let mut told = BTreeSet::new();
        for method in METHODS.iter().map(|method| method.info.name) {
            let (ran, bodies) = marked.asked(method, policy(level)).await;
            assert!(!bodies.is_empty(), "{method} asked nothing");
            ran.outcome.as_ref().unwrap_or_else(|error| panic!("{method} at {level:?}: {error:?}"));
            // The user sees the rows at every level.
            let page = ran.report.page.as_ref().expect("rows");
            assert!(page.rows[0].iter().flatten().any(|cell| cell.contains(PERSON)), "{method} at {level:?}: {page:?}");
            for body in &bodies {
                let found = marks(body);
                let excess: Vec<_> = found.iter().filter(|mark| !allowed.contains(mark)).collect();
                assert!(excess.is_empty(), "{method} at {level:?} tells {excess:?}: {body}");
                told.extend(found);
            }
        }
        // Every permitted mark is sent by some method, so the test would detect a leak.
        assert_eq!(told, allowed.iter().copied().collect(), "{level:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_only_under_the_level_that_it_was_told_by() {
    let marked = Marked::new().await;
    let (before, told) = marked.asked("av-sql", policy(EgressLevel::Results)).await;
    assert!(marks(&told.concat()).contains(SAMPLE), "the earlier run was told of values");
    let task = "List tiers and addresses".to_owned();
    let changes = [
        RunChange::Plan { text: "Read tiers and addresses of customers".to_owned() },
        RunChange::Rewritten { rewritten: RewrittenQuestion { task, ..RewrittenQuestion::default() } },
    ];
    for change in changes {
        // Data kept from the earlier run may include values that the new level forbids.
        let (ran, bodies) = marked.goes_on(&before, change.clone(), policy(EgressLevel::Names)).await;
        let error = ran.outcome.expect_err("it is refused");
        assert!(error.message.contains("The data that models may receive has changed"), "{change:?}: {error:?}");
        assert_eq!(bodies, Vec::<String>::new(), "{change:?}: nothing was sent");
        let (ran, bodies) = marked.goes_on(&before, change.clone(), policy(EgressLevel::Results)).await;
        ran.outcome.as_ref().unwrap_or_else(|error| panic!("{change:?}: {error:?}"));
        assert!(!marks(&bodies.concat()).is_empty(), "{change:?}: the test would see it");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn personal_columns_are_told_where_the_user_allows_them() {
    let marked = Marked::new().await;
    let allowed = EgressPolicy { allowed: vec!["customer.email".to_owned()], ..EgressPolicy::default() };
    let (_, bodies) = marked.asked("auto", allowed).await;
    assert!(marks(&bodies.concat()).contains(PERSON));
    let chosen = EgressPolicy { masked: vec!["customer.tier".to_owned()], ..EgressPolicy::default() };
    let (_, bodies) = marked.asked("auto", chosen).await;
    assert!(!marks(&bodies.concat()).contains(SAMPLE));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_only_the_database_reads_tells_no_masked_value() {
    let chosen = EgressPolicy { masked: vec!["customer.tier".to_owned()], ..EgressPolicy::default() };
    for sql in [
        "SELECT 1 IS 1 AS a, tier || replace('ResXltzq', 'X', 'u') AS t, id FROM customer LIMIT 3",
        "SELECT json_extract('{}', tier) AS t FROM customer",
    ] {
        let marked = Marked::answering(sql).await;
        for method in ["auto", "av-sql", "chase-sql", "reforce"] {
            let (ran, bodies) = marked.asked(method, chosen.clone()).await;
            assert!(!bodies.is_empty(), "{method} asked nothing");
            let told = marks(&bodies.concat());
            assert!(!told.contains(SAMPLE) && !told.contains(RESULT), "{method}: {sql}: {told:?}");
            if let Some(page) = &ran.report.page {
                assert!(page.rows.iter().flatten().flatten().any(|cell| cell.contains(SAMPLE)), "{method}: {page:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_every_request_byte_for_byte() {
    let marked = Marked::new().await;
    let sent = |ran: &Ran| {
        ran.pick(|body| match body {
            EventBody::RequestSent { to, body, values_of, .. } => Some((to.clone(), body.clone(), values_of.clone())),
            _ => None,
        })
    };
    let (ran, bodies) = marked.asked("av-sql", policy(EgressLevel::Results)).await;
    let logged = sent(&ran);
    assert!(logged.iter().all(|(to, ..)| *to == marked.server.uri()));
    let as_set = |bodies: Vec<&String>| bodies.into_iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(as_set(logged.iter().map(|(_, body, _)| body).collect()), as_set(bodies.iter().collect()));
    assert_eq!(logged.len(), bodies.len());
    assert!(logged.iter().any(|(.., values_of)| values_of == &["customer"]));
    let (ran, _) = marked.asked("av-sql", policy(EgressLevel::Profile)).await;
    assert!(sent(&ran).iter().all(|(.., values_of)| values_of.is_empty()));
    // The first event records the level.
    let level = ran.pick(|body| match body {
        EventBody::RunStarted { egress, .. } => egress.as_ref().map(|egress| egress.level),
        _ => None,
    });
    assert_eq!(level, [EgressLevel::Profile]);
}
